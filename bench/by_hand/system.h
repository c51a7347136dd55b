/* The systems of examples/thesis as one writes them by hand in C: right-hand sides, Jacobians,
 * gates and diodes. Nothing of hydevs. */
#ifndef BENCH_SYSTEM_H
#define BENCH_SYSTEM_H

#include <stddef.h>

#define MOST_GATES 128

typedef struct {
  double phase, duty; /* in periods */
  int on;
} Gate;

typedef struct System System;

/* A Jacobian, entry by entry, always in the same order. At first it is only counted (rows NULL),
 * then rows and columns are noted (place NULL), and from then on values are put where a matrix has
 * them. */
typedef struct {
  int n;
  int *row, *column;
  const int *place;
  double *value;
} Entries;

/* The next entry. */
static inline void put(Entries *e, int row, int column, double v)
{
  if (e->place != NULL) {
    e->value[e->place[e->n]] = v;
  } else if (e->row != NULL) {
    e->row[e->n] = row;
    e->column[e->n] = column;
  }
  e->n++;
}

struct System {
  const char *name;
  const char *model;       /* NULL: of the same name */
  const char *experiments; /* of the model, that are this system; blanks between */
  /* Names of the states: once before, in each of N parts (%d is the part), once after them. */
  const char *const *before, *const *part, *const *after;
  int parts;     /* N, if nobody says otherwise */
  int few_parts; /* so many say as much for the tables, for parts know nothing of each other; 0: all
                  */
  double stop;
  void (*start)(const System *s, double *x);
  void (*gates)(System *s); /* NULL: there are none */
  void (*f)(const System *s, const double *x, double *dx);
  void (*jacobian)(const System *s, const double *x, Entries *e);
  double (*current)(const System *s, const double *x, int diode);
  double shift; /* of the gate of each part, in parts of a period per part */
  int d_varies;
  /* Of the tables */
  const char *head;
  const int *shown; /* states, ends with -1 */
  double grid, rtol, atol;
  int band; /* the Jacobian has three diagonals */

  int n; /* states: by system_size() */
  double period;
  int n_gates, n_diodes;
  Gate gate[MOST_GATES];
  int diode[MOST_GATES]; /* 1: conducts */
};

extern const System systems[]; /* ends with a NULL name */

/* The system with PARTS of its parts; its gates are made. 0: so many it cannot have. */
int system_size(System *s, int parts);

#endif
