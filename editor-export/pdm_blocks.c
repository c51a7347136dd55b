/* Blocks of PowerDEVS as elements of our language: most by the rows of the table, some by a
 * function of their own. A vector block is a repeated one. */
#include "editor-export/pdm_job.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

void pdm_job_set(xmlNode *node, const char *name, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  hy_format_set(node, name, text);
}

/* The text of row ROW as a number or formula of ours. */
static char *value_of(const Job *j, guint row)
{
  const PdmParam *p = pdm_find(j->b, j->klass, row);
  const PdmRow *r = pdm_class_row(j->klass, row);
  PdmParam usual = {.name = r->theirs, .type = "Str", .value = r->usual, .line = j->b->line};
  char *text = pdm_number_text(j->im, j->b, p != NULL ? p : &usual);
  return text != NULL ? text : g_strdup("0");
}

/* The same as a part of a formula: in parentheses if it is more than a word. */
char *pdm_job_part(const Job *j, guint row)
{
  static const char word[] = "0123456789.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  g_autofree char *text = value_of(j, row);
  return text[strspn(text, word)] == '\0' ? g_steal_pointer(&text) : g_strdup_printf("(%s)", text);
}

/* Names, label, doc -----------------------------------------------------------------------------
 */

xmlNode *pdm_job_add(Job *j, const char *element)
{
  const char *name = pdm_name(j->im, j->b);
  xmlNode *node = hy_format_add(j->parent, element, j->b->line);
  hy_format_set(node, "name", name);
  if (j->b->drawn && *j->b->name != '\0' && strcmp(j->b->name, name) != 0) {
    hy_format_set(node, "label", j->b->name);
  }
  if (*j->b->doc != '\0') {
    hy_format_set(node, "doc", j->b->doc);
  }
  return node;
}

/* Inputs -----------------------------------------------------------------------------------------
 */

static gboolean takes_events(const char *element, const char *attribute)
{
  return strcmp(attribute, "trigger") == 0 || strcmp(attribute, "reset") == 0 ||
         (strcmp(attribute, "in") == 0 &&
          (strcmp(element, "place") == 0 || strcmp(element, "relay") == 0));
}

/* A block for one number does not take a vector. */
static gboolean check_size(const Job *j, int port)
{
  guint size = pdm_size_at(j->im, j->scope, j->k, port);
  if (size > 0 && !j->klass->vector) {
    pdm_error(
        j->im, j->b, j->b->line,
        "input %d takes a number, and a vector of %u comes; take one of it by Vector_to Scalar",
        port + 1, size);
    return FALSE;
  }
  return TRUE;
}

static char *signal_at(const Job *j, int port)
{
  return check_size(j, port) ? pdm_signal(j->im, j->scope, j->k, port, "[i]") : g_strdup("0");
}

/* Inputs FROM .. up to TO as a list. */
char *pdm_job_list(const Job *j, int from, int to)
{
  g_autoptr(GString) list = g_string_new(NULL);
  for (int port = from; port < to; port++) {
    g_autofree char *text = signal_at(j, port);
    g_string_append_printf(list, "%s%s", port > from ? ", " : "", text);
  }
  return g_string_free(g_steal_pointer(&list), FALSE);
}

static void set_events(const Job *j, const char *name, int from, int to)
{
  g_autoptr(GString) list = g_string_new(NULL);
  for (int port = from; port < to; port++) {
    guint n;
    g_autofree char *text = pdm_sources(j->im, j->scope, j->k, port, "[i]", &n);
    g_string_append_printf(list, "%s%s", list->len > 0 && n > 0 ? " " : "", text);
  }
  if (list->len > 0) {
    hy_format_set(j->node, name, list->str);
  }
}

static void set_inputs(const Job *j)
{
  g_auto(GStrv) names = g_strsplit(j->klass->inputs != NULL ? j->klass->inputs : "", " ", -1);
  for (int port = 0; names[0] != NULL && names[port] != NULL && *names[port] != '\0'; port++) {
    gsize n = strlen(names[port]);
    if (takes_events(j->node->name != NULL ? (const char *)j->node->name : "", names[port])) {
      set_events(j, names[port], port,
                 names[port + 1] == NULL ? MAX(j->b->n_in, port + 1) : port + 1);
    } else if (names[port][n - 1] == ',') {
      g_autofree char *list = pdm_job_list(j, port, MAX(j->b->n_in, port + 1));
      g_autofree char *name = g_strndup(names[port], n - 1);
      hy_format_set(j->node, name, list);
    } else {
      g_autofree char *text = signal_at(j, port);
      hy_format_set(j->node, names[port], text);
    }
  }
}

/* Blocks that are more than their rows ------------------------------------------------------------
 */

static void add_sum(Job *j)
{
  g_autoptr(GString) factors = g_string_new(NULL);
  gboolean plain = TRUE;
  if (j->b->n_in > 8) {
    pdm_error(j->im, j->b, j->b->line, "a WSum has at most 8 inputs, and not %d", j->b->n_in);
    return;
  }
  for (int port = 0; port < MAX(j->b->n_in, 1); port++) {
    g_autofree char *k = value_of(j, (guint)port);
    plain = plain && strcmp(k, "1") == 0;
    g_string_append_printf(factors, "%s%s", port > 0 ? ", " : "", k);
  }
  if (!plain) {
    hy_format_set(j->node, "k", factors->str);
  }
}

/* The words of FORMULA that are u0, u1, ... up to N get the prefix that makes them free names; y is
 * the block itself. What else it names is nothing that PowerDEVS would know. */
static char *translate(const Job *j, const char *formula, const char *prefix, const char *own)
{
  g_autoptr(GString) out = g_string_new(NULL);
  for (const char *at = formula; *at != '\0';) {
    gsize n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.");
    if (n == 0) {
      g_string_append_c(out, *at++);
      continue;
    }
    gboolean input = at[0] == 'u' && n > 1 && strspn(at + 1, "0123456789") == n - 1;
    gboolean self = own != NULL && n == 1 && at[0] == 'y';
    gboolean point = at[0] == '.' && n > 1;
    g_string_append(out, input ? prefix : point ? "0" : "");
    g_string_append_len(out, self ? own : at, self ? (gssize)strlen(own) : (gssize)n);
    at += n;
  }
  (void)j;
  return g_string_free(g_steal_pointer(&out), FALSE);
}

/* Whether u0, u1, ... are names that stand for something else here. */
static const char *prefix_for(const Job *j)
{
  for (int port = 0; port < j->b->n_in; port++) {
    g_autofree char *name = g_strdup_printf("u%d", port);
    if (scilab_find(j->im->scilab, name) != NULL) {
      return "in_";
    }
    for (const PdmBlock *b = j->scope; b != NULL; b = b->parent) {
      GHashTableIter at;
      gpointer known;
      g_hash_table_iter_init(&at, j->im->names);
      while (g_hash_table_iter_next(&at, NULL, &known)) {
        if (strcmp(known, name) == 0) {
          return "in_";
        }
      }
    }
  }
  return "";
}

void pdm_job_formula(Job *j, const char *formula, const char *own)
{
  const char *prefix = prefix_for(j);
  g_autofree char *text = translate(j, formula, prefix, own);
  hy_format_set(j->node, "formula", text);
  for (int port = 0; port < j->b->n_in; port++) {
    g_autofree char *word = g_strdup_printf("%su%d", prefix, port);
    g_autofree char *source = signal_at(j, port);
    if (strstr(text, word) != NULL) {
      hy_format_set(j->node, word, source);
    } else {
      pdm_warn(j->im, j->b, j->b->line, "the formula does not read input %d", port + 1);
    }
  }
}

static void add_function(Job *j)
{
  const PdmSpecial *own = j->klass->special;
  g_autofree char *text = own != NULL ? g_strdup(own->formula) : pdm_text(j->b, j->klass, 0);
  pdm_job_formula(j, text, NULL);
}

static void add_implicit(Job *j)
{
  g_autofree char *text = pdm_text(j->b, j->klass, 0);
  pdm_job_formula(j, text, pdm_name(j->im, j->b));
}

static void add_levels(Job *j)
{
  g_autofree char *a = pdm_job_part(j, j->klass->kind == PDM_PULSE ? 1 : 0);
  if (j->klass->kind == PDM_PULSE) {
    g_autofree char *base = pdm_job_part(j, 0);
    gboolean zero = strcmp(base, "0") == 0;
    pdm_job_set(j->node, "high", "%s%s%s", zero ? "" : base, zero ? "" : " + ", a);
  } else if (j->klass->kind == PDM_WAVE) {
    pdm_job_set(j->node, "low", "-%s", a);
    hy_format_set(j->node, "high", a);
  } else {
    g_autofree char *slope = strcmp(j->klass->element, "sawtooth") == 0
                                 ? pdm_text(j->b, j->klass, 2)
                                 : g_strdup("Possitive");
    gboolean falls = strcmp(slope, "Negative") == 0;
    hy_format_set(j->node, falls ? "low" : "high", a);
    hy_format_set(j->node, falls ? "high" : "low", "0");
  }
}

static void add_noise(Job *j)
{
  if (j->klass->kind == PDM_NOISE) {
    g_autofree char *variance = pdm_job_part(j, 1);
    hy_format_set(j->node, "distribution", "normal");
    pdm_job_set(j->node, "deviation", "sqrt(%s)", variance);
  } else {
    g_autofree char *lambda = pdm_job_part(j, 0);
    pdm_job_set(j->node, "mean", "1/%s", lambda);
  }
  pdm_warn_once(j->im, j->b->line,
                "random numbers are others than PowerDEVS', of the same distribution");
}

static void add_compare(Job *j)
{
  g_autofree char *a = signal_at(j, 0), *b = signal_at(j, 1);
  if (strcmp(b, "0") == 0) {
    hy_format_set(j->node, "in", a);
  } else {
    pdm_job_set(j->node, "in", "%s - %s", a, b);
  }
}

/* The history of a variable delay: a number, or a matrix with a column (t, c0, c1, c2, ...) a
 * piece. */
static void add_delayed(Job *j)
{
  if (strcmp(j->klass->element, "delay") == 0) {
    hy_format_set(j->node, "initial", "0");
    return;
  }
  const PdmParam *p = pdm_find(j->b, j->klass, 1);
  ScilabValue v;
  hy_format_set(j->node, "maximum", "inf");
  if (p == NULL || !pdm_matrix(j->im, j->b, p, &v)) {
    return;
  }
  if (v.rows * v.columns == 1) {
    g_autofree char *initial = pdm_number_text(j->im, j->b, p);
    hy_format_set(j->node, "initial", initial != NULL ? initial : "0");
  } else if (v.rows != 4) {
    pdm_error(j->im, j->b, p->line,
              "parameter %s: a column of a history has 4 numbers (t, value, slope, half the second "
              "derivative), and not %u",
              p->name, v.rows);
  } else {
    g_autofree char *list = pdm_list_text(&v);
    hy_format_set(j->node, "history", list);
  }
  scilab_clear(&v);
}

/* PowerDEVS' places hand tokens out to whoever fires; here a place hears of it. */
static void add_place(Job *j)
{
  g_autoptr(GString) takers = g_string_new(NULL);
  for (guint c = 0; c < j->scope->couplings->len; c++) {
    const PdmCoupling *at = &g_array_index(j->scope->couplings, PdmCoupling, c);
    if (at->from != j->k) {
      continue;
    }
    const PdmBlock *to = at->to >= 0 ? g_ptr_array_index(j->scope->blocks, (guint)at->to) : NULL;
    const PdmClass *klass = to != NULL && !to->coupled ? pdm_class(to->path) : NULL;
    if (klass != NULL && strcmp(klass->path, "petri/transition") == 0) {
      g_string_append_printf(takers, "%s%s", takers->len > 0 ? " " : "", pdm_name(j->im, to));
    } else if (klass == NULL || klass->kind != PDM_RECORD) {
      pdm_warn(j->im, j->b, at->line,
               "a place leads elsewhere than to a transition beside it; who fires there takes no "
               "token");
    }
  }
  if (takers->len > 0) {
    hy_format_set(j->node, "take", takers->str);
  }
}

void pdm_job_let(const Job *j, const char *name, const char *value)
{
  xmlNode *let = xmlNewNode(j->node->ns, BAD_CAST "let");
  xmlAddPrevSibling(j->node, let);
  let->_private = j->node->_private;
  hy_format_set(let, "name", name);
  hy_format_set(let, "value", value);
}

/* The table x, y of two variables of a start script, over the time. */
static void add_workspace(Job *j)
{
  static const char *const axes[] = {"x", "y"};
  hy_format_set(j->node, "in", "t");
  for (guint k = 0; k < 2; k++) {
    const PdmParam *p = pdm_find(j->b, j->klass, k);
    PdmParam usual = {.name = axes[k], .type = "Str", .value = k == 0 ? "t" : "u"};
    ScilabValue v;
    if (pdm_matrix(j->im, j->b, p != NULL ? p : &usual, &v)) {
      g_autofree char *list = pdm_list_text(&v);
      hy_format_set(j->node, axes[k], list);
      scilab_clear(&v);
    }
  }
}

/* All -------------------------------------------------------------------------------------------
 */

static void add_own(Job *j)
{
  switch (j->klass->kind) {
  case PDM_SUM:
    add_sum(j);
    break;
  case PDM_FUNCTION:
    add_function(j);
    break;
  case PDM_IMPLICIT:
    add_implicit(j);
    break;
  case PDM_PULSE:
  case PDM_WAVE:
  case PDM_RAISED:
    add_levels(j);
    break;
  case PDM_NOISE:
  case PDM_POISSON:
    add_noise(j);
    break;
  case PDM_COMPARE:
    add_compare(j);
    break;
  case PDM_DELAYED:
    add_delayed(j);
    break;
  case PDM_PETRI:
    add_place(j);
    break;
  case PDM_WORKSPACE:
    add_workspace(j);
    break;
  case PDM_PLAIN:
  case PDM_ROUNDED:
  case PDM_RECORD: /* from here on: no element of one block (pdm_add_block, pdm_job_vector) */
  case PDM_SCRIPT:
  case PDM_MATRIX:
  case PDM_PICK:
  case PDM_PUT:
  case PDM_SELECT:
  case PDM_MAPPED:
  case PDM_SHIFTED:
  case PDM_TOTAL:
  case PDM_ABSENT:
    break;
  }
}

/* What the palette has no parameters for, behind those that it has. */
static void set_special(Job *j)
{
  if (j->klass->kind == PDM_ROUNDED) {
    g_autofree char *hysteresis = pdm_text(j->b, j->klass, 1), *dq = pdm_job_part(j, 0);
    if (strcmp(hysteresis, "Yes") == 0) {
      hy_format_set(j->node, "hysteresis", dq);
    }
  }
  const PdmSpecial *own = j->klass->special;
  g_auto(GStrv) set = g_strsplit(own != NULL && own->set != NULL ? own->set : "", " ", -1);
  for (char **word = set; *word != NULL; word++) {
    char *value = strchr(*word, '=');
    *value = '\0';
    hy_format_set(j->node, *word, value + 1);
  }
  if (own != NULL && own->remark != NULL) {
    pdm_warn_once(j->im, j->b->line, own->remark);
  }
}

static void add_absent(const Job *j)
{
  pdm_error(j->im, j->b, j->b->line, "%s has no equal here: %s", j->klass->block, j->klass->how);
}

static void set_count(const Job *j)
{
  guint count = pdm_size(j->im, j->scope, j->k, 0, 0), row = pdm_row(j->klass, "Size");
  pdm_job_set(j->node, "count", "%u", count);
  if (pdm_class_row(j->klass, row) != NULL && pdm_find(j->b, j->klass, row) == NULL) {
    pdm_warn(
        j->im, j->b, j->b->line,
        "parameter Size is missing; %u is taken: what comes, or the script's N, or the palette's",
        count);
  }
}

void pdm_add_block(Import *im, xmlNode *parent, const PdmBlock *scope, guint k, const char *path)
{
  const PdmBlock *b = g_ptr_array_index(scope->blocks, k);
  Job j = {im, scope, b, pdm_class(b->path), (int)k, parent, NULL, path};
  if (j.klass == NULL) {
    pdm_job_unknown(&j);
  } else if (j.klass->kind == PDM_ABSENT) {
    add_absent(&j);
  } else if (j.klass->kind == PDM_RECORD) {
    pdm_job_records(&j);
  } else if (j.klass->kind != PDM_SCRIPT) {
    j.node = pdm_job_add(&j, j.klass->element);
    if (j.klass->vector) {
      set_count(&j);
    }
    if (!pdm_job_vector(&j)) {
      add_own(&j);
      set_inputs(&j);
    }
    pdm_set_values(im, j.node, b, j.klass);
    set_special(&j);
  }
}
