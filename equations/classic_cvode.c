/* A group as CVODE of SUNDIALS sees it: BDF with Newton's method and the exact Jacobian, dense for
 * few states and sparse (KLU) for many; Adams with functional iteration. Hubs are left out of the
 * Jacobian, which costs iterations and no accuracy. */
#include "classic_internal.h"

#ifdef HY_SUNDIALS

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#define FEW 30 /* states: the Jacobian is dense */

/* A partial derivative, and its place in the data of the matrix. */
typedef struct {
  guint32 slot;   /* of the row; HY_NO_PLACE: a diagonal that is 0 */
  guint32 column; /* the member there */
  gsize place;
} Entry;

typedef struct {
  SUNContext context;
  N_Vector z, dense;
  void *memory;
  SUNMatrix jacobian;
  SUNLinearSolver linear;
  SUNNonlinearSolver fixed_point;
  guint32 *first; /* [n + 1] */
  Entry *entry;
  sunindextype *column, *row; /* of the sparse matrix: its pattern */
} Cvode;

/* Jacobian ------------------------------------------------------------------------------------ */

/* The diagonal is always there, for CVODE adds to it. */
static void find_entries(const HyClassic *g, Cvode *c)
{
  GArray *entries = g_array_new(FALSE, FALSE, sizeof(Entry));
  c->first = g_new(guint32, (gsize)g->n + 1);
  for (guint32 i = 0; i < g->n; i++) {
    const HyRunRow *r = &g->room->run[hy_classic_row(g, i)];
    gboolean diagonal = FALSE;
    c->first[i] = entries->len;
    for (guint32 k = 0; k < r->n_slots; k++) {
      guint32 j = hy_classic_place(g, r->slot[k]);
      Entry e = {k, j, (gsize)j * g->n + i};
      diagonal |= j == i;
      if (j != HY_NO_PLACE) {
        g_array_append_val(entries, e);
      }
    }
    Entry zero = {HY_NO_PLACE, i, (gsize)i * g->n + i};
    if (!diagonal) {
      g_array_append_val(entries, zero);
    }
  }
  c->first[g->n] = entries->len;
  c->entry = (Entry *)(gpointer)g_array_free(entries, FALSE);
}

/* Columns one after the other, rows ascending in each. */
static void find_pattern(const HyClassic *g, Cvode *c)
{
  guint32 n = c->first[g->n];
  c->column = g_new0(sunindextype, (gsize)g->n + 2);
  c->row = g_new0(sunindextype, (gsize)n + 1);
  for (guint32 k = 0; k < n; k++) {
    c->column[c->entry[k].column + 2]++;
  }
  for (guint j = 0; j < g->n; j++) {
    c->column[j + 2] += c->column[j + 1];
  }
  for (guint32 i = 0; i < g->n; i++) {
    for (guint32 k = c->first[i]; k < c->first[i + 1]; k++) {
      sunindextype at = c->column[c->entry[k].column + 1]++;
      c->row[at] = (sunindextype)i;
      c->entry[k].place = (gsize)at;
    }
  }
}

static int jacobian(sunrealtype t, N_Vector z, N_Vector dz, SUNMatrix m, void *user, N_Vector a,
                    N_Vector b, N_Vector d)
{
  (void)dz, (void)a, (void)b, (void)d;
  HyClassic *g = user;
  const Cvode *c = g->method_state;
  sunrealtype *data = g->n <= FEW ? SUNDenseMatrix_Data(m) : SUNSparseMatrix_Data(m);
  if (g->n > FEW) { /* CVODE clears the pattern, too */
    memcpy(SUNSparseMatrix_IndexPointers(m), c->column, (g->n + 1) * sizeof *c->column);
    memcpy(SUNSparseMatrix_IndexValues(m), c->row, c->first[g->n] * sizeof *c->row);
  }
  hy_classic_set(g, t, NV_DATA_S(z));
  double sum = 0.0;
  for (guint32 i = 0; i < g->n; i++) {
    const double *partial = hy_classic_gradient(g, i);
    for (guint32 k = c->first[i]; k < c->first[i + 1]; k++) {
      const Entry *e = &c->entry[k];
      data[e->place] = e->slot != HY_NO_PLACE ? partial[e->slot] : 0.0;
      sum += data[e->place] - data[e->place];
    }
  }
  return sum == 0.0 ? 0 : 1; /* 1: with a shorter step, perhaps */
}

/* What CVODE asks ----------------------------------------------------------------------------- */

static int rhs(sunrealtype t, N_Vector z, N_Vector dz, void *user)
{
  return hy_classic_rhs(user, t, NV_DATA_S(z), NV_DATA_S(dz)) ? 0 : 1;
}

static int weights(N_Vector z, N_Vector w, void *user)
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

static const char *cause(int code)
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
static int stay(SUNLinearSolver linear)
{
  (void)linear;
  return SUNLS_SUCCESS;
}

/* Life ---------------------------------------------------------------------------------------- */

static gboolean make_newton(const HyClassic *g, Cvode *c)
{
  sunindextype n = (sunindextype)g->n;
  find_entries(g, c);
  if (g->n <= FEW) {
    c->jacobian = SUNDenseMatrix(n, n, c->context);
    c->linear = SUNLinSol_Dense(c->z, c->jacobian, c->context);
  } else {
    find_pattern(g, c);
    c->jacobian = SUNSparseMatrix(n, n, (sunindextype)c->first[g->n], CSC_MAT, c->context);
    c->linear = SUNLinSol_KLU(c->z, c->jacobian, c->context);
  }
  return c->linear != NULL && CVodeSetLinearSolver(c->memory, c->linear, c->jacobian) == 0 &&
         CVodeSetJacFn(c->memory, jacobian) == 0;
}

static gboolean make(HyClassic *g, double t)
{
  Cvode *c = g_new0(Cvode, 1);
  g->method_state = c;
  if (SUNContext_Create(NULL, &c->context) != 0) {
    return FALSE;
  }
  c->z = N_VNew_Serial((sunindextype)g->n, c->context);
  c->dense = N_VNew_Serial((sunindextype)g->n, c->context);
  gboolean bdf = g->stepper == &hy_classic_cvode_bdf;
  c->memory = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, c->context);
  memcpy(NV_DATA_S(c->z), g->z, g->n * sizeof *g->z);
  if (c->memory == NULL || CVodeSetErrHandlerFn(c->memory, be_silent, NULL) != 0 ||
      CVodeInit(c->memory, rhs, t, c->z) != 0 || CVodeSetUserData(c->memory, g) != 0 ||
      CVodeWFtolerances(c->memory, weights) != 0) {
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

static void add_counts(const Cvode *c, HyClassicTotals *totals)
{
  long steps = 0, evaluations = 0, setups = 0, failures = 0, newton = 0, jacobians = 0;
  int q, q_next;
  double h0, h, h_next, t;
  CVodeGetIntegratorStats(c->memory, &steps, &evaluations, &setups, &failures, &q, &q_next, &h0, &h,
                          &h_next, &t);
  CVodeGetNumNonlinSolvIters(c->memory, &newton);
  if (c->linear != NULL) {
    CVodeGetNumJacEvals(c->memory, &jacobians);
  }
  totals->steps += (guint64)steps;
  totals->evaluations += (guint64)evaluations;
  totals->jacobians += (guint64)jacobians;
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
    return make(g, t) ? NULL : "CVODE cannot be started";
  }
  add_counts(c, &g->totals); /* CVODE begins to count anew */
  memcpy(NV_DATA_S(c->z), g->z, g->n * sizeof *g->z);
  int code = CVodeReInit(c->memory, t, c->z);
  return code < 0 ? cause(code) : NULL;
}

/* The instant that CVODE is told bounds its first step only: to a tenth of it. */
static const char *cvode_step(HyClassic *g)
{
  Cvode *c = g->method_state;
  double t = g->t1;
  int code = CVode(c->memory, g->t1 + fmax(1.0, fabs(g->t1)), c->z, &t, CV_ONE_STEP);
  g->t0 = g->t1;
  g->t1 = t;
  if (c->column != NULL) {
    c->linear->ops->initialize = stay;
  }
  memcpy(g->z, NV_DATA_S(c->z), g->n * sizeof *g->z);
  return code < 0 ? cause(code) : t > g->t0 ? NULL : cause(CV_TOO_CLOSE);
}

static void cvode_dense(HyClassic *g, double t, int order, double *z)
{
  Cvode *c = g->method_state;
  CVodeGetDky(c->memory, t, order, c->dense);
  memcpy(z, NV_DATA_S(c->dense), g->n * sizeof *z);
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
  SUNContext_Free(&c->context);
  g_free(c->first);
  g_free(c->entry);
  g_free(c->column);
  g_free(c->row);
  g_free(c);
}

const HyStepper hy_classic_cvode_bdf = {cvode_start, cvode_step, cvode_dense, cvode_totals,
                                        cvode_clear};
const HyStepper hy_classic_cvode_adams = {cvode_start, cvode_step, cvode_dense, cvode_totals,
                                          cvode_clear};

#else

const HyStepper hy_classic_cvode_bdf = {NULL, NULL, NULL, NULL, NULL};
const HyStepper hy_classic_cvode_adams = {NULL, NULL, NULL, NULL, NULL};

#endif
