/* The modes of one block as two arrays of crossings: the state, and the copy that an evaluation
 * settles, which is working memory. A mode is 1 from the instant on at which its expression gets
 * above 0, and 0 from that at which it gets below; what it is at rest on 0 is said in
 * numerics/crossing.h. As DEVS speaks before it moves, the output is made with the copy, and the
 * transition that follows makes the copy the state. */
#include "modes.h"
#include "tape_parts.h"

#include "numerics/crossing.h"

#include <math.h>
#include <string.h>

struct HyModes {
  guint n;
  guint8 lanes;
  guint8 series; /* coefficients of expressions that are no polynomials; 0: they are some */
  guint8 started;
  double rel, least; /* how well z is known: a part of the largest |z| */
  HyCrossing *copy;  /* [n] */
  guint8 *value;     /* [n + 1] of the copy, behind it; the last: one of them has toggled */
  HyCrossing now[];  /* [n] */
};

gsize hy_modes_size(guint n)
{
  return sizeof(HyModes) + n * sizeof(HyCrossing);
}

gsize hy_modes_work_size(guint n)
{
  return n * (sizeof(HyCrossing) + 1) + 1;
}

HyModes *hy_modes_init(gpointer memory, guint n, guint lanes, gpointer work)
{
  HyModes *m = memory;
  m->n = n;
  m->lanes = (guint8)lanes;
  m->copy = work;
  m->value = (guint8 *)(m->copy + n);
  return m;
}

HyModes *hy_modes_new(guint n, guint lanes)
{
  gsize size = hy_modes_size(n);
  guint8 *memory = g_malloc0(size + hy_modes_work_size(n));
  return hy_modes_init(memory, n, lanes, memory + size);
}

void hy_modes_foretell(HyModes *m, guint series)
{
  m->series = (guint8)series;
}

void hy_modes_bear(HyModes *m, double rel, double least)
{
  m->rel = rel;
  m->least = least;
}

void hy_modes_free(HyModes *m)
{
  g_free(m);
}

void hy_modes_begin(HyModes *m)
{
  memcpy(m->copy, m->now, m->n * sizeof *m->now);
  m->value[m->n] = FALSE;
}

static gboolean is_found(const HyCrossing *c, double t)
{
  return c->tn <= t && !c->judged;
}

gboolean hy_modes_find(const HyModes *m, double t)
{
  gboolean any = FALSE;
  for (guint k = 0; k < m->n && m->started; k++) {
    any |= is_found(&m->copy[k], t);
  }
  return any;
}

void hy_modes_wait(HyModes *m, double t, double turn)
{
  for (guint k = 0; k < m->n; k++) {
    HyCrossing *c = &m->copy[k];
    c->tn = is_found(c, t) ? nextafter(turn, INFINITY) : c->tn;
  }
}

/* A mode starts as 1 where z is above 0 or rises from it. One with memory starts as 0 unless it has
 * just risen. */
static void start(HyCrossing *c, double t, const double *rises, const double *falls, int n)
{
  hy_crossing_start(c, t, rises, n, 0);
  if (falls != rises) {
    hy_crossing_start(c, t, c->sign > 0 ? falls : rises, n, c->sign);
  }
}

/* One expression, or two that are one signal now, as of a thyristor while its gate is up. */
static gboolean is_same(const double *a, const double *b, int n)
{
  return a == b || memcmp(a, b, (gsize)n * sizeof *a) == 0;
}

static void take(const HyModes *m, HyCrossing *c, double t, const double *z, int n, gboolean answer)
{
  c->bears = fmax(c->bears, fmax(m->least, m->rel * fabs(z[0])));
  if (answer) {
    hy_crossing_answer(c, t, z, n);
  } else {
    hy_crossing_input(c, t, z, n);
  }
}

void hy_modes_settle(HyModes *m, guint k, double t, const double *rises, const double *falls,
                     gboolean fresh, gboolean answer)
{
  HyCrossing *c = &m->copy[k];
  const double *z = c->sign > 0 ? falls : rises;
  int n = (int)m->lanes;
  if (!m->started) {
    start(c, t, rises, falls, n);
  } else if (fresh) {
    take(m, c, t, z, n, answer);
  }
  if (m->started && m->series > 0 && hy_crossing_is_early(c, t, z, m->series)) {
    take(m, c, t, z, m->series, answer);
  }
  if (c->tn <= t) {
    m->value[m->n] = TRUE;
    if (is_same(rises, falls, n)) {
      hy_crossing_toggle(c, t);
    } else { /* now the other expression is looked at */
      double bears = c->bears;
      hy_crossing_start(c, t, c->sign > 0 ? rises : falls, n, -c->sign);
      c->bears = bears;
    }
  }
  m->value[k] = c->sign > 0;
}

void hy_modes_input(HyModes *m, guint k, double t, const double *z, gboolean answer)
{
  if (m->started) {
    take(m, &m->now[k], t, z, (int)m->lanes, answer);
  }
}

gboolean hy_modes_is_up(const HyModes *m, guint k)
{
  return m->now[k].sign > 0;
}

void hy_modes_follow(HyModes *m, guint k, guint8 value)
{
  m->copy[k].tn = INFINITY;
  m->copy[k].sign = value ? 1 : -1;
  m->value[k] = value;
}

gboolean hy_modes_toggled(const HyModes *m)
{
  return m->value[m->n];
}

const guint8 *hy_modes_values(const HyModes *m)
{
  return m->value;
}

void hy_modes_commit(HyModes *m, gboolean final)
{
  memcpy(m->now, m->copy, m->n * sizeof *m->now);
  m->started = final != FALSE;
}

void hy_modes_tape(HyModes *m, HyTape *tape)
{
  hy_tape_whole(tape, m, hy_modes_size(m->n));
  HY_TAPE(tape, m->started);
  for (guint k = 0; k < m->n; k++) {
    hy_tape_crossing(tape, &m->now[k]);
  }
}

static double earliest(const HyCrossing *c, guint n)
{
  double tn = INFINITY;
  for (guint k = 0; k < n; k++) {
    tn = fmin(tn, c[k].tn);
  }
  return tn;
}

double hy_modes_next(const HyModes *m)
{
  return earliest(m->now, m->n);
}

double hy_modes_copy_next(const HyModes *m)
{
  return earliest(m->copy, m->n);
}
