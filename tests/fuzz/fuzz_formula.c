/* Any text: reading, folding and printing end without harm, and what is printed reads as the same
 * tree. */
#include "expr/formula_measure.h"

#include <stdlib.h>
#include <string.h>

/* Names beginning with "s" are signals, with "a" arrays of three numbers, with "u" unknown; the
 * rest are numbers. */
static HyNameKind value_of(gpointer user, const HyFormula *ref, const gint64 *at,
                           HyNameValue *value, GError **error)
{
  static const double three[] = {0.5, -2, 3};
  guint n = (guint)ref->n_index + ref->n_port_index;
  (void)user;
  switch (ref->ref.name[0]) {
  case 'u':
    g_set_error(error, g_quark_from_static_string("fuzz"), 1, "unknown");
    return HY_NAME_ERROR;
  case 's':
    return HY_NAME_SIGNAL;
  case 'a':
    if (n == 0) {
      value->numbers = three;
      value->n = G_N_ELEMENTS(three);
      return HY_NAME_NUMBERS;
    }
    break;
  default:
    break;
  }
  value->number = (double)strlen(ref->ref.name) - 2.5 + (n > 0 ? (double)(at[n - 1] % 7) : 0);
  return HY_NAME_NUMBER;
}

static gboolean extent_of(gpointer user, const HyFormula *ref, const gint64 *at, guint dim,
                          gint64 *lo, gint64 *hi, GError **error)
{
  (void)user, (void)ref, (void)at, (void)error;
  *lo = 1;
  *hi = dim < 4 ? dim + 2 : 1; /* at most 120 elements */
  return TRUE;
}

static gboolean sliced(const char *text) /* large slices only take time */
{
  return strstr(text, "..") != NULL;
}

static void check(gboolean holds)
{
  if (!holds) {
    abort();
  }
}

static void try_folding(HyFormulaPool *pool, HyTextKind kind, const HyFormula *tree)
{
  const HyFormulaScope scope = {.value = value_of, .extent = extent_of};
  g_autoptr(GError) error = NULL;
  g_autoptr(HyFormulaPool) scratch = hy_formula_pool_new();
  const HyFormula *folded = hy_formula_fold(scratch, tree, &scope, &error);
  check((folded == NULL) == (error != NULL));
  if (folded == NULL) {
    return;
  }
  const HyFormula *twice = hy_formula_fold(scratch, folded, &scope, &error);
  check(twice != NULL && hy_formula_equal(folded, twice));
  g_autofree char *text = hy_formula_text(folded);
  if (strlen(text) < HY_FORMULA_BYTES && folded->n > 0 && kind != HY_TEXT_ENDS) {
    const HyFormula *again = hy_formula_parse(pool, kind, text, &error);
    const HyFormula *same = again == NULL ? NULL : hy_formula_fold(scratch, again, &scope, &error);
    check(same != NULL && hy_formula_equal(folded, same));
  }
}

static void try_text(HyFormulaPool *pool, HyTextKind kind, const char *text)
{
  g_autoptr(GError) error = NULL;
  const HyFormula *tree = hy_formula_parse(pool, kind, text, &error);
  check((tree == NULL) == (error != NULL));
  if (tree == NULL) {
    check(g_utf8_validate(error->message, -1, NULL));
    return;
  }
  g_autofree char *printed = hy_formula_text(tree);
  const HyFormula *again = hy_formula_parse(pool, kind, printed, &error);
  check(again != NULL && hy_formula_equal(tree, again));
  if (!sliced(text)) {
    try_folding(pool, kind, tree);
  }
}

/* A path with one part and no pattern meets itself. */
static void try_matching(const HyPath *path, const char *text)
{
  g_autoptr(GString) printed = g_string_new(NULL);
  hy_path_print(path, printed);
  if (path->n == 1 && path->port == NULL && !path->pattern && strchr(printed->str, '-') == NULL) {
    check(hy_path_part_meets(&path->part[0], printed->str));
  }
  for (guint k = 0; k < path->n; k++) {
    (void)hy_path_part_meets(&path->part[k], text);
    (void)hy_path_part_meets(&path->part[k], "cell[1,2]:in[2]");
  }
  if (path->port != NULL) {
    (void)hy_path_port_meets(path, text);
  }
}

static void try_paths(HyFormulaPool *pool, const char *text)
{
  const HyFormulaScope scope = {.value = value_of, .extent = extent_of};
  g_autoptr(GError) error = NULL;
  const HyPaths *paths = hy_paths_parse(pool, text, &error);
  check((paths == NULL) == (error != NULL));
  for (guint i = 0; paths != NULL && i < paths->n; i++) {
    g_autoptr(GString) printed = g_string_new(NULL);
    hy_path_print(paths->path[i], printed);
    check(hy_path_parse(pool, printed->str, &error) != NULL);
    const HyPath *folded = hy_path_fold(pool, paths->path[i], &scope, NULL);
    if (folded != NULL) {
      g_string_truncate(printed, 0);
      hy_path_print(folded, printed);
      try_matching(folded, text);
    }
  }
}

static char *same_path(gpointer user, const char *path, GError **error)
{
  (void)user, (void)error;
  return g_strdup(path);
}

/* A measure is one, or it is said what is wrong; what is no path goes through a map as it is. */
static void try_measure(const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *mapped = hy_measure_map(text, same_path, NULL, NULL);
  g_autoptr(HyMeasureText) x = hy_measure_parse(text, &error);
  check(strcmp(mapped, text) == 0);
  check((x == NULL) == (error != NULL) && (x == NULL || x->terms->len > 0));
  check(error == NULL || g_utf8_validate(error->message, -1, NULL));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
  if (size < 1) {
    return 0;
  }
  g_autofree char *text = g_strndup((const char *)data + 1, size - 1);
  g_autoptr(HyFormulaPool) pool = hy_formula_pool_new();
  guint kind = data[0] % 5;
  if (kind == 4) {
    try_paths(pool, text);
  } else {
    try_text(pool, (HyTextKind)kind, text);
  }
  if (kind == HY_TEXT_EXPRESSION) {
    try_measure(text);
  }
  return 0;
}
