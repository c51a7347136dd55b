/* Table with straight lines between its points, the first and last of which go on outside. The
 * segment is a mode for each inner point; its value and slope are numbers that follow the modes. */
#include "atomics.h"
#include "hydevs/error.h"
#include "static_class.h"

#include <math.h>

typedef struct {
  HyStatic base;
  HyReals x, y;
} Lookup;

/* Of segment K. */
static double slope(const Lookup *s, guint k)
{
  return (s->y.v[k + 1] - s->y.v[k]) / (s->x.v[k + 1] - s->x.v[k]);
}

static gboolean is_table(const Lookup *s, GError **error)
{
  if (s->x.n != s->y.n || s->x.n < 2) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "x has %u values and y has %u; a table needs as many of both, two at least", s->x.n,
                s->y.n);
    return FALSE;
  }
  for (guint k = 1; k < s->x.n; k++) {
    if (!(s->x.v[k] > s->x.v[k - 1])) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "x[%u] = %g is not above x[%u] = %g", k + 1,
                  s->x.v[k], k, s->x.v[k - 1]);
      return FALSE;
    }
    double dx = s->x.v[k] - s->x.v[k - 1];
    if (!isfinite(dx) || !isfinite(slope(s, k - 1))) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                  "there is no line from (%g, %g) to (%g, %g): its slope must be finite",
                  s->x.v[k - 1], s->y.v[k - 1], s->x.v[k], s->y.v[k]);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean lookup_describe(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                                HyX *out, GError **error)
{
  (void)n_in;
  const Lookup *s = state;
  if (!is_table(s, error)) {
    return FALSE;
  }
  HyX x0 = 0, y0 = 0, rise = 0;
  for (guint k = 0; k + 1 < s->x.n; k++) {
    HyX x = hy_x_const(b, s->x.v[k]), y = hy_x_const(b, s->y.v[k]);
    HyX dy = hy_x_const(b, slope(s, k));
    HyX mode = k == 0 ? hy_x_const(b, 1.0)
                      : hy_x_crossing(b, hy_x_op(b, HY_X_SUB, in[0], x), HY_CROSS_BOTH);
    x0 = hy_x_select(b, mode, x, x0);
    y0 = hy_x_select(b, mode, y, y0);
    rise = hy_x_select(b, mode, dy, rise);
  }
  HyX from = hy_x_op(b, HY_X_SUB, in[0], x0);
  out[0] = hy_x_op(b, HY_X_ADD, y0, hy_x_op(b, HY_X_MUL, rise, from));
  return TRUE;
}

static const HyPort lookup_in[] = {{.name = "in", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyPort lookup_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam lookup_params[] = {
    HY_PARAM(Lookup, x, .text = "0, 1", .doc = "increasing"),
    HY_PARAM(Lookup, y, .text = "0, 1", .doc = "as many as x"),
    {.name = NULL},
};
const HyAtomicClass hy_lookup_class = {
    .name = "lookup",
    .doc = "a piecewise linear table y(x)",
    .palette = "Functions",
    .example = "<lookup name=\"eta\" in=\"i\" x=\"0, 1, 2\" y=\"0, 0.8, 0.9\"/>",
    .in = lookup_in,
    .out = lookup_out,
    .params = lookup_params,
    .describe = lookup_describe,
    HY_STATIC_CLASS(Lookup),
};
