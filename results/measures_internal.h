/* The inside of the measures of a run, for the files that share its work: measures.c (life, what
 * they are), measures_hear.c (what is heard, and when), measures_curve.c (what a signal or formula
 * was from one instant to another), measures_take.c (what each measure makes of that). */
#ifndef HY_MEASURES_INTERNAL_H
#define HY_MEASURES_INTERNAL_H

#include "column_watch.h"
#include "measures.h"
#include "numerics/panel.h"
#include "numerics/two.h"

#include <math.h>

#define HY_PATIENCE 128U /* panels that one may become */

/* A port or state. */
typedef struct {
  HyColumn is;   /* with texts of its own */
  gboolean time; /* it is the time itself */
  gboolean alone;
  gboolean may_read; /* a group may answer for it (hy_sim_reading()) */
  gboolean is_sine;  /* what it says is this: */
  HySine sine;
  double fastest;   /* sine in what is asked, in radians a second; NaN: not known yet */
  gboolean numeric; /* it has said a number: */
  double tl, c[4];
  double at, now; /* what it is at an instant that was asked for */
} HyMeasured;

/* The formula of signals that terms are of. */
typedef struct {
  const HyMeasureTerm *of;  /* one of those */
  char *key;                /* equal ones have equal keys */
  guint *signal;            /* [of->refs->n] */
  gboolean plain;           /* it is one signal, */
  gboolean asks;            /* or some of its signals may be asked */
  gboolean events;          /* it is one signal that is made of events */
  GArray *taker;            /* guint: terms that are of it */
  double t;                 /* it is known up to there */
  double size;              /* the largest that it has been */
  double missed;            /* the integral of what panels have missed, at most about, */
  double worst;             /* and the most that one has */
  guint patience, left;     /* panels that one may become, and how many are left of them */
  double y[HY_PANEL_NODES]; /* of the panel at hand */
} HyMeasuredCurve;

/* What a term has heard. */
typedef struct {
  const HyMeasureTerm *is;
  guint curve;
  double from, to;             /* of the window; infinite ones are those of the run */
  gboolean events;             /* of a signal of events, which are counted as such */
  gboolean ends;               /* the window is the last seconds of the run */
  Two sum;                     /* of the integral of x, or of x^2 */
  Two square, cosine, sine;    /* of x, beside that: of thd */
  struct HySettling *settling; /* of settle; else NULL */
  double covered;              /* seconds */
  double least, most;
  double value;       /* of at and final */
  double first, last; /* of a comparison: when it has come to hold, and when it held last */
  double count;
  double size;     /* the largest |x| */
  int holds;       /* -1: nobody knows yet */
  double hole;     /* the first instant at which x was no number, after it was one; NaN: none */
  gboolean known;  /* it has been a number */
  double given;    /* of a steady one: what somebody else has found, */
  char *given_why; /* and why it has not; NULL: nobody has */
} HyTaker;

typedef struct {
  HyMeasureText *text;
  guint first; /* its first term among all */
  char *why;
} HyMeasure;

struct HyMeasures {
  const HySim *sim;
  double t0, tf;
  GArray *measure; /* HyMeasure */
  GArray *signal;  /* HyMeasured */
  GArray *curve;   /* HyMeasuredCurve */
  GArray *taker;   /* HyTaker */
  GArray *watch;   /* HyColumnWatch, by atomic once SORTED */
  guint *first;    /* [n_atomics + 1] */
  guint n_atomics;
  guint8 *watched; /* [n_watched] */
  guint n_watched;
  HyTrace next;
  guint *active;   /* curves that a panel is made of: room for as many as there are, by depth */
  double *ref;     /* values of references */
  double asked;    /* curves that ask are known up to there */
  double heard;    /* the last instant; -INFINITY: none */
  gboolean looked; /* whom to ask is known */
  gboolean back;   /* time has gone back: another run */
  double end;      /* of the run; NaN: it is not over */
  gboolean whole;  /* it has not been cut off */
};

static inline HyMeasured *hy_measured(const HyMeasures *m, guint k)
{
  return &g_array_index(m->signal, HyMeasured, k);
}

static inline HyMeasuredCurve *hy_measured_curve(const HyMeasures *m, guint k)
{
  return &g_array_index(m->curve, HyMeasuredCurve, k);
}

static inline HyTaker *hy_taker(const HyMeasures *m, guint k)
{
  return &g_array_index(m->taker, HyTaker, k);
}

/* measures_curve.c */
/* Once the run has begun: who may be asked, and what is a sine. */
void hy_curves_look(HyMeasures *m);
/* All that ask, from where they are known to T; nothing at T has happened yet. */
void hy_curves_ask(HyMeasures *m, double t);
/* One that does not: its signals are about to speak. */
void hy_curve_advance(HyMeasures *m, HyMeasuredCurve *c, double t);
/* What it is now, at T. */
double hy_curve_at(HyMeasures *m, const HyMeasuredCurve *c, double t);

/* measures_take.c */
void hy_taker_begin(HyTaker *k, double t0, double tf);
void hy_taker_clear(HyTaker *k);
/* The last seconds of the run that its window is; NaN: it is none of these. */
double hy_term_last(const HyMeasureTerm *is);
/* X is within its window. SIZE: the largest that the signal has been. */
void hy_taker_panel(HyTaker *k, const HyPanel *x, double size);
/* From then to then x is no number. */
void hy_taker_nothing(HyTaker *k, double from);
/* A single value at T: an event, or what it is at the end of the window or run. */
void hy_taker_event(HyTaker *k, double t, double v);
void hy_taker_end(HyTaker *k, double t, double v);
/* NaN: there is none, and *WHY says why, newly allocated; also where the run has not had all of its
 * window. */
double hy_taker_value(const HyTaker *k, const HyMeasures *m, char **why);
static inline gboolean hy_taker_wants(const HyTaker *k, double from, double to)
{
  return k->from < to && k->to > from;
}

/* measures_settle.c: when a signal has come to stay near what it is at the end. */
typedef struct HySettling HySettling;
HySettling *hy_settling_new(void);
void hy_settling_free(HySettling *s); /* NULL is fine */
void hy_settling_panel(HySettling *s, const HyPanel *x);
void hy_settling_end(HySettling *s, double v); /* it is V, the end */
void hy_settling_tape(HySettling *s, HyTape *tape);
/* From when on it is within PART of its way. NaN: there is no way, or nobody knows. */
double hy_settling_time(const HySettling *s, double part);

#endif
