/* The own step of a state by its row, as fused.c runs it for others, without what lies in between:
 * its word goes into the signal table, the rows that read it are evaluated at once, each of their
 * states takes its derivative and says when it is due next. No event is made where nobody but rows
 * hears it, and no list of those who are due; and as long as such steps follow each other, nobody
 * else looks.
 *
 * The arithmetic is that of the methods (numerics/steps.h), compiled here once for each of them, so
 * that what a step costs is arithmetic. Whoever is odd (row_states.h) goes the way of the room. */
#include "fused_rows.h"

#include "equations/members.h"
#include "equations/row_curved.h"
#include "equations/row_modes.h"

#include "numerics/choose.h"

/* What has no next instant may have become wrong; it is odd until it has one again. */
static G_GNUC_NO_INLINE gboolean rows_watch(HySim *sim, HyFused *f, HyRowState *s, double t)
{
  s->way = HY_ROW_ODD;
  s->member->watch(s->member->owner, t);
  double tn = hy_atom_schedule(sim, &sim->atoms[s->atomic], t);
  if (isnan(tn)) {
    return FALSE;
  }
  hy_agenda_set_later(&f->tn, s->place, tn);
  return TRUE;
}

/* The row is evaluated, its state takes its derivative and says when it is due next: here of a row
 * that is not linear; ... */
HY_EACH_METHOD gboolean rows_answer_curved(HySim *sim, HyFused *f, HyRowState *s, double t,
                                           const int n, const gboolean implicit)
{
  HyMember *m = s->member;
  double dx[4];
  if (G_UNLIKELY(s->way == HY_ROW_ODD)) {
    hy_member_touch(sim->room, m->state, t);
    return TRUE;
  }
  sim->room->count.evaluations++;
  hy_row_curved(sim->room, s->run, t, dx, n);
  if (!s->run->shape->exact) {
    hy_member_find_look(sim->room, s->run, m, t, dx, n);
  }
  hy_step_answer(s->v, n, implicit, true, t, dx);
  if (G_UNLIKELY(!(s->v->tn < INFINITY))) {
    return rows_watch(sim, f, s, t);
  }
  hy_agenda_set_later(&f->tn, s->place, hy_member_next(m));
  return TRUE;
}

/* ... and of one that is a sum. */
HY_EACH_METHOD gboolean rows_answer(HySim *sim, HyFused *f, HyRowState *s, double t, const int n,
                                    const gboolean implicit)
{
  double dx[4];
  if (G_UNLIKELY(s->way != HY_ROW_SUM)) {
    return rows_answer_curved(sim, f, s, t, n, implicit);
  }
  sim->room->count.evaluations++;
  if (G_UNLIKELY(!hy_row_sum(s->coef, s->in, s->n_in, t, dx, n))) {
    hy_row_careful_sum(s->coef, s->in, s->n_in, t, dx, n);
  }
  hy_step_answer(s->v, n, implicit, true, t, dx);
  if (G_UNLIKELY(!(s->v->tn < INFINITY))) {
    return rows_watch(sim, f, s, t);
  }
  hy_agenda_set_later(&f->tn, s->place, s->v->tn);
  return TRUE;
}

/* All who read it have its word. Returns whether the run goes on. */
HY_EACH_METHOD gboolean rows_touch(HySim *sim, HyFused *f, HyRowState *s, double t, const int n,
                                   const gboolean implicit)
{
  gboolean ok = TRUE;
  for (HyRowState *const *at = s->reader, *const *end = s->end; at < end; at++) {
    ok &= rows_answer(sim, f, *at, t, n, implicit);
  }
  return ok;
}

HY_EACH_METHOD gboolean rows_is_finite(const double *q, const int n)
{
  return isfinite(n == 1 ? q[0] : n == 2 ? q[0] + q[1] : q[0] + q[1] + q[2]);
}

/* The local model of an implicit method, as hy_room_localize() makes it: the derivative by its own
 * q, and x' of a row that is not linear. Whoever was foretold at this instant has asked the room
 * for it already, which remembers. */
static G_GNUC_NO_INLINE void rows_localize_any(HyRoom *room, const HyRowState *s, double t)
{
  if (s->way != HY_ROW_CURVED || s->hubs || !room->set.exact || room->local.t == t) {
    hy_room_localize(room, s->member->state, t, s->v);
    return;
  }
  double a = s->self != HY_NO_SLOT ? hy_room_row_partial(room, s->row, s->self, t) : 0.0, dx[4];
  room->count.partials++;
  s->v->learn = !isfinite(a);
  s->v->a = isfinite(a) ? a : s->v->a;
  if (room->set.refresh) {
    int n = s->quantizer->order;
    hy_room_row_value(room, s->row, t, dx);
    if (hy_poly_finite(dx, n)) {
      hy_qstate_refresh(s->v, t, n, dx);
    }
  }
}

static inline void rows_localize(HyRoom *room, const HyRowState *s, double t)
{
  if (G_UNLIKELY(s->way != HY_ROW_SUM || !room->set.exact)) {
    rows_localize_any(room, s, t);
    return;
  }
  double a = s->self != HY_NO_SLOT ? s->coef[s->self] : 0.0;
  room->count.partials++;
  s->v->learn = !isfinite(a);
  s->v->a = isfinite(a) ? a : s->v->a;
}

/* Whoever takes the word by a wire. */
static gboolean rows_say(HySim *sim, HyFused *f, const HyRowState *s, double t)
{
  const double *q = s->v->q;
  HyEvent y = {.value.c = {q[0], q[1], q[2]}};
  if (!isfinite(q[0] + q[1] + q[2]) || sim->now.n_wrong > 0) {
    hy_sim_note_value(sim, s->atomic, t, &y);
  }
  return hy_fused_deliver(sim, f, t, sim->graph->first_out[s->atomic], &y);
}

/* The first two parts of the step, and the third where no answer of its own follows. */
HY_EACH_METHOD void rows_move(HyRowState *s, double t, const int n, HyChoose *choose,
                              gboolean answers)
{
  HyQState *v = s->v;
  hy_step_arrive(v, n, t);
  if (choose == NULL) {
    hy_step_explicit_q(v, n, t);
  } else {
    hy_step_implicit_q(v, n, t, choose);
  }
  if (n > 2 || !answers) {
    v->tn = choose == NULL ? hy_step_tangent_time(v, n, t) : hy_step_implicit_time(v, n, t);
    if (G_UNLIKELY(v->tn == INFINITY)) {
      s->member->watch(s->member->owner, t);
    }
  }
}

static inline void rows_put(HyRoom *room, const HyRowState *s, double t, int n)
{
  for (int k = 0; k < n; k++) {
    s->said->c[k] = s->v->q[k];
  }
  s->said->t = t;
  room->words++;
}

/* Of a state whose own answer does not say when it is due next, or not here. */
static G_GNUC_NO_INLINE gboolean rows_place_own(HySim *sim, HyFused *f, HyRowState *s, double t)
{
  if (G_UNLIKELY(!(s->v->tn < INFINITY))) {
    return rows_watch(sim, f, s, t);
  }
  hy_agenda_set_later(&f->tn, s->place, hy_member_next(s->member));
  return TRUE;
}

HY_EACH_METHOD gboolean rows_step(HySim *sim, HyFused *f, const HyFusedRow *row, double t,
                                  const int n, HyChoose *choose)
{
  HyRoom *room = sim->room;
  HyRowState *s = row->state;
  HyQState *v = s->v;
  gboolean answers = s->self != HY_NO_SLOT && s->way != HY_ROW_ODD;
  if (choose != NULL) {
    rows_localize(room, s, t);
  }
  rows_move(s, t, n, choose, answers);
  room->count.steps++;
  sim->atoms[s->atomic].n_int++;
  if (G_UNLIKELY(!rows_is_finite(v->q, n) || sim->now.n_wrong > 0 || !row->quiet) &&
      !rows_say(sim, f, s, t)) {
    return FALSE;
  }
  if (!answers && !rows_place_own(sim, f, s, t)) {
    return FALSE;
  }
  rows_put(room, s, t, n);
  if (G_UNLIKELY(s->decides)) {
    hy_row_modes_said(room, sim->graph->first_out[s->atomic], t);
  }
  return rows_touch(sim, f, s, t, n, choose != NULL) &&
         (G_LIKELY(*sim->n_due == 0) || hy_fused_follow(sim, f, t));
}

/* The next cycle, at *T, if it is such a step of the same method; else NULL. */
static inline const HyFusedRow *rows_next(const HyFused *f, HyFusedStep *step, double *t)
{
  if (f->left <= 1 || !f->settled || f->tn.n_due > 0 || !hy_pending_is_empty(&f->due)) {
    return NULL;
  }
  guint place;
  *t = hy_ladder_find(&f->tn.later, &place);
  if (!(*t <= f->tf && *t < INFINITY)) {
    return NULL;
  }
  const HyFusedRow *row = &f->row[f->atomic[place]];
  return row->next == step && row->state->way != HY_ROW_ODD && row->state->v->tn == *t ? row : NULL;
}

/* Cycles as fused_run() does them, as long as they are steps of the method. */
HY_EACH_METHOD gboolean rows_run(HySim *sim, HyFused *f, const HyFusedRow *row, double t,
                                 HyFusedStep *step, const int n, HyChoose *choose)
{
  hy_agenda_empty_list(&f->tn);
  while (rows_step(sim, f, row, t, n, choose)) {
    row = rows_next(f, step, &t);
    if (row == NULL) {
      return TRUE;
    }
    f->left--;
    hy_agenda_advance(&f->tn, t);
    if (!hy_sim_may_cycle(sim, row->state->atomic, t)) {
      return FALSE;
    }
    sim->now.t = t;
    sim->now.totals.cycles++;
  }
  return FALSE;
}

/* Methods ------------------------------------------------------------------------------------- */

static gboolean rows_qss1(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_run(sim, f, row, t, rows_qss1, 1, NULL);
}

static gboolean rows_qss2(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_run(sim, f, row, t, rows_qss2, 2, NULL);
}

static gboolean rows_qss3(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_run(sim, f, row, t, rows_qss3, 3, NULL);
}

static gboolean rows_liqss1(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_run(sim, f, row, t, rows_liqss1, 1, hy_choose1);
}

static gboolean rows_liqss2(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_run(sim, f, row, t, rows_liqss2, 2, hy_choose2);
}

static gboolean rows_liqss3(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_run(sim, f, row, t, rows_liqss3, 3, hy_choose3);
}

HyFusedStep *hy_fused_step_of(const HyQuantizer *quantizer)
{
  static const struct {
    const HyQuantizer *quantizer;
    HyFusedStep *step;
  } of[] = {{&hy_qss1, rows_qss1},     {&hy_qss2, rows_qss2},     {&hy_qss3, rows_qss3},
            {&hy_liqss1, rows_liqss1}, {&hy_liqss2, rows_liqss2}, {&hy_liqss3, rows_liqss3}};
  for (guint k = 0; k < G_N_ELEMENTS(of); k++) {
    if (of[k].quantizer == quantizer) {
      return of[k].step;
    }
  }
  return NULL;
}
