/* A coupled model as its author states it: named components in order, ports, couplings; nothing
 * that runs. The root is freed with hy_model_free(), which takes everything inside along. It is not
 * changed by simulations, so several may run on it at once, also in threads, after one
 * hy_model_check(). */
#ifndef HYDEVS_MODEL_H
#define HYDEVS_MODEL_H

#include "hydevs/atomic.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct HyModel HyModel;
#define HY_SELF G_MAXUINT /* in a coupling: the coupled model itself */

HyModel *hy_model_new(const char *name);
void hy_model_free(HyModel *root); /* NULL is fine; not before all simulations of it */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyModel, hy_model_free)

/* Components, in the order that breaks ties: first listed, first served. The number they return
 * names them below. KLASS must live as long as the model. */
guint hy_model_add(HyModel *model, const char *name, const HyAtomicClass *klass);
HyModel *hy_model_add_coupled(HyModel *model, const char *name);
guint hy_model_index(const HyModel *coupled);         /* its number in the model around it */
guint hy_model_in(HyModel *model, const char *port);  /* adds an input port; returns its index */
guint hy_model_out(HyModel *model, const char *port); /* adds an output port; returns its index */
/* Elements of each port array of an atomic component (0 where the class has none). Before any
 * coupling of it. */
void hy_model_set_array(HyModel *model, guint component, guint inputs, guint outputs);
/* A component with a priority stands before those without, small numbers first. */
void hy_model_set_priority(HyModel *model, guint component, gint priority);

/* Parameters. The first takes text as a model file has it; FALSE: no such parameter, or not a legal
 * value. */
gboolean hy_model_set(HyModel *model, guint component, const char *param, const char *text,
                      GError **error);
gboolean hy_model_set_real(HyModel *model, guint component, const char *param, double v,
                           GError **error);
gboolean hy_model_set_reals(HyModel *model, guint component, const char *param, const double *v,
                            guint n, GError **error);
gboolean hy_model_set_values(HyModel *model, guint component, const char *param, const HyValue *v,
                             guint n, GError **error);
/* A constant instead of a wire, for an input of an atomic component. */
gboolean hy_model_set_input(HyModel *model, guint component, guint port, double v, GError **error);

/* Couplings, kept in the order stated. FALSE: an end that does not exist, a component wired to
 * itself, an input port wired straight to an output port. The second takes names: "G.out", "G" (its
 * first port), "in" or ".in" (a port of the model itself), "sum.in[2]". A coupling that is stated
 * twice is two: each event comes twice. */
gboolean hy_model_connect(HyModel *model, guint from, guint from_port, guint to, guint to_port,
                          GError **error);
gboolean hy_model_wire(HyModel *model, const char *from, const char *to, GError **error);

/* Everything that can only be seen on the whole: names used twice, required parameters, limits of
 * size and depth. From here on the model cannot be changed any more. Every simulation calls it. */
gboolean hy_model_check(HyModel *root, GError **error);

/* Looking at a model. The strings are its own. */
const char *hy_model_name(const HyModel *model);
HyModel *hy_model_parent(const HyModel *model);
guint hy_model_n(const HyModel *model);
const char *hy_model_component_name(const HyModel *model, guint component);
const HyAtomicClass *hy_model_class(const HyModel *model, guint component); /* NULL: coupled */
HyModel *hy_model_coupled(const HyModel *model, guint component);           /* NULL: atomic */
guint hy_model_find(const HyModel *model, const char *component);           /* HY_SELF: none */
guint hy_model_n_in(const HyModel *model, guint component); /* component may be HY_SELF */
guint hy_model_n_out(const HyModel *model, guint component);
char *hy_model_in_name(const HyModel *model, guint component,
                       guint port); /* newly allocated: "in", "in[2]" */
char *hy_model_out_name(const HyModel *model, guint component, guint port);
char *hy_model_path(const HyModel *model,
                    guint component); /* newly allocated: "C/D/Q"; the root has no part in it */

/* Of an atomic, after hy_model_check(): its number in every simulation of the model. */
guint hy_model_number(const HyModel *model, guint component);

typedef struct {
  guint64 atomics, coupled, eic, ic, eoc;
} HyCounts;
void hy_model_count(const HyModel *model, HyCounts *counts); /* this model and all inside */

/* The built-in atomic classes. */
const HyAtomicClass *hy_class_find(const char *name); /* NULL: none */
const HyAtomicClass *const *hy_classes(void);         /* ends with NULL */

/* "1, 2.5, ('job', 3)" as event values: numbers become c[0], everything else is a payload in
 * GVariant's text form. The caller frees the array with hy_values_free(). */
HyValue *hy_values_parse(const char *text, guint *n, GError **error);
void hy_values_free(HyValue *values, guint n);

#pragma GCC visibility pop
G_END_DECLS
#endif
