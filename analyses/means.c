/* Integrals of outputs over a period: means, rms, harmonics. In a stretch the states are known as
 * functions of time, so what is left is a sum: Gauss's rule of 16 points (it is exact for
 * polynomials up to degree 31) on panels in which no living mode turns or decays by more than
 * e^PANEL. What that misses is below rounding, and products of outputs are as good as outputs. */
#include "steady_internal.h"

#include "coupled/model_internal.h"
#include "results/sources.h"

#include <math.h>

#define POINTS 16
#define PANEL  2.0  /* times 1/rate of a mode that lives */
#define TURN   4.0  /* radians of a harmonic in a panel */
#define DEAD   40.0 /* a mode that has decayed by e to this power is no more */

/* Outputs ----------------------------------------------------------------------------------- */

/* What the sinks of the model have measured (a window), and what at once follows from that:
 * [atomics]. It is no function of the states, and begins anew with each lap. Newly allocated. */
static guint8 *find_measured(const HyFlat *flat)
{
  guint8 *measured = g_new0(guint8, (gsize)flat->n + 1);
  gboolean more = TRUE;
  for (guint a = 0; a < flat->n; a++) {
    const HyAtomicClass *k = hy_model_class(hy_flat_model(flat, a), hy_flat_component(flat, a));
    measured[a] = strcmp(k->palette != NULL ? k->palette : "", "Sinks") == 0;
  }
  while (more) {
    more = FALSE;
    for (guint slot = 0; slot < flat->first_out[flat->n]; slot++) {
      for (guint i = flat->start[slot]; measured[flat->owner[slot]] && i < flat->start[slot + 1];
           i++) {
        guint a = flat->targets[i].atomic;
        const HyAtomicClass *k = hy_model_class(hy_flat_model(flat, a), hy_flat_component(flat, a));
        gboolean follows = k->describe != NULL && !measured[a];
        measured[a] |= follows;
        more |= follows;
      }
    }
  }
  return measured;
}

static gboolean add_output(HySteady *s, const HyFlat *flat, const HySignalAt *at, GError **error)
{
  guint atomic, port = at->port == HY_STATE ? 0 : at->port;
  const HyAtomicClass *klass =
      at->component != HY_SELF ? hy_model_class(at->model, at->component) : NULL;
  if (klass != NULL && !at->input) {
    atomic = hy_component(at->model, at->component)->number;
  } else {
    const HyModel *inside =
        at->component == HY_SELF ? at->model : hy_model_coupled(at->model, at->component);
    g_autoptr(GArray) from = at->input ? hy_sources_of(at->model, at->component, at->port, NULL)
                                       : hy_sources_of(inside, HY_SELF, at->port, NULL);
    if (from->len != 1) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                  "%s: one signal is wanted there, and %u are connected", at->path, from->len);
      return FALSE;
    }
    atomic = g_array_index(from, HySource, 0).atomic;
    port = g_array_index(from, HySource, 0).port;
  }
  if (s->measured[atomic]) {
    return TRUE;
  }
  HySteadyOutput o = {.path = g_strdup(at->path),
                      .slot = flat->first_out[atomic] + port,
                      .mean = NAN,
                      .rms = NAN,
                      .harmonic = g_new0(double complex, (gsize)s->set.harmonics + 1)};
  g_array_append_val(s->output, o);
  return TRUE;
}

static gboolean add_path(HySteady *s, const HyFlat *flat, const char *path, GError **error)
{
  g_autoptr(GArray) matches = hy_loaded_match(s->loaded, path, error);
  for (guint k = 0; matches != NULL && k < matches->len; k++) {
    const HySignalAt *at = &g_array_index(matches, HySignalAt, k);
    gboolean known = FALSE;
    for (guint j = 0; j < s->output->len && !known; j++) {
      known = strcmp(g_array_index(s->output, HySteadyOutput, j).path, at->path) == 0;
    }
    if (!known && !add_output(s, flat, at, error)) {
      return FALSE;
    }
  }
  return matches != NULL;
}

/* All states: what has a method. */
static void add_states(HySteady *s, const HyFlat *flat)
{
  for (guint a = 0; a < flat->n; a++) {
    const HyModel *m = hy_flat_model(flat, a);
    if (hy_class_method(hy_model_class(m, hy_flat_component(flat, a))) != NULL) {
      HySteadyOutput o = {.path = hy_model_path(m, hy_flat_component(flat, a)),
                          .slot = flat->first_out[a],
                          .mean = NAN,
                          .rms = NAN,
                          .harmonic = g_new0(double complex, (gsize)s->set.harmonics + 1)};
      g_array_append_val(s->output, o);
    }
  }
}

gboolean hy_steady_find_outputs(HySteady *s, GError **error)
{
  HyFlat *flat = hy_flat_new(hy_loaded_model(s->loaded));
  const HyExperiment *x = hy_loaded_experiment(s->loaded);
  const char *const *record = hy_loaded_options(s->loaded)->record;
  gboolean ok = TRUE;
  s->measured = find_measured(flat);
  for (guint k = 0; ok && k < x->n_records; k++) {
    ok = add_path(s, flat, x->records[k].path, error);
  }
  for (; ok && record != NULL && *record != NULL; record++) {
    g_auto(GStrv) paths = g_strsplit_set(*record, " ,", -1);
    for (guint k = 0; ok && paths[k] != NULL; k++) {
      ok = *paths[k] == '\0' || add_path(s, flat, paths[k], error);
    }
  }
  if (ok && s->output->len == 0) {
    add_states(s, flat);
  }
  g_clear_pointer(&s->measured, g_free);
  hy_flat_free(flat);
  return ok;
}

/* Sums -------------------------------------------------------------------------------------- */

typedef struct {
  HySteady *s;
  double point[POINTS], weight[POINTS]; /* of Gauss's rule on 0 .. 1 */
  double *x, *input, *line;
} Sum;

/* Zeros of Legendre's polynomial by Newton's method, from good guesses (W. H. Press and others,
 * Numerical recipes, 4.5). */
static void gauss_init(Sum *sum)
{
  for (int i = 0; i < POINTS; i++) {
    double z = cos(G_PI * (i + 0.75) / (POINTS + 0.5)), slope = 1.0;
    for (int k = 0; k < 8; k++) {
      double p = 1.0, before = 0.0;
      for (int j = 1; j <= POINTS; j++) {
        double next = ((2.0 * j - 1.0) * z * p - (j - 1.0) * before) / j;
        before = p;
        p = next;
      }
      slope = POINTS * (z * p - before) / (z * z - 1.0);
      z -= p / slope;
    }
    sum->point[i] = 0.5 - 0.5 * z;
    sum->weight[i] = 1.0 / ((1.0 - z * z) * slope * slope);
  }
}

/* How long the next panel of a stretch may be, S from its start. */
static double panel(const HySteady *s, const HyLapPiece *p, double from)
{
  double omega = 2.0 * G_PI / s->period;
  double h = p->tau - from;
  h = s->set.harmonics > 0 ? fmin(h, TURN / (omega * s->set.harmonics)) : h;
  for (int k = 0; k < p->modal->modes; k++) {
    double complex rate = p->modal->rate[k];
    if (-creal(rate) * from < DEAD && cabs(rate) > 0.0) {
      h = fmin(h, PANEL / cabs(rate));
    }
  }
  for (int k = 0; k < p->sines.n; k++) {
    h = fmin(h, PANEL / p->sines.turn[k]);
  }
  return from + h < p->tau && h > 0.0 ? h : p->tau - from;
}

/* Output K at that. */
static double value(const Sum *sum, const HyLapPiece *p, guint k, double at)
{
  const HySteady *s = sum->s;
  const HyLap *lap = s->lap;
  hy_exact_watched(s->sim->room, p->was, k, sum->x, sum->input, sum->line);
  return hy_lap_line(lap, s->sim, p, sum->line, sum->x, at);
}

/* What the instant S in a stretch adds, with that WEIGHT. */
static void add_point(const Sum *sum, HyLapPiece *p, double at, double weight)
{
  HySteady *s = sum->s;
  double t = p->base + at - s->t0;
  hy_lap_at(p, at, sum->x);
  for (guint j = 0; j < s->lap->n_inputs; j++) {
    double slope;
    sum->input[j] = hy_exact_input(s->sim->room, p->assumed, j, p->base + at, &slope);
  }
  for (guint k = 0; k < s->output->len; k++) {
    HySteadyOutput *o = &g_array_index(s->output, HySteadyOutput, k);
    if (isnan(o->mean)) {
      continue;
    }
    double y = value(sum, p, k, at);
    o->mean += weight * y;
    o->rms += weight * y * y;
    for (guint h = 0; h < s->set.harmonics; h++) {
      double angle = 2.0 * G_PI * (h + 1.0) * fmod(t / s->period, 1.0);
      o->harmonic[h] += 2.0 * weight * y * (cos(angle) - I * sin(angle));
    }
  }
}

static gboolean add_stretch(const Sum *sum, HyLapPiece *p, GError **error)
{
  const HySteady *s = sum->s;
  double from = 0.0;
  while (from < p->tau) {
    if (!hy_steady_goes_on(s, "means", (p->base + from - s->lap->from) / s->period, error)) {
      return FALSE;
    }
    double h = panel(sum->s, p, from);
    for (int i = 0; i < POINTS; i++) {
      add_point(sum, p, from + h * sum->point[i], h * sum->weight[i] / sum->s->period);
    }
    from += h;
  }
  return TRUE;
}

/* An output without an equation (an event, a block that is fed by several) has no mean. */
static void begin(const HySteady *s)
{
  for (guint k = 0; k < s->output->len; k++) {
    HySteadyOutput *o = &g_array_index(s->output, HySteadyOutput, k);
    gboolean known = g_array_index(s->sim->room->watched, HyRoomWatched, k).row != HY_NO_ROW;
    o->mean = o->rms = known ? 0.0 : NAN;
  }
}

gboolean hy_steady_integrate(HySteady *s, GError **error)
{
  if (!s->lap->exact) {
    return TRUE;
  }
  gsize n = s->lap->n, inputs = s->lap->n_inputs;
  g_autofree double *room = g_new0(double, 2 * (n + inputs) + 1);
  Sum sum = {.s = s, .x = room, .input = room + n, .line = room + n + inputs};
  gauss_init(&sum);
  begin(s);
  for (guint k = 0; k < s->lap->pieces->len; k++) {
    if (!add_stretch(&sum, hy_lap_piece(s->lap, k), error)) {
      return FALSE;
    }
  }
  for (guint k = 0; k < s->output->len; k++) {
    HySteadyOutput *o = &g_array_index(s->output, HySteadyOutput, k);
    o->rms = sqrt(o->rms);
  }
  return TRUE;
}

guint hy_steady_n_outputs(const HySteady *s)
{
  g_return_val_if_fail(s != NULL, 0);
  return s->output->len;
}

const char *hy_steady_output(const HySteady *s, guint output)
{
  g_return_val_if_fail(s != NULL && output < s->output->len, NULL);
  return g_array_index(s->output, HySteadyOutput, output).path;
}

double hy_steady_mean(const HySteady *s, guint output)
{
  g_return_val_if_fail(s != NULL && output < s->output->len, NAN);
  return g_array_index(s->output, HySteadyOutput, output).mean;
}

double hy_steady_rms(const HySteady *s, guint output)
{
  g_return_val_if_fail(s != NULL && output < s->output->len, NAN);
  return g_array_index(s->output, HySteadyOutput, output).rms;
}

gboolean hy_steady_harmonic(const HySteady *s, guint output, guint k, double *amplitude,
                            double *phase)
{
  g_return_val_if_fail(s != NULL && output < s->output->len, FALSE);
  g_return_val_if_fail(amplitude != NULL && phase != NULL, FALSE);
  const HySteadyOutput *o = &g_array_index(s->output, HySteadyOutput, output);
  if (k == 0 || k > s->set.harmonics || isnan(o->mean)) {
    return FALSE;
  }
  *amplitude = cabs(o->harmonic[k - 1]);
  *phase = carg(o->harmonic[k - 1]);
  return TRUE;
}
