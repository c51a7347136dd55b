/* How fast a model moves, and which states move together: the eigenvalues of the Jacobian at one
 * instant, the participation of the states, a division into fast and slow ones. */
#include "hydevs/equations.h"

#include "hydevs/json.h"
#include "hydevs/text.h"
#include "numerics/participation.h"

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
  g_return_val_if_fail(e != NULL, FALSE);
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

static gboolean find_modes(HySpectrum *s, GError **error)
{
  int n = (int)s->n;
  s->space = g_new(double complex, hy_participation_room(n));
  s->fast = g_new0(bool, s->n);
  if (!hy_participation(n, s->a, &s->p, s->space)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: the eigenvalues of the Jacobian could not be found", hy_equations_model(s->e));
    return FALSE;
  }
  for (int k = 0; k < n; k++) {
    double complex *l = &s->p.value[k];
    *l = fabs(creal(*l)) <= DAMPED * cabs(*l) ? I * cimag(*l) : *l;
  }
  hy_participation_cluster(&s->p, CLOSE);
  s->n_fast = hy_participation_divide(&s->p, &hy_separation, s->fast, &s->worst);
  return TRUE;
}

HySpectrum *hy_spectrum_new(const HyEquations *e, double t, GError **error)
{
  g_return_val_if_fail(e != NULL, NULL);
  if (!hy_spectrum_can(e, error)) {
    return NULL;
  }
  HySpectrum *s = g_new0(HySpectrum, 1);
  s->e = e;
  s->t = t;
  s->n = hy_equations_n(e);
  s->a = g_new(double, (gsize)s->n * s->n);
  if (!hy_equations_jacobian(e, t, s->a, error) || !find_modes(s, error)) {
    g_clear_pointer(&s, hy_spectrum_free);
  }
  return s;
}

void hy_spectrum_free(HySpectrum *s)
{
  if (s != NULL) {
    g_free(s->a);
    g_free(s->space);
    g_free(s->fast);
    g_free(s);
  }
}

/* Nothing is -0. */
HyEigenvalue hy_spectrum_get(const HySpectrum *s, guint mode)
{
  g_return_val_if_fail(s != NULL && mode < s->n, ((HyEigenvalue){NAN, NAN, NAN, NAN, NAN}));
  double re = creal(s->p.value[mode]), im = cimag(s->p.value[mode]), size = cabs(s->p.value[mode]);
  return (HyEigenvalue){re + 0.0, im + 0.0, re != 0 ? 1 / fabs(re) : NAN,
                        im != 0 ? fabs(im) / (2 * G_PI) : NAN, size > 0 ? 0.0 - re / size : NAN};
}

double hy_spectrum_participation(const HySpectrum *s, guint state, guint mode)
{
  g_return_val_if_fail(s != NULL && state < s->n && mode < s->n, NAN);
  return cabs(s->p.p[(gsize)state * s->n + mode]);
}

gboolean hy_spectrum_is_fast(const HySpectrum *s, guint state)
{
  g_return_val_if_fail(s != NULL && state < s->n, FALSE);
  return s->fast[state];
}

guint hy_spectrum_n_fast(const HySpectrum *s)
{
  g_return_val_if_fail(s != NULL, 0);
  return (guint)s->n_fast;
}

static double gap(const HySpectrum *s)
{
  return cabs(s->p.value[s->n_fast - 1]) / cabs(s->p.value[s->n_fast]);
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

static void modes_text(const HySpectrum *s, GString *out)
{
  g_string_append_printf(out, "\nModes, the fastest first\n  %4s %13s %13s %13s %13s %13s\n",
                         "mode", "real", "imaginary", "time constant", "frequency", "damping");
  for (guint k = 0; k < s->n; k++) {
    HyEigenvalue m = hy_spectrum_get(s, k);
    g_string_append_printf(out, "  %4u", k + 1);
    for (guint i = 0; i < G_N_ELEMENTS(mode_words); i++) {
      number_text(out, mode_number(&m, i));
    }
    g_string_append(out, m.real > 0 ? "  grows\n" : "\n");
  }
}

static void grid_row(const HySpectrum *s, GString *out, guint state)
{
  for (guint k = 0; k < s->n; k++) {
    double p = hy_spectrum_participation(s, state, k);
    if (p > SHOWN) {
      g_string_append_printf(out, " %6.2f", p);
    } else {
      g_string_append_printf(out, " %6s", ".");
    }
  }
}

static void grid_text(const HySpectrum *s, GString *out)
{
  g_string_append_printf(out, "  %-16s", "mode");
  for (guint k = 0; k < s->n; k++) {
    g_string_append_printf(out, " %6u", k + 1);
  }
  g_string_append_c(out, '\n');
  for (guint i = 0; i < s->n; i++) {
    g_autofree char *name = hy_equations_state(s->e, i);
    g_string_append_printf(out, "  %-16s", name);
    grid_row(s, out, i);
    g_string_append_c(out, '\n');
  }
}

/* FALSE: there is nothing to tell of the state. */
static gboolean list_row(const HySpectrum *s, GString *out, guint state)
{
  gboolean open = FALSE;
  for (guint k = 0; k < s->n; k++) {
    double p = hy_spectrum_participation(s, state, k);
    if (p > SHOWN) {
      if (!open) {
        g_autofree char *name = hy_equations_state(s->e, state);
        g_string_append_printf(out, "  %-16s", name);
      }
      g_string_append_printf(out, "  %u: %.2f", k + 1, p);
      open = TRUE;
    }
  }
  return open;
}

static void list_text(const HySpectrum *s, GString *out)
{
  guint silent = 0;
  for (guint i = 0; i < s->n; i++) {
    if (list_row(s, out, i)) {
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

static void participation_text(const HySpectrum *s, GString *out)
{
  g_string_append_printf(out, "\nParticipation of states in modes, above %g\n", SHOWN);
  if (s->n <= GRID) {
    grid_text(s, out);
  } else {
    list_text(s, out);
  }
}

static void class_text(const HySpectrum *s, GString *out, const char *title, bool fast)
{
  guint n = 0;
  g_string_append_printf(out, "  %s: ", title);
  for (guint i = 0; i < s->n; i++) {
    if (s->fast[i] == fast && ++n <= SMALL) {
      g_autofree char *name = hy_equations_state(s->e, i);
      g_string_append_printf(out, "%s%s", n > 1 ? ", " : "", name);
    }
  }
  if (n > SMALL) {
    g_string_append_printf(out, ", and %u more", n - SMALL);
  }
  g_string_append_c(out, '\n');
}

static void partition_text(const HySpectrum *s, GString *out)
{
  if (s->n_fast > 0) {
    g_string_append(out, "\nSuggested partition: ");
    if (isinf(gap(s))) {
      g_string_append(out, "all modes but the fast ones are 0\n");
    } else {
      g_string_append_printf(out, "the fast modes are %.3g times as fast as the others\n", gap(s));
    }
    class_text(s, out, "fast", true);
    class_text(s, out, "slow", false);
  } else if (isfinite(s->worst)) {
    g_string_append_printf(
        out,
        "\nNo partition is suggested: in each a state takes part with %.3g or more in modes "
        "of the other class; %g is the limit\n",
        s->worst, hy_separation.limit);
  } else {
    g_string_append_printf(
        out,
        "\nNo partition is suggested: no modes are %g times as fast as the others and belong "
        "to as many states\n",
        hy_separation.ratio);
  }
}

/* What the Jacobian does not see. */
static void solved_text(const HySpectrum *s, GString *out)
{
  char *name = hy_equations_solved(s->e, 0);
  if (name != NULL) {
    g_string_append(out, "\nNot the whole truth: states also act through what stands still here: ");
  }
  for (guint k = 1; name != NULL; k++) {
    g_string_append_printf(out, "%s%s", k > 1 ? ", " : "", name);
    g_free(name);
    name = k < SMALL ? hy_equations_solved(s->e, k) : NULL;
    g_string_append(out, name == NULL ? "\n" : "");
  }
}

void hy_spectrum_text(const HySpectrum *s, GString *out)
{
  g_return_if_fail(s != NULL && out != NULL);
  char t[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "%s: %u state%s at t = %s\n", hy_equations_model(s->e), s->n,
                         s->n == 1 ? "" : "s", hy_double_text(t, s->t));
  solved_text(s, out);
  modes_text(s, out);
  participation_text(s, out);
  partition_text(s, out);
}

/* JSON ---------------------------------------------------------------------------------------- */

static void state_text(const HySpectrum *s, HyJsonOut *json, const char *key, guint state)
{
  g_autofree char *name = hy_equations_state(s->e, state);
  hy_json_text(json, key, name);
}

static void states_json(const HySpectrum *s, HyJsonOut *json)
{
  hy_json_begin_lines(json, "states", '[');
  for (guint i = 0; i < s->n; i++) {
    hy_json_begin(json, NULL, '{');
    state_text(s, json, "path", i);
    hy_json_real(json, "value", hy_equations_value(s->e, i, s->t));
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

/* Sources that follow states, and stand still in the Jacobian. */
static void solved_json(const HySpectrum *s, HyJsonOut *json)
{
  char *name;
  hy_json_begin_lines(json, "solved", '[');
  for (guint k = 0; (name = hy_equations_solved(s->e, k)) != NULL; k++) {
    hy_json_text(json, NULL, name);
    g_free(name);
  }
  hy_json_end(json, ']');
}

/* {ROW: I, COLUMN: J, VALUE: V} */
static void entry_json(HyJsonOut *json, const char *const *keys, guint i, guint j, double v)
{
  hy_json_begin(json, NULL, '{');
  hy_json_count(json, keys[0], i);
  hy_json_count(json, keys[1], j);
  hy_json_real(json, keys[2], v);
  hy_json_end(json, '}');
}

static void jacobian_json(const HySpectrum *s, HyJsonOut *json)
{
  static const char *const keys[] = {"row", "column", "value"};
  hy_json_begin_lines(json, "jacobian", '[');
  for (guint k = 0; k < s->n * s->n; k++) {
    if (s->a[k] != 0) {
      entry_json(json, keys, k / s->n, k % s->n, s->a[k]);
    }
  }
  hy_json_end(json, ']');
}

static void modes_json(const HySpectrum *s, HyJsonOut *json)
{
  hy_json_begin_lines(json, "modes", '[');
  for (guint k = 0; k < s->n; k++) {
    HyEigenvalue m = hy_spectrum_get(s, k);
    hy_json_begin(json, NULL, '{');
    for (guint i = 0; i < G_N_ELEMENTS(mode_words); i++) {
      hy_json_real(json, mode_words[i], mode_number(&m, i));
    }
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

static void participation_json(const HySpectrum *s, HyJsonOut *json)
{
  static const char *const keys[] = {"state", "mode", "size"};
  hy_json_begin_lines(json, "participation", '[');
  for (guint i = 0; i < s->n; i++) {
    for (guint k = 0; k < s->n; k++) {
      if (hy_spectrum_participation(s, i, k) > SHOWN) {
        entry_json(json, keys, i, k, hy_spectrum_participation(s, i, k));
      }
    }
  }
  hy_json_end(json, ']');
}

static void class_json(const HySpectrum *s, HyJsonOut *json, const char *key, bool fast)
{
  hy_json_begin(json, key, '[');
  for (guint i = 0; i < s->n; i++) {
    if (s->fast[i] == fast) {
      state_text(s, json, NULL, i);
    }
  }
  hy_json_end(json, ']');
}

static void partition_json(const HySpectrum *s, HyJsonOut *json)
{
  if (s->n_fast == 0) {
    hy_json_null(json, "partition");
    return;
  }
  hy_json_begin(json, "partition", '{');
  class_json(s, json, "fast", true);
  class_json(s, json, "slow", false);
  hy_json_real(json, "ratio", gap(s));
  hy_json_end(json, '}');
}

void hy_spectrum_json(const HySpectrum *s, GString *out)
{
  g_return_if_fail(s != NULL && out != NULL);
  HyJsonOut json = {.out = out, .tight = TRUE};
  hy_json_begin_lines(&json, NULL, '{');
  hy_json_text(&json, "model", hy_equations_model(s->e));
  hy_json_real(&json, "t", s->t);
  states_json(s, &json);
  solved_json(s, &json);
  jacobian_json(s, &json);
  modes_json(s, &json);
  participation_json(s, &json);
  partition_json(s, &json);
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
}
