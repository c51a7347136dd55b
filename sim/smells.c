/* Looking at a run from time to time. Nothing is counted for it in the run itself but toggles of
 * modes.
 *
 * Every GROWING cycles: whose |x| has grown a millionfold, and a thousand times that. A state that
 * grows exponentially takes as long for each factor, a ramp or a power of t longer and longer.
 *
 * Seldom: suspects. A state is one if it has taken many steps and is still within a few quanta of
 * where it was at the look before, a mode if it has toggled at a large part of all events. Then the
 * run goes on cycle by cycle for a while, and it is seen whether
 *
 * - the own steps of the state keep it within some quanta and are answered by an x' that turns: d
 *   x'/d x = a < 0, and steps at the limit |a| h of its method's stability. What follows sources
 *   and modes is no such state;
 * - likewise three states of mLIQSS that read each other stay within some quanta (knots.c);
 * - the mode toggles again before any of the states that decide it has moved by a few quanta, and
 *   not because a source has said something.
 *
 * When all is done that is due at an instant, after an eighth more cycles, later on every GROWING:
 * how far what is heard is off because states say not quite what they are (equations/gains.h). Then
 * each look has been paid for by GAINS_COST cycles for each block that was evaluated.
 *
 * At the end: groups of an explicit method that chooses its steps. Many of them, as long as the
 * fastest state takes to decay, are held by stability. */
#include "smells.h"

#include "knots.h"
#include "waits.h"

#include "equations/gains.h"
#include "equations/print.h"
#include "equations/stiffness.h"
#include "groups/groups.h"
#include "numerics/poly.h"

#include <string.h>

#define GROWING    1024U /* cycles, and some for each state */
#define GROWN      1e6   /* of max(|x|, 1) at the start; and a thousand and a million times that */
#define GAINS_COST 16U
#define OFF        0.05 /* of the largest value that was heard */
#define SUSPICIOUS                                                                                 \
  (1U << 17)               /* cycles between two looks for suspects; later on a quarter of all     \
                            */
#define WATCHED     8192U  /* cycles that suspects are watched */
#define ENOUGH      64U    /* own steps, toggles: so many are watched */
#define MANY        1000U  /* of them since the last look make a suspect */
#define NEAR        8.0    /* quanta */
#define GROUP_STEPS 10000U /* so many steps of an explicit method of a group are looked at */
#define DECIDERS    8U     /* states that decide a mode: so many are looked for */

/* A state, and how it grows. */
typedef struct {
  const HyMember *member;
  guint64 steps; /* internal transitions at the last look for suspects */
  double x;      /* then */
  double start;  /* max(|x|, 1) at the start */
} State;

/* When it was GROWN, and a thousand times that; NaN: not yet. */
typedef struct {
  double grown, greater;
} Growth;

struct HySmells {
  State *state;
  guint n_states;
  Growth *growth;   /* [n_states]; NULL: none has grown */
  guint64 *toggles; /* [n] of each atomic at the last look; NULL: there are no modes */
  guint64 grow_at, suspect_at, gain_at; /* cycles */
  HyGains *gains;                       /* NULL: there is no static block */
  double begun;                         /* t */
  GArray *found;                        /* HySmell: STIFF and CHATTER */
};

/* Start --------------------------------------------------------------------------------------- */

void hy_smells_free(HySim *sim)
{
  if (sim->smells != NULL) {
    g_free(sim->smells->state);
    g_free(sim->smells->growth);
    g_free(sim->smells->toggles);
    g_array_unref(sim->smells->found);
    hy_gains_free(sim->smells->gains);
    g_clear_pointer(&sim->smells, g_free);
  }
}

static guint atomic_of(const HySim *sim, const State *i)
{
  return hy_print_state_atomic(sim->room, (guint)(i - sim->smells->state));
}

/* What nobody hears is not brought up to date by itself. DX may be NULL. */
static void motion_of(const HySim *sim, const HyMember *m, double *x, double *dx)
{
  if (!hy_family_is_classic(m->family) ||
      !hy_group_motion(sim->room, m->state, sim->now.t, x, dx)) {
    *x = m->v->x[0];
    if (dx != NULL) {
      *dx = m->v->x[1];
    }
  }
}

/* A trace that watches all is no reader of its own. */
static void start_gains(const HySim *sim, HySmells *s)
{
  const HyTrace *trace = &sim->set.trace;
  const guint8 *read = trace->readers != NULL ? trace->readers : trace->watched;
  s->gains = sim->room != NULL ? hy_gains_new(sim->room, trace->transition != NULL ? read : NULL,
                                              trace->n_watched)
                               : NULL;
  s->gain_at = s->gains != NULL && hy_gains_n(s->gains) > 0 ? 1 : G_MAXUINT64;
}

void hy_smells_start(HySim *sim)
{
  if (sim->smells != NULL) {
    return;
  }
  HySmells *s = sim->smells = g_new0(HySmells, 1);
  guint n = s->n_states = sim->room != NULL ? hy_print_n_states(sim->room) : 0;
  s->state = g_new0(State, (gsize)n + 1);
  for (guint k = 0; k < n; k++) {
    const HyMember *m = hy_room_member(sim->room, hy_print_state_atomic(sim->room, k));
    s->state[k] = (State){.member = m, .x = m->v->x[0], .start = fmax(fabs(m->v->x[0]), 1.0)};
  }
  s->grow_at = GROWING;
  s->suspect_at = SUSPICIOUS;
  start_gains(sim, s);
  s->begun = sim->now.t;
  s->found = g_array_new(FALSE, FALSE, sizeof(HySmell));
}

guint64 hy_smells_due(const HySim *sim)
{
  guint64 at = MIN(MIN(sim->smells->grow_at, sim->smells->suspect_at), sim->smells->gain_at);
  return at > sim->now.totals.cycles ? at - sim->now.totals.cycles : 1;
}

/* Growth -------------------------------------------------------------------------------------- */

static const Growth no_growth = {NAN, NAN};

static Growth growth_of(const HySmells *s, guint state)
{
  return s->growth != NULL ? s->growth[state] : no_growth;
}

static void note_growth(HySmells *s, guint state, double t, gboolean greatly)
{
  if (s->growth == NULL) {
    s->growth = g_new(Growth, s->n_states);
    for (guint k = 0; k < s->n_states; k++) {
      s->growth[k] = no_growth;
    }
  }
  Growth *g = &s->growth[state];
  g->grown = isnan(g->grown) ? t : g->grown;
  g->greater = isnan(g->greater) && greatly ? t : g->greater;
}

static void look_at_growth(HySim *sim, HySmells *s)
{
  for (guint k = 0; k < s->n_states; k++) {
    const State *i = &s->state[k];
    double x;
    motion_of(sim, i->member, &x, NULL);
    x = fabs(x);
    if (G_UNLIKELY(x >= GROWN * i->start)) {
      note_growth(s, k, sim->now.t, x >= 1e3 * GROWN * i->start);
    }
  }
  s->grow_at = sim->now.totals.cycles + GROWING + (guint64)64 * s->n_states;
}

/* Whether it has come from START to X at a pace of exp: by x'/x now, which of a power of t would be
 * no more than the exponent by t; or, where it swings, by its last factors, which may have taken no
 * more than twice the time of the factor before. */
static gboolean grows(double t, const State *i, Growth g, const double motion[2], double t0)
{
  double x = fabs(motion[0]), rate = fabs(motion[1]) / x;
  double factors = log10(x / (1e3 * GROWN * i->start)) / 3.0;
  gboolean now = rate * (t - t0) >= 0.5 * log(x / i->start) && motion[1] * motion[0] > 0.0;
  return x >= 1e6 * GROWN * i->start &&
         (now || (g.grown < g.greater && t - g.greater <= 2.0 * factors * (g.greater - g.grown)));
}

static void report_growth(const HySim *sim, GArray *out)
{
  const HySmells *s = sim->smells;
  for (guint k = 0; k < s->n_states; k++) {
    const State *i = &s->state[k];
    Growth g = growth_of(s, k);
    double motion[2];
    motion_of(sim, i->member, &motion[0], &motion[1]);
    double x = fabs(motion[0]);
    gboolean lost = !isfinite(x) && sim->error != NULL && !isnan(g.grown);
    if (lost || (isfinite(x) && grows(sim->now.t, i, g, motion, s->begun))) {
      HySmell smell = {.kind = HY_SMELL_GROWTH,
                       .atomic = atomic_of(sim, i),
                       .rate = x,
                       .was = i->start,
                       .since = isnan(g.grown) ? sim->now.t : g.grown};
      g_array_append_val(out, smell);
    }
  }
}

/* Gains --------------------------------------------------------------------------------------- */

/* While something is still due at an instant, modes may be on their way. */
static void look_at_gains(HySim *sim, HySmells *s, double tf)
{
  guint64 cycles = sim->now.totals.cycles;
  double next = sim->ops->next(sim);
  if (next > sim->now.t) {
    guint64 cost = (guint64)GAINS_COST * hy_gains_look(s->gains, sim->now.t, MIN(next, tf));
    s->gain_at = cycles + MIN(cycles / 8 + 1, MAX(cost, GROWING));
  } else {
    s->gain_at = cycles + 1;
  }
}

/* Of all that may be off by too much the worst. */
static void report_gains(const HySim *sim, GArray *out)
{
  HyGains *gains = sim->smells->gains;
  HySmell worst = {.kind = HY_SMELL_GAIN, .rate = OFF};
  guint n = 0;
  if (gains == NULL || sim->error != NULL) {
    return;
  }
  hy_gains_look(gains, sim->now.t, INFINITY);
  for (guint k = 0; k < hy_gains_n(gains); k++) {
    const HyGain *g = hy_gains_get(gains, k);
    double rate = g->off > 0.0 ? g->off / g->size : 0.0;
    n += rate > OFF;
    if (rate > worst.rate) {
      worst.atomic = g->atomic;
      worst.mode = g->port;
      worst.with[0] = g->state;
      worst.rate = rate;
      worst.was = g->off;
      worst.told = g->told;
      worst.since = g->at;
    }
  }
  if (n > 0) {
    worst.others = n - 1;
    g_array_append_val(out, worst);
  }
}

/* Suspects ------------------------------------------------------------------------------------- */

static double quantum_of(const HyQState *v)
{
  return fmax(v->dq, hy_qstate_quantum(v, v->x[0]));
}

static guint64 steps_since(const HySim *sim, const State *i)
{
  guint64 now = sim->atoms[atomic_of(sim, i)].n_int;
  return now > i->steps ? now - i->steps : 0;
}

static gboolean goes_nowhere(const State *i, guint64 steps)
{
  double moved = fabs(i->member->v->x[0] - i->x) / quantum_of(i->member->v);
  return steps >= MANY && moved < (double)steps / 50.0;
}

/* A state of mLIQSS has gone nowhere by many steps, the busiest of them: with two others. */
static HyKnot find_knot(const HySim *sim, const HySmells *s)
{
  g_autofree guint64 *steps = g_new0(guint64, (gsize)s->n_states + 1);
  guint most = s->n_states;
  for (guint k = 0; k < s->n_states; k++) {
    const State *i = &s->state[k];
    steps[k] = steps_since(sim, i);
    if (i->member->family == HY_FAMILY_PAIRS && goes_nowhere(i, steps[k]) &&
        (most == s->n_states || steps[k] > steps[most])) {
      most = k;
    }
  }
  return most < s->n_states ? hy_knot_find(sim, most, steps, MANY) : (HyKnot){.found = FALSE};
}

/* An explicit state that decides alone has gone nowhere by many steps: the busiest of them.
 * N_LIKE: how many there are. */
static State *find_stiff(const HySim *sim, HySmells *s, guint *n_like)
{
  State *most = NULL;
  guint64 most_steps = 0;
  *n_like = 0;
  for (guint k = 0; k < s->n_states; k++) {
    State *i = &s->state[k];
    guint64 steps = steps_since(sim, i);
    gboolean explicit =
        i->member->family == HY_FAMILY_QUANTIZED && !i->member->method->quantizer->implicit;
    if (explicit && goes_nowhere(i, steps)) {
      ++*n_like;
      most = steps > most_steps ? i : most;
      most_steps = MAX(steps, most_steps);
    }
    i->steps = sim->atoms[atomic_of(sim, i)].n_int;
    i->x = i->member->v->x[0];
  }
  return most;
}

/* The block whose modes have toggled most often, and at a large part of the events; sim->n: none.
 */
static guint find_toggling(const HySim *sim, HySmells *s, guint64 cycles)
{
  guint most = sim->n;
  guint64 most_toggles = MAX(MANY, cycles / 64) - 1;
  for (guint a = 0; sim->room != NULL && a < sim->n; a++) {
    guint modes = hy_print_n_flags(sim->room, a);
    if (modes == 0) {
      continue;
    }
    s->toggles = s->toggles != NULL ? s->toggles : g_new0(guint64, sim->n);
    guint64 now = hy_room_toggles(sim->room, a, HY_ALL_MODES);
    guint64 toggles = now > s->toggles[a] ? now - s->toggles[a] : 0;
    s->toggles[a] = now;
    if (toggles > most_toggles) {
      most_toggles = toggles;
      most = a;
    }
  }
  return most;
}

/* Watching ------------------------------------------------------------------------------------- */

/* A state that may be stiff. */
typedef struct {
  State *state; /* NULL: there is none */
  HyQState before;
  gboolean waits;      /* for the answer to its own step */
  double t, jump, dx;  /* of that step: when, how far q has jumped, x' before it */
  guint steps, turned; /* own steps; those that x' has answered by as much as it is itself */
  double a;            /* the sum of d x'/d x over the latter */
  double least, most;  /* of x */
} Swing;

/* A block that may chatter. */
typedef struct {
  guint atomic; /* sim->n: there is none */
  guint64 toggles;
  const HyMember *decider[DECIDERS]; /* the states that its modes follow */
  double x[DECIDERS];                /* when it toggled last */
  guint n;
  double moved, t; /* the farthest of them since then, in quanta; when it was seen first */
  guint near, far; /* toggles */
} Chatter;

static double slope_of(const HyQState *v, double t)
{
  double s = t - v->tx;
  return v->x[1] + s * (2.0 * v->x[2] + s * 3.0 * v->x[3]);
}

/* All that follows from its own step at that instant has been done. */
static void swing_answered(Swing *w)
{
  double dx = slope_of(&w->before, w->t), a = (dx - w->dx) / w->jump;
  if (fabs(dx - w->dx) >= 0.5 * fmax(fabs(dx), fabs(w->dx)) && a < 0.0) {
    w->turned++;
    w->a += a;
  }
  w->waits = FALSE;
}

static void swing_cycle(const HySim *sim, Swing *w)
{
  const HyQState *v = w->state->member->v;
  if (w->waits && sim->now.t > w->t) {
    swing_answered(w);
  }
  if (v->own == sim->now.t && w->before.own != v->own) {
    w->waits = TRUE;
    w->t = v->own;
    w->jump = v->q[0] - hy_qstate_q(&w->before, v->own);
    w->dx = slope_of(&w->before, v->own);
    w->least = fmin(w->least, v->x[0]);
    w->most = fmax(w->most, v->x[0]);
    w->steps++;
  }
  w->before = *v;
}

static void chatter_cycle(const HySim *sim, Chatter *c)
{
  double x[DECIDERS];
  for (guint k = 0; k < c->n; k++) {
    const HyMember *m = c->decider[k];
    if (!hy_family_is_classic(m->family) ||
        !hy_group_motion(sim->room, m->state, sim->now.t, &x[k], NULL)) {
      x[k] = hy_qstate_x(m->v, sim->now.t);
    }
    c->moved = fmax(c->moved, fabs(x[k] - c->x[k]) / quantum_of(c->decider[k]->v));
  }
  guint64 toggles = hy_room_toggles(sim->room, c->atomic, HY_ALL_MODES);
  if (toggles != c->toggles) {
    ++*(c->moved <= NEAR ? &c->near : &c->far);
    c->toggles = toggles;
    c->moved = 0.0;
    memcpy(c->x, x, sizeof x);
  }
}

/* The states from which ATOMIC is reached through static blocks alone, the first few of them. */
static void find_deciders(const HySim *sim, Chatter *c)
{
  g_autoptr(GArray) waiting = g_array_new(FALSE, FALSE, sizeof(guint));
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  g_array_append_val(waiting, c->atomic);
  for (guint k = 0; k < waiting->len && waiting->len < 1000 && c->n < DECIDERS; k++) {
    guint a = g_array_index(waiting, guint, k);
    const HyMember *m = hy_room_member(sim->room, a);
    if (m != NULL) {
      c->decider[c->n++] = m;
    } else if (sim->atoms[a].klass->describe != NULL) {
      for (guint p = sim->sources.first[a]; p < sim->sources.first[a + 1]; p++) {
        guint slot = sim->sources.slot[p];
        guint from = slot < sim->graph->first_out[sim->n] ? sim->graph->owner[slot] : a;
        if (g_hash_table_add(seen, GUINT_TO_POINTER(from + 1)) && from != a) {
          g_array_append_val(waiting, from);
        }
      }
    }
  }
}

guint64 hy_smells_outside(const HySim *sim)
{
  guint64 n = 0;
  for (guint a = 0; a < sim->n; a++) {
    const HyAtomicClass *klass = sim->atoms[a].klass;
    n += klass->describe == NULL && klass->order == NULL ? sim->atoms[a].n_int : 0;
  }
  return n;
}

static HySmell *find_known(HySmells *s, HySmellKind kind, guint atomic)
{
  for (guint k = 0; k < s->found->len; k++) {
    HySmell *i = &g_array_index(s->found, HySmell, k);
    if (i->kind == kind && i->atomic == atomic) {
      return i;
    }
  }
  return NULL;
}

static void keep(HySmells *s, const HySmell *smell)
{
  HySmell *known = find_known(s, smell->kind, smell->atomic);
  if (known == NULL) {
    g_array_append_vals(s->found, smell, 1);
  } else {
    double since = known->since;
    *known = *smell;
    known->since = since;
  }
}

static void judge_swing(const HySim *sim, HySmells *s, const Swing *w, guint others, guint64 causes)
{
  if (w->steps >= ENOUGH / 2 && 2 * w->turned >= w->steps && 8 * causes <= w->steps &&
      w->most - w->least <= NEAR * quantum_of(w->state->member->v)) {
    keep(s, &(HySmell){.kind = HY_SMELL_STIFF,
                       .atomic = atomic_of(sim, w->state),
                       .others = others,
                       .rate = w->a / w->turned,
                       .since = w->t});
  }
}

/* Of a group one is told, whoever else is tied to it. */
static gboolean is_known_knot(const HySim *sim, const HySmells *s, const HyKnot *k)
{
  gboolean known = FALSE;
  for (guint i = 0; i < s->found->len && !known; i++) {
    const HySmell *smell = &g_array_index(s->found, HySmell, i);
    known = smell->kind == HY_SMELL_KNOT &&
            hy_room_member(sim->room, smell->atomic)->group == k->member[0]->group;
  }
  return known;
}

static void judge_knot(const HySim *sim, HySmells *s, const HyKnot *k, guint64 causes)
{
  if (hy_knot_steps(k) >= ENOUGH / 2 && hy_knot_holds(k, causes) && !is_known_knot(sim, s, k)) {
    keep(s, &(HySmell){.kind = HY_SMELL_KNOT,
                       .atomic = k->atomic[0],
                       .with = {k->atomic[1], k->atomic[2]},
                       .others = k->more,
                       .since = k->t});
  }
}

static guint busiest_mode(const HySim *sim, guint atomic)
{
  guint most = 0;
  for (guint k = 1; k < hy_print_n_flags(sim->room, atomic); k++) {
    most =
        hy_room_toggles(sim->room, atomic, k) > hy_room_toggles(sim->room, atomic, most) ? k : most;
  }
  return most;
}

static void judge_chatter(const HySim *sim, HySmells *s, const Chatter *c, guint64 outside)
{
  guint toggles = c->near + c->far;
  if (toggles >= ENOUGH / 2 && c->n > 0 && c->near >= 4 * c->far && 4 * outside <= toggles) {
    keep(s, &(HySmell){.kind = HY_SMELL_CHATTER,
                       .atomic = c->atomic,
                       .mode = busiest_mode(sim, c->atomic),
                       .since = c->t});
  }
}

/* Cycle by cycle, until enough is known of all. */
static void watch(HySim *sim, Swing *w, Chatter *c, HyKnot *knot, double tf)
{
  gboolean goes = TRUE;
  for (guint k = 0; goes && k < WATCHED; k++) {
    goes = sim->finished == NULL && sim->ops->run(sim, tf, 1) == 1 && sim->error == NULL;
    if (goes && w->state != NULL) {
      swing_cycle(sim, w);
    }
    if (goes && c->atomic < sim->n) {
      chatter_cycle(sim, c);
    }
    if (goes && knot->found) {
      hy_knot_cycle(sim, knot);
    }
    goes &= (knot->found && hy_knot_steps(knot) <= ENOUGH) ||
            (w->state != NULL && w->steps <= ENOUGH) ||
            (c->atomic < sim->n && c->near + c->far <= ENOUGH);
  }
}

static void look_for_suspects(HySim *sim, HySmells *s, double tf)
{
  guint64 cycles = sim->now.totals.cycles;
  guint n_like;
  HyKnot knot = find_knot(sim, s);
  Swing w = {.state = find_stiff(sim, s, &n_like), .least = INFINITY, .most = -INFINITY};
  Chatter c = {.atomic = find_toggling(sim, s, MAX(cycles / 5, SUSPICIOUS)), .t = sim->now.t};
  s->suspect_at = cycles + MAX(SUSPICIOUS, cycles / 4);
  if (w.state == NULL && c.atomic == sim->n && !knot.found) {
    return;
  }
  if (w.state != NULL) {
    w.before = *w.state->member->v;
  }
  if (c.atomic < sim->n) {
    c.toggles = hy_room_toggles(sim->room, c.atomic, HY_ALL_MODES);
    c.moved = INFINITY; /* where the states were at the last toggle is not known */
    find_deciders(sim, &c);
  }
  guint64 outside = hy_smells_outside(sim), flips = hy_room_flips(sim->room);
  watch(sim, &w, &c, &knot, tf);
  outside = hy_smells_outside(sim) - outside;
  if (c.atomic < sim->n) {
    judge_chatter(sim, s, &c, outside);
  }
  flips = hy_room_flips(sim->room) - flips;
  if (w.state != NULL) {
    judge_swing(sim, s, &w, n_like - 1, outside + flips);
  }
  if (knot.found) {
    judge_knot(sim, s, &knot, outside + flips);
  }
}

void hy_smells_look(HySim *sim, double tf)
{
  HySmells *s = sim->smells;
  if (sim->now.totals.cycles >= s->grow_at) {
    look_at_growth(sim, s);
  }
  if (sim->now.totals.cycles >= s->gain_at) {
    look_at_gains(sim, s, tf);
  }
  if (sim->now.totals.cycles >= s->suspect_at) {
    look_for_suspects(sim, s, tf);
  }
}

/* Explicit methods of groups ------------------------------------------------------------------ */

/* They choose their steps by their error, and where it does not grow, by what stability leaves. */
static gboolean chooses_by_error(const HyMethod *m)
{
  return (m->family == HY_FAMILY_CVODE && !m->stiff) ||
         (m->family == HY_FAMILY_TEXTBOOK && (m->needs & HY_NEEDS_HSTEP) == 0);
}

/* The fastest state of the group of M, at the end of the run. */
static guint fastest_of(const HySim *sim, const HyMember *m, double *rate)
{
  const HySmells *s = sim->smells;
  guint fastest = sim->n;
  *rate = 0.0;
  for (guint k = 0; k < s->n_states; k++) {
    const HyMember *other = s->state[k].member;
    gboolean same = other->method == m->method && other->group == m->group;
    double own = same ? hy_room_own_rate(sim->room, k, sim->now.t) : 0.0;
    fastest = own > *rate ? atomic_of(sim, &s->state[k]) : fastest;
    *rate = fmax(own, *rate);
  }
  return fastest;
}

static void report_groups(const HySim *sim, GArray *out)
{
  for (guint k = 0; k < hy_sim_n_groups(sim); k++) {
    HyGroupTotals g;
    hy_sim_group(sim, k, &g);
    const HyMember *m = hy_room_member(sim->room, g.atomic);
    if (g.totals.steps < GROUP_STEPS || !chooses_by_error(m->method)) {
      continue;
    }
    double rate, h = (sim->now.t - sim->smells->begun) / (double)g.totals.steps;
    guint fastest = fastest_of(sim, m, &rate);
    if (rate * h >= 0.5) {
      HySmell smell = {.kind = HY_SMELL_STIFF,
                       .atomic = fastest,
                       .others = g.states - 1,
                       .count = g.totals.steps,
                       .rate = -rate,
                       .since = sim->smells->begun};
      g_array_append_val(out, smell);
    }
  }
}

/* Fixed steps --------------------------------------------------------------------------------- */

#define COARSE 0.01 /* of what a state ranges over */

static void report_coarse(const HySim *sim, GArray *out)
{
  for (guint k = 0; k < hy_sim_n_groups(sim); k++) {
    HyGroupTotals g;
    hy_sim_group(sim, k, &g);
    if (g.off > COARSE) {
      HySmell smell = {
          .kind = HY_SMELL_COARSE, .atomic = g.off_at, .rate = g.off, .since = g.began};
      g_array_append_val(out, smell);
    }
  }
}

/* At the end ----------------------------------------------------------------------------------- */

static void report_waits(const HySim *sim, GArray *out)
{
  g_autoptr(GArray) rings = hy_sim_waits(sim);
  for (guint k = 0; k < rings->len; k += hy_loop_length(rings, k)) {
    HySmell smell = {.kind = HY_SMELL_WAIT,
                     .atomic = hy_wait_atomic(sim, &g_array_index(rings, HyLoopStep, k)),
                     .since = sim->smells->begun};
    g_array_append_val(out, smell);
  }
}

static int graver(gconstpointer a, gconstpointer b)
{
  const HySmell *x = a, *y = b;
  return x->kind != y->kind ? (int)y->kind - (int)x->kind
                            : (x->atomic > y->atomic) - (x->atomic < y->atomic);
}

GArray *hy_sim_smells(const HySim *sim)
{
  GArray *out = g_array_new(FALSE, FALSE, sizeof(HySmell));
  if (sim->smells == NULL) {
    return out;
  }
  g_array_append_vals(out, sim->smells->found->data, sim->smells->found->len);
  for (guint k = 0; k < out->len; k++) {
    HySmell *i = &g_array_index(out, HySmell, k);
    if (i->kind == HY_SMELL_STIFF || i->kind == HY_SMELL_KNOT) {
      i->count = sim->atoms[i->atomic].n_int;
    } else if (i->kind == HY_SMELL_CHATTER) {
      i->count = hy_room_toggles(sim->room, i->atomic, HY_ALL_MODES);
      i->rate = (double)i->count / (sim->now.t - sim->smells->begun);
    }
  }
  report_growth(sim, out);
  report_groups(sim, out);
  report_coarse(sim, out);
  report_gains(sim, out);
  report_waits(sim, out);
  g_array_sort(out, graver);
  return out;
}
