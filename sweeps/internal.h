/* The inside of a plan, and what the files of this room have in common. */
#ifndef HY_SWEEPS_INTERNAL_H
#define HY_SWEEPS_INTERNAL_H

#include "distribution.h"
#include "hydevs/sweep.h"
#include "indices.h"
#include "numerics/draw.h"
#include "plan_file.h"

/* What a column of a plan does. */
typedef enum {
  HY_SETS_PARAMETER,
  HY_SETS_STOP,
  HY_SETS_SEED,
  HY_SETS_METHOD,
  HY_SETS_TOL,
  HY_SETS_NOTHING, /* it is carried */
} HyColumnSets;

/* Of NAME: "experiment.stop" and its like, or the short words for some where no parameter of the
 * model has that name; else a parameter. */
HyColumnSets hy_column_sets(const char *name, const char *const *parameters);

typedef enum {
  HY_SAMPLING_PLAIN,
  HY_SAMPLING_LATIN,
  HY_SAMPLING_SOBOL,
  HY_SAMPLING_SALTELLI
} HySampling;

/* Where the values of a column come from. */
typedef enum { HY_FROM_RANGE, HY_FROM_LIST, HY_FROM_DRAW, HY_FROM_FILE } HyColumnFrom;

typedef struct {
  char *name; /* as it is set */
  char *head; /* as the table calls it */
  char *said; /* its values as the option states them; NULL: a file does */
  HyColumnSets sets;
  HyColumnFrom kind;
  guint axis;
  double a, b; /* of a range */
  gboolean log;
  guint64 n;       /* of a range or list: values */
  char **list;     /* of a list */
  HyDraw *draw;    /* of a draw */
  guint dimension; /* likewise: how many there are before it */
  guint field;     /* of a file */
} HyPlanColumn;

typedef struct {
  guint64 n, stride; /* its place in run k is k / stride % n */
} HyPlanAxis;

struct HyPlan {
  HyPlanOptions options; /* as far as the caller knows them */
  HyLoadOptions load;
  HyRunSettings run;
  char *file;
  HyDocuments *documents, *own; /* those of the load, else of its own */
  HyPlanFile *table;            /* NULL: none */
  GArray *axes;                 /* HyPlanAxis */
  GArray *columns;              /* HyPlanColumn; those that set something come first */
  guint n_set;
  HySampling sampling;
  guint n_draws;
  guint64 n_bases; /* of Saltelli's plan (indices.h) */
  guint64 n, seed;
  guint n_measures;
  HyLoaded *loaded; /* of the run in the middle, */
  HyRun *like;      /* and this; NULL: it could not be made */
  char *method;     /* as hy_plan_method() says it; */
  char *alone;      /* where it is one for all states: its name; NULL: none is chosen, or several */
  char *digest;
};

static inline HyPlanColumn *hy_plan_at(const HyPlan *plan, guint k)
{
  return &g_array_index(plan->columns, HyPlanColumn, k);
}

static inline HyPlanAxis *hy_plan_axis(const HyPlan *plan, const HyPlanColumn *column)
{
  return &g_array_index(plan->axes, HyPlanAxis, column->axis);
}

/* plan_text.c: "R=5:20:4" and its like. FALSE: ERROR says what is wrong, beginning with TEXT. */
gboolean hy_plan_read_vary(HyPlanColumn *column, const char *text, GError **error);
gboolean hy_plan_read_random(HyPlanColumn *column, const char *text, GError **error);
gboolean hy_plan_read_sampling(const char *text, HySampling *sampling, GError **error);
void hy_plan_column_clear(gpointer column);
/* A number that TEXT states: 10u, 2*pi. FALSE: it states none, or one that is not finite. */
gboolean hy_plan_number(const char *text, double *v);
/* It is no number that cannot be one: "1e999", nothing at all. Other words may be values. */
gboolean hy_plan_is_value(const char *text);
/* The value at place I of its axis, newly allocated. */
char *hy_plan_value(const HyPlan *plan, const HyPlanColumn *column, guint64 i);

/* middle.c: finds plan->like and what goes with it. FALSE: REPORT says why no run can be made. */
gboolean hy_plan_find_middle(HyPlan *plan, HyReport *report);
/* keep.c: what is to be kept is a formula of what there is, and something is recorded. */
gboolean hy_keep_check(const HyPlan *plan, GError **error);
/* digest.c: plan->digest. */
void hy_plan_find_digest(HyPlan *plan);

/* settings.c: the model with the texts ROW in it; NULL: REPORT says why. */
HyLoaded *hy_sweep_load(const HyPlan *plan, char *const *row, HyReport *report);
/* Settings of a run of it. FALSE: a text of ROW is none that it can be. */
gboolean hy_sweep_settings(const HyPlan *plan, char *const *row, guint64 k, HyRunSettings *settings,
                           GError **error);
guint64 hy_plan_seed(const HyPlan *plan, guint64 k);
/* The texts of the middle; of a distribution its own, without drawing. */
char **hy_plan_middle_row(const HyPlan *plan);
/* run.c: in one line, what a report says first; newly allocated. */
char *hy_sweep_first_line(HyReport *report);

#endif
