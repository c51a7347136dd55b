/* The first pass leaves the length of list k at first[k + 2]; the sums of these are where lists
 * begin, shifted by one, so that the second pass can count up first[k + 1] while it fills, and
 * leaves the beginnings in place. */
#include "lists.h"

void hy_list_maker_init(HyListMaker *m, guint n)
{
  *m = (HyListMaker){.n = n, .lists.first = g_new0(guint32, (gsize)n + 2)};
}

void hy_list_maker_put(HyListMaker *m, int pass, guint list, guint32 item)
{
  if (pass == 0) {
    m->lists.first[list + 2]++;
  } else {
    m->lists.item[m->lists.first[list + 1]++] = item;
  }
}

void hy_list_maker_turn(HyListMaker *m, int pass)
{
  if (pass == 0) {
    for (guint k = 2; k <= m->n + 1; k++) {
      m->lists.first[k] += m->lists.first[k - 1];
    }
    m->lists.item = g_new(guint32, (gsize)m->lists.first[m->n + 1] + 1);
  }
}

void hy_lists_clear(HyLists *lists)
{
  g_clear_pointer(&lists->first, g_free);
  g_clear_pointer(&lists->item, g_free);
}
