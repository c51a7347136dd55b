/* The table of the states that decide alone: made once, and its flag kept up to date. */
#include "row_states.h"

#include "members.h"
#include "row_modes.h"

void hy_row_careful_sum(const double *a, const HyPiece *const *in, guint n, double t, double *c,
                        int lanes)
{
  double sum[4] = {a[n], 0.0, 0.0, 0.0};
  for (guint k = 0; k < n; k++) {
    double q[4] = {in[k]->c[0], in[k]->c[1], in[k]->c[2], in[k]->c[3]};
    hy_poly_shift(q, lanes, t - in[k]->t);
    for (int i = 0; i < lanes; i++) {
      sum[i] += a[k] * q[i];
    }
  }
  for (int i = 0; i < lanes; i++) {
    c[i] = sum[i];
  }
}

HyRowState *hy_row_states(const HyRoom *room)
{
  return room->members.table;
}

static gboolean decides_alone(const HyMember *m)
{
  return m->by_row && m->family == HY_FAMILY_QUANTIZED;
}

/* The states that read what STATE says, itself the last: into READER, and how many. Whether all of
 * them are as it is. */
static gboolean find_readers_of(const HyRoom *room, guint32 state, HyRowState **reader, guint *n)
{
  const HyLists *readers = &room->members.by_slot;
  const HyMember *m = hy_room_state(room, state)->member;
  guint slot = hy_member_slot(room, state);
  gboolean alike = TRUE, by_self = FALSE;
  *n = 0;
  for (guint32 k = readers->first[slot]; k < readers->first[slot + 1]; k++) {
    guint32 other = readers->item[k];
    const HyMember *its = hy_room_state(room, other)->member;
    alike &= decides_alone(its) && its->quantizer == m->quantizer;
    if (other == state) {
      by_self = TRUE;
    } else {
      reader[(*n)++] = &room->members.table[other];
    }
  }
  if (by_self) {
    reader[(*n)++] = &room->members.table[state];
  }
  return alike;
}

/* What stays the same of it. */
static void lay_out(const HyRoom *room, guint32 state)
{
  const HyRoomState *of = hy_room_state(room, state);
  HyRunRow *row = &room->run[of->row];
  HyMember *m = of->member;
  gboolean hubs = hy_room_reads_hubs(room, of->row);
  gboolean simple = row->linear && row->shape->exact && !hubs;
  room->members.table[state] =
      (HyRowState){.way = HY_ROW_ODD,
                   .usual = room->diagram.lanes != (guint)m->quantizer->order ? HY_ROW_ODD
                            : !row->linear                                    ? HY_ROW_CURVED
                            : simple                                          ? HY_ROW_SUM
                                                                              : HY_ROW_ODD,
                   .decides = hy_row_modes_read(room, hy_member_slot(room, state)),
                   .hubs = hubs,
                   .row = of->row,
                   .run = row,
                   .self = row->shape->self,
                   .n_in = row->n_slots,
                   .coef = row->coef,
                   .in = row->in,
                   .said = &room->signal[hy_member_slot(room, state)],
                   .v = m->v,
                   .quantizer = m->quantizer,
                   .member = m,
                   .atomic = of->atomic};
}

void hy_row_states_start(HyRoom *room)
{
  const HyFlat *flat = room->diagram.flat;
  guint n = room->states->len, n_readers = room->members.by_slot.first[flat->first_out[flat->n]];
  room->members.table = g_new0(HyRowState, (gsize)n + 1);
  room->members.reader = g_new(HyRowState *, (gsize)n_readers + 1);
  HyRowState **reader = room->members.reader;
  for (guint32 k = 0; k < n; k++) {
    HyRowState *s = &room->members.table[k];
    const HyMember *m = hy_room_state(room, k)->member;
    if (!m->by_row || hy_family_is_classic(m->family)) {
      s->way = HY_ROW_ODD;
      s->member = hy_room_state(room, k)->member;
      continue;
    }
    lay_out(room, k);
    guint n_own = 0;
    s->alone = find_readers_of(room, k, reader, &n_own) && decides_alone(m);
    s->reader = reader;
    s->end = reader += n_own;
  }
}

void hy_row_state_look(HyRoom *room, guint32 state)
{
  HyRowState *s = &room->members.table[state];
  const HyRunRow *row = &room->run[hy_room_state(room, state)->row];
  gboolean pairs = s->member->family == HY_FAMILY_PAIRS;
  gboolean odd = (row->sum != NULL && row->stale) || s->member->missing > 0 ||
                 s->v->pieces < s->member->quantizer->order ||
                 (pairs ? !s->member->begun : !(s->v->tn < INFINITY));
  s->way = odd ? HY_ROW_ODD : s->usual;
}

void hy_row_states_forget(HyRoom *room)
{
  for (guint k = 0; k < room->states->len; k++) {
    room->members.table[k].way = HY_ROW_ODD;
    room->members.table[k].answered = 0;
    room->groups.partials[k].t = NAN;
  }
}
