/* D: the defect of states over a piece [a, b] of a stretch,
 *
 *   r = x(b) - x(a) - integral of f(x(s), u(s)) ds,   M r with M = (1 - h J)^-1, h = b - a.
 *
 * r alone is h J q for a fast state and means nothing; M r is about as large as what the method has
 * left out, whatever h J is. A state that is held has promised x' = f(q) for what it has said, q,
 * so its derivative is taken there, and J has no column of it. Where a state grows M r is larger
 * than r; but what an error becomes is no fault of this step, so both have to be too large.
 *
 * G: how far off the run is by now, delta <- M (delta + r), piece by piece: each step may be within
 * its tolerance, and all of them together not. Of states that are held M is 1: delta is what has
 * not followed f(q), all of it. But an error moves q as well, so that a stable state takes it back:
 * what is left is delta <- F (delta + r), F = (1 - h J)^-1 with all columns of J. Both have to be
 * too large, for the same reason as above.
 *
 * A derivative that bends within what its states are known to has no J to speak of. There what
 * seems a breach has to be one by the slopes to the ends of that, of all states, as well: it is
 * what a state makes of r that counts, as an error of it moves what it follows.
 *
 * The integral is that of 5 Gauss nodes on [a, b] and on its halves; where the two differ by more
 * than a breach needs, the piece is halved. So it is where the nodes next to an end do not lead to
 * what the states are there: a transient that has died out before the first node is seen by that
 * alone. */
#include "look.h"

#include <string.h>

#define MOST_STATES 40 /* of one matrix; where there are more, SOME of them at a time */
#define SOME        8
#define PIECES      256 /* of a stretch */
#define LONGER      8.0 /* times as long a piece is tried as the one before */
#define DRIFT_BAR   16.0

static const double node[5] = {0.0, -0.5384693101056831, 0.5384693101056831, -0.9061798459386640,
                               0.9061798459386640};
static const double weight[5] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                                 0.2369268850561891, 0.2369268850561891};

typedef struct {
  HyAuditCone cone;              /* what they hang on */
  guint n, most;                 /* states at a time; where several are */
  guint *pick;                   /* [n]: which of the plan's */
  HyBall *value, *loose, *moved; /* [slots] */
  double *xa, *xb;               /* [n] */
  HyBall *f, *whole, *halves;    /* [n] */
  double *m;                     /* [n * n]: (1 - h J)^-1 */
  double *other;                 /* [n * n]: by slopes to the ends of what states are known to */
  double *flow;                  /* [n * n]: F; NULL: that is M */
  double *a;                     /* [n * 2 n] */
  double *r, *e;                 /* [n]: with M */
  double *first, *last;          /* [n]: states, as nodes have it at the ends of the piece */
  double edge[5];                /* of the nodes, for that */
  guint8 *bends;                 /* [blocks]: what follows a formula that bends */
  gboolean anywhere;             /* states that are not held are taken within their tolerances */
  gboolean held, free;           /* there are states that are, that are not */
  guint64 next;                  /* the number of the stretch that has to come */
  gboolean follows, lost;        /* G is possible; but not any more */
  double *delta, *within, *left; /* [n]: G, and how well it is known; and the states where the
                                    last stretch has ended */
  double *kept;                  /* [n]: what is left of delta by F */
} Defects;

/* The polynomial through values at the nodes is that at -1 with these weights. */
static void find_edge(double *edge)
{
  for (int k = 0; k < 5; k++) {
    edge[k] = 1;
    for (int i = 0; i < 5; i++) {
      edge[k] *= i != k ? (-1 - node[i]) / (node[k] - node[i]) : 1;
    }
  }
}

/* Whether anything bends that feeds it, along plain blocks. */
static guint8 *find_bends(const HyAuditPlan *p)
{
  guint8 *bends = g_new0(guint8, (gsize)p->n + 1);
  for (guint at = 0; at < p->n_order + p->n_states; at++) {
    guint block = at < p->n_order ? p->order[at] : p->state[at - p->n_order];
    const HyAuditBlock *b = &p->block[block];
    bends[block] = b->beyond != FALSE;
    for (guint k = 0; k < b->n_in; k++) {
      guint slot = p->input[b->first_in + k].slot;
      gboolean plain = slot < p->n_out && p->block[p->owner[slot]].role == HY_AUDIT_PLAIN;
      bends[block] = bends[block] || (plain && bends[p->owner[slot]]);
    }
  }
  return bends;
}

static gpointer begin(HyAudit *a)
{
  const HyAuditPlan *p = a->plan;
  Defects *d = g_new0(Defects, 1);
  d->n = d->most = p->n_states <= MOST_STATES ? p->n_states : SOME;
  gsize n = (gsize)d->n + 1;
  d->pick = g_new0(guint, n);
  d->value = g_new0(HyBall, (gsize)p->n_out + 1);
  d->loose = g_new0(HyBall, (gsize)p->n_out + 1);
  d->moved = g_new0(HyBall, (gsize)p->n_out + 1);
  d->xa = g_new0(double, 10 * n);
  d->xb = d->xa + n;
  d->r = d->xb + n;
  d->e = d->r + n;
  d->delta = d->e + n;
  d->left = d->delta + n;
  d->within = d->left + n;
  d->kept = d->within + n;
  d->first = d->kept + n;
  d->last = d->first + n;
  find_edge(d->edge);
  d->bends = find_bends(p);
  d->f = g_new0(HyBall, 3 * n);
  d->whole = d->f + n;
  d->halves = d->whole + n;
  d->m = g_new0(double, n *n);
  d->other = g_new0(double, n *n);
  d->a = g_new0(double, 2 * n * n);
  d->follows = d->n == p->n_states;
  for (guint k = 0; k < p->n_states; k++) {
    gboolean held = hy_audit_is_held(a, k);
    d->held = d->held || held;
    d->free = d->free || !held;
    HyAuditPromise promise = a->about[p->state[k]].promise;
    d->follows =
        d->follows && promise != HY_PROMISED_NOTHING && promise == a->about[p->state[0]].promise;
  }
  for (guint k = 0; k < d->n; k++) {
    d->pick[k] = k;
    d->left[k] = NAN;
  }
  d->flow = d->follows && d->held && a->mode == HY_AUDIT_FULL ? g_new0(double, n *n) : NULL;
  hy_audit_cone_init(&d->cone, p);
  hy_audit_cone_find(&d->cone, p, d->pick, d->n);
  return d;
}

static void clear(gpointer own)
{
  Defects *d = own;
  hy_audit_cone_clear(&d->cone);
  g_free(d->pick);
  g_free(d->value);
  g_free(d->loose);
  g_free(d->moved);
  g_free(d->xa);
  g_free(d->f);
  g_free(d->m);
  g_free(d->other);
  g_free(d->bends);
  g_free(d->flow);
  g_free(d->a);
  g_free(d);
}

static guint slot_of(const HyAudit *a, guint state)
{
  return a->plan->block[a->plan->state[state]].first_out;
}

/* Derivatives ---------------------------------------------------------------------------------- */

/* What stands in VALUE, of the cone. */
static void copy_cone(const HyAudit *a, const Defects *d, HyBall *to)
{
  const HyAuditPlan *p = a->plan;
  for (guint k = 0; k < d->cone.word->len; k++) {
    guint slot = g_array_index(d->cone.word, guint, k);
    to[slot] = d->value[slot];
  }
  for (guint k = 0; k < d->cone.state->len; k++) {
    guint slot = slot_of(a, g_array_index(d->cone.state, guint, k));
    to[slot] = d->value[slot];
  }
  for (guint k = 0; k < d->cone.block->len; k++) {
    guint slot = p->block[g_array_index(d->cone.block, guint, k)].first_out;
    to[slot] = d->value[slot];
  }
}

/* What is held hears words of what is not, which are made within a tolerance. And where not all
 * states are looked at, M has nothing of the others, whose errors come in by their tolerance. */
static void loosen(HyAudit *a, Defects *d, double t)
{
  copy_cone(a, d, d->loose);
  for (guint i = 0; i < d->cone.state->len; i++) {
    guint k = g_array_index(d->cone.state, guint, i);
    if (!hy_audit_is_held(a, k)) {
      HyBall *x = &d->loose[slot_of(a, k)];
      x->e = 2 * hy_audit_tolerance(a, slot_of(a, k), x->v);
    }
  }
  hy_audit_compute(a, HY_AUDIT_TAKEN, t, &d->cone, ~G_GUINT64_CONSTANT(0), d->loose);
}

static void derivatives(HyAudit *a, Defects *d, double t)
{
  gboolean few = d->n < a->plan->n_states;
  hy_audit_view_cone(a, HY_AUDIT_TAKEN, t, &d->cone, d->value);
  if (d->free && (d->held || few || d->anywhere)) {
    loosen(a, d, t);
  }
  for (guint i = 0; i < d->n; i++) {
    gboolean held = hy_audit_is_held(a, d->pick[i]);
    gboolean loose = d->free && (few || d->anywhere || (d->held && held));
    guint state = a->plan->state[d->pick[i]];
    d->f[i] = hy_audit_rests(a, state) ? hy_ball(NAN)
                                       : hy_audit_input(a, loose ? d->loose : d->value, state, 0);
  }
}

/* Adds the integral over [T, T + H] to SUM. FIRST, LAST: what states are there, as the nodes have
 * it; NULL: nobody asks. */
static void integrate(HyAudit *a, Defects *d, double t, double h, HyBall *sum, double *first,
                      double *last)
{
  for (int k = 0; k < 5; k++) {
    double w = 0.5 * h * weight[k];
    derivatives(a, d, t + 0.5 * h * (1 + node[k]));
    for (guint i = 0; i < d->n; i++) {
      double x = d->value[slot_of(a, d->pick[i])].v;
      if (first != NULL) {
        first[i] += d->edge[k] * x;
      }
      if (last != NULL) {
        last[i] += d->edge[k == 0 ? 0 : k % 2 == 0 ? k - 1 : k + 1] * x;
      }
      sum[i].v += w * d->f[i].v;
      sum[i].e += w * d->f[i].e + 4 * HY_BALL_ROUND * fabs(w * d->f[i].v);
    }
  }
}

/* The matrix ----------------------------------------------------------------------------------- */

/* Which matrix: of states that are not held, or of all; by slopes at a point, or to where they are
 * FAR tolerances off. */
typedef struct {
  gboolean all;
  double far;
} Slopes;

/* Column J of h J, by a difference in the middle of the piece, where VALUE stands. */
static void difference(HyAudit *a, Defects *d, double t, double h, guint j, Slopes by)
{
  guint slot = slot_of(a, d->pick[j]), n = d->n;
  if (hy_audit_is_held(a, d->pick[j]) && !by.all) {
    return;
  }
  double x = d->value[slot].v, dx = MAX(1e-5 * fabs(x), 1e-7);
  dx = by.far != 0 ? by.far * hy_audit_tolerance(a, slot, x) : dx;
  copy_cone(a, d, d->moved);
  d->moved[slot].v = x + dx;
  hy_audit_compute(a, HY_AUDIT_TAKEN, t, &d->cone,
                   a->plan->block[a->plan->state[d->pick[j]]].states, d->moved);
  for (guint i = 0; i < n; i++) {
    double f = hy_audit_input(a, d->moved, a->plan->state[d->pick[i]], 0).v;
    double slope = (f - hy_audit_input(a, d->value, a->plan->state[d->pick[i]], 0).v) / dx;
    gboolean known = isfinite(slope) && (by.all || !hy_audit_is_held(a, d->pick[i]));
    d->a[i * 2 * n + j] -= known ? h * slope : 0;
  }
}

static void swap_rows(double *a, guint n, guint i, guint j)
{
  for (guint k = 0; k < n; k++) {
    double v = a[i * n + k];
    a[i * n + k] = a[j * n + k];
    a[j * n + k] = v;
  }
}

/* [A | 1] becomes [1 | A^-1], by the largest pivot of each column. FALSE: there is none. */
static gboolean invert(double *a, guint n)
{
  guint w = 2 * n;
  for (guint c = 0; c < n; c++) {
    guint best = c;
    for (guint i = c + 1; i < n; i++) {
      best = fabs(a[i * w + c]) > fabs(a[best * w + c]) ? i : best;
    }
    if (!(fabs(a[best * w + c]) > 0)) {
      return FALSE;
    }
    swap_rows(a, w, c, best);
    double by = 1 / a[c * w + c];
    for (guint k = 0; k < w; k++) {
      a[c * w + k] *= by;
    }
    for (guint i = 0; i < n; i++) {
      double factor = i != c ? a[i * w + c] : 0;
      for (guint k = 0; factor != 0 && k < w; k++) {
        a[i * w + k] -= factor * a[c * w + k];
      }
    }
  }
  return TRUE;
}

/* Into M. FALSE: there is none. */
static gboolean find_matrix(HyAudit *a, Defects *d, double t, double h, Slopes by, double *m)
{
  guint n = d->n, w = 2 * n;
  memset(d->a, 0, sizeof *d->a * n * w);
  for (guint i = 0; i < n; i++) {
    d->a[i * w + i] = d->a[i * w + n + i] = 1;
  }
  if (d->free || by.all) {
    hy_audit_view_cone(a, HY_AUDIT_TAKEN, t + 0.5 * h, &d->cone, d->value);
    for (guint j = 0; j < n; j++) {
      difference(a, d, t + 0.5 * h, h, j, by);
    }
    if (!invert(d->a, n)) {
      return FALSE;
    }
  }
  for (guint i = 0; i < n; i++) {
    memcpy(m + (gsize)i * n, d->a + (gsize)i * w + n, n * sizeof *m);
  }
  return TRUE;
}

/* Pieces --------------------------------------------------------------------------------------- */

static double tolerance(HyAudit *a, const Defects *d, guint i)
{
  double share = a->about[a->plan->state[d->pick[i]]].share;
  return share * hy_audit_tolerance(a, slot_of(a, d->pick[i]), d->xb[i]);
}

/* MATRIX times V, or with SIZES times its sizes. What is not known counts where MATRIX has
 * something of it. */
static double row_of(const Defects *d, const double *matrix, guint i, const double *v,
                     gboolean sizes)
{
  double sum = 0;
  for (guint j = 0; j < d->n; j++) {
    double m = matrix[(gsize)i * d->n + j], x = m != 0 ? m * v[j] : 0;
    sum += sizes ? fabs(x) : x;
  }
  return sum;
}

static double row(const Defects *d, guint i, const double *v, gboolean sizes)
{
  return row_of(d, d->m, i, v, sizes);
}

/* What it follows has not spoken, and so it stands: nothing is known, and nothing is missing. */
static gboolean stands(const Defects *d, guint i)
{
  return isnan(d->halves[i].v) && d->xa[i] == d->xb[i];
}

/* Whether the nodes have seen what states do next to the ends; held ones are polynomials. */
static gboolean has_seen_ends(HyAudit *a, const Defects *d)
{
  for (guint i = 0; i < d->n; i++) {
    double off = fmax(fabs(d->first[i] - d->xa[i]), fabs(d->last[i] - d->xb[i]));
    if (!hy_audit_is_held(a, d->pick[i]) && off > HY_AUDIT_BAR * tolerance(a, d, i)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* The integrals over [T, T + H], and whether they are known well enough. */
static gboolean is_resolved(HyAudit *a, Defects *d, double t, double h)
{
  memset(d->whole, 0, d->n * sizeof *d->whole);
  memset(d->halves, 0, d->n * sizeof *d->halves);
  memset(d->first, 0, d->n * sizeof *d->first);
  memset(d->last, 0, d->n * sizeof *d->last);
  integrate(a, d, t, h / 2, d->halves, d->first, NULL);
  integrate(a, d, t + h / 2, h / 2, d->halves, NULL, d->last);
  if (!has_seen_ends(a, d)) {
    return FALSE;
  }
  integrate(a, d, t, h, d->whole, NULL, NULL);
  if (!find_matrix(a, d, t, h, (Slopes){FALSE, 0}, d->m)) {
    return FALSE;
  }
  for (guint i = 0; i < d->n; i++) {
    gboolean still = stands(d, i);
    d->r[i] = still ? 0 : d->halves[i].v - d->whole[i].v;
    d->e[i] = still ? 0 : d->halves[i].e;
    d->r[i] = isnan(d->r[i]) ? INFINITY : d->r[i];
  }
  for (guint i = 0; i < d->n; i++) {
    double q = tolerance(a, d, i);
    if (isfinite(d->e[i]) && !(row(d, i, d->r, TRUE) <= 0.5 * q + row(d, i, d->e, TRUE))) {
      return FALSE;
    }
  }
  return TRUE;
}

/* What is integrated knows its states to their tolerances, so what bends may be anywhere between:
 * M times what that makes of the integral. */
static double from_tolerances(HyAudit *a, Defects *d, double t, double h, guint i)
{
  double sum = 0;
  memset(d->whole, 0, d->n * sizeof *d->whole);
  d->anywhere = TRUE;
  integrate(a, d, t, h / 2, d->whole, NULL, NULL);
  integrate(a, d, t + h / 2, h / 2, d->whole, NULL, NULL);
  d->anywhere = FALSE;
  for (guint j = 0; j < d->n; j++) {
    double m = fabs(d->m[(gsize)i * d->n + j]);
    gboolean bends = d->bends[a->plan->state[d->pick[j]]] && !hy_audit_is_held(a, d->pick[j]);
    sum += m > 0 && bends ? m * d->whole[j].e : 0;
  }
  return isnan(sum) ? INFINITY : sum;
}

/* Where a state follows what bends: by slopes to both ends of what states are known to, too. */
static gboolean is_breach_still(HyAudit *a, Defects *d, double t, double h, guint i)
{
  double known = HY_AUDIT_BAR * tolerance(a, d, i) + row(d, i, d->e, TRUE);
  if (!d->bends[a->plan->state[d->pick[i]]]) {
    return TRUE;
  }
  if (d->free && !(fabs(row(d, i, d->r, FALSE)) > known + from_tolerances(a, d, t, h, i))) {
    return FALSE;
  }
  for (int side = -1; side <= 1; side += 2) {
    double bar = HY_AUDIT_BAR * tolerance(a, d, i);
    if (find_matrix(a, d, t, h, (Slopes){TRUE, side}, d->other) &&
        !(fabs(row_of(d, d->other, i, d->r, FALSE)) > bar + row_of(d, d->other, i, d->e, TRUE))) {
      return FALSE;
    }
  }
  return TRUE;
}

/* TELL: what is too large is a breach; else whether anything is. */
static gboolean judge(HyAudit *a, Defects *d, double t, double h, gboolean tell)
{
  gboolean any = FALSE;
  for (guint i = 0; i < d->n; i++) {
    gboolean still = stands(d, i);
    d->r[i] = d->xb[i] - d->xa[i] - d->halves[i].v;
    d->e[i] = d->halves[i].e + 4 * HY_BALL_ROUND * (fabs(d->xa[i]) + fabs(d->xb[i]));
    d->e[i] = isnan(d->e[i]) || isnan(d->r[i]) ? INFINITY : d->e[i];
    d->e[i] = still ? 0 : d->e[i];
    d->r[i] = isnan(d->r[i]) ? 0 : d->r[i];
  }
  for (guint i = 0; i < d->n; i++) {
    double off = row(d, i, d->r, FALSE), bar = HY_AUDIT_BAR * tolerance(a, d, i);
    double allowed = bar + row(d, i, d->e, TRUE);
    gboolean known = isfinite(off) && isfinite(allowed) && !stands(d, i);
    gboolean wrong = known && fabs(off) > allowed && fabs(d->r[i]) > bar + d->e[i];
    wrong = wrong && (!tell || is_breach_still(a, d, t, h, i));
    any = any || wrong;
    if (tell || !wrong) {
      hy_audit_judged(a, known);
    }
    if (tell && wrong) {
      hy_audit_breach(a, a->plan->state[d->pick[i]], t, t + h, d->xb[i], d->xb[i] - off, allowed,
                      NULL);
    }
  }
  return any;
}

/* What F leaves of it: KEPT. */
static void keep(HyAudit *a, Defects *d, double t, double h)
{
  double sum[MOST_STATES];
  if (d->flow == NULL) {
    return;
  }
  gboolean known = find_matrix(a, d, t, h, (Slopes){TRUE, 0}, d->flow);
  for (guint i = 0; i < d->n; i++) {
    sum[i] = d->kept[i] + d->r[i];
  }
  for (guint i = 0; i < d->n; i++) {
    d->kept[i] = known ? row_of(d, d->flow, i, sum, FALSE) : sum[i];
  }
}

/* G. What is not known of one state is not known of all that it leads to: then it ends. */
static void follow(HyAudit *a, Defects *d, double t, double h)
{
  double next[MOST_STATES], within[MOST_STATES];
  keep(a, d, t, h);
  for (guint i = 0; i < d->n; i++) {
    d->r[i] += d->delta[i];
    d->e[i] += d->within[i];
    d->lost = d->lost || !isfinite(d->e[i]);
  }
  for (guint i = 0; i < d->n && !d->lost; i++) {
    next[i] = row(d, i, d->r, FALSE);
    within[i] = row(d, i, d->e, TRUE);
    double allowed = DRIFT_BAR * tolerance(a, d, i) + within[i];
    double most = MAX(a->largest[slot_of(a, d->pick[i])], 1e-300);
    a->drift = MAX(isnan(a->drift) ? 0 : a->drift, (fabs(next[i]) - within[i]) / most);
    hy_audit_judged(a, TRUE);
    if (fabs(next[i]) > allowed && (d->flow == NULL || fabs(d->kept[i]) > allowed)) {
      hy_audit_breach(a, a->plan->state[d->pick[i]], t, t + h, d->xb[i], d->xb[i] - next[i],
                      allowed, "off by errors that have come together:");
    }
  }
  if (!d->lost) {
    memcpy(d->delta, next, d->n * sizeof *d->delta);
    memcpy(d->within, within, d->n * sizeof *d->within);
  }
}

/* The piece that begins at T, where XA stands: as long as it can be resolved. Returns its end; NAN:
 * none is short enough. */
static double piece(HyAudit *a, Defects *d, double t, double h, guint *pieces)
{
  for (; *pieces < PIECES && t + h > t; h /= 2) {
    ++*pieces;
    double end = t + h;
    for (guint i = 0; i < d->n; i++) {
      d->xb[i] = hy_audit_state(a, d->pick[i], end);
    }
    if (is_resolved(a, d, t, h)) {
      return end;
    }
  }
  return NAN;
}

/* A few of very many, others each time. */
static void pick_states(const HyAudit *a, Defects *d, guint64 number)
{
  guint64 x = number * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
  for (guint i = 0; i < d->n && d->n < a->plan->n_states; i++) {
    x = (x ^ x >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9) + 1;
    guint part = a->plan->n_states / d->n; /* one of each part, so that none comes twice */
    d->pick[i] = i * part + (guint)((x >> 20) % part);
  }
  if (d->n < a->plan->n_states) {
    hy_audit_cone_find(&d->cone, a->plan, d->pick, d->n);
  }
}

/* Of a state that has jumped since, no error is left. */
static void start_again(Defects *d)
{
  for (guint i = 0; i < d->n; i++) {
    if (d->xa[i] != d->left[i] && fabs(d->xa[i] - d->left[i]) > 1e-9 * fabs(d->xa[i])) {
      d->delta[i] = d->within[i] = d->kept[i] = 0;
    }
  }
}

static void look(HyAudit *a, gpointer own, const HyAuditStretch *s)
{
  Defects *d = own;
  guint pieces = 0, turn = a->check;
  if (d->n == 0) {
    return;
  }
  d->lost = d->lost || s->number != d->next; /* not every stretch is looked at */
  d->next = s->number + 1;
  pick_states(a, d, s->number);
  for (guint i = 0; i < d->n; i++) {
    d->xa[i] = hy_audit_state(a, d->pick[i], s->t0);
  }
  start_again(d);
  for (double t = s->t0, most = INFINITY; t < s->t1;) {
    double end = piece(a, d, t, fmin(s->t1 - t, most), &pieces);
    if (!isnan(end)) {
      judge(a, d, t, end - t, TRUE);
    }
    a->check = turn + 1; /* G */
    if (isnan(end)) {
      d->lost = TRUE;
    } else if (d->follows && !d->lost && a->mode == HY_AUDIT_FULL) {
      follow(a, d, t, end - t);
    }
    a->check = turn;
    if (isnan(end)) {
      hy_audit_judged(a, FALSE);
      break;
    }
    memcpy(d->xa, d->xb, d->n * sizeof *d->xa);
    most = LONGER * (end - t);
    t = end;
  }
  memcpy(d->left, d->xb, d->n * sizeof *d->left);
}

/* Parts ---------------------------------------------------------------------------------------- */

#define FEW 4 /* pieces that are tried */

static guint parts(HyAudit *a, gpointer own)
{
  (void)own;
  return a->plan->n_states;
}

static void pick_one(const HyAudit *a, Defects *d, guint k)
{
  d->n = 1;
  d->pick[0] = k;
  hy_audit_cone_find(&d->cone, a->plan, d->pick, 1);
}

/* As many as there may be, K among them. */
static void pick_with(const HyAudit *a, Defects *d, guint k, guint64 number)
{
  d->n = d->most;
  for (guint i = 0; i < d->n; i++) {
    d->pick[i] = i;
  }
  pick_states(a, d, number);
  if (d->n < a->plan->n_states) {
    guint part = a->plan->n_states / d->n;
    d->pick[MIN(k / part, d->n - 1)] = k;
  }
  hy_audit_cone_find(&d->cone, a->plan, d->pick, d->n);
}

/* Fifteen nodes and two for J, each once more where others are not known so well. */
static double ready(HyAudit *a, gpointer own, guint k)
{
  pick_one(a, own, k);
  return 34 * hy_audit_cost(a, &((Defects *)own)->cone);
}

/* What can be resolved of the piece that begins with S. Whether something is wrong there. */
static gboolean try_piece(HyAudit *a, Defects *d, const HyAuditStretch *s, gboolean tell)
{
  guint pieces = PIECES - FEW;
  for (guint i = 0; i < d->n; i++) {
    d->xa[i] = hy_audit_state(a, d->pick[i], s->t0);
  }
  double end = piece(a, d, s->t0, s->t1 - s->t0, &pieces);
  if (isnan(end)) {
    hy_audit_judged(a, FALSE);
    return FALSE;
  }
  return judge(a, d, s->t0, end - s->t0, tell);
}

/* One by itself has no part in what the others answer it: what is wrong is looked at once more,
 * with them. */
static void look_at_part(HyAudit *a, gpointer own, guint k, const HyAuditStretch *s)
{
  Defects *d = own;
  pick_one(a, d, k);
  if (try_piece(a, d, s, d->most == 1) && d->most > 1) {
    pick_with(a, d, k, s->number);
    try_piece(a, d, s, TRUE);
  }
}

const HyAuditCheck hy_audit_defects = {.name = "D",
                                       .doc = "steps of states, against their derivatives",
                                       .begin = begin,
                                       .free = clear,
                                       .look = look,
                                       .parts = parts,
                                       .ready = ready,
                                       .part = look_at_part};
/* D does its work, where every stretch is looked at. */
const HyAuditCheck hy_audit_drift = {
    .name = "G", .doc = "what the errors of all steps have come to", .full = TRUE, .sum = TRUE};
