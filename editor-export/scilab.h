/* Expressions and start scripts of Scilab, as far as they are arithmetic: numbers, matrices,
 * variables, the usual functions. What goes beyond is an error in words. */
#ifndef HY_SCILAB_H
#define HY_SCILAB_H

#include <glib.h>

G_BEGIN_DECLS

#define SCILAB_MAX_NUMBERS 100000 /* of one matrix */

/* ROWS x COLUMNS numbers, row by row. */
typedef struct {
  guint rows, columns;
  double *number;
} ScilabValue;

typedef struct {
  char *name;
  char *text; /* of its expression; NULL: it was assigned more than once */
  ScilabValue value;
  guint line; /* as the caller of scilab_run() said */
} ScilabVariable;

typedef struct Scilab Scilab;

Scilab *scilab_new(void);
void scilab_free(Scilab *s); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Scilab, scilab_free)

/* Statements such as a=1, b=[1 2]; c=a*2 one after the other. FALSE: *WHY says what is wrong. */
gboolean scilab_run(Scilab *s, const char *script, guint line, char **why);
/* SCRIPT with TEXT as what NAME is assigned, newly allocated; NULL: it is not assigned there. */
char *scilab_assign(const char *script, const char *name, const char *text);
/* The value of an expression, to be freed by scilab_clear(). FALSE: *WHY says what is wrong. */
gboolean scilab_eval(Scilab *s, const char *text, ScilabValue *value, char **why);
void scilab_clear(ScilabValue *value);

/* In the order of their first assignment. */
guint scilab_n_variables(const Scilab *s);
const ScilabVariable *scilab_variable(const Scilab *s, guint k);
const ScilabVariable *scilab_find(const Scilab *s, const char *name);

/* TEXT, whose value is one number, as a formula of our language; names of variables go through
 * RENAME. Newly allocated; NULL: it has parts that only scilab_eval() knows. */
char *scilab_formula(const char *text, const char *(*rename)(const char *name, gpointer user),
                     gpointer user);

G_END_DECLS
#endif
