/* What a netlist does, and whether it can: see netlist.h. */
#include "netlist.h"

#include <math.h>
#include <string.h>

#define MOST_UNKNOWNS (4 * MOST_ELEMENTS + 2 * MOST_NODES)
#define MOST_ROWS     (6 * MOST_ELEMENTS + 2 * MOST_NODES + 2)

/* v, i, v', i' of each element, then potentials and their derivatives; RIGHT: forms (forms.h). */
typedef struct {
  const Netlist *net;
  const Modes *m;
  int n, nodes, unknowns, width, rows;
  Real a[MOST_ROWS][MOST_UNKNOWNS], right[MOST_ROWS][MOST_WIDTH];
  int column[MOST_UNKNOWNS], rank;
} Tableau;

typedef enum { V, I, DV, DI } What;

static int unknown(const Tableau *t, What what, int k)
{
  return (int)what * t->n + k;
}

static void put(Tableau *t, int column, Real v)
{
  t->a[t->rows][column] += v;
}

/* Elements ------------------------------------------------------------------------------------- */

static gboolean is_on(const Tableau *t, const NetElement *e)
{
  return e->kind == NET_SWITCH ? t->m->gate[e->gate] : t->m->diode[e->diode];
}

/* v - R i = drop, and its derivative. */
static void put_resistor(Tableau *t, int k)
{
  const NetElement *e = &t->net->e[k];
  gboolean on = e->kind != NET_RESISTOR && is_on(t, e);
  Real r = on ? (Real)e->ron : (Real)e->value;
  t->right[t->rows][t->width - 1] = on ? (Real)e->vf * (1 - (Real)e->ron / (Real)e->value) : 0;
  put(t, unknown(t, V, k), 1), put(t, unknown(t, I, k), -r), t->rows++;
  put(t, unknown(t, DV, k), 1), put(t, unknown(t, DI, k), -r), t->rows++;
}

static double mutual(const Netlist *net, const NetElement *e, const NetElement *other)
{
  double k = e->with >= 0 && &net->e[e->with] == other       ? e->k
             : other->with >= 0 && &net->e[other->with] == e ? other->k
                                                             : 0;
  return k * sqrt(e->value * other->value);
}

static void put_state(Tableau *t, int k)
{
  const NetElement *e = &t->net->e[k];
  gboolean coil = e->kind == NET_COIL;
  t->right[t->rows][e->state] = 1;
  put(t, unknown(t, coil ? I : V, k), 1), t->rows++;
  put(t, unknown(t, coil ? V : I, k), 1);
  put(t, unknown(t, coil ? DI : DV, k), -(Real)e->value);
  for (int i = 0; coil && i < t->n; i++) {
    if (t->net->e[i].kind == NET_COIL) {
      put(t, unknown(t, DI, i), -(Real)mutual(t->net, e, &t->net->e[i]));
    }
  }
  t->rows++;
}

/* v or i, or NTH 1: its derivative. */
static What what_of(gboolean current, int nth)
{
  return (What)((current ? I : V) + (nth == 0 ? 0 : DV));
}

static void put_source(Tableau *t, int k)
{
  const NetElement *e = &t->net->e[k];
  for (int nth = 0; nth < 2; nth++, t->rows++) {
    put(t, unknown(t, what_of(e->kind == NET_CURRENT, nth), k), 1);
    if (e->of >= 0) {
      put(t, unknown(t, what_of(e->of_current, nth), e->of), -(Real)e->factor);
    }
    if (e->sine >= 0) {
      Real w = (Real)t->net->c.sine[e->sine].frequency * 2 * M_PI;
      t->right[t->rows][form_sine(&t->net->c, e->sine) + nth] = nth == 0 ? 1 : w;
    } else {
      t->right[t->rows][t->width - 1] = nth == 0 ? e->value : 0;
    }
  }
}

static void put_transformer(Tableau *t, int k)
{
  Real r = t->net->e[k].value;
  for (int nth = 0; nth < 2; nth++) {
    What v = nth == 0 ? V : DV, i = nth == 0 ? I : DI;
    put(t, unknown(t, v, k), 1), put(t, unknown(t, v, k + 1), -r), t->rows++;
    put(t, unknown(t, i, k + 1), 1), put(t, unknown(t, i, k), r), t->rows++;
  }
}

static void put_laws(Tableau *t)
{
  for (int k = 0; k < t->n; k++) {
    NetKind kind = t->net->e[k].kind;
    if (kind == NET_CAPACITOR || kind == NET_COIL) {
      put_state(t, k);
    } else if (kind == NET_VOLTAGE || kind == NET_CURRENT) {
      put_source(t, k);
    } else if (kind == NET_WINDING) {
      put_transformer(t, k++);
    } else {
      put_resistor(t, k);
    }
  }
}

static void put_kirchhoff(Tableau *t)
{
  for (int nth = 0; nth < 2; nth++) {
    int p = 4 * t->n + nth * t->nodes;
    put(t, p, 1), t->rows++; /* the reference */
    for (int k = 0; k < t->n; k++) {
      put(t, unknown(t, nth == 0 ? V : DV, k), 1), put(t, p + t->net->e[k].a, -1);
      put(t, p + t->net->e[k].b, 1), t->rows++;
    }
    for (int node = 1; node < t->nodes; node++) {
      for (int k = 0; k < t->n; k++) {
        const NetElement *e = &t->net->e[k];
        put(t, unknown(t, nth == 0 ? I : DI, k), (e->a == node) - (e->b == node));
      }
      t->rows++;
    }
  }
}

/* Solving -------------------------------------------------------------------------------------- */

static Real size_of(Real v)
{
  return v < 0 ? -v : v;
}

static void scale_rows(Tableau *t)
{
  for (int i = 0; i < t->rows; i++) {
    Real most = 0;
    for (int j = 0; j < t->unknowns; j++) {
      most = size_of(t->a[i][j]) > most ? size_of(t->a[i][j]) : most;
    }
    for (int j = 0; j < t->unknowns && most > 0; j++) {
      t->a[i][j] /= most;
    }
    for (int j = 0; j < t->width && most > 0; j++) {
      t->right[i][j] /= most;
    }
  }
}

static void swap_rows(Tableau *t, int a, int b)
{
  Real keep[MOST_UNKNOWNS], form[MOST_WIDTH];
  memcpy(keep, t->a[a], sizeof keep);
  memcpy(t->a[a], t->a[b], sizeof keep);
  memcpy(t->a[b], keep, sizeof keep);
  memcpy(form, t->right[a], sizeof form);
  memcpy(t->right[a], t->right[b], sizeof form);
  memcpy(t->right[b], form, sizeof form);
}

/* The largest element that is left comes to RANK. FALSE: it is nothing. */
static gboolean pivot(Tableau *t, int rank)
{
  int row = rank, at = rank;
  Real most = 0;
  for (int i = rank; i < t->rows; i++) {
    for (int j = rank; j < t->unknowns; j++) {
      if (size_of(t->a[i][t->column[j]]) > most) {
        most = size_of(t->a[i][t->column[j]]);
        row = i, at = j;
      }
    }
  }
  int keep = t->column[at];
  t->column[at] = t->column[rank];
  t->column[rank] = keep;
  if (row != rank) {
    swap_rows(t, row, rank);
  }
  return most > (Real)1e-22;
}

static void clear_column(Tableau *t, int rank)
{
  int column = t->column[rank];
  for (int i = 0; i < t->rows; i++) {
    Real f = i != rank ? t->a[i][column] / t->a[rank][column] : 0;
    for (int j = 0; f != 0 && j < t->unknowns; j++) {
      t->a[i][j] = j == column ? 0 : t->a[i][j] - f * t->a[rank][j];
    }
    for (int j = 0; f != 0 && j < t->width; j++) {
      t->right[i][j] -= f * t->right[rank][j];
    }
  }
}

/* Unknown X as a form. FALSE: it is left open. */
static gboolean solution(const Tableau *t, int x, Real *form)
{
  for (int k = 0; k < t->rank; k++) {
    if (t->column[k] != x) {
      continue;
    }
    for (int j = t->rank; j < t->unknowns; j++) {
      if (size_of(t->a[k][t->column[j]]) > (Real)1e-15 * size_of(t->a[k][x])) {
        return FALSE;
      }
    }
    for (int j = 0; j < t->width; j++) {
      form[j] = t->right[k][j] / t->a[k][x];
    }
    return TRUE;
  }
  return FALSE;
}

static Tableau *tableau_new(const Netlist *net, const Modes *m)
{
  Tableau *t = g_new0(Tableau, 1);
  t->net = net;
  t->m = m;
  t->n = net->n;
  t->nodes = net->nodes;
  t->unknowns = 4 * t->n + 2 * t->nodes;
  t->width = form_width(&net->c);
  for (int k = 0; k < t->unknowns; k++) {
    t->column[k] = k;
  }
  put_laws(t);
  put_kirchhoff(t);
  scale_rows(t);
  while (t->rank < MIN(t->rows, t->unknowns) && pivot(t, t->rank)) {
    clear_column(t, t->rank++);
  }
  return t;
}

/* The current less that of the knee, where the lines of on and off meet; a thyristor that is off
 * and whose gate is down stays so. */
static gboolean watch_diode(Field *f, const Tableau *t, int k)
{
  const NetElement *e = &t->net->e[k];
  gboolean on = t->m->diode[e->diode];
  if (e->kind == NET_THYRISTOR && !on && !t->m->gate[e->gate]) {
    return TRUE;
  }
  Watch *w = &f->watch[f->watches++];
  *w = (Watch){.sign = on ? 1 : -1, .diode = e->diode, .relay = -1};
  if (!solution(t, unknown(t, I, k), w->value)) {
    return FALSE;
  }
  w->value[t->width - 1] -= (Real)e->vf / (Real)e->value;
  return TRUE;
}

gboolean netlist_field(Field *f, const Netlist *net, const Modes *m)
{
  Tableau *t = tableau_new(net, m);
  gboolean ok = TRUE;
  for (int k = 0; k < net->n; k++) {
    const NetElement *e = &net->e[k];
    if (e->state >= 0) {
      ok &= solution(t, unknown(t, e->kind == NET_COIL ? DI : DV, k), f->rate[e->state]);
    } else if (e->diode >= 0) {
      ok &= watch_diode(f, t, k);
    } else if (e->of >= 0) { /* it has a value of its own, not by a further derivative */
      Real form[MOST_WIDTH];
      ok &= solution(t, unknown(t, V, k), form) && solution(t, unknown(t, I, k), form);
    }
  }
  g_free(t);
  return ok;
}

/* Graphs --------------------------------------------------------------------------------------- */

typedef gboolean (*Counts)(const Netlist *net, int i, int k);

/* Whether elements that count lead from one end of element K to the other, K itself not. */
static gboolean joined(const Netlist *net, int k, Counts counts)
{
  gboolean on[MOST_NODES] = {FALSE};
  on[net->e[k].a] = TRUE;
  for (int round = 0; round < net->nodes; round++) {
    for (int i = 0; i < net->n; i++) {
      const NetElement *e = &net->e[i];
      if (i != k && counts(net, i, k) && (on[e->a] || on[e->b])) {
        on[e->a] = on[e->b] = TRUE;
      }
    }
  }
  return on[net->e[k].b];
}

/* Windings have a resistance before them: by themselves they hold nothing and let anything through.
 */
static gboolean is_voltage(const Netlist *net, int i, int k)
{
  (void)k;
  return net->e[i].kind == NET_VOLTAGE;
}

static gboolean holds_voltage(const Netlist *net, int i, int k)
{
  (void)k;
  return net->e[i].kind == NET_VOLTAGE || net->e[i].kind == NET_CAPACITOR;
}

static gboolean is_no_current(const Netlist *net, int i, int k)
{
  (void)k;
  return net->e[i].kind != NET_CURRENT;
}

static gboolean is_neither(const Netlist *net, int i, int k)
{
  (void)k;
  return net->e[i].kind != NET_CURRENT && net->e[i].kind != NET_COIL;
}

static int add_reason(const char **reason, int n, const char *words)
{
  for (int k = 0; k < n; k++) {
    if (reason[k] == words) {
      return n;
    }
  }
  reason[n] = words;
  return n + 1;
}

int netlist_refused(const Netlist *net, const char **reason)
{
  static const char loop[] = "loop of voltage sources: ",
                    cut[] = "only current sources lead to node", no_slope[] = "loop of C",
                    no_slope_cut[] = "cut of L";
  int n = 0;
  for (int k = 0; k < net->n; k++) {
    const NetElement *e = &net->e[k];
    gboolean unknown_slope = e->of >= 0;
    if (e->kind == NET_VOLTAGE && joined(net, k, is_voltage)) {
      n = add_reason(reason, n, loop);
    } else if (e->kind == NET_VOLTAGE && unknown_slope && joined(net, k, holds_voltage)) {
      n = add_reason(reason, n, no_slope);
    } else if (e->kind == NET_CURRENT && !joined(net, k, is_no_current)) {
      n = add_reason(reason, n, cut);
    } else if (e->kind == NET_CURRENT && unknown_slope && !joined(net, k, is_neither)) {
      n = add_reason(reason, n, no_slope_cut);
    }
  }
  return n;
}

/* Starts --------------------------------------------------------------------------------------- */

static int group_of(const int *group, int node)
{
  while (group[node] != node) {
    node = group[node];
  }
  return node;
}

static double source_at_start(const Netlist *net, const NetElement *e)
{
  const Sine *s = e->sine >= 0 ? &net->c.sine[e->sine] : NULL;
  return s != NULL ? s->amplitude * sin(s->phase) : e->value;
}

/* Potentials against the first node of a group, which voltages hold together: P [node]. */
static void hold(int *group, double *p, int nodes, const NetElement *e, double v)
{
  int a = group_of(group, e->a), b = group_of(group, e->b);
  double move = p[e->b] + v - p[e->a];
  for (int k = 0; k < nodes; k++) {
    if (a != b && group_of(group, k) == a) {
      p[k] += move;
    }
  }
  group[a] = b;
}

/* Capacitors that close a loop have what the others leave them. */
static void start_capacitors(Netlist *net, int *group)
{
  double p[MOST_NODES] = {0};
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < net->n; k++) {
      const NetElement *e = &net->e[k];
      if (pass == 0 && e->kind == NET_VOLTAGE) {
        hold(group, p, net->nodes, e, source_at_start(net, e));
      } else if (pass == 1 && e->kind == NET_CAPACITOR) {
        gboolean closes = group_of(group, e->a) == group_of(group, e->b);
        net->c.state[e->state].x0 = closes ? p[e->a] - p[e->b] : 0;
        hold(group, p, net->nodes, e, 0);
      }
    }
  }
}

/* What is known into each part that resistances hold together, and the coils between them that make
 * no loop. */
typedef struct {
  const Netlist *net;
  int part[MOST_NODES], left[MOST_ELEMENTS], n; /* left: -1 once it is known */
  double into[MOST_NODES];
} Parts;

/* How many coils that are not known yet meet at PART. */
static int coils_at(const Parts *p, int part)
{
  int meet = 0;
  for (int j = 0; j < p->n; j++) {
    const NetElement *e = p->left[j] >= 0 ? &p->net->e[p->left[j]] : NULL;
    meet += e != NULL && (p->part[e->a] == part || p->part[e->b] == part);
  }
  return meet;
}

static void find_parts(Parts *p, int *group)
{
  const Netlist *net = p->net;
  for (int k = 0; k < net->n; k++) {
    const NetElement *e = &net->e[k];
    if (e->kind == NET_RESISTOR || (e->kind >= NET_SWITCH && e->kind != NET_WINDING)) {
      group[group_of(group, e->a)] = group_of(group, e->b);
    }
  }
  for (int k = 0; k < net->nodes; k++) {
    p->part[k] = group_of(group, k);
  }
}

/* Coils that alone lead to a part have what the others leave them: from the leaves on. */
static void start_coils(Netlist *net, int *group)
{
  Parts p = {.net = net};
  find_parts(&p, group);
  for (int k = 0; k < net->n; k++) {
    const NetElement *e = &net->e[k];
    int a = group_of(group, e->a), b = group_of(group, e->b);
    if (e->kind == NET_CURRENT) {
      p.into[p.part[e->a]] -= source_at_start(net, e);
      p.into[p.part[e->b]] += source_at_start(net, e);
    } else if (e->kind == NET_COIL && a != b) {
      p.left[p.n++] = k;
      group[a] = b;
    }
  }
  for (int round = 0; round < p.n * p.n; round++) {
    const NetElement *e = p.left[round % p.n] >= 0 ? &net->e[p.left[round % p.n]] : NULL;
    int leaf = e == NULL                         ? 0
               : coils_at(&p, p.part[e->a]) == 1 ? 1
               : coils_at(&p, p.part[e->b]) == 1 ? -1
                                                 : 0;
    if (leaf != 0) {
      double current = leaf * p.into[p.part[leaf > 0 ? e->a : e->b]];
      net->c.state[e->state].x0 = current;
      p.into[p.part[e->a]] -= current;
      p.into[p.part[e->b]] += current;
      p.left[round % p.n] = -1;
    }
  }
}

void netlist_start(Netlist *net)
{
  int group[MOST_NODES];
  for (int k = 0; k < net->nodes; k++) {
    group[k] = k;
  }
  start_capacitors(net, group);
  start_coils(net, group);
}
