/* What the room of the equations remembers between two events, for copies of a simulation
 * (base/tape.h): the last word of every slot, the modes, the rows with how long they hold, the
 * members that are due. Registers and columns are working memory, and no part of it. */
#include "meetings.h"
#include "members.h"
#include "readings.h"

#include "base/tape.h"

void hy_room_tape(HyRoom *room, HyTape *tape)
{
  const HyFlat *flat = room->diagram.flat;
  GHashTable *turns = room->turns; /* made when it is asked for (turns.c) */
  HyRoomRests rests = room->rests; /* likewise */
  guint64 flips = room->flips;     /* who has kept what follows from flags has to look again */
  hy_tape_bytes(tape, room, sizeof *room);
  room->flips = MAX(flips, room->flips) + (tape->pass == HY_TAPE_LOAD);
  room->turns = turns;
  room->rests = rests;
  room->groups.valued = NULL;
  hy_tape_array(tape, "states", room->states);
  hy_tape_bytes(tape, room->flag, room->first_flag[flat->n]);
  if (room->opened) {
    hy_tape_bytes(tape, room->rests.unsure, room->first_flag[flat->n]);
  }
  hy_tape_bytes(tape, room->toggled, room->first_flag[flat->n] * sizeof *room->toggled);
  if (!room->derived) {
    return;
  }
  hy_tape_bytes(tape, room->signal, flat->first_out[flat->n] * sizeof *room->signal);
  hy_tape_bytes(tape, room->run, room->rows.rows->len * sizeof *room->run);
  hy_tape_array(tape, "coef", room->rows.coef);
  if (room->members.on) {
    hy_tape_bytes(tape, room->members.decided, flat->n);
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
}
