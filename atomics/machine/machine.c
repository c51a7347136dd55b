/* Machine: a state machine as an atomic model. What a transition does is in running.c; here is
 * when.
 *
 * A transition speaks by lambda. One that a timeout or a `when` causes says its first word as the
 * output of its own internal event, as an automaton of the textbooks does; lambda finds it on a
 * copy of the state. What an event causes, and every further word, waits and is said in internal
 * events without time, a word each, before the next transition that is due. */
#include "machine/machine.h"
#include "hydevs/trace.h"
#include "machine/running.h"

#include <string.h>

static gboolean is_known(const HyRunning *s)
{
  gboolean known = TRUE;
  for (guint k = 0; k < s->n_in; k++) {
    known = known && s->in[k].known;
  }
  return known;
}

static gboolean machine_init(void *state, double t, const HySetup *setup, GError **error)
{
  HyRunning *s = state;
  if (!hy_running_new(s, t, setup, error)) {
    return FALSE;
  }
  if (is_known(s)) {
    hy_running_start(s, t);
  } else {
    hy_running_announce(s, t);
  }
  return TRUE;
}

static double machine_next(const void *state)
{
  const HyRunning *s = state;
  if (s->now.bad != HY_NO_PART) {
    return NAN;
  }
  double next = s->started ? s->again : INFINITY;
  const HyMachineState *st = &s->machine->state[s->now.state];
  for (guint k = st->first; s->started && k < st->first + st->n; k++) {
    next = fmin(next, s->now.due[k]);
  }
  next = s->now.n_words > 0 || (s->started && s->holds) ? s->t : next;
  return hy_fault_next(&s->fault, next);
}

static HyEvent word(const HyMoving *m)
{
  return (HyEvent){.port = (gint)m->word[0].port, .value.c = {m->word[0].value}};
}

static HyEvent machine_lambda(const void *state, double t)
{
  const HyRunning *s = state;
  if (s->now.n_words > 0) {
    return word(&s->now);
  }
  hy_running_look(s, t, FALSE, FALSE);
  hy_moving_copy(s, s->probe, &s->now);
  guint k = hy_running_choose(s, s->probe, t);
  if (k != HY_STAYS) {
    hy_running_take(s, s->probe, k, t);
  }
  return s->probe->n_words > 0 && s->probe->bad == HY_NO_PART ? word(s->probe) : HY_NO_EVENT;
}

static void drop_word(HyRunning *s)
{
  HyMoving *m = &s->now;
  if (!s->started) {
    s->early[m->word[0].port] = m->word[0].value;
  }
  m->n_words--;
  memmove(m->word, m->word + 1, m->n_words * sizeof *m->word);
}

/* Transition K is taken, and what it has changed is looked at. */
static void take(HyRunning *s, guint k, double t)
{
  gboolean stays = s->machine->transition[k].to == HY_STAYS;
  hy_running_take(s, &s->now, k, t);
  s->taken++;
  s->t = t;
  hy_running_look(s, t, !stays, TRUE);
  hy_running_commit(s);
}

/* Timeouts whose guards have not let them pass are over. */
static void pass_by(HyRunning *s, double t)
{
  const HyMachineState *st = &s->machine->state[s->now.state];
  for (guint k = st->first; k < st->first + st->n; k++) {
    s->now.due[k] = s->now.due[k] <= t ? INFINITY : s->now.due[k];
  }
  s->t = t;
  hy_running_commit(s);
}

static void machine_dint(void *state, double t)
{
  HyRunning *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  if (s->now.n_words > 0) {
    drop_word(s);
    return;
  }
  hy_running_look(s, t, FALSE, FALSE);
  guint k = hy_running_choose(s, &s->now, t);
  if (k == HY_STAYS) {
    pass_by(s, t);
    return;
  }
  take(s, k, t);
  if (s->now.n_words > 0) {
    drop_word(s);
  }
}

/* <on event="e"/> takes the event and does nothing. */
static gboolean ignores(const HyMachineTransition *tr)
{
  return tr->to == HY_STAYS && tr->acts.n == 0;
}

static void take_event(HyRunning *s, guint port, double t)
{
  guint k = hy_running_answer(s, &s->now, port, t);
  if (k == HY_STAYS || ignores(&s->machine->transition[k])) {
    s->ignored++;
  } else {
    take(s, k, t);
  }
}

/* What came at the instant of the start before all signals were known, in its order: who speaks
 * first at an instant is no reason to be lost. */
static void answer_kept(HyRunning *s, double t)
{
  for (guint k = 0; k < s->n_kept && s->kept_at == t && s->now.bad == HY_NO_PART; k++) {
    s->in[s->kept[k].port] = (HySignal){.c = {s->kept[k].value}, .t = t, .n = 1, .known = TRUE};
    take_event(s, s->kept[k].port, t);
  }
  s->ignored += s->kept_at == t ? 0 : s->n_kept;
  s->n_kept = 0;
}

static void take_signal(HyRunning *s, double t)
{
  gboolean wrong = FALSE;
  for (guint k = s->n_in; k-- > 0;) {
    gboolean event = k < s->machine->n_in && s->machine->in[k].kind == HY_EVENT;
    if (!event && !hy_signal_finite(&s->in[k])) {
      wrong = TRUE;
      s->bad_in = k;
    }
  }
  hy_fault_set(&s->fault, t, wrong);
  if (wrong) {
    return;
  }
  if (s->started) {
    hy_running_look(s, t, FALSE, TRUE);
    hy_running_commit(s);
    s->t = s->holds ? t : s->t;
  } else if (is_known(s)) {
    hy_running_start(s, t);
    answer_kept(s, t);
  }
}

static void machine_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  HyRunning *s = state;
  guint port = (guint)x->port;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  hy_signal_take(&s->in[port], t, &x->value);
  if (port >= s->machine->n_in || s->machine->in[port].kind != HY_EVENT) {
    take_signal(s, t);
    return;
  }
  if (s->started) {
    take_event(s, port, t);
  } else {
    hy_running_keep(s, port, x->value.c[0], t);
  }
}

static void machine_clear(void *state)
{
  hy_running_clear(state);
}

static void machine_tape(void *state, HyTape *tape)
{
  hy_running_tape(state, tape);
}

/* Words -------------------------------------------------------------------------------------- */

static void machine_print(const void *state, GString *out)
{
  const HyRunning *s = state;
  char number[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(%s", s->started ? s->machine->state[s->now.state].name : "waits");
  for (guint k = 0; s->started && k < s->machine->n_vars; k++) {
    g_string_append_printf(out, ",%s=%s", s->machine->var[k],
                           hy_double_text(number, s->now.var[k]));
  }
  for (guint k = 0; k < s->now.n_words; k++) {
    g_string_append_printf(out, "%s%s=%s", k == 0 ? "; to say " : " ",
                           s->machine->out[s->now.word[k].port].name,
                           hy_double_text(number, s->now.word[k].value));
  }
  g_string_append_c(out, ')');
}

static double machine_value(const void *state, double t)
{
  (void)t;
  const HyRunning *s = state;
  return s->started ? s->now.state + 1.0 : 0.0;
}

static void machine_report(const void *state, GString *out)
{
  const HyRunning *s = state;
  g_string_append_printf(out,
                         "%" G_GUINT64_FORMAT " transitions, %" G_GUINT64_FORMAT " events ignored",
                         s->taken, s->ignored);
}

static gboolean machine_silent(const void *state, guint port)
{
  const HyRunning *s = state;
  return !s->started && isnan(s->early[port]);
}

static char *machine_fault(const void *state)
{
  const HyRunning *s = state;
  if (s->now.bad == HY_NO_PART) {
    g_autofree char *read = s->bad_in < s->machine->n_in ? g_strdup(s->machine->in[s->bad_in].name)
                                                         : hy_expression_input(s->parts, s->bad_in);
    return hy_signal_fault(&s->in[s->bad_in], read != NULL ? read : HY_MACHINE_READS, &s->fault);
  }
  const HyMachinePart *p = &s->machine->part[s->now.bad];
  char number[HY_DOUBLE_SIZE];
  const char *of = p->state < s->machine->n_states ? s->machine->state[p->state].name : NULL;
  return g_strdup_printf("%s%s%s%s is %s", of != NULL ? "state " : "", of != NULL ? of : "",
                         of != NULL ? ", " : "", p->text, hy_double_text(number, s->now.worst));
}

/* The class ----------------------------------------------------------------------------------- */

void hy_machine_class(HyMachine *m, const char *doc)
{
  static const HyParam params[] = {HY_PARAM_AT(HY_MACHINE_PARTS, HyRunning, parts), {.name = NULL}};
  m->klass = (HyAtomicClass){
      .name = "machine",
      .doc = doc,
      .in = m->in,
      .out = m->out,
      .params = params,
      .state_size = sizeof(HyRunning),
      .init = machine_init,
      .next = machine_next,
      .lambda = machine_lambda,
      .dint = machine_dint,
      .dext = machine_dext,
      .clear = machine_clear,
      .tape = machine_tape,
      .print = machine_print,
      .value = machine_value,
      .report = machine_report,
      .fault = machine_fault,
      .silent = machine_silent,
  };
}

const HyMachine *hy_machine_of(const HyAtomicClass *klass)
{
  return klass != NULL && klass->init == machine_init ? (const HyMachine *)(gconstpointer)klass
                                                      : NULL;
}

void hy_machine_free(HyMachine *m)
{
  if (m != NULL) {
    g_free(m->in);
    g_free(m->out);
    g_free(m->state);
    g_free(m->transition);
    g_free(m->act);
    g_free(m->var);
    g_free(m->var_part);
    g_free(m->part);
    g_free(m);
  }
}
