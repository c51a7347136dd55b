/* The linear solver that CVODE is given where rows read hubs. With A = I - gamma f_y, which
 * another solver factors,
 *
 *   W = gamma A^-1 f_h,  C = I - g_h - g_y W,  x = A^-1 b + W C^-1 g_y A^-1 b
 *
 * (Sherman, Morrison and Woodbury), so that a setup costs a solution for each hub, and a solution
 * two products more. f_h, g_y and g_h are lists of partial derivatives. */
#ifdef HY_SUNDIALS

#include "classic_hubs.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sundials/sundials_dense.h>

#define MOST_HUBS    64U
#define MOST_NUMBERS (4U << 20) /* hubs times states */

/* d a / d b, where one of both is a hub: A and B are numbers of members or of hubs. */
typedef struct {
  guint32 a, b, partial;
} Link;

typedef struct {
  SUNLinearSolver inner;
  void *memory;
  const double *partial;
  guint n, hubs;
  GArray *f_h, *g_y, *g_h; /* Link: members by hubs, hubs by members, hubs by hubs */
  double *w;               /* [hubs][n]: gamma A^-1 f_h */
  sunrealtype **c;         /* [hubs][hubs], by columns: I - g_h - g_y w, then its factors */
  sunindextype *pivot;
  double *s; /* [hubs] */
  N_Vector right, left;
} Hubs;

static const Link *hubs_links(const GArray *list, guint *n)
{
  *n = list->len;
  return (const Link *)(gpointer)list->data;
}

/* Solving ------------------------------------------------------------------------------------- */

/* S = g_y X: what the hubs make of the members X alone. */
static void by_members(const Hubs *h, const double *x, double *s)
{
  guint n;
  const Link *l = hubs_links(h->g_y, &n);
  memset(s, 0, h->hubs * sizeof *s);
  for (guint k = 0; k < n; k++) {
    s[l[k].a] += h->partial[l[k].partial] * x[l[k].b];
  }
}

/* W: a solution for each hub. */
static int find_w(const Hubs *h, SUNMatrix matrix, double gamma)
{
  guint n;
  const Link *l = hubs_links(h->f_h, &n);
  for (guint hub = 0; hub < h->hubs; hub++) {
    N_VConst(0.0, h->right);
    for (guint k = 0; k < n; k++) {
      NV_Ith_S(h->right, l[k].a) += l[k].b == hub ? gamma * h->partial[l[k].partial] : 0.0;
    }
    int flag = SUNLinSolSolve(h->inner, matrix, h->left, h->right, 0.0);
    if (flag != 0) {
      return flag;
    }
    memcpy(h->w + (gsize)hub * h->n, NV_DATA_S(h->left), h->n * sizeof *h->w);
  }
  return 0;
}

/* C, and its factors. */
static int find_c(const Hubs *h)
{
  guint n;
  const Link *l = hubs_links(h->g_h, &n);
  for (guint hub = 0; hub < h->hubs; hub++) {
    by_members(h, h->w + (gsize)hub * h->n, h->s);
    for (guint k = 0; k < h->hubs; k++) {
      h->c[hub][k] = (k == hub ? 1.0 : 0.0) - h->s[k];
    }
  }
  for (guint k = 0; k < n; k++) {
    h->c[l[k].b][l[k].a] -= h->partial[l[k].partial];
  }
  sunindextype size = (sunindextype)h->hubs;
  return SUNDlsMat_denseGETRF(h->c, size, size, h->pivot) == 0 ? 0 : 1; /* with a shorter step? */
}

/* Newton's matrix has changed: A is factorised, and W and C follow. 1: not finite, a shorter step
 * may help. */
static int hubs_setup(SUNLinearSolver solver, SUNMatrix matrix)
{
  const Hubs *h = solver->content;
  double gamma = 0.0;
  int flag = SUNLinSolSetup(h->inner, matrix);
  CVodeGetCurrentGamma(h->memory, &gamma);
  flag = flag != 0 ? flag : find_w(h, matrix, gamma);
  flag = flag != 0 ? flag : find_c(h);
  gboolean finite = hy_columns_finite(h->hubs * h->n, h->w) &&
                    hy_columns_finite(h->hubs * h->hubs, h->c[0]); /* its columns follow */
  return flag != 0 ? flag : !finite;
}

/* x = A^-1 b, then W C^-1 g_y x is added. */
static int hubs_solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b,
                      sunrealtype tolerance)
{
  const Hubs *h = solver->content;
  int flag = SUNLinSolSolve(h->inner, matrix, x, b, tolerance);
  if (flag != 0) {
    return flag;
  }
  double *data = NV_DATA_S(x);
  by_members(h, data, h->s);
  SUNDlsMat_denseGETRS(h->c, (sunindextype)h->hubs, h->pivot, h->s);
  for (guint hub = 0; hub < h->hubs; hub++) {
    const double *w = h->w + (gsize)hub * h->n;
    for (guint i = 0; i < h->n; i++) {
      data[i] += w[i] * h->s[hub];
    }
  }
  return 0;
}

/* Life ---------------------------------------------------------------------------------------- */

static void hubs_clear(Hubs *h)
{
  g_array_unref(h->f_h);
  g_array_unref(h->g_y);
  g_array_unref(h->g_h);
  g_free(h->w);
  g_free(h->s);
  if (h->c != NULL) {
    SUNDlsMat_destroyMat(h->c);
    SUNDlsMat_destroyArray(h->pivot);
    N_VDestroy(h->right);
    N_VDestroy(h->left);
  }
  g_free(h);
}

static int hubs_free(SUNLinearSolver solver)
{
  Hubs *h = solver->content;
  SUNLinSolFree(h->inner);
  hubs_clear(h);
  solver->content = NULL;
  SUNLinSolFreeEmpty(solver);
  return SUNLS_SUCCESS;
}

static SUNLinearSolver_Type hubs_type(SUNLinearSolver solver)
{
  (void)solver;
  return SUNLINEARSOLVER_DIRECT;
}

static int hubs_initialize(SUNLinearSolver solver)
{
  return SUNLinSolInitialize(((const Hubs *)solver->content)->inner);
}

static guint32 hub_number(const HyClassic *g, guint slot)
{
  for (guint32 k = 0; k < g->rows.hub->len; k++) {
    if (g_array_index(g->rows.hub, const HyHub *, k)->slot == slot) {
      return k;
    }
  }
  return HY_NO_PLACE;
}

/* The partials that have to do with hubs; all others are in the matrix. */
static void find_links(const HyClassic *g, Hubs *h)
{
  guint n;
  g_autofree HyPartial *partial = hy_classic_entries(g, &n);
  for (guint32 k = 0; k < n; k++) {
    gboolean of_hub = partial[k].row >= g->n;
    guint slot = hy_classic_entry_slot(g, &partial[k]);
    guint32 member = hy_classic_place(g, slot), hub = hub_number(g, slot);
    Link link = {of_hub ? partial[k].row - g->n : partial[k].row, hub, k};
    if (hub != HY_NO_PLACE) {
      g_array_append_val(of_hub ? h->g_h : h->f_h, link);
    } else if (of_hub && member != HY_NO_PLACE) {
      link.b = member;
      g_array_append_val(h->g_y, link);
    }
  }
}

static Hubs *hubs_new(const HyClassic *g)
{
  Hubs *h = g_new0(Hubs, 1);
  *h = (Hubs){.n = g->n,
              .hubs = g->rows.hub->len,
              .f_h = g_array_new(FALSE, FALSE, sizeof(Link)),
              .g_y = g_array_new(FALSE, FALSE, sizeof(Link)),
              .g_h = g_array_new(FALSE, FALSE, sizeof(Link))};
  find_links(g, h);
  return h;
}

static void make_room(Hubs *h, N_Vector like)
{
  sunindextype hubs = (sunindextype)h->hubs;
  h->w = g_new0(double, (gsize)h->hubs * h->n);
  h->s = g_new0(double, h->hubs);
  h->c = SUNDlsMat_newDenseMat(hubs, hubs);
  h->pivot = SUNDlsMat_newIndexArray(hubs);
  h->right = N_VClone(like);
  h->left = N_VClone(like);
}

/* A solver around INNER; INNER itself where there are no hubs, or so many that W would be too
 * large. */
SUNLinearSolver hy_hubs_solver(const HyClassic *g, SUNLinearSolver inner, const double *partial,
                               void *memory, N_Vector like, SUNContext context)
{
  if (inner == NULL || g->rows.hub->len == 0 || g->rows.hub->len > MOST_HUBS ||
      (gsize)g->rows.hub->len * g->n > MOST_NUMBERS) {
    return inner;
  }
  Hubs *h = hubs_new(g);
  SUNLinearSolver solver = h->g_y->len > 0 ? SUNLinSolNewEmpty(context) : NULL;
  if (solver == NULL) {
    hubs_clear(h);
    return inner;
  }
  make_room(h, like);
  h->inner = inner;
  h->memory = memory;
  h->partial = partial;
  solver->content = h;
  solver->ops->gettype = hubs_type;
  solver->ops->initialize = hubs_initialize;
  solver->ops->setup = hubs_setup;
  solver->ops->solve = hubs_solve;
  solver->ops->free = hubs_free;
  return solver;
}

#endif
