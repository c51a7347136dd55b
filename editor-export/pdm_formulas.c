/* Formulas of our language as expressions of Scilab: what a person wrote as 1/L stays 1/L. */
#include "editor-export/pdm_export_job.h"
#include "editor-export/scilab_read.h"

#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS  "0123456789"

/* Digits with a point, an exponent or a suffix (4.7k) of *TEXT. FALSE: it is something else. */
static gboolean copy_number(GString *out, const char **text)
{
  static const struct {
    char suffix;
    const char *exponent;
  } suffixes[] = {{'f', "e-15"}, {'p', "e-12"}, {'n', "e-9"}, {'u', "e-6"}, {'m', "e-3"},
                  {'k', "e3"},   {'M', "e6"},   {'G', "e9"},  {'T', "e12"}};
  gsize n = strspn(*text, DIGITS ".");
  const char *end = *text + n;
  g_string_append_len(out, *text, (gssize)n);
  gsize e = *end == 'e' || *end == 'E' ? 1 : 0;
  e += e > 0 && (end[1] == '+' || end[1] == '-') ? 1 : 0;
  if (e > 0 && g_ascii_isdigit(end[e])) {
    gsize digits = e + strspn(end + e, DIGITS);
    g_string_append_len(out, end, (gssize)digits);
    end += digits;
  }
  for (guint k = 0; k < G_N_ELEMENTS(suffixes); k++) {
    if (*end == suffixes[k].suffix) {
      g_string_append(out, suffixes[k].exponent);
      end++;
      break;
    }
  }
  *text = end;
  return *end == '\0' || strchr(LETTERS DIGITS ".", *end) == NULL;
}

gboolean pdm_is_number(const char *text, double *value)
{
  g_autoptr(GString) out = g_string_new(*text == '-' ? "-" : "");
  const char *digits = text + (*text == '-' ? 1 : 0);
  if ((!g_ascii_isdigit(*digits) && *digits != '.') || !copy_number(out, &digits) ||
      *digits != '\0') {
    return FALSE;
  }
  char *end = NULL;
  *value = g_ascii_strtod(out->str, &end);
  return *end == '\0';
}

/* A parameter called NAME around a block of SCOPE. */
static gboolean is_parameter(const PdmBlock *scope, const char *name)
{
  for (const PdmBlock *b = scope; b != NULL; b = b->parent) {
    if (pdm_param(b, name) != NULL) {
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean copy_word(GString *out, const char **text, const PdmBlock *scope, const Scilab *s)
{
  gsize n = strspn(*text, LETTERS DIGITS);
  g_autofree char *word = g_strndup(*text, n);
  *text += n;
  if (**text == '(') {
    g_string_append(out, word);
    return scilab_is_ours(word);
  }
  if (strcmp(word, "pi") == 0) {
    g_string_append(out, "%pi");
    return TRUE;
  }
  g_string_append(out, word);
  return !is_parameter(scope, word) && scilab_find(s, word) != NULL;
}

char *pdm_expression(const char *formula, const PdmBlock *scope, const Scilab *s)
{
  gsize n = strlen(formula);
  if (n > 0 && strspn(formula, LETTERS DIGITS) == n && is_parameter(scope, formula)) {
    return g_strdup_printf("%%%s", formula);
  }
  g_autoptr(GString) out = g_string_new(NULL);
  while (*formula != '\0') {
    if (g_ascii_isdigit(*formula) || (*formula == '.' && g_ascii_isdigit(formula[1]))) {
      if (!copy_number(out, &formula)) {
        return NULL;
      }
    } else if (strchr(LETTERS, *formula) != NULL) {
      if (!copy_word(out, &formula, scope, s)) {
        return NULL;
      }
    } else if (strchr("+-*/^() ", *formula) != NULL) {
      g_string_append_c(out, *formula++);
    } else {
      return NULL;
    }
  }
  /* A value that begins with % would be a reference. */
  return *g_strstrip(out->str) == '%' ? g_strdup_printf("1*%s", out->str)
         : *out->str != '\0'          ? g_strdup(out->str)
                                      : NULL;
}

/* A model on its way ------------------------------------------------------------------------------
 */

#define LONGEST 24 /* letters of a name in Scilab */

void pdm_begin_script(Export *e)
{
  const xmlNode *root = e->doc != NULL ? xmlDocGetRootElement(e->doc) : NULL;
  for (const xmlNode *p = root != NULL ? root->children : NULL; p != NULL; p = p->next) {
    if (!pdm_is_element(p, "param")) {
      continue;
    }
    g_autofree char *name = pdm_attribute(p, "name"), *value = pdm_attribute(p, "value"),
                    *why = NULL;
    g_autofree char *text = pdm_expression(value, NULL, e->scilab);
    g_autofree char *statement = g_strdup_printf("%s=%s", name, text != NULL ? text : "");
    if (text != NULL && strlen(name) <= LONGEST && scilab_run(e->scilab, statement, 0, &why)) {
      g_string_append_printf(e->script, "%s%s", e->script->len > 0 ? "; " : "", statement);
    }
  }
}

void pdm_add_script(Export *e)
{
  PdmBlock *root = e->file->root;
  if (e->is_asked) {
    hy_report_warning(e->report, e->file->file, 0,
                      "values stay formulas: PowerDEVS asks a running Scilab for them, and without "
                      "one takes the first number of each");
  }
  if (!e->is_used) {
    return;
  }
  PdmBlock *b = pdm_block_new(root, FALSE, root->line);
  ExportJob j = {.e = e, .b = b};
  b->drawn = TRUE;
  b->name = "Parameters";
  b->icon = "None";
  b->color = 15;
  pdm_take(&j, pdm_class("hybrid/runscilabjob.h"));
  pdm_set_param(&j, "Run at Init", "Str", e->script->str);
  pdm_set_param(&j, "Run at External", "Str", "");
  pdm_set_param(&j, "Run at Exit", "Str", "");
  guint last = root->blocks->len - 1;
  memmove(&root->blocks->pdata[1], root->blocks->pdata, last * sizeof(gpointer));
  root->blocks->pdata[0] = b;
  for (guint k = 0; k < root->couplings->len; k++) {
    PdmCoupling *c = &g_array_index(root->couplings, PdmCoupling, k);
    c->from += c->from >= 0;
    c->to += c->to >= 0;
  }
}

/* Whether EXPRESSION has the value V for a block in SCOPE. */
static gboolean has_value(const Export *e, PdmBlock *scope, const char *expression, double v)
{
  const PdmBlock inside = {.parent = scope};
  const PdmParam p = {.name = "", .type = "Str", .value = expression};
  g_autofree char *text = pdm_value(&inside, &p), *why = NULL;
  ScilabValue value;
  if (text == NULL || !scilab_eval(e->scilab, text, &value, &why)) {
    return FALSE;
  }
  gboolean same = scilab_is_scalar(&value) && value.number[0] == v;
  scilab_clear(&value);
  return same;
}

/* EXPRESSION stands in the drawing: what Scilab has to be asked for. */
static void note(Export *e, const char *expression)
{
  double v;
  gboolean asked = *expression != '%' && !pdm_is_number(expression, &v);
  e->is_asked = e->is_asked || asked;
  for (const char *at = expression; asked && *at != '\0' && !e->is_used;) {
    gsize n = strspn(at, LETTERS DIGITS);
    g_autofree char *word = g_strndup(at, n);
    e->is_used = scilab_find(e->scilab, word) != NULL;
    at += MAX(n, 1);
  }
}

void pdm_export_parameters(Export *e, PdmBlock *b, const xmlNode *element)
{
  for (const xmlNode *p = element->children; p != NULL; p = p->next) {
    if (!pdm_is_element(p, "param")) {
      continue;
    }
    g_autofree char *name = pdm_attribute(p, "name"), *doc = pdm_doc_of(p);
    g_autofree char *given = pdm_attribute(element, name), *usual = pdm_attribute(p, "value");
    g_autofree char *text = pdm_expression(*given != '\0' ? given : usual, b->parent, e->scilab);
    if (text == NULL || pdm_param(b, name) != NULL) {
      continue;
    }
    g_autofree char *raw = g_strdup_printf("Str; %s ; %s", text, pdm_keep_text(e, doc));
    PdmParam param = {.name = pdm_keep(e->file, name), .raw = pdm_keep(e->file, raw)};
    pdm_param_parse(e->file, &param);
    g_array_append_val(b->params, param);
    note(e, text);
  }
}

char *pdm_kept_expression(const ExportJob *j, const char *attribute, int place, double v)
{
  g_autofree char *text = j->element != NULL ? pdm_attribute(j->element, attribute) : g_strdup("");
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  const char *part = place < 0 ? text : (guint)place < g_strv_length(parts) ? parts[place] : "";
  g_autofree char *expression = pdm_expression(part, j->b->parent, j->e->scilab);
  double number;
  if (expression == NULL || pdm_is_number(expression, &number) ||
      !has_value(j->e, j->b->parent, expression, v)) {
    return NULL;
  }
  note(j->e, expression);
  return g_steal_pointer(&expression);
}
