/* mLIQSS in the room: what its arithmetic (numerics/mliqss.h) asks about the other states. Two
 * states are partners where each reads the other and both have the method from one element of the
 * file.
 *
 * The step of one state is LIQSS: with x' = a q + u the method takes the q that x meets at the end
 * of the step (Migoni, Bortolotto, Kofman and Cellier: Linearly implicit quantization-based
 * integration methods for stiff ordinary differential equations). Where the new q of i would turn
 * x_j' so that j answers at once, and that answer turns x_i' again, both take one implicit step of
 * the 2 x 2 system (Di Pietro, Migoni and Kofman: Improving linearly implicit quantized state
 * system methods). The room gives A_ij = d f_i / d q_j from the rows, and evaluates what a new q
 * changes. */
#include "liqss.h"

#include "equations/members.h"
#include "equations/row_modes.h"
#include "expr/lanes.h"
#include "expr/slopes.h"

#include "numerics/steps.h"

#include <string.h>

EACH_LANES load_slopes(const HySlopes *slopes, const HyRunRow *row, double t, const int n)
{
  for (guint k = 0; k < slopes->n_load; k++) {
    const HyPiece *s = row->in[slopes->load[k]];
    slopes->reg[slopes->load[k]][0] = hy_poly_at(s->c, n, t - s->t);
  }
}

/* By slot K of the row of I, which is not linear or has to be looked at. */
static G_GNUC_NO_INLINE double liqss_row_partial(HyRoom *room, unsigned i, guint k, double t)
{
  guint32 number = hy_room_state(room, i)->row;
  const HyRunRow *row = &room->run[number];
  HyRowPartials *p = &room->groups.partials[i];
  if (p->at == NULL) {
    return hy_room_row_partial(room, number, k, t);
  }
  HySlopes *slopes = row->shape->slopes;
  if ((slopes->moving >> k & 1) != 0 && (p->t != t || p->words != room->words)) {
    WITH_LANES(room->diagram.lanes, load_slopes, slopes, row, t)
    hy_slopes_run(slopes, row->number, slopes->linked != NULL ? NULL : hy_room_choices(room, row),
                  p->at);
    p->t = t;
    p->words = room->words;
  }
  return p->at[k];
}

static double liqss_partial(void *user, unsigned i, unsigned place, double t)
{
  HyRoom *room = user;
  const HyRowState *s = &room->members.table[i];
  unsigned k = place == HY_MLIQSS_SELF ? s->self : place;
  double a = 0.0;
  if (k != HY_NO_SLOT) {
    a = G_LIKELY(s->way == HY_ROW_SUM) ? s->coef[k] : liqss_row_partial(room, i, k, t);
  }
  room->count.partials++;
  return isfinite(a) ? a : 0.0;
}

static const HyMliqssPartner *liqss_partners(void *user, unsigned i, unsigned *count)
{
  const HyRoomGroups *g = &((const HyRoom *)user)->groups;
  *count = g->first_partner[i + 1] - g->first_partner[i];
  return g->partner + g->first_partner[i];
}

/* Of a reader that is not odd: its new derivative. */
HY_EACH_METHOD void liqss_answer(HyRoom *room, const HyRowState *s, double t, const int n)
{
  double dx[4], was = s->v->tn;
  if (s->way == HY_ROW_CURVED) {
    hy_member_evaluate(room, s->member->state, t, dx);
  } else {
    room->count.evaluations++;
    if (G_UNLIKELY(!hy_row_sum(s->coef, s->in, s->n_in, t, dx, n))) {
      hy_row_careful_sum(s->coef, s->in, s->n_in, t, dx, n);
    }
  }
  hy_step_answer(s->v, n, true, true, t, dx);
  if (G_UNLIKELY(s->v->tn == INFINITY || was == INFINITY)) { /* what was wrong may be right again */
    s->member->watch(s->member->owner, t);
  }
  hy_member_make_due(room, s->member->state);
}

/* A word that nobody takes by a wire need not be said, unless it is out of the ordinary. */
static inline gboolean liqss_is_quiet(const HyRowState *s)
{
  const double *q = s->v->q, *said = s->said->c;
  return s->quiet != NULL && isfinite(q[0] + q[1] + q[2]) && isfinite(said[0] + said[1] + said[2]);
}

/* A new piece of q is put into the table. To others than rows its block says it, at this instant.
 */
HY_EACH_METHOD void liqss_put(HyRoom *room, const HyRowState *s, double t, const int n)
{
  if (liqss_is_quiet(s)) {
    ++*s->quiet;
  } else {
    s->member->says = t;
    s->member->told = TRUE;
  }
  for (int k = 0; k < n; k++) {
    s->said->c[k] = s->v->q[k];
  }
  s->said->t = t;
  room->words++;
  hy_member_make_due(room, s->member->state);
  if (s->decides) {
    hy_row_modes_said(room, hy_member_slot(room, s->member->state), t);
  }
}

/* All who read S but those who have answered so many WORDS already. */
HY_EACH_METHOD void liqss_touch(HyRoom *room, const HyRowState *s, double t, guint64 words,
                                const int n)
{
  for (HyRowState *const *at = s->reader; at < s->end; at++) {
    HyRowState *r = *at;
    if (r->answered == words) {
      continue;
    }
    r->answered = words;
    if (G_UNLIKELY(r->way == HY_ROW_ODD || r->quantizer != s->quantizer)) {
      hy_member_touch(room, r->member->state, t);
    } else {
      liqss_answer(room, r, t, n);
    }
  }
}

/* A new q is known to all in the group at once, and all who read it are evaluated: once, where two
 * have a new one. */
HY_EACH_METHOD void liqss_changed(HyRoom *room, unsigned i, unsigned j, double t, const int n)
{
  const HyRowState *s = &room->members.table[i];
  if (j != i) {
    liqss_put(room, &room->members.table[j], t, n);
  }
  liqss_put(room, s, t, n);
  if (j != i) {
    liqss_touch(room, &room->members.table[j], t, room->words, n);
  }
  liqss_touch(room, s, t, room->words, n);
}

static void liqss1_changed(void *user, unsigned i, unsigned j, double t)
{
  liqss_changed(user, i, j, t, 1);
}

static void liqss2_changed(void *user, unsigned i, unsigned j, double t)
{
  liqss_changed(user, i, j, t, 2);
}

static void liqss3_changed(void *user, unsigned i, unsigned j, double t)
{
  liqss_changed(user, i, j, t, 3);
}

static gboolean are_partners(const HyRoom *room, guint32 i, guint32 j)
{
  const HyMember *a = hy_room_state(room, i)->member, *b = hy_room_state(room, j)->member;
  return i != j && a->family == HY_FAMILY_PAIRS && b->family == HY_FAMILY_PAIRS &&
         a->group == b->group &&
         hy_row_place(&room->run[hy_room_state(room, j)->row], hy_member_slot(room, i)) !=
             HY_NO_SLOT;
}

/* Pairs of states each of which reads the other, of one group. */
static void find_partners(HyRoom *room)
{
  GArray *all = g_array_new(FALSE, FALSE, sizeof(HyMliqssPartner));
  room->groups.first_partner = g_new(guint32, (gsize)room->states->len + 1);
  for (guint32 i = 0; i < room->states->len; i++) {
    const HyRoomState *s = hy_room_state(room, i);
    room->groups.first_partner[i] = all->len;
    for (guint k = 0; s->member->by_row && k < room->run[s->row].n_slots; k++) {
      guint32 j = room->members.state_of[room->run[s->row].slot[k]];
      if (j-- > 0 && are_partners(room, i, j)) {
        const HyRunRow *other = &room->run[hy_room_state(room, j)->row];
        HyMliqssPartner p = {j, k, hy_row_place(other, hy_member_slot(room, i))};
        g_array_append_val(all, p);
      }
    }
  }
  room->groups.first_partner[room->states->len] = all->len;
  room->groups.partner = (HyMliqssPartner *)(gpointer)g_array_free(all, FALSE);
}

/* Whether its partials are asked for together: it has partners, and its row is not linear. */
static gboolean asks_together(const HyRoom *room, guint32 i)
{
  const HyRoomGroups *g = &room->groups;
  gboolean asked = g->first_partner[i] < g->first_partner[i + 1];
  const HyRunRow *row = asked ? &room->run[hy_room_state(room, i)->row] : NULL;
  return asked && !row->linear && row->n_slots <= HY_WIDE;
}

/* By itself and by its partners: a bit for each slot. */
static guint32 wanted_slots(const HyRoom *room, guint32 i)
{
  const HyRoomGroups *g = &room->groups;
  guint self = room->run[hy_room_state(room, i)->row].shape->self;
  guint32 wanted = self != HY_NO_SLOT ? 1U << self : 0;
  for (guint32 k = g->first_partner[i]; k < g->first_partner[i + 1]; k++) {
    wanted |= 1U << g->partner[k].by_j;
  }
  return wanted;
}

/* Those of a row that its template's program leaves out. */
static void find_fixed(const HyRunRow *row, double *at)
{
  guint32 fixed = row->shape->asked & ~row->shape->slopes->moving;
  for (guint k = 0; k < row->n_slots; k++) {
    if ((fixed >> k & 1) != 0) {
      at[k] = hy_template_partial(row->shape, k, NULL, row->number, NULL);
    }
  }
}

/* Rows of one template ask for what any of them does. */
static gsize ask_for_partials(HyRoom *room)
{
  gsize n = 0;
  for (guint32 i = 0; i < room->states->len; i++) {
    if (asks_together(room, i)) {
      HyTemplate *shape = room->run[hy_room_state(room, i)->row].shape;
      shape->asked |= wanted_slots(room, i);
      n += shape->n_slots;
    }
  }
  return n;
}

static void make_partials(HyRoom *room)
{
  double *at = room->groups.partial = g_new0(double, ask_for_partials(room) + 1);
  room->groups.partials = g_new0(HyRowPartials, (gsize)room->states->len + 1);
  for (guint32 i = 0; i < room->states->len; i++) {
    const HyRunRow *row = asks_together(room, i) ? &room->run[hy_room_state(room, i)->row] : NULL;
    if (row != NULL && row->shape->slopes == NULL) {
      row->shape->slopes = hy_slopes_new(row->shape, row->shape->asked);
    }
    room->groups.partials[i].t = NAN;
    if (row != NULL && row->shape->slopes != NULL) {
      room->groups.partials[i].at = at;
      find_fixed(row, at);
      at += row->n_slots;
    }
  }
}

void hy_liqss_start(HyRoom *room)
{
  static void (*const changed[])(void *, unsigned, unsigned,
                                 double) = {NULL, liqss1_changed, liqss2_changed, liqss3_changed};
  find_partners(room);
  make_partials(room);
  for (const HyMethod *m = hy_methods; m->name != NULL; m++) {
    if (m->family == HY_FAMILY_PAIRS) {
      g_assert(m->order < (int)G_N_ELEMENTS(room->groups.mliqss));
      room->groups.mliqss[m->order] = (HyMliqss){.n = m->order,
                                                 .solo = m->quantizer,
                                                 .v = room->members.v,
                                                 .user = room,
                                                 .partial = liqss_partial,
                                                 .partners = liqss_partners,
                                                 .changed = changed[m->order]};
    }
  }
}

void hy_liqss_follow(HyRoom *room, guint32 state, double t)
{
  const HyMember *m = hy_room_state(room, state)->member;
  if (m->begun) {
    hy_mliqss_follow(&room->groups.mliqss[m->quantizer->order], state, t);
  }
}

/* It has been set anew, and its row is not known yet: nothing answers what it says, so it rests
 * there. */
static void liqss_rest(HyMliqss *group, HyQState *v, guint32 state, double t)
{
  double x = hy_qstate_x(v, t);
  memset(v->q, 0, sizeof v->q);
  v->q[0] = x;
  v->tq = t;
  v->tn = INFINITY;
  v->asked = false;
  group->changed(group->user, state, state, t);
}

void hy_liqss_step(HyRoom *room, guint32 state, double t)
{
  HyMember *m = hy_room_state(room, state)->member;
  HyMliqss *group = &room->groups.mliqss[m->quantizer->order];
  guint32 row = hy_room_state(room, state)->row;
  m->begun = TRUE;
  if (m->missing > 0) {
    liqss_rest(group, m->v, state, t);
    return;
  }
  if (room->set.refresh && !room->run[row].linear) {
    double dx[4];
    hy_room_row_value(room, row, t, dx);
    hy_qstate_refresh(m->v, t, m->quantizer->order, dx);
  }
  hy_mliqss_step(group, state, t);
}
