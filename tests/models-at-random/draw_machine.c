/* A state machine: states in a ring and across, by timeouts, events and guards that leave none at
 * the instant at which it is entered. */
#include "draw.h"

static void draw_assignment(Draw *d, Element *e, const char *name)
{
  static const char *const what[] = {"v = v + 1", "v = 0", "v = elapsed; w = w + v", "w = 1 - w",
                                     "w = min(v, 3)"};
  if (chance(&d->dice, 0.4)) {
    element_set(e, name, "%s", what[below(&d->dice, G_N_ELEMENTS(what))]);
  }
}

static void draw_transition(Scope *s, Element *state, int states, gboolean hears, gboolean reads)
{
  Draw *d = s->d;
  double which = uniform(&d->dice, 0, 1);
  const char *tag = which < 0.4 || (!hears && !reads) ? "after"
                    : which < 0.7 && hears            ? "on"
                    : reads                           ? "when"
                                                      : "after";
  Element *t = element_add(state, element_new(tag));
  double time = draw_time(d);
  if (*tag == 'a') {
    element_set(t, "time", chance(&d->dice, 0.8) ? "%.4g" : "%.4g*(1 + random)", time);
  } else if (*tag == 'o') {
    element_set(t, "event", "e");
    if (chance(&d->dice, 0.4)) {
      element_set(t, "guard", "elapsed > %.4g", time);
    }
  } else {
    element_set(t, "guard",
                chance(&d->dice, 0.5) ? "(u > %.4g) and (elapsed >= %.4g)"
                                      : "(u - 0.5*w > %.4g) and (elapsed > %.4g)",
                rounded(uniform(&d->dice, -1, 1)), time);
  }
  element_set(t, "to", "s%d", 1 + below(&d->dice, states));
  draw_assignment(d, t, "do");
}

void draw_machine(Scope *s)
{
  static const char *const said[] = {"%d", "(%d + v)", "(0.5*w - %d)", "max(v, %d)"};
  Draw *d = s->d;
  g_autofree char *name = draw_name(d);
  gboolean hears = s->events->len > 0 && chance(&d->dice, 0.6), reads = chance(&d->dice, 0.5);
  int states = 2 + below(&d->dice, 3);
  Element *m = element_add(s->at, element_new("machine"));
  element_set(m, "name", "%s", name);
  if (hears) {
    element_set(m, "e", "%s", (char *)s->events->pdata[below(&d->dice, (int)s->events->len)]);
  }
  if (reads) {
    g_autofree char *u = draw_formula(s, 2);
    element_set(m, "u", "%s", u);
  }
  element_set(m, "initial", "s1");
  element_set(element_add(m, element_new("var")), "name", "v");
  element_set(element_add(m, element_new("var")), "name", "w");
  for (int k = 1; k <= states; k++) {
    Element *state = element_add(m, element_new("state"));
    element_set(state, "name", "s%d", k);
    element_set(state, "out", said[below(&d->dice, G_N_ELEMENTS(said))], k);
    draw_assignment(d, state, "entry");
    draw_assignment(d, state, "exit");
    for (int n = 1 + below(&d->dice, 3); n > 0; n--) {
      draw_transition(s, state, states, hears, reads);
    }
  }
  draw_readable(s->signals, "%s", name);
}
