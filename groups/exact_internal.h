/* The inside of an exact block, for classic_exact.c and exact_asked.c. */
#ifndef HYDEVS_GROUPS_EXACT_INTERNAL_H
#define HYDEVS_GROUPS_EXACT_INTERNAL_H

#include "bends.h"
#include "classic_internal.h"
#include "lazy.h"

#include "numerics/modal.h"

#define HY_NO_SINE G_MAXUINT

#define LAST 4 /* configurations that came next, remembered by each */

/* What the equations are while no mode turns. */
typedef struct Configuration Configuration;
struct Configuration {
  HyModal modal;
  guint8 *modes;             /* as they were assumed */
  Configuration *then[LAST]; /* those that came next */
  guint turn;                /* where the next one of them is put */
  double doubt;              /* per second: what is lost of slow states */
  double *by;                /* [n][inputs]: B */
  double *rest;              /* [n]: b */
  /* Of each crossing that the group owns, and behind them of each meeting from above and from
   * below: z = c x + d u + e, and c V. */
  double *line;     /* [lines][n + inputs + 1] */
  double *weight;   /* [lines][2 n] */
  guint32 *first;   /* [lines + 1]: of each line in */
  guint32 *term;    /* places of its numbers that are not 0, 1 left out; none of those that bend */
  HyBentRow **bent; /* [lines]: of those that bend; else NULL */
  gsize lines;
  GPtrArray *asked; /* [m]: lines of readings (exact_asked.c); NULL: none has been asked for */
  guint n_spoken;   /* so many of the first ones are known */
  guint8 *reads;    /* of those that are spoken, without lines: one of HyExactAsked.reads */
};

#define READS 256

/* What is asked of it at an instant; written by exact_asked.c. */
typedef struct {
  double t, s; /* the instant, and since BASE; NaN: none */
  guint64 steps, words;
  gboolean inputs_known, stands; /* those in AT; modes are those of the step */
  double *at;                    /* [n + inputs + 1]: x, u, 1 */
  double *value, *slope;         /* likewise, and x', u', 0: working memory */
  guint8 *used;                  /* [inputs + 1]: lines are made of it */
  double complex *turned;        /* [sines]: e^(j w s) at the instant, */
  double complex *begin;         /* and e^(j w t) at */
  double begun;                  /* that t, of a step */
  guint8 *bends;                 /* [m]: a reading that is no sum */
  GHashTable *wavy;              /* as below, of readings; NULL: the row is none */
  Two *hub;                      /* [hubs][n + inputs + 1], in the modes */
  guint8 *hub_is;                /* [hubs]: whether it is known */
  const Configuration *hubs_of;
  gsize bytes; /* of lines */
  /* By a hash of the modes: what is read by rows, and what by lines, follows from what has been,
   * and differs by roundings. So it is a part of the state, whichever configurations are still
   * there. */
  guint8 reads[READS];
} HyExactAsked;

/* An input from BASE on: a polynomial, and beside it a sine or NO_SINE. */
typedef struct {
  double c[HY_MODAL_LANES];
  int lanes; /* that count */
  guint sine;
  double complex wave; /* Re(wave e^(j w s)) */
} HyExactInput;

typedef struct {
  GHashTable *known; /* GBytes, the modes -> Configuration */
  gsize bytes;       /* of one of them */
  Configuration *now;
  HyMotion motion; /* since BASE */
  int lanes;       /* of its inputs */
  double base;
  double *x0, *u, *drive; /* of MOTION */
  double *rate, *most;    /* likewise, hy_motion_most() up to */
  double far;             /* this; below 0: not known yet */
  HySines sines;          /* likewise; by their frequencies: */
  GHashTable *wavy;       /* GUINT_TO_POINTER(row) -> HyWavyRow */
  guint8 *bent;           /* [hubs]: what is made of it bends */
  guint inputs; /* the outer slots, and where there are wavy rows sin and cos of each sine */
  guint *sine;  /* [n_outer]: which of them an input belongs to; NO_SINE */
  double *turn;
  HyExactInput *input;            /* [inputs]: as they were assumed in the step that stands, */
  guint8 *input_known;            /* [inputs]: those that anybody has asked for */
  double complex *wave, *watched; /* [n][sines]; [sines]: of the inputs, of a line */
  double *row;                    /* [n + hubs][n + inputs + 1]: working memory */
  double *a;                      /* [n][n]: likewise */
  guint32 *term;                  /* [n + inputs]: likewise */
  double *line;                   /* [n + n_outer]: likewise */
  double complex *looks;          /* [2 (n + sines)]: likewise */
  HyBend *bend;                   /* [n + m]: of the piece that is tried, of what somebody hears */
  double *allowed;                /* [n + m]: its tolerances, likewise */
  double length;                  /* of the piece that was published last */
  double doubt, lost; /* of the step that stands; of the states, by all steps before it */
  HyLazy lazy;
  HyExactAsked asked;
} Exact;

/* Numbers of a row: by members, by inputs, and the rest. */
static inline gsize exact_width(const HyClassic *g, const Exact *e)
{
  return (gsize)g->n + e->inputs + 1;
}

/* exact_asked.c: HyStepper.look, ask and read. */
const double *hy_exact_look(HyClassic *g, double t);
gboolean hy_exact_read(HyClassic *g, double t, double *y, double *dy);
gboolean hy_exact_ask(HyClassic *g, const HyReading *r, double t, double *y);
void hy_exact_asked_init(const HyClassic *g, Exact *e);
void hy_exact_asked_clear(Exact *e);
/* In the modes as they were assumed: what the rows of the members are beyond E->a, [n][n], as far
 * as that is known; else 0. */
void hy_exact_lost(HyClassic *g, Exact *e, double *lost);
/* All configurations are forgotten. */
void hy_exact_asked_forget(Exact *e);

#endif
