/* Measures: what a signal was, as one number, and formulas of such numbers
 * (docs/howto/measures.md).
 *
 *   measure = a formula of terms: mean(vo)*mean(io)/mean(pin)
 *   term    = function "(" signals { "," argument } ")"
 *   signals = a formula of paths, v*i; for first, last and count a comparison, v > 0.5*U
 *   window  = the last argument: W, the last W seconds, or FROM..TO
 *
 *   steady(term): in the periodic steady state, over a period
 *
 * A path is written as for a recording. "a/b" without blanks is b inside of a; a quotient has
 * blanks. */
#ifndef HYDEVS_EXPR_FORMULA_MEASURE_H
#define HYDEVS_EXPR_FORMULA_MEASURE_H

#include "formula.h"

#define HY_MEASURE_BYTES 8192 /* of one text */

typedef enum {
  HY_MEASURE_FINAL,
  HY_MEASURE_MIN,
  HY_MEASURE_MAX,
  HY_MEASURE_PEAK,
  HY_MEASURE_MEAN,
  HY_MEASURE_RMS,
  HY_MEASURE_RIPPLE,
  HY_MEASURE_INTEGRAL,
  HY_MEASURE_AT,
  HY_MEASURE_FIRST,
  HY_MEASURE_LAST,
  HY_MEASURE_COUNT,
  HY_MEASURE_SETTLE,
  HY_MEASURE_THD,
  HY_N_MEASURES
} HyMeasureKind;

typedef struct {
  const char *name, *like, *doc; /* LIKE: how it is written */
  gboolean compares;             /* of a comparison of signals */
  gboolean window;               /* may have one */
  const char *number;            /* what the argument before the window is; NULL: there is none */
} HyMeasureInfo;
extern const HyMeasureInfo hy_measure_info[HY_N_MEASURES];

typedef struct {
  HyMeasureKind kind;
  const HyFormula *x;    /* of signals; of a comparison what is above 0 where it holds */
  HyFormulaRefs *refs;   /* those of x */
  char **path;           /* [refs->n]: their paths */
  double number;         /* the argument; NaN: none */
  double last, from, to; /* the window: LAST seconds, or from FROM to TO; NaN: none */
  char *text;            /* "mean(v*i, 5m)" as it was written */
  gboolean steady;       /* in steady(...), which is no part of TEXT */
} HyMeasureTerm;

typedef struct {
  HyFormulaPool *pool;
  const HyFormula *value; /* of terms */
  HyFormulaRefs *refs;    /* of value; */
  guint *of;              /* [refs->n]: which term */
  GArray *terms;          /* HyMeasureTerm */
} HyMeasureText;

/* TEXT with each path and each name that is no function as MAP says: its text, newly allocated;
 * NULL: ERROR is set. */
typedef char *(*HyMeasureMap)(gpointer user, const char *path, GError **error);
char *hy_measure_map(const char *text, HyMeasureMap map, gpointer user, GError **error);

/* All names are signals. NULL: it is no measure. */
HyMeasureText *hy_measure_parse(const char *text, GError **error);
void hy_measure_free(HyMeasureText *x); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyMeasureText, hy_measure_free)

/* FOLDED where its references are VALUE, in the order of REFS. */
double hy_measure_value(const HyFormula *folded, const HyFormulaRefs *refs, const double *value);

#endif
