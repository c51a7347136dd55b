/* The table of engines. */
#include "engines.h"
#include "atomics/borrowed.h"
#include "coupled/model_internal.h"
#include "devs-core/tree.h"

static const struct {
  const char *name;
  const HyEngineOps *ops;
} engines[] = {
    [HY_TREE] = {"tree", &hy_engine_tree},
    [HY_FLAT] = {"flat", &hy_engine_flat},
    [HY_FUSED] = {"fused", &hy_engine_fused},
};

HyEngine hy_sim_best_engine(const HyModel *model)
{
  g_return_val_if_fail(model != NULL, HY_FLAT);
  for (const HyModel *m = model; m != NULL; m = hy_model_walk(model, m)) {
    for (guint k = 0; k < m->components.len; k++) {
      const HyAtomicClass *klass = hy_component(m, k)->klass;
      if (klass != NULL && klass->describe != NULL) {
        return HY_FUSED;
      }
    }
  }
  return HY_FLAT;
}

const char *hy_engine_name(HyEngine engine)
{
  return (guint)engine < G_N_ELEMENTS(engines) ? engines[engine].name : NULL;
}

/* Functions of built-in blocks on states that are not theirs. */
static gboolean check_borrowed(HyModel *model, GError **error)
{
  const HyAtomicClass *last = NULL;
  for (HyModel *m = model; m != NULL; m = hy_model_walk(model, m)) {
    for (guint k = 0; k < m->components.len; k++) {
      const HyAtomicClass *klass = hy_component(m, k)->klass;
      const char *fault = klass != NULL && klass != last ? hy_class_borrowed(klass) : NULL;
      if (fault != NULL) {
        return hy_model_error(m, k, error, "class \"%s\": %s",
                              klass->name != NULL ? klass->name : "", fault);
      }
      last = klass;
    }
  }
  return TRUE;
}

HySim *hy_sim_new(HyModel *model, HyEngine engine, GError **error)
{
  g_return_val_if_fail(model != NULL && hy_model_parent(model) == NULL, NULL);
  if ((guint)engine >= G_N_ELEMENTS(engines)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "there is no engine %d; there are HY_TREE, HY_FLAT and HY_FUSED", (int)engine);
    return NULL;
  }
  return check_borrowed(model, error) ? hy_sim_new_on(model, engines[engine].ops, error) : NULL;
}
