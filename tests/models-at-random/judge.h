/* What the program does with a model, and what of that cannot be right. */
#ifndef RANDOM_JUDGE_H
#define RANDOM_JUDGE_H

#include "element.h"

typedef struct {
  const char *program, *scratch; /* a folder for files */
  const char *audit;             /* its mode; NULL: not asked for */
  const char *method;            /* NULL: the choice of the run */
  gboolean references;           /* compared with tight runs of other methods, too */
  int seconds;                   /* of processor time for a run */
  int seconds_of_references; /* likewise; 0: as many. What takes longer is compared with nothing */
  double off;                /* part of its peak by which a column may differ in the mean */
} Judge;

typedef enum {
  FOUND_NOTHING,
  FOUND_REFUSED,        /* status 1: every model that is drawn is one of the language */
  FOUND_CRASH,          /* a signal, or a status that no page knows */
  FOUND_ENGINES,        /* tree, flat and fused differ */
  FOUND_MORE,           /* a column is another one because others are recorded beside it */
  FOUND_GRID,           /* a column is another one because it is recorded on a grid */
  FOUND_FAILS,          /* status 3, or another but 0 where both references end */
  FOUND_OFF,            /* away from both references, which agree, also at a fine tolerance */
  FOUND_OFF_AT_DEFAULT, /* the same, at the default tolerance alone */
  FOUND_AUDIT,          /* the audit says so */
  FOUND_TOO_LONG,       /* no engine ends in time, and it does not say that it will not */
  FOUND_KINDS
} Found;

extern const char *const found_words[FOUND_KINDS];

typedef struct {
  Found found;
  int status;     /* of the run; -1: of none */
  gboolean known; /* the references agree */
  char *words;    /* what is to be said of it */
} Verdict;

/* ONLY: as far as is needed to find that; FOUND_NOTHING: all. The caller frees the words. */
Verdict judge(const Judge *j, const Element *model, Found only);

#endif
