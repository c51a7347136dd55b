/* Slopes of sources: d/dt of a value that is a sum of ramps, sines, phases and the time, times
 * numbers. The slope of a sine is another sine, that of a ramp a pulse: blocks of the same kind as
 * those that they follow, so they are as exact.
 *
 * Which blocks these are is known when the equations are derived: those of the circuit by their
 * classes, those around it by the lines of models that are complete. Their parameters are read when
 * all blocks of the circuit are there. */
#include "coupled/model_internal.h"
#include "language/circuits.h"
#include "language/names.h"
#include "language/network.h"

#include <math.h>
#include <string.h>

#define FEW_LINES 32

typedef struct {
  Network *n;
  Env *env;
  Slope *out;
  guint *ports; /* that may still be followed */
} Slopes;

static gboolean has_slope(const HyAtomicClass *klass)
{
  static const char *const known[] = {"ramp", "sine", "three_phase", NULL};
  return klass != NULL && g_strv_contains(known, klass->name);
}

void hy_into_clear(LinesInto *into)
{
  g_free(into->last);
  g_free(into->before);
  *into = (LinesInto){.model = NULL};
}

/* Those of MODEL, whose lines are all there; of the last one that was asked for they are known. */
static const LinesInto *lines_into(Loader *l, const HyModel *model)
{
  LinesInto *into = &l->into;
  if (into->model != model) {
    hy_into_clear(into);
    into->model = model;
    into->last = g_new0(guint, (gsize)model->components.len + 1);
    into->before = g_new0(guint, (gsize)model->lines->len + 1);
    for (guint k = 0; k < model->lines->len; k++) {
      guint to = g_array_index(model->lines, HyLine, k).to;
      if (to != HY_SELF) {
        into->before[k] = into->last[to];
        into->last[to] = k + 1;
      }
    }
  }
  return into;
}

/* The line after number K, from 1 on, that may lead to component TO: few are looked through, of
 * many there is a table. K = 0: the first; returns 0 after the last. */
static guint next_into(Loader *l, const HyModel *model, guint to, guint k)
{
  if (model->lines->len <= FEW_LINES) {
    return k < model->lines->len ? k + 1 : 0;
  }
  const LinesInto *into = lines_into(l, model);
  return k == 0 ? into->last[to] : into->before[k - 1];
}

/* What sends to input PORT of MODEL, which is one with all around it, and through which output.
 * FALSE: no block does alone. */
static gboolean sender(Loader *l, const HyModel *model, guint port, SlopeTerm *term)
{
  while (model->parent != NULL) {
    const HyModel *around = model->parent;
    const HyLine *found = NULL;
    for (guint k = 0; (k = next_into(l, around, model->index, k)) > 0;) {
      const HyLine *line = &g_array_index(around->lines, HyLine, k - 1);
      if (line->to == model->index && line->to_port == port) {
        if (found != NULL) {
          return FALSE;
        }
        found = line;
      }
    }
    if (found == NULL || found->from != HY_SELF) {
      term->model = around;
      term->component = found != NULL ? found->from : 0;
      term->port = found != NULL ? found->from_port : 0;
      return found != NULL;
    }
    model = around;
    port = found->from_port;
  }
  return FALSE;
}

/* A block of the circuit itself, or what sends to an input port of it. */
static gboolean find_term(const Slopes *s, const HyFormula *ref, SlopeTerm *term)
{
  const Scope *scope = s->env->scope;
  const Entry *e = ref->own ? NULL : hy_scope_find_ref(scope, ref);
  if (e == NULL) {
    return FALSE;
  }
  if (e->kind == E_IN && scope != s->n->scope) {
    return FALSE; /* its model is not there yet; what is behind it is asked */
  }
  if (e->kind == E_IN) {
    guint index = ref->n_index == 1 ? (guint)ref->ref.at[0] - 1 : 0;
    return sender(s->n->loader, scope->model, scope->in[e->slot].first + index, term) &&
           has_slope(hy_model_class(term->model, term->component));
  }
  if (e->kind != E_BLOCK || hy_is_element(e) || !has_slope(e->klass)) {
    return FALSE;
  }
  guint32 copy = hy_which_copy(s->env, e, ref, ref->ref.at, NULL);
  term->port = hy_find_port(e->klass->out, ref->ref.port, NULL);
  if (copy >= COPY_AFTER || term->port == G_MAXUINT) {
    return FALSE;
  }
  term->model = scope->model;
  term->component = scope->copies[e->slot].component[copy]; /* once it is there */
  return TRUE;
}

static gboolean add_slopes(const Slopes *s, const HyFormula *f, double factor);

static gboolean add_ref(const Slopes *s, const HyFormula *ref, double factor)
{
  SlopeTerm term = {.factor = factor};
  if (strcmp(ref->ref.name, HY_TIME) == 0 && hy_scope_find(s->env->scope, HY_TIME) == NULL) {
    s->out->rest += factor;
    return TRUE;
  }
  if (find_term(s, ref, &term)) {
    g_array_append_val(s->out->terms, term);
    return TRUE;
  }
  Env env;
  const HyFormula *f = *s->ports > 0 ? hy_network_through(s->n, s->env, ref, &env) : NULL;
  if (f == NULL) {
    return FALSE;
  }
  --*s->ports;
  Slopes there = {s->n, &env, s->out, s->ports};
  return add_slopes(&there, f, factor);
}

/* Factors and divisors that are numbers go before the only other factor. */
static const HyFormula *take_numbers(const HyFormula *f, double *factor)
{
  const HyFormula *other = NULL;
  for (guint32 k = 0; k < f->n; k++) {
    const HyFormula *child = f->child[k];
    gboolean divides = k > 0 && f->ops[k] == '/';
    if (child->kind == HY_F_NUMBER) {
      *factor = divides ? *factor / child->number : *factor * child->number;
    } else if (other != NULL || divides) {
      return NULL;
    } else {
      other = child;
    }
  }
  return other;
}

/* FALSE: the slope of F is not known. */
static gboolean add_slopes(const Slopes *s, const HyFormula *f, double factor)
{
  switch (f->kind) {
  case HY_F_NUMBER:
    return TRUE;
  case HY_F_REF:
    return add_ref(s, f, factor);
  case HY_F_NEG:
    return add_slopes(s, f->child[0], -factor);
  case HY_F_PRODUCT: {
    const HyFormula *other = take_numbers(f, &factor);
    return other != NULL && add_slopes(s, other, factor);
  }
  case HY_F_SUM:
    for (guint32 k = 0; k < f->n; k++) {
      if (!add_slopes(s, f->child[k], k > 0 && f->ops[k] == '-' ? -factor : factor)) {
        return FALSE;
      }
    }
    return TRUE;
  default:
    return FALSE;
  }
}

gboolean hy_slope_find(Network *n, Said *said, Slope *out)
{
  guint ports = HY_MOST_PORTS;
  Slopes s = {n, &said->env, out, &ports};
  out->rest = 0.0;
  out->terms = g_array_new(FALSE, FALSE, sizeof(SlopeTerm));
  if (said->formula == NULL || !add_slopes(&s, said->formula, 1.0) || !isfinite(out->rest)) {
    g_clear_pointer(&out->terms, g_array_unref);
    return FALSE;
  }
  return TRUE;
}

/* Blocks --------------------------------------------------------------------------------------- */

static double param(const SlopeTerm *term, const char *name)
{
  return hy_component_real(term->model, term->component, name);
}

/* (a sin(w t + p))' = a w sin(w t + p + pi/2) */
static void sine_slope(const SlopeTerm *term, HyModel *model, guint component)
{
  double w = 2.0 * G_PI * param(term, "frequency");
  double phase = param(term, "phase") - 2.0 * G_PI / 3.0 * term->port + G_PI / 2.0;
  hy_model_set_real(model, component, "amplitude", term->factor * w * param(term, "amplitude"),
                    NULL);
  hy_model_set_real(model, component, "frequency", param(term, "frequency"), NULL);
  hy_model_set_real(model, component, "phase", phase, NULL);
}

static void ramp_slope(const SlopeTerm *term, HyModel *model, guint component)
{
  double start = param(term, "start"), duration = param(term, "duration");
  hy_model_set_real(model, component, "high", term->factor * param(term, "height") / duration,
                    NULL);
  hy_model_set_real(model, component, "start", start, NULL);
  hy_model_set_real(model, component, "end", start + duration, NULL);
}

guint hy_slope_block(const SlopeTerm *term, HyModel *model, const char *name,
                     const HyAtomicClass **klass)
{
  gboolean ramp = strcmp(hy_model_class(term->model, term->component)->name, "ramp") == 0;
  *klass = hy_class_find(ramp ? "pulse" : "sine");
  guint component = hy_model_add(model, name, *klass);
  if (ramp) {
    ramp_slope(term, model, component);
  } else {
    sine_slope(term, model, component);
  }
  return component;
}
