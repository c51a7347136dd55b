/* Parameters of a component: checked against the class table and kept as the bytes that start a
 * state. */
#include "model_formula.h"
#include "model_internal.h"

#include "base/hint.h"
#include "hydevs/trace.h"

#include <string.h>

static gsize kind_size(HyParamKind kind)
{
  static const gsize size[] = {[HY_REAL] = sizeof(double),
                               [HY_INTEGER] = sizeof(gint64),
                               [HY_BOOLEAN] = sizeof(gboolean),
                               [HY_TEXT] = sizeof(const char *),
                               [HY_REALS] = sizeof(HyReals),
                               [HY_VALUES] = sizeof(HyValues),
                               [HY_FORMULA] = sizeof(const HyExpression *)};
  return size[kind];
}

gsize hy_class_params_size(const HyAtomicClass *klass)
{
  gsize size = 0;
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    size = MAX(size, p->offset + kind_size(p->kind));
  }
  return size;
}

const HyParam *hy_class_param(const HyAtomicClass *klass, const char *name)
{
  const HyParam *p = klass->params;
  while (p != NULL && p->name != NULL && strcmp(p->name, name) != 0) {
    p++;
  }
  return p != NULL && p->name != NULL ? p : NULL;
}

const HyParam *hy_class_method(const HyAtomicClass *klass)
{
  const HyParam *p = klass->order != NULL ? hy_class_param(klass, "method") : NULL;
  return p != NULL && p->kind == HY_TEXT ? p : NULL;
}

static void *field(guint8 *image, const HyParam *p)
{
  return image + sizeof(HyImage) + p->offset;
}

double hy_component_real(const HyModel *m, guint component, const char *name)
{
  const HyComponent *c = hy_component(m, component);
  const HyParam *p = hy_class_param(c->klass, name);
  g_assert(p != NULL && p->kind == HY_REAL);
  return c->u.image != NULL ? *(const double *)field(c->u.image, p) : p->value;
}

const HyReals *hy_component_reals(const HyModel *m, guint component, const char *name)
{
  const HyComponent *c = hy_component(m, component);
  const HyParam *p = hy_class_param(c->klass, name);
  g_assert(p != NULL && p->kind == HY_REALS);
  return c->u.image != NULL ? field(c->u.image, p) : NULL;
}

static gboolean in_range(double v, HyRange range)
{
  switch (range) {
  case HY_POSITIVE:
    return v > 0;
  case HY_NOT_NEGATIVE:
    return v >= 0;
  case HY_UNIT_INTERVAL:
    return v >= 0 && v <= 1;
  default:
    return !isnan(v);
  }
}

gboolean hy_param_check_number(const HyParam *p, double v, char **why)
{
  static const char *const words[] = {"", "above 0", "0 or more", "between 0 and 1"};
  char text[HY_DOUBLE_SIZE];
  if (!in_range(v, p->range)) {
    *why = g_strdup_printf("%s = %s must be %s", p->name, hy_double_text(text, v),
                           isnan(v) ? "a number" : words[p->range]);
    return FALSE;
  }
  if (p->kind == HY_INTEGER && (v != floor(v) || fabs(v) > 9007199254740992.0)) {
    *why = g_strdup_printf("%s = %s is not a whole number", p->name, hy_double_text(text, v));
    return FALSE;
  }
  if (p->kind == HY_BOOLEAN && v != 0 && v != 1) {
    *why = g_strdup_printf("%s = %s must be 0 or 1", p->name, hy_double_text(text, v));
    return FALSE;
  }
  return TRUE;
}

static gpointer own(HyModel *root, gconstpointer bytes, gsize size)
{
  gpointer copy = g_memdup2(bytes, size);
  if (copy != NULL) {
    g_ptr_array_add(root->owner->owned, copy);
  }
  return copy;
}

static gboolean put_reals(HyModel *root, guint8 *image, const HyParam *p, const double *v, guint n,
                          char **why)
{
  gboolean text = p->kind == HY_TEXT || p->kind == HY_FORMULA;
  if (text || p->kind == HY_VALUES || (p->kind != HY_REALS && n != 1)) {
    *why = g_strdup_printf("%s takes %s", p->name, text ? "a text" : "one value");
    return FALSE;
  }
  for (guint k = 0; k < n; k++) {
    if (!hy_param_check_number(p, v[k], why)) {
      return FALSE;
    }
  }
  switch (p->kind) {
  case HY_REALS:
    *(HyReals *)field(image, p) = (HyReals){n, own(root, v, n * sizeof *v)};
    break;
  case HY_INTEGER:
    *(gint64 *)field(image, p) = (gint64)v[0];
    break;
  case HY_BOOLEAN:
    *(gboolean *)field(image, p) = v[0] != 0;
    break;
  default:
    *(double *)field(image, p) = v[0];
  }
  return TRUE;
}

static void put_values(HyModel *root, guint8 *image, const HyParam *p, const HyValue *v, guint n)
{
  HyValue *copy = own(root, v, n * sizeof *v);
  for (guint k = 0; k < n; k++) {
    if (copy[k].payload != NULL) {
      g_ptr_array_add(root->owner->variants, g_variant_ref_sink(copy[k].payload));
    }
  }
  *(HyValues *)field(image, p) = (HyValues){n, copy};
}

static gboolean is_choice(const char *choices, const char *text)
{
  g_auto(GStrv) words = g_strsplit(choices, " ", -1);
  return g_strv_contains((const char *const *)words, text);
}

/* "1, 2, 3" -> numbers; NULL: not that. */
static double *parse_reals(const char *text, guint *n)
{
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  *n = g_strv_length(parts);
  double *v = g_new(double, *n + 1);
  if (*n == 0) {
    g_clear_pointer(&v, g_free);
  }
  for (guint k = 0; k < *n; k++) {
    char *word = g_strstrip(parts[k]), *end;
    v[k] = g_ascii_strtod(word, &end);
    if (end == word || *end != '\0') {
      g_free(v);
      return NULL;
    }
  }
  return v;
}

static HyExpressions *expressions(HyModel *root)
{
  if (root->owner->expressions == NULL) {
    root->owner->expressions = hy_expressions_new();
  }
  return root->owner->expressions;
}

/* N_IN: the inputs that a formula may mean by in[*]. */
static gboolean put_formula(HyModel *root, guint8 *image, const HyParam *p, const char *text,
                            guint n_in, char **why)
{
  g_autoptr(GError) error = NULL;
  const HyExpression *e = hy_expressions_parse(expressions(root), text, n_in, &error);
  *(const HyExpression **)field(image, p) = e;
  *why = e != NULL ? NULL : g_strdup(error->message);
  return e != NULL;
}

static gboolean put_text(HyModel *root, guint8 *image, const HyParam *p, const char *text,
                         char **why)
{
  if (p->kind == HY_TEXT) {
    if (p->choices != NULL && !is_choice(p->choices, text)) {
      *why = g_strdup_printf("%s=\"%s\": choose one of %s", p->name, text, p->choices);
      return FALSE;
    }
    *(const char **)field(image, p) = hy_root_text(root->owner, text);
    return TRUE;
  }
  if (p->kind == HY_VALUES) {
    g_autoptr(GError) error = NULL;
    guint n;
    HyValue *v = hy_values_parse(text, &n, &error);
    if (error != NULL) {
      *why = g_strdup_printf("%s=\"%s\": %s", p->name, text, error->message);
      return FALSE;
    }
    put_values(root, image, p, v, n);
    hy_values_free(v, n);
    return TRUE;
  }
  if (p->kind == HY_BOOLEAN && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
    text = text[0] == 't' ? "1" : "0";
  }
  guint n;
  g_autofree double *v = parse_reals(text, &n);
  if (v == NULL) {
    *why = g_strdup_printf("%s=\"%s\" is not a number", p->name, text);
    return FALSE;
  }
  return put_reals(root, image, p, v, n, why);
}

static gboolean put_default(HyModel *root, guint8 *image, const HyParam *p, char **why)
{
  if (p->required) {
    return TRUE;
  }
  if (p->kind == HY_TEXT || p->kind == HY_REALS || p->kind == HY_VALUES || p->kind == HY_FORMULA) {
    return p->text == NULL || put_text(root, image, p, p->text, why);
  }
  if (!hy_param_check_number(p, p->value, why)) {
    return FALSE;
  }
  if (p->kind == HY_INTEGER) {
    *(gint64 *)field(image, p) = (gint64)p->value;
  } else if (p->kind == HY_BOOLEAN) {
    *(gboolean *)field(image, p) = p->value != 0;
  } else {
    *(double *)field(image, p) = p->value;
  }
  return TRUE;
}

const guint8 *hy_image_default(HyModel *root, const HyAtomicClass *klass, char **why)
{
  guint8 *image = g_hash_table_lookup(root->owner->defaults, klass);
  const char *fault = image == NULL ? hy_class_fault(klass) : NULL;
  if (fault != NULL) {
    *why = g_strdup(fault);
  }
  if (image != NULL || fault != NULL) {
    return image;
  }
  gsize size = hy_class_params_size(klass);
  image = g_malloc0(sizeof(HyImage) + size);
  ((HyImage *)image)->size = (guint32)size;
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    if (!put_default(root, image, p, why)) {
      g_free(image);
      return NULL;
    }
  }
  g_hash_table_insert(root->owner->defaults, hy_key(klass), image);
  return image;
}

/* Shared ones --------------------------------------------------------------------------------- */

static guint image_hash(gconstpointer data)
{
  const HyImage *image = data;
  const guint8 *byte = (const guint8 *)(image + 1);
  guint64 h = image->set, word;
  for (guint32 k = 0; k + sizeof word <= image->size; k += sizeof word) {
    memcpy(&word, byte + k, sizeof word);
    h = (h ^ word) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  return (guint)h;
}

static gboolean image_equal(gconstpointer a, gconstpointer b)
{
  const HyImage *x = a, *y = b;
  return x->set == y->set && x->size == y->size && memcmp(x + 1, y + 1, x->size) == 0;
}

guint8 *hy_image_share(HyModel *m, guint component)
{
  HyComponent *c = hy_component(m, component);
  HyImage *image = (HyImage *)(gpointer)c->u.image;
  HyRoot *owner = m->root->owner;
  if (image == NULL || image->shared) {
    return c->u.image;
  }
  if (owner->images == NULL) {
    owner->images = g_hash_table_new_full(image_hash, image_equal, g_free, NULL);
  }
  HyImage *known = g_hash_table_lookup(owner->images, image);
  if (known == NULL) {
    image->shared = TRUE;
    g_hash_table_add(owner->images, image);
  } else {
    g_free(image);
    c->u.image = (guint8 *)known;
  }
  return c->u.image;
}

const guint8 *hy_component_image(const HyModel *m, guint component, gsize *size)
{
  const HyComponent *c = hy_component(m, component);
  const guint8 *image = c->u.image;
  if (image == NULL) {
    image = g_hash_table_lookup(m->root->owner->defaults, c->klass);
  }
  *size = image != NULL ? ((const HyImage *)image)->size : 0;
  return image != NULL ? image + sizeof(HyImage) : NULL;
}

/* Turns WHY, if any, into an error at the component. */
static gboolean done(HyModel *m, guint component, gboolean ok, char **why, GError **error)
{
  if (!ok) {
    hy_model_error(m, component, error, "%s", *why);
  }
  g_free(*why);
  return ok;
}

/* The same for parameter P, which is set now, unless there was a WHY. */
static gboolean done_with(HyModel *m, guint component, const HyParam *p, gboolean ok, char **why,
                          GError **error)
{
  HyComponent *c = hy_component(m, component);
  if (ok) {
    ((HyImage *)c->u.image)->set |= G_GUINT64_CONSTANT(1) << (p - c->klass->params);
  }
  return done(m, component, ok, why, error);
}

/* The image of the component alone; NULL: its class has no legal defaults. */
static guint8 *own_image(HyModel *m, guint component, GError **error)
{
  HyComponent *c = hy_component(m, component);
  const guint8 *like = c->u.image;
  char *why = NULL;
  if (like != NULL && !((const HyImage *)(gconstpointer)like)->shared) {
    return c->u.image;
  }
  like = like != NULL ? like : hy_image_default(m->root, c->klass, &why);
  if (done(m, component, like != NULL, &why, error)) {
    const HyImage *head = (gconstpointer)like;
    c->u.image = g_memdup2(like, sizeof *head + head->size);
    ((HyImage *)(gpointer)c->u.image)->shared = FALSE;
  }
  return like != NULL ? c->u.image : NULL;
}

static gboolean is_component(const HyModel *m, guint component)
{
  return m != NULL && component < m->components.len;
}

/* The component's own image and the parameter PARAM of it, or an error. */
static const HyParam *find_param(HyModel *m, guint component, const char *param, guint8 **image,
                                 GError **error)
{
  if (!hy_model_may_change(m, error)) {
    return NULL;
  }
  HyComponent *c = hy_component(m, component);
  if (c->klass == NULL) {
    hy_model_error(m, component, error, "a coupled model has no parameter \"%s\"", param);
    return NULL;
  }
  const HyParam *p = hy_class_param(c->klass, param);
  if (p == NULL || p - c->klass->params >= HY_MAX_PARAMS) {
    g_autoptr(GString) known = g_string_new(NULL);
    for (p = c->klass->params; p != NULL && p->name != NULL; p++) {
      g_string_append_printf(known, "%s%s", known->len > 0 ? " " : "", p->name);
    }
    hy_model_error(m, component, error, "%s has no parameter \"%s\"; it has: %s", c->klass->name,
                   param, known->len > 0 ? known->str : "none");
    return NULL;
  }
  *image = own_image(m, component, error);
  return *image != NULL ? p : NULL;
}

gboolean hy_model_set(HyModel *model, guint component, const char *param, const char *text,
                      GError **error)
{
  g_return_val_if_fail(is_component(model, component) && param != NULL && text != NULL, FALSE);
  guint8 *image;
  const HyParam *p = find_param(model, component, param, &image, error);
  char *why = NULL;
  if (p == NULL) {
    return FALSE;
  }
  gboolean ok = p->kind == HY_FORMULA ? put_formula(model->root, image, p, text,
                                                    hy_component(model, component)->n_in, &why)
                                      : put_text(model->root, image, p, text, &why);
  return done_with(model, component, p, ok, &why, error);
}

const HyExpression *hy_model_formula(HyModel *model, const HyFormula *f, const HyFormulaRefs *refs,
                                     const gint *place, const char *written)
{
  return hy_expressions_take(expressions(model->root), f, refs, place, written);
}

gboolean hy_model_set_formula(HyModel *model, guint component, const char *param,
                              const HyExpression *formula, GError **error)
{
  g_return_val_if_fail(is_component(model, component) && param != NULL, FALSE);
  guint8 *image;
  const HyParam *p = find_param(model, component, param, &image, error);
  char *why = NULL;
  if (p != NULL) {
    g_return_val_if_fail(p->kind == HY_FORMULA, FALSE);
    *(const HyExpression **)field(image, p) = formula;
  }
  return p != NULL && done_with(model, component, p, TRUE, &why, error);
}

gboolean hy_model_set_reals(HyModel *model, guint component, const char *param, const double *v,
                            guint n, GError **error)
{
  g_return_val_if_fail(is_component(model, component) && param != NULL && (v != NULL || n == 0),
                       FALSE);
  guint8 *image;
  const HyParam *p = find_param(model, component, param, &image, error);
  char *why = NULL;
  return p != NULL &&
         done_with(model, component, p, put_reals(model->root, image, p, v, n, &why), &why, error);
}

gboolean hy_model_set_real(HyModel *model, guint component, const char *param, double v,
                           GError **error)
{
  g_return_val_if_fail(is_component(model, component) && param != NULL, FALSE);
  guint8 *image;
  const HyParam *p = find_param(model, component, param, &image, error);
  if (p != NULL && p->kind == HY_VALUES) {
    return hy_model_set_values(model, component, param, &(HyValue){.c = {v}}, 1, error);
  }
  char *why = NULL;
  return p != NULL &&
         done_with(model, component, p, put_reals(model->root, image, p, &v, 1, &why), &why, error);
}

gboolean hy_model_set_values(HyModel *model, guint component, const char *param, const HyValue *v,
                             guint n, GError **error)
{
  g_return_val_if_fail(is_component(model, component) && param != NULL && (v != NULL || n == 0),
                       FALSE);
  guint8 *image;
  const HyParam *p = find_param(model, component, param, &image, error);
  if (p == NULL) {
    return FALSE;
  }
  if (p->kind != HY_VALUES) {
    return hy_model_error(model, component, error, "%s takes no event values", p->name);
  }
  char *why = NULL;
  for (guint k = 0; k < n; k++) {
    if (v[k].payload == NULL && isnan(v[k].c[0])) {
      why = g_strdup_printf("%s has a value that is not a number", p->name);
    }
  }
  if (why == NULL) {
    put_values(model->root, image, p, v, n);
  }
  return done_with(model, component, p, why == NULL, &why, error);
}

gboolean hy_model_set_input(HyModel *model, guint component, guint port, double v, GError **error)
{
  g_return_val_if_fail(is_component(model, component), FALSE);
  const HyComponent *c = hy_component(model, component);
  if (!hy_model_may_change(model, error)) {
    return FALSE;
  }
  if (c->klass == NULL || port >= c->n_in) {
    return hy_model_error(model, component, error, "has no input %u for a constant", port);
  }
  if (isnan(v)) {
    return hy_model_error(model, component, error, "input %u: NaN is not a constant", port);
  }
  if (model->constants == NULL) {
    model->constants = g_array_new(FALSE, FALSE, sizeof(HyConstantInput));
  }
  HyConstantInput constant = {component, port, {.c = {v}}};
  g_array_append_val(model->constants, constant);
  return TRUE;
}
