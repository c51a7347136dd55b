/* Comparisons that bend, of products, quotients, roots and sines of the states of one group, are
 * decided on its exact motion. Random linear systems that such a hysteresis switches, against the
 * series of their exponentials in long double, searched for crossings in small steps. */
#include "circuit_run.h"

#define N     3
#define TERMS 12   /* of a series */
#define STEP  1e-3 /* of the search */
#define STOP  20

typedef long double Real;
typedef struct {
  const char *text;
  Real (*z)(const Real *x, Real t);
} Form;

#define FORM(name, result)                                                                         \
  static Real name(const Real *x, Real t)                                                          \
  {                                                                                                \
    (void)t;                                                                                       \
    return result;                                                                                 \
  }
FORM(product, x[0] * x[1])
FORM(length, x[0] * x[0] + x[1] * x[1])
FORM(root, sqrtl(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]))
FORM(quotient, x[0] / (2 + x[1] * x[1]))
FORM(positive, fabsl(x[0]) * x[1] + x[2])
FORM(angle, sinl(x[0]) * x[1] - x[2])
FORM(grows, expl(x[0] * 0.3L) - x[1] * x[2])
FORM(turned, atan2l(x[1], 2 + x[0] * x[0]) + x[2] * x[2] * 0.1L)
FORM(differences, (x[0] + x[1]) * (x[1] - x[2]) + x[0])
FORM(greater, fmaxl(x[0], x[1]) * x[2] - x[0])
FORM(third, x[0] * x[0] * x[0] - x[1])
FORM(logs, logl(2 + x[0] * x[0]) + x[1])
FORM(flat, tanhl(x[0] * x[1]) + x[2])
FORM(circle, cosl(x[1]) + x[0] * x[2])
FORM(driven, x[0] * x[1] + 0.3L * sinl(3 * t) * x[2])
FORM(rate, x[0] * (1 + 0.1L * t) / (1 + x[1] * x[1]))
FORM(power_of, powl(2 + x[0] * x[0], 1.5L) - x[1])
FORM(arcs, atanl(x[0]) - coshl(x[1] * 0.5L) + x[2])

static const Form forms[] = {
    {"x0*x1", product},
    {"x0*x0 + x1^2", length},
    {"sqrt(x0^2 + x1^2 + x2^2)", root},
    {"x0/(2 + x1^2)", quotient},
    {"abs(x0)*x1 + x2", positive},
    {"sin(x0)*x1 - x2", angle},
    {"exp(0.3*x0) - x1*x2", grows},
    {"atan2(x1, 2 + x0^2) + 0.1*x2^2", turned},
    {"(x0 + x1)*(x1 - x2) + x0", differences},
    {"max(x0, x1)*x2 - x0", greater},
    {"x0^3 - x1", third},
    {"log(2 + x0^2) + x1", logs},
    {"tanh(x0*x1) + x2", flat},
    {"cos(x1) + x0*x2", circle},
    {"x0*x1 + 0.3*s*x2", driven},
    {"x0*(1 + 0.1*t)/(1 + x1^2)", rate},
    {"(2 + x0^2)^1.5 - x1", power_of},
    {"atan(x0) - cosh(0.5*x1) + x2", arcs},
};

/* x' = A x + b + c g, g being 1 where it is to be. */
typedef struct {
  const Form *form;
  double a[N][N], b[N], c[N], x0[N], lower, upper;
  gboolean falls; /* g is 1 below */
} Model;

static Real solve_row(Real m[N][N + 1], guint k)
{
  Real sum = m[k][N];
  for (guint j = k + 1; j < N; j++) {
    sum -= m[k][j] * m[j][N];
  }
  return sum / m[k][k];
}

/* Where it rests: A x = -(b + c g), by elimination. */
static void rest_of(const Model *m, double g, Real *x)
{
  Real w[N][N + 1];
  for (guint i = 0; i < N; i++) {
    for (guint j = 0; j < N; j++) {
      w[i][j] = m->a[i][j];
    }
    w[i][N] = -(m->b[i] + m->c[i] * g);
  }
  for (guint k = 0; k < N; k++) {
    for (guint i = k + 1; i < N; i++) {
      Real by = w[i][k] / w[k][k];
      for (guint j = k; j <= N; j++) {
        w[i][j] -= by * w[k][j];
      }
    }
  }
  for (guint k = N; k-- > 0;) {
    w[k][N] = x[k] = solve_row(w, k);
  }
}

/* A mode that decays and one that swings, mixed; levels between what z rests at. */
static gboolean draw(GRand *dice, const Form *form, Model *m)
{
  double q = g_rand_double_range(dice, -0.2, 0), p = g_rand_double_range(dice, -2, -0.1);
  double w = g_rand_double_range(dice, 0.5, 5);
  const double d[N][N] = {{q, w, 0}, {-w, q, 0}, {0, 0, p}};
  *m = (Model){.form = form};
  for (guint i = 0; i < N; i++) {
    for (guint j = 0; j < N; j++) { /* (1 + s) D (1 + s)^-1 with s of one element: s e_02 */
      m->a[i][j] = d[i][j];
    }
    m->b[i] = g_rand_double_range(dice, -1, 1);
    m->c[i] = g_rand_double_range(dice, -3, 3);
    m->x0[i] = g_rand_double_range(dice, -1, 1);
  }
  double s = g_rand_double_range(dice, -1, 1);
  for (guint j = 0; j < N; j++) {
    m->a[0][j] += s * m->a[2][j];
  }
  for (guint i = 0; i < N; i++) {
    m->a[i][2] -= s * m->a[i][0];
  }
  Real off[N], on[N];
  rest_of(m, 0, off);
  rest_of(m, 1, on);
  Real below = form->z(off, 0), above = form->z(on, 0);
  m->falls = above > below;
  m->lower = (double)(fminl(below, above) + 0.3L * fabsl(above - below));
  m->upper = (double)(fminl(below, above) + 0.6L * fabsl(above - below));
  return fabsl(above - below) > 0.3L && fabsl(above - below) < 30;
}

/* x at H by the series of x' = A x + b + c g. */
static void move(const Model *m, gboolean g, const Real *x, Real h, Real *y)
{
  Real term[N], next[N];
  for (guint i = 0; i < N; i++) {
    term[i] = m->b[i] + m->c[i] * (g ? 1 : 0);
    for (guint j = 0; j < N; j++) {
      term[i] += m->a[i][j] * x[j];
    }
    term[i] *= h;
    y[i] = x[i] + term[i];
  }
  for (guint k = 2; k < TERMS; k++) {
    for (guint i = 0; i < N; i++) {
      next[i] = 0;
      for (guint j = 0; j < N; j++) {
        next[i] += m->a[i][j] * term[j] * h / k;
      }
    }
    for (guint i = 0; i < N; i++) {
      term[i] = next[i];
      y[i] += term[i];
    }
  }
}

/* Of a run: ABOVE is what the hysteresis says. */
typedef struct {
  const Model *m;
  Real t, x[N];
  gboolean above;
  guint toggles;
} Search;

/* It turns within H. */
static gboolean turns(const Search *s, Real h)
{
  Real y[N];
  move(s->m, s->above != s->m->falls, s->x, h, y);
  Real z = s->m->form->z(y, s->t + h);
  return s->above ? z < s->m->lower : z > s->m->upper;
}

/* To END, or to where it turns before. */
static void search_on(Search *s, Real end)
{
  Real from = 0, to = end - s->t, y[N];
  gboolean turn = turns(s, to);
  for (guint k = 0; k < 70 && turn; k++) {
    Real middle = 0.5L * (from + to);
    *(turns(s, middle) ? &to : &from) = middle;
  }
  move(s->m, s->above != s->m->falls, s->x, to, y);
  memcpy(s->x, y, sizeof y);
  s->t = turn ? s->t + to : end;
  s->above ^= turn;
  s->toggles += turn != FALSE;
}

/* x at each whole second. */
static guint search(const Model *m, Real rows[STOP + 1][N])
{
  guint second = (guint)(1 / STEP + 0.5);
  Search s = {.m = m};
  for (guint i = 0; i < N; i++) {
    s.x[i] = m->x0[i];
  }
  s.above = turns(&s, 0);
  for (guint k = 1; k <= STOP * second; k++) {
    while (s.t < k * (Real)STEP) {
      search_on(&s, k * (Real)STEP);
    }
    if (k % second == 0) {
      memcpy(rows[k / second], s.x, sizeof s.x);
    }
  }
  return s.toggles;
}

/* The gate is in the rows of the states, or decides a mode that is. */
static HyLoaded *load_model(const Model *m, gboolean gate)
{
  g_autoptr(GString) text = g_string_new("<sine name='s' frequency='3/(2*pi)'/>");
  for (guint i = 0; i < N; i++) {
    g_string_append_printf(text, "<integrator name='x%u' x0='%.17g' in='%.17g + %.17g*%s", i,
                           m->x0[i], m->b[i], m->c[i], gate ? "if(g > 0.5, 1, 0)" : "g");
    for (guint j = 0; j < N; j++) {
      g_string_append_printf(text, " + %.17g*x%u", m->a[i][j], j);
    }
    g_string_append(text, "'/>");
  }
  g_string_append_printf(text,
                         "<hysteresis name='g' in='%s' lower='%.17g' upper='%.17g' low='%d' "
                         "high='%d'/><experiment stop='%d' grid='1' method='block_liqss2' "
                         "record='x0 x1 x2'/>",
                         m->form->text, m->lower, m->upper, m->falls, !m->falls, STOP);
  return load_text(text->str);
}

static void check(const Model *m, const char *engine, guint seed, Real rows[STOP + 1][N])
{
  g_autoptr(HyLoaded) loaded = load_model(m, seed % 2 == 0);
  g_autoptr(HyRun) run = go(loaded, engine);
  for (guint k = 1; k <= STOP; k++) {
    for (guint i = 0; i < N; i++) {
      g_autofree char *who = g_strdup_printf("%s, seed %u, x%u at %u", m->form->text, seed, i, k);
      double got = hy_recorder_value(hy_run_table(run, 0), k, i);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, (double)rows[k][i], got, who);
    }
  }
}

static void test_random_bends_are_found(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  guint toggles = 0, models = 0;
  for (guint seed = 0; seed < 5 * G_N_ELEMENTS(forms); seed++) {
    g_autoptr(GRand) dice = g_rand_new_with_seed(seed + 1);
    Real rows[STOP + 1][N];
    Model m;
    if (draw(dice, &forms[seed % G_N_ELEMENTS(forms)], &m)) {
      toggles += search(&m, rows);
      models++;
      check(&m, engines[seed % G_N_ELEMENTS(engines)], seed, rows);
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(40, models);
  TEST_ASSERT_GREATER_THAN_UINT(10 * models, toggles);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_random_bends_are_found);
  return UNITY_END();
}
