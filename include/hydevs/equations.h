/* The system behind a block diagram as a person would write it, states and their derivatives, and
 * how fast it moves at an instant: as text, as JSON and as numbers. Texts are newly allocated. */
#ifndef HYDEVS_EQUATIONS_H
#define HYDEVS_EQUATIONS_H

#include "hydevs/sim.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct HyEquations HyEquations;

/* Initialises SIM at T0 and derives all rows. SIM may run on afterwards, but not be initialised
 * anew; it must outlive what is returned. */
HyEquations *hy_equations_new(HySim *sim, double t0, GError **error);
void hy_equations_free(HyEquations *equations); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyEquations, hy_equations_free)

/* States are numbered 0 .. n-1. */
const char *hy_equations_model(const HyEquations *equations); /* its name */
guint hy_equations_n(const HyEquations *equations);
char *hy_equations_state(const HyEquations *equations, guint state); /* "stage[1]/uC" */
double hy_equations_value(const HyEquations *equations, guint state, double t);
/* The right side of x' = ...; NULL: it comes from outside the diagram, or is too large. */
char *hy_equations_derivative(const HyEquations *equations, guint state);
/* What it reads, k = 0, 1, ...: states, sources, and values that rows share. NULL: no more. The
 * partial derivative of x' by it. */
char *hy_equations_reads(const HyEquations *equations, guint state, guint k);
char *hy_equations_partial(const HyEquations *equations, guint state, guint k);
/* "z.out (loop_breaker)": sources k = 0, 1, ... that are solutions of a loop or an equation. They
 * follow states, but the equations end there: partial derivatives have them stand still. NULL: no
 * more. */
char *hy_equations_solved(const HyEquations *equations, guint k);
/* A[i * n + j] = d x_i' / d x_j at T, not before the last event; whatever is no state stands still.
 * FALSE: a number that is not finite, or a state without equation. */
gboolean hy_equations_jacobian(const HyEquations *equations, double t, double *a, GError **error);

/* What `hydevs equations` prints, appended to OUT; there is a state. ALL: every row of a large
 * system, not the first of each form. */
void hy_equations_text(const HyEquations *equations, gboolean all, gboolean partials, GString *out);
void hy_equations_json(const HyEquations *equations, gboolean partials, GString *out);

/* What `hydevs export --c` writes, appended to OUT: one C file that integrates the equations by
 * CVODE. SIM, which nobody has initialised yet, is run from T0 to TF, for what its sources say
 * until then is part of it. FALSE: a block is no equation, or the run fails. */
gboolean hy_equations_c(HySim *sim, double t0, double tf, GString *out, GError **error);

/* Likewise what `hydevs export --modelica` and, with MICRO, `--micromodelica` write. */
gboolean hy_equations_modelica(HySim *sim, double t0, double tf, gboolean micro, GString *out,
                               GError **error);

/* The eigenvalues of the Jacobian at one instant, the fastest first. What a mode has not is NaN. */
typedef struct {
  double real, imaginary, time_constant, frequency, damping;
} HyEigenvalue;
typedef struct HySpectrum HySpectrum;

/* Whether there are modes to be computed: states, and not too many (500). */
gboolean hy_spectrum_can(const HyEquations *equations, GError **error);
HySpectrum *hy_spectrum_new(const HyEquations *equations, double t, GError **error);
void hy_spectrum_free(HySpectrum *spectrum); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HySpectrum, hy_spectrum_free)

HyEigenvalue hy_spectrum_get(const HySpectrum *spectrum,
                             guint mode); /* 0 .. hy_equations_n() - 1 */
/* How much a state and a mode have to do with one another: rows and columns sum to 1. */
double hy_spectrum_participation(const HySpectrum *spectrum, guint state, guint mode);
/* Whether the suggested partition calls it fast. N_FAST: of all modes; 0: none is suggested. */
gboolean hy_spectrum_is_fast(const HySpectrum *spectrum, guint state);
guint hy_spectrum_n_fast(const HySpectrum *spectrum);

/* What `hydevs modes` prints, appended to OUT. */
void hy_spectrum_text(const HySpectrum *spectrum, GString *out);
void hy_spectrum_json(const HySpectrum *spectrum, GString *out);

#pragma GCC visibility pop
G_END_DECLS
#endif
