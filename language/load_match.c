/* Paths of --record and record="..." -> ports of the loaded model.
 *
 * A path is a list of patterns (expr/formula_path.c), matched against the names of components
 * level by level, by a stack of levels. Hidden functions have names such as "u[3]:in[2]", which
 * are taken apart for it. A block alone means its first output, a block without outputs its
 * inputs; ".x" of a state means the state itself. What is found comes in the order of the model. */
#include "coupled/model_internal.h"
#include "language/expand.h"
#include <string.h>

typedef struct {
  const HyModel *model;
  guint component, part; /* the next component to look at */
} Level;

typedef struct {
  char *base; /* name without indices and hidden part */
  gint64 at[HY_FORMULA_INDICES];
  guint n;
  const char *hidden; /* after ":"; NULL: none */
} NameParts;

/* "u[3]:in[2]" -> u, {3}, "in[2]" */
static void split_name(const char *name, NameParts *p)
{
  gsize n = strcspn(name, "[:");
  p->base = g_strndup(name, n);
  p->n = 0;
  const char *at = name + n;
  if (*at == '[') {
    do {
      char *end;
      p->at[p->n++] = g_ascii_strtoll(at + 1, &end, 10);
      at = end;
    } while (*at == ',' && p->n < HY_FORMULA_INDICES);
    at += *at == ']';
  }
  p->hidden = *at == ':' ? at + 1 : NULL;
}

/* The index of a hidden name, "in[2]", against a pattern's: none, "*", a number or a range. */
static gboolean index_matches(const HyIndex *index, guint n, const char *text)
{
  const char *bracket = strchr(text, '[');
  if (n == 0) {
    return bracket == NULL;
  }
  gint64 v = bracket != NULL ? g_ascii_strtoll(bracket + 1, NULL, 10) : -1;
  if (v < 0 || n != 1) {
    return FALSE;
  }
  if (index->lo == NULL) {
    return TRUE;
  }
  return index->lo->kind == HY_F_NUMBER && (double)v >= index->lo->number &&
         (double)v <= (index->hi != NULL && index->hi->kind == HY_F_NUMBER ? index->hi->number
                                                                           : index->lo->number);
}

static gboolean name_matches(const char *pattern, const char *text)
{
  g_autofree char *plain = g_strndup(text, strcspn(text, "["));
  return hy_path_name_matches(pattern, plain);
}

/* One part of a path against one component. Hidden functions are met by patterns that name a
 * hidden part, only. */
static gboolean part_matches(const HyPathPart *part, const char *component)
{
  NameParts p;
  split_name(component, &p);
  gboolean ok;
  if (part->hidden == NULL) {
    ok = p.hidden == NULL && hy_path_part_matches(part, p.base, p.at, p.n);
  } else {
    HyPathPart plain = *part;
    plain.hidden = NULL;
    plain.n_hidden_index = 0;
    ok = p.hidden != NULL && hy_path_part_matches(&plain, p.base, p.at, p.n) &&
         name_matches(part->hidden, p.hidden) &&
         index_matches(part->index + part->n_index, part->n_hidden_index, p.hidden);
  }
  g_free(p.base);
  return ok;
}

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
    if (path->port == NULL || (name_matches(path->port, name) &&
                               (strchr(path->port, '*') != NULL ||
                                index_matches(path->port_index, path->n_port_index, name)))) {
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

/* Goes through the components of a level from where it stopped. TRUE: a level below comes first. */
static gboolean look(const HyPath *path, GArray *levels, GArray *found)
{
  Level *at = &g_array_index(levels, Level, levels->len - 1);
  const HyModel *m = at->model;
  guint part = at->part;
  gboolean any = strcmp(path->part[part].name, "**") == 0;
  for (guint k = at->component; k < hy_model_n(m); k++) {
    const HyModel *inside = hy_model_coupled(m, k);
    const HyPathPart *p = &path->part[any && part + 1 < path->n ? part + 1 : part];
    gboolean last = any ? part + 1 >= path->n || part + 2 == path->n : part + 1 == path->n;
    gboolean met = (any && part + 1 >= path->n) || part_matches(p, hy_model_component_name(m, k));
    if (met && last) {
      add_block(found, path, m, k);
    }
    if (inside == NULL) {
      continue;
    }
    Level below = {inside, 0, any && !(met && !last) ? part : part + (any ? 2 : 1)};
    if (any || (met && !last)) {
      at->component = k + 1;
      g_array_append_val(levels, below);
      return TRUE;
    }
  }
  return FALSE;
}

/* No recursion: a level is left and taken up again where it stopped. */
GArray *hy_loaded_match(const HyLoaded *loaded, const char *path, GError **error)
{
  g_return_val_if_fail(loaded != NULL && path != NULL, NULL);
  g_autoptr(HyFormulaPool) pool = hy_formula_pool_new();
  const HyPath *p = hy_path_parse(pool, path, error);
  if (p == NULL) {
    return NULL;
  }
  GArray *found = g_array_new(FALSE, FALSE, sizeof(HySignalAt));
  g_array_set_clear_func(found, clear_signal);
  if (p->n == 0) {
    add_block(found, p, loaded->model, HY_SELF);
  } else {
    g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(Level));
    Level root = {loaded->model, 0, 0};
    g_array_append_val(levels, root);
    while (levels->len > 0) {
      if (!look(p, levels, found)) {
        g_array_set_size(levels, levels->len - 1);
      }
    }
  }
  if (found->len == 0) {
    g_array_unref(found);
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "nothing matches \"%s\"", path);
    return NULL;
  }
  return found;
}
