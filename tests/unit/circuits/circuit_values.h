/* For tests of the room circuits: a circuit, what its signals are now, and the values of answers.
 */
#ifndef HY_TESTS_CIRCUIT_VALUES_H
#define HY_TESTS_CIRCUIT_VALUES_H

#include "circuits/circuit.h"
#include "hydevs/error.h"

#include <stdarg.h>
#include <string.h>
#include <unity.h>

typedef struct {
  HyFormulaPool *pool;
  HyCircuit *circuit;
  HyCircuitFault fault;
  GHashTable *value; /* name of the pool -> double */
  guint n_defined;
} Try;

static inline Try try_begin(void)
{
  Try t = {.pool = hy_formula_pool_new(), .value = g_hash_table_new_full(NULL, NULL, NULL, g_free)};
  t.circuit = hy_circuit_new(t.pool);
  return t;
}

static inline void try_end(Try *t)
{
  hy_circuit_fault_clear(&t->fault);
  hy_circuit_free(t->circuit);
  g_hash_table_unref(t->value);
  hy_formula_pool_free(t->pool);
}

static inline const char *try_set(Try *t, const char *name, double v)
{
  const char *known = hy_formula_pool_name(t->pool, name);
  g_hash_table_insert(t->value, (gpointer)known, g_memdup2(&v, sizeof v));
  return known;
}

static inline HyNameKind try_name(gpointer user, const HyFormula *ref, const gint64 *at,
                                  HyNameValue *out, GError **error)
{
  (void)at;
  const Try *t = user;
  const double *v = g_hash_table_lookup(t->value, ref->ref.name);
  if (v == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "no %s", ref->ref.name);
    return HY_NAME_ERROR;
  }
  out->number = *v;
  return HY_NAME_NUMBER;
}

static inline double try_formula(Try *t, const HyFormula *f)
{
  HyFormulaScope scope = {.user = t, .value = try_name};
  double v = 0;
  g_autoptr(GError) error = NULL;
  g_autofree char *text = hy_formula_text(f);
  TEST_ASSERT_TRUE_MESSAGE(hy_formula_constant(t->pool, f, &scope, &v, &error),
                           error != NULL ? error->message : text);
  return v;
}

/* The value of an answer, after those of all definitions that it needs. */
static inline double try_value(Try *t, const HyFormula *f)
{
  HyDefinition d;
  hy_circuit_need(t->circuit, f);
  while (hy_circuit_next(t->circuit, &d)) {
    try_set(t, d.name, try_formula(t, d.formula));
    t->n_defined++;
  }
  return try_formula(t, f);
}

/* A branch between nodes A and B; NAME, and of states "NAME.i" or "NAME.v", which is NOW. */
static inline guint try_add(Try *t, HyBranchKind kind, const char *name, guint a, guint b,
                            double value, double now)
{
  g_autofree char *state = g_strconcat(name, kind == HY_BRANCH_COIL ? ".i" : ".v", NULL);
  gboolean is_state = kind == HY_BRANCH_COIL || kind == HY_BRANCH_CAPACITOR;
  HyBranch branch = {.kind = kind, .name = name, .a = a, .b = b, .value = value};
  branch.has_slope = kind == HY_BRANCH_VOLTAGE || kind == HY_BRANCH_CURRENT;
  branch.signal = is_state ? try_set(t, state, now) : NULL;
  return hy_circuit_add(t->circuit, &branch);
}

static inline void try_solve(Try *t)
{
  gboolean ok = hy_circuit_solve(t->circuit, &t->fault);
  TEST_ASSERT_TRUE_MESSAGE(ok, t->fault.text != NULL ? t->fault.text : "no reason");
}

#define TRY_NEAR(wanted, t, f)                                                                     \
  TEST_ASSERT_DOUBLE_WITHIN(1e-9 * (1e-3 + ((wanted) < 0 ? -(wanted) : (wanted))), wanted,         \
                            try_value(t, f))

#endif
