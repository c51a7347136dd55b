/* Linear equations whose elements are formulas: A y = b, where y are names that get definitions.
 *
 * What modes and signals make of an element is known only in the run, so a pivot is one that is
 * never 0: a number that is not small beside others of its column, or a formula that its signs show
 * to be above or below 0 (conductances and resistances are above it). Rows and columns change
 * places for it. Where no such element is left, those that are one with each other are solved by
 * Cramer's rule, y = D_j / D, which divides by their determinant alone: that is 0 only where the
 * equations leave them open. More than MOST_MINORS of them are eliminated as they stand.
 *
 * Up to MOST_WINDINGS windings that are one with each other are solved by that rule even where
 * there are pivots. Beside a closed switch on one side and an open one on the other, what follows
 * from the last unknown by way of a resistance of 1G has all its rounding times 1G, and a
 * conductance of 1M makes amperes of that; of two determinants each unknown is as exact as any
 * other. */
#include "base/hint.h"
#include "internal.h"

#include <math.h>

#define SINGULAR      1e-12 /* of what a number was made of: it is 0 but for rounding */
#define SMALL         1e-3  /* beside the largest number of its column: another pivot is better */
#define MOST_MINORS   5
#define MOST_WINDINGS 6 /* two of each transformer */

/* Signs ---------------------------------------------------------------------------------------- */

/* Which signs a value may have: a sum of these. */
enum { BELOW = 1, ZERO = 2, ABOVE = 4, ANY = 7 };

typedef struct {
  Linear *l;
  GHashTable *given; /* name of the pool -> its signs, of what branches are given */
  GByteArray *signs; /* of the names of the circuit that have been looked at */
  guint *place;      /* [n]: which unknown stands in a column now */
  guint n;           /* of those that are solved for */
} Work;

static guint signs_of_number(double v)
{
  return v > 0.0 ? ABOVE : v < 0.0 ? BELOW : ZERO;
}

static guint signs_turned(guint a)
{
  return (a & BELOW ? ABOVE : 0U) | (a & ZERO) | (a & ABOVE ? BELOW : 0U);
}

static guint signs_added(guint a, guint b)
{
  if ((a | b) == ZERO) {
    return ZERO;
  }
  guint both = (a | b) & (BELOW | ABOVE);
  gboolean zero = both == ANY - ZERO || ((a & ZERO) && (b & ZERO));
  return both | (zero ? ZERO : 0U);
}

static guint signs_times(guint a, guint b)
{
  guint same = (a & b) & (BELOW | ABOVE), other = a & signs_turned(b) & (BELOW | ABOVE);
  return ((a | b) & ZERO) | (same ? ABOVE : 0U) | (other ? BELOW : 0U);
}

static guint signs_of(Work *w, const HyFormula *f);

static guint signs_of_name(Work *w, const char *text)
{
  HyCircuit *c = w->l->c;
  guint32 name = GPOINTER_TO_UINT(g_hash_table_lookup(c->by_name, text));
  if (name == 0) {
    guint known = GPOINTER_TO_UINT(g_hash_table_lookup(w->given, text));
    return known != 0 ? known : ANY;
  }
  while (w->signs->len < name) { /* each stands behind those that it is made of */
    const Name *next = circuit_name(c, w->signs->len);
    gboolean made = next->definition != NULL && next->branch == NONE; /* no state, source, y */
    guint8 signs = (guint8)(made ? signs_of(w, next->definition) : ANY);
    g_byte_array_append(w->signs, &signs, 1);
  }
  return w->signs->data[name - 1];
}

static guint signs_of(Work *w, const HyFormula *f)
{
  switch (f->kind) {
  case HY_F_NUMBER:
    return signs_of_number(f->number);
  case HY_F_REF:
    return signs_of_name(w, f->ref.name);
  case HY_F_NEG:
    return signs_turned(signs_of(w, f->child[0]));
  case HY_F_SUM:
  case HY_F_PRODUCT:
    break;
  default:
    return ANY;
  }
  guint signs = signs_of(w, f->child[0]);
  for (guint32 k = 1; k < f->n; k++) {
    guint next = signs_of(w, f->child[k]);
    signs = f->kind == HY_F_PRODUCT
                ? signs_times(signs, f->ops[k] == '/' ? next & ~(guint)ZERO : next)
                : signs_added(signs, f->ops[k] == '-' ? signs_turned(next) : next);
  }
  return signs;
}

/* Resistances and conductances are above 0, modes are 0 or 1. */
static void signs_begin(Work *w)
{
  const HyCircuit *c = w->l->c;
  w->given = g_hash_table_new(NULL, NULL);
  w->signs = g_byte_array_new();
  for (guint32 k = 0; k < c->branches->len; k++) {
    const HyBranch *b = &circuit_branch(c, k)->is;
    const char *above[] = {b->signal, b->conductance};
    for (guint i = 0; i < 2 && b->kind == HY_BRANCH_RESISTOR; i++) {
      if (above[i] != NULL) {
        const char *name = hy_formula_pool_name(c->pool, above[i]);
        g_hash_table_insert(w->given, hy_key(name), GUINT_TO_POINTER(ABOVE));
      }
    }
    if (b->on != NULL) {
      const char *name = hy_formula_pool_name(c->pool, b->on);
      g_hash_table_insert(w->given, hy_key(name), GUINT_TO_POINTER(ZERO | ABOVE));
    }
  }
}

/* Elements ------------------------------------------------------------------------------------- */

static const HyFormula **at(const Work *w, guint i, guint j)
{
  return &w->l->a[(gsize)i * (w->l->n + 1) + j];
}

static double *scale_at(const Work *w, guint i, guint j)
{
  return &w->l->scale[(gsize)i * (w->l->n + 1) + j];
}

static gboolean is_nothing(const Work *w, guint i, guint j)
{
  const HyFormula *f = *at(w, i, j);
  return f->kind == HY_F_NUMBER && fabs(f->number) <= SINGULAR * *scale_at(w, i, j);
}

/* Of a number its size, of a formula 0. */
static double size_at(const Work *w, guint i, guint j)
{
  const HyFormula *f = *at(w, i, j);
  return f->kind == HY_F_NUMBER && !is_nothing(w, i, j) ? fabs(f->number) : 0.0;
}

static void swap_rows(const Work *w, guint a, guint b)
{
  for (guint j = 0; a != b && j <= w->l->n; j++) {
    const HyFormula *f = *at(w, a, j);
    *at(w, a, j) = *at(w, b, j);
    *at(w, b, j) = f;
    double scale = *scale_at(w, a, j);
    *scale_at(w, a, j) = *scale_at(w, b, j);
    *scale_at(w, b, j) = scale;
  }
}

static void swap_columns(const Work *w, guint a, guint b)
{
  for (guint i = 0; a != b && i < w->l->n; i++) {
    const HyFormula *f = *at(w, i, a);
    *at(w, i, a) = *at(w, i, b);
    *at(w, i, b) = f;
    double scale = *scale_at(w, i, a);
    *scale_at(w, i, a) = *scale_at(w, i, b);
    *scale_at(w, i, b) = scale;
  }
  guint place = w->place[a];
  w->place[a] = w->place[b];
  w->place[b] = place;
}

/* Elimination ---------------------------------------------------------------------------------- */

/* The row at or below K of the best pivot of column J that is never 0; n: there is none. The row
 * FIRST is kept if it will do. */
static guint pivot_in_column(Work *w, guint k, guint j, guint first)
{
  guint n = w->n, best = n;
  double most = 0.0;
  for (guint i = k; i < n; i++) {
    most = fmax(most, size_at(w, i, j));
  }
  double own = size_at(w, first, j);
  if (own > 0.0 && own >= SMALL * most) {
    return first;
  }
  for (guint i = n; i-- > k;) {
    const HyFormula *f = *at(w, i, j);
    if (f->kind != HY_F_NUMBER && !(signs_of(w, f) & ZERO)) {
      best = i == first || best != first ? i : best;
    } else if (size_at(w, i, j) == most && most > 0.0 && best == n) {
      best = i;
    }
  }
  return best;
}

/* A pivot that is never 0 comes to K, K. FALSE: there is none. */
static gboolean bring_pivot(Work *w, guint k)
{
  for (guint j = k; j < w->n; j++) {
    guint i = pivot_in_column(w, k, j, j);
    if (i < w->n) {
      swap_columns(w, k, j);
      swap_rows(w, k, j); /* what was the diagonal stays it */
      swap_rows(w, k, i == k ? j : i == j ? k : i);
      return TRUE;
    }
  }
  return FALSE;
}

/* F is added to that element, or subtracted. */
static void note_scale(const Work *w, guint i, guint j, const HyFormula *f)
{
  double *scale = scale_at(w, i, j);
  *scale = f->kind == HY_F_NUMBER ? fmax(*scale, fabs(f->number)) : *scale;
}

/* Of the source whose value column J is; the right side is everybody's. */
static const char *name_of_unknown(const Work *w, guint j)
{
  const HyCircuit *c = w->l->c;
  if (j == w->l->n) {
    return "rest";
  }
  return circuit_branch(c, circuit_name(c, w->l->y[w->place[j]])->branch)->is.name;
}

/* Row I less F times row K. */
static void subtract_row(const Work *w, guint i, guint k, const HyFormula *f)
{
  HyCircuit *c = w->l->c;
  for (guint j = k + 1; j <= w->l->n; j++) {
    if (!formula_is(*at(w, k, j), 0.0)) {
      const HyFormula *less = formula_join(c, f, '*', *at(w, k, j));
      Sum s = sum_begin(c);
      sum_add(&s, 1, *at(w, i, j));
      sum_add(&s, -1, less);
      note_scale(w, i, j, less);
      *at(w, i, j) = factor_define(c, "m", name_of_unknown(w, j), sum_end(&s));
    }
  }
}

/* Column K of the rows below K becomes 0. */
static void eliminate(const Work *w, guint k)
{
  HyCircuit *c = w->l->c;
  const HyFormula *pivot = *at(w, k, k);
  for (guint i = k + 1; i < w->l->n; i++) {
    if (!formula_is(*at(w, i, k), 0.0)) {
      const HyFormula *f = formula_join(c, *at(w, i, k), '/', pivot);
      subtract_row(w, i, k, factor_define(c, "m", name_of_unknown(w, k), f));
    }
  }
}

static const HyFormula *unknown_at(const Work *w, guint j)
{
  return circuit_name(w->l->c, w->l->y[w->place[j]])->f;
}

static void define(const Work *w, guint j, const HyFormula *f)
{
  circuit_name(w->l->c, w->l->y[w->place[j]])->definition = f;
}

static void back(const Work *w, guint i)
{
  HyCircuit *c = w->l->c;
  Sum s = sum_begin(c);
  sum_add(&s, 1, *at(w, i, w->l->n));
  for (guint j = i + 1; j < w->l->n; j++) {
    sum_add(&s, -1, formula_join(c, *at(w, i, j), '*', unknown_at(w, j)));
  }
  define(w, i, formula_join(c, sum_end(&s), '/', *at(w, i, i)));
}

/* Determinants --------------------------------------------------------------------------------- */

/* Rows and columns that are one with column K come to K ... of the rest; how many. */
static guint gather_block(const Work *w, guint k)
{
  guint n = w->n, many = 1;
  for (gboolean more = TRUE; more;) {
    more = FALSE;
    for (guint j = k + many; j < n; j++) {
      gboolean one = FALSE;
      for (guint i = k; i < k + many; i++) {
        one |= !is_nothing(w, i, j) || !is_nothing(w, j, i);
      }
      if (one) {
        swap_rows(w, k + many, j);
        swap_columns(w, k + many, j);
        many++;
        more = TRUE;
      }
    }
  }
  return many;
}

/* The minor of the first rows from K on and the COLUMNS, bits from K on; the bit MANY is the right
 * side. Minors of fewer rows are in MINOR. */
static const HyFormula *minor_of(const Work *w, guint k, guint many, guint columns,
                                 const HyFormula *const *minor)
{
  guint row = (guint)__builtin_popcount(columns) - 1, after = 0;
  Sum s = sum_begin(w->l->c);
  for (guint j = many + 1; j-- > 0;) {
    if (columns & 1U << j) {
      const HyFormula *f = *at(w, k + row, j < many ? k + j : w->l->n);
      const HyFormula *less = minor[columns & ~(1U << j)];
      sum_add(&s, after % 2 == 0 ? 1 : -1, formula_join(w->l->c, f, '*', less));
      after++;
    }
  }
  return sum_end(&s);
}

/* Each element once. */
static char *names_of(const Work *w, guint k, guint many)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint j = k; j < k + many; j++) {
    gboolean known = FALSE;
    for (guint i = k; i < j; i++) {
      known |= g_str_equal(name_of_unknown(w, i), name_of_unknown(w, j));
    }
    if (!known) {
      g_string_append_printf(text, "%s%s", j > k ? "_" : "", name_of_unknown(w, j));
    }
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

/* The same of the sizes of numbers, all added. */
static double size_of_minor(const Work *w, guint k, guint many, guint columns, const double *size)
{
  guint row = (guint)__builtin_popcount(columns) - 1;
  double sum = 0.0;
  for (guint j = 0; j < many; j++) {
    sum += columns & 1U << j ? size_at(w, k + row, k + j) * size[columns & ~(1U << j)] : 0.0;
  }
  return sum;
}

/* MANY unknowns from K on by their determinants. FALSE: that of the matrix is 0, but for rounding.
 * SURE: it is never 0 in a run, and divided by once (star_inverse()). */
static gboolean by_determinants(const Work *w, guint k, guint many, gboolean sure)
{
  HyCircuit *c = w->l->c;
  guint all = (2U << many) - 1, matrix = all >> 1;
  g_autofree char *names = names_of(w, k, many);
  g_autofree const HyFormula **minor = g_new0(const HyFormula *, (gsize)all + 1);
  g_autofree double *size = g_new0(double, (gsize)all + 1);
  minor[0] = hy_formula_number(c->pool, 1.0);
  size[0] = 1.0;
  for (guint columns = 1; columns <= all; columns++) { /* those it is made of stand before it */
    if ((guint)__builtin_popcount(columns) <= many) {
      const HyFormula *f = minor_of(w, k, many, columns, minor);
      minor[columns] = factor_define(c, columns == matrix ? "det" : "m", names, f);
      size[columns] = size_of_minor(w, k, many, columns, size);
    }
  }
  const HyFormula *det = minor[matrix];
  g_assert(det != NULL);
  if (det->kind == HY_F_NUMBER && fabs(det->number) <= SINGULAR * size[matrix]) {
    return FALSE;
  }
  if (sure) {
    const HyFormula *one = hy_formula_number(c->pool, 1.0);
    det = factor_define(c, "z", names, formula_join(c, one, '/', det));
  }
  for (guint j = 0; j < many; j++) { /* the right side comes to column j */
    const HyFormula *f = formula_join(c, minor[all & ~(1U << j)], sure ? '*' : '/', det);
    define(w, k + j, (many - 1 - j) % 2 == 0 ? f : hy_formula_negative(c->pool, f));
  }
  return TRUE;
}

/* ---------------------------------------------------------------------------------------------- */

/* What no pivot can be had of, from K on: how many unknowns are solved; 0: they leave one another
 * open. DONE: they have definitions. */
static guint solve_block(Work *w, guint k, gboolean *done)
{
  guint many = gather_block(w, k);
  *done = many <= MOST_MINORS && w->l->n_given == 0;
  if (*done) {
    gboolean open = many == 1 && is_nothing(w, k, k);
    return !open && by_determinants(w, k, many, FALSE) ? many : 0;
  }
  guint i = k;
  while (i < k + many && is_nothing(w, i, k)) {
    i++;
  }
  if (i == k + many) {
    return 0;
  }
  swap_rows(w, k, i);
  eliminate(w, k);
  return 1;
}

/* The branch whose value is the unknown of column J. */
static const Branch *branch_of(const Work *w, guint j)
{
  const HyCircuit *c = w->l->c;
  return circuit_branch(c, circuit_name(c, w->l->y[w->place[j]])->branch);
}

static gboolean is_voltage(const Work *w, guint j)
{
  return branch_of(w, j)->is.kind == HY_BRANCH_VOLTAGE;
}

/* A row of MANY from K on that ties voltages alone, as of windings side by side: numbers. */
static guint row_of_voltages(const Work *w, guint k, guint many)
{
  for (guint i = k; i < k + many; i++) {
    gboolean tied = is_voltage(w, i) && !is_nothing(w, i, i);
    for (guint j = k; j < k + many; j++) {
      tied &= is_nothing(w, i, j) || (is_voltage(w, j) && (*at(w, i, j))->kind == HY_F_NUMBER);
    }
    if (tied) {
      return i;
    }
  }
  return w->n;
}

/* Rows and columns of voltages come first, to K. */
static void bring_voltages(const Work *w, guint k, guint many)
{
  guint next = k;
  for (guint j = k; j < k + many; j++) {
    if (is_voltage(w, j)) {
      swap_rows(w, j, next);
      swap_columns(w, j, next);
      next++;
    }
  }
}

/* Windings from K on that are one with each other and with nothing else, not too many: how many are
 * solved; 0: it is none of these, or they leave one another open. DONE: they have definitions. */
static guint solve_windings(const Work *w, guint k, gboolean *done)
{
  *done = FALSE;
  if (w->l->n_given > 0 || branch_of(w, k)->other == NONE) {
    return 0;
  }
  guint many = gather_block(w, k), row = row_of_voltages(w, k, many);
  gboolean windings = many <= MOST_WINDINGS;
  for (guint j = k; j < k + many; j++) {
    windings &= branch_of(w, j)->other != NONE;
  }
  if (windings && row < w->n) {
    swap_rows(w, k, row);
    swap_columns(w, k, row);
    eliminate(w, k);
    return 1;
  }
  bring_voltages(w, k, many);
  *done = windings && by_determinants(w, k, many, TRUE);
  return *done ? many : 0;
}

static gboolean solve_all(Work *w, guint *open)
{
  guint n = w->n;
  g_autofree gboolean *defined = g_new0(gboolean, (gsize)n + 1);
  for (guint k = 0; k < n;) {
    gboolean done;
    guint many = solve_windings(w, k, &done);
    if (many == 0 && bring_pivot(w, k)) {
      eliminate(w, k);
      many = 1;
    } else if (many == 0) {
      many = solve_block(w, k, &done);
    }
    for (guint j = k; j < k + many; j++) {
      defined[j] = done;
    }
    if (many == 0) {
      *open = w->place[k];
      return FALSE;
    }
    k += many;
  }
  for (guint k = n; k-- > 0;) {
    if (!defined[k]) {
      back(w, k);
    }
  }
  return TRUE;
}

gboolean linear_solve(Linear *l, guint *open)
{
  Work w = {.l = l, .n = l->n - l->n_given, .place = g_new0(guint, (gsize)l->n + 1)};
  for (guint k = 0; k < l->n; k++) {
    w.place[k] = k;
  }
  signs_begin(&w);
  gboolean ok = solve_all(&w, open);
  g_hash_table_unref(w.given);
  g_byte_array_unref(w.signs);
  g_free(w.place);
  return ok;
}
