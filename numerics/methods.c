/* The table of methods. Each list gives name, order, other columns of its family, and what the
 * method is; the arithmetic of a quantized one is hy_NAME, of one of the textbooks hy_ode_NAME. */
#include "methods.h"

#include <string.h>

#define QUANTIZED(ROW)                                                                             \
  ROW(qss1, 1, "q is the last value of x; renewed when x is a quantum away")                       \
  ROW(qss2, 2, "q is the tangent of x; renewed when x is a quantum away")                          \
  ROW(qss3, 3, "q is the parabola of x; renewed when x is a quantum away")                         \
  ROW(bqss, 1, "backward: q is the level beside x to which x moves")                               \
  ROW(liqss1, 1, "linearly implicit: q is where x' is nearest to 0, for stiff models")             \
  ROW(liqss2, 2, "linearly implicit: q meets x at the end of the step, for stiff models")          \
  ROW(liqss3, 3, "linearly implicit: q meets x at the end of the step, for stiff models")

#define PAIRS(ROW)                                                                                 \
  ROW(mliqss1, 1, "liqss1, and two states that would make each other oscillate step at once")      \
  ROW(mliqss2, 2, "liqss2, and two states that would make each other oscillate step at once")      \
  ROW(mliqss3, 3, "liqss3, and two states that would make each other oscillate step at once")

#define CVODE(ROW)                                                                                 \
  ROW(cvode_bdf, 5, true, "backward differences of order 1 to 5, for stiff groups")                \
  ROW(cvode_adams, 12, false, "the formulas of Adams of order 1 to 12")

#define CHOOSES 0 /* its steps */
#define FIXED   HY_NEEDS_HSTEP

#define TEXTBOOK(ROW)                                                                              \
  ROW(euler, 1, FIXED, "Euler's method")                                                           \
  ROW(taylor2, 2, FIXED, "Taylor's series with x''")                                               \
  ROW(rk2, 2, FIXED, "Heun's method")                                                              \
  ROW(rk2_midpoint, 2, FIXED, "the slope in the middle of the step")                               \
  ROW(rk4, 4, FIXED, "the method of Runge and Kutta")                                              \
  ROW(rk45_doubling, 4, CHOOSES, "rk4, its error estimated by two half steps")                     \
  ROW(rkf45, 5, CHOOSES, "Runge, Kutta and Fehlberg: order 5, its error estimated by order 4")     \
  ROW(ab1, 1, FIXED, "Adams and Bashforth")                                                        \
  ROW(ab2, 2, FIXED, "Adams and Bashforth")                                                        \
  ROW(ab3, 3, FIXED, "Adams and Bashforth")                                                        \
  ROW(ab4, 4, FIXED, "Adams and Bashforth")                                                        \
  ROW(ab5, 5, FIXED, "Adams and Bashforth")                                                        \
  ROW(ab6, 6, FIXED, "Adams and Bashforth")                                                        \
  ROW(abm4, 4, FIXED, "Adams, Bashforth and Moulton: predicted, then corrected once")              \
  ROW(bdf1, 1, FIXED, "backward differences, for stiff groups")                                    \
  ROW(bdf2, 2, FIXED, "backward differences, for stiff groups")                                    \
  ROW(bdf3, 3, FIXED, "backward differences, for stiff groups")                                    \
  ROW(bdf4, 4, FIXED, "backward differences, for stiff groups")                                    \
  ROW(bdf5, 5, FIXED, "backward differences, for stiff groups")                                    \
  ROW(trapezoidal, 2, FIXED, "the mean of the slopes at both ends, for stiff groups")              \
  ROW(backward_euler, 1, FIXED, "the slope at the end of the step, for stiff groups")              \
  ROW(semi_implicit_euler, 1, FIXED, "backward_euler with one iteration of Newton")

#define MULTIRATE(ROW)                                                                             \
  ROW(euler_interpolated, INTERPOLATED, 0, "Euler; faster groups see the line of the step")        \
  ROW(euler_advanced, ADVANCED, 0, "Euler; faster groups see the end of the step")                 \
  ROW(euler_delayed, DELAYED, 0, "Euler; faster groups see the beginning of the step")             \
  ROW(pec2e_interpolated, INTERPOLATED, 2, "backward Euler, predicted and corrected twice")        \
  ROW(pec2e_advanced, ADVANCED, 2, "backward Euler, predicted and corrected twice")                \
  ROW(pec2e_delayed, DELAYED, 2, "backward Euler, predicted and corrected twice")

#define BLOCK(ROW) ROW(block_liqss2, 2, "blocks of states that step at once, exactly where linear")

#define IMPLICIT(ROW)                                                                              \
  ROW(block_liqss2_quantum, 2, false, "blocks of states that step at once, within their quanta")   \
  ROW(block_liqss2_error, 2, true, "blocks of states that step at once, by the error of the step")

#define CHAIN(ROW) ROW(chain_liqss2, 2, "a chain, of which those states step at once that move")

#define DECLARE_QUANTIZED(n, ...) extern const HyQuantizer hy_##n;
#define DECLARE_TEXTBOOK(n, ...)  extern const HyOdeMethod hy_ode_##n;
QUANTIZED(DECLARE_QUANTIZED)
TEXTBOOK(DECLARE_TEXTBOOK)

#define QUANTIZED_ROW(n, k, text)                                                                  \
  {.name = #n, .family = HY_FAMILY_QUANTIZED, .order = (k), .doc = (text), .quantizer = &hy_##n},
#define PAIRS_ROW(n, k, text)                                                                      \
  {.name = #n,                                                                                     \
   .family = HY_FAMILY_PAIRS,                                                                      \
   .order = (k),                                                                                   \
   .needs = HY_NEEDS_EQUATIONS,                                                                    \
   .doc = (text),                                                                                  \
   .quantizer = &hy_liqss##k},
#define CVODE_ROW(n, k, is_stiff, text)                                                            \
  {.name = #n,                                                                                     \
   .family = HY_FAMILY_CVODE,                                                                      \
   .order = (k),                                                                                   \
   .needs = HY_NEEDS_EQUATIONS | HY_NEEDS_SUNDIALS,                                                \
   .doc = (text),                                                                                  \
   .quantizer = &hy_led,                                                                           \
   .stiff = (is_stiff)},
#define TEXTBOOK_ROW(n, k, steps, text)                                                            \
  {.name = #n,                                                                                     \
   .family = HY_FAMILY_TEXTBOOK,                                                                   \
   .order = (k),                                                                                   \
   .needs = HY_NEEDS_EQUATIONS | (steps),                                                          \
   .doc = (text),                                                                                  \
   .quantizer = &hy_led,                                                                           \
   .textbook = &hy_ode_##n},
#define MULTIRATE_ROW(n, kind, m, text)                                                            \
  {.name = #n,                                                                                     \
   .family = HY_FAMILY_MULTIRATE,                                                                  \
   .order = 1,                                                                                     \
   .needs = HY_NEEDS_EQUATIONS | HY_NEEDS_HSTEP,                                                   \
   .doc = (text),                                                                                  \
   .quantizer = &hy_led,                                                                           \
   .information = HY_RATE_##kind,                                                                  \
   .corrections = (m)},

#define BLOCK_ROW(n, k, text)                                                                      \
  {.name = #n,                                                                                     \
   .family = HY_FAMILY_BLOCK,                                                                      \
   .order = (k),                                                                                   \
   .needs = HY_NEEDS_EQUATIONS,                                                                    \
   .doc = (text),                                                                                  \
   .quantizer = &hy_led},

#define CHAIN_ROW(n, k, text)                                                                      \
  {.name = #n,                                                                                     \
   .family = HY_FAMILY_CHAIN,                                                                      \
   .order = (k),                                                                                   \
   .needs = HY_NEEDS_EQUATIONS,                                                                    \
   .doc = (text),                                                                                  \
   .quantizer = &hy_led},

#define IMPLICIT_ROW(n, k, error, text)                                                            \
  {.name = #n,                                                                                     \
   .family = HY_FAMILY_IMPLICIT,                                                                   \
   .order = (k),                                                                                   \
   .needs = HY_NEEDS_EQUATIONS,                                                                    \
   .doc = (text),                                                                                  \
   .quantizer = &hy_led,                                                                           \
   .by_error = (error)},

const HyMethod hy_methods[] = {
    QUANTIZED(QUANTIZED_ROW) PAIRS(PAIRS_ROW) CVODE(CVODE_ROW) TEXTBOOK(TEXTBOOK_ROW) MULTIRATE(
        MULTIRATE_ROW) BLOCK(BLOCK_ROW) IMPLICIT(IMPLICIT_ROW) CHAIN(CHAIN_ROW){.name = NULL},
};

#define NAME(n, ...) #n,
#define NAMES                                                                                      \
  QUANTIZED(NAME)                                                                                  \
  PAIRS(NAME) CVODE(NAME) TEXTBOOK(NAME) MULTIRATE(NAME) BLOCK(NAME) IMPLICIT(NAME) CHAIN(NAME)

const char *const hy_method_names[] = {NAMES NULL};
const char *const hy_method_words[] = {HY_METHOD_AUTO, NAMES NULL};

const HyMethod *hy_method_find(const char *name)
{
  for (const HyMethod *m = hy_methods; m->name != NULL; m++) {
    if (strcmp(m->name, name) == 0) {
      return m;
    }
  }
  return NULL;
}
