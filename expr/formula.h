/* The language of attribute values: numbers, expressions, sources, wire ends and paths
 * (docs/language.md). Text becomes an immutable tree in a pool; folding replaces by numbers what is
 * known while loading. No file names or lines in here: an error is one sentence about the text, in
 * the domain HY_ERROR with code HY_ERROR_MODEL, and whoever called puts "file:line: block: " before
 * it.
 *
 * Depth: the parser refuses more than HY_FORMULA_DEPTH nested brackets, signs or powers, and chains
 * such as a + b + c are one node, so recursion over a tree is bounded whatever the text is. */
#ifndef HYDEVS_EXPR_FORMULA_H
#define HYDEVS_EXPR_FORMULA_H

#include "ops.h"

G_BEGIN_DECLS

#define HY_FORMULA_DEPTH    200
#define HY_FORMULA_BYTES    (1 << 20) /* of one text */
#define HY_FORMULA_INDICES  8         /* in one pair of brackets */
#define HY_FORMULA_ELEMENTS 20000000  /* that the slices of one text may make */
#define HY_FORMULA_ALL      100000000U /* that arrays may become in all texts together, copy by copy */

/* Owns trees, names and texts; nothing in it is freed alone. Not shared between threads without a
 * lock. */
typedef struct HyFormulaPool HyFormulaPool;

HyFormulaPool *hy_formula_pool_new(void);
/* What its arrays become counts as if it were AROUND, which outlives it. */
HyFormulaPool *hy_formula_pool_within(HyFormulaPool *around);
/* MOST in place of HY_FORMULA_ALL, also for all pools that count here. */
void hy_formula_pool_limit(HyFormulaPool *pool, guint64 most);
void hy_formula_pool_free(HyFormulaPool *pool); /* NULL is fine */
/* Forgets all that is in it and keeps some memory for reuse. Folding a million copies into one
 * scratch pool that is cleared after each stays cheap; names and unchanged parts of the result
 * still belong to the pool of the text. */
void hy_formula_pool_clear(HyFormulaPool *pool);
/* The pool's own copy of NAME. Equal names of one pool are equal pointers, also those in its trees.
 */
const char *hy_formula_pool_name(HyFormulaPool *pool, const char *name);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyFormulaPool, hy_formula_pool_free)

/* ---- Trees ---- */

typedef enum {
  HY_F_NUMBER,  /* number; pi, inf and a minus before a literal are numbers already */
  HY_F_REF,     /* a name with indices and port: ref */
  HY_F_NEG,     /* -child[0] */
  HY_F_POW,     /* child[0] ^ child[1] */
  HY_F_PRODUCT, /* n >= 2: child[0] ops[1] child[1] ops[2] child[2] ..., from left to right; ops '*'
                   '/' */
  HY_F_SUM,     /* likewise; ops '+' '-' */
  HY_F_COMPARE, /* child[0] op child[1]; ops[1] one of '<' '>' '=' '!' 'l' (<=) 'g' (>=) */
  HY_F_NOT,     /* not child[0] */
  HY_F_AND,     /* n >= 2 */
  HY_F_OR,      /* n >= 2 */
  HY_F_CALL,    /* function(child[0], ...) */
  HY_F_ITEMS,   /* n >= 1 outputs (or if calls) into one port, separated by blanks */
  HY_F_LIST, /* n >= 1 groups separated by commas: each an expression or HY_F_ITEMS; the root of a
                list or source */
  HY_F_NOTHING, /* only after folding: if(0, a) */
  HY_F_TEXT,    /* 'edge', which can be compared while loading; never after folding */
} HyFormulaKind;

typedef struct HyFormula HyFormula;

/* One index: an expression; lo..hi; or, with lo == NULL, "*". */
typedef struct {
  const HyFormula *lo, *hi; /* hi == NULL: a single index */
} HyIndex;

struct HyFormula {
  guint8 kind;         /* HyFormulaKind */
  guint8 function;     /* of a call: its row in hy_ops */
  guint8 own;          /* of a ref: written .name, a port of the model itself */
  guint8 n_index;      /* of a ref: indices after the name ... */
  guint8 n_port_index; /* ... and after the port: b.u[2] */
  guint32 offset;      /* byte in the text where it begins */
  guint32 n;           /* children */
  union {
    double number;
    struct {
      const char *name; /* of the pool */
      const char *port; /* of the pool; NULL: none written */
      const gint64
          *at; /* [n_index + n_port_index] when all are known whole numbers: always after folding */
      const HyIndex *index; /* the same as written, when not all are known; else NULL */
    } ref;
    struct {
      const char *text;    /* of the pool, or of whoever said what a name means */
      const char *choices; /* of a name's text: what it may be, as a list; NULL: anything */
    } said;
    struct {
      const HyFormula *const *child;
      const char *ops; /* of sums, products and comparisons; ops[0] is not used */
    };
  };
};

typedef enum {
  HY_TEXT_EXPRESSION, /* one expression */
  HY_TEXT_LIST,       /* expressions with commas (values of parameters): HY_F_LIST */
  HY_TEXT_SOURCE,     /* what an input takes: HY_F_LIST whose groups may be HY_F_ITEMS */
  HY_TEXT_ENDS,       /* ends of wires, "b.in c.in": HY_F_ITEMS, also of a single one */
} HyTextKind;

/* Equal texts of one kind give the same tree. NULL on failure, with ERROR set. */
const HyFormula *hy_formula_parse(HyFormulaPool *pool, HyTextKind kind, const char *text,
                                  GError **error);

/* As canonical text with as few brackets as give the same tree when read again. */
void hy_formula_print(const HyFormula *formula, GString *out);
char *hy_formula_text(const HyFormula *formula); /* newly allocated */
/* The same form and content; where it was written does not count. */
gboolean hy_formula_equal(const HyFormula *a, const HyFormula *b);

/* ---- Folding ---- */

typedef enum {
  HY_NAME_ERROR,   /* it is wrong: ERROR is set */
  HY_NAME_NUMBER,  /* number */
  HY_NAME_NUMBERS, /* n numbers: an array of parameters named as a whole */
  HY_NAME_TEXT,    /* text, choices: it can only be compared */
  HY_NAME_SIGNAL,  /* not known while loading; stays in the formula */
} HyNameKind;

typedef struct {
  double number;
  const double *numbers; /* borrowed; read before the next call */
  guint n;
  const char *text, *choices; /* as in HyFormula; they outlive the folding */
} HyNameValue;

/* What names mean at one place. REF says name, port and own; its indices are in AT, name's first,
 * then the port's (the counts are in REF). Slices have been resolved: value() is asked for each
 * element, in order. */
typedef struct {
  gpointer user;
  HyNameKind (*value)(gpointer user, const HyFormula *ref, const gint64 *at, HyNameValue *value,
                      GError **error);
  /* The range of "*" at position DIM of REF's indices (counted through to those of the port).
   * Indices before DIM are already in AT. May be NULL: then "*" is an error. */
  gboolean (*extent)(gpointer user, const HyFormula *ref, const gint64 *at, guint dim, gint64 *lo,
                     gint64 *hi, GError **error);
  struct HyFormulaTrace *trace; /* of what is looked up (formula_memo.h); NULL: nobody asks */
} HyFormulaScope;

/* Puts numbers for what is known, and nothing else is simplified (0*x keeps x). The result lives in
 * POOL and in the pool of FORMULA; where nothing changes it is FORMULA itself. if(c, a, b) with
 * known c: the other branch is not looked at. if(c, a) with c = 0 gives HY_F_NOTHING. refs that
 * remain have at, and no slices. of a HY_F_LIST: a group u[*] or a whole array becomes several
 * groups; a group that came to nothing stays as HY_F_NOTHING, so that the groups after it keep
 * their places. of HY_F_ITEMS: u[*] becomes several items; nothing leaves; all that remain are
 * refs. No item: HY_F_NOTHING as a group, n == 0 as the root of ends. One item in a group: that
 * ref. Division by zero, overflow and NaN among known numbers are errors; inf comes only from
 * writing inf. Two texts are compared by == and != and are nothing else's operand. */
const HyFormula *hy_formula_fold(HyFormulaPool *pool, const HyFormula *formula,
                                 const HyFormulaScope *scope, GError **error);
/* The same where the result has to be a number. */
gboolean hy_formula_constant(HyFormulaPool *pool, const HyFormula *formula,
                             const HyFormulaScope *scope, double *value, GError **error);
/* TRUE if X is whole to 1e-9 (and below 2^53). */
gboolean hy_formula_whole(double x, gint64 *whole);

/* ---- A folded expression as a function of its references ---- */

typedef struct {
  guint n;
  const HyFormula **ref; /* distinct, in order of first appearance */
  GHashTable *slots;     /* private; NULL: there are few */
} HyFormulaRefs;

/* The trees must outlive it. */
HyFormulaRefs *hy_formula_refs_new(const HyFormula *folded);
void hy_formula_refs_free(HyFormulaRefs *refs); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyFormulaRefs, hy_formula_refs_free)
/* The position of an equal reference in refs->ref, or G_MAXUINT. */
guint hy_formula_refs_slot(const HyFormulaRefs *refs, const HyFormula *ref);
/* The first reference in it, for messages such as "x is a signal"; NULL: none. */
const HyFormula *hy_formula_first_ref(const HyFormula *formula);
/* It is a call of if. */
static inline gboolean hy_formula_is_if(const HyFormula *x)
{
  return x->kind == HY_F_CALL && hy_ops[x->function].choice;
}

/* ---- Trees that nobody has written ---- */

/* Of POOL, as all that they are made of must be (or live longer). */
const HyFormula *hy_formula_number(HyFormulaPool *pool, double v);
const HyFormula *hy_formula_ref(HyFormulaPool *pool, const char *name); /* any text may be one */
const HyFormula *hy_formula_negative(HyFormulaPool *pool, const HyFormula *f);
/* A sum or product of N children, OPS as in HyFormula; of one child that. */
const HyFormula *hy_formula_chain(HyFormulaPool *pool, HyFormulaKind kind,
                                  const HyFormula *const *child, const char *ops, guint n);
/* F with other children: what its kind says of as many of them. */
const HyFormula *hy_formula_like(HyFormulaPool *pool, const HyFormula *f,
                                 const HyFormula *const *child);
/* FUNCTION(argument). */
const HyFormula *hy_formula_call(HyFormulaPool *pool, const char *function,
                                 const HyFormula *argument);
/* a OP b, as in HyFormula; if(condition, yes, no). */
const HyFormula *hy_formula_compare(HyFormulaPool *pool, const HyFormula *a, char op,
                                    const HyFormula *b);
const HyFormula *hy_formula_choose(HyFormulaPool *pool, const HyFormula *condition,
                                   const HyFormula *yes, const HyFormula *no);

/* ---- Paths: stage[3]/uC.out, stage[*]/u*, **, u[2..5], v:in, e:in[2], .y ---- */

/* name [index] [":" hidden [hidden_index]], where names may contain "*". */
typedef struct {
  const char *name;     /* of the pool; "**" stands for any number of blocks */
  const char *hidden;   /* of the pool: the hidden function of an input, v:in; NULL: none */
  const HyIndex *index; /* name's, then hidden's */
  guint n_index, n_hidden_index;
} HyPathPart;

typedef struct {
  guint n; /* 0: a port or parameter of the root, ".y" */
  const HyPathPart *part;
  const char *port; /* after the last "."; may contain "*"; NULL: none */
  const HyIndex *port_index;
  guint n_port_index;
  gboolean pattern; /* has "*" or a slice: may match several */
  guint32 offset;
} HyPath;

typedef struct {
  guint n;
  const HyPath *const *path;
} HyPaths;

const HyPath *hy_path_parse(HyFormulaPool *pool, const char *text,
                            GError **error); /* exactly one */
const HyPaths *hy_paths_parse(HyFormulaPool *pool, const char *text,
                              GError **error); /* separated by blanks */
/* The indices become numbers ("u[N/2..N]"); "*" stays. */
const HyPath *hy_path_fold(HyFormulaPool *pool, const HyPath *path, const HyFormulaScope *scope,
                           GError **error);
void hy_path_print(const HyPath *path, GString *out);

/* Matching, level by level, of a folded path; whoever has the tree walks it
 * (language/load_match.c). A name without "*" and without index means the block of that name, not
 * its copies; a name with
 * "*" means copies too. Hidden functions are met only by a part with ":". */
gboolean hy_path_any_depth(const HyPathPart *part); /* "**" */
/* Names are met only that are its own, and copies only whose first index is *FIRST (0: it states
 * none). */
gboolean hy_path_part_is_plain(const HyPathPart *part, gint64 *first);
/* A part that is not "**", against a component by its name: "stage[3]", "v:in[2]". */
gboolean hy_path_part_meets(const HyPathPart *part, const char *component);
/* The same where name and indices are known apart; nothing hidden. */
gboolean hy_path_part_matches(const HyPathPart *part, const char *name, const gint64 *at, guint n);
/* The port of PATH, which has one, against "in[2]". */
gboolean hy_path_port_meets(const HyPath *path, const char *port);

G_END_DECLS
#endif
