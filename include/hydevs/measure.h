/* Measures of a run: what signals were, as numbers (docs/howto/measures.md). They are of the pieces
 * that signals are made of, and not of rows: a run needs no recording for them, and a grid of one
 * makes no difference to them.
 *
 *   final(x) min(x) max(x) peak(x) mean(x) rms(x) ripple(x) integral(x) at(x, t)
 *   first(x > a) last(x > a) count(x > a) settle(x, 2%) thd(x, f)
 *
 *   steady(mean(x)) and others: of a period of the steady state (hy_run_measure_steady())
 *
 * x is a path as for a recording, or a formula of paths; a window may be the last argument, W for
 * the last W seconds, FROM..TO for others. Formulas of these are measures, too:
 * mean(vo)*mean(io)/mean(pin). */
#ifndef HYDEVS_MEASURE_H
#define HYDEVS_MEASURE_H

#include "hydevs/experiment.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Those of the experiment, and of HyLoadOptions.measure, are there in each run of it, in their
 * order. Before the run has begun further ones may be added: NAME, NULL: TEXT. What is to be
 * measured of a circuit has to be known when that is loaded; else it may be a name that is not
 * there. Names of parameters of the root stand for their numbers. */
gboolean hy_run_add_measure(HyRun *run, const char *name, const char *text, GError **error);
guint hy_run_n_measures(const HyRun *run);

/* The strings are the run's. */
const char *hy_run_measure_name(const HyRun *run, guint k);
const char *hy_run_measure_text(const HyRun *run, guint k);
const char *hy_run_measure_unit(const HyRun *run, guint k);  /* NULL: nobody knows */
const char *hy_run_measure_label(const HyRun *run, guint k); /* NULL: none */
/* After the run. NaN: there is none. */
double hy_run_measure_value(const HyRun *run, guint k);
/* Why there is none, or why it is not what it says: the run has ended within its window. NULL: it
 * is all right. */
const char *hy_run_measure_why(const HyRun *run, guint k);

/* Its bounds; NaN: none. FALSE: it has none. */
gboolean hy_run_measure_bounds(const HyRun *run, guint k, double *min, double *max);
/* After the run: FALSE: it has bounds, and is not known to be within them. */
gboolean hy_run_measure_passed(const HyRun *run, guint k);
/* All have; else "ripple: 0.31 V is above 0.3 V" and so on. A run that ends well otherwise has the
 * status HY_ERROR_AUDIT by that. */
gboolean hy_run_measures_pass(const HyRun *run, GError **error);

/* A table for people: name, value, unit, bounds; newly allocated, NULL: nothing is measured. */
char *hy_run_measures_text(const HyRun *run);
/* A member "measures" of JSON, or nothing. */
void hy_run_measures_json(const HyRun *run, HyJsonOut *json);

/* REPORT gets what is wrong with the measures of the experiment: names that are not there. */
void hy_report_measures(HyReport *report, const HyLoaded *loaded);

#pragma GCC visibility pop
G_END_DECLS
#endif
