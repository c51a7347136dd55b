/* A function of a class takes the state of its class for granted: what a class has from a built-in
 * one must find all parameters of that one where they stand there. */
#include "borrowed.h"

#include "atomics.h"
#include "coupled/model_internal.h"
#include "hydevs/expression.h"

#include <string.h>

#define FUNCTION(name)                                                                             \
  {                                                                                                \
    G_STRUCT_OFFSET(HyAtomicClass, name),                                                          \
        "its " #name " is that of a built-in block, which has another state"                       \
  }
static const struct {
  gsize offset;
  const char *fault;
} functions[] = {FUNCTION(init),     FUNCTION(ta),    FUNCTION(next),  FUNCTION(lambda),
                 FUNCTION(dint),     FUNCTION(dext),  FUNCTION(clear), FUNCTION(tape),
                 FUNCTION(print),    FUNCTION(value), FUNCTION(held),  FUNCTION(report),
                 FUNCTION(describe), FUNCTION(order), FUNCTION(sine),  FUNCTION(fault),
                 FUNCTION(silent)};

typedef void (*Function)(void);

static Function function_of(const HyAtomicClass *klass, guint k)
{
  Function f;
  memcpy(&f, (const guint8 *)klass + functions[k].offset, sizeof f);
  return f;
}

static gboolean is_public(Function f)
{
  const Function all[] = {
      (Function)hy_static_init, (Function)hy_static_next,  (Function)hy_static_lambda,
      (Function)hy_static_dint, (Function)hy_static_dext,  (Function)hy_static_clear,
      (Function)hy_static_tape, (Function)hy_static_print, (Function)hy_static_fault};
  guint k = 0;
  while (k < G_N_ELEMENTS(all) && all[k] != f) {
    k++;
  }
  return k < G_N_ELEMENTS(all);
}

static gboolean has_state_of(const HyAtomicClass *klass, const HyAtomicClass *of)
{
  for (const HyParam *p = of->params; p != NULL && p->name != NULL; p++) {
    const HyParam *own = hy_class_param(klass, p->name);
    if (own == NULL || own->kind != p->kind || own->offset != p->offset) {
      return FALSE;
    }
  }
  return klass->state_size >= of->state_size;
}

const char *hy_class_borrowed(const HyAtomicClass *klass)
{
  for (guint k = 0; k < G_N_ELEMENTS(functions); k++) {
    Function f = function_of(klass, k);
    gboolean foreign = FALSE, fits = FALSE;
    for (const HyAtomicClass *const *of = hy_classes(); f != NULL && *of != NULL && !fits; of++) {
      if (function_of(*of, k) == f && !is_public(f)) {
        foreign = TRUE;
        fits = has_state_of(klass, *of);
      }
    }
    if (foreign && !fits) {
      return functions[k].fault;
    }
  }
  return NULL;
}
