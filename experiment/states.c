/* The states of a simulation by what they are integrated with, their paths put together: copies
 * with neighbouring indices are one, "stage[1..4]/iL", cell by cell of each index in turn. */
#include "run.h"

#include "coupled/model_internal.h"
#include "groups/groups.h"
#include "numerics/methods.h"
#include "results/sidecar.h"
#include "sim/engine.h"

#include <string.h>

/* Paths --------------------------------------------------------------------------------------- */

/* Paths that are equal but for one index, which goes from LOW to HIGH. */
typedef struct {
  char *before, *after; /* the index */
  gint64 low, high;     /* no index: 1, 0 */
} Run;

typedef struct {
  GPtrArray *runs;  /* Run, in the order of their first paths */
  GHashTable *open; /* path without the index -> the last Run of it */
} Runs;

static void run_free(gpointer data)
{
  Run *r = data;
  g_free(r->before);
  g_free(r->after);
  g_free(r);
}

static Runs *runs_new(void)
{
  Runs *s = g_new(Runs, 1);
  s->runs = g_ptr_array_new_with_free_func(run_free);
  s->open = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  return s;
}

static void runs_free(gpointer data)
{
  Runs *s = data;
  g_ptr_array_unref(s->runs);
  g_hash_table_unref(s->open);
  g_free(s);
}

/* Where index number N of PATH begins; NULL: it has fewer. */
static const char *find_index(const char *path, guint n)
{
  gboolean inside = FALSE;
  for (const char *at = path; *at != '\0'; at++) {
    gboolean begins = *at == '[' || (inside && *at == ',');
    inside = *at == ']' ? FALSE : inside || *at == '[';
    if (begins && n-- == 0) {
      return at + 1;
    }
  }
  return NULL;
}

/* PATH goes with those that differ in index number N only. */
static void runs_add(Runs *s, const char *path, guint n)
{
  const char *at = find_index(path, n);
  char *end = NULL;
  gint64 index = at != NULL ? g_ascii_strtoll(at, &end, 10) : 0;
  gboolean whole = at != NULL && end > at && (*end == ',' || *end == ']');
  g_autofree char *before = whole ? g_strndup(path, (gsize)(at - path)) : g_strdup(path);
  g_autofree char *key = whole ? g_strconcat(before, end, NULL) : NULL;
  Run *last = whole ? g_hash_table_lookup(s->open, key) : NULL;
  if (last != NULL && last->high + 1 == index) {
    last->high = index;
    return;
  }
  Run *r = g_new0(Run, 1);
  *r = (Run){.before = g_steal_pointer(&before),
             .after = g_strdup(whole ? end : ""),
             .low = whole ? index : 1,
             .high = index};
  g_ptr_array_add(s->runs, r);
  if (whole) {
    g_hash_table_insert(s->open, g_steal_pointer(&key), r);
  }
}

static char *run_text(const Run *r)
{
  g_autofree char *more =
      r->high > r->low ? g_strdup_printf("..%" G_GINT64_FORMAT, r->high) : g_strdup("");
  return r->low > r->high
             ? g_strdup(r->before)
             : g_strdup_printf("%s%" G_GINT64_FORMAT "%s%s", r->before, r->low, more, r->after);
}

/* Index after index: those of FIRST are numbered by the first one. */
static void add_paths(HyJsonOut *json, const Runs *first)
{
  const Runs *now = first;
  g_autoptr(GPtrArray) made = g_ptr_array_new_with_free_func(runs_free);
  gboolean more = TRUE;
  for (guint n = 1; more; n++) {
    Runs *next = runs_new();
    more = FALSE;
    for (guint k = 0; k < now->runs->len; k++) {
      g_autofree char *path = run_text(g_ptr_array_index(now->runs, k));
      runs_add(next, path, n);
      more |= find_index(path, n + 1) != NULL;
    }
    g_ptr_array_add(made, next);
    now = next;
  }
  hy_json_begin(json, "paths", '[');
  for (guint k = 0; k < now->runs->len; k++) {
    g_autofree char *path = run_text(g_ptr_array_index(now->runs, k));
    hy_json_text(json, NULL, path);
  }
  hy_json_end(json, ']');
}

/* Kinds --------------------------------------------------------------------------------------- */

/* How a state is integrated. */
typedef struct {
  const char *method; /* NULL: it is no state */
  gboolean classic;
  double relative, absolute; /* tolerances */
  double hstep;              /* NaN: not stated */
} Settings;

/* States with equal settings. */
typedef struct {
  Settings settings;
  guint n;
  Runs *paths;
} Kind;

static void kind_free(gpointer data)
{
  Kind *k = data;
  runs_free(k->paths);
  g_free(k);
}

/* The method of ATOMIC as its parameter P says, or as it was chosen in place of that. */
static const char *method_of(const HySim *sim, guint atomic, const HyParam *p)
{
  const HyMethodChoice *choice = sim->set.choice;
  if (choice != NULL && choice[atomic].method != NULL) {
    return choice[atomic].method;
  }
  const HyRoot *owner = sim->model->owner;
  gsize size;
  const guint8 *image = hy_component_image(owner->coupled[owner->atomics[atomic].coupled],
                                           owner->atomics[atomic].component, &size);
  return *(const char *const *)(gconstpointer)(image + p->offset);
}

const HyMethod *hy_run_method(const HyRun *run, guint atomic)
{
  const HyParam *p = hy_class_method(run->sim->atoms[atomic].klass);
  return p != NULL ? hy_method_find(method_of(run->sim, atomic, p)) : NULL;
}

static Settings settings_of(const HyRun *run, guint atomic)
{
  const HyParam *p = hy_class_method(run->sim->atoms[atomic].klass);
  if (p == NULL) {
    return (Settings){.method = NULL};
  }
  HyBlockInfo info;
  hy_run_block(run->loaded, run->sim, atomic, &info);
  const char *name = method_of(run->sim, atomic, p);
  const HyMethod *method = hy_method_find(name);
  gboolean classic = method != NULL && hy_family_is_classic(method->family);
  return (Settings){.method = name,
                    .classic = classic,
                    .relative = classic ? info.reltol : info.dqrel,
                    .absolute = classic ? info.abstol : info.dqmin,
                    .hstep = classic ? info.hstep : NAN};
}

static gboolean settings_equal(gconstpointer a, gconstpointer b)
{
  const Settings *x = a, *y = b;
  return strcmp(x->method, y->method) == 0 && x->relative == y->relative &&
         x->absolute == y->absolute &&
         (x->hstep == y->hstep || (isnan(x->hstep) && isnan(y->hstep)));
}

static guint settings_hash(gconstpointer p)
{
  const Settings *s = p;
  double hstep = isnan(s->hstep) ? 0 : s->hstep;
  guint h = g_str_hash(s->method);
  h = h * 31U + g_double_hash(&s->relative);
  h = h * 31U + g_double_hash(&s->absolute);
  return h * 31U + g_double_hash(&hstep);
}

static Kind *kind_for(GPtrArray *kinds, GHashTable *known, const Settings *settings)
{
  Kind *kind = g_hash_table_lookup(known, settings);
  if (kind == NULL) {
    kind = g_new0(Kind, 1);
    kind->settings = *settings;
    kind->paths = runs_new();
    g_ptr_array_add(kinds, kind);
    g_hash_table_insert(known, &kind->settings, kind);
  }
  return kind;
}

/* PATHS: with those of their states. */
static GPtrArray *find_kinds(const HyRun *run, gboolean paths)
{
  GPtrArray *kinds = g_ptr_array_new_with_free_func(kind_free);
  g_autoptr(GHashTable) known = g_hash_table_new(settings_hash, settings_equal);
  for (guint a = 0; a < run->sim->n; a++) {
    Settings settings = settings_of(run, a);
    if (settings.method != NULL) {
      Kind *kind = kind_for(kinds, known, &settings);
      g_autofree char *path = paths ? hy_sim_path(run->sim, a) : NULL;
      if (path != NULL) {
        runs_add(kind->paths, path, 0);
      }
      kind->n++;
    }
  }
  return kinds;
}

/* SOLVER: the version of that behind CVODE; NULL: none. */
static void add_settings(HyJsonOut *json, const Settings *s, const char *solver)
{
  hy_json_text(json, "method", s->method);
  if (solver != NULL && g_str_has_prefix(s->method, "cvode")) {
    hy_json_text(json, "sundials", solver);
  }
  hy_sidecar_value(json, s->classic ? "reltol" : "dqrel", s->relative);
  hy_sidecar_value(json, s->classic ? "abstol" : "dqmin", s->absolute);
  hy_sidecar_number(json, "hstep", s->hstep);
}

void hy_run_print_states(const HyRun *run, HyJsonOut *json)
{
  g_autoptr(GPtrArray) kinds = find_kinds(run, TRUE);
  g_autofree char *solver = hy_groups_solver();
  hy_json_begin_lines(json, "states", '[');
  for (guint i = 0; i < kinds->len; i++) {
    const Kind *k = g_ptr_array_index(kinds, i);
    hy_json_begin(json, NULL, '{');
    add_settings(json, &k->settings, solver);
    hy_json_count(json, "n", k->n);
    add_paths(json, k->paths);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

static void tell_settings(GString *out, const Settings *s)
{
  char relative[HY_DOUBLE_SIZE], absolute[HY_DOUBLE_SIZE], hstep[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "%s %s=%s %s=%s", s->method, s->classic ? "reltol" : "dqrel",
                         hy_double_text(relative, s->relative), s->classic ? "abstol" : "dqmin",
                         hy_double_text(absolute, s->absolute));
  if (!isnan(s->hstep)) {
    g_string_append_printf(out, " hstep=%s", hy_double_text(hstep, s->hstep));
  }
}

char *hy_run_methods(const HyRun *run)
{
  g_autoptr(GPtrArray) kinds = find_kinds(run, FALSE);
  GString *out = g_string_new(kinds->len > 0 ? NULL : "no states");
  for (guint i = 0; i < kinds->len; i++) {
    const Kind *k = g_ptr_array_index(kinds, i);
    g_string_append(out, i > 0 ? ", " : "");
    tell_settings(out, &k->settings);
  }
  return g_string_free(out, FALSE);
}
