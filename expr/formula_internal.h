/* What the files of the formula language share among themselves. */
#ifndef HYDEVS_EXPR_FORMULA_INTERNAL_H
#define HYDEVS_EXPR_FORMULA_INTERNAL_H

#include "base/hint.h"
#include "formula.h"
#include "hydevs/error.h"

#define HY_INDICES                                                                                 \
  (2 * HY_FORMULA_INDICES) /* of a reference: those of the name and those of the port */

/* Memory given out piece by piece and taken back all at once. */
typedef struct HyArenaBlock HyArenaBlock;

enum { HY_TEXT_PATH = HY_TEXT_ENDS + 1, HY_TEXT_PATHS, HY_N_TEXTS };

struct HyFormulaPool {
  HyArenaBlock *block;           /* the current one, then the full ones */
  GHashTable *names;             /* a set */
  GHashTable *texts[HY_N_TEXTS]; /* text -> what it became, by kind */
  GPtrArray
      *stack; /* children of nodes that are not complete yet; every user leaves it as it was */
  GByteArray *ops;
  HyFormulaPool *counter; /* itself, or the pool that this one is within; there: */
  guint64 elements, most; /* that references to arrays have become since it was made; may become */
};

gpointer hy_arena_alloc(HyFormulaPool *pool, gsize size);
gpointer hy_arena_copy(HyFormulaPool *pool, gconstpointer data, gsize size);
const char *hy_pool_name(HyFormulaPool *pool, const char *start, gsize length);
gconstpointer hy_pool_find(const HyFormulaPool *pool, guint kind, const char *text);
void hy_pool_keep(HyFormulaPool *pool, guint kind, const char *text, gconstpointer what);

/* A child of a node that is not complete yet. */
static inline void hy_push(HyFormulaPool *pool, const HyFormula *node)
{
  g_ptr_array_add(pool->stack, hy_key(node));
}

HyFormula *hy_node_new(HyFormulaPool *pool, HyFormulaKind kind, guint32 offset);
const HyFormula *hy_node_number(HyFormulaPool *pool, double number, guint32 offset);
/* Its children: CHILD, or what lies on the pool's stack from BASE on; taken off there. OPS: n
 * letters or NULL. */
const HyFormula *hy_node_with(HyFormulaPool *pool, const HyFormula *like, const char *ops,
                              guint base);
extern const gint64 hy_no_index[1]; /* `at` of a reference without indices */
gboolean hy_at_known(const HyIndex *index, guint n, gint64 *at);
gint64 hy_index_number(const HyFormula *index); /* of a folded one */

/* ---- Tokens ---- */

typedef enum {
  HY_T_END,
  HY_T_ERROR, /* the lexer has said why */
  HY_T_NUMBER,
  HY_T_NAME,
  HY_T_TEXT, /* with its quotes */
  HY_T_AND,
  HY_T_OR,
  HY_T_NOT,
  HY_T_IF,
  HY_T_LE,
  HY_T_GE,
  HY_T_EQ,
  HY_T_NE,
  HY_T_DOTS,
  HY_T_CHAR = 32, /* from here on the letter itself: ( ) [ ] , . + - * / ^ < > */
} HyTokenType;

typedef struct {
  guint type;
  guint32 start, end; /* bytes in the text */
  gboolean glued;     /* no blank before it */
  double number;
} HyToken;

typedef struct {
  HyFormulaPool *pool;
  HyTextKind kind; /* what the text is to be */
  const char *text;
  guint32 length;
  HyToken token, last; /* the one looked at, and the one before */
  guint depth;
  GError **error;
  gboolean failed;
} HyParser;

/* Begins with TEXT; FALSE if it is too long or empty, EXPECTED being what was. */
gboolean hy_parser_init(HyParser *p, HyFormulaPool *pool, HyTextKind kind, const char *text,
                        const char *expected, GError **error);
void hy_token_next(HyParser *p);
/* Goes on at byte AT. */
void hy_token_at(HyParser *p, guint32 at);
gboolean hy_is_name_start(char c);
/* The LENGTH bytes at WORD are a unit as people write it, with or without a suffix: kOhm. */
gboolean hy_is_unit(const char *word, gsize length);
gboolean hy_is_name(char c);

/* Sets the error (the first one stays): in "text": format. Returns NULL. */
gpointer hy_parser_fail(HyParser *p, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The same without 'in "text": '. */
gpointer hy_parser_fail_bare(HyParser *p, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* TEXT for a message: at most some sixty bytes around AT, always UTF-8. Newly allocated. */
char *hy_excerpt(const char *text, gsize length, gsize at);

/* ---- Parts of the grammar that paths use ---- */

/* The token is the first one after "[" at byte OPEN; afterwards it is the "]". Returns FALSE on
 * failure. */
gboolean hy_parse_indices(HyParser *p, guint32 open, HyIndex *index, guint *n);

/* ---- Folding of an index: a whole number ---- */
gboolean hy_fold_index(HyFormulaPool *pool, const HyFormula *index, const HyFormulaScope *scope,
                       gint64 *whole, GError **error);

char hy_op(const HyFormula *x, guint i); /* 0 where the kind says it all */
/* a op b, for chains, powers and comparisons. */
double hy_join(HyFormulaKind kind, char op, double a, double b);

void hy_print_number(double v, GString *out);
void hy_print_indices(const HyIndex *index, const gint64 *at, guint n, GString *out);

#endif
