/* Discrete transfer function, in the transposed direct form II: with a scaled so that a[0] = 1,
 *   y = b[0] u + w[0],   w[i] becomes w[i+1] + b[i+1] u - a[i+1] y
 * A sample is what stands after all events of its instant. With b[0] the output needs it at once:
 * it is corrected while the input still changes at that instant. */
#include "atomics.h"
#include "hybrid/grid.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "sources/wave.h"

typedef struct {
  HySampled sampled; /* first */
  HyReals num, den;
  guint n;          /* order */
  double *c;        /* [3 n + 1]: b[0..n], a[1..n], w[0..n-1]; freed by clear */
  double taken;     /* the instant of the last sample, not yet in w. NaN: none */
  double now;       /* of the last transition */
  gboolean correct; /* the input has changed after the output of this instant */
  gboolean spoken;
} TransferZ;

static double *a_of(const TransferZ *s)
{
  return s->c + s->n; /* a[1..n] */
}

static double *w_of(const TransferZ *s)
{
  return a_of(s) + s->n + 1;
}

static gboolean check_lists(const TransferZ *s, GError **error)
{
  const char *what = NULL;
  if (s->num.n == 0 || s->den.n == 0) {
    what = "num and den need a number each";
  } else if (s->den.v[0] == 0) {
    what = "den begins with 0; leave out leading zeros";
  } else if (s->num.n > s->den.n) {
    what = "num has a higher power of z than den: the output would come before the input";
  }
  for (guint k = 0; what == NULL && k < s->num.n + s->den.n; k++) {
    double v = k < s->num.n ? s->num.v[k] : s->den.v[k - s->num.n];
    what = isfinite(v) ? NULL : "num and den must be finite";
  }
  if (what != NULL) {
    g_set_error_literal(error, HY_ERROR, HY_ERROR_MODEL, what);
  }
  return what == NULL;
}

static gboolean transfer_z_init(void *state, double t, const HySetup *setup, GError **error)
{
  TransferZ *s = state;
  s->c = NULL;
  s->taken = NAN;
  s->now = t;
  s->correct = s->spoken = FALSE;
  if (!check_lists(s, error) || !hy_sampled_init(&s->sampled, t, setup, TRUE, error)) {
    return FALSE;
  }
  s->n = s->den.n - 1;
  s->c = g_new0(double, 3 * (gsize)s->n + 1);
  for (guint k = 0; k < s->num.n; k++) {
    s->c[s->den.n - s->num.n + k] = s->num.v[k] / s->den.v[0];
  }
  for (guint k = 1; k <= s->n; k++) {
    a_of(s)[k] = s->den.v[k] / s->den.v[0];
  }
  return TRUE;
}

/* Time has gone on since the last sample: it is not yet in w. */
static gboolean is_open(const TransferZ *s, double t)
{
  return t > s->taken && s->sampled.probe.in.known;
}

/* w[0] as it is at T. */
static double w0(const TransferZ *s, double t)
{
  if (s->n == 0 || !is_open(s, t)) {
    return s->n == 0 ? 0 : w_of(s)[0];
  }
  double u = hy_signal_value(&s->sampled.probe.in, s->taken), y = s->c[0] * u + w_of(s)[0];
  return (s->n > 1 ? w_of(s)[1] : 0) + s->c[1] * u - a_of(s)[1] * y;
}

static void close_sample(TransferZ *s, double t)
{
  if (is_open(s, t)) {
    double *w = w_of(s);
    double u = hy_signal_value(&s->sampled.probe.in, s->taken),
           y = s->c[0] * u + (s->n > 0 ? w[0] : 0);
    for (guint k = 0; k < s->n; k++) {
      w[k] = (k + 1 < s->n ? w[k + 1] : 0) + s->c[k + 1] * u - a_of(s)[k + 1] * y;
    }
    s->taken = NAN;
  }
}

static double transfer_z_next(const void *state)
{
  const TransferZ *s = state;
  const HyProbe *p = &s->sampled.probe;
  double due = s->correct || !s->spoken ? s->now : hy_grid_due(&s->sampled.grid);
  return hy_fault_next(&p->fault, fmin(due, hy_probe_news(p)));
}

/* Before the first sample: at rest. */
static HyEvent transfer_z_lambda(const void *state, double t)
{
  const TransferZ *s = state;
  const HyProbe *p = &s->sampled.probe;
  gboolean sample = s->correct || t == hy_grid_due(&s->sampled.grid);
  if (p->fault.wrong || hy_probe_news(p) <= t) {
    return HY_NO_EVENT;
  }
  double u = sample && p->in.known ? s->c[0] * hy_probe_value(p, t) : 0;
  return isfinite(u) ? (HyEvent){.port = 0, .value.c = {u + w0(s, t)}} : HY_NO_EVENT;
}

/* In is another one from T on: by word V, or NULL: its group says so. */
static void change(TransferZ *s, double t, const HyValue *v)
{
  HyProbe *p = &s->sampled.probe;
  double was = p->in.known ? hy_signal_value(&p->in, t) : 0;
  if (v != NULL) {
    hy_probe_take(p, t, v);
  } else {
    hy_probe_hear(p, t);
  }
  s->now = t;
  s->correct = s->correct || (t == s->taken && s->c[0] != 0 && p->in.c[0] != was);
}

static void transfer_z_dint(void *state, double t)
{
  TransferZ *s = state;
  HyProbe *p = &s->sampled.probe;
  if (hy_fault_stands(&p->fault, t)) {
    return;
  }
  close_sample(s, t);
  if (hy_probe_news(p) <= t) {
    change(s, t, NULL);
    return;
  }
  if (!s->correct && t == hy_grid_due(&s->sampled.grid)) {
    s->taken = t;
    s->sampled.grid.k++;
    hy_probe_read(p, t);
    hy_probe_leave_open(p, t);
  }
  s->now = t;
  s->spoken = TRUE;
  s->correct = FALSE;
}

static void transfer_z_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  TransferZ *s = state;
  HyProbe *p = &s->sampled.probe;
  if (hy_probe_is_led(p) || hy_fault_stands(&p->fault, t)) {
    return;
  }
  close_sample(s, t);
  change(s, t, &x->value);
}

static void transfer_z_clear(void *state)
{
  TransferZ *s = state;
  g_clear_pointer(&s->c, g_free);
}

static void transfer_z_tape(void *state, HyTape *tape)
{
  TransferZ *s = state;
  hy_sampled_tape(&s->sampled, tape);
  HY_TAPE_ARRAY(tape, w_of(s), s->n);
  HY_TAPE(tape, s->taken);
  HY_TAPE(tape, s->now);
  HY_TAPE(tape, s->correct);
  HY_TAPE(tape, s->spoken);
}

static void transfer_z_print(const void *state, GString *out)
{
  const TransferZ *s = state;
  char text[HY_DOUBLE_SIZE];
  g_string_append(out, "(");
  for (guint k = 0; k < s->n; k++) {
    g_string_append_printf(out, "%s%s", k > 0 ? "," : "", hy_double_text(text, w_of(s)[k]));
  }
  g_string_append(out, ")");
}

static const HyParam transfer_z_params[] = {
    HY_PARAM(TransferZ, num, .required = TRUE, .doc = "highest power of z first"),
    HY_PARAM(TransferZ, den, .required = TRUE, .doc = "highest power of z first"),
    HY_GRID(TransferZ, "of the first sample"),
    {.name = NULL},
};
const HyAtomicClass hy_transfer_z_class = {
    .name = "transfer_z",
    .doc = "the discrete transfer function num/den",
    .palette = "Hybrid",
    .example = "<transfer_z name=\"pi\" in=\"e\" num=\"1, -0.9\" den=\"1, -1\" period=\"1m\"/>",
    .in = hy_sampled_in,
    .out = hy_wave_out,
    .params = transfer_z_params,
    .state_size = sizeof(TransferZ),
    .init = transfer_z_init,
    .next = transfer_z_next,
    .lambda = transfer_z_lambda,
    .dint = transfer_z_dint,
    .dext = transfer_z_dext,
    .clear = transfer_z_clear,
    .tape = transfer_z_tape,
    .print = transfer_z_print,
    .fault = hy_sampled_fault,
};
