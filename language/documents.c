/* Files read once for many loads. Needs the readers of files (foreign.c); nothing of a tree changes
 * once it has been read, so any number of threads may look at it. */
#include "language/documents.h"
#include "language/foreign.h"
#include "language/schema.h"

#include <pthread.h> /* ThreadSanitizer sees into it, and not into GLib */

struct HyDocuments {
  pthread_mutex_t lock;
  GHashTable *trees; /* by the names that they were asked for, which messages have */
};

static void free_tree(gpointer tree)
{
  hy_tree_free(tree);
}

HyDocuments *hy_documents_new(void)
{
  HyDocuments *d = g_new0(HyDocuments, 1);
  pthread_mutex_init(&d->lock, NULL);
  d->trees = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_tree);
  return d;
}

void hy_documents_free(HyDocuments *d)
{
  if (d != NULL) {
    g_hash_table_unref(d->trees);
    pthread_mutex_destroy(&d->lock);
    g_free(d);
  }
}

gboolean hy_documents_add(HyDocuments *d, const char *path, const char *bytes, gsize n,
                          const HyFormat *formats, HyReport *report)
{
  g_return_val_if_fail(d != NULL && path != NULL && (bytes != NULL || n == 0) && report != NULL,
                       FALSE);
  HyReadLimits limits = HY_READ_LIMITS;
  HyTree *tree = hy_foreign_parse(formats, bytes, n, path, hy_words, &limits, report);
  if (tree == NULL) {
    return FALSE;
  }
  pthread_mutex_lock(&d->lock);
  gboolean added = !g_hash_table_contains(d->trees, path);
  if (added) {
    g_hash_table_insert(d->trees, g_strdup(path), tree);
  }
  pthread_mutex_unlock(&d->lock);
  if (!added) {
    hy_report_error(report, path, 0, "has been read already");
    hy_tree_free(tree);
  }
  return added;
}

/* What is wrong with a file is told to each who asks. */
HyTree *hy_documents_read(HyDocuments *d, const HyFormat *formats, const char *path,
                          const HyReadLimits *limits, HyReport *report)
{
  if (d == NULL) {
    return hy_foreign_read(formats, path, hy_words, limits, report);
  }
  pthread_mutex_lock(&d->lock);
  HyTree *tree = g_hash_table_lookup(d->trees, path);
  if (tree == NULL) {
    tree = hy_foreign_read(formats, path, hy_words, limits, report);
    if (tree != NULL) {
      g_hash_table_insert(d->trees, g_strdup(path), tree);
    }
  }
  pthread_mutex_unlock(&d->lock);
  return tree;
}
