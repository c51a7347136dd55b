/* Where a periodic model comes to rest: the state from which a period of its sources leads back to
 * itself, found by Newton's method on the run itself, and what becomes of small differences from it
 * (docs/theory.md, section 12). Texts are newly allocated where they are not const. */
#ifndef HYDEVS_STEADY_H
#define HYDEVS_STEADY_H

#include "hydevs/experiment.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What is being computed. */
typedef struct {
  const char *what; /* "period", "sensitivities", "means", "frequencies": a constant */
  guint number;     /* of the period, from 1 on; else 0 */
  double part;      /* of it, 0 .. 1 */
  guint64 events;   /* of the period */
  double residual;  /* what the last period has changed, as `tolerance`; NaN: none is over */
} HySteadyStage;

typedef struct {
  double period;       /* NaN: the common one of all sources */
  double tolerance;    /* of what a period changes, by the largest value of each state */
  guint most;          /* periods that are simulated */
  guint harmonics;     /* of outputs; the first is that of the period */
  double differences;  /* sensitivities by differences of runs, so large in parts of the largest
                          value of a state, even where they are known exactly; 0: only else */
  guint64 most_events; /* in one period, so that one that is far too long ends with a message; 0:
                          any number */
  gsize most_bytes;    /* of what is kept of one period; 0: any number */
  /* Called now and then; FALSE ends the search with HY_ERROR_INTERRUPTED. NULL: nobody asks. */
  gboolean (*progress)(gpointer user, const HySteadyStage *stage);
  gpointer user;
} HySteadySettings;
#define HY_STEADY_EVENTS    10000000
#define HY_STEADY_BYTES     (1 << 30)
#define HY_STEADY_HARMONICS 10000 /* at most */
#define HY_STEADY_SETTINGS                                                                         \
  (HY_LITERAL(HySteadySettings){.period = NAN,                                                     \
                                .tolerance = 1e-11,                                                \
                                .most = 200,                                                       \
                                .most_events = HY_STEADY_EVENTS,                                   \
                                .most_bytes = HY_STEADY_BYTES})

typedef struct HySteady HySteady;

/* All states are solved by block_liqss2 as one block, whatever method the model states; where that
 * cannot be, by what comes in its place, and sensitivities are differences of runs. NULL: no
 * period, or no periodic state was found. LOADED must outlive it. */
HySteady *hy_steady_new_sized(const HyLoaded *loaded, const HySteadySettings *settings, gsize size,
                              GError **error);
static inline HySteady *hy_steady_new(const HyLoaded *loaded, const HySteadySettings *settings,
                                      GError **error)
{
  return hy_steady_new_sized(loaded, settings, sizeof(HySteadySettings), error);
}
void hy_steady_free(HySteady *steady); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HySteady, hy_steady_free)

double hy_steady_period(const HySteady *steady);
guint hy_steady_periods(const HySteady *steady);     /* that were simulated */
double hy_steady_residual(const HySteady *steady);   /* what a period changes, as `tolerance` */
gboolean hy_steady_is_exact(const HySteady *steady); /* no differences */
guint hy_steady_n(const HySteady *steady);           /* states */
char *hy_steady_state(const HySteady *steady, guint state); /* its path */
/* At the start of the experiment, and every period later. */
double hy_steady_value(const HySteady *steady, guint state);
/* d (a period later)/d (now), by rows, [n][n]; the steady state's own. */
const double *hy_steady_monodromy(const HySteady *steady);
/* Eigenvalues of that, the largest first. */
void hy_steady_multiplier(const HySteady *steady, guint k, double *real, double *imaginary);
/* What they mean: "settles to 1 % in 12 periods". */
char *hy_steady_verdict(const HySteady *steady);

/* Outputs: what the experiment and the options of the load record, or else all states. Over a
 * period: the mean, the root of the mean square, and the amplitude and phase (of a cosine, in
 * radians, from the start of the experiment) of harmonic K, 1 ... FALSE: there are no such ones. */
guint hy_steady_n_outputs(const HySteady *steady);
const char *hy_steady_output(const HySteady *steady, guint output);
double hy_steady_mean(const HySteady *steady, guint output);
double hy_steady_rms(const HySteady *steady, guint output);
gboolean hy_steady_harmonic(const HySteady *steady, guint output, guint k, double *amplitude,
                            double *phase);

/* What `hydevs steady` prints, appended to OUT. */
void hy_steady_text(const HySteady *steady, GString *out);
void hy_steady_json(const HySteady *steady, GString *out);

/* RUN, of the same model, begins there when it is initialised. */
void hy_run_from_steady(HyRun *run, const HySteady *steady);

/* Before RUN begins: the value of each measure of it that has a steady(...), by the steady state of
 * the model and a run of one period from there. Where there is none the measure has no value, and
 * says why. SETTINGS: as for hy_steady_new(). FALSE: the search was interrupted. */
gboolean hy_run_measure_steady_sized(HyRun *run, const HySteadySettings *settings, gsize size,
                                     GError **error);
static inline gboolean hy_run_measure_steady(HyRun *run, const HySteadySettings *settings,
                                             GError **error)
{
  return hy_run_measure_steady_sized(run, settings, sizeof(HySteadySettings), error);
}

#pragma GCC visibility pop
G_END_DECLS
#endif
