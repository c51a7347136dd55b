/* Meetings of a group that is not solved exactly (classic_meetings.c): its solution is looked at.
 *
 * Between t0 and t1 it is what the method has there, with what is stiff in balance, and with what
 * inputs have made of it since: continuous as long as the step stands. z is looked at some times a
 * step, more often where a sine in it is fast, and at the lowest point of the parabola through each
 * three looks.
 *
 * Where a step ends, or the method starts anew, the solution is corrected: it comes from what an
 * interpolation has to where the method itself goes, within the tolerance as a rule. Such a shift
 * of z is no motion, and z is not beyond by what it makes: a level that has just been met would be
 * met again, and counted twice. From there on z is beyond below where the shift has put it, until
 * it has been right. What inputs, modes and resets make of z at an instant counts. */
#include "classic_internal.h"

#include "equations/members.h"

#include <math.h>
#include <string.h>

#define LOOKS   8   /* in a step, */
#define RADIANS 0.4 /* of the fastest sine, at most */
#define MOST    10000

/* The states at T in the step that stands, and inputs and modes as they are. RESETS: members that
 * have jumped at T. */
static void looks_set(HyClassic *g, double t, gboolean resets)
{
  double *y = g->own.y;
  if (g->looks_still) {
    g->stepper->balance(g, t, y);
  } else {
    hy_classic_states_now(g, t, y);
  }
  for (guint k = 0; k < g->in.touched->len; k++) {
    guint32 i = g_array_index(g->in.touched, guint32, k);
    y[i] += hy_classic_missing(g, i, t);
  }
  for (guint i = 0; i < g->n && resets; i++) {
    const HyQState *v = hy_classic_member(g, i)->v;
    y[i] = v->asked ? hy_qstate_x(v, t) - g->offset[i] : y[i];
  }
  hy_classic_set_now(g, t, y);
}

/* At what has been set. */
static double looks_side(HyClassic *g, const HyMeeting *m, double t)
{
  return hy_classic_meeting_side(m, t, hy_classic_row_value(g, m->reading->row));
}

/* With what is stiff in balance a meeting hears other values than without, beyond the tolerance:
 * so it has to be looked at there, which takes evaluations. */
static gboolean needs_balance(HyClassic *g)
{
  gboolean any = FALSE;
  g->looks_still = FALSE;
  for (guint k = 0; k < g->meeting->len && !any; k++) {
    const HyMeeting *m = g_ptr_array_index(g->meeting, k);
    looks_set(g, g->t1, FALSE);
    double shown = hy_classic_row_value(g, m->reading->row);
    g->looks_still = TRUE;
    looks_set(g, g->t1, FALSE);
    double y = hy_classic_row_value(g, m->reading->row);
    any = fabs(y - shown) > hy_classic_tolerance(g, g->n + m->reading->place, y);
    g->looks_still = FALSE;
  }
  return any;
}

void hy_classic_find_looks(HyClassic *g)
{
  if (g->meeting->len > 0 && g->stepper->meets == NULL) {
    g->looks_still = g->stepper->balance != NULL && needs_balance(g);
  }
}

double hy_classic_look_value(HyClassic *g, const HyReading *r, double t)
{
  looks_set(g, t, FALSE);
  return hy_classic_row_value(g, r->row);
}

/* It has been right by then. */
static double level_at(const HyMeeting *m, double t)
{
  return t >= m->right ? 0.0 : m->level;
}

/* What is no number is told by the block that computes it. */
static gboolean is_beyond(const HyMeeting *m, double z, double t)
{
  return z + m->noise < level_at(m, t);
}

static double looks_at(HyClassic *g, gconstpointer of, double t)
{
  const HyMeeting *m = of;
  looks_set(g, t, FALSE);
  return looks_side(g, m, t) + m->noise - level_at(m, t);
}

/* Shifts -------------------------------------------------------------------------------------- */

static void set_level(HyMeeting *m, double level)
{
  m->level = level;
  m->right = INFINITY;
}

static void meeting_shift(HyMeeting *m, double z, double t)
{
  if (!is_beyond(m, m->z, t) && is_beyond(m, z, t)) {
    set_level(m, z);
  }
  m->z = z;
}

static gboolean has_looks(const HyClassic *g)
{
  return g->stepper->meets == NULL && g->meeting->len > 0 && g->begun && g->why == NULL;
}

void hy_classic_keep_meetings(HyClassic *g, double t)
{
  if (!has_looks(g)) {
    return;
  }
  looks_set(g, t, TRUE);
  for (guint k = 0; k < g->meeting->len; k++) {
    HyMeeting *m = g_ptr_array_index(g->meeting, k);
    m->z = m->asked ? looks_side(g, m, t) : m->z;
  }
}

/* At what has been set. */
static void shift_all(HyClassic *g, double t, gboolean jumps)
{
  for (guint k = 0; k < g->meeting->len; k++) {
    HyMeeting *m = g_ptr_array_index(g->meeting, k);
    double z = m->asked ? looks_side(g, m, t) : m->z;
    if (m->asked && !jumps) {
      meeting_shift(m, z, t);
    }
    m->z = z;
  }
}

void hy_classic_shift_meetings(HyClassic *g, double t)
{
  if (has_looks(g)) {
    looks_set(g, t, FALSE);
    shift_all(g, t, FALSE);
  }
}

void hy_classic_restart_meetings(HyClassic *g, double t, gboolean jumps)
{
  if (has_looks(g)) {
    hy_classic_set_now(g, t, g->z);
    shift_all(g, t, jumps);
  }
}

/* Looking ------------------------------------------------------------------------------------- */

static double looks_fastest(HyClassic *g, HyMeeting *m)
{
  if (isnan(m->fastest)) {
    m->fastest = hy_classic_row_fastest(g, m->reading->row);
  }
  return m->fastest;
}

/* What has been foreseen beyond T is another motion now. */
static void meeting_forget(HyMeeting *m, double t)
{
  set_level(m, level_at(m, t));
  m->tries = t >= m->away ? 0 : m->tries;
  m->away = INFINITY;
}

/* At T it is Z: it is right, or has left its level. */
static void meeting_passes(HyMeeting *m, double z, double t)
{
  m->right = z > m->noise ? fmin(m->right, t) : m->right;
  m->away = hy_classic_meeting_leaves(m, z) ? fmin(m->away, t) : m->away;
}

/* Where it was C at three looks H apart, up to T: when it has been beyond between them; INFINITY:
 * it has not. */
static double looks_dip(HyClassic *g, HyMeeting *m, const double *c, double t, double h)
{
  double b = 2.0 * (c[0] + c[2] - 2.0 * c[1]), a = c[2] - c[0] - b;
  gboolean inside = b > 0.0 && a < 0.0 && -a < 2.0 * b;
  if (!inside || !is_beyond(m, c[0] - 0.25 * a * a / b, t)) {
    return INFINITY;
  }
  double lowest = t - 2.0 * h + 2.0 * h * (-0.5 * a / b);
  return looks_at(g, m, lowest) < 0.0 ? hy_classic_locate(g, looks_at, m, t - 2.0 * h, lowest)
                                      : INFINITY;
}

/* Where the search begins: beyond, so that it is met at once. */
static gboolean looks_begin(HyMeeting *m, double z, double t, gboolean begins)
{
  gboolean met = is_beyond(m, m->z, t); /* and the block has not said so yet */
  if (begins) {
    meeting_shift(m, z, t);
  } else if (t == m->met) {
    set_level(m, fmin(m->level, z));
  }
  return begins ? met : is_beyond(m, z, t);
}

/* It is Z at FROM, and moves by less than half of how far it is from its level. */
static gboolean looks_far(HyClassic *g, HyMeeting *m, double z, double from, double end)
{
  looks_set(g, 0.5 * (from + end), FALSE);
  double middle = looks_side(g, m, 0.5 * (from + end));
  looks_set(g, end, FALSE);
  double last = looks_side(g, m, end);
  double low = fmin(z, fmin(middle, last)), high = fmax(z, fmax(middle, last));
  gboolean far = low > m->noise && low > 2.0 * (high - low);
  m->z = far ? last : m->z;
  return far;
}

double hy_classic_look(HyClassic *g, HyMeeting *m, double from, double end, gboolean begins)
{
  double z[3] = {NAN, NAN, NAN}, whole = fmax(end - from, 0.0), found = INFINITY;
  double parts = fmin(fmax(LOOKS, ceil(whole * looks_fastest(g, m) / RADIANS)), MOST);
  guint n = whole > 0.0 ? (guint)parts : 0;
  meeting_forget(m, from);
  for (guint k = 0; k <= n && found == INFINITY; k++) {
    double t = k < n || n == 0 ? from + whole * k / parts : end, h = whole / parts;
    looks_set(g, t, FALSE);
    z[0] = z[1], z[1] = z[2], z[2] = looks_side(g, m, t);
    if (k == 0) {
      found = looks_begin(m, z[2], t, begins) ? t : INFINITY;
    } else if (is_beyond(m, z[2], t)) {
      found = hy_classic_locate(g, looks_at, m, from + h * (k - 1), t);
    } else if (k > 1) {
      found = looks_dip(g, m, z, t, h);
    }
    m->z = z[2];
    meeting_passes(m, z[2], t);
    if (k == 0 && n == LOOKS && found == INFINITY && looks_far(g, m, z[2], from, end)) {
      return INFINITY;
    }
  }
  return found;
}

/* It asks at T: because it has just been met, as a rule, wherever it is now. */
void hy_classic_begin_look(HyClassic *g, HyMeeting *m, double t)
{
  looks_set(g, t, FALSE);
  m->z = looks_side(g, m, t);
  if (m->found && m->at == t) {
    set_level(m, fmin(m->level, m->z));
  }
}

void hy_classic_look_again(HyRoom *room, guint group, double t)
{
  HyClassic *g = hy_room_group(room, group)->classic;
  if (has_looks(g) && !g->own.deciding && t >= g->t0 && t <= g->t1) {
    hy_classic_seek_meetings(g, t, FALSE);
  }
}
