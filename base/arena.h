/* Memory for many small things that live equally long: taken one behind the other from large
 * blocks, and freed together. What is taken is zeroed, and aligned for doubles and pointers. */
#ifndef HYDEVS_BASE_ARENA_H
#define HYDEVS_BASE_ARENA_H

#include <glib.h>

typedef struct HyArena HyArena;

HyArena *hy_arena_new(void);
void hy_arena_free(HyArena *arena); /* NULL is fine */
gpointer hy_arena_take(HyArena *arena, gsize size);

#endif
