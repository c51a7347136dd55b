/* Suites of hydevs bench: many comparisons in one file, beside the numbers that a publication has
 * printed for them, as a page. */
#ifndef HY_CLI_SUITE_H
#define HY_CLI_SUITE_H

#include "bench.h"

/* A row that somebody has printed. */
typedef struct {
  char *by;                     /* its method, in the words of the source */
  char *method;                 /* the same one here; NULL: there is none */
  double tol, error, evals, ms; /* NaN: not printed */
} SuitePrinted;

/* A statement about two lines of a figure: how many times the CPU time of one the other takes. */
typedef struct {
  char *of, *to;    /* methods */
  double at, error; /* the place on the axis; at this error, NaN: there is one line of each */
  double printed;
} SuiteQuotient;

/* A table or a figure. */
typedef struct {
  gboolean figure;
  char *number, *title, *model, *method, *tol, *engine, *experiment, *until, *set, *note;
  char *errors;                /* "no": no reference is made */
  char *over, *values, *error; /* of a figure: a parameter and its values; errors that lines hold */
  char *repeat_text, *limit_text;
  guint repeat;
  double limit;
  GArray *printed;   /* SuitePrinted */
  GArray *quotients; /* SuiteQuotient */
} SuiteItem;

typedef struct {
  char *file, *title, *note;
  GPtrArray *items; /* SuiteItem */
} Suite;

/* Whether FILE begins as a suite does. */
gboolean suite_is(const char *file);
/* NULL: *STATUS is the exit status. */
Suite *suite_read(const char *file, int *status);
void suite_free(Suite *suite); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Suite, suite_free)

typedef struct {
  const char *out;   /* NULL: stdout, and no pictures but in HTML */
  const char *only;  /* numbers, with commas between; NULL: all */
  gboolean html;     /* else Markdown */
  gboolean count;    /* as of BenchTask */
  const CliModel *m; /* of all: libraries, blocks */
} SuiteTask;
/* Runs all of it and writes the page; returns the exit status. */
int suite_run(const Suite *suite, const SuiteTask *task);

/* A page in HTML or Markdown. */
typedef struct {
  GString *text;
  gboolean html;
  gboolean head; /* the row that comes is the first of its table */
} SuitePage;
void suite_page_begin(SuitePage *page, const char *title);
void suite_page_end(SuitePage *page);
void suite_page_heading(SuitePage *page, const char *text);
void suite_page_say(SuitePage *page, const char *text); /* a paragraph; NULL: none */
void suite_page_table(SuitePage *page);
void suite_page_row(SuitePage *page, const GPtrArray *cells); /* of char */
void suite_page_table_end(SuitePage *page);
/* The SVG in FILE: within a page in HTML, else by the name HREF. */
void suite_page_picture(SuitePage *page, const char *file, const char *href, const char *title);

/* Columns of a figure: what each method takes at each place, in ms. */
typedef struct {
  const SuiteItem *item;
  GArray *at;       /* double */
  GPtrArray *lines; /* SuiteLine */
} SuiteFigure;
typedef struct {
  char *name, *method;
  double error; /* that it holds; NaN: none is asked for */
  GArray *ms;   /* double, a place each; NaN: no row has come there */
  GArray *tol;  /* likewise, of the row that was taken */
} SuiteLine;
SuiteFigure *suite_figure_new(const SuiteItem *item);
void suite_figure_free(SuiteFigure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SuiteFigure, suite_figure_free)
/* The rows of TABLE, measured at the place AT. */
void suite_figure_add(SuiteFigure *figure, double at, const BenchTable *table);
/* Its table and statements; with a picture FILE, too, if not NULL, that HREF leads to. FALSE: it
 * cannot be drawn. */
gboolean suite_figure_show(const SuiteFigure *figure, SuitePage *page, const char *file,
                           const char *href, GError **error);

#endif
