/* Hysteresis: a comparator that remembers which level was passed last. Between the levels it starts
 * low. */
#include "atomics.h"
#include "expr/builder.h"
#include "hydevs/error.h"
#include "hydevs/text.h"
#include "switches/limits.h"

typedef struct {
  HyStatic base;
  double lower, upper, low, high;
} Hysteresis;

/* Two levels that are one are not remembered apart: where the state that decides is driven back
 * from both sides, it would toggle for ever at one instant. */
static gboolean hysteresis_has_band(const Hysteresis *s, GError **error)
{
  if (!hy_limits_in_order(s->lower, s->upper, error)) {
    return FALSE;
  }
  if (s->lower == s->upper) {
    char level[HY_DOUBLE_SIZE];
    hy_double_text(level, s->lower);
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "lower = upper = %s leaves no band; give an upper above the lower, or take a "
                "comparator with level=\"%s\"",
                level, level);
    return FALSE;
  }
  return TRUE;
}

static gboolean hysteresis_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                    HyX *out, GError **error)
{
  (void)n_in;
  const Hysteresis *s = state;
  if (!hysteresis_has_band(s, error)) {
    return FALSE;
  }
  HyX rises = hy_x_op(b, HY_X_SUB, in[0], hy_x_const(b, s->upper));
  HyX falls = hy_x_op(b, HY_X_SUB, in[0], hy_x_const(b, s->lower));
  HyX low = hy_x_const(b, s->low), high = hy_x_const(b, s->high);
  out[0] = hy_x_select(b, hy_x_latch(b, rises, falls), high, low);
  return TRUE;
}

static const HyPort hysteresis_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyPort hysteresis_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam hysteresis_params[] = {HY_PARAM(Hysteresis, lower, .value = -0.5),
                                            HY_PARAM(Hysteresis, upper, .value = 0.5),
                                            HY_PARAM(Hysteresis, low, .value = 0),
                                            HY_PARAM(Hysteresis, high, .value = 1),
                                            {.name = NULL}};
const HyAtomicClass hy_hysteresis_class = {
    .name = "hysteresis",
    .doc = "high once in gets above upper, until it gets below lower",
    .palette = "Hybrid",
    .example =
        "<hysteresis name=\"heat\" in=\"T\" lower=\"19\" upper=\"21\" low=\"1\" high=\"0\"/>",
    .in = hysteresis_in,
    .out = hysteresis_out,
    .params = hysteresis_params,
    .describe = hysteresis_describe,
    HY_STATIC_CLASS(Hysteresis),
};
