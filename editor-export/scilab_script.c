/* Start scripts of Scilab, which are assignments, and its expressions as formulas of ours:
 *
 *   script = [assignment] {("," | ";" | newline) [assignment]}
 *   assignment = name ["(" index {"," index} ")"] "=" range */
#include "editor-export/scilab_read.h"

#include <string.h>

/* Scripts ---------------------------------------------------------------------------------------
 */

/* Where the statement ends: at a separator outside of brackets. */
static gsize statement_length(const char *text)
{
  int depth = 0;
  gsize n = 0;
  for (; text[n] != '\0' && (depth > 0 || strchr(",;\n", text[n]) == NULL); n++) {
    depth += text[n] == '(' || text[n] == '[' ? 1 : text[n] == ')' || text[n] == ']' ? -1 : 0;
  }
  return n;
}

static ScilabVariable *variable(Scilab *s, const char *name, guint line)
{
  for (guint k = 0; k < s->variables->len; k++) {
    ScilabVariable *known = g_ptr_array_index(s->variables, k);
    if (strcmp(known->name, name) == 0) {
      g_clear_pointer(&known->text, g_free);
      return known;
    }
  }
  ScilabVariable *v = g_new0(ScilabVariable, 1);
  v->name = g_strdup(name);
  v->value = scilab_value(0, 0);
  v->line = line;
  g_ptr_array_add(s->variables, v);
  return v;
}

/* name(indices) = VALUE; AT is behind the "(". */
static gboolean assign_elements(Scilab *s, const char *name, const char *at, guint line, char **why)
{
  const ScilabVariable *old = scilab_find(s, name);
  ScilabValue nothing = scilab_value(0, 0), value = {0, 0, NULL};
  ScilabReader r = {.s = s, .at = at, .last = -1};
  g_autoptr(GArray) index = scilab_arguments(&r, name, old != NULL ? &old->value : &nothing);
  scilab_clear(&nothing);
  const char *equal = r.at + strspn(r.at, " \t");
  gboolean good = r.why == NULL;
  if (!good) {
    *why = r.why;
  } else if (*equal != '=' || equal[1] == '=') {
    *why = g_strdup_printf("\"%s(%.40s\": only assignments such as a=1 are understood", name, at);
    good = FALSE;
  } else {
    good = scilab_eval(s, equal + 1, &value, why) &&
           scilab_put(&variable(s, name, line)->value, (const ScilabValue *)(gpointer)index->data,
                      index->len, &value, why);
  }
  scilab_clear(&value);
  return good;
}

static gboolean assign(Scilab *s, char *statement, guint line, char **why)
{
  gsize n = strspn(statement, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  char *equal = statement + n + strspn(statement + n, " \t");
  gboolean named = n > 0 && !g_ascii_isdigit(*statement);
  if (named && statement[n] == '(') {
    g_autofree char *name = g_strndup(statement, n);
    return assign_elements(s, name, statement + n + 1, line, why);
  }
  if (!named || *equal != '=' || equal[1] == '=') {
    *why = g_strdup_printf("\"%.40s\": only assignments such as a=1 are understood", statement);
    return FALSE;
  }
  ScilabValue value;
  if (!scilab_eval(s, equal + 1, &value, why)) {
    return FALSE;
  }
  statement[n] = '\0';
  gboolean first = scilab_find(s, statement) == NULL;
  ScilabVariable *v = variable(s, statement, line);
  v->text = first ? g_strdup(g_strstrip(equal + 1)) : NULL;
  scilab_clear(&v->value);
  v->value = value;
  return TRUE;
}

gboolean scilab_run(Scilab *s, const char *script, guint line, char **why)
{
  while (*script != '\0') {
    gsize n = statement_length(script);
    g_autofree char *statement = g_strndup(script, n);
    g_strstrip(statement);
    if (*statement != '\0' && !assign(s, statement, line, why)) {
      return FALSE;
    }
    script += n + (script[n] != '\0' ? 1 : 0);
  }
  return TRUE;
}

char *scilab_assign(const char *script, const char *name, const char *text)
{
  g_autoptr(GString) out = g_string_new(NULL);
  gboolean found = FALSE;
  while (*script != '\0') {
    gsize n = statement_length(script), equal = strcspn(script, "=");
    g_autofree char *left = g_strndup(script, MIN(n, equal));
    if (equal < n && strcmp(g_strstrip(left), name) == 0) {
      g_string_append_len(out, script, (gssize)equal + 1);
      g_string_append(out, text);
      found = TRUE;
    } else {
      g_string_append_len(out, script, (gssize)n);
    }
    script += n;
    if (*script != '\0') {
      g_string_append_c(out, *script++);
    }
  }
  return found ? g_string_free(g_steal_pointer(&out), FALSE) : NULL;
}

/* As formulas ------------------------------------------------------------------------------------
 */

static gboolean copy_word(GString *out, const char **text,
                          const char *(*rename)(const char *name, gpointer user), gpointer user)
{
  gboolean percent = **text == '%';
  const char *begin = *text + (percent ? 1 : 0), *end = begin;
  while (g_ascii_isalnum(*end) || *end == '_') {
    end++;
  }
  g_autofree char *name = g_strndup(begin, (gsize)(end - begin));
  *text = end;
  if (percent) {
    gboolean pi = strcmp(name, "pi") == 0, e = strcmp(name, "e") == 0;
    g_string_append(out, pi ? "pi" : e ? "exp(1)" : "");
    return pi || e;
  }
  if (*end == '(') {
    g_string_append(out, name);
    return scilab_is_ours(name);
  }
  const char *ours = rename(name, user);
  g_string_append(out, ours != NULL ? ours : name);
  return ours != NULL;
}

/* .5, 5. and 1d3 become 0.5, 5.0 and 1e3. */
static void copy_number(GString *out, const char **text)
{
  const char *at = *text;
  g_string_append(out, *at == '.' ? "0" : "");
  while (g_ascii_isdigit(*at) || (*at == '.' && strchr("*/^", at[1]) == NULL) ||
         (*at == '.' && at[1] == '\0')) {
    g_string_append_c(out, *at++);
  }
  g_string_append(out, at > *text && at[-1] == '.' ? "0" : "");
  gsize e = *at != '\0' && strchr("eEdD", *at) != NULL ? 1 : 0;
  e += e > 0 && (at[1] == '+' || at[1] == '-') ? 1 : 0;
  if (e > 0 && g_ascii_isdigit(at[e])) {
    g_string_append_printf(out, "e%.*s", (int)(e - 1), at + 1);
    for (at += e; g_ascii_isdigit(*at); at++) {
      g_string_append_c(out, *at);
    }
  }
  *text = at;
}

char *scilab_formula(const char *text, const char *(*rename)(const char *name, gpointer user),
                     gpointer user)
{
  g_autoptr(GString) out = g_string_new(NULL);
  while (*text != '\0') {
    if (g_ascii_isdigit(*text) || (*text == '.' && g_ascii_isdigit(text[1]))) {
      copy_number(out, &text);
    } else if (g_ascii_isalpha(*text) || *text == '_' || *text == '%') {
      if (!copy_word(out, &text, rename, user)) {
        return NULL;
      }
    } else if (*text == '.' && strchr("*/^", text[1]) != NULL && text[1] != '\0') {
      text++;
    } else if (strchr("+-*/^() ", *text) != NULL) {
      g_string_append_c(out, *text++);
    } else {
      return NULL;
    }
  }
  return g_string_free(g_steal_pointer(&out), FALSE);
}
