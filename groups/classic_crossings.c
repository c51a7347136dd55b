/* Crossings that a group finds in its own solution (equations/owned.h).
 *
 * Of each mode z is the row that decides it in its position, so signed that z > 0 where the mode is
 * right. After every step z is looked at its end; where it is wrong the earliest crossing is found
 * on the dense output, by the rule of Illinois (M. Dowell, P. Jarratt: A modified regula falsi
 * method for computing the root of an equation), and the step is used up to there. Whatever
 * crosses at that instant toggles. Then, in the order of ties, the first other mode that is wrong
 * toggles, until none is (the rule of the least index: K. G. Murty, Note on a Bard-type
 * scheme for solving the complementarity problem), and the method starts anew, once.
 *
 * What rests exactly at its level is compared as numbers are. Wrong by rounding is right
 * (classic_noise.c): no more than that, since 1 TOhm makes a volt of a picoampere. What has toggled
 * by its crossing is not judged again at that instant, unless other modes, which do not depend on
 * it, put its comparison elsewhere; it is looked for beyond `level` < 0 until it has been right,
 * since z may be at 0, or a trace on the other side.
 *
 * Where z is driven back from both sides (a sliding mode), level grows with every try, from the
 * noise to what the tolerances of the states make of z. So x slides in a band as wide as its
 * tolerance, and time goes on. */
#include "classic_internal.h"

#include "equations/members.h"
#include "equations/print.h"
#include "groups.h"
#include "numerics/sine.h"

#include <float.h>
#include <string.h>

#define LARGE    1e4   /* times its noise: z is no matter of rounding */
#define FINE     1e-12 /* of a step: how exactly a crossing is found */
#define HALVINGS 100
#define TOGETHER 1e-13               /* of the time since the step began: two crossings are one */
#define DIGITS   (4.0 * DBL_EPSILON) /* of the time: what rounding makes of an instant */
#define PARTS    8.0                 /* of a step, in which a driven crossing is looked at */
#define RADIANS  0.4                 /* of the fastest sine that drives it: no part is longer */
#define MOST     10000               /* toggles at one instant, turns, and looks */

/* Making -------------------------------------------------------------------------------------- */

void hy_classic_find_crossings(HyClassic *g)
{
  const HyRoom *room = g->room;
  g->own.crossing = g_array_new(FALSE, TRUE, sizeof(HyClassicCrossing));
  g->own.turn = g_array_new(FALSE, FALSE, sizeof(HyClassicTurn));
  g->own.y = g_new0(double, (gsize)g->n + 1);
  g->own.next = INFINITY;
  g->own.drifted = NAN;
  g->own.drift = g_new0(double, (gsize)g->n + 1);
  for (guint k = 0; k < room->owned->len; k++) {
    if (hy_owned(room, k)->group == g->number) {
      HyClassicCrossing c = {.owned = hy_owned(room, k)};
      c.hubs = hy_classic_reads_hubs(g, c.owned->rises) || hy_classic_reads_hubs(g, c.owned->falls);
      g->own.hubs |= c.hubs;
      g_array_append_val(g->own.crossing, c);
    }
  }
  g->own.look = g_new0(double, 2 * (gsize)g->own.crossing->len + 1);
  g->own.fastest = NAN;
}

void hy_classic_clear_crossings(HyClassic *g)
{
  g_clear_pointer(&g->own.crossing, g_array_unref);
  g_clear_pointer(&g->own.turn, g_array_unref);
  g_free(g->own.y);
  g_free(g->own.drift);
  g_free(g->own.look);
}

static HyClassicCrossing *crossing(const HyClassic *g, guint k)
{
  return &g_array_index(g->own.crossing, HyClassicCrossing, k);
}

/* Values -------------------------------------------------------------------------------------- */

static guint8 crossing_mode(const HyClassic *g, const HyClassicCrossing *c)
{
  return g->room->flag[c->owned->flag];
}

static guint32 crossing_row(const HyClassic *g, const HyClassicCrossing *c)
{
  return crossing_mode(g, c) ? c->owned->falls : c->owned->rises;
}

guint32 hy_classic_crossing_row(const HyClassic *g, guint k, gboolean *on)
{
  const HyOwned *o = crossing(g, k)->owned;
  *on = hy_classic_was(g, o->flag);
  return *on ? o->falls : o->rises;
}

/* z, at what hy_classic_set_now() has put into the array of values. */
static double crossing_value(HyClassic *g, const HyClassicCrossing *c)
{
  double z = hy_classic_row_value(g, crossing_row(g, c));
  return crossing_mode(g, c) ? z : -z;
}

/* The states at T, in the step that stands. */
static void crossing_look(HyClassic *g, double t)
{
  if (t == g->t1) {
    hy_classic_set_now(g, t, g->z);
  } else {
    g->stepper->dense(g, t, 0, g->own.y);
    hy_classic_set_now(g, t, g->own.y);
  }
}

static double crossing_at(HyClassic *g, gconstpointer of, double t)
{
  const HyClassicCrossing *c = of;
  crossing_look(g, t);
  return crossing_value(g, c) - c->level;
}

/* What a value of size Y may be wrong by: a member by its tolerance, or all by rounding. */
static double value_measure(const HyClassic *g, guint32 member, double y, gboolean tolerance)
{
  double e = member != HY_NO_PLACE ? hy_classic_tolerance(g, member, y) : 0.0;
  return tolerance ? e : HY_ROUNDING * (fabs(y) + e);
}

/* A sine that passes by 0 is as large as it becomes. */
static double slot_measure(const HyClassic *g, guint slot, gboolean tolerance)
{
  guint32 member = hy_classic_place(g, slot);
  const HySine *sine = member == HY_NO_PLACE ? hy_classic_sine(g, hy_classic_outer(g, slot)) : NULL;
  double y = sine != NULL ? fabs(sine->amplitude) + fabs(sine->offset) : g->rows.at[slot];
  return value_measure(g, member, y, tolerance);
}

/* Through hubs, which are few deep (rows.c). */
double hy_classic_measure(HyClassic *g, guint32 row, gboolean tolerance)
{
  const HyRunRow *r = &g->room->run[row];
  double few[16], *a = r->n_slots < G_N_ELEMENTS(few) ? few : g_new(double, r->n_slots + 1);
  memcpy(a, hy_classic_row_gradient(g, row), (r->n_slots + 1) * sizeof *a);
  double rest = r->linear ? a[r->n_slots] : hy_classic_row_value(g, row);
  double sum = value_measure(g, HY_NO_PLACE, rest, tolerance);
  for (guint k = 0; k < r->n_slots; k++) {
    guint slot = r->slot[k];
    const HyHub *hub =
        hy_classic_place(g, slot) == HY_NO_PLACE ? hy_rows_hub(&g->room->rows, slot) : NULL;
    sum += fabs(a[k]) * (hub != NULL ? hy_classic_measure(g, hub->row, tolerance)
                                     : slot_measure(g, slot, tolerance));
  }
  if (a != few) {
    g_free(a);
  }
  return isfinite(sum) ? sum : 0.0;
}

/* What was foreseen beyond T is another motion now. */
static void crossings_come_to(HyClassic *g, double t)
{
  for (guint k = 0; k < g->own.crossing->len && g->stepper->falls == NULL; k++) {
    HyClassicCrossing *c = crossing(g, k);
    c->level = t >= c->right ? 0.0 : c->level;
    c->right = INFINITY;
  }
}

/* Z is wrong at T. Of a method that does not know its motion, what it has corrected within its
 * tolerance since C was found to cross is no reason to turn back, where no row reads the mode. */
static gboolean is_wrong(HyClassic *g, const HyClassicCrossing *c, double z, double t)
{
  gboolean corrects = g->stepper->falls == NULL && c->owned->late && t < c->right;
  if (!(z < 0.0) || !corrects || z < c->level) {
    return z < 0.0;
  }
  return z < -hy_classic_measure(g, crossing_row(g, c), TRUE);
}

/* Z at T is beyond rounding; looked at closely only where it is small. */
static gboolean crossing_counts(HyClassic *g, HyClassicCrossing *c, double z, double t)
{
  if (!(c->noise > 0.0 && fabs(z) > LARGE * c->noise)) {
    c->noise = hy_classic_noise(g, crossing_row(g, c), t);
  }
  return fabs(z) > c->noise;
}

/* Resting ------------------------------------------------------------------------------------- */

static gboolean row_rests(HyClassic *g, guint32 row, gboolean states);

/* What is said at SLOT is constant now: a member whose derivative is 0 (if STATES), a hub of such,
 * an input in a constant piece. */
static gboolean slot_rests(HyClassic *g, guint slot, gboolean states)
{
  guint32 member = hy_classic_place(g, slot);
  if (member != HY_NO_PLACE) {
    return states && hy_classic_row_value(g, hy_classic_row(g, member)) == 0.0;
  }
  const HyHub *hub = hy_rows_hub(&g->room->rows, slot);
  if (hub != NULL) {
    return row_rests(g, hub->row, states);
  }
  const double *c = g->room->signal[slot].c;
  return hy_classic_sine(g, hy_classic_outer(g, slot)) == NULL && c[1] == 0.0 && c[2] == 0.0 &&
         c[3] == 0.0;
}

/* Nothing moves ROW: what it reads rests, or has no weight in it. Through hubs, which are few deep
 * (rows.c). */
static gboolean row_rests(HyClassic *g, guint32 row, gboolean states)
{
  const HyRunRow *r = &g->room->run[row];
  gsize size = (r->n_slots + 1) * sizeof(double);
  g_autofree double *a = g_memdup2(hy_classic_row_gradient(g, row), size);
  gboolean rest = TRUE;
  for (guint k = 0; rest && k < r->n_slots; k++) {
    rest = a[k] == 0.0 || slot_rests(g, r->slot[k], states);
  }
  return rest;
}

/* A comparison that counts as above and has come to rest on its level is below, as numbers are
 * (numerics/crossing.h). Rows of states read hubs that nobody may have needed until now. */
static gboolean crossing_rests_below(HyClassic *g, const HyClassicCrossing *c, double z,
                                     gboolean states)
{
  const HyOwned *o = c->owned;
  if (z != 0.0 || o->rises != o->falls || !crossing_mode(g, c)) {
    return FALSE;
  }
  if (states) {
    hy_classic_set_hubs(g);
  }
  return row_rests(g, o->falls, states);
}

gboolean hy_classic_comes_to_rest(HyClassic *g, double t)
{
  gboolean any = FALSE;
  crossing_look(g, t);
  for (guint k = 0; k < g->own.crossing->len; k++) {
    const HyClassicCrossing *c = crossing(g, k);
    any |= crossing_rests_below(g, c, crossing_value(g, c), TRUE);
  }
  for (guint k = 0; any && k < g->own.crossing->len; k++) {
    crossing(g, k)->hit = FALSE;
    g->own.next = t;
  }
  return any;
}

/* Finding ------------------------------------------------------------------------------------- */

double hy_classic_locate(HyClassic *g, HyClassicValue *z, gconstpointer of, double from, double to)
{
  double fa = z(g, of, from), fb = z(g, of, to);
  double close = fmax(FINE * (to - from), 2.0 * DBL_EPSILON * fabs(to)); /* more than a digit */
  if (!(fa >= 0.0)) {
    return from;
  }
  int side = 0;
  for (int k = 0; k < HALVINGS && to - from > close; k++) {
    double s = (to - from) * (k % 8 == 7 ? 0.5 : fa / (fa - fb));
    double t = from + fmin(fmax(s, 0.5 * close), (to - from) - 0.5 * close);
    if (!(t > from && t < to)) {
      break;
    }
    double f = z(g, of, t);
    if (f >= 0.0) {
      fb *= side == 1 ? 0.5 : 1.0;
      from = t, fa = f, side = 1;
    } else {
      fa *= side == -1 ? 0.5 : 1.0;
      to = t, fb = f, side = -1;
    }
  }
  return to;
}

/* It has been right, and need not be looked for on the other side any more. What slides comes back
 * by what the last try has let pass, and no more: a comparison that has been farther than that does
 * not slide, however much tolerances, by a small resistance, could make of it. */
void hy_classic_passes(HyClassicCrossing *c, double z)
{
  double slides = c->owned->rises == c->owned->falls ? c->band : c->width;
  c->level = z > c->noise ? 0.0 : c->level;
  c->tries = z > 2.0 * slides ? 0 : c->tries;
}

/* At T, to which crossing_look() has moved: who is beyond. */
static gboolean find_hits(HyClassic *g)
{
  gboolean any = FALSE;
  for (guint k = 0; k < g->own.crossing->len; k++) {
    HyClassicCrossing *c = crossing(g, k);
    c->was = c->z;
    c->z = crossing_value(g, c);
    c->hit = c->z < c->level;
    any |= c->hit;
  }
  return any;
}

/* With a method that knows its solution whole: when the first of them crosses, as far as *SURE,
 * which becomes how far that is known. */
static double seek_within(HyClassic *g, double *sure)
{
  double first = INFINITY;
  for (guint k = 0; k < g->own.crossing->len; k++) {
    double until = fmin(*sure, first * (1.0 + 2.0 * TOGETHER) + DBL_MIN);
    HyClassicCrossing *c = crossing(g, k);
    c->at = g->stepper->falls(g, k, &until);
    first = fmin(first, c->at);
    *sure = c->at < INFINITY ? *sure : fmin(*sure, until);
  }
  return *sure < first ? INFINITY : first; /* one of them may have come before */
}

/* With a method that knows its solution whole: all that cross first do so together, also those that
 * rounding sets apart, such as one condition in several formulas. They are looked for as
 * far as that is cheap, and then some periods further: there a step ends that nothing else ends,
 * for who looks for ever at what a sine never reaches pays at each start. */
static void seek_exactly(HyClassic *g)
{
  double whole = g->t1 - g->t0, near = fmin(whole, g->stepper->near(g)), sure = near;
  double far = fmin(whole, HY_FAR * near), first = seek_within(g, &sure);
  if (first == INFINITY && sure == near && near < far) {
    sure = far;
    first = seek_within(g, &sure);
  }
  for (guint k = 0; k < g->own.crossing->len; k++) {
    HyClassicCrossing *c = crossing(g, k);
    c->hit = first < INFINITY && c->at <= first * (1.0 + TOGETHER);
  }
  g->own.after = first;
  g->own.next = g->t0 + first;
  if (first == INFINITY && g->t0 + sure < g->t1) { /* as far as that */
    g->t1 = g->end = g->t0 + sure;
  }
}

/* What follows from own crossings at T, the first of them. */
static void seek_found(HyClassic *g, double t)
{
  crossing_look(g, t);
  find_hits(g);
  g->own.next = t;
}

/* Where in 0 .. 1 the parabola is lowest that is WAS, MIDDLE and z of C at 0, 1/2 and 1: if it is
 * beyond there. Else 1. */
static double crossing_lowest(const HyClassicCrossing *c, double middle)
{
  double b = 2.0 * (c->was + c->z - 2.0 * middle), a = c->z - c->was - b;
  gboolean inside = b > 0.0 && a < 0.0 && -a < 2.0 * b;
  return inside && c->was - 0.25 * a * a / b < c->level ? -0.5 * a / b : 1.0;
}

/* Where all states are parabolas, so is z as a rule: a step may be beyond in between though it is
 * not at its ends, by more than what the tolerances make of it. FALSE: it is not. */
static gboolean seek_dips(HyClassic *g, double before)
{
  double h = g->t1 - g->t0, first = INFINITY;
  crossing_look(g, g->t0 + 0.5 * h);
  for (guint k = 0; k < g->own.crossing->len; k++) {
    HyClassicCrossing *c = crossing(g, k);
    c->at = crossing_lowest(c, crossing_value(g, c));
  }
  for (guint k = 0; k < g->own.crossing->len; k++) {
    HyClassicCrossing *c = crossing(g, k);
    double t = g->t0 + c->at * h;
    if (c->at < 1.0 && t > g->t0 && t < before &&
        crossing_at(g, c, t) < -hy_classic_measure(g, crossing_row(g, c), TRUE)) {
      first = fmin(first, hy_classic_locate(g, crossing_at, c, g->t0, t));
    }
  }
  if (first < INFINITY) {
    seek_found(g, first);
  }
  return first < INFINITY;
}

/* Driven: what sources make of z bends though the states do not, and a method that only knows its
 * states steps over it, as over the top of a mains voltage while a rectifier blocks. ---------- */

static gboolean is_driven(HyClassic *g, guint32 row)
{
  const HyRunRow *r = &g->room->run[row];
  gboolean any = FALSE;
  for (guint k = 0; k < r->n_slots && !any; k++) { /* through hubs, which are few deep (rows.c) */
    const HyHub *hub = hy_rows_hub(&g->room->rows, r->slot[k]);
    any = hub != NULL
              ? is_driven(g, hub->row)
              : hy_classic_place(g, r->slot[k]) == HY_NO_PLACE && !slot_rests(g, r->slot[k], FALSE);
  }
  return any;
}

double hy_classic_row_fastest(const HyClassic *g, guint32 row)
{
  const HyRunRow *r = &g->room->run[row];
  HyWavyRow *wavy = r->linear ? NULL : hy_wavy_row_new(g->room, r);
  double fastest = 0.0;
  for (guint k = 0; wavy != NULL && k < wavy->wave->len; k++) {
    fastest = fmax(fastest, g_array_index(wavy->wave, HyWave, k).w);
  }
  hy_wavy_row_free(wavy);
  for (guint k = 0; k < r->n_slots; k++) {
    const HyHub *hub = hy_rows_hub(&g->room->rows, r->slot[k]);
    HySine sine = {.frequency = 0.0};
    gboolean has = hub == NULL && hy_room_is_sine(g->room, r->slot[k], &sine);
    fastest = fmax(fastest, hub != NULL ? hy_classic_row_fastest(g, hub->row)
                            : has       ? HY_FULL_TURN * sine.frequency
                                        : 0.0);
  }
  return fastest;
}

static double seek_fastest(HyClassic *g)
{
  if (isnan(g->own.fastest)) {
    g->own.fastest = 0.0;
    for (guint k = 0; k < g->own.crossing->len; k++) {
      const HyOwned *o = crossing(g, k)->owned;
      double fastest =
          fmax(hy_classic_row_fastest(g, o->rises), hy_classic_row_fastest(g, o->falls));
      g->own.fastest = fmax(g->own.fastest, fastest);
    }
  }
  return g->own.fastest;
}

/* C, which has been FROM and MIDDLE and is NOW, H apart and up to T, all above its level: when it
 * has been below in between, by more than what the tolerances make of it; INFINITY: it has not. */
static double seek_lowest(HyClassic *g, const HyClassicCrossing *c, double from, double middle,
                          double now, double t, double h)
{
  double b = 2.0 * (from + now - 2.0 * middle), a = now - from - b;
  gboolean inside = b > 0.0 && a < 0.0 && -a < 2.0 * b;
  if (!inside || from - 0.25 * a * a / b >= 0.0) {
    return INFINITY;
  }
  double lowest = t - 2.0 * h + 2.0 * h * (-0.5 * a / b), found = INFINITY;
  if (crossing_at(g, c, lowest) < -hy_classic_measure(g, crossing_row(g, c), TRUE)) {
    found = hy_classic_locate(g, crossing_at, c, t - 2.0 * h, lowest);
  }
  crossing_look(g, t);
  return found;
}

/* The N-th look, at T, to which crossing_look() has moved, at C: as above. */
static double seek_at(HyClassic *g, HyClassicCrossing *c, guint n, double t, double h)
{
  double *z = g->own.look + 2 * (c - crossing(g, 0)), now = crossing_value(g, c) - c->level;
  double before = z[0];
  z[0] = z[1];
  z[1] = now;
  if (n > 0 && now < 0.0) {
    double found = hy_classic_locate(g, crossing_at, c, t - h, t);
    crossing_look(g, t);
    return found;
  }
  return n > 1 ? seek_lowest(g, c, before, z[0], now, t, h) : INFINITY;
}

/* At all of them; INFINITY: none is found. */
static double seek_look(HyClassic *g, guint n, double t, double h)
{
  double first = INFINITY;
  crossing_look(g, t);
  for (guint k = 0; k < g->own.crossing->len; k++) {
    HyClassicCrossing *c = crossing(g, k);
    if (c->driven) {
      first = fmin(first, seek_at(g, c, n, t, h));
    }
  }
  return first;
}

/* From FROM to TO, where none of them has been found beyond until now. FALSE: none is. */
static gboolean seek_driven(HyClassic *g, double from, double to)
{
  double first = INFINITY, whole = to - from;
  gboolean any = FALSE;
  for (guint k = 0; k < g->own.crossing->len; k++) {
    HyClassicCrossing *c = crossing(g, k);
    c->driven = c->owned->late || is_driven(g, crossing_row(g, c));
    any |= c->driven;
  }
  double parts = fmin(fmax(PARTS, ceil(whole * seek_fastest(g) / RADIANS)), MOST);
  guint n = any && whole > 0.0 && whole < INFINITY ? (guint)parts : 0;
  for (guint i = 0; i <= n && n > 0 && first == INFINITY; i++) {
    first = seek_look(g, i, i < n ? from + whole / n * i : to, whole / n);
  }
  if (first < INFINITY) {
    seek_found(g, first);
  }
  return first < INFINITY;
}

/* Whether a source turns where a crossing is found, which may be a touch then, is known after its
 * word: the crossing waits for that until a digit of the time later. */
static void seek_waits(HyClassic *g)
{
  double found = g->own.next;
  gboolean exact = g->stepper->falls != NULL;
  double near = DIGITS * fabs(found);
  if (!(found < INFINITY) || (exact && found > g->t0 + near && g->t1 > found + near)) {
    return; /* exact steps end at the next word behind their begin */
  }
  double word = hy_classic_next_word(g, nextafter(found, -INFINITY));
  double later = nextafter(word, INFINITY);
  if (word <= found + near && (exact || later <= g->t1)) {
    g->own.next = later;
    g->own.after += later - found;
    g->t1 = fmax(g->t1, later);
    g->end = fmax(g->end, later);
  }
}

static void seek_first(HyClassic *g, double from)
{
  g->own.close = g->stepper->falls == NULL ? FINE * (g->t1 - from) : 0.0;
  if (g->stepper->falls != NULL) {
    seek_exactly(g);
    return;
  }
  double to = g->t1;
  crossings_come_to(g, from);
  crossing_look(g, to);
  gboolean any = find_hits(g);
  for (guint k = 0; k < g->own.crossing->len && any; k++) {
    if (crossing(g, k)->hit && crossing_at(g, crossing(g, k), to) < 0.0) {
      to = hy_classic_locate(g, crossing_at, crossing(g, k), from, to);
    }
  }
  if ((g->stepper->parabola != NULL && from == g->t0 && seek_dips(g, to)) ||
      seek_driven(g, from, to)) {
    return;
  }
  if (any) {
    seek_found(g, to);
  }
  for (guint k = 0; k < g->own.crossing->len && !any; k++) {
    HyClassicCrossing *c = crossing(g, k);
    c->right = c->z > c->noise ? to : INFINITY;
    c->tries = c->z > 2.0 * c->width ? 0 : c->tries;
  }
}

void hy_classic_seek(HyClassic *g, double from)
{
  g->own.next = INFINITY;
  if (g->own.crossing->len > 0) {
    seek_first(g, from);
    seek_waits(g);
  }
}

/* Deciding ------------------------------------------------------------------------------------ */

static void crossing_toggle(HyClassic *g, HyClassicCrossing *c, double t)
{
  HyClassicTurn turn = {.crossing = (guint32)(c - crossing(g, 0)),
                        .mode = !crossing_mode(g, c),
                        .found = c->hit != FALSE};
  g_array_append_val(g->own.turn, turn);
  g->own.deciding = TRUE;
  hy_owned_turn(g->room, c->owned, !crossing_mode(g, c), t);
  g->own.deciding = FALSE;
  g->totals.crossings++;
  c->noise = 0.0; /* rows of two sides measure two things */
}

/* Z is where a crossing finds it, at its level, and not where a jump of an input has put it. */
static gboolean is_at_level(HyClassic *g, const HyClassicCrossing *c)
{
  guint32 row = crossing_row(g, c);
  double beyond = c->level - crossing_value(g, c);
  return beyond <= 0.0 || beyond <= hy_classic_measure(g, row, FALSE) ||
         beyond <= hy_classic_measure(g, row, TRUE);
}

/* What comparisons are made of; HUBS: some of them reads any. */
static void set_compared(HyClassic *g, double t, const double *y, gboolean hubs)
{
  hy_classic_set_slots_now(g, t, y);
  if (hubs) { /* each toggle may change factors of many rows */
    hy_classic_set_hubs(g);
  }
}

/* What a jump has put beyond is no crossing: it may be so in modes that the same jump turns, and is
 * judged like any other. */
static void toggle_hits(HyClassic *g, double t)
{
  gboolean any = FALSE;
  set_compared(g, t, g->z, g->own.hubs);
  for (guint k = 0; k < g->own.crossing->len; k++) {
    HyClassicCrossing *c = crossing(g, k);
    c->hit = c->hit && g->own.next <= t && is_at_level(g, c);
    any |= c->hit;
  }
  if (any) {
    hy_classic_set_hubs(g); /* rows read them */
    hy_classic_drift(g, t, fmax(DIGITS * fabs(t), g->own.close));
  }
  for (guint k = 0; k < g->own.crossing->len; k++) {
    HyClassicCrossing *c = crossing(g, k);
    if (c->hit) {
      c->tries += c->level < 0.0;
      crossing_toggle(g, c, t);
    }
  }
}

static gboolean row_follows(const HyClassic *g, guint32 row, guint flag, guint8 *seen);

static gboolean mode_follows(const HyClassic *g, guint mode, guint flag, guint8 *seen)
{
  gboolean any = mode == flag;
  for (guint k = 0; !any && k < g->own.crossing->len; k++) {
    const HyOwned *o = crossing(g, k)->owned;
    if (o->flag == mode && !seen[k]) {
      seen[k] = TRUE;
      any = row_follows(g, o->rises, flag, seen) || row_follows(g, o->falls, flag, seen);
    }
  }
  return any;
}

/* ROW reads FLAG, or a mode that does so in turn, also through hubs. SEEN: crossings until now. */
static gboolean row_follows(const HyClassic *g, guint32 row, guint flag, guint8 *seen)
{
  const HyRunRow *r = &g->room->run[row];
  gboolean any = FALSE;
  for (guint k = 0; !any && k < r->shape->n_flags; k++) {
    any = mode_follows(g, r->flag[k], flag, seen);
  }
  for (guint k = 0; !any && k < r->n_slots; k++) {
    const HyHub *hub = hy_rows_hub(&g->room->rows, r->slot[k]);
    any = hub != NULL && row_follows(g, hub->row, flag, seen);
  }
  return any;
}

/* Modes that have turned at the same instant have put a comparison beyond that was found at its
 * level, or to rest there: it was at that of a branch that holds no more, as where 0 > limit(x, 0,
 * 1) is found when x crosses 0. Not where its own mode takes part in that, as with diodes that turn
 * one another, or a state that it stops: there it has been answered. */
static gboolean is_moved_away(HyClassic *g, const HyClassicCrossing *c)
{
  const HyOwned *o = c->owned;
  gboolean beyond = c->z < 0.0 && !is_at_level(g, c);
  if (o->rises != o->falls || !(beyond || crossing_rests_below(g, c, c->z, FALSE))) {
    return FALSE;
  }
  g_autofree guint8 *seen = g_new0(guint8, g->own.crossing->len);
  return !row_follows(g, o->falls, o->flag, seen);
}

/* The first that is wrong; NULL: none is. */
static HyClassicCrossing *first_wrong(HyClassic *g, double t)
{
  set_compared(g, t, g->z, g->own.hubs);
  for (guint k = 0; k < g->own.crossing->len; k++) {
    HyClassicCrossing *c = crossing(g, k);
    c->z = crossing_value(g, c);
    c->hit = c->hit && !is_moved_away(g, c);
    if (!c->hit && ((is_wrong(g, c, c->z, t) && crossing_counts(g, c, c->z, t)) ||
                    crossing_rests_below(g, c, c->z, TRUE))) {
      return c;
    }
  }
  return NULL;
}

/* What comes from outside at T is answered at once, by the rank of the block that it reaches: its
 * modes are judged at the states as they are. A crossing that has been found and is not yet turned
 * is none where the same word has moved it away. */
static gboolean is_judged_wrong(HyClassic *g, HyClassicCrossing *c, double t)
{
  c->z = crossing_value(g, c);
  gboolean counts = crossing_counts(g, c, c->z, t);
  gboolean answered = c->hit && g->own.turned == t && !is_moved_away(g, c);
  if (counts && !answered) {
    c->hit = FALSE;
  }
  return !c->hit && ((is_wrong(g, c, c->z, t) && counts) || crossing_rests_below(g, c, c->z, TRUE));
}

static void judge_at(HyClassic *g, double t, gboolean hubs)
{
  hy_classic_states_now(g, t, g->own.y);
  set_compared(g, t, g->own.y, hubs);
}

/* Comparisons of ATOMIC read any. */
static gboolean judges_hubs(const HyClassic *g, guint atomic)
{
  gboolean any = FALSE;
  for (guint k = 0; k < g->own.crossing->len && !any; k++) {
    any = crossing(g, k)->hubs && crossing(g, k)->owned->atomic == atomic;
  }
  return any;
}

void hy_classic_judge(HyRoom *room, guint32 state, guint atomic, double t)
{
  HyClassic *g = hy_room_group(room, hy_room_state(room, state)->member->group)->classic;
  gboolean any = FALSE;
  if (!g->begun || g->why != NULL) {
    return;
  }
  gboolean hubs = judges_hubs(g, atomic);
  judge_at(g, t, hubs);
  for (guint k = 0; k < g->own.crossing->len; k++) {
    HyClassicCrossing *c = crossing(g, k);
    if (c->owned->atomic == atomic && is_judged_wrong(g, c, t)) {
      hy_owned_set(room, c->owned, !crossing_mode(g, c), t);
      g->totals.crossings++;
      any = TRUE;
      judge_at(g, t, hubs); /* they may be others now */
    }
  }
  if (any) { /* also where no row reads it: what it is looked for by is another line now */
    hy_classic_follow(room, state, t);
  }
}

/* From where on it is wrong. */
static void set_level(HyClassic *g, HyClassicCrossing *c, double t)
{
  double z = c->z;
  gboolean right = crossing_counts(g, c, z, t) && z > 0.0;
  c->width = c->tries > 0 ? hy_classic_measure(g, crossing_row(g, c), TRUE) : 0.0;
  double band = c->noise;
  for (guint k = 0; k < c->tries && band < c->width; k++) {
    band *= HY_GROWTH;
  }
  c->band = fmax(c->noise, fmin(band, c->width));
  c->level = right ? 0.0 : fmin(z, 0.0) - c->band;
  hy_classic_passes(c, c->z);
}

static const char *crossing_why(HyClassic *g, const HyClassicCrossing *c)
{
  const HyFlat *flat = g->room->diagram.flat;
  g_autofree char *path = hy_model_path(hy_flat_model(flat, c->owned->atomic),
                                        hy_flat_component(flat, c->owned->atomic));
  return hy_classic_why(g, 0, "modes of its equations turn one another without end, %s among them",
                        path);
}

const char *hy_classic_decide(HyClassic *g, double t)
{
  HyClassicCrossing *wrong = NULL;
  if (g->own.crossing->len == 0) {
    return NULL;
  }
  g->own.turns = t == g->own.turned ? g->own.turns + 1 : 0;
  g->own.turned = t;
  if (g->own.turn->len > 0) {
    g_array_set_size(g->own.turn, 0);
  }
  crossings_come_to(g, t);
  toggle_hits(g, t);
  for (guint k = 0; (wrong = first_wrong(g, t)) != NULL; k++) {
    if (k == MOST || g->own.turns == MOST) {
      return crossing_why(g, wrong);
    }
    crossing_toggle(g, wrong, t);
  }
  for (guint k = 0; k < g->own.crossing->len; k++) {
    set_level(g, crossing(g, k), t);
  }
  return NULL;
}

void hy_group_print(const HyRoom *room, guint state, double t, GString *out)
{
  guint group = hy_room_state(room, state)->member->group;
  const HyClassic *g = hy_room_group(room, group)->classic;
  if (g == NULL || g->state[0] != state || t != g->own.turned) {
    return;
  }
  for (guint k = 0; k < g->own.turn->len; k++) {
    const HyClassicTurn *turn = &g_array_index(g->own.turn, HyClassicTurn, k);
    const HyOwned *o = crossing(g, turn->crossing)->owned;
    g_autofree char *name = hy_print_flag(room, o->atomic, o->mode);
    g_string_append_printf(out, "; %s = %d, %s", name, turn->mode, turn->found ? "found" : "wrong");
  }
}
