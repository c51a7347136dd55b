/* Event blocks behind what an exact block computes: crossings and quantizers happen where the exact
 * motion passes their levels, and once, whatever the tolerance. Against closed forms, halved to the
 * last digit; what happens makes the block start anew at that very instant. */
#include "circuit_run.h"

#define STOP  5.0
#define LOOKS 40000 /* in which the truth is looked for */
#define MOST  2000

static const char *const engines[] = {"tree", "flat", "fused"};

static guint64 dice;

static double throw(double least, double most)
{
  dice = dice * 6364136223846793005U + 1442695040888963407U;
  return least + (most - least) * (double)(dice >> 11) * 0x1p-53;
}

static guint throw_below(guint n)
{
  return (guint) throw(0.0, n) % n;
}

/* y = sum of WEIGHT times x0 e^(-rate t) + rest (1 - e^(-rate t)), or of a swing that decays. */
typedef struct {
  double weight, rate, x0, rest, turn, q0;
} Term;

/* What is made of y and the last state, x: products, powers and more are no lines of states. */
typedef struct {
  const char *text;
  double (*z)(double y, double x, double t);
} Form;

#define FORM(name, result)                                                                         \
  static double name(double y, double x, double t)                                                 \
  {                                                                                                \
    (void)x, (void)t;                                                                              \
    return result;                                                                                 \
  }
FORM(straight, y)
FORM(square, y *y)
FORM(product, x *y)
FORM(third, y *y *y - 2.0 * x)
FORM(length, sqrt(1.0 + y * y + x * x))
FORM(quotient, y / (2.0 + x * x))
FORM(angle, sin(y) * x + 0.2 * y)
FORM(grows, exp(0.3 * y) - x * x)
FORM(positive, fabs(y) * x + 0.1 * x)
FORM(greater, fmax(x, y) * x)
FORM(driven, x *y + 2.0 * sin(3.0 * t) * y)

static const Form forms[] = {
    {"y*y", square},
    {"x*y", product},
    {"y^3 - 2*x", third},
    {"sqrt(1 + y^2 + x^2)", length},
    {"y/(2 + x^2)", quotient},
    {"sin(y)*x + 0.2*y", angle},
    {"exp(0.3*y) - x^2", grows},
    {"abs(y)*x + 0.1*x", positive},
    {"max(x, y)*x", greater},
    {"x*y + 2*sin(3*t)*y", driven},
};

typedef struct {
  Term term[5];
  guint n;
  GString *text;
  double (*z)(double y, double x, double t);
} Motion;

static double motion_at(const Motion *m, double t)
{
  double sum = 0.0, x = 0.0;
  for (guint k = 0; k < m->n; k++) {
    const Term *p = &m->term[k];
    double decay = exp(-p->rate * t);
    x = p->turn > 0.0 ? decay * (p->x0 * cos(p->turn * t) + p->q0 * sin(p->turn * t))
                      : p->rest + (p->x0 - p->rest) * decay;
    sum += p->weight * x;
  }
  return m->z(sum, x, t);
}

static void motion_add(Motion *m, gboolean swings)
{
  static const double rates[] = {0.3, 1.0, 5.0, 40.0}, turns[] = {2.0, 7.0, 30.0};
  Term *p = &m->term[m->n++];
  *p = (Term){.weight = throw(-2.0, 2.0), .x0 = throw(-3.0, 3.0)};
  if (swings) {
    p->turn = turns[throw_below(3)] * throw(0.7, 1.5);
    p->rate = throw_below(2) == 0 ? 0.0 : throw(0.1, 0.5);
    p->q0 = throw(-2.0, 2.0);
    g_string_append_printf(m->text,
                           "<integrator name='x%u' x0='%.17g' in='%.17g*x%u + %.17g*q%u'/>"
                           "<integrator name='q%u' x0='%.17g' in='%.17g*x%u - %.17g*q%u'/>",
                           m->n, p->x0, -p->rate, m->n, p->turn, m->n, m->n, p->q0, -p->turn, m->n,
                           p->rate, m->n);
  } else {
    p->rate = rates[throw_below(4)] * throw(0.5, 2.0);
    p->rest = throw(-2.0, 2.0);
    g_string_append_printf(m->text, "<integrator name='x%u' x0='%.17g' in='%.17g*(%.17g - x%u)'/>",
                           m->n, p->x0, p->rate, p->rest, m->n);
  }
}

/* z = y, or FORM of it; what it is between, in LEAST and MOST. */
static void motion_of_seed(Motion *m, guint64 seed, const Form *form, double *least, double *most)
{
  dice = seed;
  *m = (Motion){.text = g_string_new(NULL), .z = form != NULL ? form->z : straight};
  for (guint n = 1 + throw_below(3); m->n < n;) {
    motion_add(m, FALSE);
  }
  for (guint n = m->n + throw_below(3); m->n < n;) {
    motion_add(m, TRUE);
  }
  g_string_append(m->text, "<function name='y' formula='0");
  for (guint k = 0; k < m->n; k++) {
    g_string_append_printf(m->text, " + %.17g*x%u", m->term[k].weight, k + 1);
  }
  g_string_append(m->text, "'/>");
  g_string_append_printf(m->text,
                         "<function name='x' formula='x%u'/><function name='z' formula='%s'/>",
                         m->n, form != NULL ? form->text : "y");
  *least = *most = motion_at(m, 0.0);
  for (guint k = 0; k <= LOOKS; k++) {
    double y = motion_at(m, STOP * k / LOOKS);
    *least = fmin(*least, y);
    *most = fmax(*most, y);
  }
}

/* Where it passes LEVEL between FROM and TO. */
static double motion_passes(const Motion *m, double level, double from, double to)
{
  gboolean rises = motion_at(m, to) > motion_at(m, from);
  for (guint k = 0; k < 80; k++) {
    double t = 0.5 * (from + to);
    *((motion_at(m, t) > level) == rises ? &to : &from) = t;
  }
  return to;
}

/* All instants of a kind, and what is said from each of them on. */
typedef struct {
  double at[MOST], said[MOST];
  guint n;
} Instants;

static void instants_add(Instants *all, double t, double said)
{
  TEST_ASSERT_TRUE(all->n < MOST);
  all->at[all->n] = t;
  all->said[all->n++] = said;
}

static void find_crossings(const Motion *m, double level, const char *direction, Instants *all)
{
  double before = motion_at(m, 0.0);
  for (guint k = 0; k < LOOKS; k++) {
    double from = STOP * k / LOOKS, to = STOP * (k + 1) / LOOKS, y = motion_at(m, to);
    gboolean passes = (before > level) != (y > level);
    if (passes && strcmp(direction, y > level ? "down" : "up") != 0) {
      instants_add(all, motion_passes(m, level, from, to), all->n + 1);
    }
    before = y;
  }
}

static void find_levels(const Motion *m, double dq, double hysteresis, Instants *all)
{
  double level = floor(motion_at(m, 0.0) / dq);
  for (guint k = 0; k < LOOKS; k++) {
    double from = STOP * k / LOOKS, to = STOP * (k + 1) / LOOKS, y = motion_at(m, to);
    while (y > (level + 1.0) * dq || y < level * dq - hysteresis) {
      gboolean rises = y > (level + 1.0) * dq;
      double end = rises ? (level + 1.0) * dq : level * dq - hysteresis;
      level += rises ? 1.0 : -1.0;
      instants_add(all, motion_passes(m, end, from, to), level * dq);
    }
  }
}

static void check_run(const Motion *m, const char *blocks, const char *said, double tolerance,
                      const Instants *right)
{
  g_autofree char *body = g_strdup_printf(
      "%s%s<integrator name='heard' in='%s - heard'/><experiment stop='%g' method='block_liqss2' "
      "dqrel='%g' dqmin='%g' record='%s heard'/>",
      m->text->str, blocks, said, STOP, tolerance, 1e-3 * tolerance, said);
  g_autoptr(HyLoaded) loaded = load_text(body);
  g_autoptr(HyRun) first = go(loaded, engines[0]);
  const HyRecorder *table = hy_run_table(first, 0);
  guint n = 0;
  for (guint64 k = 1; k < hy_recorder_rows(table); k++) {
    if (hy_recorder_value(table, k, 0) != hy_recorder_value(table, k - 1, 0)) {
      TEST_ASSERT_TRUE_MESSAGE(n < right->n, body);
      TEST_ASSERT_DOUBLE_WITHIN(1e-10, right->at[n], hy_recorder_time(table, k));
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, right->said[n], hy_recorder_value(table, k, 0));
      n++;
    }
  }
  TEST_ASSERT_EQUAL_UINT_MESSAGE(right->n, n, body);
  for (guint e = 1; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyRun) run = go(loaded, engines[e]);
    const HyRecorder *other = hy_run_table(run, 0);
    TEST_ASSERT_EQUAL_UINT64(hy_recorder_rows(table), hy_recorder_rows(other));
    for (guint64 k = 0; k < hy_recorder_rows(table); k++) {
      TEST_ASSERT_TRUE(hy_recorder_time(table, k) == hy_recorder_time(other, k) &&
                       hy_recorder_value(table, k, 0) == hy_recorder_value(other, k, 0) &&
                       hy_recorder_value(table, k, 1) == hy_recorder_value(other, k, 1));
    }
  }
}

static void check_crossings(guint seed, const Form *form)
{
  static const char *const directions[] = {"up", "down", "both"};
  static Instants right;
  Motion m;
  double least, most;
  motion_of_seed(&m, 1000 + seed, form, &least, &most);
  double level = throw(least, most);
  const char *direction = directions[seed % 3];
  g_autofree char *blocks = g_strdup_printf(
      "<crossing name='k' in='z' level='%.17g' direction='%s'/><counter name='n' in='k'/>", level,
      direction);
  right.n = 0;
  find_crossings(&m, level, direction, &right);
  check_run(&m, blocks, "n", seed % 2 == 0 ? 1e-3 : 1e-6, &right);
  g_string_free(m.text, TRUE);
}

static void check_levels(guint seed, const Form *form)
{
  static Instants right;
  Motion m;
  double least, most;
  motion_of_seed(&m, 9000 + seed, form, &least, &most);
  double dq = (most - least) / throw(1.5, 12.0);
  double hysteresis = dq * (seed % 3 == 0 ? 0.0 : seed % 3 == 1 ? 0.3 : 1.4);
  g_autofree char *blocks =
      g_strdup_printf("<quantizer name='k' in='z' dq='%.17g' hysteresis='%.17g'/>", dq, hysteresis);
  right.n = 0;
  find_levels(&m, dq, hysteresis, &right);
  check_run(&m, blocks, "k", seed % 2 == 0 ? 1e-3 : 1e-6, &right);
  g_string_free(m.text, TRUE);
}

static void test_crossings_are_where_the_motion_passes(void)
{
  for (guint seed = 1; seed <= 60; seed++) {
    check_crossings(seed, NULL);
  }
}

static void test_levels_of_a_quantizer_are_where_the_motion_passes(void)
{
  for (guint seed = 1; seed <= 40; seed++) {
    check_levels(seed, NULL);
  }
}

#ifdef __SANITIZE_ADDRESS__ /* the same code, other numbers */
#define BENDS 20
#else
#define BENDS 60
#endif

static void test_what_bends_is_found_on_the_motion(void)
{
  for (guint seed = 1; seed <= BENDS; seed++) {
    check_crossings(seed, &forms[seed % G_N_ELEMENTS(forms)]);
    check_levels(seed, &forms[seed % G_N_ELEMENTS(forms)]);
  }
}

/* How many events of BODY, with n the counter, and the instant at which the last one comes. */
static double count_of(const char *body, double *at)
{
  double end[1];
  g_autofree char *text =
      g_strdup_printf("%s<counter name='n' in='k'/><integrator name='z' in='n - z'/>"
                      "<experiment stop='60' method='block_liqss2' record='n'/>",
                      body);
  run_all(text, 1, end);
  g_autoptr(HyLoaded) loaded = load_text(text);
  g_autoptr(HyRun) run = go(loaded, "fused");
  const HyRecorder *table = hy_run_table(run, 0);
  for (guint64 k = 1; k < hy_recorder_rows(table); k++) {
    gboolean counts = hy_recorder_value(table, k, 0) != hy_recorder_value(table, k - 1, 0);
    *at = counts ? hy_recorder_time(table, k) : *at;
  }
  return end[0];
}

#define SWING "<integrator name='p' x0='1' in='q'/><integrator name='q' in='-p'/>"

/* cos t up to 60: it is at 1 nine times behind the start, and at 0.9999999999 twice each. */
static void test_what_only_touches_passes_by(void)
{
  double at = NAN;
  TEST_ASSERT_EQUAL_DOUBLE(0, count_of(SWING "<crossing name='k' in='p' level='1'/>", &at));
  TEST_ASSERT_EQUAL_DOUBLE(0, count_of(SWING "<crossing name='k' in='2*p+5' level='3'/>", &at));
  TEST_ASSERT_EQUAL_DOUBLE(19,
                           count_of(SWING "<crossing name='k' in='p' level='0.9999999999'/>", &at));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 18.0 * G_PI + acos(0.9999999999), at);
}

/* (cos t)^2 up to 60. */
static void test_squares_pass_twice_and_touch_at_their_ends(void)
{
  double at = NAN;
  TEST_ASSERT_EQUAL_DOUBLE(38, count_of(SWING "<crossing name='k' in='p*p' level='0.25'/>", &at));
  TEST_ASSERT_DOUBLE_WITHIN(1e-11, (18.0 + 2.0 / 3.0) * G_PI, at);
  TEST_ASSERT_EQUAL_DOUBLE(0, count_of(SWING "<crossing name='k' in='p^2' level='0'/>", &at));
  TEST_ASSERT_EQUAL_DOUBLE(0, count_of(SWING "<crossing name='k' in='p^2' level='1'/>", &at));
  TEST_ASSERT_EQUAL_DOUBLE(
      0, count_of(SWING "<crossing name='k' in='p*p + q*q' level='1.0001'/>", &at));
}

/* At its level a comparison is below: to rise from there is to cross. */
static void test_a_start_at_the_level(void)
{
  double at = NAN;
  TEST_ASSERT_EQUAL_DOUBLE(1, count_of("<integrator name='x' x0='1' in='1-0.1*x'/>"
                                       "<crossing name='k' in='x' level='1'/>",
                                       &at));
  TEST_ASSERT_EQUAL_DOUBLE(0, count_of("<integrator name='x' x0='1' in='-0.1*x'/>"
                                       "<crossing name='k' in='x' level='1'/>",
                                       &at));
}

/* A jump beyond is a crossing, also where the input is on its way back; each of its own. */
static void test_a_jump_beyond_the_level_counts(void)
{
  double at = NAN;
  TEST_ASSERT_EQUAL_DOUBLE(2, count_of("<step name='a' at='2'/><step name='b' at='4' to='-1'/>"
                                       "<integrator name='x' x0='0.2' in='-0.01*x'/>"
                                       "<crossing name='k' in='x + a + b' level='0.7'/>",
                                       &at));
  TEST_ASSERT_EQUAL_DOUBLE(4.0, at);
  TEST_ASSERT_EQUAL_DOUBLE(59, count_of("<reset_integrator name='x' in='1' reset='k' value='0'/>"
                                        "<crossing name='k' in='2*x + 1' level='3.02' "
                                        "direction='up'/>",
                                        &at));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 59 * 1.01, at);
}

static void test_a_run_stops_where_the_motion_passes(void)
{
  double end[1];
  run_all("<integrator name='x' x0='1' in='-x'/><integrator name='t' in='1'/>"
          "<stop name='s' in='2*x' level='1' direction='down'/>"
          "<experiment stop='60' method='block_liqss2' record='t'/>",
          1, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, log(2.0), end[0]);
  run_all("<integrator name='x' x0='1' in='-x'/><integrator name='t' in='1'/>"
          "<stop name='s' in='x*x' level='0.25' direction='down'/>"
          "<experiment stop='60' method='block_liqss2' record='t'/>",
          1, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, log(2.0), end[0]);
}

/* Between two levels that drive it back x + v slides along theirs: then v' = -v. */
static void test_a_quantizer_slides_along_a_level(void)
{
  double end[2];
  run_all("<integrator name='v' in='-q - 0.1*v + 0.3'/><integrator name='x' in='v'/>"
          "<quantizer name='q' in='x + v'/>"
          "<experiment stop='4' method='block_liqss2' record='v x q'/>",
          2, end);
  double since = 0.0, until = 4.0; /* x + v = 1 for the first time */
  for (guint k = 0; k < 100; k++) {
    double t = 0.5 * (since + until), v = 3.0 * (1.0 - exp(-0.1 * t)),
           x = 3.0 * t - 30.0 * (1.0 - exp(-0.1 * t));
    *(x + v > 1.0 ? &until : &since) = t;
  }
  double v = 3.0 * (1.0 - exp(-0.1 * since)) * exp(-(4.0 - since));
  TEST_ASSERT_DOUBLE_WITHIN(2e-3, v, end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(2e-3, 1.0, end[0] + end[1]);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_crossings_are_where_the_motion_passes);
  RUN_TEST(test_levels_of_a_quantizer_are_where_the_motion_passes);
  RUN_TEST(test_what_bends_is_found_on_the_motion);
  RUN_TEST(test_what_only_touches_passes_by);
  RUN_TEST(test_squares_pass_twice_and_touch_at_their_ends);
  RUN_TEST(test_a_start_at_the_level);
  RUN_TEST(test_a_jump_beyond_the_level_counts);
  RUN_TEST(test_a_run_stops_where_the_motion_passes);
  RUN_TEST(test_a_quantizer_slides_along_a_level);
  return UNITY_END();
}
