/* A model that is one group, by CVODE from C: the systems of by_hand/ without gates, and two more.
 * For bench/cvode, which counts the instructions; so CVODE is told how far to go as hydevs tells
 * it, and takes the same steps.
 *
 * usage: bench-peer_cvode NAME PARTS TOLERANCE STOP        (PARTS 0: as the system has them)
 * prints steps, evaluations, and the sum of the states behind the last step
 */
#include "by_hand/solve.h"

#include <cvode/cvode.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A heat sink: bench/models/heatsink.xml ------------------------------------------------------- */

static double spread(const System *s)
{
  double width = 25e-3 / s->parts;
  return 209.3 / (2698.4 * 900) / (width * width);
}

static void cold(const System *s, double *u)
{
  for (int i = 0; i < s->n; i++) {
    u[i] = 298;
  }
}

static void heatsink(const System *s, const double *u, double *du)
{
  const double by = spread(s);
  double before = 7.5 * 40;
  for (int i = 0; i < s->n; i++) {
    du[i] = by * (before - 2 * u[i] + (i + 1 < s->n ? u[i + 1] : 298));
    before = u[i];
  }
}

static void heatsink_jacobian(const System *s, const double *u, Entries *e)
{
  const double by = spread(s);
  (void)u;
  for (int i = 0; i < s->n; i++) {
    if (i > 0) {
      put(e, i, i - 1, by);
    }
    put(e, i, i, -2 * by);
    if (i + 1 < s->n) {
      put(e, i, i + 1, by);
    }
  }
}

/* Cuk stages that do not switch: bench/models/cuk13.xml; iL1, iL2, uC1 each, then uC2 ------------
 */

static const double supply = 24, lc = 100e-6, load = 10, rs = 0.05, rd = 200;

static void discharged(const System *s, double *x)
{
  (void)s, (void)x;
}

static void cuk13(const System *s, const double *x, double *dx)
{
  const int out = 3 * s->parts;
  double sum = 0;
  for (int k = 0; k < out; k += 3) {
    double i = (rs * (x[k] + x[k + 1]) - x[k + 2]) / (rs + rd);
    dx[k] = (supply - x[k + 2] - rd * i) / lc;
    dx[k + 1] = (-x[out] - rd * i) / lc;
    dx[k + 2] = (i - x[k + 1]) / lc;
    sum += x[k + 1];
  }
  dx[out] = (sum - x[out] / load) / lc;
}

static void cuk13_jacobian(const System *s, const double *x, Entries *e)
{
  const int out = 3 * s->parts;
  const double by_coil = rs / (rs + rd), by_u = -1 / (rs + rd); /* of the diode's current */
  (void)x;
  for (int k = 0; k < out; k += 3) {
    for (int coil = k; coil < k + 2; coil++) {
      put(e, coil, k, -rd * by_coil / lc);
      put(e, coil, k + 1, -rd * by_coil / lc);
      put(e, coil, k + 2, ((coil == k ? -1 : 0) - rd * by_u) / lc);
    }
    put(e, k + 1, out, -1 / lc);
    put(e, k + 2, k, by_coil / lc);
    put(e, k + 2, k + 1, (by_coil - 1) / lc);
    put(e, k + 2, k + 2, by_u / lc);
    put(e, out, k + 1, 1 / lc);
  }
  put(e, out, out, -1 / load / lc);
}

/* ---------------------------------------------------------------------------------------------- */

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static const System own[] = {
    {.name = "heatsink",
     .parts = 100,
     .part = NAMES("u[%d]"),
     .start = cold,
     .f = heatsink,
     .jacobian = heatsink_jacobian},
    {.name = "cuk13",
     .parts = 4,
     .part = NAMES("iL1[%d]", "iL2[%d]", "uC1[%d]"),
     .after = NAMES("uC2"),
     .start = discharged,
     .f = cuk13,
     .jacobian = cuk13_jacobian},
    {0},
};

static const System *find(const System *s, const char *name)
{
  while (s->name != NULL && strcmp(s->name, name) != 0) {
    s++;
  }
  return s->name != NULL ? s : NULL;
}

static void integrate(const System *s, double tolerance, double stop)
{
  Run *r = run_new(s, tolerance, tolerance, BY_FORMULA);
  while (r->since < stop) {
    if (CVode(r->cvode, r->since + 1, r->x, &r->since, CV_ONE_STEP) < 0) {
      fputs("bench-peer_cvode: a step has failed\n", stderr);
      exit(1);
    }
  }
  double sum = 0;
  for (int i = 0; i < s->n; i++) {
    sum += N_VGetArrayPointer(r->x)[i];
  }
  run_count(r);
  printf("steps %ld evaluations %ld sum %.9g\n", r->steps, r->evaluations, sum);
  run_free(r);
}

int main(int argc, char **argv)
{
  const System *known = argc == 5 ? find(own, argv[1]) : NULL;
  if (known == NULL && argc == 5) {
    known = find(systems, argv[1]);
  }
  if (known == NULL || known->gates != NULL) {
    fputs("usage: bench-peer_cvode NAME PARTS TOLERANCE STOP\n", stderr);
    return 2;
  }
  System s = *known;
  int parts = (int)strtol(argv[2], NULL, 10);
  if (!system_size(&s, parts > 0 ? parts : s.parts)) {
    fprintf(stderr, "%s cannot have %d parts\n", s.name, parts);
    return 2;
  }
  integrate(&s, strtod(argv[3], NULL), strtod(argv[4], NULL));
  return 0;
}
