/* A periodic motion of period T, beside which a difference d goes (orbit.c), driven by e^(jwt): in
 * a stretch d' = A d + b e^(jwt). Where d = e^(jwt) p(t) with p of period T, all stays as it is
 * from period to period, and the part of the output at that frequency is what a network analyser
 * shows:
 *
 *   Y(w) = 1/T integral of (c p + direct) dt,  and at each end (y- - y+) dt, by which it has moved
 *
 * (N. M. Wereley, S. R. Hall: Frequency response of linear time periodic systems; of their harmonic
 * transfer function it is the part from w to w.) With the modes of A, m = W p,
 *
 *   m' = (l - jw) m + W b:  m(tau) = e^z m + tau phi_1(z) W b,  z = (l - jw) tau
 *   integral of m = tau phi_1(z) m + tau^2 phi_2(z) W b
 *
 * Two conjugate modes, of which one is kept (modal.h), are two here, each with half of its column:
 * what is put in is not real. p(0) is what one round leads back to: (I - e^(-jwT) Phi) p(0) = r,
 * r being where the round ends that begins at 0. */
#include "response.h"

#include "dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A mode in a stretch. Those of a cluster stand one behind the other, and the first says what all
 * of them do: there m' = (T - jw) m + W b has matrices for phi (modal_clusters.c). */
typedef struct {
  int size;                          /* of its cluster, 1 if it is alone; 0: it has been counted */
  HyCluster of;                      /* T, or */
  bool twin;                         /* its conjugate */
  double complex rate, drive, reads; /* W b, c V */
  double complex grown;              /* e^(l tau) */
  double complex *from, *to;         /* [n] of the response: with its part of the column */
  /* At the frequency at hand: of m, and beside it; what it changes, and what is read meanwhile. */
  double complex change, driven, read, read_driven;
} Term;

struct HyResponse {
  int n, count, *first; /* [count + 1]: terms of a stretch */
  const HyStretch *stretch;
  const HyStretchPorts *port;
  Term *term;
  double *jump;              /* [count][n]: f- - f+ */
  double *phi;               /* [n][n] */
  double period, omega;      /* OMEGA: that at hand */
  double complex *columns;   /* [terms][2][n] */
  double complex *p;         /* [n]: working memory */
  double *a, *pivot, *right; /* [2n][2n], [2n], [2n]: likewise */
};

/* Making ------------------------------------------------------------------------------------ */

/* FROM and TO have their place. */
static void term_set(Term *t, const HyModal *m, int k, double tau, bool twin,
                     const HyStretchPorts *port)
{
  double part = 1.0 / m->counts[k];
  double complex phi[1];
  t->size = m->first[k] == k ? m->end[k] - k : 0;
  t->of = hy_cluster(m, m->first[k]);
  t->twin = twin;
  t->rate = twin ? conj(m->rate[k]) : m->rate[k];
  hy_phi(t->rate * tau, 0, phi);
  t->grown = phi[0];
  for (int i = 0; i < m->n; i++) {
    double complex from = part * hy_mode_from(m, k, i), to = hy_mode_to(m, k, i);
    t->from[i] = twin ? conj(from) : from;
    t->to[i] = twin ? conj(to) : to;
    t->drive += t->to[i] * port->force[i];
    t->reads += port->read[i] * t->from[i];
  }
}

static int response_terms(const HyModal *m)
{
  int n = m->modes;
  for (int k = 0; k < m->modes; k++) {
    n += m->counts[k] - 1;
  }
  return n;
}

static void response_fill(HyResponse *r, int k)
{
  const HyModal *m = r->stretch[k].motion.modal;
  Term *t = r->term + r->first[k];
  for (int i = r->first[k]; i < r->first[k + 1]; i++) {
    r->term[i].from = r->columns + (ptrdiff_t)2 * i * r->n;
    r->term[i].to = r->term[i].from + r->n;
  }
  for (int first = 0; first < m->modes; first = m->end[first]) {
    for (int i = 0; i < m->counts[first] * (m->end[first] - first); i++) {
      int size = m->end[first] - first;
      term_set(t++, m, first + i % size, r->stretch[k].tau, i >= size, &r->port[k]);
    }
  }
}

static bool response_has(const HyResponse *r)
{
  return r->first != NULL && r->term != NULL && r->jump != NULL && r->phi != NULL && r->p != NULL &&
         r->a != NULL && r->columns != NULL;
}

HyResponse *hy_response_new(int n, const HyStretch *stretch, const HyStretchPorts *port, int count)
{
  HyResponse *r = calloc(1, sizeof *r);
  size_t size = (size_t)n, terms = 0;
  double complex *work = calloc(hy_orbit_room(n) + 1, sizeof *work);
  for (int k = 0; k < count; k++) {
    terms += (size_t)response_terms(stretch[k].motion.modal);
  }
  if (r == NULL || work == NULL) {
    free(work);
    free(r);
    return NULL;
  }
  *r = (HyResponse){.n = n,
                    .count = count,
                    .stretch = stretch,
                    .port = port,
                    .first = calloc((size_t)count + 1, sizeof *r->first),
                    .term = calloc(terms + 1, sizeof *r->term),
                    .columns = calloc(2 * terms * size + 1, sizeof *r->columns),
                    .jump = calloc((size_t)count * size + 1, sizeof *r->jump),
                    .phi = calloc(size * size + 1, sizeof *r->phi),
                    .p = calloc(size + 1, sizeof *r->p),
                    .a = calloc(4 * size * size + 4 * size + 1, sizeof *r->a)};
  if (!response_has(r)) {
    free(work);
    hy_response_free(r);
    return NULL;
  }
  r->pivot = r->a + 4 * size * size;
  r->right = r->pivot + 2 * size;
  for (int k = 0; k < count; k++) {
    r->first[k + 1] = r->first[k] + response_terms(stretch[k].motion.modal);
    response_fill(r, k);
    r->period += stretch[k].tau;
    hy_orbit_jump(n, &stretch[k], &stretch[count - 1], r->jump + (size_t)k * size, (double *)work);
  }
  hy_orbit_monodromy(n, stretch, count, r->phi, work);
  free(work);
  return r;
}

void hy_response_free(HyResponse *r)
{
  if (r != NULL) {
    free(r->first);
    free(r->term);
    free(r->columns);
    free(r->jump);
    free(r->phi);
    free(r->p);
    free(r->a);
    free(r);
  }
}

/* One frequency ----------------------------------------------------------------------------- */

#define NEAR 0.05 /* |z| below which phi is a series: five terms leave 1e-13 of it */

/* phi_1 and phi_2 of Z, E being e^z. */
static void response_phi(double complex z, double complex e, double complex *phi)
{
  double size = creal(z) * creal(z) + cimag(z) * cimag(z);
  if (size < NEAR * NEAR) {
    phi[1] = 1.0 / 720 + z * (1.0 / 5040 + z * (1.0 / 40320));
    for (int k = 5; k >= 2; k--) { /* 1/k! */
      static const double inverse[] = {1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120};
      phi[1] = inverse[k] + hy_times(z, phi[1]);
    }
    phi[0] = 1.0 + hy_times(z, phi[1]);
    return;
  }
  double complex by = conj(z) / size;
  phi[0] = hy_times(by, e - 1.0);
  phi[1] = hy_times(by, phi[0] - 1.0);
}

/* T - j omega of a cluster: T [size][size]. */
static HyCluster cluster_tuned(const Term *term, double omega, double complex *t)
{
  for (int i = 0; i < term->size; i++) {
    for (int k = i; k < term->size; k++) {
      double complex of = term->of.t[(ptrdiff_t)i * term->of.wide + k];
      t[i * term->size + k] =
          (term->twin ? conj(of) : of) - (i == k ? hy_complex(0.0, omega) : 0.0);
    }
  }
  return (HyCluster){term->size, term->size, t};
}

/* A cluster, for that frequency. */
static void cluster_tune(Term *term, double omega, double tau)
{
  double complex t[HY_CLUSTER_MOST * HY_CLUSTER_MOST], out[3 * HY_CLUSTER_MOST];
  double complex drive[HY_CLUSTER_MOST];
  HyCluster c = cluster_tuned(term, omega, t);
  for (int i = 0; i < c.size; i++) {
    drive[i] = term[i].drive;
  }
  hy_cluster_phi(&c, tau, 2, drive, out);
  for (int i = 0; i < c.size; i++) {
    term[i].driven = out[c.size + i];
    term[i].read_driven = hy_times(term[i].reads, out[2 * c.size + i]);
  }
}

/* What a cluster makes of P; returns what is read meanwhile. */
static double complex cluster_stretch(const HyResponse *r, const Term *term, double tau,
                                      double complex *moved)
{
  double complex t[HY_CLUSTER_MOST * HY_CLUSTER_MOST], out[2 * HY_CLUSTER_MOST];
  double complex m[HY_CLUSTER_MOST], sum = 0.0;
  HyCluster c = cluster_tuned(term, r->omega, t);
  for (int k = 0; k < c.size; k++) {
    m[k] = 0.0;
    for (int i = 0; i < r->n; i++) {
      m[k] += hy_times(term[k].to[i], r->p[i]);
    }
  }
  hy_cluster_phi(&c, tau, 1, m, out);
  for (int k = 0; k < c.size; k++) {
    m[k] = out[c.size + k];
    sum += hy_times(term[k].reads, m[k]) + term[k].read_driven;
  }
  hy_cluster_times(&c, m);
  for (int k = 0; k < c.size; k++) {
    for (int i = 0; i < r->n; i++) {
      moved[i] += hy_times(term[k].from[i], m[k] + term[k].driven);
    }
  }
  return sum;
}

/* All terms, for that frequency. */
static void response_tune(HyResponse *r, double omega)
{
  r->omega = omega;
  for (int k = 0; k < r->count; k++) {
    double tau = r->stretch[k].tau;
    double complex turned = hy_complex(cos(omega * tau), -sin(omega * tau));
    for (Term *t = r->term + r->first[k]; t < r->term + r->first[k + 1]; t++) {
      if (t->size != 1) {
        if (t->size > 1) {
          cluster_tune(t, omega, tau);
        }
        continue;
      }
      double complex phi[2], z = (t->rate - hy_complex(0.0, omega)) * tau;
      response_phi(z, hy_times(t->grown, turned), phi);
      t->change = hy_times(z, phi[0]);
      t->driven = tau * hy_times(phi[0], t->drive);
      t->read = tau * hy_times(phi[0], t->reads);
      t->read_driven = tau * tau * hy_times(hy_times(phi[1], t->drive), t->reads);
    }
  }
}

/* What the modes of stretch K make of P, and what is read meanwhile. */
static double complex response_stretch(const HyResponse *r, int k, double complex *moved)
{
  double complex sum = r->port[k].direct * r->stretch[k].tau;
  memset(moved, 0, (size_t)r->n * sizeof *moved);
  for (const Term *t = r->term + r->first[k]; t < r->term + r->first[k + 1]; t++) {
    if (t->size != 1) {
      sum += t->size > 1 ? cluster_stretch(r, t, r->stretch[k].tau, moved) : 0.0;
      continue;
    }
    double complex m = 0.0;
    for (int i = 0; i < r->n; i++) {
      m += hy_times(t->to[i], r->p[i]);
    }
    double complex change = hy_times(t->change, m) + t->driven;
    sum += hy_times(t->read, m) + t->read_driven;
    for (int i = 0; i < r->n; i++) {
      moved[i] += hy_times(t->from[i], change);
    }
  }
  return sum;
}

/* By how much the end of stretch K comes later. */
static double complex response_later(const HyResponse *r, int k)
{
  const HyStretch *s = &r->stretch[k];
  double complex z = r->port[k].shift;
  if (s->gradient == NULL) {
    return z;
  }
  for (int i = 0; i < r->n; i++) {
    z += s->gradient[i] * r->p[i];
  }
  return -z / s->slope;
}

/* P goes round once; returns what has been read on the way. */
static double complex response_round(HyResponse *r, double complex *moved)
{
  double complex sum = 0.0;
  for (int k = 0; k < r->count; k++) {
    sum += response_stretch(r, k, moved);
    for (int i = 0; i < r->n; i++) {
      r->p[i] += moved[i];
    }
    double complex later = k + 1 < r->count ? response_later(r, k) : 0.0;
    sum += r->port[k].falls * later;
    for (int i = 0; i < r->n; i++) {
      r->p[i] += r->jump[(ptrdiff_t)k * r->n + i] * later;
    }
  }
  return sum;
}

/* P becomes what a round leads back to; it is where the round from 0 has ended. */
static bool response_solve(HyResponse *r, double omega)
{
  ptrdiff_t n = r->n, wide = 2 * n;
  double c = cos(omega * r->period), s = sin(omega * r->period);
  for (ptrdiff_t i = 0; i < n; i++) {
    for (ptrdiff_t k = 0; k < n; k++) {
      double phi = r->phi[i * n + k];
      double re = (i == k ? 1.0 : 0.0) - c * phi, im = s * phi;
      r->a[i * wide + k] = r->a[(i + n) * wide + k + n] = re;
      r->a[i * wide + k + n] = -im;
      r->a[(i + n) * wide + k] = im;
    }
    r->right[i] = creal(r->p[i]);
    r->right[i + n] = cimag(r->p[i]);
  }
  if (!hy_dense_factor((int)wide, r->a, r->pivot, NULL)) {
    return false;
  }
  hy_dense_solve((int)wide, r->a, r->pivot, r->right);
  for (ptrdiff_t i = 0; i < n; i++) {
    r->p[i] = hy_complex(r->right[i], r->right[i + n]);
  }
  return true;
}

bool hy_response_at(HyResponse *r, double omega, double complex *y)
{
  double complex *moved = (double complex *)(void *)r->a; /* before and after it is factored */
  memset(r->p, 0, (size_t)r->n * sizeof *r->p);
  response_tune(r, omega);
  response_round(r, moved);
  if (!response_solve(r, omega)) {
    return false;
  }
  *y = response_round(r, moved) / r->period;
  return isfinite(creal(*y)) && isfinite(cimag(*y));
}
