/* A frequency response as people and programs read it. */
#include "bode_internal.h"

#include "coupled/model_internal.h"

#include <math.h>

#define ROWS 13U /* of the table in words */

static const char *short_number(char *text, double v)
{
  return g_ascii_formatd(text, HY_DOUBLE_SIZE, "%.5g", v);
}

static void text_margins(const HyBode *b, GString *out)
{
  char a[HY_DOUBLE_SIZE], c[HY_DOUBLE_SIZE];
  const HyMargins *m = &b->margins;
  if (isnan(m->crossover)) {
    g_string_append(out, "the loop's gain is nowhere 1\n");
  } else {
    g_string_append_printf(out, "crossover at %s Hz, phase margin %s degrees\n",
                           short_number(a, m->crossover), short_number(c, m->phase));
  }
  if (isnan(m->reversal)) {
    g_string_append(out, "its phase is nowhere -180 degrees: no gain margin\n");
  } else {
    g_string_append_printf(out, "phase -180 degrees at %s Hz, gain margin %s dB\n",
                           short_number(a, m->reversal), short_number(c, m->gain));
  }
}

void hy_bode_text(const HyBode *b, GString *out)
{
  g_return_if_fail(b != NULL && out != NULL);
  char f[HY_DOUBLE_SIZE], gain[HY_DOUBLE_SIZE], phase[HY_DOUBLE_SIZE];
  guint rows = MIN(ROWS, b->n);
  g_string_append_printf(out, "%s: %s %s%s%s\n", hy_model_name(hy_loaded_model(b->steady->loaded)),
                         b->loop ? "loop gain at" : "from", b->from,
                         b->loop ? ", read at " : " to ", b->to);
  g_string_append_printf(out,
                         "steady state of period %s s, found in %u of them; beyond half its "
                         "frequency, %s Hz, an answer means nothing\n\n",
                         short_number(f, b->steady->period), b->steady->periods,
                         short_number(gain, b->limit));
  g_string_append(out, "          Hz            dB       degrees\n");
  for (guint k = 0; k < rows; k++) {
    guint point = rows > 1 ? (guint)((guint64)k * (b->n - 1) / (rows - 1)) : 0;
    double at, db, angle;
    hy_bode_point(b, point, &at, &db, &angle);
    g_string_append_printf(out, "%12s  %12s  %12s\n", short_number(f, at), short_number(gain, db),
                           short_number(phase, angle));
  }
  if (b->loop) {
    g_string_append_c(out, '\n');
    text_margins(b, out);
  }
}

void hy_bode_csv(const HyBode *b, GString *out)
{
  g_return_if_fail(b != NULL && out != NULL);
  char text[3][HY_DOUBLE_SIZE];
  g_string_append(out, "frequency,gain,phase\n");
  for (guint k = 0; k < b->n; k++) {
    double f, gain, phase;
    hy_bode_point(b, k, &f, &gain, &phase);
    g_string_append_printf(out, "%s,%s,%s\n", hy_double_text(text[0], f),
                           hy_double_text(text[1], gain), hy_double_text(text[2], phase));
  }
}

static void json_margins(const HyBode *b, HyJsonOut *json)
{
  hy_json_begin(json, "margins", '{');
  hy_json_bool(json, "loop", b->loop);
  hy_json_real(json, "crossover", b->margins.crossover);
  hy_json_real(json, "phase", b->margins.phase);
  hy_json_real(json, "reversal", b->margins.reversal);
  hy_json_real(json, "gain", b->margins.gain);
  hy_json_end(json, '}');
}

static void json_points(const HyBode *b, HyJsonOut *json)
{
  hy_json_begin_lines(json, "points", '[');
  for (guint k = 0; k < b->n; k++) {
    double f, gain, phase;
    hy_bode_point(b, k, &f, &gain, &phase);
    hy_json_begin(json, NULL, '{');
    hy_json_real(json, "frequency", f);
    hy_json_real(json, "gain", gain);
    hy_json_real(json, "phase", phase);
    hy_json_real(json, "real", creal(b->answer[k]));
    hy_json_real(json, "imaginary", cimag(b->answer[k]));
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

static void json_column(HyJsonOut *json, const char *name, const char *unit)
{
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "path", name);
  hy_json_text(json, "kind", "signal");
  hy_json_count(json, "order", 1);
  hy_json_text(json, "unit", unit);
  hy_json_text(json, "label", name);
  hy_json_end(json, '}');
}

/* As beside a recording, so that a picture of the table has its units. */
static void json_columns(const HyBode *b, HyJsonOut *json)
{
  g_autofree char *title = g_strdup_printf(
      "%s: %s %s%s%s", hy_model_name(hy_loaded_model(b->steady->loaded)),
      b->loop ? "loop gain at" : "from", b->from, b->loop ? ", read at " : " to ", b->to);
  hy_json_text(json, "title", title);
  hy_json_begin_lines(json, "columns", '[');
  json_column(json, "gain", "dB");
  json_column(json, "phase", "degrees");
  hy_json_end(json, ']');
}

void hy_bode_json(const HyBode *b, GString *out)
{
  g_return_if_fail(b != NULL && out != NULL);
  HyJsonOut json = {.out = out};
  hy_json_begin_lines(&json, NULL, '{');
  hy_json_text(&json, "model", hy_model_name(hy_loaded_model(b->steady->loaded)));
  hy_json_text(&json, "from", b->from);
  hy_json_text(&json, "to", b->to);
  hy_json_count(&json, "periods", b->steady->periods);
  hy_json_real(&json, "limit", b->limit);
  json_columns(b, &json);
  json_margins(b, &json);
  json_points(b, &json);
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
}
