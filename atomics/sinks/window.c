/* Window: what in was in each window from t0 + (k - 1) width to t0 + k width, sent at its end.
 * Exact: the pieces of in are polynomials. */
#include "atomics.h"
#include "hydevs/trace.h"
#include "input.h"
#include "numerics/poly.h"
#include "sources/wave.h"

#include <string.h>

typedef enum { INTEGRAL, MEAN, RMS, MINIMUM, MAXIMUM } What;

typedef struct {
  double width;
  const char *name;
  What what;
  HySignal in;
  HyFault fault;
  double t0, k;     /* the window under way is number k, from 1 */
  double sum, from; /* of in, or of its square, since the window began; up to FROM */
  double least, most;
  gboolean whole; /* in has been known since the window began */
} Window;

static void begin(Window *s, double t)
{
  s->sum = 0;
  s->from = t;
  s->least = INFINITY;
  s->most = -INFINITY;
  s->whole = s->in.known;
}

static gboolean window_init(void *state, double t, const HySetup *setup, GError **error)
{
  static const char *const names[] = {"integral", "mean", "rms", "minimum", "maximum"};
  Window *s = state;
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    if (strcmp(names[k], s->name) == 0) {
      s->what = (What)k;
    }
  }
  s->t0 = t;
  s->k = 1;
  gboolean ok =
      hy_wave_finite("width", s->width, error) && hy_signal_init(&s->in, t, setup, 0, error);
  begin(s, t);
  return ok;
}

static double window_next(const void *state)
{
  const Window *s = state;
  return hy_fault_next(&s->fault, s->t0 + s->k * s->width);
}

static double integral(const double *c, double h)
{
  return h * (c[0] + h * (c[1] / 2 + h * (c[2] / 3 + h * c[3] / 4)));
}

static double integral_of_square(const double *c, double h)
{
  double sum = 0, power = h;
  for (guint k = 0; k <= 6; k++, power *= h) {
    double coefficient = 0;
    for (guint i = k < 4 ? 0 : k - 3; i <= k && i < 4; i++) {
      coefficient += c[i] * c[k - i];
    }
    sum += coefficient * power / (k + 1);
  }
  return sum;
}

static void see(Window *s, double v)
{
  s->least = fmin(s->least, v);
  s->most = fmax(s->most, v);
}

/* At both ends and wherever the slope is 0. */
static void see_piece(Window *s, const double *c, double h)
{
  double d[4];
  hy_poly_derivative(c, 4, d);
  see(s, c[0]);
  see(s, hy_poly_at(c, 4, h));
  double at = 0;
  for (guint k = 0; k < 2; k++) { /* no more than two */
    double s1 = hy_poly_root(d, 3);
    at += s1;
    if (!(at < h)) {
      return;
    }
    see(s, hy_poly_at(c, 4, at));
    hy_poly_shift(d, 3, s1);
    d[0] = 0;
  }
}

/* The piece of in that has stood until T joins the window. */
static void add(Window *s, double t)
{
  double c[4], h = t - s->from;
  if (s->in.known && h > 0) {
    hy_signal_at(&s->in, s->from, c);
    s->sum += s->what == RMS ? integral_of_square(c, h) : integral(c, h);
    if (s->what == MINIMUM || s->what == MAXIMUM) {
      see_piece(s, c, h);
    }
  }
  s->from = t;
}

static double result(const Window *s)
{
  switch (s->what) {
  case INTEGRAL:
    return s->sum;
  case MEAN:
    return s->sum / s->width;
  case RMS:
    return sqrt(fmax(s->sum, 0) / s->width);
  case MINIMUM:
    return s->least;
  default:
    return s->most;
  }
}

static HyEvent window_lambda(const void *state, double t)
{
  Window s = *(const Window *)state;
  if (!s.whole || s.fault.wrong) {
    return HY_NO_EVENT;
  }
  add(&s, t);
  return (HyEvent){.port = 0, .value.c = {result(&s)}};
}

static void window_dint(void *state, double t)
{
  Window *s = state;
  if (!hy_fault_stands(&s->fault, t)) {
    s->k++;
    begin(s, t);
  }
}

static void window_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Window *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  add(s, t);
  hy_signal_take(&s->in, t, &x->value);
  hy_fault_set(&s->fault, t, !hy_signal_finite(&s->in));
  s->whole = s->whole || t == s->t0 + (s->k - 1) * s->width;
}

static void window_print(const void *state, GString *out)
{
  const Window *s = state;
  char sum[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(k=%.0f,sum=%s)", s->k, hy_double_text(sum, s->sum));
}

static char *window_fault(const void *state)
{
  const Window *s = state;
  return hy_signal_fault(&s->in, "in", &s->fault);
}

static const HyPort window_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "what is measured"},
    {.name = NULL},
};
static const HyParam window_params[] = {
    HY_PARAM_AT("what", Window, name, .text = "mean",
                .choices = "integral mean rms minimum maximum", .doc = "of in, in each window"),
    HY_PARAM(Window, width, .value = 1, .range = HY_POSITIVE, .unit = "s",
             .doc =
                 "of a window; one begins where the other ends, the first at the start of the run"),
    {.name = NULL},
};
const HyAtomicClass hy_window_class = {
    .name = "window",
    .doc = "integral, mean, rms, minimum or maximum of in over a window",
    .palette = "Sinks",
    .example = "<window name=\"rms\" in=\"u\" what=\"rms\" width=\"20m\"/>",
    .in = window_in,
    .out = hy_wave_out,
    .params = window_params,
    .state_size = sizeof(Window),
    .init = window_init,
    .next = window_next,
    .lambda = window_lambda,
    .dint = window_dint,
    .dext = window_dext,
    .print = window_print,
    .fault = window_fault,
};
