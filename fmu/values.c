/* What is set and asked of an instance. */
#include "instance_internal.h"

#include "hydevs/text.h"

#include <string.h>

/* Before the initialization all is as the standard wants it: inputs are 0. */
void hy_fmu_forget_inputs(HyFmu *f)
{
  for (guint k = 0; k < f->n_inputs; k++) {
    HyFmuInput *in = &f->input[k];
    *in = (HyFmuInput){.events = in->events};
  }
}

/* FALSE, and why. */
static gboolean refuse(const HyFmuVariable *v, GError **error, const char *why)
{
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", v->path, why);
  return FALSE;
}

/* "R" of "R=10". */
static gboolean sets(const char *set, const char *name)
{
  gsize n = strlen(name);
  return strncmp(set, name, n) == 0 && set[n] == '=';
}

static void set_parameter(HyFmu *f, const HyFmuVariable *v, const char *text)
{
  for (guint k = 0; k < f->sets->len; k++) {
    if (sets(g_ptr_array_index(f->sets, k), v->path)) {
      g_ptr_array_remove_index(f->sets, k);
      break;
    }
  }
  g_ptr_array_add(f->sets, g_strdup_printf("%s=%s", v->path, text));
  f->sets_changed = f->stale = TRUE;
}

static gboolean set_numbers(HyFmu *f, const HyFmuVariable *v, const double *x, GError **error)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint k = 0; k < v->n; k++) {
    char number[HY_DOUBLE_SIZE];
    if (isnan(x[k])) {
      return refuse(v, error, "nan is no value of a parameter");
    }
    g_string_append_printf(text, "%s%s", k > 0 ? ", " : "", hy_double_text(number, x[k]));
  }
  set_parameter(f, v, text->str);
  return TRUE;
}

static gboolean set_input(HyFmu *f, const HyFmuVariable *v, double x, GError **error)
{
  HyFmuInput *in = &f->input[v->index];
  if (!isfinite(x)) {
    return refuse(v, error,
                  isnan(x) ? "nan is no value of an input; it stays what it was"
                           : "an input that is not finite; it stays what it was");
  }
  if (v->kind == HY_FMU_FED) {
    if (x != floor(x) || x < (double)in->told) {
      return refuse(v, error, "how many events there have been does not become less");
    }
    in->count = (gint64)x;
  } else {
    in->value = x;
  }
  in->set = f->stale = TRUE;
  return TRUE;
}

gboolean hy_fmu_set(HyFmu *f, guint reference, const double *x, GError **error)
{
  const HyFmuVariable *v = hy_fmu_variable(f, reference);
  if (v->kind == HY_FMU_INPUT || v->kind == HY_FMU_FED) {
    return set_input(f, v, x[0], error);
  }
  if (v->kind != HY_FMU_PARAMETER) {
    return refuse(v, error, "this is no parameter and no input");
  }
  return f->phase == HY_FMU_RUNNING ? refuse(v, error, "a parameter is fixed once time passes")
                                    : set_numbers(f, v, x, error);
}

gboolean hy_fmu_set_text(HyFmu *f, guint reference, const char *text, GError **error)
{
  const HyFmuVariable *v = hy_fmu_variable(f, reference);
  if (v->kind != HY_FMU_TEXT || f->phase == HY_FMU_RUNNING) {
    return refuse(v, error,
                  v->kind == HY_FMU_TEXT ? "a parameter is fixed once time passes"
                                         : "this is no parameter that is a text");
  }
  set_parameter(f, v, text);
  return TRUE;
}

/* Asking -------------------------------------------------------------------------------------- */

/* What was set and is not in force yet; NULL: nothing. */
static const char *set_text(const HyFmu *f, const HyFmuVariable *v)
{
  for (guint k = 0; k < f->sets->len; k++) {
    const char *set = g_ptr_array_index(f->sets, k);
    if (sets(set, v->path)) {
      return set + strlen(v->path) + 1;
    }
  }
  return NULL;
}

static void get_parameter(const HyFmu *f, const HyFmuVariable *v, double *x)
{
  const char *set = set_text(f, v);
  const HyParameter *p = hy_loaded_parameter(f->loaded, v->index);
  for (guint k = 0; k < v->n; k++) {
    x[k] = k < p->n && p->numbers != NULL ? p->numbers[k] : NAN;
    if (set != NULL) { /* as it was set: numbers with ", " between them */
      char *end;
      x[k] = g_ascii_strtod(set, &end);
      set = *end == ',' ? end + 1 : end;
    }
  }
}

static double get_output(const HyFmu *f, const HyFmuVariable *v)
{
  const HyFmuOutput *out = &f->output[v->index];
  if (f->phase == HY_FMU_OPEN) {
    return v->kind == HY_FMU_SAID ? 0 : NAN;
  }
  if (v->kind == HY_FMU_SAID) {
    return (double)out->told;
  }
  return out->discrete && !out->moves ? out->shown : hy_recorder_now(f->table, v->index, f->t);
}

gboolean hy_fmu_get(HyFmu *f, guint reference, double *x, GError **error)
{
  const HyFmuVariable *v = hy_fmu_variable(f, reference);
  if (!hy_fmu_settle(f, error)) {
    return FALSE;
  }
  switch (v->kind) {
  case HY_FMU_TIME:
    *x = f->t;
    break;
  case HY_FMU_PARAMETER:
    get_parameter(f, v, x);
    break;
  case HY_FMU_INPUT:
    *x = f->input[v->index].value;
    break;
  case HY_FMU_FED:
    *x = (double)f->input[v->index].count;
    break;
  case HY_FMU_OUTPUT:
  case HY_FMU_SAID:
    *x = get_output(f, v);
    break;
  default:
    return refuse(v, error, "this is a text");
  }
  return TRUE;
}

const char *hy_fmu_get_text(HyFmu *f, guint reference, GError **error)
{
  const HyFmuVariable *v = hy_fmu_variable(f, reference);
  if (v->kind != HY_FMU_TEXT) {
    refuse(v, error, "this is no text");
    return NULL;
  }
  const char *set = set_text(f, v);
  return set != NULL ? set : hy_loaded_parameter(f->loaded, v->index)->text;
}
