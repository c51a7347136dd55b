#include "plan.h"

#include "coupled/model_internal.h"
#include "eval.h"

#include <string.h>

/* Instructions, by callgrind. */
#define BLOCK_COST 250
#define NODE_COST  90

/* Blocks --------------------------------------------------------------------------------------- */

static gboolean is_state(const HyAtomicClass *klass)
{
  return strcmp(klass->name, "integrator") == 0 || strcmp(klass->name, "reset_integrator") == 0;
}

static void find_block(const HyAuditPlan *p, guint number, gconstpointer state)
{
  HyAuditBlock *b = &p->block[number];
  b->plain = hy_plain_class(b->klass->name);
  if (is_state(b->klass)) {
    b->role = HY_AUDIT_STATE;
  } else if (b->plain != NULL) {
    b->role = b->plain->function != NULL ? HY_AUDIT_PLAIN : HY_AUDIT_MODE;
    hy_plain_params(b->plain, b->klass, state, &b->params);
    b->params.tree = hy_model_written(p->model, number);
    gboolean function = b->params.tree != NULL && strcmp(b->klass->name, "function") == 0;
    b->beyond = function ? !hy_written_is_linear(b->params.tree) : b->plain->beyond;
    guint nodes = b->params.tree != NULL ? hy_written_size(b->params.tree) : 2 * b->n_in;
    b->weight = BLOCK_COST + NODE_COST * nodes;
  }
}

static void find_blocks(HyAuditPlan *p, gconstpointer (*state_of)(gpointer, guint), gpointer user)
{
  const HyRoot *owner = p->model->owner;
  p->n = owner->n_atomics;
  p->block = g_new0(HyAuditBlock, (gsize)p->n + 1);
  for (guint k = 0; k < p->n; k++) {
    const HyModel *m = owner->coupled[owner->atomics[k].coupled];
    const HyComponent *c = hy_component(m, owner->atomics[k].component);
    HyAuditBlock *b = &p->block[k];
    *b = (HyAuditBlock){.klass = c->klass, .n_in = c->n_in, .n_out = c->n_out};
    b->first_in = p->n_in;
    b->first_out = p->n_out;
    p->n_in += c->n_in;
    p->n_out += c->n_out;
    find_block(p, k, state_of(user, k));
  }
}

guint *hy_audit_slots(const HyModel *model)
{
  const HyRoot *owner = model->owner;
  guint *first = g_new0(guint, (gsize)owner->n_atomics + 1);
  for (guint k = 0; k < owner->n_atomics; k++) {
    const HyModel *m = owner->coupled[owner->atomics[k].coupled];
    first[k + 1] = first[k] + hy_component(m, owner->atomics[k].component)->n_out;
  }
  return first;
}

/* Couplings ------------------------------------------------------------------------------------ */

typedef struct {
  const HyModel *model;
  guint slot; /* in it */
} Place;

static void feed(const HyAuditPlan *p, const HyComponent *to, guint port, guint slot)
{
  HyAuditInput *in = &p->input[p->block[to->number].first_in + port];
  in->slot = in->slot == HY_AUDIT_NONE ? slot : HY_AUDIT_OTHER;
}

/* From one place to those that it is coupled to: up at a port of the model around it, down into a
 * coupled model, or to an end. */
static void walk_from(const HyAuditPlan *p, GArray *stack, Place at, guint slot)
{
  const HyModel *m = at.model;
  for (guint k = m->start[at.slot]; k < m->start[at.slot + 1]; k++) {
    HyTarget to = m->targets[k];
    Place next = {m->parent, 0};
    if (to.to == HY_SELF && m->parent != NULL) {
      next.slot = hy_slot(m->parent, m->index, to.to_port);
      g_array_append_val(stack, next);
    } else if (to.to != HY_SELF && hy_component(m, to.to)->klass != NULL) {
      feed(p, hy_component(m, to.to), to.to_port, slot);
    } else if (to.to != HY_SELF) {
      next = (Place){hy_component(m, to.to)->u.coupled, to.to_port};
      g_array_append_val(stack, next);
    }
  }
}

static void walk(const HyAuditPlan *p, GArray *stack, Place from, guint slot)
{
  g_array_set_size(stack, 0);
  g_array_append_val(stack, from);
  while (stack->len > 0) {
    Place at = g_array_index(stack, Place, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    walk_from(p, stack, at, slot);
  }
}

static void take_constants(const HyAuditPlan *p, const HyModel *m)
{
  for (guint k = 0; m->constants != NULL && k < m->constants->len; k++) {
    const HyConstantInput *c = &g_array_index(m->constants, HyConstantInput, k);
    const HyAuditBlock *b = &p->block[hy_component(m, c->component)->number];
    p->input[b->first_in + c->port].number = c->value.payload == NULL ? c->value.c[0] : NAN;
  }
}

static void find_inputs(HyAuditPlan *p)
{
  const HyRoot *owner = p->model->owner;
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Place));
  p->input = g_new0(HyAuditInput, (gsize)p->n_in + 1);
  p->owner = g_new(guint, (gsize)p->n_out + 1);
  for (guint k = 0; k < p->n_in; k++) {
    p->input[k] = (HyAuditInput){HY_AUDIT_NONE, NAN};
  }
  for (guint k = 0; k < p->n; k++) {
    const HyModel *m = owner->coupled[owner->atomics[k].coupled];
    for (guint port = 0; port < p->block[k].n_out; port++) {
      guint slot = p->block[k].first_out + port;
      p->owner[slot] = k;
      walk(p, stack, (Place){m, hy_slot(m, owner->atomics[k].component, port)}, slot);
    }
  }
  for (guint port = 0; port < p->model->in->len; port++) {
    walk(p, stack, (Place){p->model, port}, HY_AUDIT_OTHER);
  }
  for (guint k = 0; k < owner->n_coupled; k++) {
    take_constants(p, owner->coupled[k]);
  }
}

/* Order ---------------------------------------------------------------------------------------- */

/* The plain block that feeds an input; NULL: none does. */
static HyAuditBlock *plain_before(const HyAuditPlan *p, guint input)
{
  guint slot = p->input[input].slot;
  HyAuditBlock *b = slot < p->n_out ? &p->block[p->owner[slot]] : NULL;
  return b != NULL && b->role == HY_AUDIT_PLAIN ? b : NULL;
}

/* Who is fed by each slot: READER[START[slot] ..]. */
typedef struct {
  guint *start, *reader;
} Readers;

static Readers find_readers(const HyAuditPlan *p)
{
  Readers r = {g_new0(guint, (gsize)p->n_out + 2), g_new(guint, (gsize)p->n_in + 1)};
  for (guint pass = 0; pass < 2; pass++) {
    for (guint k = 0; k < p->n; k++) {
      for (guint i = 0; i < p->block[k].n_in; i++) {
        guint slot = p->input[p->block[k].first_in + i].slot;
        if (slot < p->n_out && pass == 0) {
          r.start[slot + 2]++;
        } else if (slot < p->n_out) {
          r.reader[r.start[slot + 1]++] = k;
        }
      }
    }
    for (guint slot = 0; pass == 0 && slot < p->n_out; slot++) {
      r.start[slot + 2] += r.start[slot + 1];
    }
  }
  return r;
}

typedef struct {
  HyAuditPlan *p;
  const Readers *r;
  guint *before; /* [blocks]: plain ones that feed it and have no place yet */
} Ordering;

/* NUMBER has no place yet, and gets the next one. */
static void put_block(const Ordering *o, guint number)
{
  o->before[number] = G_MAXUINT;
  o->p->order[o->p->n_order++] = number;
}

/* Behind those that have a place from AT on. */
static void put_behind(const Ordering *o, guint at)
{
  HyAuditPlan *p = o->p;
  for (; at < p->n_order; at++) {
    const HyAuditBlock *b = &p->block[p->order[at]];
    for (guint k = o->r->start[b->first_out]; k < o->r->start[b->first_out + b->n_out]; k++) {
      guint to = o->r->reader[k];
      gboolean waits = p->block[to].role == HY_AUDIT_PLAIN && o->before[to] != G_MAXUINT;
      if (waits && --o->before[to] == 0) {
        put_block(o, to);
      }
    }
  }
}

/* One whose value is numbers that follow its modes. */
static gboolean is_choice(const HyAuditBlock *b)
{
  return b->params.tree != NULL ? hy_written_is_choice(b->params.tree) : b->plain->choice;
}

/* Those that nobody plain feeds first, then whoever has all before it. What is left stands in
 * loops, which are legal where they go through modes: they are cut at blocks that are modes alone,
 * then at what is left. */
static void find_order(HyAuditPlan *p, const Readers *r)
{
  g_autofree guint *before = g_new0(guint, (gsize)p->n + 1);
  Ordering o = {p, r, before};
  p->order = g_new(guint, (gsize)p->n + 1);
  for (guint k = 0; k < p->n; k++) {
    for (guint i = 0; i < p->block[k].n_in; i++) {
      before[k] += plain_before(p, p->block[k].first_in + i) != NULL;
    }
  }
  for (guint pass = 0; pass < 3; pass++) {
    guint at = p->n_order;
    for (guint k = 0; k < p->n; k++) {
      HyAuditBlock *b = &p->block[k];
      gboolean waits = b->role == HY_AUDIT_PLAIN && before[k] != G_MAXUINT;
      if (waits && (pass == 0 ? before[k] == 0 : pass == 2 || is_choice(b))) {
        b->cut = pass > 0;
        put_block(&o, k);
      }
    }
    put_behind(&o, at);
  }
}

/* Whoever leads to nobody is not inner: it may be there to be looked at. */
static gboolean leads_to_states(const HyAuditPlan *p, const Readers *r, const HyAuditBlock *b)
{
  guint first = r->start[b->first_out], end = r->start[b->first_out + b->n_out];
  for (guint k = first; k < end; k++) {
    const HyAuditBlock *to = &p->block[r->reader[k]];
    if (to->role != HY_AUDIT_STATE && !(to->role == HY_AUDIT_PLAIN && to->inner)) {
      return FALSE;
    }
  }
  return end > first;
}

static guint64 bit_of(guint state)
{
  return state < HY_AUDIT_STATES ? G_GUINT64_CONSTANT(1) << state : ~G_GUINT64_CONSTANT(0);
}

static void find_states(HyAuditPlan *p)
{
  p->state = g_new(guint, (gsize)p->n + 1);
  for (guint k = 0; k < p->n; k++) {
    if (p->block[k].role == HY_AUDIT_STATE) {
      p->block[k].states = bit_of(p->n_states);
      p->block[k].place = p->n_states;
      p->state[p->n_states++] = k;
    }
  }
  for (guint at = 0; at < p->n_order; at++) {
    HyAuditBlock *b = &p->block[p->order[at]];
    b->place = at;
    for (guint i = 0; i < b->n_in; i++) {
      guint slot = p->input[b->first_in + i].slot;
      b->states |= slot < p->n_out ? p->block[p->owner[slot]].states : 0;
    }
  }
}

/* Cones ---------------------------------------------------------------------------------------- */

void hy_audit_cone_init(HyAuditCone *c, const HyAuditPlan *p)
{
  *c = (HyAuditCone){.block = g_array_new(FALSE, FALSE, sizeof(guint)),
                     .state = g_array_new(FALSE, FALSE, sizeof(guint)),
                     .word = g_array_new(FALSE, FALSE, sizeof(guint)),
                     .seen = g_new0(guint, (gsize)p->n + 1)};
}

void hy_audit_cone_clear(HyAuditCone *c)
{
  g_array_unref(c->block);
  g_array_unref(c->state);
  g_array_unref(c->word);
  g_free(c->seen);
}

static int by_number(gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *)a, y = *(const guint *)b;
  return (x > y) - (x < y);
}

/* What feeds input K, if it is new: a word, a state, or a plain block, whose inputs come later. */
static void cone_add(HyAuditCone *c, const HyAuditPlan *p, guint input)
{
  guint slot = p->input[input].slot;
  guint block = slot < p->n_out ? p->owner[slot] : G_MAXUINT;
  if (block == G_MAXUINT) {
    return;
  }
  const HyAuditBlock *b = &p->block[block];
  if (b->role == HY_AUDIT_PLAIN || b->role == HY_AUDIT_STATE) {
    GArray *list = b->role == HY_AUDIT_PLAIN ? c->block : c->state;
    if (c->seen[block] != c->turn) {
      g_array_append_val(list, b->place);
    }
    c->seen[block] = c->turn;
  } else {
    g_array_append_val(c->word, slot);
  }
}

static void cone_empty(HyAuditCone *c)
{
  g_array_set_size(c->block, 0);
  g_array_set_size(c->state, 0);
  g_array_set_size(c->word, 0);
  c->turn++;
}

/* All that its blocks hang on, and these in their order. */
static void cone_close(HyAuditCone *c, const HyAuditPlan *p)
{
  for (guint at = 0; at < c->block->len; at++) {
    const HyAuditBlock *b = &p->block[p->order[g_array_index(c->block, guint, at)]];
    for (guint i = 0; i < b->n_in; i++) {
      cone_add(c, p, b->first_in + i);
    }
  }
  g_array_sort(c->block, by_number);
  for (guint k = 0; k < c->block->len; k++) {
    guint *at = &g_array_index(c->block, guint, k);
    *at = p->order[*at];
  }
}

void hy_audit_cone_of(HyAuditCone *c, const HyAuditPlan *p, guint block)
{
  const HyAuditBlock *b = &p->block[block];
  cone_empty(c);
  for (guint k = 0; b->role != HY_AUDIT_PLAIN && k < b->n_out; k++) {
    guint slot = b->first_out + k;
    g_array_append_val(c->word, slot);
  }
  for (guint i = 0; i < b->n_in; i++) {
    cone_add(c, p, b->first_in + i);
  }
  cone_close(c, p);
}

void hy_audit_cone_find(HyAuditCone *c, const HyAuditPlan *p, const guint *pick, guint n)
{
  cone_empty(c);
  for (guint k = 0; k < n; k++) {
    guint block = p->state[pick[k]];
    if (c->seen[block] != c->turn) {
      g_array_append_val(c->state, pick[k]);
    }
    c->seen[block] = c->turn;
    cone_add(c, p, p->block[block].first_in);
  }
  cone_close(c, p);
}

HyAuditPlan *hy_audit_plan_new(const HyModel *model, gconstpointer (*state_of)(gpointer, guint),
                               gpointer user)
{
  HyAuditPlan *p = g_new0(HyAuditPlan, 1);
  p->model = model;
  find_blocks(p, state_of, user);
  find_inputs(p);
  Readers r = find_readers(p);
  find_order(p, &r);
  find_states(p);
  for (guint at = p->n_order; at-- > 0;) {
    HyAuditBlock *b = &p->block[p->order[at]];
    b->inner = leads_to_states(p, &r, b);
  }
  g_free(r.start);
  g_free(r.reader);
  return p;
}

void hy_audit_plan_free(HyAuditPlan *p)
{
  if (p != NULL) {
    g_free(p->block);
    g_free(p->input);
    g_free(p->owner);
    g_free(p->order);
    g_free(p->state);
    g_free(p);
  }
}
