/* Measures of a run: what signals were, as numbers, from the pieces that signals are made of and
 * never from rows. One watcher hears all that is measured, with a memory that does not grow. */
#ifndef HY_MEASURES_H
#define HY_MEASURES_H

#include "expr/formula_measure.h"
#include "hydevs/record.h"
#include "sources.h"

typedef struct HyMeasures HyMeasures;

/* Of a run of SIM from T0 to TF, which may be infinite. */
HyMeasures *hy_measures_new(const HySim *sim, double t0, double tf);
void hy_measures_free(HyMeasures *measures); /* NULL is fine */

/* Who says PATH: COLUMN, which may have borrowed texts, and MORE (of HySource) who speak there,
 * too. FALSE: ERROR is set. "t" that nobody says is the time. */
typedef gboolean (*HyMeasureFind)(gpointer user, const char *path, HyColumn *column, GArray *more,
                                  GError **error);
/* Before the run. TEXT is parsed, and owned by MEASURES from now on, also on failure: a window that
 * the run does not have, a path that is none. */
gboolean hy_measures_add(HyMeasures *measures, HyMeasureText *text, HyMeasureFind find,
                         gpointer user, GError **error);

/* The text of the first term from *TERM on that is of the steady state, "mean(x)" of
 * steady(mean(x)), and *TERM; NULL: there is none. Whoever finds its value gives it; WHY: what to
 * say if there is none. */
const char *hy_measures_next_steady(const HyMeasures *measures, guint *term);
void hy_measures_give(HyMeasures *measures, guint term, double value, const char *why);

/* What hears for them, and NEXT. Valid as long as both. */
HyTrace hy_measures_trace(HyMeasures *measures, const HyTrace *next);
void hy_measures_restart(HyMeasures *measures); /* the run begins anew */
/* What they have heard so far. */
void hy_measures_tape(HyMeasures *measures, HyTape *tape);
/* It has come to T; WHOLE: as it was to. */
void hy_measures_finish(HyMeasures *measures, double t, gboolean whole);

/* Of the one with that NUMBER, in the order in which they were added. NaN: there is none, or the
 * run is not over. WHY: NULL, or why it is none or not what it says; the measures' own. */
double hy_measures_value(const HyMeasures *measures, guint number, const char **why);
/* What it may be off where a formula of signals has been too wild for its panels, or was nothing
 * but rounding: about so large a part of the largest that its signals were. */
double hy_measures_doubt(const HyMeasures *measures, guint number);
/* Its unit where that is known: of signals, of time. NULL: it is not. Newly allocated. */
char *hy_measures_unit(const HyMeasures *measures, guint number);

#endif
