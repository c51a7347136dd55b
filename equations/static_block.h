/* The inside of the atomic behind every static class, for the engine that runs such blocks without
 * messages (fast-engine/fused.c). */
#ifndef HYDEVS_EQUATIONS_STATIC_BLOCK_H
#define HYDEVS_EQUATIONS_STATIC_BLOCK_H

#include "base/fault.h"
#include "effect.h"
#include "expr/modes.h"
#include "numerics/validity.h"
#include "room.h"

#include <math.h>
#include <string.h>

/* Of an input: there, not there yet, or not there yet and deciding modes only. The last kind is not
 * waited for, else a diode and the current that it reads would wait for each other: it is 0, and
 * the modes start anew when all of it is there. */
typedef enum { HY_ARRIVED, HY_EXPECTED, HY_UNDECIDED } HyArrival;

/* Who computes what a block says: the block; a group, when it has begun; a group (readings.h). */
typedef enum { HY_READS_NOT, HY_READS_LATER, HY_READS } HyReads;

/* What init has found out. */
typedef struct {
  const HyProgram *program; /* of KIND, like the next two */
  HyReg *reg;
  double *first;
  HyKindWork *work; /* of KIND, too: no state */
  const HyKind *kind;
  HyRoom *room;  /* NULL: nobody asks, and this block alone has its kind */
  guint atomic;  /* its number in ROOM */
  guint8 order;  /* coefficients of what is said */
  guint8 simple; /* one output and no modes */
  guint8 exact;  /* of KIND */
} HyStaticForm;

typedef struct HyStaticState HyStaticState;

/* How wrong what a nonlinear block says at an output may be, or what decides a mode
 * (static_bound.c). */
typedef struct {
  HyEffect effect;   /* on states, and on others */
  double size;       /* the largest that it was when it was looked at */
  double rounding;   /* how wrong it is by rounding */
  double full, part; /* of |y|, what may be wrong: by its own size, by that of its effect */
  double least;      /* what is smaller may be as wrong as if it were not */
  guint left;        /* evaluations until it is found anew */
  double from, to;   /* or until it is out of these, likewise */
} HyStaticBound;

/* What a nonlinear block has to know to find how long what it says holds. */
typedef struct {
  double rel, min; /* of what it says: dqrel, dqmin */
  HyValidity validity;
  HyStaticBound bound[]; /* [n_out + 2 n_modes] */
} HyStaticInexact;

/* The state: written by dint and dext alone. It lies in one piece with its arrays and modes. */
struct HyStaticState {
  HyStaticForm form;
  double tn;                /* NaN: there is a fault */
  HyPiece *said;            /* [n_out]: the last words; t NaN: none */
  HyFault fault;            /* of the result */
  double until;             /* what was said of a nonlinear function holds until then */
  HyStaticInexact *inexact; /* NULL: it is exact */
  guint missing;   /* inputs that are expected; of an idle block (listeners.c) one too many */
  guint undecided; /* inputs that are undecided */
  guint port;      /* the output whose turn it is */
  guint odd;       /* the port at which something came that is no number; G_MAXUINT: none */
  guint8 fresh;    /* an input has changed since the last evaluation */
  guint8 led;      /* a group decides its modes (owned.h) */
  guint8 held;     /* led, and silent until its group knows its modes; one of MISSING */
  guint8 asks;     /* led, and something has come at an outer input: the group is to judge them */
  guint8 reads;    /* HyReads */
  guint8 woken;    /* led or read, and something has come at an outer input from outside */
  guint8 by_row;   /* or rows do (row_modes.h); UNDECIDED is then 1 until they are known */
  guint32 group;   /* of a block that a group leads or reads: HyMember.group */
  HyReading *reading; /* NULL: nobody asks, or it is none */
  guint8 *arrival;    /* [n_in] */
  guint64 outer;  /* of a block that a group leads or reads: inputs that may jump by themselves */
  guint64 mute;   /* outputs at which it says nothing: nobody hears it (listeners.c) */
  guint64 hushed; /* of a led block: and those that nobody hears when its group has begun */
  HyModes *modes; /* NULL: none; its copy is working memory, of KIND */
  guint64 causes; /* hy_room_causes() when they were decided */
  double (*next)[4]; /* [n_out]: what those after the first will say; NULL: there are none */
  HyPiece in[];      /* [n_in] */
};

/* Coefficients from the order of the model on are zero everywhere. */
static inline gboolean hy_static_finite(const double *c)
{
  return 0.0 * c[0] + 0.0 * c[1] + 0.0 * c[2] + 0.0 * c[3] == 0.0;
}

static inline gboolean hy_static_is_outer(const HyStaticState *own, guint port)
{
  return port < 64 && (own->outer >> port & 1U) != 0;
}

/* What comes in at PORT would decide modes only, and these are decided elsewhere. */
static inline gboolean hy_static_only_decides(const HyStaticState *own, guint port)
{
  return (own->led | own->by_row) && !own->form.kind->feeds[port] && !hy_static_is_outer(own, port);
}

/* So it is, or what the block says is computed elsewhere. */
static inline gboolean hy_static_is_deaf(const HyStaticState *own, guint port)
{
  gboolean decides = (own->led | own->by_row) && !own->form.kind->feeds[port];
  return (decides || own->reads == HY_READS) && !hy_static_is_outer(own, port);
}

/* Those behind the 64th always say what they have. */
static inline gboolean hy_static_is_mute(const HyStaticState *own, guint port)
{
  return port < 64 && (own->mute >> port & 1U) != 0;
}

/* C is a constant, and the last words were the same. */
static inline gboolean hy_static_is_said(const double *c, const HyPiece *said)
{
  return c[1] == 0.0 && c[0] == said->c[0] && c[2] == 0.0 && c[3] == 0.0 && said->c[1] == 0.0 &&
         said->c[2] == 0.0 && said->c[3] == 0.0 && !isnan(said->t);
}

/* How wrong all of them are by rounding, where its inputs are at T. */
void hy_static_round(HyStaticState *own, double t);

/* Output K, or what decides a mode, has been as large as SIZE. */
void hy_static_set_size(HyStaticState *own, guint k, double size);

/* How wrong output K may be, or what decides a mode (k from n_out on), its value being C. */
static inline HyBand hy_static_band(const HyStaticState *own, guint k, double c)
{
  const HyStaticBound *b = &own->inexact->bound[k];
  double full = b->full * fabs(c), part = b->part * fabs(c);
  return (HyBand){.relative = part > b->effect.rest ? part : b->effect.rest,
                  .least = full > b->least ? full : b->least,
                  .effect = b->effect.move};
}

/* After an evaluation at T, part of its transition: finds anew how wrong it may be, where the time
 * for that has come. */
void hy_static_renew(HyStaticState *own, double t);

/* For how long what a nonlinear block has been evaluated to holds, by its coefficients; NaN: they
 * do not say. */
double hy_static_foresee_all(const HyStaticState *own);

/* Y has been evaluated, and what was found still counts. */
static inline gboolean hy_static_is_bounded(const HyStaticBound *b, double y)
{
  return b->left > 0 && y <= b->to && y >= b->from;
}

/* The same for a simple block, evaluated at T. */
static inline double hy_static_foresee(HyStaticState *own, double t)
{
  HyStaticBound *b = own->inexact->bound;
  double beyond = own->form.work->beyond[0], y = fabs(own->form.first[0]);
  if (beyond == 0.0) {
    return INFINITY;
  }
  if (G_LIKELY(hy_static_is_bounded(b, y))) {
    b->left--;
  } else {
    hy_static_renew(own, t);
  }
  HyBand band = hy_static_band(own, 0, y);
  return hy_validity_foresee_band(beyond, (int)own->form.order, &band);
}

/* The coefficient that foresees is no part of what is said. */
static inline void hy_static_cut(const HyStaticState *own)
{
  if (!own->form.exact && own->form.order < 4) {
    own->form.work->beyond[0] = own->form.first[own->form.order];
    own->form.first[own->form.order] = 0.0;
  }
}

/* TRUE: the one output of a block without modes is finite. */
static inline gboolean hy_static_evaluate(const HyStaticState *own, double t)
{
  HyKindWork *work = own->form.work;
  const HyLinked *linked = work->linked[HY_INPUTS_TOGETHER];
  work->bad = FALSE;
  if (G_LIKELY(linked != NULL)) {
    hy_linked_evaluate(linked, own->form.program->number, own->in, t);
  } else {
    hy_program_evaluate(own->form.program, own->in, t, own->form.reg, NULL);
    hy_kind_ran(own->form.kind, HY_INPUTS_TOGETHER);
  }
  hy_static_cut(own);
  const double *c = own->form.first;
  return isfinite(c[0] + c[1] + (c[2] + c[3])); /* else the sum may just be too large */
}

/* The name of an input or output, newly allocated. */
char *hy_static_port_name(const HyPort *ports, guint port);

/* A payload is a number, C then, or it is no signal: FALSE. */
gboolean hy_static_number(GVariant *payload, double *c);

/* A group has begun to decide or compute what the block does not hear of any more: it is not waited
 * for. */
void hy_static_take_deaf(HyStaticState *own);

/* Of a block that a group leads: it is silent until its modes are known, or no more. */
static inline void hy_static_hold(HyStaticState *own, gboolean held)
{
  own->missing += (held != FALSE) - own->held;
  own->held = held != FALSE;
  own->tn = held ? INFINITY : own->tn;
}

/* Something has come at input K of a block that a group leads or reads. */
void hy_static_wake(HyStaticState *own, guint k);

/* A new piece of input K. TRUE: the block is due now. */
static inline gboolean hy_static_take(HyStaticState *own, guint k, double t, const double *c)
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
  if (G_UNLIKELY(own->outer != 0)) {
    hy_static_wake(own, k);
  }
  return own->missing == 0;
}

/* Until when the piece of T holds, where that must be looked at. */
double hy_static_look(HyStaticState *own, double t);

/* Whether it need not: what the coefficients say is all there is to say, or it is what they said
 * the last time, and that has been looked at. */
static inline gboolean hy_static_believes(const HyStaticState *own, double t)
{
  return own->form.kind->whole ? !isnan(own->form.work->foreseen)
                               : t < own->until && hy_validity_believes(&own->inexact->validity,
                                                                        own->form.work->foreseen);
}

static inline double hy_static_until(HyStaticState *own, double t)
{
  double s = own->form.work->foreseen;
  return hy_validity_until(
      t, own->form.kind->whole ? s : hy_validity_believed(&own->inexact->validity, s));
}

/* A simple block has been evaluated. SPEAKS: it has said so; else its last words stay, of which the
 * result may differ in the sign of a zero. */
static inline void hy_static_said(HyStaticState *own, double t, gboolean speaks)
{
  own->fresh = FALSE;
  own->fault.wrong = FALSE;
  if (G_LIKELY(speaks)) {
    memcpy(own->said->c, own->form.first, sizeof own->said->c);
    own->said->t = t;
  }
  own->tn = INFINITY;
}

/* The transition of a simple block that has been evaluated at T to what can be used. */
void hy_static_move(HyStaticState *own, double t, gboolean speaks);

#endif
