#include "plain.h"

#include "eval.h"

#include <string.h>

static HyBall number_of(const HyPlainParams *p, guint k)
{
  return hy_ball(p->number[k]);
}

static void formula(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)n;
  out[0] = p->tree != NULL ? hy_written_value(p->tree, in) : hy_ball(NAN);
}

/* d f/d in by differences, two of them: how far they are apart is how well it is known. */
static void differential(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  double slope[2], h = 1e-4 * MAX(fabs(in[0].v), 1e-6);
  out[0] = hy_ball(NAN);
  if (p->tree == NULL || n != 1) {
    return;
  }
  for (int k = 0; k < 2; k++, h /= 2) {
    HyBall right = hy_ball(in[0].v + h), left = hy_ball(in[0].v - h);
    slope[k] = (hy_written_value(p->tree, &right).v - hy_written_value(p->tree, &left).v) / (2 * h);
  }
  double best = slope[1] + (slope[1] - slope[0]) / 3;
  out[0] = hy_ball_of(best, fabs(slope[1] - slope[0]) + 1e-7 * fabs(best),
                      in[0].doubt > 0 || in[0].e > 0 ? INFINITY : 0, in[0].open);
  if (in[0].e > 0) {
    out[0].e = INFINITY;
  }
}

static void gain(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)n;
  out[0] = hy_ball_mul(number_of(p, 0), in[0]);
}

static void sum(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  out[0] = hy_ball(0);
  for (guint k = 0; k < n; k++) {
    double factor = p->list[0].n > k ? p->list[0].v[k] : 1;
    out[0] = hy_ball_add(out[0], hy_ball_mul(hy_ball(factor), in[k]));
  }
}

static void product(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)p;
  out[0] = hy_ball(1);
  for (guint k = 0; k < n; k++) {
    out[0] = hy_ball_mul(out[0], in[k]);
  }
}

static void division(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)p, (void)n;
  out[0] = hy_ball_div(in[0], in[1]);
}

static void power(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)n;
  out[0] = hy_ball_pow(in[0], number_of(p, 0));
}

/* The value of the line from point K to the next one. */
static HyBall on_line(const HyReals *x, const HyReals *y, guint k, HyBall in)
{
  HyBall rise = hy_ball_add(hy_ball(y->v[k + 1]), hy_ball(-y->v[k]));
  HyBall run = hy_ball_add(hy_ball(x->v[k + 1]), hy_ball(-x->v[k]));
  HyBall from = hy_ball_add(in, hy_ball(-x->v[k]));
  return hy_ball_add(hy_ball(y->v[k]), hy_ball_mul(hy_ball_div(rise, run), from));
}

static void lookup(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  const HyReals *x = &p->list[0], *y = &p->list[1];
  (void)n;
  out[0] = on_line(x, y, 0, in[0]);
  for (guint k = 1; k + 1 < x->n; k++) {
    out[0] =
        hy_ball_choose(hy_ball_above(in[0], hy_ball(x->v[k])), on_line(x, y, k, in[0]), out[0]);
  }
}

static void comparator(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)n;
  out[0] = hy_ball_choose(hy_ball_above(in[0], number_of(p, 0)), number_of(p, 2), number_of(p, 1));
}

static void diode(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)n;
  out[0] = hy_ball_choose(hy_ball_above(in[0], hy_ball(0)), number_of(p, 0), number_of(p, 1));
}

static void choice(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)n;
  out[0] = hy_ball_choose(hy_ball_above(in[0], number_of(p, 0)), in[1], in[2]);
}

static void saturation(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)n;
  out[0] = hy_ball_max(hy_ball_min(in[0], number_of(p, 1)), number_of(p, 0));
}

/* What a saturation leaves. */
static void dead_band(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)n;
  HyBall zero = hy_ball(0), under = hy_ball_add(in[0], hy_ball_neg(number_of(p, 0))),
         over = hy_ball_add(in[0], hy_ball_neg(number_of(p, 1)));
  out[0] = hy_ball_add(hy_ball_min(under, zero), hy_ball_max(over, zero));
}

/* Whether all inputs are above one half, each of them turned round if TURNED. */
static HyBall all_of(const HyBall *in, guint n, gboolean turned)
{
  HyBall half = hy_ball(0.5), one = hy_ball(1), zero = hy_ball(0), all = one;
  for (guint k = 0; k < n; k++) {
    HyBall above = hy_ball_above(in[k], half);
    HyBall counts = turned ? hy_ball_choose(above, zero, one) : hy_ball_choose(above, one, zero);
    all = hy_ball_min(all, counts);
  }
  return all;
}

static void both(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)p;
  out[0] = all_of(in, n, FALSE);
}

static void either(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)p;
  out[0] = hy_ball_add(hy_ball(1), hy_ball_neg(all_of(in, n, TRUE)));
}

static void inverse(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  (void)p;
  out[0] = all_of(in, n, TRUE);
}

/* Is (exp(v/Vt) - 1) + g v = i: the left side is convex and grows, so steps of Newton from the
 * right of it come down to it. */
static double junction_voltage(double is, double vt, double i, double g)
{
  double v = i > 0 ? MIN(i / g, vt * log1p(i / is)) : 0;
  for (int k = 0; k < 200; k++) {
    double step = (is * expm1(v / vt) + g * v - i) / (is / vt * exp(v / vt) + g);
    v -= step;
    if (fabs(step) <= 1e-15 * fabs(v)) {
      break;
    }
  }
  return v;
}

static void junction(const HyPlainParams *p, const HyBall *in, guint n, HyBall *out)
{
  double is = p->number[0], vt = p->number[1];
  (void)n;
  double v = junction_voltage(is, vt, in[0].v, in[1].v);
  double gain = 1 / (is / vt * exp(v / vt) + in[1].v - in[1].e);
  double e = in[0].e + fabs(v) * in[1].e, doubt = in[0].doubt + fabs(v) * in[1].doubt;
  out[0] = hy_ball_of(
      v, in[1].e < in[1].v && gain > 0 ? 2 * gain * e + 1e-12 * (fabs(v) + vt) : INFINITY,
      2 * fabs(gain) * doubt, in[0].open || in[1].open);
}

const HyPlainClass hy_plain_classes[] = {
    {.name = "function", formula, .beyond = TRUE},
    {.name = "differential", differential, .beyond = TRUE},
    {.name = "gain", gain, .number = {"k"}},
    {.name = "sum", sum, .list = {"k"}},
    {.name = "product", product, .beyond = TRUE},
    {.name = "division", division, .beyond = TRUE},
    {.name = "power", power, .number = {"n"}, .beyond = TRUE},
    {.name = "lookup", lookup, .list = {"x", "y"}},
    {.name = "switch", choice, .number = {"level"}},
    {.name = "comparator", comparator, .number = {"level", "low", "high"}, .choice = TRUE},
    {.name = "diode", diode, .number = {"ron", "roff"}, .choice = TRUE},
    {.name = "saturation", saturation, .number = {"lower", "upper"}},
    {.name = "dead_band", dead_band, .number = {"lower", "upper"}},
    {.name = "and", both, .choice = TRUE},
    {.name = "or", either, .choice = TRUE},
    {.name = "not", inverse, .choice = TRUE},
    {.name = "junction", junction, .number = {"saturation", "thermal"}, .beyond = TRUE},
    {.name = "hysteresis", NULL, .number = {"lower", "upper", "low", "high"}},
    {.name = "valve", NULL, .number = {"ron", "roff", "knee"}},
    {.name = "transistor", NULL, .number = {"ron", "rd", "roff", "knee"}},
};
const guint hy_n_plain_classes = G_N_ELEMENTS(hy_plain_classes);

const HyPlainClass *hy_plain_class(const char *name)
{
  for (guint k = 0; k < hy_n_plain_classes; k++) {
    if (strcmp(hy_plain_classes[k].name, name) == 0) {
      return &hy_plain_classes[k];
    }
  }
  return NULL;
}

/* The parameter NAME of a state; NULL: there is none. */
static gconstpointer param_at(const HyAtomicClass *klass, gconstpointer state, const char *name)
{
  for (const HyParam *q = klass->params; q != NULL && q->name != NULL; q++) {
    if (strcmp(q->name, name) == 0) {
      return (const char *)state + q->offset;
    }
  }
  return NULL;
}

void hy_plain_params(const HyPlainClass *c, const HyAtomicClass *klass, gconstpointer state,
                     HyPlainParams *p)
{
  for (guint k = 0; k < G_N_ELEMENTS(p->number) && c->number[k] != NULL; k++) {
    const double *at = param_at(klass, state, c->number[k]);
    p->number[k] = at != NULL ? *at : NAN;
  }
  for (guint k = 0; k < G_N_ELEMENTS(p->list) && c->list[k] != NULL; k++) {
    const HyReals *at = param_at(klass, state, c->list[k]);
    p->list[k] = at != NULL ? *at : (HyReals){0};
  }
}
