/* The expected.csv of examples/thesis, made without hydevs: CVODE (BDF), restarted at each edge of
 * a gate and each change of a diode. A run with tolerances a hundred times looser says on stderr
 * how much they decide; beside it stand the numbers of edges and changes, and the end values.
 *
 * usage: reference_thesis NAME > examples/thesis/NAME/expected.csv
 *        cuk-interleaved-start and -shifted are expected-EXPERIMENT.csv
 */
#include "by_hand/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_row(const Run *r, double t)
{
  const double *x = N_VGetArrayPointer(r->x);
  printf("%.10g", t);
  for (const int *i = r->s.shown; *i >= 0; i++) {
    printf(",%.10g", x[*i]);
  }
  printf("\n");
}

/* The error of thesis eq. 4.11: adds to the sums above and below the line. */
static void compare(const Run *fine, const Run *loose, double *above, double *below)
{
  const double *x = N_VGetArrayPointer(fine->x), *y = N_VGetArrayPointer(loose->x);
  for (const int *i = fine->s.shown; *i >= 0; i++) {
    *above += (x[*i] - y[*i]) * (x[*i] - y[*i]);
    *below += x[*i] * x[*i];
  }
}

static void integrate(System *s)
{
  system_size(s, s->few_parts > 0 ? s->few_parts : s->parts);
  Run *fine = run_new(s, s->rtol, s->atol, BY_DIFFERENCES);
  Run *loose = run_new(s, 100 * s->rtol, 100 * s->atol, BY_DIFFERENCES);
  int rows = (int)lround(s->stop / s->grid);
  double above = 0, below = 0;
  printf("time,%s\n", s->head);
  for (int row = 0; row <= rows; row++) {
    run_advance(fine, row * s->grid);
    run_advance(loose, row * s->grid);
    compare(fine, loose, &above, &below);
    write_row(fine, row * s->grid);
  }
  fprintf(stderr, "%s: %d edges, %d changes of diodes by themselves; ", s->name, fine->edges,
          fine->changes);
  fprintf(stderr, "100 times looser changes %.2g; ends with", sqrt(above / below));
  for (const int *i = s->shown; *i >= 0; i++) {
    fprintf(stderr, " %.9g", N_VGetArrayPointer(fine->x)[*i]);
  }
  fprintf(stderr, "\n");
  run_free(fine);
  run_free(loose);
}

int main(int argc, char **argv)
{
  for (const System *s = systems; argc == 2 && s->name != NULL; s++) {
    if (strcmp(s->name, argv[1]) == 0) {
      System copy = *s;
      integrate(&copy);
      return 0;
    }
  }
  fputs("usage: reference_thesis NAME, one of", stderr);
  for (const System *s = systems; s->name != NULL; s++) {
    fprintf(stderr, " %s", s->name);
  }
  fputs("\n", stderr);
  return 2;
}
