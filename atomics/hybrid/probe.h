/* An input that a block reads at instants of its own. Where it is made of the states of a group
 * that is solved exactly, it asks that group what the input is (equations/meetings.h), and what is
 * said of it in pieces does not matter. */
#ifndef HYDEVS_ATOMICS_HYBRID_PROBE_H
#define HYDEVS_ATOMICS_HYBRID_PROBE_H

#include "hydevs/atomic.h"
#include "input.h"

struct HyMeeting;

typedef struct {
  HySignal in; /* as it is said; or what the group has said last */
  HyFault fault;
  struct HyRoom *room;
  struct HyMeeting *asks; /* NULL: there is nobody who could say it */
} HyProbe;

/* SETTLES: a value is what stands behind all events of its instant. */
gboolean hy_probe_init(HyProbe *p, double t, const HySetup *setup, guint port, gboolean settles,
                       GError **error);
/* In dext: a word. One who asks is deaf to it. */
void hy_probe_take(HyProbe *p, double t, const HyValue *v);
/* A group says what it is. */
gboolean hy_probe_is_led(const HyProbe *p);
/* What it is at T, in lambda. */
double hy_probe_value(const HyProbe *p, double t);
/* Likewise in dint and dext, where it is kept in IN and judged. */
double hy_probe_read(HyProbe *p, double t);
/* It stays open until time goes on: then there is news whenever it may be another value. */
void hy_probe_leave_open(HyProbe *p, double t);
/* The group has begun to say it, or may say another value of what is open: that is an internal
 * event of its own, without output, and hy_probe_hear() its transition. */
double hy_probe_news(const HyProbe *p);
void hy_probe_hear(HyProbe *p, double t);

void hy_probe_tape(HyProbe *p, HyTape *tape);

#endif
