/* Blocks of vectors, which are repeated ones, and sinks, which are records. */
#include "editor-export/pdm_job.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

/* Vectors ----------------------------------------------------------------------------------------
 */

/* The vector at the only input with [INDEX] behind it. */
static char *element_at(const Job *j, const char *index)
{
  return pdm_signal(j->im, j->scope, j->k, 0, index);
}

static int whole_number(const Job *j, guint row)
{
  double v = pdm_number(j->im, j->b, j->klass, row, 0);
  if (!(v == floor(v) && fabs(v) <= 1e6)) {
    pdm_error(j->im, j->b, j->b->line, "parameter %s: a whole number is expected, and not %g",
              j->klass->rows[row].theirs, v);
    return 0;
  }
  return (int)v;
}

static void add_pick(Job *j)
{
  int index = whole_number(j, 0);
  guint size = pdm_size_at(j->im, j->scope, j->k, 0);
  if (index < 0 || (guint)index >= MAX(size, 1)) {
    pdm_error(j->im, j->b, j->b->line, "Index = %d: what comes has the elements 0 to %u", index,
              MAX(size, 1) - 1);
    index = 0;
  }
  g_autofree char *suffix = g_strdup_printf("[%d]", index + 1);
  g_autofree char *text = element_at(j, suffix);
  hy_format_set(j->node, "in", text);
  hy_format_set(j->node, "k", "1");
}

static void add_put(Job *j)
{
  g_autofree char *text = element_at(j, "[1]");
  pdm_job_set(j->node, "in", "if(i == %d, %s, 0)", whole_number(j, 0) + 1, text);
}

static void add_select(Job *j)
{
  int from = whole_number(j, 0);
  g_autofree char *suffix = from == 0 ? g_strdup("[i]") : g_strdup_printf("[i + %d]", from);
  g_autofree char *text = element_at(j, suffix);
  hy_format_set(j->node, "in", text);
}

static void add_shifted(Job *j)
{
  int by = whole_number(j, 0), size = (int)pdm_size_at(j->im, j->scope, j->k, 0);
  for (guint c = 0; c < j->scope->couplings->len; c++) {
    const PdmCoupling *at = &g_array_index(j->scope->couplings, PdmCoupling, c);
    if (at->from == j->k && at->from_port > 0) {
      pdm_error(j->im, j->b, at->line, "the second output of an Index Shift has no equal here");
    }
  }
  g_autofree char *suffix = g_strdup_printf("[i - %d]", by);
  g_autofree char *text = element_at(j, by < 0 ? "[i]" : suffix);
  if (by >= 0) {
    pdm_job_set(j->node, "in", "if(i > %d, %s, 0)", by, text);
  } else {
    g_autofree char *ahead = g_strdup_printf("[i + %d]", -by);
    g_autofree char *moved = element_at(j, ahead);
    pdm_job_set(j->node, "in", "if(i + %d <= %d, %s, 0)", -by, size, moved);
  }
}

static void add_total(Job *j)
{
  g_autofree char *text = element_at(j, "[*]");
  g_autofree char *k = pdm_job_part(j, 0);
  hy_format_set(j->node, "in", text);
  if (strcmp(k, "1") != 0) {
    guint n = MAX(1, pdm_size_at(j->im, j->scope, j->k, 0));
    g_autoptr(GString) list = g_string_new(k);
    for (guint i = 1; i < n; i++) {
      g_string_append_printf(list, ", %s", k);
    }
    hy_format_set(j->node, "k", list->str);
  }
}

/* Row i of A: the factors A[(i - 1) n + 1], ..., of a parameter array with all of them. */
static void add_matrix(Job *j)
{
  const PdmParam *p = pdm_find(j->b, j->klass, 0);
  PdmParam usual = {.name = "A", .type = "Str", .value = "[0 1;-1 -1]"};
  ScilabValue v;
  if (!pdm_matrix(j->im, j->b, p != NULL ? p : &usual, &v)) {
    return;
  }
  guint n = v.columns;
  g_autoptr(GString) factors = g_string_new(NULL), rows = g_string_new(NULL);
  for (guint k = 0; k < v.rows * v.columns; k++) {
    char text[HY_DOUBLE_SIZE];
    g_string_append_printf(rows, "%s%s", k > 0 ? ", " : "", hy_double_text(text, v.number[k]));
  }
  g_autofree char *array = g_strdup_printf("%s_A", pdm_name(j->im, j->b));
  for (guint k = 0; k < n; k++) {
    g_string_append_printf(factors, "%s%s[(i - 1)*%u + %u]", k > 0 ? ", " : "", array, n, k + 1);
  }
  if (v.rows * v.columns == 1) {
    g_string_assign(factors, rows->str);
  } else {
    pdm_job_let(j, array, rows->str);
  }
  guint size = pdm_size_at(j->im, j->scope, j->k, 0);
  if (size > 0 && size != n) {
    pdm_error(j->im, j->b, j->b->line, "A has %u columns, and a vector of %u comes", n, size);
  }
  scilab_clear(&v);
  g_autofree char *text = element_at(j, "[*]");
  hy_format_set(j->node, "in", text);
  hy_format_set(j->node, "k", factors->str);
}

/* y[to] = x[from] for each row (from, to) of map, from 0; what no row names is 0. */
static void add_mapped(Job *j)
{
  const PdmParam *p = pdm_find(j->b, j->klass, 0);
  PdmParam usual = {.name = "map", .type = "Str", .value = "[0 1; 0 0]"};
  ScilabValue v;
  if (!pdm_matrix(j->im, j->b, p != NULL ? p : &usual, &v)) {
    return;
  }
  g_autoptr(GString) choice = g_string_new("0");
  for (guint k = v.columns == 2 ? v.rows : 0; k-- > 0;) {
    g_autofree char *suffix = g_strdup_printf("[%.0f]", v.number[2 * (gsize)k] + 1);
    g_autofree char *source = element_at(j, suffix);
    g_autofree char *rest = g_strdup(choice->str);
    g_string_printf(choice, "if(i == %.0f, %s, %s)", v.number[2 * (gsize)k + 1] + 1, source, rest);
  }
  if (v.columns != 2 || v.rows > 100) {
    pdm_error(j->im, j->b, j->b->line, "map has up to 100 rows of 2 numbers, and not %ux%u", v.rows,
              v.columns);
  }
  scilab_clear(&v);
  hy_format_set(j->node, "in", choice->str);
}

/* Those whose inputs are more than one attribute each. FALSE: none of them. */
gboolean pdm_job_vector(Job *j)
{
  static const struct {
    PdmKindOfBlock kind;
    void (*add)(Job *j);
  } kinds[] = {{PDM_PICK, add_pick},       {PDM_PUT, add_put},     {PDM_SELECT, add_select},
               {PDM_SHIFTED, add_shifted}, {PDM_TOTAL, add_total}, {PDM_MATRIX, add_matrix},
               {PDM_MAPPED, add_mapped}};
  for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
    if (kinds[k].kind == j->klass->kind) {
      kinds[k].add(j);
      return TRUE;
    }
  }
  return FALSE;
}

/* Records ----------------------------------------------------------------------------------------
 */

/* What stands in quotes behind "title" in the options of a curve. Newly allocated; NULL: nothing.
 */
static char *title_of(const char *options)
{
  const char *at = strstr(options, "title");
  at = at != NULL ? at + strcspn(at, "'\"") : "";
  const char *end = *at != '\0' ? strchr(at + 1, *at) : NULL;
  return end != NULL && end > at + 1 ? g_strndup(at + 1, (gsize)(end - at - 1)) : NULL;
}

static char *label_of(const Job *j, int port)
{
  if (strcmp(j->klass->block, "To Workspace") == 0) {
    return pdm_text(j->b, j->klass, 1);
  }
  if (strcmp(j->klass->block, "GnuPlot") != 0 || port >= 5) {
    return NULL;
  }
  g_autofree char *options = pdm_text(j->b, j->klass, (guint)port + 2);
  return title_of(options);
}

void pdm_job_records(Job *j)
{
  for (int port = 0; port < j->b->n_in; port++) {
    guint n;
    g_autofree char *sources = pdm_sources(j->im, j->scope, j->k, port, "[*]", &n);
    g_autofree char *label = label_of(j, port);
    g_auto(GStrv) words = g_strsplit(sources, " ", -1);
    for (char **word = words; n > 0 && *word != NULL; word++) {
      g_autofree char *path = NULL;
      gboolean own = strchr(*word, '.') == NULL && j->scope->parent != NULL;
      for (guint c = 0; own && c < j->scope->blocks->len; c++) {
        gsize length = strcspn(*word, "[");
        const char *name = pdm_name(j->im, g_ptr_array_index(j->scope->blocks, c));
        own = strlen(name) != length || strncmp(name, *word, length) != 0;
      }
      gsize stem = strlen(j->path);
      path = own && stem > 0 ? g_strdup_printf("%.*s.%s", (int)stem - 1, j->path, *word)
                             : g_strconcat(j->path, *word, NULL);
      if (g_hash_table_contains(j->im->recorded, path)) {
        continue;
      }
      xmlNode *record = hy_format_add(j->im->experiment, "record", j->b->line);
      hy_format_set(record, "path", path);
      if (label != NULL && *label != '\0') {
        hy_format_set(record, "label", label);
      }
      g_hash_table_add(j->im->recorded, g_steal_pointer(&path));
    }
  }
  if (strcmp(j->klass->block, "ToWav") == 0) {
    pdm_warn(j->im, j->b, j->b->line,
             "its input is recorded: --grid 1/44100 -o x.wav writes it as sound");
  }
}
