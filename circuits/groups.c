/* Union and find: numbers that are joined to groups. */
#include "internal.h"

static guint32 group_of(guint32 *of, guint32 k)
{
  while (of[k] != k) {
    of[k] = of[of[k]];
    k = of[k];
  }
  return k;
}

gboolean groups_join(guint32 *of, guint32 a, guint32 b)
{
  guint32 x = group_of(of, a), y = group_of(of, b);
  of[MAX(x, y)] = MIN(x, y); /* the first stays */
  return x != y;
}

guint32 *groups_alone(guint n)
{
  guint32 *of = g_new(guint32, (gsize)n + 1);
  for (guint32 k = 0; k < n; k++) {
    of[k] = k;
  }
  return of;
}

void groups_flatten(guint32 *of, guint n)
{
  for (guint32 k = 0; k < n; k++) {
    of[k] = group_of(of, k);
  }
}

guint32 *groups_lists(const guint32 *of, guint n)
{
  guint32 *next = g_new(guint32, (gsize)n + 1), *last = g_new(guint32, (gsize)n + 1);
  for (guint32 k = 0; k < n; k++) {
    next[k] = NONE;
    if (of[k] != k) { /* a group has the number of its first */
      next[last[of[k]]] = k;
    }
    last[of[k]] = k;
  }
  g_free(last);
  return next;
}
