/* One audit: what it hears of a run, when it looks, what it has found. */
#include "base/tape.h"
#include "budget.h"
#include "look.h"
#include "sim/watched.h"

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
  a->place = g_new0(guint, n);
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
    a->place[k] = 0;
  }
  g_clear_pointer(&a->plan, hy_audit_plan_free);
  g_clear_pointer(&a->about, g_free);
  g_clear_pointer(&a->largest, g_free);
  g_clear_pointer(&a->rests, g_free);
  g_clear_pointer(&a->silent, g_free);
  g_array_set_size(a->breaches, 0);
  g_hash_table_remove_all(a->known);
  a->looks = a->stretches = a->turns = 0;
  a->learned = 0;
  a->work = 0;
  a->drift = NAN;
}

void hy_audit_free(HyAudit *a)
{
  if (a != NULL) {
    forget(a);
    g_free(a->own);
    g_free(a->counts);
    g_free(a->place);
    g_free(a->slot);
    g_free(a->word);
    g_array_unref(a->breaches);
    g_hash_table_unref(a->known);
    g_free(a->watched);
    g_free(a->read);
    g_free(a->merged);
    g_free(a);
  }
}

static gconstpointer state_of(gpointer user, guint atomic)
{
  return hy_sim_state(((const HyAudit *)user)->sim, atomic);
}

/* So many instructions are for one look after the other; then looks come half as often for as many
 * again, and so on: long runs of large models are looked at from beginning to end, and take no more
 * than a few minutes. */
#define WORK 4e11

/* Every block has its parameters by now. */
void hy_audit_begin(HyAudit *a)
{
  a->plan = hy_audit_plan_new(a->model, state_of, a);
  const HyAuditPlan *p = a->plan;
  a->about = g_new0(HyAuditAbout, (gsize)p->n + 1);
  a->largest = g_new0(double, (gsize)p->n_out + 1);
  a->rests = g_new(guint8, (gsize)p->n + 1);
  a->silent = g_new(guint8, (gsize)p->n + 1);
  a->any_silent = a->mode == HY_AUDIT_FULL; /* else hardly anybody is listened to */
  for (guint k = 0; k < p->n; k++) {
    a->ask.about(a->ask.user, k, &a->about[k]);
    a->rests[k] = TRUE;
    a->silent[k] = a->any_silent != FALSE;
  }
  for (guint k = 0; hy_audit_checks[k] != NULL; k++) {
    a->own[k] = hy_audit_checks[k]->begin != NULL ? hy_audit_checks[k]->begin(a) : NULL;
  }
  a->check = 0;
}

/* Words that come at this instant are yet to be heard. */
static void start(HyAudit *a)
{
  forget(a);
  memset(a->word, 0, a->slot[a->n_watched] * sizeof *a->word);
  a->every = 1;
  a->begun = TRUE;
  a->wake = -INFINITY;
  if (a->mode == HY_AUDIT_FULL) {
    hy_audit_begin(a);
  } else {
    a->wake = !a->listens ? INFINITY : isfinite(a->tf) ? a->t0 + (a->tf - a->t0) / 1000 : a->t0;
  }
}

/* Hearing -------------------------------------------------------------------------------------- */

static gboolean may_look(HyAudit *a, const HyAuditStretch *s)
{
  if (a->work > WORK) {
    a->work = 0;
    a->every *= 2;
  }
  return s->number % a->every == 0;
}

static gboolean has_spoken(const HyAudit *a, guint block)
{
  const HyAuditBlock *b = &a->plan->block[block];
  gboolean any = b->n_out == 0;
  for (guint k = 0; k < b->n_out; k++) {
    any = any || a->word[b->first_out + k].known;
  }
  return any;
}

/* A block says nothing until all of its inputs have come, but for those that only decide modes. So
 * it is silent if one of them is, unless it has been heard. States are what they are from the
 * start. */
static void find_who_is_silent(HyAudit *a)
{
  const HyAuditPlan *p = a->plan;
  gboolean any = FALSE;
  for (guint k = 0; k < p->n; k++) {
    a->silent[k] = a->silent[k] && p->block[k].role != HY_AUDIT_STATE &&
                   (p->block[k].role == HY_AUDIT_PLAIN || !has_spoken(a, k));
    any = any || a->silent[k];
  }
  for (guint at = 0; at < p->n_order && any; at++) {
    const HyAuditBlock *b = &p->block[p->order[at]];
    gboolean waits = FALSE;
    for (guint k = 0; k < b->n_in && a->silent[p->order[at]]; k++) {
      guint slot = p->input[b->first_in + k].slot;
      waits = waits || (slot < p->n_out && a->silent[p->owner[slot]] && !b->cut);
    }
    a->silent[p->order[at]] = waits && !has_spoken(a, p->order[at]);
  }
  a->any_silent = any;
}

void hy_audit_find_who_rests(HyAudit *a)
{
  for (guint k = 0; k < a->plan->n; k++) {
    a->rests[k] = a->rests[k] && a->ask.rests(a->ask.user, k);
  }
  if (a->any_silent) {
    find_who_is_silent(a);
  }
}

static void look(HyAudit *a, double t)
{
  HyAuditStretch s = {a->last, t, a->stretches++};
  if (!may_look(a, &s)) {
    return;
  }
  a->looks++;
  hy_audit_find_who_rests(a);
  for (a->check = 0; hy_audit_checks[a->check] != NULL; a->check++) {
    const HyAuditCheck *c = hy_audit_checks[a->check];
    if (c->look != NULL) {
      c->look(a, a->own[a->check], &s);
    }
  }
}

/* One that goes back is another run. */
static void take_instant(gpointer user, double t)
{
  HyAudit *a = user;
  if (!a->begun || t < a->last) {
    start(a);
    a->ask.wake(a->ask.user, a->wake);
  } else if (t > a->last && a->mode == HY_AUDIT_FULL) {
    look(a, t);
  } else if (t > a->last && t >= a->wake) {
    hy_audit_turn(a, t);
    a->ask.wake(a->ask.user, a->wake);
  }
  a->last = t;
}

static void take_transition(gpointer user, const HyTransition *tr)
{
  HyAudit *a = user;
  guint first = a->slot[tr->atomic], n = a->slot[tr->atomic + 1] - first;
  if (tr->kind != HY_LAMBDA || (guint)tr->event->port >= n) { /* -1: no event */
    return;
  }
  HyAuditWord *w = &a->word[first + (guint)tr->event->port];
  w->t = tr->t;
  w->known = tr->event->value.payload == NULL;
  memcpy(w->c, tr->event->value.c, sizeof w->c);
}

/* What states say is not wanted: they are asked. Nor, where little is looked at, what can be
 * computed or asked, for whoever is listened to has to run. */
static guint8 wanted(const HyAudit *a, const HyAtomicClass *klass)
{
  gboolean full = a->mode == HY_AUDIT_FULL;
  if (!full && (!a->listens || hy_plain_class(klass->name) != NULL)) {
    return HY_WATCH_NOTHING;
  }
  return klass->order != NULL || klass->out == NULL || klass->out->name == NULL ? HY_WATCH_NOTHING
                                                                                : HY_WATCH_ASKED;
}

/* A state, or what remembers which of two it is. */
static gboolean is_looked_at(const HyAtomicClass *klass)
{
  const HyPlainClass *plain = hy_plain_class(klass->name);
  return klass->order != NULL || (plain != NULL && plain->function == NULL);
}

/* Of whoever else hears nothing. */
static void hear_nothing(gpointer user, const HyTransition *tr)
{
  (void)user, (void)tr;
}

static void choose_words(HyAudit *a)
{
  a->n_watched = hy_sim_n(a->sim);
  a->slot = hy_audit_slots(a->model);
  a->word = g_new0(HyAuditWord, (gsize)a->slot[a->n_watched] + 1);
  a->watched = g_new0(guint8, (gsize)a->n_watched + 1);
  a->merged = g_new0(guint8, (gsize)a->n_watched + 1);
  a->read = g_new0(guint8, (gsize)a->n_watched + 1);
  for (guint k = 0; k < a->n_watched && !a->listens; k++) {
    a->listens = is_looked_at(hy_sim_class(a->sim, k));
  }
  for (guint k = 0; k < a->n_watched; k++) {
    a->watched[k] = wanted(a, hy_sim_class(a->sim, k));
  }
  a->trace = (HyTrace){.user = a,
                       .transition = take_transition,
                       .instant = take_instant,
                       .watched = a->watched,
                       .n_watched = a->n_watched};
}

HyTrace hy_audit_trace(HyAudit *a, const HyTrace *others)
{
  HyTrace both = others != NULL ? *others : (HyTrace){0};
  gboolean all = both.transition != NULL && both.watched == NULL;
  guint n = both.transition != NULL && !all ? both.n_watched : 0;
  if (a->slot == NULL) {
    choose_words(a);
  }
  for (guint k = 0; k < a->n_watched; k++) {
    guint8 other = k < n ? both.watched[k] : 0;
    a->merged[k] = hy_watch_more(a->watched[k], other);
    a->read[k] = other;
  }
  both.transition = both.transition != NULL ? both.transition : hear_nothing;
  both.watched = all ? NULL : a->merged;
  both.readers = all ? NULL : a->read;
  both.n_watched = a->n_watched;
  both.check = &a->trace;
  return both;
}

/* Snapshots ------------------------------------------------------------------------------------ */

static void words_tape(HyAudit *a, HyTape *tape)
{
  for (guint k = 0; a != NULL && k < a->n_watched; k++) {
    for (guint i = a->slot[k]; i < a->slot[k + 1] && a->watched[k] != HY_WATCH_NOTHING; i++) {
      HyAuditWord *w = &a->word[i];
      HY_TAPE(tape, w->t);
      HY_TAPE_ARRAY(tape, w->c, 4);
      HY_TAPE(tape, w->known);
    }
  }
}

/* One that goes on listens as if it had begun then, and knows what has been said. */
static void go_on(HyAudit *a)
{
  forget(a);
  a->every = 1;
  a->begun = TRUE;
  a->wake = -INFINITY;
  if (a->mode == HY_AUDIT_FULL) {
    hy_audit_begin(a);
  } else if (!a->listens) {
    a->wake = INFINITY;
  }
  a->ask.wake(a->ask.user, a->wake);
}

void hy_audit_tape(HyAudit *a, HyTape *tape)
{
  guint mode = a != NULL ? (guint)a->mode : 0, own = mode;
  double last = a != NULL ? a->last : NAN;
  HY_TAPE(tape, mode);
  HY_TAPE(tape, last);
  if (hy_tape_files(tape) && mode != own) {
    hy_tape_reject(tape, "the run of the snapshot was audited in another way: say so by --audit");
    return;
  }
  words_tape(a, tape);
  if (a != NULL && hy_tape_loads(tape)) {
    a->last = last;
  }
  if (a != NULL && hy_tape_loads(tape) && hy_tape_files(tape) && tape->refused == NULL) {
    go_on(a);
  }
}

/* The end -------------------------------------------------------------------------------------- */

void hy_audit_finish(HyAudit *a, double t, gboolean complete)
{
  gboolean full = a->mode == HY_AUDIT_FULL;
  if (!a->begun && complete) {
    start(a); /* a run in which nothing happens has no instant */
  }
  if (complete && t > a->last && full) {
    look(a, t);
  } else if (complete && a->listens && !full) {
    hy_audit_turn(a, t);
  }
  a->last = t;
  for (a->check = 0; complete && hy_audit_checks[a->check] != NULL; a->check++) {
    const HyAuditCheck *c = hy_audit_checks[a->check];
    if (c->end != NULL && (full || hy_audit_may_end(a))) {
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
