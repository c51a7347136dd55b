/* A formula whose names mean what somebody says: for conditions that people type. */
#include "formula.h"
#include "hydevs/error.h"
#include "hydevs/expression.h"

typedef struct {
  HyNamed named;
  gpointer user;
} Names;

static HyNameKind value_of(gpointer user, const HyFormula *ref, const gint64 *at,
                           HyNameValue *value, GError **error)
{
  const Names *names = user;
  if (ref->n_index + ref->n_port_index > 0 || ref->own) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s is no name here", ref->ref.name);
    return HY_NAME_ERROR;
  }
  (void)at;
  return names->named(names->user, ref->ref.name, ref->ref.port, &value->number, error)
             ? HY_NAME_NUMBER
             : HY_NAME_ERROR;
}

gboolean hy_formula_value(const char *text, HyNamed named, gpointer user, double *value,
                          GError **error)
{
  g_return_val_if_fail(text != NULL && named != NULL && value != NULL, FALSE);
  g_autoptr(HyFormulaPool) pool = hy_formula_pool_new();
  Names names = {named, user};
  const HyFormulaScope scope = {.user = &names, .value = value_of};
  const HyFormula *formula = hy_formula_parse(pool, HY_TEXT_EXPRESSION, text, error);
  return formula != NULL && hy_formula_constant(pool, formula, &scope, value, error);
}
