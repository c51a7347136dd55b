/* The tableau of a network with switches and diodes in given states: potentials of all nodes and
 * currents of all elements from Kirchhoff's laws and the elements' own, each as a linear form of z,
 * where capacitors are voltages and coils are currents that are known. */
#include "loop.h"

#include <math.h>
#include <string.h>

#define UNKNOWNS (LOOP_NODES + 2 * LOOP_ELEMENTS)

typedef struct {
  const Loop *l;
  const LoopColumns *c;
  const LoopModes *m;
  int n, first; /* unknowns: potentials but that of node 0, then currents from `first` on */
  int second[LOOP_ELEMENTS]; /* where the current of a second winding is */
  LoopReal a[UNKNOWNS][UNKNOWNS], right[UNKNOWNS][LOOP_WIDTH];
} Tableau;

static LoopReal size_of(LoopReal v)
{
  return v < 0 ? -v : v;
}

static gboolean gate_is_on(const LoopModes *m, int gate)
{
  return (m->gates >> gate & 1) != 0;
}

static gboolean diode_is_on(const LoopModes *m, int diode)
{
  return (m->diodes >> diode & 1) != 0;
}

/* Adds FACTOR times the potential of NODE to ROW. */
static void put_node(Tableau *t, int row, int node, LoopReal factor)
{
  if (node > 0) {
    t->a[row][node - 1] += factor;
  }
}

/* A current out of node A through an element into node B: column COLUMN. */
static void put_current(Tableau *t, int a, int b, int column)
{
  if (a > 0) {
    t->a[a - 1][column] += 1;
  }
  if (b > 0) {
    t->a[b - 1][column] -= 1;
  }
}

/* v - r i = drop, as the language has a switch and a diode: on v = Vf (1 - Ron/Roff) + Ron i. */
static void put_valve(Tableau *t, int row, int column, const LoopElement *e)
{
  LoopReal r = e->roff, drop = 0;
  if (e->kind == LOOP_RESISTOR) {
    r = e->value;
  } else if (e->kind != LOOP_DIODE && gate_is_on(t->m, e->gate)) {
    r = e->ron;
  } else if (e->diode >= 0 && diode_is_on(t->m, e->diode)) {
    r = e->kind == LOOP_DIODE ? e->ron : e->rd;
    drop = e->vf * (1 - r / e->roff);
    drop = e->kind == LOOP_DIODE ? drop : -drop;
  }
  put_node(t, row, e->a, 1);
  put_node(t, row, e->b, -1);
  t->a[row][column] = -r;
  t->right[row][t->c->one] = drop;
}

static void put_source(Tableau *t, int row, const LoopElement *e)
{
  if (e->signal >= 0) {
    loop_signal_form(NULL, t->l, t->c, e->signal, t->right[row]);
  } else {
    t->right[row][t->c->one] = e->value;
  }
}

static void put_element(Tableau *t, int k)
{
  const LoopElement *e = &t->l->element[k];
  int row = t->first + k;
  put_current(t, e->a, e->b, row);
  switch (e->kind) {
  case LOOP_CAPACITOR:
  case LOOP_VOLTAGE:
    put_node(t, row, e->a, 1);
    put_node(t, row, e->b, -1);
    break;
  case LOOP_COIL:
  case LOOP_CURRENT:
    t->a[row][row] = 1;
    break;
  case LOOP_TRANSFORMER: /* v1 = ratio v2, i2 = -ratio i1 */
    put_current(t, e->c, e->d, t->second[k]);
    put_node(t, row, e->a, 1), put_node(t, row, e->b, -1);
    put_node(t, row, e->c, -(LoopReal)e->value), put_node(t, row, e->d, e->value);
    t->a[t->second[k]][t->second[k]] = 1;
    t->a[t->second[k]][row] = e->value;
    break;
  default:
    put_valve(t, row, row, e);
    break;
  }
  if (e->state >= 0) {
    t->right[row][e->state] = 1;
  } else if (e->kind == LOOP_VOLTAGE || e->kind == LOOP_CURRENT) {
    put_source(t, row, e);
  }
}

static void scale_row(Tableau *t, int row)
{
  LoopReal most = 0;
  for (int j = 0; j < t->n; j++) {
    most = size_of(t->a[row][j]) > most ? size_of(t->a[row][j]) : most;
  }
  for (int j = 0; j < t->n && most > 0; j++) {
    t->a[row][j] /= most;
  }
  for (int j = 0; j < t->c->width && most > 0; j++) {
    t->right[row][j] /= most;
  }
}

static void swap_rows(Tableau *t, int a, int b)
{
  for (int j = 0; j < t->n && a != b; j++) {
    LoopReal keep = t->a[a][j];
    t->a[a][j] = t->a[b][j];
    t->a[b][j] = keep;
  }
  for (int j = 0; j < t->c->width && a != b; j++) {
    LoopReal keep = t->right[a][j];
    t->right[a][j] = t->right[b][j];
    t->right[b][j] = keep;
  }
}

static void clear_below_and_above(Tableau *t, int at)
{
  for (int i = 0; i < t->n; i++) {
    LoopReal f = i != at ? t->a[i][at] / t->a[at][at] : 0;
    if (f == 0) {
      continue;
    }
    t->a[i][at] = 0;
    for (int j = at + 1; j < t->n; j++) {
      if (t->a[at][j] != 0) {
        t->a[i][j] -= f * t->a[at][j];
      }
    }
    for (int j = 0; j < t->c->width; j++) {
      if (t->right[at][j] != 0) {
        t->right[i][j] -= f * t->right[at][j];
      }
    }
  }
}

/* By Gauss and Jordan; right[k] is unknown k then. */
static gboolean solve(Tableau *t)
{
  for (int k = 0; k < t->n; k++) {
    scale_row(t, k);
  }
  for (int at = 0; at < t->n; at++) {
    int best = at;
    for (int i = at + 1; i < t->n; i++) {
      best = size_of(t->a[i][at]) > size_of(t->a[best][at]) ? i : best;
    }
    if (size_of(t->a[best][at]) < (LoopReal)1e-25) {
      return FALSE;
    }
    swap_rows(t, at, best);
    clear_below_and_above(t, at);
  }
  for (int k = 0; k < t->n; k++) {
    for (int j = 0; j < t->c->width; j++) {
      t->right[k][j] /= t->a[k][k];
    }
  }
  return TRUE;
}

static void voltage_form(const Tableau *t, const LoopElement *e, LoopReal *form)
{
  for (int j = 0; j < t->c->width; j++) {
    form[j] =
        (e->a > 0 ? t->right[e->a - 1][j] : 0) - (e->b > 0 ? t->right[e->b - 1][j] : (LoopReal)0);
  }
}

/* The inductances, and v of each coil behind them: M i' = v. */
static gboolean coil_rates(const Tableau *t, LoopField *f)
{
  Tableau *m = g_new0(Tableau, 1);
  const Loop *l = t->l;
  int coil[LOOP_ELEMENTS];
  *m = (Tableau){.l = l, .c = t->c};
  for (int k = 0; k < l->elements; k++) {
    if (l->element[k].kind == LOOP_COIL) {
      coil[k] = m->n;
      m->a[m->n][m->n] = l->element[k].value;
      voltage_form(t, &l->element[k], m->right[m->n++]);
    }
  }
  for (int k = 0; k < l->couplings; k++) {
    const LoopCoupling *c = &l->coupling[k];
    double mutual = c->k * sqrt(l->element[c->first].value * l->element[c->second].value);
    int a = coil[c->first], b = coil[c->second];
    m->a[a][b] = m->a[b][a] = mutual;
  }
  gboolean ok = solve(m);
  for (int k = 0; k < l->elements; k++) {
    if (l->element[k].kind == LOOP_COIL) {
      memcpy(f->rate[l->element[k].state], m->right[coil[k]], sizeof f->rate[0]);
    }
  }
  g_free(m);
  return ok;
}

static void read_elements(const Tableau *t, LoopField *f)
{
  for (int k = 0; k < t->l->elements; k++) {
    const LoopElement *e = &t->l->element[k];
    const LoopReal *i = t->right[t->first + k];
    for (int j = 0; j < t->c->width; j++) {
      if (e->kind == LOOP_CAPACITOR) {
        f->rate[e->state][j] = i[j] / e->value;
      }
      if (e->diode >= 0) {
        f->diode[e->diode][j] = e->kind == LOOP_DIODE ? i[j] : -i[j];
      }
      f->measure[k][j] = i[j];
    }
    if (e->kind == LOOP_CAPACITOR || e->kind == LOOP_RESISTOR) {
      voltage_form(t, e, f->measure[k]);
    }
    if (e->diode >= 0) {
      f->diode[e->diode][t->c->one] -= (LoopReal)e->vf / e->roff;
    }
  }
}

static void signal_rates(LoopField *f, const Loop *l, const LoopColumns *c)
{
  f->rate[c->time][c->one] = 1;
  for (int k = 0; k < l->signals; k++) {
    const LoopSignal *s = &l->signal[k];
    int at = c->at[k];
    if (s->kind == SIGNAL_SINE) {
      LoopReal w = 2 * (LoopReal)M_PI * s->frequency;
      f->rate[at][at + 1] = w;
      f->rate[at + 1][at] = -w;
    } else if (s->kind == SIGNAL_PI && s->period == 0 && !(f->modes.held >> k & 1)) {
      LoopReal wanted[LOOP_WIDTH] = {0};
      loop_signal_form(f, l, c, s->of, wanted);
      for (int j = 0; j < c->width; j++) {
        f->rate[at][j] = s->ki * (wanted[j] - f->measure[s->measured][j]);
      }
    }
  }
}

gboolean loop_field(LoopField *f, const Loop *l, const LoopColumns *c, const LoopModes *m)
{
  Tableau *t = g_new0(Tableau, 1);
  memset(f, 0, sizeof *f);
  f->modes = *m;
  *t = (Tableau){.l = l, .c = c, .m = m, .first = l->nodes - 1};
  t->n = t->first + l->elements;
  for (int k = 0; k < l->elements; k++) {
    t->second[k] = l->element[k].kind == LOOP_TRANSFORMER ? t->n++ : -1;
  }
  for (int k = 0; k < l->elements; k++) {
    put_element(t, k);
  }
  gboolean ok = solve(t) && coil_rates(t, f);
  if (ok) {
    read_elements(t, f);
    signal_rates(f, l, c);
  }
  g_free(t);
  return ok;
}

/* Signals -------------------------------------------------------------------------------------- */

static int columns_of(const LoopSignal *s)
{
  return s->kind == SIGNAL_SINE ? 2 : s->kind == SIGNAL_CONSTANT || s->kind == SIGNAL_SHIFT ? 0 : 1;
}

void loop_columns(const Loop *l, LoopColumns *c)
{
  c->states = l->states;
  c->width = l->states;
  for (int k = 0; k < l->signals; k++) {
    c->at[k] = c->width;
    c->width += columns_of(&l->signal[k]);
  }
  c->time = c->width++;
  c->one = c->width++;
  g_assert(c->width <= LOOP_WIDTH);
}

/* The column of a continuous PI is its integral, of a sampled one what it says. */
void loop_signal_form(const LoopField *f, const Loop *l, const LoopColumns *c, int signal,
                      LoopReal *form)
{
  const LoopSignal *s = &l->signal[signal];
  memset(form, 0, LOOP_WIDTH * sizeof *form);
  if (s->kind == SIGNAL_SHIFT) {
    loop_signal_form(f, l, c, s->of, form);
  } else if (s->kind == SIGNAL_PI && s->period == 0) {
    loop_signal_form(f, l, c, s->of, form);
    for (int j = 0; j < c->width; j++) {
      form[j] = s->kp * (form[j] - f->measure[s->measured][j]);
    }
  }
  if (columns_of(s) > 0) {
    form[c->at[signal]] += 1;
  }
  if (s->kind == SIGNAL_CONSTANT || s->kind == SIGNAL_SINE || s->kind == SIGNAL_SHIFT) {
    form[c->one] += s->value;
  }
}
