/* States of an instance, and bytes of them. */
#include "unit.h"

#include <string.h>

typedef struct {
  HyFmuState *of;
  UnitState state;
  double stop;
  GBytes *bytes; /* NULL: nobody has asked for them */
} Saved;

/* A model whose state cannot be saved goes on all the same. */
static fmi3Status states_refuse(const Unit *u, const char *call, const GError *error)
{
  g_autofree char *text = g_strdup_printf("%s: %s", call, error->message);
  unit_log(u, fmi3Error, "logStatusError", text);
  return fmi3Error;
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState *state)
{
  Unit *u = instance;
  g_autoptr(GError) error = NULL;
  if (!unit_may(u, UNIT_INSTANTIATED | UNIT_INITIALIZATION | UNIT_RUNS | UNIT_TERMINATED,
                __func__)) {
    return fmi3Error;
  }
  HyFmuState *of = hy_fmu_save(u->model, &error);
  if (of == NULL) {
    return states_refuse(u, __func__, error);
  }
  fmi3FreeFMUState(instance, state); /* one that is handed in is written over */
  Saved *s = g_new0(Saved, 1);
  *s = (Saved){.of = of, .state = u->state, .stop = u->stop};
  *state = s;
  return fmi3OK;
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state)
{
  Unit *u = instance;
  const Saved *s = state;
  GError *error = NULL;
  if (u == NULL || s == NULL) {
    return fmi3Error;
  }
  u->warned = FALSE;
  gboolean ok = hy_fmu_load(u->model, s->of, &error);
  if (ok) {
    u->state = s->state;
    u->stop = s->stop;
  }
  return unit_end(u, ok, __func__, error);
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState *state)
{
  (void)instance;
  Saved *s = *state;
  if (s != NULL) {
    hy_fmu_state_free(s->of);
    g_clear_pointer(&s->bytes, g_bytes_unref);
    g_free(s);
  }
  *state = NULL;
  return fmi3OK;
}

/* Bytes --------------------------------------------------------------------------------------- */

#define STATES_MORE "(ud)" /* the state of the standard's machine, and stop */

/* Made once for each state. FALSE: told. */
static gboolean states_bytes(Unit *u, Saved *s, const char *call)
{
  g_autoptr(GError) error = NULL;
  if (u == NULL || s == NULL) {
    return FALSE;
  }
  if (s->bytes == NULL) {
    GVariant *more = g_variant_new(STATES_MORE, (guint32)s->state, s->stop);
    s->bytes = hy_fmu_state_write(u->model, s->of, more, &error);
  }
  if (s->bytes == NULL) {
    states_refuse(u, call, error);
  }
  return s->bytes != NULL;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t *size)
{
  Saved *s = state;
  if (!states_bytes(instance, s, __func__)) {
    return fmi3Error;
  }
  *size = g_bytes_get_size(s->bytes);
  return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size)
{
  Saved *s = state;
  if (!states_bytes(instance, s, __func__)) {
    return fmi3Error;
  }
  gsize n;
  const guint8 *own = g_bytes_get_data(s->bytes, &n);
  if (size < n) {
    g_autoptr(GError) error = g_error_new(
        HY_ERROR, HY_ERROR_USAGE, "the state has %zu bytes, and there is room for %zu", n, size);
    return states_refuse(instance, __func__, error);
  }
  memcpy(bytes, own, n);
  return fmi3OK;
}

static gboolean states_is_state(guint32 state)
{
  return state == UNIT_INSTANTIATED || state == UNIT_INITIALIZATION || state == UNIT_EVENT ||
         state == UNIT_STEP || state == UNIT_TERMINATED;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState *state)
{
  Unit *u = instance;
  g_autoptr(GError) error = NULL;
  g_autoptr(GVariant) more = NULL;
  if (u == NULL) {
    return fmi3Error;
  }
  HyFmuState *of = hy_fmu_state_read(u->model, bytes, size, &more, &error);
  if (of == NULL) {
    return states_refuse(u, __func__, error);
  }
  guint32 at = 0;
  double stop = NAN;
  if (g_variant_is_of_type(more, G_VARIANT_TYPE(STATES_MORE))) {
    g_variant_get(more, STATES_MORE, &at, &stop);
  }
  if (!states_is_state(at)) {
    hy_fmu_state_free(of);
    g_set_error(&error, HY_ERROR, HY_ERROR_USAGE, "this is a state of another program");
    return states_refuse(u, __func__, error);
  }
  fmi3FreeFMUState(instance, state); /* one that is handed in is written over */
  Saved *s = g_new0(Saved, 1);
  *s = (Saved){.of = of, .state = (UnitState)at, .stop = stop};
  *state = s;
  return fmi3OK;
}
