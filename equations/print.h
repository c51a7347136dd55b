/* The system of a diagram as a person would write it: rows, their partial derivatives and modes as
 * text, with the names of blocks and the numbers of the model. Texts are newly allocated. Infix,
 * with only the brackets without which it would be another order of operations. */
#ifndef HYDEVS_EQUATIONS_PRINT_H
#define HYDEVS_EQUATIONS_PRINT_H

#include "room.h"
#include "rows.h"

guint hy_print_n_states(const HyRoom *room);
guint hy_print_state_atomic(const HyRoom *room, guint state);
guint32 hy_print_state_row(const HyRoom *room, guint state); /* HY_NO_ROW: it has none */
const HyRows *hy_print_rows(const HyRoom *room);             /* NULL: they are not derived */
/* Why STATE is solved together with those for which BLOCK is the same; NULL: it is in no block. The
 * room's. */
const char *hy_print_block(const HyRoom *room, guint state, guint *block);

/* "stage[1]/Rd" */
char *hy_print_block_path(const HyRoom *room, guint atomic);
guint hy_print_n_flags(const HyRoom *room, guint atomic);
/* "stage[1]/Rd:1" */
char *hy_print_flag(const HyRoom *room, guint atomic, guint mode);
/* When it is 1: "stage[1]/iD > 0", from what arrives at the block. */
char *hy_print_condition(const HyRoom *room, guint atomic, guint mode);
/* The first state of the group that decides the modes of a block itself; NULL: the block does. */
char *hy_print_owner(const HyRoom *room, guint atomic);
/* MARK[flags]: 1 for the modes that groups decide. */
void hy_print_mark_owned(const HyRoom *room, guint8 *mark);
/* Of what groups compute for blocks (readings.h), in the order of ties. */
guint hy_print_n_readings(const HyRoom *room);
/* Somebody hears it or may ask for it: it is not the derivative of a member alone. */
gboolean hy_print_reading_is_shown(const HyRoom *room, guint reading);
/* What READING is called, its row, and the first state of its group. */
char *hy_print_reading(const HyRoom *room, guint reading);
guint32 hy_print_reading_row(const HyRoom *room, guint reading);
char *hy_print_reader(const HyRoom *room, guint reading);
char *hy_print_reader_of(const HyRoom *room, const HyReading *reading); /* NULL of NULL */
/* What speaks at an output of the flat graph: "u[1]", "player.out[2]". */
char *hy_print_slot(const HyRoom *room, guint slot);
guint hy_print_slot_atomic(const HyRoom *room, guint slot);

/* The right side of x' = ... */
char *hy_print_row(const HyRoom *room, guint32 row);
/* d x'/d q for the slot SLOT of the row. */
char *hy_print_partial(const HyRoom *room, guint32 row, guint slot);

#endif
