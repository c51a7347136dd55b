#include "hydevs/text.h"
#include <string.h>

#define LONGEST 64    /* words beyond are not compared */
#define MOST    5000U /* so many are: thousands of mistakes among thousands of names take no time */

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

/* How far CANDIDATE is from WORD: 0 if equal but for case, then the letters that differ, up to a
 * limit, then what WORD is the beginning of, or goes on behind (input: in). G_MAXUINT: it is
 * something else. */
static guint how_far(const char *word, const char *candidate)
{
  gsize n = strlen(word), m = strlen(candidate);
  guint limit = n <= 3 ? 1 : MAX(2, (guint)MIN(n, LONGEST) / 3);
  if (g_ascii_strcasecmp(word, candidate) == 0) {
    return 0;
  }
  gboolean alike = n <= LONGEST && m <= LONGEST && MAX(n, m) - MIN(n, m) <= limit;
  guint found = alike ? distance(word, (guint)n, candidate, (guint)m) : G_MAXUINT;
  if (found <= limit) {
    return found + 1;
  }
  gboolean begins = n >= 3 && g_ascii_strncasecmp(word, candidate, n) == 0;
  gboolean goes_on = m >= 2 && n - m <= 3 && g_ascii_strncasecmp(word, candidate, m) == 0;
  return begins || (n > m && goes_on) ? limit + 2 : G_MAXUINT;
}

void hy_nearest_offer(HyNearest *nearest, const char *candidate)
{
  g_return_if_fail(nearest != NULL && candidate != NULL);
  guint found = nearest->offered++ < MOST ? how_far(nearest->word, candidate) : G_MAXUINT;
  if (found == G_MAXUINT) {
    return;
  }
  if (nearest->best == NULL || found < nearest->distance) {
    nearest->best = candidate;
    nearest->distance = found;
  }
}

const char *hy_nearest(const char *word, const char *const *words)
{
  g_return_val_if_fail(word != NULL && words != NULL, NULL);
  HyNearest nearest = {.word = word};
  for (; *words != NULL; words++) {
    hy_nearest_offer(&nearest, *words);
  }
  return nearest.best;
}
