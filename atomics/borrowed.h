/* Classes of one's own with functions of built-in ones. */
#ifndef HYDEVS_ATOMICS_BORROWED_H
#define HYDEVS_ATOMICS_BORROWED_H

#include "hydevs/atomic.h"

/* What is wrong with a class that has a function of built-in ones and the state of none of them;
 * NULL: nothing. */
const char *hy_class_borrowed(const HyAtomicClass *klass);

#endif
