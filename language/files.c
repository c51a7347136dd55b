/* The files of a model: read once each, their structure checked, their types by name. Needs paths;
 * leaves HyFile, which lives as long as the loader. */
#include "base/digest.h"
#include "language/documents.h"
#include "language/env.h"
#include <stdio.h>
#include <string.h>

void hy_file_free(gpointer p)
{
  HyFile *f = p;
  if (!f->shared) {
    hy_tree_free(f->tree);
  }
  hy_vocabulary_free(f->vocabulary);
  g_clear_pointer(&f->types, g_hash_table_unref);
  g_free(f->bad);
  g_free(f->folder);
  g_free(f);
}

HyFile *hy_file_new(Loader *l, HyTree *tree)
{
  HyFile *f = g_new0(HyFile, 1);
  f->tree = tree;
  f->shared = l->options.documents != NULL;
  f->name = g_string_chunk_insert_const(l->strings, tree->file);
  f->folder = g_path_get_dirname(tree->file);
  f->bad = g_new0(guint8, tree->elements->len);
  g_ptr_array_add(l->files.all, f);
  /* The standard library is only read when a word in the file may need it. */
  f->vocabulary = hy_vocabulary_new(tree, l->options.blocks, NULL);
  gboolean unknown = FALSE;
  for (guint32 k = 0; k < tree->elements->len && !unknown; k++) {
    const HyElement *e = hy_element(tree, k);
    unknown = !e->foreign && hy_element_rule(e->name) == NULL &&
              f->vocabulary->klass[e->name] == NULL && f->vocabulary->element[e->name] == NULL;
  }
  if (unknown && hy_loader_standard(l) != NULL) {
    hy_vocabulary_free(f->vocabulary);
    f->vocabulary =
        hy_vocabulary_new(tree, l->options.blocks, (const char *const *)l->files.standard_types);
  }
  hy_language_check(tree, f->vocabulary, f->bad, l->report);
  return f;
}

char *hy_digest_file(const char *path)
{
  FILE *in = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
  if (in == NULL) {
    return NULL;
  }
  HyDigest sum;
  hy_digest_init(&sum);
  guchar bytes[16384];
  for (gsize n = fread(bytes, 1, sizeof bytes, in); n > 0; n = fread(bytes, 1, sizeof bytes, in)) {
    hy_digest_take(&sum, bytes, n);
  }
  gboolean failed = ferror(in) != 0;
  fclose(in);
  g_autofree char *digest = hy_digest_end(&sum);
  return failed ? NULL : g_steal_pointer(&digest);
}

/* A file is read when it is first asked for, and kept also if it is of no use. ASKED: where it is
 * named; NULL for the standard library, to which limits do not apply. */
HyFile *hy_loader_file(Loader *l, const char *path, const Env *asked)
{
  g_autofree char *canonical = g_canonicalize_filename(path, NULL);
  gpointer known;
  if (g_hash_table_lookup_extended(l->files.by_path, canonical, NULL, &known)) {
    return known;
  }
  if (asked != NULL && l->files.all->len >= l->options.max_files) {
    hy_problem(asked, "more than %u files are needed; this is the limit", l->options.max_files);
    return NULL;
  }
  if (asked != NULL && !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
    hy_problem(asked, "there is no file \"%s\"", path);
    g_hash_table_insert(l->files.by_path, g_steal_pointer(&canonical), NULL);
    return NULL;
  }
  /* The limits are for what a user asks for, not for the standard library. */
  const HyReadLimits ours = HY_READ_LIMITS, *limits = asked != NULL ? &l->options.read : &ours;
  HyTree *tree =
      hy_documents_read(l->options.documents, l->options.formats, path, limits, l->report);
  HyFile *f = tree != NULL ? hy_file_new(l, tree) : NULL;
  g_hash_table_insert(l->files.by_path, g_steal_pointer(&canonical), f);
  return f;
}

/* Types of a file are listed when the first is asked for; a name that stands twice is reported
 * then. */
Define *hy_file_type(Loader *l, HyFile *file, const char *name)
{
  if (file->types == NULL) {
    file->types = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 k = hy_element(file->tree, 0)->child; k != 0;
         k = hy_element(file->tree, k)->next) {
      const HyElement *e = hy_element(file->tree, k);
      const HyAttribute *a =
          e->name == HY_W_TYPE && !e->foreign ? hy_attribute_find(file->tree, e, HY_W_NAME) : NULL;
      if (a == NULL || !(hy_name_is_legal(a->value) || hy_is_reserved(a->value))) {
        continue;
      }
      const Define *first = g_hash_table_lookup(file->types, a->value);
      if (first != NULL) {
        hy_report_error(l->report, file->name, e->line,
                        "type %s: this name is already taken by the type in line %u", a->value,
                        hy_element(file->tree, first->element)->line);
        continue;
      }
      g_hash_table_insert(file->types, hy_key(a->value), hy_define_new(l, file, k, NULL, NULL));
    }
  }
  return g_hash_table_lookup(file->types, name);
}

char *hy_beside(const HyFile *from, const char *name)
{
  return strcmp(from->folder, ".") == 0 ? g_strdup(name)
                                        : g_build_filename(from->folder, name, NULL);
}

/* LIBRARY.xml in the library path; NULL: none. Newly allocated. */
static char *in_library_path(const Loader *l, const char *name)
{
  g_autofree char *file = g_strconcat(name, ".xml", NULL);
  g_auto(GStrv) folders = hy_library_folders(l->options.library);
  for (char **folder = folders; *folder != NULL; folder++) {
    char *path = g_build_filename(*folder, file, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
      return path;
    }
    g_free(path);
  }
  return NULL;
}

/* Where a library is: as <import> says, beside the file, in the library path. Newly allocated;
 * NULL: nowhere. */
char *hy_loader_find_library(Loader *l, const HyFile *from, const char *name)
{
  const HyTree *tree = from->tree;
  for (guint32 k = hy_element(tree, 0)->child; k != 0; k = hy_element(tree, k)->next) {
    const HyElement *e = hy_element(tree, k);
    const HyAttribute *a = e->name == HY_W_IMPORT ? hy_attribute_find(tree, e, HY_W_NAME) : NULL;
    const HyAttribute *file = a != NULL ? hy_attribute_find(tree, e, HY_W_FILE) : NULL;
    if (file != NULL && strcmp(a->value, name) == 0) {
      return g_path_is_absolute(file->value) ? g_strdup(file->value) : hy_beside(from, file->value);
    }
  }
  g_autofree char *file = g_strconcat(name, ".xml", NULL);
  char *beside = hy_beside(from, file);
  if (g_file_test(beside, G_FILE_TEST_IS_REGULAR)) {
    return beside;
  }
  g_free(beside);
  return in_library_path(l, name);
}

/* The standard library, read once if it is needed at all; its names are those of block elements,
 * too. */
HyFile *hy_loader_standard(Loader *l)
{
  if (l->files.standard_looked) {
    return l->files.standard;
  }
  l->files.standard_looked = TRUE;
  g_autofree char *path = in_library_path(l, "standard");
  l->files.standard = path != NULL ? hy_loader_file(l, path, NULL) : NULL;
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  if (l->files.standard != NULL) {
    hy_file_type(l, l->files.standard, "");
    GHashTableIter at;
    gpointer name;
    g_hash_table_iter_init(&at, l->files.standard->types);
    while (g_hash_table_iter_next(&at, &name, NULL)) {
      g_ptr_array_add(names, g_strdup(name));
    }
  }
  g_ptr_array_add(names, NULL);
  l->files.standard_types = (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
  return l->files.standard;
}
