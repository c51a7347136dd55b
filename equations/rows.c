/* Rows by composition. For each state the walk goes backwards along the wires from its derivative
 * to states, sources and outside blocks; then the nodes of each static block on the way are copied
 * behind those of its inputs, the inputs replaced. What comes out is brought to canonical form
 * (expr/template.c), and rows of one form share a template.
 *
 * A block that several read is composed once in each row, and equal nodes are one, so a row is a
 * graph and no tree. Only where a block has more than HY_WIDE signals and several readers would
 * rows be quadratic in the size of the diagram, as for the mean of all states: it becomes a hub, a
 * slot of the others with a row of its own.
 *
 * The walk is a loop with its own stack: a chain of 100,000 blocks is as deep as one. */
#include "rows.h"
#include "base/hint.h"
#include "expr/signs.h"

#include <string.h>

#define HY_MAX_NODES 1000000U   /* of one row */
#define HY_MAX_SLOTS 200000000U /* of all rows */
#define HY_HUBS      8U         /* hubs of hubs of ..., through which partials are followed */
#define HY_LITERALS  10000U     /* nodes of a row from which on equal numbers are one */

/* A static block whose inputs are being composed. */
typedef struct {
  guint atomic, next; /* the input to look at */
} Frame;

/* An output of the flat graph. */
typedef struct {
  guint32 stamp; /* the last row that met it */
  HyX at;        /* and its node there */
  guint8 joined; /* composed into rows, not a leaf of them */
  guint8 hub;
} Place;

struct HyDeriver {
  const HyDiagram *g;
  HyRows *rows;
  HyXBuilder *b;
  Place *place; /* [slots] */
  guint32 row;
  GArray *stack; /* Frame */
  GArray *map;   /* HyX, by node of a kind */
  HyShape shape;
  GHashTable *by_shape; /* HyTemplate -> its number + 1 */
  guint32 latest;       /* template of the row before */
};

void hy_deriver_free(HyDeriver *d)
{
  if (d != NULL) {
    hy_x_builder_free(d->b);
    g_free(d->place);
    g_array_unref(d->stack);
    g_array_unref(d->map);
    hy_shape_clear(&d->shape);
    g_hash_table_unref(d->by_shape);
    g_free(d);
  }
}

/* Composing ----------------------------------------------------------------------------------- */

static void row_note(HyDeriver *d, guint slot, HyX x)
{
  d->place[slot].at = x;
  d->place[slot].stamp = d->row;
}

static guint source_of(const HyDeriver *d, guint atomic, guint port)
{
  return d->g->sources->slot[d->g->sources->first[atomic] + port];
}

/* A wired input of a block with one source each; a port with several is an event port. */
static gboolean can_join(const HyDeriver *d, guint atomic)
{
  const HyKind *kind = d->g->kind[atomic];
  if (kind == NULL) {
    return FALSE;
  }
  for (guint k = 0; k < kind->n_in; k++) {
    if (kind->feeds[k] && source_of(d, atomic, k) >= d->g->flat->first_out[d->g->flat->n]) {
      return FALSE; /* also what comes in at the ports of the root model */
    }
  }
  return TRUE;
}

/* TRUE: SLOT has its node. FALSE: its block has been put on the stack. INSIDE: a hub, too. */
static gboolean row_reached(HyDeriver *d, guint slot, gboolean inside)
{
  if (d->place[slot].stamp == d->row) {
    return TRUE;
  }
  guint atomic = d->g->flat->owner[slot];
  if (!d->place[slot].joined || (d->place[slot].hub && !inside)) {
    row_note(d, slot, hy_x_in(d->b, slot));
    return TRUE;
  }
  Frame frame = {.atomic = atomic};
  g_array_append_val(d->stack, frame);
  return FALSE;
}

/* A number of one block is not that of another, though they may be equal: then a section with other
 * parameters has the same shape. */
static HyX number_node(HyDeriver *d, double v)
{
  return d->b->n < HY_LITERALS ? hy_x_literal(d->b, v) : hy_x_const(d->b, v);
}

typedef struct {
  HyDeriver *d;
  guint atomic;
} Composing;

/* A leaf of a block, in terms of its sources; modes become flags of the row. */
static HyX composed_leaf(gpointer user, HyXBuilder *b, HyX x, const HyNode *n)
{
  const Composing *c = user;
  const HyDiagram *g = c->d->g;
  switch (n->op) {
  case HY_X_IN:
    return c->d->place[source_of(c->d, c->atomic, n->a)].at;
  case HY_X_CONST:
    return number_node(c->d, n->v);
  default:
    return hy_x_flag(b, g->first_flag[c->atomic] + g->kind[c->atomic]->mode_of[x]);
  }
}

/* What is known of inputs that are joined; how much was before. */
static guint suppose_inputs(HyDeriver *d, guint atomic)
{
  guint before = hy_x_supposed(d->b);
  for (guint k = 0; k < d->g->kind[atomic]->n_in; k++) {
    guint slot = source_of(d, atomic, k);
    if (slot == HY_NO_SOURCE || slot >= d->g->flat->first_out[d->g->flat->n]) {
      continue;
    }
    guint owner = d->g->flat->owner[slot], port = slot - d->g->flat->first_out[owner];
    const HyKind *kind = d->g->kind[owner];
    if (kind != NULL && port < 64 && kind->roots >> port & 1) {
      hy_x_suppose(d->b, d->place[slot].at, HY_X_ZERO);
    }
  }
  return before;
}

/* All inputs have their nodes. */
static void compose_block(HyDeriver *d, guint atomic)
{
  const HyKind *kind = d->g->kind[atomic];
  g_array_set_size(d->map, MAX(d->map->len, kind->n_nodes));
  HyX *map = (HyX *)(gpointer)d->map->data;
  Composing composing = {d, atomic};
  guint before = suppose_inputs(d, atomic);
  HyXMap m = {d->b, kind->node, map, composed_leaf, &composing};
  hy_x_map(&m, kind->n_nodes, kind->need);
  hy_x_suppose_back(d->b, before);
  guint first = d->g->flat->first_out[atomic];
  for (guint k = 0; k < kind->n_out; k++) {
    row_note(d, first + k, map[kind->out[k]]);
  }
}

/* The node of what is said at SLOT; FALSE: the row becomes too large. INSIDE: what a hub is made
 * of, not the hub itself. */
static gboolean row_compose(HyDeriver *d, guint slot, gboolean inside, HyX *root)
{
  g_array_set_size(d->stack, 0);
  row_reached(d, slot, inside);
  while (d->stack->len > 0) {
    Frame *f = &g_array_index(d->stack, Frame, d->stack->len - 1);
    guint atomic = f->atomic;
    const HyKind *kind = d->g->kind[atomic];
    gboolean waits = FALSE;
    while (f->next < kind->n_in && !waits) {
      guint k = f->next++;
      waits = kind->feeds[k] && !row_reached(d, source_of(d, atomic, k), FALSE);
      f = &g_array_index(d->stack, Frame, d->stack->len - (waits ? 2 : 1));
    }
    if (!waits) {
      g_array_set_size(d->stack, d->stack->len - 1);
      compose_block(d, atomic);
    }
    if (d->b->n > HY_MAX_NODES) {
      return FALSE;
    }
  }
  *root = d->place[slot].at;
  return TRUE;
}

/* Rows ---------------------------------------------------------------------------------------- */

/* Neighbours mostly have one shape, so the template of the row before is compared first. */
static guint32 template_of(HyDeriver *d)
{
  GPtrArray *all = d->rows->templates;
  if (d->latest != HY_NO_ROW &&
      hy_template_equal(g_ptr_array_index(all, d->latest), &d->shape.as)) {
    return d->latest;
  }
  guint known = GPOINTER_TO_UINT(g_hash_table_lookup(d->by_shape, &d->shape.as));
  if (known > 0) {
    return known - 1;
  }
  HyTemplate *t = hy_template_new(&d->shape);
  if (!hy_template_compile(t, d->g->lanes)) {
    hy_template_free(t);
    return HY_NO_ROW;
  }
  t->last = G_MAXUINT32;
  g_ptr_array_add(all, t);
  g_hash_table_insert(d->by_shape, t, GUINT_TO_POINTER(all->len));
  return all->len - 1;
}

/* Rows with the numbers of the row before share them. */
static guint32 place_numbers(HyDeriver *d, HyTemplate *t)
{
  GArray *pool = d->rows->number, *mine = d->shape.number;
  gsize size = mine->len * sizeof(double);
  if (mine->len == 0) {
    return 0;
  }
  if (t->last == G_MAXUINT32 ||
      memcmp(pool->data + t->last * sizeof(double), mine->data, size) != 0) {
    t->last = pool->len;
    g_array_append_vals(pool, mine->data, mine->len);
  }
  return t->last;
}

static guint32 row_append(GArray *pool, const GArray *values)
{
  guint32 at = pool->len;
  g_array_append_vals(pool, values->data, values->len);
  return at;
}

/* The composed expression as a row: its shape, and what its slots, numbers and flags are here.
 * LINEAR: else it is none. */
static guint32 add_row_if(HyDeriver *d, HyX root, guint self, gboolean linear)
{
  HyShape *s = &d->shape;
  hy_shape_take(s, d->b, root);
  for (guint k = 0; k < s->slot->len && self != HY_NO_SOURCE; k++) {
    if (g_array_index(s->slot, guint32, k) == self) {
      s->as.self = k;
    }
  }
  guint32 number = template_of(d);
  if (number == HY_NO_ROW || d->rows->slot->len + s->slot->len > HY_MAX_SLOTS) {
    return HY_NO_ROW;
  }
  HyTemplate *t = g_ptr_array_index(d->rows->templates, number);
  if (linear && t->degree == HY_NONLINEAR) {
    return HY_NO_ROW;
  }
  d->latest = number;
  t->n_rows++;
  HyRow row = {.template = number,
               .slots = row_append(d->rows->slot, s->slot),
               .numbers = place_numbers(d, t),
               .flags = row_append(d->rows->flag, s->flag),
               .coef = d->rows->coef->len};
  g_array_append_val(d->rows->rows, row);
  const HyTemplate *linear_part = hy_row_linear(d->rows, d->rows->rows->len - 1);
  if (linear_part != NULL) {
    g_array_set_size(d->rows->coef, row.coef + linear_part->n_slots + 1);
  }
  return d->rows->rows->len - 1;
}

static guint32 add_row(HyDeriver *d, HyX root, guint self)
{
  return add_row_if(d, root, self, FALSE);
}

static void start_row(HyDeriver *d)
{
  hy_x_builder_reset(d->b);
  d->row++;
}

/* Of the expression at hand: the most hubs that follow one another. G_MAXUINT: one has no row. */
static guint hub_depth(const HyDeriver *d)
{
  guint depth = 0;
  for (HyX x = 0; d->rows->hub->len > 0 && x < d->b->n; x++) {
    const HyNode *n = &d->b->node[x];
    if (n->op == HY_X_IN && d->place[n->a].hub) {
      const HyHub *hub = hy_rows_hub(d->rows, n->a);
      depth = MAX(depth, hub != NULL ? hub->depth : G_MAXUINT);
    }
  }
  return depth;
}

guint32 hy_derive_signal(HyDeriver *d, guint slot, guint self)
{
  HyX root;
  start_row(d);
  if (!row_compose(d, slot, FALSE, &root) || hub_depth(d) > HY_HUBS) {
    return HY_NO_ROW;
  }
  return add_row(d, root, self);
}

/* All inputs that X is made of, then X itself. */
static gboolean compose_node(HyDeriver *d, guint atomic, HyX x, HyX *root)
{
  const HyKind *kind = d->g->kind[atomic];
  const HyXBuilder said = {.node = kind->node, .n = kind->n_nodes};
  g_autofree guint8 *need = g_new0(guint8, (gsize)kind->n_nodes + 1);
  g_autofree HyX *map = g_new0(HyX, (gsize)kind->n_nodes + 1);
  hy_x_reach(&said, &x, 1, FALSE, need);
  for (HyX k = 0; k <= x; k++) {
    if (need[k] && kind->node[k].op == HY_X_IN &&
        !row_compose(d, source_of(d, atomic, kind->node[k].a), FALSE, root)) {
      return FALSE;
    }
  }
  Composing composing = {d, atomic};
  HyXMap m = {d->b, kind->node, map, composed_leaf, &composing};
  hy_x_map(&m, x + 1, need);
  *root = map[x];
  return TRUE;
}

static guint32 derive_node(HyDeriver *d, guint atomic, HyX x, gboolean linear)
{
  HyX root;
  start_row(d);
  if (!compose_node(d, atomic, x, &root) || hub_depth(d) > HY_HUBS) {
    return HY_NO_ROW;
  }
  return add_row_if(d, root, HY_NO_SOURCE, linear);
}

guint32 hy_derive_node(HyDeriver *d, guint atomic, HyX x)
{
  return derive_node(d, atomic, x, FALSE);
}

guint32 hy_derive_linear(HyDeriver *d, guint atomic, HyX x)
{
  return derive_node(d, atomic, x, TRUE);
}

guint32 hy_derive_number(HyDeriver *d, double v)
{
  start_row(d);
  return add_row(d, hy_x_const(d->b, v), HY_NO_SOURCE);
}

/* Hubs ---------------------------------------------------------------------------------------- */

/* Targets are in the order of delivery: those of one reader may stand at both ends. */
static gboolean has_several_readers(const HyFlat *flat, guint slot)
{
  guint first = flat->start[slot], end = flat->start[slot + 1];
  while (first < end && flat->targets[first].atomic == flat->targets[end - 1].atomic) {
    end--;
  }
  return first < end;
}

/* How many signals a block is made of, hubs being one; at most, since one may come twice. What is
 * made of modes alone is none: it is a factor, and as a slot of its own it would make rows that
 * read it nonlinear. SIGNALS has one more than they are: blocks that feed it are numbered before it
 * (coupled/order.h), and one that is not, 0, counts as one signal. */
static guint signals_of(const HyDeriver *d, guint atomic, const guint32 *signals)
{
  const HyKind *kind = d->g->kind[atomic];
  guint n = 0;
  for (guint k = 0; k < kind->n_in; k++) {
    guint32 source = kind->feeds[k] ? signals[source_of(d, atomic, k)] : 1;
    n += source > 0 ? source - 1 : 1;
  }
  return MIN(n, HY_WIDE + 1);
}

static gint by_slot(gconstpointer a, gconstpointer b, gpointer slots)
{
  const guint32 *slot = slots;
  guint32 x = slot[*(const guint32 *)a], y = slot[*(const guint32 *)b];
  return x < y ? -1 : x > y;
}

/* Without a row the hub is still a slot of the others, which then have none either. */
static void derive_hub(HyDeriver *d, guint slot)
{
  HyX root;
  start_row(d);
  gboolean composed = row_compose(d, slot, TRUE, &root);
  guint depth = hub_depth(d);
  guint32 row = composed && depth < HY_HUBS ? add_row(d, root, HY_NO_SOURCE) : HY_NO_ROW;
  if (row == HY_NO_ROW) {
    return;
  }
  HyHub hub = {.slot = slot, .row = row, .sequence = d->rows->sequence->len, .depth = depth + 1};
  guint n = hy_row_template(d->rows, row)->n_slots;
  for (guint32 k = 0; k < n; k++) {
    g_array_append_val(d->rows->sequence, k);
  }
  g_qsort_with_data(&g_array_index(d->rows->sequence, guint32, hub.sequence), (gint)n,
                    sizeof(guint32), by_slot, hy_key(hy_row_slots(d->rows, row)));
  g_array_append_val(d->rows->hub, hub);
}

/* In the order of ties, in which a block stands after those that feed it, so hubs are found before
 * what reads them. */
static void derive_hubs(HyDeriver *d)
{
  const HyFlat *flat = d->g->flat;
  g_autofree guint32 *signals = g_new0(guint32, (gsize)flat->first_out[flat->n] + 1);
  for (guint a = 0; a < flat->n; a++) {
    guint first = flat->first_out[a];
    gboolean speaks = first < flat->first_out[a + 1];
    guint n = speaks && d->place[first].joined ? signals_of(d, a, signals) : 1;
    for (guint slot = first; slot < flat->first_out[a + 1]; slot++) {
      gboolean hub = n > HY_WIDE && has_several_readers(flat, slot);
      signals[slot] = 1 + (hub ? 1 : n);
      d->place[slot].hub = hub;
      if (hub) {
        derive_hub(d, slot);
      }
    }
  }
}

/* What is composed, and what is a slot, is known before the first row is derived. */
HyDeriver *hy_deriver_new(const HyDiagram *diagram, HyRows *rows)
{
  const HyFlat *flat = diagram->flat;
  gsize slots = flat->first_out[flat->n];
  HyDeriver *d = g_new0(HyDeriver, 1);
  *d = (HyDeriver){.g = diagram,
                   .rows = rows,
                   .b = hy_x_builder_new(),
                   .place = g_new0(Place, slots + 1),
                   .stack = g_array_new(FALSE, FALSE, sizeof(Frame)),
                   .map = g_array_new(FALSE, FALSE, sizeof(HyX)),
                   .by_shape = g_hash_table_new(hy_template_hash, hy_template_equal),
                   .latest = HY_NO_ROW};
  hy_shape_init(&d->shape);
  for (guint a = 0; a < flat->n; a++) {
    gboolean joined = can_join(d, a);
    for (guint slot = flat->first_out[a]; slot < flat->first_out[a + 1]; slot++) {
      d->place[slot] = (Place){.joined = joined};
    }
  }
  derive_hubs(d);
  return d;
}

/* Hubs are sorted by slot. */
const HyHub *hy_rows_hub(const HyRows *rows, guint slot)
{
  guint low = 0, high = rows->hub->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const HyHub *hub = &g_array_index(rows->hub, HyHub, middle);
    if (hub->slot == slot) {
      return hub;
    }
    if (hub->slot < slot) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return NULL;
}

/* By the places of the row's slots, sorted by slot. */
guint hy_rows_hub_place(const HyRows *rows, const HyHub *hub, guint slot)
{
  const guint32 *slots = hy_row_slots(rows, hub->row);
  const guint32 *sequence = &g_array_index(rows->sequence, guint32, hub->sequence);
  guint low = 0, high = hy_row_template(rows, hub->row)->n_slots;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    guint32 at = slots[sequence[middle]];
    if (at == slot) {
      return sequence[middle];
    }
    if (at < slot) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return HY_NO_SLOT;
}

static void free_template(gpointer t)
{
  hy_template_free(t);
}

/* Arrays that may stay empty have an address all the same: rows add their offsets to it. */
void hy_rows_init(HyRows *rows)
{
  *rows = (HyRows){.templates = g_ptr_array_new_with_free_func(free_template),
                   .rows = g_array_new(FALSE, FALSE, sizeof(HyRow)),
                   .slot = g_array_sized_new(FALSE, FALSE, sizeof(guint32), 1),
                   .number = g_array_sized_new(FALSE, FALSE, sizeof(double), 1),
                   .flag = g_array_sized_new(FALSE, FALSE, sizeof(guint32), 1),
                   .coef = g_array_new(FALSE, FALSE, sizeof(double)),
                   .hub = g_array_new(FALSE, FALSE, sizeof(HyHub)),
                   .sequence = g_array_new(FALSE, FALSE, sizeof(guint32))};
}

void hy_rows_clear(HyRows *rows)
{
  g_ptr_array_unref(rows->templates);
  GArray *const all[] = {rows->rows, rows->slot, rows->number,  rows->flag,
                         rows->coef, rows->hub,  rows->sequence};
  for (guint k = 0; k < G_N_ELEMENTS(all); k++) {
    g_array_unref(all[k]);
  }
}
