/* The inside of the fused engine: what fused_plan.c lays out and fused.c runs. */
#ifndef HY_FAST_ENGINE_FUSED_H
#define HY_FAST_ENGINE_FUSED_H

#include "equations/static_block.h"
#include "sim/agenda.h"
#include "sim/engine.h"
#include "sim/pending.h"

/* OUTSIDE: run as in flat, like all that a trace watches. JOINED: a static block with a rank.
 * PLAIN: one without modes, with one output, of which all inputs are known; it fetches them. STATE:
 * of an integrator. DEAD: a static block that nobody looks at; it is never due. */
typedef enum { HY_OUTSIDE, HY_JOINED, HY_PLAIN, HY_OF_STATE, HY_DEAD } HyFusedKind;

typedef struct {
  HyStaticState *own;
  const HyPiece **in; /* [n_in] */
  guint slot, place;  /* PLACE: in the agenda */
  gboolean heard;     /* the room wants to know what it says, */
  gboolean watched;   /* or a trace */
} HyFusedPlain;

typedef struct {
  gpointer own; /* of a static block its HyStaticState, of a state its HyMember */
  guint atomic, port, place;
  HyFusedKind kind;
} HyFusedTarget;

typedef struct HyFused HyFused;
struct HyRowState;
/* The own step of a state whose row the room knows, at its instant T, and those of others of its
 * method that follow. FALSE: the run ends. */
typedef struct HyFusedRow HyFusedRow;
typedef gboolean HyFusedStep(HySim *sim, HyFused *f, const HyFusedRow *row, double t);
struct HyFusedRow {
  struct HyRowState *state;
  HyFusedStep *step; /* NULL: as others are run */
  HyFusedStep *next; /* the same, where it needs nobody to foretell it */
  gboolean quiet;    /* nobody but rows hears it */
};

/* Who is run how, and who reads what: follows from `kind`. */
typedef struct {
  guint *start; /* [slots + 1] */
  HyFusedTarget *target;
  guint *first_mark; /* [slots + 1]: the plain readers of a slot, which are no targets */
  guint *mark;
  HyFusedPlain *plain; /* [n_joined] */
  const HyPiece **in;
} HyFusedLinks;

struct HyFused {
  /* Made by init. */
  guint n_joined; /* they have the numbers below, and those outside that answer at once */
  gsize slots;
  guint8 *watched; /* [n]: HyWatched */
  gpointer *own;   /* [n] as in a target */
  HyFusedRow *row; /* [n] */
  double t0;
  HyFusedLinks to;
  guint n_places; /* in the agenda: of all but dead blocks, in the same order */
  guint *place;   /* [n] */
  guint *atomic;  /* [n_places] */
  /* The run. */
  double tf;    /* no cycle after it */
  guint64 left; /* cycles that may be done, with the one that is */
  /* State. */
  HyAgenda tn;      /* by place */
  HyPending due;    /* joined blocks, at the instant of the agenda */
  guint8 *kind;     /* [n]: HyFusedKind */
  HyPiece *record;  /* [slots]: the last word of what is not static; t NaN: none */
  gboolean settled; /* the first instant after the start has come: blocks have become plain */
};

static inline void hy_fused_set(HyFused *f, guint atomic, double tn)
{
  hy_agenda_set(&f->tn, f->place[atomic], tn);
}

void hy_fused_plan(HySim *sim, HyFused *f); /* all but TN and DUE, of *F all zero */
void hy_fused_link(const HySim *sim, HyFused *f);
void hy_fused_settle(const HySim *sim, HyFused *f);
void hy_fused_clear(HyFused *f);
/* Where what is said at SLOT is kept. */
const HyPiece *hy_fused_record(const HySim *sim, const HyFused *f, guint slot);

#endif
