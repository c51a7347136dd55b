/* K: the equations of circuits, against Kirchhoff's laws and those of the elements as they stand in
 * the file. States and modes are taken as they are; everything else of a network is the solution of
 * one tableau:
 *
 *   at each node     sum of i = 0
 *   resistor, valve  v = R i, with v = e[plus] - e[minus];  conducting v = Vf (1 - Ron/Roff) + Ron
 * i capacitor        i = C d,  v is the state               (d: the slope of its voltage) coil v =
 * sum of M d,  i is the state        (d: of its current) sources          v, or i, is what the file
 * says;  transformer v1 = ratio v2, i2 = -ratio i1
 *
 * Where a coil or capacitor is no state the same once more for the slopes of all e and i. What the
 * laws leave open, as potentials of a part that nothing ties to 0, is not judged. */
#include "look.h"

#include "coupled/elements.h"
#include "tableau.h"

#include <string.h>

#define MOST   60   /* elements of a network that is judged */
#define WITHIN 1e-6 /* of the largest that it has been, or of its tolerance */

typedef struct {
  HyBall *value; /* [slots] */
  double *most;  /* [blocks]: the largest |value| that has been compared */
} Kirchhoff;

/* A network at an instant. */
typedef struct {
  HyAudit *a;
  Kirchhoff *own;
  const HyPlacedNetwork *n;
  HyTableau *t;            /* that takes rows */
  HyTableau *once, *twice; /* solved: without slopes of e and i, and with them; NULL: not clear, or
                              not needed */
  guint elements;
} Laws;

static const HyPlaced *element(const Laws *l, guint k)
{
  return &g_array_index(l->n->elements, HyPlaced, k);
}

/* Unknowns: e, i (the second of a transformer behind all), d, and slopes of e and i. */
static guint potential(const Laws *l, guint node, gboolean slope)
{
  return node == 0 ? G_MAXUINT : node - 1 + (slope ? l->n->nodes - 1 + 3 * l->elements : 0);
}

static guint current(const Laws *l, guint k, guint winding, gboolean slope)
{
  guint first = l->n->nodes - 1 + (slope ? l->n->nodes - 1 + 3 * l->elements : 0);
  return first + k + (winding > 0 ? l->elements : 0);
}

static guint slope_of(const Laws *l, guint k)
{
  return l->n->nodes - 1 + 2 * l->elements + k;
}

/* FACTOR times v of a winding, in the newest row. */
static void add_voltage(Laws *l, const HyPlaced *p, guint winding, gboolean slope, double factor)
{
  guint a = potential(l, p->node[winding == 0 ? 0 : 2], slope),
        b = potential(l, p->node[winding == 0 ? 1 : 3], slope);
  if (a != G_MAXUINT) {
    hy_tableau_add(l->t, a, factor);
  }
  if (b != G_MAXUINT) {
    hy_tableau_add(l->t, b, -factor);
  }
}

/* What stands at a signal; NaN: it is not known. */
static double value_of(const Laws *l, const HyPlacedSignal *s)
{
  guint block = hy_placed_number(s);
  return l->own->value[l->a->plan->block[block].first_out + s->port].v;
}

static double number_of(const Laws *l, const HyPlaced *p)
{
  return p->signal.model != NULL ? value_of(l, &p->signal) : p->value;
}

static gboolean holds(const Laws *l, const HyPlacedSignal *s)
{
  return s->model != NULL && value_of(l, s) > 0.5;
}

/* v = R i + DROP. */
static void add_resistance(Laws *l, guint k, double r, double drop, gboolean slope)
{
  hy_tableau_row(l->t, slope ? 0 : drop);
  add_voltage(l, element(l, k), 0, slope, 1);
  hy_tableau_add(l->t, current(l, k, 0, slope), -r);
}

/* The line of a diode that conducts with R; SIGN -1: in the other direction. */
static void add_valve(Laws *l, guint k, double r, gboolean on, double sign, gboolean slope)
{
  const HyPlaced *p = element(l, k);
  add_resistance(l, k, on ? r : p->roff, on ? sign * p->vf * (1 - r / p->roff) : 0, slope);
}

static void add_transistor(Laws *l, guint k, gboolean slope)
{
  const HyPlaced *p = element(l, k);
  if (holds(l, &p->on)) {
    add_resistance(l, k, number_of(l, p), 0, slope);
  } else {
    add_valve(l, k, p->rd, holds(l, &p->body), -1, slope);
  }
}

/* A state is what it is; if it is none, other rows have it. */
static void add_state(Laws *l, guint k, gboolean slope)
{
  const HyPlaced *p = element(l, k);
  gboolean coil = p->kind == HY_PLACED_COIL;
  if (slope || p->state.model != NULL) {
    hy_tableau_row(l->t, slope ? 0 : value_of(l, &p->state));
    if (coil) {
      hy_tableau_add(l->t, current(l, k, 0, slope), 1);
    } else {
      add_voltage(l, p, 0, slope, 1);
    }
    if (slope) {
      hy_tableau_add(l->t, slope_of(l, k), -1);
    }
  }
  if (!slope && !coil) {
    hy_tableau_row(l->t, 0);
    hy_tableau_add(l->t, current(l, k, 0, FALSE), 1);
    hy_tableau_add(l->t, slope_of(l, k), -p->value);
  }
}

/* v of coil K, with all that is coupled to it. */
static void add_coil(Laws *l, guint k)
{
  const HyPlaced *p = element(l, k);
  hy_tableau_row(l->t, 0);
  add_voltage(l, p, 0, FALSE, 1);
  hy_tableau_add(l->t, slope_of(l, k), -p->value);
  for (guint c = 0; c < l->n->elements->len; c++) {
    const HyPlaced *m = element(l, c);
    for (guint end = 0; end < 2 && m->kind == HY_PLACED_COUPLING; end++) {
      if (m->with[end] == k) {
        guint other = m->with[1 - end];
        hy_tableau_add(l->t, slope_of(l, other),
                       -m->value * sqrt(p->value * element(l, other)->value));
      }
    }
  }
}

static void add_transformer(Laws *l, guint k, gboolean slope)
{
  const HyPlaced *p = element(l, k);
  hy_tableau_row(l->t, 0);
  add_voltage(l, p, 0, slope, 1);
  add_voltage(l, p, 1, slope, -p->value);
  hy_tableau_row(l->t, 0);
  hy_tableau_add(l->t, current(l, k, 0, slope), p->value);
  hy_tableau_add(l->t, current(l, k, 1, slope), 1);
}

/* The slope of one that is a signal is not known: it has no row there. */
static void add_source(Laws *l, guint k, gboolean slope)
{
  const HyPlaced *p = element(l, k);
  if (slope && p->signal.model != NULL) {
    return;
  }
  hy_tableau_row(l->t, slope ? 0 : number_of(l, p));
  if (p->kind == HY_PLACED_VOLTAGE) {
    add_voltage(l, p, 0, slope, 1);
  } else {
    hy_tableau_add(l->t, current(l, k, 0, slope), 1);
  }
}

static void add_element(Laws *l, guint k, gboolean slope)
{
  const HyPlaced *p = element(l, k);
  switch (p->kind) {
  case HY_PLACED_RESISTOR:
    add_resistance(l, k, number_of(l, p), 0, slope);
    break;
  case HY_PLACED_SWITCH:
  case HY_PLACED_DIODE:
    add_valve(l, k, number_of(l, p), holds(l, &p->on), 1, slope);
    break;
  case HY_PLACED_TRANSISTOR:
    add_transistor(l, k, slope);
    break;
  case HY_PLACED_CAPACITOR:
    add_state(l, k, slope);
    break;
  case HY_PLACED_COIL:
    add_state(l, k, slope);
    if (!slope) {
      add_coil(l, k);
    }
    break;
  case HY_PLACED_VOLTAGE:
  case HY_PLACED_CURRENT:
    add_source(l, k, slope);
    break;
  case HY_PLACED_TRANSFORMER:
    add_transformer(l, k, slope);
    break;
  default:
    break;
  }
}

static gboolean has_current(const HyPlaced *p)
{
  return p->kind != HY_PLACED_COUPLING && p->kind != HY_PLACED_PROBE;
}

static void add_nodes(Laws *l, gboolean slope)
{
  for (guint node = 0; node < l->n->nodes; node++) {
    hy_tableau_row(l->t, 0);
    for (guint k = 0; k < l->elements; k++) {
      const HyPlaced *p = element(l, k);
      for (guint end = 0; end < 4 && has_current(p); end++) {
        if (p->node[end] == node && (end < 2 || p->kind == HY_PLACED_TRANSFORMER)) {
          hy_tableau_add(l->t, current(l, k, end / 2, slope), end % 2 == 0 ? 1 : -1);
        }
      }
    }
  }
}

/* FALSE: it has an element whose law is not one of these, or is too large. */
static gboolean is_judged(const HyPlacedNetwork *n)
{
  gboolean judged = n->elements->len <= MOST;
  for (guint k = 0; k < n->elements->len; k++) {
    judged = judged && g_array_index(n->elements, HyPlaced, k).kind != HY_PLACED_OTHER;
  }
  return judged;
}

static gboolean needs_slopes(const HyPlacedNetwork *n)
{
  for (guint k = 0; k < n->elements->len; k++) {
    const HyPlaced *p = &g_array_index(n->elements, HyPlaced, k);
    if ((p->kind == HY_PLACED_COIL || p->kind == HY_PLACED_CAPACITOR) && p->state.model == NULL) {
      return TRUE;
    }
  }
  return FALSE;
}

static HyTableau *solve(Laws *l, gboolean slopes)
{
  guint once = l->n->nodes - 1 + 3 * l->elements;
  l->t = hy_tableau_new(slopes ? 2 * once : once);
  for (guint pass = 0; pass <= (slopes ? 1 : 0); pass++) {
    add_nodes(l, pass == 1);
    for (guint k = 0; k < l->elements; k++) {
      add_element(l, k, pass == 1);
    }
  }
  if (!hy_tableau_solve(l->t)) {
    g_clear_pointer(&l->t, hy_tableau_free);
  }
  return l->t;
}

/* Slopes are asked only for what is open without: they are less exact. */
static HyBall known_as(const Laws *l, guint plus, guint minus)
{
  HyBall b = hy_ball(NAN);
  if (l->once != NULL) {
    b.v = hy_tableau_value(l->once, plus, minus, &b.e);
  }
  if (isnan(b.v) && l->twice != NULL) {
    b.v = hy_tableau_value(l->twice, plus, minus, &b.e);
  }
  return b;
}

/* What is compared ----------------------------------------------------------------------------- */

/* LEAST: what counts as nothing. */
static void compare(Laws *l, guint block, HyBall is, HyBall should, double least,
                    const HyAuditStretch *s, double t, const char *what)
{
  gboolean known = isfinite(is.v) && isfinite(is.e) && isfinite(should.v) && isfinite(should.e);
  hy_audit_judged(l->a, known);
  if (!known) {
    return;
  }
  double *most = &l->own->most[block];
  *most = fmax(fmax(*most, least), fmax(fabs(should.v), fabs(is.v)));
  double allowed = 4 * (is.e + should.e) + WITHIN * *most;
  if (!(fabs(is.v - should.v) <= allowed)) {
    hy_audit_breach(l->a, block, t, s->t1, is.v, should.v, allowed, what);
  }
}

/* What would not move it by its tolerance in the whole run. */
static void compare_slope(Laws *l, const HyPlacedSignal *of, HyBall should, const HyAuditStretch *s,
                          double t)
{
  guint block = hy_placed_number(of);
  HyBall is = hy_audit_input(l->a, l->own->value, block, 0);
  double least = l->a->about[block].least / (l->a->tf - l->a->t0);
  compare(l, block, is, should, least, s, t, "its slope, against Kirchhoff's laws:");
}

#define VALVE_CURRENT 0 /* its input */

static void compare_current(Laws *l, const HyPlacedSignal *of, HyBall should,
                            const HyAuditStretch *s, double t)
{
  guint block = hy_placed_number(of);
  HyBall is = hy_audit_input(l->a, l->own->value, block, VALVE_CURRENT);
  compare(l, block, is, should, l->a->about[block].least, s, t,
          "its current, against Kirchhoff's laws:");
}

static void compare_reading(Laws *l, const HyPlacedSignal *of, HyBall should,
                            const HyAuditStretch *s, double t)
{
  guint block = hy_placed_number(of);
  if (l->a->plan->block[block].role == HY_AUDIT_PLAIN) {
    HyBall is = l->own->value[l->a->plan->block[block].first_out + of->port];
    compare(l, block, is, should, l->a->about[block].least, s, t, "against Kirchhoff's laws:");
  }
}

static void compare_element(Laws *l, guint k, const HyAuditStretch *s, double t)
{
  const HyPlaced *p = element(l, k);
  if (p->kind == HY_PLACED_COUPLING) {
    return;
  }
  guint plus = potential(l, p->node[0], FALSE), minus = potential(l, p->node[1], FALSE);
  HyBall i = has_current(p) ? known_as(l, current(l, k, 0, FALSE), G_MAXUINT) : hy_ball(0);
  HyBall v = known_as(l, plus, minus);
  if (p->state.model != NULL) {
    compare_slope(l, &p->state, known_as(l, slope_of(l, k), G_MAXUINT), s, t);
  }
  if (p->valve.model != NULL) {
    compare_current(l, &p->valve, i, s, t);
  }
  if (p->i.model != NULL) {
    compare_reading(l, &p->i, i, s, t);
  }
  if (p->v.model != NULL) {
    compare_reading(l, &p->v, v, s, t);
  }
}

static void look_at(HyAudit *a, Kirchhoff *own, const HyPlacedNetwork *n, const HyAuditStretch *s,
                    double t)
{
  Laws l = {.a = a, .own = own, .n = n, .elements = n->elements->len};
  if (!is_judged(n)) {
    hy_audit_judged(a, FALSE);
    return;
  }
  l.once = solve(&l, FALSE);
  l.twice = needs_slopes(n) ? solve(&l, TRUE) : NULL;
  for (guint k = 0; k < l.elements; k++) {
    compare_element(&l, k, s, t);
  }
  g_clear_pointer(&l.once, hy_tableau_free);
  g_clear_pointer(&l.twice, hy_tableau_free);
}

static gpointer begin(HyAudit *a)
{
  Kirchhoff *own = g_new(Kirchhoff, 1);
  own->value = g_new0(HyBall, (gsize)a->plan->n_out + 1);
  own->most = g_new0(double, (gsize)a->plan->n + 1);
  return own;
}

static void clear(gpointer user)
{
  Kirchhoff *own = user;
  g_free(own->value);
  g_free(own->most);
  g_free(own);
}

static void look(HyAudit *a, gpointer user, const HyAuditStretch *s)
{
  Kirchhoff *own = user;
  double t = s->t0 + 0.5 * (s->t1 - s->t0);
  const HyPlacedNetwork *n = hy_model_placed(a->model, 0);
  if (n == NULL || !(t > s->t0 && t < s->t1)) {
    return;
  }
  hy_audit_view(a, HY_AUDIT_EXACT, t, own->value);
  for (guint k = 0; n != NULL; n = hy_model_placed(a->model, ++k)) {
    look_at(a, own, n, s, t);
  }
}

const HyAuditCheck hy_audit_kirchhoff = {
    .name = "K",
    .doc = "equations of circuits, against the laws of their elements",
    .full = TRUE,
    .begin = begin,
    .free = clear,
    .look = look};
