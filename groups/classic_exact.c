/* Exact blocks: a group whose rows are linear as long as no mode turns is
 *
 *   x' = A x + B u(t) + b
 *
 * in each configuration of the modes, and is solved, not integrated (numerics/modal.h): a step is
 * as long as nothing from outside changes. G. Migoni, E. Kofman and F. Cellier generalised LIQSS to
 * pairs of states; a block of any size whose members step at once, at their exact solution, is the
 * end of that road where equations are linear. Of inputs that are sines that is known, and no piece
 * of them ends a step.
 *
 * A, B and b follow from the rows, hubs put into them, and are kept by configuration together with
 * the modes of A: a converter comes back to the same few again and again. */
#include "exact.h"
#include "exact_internal.h"

#include "equations/state_blocks.h"

#include "numerics/poly.h"
#include "numerics/sine.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_BYTES (1 << 26) /* of configurations that are kept */
#define GROWN      100.0     /* of a step: what grows does so by e to this power at most */
#define SHORTER    0.25      /* a piece that does not hold, when it is tried again */
#define LOST       1e-4      /* of a state, by rates that rounding of the rows leaves open */

#define AGAIN 8  /* times that a meeting of a line is looked for */
#define BACK  30 /* steps back from where it is beyond */

/* Configurations ------------------------------------------------------------------------------ */

static void configuration_free(gpointer data)
{
  Configuration *c = data;
  for (gsize k = 0; k < c->lines; k++) {
    hy_bent_row_free(c->bent[k]);
  }
  g_free(c->bent);
  g_free(c->modal.from);
  g_free(c->by);
  g_free(c->rest);
  g_free(c->line);
  g_free(c->weight);
  g_free(c->first);
  g_free(c->term);
  g_free(c->modes);
  g_clear_pointer(&c->asked, g_ptr_array_unref);
  g_free(c);
}

/* Adds FACTOR times what is said at SLOT to ROW, columns as in exact_width(). */
static void exact_add(const HyClassic *g, const Exact *e, guint slot, double factor, double *row)
{
  guint32 i = hy_classic_place(g, slot), k = hy_classic_outer(g, slot);
  gsize wide = exact_width(g, e);
  if (i != HY_NO_PLACE || k != HY_NO_PLACE) {
    row[i != HY_NO_PLACE ? i : g->n + k] += factor;
    return;
  }
  const double *hub = e->row + (g->n + hy_classic_hub(g, slot)) * wide;
  for (gsize c = 0; c < wide; c++) {
    row[c] += factor * hub[c];
  }
}

/* Of a bend (HyBentAdd). */
static gboolean exact_add_straight(gconstpointer user, const HyClassic *g, guint slot,
                                   double factor, double *row)
{
  const Exact *e = user;
  const HyHub *hub = hy_rows_hub(&g->room->rows, slot);
  if (hub != NULL && e->bent[hy_classic_hub(g, slot)]) {
    return FALSE;
  }
  exact_add(g, e, slot, factor, row);
  return TRUE;
}

static guint exact_find_sine(const Exact *e, double w)
{
  guint i = 0;
  while (i < (guint)e->sines.n && e->turn[i] != w) {
    i++;
  }
  return i;
}

/* Likewise, of a row that is not linear but wavy. */
static void exact_wavy_row(HyClassic *g, const Exact *e, guint32 number, double *row)
{
  const HyRunRow *r = &g->room->run[number];
  HyWavyRow *y = g_hash_table_lookup(e->wavy, GUINT_TO_POINTER(number));
  const double *factor = hy_wavy_row_factors(y, hy_classic_choices(g, number));
  for (guint k = 0; k < y->shape->n_slots; k++) {
    guint slot = g_array_index(y->as.slot, guint32, k);
    if (slot < r->n_slots) {
      exact_add(g, e, r->slot[slot], factor[k], row);
    } else {
      const HyWave *wave = &g_array_index(y->wave, HyWave, slot - r->n_slots);
      double *two = row + g->n + g->rows.n_outer + 2 * (gsize)exact_find_sine(e, wave->w);
      two[0] += factor[k] * wave->sine;
      two[1] += factor[k] * wave->cosine;
    }
  }
  row[exact_width(g, e) - 1] += factor[y->shape->n_slots];
}

/* The row of that number becomes ROW. */
static void exact_row(HyClassic *g, const Exact *e, guint32 number, double *row)
{
  const HyRunRow *r = &g->room->run[number];
  memset(row, 0, exact_width(g, e) * sizeof *row);
  if (!r->linear) {
    exact_wavy_row(g, e, number, row);
    return;
  }
  const double *factor = hy_classic_row_gradient(g, number);
  for (guint k = 0; k < r->n_slots; k++) {
    exact_add(g, e, r->slot[k], factor[k], row);
  }
  row[exact_width(g, e) - 1] += factor[r->n_slots];
}

static gsize exact_lines(const HyClassic *g)
{
  return g->own.crossing->len + 2 * (gsize)g->meeting->len;
}

/* Which row line K is, and whether as such or negative. */
static guint32 exact_row_of_line(const HyClassic *g, guint k, gboolean *as_such)
{
  guint crossings = g->own.crossing->len;
  if (k < crossings) {
    return hy_classic_crossing_row(g, k, as_such);
  }
  const HyMeeting *m = g_ptr_array_index(g->meeting, (k - crossings) / 2);
  *as_such = (k - crossings) % 2 == 0;
  return m->reading->row;
}

/* While no mode turns ROW is linear, and so is what it is made of. */
static gboolean exact_is_straight(const HyClassic *g, const Exact *e, guint32 row)
{
  const HyRunRow *r = &g->room->run[row];
  gboolean straight = r->linear || g_hash_table_contains(e->wavy, GUINT_TO_POINTER(row));
  for (guint k = 0; k < r->n_slots && straight; k++) {
    const HyHub *hub = hy_rows_hub(&g->room->rows, r->slot[k]);
    straight = hub == NULL || !e->bent[hy_classic_hub(g, r->slot[k])];
  }
  return straight;
}

static void configuration_bend(HyClassic *g, const Exact *e, Configuration *c, guint k)
{
  gboolean on;
  guint32 number = exact_row_of_line(g, k, &on);
  gsize wide = exact_width(g, e);
  HyBentRow *b = hy_bent_row_new(g, number, on, wide, (gsize)e->sines.n, exact_add_straight, e);
  for (guint i = 0; i < b->n && c->modal.modes > 0; i++) {
    hy_modal_weigh(&c->modal, b->line + i * wide, b->weight + (gsize)2 * i * g->n);
  }
  c->bent[k] = b;
}

static void configuration_line(HyClassic *g, const Exact *e, Configuration *c, guint k)
{
  gboolean on;
  guint32 number = exact_row_of_line(g, k, &on);
  gsize wide = exact_width(g, e);
  double *line = c->line + k * wide;
  exact_row(g, e, number, line);
  for (gsize i = 0; i < wide && !on; i++) {
    line[i] = -line[i];
  }
  if (c->modal.modes > 0) {
    hy_modal_weigh(&c->modal, line, c->weight + (gsize)2 * k * g->n);
  }
}

/* The places of numbers in LINE that are not 0, the last one left out; returns how many. */
static guint exact_terms(const HyClassic *g, const Exact *e, const double *line, guint32 *term)
{
  guint n = 0;
  for (guint32 i = 0; i + 1 < exact_width(g, e); i++) {
    if (line[i] != 0.0) {
      term[n++] = i;
    }
  }
  return n;
}

/* Those of all lines that do not bend. */
static void configuration_terms(const HyClassic *g, const Exact *e, Configuration *c)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint32));
  c->first = g_new0(guint32, c->lines + 1);
  for (gsize k = 0; k < c->lines; k++) {
    const double *line = c->line + k * exact_width(g, e);
    guint n = c->bent[k] == NULL ? exact_terms(g, e, line, e->term) : 0;
    g_array_append_vals(all, e->term, n);
    c->first[k + 1] = all->len;
  }
  g_array_append_vals(all, e->term, 1); /* never none */
  c->term = g_memdup2(all->data, all->len * sizeof *c->term);
}

/* Those of the crossings, in their modes: z > 0 where these are right; and of meetings. */
static void configuration_lines(HyClassic *g, const Exact *e, Configuration *c)
{
  gsize wide = exact_width(g, e), n = exact_lines(g);
  c->lines = n;
  c->line = g_new(double, n *wide + 1);
  c->weight = g_new0(double, 2 * n * g->n + 1);
  c->bent = g_new0(HyBentRow *, n + 1);
  for (guint k = 0; k < n; k++) {
    gboolean on;
    if (exact_is_straight(g, e, exact_row_of_line(g, k, &on))) {
      configuration_line(g, e, c, k);
    } else {
      configuration_bend(g, e, c, k);
    }
  }
  configuration_terms(g, e, c);
}

typedef struct {
  HyClassic *g;
  Exact *e;
} Maker;

static void configuration_lost(void *user, double *lost)
{
  Maker *of = user;
  hy_exact_lost(of->g, of->e, lost);
}

/* The modes of A. */
static void configuration_solve(HyClassic *g, Exact *e, Configuration *c)
{
  Maker of = {g, e};
  double complex *room = g_new0(double complex, hy_modal_room((int)g->n));
  if (hy_modal_init_exactly(&c->modal, (int)g->n, e->a, configuration_lost, &of, room)) {
    c->doubt = hy_modal_doubt(&c->modal, DBL_EPSILON, LOST);
  } else {
    c->modal = (HyModal){.from = (double *)room, .condition = INFINITY};
  }
}

/* FNV-1a of the modes. */
static guint8 *configuration_reads(const HyClassic *g, Exact *e)
{
  guint32 hash = 2166136261U;
  for (guint k = 0; k < g->rows.n_flags; k++) {
    hash = (hash ^ g->rows.was[k]) * 16777619U;
  }
  return &e->asked.reads[(hash ^ hash >> 16) % READS];
}

static Configuration *configuration_new(HyClassic *g, Exact *e)
{
  guint n = g->n;
  Configuration *c = g_new0(Configuration, 1);
  c->by = g_new(double, (gsize)n * e->inputs + 1);
  c->rest = g_new(double, n);
  c->modes = g_memdup2(g->rows.was, g->rows.n_flags);
  c->reads = configuration_reads(g, e);
  for (guint k = 0; k < g->rows.hub->len; k++) { /* none before those it is made of */
    if (!e->bent[k]) {
      exact_row(g, e, hy_classic_number_of_row(g, n + k), e->row + (n + k) * exact_width(g, e));
    }
  }
  for (guint i = 0; i < n; i++) {
    double *row = e->row + i * exact_width(g, e);
    exact_row(g, e, hy_classic_number_of_row(g, i), row);
    memcpy(e->a + (gsize)i * n, row, n * sizeof *row);
    memcpy(c->by + (gsize)i * e->inputs, row + n, e->inputs * sizeof *row);
    c->rest[i] = row[n + e->inputs];
  }
  configuration_solve(g, e, c);
  configuration_lines(g, e, c);
  return c;
}

static gboolean configuration_fits(const HyClassic *g, const Configuration *c)
{
  return g->rows.n_flags == 0 || memcmp(c->modes, g->rows.was, g->rows.n_flags) == 0;
}

/* Among all that are known, or a new one. */
static Configuration *exact_find(HyClassic *g, Exact *e)
{
  g_autoptr(GBytes) key = g_bytes_new_static(g->rows.was, g->rows.n_flags);
  Configuration *c = g_hash_table_lookup(e->known, key);
  if (c == NULL) {
    if (g_hash_table_size(e->known) * e->bytes + e->asked.bytes > MOST_BYTES) {
      g_hash_table_remove_all(e->known);
      hy_exact_asked_forget(e);
      e->now = NULL;
    }
    gboolean as_was = g->rows.as_was;
    g->rows.as_was = TRUE;
    c = configuration_new(g, e);
    g->rows.as_was = as_was;
    g_hash_table_insert(e->known, g_bytes_new_static(c->modes, g->rows.n_flags), c);
  }
  return c;
}

/* That of the modes as they were assumed: as a rule one that has come after this one before. */
static Configuration *exact_configuration(HyClassic *g, Exact *e)
{
  Configuration *now = e->now;
  if (now != NULL && configuration_fits(g, now)) {
    return now;
  }
  for (guint k = 0; now != NULL && k < LAST && now->then[k] != NULL; k++) {
    if (configuration_fits(g, now->then[k])) {
      return now->then[k];
    }
  }
  Configuration *next = exact_find(g, e);
  if (e->now != NULL) {
    e->now->then[e->now->turn] = next;
    e->now->turn = (e->now->turn + 1) % LAST;
  }
  return next;
}

/* Life ---------------------------------------------------------------------------------------- */

/* Which of the sines has that rate; a new one, if none has. */
static guint exact_add_sine(Exact *e, double w)
{
  guint i = exact_find_sine(e, w);
  if (i == (guint)e->sines.n) {
    e->turn = g_renew(double, e->turn, (gsize)i + 1);
    e->turn[i] = w;
    e->sines.n++;
  }
  return i;
}

/* Row NUMBER, while no mode turns; but for sines of the time. */
static gboolean exact_is_linear(const HyClassic *g, Exact *e, guint32 number)
{
  const HyRunRow *r = &g->room->run[number];
  if (r->linear || g_hash_table_contains(e->wavy, GUINT_TO_POINTER(number))) {
    return TRUE;
  }
  HyWavyRow *y = hy_wavy_row_new(g->room, r);
  if (y != NULL) {
    g_hash_table_insert(e->wavy, GUINT_TO_POINTER(number), y);
  }
  for (guint k = 0; y != NULL && k < y->wave->len; k++) {
    exact_add_sine(e, g_array_index(y->wave, HyWave, k).w);
  }
  return y != NULL;
}

/* Which hubs bend, in their order: those that are made of such ones do, too. */
static void exact_find_bent(const HyClassic *g, Exact *e)
{
  e->bent = g_new0(guint8, (gsize)g->rows.hub->len + 1);
  for (guint k = 0; k < g->rows.hub->len; k++) {
    guint32 row = hy_classic_number_of_row(g, g->n + k);
    e->bent[k] = !exact_is_linear(g, e, row) || !exact_is_straight(g, e, row);
  }
}

/* What decides a mode, or what is met, may bend if bounds of it are known. */
static gboolean exact_can_watch(const HyClassic *g, Exact *e, guint32 row)
{
  return (exact_is_linear(g, e, row) && exact_is_straight(g, e, row)) ||
         hy_bent_row_is_possible(g, row);
}

/* The first member whose row is not linear, or HY_NO_PLACE. */
static guint32 exact_not_linear(const HyClassic *g, Exact *e)
{
  exact_find_bent(g, e);
  for (guint k = 0; k < g->own.crossing->len; k++) {
    const HyOwned *o = g_array_index(g->own.crossing, HyClassicCrossing, k).owned;
    if (!exact_can_watch(g, e, o->rises) || !exact_can_watch(g, e, o->falls)) {
      return 0;
    }
  }
  for (guint k = 0; k < g->meeting->len; k++) {
    const HyMeeting *m = g_ptr_array_index(g->meeting, k);
    if (!exact_can_watch(g, e, m->reading->row)) {
      return 0;
    }
  }
  for (guint i = 0; i < g->n; i++) {
    guint32 row = hy_classic_number_of_row(g, i);
    if (!exact_is_linear(g, e, row) || !exact_is_straight(g, e, row)) {
      return i;
    }
  }
  return HY_NO_PLACE;
}

/* Inputs of one frequency are one sine. */
static void exact_find_sines(const HyClassic *g, Exact *e)
{
  e->sine = g_new0(guint, (gsize)g->rows.n_outer + 1);
  for (guint k = 0; k < g->rows.n_outer; k++) {
    const HySine *sine = hy_classic_sine(g, k);
    e->sine[k] = sine != NULL ? exact_add_sine(e, HY_FULL_TURN * sine->frequency) : HY_NO_SINE;
  }
}

static void exact_new_sines(const HyClassic *g, Exact *e)
{
  exact_find_sines(g, e);
  gsize n = (gsize)e->sines.n, size = g->n * n + 1;
  e->inputs = g->rows.n_outer + (g_hash_table_size(e->wavy) > 0 ? 2 * (guint)n : 0);
  e->input = g_new0(HyExactInput, (gsize)e->inputs + 1);
  e->input_known = g_new0(guint8, (gsize)e->inputs + 1);
  e->wave = g_new0(double complex, size);
  e->watched = g_new0(double complex, n + 1);
  e->sines.turn = e->turn;
  e->sines.wave = e->wave;
  e->sines.follow = g_new0(double complex, size);
  e->sines.near = g_new0(double complex, size);
  e->sines.turned = g_new0(double complex, n + 1);
}

static void exact_free(Exact *e)
{
  g_hash_table_unref(e->known);
  g_hash_table_unref(e->wavy);
  g_free(e->x0);
  g_free(e->u);
  g_free(e->drive);
  g_free(e->rate);
  g_free(e->most);
  g_free(e->row);
  g_free(e->a);
  g_free(e->term);
  g_free(e->line);
  g_free(e->looks);
  g_free(e->bend);
  g_free(e->allowed);
  g_free(e->bent);
  g_free(e->sine);
  g_free(e->turn);
  g_free(e->input);
  g_free(e->input_known);
  g_free(e->wave);
  g_free(e->watched);
  g_free(e->sines.follow);
  g_free(e->sines.near);
  g_free(e->sines.turned);
  hy_lazy_clear(&e->lazy);
  hy_exact_asked_clear(e);
  g_free(e);
}

/* NULL, and *WHY not: blamed is the member that is named. */
static Exact *exact_new(HyClassic *g, const char **why)
{
  gsize n = g->n, room = hy_modal_room((int)n) * sizeof(double complex);
  Exact *e = g_new0(Exact, 1);
  e->known = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref,
                                   configuration_free);
  e->wavy = g_hash_table_new_full(NULL, NULL, NULL, hy_wavy_row_free);
  g->blamed = exact_not_linear(g, e);
  *why = g->blamed != HY_NO_PLACE      ? "they are not linear while no switch turns"
         : g->n > HY_BLOCK_MOST_STATES ? "they are too many for a block"
                                       : NULL;
  g->blamed = g->blamed != HY_NO_PLACE ? g->blamed : 0;
  if (*why != NULL) {
    exact_free(e);
    return NULL;
  }
  exact_new_sines(g, e);
  e->bytes = sizeof(Configuration) + g->rows.n_flags + room + (n * e->inputs + n) * sizeof(double) +
             exact_lines(g) * (exact_width(g, e) + 2 * n) * sizeof(double);
  e->x0 = g_new0(double, n);
  e->u = g_new0(double, n *HY_MODAL_LANES);
  e->drive = g_new0(double, 2 * n * HY_MODAL_LANES);
  e->rate = g_new0(double, 2 * n);
  e->most = g_new0(double, 2 * n);
  e->row = g_new0(double, (n + g->rows.hub->len) * exact_width(g, e));
  e->a = g_new0(double, n *n);
  e->term = g_new0(guint32, exact_width(g, e));
  e->line = g_new0(double, n + g->rows.n_outer + 1);
  e->looks = g_new0(double complex, 2 * (n + (gsize)e->sines.n));
  e->bend = g_new0(HyBend, n + g->m);
  e->allowed = g_new0(double, n + g->m);
  hy_lazy_init(&e->lazy, g, e->inputs);
  hy_exact_asked_init(g, e);
  return e;
}

static void exact_clear(HyClassic *g)
{
  if (g->method_state != NULL) {
    exact_free(g->method_state);
  }
}

/* Steps in its place, from t1 on. */
static const char *exact_gives_way(HyClassic *g, const char *because)
{
  return hy_classic_give_way(g, hy_classic_implicit_name(g), because);
}

static const char *exact_start(HyClassic *g, double t)
{
  g->t0 = g->t1 = t;
  if (g->method_state != NULL) {
    Exact *e = g->method_state;
    if (!g->begun) {
      e->length = e->doubt = e->lost = 0.0;
    }
    return NULL;
  }
  const char *why;
  g->method_state = exact_new(g, &why);
  return why == NULL ? NULL : exact_gives_way(g, why);
}

/* a sin(w t + phase) is Re(-j a e^(j angle) e^(j w s)) from BASE on. */
static double complex exact_wave(const Exact *e, const HySine *sine)
{
  double angle = hy_sine_angle(sine->frequency, sine->phase, e->base);
  return hy_complex(sine->amplitude * sin(angle), -sine->amplitude * cos(angle));
}

/* Input K from BASE on. */
static HyExactInput exact_find_input(const HyClassic *g, const Exact *e, guint k)
{
  HyExactInput in = {.lanes = 1, .sine = HY_NO_SINE};
  if (k >= g->rows.n_outer) {
    guint wave = k - g->rows.n_outer;
    in.sine = wave / 2;
    HySine one = {1.0, e->turn[in.sine] / HY_FULL_TURN, wave % 2 * 0.25 * HY_FULL_TURN, 0.0};
    in.wave = exact_wave(e, &one);
  } else if (e->sine[k] != HY_NO_SINE) {
    in.sine = e->sine[k];
    in.wave = exact_wave(e, &g->rows.sine[k]);
    in.c[0] = g->rows.sine[k].offset;
  } else {
    const HyPiece *p = &g->rows.assumed[k];
    in.lanes = (int)g->room->diagram.lanes;
    memcpy(in.c, p->c, sizeof in.c);
    hy_poly_shift(in.c, in.lanes, e->base - p->t);
    while (in.lanes > 1 && in.c[in.lanes - 1] == 0.0) {
      in.lanes--;
    }
  }
  return in;
}

/* Adds FACTOR times input K, from BASE on, to the coefficients C, of which so many count, and to
 * WAVE [sines]. */
static int exact_add_input(const HyClassic *g, const Exact *e, guint k, double factor, double *c,
                           double complex *wave)
{
  HyExactInput *in = &e->input[k];
  if (!e->input_known[k]) {
    *in = exact_find_input(g, e, k);
    e->input_known[k] = TRUE;
  }
  if (in->sine != HY_NO_SINE) {
    wave[in->sine] += factor * in->wave;
  }
  for (int j = 0; j < in->lanes; j++) {
    c[j] += factor * in->c[j];
  }
  return in->lanes;
}

/* BASE is another one, or the inputs have been assumed anew. */
static void exact_forget_inputs(Exact *e)
{
  memset(e->input_known, FALSE, e->inputs);
}

/* B u + b from BASE on, as polynomials and sines. */
static void exact_inputs(const HyClassic *g, Exact *e)
{
  exact_forget_inputs(e);
  memset(e->u, 0, (gsize)g->n * HY_MODAL_LANES * sizeof *e->u);
  e->lanes = 1;
  if (e->sines.n > 0) {
    memset(e->wave, 0, (gsize)g->n * (gsize)e->sines.n * sizeof *e->wave);
  }
  for (guint i = 0; i < g->n; i++) {
    double *u = e->u + (gsize)i * HY_MODAL_LANES;
    u[0] = e->now->rest[i];
    for (guint k = 0; k < e->inputs; k++) {
      double by = e->now->by[(gsize)i * e->inputs + k];
      if (by != 0.0) {
        int lanes = exact_add_input(g, e, k, by, u, e->wave + i * (gsize)e->sines.n);
        e->lanes = MAX(e->lanes, lanes);
      }
    }
  }
}

/* The motion from X0 and U, in the configuration NOW. */
static void exact_begin(Exact *e)
{
  e->far = -1.0;
  hy_motion_init(&e->motion, &e->now->modal, e->lanes, e->x0, e->u, e->drive);
  if (e->sines.n > 0) {
    hy_motion_add_sines(&e->motion, &e->sines);
  }
}

/* Of the step that stands. */
static Exact *exact_standing(HyClassic *g)
{
  Exact *e = g->method_state;
  if (e->now == NULL) { /* put back from a copy */
    e->now = exact_configuration(g, e);
    exact_forget_inputs(e);
    exact_begin(e);
  }
  return e;
}

static gboolean exact_late(HyClassic *g, double t, double *y)
{
  const Exact *e = g->method_state;
  if (e != NULL && e->lazy.pending) {
    hy_lazy_add(&e->lazy, t, y);
  }
  return e != NULL && e->lazy.pending;
}

/* The first member whose value in Z is not finite, or n. */
static guint exact_not_finite(const HyClassic *g, const double *z)
{
  guint i = 0;
  while (i < g->n && isfinite(z[i])) {
    i++;
  }
  return i;
}

/* The end of the step. What grows ends it after e^GROWN, and so that all is finite there: a step
 * that lasts for ever would lead beyond all numbers without a word. */
static const char *exact_end(HyClassic *g, const Exact *e)
{
  if (hy_motion_is_tame(&e->motion, g->t1 - g->t0)) {
    return NULL;
  }
  double growth = e->now->modal.growth;
  g->t1 = growth > 0.0 ? fmin(g->t1, g->t0 + GROWN / growth) : g->t1;
  hy_motion_at(&e->motion, 0.0, g->out.rate, g->out.half);
  guint wrong = exact_not_finite(g, g->out.half);
  while (wrong == g->n && g->t1 < INFINITY) {
    hy_motion_at(&e->motion, g->t1 - e->base, g->out.half, NULL);
    guint beyond = exact_not_finite(g, g->out.half);
    if (beyond == g->n) {
      return NULL;
    }
    double middle =
        g->t0 + 0.5 * (g->t1 - g->t0); /* one of the two, if they are next to each other */
    wrong = middle > g->t0 && middle < g->t1 ? g->n : beyond;
    g->t1 = middle;
  }
  if (wrong == g->n) {
    return NULL;
  }
  return hy_classic_why(g, wrong, "its value leaves the numbers");
}

/* NULL: the configuration NOW can be solved, from t1 on. */
static const char *exact_cannot(HyClassic *g, Exact *e)
{
  e->lost += e->doubt > 0.0 ? e->doubt * (g->t1 - e->base) : 0.0;
  e->doubt = e->now->doubt;
  gboolean lost = e->doubt > 0.0 && e->lost >= LOST * (1.0 - 1e-9);
  g->unsure = g->unsure || lost;
  return !isfinite(e->now->modal.condition) ? "their modes cannot be told apart"
         : lost ? "slow rates are lost in the rounding of fast ones, for any method"
                : NULL;
}

/* From t1 on, for as long as nothing is known to change; z stays as it is at t0. Where slow rates
 * are lost beside fast ones that is as long as states are right in spite of it: so a
 * block is soon over that holds two states together at 1e15/s, and one at 1e3/s is not for years.
 */
static const char *exact_step(HyClassic *g)
{
  Exact *e = g->method_state;
  e->now = exact_configuration(g, e);
  const char *because = exact_cannot(g, e);
  if (because != NULL) {
    const char *why = exact_gives_way(g, because);
    return why == NULL ? g->stepper->step(g) : why;
  }
  e->base = g->t1;
  memcpy(e->x0, g->z, g->n * sizeof *e->x0);
  exact_inputs(g, e);
  exact_begin(e);
  hy_lazy_begin(&e->lazy, g);
  g->t0 = g->t1;
  g->t1 = hy_classic_next_word(g, g->t0);
  if (e->doubt > 0.0) {
    g->t1 = fmin(g->t1, g->t0 + (LOST - e->lost) / e->doubt);
  }
  g->totals.steps++;
  return exact_end(g, e);
}

static void exact_both(HyClassic *g, double t, double *y, double *dy)
{
  const Exact *e = exact_standing(g);
  if (t == e->base && dy == NULL) {
    memcpy(y, e->x0, g->n * sizeof *y);
    return;
  }
  hy_motion_at(&e->motion, t == g->own.next ? g->own.after : t - e->base, y, dy);
}

static void exact_dense(HyClassic *g, double t, int order, double *z)
{
  exact_both(g, t, order == 0 ? z : g->out.half, order == 0 ? NULL : z);
}

/* Inputs have changed at T: until when that may be missing in the step. Of a state that falls off
 * in it what it is at the end counts, not only what it was; nobody has to look where all is below
 * the least tolerances. */
static double exact_bears(HyClassic *g, double t)
{
  Exact *e = exact_standing(g);
  if (!hy_lazy_take(&e->lazy, g, e->now->by, t)) {
    return t;
  }
  double until = hy_lazy_until(&e->lazy, g, e->x0, t);
  double end = fmin(until, fmin(g->t1, g->own.next));
  if (t < end && end < INFINITY && hy_lazy_until(&e->lazy, g, NULL, t) < end) {
    exact_dense(g, end, 0, g->out.half);
    until = fmin(until, hy_lazy_until(&e->lazy, g, g->out.half, t));
  }
  return until;
}

#define DEAD 40.0 /* a mode that has decayed by e to this power is no more */

/* What a rule of 8 points misses grows with the 17th power of the panel, and is a part of what is
 * left of the mode. */
static double exact_quiet(HyClassic *g, double t, double angle)
{
  const Exact *e = exact_standing(g);
  const HyModal *m = &e->now->modal;
  double s = fmax(t - e->base, 0.0), h = INFINITY;
  for (int k = 0; k < m->modes; k++) {
    double size = cabs(m->rate[k]), decayed = fmax(-creal(m->rate[k]), 0.0) * s;
    if (size > 0.0 && decayed < DEAD) {
      h = fmin(h, angle / size * exp(decayed / 17.0));
    }
  }
  return h;
}

static double exact_turning(HyClassic *g, double t, double angle)
{
  const Exact *e = exact_standing(g);
  const HyModal *m = &e->now->modal;
  double s = fmax(t - e->base, 0.0), fastest = 0.0;
  for (int k = 0; k < m->modes; k++) {
    gboolean is_there = fmax(-creal(m->rate[k]), 0.0) * s < DEAD;
    fastest = is_there ? fmax(fastest, fabs(cimag(m->rate[k]))) : fastest;
  }
  return angle / fastest;
}

static const char *exact_finish(HyClassic *g, double t)
{
  exact_dense(g, t, 0, g->z);
  guint wrong = exact_not_finite(g, g->z);
  return wrong < g->n ? hy_classic_why(g, wrong, "its value leaves the numbers") : NULL;
}

/* z of the line C with WEIGHT along the step that stands, with REST + SLOPE s beside it; the first
 * places of TERM up to END are of states, the others of inputs. WAVE: working memory, as long as it
 * is watched. */
static HyMotionLine exact_line(const HyClassic *g, const Exact *e, const double *c,
                               const guint32 *term, const guint32 *end, const double *weight,
                               double rest, double slope, double complex *wave)
{
  double d[HY_MODAL_LANES] = {c[exact_width(g, e) - 1] + rest, slope};
  if (e->sines.n > 0) {
    memset(wave, 0, (gsize)e->sines.n * sizeof *wave);
  }
  for (; term < end; term++) {
    if (*term >= g->n) {
      exact_add_input(g, e, *term - g->n, c[*term], d, wave);
    }
  }
  for (int i = 0; i < e->sines.n; i++) {
    d[0] += creal(wave[i]);
  }
  return hy_motion_line(&e->motion, c, d, weight, wave);
}

/* Likewise, line K, which does not bend. */
static HyMotionLine exact_line_of(const HyClassic *g, const Exact *e, guint k, double rest,
                                  double slope)
{
  const Configuration *c = e->now;
  const double *line = c->line + k * exact_width(g, e);
  const double *weight = c->weight + (gsize)2 * g->n * k;
  return exact_line(g, e, line, c->term + c->first[k], c->term + c->first[k + 1], weight, rest,
                    slope, e->watched);
}

/* LINE is so far above 0 that it stays there up to UNTIL. */
static gboolean exact_is_far(Exact *e, const HyMotionLine *line, double until)
{
  if (until > e->far) {
    e->far = until;
    hy_motion_most(&e->motion, until, e->rate, e->most);
  }
  return hy_motion_stays(&e->motion, line, until, e->rate, e->most);
}

/* What is watched along the step that stands: a line, or what bends. */
typedef struct {
  HyWatch line;
  HyBentWatch *bent; /* NULL: LINE */
} ExactWatch;

/* Likewise, of line K, which bends, up to UNTIL. */
static void exact_watch_bent(const HyClassic *g, Exact *e, guint k, double until)
{
  HyBentRow *b = e->now->bent[k];
  gsize wide = exact_width(g, e), n = g->n, looks = 2 * (n + (gsize)e->sines.n);
  for (guint i = 0; i < b->n; i++) {
    guint terms = exact_terms(g, e, b->line + i * wide, e->term);
    HyMotionLine line =
        exact_line(g, e, b->line + i * wide, e->term, e->term + terms, b->weight + 2 * n * i, 0.0,
                   0.0, b->wave + (gsize)i * (gsize)e->sines.n);
    hy_watch_init(&b->watch.line[i], &e->motion, &line, until, b->look + i * looks);
  }
}

/* Of line K up to UNTIL, with REST + SLOPE s beside it. FALSE: it stays above 0, as is seen without
 * watching; only where FAR asks for that. */
static gboolean exact_watch(const HyClassic *g, Exact *e, guint k, double rest, double slope,
                            double until, gboolean far, ExactWatch *w)
{
  HyBentRow *b = e->now->bent[k];
  w->bent = b != NULL ? &b->watch : NULL;
  if (b == NULL) {
    HyMotionLine line = exact_line_of(g, e, k, rest, slope);
    if (far && exact_is_far(e, &line, until)) {
      return FALSE;
    }
    hy_watch_init(&w->line, &e->motion, &line, until, e->looks);
    return TRUE;
  }
  b->watch.rest = rest;
  b->watch.slope = slope;
  exact_watch_bent(g, e, k, until);
  return TRUE;
}

static double exact_watch_at(ExactWatch *w, double s, double *slope)
{
  return w->bent != NULL ? hy_bent_at(w->bent, s, slope) : hy_watch_at(&w->line, s, slope);
}

static double exact_watch_falls(ExactWatch *w, double *level, double right, double from,
                                double until, double *safe)
{
  return w->bent != NULL ? hy_bent_falls(w->bent, level, right, from, until, safe)
                         : hy_watch_falls(&w->line, level, right, from, until, safe);
}

/* Z of line K is a number that is right, as of a gate between its edges. */
static gboolean exact_stands(const HyClassic *g, const Exact *e, guint k, double right)
{
  const Configuration *c = e->now;
  const double *line = c->line + k * exact_width(g, e);
  const guint32 *term = c->term + c->first[k], *end = c->term + c->first[k + 1];
  double z = line[exact_width(g, e) - 1];
  for (; term < end; term++) {
    guint i = *term - g->n;
    const HyPiece *p = *term >= g->n && i < g->rows.n_outer ? &g->rows.assumed[i] : NULL;
    if (p == NULL || e->sine[i] != HY_NO_SINE || p->c[1] != 0.0 || p->c[2] != 0.0 ||
        p->c[3] != 0.0) {
      return FALSE;
    }
    z += line[*term] * p->c[0];
  }
  return z > right;
}

/* One that is allowed to be beyond at first is not so any more from where it is seen to be right:
 * at a look, or on half of the way. */
static double exact_falls(HyClassic *g, guint k, double *until)
{
  Exact *e = g->method_state;
  HyClassicCrossing *c = &g_array_index(g->own.crossing, HyClassicCrossing, k);
  if (c->level == 0.0 && e->now->bent[k] == NULL && exact_stands(g, e, k, c->noise)) {
    return INFINITY;
  }
  ExactWatch watch;
  gboolean far = c->level == 0.0 && c->tries == 0;
  if (!exact_watch(g, e, k, 0.0, 0.0, *until, far, &watch)) {
    return INFINITY;
  }
  double most = *until, s = exact_watch_falls(&watch, &c->level, c->noise, 0.0, most, until);
  double slope, half = 0.5 * fmin(s, *until);
  if (!(half < INFINITY) || (c->level == 0.0 && c->tries == 0)) {
    return s;
  }
  gboolean beyond = c->level < 0.0;
  hy_classic_passes(c, exact_watch_at(&watch, half, &slope));
  return !beyond || c->level < 0.0
             ? s
             : exact_watch_falls(&watch, &c->level, c->noise, half, most, until);
}

/* At END z is as much below 0 as counts, and NOISE above it in WATCH: where it is 0 before, by
 * tangents. */
static double exact_back(ExactWatch *watch, double noise, double from, double end)
{
  double s = end, before = INFINITY;
  for (int i = 0; i < BACK && s != before; i++) {
    double slope, z = exact_watch_at(watch, s, &slope) - noise;
    if (!(slope < 0.0)) {
      return end;
    }
    before = s;
    s = fmin(fmax(s - z / slope, from), end);
  }
  return s;
}

/* Likewise; on half of the way from FROM on. Looks are a matter of cost, so what takes many is
 * looked for a few times more. */
static double exact_meets(HyClassic *g, HyMeeting *m, double t, double *until)
{
  Exact *e = exact_standing(g);
  double from = t - e->base;
  double sign = m->above ? 1.0 : -1.0, most = *until, s = INFINITY, slope;
  ExactWatch watch;
  exact_watch(g, e, g->own.crossing->len + 2 * m->place + !m->above,
              hy_classic_meeting_side(m, e->base, 0.0) + m->noise, -sign * m->slope, most, FALSE,
              &watch);
  gboolean begins = !(from > 0.0) && watch.bent == NULL;
  double z = begins ? watch.line.p[0] : exact_watch_at(&watch, from, &slope);
  hy_classic_meeting_level(m, t, z - m->noise);
  double level = m->level;
  *until = from;
  if (z < level) { /* a jump has put it there, and it may be on its way back */
    return from;
  }
  int again = watch.bent == NULL ? AGAIN : 1;
  for (int i = 0; i < again && s == INFINITY && *until < most; i++) {
    s = exact_watch_falls(&watch, &level, 2.0 * m->noise, *until, most, until);
  }
  double middle = from + 0.5 * (fmin(s, *until) - from);
  if ((level < 0.0 || m->tries > 0) && middle < INFINITY) {
    z = exact_watch_at(&watch, middle, &slope) - m->noise;
    m->away = hy_classic_meeting_leaves(m, z) ? e->base + middle : INFINITY;
    if (level < 0.0 && z > m->noise) {
      level = 0.0;
      s = exact_watch_falls(&watch, &level, 2.0 * m->noise, middle, most, until);
    }
  }
  s = s < INFINITY && level == 0.0 ? exact_back(&watch, m->noise, from, s) : s;
  m->right = level == 0.0 ? e->base + fmin(s, *until) : INFINITY;
  return s;
}

/* A radian of the fastest sine: so far what follows one is a series of few terms. */
static double exact_near(const HyClassic *g)
{
  const Exact *e = g->method_state;
  double fastest = 0.0;
  for (int i = 0; i < e->sines.n; i++) {
    fastest = fmax(fastest, e->turn[i]);
  }
  return fastest > 0.0 ? 1.0 / fastest : INFINITY;
}

/* Pieces -------------------------------------------------------------------------------------- */

#define LONGER  1e3  /* the first try: so many times the last piece, at most */
#define AIM     0.5  /* of the tolerance, where a piece is tried again */
#define GONE    15.0 /* time constants after which a mode has died out */
#define AT_ONCE 0.02 /* of a piece: what dies out within it is over when the piece begins */
#define MOVED   0.5  /* of a tolerance: so far fast modes may take a member before they die out */
#define ASIDE   0.2  /* of a piece: where it is looked at beside its middle */
#define QUARTER 0.25 /* of a period: the longest piece of what swings */

/* Of a piece: that of its smaller end; of a reading that of its larger one. A reading has a size of
 * its own, for which abstol may be nothing (1e7 A/s), and passes by 0 all the time. */
static double exact_tolerance(const HyClassic *g, guint i)
{
  double from = fabs(g->out.y_from[i]), to = fabs(g->out.y[i]);
  return hy_classic_tolerance(g, i, i < g->n ? fmin(from, to) : fmax(from, to));
}

/* How many tolerances the cubic from FROM on for H misses the solution by at a part of it, of the
 * members that somebody hears, whose bends and tolerances are known. */
static double exact_strays(HyClassic *g, double from, double h, double part)
{
  const Exact *e = g->method_state;
  double worst = 0.0, s = part * h;
  exact_dense(g, from + s, 0, g->out.half);
  hy_classic_read(g, from + s, g->out.half, NULL);
  for (guint i = 0; i < g->n + g->spoken; i++) {
    if (g->out.open[i]) {
      double missed = fabs(hy_classic_cubic(g, i, h, s, e->bend[i]) - g->out.half[i]);
      double by = missed / e->allowed[i];
      worst = !isfinite(missed) ? INFINITY /* inputs have not been said for so far ahead */
              : by > worst      ? by
                                : worst;
    }
  }
  return worst;
}

/* How far mode K, or behind the modes a sine, moves reading I, RATE being what the mode does. */
static double exact_reading_swings(HyClassic *g, guint i, int k, double complex rate)
{
  const Exact *e = g->method_state;
  const HyModal *m = &e->now->modal;
  int sine = k - m->modes;
  double size = 0.0;
  hy_classic_reading_line(g, i, e->line);
  for (guint j = 0; j < g->n; j++) {
    size += fabs(e->line[j]) *
            (sine < 0 ? hy_modal_reach(m, k, rate, (int)j)
                      : cabs(e->sines.follow[(gsize)j * (gsize)e->sines.n + (gsize)sine]));
  }
  for (guint j = 0; j < g->rows.n_outer && sine >= 0; j++) {
    gboolean own = e->sine[j] == (guint)sine;
    size += own ? fabs(e->line[g->n + j] * g->rows.sine[j].amplitude) : 0.0;
  }
  return size;
}

/* From FROM on, the highest rate at which a member that somebody hears swings by more than its
 * tolerance; what is looked at only now and then may swing by whole periods in between. */
static double exact_swings(HyClassic *g, double from)
{
  const Exact *e = g->method_state;
  const HyModal *m = &e->now->modal;
  double fastest = 0.0;
  for (int k = 0; k < m->modes + e->sines.n; k++) {
    int sine = k - m->modes;
    double w = sine < 0 ? fabs(cimag(m->rate[k])) : e->turn[sine];
    double complex rate = 0.0;
    if (w > fastest && sine < 0) {
      hy_motion_mode(&e->motion, k, from - e->base, &rate);
    }
    for (guint i = 0; i < g->n && w > fastest; i++) {
      double tolerance = hy_classic_tolerance(g, i, g->out.y_from[i]);
      if (g->out.open[i] &&
          (sine < 0
               ? hy_modal_reaches(m, k, rate, (int)i, tolerance)
               : cabs(e->sines.follow[(gsize)i * (gsize)e->sines.n + (gsize)sine]) > tolerance)) {
        fastest = w;
      }
    }
    for (guint i = 0; i < g->spoken && w > fastest; i++) {
      if (!g->out.open[g->n + i]) {
        continue;
      }
      double size = exact_reading_swings(g, i, k, rate);
      fastest = size > hy_classic_tolerance(g, g->n + i, g->out.y_from[g->n + i]) ? w : fastest;
    }
  }
  return fastest;
}

/* How many tolerances the parabola that would be said misses the solution by: the cubic, and that
 * the solution. Y, DY at the end: of OUT; those at FROM are known. */
static double exact_missed(HyClassic *g, double from, double h)
{
  const Exact *e = g->method_state;
  double said = 0.0;
  exact_both(g, from + h, g->out.y, g->out.dy);
  hy_classic_read(g, from + h, g->out.y, g->out.dy);
  for (guint i = 0; i < g->n + g->spoken; i++) {
    if (g->out.open[i]) {
      e->bend[i] = hy_classic_bend(g, i, h);
      e->allowed[i] = exact_tolerance(g, i);
      double missed = hy_classic_parabola_misses(g, i, h, e->bend[i]), by = missed / e->allowed[i];
      said = !isfinite(missed) ? INFINITY : by > said ? by : said;
    }
  }
  return said <= 1.0 ? said + fmax(exact_strays(g, from, h, 0.5), exact_strays(g, from, h, ASIDE))
                     : said;
}

/* The time from FROM on after which fast modes have died out, which is nothing beside H. */
static double exact_settled(const Exact *e, double h)
{
  const HyModal *m = &e->now->modal;
  double over = 0.0;
  for (int k = 0; k < m->modes; k++) {
    double lasts = creal(m->rate[k]) < 0.0 ? GONE / -creal(m->rate[k]) : INFINITY;
    over = lasts < AT_ONCE * h ? fmax(over, lasts) : over;
  }
  return over;
}

/* After a toggle fast modes die out before anybody can hear of it: what is said from FROM on is
 * what is there, and goes on as they leave it, unless they have moved a member by a part of its
 * tolerance. The value stays: it would be another one on each side of a toggle. */
static void exact_skip(HyClassic *g, double from, double h)
{
  double over = exact_settled(g->method_state, h);
  if (!(over > 0.0) || from + over == from) {
    return;
  }
  exact_both(g, from + over, g->out.y, g->out.dy);
  hy_classic_read(g, from + over, g->out.y, g->out.dy);
  for (guint i = 0; i < g->n + g->spoken; i++) {
    double y = g->out.y[i] - over * g->out.dy[i];
    if (fabs(y - g->out.y_from[i]) <= MOVED * hy_classic_tolerance(g, i, y)) {
      g->out.dy_from[i] = g->out.dy[i];
    }
  }
}

/* How far to try at first: all of REST, or what the last piece says. */
static double exact_first_try(HyClassic *g, double from, double rest)
{
  const Exact *e = g->method_state;
  double longest = fmax(e->length, LONGER * DBL_EPSILON * fabs(from));
  double h = fmin(rest, e->length > 0.0 ? longest : rest);
  h = fmin(h, QUARTER * HY_FULL_TURN / exact_swings(g, from));
  if (!(h < INFINITY)) {
    const HyModal *m = &e->now->modal;
    double rate = m->modes > 0 ? cabs(m->rate[m->modes - 1]) : 0.0;
    h = rate > 0.0 ? 1.0 / fmax(rate, DBL_MIN) : 1.0; /* a number, also of 1e-310 */
  }
  return h;
}

/* The end of the piece from FROM on: as long as it holds. What a parabola misses grows like the
 * third power of its length. */
static double exact_reach(HyClassic *g, double from)
{
  Exact *e = exact_standing(g);
  double end = fmin(g->t1, g->own.next), rest = end - from;
  double h = exact_first_try(g, from, rest);
  exact_skip(g, from, h);
  double missed = exact_missed(g, from, h);
  while (from + SHORTER * h > from && !(missed <= 1.0)) {
    h *= fmax(SHORTER, 0.9 * cbrt(AIM / missed));
    missed = exact_missed(g, from, h);
  }
  double length = h * fmin(LONGER, cbrt(AIM / fmax(missed, DBL_MIN)));
  e->length = h < rest ? length : fmax(length, e->length);
  return h < rest ? from + h : end;
}

static void exact_totals(const HyClassic *g, HyClassicTotals *totals)
{
  (void)g, (void)totals; /* counted as they happen */
}

static void exact_tape(HyClassic *g, HyTape *tape)
{
  if (g->begun && g->method_state == NULL) { /* it has given way since the copy was made */
    const char *why;
    g->method_state = exact_new(g, &why);
  }
  Exact *e = g->method_state;
  if (g->begun && e == NULL) {
    hy_tape_reject(tape, "its group cannot be solved as the file has it");
  } else if (g->begun) {
    double *wave = (double *)(gpointer)e->wave;
    HY_TAPE_ARRAY(tape, e->x0, g->n);
    HY_TAPE_ARRAY(tape, e->u, (gsize)g->n * HY_MODAL_LANES);
    HY_TAPE(tape, e->lanes);
    HY_TAPE_ARRAY(tape, wave, 2 * (gsize)g->n * (gsize)e->sines.n);
    HY_TAPE(tape, e->base);
    HY_TAPE(tape, e->length);
    HY_TAPE_ARRAY(tape, e->asked.reads, READS);
    HY_TAPE(tape, e->doubt);
    HY_TAPE(tape, e->lost);
    hy_lazy_tape(&e->lazy, tape);
    e->now = NULL;
    e->asked.t = NAN;
  }
}

const HyStepper hy_classic_exact = {.start = exact_start,
                                    .step = exact_step,
                                    .finish = exact_finish,
                                    .dense = exact_dense,
                                    .reach = exact_reach,
                                    .bears = exact_bears,
                                    .late = exact_late,
                                    .quiet = exact_quiet,
                                    .turning = exact_turning,
                                    .falls = exact_falls,
                                    .meets = exact_meets,
                                    .near = exact_near,
                                    .look = hy_exact_look,
                                    .ask = hy_exact_ask,
                                    .read = hy_exact_read,
                                    .totals = exact_totals,
                                    .clear = exact_clear,
                                    .tape = exact_tape};

/* For whoever looks (exact.h) ----------------------------------------------------------------- */

/* The block that all states of ROOM are in; NULL: there is none. */
static HyClassic *exact_only(const HyRoom *room)
{
  HyClassic *g = room->groups.classic->len == 1 ? g_ptr_array_index(room->groups.classic, 0) : NULL;
  gboolean all = g != NULL && g->n == room->states->len && g->stepper == &hy_classic_exact;
  return all && g->begun && g->method_state != NULL ? g : NULL;
}

gboolean hy_exact_step(const HyRoom *room, HyExactStep *step)
{
  const HyClassic *g = exact_only(room);
  const Exact *e = g != NULL ? g->method_state : NULL;
  if (e == NULL || e->now == NULL) {
    return FALSE;
  }
  *step = (HyExactStep){.n = g->n,
                        .n_outer = g->rows.n_outer,
                        .n_inputs = e->inputs,
                        .n_flags = g->rows.n_flags,
                        .number = g->totals.steps,
                        .base = e->base,
                        .modal = &e->now->modal,
                        .x0 = e->x0,
                        .u = e->u,
                        .by = e->now->by,
                        .sines = e->sines.n > 0 ? &e->sines : NULL,
                        .was = g->rows.was,
                        .assumed = g->rows.assumed,
                        .outer = g->rows.outer,
                        .next = g->own.next,
                        .after = g->own.after};
  return TRUE;
}

/* Of what it oscillates about 0 or its OFFSET with. */
static double exact_sine(const HySine *sine, double t, double *slope)
{
  double angle = hy_sine_angle(sine->frequency, sine->phase, t);
  *slope = sine->amplitude * HY_FULL_TURN * sine->frequency * cos(angle);
  return sine->offset + sine->amplitude * sin(angle);
}

double hy_exact_input(const HyRoom *room, const HyPiece *assumed, guint k, double t, double *slope)
{
  const HyClassic *g = exact_only(room);
  const Exact *e = g->method_state;
  int lanes = (int)room->diagram.lanes;
  double c[HY_MODAL_LANES];
  if (k >= g->rows.n_outer) {
    guint wave = k - g->rows.n_outer;
    HySine one = {1.0, e->turn[wave / 2] / HY_FULL_TURN, wave % 2 * 0.25 * HY_FULL_TURN, 0.0};
    return exact_sine(&one, t, slope);
  }
  if (e->sine[k] != HY_NO_SINE) {
    return exact_sine(&g->rows.sine[k], t, slope);
  }
  memcpy(c, assumed[k].c, sizeof c);
  hy_poly_shift(c, lanes, t - assumed[k].t);
  *slope = lanes > 1 ? c[1] : 0.0;
  return c[0];
}

/* Of a crossing whose line is LINE where the step that stands ends: along the motion, and by the
 * inputs. */
static double exact_slope(HyClassic *g, const double *line)
{
  const Exact *e = g->method_state;
  double sum = 0.0, slope;
  hy_motion_at(&e->motion, g->own.after, g->out.half, g->out.rate);
  for (guint i = 0; i < g->n; i++) {
    sum += line[i] * g->out.rate[i];
  }
  for (guint j = 0; j < e->inputs; j++) {
    hy_exact_input(g->room, g->rows.assumed, j, e->base + g->own.after, &slope);
    sum += line[g->n + j] * slope;
  }
  return sum;
}

/* Where a row that is not linear is looked at. */
static void exact_set(HyClassic *g, const double *x, const double *input)
{
  g->room->groups.valued = NULL;
  for (guint i = 0; i < g->n; i++) {
    g->rows.at[g->rows.slot[i]] = x[i];
  }
  for (guint k = 0; k < g->rows.n_outer; k++) {
    g->rows.at[g->rows.outer[k]] = input[k];
  }
  for (guint k = 0; k < g->rows.hub->len; k++) {
    const HyHub *hub = g_array_index(g->rows.hub, const HyHub *, k);
    g->rows.at[hub->slot] = hy_classic_row_value(g, hub->row);
  }
}

/* Of such a row LINE has the gradient, and as the rest what is missing in its value. */
static void exact_bend(HyClassic *g, const Exact *e, guint32 row, double *line)
{
  const HyRunRow *r = &g->room->run[row];
  double rest = hy_classic_row_value(g, row);
  memset(line, 0, exact_width(g, e) * sizeof *line);
  const double *factor = hy_classic_row_gradient(g, row);
  for (guint k = 0; k < r->n_slots; k++) {
    exact_add(g, e, r->slot[k], factor[k], line);
  }
  for (guint i = 0; i < g->n; i++) {
    rest -= line[i] * g->rows.at[g->rows.slot[i]];
  }
  for (guint k = 0; k < g->rows.n_outer; k++) {
    rest -= line[g->n + k] * g->rows.at[g->rows.outer[k]];
  }
  line[exact_width(g, e) - 1] = rest;
}

/* ROW in the modes WAS becomes LINE, hubs put into it; X: NULL where all is linear. */
static void exact_look(HyClassic *g, const guint8 *was, guint32 row, const double *x,
                       const double *input, double *line)
{
  Exact *e = g->method_state;
  g_autofree guint8 *kept = g_memdup2(g->rows.was, (gsize)g->rows.n_flags + 1);
  gboolean as_was = g->rows.as_was;
  memcpy(g->rows.was, was, g->rows.n_flags);
  g->rows.as_was = TRUE;
  if (x != NULL) {
    exact_set(g, x, input);
  }
  for (guint k = 0; k < g->rows.hub->len; k++) {
    guint32 hub = hy_classic_number_of_row(g, g->n + k);
    double *of_hub = e->row + (g->n + k) * exact_width(g, e);
    if (!e->bent[k]) {
      exact_row(g, e, hub, of_hub);
    } else if (x != NULL) {
      exact_bend(g, e, hub, of_hub);
    }
  }
  if (x != NULL && !exact_is_straight(g, e, row)) {
    exact_bend(g, e, row, line);
  } else {
    exact_row(g, e, row, line);
  }
  g->rows.as_was = as_was;
  memcpy(g->rows.was, kept, g->rows.n_flags);
}

void hy_exact_crossing(const HyRoom *room, const guint8 *was, guint crossing, const double *x,
                       const double *input, double *line)
{
  HyClassic *g = exact_only(room);
  const HyOwned *o = g_array_index(g->own.crossing, HyClassicCrossing, crossing).owned;
  guint place = 0;
  while (g->rows.flag[place] != o->flag) {
    place++;
  }
  exact_look(g, was, was[place] ? o->falls : o->rises, x, input, line);
  for (gsize i = 0; i < exact_width(g, g->method_state) && !was[place]; i++) {
    line[i] = -line[i];
  }
}

/* The line of crossing C where the step that stands ends. */
static void exact_ending(HyClassic *g, guint c, double *line)
{
  const Exact *e = g->method_state;
  g_autofree double *input = g_new(double, (gsize)e->inputs + 1);
  double slope;
  for (guint j = 0; j < e->inputs; j++) {
    input[j] = hy_exact_input(g->room, g->rows.assumed, j, e->base + g->own.after, &slope);
  }
  hy_motion_at(&e->motion, g->own.after, g->out.half, NULL);
  hy_exact_crossing(g->room, g->rows.was, c, g->out.half, input, line);
}

gboolean hy_exact_hit(const HyRoom *room, guint k, guint *crossing, double *gradient, double *slope)
{
  HyClassic *g = exact_only(room);
  const Exact *e = g->method_state;
  g_autofree double *line = g_new(double, exact_width(g, e));
  for (guint c = 0; c < g->own.crossing->len; c++) {
    if (g_array_index(g->own.crossing, HyClassicCrossing, c).hit && k-- == 0) {
      if (e->now->bent[c] == NULL) {
        memcpy(line, e->now->line + c * exact_width(g, e), exact_width(g, e) * sizeof *line);
      } else {
        exact_ending(g, c, line);
      }
      memcpy(gradient, line, g->n * sizeof *line);
      *slope = exact_slope(g, line);
      *crossing = c;
      return TRUE;
    }
  }
  return FALSE;
}

void hy_exact_watched(const HyRoom *room, const guint8 *was, guint k, const double *x,
                      const double *input, double *line)
{
  guint32 row = g_array_index(room->watched, HyRoomWatched, k).row;
  exact_look(exact_only(room), was, row, x, input, line);
}
