/* The inside of HyRoom, for the files of this folder. */
#ifndef HYDEVS_EQUATIONS_ROOM_INTERNAL_H
#define HYDEVS_EQUATIONS_ROOM_INTERNAL_H

#include "room.h"
#include "rows.h"

typedef struct {
  guint atomic;
  gboolean wired; /* else the derivative is the number */
  double number;
  guint32 row;
} HyRoomState;

struct HyRoom {
  HyDiagram diagram;
  HyKinds *kinds;
  const HyKind **kind; /* [atomics] */
  guint32 *first_flag; /* [atomics + 1] */
  GArray *states;      /* HyRoomState */
  gboolean asked;      /* a state will ask for its row */
  gboolean derived;
  double seconds; /* of CPU time, deriving */
  HyRows rows;
  HyPiece *signal;       /* [slots]: t is NaN before the first word */
  guint8 *flag;          /* [flags] */
  guint32 *first_reader; /* [flags + 1]: rows that read a flag */
  guint32 *reader;
  guint8 *stale; /* [rows]: the coefficients of a linear row wait to be computed */
  guint64 evaluations, partials;
  guint64 words; /* changes of what follows from signals and flags */
  HyLocalRow local;
  guint local_state;
  double local_t;
  guint64 local_words;
  /* Working memory. */
  GArray *value;  /* double, by slot */
  GArray *choice; /* guint8, by flag */
};

static inline HyRoomState *hy_room_state(const HyRoom *room, guint state)
{
  return &g_array_index(room->states, HyRoomState, state);
}

/* The flags of a row as its programs read them; of the room, until the next call. */
const guint8 *hy_room_choices(HyRoom *room, guint32 row);
/* d row/d slot at T. */
double hy_room_row_partial(HyRoom *room, guint32 row, guint slot, double t);
void hy_room_row_value(HyRoom *room, guint32 row, double t, double *c);

#endif
