/* The pool of trees, names and texts, and the nodes in it. */
#include "formula_internal.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

#define ARENA_FIRST ((gsize)8 << 10)
#define ARENA_MOST  ((gsize)1 << 20)

struct HyArenaBlock {
  HyArenaBlock *next;
  gsize size, used;
  max_align_t data[];
};

const gint64 hy_no_index[1] = {0};

static void arena_grow(HyFormulaPool *pool, gsize size)
{
  gsize usual = pool->block == NULL ? ARENA_FIRST : MIN(2 * pool->block->size, ARENA_MOST);
  gsize room = MAX(size, usual);
  HyArenaBlock *block = g_malloc(sizeof *block + room);
  *block = (HyArenaBlock){.next = pool->block, .size = room};
  pool->block = block;
}

gpointer hy_arena_alloc(HyFormulaPool *pool, gsize size)
{
  gsize rounded = (size + 7) & ~(gsize)7;
  if (pool->block == NULL || pool->block->size - pool->block->used < rounded) {
    arena_grow(pool, rounded);
  }
  gpointer piece = (char *)pool->block->data + pool->block->used;
  pool->block->used += rounded;
  return piece;
}

gpointer hy_arena_copy(HyFormulaPool *pool, gconstpointer data, gsize size)
{
  gpointer copy = hy_arena_alloc(pool, size);
  return size == 0 ? copy : memcpy(copy, data, size);
}

HyFormulaPool *hy_formula_pool_new(void)
{
  HyFormulaPool *pool = g_new0(HyFormulaPool, 1);
  pool->counter = pool;
  pool->most = HY_FORMULA_ALL;
  pool->names = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint i = 0; i < HY_N_TEXTS; i++) {
    pool->texts[i] = g_hash_table_new(g_str_hash, g_str_equal);
  }
  pool->stack = g_ptr_array_sized_new(16);
  pool->ops = g_byte_array_new();
  return pool;
}

HyFormulaPool *hy_formula_pool_within(HyFormulaPool *around)
{
  HyFormulaPool *pool = hy_formula_pool_new();
  pool->counter = around->counter;
  return pool;
}

void hy_formula_pool_limit(HyFormulaPool *pool, guint64 most)
{
  pool->counter->most = most;
}

/* The largest block is the current one; it stays. */
static void arena_clear(HyFormulaPool *pool, gboolean all)
{
  HyArenaBlock *block = pool->block;
  if (block != NULL && !all) {
    block = block->next;
    pool->block->next = NULL;
    pool->block->used = 0;
  }
  while (block != NULL) {
    HyArenaBlock *next = block->next;
    g_free(block);
    block = next;
  }
}

void hy_formula_pool_free(HyFormulaPool *pool)
{
  if (pool == NULL) {
    return;
  }
  arena_clear(pool, TRUE);
  g_hash_table_destroy(pool->names);
  for (guint i = 0; i < HY_N_TEXTS; i++) {
    g_hash_table_destroy(pool->texts[i]);
  }
  g_ptr_array_free(pool->stack, TRUE);
  g_byte_array_free(pool->ops, TRUE);
  g_free(pool);
}

static void table_clear(GHashTable *table)
{
  if (g_hash_table_size(table) > 0) {
    g_hash_table_remove_all(table);
  }
}

void hy_formula_pool_clear(HyFormulaPool *pool)
{
  table_clear(pool->names);
  for (guint i = 0; i < HY_N_TEXTS; i++) {
    table_clear(pool->texts[i]);
  }
  arena_clear(pool, FALSE);
}

const char *hy_formula_pool_name(HyFormulaPool *pool, const char *name)
{
  gpointer known = NULL;
  if (!g_hash_table_lookup_extended(pool->names, name, &known, NULL)) {
    known = hy_arena_copy(pool, name, strlen(name) + 1);
    g_hash_table_add(pool->names, known);
  }
  return known;
}

const char *hy_pool_name(HyFormulaPool *pool, const char *start, gsize length)
{
  char small[64];
  if (length < sizeof small) {
    memcpy(small, start, length);
    small[length] = '\0';
    return hy_formula_pool_name(pool, small);
  }
  g_autofree char *large = g_strndup(start, length);
  return hy_formula_pool_name(pool, large);
}

gconstpointer hy_pool_find(const HyFormulaPool *pool, guint kind, const char *text)
{
  return g_hash_table_lookup(pool->texts[kind], text);
}

void hy_pool_keep(HyFormulaPool *pool, guint kind, const char *text, gconstpointer what)
{
  char *own = hy_arena_copy(pool, text, strlen(text) + 1);
  g_hash_table_insert(pool->texts[kind], own, hy_key(what));
}

HyFormula *hy_node_new(HyFormulaPool *pool, HyFormulaKind kind, guint32 offset)
{
  HyFormula *node = hy_arena_alloc(pool, sizeof *node);
  *node = (HyFormula){.kind = (guint8)kind, .offset = offset};
  return node;
}

const HyFormula *hy_node_number(HyFormulaPool *pool, double number, guint32 offset)
{
  HyFormula *node = hy_node_new(pool, HY_F_NUMBER, offset);
  node->number = number;
  return node;
}

const HyFormula *hy_node_with(HyFormulaPool *pool, const HyFormula *like, const char *ops,
                              guint base)
{
  guint n = pool->stack->len - base;
  HyFormula *node = hy_node_new(pool, like->kind, like->offset);
  node->function = like->function;
  node->n = n;
  if (n > 0) {
    node->child = hy_arena_copy(pool, &pool->stack->pdata[base], n * sizeof(gpointer));
    node->ops = ops == NULL ? NULL : hy_arena_copy(pool, ops, n);
  }
  g_ptr_array_set_size(pool->stack, (gint)base);
  return node;
}

gboolean hy_formula_whole(double x, gint64 *whole)
{
  double nearest = round(x);
  if (!(fabs(nearest) <= 9007199254740992.0) || fabs(x - nearest) > 1e-9) {
    return FALSE;
  }
  *whole = (gint64)nearest;
  return TRUE;
}

gint64 hy_index_number(const HyFormula *index)
{
  gint64 whole = 0;
  gboolean known = index->kind == HY_F_NUMBER && hy_formula_whole(index->number, &whole);
  g_return_val_if_fail(known, 0);
  return whole;
}

gboolean hy_at_known(const HyIndex *index, guint n, gint64 *at)
{
  for (guint i = 0; i < n; i++) {
    if (index[i].lo == NULL || index[i].hi != NULL || index[i].lo->kind != HY_F_NUMBER ||
        !hy_formula_whole(index[i].lo->number, &at[i])) {
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean index_equal(const HyIndex *a, const HyIndex *b)
{
  if ((a->lo == NULL) != (b->lo == NULL) || (a->hi == NULL) != (b->hi == NULL)) {
    return FALSE;
  }
  return (a->lo == NULL || hy_formula_equal(a->lo, b->lo)) &&
         (a->hi == NULL || hy_formula_equal(a->hi, b->hi));
}

static gboolean ref_equal(const HyFormula *a, const HyFormula *b)
{
  if (a->own != b->own || a->n_index != b->n_index || a->n_port_index != b->n_port_index ||
      strcmp(a->ref.name, b->ref.name) != 0 || g_strcmp0(a->ref.port, b->ref.port) != 0 ||
      (a->ref.at == NULL) != (b->ref.at == NULL)) {
    return FALSE;
  }
  guint n = (guint)a->n_index + a->n_port_index;
  if (a->ref.at != NULL) {
    return memcmp(a->ref.at, b->ref.at, n * sizeof *a->ref.at) == 0;
  }
  for (guint i = 0; i < n; i++) {
    if (!index_equal(&a->ref.index[i], &b->ref.index[i])) {
      return FALSE;
    }
  }
  return TRUE;
}

gboolean hy_formula_equal(const HyFormula *a, const HyFormula *b)
{
  if (a == b) {
    return TRUE;
  }
  if (a->kind != b->kind || a->n != b->n || a->function != b->function) {
    return FALSE;
  }
  if (a->kind == HY_F_NUMBER) {
    return a->number == b->number && signbit(a->number) == signbit(b->number);
  }
  if (a->kind == HY_F_REF) {
    return ref_equal(a, b);
  }
  if (a->kind == HY_F_TEXT) {
    return strcmp(a->said.text, b->said.text) == 0;
  }
  if (a->n > 1 && a->ops != NULL && memcmp(a->ops + 1, b->ops + 1, a->n - 1) != 0) {
    return FALSE;
  }
  for (guint i = 0; i < a->n; i++) {
    if (!hy_formula_equal(a->child[i], b->child[i])) {
      return FALSE;
    }
  }
  return TRUE;
}
