/* Folding remembered: the names asked once more, in their order. */
#include "formula_memo.h"
#include "formula_internal.h"

#include <math.h>
#include <string.h>

#define MOST_LOOKED  64 /* a text that asks for more is folded each time */
#define MOST_INDICES ((gsize)HY_INDICES)

void hy_formula_memo_init(HyFormulaMemo *memo)
{
  GArray *looked = memo->trace.looked;
  looked = looked != NULL ? looked : g_array_new(FALSE, FALSE, sizeof(HyLooked));
  g_array_set_size(looked, 0);
  *memo =
      (HyFormulaMemo){.trace.looked = looked, .ref = memo->ref, .at = memo->at, .room = memo->room};
}

void hy_formula_memo_clear(HyFormulaMemo *memo)
{
  g_clear_pointer(&memo->trace.looked, g_array_unref);
  g_clear_pointer(&memo->ref, g_free);
  g_clear_pointer(&memo->at, g_free);
}

static HyLooked *looked_at(const HyFormulaMemo *memo, guint k)
{
  return &g_array_index(memo->trace.looked, HyLooked, k);
}

static guint n_indices(const HyFormula *ref)
{
  return (guint)ref->n_index + ref->n_port_index;
}

/* Names are of one pool. */
static gboolean is_twin(const HyFormula *a, const HyFormula *b)
{
  return a->ref.name == b->ref.name && a->ref.port == b->ref.port && a->own == b->own &&
         a->n_index == b->n_index && a->n_port_index == b->n_port_index;
}

/* Asking again -------------------------------------------------------------------------------- */

/* The indices of REF, as they are in SCOPE. */
static gboolean find_indices(HyFormulaPool *pool, const HyFormulaScope *scope, const HyFormula *ref,
                             gint64 *at)
{
  guint n = n_indices(ref);
  if (ref->ref.at != NULL) {
    memcpy(at, ref->ref.at, n * sizeof *at);
    return TRUE;
  }
  gboolean known = TRUE;
  for (guint k = 0; known && k < n; k++) {
    g_autoptr(GError) error = NULL; /* it comes again when the formula is folded */
    known = hy_fold_index(pool, ref->ref.index[k].lo, scope, &at[k], &error);
  }
  return known;
}

/* Asks for a name again: the same number, or again a signal. */
static gboolean is_same(const HyFormulaScope *scope, const HyLooked *looked, const gint64 *at)
{
  g_autoptr(GError) error = NULL;
  HyNameValue value = {0};
  HyNameKind kind = scope->value(scope->user, looked->ref, at, &value, &error);
  return looked->signal ? kind == HY_NAME_SIGNAL
                        : kind == HY_NAME_NUMBER && value.number == looked->number &&
                              signbit(value.number) == signbit(looked->number);
}

/* Whether references K and those before it are still different ones. */
static gboolean is_apart(const HyFormulaMemo *memo, guint k)
{
  const HyFormula *ref = &memo->ref[k];
  for (guint j = 0; memo->twins && j < k; j++) {
    if (is_twin(&memo->ref[j], ref) &&
        memcmp(memo->ref[j].ref.at, ref->ref.at, n_indices(ref) * sizeof *ref->ref.at) == 0) {
      return FALSE;
    }
  }
  return TRUE;
}

/* The indices AT belong to reference PLACE: those that it has been given already, if any. */
static gboolean give_indices(HyFormulaMemo *memo, guint place, guint *given, const gint64 *at)
{
  gsize size = n_indices(&memo->ref[place]) * sizeof *at;
  gint64 *own = &memo->at[place * MOST_INDICES];
  if (place < *given) {
    return memcmp(own, at, size) == 0;
  }
  memcpy(own, at, size);
  *given += 1;
  return is_apart(memo, place);
}

gboolean hy_formula_memo_holds(HyFormulaMemo *memo, HyFormulaPool *pool,
                               const HyFormulaScope *scope)
{
  gint64 at[HY_INDICES];
  guint given = 0;
  gboolean same = memo->ready;
  for (guint k = 0; same && k < memo->trace.looked->len; k++) {
    const HyLooked *looked = looked_at(memo, k);
    same = find_indices(pool, scope, looked->ref, at) && is_same(scope, looked, at) &&
           (!looked->signal || give_indices(memo, looked->place, &given, at));
  }
  return same;
}

/* Keeping ------------------------------------------------------------------------------------- */

static void keep_ref(HyFormulaMemo *memo, guint k, const HyFormula *ref)
{
  HyFormula *own = &memo->ref[k];
  gint64 *at = &memo->at[k * MOST_INDICES];
  *own = *ref;
  own->ref.index = NULL;
  own->ref.at = memcpy(at, ref->ref.at, n_indices(ref) * sizeof *at);
  for (guint j = 0; j < k; j++) {
    memo->twins |= is_twin(&memo->ref[j], own);
  }
}

/* Which reference of the result a signal has become: one that was there, or the next. */
static gboolean find_place(HyFormulaMemo *memo, HyLooked *looked, const gint64 *at, guint *given)
{
  for (guint k = 0; k < MIN(*given + 1, memo->n_refs); k++) {
    const HyFormula *ref = &memo->ref[k];
    if (is_twin(ref, looked->ref) && memcmp(ref->ref.at, at, n_indices(ref) * sizeof *at) == 0) {
      looked->place = k;
      *given = MAX(*given, k + 1);
      return TRUE;
    }
  }
  return FALSE;
}

/* What has been asked already need not be asked again: the same place in the text, or the same name
 * without indices. */
static void drop_repeated(HyFormulaMemo *memo)
{
  guint n = 0;
  for (guint k = 0; k < memo->trace.looked->len; k++) {
    HyLooked looked = *looked_at(memo, k);
    guint j = 0;
    while (j < n && looked_at(memo, j)->ref != looked.ref &&
           !(is_twin(looked_at(memo, j)->ref, looked.ref) && n_indices(looked.ref) == 0)) {
      j++;
    }
    if (j == n) {
      *looked_at(memo, n++) = looked;
    }
  }
  g_array_set_size(memo->trace.looked, n);
}

gboolean hy_formula_memo_keep(HyFormulaMemo *memo, const HyFormulaRefs *refs, HyFormulaPool *pool,
                              const HyFormulaScope *scope)
{
  guint given = 0;
  if (memo->trace.odd || memo->trace.looked->len > MOST_LOOKED) {
    return FALSE;
  }
  drop_repeated(memo);
  memo->n_refs = refs->n;
  if (memo->room < refs->n) {
    memo->room = refs->n;
    memo->ref = g_renew(HyFormula, memo->ref, refs->n);
    memo->at = g_renew(gint64, memo->at, refs->n * MOST_INDICES);
  }
  for (guint k = 0; k < refs->n; k++) {
    keep_ref(memo, k, refs->ref[k]);
  }
  gboolean found = TRUE;
  for (guint k = 0; found && k < memo->trace.looked->len; k++) {
    gint64 at[HY_INDICES];
    HyLooked *looked = looked_at(memo, k);
    found = !looked->signal ||
            (find_indices(pool, scope, looked->ref, at) && find_place(memo, looked, at, &given));
  }
  memo->ready = found && given == refs->n;
  return memo->ready;
}
