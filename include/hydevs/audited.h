/* What an audit has found: whether a run did what the text of its model says (docs/audit.md). */
#ifndef HYDEVS_AUDITED_H
#define HYDEVS_AUDITED_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef enum {
  HY_AUDIT_OFF,    /* no */
  HY_AUDIT_WARN,   /* now and then; what does not hold is a warning */
  HY_AUDIT_STRICT, /* likewise, and the run ends with status 5 */
  HY_AUDIT_FULL,   /* in every stretch between two instants; likewise */
} HyAuditMode;

/* Something that does not hold, the worst of one block by one check. */
typedef struct {
  const char *check; /* "S": a word is not what its formula says ... */
  guint atomic;      /* in the simulation */
  const char *what;  /* NULL, or what it is in words, in place of the two numbers */
  double t, until;   /* there; until then it went on */
  double is, should, allowed;
  guint64 times;
  gboolean promised; /* FALSE: whoever integrates it has promised no accuracy */
} HyAuditBreach;

typedef struct {
  const char *check;
  guint64 judged, unjudged; /* how often; where nothing can be said */
} HyAuditCount;

typedef struct {
  HyAuditMode mode;
  guint64 looks, stretches; /* so many of these have been looked at */
  guint n_counts;
  const HyAuditCount *counts;
  guint n_breaches;
  const HyAuditBreach *breaches; /* the worst first */
  double drift; /* the largest error that has come together so far, as a part of what its state
                   ranges over; NaN: not followed */
} HyAudited;

#pragma GCC visibility pop
G_END_DECLS
#endif
