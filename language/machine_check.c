/* What the graph of a machine shows while it is loaded: states that no transition reaches, states
 * that are never left, transitions that an earlier one hides. These are warnings, since the machine
 * runs all the same; a final state with transitions is an error. */
#include "language/loader.h"
#include "language/machine.h"
#include <string.h>

/* From the initial state, whatever guards say. */
static void check_reached(Loader *l, const Entry *e, const HyMachine *m)
{
  g_autofree guint8 *reached = g_new0(guint8, m->n_states);
  g_autofree guint *todo = g_new(guint, m->n_states);
  guint n = 0;
  todo[n++] = m->initial;
  reached[m->initial] = 1;
  while (n > 0) {
    const HyMachineState *s = &m->state[todo[--n]];
    for (guint k = s->first; k < s->first + s->n; k++) {
      guint to = m->transition[k].to;
      if (to != HY_STAYS && !reached[to]) {
        reached[to] = 1;
        todo[n++] = to;
      }
    }
  }
  for (guint k = 0; k < m->n_states; k++) {
    if (!reached[k]) {
      hy_machine_warn(l, e, m->state[k].line, "state \"%s\" is never reached from \"%s\"",
                      m->state[k].name, m->state[m->initial].name);
    }
  }
}

/* A machine of one state is one that only counts or answers. */
static void check_left(Loader *l, Entry *e, const HyMachine *m)
{
  for (guint k = 0; k < m->n_states; k++) {
    const HyMachineState *s = &m->state[k];
    gboolean left = m->n_states == 1;
    for (guint i = s->first; i < s->first + s->n; i++) {
      left |= m->transition[i].to != HY_STAYS && m->transition[i].to != k;
    }
    if (s->final && s->n > 0) {
      hy_machine_complain(l, e, m->transition[s->first].line,
                          "state \"%s\" is final and has a transition; one of them is wrong",
                          s->name);
    } else if (!s->final && !left) {
      hy_machine_warn(l, e, s->line,
                      "state \"%s\" can never be left; write final=\"true\" if it is the end",
                      s->name);
    }
  }
}

static gboolean is_same(const char *a, const char *b)
{
  return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* A timeout written as a number; NaN: it is a formula. */
static double number_of(const char *text)
{
  char *end;
  double v = text != NULL ? g_ascii_strtod(text, &end) : NAN;
  return text != NULL && end != text && *end == '\0' ? v : NAN;
}

/* Whenever B could be taken, A is. */
static gboolean hides(const HyMachineTransition *a, const HyMachineTransition *b)
{
  gboolean same = is_same(a->condition, b->condition);
  if (a->cause != b->cause || (a->guard != HY_NO_PART && !same)) {
    return FALSE;
  }
  switch (a->cause) {
  case HY_ON:
    return a->port == b->port;
  case HY_AFTER:
    return a->to != HY_STAYS && a->guard == HY_NO_PART &&
           (is_same(a->after, b->after) || number_of(a->after) <= number_of(b->after));
  default:
    return a->to != HY_STAYS;
  }
}

static void check_hidden(Loader *l, const Entry *e, const HyMachine *m)
{
  for (guint k = 0; k < m->n_states; k++) {
    const HyMachineState *s = &m->state[k];
    guint shown = 0;
    for (guint b = s->first; b < s->first + s->n && shown < 20; b++) {
      for (guint a = s->first; a < s->first + s->n; a++) {
        const HyMachineTransition *x = &m->transition[a], *y = &m->transition[b];
        gboolean before =
            a < b || (x->cause == HY_AFTER && number_of(x->after) < number_of(y->after));
        if (before && !y->common && hides(x, y)) {
          hy_machine_warn(
              l, e, y->line,
              "state %s: this transition is never taken, the one in line %u comes before it",
              s->name, x->line);
          shown++;
          break;
        }
      }
    }
  }
}

void hy_machine_check(Loader *l, Entry *e, const HyMachine *m)
{
  check_reached(l, e, m);
  check_left(l, e, m);
  check_hidden(l, e, m);
}
