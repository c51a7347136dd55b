/* x' = A x + u(s), solved exactly by the modes of A, u being a polynomial in the time s since the
 * start. Between two events a switched circuit is such a system: no step size, no error but
 * rounding.
 *
 *   A = V diag(l) W,  W = V^-1,  y = W x,  y_k' = l_k y_k + w_k(s),  w = W u
 *
 * Rates that lie so near to each other that they have no vectors of their own are a cluster, y_c' =
 * T_cc y_c + w_c with an upper triangle T_cc (spectrum.h, modal_clusters.c).
 *
 * All times are local to the motion: rates of 1e13 have instants that a time since the start of a
 * run could not tell apart. */
#ifndef HYDEVS_NUMERICS_MODAL_H
#define HYDEVS_NUMERICS_MODAL_H

#include "eigen.h"
#include "enclosure.h"
#include "spectrum.h"

#include <stdbool.h>
#include <stddef.h>

#define HY_MODAL_LANES 4 /* coefficients of an input */

#define HY_CLUSTER_MOST 64 /* modes */

/* A real mode is one number, any other two: those of all modes stand one behind the other. */
typedef struct {
  int n, modes;         /* of two conjugates one is kept */
  int wide;             /* numbers of all modes: 2 n at most */
  int clusters;         /* of more modes than one */
  int *at;              /* [modes + 1]: the place of those of each mode */
  int *first, *end;     /* [modes]: of the cluster it belongs to, alone as a rule */
  int *counts;          /* [modes]: 2 where a conjugate is left out, else 1 */
  double *a;            /* [n][n], by rows */
  double complex *rate; /* [modes]: l */
  double complex *time; /* [modes]: 1/l, or 0 */
  double complex *t;    /* [n][n]: T_cc, of modes; what is outside clusters is not written */
  double *speed; /* [modes]: the largest |Re l| + |Im l| of its cluster; the fastest stand first */
  double *from;  /* [wide][n]: x = y from; the conjugate counts, too */
  double *to;    /* [n][wide]: y = x to */
  double growth; /* the largest Re l, or 0 */
  double condition; /* |V| |W| in balanced units: what rounding is multiplied by */
} HyModal;

/* Of numbers, a place for M; A is copied. False: A is not finite, or has no modes. */
size_t hy_modal_room(int n); /* of double complex */
bool hy_modal_init(HyModal *m, int n, const double *a, double complex *room);
/* Likewise, of A and what it has LOST (spectrum.h). */
bool hy_modal_init_exactly(HyModal *m, int n, const double *a, HySpectrumLost *lost, void *user,
                           double complex *room);

/* How wrong the rate of a mode may be, per second, where each element of A is wrong by UNIT of
 * itself and the rate by more than SHARE of itself: the largest of all modes, 0 if there is none. A
 * slow mode is lost there that is the difference of fast rates, as the one of two states that hold
 * each other; not that of a circuit whose fast rows have little part in it. */
double hy_modal_doubt(const HyModal *m, double unit, double share);

/* Sines among the inputs of a motion: u has Re(wave e^(j turn s)) beside its polynomials. All
 * arrays are the caller's, as long as the motion is used. */
typedef struct {
  int n;                      /* of different rates */
  const double *turn;         /* [n]: w, in radians */
  const double complex *wave; /* [states][n] */
  /* Written by hy_motion_add_sines(): */
  double complex *follow; /* [states][n]: x has Re(follow (e^(j turn s) - 1)) beside its modes */
  double complex *near;   /* [modes][n]: j turn p of modes that are as fast as the sine; else 0 */
  bool meets;             /* there are such modes */
  double complex *turned; /* [n]: e^(j turn s) - 1 where x was asked for last; NULL: no matter */
} HySines;

/* One motion of it, from x(0). */
typedef struct {
  const HyModal *modal;
  int lanes;            /* of the inputs */
  const double *x0, *u; /* [n]; [n][HY_MODAL_LANES]; the caller's, as long as the motion is used */
  double *drive;        /* [lanes][wide]: y'(0), then w_1 ... */
  HySines *sines;       /* NULL: there are none */
} HyMotion;

/* LANES of the inputs, 1 at least: behind them all are 0. DRIVE: [LANES][2 n]. */
void hy_motion_init(HyMotion *m, const HyModal *modal, int lanes, const double *x0, const double *u,
                    double *drive);
/* After that, once: SINES are inputs, too. */
void hy_motion_add_sines(HyMotion *m, HySines *sines);
/* It stays within the numbers up to S, as is seen without going there. */
bool hy_motion_is_tame(const HyMotion *m, double s);
/* X [n] and its derivative DX, which may be NULL, at S >= 0. */
void hy_motion_at(const HyMotion *m, double s, double *x, double *dx);
/* y(s) - y(0) of mode K, and y'(s). */
double complex hy_motion_mode(const HyMotion *m, int k, double s, double complex *rate);
/* How far a state can be taken by mode K, whose y' is RATE, if that only swings and decays. */
double hy_modal_reach(const HyModal *m, int k, double complex rate, int state);
/* That is more than FAR. */
bool hy_modal_reaches(const HyModal *m, int k, double complex rate, int state, double far);

/* What is watched along a motion: z(s) = c x(s) + d(s). */
typedef struct {
  double z0, d[HY_MODAL_LANES]; /* z(0); d without d(0), which is in z0 */
  const double *weight;         /* [wide]: c V */
  const double complex *wave;   /* [sines]: z has Re(wave (e^(j turn s) - 1)), too */
} HyMotionLine;

/* WEIGHT becomes c V: the same for all motions. */
void hy_modal_weigh(const HyModal *m, const double *c, double *weight);
/* D are coefficients. Where there are sines, WAVE [sines] is what d has of each, d(0) being with
 * them, and becomes what z has of it. */
HyMotionLine hy_motion_line(const HyMotion *m, const double *c, const double *d,
                            const double *weight, double complex *wave);

/* Up to UNTIL each number of the modes is nearer to 0 + RATE s than MOST; both [wide]. */
void hy_motion_most(const HyMotion *m, double until, double *rate, double *most);
/* By that alone such a line stays above 0 up to UNTIL. */
bool hy_motion_stays(const HyMotion *m, const HyMotionLine *line, double until, const double *rate,
                     const double *most);

#define HY_WATCH_TERMS 20 /* of clusters all of them */

/* Such a line up to UNTIL: z(s) = p(s) + sum over what is fast of Re(eta (e^(l s) - 1)), where p
 * has what polynomials force and the Taylor series of what is slow: of modes, and of what follows a
 * sine, which is as a mode of rate j w. Modes that are as fast as a sine are none of these. */
typedef struct {
  const HyMotion *motion;
  const double *weight;
  const double complex *wave;
  double until;
  int fast;            /* modes that no series is made of: the first ones */
  double complex *eta; /* [modes + sines], of the fast ones */
  double complex
      *now;     /* [modes + sines]: eta e^(l s) at the last look; of slow ones terms of series */
  double ratio; /* |l| until of the slow ones: 1 at most */
  double size;  /* of the first terms of their series */
  int terms;    /* of p, so far */
  double rest;  /* |those behind them| at UNTIL */
  double p[HY_WATCH_TERMS];
} HyWatch;

/* WORK is [2 (modes + sines)], as long as W is used. */
void hy_watch_init(HyWatch *w, const HyMotion *m, const HyMotionLine *line, double until,
                   double complex *work);
double hy_watch_at(HyWatch *w, double s, double *slope);
/* The first s in FROM .. UNTIL, which is that of W or less, at which z, above *LEVEL before, is not
 * so any more: INFINITY if there is none up to *SAFE, which is UNTIL unless that would take too
 * many looks. At FROM z may be at *LEVEL, or wrong by rounding, while it rises; else that is the
 * answer. A *LEVEL below 0 becomes 0 as soon as z is seen to be above RIGHT, and then stays so. */
double hy_watch_falls(HyWatch *w, double *level, double right, double from, double until,
                      double *safe);

/* z from S on, for H at most. Fast modes of which each gives and takes no more than their share of
 * MOST (INFINITY: all that cannot grow) are a part of c[0], all others are followed. H = 0: z and
 * z' as they are. */
void hy_watch_between(HyWatch *w, double s, double h, double most, HyEnclosure *e);
/* MOST makes a difference. */
bool hy_watch_has_fast(const HyWatch *w);

/* modal_bends.c: a function of N such lines along one motion, z = f(lines) + REST + SLOPE s, by
 * what it makes of bounds for H. Arrays are the caller's. */
typedef HyEnclosure HyBentValue(const void *of, const HyEnclosure *line, double h);
typedef struct {
  int n;
  HyWatch *line; /* [n] */
  HyBentValue *value;
  const void *of;
  double rest, slope;
  HyEnclosure *now; /* [n]: working memory */
  double *share;    /* [n]: likewise */
} HyBentWatch;

double hy_bent_at(HyBentWatch *b, double s, double *slope);
/* As hy_watch_falls(). */
double hy_bent_falls(HyBentWatch *b, double *level, double right, double from, double until,
                     double *safe);

/* modal_clusters.c: SIZE modes of a cluster, T by rows of WIDE. */
typedef struct {
  int size, wide;
  const double complex *t;
} HyCluster;

HyCluster hy_cluster(const HyModal *m, int first);
/* OUT_k [size] becomes s^k phi_k(T s) V for k = 0 .. LAST, one behind the other. */
void hy_cluster_phi(const HyCluster *c, double s, int last, const double complex *v,
                    double complex *out);
/* V becomes (T - l_I) V: of these products the bounds of motions are made. */
void hy_cluster_next(const HyCluster *c, int i, double complex *v);
/* V becomes T V; T^-1 V. */
void hy_cluster_times(const HyCluster *c, double complex *v);
void hy_cluster_solve(const HyCluster *c, double complex *y);
/* MOVED and SLOPE: y(s) - y(0) and y'(s) of the cluster from FIRST on. */
void hy_cluster_at(const HyMotion *m, int first, double s, double complex *moved,
                   double complex *slope);

/* modal_sines.c, for the other two. What sines add to X and, unless it is NULL, DX at S. */
void hy_sines_at(const HySines *sines, int states, double s, double *x, double *dx);
/* What sines as fast as mode K add to y(s) - y(0) and y'(s). */
void hy_sines_mode(const HyMotion *m, int k, double s, double complex *moved, double complex *rate);
/* What sines as fast as a cluster add to MOVED and SLOPE. */
void hy_sines_cluster(const HyMotion *m, int first, double s, double complex *moved,
                      double complex *slope);
/* WAVE of d becomes that of z. */
void hy_sines_line(const HySines *sines, int states, const double *c, double complex *wave);
/* Some sine is as fast as mode K. */
bool hy_sines_meet(const HyMotion *m, int k);
/* What such sines add to the slope of its input at S, and to the slope of that, which keeps its
 * size. */
double complex hy_sines_near(const HyMotion *m, int k, double s, double complex *next);

/* phi_0 ... phi_k of Z, phi_0 = e^z, phi_(j+1) = (phi_j - 1/j!)/z. */
void hy_phi(double complex z, int k, double complex *phi);

#endif
