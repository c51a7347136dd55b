/* Names for Modelica. Paths of ours (stage[2]/iL, pulse.out) are no identifiers there: what is
 * neither a letter nor a digit becomes _, and the last index makes an array of those that differ in
 * nothing else, if they are all there: stage_iL[2]. Both languages take the letters of C. */
#include "base/number.h"
#include "modelica_internal.h"

#include <math.h>
#include <string.h>

/* Words that cannot be names, of both languages, and functions that equations call. */
static const char *const reserved[] = {"abs",          "acos",       "algorithm",   "and",
                                       "annotation",   "asin",       "assert",      "atan",
                                       "atan2",        "block",      "break",       "class",
                                       "connect",      "connector",  "constant",    "constrainedby",
                                       "cos",          "cosh",       "der",         "discrete",
                                       "each",         "else",       "elseif",      "elsewhen",
                                       "encapsulated", "end",        "enumeration", "equation",
                                       "exp",          "expandable", "extends",     "external",
                                       "false",        "final",      "flow",        "for",
                                       "function",     "if",         "import",      "impure",
                                       "in",           "initial",    "inner",       "input",
                                       "log",          "log10",      "loop",        "mod",
                                       "model",        "not",        "operator",    "or",
                                       "outer",        "output",     "package",     "parameter",
                                       "partial",      "pre",        "protected",   "public",
                                       "pure",         "record",     "redeclare",   "replaceable",
                                       "return",       "sample",     "sin",         "sinh",
                                       "sqrt",         "stream",     "tan",         "tanh",
                                       "then",         "time",       "true",        "type",
                                       "when",         "while",      "within",      "Real",
                                       "Integer",      "Boolean",    "String",      "i",
                                       "wlog",         "wlog_slope"};

static gboolean is_reserved(const char *name)
{
  for (guint k = 0; k < G_N_ELEMENTS(reserved); k++) {
    if (strcmp(name, reserved[k]) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

static char *identifier(const char *path)
{
  GString *s = g_string_new(g_ascii_isalpha(path[0]) ? NULL : "x");
  for (const char *c = path; *c != '\0'; c++) {
    if (g_ascii_isalnum(*c)) {
      g_string_append_c(s, *c);
    } else if (s->len > 0 && s->str[s->len - 1] != '_') {
      g_string_append_c(s, '_');
    }
  }
  while (s->len > 1 && s->str[s->len - 1] == '_') {
    g_string_truncate(s, s->len - 1);
  }
  return g_string_free(s, FALSE);
}

char *hy_modelica_claim(HyModelica *w, const char *path)
{
  g_autofree char *plain = identifier(path);
  g_autoptr(GString) name = g_string_new(plain);
  for (guint k = 2; is_reserved(name->str) || g_hash_table_contains(w->taken, name->str); k++) {
    g_string_printf(name, "%s_%u", plain, k);
  }
  char *kept = g_string_chunk_insert(w->text, name->str);
  g_hash_table_add(w->taken, kept);
  return kept;
}

/* Arrays --------------------------------------------------------------------------------------- */

/* Paths that differ in their last index alone. */
typedef struct {
  guint n, highest;
  char *base; /* once it is claimed */
} Array;

/* The path without its last index, which is *INDEX; 0: it has none. */
static char *without_index(const char *path, guint *index)
{
  const char *open = strrchr(path, '[');
  char *end = NULL;
  guint64 value = open != NULL ? g_ascii_strtoull(open + 1, &end, 10) : 0;
  *index = end != NULL && *end == ']' && value > 0 && value < G_MAXINT ? (guint)value : 0;
  return *index == 0 ? g_strdup(path)
                     : g_strdup_printf("%.*s%s", (int)(open - path), path, end + 1);
}

void hy_modelica_name(HyModelica *w, char *const *path, guint n, HyModelicaName *name)
{
  g_autoptr(GHashTable) arrays = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  g_autofree Array **array_of = g_new0(Array *, (gsize)n + 1);
  for (guint k = 0; k < n; k++) {
    char *base = without_index(path[k], &name[k].index);
    Array *array = g_hash_table_lookup(arrays, base);
    if (array == NULL) {
      array = g_new0(Array, 1);
      g_hash_table_insert(arrays, base, array);
    } else {
      g_free(base);
    }
    array->n++;
    array->highest = MAX(array->highest, name[k].index);
    array_of[k] = array;
  }
  /* paths are different, so as many as the highest index are all from 1 on */
  for (guint k = 0; k < n; k++) {
    Array *array = array_of[k];
    if (name[k].index == 0 || array->n != array->highest || array->n < 2) {
      name[k] = (HyModelicaName){hy_modelica_claim(w, path[k]), 0};
      continue;
    }
    if (array->base == NULL) {
      guint index = 0;
      g_autofree char *base = without_index(path[k], &index);
      array->base = hy_modelica_claim(w, base);
    }
    name[k].base = array->base;
  }
}

/* Text ----------------------------------------------------------------------------------------- */

void hy_modelica_put_name(GString *out, HyModelicaName name)
{
  g_string_append(out, name.base);
  if (name.index > 0) {
    g_string_append_printf(out, "[%u]", name.index);
  }
}

void hy_modelica_number(GString *out, double v)
{
  char text[HY_DOUBLE_SIZE];
  g_string_append(out, hy_double_text(text, v));
}

void hy_modelica_boolean(const HyModelica *w, GString *out, gboolean set)
{
  g_string_append(out, w->micro ? (set ? "1" : "0") : (set ? "true" : "false"));
}

/* Declarations --------------------------------------------------------------------------------- */

static void put_start(const HyModelica *w, GString *out, gboolean boolean, double v)
{
  if (boolean) {
    hy_modelica_boolean(w, out, v != 0.0);
  } else {
    hy_modelica_number(out, v);
  }
}

/* u[3] := 1; in the initial algorithm, which has loops. */
static void put_initial(HyModelica *w, gboolean boolean, HyModelicaName name, const double *v,
                        guint n, gboolean equal)
{
  GString *out = w->initial;
  if (n > 1 && equal) {
    g_string_append_printf(out, "  for i in 1:%u loop\n    %s[i] := ", n, name.base);
    put_start(w, out, boolean, v[0]);
    g_string_append(out, ";\n  end for;\n");
    return;
  }
  for (guint k = 0; k < n; k++) {
    g_string_append(out, "  ");
    hy_modelica_put_name(out, (HyModelicaName){name.base, name.index > 0 ? k + 1 : 0});
    g_string_append(out, " := ");
    put_start(w, out, boolean, v[k]);
    g_string_append(out, ";\n");
  }
}

/* "(start = 1, fixed = true)": V [n], of an array EACH; in MicroModelica assignments. */
static void put_starts(HyModelica *w, const char *type, HyModelicaName name, const double *v,
                       guint n)
{
  gboolean boolean = strcmp(type, "Boolean") == 0, equal = TRUE;
  GString *out = w->declared;
  for (guint k = 1; k < n; k++) {
    equal &= v[k] == v[0];
  }
  if (w->micro) {
    put_initial(w, boolean, name, v, n, equal);
    return;
  }
  g_string_append(out, name.index == 0 ? "(start = " : equal ? "(each start = " : "(start = {");
  for (guint k = 0; k < (equal ? 1 : n); k++) {
    g_string_append(out, k > 0 ? ", " : "");
    put_start(w, out, boolean, v[k]);
  }
  g_string_append(out, equal ? "" : "}");
  g_string_append(out, name.index == 0 ? ", fixed = true)" : ", each fixed = true)");
}

/* What is written behind a declaration: the path that it has here. */
static void put_path(GString *out, const char *path, gboolean array)
{
  guint index = 0;
  g_autofree char *base = without_index(path, &index);
  g_autofree char *text = g_strescape(array ? base : path, NULL);
  g_string_append_printf(out, " \"%s%s\";\n", text, array ? ", all" : "");
}

void hy_modelica_declare(HyModelica *w, const char *type, const HyModelicaName *name,
                         char *const *path, guint n, const double *start)
{
  g_autoptr(GHashTable) of_array =
      g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  for (guint k = 0; k < n; k++) {
    GArray *v = g_hash_table_lookup(of_array, name[k].base);
    if (v == NULL) {
      v = g_array_new(FALSE, TRUE, sizeof(double));
      g_hash_table_insert(of_array, name[k].base, v);
    }
    guint place = MAX(name[k].index, 1) - 1;
    if (place >= v->len) {
      g_array_set_size(v, place + 1);
    }
    g_array_index(v, double, place) = start != NULL ? start[k] : 0.0;
  }
  gboolean discrete = w->micro && strcmp(type, "Boolean") == 0;
  for (guint k = 0; k < n; k++) {
    if (name[k].index > 1) {
      continue;
    }
    const GArray *v = g_hash_table_lookup(of_array, name[k].base);
    g_string_append_printf(w->declared, "  %s %s", discrete ? "discrete Real" : type, name[k].base);
    if (name[k].index > 0) {
      g_string_append_printf(w->declared, "[%u]", v->len);
    }
    if (start != NULL) {
      put_starts(w, type, name[k], (const double *)(gconstpointer)v->data, v->len);
    }
    put_path(w->declared, path[k], name[k].index > 0);
  }
}
