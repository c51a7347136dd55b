/* A suite is run: each table one comparison, each figure one for every value of its parameter. */
#include "suite.h"

#include <hydevs/text.h>

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const Suite *suite;
  const SuiteTask *task;
  const SuiteItem *item; /* that is run */
  SuitePage page;
  SuiteFigure *figure;
  double at;
  GPtrArray *fates; /* sentences about rows that have no numbers */
  gboolean failed;
} Suiting;

/* Tables -------------------------------------------------------------------------------------- */

static void cell(GPtrArray *cells, const char *format, double v)
{
  char text[HY_DOUBLE_SIZE];
  g_ptr_array_add(cells, g_strdup(isnan(v) ? "" : g_ascii_formatd(text, sizeof text, format, v)));
}

static void printed_cells(GPtrArray *cells, const SuitePrinted *p)
{
  cell(cells, "%.2e", p != NULL ? p->error : NAN);
  cell(cells, "%.0f", p != NULL ? p->evals : NAN);
  cell(cells, "%.10g", p != NULL ? p->ms : NAN);
}

static void measured_cells(GPtrArray *cells, const BenchRow *row)
{
  double least = NAN, median = NAN;
  gboolean done = row != NULL && row->run.end == BENCH_DONE;
  if (done) {
    bench_times(row, &least, &median);
  }
  cell(cells, "%.2e", done ? row->error : NAN);
  cell(cells, "%.0f", done ? (double)row->run.f_evals : NAN);
  cell(cells, "%.0f", done ? (double)row->run.steps : NAN);
  cell(cells, "%.0f", done ? (double)row->run.events : NAN);
  cell(cells, "%.1f", done ? row->run.instructions / 1e6 : NAN);
  cell(cells, "%.4g", least);
}

static void add_row(Suiting *s, const char *name, const char *tol, const SuitePrinted *p,
                    const BenchRow *row)
{
  g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(cells, g_strdup(name));
  g_ptr_array_add(cells, g_strdup(tol));
  if (s->item->printed->len > 0) {
    printed_cells(cells, p);
  }
  measured_cells(cells, row);
  suite_page_row(&s->page, cells);
}

/* What is printed of ROW; NULL: nothing. */
static const SuitePrinted *printed_of(const SuiteItem *item, const BenchRow *row)
{
  for (guint k = 0; k < item->printed->len; k++) {
    const SuitePrinted *p = &g_array_index(item->printed, SuitePrinted, k);
    if (g_strcmp0(p->method, row->method) == 0 && (isnan(p->tol) || p->tol == row->tolerance)) {
      return p;
    }
  }
  return NULL;
}

static void add_head(Suiting *s)
{
  static const char *const heads[] = {"method",     "tol",    "printed error", "printed f evals",
                                      "printed ms", "error",  "f evals",       "steps",
                                      "events",     "Minstr", "CPU ms"};
  g_autoptr(GPtrArray) cells = g_ptr_array_new();
  for (guint k = 0; k < G_N_ELEMENTS(heads); k++) {
    if (s->item->printed->len > 0 || !g_str_has_prefix(heads[k], "printed ")) {
      g_ptr_array_add(cells, (gpointer)heads[k]);
    }
  }
  suite_page_row(&s->page, cells);
}

/* Of methods that this program does not have. */
static void add_others(Suiting *s)
{
  char tol[HY_DOUBLE_SIZE];
  for (guint k = 0; k < s->item->printed->len; k++) {
    const SuitePrinted *p = &g_array_index(s->item->printed, SuitePrinted, k);
    if (p->method == NULL) {
      add_row(s, p->by, isnan(p->tol) ? "" : g_ascii_formatd(tol, sizeof tol, "%.0e", p->tol), p,
              NULL);
    }
  }
}

static void note_fates(Suiting *s, const BenchTable *table)
{
  for (guint k = 0; k < table->rows->len; k++) {
    const BenchRow *row = table->rows->pdata[k];
    g_autofree char *why = row->run.end != BENCH_DONE ? bench_fate(table, row) : NULL;
    if (why != NULL) {
      char at[HY_DOUBLE_SIZE];
      g_autofree char *place =
          s->figure != NULL ? g_strdup_printf(", %s = %s", s->item->over, hy_double_text(at, s->at))
                            : g_strdup("");
      g_ptr_array_add(s->fates, g_strdup_printf("%s, %s%s: %s.", row->method,
                                                row->tol != NULL ? row->tol : "-", place, why));
      s->failed |= row->run.end == BENCH_FAILED;
    }
  }
}

static void table_is_run(gpointer user, const BenchTable *table)
{
  Suiting *s = user;
  suite_page_table(&s->page);
  add_head(s);
  add_others(s);
  for (guint k = 0; k < table->rows->len; k++) {
    const BenchRow *row = table->rows->pdata[k];
    const SuitePrinted *p = printed_of(s->item, row);
    g_autofree char *mine = bench_row_name(row);
    g_autofree char *name = p != NULL ? g_strdup_printf("%s: %s", p->by, mine) : g_strdup(mine);
    add_row(s, name, row->tol != NULL ? row->tol : "", p, row);
  }
  suite_page_table_end(&s->page);
  char tf[HY_DOUBLE_SIZE];
  g_autofree char *below = g_strdup_printf(
      "%s: %u states to t = %s; %s%s.", table->model, table->n, hy_double_text(tf, table->tf),
      table->reference != NULL ? "errors against " : "no errors: ",
      table->reference != NULL ? table->reference : table->no_reference);
  suite_page_say(&s->page, below);
  note_fates(s, table);
}

static void place_is_run(gpointer user, const BenchTable *table)
{
  Suiting *s = user;
  suite_figure_add(s->figure, s->at, table);
  note_fates(s, table);
}

/* Runs ---------------------------------------------------------------------------------------- */

/* The file of the model: beside the suite, or the name of an example. */
static char *find_model(const Suiting *s, gboolean *example, int *status)
{
  g_autofree char *folder = g_path_get_dirname(s->suite->file);
  g_autofree char *beside = g_build_filename(folder, s->item->model, NULL);
  if (g_file_test(beside, G_FILE_TEST_IS_REGULAR)) {
    *example = FALSE;
    return g_steal_pointer(&beside);
  }
  return bench_model_find(s->item->model, (const char *const *)s->task->m->library, example,
                          status);
}

/* NAME-4.5.svg beside the page. */
static char *picture_beside(const Suiting *s)
{
  const char *out = s->task->out;
  const char *dot = strrchr(out, '.'), *slash = strrchr(out, G_DIR_SEPARATOR);
  gsize n = dot != NULL && (slash == NULL || dot > slash) ? (gsize)(dot - out) : strlen(out);
  return g_strdup_printf("%.*s-%s.svg", (int)n, out, s->item->number);
}

/* The item once; ALSO: one more parameter that is set, or NULL. */
static int compare(Suiting *s, const char *also, BenchShow shown)
{
  gboolean example;
  int status = 0;
  const SuiteItem *item = s->item;
  g_autofree char *file = find_model(s, &example, &status);
  if (file == NULL) {
    return status;
  }
  g_autofree char *all = g_strjoin(" ", also != NULL ? also : "", item->set, NULL);
  g_auto(GStrv) set = g_strsplit(g_strstrip(all), " ", -1);
  CliModel m = *s->task->m;
  m.set = *set != NULL ? set : NULL;
  m.experiment = item->experiment;
  m.until = item->until;
  g_autofree char *picture =
      s->task->out != NULL && item->figure && !s->page.html ? picture_beside(s) : NULL;
  const char *const written[] = {s->task->out, picture, NULL};
  BenchTask task = {.m = &m,
                    .file = file,
                    .name = item->model,
                    .method = item->method,
                    .tol = item->tol,
                    .engine = item->engine,
                    .repeat = item->repeat,
                    .limit = item->limit,
                    .written = written,
                    .brief = item->errors != NULL || (item->figure && item->error == NULL),
                    .count = s->task->count && !item->figure};
  status = bench_compare(&task, example, shown, s);
  return status == HY_ERROR_RUN ? 0 : status; /* the page says so */
}

/* In HTML a file that is not kept; NULL: none is made. */
static char *picture_of(const Suiting *s)
{
  if (s->page.html) {
    char *file = NULL;
    int descriptor = g_file_open_tmp("hydevs-XXXXXX.svg", &file, NULL);
    if (descriptor >= 0) {
      g_close(descriptor, NULL);
    }
    return file;
  }
  return s->task->out != NULL ? picture_beside(s) : NULL;
}

static int show_figure(Suiting *s)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *file = picture_of(s), *href = NULL;
  href = file != NULL ? g_path_get_basename(file) : NULL;
  gboolean ok = suite_figure_show(s->figure, &s->page, file, href, &error);
  if (s->page.html && file != NULL) {
    g_unlink(file);
  }
  return ok ? 0 : cli_failed(error);
}

static int run_figure(Suiting *s)
{
  g_auto(GStrv) values = g_strsplit(s->item->values, ",", -1);
  g_autoptr(SuiteFigure) figure = suite_figure_new(s->item);
  int status = 0;
  s->figure = figure;
  for (char **value = values; *value != NULL && status == 0; value++) {
    g_autofree char *set = g_strdup_printf("%s=%s", s->item->over, g_strstrip(*value));
    cli_number(*value, &s->at); /* reading has refused what is none */
    status = compare(s, set, place_is_run);
  }
  status = status == 0 ? show_figure(s) : status;
  s->figure = NULL;
  return status;
}

static int run_item(Suiting *s)
{
  g_autofree char *heading = g_strdup_printf("%s %s: %s", s->item->figure ? "Figure" : "Table",
                                             s->item->number, s->item->title);
  suite_page_heading(&s->page, heading);
  int status = s->item->figure ? run_figure(s) : compare(s, NULL, table_is_run);
  for (guint k = 0; k < s->fates->len; k++) {
    suite_page_say(&s->page, s->fates->pdata[k]);
  }
  if (status != 0) {
    fprintf(stderr, "hydevs: %s: %s %s cannot be run\n", s->suite->file,
            s->item->figure ? "figure" : "table", s->item->number);
  }
  g_ptr_array_set_size(s->fates, 0);
  suite_page_say(&s->page, s->item->note);
  return status;
}

static gboolean write_page(const Suiting *s, int *status)
{
  g_autoptr(GError) error = NULL;
  if (s->task->out == NULL) {
    fputs(s->page.text->str, stdout);
  } else if (!hy_write_file(s->task->out, s->page.text->str, -1, &error)) {
    *status = cli_failed(error);
  }
  return error == NULL;
}

/* A number in `only` that no item has. */
static const char *unknown(const Suite *suite, char *const *only)
{
  for (; only != NULL && *only != NULL; only++) {
    gboolean known = FALSE;
    for (guint k = 0; k < suite->items->len; k++) {
      known |= strcmp(((const SuiteItem *)suite->items->pdata[k])->number, *only) == 0;
    }
    if (!known) {
      return *only;
    }
  }
  return NULL;
}

static int run_items(Suiting *s, char *const *only)
{
  int status = 0;
  for (guint k = 0; k < s->suite->items->len && status == 0; k++) {
    s->item = s->suite->items->pdata[k];
    if (only == NULL || g_strv_contains((const char *const *)only, s->item->number)) {
      status = run_item(s);
    }
  }
  return status;
}

int suite_run(const Suite *suite, const SuiteTask *task)
{
  g_auto(GStrv) only = task->only != NULL ? g_strsplit(task->only, ",", -1) : NULL;
  const char *missing = unknown(suite, only);
  if (missing != NULL) {
    return cli_usage("bench", "--only: %s has no table or figure \"%s\"", suite->file, missing);
  }
  g_autoptr(GError) error = NULL;
  const char *const read[] = {suite->file, NULL};
  if (task->out != NULL && !hy_output_is_free(task->out, read, NULL, &error)) {
    return cli_failed(error);
  }
  Suiting s = {.suite = suite,
               .task = task,
               .page = {.text = g_string_new(NULL), .html = task->html},
               .fates = g_ptr_array_new_with_free_func(g_free)};
  suite_page_begin(&s.page, suite->title);
  suite_page_say(&s.page, suite->note);
  int status = run_items(&s, only);
  suite_page_end(&s.page);
  if (status == 0 && write_page(&s, &status)) {
    status = s.failed ? HY_ERROR_RUN : 0;
  }
  g_string_free(s.page.text, TRUE);
  g_ptr_array_unref(s.fates);
  return status;
}
