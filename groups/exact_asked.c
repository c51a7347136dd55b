/* What an exact block is to others: states, asked for on the grid of a recording, and readings.
 *
 * In a configuration a linear reading is y = C x + D u + e, its line; sines of the time are among
 * u. All that is asked at one instant is of one state: x(t) and u(t) are computed once, and each
 * reading is a sum of few terms. Where these cancel, as in (u - x)/R behind a small resistance, the
 * sum is taken in two doubles, and so are the factors, always: what the currents of a node have in
 * common is then the same in each of them, and Kirchhoff's sum is 0 to rounding of the currents
 * however small R is. */
#include "exact_internal.h"

#include "numerics/sine.h"

#include <math.h>
#include <string.h>

#define CANCELS 0x1p-8 /* of the terms: a sum that is less has lost eight bits */
#define OFTEN   32     /* reads of a configuration by its rows: then lines pay */

enum { HUB_UNKNOWN, HUB_SUM, HUB_BENT };

/* Of a reading, its terms: factors, and places in HyExactAsked.at. */
typedef struct {
  guint n;
  guint32 *place;
  Two factor[];
} Line;

/* Lines --------------------------------------------------------------------------------------- */

static guint find_sine(const Exact *e, double w)
{
  guint i = 0;
  while (i < (guint)e->sines.n && e->turn[i] != w) {
    i++;
  }
  return i;
}

/* That of a row that is not linear, if it is but for sines that the block has; else NULL. When all
 * that it reads has spoken. */
static HyWavyRow *wavy_row(const HyClassic *g, const Exact *e, guint32 number)
{
  gpointer key = GUINT_TO_POINTER(number), found;
  if (g_hash_table_lookup_extended(e->asked.wavy, key, NULL, &found)) {
    return found;
  }
  HyWavyRow *y = hy_wavy_row_new(g->room, &g->room->run[number]);
  gboolean has = y != NULL && e->inputs > g->rows.n_outer;
  for (guint k = 0; has && k < y->wave->len; k++) {
    has = find_sine(e, g_array_index(y->wave, HyWave, k).w) < (guint)e->sines.n;
  }
  if (!has) {
    hy_wavy_row_free(y);
    y = NULL;
  }
  g_hash_table_insert(e->asked.wavy, key, y);
  return y;
}

static void add(Two *to, Two factor, Two by)
{
  *to = two_gather(*to, factor, by);
}

static gboolean find_row(HyClassic *g, Exact *e, guint32 number, Two *row);

/* The row of hub K in the modes as they were assumed; NULL: it is no sum. */
static const Two *hub_row(HyClassic *g, Exact *e, guint k)
{
  HyExactAsked *a = &e->asked;
  guint n = g->rows.hub->len;
  Two *row = a->hub + k * exact_width(g, e);
  if (a->hubs_of != e->now) {
    memset(a->hub_is, HUB_UNKNOWN, n);
    a->hubs_of = e->now;
  }
  if (a->hub_is[k] == HUB_UNKNOWN) {
    a->hub_is[k] = find_row(g, e, hy_classic_number_of_row(g, g->n + k), row) ? HUB_SUM : HUB_BENT;
  }
  return a->hub_is[k] == HUB_SUM ? row : NULL;
}

/* Adds FACTOR times what is said at SLOT to ROW. */
static gboolean add_slot(HyClassic *g, Exact *e, guint slot, Two factor, Two *row)
{
  guint32 i = hy_classic_place(g, slot), k = hy_classic_outer(g, slot);
  gsize wide = exact_width(g, e);
  if (i != HY_NO_PLACE || k != HY_NO_PLACE) {
    add(&row[i != HY_NO_PLACE ? i : g->n + k], factor, two_of(1.0));
    return TRUE;
  }
  if (factor.h == 0.0) {
    return TRUE;
  }
  const Two *hub = hub_row(g, e, hy_classic_hub(g, slot));
  for (gsize c = 0; c < wide && hub != NULL; c++) {
    if (hub[c].h != 0.0) {
      add(&row[c], factor, hub[c]);
    }
  }
  return hub != NULL;
}

static void add_wave(const HyClassic *g, const Exact *e, const HyWave *wave, Two factor, Two *row)
{
  Two *to = row + g->n + g->rows.n_outer + 2 * (gsize)find_sine(e, wave->w);
  add(&to[0], factor, two_of(wave->sine));
  add(&to[1], factor, two_of(wave->cosine));
}

/* The row of that number, hubs put into it, in the modes as they were assumed. */
static gboolean find_row(HyClassic *g, Exact *e, guint32 number, Two *row)
{
  HyRunRow *r = &g->room->run[number];
  HyWavyRow *y = r->linear ? NULL : wavy_row(g, e, number);
  if (!r->linear && y == NULL) {
    return FALSE;
  }
  const guint8 *choice = hy_classic_choices(g, number);
  guint n = y != NULL ? y->shape->n_slots : r->n_slots;
  g_autofree Two *factor = g_new(Two, (gsize)n + 1);
  memset(row, 0, exact_width(g, e) * sizeof *row);
  if (!(y != NULL ? hy_wavy_row_exactly(y, choice, factor)
                  : hy_template_factors(r->shape, r->number, choice, factor))) {
    return FALSE;
  }
  gboolean ok = TRUE;
  for (guint k = 0; k < n; k++) {
    guint slot = y != NULL ? g_array_index(y->as.slot, guint32, k) : k;
    if (slot < r->n_slots) {
      ok = ok && add_slot(g, e, r->slot[slot], factor[k], row);
    } else {
      add_wave(g, e, &g_array_index(y->wave, HyWave, slot - r->n_slots), factor[k], row);
    }
  }
  add(&row[exact_width(g, e) - 1], factor[n], two_of(1.0));
  return ok;
}

static Line *line_new(gsize wide, const Two *row)
{
  guint n = 0;
  for (gsize c = 0; c < wide; c++) {
    n += row[c].h != 0.0;
  }
  Line *line = g_malloc(sizeof *line + n * (sizeof(Two) + sizeof(guint32)));
  line->n = 0;
  line->place = (guint32 *)(gpointer)(line->factor + n);
  for (gsize c = 0; c < wide; c++) {
    if (row[c].h != 0.0) {
      line->factor[line->n] = row[c];
      line->place[line->n++] = (guint32)c;
    }
  }
  return line;
}

/* Those of LINE are wanted from now on; FALSE: they have been. */
static gboolean mark_inputs(const HyClassic *g, const Exact *e, const Line *line)
{
  gboolean more = FALSE;
  for (guint k = 0; k < line->n; k++) {
    if (line->place[k] >= g->n) {
      more |= !e->asked.used[line->place[k] - g->n];
      e->asked.used[line->place[k] - g->n] = TRUE;
    }
  }
  return more;
}

/* In the configuration that stands; NULL: R is no such sum. */
static const Line *line_of(HyClassic *g, Exact *e, const HyReading *r)
{
  Configuration *c = e->now;
  if (c->asked == NULL) {
    c->asked = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_set_size(c->asked, (gint)g->m);
  }
  gpointer *line = &g_ptr_array_index(c->asked, r->place);
  if (*line == NULL && !e->asked.bends[r->place]) {
    gsize wide = exact_width(g, e);
    g_autofree Two *row = g_new(Two, wide);
    gboolean as_was = g->rows.as_was;
    g->rows.as_was = TRUE;
    if (find_row(g, e, r->row, row)) {
      *line = line_new(wide, row);
      if (mark_inputs(g, e, *line)) {
        e->asked.inputs_known = FALSE;
      }
      e->asked.bytes += wide * (sizeof(Two) + sizeof(guint32));
    } else {
      e->asked.bends[r->place] = TRUE;
    }
    g->rows.as_was = as_was;
  }
  return *line;
}

static inline double line_at(const Line *line, const double *at)
{
  double sum = 0.0, size = 0.0;
  for (guint k = 0; k < line->n; k++) {
    double term = line->factor[k].h * at[line->place[k]];
    sum += term;
    size += fabs(term);
  }
  if (fabs(sum) >= CANCELS * size) {
    return sum;
  }
  Two exact = two_of(0.0);
  for (guint k = 0; k < line->n; k++) {
    exact = two_gather(exact, line->factor[k], two_of(at[line->place[k]]));
  }
  return exact.h;
}

static void forget_hubs(const HyClassic *g, Exact *e)
{
  memset(e->asked.hub_is, HUB_UNKNOWN, g->rows.hub->len);
  e->asked.hubs_of = e->now;
}

void hy_exact_lost(HyClassic *g, Exact *e, double *lost)
{
  gsize n = g->n;
  g_autofree Two *row = g_new0(Two, exact_width(g, e));
  forget_hubs(g, e);
  for (gsize i = 0; i < n; i++) {
    gboolean known = find_row(g, e, hy_classic_row(g, (guint)i), row);
    for (gsize k = 0; k < n && known; k++) {
      Two left = two_add(row[k], two_of(-e->a[i * n + k]));
      double more = left.h + left.l;
      lost[i * n + k] = isfinite(more) ? more : 0.0;
    }
  }
  forget_hubs(g, e);
}

/* An instant ---------------------------------------------------------------------------------- */

/* The modes are those of the step that stands. */
static gboolean modes_stand(const HyClassic *g, const Exact *e)
{
  gboolean stand = TRUE;
  for (guint k = 0; k < g->rows.n_flags; k++) {
    stand &= g->room->flag[g->rows.flag[k]] == e->now->modes[k];
  }
  return stand;
}

const double *hy_exact_look(HyClassic *g, double t)
{
  Exact *e = g->method_state;
  HyExactAsked *a = &e->asked;
  double s = t == g->own.next ? g->own.after : t - e->base;
  if (a->t != t || a->s != s || a->steps != g->totals.steps || a->words != g->room->words) {
    g->stepper->dense(g, t, 0, a->at);
    g->stepper->late(g, t, a->at);
    for (int i = 0; i < e->sines.n; i++) {
      a->turned[i] = 1.0 + (t == e->base ? 0.0 : e->sines.turned[i]);
    }
    a->t = t;
    a->s = s;
    a->steps = g->totals.steps;
    a->words = g->room->words;
    a->inputs_known = FALSE;
  }
  return a->at;
}

/* e^(j w t) of sine I: at the instant that has been looked at, by what the motion has made of it.
 */
static double complex sine_looked_at(const Exact *e, int i)
{
  return hy_times(e->asked.begin[i], e->asked.turned[i]);
}

static double complex sine_at(const Exact *e, int i, double t)
{
  double angle = hy_sine_angle(e->turn[i] / HY_FULL_TURN, 0.0, t);
  return hy_complex(cos(angle), sin(angle));
}

/* At T the inputs that lines are made of, [inputs + 1], as they were assumed, and, unless it is
 * NULL, their slopes. */
static void set_inputs(const HyClassic *g, const Exact *e, double t, double *input, double *slope)
{
  guint n = g->rows.n_outer;
  for (guint k = 0; k < n; k++) {
    if (e->asked.used[k]) {
      input[k] = hy_classic_outer_value(g, k, &g->rows.assumed[k], t);
      if (slope != NULL) {
        slope[k] = hy_classic_outer_slope(g, k, &g->rows.assumed[k], t);
      }
    }
  }
  for (guint k = n; k < e->inputs; k += 2) {
    int i = (int)(k - n) / 2;
    if (e->asked.used[k] || e->asked.used[k + 1]) {
      double complex z = sine_at(e, i, t);
      input[k] = cimag(z);
      input[k + 1] = creal(z);
      if (slope != NULL) {
        slope[k] = e->turn[i] * creal(z);
        slope[k + 1] = -e->turn[i] * cimag(z);
      }
    }
  }
  input[e->inputs] = 1.0;
}

/* Likewise as they are, at the instant that has been looked at. Sines are those of the motion: what
 * follows one and that one itself are as near to each other as they are. */
static void look_at_inputs(HyClassic *g, Exact *e, double t)
{
  HyExactAsked *a = &e->asked;
  double *input = a->at + g->n;
  guint n = g->rows.n_outer;
  for (int i = 0; i < e->sines.n && a->begun != e->base; i++) {
    a->begin[i] = sine_at(e, i, e->base);
  }
  a->begun = e->base;
  for (guint k = 0; k < n; k++) {
    const HySine *sine = &g->rows.sine[k];
    if (a->used[k] && e->sine[k] != HY_NO_SINE) {
      double complex phase = hy_complex(cos(sine->phase), sin(sine->phase));
      input[k] = sine->amplitude * cimag(hy_times(sine_looked_at(e, (int)e->sine[k]), phase)) +
                 sine->offset;
    } else if (a->used[k]) {
      input[k] = hy_classic_outer_value(g, k, &g->room->signal[g->rows.outer[k]], t);
    }
  }
  for (guint k = n; k < e->inputs; k += 2) {
    if (a->used[k] || a->used[k + 1]) {
      double complex z = sine_looked_at(e, (int)(k - n) / 2);
      input[k] = cimag(z);
      input[k + 1] = creal(z);
    }
  }
  input[e->inputs] = 1.0;
  a->stands = modes_stand(g, e);
  a->inputs_known = TRUE;
}

gboolean hy_exact_ask(HyClassic *g, const HyReading *r, double t, double *y)
{
  Exact *e = g->method_state;
  hy_exact_look(g, t);
  const Line *line = line_of(g, e, r);
  if (line == NULL) {
    return FALSE;
  }
  if (!e->asked.inputs_known) {
    look_at_inputs(g, e, t);
  }
  if (e->asked.stands) {
    *y = line_at(line, e->asked.at);
  }
  return e->asked.stands;
}

/* Of what is spoken, which comes first; NULL: some of it is none, or it is not worth while. */
static const Line *const *spoken_lines(HyClassic *g, Exact *e)
{
  Configuration *c = e->now;
  if (*c->reads < OFTEN) {
    ++*c->reads;
    return NULL;
  }
  for (; c->n_spoken < g->spoken; c->n_spoken++) {
    if (line_of(g, e, g->reading[c->n_spoken]) == NULL) {
      return NULL;
    }
  }
  return (const Line *const *)c->asked->pdata;
}

gboolean hy_exact_read(HyClassic *g, double t, double *y, double *dy)
{
  Exact *e = g->method_state;
  double *at = e->asked.value, *slope = e->asked.slope;
  const Line *const *line = e->now != NULL ? spoken_lines(g, e) : NULL;
  if (line == NULL) {
    return FALSE;
  }
  memcpy(at, y, g->n * sizeof *at);
  set_inputs(g, e, t, at + g->n, dy != NULL ? slope + g->n : NULL);
  if (dy != NULL) {
    memcpy(slope, dy, g->n * sizeof *slope);
  }
  for (guint k = 0; k < g->spoken; k++) {
    y[g->n + k] = line_at(line[k], at);
    if (dy != NULL) {
      dy[g->n + k] = line_at(line[k], slope);
    }
  }
  return TRUE;
}

/* Life ---------------------------------------------------------------------------------------- */

void hy_exact_asked_init(const HyClassic *g, Exact *e)
{
  e->asked.at = g_new0(double, exact_width(g, e));
  e->asked.value = g_new0(double, exact_width(g, e));
  e->asked.slope = g_new0(double, exact_width(g, e));
  e->asked.used = g_new0(guint8, (gsize)e->inputs + 1);
  e->asked.turned = g_new0(double complex, (gsize)e->sines.n + 1);
  e->asked.begin = g_new0(double complex, (gsize)e->sines.n + 1);
  e->asked.begun = NAN;
  e->asked.bends = g_new0(guint8, (gsize)g->m + 1);
  e->asked.hub = g_new(Two, g->rows.hub->len * exact_width(g, e) + 1);
  e->asked.hub_is = g_new0(guint8, (gsize)g->rows.hub->len + 1);
  e->asked.wavy = g_hash_table_new_full(NULL, NULL, NULL, hy_wavy_row_free);
  e->asked.t = NAN;
}

void hy_exact_asked_forget(Exact *e)
{
  e->asked.hubs_of = NULL;
  e->asked.bytes = 0;
}

void hy_exact_asked_clear(Exact *e)
{
  g_free(e->asked.at);
  g_free(e->asked.value);
  g_free(e->asked.slope);
  g_free(e->asked.used);
  g_free(e->asked.turned);
  g_free(e->asked.begin);
  g_free(e->asked.bends);
  g_free(e->asked.hub);
  g_free(e->asked.hub_is);
  g_clear_pointer(&e->asked.wavy, g_hash_table_unref);
}
