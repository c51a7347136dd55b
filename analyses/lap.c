/* Between any two cycles the step that stands is looked at (groups/exact.h). A new one says how the
 * one before has ended: at its crossing, if the new one begins there, else because an input has
 * changed. */
#include "lap.h"

#include <string.h>

#define LOOK 16U /* events between two looks at whether anybody still wants the lap */

static void piece_free(gpointer data)
{
  HyLapPiece *p = data;
  g_free(p->x0);
  g_free(p->u);
  g_free(p->by);
  g_free(p->drive);
  g_free(p->sines.follow);
  g_free(p->was);
  g_free(p->assumed);
  g_free(p->gradient);
  g_free(p);
}

/* A copy that outlives the block's. */
typedef struct {
  HyModal modal; /* first */
  const HyModal *of;
  double complex room[];
} Kept;

HyLap *hy_lap_new(void)
{
  HyLap *lap = g_new0(HyLap, 1);
  lap->pieces = g_ptr_array_new_with_free_func(piece_free);
  lap->modals = g_ptr_array_new_with_free_func(g_free);
  return lap;
}

void hy_lap_free(HyLap *lap)
{
  if (lap != NULL) {
    g_ptr_array_unref(lap->pieces);
    g_ptr_array_unref(lap->modals);
    g_free(lap);
  }
}

/* Arrays one after the other, those of complex numbers first. */
static Kept *keep_modal(const HyModal *m)
{
  gsize n = (gsize)m->n, modes = (gsize)m->modes, wide = (gsize)m->wide;
  Kept *k =
      g_malloc0(sizeof(Kept) + (2 * modes + n * n) * sizeof(double complex) +
                (modes + n * n + 2 * n * wide) * sizeof(double) + (4 * modes + 1) * sizeof(int));
  k->of = m;
  k->modal = *m;
  k->modal.rate = memcpy(k->room, m->rate, modes * sizeof *m->rate);
  k->modal.time = memcpy(k->room + modes, m->time, modes * sizeof *m->time);
  k->modal.t = memcpy(k->modal.time + modes, m->t, n * n * sizeof *m->t);
  k->modal.speed = memcpy(k->modal.t + n * n, m->speed, modes * sizeof *m->speed);
  k->modal.a = memcpy(k->modal.speed + modes, m->a, n * n * sizeof *m->a);
  k->modal.from = memcpy(k->modal.a + n * n, m->from, n * wide * sizeof *m->from);
  k->modal.to = memcpy(k->modal.from + n * wide, m->to, n * wide * sizeof *m->to);
  k->modal.at = memcpy(k->modal.to + n * wide, m->at, (modes + 1) * sizeof *m->at);
  k->modal.first = memcpy(k->modal.at + modes + 1, m->first, modes * sizeof *m->first);
  k->modal.end = memcpy(k->modal.first + modes, m->end, modes * sizeof *m->end);
  k->modal.counts = memcpy(k->modal.end + modes, m->counts, modes * sizeof *m->counts);
  return k;
}

static const HyModal *lap_modal(HyLap *lap, const HyModal *m)
{
  gsize size = (gsize)m->n * (gsize)m->n * sizeof *m->a;
  for (guint k = 0; k < lap->modals->len; k++) {
    const Kept *kept = g_ptr_array_index(lap->modals, k);
    if (kept->of == m && memcmp(kept->modal.a, m->a, size) == 0) {
      return &kept->modal;
    }
  }
  Kept *kept = keep_modal(m);
  g_ptr_array_add(lap->modals, kept);
  lap->bytes += 2 * size;
  return &kept->modal;
}

/* What will end the step, if it goes as far as that. */
static void piece_hits(HyLapPiece *p, const HyRoom *room, guint n)
{
  g_autofree double *other = g_new(double, (gsize)n + 1);
  guint crossing;
  double slope;
  p->gradient = g_new0(double, (gsize)n + 1);
  p->parallel = TRUE;
  while (hy_exact_hit(room, p->together, &crossing, other, &slope)) {
    gboolean first = p->together++ == 0;
    double size = 0.0, apart = 0.0;
    for (guint i = 0; i < n; i++) {
      size += fabs(other[i] / slope);
      apart += first ? 0.0 : fabs(other[i] / slope - p->gradient[i] / p->slope);
    }
    p->parallel &= apart <= 1e-9 * size;
    if (first) {
      memcpy(p->gradient, other, n * sizeof *other);
      p->slope = slope;
      p->crossing = crossing;
    }
  }
}

/* What is known of the step that stands while SIM goes on. */
typedef struct {
  guint64 number; /* 0: none has been seen */
  double next, after;
} Stand;

/* All arrays in one piece of memory. */
static void piece_sines(HyLapPiece *p, const HySines *sines, gsize n)
{
  gsize k = sines != NULL ? (gsize)sines->n : 0;
  if (k > 0) {
    double complex *at = g_new0(double complex, 3 * n * k + k);
    p->sines = (HySines){.n = (int)k,
                         .turn = memcpy(at + 3 * n * k, sines->turn, k * sizeof(double)),
                         .wave = memcpy(at + 2 * n * k, sines->wave, n * k * sizeof *at),
                         .follow = at,
                         .near = at + n * k};
  }
}

HyMotion hy_lap_motion(HyLapPiece *p)
{
  HyMotion m;
  hy_motion_init(&m, p->modal, p->lanes, p->x0, p->u, p->drive);
  if (p->sines.n > 0) {
    hy_motion_add_sines(&m, &p->sines);
  }
  return m;
}

/* So many coefficients of inputs count, 1 at least. */
static int count_lanes(const double *u, gsize n)
{
  int lanes = HY_MODAL_LANES;
  gboolean any = FALSE;
  while (lanes > 1 && !any) {
    for (gsize i = 0; i < n; i++) {
      any |= u[i * HY_MODAL_LANES + (gsize)lanes - 1] != 0.0;
    }
    lanes -= any ? 0 : 1;
  }
  return lanes;
}

/* Nearly so many. */
static gsize piece_bytes(const HyLapPiece *p, const HyExactStep *s)
{
  gsize n = s->n, sines = (gsize)p->sines.n;
  return sizeof *p + s->n_flags + s->n_outer * sizeof *p->assumed +
         n * (2 + s->n_inputs + 3 * HY_MODAL_LANES) * sizeof(double) +
         sines * (3 * n + 1) * sizeof(double complex);
}

static void lap_open(HyLap *lap, const HyRoom *room, const HyExactStep *s, Stand *stand)
{
  gsize n = s->n, lanes = n * HY_MODAL_LANES;
  HyLapPiece *p = g_new0(HyLapPiece, 1);
  *p = (HyLapPiece){.base = s->base,
                    .modal = lap_modal(lap, s->modal),
                    .x0 = g_memdup2(s->x0, n * sizeof *s->x0),
                    .u = g_memdup2(s->u, lanes * sizeof *s->u),
                    .by = g_memdup2(s->by, (n * s->n_inputs + 1) * sizeof *s->by),
                    .drive = g_new0(double, 2 * lanes),
                    .lanes = count_lanes(s->u, n),
                    .was = g_memdup2(s->was, (gsize)s->n_flags + 1),
                    .assumed = g_memdup2(s->assumed, ((gsize)s->n_outer + 1) * sizeof *s->assumed)};
  piece_sines(p, s->sines, n);
  if (s->next < INFINITY) {
    piece_hits(p, room, s->n);
  }
  g_ptr_array_add(lap->pieces, p);
  lap->bytes += piece_bytes(p, s);
  *stand = (Stand){s->number, s->next, s->after};
}

/* The last piece ends, because another one begins at T. */
static void lap_close(const HyLap *lap, const Stand *stand, double t)
{
  if (lap->pieces->len > 0) {
    HyLapPiece *p = hy_lap_piece(lap, lap->pieces->len - 1);
    p->event = stand->next <= t && p->together > 0;
    p->tau = p->event ? stand->after : t - p->base;
  }
}

/* Piece P has ended because a modulator has spoken: z is its duty less its carrier. */
static void piece_edge(const HyLap *lap, const HySim *sim, HyLapPiece *p, const HyModulator *m,
                       double carrier)
{
  gsize n = lap->n;
  g_autofree double *line = g_new(double, n + lap->n_inputs + 1), *x = g_new(double, 2 * n);
  p->edge = p->event = p->parallel = TRUE;
  p->crossing = m->watch;
  p->together = 1;
  hy_lap_ending(lap, sim, p, line);
  g_free(p->gradient);
  p->gradient = g_memdup2(line, (n + 1) * sizeof *line);
  HyMotion motion = hy_lap_motion(p);
  hy_motion_at(&motion, p->tau, x, x + n);
  p->slope = -carrier;
  for (gsize i = 0; i < n; i++) {
    p->slope += line[i] * x[n + i];
  }
  for (guint j = 0; j < lap->n_inputs; j++) {
    double slope;
    hy_exact_input(sim->room, p->assumed, j, p->base + p->tau, &slope);
    p->slope += line[n + j] * slope;
  }
}

/* The piece that another one follows at T. */
static void lap_edges(const HyLap *lap, const HySim *sim, double t)
{
  HyLapPiece *p = lap->pieces->len > 0 ? hy_lap_piece(lap, lap->pieces->len - 1) : NULL;
  for (guint k = 0; p != NULL && lap->modulators != NULL && k < lap->modulators->len; k++) {
    const HyModulator *m = &g_array_index(lap->modulators, HyModulator, k);
    double carrier;
    if (!p->event && p->tau > 0.0 && hy_modulator_is_known(m, sim->room) &&
        hy_modulator_turned(m, sim->room, t, &carrier)) {
      piece_edge(lap, sim, p, m, carrier);
    }
  }
}

static void lap_look(HyLap *lap, const HySim *sim, Stand *stand)
{
  HyExactStep s;
  if (sim->room == NULL || !hy_exact_step(sim->room, &s)) {
    lap->exact = FALSE;
  } else if (s.number != stand->number) {
    lap_close(lap, stand, s.base);
    lap_edges(lap, sim, s.base);
    lap->n = s.n;
    lap->n_inputs = s.n_inputs;
    lap->n_flags = s.n_flags;
    lap_open(lap, sim->room, &s, stand);
    lap->exact = TRUE;
  }
}

static double part_of(const HyLap *lap, const HySim *sim)
{
  return CLAMP((sim->now.t - lap->from) / (lap->to - lap->from), 0.0, 1.0);
}

/* A period that is far too long, as one in other units than was meant, would fill the memory or
 * never end; so would one of a model that chatters. */
static gboolean lap_is_small(const HyLap *lap, const HySim *sim, guint64 events, GError **error)
{
  const HyLapLimits *most = &lap->limits;
  gboolean many = most->events > 0 && events >= most->events;
  char period[HY_DOUBLE_SIZE], t[HY_DOUBLE_SIZE];
  if (!many && (most->bytes == 0 || lap->bytes <= most->bytes)) {
    return TRUE;
  }
  g_autofree char *what =
      many ? g_strdup_printf("more than %" G_GUINT64_FORMAT " events", most->events)
           : g_strdup_printf("more to be kept of it than %" G_GSIZE_FORMAT " MiB",
                             most->bytes >> 20);
  g_set_error(
      error, HY_ERROR, HY_ERROR_RUN,
      "%s: a period of %s s has %s, at t = %s (%.3g %% of it); state a shorter --period, or "
      "allow more by --%s",
      hy_model_name(sim->model), hy_double_text(period, lap->to - lap->from), what,
      hy_double_text(t, sim->now.t), 100 * part_of(lap, sim), many ? "max-events" : "max-memory");
  return FALSE;
}

/* Before the next of its EVENTS. */
static gboolean lap_goes_on(const HyLap *lap, const HySim *sim, guint64 events, GError **error)
{
  const HyLapLimits *l = &lap->limits;
  return lap_is_small(lap, sim, events, error) &&
         (l->goes_on == NULL || events % LOOK != 0 ||
          l->goes_on(l->user, part_of(lap, sim), events, error));
}

gboolean hy_lap_run(HyLap *lap, HySim *sim, double to, GError **error)
{
  Stand stand = {0};
  gboolean done = TRUE;
  g_ptr_array_set_size(lap->pieces, 0);
  g_ptr_array_set_size(lap->modals, 0);
  lap->bytes = 0;
  lap->from = sim->now.t;
  lap->to = to;
  for (guint64 events = 0; done; events++) {
    if (!lap_goes_on(lap, sim, events, error) || !hy_sim_step(sim, to, &done, error)) {
      return FALSE;
    }
    if (!lap->forgets) {
      lap_look(lap, sim, &stand);
    }
  }
  if (hy_sim_finished(sim) != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s, before the period is over",
                hy_sim_finished(sim));
    return FALSE;
  }
  lap_close(lap, &(Stand){stand.number, INFINITY, INFINITY}, to);
  return TRUE;
}

void hy_lap_ending(const HyLap *lap, const HySim *sim, HyLapPiece *p, double *line)
{
  g_autofree double *x = g_new(double, lap->n), *input = g_new(double, lap->n_inputs + 1);
  double slope;
  hy_lap_at(p, p->tau, x);
  for (guint j = 0; j < lap->n_inputs; j++) {
    input[j] = hy_exact_input(sim->room, p->assumed, j, p->base + p->tau, &slope);
  }
  if (p->edge) {
    hy_exact_watched(sim->room, p->was, p->crossing, x, input, line);
  } else {
    hy_exact_crossing(sim->room, p->was, p->crossing, x, input, line);
  }
}

HyStretch *hy_lap_stretches(const HyLap *lap)
{
  HyStretch *s = g_new0(HyStretch, (gsize)lap->pieces->len + 1);
  for (guint k = 0; k < lap->pieces->len; k++) {
    HyLapPiece *p = hy_lap_piece(lap, k);
    s[k].motion = hy_lap_motion(p);
    s[k].tau = p->tau;
    s[k].gradient = p->event ? p->gradient : NULL;
    s[k].slope = p->slope;
  }
  return s;
}

void hy_lap_at(HyLapPiece *p, double s, double *x)
{
  HyMotion m = hy_lap_motion(p);
  hy_motion_at(&m, s, x, NULL);
}

double hy_lap_line(const HyLap *lap, const HySim *sim, const HyLapPiece *p, const double *line,
                   const double *x, double s)
{
  double sum = line[lap->n + lap->n_inputs], slope;
  for (guint i = 0; i < lap->n; i++) {
    sum += line[i] * x[i];
  }
  for (guint j = 0; j < lap->n_inputs; j++) {
    sum += line[lap->n + j] * hy_exact_input(sim->room, p->assumed, j, p->base + s, &slope);
  }
  return sum;
}
