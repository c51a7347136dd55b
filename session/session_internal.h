/* The inside of a session. */
#ifndef HY_SESSION_SESSION_INTERNAL_H
#define HY_SESSION_SESSION_INTERNAL_H

#include "answer.h"
#include "request.h"

#include "experiment/run.h"

#include <stdatomic.h>

/* What has changed the model, and after what: a chain back to the start. Going back in time goes
 * along it, and what is done then grows another branch. */
typedef struct HyDeed HyDeed;
struct HyDeed {
  const HyDeed *before; /* NULL: nothing */
  guint64 n;            /* of its line in the log */
  double t;             /* when it was done; all events at or before T were over */
  const HyVerb *verb;   /* set, malfunction, say */
  char *path;
  guint place;      /* number of the lever or port */
  double to, slope; /* slope: of `say`; of the others the seconds of the ramp */
};

/* What waits for its time: of a script, of `at`, or a deed that is repeated. */
typedef struct {
  double t;
  guint64 order;
  HyRequest *request; /* NULL: */
  const HyDeed *deed;
} HyWaiting;

/* A place in the past. */
typedef struct {
  char *name;
  double t;
  guint64 instants;
  const HyDeed *after;
  HySnapshot *copy; /* NULL: there is none, so it is reached from an earlier one or the start */
  gboolean kept;    /* asked for by name, so not one of those that come and go */
} HyPlace;

typedef struct {
  HyColumn column;
  GArray *more; /* HySource, of a port that several speak at */
  char *path;
} HySeen;

typedef enum { HY_SHOWN, HY_SHOWN_VALUE, HY_SHOWN_FROZEN, HY_SHOWN_OFF } HyShown;
typedef struct {
  char *path;
  HyShown how;
  double value;
} HyOverride;

typedef struct {
  GArray *seen; /* HySeen */
  double every, from;
  gboolean wall;
  guint64 k; /* the next one is number k */
} HyMonitor;

struct HySession {
  const HyLoaded *loaded;
  HyRunSettings set;
  char *engine, *partition; /* of SET */
  HySessionSettings how;
  char *script_file, *log_file;
  char **record;
  HyClock clock;

  HySessionState state;
  HyRun *run;
  HySim *sim;
  guint64 seed;
  guint runs;      /* how often a run has been made: its files have numbers */
  double t0, tf;   /* of the run */
  double t;        /* the session has come so far */
  gboolean exact;  /* what is done now is for S->t, not for when the clock has come to */
  double until;    /* it freezes there; INFINITY: nobody says */
  guint64 steps;   /* it freezes after so many instants, where they are counted; 0: no */
  double scale;    /* simulated seconds a second */
  double w0, t_w0; /* at w0 it was t_w0 */
  double began;    /* by the clock, at init */
  char *why;       /* it has failed, or ended by a block; NULL: neither */
  int status;

  guint64 n;           /* lines of the log so far */
  int log;             /* -1: none */
  GPtrArray *told;     /* lines of the log, for the report */
  gboolean log_broken; /* it could not be written, which has been told */
  guint inits;         /* how often it has begun: logs have numbers */
  GPtrArray *deeds;    /* HyDeed, all of them */
  const HyDeed *last;  /* that the state at hand comes after */
  GArray *waiting;     /* HyWaiting, by t and order */
  guint64 order;
  GPtrArray *places;        /* HyPlace */
  double every, every_from; /* a place each; 0: none */
  guint64 every_k;
  guint keep;
  GPtrArray *monitors; /* HyMonitor */
  GPtrArray *overrides;
  guint lines_done; /* of the script, before the session was resumed */

  struct HyFrames *frames; /* NULL: there are none */
  GString *line;           /* working memory of what is said unasked */
  GArray *hear;
  gconstpointer writer;    /* nobody else may change anything; NULL: all may */
  struct HyDriver *driver; /* NULL: all is done in the caller's thread */
  atomic_int shown;        /* the state, for other threads */
  struct HyMail *mail;     /* from other threads */
};

/* The run ------------------------------------------------------------------------------------ */

/* "a.csv" becomes "a-2.csv" for the second run of a session; newly allocated. */
char *hy_session_numbered(const char *file, guint number);
/* A run as the session's settings say, that nobody has initialised. */
HyRun *hy_session_new_run(const HySession *s, GError **error);
/* (i, t0) of a new run, with a recording of its own. */
gboolean hy_session_begin(HySession *s, GError **error);
void hy_session_end_run(HySession *s);
/* hy_session_turn() in the session's own thread. */
double hy_session_turn_here(HySession *s);
/* All events at or before T. FALSE: the session has failed. */
gboolean hy_session_reach(HySession *s, double t);
/* What is left of the instant at hand, or the first. */
gboolean hy_session_complete(HySession *s);
void hy_session_enter(HySession *s, HySessionState state); /* and tells so */
void hy_session_pace(HySession *s);                        /* the clock counts from here on */
/* Where a run at a finite pace is now; S->t, if it is not one. */
void hy_session_catch_up(HySession *s);

/* Does what is due at S->t, and stops where it is to stop. */
void hy_session_arrived(HySession *s);
double hy_session_stop(const HySession *s); /* the next T at which something is */
gboolean hy_session_is_running(const HySession *s);
/* What has become of the simulation after it ran to T (OK: without ERROR): FALSE where it does not
 * go on. */
gboolean hy_session_goes_on(HySession *s, gboolean ok, double t, const GError *error);

/* Deeds (deeds.c) ---------------------------------------------------------------------------- */

/* What R asks for, from now on; not done yet. NULL: it cannot be. */
HyDeed *hy_deed_new(HySession *s, const HyRequest *r, GError **error);
gboolean hy_deed_do(HySession *s, const HyDeed *deed, GError **error);
/* The state of PLACE, or the start (NULL), then all deeds up to LAST, and all events up to T, or as
 * soon as there have been so many INSTANTS (0: not counted). */
gboolean hy_session_go_to(HySession *s, const HyDeed *last, double t, guint64 instants,
                          GError **error);
/* The same from the state at hand on, which comes after S->last. */
gboolean hy_session_repeat(HySession *s, const HyDeed *last, double t, guint64 instants,
                           GError **error);
/* What is at hand is kept as NAME.2, NAME.3 ..., whatever there is no other of; NULL: it could not
 * go on anyway. */
const char *hy_session_keep_future(HySession *s, const char *name);
HyPlace *hy_session_find_place(const HySession *s, const char *name, GError **error);
/* Whether P lies on the way to what comes after LAST. */
gboolean hy_place_leads_to(const HyPlace *p, const HyDeed *last);
HyPlace *hy_session_keep(HySession *s, const char *name, gboolean kept);
void hy_place_free(gpointer data);
void hy_deed_free(gpointer data);

/* Waiting (waiting.c) ------------------------------------------------------------------------ */

void hy_session_wait(HySession *s, double t, HyRequest *request, const HyDeed *deed);
void hy_session_forget_replay(HySession *s); /* deeds that wait */
gboolean hy_session_read_script(HySession *s, GError **error);
/* Does what was to be done by now. */
void hy_session_do_waiting(HySession *s);

/* The log (log.c) ---------------------------------------------------------------------------- */

gboolean hy_log_open(HySession *s, GError **error);
/* A line of the log, told to all who hear. R: what was asked; NULL: the session does WHAT itself.
 * It is in the file when this returns. */
guint64 hy_log_add(HySession *s, const char *what, const HyRequest *r);
/* The same of a missed frame. */
void hy_log_missed(HySession *s, double over, guint64 events, const char *block);
gboolean hy_log_resume(HySession *s, GError **error);
void hy_log_close(HySession *s);

/* What is seen (seen.c) ---------------------------------------------------------------------- */

double hy_session_value(HySession *s, const HySeen *seen);
GArray *hy_session_find(HySession *s, char *const *paths, GError **error); /* HySeen */
/* The member "values" of what is monitored, where anything is. */
void hy_session_add_monitored(HySession *s, HyJsonOut *json);
double hy_monitor_next(const HyMonitor *m);
void hy_session_monitor(HySession *s);        /* those that are due */
double hy_session_monitor_wall(HySession *s); /* likewise by the clock; when the next one is */
void hy_session_rewind(HySession *s);         /* monitors and places go on from S->t */
void hy_monitor_free(gpointer data);
void hy_override_free(gpointer data);
void hy_seen_clear(gpointer data);

/* What comes unasked ------------------------------------------------------------------------- */

/* Begins a line in S->line: {"event":"WHAT","t":T; */
HyJsonOut hy_session_say_begin(HySession *s, const char *what);
void hy_session_say_end(HySession *s, HyJsonOut *json);
void hy_session_tell(HySession *s, const char *line); /* all who hear */
/* The answer to R is appended to OUT. */
gboolean hy_session_answer(HySession *s, const HyRequest *r, GString *out);

/* The verbs ---------------------------------------------------------------------------------- */

#define HY_VERB(name)                                                                              \
  gboolean hy_do_##name(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
HY_VERB(init);
HY_VERB(run);
HY_VERB(freeze);
HY_VERB(step);
HY_VERB(back);
HY_VERB(scale);
HY_VERB(snapshot);
HY_VERB(snapshot_every);
HY_VERB(load);
HY_VERB(replay);
HY_VERB(set);
HY_VERB(override);
HY_VERB(say);
HY_VERB(note);
HY_VERB(monitor);
HY_VERB(get);
HY_VERB(info);
HY_VERB(report);
HY_VERB(help);
HY_VERB(take);
HY_VERB(give);
HY_VERB(end);
#undef HY_VERB

#endif
