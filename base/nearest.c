#include "hydevs/text.h"
#include <string.h>

#define LONGEST 64 /* words beyond are not compared */

/* Optimal string alignment: letters changed, left out, inserted, or neighbours swapped. */
static guint distance(const char *a, guint n, const char *b, guint m)
{
  guint row[3][LONGEST + 1];
  for (guint j = 0; j <= m; j++) {
    row[0][j] = j;
  }
  for (guint i = 1; i <= n; i++) {
    guint *now = row[i % 3], *before = row[(i + 2) % 3], *two = row[(i + 1) % 3];
    now[0] = i;
    for (guint j = 1; j <= m; j++) {
      guint changed = before[j - 1] + (a[i - 1] != b[j - 1]);
      now[j] = MIN(changed, MIN(before[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = MIN(now[j], two[j - 2] + 1);
      }
    }
  }
  return row[n % 3][m];
}

void hy_nearest_offer(HyNearest *nearest, const char *candidate)
{
  gsize n = strlen(nearest->word), m = strlen(candidate);
  guint found = 0;
  if (g_ascii_strcasecmp(nearest->word, candidate) != 0) {
    guint limit = n <= 3 ? 1 : MAX(2, (guint)MIN(n, LONGEST) / 3);
    if (n > LONGEST || m > LONGEST || MAX(n, m) - MIN(n, m) > limit) {
      return;
    }
    found = distance(nearest->word, (guint)n, candidate, (guint)m);
    if (found > limit) {
      return;
    }
    found++; /* 0 is only for equal but for case */
  }
  if (nearest->best == NULL || found < nearest->distance) {
    nearest->best = candidate;
    nearest->distance = found;
  }
}

const char *hy_nearest(const char *word, const char *const *words)
{
  HyNearest nearest = {.word = word};
  for (; *words != NULL; words++) {
    hy_nearest_offer(&nearest, *words);
  }
  return nearest.best;
}
