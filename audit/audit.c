/* One audit: what it hears of a run, when it looks, what it has found. */
#include "look.h"

#include <string.h>

/* Beginning ------------------------------------------------------------------------------------ */

HyAudit *hy_audit_new(const HySim *sim, const HyModel *model, HyAuditMode mode, double t0,
                      double tf, const HyAuditAsk *ask)
{
  HyAudit *a = g_new0(HyAudit, 1);
  guint n = 0;
  while (hy_audit_checks[n] != NULL) {
    n++;
  }
  *a = (HyAudit){.sim = sim, .model = model, .mode = mode, .t0 = t0, .tf = tf, .ask = *ask};
  a->own = g_new0(gpointer, n);
  a->counts = g_new0(HyAuditCount, n);
  for (guint k = 0; k < n; k++) {
    a->counts[k].check = hy_audit_checks[k]->name;
  }
  a->breaches = g_array_new(FALSE, FALSE, sizeof(HyAuditBreach));
  a->known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  a->last = a->drift = NAN;
  return a;
}

static void forget(HyAudit *a)
{
  for (guint k = 0; hy_audit_checks[k] != NULL; k++) {
    if (a->own[k] != NULL && hy_audit_checks[k]->free != NULL) {
      hy_audit_checks[k]->free(a->own[k]);
    }
    a->own[k] = NULL;
    a->counts[k].judged = a->counts[k].unjudged = 0;
  }
  g_clear_pointer(&a->plan, hy_audit_plan_free);
  g_clear_pointer(&a->about, g_free);
  g_clear_pointer(&a->word, g_free);
  g_clear_pointer(&a->largest, g_free);
  g_clear_pointer(&a->rests, g_free);
  g_array_set_size(a->breaches, 0);
  g_hash_table_remove_all(a->known);
  a->looks = a->stretches = 0;
  a->drift = NAN;
}

void hy_audit_free(HyAudit *a)
{
  if (a != NULL) {
    forget(a);
    g_free(a->own);
    g_free(a->counts);
    g_array_unref(a->breaches);
    g_hash_table_unref(a->known);
    g_free(a->watched);
    g_free(a);
  }
}

static gconstpointer state_of(gpointer user, guint atomic)
{
  return hy_sim_state(((const HyAudit *)user)->sim, atomic);
}

/* So many blocks and states are computed in one look after the other; then looks come half as often
 * for as many again, and so on: long runs of large models are looked at from beginning to end, and
 * take no more than a few minutes. Some 30 ns each. */
#define WORK G_GUINT64_CONSTANT(400000000)

/* Every block has its parameters by now. Words that come at this instant are yet to be heard. */
static void start(HyAudit *a)
{
  forget(a);
  a->plan = hy_audit_plan_new(a->model, state_of, a);
  const HyAuditPlan *p = a->plan;
  a->about = g_new0(HyAuditAbout, (gsize)p->n + 1);
  a->word = g_new0(HyAuditWord, (gsize)p->n_out + 1);
  a->largest = g_new0(double, (gsize)p->n_out + 1);
  a->rests = g_new(guint8, (gsize)p->n + 1);
  for (guint k = 0; k < p->n; k++) {
    a->ask.about(a->ask.user, k, &a->about[k]);
    a->rests[k] = TRUE;
  }
  for (guint k = 0; hy_audit_checks[k] != NULL; k++) {
    a->own[k] = hy_audit_checks[k]->begin != NULL ? hy_audit_checks[k]->begin(a) : NULL;
  }
  a->every = 1;
  a->work = 0;
}

/* Hearing -------------------------------------------------------------------------------------- */

/* Where not every stretch is looked at: blocks and states that may be computed for each stretch, on
 * average; and in all, in proportion to the time, so that long stretches are not passed by. */
#define SHARE 0.25
#define FLOOR 20000.0

static gboolean may_look(HyAudit *a, const HyAuditStretch *s)
{
  if (a->mode == HY_AUDIT_FULL) {
    if (a->work > WORK) {
      a->work = 0;
      a->every *= 2;
    }
    return s->number % a->every == 0;
  }
  double part = a->tf > a->t0 ? (s->t1 - a->t0) / (a->tf - a->t0) : 1;
  return (double)a->work <= FLOOR * MIN(part, 1) + SHARE * (double)s->number;
}

/* Nothing rests again. */
static void find_who_rests(HyAudit *a)
{
  for (guint k = 0; k < a->plan->n; k++) {
    a->rests[k] = a->rests[k] && a->ask.rests(a->ask.user, k);
  }
}

static void look(HyAudit *a, double t)
{
  HyAuditStretch s = {a->last, t, a->stretches++};
  if (!may_look(a, &s)) {
    return;
  }
  a->looks++;
  find_who_rests(a);
  for (a->check = 0; hy_audit_checks[a->check] != NULL; a->check++) {
    const HyAuditCheck *c = hy_audit_checks[a->check];
    if (c->look != NULL && (!c->full || a->mode == HY_AUDIT_FULL)) {
      c->look(a, a->own[a->check], &s);
    }
  }
}

/* One that goes back is another run. */
static void take_instant(gpointer user, double t)
{
  HyAudit *a = user;
  if (a->plan == NULL || t < a->last) {
    start(a);
  } else if (t > a->last) {
    look(a, t);
  }
  a->last = t;
  if (a->next.instant != NULL) {
    a->next.instant(a->next.user, t);
  }
}

static void take_transition(gpointer user, const HyTransition *tr)
{
  HyAudit *a = user;
  if (a->next.transition != NULL) {
    a->next.transition(a->next.user, tr);
  }
  if (a->plan == NULL || tr->kind != HY_LAMBDA || tr->event->port < 0 ||
      (guint)tr->event->port >= a->plan->block[tr->atomic].n_out) {
    return;
  }
  HyAuditWord *w = &a->word[a->plan->block[tr->atomic].first_out + (guint)tr->event->port];
  w->t = tr->t;
  w->known = tr->event->value.payload == NULL;
  memcpy(w->c, tr->event->value.c, sizeof w->c);
}

static void take_message(gpointer user, const HyMessage *message)
{
  HyAudit *a = user;
  a->next.message(a->next.user, message);
}

/* What states say is not wanted: they are asked. Nor, where little is looked at, what can be
 * computed, for whoever is listened to has to run. */
static guint8 wanted(const HyAudit *a, const HyAtomicClass *klass)
{
  const HyPlainClass *plain = a->mode == HY_AUDIT_FULL ? NULL : hy_plain_class(klass->name);
  if (plain != NULL && plain->function != NULL) {
    return HY_WATCH_NOTHING;
  }
  return klass->order != NULL || klass->out == NULL || klass->out->name == NULL ? HY_WATCH_NOTHING
                                                                                : HY_WATCH_ASKED;
}

HyTrace hy_audit_trace(HyAudit *a, const HyTrace *next)
{
  static const guint8 much[] = {
      [HY_WATCH_NOTHING] = 0, [HY_WATCH_ASKED] = 1, [HY_WATCH_WORDS] = 2, [HY_WATCH_ALL] = 3};
  a->next = next != NULL ? *next : (HyTrace){0};
  gboolean all = a->next.transition != NULL && a->next.watched == NULL;
  guint others = a->next.transition != NULL && !all ? a->next.n_watched : 0;
  a->n_watched = hy_sim_n(a->sim);
  g_free(a->watched);
  a->watched = g_new0(guint8, (gsize)a->n_watched + 1);
  for (guint k = 0; k < a->n_watched; k++) {
    guint8 own = wanted(a, hy_sim_class(a->sim, k)), other = k < others ? a->next.watched[k] : 0;
    a->watched[k] = much[own] > much[other] ? own : other;
  }
  return (HyTrace){.user = a,
                   .transition = take_transition,
                   .instant = take_instant,
                   .message = a->next.message != NULL ? take_message : NULL,
                   .watched = all ? NULL : a->watched,
                   .n_watched = a->n_watched};
}

/* The end -------------------------------------------------------------------------------------- */

void hy_audit_finish(HyAudit *a, double t, gboolean complete)
{
  if (a->plan == NULL && complete) {
    start(a); /* a run in which nothing happens has no instant */
  }
  if (complete && t > a->last) {
    look(a, t);
    a->last = t;
  }
  for (a->check = 0; complete && hy_audit_checks[a->check] != NULL; a->check++) {
    const HyAuditCheck *c = hy_audit_checks[a->check];
    if (c->end != NULL) {
      c->end(a, a->own[a->check], t);
    }
  }
}

static int worse(gconstpointer a, gconstpointer b)
{
  const HyAuditBreach *x = a, *y = b;
  double by = fabs(y->is - y->should) / y->allowed - fabs(x->is - x->should) / x->allowed;
  return x->promised != y->promised ? (x->promised ? -1 : 1)
         : by != 0                  ? (by > 0 ? 1 : -1)
                                    : (x->atomic > y->atomic) - (x->atomic < y->atomic);
}

/* After that nothing may come any more: places are known by number. */
void hy_audit_result(HyAudit *a, HyAudited *result)
{
  *result = (HyAudited){.mode = a->mode,
                        .looks = a->looks,
                        .stretches = a->stretches,
                        .counts = a->counts,
                        .n_breaches = a->breaches->len,
                        .drift = a->drift};
  while (hy_audit_checks[result->n_counts] != NULL) {
    result->n_counts++;
  }
  g_array_sort(a->breaches, worse);
  g_hash_table_remove_all(a->known);
  for (guint k = 0; k < a->breaches->len; k++) {
    const HyAuditBreach *b = &g_array_index(a->breaches, HyAuditBreach, k);
    guint check = 0;
    while (hy_audit_checks[check]->name != b->check) {
      check++;
    }
    gint64 key = (gint64)check << 32 | b->atomic;
    g_hash_table_insert(a->known, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(k + 1));
  }
  result->breaches = (const HyAuditBreach *)(gconstpointer)a->breaches->data;
}
