/* The classes that a model file may place: the built-in ones and those that somebody has added. */
#include "hydevs/blocks.h"

#include "atomics/borrowed.h"
#include "base/hint.h"
#include "coupled/model_internal.h"
#include "language/schema.h"
#include "units/units.h"

#include <dlfcn.h>
#include <string.h>

struct HyBlocks {
  GPtrArray *all;    /* const HyAtomicClass, those built in first; ends with NULL */
  GPtrArray *opened; /* as dlopen() has it */
  GPtrArray *units;
  GPtrArray *files; /* their names, ends with NULL */
};

static void close_object(gpointer object)
{
  dlclose(object);
}

static void close_unit(gpointer unit)
{
  hy_unit_close(unit);
}

HyBlocks *hy_blocks_new(void)
{
  HyBlocks *b = g_new0(HyBlocks, 1);
  b->opened = g_ptr_array_new_with_free_func(close_object);
  b->units = g_ptr_array_new_with_free_func(close_unit);
  b->files = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(b->files, NULL);
  b->all = g_ptr_array_new();
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    g_ptr_array_add(b->all, hy_key(*k));
  }
  g_ptr_array_add(b->all, NULL);
  return b;
}

void hy_blocks_free(HyBlocks *b)
{
  if (b != NULL) {
    g_ptr_array_unref(b->all);
    g_ptr_array_unref(b->opened);
    g_ptr_array_unref(b->units);
    g_ptr_array_unref(b->files);
    g_free(b);
  }
}

const HyAtomicClass *const *hy_blocks_all(const HyBlocks *b)
{
  return b != NULL ? (const HyAtomicClass *const *)b->all->pdata : hy_classes();
}

const char *const *hy_blocks_files(const HyBlocks *b)
{
  static const char *const none[] = {NULL};
  return b != NULL ? (const char *const *)b->files->pdata : none;
}

/* Built-in classes first: a file of blocks cannot replace one. */
const HyAtomicClass *hy_blocks_find(const HyBlocks *b, const char *name)
{
  g_return_val_if_fail(name != NULL, NULL);
  const HyAtomicClass *built_in = hy_class_find(name);
  for (guint k = 0; built_in == NULL && b != NULL && k + 1 < b->all->len; k++) {
    const HyAtomicClass *klass = g_ptr_array_index(b->all, k);
    if (strcmp(klass->name, name) == 0) {
      return klass;
    }
  }
  return built_in;
}

/* A word of the language that is only an attribute may be a block, too, as `stop` is. */
static gboolean is_element(const char *name)
{
  guint word = 0;
  while (word < HY_N_WORDS && strcmp(hy_words[word], name) != 0) {
    word++;
  }
  return hy_element_rule((guint16)word) != NULL;
}

/* NULL: nothing is wrong with it. */
static const char *what_is_wrong(const HyBlocks *b, const HyAtomicClass *klass)
{
  if (!hy_name_is_legal(klass->name)) {
    return "a name has letters, digits and _, and is no reserved word";
  }
  if (is_element(klass->name)) {
    return "this name is a word of the language";
  }
  if (hy_class_find(klass->name) != NULL) {
    return "this name is taken by a built-in block";
  }
  if (hy_blocks_find(b, klass->name) != NULL) {
    return "this name is taken by another block that was added";
  }
  if (klass->ta == NULL && klass->next == NULL) {
    return "has neither ta nor next; it must have one";
  }
  const char *fault = hy_class_fault(klass);
  return fault != NULL ? fault : hy_class_borrowed(klass);
}

gboolean hy_blocks_add(HyBlocks *b, const HyAtomicClass *klass, GError **error)
{
  g_return_val_if_fail(b != NULL && klass != NULL && klass->name != NULL, FALSE);
  const char *what = what_is_wrong(b, klass);
  if (what != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "block \"%s\": %s", klass->name, what);
    return FALSE;
  }
  g_ptr_array_insert(b->all, (gint)b->all->len - 1, hy_key(klass));
  return TRUE;
}

/* Whether the classes were compiled for this hydevs is asked before any of them is looked at. */
static gboolean add_table(HyBlocks *b, const char *path, const HyBlockTable *table, GError **error)
{
  if (table == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: is no file of blocks: it defines no hydevs_blocks (hydevs/blocks.h)", path);
    return FALSE;
  }
  if (table->abi != HY_BLOCKS_ABI || table->class_size != sizeof(HyAtomicClass)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: its blocks were made for another hydevs (interface %u, %" G_GSIZE_FORMAT
                " bytes a class; here %u, %" G_GSIZE_FORMAT "): compile it anew",
                path, table->abi, table->class_size, HY_BLOCKS_ABI, sizeof(HyAtomicClass));
    return FALSE;
  }
  for (const HyAtomicClass *const *k = table->classes; *k != NULL; k++) {
    if (!hy_blocks_add(b, *k, error)) {
      g_prefix_error(error, "%s: ", path);
      return FALSE;
    }
  }
  return TRUE;
}

static void note_file(HyBlocks *b, const char *path)
{
  g_ptr_array_insert(b->files, (gint)b->files->len - 1, g_strdup(path));
}

static gboolean open_unit(HyBlocks *b, const char *path, GError **error)
{
  HyUnit *unit = hy_unit_open(path, error);
  if (unit == NULL) {
    return FALSE;
  }
  g_ptr_array_add(b->units, unit);
  note_file(b, path);
  if (!hy_blocks_add(b, hy_unit_class(unit), error)) {
    g_prefix_error(error, "%s: it is called as its file is: ", path);
    return FALSE;
  }
  return TRUE;
}

gboolean hy_blocks_open(HyBlocks *b, const char *path, GError **error)
{
  g_return_val_if_fail(b != NULL && path != NULL, FALSE);
  if (g_str_has_suffix(path, ".fmu")) {
    return open_unit(b, path, error);
  }
  /* A name alone would be looked for where the system keeps its libraries. */
  g_autofree char *here = strchr(path, '/') == NULL ? g_build_filename(".", path, NULL) : NULL;
  void *object = dlopen(here != NULL ? here : path, RTLD_NOW | RTLD_LOCAL);
  if (object == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "blocks cannot be loaded: %s", dlerror());
    return FALSE;
  }
  g_ptr_array_add(b->opened, object);
  note_file(b, here != NULL ? here : path);
  return add_table(b, path, dlsym(object, "hydevs_blocks"), error);
}
