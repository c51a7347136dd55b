/* The own step of a state by its row, as fused.c runs it for others, without what lies in between:
 * its word goes into the signal table, the rows that read it are evaluated at once, each of their
 * states takes its derivative and says when it is due next. No event is made where nobody but rows
 * hears it, and no list of those who are due.
 *
 * The arithmetic is that of the methods (numerics/steps.h), compiled here once for each of them, so
 * that what a step costs is arithmetic. Whoever is odd (row_states.h) goes the way of the room. */
#include "fused_rows.h"

#include "equations/members.h"
#include "equations/row_modes.h"

#include "numerics/steps.h"

/* What has no next instant may have become wrong, or right again. */
static G_GNUC_NO_INLINE gboolean rows_watch(HySim *sim, HyFused *f, const HyRowState *s, double t)
{
  s->member->watch(s->member->owner, t);
  double tn = hy_member_next(s->member);
  if (!(s->v->tn < INFINITY)) {
    tn = hy_atom_schedule(sim, &sim->atoms[s->atomic], t);
    if (isnan(tn)) {
      return FALSE;
    }
  }
  hy_agenda_set(&f->tn, s->place, tn);
  return TRUE;
}

/* The next instant of a state has been foreseen anew; WAS: before; LOOK: the end of its piece. */
HY_EACH_METHOD gboolean rows_place(HySim *sim, HyFused *f, const HyRowState *s, double t,
                                   double was, double look)
{
  double tn = s->v->tn;
  if (G_UNLIKELY(!(tn < INFINITY) || !(was < INFINITY))) {
    return rows_watch(sim, f, s, t);
  }
  hy_agenda_set(&f->tn, s->place, look < tn ? look : tn);
  return TRUE;
}

/* Returns the end of the piece. */
HY_EACH_METHOD double rows_evaluate(HyRoom *room, const HyRowState *s, double t, double *dx,
                                    const int n)
{
  if (s->curved) {
    hy_member_evaluate(room, s->member->state, t, dx);
    return s->member->look;
  }
  room->count.evaluations++;
  if (G_UNLIKELY(!hy_row_sum(s->coef, s->in, s->n_in, t, dx, n))) {
    hy_row_careful_sum(s->coef, s->in, s->n_in, t, dx, n);
  }
  return INFINITY;
}

/* Of a reader that is not odd. */
HY_EACH_METHOD gboolean rows_answer(HySim *sim, HyFused *f, const HyRowState *s, double t,
                                    const int n, const gboolean implicit)
{
  double dx[4], was = s->v->tn;
  double look = rows_evaluate(sim->room, s, t, dx, n);
  hy_step_answer(s->v, n, implicit, true, t, dx);
  return rows_place(sim, f, s, t, was, look);
}

/* All who read it have its word. Returns whether the run goes on. */
HY_EACH_METHOD gboolean rows_touch(HySim *sim, HyFused *f, HyRowState *s, double t, const int n,
                                   const gboolean implicit)
{
  gboolean ok = TRUE;
  for (HyRowState *const *r = s->reader; r < s->end; r++) {
    if (G_UNLIKELY((*r)->odd)) {
      hy_member_touch(sim->room, (*r)->member->state, t);
    } else {
      ok &= rows_answer(sim, f, *r, t, n, implicit);
    }
  }
  return ok;
}

/* The derivative of an implicit method by its own q. */
static inline void rows_localize(HyRoom *room, const HyRowState *s, double t)
{
  if (s->curved || G_UNLIKELY(s->odd || !room->set.exact)) {
    hy_room_localize(room, s->member->state, t, s->v);
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
static G_GNUC_NO_INLINE gboolean rows_place_own(HySim *sim, HyFused *f, const HyRowState *s,
                                                double t)
{
  double tn = s->v->tn < INFINITY ? hy_member_next(s->member)
                                  : hy_atom_schedule(sim, &sim->atoms[s->atomic], t);
  if (G_LIKELY(!isnan(tn))) {
    hy_agenda_set(&f->tn, s->place, tn);
  }
  return !isnan(tn);
}

HY_EACH_METHOD gboolean rows_step(HySim *sim, HyFused *f, const HyFusedRow *row, double t,
                                  const int n, HyChoose *choose)
{
  HyRoom *room = sim->room;
  HyRowState *s = row->state;
  HyQState *v = s->v;
  gboolean answers = s->self != HY_NO_SLOT && !s->odd;
  if (choose != NULL) {
    rows_localize(room, s, t);
  }
  rows_move(s, t, n, choose, answers);
  if (G_UNLIKELY(v->tn == INFINITY)) {
    s->member->watch(s->member->owner, t);
  }
  room->count.steps++;
  sim->atoms[s->atomic].n_int++;
  if (G_UNLIKELY(!isfinite(v->q[0] + v->q[1] + v->q[2]) || sim->now.n_wrong > 0 || !row->quiet) &&
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

/* Methods ------------------------------------------------------------------------------------- */

static gboolean rows_qss1(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_step(sim, f, row, t, 1, NULL);
}

static gboolean rows_qss2(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_step(sim, f, row, t, 2, NULL);
}

static gboolean rows_qss3(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_step(sim, f, row, t, 3, NULL);
}

static gboolean rows_liqss1(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_step(sim, f, row, t, 1, hy_liqss1_choose);
}

static gboolean rows_liqss2(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_step(sim, f, row, t, 2, hy_liqss2_choose);
}

static gboolean rows_liqss3(HySim *sim, HyFused *f, const HyFusedRow *row, double t)
{
  return rows_step(sim, f, row, t, 3, hy_liqss3_choose);
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
