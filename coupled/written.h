/* Formulas as their authors wrote them, folded: a copy for each block that has one, kept beside the
 * expressions that are made of them for whoever checks a run against the text of its model (room
 * audit). Nobody else reads them. */
#ifndef HYDEVS_COUPLED_WRITTEN_H
#define HYDEVS_COUPLED_WRITTEN_H

#include "expr/formula.h"
#include "hydevs/model.h"

/* A node of a tree, before those that it is made of, each of which has its own behind it. */
typedef struct {
  guint8 kind;     /* HyFormulaKind */
  guint8 function; /* of a call: its row in hy_ops */
  char sign;       /* how it joins those before it: + - of a sum, * / of a product, < > l g = ! of a
                      comparison */
  guint32 n;       /* of what it is made; of a list: parts */
  union {
    double number; /* HY_F_NUMBER */
    gint64 place;  /* HY_F_REF: k: the input k of the block, -k: its unknown k */
  };
} HyWritten;

/* From now on the formulas of MODEL, a root, are kept. */
void hy_model_keep_written(HyModel *model);
gboolean hy_model_keeps_written(const HyModel *model);
/* F is what COMPONENT says; REFS and PLACE as for hy_model_formula(). Returns where it is kept,
 * which others with the same one are told by the second. */
guint32 hy_model_write(HyModel *model, guint component, const HyFormula *f,
                       const HyFormulaRefs *refs, const gint *place);
void hy_model_write_again(HyModel *model, guint component, guint32 at);
/* Of the atomic NUMBER of a checked MODEL; NULL: it has none, or none is kept. As long as MODEL. */
const HyWritten *hy_model_written(const HyModel *model, guint number);

struct HyWrittenAll;
void hy_written_free(struct HyWrittenAll *all); /* NULL is fine */

#endif
