/* Looks at parts of a run, paid for by its own counted work, so that they are the same on every
 * engine and every machine. First the plan has to be earned. Then everything is computed some
 * times, in stretches far apart, to see how large it is, for tolerances are parts of that. Then
 * checks have their turns, a block or state each time.
 *
 * The next turn comes when it has been earned, if the run goes on as it has so far; rather earlier
 * or later, by its number, so that it does not meet one phase of what is periodic for ever. It
 * takes the stretch that this time falls into, so that long ones are seen more often. */
#include "budget.h"

#include "look.h"

#define PART      0.01   /* of the work of the run */
#define PLAN_COST 3500.0 /* a block, instructions by callgrind */
#define TURN_COST 500.0
#define LEARNING  4

static double credit_of(const HyAudit *a, const HyAuditFar *far)
{
  return PART * far->work - a->work;
}

/* 0 .. 1. */
static double chance(guint64 number)
{
  guint64 x = (number + 1) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
  return (double)((x ^ x >> 31) >> 11) / 9007199254740992.0;
}

static double next_turn(const HyAudit *a, const HyAuditFar *far, double t)
{
  double past = t - a->t0, missing = a->need - credit_of(a, far);
  if (!(past > 0)) {
    return t;
  }
  if (!isfinite(missing)) {
    return INFINITY;
  }
  if (missing <= 0) {
    return t;
  }
  double wait = missing / (PART * far->work / past);
  return t + (0.5 + chance(a->turns)) * MAX(wait, past / 64);
}

/* How large everything is. */
static void learn(HyAudit *a, const HyAuditStretch *s)
{
  g_autofree HyBall *value = g_new0(HyBall, (gsize)a->plan->n_out + 1);
  hy_audit_view(a, HY_AUDIT_TAKEN, s->t0 + 0.5 * (s->t1 - s->t0), value);
  a->learned++;
}

static double cost_of_all(const HyAudit *a)
{
  double cost = 0;
  for (guint k = 0; k < a->plan->n; k++) {
    cost += hy_audit_block_cost(a, k);
  }
  return cost;
}

/* Whose turn is next, and what it will take; INFINITY: nobody's, ever. */
static double choose(HyAudit *a)
{
  if (a->learned < LEARNING) {
    return cost_of_all(a);
  }
  for (guint tried = 0; hy_audit_checks[tried] != NULL; tried++) {
    a->check++;
    a->check = hy_audit_checks[a->check] != NULL ? a->check : 0;
    const HyAuditCheck *c = hy_audit_checks[a->check];
    gpointer own = a->own[a->check];
    if (c->parts != NULL && c->parts(a, own) > 0) {
      a->place[a->check] = (a->place[a->check] + 1) % c->parts(a, own);
      return c->ready(a, own, a->place[a->check]);
    }
  }
  return INFINITY;
}

static void take(HyAudit *a, const HyAuditStretch *s)
{
  if (a->plan == NULL) {
    hy_audit_begin(a);
    a->work += PLAN_COST * a->plan->n;
  } else if (a->learned < LEARNING) {
    hy_audit_find_who_rests(a);
    learn(a, s);
  } else {
    const HyAuditCheck *c = hy_audit_checks[a->check];
    hy_audit_find_who_rests(a);
    c->part(a, a->own[a->check], a->place[a->check], s);
    a->looks++;
  }
  a->need = choose(a);
}

void hy_audit_turn(HyAudit *a, double t)
{
  HyAuditFar far;
  a->ask.far(a->ask.user, &far);
  a->stretches = far.instants;
  a->last = t;
  a->turns++;
  a->work += TURN_COST + far.asking;
  if (a->plan == NULL) {
    a->need = PLAN_COST * hy_sim_n(a->sim);
  }
  HyAuditStretch s = {far.since, t, a->turns};
  if (s.t0 < s.t1 && credit_of(a, &far) >= a->need) {
    take(a, &s);
  }
  a->wake = next_turn(a, &far, t);
}

gboolean hy_audit_may_end(HyAudit *a)
{
  HyAuditFar far;
  a->ask.far(a->ask.user, &far);
  return a->plan != NULL && credit_of(a, &far) >= cost_of_all(a);
}
