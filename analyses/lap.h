/* One period of a run, once round: where it has led to, and if an exact block has solved it, the
 * stretches between events with all that holds in them. */
#ifndef HYDEVS_ANALYSES_LAP_H
#define HYDEVS_ANALYSES_LAP_H

#include "groups/exact.h"
#include "modulator.h"
#include "numerics/orbit.h"
#include "sim/engine.h"

/* A step of the block as it was used. */
typedef struct {
  double base, tau;
  const HyModal *modal; /* of the lap */
  double *x0, *u;       /* [n], [n][HY_MODAL_LANES] */
  double *by;           /* [n][n_inputs] */
  double *drive;
  HySines sines; /* of its own; none: n is 0 */
  int lanes;     /* of U that count */
  guint8 *was;
  HyPiece *assumed;
  gboolean event;    /* a crossing has ended it: */
  guint crossing;    /* which, */
  gboolean edge;     /* or that of a modulator, whose duty is watched under that number; */
  guint together;    /* how many at that instant, */
  gboolean parallel; /* and whether all of them say the same of when it comes */
  double *gradient, slope;
} HyLapPiece;

/* What a lap may take, and who hears how far it is. */
typedef struct {
  guint64 events; /* 0: any number */
  gsize bytes;    /* of pieces; 0: any number */
  /* PART of it, 0 .. 1, is over after so many EVENTS. FALSE: enough, and ERROR is set. NULL: nobody
   * asks. */
  gboolean (*goes_on)(gpointer user, double part, guint64 events, GError **error);
  gpointer user;
} HyLapLimits;

typedef struct {
  HyLapLimits limits;
  gboolean forgets;           /* nobody wants its pieces */
  gsize bytes;                /* of them */
  const GArray *modulators;   /* HyModulator, the caller's; NULL: none */
  guint n, n_inputs, n_flags; /* 0: no exact block */
  double from, to;
  gboolean exact;
  GPtrArray *pieces; /* HyLapPiece */
  GPtrArray *modals; /* HyModal */
} HyLap;

HyLap *hy_lap_new(void);
void hy_lap_free(HyLap *lap); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyLap, hy_lap_free)

/* SIM, which has been initialised, runs to TO, all events there included. */
gboolean hy_lap_run(HyLap *lap, HySim *sim, double to, GError **error);

/* So that its own limits and those of BESIDE are the same. */
static inline void hy_lap_limit(HyLap *lap, const HyLap *beside)
{
  lap->limits = beside->limits;
}

static inline HyLapPiece *hy_lap_piece(const HyLap *lap, guint k)
{
  return g_ptr_array_index(lap->pieces, k);
}

/* The same for numerics/orbit.h, newly allocated; good as long as the lap. */
HyStretch *hy_lap_stretches(const HyLap *lap);
/* The motion of a piece; good as long as it, and until the next call for it. */
HyMotion hy_lap_motion(HyLapPiece *piece);
/* The states, [n], at S in a piece. */
void hy_lap_at(HyLapPiece *piece, double s, double *x);
/* z of what has ended a piece, near its end: by the simulation SIM, as hy_exact_crossing(). */
void hy_lap_ending(const HyLap *lap, const HySim *sim, HyLapPiece *piece, double *line);
/* LINE, [n + n_inputs + 1], at X and the inputs at S in a piece, by the simulation SIM. */
double hy_lap_line(const HyLap *lap, const HySim *sim, const HyLapPiece *piece, const double *line,
                   const double *x, double s);

#endif
