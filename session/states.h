/* The machine of a session: its states, its verbs, and what each verb does in each state. One
 * table; the documentation prints it. */
#ifndef HY_SESSION_STATES_H
#define HY_SESSION_STATES_H

#include "hydevs/session.h"

typedef enum {
  HY_LOADED, /* nothing has begun */
  HY_READY,  /* (i, t0); no event has happened */
  HY_RUNNING,
  HY_REPLAYING, /* running, with what was done then */
  HY_FROZEN,
  HY_ENDED,  /* the experiment is over, by its time or by a block */
  HY_FAILED, /* it could not go on; what was there can be read */
  HY_CLOSED, /* after `end`: answers nothing */
  HY_N_STATES
} HySessionState;
const char *hy_session_state_name(HySessionState state);

typedef enum {
  HY_ARG_NUMBER,
  HY_ARG_COUNT, /* a whole number, 1 or more */
  HY_ARG_SEED,  /* a whole number, 0 or more */
  HY_ARG_TEXT,
  HY_ARG_REST,  /* the rest of the line */
  HY_ARG_PATHS, /* words, or texts with commas, or a list of JSON */
  HY_ARG_FLAG
} HyArgKind;

#define HY_MAX_ARGS 4
typedef struct {
  const char *name; /* NULL: no further ones */
  HyArgKind kind;
  gboolean bare, needed; /* bare: may stand in words without its name */
} HyArgIs;

typedef struct HyRequest HyRequest;
typedef struct HyAnswer HyAnswer;

typedef struct HyVerb HyVerb;
struct HyVerb {
  const char *name, *usage, *doc;
  /* A letter for each state: that of the state after it (states.c), "." the same one, "-" it is
   * refused. */
  const char *to;
  HyArgIs args[HY_MAX_ARGS];
  /* Appends members to the answer. FALSE: refused, and nothing has changed. */
  gboolean (*act)(HySession *s, const HyRequest *r, HyAnswer *a, GError **error);
};
extern const HyVerb hy_verbs[]; /* ends with a row without name */
const HyVerb *hy_verb_find(const char *name, GError **error);
/* What STATE becomes by VERB. FALSE: it is refused, and ERROR says what may be done. */
gboolean hy_verb_may(const HyVerb *verb, HySessionState state, HySessionState *to, GError **error);

#endif
