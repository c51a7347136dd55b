/* The systems of examples/thesis by CVODE, written by hand: what hydevs bench measures others by.
 * BDF with the Jacobian by formula, dense or sparse (KLU), restarted at edges and changes of
 * diodes.
 *
 * usage: bench-cvode NAME EXPERIMENT N UNTIL RTOL ATOL SAMPLES [FILE]
 *        N 0: as the model has it; FILE gets SAMPLES times all states, as doubles, at uniform
 *        instants up to UNTIL. Status 2: there is no such system.
 * prints what it has cost, and the names of the states, each on a line: "KEY VALUE..."
 */
#include "by_hand/solve.h"
#include "instructions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Whether WORD is one of LIST. */
static int listed(const char *list, const char *word)
{
  size_t length = strlen(word);
  for (const char *at = list; length > 0 && (at = strstr(at, word)) != NULL; at += length) {
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
      return 1;
    }
  }
  return 0;
}

static const System *find(const char *model, const char *experiment)
{
  for (const System *s = systems; s->name != NULL; s++) {
    if (strcmp(s->model != NULL ? s->model : s->name, model) == 0 &&
        listed(s->experiments, experiment)) {
      return s;
    }
  }
  return NULL;
}

static void print_names(const char *const *names, int part)
{
  char text[64];
  for (; names != NULL && *names != NULL; names++) {
    const char *mark = strstr(*names, "%d");
    if (mark == NULL) {
      snprintf(text, sizeof text, "%s", *names);
    } else {
      snprintf(text, sizeof text, "%.*s%d%s", (int)(mark - *names), *names, part, mark + 2);
    }
    printf(" %s", text);
  }
}

static void print_states(const System *s)
{
  printf("states");
  print_names(s->before, 0);
  for (int k = 1; k <= s->parts && s->part != NULL; k++) {
    print_names(s->part, k);
  }
  print_names(s->after, 0);
  printf("\n");
}

static int measure(System *s, double until, double rtol, double atol, int samples, const char *file)
{
  FILE *out = file != NULL ? fopen(file, "wb") : NULL;
  if (samples > 0 && out == NULL) {
    fprintf(stderr, "%s: cannot be written\n", file != NULL ? file : "no file for samples");
    return 1;
  }
  double begin = cpu();
  Run *r = run_new(s, rtol, atol, BY_FORMULA);
  printf("start %.9g\n", cpu() - begin);
  int counter = instructions_start();
  begin = cpu();
  int ok = run_through(r, until, samples, out);
  printf("seconds %.9g\n", cpu() - begin);
  printf("instructions %.0f\n", instructions_end(counter));
  run_count(r);
  printf("steps %ld\nf_evals %ld\nevents %d\ntoggles %d\n", r->steps, r->evaluations * r->s.n,
         r->edges + r->changes, r->toggles);
  print_states(s);
  run_free(r);
  ok &= out == NULL || fclose(out) == 0;
  return !ok;
}

int main(int argc, char **argv)
{
  const System *known = argc == 8 || argc == 9 ? find(argv[1], argv[2]) : NULL;
  if (known == NULL) {
    fputs("usage: bench-cvode NAME EXPERIMENT N UNTIL RTOL ATOL SAMPLES [FILE], NAME one of",
          stderr);
    for (const System *s = systems; s->name != NULL; s++) {
      fprintf(stderr, " %s", s->name);
    }
    fputs("\n", stderr);
    return 2;
  }
  System s = *known;
  int parts = (int)strtol(argv[3], NULL, 10), samples = (int)strtol(argv[7], NULL, 10);
  if (!system_size(&s, parts > 0 ? parts : s.parts)) {
    fprintf(stderr, "%s cannot have N = %s\n", s.name, argv[3]);
    return 2;
  }
  return measure(&s, strtod(argv[4], NULL), strtod(argv[5], NULL), strtod(argv[6], NULL), samples,
                 argc == 9 ? argv[8] : NULL);
}
