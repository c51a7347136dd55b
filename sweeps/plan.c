/* The plan of a sweep: axes and columns, made of what options, a file and a <sweep> say. */
#include "internal.h"

#include "base/hint.h"
#include "base/sized.h"
#include "hydevs/text.h"
#include "language/documents.h"
#include "language/schema.h"
#include "said.h"

#include <math.h>
#include <string.h>

/* While it is made. */
typedef struct {
  HyPlan *plan;
  HyReport *report;
  HySweepSaid *said; /* what the file says; NULL: nothing */
  char **parameters; /* of the root of the model */
  guint n_draws;
} Maker;

static guint add_axis(HyPlan *p, guint64 n)
{
  HyPlanAxis axis = {.n = n};
  g_array_append_val(p->axes, axis);
  return p->axes->len - 1;
}

/* Columns ------------------------------------------------------------------------------------- */

/* "K" of "K[2]". */
static char *first_name(const char *name)
{
  return g_strndup(name, strcspn(name, "["));
}

static gboolean is_parameter(const Maker *m, const char *name)
{
  g_autofree char *first = first_name(name);
  return g_strv_contains((const char *const *)m->parameters, first);
}

/* A parameter of a block has a way to it: "stage[2].L1", ".R"; what is carried has none. */
static gboolean is_way(const char *name)
{
  gsize legal = strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_./[]*,");
  return name[legal] == '\0' && strchr(name, '.') != NULL && !g_ascii_isdigit(*name) &&
         !g_str_has_prefix(name, "plan.");
}

/* NULL: none; of very short names only one that differs by the case of letters. */
static const char *nearest(const Maker *m, const char *name)
{
  const char *near = hy_nearest(name, (const char *const *)m->parameters);
  return near != NULL && (strlen(near) > 2 || g_ascii_strcasecmp(near, name) == 0) ? near : NULL;
}

/* Whether the model has what the column sets; twice is wrong, too. */
static void check_name(const Maker *m, const HyPlanColumn *c, const char *from)
{
  for (guint k = 0; k < m->plan->columns->len; k++) {
    if (strcmp(hy_plan_at(m->plan, k)->name, c->name) == 0) {
      hy_report_error(m->report, from, 0, "%s is set twice", c->name);
    }
  }
  if (c->sets == HY_SETS_PARAMETER && !is_way(c->name) && !is_parameter(m, c->name)) {
    g_autofree char *hint = hy_did_you_mean(nearest(m, c->name));
    hy_report_error(m->report, from, 0, "the model has no parameter \"%s\"%s", c->name, hint);
  }
}

static void add_column(Maker *m, HyPlanColumn *c, const char *from)
{
  c->sets = hy_column_sets(c->name, (const char *const *)m->parameters);
  check_name(m, c, from);
  c->head = g_strdup(c->name);
  g_array_append_val(m->plan->columns, *c);
}

static void check_list(const Maker *m, const HyPlanColumn *c, const char *from)
{
  for (char **item = c->list; item != NULL && *item != NULL; item++) {
    if (!hy_plan_is_value(*item)) {
      hy_report_error(m->report, from, 0, "%s is not a finite number", *item);
    }
  }
}

/* Axes ---------------------------------------------------------------------------------------- */

static void tell(const Maker *m, const char *from, GError *error)
{
  hy_report_error(m->report, from, 0, "%s", error->message);
  g_error_free(error);
}

/* Of those that go along with each other all have one length. */
static void add_vary(Maker *m, const char *text, const char *from, gboolean together,
                     gint *shared_axis)
{
  GError *error = NULL;
  HyPlanColumn c = {0};
  if (!hy_plan_read_vary(&c, text, &error)) {
    tell(m, from, error);
    hy_plan_column_clear(&c);
    return;
  }
  if (!together || *shared_axis < 0) {
    *shared_axis = (gint)add_axis(m->plan, c.n);
  }
  c.axis = (guint)*shared_axis;
  guint64 n = g_array_index(m->plan->axes, HyPlanAxis, c.axis).n;
  if (n != c.n) {
    hy_report_error(m->report, from, 0,
                    "%s: %" G_GUINT64_FORMAT " values go along with %" G_GUINT64_FORMAT
                    " of others; as many are needed",
                    text, c.n, n);
  }
  check_list(m, &c, from);
  add_column(m, &c, from);
}

/* A distribution; FALSE: it is none, which is told. */
static gboolean read_random(const Maker *m, HyPlanColumn *c, const char *text, const char *from)
{
  GError *error = NULL;
  if (!hy_plan_read_random(c, text, &error)) {
    tell(m, from, error);
    hy_plan_column_clear(c);
    return FALSE;
  }
  return TRUE;
}

static void add_random(Maker *m, const char *text, const char *from, guint axis)
{
  HyPlanColumn c = {.axis = axis, .dimension = m->n_draws};
  if (read_random(m, &c, text, from)) {
    m->n_draws++;
    add_column(m, &c, from);
  }
}

/* All of them, in their order: those of the model, then those of the options. */
static void for_random(Maker *m, void (*add)(Maker *, const char *, const char *, guint),
                       guint axis)
{
  for (guint k = 0; m->said != NULL && k < m->said->random->len; k++) {
    add(m, g_ptr_array_index(m->said->random, k), m->plan->file, axis);
  }
  for (const char *const *r = m->plan->options.random; r != NULL && *r != NULL; r++) {
    add(m, *r, "--random", axis);
  }
}

/* Corners ------------------------------------------------------------------------------------- */

static void take_list(HyPlanColumn *c, char **list)
{
  g_clear_pointer(&c->draw, hy_draw_free);
  c->kind = HY_FROM_LIST;
  c->list = list;
  c->n = g_strv_length(list);
}

static void add_corners(Maker *m, const char *text, const char *from, guint axis)
{
  HyPlanColumn c = {.axis = axis};
  if (read_random(m, &c, text, from)) {
    take_list(&c, hy_draw_corners(c.draw));
    c.axis = add_axis(m->plan, c.n);
    add_column(m, &c, from);
  }
}

/* Its ends are further runs of AXIS. */
static void add_each(Maker *m, const char *text, const char *from, guint axis)
{
  HyPlanColumn c = {.axis = axis};
  if (read_random(m, &c, text, from)) {
    g_auto(GStrv) ends = hy_draw_corners(c.draw);
    g_array_index(m->plan->axes, HyPlanAxis, axis).n += g_strv_length(ends);
    add_column(m, &c, from);
  }
}

/* In the middle, but for the runs with its own ends, which are behind those of the ones before. */
static void spread_each(const HyPlan *p, guint axis)
{
  guint64 n = g_array_index(p->axes, HyPlanAxis, axis).n, at = 1;
  for (guint k = 0; k < p->columns->len; k++) {
    HyPlanColumn *c = hy_plan_at(p, k);
    if (c->kind != HY_FROM_DRAW) {
      continue;
    }
    g_auto(GStrv) ends = hy_draw_corners(c->draw);
    g_autofree char *middle = hy_draw_text(c->draw, 0.5);
    guint n_ends = g_strv_length(ends);
    char **list = g_new0(char *, n + 1);
    for (guint64 i = 0; i < n; i++) {
      list[i] = g_strdup(i >= at && i < at + n_ends ? ends[i - at] : middle);
    }
    at += n_ends;
    take_list(c, list);
  }
}

static void add_ends(Maker *m)
{
  HyPlan *p = m->plan;
  const char *how = p->options.corners;
  if (p->options.n > 0 || p->options.sampling != NULL) {
    hy_report_error(m->report, "--corners", 0, "takes no draws: -n and --sampling do nothing here");
  }
  if (strcmp(how, "all") == 0) {
    for_random(m, add_corners, 0);
  } else if (strcmp(how, "each") == 0) {
    guint axis = add_axis(p, 1);
    for_random(m, add_each, axis);
    spread_each(p, axis);
  } else {
    hy_report_error(m->report, "--corners", 0, "%s: choose all or each", how);
  }
}

/* Draws --------------------------------------------------------------------------------------- */

/* The axis of all draws, of which N are asked for, becomes the runs of N bases. */
static void make_saltelli(const Maker *m, guint axis)
{
  HyPlan *p = m->plan;
  HyPlanAxis *a = &g_array_index(p->axes, HyPlanAxis, axis);
  if (m->n_draws == 0 || p->axes->len > 1) {
    hy_report_error(m->report, "--sampling", 0,
                    "saltelli: indices are of what --random draws, without --vary and --plan");
  } else if (m->n_draws > HY_INDICES_MOST) {
    hy_report_error(m->report, "--sampling", 0, "saltelli draws %u parameters at most, not %u",
                    HY_INDICES_MOST, m->n_draws);
  } else if (a->n > HY_SWEEP_RUNS) {
    hy_report_error(m->report, "--sampling", 0, "too many runs");
  } else {
    p->n_bases = a->n;
    a->n = hy_indices_runs(a->n, m->n_draws);
  }
}

static void add_draws(Maker *m)
{
  HyPlan *p = m->plan;
  const HyPlanOptions *o = &p->options;
  guint64 n = o->n > 0 ? o->n : m->said != NULL && m->said->n > 0 ? m->said->n : 1;
  guint axis = add_axis(p, n);
  for_random(m, add_random, axis);
  p->n_draws = m->n_draws;
  if (p->sampling == HY_SAMPLING_SALTELLI) {
    make_saltelli(m, axis);
  }
  if (p->sampling == HY_SAMPLING_SOBOL && m->n_draws > HY_SOBOL_DIMENSIONS) {
    hy_report_error(m->report, "--sampling", 0, "sobol draws %u parameters at most, not %u",
                    HY_SOBOL_DIMENSIONS, m->n_draws);
  }
  if (p->sampling == HY_SAMPLING_LATIN && n >= HY_LATIN_MOST) {
    hy_report_error(m->report, "--sampling", 0, "latin takes fewer values");
  }
}

/* Files --------------------------------------------------------------------------------------- */

/* The columns that the table has for itself. */
static const char *const own[] = {"run", "status", "events", "why", "method", NULL};

/* Measures are called as nothing else in the table is. */
static gboolean check_measures(const Maker *m)
{
  const HyPlan *p = m->plan;
  gboolean ok = TRUE;
  for (guint k = 0; k < p->n_measures; k++) {
    const char *name = hy_plan_measure(p, k);
    if (g_strv_contains(own, name)) {
      hy_report_error(m->report, p->file, 0,
                      "measure %s: the table has a column of this name; give it another one", name);
      ok = FALSE;
    }
  }
  return ok;
}

/* A name that the table has for itself has "plan." before it. */
static void name_column(const HyPlan *p, HyPlanColumn *c)
{
  gboolean taken = g_strv_contains(own, c->head);
  for (guint k = 0; k < p->n_measures && !taken; k++) {
    taken = strcmp(hy_plan_measure(p, k), c->head) == 0;
  }
  for (guint k = 0; k < p->columns->len && !taken; k++) {
    const HyPlanColumn *other = hy_plan_at(p, k);
    taken = other != c && strcmp(other->head, c->head) == 0;
  }
  if (taken) {
    char *longer = g_strconcat("plan.", c->head, NULL);
    g_free(c->head);
    c->head = longer;
    name_column(p, c);
  }
}

/* One that means a parameter and misses it is told. */
static void add_field(Maker *m, const char *name, guint field, guint axis, gboolean sets)
{
  HyPlanColumn c = {.name = g_strdup(name), .kind = HY_FROM_FILE, .axis = axis, .field = field};
  const char *file = m->plan->options.file;
  if (sets) {
    add_column(m, &c, file);
    return;
  }
  const char *near = nearest(m, name);
  if (near != NULL) {
    hy_report_warning(m->report, file, 1,
                      "column \"%s\" is no parameter of the model and is carried; did you mean "
                      "\"%s\"?",
                      name, near);
  }
  c.sets = HY_SETS_NOTHING;
  c.head = g_strdup(name);
  g_array_append_val(m->plan->columns, c);
}

/* Empty fields and impossible numbers, the first of each column. */
static void check_fields(const Maker *m, guint from)
{
  const HyPlan *p = m->plan;
  g_autofree gboolean *told = g_new0(gboolean, p->columns->len + 1);
  for (guint64 i = 0; i < hy_plan_file_n(p->table); i++) {
    g_auto(GStrv) field = hy_plan_file_row(p->table, i);
    for (guint k = from; k < p->columns->len; k++) {
      const HyPlanColumn *c = hy_plan_at(p, k);
      const char *text = c->sets != HY_SETS_NOTHING ? g_strstrip(field[c->field]) : NULL;
      if (text != NULL && !told[k] && !hy_plan_is_value(text)) {
        g_autofree char *plain = hy_plain_text(text, FALSE);
        hy_report_error(m->report, p->options.file, hy_plan_file_line(p->table, i), "%s%s%s %s",
                        c->name, *text != '\0' ? " = " : "", plain,
                        *text != '\0' ? "is not a finite number" : "is empty");
        told[k] = TRUE;
      }
    }
  }
}

static gboolean sets_something(const Maker *m, const char *name)
{
  return is_parameter(m, name) || is_way(name) ||
         hy_column_sets(name, (const char *const *)m->parameters) != HY_SETS_PARAMETER;
}

/* "FILE:LINE: WHAT" */
static void tell_file(const Maker *m, GError *error)
{
  const char *file = m->plan->options.file, *what = error->message;
  char *end;
  what += g_str_has_prefix(what, file) ? strlen(file) + 1 : 0;
  guint64 line = g_ascii_strtoull(what, &end, 10);
  what = *end == ':' ? end + 1 : what;
  hy_report_error(m->report, file, (guint)line, "%s", what + strspn(what, " "));
  g_error_free(error);
}

static void add_file(Maker *m)
{
  HyPlan *p = m->plan;
  GError *error = NULL;
  p->table = hy_plan_file_read(p->options.file, &error);
  if (p->table == NULL) {
    tell_file(m, error);
    return;
  }
  guint axis = add_axis(p, hy_plan_file_n(p->table)), from = p->columns->len;
  const char *const *head = hy_plan_file_head(p->table);
  gboolean any = FALSE;
  for (guint k = 0; head[k] != NULL; k++) {
    gboolean sets = sets_something(m, head[k]);
    any |= sets;
    add_field(m, head[k], k, axis, sets);
  }
  if (!any) {
    hy_report_error(m->report, p->options.file, 1, "no column is a parameter of the model");
  }
  check_fields(m, from);
}

/* The whole ----------------------------------------------------------------------------------- */

/* Those that set something first, in their order; then the carried, each by a name of its own. */
static void sort_columns(HyPlan *p)
{
  g_autoptr(GArray) old = p->columns;
  p->columns = g_array_new(FALSE, TRUE, sizeof(HyPlanColumn));
  g_array_set_clear_func(p->columns, hy_plan_column_clear);
  g_array_set_clear_func(old, NULL);
  for (guint carried = 0; carried < 2; carried++) {
    for (guint k = 0; k < old->len; k++) {
      const HyPlanColumn *c = &g_array_index(old, HyPlanColumn, k);
      if ((c->sets == HY_SETS_NOTHING) == (carried == 1)) {
        g_array_append_val(p->columns, *c);
      }
    }
    p->n_set = carried == 0 ? p->columns->len : p->n_set;
  }
}

static void count_runs(const Maker *m)
{
  HyPlan *p = m->plan;
  p->n = 1;
  for (guint k = p->axes->len; k-- > 0;) {
    HyPlanAxis *a = &g_array_index(p->axes, HyPlanAxis, k);
    a->stride = p->n;
    if (a->n > HY_SWEEP_RUNS / p->n) {
      hy_report_error(m->report, "--vary", 0, "the plan has more than %" G_GUINT64_FORMAT " runs",
                      HY_SWEEP_RUNS);
      return;
    }
    p->n *= a->n;
  }
}

static void add_axes(Maker *m)
{
  HyPlan *p = m->plan;
  const HyPlanOptions *o = &p->options;
  gint said_axis = -1, own_axis = -1;
  if (o->file != NULL) {
    add_file(m);
  }
  for (guint k = 0; m->said != NULL && k < m->said->vary->len; k++) {
    add_vary(m, g_ptr_array_index(m->said->vary, k), m->plan->file, m->said->together, &said_axis);
  }
  for (const char *const *v = o->vary; v != NULL && *v != NULL; v++) {
    add_vary(m, *v, "--vary", o->together, &own_axis);
  }
  (o->corners != NULL ? add_ends : add_draws)(m);
  sort_columns(p);
  count_runs(m);
}

/* What the file itself says, before it is loaded. FALSE: it cannot be read, or has no such sweep.
 */
static gboolean look_at_file(Maker *m)
{
  HyPlan *p = m->plan;
  HyReadLimits usual = HY_READ_LIMITS;
  const HyReadLimits *limits = p->load.read.max_bytes > 0 ? &p->load.read : &usual;
  const HyTree *tree = hy_documents_read(p->documents, p->load.formats, p->file, limits, m->report);
  if (tree == NULL) {
    return FALSE;
  }
  m->parameters = hy_said_parameters(tree);
  m->said = p->options.sweep != NULL ? hy_said_sweep(tree, p->options.sweep, m->report) : NULL;
  if (m->said != NULL && p->load.experiment == NULL) {
    p->load.experiment = m->said->experiment;
  }
  return p->options.sweep == NULL || m->said != NULL;
}

static gboolean take_options(HyPlan *p, const HyPlanOptions *options, gsize load, gsize run,
                             GError **error)
{
  gsize size = options != NULL ? options->size : 0;
  p->options = HY_PLAN_OPTIONS;
  p->run = HY_RUN_SETTINGS;
  gboolean ok = hy_sized_take(&p->options, options, size, "HyPlanOptions", error) &&
                hy_sized_take(&p->load, p->options.load, load, "HyLoadOptions", error) &&
                hy_sized_take(&p->run, p->options.run, run, "HyRunSettings", error);
  p->options.limit_events = p->options.limit_events > 0 ? p->options.limit_events : HY_SWEEP_EVENTS;
  return ok;
}

static void make(Maker *m)
{
  HyPlan *p = m->plan;
  GError *error = NULL;
  guint before = hy_report_errors(m->report);
  if (!look_at_file(m)) {
    return;
  }
  const char *sampling = p->options.sampling != NULL ? p->options.sampling
                         : m->said != NULL           ? m->said->sampling
                                                     : NULL;
  if (!hy_plan_read_sampling(sampling, &p->sampling, &error)) {
    tell(m, "--sampling", error);
  }
  add_axes(m);
  if (hy_report_errors(m->report) > before || !hy_plan_find_middle(p, m->report) ||
      !check_measures(m)) {
    return;
  }
  for (guint k = 0; k < p->columns->len; k++) {
    name_column(p, hy_plan_at(p, k));
  }
  if (!hy_keep_check(p, &error)) {
    tell(m, "--keep", error);
    return;
  }
  hy_plan_find_digest(p);
}

HyPlan *hy_plan_new_sized(const char *file, const HyPlanOptions *options, gsize load, gsize run,
                          HyReport *report)
{
  g_return_val_if_fail(file != NULL && report != NULL, NULL);
  HyPlan *p = g_new0(HyPlan, 1);
  g_autoptr(GError) why = NULL;
  gboolean known = take_options(p, options, load, run, &why);
  p->file = g_strdup(file);
  p->own = p->load.documents == NULL ? hy_documents_new() : NULL;
  p->documents = p->own != NULL ? p->own : p->load.documents;
  p->axes = g_array_new(FALSE, FALSE, sizeof(HyPlanAxis));
  p->columns = g_array_new(FALSE, TRUE, sizeof(HyPlanColumn));
  g_array_set_clear_func(p->columns, hy_plan_column_clear);
  Maker m = {.plan = p, .report = report};
  guint before = hy_report_errors(report);
  if (known) {
    make(&m);
  } else {
    hy_report_error(report, file, 0, "%s", why->message);
  }
  g_strfreev(m.parameters);
  hy_said_free(m.said);
  if (hy_report_errors(report) > before) {
    g_clear_pointer(&p, hy_plan_free);
  }
  return p;
}

void hy_plan_free(HyPlan *p)
{
  if (p == NULL) {
    return;
  }
  hy_run_free(p->like);
  hy_loaded_free(p->loaded);
  hy_documents_free(p->own);
  hy_plan_file_free(p->table);
  g_array_unref(p->axes);
  g_array_unref(p->columns);
  g_free(p->method);
  g_free(p->alone);
  g_free(p->digest);
  g_free(p->file);
  g_free(p);
}

/* Answers ------------------------------------------------------------------------------------- */

guint64 hy_plan_n(const HyPlan *p)
{
  g_return_val_if_fail(p != NULL, 0);
  return p->n;
}

const char *hy_plan_name(const HyPlan *p)
{
  g_return_val_if_fail(p != NULL, NULL);
  return hy_model_name(hy_loaded_model(p->loaded));
}

guint hy_plan_n_columns(const HyPlan *p)
{
  g_return_val_if_fail(p != NULL, 0);
  return p->columns->len;
}

guint hy_plan_n_set(const HyPlan *p)
{
  g_return_val_if_fail(p != NULL, 0);
  return p->n_set;
}

const char *hy_plan_column(const HyPlan *p, guint k)
{
  g_return_val_if_fail(p != NULL && k < p->columns->len, NULL);
  return hy_plan_at(p, k)->head;
}

guint hy_plan_n_measures(const HyPlan *p)
{
  g_return_val_if_fail(p != NULL, 0);
  return p->n_measures;
}

const char *hy_plan_measure(const HyPlan *p, guint k)
{
  g_return_val_if_fail(p != NULL && k < p->n_measures, NULL);
  return hy_run_measure_name(p->like, k);
}

const char *hy_plan_digest(const HyPlan *p)
{
  g_return_val_if_fail(p != NULL, NULL);
  return p->digest;
}

const char *hy_plan_method(const HyPlan *p)
{
  g_return_val_if_fail(p != NULL, NULL);
  return p->method;
}

static guint64 place_of(const HyPlan *p, guint axis, guint64 k)
{
  const HyPlanAxis *a = &g_array_index(p->axes, HyPlanAxis, axis);
  return k / a->stride % a->n;
}

char **hy_plan_row(const HyPlan *p, guint64 k)
{
  g_return_val_if_fail(p != NULL && k < p->n, NULL);
  char **row = g_new0(char *, (gsize)p->columns->len + 1);
  g_auto(GStrv) field = NULL; /* a row of the file is taken apart once */
  for (guint c = 0; c < p->columns->len; c++) {
    const HyPlanColumn *column = hy_plan_at(p, c);
    guint64 i = place_of(p, column->axis, k);
    if (column->kind != HY_FROM_FILE) {
      row[c] = hy_plan_value(p, column, i);
      continue;
    }
    field = field != NULL ? field : hy_plan_file_row(p->table, i);
    row[c] = g_strdup(field[column->field]);
    if (column->sets != HY_SETS_NOTHING) {
      g_strstrip(row[c]);
    }
  }
  return row;
}
