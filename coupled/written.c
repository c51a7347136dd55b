/* The formulas of a model, node by node in one array. */
#include "written.h"
#include "elements.h"
#include "model_internal.h"

#include <string.h>

typedef struct {
  const HyModel *model;
  guint component;
  guint32 at;
} Block;

struct HyWrittenAll {
  GArray *node;    /* HyWritten */
  GArray *block;   /* Block */
  GArray *network; /* HyPlacedNetwork */
  guint32 *at; /* [atomics]: place in NODE, G_MAXUINT32: none; made when the first is asked for */
};

typedef struct {
  GArray *node;
  const HyFormulaRefs *refs;
  const gint *place;
} Copy;

void hy_model_keep_written(HyModel *model)
{
  struct HyWrittenAll *all = g_new0(struct HyWrittenAll, 1);
  all->node = g_array_new(FALSE, TRUE, sizeof(HyWritten));
  all->block = g_array_new(FALSE, FALSE, sizeof(Block));
  all->network = g_array_new(FALSE, FALSE, sizeof(HyPlacedNetwork));
  g_assert(model->root->owner->written == NULL);
  model->root->owner->written = all;
}

gboolean hy_model_keeps_written(const HyModel *model)
{
  return model->root->owner->written != NULL;
}

void hy_written_free(struct HyWrittenAll *all)
{
  if (all != NULL) {
    g_array_unref(all->node);
    g_array_unref(all->block);
    for (guint k = 0; k < all->network->len; k++) {
      g_array_unref(g_array_index(all->network, HyPlacedNetwork, k).elements);
    }
    g_array_unref(all->network);
    g_free(all->at);
    g_free(all);
  }
}

/* As deep as a formula may be (HY_FORMULA_DEPTH). */
static void copy_node(Copy *c, const HyFormula *f, char sign)
{
  HyWritten node = {.kind = f->kind, .function = f->function, .sign = sign};
  if (f->kind == HY_F_NUMBER) {
    node.number = f->number;
  } else if (f->kind == HY_F_REF) {
    guint slot = hy_formula_refs_slot(c->refs, f);
    node.place = c->place != NULL ? c->place[slot] : (gint64)slot + 1;
  } else {
    node.n = f->n;
  }
  g_array_append_val(c->node, node);
  gboolean signs = f->kind == HY_F_SUM || f->kind == HY_F_PRODUCT || f->kind == HY_F_COMPARE;
  for (guint32 k = 0; k < node.n; k++) {
    copy_node(c, f->child[k], (char)(signs && k > 0 ? f->ops[k] : ' '));
  }
}

guint32 hy_model_write(HyModel *model, guint component, const HyFormula *f,
                       const HyFormulaRefs *refs, const gint *place)
{
  struct HyWrittenAll *all = model->root->owner->written;
  if (all == NULL) {
    return 0;
  }
  guint32 at = all->node->len;
  Copy c = {all->node, refs, place};
  copy_node(&c, f, ' ');
  hy_model_write_again(model, component, at);
  return at;
}

void hy_model_write_again(HyModel *model, guint component, guint32 at)
{
  struct HyWrittenAll *all = model->root->owner->written;
  Block b = {model, component, at};
  if (all != NULL) {
    g_array_append_val(all->block, b);
  }
}

static void find_atomics(const HyRoot *owner, struct HyWrittenAll *all)
{
  all->at = g_new(guint32, (gsize)owner->n_atomics + 1);
  memset(all->at, 0xff, ((gsize)owner->n_atomics + 1) * sizeof *all->at);
  for (guint k = 0; k < all->block->len; k++) {
    const Block *b = &g_array_index(all->block, Block, k);
    all->at[hy_component(b->model, b->component)->number] = b->at;
  }
}

const HyWritten *hy_model_written(const HyModel *model, guint number)
{
  const HyRoot *owner = model->root->owner;
  struct HyWrittenAll *all = owner->written;
  if (all == NULL || number >= owner->n_atomics) {
    return NULL;
  }
  if (all->at == NULL) {
    find_atomics(owner, all);
  }
  return all->at[number] != G_MAXUINT32 ? &g_array_index(all->node, HyWritten, all->at[number])
                                        : NULL;
}

/* Circuits ------------------------------------------------------------------------------------- */

void hy_model_place_network(HyModel *model, guint nodes, GArray *elements)
{
  HyPlacedNetwork n = {nodes, elements};
  g_array_append_val(model->root->owner->written->network, n);
}

const HyPlacedNetwork *hy_model_placed(const HyModel *model, guint k)
{
  const struct HyWrittenAll *all = model->root->owner->written;
  return all != NULL && k < all->network->len ? &g_array_index(all->network, HyPlacedNetwork, k)
                                              : NULL;
}

guint hy_placed_number(const HyPlacedSignal *s)
{
  return hy_component(s->model, s->component)->number;
}
