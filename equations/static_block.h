/* The inside of the atomic behind every static class, for the engine that runs such blocks without
 * messages (fast-engine/fused.c). */
#ifndef HYDEVS_EQUATIONS_STATIC_BLOCK_H
#define HYDEVS_EQUATIONS_STATIC_BLOCK_H

#include "expr/modes.h"
#include "numerics/validity.h"
#include "room.h"

#include <math.h>
#include <string.h>

typedef enum { HY_FINE, HY_NOT_FINITE, HY_NOT_A_SIGNAL } HyStaticFault;

/* Of an input: there, not there yet, or not there yet and deciding modes only. The last kind is not
 * waited for, else a diode and the current that it reads would wait for each other: it is 0, and
 * the modes start anew when all of it is there. */
typedef enum { HY_ARRIVED, HY_EXPECTED, HY_UNDECIDED } HyArrival;

struct HyStaticState {
  /* State. */
  double tn;       /* NaN: there is a fault */
  HyPiece *in;     /* [n_in] */
  guint8 *arrival; /* [n_in] */
  guint missing;   /* inputs that are expected; of an idle block (listeners.c) one too many */
  guint undecided; /* inputs that are undecided */
  guint port;      /* the output whose turn it is */
  gboolean fresh;  /* an input has changed since the last evaluation */
  HyModes *modes;  /* NULL: none */
  HyPiece *said;   /* [n_out]: the last words; t NaN: none */
  double wrong;    /* since when the result is not finite; NaN: it is */
  HyStaticFault fault;
  guint fault_port;
  double until; /* what was said of a nonlinear function holds until then */
  HyValidity validity;
  /* Working memory of lambda. */
  HyReg *reg;
  double *first;   /* the register of the first output */
  gboolean simple; /* there is no other, and no modes */
  gboolean bad;
  double foreseen; /* the time for which the result holds, by its coefficients */
  HyPiece *sides;  /* [2 n_modes]: the crossing expressions; NULL: they are exact */
  /* What stays. */
  gboolean exact; /* of KIND */
  guint order;    /* coefficients of what is said */
  double rel, min;
  const HyKind *kind;
  const HyProgram *program; /* of KIND */
  HyRoom *room;             /* NULL: nobody asks */
  guint atomic;             /* its number in ROOM */
  HyKinds *kinds;           /* without a room: those of this block alone */
  const HyAtomicClass *klass;
  const double **constant; /* [n_in]: into NUMBER, or NULL */
  double *number;          /* [n_in] */
};

/* Coefficients from the order of the model on are zero everywhere. */
static inline gboolean hy_static_finite(const double *c)
{
  return 0.0 * c[0] + 0.0 * c[1] + 0.0 * c[2] + 0.0 * c[3] == 0.0;
}

/* C is a constant, and the last words were the same. */
static inline gboolean hy_static_is_said(const double *c, const HyPiece *said)
{
  return c[1] == 0.0 && c[0] == said->c[0] && c[2] == 0.0 && c[3] == 0.0 && said->c[1] == 0.0 &&
         said->c[2] == 0.0 && said->c[3] == 0.0 && !isnan(said->t);
}

/* For how long the piece C of a nonlinear function holds. */
static inline double hy_static_foresee(const struct HyStaticState *own, const double *c)
{
  return own->order == 4 ? NAN
                         : hy_validity_foresee(c[own->order], (int)own->order,
                                               hy_validity_tolerance(own->rel, own->min, c[0]));
}

/* The coefficient that foresees is no part of what is said. */
static inline void hy_static_cut(struct HyStaticState *own)
{
  if (!own->exact) {
    own->foreseen = hy_static_foresee(own, own->first);
    if (own->order < 4) {
      own->first[own->order] = 0.0;
    }
  }
}

/* TRUE: the one output of a block without modes is finite. */
static inline gboolean hy_static_evaluate(struct HyStaticState *own, double t)
{
  own->bad = FALSE;
  hy_program_evaluate(own->program, own->in, t, own->reg, NULL);
  hy_static_cut(own);
  const double *c = own->first;
  return isfinite(c[0] + c[1] + (c[2] + c[3])); /* else the sum may just be too large */
}

/* A payload is a number, C then, or it is no signal: FALSE. */
gboolean hy_static_number(GVariant *payload, double *c);

/* A new piece of input K. TRUE: the block is due now. */
static inline gboolean hy_static_take(struct HyStaticState *own, guint k, double t, const double *c)
{
  HyPiece *in = &own->in[k];
  memcpy(in->c, c, sizeof in->c);
  in->t = t;
  if (G_UNLIKELY(own->arrival[k] != HY_ARRIVED)) {
    *(own->arrival[k] == HY_EXPECTED ? &own->missing : &own->undecided) -= 1;
    own->arrival[k] = HY_ARRIVED;
  }
  own->fresh = TRUE;
  own->port = 0;
  return own->missing == 0;
}

/* Until when the piece of T holds, where that must be looked at. */
double hy_static_look(struct HyStaticState *own, double t);

/* Whether it need not: what the coefficients say is all there is to say, or it is what they said
 * the last time, and that has been looked at. */
static inline gboolean hy_static_believes(const struct HyStaticState *own, double t)
{
  return own->kind->whole ? !isnan(own->foreseen)
                          : t < own->until && hy_validity_believes(&own->validity, own->foreseen);
}

static inline double hy_static_until(struct HyStaticState *own, double t)
{
  double s = own->foreseen;
  return hy_validity_until(t, own->kind->whole ? s : hy_validity_believed(&own->validity, s));
}

/* A simple block has been evaluated. SPEAKS: it has said so; else its last words stay, of which the
 * result may differ in the sign of a zero. */
static inline void hy_static_said(struct HyStaticState *own, double t, gboolean speaks)
{
  own->fresh = FALSE;
  own->wrong = NAN;
  if (G_LIKELY(speaks)) {
    memcpy(own->said->c, own->first, sizeof own->said->c);
    own->said->t = t;
  }
  own->tn = INFINITY;
}

#endif
