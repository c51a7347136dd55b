/* Methods and tolerances in force, and what <set> and experiments give: numerics.c, experiment.c,
 * sets.c, grid.c. */
#ifndef HY_LANGUAGE_NUMERICS_H
#define HY_LANGUAGE_NUMERICS_H

#include "language/env.h"

guint32 hy_numerics_state(Loader *l, guint32 from, Env *env, const HyElement *e, guint group,
                          gboolean weak);
guint32 hy_numerics_set(Loader *l, guint32 from, Env *env, guint16 word, const char *text,
                        guint group);
/* The group that a block of KLASS belongs to by its numerics; 0: it has no method. */
guint32 hy_numerics_group(const Loader *l, const HyAtomicClass *klass, guint32 numerics);
void hy_numerics_apply(Loader *l, Scope *s, const Entry *e, const gint64 *at, guint component,
                       const HyAtomicClass *klass, guint32 numerics);
guint hy_group(Loader *l, const void *scope, const void *element);
/* Of a scope whose active sets are all known, before they are matched. */
void hy_sets_sort(Scope *s);
/* The sets that match a copy; those that go on inside it are added to *INSIDE (made when needed).
 */
void hy_sets_match(const Scope *s, const Entry *e, const gint64 *at, GPtrArray *matched,
                   GArray **inside);

/* The environment of an item of a set: the parameters of the root. FROM is filled to name the file.
 */
void hy_set_env(Loader *l, const SetGroup *g, const SetItem *item, Env *env, HyFile *from);

/* experiment.c, sets.c */
/* Chooses the experiment of FILE and collects its sets. FALSE: reported. */
gboolean hy_experiments_read(Loader *l, HyFile *file);
/* grid.c: what grid= says, the STEP or else INSTANTS, which are the loader's. FALSE: reported. */
gboolean hy_grid_read(Env *env, const char *text, double *step, HyInstants *instants);
/* Its measures (measures.c). */
void hy_measures_read(Loader *l, Scope *root);
/* Numbers of the experiment, its records, sets that met nothing. */
void hy_experiment_finish(Loader *l, Scope *root);
/* Whether runs are audited, and how; NULL: nobody says. */
const char *hy_experiment_audit(Loader *l, const HyFile *f);
const char *hy_said_in(const HyFile *f, guint32 element, guint16 word); /* NULL: not said */
char *hy_experiment_who(const HyFile *f, guint32 element); /* "experiment fine"; newly allocated */
void hy_set_read(Loader *l, const HyFile *f, guint32 experiment, guint32 element);
void hy_set_option(Loader *l, const char *option); /* stage[2].L1=120u */
void hy_set_free(gpointer set);
void hy_sets_finish(Loader *l, Scope *root);
guint32 hy_experiment_numerics(Loader *l, Scope *root, HyFile *file);

#endif
