#include "benchmark.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

typedef struct {
  double build, init, sim; /* seconds */
} Times;

static void add_count(GString *out, const char *name, guint64 n)
{
  g_string_append_printf(out, ",\"%s\":%" G_GUINT64_FORMAT, name, n);
}

/* The report as one JSON object. */
static GString *report_json(const Benchmark *b, const HyTotals *n, const Times *s)
{
  HyCounts c;
  hy_model_count(b->counted, &c);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  GString *out = g_string_new(NULL);
  g_string_append_printf(out, "{%s,\"engine\":\"%s\"", b->parameters, b->engine);
  add_count(out, "atomics", c.atomics);
  add_count(out, "coupled", c.coupled);
  add_count(out, "eic", c.eic);
  add_count(out, "ic", c.ic);
  add_count(out, "eoc", c.eoc);
  add_count(out, "n_int", n->n_int);
  add_count(out, "n_ext", n->n_ext);
  if (n->i == 0) { /* flat has no messages */
    g_string_append(out, ",\"i\":null,\"star\":null,\"x\":null,\"y\":null,\"done\":null");
  } else {
    add_count(out, "i", n->i);
    add_count(out, "star", n->star);
    add_count(out, "x", n->x);
    add_count(out, "y", n->y);
    add_count(out, "done", n->done);
  }
  g_string_append_printf(out, ",\"build_s\":%.6f,\"init_s\":%.6f,\"sim_s\":%.6f", s->build, s->init,
                         s->sim);
  g_string_append_printf(out, ",\"peak_rss_kib\":%ld}", usage.ru_maxrss);
  return out;
}

/* The same for people: a line for each member. No name or value has a comma, colon or quote inside.
 */
static void print_lines(const char *json)
{
  g_auto(GStrv) members = g_strsplit_set(json, "{,}", -1);
  for (char **m = members; *m != NULL; m++) {
    g_auto(GStrv) parts = g_strsplit_set(*m, "\":", -1); /* "name":value or "name":"text" */
    guint n = g_strv_length(parts);
    if (n >= 4) {
      printf("%-13s %s\n", parts[1], *parts[3] != '\0' ? parts[3] : parts[4]);
    }
  }
}

static void report(const Benchmark *b, const HyTotals *n, const Times *s)
{
  g_autoptr(GString) json = report_json(b, n, s);
  if (b->json) {
    puts(json->str);
  } else {
    print_lines(json->str);
  }
}

int benchmark_run(const char *verb, const Benchmark *b, const HyTotals *outside)
{
  g_autoptr(HyModel) root = b->root;
  g_autoptr(GError) error = NULL;
  gboolean tree = strcmp(b->engine, "tree") == 0;
  if (!tree && strcmp(b->engine, "flat") != 0) {
    return cli_usage(verb, "engine \"%s\": choose tree or flat", b->engine);
  }
  gint64 clock = b->start;
  Times s;
  g_autoptr(HySim) sim = hy_sim_new(root, tree ? HY_TREE : HY_FLAT, &error);
  if (sim == NULL) {
    return cli_failed(error);
  }
  hy_sim_set_limit(sim, 0);
  s.build = cli_lap(&clock);
  if (!hy_sim_init(sim, 0, &error)) {
    return cli_failed(error);
  }
  s.init = cli_lap(&clock);
  CliProgress progress = {.tf = b->tf};
  cli_progress_start(&progress, sim);
  gboolean ok = hy_sim_run(sim, b->tf, &error);
  cli_progress_end(&progress);
  s.sim = cli_lap(&clock);
  HyTotals n;
  hy_sim_totals(sim, &n);
  n.n_int -= outside->n_int;
  n.n_ext -= outside->n_ext;
  if (ok) { /* half a run is no measurement */
    report(b, &n, &s);
  }
  return cli_finish(ok ? 0 : cli_failed(error));
}
