/* When a signal has come to stay near what it is at the end, which nobody knows before: it is last
 * outside of a band in the last panel that reaches beyond it. What may be that panel for any band
 * above is each one that reaches higher than all that follow it, and below likewise: two lists, in
 * which the newest panel takes the place of all that it reaches beyond. Of what comes nearer and
 * nearer that is every panel; the oldest half of a list that is too long is given up, which is as
 * far away as the signal has been. */
#include "measures_internal.h"

#include "base/tape.h"

#include <math.h>

#define MOST 4096U

typedef struct {
  HyPanel panel;
  double reach; /* how high it comes; in the list below, with the other sign */
} Reaches;

struct HySettling {
  GArray *side[2];          /* Reaches, the farthest first: above, below */
  double lost[2];           /* how far what was given up reached; -INFINITY: nothing was */
  double from, first, last; /* when and what it was first; what it was last */
};

HySettling *hy_settling_new(void)
{
  HySettling *s = g_new0(HySettling, 1);
  for (guint k = 0; k < 2; k++) {
    s->side[k] = g_array_new(FALSE, FALSE, sizeof(Reaches));
    s->lost[k] = -INFINITY;
  }
  s->from = NAN;
  return s;
}

void hy_settling_free(HySettling *s)
{
  if (s != NULL) {
    g_array_unref(s->side[0]);
    g_array_unref(s->side[1]);
    g_free(s);
  }
}

static void add(HySettling *s, guint k, const HyPanel *x, double reach)
{
  GArray *side = s->side[k];
  while (side->len > 0 && g_array_index(side, Reaches, side->len - 1).reach <= reach) {
    g_array_set_size(side, side->len - 1);
  }
  if (side->len == MOST) {
    s->lost[k] = fmax(s->lost[k], g_array_index(side, Reaches, 0).reach);
    g_array_remove_range(side, 0, MOST / 2);
  }
  Reaches r = {*x, reach};
  g_array_append_val(side, r);
}

void hy_settling_panel(HySettling *s, const HyPanel *x)
{
  double least = INFINITY, most = -INFINITY;
  hy_panel_extremes(x, &least, &most);
  if (isnan(s->from)) {
    s->from = x->from;
    s->first = x->begin;
  }
  s->last = x->end;
  add(s, 0, x, most);
  add(s, 1, x, -least);
}

void hy_settling_end(HySettling *s, double v)
{
  s->last = v;
}

/* When X is beyond LEVEL for the last time. */
static double leaves(const HyPanel *x, double level, gboolean above)
{
  double at[HY_PANEL_NODES];
  int n = hy_panel_meets(x, level, at);
  gboolean outside = above ? x->end > level : x->end < level;
  return outside || n == 0 ? x->to : hy_panel_time(x, at[n - 1]);
}

/* Of one side; -INFINITY: it never is, NaN: that is not known. */
static double left_side(const HySettling *s, guint k, double level)
{
  const GArray *side = s->side[k];
  double limit = k == 0 ? level : -level;
  for (guint i = side->len; i-- > 0;) {
    const Reaches *r = &g_array_index(side, Reaches, i);
    if (r->reach > limit) {
      return leaves(&r->panel, level, k == 0);
    }
  }
  return s->lost[k] > limit ? NAN : -INFINITY;
}

double hy_settling_time(const HySettling *s, double part)
{
  double band = part * fabs(s->last - s->first);
  if (isnan(s->from) || !(band > 0.0)) {
    return NAN;
  }
  double above = left_side(s, 0, s->last + band), below = left_side(s, 1, s->last - band);
  return isnan(above) || isnan(below) ? NAN : fmax(s->from, fmax(above, below));
}

static void reaches_tape(Reaches *r, HyTape *tape)
{
  HyPanel *x = &r->panel;
  HY_TAPE(tape, x->from);
  HY_TAPE(tape, x->to);
  HY_TAPE(tape, x->begin);
  HY_TAPE(tape, x->end);
  HY_TAPE_ARRAY(tape, x->p, HY_PANEL_NODES);
  HY_TAPE(tape, x->n);
  HY_TAPE(tape, r->reach);
  if (x->n < 1 || x->n > HY_PANEL_NODES) {
    x->n = 1;
    hy_tape_reject(tape, "a panel has more parts than there are");
  }
}

void hy_settling_tape(HySettling *s, HyTape *tape)
{
  for (guint k = 0; k < 2; k++) {
    hy_tape_array(tape, "panels", s->side[k]);
    for (guint i = 0; hy_tape_files(tape) && i < s->side[k]->len; i++) {
      reaches_tape(&g_array_index(s->side[k], Reaches, i), tape);
    }
  }
  HY_TAPE_ARRAY(tape, s->lost, 2);
  HY_TAPE(tape, s->from);
  HY_TAPE(tape, s->first);
  HY_TAPE(tape, s->last);
}
