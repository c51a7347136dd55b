/* The inside of an instance, for the files that share its work: instance.c (life), states.c,
 * variables.c (what there is), values.c (what is set and asked), steps.c (time). */
#ifndef HY_FMU_INSTANCE_INTERNAL_H
#define HY_FMU_INSTANCE_INTERNAL_H

#include "base/tape.h"
#include "instance.h"
#include "results/record_internal.h"

typedef struct {
  gboolean events;
  double value, fed;  /* as it was set, and as the model has heard it; */
  double first;       /* at the start */
  gint64 count, told; /* of events: likewise how many there have been */
  gboolean set;       /* VALUE or COUNT is new */
} HyFmuInput;

typedef struct {
  gboolean events, discrete;
  gboolean moves;    /* a discrete one has said what moves: it is asked after all */
  double last;       /* the last word of a discrete one, and what the importer knows of it */
  double shown;      /* already; */
  gint64 said, told; /* how many events there have been, likewise */
} HyFmuOutput;

/* Before the initialization, in it, and when time passes. */
typedef enum { HY_FMU_OPEN, HY_FMU_STARTING, HY_FMU_RUNNING } HyFmuPhase;

struct HyFmu {
  char *resources;
  HyFmuTell tell;
  gpointer user;
  HyFmuPlan plan;
  GArray *variables; /* HyFmuVariable */
  gboolean structured;
  GPtrArray *sets;       /* "R=10": parameters as the importer has set them; */
  gboolean sets_changed; /* since the model was loaded */
  HyLoaded *loaded;
  HyRun *run;
  HyRecorder *table; /* of RUN; its columns are the outputs. NULL: there are none */
  HyTape blank;      /* the columns as they are before anything is said */
  guint n_inputs, n_outputs;
  HyFmuInput *input;   /* [n_inputs] */
  HyFmuOutput *output; /* [n_outputs] */
  GArray *watch;       /* HyColumnWatch: words of discrete outputs; */
  guint8 *watched;     /* whose they are */
  gboolean spoke;      /* one has come */
  HyFmuPhase phase;
  double t0, t;       /* of the start, and now */
  gboolean stale;     /* STARTING: something was set since the values were settled */
  gboolean events;    /* the importer uses the event mode, */
  gboolean in_events; /* and is in it */
  gboolean finished;  /* a block has ended the run */
};

void hy_fmu_tell(const HyFmu *f, gboolean warning, const char *text);
gboolean hy_fmu_build(HyFmu *f, GError **error);
gboolean hy_fmu_rebuild(HyFmu *f, GError **error);
/* variables.c */
void hy_fmu_find_variables(HyFmu *f);
char *hy_fmu_names_digest(const HyFmu *f); /* newly allocated */
/* values.c */
void hy_fmu_forget_inputs(HyFmu *f);
/* steps.c: what was set counts: at the start, and in the event mode. */
gboolean hy_fmu_settle(HyFmu *f, GError **error);
/* The columns are as TAPE has them. */
void hy_fmu_load_table(HyFmu *f, HyTape *tape);

#endif
