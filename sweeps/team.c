/* A sweep by several processes: every one of them has made the plan for itself, rank 0 hands out
 * places (crew.c) and gets rows back as bytes. A row says of which plan it is, since on another
 * machine files may be others.
 *
 *   digest of the plan, 8 bytes; status, events; CPU time; the measures; why, without a 0 */
#include "crew.h"
#include "sweep_internal.h"

#include "hydevs/text.h"

#include <string.h>

struct HySweepTeam {
  const HyRanks *ranks;
  guint rank, n;
};

HySweepTeam *hy_sweep_team_new(GError **error)
{
  const HyRanks *ranks = hy_ranks_open(error);
  if (ranks == NULL) {
    return NULL;
  }
  HySweepTeam *t = g_new0(HySweepTeam, 1);
  t->ranks = ranks;
  if (!ranks->begin(&t->rank, &t->n)) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "MPI does not begin");
    g_clear_pointer(&t, g_free);
  }
  return t;
}

guint hy_sweep_team_n(const HySweepTeam *team)
{
  g_return_val_if_fail(team != NULL, 1);
  return team->n;
}

guint hy_sweep_team_rank(const HySweepTeam *team)
{
  g_return_val_if_fail(team != NULL, 0);
  return team->rank;
}

void hy_sweep_team_free(HySweepTeam *team, gboolean done, int status)
{
  if (team == NULL) {
    return;
  }
  if (done) {
    team->ranks->end();
  } else {
    team->ranks->leave(status);
  }
  g_free(team);
}

/* The next message, whenever it comes. */
static guint wait_for(const HySweepTeam *t, GByteArray *message)
{
  guint from;
  while (!t->ranks->receive(&from, message)) {
    g_usleep(1000);
  }
  return from;
}

/* Each tells rank 0 how it stands and waits for its answer, where it has a plan. */
gboolean hy_sweep_team_agrees(const HySweepTeam *t, gboolean ok, gboolean *same)
{
  g_return_val_if_fail(t != NULL && same != NULL, FALSE);
  g_autoptr(GByteArray) message = g_byte_array_new();
  const char mine = ok ? 'y' : 'n';
  guint with_plan = ok ? 1 : 0;
  if (t->rank > 0) {
    *same = !ok;
    if (t->ranks->send(0, &mine, 1) && ok) {
      wait_for(t, message);
    }
    return ok;
  }
  for (guint r = 1; r < t->n; r++) {
    wait_for(t, message);
    with_plan += message->data[0] == 'y' ? 1 : 0;
  }
  for (guint r = 1; with_plan == t->n && r < t->n; r++) {
    t->ranks->send(r, &mine, 1);
  }
  *same = with_plan == 0;
  return with_plan == t->n;
}

gboolean hy_sweep_in_team(const HySweep *s)
{
  return s->options.team != NULL && s->options.team->n > 1;
}

/* Rows as bytes ------------------------------------------------------------------------------- */

enum { DIGEST = 8 };

typedef struct {
  gint64 status;
  guint64 events;
  double seconds;
} Head;

static void pack(const HyPlan *p, const HySweepRow *row, double seconds, GByteArray *out)
{
  const Head head = {row->status, row->events, seconds};
  g_byte_array_append(out, (const guint8 *)hy_plan_digest(p), DIGEST);
  g_byte_array_append(out, (const guint8 *)&head, sizeof head);
  g_byte_array_append(out, (const guint8 *)row->measures,
                      (guint)(p->n_measures * sizeof *row->measures));
  g_byte_array_append(out, (const guint8 *)row->why,
                      row->why != NULL ? (guint)strlen(row->why) : 0);
}

/* FALSE: it is of another plan. */
static gboolean unpack(const HyPlan *p, const guint8 *bytes, gsize n, HySweepRow *row,
                       double *seconds)
{
  Head head;
  gsize measures = p->n_measures * sizeof *row->measures, fixed = DIGEST + sizeof head + measures;
  if (n < fixed || memcmp(bytes, hy_plan_digest(p), DIGEST) != 0) {
    return FALSE;
  }
  memcpy(&head, bytes + DIGEST, sizeof head);
  row->status = (int)head.status;
  row->events = head.events;
  *seconds = head.seconds;
  row->measures = g_new(double, p->n_measures + 1);
  memcpy(row->measures, bytes + DIGEST + sizeof head, measures);
  row->why = n > fixed ? g_strndup((const char *)bytes + fixed, n - fixed) : NULL;
  return TRUE;
}

/* Work ---------------------------------------------------------------------------------------- */

/* A run that was stopped gives nothing. */
static void run(gpointer user, guint64 place, GByteArray *out)
{
  HySweep *s = (HySweep *)user;
  HySweepRow row = {0};
  double began = hy_sweep_thread_seconds();
  if (hy_sweep_run(s->plan, hy_sweep_k(s, place), &s->stop, &row)) {
    pack(s->plan, &row, hy_sweep_thread_seconds() - began, out);
  }
  hy_sweep_row_clear(&row);
}

static gboolean take(gpointer user, guint64 place, const guint8 *bytes, gsize n)
{
  HySweep *s = (HySweep *)user;
  HySweepRow row = {0};
  double seconds;
  if (n == 0) {
    return TRUE;
  }
  if (place >= s->n || !unpack(s->plan, bytes, n, &row, &seconds)) {
    g_set_error(&s->broken, HY_ERROR, HY_ERROR_RUN,
                "a process of this sweep has another model or another hydevs");
    return FALSE;
  }
  s->totals.cpu += seconds;
  hy_sweep_end_run(s, place, &row);
  hy_sweep_row_clear(&row);
  return s->broken == NULL;
}

static gboolean stop(gpointer user)
{
  HySweep *s = (HySweep *)user;
  hy_sweep_look_round(s);
  return g_atomic_int_get(&s->stop) != 0;
}

/* Nobody but this thread touches rows, so the lock is not needed. */
void hy_sweep_run_team(HySweep *s, guint threads)
{
  const HySweepTeam *t = s->options.team;
  const HyCrew crew = {t->ranks, t->rank, t->n, MAX(threads, 1)};
  const HyWork work = {s, run, take, t->rank == 0 ? stop : NULL};
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint64));
  for (guint64 place = 0; t->rank == 0 && place < s->n; place++) {
    if (s->status[place] == HY_SWEEP_OPEN) {
      g_array_append_val(open, place);
    }
  }
  if (!hy_crew_work(&crew, &work, (const guint64 *)(gpointer)open->data, open->len)) {
    g_atomic_int_set(&s->stop, 1);
    if (t->rank > 0 && s->broken == NULL) {
      g_set_error(&s->broken, HY_ERROR, HY_ERROR_RUN, "the other processes do not answer");
    }
  }
}
