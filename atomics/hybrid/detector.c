#include "hybrid/detector.h"
#include "expr/tape_parts.h"
#include "hydevs/trace.h"

#include <string.h>

static void start(HyDetector *s, double t)
{
  double z[4];
  hy_signal_at(&s->in, t, z);
  z[0] -= s->level;
  hy_crossing_start(&s->cross, t, z, (int)s->in.n, 0);
  hy_fault_set(&s->fault, t, !hy_signal_finite(&s->in));
}

gboolean hy_detector_init(HyDetector *s, double t, const HySetup *setup, GError **error)
{
  s->cross.tn = INFINITY;
  if (!hy_signal_init(&s->in, t, setup, 0, error)) {
    return FALSE;
  }
  if (s->in.known) {
    start(s, t);
  }
  return TRUE;
}

void hy_detector_lead(HyDetector *s, const HySetup *setup)
{
  s->room = setup->room;
  s->meets = setup->room != NULL && setup->input[0] == HY_WIRED
                 ? hy_room_add_meeting(setup->room, setup->number, 0)
                 : NULL;
}

static gboolean is_led(const HyDetector *s)
{
  return s->meets != NULL && s->meets->live;
}

void hy_detector_read(const HyDetector *s, double t, double *c)
{
  if (is_led(s)) {
    hy_room_read_meeting(s->room, s->meets, t, c);
  } else {
    hy_signal_at(&s->in, t, c);
  }
}

/* The group begins to look for it at the side where in was last. */
void hy_detector_ask(HyDetector *s, double t)
{
  if (!is_led(s)) {
    return;
  }
  if (!s->in.known || s->fault.wrong) {
    hy_room_read_meeting(s->room, s->meets, t, s->in.c);
    s->in.t = t;
    s->in.known = TRUE;
    start(s, t);
  }
  HyMeeting *m = s->meets;
  m->from = t;
  m->value = s->level;
  m->slope = m->margin = 0.0;
  m->until = INFINITY;
  m->above = s->cross.sign > 0;
  m->met = NAN;
  hy_room_meet(s->room, m, t);
}

void hy_detector_input(HyDetector *s, double t, const HyValue *v)
{
  double z[4];
  if (is_led(s) || hy_fault_stands(&s->fault, t)) {
    return;
  }
  gboolean again = s->in.known && !s->fault.wrong;
  hy_signal_take(&s->in, t, v);
  if (!again) {
    start(s, t);
    return;
  }
  hy_signal_at(&s->in, t, z);
  z[0] -= s->level;
  hy_crossing_input(&s->cross, t, z, (int)s->in.n);
  hy_fault_set(&s->fault, t, !hy_signal_finite(&s->in));
}

double hy_detector_next(const HyDetector *s)
{
  return hy_fault_next(&s->fault, is_led(s) ? s->meets->at : s->cross.tn);
}

gboolean hy_detector_passes(const HyDetector *s, double t)
{
  gboolean up = s->cross.sign < 0;
  gboolean now = is_led(s) ? s->meets->found && t >= s->meets->at : t >= s->cross.tn;
  return now && strcmp(s->direction, up ? "down" : "up") != 0;
}

void hy_detector_toggle(HyDetector *s, double t)
{
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  if (!is_led(s)) {
    hy_crossing_toggle(&s->cross, t);
  } else if (s->meets->found && t >= s->meets->at) {
    s->cross.sign = (signed char)-s->cross.sign;
  }
}

void hy_detector_tape(HyDetector *s, HyTape *tape)
{
  hy_signal_tape(&s->in, tape);
  hy_tape_crossing(tape, &s->cross);
  hy_tape_fault(tape, &s->fault);
}

void hy_detector_print(const void *state, GString *out)
{
  const HyDetector *s = state;
  const char *side = !s->in.known ? "unknown" : s->cross.sign > 0 ? "above" : "below";
  g_string_append_printf(out, "(%s)", side);
}

char *hy_detector_fault(const void *state)
{
  const HyDetector *s = state;
  return hy_signal_fault(&s->in, "in", &s->fault);
}
