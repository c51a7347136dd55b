/* Conditions of the prompt of hydevs step: formulas over what blocks have said. */
#include "step.h"

#include <math.h>
#include <string.h>

/* What has been said at PORT of the block at PATH, as it holds at T. FALSE: nothing yet. */
static gboolean said_at(const CliStepper *s, const char *path, const char *port, double t,
                        double *value)
{
  g_autofree char *key = g_strconcat(path, ".", port, NULL);
  const GArray *list = g_hash_table_lookup(s->said, key);
  if (list == NULL || list->len == 0) {
    return FALSE;
  }
  const CliSaid *said = &g_array_index(list, CliSaid, list->len - 1);
  double d = t - said->t;
  *value = said->c[0] + d * (said->c[1] + d * (said->c[2] + d * said->c[3]));
  return TRUE;
}

/* The value of a block that has no port behind it: what its first output says. */
static gboolean value_of_block(const CliStepper *s, const char *path, double t, double *value)
{
  guint atomic;
  if (!hy_sim_find(s->sim, path, &atomic)) {
    return FALSE;
  }
  const HyPort *out = hy_sim_class(s->sim, atomic)->out;
  if (out == NULL || out->name == NULL) {
    return FALSE;
  }
  g_autofree char *first = out->array ? g_strconcat(out->name, "[1]", NULL) : g_strdup(out->name);
  return said_at(s, path, first, t, value);
}

static gboolean value_of_port(const CliStepper *s, const char *path, const char *port, double t,
                              double *value)
{
  const GArray *list = g_hash_table_lookup(s->known, path);
  guint atomic;
  if (said_at(s, path, port, t, value)) {
    return TRUE;
  }
  if (list == NULL || list->len == 0) {
    return FALSE;
  }
  const CliKnown *known = &g_array_index(list, CliKnown, list->len - 1);
  const char *const times[] = {"tL", "tN", "sigma"};
  const double of[] = {known->tl, known->tn, known->tn - t};
  for (guint k = 0; k < G_N_ELEMENTS(times); k++) {
    if (strcmp(port, times[k]) == 0) {
      *value = of[k];
      return TRUE;
    }
  }
  if (strcmp(port, "x") == 0 && hy_sim_find(s->sim, path, &atomic)) {
    *value = hy_sim_value(s->sim, atomic, t);
    return !isnan(*value);
  }
  return FALSE;
}

/* An output, or a word that means something of every block. */
static gboolean has_port(const CliStepper *s, const char *path, const char *port)
{
  static const char *const words[] = {"x", "tL", "tN", "sigma", NULL};
  guint atomic;
  if (!hy_sim_find(s->sim, path, &atomic)) {
    return TRUE; /* of a coupled model: whoever has not spoken may */
  }
  const HyPort *out = hy_sim_class(s->sim, atomic)->out;
  for (; out != NULL && out->name != NULL; out++) {
    if (out->array ? g_str_has_prefix(port, out->name) : strcmp(port, out->name) == 0) {
      return TRUE;
    }
  }
  return g_strv_contains(words, port);
}

/* In the formula paths stand as path_0, path_1, ...: a path is no word of the language. */
typedef struct {
  const CliStepper *s;
  GPtrArray *paths;
} Names;

static gboolean named(gpointer user, const char *name, const char *port, double *value,
                      GError **error)
{
  const Names *names = user;
  const CliStepper *s = names->s;
  double t = hy_sim_time(s->sim);
  const char *path = name;
  if (g_str_has_prefix(name, "path_")) {
    path = g_ptr_array_index(names->paths, g_ascii_strtoull(name + 5, NULL, 10));
  }
  if (strcmp(name, "t") == 0 && port == NULL) {
    *value = t;
    return TRUE;
  }
  if (port != NULL ? value_of_port(s, path, port, t, value) : value_of_block(s, path, t, value)) {
    return TRUE;
  }
  gboolean there = g_hash_table_contains(s->known, path) || g_hash_table_contains(s->inside, path);
  if (there && port != NULL && !has_port(s, path, port)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s has no output %s", path, port);
    return FALSE;
  }
  g_set_error(error, HY_ERROR, there ? HY_ERROR_RUN : HY_ERROR_MODEL,
              there ? "%s%s%s has said no number yet" : "no block is called %s%s%s", path,
              port != NULL ? "." : "", port != NULL ? port : "");
  return FALSE;
}

/* How long the path of a block is that stands at TEXT; 0: there is none. */
static gsize path_at(const CliStepper *s, const char *text)
{
  gsize n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/[],:");
  for (; n > 0; n--) {
    g_autofree char *path = g_strndup(text, n);
    gboolean whole = !g_ascii_isalnum(text[n]) && text[n] != '_' && text[n] != '(';
    if (whole &&
        (g_hash_table_contains(s->known, path) || g_hash_table_contains(s->inside, path))) {
      return n;
    }
  }
  return 0;
}

/* TEXT with path_0, path_1, ... for the paths in it: a/b without blanks is the block b in a if
 * there is one, else a quotient. */
static char *with_names(const CliStepper *s, const char *text, GPtrArray *paths)
{
  GString *out = g_string_new(NULL);
  while (*text != '\0') {
    gsize n = path_at(s, text);
    if (n > 0) {
      g_string_append_printf(out, "path_%u", paths->len);
      g_ptr_array_add(paths, g_strndup(text, n));
      text += n;
      continue;
    }
    gboolean word = FALSE; /* words and numbers as a whole */
    do {
      word = g_ascii_isalnum(*text) || *text == '_' || *text == '.';
      g_string_append_c(out, *text++);
    } while (word && (g_ascii_isalnum(*text) || *text == '_' || *text == '.'));
  }
  return g_string_free(out, FALSE);
}

gboolean cli_value(const CliStepper *s, const char *text, double *value, GError **error)
{
  g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
  g_autofree char *formula = with_names(s, text, paths);
  Names names = {s, paths};
  return hy_formula_value(formula, named, &names, value, error);
}

gboolean cli_holds(const CliStepper *s, const char *text)
{
  double value;
  return cli_value(s, text, &value, NULL) && value != 0;
}
