/* The table of a session's machine. */
#include "session_internal.h"

#include "base/hint.h"

#include <string.h>

static const struct {
  const char *name;
  char letter;
  const char *may; /* what to do there, for who asks what cannot be */
} states[HY_N_STATES] = {
    {"loaded", 'L', "nothing has begun: init first"},
    {"ready", 'R', "it stands at the start: run or step"},
    {"running", 'U', "it is running: freeze first"},
    {"replaying", 'P', "it repeats what was done: freeze first"},
    {"frozen", 'F', "it is frozen: run goes on"},
    {"ended", 'E', "the run has ended: load or back goes back, init starts anew"},
    {"failed", 'X', "the run has failed: load or back goes back, init starts anew"},
    {"closed", 'C', "the session is over"},
};

#define PATH                                                                                       \
  {                                                                                                \
    "path", HY_ARG_TEXT, TRUE, TRUE                                                                \
  }
#define NUMBER(name)                                                                               \
  {                                                                                                \
    name, HY_ARG_NUMBER, FALSE, FALSE                                                              \
  }
#define N                                                                                          \
  {                                                                                                \
    "n", HY_ARG_COUNT, TRUE, FALSE                                                                 \
  }
#define TO                                                                                         \
  {                                                                                                \
    "to", HY_ARG_NUMBER, TRUE, TRUE                                                                \
  }
#define NAME                                                                                       \
  {                                                                                                \
    "name", HY_ARG_TEXT, TRUE, TRUE                                                                \
  }
#define PATHS                                                                                      \
  {                                                                                                \
    "paths", HY_ARG_PATHS, TRUE, TRUE                                                              \
  }

const HyVerb hy_verbs[] = {
    /* loaded ready running replaying frozen ended failed closed */
    {"init",
     "init [seed=N]",
     "(i, t0): the run begins anew; an older log and recording are closed and keep their names",
     "RR--RRR-",
     {{"seed", HY_ARG_SEED, FALSE, FALSE}},
     hy_do_init},
    {"run",
     "run [until=T] [wait]",
     "goes on; at T it freezes, the events at T are done. wait: the answer comes when it no longer "
     "runs",
     "-U--U---",
     {NUMBER("until"), {"wait", HY_ARG_FLAG, FALSE, FALSE}},
     hy_do_run},
    {"freeze",
     "freeze",
     "at the end of the frame, else of the instant at hand",
     "--FF----",
     {{0}},
     hy_do_freeze},
    {"step",
     "step [n] [event|instant|frame]",
     "so many of them (1 instant)",
     "-F--F---",
     {N, {"of", HY_ARG_TEXT, TRUE, FALSE}},
     hy_do_step},
    {"back",
     "back [n]",
     "so many instants back, with all that was done until then",
     "----FFF-",
     {N},
     hy_do_back},
    {"scale",
     "scale S|inf",
     "simulated seconds a second; inf: as fast as it goes",
     ".......-",
     {TO},
     hy_do_scale},
    {"snapshot",
     "snapshot NAME",
     "the state when every event at or before now is done gets a name",
     "-F..F.--",
     {NAME},
     hy_do_snapshot},
    {"snapshot-every",
     "snapshot-every DT [keep=N]",
     "one at each t0 + k DT, of simulated time, the last N of them (10); 0: no more",
     "-......-",
     {{"every", HY_ARG_NUMBER, TRUE, TRUE}, {"keep", HY_ARG_COUNT, FALSE, FALSE}},
     hy_do_snapshot_every},
    {"load",
     "load NAME",
     "the state of that snapshot; what was the future is kept as NAME.2, NAME.3 ...",
     "-F--FFF-",
     {NAME},
     hy_do_load},
    {"replay",
     "replay from=T [until=T] [wait]",
     "from the last snapshot at or before that time, or the start, runs with all that was done; "
     "freezes at the second time, or where it was",
     "----PPP-",
     {{"from", HY_ARG_NUMBER, TRUE, TRUE}, NUMBER("until"), {"wait", HY_ARG_FLAG, FALSE, FALSE}},
     hy_do_replay},
    {"set",
     "set PATH V [ramp=DT]",
     "moves a lever, at once or on a straight line of DT seconds",
     "-F.-F---",
     {PATH, TO, NUMBER("ramp")},
     hy_do_set},
    {"malfunction",
     "malfunction PATH S [ramp=DT]",
     "the same for a malfunction, from 0, none, to 1",
     "-F.-F---",
     {PATH, TO, NUMBER("ramp")},
     hy_do_set},
    {"say",
     "say PORT V [dV/dt]",
     "a word at an input port of the model",
     "-F.-F---",
     {PATH, TO, {"slope", HY_ARG_NUMBER, TRUE, FALSE}},
     hy_do_say},
    {"override",
     "override PATH value=V|freeze|off|none",
     "what monitors, get and pages show in place of a value: V, the one it has now, nothing; the "
     "model does not know",
     "-......-",
     {PATH, {"how", HY_ARG_TEXT, TRUE, FALSE}, NUMBER("value")},
     hy_do_override},
    {"monitor",
     "monitor PATHS every=DT [wall]",
     "their values every DT simulated seconds, or seconds of the clock; 0: no more",
     ".......-",
     {PATHS, {"every", HY_ARG_NUMBER, FALSE, TRUE}, {"wall", HY_ARG_FLAG, FALSE, FALSE}},
     hy_do_monitor},
    {"get", "get PATHS", "their values now", ".......-", {PATHS}, hy_do_get},
    {"note",
     "note TEXT",
     "a line of the log",
     ".......-",
     {{"text", HY_ARG_REST, TRUE, TRUE}},
     hy_do_note},
    {"info",
     "info",
     "what is on: state, levers, monitors, overrides, snapshots, scale, frames",
     ".......-",
     {{0}},
     hy_do_info},
    {"report",
     "report [form=text|csv] [file=FILE]",
     "all that was done, by time",
     ".......-",
     {{"form", HY_ARG_TEXT, TRUE, FALSE}, {"file", HY_ARG_TEXT, FALSE, FALSE}},
     hy_do_report},
    {"help",
     "help [VERB]",
     "the verbs, or one of them",
     ".......-",
     {{"verb", HY_ARG_TEXT, TRUE, FALSE}},
     hy_do_help},
    {"take", "take", "nobody else changes anything until give", ".......-", {{0}}, hy_do_take},
    {"give", "give", "others may change what they like again", ".......-", {{0}}, hy_do_give},
    {"end", "end", "finishes the recording and the log", "CCCCCCC-", {{0}}, hy_do_end},
    {0},
};

const char *hy_session_state_name(HySessionState state)
{
  return states[state].name;
}

const HyVerb *hy_verb_find(const char *name, GError **error)
{
  HyNearest nearest = {.word = name};
  for (const HyVerb *v = hy_verbs; v->name != NULL; v++) {
    if (strcmp(v->name, name) == 0) {
      return v;
    }
    hy_nearest_offer(&nearest, v->name);
  }
  g_autofree char *plain = hy_plain_text(name, FALSE);
  g_autofree char *meant = hy_did_you_mean(nearest.best);
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "there is no verb \"%s\"%s", plain, meant);
  return NULL;
}

gboolean hy_verb_may(const HyVerb *verb, HySessionState state, HySessionState *to, GError **error)
{
  char letter = verb->to[state];
  *to = state;
  for (guint k = 0; k < HY_N_STATES; k++) {
    *to = states[k].letter == letter ? (HySessionState)k : *to;
  }
  if (letter == '-') {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", verb->name, states[state].may);
  }
  return letter != '-';
}

const char *const *hy_session_verbs(void)
{
  static const char *names[G_N_ELEMENTS(hy_verbs)];
  static gsize made;
  if (g_once_init_enter(&made)) {
    for (guint k = 0; hy_verbs[k].name != NULL; k++) {
      names[k] = hy_verbs[k].name;
    }
    g_once_init_leave(&made, 1);
  }
  return names;
}

const char *hy_session_usage(const char *verb, const char **doc)
{
  g_return_val_if_fail(verb != NULL, NULL);
  for (const HyVerb *v = hy_verbs; v->name != NULL; v++) {
    if (strcmp(v->name, verb) == 0) {
      if (doc != NULL) {
        *doc = v->doc;
      }
      return v->usage;
    }
  }
  return NULL;
}

static void cell(GString *out, const HyVerb *verb, HySessionState state)
{
  HySessionState to;
  g_autoptr(GError) error = NULL;
  gboolean may = hy_verb_may(verb, state, &to, &error);
  g_string_append_printf(out, " %s |", !may ? "-" : to == state ? "yes" : states[to].name);
}

void hy_session_table(GString *out)
{
  g_return_if_fail(out != NULL);
  g_string_append(out, "| verb | does |");
  for (guint k = 0; k < HY_CLOSED; k++) {
    g_string_append_printf(out, " %s |", states[k].name);
  }
  g_string_append(out, "\n| --- | --- |");
  for (guint k = 0; k < HY_CLOSED; k++) {
    g_string_append(out, " --- |");
  }
  for (const HyVerb *v = hy_verbs; v->name != NULL; v++) {
    g_autoptr(GString) usage = g_string_new(v->usage);
    g_string_replace(usage, "|", "\\|", 0);
    g_string_append_printf(out, "\n| `%s` | %s |", usage->str, v->doc);
    for (guint k = 0; k < HY_CLOSED; k++) {
      cell(out, v, (HySessionState)k);
    }
  }
  g_string_append(out, "\n");
}
