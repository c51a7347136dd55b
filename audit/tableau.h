/* A linear system as it comes, too many equations or too few: which of its unknowns are determined,
 * and what they are. Gauss and Jordan with the largest pivot, in long double; nothing but that. */
#ifndef HYDEVS_AUDIT_TABLEAU_H
#define HYDEVS_AUDIT_TABLEAU_H

#include <glib.h>

typedef struct {
  guint unknowns, rows;
  GArray *a;      /* long double, [rows][unknowns + 2]: behind them the right side, and what it is
                     made of without signs */
  guint *pivot;   /* [unknowns]: the row that is solved for it; G_MAXUINT: it is free */
  double *factor; /* [unknowns]: what they are counted in */
  guint *from;    /* [rows]: where each has stood before it was solved */
  guint done;     /* rows that are solved: those behind them follow from them */
  long double *x; /* [unknowns]: the solution, in that; free ones are 0 */
  double *size;   /* [unknowns]: what it is made of without signs */
  double doubt;   /* what roundings may have done, as a part of that */
} HyTableau;

HyTableau *hy_tableau_new(guint unknowns);
void hy_tableau_free(HyTableau *t);
/* A row of zeros, whose right side is RIGHT. */
void hy_tableau_row(HyTableau *t, double right);
/* To the newest row: FACTOR times unknown K. */
void hy_tableau_add(HyTableau *t, guint k, double factor);
/* FALSE: which equations follow from others is not clear. */
gboolean hy_tableau_solve(HyTableau *t);
/* Unknown PLUS less unknown MINUS (G_MAXUINT: there is none) within *ERROR; NaN: the equations
 * leave it open. */
double hy_tableau_value(const HyTableau *t, guint plus, guint minus, double *error);

#endif
