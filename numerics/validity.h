/* How long a truncated Taylor series may stand for the function that it was made of.
 *
 * A function of polynomials is a polynomial of more coefficients than a piece has, or none at all:
 * what a block says of it drifts away, also where no input changes any more. The first coefficient
 * that the piece leaves out foresees when that is more than a tolerance: |c_n| s^n = w.
 *
 * A coefficient may be small by accident: r^4 at r = 0, a sine where it is straight. So a shorter
 * time is always believed, but one much longer than what was found last is not: then the function
 * itself is evaluated ahead, from the time in which an input moves by its quantum on, in growing
 * steps, and the piece is trusted as far as it holds there. Not further, though, than to where an
 * input has moved by as much as it is: a function may do there whatever it likes.
 */
#ifndef HYDEVS_NUMERICS_VALIDITY_H
#define HYDEVS_NUMERICS_VALIDITY_H

#include "leave.h"

#include <math.h>
#include <stdbool.h>

/* Of one signal; zeroed but for FORESEEN, which is NaN before the first time. */
typedef struct {
  double foreseen; /* the time that was found last, when the function was looked at */
  double far;      /* and how far one may look without evaluating */
} HyValidity;

/* The time in which the first input moves by its quantum, and by as much as it is. */
typedef struct {
  double near, far;
} HyReach;
#define HY_REACH_NONE ((HyReach){INFINITY, INFINITY})

/* Of quanta, in which tolerances are counted. As QSS have it, x may leave q by a quantum, or two;
 * with a bound of one quantum here, blocks behind states would speak every tenth time before their
 * inputs do, with four every hundredth. */
#define HY_VALIDITY_QUANTA 4.0

/* The tolerance of a piece whose value is C. */
static inline double hy_validity_tolerance(double rel, double min, double c)
{
  double w = rel * fabs(c);
  return HY_VALIDITY_QUANTA * (w > min ? w : min);
}

/* How far a piece may be from its function after the time s:
 *
 *   max(relative, min(least, effect / s))
 *
 * RELATIVE is a part of what matters. Where that is small, no piece would be good enough; but how
 * large an error does no harm follows from what it does to the states behind: an error e moves x by
 * |dx'/dy| e s, which is a quantum for e = effect / s. */
typedef struct {
  double relative, least;
  double effect; /* the least dq / |dx'/dy| of the states behind; INFINITY: there are none */
} HyBand;

static inline double hy_validity_band(const HyBand *b, double s)
{
  double w = b->least * s > b->effect ? b->effect / s : b->least;
  return w > b->relative ? w : b->relative;
}

double hy_validity_foresee_any(double c, int n, double w);

/* |c s^n| = w; NaN: nothing can be said, as where W is 0. */
static inline double hy_validity_foresee(double c, int n, double w)
{
  double s = w / fabs(c);
  if (n < 2 || n > 3 || !(s > 0.0 && s < INFINITY)) {
    return hy_validity_foresee_any(c, n, w);
  }
  return n == 2 ? sqrt(s) : hy_cube_root(s);
}

double hy_validity_foresee_effect(double c, int n, const HyBand *b);

/* |c s^n| leaves the band B; N < 4. */
static inline double hy_validity_foresee_band(double c, int n, const HyBand *b)
{
  if (b->relative >= b->least) {
    return hy_validity_foresee(c, n, b->relative);
  }
  double s = hy_validity_foresee(c, n, b->least);
  return b->least * s > b->effect ? hy_validity_foresee_effect(c, n, b) : s;
}

/* The same of |c s^n| + |further s^(n+1)|, or a little less; N is 2. */
double hy_validity_foresee_two(double c, double further, int n, const HyBand *b);

/* Whether S is no reason to look: a shorter time always, a longer one as far as four times what was
 * found when the function was looked at last. */
static inline bool hy_validity_believes(const HyValidity *v, double s)
{
  return s <= 4.0 * v->foreseen;
}

/* The time for which a piece holds that is believed to hold for S. */
static inline double hy_validity_believed(const HyValidity *v, double s)
{
  return s < v->far ? s : v->far;
}

/* An input with N coefficients, AGE after the start of its PIECE. */
void hy_validity_reach(HyReach *reach, const double *piece, double age, int n, double rel,
                       double min);

/* How far the function is from the piece at S, in tolerances; INFINITY: it is not defined there. */
typedef double HyExcess(void *user, double s);

/* The time for which the piece holds, S being foreseen; INFINITY if that is LIMIT or more, when
 * somebody else makes another piece. */
double hy_validity_look(HyValidity *v, double s, const HyReach *reach, double limit,
                        HyExcess *excess, void *user);

/* The next instant, T being now; later than T. */
static inline double hy_validity_until(double t, double s)
{
  double until = t + s;
  return until > t ? until : nextafter(t, INFINITY);
}

#endif
