#include "atomics.h"
#include "hydevs/model.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CLASS(block) &hy_##block##_class,
static const HyAtomicClass *const built_in[] = {HY_BLOCKS(CLASS)};

/* Made once, never changed afterwards: any thread may read it. */
typedef struct {
  const HyAtomicClass *all[G_N_ELEMENTS(built_in) + 1]; /* as listed; ends with NULL */
  const HyAtomicClass *by_name[G_N_ELEMENTS(built_in)]; /* the same, sorted */
} ClassList;

static int compare_classes(const void *a, const void *b)
{
  const HyAtomicClass *const *first = a, *const *second = b;
  return strcmp((*first)->name, (*second)->name);
}

static ClassList list;

static void make_list(void)
{
  memcpy(list.all, built_in, sizeof built_in);
  memcpy(list.by_name, built_in, sizeof built_in);
  qsort(list.by_name, G_N_ELEMENTS(built_in), sizeof(gpointer), compare_classes);
}

/* pthread_once, not GLib's: ThreadSanitizer sees into the one and not into the other. */
static const ClassList *class_list(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_list);
  return &list;
}

const HyAtomicClass *const *hy_classes(void)
{
  return class_list()->all;
}

const HyAtomicClass *hy_class_find(const char *name)
{
  g_return_val_if_fail(name != NULL, NULL);
  const ClassList *known = class_list();
  const HyAtomicClass key = {.name = name}, *wanted = &key;
  const HyAtomicClass *const *found = bsearch(&wanted, known->by_name, G_N_ELEMENTS(known->by_name),
                                              sizeof(gpointer), compare_classes);
  return found != NULL ? *found : NULL;
}
