#include "by_hand.h"
#include "exact.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

#define MOST_STEPS 3000000
/* Keeps a current that starts from 0 off its root. */
#define OFF_THE_ROOT 1e-9

/* A relay that slides chatters: by hand it gets a band as wide as the tolerances of the states make
 * of what it looks at. */

/* A field in doubles. */
typedef struct {
  int watches;
  double rate[MOST_STATES][MOST_WIDTH];
  struct {
    double value[MOST_WIDTH];
    int sign, diode, relay;
    RelayMode then;
  } watch[MOST_WATCHES];
} Rows;

typedef struct {
  const Circuit *c;
  Modes modes;
  Rows rows;
  int width;
  double origin; /* of CVODE's time: the last event */
  gint64 edge;   /* the next one, in ticks */
  SUNContext context;
  N_Vector x, sample;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  void *cvode;
  double since, rtol, atol;
  ByHand cost;
} Run;

static double ticks_to_time(const Circuit *c, gint64 ticks)
{
  return (double)((Real)ticks * c->stop / TICKS);
}

static gboolean take_rows(Run *r)
{
  g_autofree Field *f = g_new0(Field, 1);
  if (!field_init(f, r->c, &r->modes)) {
    return FALSE;
  }
  for (int i = 0; i < r->c->states; i++) {
    for (int j = 0; j < r->width; j++) {
      r->rows.rate[i][j] = (double)f->rate[i][j];
    }
  }
  r->rows.watches = f->watches;
  for (int k = 0; k < f->watches; k++) {
    const Watch *w = &f->watch[k];
    for (int j = 0; j < r->width; j++) {
      r->rows.watch[k].value[j] = (double)w->value[j];
    }
    r->rows.watch[k].sign = w->sign;
    r->rows.watch[k].diode = w->diode;
    r->rows.watch[k].relay = w->relay;
    r->rows.watch[k].then = w->then;
  }
  return TRUE;
}

/* All columns of a form at a time since the last event. */
static void columns(const Run *r, double since, N_Vector x, double *v)
{
  const Circuit *c = r->c;
  memcpy(v, N_VGetArrayPointer(x), (gsize)c->states * sizeof *v);
  for (int k = 0; k < c->sines; k++) {
    const Sine *s = &c->sine[k];
    double angle = 2 * M_PI * s->frequency * (r->origin + since) + s->phase;
    v[form_sine(c, k)] = s->amplitude * sin(angle);
    v[form_sine(c, k) + 1] = s->amplitude * cos(angle);
  }
  v[form_one(c)] = 1;
}

static double dot(const double *row, const double *v, int n)
{
  double out = 0;
  for (int k = 0; k < n; k++) {
    out += row[k] != 0 ? row[k] * v[k] : 0;
  }
  return out;
}

static int right_side(double t, N_Vector x, N_Vector dx, void *data)
{
  const Run *r = data;
  double v[MOST_WIDTH];
  columns(r, t, x, v);
  for (int i = 0; i < r->c->states; i++) {
    NV_Ith_S(dx, i) = dot(r->rows.rate[i], v, r->width);
  }
  return 0;
}

static int jacobian(double t, N_Vector x, N_Vector dx, SUNMatrix m, void *data, N_Vector a,
                    N_Vector b, N_Vector c)
{
  (void)t, (void)x, (void)dx, (void)a, (void)b, (void)c;
  const Run *r = data;
  for (int i = 0; i < r->c->states; i++) {
    for (int j = 0; j < r->c->states; j++) {
      SM_ELEMENT_D(m, i, j) = r->rows.rate[i][j];
    }
  }
  return 0;
}

static double band(const Run *r, int k, const double *v)
{
  double sum = OFF_THE_ROOT;
  int relay = r->rows.watch[k].relay;
  for (int j = 0; relay >= 0 && relay_slides(&r->c->relay[relay]) && j < r->c->states; j++) {
    sum += fabs(r->rows.watch[k].value[j]) * (r->rtol * fabs(v[j]) + r->atol);
  }
  return sum;
}

/* At least 0 while watch K fits. */
static double fits(const Run *r, int k, const double *v)
{
  return r->rows.watch[k].sign * dot(r->rows.watch[k].value, v, r->width) + band(r, k, v);
}

static int roots(double t, N_Vector x, double *out, void *data)
{
  const Run *r = data;
  double v[MOST_WIDTH];
  columns(r, t, x, v);
  for (int k = 0; k < r->rows.watches; k++) {
    out[k] = fits(r, k, v);
  }
  return 0;
}

/* Modes ------------------------------------------------------------------------------------------
 */

static void toggle(Run *r, int k)
{
  if (r->rows.watch[k].diode >= 0) {
    r->modes.diode[r->rows.watch[k].diode] ^= 1;
  } else {
    r->modes.relay[r->rows.watch[k].relay] = (guint8)r->rows.watch[k].then;
  }
  r->cost.toggles++;
}

/* What was found toggles, then the first that is wrong until none is; CVODE starts anew. */
static gboolean settle(Run *r, const int *found)
{
  double v[MOST_WIDTH];
  for (int k = 0; found != NULL && k < r->rows.watches; k++) {
    if (found[k] != 0) {
      toggle(r, k);
    }
  }
  gboolean wrong = TRUE;
  for (int tries = 0; wrong && tries < 100; tries++) {
    if (!take_rows(r)) {
      return FALSE;
    }
    wrong = FALSE;
    columns(r, r->since, r->x, v);
    for (int k = 0; k < r->rows.watches && !wrong; k++) {
      if (fits(r, k, v) < 0) {
        toggle(r, k);
        wrong = TRUE;
      }
    }
  }
  r->origin += r->since;
  r->since = 0;
  long steps = 0;
  CVodeGetNumSteps(r->cvode, &steps);
  r->cost.steps += steps;
  return CVodeReInit(r->cvode, 0, r->x) >= 0 &&
         CVodeSetStopTime(r->cvode, ticks_to_time(r->c, r->edge) - r->origin) >= 0;
}

static gboolean pass_edge(Run *r)
{
  r->origin = ticks_to_time(r->c, r->edge);
  r->since = 0;
  gates_set(r->c, r->edge, &r->modes);
  r->edge = gates_next(r->c, r->edge);
  return settle(r, NULL);
}

/* ------------------------------------------------------------------------------------------------
 */

static gboolean start(Run *r, double rtol, double atol)
{
  int n = r->c->states, watches = 0;
  if (SUNContext_Create(NULL, &r->context) != 0) {
    return FALSE;
  }
  r->width = form_width(r->c);
  r->x = N_VNew_Serial(n, r->context);
  r->sample = N_VNew_Serial(n, r->context);
  for (int k = 0; k < n; k++) {
    NV_Ith_S(r->x, k) = r->c->state[k].x0;
  }
  r->cvode = CVodeCreate(CV_BDF, r->context);
  r->matrix = SUNDenseMatrix(n, n, r->context);
  r->solver = SUNLinSol_Dense(r->x, r->matrix, r->context);
  watches = r->c->diodes + r->c->relays;
  gates_set(r->c, 0, &r->modes);
  r->edge = gates_next(r->c, 0);
  return CVodeInit(r->cvode, right_side, 0, r->x) >= 0 &&
         CVodeSStolerances(r->cvode, rtol, atol) >= 0 && CVodeSetUserData(r->cvode, r) >= 0 &&
         CVodeSetLinearSolver(r->cvode, r->solver, r->matrix) >= 0 &&
         CVodeSetJacFn(r->cvode, jacobian) >= 0 && CVodeRootInit(r->cvode, watches, roots) >= 0 &&
         CVodeSetNoInactiveRootWarn(r->cvode) >= 0 &&
         CVodeSetErrHandlerFn(r->cvode, NULL, NULL) >= 0 && settle(r, NULL);
}

/* One step of CVODE, and what it has met at its end. */
static gboolean go(Run *r, int *flag)
{
  double next = fmin(r->since + fmax(1, r->since), ticks_to_time(r->c, r->edge) - r->origin);
  *flag = CVode(r->cvode, next, r->x, &r->since, CV_ONE_STEP);
  long steps = 0;
  CVodeGetNumSteps(r->cvode, &steps);
  return *flag >= 0 && r->cost.steps + steps < MOST_STEPS;
}

static gboolean obey(Run *r, int flag)
{
  int found[MOST_WATCHES];
  if (flag == CV_ROOT_RETURN) {
    return CVodeGetRootInfo(r->cvode, found) >= 0 && settle(r, found);
  }
  if (flag == CV_TSTOP_RETURN && r->edge < TICKS) {
    return pass_edge(r);
  }
  return TRUE;
}

static gboolean through(Run *r, int samples, double *x)
{
  gsize n = (gsize)r->c->states;
  int written = 0;
  while (written < samples) {
    int flag = 0;
    if (!go(r, &flag)) {
      return FALSE;
    }
    double close = 1e-12 * r->c->stop, at = 0;
    while (written < samples &&
           (at = (written + 1.0) / samples * r->c->stop - r->origin) <= r->since + close) {
      if (CVodeGetDky(r->cvode, fmin(at, r->since), 0, r->sample) < 0) {
        return FALSE;
      }
      memcpy(&x[(gsize)written++ * n], N_VGetArrayPointer(r->sample), n * sizeof *x);
    }
    if (!obey(r, flag)) {
      return FALSE;
    }
  }
  return TRUE;
}

static double cpu(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

gboolean by_hand(const Circuit *c, double rtol, double atol, int samples, double *x, ByHand *cost)
{
  if (form_width(c) > MOST_WIDTH) {
    return FALSE;
  }
  Run *r = g_new0(Run, 1);
  r->c = c;
  r->rtol = rtol;
  r->atol = atol;
  double begin = cpu();
  gboolean ok = start(r, rtol, atol) && through(r, samples, x);
  *cost = r->cost;
  cost->seconds = cpu() - begin;
  CVodeFree(&r->cvode);
  SUNLinSolFree(r->solver);
  SUNMatDestroy(r->matrix);
  N_VDestroy(r->x);
  N_VDestroy(r->sample);
  SUNContext_Free(&r->context);
  g_free(r);
  return ok;
}
