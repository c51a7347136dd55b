/* What the files of the reader of Scilab share: an expression on its way, and arithmetic. */
#ifndef HY_SCILAB_READ_H
#define HY_SCILAB_READ_H

#include "editor-export/scilab.h"

G_BEGIN_DECLS

struct Scilab {
  GPtrArray *variables; /* ScilabVariable */
  guint32 seed;
};

typedef struct {
  Scilab *s;
  const char *at;
  guint depth;
  gboolean bracket; /* directly inside [ ]: blanks separate */
  double last;      /* what $ is: inside the indices of a variable; below 0: nothing */
  char *why;
} ScilabReader;

/* Values, each to be freed by scilab_clear(). */
ScilabValue scilab_value(guint rows, guint columns);
ScilabValue scilab_scalar(double v);
ScilabValue scilab_copy(const ScilabValue *v);
gboolean scilab_is_scalar(const ScilabValue *v);

/* The first of several reasons stays, and reading is at the end of the text; a value for whoever
 * must return one. */
ScilabValue scilab_fail(ScilabReader *r, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* a OP b, element by element where one is a number or DOTTED is said. Both are freed. */
ScilabValue scilab_combine(ScilabReader *r, char op, gboolean dotted, ScilabValue a, ScilabValue b);
/* The function NAME of N values. */
ScilabValue scilab_call(ScilabReader *r, const char *name, const ScilabValue *args, guint n);
/* Behind a "(" up to its ")": values, which are indices of OF (NULL: of nothing). To be freed. */
GArray *scilab_arguments(ScilabReader *r, const char *name, const ScilabValue *of);
/* FROM:BY:TO, a row. */
ScilabValue scilab_range(ScilabReader *r, double from, double by, double to);
/* What stands in M, the value of NAME, at N indices. */
ScilabValue scilab_pick(ScilabReader *r, const char *name, const ScilabValue *m,
                        const ScilabValue *index, guint n);
/* M gets VALUE there, and grows for it. FALSE: *WHY says why not. */
gboolean scilab_put(ScilabValue *m, const ScilabValue *index, guint n, const ScilabValue *value,
                    char **why);
/* A function that our language has under the same name. */
gboolean scilab_is_ours(const char *name);

G_END_DECLS
#endif
