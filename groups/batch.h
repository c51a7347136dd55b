/* Rows of one shape evaluated together, on the value lane: operation by operation over columns,
 * which hold one register of all of them. The operations of each row are those of its own program,
 * in their order, so its value is the same to the last bit; what is saved is finding out for every
 * row what comes next, and processors compute several entries of a column at once. */
#ifndef HYDEVS_GROUPS_BATCH_H
#define HYDEVS_GROUPS_BATCH_H

#include "equations/room_internal.h"

#define HY_COLUMN 128U /* rows at most: the registers of most shapes stay in the nearest cache */
#define HY_PAD    8U   /* columns are computed up to a multiple of this, whatever is there */

/* Several entries of a column; wherever a double may be. */
typedef double HyPack __attribute__((vector_size(HY_PAD * sizeof(double)), aligned(8), may_alias));

static inline gsize hy_packs(gsize n)
{
  return (n + HY_PAD - 1) / HY_PAD;
}

/* P on N rows. REG: the columns of its registers, inputs and fixed ones set; NUMBER: those of its
 * numbers; FLAG: of its modes. Entries from N up to the next multiple of HY_PAD are computed, too,
 * but nothing is called for them. */
void hy_program_run_columns(const HyProgram *p, guint n, double *const *number, double *const *reg,
                            const guint8 *const *flag);

/* SUM += A B. */
void hy_columns_add_product(guint n, const double *a, const double *b, double *sum);

/* Whether all of A are finite. */
gboolean hy_columns_finite(guint n, const double *a);

/* Partial derivatives that hy_batches_partials() computes. */
typedef struct {
  guint32 row;  /* by number, in the order of hy_batches_new() */
  guint32 slot; /* of that row */
} HyPartial;

typedef struct HyBatches HyBatches;

/* For the rows ROW[N] of ROOM. Those that share their shape with few others, or are very large, are
 * left out: hy_batches_alone(). */
HyBatches *hy_batches_new(HyRoom *room, const guint32 *row, guint n);
void hy_batches_free(HyBatches *b); /* NULL is fine */
/* By number, ascending, and how many. */
const guint32 *hy_batches_alone(const HyBatches *b, guint *n);

/* With the flags of the room as they are. AT: the values by slot, and room for HY_PAD more behind
 * the last; to OUT, by number. */
void hy_batches_values(HyBatches *b, double *at, double *out);
/* What hy_batches_partials() computes, in its order. */
const HyPartial *hy_batches_entries(const HyBatches *b, guint *n);
void hy_batches_partials(HyBatches *b, double *at, double *out);
/* Likewise, of the rows from FIRST up to END alone, to the same places. */
void hy_batches_values_of(HyBatches *b, guint first, guint end, double *at, double *out);
void hy_batches_partials_of(HyBatches *b, guint first, guint end, double *at, double *out);

#endif
