/* Comparator: one of two numbers. */
#include "atomics.h"
#include "static_class.h"

typedef struct {
  HyStatic base;
  double level, low, high;
} Comparator;

static gboolean comparator_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                    HyX *out, GError **error)
{
  (void)n_in, (void)error;
  const Comparator *s = state;
  HyX z = hy_x_op(b, HY_X_SUB, in[0], hy_x_const(b, s->level));
  HyX low = hy_x_const(b, s->low), high = hy_x_const(b, s->high);
  out[0] = hy_x_select(b, hy_x_crossing(b, z, HY_CROSS_BOTH), high, low);
  return TRUE;
}

static const HyPort comparator_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyPort comparator_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam comparator_params[] = {HY_PARAM(Comparator, level, .value = 0),
                                            HY_PARAM(Comparator, low, .value = 0),
                                            HY_PARAM(Comparator, high, .value = 1),
                                            {.name = NULL}};
const HyAtomicClass hy_comparator_class = {
    .name = "comparator",
    .doc = "high while in is above level, else low",
    .palette = "Hybrid",
    .example = "<comparator name=\"on\" in=\"u\" level=\"0.5\"/>",
    .in = comparator_in,
    .out = comparator_out,
    .params = comparator_params,
    .describe = comparator_describe,
    HY_STATIC_CLASS(Comparator),
};
