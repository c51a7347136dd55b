/* What checks see of a run: values of all slots at an instant inside a stretch, as they were said
 * and as they are, tolerances, and how a breach is told. */
#ifndef HYDEVS_AUDIT_LOOK_H
#define HYDEVS_AUDIT_LOOK_H

#include "audit.h"
#include "plan.h"

#define HY_AUDIT_BAR 8.0 /* tolerances that a word, or a step, may be off */

/* The last word at a slot. */
typedef struct {
  double t, c[4];
  gboolean known;
} HyAuditWord;

struct HyAudit {
  const HySim *sim;
  const HyModel *model;
  HyAuditMode mode;
  double t0, tf;
  HyAuditAsk ask;
  HyTrace trace;                   /* what it wants to hear */
  guint8 *watched, *merged, *read; /* [n_watched]: HyWatched; of others as well, of these alone */
  guint n_watched;
  guint *slot;         /* [atomics + 1]: their first slots */
  HyAuditPlan *plan;   /* made at the first instant, or when it is paid for */
  HyAuditAbout *about; /* [blocks] */
  HyAuditWord *word;   /* [slots] */
  double *largest;     /* [slots]: the largest |value| that has been computed so far */
  guint8 *rests;       /* [blocks]: its group has not begun */
  guint8 *silent;      /* [blocks]: it has said nothing yet, as something that feeds it has not */
  gboolean any_silent;
  gpointer *own;        /* [checks] */
  HyAuditCount *counts; /* [checks] */
  guint check;          /* whose turn it is */
  GArray *breaches;     /* HyAuditBreach */
  GHashTable *known;    /* of check and block -> its place there, and one more */
  guint64 stretches, looks, every;
  double work; /* about how many instructions all that has taken */
  double last; /* the instant behind which the stretch begins; NaN: none yet */
  double drift;
  /* Where a run is looked at in parts (budget.h). */
  double wake;   /* before that nothing is looked at */
  double need;   /* so much the next turn takes */
  guint learned; /* looks at everything that have only seen how large it is */
  guint64 turns;
  guint *place;     /* [checks]: the part whose turn it is */
  gboolean listens; /* there is something to look at */
  gboolean begun;   /* it has heard of an instant */
};

/* What a slot is taken for, all in VALUE, [slots], at T. States are in STATE, [n_states]. */
typedef enum {
  HY_AUDIT_SAID,  /* words as they were said; of states that are held, what they have said */
  HY_AUDIT_EXACT, /* computed from states as they are */
  HY_AUDIT_NEAR,  /* likewise; states that are integrated are any within their tolerances */
  HY_AUDIT_TAKEN, /* likewise, as methods take it: held states as they were said, and radii for
                     words that are made within a tolerance */
} HyAuditView;
void hy_audit_view(HyAudit *a, HyAuditView view, double t, HyBall *value);
/* The same of what CONE has, the others stay as they are. */
void hy_audit_view_cone(HyAudit *a, HyAuditView view, double t, const HyAuditCone *cone,
                        HyBall *value);
/* What plain blocks of CONE make of what stands in VALUE, those alone that read states of BITS. */
void hy_audit_compute(HyAudit *a, HyAuditView view, double t, const HyAuditCone *cone, guint64 bits,
                      HyBall *value);
/* About how many instructions a view of CONE takes, of BLOCK. */
double hy_audit_cost(const HyAudit *a, const HyAuditCone *cone);
double hy_audit_block_cost(const HyAudit *a, guint block);
/* Makes the plan, and lets the checks begin. */
void hy_audit_begin(HyAudit *a);
/* Who rests, and who is silent: neither comes back. */
void hy_audit_find_who_rests(HyAudit *a);
/* The K-th input of a block, of VALUE. */
HyBall hy_audit_input(const HyAudit *a, const HyBall *value, guint block, guint k);
/* What block computes of VALUE: into OUT, [its outputs]. Returns the size of the largest number
 * that it compares. */
double hy_audit_evaluate(const HyAudit *a, const HyBall *value, guint block, HyBall *out);

/* What BLOCK says at T at its first output; FALSE: nothing yet. READING: a group computes it. */
gboolean hy_audit_said(const HyAudit *a, guint block, double t, double *y, gboolean *reading);
double hy_audit_word(const HyAuditWord *w, double t); /* NaN: not known */
/* The K-th state at T. */
double hy_audit_state(const HyAudit *a, guint k, double t);
/* Whether its method keeps it within the quantum of what it has said. */
gboolean hy_audit_is_held(const HyAudit *a, guint k);

/* The first letter of what BLOCK states as its kind; 0: it states none. */
char hy_audit_kind(const HyAudit *a, guint block);

/* Whether BLOCK is of a group that has not begun. The run says so where others would have moved;
 * what rests for that follows no formula yet, and is not judged. */
static inline gboolean hy_audit_rests(const HyAudit *a, guint block)
{
  return a->rests[block] != 0;
}

/* The tolerance of what stands at SLOT: of the largest value there so far, V among them. */
double hy_audit_tolerance(HyAudit *a, guint slot, double v);

/* The check whose turn it is has judged BLOCK, or could not. */
void hy_audit_judged(HyAudit *a, gboolean judged);
/* It is IS at T and should be SHOULD, less or more by ALLOWED at most. */
void hy_audit_breach(HyAudit *a, guint block, double t, double until, double is, double should,
                     double allowed, const char *what);

extern const HyAuditCheck hy_audit_words, hy_audit_readings, hy_audit_modes, hy_audit_turns,
    hy_audit_defects, hy_audit_drift, hy_audit_kirchhoff, hy_audit_silence;

#endif
