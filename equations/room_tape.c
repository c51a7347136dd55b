/* What the room of the equations remembers between two events, for copies of a simulation
 * (base/tape.h): the last word of every slot, the modes, the rows with how long they hold, the
 * members that are due. Registers and columns are working memory, and no part of it.
 *
 * A file has what changes: nobody is due between two instants, and the factors of rows follow from
 * the modes. */
#include "meetings.h"
#include "members.h"
#include "owned.h"
#include "readings.h"
#include "row_modes.h"

#include "base/tape.h"
#include "expr/tape_parts.h"

static guint room_slots(const HyRoom *room)
{
  return room->diagram.flat->first_out[room->diagram.flat->n];
}

static guint room_flags(const HyRoom *room)
{
  return room->first_flag[room->diagram.flat->n];
}

/* In memory ------------------------------------------------------------------------------------ */

static void memory_of_members(HyRoom *room, HyTape *tape)
{
  hy_tape_bytes(tape, room->members.decided, room->diagram.flat->n);
  hy_tape_array(tape, "modes", room->modes.block);
  hy_tape_bytes(tape, room->members.due, room->members.n_due * sizeof *room->members.due);
  for (guint k = 0; k < room->readings->len; k++) {
    hy_tape_bytes(tape, hy_reading(room, k), sizeof(HyReading));
  }
  for (guint k = 0; k < room->meetings->len; k++) {
    hy_tape_bytes(tape, hy_meeting(room, k), sizeof(HyMeeting));
  }
  hy_row_states_forget(room);
  room->ops->tape(room, tape);
}

static void room_in_memory(HyRoom *room, HyTape *tape)
{
  GHashTable *turns = room->turns; /* made when it is asked for (turns.c) */
  HyRoomRests rests = room->rests; /* likewise */
  guint64 flips = room->flips;     /* who has kept what follows from flags has to look again */
  hy_tape_bytes(tape, room, sizeof *room);
  room->flips = MAX(flips, room->flips) + (tape->pass == HY_TAPE_LOAD);
  room->turns = turns;
  room->rests = rests;
  room->groups.valued = NULL;
  hy_tape_array(tape, "states", room->states);
  hy_tape_bytes(tape, room->flag, room_flags(room));
  if (room->opened) {
    hy_tape_bytes(tape, room->rests.unsure, room_flags(room));
  }
  hy_tape_bytes(tape, room->toggled, room_flags(room) * sizeof *room->toggled);
  if (!room->derived) {
    return;
  }
  hy_tape_bytes(tape, room->signal, room_slots(room) * sizeof *room->signal);
  hy_tape_bytes(tape, room->run, room->rows.rows->len * sizeof *room->run);
  hy_tape_array(tape, "coef", room->rows.coef);
  if (room->members.on) {
    memory_of_members(room, tape);
  }
}

/* In files ------------------------------------------------------------------------------------ */

static void file_flags(HyRoom *room, HyTape *tape)
{
  gboolean opened = room->opened;
  HY_TAPE(tape, room->words);
  HY_TAPE(tape, room->causes);
  HY_TAPE_ARRAY(tape, room->flag, room_flags(room));
  HY_TAPE_ARRAY(tape, room->toggled, room_flags(room));
  HY_TAPE(tape, room->opened);
  if (room->opened != opened) {
    room->opened = opened;
    hy_tape_reject(tape, "groups have begun otherwise");
  }
  if (opened) {
    HY_TAPE_ARRAY(tape, room->rests.unsure, room_flags(room));
  }
}

static void file_rows(HyRoom *room, HyTape *tape)
{
  for (guint slot = 0; slot < room_slots(room); slot++) {
    if (room->heard[slot] >= HY_HEARD) {
      hy_tape_piece(tape, &room->signal[slot]);
    }
  }
  for (guint k = 0; k < room->rows.rows->len; k++) {
    HyRunRow *row = &room->run[k];
    HY_TAPE(tape, row->stale);
    if (!row->linear) {
      HY_TAPE(tape, row->validity.foreseen);
      HY_TAPE(tape, row->validity.far);
      HY_TAPE(tape, row->beyond);
    }
  }
}

/* The factors of all rows that were known, by the modes as they are now. */
static void make_factors(HyRoom *room)
{
  for (guint k = 0; k < room->rows.rows->len; k++) {
    HyRunRow *row = &room->run[k];
    gboolean known = row->sum != NULL && !row->stale;
    row->stale = TRUE;
    if (known) {
      hy_room_row_factors(room, row);
    }
  }
}

static void file_reading(HyReading *r, HyTape *tape)
{
  HY_TAPE(tape, r->known);
  HY_TAPE(tape, r->told);
  hy_tape_piece(tape, &r->word);
}

static void file_meeting(HyMeeting *m, HyTape *tape)
{
  HY_TAPE(tape, m->from);
  HY_TAPE(tape, m->value);
  HY_TAPE(tape, m->slope);
  HY_TAPE(tape, m->until);
  HY_TAPE(tape, m->margin);
  HY_TAPE(tape, m->above);
  HY_TAPE(tape, m->met);
  HY_TAPE(tape, m->open);
  HY_TAPE(tape, m->sum);
  HY_TAPE(tape, m->live);
  HY_TAPE(tape, m->asked);
  HY_TAPE(tape, m->noise);
  HY_TAPE(tape, m->since);
  HY_TAPE(tape, m->width);
  HY_TAPE(tape, m->level);
  HY_TAPE(tape, m->right);
  HY_TAPE(tape, m->away);
  HY_TAPE(tape, m->sought);
  HY_TAPE(tape, m->turned);
  HY_TAPE(tape, m->tries);
  HY_TAPE(tape, m->z);
  HY_TAPE(tape, m->fastest);
  HY_TAPE(tape, m->at);
  HY_TAPE(tape, m->found);
  if (m->live && m->reading == NULL) {
    m->live = FALSE;
    hy_tape_reject(tape, "nobody answers a block that asks");
  }
}

static void file_modes(HyRoom *room, HyTape *tape)
{
  HY_TAPE_ARRAY(tape, room->members.decided, room->diagram.flat->n);
  for (guint k = 0; k < room->modes.block->len; k++) {
    HyRowModes *b = &g_array_index(room->modes.block, HyRowModes, k);
    HY_TAPE(tape, b->t);
    HY_TAPE(tape, b->waits);
  }
  for (guint k = 0; k < room->owned->len; k++) {
    HY_TAPE(tape, g_array_index(room->owned, HyOwned, k).late);
  }
}

static void nobody_is_due(HyRoom *room)
{
  for (guint k = 0; k < room->states->len; k++) {
    hy_room_state(room, k)->due = FALSE;
  }
  for (guint k = 0; k < room->modes.block->len; k++) {
    g_array_index(room->modes.block, HyRowModes, k).touched = FALSE;
  }
  for (guint k = 0; k < room->meetings->len; k++) {
    hy_meeting(room, k)->due = FALSE;
  }
  room->members.n_due = 0;
}

static void file_members(HyRoom *room, HyTape *tape)
{
  file_modes(room, tape);
  for (guint k = 0; k < room->readings->len; k++) {
    file_reading(hy_reading(room, k), tape);
  }
  for (guint k = 0; k < room->meetings->len; k++) {
    file_meeting(hy_meeting(room, k), tape);
  }
  HY_TAPE(tape, room->groups.rate_origin);
  room->ops->tape(room, tape);
}

/* What is kept of something by its instant, or by how much has been said until then. */
static void forget_all(HyRoom *room)
{
  room->flips++;
  room->groups.valued = NULL;
  room->local.state = HY_NO_STATE;
  if (room->members.on) {
    nobody_is_due(room);
    hy_row_states_forget(room);
  }
}

static void room_in_file(HyRoom *room, HyTape *tape)
{
  if (tape->pass == HY_TAPE_SAVE && room->members.n_due > 0) {
    hy_tape_refuse(tape, "somebody is due at this instant");
  }
  file_flags(room, tape);
  if (room->derived) {
    file_rows(room, tape);
    if (room->members.on) {
      file_members(room, tape);
    }
  }
  if (tape->pass == HY_TAPE_LOAD) {
    forget_all(room);
    if (room->derived) {
      make_factors(room);
    }
  }
}

void hy_room_tape(HyRoom *room, HyTape *tape)
{
  (tape->file == NULL ? room_in_memory : room_in_file)(room, tape);
}

void hy_room_tape_work(HyRoom *room, HyTape *tape)
{
  HY_TAPE(tape, room->count.evaluations);
  HY_TAPE(tape, room->count.partials);
  HY_TAPE(tape, room->count.steps);
  for (guint n = 0; n < G_N_ELEMENTS(room->groups.mliqss); n++) {
    HyMliqss *m = &room->groups.mliqss[n];
    HY_TAPE(tape, m->steps);
    HY_TAPE(tape, m->conflicts);
    HY_TAPE(tape, m->pairs);
    HY_TAPE(tape, m->looks);
    HY_TAPE(tape, m->solves);
  }
}
