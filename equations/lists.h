/* Lists of numbers by number, made in two passes over what is put into them: counted, then filled.
 */
#ifndef HYDEVS_EQUATIONS_LISTS_H
#define HYDEVS_EQUATIONS_LISTS_H

#include <glib.h>

typedef struct {
  guint32 *first; /* [n + 1] */
  guint32 *item;
} HyLists;

typedef struct {
  HyLists lists;
  guint n;
} HyListMaker;

void hy_list_maker_init(HyListMaker *m, guint n);
void hy_list_maker_put(HyListMaker *m, int pass, guint list, guint32 item);
void hy_list_maker_turn(HyListMaker *m, int pass);
void hy_lists_clear(HyLists *lists);

#endif
