/* Values of all slots at an instant inside a stretch. */
#include "look.h"

#include "eval.h"

#include <string.h>

double hy_audit_word(const HyAuditWord *w, double t)
{
  double s = t - w->t;
  return w->known && s >= 0 ? w->c[0] + s * (w->c[1] + s * (w->c[2] + s * w->c[3])) : NAN;
}

static gboolean moves(const HyAuditWord *w)
{
  return w->c[1] != 0 || w->c[2] != 0 || w->c[3] != 0;
}

double hy_audit_tolerance(HyAudit *a, guint slot, double v)
{
  const HyAuditAbout *about = &a->about[a->plan->owner[slot]];
  if (isfinite(v) && fabs(v) > a->largest[slot]) {
    a->largest[slot] = fabs(v);
  }
  return MAX(about->rel * a->largest[slot], about->least);
}

char hy_audit_kind(const HyAudit *a, guint block)
{
  for (const HyParam *p = a->plan->block[block].klass->params; p->name != NULL; p++) {
    if (strcmp(p->name, "kind") == 0) {
      const char *state = hy_sim_state(a->sim, block);
      return **(const char *const *)(gconstpointer)(state + p->offset);
    }
  }
  return 0;
}

double hy_audit_state(const HyAudit *a, guint k, double t)
{
  return hy_sim_value(a->sim, a->plan->state[k], t);
}

gboolean hy_audit_is_held(const HyAudit *a, guint k)
{
  return a->about[a->plan->state[k]].promise == HY_PROMISED_QUANTA;
}

gboolean hy_audit_said(const HyAudit *a, guint block, double t, double *y, gboolean *reading)
{
  const HyAuditWord *w = &a->word[a->plan->block[block].first_out];
  *reading = a->ask.reading(a->ask.user, block, t, y);
  if (!*reading) {
    *y = hy_audit_word(w, t);
  }
  return !isnan(*y);
}

/* States --------------------------------------------------------------------------------------- */

/* What one has said at T of a state that is held; FALSE: it is not, or has not begun. */
static gboolean held_at(const HyAudit *a, guint block, double t, double *q)
{
  HyHeld held;
  if (!hy_sim_held(a->sim, block, &held)) {
    return FALSE;
  }
  double s = t - held.t0;
  *q = held.q[0] + s * (held.q[1] + s * held.q[2]);
  return TRUE;
}

/* Whoever decides hears what a state has said, which is within two quanta of it, if it moves. */
static HyBall state_ball(HyAudit *a, guint k, HyAuditView view, double t)
{
  guint block = a->plan->state[k], slot = a->plan->block[block].first_out;
  double x = hy_audit_state(a, k, t), q = x;
  double tolerance = hy_audit_tolerance(a, slot, x);
  gboolean held = hy_audit_is_held(a, k) && held_at(a, block, t, &q);
  if (view == HY_AUDIT_NEAR) {
    HyAuditPromise promise = a->about[block].promise;
    gboolean steps = promise == HY_PROMISED_STEPS || promise == HY_PROMISED_NOTHING;
    double e = steps ? 2 * tolerance * a->about[block].share : 0;
    return (HyBall){x, e, 2 * tolerance, FALSE};
  }
  if (view == HY_AUDIT_EXACT || !held) {
    return (HyBall){x, view == HY_AUDIT_SAID ? 2 * tolerance : 0, 2 * tolerance, FALSE};
  }
  return (HyBall){q, 0, tolerance, FALSE};
}

/* Sources and what remembers ------------------------------------------------------------------- */

/* What BLOCK says at PORT by its modes, where nobody has listened to it; NaN: nobody knows. */
static double mode_word(const HyAudit *a, guint block, guint port)
{
  const HyAuditBlock *b = &a->plan->block[block];
  const double *number = b->params.number;
  gboolean transistor = strcmp(b->klass->name, "transistor") == 0, body = port > 2, up = FALSE;
  if (!a->ask.mode(a->ask.user, block, body ? 1 : 0, &up)) {
    return NAN;
  }
  if (strcmp(b->klass->name, "hysteresis") == 0) {
    return number[up ? 3 : 2];
  }
  double ron = number[body ? 1 : 0], roff = number[transistor ? 2 : 1];
  return port % 3 == 0 ? (up ? 1 : 0) : port % 3 == 1 ? (up ? ron : roff) : 1 / (up ? ron : roff);
}

/* A sine as such; else the word. */
static HyBall source_ball(const HyAudit *a, guint slot, HyAuditView view, double t)
{
  const HyAuditBlock *b = &a->plan->block[a->plan->owner[slot]];
  if (b->role == HY_AUDIT_MODE && a->mode != HY_AUDIT_FULL) {
    return hy_ball(mode_word(a, a->plan->owner[slot], slot - b->first_out));
  }
  double word = hy_audit_word(&a->word[slot], t);
  HySine sine;
  guint number = a->plan->owner[slot];
  double doubt =
      moves(&a->word[slot]) ? MAX(a->about[number].rel * fabs(word), a->about[number].least) : 0;
  if (view == HY_AUDIT_SAID || b->klass->sine == NULL || isnan(word) ||
      !b->klass->sine(hy_sim_state(a->sim, number), slot - b->first_out, &sine)) {
    return (HyBall){word, 0, isnan(doubt) ? 0 : doubt, FALSE};
  }
  double angle = 2 * G_PI * sine.frequency * t + sine.phase;
  double v = sine.amplitude * sin(angle) + sine.offset;
  double off = fabs(word - v),
         most = HY_AUDIT_BAR *
                MAX(a->about[number].rel * fabs(sine.amplitude), a->about[number].least);
  double round = 4 * HY_BALL_ROUND * (fabs(sine.amplitude) * (1 + fabs(angle)) + fabs(sine.offset));
  return (HyBall){v, round + (view == HY_AUDIT_TAKEN ? MIN(off, most) : 0), MIN(off, most) + doubt,
                  FALSE};
}

/* Plain blocks --------------------------------------------------------------------------------- */

HyBall hy_audit_input(const HyAudit *a, const HyBall *value, guint block, guint k)
{
  const HyAuditInput *in = &a->plan->input[a->plan->block[block].first_in + k];
  return in->slot == HY_AUDIT_NONE    ? hy_ball(in->number)
         : in->slot == HY_AUDIT_OTHER ? hy_ball(NAN)
                                      : value[in->slot];
}

double hy_audit_evaluate(const HyAudit *a, const HyBall *value, guint block, HyBall *out)
{
  const HyAuditBlock *b = &a->plan->block[block];
  HyBall few[16] = {{0}}, *in = b->n_in <= G_N_ELEMENTS(few) ? few : g_new(HyBall, b->n_in);
  for (guint k = 0; k < b->n_in; k++) {
    in[k] = hy_audit_input(a, value, block, k);
  }
  double most = 0;
  if (b->params.tree != NULL && b->plain->beyond && b->n_out == 1 &&
      strcmp(b->plain->name, "function") == 0) {
    out[0] = hy_written_value_of(b->params.tree, in, &most);
  } else {
    b->plain->function(&b->params, in, b->n_in, out);
  }
  if (in != few) {
    g_free(in);
  }
  return most;
}

/* What is made within a tolerance may be off by that for whoever takes it; by no more than the
 * check of the block itself lets pass. Where it is open which side of a comparison holds, what has
 * been said is one of them, and that is taken. */
static HyBall as_taken(HyAudit *a, guint block, double t, HyBall v)
{
  const HyAuditBlock *b = &a->plan->block[block];
  double y, tolerance = hy_audit_tolerance(a, b->first_out, v.v);
  gboolean reading;
  if (!b->beyond && !(v.e > tolerance)) {
    return v;
  }
  v.doubt += b->beyond ? tolerance : 0;
  if (!hy_audit_said(a, block, t, &y, &reading)) { /* nobody has listened */
    v.e += b->beyond ? HY_AUDIT_BAR * tolerance : 0;
    return v;
  }
  if (v.open && v.e > tolerance && fabs(y - v.v) <= v.e) {
    return (HyBall){y, tolerance, v.doubt, FALSE};
  }
  v.e += b->beyond && !reading ? MIN(fabs(y - v.v), HY_AUDIT_BAR * tolerance) : 0;
  return v;
}

static void compute_block(HyAudit *a, HyAuditView view, guint block, double t, HyBall *value)
{
  const HyAuditBlock *b = &a->plan->block[block];
  double y;
  gboolean reading;
  gboolean taken = b->cut || hy_audit_rests(a, block);
  if (a->silent[block] || (taken && !hy_audit_said(a, block, t, &y, &reading))) {
    value[b->first_out] = hy_ball(NAN);
    return;
  }
  if (taken || (view == HY_AUDIT_SAID && hy_audit_said(a, block, t, &y, &reading))) {
    gboolean rests = !reading && !moves(&a->word[b->first_out]);
    value[b->first_out] = (HyBall){y, 0, rests ? 0 : hy_audit_tolerance(a, b->first_out, y), FALSE};
    return;
  }
  hy_audit_evaluate(a, value, block, &value[b->first_out]);
  if (view != HY_AUDIT_EXACT && view != HY_AUDIT_NEAR) {
    value[b->first_out] = as_taken(a, block, t, value[b->first_out]);
  }
}

void hy_audit_compute(HyAudit *a, HyAuditView view, double t, const HyAuditCone *cone, guint64 bits,
                      HyBall *value)
{
  for (guint k = 0; k < cone->block->len; k++) {
    guint block = g_array_index(cone->block, guint, k);
    if ((a->plan->block[block].states & bits) != 0) {
      compute_block(a, view, block, t, value);
      a->work += a->plan->block[block].weight;
    }
  }
}

/* Instructions, by callgrind; a state of a group is a sum over all of them. */
#define WORD_COST 80
#define ASK_COST  250
#define SUM_COST  40

static double state_cost(const HyAudit *a, guint k)
{
  return ASK_COST + (hy_audit_is_held(a, k) ? 0 : SUM_COST * a->plan->n_states);
}

static void set_state(HyAudit *a, HyAuditView view, guint k, double t, HyBall *value)
{
  const HyAuditPlan *p = a->plan;
  value[p->block[p->state[k]].first_out] = state_ball(a, k, view, t);
  a->work += state_cost(a, k);
}

double hy_audit_block_cost(const HyAudit *a, guint block)
{
  const HyAuditBlock *b = &a->plan->block[block];
  return b->role == HY_AUDIT_STATE   ? state_cost(a, b->place)
         : b->role == HY_AUDIT_PLAIN ? b->weight
                                     : WORD_COST * b->n_out;
}

double hy_audit_cost(const HyAudit *a, const HyAuditCone *cone)
{
  double cost = WORD_COST * cone->word->len;
  for (guint k = 0; k < cone->state->len; k++) {
    cost += state_cost(a, g_array_index(cone->state, guint, k));
  }
  for (guint k = 0; k < cone->block->len; k++) {
    cost += a->plan->block[g_array_index(cone->block, guint, k)].weight;
  }
  return cost;
}

void hy_audit_view_cone(HyAudit *a, HyAuditView view, double t, const HyAuditCone *cone,
                        HyBall *value)
{
  for (guint k = 0; k < cone->word->len; k++) {
    guint slot = g_array_index(cone->word, guint, k);
    value[slot] = source_ball(a, slot, view, t);
  }
  for (guint k = 0; k < cone->state->len; k++) {
    set_state(a, view, g_array_index(cone->state, guint, k), t, value);
  }
  for (guint k = 0; k < cone->block->len; k++) {
    guint block = g_array_index(cone->block, guint, k);
    compute_block(a, view, block, t, value);
    a->work += a->plan->block[block].weight;
  }
  a->work += WORD_COST * cone->word->len;
}

void hy_audit_view(HyAudit *a, HyAuditView view, double t, HyBall *value)
{
  const HyAuditPlan *p = a->plan;
  for (guint slot = 0; slot < p->n_out; slot++) {
    HyAuditRole role = p->block[p->owner[slot]].role;
    if (role == HY_AUDIT_WORD || role == HY_AUDIT_MODE) {
      value[slot] = source_ball(a, slot, view, t);
    }
  }
  for (guint k = 0; k < p->n_states; k++) {
    set_state(a, view, k, t, value);
  }
  for (guint k = 0; k < p->n_order; k++) {
    compute_block(a, view, p->order[k], t, value);
    a->work += p->block[p->order[k]].weight;
  }
}

/* Breaches ------------------------------------------------------------------------------------- */

void hy_audit_judged(HyAudit *a, gboolean judged)
{
  HyAuditCount *c = &a->counts[a->check];
  c->judged += judged ? 1 : 0;
  c->unjudged += judged ? 0 : 1;
}

static double ratio_of(const HyAuditBreach *b)
{
  return fabs(b->is - b->should) / b->allowed;
}

/* One that goes on where the last one has ended is the same. */
void hy_audit_breach(HyAudit *a, guint block, double t, double until, double is, double should,
                     double allowed, const char *what)
{
  HyAuditBreach b = {.check = hy_audit_checks[a->check]->name,
                     .atomic = block,
                     .what = what,
                     .t = t,
                     .until = until,
                     .is = is,
                     .should = should,
                     .allowed = allowed,
                     .times = 1,
                     .promised = hy_audit_checks[a->check]->sum
                                     ? a->about[block].promise == HY_PROMISED_EXACT ||
                                           a->about[block].promise == HY_PROMISED_QUANTA
                                     : a->about[block].promise != HY_PROMISED_NOTHING};
  gint64 key = (gint64)a->check << 32 | block;
  guint place = GPOINTER_TO_UINT(g_hash_table_lookup(a->known, &key));
  if (place == 0) {
    g_array_append_val(a->breaches, b);
    g_hash_table_insert(a->known, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(a->breaches->len));
    return;
  }
  HyAuditBreach *old = &g_array_index(a->breaches, HyAuditBreach, place - 1);
  b.times = old->times + 1;
  if (old->until == t) {
    b.t = old->t;
  }
  if (!(ratio_of(&b) <= ratio_of(old))) {
    *old = b;
  } else {
    old->until = old->until == t ? until : old->until;
    old->times++;
  }
}
