/* What the files that make the components of a scope share: expand_block.c, expand_source.c and
 * expand_formula.c. */
#ifndef HY_EXPAND_BLOCK_H
#define HY_EXPAND_BLOCK_H

#include "language/expand.h"

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

/* ---- expand_source.c: what an input takes ---- */
const char *hy_text_of_copy(Loader *l, const Entry *e, const gint64 *at); /* until the next call */
char *hy_hidden_name(const Entry *e, const gint64 *at, const char *port, guint element);
/* A line from REF. */
void hy_take_ref(Env *env, const HyFormula *ref, Line line);
/* One element: a line, a constant or a hidden function. */
void hy_take_group(Env *env, const InputAt *t, const HyFormula *g, guint element);
/* All of an attribute; the elements found. */
guint hy_take_item(Env *env, Item *i, const InputAt *t);

/* ---- expand_formula.c: blocks with a formula of their own ---- */
void hy_formula_block(Loader *l, Scope *s, Entry *e, const gint64 *at, guint32 row);

/* ---- expand_block.c ---- */
/* What the model says of COMPONENT, without its path; frees the error. */
void hy_model_problem(Env *env, guint component, GError *error);

#endif
