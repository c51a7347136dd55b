/* The audit of one run: what the text of its model says holds at every instant, looked at between
 * the instants of the run by a plain evaluator that shares nothing with what it checks
 * (docs/audit.md).
 *
 * A **look** is what checks see in one stretch, from one instant of the run to the next. A check is
 * a row of hy_audit_checks; what it finds it tells by hy_audit_breach(). It may read all that
 * look.h gives, and changes nothing of the run. */
#ifndef HYDEVS_AUDIT_AUDIT_H
#define HYDEVS_AUDIT_AUDIT_H

#include "hydevs/audited.h"
#include "hydevs/sim.h"
#include "hydevs/trace.h"

/* What a method has promised of a state. */
typedef enum {
  HY_PROMISED_QUANTA, /* that it stays within the quantum of what it has said (hy_sim_held()) */
  HY_PROMISED_STEPS,  /* that its error in a step is within the tolerance */
  HY_PROMISED_EXACT,  /* that it makes none, where its equations are linear, but of what it hears */
  HY_PROMISED_NOTHING, /* nothing: its steps are fixed. What is found is told and is no breach */
} HyAuditPromise;

/* What the file says of a block. */
typedef struct {
  const char *file;
  guint line;
  double rel, least; /* its tolerance: max(REL |value|, LEAST) */
  HyAuditPromise promise;
  double share; /* of a state: so many tolerances may be its part of what is promised of several
                   together */
} HyAuditAbout;

/* How far a run has come. */
typedef struct {
  guint64 instants; /* at which something has happened */
  double since;     /* the last of them; NaN: none yet */
  double work;      /* counted: some instructions, rather fewer than there were */
  double asking;    /* and that many to find this out */
} HyAuditFar;

/* What the audit asks of whoever starts it. */
typedef struct {
  gpointer user;
  void (*about)(gpointer user, guint atomic, HyAuditAbout *about);
  /* What ATOMIC says at T, if a group computes it at its states as they are. */
  gboolean (*reading)(gpointer user, guint atomic, double t, double *y);
  /* Whether ATOMIC is a state of a group, or one whose modes a group decides, and that waits until
   * all that its states read has spoken: it rests, and its modes are as they were put. */
  gboolean (*rests)(gpointer user, guint atomic);
  /* Whether mode M of ATOMIC is up; FALSE: nobody knows. */
  gboolean (*mode)(gpointer user, guint atomic, guint m, gboolean *up);
  void (*far)(gpointer user, HyAuditFar *far);
  /* Instants before T need not be told. */
  void (*wake)(gpointer user, double t);
} HyAuditAsk;

typedef struct HyAudit HyAudit;

/* Of SIM, which runs MODEL from T0 to TF; not before it is initialised. */
HyAudit *hy_audit_new(const HySim *sim, const HyModel *model, HyAuditMode mode, double t0,
                      double tf, const HyAuditAsk *ask);
void hy_audit_free(HyAudit *audit); /* NULL is fine */
/* What it wants to hear of the simulation, beside what OTHERS want (NULL: nothing). As long as
 * AUDIT. */
HyTrace hy_audit_trace(HyAudit *audit, const HyTrace *others);
/* What it has heard: of a snapshot, from which it goes on with no counts and no breaches. NULL:
 * there is none. */
void hy_audit_tape(HyAudit *audit, HyTape *tape);
/* The run has come to T; COMPLETE: nothing has ended it before its time. */
void hy_audit_finish(HyAudit *audit, double t, gboolean complete);
/* What it has found so far; as long as AUDIT, until it goes on. */
void hy_audit_result(HyAudit *audit, HyAudited *result);

/* Stretches and checks ------------------------------------------------------------------------- */

typedef struct {
  double t0, t1; /* instants of the run, one after the other; nothing happens between */
  guint64 number;
} HyAuditStretch;

typedef struct {
  const char *name; /* a letter, or a word */
  const char *doc;
  gboolean full; /* only where every stretch is looked at */
  gboolean sum;  /* of the errors of many steps: who may make one in each has promised nothing */
  /* What it keeps beside the audit, and how that is freed; NULL: nothing. */
  gpointer (*begin)(HyAudit *audit);
  void (*free)(gpointer own);
  void (*look)(HyAudit *audit, gpointer own, const HyAuditStretch *s); /* NULL: at the end alone */
  void (*end)(HyAudit *audit, gpointer own, double t);                 /* NULL: nothing */
  /* Where it can look at one thing alone (budget.h): at how many; getting ready for the K-th, with
   * about how many instructions the look takes; and the look. */
  guint (*parts)(HyAudit *audit, gpointer own);
  double (*ready)(HyAudit *audit, gpointer own, guint k);
  void (*part)(HyAudit *audit, gpointer own, guint k, const HyAuditStretch *s);
} HyAuditCheck;

extern const HyAuditCheck *const hy_audit_checks[]; /* ends with NULL */

#endif
