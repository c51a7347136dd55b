/* The search for the parameters of the best run. It knows no model: somebody runs one and says how
 * good it is. */
#ifndef HYDEVS_SWEEPS_OPTIMISER_H
#define HYDEVS_SWEEPS_OPTIMISER_H

#include <glib.h>

/* bobyqa  follows a quadratic model of what it has seen (M. Powell 2009); from a start
 * cobyla  linear models (M. Powell 1994); from a start, within limits of what runs tell
 * direct  divides the whole box (D. Jones, C. Perttunen, B. Stuckman 1993), then cobyla
 * crs2    a controlled random search in it (W. Price 1983, P. Kaelo, M. Ali 2006), then cobyla */
#define HY_OPTIMISERS "bobyqa, cobyla, direct or crs2"

/* One parameter: where it may be, where the search begins; LOG: its logarithm is what steps are
 * made in. */
typedef struct {
  double low, high, start;
  gboolean log;
} HySpan;

/* A run with parameters X: its *VALUE, which is to become small, and how far each limit is exceeded
 * (below 0: it is kept). HY_TRIED_FAILED: it has none. */
typedef enum { HY_TRIED, HY_TRIED_FAILED, HY_TRIED_STOP } HyTried;
typedef HyTried (*HySearched)(gpointer user, const double *x, double *value, double *beyond);

typedef struct {
  const char *method; /* one of HY_OPTIMISERS; NULL: cobyla with limits or for one parameter, else
                         bobyqa */
  guint n, n_limits;
  const HySpan *range; /* [n] */
  guint64 most;        /* runs */
  double step;         /* of the ranges: done when steps are below it */
  guint64 seed;        /* of crs2 */
  HySearched try;
  gpointer user;
} HySearch;

typedef struct {
  guint64 runs, failed, beyond; /* beyond: so many have ended and exceed a limit */
  guint64 best;                 /* the run; G_MAXUINT64: none has ended within the limits */
  double value;
  const char *method, *why; /* what ended the search */
} HyFound;

/* FALSE: there is no such search; HY_ERROR_USAGE. A run that fails is worse than all that have not;
 * the first one, from the start, must not fail (HY_ERROR_RUN). */
gboolean hy_search(const HySearch *search, HyFound *found, GError **error);

#endif
