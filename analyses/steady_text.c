/* A steady state as people and programs read it. */
#include "common_period.h"
#include "steady_internal.h"

#include "coupled/model_internal.h"

#include <math.h>

#define REAL    1e-9 /* of a multiplier: what is less is no imaginary part */
#define NEUTRAL 1e-6 /* as near to 1 it neither comes nor goes */
#define NEAR    1e-2 /* to 1: four digits would hide on which side */

guint hy_steady_n(const HySteady *s)
{
  g_return_val_if_fail(s != NULL, 0);
  return s->n;
}

double hy_steady_period(const HySteady *s)
{
  g_return_val_if_fail(s != NULL, NAN);
  return s->period;
}

guint hy_steady_periods(const HySteady *s)
{
  g_return_val_if_fail(s != NULL, 0);
  return s->periods;
}

double hy_steady_residual(const HySteady *s)
{
  g_return_val_if_fail(s != NULL, NAN);
  return s->residual;
}

gboolean hy_steady_is_exact(const HySteady *s)
{
  g_return_val_if_fail(s != NULL, FALSE);
  return s->exact;
}

char *hy_steady_state(const HySteady *s, guint state)
{
  g_return_val_if_fail(s != NULL && state < s->n, NULL);
  return hy_sim_path(s->sim, s->atomic[state]);
}

double hy_steady_value(const HySteady *s, guint state)
{
  g_return_val_if_fail(s != NULL && state < s->n, NAN);
  return s->x[state];
}

const double *hy_steady_monodromy(const HySteady *s)
{
  g_return_val_if_fail(s != NULL, NULL);
  return s->phi;
}

void hy_steady_multiplier(const HySteady *s, guint k, double *real, double *imaginary)
{
  g_return_if_fail(s != NULL && k < s->n && real != NULL && imaginary != NULL);
  double complex m = s->multiplier[k];
  *real = creal(m);
  *imaginary = fabs(cimag(m)) <= REAL * cabs(m) ? 0.0 : cimag(m);
}

/* What they mean ---------------------------------------------------------------------------- */

/* A frequency at which what is left of a disturbance goes round, looked at once a period: those
 * that are multiples of 1/T beside it look the same. */
static void add_round(GString *out, const HySteady *s, double complex m)
{
  char text[HY_DOUBLE_SIZE];
  if (fabs(cimag(m)) > REAL * cabs(m)) {
    g_ascii_formatd(text, sizeof text, "%.4g", fabs(carg(m)) / (2.0 * G_PI * s->period));
    g_string_append_printf(out, ", swinging at %s Hz as seen once a period", text);
  } else if (creal(m) < 0.0) {
    g_string_append(out, ", to and fro from period to period");
  }
}

static void add_settles(GString *out, const HySteady *s, double complex m)
{
  char time[HY_DOUBLE_SIZE];
  double periods = cabs(m) > 0.0 ? ceil(log(0.01) / log(cabs(m))) : 1.0;
  periods = fmax(periods, 1.0);
  g_ascii_formatd(time, sizeof time, "%.3g", periods * s->period);
  g_string_append_printf(out, "stable: what disturbs it is down to 1 %% after %.0f period%s (%s s)",
                         periods, periods == 1.0 ? "" : "s", time);
  add_round(out, s, m);
}

char *hy_steady_verdict(const HySteady *s)
{
  g_return_val_if_fail(s != NULL, NULL);
  GString *out = g_string_new(NULL);
  double complex m = s->multiplier[0];
  char text[HY_DOUBLE_SIZE];
  gboolean real = fabs(cimag(m)) <= REAL * cabs(m);
  g_ascii_formatd(text, sizeof text, fabs(cabs(m) - 1.0) < NEAR ? "%.8g" : "%.4g",
                  real ? creal(m) : cabs(m));
  if (fabs(cabs(m) - 1.0) <= NEUTRAL) {
    g_string_append(out, "neither stable nor unstable: what disturbs it stays");
    add_round(out, s, m);
  } else if (cabs(m) < 1.0) {
    add_settles(out, s, m);
  } else if (real && creal(m) < 0.0) {
    g_string_append_printf(
        out,
        "unstable, period doubling: a multiplier is %s, below -1, so each period "
        "differs from this state by that times what the one before did, on the "
        "other side (subharmonic oscillation)",
        text);
  } else if (real) {
    g_string_append_printf(out, "unstable: a multiplier is %s, above 1, so it runs away", text);
  } else {
    g_string_append_printf(out, "unstable: a pair of multipliers has the size %s, above 1", text);
    add_round(out, s, m);
  }
  return g_string_free(out, FALSE);
}

/* Text -------------------------------------------------------------------------------------- */

static const char *number(char *text, double v)
{
  return g_ascii_formatd(text, HY_DOUBLE_SIZE, "%.10g", v);
}

static guint widest(const HySteady *s)
{
  gsize wide = 6;
  for (guint k = 0; k < s->n; k++) {
    g_autofree char *path = hy_steady_state(s, k);
    wide = MAX(wide, strlen(path));
  }
  for (guint k = 0; k < s->output->len; k++) {
    wide = MAX(wide, strlen(g_array_index(s->output, HySteadyOutput, k).path));
  }
  return (guint)MIN(wide, 40);
}

static void text_head(const HySteady *s, GString *out)
{
  char period[HY_DOUBLE_SIZE], residual[HY_DOUBLE_SIZE];
  g_autofree char *instead = g_strdup_printf("; %s has solved it", s->method);
  g_autofree char *of = hy_common_period_of(s->loaded);
  g_string_append_printf(out, "%s: period %s s", hy_model_name(hy_loaded_model(s->loaded)),
                         number(period, s->period));
  g_string_append_printf(out, isnan(s->set.period) ? ", of %s\n" : ", as stated\n", of);
  g_ascii_formatd(residual, sizeof residual, "%.2g", s->residual);
  g_string_append_printf(out,
                         "found in %u periods, %u of them steps of Newton's method; a further "
                         "period changes no state by more than %s of its largest value\n",
                         s->periods, s->newton, residual);
  if (s->exact) {
    g_string_append(out, "sensitivities: exact\n");
  } else {
    g_string_append_printf(out, "sensitivities: differences of runs, because %s%s\n", s->why,
                           s->lap->exact ? "" : instead);
  }
  if (s->together > 0) {
    g_string_append_printf(
        out,
        "%u events come at the instant of others, for another reason: which of "
        "them is first depends on the disturbance, and so do its sensitivities\n",
        s->together);
  }
}

static void text_states(const HySteady *s, GString *out, guint wide)
{
  char x[HY_DOUBLE_SIZE], t0[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "\nperiodic state at t = %s, %u of them\n", hy_double_text(t0, s->t0),
                         s->n);
  for (guint k = 0; k < s->n; k++) {
    g_autofree char *path = hy_steady_state(s, k);
    g_string_append_printf(out, "  %-*s  %s\n", (int)wide, path, number(x, s->x[k]));
  }
}

static void text_outputs(const HySteady *s, GString *out, guint wide)
{
  char mean[HY_DOUBLE_SIZE], rms[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "\n%-*s  %-16s  rms\n", (int)wide + 2, "over a period", "mean");
  for (guint k = 0; k < s->output->len; k++) {
    const HySteadyOutput *o = &g_array_index(s->output, HySteadyOutput, k);
    g_string_append_printf(out, "  %-*s  %-16s  %s\n", (int)wide, o->path, number(mean, o->mean),
                           number(rms, o->rms));
    for (guint h = 1; h <= s->set.harmonics; h++) {
      double amplitude = NAN, phase = NAN;
      hy_steady_harmonic(s, k, h, &amplitude, &phase);
      g_ascii_formatd(mean, sizeof mean, "%.6g", amplitude);
      g_ascii_formatd(rms, sizeof rms, "%.4g", phase * 180.0 / G_PI);
      g_string_append_printf(out, "  %*s%3u. %s at %s degrees\n", (int)wide, "", h, mean, rms);
    }
  }
}

static void text_multipliers(const HySteady *s, GString *out)
{
  char real[HY_DOUBLE_SIZE], imaginary[HY_DOUBLE_SIZE], size[HY_DOUBLE_SIZE];
  g_string_append(out, "\nFloquet multipliers\n");
  for (guint k = 0; k < s->n; k++) {
    double re, im;
    hy_steady_multiplier(s, k, &re, &im);
    g_ascii_formatd(real, sizeof real, "%.8g", re);
    g_ascii_formatd(imaginary, sizeof imaginary, "%.8g", fabs(im));
    g_ascii_formatd(size, sizeof size, "%.8g", hypot(re, im));
    if (im == 0.0) {
      g_string_append_printf(out, "  %s\n", real);
    } else if (im > 0.0) {
      g_string_append_printf(out, "  %s +- %si, of size %s\n", real, imaginary, size);
    }
  }
  g_autofree char *verdict = hy_steady_verdict(s);
  g_string_append_printf(out, "%s\n", verdict);
}

void hy_steady_text(const HySteady *s, GString *out)
{
  g_return_if_fail(s != NULL && out != NULL);
  guint wide = widest(s);
  text_head(s, out);
  text_states(s, out, wide);
  if (s->lap->exact) {
    text_outputs(s, out, wide);
  } else if (s->output->len > 0) {
    g_string_append(out, "\nmean and rms: not known, since no steps were exact\n");
  }
  text_multipliers(s, out);
}

/* JSON -------------------------------------------------------------------------------------- */

static void json_states(const HySteady *s, HyJsonOut *json)
{
  hy_json_begin_lines(json, "states", '[');
  for (guint k = 0; k < s->n; k++) {
    g_autofree char *path = hy_steady_state(s, k);
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "path", path);
    hy_json_real(json, "value", s->x[k]);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

/* An array in an array. */
static void json_numbers(HyJsonOut *json, const double *v, guint n)
{
  hy_json_begin(json, NULL, '[');
  for (guint k = 0; k < n; k++) {
    hy_json_real(json, NULL, v[k]);
  }
  hy_json_end(json, ']');
}

static void json_outputs(const HySteady *s, HyJsonOut *json)
{
  hy_json_begin_lines(json, "outputs", '[');
  for (guint k = 0; k < s->output->len; k++) {
    const HySteadyOutput *o = &g_array_index(s->output, HySteadyOutput, k);
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "path", o->path);
    hy_json_real(json, "mean", o->mean);
    hy_json_real(json, "rms", o->rms);
    hy_json_begin(json, "harmonics", '[');
    for (guint h = 1; h <= s->set.harmonics; h++) {
      double pair[2] = {NAN, NAN};
      hy_steady_harmonic(s, k, h, &pair[0], &pair[1]);
      json_numbers(json, pair, 2);
    }
    hy_json_end(json, ']');
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

static void json_matrices(const HySteady *s, HyJsonOut *json)
{
  hy_json_begin(json, "multipliers", '[');
  for (guint k = 0; k < s->n; k++) {
    double pair[2];
    hy_steady_multiplier(s, k, &pair[0], &pair[1]);
    json_numbers(json, pair, 2);
  }
  hy_json_end(json, ']');
  hy_json_begin_lines(json, "monodromy", '[');
  for (guint k = 0; k < s->n; k++) {
    json_numbers(json, s->phi + (gsize)k * s->n, s->n);
  }
  hy_json_end(json, ']');
}

void hy_steady_json(const HySteady *s, GString *out)
{
  g_return_if_fail(s != NULL && out != NULL);
  g_autofree char *verdict = hy_steady_verdict(s);
  HyJsonOut json = {.out = out};
  hy_json_begin_lines(&json, NULL, '{');
  hy_json_text(&json, "model", hy_model_name(hy_loaded_model(s->loaded)));
  hy_json_real(&json, "t", s->t0);
  hy_json_real(&json, "period", s->period);
  hy_json_real(&json, "periods", s->periods);
  hy_json_real(&json, "newton", s->newton);
  hy_json_real(&json, "residual", s->residual);
  hy_json_bool(&json, "exact", s->exact);
  if (s->why != NULL) {
    hy_json_text(&json, "why", s->why);
  } else {
    hy_json_null(&json, "why");
  }
  hy_json_text(&json, "verdict", verdict);
  json_states(s, &json);
  json_outputs(s, &json);
  json_matrices(s, &json);
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
}
