/* One copy of a machine: its formulas, folded for the copy, are one list, the formula parameter of
 * the block. What they name is a variable or an input of the machine, or a signal of the model:
 * that becomes a further input.
 *
 * The guard of a `when` is looked at between events, as a polynomial of time: it must be linear in
 * all that moves, that is in signals, `t` and `elapsed`, wherever it compares. What bends otherwise
 * is an input with a formula of its own, whose block knows how long its pieces hold. */
#include "coupled/model_formula.h"
#include "language/hidden.h"
#include "language/machine.h"
#include <string.h>

/* Names ---------------------------------------------------------------------------------------- */

/* The place of REF among the names of the machine; G_MAXUINT: it is a signal of the model. */
static guint own_name(const MachineSaid *said, const HyFormula *ref)
{
  for (guint k = 0; !ref->own && k + 1 < said->names->len; k++) {
    if (ref->ref.name == g_ptr_array_index(said->names, k)) {
      return k;
    }
  }
  return G_MAXUINT;
}

static gboolean is_variable(const MachineSaid *said, const HyFormula *ref)
{
  guint k = own_name(said, ref);
  return k != G_MAXUINT && k >= said->machine->n_in &&
         k < said->machine->n_in + said->machine->n_vars;
}

static gboolean is_random(const MachineSaid *said, const HyFormula *ref)
{
  return own_name(said, ref) == said->machine->n_in + said->machine->n_vars + HY_MACHINE_RANDOM;
}

/* Guards of `when` ----------------------------------------------------------------------------- */

typedef enum { RESTS, LINEAR, BENDS } Motion;

static Motion motion(const MachineSaid *said, const HyFormula *f, const HyFormula **bent);

/* The most of the children from FIRST on. */
static Motion most(const MachineSaid *said, const HyFormula *f, guint first, const HyFormula **bent)
{
  Motion all = RESTS;
  for (guint32 k = first; k < f->n; k++) {
    all = MAX(all, motion(said, f->child[k], bent));
  }
  return all;
}

static Motion of_product(const MachineSaid *said, const HyFormula *f, const HyFormula **bent)
{
  Motion all = motion(said, f->child[0], bent);
  for (guint32 k = 1; k < f->n; k++) {
    Motion m = motion(said, f->child[k], bent);
    all = (m != RESTS && all != RESTS) || (m != RESTS && f->ops[k] == '/') ? BENDS : MAX(all, m);
  }
  return all;
}

/* These are made of comparisons, whose instants are found. */
static gboolean is_by_pieces(const HyFormula *f)
{
  static const char *const words[] = {"min", "max", "limit", "sum", "mean", "sign", NULL};
  return g_strv_contains(words, hy_ops[f->function].name);
}

static Motion motion(const MachineSaid *said, const HyFormula *f, const HyFormula **bent)
{
  Motion m = RESTS;
  switch (f->kind) {
  case HY_F_NUMBER:
    return RESTS;
  case HY_F_REF:
    return is_variable(said, f) ? RESTS : LINEAR;
  case HY_F_PRODUCT:
    m = of_product(said, f, bent);
    break;
  case HY_F_NEG:
  case HY_F_SUM:
    m = most(said, f, 0, bent);
    break;
  case HY_F_COMPARE:
  case HY_F_NOT:
  case HY_F_AND:
  case HY_F_OR:
    m = most(said, f, 0, bent) == BENDS ? BENDS : RESTS; /* it stands still until it turns */
    break;
  case HY_F_CALL:
    m = most(said, f, 0, bent);
    m = m == RESTS || is_by_pieces(f) || hy_formula_is_if(f) ? m : BENDS;
    break;
  default:
    m = most(said, f, 0, bent) == RESTS ? RESTS : BENDS;
  }
  if (m == BENDS && *bent == NULL) {
    *bent = f;
  }
  return m;
}

/* FALSE: reported. */
static gboolean check_watched(Env *env, const MachineSaid *said, const HyFormula *f)
{
  const HyFormula *bent = NULL;
  g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(f);
  for (guint k = 0; k < refs->n; k++) {
    if (is_random(said, refs->ref[k])) {
      hy_problem(env, "the guard of a <when> is looked at all the time and cannot be \"random\"");
      return FALSE;
    }
  }
  if (motion(said, f, &bent) == BENDS) {
    g_autofree char *text = hy_formula_text(bent);
    hy_problem(
        env,
        "the guard of a <when> is linear in signals and time, and %s is not; make it an input "
        "of the machine, y=\"...\", and compare y",
        text);
    return FALSE;
  }
  return TRUE;
}

/* Formulas ------------------------------------------------------------------------------------- */

static void warn_constant(Env *env, const MachineSource *source, gboolean holds)
{
  const HyFormula *written = source->formula;
  if (hy_formula_first_ref(written) == NULL &&
      hy_note_once(env->loader, source->attribute, REPORTED_WARNING)) {
    g_autoptr(GString) path = g_string_new(NULL);
    hy_scope_path(env->scope, path);
    hy_report_warning(env->loader->report, env->file->name, source->attribute->line,
                      "%s%s%s: guard=\"%s\" %s", path->str, path->len > 0 ? "/" : "",
                      env->entry->name, source->text,
                      holds ? "always holds" : "never holds, and this transition is never taken");
  }
}

/* What is of the machine is one number. FALSE: reported. */
static gboolean check_own(Env *env, const MachineSaid *said, const HyFormula *f)
{
  g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(f);
  for (guint k = 0; k < refs->n; k++) {
    const HyFormula *ref = refs->ref[k];
    if (own_name(said, ref) != G_MAXUINT && (ref->n_index > 0 || ref->ref.port != NULL)) {
      hy_problem(env, "\"%s\" is of this machine; it has no index and no port", ref->ref.name);
      return FALSE;
    }
  }
  return TRUE;
}

/* What is known of a folded part while loading. FALSE: reported. */
static gboolean check_part(Env *env, const MachineSaid *said, const MachineSource *source,
                           const HyFormula *f)
{
  if (f->kind == HY_F_NUMBER && source->guard) {
    warn_constant(env, source, f->number != 0.0);
  }
  if (f->kind == HY_F_NUMBER && source->time && !(f->number >= 0.0)) {
    char number[HY_DOUBLE_SIZE];
    hy_problem(env, "time is %s; it must not be negative", hy_double_text(number, f->number));
    return FALSE;
  }
  return check_own(env, said, f) && (!source->watched || check_watched(env, said, f));
}

/* The folded part; NULL: reported. */
static const HyFormula *fold_part(Env *env, const MachineSaid *said, MachineSource *source)
{
  HyFormulaPool *scratch = env->loader->scratch;
  double v = 0;
  env->attribute = source->attribute;
  if (source->formula == NULL) {
    source->formula = hy_env_parse(env, HY_TEXT_EXPRESSION, source->text);
  }
  if (source->formula == NULL) {
    return NULL;
  }
  if (source->constant) {
    env->mode = MODE_CONSTANT;
    env->what = "value";
    gboolean ok = hy_env_number(env, source->formula, &v);
    env->mode = MODE_SOURCE;
    return ok ? hy_formula_number(scratch, v) : NULL;
  }
  env->unknown = (const char *const *)said->names->pdata;
  const HyFormula *f = hy_env_boundaries(env, hy_env_fold(env, source->formula));
  env->unknown = NULL;
  if (f != NULL && f->kind >= HY_F_ITEMS) {
    hy_problem(env, "\"%s\" has no value", source->text);
    return NULL;
  }
  if (f == NULL || !check_part(env, said, source, f)) {
    return NULL;
  }
  return source->watched ? hy_formula_choose(scratch, f, hy_formula_number(scratch, 1.0),
                                             hy_formula_number(scratch, 0.0))
                         : f;
}

/* An input without a port of its own, which no transition hears and no formula reads, is a misspelt
 * one. */
static gboolean check_inputs(Env *env, const MachineSaid *said)
{
  gboolean ok = TRUE;
  const HyMachine *m = said->machine;
  const HyTree *tree = env->file->tree;
  for (guint k = 0; k < m->n_in; k++) {
    gboolean read = m->in[k].kind == HY_EVENT;
    for (guint i = 0; !read && i < said->source->len; i++) {
      const MachineSource *s = &g_array_index(said->source, MachineSource, i);
      read =
          s->formula != NULL && hy_formula_mentions(s->formula, g_ptr_array_index(said->names, k));
    }
    guint16 name = hy_tree_find_name(tree, m->in[k].name);
    const HyElement *x = hy_element(tree, env->entry->element);
    env->attribute = name != HY_NO_NAME ? hy_attribute_find(tree, x, name) : NULL;
    if (!read && env->attribute != NULL) {
      hy_problem(env, "no transition and no formula of this machine names the input \"%s\"",
                 m->in[k].name);
      ok = FALSE;
    }
  }
  return ok;
}

/* PLACE[r] of each reference; signals of the model are inputs behind the named ones: how many. */
static guint find_places(const MachineSaid *said, const HyFormulaRefs *refs, gint *place)
{
  guint n_in = said->machine->n_in, n_reads = 0;
  for (guint k = 0; k < refs->n; k++) {
    const HyFormula *ref = refs->ref[k];
    guint own = own_name(said, ref);
    if (own == G_MAXUINT) {
      place[k] = (gint)(n_in + ++n_reads);
    } else {
      place[k] = own < n_in ? (gint)own + 1 : -(gint)(own - n_in) - 1;
    }
  }
  return n_reads;
}

/* The attribute whose formula, one of LIST, names REF first. */
static const HyAttribute *named_by(const MachineSaid *said, const HyFormula *list,
                                   const HyFormula *ref)
{
  for (guint k = 0; k < list->n; k++) {
    g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(list->child[k]);
    if (hy_formula_refs_slot(refs, ref) != G_MAXUINT) {
      return g_array_index(said->source, MachineSource, k).attribute;
    }
  }
  return NULL;
}

static void take_reads(Env *env, const MachineSaid *said, const HyFormula *list,
                       const HyFormulaRefs *refs, const gint *place)
{
  for (guint k = 0; k < refs->n; k++) {
    if (place[k] > (gint)said->machine->n_in) {
      env->attribute = named_by(said, list, refs->ref[k]);
      Line line = {.attribute = env->attribute,
                   .file = env->file,
                   .to = {.component = PENDING_BLOCK, .number = (guint32)place[k] - 1}};
      hy_take_ref(env, refs->ref[k], line);
    }
  }
}

static guint32 place_machine(Env *env, Entry *e, const gint64 *at, guint32 row, guint first,
                             const HyFormula *list)
{
  Scope *s = env->scope;
  const MachineSaid *said = e->machine;
  g_autoptr(HyFormulaRefs) refs = hy_formula_refs_new(list);
  g_autofree gint *place = g_new(gint, (gsize)refs->n + 1);
  guint n_reads = find_places(said, refs, place);
  take_reads(env, said, list, refs, place);
  env->attribute = NULL;
  guint32 component = hy_model_add(s->model, hy_text_of_copy(env->loader, e, at), e->klass);
  hy_model_set_array(s->model, component, n_reads, 0);
  GError *error = NULL;
  const HyExpression *parts = hy_model_formula(s->model, list, refs, place, NULL);
  if (!hy_model_set_formula(s->model, component, HY_MACHINE_PARTS, parts, &error)) {
    hy_model_problem(env, component, error);
  }
  hy_name_pending(s, first, component);
  hy_scope_add_row(s, row);
  return component;
}

guint32 hy_machine_block(Loader *l, Scope *s, Entry *e, const gint64 *at, guint32 row, guint first)
{
  const MachineSaid *said = e->machine;
  Env env = hy_env(l, s, e, NULL);
  hy_env_copy(&env, e, at);
  env.mode = MODE_SOURCE;
  guint n = said->source->len;
  g_autofree const HyFormula **part = g_new0(const HyFormula *, (gsize)n + 1);
  gboolean ok = TRUE;
  for (guint k = 0; k < n; k++) {
    part[k] = fold_part(&env, said, &g_array_index(said->source, MachineSource, k));
    ok = ok && part[k] != NULL;
  }
  if (!ok || !check_inputs(&env, said)) {
    return HY_NO_COMPONENT;
  }
  const HyFormula list = {.kind = HY_F_LIST, .n = n, .child = part};
  return place_machine(&env, e, at, row, first, &list);
}
