#include "hybrid/probe.h"
#include "equations/meetings.h"
#include "expr/tape_parts.h"

gboolean hy_probe_init(HyProbe *p, double t, const HySetup *setup, guint port, gboolean settles,
                       GError **error)
{
  if (!hy_signal_init(&p->in, t, setup, port, error)) {
    return FALSE;
  }
  p->room = setup->room;
  p->asks = setup->room != NULL && setup->input[port] == HY_WIRED
                ? hy_room_add_meeting(setup->room, setup->number, port)
                : NULL;
  if (p->asks != NULL) {
    p->asks->probes = TRUE;
    p->asks->settles = settles != FALSE;
  }
  return TRUE;
}

gboolean hy_probe_is_led(const HyProbe *p)
{
  return p->asks != NULL && p->asks->live;
}

double hy_probe_news(const HyProbe *p)
{
  return p->asks != NULL ? p->asks->at : INFINITY;
}

void hy_probe_take(HyProbe *p, double t, const HyValue *v)
{
  if (!hy_probe_is_led(p)) {
    hy_signal_take(&p->in, t, v);
    hy_fault_set(&p->fault, t, !hy_signal_finite(&p->in));
  }
}

double hy_probe_value(const HyProbe *p, double t)
{
  return hy_probe_is_led(p) ? hy_room_probe(p->room, p->asks, t) : hy_signal_value(&p->in, t);
}

double hy_probe_read(HyProbe *p, double t)
{
  if (hy_probe_is_led(p)) {
    HyValue v = {.c = {hy_room_probe(p->room, p->asks, t)}};
    hy_signal_take(&p->in, t, &v);
    hy_fault_set(&p->fault, t, !isfinite(v.c[0]));
  }
  return hy_signal_value(&p->in, t);
}

void hy_probe_leave_open(HyProbe *p, double t)
{
  if (p->asks != NULL) {
    p->asks->open = t;
  }
}

void hy_probe_hear(HyProbe *p, double t)
{
  p->asks->at = INFINITY;
  hy_probe_read(p, t);
}

void hy_probe_tape(HyProbe *p, HyTape *tape)
{
  hy_signal_tape(&p->in, tape);
  hy_tape_fault(tape, &p->fault);
}
