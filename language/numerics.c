/* method, dqrel ... in force, which are inherited field by field; and which sets of an experiment
 * meet a block.
 *
 * A Numerics is one set of these fields and is shared by all who have the same; a number stands
 * for it. Going down, from the experiment through models to a block, each statement makes another
 * one of it. The element that states the method is its group: states with a group method decide
 * together where that is the same (docs/architecture.md).
 *
 * A set with block="a path" is carried down with the scopes that its path goes through (ActiveSet:
 * the set and the part of the path to be matched next), so that a block is compared with the last
 * part only. */
#include "language/numerics.h"
#include "coupled/model_internal.h"
#include "hydevs/text.h"
#include <math.h>
#include <string.h>

static guint numerics_hash(gconstpointer p)
{
  const Numerics *n = p;
  guint h = n->group * 31U + n->stated;
  h = h * 31U + (n->method != NULL ? g_str_hash(n->method) : 0);
  for (guint k = 1; k < 6; k++) {
    h = h * 31U + g_double_hash(&n->value[k]);
  }
  return h;
}

/* NaN, which is not stated, is equal to itself here. */
static gboolean same_values(const double *a, const double *b)
{
  for (guint k = 1; k < 6; k++) {
    if (a[k] != b[k] && !(isnan(a[k]) && isnan(b[k]))) {
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean numerics_equal(gconstpointer a, gconstpointer b)
{
  const Numerics *x = a, *y = b;
  return x->group == y->group && x->stated == y->stated && g_strcmp0(x->method, y->method) == 0 &&
         same_values(x->value, y->value);
}

/* Linear probing by the last rows is enough: neighbours state the same. */
static guint32 add(Loader *l, const Numerics *n)
{
  guint32 len = l->numerics->len;
  for (guint32 k = len; k-- > 0 && k + 16 > len;) {
    const Numerics *other = &g_array_index(l->numerics, Numerics, k);
    if (numerics_hash(other) == numerics_hash(n) && numerics_equal(other, n)) {
      return k;
    }
  }
  g_array_append_val(l->numerics, *n);
  return len;
}

/* A number for each element and instance in which it stands: a type with a method makes a group of
 * each of its instances. */
guint hy_group(Loader *l, const void *scope, const void *element)
{
  gint64 key[2] = {(gint64)(gintptr)scope, (gint64)(gintptr)element};
  g_autoptr(GBytes) bytes = g_bytes_new(key, sizeof key);
  gpointer found = g_hash_table_lookup(l->groups, bytes);
  if (found == NULL) {
    found = GUINT_TO_POINTER(g_hash_table_size(l->groups) + 1);
    g_hash_table_insert(l->groups, g_bytes_ref(bytes), found);
  }
  return GPOINTER_TO_UINT(found);
}

/* One field from its text. The method also says the group: the element that states it. */
static gboolean read_field(Env *env, guint16 word, const char *text, Numerics *n, guint group)
{
  guint field = word - HY_W_METHOD;
  env->what = hy_words[word];
  if (field == 0) {
    const char *method = hy_env_text(env, text);
    if (method == NULL) {
      return FALSE;
    }
    if (!g_strv_contains(hy_method_words, method)) {
      g_autofree char *hint = hy_did_you_mean(hy_nearest(method, hy_method_words));
      hy_problem(env, "no method \"%s\"%s", method, hint);
      return FALSE;
    }
    n->method = g_string_chunk_insert_const(env->loader->strings, method);
    n->group = group;
  } else {
    const HyFormula *f = hy_env_parse(env, HY_TEXT_EXPRESSION, text);
    double v;
    if (f == NULL || !hy_env_number(env, f, &v)) {
      return FALSE;
    }
    if (!(v >= 0) || (word == HY_W_HSTEP && (v == 0 || isinf(v)))) {
      hy_problem(env, "%s=\"%s\" must be %s", hy_words[word], text,
                 word == HY_W_HSTEP ? "finite and above 0" : "at least 0");
      return FALSE;
    }
    n->value[field] = v; /* a wrong one is told once, where it is stated */
  }
  n->stated |= 1U << field;
  return TRUE;
}

/* What is in force at element E, FROM being so around it. WEAK: only fields that nobody has
 * stated. */
guint32 hy_numerics_state(Loader *l, guint32 from, Env *env, const HyElement *e, guint group,
                          gboolean weak)
{
  Numerics n = g_array_index(l->numerics, Numerics, from);
  gboolean changed = FALSE;
  for (guint32 k = 0; k < e->n_attributes; k++) {
    const HyAttribute *a = hy_attribute(env->file->tree, e, k);
    if (a->name < HY_W_METHOD || a->name > HY_W_HSTEP ||
        (weak && n.stated & (1U << (a->name - HY_W_METHOD)))) {
      continue;
    }
    Env at = *env;
    at.attribute = a;
    changed |= read_field(&at, a->name, a->value, &n, group);
  }
  return changed ? add(l, &n) : from;
}

guint32 hy_numerics_set(Loader *l, guint32 from, Env *env, guint16 word, const char *text,
                        guint group)
{
  Numerics n = g_array_index(l->numerics, Numerics, from);
  return read_field(env, word, text, &n, group) ? add(l, &n) : from;
}

/* Which of these fields NAME is; 6: none. */
static guint field_of(const char *name)
{
  guint field = 0;
  while (field < 6 && (name[0] != hy_words[HY_W_METHOD + field][0] ||
                       strcmp(name, hy_words[HY_W_METHOD + field]) != 0)) {
    field++;
  }
  return field;
}

guint32 hy_numerics_group(const Loader *l, const HyAtomicClass *klass, guint32 numerics)
{
  return hy_class_param(klass, hy_words[HY_W_METHOD]) != NULL
             ? g_array_index(l->numerics, Numerics, numerics).group
             : 0;
}

/* A class with parameters of these names (an integrator, a sine) gets what is in force; tolerances
 * of classic methods and their step only where they are stated. */
void hy_numerics_apply(Loader *l, Scope *s, const Entry *e, const gint64 *at, guint component,
                       const HyAtomicClass *klass, guint32 numerics)
{
  const Numerics *n = &g_array_index(l->numerics, Numerics, numerics);
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    g_autoptr(GError) error = NULL;
    guint field = field_of(p->name);
    if (field == 0) {
      hy_component(s->model, component)->group = n->group;
    }
    if (field == 0 && n->method != NULL && strcmp(n->method, p->text) != 0) {
      hy_model_set(s->model, component, p->name, n->method, &error);
    } else if (field > 0 && field < 6 && !isnan(n->value[field]) && n->value[field] != p->value) {
      hy_model_set_real(s->model, component, p->name, n->value[field], &error);
    }
    if (error != NULL) {
      const char *after_path = strstr(error->message, ": ");
      hy_entry_problem(l, s, e, at, "%s", after_path != NULL ? after_path + 2 : error->message);
    }
  }
}
