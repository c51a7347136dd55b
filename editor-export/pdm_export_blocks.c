/* Blocks of ours as blocks of PowerDEVS: those of the table by its rows, what computes a formula as
 * an NLFunction, all others as a class that hydevs alone runs. */
#include "atomics/machine/machine.h"
#include "editor-export/pdm_export_job.h"
#include "expr/print.h"
#include "hydevs/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void pdm_refuse(ExportJob *j, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  HyBlockInfo info;
  hy_loaded_block(j->e->loaded, j->m, j->c, &info);
  g_autofree char *path = hy_model_path(j->m, j->c);
  hy_report_error(j->e->report, info.file != NULL ? info.file : j->e->file->file, info.line,
                  "%s: %s", path, text);
  j->e->failed = TRUE;
}

/* Texts as a file of PowerDEVS can have them. */
const char *pdm_keep_text(Export *e, const char *text)
{
  g_autoptr(GString) out = g_string_new(NULL);
  for (; *text != '\0'; text++) {
    g_string_append_c(out, *text == '"'                     ? '\''
                           : *text == ';'                   ? ','
                           : (guchar)*text < ' '            ? ' '
                           : *text == '/' && text[1] == '/' ? '|'
                                                            : *text);
  }
  return pdm_keep(e->file, g_strstrip(out->str));
}

/* Values ----------------------------------------------------------------------------------------
 */

static const HyParam *param_of(const ExportJob *j, const char *name)
{
  const HyParam *p = j->klass->params;
  while (p != NULL && p->name != NULL && strcmp(p->name, name) != 0) {
    p++;
  }
  return p != NULL && p->name != NULL ? p : NULL;
}

double pdm_real_of(const ExportJob *j, const char *name)
{
  const HyParam *p = param_of(j, name);
  if (p == NULL) {
    return 0;
  }
  const guint8 *field = j->state + p->offset;
  switch (p->kind) {
  case HY_REAL:
    return *(const double *)(gconstpointer)field;
  case HY_INTEGER:
    return (double)*(const gint64 *)(gconstpointer)field;
  case HY_BOOLEAN:
    return *(const gboolean *)(gconstpointer)field;
  default:
    return 0;
  }
}

static const HyReals *reals_of(const ExportJob *j, const char *name)
{
  const HyParam *p = param_of(j, name);
  return p != NULL && p->kind == HY_REALS ? (const HyReals *)(gconstpointer)(j->state + p->offset)
                                          : NULL;
}

void pdm_set_param(ExportJob *j, const char *name, const char *type, const char *value)
{
  g_auto(GStrv) parts = g_strsplit(value, ";", -1);
  g_autofree char *escaped = g_strjoinv("\\;", parts);
  g_autofree char *raw = g_strdup_printf("%s; %s ; ", type, escaped);
  PdmParam p = {.name = name,
                .type = type,
                .value = pdm_keep(j->e->file, value),
                .doc = "",
                .raw = pdm_keep(j->e->file, raw),
                .line = j->b->line};
  for (guint k = 0; k < j->b->params->len; k++) {
    if (strcmp(g_array_index(j->b->params, PdmParam, k).name, name) == 0) {
      g_array_index(j->b->params, PdmParam, k) = p;
      return;
    }
  }
  g_array_append_val(j->b->params, p);
}

static void set_number(ExportJob *j, const char *name, double v)
{
  char text[HY_DOUBLE_SIZE];
  if (!isfinite(v)) {
    pdm_refuse(j, "%s = %g: PowerDEVS has no such number", name, v);
  }
  pdm_set_param(j, name, "Str", hy_double_text(text, v));
}

/* The number V, which ATTRIBUTE says, as it was written. */
static void set_kept(ExportJob *j, const char *name, const char *attribute, int place, double v)
{
  g_autofree char *text = pdm_kept_expression(j, attribute, place, v);
  if (text != NULL) {
    pdm_set_param(j, name, "Str", text);
  } else {
    set_number(j, name, v);
  }
}

static void set_method(ExportJob *j, const char *list)
{
  const HyParam *p = param_of(j, "method");
  const char *ours =
      p != NULL ? *(const char *const *)(gconstpointer)(j->state + p->offset) : "qss2";
  const char *theirs = pdm_method_theirs(ours);
  HyBlockInfo info;
  hy_loaded_block(j->e->loaded, j->m, j->c, &info);
  if (theirs == NULL || info.method == NULL || strcmp(info.method, "auto") == 0) {
    if (theirs == NULL) {
      hy_report_warning(j->e->report, info.file != NULL ? info.file : j->e->file->file, info.line,
                        "method %s is not one of PowerDEVS; QSS3 is taken", ours);
    }
    theirs = theirs != NULL && info.method != NULL ? theirs : "QSS3";
  }
  g_autofree char *value = pdm_choose(list, theirs);
  pdm_set_param(j, "Method", "Lst", value != NULL ? value : list);
}

/* All rows of KLASS: what the block says, else what is usual. */
static void set_rows(ExportJob *j, const PdmClass *klass)
{
  const PdmRow *r;
  for (guint k = 0; (r = pdm_class_row(klass, k)) != NULL; k++) {
    if (r->how == PDM_METHOD) {
      set_method(j, r->usual);
    } else if (r->how == PDM_NUMBER && r->ours != NULL && param_of(j, r->ours) != NULL) {
      const HyReals *list = reals_of(j, r->ours);
      double v = list == NULL ? pdm_real_of(j, r->ours) : list->n > 0 ? list->v[0] : 0;
      set_kept(j, r->theirs, r->ours, -1, v);
    } else {
      gboolean is_list = g_ascii_isdigit(*r->usual) && strchr(r->usual, '%') != NULL;
      pdm_set_param(j, r->theirs, is_list ? "Lst" : "Str", r->usual);
    }
  }
}

/* Blocks ----------------------------------------------------------------------------------------
 */

void pdm_take(ExportJob *j, const PdmClass *klass)
{
  g_autofree char *path = g_strdup_printf("%s.h", klass->path);
  j->b->path = pdm_keep(j->e->file, path);
  set_rows(j, klass);
}

static const PdmClass *class_for(const char *path)
{
  const PdmClass *klass = pdm_class(path);
  g_assert(klass != NULL);
  return klass;
}

/* A block with one output, the number V. */
void pdm_add_constant(Export *e, PdmBlock *scope, int to, int to_port, double v)
{
  PdmBlock *b = pdm_block_new(scope, FALSE, scope->line);
  ExportJob j = {.e = e, .b = b};
  char text[HY_DOUBLE_SIZE];
  b->drawn = TRUE;
  b->name = pdm_keep(e->file, hy_double_text(text, v));
  b->path = "sources/constant_sci.h";
  b->icon = "None";
  b->color = 15;
  b->n_out = 1;
  pdm_set_param(&j, "K", "Str", b->name);
  PdmCoupling c = {(int)scope->blocks->len - 1, 0, to, to_port, scope->line};
  g_array_append_val(scope->couplings, c);
}

/* A formula on its way into text. */
typedef struct {
  HyXBuilder *b;
  gboolean condition; /* there is one in it */
} Formula;

static void print_leaf(gpointer user, HyX x, GString *out)
{
  Formula *f = user;
  const HyNode *n = &f->b->node[x];
  if (n->op == HY_X_IN) {
    g_string_append_printf(out, "u%u", n->a);
    return;
  }
  g_autoptr(GString) side = g_string_new(NULL);
  HyXPrinter p = {.node = f->b->node, .leaf = print_leaf, .user = f, .most = 10000, .deepest = 200};
  hy_x_print(&p, n->a, side);
  f->condition = TRUE;
  g_string_append_printf(out, "%s > 0", side->str);
}

/* What a static block computes; NULL: it says no such thing in a few words. */
static char *formula_of(ExportJob *j, Formula *f)
{
  g_autoptr(GError) error = NULL;
  HyX out = 0;
  if (j->klass->describe == NULL || j->component->n_out != 1 ||
      !hy_x_describe(f->b, j->klass, j->state, j->component->n_in, 1, NULL, &out, &error)) {
    return NULL;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  HyXPrinter p = {.node = f->b->node, .leaf = print_leaf, .user = f, .most = 10000, .deepest = 200};
  hy_x_print(&p, out, text);
  return p.cut ? NULL : g_string_free(g_steal_pointer(&text), FALSE);
}

/* An expression of u0, u1, ... without conditions; FALSE: PowerDEVS has none for it. */
static gboolean take_function(ExportJob *j)
{
  Formula f = {.b = j->e->builder};
  g_autofree char *text = j->component->n_in <= 10 ? formula_of(j, &f) : NULL;
  if (text == NULL || f.condition) {
    return FALSE;
  }
  pdm_take(j, class_for("qss/qss_nlfunction.h"));
  pdm_set_param(j, "Expression", "Str", text);
  return TRUE;
}

static char *list_text(const HyParam *p, const guint8 *field)
{
  g_autoptr(GString) out = g_string_new(NULL);
  if (p->kind == HY_REALS) {
    const HyReals *list = (const HyReals *)(gconstpointer)field;
    for (guint k = 0; k < list->n; k++) {
      char text[HY_DOUBLE_SIZE];
      g_string_append_printf(out, "%s%s", k > 0 ? ", " : "", hy_double_text(text, list->v[k]));
    }
  } else {
    const HyValues *list = (const HyValues *)(gconstpointer)field;
    for (guint k = 0; k < list->n; k++) {
      g_string_append(out, k > 0 ? ", " : "");
      hy_value_text(out, &list->v[k]);
    }
  }
  return g_string_free(g_steal_pointer(&out), FALSE);
}

/* The value of one of our parameters as a model file says it; NULL: it cannot be said. */
static char *own_text(ExportJob *j, const HyParam *p)
{
  const guint8 *field = j->state + p->offset;
  Formula f = {.b = j->e->builder};
  char text[HY_DOUBLE_SIZE];
  switch (p->kind) {
  case HY_TEXT:
    return g_strdup(*(const char *const *)(gconstpointer)field);
  case HY_REALS:
  case HY_VALUES:
    return list_text(p, field);
  case HY_FORMULA:
    return formula_of(j, &f);
  case HY_BOOLEAN:
    return g_strdup(*(const gboolean *)(gconstpointer)field ? "true" : "false");
  default:
    return g_strdup(hy_double_text(text, pdm_real_of(j, p->name)));
  }
}

/* A block that PowerDEVS has not is drawn as one that hydevs alone runs: class hydevs/NAME.h. */
static void take_own(ExportJob *j)
{
  if (hy_class_find(j->klass->name) != j->klass) {
    pdm_refuse(j,
               hy_machine_of(j->klass) != NULL
                   ? "a %s cannot be drawn: PowerDEVS has no place for states and transitions"
                   : "%s cannot be drawn",
               j->klass->name);
    return;
  }
  g_autofree char *path = g_strdup_printf("hydevs/%s.h", j->klass->name);
  HyBlockInfo info;
  hy_loaded_block(j->e->loaded, j->m, j->c, &info);
  j->b->path = pdm_keep(j->e->file, path);
  for (const HyParam *p = j->klass->params; p != NULL && p->name != NULL; p++) {
    g_autofree char *text = own_text(j, p);
    if (text == NULL) {
      pdm_refuse(j, "%s cannot be said in a few words", p->name);
    } else if (*text != '\0') {
      pdm_set_param(j, p->name, "Str", text);
    }
  }
  hy_report_warning(j->e->report, info.file != NULL ? info.file : j->e->file->file, info.line,
                    "%s has no equal in PowerDEVS: it is drawn as %s, which hydevs alone runs",
                    j->klass->name, path);
}

gboolean pdm_is_class(const ExportJob *j, const char *name)
{
  return strcmp(j->klass->name, name) == 0;
}

static void take_sum(ExportJob *j)
{
  const HyReals *k = reals_of(j, "k");
  pdm_take(j, class_for("qss/qss_wsum.h"));
  for (guint i = 0; i < 8; i++) {
    static const char *const names[] = {"K[0]", "K[1]", "K[2]", "K[3]",
                                        "K[4]", "K[5]", "K[6]", "K[7]"};
    gboolean used = i < j->component->n_in;
    double v = !used ? 0 : k != NULL && k->n > 0 ? k->v[i] : 1;
    set_kept(j, names[i], "k", (int)i, v);
  }
}

/* A column of four numbers for each piece of a history. */
static void set_history(ExportJob *j)
{
  const HyReals *h = reals_of(j, "history");
  g_autoptr(GString) matrix = g_string_new("[");
  for (guint row = 0; row < 4; row++) {
    for (guint k = row; k < h->n; k += 4) {
      char text[HY_DOUBLE_SIZE];
      g_string_append_printf(matrix, "%s%s",
                             k > row   ? " "
                             : row > 0 ? "; "
                                       : "",
                             hy_double_text(text, h->v[k]));
    }
  }
  if (h->n == 0) {
    set_number(j, "y(t<0)", pdm_real_of(j, "initial"));
  } else {
    g_string_append_c(matrix, ']');
    pdm_set_param(j, "y(t<0)", "Str", matrix->str);
  }
}

/* What the rows alone do not say. */
static void take_special(ExportJob *j, const PdmClass *klass)
{
  if (klass->kind == PDM_PULSE) {
    set_number(j, "Amplitude", pdm_real_of(j, "high") - pdm_real_of(j, "low"));
  } else if (klass->kind == PDM_WAVE || klass->kind == PDM_RAISED) {
    set_number(j, klass->rows[0].theirs, pdm_real_of(j, "high"));
    if (pdm_is_class(j, "square")) {
      set_number(j, "d", 100 * pdm_real_of(j, "duty"));
    }
  } else if (klass->kind == PDM_NOISE) {
    set_number(j, "variance", pdm_real_of(j, "deviation") * pdm_real_of(j, "deviation"));
    pdm_set_param(j, "Random seed", "Str", "");
  } else if (klass->kind == PDM_POISSON) {
    set_number(j, "lambda", 1 / pdm_real_of(j, "mean"));
  } else if (pdm_is_class(j, "quantizer") && pdm_real_of(j, "hysteresis") > 0) {
    pdm_set_param(j, "Hysteresis", "Lst", "2%No%Yes%");
  } else if (pdm_is_class(j, "variable_delay")) {
    set_history(j);
  }
}

/* The class of theirs that is made of an element alone; NULL: none. */
static const PdmClass *find_class(const ExportJob *j)
{
  for (const PdmClass *k = pdm_classes(); k->path != NULL; k++) {
    if (!k->vector && k->same != PDM_NOT && k->palette != NULL && k->element != NULL &&
        strcmp(k->element, j->klass->name) == 0 && k->kind != PDM_FUNCTION &&
        k->kind != PDM_IMPLICIT && k->kind != PDM_WORKSPACE && k->kind != PDM_PICK &&
        k->kind != PDM_TOTAL && strcmp(k->path, "qss/pure_integrator") != 0 &&
        strcmp(k->path, "qss/xpower2") != 0 && strcmp(k->path, "realtime/clock_wait") != 0 &&
        strcmp(k->path, "sources/fromwav") != 0) {
      return k;
    }
  }
  return NULL;
}

static gboolean says(const ExportJob *j, const char *param, const char *text)
{
  const HyParam *p = param_of(j, param);
  return strcmp(*(const char *const *)(gconstpointer)(j->state + p->offset), text) == 0;
}

/* A knob turns at once, between two ends, and knows no more of itself. */
static gboolean is_knob(const ExportJob *j)
{
  return isfinite(pdm_real_of(j, "lower")) && isfinite(pdm_real_of(j, "upper")) &&
         isinf(pdm_real_of(j, "rate")) && says(j, "kind", "setting") && says(j, "unit", "");
}

/* TRUE: theirs says all that the block says. */
static gboolean fits(const ExportJob *j, const PdmClass *klass)
{
  if (pdm_is_class(j, "lever")) {
    return is_knob(j);
  }
  double high = pdm_real_of(j, "high");
  if (klass->kind == PDM_WAVE || klass->kind == PDM_RAISED) {
    return pdm_real_of(j, "low") == (klass->kind == PDM_WAVE ? -high : 0) &&
           pdm_real_of(j, "start") == 0;
  }
  if (klass->kind == PDM_POISSON) {
    const HyReals *value = reals_of(j, "value");
    return value->n == 1 && pdm_real_of(j, "limit") == 0;
  }
  return (!pdm_is_class(j, "sine") && !pdm_is_class(j, "ramp")) || pdm_real_of(j, "offset") == 0;
}

void pdm_take_class(ExportJob *j)
{
  const PdmClass *klass = find_class(j);
  if (pdm_is_class(j, "sum") && j->component->n_in <= 8) {
    take_sum(j);
  } else if (pdm_is_class(j, "sum") || (pdm_is_class(j, "product") && j->component->n_in != 2) ||
             (klass == NULL && j->klass->describe != NULL)) {
    if (!take_function(j)) {
      take_own(j);
    }
  } else if (klass == NULL || !fits(j, klass)) {
    take_own(j);
  } else {
    pdm_take(j, klass);
    take_special(j, klass);
  }
}

/* Which of their inputs our input PORT is; -1: none, it is left out. */
int pdm_input_of(const ExportJob *j, guint port)
{
  if (g_str_has_prefix(j->b->path, "hydevs/")) {
    return (int)port;
  }
  static const struct {
    const char *klass;
    int of[3];
  } turned[] = {
      {"switch", {1, 0, 2}}, {"variable_delay", {1, 0}}, {"reset_integrator", {0, 1, -1}}};
  for (guint k = 0; k < G_N_ELEMENTS(turned); k++) {
    if (pdm_is_class(j, turned[k].klass) && port < 3) {
      return turned[k].of[port];
    }
  }
  if (pdm_is_class(j, "place")) {
    return port == 0 ? 0 : -1; /* what is taken, PowerDEVS' transitions tell behind the scenes */
  }
  return (int)port;
}
