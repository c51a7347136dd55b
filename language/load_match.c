/* Paths of --record and record="..." -> ports of the loaded model.
 *
 * A path is a list of patterns (expr/formula_path.c), matched against the names of components level
 * by level. Where a path has "**" several places of it may be reached at once: b in
 * "**" + "/b/c" may be part of the "**" or the "b". So each level has the places that may come
 * next, as a machine that reads patterns has. A block alone means its first output, a block without
 * outputs its inputs;
 * ".x" of a state means the state itself. What is found comes in the order of the model. */
#include "base/hint.h"
#include "coupled/model_internal.h"
#include "hydevs/text.h"
#include "language/loader.h"
#include <string.h>

typedef struct {
  const HyModel *model;
  guint component;     /* the next to look at */
  guint first, behind; /* its places in Walk.place */
} Level;

typedef struct {
  const HyPath *path;
  GArray *level; /* Level: the one at hand is the last */
  GArray *place; /* guint: parts of the path, of all levels */
  GArray *found; /* HySignalAt */
} Walk;

static void clear_signal(gpointer p)
{
  g_free(((HySignalAt *)p)->path);
}

static void add_signal(GArray *found, const HyModel *m, guint component, guint port, gboolean input,
                       const char *name)
{
  char *path = component == HY_SELF ? NULL : hy_model_path(m, component);
  HySignalAt s = {.model = m, .component = component, .port = port, .input = input};
  s.path = name != NULL ? g_strconcat(path != NULL ? path : "", ".", name, NULL) : g_strdup(path);
  g_free(path);
  g_array_append_val(found, s);
}

static void add_ports(GArray *found, const HyPath *path, const HyModel *m, guint component,
                      gboolean inputs)
{
  guint n = inputs ? hy_model_n_in(m, component) : hy_model_n_out(m, component);
  for (guint k = 0; k < n; k++) {
    g_autofree char *name =
        inputs ? hy_model_in_name(m, component, k) : hy_model_out_name(m, component, k);
    if (path->port == NULL || hy_path_port_meets(path, name)) {
      add_signal(found, m, component, k, inputs, inputs || path->port != NULL ? name : NULL);
      if (path->port == NULL && !inputs) {
        return; /* a block alone: its first output */
      }
    }
  }
}

/* Its outputs; its inputs if it has none, or if the path may mean both; its state as ".x". */
static void add_block(GArray *found, const HyPath *path, const HyModel *m, guint component)
{
  guint before = found->len;
  add_ports(found, path, m, component, FALSE);
  if (found->len == before || (path->port != NULL && strchr(path->port, '*') != NULL)) {
    add_ports(found, path, m, component, TRUE);
  }
  const HyAtomicClass *klass = component != HY_SELF ? hy_model_class(m, component) : NULL;
  if (found->len == before && path->port != NULL && strcmp(path->port, "x") == 0 && klass != NULL &&
      klass->value != NULL) {
    add_signal(found, m, component, HY_STATE, FALSE, "x");
  }
}

/* PART comes next, and where that is "**", what is behind it, too. TRUE: the path may end here. */
static gboolean add_place(Walk *w, guint first, guint part)
{
  for (; part < w->path->n; part++) {
    gboolean known = FALSE;
    for (guint k = first; k < w->place->len; k++) {
      known |= g_array_index(w->place, guint, k) == part;
    }
    if (!known) {
      g_array_append_val(w->place, part);
    }
    if (!hy_path_any_depth(&w->path->part[part])) {
      return FALSE;
    }
  }
  return TRUE;
}

/* One component against the places of its level. The new ones, for what is inside it, stand behind
 * all others. TRUE: the path means the component. "**" stands for no hidden function. */
static gboolean meet(Walk *w, const Level *at, const char *name)
{
  guint first = w->place->len;
  gboolean met = FALSE, hidden = strchr(name, ':') != NULL;
  for (guint k = at->first; k < at->behind; k++) {
    guint part = g_array_index(w->place, guint, k);
    const HyPathPart *p = &w->path->part[part];
    gboolean any = hy_path_any_depth(p);
    if (any ? !hidden : hy_path_part_meets(p, name)) {
      met |= add_place(w, first, any ? part : part + 1);
    }
  }
  return met;
}

/* A block of a circuit that is called as a reading of an element is, "L1.i": the path may end at
 * L1, and its port is the reading. ".x" of a state is the state. */
static void meet_reading(Walk *w, const Level *at, guint component, const char *dot)
{
  const char *name = hy_model_component_name(at->model, component);
  g_autofree char *element = g_strndup(name, (gsize)(dot - name));
  guint first = w->place->len;
  const HyAtomicClass *klass = hy_model_class(at->model, component);
  if (meet(w, at, element)) {
    gboolean state = w->path->port != NULL && strcmp(w->path->port, "x") == 0;
    if (w->path->port == NULL || hy_path_port_meets(w->path, dot + 1)) {
      add_signal(w->found, at->model, component, 0, FALSE, NULL);
    } else if (state && klass->value != NULL) {
      add_signal(w->found, at->model, component, HY_STATE, FALSE, "x");
    }
  }
  g_array_set_size(w->place, first);
}

/* Goes through the components of a level from where it stopped. TRUE: a level below comes first. */
static gboolean search_level(Walk *w)
{
  Level *at = &g_array_index(w->level, Level, w->level->len - 1);
  const HyModel *m = at->model;
  for (guint k = at->component; k < hy_model_n(m); k++) {
    const HyModel *inside = hy_model_coupled(m, k);
    guint first = w->place->len;
    const char *dot = strchr(hy_model_component_name(m, k), '.');
    if (dot != NULL) {
      meet_reading(w, at, k, dot);
      continue;
    }
    if (meet(w, at, hy_model_component_name(m, k))) {
      add_block(w->found, w->path, m, k);
    }
    if (inside != NULL && w->place->len > first) {
      Level below = {inside, 0, first, w->place->len};
      at->component = k + 1;
      g_array_append_val(w->level, below);
      return TRUE;
    }
    g_array_set_size(w->place, first);
  }
  g_array_set_size(w->place, at->first);
  return FALSE;
}

/* No recursion: a level is left and taken up again where it stopped. */
static void walk(Walk *w, const HyModel *root)
{
  w->level = g_array_new(FALSE, FALSE, sizeof(Level));
  w->place = g_array_new(FALSE, FALSE, sizeof(guint));
  add_place(w, 0, 0);
  Level top = {root, 0, 0, w->place->len};
  g_array_append_val(w->level, top);
  while (w->level->len > 0) {
    if (!search_level(w)) {
      g_array_set_size(w->level, w->level->len - 1);
    }
  }
  g_array_unref(w->level);
  g_array_unref(w->place);
}

/* In an index of a path stand numbers here: what names there are, the loader has folded. */
static HyNameKind no_name(gpointer user, const HyFormula *ref, const gint64 *at, HyNameValue *value,
                          GError **error)
{
  (void)user, (void)at, (void)value;
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "an index of a path is a number here, not \"%s\"",
              ref->ref.name);
  return HY_NAME_ERROR;
}

GArray *hy_loaded_match(const HyLoaded *loaded, const char *path, GError **error)
{
  g_return_val_if_fail(loaded != NULL && path != NULL, NULL);
  const HyFormulaScope numbers = {.value = no_name};
  g_autoptr(HyFormulaPool) pool = hy_formula_pool_new();
  const HyPath *p = hy_path_parse(pool, path, error);
  p = p != NULL ? hy_path_fold(pool, p, &numbers, error) : NULL;
  if (p == NULL) {
    return NULL;
  }
  Walk w = {.path = p, .found = g_array_new(FALSE, FALSE, sizeof(HySignalAt))};
  g_array_set_clear_func(w.found, clear_signal);
  if (p->n == 0) {
    add_block(w.found, p, loaded->model, HY_SELF);
  } else {
    walk(&w, loaded->model);
  }
  if (w.found->len == 0) {
    g_array_unref(w.found);
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "nothing matches \"%s\"", path);
    return NULL;
  }
  return w.found;
}

/* The nearest of what a path may be called, in the model that its parts lead into. */
typedef struct {
  HyNearest near;
  GPtrArray *names; /* that are offered, and kept so long */
} Meant;

static void offer(Meant *x, char *name)
{
  g_ptr_array_add(x->names, name);
  hy_nearest_offer(&x->near, name);
}

#define MOST_OFFERED 10000 /* a model of a million blocks has no time for this */

char *hy_loaded_meant(const HyLoaded *loaded, const char *path)
{
  g_return_val_if_fail(loaded != NULL && path != NULL, NULL);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  Meant x = {.near = {.word = path}, .names = names};
  for (const HyModel *m = loaded->model; m != NULL && names->len < MOST_OFFERED;
       m = hy_model_walk(loaded->model, m)) {
    for (guint k = 0; k < hy_model_n(m) && names->len < MOST_OFFERED; k++) {
      if (strchr(hy_model_component_name(m, k), ':') == NULL) {
        offer(&x, hy_model_path(m, k));
      }
    }
  }
  return hy_did_you_mean(x.near.best);
}
