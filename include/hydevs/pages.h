/* Seeing a model: its tree as data, its diagram, and pages to read in a browser. */
#ifndef HYDEVS_PAGES_H
#define HYDEVS_PAGES_H

#include "hydevs/experiment.h"
#include "hydevs/look.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The first line of `hydevs trace --json`, appended to OUT: the model tree with types, ports,
 * couplings, priorities, positions, units and texts, as library/trace.schema.json says. */
void hy_model_json(const HyLoaded *loaded, GString *out);

/* What of a model is drawn, and how. */
typedef struct {
  const char *block; /* "power/load": only what is inside this coupled model; NULL: all */
  gboolean all;      /* every copy by itself, where more than three are one box */
  gboolean blocks;   /* circuits by the blocks that stand for them, not by their elements */
  guint depth;       /* coupled models inside each other that are open; 0: as there is room */
} HyDrawing;
/* A drawing, appended to OUT. FALSE: there is no such block, or too much to draw. */
gboolean hy_draw_svg_sized(const HyLoaded *loaded, const HyDrawing *drawing, gsize size,
                           GString *out, GError **error);
gboolean hy_draw_dot_sized(const HyLoaded *loaded, const HyDrawing *drawing, gsize size,
                           GString *out, GError **error);
static inline gboolean hy_draw_svg(const HyLoaded *loaded, const HyDrawing *drawing, GString *out,
                                   GError **error)
{
  return hy_draw_svg_sized(loaded, drawing, sizeof(HyDrawing), out, error);
}
static inline gboolean hy_draw_dot(const HyLoaded *loaded, const HyDrawing *drawing, GString *out,
                                   GError **error)
{
  return hy_draw_dot_sized(loaded, drawing, sizeof(HyDrawing), out, error);
}

/* A page of it to zoom and to find blocks in: one HTML file that needs no other one. COMMAND: what
 * has made it; NULL: not said. */
gboolean hy_draw_page_sized(const HyLoaded *loaded, const HyDrawing *drawing, gsize size,
                            const char *command, GString *out, GError **error);
static inline gboolean hy_draw_page(const HyLoaded *loaded, const HyDrawing *drawing,
                                    const char *command, GString *out, GError **error)
{
  return hy_draw_page_sized(loaded, drawing, sizeof(HyDrawing), command, out, error);
}

/* What a message means and why it comes now, as a sentence appended to OUT. */
void hy_message_words(GString *out, const HyMessage *message);

/* The messages of a run for a page: those from FROM on, at most MOST of them. hy_told_message() is
 * the `message` of an HyTrace, with the HyTold as its USER. */
#define HY_TOLD_MOST 50000
typedef struct HyTold HyTold;
HyTold *hy_told_new(const HyModel *root, double from, guint64 most); /* ROOT must outlive it */
/* SIM is the run that is told: what its integrators hold is told, too. It must outlive the last
 * message. */
void hy_told_watch(HyTold *told, const HySim *sim);
void hy_told_free(HyTold *told); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyTold, hy_told_free)
void hy_told_message(gpointer user, const HyMessage *m);
gboolean hy_told_full(const HyTold *told); /* further messages are left out */
guint64 hy_told_n(const HyTold *told);
/* A page that plays them, appended to OUT: one HTML file that needs no other one. COMMAND: what has
 * made it, for people; NULL: not said. */
void hy_explain_page(const HyLoaded *loaded, const HyTold *told, const char *command, GString *out);

/* The page of a run that has ended and whose tables are files: drawing, plots, statistics,
 * warnings, source, provenance; one HTML file that needs no other one, appended to OUT. A signal
 * has at most 100,000 points there, fewer if there are many, and the page says so. FALSE: the
 * run has recorded into files alone (hy_run_record_both()). */
typedef struct {
  const char *command;  /* what has made it; NULL: not said, as the others */
  const char *outcome;  /* how the run has ended */
  const char *warnings; /* of the model and of its run, in lines */
} HyRunTold;
gboolean hy_run_page_sized(const HyLoaded *loaded, const HyRun *run, const HyRunTold *told,
                           gsize size, GString *out, GError **error);
static inline gboolean hy_run_page(const HyLoaded *loaded, const HyRun *run, const HyRunTold *told,
                                   GString *out, GError **error)
{
  return hy_run_page_sized(loaded, run, told, sizeof(HyRunTold), out, error);
}

/* The page of a sweep whose table is the file CSV, appended to OUT: plots to select runs in, what
 * has failed and why, the table to sort, waveforms of some runs. LOADED: the model; NULL: not told.
 * FALSE: CSV cannot be read, or is no table of a sweep. */
typedef struct {
  const char *name, *unit, *label; /* of a parameter or measure; NULL: not stated */
  double min, max;                 /* what is asked for; NaN: nothing */
} HySweepColumn;
typedef struct {
  const char *name; /* "nominal" */
  const HyRun *run; /* has recorded into memory */
} HySweepWave;
typedef struct {
  const char *csv;
  const char *command, *plan, *outcome; /* in words; NULL: not said */
  const HySweepColumn *columns;         /* of which more is known than their names */
  guint n_columns;
  const HySweepWave *waves;
  guint n_waves;
} HySweepTold;
gboolean hy_sweep_page_sized(const HyLoaded *loaded, const HySweepTold *told, gsize size,
                             GString *out, GError **error);
static inline gboolean hy_sweep_page(const HyLoaded *loaded, const HySweepTold *told, GString *out,
                                     GError **error)
{
  return hy_sweep_page_sized(loaded, told, sizeof(HySweepTold), out, error);
}

/* The page of a session, for a server of lines (hydevs/serve.h), appended to OUT: the drawing,
 * plots that run, levers, buttons. It asks and hears what hy_session_do() and hy_session_hear()
 * say. RUN: of this model, made and not yet run. */
void hy_session_page(const HyLoaded *loaded, const HyRun *run, GString *out);

#pragma GCC visibility pop
G_END_DECLS
#endif
