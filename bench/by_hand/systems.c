#include "system.h"

#include "converters.h"

#include <math.h>
#include <stddef.h>

/* C2, CP, pM, M, Y, YP of each cell */
static void tyson(const System *s, const double *x, double *dx)
{
  for (int k = 0; k < s->parts; k++, x += 6, dx += 6) {
    double part = x[3] / (x[0] + x[1] + x[2] + x[3]), active = 0.018 + 180 * part * part;
    double bind = 200 * x[1] * x[4], free_again = 1e6 * x[0] - 1e3 * x[1];
    dx[0] = x[3] - free_again;
    dx[1] = free_again - bind;
    dx[2] = bind - x[2] * active;
    dx[3] = x[2] * active - x[3];
    dx[4] = 0.015 - bind;
    dx[5] = x[3] - 0.6 * x[5];
  }
}

static void tyson_jacobian(const System *s, const double *x, Entries *e)
{
  for (int c = 0; c < s->n; c += 6, x += 6) {
    double all = x[0] + x[1] + x[2] + x[3], part = x[3] / all, active = 0.018 + 180 * part * part;
    double by_all = -360 * part * part / all, by_m = by_all + 360 * part / all;
    put(e, c, c, -1e6);
    put(e, c, c + 1, 1e3);
    put(e, c, c + 3, 1);
    put(e, c + 1, c, 1e6);
    put(e, c + 1, c + 1, -1e3 - 200 * x[4]);
    put(e, c + 1, c + 4, -200 * x[1]);
    for (int row = 2; row <= 3; row++) { /* pM' = ... - pM active, M' = pM active - M */
      double sign = row == 2 ? -1 : 1;
      put(e, c + row, c, sign * x[2] * by_all);
      put(e, c + row, c + 1, sign * x[2] * by_all + (row == 2 ? 200 * x[4] : 0));
      put(e, c + row, c + 2, sign * (active + x[2] * by_all));
      put(e, c + row, c + 3, sign * x[2] * by_m - (row == 3));
    }
    put(e, c + 2, c + 4, 200 * x[1]);
    put(e, c + 4, c + 1, -200 * x[4]);
    put(e, c + 4, c + 4, -200 * x[1]);
    put(e, c + 5, c + 3, 1);
    put(e, c + 5, c + 5, -0.6);
  }
}

static void cells(const System *s, double *x)
{
  for (int k = 0; k < s->parts; k++) {
    x[6 * k + 1] = 0.75 - 0.5 * k / (s->parts - 1);
    x[6 * k + 2] = 1 - x[6 * k + 1];
  }
}

/* Of the first sections, and of those from adr_second() on: section 7.4.2. */
static double adr_diffusion(const System *s, int second)
{
  return !s->d_varies ? 1e-3 : second ? 10 : 1e-6;
}

static int adr_second(const System *s)
{
  return s->d_varies ? (s->n + 1) / 2 - 1 : 0;
}

static void adr_part(const double *u, double *du, int from, int to, double a, double d)
{
  for (int i = from; i < to; i++) {
    du[i] = a * (u[i - 1] - u[i]) + d * (u[i + 1] - 2 * u[i] + u[i - 1]) +
            1000 * (u[i] * u[i]) * (1 - u[i]);
  }
}

static void adr(const System *s, const double *u, double *du)
{
  const int last = s->n - 1, second = adr_second(s);
  const double a = s->n / 10.0, d1 = adr_diffusion(s, 0) * a * a, d2 = adr_diffusion(s, 1) * a * a;
  double d0 = second > 0 ? d1 : d2;
  du[0] = a * (1 - u[0]) + d0 * (u[1] - 2 * u[0] + 1) + 1000 * (u[0] * u[0]) * (1 - u[0]);
  adr_part(u, du, 1, second, a, d1);
  adr_part(u, du, second > 1 ? second : 1, last, a, d2);
  du[last] = (a + 2 * d2) * (u[last - 1] - u[last]) + 1000 * (u[last] * u[last]) * (1 - u[last]);
}

static void adr_jacobian(const System *s, const double *u, Entries *e)
{
  const int last = s->n - 1, second = adr_second(s);
  const double a = s->n / 10.0, d1 = adr_diffusion(s, 0) * a * a, d2 = adr_diffusion(s, 1) * a * a;
  for (int i = 0; i <= last; i++) {
    double d = i < second ? d1 : d2;
    if (i > 0) {
      put(e, i, i - 1, a + (i == last ? 2 * d : d));
    }
    put(e, i, i, -a - 2 * d + 1000 * u[i] * (2 - 3 * u[i]));
    if (i < last) {
      put(e, i, i + 1, d);
    }
  }
}

/* --------------------------------------------------------------------------------------------- */

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define SHOWN(...) ((const int[]){__VA_ARGS__, -1})
#define CONVERTER                                                                                  \
  .experiments = "coarse fine", .stop = 10e-3, .grid = 20e-6, .rtol = 1e-10, .atol = 1e-12,        \
  .gates = one_gate, .start = at_rest
#define INTERLEAVED                                                                                \
  .model = "cuk-interleaved", .parts = 4,                                                          \
  .part = NAMES("stage[%d]/iL1", "stage[%d]/iL2", "stage[%d]/uC1"), .after = NAMES("uC2"),         \
  .rtol = 1e-9, .atol = 1e-11, .gates = stage_gates, .start = at_rest, .f = cuk_interleaved,       \
  .jacobian = cuk_interleaved_jacobian, .current = cuk_current
#define ALL_STAGES                                                                                 \
  .head = "stage[1]/iL1,stage[2]/iL1,stage[3]/iL1,stage[4]/iL1,"                                   \
          "stage[1]/iL2,stage[2]/iL2,stage[3]/iL2,stage[4]/iL2,"                                   \
          "stage[1]/uC1,stage[2]/uC1,stage[3]/uC1,stage[4]/uC1,uC2",                               \
  .shown = SHOWN(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11, 12), .stop = 20e-3, .grid = 80e-6
#define LINE                                                                                       \
  .parts = 1000, .shown = SHOWN(249, 499, 749, 999), .stop = 10, .grid = 10e-3, .rtol = 1e-9,      \
  .atol = 1e-11, .band = 1, .start = at_rest, .f = adr, .jacobian = adr_jacobian

const System systems[] = {
    {.name = "buck",
     .head = "iL,uC",
     .before = NAMES("iL", "uC"),
     .shown = SHOWN(0, 1),
     .f = buck,
     .jacobian = buck_jacobian,
     .current = buck_current,
     CONVERTER},
    {.name = "cuk",
     .head = "iL1,iL2,uC1,uC2",
     .before = NAMES("iL1", "iL2", "uC1", "uC2"),
     .shown = SHOWN(0, 1, 2, 3),
     .f = cuk,
     .jacobian = cuk_jacobian,
     .current = cuk_current,
     CONVERTER},
    {.name = "buck-ls",
     .head = "iS,iL,uC",
     .before = NAMES("iS", "iL", "uC"),
     .shown = SHOWN(0, 1, 2),
     .f = buck_ls,
     .jacobian = buck_ls_jacobian,
     .current = buck_ls_current,
     CONVERTER},
    {.name = "buck-ld",
     .head = "iD,iL,uC",
     .before = NAMES("iD", "iL", "uC"),
     .shown = SHOWN(0, 1, 2),
     .f = buck_ld,
     .jacobian = buck_ld_jacobian,
     .current = buck_ld_current,
     CONVERTER},
    {.name = "cuk-ls",
     .head = "iL1,iL2,iS,uC1,uC2",
     .before = NAMES("iL1", "iL2", "iS", "uC1", "uC2"),
     .shown = SHOWN(0, 1, 2, 3, 4),
     .f = cuk_ls,
     .jacobian = cuk_ls_jacobian,
     .current = cuk_ls_current,
     CONVERTER},
    {.name = "buck-ls-interleaved",
     .experiments = "coarse fine",
     .parts = 4,
     .shift = 1,
     .part = NAMES("stage[%d]/iS", "stage[%d]/iL"),
     .after = NAMES("uC"),
     .head = "stage[1]/iS,stage[2]/iS,stage[3]/iS,stage[4]/iS,"
             "stage[1]/iL,stage[2]/iL,stage[3]/iL,stage[4]/iL,uC",
     .shown = SHOWN(0, 2, 4, 6, 1, 3, 5, 7, 8),
     .stop = 10e-3,
     .grid = 40e-6,
     .rtol = 1e-10,
     .atol = 1e-12,
     .gates = buck_stage_gates,
     .start = at_rest,
     .f = buck_ls,
     .jacobian = buck_ls_jacobian,
     .current = buck_ls_current},
    {.name = "cuk-ls-interleaved",
     .experiments = "coarse fine",
     .parts = 4,
     .shift = 1,
     .part = NAMES("stage[%d]/iL1", "stage[%d]/iL2", "stage[%d]/iS", "stage[%d]/uC1"),
     .after = NAMES("uC2"),
     .head = "stage[1]/iL1,stage[2]/iL1,stage[3]/iL1,stage[4]/iL1,"
             "stage[1]/iL2,stage[2]/iL2,stage[3]/iL2,stage[4]/iL2,"
             "stage[1]/iS,stage[2]/iS,stage[3]/iS,stage[4]/iS,"
             "stage[1]/uC1,stage[2]/uC1,stage[3]/uC1,stage[4]/uC1,uC2",
     .shown = SHOWN(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 16),
     .stop = 20e-3,
     .grid = 80e-6,
     .rtol = 1e-9,
     .atol = 1e-11,
     .gates = stage_gates,
     .start = at_rest,
     .f = cuk_ls_interleaved,
     .jacobian = cuk_ls_interleaved_jacobian,
     .current = cuk_ls_current},
    {.name = "cuk-interleaved", .experiments = "coarse fine", ALL_STAGES, INTERLEAVED},
    {.name = "cuk-interleaved-start",
     .experiments = "start",
     .head = "stage[1]/iL1,stage[1]/iL2,stage[1]/uC1,uC2",
     .shown = SHOWN(0, 1, 2, 12),
     .stop = 400e-6,
     .grid = 2e-6,
     INTERLEAVED},
    {.name = "cuk-interleaved-shifted",
     .experiments = "shifted shifted_fine",
     .shift = 1,
     ALL_STAGES,
     INTERLEAVED},
    {.name = "buck-heatsink",
     .experiments = "coarse fine mixed auto minute",
     .head = "buck/iL,buck/uC,sink/u[1],sink/u[2],sink/u[5],sink/u[10]",
     .before = NAMES("buck/iL", "buck/uC"),
     .part = NAMES("sink/u[%d]"),
     .parts = 100,
     .shown = SHOWN(0, 1, 2, 3, 6, 11),
     .stop = 5e-3,
     .grid = 10e-6,
     .rtol = 1e-9,
     .atol = 1e-11,
     .band = 1,
     .gates = heatsink_gates,
     .start = warm,
     .f = buck_heatsink,
     .jacobian = buck_heatsink_jacobian,
     .current = buck_current},
    {.name = "tyson",
     .experiments = "coarse fine",
     .head = "cell[1]/CP,cell[1]/pM,cell[1]/M,cell[1]/YP,"
             "cell[100]/CP,cell[100]/pM,cell[100]/M,cell[100]/YP",
     .part = NAMES("cell[%d]/C2", "cell[%d]/CP", "cell[%d]/pM", "cell[%d]/M", "cell[%d]/Y",
                   "cell[%d]/YP"),
     .parts = 100,
     .few_parts = 2,
     .shown = SHOWN(1, 2, 3, 5, 7, 8, 9, 11),
     .stop = 50,
     .grid = 0.25,
     .rtol = 1e-10,
     .atol = 1e-13,
     .start = cells,
     .f = tyson,
     .jacobian = tyson_jacobian},
    {.name = "adr",
     .experiments = "coarse fine",
     .head = "u[250],u[500],u[750],u[1000]",
     .part = NAMES("u[%d]"),
     LINE},
    {.name = "adr-varying",
     .experiments = "cvode mixed liqss2",
     .d_varies = 1,
     .head = "tube/u[250],tube/u[500],tube/u[750],tube/u[1000]",
     .part = NAMES("tube/u[%d]"),
     LINE},
    {0},
};

static int length(const char *const *names)
{
  int n = 0;
  while (names != NULL && names[n] != NULL) {
    n++;
  }
  return n;
}

static int gates_for_each(const System *s)
{
  return s->gates == stage_gates || s->gates == buck_stage_gates;
}

int system_size(System *s, int parts)
{
  if (s->part != NULL &&
      (parts < 2 || parts > 1000000 || (gates_for_each(s) && parts > MOST_GATES))) {
    return 0;
  }
  s->parts = parts;
  s->n = length(s->before) + s->parts * length(s->part) + length(s->after);
  if (s->gates != NULL) {
    s->gates(s);
  }
  return 1;
}
