/* One instance of a unit: a model that is fed, run from one communication point to the next, and
 * asked. Knows nothing of the C functions of the standard (fmi3/), but its words: a variable, a
 * communication point, an event mode.
 *
 * A word of a discrete output, or an event at a port, ends a step where that is allowed. What it
 * said is shown when the importer has come to the event: until then a discrete output is what it
 * was. In the event mode each look at what is new runs the model at this instant up to its next
 * such word, so none is passed over. */
#ifndef HY_FMU_INSTANCE_H
#define HY_FMU_INSTANCE_H

#include "plan.h"

typedef struct HyFmu HyFmu;

typedef enum {
  HY_FMU_TIME,
  HY_FMU_PARAMETER, /* of the root: numbers, */
  HY_FMU_TEXT,      /* or a text */
  HY_FMU_INPUT,     /* an input port of the root: a signal, or the value of its events, */
  HY_FMU_FED,       /* and how many of these there have been */
  HY_FMU_OUTPUT,    /* a column: an output port of the root or a recorded path; */
  HY_FMU_SAID,      /* of events: how many there have been */
} HyFmuKind;

/* The value reference is the place in the table. */
typedef struct {
  char *name, *path; /* as a name of the standard; as hydevs calls it */
  char *unit, *doc;  /* NULL: none */
  HyFmuKind kind;
  guint index;       /* of the parameter, input port or column */
  gboolean discrete; /* an input or output: it changes at events alone */
  gboolean array;    /* a parameter, */
  guint n;           /* of so many numbers */
} HyFmuVariable;

/* What to tell the importer: a warning, or what is only of interest. */
typedef void (*HyFmuTell)(gpointer user, gboolean warning, const char *text);

/* RESOURCES: the folder. TELL may be NULL. NULL: ERROR says why. */
HyFmu *hy_fmu_open(const char *resources, HyFmuTell tell, gpointer user, GError **error);
void hy_fmu_free(HyFmu *fmu); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyFmu, hy_fmu_free)

const HyFmuPlan *hy_fmu_plan(const HyFmu *fmu);
const HyLoaded *hy_fmu_loaded(const HyFmu *fmu);
const HyRun *hy_fmu_run(const HyFmu *fmu); /* NULL before hy_fmu_begin() */
guint hy_fmu_n(const HyFmu *fmu);
const HyFmuVariable *hy_fmu_variable(const HyFmu *fmu, guint reference);
/* Names are of the grammar "structured" of the standard, all of them. */
gboolean hy_fmu_is_structured(const HyFmu *fmu);

/* X has as many numbers as the variable. FALSE: not a number, not to be set now. */
gboolean hy_fmu_set(HyFmu *fmu, guint reference, const double *x, GError **error);
gboolean hy_fmu_set_text(HyFmu *fmu, guint reference, const char *text, GError **error);
/* In the initialization and the event mode what was set before is taken into account. */
gboolean hy_fmu_get(HyFmu *fmu, guint reference, double *x, GError **error);
const char *hy_fmu_get_text(HyFmu *fmu, guint reference, GError **error);

/* Initialization begins at T; then the values at T are settled, and time may pass. EVENTS: the
 * importer uses the event mode. */
gboolean hy_fmu_begin(HyFmu *fmu, double t, gboolean events, GError **error);
gboolean hy_fmu_started(HyFmu *fmu, GError **error);

/* What has come of a step. */
typedef struct {
  double t;          /* up to where */
  gboolean event;    /* a discrete output has changed there, or before */
  gboolean finished; /* a block has ended the run there */
} HyFmuStep;
/* From FROM, where it is but for rounding, to TO; EARLY: no further than to the first event. */
gboolean hy_fmu_step(HyFmu *fmu, double from, double to, gboolean early, HyFmuStep *step,
                     GError **error);
/* The event mode begins; the next part of what happens at this instant: MORE: there is something
 * left; it is over. */
void hy_fmu_enter_event(HyFmu *fmu);
gboolean hy_fmu_update(HyFmu *fmu, gboolean *more, gboolean *finished, GError **error);
/* What was set in it and not taken up yet is. */
gboolean hy_fmu_leave_event(HyFmu *fmu, GError **error);
/* Warnings about the run so far. */
void hy_fmu_end(HyFmu *fmu);

/* As it was opened; parameters that were set are forgotten. */
gboolean hy_fmu_reset(HyFmu *fmu, GError **error);

/* All of it as it is now, to be put back any number of times until the next hy_fmu_begin(). */
typedef struct HyFmuState HyFmuState;
HyFmuState *hy_fmu_save(HyFmu *fmu, GError **error);
gboolean hy_fmu_load(HyFmu *fmu, HyFmuState *state, GError **error);
void hy_fmu_state_free(HyFmuState *state); /* NULL is fine; before the instance */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyFmuState, hy_fmu_state_free)
/* As bytes, with MORE, of the caller's, which is sunk; for any instance of the unit. NULL: they
 * cannot be made, between two words of one instant, say. */
GBytes *hy_fmu_state_write(HyFmu *fmu, HyFmuState *state, GVariant *more, GError **error);
/* MORE: newly allocated. NULL: they are not those of a state of this unit. What is wrong with the
 * model itself in them hy_fmu_load() says. */
HyFmuState *hy_fmu_state_read(const HyFmu *fmu, const guint8 *bytes, gsize n, GVariant **more,
                              GError **error);
/* Whether the bytes can be made when all is done at an instant. */
gboolean hy_fmu_writes_states(HyFmu *fmu);

#endif
