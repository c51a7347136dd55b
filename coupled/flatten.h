/* A checked model as one flat graph: closure under coupling. Atomics are numbered in the order that
 * breaks ties; every output port of one has the list of input ports that its events reach, in the
 * order of delivery. */
#ifndef HY_FLATTEN_H
#define HY_FLATTEN_H

#include "model_internal.h"

typedef struct {
  guint atomic, port;
} HyFlatTarget;

typedef struct {
  const HyModel *root;
  guint n;
  guint *
      first_out; /* [n + 1]: slot of output port 0 of an atomic; then come the root's input ports */
  guint *owner;  /* [slots of atomics]: the atomic that speaks there */
  guint *start;  /* [slots + 1]: where the targets of a slot begin */
  HyFlatTarget *targets; /* all of them, slot after slot */
} HyFlat;

/* ROOT must have passed hy_model_check(). */
HyFlat *hy_flat_new(const HyModel *root);
void hy_flat_free(HyFlat *flat);

/* The other direction: where what arrives at an input port of an atomic comes from. */
typedef struct {
  guint *first; /* [n + 1]: place of input port 0 of an atomic */
  guint *slot;  /* [first[n]]: the source, or one of the two below */
} HyFlatSources;

#define HY_NO_SOURCE    G_MAXUINT
#define HY_MANY_SOURCES (G_MAXUINT - 1)

void hy_flat_sources_init(HyFlatSources *s, const HyFlat *flat);
void hy_flat_sources_clear(HyFlatSources *s);

static inline const HyModel *hy_flat_model(const HyFlat *flat, guint atomic)
{
  const HyRoot *owner = flat->root->owner;
  return owner->coupled[owner->atomics[atomic].coupled];
}

static inline guint hy_flat_component(const HyFlat *flat, guint atomic)
{
  return flat->root->owner->atomics[atomic].component;
}

#endif
