/* What can only be seen on the whole: algebraic loops, a --method that no state follows,
 * and names that nobody uses.
 *
 * Needs the checked model, and where each of its components comes from. A loop that the order of
 * ties has found (coupled/order_loops.c) is reported with the lines of its blocks. A parameter or
 * let that nothing has asked for while loading, and whose name stands in no text that could
 * (behind an `if` that did not hold, say), is a warning; so is a type that nobody places. */
#include "coupled/model_internal.h"
#include "coupled/order.h"
#include "language/checks.h"
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

static const Row *row_of(gconstpointer of, const HyModel *m, guint component)
{
  return hy_row_of(of, m, component);
}

/* The file that was asked for. */
static const char *file_of(const Loader *l)
{
  return ((const HyFile *)g_ptr_array_index(l->files.all, 0))->name;
}

void hy_say_of(const Loader *l, HySay say, const HyModel *m, guint component, const char *text)
{
  hy_say_placed(say, l->report, row_of, l, file_of(l), m, component, text);
}

/* " (lines 3, 4)"; of several blocks inside one type that of its element, once. Newly allocated. */
static char *loop_lines(const Loader *l, const HyLoopStep *step, guint n)
{
  g_autoptr(GString) lines = g_string_new(NULL);
  guint shown = 0, before = 0;
  for (guint i = 0; i < n; i++) {
    const Row *own = hy_row_of(l, step[i].to_model, step[i].to);
    const Row *row = hy_placed_row(row_of, l, file_of(l), step[i].to_model, step[i].to);
    guint line = row != NULL ? row->line : 0;
    if (i == 0 || row == own || line != before) {
      g_string_append_printf(lines, "%s%u", shown++ > 0 ? ", " : "", line);
    }
    before = line;
  }
  return g_strdup_printf(" (line%s %s)", shown > 1 ? "s" : "", lines->str);
}

/* What the order of ties has found, with the lines of the blocks. */
void hy_check_loops(Loader *l, const GArray *loops)
{
  guint n;
  for (guint k = 0; k < loops->len; k += n) {
    const HyLoopStep *step = &g_array_index(loops, HyLoopStep, k);
    n = hy_loop_length(loops, k);
    g_autofree char *lines = loop_lines(l, step, n);
    g_autofree char *text = hy_loop_text(step, n, lines);
    hy_say_of(l, hy_report_error, step->to_model, step->to, text);
  }
}

/* --method that no state follows --------------------------------------------------------------- */

typedef struct {
  guint states, follow;
  const HyModel *model; /* of the first state that does not */
  guint component;
  const Row *row;
} Followers;

/* The blocks with a method of a scope: those whose method is that of the root follow. */
static void count_followers(const Loader *l, const Scope *s, guint group, Followers *f)
{
  for (guint k = 0; s->model != NULL && s->rows != NULL && k < s->rows->len; k++) {
    const HyAtomicClass *klass = hy_model_class(s->model, k);
    if (klass == NULL || hy_class_method(klass) == NULL) {
      continue;
    }
    const Row *row = &g_array_index(l->rows, Row, g_array_index(s->rows, guint32, k));
    gboolean follows = g_array_index(l->numerics, Numerics, row->numerics).group == group;
    f->states++;
    f->follow += follows;
    if (!follows && f->row == NULL) {
      *f = (Followers){f->states, f->follow, s->model, k, row};
    }
  }
}

void hy_check_method(const Loader *l)
{
  const char *method = l->options.method;
  const Scope *root = g_ptr_array_index(l->scopes, 0);
  Followers f = {0};
  for (guint k = 0; method != NULL && k < l->scopes->len; k++) {
    count_followers(l, g_ptr_array_index(l->scopes, k),
                    g_array_index(l->numerics, Numerics, root->numerics).group, &f);
  }
  if (method == NULL || f.follow > 0) {
    return;
  }
  if (f.states == 0) {
    hy_report_warning(l->report, "--method", 0, "%s: the model has no continuous state", method);
    return;
  }
  g_autofree char *path = hy_model_path(f.model, f.component);
  g_autofree char *text = g_strdup_printf(
      "%s: its method %s is stated nearer than in the experiment, and so is that of all %u states: "
      "none follows --method %s; --set PATH.method=%s reaches the block at PATH",
      path, g_array_index(l->numerics, Numerics, f.row->numerics).method, f.states, method, method);
  hy_say_of(l, hy_report_warning, f.model, f.component, text);
}

/* Names that nobody uses ----------------------------------------------------------------------- */

#define SEVERAL G_MAXUINT /* in place of an element */

/* Names that are looked for. */
typedef struct {
  GHashTable *where; /* name -> the element where it stands, + 1; 0: none yet */
  gboolean first[256];
  GString *word; /* at hand */
} Wanted;

/* WORD, N letters, stands in an attribute of ELEMENT. */
static void take_word(Wanted *w, const char *word, gsize n, guint32 element)
{
  gpointer name, where;
  if (!w->first[(guchar)*word]) {
    return;
  }
  g_string_truncate(w->word, 0);
  g_string_append_len(w->word, word, (gssize)n);
  if (g_hash_table_lookup_extended(w->where, w->word->str, &name, &where)) {
    guint was = GPOINTER_TO_UINT(where);
    guint now = was == 0 || was == element + 1 ? element + 1 : SEVERAL;
    g_hash_table_insert(w->where, name, GUINT_TO_POINTER(now));
  }
}

/* The words in TEXT, whole ones: "r" is not in "rate". */
static void take_words(Wanted *w, const char *text, guint32 element)
{
  while (*text != '\0') {
    gsize n = 0;
    while (g_ascii_isalnum(text[n]) || text[n] == '_') {
      n++;
    }
    if (n > 0) {
      take_word(w, text, n, element);
    }
    text += MAX(n, 1);
  }
}

/* In the attributes of an element, and of those below it, that can hold a formula. */
static void find_words(const HyFile *f, guint32 element, Wanted *w, guint depth)
{
  const HyElement *e = hy_element(f->tree, element);
  for (guint32 k = 0; k < e->n_attributes; k++) {
    const HyAttribute *a = hy_attribute(f->tree, e, k);
    if (a->name != HY_W_NAME && a->name != HY_W_DOC && a->name != HY_W_LABEL &&
        a->name != HY_W_UNIT) {
      take_words(w, a->value, element);
    }
  }
  for (guint32 k = e->child; k != 0 && depth > 0; k = hy_element(f->tree, k)->next) {
    const HyElement *c = hy_element(f->tree, k);
    if (c->name != HY_W_TYPE && c->name != HY_W_VIEW) {
      find_words(f, k, w, depth - 1);
    }
  }
}

static gboolean is_unused(const Entry *e)
{
  return !e->used && !e->bad;
}

/* Where the values that nobody has asked for are named all the same, behind an `if` that did not
 * hold, say. */
static GHashTable *find_unused(const Define *d)
{
  Wanted w = {.where = g_hash_table_new(g_str_hash, g_str_equal), .word = g_string_new(NULL)};
  for (guint k = 0; k < d->values->len; k++) {
    const Entry *e = g_ptr_array_index(d->values, k);
    if (is_unused(e)) {
      g_hash_table_insert(w.where, hy_key(e->name), NULL);
      w.first[(guchar)*e->name] = TRUE;
    }
  }
  if (g_hash_table_size(w.where) > 0) {
    find_words(d->file, d->element, &w, 260);
  }
  g_string_free(w.word, TRUE);
  return w.where;
}

/* Named by nobody but, maybe, their own element. */
static void unused_values(Loader *l, const Define *d)
{
  g_autoptr(GHashTable) named = find_unused(d);
  for (guint k = 0; k < d->values->len; k++) {
    const Entry *e = g_ptr_array_index(d->values, k);
    guint where = GPOINTER_TO_UINT(g_hash_table_lookup(named, e->name));
    if (is_unused(e) && (where == 0 || where == e->element + 1)) {
      hy_report_warning(l->report, d->file->name, e->line, "%s \"%s\" is never used",
                        e->kind == E_LET ? "let" : "parameter", e->name);
    }
  }
}

/* What the elements of a file state as their type: a set. */
static GHashTable *find_types(const HyFile *f)
{
  GHashTable *types = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint32 i = 0; i < f->tree->elements->len; i++) {
    const HyAttribute *a = hy_attribute_find(f->tree, hy_element(f->tree, i), HY_W_TYPE);
    if (a != NULL) {
      g_hash_table_add(types, hy_key(a->value));
    }
  }
  return types;
}

/* Types may be named behind an `if` that did not hold, too. */
void hy_check_unused(Loader *l, const HyFile *file, const Define *root)
{
  g_autoptr(GHashTable) types = NULL;
  for (guint k = 0; k < l->defines->len; k++) {
    const Define *d = g_ptr_array_index(l->defines, k);
    if (d->file != file) {
      continue;
    }
    unused_values(l, d);
    if (!d->is_type || d->used || root->blocks->len == 0) {
      continue;
    }
    types = types != NULL ? types : find_types(file);
    if (!g_hash_table_contains(types, d->name)) {
      hy_report_warning(l->report, file->name, hy_element(file->tree, d->element)->line,
                        "type \"%s\" is never used", d->name);
    }
  }
}
