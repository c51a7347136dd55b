/* The table of hydevs bench: errors, medians, ratios, as text and as JSON. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

/* Numbers -------------------------------------------------------------------------------------- */

static double root_of_quotient(double above, double below)
{
  return above == 0 ? 0 : sqrt(above / below);
}

void bench_error(const double *reference, const double *samples, guint n, double *error,
                 double *worst)
{
  double above = 0, below = 0;
  *worst = 0;
  for (guint i = 0; i < n; i++) {
    double a = 0, b = 0;
    for (gsize at = i; at < (gsize)BENCH_SAMPLES * n; at += n) {
      double d = samples[at] - reference[at];
      a += d * d;
      b += reference[at] * reference[at];
    }
    above += a;
    below += b;
    double alone = root_of_quotient(a, b);
    *worst = alone > *worst || isnan(alone) ? alone : *worst;
  }
  *error = root_of_quotient(above, below);
}

static int by_size(gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void bench_times(const BenchRow *row, double *least, double *median)
{
  *least = *median = NAN;
  if (row->run.end == BENCH_DONE && row->seconds->len > 0) {
    g_autoptr(GArray) sorted = g_array_copy(row->seconds);
    g_array_sort(sorted, by_size);
    const double *s = (const double *)(gconstpointer)sorted->data;
    guint n = sorted->len;
    *least = 1e3 * s[0];
    *median = 1e3 * (n % 2 == 1 ? s[n / 2] : 0.5 * (s[n / 2 - 1] + s[n / 2]));
  }
}

/* To the row that was written by hand, at the same tolerance. NaN: there is none. */
static double ratio_of(const BenchTable *table, const BenchRow *row)
{
  for (guint k = 0; k < table->rows->len; k++) {
    const BenchRow *hand = table->rows->pdata[k];
    if (hand->engine == NULL && hand->tolerance == row->tolerance) {
      double mine, its, median;
      bench_times(row, &mine, &median);
      bench_times(hand, &its, &median);
      return mine / its;
    }
  }
  return NAN;
}

char *bench_fate(const BenchTable *table, const BenchRow *row)
{
  char t[HY_DOUBLE_SIZE], tf[HY_DOUBLE_SIZE], limit[HY_DOUBLE_SIZE];
  g_autofree char *reached =
      isnan(row->run.t) ? g_strdup("")
                        : g_strdup_printf(", at t = %s of %s after %" G_GUINT64_FORMAT " events",
                                          g_ascii_formatd(t, sizeof t, "%.4g", row->run.t),
                                          hy_double_text(tf, table->tf), row->run.events);
  switch (row->run.end) {
  case BENCH_NO_END:
    return g_strdup_printf("no end in %s s%s", hy_double_text(limit, table->limit), reached);
  case BENCH_NO_MEMORY:
    return g_strdup_printf("half of the memory is not enough%s", reached);
  default:
    return g_strdup(row->run.why);
  }
}

char *bench_row_name(const BenchRow *row)
{
  const BenchRun *run = &row->run;
  if (run->gave_way == 0) {
    return g_strdup(row->method);
  }
  return run->gave_way == run->groups ? g_strdup_printf("%s -> %s", row->method, run->instead)
                                      : g_strdup_printf("%s (%u of %u groups -> %s)", row->method,
                                                        run->gave_way, run->groups, run->instead);
}

/* Text ----------------------------------------------------------------------------------------- */

static const char *const heads[] = {"CPU ms", "median",  "Minstr", "steps", "f evals",
                                    "events", "toggles", "error",  "worst", "/CVODE"};

static void number(const char *format, double v)
{
  char text[HY_DOUBLE_SIZE] = "-";
  if (!isnan(v)) {
    g_ascii_formatd(text, sizeof text, format, v);
  }
  printf(" %9s", text);
}

static void line_text(const BenchTable *table, const BenchRow *row, int width)
{
  double least, median;
  g_autofree char *name = bench_row_name(row);
  bench_times(row, &least, &median);
  printf("%-*s %-7s %-6s", width, name, row->tol != NULL ? row->tol : "-",
         row->engine != NULL ? row->engine : "-");
  if (row->run.end != BENCH_DONE) {
    g_autofree char *why = bench_fate(table, row);
    printf("  %s\n", why);
    return;
  }
  number("%.4g", least);
  number("%.4g", median);
  number("%.1f", row->run.instructions / 1e6);
  number("%.0f", (double)row->run.steps);
  number("%.0f", (double)row->run.f_evals);
  number("%.0f", (double)row->run.events);
  number("%.0f", (double)row->run.toggles);
  number("%.1e", row->error);
  number("%.1e", row->worst);
  number("%.2f", ratio_of(table, row));
  putchar('\n');
}

/* Below the table: how auto has chosen, and why another method is there. */
static void notes_text(const BenchRow *row)
{
  const char *tol = row->tol != NULL ? row->tol : "";
  if (row->chosen != NULL) {
    printf("\n%s %s: %s\n", row->method, tol, row->chosen);
  }
  if (row->run.gave_way > 0) {
    char since[HY_DOUBLE_SIZE];
    printf("\n%s %s: %s in its place in %u of %u groups of states, from t = %s on: %s\n",
           row->method, tol, row->run.instead, row->run.gave_way, row->run.groups,
           hy_double_text(since, row->run.instead_since), row->run.because);
  }
}

void bench_show_text(gpointer nothing, const BenchTable *table)
{
  (void)nothing;
  char tf[HY_DOUBLE_SIZE];
  int width = 6;
  for (guint k = 0; k < table->rows->len; k++) {
    g_autofree char *name = bench_row_name(table->rows->pdata[k]);
    width = MAX(width, (int)strlen(name));
  }
  printf("%s: %u states to t = %s, %u run%s of each\n", table->model, table->n,
         hy_double_text(tf, table->tf), table->repeat, table->repeat == 1 ? "" : "s");
  if (table->reference != NULL) {
    printf("errors against %s\n\n", table->reference);
  } else {
    printf("no errors: %s\n\n", table->no_reference);
  }
  printf("%-*s %-7s %-6s", width, "method", "tol", "engine");
  for (guint k = 0; k < G_N_ELEMENTS(heads); k++) {
    printf(" %9s", heads[k]);
  }
  putchar('\n');
  for (guint k = 0; k < table->rows->len; k++) {
    line_text(table, table->rows->pdata[k], width);
  }
  for (guint k = 0; k < table->rows->len; k++) {
    notes_text(table->rows->pdata[k]);
  }
}

/* JSON ----------------------------------------------------------------------------------------- */

static void text_or_null(HyJsonOut *json, const char *key, const char *text)
{
  if (text != NULL) {
    hy_json_text(json, key, text);
  } else {
    hy_json_null(json, key);
  }
}

static void count_member(HyJsonOut *json, const char *key, const BenchRow *row, guint64 n)
{
  if (row->run.end == BENCH_DONE) {
    hy_json_count(json, key, n);
  } else {
    hy_json_null(json, key);
  }
}

static void row_json(const BenchTable *table, const BenchRow *row, HyJsonOut *json)
{
  static const char *const ends[] = {"failed", "done", "no end", "no memory"};
  double least, median;
  bench_times(row, &least, &median);
  g_autofree char *why = row->run.end != BENCH_DONE ? bench_fate(table, row) : NULL;
  g_autofree char *name = bench_row_name(row);
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "model", table->model);
  hy_json_count(json, "N", table->n);
  hy_json_text(json, "method", name);
  hy_json_real(json, "tol", row->tolerance);
  hy_json_text(json, "engine", row->engine);
  hy_json_text(json, "chosen", row->chosen);
  if (row->run.gave_way > 0) {
    text_or_null(json, "stated", row->method);
    text_or_null(json, "because", row->run.because);
  }
  hy_json_real(json, "cpu_min_ms", least);
  hy_json_real(json, "cpu_median_ms", median);
  hy_json_real(json, "start_ms", row->run.end == BENCH_DONE ? 1e3 * row->run.start : NAN);
  hy_json_real(json, "instructions", row->run.instructions);
  count_member(json, "steps", row, row->run.steps);
  count_member(json, "f_evals", row, row->run.f_evals);
  count_member(json, "events", row, row->run.events);
  count_member(json, "toggles", row, row->run.toggles);
  hy_json_real(json, "error", row->error);
  hy_json_real(json, "error_worst_state", row->worst);
  hy_json_real(json, "ratio_cvode", ratio_of(table, row));
  text_or_null(json, "reference", table->reference);
  hy_json_text(json, "end", ends[row->run.end]);
  text_or_null(json, "why", why);
  hy_json_end(json, '}');
}

void bench_show_json(gpointer nothing, const BenchTable *table)
{
  (void)nothing;
  g_autoptr(GString) out = g_string_new(NULL);
  HyJsonOut json = {.out = out, .tight = TRUE};
  hy_json_begin_lines(&json, NULL, '[');
  for (guint k = 0; k < table->rows->len; k++) {
    row_json(table, table->rows->pdata[k], &json);
  }
  hy_json_end(&json, ']');
  puts(out->str);
}
