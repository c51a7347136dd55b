/* "did you mean ...?" */
#ifndef HYDEVS_COUPLED_NEAREST_H
#define HYDEVS_COUPLED_NEAREST_H

#include <glib.h>

G_BEGIN_DECLS

/* The one of WORDS (ends with NULL) that WORD was probably meant to be, or NULL: equal but for
 * case; else at most two letters (one in words up to three letters, a third of the letters in long
 * ones) wrong, missing, too many or swapped. Of equally near words the first. */
const char *hy_nearest(const char *word, const char *const *words);

/* The same where the words do not stand in an array: set word, offer all, read best. */
typedef struct {
  const char *word;
  const char *best; /* NULL: none so far */
  guint distance;
} HyNearest;
void hy_nearest_offer(HyNearest *nearest, const char *candidate);

G_END_DECLS
#endif
