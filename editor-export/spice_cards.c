/* What begins with a dot and says something of parameters, starts and outputs: .param, .ic, .tran,
 * .print, .plot, .save, .probe; and of .control sections what says the same. */
#include "base/hint.h"
#include "editor-export/spice.h"

#include <string.h>

/* Parameters ----------------------------------------------------------------------------------- */

/* Where the value that begins at TEXT ends: before the word of the next "=". */
static const char *value_end(const char *text)
{
  for (const char *at = text; *at != '\0'; at++) {
    gboolean compares = strchr("=<>!", at[0]) != NULL && at[1] == '=';
    if (compares) {
      at++;
    } else if (*at == '=') {
      while (at > text && strchr(" \t,", at[-1]) != NULL) {
        at--;
      }
      while (at > text && strchr(" \t,", at[-1]) == NULL) {
        at--;
      }
      return at;
    }
  }
  return text + strlen(text);
}

static const char *quoted_end(const char *text)
{
  guint deep = 0;
  const char *end = *text == '{' ? text : strchr(text + 1, *text);
  for (; *text == '{' && *end != '\0'; end++) {
    deep += *end == '{';
    deep -= *end == '}';
    if (deep == 0) {
      break;
    }
  }
  return end != NULL && *end != '\0' ? end : NULL;
}

gboolean spice_next_pair(Spice *s, const char **text, SpicePair *pair)
{
  const char *at = *text + strspn(*text, " \t,");
  gsize n = strcspn(at, " \t,=()");
  const char *equals = at + n + strspn(at + n, " \t");
  if (n == 0 || *equals != '=') {
    *text = at;
    return FALSE;
  }
  pair->name = g_string_chunk_insert_len(s->strings, at, (gssize)n);
  at = equals + 1 + strspn(equals + 1, " \t");
  const char *quote = strchr("{'\"", *at) != NULL && *at != '\0' ? quoted_end(at) : NULL;
  const char *from = quote != NULL ? at + 1 : at, *to = quote != NULL ? quote : value_end(at);
  while (quote == NULL && to > from && strchr(" \t,", to[-1]) != NULL) {
    to--;
  }
  g_autofree char *value = g_strndup(from, (gsize)(to - from));
  pair->value = g_string_chunk_insert(s->strings, value);
  *text = quote != NULL ? quote + 1 : to + strspn(to, " \t,");
  return TRUE;
}

void spice_declare_params(Spice *s, SpiceScope *scope, const SpiceLine *at, const char *text,
                          gboolean is_port)
{
  SpicePair pair;
  while (spice_next_pair(s, &text, &pair)) {
    if (!g_ascii_isalpha(*pair.name) && *pair.name != '_') {
      spice_error(s, at, "\"%s\" is no name for a parameter", pair.name);
    } else if (spice_add(s, scope, scope->params, pair.name, is_port ? 'p' : 'l') == NULL) {
      spice_error(s, at, "parameter %s is stated twice", pair.name);
    }
  }
  if (*text != '\0') {
    spice_error(s, at, "\"%.20s\": a parameter is stated as name = value; functions are not read",
                text);
  }
}

void spice_write_params(Spice *s, SpiceScope *scope, const SpiceLine *at, const char *text,
                        gboolean is_port)
{
  SpicePair pair;
  while (spice_next_pair(s, &text, &pair)) {
    const char *value = spice_formula(s, scope, at, pair.value);
    const char *name = spice_param(scope, pair.name);
    if (value != NULL && name != NULL) {
      gboolean sets = is_port || scope->around == NULL;
      xmlNode *node = hy_format_add(scope->around == NULL ? s->root : scope->node,
                                    sets ? "param" : "let", at->main);
      hy_format_set(node, "name", name);
      hy_format_set(node, "value", value);
    }
  }
}

/* Settings --------------------------------------------------------------------------------------
 */

static gboolean same_name(gconstpointer a, gconstpointer b)
{
  return g_ascii_strcasecmp(a, b) == 0;
}

/* .global vcc vee */
static void read_everywhere(Spice *s, const SpiceWord *w)
{
  for (; w->kind != SPICE_END; w++) {
    if (!g_ptr_array_find_with_equal_func(s->everywhere, w->text, same_name, NULL)) {
      g_ptr_array_add(s->everywhere, hy_key(w->text));
    }
  }
}

/* .options exponential; others are of SPICE's own methods. */
static void read_options(Spice *s, const SpiceWord *w)
{
  for (; w->kind != SPICE_END; w++) {
    s->exponential = s->exponential || spice_is(w, "exponential");
  }
}

void spice_read_setting(Spice *s, const SpiceLine *at, const char *card, const char *rest)
{
  static const char *const options[] = {".options", ".option", ".opt", NULL};
  gboolean global = strcmp(card, ".global") == 0;
  if (strcmp(card, ".func") == 0) {
    spice_read_function(s, at, rest);
  } else if (global || g_strv_contains(options, card)) {
    g_autofree SpiceWord *w = spice_words(s, at, rest);
    (global ? read_everywhere : read_options)(s, w);
  }
}

/* Start and end ---------------------------------------------------------------------------------
 */

/* Words behind the values of .tran; those of LTspice that are no uic ask for what is not done. */
static void read_tran_words(Spice *s, const SpiceLine *at, const SpiceWord *w)
{
  static const char *const known[] = {"uic", "startup", "steady", "nodiscard", "step", NULL};
  for (; w->kind != SPICE_END; w++) {
    g_autofree char *word = spice_lower(w->text);
    s->uic = s->uic || strcmp(word, "uic") == 0 || strcmp(word, "startup") == 0;
    if (!g_strv_contains(known, word)) {
      spice_error(s, at, ".tran: \"%s\" is not understood here", w->text);
    } else if (strcmp(word, "startup") == 0) {
      spice_warning(s, at, "startup: the sources are on from 0, not after a ramp of 20u");
    } else if (strcmp(word, "uic") != 0) {
      spice_warning(s, at, "\"%s\" of .tran is left out", w->text);
    }
  }
}

void spice_read_tran(Spice *s, const SpiceLine *at, const SpiceWord *w)
{
  const char *value[4] = {NULL};
  guint n = 0;
  for (; w->kind != SPICE_END && spice_is_value(s->top, w); w++) {
    value[n] = n < 4 ? spice_value(s, s->top, at, w) : NULL;
    if (value[n] == NULL) {
      return;
    }
    n = MIN(n + 1, 3);
  }
  if (s->stop != NULL) {
    spice_warning(s, at, "a second .tran is left out");
    return;
  }
  if (n < 1) {
    spice_error(s, at, ".tran takes a step and an end: .tran 1u 10m");
    return;
  }
  double from;
  if (n > 2 && (!spice_plain(value[2], &from) || from != 0.0)) {
    spice_warning(s, at, "the recording begins at 0, not at %s", value[2]);
  }
  read_tran_words(s, at, w);
  s->step = n > 1 ? value[0] : "0"; /* LTspice: the end alone */
  s->stop = value[n > 1 ? 1 : 0];
  s->tran = at;
}

/* .ic v(a)=1 i(L1)=2; currents have a "#" before their name. */
void spice_read_starts(Spice *s, SpiceScope *scope, const SpiceLine *at, const SpiceWord *w)
{
  while (w->kind != SPICE_END) {
    gboolean current = spice_is(w, "i");
    if ((!current && !spice_is(w, "v")) || w[1].kind != SPICE_WORD || w[2].kind != SPICE_EQUALS) {
      spice_error(s, at, ".ic takes v(node)=value and i(coil)=value, not \"%s\"", w->text);
      return;
    }
    const char *value = spice_value(s, scope, at, w + 3);
    if (value == NULL) {
      return;
    }
    const char *name = current ? spice_text(s, "#%s", w[1].text) : w[1].text;
    g_hash_table_replace(scope->starts, spice_lower(name), hy_key(value));
    w += 4;
  }
}

/* Outputs ---------------------------------------------------------------------------------------
 */

static void record(Spice *s, const char *path)
{
  if (g_hash_table_add(s->recorded, hy_key(path))) {
    hy_format_set(hy_format_add(s->experiment, "record", s->outputs), "path", path);
  }
}

/* "x1.x2.a" below the top: the path of the scope of a, and a itself; NULL: there is no such. */
static SpiceScope *descend(Spice *s, const char *text, const char **last, GString *path)
{
  SpiceScope *scope = s->top;
  g_auto(GStrv) part = g_strsplit(text, ".", -1);
  guint n = g_strv_length(part), k = 0;
  g_string_assign(path, "net/");
  for (; k + 1 < n && scope != NULL; k++) {
    const SpiceName *x = spice_element(scope, part[k]);
    scope = x != NULL ? x->inside : NULL;
    g_string_append_printf(path, "%s/", x != NULL ? x->name : "");
  }
  *last = n > 0 ? g_string_chunk_insert(s->strings, part[n - 1]) : "";
  return scope;
}

/* The path of v(TEXT); NULL: there is no such node. */
static const char *node_path(Spice *s, const char *text)
{
  g_autoptr(GString) path = g_string_new(NULL);
  const char *last, *node = spice_known_node(s->top, text);
  if (node != NULL) { /* its own name may have a point */
    return strcmp(node, "0") != 0 ? spice_text(s, "net/%s.v", node) : NULL;
  }
  SpiceScope *scope = descend(s, text, &last, path);
  node = scope != NULL ? spice_known_node(scope, last) : NULL;
  return node != NULL && strcmp(node, "0") != 0 ? spice_text(s, "%s%s.v", path->str, node) : NULL;
}

/* v(a,b): a probe at both. */
static const char *difference_path(Spice *s, const char *a, const char *b)
{
  const char *plus = spice_known_node(s->top, a), *minus = spice_known_node(s->top, b);
  if (plus == NULL || minus == NULL) {
    return NULL;
  }
  if (strcmp(minus, "0") == 0) {
    return node_path(s, a);
  }
  g_autofree char *key = g_strdup_printf("v(%s,%s)", plus, minus);
  const char *known = g_hash_table_lookup(s->probes, key);
  if (known == NULL) {
    known = spice_unique(s, s->top, spice_text(s, "v_%s_%s", plus, minus));
    g_hash_table_insert(s->probes, g_steal_pointer(&key), hy_key(known));
    xmlNode *node = hy_format_add(s->top->node, "probe", s->outputs);
    hy_format_set(node, "name", known);
    hy_format_set(node, "nodes", spice_text(s, "%s %s", plus, minus));
  }
  return spice_text(s, "net/%s.v", known);
}

static const char *current_path(Spice *s, const char *text)
{
  const SpiceName *e = spice_element(s->top, text);
  return e != NULL && strchr("kx", e->letter) == NULL ? spice_text(s, "net/%s", spice_current(s, e))
                                                      : NULL;
}

/* The path of "v(a)", "v(a,b)", "i(v1)", "v1#branch", "@r1[i]", and of a node's name alone. */
static const char *output_path(Spice *s, const char *text)
{
  g_auto(GStrv) part = g_strsplit_set(text, "(,)[]#", -1);
  guint n = g_strv_length(part);
  for (guint k = 0; k < n; k++) {
    g_strstrip(part[k]);
  }
  if (n == 1) {
    return node_path(s, text);
  }
  if (n == 2) {
    return g_ascii_strcasecmp(part[1], "branch") == 0 ? current_path(s, part[0]) : NULL;
  }
  if (*text == '@') {
    return g_ascii_strcasecmp(part[1], "i") == 0 ? current_path(s, part[0] + 1) : NULL;
  }
  if (g_ascii_strcasecmp(part[0], "i") == 0 && n == 3) {
    return current_path(s, part[1]);
  }
  if (g_ascii_strcasecmp(part[0], "vd") == 0 && n == 3) { /* across an element */
    const SpiceName *e = spice_element(s->top, part[1]);
    gboolean winding = e != NULL && e->core != NULL;
    return e != NULL && strchr("kx", e->letter) == NULL
               ? spice_text(s, winding ? "net/%s.v[2]" : "net/%s.v", e->name)
               : NULL;
  }
  if (g_ascii_strcasecmp(part[0], "v") != 0) {
    return NULL;
  }
  return n == 3 ? node_path(s, part[1]) : n == 4 ? difference_path(s, part[1], part[2]) : NULL;
}

/* All nodes of the top. */
static void record_nodes(Spice *s)
{
  for (guint k = 0; k < s->top->order->len; k++) {
    const SpiceName *node = g_ptr_array_index(s->top->order, k);
    record(s, spice_text(s, "net/%s.v", node->name));
  }
}

/* The next output in *TEXT, with its brackets; NULL: there is none. */
static char *next_output(const char **text)
{
  const char *at = *text + strspn(*text, " \t,"), *end = at;
  guint deep = 0;
  while (*end != '\0' && (deep > 0 || strchr(" \t,", *end) == NULL)) {
    deep += *end == '(';
    deep -= *end == ')' && deep > 0;
    end++;
  }
  *text = end;
  return end > at ? g_strndup(at, (gsize)(end - at)) : NULL;
}

void spice_read_outputs(Spice *s, const SpiceLine *at, const char *text, gboolean command)
{
  char *word;
  s->outputs = at->main;
  for (gboolean first = TRUE; (word = next_output(&text)) != NULL; first = FALSE) {
    g_autofree char *output = word;
    gboolean analysis = first && g_ascii_strcasecmp(output, "tran") == 0;
    if (analysis || *output == '(') {
      continue; /* "(0, 5)": limits of a plot */
    }
    if (g_ascii_strcasecmp(output, "all") == 0 || g_ascii_strcasecmp(output, "allv") == 0) {
      record_nodes(s);
      continue;
    }
    if (g_ascii_strcasecmp(output, "alli") == 0) {
      record(s, "net/*.i");
      continue;
    }
    if (first && (g_ascii_strcasecmp(output, "ac") == 0 || g_ascii_strcasecmp(output, "dc") == 0 ||
                  g_ascii_strcasecmp(output, "noise") == 0)) {
      return;
    }
    const char *path = output_path(s, output);
    if (path != NULL) {
      record(s, path);
    } else if (!command) {
      spice_error(s, at, "\"%s\" is not recorded: write v(node), v(a,b) or i(element)", output);
    }
  }
}

/* SPICE would look for an operating point where nothing is told to start elsewhere; without sources
 * that are on at first, that is 0, too. */
static void warn_of_start(Spice *s)
{
  gboolean any = FALSE;
  for (guint k = 0; k < s->scopes->len; k++) {
    const SpiceScope *scope = g_ptr_array_index(s->scopes, k);
    for (guint n = 0; n < scope->lines->len; n++) {
      const SpiceLine *l = g_ptr_array_index(scope->lines, n);
      any = any || strchr("cl", g_ascii_tolower(l->text[0])) != NULL;
    }
  }
  if (any && !s->uic && s->live) {
    spice_warning(s, s->tran,
                  "the run starts from IC=, .ic and 0, as with uic: no operating point is "
                  "sought");
  }
}

void spice_write_experiment(Spice *s)
{
  if (g_hash_table_size(s->recorded) == 0) {
    record_nodes(s);
  }
  if (s->stop == NULL) {
    xmlUnlinkNode(s->experiment);
    xmlFreeNode(s->experiment);
    return;
  }
  warn_of_start(s);
  s->experiment->_private = GUINT_TO_POINTER(s->tran->main);
  hy_format_set(s->experiment, "stop", s->stop);
  hy_format_set(s->experiment, "method", s->exponential ? "cvode_bdf" : "block_liqss2");
  hy_format_set(s->experiment, "dqrel", /* linear: states are exact, readings are as told */
                s->exponential ? "1e-7" : "1e-5");
  hy_format_set(s->experiment, "dqmin", s->exponential ? "1e-9" : "1e-12");
  double step;
  if (!spice_plain(s->step, &step) || step > 0) {
    hy_format_set(s->experiment, "grid", s->step);
  }
}
