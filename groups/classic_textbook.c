/* A group as the textbook methods of numerics/classic.h see it (E. Hairer, S. Norsett and G.
 * Wanner, Solving ordinary differential equations; F. Cellier and E. Kofman, Continuous system
 * simulation).
 *
 * What they ask: f, and where they are implicit the Jacobian df/dy, dense, by rows; hubs h are
 * eliminated in it, J = f_y + f_h h_y. Taylor's method of order 2 asks for y'' = J f + df/dt, which
 * is the sum of the partials of a row times the slopes of what it reads.
 *
 * A fixed step ends at an instant of the grid t0 + k hstep, each a number of its own and no sum, or
 * before where an input ends it; the step after that one ends at the grid again. */
#include "classic_internal.h"

#include "numerics/classic.h"
#include "numerics/poly.h"

#include <float.h>
#include <string.h>

#define MANY 2000 /* states: the largest dense matrix */

typedef struct {
  HyOdeRun run;
  double *room; /* of RUN */
  HyOdeRun
      halves; /* of fixed steps: by steps half as long; of a method with step control nothing */
  double *halves_room;
  double *piece;  /* [4 n]: the step that stands, from t0 */
  double *hub;    /* [hubs][n]: their partials by members; NULL where nobody asks */
  double *slopes; /* [hubs] */
  gboolean aside; /* partials are taken beside x, */
  double *beside; /* [n] there */
  double origin;  /* of the grid */
} Textbook;

/* Derivatives of the equations ---------------------------------------------------------------- */

/* Adds the partials of ROW by the members, also through hubs, to J, [n]. */
static void add_partials(HyClassic *g, const Textbook *b, guint32 row, double *j)
{
  const HyRunRow *r = &g->room->run[row];
  const double *a = hy_classic_row_gradient(g, row);
  for (guint k = 0; k < r->n_slots; k++) {
    guint32 i = hy_classic_place(g, r->slot[k]);
    guint h = i == HY_NO_PLACE ? hy_classic_hub(g, r->slot[k]) : g->rows.hub->len;
    if (i != HY_NO_PLACE) {
      j[i] += a[k];
    }
    for (guint m = 0; h < g->rows.hub->len && m < g->n; m++) {
      j[m] += a[k] * b->hub[(gsize)h * g->n + m];
    }
  }
}

static void jacobian_at(HyClassic *g, Textbook *b, double t, const double *x, double *j)
{
  gsize n = g->n;
  hy_classic_set(g, t, x);
  memset(j, 0, n * n * sizeof *j);
  memset(b->hub, 0, g->rows.hub->len * n * sizeof *b->hub);
  for (guint k = 0; k < g->rows.hub->len; k++) {
    add_partials(g, b, g_array_index(g->rows.hub, const HyHub *, k)->row, b->hub + k * n);
  }
  for (guint i = 0; i < n; i++) {
    add_partials(g, b, hy_classic_row(g, i), j + i * n);
  }
}

static void textbook_jacobian(void *user, double t, const double *x, double *j)
{
  HyClassic *g = user;
  Textbook *b = g->method_state;
  if (!b->aside) {
    jacobian_at(g, b, t, x, j);
    return;
  }
  gboolean finite = FALSE;
  for (int side = 1; side >= -1 && !finite; side -= 2) {
    hy_classic_beside(g, x, side, b->beside);
    jacobian_at(g, b, t, b->beside, j);
    finite = hy_columns_finite(g->n * g->n, j);
  }
}

static double outer_slope(const HyClassic *g, guint slot, double t)
{
  const HyPiece *p = hy_classic_assumed(g, slot);
  double c[4];
  memcpy(c, p->c, sizeof c);
  hy_poly_shift(c, (int)g->room->diagram.lanes, t - p->t);
  return g->room->diagram.lanes > 1 ? c[1] : 0.0;
}

/* d row/dt along the slopes of its slots; those of members are F. */
static double textbook_along(HyClassic *g, const Textbook *b, guint32 row, double t,
                             const double *f)
{
  const HyRunRow *r = &g->room->run[row];
  const double *a = hy_classic_row_gradient(g, row);
  double sum = 0.0;
  for (guint k = 0; k < r->n_slots; k++) {
    guint32 i = hy_classic_place(g, r->slot[k]);
    guint h = i == HY_NO_PLACE ? hy_classic_hub(g, r->slot[k]) : 0;
    double slope = i != HY_NO_PLACE       ? f[i]
                   : h < g->rows.hub->len ? b->slopes[h]
                                          : outer_slope(g, r->slot[k], t);
    sum += a[k] * slope;
  }
  return sum;
}

static void textbook_second(void *user, double t, const double *x, const double *f, double *ddx)
{
  HyClassic *g = user;
  Textbook *b = g->method_state;
  hy_classic_set(g, t, x);
  for (guint k = 0; k < g->rows.hub->len; k++) {
    b->slopes[k] = textbook_along(g, b, g_array_index(g->rows.hub, const HyHub *, k)->row, t, f);
  }
  for (guint i = 0; i < g->n; i++) {
    ddx[i] = textbook_along(g, b, hy_classic_row(g, i), t, f);
  }
}

/* What is not finite ends the step. */
static void right_side(void *user, double t, const double *x, double *dx)
{
  hy_classic_rhs(user, t, x, dx);
}

static double textbook_tolerance(void *user, int i, double x)
{
  return hy_classic_tolerance(user, (guint)i, x);
}

/* Life ---------------------------------------------------------------------------------------- */

static Textbook *textbook_make(HyClassic *g, const HyOdeMethod *method)
{
  Textbook *b = g_new0(Textbook, 1);
  gsize n = g->n, hubs = g->rows.hub->len;
  b->room = g_new0(double, hy_ode_room(method, (int)n));
  b->halves_room = method->adaptive ? NULL : g_new0(double, hy_ode_room(method, (int)n));
  b->piece = g_new0(double, 4 * n);
  b->hub = method->implicit ? g_new0(double, hubs *n + 1) : NULL;
  b->beside = method->implicit ? g_new0(double, n) : NULL;
  b->slopes = g_new0(double, hubs + 1);
  return b;
}

/* Before the first start. */
static void set_up(HyClassic *g, Textbook *b, const HyOdeMethod *method)
{
  const HyGroupSettings *s = hy_classic_member(g, 0)->set;
  b->origin = g->began;
  memset(b->room, 0, hy_ode_room(method, (int)g->n) * sizeof *b->room);
  HyOdeSettings set = hy_ode_settings;
  set.rtol = s->reltol;
  set.atol = s->abstol;
  HyOde ode = {.n = (int)g->n,
               .f = right_side,
               .jacobian = textbook_jacobian,
               .second = textbook_second,
               .tolerance = textbook_tolerance,
               .user = g};
  hy_ode_init(&b->run, method, &ode, &set, b->room);
  if (b->halves_room != NULL) {
    hy_ode_init(&b->halves, method, &ode, &set, b->halves_room);
  }
}

/* Also where f has jumped: what is remembered of f goes. */
static const char *textbook_start(HyClassic *g, double t)
{
  const HyOdeMethod *method = g->method->textbook;
  if (method->implicit && g->n > MANY) {
    return hy_classic_why(g, 0,
                          "its group has %u states, and a dense matrix is made for %u at most; "
                          "cvode_bdf has a sparse one",
                          g->n, MANY);
  }
  if (g->method_state == NULL) {
    g->method_state = textbook_make(g, method);
  }
  Textbook *b = g->method_state;
  if (!g->begun) {
    set_up(g, b, method);
  }
  hy_ode_start(&b->run, t, g->z);
  b->halves.t = NAN;
  g->t0 = g->t1 = t;
  return NULL;
}

/* Vectors by what they are now: x and x0, and those of the past, change places. */
static void tape_vectors(HyOdeRun *r, HyTape *tape)
{
  gsize n = (gsize)r->ode.n;
  HY_TAPE_ARRAY(tape, r->x, n);
  HY_TAPE_ARRAY(tape, r->dx, n);
  HY_TAPE_ARRAY(tape, r->x0, n);
  HY_TAPE_ARRAY(tape, r->dx0, n);
  HY_TAPE_ARRAY(tape, r->next, n);
  for (guint k = 0; k < G_N_ELEMENTS(r->work); k++) {
    HY_TAPE_ARRAY(tape, r->work[k], n);
  }
  for (int k = 0; k < r->method->past; k++) {
    HY_TAPE_ARRAY(tape, r->past[k], n);
  }
}

static void tape_counts(HyOdeCounts *counts, HyTape *tape)
{
  gint64 n[] = {counts->accepted, counts->rejected, counts->evaluations, counts->jacobians,
                counts->newton};
  hy_tape_item(tape, HY_ITEM_I64, "counts", n, G_N_ELEMENTS(n));
  *counts = (HyOdeCounts){n[0], n[1], n[2], n[3], n[4]};
}

static void tape_run(HyOdeRun *r, HyTape *tape)
{
  tape_counts(&r->counts, tape);
  HY_TAPE(tape, r->t);
  HY_TAPE(tape, r->h);
  HY_TAPE(tape, r->h0);
  HY_TAPE(tape, r->fresh);
  HY_TAPE(tape, r->t0);
  HY_TAPE(tape, r->fresh0);
  HY_TAPE(tape, r->known);
  HY_TAPE(tape, r->spacing);
  tape_vectors(r, tape);
  if (r->known < 0 || r->known > r->method->past) {
    r->known = 0;
    hy_tape_reject(tape, "a method remembers more than it has");
  }
}

static void textbook_tape(HyClassic *g, HyTape *tape)
{
  if (g->begun && g->method_state == NULL) { /* in a file, of a group of another method here */
    g->method_state = textbook_make(g, g->method->textbook);
    set_up(g, g->method_state, g->method->textbook);
  }
  Textbook *b = g->method_state;
  if (!g->begun) {
    return;
  }
  tape_run(&b->run, tape);
  if (b->halves_room != NULL) {
    tape_run(&b->halves, tape);
  }
  HY_TAPE_ARRAY(tape, b->piece, 4 * (gsize)g->n);
  HY_TAPE(tape, b->origin);
}

static void textbook_clear(HyClassic *g)
{
  Textbook *b = g->method_state;
  if (b != NULL) {
    g_free(b->room);
    g_free(b->halves_room);
    g_free(b->piece);
    g_free(b->hub);
    g_free(b->beside);
    g_free(b->slopes);
    g_free(b);
  }
}

/* Steps --------------------------------------------------------------------------------------- */

double hy_classic_near(double h, double t)
{
  return fmax(1e-9 * h, 4.0 * DBL_EPSILON * fabs(t));
}

double hy_classic_grid(double origin, double h, double t)
{
  double k = floor((t - origin) / h) + 1.0;
  double next = origin + k * h;
  return next - t > hy_classic_near(h, t) ? next : origin + (k + 1.0) * h;
}

/* Where a step from t1 has to end. */
static double end_of_step(const HyClassic *g, const Textbook *b)
{
  double h = hy_classic_member(g, 0)->set->hstep;
  if (b->run.method->adaptive) {
    double jump = hy_classic_next_jump(g, g->t1);
    return h > 0.0 ? fmin(g->t1 + h, jump) : jump;
  }
  return hy_classic_grid(b->origin, h, g->t1);
}

static guint first_not_finite(const HyClassic *g, const double *v, guint every)
{
  guint i = 0;
  while (i + 1 < g->n && isfinite(v[(gsize)i * every])) {
    i++;
  }
  return i;
}

static const char *textbook_cause(HyClassic *g, const HyOdeRun *r, HyOdeEnd end)
{
  char number[HY_DOUBLE_SIZE];
  switch (end) {
  case HY_ODE_NEWTON:
    return hy_classic_why(g, (guint)r->newton.worst_at,
                          "Newton's iteration does not converge; the residual here is %s",
                          hy_double_text(number, r->newton.worst));
  case HY_ODE_SINGULAR:
    return hy_classic_why(g, (guint)r->newton.column,
                          "the equations of a step of the method have no single solution for it");
  case HY_ODE_TOO_SMALL:
    return hy_classic_why(g, 0, "the tolerance asks for steps that cannot be told apart");
  default:
    return hy_classic_why(g, first_not_finite(g, r->next, 1),
                          "a step leads to a value that is not finite");
  }
}

/* Where Newton's iteration does not converge, once more with a Jacobian that is not that of one x
 * alone. */
static HyOdeEnd step_to(Textbook *b, HyOdeRun *r, double t)
{
  HyOdeEnd end = hy_ode_step(r, t);
  if (end == HY_ODE_NEWTON && b->beside != NULL) {
    b->aside = TRUE;
    end = hy_ode_step(r, t);
    b->aside = FALSE;
    end = end == HY_ODE_DONE ? end : hy_ode_step(r, t); /* what it says of x itself */
  }
  return end;
}

/* To the next instant of the grid, or where the method with step control ends it; its piece is
 * kept for dense output. */
static const char *textbook_step(HyClassic *g)
{
  Textbook *b = g->method_state;
  HyOdeRun *r = &b->run;
  double t = end_of_step(g, b);
  r->fresh &= !g->in.heard;
  if (!(t > g->t1)) {
    return hy_classic_why(g, 0, "the instants of two steps cannot be told apart");
  }
  HyOdeEnd end = step_to(b, r, t);
  if (end != HY_ODE_DONE) {
    return textbook_cause(g, r, end);
  }
  g->t0 = g->t1;
  g->t1 = r->t;
  memcpy(g->z, r->x, g->n * sizeof *g->z);
  double zero = 0.0;
  for (guint i = 0; i < g->n; i++) {
    double *c = b->piece + 4 * (gsize)i;
    hy_ode_piece(r, (int)i, c);
    zero += 0.0 * (c[1] + c[2] + c[3]);
  }
  return zero == 0.0 ? NULL
                     : hy_classic_why(g, first_not_finite(g, b->piece + 1, 4),
                                      "its derivative is not finite");
}

/* The method itself goes to T, which is exacter than what lies between its steps. */
static const char *textbook_finish(HyClassic *g, double t)
{
  Textbook *b = g->method_state;
  HyOdeRun *r = &b->run;
  hy_ode_back(r);
  HyOdeEnd end = HY_ODE_DONE;
  while (end == HY_ODE_DONE && r->t < t) {
    end = step_to(b, r, t);
  }
  memcpy(g->z, r->x, g->n * sizeof *g->z);
  return end == HY_ODE_DONE ? NULL : textbook_cause(g, r, end);
}

/* A multistep method goes on from its own past, unless f or X have jumped. */
static gboolean textbook_halves(HyClassic *g, double t, double *x)
{
  Textbook *b = g->method_state;
  HyOdeRun *r = &b->halves;
  gsize size = g->n * sizeof *x;
  if (r->t != g->t0 || memcmp(r->x, x, size) != 0) {
    hy_ode_start(r, g->t0, x);
  }
  gboolean done =
      step_to(b, r, g->t0 + 0.5 * (t - g->t0)) == HY_ODE_DONE && step_to(b, r, t) == HY_ODE_DONE;
  memcpy(x, r->x, size);
  return done;
}

static void textbook_dense(HyClassic *g, double t, int order, double *z)
{
  const Textbook *b = g->method_state;
  double s = t - g->t0;
  for (guint i = 0; i < g->n; i++) {
    const double *c = b->piece + 4 * (gsize)i;
    z[i] = order == 1  ? c[1] + s * (2.0 * c[2] + s * 3.0 * c[3])
           : t < g->t1 ? hy_poly_at(c, 4, s)
                       : g->z[i];
  }
}

static void textbook_totals(const HyClassic *g, HyClassicTotals *totals)
{
  const Textbook *b = g->method_state;
  if (b != NULL && g->begun) {
    const HyOdeCounts *c = &b->run.counts;
    totals->steps += (guint64)c->accepted;
    totals->failures += (guint64)c->rejected;
    totals->evaluations += (guint64)c->evaluations;
    totals->jacobians += (guint64)c->jacobians;
    totals->newton += (guint64)c->newton;
  }
}

const HyStepper hy_classic_textbook = {.start = textbook_start,
                                       .step = textbook_step,
                                       .finish = textbook_finish,
                                       .dense = textbook_dense,
                                       .totals = textbook_totals,
                                       .clear = textbook_clear,
                                       .tape = textbook_tape,
                                       .halves = textbook_halves};
