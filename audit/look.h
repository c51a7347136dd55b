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
  HyTrace next; /* whoever else watches */
  guint8 *watched;
  guint n_watched;
  HyAuditPlan *plan;    /* made at the first instant */
  HyAuditAbout *about;  /* [blocks] */
  HyAuditWord *word;    /* [slots] */
  double *largest;      /* [slots]: the largest |value| that has been computed so far */
  guint8 *rests;        /* [blocks]: its group has not begun */
  gpointer *own;        /* [checks] */
  HyAuditCount *counts; /* [checks] */
  guint check;          /* whose turn it is */
  GArray *breaches;     /* HyAuditBreach */
  GHashTable *known;    /* of check and block -> its place there, and one more */
  guint64 stretches, looks, every;
  guint64 work; /* blocks that have been computed, states that have been asked */
  double last;  /* the instant behind which the stretch begins; NaN: none yet */
  double drift;
};

/* What a slot is taken for, all in VALUE, [slots], at T. States are in STATE, [n_states]. */
typedef enum {
  HY_AUDIT_SAID,  /* words as they were said; of states that are held, what they have said */
  HY_AUDIT_EXACT, /* computed from states as they are */
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

extern const HyAuditCheck hy_audit_words, hy_audit_readings, hy_audit_modes, hy_audit_defects,
    hy_audit_drift, hy_audit_kirchhoff, hy_audit_silence;

#endif
