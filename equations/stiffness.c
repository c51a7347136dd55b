/* Own rates of states, and what comes back to them.
 *
 * Why the diagonal is enough to find stiff systems: the sum of all -a_ii is the sum of all decay
 * rates -Re l_k, whatever the coordinates. So where nothing grows, the largest -a_ii is at least
 * 1/n of the largest decay rate, and no eigenvalue is needed.
 *
 * Whether methods that see the diagonal alone (LIQSS) do with it depends on what comes back to a
 * state through others. If every a_ij a_ji is 0 the matrix is triangular in some order, as far as
 * pairs show: each state follows others and nobody answers. If i is much faster than j it is where
 * x_j holds it, and j has the rate a_jj - a_ij a_ji / a_ii: the second part is what LIQSS does not
 * see. Of a chain that diffuses, a_ii = -2 k and a_ij = k, it is k for both neighbours together. */
#include "stiffness.h"

#include "members.h"

#include <math.h>

#define WIDE 64U /* rows with more slots are looked at by their diagonal alone */

typedef struct {
  HyRoom *room;
  double t;
  guint32 *state_at; /* [slots]: the state that speaks there + 1, or 0 */
} Look;

static double own_partial(const Look *l, guint state)
{
  double a = hy_room_local(l->room, state, l->t)->a;
  return isfinite(a) ? a : 0.0;
}

/* What comes back to I, of own partial A, through J. */
static double back_through(const Look *l, guint i, guint j, double a)
{
  double there = hy_member_partial(l->room, i, j, l->t);
  double product = there != 0.0 ? there * hy_member_partial(l->room, j, i, l->t) : 0.0;
  double faster = fmax(fabs(a), fabs(own_partial(l, j)));
  return faster > 0.0 ? fabs(product) / faster : 0.0;
}

/* Through all states that I reads and that read I. */
static void find_back(const Look *l, guint i, HyStateRate *of)
{
  const HyRunRow *row = &l->room->run[hy_room_state(l->room, i)->row];
  double largest = 0.0;
  for (guint k = 0; row->n_slots <= WIDE && k < row->n_slots; k++) {
    guint32 j = l->state_at[row->slot[k]];
    if (j > 0 && j - 1 != i && hy_room_state(l->room, j - 1)->row != HY_NO_ROW) {
      double back = back_through(l, i, j - 1, of->rate);
      of->back += back;
      of->next = fmax(of->next, fmin(back, largest));
      largest = fmax(back, largest);
    }
  }
}

static void look_at_state(const Look *l, guint i, HyStateRate *known)
{
  if (hy_room_state(l->room, i)->row == HY_NO_ROW) {
    return;
  }
  double a = own_partial(l, i);
  if (-a > known->rate) {
    *known = (HyStateRate){.rate = -a};
    find_back(l, i, known);
  }
}

/* The other value of a flag, for all rows that read it. */
static void turn(HyRoom *room, guint32 flag)
{
  room->flag[flag] = !room->flag[flag];
  room->words++;
  for (guint32 k = room->by_flag.first[flag]; k < room->by_flag.first[flag + 1]; k++) {
    room->run[room->by_flag.item[k]].stale = TRUE;
  }
}

static void look_turned(const Look *l, guint32 flag, HyStateRate *any)
{
  const HyRoom *room = l->room;
  turn(l->room, flag);
  for (guint32 k = room->by_flag.first[flag]; k < room->by_flag.first[flag + 1]; k++) {
    guint32 state = g_array_index(room->state_of_row, guint32, room->by_flag.item[k]);
    if (state < l->room->states->len) {
      look_at_state(l, state, &any[state]);
    }
  }
  turn(l->room, flag);
}

/* Slots of all rows, and of those that read a flag, for each flag. */
static guint64 cost_of_turning(const HyRoom *room)
{
  guint64 slots = 0;
  for (guint32 f = 0; f < room->first_flag[room->diagram.flat->n]; f++) {
    for (guint32 k = room->by_flag.first[f]; k < room->by_flag.first[f + 1]; k++) {
      slots += room->run[room->by_flag.item[k]].n_slots;
    }
  }
  return slots;
}

static guint64 cost_of_rows(const HyRoom *room)
{
  guint64 slots = 0;
  for (guint k = 0; k < room->states->len; k++) {
    guint32 row = hy_room_state(room, k)->row;
    slots += row != HY_NO_ROW ? room->run[row].n_slots : 0;
  }
  return slots;
}

guint64 hy_room_rates(HyRoom *room, double t, HyStateRate *now, HyStateRate *any)
{
  const HyFlat *flat = room->diagram.flat;
  g_autofree guint32 *state_at = g_new0(guint32, (gsize)flat->first_out[flat->n] + flat->n + 1);
  guint64 turning = cost_of_turning(room);
  Look l = {room, t, state_at};
  for (guint k = 0; k < room->states->len; k++) {
    state_at[hy_member_slot(room, k)] = k + 1;
  }
  for (guint k = 0; k < room->states->len; k++) {
    look_at_state(&l, k, &now[k]);
    any[k] = now[k].rate > any[k].rate ? now[k] : any[k];
  }
  for (guint32 f = 0; turning < HY_RATES_MOST && f < room->first_flag[flat->n]; f++) {
    look_turned(&l, f, any);
  }
  return cost_of_rows(room) + (turning < HY_RATES_MOST ? turning : 0);
}

double hy_room_own_rate(HyRoom *room, guint state, double t)
{
  Look l = {room, t, NULL};
  return hy_room_state(room, state)->row != HY_NO_ROW ? fmax(-own_partial(&l, state), 0.0) : 0.0;
}

gboolean hy_room_reads(const HyRoom *room, guint state, guint other)
{
  guint32 row = hy_room_state(room, state)->row;
  return row != HY_NO_ROW &&
         hy_row_place(&room->run[row], hy_member_slot(room, other)) != HY_NO_SLOT;
}
