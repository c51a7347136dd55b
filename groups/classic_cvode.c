/* A group as CVODE of SUNDIALS sees it: BDF with Newton's method and the exact Jacobian, dense for
 * few states and sparse (KLU) for many; Adams with functional iteration (A. Hindmarsh and others:
 * SUNDIALS, Suite of nonlinear and differential/algebraic equation solvers).
 *
 * Newton's matrix is I - gamma df/dy. Its pattern never changes: `entry` says for each partial
 * derivative of a row where it stands in the data of the matrix, columns one after the other. Hubs,
 * which would fill it, are left out and added behind it (classic_hubs.h).
 *
 * CVODE's time begins at 0 where the group has started, since its first steps may be shorter than
 * the last digit of t. It is asked for one step at a time and chooses its end; between the ends of
 * the last step its polynomial (Nordsieck's, CVodeGetDky) is exact to its order. Weights are the
 * tolerance of each member, 1 / (reltol |y| + abstol). */
#include "base/tape.h"
#include "classic_internal.h"
#include "equations/members.h"
#include "groups.h"

#ifdef HY_SUNDIALS

#include "classic_hubs.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#define FEW 30 /* states: the Jacobian is dense */
#define CLOSE                                                                                      \
  1e-12              /* of an instant: too near to it for a step; of a tolerance: what is balanced \
                      */
#define BALANCE  6   /* iterations at most */
#define SLOWEST  0.5 /* what one of them adds, of what the last one has added */
#define FARTHEST 100.0 /* tolerances that the first one may add */
#define OWN      0.5   /* of what its equation alone makes of a state: less is for what is stiff */
#define STEEP    10.0  /* gamma df/dy: an iteration stops at a tenth of a tolerance */
#define HALF     0.5   /* of a partial: one that falls so far beside z holds at z alone */
#define CUTS     40    /* of one step, each to a tenth at least; CVODE alone gives up at 7 */

/* A partial derivative, and its place in the data of the matrix. */
typedef struct {
  guint32 row, column; /* members */
  guint32 partial;     /* of those that hy_classic_partials() computes */
  gsize place;
} Entry;

typedef struct {
  SUNContext context;
  N_Vector z, dense, right, more; /* of the state, and working memory */
  void *memory;
  double origin;   /* where CVODE's time is 0: its first steps may be shorter than a digit of t */
  double from, to; /* of its last step, in its time */
  double stop;     /* no step goes beyond it; INFINITY: any may */
  SUNMatrix jacobian;
  SUNLinearSolver linear, eliminates; /* what CVODE has; the one of the matrix, which it may be */
  SUNNonlinearSolver fixed_point;
  Entry *entry; /* [n_entries] */
  guint n_entries;
  guint8 *slow;             /* [n] working memory */
  double *partial, *beside; /* [n_partials] at z, and beside it */
  guint n_partials;
  sunindextype *column, *row; /* of the sparse matrix: its pattern */
} Cvode;

/* Jacobian ------------------------------------------------------------------------------------ */

static void find_entries(const HyClassic *g, Cvode *c)
{
  guint n;
  g_autofree HyPartial *partial = hy_classic_entries(g, &n);
  c->n_partials = n;
  c->partial = g_new0(double, (gsize)n + 1);
  c->slow = g_new0(guint8, (gsize)g->n + 1);
  c->beside = g_new0(double, (gsize)n + 1);
  c->entry = g_new0(Entry, (gsize)n + 1);
  for (guint32 k = 0; k < n; k++) {
    guint32 i = partial[k].row;
    guint32 j = hy_classic_place(g, hy_classic_entry_slot(g, &partial[k]));
    if (i < g->n && j != HY_NO_PLACE) {
      c->entry[c->n_entries++] = (Entry){i, j, k, (gsize)j * g->n + i};
    }
  }
}

/* How many are in each column, COLUMN[j + 2], the diagonal among them. */
static void count_columns(const HyClassic *g, const Cvode *c, guint8 *diagonal)
{
  for (guint k = 0; k < c->n_entries; k++) {
    c->column[c->entry[k].column + 2]++;
    diagonal[c->entry[k].row] |= c->entry[k].row == c->entry[k].column;
  }
  for (guint j = 0; j < g->n; j++) {
    c->column[j + 2] += !diagonal[j];
  }
}

static HyLists entries_by_row(const HyClassic *g, const Cvode *c)
{
  HyListMaker make;
  hy_list_maker_init(&make, g->n);
  for (int pass = 0; pass < 2; pass++) {
    for (guint32 k = 0; k < c->n_entries; k++) {
      hy_list_maker_put(&make, pass, c->entry[k].row, k);
    }
    hy_list_maker_turn(&make, pass);
  }
  return make.lists;
}

static gsize next_place(const Cvode *c, guint32 column, guint32 row)
{
  sunindextype at = c->column[column + 1]++;
  c->row[at] = (sunindextype)row;
  return (gsize)at;
}

/* Columns one after the other, rows ascending in each. The diagonal is always there, for CVODE adds
 * to it. */
static void find_pattern(const HyClassic *g, Cvode *c)
{
  g_autofree guint8 *diagonal = g_new0(guint8, (gsize)g->n + 1);
  c->column = g_new0(sunindextype, (gsize)g->n + 2);
  c->row = g_new0(sunindextype, (gsize)c->n_entries + g->n + 1);
  count_columns(g, c, diagonal);
  for (guint j = 0; j < g->n; j++) {
    c->column[j + 2] += c->column[j + 1];
  }
  HyLists of_row = entries_by_row(g, c);
  for (guint32 i = 0; i < g->n; i++) {
    for (guint32 k = of_row.first[i]; k < of_row.first[i + 1]; k++) {
      Entry *e = &c->entry[of_row.item[k]];
      e->place = next_place(c, e->column, i);
    }
    if (!diagonal[i]) {
      next_place(c, i, i);
    }
  }
  hy_lists_clear(&of_row);
}

/* The iteration makes little of what it sees of PARTIAL: gamma a, of one of them. */
static gboolean is_steep(double partial, double gamma)
{
  return !(fabs(gamma * partial) <= STEEP);
}

static gboolean any_is_steep(const Cvode *c, double gamma)
{
  const Entry *e = c->entry, *end = e + c->n_entries;
  while (e < end && !is_steep(c->partial[e->partial], gamma)) {
    e++;
  }
  return e < end;
}

static gboolean are_finite(const Cvode *c, const double *partial)
{
  const Entry *e = c->entry, *end = e + c->n_entries;
  while (e < end && isfinite(partial[e->partial])) {
    e++;
  }
  return e == end;
}

/* What is steep at z is not so beside it. */
static gboolean any_falls(const Cvode *c, double gamma)
{
  gboolean any = FALSE;
  for (const Entry *e = c->entry; e < c->entry + c->n_entries && !any; e++) {
    double at = c->partial[e->partial], by = c->beside[e->partial];
    any = is_steep(at, gamma) && !(fabs(by) >= HALF * fabs(at));
  }
  return any;
}

/* Where partials are steep they are looked at beside z, too; and taken from there if they hold for
 * no other z. */
static void look_beside(HyClassic *g, double t, const double *z, double *y)
{
  Cvode *c = g->method_state;
  double gamma = 0.0;
  CVodeGetCurrentGamma(c->memory, &gamma);
  gboolean done = !any_is_steep(c, gamma);
  for (int side = 1; side >= -1 && !done; side -= 2) {
    hy_classic_beside(g, z, side, y);
    hy_classic_partials(g, t, y, c->beside);
    done = are_finite(c, c->beside);
    if (done && any_falls(c, gamma)) {
      memcpy(c->partial, c->beside, c->n_partials * sizeof *c->partial);
    }
  }
}

static int cvode_jacobian(sunrealtype t, N_Vector z, N_Vector dz, SUNMatrix m, void *user,
                          N_Vector a, N_Vector b, N_Vector d)
{
  (void)dz, (void)b, (void)d;
  HyClassic *g = user;
  double *x = NV_DATA_S(z), *y = NV_DATA_S(a);
  const Cvode *c = g->method_state;
  gboolean dense = g->n <= FEW;
  sunrealtype *data = dense ? SUNDenseMatrix_Data(m) : SUNSparseMatrix_Data(m);
  if (!dense) { /* CVODE clears the pattern, too */
    memcpy(SUNSparseMatrix_IndexPointers(m), c->column, (g->n + 1) * sizeof *c->column);
    memcpy(SUNSparseMatrix_IndexValues(m), c->row, (gsize)c->column[g->n] * sizeof *c->row);
  }
  g->totals.jacobians++;
  hy_classic_partials(g, c->origin + t, x, c->partial);
  look_beside(g, c->origin + t, x, y);
  for (const Entry *e = c->entry; e < c->entry + c->n_entries; e++) {
    data[e->place] = c->partial[e->partial];
  }
  return are_finite(c, c->partial) ? 0 : 1; /* 1: with a shorter step, perhaps */
}

/* What CVODE asks ----------------------------------------------------------------------------- */

static int cvode_rhs(sunrealtype t, N_Vector z, N_Vector dz, void *user)
{
  HyClassic *g = user;
  const Cvode *c = g->method_state;
  g->totals.evaluations++;
  return hy_classic_rhs(g, c->origin + t, NV_DATA_S(z), NV_DATA_S(dz)) ? 0 : 1;
}

static int cvode_weights(N_Vector z, N_Vector w, void *user)
{
  const HyClassic *g = user;
  for (guint i = 0; i < g->n; i++) {
    NV_Ith_S(w, i) = 1.0 / hy_classic_tolerance(g, i, NV_Ith_S(z, i));
  }
  return 0;
}

/* What is wrong comes back as a number, too. */
static void be_silent(int code, const char *module, const char *function, char *text, void *user)
{
  (void)code, (void)module, (void)function, (void)text, (void)user;
}

static const char *cvode_cause(int code)
{
  static const struct {
    int code;
    const char *text;
  } causes[] = {
      {CV_TOO_MUCH_ACC, "the tolerance is below the rounding of numbers"},
      {CV_ERR_FAILURE, "the error test fails at the shortest step"},
      {CV_CONV_FAILURE, "Newton's iteration does not converge at the shortest step"},
      {CV_LSETUP_FAIL, "its Jacobian cannot be had"},
      {CV_LSOLVE_FAIL, "its linear system cannot be solved"},
      {CV_FIRST_RHSFUNC_ERR, "a derivative is not finite"},
      {CV_REPTD_RHSFUNC_ERR, "a derivative is not finite, however short the step is"},
      {CV_UNREC_RHSFUNC_ERR, "a derivative is not finite"},
      {CV_TOO_CLOSE, "the instants of two steps cannot be told apart"},
      {CV_ILL_INPUT, "the start is not finite"},
      {CV_MEM_FAIL, "there is not enough memory"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(causes); k++) {
    if (causes[k].code == code) {
      return causes[k].text;
    }
  }
  return "CVODE has failed";
}

/* The pattern never changes, so the order of elimination that KLU has found holds after a restart,
 * where CVODE would make it look again. */
static int cvode_stay(SUNLinearSolver linear)
{
  (void)linear;
  return SUNLS_SUCCESS;
}

/* Life ---------------------------------------------------------------------------------------- */

/* Newton's iteration with the exact Jacobian: a dense matrix for few states, else a sparse one
 * with the pattern of the rows; hubs beside it. */
static gboolean make_newton(const HyClassic *g, Cvode *c)
{
  sunindextype n = (sunindextype)g->n;
  find_entries(g, c);
  if (g->n <= FEW) {
    c->jacobian = SUNDenseMatrix(n, n, c->context);
    c->eliminates = SUNLinSol_Dense(c->z, c->jacobian, c->context);
  } else {
    find_pattern(g, c);
    c->jacobian = SUNSparseMatrix(n, n, c->column[g->n], CSC_MAT, c->context);
    c->eliminates = SUNLinSol_KLU(c->z, c->jacobian, c->context);
  }
  c->linear = hy_hubs_solver(g, c->eliminates, c->partial, c->memory, c->z, c->context);
  return c->linear != NULL && CVodeSetLinearSolver(c->memory, c->linear, c->jacobian) == 0 &&
         CVodeSetJacFn(c->memory, cvode_jacobian) == 0;
}

/* CVODE keeps its memory to itself. */
static void cvode_tape(HyClassic *g, HyTape *tape)
{
  const HyFlat *flat = g->room->diagram.flat;
  guint first = hy_room_state(g->room, g->state[0])->atomic;
  g_autofree char *path = hy_model_path(hy_flat_model(flat, first), hy_flat_component(flat, first));
  if (tape->keeps) {
    return; /* no file changes it */
  }
  hy_tape_refuse(tape, "the group of %s is integrated by %s, which cannot be copied", path,
                 g->method->name);
}

static gboolean cvode_make(HyClassic *g, double t)
{
  Cvode *c = g_new0(Cvode, 1);
  c->origin = t;
  c->stop = INFINITY;
  g->method_state = c;
  if (SUNContext_Create(NULL, &c->context) != 0) {
    return FALSE;
  }
  c->z = N_VNew_Serial((sunindextype)g->n, c->context);
  c->dense = N_VNew_Serial((sunindextype)g->n, c->context);
  c->right = N_VNew_Serial((sunindextype)g->n, c->context);
  c->more = N_VNew_Serial((sunindextype)g->n, c->context);
  gboolean bdf = g->method->stiff;
  c->memory = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, c->context);
  memcpy(NV_DATA_S(c->z), g->z, g->n * sizeof *g->z);
  if (c->memory == NULL || CVodeSetErrHandlerFn(c->memory, be_silent, NULL) != 0 ||
      CVodeInit(c->memory, cvode_rhs, 0.0, c->z) != 0 || CVodeSetUserData(c->memory, g) != 0 ||
      CVodeWFtolerances(c->memory, cvode_weights) != 0 ||
      CVodeSetMaxErrTestFails(c->memory, CUTS) != 0) {
    return FALSE;
  }
  double longest = hy_classic_member(g, 0)->set->hstep;
  if (longest > 0.0 && CVodeSetMaxStep(c->memory, longest) != 0) {
    return FALSE;
  }
  if (bdf) {
    return make_newton(g, c);
  }
  c->fixed_point = SUNNonlinSol_FixedPoint(c->z, 0, c->context);
  return CVodeSetNonlinearSolver(c->memory, c->fixed_point) == 0;
}

/* CVODE counts these from its last start on; what was before has been added. */
static void add_counts(const Cvode *c, HyClassicTotals *totals)
{
  long failures = 0, newton = 0;
  CVodeGetNumErrTestFails(c->memory, &failures);
  CVodeGetNumNonlinSolvIters(c->memory, &newton);
  totals->newton += (guint64)newton;
  totals->failures += (guint64)failures;
}

static void cvode_totals(const HyClassic *g, HyClassicTotals *totals)
{
  const Cvode *c = g->method_state;
  if (c != NULL && c->memory != NULL) {
    add_counts(c, totals);
  }
}

static const char *cvode_start(HyClassic *g, double t)
{
  Cvode *c = g->method_state;
  g->t0 = g->t1 = t;
  if (c == NULL) {
    return cvode_make(g, t) ? NULL : "CVODE cannot be started";
  }
  add_counts(c, &g->totals); /* CVODE begins to count anew */
  memcpy(NV_DATA_S(c->z), g->z, g->n * sizeof *g->z);
  c->origin = t;
  c->from = c->to = 0.0;
  int code = CVodeReInit(c->memory, 0.0, c->z);
  return code < 0 ? cvode_cause(code) : NULL;
}

#define MOST 1000 /* steps at one instant */

/* CVODE is told where f jumps next: it ends a step there, and its first step is bounded to a tenth
 * of the way. Returns the instant, in its time. */
static double tell_stop(Cvode *c, double jump)
{
  double stop = jump - c->origin;
  stop = stop - c->to > CLOSE * stop ? stop : INFINITY;
  if (stop != c->stop) {
    CVodeSetStopTime(c->memory, stop);
    c->stop = stop;
  }
  return stop;
}

static const char *cvode_step(HyClassic *g)
{
  Cvode *c = g->method_state;
  g->t0 = g->t1;
  int code = CV_SUCCESS;
  double jump = hy_classic_next_jump(g, g->t1), stop = tell_stop(c, jump);
  for (int k = 0; k < MOST && code >= 0 && !(g->t1 > g->t0); k++) {
    double t = c->to;
    code = CVode(c->memory, fmin(t + fmax(1.0, fabs(g->t1)), stop), c->z, &t, CV_ONE_STEP);
    code = code >= 0 && !(t > c->to) ? CV_TOO_CLOSE : code;
    g->totals.steps += t > c->to;
    c->from = c->to;
    c->to = t;
    g->t1 = code == CV_TSTOP_RETURN ? jump : c->origin + t;
  }
  c->stop = code == CV_TSTOP_RETURN ? INFINITY : c->stop; /* CVODE forgets it then */
  if (c->column != NULL) {
    c->eliminates->ops->initialize = cvode_stay;
  }
  memcpy(g->z, NV_DATA_S(c->z), g->n * sizeof *g->z);
  return code < 0 ? cvode_cause(code) : g->t1 > g->t0 ? NULL : cvode_cause(CV_TOO_CLOSE);
}

static void cvode_dense(HyClassic *g, double t, int order, double *z)
{
  Cvode *c = g->method_state;
  CVodeGetDky(c->memory, CLAMP(t - c->origin, c->from, c->to), order, c->dense);
  memcpy(z, NV_DATA_S(c->dense), g->n * sizeof *z);
}

/* One step of Newton's iteration for z - gamma f(t, z) = RIGHT, by the matrix that stands: what is
 * added to Z, in tolerances; INFINITY: nothing. */
static double balance_moves(HyClassic *g, Cvode *c, double t, double gamma, double *z)
{
  double *r = NV_DATA_S(c->more), *d = NV_DATA_S(c->dense), size = 0.0;
  g->totals.evaluations++;
  if (!hy_classic_rhs(g, t, z, r)) {
    return INFINITY;
  }
  for (guint i = 0; i < g->n; i++) {
    r[i] = NV_Ith_S(c->right, i) - z[i] + gamma * r[i];
  }
  if (SUNLinSolSolve(c->linear, c->jacobian, c->dense, c->more, 0.0) != 0) {
    return INFINITY;
  }
  for (guint i = 0; i < g->n; i++) {
    size = fmax(size, fabs(d[i]) / hy_classic_tolerance(g, i, z[i]));
  }
  return isfinite(size) ? size : INFINITY;
}

/* Z as it has been looked at moves, to a balance; at START, where the method has begun anew, what
 * is slow stays: there p' is that of a first step, which no more than the tolerance knows, and a
 * state is where it is. Slow is what moves as its equation says that it would alone, by what stands
 * in MORE; of what is stiff the others, or itself, take most of that back. FIRST: so it is told. */
static void balance_take(const HyClassic *g, Cvode *c, double *z, gboolean start, gboolean first)
{
  const double *d = NV_DATA_S(c->dense), *alone = NV_DATA_S(c->more);
  for (guint i = 0; i < g->n; i++) {
    c->slow[i] = first ? start && fabs(d[i]) >= OWN * fabs(alone[i]) : c->slow[i];
    z[i] += c->slow[i] ? 0.0 : d[i];
  }
}

/* With p, the polynomial of the step: z - gamma f(t, z) = p - gamma p', as at the end of a step,
 * gamma being that of the last one. What is slow stays what it is in p; what is stiff comes to
 * where f is p', so that it is wrong by the error of p' in time constants. */
static void cvode_balance(HyClassic *g, double t, double *z)
{
  Cvode *c = g->method_state;
  double gamma = 0.0, before = FARTHEST;
  gboolean start = c->from == 0.0 && t <= c->origin;
  long setups = 0;
  cvode_dense(g, t, 1, NV_DATA_S(c->right));
  cvode_dense(g, t, 0, z);
  CVodeGetCurrentGamma(c->memory, &gamma);
  CVodeGetNumLinSolvSetups(c->memory, &setups);
  if (c->linear == NULL || setups == 0) {
    return;
  }
  for (guint i = 0; i < g->n; i++) {
    NV_Ith_S(c->right, i) = z[i] - gamma * NV_Ith_S(c->right, i);
  }
  for (int k = 0; k < BALANCE && before > CLOSE; k++) {
    double size = balance_moves(g, c, t, gamma, z);
    if (!(size < before)) {
      return;
    }
    balance_take(g, c, z, start, k == 0);
    before = SLOWEST * size;
  }
}

static const char *cvode_finish(HyClassic *g, double t)
{
  cvode_dense(g, t, 0, g->z);
  return NULL;
}

static void cvode_clear(HyClassic *g)
{
  Cvode *c = g->method_state;
  if (c == NULL) {
    return;
  }
  CVodeFree(&c->memory);
  SUNLinSolFree(c->linear);
  SUNNonlinSolFree(c->fixed_point);
  SUNMatDestroy(c->jacobian);
  N_VDestroy(c->z);
  N_VDestroy(c->dense);
  N_VDestroy(c->right);
  N_VDestroy(c->more);
  SUNContext_Free(&c->context);
  g_free(c->entry);
  g_free(c->partial);
  g_free(c->slow);
  g_free(c->beside);
  g_free(c->column);
  g_free(c->row);
  g_free(c);
}

const HyStepper hy_classic_cvode = {.leans = TRUE,
                                    .start = cvode_start,
                                    .step = cvode_step,
                                    .finish = cvode_finish,
                                    .dense = cvode_dense,
                                    .balance = cvode_balance,
                                    .totals = cvode_totals,
                                    .clear = cvode_clear,
                                    .tape = cvode_tape};

char *hy_groups_solver(void)
{
  char version[32];
  return SUNDIALSGetVersion(version, sizeof version) == 0 ? g_strdup(version) : NULL;
}

#else

char *hy_groups_solver(void)
{
  return NULL;
}

const HyStepper hy_classic_cvode = {.step = NULL}; /* hy_group_refuses() */

#endif
