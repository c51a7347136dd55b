#include "loops.h"
#include "dense.h"

#include <math.h>
#include <string.h>

#define LEAST_GAIN 1e-9 /* of a step; what is shorter leads nowhere */
#define SLOW       0.5  /* |M^-1 r| to the one before: S is found anew */

/* The parts of the workspace. */
typedef struct {
  double *s, *m, *pivot; /* S, the factors of M */
  double *base, *g;      /* where the step began, and the answer there */
  double *r, *dz, *next; /* g - z; the step; scratch */
} Room;

static Room room_of(const HyLoops *l)
{
  size_t n = (size_t)l->n;
  double *p = l->room + n + 2 * n * n; /* z is the first */
  return (Room){l->room + n, l->room + n + n * n, p,         p + n,
                p + 2 * n,   p + 3 * n,           p + 4 * n, p + 5 * n};
}

size_t hy_loops_room(int n)
{
  return 2 * (size_t)n * (size_t)n + 7 * (size_t)n;
}

static bool is_single(const HyLoops *l)
{
  return l->n == 1 && l->method != HY_LOOP_NEWTON;
}

static double loops_weight(const HyLoops *l, int k)
{
  return l->abs + l->rel * fabs(l->z[k]);
}

static void loops_begin(HyLoops *l)
{
  l->answers = 0;
  l->probe = l->singular = -1;
  l->based = l->fresh = l->ended = false;
}

void hy_loops_start(HyLoops *l, const double *z0)
{
  l->z = l->room;
  memset(l->room, 0, hy_loops_room(l->n) * sizeof *l->room);
  memcpy(l->z, z0, (size_t)l->n * sizeof *z0);
  l->residual = INFINITY;
  l->worst = 0;
  l->known = false;
  l->one = (HyLoop){
      .abs = l->abs, .rel = l->rel, .max = l->max, .fixed = l->method == HY_LOOP_FIXED_POINT};
  hy_loop_start(&l->one, z0[0]);
  loops_begin(l);
}

/* What was learned on the way is forgotten. */
static HyLoopEnd loops_failed(HyLoops *l, int column)
{
  l->column = column;
  l->ended = true;
  l->known = false;
  hy_loop_start(&l->one, l->z[0]);
  return HY_LOOP_FAILED;
}

static HyLoopEnd answer_single(HyLoops *l, double g)
{
  l->one.z = l->z[0];
  HyLoopEnd end = hy_loop_answer(&l->one, g);
  l->residual = fabs(l->one.residual);
  l->answers = end == HY_LOOP_AGAIN ? l->one.answers : l->answers + 1;
  l->z[0] = l->one.z;
  if (end == HY_LOOP_FAILED) {
    return loops_failed(l, l->one.singular ? 0 : -1);
  }
  l->ended = end == HY_LOOP_SOLVED;
  return end;
}

/* The residual of G; true: it is small. What is not finite is infinite. */
static bool is_solved(HyLoops *l, const double *g)
{
  Room w = room_of(l);
  bool small = true;
  l->residual = -1.0;
  for (int k = 0; k < l->n; k++) {
    w.r[k] = g[k] - l->z[k];
    double size = isnan(w.r[k]) ? INFINITY : fabs(w.r[k]);
    small = small && size <= loops_weight(l, k);
    if (size > l->residual) {
      l->residual = size;
      l->worst = k;
    }
  }
  return small;
}

static bool loops_factor(HyLoops *l)
{
  Room w = room_of(l);
  for (int i = 0; i < l->n; i++) {
    for (int k = 0; k < l->n; k++) {
      ptrdiff_t at = (ptrdiff_t)i * l->n + k;
      w.m[at] = (i == k) - w.s[at];
    }
  }
  l->known = hy_dense_factor(l->n, w.m, w.pivot, &l->column);
  return l->known;
}

/* V becomes M^-1 r; the result is its size in units of the tolerances. */
static double loops_correction(const HyLoops *l, double *v)
{
  Room w = room_of(l);
  double most = 0.0;
  memcpy(v, w.r, (size_t)l->n * sizeof *v);
  hy_dense_solve(l->n, w.m, w.pivot, v);
  for (int k = 0; k < l->n; k++) {
    double part = fabs(v[k]) / loops_weight(l, k);
    most = part <= most ? most : isnan(part) ? INFINITY : part;
  }
  return most;
}

/* S where DZ has changed the answer by DG. */
static void loops_update(HyLoops *l, const double *dz, const double *dg)
{
  Room w = room_of(l);
  double length = 0.0;
  for (int k = 0; k < l->n; k++) {
    w.next[k] = dz[k] / loops_weight(l, k) / loops_weight(l, k);
    length += w.next[k] * dz[k];
  }
  for (int i = 0; i < l->n; i++) {
    double *row = w.s + (ptrdiff_t)i * l->n;
    double wrong = dg[i];
    for (int k = 0; k < l->n; k++) {
      wrong -= row[k] * dz[k];
    }
    for (int k = 0; k < l->n && isfinite(wrong / length); k++) {
      row[k] += wrong / length * w.next[k];
    }
  }
}

static HyLoopEnd loops_go(HyLoops *l)
{
  Room w = room_of(l);
  bool moves = false;
  for (int k = 0; k < l->n; k++) {
    double z = w.base[k] + l->gain * w.dz[k];
    moves = moves || z != l->z[k];
    l->z[k] = z;
    if (!isfinite(z)) {
      return loops_failed(l, -1);
    }
  }
  return moves ? HY_LOOP_AGAIN : loops_failed(l, -1);
}

/* From the base, where r is known, with the factors at hand. */
static HyLoopEnd loops_step(HyLoops *l)
{
  Room w = room_of(l);
  l->before = loops_correction(l, w.dz);
  l->gain = 1.0;
  return loops_go(l);
}

/* The next unknown is moved: by a part of its residual, which has the size of what is to come. */
static HyLoopEnd loops_move(HyLoops *l, int k)
{
  Room w = room_of(l);
  memcpy(l->z, w.base, (size_t)l->n * sizeof *l->z);
  double r = fabs(w.g[k] - w.base[k]);
  double d = fmax(1e-6 * fabs(w.base[k]), fmin(1e-3 * r, 1e-3));
  l->probe = k;
  l->z[k] += d > 0.0 ? d : loops_weight(l, k);
  l->moved = l->z[k] - w.base[k];
  return l->moved != 0.0 ? HY_LOOP_AGAIN : loops_failed(l, -1);
}

/* Where the loop is singular: a small step along the residuals, other places may tell more. */
static HyLoopEnd loops_elsewhere(HyLoops *l)
{
  Room w = room_of(l);
  l->singular = l->column;
  for (int k = 0; k < l->n; k++) {
    l->z[k] += fmax(-1.0, fmin(1.0, w.r[k]));
  }
  l->based = false;
  return HY_LOOP_AGAIN;
}

static HyLoopEnd loops_probed(HyLoops *l, const double *g)
{
  Room w = room_of(l);
  int k = l->probe;
  for (int i = 0; i < l->n; i++) {
    double s = (g[i] - w.g[i]) / l->moved;
    if (!isfinite(s)) {
      return loops_failed(l, -1);
    }
    w.s[(ptrdiff_t)i * l->n + k] = s;
  }
  if (k + 1 < l->n) {
    return loops_move(l, k + 1);
  }
  l->probe = -1;
  l->fresh = true;
  l->singular = -1;
  memcpy(l->z, w.base, (size_t)l->n * sizeof *l->z);
  is_solved(l, w.g); /* r of the base */
  return loops_factor(l) ? loops_step(l) : loops_elsewhere(l);
}

/* Here is the new base. SLOW: the last step has gained little. */
static HyLoopEnd loops_settle(HyLoops *l, const double *g, bool slow)
{
  Room w = room_of(l);
  size_t bytes = (size_t)l->n * sizeof *g;
  if (l->based) {
    for (int k = 0; k < l->n; k++) {
      w.dz[k] = l->z[k] - w.base[k];
      w.g[k] = g[k] - w.g[k];
    }
    loops_update(l, w.dz, w.g);
  }
  memcpy(w.base, l->z, bytes);
  memcpy(w.g, g, bytes);
  l->based = true;
  l->fresh = false;
  if (slow || l->method == HY_LOOP_NEWTON || !loops_factor(l)) {
    return loops_move(l, 0);
  }
  return loops_step(l);
}

/* An answer further away: half the step, and in the end another direction. */
static HyLoopEnd loops_back(HyLoops *l)
{
  l->gain *= 0.5;
  if (l->gain >= LEAST_GAIN) {
    return loops_go(l);
  }
  return l->fresh ? loops_failed(l, -1) : loops_move(l, 0);
}

static HyLoopEnd answer_all(HyLoops *l, const double *g)
{
  Room w = room_of(l);
  bool finite = isfinite(l->residual);
  if (l->method == HY_LOOP_FIXED_POINT) {
    memcpy(l->z, g, (size_t)l->n * sizeof *g);
    return finite ? HY_LOOP_AGAIN : loops_failed(l, -1);
  }
  if (!l->based || !l->known) {
    return finite ? loops_settle(l, g, !l->known) : loops_failed(l, -1);
  }
  double after = finite ? loops_correction(l, w.next) : INFINITY;
  return after < l->before ? loops_settle(l, g, after > SLOW * l->before) : loops_back(l);
}

HyLoopEnd hy_loops_answer(HyLoops *l, const double *g)
{
  if (l->ended) {
    loops_begin(l);
  }
  if (is_single(l)) {
    return answer_single(l, g[0]);
  }
  l->answers++;
  bool solved = is_solved(l, g);
  if (solved) {
    l->probe = -1;
    l->ended = true;
    return HY_LOOP_SOLVED;
  }
  if (l->answers >= l->max) {
    return loops_failed(l, l->singular);
  }
  return l->probe >= 0 ? loops_probed(l, g) : answer_all(l, g);
}

void hy_loops_slope(HyLoops *l, const double *dg, double *dz)
{
  if (is_single(l)) {
    dz[0] = hy_loop_slope(&l->one, dg[0], dz[0]);
    return;
  }
  Room w = room_of(l);
  for (int k = 0; k < l->n; k++) {
    w.next[k] = dg[k] - dz[k];
  }
  if (l->known) {
    hy_dense_solve(l->n, w.m, w.pivot, w.next);
  }
  for (int k = 0; k < l->n; k++) {
    dz[k] += w.next[k];
  }
}

void hy_loops_learn(HyLoops *l, const double *dz, const double *dg)
{
  if (l->method == HY_LOOP_FIXED_POINT) {
    return;
  }
  if (is_single(l)) {
    double s = dg[0] / dz[0];
    l->one.s = isfinite(s) ? s : l->one.s;
    l->one.known = true;
    return;
  }
  loops_update(l, dz, dg);
  loops_factor(l);
}
