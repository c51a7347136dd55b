/* Networks that are linear between toggles.
 *
 * In a network states answer each other: a coil reads the voltage of its capacitor, and that the
 * current of the coil. So two states of which each reads the other are of one network, and one row
 * that is not linear (a coil that saturates, a diode with an exponential) bends all of it: it is
 * solved together or not at all. A controller is none of it, though it may hear of everything: the
 * network hears of it through a gate.
 *
 * What nobody answers (an integral, a filter) goes with what it reads: if all of that is of linear
 * networks, and its row is linear, too, it is one of these states; else it would be told by pieces
 * what it can have from its own side. */
#include "networks.h"

#include "lists.h"
#include "members.h"

#include <string.h>

#define MOST_EDGES 2000000 /* partial derivatives: more are not looked at */

typedef struct {
  const HyRoom *room;
  guint n;
  guint32 *place;  /* [slots]: the state that speaks there + 1, or 0 */
  guint32 *seen;   /* [hubs]: the last row that was seen to read it */
  HyLists readers; /* [n], ascending */
  guint edges;     /* of both passes */
} Find;

static void put_row(Find *f, HyListMaker *m, int pass, guint32 i, guint32 row)
{
  const HyRunRow *r = &f->room->run[row];
  const HyRows *rows = &f->room->rows;
  for (guint k = 0; k < r->n_slots && f->edges < MOST_EDGES; k++) {
    const HyHub *hub = hy_rows_hub(rows, r->slot[k]);
    guint32 j = f->place[r->slot[k]], now = (guint32)pass * f->n + i + 1;
    guint32 *seen = hub != NULL ? &f->seen[hub - &g_array_index(rows->hub, HyHub, 0)] : NULL;
    if (seen != NULL && *seen != now) {
      *seen = now;
      put_row(f, m, pass, i, hub->row);
    } else if (seen == NULL && j > 0 && j - 1 != i) {
      hy_list_maker_put(m, pass, j - 1, i);
    }
    f->edges++;
  }
}

/* FALSE: they are too many. */
static gboolean find_readers(Find *f)
{
  HyListMaker m;
  hy_list_maker_init(&m, f->n);
  for (guint32 i = 0; i < f->n; i++) {
    f->place[hy_member_slot(f->room, i)] = i + 1;
  }
  for (int pass = 0; pass < 2 && f->edges < MOST_EDGES; pass++) {
    f->edges = 0;
    for (guint32 i = 0; i < f->n; i++) {
      guint32 row = hy_room_state(f->room, i)->row;
      if (row != HY_NO_ROW) {
        put_row(f, &m, pass, i, row);
      }
    }
    hy_list_maker_turn(&m, pass);
  }
  f->readers = m.lists;
  return f->edges < MOST_EDGES;
}

static gboolean reads(const Find *f, guint32 i, guint32 j)
{
  guint32 low = f->readers.first[j], high = f->readers.first[j + 1];
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (f->readers.item[middle] == i) {
      return TRUE;
    }
    *(f->readers.item[middle] < i ? &low : &high) =
        f->readers.item[middle] < i ? middle + 1 : middle;
  }
  return FALSE;
}

/* Nobody who reads it is read by it. */
static gboolean is_alone(const Find *f, guint32 i)
{
  gboolean alone = TRUE;
  for (guint32 k = f->readers.first[i]; k < f->readers.first[i + 1] && alone; k++) {
    alone = !reads(f, i, f->readers.item[k]);
  }
  return alone;
}

/* What has gone out takes its network along, and those who read it and are in none. */
static void spread(const Find *f, guint8 *in)
{
  g_autoptr(GArray) out = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint32 i = 0; i < f->n; i++) {
    if (!in[i]) {
      g_array_append_val(out, i);
    }
  }
  while (out->len > 0) {
    guint32 i = g_array_index(out, guint32, out->len - 1);
    g_array_set_size(out, out->len - 1);
    for (guint32 k = f->readers.first[i]; k < f->readers.first[i + 1]; k++) {
      guint32 j = f->readers.item[k];
      if (in[j] && (reads(f, i, j) || is_alone(f, j))) {
        in[j] = 0;
        g_array_append_val(out, j);
      }
    }
  }
}

void hy_room_networks(const HyRoom *room, guint8 *in)
{
  const HyFlat *flat = room->diagram.flat;
  guint n = room->states->len;
  g_autofree guint32 *place = g_new0(guint32, (gsize)flat->first_out[flat->n] + flat->n + 1);
  g_autofree guint32 *seen = g_new0(guint32, (gsize)room->rows.hub->len + 1);
  Find f = {room, n, place, seen, {NULL, NULL}, 0};
  if (find_readers(&f)) {
    spread(&f, in);
  } else {
    memset(in, 0, n);
  }
  hy_lists_clear(&f.readers);
}
