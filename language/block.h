/* What the files that make the components of a scope share: block.c, settings.c, outputs.c,
 * source.c and formula_block.c. */
#ifndef HY_BLOCK_H
#define HY_BLOCK_H

#include "language/env.h"

/* In lines, in place of the component that is about to be made. */
#define PENDING_BLOCK HY_NO_COMPONENT

/* The input that a source is for. */
typedef struct {
  const char *name;
  End to;                  /* of its first element */
  guint n;                 /* elements it may have; of an array of an atomic block: any number */
  gboolean array, counted; /* counted: exactly n elements */
  gboolean event;
  const gint64 *at; /* of the copy */
} InputAt;

/* ---- source.c: what an input takes ---- */
const char *hy_text_of_copy(Loader *l, const Entry *e, const gint64 *at); /* until the next call */
const char *hy_hidden_name(Loader *l, const Entry *e, const gint64 *at, const char *port,
                           guint element); /* likewise */
/* A line from REF. */
void hy_take_ref(Env *env, const HyFormula *ref, Line line);
/* One element: a line, a constant or a hidden function. */
void hy_take_group(Env *env, const InputAt *t, const HyFormula *g, guint element);
/* All of an attribute; the elements found. */
guint hy_take_item(Env *env, Item *i, const InputAt *t);

/* ---- formula_block.c: blocks with a formula of their own ---- */
/* The copy of E at AT, with ROW for it; HY_NO_COMPONENT: reported. */
guint32 hy_formula_block(Loader *l, Scope *s, Entry *e, const gint64 *at, guint32 row);

/* ---- settings.c: parameters ---- */
/* The item of the sets that meet a copy which gives NAME, and its group; NULL: none does. */
const SetItem *hy_overridden(const GPtrArray *sets, const char *name, const SetGroup **group);
void hy_set_params(Loader *l, Scope *s, Entry *e, const gint64 *at, guint component,
                   const GPtrArray *sets);
void hy_put_priority(Env *env, guint component, const char *text);
/* What the sets that meet a copy give to its component, or to its inputs as constants. */
void hy_apply_sets(Loader *l, Scope *s, const Entry *e, guint component, const GPtrArray *sets);
/* What the model says of COMPONENT, without its path; frees the error. */
void hy_model_problem(Env *env, guint component, GError *error);

/* ---- block.c ---- */
/* Lines from FIRST on that wait for a component lead to this one. */
void hy_name_pending(Scope *s, guint first, guint32 component);
void hy_add_copy(Loader *l, Scope *s, Entry *e, guint32 number);
/* The information of a copy, where SETS meet it; a place in the loader's rows. */
guint32 hy_block_row(Loader *l, Scope *s, Entry *e, const gint64 *at, const GPtrArray *sets);
GPtrArray *hy_sets_of_copy(const Scope *s, const Entry *e, const gint64 *at); /* NULL: none */

#endif
