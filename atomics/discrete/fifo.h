/* First in, first out: event values with an instant each, as server and delay keep them. */
#ifndef HYDEVS_ATOMICS_DISCRETE_FIFO_H
#define HYDEVS_ATOMICS_DISCRETE_FIFO_H

#include "hydevs/atomic.h"

typedef struct {
  double at;
  HyValue value;
} HyFifoItem;

/* A ring; all zero is an empty one. It owns a reference on each payload. */
typedef struct {
  HyFifoItem *item;
  gsize head, n, room; /* room is 0 or a power of two */
} HyFifo;

void hy_fifo_push(HyFifo *f, double at, const HyValue *value);
const HyFifoItem *hy_fifo_head(const HyFifo *f); /* NULL: empty; good until the next push or pop */
void hy_fifo_pop(HyFifo *f);
void hy_fifo_clear(HyFifo *f);
void hy_fifo_tape(HyFifo *f, HyTape *tape);
/* "[1,2]", or with instants "[1@0.5 2@1]"; of a long one the first HY_PRINT_MAX values and the
 * number of all. */
void hy_fifo_print(const HyFifo *f, gboolean instants, GString *out);

#define HY_PRINT_MAX 1000

#endif
