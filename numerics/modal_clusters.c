/* Motions of clusters: y' = T y + w(s), T an upper triangle of m rates that are near to each other,
 * or equal. By Newton's divided differences of the exponential (E. J. Putzer; A. McCurdy, K. Ng, B.
 * Parlett: Accurate computation of divided differences of the exponential function), which no
 * nearness makes worse,
 *
 *   s^k phi_k(T s) v = sum over i of e[0, .., 0, l_1, .., l_i](s) N_i v,  k zeros,
 *   N_1 = 1,  N_(i+1) = (T - l_i) N_i.
 *
 * Where all rates are 0 that is the polynomial itself. Differences at nodes z are the exponential
 * of the matrix with z on its diagonal and 1 above it: a series near 0, squared where z is large.
 * That of fast rates is e^(l s) times the one of what they are apart, and zeros come to it by
 *
 *   e[0, ..., l_i] = (e[.., l_i] with a zero less - e[0, .., l_(i-1)])/l_i. */
#include "modal.h"

#include <math.h>
#include <string.h>

#define TERMS 20       /* of the series, for |z| < 1, behind those that lead to the last node */
#define HEARD 0x1p-58  /* of a sum */
#define DEAD  (-745.0) /* e^z is 0 */
#define NODES (HY_CLUSTER_MOST + HY_MODAL_LANES + 2)

HyCluster hy_cluster(const HyModal *m, int first)
{
  return (HyCluster){m->end[first] - first, m->n, m->t + (ptrdiff_t)first * m->n + first};
}

static double complex cluster_t(const HyCluster *c, int i, int k)
{
  return c->t[(ptrdiff_t)i * c->wide + k];
}

/* E [n][n], an upper triangle, becomes its square; ROW [n] is working memory. */
static void triangle_square(int n, double complex *e, double complex *row)
{
  for (ptrdiff_t i = 0; i < n; i++) { /* no row needs one before it */
    for (ptrdiff_t k = i; k < n; k++) {
      row[k] = 0.0;
      for (ptrdiff_t j = i; j <= k; j++) {
        row[k] += hy_times(e[i * n + j], e[j * n + k]);
      }
    }
    memcpy(e + i * n + i, row + i, (size_t)(n - i) * sizeof *row);
  }
}

/* Row I of the exponential of the matrix with Z [n] on its diagonal and ABOVE above it: a sum of
 * rows, each the one before times the matrix by j, until none is heard any more. */
static void difference_row(int n, int i, const double complex *z, double above, double complex *e)
{
  double complex term[NODES] = {0.0};
  bool heard = true;
  for (int k = 0; k < n; k++) {
    e[k] = term[k] = k == i ? 1.0 : 0.0;
  }
  for (int j = 1; j < n - i + TERMS && (heard || j <= n - i); j++) {
    int last = i + j < n ? i + j : n - 1;
    heard = false;
    for (int k = last; k >= i; k--) {
      double complex before = k > i ? above * term[k - 1] : 0.0;
      term[k] = (hy_times(term[k], z[k]) + before) * (1.0 / j);
      e[k] += term[k];
      heard = heard || fabs(creal(term[k])) + fabs(cimag(term[k])) >
                           HEARD * (fabs(creal(e[k])) + fabs(cimag(e[k])));
    }
  }
}

/* E_ik becomes e[z_i .. z_k](1), i <= k, of the first ROWS i; Z is used up. */
static void differences(int n, int rows, double complex *z, double complex *e)
{
  double most = 0.0, above = 1.0;
  double complex row[NODES];
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(creal(z[i])) + fabs(cimag(z[i])));
  }
  int halved = 0;
  for (; most * above > 1.0; halved++) {
    above *= 0.5;
  }
  for (int i = 0; i < n; i++) {
    z[i] *= above;
  }
  for (ptrdiff_t i = 0; i < (halved > 0 ? n : rows); i++) {
    difference_row(n, (int)i, z, above, e + i * n);
  }
  for (int k = 0; k < halved; k++) {
    triangle_square(n, e, row);
  }
}

/* F_ki, k = 0 .. LAST, i = 0 .. SIZE - 1, becomes e[0, .., 0, l_0, .., l_i](s). */
static void cluster_near(const HyCluster *c, double s, int last, double complex *f)
{
  double complex z[NODES] = {0.0}, e[NODES * NODES];
  int n = c->size + last;
  for (int i = 0; i < c->size; i++) {
    z[last + i] = cluster_t(c, i, i) * s;
  }
  differences(n, last + 1, z, e);
  for (int k = 0; k <= last; k++) {
    double power = 1.0;
    for (int j = 0; j < k; j++) {
      power *= s;
    }
    for (int i = 0; i < c->size; i++) {
      f[k * c->size + i] = power * e[(ptrdiff_t)(last - k) * n + last + i];
      power *= s;
    }
  }
}

/* Likewise, where all |l| s are so large that nothing is lost in those differences. */
static void cluster_far(const HyCluster *c, double s, int last, double complex *f)
{
  double complex z[NODES], e[NODES * NODES], base = cluster_t(c, 0, 0);
  double power = 1.0;
  for (int i = 0; i < c->size; i++) {
    base = creal(cluster_t(c, i, i)) > creal(base) ? cluster_t(c, i, i) : base;
  }
  for (int i = 0; i < c->size; i++) {
    z[i] = (cluster_t(c, i, i) - base) * s;
  }
  double length = creal(base) * s < DEAD ? 0.0 : exp(creal(base) * s);
  double complex grown = hy_complex(length * cos(cimag(base) * s), length * sin(cimag(base) * s));
  if (length > 0.0) {
    differences(c->size, 1, z, e);
  }
  for (int i = 0; i < c->size; i++) {
    f[i] = length > 0.0 ? hy_times(grown, e[i]) * power : 0.0;
    power *= s;
  }
  power = 1.0;
  for (int k = 1; k <= last; k++) { /* s^(k - 1)/(k - 1)! is the one of zeros alone */
    double complex before = power;
    for (int i = 0; i < c->size; i++) {
      before = (f[(k - 1) * c->size + i] - before) / cluster_t(c, i, i);
      f[k * c->size + i] = before;
    }
    power *= s / k;
  }
}

/* V becomes (T - L) V. */
static void cluster_times(const HyCluster *c, double complex l, double complex *v)
{
  for (int k = 0; k < c->size; k++) {
    double complex sum = hy_times(cluster_t(c, k, k) - l, v[k]);
    for (int j = k + 1; j < c->size; j++) {
      sum += v[j] != 0.0 ? hy_times(cluster_t(c, k, j), v[j]) : 0.0;
    }
    v[k] = sum;
  }
}

void hy_cluster_next(const HyCluster *c, int i, double complex *v)
{
  cluster_times(c, cluster_t(c, i, i), v);
}

void hy_cluster_times(const HyCluster *c, double complex *v)
{
  cluster_times(c, 0.0, v);
}

/* F_ki of both kinds. */
static void cluster_factors(const HyCluster *c, double s, int last, double complex *f)
{
  double slowest = INFINITY;
  for (int i = 0; i < c->size; i++) {
    slowest = fmin(slowest, cabs(cluster_t(c, i, i)));
  }
  if (slowest * s > c->size) {
    cluster_far(c, s, last, f);
  } else {
    cluster_near(c, s, last, f);
  }
}

/* OUT_k [size] becomes the sum of F_ki N_i V, for COUNT of k. */
static void cluster_sums(const HyCluster *c, int count, const double complex *f,
                         const double complex *v, double complex *out)
{
  double complex y[HY_CLUSTER_MOST + 1];
  double left = 1.0;
  memcpy(y, v, (size_t)c->size * sizeof *y);
  for (int i = 0; i < count * c->size; i++) {
    out[i] = 0.0;
  }
  for (int i = 0; i < c->size && left != 0.0; i++) {
    left = 0.0;
    for (int j = 0; j < c->size; j++) {
      for (int k = 0; k < count && y[j] != 0.0; k++) {
        out[k * c->size + j] += hy_times(f[k * c->size + i], y[j]);
      }
      left += cabs(y[j]);
    }
    hy_cluster_next(c, i, y);
  }
}

void hy_cluster_phi(const HyCluster *c, double s, int last, const double complex *v,
                    double complex *out)
{
  double complex f[(HY_MODAL_LANES + 1) * (HY_CLUSTER_MOST + 1)];
  cluster_factors(c, s, last, f);
  cluster_sums(c, last + 1, f, v, out);
}

void hy_cluster_solve(const HyCluster *c, double complex *y)
{
  for (int k = c->size - 1; k >= 0; k--) {
    for (int j = k + 1; j < c->size; j++) {
      y[k] -= hy_times(cluster_t(c, k, j), y[j]);
    }
    y[k] = y[k] / cluster_t(c, k, k);
  }
}

void hy_cluster_at(const HyMotion *m, int first, double s, double complex *moved,
                   double complex *slope)
{
  HyCluster c = hy_cluster(m->modal, first);
  double complex f[(HY_MODAL_LANES + 1) * HY_CLUSTER_MOST];
  double complex w[HY_CLUSTER_MOST], out[2 * HY_CLUSTER_MOST];
  double factorial = 1.0;
  cluster_factors(&c, s, m->lanes, f);
  memset(moved, 0, (size_t)c.size * sizeof *moved);
  memset(slope, 0, (size_t)c.size * sizeof *slope);
  for (int j = 0; j < m->lanes; j++) {
    for (int i = 0; i < c.size; i++) {
      const double *drive = m->drive + (ptrdiff_t)j * m->modal->wide + m->modal->at[first + i];
      w[i] = hy_complex(drive[0], drive[1]);
    }
    factorial *= j > 0 ? j : 1.0;
    cluster_sums(&c, 2, f + (ptrdiff_t)j * c.size, w, out);
    for (int i = 0; i < c.size; i++) {
      slope[i] += factorial * out[i];
      moved[i] += factorial * out[c.size + i];
    }
  }
  if (m->sines != NULL && m->sines->meets) {
    hy_sines_cluster(m, first, s, moved, slope);
  }
}
