/* Values of parameters: a number stays as it was written, an expression becomes a formula over the
 * parameters that a start script made, a reference the parameter that it names. What only Scilab's
 * functions know is computed here. */
#include "base/hint.h"
#include "editor-export/pdm_import.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

static char *say(const PdmBlock *block, const char *format, va_list args)
{
  g_autofree char *text = g_strdup_vprintf(format, args);
  return block != NULL && block->parent != NULL
             ? g_strdup_printf("block \"%s\": %s", block->name, text)
             : g_steal_pointer(&text);
}

void pdm_error(Import *im, const PdmBlock *block, guint line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = say(block, format, args);
  va_end(args);
  hy_report_error(im->report, im->file->file, line, "%s", text);
}

void pdm_warn(Import *im, const PdmBlock *block, guint line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = say(block, format, args);
  va_end(args);
  hy_report_warning(im->report, im->file->file, line, "%s", text);
}

void pdm_warn_once(Import *im, guint line, const char *text)
{
  if (g_hash_table_add(im->told, hy_key(text))) {
    hy_report_warning(im->report, im->file->file, line, "%s", text);
  }
}

static gboolean is_of_palette(const PdmClass *klass, const char *theirs)
{
  return klass->rows[pdm_row(klass, theirs)].theirs != NULL;
}

/* PowerDEVS goes by the order of the parameters alone. A drawing says their names, too, which may
 * be those of another palette: then the place counts. */
const PdmParam *pdm_find(const PdmBlock *block, const PdmClass *klass, guint row)
{
  const PdmRow *wanted = pdm_class_row(klass, row);
  const PdmParam *there =
      row < block->params->len ? &g_array_index(block->params, PdmParam, row) : NULL;
  if (!block->drawn) {
    return there;
  }
  const PdmParam *named = wanted != NULL ? pdm_param(block, wanted->theirs) : NULL;
  gboolean other = wanted != NULL && named == NULL && there != NULL;
  return other && !is_of_palette(klass, there->name) ? there : named;
}

guint pdm_row(const PdmClass *klass, const char *theirs)
{
  guint k = 0;
  while (klass->rows[k].theirs != NULL && strcmp(klass->rows[k].theirs, theirs) != 0) {
    k++;
  }
  return k;
}

char *pdm_text(const PdmBlock *block, const PdmClass *klass, guint row)
{
  const PdmParam *p = pdm_find(block, klass, row);
  const PdmRow *r = pdm_class_row(klass, row);
  char *text = p != NULL ? pdm_value(block, p) : NULL;
  if (text == NULL && r != NULL) {
    text = strchr(r->usual, '%') == NULL ? g_strdup(r->usual) : pdm_option(r->usual);
  }
  return text != NULL ? text : g_strdup("");
}

/* The value of TEXT, a parameter of BLOCK; FALSE: reported. */
static gboolean evaluate(Import *im, const PdmBlock *block, const PdmParam *p, const char *text,
                         ScilabValue *value)
{
  g_autofree char *why = NULL;
  if (text[strspn(text, " \t")] == '\0') {
    why = g_strdup("it is empty, and a number is expected");
  } else if (scilab_eval(im->scilab, text, value, &why)) {
    return TRUE;
  }
  pdm_error(im, block, p->line, "parameter %s = %.80s: %s", *p->name != '\0' ? p->name : "?", text,
            why);
  return FALSE;
}

gboolean pdm_matrix(Import *im, const PdmBlock *block, const PdmParam *p, ScilabValue *value)
{
  g_autofree char *text = pdm_value(block, p);
  if (text == NULL) {
    pdm_error(im, block, p->line, "parameter %s = %s: no model around it has a parameter %s",
              p->name, p->value, p->value + 1);
    return FALSE;
  }
  return evaluate(im, block, p, text, value);
}

static const char *rename_variable(const char *name, gpointer user)
{
  const Import *im = user;
  const ScilabVariable *v = scilab_find(im->scilab, name);
  return v != NULL && v->value.rows == 1 && v->value.columns == 1 ? pdm_name(im, v) : NULL;
}

static char *double_text(double v)
{
  char text[HY_DOUBLE_SIZE];
  return g_strdup(hy_double_text(text, v));
}

char *pdm_number_text(Import *im, const PdmBlock *block, const PdmParam *p)
{
  const PdmBlock *where = block;
  const PdmParam *from = *p->value == '%' ? pdm_resolve(block, p, &where) : p;
  ScilabValue value;
  if (!pdm_matrix(im, block, p, &value)) {
    return NULL;
  }
  gboolean one = value.rows == 1 && value.columns == 1;
  double v = value.number[0];
  scilab_clear(&value);
  if (!one) {
    pdm_error(im, block, p->line, "parameter %s = %.80s: one number is expected", p->name,
              p->value);
    return NULL;
  }
  if (from != NULL && from != p && strcmp(from->type, "Lst") != 0) { /* the first on the way */
    const PdmParam *first = NULL;
    for (const PdmBlock *b = block->parent; b != NULL && first == NULL; b = b->parent) {
      first = pdm_param(b, p->value + 1);
    }
    return g_strdup(pdm_name(im, first));
  }
  char *formula = from == p ? scilab_formula(p->value, rename_variable, im) : NULL;
  return formula != NULL ? formula : double_text(v);
}

char *pdm_list_text(const ScilabValue *value)
{
  g_autoptr(GString) list = g_string_new(NULL);
  for (guint j = 0; j < value->columns; j++) {
    for (guint i = 0; i < value->rows; i++) {
      char text[HY_DOUBLE_SIZE];
      g_string_append(list, list->len > 0 ? ", " : "");
      g_string_append(list, hy_double_text(text, value->number[i * value->columns + j]));
    }
  }
  return g_string_free(g_steal_pointer(&list), FALSE);
}

double pdm_number(Import *im, const PdmBlock *block, const PdmClass *klass, guint row,
                  double fallback)
{
  const PdmParam *p = pdm_find(block, klass, row);
  ScilabValue value;
  if (p == NULL) {
    const PdmRow *r = pdm_class_row(klass, row);
    return r != NULL && *r->usual != '\0' ? g_ascii_strtod(r->usual, NULL) : fallback;
  }
  if (!pdm_matrix(im, block, p, &value)) {
    return fallback;
  }
  double v = value.number[0];
  scilab_clear(&value);
  return v;
}

/* Attributes -------------------------------------------------------------------------------------
 */

static void set_method(Import *im, xmlNode *node, const PdmBlock *block, const PdmParam *p)
{
  g_autofree char *text = pdm_value(block, p);
  gboolean equal = TRUE;
  const char *ours = text != NULL ? pdm_method(text, &equal) : NULL;
  if (ours == NULL) {
    pdm_error(im, block, p->line, "the method \"%s\" is not known", text != NULL ? text : p->value);
    return;
  }
  if (!equal) {
    pdm_warn(im, block, p->line, "method %s is not known here; %s is taken", text, ours);
  }
  hy_format_set(node, "method", ours);
}

/* One number counts for all copies; a list is looked into by the index. */
static void set_list(Import *im, xmlNode *node, const char *name, const PdmBlock *block,
                     const PdmParam *p)
{
  ScilabValue value;
  if (!pdm_matrix(im, block, p, &value)) {
    return;
  }
  g_autofree char *list = pdm_list_text(&value);
  guint n = value.rows * value.columns;
  scilab_clear(&value);
  if (n == 1) {
    hy_format_set(node, name, list);
    return;
  }
  g_autofree char *array = g_strdup_printf("%s_%s", pdm_name(im, block), name);
  g_autofree char *element = g_strdup_printf("%s[i]", array);
  xmlNode *let = xmlNewNode(node->ns, BAD_CAST "let");
  xmlAddPrevSibling(node, let);
  hy_format_set(let, "name", array);
  hy_format_set(let, "value", list);
  let->_private = node->_private;
  hy_format_set(node, name, element);
}

static void set_row(Import *im, xmlNode *node, const PdmBlock *block, const PdmRow *r,
                    const PdmParam *p)
{
  g_autofree char *text = NULL;
  switch (r->how) {
  case PDM_NUMBER:
    if (*p->value == '\0' && *r->usual == '\0') {
      return;
    }
    text = pdm_number_text(im, block, p);
    break;
  case PDM_PERCENT: {
    g_autofree char *percent = pdm_number_text(im, block, p);
    text = percent != NULL ? g_strdup_printf("(%s)/100", percent) : NULL;
    break;
  }
  case PDM_TEXT:
    text = pdm_value(block, p);
    break;
  case PDM_METHOD:
    set_method(im, node, block, p);
    return;
  case PDM_LIST:
    set_list(im, node, r->ours, block, p);
    return;
  default:
    return;
  }
  if (text != NULL) {
    hy_format_set(node, r->ours, text);
  }
}

/* Names and places that are not those of the palette. */
static void check_names(Import *im, const PdmBlock *block, const PdmClass *klass)
{
  for (guint k = 0; k < block->params->len && block->drawn; k++) {
    const PdmParam *p = &g_array_index(block->params, PdmParam, k);
    guint row = pdm_row(klass, p->name);
    if (klass->rows[row].theirs == NULL && pdm_find(block, klass, k) == p) {
      pdm_warn(im, block, p->line, "%s has no parameter %s; by its place it is %s", klass->block,
               p->name, klass->rows[k].theirs);
    } else if (klass->rows[row].theirs == NULL) {
      pdm_warn(im, block, p->line, "%s has no parameter %s; it is ignored", klass->block, p->name);
    } else if (row != k && pdm_param(block, p->name) == p && row < k) {
      pdm_warn(im, block, p->line,
               "parameter %s stands in another place than in the palette; PowerDEVS goes by places",
               p->name);
    }
  }
}

void pdm_set_values(Import *im, xmlNode *node, const PdmBlock *block, const PdmClass *klass)
{
  check_names(im, block, klass);
  const PdmRow *r;
  for (guint k = 0; (r = pdm_class_row(klass, k)) != NULL; k++) {
    const PdmParam *p = pdm_find(block, klass, k);
    if (p != NULL) {
      set_row(im, node, block, r, p);
      continue;
    }
    gboolean size = r->ours != NULL && strcmp(r->ours, "count") == 0; /* pdm_add_block() */
    if (r->how != PDM_IGNORED && *r->usual != '\0' && !size) {
      pdm_warn(im, block, block->line, "parameter %s is missing; %s is taken, as in the palette",
               r->theirs, r->usual);
    }
    PdmParam usual = {.name = r->theirs,
                      .type = r->how == PDM_METHOD ? "Lst" : "Str",
                      .value = r->usual,
                      .line = block->line};
    if (r->how != PDM_IGNORED && r->how != PDM_SPECIAL) {
      set_row(im, node, block, r, &usual);
    }
  }
}
