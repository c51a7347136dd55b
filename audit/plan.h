/* What is looked at: the blocks of a model, the formula of each, and what feeds them, found by
 * walking along the couplings of the model as its author states it. Nothing that a simulation has
 * made of that is used. */
#ifndef HYDEVS_AUDIT_PLAN_H
#define HYDEVS_AUDIT_PLAN_H

#include "plain.h"

typedef enum {
  HY_AUDIT_WORD,  /* a source, or what remembers: taken as it speaks */
  HY_AUDIT_PLAIN, /* computes what its class, or its formula, says */
  HY_AUDIT_MODE,  /* remembers which of two it is: hysteresis, valve, transistor */
  HY_AUDIT_STATE, /* the integral of what comes at its first input */
} HyAuditRole;

#define HY_AUDIT_NONE  G_MAXUINT       /* nothing feeds it: a number, or it is open */
#define HY_AUDIT_OTHER (G_MAXUINT - 1) /* several do, or an input of the root */

/* An input: the slot (output, numbered through all blocks) that feeds it. */
typedef struct {
  guint slot;
  double number; /* where nothing does; NaN: open */
} HyAuditInput;

typedef struct {
  const HyAtomicClass *klass;
  HyAuditRole role;
  const HyPlainClass *plain; /* of a plain one or a mode */
  HyPlainParams params;
  guint first_in, n_in;   /* of HyAuditPlan.input */
  guint first_out, n_out; /* slots */
  gboolean beyond;        /* nonlinear between two turns of its modes */
  gboolean cut;   /* it stands in a loop that goes through its modes, which are a memory: what
                     reads it takes what it has said */
  gboolean inner; /* all that it leads to, along plain blocks, are states */
  guint place;    /* in HyAuditPlan.order of a plain one, in HyAuditPlan.state of a state */
  guint weight;   /* about how many instructions it takes to compute */
  guint64 states; /* by its plain inputs it reads these, bits of HyAuditPlan.state */
} HyAuditBlock;

typedef struct {
  const HyModel *model;
  guint n;
  HyAuditBlock *block; /* [n] by number in the simulation */
  guint n_in, n_out;
  HyAuditInput *input; /* [n_in] */
  guint *owner;        /* [n_out]: the block that speaks at a slot */
  guint *order;        /* [n_order]: the plain blocks, each after those that feed it */
  guint n_order;
  guint *state; /* [n_states] */
  guint n_states;
} HyAuditPlan;

#define HY_AUDIT_STATES                                                                            \
  64 /* of which HyAuditBlock.states tells; where there are more it is all                         \
      */

/* What derivatives of some states hang on. */
typedef struct {
  GArray *block; /* guint: plain blocks, in their order */
  GArray *state; /* guint: places in HyAuditPlan.state, those states themselves among them */
  GArray *word;  /* guint: slots of sources and of what remembers */
  guint *seen;   /* [blocks]: in which turn */
  guint turn;
} HyAuditCone;

void hy_audit_cone_init(HyAuditCone *cone, const HyAuditPlan *plan);
void hy_audit_cone_clear(HyAuditCone *cone);
/* That of N states, PICK: places in HyAuditPlan.state. */
void hy_audit_cone_find(HyAuditCone *cone, const HyAuditPlan *plan, const guint *pick, guint n);
/* That of BLOCK, and what it says itself if it is no plain one. */
void hy_audit_cone_of(HyAuditCone *cone, const HyAuditPlan *plan, guint block);
/* The first slots of all blocks of MODEL, [n + 1]; the caller's. */
guint *hy_audit_slots(const HyModel *model);

/* Of MODEL, checked; STATE_OF says where the state of a block is, which begins with its parameters.
 */
HyAuditPlan *hy_audit_plan_new(const HyModel *model, gconstpointer (*state_of)(gpointer, guint),
                               gpointer user);
void hy_audit_plan_free(HyAuditPlan *plan); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyAuditPlan, hy_audit_plan_free)

#endif
