/* Layers of states, breadth first: in layer k are those that are k edges from where one begins, an
 * edge being that one of two reads the other. So a state is joined to its own layer and the two
 * beside it, and in the order of layers the matrix is a band of twice the widest of them at most
 * (E. Cuthill, J. McKee: Reducing the bandwidth of sparse symmetric matrices). From the middle of a
 * chain layers would have two ends; so one begins where an earlier search has ended. */
#include "chain.h"

#include "lists.h"
#include "members.h"

#include <string.h>

#define NEVER G_MAXUINT

typedef struct {
  guint n;
  HyLists beside; /* [n]: states at the other ends of its edges */
  guint *layer;   /* [n]: NEVER: not come to */
  guint32 *order; /* [n]: as they were come to */
} Search;

/* PLACE: 1 + that of the state which speaks at a slot; 0: none of STATE[N]. FALSE: a row is not
 * known, or reads a hub. */
static gboolean put_edges(const HyRoom *room, const guint32 *state, guint n, const guint32 *place,
                          HyListMaker *m, int pass)
{
  for (guint32 i = 0; i < n; i++) {
    guint32 row = hy_room_state(room, state[i])->row;
    const HyRunRow *r = row != HY_NO_ROW ? &room->run[row] : NULL;
    if (r == NULL) {
      return FALSE;
    }
    for (guint k = 0; k < r->n_slots; k++) {
      guint32 j = place[r->slot[k]];
      if (hy_rows_hub(&room->rows, r->slot[k]) != NULL) {
        return FALSE;
      }
      if (j > 0 && j - 1 != i) {
        hy_list_maker_put(m, pass, i, j - 1);
        hy_list_maker_put(m, pass, j - 1, i);
      }
    }
  }
  return TRUE;
}

static gboolean find_edges(const HyRoom *room, const guint32 *state, guint n, HyLists *beside)
{
  const HyFlat *flat = room->diagram.flat;
  g_autofree guint32 *place = g_new0(guint32, (gsize)flat->first_out[flat->n] + flat->n + 1);
  for (guint32 i = 0; i < n; i++) {
    place[hy_member_slot(room, state[i])] = i + 1;
  }
  HyListMaker m;
  gboolean all = TRUE;
  hy_list_maker_init(&m, n);
  for (int pass = 0; pass < 2; pass++) {
    all = put_edges(room, state, n, place, &m, pass) && all;
    hy_list_maker_turn(&m, pass);
  }
  *beside = m.lists;
  return all;
}

/* All that can be come to from BEGIN, into ORDER from FIRST on. Where these end there. */
static guint search(Search *s, guint32 begin, guint first)
{
  guint end = first;
  s->order[end++] = begin;
  s->layer[begin] = 0;
  for (guint k = first; k < end; k++) {
    guint32 i = s->order[k];
    for (guint32 e = s->beside.first[i]; e < s->beside.first[i + 1]; e++) {
      guint32 j = s->beside.item[e];
      if (s->layer[j] == NEVER) {
        s->layer[j] = s->layer[i] + 1;
        s->order[end++] = j;
      }
    }
  }
  return end;
}

static void forget(Search *s, guint first, guint end)
{
  for (guint k = first; k < end; k++) {
    s->layer[s->order[k]] = NEVER;
  }
}

/* Of the widest layer of those in ORDER between FIRST and END. */
static guint widest_layer(const Search *s, guint first, guint end)
{
  guint widest = 0, wide = 0;
  for (guint k = first; k < end; k++) {
    gboolean same = k > first && s->layer[s->order[k]] == s->layer[s->order[k - 1]];
    wide = same ? wide + 1 : 1;
    widest = MAX(widest, wide);
  }
  return widest;
}

static gboolean is_narrow(Search *s, guint widest)
{
  guint first = 0;
  for (guint32 i = 0; i < s->n; i++) {
    if (s->layer[i] == NEVER) {
      guint end = search(s, i, first);
      forget(s, first, end);
      end = search(s, s->order[end - 1], first);
      if (widest_layer(s, first, end) > widest) {
        return FALSE;
      }
      first = end;
    }
  }
  return TRUE;
}

static void search_init(Search *s, guint n)
{
  *s = (Search){.n = n, .layer = g_new(guint, (gsize)n + 1), .order = g_new(guint32, (gsize)n + 1)};
  memset(s->layer, 0xff, n * sizeof *s->layer);
}

static void search_clear(Search *s)
{
  hy_lists_clear(&s->beside);
  g_free(s->layer);
  g_free(s->order);
}

/* How many places away in ORDER neighbours are, at most. AT: working memory, [n]. */
static guint find_width(const Search *s, const guint32 *order, guint32 *at)
{
  guint width = 0;
  for (guint32 k = 0; k < s->n; k++) {
    at[order[k]] = k;
  }
  for (guint32 i = 0; i < s->n; i++) {
    for (guint32 e = s->beside.first[i]; e < s->beside.first[i + 1]; e++) {
      guint32 j = at[s->beside.item[e]];
      width = MAX(width, j > at[i] ? j - at[i] : at[i] - j);
    }
  }
  return width;
}

gboolean hy_room_is_chain(const HyRoom *room, guint widest)
{
  guint n = room->states->len;
  g_autofree guint32 *state = g_new(guint32, (gsize)n + 1);
  for (guint32 k = 0; k < n; k++) {
    state[k] = k;
  }
  Search s;
  search_init(&s, n);
  gboolean chain = find_edges(room, state, n, &s.beside) && is_narrow(&s, widest);
  search_clear(&s);
  return chain;
}

gboolean hy_room_chain_order(const HyRoom *room, const guint32 *state, guint n, guint widest,
                             guint32 *order, guint *width)
{
  g_autofree guint32 *at = g_new(guint32, (gsize)n + 1);
  Search s;
  search_init(&s, n);
  gboolean chain = find_edges(room, state, n, &s.beside);
  for (guint32 k = 0; k < n; k++) {
    order[k] = k;
  }
  *width = chain ? find_width(&s, order, at) : 0;
  if (chain && *width > widest) {
    chain = is_narrow(&s, widest);
    memcpy(order, s.order, n * sizeof *order);
    *width = chain ? find_width(&s, order, at) : 0;
  }
  search_clear(&s);
  return chain;
}
