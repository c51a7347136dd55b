/* Integrals that blocks ask for (equations/meetings.h), gathered along the step that stands, by
 * Gauss's rule of 8 points on panels that last a quarter of a turn of the fastest mode that is
 * still there, of the fastest sine and of the fastest harmonic: so a product of two turns by a half
 * in each, and what is missed is below rounding (numerics/gauss.h). Of products of more the panels
 * are shorter by as much. What is no polynomial of the states, a root or a quotient, bends as it
 * likes: its panels are halved until two halves are what the whole is. They are common to all sums,
 * as the states at an instant are the same for all of them. */
#include "classic_internal.h"

#include "groups.h"

#include "equations/static_block.h"
#include "numerics/gauss.h"
#include "numerics/sine.h"

#include <math.h>

#define LARGEST 8 /* degree of a product that is taken at its word */
#define ALIKE                                                                                      \
  1e-8 /* of the integral of |y|: two halves are then right to 1e-12, where y is smooth */
#define MOST_HALVINGS 12

/* The last wave that was computed at an instant. */
typedef struct {
  double turns, cosine, sine;
} Wave;

static HyMeeting *probe(const HyClassic *g, guint k)
{
  return g_ptr_array_index(g->probe, k);
}

/* The first probe that hears the same. */
static guint32 like(const HyClassic *g, const HyMeeting *m)
{
  guint32 k = 0;
  while (probe(g, k)->reading->slot != m->reading->slot) {
    k++;
  }
  return k;
}

/* Sums of one wave beside each other. */
static gint by_turns(gconstpointer a, gconstpointer b)
{
  const HyMeeting *const *x = a, *const *y = b;
  return ((*x)->turns > (*y)->turns) - ((*x)->turns < (*y)->turns);
}

/* A cosine counts as a factor. */
static guint sum_degree(const HyMeeting *m)
{
  switch (m->sums) {
  case HY_SUMS_SQUARE:
    return 2 * m->degree;
  case HY_SUMS_PRODUCT:
    return m->degree + m->with->degree;
  case HY_SUMS_COSINE:
  case HY_SUMS_SINE:
    return m->degree + 1;
  default:
    return m->degree;
  }
}

void hy_classic_find_sums(HyClassic *g)
{
  g->sum = g_ptr_array_new();
  g->sum_fastest = NAN;
  g->sum_value = g_new0(double, (gsize)g->probe->len + 1);
  g->sum_degree = 2;
  for (guint k = 0; k < g->probe->len; k++) {
    HyMeeting *m = probe(g, k);
    m->like = like(g, m);
    if (m->sums != HY_SUMS_NOT) {
      g_ptr_array_add(g->sum, m);
      g->sum_degree = MAX(g->sum_degree, sum_degree(m));
    }
  }
  g_ptr_array_sort(g->sum, by_turns);
  g->sum_part = g_new0(double, (gsize)g->sum->len + 1);
}

static double sums_fastest(HyClassic *g)
{
  if (isnan(g->sum_fastest)) {
    g->sum_fastest = 0.0;
    for (guint k = 0; k < g->probe->len; k++) {
      const HyMeeting *m = probe(g, k);
      g->sum_fastest = fmax(g->sum_fastest, hy_classic_row_fastest(g, m->reading->row));
      g->sum_fastest = fmax(g->sum_fastest, m->sums != HY_SUMS_NOT ? HY_FULL_TURN * m->turns : 0.0);
    }
  }
  return g->sum_fastest;
}

/* The factor of Y at T. */
static double sum_factor(const HyClassic *g, const HyMeeting *m, double t, double y, Wave *wave)
{
  if (m->turns > 0.0 && m->turns != wave->turns) {
    double angle = hy_sine_angle(m->turns, 0.0, t);
    *wave = (Wave){m->turns, cos(angle), sin(angle)};
  }
  switch (m->sums) {
  case HY_SUMS_SQUARE:
    return y;
  case HY_SUMS_COSINE:
    return wave->cosine;
  case HY_SUMS_SINE:
    return wave->sine;
  case HY_SUMS_PRODUCT:
    return g->sum_value[m->with->place];
  default:
    return 1.0;
  }
}

static gboolean sum_is_live(const HyMeeting *m)
{
  return m->live && (m->with == NULL || m->with->live);
}

/* What all that are live hear at T. */
static void hear_all(HyClassic *g, double t)
{
  for (guint k = 0; k < g->probe->len; k++) {
    const HyMeeting *m = probe(g, k);
    if (m->live && hy_meeting_is_of_sum(m)) {
      const HyMeeting *first = probe(g, m->like);
      gboolean known = m->like < k && first->live && hy_meeting_is_of_sum(first);
      g->sum_value[k] = known ? g->sum_value[m->like] : hy_classic_ask(g->room, m->reading, t);
    }
  }
}

/* From FROM on for H: to PART, [sums]; and of its absolute value to SIZE, unless that is NULL. */
static void gather_panel(HyClassic *g, double from, double h, double *part, double *size)
{
  memset(part, 0, g->sum->len * sizeof *part);
  for (guint i = 0; i < HY_GAUSS_POINTS; i++) {
    double t = from + h * hy_gauss_point[i], weight = h * hy_gauss_weight[i];
    Wave wave = {.turns = 0.0};
    hear_all(g, t);
    for (guint k = 0; k < g->sum->len; k++) {
      const HyMeeting *m = g_ptr_array_index(g->sum, k);
      if (sum_is_live(m)) {
        double y = g->sum_value[m->place], summed = weight * y * sum_factor(g, m, t, y, &wave);
        part[k] += summed;
        if (size != NULL) {
          size[k] += fabs(summed);
        }
      }
    }
  }
}

static void add_panel(const HyClassic *g, const double *part)
{
  for (guint k = 0; k < g->sum->len; k++) {
    HyMeeting *m = g_ptr_array_index(g->sum, k);
    m->sum += sum_is_live(m) ? part[k] : 0.0;
  }
}

/* As above, of what is no polynomial: WHOLE is what one panel has made of it. NaN is none that
 * halves would cure. */
static void gather_bent(HyClassic *g, double from, double h, const double *whole, guint halvings)
{
  guint n = g->sum->len;
  g_autofree double *half = g_new0(double, 3 * (gsize)n + 1);
  double *size = half + 2 * (gsize)n;
  gboolean alike = TRUE;
  gather_panel(g, from, 0.5 * h, half, size);
  gather_panel(g, from + 0.5 * h, 0.5 * h, half + n, size);
  for (guint k = 0; k < n; k++) {
    alike &= !(fabs(half[k] + half[n + k] - whole[k]) > ALIKE * size[k]);
  }
  if (alike || halvings == 0) {
    add_panel(g, half);
    add_panel(g, half + n);
  } else {
    gather_bent(g, from, 0.5 * h, half, halvings - 1);
    gather_bent(g, from + 0.5 * h, 0.5 * h, half + n, halvings - 1);
  }
}

static void gather_span(HyClassic *g, double from, double h)
{
  gather_panel(g, from, h, g->sum_part, NULL);
  if (g->sum_degree > LARGEST) {
    gather_bent(g, from, h, g->sum_part, MOST_HALVINGS);
  } else {
    add_panel(g, g->sum_part);
  }
}

static gboolean any_is_live(const HyClassic *g)
{
  guint k = 0;
  while (k < g->sum->len && !sum_is_live(g_ptr_array_index(g->sum, k))) {
    k++;
  }
  return k < g->sum->len;
}

void hy_classic_gather(HyClassic *g, double t)
{
  if (G_LIKELY(g->sum->len == 0)) {
    return;
  }
  double from = g->gathered;
  double angle = HY_GAUSS_TURN / (g->sum_degree > LARGEST ? 2 : g->sum_degree);
  while (g->begun && g->why == NULL && from < t && any_is_live(g)) {
    double h = fmin(t - from, angle / sums_fastest(g));
    h = g->stepper->quiet != NULL ? fmin(h, g->stepper->quiet(g, from, angle)) : h;
    double to = from + h < t && from + h > from ? from + h : t;
    gather_span(g, from, to - from);
    from = to;
  }
  g->gathered = t;
}

void hy_classic_gather_group(HyRoom *room, guint group, double t)
{
  HyClassic *g = hy_room_group(room, group)->classic;
  hy_classic_gather(g, t);
}

/* For whoever asks from outside --------------------------------------------------------------- */

/* The group that answers for ATOMIC, and the row of the reading that it is (HY_NO_ROW: a state);
 * NULL: there is none, or it has not begun. */
static HyClassic *asked_group(const HyRoom *room, guint atomic, guint32 *row)
{
  const HyMember *m = hy_room_member(room, atomic);
  const HyStaticState *block = room->kind[atomic] != NULL ? room->block[atomic] : NULL;
  const HyReading *r = block != NULL && block->reads == HY_READS ? block->reading : NULL;
  gboolean classic = m != NULL && hy_family_is_classic(m->family);
  HyClassic *g = classic     ? hy_room_group(room, m->group)->classic
                 : r != NULL ? hy_room_group(room, r->group)->classic
                             : NULL;
  *row = r != NULL ? r->row : HY_NO_ROW;
  return g != NULL && g->begun && g->why == NULL ? g : NULL;
}

double hy_group_fastest(HyRoom *room, guint atomic)
{
  guint32 row;
  const HyClassic *g = asked_group(room, atomic, &row);
  double fastest = g != NULL && row != HY_NO_ROW ? hy_classic_row_fastest(g, row) : 0.0;
  for (guint i = 0; g != NULL && i < g->n; i++) {
    fastest = fmax(fastest, hy_classic_row_fastest(g, hy_classic_row(g, i)));
  }
  return fastest;
}

double hy_group_turning(HyRoom *room, guint atomic, double t, double angle)
{
  guint32 row;
  HyClassic *g = asked_group(room, atomic, &row);
  gboolean knows = g != NULL && g->stepper->turning != NULL && g->method_state != NULL;
  return knows ? g->stepper->turning(g, t, angle) : INFINITY;
}
