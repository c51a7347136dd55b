/* How fast a model moves, and which states move together: the eigenvalues of the Jacobian at one
 * instant, the participation of the states, a division into fast and slow ones. */
#include "hydevs/equations.h"

#include "hydevs/text.h"
#include "numerics/participation.h"
#include "results/json.h"

#include <math.h>

#define MOST  500  /* states: the work grows with their third power */
#define SMALL 30   /* of so many names all are listed */
#define GRID  12   /* up to so many states, the participation is shown as a matrix */
#define SHOWN 0.05 /* participation above this */
/* Eigenvalues this near to one another, relatively, share their participation. */
#define CLOSE  1e-4
#define DAMPED 1e-12 /* less than this of |l| is rounding */

struct HySpectrum {
  const HyEquations *e;
  double t;
  guint n;   /* states */
  double *a; /* [n * n] */
  HyParticipation p;
  double complex *space; /* where P lives */
  bool *fast;            /* [n] */
  int n_fast;
  double worst; /* as hy_participation_divide() has it */
};

/* The members of HyEigenvalue in JSON, in their order. */
static const char *const mode_words[] = {"real", "imaginary", "time_constant", "frequency",
                                         "damping"};

static double mode_number(const HyEigenvalue *m, guint k)
{
  return (const double[]){m->real, m->imaginary, m->time_constant, m->frequency, m->damping}[k];
}

gboolean hy_spectrum_can(const HyEquations *e, GError **error)
{
  guint n = hy_equations_n(e);
  if (n == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: there are no modes: no block of this model has a continuous state, as an "
                "integrator has",
                hy_equations_model(e));
  } else if (n > MOST) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: has %u states; modes are computed of at most %d", hy_equations_model(e), n,
                MOST);
  }
  return n > 0 && n <= MOST;
}

static gboolean find_modes(HySpectrum *v, GError **error)
{
  int n = (int)v->n;
  v->space = g_new(double complex, hy_participation_room(n));
  v->fast = g_new0(bool, v->n);
  if (!hy_participation(n, v->a, &v->p, v->space)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: the eigenvalues of the Jacobian could not be found", hy_equations_model(v->e));
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

HySpectrum *hy_spectrum_new(const HyEquations *e, double t, GError **error)
{
  if (!hy_spectrum_can(e, error)) {
    return NULL;
  }
  HySpectrum *v = g_new0(HySpectrum, 1);
  v->e = e;
  v->t = t;
  v->n = hy_equations_n(e);
  v->a = g_new(double, (gsize)v->n * v->n);
  if (!hy_equations_jacobian(e, t, v->a, error) || !find_modes(v, error)) {
    g_clear_pointer(&v, hy_spectrum_free);
  }
  return v;
}

void hy_spectrum_free(HySpectrum *v)
{
  if (v != NULL) {
    g_free(v->a);
    g_free(v->space);
    g_free(v->fast);
    g_free(v);
  }
}

/* Nothing is -0. */
HyEigenvalue hy_spectrum_get(const HySpectrum *v, guint k)
{
  double re = creal(v->p.value[k]), im = cimag(v->p.value[k]), size = cabs(v->p.value[k]);
  return (HyEigenvalue){re + 0.0, im + 0.0, re != 0 ? 1 / fabs(re) : NAN,
                        im != 0 ? fabs(im) / (2 * G_PI) : NAN, size > 0 ? 0.0 - re / size : NAN};
}

double hy_spectrum_participation(const HySpectrum *v, guint state, guint mode)
{
  return cabs(v->p.p[(gsize)state * v->n + mode]);
}

gboolean hy_spectrum_is_fast(const HySpectrum *v, guint state)
{
  return v->fast[state];
}

guint hy_spectrum_n_fast(const HySpectrum *v)
{
  return (guint)v->n_fast;
}

static double gap(const HySpectrum *v)
{
  return cabs(v->p.value[v->n_fast - 1]) / cabs(v->p.value[v->n_fast]);
}

/* Text ---------------------------------------------------------------------------------------- */

static void number_text(GString *out, double number)
{
  if (isnan(number)) {
    g_string_append_printf(out, " %13s", "-");
  } else {
    g_string_append_printf(out, " %13.6g", number);
  }
}

static void modes_text(const HySpectrum *v, GString *out)
{
  g_string_append_printf(out, "\nModes, the fastest first\n  %4s %13s %13s %13s %13s %13s\n",
                         "mode", "real", "imaginary", "time constant", "frequency", "damping");
  for (guint k = 0; k < v->n; k++) {
    HyEigenvalue m = hy_spectrum_get(v, k);
    g_string_append_printf(out, "  %4u", k + 1);
    for (guint i = 0; i < G_N_ELEMENTS(mode_words); i++) {
      number_text(out, mode_number(&m, i));
    }
    g_string_append(out, m.real > 0 ? "  grows\n" : "\n");
  }
}

static void grid_row(const HySpectrum *v, GString *out, guint state)
{
  for (guint k = 0; k < v->n; k++) {
    double p = hy_spectrum_participation(v, state, k);
    if (p > SHOWN) {
      g_string_append_printf(out, " %6.2f", p);
    } else {
      g_string_append_printf(out, " %6s", ".");
    }
  }
}

static void grid_text(const HySpectrum *v, GString *out)
{
  g_string_append_printf(out, "  %-16s", "mode");
  for (guint k = 0; k < v->n; k++) {
    g_string_append_printf(out, " %6u", k + 1);
  }
  g_string_append_c(out, '\n');
  for (guint i = 0; i < v->n; i++) {
    g_autofree char *name = hy_equations_state(v->e, i);
    g_string_append_printf(out, "  %-16s", name);
    grid_row(v, out, i);
    g_string_append_c(out, '\n');
  }
}

/* FALSE: there is nothing to tell of the state. */
static gboolean list_row(const HySpectrum *v, GString *out, guint state)
{
  gboolean open = FALSE;
  for (guint k = 0; k < v->n; k++) {
    double p = hy_spectrum_participation(v, state, k);
    if (p > SHOWN) {
      if (!open) {
        g_autofree char *name = hy_equations_state(v->e, state);
        g_string_append_printf(out, "  %-16s", name);
      }
      g_string_append_printf(out, "  %u: %.2f", k + 1, p);
      open = TRUE;
    }
  }
  return open;
}

static void list_text(const HySpectrum *v, GString *out)
{
  guint silent = 0;
  for (guint i = 0; i < v->n; i++) {
    if (list_row(v, out, i)) {
      g_string_append_c(out, '\n');
    } else {
      silent++;
    }
  }
  if (silent > 0) {
    g_string_append_printf(out, "  %u state%s in no mode as much\n", silent,
                           silent == 1 ? "" : "s");
  }
}

static void participation_text(const HySpectrum *v, GString *out)
{
  g_string_append_printf(out, "\nParticipation of states in modes, above %g\n", SHOWN);
  if (v->n <= GRID) {
    grid_text(v, out);
  } else {
    list_text(v, out);
  }
}

static void class_text(const HySpectrum *v, GString *out, const char *title, bool fast)
{
  guint n = 0;
  g_string_append_printf(out, "  %s: ", title);
  for (guint i = 0; i < v->n; i++) {
    if (v->fast[i] == fast && ++n <= SMALL) {
      g_autofree char *name = hy_equations_state(v->e, i);
      g_string_append_printf(out, "%s%s", n > 1 ? ", " : "", name);
    }
  }
  if (n > SMALL) {
    g_string_append_printf(out, ", and %u more", n - SMALL);
  }
  g_string_append_c(out, '\n');
}

static void partition_text(const HySpectrum *v, GString *out)
{
  if (v->n_fast > 0) {
    g_string_append_printf(
        out, "\nSuggested partition: the fast modes are %.3g times as fast as the others\n",
        gap(v));
    class_text(v, out, "fast", true);
    class_text(v, out, "slow", false);
  } else if (isfinite(v->worst)) {
    g_string_append_printf(
        out,
        "\nNo partition is suggested: in each a state takes part with %.3g or more in modes "
        "of the other class; %g is the limit\n",
        v->worst, hy_separation.limit);
  } else {
    g_string_append_printf(
        out,
        "\nNo partition is suggested: no modes are %g times as fast as the others and belong "
        "to as many states\n",
        hy_separation.ratio);
  }
}

void hy_spectrum_text(const HySpectrum *v, GString *out)
{
  char t[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "%s: %u state%s at t = %s\n", hy_equations_model(v->e), v->n,
                         v->n == 1 ? "" : "s", hy_double_text(t, v->t));
  modes_text(v, out);
  participation_text(v, out);
  partition_text(v, out);
}

/* JSON ---------------------------------------------------------------------------------------- */

static void number_member(GString *out, const char *name, double number)
{
  g_string_append_printf(out, "\"%s\":", name);
  hy_json_number(out, number);
}

static void state_string(const HySpectrum *v, GString *out, guint state)
{
  g_autofree char *name = hy_equations_state(v->e, state);
  hy_json_string(out, name);
}

static void states_json(const HySpectrum *v, GString *out)
{
  gboolean open = FALSE;
  for (guint i = 0; i < v->n; i++) {
    g_string_append_printf(out, "%s{\"path\":", hy_json_comma(&open));
    state_string(v, out, i);
    g_string_append_c(out, ',');
    number_member(out, "value", hy_equations_value(v->e, i, v->t));
    g_string_append_c(out, '}');
  }
}

static void jacobian_json(const HySpectrum *v, GString *out)
{
  gboolean open = FALSE;
  for (guint i = 0; i < v->n; i++) {
    for (guint j = 0; j < v->n; j++) {
      double a = v->a[(gsize)i * v->n + j];
      if (a != 0) {
        g_string_append_printf(out, "%s{\"row\":%u,\"column\":%u,", hy_json_comma(&open), i, j);
        number_member(out, "value", a);
        g_string_append_c(out, '}');
      }
    }
  }
}

static void modes_json(const HySpectrum *v, GString *out)
{
  gboolean open = FALSE;
  for (guint k = 0; k < v->n; k++) {
    HyEigenvalue m = hy_spectrum_get(v, k);
    g_string_append_printf(out, "%s{", hy_json_comma(&open));
    for (guint i = 0; i < G_N_ELEMENTS(mode_words); i++) {
      g_string_append(out, i > 0 ? "," : "");
      number_member(out, mode_words[i], mode_number(&m, i));
    }
    g_string_append_c(out, '}');
  }
}

static void participation_json(const HySpectrum *v, GString *out)
{
  gboolean open = FALSE;
  for (guint i = 0; i < v->n; i++) {
    for (guint k = 0; k < v->n; k++) {
      if (hy_spectrum_participation(v, i, k) > SHOWN) {
        g_string_append_printf(out, "%s{\"state\":%u,\"mode\":%u,", hy_json_comma(&open), i, k);
        number_member(out, "size", hy_spectrum_participation(v, i, k));
        g_string_append_c(out, '}');
      }
    }
  }
}

static void class_json(const HySpectrum *v, GString *out, bool fast)
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

static void partition_json(const HySpectrum *v, GString *out)
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

void hy_spectrum_json(const HySpectrum *v, GString *out)
{
  g_string_append(out, "{\"model\":");
  hy_json_string(out, hy_equations_model(v->e));
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
  g_string_append(out, "}\n");
}
