/* What types libraries have, as if they were classes, for whoever shows what a model can be built
 * from (hydevs/blocks.h). Needs the files of the library path (files.c) and what their types define
 * (define.c, port_kinds.c). Leaves tables that only describe: nothing can be run from them. */
#include "language/env.h"
#include <string.h>

struct HyLibrary {
  GPtrArray *types;  /* HyAtomicClass, ends with NULL */
  GPtrArray *tables; /* of their ports and parameters */
  GStringChunk *strings;
};

static const char *keep(HyLibrary *library, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const(library->strings, text) : NULL;
}

static const char *said(HyLibrary *library, const Entry *e, guint16 word)
{
  const HyFile *f = e->define->file;
  return keep(library, hy_text_of(f, hy_element(f->tree, e->element), word));
}

/* Bounds for which there is a word. */
static HyRange param_range(const char *min, const char *max)
{
  gboolean from_0 = g_strcmp0(min, "0") == 0;
  return from_0 && max == NULL                ? HY_NOT_NEGATIVE
         : from_0 && g_strcmp0(max, "1") == 0 ? HY_UNIT_INTERVAL
                                              : HY_ANY;
}

/* What it is for, and bounds for which there is no word. */
static const char *param_doc(HyLibrary *library, const Entry *e)
{
  const HyFile *f = e->define->file;
  const HyElement *x = hy_element(f->tree, e->element);
  const char *doc = hy_text_of(f, x, HY_W_DOC), *choices = hy_text_of(f, x, HY_W_CHOICES),
             *min = hy_text_of(f, x, HY_W_MIN), *max = hy_text_of(f, x, HY_W_MAX);
  if (choices == NULL && param_range(min, max) != HY_ANY) {
    return keep(library, doc);
  }
  g_autoptr(GString) text = g_string_new(doc);
  const char *open = text->len > 0 ? " (" : "(";
  if (choices != NULL) {
    g_string_append_printf(text, "%sone of %s)", open, choices);
  } else if (min != NULL && max != NULL) {
    g_string_append_printf(text, "%sfrom %s to %s)", open, min, max);
  } else if (min != NULL || max != NULL) {
    g_string_append_printf(text, "%s%s or %s)", open, min != NULL ? min : max,
                           min != NULL ? "more" : "less");
  }
  return text->len > 0 ? keep(library, text->str) : NULL;
}

static const HyPort *library_ports(HyLibrary *library, Loader *l, Define *d, const GPtrArray *ports)
{
  HyPort *table = g_new0(HyPort, ports->len + 1);
  g_ptr_array_add(library->tables, table);
  for (guint k = 0; k < ports->len; k++) {
    Entry *e = g_ptr_array_index(ports, k);
    table[k] = (HyPort){.name = keep(library, e->name),
                        .kind = hy_port_kind(l, d, e) == PORT_EVENT ? HY_EVENT : HY_SIGNAL,
                        .array = e->count != NULL,
                        .unit = keep(library, e->unit),
                        .doc = said(library, e, HY_W_DOC)};
  }
  return table;
}

/* The default as it is written; it may be a formula. */
static HyParam library_param(HyLibrary *library, const Define *d, const Entry *e)
{
  static const HyParamKind kinds[] = {[KIND_REAL] = HY_REAL,
                                      [KIND_INTEGER] = HY_INTEGER,
                                      [KIND_BOOLEAN] = HY_BOOLEAN,
                                      [KIND_TEXT] = HY_TEXT,
                                      [KIND_PAYLOAD] = HY_VALUES};
  const Entry *port = hy_measures(d, e);
  g_autofree char *length = port != NULL ? g_strdup_printf("the length of %s", port->name) : NULL;
  return (HyParam){.name = keep(library, e->name),
                   .kind = e->count != NULL ? HY_REALS : kinds[e->value_kind],
                   .required = e->value == NULL && port == NULL,
                   .range = param_range(said(library, e, HY_W_MIN), said(library, e, HY_W_MAX)),
                   .text = keep(library, e->value != NULL ? e->value->value : length),
                   .unit = keep(library, e->unit),
                   .doc = param_doc(library, e)};
}

static const HyParam *library_params(HyLibrary *library, const Define *d)
{
  HyParam *table = g_new0(HyParam, d->values->len + 1), *to = table;
  g_ptr_array_add(library->tables, table);
  for (guint k = 0; k < d->values->len; k++) {
    const Entry *e = g_ptr_array_index(d->values, k);
    if (e->kind == E_PARAM) {
      *to++ = library_param(library, d, e);
    }
  }
  return table;
}

/* The lines of TEXT without what they are all indented by, and without blank ones around. */
static char *unindented(const char *text)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  gsize indent = G_MAXSIZE;
  for (guint k = 0; lines[k] != NULL; k++) {
    g_strchomp(lines[k]);
    indent = *lines[k] != '\0' ? MIN(indent, strspn(lines[k], " ")) : indent;
  }
  GString *out = g_string_new(NULL);
  for (guint k = 0; lines[k] != NULL; k++) {
    if (*lines[k] != '\0' || out->len > 0) {
      g_string_append_printf(out, "%s\n", *lines[k] != '\0' ? lines[k] + indent : "");
    }
  }
  return g_strchomp(g_string_free(out, FALSE));
}

/* The <doc> in a type: what it says, and from the first line that begins with "<" on an example.
 * Both newly allocated, or NULL. */
static void read_doc(const HyFile *f, const HyElement *type, char **says, char **example)
{
  const char *doc = NULL;
  for (guint32 k = type->child; k != 0 && doc == NULL; k = hy_element(f->tree, k)->next) {
    doc = hy_element(f->tree, k)->name == HY_W_DOC ? hy_tree_doc(f->tree, k) : NULL;
  }
  *says = doc != NULL ? unindented(doc) : NULL;
  char *from = *says == NULL ? NULL : **says == '<' ? *says : strstr(*says, "\n<");
  *example = from != NULL ? g_strdup(from + (*from == '\n')) : NULL;
  if (from != NULL) {
    *from = '\0';
    g_strchomp(*says);
  }
}

/* The names of the nodes that TYPE is joined by, ends with NULL; what they are for, in DOCS. */
static char **node_names(const HyFile *f, const HyElement *type, GPtrArray *docs)
{
  GPtrArray *names = g_ptr_array_new();
  for (guint32 k = type->child; k != 0; k = hy_element(f->tree, k)->next) {
    const HyElement *e = hy_element(f->tree, k);
    const char *name = e->name == HY_W_NODE ? hy_text_of(f, e, HY_W_NAME) : NULL;
    if (name != NULL) {
      gboolean array = hy_text_of(f, e, HY_W_COUNT) != NULL;
      g_ptr_array_add(names, g_strconcat(name, array ? "[...]" : "", NULL));
      g_ptr_array_add(docs, g_strdup(hy_text_of(f, e, HY_W_DOC)));
    }
  }
  g_ptr_array_add(names, NULL);
  return (char **)g_ptr_array_free(names, FALSE);
}

/* One line, below it all the rest, and the nodes of a circuit: a class has no ports of that kind.
 */
static const char *library_doc(HyLibrary *library, const HyFile *f, const HyElement *type,
                               const char *rest)
{
  g_autoptr(GPtrArray) docs = g_ptr_array_new_with_free_func(g_free);
  g_auto(GStrv) nodes = node_names(f, type, docs);
  g_autoptr(GString) text = g_string_new(hy_text_of(f, type, HY_W_DOC));
  if (rest != NULL && *rest != '\0') {
    g_string_append_printf(text, "\n%s\n", rest);
  }
  for (guint k = 0; nodes[k] != NULL; k++) {
    const char *doc = g_ptr_array_index(docs, k);
    g_string_append_printf(text, "%s\n  %-14s %s", k == 0 ? "\nNodes" : "", nodes[k],
                           doc != NULL ? doc : "");
  }
  g_autofree char *all = g_strchomp(g_strdup(text->str));
  return *all != '\0' ? keep(library, all) : NULL;
}

/* How it is placed: with what must be said. */
static const char *library_example(HyLibrary *library, const HyFile *f, const HyElement *type,
                                   const HyAtomicClass *k)
{
  g_autoptr(GPtrArray) docs = g_ptr_array_new_with_free_func(g_free);
  g_auto(GStrv) nodes = node_names(f, type, docs);
  g_autoptr(GString) text = g_string_new(NULL);
  gboolean element = strchr(k->name, '.') == NULL;
  g_string_append_printf(text, element ? "<%s name=\"...\"" : "<block name=\"...\" type=\"%s\"",
                         k->name);
  for (char **node = nodes; *node != NULL; node++) {
    g_string_append_printf(text, " %.*s=\"...\"", (int)strcspn(*node, "["), *node);
  }
  for (const HyParam *p = k->params; p->name != NULL; p++) {
    g_string_append_printf(text, p->required ? " %s=\"...\"" : "%.0s", p->name);
  }
  for (const HyPort *p = k->in; p->name != NULL; p++) {
    g_string_append_printf(text, " %s=\"...\"", p->name);
  }
  g_string_append(text, "/>");
  return keep(library, text->str);
}

/* The palette that <view> names, else that of the library. */
static const char *library_palette(HyLibrary *library, const HyFile *f, guint32 type,
                                   const char *stem)
{
  for (guint32 k = hy_element(f->tree, type)->child; k != 0; k = hy_element(f->tree, k)->next) {
    const HyElement *e = hy_element(f->tree, k);
    const char *said_so = e->name == HY_W_VIEW ? hy_text_of(f, e, HY_W_PALETTE) : NULL;
    if (said_so != NULL) {
      return keep(library, said_so);
    }
  }
  g_autofree char *own = g_strdup_printf("Library %s", stem);
  return keep(library, own);
}

static void add_type(HyLibrary *library, Loader *l, HyFile *f, guint32 type, const char *stem)
{
  const HyElement *e = hy_element(f->tree, type);
  const char *name = hy_text_of(f, e, HY_W_NAME);
  Define *d = name != NULL && !f->bad[type] ? hy_file_type(l, f, name) : NULL;
  if (d == NULL || d->element != type) {
    return;
  }
  g_autofree char *says = NULL, *example = NULL;
  read_doc(f, e, &says, &example);
  g_autofree char *full =
      strcmp(stem, "standard") == 0 ? g_strdup(name) : g_strdup_printf("%s.%s", stem, name);
  HyAtomicClass *k = g_new0(HyAtomicClass, 1);
  *k = (HyAtomicClass){.name = g_string_chunk_insert_const(library->strings, full),
                       .doc = library_doc(library, f, e, says),
                       .palette = library_palette(library, f, type, stem),
                       .in = library_ports(library, l, d, d->in),
                       .out = library_ports(library, l, d, d->out),
                       .params = library_params(library, d)};
  k->example = example != NULL ? keep(library, example) : library_example(library, f, e, k);
  g_ptr_array_add(library->types, k);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The libraries of a folder by their names, but those that a folder before has. */
static void add_folder(HyLibrary *library, Loader *l, const char *folder, GHashTable *seen)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  for (const char *n; dir != NULL && (n = g_dir_read_name(dir)) != NULL;) {
    g_autofree char *stem =
        g_str_has_suffix(n, ".xml") ? g_strndup(n, strlen(n) - strlen(".xml")) : g_strdup("");
    if (hy_name_is_legal(stem)) { /* others cannot be named */
      g_ptr_array_add(names, g_steal_pointer(&stem));
    }
  }
  g_ptr_array_sort(names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    const char *stem = g_ptr_array_index(names, i);
    g_autofree char *file = g_strconcat(stem, ".xml", NULL);
    g_autofree char *path = g_build_filename(folder, file, NULL);
    HyFile *f = g_hash_table_add(seen, g_strdup(stem)) ? hy_loader_file(l, path, NULL) : NULL;
    for (guint32 k = f != NULL ? hy_element(f->tree, 0)->child : 0; k != 0;
         k = hy_element(f->tree, k)->next) {
      if (hy_element(f->tree, k)->name == HY_W_TYPE && !hy_element(f->tree, k)->foreign) {
        add_type(library, l, f, k, stem);
      }
    }
  }
}

/* Files that are none, or have mistakes, are passed by: whoever places what is in them is told. */
HyLibrary *hy_library_new(const char *const *folders, const HyBlocks *blocks)
{
  HyLibrary *library = g_new0(HyLibrary, 1);
  library->types = g_ptr_array_new_with_free_func(g_free);
  library->tables = g_ptr_array_new_with_free_func(g_free);
  library->strings = g_string_chunk_new(1024);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  Loader l;
  hy_loader_init(&l, &(HyLoadOptions){.library = folders, .blocks = blocks}, report);
  g_auto(GStrv) all = hy_library_folders(folders);
  for (char **folder = all; *folder != NULL; folder++) {
    add_folder(library, &l, *folder, seen);
  }
  hy_loader_clear(&l);
  g_ptr_array_add(library->types, NULL);
  return library;
}

void hy_library_free(HyLibrary *library)
{
  if (library != NULL) {
    g_ptr_array_unref(library->types);
    g_ptr_array_unref(library->tables);
    g_string_chunk_free(library->strings);
    g_free(library);
  }
}

const HyAtomicClass *const *hy_library_types(const HyLibrary *library)
{
  g_return_val_if_fail(library != NULL, NULL);
  return (const HyAtomicClass *const *)library->types->pdata;
}
