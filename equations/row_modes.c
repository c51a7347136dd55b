/* Which modes are decided by rows, found from the wires before the first event, and when they turn.
 *
 * A block has them if rows of states are evaluated here at all, each of its crossings is linear in
 * what states, sources and outside blocks say, with the modes of other blocks as they are, and some
 * state or mode decides it (a gate that only a source moves is as cheap by its event). Its own
 * modes must not decide each other: what it says is made when all of them are settled. A nonlinear
 * crossing has an end of its piece, which its block looks after (static_look.c).
 *
 * The crossings are those of the block (expr/modes.h), and turn in its own transition. Here they
 * get new expressions: all that changes in one root cycle is judged once, after it. Before all that
 * the rows read is known the block says nothing, unless it would wait for itself (first_words.c):
 * then it has its modes from inputs that are 0. */
#include "row_modes.h"

#include "rests.h"

#include "base/number.h"
#include "static_block.h"

#include <math.h>

/* Making -------------------------------------------------------------------------------------- */

static gboolean modes_are_wanted(const HyRoom *room)
{
  gboolean classic = FALSE;
  for (guint32 k = 0; k < room->states->len; k++) {
    classic |= hy_family_is_classic(hy_room_state(room, k)->member->family);
  }
  return room->members.on && !classic && room->first_flag[room->diagram.flat->n] > 0;
}

/* Every input has one source or a number, and a piece that states make ends with them. */
static gboolean modes_can_be_rows(const HyRoom *room, guint atomic)
{
  const HyFlat *flat = room->diagram.flat;
  const HyFlatSources *sources = room->diagram.sources;
  const HyKind *kind = room->kind[atomic];
  if (kind == NULL || kind->n_modes == 0 || !kind->exact || kind->limits != NULL) {
    return FALSE;
  }
  gboolean can = TRUE;
  for (guint k = 0; k < kind->n_in; k++) {
    guint source = sources->slot[sources->first[atomic] + k];
    can &= source == HY_NO_SOURCE || source < flat->first_out[flat->n];
  }
  for (guint m = 0; m < kind->n_modes; m++) {
    can &= !kind->program->mode[m].reads_others;
  }
  return can;
}

static gboolean reads_what_moves(const HyRoom *room, guint32 row)
{
  const HyTemplate *t = hy_row_template(&room->rows, row);
  gboolean moves = t->n_flags > 0;
  for (guint k = 0; k < t->n_slots; k++) {
    guint owner = room->diagram.flat->owner[hy_row_slots(&room->rows, row)[k]];
    moves |= room->members.state_at[owner] > 0;
  }
  return moves;
}

static guint32 derive_side(HyRoom *room, HyDeriver *d, guint atomic, HyX z)
{
  guint32 row = hy_derive_linear(d, atomic, z), reader = room->states->len + atomic;
  if (row != HY_NO_ROW) {
    g_array_append_val(room->state_of_row, reader);
  }
  return row;
}

/* FALSE: a crossing of the block is not linear, or too large an equation. */
static gboolean derive_sides(HyRoom *room, HyDeriver *d, guint atomic)
{
  const HyKind *kind = room->kind[atomic];
  gboolean moves = FALSE;
  for (guint m = 0; m < kind->n_modes; m++) {
    const HyNode *n = &kind->node[hy_kind_mode(kind, m)];
    struct HyModeSides s = {.rises = derive_side(room, d, atomic, n->a)};
    s.falls = n->a == n->c || s.rises == HY_NO_ROW ? s.rises : derive_side(room, d, atomic, n->c);
    if (s.falls == HY_NO_ROW) {
      return FALSE;
    }
    moves |= reads_what_moves(room, s.rises) || reads_what_moves(room, s.falls);
    g_array_append_val(room->modes.side, s);
  }
  return moves;
}

void hy_row_modes_find(HyRoom *room, HyDeriver *d)
{
  for (guint32 a = 0; modes_are_wanted(room) && a < room->diagram.flat->n; a++) {
    guint32 first = room->modes.side->len;
    if (!modes_can_be_rows(room, a)) {
      continue;
    }
    if (!derive_sides(room, d, a)) {
      g_array_set_size(room->modes.side, first);
      continue;
    }
    HyRowModes b = {.atomic = a, .n = room->kind[a]->n_modes, .first = first};
    g_array_append_val(room->modes.block, b);
    room->block[a]->by_row = TRUE;
    room->block[a]->undecided = 1; /* until its rows are known */
  }
}

static HyRowModes *block_of(const HyRoom *room, guint32 k)
{
  return &g_array_index(room->modes.block, HyRowModes, k);
}

static const struct HyModeSides *side_of(const HyRoom *room, const HyRowModes *b, guint m)
{
  return &g_array_index(room->modes.side, struct HyModeSides, b->first + m);
}

static void put_readers(const HyRoom *room, HyListMaker *make, int pass, guint32 row, guint32 k)
{
  for (guint i = 0; i < hy_row_template(&room->rows, row)->n_slots; i++) {
    hy_list_maker_put(make, pass, hy_row_slots(&room->rows, row)[i], k);
  }
}

void hy_row_modes_start(HyRoom *room)
{
  const HyFlat *flat = room->diagram.flat;
  HyListMaker make;
  if (room->modes.block->len == 0) {
    return;
  }
  room->modes.at = g_new0(guint32, (gsize)flat->n + 1);
  hy_list_maker_init(&make, flat->first_out[flat->n]);
  for (int pass = 0; pass < 2; pass++) {
    for (guint32 k = 0; k < room->modes.block->len; k++) {
      const HyRowModes *b = block_of(room, k);
      room->modes.at[b->atomic] = k;
      for (guint m = 0; m < b->n; m++) {
        const struct HyModeSides *s = side_of(room, b, m);
        put_readers(room, &make, pass, s->rises, k);
        if (s->falls != s->rises) {
          put_readers(room, &make, pass, s->falls, k);
        }
      }
    }
    hy_list_maker_turn(&make, pass);
  }
  room->modes.by_slot = make.lists;
}

void hy_row_modes_wait(HyRoom *room, guint atomic)
{
  block_of(room, room->modes.at[atomic])->waits = TRUE;
  room->block[atomic]->missing++;
  room->block[atomic]->tn = INFINITY;
}

/* Running ------------------------------------------------------------------------------------- */

void hy_row_modes_touch(HyRoom *room, guint32 k, double t)
{
  HyRowModes *b = block_of(room, k);
  b->t = t;
  if (!b->touched) {
    b->touched = TRUE;
    room->members.due[room->members.n_due++] = room->states->len + b->atomic;
  }
}

/* All signals and modes that ROW reads have been said and decided once. */
static gboolean row_is_known(const HyRoom *room, guint32 row)
{
  const HyRunRow *r = &room->run[row];
  gboolean known = TRUE;
  for (guint k = 0; k < r->n_slots; k++) {
    known &= hy_piece_is_said(r->in[k]);
  }
  for (guint k = 0; k < r->shape->n_flags; k++) {
    guint owner = hy_part_of(room->first_flag, room->diagram.flat->n, r->flag[k]);
    known &= room->members.decided[owner];
  }
  return known;
}

static gboolean are_known(const HyRoom *room, const HyRowModes *b)
{
  gboolean known = TRUE;
  for (guint m = 0; m < b->n; m++) {
    const struct HyModeSides *s = side_of(room, b, m);
    known = known && row_is_known(room, s->rises) && row_is_known(room, s->falls);
  }
  return known;
}

/* Nothing but the one mode of the block has made its rows change since it was decided. */
static gboolean is_answer(const HyRoom *room, const HyRowModes *b)
{
  return b->n == 1 && room->causes == room->block[b->atomic]->causes;
}

/* New expressions for all crossings. FALSE: one is not finite. */
static gboolean judge_modes(HyRoom *room, const HyRowModes *b)
{
  HyModes *modes = room->block[b->atomic]->modes;
  gboolean answer = is_answer(room, b), finite = TRUE;
  for (guint m = 0; m < b->n; m++) {
    double z[4];
    const struct HyModeSides *s = side_of(room, b, m);
    hy_room_row_sum(room, hy_modes_is_up(modes, m) ? s->falls : s->rises, b->t, z);
    finite &= isfinite(z[0]);
    hy_modes_input(modes, m, b->t, z, answer);
  }
  return finite;
}

/* One whose turn it is at this instant anyway, for an input or the next of its outputs, has it. */
void hy_row_modes_judge(HyRoom *room, guint atomic)
{
  HyStaticState *own = room->block[atomic];
  if (!own->by_row) {
    return;
  }
  HyRowModes *b = block_of(room, room->modes.at[atomic]);
  gboolean waits = own->fresh || own->port > 0;
  b->touched = FALSE;
  if (own->undecided > 0) {
    if (are_known(room, b)) {
      own->undecided = 0; /* its modes start now, with its transition */
      own->missing -= b->waits;
      b->waits = FALSE;
      own->fresh = TRUE;
      own->tn = own->missing == 0 ? b->t : INFINITY;
    }
    return;
  }
  if (!judge_modes(room, b)) {
    hy_fault_set(&own->fault, b->t, TRUE);
    own->tn = hy_fault_next(&own->fault, INFINITY);
  } else if (own->fault.wrong) {
    own->tn = b->t; /* it may be right again */
  } else if (!waits) {
    own->tn = hy_modes_next(own->modes);
  }
}

gboolean hy_row_modes_fail(HyRoom *room, guint atomic, double t)
{
  const HyRowModes *b = block_of(room, room->modes.at[atomic]);
  gboolean fail = FALSE;
  for (guint m = 0; m < b->n; m++) {
    double z[4];
    hy_room_row_sum(room, side_of(room, b, m)->rises, t, z);
    fail |= !isfinite(z[0]);
  }
  return fail;
}

void hy_row_modes_settle(HyRoom *room, guint atomic, guint m, double t)
{
  const HyRowModes *b = block_of(room, room->modes.at[atomic]);
  const struct HyModeSides *s = side_of(room, b, m);
  double rises[4], falls[4];
  hy_room_row_sum(room, s->rises, t, rises);
  if (s->falls != s->rises) {
    hy_room_row_sum(room, s->falls, t, falls);
  }
  hy_modes_settle(room->block[atomic]->modes, m, t, rises, s->falls != s->rises ? falls : rises,
                  FALSE, FALSE);
}
