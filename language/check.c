/* What can only be seen on the whole: algebraic loops, and names that nobody uses.
 *
 * Needs the checked model, and where each of its components comes from. A loop that the order of
 * ties has found (coupled/order_loops.c) is reported with the lines of its blocks. A parameter or
 * let that nothing has asked for while loading, and whose name stands in no text that could
 * (behind an `if` that did not hold, say), is a warning; so is a type that nobody places. */
#include "coupled/order.h"
#include "language/expand.h"
#include <string.h>

/* Algebraic loops ----------------------------------------------------------------------------- */

/* Where a component comes from; NULL: it was not loaded. */
const Row *hy_row_of(const Loader *l, const HyModel *m, guint component)
{
  for (guint k = 0; k < l->scopes->len; k++) {
    const Scope *s = g_ptr_array_index(l->scopes, k);
    if (s->model == m && s->rows != NULL && component < s->rows->len) {
      return &g_array_index(l->rows, Row, g_array_index(s->rows, guint32, component));
    }
  }
  return NULL;
}

/* What the order of ties has found, with the lines of the blocks. */
void hy_check_loops(Loader *l, const GArray *loops)
{
  guint n;
  for (guint k = 0; k < loops->len; k += n) {
    const HyLoopStep *step = &g_array_index(loops, HyLoopStep, k);
    g_autoptr(GString) lines = g_string_new(NULL);
    n = hy_loop_length(loops, k);
    for (guint i = 0; i < n; i++) {
      const Row *row = hy_row_of(l, step[i].to_model, step[i].to);
      g_string_append_printf(lines, "%s%u",
                             i > 0   ? ", "
                             : n > 1 ? " (lines "
                                     : " (line ",
                             row != NULL ? row->line : 0);
    }
    g_string_append_c(lines, ')');
    g_autofree char *text = hy_loop_text(step, n, lines->str);
    const Row *first = hy_row_of(l, step->to_model, step->to);
    hy_report_error(l->report, first != NULL ? first->file : "", first != NULL ? first->line : 0,
                    "%s", text);
  }
}

/* Names that nobody uses ----------------------------------------------------------------------- */

/* As a whole word: "r" is not in "rate". */
static gboolean has_word(const char *text, const char *word)
{
  gsize n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)) != NULL; at += n) {
    gboolean begins = at == text || !(g_ascii_isalnum(at[-1]) || at[-1] == '_');
    gboolean ends = !(g_ascii_isalnum(at[n]) || at[n] == '_');
    if (begins && ends) {
      return TRUE;
    }
  }
  return FALSE;
}

/* In an attribute of the element or one below it that can hold a formula; of ELEMENT itself not its
 * name. */
static gboolean is_named_in(const HyFile *f, guint32 element, guint32 except, const char *word,
                            guint depth)
{
  const HyElement *e = hy_element(f->tree, element);
  for (guint32 k = 0; k < e->n_attributes && element != except; k++) {
    const HyAttribute *a = hy_attribute(f->tree, e, k);
    if (a->name != HY_W_NAME && a->name != HY_W_DOC && a->name != HY_W_LABEL &&
        a->name != HY_W_UNIT && has_word(a->value, word)) {
      return TRUE;
    }
  }
  for (guint32 k = e->child; k != 0 && depth > 0; k = hy_element(f->tree, k)->next) {
    const HyElement *c = hy_element(f->tree, k);
    if (c->name != HY_W_TYPE && c->name != HY_W_VIEW &&
        is_named_in(f, k, except, word, depth - 1)) {
      return TRUE;
    }
  }
  return FALSE;
}

/* `used` is set by whoever asks for the value; a text may name it all the same, behind an `if`
 * that did not hold, say. */
static void unused_values(Loader *l, const Define *d)
{
  for (guint k = 0; k < d->values->len; k++) {
    const Entry *e = g_ptr_array_index(d->values, k);
    if (!e->used && !e->bad && !is_named_in(d->file, d->element, e->element, e->name, 260)) {
      hy_report_warning(l->report, d->file->name, e->line, "%s \"%s\" is never used",
                        e->kind == E_LET ? "let" : "parameter", e->name);
    }
  }
}

void hy_check_unused(Loader *l, const HyFile *file, const Define *root)
{
  for (guint k = 0; k < l->defines->len; k++) {
    const Define *d = g_ptr_array_index(l->defines, k);
    if (d->file != file) {
      continue;
    }
    unused_values(l, d);
    if (d->is_type && !d->used && root->blocks->len > 0) {
      gboolean named = FALSE; /* behind an `if` that did not hold, say */
      for (guint32 i = 0; i < file->tree->elements->len && !named; i++) {
        const HyAttribute *a = hy_attribute_find(file->tree, hy_element(file->tree, i), HY_W_TYPE);
        named = a != NULL && strcmp(a->value, d->name) == 0;
      }
      if (!named) {
        hy_report_warning(l->report, file->name, hy_element(file->tree, d->element)->line,
                          "type \"%s\" is never used", d->name);
      }
    }
  }
}
