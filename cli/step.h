/* One event after the other, and what is known of blocks meanwhile. Shared by step.c and prompt.c.
 */
#ifndef HY_CLI_STEP_H
#define HY_CLI_STEP_H

#include "model.h"

typedef struct {
  double from;            /* events before are not shown */
  guint64 event;          /* shown so far */
  gboolean shown;         /* the event under way has a header */
  gboolean hit;           /* it is one to break at */
  GString *block, *input; /* of the last * and x */
  GString *text;          /* of the event under way */
  GPtrArray *breaks;      /* CliBreak */
  GHashTable *known;      /* path -> GArray of CliKnown, of atomics; NULL: nobody asks */
  GHashTable *said;       /* "path.port" -> GArray of CliSaid */
  GHashTable *inside;     /* paths of coupled models with blocks inside, as a set */
  const HySim *sim;
} CliStepper;

/* Where run and until stop. */
typedef struct {
  GPatternSpec *path; /* where such a block has its turn or gets an input; NULL: anywhere */
  char *path_text, *condition; /* and where this holds after it; NULL: always */
  gboolean reached;            /* by the event under way */
} CliBreak;

/* What a block has said of itself, in the event of this number (0: the start). */
typedef struct {
  guint64 event;
  char *state; /* NULL: it shows none */
  double tl, tn;
} CliKnown;

/* What has been said at a port, in that event. */
typedef struct {
  guint64 event;
  double t, c[4];
} CliSaid;
#define CLI_KEPT 1000 /* events that one can go back */

/* A formula over blocks: a name is what a block says, or "a/b" of one inside another; behind a dot
 * a port, x (a state), tL, tN, sigma; t is the time. Code HY_ERROR_RUN: it is right, and has no
 * value yet. */
gboolean cli_value(const CliStepper *s, const char *text, double *value, GError **error);
gboolean cli_holds(const CliStepper *s, const char *text); /* it has a value, which is not 0 */

/* One event at most, its text in s->text. *DONE: there was one. */
gboolean cli_step_one(CliStepper *s, const HyRun *run, gboolean *done, GError **error);
/* Reads commands from stdin until its end, or quit. FALSE: the run has failed. */
gboolean cli_prompt(CliStepper *s, const HyRun *run, GError **error);

#endif
