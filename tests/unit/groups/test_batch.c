/* Rows evaluated together, by columns or as one program, are to the last bit what each is alone. */
#include "groups/batch.h"
#include "groups/joint.h"
#include "hydevs/load.h"
#include "sim/engine.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static guint64 seed = 1;

static guint pick(guint n)
{
  seed = seed * 6364136223846793005U + 1442695040888963407U;
  return (guint)((seed >> 33) % n);
}

static double uniform(double from, double to)
{
  return from + (to - from) * pick(1U << 30) / (double)(1U << 30);
}

/* A formula of section i: neighbours, other lines of states, numbers of its own; no part of it is a
 * number. */
static void put_formula(GString *out, guint depth)
{
  static const char *const leaves[] = {"x[i]",          "x[i-1]",    "x[i+1]",     "y[i]",
                                       "(p[i] + x[i])", "1.25*y[i]", "(k - z[i])", "u"};
  static const char *const functions[] = {"sin(", "exp(", "tanh(",   "sqrt(1.5 + ",
                                          "abs(", "-(",   "log(3 + "};
  static const char *const operations[] = {" + ", " - ", " * ", " / "};
  static const char *const powers[] = {"^2", "^3", "^0.5", "^(-2)"};
  guint what = depth == 0 ? 0 : pick(10);
  if (what == 0) {
    g_string_append(out, leaves[pick(G_N_ELEMENTS(leaves))]);
  } else if (what < 6) {
    g_string_append_c(out, '(');
    put_formula(out, depth - 1);
    g_string_append(out, operations[pick(G_N_ELEMENTS(operations))]);
    put_formula(out, depth - 1);
    g_string_append_c(out, ')');
  } else if (what == 6) {
    g_string_append_c(out, '(');
    put_formula(out, depth - 1);
    g_string_append_printf(out, ")%s", powers[pick(G_N_ELEMENTS(powers))]);
  } else if (what == 7) {
    g_string_append(out, "max(");
    put_formula(out, depth - 1);
    g_string_append(out, ", ");
    put_formula(out, depth - 1);
    g_string_append_c(out, ')');
  } else {
    g_string_append(out, functions[pick(G_N_ELEMENTS(functions))]);
    put_formula(out, depth - 1);
    g_string_append_c(out, ')');
  }
}

/* In parentheses: what is behind a factor and would else be a wire, of a block to itself perhaps.
 */
static void put_factor(GString *out, guint depth)
{
  g_string_append_c(out, '(');
  put_formula(out, depth);
  g_string_append_c(out, ')');
}

/* N sections: x nonlinear or not, as it comes; y linear; z linear with a mode. */
static char *random_model(guint n)
{
  GString *text = g_string_new(NULL);
  g_string_append_printf(
      text,
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><param name=\"k\" value=\"0.7\"/>"
      "<param name=\"p\" count=\"%u\" value=\"%s\"/><sine name=\"u\" frequency=\"0.1\"/>"
      "<integrator name=\"x\" count=\"%u\" before=\"0.5\" after=\"x[1]\" in=\"1.5*",
      n, pick(2) == 0 ? "0.3" : "0.1 + i/7", n);
  put_factor(text, 4);
  g_string_append_printf(
      text,
      "\"/><integrator name=\"y\" count=\"%u\" in=\"p[i]*y[i] - 3*x[i] + u\"/>"
      "<integrator name=\"z\" count=\"%u\" in=\"if(y[i], 2, p[i])*z[i] - p[i]*u\"/>"
      "<experiment stop=\"1\"/></hydevs>",
      n, n);
  return g_string_free(text, FALSE);
}

typedef struct {
  HyLoaded *loaded;
  HySim *sim;
  HyRoom *room;
  guint n;
  guint32 *row; /* in an order of its own */
  double *at;   /* by slot */
} Case;

static Case case_open(const char *text)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  Case c = {.loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report)};
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(c.loaded, messages);
  c.sim = hy_sim_new(hy_loaded_model(c.loaded), HY_FLAT, &error);
  TEST_ASSERT_NULL(error);
  TEST_ASSERT_TRUE(hy_sim_init_equations(c.sim, 0, &error));
  c.room = c.sim->room;
  c.n = c.room->rows.rows->len;
  c.row = g_new(guint32, c.n);
  for (guint32 k = 0; k < c.n; k++) {
    c.row[k] = k;
  }
  for (guint k = 0; k < c.n / 3;
       k++) { /* here and there another order, so that rows do not follow */
    guint i = pick(c.n), j = pick(c.n);
    guint32 row = c.row[i];
    c.row[i] = c.row[j];
    c.row[j] = row;
  }
  c.at = g_new0(double, c.sim->graph->first_out[c.sim->n] + HY_PAD);
  return c;
}

static void case_close(Case *c)
{
  hy_sim_free(c->sim);
  hy_loaded_free(c->loaded);
  g_free(c->row);
  g_free(c->at);
}

static void change_all(Case *c)
{
  for (guint k = 0; k < c->sim->graph->first_out[c->sim->n]; k++) {
    c->at[k] = pick(20) == 0 ? -0.0 : uniform(-2, 2);
  }
  for (guint a = 0; a < c->sim->n; a++) {
    guint8 mode[16];
    guint n = c->room->kind[a] != NULL ? c->room->kind[a]->n_modes : 0;
    for (guint k = 0; k < n; k++) {
      mode[k] = (guint8)pick(2);
    }
    hy_room_decided(c->room, a, 0, mode, n);
  }
}

static gboolean same(double a, double b)
{
  return a == b ? signbit(a) == signbit(b) : isnan(a) && isnan(b);
}

/* By the program of the row alone, or its factors. */
static double alone(const Case *c, guint k, const double *value)
{
  HyRunRow *r = &c->room->run[c->row[k]];
  if (!r->linear) {
    return hy_template_at(r->shape, value, r->number, hy_room_choices(c->room, r));
  }
  const double *a = hy_room_row_factors(c->room, r);
  double sum = a[r->n_slots];
  for (guint j = 0; j < r->n_slots; j++) {
    sum += a[j] * value[j];
  }
  return sum;
}

static void slots_of(const Case *c, guint k, double *value)
{
  const HyRunRow *r = &c->room->run[c->row[k]];
  for (guint j = 0; j < r->n_slots; j++) {
    value[j] = c->at[r->slot[j]];
  }
}

static void expect_values(const Case *c, HyBatches *b)
{
  double value[HY_WIDE] = {0.0};
  g_autofree double *out = g_new0(double, c->n);
  g_autofree guint8 *left = g_new0(guint8, c->n);
  guint n_alone;
  const guint32 *other = hy_batches_alone(b, &n_alone);
  for (guint k = 0; k < n_alone; k++) {
    left[other[k]] = 1;
  }
  TEST_ASSERT_TRUE(n_alone < 8);
  hy_batches_values(b, c->at, out);
  for (guint k = 0; k < c->n; k++) {
    slots_of(c, k, value);
    TEST_ASSERT_TRUE(left[k] || same(alone(c, k, value), out[k]));
  }
}

static void expect_partials(const Case *c, HyBatches *b)
{
  double value[HY_WIDE] = {0.0};
  guint n;
  const HyPartial *entry = hy_batches_entries(b, &n);
  g_autofree double *out = g_new0(double, n);
  hy_batches_partials(b, c->at, out);
  for (guint k = 0; k < n; k++) {
    HyRunRow *r = &c->room->run[c->row[entry[k].row]];
    slots_of(c, entry[k].row, value);
    double one = r->linear ? hy_room_row_factors(c->room, r)[entry[k].slot]
                           : hy_template_partial(r->shape, entry[k].slot, value, r->number,
                                                 hy_room_choices(c->room, r));
    TEST_ASSERT_TRUE(same(one, out[k]));
  }
}

/* More sections than a column has, and few. */
static void test_together_is_what_each_is_alone(void)
{
  for (guint model = 0; model < 60; model++) {
    g_autofree char *text = random_model(model % 3 == 0 ? 7 : 150 + pick(200));
    Case c = case_open(text);
    HyBatches *b = hy_batches_new(c.room, c.row, c.n);
    for (guint k = 0; k < 3; k++) {
      change_all(&c);
      expect_values(&c, b);
      expect_partials(&c, b);
    }
    hy_batches_free(b);
    case_close(&c);
  }
}

/* Eight states whose formulas have parts in common. */
static char *few_rows(void)
{
  GString *text = g_string_new("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><sine name=\"u\"/>"
                               "<param name=\"k\" value=\"0.7\"/>"
                               "<param name=\"p\" count=\"8\" value=\"i/3\"/>");
  for (int line = 0; line < 3; line++) {
    g_string_append_printf(
        text, "<integrator name=\"%c\" count=\"8\" before=\"0.1\" after=\"2\" in=\"1.5*",
        "xyz"[line]);
    put_factor(text, 3);
    g_string_append(text, "\"/>");
  }
  for (int other = 0; other < 3; other++) {
    g_string_append_printf(text, "<integrator name=\"w%d\" in=\"(x[2] + y[3])*(x[2] - u) + %d*",
                           other, other);
    g_string_append(text, "exp(z[1]*(x[2] - u))\"/>");
  }
  g_string_append(text, "<experiment stop=\"1\"/></hydevs>");
  return g_string_free(text, FALSE);
}

static void test_one_program_is_what_each_is_alone(void)
{
  for (guint model = 0; model < 60; model++) {
    g_autofree char *text = few_rows();
    Case c = case_open(text);
    HyJoint *j = hy_joint_new(c.room, c.row, c.n);
    g_autofree double *out = g_new0(double, c.n);
    for (guint k = 0; k < 3; k++) {
      change_all(&c);
      hy_joint_values(j, c.at, out);
      for (guint i = 0; i < c.n; i++) {
        double value[HY_WIDE] = {0.0};
        slots_of(&c, i, value);
        TEST_ASSERT_TRUE(c.room->run[c.row[i]].linear || same(alone(&c, i, value), out[i]));
      }
    }
    hy_joint_free(j);
    case_close(&c);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_together_is_what_each_is_alone);
  RUN_TEST(test_one_program_is_what_each_is_alone);
  return UNITY_END();
}
