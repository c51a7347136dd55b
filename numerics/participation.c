#include "participation.h"
#include "eigen.h"

#include <math.h>

const HySeparation hy_separation = {.ratio = 4.0, .limit = 0.1};

size_t hy_participation_room(int n)
{
  size_t square = (size_t)n * (size_t)n;
  return (size_t)n + 2 * square + hy_eigen_room(n);
}

bool hy_participation(int n, const double *a, HyParticipation *result, double complex *room)
{
  ptrdiff_t square = (ptrdiff_t)n * n;
  *result = (HyParticipation){n, room, room + n};
  double complex *left = result->p + square;
  if (!hy_eigen(n, a, result->value, result->p, left, left + square)) {
    return false;
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    for (ptrdiff_t i = 0; i < n; i++) {
      result->p[k * n + i] *= left[i * n + k];
    }
  }
  return true;
}

static void participation_level(HyParticipation *m, int first, int end)
{
  for (ptrdiff_t k = 0; k < m->n; k++) {
    double complex sum = 0.0;
    for (int i = first; i < end; i++) {
      sum += m->p[k * m->n + i];
    }
    for (int i = first; i < end; i++) {
      m->p[k * m->n + i] = sum / (end - first);
    }
  }
}

void hy_participation_cluster(HyParticipation *m, double close)
{
  int first = 0;
  for (int i = 1; i <= m->n; i++) {
    if (i == m->n || cabs(m->value[i] - m->value[i - 1]) > close * cabs(m->value[i - 1])) {
      participation_level(m, first, i);
      first = i;
    }
  }
}

/* How much of state K is in the first GAP modes, or in the others. */
static double participation_share(const HyParticipation *m, int k, int gap, bool others)
{
  double complex sum = 0.0;
  for (int i = others ? gap : 0; i < (others ? m->n : gap); i++) {
    sum += m->p[(ptrdiff_t)k * m->n + i];
  }
  return cabs(sum);
}

/* Fast is what takes part more in the first GAP modes. The largest part in the other class; what
 * has as many fast states as fast modes only. */
static double divide_at(const HyParticipation *m, int gap, bool *fast)
{
  double worst = 0.0;
  int count = 0;
  for (int k = 0; k < m->n; k++) {
    double in = participation_share(m, k, gap, false);
    double out = participation_share(m, k, gap, true);
    fast[k] = in > out;
    count += fast[k] ? 1 : 0;
    worst = fmax(worst, fast[k] ? out : in);
  }
  return count == gap ? worst : INFINITY;
}

/* Of all divisions that keep the limits the one with the widest gap. */
int hy_participation_divide(const HyParticipation *m, const HySeparation *limits, bool *fast,
                            double *worst)
{
  double least = INFINITY;
  double widest = 0.0;
  int best = 0;
  for (int gap = 1; gap < m->n; gap++) {
    double ratio = cabs(m->value[gap - 1]) / cabs(m->value[gap]);
    if (!(ratio >= limits->ratio)) {
      continue;
    }
    double other = divide_at(m, gap, fast);
    least = fmin(least, other);
    if (other < limits->limit && ratio > widest) {
      widest = ratio;
      best = gap;
    }
  }
  if (worst != NULL) {
    *worst = least;
  }
  for (int k = 0; k < m->n; k++) {
    fast[k] = false;
  }
  if (best > 0) {
    divide_at(m, best, fast);
  }
  return best;
}
