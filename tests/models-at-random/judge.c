#include "judge.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

const char *const found_words[FOUND_KINDS] = {"nothing",
                                              "refused",
                                              "crash",
                                              "engines differ",
                                              "recording more changes a column",
                                              "recording on a grid changes the end",
                                              "fails",
                                              "off at any tolerance",
                                              "off at the default tolerance",
                                              "audit",
                                              "too long"};

#define SAME         1e-9 /* of 1 and what is compared */
#define AUDIT_STATUS 5

typedef struct {
  int status; /* -1: out of time; 128 + n: signal n */
  char *table, *words;
  gboolean rested; /* it has said that it did not begin everywhere at the start */
} Ran;

static void ran_clear(Ran *r)
{
  g_free(r->table);
  g_free(r->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Ran, ran_clear)

static void limit_time(gpointer user)
{
  const Judge *j = user;
  struct rlimit limit = {.rlim_cur = (rlim_t)j->seconds, .rlim_max = (rlim_t)j->seconds + 1};
  struct rlimit no_core = {0};
  setrlimit(RLIMIT_CPU, &limit);
  setrlimit(RLIMIT_CORE, &no_core);
}

/* The first breach that an audit tells; else the last line that is no warning. */
static char *last_words(const char *err)
{
  g_auto(GStrv) lines = g_strsplit(err, "\n", -1);
  for (guint k = 0; lines[k] != NULL; k++) {
    if (strstr(lines[k], "(audit ") != NULL) {
      return g_strdup(lines[k]);
    }
  }
  for (guint k = g_strv_length(lines); k-- > 0;) {
    if (lines[k][0] != '\0' && strstr(lines[k], "warning") == NULL) {
      return g_strdup(lines[k]);
    }
  }
  return g_strdup("");
}

/* OPTIONS with blanks between. */
static Ran run(const Judge *j, const char *options)
{
  g_autofree char *model = g_build_filename(j->scratch, "model.xml", NULL);
  g_autofree char *table = g_build_filename(j->scratch, "table.csv", NULL);
  g_autofree char *call = g_strdup_printf("%s run %s -o %s %s", j->program, model, table, options);
  g_auto(GStrv) argv = g_strsplit(call, " ", -1);
  g_autofree char *err = NULL;
  Ran r = {.status = 127};
  int state = 0;
  g_unlink(table);
  if (g_spawn_sync(NULL, argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, limit_time, (gpointer)j, NULL,
                   &err, &state, NULL)) {
    gboolean late =
        WIFSIGNALED(state) && (WTERMSIG(state) == SIGXCPU || WTERMSIG(state) == SIGKILL);
    r.status = WIFEXITED(state) ? WEXITSTATUS(state) : late ? -1 : 128 + WTERMSIG(state);
  }
  r.words = last_words(err != NULL ? err : "");
  r.rested = err != NULL && strstr(err, "have rested until") != NULL;
  if (!g_file_get_contents(table, &r.table, NULL, NULL)) {
    r.table = g_strdup("");
  }
  return r;
}

/* Tables --------------------------------------------------------------------------------------- */

typedef struct {
  char **names;        /* of the columns, behind that of the time */
  guint columns, rows; /* without the time */
  GArray *x, *t;       /* rows * columns; rows */
} Table;

static void table_clear(Table *t)
{
  g_strfreev(t->names);
  g_array_unref(t->x);
  g_array_unref(t->t);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Table, table_clear)

static Table table_read(const char *text)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  Table t = {.x = g_array_new(FALSE, FALSE, sizeof(double)),
             .t = g_array_new(FALSE, FALSE, sizeof(double))};
  t.names = g_strsplit(lines[0] != NULL ? lines[0] : "", ",", -1);
  t.columns = g_strv_length(t.names) > 0 ? g_strv_length(t.names) - 1 : 0;
  for (guint k = 1; lines[0] != NULL && lines[k] != NULL && lines[k][0] != '\0'; k++) {
    g_auto(GStrv) cells = g_strsplit(lines[k], ",", -1);
    double time = g_ascii_strtod(cells[0], NULL);
    g_array_append_val(t.t, time);
    for (guint c = 1; c <= t.columns; c++) {
      double v =
          c < g_strv_length(cells) && cells[c][0] != '\0' ? g_ascii_strtod(cells[c], NULL) : NAN;
      g_array_append_val(t.x, v);
    }
    t.rows++;
  }
  return t;
}

static double at(const Table *t, guint row, guint column)
{
  return g_array_index(t->x, double, row * t->columns + column);
}

/* At TIME, on the line through the rows. */
static double value_at(const Table *t, double time, guint column)
{
  guint k = 0;
  while (k + 1 < t->rows && g_array_index(t->t, double, k + 1) <= time) {
    k++;
  }
  double from = g_array_index(t->t, double, k), x = at(t, k, column);
  if (k + 1 == t->rows || from >= time) {
    return x;
  }
  double to = g_array_index(t->t, double, k + 1);
  return x + (at(t, k + 1, column) - x) * (time - from) / (to - from);
}

/* By how much A is away from B in the mean, of the peak of B; INFINITY: their rows differ. The
 * worst column in *WORST. */
static double distance(const Table *a, const Table *b, guint *worst)
{
  double most = 0;
  *worst = 0;
  if (a->columns != b->columns || a->rows != b->rows) {
    return INFINITY;
  }
  for (guint c = 0; c < b->columns; c++) {
    double sum = 0, peak = 1e-3;
    for (guint k = 0; k < b->rows; k++) {
      gboolean both = isnan(at(a, k, c)) && isnan(at(b, k, c));
      sum += both ? 0 : fabs(at(a, k, c) - at(b, k, c));
      peak = both ? peak : fmax(peak, fabs(at(b, k, c)));
    }
    double off = sum / b->rows / peak;
    if (!(off <= most)) {
      most = off;
      *worst = c;
    }
  }
  return most;
}

/* What is looked for ----------------------------------------------------------------------------
 */

typedef struct {
  const Judge *j;
  const Element *model;
  Found only;
  Ran base; /* by flat, rows at events */
  char *grid, *method;
  Verdict v;
} Case;

static gboolean found(Case *c, Found what, const char *format, ...) G_GNUC_PRINTF(3, 4);
static gboolean found(Case *c, Found what, const char *format, ...)
{
  va_list words;
  va_start(words, format);
  c->v.found = what;
  c->v.words = g_strdup_vprintf(format, words);
  va_end(words);
  return TRUE;
}

static gboolean wanted(const Case *c, Found what)
{
  return c->only == FOUND_NOTHING || c->only == what;
}

static gboolean write_model(const Case *c, gboolean methods)
{
  g_autofree char *path = g_build_filename(c->j->scratch, "model.xml", NULL);
  g_autofree char *wave = g_build_filename(c->j->scratch, "wave.csv", NULL);
  Element *copy = element_copy(c->model);
  if (!methods) {
    element_unset_everywhere(copy, "method");
  }
  g_autofree char *text = element_text(copy);
  element_free(copy);
  return g_file_set_contents(wave, "time,a,b\n0,0,1\n0.5,1,0.5\n1,-1,0\n2,0.5,2\n", -1, NULL) &&
         g_file_set_contents(path, text, -1, NULL);
}

static Ran run_with(const Case *c, const char *format, ...) G_GNUC_PRINTF(2, 3);
static Ran run_with(const Case *c, const char *format, ...)
{
  va_list words;
  va_start(words, format);
  g_autofree char *options = g_strdup_vprintf(format, words);
  va_end(words);
  return run(c->j, options);
}

/* The run itself, and whether the program has ended as it says that it may. */
static gboolean look_at_status(Case *c)
{
  c->base = run_with(c, "-e flat%s", c->method);
  int s = c->v.status = c->base.status;
  if (s == 1 || s == 2) {
    return found(c, FOUND_REFUSED, "status %d: %s", s, c->base.words);
  }
  if (s == 3) { /* no model that is drawn divides by 0 or leaves a domain */
    return found(c, FOUND_FAILS, "status 3: %s", c->base.words);
  }
  return s > 4 && found(c, FOUND_CRASH, "status %d: %s", s, c->base.words);
}

static gboolean look_at_engines(Case *c)
{
  static const char *const engines[] = {"tree", "fused"};
  for (guint k = 0; k < 2; k++) {
    g_auto(Ran) r = run_with(c, "-e %s%s", engines[k], c->method);
    if (r.status > 4) {
      return found(c, FOUND_CRASH, "%s: status %d: %s", engines[k], r.status, r.words);
    }
    if (r.status == -1 || c->base.status == -1) {
      continue;
    }
    if (r.status != c->base.status) {
      return found(c, FOUND_ENGINES, "%s ends with %d (%s), flat with %d (%s)", engines[k],
                   r.status, r.words, c->base.status, c->base.words);
    }
    if (r.status != 4 && strcmp(r.table, c->base.table) != 0) {
      return found(c, FOUND_ENGINES, "%s and flat record other bytes", engines[k]);
    }
  }
  return FALSE;
}

/* Status 5: the audit of the run has found a breach. */
static gboolean look_at_audit(Case *c)
{
  g_auto(Ran) r = run_with(c, "--audit=%s%s", c->j->audit, c->method);
  return r.status == AUDIT_STATUS && found(c, FOUND_AUDIT, "%s", r.words);
}

/* Whether a column of A is another one in B, which has more: what stands there. NULL: none is. */
static char *changed_column(const Table *a, const Table *b)
{
  for (guint c = 0; c < a->columns && a->rows == b->rows; c++) {
    guint d = 0;
    while (d < b->columns && strcmp(a->names[c + 1], b->names[d + 1]) != 0) {
      d++;
    }
    for (guint k = 0; k < a->rows && d < b->columns; k++) {
      double x = at(a, k, c), y = at(b, k, d);
      if (fabs(x - y) > SAME * (1 + fabs(x))) {
        return g_strdup_printf("%s at row %u: %.17g, with more %.17g", a->names[c + 1], k + 1, x,
                               y);
      }
    }
  }
  return NULL;
}

static gboolean look_at_more(Case *c, const Table *few)
{
  g_auto(Ran) r = run_with(c, "-g %s%s -r ** -e fused", c->grid, c->method);
  g_auto(Table) more = table_read(r.table);
  g_autofree char *column = r.status == 0 ? changed_column(few, &more) : NULL;
  return column != NULL && found(c, FOUND_MORE, "%s", column);
}

/* Somewhere between the last events: no instant of the grid is one of an event. */
static gboolean look_at_grid(Case *c, const Table *grid)
{
  g_auto(Table) events = table_read(c->base.table);
  for (guint k = 0; k < grid->columns && grid->rows > 0 && events.rows > 0; k++) {
    double time = g_array_index(grid->t, double, grid->rows - 1);
    double x = value_at(&events, time, k), y = at(grid, grid->rows - 1, k);
    if (fabs(x - y) > 0.02 * fmax(1, fabs(x))) {
      return found(c, FOUND_GRID, "%s is %.9g at t = %.9g, on a grid %.9g", grid->names[k + 1], x,
                   time, y);
    }
  }
  return FALSE;
}

static gboolean look_at_recording(Case *c, const Ran *on_grid)
{
  g_auto(Table) grid = table_read(on_grid->table);
  return (wanted(c, FOUND_MORE) && look_at_more(c, &grid)) ||
         (wanted(c, FOUND_GRID) && look_at_grid(c, &grid));
}

static Ran reference(const Judge *j, const char *grid, const char *method)
{
  g_autofree char *options = g_strdup_printf("-g %s -m %s", grid, method);
  return run(j, options);
}

/* Without the methods that the model states. */
static gboolean look_at_references(Case *c, const Ran *on_grid)
{
  Judge patient = *c->j;
  if (patient.seconds_of_references > 0) {
    patient.seconds = patient.seconds_of_references;
  }
  write_model(c, FALSE);
  g_auto(Ran) first = reference(&patient, c->grid, "cvode_bdf --tol 1e-9");
  if (first.status != 0) {
    return FALSE;
  }
  g_auto(Ran) second = reference(&patient, c->grid, "qss3 --tol 1e-7");
  if (second.status == -1) { /* it is stiff */
    ran_clear(&second);
    second = reference(&patient, c->grid, "liqss2 --tol 1e-6");
  }
  if (second.status != 0) {
    return FALSE;
  }
  g_auto(Table) a = table_read(first.table), b = table_read(second.table);
  g_auto(Table) x = table_read(on_grid->table);
  guint worst = 0;
  double known = distance(&a, &b, &worst);
  c->v.known = known <= c->j->off / 5;
  if (!c->v.known) {
    return FALSE;
  }
  write_model(c, TRUE);
  if (on_grid->status != 0) {
    return on_grid->status != -1 && wanted(c, FOUND_FAILS) &&
           found(c, FOUND_FAILS, "status %d: %s", on_grid->status, on_grid->words);
  }
  double off = distance(&x, &a, &worst);
  if (off <= c->j->off) {
    return FALSE;
  }
  g_auto(Ran) third = run_with(c, "-g %s%s --tol 1e-6", c->grid, c->method);
  g_auto(Table) fine = table_read(third.table);
  guint worst_fine = 0;
  double off_fine = distance(&fine, &a, &worst_fine);
  gboolean any = third.status == 0 && off_fine > c->j->off;
  return found(c, any ? FOUND_OFF : FOUND_OFF_AT_DEFAULT, "%s by %.3g, at 1e-6 %s by %.3g",
               x.names[worst + 1], off,
               fine.columns > worst_fine ? fine.names[worst_fine + 1] : "all", off_fine);
}

static void look(Case *c)
{
  if (look_at_status(c) || c->only == FOUND_REFUSED ||
      (c->only == FOUND_FAILS && c->base.status == 0) ||
      (wanted(c, FOUND_ENGINES) && look_at_engines(c)) || c->only == FOUND_ENGINES) {
    return;
  }
  if (c->j->audit != NULL && wanted(c, FOUND_AUDIT) && look_at_audit(c)) {
    return;
  }
  g_auto(Ran) on_grid = run_with(c, "-g %s%s -e fused", c->grid, c->method);
  if (on_grid.status > 4) {
    found(c, FOUND_CRASH, "on a grid: status %d: %s", on_grid.status, on_grid.words);
    return;
  }
  if (on_grid.status == 0 && (wanted(c, FOUND_MORE) || wanted(c, FOUND_GRID)) &&
      look_at_recording(c, &on_grid)) {
    return;
  }
  if (c->only == FOUND_MORE || c->only == FOUND_GRID || c->only == FOUND_AUDIT ||
      (c->j->references && !on_grid.rested && look_at_references(c, &on_grid))) {
    return;
  }
  if (c->base.status == -1 && c->v.known) {
    found(c, FOUND_TOO_LONG, "references end");
  }
}

Verdict judge(const Judge *j, const Element *model, Found only)
{
  Case c = {.j = j, .model = model, .only = only};
  const Element *e = model->children->pdata[model->children->len - 1];
  const char *stop = element_get(e, "stop");
  c.method = j->method != NULL ? g_strdup_printf(" -m %s", j->method) : g_strdup("");
  c.grid = g_strdup_printf("%.6g", g_ascii_strtod(stop != NULL ? stop : "1", NULL) / 199.37);
  if (write_model(&c, TRUE)) {
    look(&c);
  }
  ran_clear(&c.base);
  g_free(c.grid);
  g_free(c.method);
  return c.v;
}
