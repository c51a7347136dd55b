/* What messages end with, and what GLib's containers are given. */
#ifndef HYDEVS_BASE_HINT_H
#define HYDEVS_BASE_HINT_H

#include <glib.h>

/* "; did you mean \"BEST\"?", or nothing if BEST is NULL. Newly allocated. */
static inline char *hy_did_you_mean(const char *best)
{
  return best != NULL ? g_strdup_printf("; did you mean \"%s\"?", best) : g_strdup("");
}

/* The same, but not for words so short that everything is near them. */
static inline char *hy_did_you_mean_long(const char *best)
{
  return hy_did_you_mean(
      best != NULL && best[0] != '\0' && best[1] != '\0' && best[2] != '\0' ? best : NULL);
}

/* One word more in a list: "a, b". */
static inline void hy_list_word(GString *list, const char *word)
{
  g_string_append(list, list->len > 0 ? ", " : "");
  g_string_append(list, word);
}

/* A key or an element of a container, which takes pointers without const and leaves what they point
 * to alone. */
static inline gpointer hy_key(const void *p)
{
  return (gpointer)(guintptr)p; /* NOLINT(performance-no-int-to-ptr): a cast of const would warn */
}

#endif
