/* Tree -> flat graph: coupling lines concatenate in line order, through every level. */
#include "flatten.h"

typedef struct {
  HyFlat *flat;
  guint n, room;
} Fill;

static void put(Fill *f, guint atomic, guint port)
{
  if (f->n == f->room) {
    f->room = MAX(64, f->room + f->room / 2);
    f->flat->targets = g_renew(HyFlatTarget, f->flat->targets, f->room);
  }
  f->flat->targets[f->n++] = (HyFlatTarget){atomic, port};
}

/* Where an event at SLOT of M goes: down into coupled models, up through output ports. The depth of
 * the recursion is that of the model twice over, and check limits it. */
static void follow(Fill *f, const HyModel *m, guint slot)
{
  for (guint k = m->start[slot]; k < m->start[slot + 1]; k++) {
    HyTarget t = m->targets[k];
    if (t.to == HY_SELF) {
      if (m->parent != NULL) {
        follow(f, m->parent, hy_slot(m->parent, m->index, t.to_port));
      }
      continue;
    }
    const HyComponent *c = hy_component(m, t.to);
    if (c->klass != NULL) {
      put(f, c->number, t.to_port);
    } else {
      follow(f, c->u.coupled, t.to_port);
    }
  }
}

HyFlat *hy_flat_new(const HyModel *root)
{
  const HyRoot *owner = root->owner;
  HyFlat *flat = g_new0(HyFlat, 1);
  flat->root = root;
  flat->n = owner->n_atomics;
  flat->first_out = g_new(guint, (gsize)flat->n + 1);
  guint slots = 0;
  for (guint a = 0; a < flat->n; a++) {
    flat->first_out[a] = slots;
    slots += hy_component(hy_flat_model(flat, a), hy_flat_component(flat, a))->n_out;
  }
  flat->first_out[flat->n] = slots;
  flat->start = g_new(guint, (gsize)slots + root->in->len + 1);
  Fill f = {.flat = flat};
  flat->owner = g_new(guint, (gsize)slots + 1);
  guint slot = 0;
  for (guint a = 0; a < flat->n; a++) {
    const HyModel *m = hy_flat_model(flat, a);
    guint k = hy_flat_component(flat, a);
    for (guint p = 0; p < hy_component(m, k)->n_out; p++) {
      flat->owner[slot] = a;
      flat->start[slot++] = f.n;
      follow(&f, m, hy_slot(m, k, p));
    }
  }
  for (guint p = 0; p < root->in->len; p++) {
    flat->start[slot++] = f.n;
    follow(&f, root, p);
  }
  flat->start[slot] = f.n;
  flat->targets = g_renew(HyFlatTarget, flat->targets, MAX(f.n, 1));
  return flat;
}

void hy_flat_free(HyFlat *flat)
{
  if (flat != NULL) {
    g_free(flat->first_out);
    g_free(flat->owner);
    g_free(flat->start);
    g_free(flat->targets);
    g_free(flat);
  }
}

void hy_flat_sources_init(HyFlatSources *s, const HyFlat *flat)
{
  guint n = 0;
  s->first = g_new(guint, (gsize)flat->n + 1);
  for (guint a = 0; a < flat->n; a++) {
    s->first[a] = n;
    n += hy_component(hy_flat_model(flat, a), hy_flat_component(flat, a))->n_in;
  }
  s->first[flat->n] = n;
  s->slot = g_new(guint, (gsize)n + 1);
  for (guint k = 0; k < n; k++) {
    s->slot[k] = HY_NO_SOURCE;
  }
  guint slots = flat->first_out[flat->n] + flat->root->in->len;
  for (guint slot = 0; slot < slots; slot++) {
    for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
      guint *at = &s->slot[s->first[flat->targets[k].atomic] + flat->targets[k].port];
      *at = *at == HY_NO_SOURCE ? slot : HY_MANY_SOURCES;
    }
  }
}

void hy_flat_sources_clear(HyFlatSources *s)
{
  g_clear_pointer(&s->first, g_free);
  g_clear_pointer(&s->slot, g_free);
}
