/* The inside of a steady state, for the files of this room. */
#ifndef HYDEVS_ANALYSES_STEADY_INTERNAL_H
#define HYDEVS_ANALYSES_STEADY_INTERNAL_H

#include "hydevs/steady.h"

#include "lap.h"

#include <complex.h>

/* What is read of a simulation: an output port, or a state. */
typedef struct {
  char *path;
  guint slot;
  double mean, rms;
  double complex *harmonic; /* [harmonics]: amplitude e^(i phase) */
} HySteadyOutput;

struct HySteady {
  const HyLoaded *loaded;
  HySteadySettings set;
  const char *method; /* of all states */
  HySim *sim;         /* of the last period */
  HyLap *lap;         /* that period */
  double t0, from;    /* of the experiment; whole periods later, where periods begin that are run */
  double period;
  guint periods, newton;
  guint beside; /* of the periods: for differences */
  guint n;
  guint *atomic;     /* [n]: of the states */
  double *x, *after; /* [n]: now and a period later */
  double *size;      /* [n]: the largest that each has been in the last period */
  double *start;     /* [atomics]: x for hy_sim_start_at() */
  guint8 *mode;      /* [n_modes]: what owned modes are, now; NULL: none are */
  guint n_modes;
  gboolean exact;             /* PHI is no difference */
  char *why;                  /* it is not, because; NULL */
  double *phi;                /* [n][n] */
  double complex *multiplier; /* [n] */
  double residual;
  gboolean turned;   /* the last period has ended with other modes than it began */
  guint lost;        /* periods in which nothing drew a state back */
  guint together;    /* events in the period that come together and are not one */
  GArray *output;    /* HySteadyOutput */
  guint8 *measured;  /* [atomics], while outputs are looked for: what is none */
  GArray *modulator; /* HyModulator; their duties are watched behind the outputs */
};

/* SIM becomes a new simulation of the model, its outputs watched, as one exact block. */
HySim *hy_steady_sim(const HySteady *s, const HyLoaded *loaded, GError **error);
/* From X and the modes as they are, a period on SIM. */
gboolean hy_steady_lap(HySteady *s, HySim *sim, HyLap *lap, GError **error);
/* Outputs: named, before the first run; and computed, after the last. */
gboolean hy_steady_find_outputs(HySteady *s, GError **error);
gboolean hy_steady_integrate(HySteady *s, GError **error);
/* PART of WHAT (HySteadyStage) is done. FALSE: nobody waits any more. */
gboolean hy_steady_goes_on(const HySteady *s, const char *what, double part, GError **error);

#endif
