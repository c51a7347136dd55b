/* Numbers of 106 bits: h + l, l no more than half a unit of the last digit of h (T. Dekker, A
 * floating-point technique for extending the available precision). By sums and products of doubles
 * alone, so that all compilers and machines have the same bits; for the files of this folder. */
#ifndef HYDEVS_NUMERICS_TWO_H
#define HYDEVS_NUMERICS_TWO_H

#include <math.h>

typedef struct {
  double h, l;
} Two;

static inline Two two_sum(double a, double b)
{
  double s = a + b, t = s - a;
  return (Two){s, (a - (s - t)) + (b - t)};
}

/* |a| >= |b| */
static inline Two two_fast(double a, double b)
{
  double s = a + b;
  return (Two){s, b - (s - a)};
}

static inline Two two_product(double a, double b)
{
  double p = a * b, c = 0x1.000002p27 * a, d = 0x1.000002p27 * b;
  double ah = c - (c - a), al = a - ah, bh = d - (d - b), bl = b - bh;
  return (Two){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static inline Two two_of(double a)
{
  return (Two){a, 0.0};
}

static inline Two two_minus(Two a)
{
  return (Two){-a.h, -a.l};
}

static inline Two two_add(Two a, Two b)
{
  Two s = two_sum(a.h, b.h), t = two_sum(a.l, b.l);
  s = two_fast(s.h, s.l + t.h);
  return two_fast(s.h, s.l + t.l);
}

static inline Two two_times(Two a, Two b)
{
  Two p = two_product(a.h, b.h);
  return two_fast(p.h, p.l + (a.h * b.l + a.l * b.h));
}

/* sum + a b, where what a sum loses may be rounding of the larger part and not of the sum. */
static inline Two two_gather(Two sum, Two a, Two b)
{
  Two p = two_product(a.h, b.h), s = two_sum(sum.h, p.h);
  return two_fast(s.h, s.l + (sum.l + (p.l + (a.h * b.l + a.l * b.h))));
}

/* By a power of 2. */
static inline Two two_scale(Two a, double power)
{
  return (Two){a.h * power, a.l * power};
}

/* The quotient of the first halves, and that of what is left. */
static inline Two two_over(Two a, Two b)
{
  double q = a.h / b.h;
  Two left = two_add(a, two_minus(two_times(b, two_of(q))));
  return two_add(two_of(q), two_of(left.h / b.h));
}

/* Of a number that is not negative: one step of Newton's iteration. */
static inline Two two_root(Two a)
{
  double r = sqrt(a.h);
  if (!(r > 0.0)) {
    return two_of(r);
  }
  Two left = two_add(a, two_minus(two_product(r, r)));
  return two_add(two_of(r), two_of(left.h / (2.0 * r)));
}

#endif
