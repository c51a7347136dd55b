#include "beats.h"
#include "two.h"

#include <math.h>

#define SIMPLE 0x1p44 /* p q of what is a simple fraction */

/* The numbers p/q whose quotient is V; FALSE: none is simple. */
static bool ratio_find(double v, double *p, double *q)
{
  double x = v, p0 = 0.0, q0 = 1.0, p1 = 1.0, q1 = 0.0;
  while (x < SIMPLE) {
    double a = floor(x), p2 = a * p1 + p0, q2 = a * q1 + q0;
    if (!(p2 * q2 < SIMPLE)) {
      return false;
    }
    if (p2 / q2 == v) {
      *p = p2;
      *q = q2;
      return true;
    }
    p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    x = 1.0 / (x - a);
  }
  return false;
}

HyRatio hy_ratio(double v)
{
  double p, q;
  if (!ratio_find(fabs(v), &p, &q)) {
    return (HyRatio){v, 0.0};
  }
  Two whole = two_product(fabs(v), q); /* p - |v| q is a number: v is p/q but for a rounding */
  return (HyRatio){v, copysign(1.0, v) * (((p - whole.h) - whole.l) / q)};
}

static Two two(HyRatio r)
{
  return (Two){r.h, r.l};
}

HyBeats hy_beats(double T, double start)
{
  return (HyBeats){hy_ratio(T), hy_ratio(start)};
}

HyBeats hy_beats_split(const HyBeats *b, double n)
{
  Two T = two_over(two(b->T), two_of(n));
  return (HyBeats){{T.h, T.l}, b->start};
}

double hy_beat(const HyBeats *b, double k, HyRatio part)
{
  Two n = part.h == 0.0 ? two_of(k) : two_sum(k, part.h);
  Two passed = two_product(b->T.h, n.h);
  passed.l += b->T.h * (n.l + part.l) + b->T.l * n.h;
  double at = b->start.h == 0.0 ? passed.h + passed.l : two_add(two(b->start), passed).h;
  return isnan(at) ? b->start.h + b->T.h * (k + part.h) : at; /* beyond 1e300, or infinite */
}

double hy_beat_before(const HyBeats *b, HyRatio part, double t)
{
  double k = floor((t - b->start.h) / b->T.h - part.h);
  while (hy_beat(b, k, part) > t) {
    k--;
  }
  while (hy_beat(b, k + 1.0, part) <= t) {
    k++;
  }
  return k;
}

bool hy_beats_countable(double T, double t)
{
  return T > 0.0 && isfinite(T) && fabs(t / T) < 0x1p50;
}
