/* Values of variables, set and asked. */
#include "unit.h"

/* What a variable is in the description: Float64, Int64 or String. */
typedef enum { TYPE_FLOAT, TYPE_INTEGER, TYPE_TEXT } Type;

static Type type_of(const HyFmuVariable *v)
{
  return v->kind == HY_FMU_TEXT                            ? TYPE_TEXT
         : v->kind == HY_FMU_FED || v->kind == HY_FMU_SAID ? TYPE_INTEGER
                                                           : TYPE_FLOAT;
}

static gboolean fail(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static gboolean fail(GError **error, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  g_set_error_literal(error, HY_ERROR, HY_ERROR_USAGE, text);
  return FALSE;
}

/* All are there, of this type, and have N values together. */
static gboolean are_of(const Unit *u, Type type, const fmi3ValueReference references[],
                       size_t nReferences, size_t n, GError **error)
{
  static const char *const names[] = {"Float64", "Int64", "String"};
  size_t values = 0;
  for (size_t k = 0; k < nReferences; k++) {
    const HyFmuVariable *v = hy_fmu_variable(u->model, references[k]);
    if (v == NULL) {
      return fail(error, "there is no variable %u; they are 0 to %u", references[k],
                  hy_fmu_n(u->model) - 1);
    }
    if (type_of(v) != type) {
      return fail(error, "%s is of type %s", v->name, names[type_of(v)]);
    }
    values += v->n;
  }
  return values == n || fail(error, "the variables have %zu values, not %zu", values, n);
}

/* When the standard lets V be asked, and be set. */
static guint asked_in(const HyFmuVariable *v)
{
  guint any = UNIT_INITIALIZATION | UNIT_RUNS | UNIT_TERMINATED | UNIT_FAILED;
  return v->kind == HY_FMU_OUTPUT || v->kind == HY_FMU_SAID ? any : any | UNIT_INSTANTIATED;
}

static guint set_in(const Unit *u, const HyFmuVariable *v)
{
  guint before = UNIT_INSTANTIATED | UNIT_INITIALIZATION;
  if (v->kind != HY_FMU_INPUT && v->kind != HY_FMU_FED) {
    return before;
  }
  return v->discrete && u->events ? before | UNIT_EVENT : before | UNIT_RUNS;
}

static gboolean may(const Unit *u, guint states, const HyFmuVariable *v, const char *what,
                    GError **error)
{
  return (u->state & states) ||
         fail(error, "%s, %s, is not to be %s now", v->name,
              v->kind == HY_FMU_OUTPUT || v->kind == HY_FMU_SAID ? "an output"
              : v->discrete                                      ? "a discrete input"
                                                                 : "a parameter or input",
              what);
}

/* A call that was wrong changes nothing, so the instance goes on. */
static fmi3Status refused(const Unit *u, fmi3Status status, const char *call, const GError *error)
{
  g_autofree char *text = g_strdup_printf("%s: %s", call, error->message);
  unit_log(u, status, status == fmi3Discard ? "logStatusDiscard" : "logStatusError", text);
  return status;
}

/* VALUES are doubles, or 64-bit integers. */
static fmi3Status get_numbers(Unit *u, Type type, const char *call,
                              const fmi3ValueReference references[], size_t nReferences,
                              void *values, size_t nValues)
{
  g_autoptr(GError) error = NULL;
  if (!unit_may(u, G_MAXUINT, call)) {
    return fmi3Error;
  }
  if (!are_of(u, type, references, nReferences, nValues, &error)) {
    return refused(u, fmi3Error, call, error);
  }
  double *x = values;
  int64_t *n = values;
  for (size_t k = 0; k < nReferences; k++) {
    const HyFmuVariable *v = hy_fmu_variable(u->model, references[k]);
    if (!may(u, asked_in(v), v, "asked", &error)) {
      return refused(u, fmi3Error, call, error);
    }
    double count;
    if (!hy_fmu_get(u->model, references[k], type == TYPE_FLOAT ? x : &count, &error)) {
      return unit_end(u, FALSE, call, g_steal_pointer(&error));
    }
    if (type == TYPE_FLOAT) {
      x += v->n;
    } else {
      *n++ = (int64_t)count;
    }
  }
  return unit_end(u, TRUE, call, NULL);
}

static fmi3Status set_numbers(Unit *u, Type type, const char *call,
                              const fmi3ValueReference references[], size_t nReferences,
                              const void *values, size_t nValues)
{
  g_autoptr(GError) error = NULL;
  if (!unit_may(u, G_MAXUINT ^ UNIT_FAILED, call)) {
    return fmi3Error;
  }
  if (!are_of(u, type, references, nReferences, nValues, &error)) {
    return refused(u, fmi3Error, call, error);
  }
  const double *x = values;
  const int64_t *n = values;
  for (size_t k = 0; k < nReferences; k++) {
    const HyFmuVariable *v = hy_fmu_variable(u->model, references[k]);
    double count = type == TYPE_INTEGER ? (double)*n++ : 0;
    if (!may(u, set_in(u, v), v, "set", &error)) {
      return refused(u, fmi3Error, call, error);
    }
    if (!hy_fmu_set(u->model, references[k], type == TYPE_FLOAT ? x : &count, &error)) {
      return refused(u, fmi3Discard, call, error);
    }
    x += type == TYPE_FLOAT ? v->n : 0;
  }
  return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, FMI3_REFERENCES, fmi3Float64 values[],
                          size_t nValues)
{
  return get_numbers(instance, TYPE_FLOAT, __func__, references, nReferences, values, nValues);
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, FMI3_REFERENCES, const fmi3Float64 values[],
                          size_t nValues)
{
  return set_numbers(instance, TYPE_FLOAT, __func__, references, nReferences, values, nValues);
}

fmi3Status fmi3GetInt64(fmi3Instance instance, FMI3_REFERENCES, fmi3Int64 values[], size_t nValues)
{
  return get_numbers(instance, TYPE_INTEGER, __func__, references, nReferences, values, nValues);
}

fmi3Status fmi3SetInt64(fmi3Instance instance, FMI3_REFERENCES, const fmi3Int64 values[],
                        size_t nValues)
{
  return set_numbers(instance, TYPE_INTEGER, __func__, references, nReferences, values, nValues);
}

fmi3Status fmi3GetString(fmi3Instance instance, FMI3_REFERENCES, fmi3String values[],
                         size_t nValues)
{
  Unit *u = instance;
  g_autoptr(GError) error = NULL;
  if (!unit_may(u, G_MAXUINT, __func__)) {
    return fmi3Error;
  }
  if (!are_of(u, TYPE_TEXT, references, nReferences, nValues, &error)) {
    return refused(u, fmi3Error, __func__, error);
  }
  for (size_t k = 0; k < nReferences; k++) {
    values[k] = hy_fmu_get_text(u->model, references[k], NULL);
  }
  return fmi3OK;
}

fmi3Status fmi3SetString(fmi3Instance instance, FMI3_REFERENCES, const fmi3String values[],
                         size_t nValues)
{
  Unit *u = instance;
  g_autoptr(GError) error = NULL;
  if (!unit_may(u, G_MAXUINT ^ UNIT_FAILED, __func__)) {
    return fmi3Error;
  }
  if (!are_of(u, TYPE_TEXT, references, nReferences, nValues, &error)) {
    return refused(u, fmi3Error, __func__, error);
  }
  for (size_t k = 0; k < nReferences; k++) {
    const HyFmuVariable *v = hy_fmu_variable(u->model, references[k]);
    if (values[k] == NULL || !may(u, set_in(u, v), v, "set", &error)) {
      return error != NULL ? refused(u, fmi3Error, __func__, error) : fmi3Error;
    }
    if (!hy_fmu_set_text(u->model, references[k], values[k], &error)) {
      return refused(u, fmi3Discard, __func__, error);
    }
  }
  return fmi3OK;
}
