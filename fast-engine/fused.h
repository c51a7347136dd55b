/* The inside of the fused engine: what fused_plan.c lays out and fused.c runs. */
#ifndef HY_FAST_ENGINE_FUSED_H
#define HY_FAST_ENGINE_FUSED_H

#include "equations/room_internal.h"
#include "equations/static_block.h"
#include "sim/agenda.h"
#include "sim/engine.h"
#include "sim/pending.h"

/* OUTSIDE: run as in flat, like all that a trace watches. JOINED: a static block with a rank.
 * PLAIN: one without modes, with one output, of which all inputs are known; it fetches them. STATE:
 * of an integrator. DEAD: a static block that nobody looks at; it is never due. */
typedef enum { HY_OUTSIDE, HY_JOINED, HY_PLAIN, HY_OF_STATE, HY_DEAD } HyFusedKind;

typedef struct {
  gpointer own; /* of a static block its HyStaticState, of a state its HyMember */
  guint atomic, port, place;
  HyFusedKind kind;
  HyQState *v;                  /* of a state; NULL: of another, or of one that a trace watches */
  const HyQuantizer *quantizer; /* of V */
  guint64 *n_ext;
} HyFusedTarget;

typedef struct {
  HyStaticState *own;
  const HyPiece **in;   /* [n_in] */
  const double *number; /* of its program */
  guint64 *n_int;
  const HyFusedTarget *to, *end; /* whom it reaches beside plain ones */
  guint atomic, slot, place;     /* PLACE: in the agenda */
  gboolean exact;
  gboolean heard;   /* the room wants to know what it says, */
  gboolean watched; /* or a trace */
  gboolean quiet;   /* neither of these, and TO are states to END */
} HyFusedPlain;

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

/* What the word of a state may reach through plain blocks alone (fused_cones.c). */
typedef struct {
  const HyFusedPlain *plain;
  guint64 readers; /* a bit for each node that reads what it says, all of them later ones */
} HyFusedNode;

typedef struct HyFusedCone HyFusedCone;
typedef gboolean HyFusedConeStep(HySim *sim, HyFused *f, const HyFusedCone *cone, double t);
struct HyFusedCone {
  HyFusedConeStep *step;
  HyFusedConeStep *next; /* the same, where it needs nobody to foretell it; else NULL */
  HyMember *member;
  HyQState *v;
  guint64 *n_int;
  HyPiece *record;
  const HyFusedTarget *to, *end; /* states that read it at once */
  HyFusedNode *node;             /* [n] */
  guint n;
  guint64 readers; /* nodes that read it */
  guint atomic, slot, place;
  gboolean heard;      /* the room wants to know what it says: */
  HyPiece *signal;     /* it has it here, and nobody answers; else NULL */
  const HyRunRow *row; /* linear, for an implicit method that need not ask the room; or NULL */
  guint self;          /* the place of the state in ROW; HY_NO_SLOT: it does not read itself */
};

/* Who is run how, and who reads what: follows from `kind`. */
typedef struct {
  guint *start; /* [slots + 1] */
  HyFusedTarget *target;
  guint *first_mark; /* [slots + 1]: the plain readers of a slot, which are no targets */
  guint *mark;
  HyFusedPlain *plain; /* [n_joined] */
  const HyPiece **in;
  HyFusedCone **cone; /* [n]; NULL: it has none */
  HyFusedCone *cones; /* of all who have one, in one piece, */
  HyFusedNode *nodes; /* and so their nodes */
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

void hy_fused_set(HyFused *f, guint atomic, double tn);

void hy_fused_plan(HySim *sim, HyFused *f); /* all but TN and DUE, of *F all zero */
void hy_fused_link(const HySim *sim, HyFused *f);
void hy_fused_settle(const HySim *sim, HyFused *f);
void hy_fused_clear(HyFused *f);
void hy_fused_find_cones(const HySim *sim, HyFused *f); /* of what is linked but for them */
/* Beside plain blocks. */
gboolean hy_fused_leads_to_states(const HyFused *f, guint slot);
/* Where what is said at SLOT is kept. */
const HyPiece *hy_fused_record(const HySim *sim, const HyFused *f, guint slot);

#endif
