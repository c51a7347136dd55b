/* Where a text is read, and what it means there: env.c, names.c, ends.c, params.c; messages.c says
 * what is wrong with it. */
#ifndef HY_LANGUAGE_ENV_H
#define HY_LANGUAGE_ENV_H

#include "language/loader.h"

#define HY_FOLDED_DEPTH                                                                            \
  (HY_FORMULA_DEPTH + 50) /* of a formula, the lists and ifs around it counted */

/* Where an attribute's text is read: which scope, which copy. */
typedef enum { MODE_CONSTANT, MODE_SOURCE } Mode;
typedef struct {
  Loader *loader;
  Scope *scope;
  const Entry *entry; /* whose attribute it is; NULL: of the scope's own element */
  const HyFile *file;
  const HyAttribute *attribute;
  const char *what; /* attribute name for messages; NULL: a let or param */
  const char *index[HY_MAX_INDICES];
  gint64 at[HY_MAX_INDICES];
  guint n_index;
  Mode mode;
  const Plan *named; /* of a formula block: its named inputs, */
  const char *const
      *unknown; /* and names of what it computes (of the pool, ends with NULL), or NULL */
  const HyFormula *formula; /* that is folded, so that all its unknown names are told at once */
  Again *again;             /* where what it becomes is remembered, or NULL */
  enum { NAMES_SIGNALS, NAMES_NODES, NAMES_INDUCTORS } names; /* what names stand for */
} Env;

#define HY_TIME "t" /* what the time is called in formulas, if nothing else is */

/* messages.c */
/* What was reported of an attribute or an entry; nothing is reported twice. */
typedef enum {
  REPORTED_ERROR = 1,
  REPORTED_WARNING = 2,
  REPORTED_ELSEWHERE = 4, /* it is wrong because of something that was reported */
  REPORTED_OPEN = 8,      /* that an input has no source */
  REPORTED_ANYTHING = 15
} Reported;
gboolean hy_was_reported(const Loader *l, const void *about, guint what);
gboolean hy_note_once(Loader *l, const void *about,
                      Reported what); /* notes it; TRUE: the first time */
#define HY_SILENT (hy_silent_quark()) /* an error that was reported already */
GQuark hy_silent_quark(void);
void hy_scope_path(const Scope *scope, GString *out);
void hy_copy_name(const Entry *entry, const gint64 *at, GString *out);
/* "path: what", once per attribute. */
void hy_problem(const Env *env, const char *format, ...) G_GNUC_PRINTF(2, 3);
void hy_problem_error(const Env *env, GError *error); /* frees it; silent ones are not shown */
/* About a whole element, once. */
void hy_entry_problem(Loader *l, const Scope *scope, const Entry *e, const gint64 *at,
                      const char *format, ...) G_GNUC_PRINTF(5, 6);

/* env.c, names.c, ends.c */
Env hy_env(Loader *l, Scope *scope, const Entry *entry, const HyAttribute *attribute);
void hy_env_copy(Env *env, const Entry *entry, const gint64 *at); /* the indices of one copy */
extern const HyFormulaScope hy_env_scope; /* user is filled in by hy_env_fold */
const HyFormula *hy_env_parse(const Env *env, HyTextKind kind, const char *text);
const HyFormula *hy_env_fold(Env *env, const HyFormula *formula);
/* A folded formula with u[0] and u[N+1] replaced where before= and after= are formulas. */
const HyFormula *hy_env_boundaries(Env *env, const HyFormula *folded);
gboolean hy_env_number(Env *env, const HyFormula *formula, double *v);
gboolean hy_env_count(Env *env, const HyFormula *formula, gint64 *n);
/* The entry that REF names in this scope itself; NULL: none. */
Entry *hy_scope_find(const Scope *scope, const char *name);
/* The same of a reference: with a port, as in L.i, it is the element and not the value L. */
Entry *hy_scope_find_ref(const Scope *scope, const HyFormula *ref);
Entry *hy_define_find(const Define *d, const char *name, gboolean with_port);
/* The end that a folded reference stands for (blocks and own ports). FALSE: reported. */
gboolean hy_env_end(Env *env, const HyFormula *ref, gboolean outgoing, End *end);
/* The same for a text that is just "block" or "block.port" of a block without copies; FALSE: it is
 * not, or it is wrong: read it as a formula. Most files without repetition consist of these. */
gboolean hy_plain_end(const Env *env, const char *text, gboolean outgoing, End *end);
/* Text with {N} replaced. NULL: reported. */
const char *hy_env_text(Env *env, const char *text);
/* The end of a line that comes from the time: `t` where nothing else has this name. FALSE:
 * reported.
 */
gboolean hy_clock_end(Env *env, const HyFormula *ref, End *end);
const HyFormula *hy_item_parse(Env *env, Item *i, HyTextKind kind);

/* params.c: values of parameters */
const Value *hy_scope_value(Loader *l, Scope *scope, const Entry *e);
/* TEXT, read in ENV, as a value for parameter P. FALSE: reported. */
gboolean hy_value_read(Env *env, const Entry *p, const char *text, const HyFormula *parsed,
                       Value *value);
/* The same from the place of use of SCOPE, with the length that P wants. */
gboolean hy_value_take(Env *env, Scope *scope, const Entry *p, const char *text,
                       const HyFormula *parsed, Value *value);
/* No value any more; what it kept is freed. */
void hy_value_spoil(Value *value);
gboolean hy_value_check(Env *env, Scope *scope, const Entry *p, const Value *value);

/* files.c: ASKED is whose text names the file */
HyFile *hy_loader_file(Loader *l, const char *path, const Env *asked);

#endif
