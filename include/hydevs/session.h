/* A session: a run of a loaded model that somebody steers. It stops and goes on, goes back, repeats
 * what was done, follows a script, and keeps the time of a clock. What is asked is a line, in words
 * or as JSON, and so is the answer; docs/realtime.md has the verbs. */
#ifndef HYDEVS_SESSION_H
#define HYDEVS_SESSION_H

#include "hydevs/experiment.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Seconds of a clock that never goes back. NULL for both: that of the machine. */
typedef struct {
  double (*now)(gpointer user);
  void (*sleep_until)(gpointer user, double t);
  gpointer user;
} HyClock;

typedef enum { HY_FRAMES_WARN, HY_FRAMES_STOP } HyFramePolicy;

typedef struct {
  const char *script;        /* a file of lines "at T VERB ..."; NULL: none */
  const char *log;           /* the file of the log; NULL: none */
  gboolean resume;           /* go on where the log of a session that was killed ends */
  const char *const *record; /* files of the recording, as hy_run_record_files(); NULL: none */
  double scale;              /* simulated seconds a second; 0: 1 with frames, else INFINITY */
  double frame;              /* H, simulated seconds of a frame; 0: no frames */
  HyFramePolicy policy;      /* what a frame that comes too late means */
  int priority;              /* of SCHED_FIFO for the simulation, 1 to 99; 0: as usual */
  guint64 events_per_frame;  /* for methods whose work varies: so many at most; 0: not stated */
  gboolean any_method;       /* frames also with methods that promise no cost at all */
  HyClock clock;
  gboolean threaded; /* with frames: the simulation has a thread of its own, which begins at the
                        first hy_session_turn() */
} HySessionSettings;
#define HY_SESSION_SETTINGS (HY_LITERAL(HySessionSettings){.frame = 0})

typedef struct HySession HySession;

/* LOADED must outlive the session; strings of SETTINGS and SESSION are copied. Nothing has begun
 * but what the script and the log say: with a script it is initialised and runs. */
HySession *hy_session_new_sized(const HyLoaded *loaded, const HyRunSettings *settings,
                                gsize run_size, const HySessionSettings *session,
                                gsize session_size, GError **error);
static inline HySession *hy_session_new(const HyLoaded *loaded, const HyRunSettings *settings,
                                        const HySessionSettings *session, GError **error)
{
  return hy_session_new_sized(loaded, settings, sizeof(HyRunSettings), session,
                              sizeof(HySessionSettings), error);
}
/* What is recorded is finished. NULL is fine. */
void hy_session_free(HySession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HySession, hy_session_free)

/* One line: words ("run until=2.5"), or an object of JSON ({"id":7,"do":"run","until":2.5}), which
 * is answered in the same form, appended to ANSWER without the end of a line. FALSE: it is refused,
 * and the answer says why; nothing has changed. From any thread, at any time. */
gboolean hy_session_do(HySession *session, const char *line, GString *answer);
/* The same, asked by WHO, any address that is one client's own. After `take` nobody else changes
 * anything until `give`, or hy_session_leave(), when the client is gone. hy_session_do() is asked
 * by nobody, NULL. */
gboolean hy_session_do_as(HySession *session, gconstpointer who, const char *line, GString *answer);
void hy_session_leave(HySession *session, gconstpointer who);
/* What comes unasked: LINE is an object of JSON, {"event":"frozen","t":2.5}. Called in the thread
 * that calls hy_session_turn(). For each call one hearer more; before the session runs. */
typedef void (*HySessionHear)(gpointer user, const char *line);
void hy_session_hear(HySession *session, HySessionHear hear, gpointer user);
/* Always the same thread: does what is due, a stretch of the run that never takes long, and returns
 * when it wants to be called again, by the clock: -INFINITY at once, INFINITY when a line has come,
 * of which hy_session_fd() becomes readable. */
double hy_session_turn(HySession *session);
int hy_session_fd(const HySession *session);
double hy_session_now(const HySession *session); /* by its clock */
/* The state as `info` names it: loaded, ready, running, replaying, frozen, ended, failed; closed:
 * `end` was said, and nothing is answered any more. */
const char *hy_session_state(const HySession *session);
/* The exit status of all: 0, or that of what made it fail. MESSAGE (NULL: nobody asks) is the
 * session's, NULL: there is none. */
int hy_session_status(const HySession *session, const char **message);
/* The same words for {"state":"frozen","t":2.5}: "state = frozen, t = 2.5"; appended to OUT. */
void hy_session_words(const char *line, GString *out);
/* The run at hand, to look at; NULL: loaded or closed. */
const HyRun *hy_session_run(const HySession *session);

/* All verbs, NULL after the last; of one its usage and what it does; the table of what each does in
 * which state, in Markdown, appended to OUT. */
const char *const *hy_session_verbs(void);
const char *hy_session_usage(const char *verb, const char **doc); /* NULL: no such verb */
void hy_session_table(GString *out);

#pragma GCC visibility pop
G_END_DECLS
#endif
