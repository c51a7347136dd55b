#include "eval.h"

#include "expr/ops.h"

#include <string.h>

typedef struct {
  const HyWritten *at; /* the node whose turn it is */
  const HyBall *in;
  double most; /* the size of the largest number that has been compared */
} Walk;

static HyBall value(Walk *w);

static void note(Walk *w, HyBall a)
{
  w->most = fabs(a.v) > w->most ? fabs(a.v) : w->most;
}

/* Comparisons and what is made of them: 1, 0 or open ------------------------------------------- */

static HyBall opposite(HyBall truth)
{
  return (HyBall){1 - truth.v, truth.e, 0, truth.open};
}

/* One that does not hold decides; one that is not known leaves it open, unless that does. */
static HyBall both(HyBall a, HyBall b)
{
  if ((a.v == 0 && a.e == 0) || (b.v == 0 && b.e == 0)) {
    return hy_ball(0);
  }
  return hy_ball_is_open(a) || isnan(a.v) ? a : b;
}

static HyBall equal(HyBall a, HyBall b)
{
  return both(opposite(hy_ball_above(a, b)), opposite(hy_ball_above(b, a)));
}

static HyBall compared(Walk *w)
{
  HyBall a = value(w);
  char sign = w->at->sign;
  HyBall b = value(w);
  note(w, a);
  note(w, b);
  switch (sign) {
  case '<':
    return hy_ball_above(b, a);
  case '>':
    return hy_ball_above(a, b);
  case 'l':
    return opposite(hy_ball_above(a, b));
  case 'g':
    return opposite(hy_ball_above(b, a));
  case '=':
    return equal(a, b);
  default:
    return opposite(equal(a, b));
  }
}

static gboolean is_condition(const HyWritten *node)
{
  return node->kind == HY_F_COMPARE || node->kind == HY_F_NOT || node->kind == HY_F_AND ||
         node->kind == HY_F_OR;
}

/* What is no condition holds where it is not 0. */
static HyBall truth(Walk *w)
{
  if (is_condition(w->at)) {
    return value(w);
  }
  return opposite(equal(value(w), hy_ball(0)));
}

static HyBall joined(Walk *w, const HyWritten *node)
{
  gboolean any = node->kind == HY_F_OR;
  HyBall all = hy_ball(1);
  for (guint32 k = 0; k < node->n; k++) {
    HyBall one = truth(w);
    all = both(all, any ? opposite(one) : one);
  }
  return any ? opposite(all) : all;
}

/* Values --------------------------------------------------------------------------------------- */

static HyBall chain(Walk *w, const HyWritten *node)
{
  HyBall v = value(w);
  for (guint32 k = 1; k < node->n; k++) {
    char sign = w->at->sign;
    HyBall next = value(w);
    v = sign == '+'   ? hy_ball_add(v, next)
        : sign == '-' ? hy_ball_add(v, hy_ball_neg(next))
        : sign == '*' ? hy_ball_mul(v, next)
                      : hy_ball_div(v, next);
  }
  return v;
}

static HyBall sign_of(HyBall a)
{
  HyBall up = hy_ball_above(a, hy_ball(0)), down = hy_ball_above(hy_ball(0), a);
  return hy_ball_choose(up, hy_ball(1), hy_ball_choose(down, hy_ball(-1), hy_ball(0)));
}

static HyBall limited(HyBall a, HyBall low, HyBall high)
{
  if (low.v > high.v) { /* the lower one goes first */
    return hy_ball_choose(hy_ball_above(low, a), low, hy_ball_min(a, high));
  }
  return hy_ball_max(hy_ball_min(a, high), low);
}

static HyBall chosen(Walk *w)
{
  HyBall holds = truth(w), yes = value(w), no = value(w);
  return hy_ball_choose(holds, yes, no);
}

/* min, max, sum, prod and mean: from the first to the last. */
static HyBall gathered(Walk *w, const HyWritten *node, const char *name)
{
  HyBall v = value(w);
  for (guint32 k = 1; k < node->n; k++) {
    HyBall next = value(w);
    if (name[0] == 'm' && name[1] != 'e') { /* min, max */
      note(w, v);
      note(w, next);
    }
    v = strcmp(name, "min") == 0    ? hy_ball_min(v, next)
        : strcmp(name, "max") == 0  ? hy_ball_max(v, next)
        : strcmp(name, "prod") == 0 ? hy_ball_mul(v, next)
                                    : hy_ball_add(v, next);
  }
  return strcmp(name, "mean") == 0 ? hy_ball_div(v, hy_ball(node->n)) : v;
}

static HyBall called(Walk *w, const HyWritten *node)
{
  const char *name = hy_ops[node->function].name;
  HyBall arg[3] = {{0}};
  if (hy_ops[node->function].choice) {
    return chosen(w);
  }
  if (hy_ops[node->function].slices) {
    return gathered(w, node, name);
  }
  for (guint32 k = 0; k < MIN(node->n, G_N_ELEMENTS(arg)); k++) {
    arg[k] = value(w);
    if (strcmp(name, "limit") == 0) {
      note(w, arg[k]);
    }
  }
  return strcmp(name, "abs") == 0     ? hy_ball_abs(arg[0])
         : strcmp(name, "sign") == 0  ? sign_of(arg[0])
         : strcmp(name, "limit") == 0 ? limited(arg[0], arg[1], arg[2])
                                      : hy_ball_function(node->function, arg);
}

static HyBall value(Walk *w)
{
  const HyWritten *node = w->at++;
  HyBall a, b;
  switch (node->kind) {
  case HY_F_NUMBER:
    return hy_ball(node->number);
  case HY_F_REF:
    return node->place > 0 ? w->in[node->place - 1] : hy_ball(NAN);
  case HY_F_NEG:
    return hy_ball_neg(value(w));
  case HY_F_POW:
    a = value(w);
    b = value(w);
    return hy_ball_pow(a, b);
  case HY_F_PRODUCT:
  case HY_F_SUM:
    return chain(w, node);
  case HY_F_CALL:
    return called(w, node);
  case HY_F_COMPARE:
    return compared(w);
  case HY_F_NOT:
    return opposite(truth(w));
  case HY_F_AND:
  case HY_F_OR:
    return joined(w, node);
  case HY_F_LIST: /* of one part */
    return value(w);
  default:
    return hy_ball(NAN);
  }
}

HyBall hy_written_value(const HyWritten *tree, const HyBall *in)
{
  double most = 0;
  return hy_written_value_of(tree, in, &most);
}

HyBall hy_written_value_of(const HyWritten *tree, const HyBall *in, double *most)
{
  Walk w = {.at = tree, .in = in, .most = *most};
  HyBall v = value(&w);
  *most = w.most;
  return v;
}

guint hy_written_size(const HyWritten *tree)
{
  guint size = 0;
  for (guint64 open = 1; open > 0; open--) {
    open += tree[size++].n;
  }
  return size;
}

/* Form ----------------------------------------------------------------------------------------- */

typedef enum { NUMBER, LINEAR, BEYOND } Degree;

static Degree degree(const HyWritten **at);

static Degree degree_of_product(const HyWritten **at, const HyWritten *node)
{
  Degree d = NUMBER;
  for (guint32 k = 0; k < node->n; k++) {
    char sign = (*at)->sign;
    Degree next = degree(at);
    d = next == NUMBER ? d : d == NUMBER && sign != '/' ? next : BEYOND;
  }
  return d;
}

/* The conditions of a choice do not count, nor which of several is the least. */
static Degree degree_of_call(const HyWritten **at, const HyWritten *node)
{
  const char *name = hy_ops[node->function].name;
  gboolean choice = hy_ops[node->function].choice;
  gboolean keeps = choice || strcmp(name, "min") == 0 || strcmp(name, "max") == 0 ||
                   strcmp(name, "sum") == 0 || strcmp(name, "mean") == 0 ||
                   strcmp(name, "abs") == 0 || strcmp(name, "limit") == 0 ||
                   strcmp(name, "sign") == 0;
  if (strcmp(name, "prod") == 0) {
    return degree_of_product(at, node);
  }
  Degree d = NUMBER;
  for (guint32 k = 0; k < node->n; k++) {
    Degree next = degree(at);
    d = choice && k == 0 ? d : MAX(d, next);
  }
  return d == NUMBER || keeps ? d : BEYOND;
}

static Degree degree(const HyWritten **at)
{
  const HyWritten *node = (*at)++;
  Degree d = NUMBER;
  if (node->kind == HY_F_REF) {
    return LINEAR;
  }
  if (node->kind == HY_F_PRODUCT) {
    return degree_of_product(at, node);
  }
  if (node->kind == HY_F_CALL) {
    return degree_of_call(at, node);
  }
  for (guint32 k = 0; k < node->n; k++) {
    Degree next = degree(at);
    d = MAX(d, next);
  }
  if (is_condition(node)) {
    return NUMBER;
  }
  return node->kind == HY_F_POW && d != NUMBER ? BEYOND : d;
}

gboolean hy_written_is_linear(const HyWritten *tree)
{
  return degree(&tree) != BEYOND;
}

gboolean hy_written_is_choice(const HyWritten *tree)
{
  return degree(&tree) == NUMBER;
}
