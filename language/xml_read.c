/* A push parser with SAX2 events: lines counted here, because libxml2 gives that of the end of a
 * start tag.
 *
 * Needs bytes; leaves an HyTree: elements in document order, each with the numbers of its first
 * child and the next beside it, attributes with their text and line, and nothing that the language
 * does not use (comments, blanks). A DOCTYPE is refused, and with it entities and their expansion.
 * Limits on bytes, depth and the length of a text are kept while reading. Mistakes of XML are said
 * in plain words with the line where they begin: which tag is never closed, which byte is not
 * UTF-8. */
#include "language/xml_read.h"
#include "base/digest.h"
#include "hydevs/text.h"

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdio.h>
#include <string.h>

#define CHUNK     65536
#define TEXT_KEPT 40 /* bytes of stray text kept for its message */

typedef struct {
  guint32 element, last_child;
} Open;

typedef struct {
  HyTree *tree;
  HyReport *report;
  const HyReadLimits *limits;
  xmlParserCtxtPtr parser;
  HyDigest sum;
  GArray *open;  /* Open */
  guint skipped; /* depth inside an element that is left out */
  GString *doc;  /* of the doc that is open */
  struct {
    const xmlChar *name;
    guint16 number;
  } cache[256]; /* libxml2 gives equal names as equal pointers */
  gboolean failed;
} Reader;

guint16 hy_tree_find_name(const HyTree *tree, const char *name)
{
  guint n = GPOINTER_TO_UINT(g_hash_table_lookup(tree->by_name, name));
  return n == 0 ? HY_NO_NAME : (guint16)(n - 1);
}

/* Elements have few attributes. */
HyAttribute *hy_attribute_find(const HyTree *tree, const HyElement *e, guint16 name)
{
  for (guint32 k = 0; k < e->n_attributes; k++) {
    HyAttribute *a = hy_attribute(tree, e, k);
    if (a->name == name) {
      return a;
    }
  }
  return NULL;
}

static void stop(Reader *r, guint line, const char *text)
{
  if (!r->failed) {
    hy_report_error(r->report, r->tree->file, line, "%s", text);
    r->failed = TRUE;
  }
  xmlStopParser(r->parser);
}

/* The number of a name: new ones get the next. Too many stop the reader, and with it goes what the
 * parser has given: nobody may look at that afterwards. */
static guint16 intern(Reader *r, const char *name)
{
  guint16 n = hy_tree_find_name(r->tree, name);
  if (n != HY_NO_NAME) {
    return n;
  }
  if (r->tree->names->len >= HY_NO_NAME - 1U) {
    stop(r, (guint)xmlSAX2GetLineNumber(r->parser),
         "more than 65000 different names of elements and attributes");
    return 0;
  }
  char *kept = g_string_chunk_insert(r->tree->strings, name);
  g_hash_table_insert(r->tree->by_name, kept, GUINT_TO_POINTER(r->tree->names->len + 1));
  g_ptr_array_add(r->tree->names, kept);
  return (guint16)(r->tree->names->len - 1);
}

/* libxml2 keeps one copy of each name, so its address is looked up before its text. */
static guint16 intern_cached(Reader *r, const xmlChar *name)
{
  gsize slot = ((gsize)name >> 2) % G_N_ELEMENTS(r->cache);
  if (r->cache[slot].name != name) {
    r->cache[slot].number = intern(r, (const char *)name);
    r->cache[slot].name = name;
  }
  return r->cache[slot].number;
}

/* How many there are from FROM up to TO. */
static guint newlines(const xmlChar *from, const xmlChar *to)
{
  guint n = 0;
  while ((from = memchr(from, '\n', (size_t)(to - from))) != NULL) {
    n++;
    from++;
  }
  return n;
}

/* The line in which AT stands; FALLBACK where AT is a copy outside the buffer. */
static guint line_of(const Reader *r, const xmlChar *at, guint fallback)
{
  const xmlParserInput *in = r->parser->input;
  if (at < in->base || at > in->cur) {
    return fallback;
  }
  guint end = (guint)in->line, behind = newlines(at, in->cur);
  return end > behind ? end - behind : 1;
}

/* No "<" can stand inside a start tag, so the last one before the end is its beginning. */
static guint line_of_tag(const Reader *r)
{
  const xmlParserInput *in = r->parser->input;
  const xmlChar *at = in->cur;
  while (at > in->base && *at != '<') {
    at--;
  }
  return line_of(r, at, (guint)in->line);
}

/* XML makes a blank of the end of a line inside a value; so do we of one that is written as a
 * number. What a terminal would obey never comes further than here. */
static const char *kept_value(Reader *r, const char *value, gsize size)
{
  if (hy_is_plain_text(value, size, FALSE)) {
    return g_string_chunk_insert_len(r->tree->strings, value, (gssize)size);
  }
  g_autofree char *raw = g_strndup(value, size), *plain = hy_plain_text(raw, FALSE);
  return g_string_chunk_insert(r->tree->strings, plain);
}

/* Values are copied out of the parser's buffer, with the line of each. */
static void add_attributes(Reader *r, HyElement *e, int n, const xmlChar **attributes)
{
  guint line = e->line;
  for (int k = 0; k < n; k++, attributes += 5) {
    if (attributes[1] != NULL) { /* of another namespace: kept by editors, nothing to us */
      continue;
    }
    gsize size = (gsize)(attributes[4] - attributes[3]);
    line = line_of(r, attributes[3], line);
    if (size > r->limits->max_value) {
      g_autofree char *text =
          g_strdup_printf("%s=\"...\" has %" G_GSIZE_FORMAT " bytes; the limit is %" G_GSIZE_FORMAT,
                          (const char *)attributes[0], size, r->limits->max_value);
      stop(r, line, text);
      return;
    }
    HyAttribute a = {.line = line, .name = intern_cached(r, attributes[0])};
    if (r->failed) {
      return;
    }
    a.value = kept_value(r, (const char *)attributes[3], size);
    g_array_append_val(r->tree->attributes, a);
    e->n_attributes++;
  }
}

/* As the last child of the element that is open; it is open then itself. */
static void link_element(Reader *r, guint32 number)
{
  if (r->open->len > 0) {
    Open *parent = &g_array_index(r->open, Open, r->open->len - 1);
    if (parent->last_child == 0) {
      hy_element(r->tree, parent->element)->child = number;
    } else {
      hy_element(r->tree, parent->last_child)->next = number;
    }
    parent->last_child = number;
  }
  Open open = {.element = number};
  g_array_append_val(r->open, open);
}

/* The root must be <hydevs> of our namespace: most files that are none of ours are refused here,
 * in words. */
static gboolean check_root(Reader *r, const char *name, const char *uri, guint line)
{
  if (strcmp(name, "hydevs") != 0) {
    g_autofree char *text =
        g_strdup_printf("<%s> is not a hydevs model; the root element is <hydevs>", name);
    stop(r, line, text);
    return FALSE;
  }
  if (uri == NULL) {
    stop(r, line, "add xmlns=\"" HY_NAMESPACE "\" to <hydevs>");
    return FALSE;
  }
  if (strcmp(uri, HY_NAMESPACE) != 0) {
    const char *version = g_str_has_prefix(uri, "urn:hydevs:") ? uri + strlen("urn:hydevs:") : NULL;
    g_autofree char *text =
        version != NULL && *version != '\0'
            ? g_strdup_printf("this file is hydevs language %.20s; this program reads 1", version)
            : g_strdup_printf(
                  "<hydevs> has the namespace \"%.60s\"; write xmlns=\"" HY_NAMESPACE "\"", uri);
    stop(r, line, text);
    return FALSE;
  }
  return TRUE;
}

/* Elements of other namespaces stay in the tree, marked, but not what is in them: an editor may
 * keep what it likes there. */
static void start_element(void *user, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int n_namespaces, const xmlChar **namespaces,
                          int n_attributes, int n_defaulted, const xmlChar **attributes)
{
  (void)prefix, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
  Reader *r = user;
  if (r->failed) {
    return;
  }
  guint line = line_of_tag(r);
  if (r->open->len + r->skipped >= r->limits->max_nested) {
    g_autofree char *text =
        g_strdup_printf("elements are nested more than %u deep", r->limits->max_nested);
    stop(r, line, text);
    return;
  }
  if (r->skipped > 0 ||
      (r->open->len == 0 && !check_root(r, (const char *)name, (const char *)uri, line))) {
    r->skipped++;
    return;
  }
  gboolean foreign = uri == NULL || strcmp((const char *)uri, HY_NAMESPACE) != 0;
  guint32 number = r->tree->elements->len;
  HyElement e = {.line = line, .attribute = r->tree->attributes->len, .foreign = foreign};
  e.name = intern_cached(r, name);
  if (!r->failed) {
    add_attributes(r, &e, foreign ? 0 : n_attributes, attributes);
  }
  g_array_append_val(r->tree->elements, e);
  link_element(r, number);
  if (foreign) {
    g_array_set_size(r->open, r->open->len - 1);
    r->skipped++;
  }
}

const char *hy_tree_doc(const HyTree *tree, guint32 number)
{
  guint k = 0;
  while (k < tree->docs->len && g_array_index(tree->docs, HyText, k).element != number) {
    k++;
  }
  return k < tree->docs->len ? g_array_index(tree->docs, HyText, k).text : NULL;
}

static gboolean is_doc(const Reader *r, guint32 element)
{
  const char *name = hy_tree_name(r->tree, hy_element(r->tree, element)->name);
  return strcmp(name, "doc") == 0 || strcmp(name, "note") == 0;
}

/* What was between the tags of element NUMBER, which ends now. */
static void end_doc(Reader *r, guint32 number)
{
  if (r->doc->len > 0 && is_doc(r, number)) {
    g_autofree char *valid = hy_plain_text(r->doc->str, TRUE);
    HyText t = {.text = g_string_chunk_insert(r->tree->strings, valid),
                .element = number,
                .line = hy_element(r->tree, number)->line};
    g_array_append_val(r->tree->docs, t);
    g_string_truncate(r->doc, 0);
  }
}

/* Those that were skipped were never opened. */
static void end_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  (void)name, (void)prefix, (void)uri;
  Reader *r = user;
  if (r->skipped > 0) {
    r->skipped--;
  } else if (r->open->len > 0) {
    end_doc(r, g_array_index(r->open, Open, r->open->len - 1).element);
    g_array_set_size(r->open, r->open->len - 1);
  }
}

/* Text that is not blank is kept for the message that it does not belong here; that of a doc as it
 * is. */
static void characters(void *user, const xmlChar *text, int size)
{
  Reader *r = user;
  if (r->failed || r->skipped > 0 || r->open->len == 0) {
    return;
  }
  guint32 element = g_array_index(r->open, Open, r->open->len - 1).element;
  if (is_doc(r, element)) {
    g_string_append_len(r->doc, (const char *)text, size);
  }
  int from = 0;
  while (from < size && g_ascii_isspace(text[from])) {
    from++;
  }
  if (from == size) {
    return;
  }
  guint n = r->tree->texts->len;
  if (n > 0 && g_array_index(r->tree->texts, HyText, n - 1).element == element) {
    return; /* the first piece is enough */
  }
  g_autofree char *head = g_strndup((const char *)text + from, (gsize)MIN(size - from, TEXT_KEPT));
  g_autofree char *valid = g_utf8_make_valid(g_strchomp(head), -1);
  guint behind = newlines(text + from, text + size), line = (guint)r->parser->input->line;
  HyText t = {.text = g_string_chunk_insert(r->tree->strings, valid),
              .element = element,
              .line = line > behind ? line - behind : 1};
  g_array_append_val(r->tree->texts, t);
}

static void internal_subset(void *user, const xmlChar *name, const xmlChar *external,
                            const xmlChar *system)
{
  (void)name, (void)external, (void)system;
  Reader *r = user;
  stop(r, (guint)r->parser->input->line,
       "<!DOCTYPE ...> is not allowed: a model declares no entities");
}

/* What the parser found, in words -------------------------------------------------------------- */

static char *never_closed(const Reader *r, guint *line)
{
  if (r->open->len == 0) {
    return g_strdup("the file ends inside <hydevs>");
  }
  guint32 number = g_array_index(r->open, Open, r->open->len - 1).element;
  *line = hy_element(r->tree, number)->line;
  return g_strdup_printf("<%s> opened in line %u is never closed",
                         hy_tree_name(r->tree, hy_element(r->tree, number)->name), *line);
}

static char *not_utf8(const Reader *r)
{
  const xmlParserInput *in = r->parser->input;
  const xmlChar *at = in->cur;
  while (at < in->end && *at < 0x80) {
    at++;
  }
  return g_strdup_printf("not UTF-8 (byte 0x%02X); save it as UTF-8 or begin the file with "
                         "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>",
                         at < in->end ? *at : 0U);
}

/* What the parser says by a code alone, in our words; %s: the name that it is about. */
static const struct {
  int code;
  const char *text;
} complaints[] = {
    {XML_ERR_LT_IN_ATTRIBUTE,
     "a \"<\" inside quotes must be written &lt;, or turn the comparison round: 2 > 1"},
    {XML_ERR_NAME_REQUIRED, "a \"&\" must be written &amp; (for a logical and write: and)"},
    {XML_ERR_ENTITYREF_SEMICOL_MISSING,
     "a \"&\" must be written &amp; (for a logical and write: and)"},
    {XML_ERR_ENTITYREF_NO_NAME, "a \"&\" must be written &amp; (for a logical and write: and)"},
    {XML_ERR_UNDECLARED_ENTITY, "there is no entity \"&%s;\"; a \"&\" must be written &amp;"},
    {XML_ERR_ATTRIBUTE_REDEFINED, "the attribute \"%s\" stands twice in one element"},
    {XML_ERR_ATTRIBUTE_NOT_STARTED, "a value must stand in quotes: name=\"value\""},
    {XML_ERR_ATTRIBUTE_WITHOUT_VALUE, "the attribute \"%s\" has no value; write %s=\"...\""},
    {XML_ERR_ATTRIBUTE_NOT_FINISHED, "a quote is missing at the end of a value"},
    {XML_ERR_SPACE_REQUIRED,
     "a blank is missing between two attributes, or a quote inside a value"},
    {XML_ERR_GT_REQUIRED, "a tag has no \">\" at its end"},
    {XML_ERR_DOCUMENT_EMPTY, "this is not XML: the file does not begin with \"<\""},
};

static char *in_words(const Reader *r, const xmlError *e, guint *line)
{
  const char *message = e->message != NULL ? e->message : "?";
  gboolean open = r->open->len > 0, begun = r->tree->elements->len > 0;
  if (strstr(message, "not proper UTF-8") != NULL || e->code == XML_ERR_INVALID_ENCODING) {
    return not_utf8(r); /* the first comes with several codes */
  }
  if (e->code == XML_ERR_TAG_NAME_MISMATCH || e->code == XML_ERR_TAG_NOT_FINISHED ||
      (e->code == XML_ERR_DOCUMENT_END && open)) {
    return never_closed(r, line);
  }
  if (e->code == XML_ERR_DOCUMENT_END) {
    *line = begun ? *line : 0;
    return g_strdup(begun ? "there is something after </hydevs>" : "the file is empty");
  }
  for (guint k = 0; k < G_N_ELEMENTS(complaints); k++) {
    if (complaints[k].code == e->code) {
      g_auto(GStrv) part = g_strsplit(complaints[k].text, "%s", -1);
      return g_strjoinv(e->str1 != NULL ? e->str1 : "", part);
    }
  }
  return g_strdup_printf("not well-formed XML: %.*s", (int)strcspn(message, "\n"), message);
}

static void parser_error(void *user, xmlErrorPtr e)
{
  Reader *r = user;
  if (r->failed || e->level < XML_ERR_ERROR || e->domain == XML_FROM_NAMESPACE) {
    return;
  }
  guint line = e->line > 0 ? (guint)e->line : 1;
  g_autofree char *text = in_words(r, e, &line);
  stop(r, line, g_strchomp(text));
}

/* Reading ------------------------------------------------------------------------------------- */

static HyTree *tree_new(const char *file, const char *const *names)
{
  HyTree *t = g_new0(HyTree, 1);
  t->strings = g_string_chunk_new(65536);
  t->file = g_string_chunk_insert(t->strings, file);
  t->elements = g_array_new(FALSE, TRUE, sizeof(HyElement));
  t->attributes = g_array_new(FALSE, TRUE, sizeof(HyAttribute));
  t->texts = g_array_new(FALSE, TRUE, sizeof(HyText));
  t->docs = g_array_new(FALSE, TRUE, sizeof(HyText));
  t->names = g_ptr_array_new();
  t->by_name = g_hash_table_new(g_str_hash, g_str_equal);
  for (; names != NULL && *names != NULL; names++) {
    char *kept = g_string_chunk_insert(t->strings, *names);
    g_ptr_array_add(t->names, kept);
    g_hash_table_insert(t->by_name, kept, GUINT_TO_POINTER(t->names->len));
  }
  return t;
}

void hy_tree_free(HyTree *tree)
{
  if (tree == NULL) {
    return;
  }
  g_array_unref(tree->elements);
  g_array_unref(tree->attributes);
  g_array_unref(tree->texts);
  g_array_unref(tree->docs);
  g_clear_pointer(&tree->further, g_ptr_array_unref);
  g_ptr_array_unref(tree->names);
  g_hash_table_unref(tree->by_name);
  g_string_chunk_free(tree->strings);
  g_free(tree);
}

void hy_xml_begin(void)
{
  static gsize begun;
  if (g_once_init_enter(&begun)) {
    xmlInitParser();
    g_once_init_leave(&begun, 1);
  }
}

static void reader_init(Reader *r, const char *file, const char *const *names,
                        const HyReadLimits *limits, HyReport *report)
{
  hy_xml_begin();
  *r = (Reader){.tree = tree_new(file, names), .report = report, .limits = limits};
  r->open = g_array_new(FALSE, TRUE, sizeof(Open));
  r->doc = g_string_new(NULL);
  hy_digest_init(&r->sum);
  xmlSAXHandler sax;
  memset(&sax, 0, sizeof sax);
  sax.initialized = XML_SAX2_MAGIC;
  sax.startElementNs = start_element;
  sax.endElementNs = end_element;
  sax.characters = characters;
  sax.cdataBlock = characters;
  sax.internalSubset = internal_subset;
  sax.serror = parser_error;
  r->parser = xmlCreatePushParserCtxt(&sax, r, NULL, 0, NULL);
  /* Without a user context of its own libxml2 would hand its parser to the handlers. */
  xmlCtxtUseOptions(r->parser, XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NOENT);
}

static void reader_take(Reader *r, const char *bytes, gsize size)
{
  hy_digest_take(&r->sum, bytes, size);
  xmlParseChunk(r->parser, bytes, (int)size, 0);
}

static HyTree *reader_finish(Reader *r)
{
  if (!r->failed) {
    xmlParseChunk(r->parser, NULL, 0, 1);
  }
  if (!r->failed && r->tree->elements->len == 0) {
    stop(r, 0, "the file is empty");
  }
  xmlFreeDoc(r->parser->myDoc);
  xmlFreeParserCtxt(r->parser);
  g_array_unref(r->open);
  g_string_free(r->doc, TRUE);
  g_autofree char *sha256 = hy_digest_end(&r->sum);
  r->tree->sha256 = g_string_chunk_insert(r->tree->strings, sha256);
  if (r->failed) {
    g_clear_pointer(&r->tree, hy_tree_free);
  }
  return r->tree;
}

HyTree *hy_tree_parse(const char *bytes, gsize size, const char *file, const char *const *names,
                      const HyReadLimits *limits, HyReport *report)
{
  Reader r;
  reader_init(&r, file, names, limits, report);
  if (size > limits->max_bytes) {
    stop(&r, 0, "the file is larger than the limit");
  }
  for (gsize at = 0; at < size && !r.failed; at += CHUNK) {
    reader_take(&r, bytes + at, MIN((gsize)CHUNK, size - at));
  }
  return reader_finish(&r);
}

HyTree *hy_tree_read(const char *path, const char *const *names, const HyReadLimits *limits,
                     HyReport *report)
{
  FILE *in = fopen(path, "rb");
  if (in == NULL) {
    hy_report_error(report, path, 0, "cannot be read: %s", g_strerror(errno));
    return NULL;
  }
  Reader r;
  reader_init(&r, path, names, limits, report);
  g_autofree char *buffer = g_malloc(CHUNK);
  gsize total = 0, n;
  while (!r.failed && (n = fread(buffer, 1, CHUNK, in)) > 0) {
    total += n;
    if (total > limits->max_bytes) {
      stop(&r, 0, "the file is larger than the limit");
      break;
    }
    reader_take(&r, buffer, n);
  }
  if (ferror(in) && !r.failed) {
    g_autofree char *text = g_strdup_printf("cannot be read: %s", g_strerror(errno));
    stop(&r, 0, text);
  }
  fclose(in);
  return reader_finish(&r);
}
