/* A random formula as a tree, its text, and what it is by plain evaluation of the tree, which knows
 * no polynomials, no modes and nothing of the program but the text. */
#ifndef HY_TEST_RANDOM_FORMULA_H
#define HY_TEST_RANDOM_FORMULA_H

#include <glib.h>
#include <math.h>

typedef struct {
  guint64 state;
} Dice;

static inline guint roll(Dice *d, guint n) /* splitmix64 */
{
  guint64 z = d->state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
  return (guint)((z ^ (z >> 31)) % n);
}

typedef enum {
  NUMBER,
  SIGNAL,
  NEGATIVE,
  PLUS,
  MINUS,
  TIMES,
  OVER, /* a/(1 + abs(b)): no poles */
  ABS,
  MIN,
  MAX,
  LIMIT, /* between two numbers */
  IF_ABOVE,
  IF_BELOW,
  IF_BOTH,
  IF_EITHER,
  N_OPS
} Op;

/* What a formula reads: known functions of time, and a state. */
enum { T, U, V, W, Y, N_SIGNALS };
static const char *const signal_name[] = {"t", "u", "v", "w"};

typedef struct Tree {
  Op op;
  guint signal;
  double value, upper;
  struct Tree *a, *b, *c, *d, *e, *f;
} Tree;

static inline void tree_free(Tree *x)
{
  if (x != NULL) {
    Tree *const part[] = {x->a, x->b, x->c, x->d, x->e, x->f};
    for (guint k = 0; k < G_N_ELEMENTS(part); k++) {
      tree_free(part[k]);
    }
    g_free(x);
  }
}

/* SIGNALS: how many of them may stand there; comparisons read no state, else some of them would
 * slide on it. */
static inline Tree *leaf_new(Dice *d, guint signals)
{
  static const double numbers[] = {0, 1, -1, 0.5, 2, -0.25, 3, -2};
  Tree *x = g_new0(Tree, 1);
  x->op = roll(d, 5) < 2 ? NUMBER : SIGNAL;
  x->signal = roll(d, signals);
  x->value = roll(d, 2) ? numbers[roll(d, G_N_ELEMENTS(numbers))] : 0.01 * roll(d, 500) - 2.5;
  return x;
}

static inline Tree *tree_new(Dice *d, guint depth, guint signals)
{
  if (depth == 0 || (depth < 4 && roll(d, 5) == 0)) {
    return leaf_new(d, signals);
  }
  Tree *x = g_new0(Tree, 1);
  x->op = NEGATIVE + roll(d, N_OPS - NEGATIVE);
  x->a = tree_new(d, depth - 1, signals);
  x->b = tree_new(d, depth - 1, signals);
  x->value = 0.01 * roll(d, 300) - 2;
  x->upper = x->value + 0.01 * roll(d, 200);
  for (guint k = 0; k < 2 && x->op >= IF_ABOVE; k++) {
    Tree **const at[] = {&x->c, &x->d, &x->e, &x->f};
    *at[2 * (gsize)k] = tree_new(d, MIN(depth - 1, 2), Y);
    *at[2 * (gsize)k + 1] = leaf_new(d, Y);
  }
  return x;
}

static inline gboolean reads(const Tree *x, guint signal)
{
  if (x == NULL || x->op <= SIGNAL) {
    return x != NULL && x->op == SIGNAL && x->signal == signal;
  }
  gboolean two = x->op != NEGATIVE && x->op != ABS && x->op != LIMIT;
  return reads(x->a, signal) || (two && reads(x->b, signal)) || reads(x->c, signal) ||
         reads(x->d, signal) || (x->op >= IF_BOTH && (reads(x->e, signal) || reads(x->f, signal)));
}

static inline void tree_text(const Tree *x, GString *out);

/* What FORMAT says, with trees in place of its letters a to f. */
static inline void put_text(const Tree *x, GString *out, const char *format)
{
  const Tree *const part[] = {x->a, x->b, x->c, x->d, x->e, x->f};
  for (const char *p = format; *p != '\0'; p++) {
    if (*p >= 'A' && *p <= 'F') {
      tree_text(part[*p - 'A'], out);
    } else {
      g_string_append_c(out, *p);
    }
  }
}

/* The state is written as %s. */
static inline void tree_text(const Tree *x, GString *out)
{
  static const char *const format[N_OPS] = {
      [NEGATIVE] = "(-(A))",
      [PLUS] = "(A + B)",
      [MINUS] = "(A - B)",
      [TIMES] = "(A*B)",
      [OVER] = "(A/(1 + abs(B)))",
      [ABS] = "abs(A)",
      [MIN] = "min(A, B)",
      [MAX] = "max(A, B)",
      [IF_ABOVE] = "if(C > D, A, B)",
      [IF_BELOW] = "if(D >= C, A, B)",
      [IF_BOTH] = "if(C > D and E > F, A, B)",
      [IF_EITHER] = "if(C > D or not (E > F), A, B)",
  };
  if (x->op == NUMBER) {
    g_string_append_printf(out, "(%.4g)", x->value);
  } else if (x->op == SIGNAL) {
    g_string_append(out, x->signal == Y ? "%s" : signal_name[x->signal]);
  } else if (x->op == LIMIT) {
    g_string_append(out, "limit(");
    tree_text(x->a, out);
    g_string_append_printf(out, ", (%.4g), (%.4g))", x->value, x->upper);
  } else {
    put_text(x, out, format[x->op]);
  }
}

/* What it is evaluated of; how near the sides of comparisons may be to each other to be known; and
 * whether all were. */
typedef struct {
  double signal[N_SIGNALS];
  double bias; /* what is at least so much above something is above it */
  double near;
  gboolean clear;
  double size; /* the largest that anything in it was */
} Place;

static inline double tree_value(const Tree *x, Place *at);

static inline gboolean is_above(const Tree *a, const Tree *b, Place *at)
{
  double p = tree_value(a, at), q = tree_value(b, at);
  at->clear = at->clear && fabs(p - q) > at->near * (1 + fabs(p) + fabs(q));
  return p > q + at->bias;
}

static inline gboolean holds(const Tree *x, Place *at)
{
  if (x->op == IF_BELOW) {
    return !is_above(x->c, x->d, at);
  }
  gboolean first = is_above(x->c, x->d, at);
  gboolean second = x->op == IF_ABOVE || is_above(x->e, x->f, at);
  return x->op == IF_BOTH ? first && second : x->op == IF_EITHER ? first || !second : first;
}

static inline double tree_of_one(const Tree *x, double a)
{
  double low = a > x->upper ? x->upper : a < x->value ? x->value : a;
  return x->op == NEGATIVE ? -a : x->op == LIMIT ? low : a < 0 ? -a : a;
}

static inline double tree_of_two(const Tree *x, double a, double b)
{
  switch (x->op) {
  case PLUS:
    return a + b;
  case MINUS:
    return a - b;
  case TIMES:
    return a * b;
  case OVER:
    return a / (1 + (b < 0 ? -b : b));
  default:
    return (x->op == MIN) == (a < b) ? a : b;
  }
}

static inline double tree_plain(const Tree *x, Place *at)
{
  if (x->op == NUMBER) {
    return x->value;
  }
  if (x->op == SIGNAL) {
    return at->signal[x->signal];
  }
  if (x->op >= IF_ABOVE) {
    return tree_value(holds(x, at) ? x->a : x->b, at);
  }
  double a = tree_value(x->a, at);
  if (x->op == NEGATIVE || x->op == ABS || x->op == LIMIT) {
    return tree_of_one(x, a);
  }
  return tree_of_two(x, a, tree_value(x->b, at));
}

static inline double tree_value(const Tree *x, Place *at)
{
  double v = tree_plain(x, at);
  at->size = v > at->size ? v : -v > at->size ? -v : at->size;
  return v;
}

#endif
