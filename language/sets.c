/* Sets: what <set> elements and --set give to blocks and to parameters of the root. Read before any
 * scope is there; each scope keeps those that may still meet something inside it (hy_sets_match).
 */
#include "hydevs/text.h"
#include "language/numerics.h"
#include <string.h>

static gboolean cannot_be_set(guint16 word)
{
  return word == HY_W_NAME || word == HY_W_COUNT || word == HY_W_INDEX || word == HY_W_BEFORE ||
         word == HY_W_AFTER || word == HY_W_IF || word == HY_W_TYPE || word == HY_W_FILE ||
         word == HY_W_LABEL || word == HY_W_DOC || word == HY_W_UNIT;
}

/* A <set>: items with their texts, to be evaluated where they are used. */
void hy_set_read(Loader *l, const HyFile *f, guint32 experiment, guint32 element)
{
  const HyElement *e = hy_element(f->tree, element);
  SetGroup *g = g_new0(SetGroup, 1);
  g->attribute = hy_attribute_find(f->tree, e, HY_W_BLOCK);
  g->path_text = g->attribute != NULL ? g->attribute->value : NULL;
  g->experiment = hy_said_in(f, experiment, HY_W_NAME);
  g->file = f->name;
  g->line = e->line;
  g->items = g_array_new(FALSE, FALSE, sizeof(SetItem));
  g_ptr_array_add(l->chosen.sets, g);
  g_autofree char *name = hy_experiment_who(f, experiment);
  if (g->attribute != NULL) {
    GError *error = NULL;
    g->path = hy_path_parse(l->pool, g->path_text, &error);
    if (g->path == NULL || g->path->port != NULL) {
      hy_report_error(l->report, f->name, g->attribute->line, "%s: %s", name,
                      error != NULL ? error->message : "block=\"...\" names a block, not a port");
      g_clear_error(&error);
      g_ptr_array_remove(l->chosen.sets, g);
      return;
    }
  }
  for (guint32 k = 0; k < e->n_attributes; k++) {
    HyAttribute *a = hy_attribute(f->tree, e, k);
    if (a->name == HY_W_BLOCK) {
      continue;
    }
    if (g->path != NULL && cannot_be_set(a->name)) {
      hy_report_error(l->report, f->name, a->line, "%s: %s of a block cannot be set", name,
                      hy_tree_name(f->tree, a->name));
      continue;
    }
    SetItem item = {.name = hy_formula_pool_name(l->pool, hy_tree_name(f->tree, a->name)),
                    .text = a->value,
                    .attribute = a,
                    .word = a->name};
    g_array_append_val(g->items, item);
  }
}

void hy_set_free(gpointer set)
{
  SetGroup *g = set;
  g_array_unref(g->items);
  g_free(g);
}

/* --set 'stage[2].L1=120u', --set N=8 */
void hy_set_option(Loader *l, const char *option)
{
  const char *equals = strchr(option, '=');
  g_autofree char *left = equals != NULL ? g_strndup(option, (gsize)(equals - option)) : NULL;
  g_autofree char *file = g_strdup_printf("--set %s", option);
  if (equals == NULL) {
    hy_report_error(l->report, file, 0, "write --set NAME=VALUE");
    return;
  }
  GError *error = NULL;
  const HyPath *path = hy_path_parse(l->pool, g_strstrip(left), &error);
  if (path == NULL) {
    hy_report_error(l->report, file, 0, "%s", error->message);
    g_error_free(error);
    return;
  }
  gboolean root = (path->n == 1 && path->port == NULL) || path->n == 0;
  const char *name = root && path->n == 1 ? path->part[0].name : path->port;
  if (name == NULL) {
    hy_report_error(l->report, file, 0, "say which parameter: %s.NAME=VALUE", left);
    return;
  }
  if (path->n_port_index > 0) {
    hy_report_error(l->report, file, 0, "%s takes no index here", name);
    return;
  }
  SetGroup *g = g_new0(SetGroup, 1);
  g->items = g_array_new(FALSE, FALSE, sizeof(SetItem));
  g->file = g_string_chunk_insert(l->strings, file);
  if (!root) {
    char *dot = strrchr(left, '.');
    g->path_text = g_string_chunk_insert_len(l->strings, left, dot - left);
    g->path = hy_path_parse(l->pool, g->path_text, NULL);
  }
  SetItem item = {.name = name,
                  .text = g_string_chunk_insert(l->strings, equals + 1),
                  .elements = root && path->n == 1 && path->part[0].n_index > 0 ? path : NULL,
                  .word = HY_NO_NAME};
  for (guint w = 0; w < HY_N_WORDS; w++) {
    item.word = strcmp(hy_words[w], name) == 0 ? (guint16)w : item.word;
  }
  g_array_append_val(g->items, item);
  g_ptr_array_add(l->chosen.sets, g);
}

/* The one copy, or the block, that the next part of an active set names; else it may meet any. */
static SetKey key_of(const ActiveSet *a, guint place)
{
  SetKey key = {.name = a->set->path->part[a->part].name, .place = place};
  if (!hy_path_part_is_plain(&a->set->path->part[a->part], &key.at)) {
    key.name = "";
  }
  return key;
}

static int compare_keys(const void *a, const void *b)
{
  const SetKey *x = a, *y = b;
  int by_name = strcmp(x->name, y->name);
  return by_name != 0          ? by_name
         : x->at != y->at      ? (x->at < y->at ? -1 : 1)
         : x->place < y->place ? -1
                               : 1;
}

/* By name, index and place: N sets that name a copy each are then found in N log N steps. */
void hy_sets_sort(Scope *s)
{
  guint n = s->active != NULL ? s->active->len : 0;
  if (n == 0) {
    return;
  }
  s->set_keys = g_new(SetKey, n);
  for (guint k = 0; k < n; k++) {
    s->set_keys[k] = key_of(&g_array_index(s->active, ActiveSet, k), k);
  }
  qsort(s->set_keys, n, sizeof *s->set_keys, compare_keys);
}

/* The first key that is not before KEY. */
static guint find_key(const Scope *s, SetKey key)
{
  guint low = 0, high = s->active->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (compare_keys(&s->set_keys[middle], &key) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Each set is carried on once for each part of its path. What comes of one set stands together. */
static void go_inside(const SetGroup *g, guint part, GArray **inside)
{
  if (*inside == NULL) {
    *inside = g_array_new(FALSE, FALSE, sizeof(ActiveSet));
  }
  for (guint k = (*inside)->len; k > 0; k--) {
    const ActiveSet *a = &g_array_index(*inside, ActiveSet, k - 1);
    if (a->set != g) {
      break;
    }
    if (a->part == part) {
      return;
    }
  }
  ActiveSet a = {g, part};
  g_array_append_val(*inside, a);
}

/* A set's path from PART on, against entry E at AT: the set meets it, goes on inside, or is not
 * about it. "**" may end here or go on. */
static void match(const SetGroup *g, guint part, const Entry *e, const gint64 *at,
                  GPtrArray *matched, GArray **inside)
{
  while (part < g->path->n && hy_path_any_depth(&g->path->part[part])) {
    go_inside(g, part, inside);
    part++;
  }
  if (part >= g->path->n || !hy_path_part_matches(&g->path->part[part], e->name, at, e->n_index)) {
    return;
  }
  if (part + 1 < g->path->n) {
    go_inside(g, part + 1, inside);
  } else if (matched->len == 0 || g_ptr_array_index(matched, matched->len - 1) != g) {
    g_ptr_array_add(matched, hy_key(g));
  }
}

/* Sets that meet the copy come to MATCHED, those that go on inside it to INSIDE; both in the order
 * in which they are stated: those that may meet any copy, and between them those that name it. */
void hy_sets_match(const Scope *s, const Entry *e, const gint64 *at, GPtrArray *matched,
                   GArray **inside)
{
  guint n = s->active != NULL ? s->active->len : 0;
  gint64 first = e->n_index > 0 ? at[0] : 0;
  const SetKey *any = s->set_keys, *end = s->set_keys + n;
  const SetKey *own = n > 0 ? any + find_key(s, (SetKey){e->name, first, 0}) : end;
  for (;;) {
    gboolean is_any = any < end && any->name[0] == '\0';
    gboolean is_own = own < end && own->at == first && strcmp(own->name, e->name) == 0;
    if (!is_any && !is_own) {
      return;
    }
    const SetKey *next = !is_own || (is_any && any->place < own->place) ? any++ : own++;
    const ActiveSet *a = &g_array_index(s->active, ActiveSet, next->place);
    match(a->set, a->part, e, at, matched, inside);
  }
}

/* A set's texts are read with the names of the root, where the set stands. */
void hy_set_env(Loader *l, const SetGroup *g, const SetItem *item, Env *env, HyFile *from)
{
  Scope *root = g_ptr_array_index(l->scopes, 0);
  *env = hy_env(l, root, NULL, item->attribute);
  *from = *root->define->file;
  from->name = g->file;
  env->file = from;
  env->what = item->name;
}

/* What there is instead of the first part of a path that met nothing. */
static char *instead(const HyReport *report, const Define *d, const HyPath *path)
{
  HyNearest near = {.word = path->n > 0 ? path->part[0].name : ""};
  gboolean read = hy_report_errors(report) <= HY_MAX_MESSAGES;
  for (guint k = 0; read && k < d->blocks->len; k++) {
    const Entry *e = g_ptr_array_index(d->blocks, k);
    if (strcmp(e->name, near.word) == 0) {
      return e->count != NULL && e->n_index == 1
                 ? g_strdup_printf("; %s has 1..%u", e->name, e->last_n)
                 : g_strdup("");
    }
    hy_nearest_offer(&near, e->name);
  }
  return hy_did_you_mean(near.best);
}

/* "experiment fine: ", before a message about ATTRIBUTE; nothing for an option. Newly allocated. */
static char *whose(const SetGroup *g, const HyAttribute *attribute)
{
  return attribute == NULL       ? g_strdup("")
         : g->experiment != NULL ? g_strdup_printf("experiment %s: ", g->experiment)
                                 : g_strdup("experiment: ");
}

/* A set without a block is of the root's parameters: says so if there is no such one. */
static void root_parameter(Loader *l, const Define *root, const SetGroup *g, const SetItem *item)
{
  const Entry *e = hy_define_param(root, item->name);
  guint line = item->attribute != NULL ? item->attribute->line : 0;
  g_autofree char *name = whose(g, item->attribute);
  if (e != NULL && e->kind == E_PARAM) {
    return;
  }
  if (e != NULL && e->kind == E_BLOCK && item->elements != NULL) {
    g_autoptr(GString) path = g_string_new(NULL);
    hy_path_print(item->elements, path);
    hy_report_error(l->report, g->file, line, "say which parameter: %s.NAME=VALUE", path->str);
    return;
  }
  if (e != NULL && e->kind == E_LET) {
    hy_report_error(l->report, g->file, line, "%s\"%s\" is computed (let) and cannot be set", name,
                    item->name);
    return;
  }
  HyNearest near = {.word = item->name};
  gboolean read = hy_report_errors(l->report) <= HY_MAX_MESSAGES;
  for (guint k = 0; read && k < root->values->len; k++) {
    const Entry *p = g_ptr_array_index(root->values, k);
    if (p->kind == E_PARAM) {
      hy_nearest_offer(&near, p->name);
    }
  }
  g_autofree char *hint = hy_did_you_mean(near.best);
  hy_report_error(l->report, g->file, line, "%sthe model has no parameter \"%s\"%s", name,
                  item->name, hint);
}

/* Parameters that the model does not have, and paths that met nothing. */
void hy_sets_finish(Loader *l, Scope *root)
{
  for (guint k = 0; k < l->chosen.sets->len; k++) {
    const SetGroup *g = g_ptr_array_index(l->chosen.sets, k);
    for (guint i = 0; g->path == NULL && i < g->items->len; i++) {
      root_parameter(l, root->define, g, &g_array_index(g->items, SetItem, i));
    }
    if (g->path == NULL || g->matches > 0 || l->stopped ||
        (g->attribute != NULL && hy_was_reported(l, g->attribute, REPORTED_ANYTHING))) {
      continue;
    }
    g_autofree char *hint = instead(l->report, root->define, g->path);
    g_autofree char *name = whose(g, g->attribute);
    hy_report_error(l->report, g->file, g->attribute != NULL ? g->attribute->line : 0,
                    "%sno block matches \"%s\"%s", name, g->path_text, hint);
  }
}
