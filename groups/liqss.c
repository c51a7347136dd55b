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

#include <string.h>

static double liqss_partial(void *user, unsigned i, unsigned j, double t)
{
  return hy_member_partial(user, i, j, t);
}

static const unsigned *liqss_partners(void *user, unsigned i, unsigned *count)
{
  const HyRoom *room = user;
  *count = room->groups.partners.first[i + 1] - room->groups.partners.first[i];
  return room->groups.partners.item + room->groups.partners.first[i];
}

/* A new piece of q is known to all in the group at once: it is put into the table, and all who
 * read it are evaluated. To others its block says it, at this instant. */
static void liqss_changed(void *user, unsigned i, double t)
{
  HyRoom *room = user;
  HyMember *m = hy_room_state(room, i)->member;
  guint slot = hy_member_slot(room, i);
  HyPiece *s = &room->signal[slot];
  memset(s->c, 0, sizeof s->c);
  memcpy(s->c, m->v->q, (gsize)m->quantizer->order * sizeof *s->c);
  s->t = t;
  room->words++;
  m->says = t;
  m->told = TRUE;
  hy_member_make_due(room, i);
  hy_row_modes_said(room, slot, t);
  for (guint32 k = room->members.by_slot.first[slot]; k < room->members.by_slot.first[slot + 1];
       k++) {
    hy_member_touch(room, room->members.by_slot.item[k], t);
  }
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
  HyListMaker make;
  hy_list_maker_init(&make, room->states->len);
  for (int pass = 0; pass < 2; pass++) {
    for (guint32 i = 0; i < room->states->len; i++) {
      const HyRoomState *s = hy_room_state(room, i);
      for (guint k = 0; s->member->by_row && k < hy_row_template(&room->rows, s->row)->n_slots;
           k++) {
        guint32 j = room->members.state_of[hy_row_slots(&room->rows, s->row)[k]];
        if (j-- > 0 && are_partners(room, i, j)) {
          hy_list_maker_put(&make, pass, i, j);
        }
      }
    }
    hy_list_maker_turn(&make, pass);
  }
  room->groups.partners = make.lists;
}

void hy_liqss_start(HyRoom *room)
{
  find_partners(room);
  for (const HyMethod *m = hy_methods; m->name != NULL; m++) {
    if (m->family == HY_FAMILY_PAIRS) {
      g_assert(m->order < (int)G_N_ELEMENTS(room->groups.mliqss));
      room->groups.mliqss[m->order] = (HyMliqss){.n = m->order,
                                                 .solo = m->quantizer,
                                                 .v = room->members.v,
                                                 .user = room,
                                                 .partial = liqss_partial,
                                                 .partners = liqss_partners,
                                                 .changed = liqss_changed};
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

void hy_liqss_step(HyRoom *room, guint32 state, double t)
{
  HyMember *m = hy_room_state(room, state)->member;
  guint32 row = hy_room_state(room, state)->row;
  m->begun = TRUE;
  if (room->set.refresh && !room->run[row].linear) {
    double dx[4];
    hy_room_row_value(room, row, t, dx);
    hy_qstate_refresh(m->v, t, m->quantizer->order, dx);
  }
  hy_mliqss_step(&room->groups.mliqss[m->quantizer->order], state, t);
}
