/* A file in another language: its format makes a libxml2 tree of it, which is written as XML and
 * read as any model is. So what `hydevs convert` writes and what is loaded directly are the same
 * text, and limits and rules hold for both. Then each element gets the line that it has in the file
 * itself: those of the libxml2 tree and of ours are in document order. */
#include "language/foreign.h"
#include "language/loader.h"

#include <errno.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <string.h>

#define MOST_BYTES ((gsize)256 << 20) /* libxml2 counts the bytes of a document in an int */

/* Of those that are read, or WRITTEN. */
static const HyFormat *find(const HyFormat *formats, const char *file, gboolean written)
{
  const char *dot = strrchr(file, '.');
  if (formats == NULL || dot == NULL) {
    return NULL;
  }
  g_autofree char *suffix = g_ascii_strdown(dot, -1);
  for (; formats->name != NULL; formats++) {
    g_auto(GStrv) known = g_strsplit(formats->suffixes, " ", -1);
    if (g_strv_contains((const char *const *)known, suffix)) {
      return (written ? formats->write != NULL : formats->read != NULL) ? formats : NULL;
    }
  }
  return NULL;
}

const HyFormat *hy_format_find(const HyFormat *formats, const char *file)
{
  g_return_val_if_fail(file != NULL, NULL);
  return find(formats, file, FALSE);
}

const HyFormat *hy_format_target(const HyFormat *formats, const char *file)
{
  g_return_val_if_fail(file != NULL, NULL);
  return find(formats, file, TRUE);
}

/* Text as formats take it. */
static char *clean(const char *bytes, gsize size)
{
  char *text = g_utf8_validate(bytes, (gssize)size, NULL)
                   ? g_strndup(bytes, size)
                   : g_convert(bytes, (gssize)size, "UTF-8", "ISO-8859-1", NULL, NULL, NULL);
  char *to = text;
  for (const char *from = text; from != NULL && *from != '\0'; from++) {
    char c = *from;
    if (c == '\r') {
      c = '\n';
    } else if ((guchar)c < ' ' && c != '\n' && c != '\t') {
      c = ' ';
    }
    if (*from != '\r' || from[1] != '\n') {
      *to++ = c;
    }
  }
  if (to != NULL) {
    *to = '\0';
  }
  return text;
}

/* The bytes of PATH; NULL: reported. */
static char *contents(const char *path, gsize limit, gsize *size, HyReport *report)
{
  FILE *in = fopen(path, "rb");
  if (in == NULL) {
    hy_report_error(report, path, 0, "cannot be read: %s", g_strerror(errno));
    return NULL;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  g_autofree char *buffer = g_malloc(65536);
  gsize n;
  while (text->len <= limit && (n = fread(buffer, 1, 65536, in)) > 0) {
    g_string_append_len(text, buffer, (gssize)n);
  }
  gboolean failed = ferror(in) != 0;
  if (failed) {
    hy_report_error(report, path, 0, "cannot be read: %s", g_strerror(errno));
  }
  fclose(in);
  *size = text->len;
  return failed ? NULL : g_string_free(g_steal_pointer(&text), FALSE);
}

/* The tree of BYTES; NULL: reported. */
static xmlDoc *read_format(const HyFormat *format, const char *bytes, gsize size, gsize limit,
                           const char *file, GPtrArray *further, HyReport *report)
{
  if (size > limit) {
    hy_report_error(report, file, 0, "the file is larger than the limit");
    return NULL;
  }
  if (memchr(bytes, '\0', size) != NULL) {
    hy_report_error(report, file, 0, "this is no text: a byte of it is 0");
    return NULL;
  }
  g_autofree char *text = clean(bytes, size);
  hy_xml_begin();
  return format->read(file, text, further, report);
}

/* The element after NODE in the order of the document; what stands in one of another namespace is
 * not in our tree either. */
static const xmlNode *next_element(const xmlNode *node)
{
  gboolean ours = node->ns != NULL && strcmp((const char *)node->ns->href, HY_NAMESPACE) == 0;
  const xmlNode *child = ours ? node->children : NULL;
  for (; child != NULL; child = child->next) {
    if (child->type == XML_ELEMENT_NODE) {
      return child;
    }
  }
  for (; node != NULL && node->type == XML_ELEMENT_NODE; node = node->parent) {
    for (const xmlNode *next = node->next; next != NULL; next = next->next) {
      if (next->type == XML_ELEMENT_NODE) {
        return next;
      }
    }
  }
  return NULL;
}

static guint line_of(const xmlNode *node)
{
  guint line = 0;
  for (; node != NULL && node->type == XML_ELEMENT_NODE && line == 0; node = node->parent) {
    line = GPOINTER_TO_UINT(node->_private);
  }
  return line;
}

static void label_texts(const HyTree *tree, GArray *texts)
{
  for (guint k = 0; k < texts->len; k++) {
    HyText *t = &g_array_index(texts, HyText, k);
    t->line = hy_element(tree, t->element)->line;
  }
}

/* Elements, attributes and texts of TREE get the lines of DOC. */
static void label(HyTree *tree, xmlDoc *doc)
{
  const xmlNode *node = xmlDocGetRootElement(doc);
  for (guint32 k = 0; k < tree->elements->len && node != NULL; k++, node = next_element(node)) {
    HyElement *e = hy_element(tree, k);
    e->line = line_of(node);
    for (guint32 a = 0; a < e->n_attributes; a++) {
      hy_attribute(tree, e, a)->line = e->line;
    }
  }
  label_texts(tree, tree->texts);
  label_texts(tree, tree->docs);
}

/* What is wrong with the tree of a format as XML has no line in the file. */
static void tell(HyReport *report, HyReport *found, const char *file)
{
  const HyMessageAt *m;
  for (guint k = 0; (m = hy_report_get(found, k)) != NULL; k++) {
    hy_report_error(report, file, 0, "%s", m->text);
  }
}

HyTree *hy_foreign_parse(const HyFormat *formats, const char *bytes, gsize size, const char *file,
                         const char *const *names, const HyReadLimits *limits, HyReport *report)
{
  const HyFormat *format = hy_format_find(formats, file);
  if (format == NULL) {
    return hy_tree_parse(bytes, size, file, names, limits, report);
  }
  g_autoptr(GPtrArray) further = g_ptr_array_new_with_free_func(g_free);
  gsize limit = MIN(limits->max_bytes, MOST_BYTES);
  xmlDoc *doc = read_format(format, bytes, size, limit, file, further, report);
  if (doc == NULL) {
    return NULL;
  }
  xmlChar *xml = NULL;
  int length = 0;
  xmlDocDumpMemory(doc, &xml, &length);
  g_autoptr(HyReport) found = hy_report_new();
  HyTree *tree = hy_tree_parse((const char *)xml, (gsize)length, file, names, limits, found);
  if (tree != NULL) {
    g_autofree char *sum =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes, size);
    tree->sha256 = g_string_chunk_insert(tree->strings, sum);
    tree->further = g_steal_pointer(&further);
    label(tree, doc);
  }
  tell(report, found, file);
  xmlFree(xml);
  xmlFreeDoc(doc);
  return tree;
}

HyTree *hy_foreign_read(const HyFormat *formats, const char *path, const char *const *names,
                        const HyReadLimits *limits, HyReport *report)
{
  if (hy_format_find(formats, path) == NULL) {
    return hy_tree_read(path, names, limits, report);
  }
  gsize size = 0;
  g_autofree char *bytes = contents(path, MIN(limits->max_bytes, MOST_BYTES), &size, report);
  return bytes != NULL ? hy_foreign_parse(formats, bytes, size, path, names, limits, report) : NULL;
}

static void take(GPtrArray *inputs, const char *file)
{
  if (inputs != NULL) {
    g_ptr_array_add(inputs, g_strdup(file));
  }
}

char *hy_format_convert(const HyFormat *format, const char *file, GPtrArray *inputs,
                        HyReport *report)
{
  g_return_val_if_fail(format != NULL && format->read != NULL && file != NULL, NULL);
  g_return_val_if_fail(report != NULL, NULL);
  gsize size = 0;
  g_autofree char *bytes = contents(file, MOST_BYTES, &size, report);
  take(inputs, file);
  xmlDoc *doc =
      bytes != NULL ? read_format(format, bytes, size, MOST_BYTES, file, inputs, report) : NULL;
  if (doc == NULL) {
    return NULL;
  }
  xmlChar *xml = NULL;
  int length = 0;
  xmlDocDumpFormatMemory(doc, &xml, &length, 1);
  char *text = g_strndup((const char *)xml, (gsize)length);
  xmlFree(xml);
  xmlFreeDoc(doc);
  return text;
}

/* Without a way through our language; NULL: reported. */
static char *rewrite(const HyFormat *from, const char *file, const char *to, HyReport *report)
{
  gsize size = 0;
  g_autofree char *bytes = contents(file, MOST_BYTES, &size, report);
  if (bytes == NULL) {
    return NULL;
  }
  if (memchr(bytes, '\0', size) != NULL) {
    hy_report_error(report, file, 0, "this is no text: a byte of it is 0");
    return NULL;
  }
  g_autofree char *text = clean(bytes, size);
  g_autoptr(GString) out = g_string_new(NULL);
  return from->rewrite(file, text, to, out, report) ? g_string_free(g_steal_pointer(&out), FALSE)
                                                    : NULL;
}

char *hy_format_write_sized(const HyFormat *from, const char *file, const HyFormat *target,
                            const char *to, const HyLoadOptions *options, gsize size,
                            GPtrArray *inputs, HyReport *report)
{
  g_return_val_if_fail(file != NULL && target != NULL && target->write != NULL, NULL);
  g_return_val_if_fail(to != NULL && report != NULL, NULL);
  if (from != NULL && from->rewrite != NULL && from->rewrite == target->rewrite) {
    take(inputs, file);
    return rewrite(from, file, to, report);
  }
  HyLoadOptions all = {0};
  if (!hy_take_load_options(&all, options, size, file, report)) {
    return NULL;
  }
  all.elements = TRUE;
  g_autoptr(HyLoaded) loaded = hy_load_file(file, &all, report);
  for (const char *const *in = loaded != NULL ? hy_loaded_inputs(loaded) : NULL;
       in != NULL && *in != NULL; in++) {
    take(inputs, *in);
  }
  g_autoptr(GString) out = g_string_new(NULL);
  return loaded != NULL && target->write(loaded, out, report)
             ? g_string_free(g_steal_pointer(&out), FALSE)
             : NULL;
}
