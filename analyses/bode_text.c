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

static void json_number(GString *out, const char *name, double v)
{
  g_string_append_printf(out, ", \"%s\": ", name);
  hy_json_number(out, v);
}

static void json_margins(const HyBode *b, GString *out)
{
  g_string_append(out, "  \"margins\": {\"loop\": ");
  g_string_append(out, b->loop ? "true" : "false");
  json_number(out, "crossover", b->margins.crossover);
  json_number(out, "phase", b->margins.phase);
  json_number(out, "reversal", b->margins.reversal);
  json_number(out, "gain", b->margins.gain);
  g_string_append(out, "},\n");
}

static void json_points(const HyBode *b, GString *out)
{
  g_string_append(out, "  \"points\": [");
  for (guint k = 0; k < b->n; k++) {
    double f, gain, phase;
    hy_bode_point(b, k, &f, &gain, &phase);
    g_string_append(out, k > 0 ? ",\n    {\"frequency\": " : "\n    {\"frequency\": ");
    hy_json_number(out, f);
    json_number(out, "gain", gain);
    json_number(out, "phase", phase);
    json_number(out, "real", creal(b->answer[k]));
    json_number(out, "imaginary", cimag(b->answer[k]));
    g_string_append_c(out, '}');
  }
  g_string_append(out, "\n  ]\n");
}

/* As beside a recording, so that a picture of the table has its units. */
static void json_columns(const HyBode *b, GString *out)
{
  g_autofree char *title = g_strdup_printf(
      "%s: %s %s%s%s", hy_model_name(hy_loaded_model(b->steady->loaded)),
      b->loop ? "loop gain at" : "from", b->from, b->loop ? ", read at " : " to ", b->to);
  g_string_append(out, "  \"title\": ");
  hy_json_string(out, title);
  g_string_append(out, ",\n  \"columns\": [\n"
                       "    {\"path\": \"gain\", \"kind\": \"signal\", \"order\": 1, \"unit\": "
                       "\"dB\", \"label\": \"gain\"},\n"
                       "    {\"path\": \"phase\", \"kind\": \"signal\", \"order\": 1, \"unit\": "
                       "\"degrees\", \"label\": \"phase\"}\n  ],\n");
}

void hy_bode_json(const HyBode *b, GString *out)
{
  g_return_if_fail(b != NULL && out != NULL);
  g_string_append(out, "{\n  \"model\": ");
  hy_json_string(out, hy_model_name(hy_loaded_model(b->steady->loaded)));
  g_string_append(out, ",\n  \"from\": ");
  hy_json_string(out, b->from);
  g_string_append(out, ",\n  \"to\": ");
  hy_json_string(out, b->to);
  g_string_append_printf(out, ",\n  \"periods\": %u,\n  \"limit\": ", b->steady->periods);
  hy_json_number(out, b->limit);
  g_string_append(out, ",\n");
  json_columns(b, out);
  json_margins(b, out);
  json_points(b, out);
  g_string_append(out, "}\n");
}
