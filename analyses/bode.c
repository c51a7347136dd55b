/* A frequency response: ports of the stretches of a period, then one number for each frequency
 * (numerics/response.c). */
#include "bode_internal.h"

#include "base/sized.h"
#include "coupled/model_internal.h"

#include <math.h>
#include <string.h>

#define LOWEST  1e-4 /* of the frequency of the period, where nobody says */
#define HALVING 60   /* of an interval in which a margin lies */

/* Reading ----------------------------------------------------------------------------------- */

gboolean hy_bode_row(const HySteady *s, const HySim *sim, const HyLapPiece *p, guint k,
                     double *line)
{
  const HyRoom *room = sim->room;
  guint32 row = g_array_index(room->watched, HyRoomWatched, k).row;
  (void)s;
  if (row == HY_NO_ROW || !room->run[row].linear) {
    return FALSE;
  }
  hy_exact_watched(room, p->was, k, NULL, NULL, line);
  return TRUE;
}

/* y at S in a piece. */
static double output_at(const HySteady *s, HyLapPiece *p, const double *line, double at)
{
  g_autofree double *x = g_new(double, s->n);
  hy_lap_at(p, at, x);
  return hy_lap_line(s->lap, s->sim, p, line, x, at);
}

/* The first piece from K on that lasts. */
static guint lasting(const HyLap *lap, guint k)
{
  while (k + 1 < lap->pieces->len && !(hy_lap_piece(lap, k)->tau > 0.0)) {
    k++;
  }
  return k;
}

/* READ and FALLS of all stretches. */
static gboolean read_output(const HyBode *b, guint output, GError **error)
{
  const HySteady *s = b->steady;
  gsize wide = (gsize)s->n + s->lap->n_inputs + 1;
  g_autofree double *line = g_new(double, wide), *next = g_new(double, wide);
  for (guint k = 0; k < s->lap->pieces->len; k++) {
    HyLapPiece *p = hy_lap_piece(s->lap, k);
    guint after = lasting(s->lap, MIN(k + 1, s->lap->pieces->len - 1));
    HyLapPiece *q = hy_lap_piece(s->lap, after);
    if (!hy_bode_row(s, s->sim, p, output, line) || !hy_bode_row(s, s->sim, q, output, next)) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                  "%s does not follow from states and sources by a linear equation between events",
                  b->to);
      return FALSE;
    }
    memcpy(b->numbers + ((gsize)k * 2 + 1) * s->n, line, s->n * sizeof *line);
    b->port[k].falls = after > k ? output_at(s, p, line, p->tau) - output_at(s, q, next, 0.0) : 0.0;
  }
  return TRUE;
}

static gboolean find_output(const HySteady *s, const char *path, guint *output, GError **error)
{
  for (*output = 0; *output < s->output->len; ++*output) {
    if (strcmp(g_array_index(s->output, HySteadyOutput, *output).path, path) == 0) {
      return TRUE;
    }
  }
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s is no output of the steady state", path);
  return FALSE;
}

/* Points ------------------------------------------------------------------------------------ */

gboolean hy_bode_at(HyBode *b, double frequency, double *real, double *imaginary)
{
  double complex y;
  g_return_val_if_fail(b != NULL && real != NULL && imaginary != NULL, FALSE);
  if (!hy_response_at(b->response, 2.0 * G_PI * frequency, &y)) {
    return FALSE;
  }
  y = b->loop ? -y / (1.0 + y) : y;
  *real = creal(y);
  *imaginary = cimag(y);
  return isfinite(*real) && isfinite(*imaginary);
}

static double complex answer_at(HyBode *b, double frequency)
{
  double real = NAN, imaginary = NAN;
  hy_bode_at(b, frequency, &real, &imaginary);
  return hy_complex(real, imaginary);
}

static gboolean find_points(HyBode *b, double low, double high, GError **error)
{
  double before = 0.0;
  for (guint k = 0; k < b->n; k++) {
    if (!hy_steady_goes_on(b->steady, "frequencies", (double)k / b->n, error)) {
      return FALSE;
    }
    double part = b->n > 1 ? (double)k / (b->n - 1) : 0.0;
    b->frequency[k] = k + 1 == b->n && k > 0 ? high : low * pow(high / low, part);
    b->answer[k] = answer_at(b, b->frequency[k]);
    double phase = carg(b->answer[k]) * 180.0 / G_PI;
    if (isfinite(before)) {
      phase += 360.0 * round((before - phase) / 360.0);
    }
    b->phase[k] = before = phase;
  }
  return TRUE;
}

/* Of the gain from 1, and of the imaginary part, where the real part is negative. */
static double excess(double complex y, gboolean phase)
{
  return phase ? cimag(y) : log(cabs(y));
}

/* Between points K and K + 1 EXCESS changes its sign: where. */
static double locate(HyBode *b, guint k, gboolean phase)
{
  double low = b->frequency[k], high = b->frequency[k + 1], sign = excess(b->answer[k], phase);
  for (int i = 0; i < HALVING && high / low > 1.0 + 1e-12; i++) {
    double middle = sqrt(low * high);
    gboolean same = excess(answer_at(b, middle), phase) * sign > 0.0;
    low = same ? middle : low;
    high = same ? high : middle;
  }
  return sqrt(low * high);
}

static void find_margin(HyBode *b, guint k, gboolean phase)
{
  double f = locate(b, k, phase);
  double complex y = answer_at(b, f);
  double turned = carg(-y) * 180.0 / G_PI, left = -20.0 * log10(cabs(y));
  HyMargins *m = &b->margins;
  if (!phase && !(fabs(turned) >= fabs(m->phase))) {
    m->crossover = f;
    m->phase = turned;
  } else if (phase && creal(y) < 0.0 && !(fabs(left) >= fabs(m->gain))) {
    m->reversal = f;
    m->gain = left;
  }
}

static void find_margins(HyBode *b)
{
  b->margins = (HyMargins){NAN, NAN, NAN, NAN};
  for (guint k = 0; b->loop && k + 1 < b->n && b->frequency[k + 1] <= b->limit; k++) {
    for (int phase = 0; phase < 2; phase++) {
      double now = excess(b->answer[k], phase), then = excess(b->answer[k + 1], phase);
      if (now * then < 0.0) {
        find_margin(b, k, phase);
      }
    }
  }
}

/* Making ------------------------------------------------------------------------------------ */

static gboolean check(const HySteady *s, const HyBodeSettings *set, GError **error)
{
  if (!s->exact) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: how it answers to small oscillations is not known exactly, because %s",
                hy_model_name(hy_loaded_model(s->loaded)), s->why);
    return FALSE;
  }
  if (set->points == 0 || !(isnan(set->low) || set->low > 0.0) ||
      !(isnan(set->high) || (set->high > 0.0 && set->high < INFINITY))) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "frequencies must be above 0, and one at least");
    return FALSE;
  }
  if (set->points > HY_BODE_POINTS || set->low > set->high) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "frequencies go up, and are at most %d",
                HY_BODE_POINTS);
    return FALSE;
  }
  gboolean other = set->more != NULL || set->less != NULL;
  if (other && (set->more == NULL || set->less == NULL || !(set->step > 0.0) || isinf(set->step))) {
    g_set_error(
        error, HY_ERROR, HY_ERROR_USAGE,
        "%s as a parameter: the model is needed with more of it and with less, and how much",
        set->from);
    return FALSE;
  }
  return TRUE;
}

static void bode_init(HyBode *b, HySteady *s, const HyBodeSettings *set)
{
  gsize pieces = s->lap->pieces->len;
  b->steady = s;
  b->from = g_strdup(set->from);
  b->to = g_strdup(set->to);
  b->loop = set->loop;
  b->n = set->points;
  b->frequency = g_new0(double, b->n);
  b->answer = g_new0(double complex, b->n);
  b->phase = g_new0(double, b->n);
  b->limit = 0.5 / s->period;
  b->stretch = hy_lap_stretches(s->lap);
  b->port = g_new0(HyStretchPorts, pieces + 1);
  b->numbers = g_new0(double, pieces * 2 * s->n + 1);
  for (gsize k = 0; k < pieces; k++) {
    b->port[k].force = b->numbers + k * 2 * s->n;
    b->port[k].read = b->numbers + (k * 2 + 1) * s->n;
  }
}

HyBode *hy_bode_new_sized(HySteady *s, const HyBodeSettings *settings, gsize size, GError **error)
{
  g_return_val_if_fail(s != NULL && settings != NULL, NULL);
  g_return_val_if_fail(settings->from != NULL && settings->to != NULL, NULL);
  HyBodeSettings taken = HY_BODE_SETTINGS, *set = &taken;
  if (!hy_sized_take(set, settings, size, "HyBodeSettings", error)) {
    return NULL;
  }
  guint output;
  g_autoptr(HyBode) b = g_new0(HyBode, 1);
  if (!check(s, set, error) || !find_output(s, set->to, &output, error)) {
    return NULL;
  }
  bode_init(b, s, set);
  if (!read_output(b, output, error) || !hy_bode_drive(b, set, output, error)) {
    return NULL;
  }
  b->response = hy_response_new((int)s->n, b->stretch, b->port, (int)s->lap->pieces->len);
  if (b->response == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "no memory for a frequency response");
    return NULL;
  }
  double high = isnan(set->high) ? b->limit : set->high;
  if (!find_points(b, isnan(set->low) ? LOWEST / s->period : set->low, high, error)) {
    return NULL;
  }
  find_margins(b);
  return g_steal_pointer(&b);
}

void hy_bode_free(HyBode *b)
{
  if (b != NULL) {
    hy_response_free(b->response);
    g_free(b->from);
    g_free(b->to);
    g_free(b->stretch);
    g_free(b->port);
    g_free(b->numbers);
    g_free(b->frequency);
    g_free(b->answer);
    g_free(b->phase);
    g_free(b);
  }
}

guint hy_bode_n(const HyBode *b)
{
  g_return_val_if_fail(b != NULL, 0);
  return b->n;
}

void hy_bode_point(const HyBode *b, guint point, double *frequency, double *gain, double *phase)
{
  g_return_if_fail(b != NULL && point < b->n);
  g_return_if_fail(frequency != NULL && gain != NULL && phase != NULL);
  *frequency = b->frequency[point];
  *gain = 20.0 * log10(cabs(b->answer[point]));
  *phase = b->phase[point];
}

HyMargins hy_bode_margins(const HyBode *b)
{
  g_return_val_if_fail(b != NULL, ((HyMargins){NAN, NAN, NAN, NAN}));
  return b->margins;
}
