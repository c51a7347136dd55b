/* Paths and patterns of paths: stage[*]/uC.out, v:in, u[2..5].
 *
 *   path = [ part { "/" part } ] [ "." name [ indices ] ]
 *   part = "**" | name [ indices ] [ ":" name [ indices ] ]
 *
 * with "*" in names for any run of characters, and the indices of formulas (formula_parse.c). "**"
 * stands for any number of blocks, also none. Matching goes from left to right and remembers only
 * the last star: when what follows it fails, that star takes one more, and none before it has to be
 * tried again. So the time is at most the product of both lengths. */
#include "formula_internal.h"

#include <string.h>

/* ---- Reading ---- */

typedef struct {
  HyParser p;
  guint32 at; /* the byte looked at; the parser's token only counts inside brackets */
  gboolean pattern;
} Reader;

static gpointer path_fail(Reader *r, const char *what)
{
  r->p.token.start = r->at;
  return hy_parser_fail(&r->p, "%s", what);
}

static gboolean is_end(char c)
{
  return c == '\0' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* A name, perhaps with "*". */
static const char *read_name(Reader *r, const char *expected)
{
  const char *start = r->p.text + r->at, *s = start;
  while (hy_is_name(*s) || *s == '*') {
    r->pattern |= *s == '*';
    s++;
  }
  gsize length = (gsize)(s - start);
  if (length == 0 || (start[0] >= '0' && start[0] <= '9')) {
    return path_fail(r, expected);
  }
  gboolean any_depth = length == 2 && memcmp(start, "**", 2) == 0;
  if (!any_depth && g_strstr_len(start, (gssize)length, "**") != NULL) {
    return path_fail(r, "\"**\" stands alone between two \"/\"");
  }
  r->at += (guint32)length;
  return hy_pool_name(r->p.pool, start, length);
}

static gboolean read_indices(Reader *r, HyIndex *index, guint *n)
{
  *n = 0;
  if (r->p.text[r->at] != '[') {
    return TRUE;
  }
  guint32 open = r->at;
  hy_token_at(&r->p, open);
  hy_token_next(&r->p); /* so that messages know what stands before */
  if (r->p.failed || !hy_parse_indices(&r->p, open, index, n)) {
    return FALSE;
  }
  for (guint i = 0; i < *n; i++) {
    r->pattern |= index[i].lo == NULL || index[i].hi != NULL;
  }
  r->at = r->p.token.end;
  return TRUE;
}

static gboolean read_part(Reader *r, HyPathPart *part)
{
  HyIndex index[HY_INDICES];
  *part = (HyPathPart){.name = read_name(r, "a block's name is expected: stage[2]/uC.out")};
  if (part->name == NULL || !read_indices(r, index, &part->n_index)) {
    return FALSE;
  }
  if (r->p.text[r->at] == ':') {
    r->at++;
    part->hidden = read_name(r, "the name of an input is expected after \":\": v:in");
    if (part->hidden == NULL || !read_indices(r, index + part->n_index, &part->n_hidden_index)) {
      return FALSE;
    }
  }
  guint n = part->n_index + part->n_hidden_index;
  if (strcmp(part->name, "**") == 0 && (n > 0 || part->hidden != NULL)) {
    return path_fail(r, "\"**\" stands alone between two \"/\"") != NULL;
  }
  part->index = hy_arena_copy(r->p.pool, index, n * sizeof *index);
  return TRUE;
}

static gboolean read_parts(Reader *r, HyPath *path)
{
  GArray *parts = g_array_new(FALSE, FALSE, sizeof(HyPathPart));
  HyPathPart part;
  gboolean good = FALSE;
  for (;;) {
    good = read_part(r, &part);
    g_array_append_val(parts, part);
    if (!good || r->p.text[r->at] != '/') {
      break;
    }
    r->at++;
  }
  path->n = parts->len;
  path->part = hy_arena_copy(r->p.pool, parts->data, parts->len * sizeof part);
  g_array_free(parts, TRUE);
  return good;
}

static const HyPath *read_path(Reader *r)
{
  HyPath *path = hy_arena_alloc(r->p.pool, sizeof *path);
  *path = (HyPath){.offset = r->at};
  r->pattern = FALSE;
  if (r->p.text[r->at] != '.' && !read_parts(r, path)) {
    return NULL;
  }
  if (r->p.text[r->at] == '.') {
    HyIndex index[HY_FORMULA_INDICES];
    r->at++;
    path->port = read_name(r, "the name of a port or parameter is expected after \".\"");
    if (path->port == NULL || !read_indices(r, index, &path->n_port_index)) {
      return NULL;
    }
    path->port_index = hy_arena_copy(r->p.pool, index, path->n_port_index * sizeof *index);
  }
  if (r->p.text[r->at] == ',') {
    return path_fail(r, "several paths have blanks between them, no commas");
  }
  if (!is_end(r->p.text[r->at])) {
    return path_fail(r,
                     "a path is written stage[2]/uC.out: blocks with \"/\", then \".\" and a port");
  }
  path->pattern = r->pattern;
  return path;
}

static void skip_blanks(Reader *r)
{
  r->at += (guint32)strspn(r->p.text + r->at, " \t\r\n");
}

/* The tokens of a path are its own, so the text does not go through the lexer at once. */
static gboolean reader_init(Reader *r, HyFormulaPool *pool, const char *text, GError **error)
{
  gsize length = strnlen(text, HY_FORMULA_BYTES + 1);
  *r = (Reader){.p = {.pool = pool, .text = text, .length = (guint32)length, .error = error}};
  if (length > HY_FORMULA_BYTES) {
    r->p.length = HY_FORMULA_BYTES;
    return hy_parser_fail(&r->p, "the text is longer than %d bytes, which is the limit",
                          HY_FORMULA_BYTES) != NULL;
  }
  skip_blanks(r);
  if (text[r->at] == '\0') {
    return hy_parser_fail_bare(&r->p, "the path is empty; write for instance stage[2]/uC.out") !=
           NULL;
  }
  return TRUE;
}

const HyPath *hy_path_parse(HyFormulaPool *pool, const char *text, GError **error)
{
  const HyPath *path = hy_pool_find(pool, HY_TEXT_PATH, text);
  Reader r;
  if (path != NULL || !reader_init(&r, pool, text, error)) {
    return path;
  }
  path = read_path(&r);
  skip_blanks(&r);
  if (path != NULL && text[r.at] != '\0') {
    return path_fail(&r, "one path is expected, without blanks in it");
  }
  if (path != NULL) {
    hy_pool_keep(pool, HY_TEXT_PATH, text, path);
  }
  return path;
}

const HyPaths *hy_paths_parse(HyFormulaPool *pool, const char *text, GError **error)
{
  const HyPaths *known = hy_pool_find(pool, HY_TEXT_PATHS, text);
  Reader r;
  if (known != NULL || !reader_init(&r, pool, text, error)) {
    return known;
  }
  GPtrArray *found = g_ptr_array_new();
  const HyPath *path = NULL;
  do {
    path = read_path(&r);
    g_ptr_array_add(found, hy_key(path));
    skip_blanks(&r);
  } while (path != NULL && text[r.at] != '\0');
  HyPaths *paths = NULL;
  if (path != NULL) {
    paths = hy_arena_alloc(pool, sizeof *paths);
    paths->n = found->len;
    paths->path = hy_arena_copy(pool, found->pdata, found->len * sizeof(gpointer));
    hy_pool_keep(pool, HY_TEXT_PATHS, text, paths);
  }
  g_ptr_array_free(found, TRUE);
  return paths;
}

/* ---- Folding ---- */

static gboolean fold_index(HyFormulaPool *pool, const HyFormulaScope *scope,
                           const HyFormula **index, GError **error)
{
  gint64 whole = 0;
  if (*index == NULL) {
    return TRUE;
  }
  if (!hy_fold_index(pool, *index, scope, &whole, error)) {
    return FALSE;
  }
  *index = hy_node_number(pool, (double)whole, (*index)->offset);
  return TRUE;
}

static gboolean fold_indices(HyFormulaPool *pool, const HyFormulaScope *scope,
                             const HyIndex **index, guint n, GError **error)
{
  HyIndex *known = hy_arena_copy(pool, *index, n * sizeof *known);
  for (guint i = 0; i < n; i++) {
    if (!fold_index(pool, scope, &known[i].lo, error) ||
        !fold_index(pool, scope, &known[i].hi, error)) {
      return FALSE;
    }
  }
  *index = known;
  return TRUE;
}

const HyPath *hy_path_fold(HyFormulaPool *pool, const HyPath *path, const HyFormulaScope *scope,
                           GError **error)
{
  HyPath *known = hy_arena_copy(pool, path, sizeof *path);
  HyPathPart *part = hy_arena_copy(pool, path->part, path->n * sizeof *part);
  for (guint i = 0; i < path->n; i++) {
    if (!fold_indices(pool, scope, &part[i].index, part[i].n_index + part[i].n_hidden_index,
                      error)) {
      return NULL;
    }
  }
  known->part = part;
  return fold_indices(pool, scope, &known->port_index, known->n_port_index, error) ? known : NULL;
}

void hy_path_print(const HyPath *path, GString *out)
{
  for (guint i = 0; i < path->n; i++) {
    const HyPathPart *part = &path->part[i];
    g_string_append(out, i == 0 ? "" : "/");
    g_string_append(out, part->name);
    hy_print_indices(part->index, NULL, part->n_index, out);
    if (part->hidden != NULL) {
      g_string_append_printf(out, ":%s", part->hidden);
      hy_print_indices(part->index + part->n_index, NULL, part->n_hidden_index, out);
    }
  }
  if (path->port != NULL) {
    g_string_append_printf(out, ".%s", path->port);
    hy_print_indices(path->port_index, NULL, path->n_port_index, out);
  }
}

/* ---- Matching ---- */

/* "*" is any run of characters. */
static gboolean glob(const char *pattern, const char *name, gsize length)
{
  if (strchr(pattern, '*') == NULL) {
    return strncmp(pattern, name, length) == 0 && pattern[length] == '\0';
  }
  g_autofree char *text = g_strndup(name, length);
  return g_pattern_match_simple(pattern, text);
}

static gboolean indices_match(const char *pattern, const HyIndex *index, guint n_index,
                              const gint64 *at, guint n)
{
  if (n_index == 0 && strchr(pattern, '*') != NULL) {
    return TRUE;
  }
  if (n_index != n) {
    return FALSE;
  }
  for (guint i = 0; i < n; i++) {
    if (index[i].lo == NULL) {
      continue;
    }
    gint64 lo = hy_index_number(index[i].lo);
    gint64 hi = index[i].hi == NULL ? lo : hy_index_number(index[i].hi);
    if (at[i] < lo || at[i] > hi) {
      return FALSE;
    }
  }
  return TRUE;
}

/* One name with indices of a concrete path. */
typedef struct {
  const char *name;
  gsize length;
  gint64 at[HY_FORMULA_INDICES];
  guint n;
} Concrete;

/* NULL if it is not written as it should be. */
static const char *concrete_read(const char *s, Concrete *c)
{
  *c = (Concrete){.name = s};
  while (hy_is_name(*s)) {
    s++;
  }
  c->length = (gsize)(s - c->name);
  if (c->length == 0 || *s != '[') {
    return c->length == 0 ? NULL : s;
  }
  do {
    char *end = NULL;
    c->at[c->n++] = g_ascii_strtoll(s + 1, &end, 10);
    if (end == s + 1) {
      return NULL;
    }
    s = end;
  } while (*s == ',' && c->n < HY_FORMULA_INDICES);
  return *s == ']' ? s + 1 : NULL;
}

static gboolean concrete_matches(const char *pattern, const HyIndex *index, guint n_index,
                                 const Concrete *c)
{
  return glob(pattern, c->name, c->length) && indices_match(pattern, index, n_index, c->at, c->n);
}

gboolean hy_path_part_matches(const HyPathPart *part, const char *name, const gint64 *at, guint n)
{
  return glob(part->name, name, strlen(name)) &&
         indices_match(part->name, part->index, part->n_index, at, n);
}

gboolean hy_path_part_meets(const HyPathPart *part, const char *component)
{
  Concrete block, hidden;
  const char *s = concrete_read(component, &block);
  if (s == NULL || (part->hidden != NULL) != (*s == ':') ||
      !concrete_matches(part->name, part->index, part->n_index, &block)) {
    return FALSE;
  }
  return part->hidden == NULL || (concrete_read(s + 1, &hidden) != NULL &&
                                  concrete_matches(part->hidden, part->index + part->n_index,
                                                   part->n_hidden_index, &hidden));
}

gboolean hy_path_port_meets(const HyPath *path, const char *port)
{
  Concrete c;
  return concrete_read(port, &c) != NULL &&
         concrete_matches(path->port, path->port_index, path->n_port_index, &c);
}

gboolean hy_path_any_depth(const HyPathPart *part)
{
  return strcmp(part->name, "**") == 0;
}

gboolean hy_path_part_is_plain(const HyPathPart *part, gint64 *first)
{
  gboolean indexed = part->n_index > 0;
  if (strchr(part->name, '*') != NULL ||
      (indexed && (part->index->lo == NULL || part->index->hi != NULL))) {
    return FALSE;
  }
  *first = indexed ? hy_index_number(part->index->lo) : 0;
  return TRUE;
}
