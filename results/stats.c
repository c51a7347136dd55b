/* The counters of a run as text and as JSON. */
#include "hydevs/stats.h"

#include "sim/engine.h"
#include "smells.h"
#include "stats_members.h"
#include "stats_partition.h"

#define SHOWN 30

/* The numbers of the atomics as the document lists them: not by priority, as they are numbered. */
static guint *document_order(const HySim *sim)
{
  guint *order = g_new0(guint, MAX(hy_sim_n(sim), 1));
  const HyModel *m = sim->model;
  for (guint n = 0, k = 0; m != NULL;) {
    if (k == hy_model_n(m)) {
      k = m->parent != NULL ? m->index + 1 : 0;
      m = m->parent;
    } else if (hy_model_coupled(m, k) != NULL) {
      m = hy_model_coupled(m, k);
      k = 0;
    } else {
      order[n++] = hy_component(m, k++)->number;
    }
  }
  return order;
}

typedef struct {
  guint atomic, place; /* in the document */
  guint64 n_int, n_ext;
} Row;

static guint64 work(const Row *r)
{
  return r->n_int + r->n_ext;
}

static int busier(gconstpointer a, gconstpointer b)
{
  const Row *v = a, *w = b;
  return work(v) != work(w) ? (work(v) < work(w)) - (work(v) > work(w))
                            : (v->place > w->place) - (v->place < w->place);
}

static int earlier(gconstpointer a, gconstpointer b)
{
  const Row *v = a, *w = b;
  return (v->place > w->place) - (v->place < w->place);
}

static GArray *rows_of(const HySim *sim)
{
  guint n = hy_sim_n(sim);
  GArray *rows = g_array_sized_new(FALSE, FALSE, sizeof(Row), n);
  g_autofree guint *order = document_order(sim);
  for (guint place = 0; place < n; place++) {
    Row r = {.atomic = order[place], .place = place};
    hy_sim_counts(sim, r.atomic, &r.n_int, &r.n_ext);
    g_array_append_val(rows, r);
  }
  return rows;
}

/* Counts of classic methods, as text and JSON call them. */
static const struct {
  const char *key, *text;
  gsize offset;
} classic_words[] = {
    {"steps", "steps", G_STRUCT_OFFSET(HyClassicTotals, steps)},
    {"evaluations", "right-hand sides", G_STRUCT_OFFSET(HyClassicTotals, evaluations)},
    {"jacobians", "Jacobians", G_STRUCT_OFFSET(HyClassicTotals, jacobians)},
    {"newton", "Newton iterations", G_STRUCT_OFFSET(HyClassicTotals, newton)},
    {"failures", "steps refused", G_STRUCT_OFFSET(HyClassicTotals, failures)},
    {"restarts", "restarts", G_STRUCT_OFFSET(HyClassicTotals, restarts)},
    {"pieces", "pieces said", G_STRUCT_OFFSET(HyClassicTotals, pieces)},
    {"inputs", "changes of inputs", G_STRUCT_OFFSET(HyClassicTotals, inputs)},
    {"closed", "steps ended early", G_STRUCT_OFFSET(HyClassicTotals, closed)},
    {"crossings", "own crossings", G_STRUCT_OFFSET(HyClassicTotals, crossings)},
};

static guint64 classic_count(const HyClassicTotals *t, guint word)
{
  return *(const guint64 *)(gconstpointer)((const char *)t + classic_words[word].offset);
}

/* Text ---------------------------------------------------------------------------------------- */

static void totals_text(const HyTotals *t, const HyCost *cost, GString *out)
{
  g_string_append_printf(out,
                         "%" G_GUINT64_FORMAT " events (root cycles), %" G_GUINT64_FORMAT
                         " internal and %" G_GUINT64_FORMAT " external transitions",
                         t->cycles, t->n_int, t->n_ext);
  if (t->toggles > 0) {
    g_string_append_printf(out, ", %" G_GUINT64_FORMAT " toggles of modes", t->toggles);
  }
  g_string_append_c(out, '\n');
  guint64 messages = t->i + t->star + t->x + t->y + t->done;
  if (messages > 0) {
    g_string_append_printf(out,
                           "%" G_GUINT64_FORMAT " messages: i %" G_GUINT64_FORMAT
                           ", * %" G_GUINT64_FORMAT ", x %" G_GUINT64_FORMAT
                           ", y %" G_GUINT64_FORMAT ", done %" G_GUINT64_FORMAT "\n",
                           messages, t->i, t->star, t->x, t->y, t->done);
  }
  if (t->steps > 0) {
    g_string_append_printf(out,
                           "%" G_GUINT64_FORMAT " steps of states, %" G_GUINT64_FORMAT
                           " evaluations of their equations, %" G_GUINT64_FORMAT " pair steps\n",
                           t->steps, t->evaluations, t->pairs);
  }
  if (cost != NULL) {
    static const char *const phases[] = {"load", "build", "start", "run"};
    const double seconds[] = {cost->load, cost->build, cost->start, cost->run};
    for (guint k = 0; k < G_N_ELEMENTS(phases); k++) {
      char text[HY_DOUBLE_SIZE];
      g_string_append_printf(out, "%s %s s, ", phases[k],
                             g_ascii_formatd(text, sizeof text, "%.3g", seconds[k]));
    }
    char rate[HY_DOUBLE_SIZE];
    g_string_append_printf(
        out, "%s events/s, peak memory %ld KiB\n",
        g_ascii_formatd(rate, sizeof rate, "%.3g", (double)t->cycles / cost->run), cost->peak_kib);
  }
}

/* A line for each group of a classic method. */
static void groups_text(const HySim *sim, GString *out)
{
  for (guint k = 0; k < hy_sim_n_groups(sim); k++) {
    HyGroupTotals g;
    hy_sim_group(sim, k, &g);
    g_autofree char *path = hy_sim_path(sim, g.atomic);
    char least[HY_DOUBLE_SIZE], most[HY_DOUBLE_SIZE], last[HY_DOUBLE_SIZE];
    g_string_append_printf(out, "%s of %s", g.method, path);
    if (g.states > 1) {
      g_string_append_printf(out, " and %u more", g.states - 1);
    }
    if (g.stated != NULL) {
      char since[HY_DOUBLE_SIZE];
      g_string_append_printf(out, ", in place of %s from t = %s on: %s", g.stated,
                             hy_double_text(since, g.since), g.because);
    }
    g_string_append(out, ": ");
    for (guint i = 0; i < G_N_ELEMENTS(classic_words); i++) {
      g_string_append_printf(out, "%" G_GUINT64_FORMAT " %s, ", classic_count(&g.totals, i),
                             classic_words[i].text);
    }
    if (g.totals.moved > 0) {
      g_string_append_printf(out, "%.3g states moving in a step, ",
                             (double)g.totals.moved / (double)MAX(g.totals.steps, 1));
    }
    g_string_append_printf(out, "h %s to %s, at last %s\n",
                           g_ascii_formatd(least, sizeof least, "%.3g", g.least),
                           g_ascii_formatd(most, sizeof most, "%.3g", g.most),
                           g_ascii_formatd(last, sizeof last, "%.3g", g.last));
    if (g.why != NULL) {
      g_string_append_printf(out, "  %u of %u states: %s\n", g.states, g.of, g.why);
    }
  }
}

static void pad(GString *out, const char *text, glong width)
{
  g_string_append(out, text);
  for (glong k = g_utf8_strlen(text, -1); k < width; k++) {
    g_string_append_c(out, ' ');
  }
}

static void line_text(GString *out, const char *path, glong width, const char *klass, guint64 n_int,
                      guint64 n_ext)
{
  pad(out, path, width);
  g_string_append(out, "  ");
  pad(out, klass, 18);
  g_string_append_printf(out, " %12" G_GUINT64_FORMAT " %12" G_GUINT64_FORMAT "\n", n_int, n_ext);
}

/* A line for each of ROWS, of N blocks, and what blocks report. */
static void blocks_text(const HySim *sim, const GArray *rows, guint n, const HyTotals *totals,
                        GString *out)
{
  g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
  glong width = 5;
  for (guint k = 0; k < rows->len; k++) {
    char *path = hy_sim_path(sim, g_array_index(rows, Row, k).atomic);
    g_ptr_array_add(paths, path);
    width = MAX(width, g_utf8_strlen(path, -1));
  }
  g_string_append_c(out, '\n');
  pad(out, "block", width);
  g_string_append_printf(out, "  %-18s %12s %12s\n", "class", "internal", "external");
  for (guint k = 0; k < rows->len; k++) {
    const Row *r = &g_array_index(rows, Row, k);
    line_text(out, paths->pdata[k], width, hy_sim_class(sim, r->atomic)->name, r->n_int, r->n_ext);
  }
  if (n > rows->len) {
    g_string_append_printf(out, "... and %u more, less busy\n", n - rows->len);
  }
  line_text(out, "total", width, "", totals->n_int, totals->n_ext);
  for (guint k = 0; k < rows->len; k++) {
    g_autofree char *report = hy_sim_report(sim, g_array_index(rows, Row, k).atomic);
    if (report != NULL) {
      g_string_append_printf(out, "%s: %s\n", (char *)paths->pdata[k], report);
    }
  }
}

void hy_stats_text(const HySim *sim, const HyCost *cost, GString *out)
{
  g_return_if_fail(sim != NULL && out != NULL);
  HyTotals totals;
  hy_sim_totals(sim, &totals);
  totals_text(&totals, cost, out);
  hy_stats_partition_text(sim, out);
  groups_text(sim, out);
  g_autoptr(GArray) rows = rows_of(sim);
  guint n = rows->len;
  if (n > SHOWN) {
    g_array_sort(rows, busier);
    g_array_set_size(rows, SHOWN);
    g_array_sort(rows, earlier);
  }
  blocks_text(sim, rows, n, &totals, out);
}

/* JSON ---------------------------------------------------------------------------------------- */

static void classic_json(const HyClassicTotals *t, HyJsonOut *json)
{
  for (guint k = 0; k < G_N_ELEMENTS(classic_words); k++) {
    hy_json_count(json, classic_words[k].key, classic_count(t, k));
  }
}

static void group_json(const HySim *sim, const HyGroupTotals *g, HyJsonOut *json)
{
  g_autofree char *path = hy_sim_path(sim, g->atomic);
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "method", g->method);
  if (g->stated != NULL) {
    hy_json_text(json, "in_place_of", g->stated);
    hy_json_text(json, "because", g->because);
    hy_json_real(json, "since", g->since);
  }
  hy_json_text(json, "first", path);
  hy_json_count(json, "states", g->states);
  if (g->why != NULL) {
    hy_json_count(json, "of", g->of);
    hy_json_text(json, "why", g->why);
  }
  classic_json(&g->totals, json);
  if (g->totals.moved > 0) {
    hy_json_count(json, "moved", g->totals.moved);
  }
  hy_json_real(json, "h_min", g->least);
  hy_json_real(json, "h_max", g->most);
  hy_json_real(json, "h_last", g->last);
  if (g->off > 0.0) {
    hy_json_real(json, "off", g->off);
  }
  hy_json_end(json, '}');
}

static void groups_json(const HySim *sim, HyJsonOut *json)
{
  guint n = hy_sim_n_groups(sim);
  if (n == 0) {
    return;
  }
  hy_json_begin_lines(json, "groups", '[');
  for (guint k = 0; k < n; k++) {
    HyGroupTotals g;
    hy_sim_group(sim, k, &g);
    group_json(sim, &g, json);
  }
  hy_json_end(json, ']');
}

static void cost_json(const HyCost *cost, guint64 cycles, HyJsonOut *json)
{
  hy_json_begin(json, "cost", '{');
  hy_json_real(json, "load_s", cost->load);
  hy_json_real(json, "build_s", cost->build);
  hy_json_real(json, "start_s", cost->start);
  hy_json_real(json, "run_s", cost->run);
  hy_json_real(json, "run_cpu_s", cost->run_cpu);
  hy_json_real(json, "events_per_second", (double)cycles / cost->run);
  hy_json_count(json, "peak_rss_kib", (guint64)cost->peak_kib);
  hy_json_end(json, '}');
}

static void totals_json(const HyTotals *t, HyJsonOut *json)
{
  const guint64 messages = t->i + t->star + t->x + t->y + t->done;
  hy_json_begin(json, "totals", '{');
  hy_json_count(json, "cycles", t->cycles);
  hy_json_count(json, "internal", t->n_int);
  hy_json_count(json, "external", t->n_ext);
  if (messages > 0) {
    hy_json_count(json, "messages", messages);
    hy_json_count(json, "i", t->i);
    hy_json_count(json, "star", t->star);
    hy_json_count(json, "x", t->x);
    hy_json_count(json, "y", t->y);
    hy_json_count(json, "done", t->done);
  }
  if (t->steps > 0) {
    hy_json_count(json, "steps", t->steps);
    hy_json_count(json, "evaluations", t->evaluations);
    hy_json_count(json, "pairs", t->pairs);
  }
  if (t->toggles > 0) {
    hy_json_count(json, "toggles", t->toggles);
  }
  if (t->classic.steps > 0) { /* of all groups */
    hy_json_begin(json, "classic", '{');
    classic_json(&t->classic, json);
    hy_json_end(json, '}');
  }
  hy_json_end(json, '}');
}

static void block_json(const HySim *sim, const Row *r, HyJsonOut *json)
{
  g_autofree char *path = hy_sim_path(sim, r->atomic), *report = hy_sim_report(sim, r->atomic);
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "path", path);
  hy_json_text(json, "class", hy_sim_class(sim, r->atomic)->name);
  hy_json_count(json, "internal", r->n_int);
  hy_json_count(json, "external", r->n_ext);
  hy_json_text(json, "report", report);
  hy_json_end(json, '}');
}

void hy_stats_members(const HySim *sim, const HyCost *cost, HyJsonOut *json)
{
  HyTotals totals;
  hy_sim_totals(sim, &totals);
  totals_json(&totals, json);
  if (cost != NULL) {
    cost_json(cost, totals.cycles, json);
  }
  hy_smells_json(sim, json);
  hy_stats_partition_json(sim, json);
  groups_json(sim, json);
  g_autoptr(GArray) rows = rows_of(sim);
  hy_json_begin_lines(json, "blocks", '[');
  for (guint k = 0; k < rows->len; k++) {
    block_json(sim, &g_array_index(rows, Row, k), json);
  }
  hy_json_end(json, ']');
}

void hy_stats_json(const HySim *sim, const HyCost *cost, GString *out)
{
  g_return_if_fail(sim != NULL && out != NULL);
  HyJsonOut json = {.out = out};
  hy_json_begin_lines(&json, NULL, '{');
  hy_stats_members(sim, cost, &json);
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
}

/* Each derivative that comes to a state along its wire is one, but where the room evaluates a row
 * in its place. */
guint64 hy_stats_derivatives(const HySim *sim)
{
  g_return_val_if_fail(sim != NULL, 0);
  HyTotals n;
  hy_sim_totals(sim, &n);
  guint64 sum = n.evaluations;
  for (guint k = 0; k < hy_sim_n_groups(sim); k++) {
    HyGroupTotals g;
    hy_sim_group(sim, k, &g);
    sum += g.totals.evaluations * g.states;
  }
  for (guint a = 0; a < hy_sim_n(sim); a++) {
    const HyAtomicClass *klass = hy_sim_class(sim, a);
    if (klass->order != NULL && klass->value != NULL) {
      const HyMember *member = sim->room != NULL ? hy_room_member(sim->room, a) : NULL;
      guint64 n_int = 0, n_ext = 0;
      hy_sim_counts(sim, a, &n_int, &n_ext);
      sum += member == NULL || !member->by_row ? n_ext : 0;
    }
  }
  return sum;
}
