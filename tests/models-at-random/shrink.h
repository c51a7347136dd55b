/* A smaller model of which the same is found: blocks, attributes and columns are dropped, formulas
 * are replaced by parts of themselves, as long as any of this keeps what is found. */
#ifndef RANDOM_SHRINK_H
#define RANDOM_SHRINK_H

#include "judge.h"

/* At most TRIALS times the model is judged. The caller frees the new one. */
Element *shrink(const Judge *j, const Element *model, const Verdict *v, int trials);

#endif
