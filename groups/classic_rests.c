/* Members that rest. A group begins when all that its rows read has spoken, or where something has
 * not, when the first instant is over: then with those members, hubs and crossings whose rows are
 * known. The others rest: x' = 0, and a mode stays as it is. So each state moves from the first
 * instant on that its own right side can be computed, whatever others wait for.
 *
 * A row that is not known stands as the constant 0 in the room, so every method takes it as it
 * takes any row. When the word comes that it has waited for the group starts anew, with the row
 * itself, and what its method has made of rows is made anew.
 *
 * A flag is known when its block has decided it; one that a group owns, if the rows of its crossing
 * are. Modes may follow each other: all are known that need not be unknown. */
#include "classic_internal.h"

#include "equations/rests.h"

#include <string.h>

/* Members, then hubs, then both rows of each crossing. */
static guint rests_rows(const HyClassic *g)
{
  return g->n + g->rows.hub->len + 2 * g->own.crossing->len;
}

static guint32 rests_row(const HyClassic *g, guint k)
{
  if (k < g->n + g->rows.hub->len) {
    return hy_classic_number_of_row(g, k);
  }
  k -= g->n + g->rows.hub->len;
  const HyOwned *o = g_array_index(g->own.crossing, HyClassicCrossing, k / 2).owned;
  return k % 2 == 0 ? o->rises : o->falls;
}

static guint32 crossing_flag(const HyClassic *g, guint k)
{
  return g_array_index(g->own.crossing, HyClassicCrossing, k).owned->flag;
}

void hy_classic_rests_init(HyClassic *g)
{
  g->rests.row = g_new0(guint8, (gsize)rests_rows(g) + 1);
}

/* Which rows are known, and which are not any more. TRUE: some have changed. */
static gboolean find_rests(HyClassic *g)
{
  guint n = rests_rows(g), before = g->rests.n;
  g->rests.n = 0;
  for (guint k = 0; k < n; k++) {
    guint32 row = rests_row(g, k);
    gboolean known = hy_room_knows_row(g->room, row, TRUE);
    g->rests.row[k] = !known;
    g->rests.n += !known;
    hy_room_rest_row(g->room, row, !known);
  }
  for (guint k = 0; k < g->own.crossing->len; k++) {
    guint8 *unsure = &g->room->rests.unsure[crossing_flag(g, k)];
    *unsure = *unsure == HY_SURE_SOON ? HY_SURE : *unsure; /* the group is about to decide */
  }
  return g->rests.n != before;
}

void hy_classic_rests_begin(HyClassic *g)
{
  if (g->room->opened && find_rests(g)) {
    hy_classic_shape_rows(g);
  }
}

/* Some of those that rest may have become known: a row of them, or of another group's modes. */
gboolean hy_classic_rests_may_end(const HyClassic *g)
{
  gboolean any = FALSE;
  if (g->rests.n > 0) {
    hy_room_find_unsure(g->room);
  }
  for (guint k = 0; g->rests.n > 0 && k < rests_rows(g) && !any; k++) {
    any = g->rests.row[k] && hy_room_knows_row(g->room, rests_row(g, k), TRUE);
  }
  return any;
}

/* The method of the group is the one that it had at first, and knows nothing. */
static void forget_method(HyClassic *g, double t)
{
  if (g->stepper->states != NULL) {
    g->stepper->states(g, t);
  }
  g->stepper->totals(g, &g->totals);
  g->stepper->clear(g);
  g->method_state = NULL;
  if (g->stated != NULL) {
    g->method = g->stated;
    g->stepper = hy_classic_stepper(g->method->family);
    g->stated = NULL;
    g->because = NULL;
    g->unsure = FALSE;
  }
}

gboolean hy_classic_rests_end(HyClassic *g, double t)
{
  if (g->rests.n == 0) {
    return FALSE;
  }
  hy_room_find_unsure(g->room);
  if (!find_rests(g)) {
    return FALSE;
  }
  forget_method(g, t);
  hy_classic_shape_rows(g);
  return TRUE;
}

gboolean hy_classic_rests_at(const HyClassic *g, guint32 i)
{
  return g->rests.row[i] != 0;
}

static gboolean waits(const HyClassic *g)
{
  return !g->begun && g->why == NULL;
}

gboolean hy_classic_open(HyRoom *room, double t)
{
  const GPtrArray *all = room->groups.classic;
  gboolean any = FALSE;
  for (guint k = 0; k < all->len; k++) {
    any |= waits(g_ptr_array_index(all, k));
  }
  if (!any) {
    return FALSE;
  }
  hy_room_begin_rests(room);
  for (guint k = 0; k < all->len; k++) {
    HyClassic *g = g_ptr_array_index(all, k);
    for (guint i = 0; i < g->own.crossing->len && waits(g); i++) {
      room->rests.unsure[crossing_flag(g, i)] = HY_SURE_SOON;
    }
    if (waits(g)) {
      hy_classic_wake(g, t);
    }
  }
  hy_room_find_unsure(room);
  return TRUE;
}

void hy_classic_rests_clear(HyClassic *g)
{
  guint before = g->rests.n;
  for (guint k = 0; k < rests_rows(g); k++) {
    hy_room_rest_row(g->room, rests_row(g, k), FALSE);
  }
  g->rests.n = 0;
  hy_classic_rests_load(g, before);
}

void hy_classic_rests_load(HyClassic *g, guint before)
{
  if (before > g->rests.n) {
    memset(g->rests.row, 0, rests_rows(g));
    hy_classic_shape_rows(g);
    if (g->method_state != NULL) {
      g->stepper->clear(g);
    }
    g->method_state = NULL;
  }
}
