/* Random formulas of t, a ramp, a sine, a pulse and a state, in all places where a formula may
 * stand, beside plain evaluation: as a block, of what was recorded of its signals at the same
 * instants; as the derivative z' = f - z of a state by each method, from signals or by rows, and as
 * the source of a circuit with R C = 1, which is the same equation, by Runge and Kutta's method. */
#ifndef HY_TEST_RANDOM_FORMULAS_H
#define HY_TEST_RANDOM_FORMULAS_H

#include "library_model.h"
#include "random_formula.h"

#include "numerics/methods.h"

#define FORMULAS 10 /* of a model */
#define STEPS    1000
#define EVERY    20 /* steps from row to row */
#define ROWS     (STEPS / EVERY)
#define MOST     100.0 /* larger ones are not taken */

typedef struct {
  guint wrong, looked, left_out; /* values of blocks; of states */
  guint states_wrong, states, states_left_out;
} Tally;

typedef struct {
  Tree *f;
  char *text;
  double z[ROWS + 1]; /* of z' = f(t, z) - z, z(0) = 0 */
  double size;
  gboolean clear; /* z is known: not much depends on little */
} Formula;

typedef struct {
  Formula formula[FORMULAS];
  const HyMethod *method;
  gboolean rows;
  guint64 seed;
} Batch;

static void place_at(Place *at, double t, double z, double bias)
{
  *at = (Place){{t, 3 * fmin(fmax((t - 0.105) / 0.8, 0), 1) - 1.5, 1.5 * sin(2 * G_PI * 1.3 * t),
                 t >= 0.3105 && t < 0.7705 ? 2 : -1, z},
                bias,
                0,
                TRUE,
                0};
}

static double slope_of(Formula *f, double t, double z, double bias)
{
  Place at;
  place_at(&at, t, z, bias);
  double v = tree_value(f->f, &at);
  f->size = fmax(f->size, at.size);
  return v - z;
}

/* Z becomes the solution from Z0. */
static void integrate(Formula *f, double z0, double bias, double *z)
{
  double h = 1.0 / STEPS, x = z0;
  z[0] = x;
  for (guint k = 0; k < STEPS; k++) {
    double t = k * h, s1 = slope_of(f, t, x, bias);
    double s2 = slope_of(f, t + h / 2, x + h / 2 * s1, bias);
    double s3 = slope_of(f, t + h / 2, x + h / 2 * s2, bias);
    double s4 = slope_of(f, t + h, x + h * s3, bias);
    x += h / 6 * (s1 + 2 * s2 + 2 * s3 + s4);
    if ((k + 1) % EVERY == 0) {
      z[(k + 1) / EVERY] = x;
    }
  }
}

/* Another beginning, and comparisons that turn somewhat earlier or later, must not lead elsewhere:
 * what depends on so little shows nothing. */
static void formula_solve(Formula *f)
{
  double other[2][ROWS + 1];
  integrate(f, 1e-4, 1e-3, other[0]);
  integrate(f, -1e-4, -1e-3, other[1]);
  integrate(f, 0, 0, f->z);
  f->clear = TRUE;
  for (guint row = 0; row <= ROWS; row++) {
    double least = 2e-3 * fmax(1, f->size);
    f->clear = f->clear && fabs(other[0][row] - f->z[row]) <= least &&
               fabs(other[1][row] - f->z[row]) <= least;
  }
}

static void formula_new(Dice *d, Formula *f)
{
  do {
    tree_free(f->f);
    f->size = 0;
    f->f = tree_new(d, 4, N_SIGNALS);
    formula_solve(f);
  } while (!(f->size < MOST));
  g_autoptr(GString) text = g_string_new(NULL);
  tree_text(f->f, text);
  f->text = g_strdup(text->str);
}

static char *formula_text(const Formula *f, const char *state)
{
  g_auto(GStrv) part = g_strsplit(f->text, "%s", -1);
  return g_strjoinv(state, part);
}

/* The same equation: R C = 1. A circuit has the signals that it reads by ports. */
static void put_circuit(const Formula *f, guint k, GString *text)
{
  g_autofree char *value = formula_text(f, "b.v");
  g_string_append_printf(text, "<circuit name='c%u'", k);
  for (guint s = U; s <= W; s++) {
    g_string_append_printf(text, reads(f->f, s) ? " %s='%s'" : "", signal_name[s], signal_name[s]);
  }
  g_string_append(text, ">");
  for (guint s = U; s <= W; s++) {
    g_string_append_printf(text, reads(f->f, s) ? "<in name='%s'/>" : "", signal_name[s]);
  }
  g_string_append_printf(
      text,
      "<voltage name='U' nodes='a 0' value='%s'/>"
      "<resistor name='R' nodes='a b' R='0.5'/>"
      "<capacitor name='C' nodes='b 0' C='2'/><out name='z' from='b.v'/></circuit>",
      value);
}

static char *batch_model(const Batch *b)
{
  g_autoptr(GString) text =
      g_string_new("<ramp name='u' start='0.105' duration='0.8' height='3' offset='-1.5'/>"
                   "<sine name='v' amplitude='1.5' frequency='1.3'/>"
                   "<pulse name='w' start='0.3105' end='0.7705' low='-1' high='2'/>"
                   "<function name='time' formula='t + 0'/>");
  g_autoptr(GString) record = g_string_new("time u v w");
  for (guint k = 0; k < FORMULAS; k++) {
    const Formula *f = &b->formula[k];
    g_autofree char *state = g_strdup_printf("z%u", k), *formula = formula_text(f, state);
    g_string_append_printf(text, "<function name='f%u' formula='%s'/>", k, formula);
    g_string_append_printf(text, "<integrator name='z%u' in='%s - z%u'/>", k, formula, k);
    g_string_append_printf(record, " f%u z%u", k, k);
    if (k % 5 == 0) {
      put_circuit(f, k, text);
      g_string_append_printf(record, " c%u.z", k);
    }
  }
  double dq = b->method->order == 1 ? 2e-3 : 1e-4;
  g_string_append_printf(text,
                         "<experiment stop='1' record='%s' grid='%g' method='%s' hstep='1m' "
                         "dqrel='%g' dqmin='%g'/>",
                         record->str, (double)EVERY / STEPS, b->method->name, dq, dq);
  return g_string_free(g_steal_pointer(&text), FALSE);
}

/* Of how exact a method is, in which everything is compared. */
static double batch_tolerance(const Batch *b)
{
  return b->method->order == 1 ? 2e-2 : 5e-3;
}

static double recorded(const HyRecorder *table, guint64 row, const char *name, guint k)
{
  guint column = 0;
  g_autofree char *path = g_strdup_printf(name, k);
  TEST_ASSERT_TRUE_MESSAGE(hy_recorder_find(table, path, &column), path);
  return hy_recorder_value(table, row, column);
}

static void tell(const Batch *b, guint k, const char *what, double t, double is, double wanted)
{
  g_print("seed %" G_GUINT64_FORMAT " %s %s, %s of %s at t = %g: %.9g in place of %.9g\n", b->seed,
          b->method->name, b->rows ? "by rows" : "", what, b->formula[k].text, t, is, wanted);
}

static void check_block(const Batch *b, guint k, const HyRecorder *table, Tally *tally)
{
  double tol = batch_tolerance(b) * fmax(1, b->formula[k].size);
  for (guint64 row = 0; row <= ROWS; row++) {
    Place at = {{recorded(table, row, "time", 0), recorded(table, row, "u", 0),
                 recorded(table, row, "v", 0), recorded(table, row, "w", 0),
                 recorded(table, row, "z%u", k)},
                0,
                5e-3,
                TRUE,
                0};
    double wanted = tree_value(b->formula[k].f, &at), is = recorded(table, row, "f%u", k);
    tally->looked++;
    tally->left_out += !at.clear;
    if (at.clear && !(fabs(is - wanted) <= tol)) {
      tally->wrong++;
      tell(b, k, "the block", hy_recorder_time(table, row), is, wanted);
      return;
    }
  }
}

static void check_state(const Batch *b, guint k, const char *name, const HyRecorder *table,
                        Tally *tally)
{
  const Formula *f = &b->formula[k];
  double tol = batch_tolerance(b) * fmax(1, f->size);
  tally->states++;
  tally->states_left_out += !f->clear;
  for (guint row = 0; f->clear && row <= ROWS; row++) {
    double is = recorded(table, row, name, k);
    if (!(fabs(is - f->z[row]) <= tol)) {
      tally->states_wrong++;
      tell(b, k, name, hy_recorder_time(table, row), is, f->z[row]);
      return;
    }
  }
}

static HyRun *batch_run(const Batch *b, const HyLoaded *loaded, const char *engine)
{
  g_autoptr(GError) error = NULL;
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  settings.rows = b->rows;
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  if (run == NULL || !hy_run_record(run, &error) || !hy_run_go(run, &error)) {
    g_print("seed %" G_GUINT64_FORMAT " %s: %s\n", b->seed, b->method->name, error->message);
    return NULL;
  }
  return g_steal_pointer(&run);
}

/* Not those of several rates, which want groups of different steps. */
static const HyMethod *batch_method(guint64 seed)
{
  guint n = 0;
  while (hy_methods[n].name != NULL && hy_methods[n].family != HY_FAMILY_MULTIRATE) {
    n++;
  }
  g_assert(n > 0);
  return &hy_methods[seed % n];
}

static gboolean batch_is_same(const Batch *b, const HyLoaded *loaded, const HyRun *run)
{
  g_autofree char *fused = library_text(run);
  for (guint k = 0; k < 2; k++) {
    g_autoptr(HyRun) other = batch_run(b, loaded, k == 0 ? "tree" : "flat");
    g_autofree char *text = other != NULL ? library_text(other) : NULL;
    if (g_strcmp0(text, fused) != 0) {
      return FALSE;
    }
  }
  return TRUE;
}

static void check_batch(guint64 seed, Tally *tally)
{
  Dice dice = {seed};
  Batch b = {.method = batch_method(seed), .rows = seed % 3 == 1, .seed = seed};
  for (guint k = 0; k < FORMULAS; k++) {
    formula_new(&dice, &b.formula[k]);
  }
  g_autofree char *model = batch_model(&b);
  g_autoptr(HyLoaded) loaded = library_load(model);
  g_autoptr(HyRun) run = batch_run(&b, loaded, "fused");
  if (run == NULL || (seed % 8 == 0 && !batch_is_same(&b, loaded, run))) {
    tally->wrong++;
    g_print("seed %" G_GUINT64_FORMAT ": %s\n", seed, run == NULL ? "no run" : "engines differ");
  }
  for (guint k = 0; run != NULL && k < FORMULAS; k++) {
    check_block(&b, k, hy_run_table(run, 0), tally);
    check_state(&b, k, "z%u", hy_run_table(run, 0), tally);
    if (k % 5 == 0) {
      check_state(&b, k, "c%u.z", hy_run_table(run, 0), tally);
    }
  }
  for (guint k = 0; k < FORMULAS; k++) {
    tree_free(b.formula[k].f);
    g_free(b.formula[k].text);
  }
}

/* Models FIRST to FIRST + N - 1, or as many from where on as HY_FORMULAS and HY_FORMULAS_FIRST say.
 */
static void check_formulas(guint64 first, guint n)
{
  const char *from = g_getenv("HY_FORMULAS_FIRST"), *many = g_getenv("HY_FORMULAS");
  first = from != NULL ? g_ascii_strtoull(from, NULL, 10) : first;
  n = many != NULL ? (guint)g_ascii_strtoull(many, NULL, 10) : n;
  Tally tally = {0};
  for (guint k = 0; k < n; k++) {
    check_batch(first + k, &tally);
  }
  g_print("%u formulas: %u wrong, %u of %u values too near to a comparison; of %u states %u wrong, "
          "%u that depend on little\n",
          n * FORMULAS, tally.wrong, tally.left_out, tally.looked, tally.states, tally.states_wrong,
          tally.states_left_out);
  TEST_ASSERT_EQUAL_UINT(0, tally.wrong + tally.states_wrong);
  TEST_ASSERT_TRUE(2 * tally.left_out < tally.looked && 2 * tally.states_left_out < tally.states);
}

#endif
