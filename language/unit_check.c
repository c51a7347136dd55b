/* Units inside formulas: what is added or compared has one unit. No dimensions are computed: a
 * unit is known of a name that states one, of a sum of such, and of abs, min, max, limit and if of
 * them; what is multiplied has none that is known, so most formulas are passed by.
 *
 * Looks at the text of each definition once, whatever becomes of its instances. Needs types and
 * plans (types.c, plan.c); leaves warnings, one at most for an attribute. */
#include "language/checks.h"
#include <string.h>

/* One attribute, as its definition reads it. */
typedef struct {
  Loader *l;
  const Define *define;
  const Entry *entry;
  const HyAttribute *attribute;
} Text;

/* Of the port that REF names, or the first; NULL: not stated. */
static const char *unit_of_block(const Entry *e, const char *port)
{
  guint k = 0;
  if (e->klass != NULL) {
    k = hy_find_port(e->klass->out, port, NULL);
    return k == G_MAXUINT ? NULL : k == 0 && e->unit != NULL ? e->unit : e->klass->out[k].unit;
  }
  const GPtrArray *out = e->inside != NULL ? e->inside->out : NULL;
  while (out != NULL && port != NULL && k < out->len &&
         strcmp(((const Entry *)g_ptr_array_index(out, k))->name, port) != 0) {
    k++;
  }
  if (out == NULL || k >= out->len) {
    return NULL;
  }
  const char *own = ((const Entry *)g_ptr_array_index(out, k))->unit;
  return own == NULL && k == 0 ? e->unit : own;
}

/* A named input of a function is what the attribute says, not the block of that name. */
static gboolean is_named(const Text *t, const char *name)
{
  const Plan *plan = t->entry->plan;
  for (guint k = 0; plan != NULL && k < plan->n; k++) {
    const HyFile *f = t->define->file;
    if (plan->item[k].role == R_NAMED &&
        strcmp(hy_tree_name(f->tree, plan->item[k].attribute->name), name) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

static const char *unit_of_name(const Text *t, const HyFormula *ref)
{
  const Define *d = t->define;
  if (is_named(t, ref->ref.name)) {
    return NULL;
  }
  const Entry *e = g_hash_table_lookup(d->inner, ref->ref.name);
  for (d = d->around; e == NULL && d != NULL; d = d->around) {
    e = g_hash_table_lookup(d->inner, ref->ref.name);
    e = e != NULL && (e->kind == E_PARAM || e->kind == E_LET) ? e : NULL;
  }
  if (e == NULL || e->same != NULL || e->bad) {
    return NULL;
  }
  return e->kind == E_BLOCK ? unit_of_block(e, ref->ref.port) : e->unit;
}

static void differ(const Text *t, const HyFormula *a, const char *a_unit, const HyFormula *b,
                   const char *b_unit)
{
  if (!hy_note_once(t->l, t->attribute, REPORTED_WARNING)) {
    return;
  }
  g_autofree char *x = hy_formula_text(a), *y = hy_formula_text(b);
  g_autofree char *path = hy_define_path(t->define, t->entry->name);
  hy_report_warning(t->l->report, t->define->file->name, t->attribute->line,
                    "%s: in \"%s\": \"%s\" is in \"%s\" but \"%s\" is in \"%s\"", path,
                    t->attribute->value, x, a_unit, y, b_unit);
}

static const char *unit_of(const Text *t, const HyFormula *f, guint depth);

/* Of the children from FIRST on, which have one unit; NULL: it is not known of any. */
static const char *unit_of_all(const Text *t, const HyFormula *f, guint first, guint depth)
{
  const char *known = NULL;
  const HyFormula *whose = NULL;
  for (guint k = first; k < f->n; k++) {
    const char *unit = unit_of(t, f->child[k], depth - 1);
    if (unit != NULL && known != NULL && hy_units_differ(known, unit)) {
      differ(t, whose, known, f->child[k], unit);
    } else if (unit != NULL && known == NULL) {
      known = unit;
      whose = f->child[k];
    }
  }
  return known;
}

static const char *unit_of_call(const Text *t, const HyFormula *f, guint depth)
{
  static const char *const keep[] = {"abs", "min", "max", "limit", "mean", NULL};
  if (hy_formula_is_if(f)) {
    unit_of(t, f->child[0], depth - 1);
    return unit_of_all(t, f, 1, depth);
  }
  if (g_strv_contains(keep, hy_ops[f->function].name)) {
    return unit_of_all(t, f, 0, depth);
  }
  for (guint k = 0; k < f->n; k++) {
    unit_of(t, f->child[k], depth - 1);
  }
  return NULL;
}

/* NULL: it is not known. */
static const char *unit_of(const Text *t, const HyFormula *f, guint depth)
{
  if (depth == 0 || f->kind == HY_F_NUMBER || f->kind == HY_F_NOTHING) {
    return NULL;
  }
  switch (f->kind) {
  case HY_F_REF:
    return f->own ? NULL : unit_of_name(t, f);
  case HY_F_NEG:
    return unit_of(t, f->child[0], depth - 1);
  case HY_F_SUM:
    return unit_of_all(t, f, 0, depth);
  case HY_F_COMPARE:
    unit_of_all(t, f, 0, depth);
    return NULL;
  case HY_F_CALL:
    return unit_of_call(t, f, depth);
  default:
    for (guint k = 0; k < f->n; k++) {
      unit_of(t, f->child[k], depth - 1);
    }
    return NULL;
  }
}

/* WANTED: the unit of what the text is for; NULL: not stated. A name alone is compared where its
 * wire is drawn, or its value given; ALONE: here. */
static void check_text(const Text *t, const char *wanted, gboolean alone)
{
  const HyFormula *list = hy_formula_parse(t->l->pool, HY_TEXT_SOURCE, t->attribute->value, NULL);
  for (guint k = 0; list != NULL && k < list->n; k++) {
    const HyFormula *f = list->child[k];
    const char *unit = unit_of(t, f, HY_FOLDED_DEPTH);
    gboolean other = unit != NULL && wanted != NULL && hy_units_differ(unit, wanted);
    if (other && (alone || f->kind != HY_F_REF) &&
        hy_note_once(t->l, t->attribute, REPORTED_WARNING)) {
      g_autofree char *path = hy_define_path(t->define, t->entry->name);
      hy_report_warning(t->l->report, t->define->file->name, t->attribute->line,
                        "%s: %s=\"%s\" is in \"%s\" but \"%s\" is expected", path,
                        hy_tree_name(t->define->file->tree, t->attribute->name),
                        t->attribute->value, unit, wanted);
    }
  }
}

/* What an attribute of a block is for, as a unit; FALSE: it is no formula. */
static gboolean wanted_by(const Entry *e, const Item *i, const char **wanted, gboolean *alone)
{
  const HyParam *p = i->role == R_PARAM ? &e->klass->params[i->index] : NULL;
  *alone = FALSE;
  switch (i->role) {
  case R_PARAM:
    /* of a function its output's; an integrator starts with what it says */
    *alone = strcmp(p->name, "x0") == 0;
    *wanted = p->kind == HY_FORMULA || *alone ? e->unit : p->unit;
    return p->kind != HY_TEXT && p->kind != HY_VALUES;
  case R_INPUT:
    *wanted = e->klass->in[i->index].unit;
    return TRUE;
  case R_NAMED:
    *wanted = NULL;
    return TRUE;
  default:
    *wanted = i->child->unit;
    return i->role == R_CHILD_IN || (i->role == R_CHILD_PARAM && i->child->value_kind < KIND_TEXT);
  }
}

static void check_entry(Loader *l, const Define *d, const Entry *e)
{
  Text t = {.l = l, .define = d, .entry = e, .attribute = e->value};
  gboolean value = (e->kind == E_PARAM && e->value_kind < KIND_TEXT) || e->kind == E_LET;
  if ((value || e->kind == E_OUT) && e->value != NULL) {
    check_text(&t, e->unit, value);
  }
  for (guint k = 0; e->kind == E_BLOCK && e->plan != NULL && k < e->plan->n; k++) {
    const Item *i = &e->plan->item[k];
    const char *wanted;
    gboolean alone;
    t.attribute = i->attribute;
    if (wanted_by(e, i, &wanted, &alone)) {
      check_text(&t, wanted, alone);
    }
  }
}

static gboolean states_units(const Define *d)
{
  for (guint k = 0; k < d->entries->len; k++) {
    if (((const Entry *)g_ptr_array_index(d->entries, k))->unit != NULL) {
      return TRUE;
    }
  }
  return d->around != NULL && states_units(d->around);
}

void hy_check_units(Loader *l)
{
  for (guint k = 0; k < l->defines->len; k++) {
    const Define *d = g_ptr_array_index(l->defines, k);
    gboolean stated = states_units(d);
    for (guint i = 0; stated && i < d->entries->len; i++) {
      check_entry(l, d, g_ptr_array_index(d->entries, i));
    }
  }
}
