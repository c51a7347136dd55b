/* hydevs modes: how fast a model moves, and which states move together: the eigenvalues of the
 * Jacobian at one instant, the participation of the states, a division into fast and slow ones. */
#include "cli.h"
#include "equations/jacobian.h"
#include "equations/print.h"
#include "model.h"
#include "numerics/participation.h"
#include "results/json.h"
#include "sim/engine.h"
#include "try.h"

#include <math.h>
#include <stdio.h>

#define MOST  500  /* states: the work grows with their third power */
#define SMALL 30   /* of so many names all are listed */
#define GRID  12   /* up to so many states, the participation is shown as a matrix */
#define SHOWN 0.05 /* participation above this */
#define CLOSE                                                                                      \
  1e-4 /* eigenvalues this near to one another, relatively, share their participation              \
        */
#define DAMPED 1e-12 /* less than this of |l| is rounding */

static const char teach[] =
    "The model runs to T (its start, if --at is not given) with the method it states; there the\n"
    "Jacobian of all states is taken from the equations (hydevs equations --partials), sources "
    "and\n"
    "switches standing still. Each eigenvalue is a mode of motion, the fastest first: its time\n"
    "constant 1/|real|, frequency |imaginary|/(2 pi), damping -real/|l|. Participation is how "
    "much\n"
    "a state and a mode have to do with one another: rows and columns sum to 1, single ones may\n"
    "be above 1. States are divided into fast and slow where modes differ 4 times or more and no\n"
    "state takes part as much as 0.1 in the modes of the other class: then the slow ones may be\n"
    "integrated in larger steps. At most 500 states; eigenvalues that coincide are only known to\n"
    "some 1e-5, and share their participation.\n\n"
    "Examples:\n"
    "  hydevs modes buck.xml\n"
    "  hydevs modes buck.xml --at 1m                with the switches as they are at 1 ms\n"
    "  hydevs modes adr.xml --set N=100 --json      as data, with the Jacobian\n";

typedef struct {
  HySim *sim;
  HyRoom *room;
  const char *name;
  double t0, t;
  CliProgressKind progress;
  guint n;   /* states */
  double *a; /* [n * n] */
  HyParticipation p;
  double complex *space; /* where P lives */
  bool *fast;            /* [n] */
  int n_fast;
  double worst; /* as hy_participation_divide() says it */
} View;

static void view_clear(View *v)
{
  g_free(v->a);
  g_free(v->space);
  g_free(v->fast);
  hy_sim_free(v->sim);
}

static char *state_name(const View *v, guint state)
{
  return hy_print_slot(v->room, v->sim->graph->first_out[hy_print_state_atomic(v->room, state)]);
}

/* Computing ----------------------------------------------------------------------------------- */

static gboolean count_states(View *v, GError **error)
{
  v->room = v->sim->room;
  v->n = v->room != NULL ? hy_print_n_states(v->room) : 0;
  if (v->n == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: there are no modes: no block of this model has a continuous state, as an "
                "integrator has",
                v->name);
  } else if (v->n > MOST) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: has %u states; modes are computed of at most %d", v->name, v->n, MOST);
  }
  return v->n > 0 && v->n <= MOST;
}

/* A stop may end the run before. */
static gboolean run_there(View *v, GError **error)
{
  CliProgress progress = {.kind = v->progress, .t0 = v->t0, .tf = v->t};
  cli_progress_start(&progress, v->sim);
  gboolean ok = hy_sim_run(v->sim, v->t, error);
  cli_progress_end(&progress);
  v->t = hy_sim_finished(v->sim) != NULL ? hy_sim_time(v->sim) : v->t;
  return ok;
}

static void not_finite(const View *v, guint state, GError **error)
{
  g_autofree char *name = state_name(v, state);
  char t[HY_DOUBLE_SIZE];
  hy_double_text(t, v->t);
  if (hy_print_state_row(v->room, state) == HY_NO_ROW) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: its derivative comes from outside the diagram, or is too large, and has no "
                "partial derivatives",
                name);
    return;
  }
  const double *row = v->a + (gsize)state * v->n;
  guint by = 0;
  while (by + 1 < v->n && isfinite(row[by])) {
    by++;
  }
  g_autofree char *other = state_name(v, by);
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: d %s' / d %s is not finite at t = %s", name,
              name, other, t);
}

static gboolean find_jacobian(View *v, GError **error)
{
  v->a = g_new(double, (gsize)v->n * v->n);
  guint wrong = hy_room_jacobian(v->room, v->t, v->a);
  if (wrong < v->n) {
    not_finite(v, wrong, error);
  }
  return wrong == v->n;
}

static gboolean find_modes(View *v, GError **error)
{
  int n = (int)v->n;
  v->space = g_new(double complex, hy_participation_room(n));
  v->fast = g_new0(bool, v->n);
  if (!hy_participation(n, v->a, &v->p, v->space)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: the eigenvalues of the Jacobian could not be found", v->name);
    return FALSE;
  }
  for (int k = 0; k < n; k++) {
    double complex *l = &v->p.value[k];
    *l = fabs(creal(*l)) <= DAMPED * cabs(*l) ? I * cimag(*l) : *l;
  }
  hy_participation_cluster(&v->p, CLOSE);
  v->n_fast = hy_participation_divide(&v->p, &hy_separation, v->fast, &v->worst);
  return TRUE;
}

static double participation(const View *v, guint state, guint mode)
{
  return cabs(v->p.p[(gsize)state * v->n + mode]);
}

static double gap(const View *v)
{
  return cabs(v->p.value[v->n_fast - 1]) / cabs(v->p.value[v->n_fast]);
}

/* A mode as it is shown: real, imaginary, time constant, frequency, damping; what it has not is
 * NaN, and nothing is -0. */
typedef struct {
  double of[5];
} Mode;

static Mode mode_of(const View *v, guint k)
{
  double re = creal(v->p.value[k]), im = cimag(v->p.value[k]), size = cabs(v->p.value[k]);
  return (Mode){{re + 0.0, im + 0.0, re != 0 ? 1 / fabs(re) : NAN,
                 im != 0 ? fabs(im) / (2 * G_PI) : NAN, size > 0 ? 0.0 - re / size : NAN}};
}

/* Text ---------------------------------------------------------------------------------------- */

static void number_text(double number)
{
  if (isnan(number)) {
    printf(" %13s", "-");
  } else {
    printf(" %13.6g", number);
  }
}

static void modes_text(const View *v)
{
  printf("\nModes, the fastest first\n  %4s %13s %13s %13s %13s %13s\n", "mode", "real",
         "imaginary", "time constant", "frequency", "damping");
  for (guint k = 0; k < v->n; k++) {
    Mode m = mode_of(v, k);
    printf("  %4u", k + 1);
    for (guint i = 0; i < G_N_ELEMENTS(m.of); i++) {
      number_text(m.of[i]);
    }
    puts(m.of[0] > 0 ? "  grows" : "");
  }
}

static void grid_row(const View *v, guint state)
{
  for (guint k = 0; k < v->n; k++) {
    double p = participation(v, state, k);
    if (p > SHOWN) {
      printf(" %6.2f", p);
    } else {
      printf(" %6s", ".");
    }
  }
}

static void grid_text(const View *v)
{
  printf("  %-16s", "mode");
  for (guint k = 0; k < v->n; k++) {
    printf(" %6u", k + 1);
  }
  putchar('\n');
  for (guint i = 0; i < v->n; i++) {
    g_autofree char *name = state_name(v, i);
    printf("  %-16s", name);
    grid_row(v, i);
    putchar('\n');
  }
}

/* FALSE: there is nothing to tell of the state. */
static gboolean list_row(const View *v, guint state)
{
  gboolean open = FALSE;
  for (guint k = 0; k < v->n; k++) {
    double p = participation(v, state, k);
    if (p > SHOWN) {
      if (!open) {
        g_autofree char *name = state_name(v, state);
        printf("  %-16s", name);
      }
      printf("  %u: %.2f", k + 1, p);
      open = TRUE;
    }
  }
  return open;
}

static void list_text(const View *v)
{
  guint silent = 0;
  for (guint i = 0; i < v->n; i++) {
    if (list_row(v, i)) {
      putchar('\n');
    } else {
      silent++;
    }
  }
  if (silent > 0) {
    printf("  %u state%s in no mode as much\n", silent, silent == 1 ? "" : "s");
  }
}

static void participation_text(const View *v)
{
  printf("\nParticipation of states in modes, above %g\n", SHOWN);
  if (v->n <= GRID) {
    grid_text(v);
  } else {
    list_text(v);
  }
}

static void class_text(const View *v, const char *title, bool fast)
{
  guint n = 0;
  printf("  %s: ", title);
  for (guint i = 0; i < v->n; i++) {
    if (v->fast[i] == fast && ++n <= SMALL) {
      g_autofree char *name = state_name(v, i);
      printf("%s%s", n > 1 ? ", " : "", name);
    }
  }
  if (n > SMALL) {
    printf(", and %u more", n - SMALL);
  }
  putchar('\n');
}

static void partition_text(const View *v)
{
  if (v->n_fast > 0) {
    printf("\nSuggested partition: the fast modes are %.3g times as fast as the others\n", gap(v));
    class_text(v, "fast", true);
    class_text(v, "slow", false);
  } else if (isfinite(v->worst)) {
    printf("\nNo partition is suggested: in each a state takes part with %.3g or more in modes "
           "of the other class; %g is the limit\n",
           v->worst, hy_separation.limit);
  } else {
    printf("\nNo partition is suggested: no modes are %g times as fast as the others and belong "
           "to as many states\n",
           hy_separation.ratio);
  }
}

static void show_text(const View *v)
{
  char t[HY_DOUBLE_SIZE];
  printf("%s: %u state%s at t = %s\n", v->name, v->n, v->n == 1 ? "" : "s",
         hy_double_text(t, v->t));
  modes_text(v);
  participation_text(v);
  partition_text(v);
}

/* JSON ---------------------------------------------------------------------------------------- */

static const char *comma(gboolean *open)
{
  const char *text = *open ? ",\n  " : "\n  ";
  *open = TRUE;
  return text;
}

static void number_member(GString *out, const char *name, double number)
{
  g_string_append_printf(out, "\"%s\":", name);
  hy_json_number(out, number);
}

static void state_string(const View *v, GString *out, guint state)
{
  g_autofree char *name = state_name(v, state);
  hy_json_string(out, name);
}

static void states_json(const View *v, GString *out)
{
  gboolean open = FALSE;
  for (guint i = 0; i < v->n; i++) {
    g_string_append_printf(out, "%s{\"path\":", comma(&open));
    state_string(v, out, i);
    g_string_append_c(out, ',');
    number_member(out, "value", hy_sim_value(v->sim, hy_print_state_atomic(v->room, i), v->t));
    g_string_append_c(out, '}');
  }
}

static void jacobian_json(const View *v, GString *out)
{
  gboolean open = FALSE;
  for (guint i = 0; i < v->n; i++) {
    for (guint j = 0; j < v->n; j++) {
      double a = v->a[(gsize)i * v->n + j];
      if (a != 0) {
        g_string_append_printf(out, "%s{\"row\":%u,\"column\":%u,", comma(&open), i, j);
        number_member(out, "value", a);
        g_string_append_c(out, '}');
      }
    }
  }
}

static void modes_json(const View *v, GString *out)
{
  static const char *const names[] = {"real", "imaginary", "time_constant", "frequency", "damping"};
  gboolean open = FALSE;
  for (guint k = 0; k < v->n; k++) {
    Mode m = mode_of(v, k);
    g_string_append_printf(out, "%s{", comma(&open));
    for (guint i = 0; i < G_N_ELEMENTS(m.of); i++) {
      g_string_append(out, i > 0 ? "," : "");
      number_member(out, names[i], m.of[i]);
    }
    g_string_append_c(out, '}');
  }
}

static void participation_json(const View *v, GString *out)
{
  gboolean open = FALSE;
  for (guint i = 0; i < v->n; i++) {
    for (guint k = 0; k < v->n; k++) {
      if (participation(v, i, k) > SHOWN) {
        g_string_append_printf(out, "%s{\"state\":%u,\"mode\":%u,", comma(&open), i, k);
        number_member(out, "size", participation(v, i, k));
        g_string_append_c(out, '}');
      }
    }
  }
}

static void class_json(const View *v, GString *out, bool fast)
{
  const char *between = "";
  for (guint i = 0; i < v->n; i++) {
    if (v->fast[i] == fast) {
      g_string_append(out, between);
      state_string(v, out, i);
      between = ",";
    }
  }
}

static void partition_json(const View *v, GString *out)
{
  if (v->n_fast == 0) {
    g_string_append(out, "null");
    return;
  }
  g_string_append(out, "{\"fast\":[");
  class_json(v, out, true);
  g_string_append(out, "],\"slow\":[");
  class_json(v, out, false);
  g_string_append(out, "],");
  number_member(out, "ratio", gap(v));
  g_string_append_c(out, '}');
}

static void show_json(const View *v)
{
  g_autoptr(GString) out = g_string_new("{\"model\":");
  hy_json_string(out, v->name);
  g_string_append_c(out, ',');
  number_member(out, "t", v->t);
  g_string_append(out, ",\n\"states\":[");
  states_json(v, out);
  g_string_append(out, "],\n\"jacobian\":[");
  jacobian_json(v, out);
  g_string_append(out, "],\n\"modes\":[");
  modes_json(v, out);
  g_string_append(out, "],\n\"participation\":[");
  participation_json(v, out);
  g_string_append(out, "],\n\"partition\":");
  partition_json(v, out);
  g_string_append_c(out, '}');
  puts(out->str);
}

/* --------------------------------------------------------------------------------------------- */

static gboolean compute(View *v, GError **error)
{
  return hy_sim_init_equations(v->sim, v->t0, error) && count_states(v, error) &&
         run_there(v, error) && find_jacobian(v, error) && find_modes(v, error);
}

/* FALSE: *STATUS is the exit status. */
static gboolean find_instant(const char *at, View *v, int *status)
{
  v->t = v->t0;
  if (at == NULL) {
    return TRUE;
  }
  if (!cli_number(at, &v->t) || !isfinite(v->t)) {
    *status = cli_usage("modes", "--at=%s is not a time", at);
    return FALSE;
  }
  if (v->t < v->t0) {
    *status = cli_usage("modes", "--at=%s is before the start, t = %g", at, v->t0);
    return FALSE;
  }
  return TRUE;
}

static int show(CliModel *m, const char *at, const char *file, gboolean json)
{
  View v = {0};
  int status;
  if (m->until != NULL) {
    return cli_usage("modes", "--at says how far it runs, not --until");
  }
  if (m->progress != NULL && !cli_progress_kind(m->progress, &v.progress)) {
    return cli_usage("modes", "--progress=%s: choose auto, none or json", m->progress);
  }
  m->until = g_strdup("inf"); /* the experiment need not say it */
  g_autoptr(HyLoaded) loaded = cli_model_load("modes", m, file, &status);
  CliRun run = {0};
  if (loaded == NULL || !cli_model_sim("modes", m, loaded, NULL, &run, &status)) {
    return status;
  }
  v.sim = run.sim;
  v.t0 = run.t0;
  v.name = hy_model_name(hy_loaded_model(loaded));
  g_autoptr(GError) error = NULL;
  if (find_instant(at, &v, &status)) {
    gboolean ok = compute(&v, &error);
    status = ok ? 0 : cli_failed_blocks(loaded, error);
    if (ok && json) {
      show_json(&v);
    } else if (ok) {
      show_text(&v);
    }
  }
  view_clear(&v);
  return cli_finish(status);
}

int cli_modes(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *at = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
      {"at", 'a', 0, G_OPTION_ARG_STRING, &at, "The instant to look at (the start)", "T"},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "As JSON, with the Jacobian", NULL},
      {0},
  };
  g_autofree GOptionEntry *shared = cli_model_entries(&m);
  const CliPage page = {
      "modes MODEL.xml [OPTIONS]",
      "Shows the eigenvalues of a model at an instant, and which states are fast.", teach, entries,
      shared};
  int status;
  if (!cli_options(&page, &argc, &argv, &status)) {
    return status;
  }
  if (argc != 2) {
    return cli_usage("modes", argc < 2 ? "which model?" : "one model at a time");
  }
  return show(&m, at, argv[1], json);
}
