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
  GPtrArray *breaks;      /* GPatternSpec */
  GHashTable *known;      /* path -> GArray of CliKnown, of atomics; NULL: nobody asks */
} CliStepper;

/* What a block has said of itself, in the event of this number (0: the start). */
typedef struct {
  guint64 event;
  char *state; /* NULL: it shows none */
  double tl, tn;
} CliKnown;

/* One event at most, its text in s->text. *DONE: there was one. */
gboolean cli_step_one(CliStepper *s, const HyRun *run, gboolean *done, GError **error);
/* Reads commands from stdin until its end, or quit. FALSE: the run has failed. */
gboolean cli_prompt(CliStepper *s, const HyRun *run, GError **error);

#endif
