/* A row that is not linear, in two parts: the straight one is linear in its slots, the curved one
 * is the rest. What a section has to do with its neighbours is mostly in the first, what happens in
 * it in the second. So a slot of which only the straight part is made may change without the curved
 * part being evaluated: that one is what it was.
 *
 * A node that is linear is straight. A sum is, in both parts, the sum of those of its operands;
 * what is linear takes its factor with it, k (f + g) = k f + k g, if the factor is made of no
 * slots. All else is curved as it is: choices, too, so that neither part has to be 0 in one of its
 * branches. */
#include "template.h"

#include <string.h>

#define NONE G_MAXUINT32 /* this part of a node is 0 */

typedef struct {
  const HyTemplate *t;
  const guint8 *degree;   /* [n_nodes] */
  GArray *node;           /* HyNode: those of the row, and behind them parts of sums */
  HyX *straight, *curved; /* [n_nodes]: among them */
} Splitter;

static HyX split_put(Splitter *s, guint32 op, HyX a, HyX b)
{
  HyNode n = {.op = op, .a = a, .b = b};
  g_array_append_val(s->node, n);
  return s->node->len - 1;
}

static HyX split_of_sum(Splitter *s, const HyNode *n, const HyX *part)
{
  HyX a = part[n->a], b = n->op == HY_X_NEG ? NONE : part[n->b];
  if (a == NONE && b == NONE) {
    return NONE;
  }
  if (b == NONE) {
    return n->op == HY_X_NEG ? split_put(s, HY_X_NEG, a, 0) : a;
  }
  return a != NONE           ? split_put(s, n->op, a, b)
         : n->op == HY_X_SUB ? split_put(s, HY_X_NEG, b, 0)
                             : b;
}

static HyX split_of_product(Splitter *s, const HyNode *n, const HyX *part)
{
  gboolean first = s->degree[n->a] == 0; /* the factor */
  HyX of = part[first ? n->b : n->a];
  return of == NONE ? NONE : first ? split_put(s, n->op, n->a, of) : split_put(s, n->op, of, n->b);
}

static gboolean split_is_scaled(const Splitter *s, const HyNode *n)
{
  return (n->op == HY_X_MUL && (s->degree[n->a] == 0 || s->degree[n->b] == 0)) ||
         (n->op == HY_X_DIV && s->degree[n->b] == 0);
}

/* A node without a straight part stays one. */
static void split_node(Splitter *s, guint k)
{
  const HyNode n = s->t->node[k];
  gboolean sum = n.op == HY_X_ADD || n.op == HY_X_SUB || n.op == HY_X_NEG;
  HyX (*of)(Splitter *, const HyNode *, const HyX *) = sum                      ? split_of_sum
                                                       : split_is_scaled(s, &n) ? split_of_product
                                                                                : NULL;
  gboolean linear = s->degree[k] <= 1;
  s->straight[k] = linear ? k : of != NULL ? of(s, &n, s->straight) : NONE;
  s->curved[k] = linear ? NONE : s->straight[k] == NONE ? k : of(s, &n, s->curved);
}

/* The nodes that ROOT is made of. */
static HyTemplate *split_part(const Splitter *s, HyX root)
{
  const HyXBuilder b = {.node = (HyNode *)(gpointer)s->node->data, .n = s->node->len};
  g_autofree guint8 *need = g_new0(guint8, b.n);
  g_autofree HyX *map = g_new0(HyX, b.n);
  HyTemplate *part = g_new0(HyTemplate, 1);
  *part = (HyTemplate){.n_slots = s->t->n_slots,
                       .n_numbers = s->t->n_numbers,
                       .n_flags = s->t->n_flags,
                       .self = s->t->self,
                       .node = g_new(HyNode, b.n)};
  hy_x_reach(&b, &root, 1, TRUE, need);
  for (HyX x = 0; x < b.n; x++) {
    if (need[x]) {
      map[x] = part->n_nodes;
      part->node[part->n_nodes++] = hy_node_moved(&b.node[x], map);
    }
  }
  return part;
}

/* Which slots each of them reads; those of the straight one are counted anew. FALSE: there is none
 * that the curved one does not read. */
static gboolean split_find_slots(HyTemplate *t)
{
  gboolean any = FALSE;
  t->bends = g_new0(guint8, (gsize)t->n_slots + 1);
  t->straight_slot = g_new(guint32, (gsize)t->n_slots + 1);
  t->straight_place = g_new(guint, (gsize)t->n_slots + 1);
  for (guint k = 0; k < t->n_slots; k++) {
    t->straight_place[k] = HY_NO_SLOT;
  }
  for (guint k = 0; k < t->curved->n_nodes; k++) {
    const HyNode *n = &t->curved->node[k];
    if (n->op == HY_X_IN) {
      t->bends[n->a] = 1;
    }
  }
  t->straight->n_slots = 0;
  for (guint k = 0; k < t->straight->n_nodes; k++) {
    HyNode *n = &t->straight->node[k];
    if (n->op == HY_X_IN) {
      any |= !t->bends[n->a];
      t->straight_slot[t->straight->n_slots] = n->a;
      t->straight_place[n->a] = t->straight->n_slots;
      n->a = t->straight->n_slots++;
    }
  }
  return any;
}

static void split_forget(HyTemplate *t)
{
  g_clear_pointer(&t->straight, hy_template_free);
  g_clear_pointer(&t->curved, hy_template_free);
  g_clear_pointer(&t->straight_slot, g_free);
  g_clear_pointer(&t->straight_place, g_free);
  g_clear_pointer(&t->bends, g_free);
}

void hy_template_split(HyTemplate *t, guint lanes)
{
  HyTimeDegree by_slots;
  g_autofree HyX *straight = g_new0(HyX, (gsize)t->n_nodes + 1);
  g_autofree HyX *curved = g_new0(HyX, (gsize)t->n_nodes + 1);
  hy_x_degree_init(&by_slots, t->n_slots, t->n_nodes, 1);
  hy_x_degree(&by_slots, t->node, t->n_nodes, NULL);
  Splitter s = {.t = t,
                .degree = by_slots.node,
                .node = g_array_new(FALSE, FALSE, sizeof(HyNode)),
                .straight = straight,
                .curved = curved};
  g_array_append_vals(s.node, t->node, t->n_nodes);
  HyX root = 0;
  for (guint k = 0; k < t->n_nodes; k++) {
    split_node(&s, k);
    root = k;
  }
  if (straight[root] != NONE && curved[root] != NONE) {
    t->straight = split_part(&s, straight[root]);
    t->curved = split_part(&s, curved[root]);
    if (!split_find_slots(t) || !hy_template_compile(t->curved, lanes)) {
      split_forget(t);
    }
  }
  g_array_unref(s.node);
  hy_x_degree_clear(&by_slots);
}
