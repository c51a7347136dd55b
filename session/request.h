/* A request: a line in words or JSON, read against the table of verbs. */
#ifndef HY_SESSION_REQUEST_H
#define HY_SESSION_REQUEST_H

#include "states.h"

typedef struct {
  gboolean given;
  double number;
  char *text;   /* as it was written */
  char **paths; /* ends with NULL */
} HyArg;

struct HyRequest {
  const HyVerb *verb;
  HyArg arg[HY_MAX_ARGS]; /* as in the table */
  double at;              /* NaN: now */
  gboolean json;          /* so is the answer */
  char *id;               /* JSON, as it came; NULL: none */
  char *by;               /* who asks; NULL: not said */
  gconstpointer who;      /* who asks; NULL: the script */
  guint line;             /* of the script; 0: of none */
};

/* NULL: the line makes no sense. JSON and ID, which the caller frees, are set then, too. */
HyRequest *hy_request_read(const char *line, gboolean *json, char **id, GError **error);
/* A line of a log once more: what is not of the verb is passed by. NULL: it asks for nothing. */
HyRequest *hy_request_again(const char *line);
void hy_request_free(HyRequest *r); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyRequest, hy_request_free)

/* The argument of that name, which the verb has; NULL: it was not given. */
const HyArg *hy_request_arg(const HyRequest *r, const char *name);
double hy_request_number(const HyRequest *r, const char *name, double otherwise);
const char *hy_request_text(const HyRequest *r, const char *name); /* NULL: not given */
gboolean hy_request_flag(const HyRequest *r, const char *name);

#endif
