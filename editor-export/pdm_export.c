/* A loaded model as a drawing of PowerDEVS: what is repeated has become single blocks, formulas are
 * NLFunctions, values are numbers. What PowerDEVS has no block for is an error with its line; the
 * model would not be the same without it. */
#include "editor-export/pdm_export.h"
#include "coupled/model_internal.h"
#include "editor-export/pdm_classes.h"
#include "editor-export/pdm_format.h"
#include "expr/builder.h"
#include "expr/print.h"
#include "hydevs/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef struct {
  const HyLoaded *loaded;
  HyReport *report;
  PdmFile *file;
  HyXBuilder *builder;
  int *place; /* of the root's components: their blocks */
  gboolean failed;
} Export;

/* A component on its way. */
typedef struct {
  Export *e;
  const HyModel *m;
  guint c;
  const HyComponent *component;
  const HyAtomicClass *klass;
  guint8 *state; /* its parameters, as its struct begins */
  PdmBlock *b;
} Job;

static void refuse(Job *j, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void refuse(Job *j, const char *format, ...)
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
static const char *keep_text(Export *e, const char *text)
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

static const HyParam *param_of(const Job *j, const char *name)
{
  const HyParam *p = j->klass->params;
  while (p != NULL && p->name != NULL && strcmp(p->name, name) != 0) {
    p++;
  }
  return p != NULL && p->name != NULL ? p : NULL;
}

static double real_of(const Job *j, const char *name)
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

static const HyReals *reals_of(const Job *j, const char *name)
{
  const HyParam *p = param_of(j, name);
  return p != NULL && p->kind == HY_REALS ? (const HyReals *)(gconstpointer)(j->state + p->offset)
                                          : NULL;
}

static void set_param(Job *j, const char *name, const char *type, const char *value)
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

static void set_number(Job *j, const char *name, double v)
{
  char text[HY_DOUBLE_SIZE];
  if (!isfinite(v)) {
    refuse(j, "%s = %g: PowerDEVS has no such number", name, v);
  }
  set_param(j, name, "Str", hy_double_text(text, v));
}

/* Option WORD of a list such as "3%QSS%QSS2%". */
static char *choose(const char *list, const char *word)
{
  g_auto(GStrv) options = g_strsplit(list, "%", -1);
  guint k = 1;
  while (options[k] != NULL && strcmp(options[k], word) != 0) {
    k++;
  }
  return g_strdup_printf("%u%s", options[k] != NULL ? k : 1, strchr(list, '%'));
}

static void set_method(Job *j, const char *list)
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
  g_autofree char *value = choose(list, theirs);
  set_param(j, "Method", "Lst", value);
}

/* All rows of KLASS: what the block says, else what is usual. */
static void set_rows(Job *j, const PdmClass *klass)
{
  const PdmRow *r;
  for (guint k = 0; (r = pdm_class_row(klass, k)) != NULL; k++) {
    if (r->how == PDM_METHOD) {
      set_method(j, r->usual);
    } else if (r->how == PDM_NUMBER && r->ours != NULL && param_of(j, r->ours) != NULL) {
      const HyReals *list = reals_of(j, r->ours);
      set_number(j, r->theirs, list == NULL ? real_of(j, r->ours) : list->n > 0 ? list->v[0] : 0);
    } else {
      gboolean is_list = g_ascii_isdigit(*r->usual) && strchr(r->usual, '%') != NULL;
      set_param(j, r->theirs, is_list ? "Lst" : "Str", r->usual);
    }
  }
}

/* Blocks ----------------------------------------------------------------------------------------
 */

static void take(Job *j, const PdmClass *klass)
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
static void add_constant(Export *e, PdmBlock *scope, int to, int to_port, double v)
{
  PdmBlock *b = pdm_block_new(scope, FALSE, scope->line);
  Job j = {.e = e, .b = b};
  char text[HY_DOUBLE_SIZE];
  b->drawn = TRUE;
  b->name = pdm_keep(e->file, hy_double_text(text, v));
  b->path = "sources/constant_sci.h";
  b->icon = "None";
  b->color = 15;
  b->n_out = 1;
  set_param(&j, "K", "Str", b->name);
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
static char *formula_of(Job *j, Formula *f)
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
static gboolean take_function(Job *j)
{
  Formula f = {.b = j->e->builder};
  g_autofree char *text = j->component->n_in <= 10 ? formula_of(j, &f) : NULL;
  if (text == NULL || f.condition) {
    return FALSE;
  }
  take(j, class_for("qss/qss_nlfunction.h"));
  set_param(j, "Expression", "Str", text);
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
static char *own_text(Job *j, const HyParam *p)
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
    return g_strdup(hy_double_text(text, real_of(j, p->name)));
  }
}

/* A block that PowerDEVS has not is drawn as one that hydevs alone runs: class hydevs/NAME.h. */
static void take_own(Job *j)
{
  if (hy_class_find(j->klass->name) != j->klass) {
    refuse(j, "%s cannot be drawn", j->klass->name);
    return;
  }
  g_autofree char *path = g_strdup_printf("hydevs/%s.h", j->klass->name);
  HyBlockInfo info;
  hy_loaded_block(j->e->loaded, j->m, j->c, &info);
  j->b->path = pdm_keep(j->e->file, path);
  for (const HyParam *p = j->klass->params; p != NULL && p->name != NULL; p++) {
    g_autofree char *text = own_text(j, p);
    if (text == NULL) {
      refuse(j, "%s cannot be said in a few words", p->name);
    } else if (*text != '\0') {
      set_param(j, p->name, "Str", text);
    }
  }
  hy_report_warning(j->e->report, info.file != NULL ? info.file : j->e->file->file, info.line,
                    "%s has no equal in PowerDEVS: it is drawn as %s, which hydevs alone runs",
                    j->klass->name, path);
}

static gboolean is_class(const Job *j, const char *name)
{
  return strcmp(j->klass->name, name) == 0;
}

static void take_sum(Job *j)
{
  const HyReals *k = reals_of(j, "k");
  take(j, class_for("qss/qss_wsum.h"));
  for (guint i = 0; i < 8; i++) {
    static const char *const names[] = {"K[0]", "K[1]", "K[2]", "K[3]",
                                        "K[4]", "K[5]", "K[6]", "K[7]"};
    gboolean used = i < j->component->n_in;
    set_number(j, names[i], !used ? 0 : k != NULL && k->n > 0 ? k->v[i] : 1);
  }
}

/* A column of four numbers for each piece of a history. */
static void set_history(Job *j)
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
    set_number(j, "y(t<0)", real_of(j, "initial"));
  } else {
    g_string_append_c(matrix, ']');
    set_param(j, "y(t<0)", "Str", matrix->str);
  }
}

/* What the rows alone do not say. */
static void take_special(Job *j, const PdmClass *klass)
{
  if (klass->kind == PDM_PULSE) {
    set_number(j, "Amplitude", real_of(j, "high") - real_of(j, "low"));
  } else if (klass->kind == PDM_WAVE || klass->kind == PDM_RAISED) {
    set_number(j, klass->rows[0].theirs, real_of(j, "high"));
    if (is_class(j, "square")) {
      set_number(j, "d", 100 * real_of(j, "duty"));
    }
  } else if (klass->kind == PDM_NOISE) {
    set_number(j, "variance", real_of(j, "deviation") * real_of(j, "deviation"));
    set_param(j, "Random seed", "Str", "");
  } else if (klass->kind == PDM_POISSON) {
    set_number(j, "lambda", 1 / real_of(j, "mean"));
  } else if (is_class(j, "quantizer") && real_of(j, "hysteresis") > 0) {
    set_param(j, "Hysteresis", "Lst", "2%No%Yes%");
  } else if (is_class(j, "variable_delay")) {
    set_history(j);
  }
}

/* The class of theirs that is made of an element alone; NULL: none. */
static const PdmClass *find_class(const Job *j)
{
  for (const PdmClass *k = pdm_classes(); k->path != NULL; k++) {
    if (!k->vector && k->same != PDM_NOT && k->palette != NULL && k->element != NULL &&
        strcmp(k->element, j->klass->name) == 0 && k->kind != PDM_FUNCTION &&
        k->kind != PDM_IMPLICIT && k->kind != PDM_WORKSPACE && k->kind != PDM_PICK &&
        k->kind != PDM_TOTAL && strcmp(k->path, "qss/pure_integrator") != 0 &&
        strcmp(k->path, "qss/xpower2") != 0 && strcmp(k->path, "realtime/clock_wait") != 0 &&
        strcmp(k->path, "realtime/rtview_knob") != 0 && strcmp(k->path, "sources/fromwav") != 0) {
      return k;
    }
  }
  return NULL;
}

/* TRUE: theirs says all that the block says. */
static gboolean fits(const Job *j, const PdmClass *klass)
{
  double high = real_of(j, "high");
  if (klass->kind == PDM_WAVE || klass->kind == PDM_RAISED) {
    return real_of(j, "low") == (klass->kind == PDM_WAVE ? -high : 0) && real_of(j, "start") == 0;
  }
  if (klass->kind == PDM_POISSON) {
    const HyReals *value = reals_of(j, "value");
    return value->n == 1 && real_of(j, "limit") == 0;
  }
  return (!is_class(j, "sine") && !is_class(j, "ramp")) || real_of(j, "offset") == 0;
}

static void take_class(Job *j)
{
  const PdmClass *klass = find_class(j);
  if (is_class(j, "sum") && j->component->n_in <= 8) {
    take_sum(j);
  } else if (is_class(j, "sum") || (is_class(j, "product") && j->component->n_in != 2) ||
             (klass == NULL && j->klass->describe != NULL)) {
    if (!take_function(j)) {
      take_own(j);
    }
  } else if (klass == NULL || !fits(j, klass)) {
    take_own(j);
  } else {
    take(j, klass);
    take_special(j, klass);
  }
}

/* Which of their inputs our input PORT is; -1: none, it is left out. */
static int input_of(const Job *j, guint port)
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
    if (is_class(j, turned[k].klass) && port < 3) {
      return turned[k].of[port];
    }
  }
  if (is_class(j, "place")) {
    return port == 0 ? 0 : -1; /* what is taken, PowerDEVS' transitions tell behind the scenes */
  }
  return (int)port;
}

/* Models ----------------------------------------------------------------------------------------
 */

static void name_block(Export *e, const HyModel *m, guint c, PdmBlock *b)
{
  HyBlockInfo info;
  hy_loaded_block(e->loaded, m, c, &info);
  b->name = keep_text(e, info.label != NULL && strchr(info.label, '{') == NULL
                             ? info.label
                             : hy_model_component_name(m, c));
  b->ours = pdm_keep(e->file, hy_model_component_name(m, c));
  b->drawn = TRUE;
  b->icon = "None";
  b->color = 15;
  b->line = info.line;
}

static void export_model(Export *e, const HyModel *m, PdmBlock *b);

static void export_component(Export *e, const HyModel *m, guint c, PdmBlock *scope, int *number)
{
  const HyComponent *component = hy_component(m, c);
  PdmBlock *b = pdm_block_new(scope, component->klass == NULL, scope->line);
  *number = (int)scope->blocks->len - 1;
  name_block(e, m, c, b);
  b->n_in = (int)component->n_in;
  b->n_out = (int)component->n_out;
  if (component->klass == NULL) {
    export_model(e, component->u.coupled, b);
    return;
  }
  Job j = {.e = e, .m = m, .c = c, .component = component, .klass = component->klass, .b = b};
  gsize size;
  const guint8 *image = hy_component_image(m, c, &size);
  j.state = g_malloc0(MAX(component->klass->state_size, size));
  if (image != NULL) {
    memcpy(j.state, image, size);
  }
  take_class(&j);
  b->n_in = is_class(&j, "place") ? 1 : is_class(&j, "reset_integrator") ? 2 : b->n_in;
  if (is_class(&j, "comparator")) {
    b->n_in = 2;
    add_constant(e, scope, *number, 1, real_of(&j, "level"));
  }
  g_free(j.state);
}

static void add_ports(Export *e, const HyModel *m, PdmBlock *b)
{
  for (guint side = 0; side < 2; side++) {
    guint n = side == 0 ? hy_model_n_in(m, HY_SELF) : hy_model_n_out(m, HY_SELF);
    for (guint k = 0; k < n; k++) {
      g_autofree char *name =
          side == 0 ? hy_model_in_name(m, HY_SELF, k) : hy_model_out_name(m, HY_SELF, k);
      PdmPort p = {.out = side == 1,
                   .name = keep_text(e, name),
                   .doc = "",
                   .direction = "Right",
                   .number = (int)k + 1,
                   .line = b->line};
      g_array_append_val(b->ports, p);
    }
  }
}

/* One line that an event runs along. PLACE: the number of each component as a block. */
static void add_coupling(Export *e, const HyModel *m, PdmBlock *b, const int *place, PdmCoupling c,
                         const HyTarget *to)
{
  Job j = {.e = e, .m = m, .c = to->to};
  if (to->to != HY_SELF) {
    j.b = g_ptr_array_index(b->blocks, (guint)place[to->to]);
  }
  if (to->to == HY_SELF) {
    c.to = -1;
    c.to_port = (int)to->to_port;
    g_array_append_val(b->couplings, c);
    return;
  }
  j.klass = hy_component(m, to->to)->klass;
  c.to = place[to->to];
  c.to_port = j.klass != NULL ? input_of(&j, to->to_port) : (int)to->to_port;
  if (c.to_port >= 0) {
    g_array_append_val(b->couplings, c);
  } else if (is_class(&j, "reset_integrator")) {
    refuse(&j, "in PowerDEVS the event at reset has the value; take it from a sampler and leave "
               "value out");
  }
}

/* In the order in which events reach their receivers. */
static void add_couplings(Export *e, const HyModel *m, PdmBlock *b, const int *place)
{
  for (guint k = 0; k <= m->components->len; k++) {
    guint from = k == 0 ? HY_SELF : k - 1;
    guint n = from == HY_SELF ? m->in->len : hy_component(m, from)->n_out;
    for (guint port = 0; port < n; port++) {
      guint slot = hy_slot(m, from, port);
      PdmCoupling c = {
          .from = from == HY_SELF ? -1 : place[from], .from_port = (int)port, .line = b->line};
      for (guint t = m->start[slot]; t < m->start[slot + 1]; t++) {
        add_coupling(e, m, b, place, c, &m->targets[t]);
      }
    }
  }
}

static void add_constants(Export *e, const HyModel *m, PdmBlock *b, const int *place)
{
  for (guint k = 0; m->constants != NULL && k < m->constants->len; k++) {
    const HyConstantInput *c = &g_array_index(m->constants, HyConstantInput, k);
    Job j = {.klass = hy_component(m, c->component)->klass,
             .b = g_ptr_array_index(b->blocks, (guint)place[c->component])};
    int input = j.klass != NULL ? input_of(&j, c->port) : (int)c->port;
    if (input >= 0) {
      add_constant(e, b, place[c->component], input, c->value.c[0]);
    }
  }
}

static void export_model(Export *e, const HyModel *m, PdmBlock *b)
{
  guint n = m->components->len;
  int *place = g_new0(int, n + 1);
  b->n_in = (int)m->in->len;
  b->n_out = (int)m->out->len;
  b->window = "5000; 5000; 5000; 5000";
  add_ports(e, m, b);
  for (guint k = 0; k < n; k++) {
    guint c = hy_component_at(m, k);
    export_component(e, m, c, b, &place[c]);
  }
  add_couplings(e, m, b, place);
  add_constants(e, m, b, place);
  if (b->parent == NULL) {
    e->place = place;
  } else {
    g_free(place);
  }
}

/* Plots ------------------------------------------------------------------------------------------
 */

/* What the experiment records in the root itself goes to plots of up to five curves. */
static void add_plot(Export *e, PdmBlock *root, const HySignalAt *at, const char *label)
{
  g_assert(e->place != NULL); /* the root's, by now */
  PdmBlock *plot =
      root->blocks->len > 0 ? g_ptr_array_index(root->blocks, root->blocks->len - 1) : NULL;
  const PdmClass *klass = class_for("sinks/gnuplot.h");
  if (plot == NULL || strcmp(plot->path, "sinks/gnuplot.h") != 0 || plot->n_in == 5) {
    plot = pdm_block_new(root, FALSE, root->line);
    plot->drawn = TRUE;
    plot->name = "Plot";
    plot->icon = "None";
    plot->color = 15;
    Job j = {.e = e, .b = plot, .klass = hy_class_find("sink")};
    take(&j, klass);
  }
  int input = plot->n_in++;
  Job j = {.e = e, .b = plot};
  g_autofree char *title =
      g_strdup_printf("with lines title '%s'", label != NULL ? label : at->path);
  set_param(&j, klass->rows[2 + input].theirs, "Str", keep_text(e, title));
  PdmCoupling coupling = {e->place[at->component], at->port == HY_STATE ? 0 : (int)at->port,
                          (int)root->blocks->len - 1, input, root->line};
  g_array_append_val(root->couplings, coupling);
}

static void add_plots(Export *e, PdmBlock *root)
{
  const HyExperiment *x = hy_loaded_experiment(e->loaded);
  const HyModel *m = hy_loaded_model(e->loaded);
  for (guint k = 0; k < x->n_records; k++) {
    g_autoptr(GArray) found = hy_loaded_match(e->loaded, x->records[k].path, NULL);
    for (guint i = 0; found != NULL && i < found->len; i++) {
      const HySignalAt *at = &g_array_index(found, HySignalAt, i);
      if (at->model == m && at->component != HY_SELF && !at->input) {
        add_plot(e, root, at, x->records[k].label);
      } else {
        hy_report_warning(e->report, e->file->file, 0,
                          "%s is recorded inside a coupled model; no plot is drawn for it",
                          at->path);
      }
    }
  }
}

PdmFile *pdm_from_loaded(const HyLoaded *loaded, HyReport *report)
{
  HyModel *m = hy_loaded_model(loaded);
  g_autoptr(GError) error = NULL;
  if (!hy_model_check(m, &error)) {
    hy_report_error(report, hy_loaded_file(loaded), 0, "%s", error->message);
    return NULL;
  }
  g_autoptr(HyXBuilder) builder = hy_x_builder_new();
  Export e = {loaded, report, pdm_file_new(hy_loaded_file(loaded)), builder, NULL, FALSE};
  PdmBlock *root = e.file->root = pdm_block_new(NULL, TRUE, 1);
  root->drawn = TRUE;
  root->name = keep_text(&e, hy_model_name(m));
  root->icon = "None";
  root->color = 15;
  root->width = root->height = 600;
  export_model(&e, m, root);
  add_plots(&e, root);
  g_free(e.place);
  if (e.failed) {
    pdm_free(e.file);
    return NULL;
  }
  pdm_place(e.file, hy_loaded_file(loaded));
  pdm_draw_all(e.file);
  return e.file;
}

gboolean pdm_write_loaded(const HyLoaded *loaded, GString *out, HyReport *report)
{
  g_autoptr(PdmFile) file = pdm_from_loaded(loaded, report);
  if (file != NULL) {
    pdm_write(file, out);
  }
  return file != NULL;
}

gboolean pds_write_loaded(const HyLoaded *loaded, GString *out, HyReport *report)
{
  g_autoptr(PdmFile) file = pdm_from_loaded(loaded, report);
  if (file != NULL) {
    pds_write(file, out);
  }
  return file != NULL;
}
