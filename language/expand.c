/* The instances of a model, one after the other: a scope makes those inside it, which then wait
 * for their turn.
 *
 * Depth-first in the order of the file, by a stack of scopes and no recursion, so types inside
 * types may be as deep as the limit says. For each scope: values (params.c), blocks and inner
 * scopes (place.c), components (block.c), couplings (wires.c). What is only needed meanwhile is
 * dropped after it, so memory is that of the model and of one scope. */
#include "coupled/written.h"
#include "language/circuits.h"
#include "language/look.h"
#include "language/netlist.h"
#include "language/numerics.h"

static void free_copies(Scope *s)
{
  for (guint k = 0; s->copies != NULL && k < s->define->blocks->len; k++) {
    Copies *c = &s->copies[k];
    if (c->component != &c->one) {
      g_free(c->component);
    }
    if (c->child != &c->one_child) {
      g_free(c->child);
    }
  }
  g_clear_pointer(&s->copies, g_free);
}

/* What is only needed while a scope is being worked on. */
static void clear_work(Scope *s)
{
  free_copies(s);
  g_clear_pointer(&s->boundary, g_free);
  if (s->network != NULL && s->in_network[0] == '\0') { /* those inside have gone before */
    hy_network_free(s->network);
  }
  s->network = NULL;
  g_clear_pointer(&s->first_element, g_free);
  g_clear_pointer(&s->lines, g_array_unref);
  g_clear_pointer(&s->child_of, g_free);
  g_clear_pointer(&s->in_base, g_free);
  g_clear_pointer(&s->source, g_free);
  g_clear_pointer(&s->out_source, g_free);
  g_clear_pointer(&s->active, g_array_unref);
  g_clear_pointer(&s->set_keys, g_free);
}

void hy_scope_free(Scope *s)
{
  clear_work(s);
  for (guint k = 0; s->values != NULL && k < s->define->values->len; k++) {
    if (s->values[k].state == V_DONE && s->values[k].shape == V_NUMBERS) {
      g_free(s->values[k].numbers);
    }
  }
  g_free(s->values);
  g_free(s->in);
  g_free(s->out);
  g_free(s->in_state);
  g_free(s->in_const);
  g_clear_pointer(&s->rows, g_array_unref);
  g_clear_pointer(&s->parts, hy_parts_free);
  g_free(s);
}

/* Values and copies. Circuits inside a circuit do not wait for their turn: they join FAMILY. */
static void prepare(Loader *l, Scope *s, GPtrArray *family)
{
  for (guint k = 0; k < s->define->values->len; k++) {
    const Entry *e = g_ptr_array_index(s->define->values, k);
    hy_scope_value(l, s, e);
  }
  guint wait = l->waiting->len;
  hy_scope_place(l, s);
  for (guint k = wait; k < l->waiting->len; k++) {
    Scope *child = g_ptr_array_index(l->waiting, k);
    if (hy_is_nested(child)) {
      g_ptr_array_add(family, child);
    } else {
      l->waiting->pdata[wait++] = child;
    }
  }
  g_ptr_array_set_size(l->waiting, (gint)wait);
}

static void keep_parts(const Loader *l, Scope *s)
{
  if (!l->stopped && s->network != NULL && !s->network->failed) {
    s->parts = hy_look_parts(s->network, s);
  }
}

/* A scope; a circuit with all circuits in it, since they are one network: each pass for all of
 * them. */
static void work_on(Loader *l, Scope *s)
{
  if (s->model == NULL) { /* its block turned out to be wrong */
    return;
  }
  guint first = l->waiting->len;
  g_autoptr(GPtrArray) family = g_ptr_array_new();
  g_ptr_array_add(family, s);
  for (guint k = 0; k < family->len && !l->stopped; k++) {
    prepare(l, g_ptr_array_index(family, k), family);
  }
  if (!l->stopped && s->define->is_circuit) {
    hy_network_solve(l, s);
  }
  for (guint k = 0; k < family->len && !l->stopped; k++) {
    Scope *one = g_ptr_array_index(family, k);
    if (one->model == NULL) { /* of a block that was wrong */
      g_ptr_array_remove_index(family, k--);
      hy_network_fail(one);
      clear_work(one);
    } else {
      hy_scope_blocks(l, one);
    }
  }
  if (!l->stopped && s->define->is_circuit) {
    hy_network_finish(l, s);
    hy_netlist_keep(s->network);
  }
  for (guint k = 0; k < family->len && !l->stopped; k++) {
    hy_scope_lines(l, g_ptr_array_index(family, k));
  }
  for (guint a = first, b = l->waiting->len; a + 1 < b; a++) { /* the last is taken first */
    b--;
    gpointer keep = l->waiting->pdata[a];
    l->waiting->pdata[a] = l->waiting->pdata[b];
    l->waiting->pdata[b] = keep;
  }
  for (guint k = family->len; k-- > 0;) {
    keep_parts(l, g_ptr_array_index(family, k));
  }
  for (guint k = family->len; k-- > 0;) {
    clear_work(g_ptr_array_index(family, k));
  }
  hy_formula_pool_clear(l->scratch);
}

/* Indices in the paths of sets are expressions over the root's parameters. */
static void fold_sets(Loader *l, Scope *root)
{
  HyFormulaScope scope = hy_env_scope;
  for (guint k = 0; k < l->chosen.sets->len; k++) {
    SetGroup *g = g_ptr_array_index(l->chosen.sets, k);
    if (g->path == NULL) {
      continue;
    }
    Env env = hy_env(l, root, NULL, g->attribute);
    HyFile from = *env.file;
    from.name = g->file;
    env.file = &from;
    env.what = "an index of a path";
    scope.user = &env;
    GError *error = NULL;
    const HyPath *path = hy_path_fold(l->pool, g->path, &scope, &error);
    if (path == NULL) {
      hy_problem_error(&env, error);
      continue;
    }
    g->path = path;
    if (root->active == NULL) {
      root->active = g_array_new(FALSE, FALSE, sizeof(ActiveSet));
    }
    ActiveSet active = {g, 0};
    g_array_append_val(root->active, active);
  }
  hy_sets_sort(root);
}

void hy_expand_all(Loader *l, Define *root)
{
  const char *audit = hy_experiment_audit(l, root->file);
  l->model = hy_model_new(root->name);
  if (audit != NULL && strcmp(audit, "off") != 0) {
    hy_model_keep_written(l->model);
  }
  Scope *s = hy_scope_new(l, root, NULL, NULL, NULL);
  s->model = l->model;
  hy_scope_prepare(l, s);
  hy_scope_ports(l, s);
  for (guint k = 0; k < s->n_in; k++) {
    s->in_state[k] = HY_WIRED; /* whoever runs the model may send */
  }
  s->numerics = hy_experiment_numerics(l, s, root->file);
  fold_sets(l, s);
  g_ptr_array_add(l->waiting, s);
  hy_least_is_too_much(l, s);
  while (l->waiting->len > 0 && !l->stopped) {
    work_on(l, g_ptr_array_remove_index(l->waiting, l->waiting->len - 1));
  }
}
