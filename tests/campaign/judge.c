#include "judge.h"
#include "by_hand.h"

#include <math.h>
#include <string.h>

static double judge_by_hand(const Circuit *c, const Exact *exact, double tolerance, double *seconds)
{
  gsize n = SAMPLES * (gsize)c->states;
  g_autofree double *x = g_new0(double, n);
  ByHand cost;
  int worst = 0;
  gboolean ok = by_hand(c, tolerance, tolerance, SAMPLES, x, &cost);
  *seconds = cost.seconds;
  return ok ? deviation(c, x, exact->x, LEAST_SIZE, &worst) : INFINITY;
}

static gboolean same_on(const char *engine, const Verdict *v, const Circuit *c, const Setting *s)
{
  Setting other = *s;
  Recording r;
  other.engine = engine;
  if (!recording_make(&r, c, &other)) {
    return FALSE;
  }
  gboolean same = r.status == v->record.status && r.n_bytes == v->record.n_bytes &&
                  memcmp(r.bytes, v->record.bytes, r.n_bytes) == 0;
  recording_clear(&r);
  return same;
}

gboolean judge(Verdict *v, const Circuit *c, const Exact *exact, const Setting *s, Asked asked)
{
  *v = (Verdict){.by_hand = NAN, .same = TRUE};
  if (!recording_make(&v->record, c, s)) {
    return FALSE;
  }
  v->percent =
      v->record.status == 0 ? deviation(c, v->record.x, exact->x, LEAST_SIZE, &v->worst) : INFINITY;
  if (asked.by_hand) {
    v->by_hand = judge_by_hand(c, exact, s->tolerance, &v->hand_seconds);
  }
  gboolean cheap = asked.most_events == 0 || v->record.events <= asked.most_events;
  if (asked.engines && v->record.status >= 0 && cheap) {
    v->same = same_on("tree", v, c, s) && same_on("flat", v, c, s);
  }
  return TRUE;
}
