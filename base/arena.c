/* Each block is as large as all before it together, up to a limit, so few things take little. */
#include "arena.h"

#define ARENA_FIRST   1024U
#define ARENA_LARGEST (1U << 20)

struct HyArena {
  GPtrArray *blocks;
  guint8 *at; /* in the last of them */
  gsize left; /* bytes there */
  gsize next; /* the size of the next one */
};

HyArena *hy_arena_new(void)
{
  HyArena *arena = g_new0(HyArena, 1);
  arena->blocks = g_ptr_array_new_with_free_func(g_free);
  arena->next = ARENA_FIRST;
  return arena;
}

void hy_arena_free(HyArena *arena)
{
  if (arena != NULL) {
    g_ptr_array_unref(arena->blocks);
    g_free(arena);
  }
}

static void arena_add_block(HyArena *arena, gsize size)
{
  arena->left = MAX(size, arena->next);
  arena->at = g_malloc0(arena->left);
  arena->next = MIN(2 * arena->next, ARENA_LARGEST);
  g_ptr_array_add(arena->blocks, arena->at);
}

gpointer hy_arena_take(HyArena *arena, gsize size)
{
  gsize taken = (size + sizeof(double) - 1) & ~(sizeof(double) - 1);
  if (taken > arena->left) {
    arena_add_block(arena, taken);
  }
  gpointer memory = arena->at;
  arena->at += taken;
  arena->left -= taken;
  return memory;
}
