/* The own step of a state with all that follows from it at its instant, as fused.c runs it cycle by
 * cycle, without what lies in between: the plain blocks that its word can reach are laid out
 * beforehand (fused_cones.c), those that are due are bits of one word, and states take their
 * derivatives by the arithmetic of their method (numerics/steps.h), compiled here once for each of
 * them. As long as such steps follow each other, nobody else looks.
 *
 * The order is that of fused.c, and so are the bits. What is out of the ordinary is left to it: a
 * block whose result is not finite, one that leads to others than states, the last cycles before a
 * limit. Those that are still due then wait where it looks for them. */
#include "fused_signals.h"

#include "fused_plain.h"

#include "numerics/choose.h"

/* Those of DUE wait for fused.c. */
static G_GNUC_NO_INLINE void cone_leave(HyFused *f, const HyFusedCone *cone, guint64 due)
{
  for (; due != 0; due &= due - 1) {
    hy_pending_add(&f->due, cone->node[__builtin_ctzll(due)].plain->atomic);
  }
}

HY_EACH_METHOD gboolean cone_is_finite(const double *q, const int n)
{
  return isfinite(n == 1 ? q[0] : n == 2 ? q[0] + q[1] : q[0] + q[1] + q[2]);
}

/* The next instant of a state that has just moved. */
HY_EACH_METHOD double cone_time(const HyQState *v, double t, const int n, const gboolean implicit)
{
  return implicit ? hy_step_implicit_time(v, n, t) : hy_step_tangent_time(v, n, t);
}

/* A derivative C for whoever reads it. */
HY_EACH_METHOD gboolean cone_answer(HySim *sim, HyFused *f, const HyFusedTarget *to, double t,
                                    const double *c, const HyQuantizer *quantizer, const int n,
                                    const gboolean implicit)
{
  HyQState *v = to->v;
  if (G_UNLIKELY(to->quantizer != quantizer || v->pieces < n || v->tn == INFINITY)) {
    return hy_fused_deliver_state(sim, f, t, to, c);
  }
  hy_step_answer(v, n, implicit, true, t, c);
  ++*to->n_ext;
  if (G_UNLIKELY(v->tn == INFINITY)) {
    return hy_fused_watch_state(sim, f, t, to);
  }
  if (v->tn != f->tn.tn[to->place]) {
    hy_agenda_set(&f->tn, to->place, v->tn);
  }
  return TRUE;
}

/* The local model of an implicit method, as hy_room_localize() makes it. */
static inline void cone_localize(HyRoom *room, const HyFusedCone *cone, double t)
{
  HyQState *v = cone->v;
  if (G_UNLIKELY(cone->row == NULL || cone->row->stale)) {
    hy_room_localize(room, cone->member->state, t, v);
    return;
  }
  double a = cone->self != HY_NO_SLOT ? cone->row->coef[cone->self] : 0.0;
  room->count.partials++;
  v->learn = !isfinite(a);
  v->a = isfinite(a) ? a : v->a;
}

/* What it says comes into the signal table. FALSE: as in the header. */
static inline gboolean cone_tell(HySim *sim, HyFused *f, const HyFusedCone *cone, double t, int n)
{
  const double *q = cone->v->q;
  if (G_LIKELY(cone->signal != NULL)) {
    for (int k = 0; k < n; k++) {
      cone->signal->c[k] = q[k];
    }
    cone->signal->t = t;
    sim->room->words++;
    return TRUE;
  }
  hy_room_said(sim->room, cone->slot, t, &(HyValue){.c = {q[0], q[1], q[2]}});
  return G_LIKELY(*sim->n_due == 0) || hy_fused_follow(sim, f, t);
}

/* Nodes have their turns until one of them has something to say; NULL: none has, and *DUE is empty,
 * or the rest is left to fused.c. */
HY_EACH_METHOD const HyFusedPlain *cone_next_word(HySim *sim, HyFused *f, const HyFusedCone *cone,
                                                  double t, guint64 *due)
{
  while (*due != 0) {
    const HyFusedNode *node = &cone->node[__builtin_ctzll(*due)];
    HyPlainTurn turn = hy_fused_plain_turn(sim, f, node->plain, t);
    if (G_UNLIKELY(turn == HY_PLAIN_ODD)) {
      break;
    }
    sim->now.totals.cycles++;
    sim->now.at_t++;
    f->left--;
    *due &= *due - 1;
    if (turn == HY_PLAIN_SPEAKS) {
      *due |= node->readers;
      return node->plain;
    }
  }
  return NULL;
}

/* Whether all that may follow can be run here. */
static inline gboolean cone_has_room(const HySim *sim, const HyFused *f, const HyFusedCone *cone)
{
  return G_LIKELY(f->left > cone->n && sim->now.at_t + cone->n < sim->watch &&
                  hy_pending_is_empty(&f->due));
}

/* All that follows from the word of a state, which has just moved. FALSE: as in the header. */
HY_EACH_METHOD gboolean cone_spread(HySim *sim, HyFused *f, const HyFusedCone *cone, double t,
                                    const HyQuantizer *quantizer, const int n,
                                    const gboolean implicit)
{
  const HyFusedTarget *to = cone->to, *end = cone->end;
  const double *c = cone->v->q;
  guint64 due = cone->readers;
  if (cone->heard && !cone_tell(sim, f, cone, t, n)) {
    return FALSE;
  }
  gboolean here = cone_has_room(sim, f, cone);
  for (;;) {
    for (; to < end; to++) {
      if (!cone_answer(sim, f, to, t, c, quantizer, n, implicit)) {
        return FALSE;
      }
    }
    const HyFusedPlain *p = here ? cone_next_word(sim, f, cone, t, &due) : NULL;
    if (p == NULL) {
      break;
    }
    c = p->own->form.first;
    to = p->to;
    end = p->end;
    if (G_UNLIKELY(!p->quiet)) {
      to = end;
      if (!hy_fused_say_plain(sim, f, t, p)) {
        return FALSE;
      }
      here = hy_pending_is_empty(&f->due);
    }
  }
  if (G_UNLIKELY(due != 0)) {
    cone_leave(f, cone, due);
  }
  return TRUE;
}

/* The state is due next as it is known now. */
static inline gboolean cone_place(HySim *sim, HyFused *f, const HyFusedCone *cone, double t)
{
  double tn = cone->v->tn;
  if (G_UNLIKELY(!(tn < INFINITY))) {
    tn = hy_atom_schedule(sim, &sim->atoms[cone->atomic], t);
    if (isnan(tn)) {
      return FALSE;
    }
  }
  if (tn != f->tn.tn[cone->place]) {
    hy_agenda_set(&f->tn, cone->place, tn);
  }
  return TRUE;
}

/* Of order 2 the next instant is found where no answer of its own has come, at the end: the search
 * of an answer does not begin at it. */
HY_EACH_METHOD gboolean cone_step(HySim *sim, HyFused *f, const HyFusedCone *cone, double t,
                                  const HyQuantizer *quantizer, const int n, HyChoose *choose)
{
  HyQState *v = cone->v;
  const gboolean implicit = choose != NULL;
  if (implicit) {
    cone_localize(sim->room, cone, t);
  }
  hy_step_arrive(v, n, t);
  if (implicit) {
    hy_step_implicit_q(v, n, t, choose);
  } else {
    hy_step_explicit_q(v, n, t);
  }
  gboolean odd = !cone_is_finite(v->q, n) || sim->now.n_wrong > 0;
  v->tn = n == 2 && !odd ? NAN : cone_time(v, t, n, implicit);
  if (G_UNLIKELY(v->tn == INFINITY)) {
    cone->member->watch(cone->member->owner, t);
  }
  sim->room->count.steps++;
  ++*cone->n_int;
  if (G_UNLIKELY(odd)) {
    return hy_fused_say_state(sim, f, t, cone->atomic);
  }
  for (int k = 0; k < n; k++) {
    cone->record->c[k] = v->q[k];
  }
  cone->record->t = t;
  if (!cone_spread(sim, f, cone, t, quantizer, n, implicit)) {
    return FALSE;
  }
  if (n == 2 && isnan(v->tn)) {
    v->tn = cone_time(v, t, n, implicit);
    if (G_UNLIKELY(v->tn == INFINITY)) {
      cone->member->watch(cone->member->owner, t);
    }
  }
  return cone_place(sim, f, cone, t);
}

/* The next cycle, at *T, if it is such a step of the same method; else NULL. */
static inline const HyFusedCone *cone_next(HyFused *f, HyFusedConeStep *step, int n, double *t)
{
  if (f->left <= 1 || f->tn.n_due > 0 || !hy_pending_is_empty(&f->due)) {
    return NULL;
  }
  guint place;
  *t = hy_ladder_find(&f->tn.later, &place);
  if (!(*t <= f->tf && *t < INFINITY)) {
    return NULL;
  }
  const HyFusedCone *cone = f->to.cone[f->atomic[place]];
  return cone != NULL && cone->next == step && cone->v->tn == *t && cone->v->pieces >= n ? cone
                                                                                         : NULL;
}

/* Cycles as fused_run() does them, as long as they are steps of the method. */
HY_EACH_METHOD gboolean cone_run(HySim *sim, HyFused *f, const HyFusedCone *cone, double t,
                                 HyFusedConeStep *step, const HyQuantizer *quantizer, const int n,
                                 HyChoose *choose)
{
  while (cone_step(sim, f, cone, t, quantizer, n, choose)) {
    cone = cone_next(f, step, n, &t);
    if (cone == NULL) {
      return TRUE;
    }
    f->left--;
    hy_agenda_advance(&f->tn, t);
    if (!hy_sim_may_cycle(sim, cone->atomic, t)) {
      return FALSE;
    }
    sim->now.t = t;
    sim->now.totals.cycles++;
  }
  return FALSE;
}

/* Methods ------------------------------------------------------------------------------------- */

static gboolean cone_qss1(HySim *sim, HyFused *f, const HyFusedCone *cone, double t)
{
  return cone_run(sim, f, cone, t, cone_qss1, &hy_qss1, 1, NULL);
}

static gboolean cone_qss2(HySim *sim, HyFused *f, const HyFusedCone *cone, double t)
{
  return cone_run(sim, f, cone, t, cone_qss2, &hy_qss2, 2, NULL);
}

static gboolean cone_qss3(HySim *sim, HyFused *f, const HyFusedCone *cone, double t)
{
  return cone_run(sim, f, cone, t, cone_qss3, &hy_qss3, 3, NULL);
}

static gboolean cone_liqss1(HySim *sim, HyFused *f, const HyFusedCone *cone, double t)
{
  return cone_run(sim, f, cone, t, cone_liqss1, &hy_liqss1, 1, hy_choose1);
}

static gboolean cone_liqss2(HySim *sim, HyFused *f, const HyFusedCone *cone, double t)
{
  return cone_run(sim, f, cone, t, cone_liqss2, &hy_liqss2, 2, hy_choose2);
}

static gboolean cone_liqss3(HySim *sim, HyFused *f, const HyFusedCone *cone, double t)
{
  return cone_run(sim, f, cone, t, cone_liqss3, &hy_liqss3, 3, hy_choose3);
}

HyFusedConeStep *hy_fused_cone_step_of(const HyQuantizer *quantizer)
{
  static const struct {
    const HyQuantizer *quantizer;
    HyFusedConeStep *step;
  } of[] = {{&hy_qss1, cone_qss1},     {&hy_qss2, cone_qss2},     {&hy_qss3, cone_qss3},
            {&hy_liqss1, cone_liqss1}, {&hy_liqss2, cone_liqss2}, {&hy_liqss3, cone_liqss3}};
  for (guint k = 0; k < G_N_ELEMENTS(of); k++) {
    if (of[k].quantizer == quantizer) {
      return of[k].step;
    }
  }
  return NULL;
}
