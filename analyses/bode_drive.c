/* What a small oscillation does in each stretch of a period. A state: it adds to x'. A source: it
 * is one of the inputs. A parameter: a period from the same state is run with it a little larger
 * and a little smaller, and each stretch says what is another one there: what is added to x', when
 * its end comes, where what ends it is 0, and what is read. */
#include "bode_internal.h"

#include "coupled/model_internal.h"

#include <math.h>
#include <string.h>

#define SAME 1e-7 /* of the largest: what changes by less has not changed */

static double *port_force(const HyBode *b, guint piece)
{
  return b->numbers + (gsize)piece * 2 * b->steady->n;
}

/* States and sources ------------------------------------------------------------------------ */

static gboolean drive_state(const HyBode *b, const char *path)
{
  const HySteady *s = b->steady;
  for (guint i = 0; i < s->n; i++) {
    g_autofree char *state = hy_sim_path(s->sim, s->atomic[i]);
    for (guint k = 0; strcmp(state, path) == 0 && k < s->lap->pieces->len; k++) {
      port_force(b, k)[i] = 1.0;
    }
    if (strcmp(state, path) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

/* d y/d input J of what is read. */
static gboolean read_input(HyBode *b, guint output, guint j, GError **error)
{
  const HySteady *s = b->steady;
  g_autofree double *line = g_new(double, (gsize)s->n + s->lap->n_inputs + 1);
  for (guint k = 0; k < s->lap->pieces->len; k++) {
    if (!hy_bode_row(s, s->sim, hy_lap_piece(s->lap, k), output, line)) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s is not linear between events", b->to);
      return FALSE;
    }
    b->port[k].direct = line[s->n + j];
  }
  return TRUE;
}

/* Input J of the block oscillates. */
static gboolean drive_input(HyBode *b, guint output, guint j, GError **error)
{
  const HySteady *s = b->steady;
  g_autofree double *line = g_new(double, (gsize)s->n + s->lap->n_inputs + 1);
  for (guint k = 0; k < s->lap->pieces->len; k++) {
    HyLapPiece *p = hy_lap_piece(s->lap, k);
    for (guint i = 0; i < s->n; i++) {
      port_force(b, k)[i] = p->by[(gsize)i * s->lap->n_inputs + j];
    }
    if (p->event) {
      hy_lap_ending(s->lap, s->sim, p, line);
      b->port[k].shift = line[s->n + j];
    }
  }
  return read_input(b, output, j, error);
}

/* A source by its path. *FOUND: it is an input of the block, and ERROR says what is wrong else. */
static gboolean drive_source(HyBode *b, guint output, const char *path, gboolean *found,
                             GError **error)
{
  const HySteady *s = b->steady;
  guint atomic;
  HyExactStep step;
  *found = FALSE;
  if (!hy_sim_find(s->sim, path, &atomic) || !hy_exact_step(s->sim->room, &step)) {
    return FALSE;
  }
  for (guint j = 0; j < step.n_outer; j++) {
    if (s->sim->graph->owner[step.outer[j]] == atomic) {
      *found = TRUE;
      return drive_input(b, output, j, error);
    }
  }
  return FALSE;
}

/* Parameters -------------------------------------------------------------------------------- */

/* A period with the parameter a little beside. */
typedef struct {
  HySim *sim;
  HyLap *lap;
} Beside;

static void beside_clear(Beside *v)
{
  hy_lap_free(v->lap);
  hy_sim_free(v->sim);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Beside, beside_clear)

static gboolean beside_run(Beside *v, HySteady *s, const HyLoaded *loaded, GError **error)
{
  v->lap = hy_lap_new();
  hy_lap_limit(v->lap, s->lap);
  v->lap->modulators = s->modulator;
  v->sim = hy_steady_sim(s, loaded, error);
  if (v->sim != NULL && v->sim->n != s->sim->n) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: it says how many blocks there are",
                hy_model_name(hy_loaded_model(loaded)));
    return FALSE;
  }
  return v->sim != NULL && hy_steady_lap(s, v->sim, v->lap, error);
}

/* The same happens in both. */
static gboolean beside_alike(const HyLap *a, const HyLap *b)
{
  gboolean alike = a->exact && b->exact && a->pieces->len == b->pieces->len;
  for (guint k = 0; alike && k < a->pieces->len; k++) {
    const HyLapPiece *x = hy_lap_piece(a, k), *y = hy_lap_piece(b, k);
    alike = x->event == y->event &&
            (!x->event || (x->crossing == y->crossing && x->edge == y->edge)) &&
            memcmp(x->was, y->was, a->n_flags) == 0;
  }
  return alike;
}

/* What is added to x' of state I in piece P, at T. */
static double force_at(const HyLapPiece *p, guint i, double t)
{
  const double *u = p->u + (gsize)i * HY_MODAL_LANES;
  double s = t - p->base;
  return u[0] + s * (u[1] + s * (u[2] + s * u[3]));
}

/* A parameter that turns A is no source: what it does depends on x. */
static gboolean changes_rates(const HyLapPiece *more, const HyLapPiece *less)
{
  double largest = 0.0, change = 0.0;
  for (int i = 0; i < more->modal->n * more->modal->n; i++) {
    largest = fmax(largest, fabs(more->modal->a[i]));
    change = fmax(change, fabs(more->modal->a[i] - less->modal->a[i]));
  }
  return change > SAME * SAME * largest;
}

/* It changes a sine. */
static gboolean changes_sines(const HyLapPiece *more, const HyLapPiece *less)
{
  gboolean same = more->sines.n == less->sines.n;
  gsize n = (gsize)more->modal->n * (gsize)more->sines.n;
  double largest = 0.0, change = 0.0;
  for (gsize i = 0; same && i < n; i++) {
    largest = fmax(largest, cabs(more->sines.wave[i]));
    change = fmax(change, fabs(cabs(more->sines.wave[i]) - cabs(less->sines.wave[i])));
  }
  return !same || change > SAME * SAME * largest;
}

/* d z/d parameter, where and when z is 0. */
static double shift_of_event(const HySteady *s, const Beside *v, guint k, double scale)
{
  HyLapPiece *p = hy_lap_piece(s->lap, k);
  g_autofree double *line = g_new(double, (gsize)s->n + s->lap->n_inputs + 1);
  g_autofree double *x = g_new(double, s->n);
  double z[2];
  hy_lap_at(p, p->tau, x);
  for (int side = 0; side < 2; side++) {
    const HyLapPiece *q = hy_lap_piece(v[side].lap, k);
    hy_lap_ending(s->lap, v[side].sim, p, line);
    z[side] = hy_lap_line(s->lap, v[side].sim, q, line, x, p->base + p->tau - q->base);
  }
  return (z[0] - z[1]) * scale;
}

/* d y/d parameter in the middle of a stretch, where it stands. */
static gboolean direct_of_output(const HySteady *s, const Beside *v, guint k, guint output,
                                 double scale, double *direct)
{
  HyLapPiece *p = hy_lap_piece(s->lap, k);
  g_autofree double *line = g_new(double, (gsize)s->n + s->lap->n_inputs + 1);
  g_autofree double *x = g_new(double, s->n);
  double y[2];
  hy_lap_at(p, 0.5 * p->tau, x);
  for (int side = 0; side < 2; side++) {
    const HyLapPiece *q = hy_lap_piece(v[side].lap, k);
    if (!hy_bode_row(s, v[side].sim, q, output, line)) {
      return FALSE;
    }
    y[side] = hy_lap_line(s->lap, v[side].sim, q, line, x, p->base + 0.5 * p->tau - q->base);
  }
  *direct = (y[0] - y[1]) * scale;
  return TRUE;
}

/* Piece K, by MORE, v[0], and LESS, v[1]. */
static gboolean drive_piece(HyBode *b, const Beside *v, guint k, guint output, double scale,
                            GError **error)
{
  const HySteady *s = b->steady;
  const HyLapPiece *p = hy_lap_piece(s->lap, k);
  const HyLapPiece *more = hy_lap_piece(v[0].lap, k), *less = hy_lap_piece(v[1].lap, k);
  if (changes_rates(more, less)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s changes how states act on one another, as a resistance does; what oscillates "
                "must be a source, a duty, or a reference",
                b->from);
    return FALSE;
  }
  if (changes_sines(more, less)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s changes a sine; what oscillates must be added to it", b->from);
    return FALSE;
  }
  double middle = p->base + 0.5 * p->tau;
  for (guint i = 0; i < s->n; i++) {
    port_force(b, k)[i] = (force_at(more, i, middle) - force_at(less, i, middle)) * scale;
  }
  b->port[k].shift = p->event ? shift_of_event(s, v, k, scale)
                              : (more->base + more->tau - less->base - less->tau) * scale;
  if (!direct_of_output(s, v, k, output, scale, &b->port[k].direct)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s is not linear between events", b->to);
    return FALSE;
  }
  return TRUE;
}

static gboolean drive_parameter(HyBode *b, const HyBodeSettings *set, guint output, GError **error)
{
  HySteady *s = b->steady;
  g_auto(Beside) more = {0}, less = {0};
  if (!beside_run(&more, s, set->more, error) || !beside_run(&less, s, set->less, error)) {
    return FALSE;
  }
  if (!beside_alike(s->lap, more.lap) || !beside_alike(s->lap, less.lap)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: another switch conducts as soon as it is a little larger or smaller, so the "
                "answer to it is none of small oscillations",
                b->from);
    return FALSE;
  }
  const Beside v[2] = {more, less};
  for (guint k = 0; k < s->lap->pieces->len; k++) {
    if (!drive_piece(b, v, k, output, 0.5 / set->step, error)) {
      return FALSE;
    }
  }
  return TRUE;
}

gboolean hy_bode_drive(HyBode *b, const HyBodeSettings *set, guint output, GError **error)
{
  gboolean found;
  if (set->more != NULL) {
    return drive_parameter(b, set, output, error);
  }
  if (drive_state(b, set->from) || drive_source(b, output, set->from, &found, error)) {
    return TRUE;
  }
  if (error == NULL || *error == NULL) {
    g_set_error(
        error, HY_ERROR, HY_ERROR_MODEL,
        "%s is no parameter of the model (<param>), no state, and no source that the states read; "
        "hydevs equations shows states and sources",
        set->from);
  }
  return FALSE;
}
