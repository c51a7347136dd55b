/* Rows that are not known yet; see rests.h. */
#include "rests.h"

#include "owned.h"

#include "expr/builder.h"

#include <string.h>

/* FLAG keeps who reads it from being known. */
static gboolean is_missing(const HyRoom *room, guint32 flag, gboolean soon)
{
  guint8 unsure = room->opened ? room->rests.unsure[flag] : HY_SURE;
  return soon ? unsure == HY_UNSURE : unsure != HY_SURE;
}

gboolean hy_room_is_unsure(const HyRoom *room, guint atomic)
{
  gboolean any = FALSE;
  for (guint32 f = room->first_flag[atomic]; f < room->first_flag[atomic + 1] && !any; f++) {
    any = is_missing(room, f, FALSE);
  }
  return any;
}

gboolean hy_room_knows_row(const HyRoom *room, guint32 row, gboolean soon)
{
  const HyTemplate *shape = hy_row_template(&room->rows, row);
  const guint32 *slot = hy_row_slots(&room->rows, row), *flag = hy_row_flags(&room->rows, row);
  gboolean known = TRUE;
  for (guint k = 0; k < shape->n_slots && known; k++) { /* through hubs, which are few deep */
    const HyHub *hub = hy_rows_hub(&room->rows, slot[k]);
    known = hub != NULL ? hy_room_knows_row(room, hub->row, soon)
                        : hy_piece_is_said(&room->signal[slot[k]]);
  }
  for (guint k = 0; k < shape->n_flags && known; k++) {
    known = !is_missing(room, flag[k], soon);
  }
  return known;
}

/* Modes may follow each other: all could be decided, until one is found that could not. */
void hy_room_find_unsure(HyRoom *room)
{
  for (guint k = 0; k < room->owned->len; k++) {
    guint8 *unsure = &room->rests.unsure[hy_owned(room, k)->flag];
    *unsure = *unsure != HY_SURE ? HY_SURE_SOON : HY_SURE;
  }
  for (gboolean found = TRUE; found;) {
    found = FALSE;
    for (guint k = 0; k < room->owned->len; k++) {
      const HyOwned *o = hy_owned(room, k);
      guint8 *unsure = &room->rests.unsure[o->flag];
      if (*unsure == HY_SURE_SOON &&
          !(hy_room_knows_row(room, o->rises, TRUE) && hy_room_knows_row(room, o->falls, TRUE))) {
        *unsure = HY_UNSURE;
        found = TRUE;
      }
    }
  }
}

/* A row of no slots. */
static HyTemplate *new_rest(guint lanes)
{
  HyXBuilder *b = hy_x_builder_new();
  HyShape shape;
  hy_shape_init(&shape);
  hy_shape_take(&shape, b, hy_x_const(b, 0.0));
  HyTemplate *rest = hy_template_new(&shape);
  hy_template_compile(rest, lanes);
  hy_shape_clear(&shape);
  hy_x_builder_free(b);
  return rest;
}

void hy_room_rest_row(HyRoom *room, guint32 row, gboolean rests)
{
  static const double zero = 0.0;
  HyRunRow *r = &room->run[row];
  if ((r->shape == room->rests.shape) == (rests != FALSE)) {
    return;
  }
  if (!rests) {
    *r = room->rests.run[row];
    r->stale = TRUE;
    return;
  }
  *r = (HyRunRow){.shape = room->rests.shape,
                  .slot = r->slot,
                  .in = r->in,
                  .number = &zero,
                  .flag = r->flag,
                  .sum = room->rests.shape,
                  .sum_in = r->in,
                  .coef = &room->rests.coef,
                  .bent = room->rests.shape,
                  .linear = TRUE,
                  .validity.foreseen = NAN};
}

void hy_room_begin_rests(HyRoom *room)
{
  guint slots = room->diagram.flat->first_out[room->diagram.flat->n], n = room->diagram.flat->n;
  room->opened = TRUE;
  if (room->rests.unsure == NULL) {
    room->rests.unsure = g_new0(guint8, (gsize)room->first_flag[n] + 1);
    room->rests.run = g_memdup2(room->run, room->rows.rows->len * sizeof *room->run);
    room->rests.shape = new_rest(room->diagram.lanes);
  }
  for (guint slot = 0; slot < slots; slot++) {
    room->signal[slot].t = isnan(room->signal[slot].t) ? HY_SILENT : room->signal[slot].t;
  }
  for (guint a = 0; a < n; a++) {
    guint32 first = room->first_flag[a], modes = room->first_flag[a + 1] - first;
    memset(room->rests.unsure + first, room->members.decided[a] ? HY_SURE : HY_UNSURE, modes);
  }
}

gboolean hy_room_open(HyRoom *room, double t)
{
  return room->members.on && !room->opened && room->ops->open(room, t);
}
