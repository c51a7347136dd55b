/* Converters by hand, for tests: elements between nodes, signals and gates one after another. */
#ifndef CAMPAIGN_LOOP_PARTS_H
#define CAMPAIGN_LOOP_PARTS_H

#include "loop.h"

#include <string.h>

static void part_clear(Loop *l, double stop)
{
  memset(l, 0, sizeof *l);
  l->stop = stop;
  l->nodes = 1;
  l->family = l->control = "by hand";
}

static int part(Loop *l, LoopKind kind, int a, int b, double value)
{
  int k = l->elements++;
  LoopElement *e = &l->element[k];
  *e = (LoopElement){.kind = kind, .a = a, .b = b, .value = value, .gate = -1, .signal = -1};
  e->state = kind == LOOP_CAPACITOR || kind == LOOP_COIL ? l->states++ : -1;
  e->diode = kind == LOOP_DIODE || kind == LOOP_TRANSISTOR ? l->diodes++ : -1;
  g_snprintf(e->name, sizeof e->name, "E%d", k);
  l->nodes = MAX(l->nodes, MAX(a, b) + 1);
  return k;
}

static int part_from(Loop *l, LoopKind kind, int a, int b, double value, double x0)
{
  int k = part(l, kind, a, b, value);
  l->element[k].x0 = x0;
  return k;
}

static int valve(Loop *l, LoopKind kind, int a, int b, double ron, double roff, int gate)
{
  int k = part(l, kind, a, b, 0);
  l->element[k].ron = l->element[k].rd = ron;
  l->element[k].roff = roff;
  l->element[k].gate = gate;
  return k;
}

static int signal_of(Loop *l, LoopSignal s)
{
  l->signal[l->signals] = s;
  return l->signals++;
}

static int gate_of(Loop *l, LoopGate g)
{
  l->gate[l->gates] = g;
  return l->gates++;
}

#endif
