/* The frame of every classic method: when a group has its turn, what it publishes, what ends a
 * step early. Formulas in docs/theory.md, section 6.
 *
 * A group's life is in its times. t0 .. t1 is the step that stands; from .. to the piece of it
 * that is published; end <= t1 where an input makes it end. At `to` comes the next piece, at t1
 * the next step, at `end` a new start: all are turns of the group's first member, which is due
 * then.
 *
 * A piece is a cubic x(s) with the values and slopes of both ends of a piece of length h,
 *
 *   x(s) = y0 + y0' s + (a - c h) s^2 + c s^3
 *   r = (y1 - y0)/h,  a = (r - y0')/h,  c = (y0' + y1' - 2 r)/h^2
 *
 * and what is said of it a parabola that misses it by c s (s - h/2)(s - h): equal at both ends and
 * in the mean. */
#include "classic_internal.h"
#include "equations/members.h"
#include "equations/static_block.h"
#include "groups.h"

#include "numerics/poly.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MAX_PIECES 64U /* of one step */

/* Making -------------------------------------------------------------------------------------- */

static HyClassic *group_of(const HyRoom *room, guint32 state)
{
  return hy_room_group(room, hy_room_state(room, state)->member->group)->classic;
}

/* For the members of group NUMBER, which are added one by one. */
static HyClassic *new_group(HyRoom *room, guint number, const HyMethod *method)
{
  guint n = hy_room_group(room, number)->n;
  HyClassic *g = g_new0(HyClassic, 1);
  *g = (HyClassic){.room = room,
                   .number = number,
                   .method = method,
                   .stepper = hy_classic_stepper(method->family),
                   .state = g_new0(guint32, n),
                   .out.y = g_new0(double, n),
                   .out.dy = g_new0(double, n),
                   .out.y_from = g_new0(double, n),
                   .out.dy_from = g_new0(double, n),
                   .z = g_new0(double, n),
                   .offset = g_new0(double, n),
                   .out.half = g_new0(double, n),
                   .out.rate = g_new0(double, n),
                   .out.open = g_new0(guint8, n),
                   .reltol = g_new0(double, n),
                   .abstol = g_new0(double, n),
                   .size_most = g_new0(double, n),
                   .out.speaker = g_array_new(FALSE, FALSE, sizeof(guint32)),
                   .out.reader = g_array_new(FALSE, FALSE, sizeof(guint32)),
                   .began = INFINITY,
                   .in.effect = g_new0(HyClassicEffect, n),
                   .in.touched = g_array_new(FALSE, FALSE, sizeof(guint32))};
  return g;
}

static void add_member(HyClassic *g, guint32 state)
{
  HyRoomState *s = hy_room_state(g->room, state);
  s->place = g->n;
  g->reltol[g->n] = s->member->set->reltol;
  g->abstol[g->n] = s->member->set->abstol;
  g->size_most[g->n] = s->member->v->half_turn > 0.0 ? s->member->v->half_turn : INFINITY;
  g->state[g->n++] = state;
}

static void free_group(HyClassic *g)
{
  g->stepper->clear(g);
  hy_classic_rows_clear(g);
  g_free(g->state);
  g_free(g->reading);
  g_clear_pointer(&g->meeting, g_ptr_array_unref);
  g_clear_pointer(&g->probe, g_ptr_array_unref);
  g_clear_pointer(&g->sum, g_ptr_array_unref);
  g_free(g->sum_value);
  g_free(g->sum_part);
  g_free(g->out.y);
  g_free(g->out.dy);
  g_free(g->out.y_from);
  g_free(g->out.dy_from);
  g_free(g->z);
  g_free(g->offset);
  g_free(g->out.half);
  g_free(g->out.rate);
  g_free(g->out.balanced);
  g_free(g->out.shown);
  g_free(g->out.still);
  g_free(g->out.open);
  g_free(g->reltol);
  g_free(g->abstol);
  g_free(g->size_most);
  g_array_unref(g->out.speaker);
  g_array_unref(g->out.reader);
  g_free(g->in.effect);
  g_array_unref(g->in.touched);
  g_clear_pointer(&g->in.reader, g_array_unref);
  hy_classic_halves_clear(g);
  g_free(g->text);
  g_free(g);
}

static int slowest_first(gconstpointer a, gconstpointer b)
{
  const HyClassic *const *x = a, *const *y = b;
  if (hy_multirate_is_slower(*x, *y) || hy_multirate_is_slower(*y, *x)) {
    return hy_multirate_is_slower(*x, *y) ? -1 : 1;
  }
  return (*x)->number < (*y)->number ? -1 : 1;
}

void hy_classic_make_groups(HyRoom *room)
{
  const HyFlat *flat = room->diagram.flat;
  for (guint32 k = 0; k < room->states->len; k++) {
    const HyMember *m = hy_room_state(room, k)->member;
    if (!hy_family_is_classic(m->family)) {
      continue;
    }
    HyRoomGroup *group = hy_room_group(room, m->group);
    if (group->classic == NULL) {
      group->classic = new_group(room, m->group, m->method);
      g_ptr_array_add(room->groups.classic, group->classic);
      if (hy_multirate_is(group->classic)) {
        g_ptr_array_add(room->groups.rates, group->classic);
      }
    }
    add_member(group->classic, k);
  }
  g_ptr_array_sort(room->groups.rates, slowest_first);
  room->groups.classic_value = g_new0(double, (gsize)flat->first_out[flat->n] + HY_PAD);
  room->groups.classic_slope = g_new0(double, (gsize)flat->first_out[flat->n] + HY_PAD);
  for (guint k = 0; k < room->groups.classic->len; k++) {
    hy_classic_rows_init(g_ptr_array_index(room->groups.classic, k));
  }
}

void hy_classic_free_groups(HyRoom *room)
{
  for (guint k = 0; k < room->groups.classic->len; k++) {
    free_group(g_ptr_array_index(room->groups.classic, k));
  }
  g_ptr_array_unref(room->groups.classic);
  g_ptr_array_unref(room->groups.rates);
  g_free(room->groups.classic_value);
  g_free(room->groups.classic_slope);
}

/* The turn of the group ----------------------------------------------------------------------- */

void hy_classic_wake(HyClassic *g, double t)
{
  HyMember *leader = hy_classic_member(g, 0);
  leader->v->tn = t;
  hy_member_make_due(g->room, g->state[0]);
}

/* Pieces that nobody sees are no turns. */
static double next_turn(const HyClassic *g)
{
  return fmin(fmin(g->out.seen ? g->out.to : g->t1, g->end), g->own.next);
}

const char *hy_classic_why(HyClassic *g, guint i, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_free(g->text);
  g->text = g_strdup_vprintf(format, args);
  va_end(args);
  g->blamed = i;
  return g->text;
}

const char *hy_classic_give_way(HyClassic *g, const char *instead, const char *because)
{
  const HyMethod *method = hy_method_find(instead);
  const HyStepper *stepper = hy_classic_stepper(method->family);
  if (stepper->step == NULL) {
    return hy_classic_why(g, g->blamed, "%s cannot solve its equations: %s; try mliqss2",
                          g->method->name, because);
  }
  g->stepper->clear(g);
  g->method_state = NULL;
  g->stated = g->stated != NULL ? g->stated : g->method;
  g->because = because;
  g->since = g->t1;
  g->method = method;
  g->stepper = stepper;
  return stepper->start(g, g->t1);
}

static void classic_fail(HyClassic *g, const char *why)
{
  HyMember *m = hy_classic_member(g, g->blamed);
  g->why = m->why = why;
  m->says = m->v->tn = INFINITY;
  hy_member_make_due(g->room, g->state[g->blamed]);
  hy_classic_wake(g, INFINITY);
}

/* Inputs ------------------------------------------------------------------------------------- */

/* All that members read has been said, and they have said where they start. */
static gboolean is_known(HyClassic *g)
{
  while (g->known < g->n && hy_classic_member(g, g->known)->missing == 0 &&
         hy_classic_member(g, g->known)->v->pieces >= 3) {
    g->known++;
  }
  return g->known == g->n;
}

/* Crossings that read inputs of their own are read by the leader, too. TRUE: the
 * next of them has moved. */
static gboolean seeks_anew(HyClassic *g, guint32 state, double t)
{
  if (g->own.crossing->len == 0 || state != g->state[0]) {
    return FALSE;
  }
  double before = g->own.next;
  if (hy_classic_comes_to_rest(g, t)) {
    return TRUE;
  }
  hy_classic_seek(g, t);
  return g->own.next != before;
}

/* A piece of a sine that is taken whole says nothing new. */
static gboolean hears(const HyClassic *g)
{
  return !g->begun || g->stepper->reach == NULL || hy_classic_is_misled(g);
}

static void hear(HyClassic *g)
{
  g->in.heard = TRUE;
  if (g->begun && g->in.word != g->room->words) {
    g->in.word = g->room->words;
    g->totals.inputs++;
  }
}

/* Before the group has begun: it begins when all is known. In a step: what that does to it. At its
 * very end: whether f has jumped, so that it starts anew. */
void hy_classic_touch(HyRoom *room, guint32 state, double t)
{
  HyClassic *g = group_of(room, state);
  if (g->why != NULL || g->own.deciding) {
    return;
  }
  hy_classic_gather(g, t);
  if (G_UNLIKELY(g->begun && g->rests.n > 0) && hy_classic_rests_may_end(g)) {
    hy_classic_follow(room, state, t);
    return;
  }
  if (!hears(g)) {
    return;
  }
  hear(g);
  if (g->begun && g->stepper->changed != NULL) {
    g->stepper->changed(g, hy_room_state(room, state)->place, 0.0);
  }
  if (!g->begun) {
    if (is_known(g)) {
      hy_classic_wake(g, t);
    }
  } else if (g->stepper->reach != NULL) {
    if (g->end > t) {
      double until = g->stepper->bears(g, t);
      g->in.late = until > t;
      g->end = fmin(g->t1, until);
      hy_classic_wake(g, next_turn(g));
    } else if (t == g->t1 &&
               g->own.crossing->len > 0) { /* foreseen: what it decides may be wrong */
      g->in.jumped = TRUE;
    }
  } else if (g->end > t) {
    hy_classic_settle(g, t);
    gboolean ends = hy_classic_affect(g, hy_room_state(room, state)->place, t);
    if (seeks_anew(g, state, t) || ends) {
      hy_classic_wake(g, next_turn(g));
    }
  } else if (t == g->t1) {
    g->in.jumped |= hy_classic_has_jumped(g, hy_room_state(room, state)->place) ||
                    (state == g->state[0] && hy_classic_comes_to_rest(g, t));
  }
}

void hy_classic_follow(HyRoom *room, guint32 state, double t)
{
  HyClassic *g = group_of(room, state);
  if (g->why != NULL || !g->begun || g->own.deciding) {
    return;
  }
  hear(g);
  if (g->stepper->changed != NULL) {
    g->stepper->changed(g, hy_room_state(room, state)->place, 0.0);
  }
  g->in.jumped = TRUE;
  g->in.late = FALSE;
  if (g->end > t) {
    g->end = t;
    hy_classic_wake(g, next_turn(g));
  }
}

/* Pieces -------------------------------------------------------------------------------------- */

/* y and y' at T, as the method has them. */
static void classic_look(HyClassic *g, double t, double *y, double *dy)
{
  if (t == g->t1 && g->stepper->reach == NULL) {
    memcpy(y, g->z, g->n * sizeof *y);
  } else {
    g->stepper->dense(g, t, 0, y);
  }
  g->stepper->dense(g, t, 1, dy);
  hy_classic_read(g, t, y, dy);
  for (guint i = 0; i < g->n; i++) {
    y[i] += g->offset[i];
  }
}

/* The largest |s (s - 1/2) (s - 1)| in 0 .. 1: what a parabola misses of s^3. */
#define MISSED 0.0481125224324688
/* And the largest s^2 (1 - s): what one misses that sets out as s^3 does. */
#define TURNED (4.0 / 27.0)

/* In how many pieces the step is published: said are parabolas, within a third of the tolerance for
 * the readers' sake, and kept are cubics, within it, each with the values at both ends. None is
 * shorter than the digits of time. */
static guint count_pieces(HyClassic *g)
{
  double h = g->t1 - g->t0, most = 1.0;
  g->stepper->dense(g, g->t0 + 0.5 * h, 0, g->out.half);
  hy_classic_read(g, g->t0 + 0.5 * h, g->out.half, NULL);
  guint all = g->stepper->balance != NULL ? g->n : g->n + g->spoken;
  most = all < g->n + g->spoken ? hy_classic_reading_pieces(g) : most;
  for (guint i = 0; i < all; i++) {
    double offset = i < g->n ? g->offset[i] : 0.0;
    double by = g->out.dy_from[i] + g->out.dy[i] - 2.0 * (g->out.y[i] - g->out.y_from[i]) / h;
    double middle =
        0.5 * (g->out.y_from[i] + g->out.y[i]) + 0.125 * h * (g->out.dy_from[i] - g->out.dy[i]);
    double tolerance = hy_classic_tolerance(g, i, g->out.y[i]);
    double said = 3.0 * MISSED * fabs(by) * h / tolerance;
    double kept = fabs(g->out.half[i] + offset - middle) / tolerance;
    if (said > most * most * most) {
      most = cbrt(said);
    }
    if (kept > most * most * most * most) {
      most = sqrt(sqrt(kept));
    }
  }
  guint limit = all < g->n + g->spoken ? HY_READING_PIECES : MAX_PIECES;
  guint pieces = most < limit ? (guint)ceil(most) : limit;
  double first = g->t0 + h / pieces, last = g->t1 - h / pieces;
  return first > g->t0 && last < g->t1 ? pieces : 1;
}

#define ROUNDING (8.0 * DBL_EPSILON) /* of a value, in the difference of two */

/* A piece may last for a digit of the time, or for none, as where an edge follows another one: what
 * its values then say of its slopes is rounding, and it is the parabola of its slopes. One that is
 * so short that its bend is beyond numbers (1e-300, of a rate of 1e300) is straight. */
HyBend hy_classic_bend(const HyClassic *g, guint i, double h)
{
  HyBend bend = {0.0, 0.0};
  if (!(h > 0.0)) {
    return bend;
  }
  double from = g->out.y_from[i], to = g->out.y[i], slope = g->out.dy_from[i];
  double rise = (to - from) / h, twist = slope + g->out.dy[i] - 2.0 * rise, off = fabs(twist) * h;
  if (off <= ROUNDING * fabs(from) || off <= ROUNDING * fabs(to)) {
    bend.a = (g->out.dy[i] - slope) / (2.0 * h);
  } else {
    bend.a = (rise - slope) / h;
    bend.c = twist / (h * h);
  }
  return isfinite(bend.a) && isfinite(bend.c) ? bend : (HyBend){0.0, 0.0};
}

/* The parabola has the values of the cubic at both ends and in the mean: whoever integrates it
 * gains or loses nothing. But it sets out as the cubic does: of a state that leaves a level where
 * it has been at rest it would else say that it falls below first. */
static gboolean piece_turns(double slope, double c, double h)
{
  return slope * (slope - 0.5 * c * h * h) <= 0.0;
}

static void parabola_of(const HyClassic *g, guint i, double h, HyBend b, double *q)
{
  double slope = g->out.dy_from[i];
  gboolean turned = piece_turns(slope, b.c, h);
  q[0] = g->out.y_from[i];
  q[1] = turned ? slope : slope - 0.5 * b.c * h * h;
  q[2] = turned ? b.a : b.a + 0.5 * b.c * h;
}

void hy_classic_parabola(const HyClassic *g, guint i, double h, double *q)
{
  parabola_of(g, i, h, hy_classic_bend(g, i, h), q);
}

double hy_classic_parabola_misses(const HyClassic *g, guint i, double h, HyBend bend)
{
  gboolean turned = piece_turns(g->out.dy_from[i], bend.c, h);
  return (turned ? TURNED : MISSED) * fabs(bend.c) * h * h * h;
}

/* What I is from now on, unless it has just been reset. */
static void set_piece(const HyClassic *g, guint i)
{
  HyQState *v = hy_classic_member(g, i)->v;
  HyPiece *said = &g->room->signal[g->rows.slot[i]];
  double h = g->out.to - g->out.from;
  if (v->asked) {
    return;
  }
  HyBend bend = hy_classic_bend(g, i, h);
  v->tx = v->tq = g->out.from;
  parabola_of(g, i, h, bend, v->q);
  v->x[0] = g->out.y_from[i];
  v->x[1] = g->out.dy_from[i];
  v->x[2] = bend.a - bend.c * h;
  v->x[3] = bend.c;
  memset(said->c, 0, sizeof said->c);
  memcpy(said->c, v->q, sizeof v->q);
  said->t = g->out.from;
}

/* Likewise, where the step itself is a parabola. */
static void set_parabola(const HyClassic *g, guint i)
{
  HyQState *v = hy_classic_member(g, i)->v;
  HyPiece *said = &g->room->signal[g->rows.slot[i]];
  if (v->asked) {
    return;
  }
  g->stepper->parabola(g, i, v->q);
  v->tx = v->tq = said->t = g->out.from;
  memcpy(v->x, v->q, sizeof v->q);
  memcpy(said->c, v->q, sizeof v->q);
  v->x[3] = said->c[3] = 0.0;
}

/* Everybody in the group knows. */
static void set_pieces(HyClassic *g)
{
  if (g->stepper->pieces != NULL) {
    guint n;
    const guint32 *i = g->stepper->pieces(g, &n);
    for (guint k = 0; k < n; k++) {
      set_parabola(g, i[k]);
    }
    g->room->words++;
    return;
  }
  for (guint i = 0; i < g->n && g->stepper->parabola == NULL; i++) {
    set_piece(g, i);
  }
  for (guint i = 0; i < g->n && g->stepper->parabola != NULL; i++) {
    set_parabola(g, i);
  }
  g->room->words++;
}

/* The step that stands, and its first piece. */
static void classic_draw(HyClassic *g)
{
  g->out.from = g->t0;
  g->out.to = g->t1;
  g->out.pieces = g->out.piece = 1;
  g->out.drawn = TRUE;
  if (g->stepper->parabola == NULL || g->spoken > 0) {
    classic_look(g, g->t0, g->out.y_from, g->out.dy_from);
    classic_look(g, g->t1, g->out.y, g->out.dy);
  }
  if (g->stepper->parabola == NULL) {
    g->out.pieces = count_pieces(g);
  }
  if (g->out.pieces > 1) {
    g->out.to = g->t0 + (g->t1 - g->t0) / g->out.pieces;
    classic_look(g, g->out.to, g->out.y, g->out.dy);
  }
  hy_classic_bend_readings(g);
  set_pieces(g);
}

/* Of a method that knows how far a piece reaches: the one from FROM on. */
static void classic_reach(HyClassic *g)
{
  g->out.to = g->stepper->reach(g, g->out.from);
  set_pieces(g);
}

/* The step that stands, for whoever sees it. */
static void classic_show(HyClassic *g)
{
  if (g->stepper->reach == NULL) {
    classic_draw(g);
  } else {
    g->out.from = g->t0;
    classic_look(g, g->t0, g->out.y_from, g->out.dy_from);
    classic_reach(g);
  }
}

static void next_piece(HyClassic *g)
{
  double *y = g->out.y_from, *dy = g->out.dy_from;
  g->out.y_from = g->out.y;
  g->out.dy_from = g->out.dy;
  g->out.y = y;
  g->out.dy = dy;
  g->out.from = g->out.to;
  if (g->stepper->reach != NULL) {
    classic_reach(g);
    return;
  }
  g->out.piece++;
  double part = (double)g->out.piece / g->out.pieces;
  g->out.to = g->out.piece < g->out.pieces ? g->t0 + part * (g->t1 - g->t0) : g->t1;
  classic_look(g, g->out.to, g->out.y, g->out.dy);
  hy_classic_bend_readings(g);
  set_pieces(g);
}

void hy_classic_settle(HyClassic *g, double t)
{
  if (!g->begun || g->out.seen || g->why != NULL || g->stepper->pieces != NULL) {
    return;
  }
  if (!g->out.drawn || t < g->out.from) {
    classic_draw(g);
  }
  while (t > g->out.to && g->out.piece < g->out.pieces) {
    next_piece(g);
  }
}

double hy_group_value(const HyRoom *room, guint state, double t)
{
  HyClassic *g = group_of(room, state);
  const HyRoomState *own = hy_room_state(room, state);
  const HyQState *v = own->member->v;
  if (g != NULL && g->stepper->look != NULL) {
    return g->begun && g->why == NULL && !v->asked ? g->stepper->look(g, t)[own->place]
                                                   : hy_qstate_x(v, t);
  }
  if (g != NULL) {
    hy_classic_settle(g, t);
  }
  return hy_qstate_x(v, t);
}

gboolean hy_group_motion(const HyRoom *room, guint state, double t, double *x, double *dx)
{
  HyClassic *g = group_of(room, state);
  const HyRoomState *own = hy_room_state(room, state);
  if (g == NULL || g->stepper->look == NULL || !g->begun || g->why != NULL ||
      own->member->v->asked) {
    return FALSE;
  }
  *x = g->stepper->look(g, t)[own->place];
  if (dx != NULL) {
    g->stepper->dense(g, t, 1, g->out.rate);
    *dx = g->out.rate[own->place];
  }
  return TRUE;
}

/* Steps --------------------------------------------------------------------------------------- */

static void classic_say(const HyClassic *g, guint32 i)
{
  HyMember *m = hy_classic_member(g, i);
  m->says = g->out.from;
  m->told = TRUE;
  hy_member_make_due(g->room, g->state[i]);
}

/* Of those that have a new piece. */
static void classic_say_pieces(const HyClassic *g)
{
  guint n;
  const guint32 *i = g->stepper->pieces(g, &n);
  for (guint k = 0; k < n; k++) {
    if ((g->out.open[i[k]] & 2) != 0) {
      classic_say(g, i[k]);
    }
  }
}

/* The blocks are due to say it. */
static void classic_tell_readings(HyClassic *g)
{
  for (guint k = 0; k < g->spoken; k++) {
    double q[4] = {0.0};
    if (hy_reading_is_known(g->room, g->reading[k])) {
      hy_classic_parabola(g, g->n + k, g->out.to - g->out.from, q);
      hy_reading_tell(g->room, g->reading[k], g->out.from, q);
    }
  }
}

/* The others are told when all of the group knows. */
static void classic_publish(HyClassic *g)
{
  HyRoom *room = g->room;
  if (g->stepper->pieces != NULL) {
    classic_say_pieces(g);
  }
  for (guint k = 0; k < g->out.speaker->len && g->stepper->pieces == NULL; k++) {
    classic_say(g, g_array_index(g->out.speaker, guint32, k));
  }
  classic_tell_readings(g);
  g->totals.pieces++;
  hy_classic_wake(g, next_turn(g));
  room->groups.teller = g;
  for (guint k = 0; k < g->out.reader->len; k++) {
    hy_member_touch(room, g_array_index(g->out.reader, guint32, k), g->out.from);
  }
  room->groups.teller = NULL;
}

/* What is known of the members at T, when there is no further step. */
static void end_at(HyClassic *g, double t)
{
  if (g->stepper->pieces != NULL && g->begun) {
    g->stepper->dense(g, t, 0, g->z);
  }
  for (guint i = 0; i < g->n && !g->out.seen; i++) {
    HyQState *v = hy_classic_member(g, i)->v;
    memset(v->x, 0, sizeof v->x);
    v->x[0] = g->z[i] + g->offset[i];
    v->tx = t;
  }
}

#define SHORT 1e-2 /* of the last piece: a step that may do without one of its own */
#define KEPT  0.1  /* of a tolerance: how far from it the last piece may be then */

/* At T readings are what their blocks have said last. */
static gboolean readings_keep(HyClassic *g, double t)
{
  gboolean keep = TRUE;
  g->stepper->dense(g, t, 0, g->out.half);
  hy_classic_read(g, t, g->out.half, NULL);
  for (guint k = 0; k < g->spoken && keep; k++) {
    const HyPiece *said = &g->room->block[g->reading[k]->atomic]->said[0];
    double y = g->out.half[g->n + k];
    double missed = hy_poly_at(said->c, (int)g->room->diagram.lanes, t - said->t) - y;
    keep = fabs(missed) <= KEPT * hy_classic_tolerance(g, g->n + k, y);
  }
  return keep;
}

/* A step may be over at once, as while the current goes from a switch to a diode: then what has
 * been said last holds on. */
static gboolean classic_keeps(HyClassic *g)
{
  double end = fmin(g->t1, g->own.next), before = g->out.to - g->out.from;
  if (g->stepper->reach == NULL || g->totals.pieces == 0 || !(end - g->t0 < SHORT * before)) {
    return FALSE;
  }
  g->stepper->dense(g, end, 0, g->out.half);
  for (guint i = 0; i < g->n; i++) {
    const HyPiece *said = &g->room->signal[g->rows.slot[i]];
    double missed =
        hy_poly_at(said->c, (int)g->room->diagram.lanes, end - said->t) - g->out.half[i];
    if (g->out.open[i] && !(fabs(missed) <= KEPT * hy_classic_tolerance(g, i, g->out.half[i]))) {
      return FALSE;
    }
  }
  if (g->spoken > 0 && !(readings_keep(g, g->t0) && readings_keep(g, end))) {
    return FALSE; /* states do not jump, they do */
  }
  g->out.to = end;
  return TRUE;
}

/* One step from t1, and its first piece. */
static void classic_advance(HyClassic *g)
{
  hy_classic_assume(g);
  const char *why = g->stepper->step(g);
  g->in.heard = g->out.drawn = FALSE;
  g->own.next = INFINITY;
  if (why != NULL) {
    end_at(g, g->t1);
    classic_fail(g, why);
    return;
  }
  double h = g->t1 - g->t0;
  g->least = g->most > 0.0 ? fmin(g->least, h) : h;
  g->most = fmax(g->most, h);
  hy_classic_find_looks(g);
  hy_classic_seek_meetings(g, g->t0, TRUE);
  g->end = g->t1;
  hy_classic_seek(g, g->t0);
  if (h > 0.0 && g->t1 <= g->t0) { /* the bounds of a crossing are infinite */
    end_at(g, g->t0);
    classic_fail(g, hy_classic_why(g, 0, "what decides its modes leaves the numbers"));
    return;
  }
  if (g->out.seen && classic_keeps(g)) {
    hy_classic_wake(g, next_turn(g));
    return;
  }
  g->out.from = g->t0;
  if (g->out.seen || g->stepper->pieces != NULL) {
    classic_show(g);
  }
  if (g->out.seen) {
    classic_publish(g);
  } else {
    hy_classic_wake(g, next_turn(g));
  }
}

/* z at T, which is in the step that stands or its end. */
static const char *classic_finish(HyClassic *g, double t)
{
  if (t >= g->t1 && g->stepper->reach != NULL) {
    return g->stepper->finish(g, g->t1);
  }
  g->totals.closed += t < g->t1;
  g->rows.as_was = TRUE;
  const char *why = t < g->t1 ? g->stepper->finish(g, t) : NULL;
  if (why == NULL) {
    hy_classic_halves_follow(g, t);
  }
  g->rows.as_was = FALSE;
  return why;
}

/* What inputs have made of touched members at T. */
static void take_missing(HyClassic *g, double t)
{
  for (guint k = 0; k < g->in.touched->len; k++) {
    guint32 i = g_array_index(g->in.touched, guint32, k);
    double missing = hy_classic_missing(g, i, t);
    if (g->stepper->changed != NULL) {
      g->stepper->changed(g, i, missing);
    } else {
      g->offset[i] += missing;
    }
  }
}

/* I has jumped, and was due for that; from now on the leader alone is. */
static void classic_take_jump(HyClassic *g, guint i)
{
  HyQState *v = hy_classic_member(g, i)->v;
  v->asked = false;
  v->tn = INFINITY; /* until it jumps again */
  hy_member_make_due(g->room, g->state[i]);
}

/* What the states are at T, with what is missing in them, becomes z. */
static void take_states(HyClassic *g, double t)
{
  if (g->begun && g->stepper->changed != NULL) { /* none of them jumps by itself */
    take_missing(g, t);
    return;
  }
  if (g->begun && g->stepper->late != NULL) {
    g->stepper->late(g, t, g->z);
  }
  for (guint i = 0; i < g->n; i++) {
    HyQState *v = hy_classic_member(g, i)->v;
    double was = g->z[i];
    if (v->asked || !g->begun) {
      g->z[i] = hy_qstate_x(v, t);
    } else {
      g->z[i] += g->offset[i] + hy_classic_missing(g, i, t);
    }
    g->offset[i] = 0.0;
    if (g->halves.x != NULL) {
      g->halves.x[i] = v->asked ? g->z[i] : g->halves.x[i] + (g->z[i] - was);
    }
    if (v->asked) {
      classic_take_jump(g, i);
    }
  }
}

/* OTHER, another multirate group, learns that G has begun a step at T: it may begin, too, or begins
 * again the step that it has begun at T with what it knew then. */
static void classic_tell(const HyClassic *g, HyClassic *other, double t)
{
  if (!other->begun && (is_known(other) || g->room->opened)) {
    hy_classic_wake(other, t);
  } else if (other->begun && other != g && other->t0 == t && hy_multirate_is_misled(other, g)) {
    other->end = t;
    hy_classic_wake(other, t);
  }
}

/* Groups that read modes of G, which are known now, may have waited for them. */
static void rouse_others(const HyClassic *g, double t)
{
  const GPtrArray *all = g->room->groups.classic;
  for (guint k = 0; k < all->len; k++) {
    const HyClassic *other = g_ptr_array_index(all, k);
    if (other != g && other->begun && hy_classic_rests_may_end(other)) {
      hy_classic_follow(g->room, other->state[0], t);
    }
  }
}

/* What the group leads and reads from now on; and what it may begin to do when more is known. */
static void begin_to_decide(HyClassic *g, double t)
{
  gboolean anew = g->begun && g->rests.n > 0 && hy_classic_rests_end(g, t);
  if (g->begun && !anew) {
    return;
  }
  if (anew) {
    g->begun = FALSE; /* for the method */
    rouse_others(g, t);
  } else {
    g->began = t;
    hy_classic_rests_begin(g);
    hy_classic_halves_start(g);
  }
  hy_owned_begin(g->room, g->number, t);
  hy_readings_begin(g->room, g->number, t);
}

/* f has jumped at T, or a state has. */
static void start_again(HyClassic *g, double t)
{
  hy_classic_keep_meetings(g, t);
  if (g->begun) {
    hy_classic_count_bends(g, t);
  }
  const char *why = g->begun ? classic_finish(g, t) : NULL;
  take_states(g, t);
  hy_classic_clear_effects(g);
  g->totals.restarts += g->begun;
  begin_to_decide(g, t);
  hy_classic_restart_meetings(g, t, FALSE);
  why = why == NULL ? hy_classic_decide(g, t) : why;
  hy_classic_restart_meetings(g, t, TRUE);
  g->in.jumped = FALSE;
  why = why == NULL ? g->stepper->start(g, t) : why;
  g->begun = TRUE;
  if (why != NULL) {
    end_at(g, t);
    classic_fail(g, why);
  } else {
    classic_advance(g);
    for (guint k = 0; k < g->room->groups.rates->len && hy_multirate_is(g); k++) {
      classic_tell(g, g_ptr_array_index(g->room->groups.rates, k), t);
    }
  }
}

/* A new step from T on, in the same modes, with what inputs have changed on the way. */
static void take_late(HyClassic *g, double t)
{
  g->totals.closed += t < g->t1;
  const char *why = g->stepper->finish(g, t);
  if (why != NULL) {
    end_at(g, t);
    classic_fail(g, why);
    return;
  }
  g->stepper->late(g, t, g->z);
  g->in.late = FALSE;
  g->t1 = t;
  classic_advance(g);
}

/* The step has come to its end: what inputs have changed on the way is added. What has jumped so
 * shortly before that it changes no state yet is met now: the method knows f as it was. */
static void end_step(HyClassic *g)
{
  if (g->stepper->leans && hy_classic_jumped_late(g)) {
    start_again(g, g->t1);
    return;
  }
  if (g->stepper->late != NULL) {
    take_late(g, g->t1);
    return;
  }
  hy_classic_count_bends(g, g->t1);
  take_missing(g, g->t1);
  hy_classic_clear_effects(g);
  classic_finish(g, g->t1);
  classic_advance(g);
}

/* Some input has changed since the step began. */
static gboolean is_late(HyClassic *g, double t)
{
  return g->stepper->late != NULL && g->stepper->late(g, t, g->out.half);
}

static void classic_turn(HyClassic *g, double t, gboolean asked)
{
  hy_classic_gather(g, t);
  gboolean ends = g->end <= t && t < g->t1;
  if (!g->begun || asked || g->in.jumped || (ends && !g->in.late) || g->own.next <= t) {
    start_again(g, t);
  } else if (ends || (t < g->t1 && is_late(g, t))) {
    take_late(g, t);
  } else if (t >= g->t1) {
    end_step(g);
  } else {
    next_piece(g);
    classic_publish(g);
  }
}

/* Of multirate methods: after the slower ones that it reads. */
static gboolean may_begin(HyClassic *g)
{
  return (is_known(g) || g->room->opened) && !hy_multirate_waits(g);
}

/* The group has not begun, and STATE may have jumped: then that is said. */
static void classic_wait(HyClassic *g, guint32 state, double t)
{
  HyMember *m = hy_room_state(g->room, state)->member;
  m->v->tn = INFINITY;
  if (m->v->asked) {
    m->v->q[0] = m->v->x[0];
    m->v->tq = m->says = t;
    m->v->asked = false;
  }
}

/* Of all groups with a larger hstep, those that are due at T, in whatever order they would be. */
static void slower_first(const HyClassic *g, double t)
{
  const GPtrArray *rates = g->room->groups.rates;
  for (guint k = 0; k < rates->len; k++) {
    HyClassic *s = g_ptr_array_index(rates, k);
    if (!hy_multirate_is_slower(s, g)) {
      break;
    }
    if (s->why == NULL && (s->begun ? next_turn(s) <= t : may_begin(s))) {
      classic_turn(s, t, FALSE);
    }
  }
}

void hy_classic_step(HyRoom *room, guint32 state, double t)
{
  HyClassic *g = group_of(room, state);
  if (g->why != NULL) {
    return;
  }
  if (hy_multirate_is(g)) {
    slower_first(g, t);
  }
  if (!g->begun && !may_begin(g)) {
    classic_wait(g, state, t);
  } else {
    classic_turn(g, t, hy_room_state(room, state)->member->v->asked);
  }
}
