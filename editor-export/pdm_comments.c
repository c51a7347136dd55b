/* Comments of a model file, which PowerDEVS has no place for: each is a line of the Extra of the
 * block beside which it stands, with \n for the end of a line and a backslash between two slashes,
 * which would begin a comment of the format.
 *
 *   Comment("of the block")  CommentInside("of the coupled model, at none of its blocks") */
#include "editor-export/pdm_drawing.h"
#include "editor-export/pdm_import.h"

#include <string.h>

static const char *const kinds[] = {"Comment", "CommentInside"};
enum { BESIDE, INSIDE };

static char *escaped(const char *text)
{
  g_autoptr(GString) out = g_string_new(NULL);
  for (; *text != '\0'; text++) {
    if (*text == '\n') {
      g_string_append(out, "\\n");
    } else if (*text == '\\' || *text == '"') {
      g_string_append_printf(out, "\\%c", *text);
    } else if (*text == '/' && text[1] == '/') {
      g_string_append(out, "/\\");
    } else {
      g_string_append_c(out, (guchar)*text < ' ' ? ' ' : *text);
    }
  }
  return g_string_free(g_steal_pointer(&out), FALSE);
}

/* Up to the quote that ends it. */
static char *plain(const char *text)
{
  g_autoptr(GString) out = g_string_new(NULL);
  for (; *text != '\0' && *text != '"'; text++) {
    gboolean escape = *text == '\\' && text[1] != '\0';
    text += escape ? 1 : 0;
    g_string_append_c(out, escape && *text == 'n' ? '\n' : *text);
  }
  return g_string_free(g_steal_pointer(&out), FALSE);
}

/* Out -------------------------------------------------------------------------------------------
 */

static void keep_comment(PdmFile *file, PdmBlock *b, guint kind, const xmlNode *comment)
{
  g_autofree char *text = escaped((const char *)comment->content);
  g_autofree char *line = g_strdup_printf("%s(\"%s\")", kinds[kind], text);
  const char *kept = pdm_keep(file, line);
  g_array_append_val(b->extra, kept);
}

static PdmBlock *block_of(const PdmBlock *scope, const xmlNode *element)
{
  g_autofree char *name = element != NULL ? pdm_attribute(element, "name") : g_strdup("");
  for (guint k = 0; k < scope->blocks->len && *name != '\0'; k++) {
    PdmBlock *b = g_ptr_array_index(scope->blocks, k);
    if (b->ours != NULL && strcmp(b->ours, name) == 0) {
      return b;
    }
  }
  return NULL;
}

/* The element that ends in the line in which COMMENT begins; NULL: none. */
static const xmlNode *element_behind(const xmlNode *comment)
{
  const xmlNode *before = comment->prev;
  if (before != NULL && before->type == XML_TEXT_NODE &&
      strchr((const char *)before->content, '\n') == NULL) {
    before = before->prev;
  }
  return before != NULL && before->type == XML_ELEMENT_NODE ? before : NULL;
}

static const xmlNode *element_after(const xmlNode *comment)
{
  const xmlNode *next = comment->next;
  while (next != NULL && next->type != XML_ELEMENT_NODE) {
    next = next->next;
  }
  return next;
}

static void take_comment(PdmFile *file, PdmBlock *scope, const xmlNode *comment)
{
  const xmlNode *behind = element_behind(comment);
  PdmBlock *b = block_of(scope, behind != NULL ? behind : element_after(comment));
  keep_comment(file, b != NULL ? b : scope, b != NULL ? BESIDE : INSIDE, comment);
}

static void take_scope(PdmFile *file, PdmBlock *scope, const xmlNode *node)
{
  for (const xmlNode *child = node->children; child != NULL; child = child->next) {
    PdmBlock *b = child->type == XML_ELEMENT_NODE ? block_of(scope, child) : NULL;
    if (child->type == XML_COMMENT_NODE) {
      take_comment(file, scope, child);
    } else if (b != NULL && b->coupled && pdm_is_element(child, "coupled")) {
      take_scope(file, b, child);
    } else if (b != NULL) {
      for (const xmlNode *inner = child->children; inner != NULL; inner = inner->next) {
        if (inner->type == XML_COMMENT_NODE) {
          keep_comment(file, b, BESIDE, inner);
        }
      }
    } else if (pdm_is_element(child, "experiment")) {
      take_scope(file, scope, child);
    }
  }
}

void pdm_take_comments(PdmFile *file, const xmlDoc *doc)
{
  for (const xmlNode *node = doc->children; node != NULL; node = node->next) {
    if (node->type == XML_COMMENT_NODE) {
      keep_comment(file, file->root, BESIDE, node);
    }
  }
  take_scope(file, file->root, xmlDocGetRootElement(doc));
}

/* In --------------------------------------------------------------------------------------------
 */

static guint kind_of(const char *line, const char **text)
{
  guint kind = 0;
  while (kind < G_N_ELEMENTS(kinds)) {
    gsize n = strlen(kinds[kind]);
    if (strncmp(line, kinds[kind], n) == 0 && strncmp(line + n, "(\"", 2) == 0) {
      *text = line + n + 2;
      break;
    }
    kind++;
  }
  return kind;
}

gboolean pdm_is_comment(const char *line)
{
  const char *text;
  return kind_of(line, &text) < G_N_ELEMENTS(kinds);
}

/* The words of an escaped comment, without what XML cannot have in one. */
static xmlNode *comment_of(xmlDoc *doc, const char *text)
{
  g_autofree char *words = plain(text);
  gsize n = strlen(words);
  for (gsize k = 0; k < n; k++) {
    if (words[k] == '-' && (k + 1 == n || words[k + 1] == '-')) {
      words[k] = ' ';
    }
  }
  return xmlNewDocComment(doc, BAD_CAST words);
}

void pdm_put_comments(const PdmBlock *block, xmlNode *parent, xmlNode *node)
{
  for (guint k = 0; k < block->extra->len; k++) {
    const char *text = NULL;
    if (kind_of(g_array_index(block->extra, const char *, k), &text) != BESIDE) {
      continue;
    }
    xmlNode *comment = comment_of(node != NULL ? node->doc : parent->doc, text);
    if (node != NULL) {
      xmlAddPrevSibling(node, comment);
    } else {
      xmlAddChild(parent, comment);
    }
  }
}

void pdm_put_inside(const PdmBlock *block, xmlNode *node)
{
  for (guint k = 0; k < block->extra->len; k++) {
    const char *text = NULL;
    if (kind_of(g_array_index(block->extra, const char *, k), &text) == INSIDE) {
      xmlAddChild(node, comment_of(node->doc, text));
    }
  }
}
