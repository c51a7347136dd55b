/* Text to measures. A term is found by its name and its brackets; what stands in it are formulas,
 * which the parser of formulas reads. Paths that are no names for it go into them under a name that
 * does not stand in the text. */
#include "formula_measure.h"

#include "formula_internal.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

#define WINDOW "; window: the last W seconds, or from..to"

const HyMeasureInfo hy_measure_info[HY_N_MEASURES] = {
    [HY_MEASURE_FINAL] = {"final", "final(x)", "x at the end of the run", FALSE, FALSE, NULL},
    [HY_MEASURE_MIN] = {"min", "min(x)", "the least value of x", FALSE, TRUE, NULL},
    [HY_MEASURE_MAX] = {"max", "max(x)", "the largest value of x", FALSE, TRUE, NULL},
    [HY_MEASURE_PEAK] = {"peak", "peak(x)", "the largest |x|", FALSE, TRUE, NULL},
    [HY_MEASURE_MEAN] = {"mean", "mean(x)", "the integral of x over its time", FALSE, TRUE, NULL},
    [HY_MEASURE_RMS] = {"rms", "rms(x)", "the root of the mean of x^2", FALSE, TRUE, NULL},
    [HY_MEASURE_RIPPLE] = {"ripple", "ripple(x)", "max(x) - min(x)", FALSE, TRUE, NULL},
    [HY_MEASURE_INTEGRAL] = {"integral", "integral(x)", "the integral of x", FALSE, TRUE, NULL},
    [HY_MEASURE_AT] = {"at", "at(x, t)", "x at the instant t, after what happens then", FALSE,
                       FALSE, "the instant"},
    [HY_MEASURE_FIRST] = {"first", "first(x > a)", "the first instant at which x > a", TRUE, TRUE,
                          NULL},
    [HY_MEASURE_LAST] = {"last", "last(x > a)", "the last instant at which x > a", TRUE, TRUE,
                         NULL},
    [HY_MEASURE_COUNT] = {"count", "count(x > a)",
                          "how often x > a comes to hold; of a discrete signal the events with x > "
                          "a",
                          TRUE, TRUE, NULL},
    [HY_MEASURE_SETTLE] =
        {"settle", "settle(x, 2%)",
         "the instant from which on x is as near to what it is at the end as that "
         "part of its whole way",
         FALSE, TRUE, "the part"},
    [HY_MEASURE_THD] = {"thd", "thd(x, f)",
                        "the rms of all that is neither mean nor the sine of frequency f, over the "
                        "rms of that sine",
                        FALSE, TRUE, "the frequency"},
};

/* Reading letters ----------------------------------------------------------------------------- */

/* What is wrong, in TEXT. */
static gpointer fail(GError **error, const char *text, const char *format, ...) G_GNUC_PRINTF(3, 4);

static gpointer fail(GError **error, const char *text, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *said = g_strdup_vprintf(format, args);
  va_end(args);
  g_autofree char *where = hy_excerpt(text, strlen(text), 0);
  g_autofree char *what = g_utf8_make_valid(said, -1);
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "in \"%s\": %s", where, what);
  return NULL;
}

static gsize name_length(const char *s)
{
  gsize n = hy_is_name_start(s[0]) ? 1 : 0;
  while (n > 0 && hy_is_name(s[n])) {
    n++;
  }
  return n;
}

static gboolean is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static gsize blanks(const char *s)
{
  gsize n = 0;
  while (is_blank(s[n])) {
    n++;
  }
  return n;
}

static gboolean is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* Of a number at S, with its suffix; 0: there is none. */
static gsize number_length(const char *s)
{
  gsize n = 0;
  if (!is_digit(s[0]) && !(s[0] == '.' && is_digit(s[1]))) {
    return 0;
  }
  for (;;) {
    gboolean sign =
        (s[n] == '+' || s[n] == '-') && n > 0 && (s[n - 1] | 32) == 'e' && is_digit(s[n + 1]);
    if (hy_is_name(s[n]) || ((guchar)s[n] & 0x80) != 0 || sign ||
        (s[n] == '.' && is_digit(s[n + 1]))) {
      n++;
    } else {
      return n;
    }
  }
}

/* From "[" to behind its "]"; 0: there is none. */
static gsize index_length(const char *s)
{
  gsize n = 0;
  guint open = 0;
  do {
    open += s[n] == '[';
    open -= s[n] == ']' && open > 0;
    n += s[n] != '\0';
  } while (open > 0 && s[n] != '\0');
  return s[0] == '[' && open == 0 ? n : 0;
}

static gsize indexed_length(const char *s)
{
  gsize n = name_length(s);
  return n > 0 ? n + index_length(s + n) : 0;
}

/* stage[2]/v:in.out, .y; 0: there is none. */
static gsize path_length(const char *s)
{
  gsize n = indexed_length(s), more = 0;
  while (n > 0 && (s[n] == ':' || s[n] == '/') && (more = indexed_length(s + n + 1)) > 0) {
    n += 1 + more;
  }
  if (s[n] == '.' && (more = indexed_length(s + n + 1)) > 0) {
    n += 1 + more;
  }
  return n;
}

static gboolean is_word(const char *s, gsize n)
{
  static const char *const words[] = {"and", "or", "not", "if", "pi", "inf"};
  gboolean is = FALSE;
  for (guint k = 0; k < G_N_ELEMENTS(words); k++) {
    is |= strlen(words[k]) == n && strncmp(s, words[k], n) == 0;
  }
  return is;
}

/* "(" follows the name of N letters. */
static gboolean is_call(const char *s, gsize n)
{
  return n > 0 && n == name_length(s) && s[n + blanks(s + n)] == '(';
}

static guint find_kind(const char *s, gsize n)
{
  guint k = 0;
  while (k < HY_N_MEASURES &&
         !(strlen(hy_measure_info[k].name) == n && strncmp(s, hy_measure_info[k].name, n) == 0)) {
    k++;
  }
  return k;
}

static gboolean is_steady(const char *s, gsize n)
{
  return n == strlen("steady") && strncmp(s, "steady", n) == 0;
}

static gboolean is_measure(const char *s, gsize n)
{
  return find_kind(s, n) < HY_N_MEASURES || is_steady(s, n);
}

/* One step over what is no path. */
static gsize other_length(const char *s)
{
  gsize n = number_length(s);
  if (n == 0 && s[0] == '\'') {
    const char *end = strchr(s + 1, '\'');
    n = end != NULL ? (gsize)(end - s) + 1 : strlen(s);
  }
  return MAX(n, 1);
}

/* Of a path or name that is no function and no word; else 0, and *STEP is how much to go on. */
static gsize path_at(const char *s, gsize *step)
{
  gsize n = path_length(s), name = name_length(s);
  if (n == 0 || is_call(s, name) || is_word(s, n)) {
    *step = name > 0 ? name : other_length(s);
    return 0;
  }
  *step = n;
  return n;
}

char *hy_measure_map(const char *text, HyMeasureMap map, gpointer user, GError **error)
{
  g_autoptr(GString) out = g_string_new(NULL);
  gsize step;
  for (const char *s = text; *s != '\0'; s += step) {
    gsize n = path_at(s, &step);
    g_autofree char *path = n > 0 ? g_strndup(s, n) : NULL;
    g_autofree char *mapped = path != NULL ? map(user, path, error) : g_strndup(s, step);
    if (mapped == NULL) {
      return NULL;
    }
    g_string_append(out, mapped);
  }
  return g_string_free(g_steal_pointer(&out), FALSE);
}

/* Formulas ------------------------------------------------------------------------------------ */

static HyNameKind a_signal(gpointer user, const HyFormula *ref, const gint64 *at,
                           HyNameValue *value, GError **error)
{
  (void)user, (void)ref, (void)at, (void)value, (void)error;
  return HY_NAME_SIGNAL;
}

static HyNameKind no_signal(gpointer user, const HyFormula *ref, const gint64 *at,
                            HyNameValue *value, GError **error)
{
  (void)user, (void)at, (void)value;
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "\"%s\" is no number", ref->ref.name);
  return HY_NAME_ERROR;
}

static const HyFormula *formula_of(HyFormulaPool *pool, const char *text, GError **error)
{
  static const HyFormulaScope scope = {.value = a_signal};
  const HyFormula *x = hy_formula_parse(pool, HY_TEXT_EXPRESSION, text, error);
  return x != NULL ? hy_formula_fold(pool, x, &scope, error) : NULL;
}

static gboolean number_of(HyFormulaPool *pool, const char *text, double *v, GError **error)
{
  static const HyFormulaScope scope = {.value = no_signal};
  const HyFormula *x = hy_formula_parse(pool, HY_TEXT_EXPRESSION, text, error);
  return x != NULL && hy_formula_constant(pool, x, &scope, v, error);
}

/* Signals of a term: paths that are no names for formulas have some that stand nowhere in TEXT. */
typedef struct {
  const char *text;
  GHashTable *path; /* of such names */
} Signals;

static char *name_of(gpointer user, const char *path, GError **error)
{
  (void)error;
  const Signals *s = user;
  if (strpbrk(path, "/:") == NULL) {
    return g_strdup(path);
  }
  g_autoptr(GString) name = g_string_new(NULL);
  g_string_printf(name, "signal%u", g_hash_table_size(s->path) + 1);
  while (strstr(s->text, name->str) != NULL) {
    g_string_append_c(name, '_');
  }
  g_hash_table_insert(s->path, g_strdup(name->str), g_strdup(path));
  return g_string_free(g_steal_pointer(&name), FALSE);
}

static char *path_of(const Signals *s, const HyFormula *ref)
{
  g_autofree char *name = hy_formula_text(ref);
  const char *path = g_hash_table_lookup(s->path, name);
  return g_strdup(path != NULL ? path : name);
}

/* What is above 0 where the comparison X holds; NULL: it is none that could begin or end. */
static const HyFormula *difference(HyFormulaPool *pool, const HyFormula *x)
{
  if (x->kind != HY_F_COMPARE || strchr("<>lg", x->ops[1]) == NULL) {
    return NULL;
  }
  gboolean above = x->ops[1] == '>' || x->ops[1] == 'g';
  const HyFormula *both[] = {x->child[above ? 0 : 1], x->child[above ? 1 : 0]};
  return both[1]->kind == HY_F_NUMBER && both[1]->number == 0.0
             ? both[0]
             : hy_formula_chain(pool, HY_F_SUM, both, "+-", 2);
}

/* In the brackets of another one. */
static gboolean has_measure(const char *text)
{
  gsize step;
  for (const char *s = text; *s != '\0'; s += step) {
    gsize n = name_length(s);
    path_at(s, &step);
    if (is_call(s, n) && is_measure(s, n)) {
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean read_signals(HyMeasureTerm *m, HyFormulaPool *pool, const char *text,
                             GError **error)
{
  const HyMeasureInfo *info = &hy_measure_info[m->kind];
  g_autoptr(GHashTable) paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  Signals s = {text, paths};
  if (has_measure(text)) {
    return fail(error, m->text,
                "a measure in the brackets of another one; the larger of two signals at each "
                "instant is if(a > b, a, b)") != NULL;
  }
  g_autofree char *named = hy_measure_map(text, name_of, &s, error);
  m->x = named != NULL ? formula_of(pool, named, error) : NULL;
  if (m->x == NULL) {
    return FALSE;
  }
  if (m->x->kind == HY_F_NOTHING || m->x->kind == HY_F_TEXT) {
    return fail(error, m->text, "a signal is expected in the brackets") != NULL;
  }
  const HyFormula *above = difference(pool, m->x);
  if (info->compares && above == NULL) {
    return fail(error, m->text, "%s is of a comparison: %s", info->name, info->like) != NULL;
  }
  m->x = info->compares ? above : m->x;
  m->refs = hy_formula_refs_new(m->x);
  if (m->refs->n == 0) {
    return fail(error, m->text, "there is no signal in it; write %s", info->like) != NULL;
  }
  m->path = g_new0(char *, m->refs->n + 1);
  for (guint k = 0; k < m->refs->n; k++) {
    m->path[k] = path_of(&s, m->refs->ref[k]);
  }
  return TRUE;
}

/* Terms --------------------------------------------------------------------------------------- */

/* ".." outside of brackets; NULL: there is none. */
static char *find_dots(char *text)
{
  int open = 0;
  for (char *s = text; *s != '\0'; s++) {
    open += (*s == '(' || *s == '[') - (*s == ')' || *s == ']');
    if (open == 0 && s[0] == '.' && s[1] == '.') {
      return s;
    }
  }
  return NULL;
}

static gboolean read_window(HyMeasureTerm *m, HyFormulaPool *pool, char *text, GError **error)
{
  char *dots = find_dots(text);
  char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  if (dots == NULL) {
    if (number_of(pool, text, &m->last, error) && !(m->last > 0.0 && isfinite(m->last))) {
      return fail(error, m->text, "the last %s seconds are no window",
                  hy_double_text(a, m->last)) != NULL;
    }
    return !isnan(m->last);
  }
  *dots = '\0';
  if (!number_of(pool, text, &m->from, error) || !number_of(pool, dots + 2, &m->to, error)) {
    return FALSE;
  }
  return m->from < m->to || fail(error, m->text, "from %s to %s there is no time",
                                 hy_double_text(a, m->from), hy_double_text(b, m->to)) != NULL;
}

/* 2% is 0.02. */
static gboolean read_number(HyMeasureTerm *m, HyFormulaPool *pool, char *text, GError **error)
{
  g_strchomp(text);
  gsize n = strlen(text);
  gboolean percent = n > 0 && text[n - 1] == '%';
  if (percent) {
    text[n - 1] = '\0';
  }
  if (!number_of(pool, text, &m->number, error)) {
    return FALSE;
  }
  m->number = percent ? m->number / 100.0 : m->number;
  const HyMeasureInfo *info = &hy_measure_info[m->kind];
  gboolean positive = m->kind == HY_MEASURE_SETTLE || m->kind == HY_MEASURE_THD;
  char v[HY_DOUBLE_SIZE];
  return (positive ? m->number > 0.0 && isfinite(m->number) : !isnan(m->number)) ||
         fail(error, m->text, "%s cannot be %s", info->number, hy_double_text(v, m->number)) !=
             NULL;
}

static void term_clear(gpointer data)
{
  HyMeasureTerm *m = data;
  hy_formula_refs_free(m->refs);
  g_strfreev(m->path);
  g_free(m->text);
}

/* ARG: what stands between the commas. */
static gboolean read_arguments(HyMeasureTerm *m, HyFormulaPool *pool, char **arg, GError **error)
{
  const HyMeasureInfo *info = &hy_measure_info[m->kind];
  guint n = g_strv_length(arg), least = info->number != NULL ? 2 : 1, empty = 0;
  for (guint k = 0; k < n; k++) {
    empty += arg[k][blanks(arg[k])] == '\0';
  }
  if (empty > 0 || n < least || n > least + (info->window ? 1 : 0)) {
    return fail(error, m->text, "write %s%s", info->like, info->window ? WINDOW : "") != NULL;
  }
  return read_signals(m, pool, arg[0], error) &&
         (info->number == NULL || read_number(m, pool, arg[1], error)) &&
         (n == least || read_window(m, pool, arg[n - 1], error));
}

/* What stands between the brackets from S on, parted by commas; *N: with the brackets. NULL: they
 * do not close. */
static GPtrArray *split(const char *s, gsize *n)
{
  GPtrArray *arg = g_ptr_array_new_with_free_func(g_free);
  int open = 0;
  const char *from = s + 1;
  for (const char *at = s; *at != '\0'; at++) {
    open += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
    if ((*at == ',' && open == 1) || open == 0) {
      g_ptr_array_add(arg, g_strndup(from, (gsize)(at - from)));
      from = at + 1;
    }
    if (open == 0) {
      g_ptr_array_add(arg, NULL);
      *n = (gsize)(at - s) + 1;
      return arg;
    }
  }
  g_ptr_array_unref(arg);
  return NULL;
}

/* Whole texts --------------------------------------------------------------------------------- */

/* Of a name and its brackets; what does not close goes on to the end. */
static gsize call_length(const char *s, gsize name)
{
  gsize open = name + blanks(s + name), length = 0;
  g_autoptr(GPtrArray) arg = split(s + open, &length);
  return arg != NULL ? open + length : strlen(s);
}

/* Functions of formulas may be called like measures, min(mean(a), mean(b)): they are where no
 * signal stands in their brackets but in measures. */
static gboolean is_term(const char *s, gsize name)
{
  gsize step;
  if (find_kind(s, name) == HY_N_MEASURES || hy_op_find(s, name) == hy_n_ops) {
    return find_kind(s, name) < HY_N_MEASURES;
  }
  const char *end = s + call_length(s, name);
  for (const char *at = s + name; at < end; at += step) {
    gsize n = name_length(at);
    if (path_at(at, &step) > 0) {
      return TRUE;
    }
    step = is_call(at, n) && is_measure(at, n) ? call_length(at, n) : step;
  }
  return FALSE;
}

static gboolean no_function(GError **error, const char *text, const char *s, gsize n)
{
  g_autofree char *name = g_strndup(s, MIN(n, 80));
  HyNearest near = {.word = name};
  for (guint k = 0; k < HY_N_MEASURES; k++) {
    hy_nearest_offer(&near, hy_measure_info[k].name);
  }
  for (guint k = 0; k < hy_n_ops; k++) {
    if (hy_ops[k].min > 0) {
      hy_nearest_offer(&near, hy_ops[k].name);
    }
  }
  g_autofree char *hint = hy_did_you_mean(near.best);
  return fail(error, text, "there is no measure \"%s\"%s", name, hint) != NULL;
}

/* The term at S, whose name has N letters; *STEP: all of it. */
static gboolean read_term(HyMeasureText *x, const char *text, const char *s, gsize n,
                          gboolean steady, gsize *step, GError **error)
{
  gsize open = n + blanks(s + n), length = 0;
  g_autoptr(GPtrArray) arg = split(s + open, &length);
  if (arg == NULL) {
    return fail(error, text, "\")\" is missing for the \"(\" of %.*s", (int)n, s) != NULL;
  }
  HyMeasureTerm m = {.kind = find_kind(s, n),
                     .number = NAN,
                     .last = NAN,
                     .from = NAN,
                     .to = NAN,
                     .text = g_strndup(s, open + length),
                     .steady = steady};
  *step = open + length;
  gboolean ok = read_arguments(&m, x->pool, (char **)arg->pdata, error);
  if (ok) {
    g_array_append_val(x->terms, m);
  } else {
    term_clear(&m);
  }
  return ok;
}

/* What a period that comes again and again has. */
static gboolean may_be_steady(const HyMeasureTerm *m)
{
  return isnan(m->last) && isnan(m->from) && !hy_measure_info[m->kind].compares &&
         m->kind != HY_MEASURE_FINAL && m->kind != HY_MEASURE_AT && m->kind != HY_MEASURE_SETTLE;
}

/* steady(term), whose name has N letters. */
static gboolean read_steady(HyMeasureText *x, const char *text, const char *s, gsize n, gsize *step,
                            GError **error)
{
  gsize open = n + blanks(s + n) + 1, length = 0;
  open += blanks(s + open);
  gsize name = name_length(s + open);
  gboolean term = is_call(s + open, name) && find_kind(s + open, name) < HY_N_MEASURES;
  if (term && !read_term(x, text, s + open, name, TRUE, &length, error)) {
    return FALSE;
  }
  const char *end = s + open + length + blanks(s + open + length);
  if (!term || *end != ')' ||
      !may_be_steady(&g_array_index(x->terms, HyMeasureTerm, x->terms->len - 1))) {
    return fail(
               error, text,
               "steady is of one of min, max, peak, mean, rms, ripple, integral and thd, without a "
               "window: steady(mean(x))") != NULL;
  }
  *step = (gsize)(end - s) + 1;
  return TRUE;
}

/* OUT: the formula of terms, each under a name. */
static gboolean read_terms(HyMeasureText *x, const char *text, GString *out, GError **error)
{
  gsize step;
  for (const char *s = text; *s != '\0'; s += step) {
    gsize name = name_length(s), n = path_at(s, &step);
    if (n > 0) {
      return fail(error, text, "say what of \"%.*s\" is measured: final(%.*s), mean(%.*s)",
                  (int)MIN(n, 80), s, (int)MIN(n, 80), s, (int)MIN(n, 80), s) != NULL;
    }
    gboolean steady = is_call(s, name) && is_steady(s, name);
    if (steady || (is_call(s, name) && is_term(s, name))) {
      if (!(steady ? read_steady(x, text, s, name, &step, error)
                   : read_term(x, text, s, name, FALSE, &step, error))) {
        return FALSE;
      }
      g_string_append_printf(out, "term%u", x->terms->len);
    } else if (is_call(s, name) && hy_op_find(s, name) == hy_n_ops) {
      return no_function(error, text, s, name);
    } else {
      g_string_append_len(out, s, (gssize)step);
    }
  }
  return TRUE;
}

/* Which terms the value is made of. */
static gboolean find_terms(HyMeasureText *x, const char *text, const char *formula, GError **error)
{
  if (x->terms->len == 0) {
    return fail(error, text, "nothing is measured; write for instance max(x)") != NULL;
  }
  x->value = formula_of(x->pool, formula, error);
  if (x->value == NULL) {
    return FALSE;
  }
  x->refs = hy_formula_refs_new(x->value);
  x->of = g_new0(guint, x->refs->n + 1);
  for (guint k = 0; k < x->refs->n; k++) {
    x->of[k] = (guint)g_ascii_strtoull(x->refs->ref[k]->ref.name + strlen("term"), NULL, 10) - 1;
  }
  return TRUE;
}

HyMeasureText *hy_measure_parse(const char *text, GError **error)
{
  g_autoptr(HyMeasureText) x = g_new0(HyMeasureText, 1);
  g_autoptr(GString) formula = g_string_new(NULL);
  x->pool = hy_formula_pool_new();
  x->terms = g_array_new(FALSE, FALSE, sizeof(HyMeasureTerm));
  g_array_set_clear_func(x->terms, term_clear);
  if (strlen(text) > HY_MEASURE_BYTES) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "a measure is longer than %d bytes",
                HY_MEASURE_BYTES);
    return NULL;
  }
  if (!g_utf8_validate(text, -1, NULL)) {
    return fail(error, text, "a letter is no UTF-8");
  }
  return read_terms(x, text, formula, error) && find_terms(x, text, formula->str, error)
             ? g_steal_pointer(&x)
             : NULL;
}

void hy_measure_free(HyMeasureText *x)
{
  if (x != NULL) {
    hy_formula_refs_free(x->refs);
    g_clear_pointer(&x->terms, g_array_unref);
    g_clear_pointer(&x->pool, hy_formula_pool_free);
    g_free(x->of);
    g_free(x);
  }
}

/* Values -------------------------------------------------------------------------------------- */

static double value_of_call(const HyFormula *f, const HyFormulaRefs *refs, const double *value)
{
  double few[8], *arg = f->n <= G_N_ELEMENTS(few) ? few : g_new(double, f->n);
  if (hy_formula_is_if(f)) {
    double c = hy_measure_value(f->child[0], refs, value);
    return isnan(c)     ? NAN
           : c != 0.0   ? hy_measure_value(f->child[1], refs, value)
           : f->n == 3U ? hy_measure_value(f->child[2], refs, value)
                        : NAN;
  }
  for (guint k = 0; k < f->n; k++) {
    arg[k] = hy_measure_value(f->child[k], refs, value);
  }
  double v = hy_op_value(f->function, arg, f->n);
  if (arg != few) {
    g_free(arg);
  }
  return v;
}

double hy_measure_value(const HyFormula *f, const HyFormulaRefs *refs, const double *value)
{
  switch (f->kind) {
  case HY_F_NUMBER:
    return f->number;
  case HY_F_REF:
    return value[hy_formula_refs_slot(refs, f)];
  case HY_F_NEG:
    return -hy_measure_value(f->child[0], refs, value);
  case HY_F_NOT:
    return hy_measure_value(f->child[0], refs, value) == 0.0;
  case HY_F_CALL:
    return value_of_call(f, refs, value);
  case HY_F_SUM:
  case HY_F_PRODUCT:
  case HY_F_POW:
  case HY_F_COMPARE:
  case HY_F_AND:
  case HY_F_OR: {
    double v = hy_measure_value(f->child[0], refs, value);
    for (guint k = 1; k < f->n; k++) {
      v = hy_join((HyFormulaKind)f->kind, hy_op(f, k), v,
                  hy_measure_value(f->child[k], refs, value));
    }
    return v;
  }
  default:
    return NAN;
  }
}
