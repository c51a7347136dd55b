/* Rows that bend while no mode turns, a product of states, as functions of lines that do not: each
 * line is linear in what an exact block knows whole, and bounds of the row follow from theirs
 * (numerics/modal_bends.c). */
#ifndef HYDEVS_GROUPS_BENDS_H
#define HYDEVS_GROUPS_BENDS_H

#include "classic_internal.h"

#include "numerics/modal.h"

typedef struct HyBentNode HyBentNode;

/* Of one row, in the modes that it was made in. */
typedef struct {
  guint n;           /* lines */
  double *line;      /* [n][wide], as the group adds slots to them */
  double *weight;    /* [n][2 states]: for whoever solves them */
  gboolean negative; /* the row is -f */
  HyBentNode *node;  /* f of the lines; the last one is it */
  guint n_nodes;
  HyEnclosure *at;      /* [n_nodes]: working memory, as are the arrays of WATCH, */
  double complex *look; /* of each line, */
  double complex *wave;
  HyBentWatch watch;
} HyBentRow;

/* Adds FACTOR times what is said at SLOT to LINE; FALSE: it is a hub that bends itself. */
typedef gboolean HyBentAdd(gconstpointer user, const HyClassic *g, guint slot, double factor,
                           double *line);

/* Bounds of all operations of ROW are known, through hubs. */
gboolean hy_bent_row_is_possible(const HyClassic *g, guint32 row);
/* ROW, or if not AS_SUCH -ROW, in the modes as hy_classic_choices() has them; its lines are WIDE,
 * the last number being what stands alone. There are so many SINES. */
HyBentRow *hy_bent_row_new(HyClassic *g, guint32 row, gboolean as_such, gsize wide, gsize sines,
                           HyBentAdd *add, gconstpointer user);
void hy_bent_row_free(HyBentRow *b); /* NULL is fine */

#endif
