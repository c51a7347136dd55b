/* Meetings: when what a block hears meets a line is found by the group of whose states it is made
 * (equations/meetings.h).
 *
 *   z = r(x, u) - (value + slope (t - from))
 *
 * or -z, so that z > 0 where the block is right, is looked for on the step that stands: whenever a
 * step begins, and whenever the block asks anew. No step ends there. The block says something at
 * that instant, and what follows from it comes to the group from outside.
 *
 * It is beyond where it is so by more than a margin: a touch is passed by, and what has just met
 * its line, z being 0 but for rounding, does not meet it again. The instant is where z is 0 before.
 * At an edge it may be beyond by more: the input may answer the edge by a jump (the current of a
 * capacitor in the voltage of its resistance), and the block would turn to and fro at one instant.
 *
 * Where z is driven back to a level from both sides it slides there, as in classic_crossings.c: the
 * margin grows with every try, up to what the tolerances of the states make of z. */
#include "classic_internal.h"

#include "groups.h"

void hy_classic_find_meetings(HyClassic *g)
{
  const GPtrArray *all = g->room->meetings;
  g->meeting = g_ptr_array_new();
  g->probe = g_ptr_array_new();
  for (guint k = 0; k < all->len; k++) {
    HyMeeting *m = hy_meeting(g->room, k);
    if (m->reading != NULL && m->reading->group == g->number) {
      GPtrArray *of = m->probes ? g->probe : g->meeting;
      m->place = of->len;
      g_ptr_array_add(of, m);
    }
  }
  hy_classic_find_sums(g);
}

double hy_classic_meeting_side(const HyMeeting *m, double t, double value)
{
  double z = value - (m->value + m->slope * (t - m->from));
  return m->above ? z : -z;
}

gboolean hy_classic_meeting_leaves(const HyMeeting *m, double z)
{
  return m->value == m->turned && z > 2.0 * m->width;
}

void hy_classic_meeting_level(HyMeeting *m, double t, double z)
{
  if (z > m->noise || t >= m->right) {
    m->level = 0.0;
  } else if (t == m->met) {
    m->level = fmin(z, 0.0);
  }
  m->tries = t >= m->away || hy_classic_meeting_leaves(m, z) ? 0 : m->tries;
}

/* From T on, before END. FOUND: else AT is where it has to be looked for further. */
static void meeting_seek(HyClassic *g, HyMeeting *m, double t, double end)
{
  m->at = INFINITY;
  m->found = TRUE;
  double most = end - g->t0,
         until = fmin(most, fmax(t - g->t0, 0.0) + HY_FAR * g->stepper->near(g));
  double s = g->stepper->meets(g, m, t, &until);
  if (s < INFINITY) {
    m->at = fmax(g->t0 + s, t);
  } else if (until < most) {
    m->at = fmax(g->t0 + until, t);
    m->found = FALSE;
  }
}

static void meeting_look(HyClassic *g, HyMeeting *m, double t, gboolean begins)
{
  double before = m->at;
  double until = m->until - (m->slope != 0.0 ? m->margin / fabs(m->slope) : 0.0);
  double end = fmin(until, fmin(g->t1, g->own.next));
  m->at = INFINITY;
  if (!m->asked) {
    m->live = hy_reading_is_known(g->room, m->reading) != FALSE;
    m->at = m->live ? t : INFINITY;
    m->found = FALSE;
  } else if (g->stepper->meets == NULL) {
    m->at = t <= end ? hy_classic_look(g, m, t, end, begins) : INFINITY;
    m->found = TRUE;
  } else if (t < end) {
    meeting_seek(g, m, t, end);
  }
  if (m->at != before) {
    hy_meeting_make_due(g->room, m);
  }
}

/* A probe is told that it may ask; and, at the instant of what it has asked, that this may be
 * another value now. */
static void probe_look(const HyClassic *g, HyMeeting *m, double t)
{
  gboolean live = m->live || hy_reading_is_known(g->room, m->reading);
  if (live != m->live || m->open == t) {
    m->live = live != FALSE;
    m->at = t;
    hy_meeting_make_due(g->room, m);
  }
}

void hy_classic_seek_meetings(HyClassic *g, double t, gboolean begins)
{
  for (guint k = 0; k < g->probe->len; k++) {
    probe_look(g, g_ptr_array_index(g->probe, k), t);
  }
  for (guint k = 0; k < g->meeting->len; k++) {
    HyMeeting *m = g_ptr_array_index(g->meeting, k);
    meeting_look(g, m, t, begins);
    if (m->until > t && g->stepper->meets != NULL) {
      g->t1 = fmin(g->t1, m->until);
    }
  }
}

/* How often it has turned at the level that it asked for until now. */
static void meeting_count(HyMeeting *m, double t)
{
  m->tries = t >= m->away ? 0 : m->tries;
  if (m->found && m->at == t) {
    m->tries = m->sought == m->turned ? m->tries + 1 : 1;
    m->turned = m->sought;
  }
  m->sought = m->value;
}

/* What passes by 0 is small there, and its rounding is that of where it has come from. */
static double meeting_noise(HyClassic *g, const HyMeeting *m, double t)
{
  double c[4] = {0.0};
  hy_classic_read_now(g->room, m->reading, t, c);
  double size = fmax(fabs(m->value), t > m->since ? fabs(c[1]) * (t - m->since) : 0.0);
  double noise = fmax(hy_classic_measure(g, m->reading->row, FALSE), HY_ROUNDING * size);
  return t > m->since ? noise : fmax(m->noise, noise);
}

/* A level, whose margin is for the group to know. */
static void meeting_begin(HyClassic *g, HyMeeting *m, double t)
{
  guint32 row = m->reading->row;
  meeting_count(m, t);
  gboolean again = m->tries > 0 && m->value == m->turned;
  m->noise = meeting_noise(g, m, t);
  m->since = t;
  m->width = again ? hy_classic_measure(g, row, TRUE) : 0.0;
  double band = m->noise;
  for (guint k = 1; k < m->tries && band < m->width; k++) {
    band *= HY_GROWTH;
  }
  m->level = fmin(m->noise - fmin(band, m->width), 0.0);
}

void hy_classic_meet(HyRoom *room, HyMeeting *m, double t)
{
  HyClassic *g = hy_room_group(room, m->reading->group)->classic;
  if (g->begun && g->why == NULL) {
    if (m->margin > 0.0) {
      m->noise = m->margin;
      m->level = 0.0;
    } else {
      meeting_begin(g, m, t);
    }
    m->right = m->away = INFINITY;
    if (g->stepper->meets == NULL) {
      hy_classic_begin_look(g, m, t);
    }
    meeting_look(g, m, t, FALSE);
  }
}
