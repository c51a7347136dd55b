/* Blocks that step at once: a group of any equations, by the linearly implicit step of all of its
 * states (numerics/implicit.h; G. Migoni, E. Kofman and F. Cellier took it for one and two states).
 *
 * A is the exact Jacobian at the start of the step, hubs put into it, u' what the slopes of the
 * inputs make of f. In the step x is a parabola, and q the line that meets it at its end. How long
 * a step is, either of two rules says, for all members:
 *
 *   by quantum   |q - x| = |h Im w| <= dQ
 *   by error     h^3 |x'''|/6 <= dQ, x''' by the difference of x'' to the step before
 *
 * and, where f is not linear, both say that what A does not know of f makes less than dQ of x:
 * d = f(x(h)) - q' grows with the square of the time, so that is h/3 (I - alpha h A)^-1 d.
 *
 * By quantum x is within dQ of q at every instant, and its error is mostly below dQ. By error steps
 * are longer; it is for large groups without modes of their own. Where rates are too fast for the
 * digits of time, or the matrix is too large, cvode_bdf goes on in its place. */
#include "classic_internal.h"

#include "classic_matrix.h"
#include "numerics/implicit.h"

#include <float.h>
#include <string.h>

#define INSTEAD  "cvode_bdf"
#define TOO_FAST 0.1   /* rate times the last digit of t */
#define FINEST   4.0   /* last digits of t: no step is shorter */
#define HAND     0.8   /* of what is allowed: what a step is to come to */
#define SMALL    0.1   /* of what is allowed: what comes to less is tried longer at once */
#define FAR      100.0 /* times what is allowed: the step is guessed anew */
#define LONGEST  10.0  /* times the last try, or step */
#define SHORTEST 1e-3  /* likewise */
#define TRIES    100   /* of a step */
#define AHEAD    3.0   /* times a step that inputs have ended: the next is tried so long */

#define CONTRACTS 0.5 /* what a step of Newton's method may leave of d */

#define LARGE  40 /* members: more of them in a chain, without modes of their own, */
#define NARROW 8  /* with so many neighbours at most, go by error */

typedef struct {
  double h;           /* to be tried next */
  double before;      /* the last step; 0: there is none whose x'' is comparable */
  gboolean fresh;     /* f is another function: no h is known */
  gboolean restarted; /* the last step has not come to its end */
  gboolean ahead;     /* f at its end is known: F_END */
} Memory;

typedef struct {
  HyMatrix *matrix;
  const double *slope; /* u', of MATRIX */
  gboolean linear;     /* A does not change while modes do not, */
  gboolean known;      /* and has been computed */
  double *f, *quantum; /* [n] at the start of the step, and 1/quantum */
  double *per_quantum;
  double *f_end, *z;    /* [n] at the end of what is tried */
  double *x1, *f1, *af; /* [n] beside it; what A says of f there */
  double complex *w;    /* [n] of the step */
  double complex *d;    /* [n] of what A does not know */
  gboolean differs;     /* Z is d, of the step tried last */
  /* [n]: the step that stands, x0 + s (rate + s bend), from t0 */
  double *x0, *rate, *bend, *bend_before;
  double *taken; /* [n] u' of it */
  Memory memory;
} Implicit;

/* Life ---------------------------------------------------------------------------------------- */

static gboolean implicit_is_linear(const HyClassic *g)
{
  for (guint i = 0; i < g->n + g->rows.hub->len; i++) {
    if (!g->room->run[hy_classic_number_of_row(g, i)].linear) {
      return FALSE;
    }
  }
  return TRUE;
}

static Implicit *implicit_new(const HyClassic *g, HyMatrix *matrix)
{
  gsize n = g->n;
  Implicit *b = g_new0(Implicit, 1);
  b->matrix = matrix;
  b->f = g_new0(double, 13 * n);
  b->quantum = b->f + n;
  b->x0 = b->quantum + n;
  b->rate = b->x0 + n;
  b->bend = b->rate + n;
  b->bend_before = b->bend + n;
  b->f_end = b->bend_before + n;
  b->z = b->f_end + n;
  b->per_quantum = b->z + n;
  b->taken = b->per_quantum + n;
  b->x1 = b->taken + n;
  b->f1 = b->x1 + n;
  b->af = b->f1 + n;
  b->w = g_new0(double complex, 2 * n);
  b->d = b->w + n;
  b->linear = implicit_is_linear(g);
  b->memory.fresh = TRUE;
  return b;
}

static void implicit_clear(HyClassic *g)
{
  Implicit *b = g->method_state;
  if (b != NULL) {
    hy_matrix_free(b->matrix);
    g_free(b->f);
    g_free(b->w);
    g_free(b);
  }
}

/* Some mode is not any more what the step that stands was made with. */
static gboolean implicit_has_turned(const HyClassic *g)
{
  for (guint k = 0; k < g->rows.n_flags; k++) {
    if (g->rows.was[k] != g->room->flag[g->rows.flag[k]]) {
      return TRUE;
    }
  }
  return FALSE;
}

/* NULL: the matrix is too large. Where nothing turns CVODE, which keeps its factors for many steps,
 * takes a seventh of the time for a large one, unless this method is stated. */
static Implicit *implicit_make(const HyClassic *g)
{
  gboolean smooth = g->own.crossing->len == 0 && g->stated != NULL;
  HyMatrix *matrix = hy_matrix_new(g, !smooth);
  return matrix != NULL ? implicit_new(g, matrix) : NULL;
}

static const char *implicit_start(HyClassic *g, double t)
{
  Implicit *b = g->method_state;
  double last = t - g->t0;
  g->t0 = g->t1 = t;
  if (b == NULL) {
    g->method_state = implicit_make(g);
    return g->method_state != NULL
               ? NULL
               : hy_classic_give_way(g, INSTEAD, "they are too many that read each other");
  }
  b->memory.restarted = TRUE;
  b->memory.h = fmin(b->memory.h, AHEAD * last);
  if (!g->begun || implicit_has_turned(g)) {
    b->memory.fresh = TRUE;
    b->memory.before = 0.0;
  }
  b->memory.ahead = FALSE;
  return NULL;
}

const char *hy_classic_implicit_name(const HyClassic *g)
{
  gboolean chain = g->n > LARGE && hy_matrix_width(g) <= NARROW && g->own.crossing->len == 0;
  return chain ? "block_liqss2_error" : "block_liqss2_quantum";
}

/* Steps --------------------------------------------------------------------------------------- */

/* The first member whose number in V is not finite, or n. */
static guint implicit_not_finite(const HyClassic *g, const double *v)
{
  guint i = 0;
  while (i < g->n && isfinite(v[i])) {
    i++;
  }
  return i;
}

static gboolean implicit_f(HyClassic *g, double t, const double *x, double *f)
{
  g->totals.evaluations++;
  return hy_classic_rhs(g, t, x, f);
}

/* f, A and u' at the start of the step. */
static const char *implicit_look(HyClassic *g, Implicit *b)
{
  if (b->memory.ahead && !g->in.heard) {
    memcpy(b->f, b->f_end, g->n * sizeof *b->f);
  } else if (!implicit_f(g, g->t1, b->x0, b->f)) {
    return hy_classic_why(g, implicit_not_finite(g, b->f) % g->n, "its derivative is not finite");
  }
  if (!b->linear || !b->known || b->memory.fresh) {
    g->totals.jacobians++;
    hy_matrix_put(g, b->matrix, g->t1, b->x0);
    b->known = TRUE;
  }
  b->slope = hy_matrix_slopes(g, b->matrix, g->t1);
  return NULL;
}

/* The fastest rate, in units of quanta. */
static double implicit_rate(const HyClassic *g, Implicit *b)
{
  double most = 0.0;
  hy_matrix_apply(b->matrix, b->quantum, TRUE, b->z);
  for (guint i = 0; i < g->n; i++) {
    most = fmax(most, b->z[i] / b->quantum[i]);
  }
  return most;
}

/* The step whose parabola would leave x by a quantum if f went on as it is: |x''| h^2/2 = dQ. */
static double implicit_guess(const HyClassic *g, Implicit *b)
{
  double h = INFINITY;
  hy_matrix_apply(b->matrix, b->f, FALSE, b->z);
  for (guint i = 0; i < g->n; i++) {
    h = fmin(h, sqrt(2.0 * b->quantum[i] / fabs(b->z[i] + b->slope[i])));
  }
  return h;
}

static gboolean implicit_by_error(const HyClassic *g, const Implicit *b)
{
  return g->method->by_error && b->memory.before > 0.0;
}

static double implicit_larger(double a, double b)
{
  return a > b ? a : b;
}

/* How many times what is allowed the step W of H comes to, by the rule of the method. Behind a
 * change of inputs the step before says less, and is counted as if it had been as long as this one.
 */
static double implicit_misses(const HyClassic *g, const Implicit *b, double h)
{
  double most = 0.0, sum = b->memory.restarted ? 2.0 * h : h + b->memory.before;
  gboolean by_error = implicit_by_error(g, b);
  double by = by_error ? 2.0 * h * h / (3.0 * sum) : h;
  for (guint i = 0; i < g->n; i++) {
    double im = cimag(b->w[i]);
    double missed = by * fabs(by_error ? im - h * b->bend_before[i] : im);
    most = implicit_larger(most, missed * b->per_quantum[i]);
  }
  return most;
}

/* d = f - q' at the end of the step of H, and how many quanta h/3 d comes to; infinite where f is
 * not finite. */
static double implicit_differs(HyClassic *g, Implicit *b, double h)
{
  double most = 0.0;
  for (guint i = 0; i < g->n; i++) {
    b->z[i] = b->x0[i] + h * creal(b->w[i]);
  }
  if (!implicit_f(g, g->t1 + h, b->z, b->f_end)) {
    return INFINITY;
  }
  for (guint i = 0; i < g->n; i++) {
    b->z[i] = b->f_end[i] - (creal(b->w[i]) + cimag(b->w[i]));
    most = implicit_larger(most, fabs(b->z[i]) * b->per_quantum[i]);
  }
  return h / 3.0 * most;
}

/* What A says of f beside the end of the step holds: there it damps d, D being what it leaves, and
 * a step of Newton's method contracts. Beside sqrt(|x|) = 0 it says of 1e-15 what is not so of any
 * other x: the step would end where it begins, for ever. */
static gboolean implicit_believes(HyClassic *g, Implicit *b, double h)
{
  double most = 0.0, left = 0.0, *by = b->x1, *f = b->f1;
  for (guint i = 0; i < g->n; i++) {
    by[i] = h * creal(b->d[i]);
  }
  hy_matrix_apply(b->matrix, by, FALSE, b->af);
  for (guint i = 0; i < g->n; i++) {
    by[i] += b->x0[i] + h * creal(b->w[i]);
  }
  if (!implicit_f(g, g->t1 + h, by, f)) {
    return FALSE;
  }
  for (guint i = 0; i < g->n; i++) {
    most = implicit_larger(most, fabs(b->z[i]) * b->per_quantum[i]);
    left = implicit_larger(left, fabs(f[i] - b->f_end[i] - b->af[i]) * b->per_quantum[i]);
  }
  return left <= CONTRACTS * most;
}

/* What A does not know, by its own size if that is small, or A not to be believed, else by what it
 * makes of x. */
static double implicit_unknown(HyClassic *g, Implicit *b, double h)
{
  double e = implicit_differs(g, b, h), most = 0.0;
  if (e <= SMALL || e == INFINITY) {
    return e;
  }
  if (!hy_matrix_solve(b->matrix, b->z, NULL, b->d)) {
    return INFINITY;
  }
  for (guint i = 0; i < g->n; i++) {
    most = implicit_larger(most, fabs(creal(b->d[i])) * b->per_quantum[i]);
  }
  most *= h / 3.0;
  return e > 1.0 && most <= 1.0 && !implicit_believes(g, b, h) ? e : most;
}

/* Likewise, by what A does not know; as if it grew with the square of h where steps are by quantum.
 */
static double implicit_bends(HyClassic *g, Implicit *b, double h)
{
  double e = implicit_unknown(g, b, h);
  return implicit_by_error(g, b) ? e : cbrt(e * e);
}

/* By both; infinite where the step cannot be solved. */
static double implicit_comes_to(HyClassic *g, Implicit *b, double h)
{
  g->totals.newton++;
  if (!hy_matrix_factor(b->matrix, h) || !hy_matrix_solve(b->matrix, b->f, b->slope, b->w)) {
    return INFINITY;
  }
  double e = implicit_misses(g, b, h);
  b->differs = !b->linear && !(e > 1.0);
  return b->differs ? fmax(e, implicit_bends(g, b, h)) : e;
}

/* The next try after one of H that came to E, which grows with the square or the cube of h. */
static double implicit_next(const HyClassic *g, const Implicit *b, double h, double e)
{
  gboolean cube = implicit_by_error(g, b) && !b->memory.restarted && e <= 1.0;
  double by = cube ? cbrt(HAND / e) : sqrt(HAND / e);
  return h * fmin(fmax(by, SHORTEST), LONGEST);
}

/* A step that comes to E is taken: it is as long as it may be, by what is known. Where it comes to
 * little a longer one is tried at once, up to what has been too long; not where it comes to
 * nothing, for then no length is the right one. */
static gboolean implicit_will_do(const HyClassic *g, const Implicit *b, double e, gboolean last)
{
  return e <= 1.0 && (e > SMALL || e == 0.0 || last || implicit_by_error(g, b));
}

/* The length of the step from t1 to LIMIT at most; 0: none is short enough. */
static double implicit_find(HyClassic *g, Implicit *b, double limit)
{
  double t = g->t1, least = FINEST * (nextafter(t, INFINITY) - t), longest = limit - t;
  double h = b->memory.fresh ? implicit_guess(g, b) : b->memory.h, refused = INFINITY;
  h = h < INFINITY ? h : fmin(longest, 1.0);
  for (int k = 0; k < TRIES; k++) {
    h = fmin(fmax(h, least), longest);
    h = (t + h) - t;
    double e = implicit_comes_to(g, b, h);
    double next = implicit_next(g, b, h, e);
    gboolean last = h >= longest || refused < INFINITY || 2 * k > TRIES;
    if (implicit_will_do(g, b, e, last) || (longest <= least && e < INFINITY)) {
      b->memory.h = next;
      return h;
    }
    if (!(e <= 1.0)) {
      g->totals.failures++;
      refused = h;
      next = k == 0 && e > FAR && !b->memory.fresh ? fmin(next, implicit_guess(g, b)) : next;
    }
    if (h <= least && refused < INFINITY) {
      return 0.0;
    }
    h = next;
  }
  return 0.0;
}

/* Where modes are judged by what is stiff, x' = f has to hold at the end of the step, with f as it
 * is: a current through 1 mOhm says of a voltage that is a tolerance away from where it belongs
 * that a diode blocks. So d is put into the slopes, and the step solved once more: a step of
 * Newton's method. */
static void implicit_settle(HyClassic *g, Implicit *b, double h)
{
  if (!b->differs || g->own.crossing->len == 0) {
    return;
  }
  for (guint i = 0; i < g->n; i++) {
    b->z[i] = b->slope[i] + b->z[i] / h;
  }
  if (!hy_matrix_solve(b->matrix, b->f, b->z, b->d)) {
    return;
  }
  for (guint i = 0; i < g->n; i++) {
    b->z[i] = b->x0[i] + h * creal(b->d[i]);
  }
  if (!implicit_f(g, g->t1 + h, b->z, b->f_end)) {
    implicit_differs(g, b, h);
    return;
  }
  memcpy(b->w, b->d, g->n * sizeof *b->w);
}

/* The parabola of the step, and z at its end. */
static const char *implicit_take(HyClassic *g, Implicit *b, double h)
{
  double *before = b->bend_before;
  b->bend_before = b->bend;
  b->bend = before;
  double zero = 0.0;
  memcpy(b->taken, b->slope, g->n * sizeof *b->taken);
  for (guint i = 0; i < g->n; i++) {
    HyImplicitStep s = hy_implicit_step(b->x0[i], h, b->w[i]);
    b->rate[i] = s.dx;
    b->bend[i] = 0.5 * s.second;
    g->z[i] = s.x;
    zero += 0.0 * s.x;
  }
  g->t0 = g->t1;
  g->t1 = g->t0 + h;
  g->totals.steps++;
  b->memory.before = h;
  b->memory.fresh = b->memory.restarted = FALSE;
  b->memory.ahead = !b->linear;
  return zero == 0.0
             ? NULL
             : hy_classic_why(g, implicit_not_finite(g, g->z), "its value leaves the numbers");
}

/* Where a step from t1 has to end. */
static double implicit_limit(const HyClassic *g)
{
  double longest = hy_classic_member(g, 0)->set->hstep, jump = hy_classic_next_jump(g, g->t1);
  return longest > 0.0 ? fmin(g->t1 + longest, jump) : jump;
}

static const char *implicit_step(HyClassic *g)
{
  Implicit *b = g->method_state;
  for (guint i = 0; i < g->n; i++) {
    b->memory.ahead &= g->offset[i] == 0.0;
    b->x0[i] = g->z[i] += g->offset[i];
    g->offset[i] = 0.0;
    b->quantum[i] = hy_classic_quantum(g, i, b->x0[i]);
    b->per_quantum[i] = 1.0 / b->quantum[i];
  }
  const char *why = implicit_look(g, b);
  if (why != NULL) {
    return why;
  }
  double digit = nextafter(g->t1, INFINITY) - g->t1, h = 0.0;
  gboolean fast = b->memory.fresh && implicit_rate(g, b) * digit > TOO_FAST;
  h = fast ? 0.0 : implicit_find(g, b, implicit_limit(g));
  if (h > 0.0) {
    implicit_settle(g, b, h);
    return implicit_take(g, b, h);
  }
  why = hy_classic_give_way(g, INSTEAD,
                            fast ? "their rates are too fast for the digits of time"
                                 : "no step is short enough");
  return why == NULL ? g->stepper->step(g) : why;
}

static void implicit_dense(HyClassic *g, double t, int order, double *z)
{
  const Implicit *b = g->method_state;
  double s = t - g->t0;
  for (guint i = 0; i < g->n; i++) {
    z[i] = order == 0 ? b->x0[i] + s * (b->rate[i] + s * b->bend[i])
                      : b->rate[i] + 2.0 * s * b->bend[i];
  }
}

static void implicit_parabola(const HyClassic *g, guint i, double *c)
{
  const Implicit *b = g->method_state;
  c[0] = b->x0[i];
  c[1] = b->rate[i];
  c[2] = b->bend[i];
}

static double implicit_slope(const HyClassic *g, guint i)
{
  const Implicit *b = g->method_state;
  return b->taken[i];
}

/* A step that inputs end early errs by its share of what it may err by, in a direction that every
 * such step has, if its parabola is taken; the step that is as long as that, by the cube of the
 * share. Crossings are found on the parabola, and hold there. */
static const char *implicit_finish(HyClassic *g, double t)
{
  Implicit *b = g->method_state;
  double h = t - g->t0;
  if (g->own.crossing->len == 0 && h > 0.0) {
    g->totals.newton++;
    if (hy_matrix_factor(b->matrix, h) && hy_matrix_solve(b->matrix, b->f, b->taken, b->w)) {
      for (guint i = 0; i < g->n; i++) {
        g->z[i] = b->x0[i] + h * creal(b->w[i]);
      }
      return NULL;
    }
  }
  implicit_dense(g, t, 0, g->z);
  return NULL;
}

static void implicit_totals(const HyClassic *g, HyClassicTotals *totals)
{
  (void)g, (void)totals; /* counted as they happen */
}

static void implicit_tape(HyClassic *g, HyTape *tape)
{
  if (g->begun && g->method_state == NULL) { /* it has given way since the copy was made */
    g->method_state = implicit_make(g);
  }
  Implicit *b = g->method_state;
  if (g->begun && b == NULL) {
    hy_tape_reject(tape, "its group cannot be solved as the file has it");
  } else if (g->begun) {
    HY_TAPE_ARRAY(tape, b->f, g->n);
    HY_TAPE_ARRAY(tape, b->x0, g->n);
    HY_TAPE_ARRAY(tape, b->rate, g->n);
    HY_TAPE_ARRAY(tape, b->bend, g->n);
    HY_TAPE_ARRAY(tape, b->bend_before, g->n);
    HY_TAPE_ARRAY(tape, b->f_end, g->n);
    HY_TAPE_ARRAY(tape, b->taken, g->n);
    hy_matrix_tape(b->matrix, tape);
    HY_TAPE(tape, b->memory.h);
    HY_TAPE(tape, b->memory.before);
    HY_TAPE(tape, b->memory.fresh);
    HY_TAPE(tape, b->memory.restarted);
    HY_TAPE(tape, b->memory.ahead);
    b->known = FALSE;
  }
}

const HyStepper hy_classic_implicit = {.start = implicit_start,
                                       .step = implicit_step,
                                       .finish = implicit_finish,
                                       .dense = implicit_dense,
                                       .parabola = implicit_parabola,
                                       .slope = implicit_slope,
                                       .totals = implicit_totals,
                                       .clear = implicit_clear,
                                       .tape = implicit_tape};
