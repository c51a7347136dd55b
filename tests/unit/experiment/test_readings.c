/* What a group computes of its states is what is, and not what was said: currents of small
 * resistances, whoever hears them. Against closed forms and Kirchhoff's laws. */
#include "circuit_run.h"

#include <glib/gstdio.h>
#include <stdlib.h>

static const char *const engines[] = {"tree", "flat", "fused"};

static double value_at(const HyRun *run, guint row, guint column)
{
  return hy_recorder_value(hy_run_table(run, 0), row, column);
}

/* 325 V, 50 Hz, behind RS at C beside R: amplitude and rms of what the source gives, settled. */
static double current_of(double Rs, double R, double C)
{
  double w = 100.0 * 3.141592653589793, y = 1.0 / R, b = w * C;
  double re = 1.0 + Rs * y, im = Rs * b; /* u = i (Rs + 1/(y + j b)) */
  return 325.0 * sqrt((y * y + b * b) / (re * re + im * im));
}

static char *rc_model(double Rs, const char *method)
{
  return g_strdup_printf(
      "<circuit name='c'><voltage name='U' nodes='a 0' value='325*sin(2*pi*50*t)'/>"
      "<resistor name='Rs' nodes='a b' R='%g'/><capacitor name='C' nodes='b 0' C='0.47u'/>"
      "<resistor name='R' nodes='b 0' R='100'/><out name='i' from='-U.i' unit='A'/></circuit>"
      "<block type='measure.rms' name='rms' in='c.i' period='20m'/>"
      "<experiment stop='60m' grid='20u' record='c.i rms c/Rs.i c/R.i c/C.i' method='%s'/>",
      Rs, method);
}

/* A quantum of 0.3 V at 2 mOhm would be 160 A. */
static void test_a_current_is_right_behind_any_resistance(void)
{
  static const double Rs[] = {1e-3, 2e-3, 20e-3, 1.0};
  static const char *const methods[] = {"block_liqss2", "cvode_bdf"};
  for (guint k = 0; k < 2 * G_N_ELEMENTS(Rs); k++) {
    g_autofree char *body = rc_model(Rs[k / 2], methods[k % 2]);
    double end[5];
    run_all(body, 5, end);
    double i = current_of(Rs[k / 2], 100.0, 0.47e-6);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * i, i / sqrt(2.0), end[1]);
  }
}

/* 230 V, 20 mOhm, a bridge, 1 mF, 100 Ohm, by CVODE, whose steps would go over the top of the mains
 * voltage: power and current by ngspice at reltol 1e-5. It had 227 steps when each other top was
 * missed. */
static void test_a_rectifier_is_right_by_cvode(void)
{
  g_autoptr(HyLoaded) loaded =
      load_text("<circuit name='c'><voltage name='U' nodes='a b' value='325*sin(2*pi*50*t)'/>"
                "<resistor name='Rs' nodes='a d' R='20m'/>"
                "<block type='power.diode_bridge' name='B' N='2' ac='d, b' p='p' n='0'/>"
                "<capacitor name='C' nodes='p 0' C='1m'/><resistor name='R' nodes='p 0' R='100'/>"
                "<out name='i' from='-U.i' unit='A'/><out name='u' from='U.v' unit='V'/></circuit>"
                "<block type='measure.power' name='g' v='c.u' i='c.i' period='20m'/>"
                "<block type='measure.rms' name='h' in='c.i' period='20m'/>"
                "<experiment stop='0.2' record='g.P h' grid='20u' method='cvode_bdf'/>");
  g_autofree char *first = NULL;
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyRun) run = go(loaded, engines[e]);
    HyGroupTotals totals;
    hy_sim_group(hy_run_sim(run), 0, &totals);
    TEST_ASSERT_LESS_THAN_UINT64(2 * 227, totals.totals.steps);
    TEST_ASSERT_DOUBLE_WITHIN(9.7, 975.86, last(run, 0));
    TEST_ASSERT_DOUBLE_WITHIN(0.094, 9.46809, last(run, 1));
    g_autofree char *text = g_strdup_printf("%.17g %.17g", last(run, 0), last(run, 1));
    first = first != NULL ? first : g_strdup(text);
    TEST_ASSERT_EQUAL_STRING(first, text);
  }
}

/* On a grid what is asked for at one instant is of one state: the currents of a node make 0. */
static void test_kirchhoff_holds_on_a_grid(void)
{
  g_autofree char *body = rc_model(2e-3, "block_liqss2");
  g_autoptr(HyLoaded) loaded = load_text(body);
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyRun) run = go(loaded, engines[e]);
    guint64 rows = hy_recorder_rows(hy_run_table(run, 0));
    TEST_ASSERT_TRUE(rows > 3000);
    for (guint n = 1; n < rows; n++) {
      double sum = value_at(run, n, 2) - value_at(run, n, 3) - value_at(run, n, 4);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12 * 3.3, 0.0, sum);
    }
  }
}

/* The currents of a node: columns and their signs, ended by 0. */
typedef struct {
  const char *circuit, *record;
  double stop;
  int node[3][6]; /* 1 + the column, with its sign; the next node behind a 0 */
} Kirchhoff;

#define BRIDGE(Rs, Ron, Roff)                                                                      \
  "<circuit name='c'><voltage name='U' nodes='a b' value='325*sin(2*pi*50*t)'/>"                   \
  "<resistor name='Rs' nodes='a d' R='" Rs "'/><ideal_diode name='D1' nodes='d p' Ron='" Ron       \
  "' Roff='" Roff "'/><ideal_diode name='D2' nodes='b p' Ron='" Ron "' Roff='" Roff                \
  "'/><ideal_diode name='D3' nodes='0 d' Ron='" Ron "' Roff='" Roff                                \
  "'/><ideal_diode name='D4' nodes='0 b' Ron='" Ron "' Roff='" Roff                                \
  "'/><capacitor name='C' nodes='p 0' C='1m'/><resistor name='R' nodes='p 0' R='100'/></circuit>", \
      "c/Rs.i c/D1.i c/D2.i c/D3.i c/D4.i c/C.i c/R.i c/U.i", 60e-3,                               \
  {                                                                                                \
    {1, -2, 4}, {2, 3, -6, -7},                                                                    \
    {                                                                                              \
      8, -3, 5                                                                                     \
    }                                                                                              \
  }
#define STAR(Rs, V)                                                                                \
  "<circuit name='c'><voltage name='U' nodes='a 0' value='" V                                      \
  "'/><resistor name='Rs' nodes='a b' R='" Rs "'/><resistor name='R2' nodes='b d' R='" Rs          \
  "'/><resistor name='R3' nodes='b e' R='0.3'/><capacitor name='C' nodes='d 0' C='0.47u' "         \
  "v0='400'/><capacitor name='C3' nodes='e 0' C='4.7u' v0='400'/>"                                 \
  "<resistor name='R' nodes='b 0' R='100'/></circuit>",                                            \
      "c/Rs.i c/R2.i c/R3.i c/R.i c/C.i c/C3.i c/U.i", 20e-3,                                      \
  {                                                                                                \
    {1, -2, -3, -4}, {2, -5},                                                                      \
    {                                                                                              \
      7, 1                                                                                         \
    }                                                                                              \
  }

static double largest_of(const HyRun *run, guint columns, guint64 from, guint64 rows)
{
  double largest = 0.0;
  for (guint64 n = from; n < rows; n++) {
    for (guint k = 0; k < columns; k++) {
      largest = fmax(largest, fabs(value_at(run, (guint)n, k)));
    }
  }
  return largest;
}

/* Largest current: settled, not of the first charge. */
static void check_kirchhoff(const Kirchhoff *of, const HyRun *run)
{
  guint64 rows = hy_recorder_rows(hy_run_table(run, 0)), from = rows / 10;
  g_auto(GStrv) column = g_strsplit(of->record, " ", -1);
  double largest = largest_of(run, g_strv_length(column), from, rows);
  TEST_ASSERT_TRUE(rows > 900 && largest < 60.0);
  for (guint64 n = from; n < rows; n++) {
    for (guint k = 0; k < G_N_ELEMENTS(of->node); k++) {
      double sum = 0.0;
      for (const int *i = of->node[k]; *i != 0; i++) {
        double v = value_at(run, (guint)n, (guint)abs(*i) - 1);
        sum += *i > 0 ? v : -v;
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-13 * largest, 0.0, sum);
    }
  }
}

/* Terms of 4e8 A in a current of 4 A: rows of doubles miss by 1e-8 of it. */
static void test_kirchhoff_holds_behind_any_resistance(void)
{
  static const Kirchhoff circuits[] = {
      {STAR("1u", "400")},          {STAR("1u", "325*sin(2*pi*50*t)")}, {STAR("2m", "400")},
      {BRIDGE("20m", "1m", "1M")},  {BRIDGE("2m", "1u", "1G")},         {BRIDGE("1", "1u", "1G")},
      {BRIDGE("2m", "50m", "10k")},
  };
  for (guint k = 0; k < G_N_ELEMENTS(circuits); k++) {
    g_autofree char *body =
        g_strdup_printf("%s<experiment stop='%g' grid='20u' record='%s'/>", circuits[k].circuit,
                        circuits[k].stop, circuits[k].record);
    g_autoptr(HyLoaded) loaded = load_text(body);
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      g_autoptr(HyRun) run = go(loaded, engines[e]);
      check_kirchhoff(&circuits[k], run);
    }
  }
}

/* 400 V - C.v is no rounding, and so what is recorded is what Ohm's law says of the recorded state,
 * to the last digit but one. */
static void test_a_current_is_that_of_the_state(void)
{
  const char *body = "<circuit name='c'><voltage name='U' nodes='a 0' value='400'/>"
                     "<resistor name='Rs' nodes='a b' R='1u'/>"
                     "<capacitor name='C' nodes='b 0' C='0.47u' v0='399.9999'/>"
                     "<resistor name='R' nodes='b 0' R='100'/></circuit>"
                     "<experiment stop='10p' grid='10f' record='c/C.v c/Rs.i c/C.i'/>";
  g_autoptr(HyLoaded) loaded = load_text(body);
  g_autoptr(HyRun) run = go(loaded, "fused");
  for (guint n = 1; n < 1000; n++) {
    double v = value_at(run, n, 0), i = (400.0 - v) / 1e-6;
    TEST_ASSERT_DOUBLE_WITHIN(1e-15 * i, i, value_at(run, n, 1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-15 * i, i - v / 100.0, value_at(run, n, 2));
  }
}

/* What a group answers is in the file, too, where the block itself has never had a word. */
static void test_no_field_is_empty(void)
{
  const Kirchhoff star = {STAR("1u", "400")};
  g_autofree char *body = g_strdup_printf("%s<experiment stop='1m' grid='20u' record='%s'/>",
                                          star.circuit, star.record);
  HyRunSettings settings = HY_RUN_SETTINGS;
  g_autofree char *dir = g_dir_make_tmp("hydevs-XXXXXX", NULL), *text = NULL;
  g_autofree char *file = g_build_filename(dir, "star.csv", NULL);
  g_autofree char *beside = g_strconcat(file, ".json", NULL);
  g_autoptr(HyLoaded) loaded = load_text(body);
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_TRUE(hy_run_record_csv(run, file, &error) && hy_run_go(run, &error));
  TEST_ASSERT_TRUE(hy_run_finish(run, 1e-3, &error) &&
                   g_file_get_contents(file, &text, NULL, &error));
  TEST_ASSERT_NULL(strstr(text, ",,"));
  TEST_ASSERT_NOT_NULL(strchr(text, '\n'));
  g_unlink(file);
  g_unlink(beside);
  g_rmdir(dir);
}

/* Who looks changes nothing: the columns of one recording are those of a larger one, bit by bit. */
static void test_more_columns_change_no_other(void)
{
  const char *circuit =
      "<pwm name='g' period='10u' duty='0.4'/><circuit name='c' g='g'><in name='g'/>"
      "<voltage name='U' nodes='in 0' value='24'/><ideal_switch name='S' nodes='in x' control='g'/>"
      "<ideal_diode name='D' nodes='0 x'/><inductor name='L' nodes='x out' L='20u'/>"
      "<capacitor name='C' nodes='out e' C='100u'/><resistor name='E' nodes='e 0' R='20m'/>"
      "<resistor name='R' nodes='out 0' R='3'/></circuit>";
  g_autofree char *few =
      g_strdup_printf("%s<experiment stop='1m' grid='0.7u' record='c/L.i c/out.v'/>", circuit);
  g_autofree char *many = g_strdup_printf(
      "%s<experiment stop='1m' grid='0.7u' record='c/L.i c/out.v c/C.v c/x.v c/S.i c/D.i c/R.i'/>",
      circuit);
  g_autoptr(HyLoaded) less = load_text(few), more = load_text(many);
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyRun) a = go(less, engines[e]), b = go(more, engines[e]);
    for (guint n = 0; n < 1400; n++) {
      TEST_ASSERT_TRUE(value_at(a, n, 0) == value_at(b, n, 0));
      TEST_ASSERT_TRUE(value_at(a, n, 1) == value_at(b, n, 1));
    }
  }
}

/* What is heard of 3 i + 2 h jumps with h, at once and by as much. */
static void test_a_word_from_outside_is_answered_at_once(void)
{
  const char *body =
      "<pulse name='h' start='1m' end='2m'/><circuit name='c'>"
      "<resistor name='R' nodes='a 0' R='1'/><inductor name='L' nodes='a 0' L='1m' i0='2'/>"
      "<out name='i' from='L.i'/></circuit><function name='y' formula='3*c.i + 2*h'/>"
      "<integrator name='Y' in='y' method='qss3' dqrel='1e-9' dqmin='1e-12'/>"
      "<experiment stop='3m' grid='0.1m' record='Y.x y'/>";
  double end[2];
  run_all(body, 2, end);
  TEST_ASSERT_DOUBLE_WITHIN(2e-6, 6e-3 * (1.0 - exp(-3.0)) + 2e-3, end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 6.0 * exp(-3.0), end[1]);
}

/* A limited reading says nothing beyond its limits, and what bends in it is right, too. */
static void test_limits_and_products(void)
{
  const char *body =
      "<circuit name='c'><resistor name='R' nodes='a 0' R='1'/>"
      "<inductor name='L' nodes='a 0' L='1m' i0='2'/><out name='i' from='L.i'/></circuit>"
      "<function name='y' formula='limit(c.i, 0.5, 1)'/><function name='p' formula='c.i*c.i'/>"
      "<integrator name='Y' in='y' method='qss3' dqrel='1e-9' dqmin='1e-12'/>"
      "<integrator name='P' in='p' method='qss3' dqrel='1e-9' dqmin='1e-12'/>"
      "<experiment stop='3m' record='Y.x P.x y p'/>";
  double end[4], t1 = log(2.0), t2 = log(4.0);
  run_all(body, 4, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1e-3 * (t1 + 1.0 - 0.5 + 0.5 * (3.0 - t2)), end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(2e-6, 1e-3 * 2.0 * (1.0 - exp(-6.0)), end[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.5, end[2]);
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, 4.0 * exp(-6.0), end[3]);
}

/* What answers the words of a group with what moves is told of them, and so is what is behind it:
 * each answer would else make the group speak again, at one instant without end. */
static void test_what_answers_words_is_no_reading(void)
{
  static const char *const h[] = {
      "<rate_limiter name='h' in='f' falling='-20' rising='20'/>",
      "<variable_delay name='h' in='f' time='0' maximum='1'/>",
      "<implicit name='h' formula='h + 0.25*h - 1.25*f'/>",
      "<loop_breaker name='h' in='0.5*h + 0.5*f'/>",
      "<function name='h' formula='if(sin(f) &gt; 0.5, f, f)'/>",
  };
  for (guint k = 0; k < G_N_ELEMENTS(h); k++) {
    g_autofree char *body = g_strdup_printf(
        "<equations name='G' method='block_liqss2'><state name='x' derivative='-x' x0='1'/>"
        "<state name='y' derivative='-2*y' x0='1'/><out name='x'/><out name='y'/></equations>"
        "<function name='f' formula='G.x*G.x'/>%s<function name='R' formula='h + G.y'/>"
        "<integrator name='Z' in='R' method='qss3' dqrel='1e-8' dqmin='1e-9'/>"
        "<experiment stop='2' dqrel='1e-6' dqmin='1e-9' grid='0.1' record='Z R'/>",
        h[k]);
    double end[2];
    run_all(body, 2, end);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1.0 - exp(-4.0), end[0]); /* x^2 = y */
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 2.0 * exp(-4.0), end[1]);
  }
}

/* A mode that only states of other methods read is the group's all the same, and what is behind it
 * hears of its toggle. */
static void test_a_mode_that_others_read(void)
{
  const char *body =
      "<equations name='G' method='block_liqss2'><state name='x' derivative='-x' x0='1'/>"
      "<state name='y' derivative='0.01'/><out name='x'/><out name='y'/></equations>"
      "<function name='f' formula='if(G.x &gt; 0.3, 1, 0)'/>"
      "<integrator name='Y' in='f' method='qss3' dqrel='1e-9' dqmin='1e-9'/>"
      "<function name='R' formula='100*f + G.y'/>"
      "<integrator name='Z' in='R' method='qss3' dqrel='1e-9' dqmin='1e-9'/>"
      "<experiment stop='3' record='Y Z'/>";
  double end[2], t = -log(0.3);
  run_all(body, 2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, t, end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 100.0 * t + 0.045, end[1]);
}

/* The mode that nobody reads, and the function that nobody records, change nothing either. */
static void test_what_nobody_needs_changes_nothing(void)
{
  const char *model =
      "<equations name='G' method='block_liqss2'>"
      "<state name='x' derivative='3.7*x - y'/><state name='y' derivative='-4*y - x' x0='1'/>"
      "<out name='x'/><out name='y'/></equations><saturation name='h' in='G.y' lower='-0.25' "
      "upper='0.5'/><function name='f' formula='if(G.x &gt; h, 3*G.x, 0)'/>"
      "<dead_band name='d' in='G.y' lower='-0.1' upper='0.2'/>"
      "<square name='u' frequency='3'/><function name='p' formula='u*G.x'/>"
      "<integrator name='Y' in='d' method='qss3' dqrel='1e-8' dqmin='1e-9'/>";
  g_autofree char *few = g_strdup_printf("%s<experiment stop='2' grid='0.1' record='Y'/>", model);
  g_autofree char *many =
      g_strdup_printf("%s<experiment stop='2' grid='0.1' record='Y f h p'/>", model);
  g_autoptr(HyLoaded) less = load_text(few), more = load_text(many);
  for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
    g_autoptr(HyRun) a = go(less, engines[e]), b = go(more, engines[e]);
    for (guint n = 0; n < 20; n++) {
      TEST_ASSERT_TRUE(value_at(a, n, 0) == value_at(b, n, 0));
    }
  }
}

/* A root has no slope where it begins. */
static void test_a_root_begins_at_zero(void)
{
  const char *body = "<equations name='G' method='block_liqss2'><state name='x' derivative='2*t'/>"
                     "<out name='x'/></equations><function name='r' formula='sqrt(abs(G.x))'/>"
                     "<integrator name='R' in='r' method='qss3' dqrel='1e-8' dqmin='1e-9'/>"
                     "<experiment stop='1' record='R r'/>";
  double end[2];
  run_all(body, 2, end);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.5, end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.0, end[1]);
}

/* A trace says who computes what a block says; of blocks that compute it themselves nothing. */
static void test_a_trace_names_the_group(void)
{
  static const struct {
    const char *method, *end;
  } cases[] = {{"block_liqss2", "; read by the group of c/C.v"}, {"liqss2", ")"}};
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *body = g_strdup_printf(
        "<circuit name='c'><voltage name='U' nodes='a 0' value='1'/><resistor name='Rs' "
        "nodes='a b' R='1'/><capacitor name='C' nodes='b 0' C='1'/></circuit>"
        "<experiment stop='1' method='%s' record='c/Rs.i'/>",
        cases[k].method);
    g_autoptr(HyLoaded) loaded = load_text(body);
    g_autoptr(HyRun) run = go(loaded, "tree");
    guint atomic = 0;
    TEST_ASSERT_TRUE(hy_sim_find(hy_run_sim(run), "c/Rs.i", &atomic));
    g_autofree char *text = hy_sim_print(hy_run_sim(run), atomic);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_suffix(text, cases[k].end), text);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_current_is_right_behind_any_resistance);
  RUN_TEST(test_a_rectifier_is_right_by_cvode);
  RUN_TEST(test_kirchhoff_holds_on_a_grid);
  RUN_TEST(test_kirchhoff_holds_behind_any_resistance);
  RUN_TEST(test_a_current_is_that_of_the_state);
  RUN_TEST(test_no_field_is_empty);
  RUN_TEST(test_more_columns_change_no_other);
  RUN_TEST(test_a_word_from_outside_is_answered_at_once);
  RUN_TEST(test_limits_and_products);
  RUN_TEST(test_what_answers_words_is_no_reading);
  RUN_TEST(test_a_mode_that_others_read);
  RUN_TEST(test_what_nobody_needs_changes_nothing);
  RUN_TEST(test_a_root_begins_at_zero);
  RUN_TEST(test_a_trace_names_the_group);
  return UNITY_END();
}
