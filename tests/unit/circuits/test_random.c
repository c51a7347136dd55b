/* Random circuits with loops, cuts and islands against their whole tableau: all of Kirchhoff's laws
 * and of the elements' in one matrix, with their first derivatives, solved by elimination with full
 * pivoting in a wider arithmetic. What the matrix does not determine is not compared. */
#include "circuit_values.h"

#include <math.h>

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Wide;
#define RANK 1e-22
#else
typedef long double Wide;
#define RANK 1e-13
#endif

/* Of both windings of a transformer, which are neighbours; `value` of the first is its ratio. */
#define WINDING ((HyBranchKind)(HY_BRANCH_CURRENT + 1))

enum { MOST_NODES = 7, MOST = 14 };

typedef struct {
  HyBranchKind kind;
  guint a, b;
  double value, now, slope; /* size or resistance; of a state or source: what it is */
  gboolean sized;           /* its size is a signal; of a source that is controlled its factor */
  gboolean controlled;      /* a source that is `now` and `value` times what it reads: */
  guint of;                 /* of this one */
  gboolean reads_current;   /* the current, or the voltage */
  gboolean follows;         /* a state that is none: the laws say what it is, and not `now` */
} Element;

typedef struct {
  guint n_nodes, n;
  Element e[MOST];
} Net;

static guint32 seed;

static guint below(guint n)
{
  seed = seed * 1664525U + 1013904223U;
  return (guint)(((guint64)(seed >> 8) * n) >> 24);
}

static double between(double low, double high)
{
  return low + (high - low) * below(1U << 20) / (1U << 20);
}

void setUp(void)
{
}

void tearDown(void)
{
}

/* A net whose states and sources obey Kirchhoff's laws: voltages are differences of potentials,
 * currents are sums of currents round loops. SPREAD: of resistances, in decades. */
static Net net_new(double spread)
{
  Net net = {.n_nodes = 2 + below(MOST_NODES - 1), .n = 3 + below(MOST - 3)};
  double p[MOST_NODES], flow[MOST] = {0};
  for (guint k = 0; k < net.n_nodes; k++) {
    p[k] = between(-5, 5);
  }
  for (guint k = 0; k < net.n; k++) {
    Element *e = &net.e[k];
    static const HyBranchKind kinds[] = {
        HY_BRANCH_RESISTOR, HY_BRANCH_RESISTOR, HY_BRANCH_RESISTOR, HY_BRANCH_CAPACITOR,
        HY_BRANCH_COIL,     HY_BRANCH_COIL,     HY_BRANCH_VOLTAGE,  HY_BRANCH_CURRENT};
    e->kind = kinds[below(8)];
    e->a = below(net.n_nodes);
    e->b = (e->a + 1 + below(net.n_nodes - 1)) % net.n_nodes;
    e->slope = between(-2, 2);
    e->value = e->kind == HY_BRANCH_RESISTOR ? pow(10, between(-spread, spread)) : between(1, 4);
    e->now = p[e->a] - p[e->b];
  }
  for (guint k = 0; k < net.n; k++) { /* round each loop of two, three branches */
    for (guint i = 0; i < net.n; i++) {
      for (guint j = 0; j < net.n; j++) {
        const Element *x = &net.e[k], *y = &net.e[i], *z = &net.e[j];
        gboolean loop = x->b == y->a && y->b == z->a && z->b == x->a;
        double amount = loop ? between(-1, 1) : 0;
        flow[k] += amount, flow[i] += amount, flow[j] += amount;
        if (i != k && j == 0 && x->a == y->a && x->b == y->b) {
          amount = between(-1, 1);
          flow[k] += amount, flow[i] -= amount;
        }
      }
    }
  }
  for (guint k = 0; k < net.n; k++) {
    if (net.e[k].kind >= HY_BRANCH_COIL) {
      net.e[k].now = flow[k];
    }
  }
  return net;
}

/* Up to N pairs of resistances become transformers. */
static void net_transform(Net *net, guint n)
{
  for (guint k = 0; n > 0 && k + 1 < net->n; k++) {
    if (net->e[k].kind == HY_BRANCH_RESISTOR && net->e[k + 1].kind == HY_BRANCH_RESISTOR) {
      net->e[k].kind = net->e[k + 1].kind = WINDING;
      net->e[k].value = between(0.3, 4);
      k++, n--;
    }
  }
}

/* Up to N resistances and sources become sources that read one of all. */
static void net_control(Net *net, guint n)
{
  for (guint k = 0; k < net->n && n > 0; k++) {
    Element *e = &net->e[k];
    if (e->kind != HY_BRANCH_CAPACITOR && e->kind != HY_BRANCH_COIL && below(2) == 0) {
      e->kind = below(2) == 0 ? HY_BRANCH_VOLTAGE : HY_BRANCH_CURRENT;
      e->value = between(-3, 3);
      e->controlled = TRUE;
      e->of = below(net->n);
      e->reads_current = below(2) == 0;
      n--;
    }
  }
}

/* The tableau: unknowns v, i, v', i' of each branch, then potentials and their derivatives. */
typedef struct {
  guint rows, n;
  Wide a[6 * MOST + 4 * MOST_NODES][4 * MOST + 2 * MOST_NODES + 1];
  Wide x[4 * MOST + 2 * MOST_NODES];
  gboolean known[4 * MOST + 2 * MOST_NODES];
} Tableau;

static Wide size_of(Wide x)
{
  return x < 0 ? -x : x;
}

static void put(Tableau *t, guint column, double v)
{
  t->a[t->rows][column] += (Wide)v;
}

/* Those before it are pairs. */
static gboolean is_first_winding(const Net *net, guint k)
{
  guint before = 0;
  for (; k > before && net->e[k - 1 - before].kind == WINDING; before++) {
  }
  return before % 2 == 0;
}

/* What a state is. */
static void put_now(Tableau *t, const Element *e, guint column)
{
  if (!e->follows) {
    put(t, column, 1), put(t, t->n, e->now), t->rows++;
  }
}

static void put_element(Tableau *t, const Net *net, guint k)
{
  const Element *e = &net->e[k];
  guint n = net->n, v = k, i = n + k, dv = 2 * n + k, di = 3 * n + k, p = 4 * n;
  for (guint nth = 0; nth < 2; nth++) { /* the branch and its potentials */
    put(t, nth == 0 ? v : dv, 1), put(t, p + nth * net->n_nodes + e->a, -1);
    put(t, p + nth * net->n_nodes + e->b, 1), t->rows++;
  }
  if (e->kind == WINDING) {
    gboolean first = is_first_winding(net, k);
    double r = net->e[first ? k : k - 1].value;
    put(t, first ? v : i, 1), put(t, first ? v + 1 : i - 1, first ? -r : r), t->rows++;
    put(t, first ? dv : di, 1), put(t, first ? dv + 1 : di - 1, first ? -r : r), t->rows++;
    return;
  }
  if (e->controlled) {
    guint of = e->of + (e->reads_current ? n : 0);
    put(t, of, -e->value);
    t->a[t->rows + 1][2 * n + of] -= (Wide)e->value;
  }
  switch (e->kind) {
  case HY_BRANCH_VOLTAGE:
    put(t, v, 1), put(t, t->n, e->now), t->rows++;
    put(t, dv, 1), put(t, t->n, e->slope), t->rows++;
    break;
  case HY_BRANCH_CURRENT:
    put(t, i, 1), put(t, t->n, e->now), t->rows++;
    put(t, di, 1), put(t, t->n, e->slope), t->rows++;
    break;
  case HY_BRANCH_RESISTOR:
    put(t, v, 1), put(t, i, -e->value), t->rows++;
    put(t, dv, 1), put(t, di, -e->value), t->rows++;
    break;
  case HY_BRANCH_CAPACITOR:
    put_now(t, e, v);
    put(t, i, 1), put(t, dv, -e->value), t->rows++;
    break;
  case HY_BRANCH_COIL:
    put_now(t, e, i);
    put(t, v, 1), put(t, di, -e->value), t->rows++;
    break;
  }
}

/* The largest element from RANK on comes to that place. */
static void pivot(Tableau *t, guint *column, guint rank)
{
  guint r = rank, c = rank;
  for (guint i = rank; i < t->rows; i++) {
    for (guint j = rank; j < t->n; j++) {
      if (size_of(t->a[i][column[j]]) > size_of(t->a[r][column[c]])) {
        r = i, c = j;
      }
    }
  }
  guint keep = column[c];
  column[c] = column[rank], column[rank] = keep;
  for (guint j = 0; j <= t->n; j++) {
    Wide w = t->a[r][j];
    t->a[r][j] = t->a[rank][j], t->a[rank][j] = w;
  }
}

static void clear_column(Tableau *t, guint column, guint rank)
{
  for (guint i = 0; i < t->rows; i++) {
    Wide f = i != rank ? t->a[i][column] / t->a[rank][column] : 0;
    for (guint j = 0; f != 0 && j <= t->n; j++) {
      t->a[i][j] = j == column ? 0 : t->a[i][j] - f * t->a[rank][j];
    }
  }
}

/* Known is what no free unknown has a part in. */
static void eliminate(Tableau *t)
{
  guint column[4 * MOST + 2 * MOST_NODES], rank = 0;
  for (guint k = 0; k < t->n; k++) {
    column[k] = k;
  }
  for (; rank < MIN(t->rows, t->n); rank++) {
    pivot(t, column, rank);
    if (!(size_of(t->a[rank][column[rank]]) > (Wide)RANK)) {
      break;
    }
    clear_column(t, column[rank], rank);
  }
  for (guint k = 0; k < rank; k++) {
    guint x = column[k];
    t->x[x] = t->a[k][t->n] / t->a[k][x];
    t->known[x] = TRUE;
    for (guint j = rank; j < t->n; j++) {
      t->known[x] &= size_of(t->a[k][column[j]]) < (Wide)1e-9 * size_of(t->a[k][x]);
    }
  }
}

static Tableau *tableau_new(const Net *net)
{
  Tableau *t = g_new0(Tableau, 1);
  t->n = 4 * net->n + 2 * net->n_nodes;
  for (guint k = 0; k < net->n; k++) {
    put_element(t, net, k);
  }
  for (guint node = 0; node < net->n_nodes; node++) {
    for (guint nth = 0; nth < 2; nth++) {
      for (guint k = 0; k < net->n; k++) {
        put(t, (1 + 2 * nth) * net->n + k, (net->e[k].a == node) - (double)(net->e[k].b == node));
      }
      t->rows++;
    }
  }
  eliminate(t);
  return t;
}

/* Whether branches before KIND join the ends of a branch: by painting nodes. */
static gboolean joined(const Net *net, guint k, gboolean (*counts)(const Net *, guint, guint))
{
  gboolean on[MOST_NODES] = {FALSE};
  on[net->e[k].a] = TRUE;
  for (guint round = 0; round < net->n_nodes; round++) {
    for (guint i = 0; i < net->n; i++) {
      if (counts(net, i, k) && on[net->e[i].a] != on[net->e[i].b]) {
        on[net->e[i].a] = on[net->e[i].b] = TRUE;
      }
    }
  }
  return on[net->e[k].b];
}

static gboolean earlier_voltages(const Net *net, guint i, guint k)
{
  return net->e[i].kind == HY_BRANCH_VOLTAGE && i < k;
}

static gboolean no_current(const Net *net, guint i, guint k)
{
  (void)k;
  return net->e[i].kind != HY_BRANCH_CURRENT;
}

static const char *refused_for(const Net *net)
{
  for (guint k = 0; k < net->n; k++) {
    if (net->e[k].kind == HY_BRANCH_VOLTAGE && joined(net, k, earlier_voltages)) {
      return "loop of voltage sources: ";
    }
  }
  for (guint k = 0; k < net->n; k++) {
    if (net->e[k].kind == HY_BRANCH_CURRENT && !joined(net, k, no_current)) {
      return "only current sources lead to node";
    }
  }
  return NULL;
}

static Try net_circuit(const Net *net)
{
  static const char *const names[MOST] = {"E1", "E2", "E3",  "E4",  "E5",  "E6",  "E7",
                                          "E8", "E9", "E10", "E11", "E12", "E13", "E14"};
  Try t = try_begin();
  for (guint k = 1; k < net->n_nodes; k++) {
    hy_circuit_node(t.circuit, "n");
  }
  for (guint k = 0; k < net->n; k++) {
    const Element *e = &net->e[k];
    HyBranch b = {.kind = e->kind, .name = names[k], .element = k, .a = e->a, .b = e->b};
    b.value = e->value;
    b.has_slope = !e->controlled;
    b.slope_value = e->slope;
    if (e->kind == WINDING) {
      HyTransformer x = {.name = names[k], .element = k, .ratio = e->value};
      memcpy(x.node, (guint[]){e->a, e->b, e[1].a, e[1].b}, sizeof x.node);
      hy_circuit_transformer(t.circuit, &x);
      k++;
      continue;
    }
    g_autofree char *signal = g_strconcat(names[k], ".x", NULL);
    b.signal = e->controlled                   ? hy_formula_pool_name(t.pool, signal)
               : e->kind != HY_BRANCH_RESISTOR ? try_set(&t, signal, e->now)
                                               : NULL;
    g_autofree char *size = g_strconcat(names[k], ".size", NULL);
    b.size = e->sized ? try_set(&t, size, e->value) : NULL;
    hy_circuit_add(t.circuit, &b);
  }
  for (guint k = 0; k < net->n; k++) {
    const Element *e = &net->e[k];
    HyControl x = {.kind = e->reads_current ? HY_CONTROL_CURRENT : HY_CONTROL_ACROSS, .a = e->of};
    g_autofree char *factor = g_strconcat(names[k], ".k", NULL);
    x.factor = e->controlled && e->sized ? hy_formula_ref(t.pool, try_set(&t, factor, e->value))
                                         : hy_formula_number(t.pool, e->value);
    if (e->controlled) {
      hy_circuit_control(t.circuit, k, hy_formula_number(t.pool, e->now), &x, 1);
    }
  }
  return t;
}

typedef struct {
  guint solved, refused, compared;
  double worst;
  guint tied; /* that have a winding with a slope */
} Tally;

static void compare(Tally *tally, const Tableau *x, guint unknown, double scale, double v,
                    double tolerance)
{
  if (!x->known[unknown]) {
    return;
  }
  double off = fabs(v - (double)x->x[unknown]) / scale;
  tally->compared++;
  tally->worst = fmax(tally->worst, off);
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0.0, off);
}

/* Sources that read the circuit, so that its form does not say whether it has equations. */
static gboolean has_unknowns(const Net *net)
{
  gboolean any = FALSE;
  for (guint k = 0; k < net->n; k++) {
    any |= net->e[k].kind == WINDING || net->e[k].controlled;
  }
  return any;
}

/* Whether the whole tableau says what all currents are. */
static gboolean is_determined(const Net *net, const Tableau *x)
{
  gboolean all = TRUE;
  for (guint k = 0; k < net->n; k++) {
    all &= x->known[net->n + k];
  }
  return all;
}

/* Every current, and what is asked of voltages and slopes. */
static void compare_net(const Net *net, Try *t, const Tableau *x, Tally *tally, double tolerance,
                        gboolean voltages)
{
  double i_most = 1, v_most = 1;
  for (guint k = 0; k < net->n; k++) {
    i_most = fmax(i_most, x->known[net->n + k] ? fabs((double)x->x[net->n + k]) : 0);
    v_most = fmax(v_most, x->known[k] ? fabs((double)x->x[k]) : 0);
  }
  for (guint k = 0; k < net->n; k++) {
    const Element *e = &net->e[k];
    compare(tally, x, net->n + k, i_most, try_value(t, hy_circuit_current(t->circuit, k)),
            tolerance);
    if (voltages) {
      compare(tally, x, k, v_most, try_value(t, hy_circuit_across(t->circuit, k)), tolerance);
      double v = try_value(t, hy_circuit_voltage(t->circuit, e->a, e->b));
      compare(tally, x, k, v_most, v, tolerance);
    }
    if (hy_circuit_is_state(t->circuit, k)) {
      double slope = try_value(t, hy_circuit_derivative(t->circuit, k));
      gboolean coil = e->kind == HY_BRANCH_COIL;
      if (!coil || voltages) {
        compare(tally, x, (coil ? 3 : 2) * net->n + k, coil ? v_most : i_most, slope, tolerance);
      }
    }
  }
}

/* The ratio of a transformer is in no `now`: what follows by way of one is what laws make it. */
static void net_follow(Net *net, const HyCircuit *c)
{
  for (guint k = 0; k < net->n; k++) {
    Element *e = &net->e[k];
    gboolean state = e->kind == HY_BRANCH_CAPACITOR || e->kind == HY_BRANCH_COIL;
    e->follows = state && !hy_circuit_is_state(c, k);
  }
}

/* A winding that a coil or capacitor follows from. */
static gboolean has_slope_of_winding(const Net *net, const HyCircuit *c)
{
  gboolean any = FALSE;
  for (guint k = 0; k < net->n; k++) {
    any |= net->e[k].kind == WINDING && hy_circuit_uses_slope(c, k);
  }
  return any;
}

static void check_net(Net *net, Tally *tally, double tolerance, gboolean voltages)
{
  Try t = net_circuit(net);
  const char *why = refused_for(net);
  gboolean ok = hy_circuit_solve(t.circuit, &t.fault);
  gboolean unknowns = has_unknowns(net);
  if (ok && unknowns) {
    net_follow(net, t.circuit);
    tally->tied += has_slope_of_winding(net, t.circuit);
  }
  TEST_ASSERT_TRUE_MESSAGE(unknowns || ok == (why == NULL), t.fault.text);
  tally->refused += !ok, tally->solved += ok;
  Tableau *x = tableau_new(net);
  if (!ok || (unknowns && !is_determined(net, x))) {
    TEST_ASSERT_TRUE_MESSAGE(ok || unknowns || g_str_has_prefix(t.fault.text, why), t.fault.text);
    gboolean singular = !ok && strstr(t.fault.text, "determine") != NULL;
    TEST_ASSERT_FALSE_MESSAGE(singular && is_determined(net, x), t.fault.text);
    g_free(x);
    try_end(&t);
    return;
  }
  compare_net(net, &t, x, tally, tolerance, voltages);
  g_free(x);
  try_end(&t);
}

static void test_random_circuits_equal_their_tableau(void)
{
  Tally tally = {0};
  for (guint k = 0; k < 250; k++) {
    seed = 7919 * (k + 1);
    Net net = net_new(1.0);
    check_net(&net, &tally, 1e-11, TRUE);
  }
  TEST_ASSERT_GREATER_THAN_UINT(120, tally.solved);
  TEST_ASSERT_GREATER_THAN_UINT(30, tally.refused);
  TEST_ASSERT_GREATER_THAN_UINT(2000, tally.compared);
}

/* C and L of every second capacitor and coil are signals. */
static void test_signals_for_sizes_equal_their_tableau(void)
{
  Tally tally = {0};
  for (guint k = 0; k < 250; k++) {
    seed = 49979687 * (k + 1);
    Net net = net_new(1.0);
    for (guint i = 0; i < net.n; i++) {
      HyBranchKind kind = net.e[i].kind;
      net.e[i].sized = (kind == HY_BRANCH_CAPACITOR || kind == HY_BRANCH_COIL) && below(2) == 0;
    }
    check_net(&net, &tally, 1e-11, TRUE);
  }
  TEST_ASSERT_GREATER_THAN_UINT(120, tally.solved);
  TEST_ASSERT_GREATER_THAN_UINT(2000, tally.compared);
}

static void test_transformers_equal_their_tableau(void)
{
  Tally tally = {0};
  for (guint k = 0; k < 250; k++) {
    seed = 15485863 * (k + 1);
    Net net = net_new(1.0);
    net_transform(&net, 1 + k % 2);
    if (has_unknowns(&net)) {
      check_net(&net, &tally, 1e-9, TRUE);
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(60, tally.solved);
  TEST_ASSERT_GREATER_THAN_UINT(1000, tally.compared);
}

/* Coils and capacitors in place of two resistances of three, which windings tie. */
static void test_transformers_between_states_equal_their_tableau(void)
{
  Tally tally = {0};
  for (guint k = 0; k < 900; k++) {
    seed = 22801763 * (k + 1);
    Net net = net_new(1.0);
    net_transform(&net, 1 + k % 3);
    for (guint i = 0; i < net.n; i++) {
      Element *e = &net.e[i];
      if (e->kind == HY_BRANCH_RESISTOR && below(3) > 0) {
        e->kind = below(2) == 0 ? HY_BRANCH_COIL : HY_BRANCH_CAPACITOR;
        e->now = between(-2, 2);
        e->value = between(1, 4);
      }
    }
    if (has_unknowns(&net)) {
      check_net(&net, &tally, 1e-9, TRUE);
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(150, tally.solved);
  TEST_ASSERT_GREATER_THAN_UINT(50, tally.tied);
  TEST_ASSERT_GREATER_THAN_UINT(1000, tally.compared);
}

static void test_controlled_sources_equal_their_tableau(void)
{
  Tally tally = {0};
  for (guint k = 0; k < 600; k++) {
    seed = 32452843 * (k + 1);
    Net net = net_new(1.0);
    net_control(&net, 1 + k % 4);
    if (has_unknowns(&net)) {
      check_net(&net, &tally, 1e-9, TRUE);
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(150, tally.solved);
  TEST_ASSERT_GREATER_THAN_UINT(2000, tally.compared);
}

/* Factors that are 0, 1, -1 or 2 beside resistances of 1 and 2 Ohm, so that what a pivot could be
 * is often 0. Whatever they are while the equations are made, they are others in the run. */
static void test_factors_that_take_a_pivot_take_no_solution(void)
{
  Tally tally = {0};
  for (guint k = 0; k < 1500; k++) {
    seed = 86028121 * (k + 1);
    Net net = net_new(1.0);
    for (guint i = 0; i < net.n; i++) {
      Element *e = &net.e[i]; /* with states the next derivative could say what is left open */
      e->kind = e->kind == HY_BRANCH_COIL || e->kind == HY_BRANCH_CAPACITOR ? HY_BRANCH_RESISTOR
                                                                            : e->kind;
      e->value = e->kind == HY_BRANCH_RESISTOR ? 1 + below(2) : e->value;
    }
    net_control(&net, 1 + k % 5);
    for (guint i = 0; i < net.n; i++) {
      Element *e = &net.e[i];
      static const double factors[] = {0, 1, -1, 2};
      e->sized = e->controlled;
      e->value = e->controlled ? factors[below(4)] : e->value;
    }
    Tableau *x = tableau_new(&net);
    gboolean determined = has_unknowns(&net) && is_determined(&net, x);
    for (guint i = 0; i < net.n; i++) {
      determined &= !net.e[i].controlled || x->known[i];
    }
    if (determined) {
      check_net(&net, &tally, 1e-9, TRUE);
    }
    g_free(x);
  }
  TEST_ASSERT_GREATER_THAN_UINT(250, tally.solved);
  TEST_ASSERT_GREATER_THAN_UINT(2000, tally.compared);
}

/* Currents stay exact where switches of 1e-7 and 1e7 Ohm stand side by side; potentials do not. */
static void test_currents_are_exact_beside_any_resistance(void)
{
#ifdef __SIZEOF_FLOAT128__
  Tally tally = {0};
  for (guint k = 0; k < 150; k++) {
    seed = 104729 * (k + 1);
    Net net = net_new(7.0);
    check_net(&net, &tally, 1e-11, FALSE);
  }
  TEST_ASSERT_GREATER_THAN_UINT(60, tally.solved);
#else
  TEST_IGNORE_MESSAGE("no wider arithmetic here");
#endif
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_random_circuits_equal_their_tableau);
  RUN_TEST(test_signals_for_sizes_equal_their_tableau);
  RUN_TEST(test_transformers_equal_their_tableau);
  RUN_TEST(test_transformers_between_states_equal_their_tableau);
  RUN_TEST(test_controlled_sources_equal_their_tableau);
  RUN_TEST(test_factors_that_take_a_pivot_take_no_solution);
  RUN_TEST(test_currents_are_exact_beside_any_resistance);
  return UNITY_END();
}
