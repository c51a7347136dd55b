/* Runs of the models that come with PowerDEVS beside references made in another way: fixed steps of
 * Runge and Kutta, exact solutions between events, and the numbers of events that PowerDEVS' own
 * engine has. Where HYDEVS_POWERDEVS names no folder nothing is tested. */
#include "hydevs/hydevs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

static const char *folder;

void setUp(void)
{
}

void tearDown(void)
{
}

typedef struct {
  HyLoaded *loaded;
  HyRun *run;
  const HyRecorder *rows; /* of the first table: the time, then the columns */
} Done;

static void done_clear(Done *d)
{
  hy_run_free(d->run);
  hy_loaded_free(d->loaded);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Done, done_clear)

/* NAME to STOP, recorded at each GRID (0: at events), with what else RECORD names, by tolerances
 * SETS. */
static Done go(const char *name, double stop, double grid, const char *const *record,
               const char *const *sets)
{
  g_autofree char *file = g_strdup_printf("%s/%s.pdm", folder, name);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  const HyLoadOptions options = {.formats = hy_formats(), .set = sets, .record = record};
  Done d = {.loaded = hy_load_file(file, &options, report)};
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(d.loaded, said);
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.stop = stop;
  settings.grid = grid;
  settings.seed = 1;
  d.run = hy_run_new(d.loaded, &settings, &error);
  TEST_ASSERT_TRUE_MESSAGE(d.run != NULL && hy_run_record(d.run, &error) &&
                               hy_run_go(d.run, &error),
                           error != NULL ? error->message : "");
  d.rows = hy_run_table(d.run, 0);
  return d;
}

/* How often BLOCK has had its turn. */
static guint64 turns(const Done *d, const char *block)
{
  guint atomic;
  guint64 n_int, n_ext;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(hy_run_sim(d->run), block, &atomic), block);
  hy_sim_counts(hy_run_sim(d->run), atomic, &n_int, &n_ext);
  return n_int;
}

/* What PowerDEVS' engine counts of its own runs (2014, outputs of the block), where that does not
 * hang on the phase of a ripple: the same number, or within 4 %. */
static void test_events_are_as_many_as_in_powerdevs(void)
{
  static const struct {
    const char *model;
    double stop;
    const char *block;
    guint64 theirs;
    gboolean equal;
  } counts[] = {{"tank", 10, "Level", 24, TRUE},
                {"nl_stiff", 500, "QSS_Integrator0", 100, TRUE},
                {"nl_stiff", 500, "QSS_Integrator4", 102, TRUE},
                {"nl_stiff", 500, "QSS_Integrator5", 315, TRUE},
                {"qoperator", 10, "Unit_Delay_0", 11, TRUE},
                {"qoperator", 10, "Unit_Delay_1", 11, TRUE},
                {"nicholson_bailey", 50, "Unit_Delay_0", 51, TRUE},
                {"nicholson_bailey", 50, "Unit_Delay_1", 51, TRUE},
                {"lotka_volterra", 300, "QSS_Integrator_0", 145, FALSE},
                {"lotka_volterra", 300, "QSS_Integrator_1", 150, FALSE},
                {"dc_drive", 5, "Coupled0/QSS_Integrator0", 3135, FALSE},
                {"dc_drive", 5, "Coupled0/QSS_Integrator1", 17986, FALSE},
                {"buck_disc", 0.01, "QSS_Integrator0", 610, FALSE},
                {"buck_disc", 0.01, "QSS_Integrator1", 312, FALSE}};
  for (guint k = 0; k < G_N_ELEMENTS(counts); k++) {
    g_auto(Done) d = go(counts[k].model, counts[k].stop, 0, NULL, NULL);
    guint64 ours = turns(&d, counts[k].block);
    if (counts[k].equal) {
      TEST_ASSERT_EQUAL_UINT64_MESSAGE(counts[k].theirs, ours, counts[k].model);
    } else {
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(0.04 * (double)counts[k].theirs, (double)counts[k].theirs,
                                        (double)ours, counts[k].model);
    }
  }
}

/* Runge and Kutta --------------------------------------------------------------------------------
 */

#define MOST 3

typedef void (*Rates)(const double *x, double u, double *f); /* x' of x and an input */

static void step(Rates rates, guint n, double *x, double u, double h)
{
  double k[4][MOST], y[MOST];
  for (guint stage = 0; stage < 4; stage++) {
    double part = stage == 0 ? 0 : stage == 3 ? h : h / 2;
    for (guint i = 0; i < n; i++) {
      y[i] = x[i] + (stage > 0 ? part * k[stage - 1][i] : 0);
    }
    rates(y, u, k[stage]);
  }
  for (guint i = 0; i < n; i++) {
    x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

/* The columns of D are the first of N states from X on, by STEPS steps between two rows. */
static void agree(const Done *d, Rates rates, guint n, double *x, guint columns, guint steps,
                  const double *tolerance)
{
  guint64 rows = hy_recorder_rows(d->rows);
  TEST_ASSERT_GREATER_THAN_UINT64(50, rows);
  for (guint64 row = 0; row < rows; row++) {
    for (guint k = 0; k < columns; k++) {
      TEST_ASSERT_DOUBLE_WITHIN(tolerance[k], x[k], hy_recorder_value(d->rows, row, k));
    }
    double from = hy_recorder_time(d->rows, row);
    double to = row + 1 < rows ? hy_recorder_time(d->rows, row + 1) : from;
    for (guint k = 0; k < steps && to > from; k++) {
      step(rates, n, x, 0, (to - from) / steps);
    }
  }
}

static void lotka_volterra(const double *x, double u, double *f)
{
  (void)u;
  f[0] = 0.1 * x[0] - 0.1 * x[0] * x[1];
  f[1] = 0.1 * x[0] * x[1] - 0.1 * x[1];
}

/* With the quanta of the model, of 1e-3 of the state, and with a thousandth of them. */
static void test_predators_and_their_prey(void)
{
  static const char *const fine[] = {"QSS_Integrator_0.dqrel=1e-6", "QSS_Integrator_1.dqrel=1e-6",
                                     NULL};
  double x[] = {0.5, 0.5}, y[] = {0.5, 0.5};
  g_auto(Done) model = go("lotka_volterra", 300, 1, NULL, NULL);
  agree(&model, lotka_volterra, 2, x, 2, 100, (const double[]){0.02, 0.02});
  g_auto(Done) tight = go("lotka_volterra", 300, 1, NULL, fine);
  agree(&tight, lotka_volterra, 2, y, 2, 100, (const double[]){2e-4, 2e-4});
}

static void nl_stiff(const double *x, double u, double *f)
{
  (void)u;
  f[0] = -0.013 * x[0] - 1000 * x[0] * x[2];
  f[1] = -2500 * x[1] * x[2];
  f[2] = -0.013 * x[0] - 1000 * x[0] * x[2] - 2500 * x[1] * x[2];
}

/* Quanta of 0.01 for two of the states, on either side with bqss, and with a hundredth of them. The
 * third, which follows them within a millisecond, is looked at by what it does to them. */
static void test_a_stiff_reaction(void)
{
  static const char *const fine[] = {"QSS_Integrator0.dqmin=1e-4", "QSS_Integrator4.dqmin=1e-4",
                                     "QSS_Integrator5.dqmin=5e-10", NULL};
  double x[] = {1, 1, 0}, y[] = {1, 1, 0};
  g_auto(Done) model = go("nl_stiff", 500, 5, NULL, NULL);
  agree(&model, nl_stiff, 3, x, 2, 12500, (const double[]){0.04, 0.04});
  g_auto(Done) tight = go("nl_stiff", 500, 5, NULL, fine);
  agree(&tight, nl_stiff, 3, y, 2, 12500, (const double[]){4e-4, 4e-4});
}

/* A drive: speed and current; u has the voltage, and the load by LOAD. */
static double load;

static void drive(const double *x, double u, double *f)
{
  f[0] = -0.06667 * load + 0.45233 * x[1] - 0.003333 * x[0];
  f[1] = 333.33 * u - 2261.67 * x[0] - 16.667 * x[1];
}

/* The saturated error of the speed less the triangle between -1.1 and 1.1. */
static double pulse(double t, double speed)
{
  double error = CLAMP(60 * fmin(t / 2, 1) - speed, -1, 1);
  double phase = t * 1000 - floor(t * 1000);
  return error - 1.1 * (phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase);
}

/* From T to TO; steps end where the pulse changes its sign, found by halving. */
static double run_drive(double *x, double t, double to)
{
  const double h = 1e-5;
  while (t < to - 1e-12) {
    double u = pulse(t + 1e-10, x[0]) > 0 ? 500 : -500, low = 0, high = fmin(h, to - t);
    double y[] = {x[0], x[1]};
    load = t >= 3 - 1e-12 ? 2500 : 0;
    step(drive, 2, y, u, high);
    for (gboolean turns_over = (pulse(t + high, y[0]) > 0) != (u > 0);
         turns_over && high - low > 1e-11;) {
      double middle = (low + high) / 2;
      y[0] = x[0];
      y[1] = x[1];
      step(drive, 2, y, u, middle);
      *((pulse(t + middle, y[0]) > 0) != (u > 0) ? &high : &low) = middle;
    }
    step(drive, 2, x, u, high);
    t += high;
  }
  return to;
}

/* The speed as the pulses see it is held to a quantum, of 1e-3 of it, and so is what is recorded;
 * with a hundredth of that, too. */
static void test_a_drive(void)
{
  static const char *const sets[] = {"Coupled0/QSS_Integrator0.dqrel=1e-5",
                                     "Coupled0/QSS_Integrator1.dqrel=1e-5", NULL};
  double x[] = {0, 0}, t = 0;
  g_auto(Done) model = go("dc_drive", 5, 0.05, NULL, NULL);
  g_auto(Done) tight = go("dc_drive", 5, 0.05, NULL, sets);
  for (guint64 row = 0; row < hy_recorder_rows(model.rows); row++) {
    t = run_drive(x, t, hy_recorder_time(model.rows, row));
    double quantum = 1e-3 * fmax(fabs(x[0]), 1);
    TEST_ASSERT_DOUBLE_WITHIN(2 * quantum, x[0], hy_recorder_value(model.rows, row, 0));
    TEST_ASSERT_DOUBLE_WITHIN(0.03 * quantum, x[0], hy_recorder_value(tight.rows, row, 0));
  }
}

/* A buck converter with resistances as switches ---------------------------------------------------
 */

/* x = (i, v, 1): x' = A x, and after H exactly, by squares of a Taylor series. */
static void exponential(double i_rate, double i_drive, double h, double m[3][3])
{
  const double a[3][3] = {{i_rate, -1e4, i_drive}, {1e4, -1e3, 0}, {0, 0, 0}};
  int squares = MAX(0, (int)ceil(log2((fabs(i_rate) + 2e4) * h / 0.1)));
  double part = ldexp(h, -squares), term[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  memcpy(m, term, sizeof term);
  for (guint n = 1; n <= 12 + (guint)squares; n++) {
    double next[3][3] = {{0}};
    gboolean square = n > 12;
    for (guint r = 0; r < 3; r++) {
      for (guint c = 0; c < 3; c++) {
        for (guint k = 0; k < 3; k++) {
          next[r][c] += square ? m[r][k] * m[k][c] : term[r][k] * a[k][c] * part / n;
        }
      }
    }
    for (guint r = 0; r < 3; r++) {
      for (guint c = 0; c < 3; c++) {
        m[r][c] = square ? next[r][c] : m[r][c] + next[r][c];
      }
    }
    memcpy(term, next, sizeof next);
  }
}

typedef struct {
  gboolean on, blocks; /* the transistor conducts; the diode does not */
} Valves;

static double resistance(gboolean conducts)
{
  return conducts ? 1e-5 : 1e5;
}

static double diode_voltage(const Valves *v, double i)
{
  double rs = resistance(v->on), rd = resistance(!v->blocks);
  return (24 * rd - rs * rd * i) / (rs + rd);
}

/* The diode follows its voltage or its current at once. */
static gboolean diode_turns(const Valves *v, double i)
{
  double voltage = diode_voltage(v, i);
  return v->blocks ? voltage < -1e-6 : voltage / 1e-5 > 1e-6;
}

static void advance(const Valves *v, double *x, double h)
{
  double m[3][3], rs = resistance(v->on), rd = resistance(!v->blocks), y[2];
  exponential(-rs * rd / (rs + rd) * 1e4, 24 * rd / (rs + rd) * 1e4, h, m);
  for (guint k = 0; k < 2; k++) {
    y[k] = m[k][0] * x[0] + m[k][1] * x[1] + m[k][2];
  }
  memcpy(x, y, sizeof y);
}

/* One half of a period with the transistor as it is. */
static void run_buck(Valves *v, double *x, double length)
{
  while (length > 0) {
    for (guint n = 0; diode_turns(v, x[0]) && n < 4; n++) {
      v->blocks = !v->blocks;
    }
    double low = 0, high = fmin(1e-6, length), y[2];
    memcpy(y, x, sizeof y);
    advance(v, y, high);
    while (diode_turns(v, y[0]) && high - low > 1e-14) {
      double middle = (low + high) / 2;
      memcpy(y, x, sizeof y);
      advance(v, y, middle);
      *(diode_turns(v, y[0]) ? &high : &low) = middle;
      memcpy(y, x, sizeof y);
      advance(v, y, high);
    }
    memcpy(x, y, sizeof y);
    length -= high;
  }
}

/* With quanta of 1e-6 voltage and current are those of the exact solution at the end of each
 * period. The model has quanta of 0.1 for the current, whose mean is 1.6. */
static void test_a_buck_converter(void)
{
  static const char *const sets[] = {"QSS_Integrator0.dqrel=1e-6", "QSS_Integrator0.dqmin=1e-6",
                                     "QSS_Integrator1.dqrel=1e-6", "QSS_Integrator1.dqmin=1e-6",
                                     NULL};
  g_auto(Done) model = go("buck_disc", 0.01, 1e-4, NULL, NULL);
  g_auto(Done) tight = go("buck_disc", 0.01, 1e-4, NULL, sets);
  double x[] = {0, 0};
  Valves v = {.on = TRUE, .blocks = FALSE};
  for (guint64 period = 1; period < 100; period++) {
    v.on = TRUE;
    run_buck(&v, x, 5e-5);
    v.on = FALSE;
    run_buck(&v, x, 5e-5);
    TEST_ASSERT_DOUBLE_WITHIN(5e-4, x[1], hy_recorder_value(tight.rows, period, 0));
    TEST_ASSERT_DOUBLE_WITHIN(5e-4, x[0], hy_recorder_value(tight.rows, period, 1));
    TEST_ASSERT_DOUBLE_WITHIN(0.4, x[1], hy_recorder_value(model.rows, period, 0));
  }
}

/* Others ------------------------------------------------------------------------------------------
 */

/* x' = n - x for each of three, n from one instant to the next: exactly, between two rows. */
static void test_a_vector_of_noise(void)
{
  static const char *const record[] = {"Vector_NRGen_0[1]", "Vector_NRGen_0[2]",
                                       "Vector_NRGen_0[3]", NULL};
  g_auto(Done) d = go("vector1", 20, 0.25, record, NULL);
  double x[3] = {0.2113248654641211, 0.2113248654641211, 0.2113248654641211};
  gboolean differ = FALSE;
  for (guint64 row = 0; row < 80; row++) {
    for (guint k = 0; k < 3; k++) {
      double n = hy_recorder_value(d.rows, row, 3 + k);
      TEST_ASSERT_DOUBLE_WITHIN(5e-3, x[k], hy_recorder_value(d.rows, row, k));
      x[k] = n + (x[k] - n) * exp(-0.25);
      differ = differ || fabs(n - hy_recorder_value(d.rows, row, 3)) > 0.1;
    }
  }
  TEST_ASSERT_TRUE(differ);
}

/* The level of the tank: 2 until 1 it falls by 0.2 of itself, then 0.5 comes in. */
static void test_a_tank(void)
{
  g_auto(Done) d = go("tank", 10, 0.1, NULL, NULL);
  for (guint64 row = 0; row < hy_recorder_rows(d.rows); row++) {
    double t = hy_recorder_time(d.rows, row);
    double level = t < 1 ? 2 * exp(-0.2 * t) : 2.5 + (2 * exp(-0.2) - 2.5) * exp(-0.2 * (t - 1));
    TEST_ASSERT_DOUBLE_WITHIN(2.5e-3, level, hy_recorder_value(d.rows, row, 0));
  }
}

/* Sources for displays: a trapezoid of 0.5 up, 1 high, 0.5 down, 1 low, and a sine. */
static void test_sources_of_a_display(void)
{
  g_auto(Done) d = go("rtview", 10, 0.01, NULL, NULL);
  for (guint64 row = 0; row < hy_recorder_rows(d.rows); row++) {
    double t = hy_recorder_time(d.rows, row), phase = fmod(t, 3);
    double sine = 1000 * sin(2 * G_PI * 0.1 * t);
    double edge = phase < 0.5   ? 200 * phase
                  : phase < 1.5 ? 100
                                : fmax(0, 100 - 200 * (phase - 1.5));
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, edge, hy_recorder_value(d.rows, row, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1.1, sine, hy_recorder_value(d.rows, row, 1));
    TEST_ASSERT_EQUAL_DOUBLE(53, hy_recorder_value(d.rows, row, 2));
  }
}

int main(void)
{
  folder = g_getenv("HYDEVS_POWERDEVS");
  UNITY_BEGIN();
  if (folder == NULL) {
    puts("HYDEVS_POWERDEVS names no folder with the models of PowerDEVS; nothing was tested");
    return UNITY_END();
  }
  RUN_TEST(test_events_are_as_many_as_in_powerdevs);
  RUN_TEST(test_predators_and_their_prey);
  RUN_TEST(test_a_stiff_reaction);
  RUN_TEST(test_a_drive);
  RUN_TEST(test_a_buck_converter);
  RUN_TEST(test_a_vector_of_noise);
  RUN_TEST(test_a_tank);
  RUN_TEST(test_sources_of_a_display);
  return UNITY_END();
}
