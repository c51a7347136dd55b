#include "shrink.h"

#include <string.h>

typedef struct {
  const Judge *j;
  Found found;
  int status, trials;
  char *words; /* without numbers; NULL: they need not stay */
  Element *best;
} Shrink;

/* What ends a run has to end it still: its words, but for numbers. */
static char *bare(const Verdict *v)
{
  if (v->found != FOUND_FAILS && v->found != FOUND_REFUSED) {
    return NULL;
  }
  char *words = g_strdup(v->words);
  return g_strcanon(words, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdfghijklmnopqrstuvwxyz_()/*=", ' ');
}

/* TRY becomes the best if the same is found of it; else it is freed. */
static gboolean offer(Shrink *s, Element *try)
{
  if (s->trials <= 0) {
    element_free(try);
    return FALSE;
  }
  s->trials--;
  Verdict v = judge(s->j, try, s->found);
  g_autofree char *words = bare(&v);
  gboolean same = v.found == s->found && v.status == s->status && g_strcmp0(words, s->words) == 0;
  g_free(v.words);
  element_free(same ? s->best : try);
  s->best = same ?
  try : s
    ->best;
  return same;
}

/* The K-th element below E, depth first; its parent in *PARENT. */
static Element *find(Element *e, guint *k, Element **parent, guint *place)
{
  for (guint c = 0; c < e->children->len; c++) {
    Element *child = e->children->pdata[c];
    if ((*k)-- == 0) {
      *parent = e;
      *place = c;
      return child;
    }
    Element *inside = find(child, k, parent, place);
    if (inside != NULL) {
      return inside;
    }
  }
  return NULL;
}

/* Names ---------------------------------------------------------------------------------------- */

static gboolean in_name(char c)
{
  return g_ascii_isalnum(c) || c == '_';
}

/* Behind a name: its ports and indices. */
static const char *behind_path(const char *at)
{
  for (;;) {
    if (*at == '[') {
      const char *end = strchr(at, ']');
      at = end != NULL ? end + 1 : at + strlen(at);
    } else if ((*at == '.' || *at == '/') && g_ascii_isalpha(at[1])) {
      for (at++; in_name(*at);) {
        at++;
      }
    } else {
      return at;
    }
  }
}

/* TEXT with NUMBER wherever NAME stood. */
static char *without(const char *text, const char *name, const char *number)
{
  GString *out = g_string_new(NULL);
  gsize n = strlen(name);
  for (const char *at = text; *at != '\0';) {
    gboolean begins = at == text || (!in_name(at[-1]) && at[-1] != '.' && at[-1] != '/');
    if (begins && strncmp(at, name, n) == 0 && !in_name(at[n])) {
      g_string_append(out, number);
      at = behind_path(at + n);
    } else {
      g_string_append_c(out, *at++);
    }
  }
  return g_string_free(out, FALSE);
}

static void forget(Element *e, const char *name)
{
  for (guint k = 0; k < e->names->len; k++) {
    gboolean record = strcmp(e->names->pdata[k], "record") == 0;
    char *value = strcmp(e->names->pdata[k], "name") == 0
                      ? g_strdup(e->values->pdata[k])
                      : without(e->values->pdata[k], name, record ? "" : "0.5");
    g_free(e->values->pdata[k]);
    e->values->pdata[k] = g_strstrip(value);
  }
  for (guint k = 0; k < e->children->len; k++) {
    forget(e->children->pdata[k], name);
  }
}

static gboolean drop_elements(Shrink *s)
{
  gboolean any = FALSE;
  for (guint k = 0; k + 1 < element_count(s->best);) {
    Element *try = element_copy(s->best), *parent = NULL;
    guint at = k, place = 0;
    Element *e = find(try, &at, &parent, &place);
    const char *name = element_get(e, "name");
    if (strcmp(e->tag, "experiment") == 0) {
      element_free(try);
      k++;
      continue;
    }
    g_ptr_array_remove_index(parent->children, place);
    if (name != NULL && strcmp(e->tag, "in") == 0) {
      element_unset(parent, name);
    }
    if (name != NULL) {
      forget(strcmp(e->tag, "in") == 0 ? parent : try, name);
    }
    element_free(e);
    gboolean done = offer(s, try);
    any = any || done;
    k += done ? 0 : 1;
  }
  return any;
}

/* Formulas ------------------------------------------------------------------------------------- */

/* What stands in the brackets that open at OPEN, at their commas and operations: the parts. */
static void parts_of(const char *text, gsize open, gsize *close, GPtrArray *parts)
{
  guint depth = 0;
  gsize from = open + 1, k = open;
  for (; text[k] != '\0'; k++) {
    depth += text[k] == '(';
    depth -= text[k] == ')';
    gboolean operation = depth == 1 && k > open && strchr("+-*/>^,", text[k]) != NULL && k > from;
    if (operation || depth == 0) {
      g_autofree char *part = g_strndup(text + from, k - from);
      g_strstrip(part);
      if (part[0] != '\0' && strcmp(part, "=") != 0) {
        g_ptr_array_add(parts, g_strdup(part[0] == '=' ? part + 1 : part));
      }
      from = k + 1;
    }
    if (depth == 0) {
      break;
    }
  }
  *close = k;
}

/* Each formula of attribute A of element K that is TEXT with one pair of brackets replaced by a
 * part of it, or by a number. */
static gboolean cut_value(Shrink *s, guint k, guint a)
{
  Element *parent = NULL;
  guint at = k, place = 0;
  const Element *e = find(s->best, &at, &parent, &place);
  g_autofree char *text = g_strdup(e->values->pdata[a]);
  for (gsize open = 0; text[open] != '\0'; open++) {
    if (text[open] != '(') {
      continue;
    }
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
    gsize close = open, begin = open;
    parts_of(text, open, &close, parts);
    g_ptr_array_add(parts, g_strdup("0"));
    while (begin > 0 && in_name(text[begin - 1])) {
      begin--;
    }
    for (guint p = 0; p < parts->len && text[close] == ')'; p++) {
      Element *try = element_copy(s->best);
      guint again = k;
      Element *f = find(try, &again, &parent, &place);
      g_free(f->values->pdata[a]);
      f->values->pdata[a] =
          g_strdup_printf("%.*s%s%s", (int)begin, text, (char *)parts->pdata[p], text + close + 1);
      if (strcmp(f->values->pdata[a], text) == 0) {
        element_free(try);
      } else if (offer(s, try)) {
        return TRUE;
      }
    }
  }
  return FALSE;
}

static gboolean drop_attribute(Shrink *s, guint k, guint a)
{
  Element *try = element_copy(s->best), *parent = NULL;
  guint at = k, place = 0;
  Element *e = find(try, &at, &parent, &place);
  static const char *const kept[] = {"name", "nodes", "type", "stop", "method", "record"};
  for (guint n = 0; n < G_N_ELEMENTS(kept); n++) {
    if (strcmp(e->names->pdata[a], kept[n]) == 0) {
      element_free(try);
      return FALSE;
    }
  }
  element_unset(e, e->names->pdata[a]);
  return offer(s, try);
}

static gboolean cut_values(Shrink *s)
{
  gboolean any = FALSE;
  for (guint k = 0; k + 1 < element_count(s->best); k++) {
    Element *parent = NULL;
    for (guint a = 0;; a++) {
      guint at = k, place = 0;
      const Element *e = find(s->best, &at, &parent, &place);
      if (a >= e->names->len) {
        break;
      }
      if (drop_attribute(s, k, a)) {
        any = TRUE;
        a--;
        continue;
      }
      while (cut_value(s, k, a)) {
        any = TRUE;
      }
    }
  }
  return any;
}

static gboolean drop_columns(Shrink *s)
{
  gboolean any = FALSE;
  for (guint k = 0;; k++) {
    Element *e = s->best->children->pdata[s->best->children->len - 1];
    g_auto(GStrv) each = g_strsplit(element_get(e, "record"), " ", -1);
    if (each[0] == NULL || k >= g_strv_length(each)) {
      return any;
    }
    Element *try = element_copy(s->best);
    g_autoptr(GString) rest = g_string_new(NULL);
    for (guint i = 0; each[i] != NULL; i++) {
      if (i != k && each[i][0] != '\0') {
        g_string_append_printf(rest, "%s%s", rest->len > 0 ? " " : "", each[i]);
      }
    }
    element_set(try->children->pdata[try->children->len - 1], "record", "%s", rest->str);
    if (offer(s, try)) {
      any = TRUE;
      k--;
    }
  }
}

Element *shrink(const Judge *j, const Element *model, const Verdict *v, int trials)
{
  Shrink s = {j, v->found, v->status, trials, bare(v), element_copy(model)};
  while (s.trials > 0) {
    gboolean any = drop_elements(&s);
    any = drop_columns(&s) || any;
    any = cut_values(&s) || any;
    if (!any) {
      break;
    }
  }
  g_free(s.words);
  return s.best;
}
