#include "sources.h"

static gboolean reaches(const HyModel *m, guint slot, const HyPassed *sink)
{
  for (guint k = m->start[slot]; k < m->start[slot + 1]; k++) {
    if (m->targets[k].to == sink->component && m->targets[k].to_port == sink->port) {
      return TRUE;
    }
  }
  return FALSE;
}

/* What feeds SINK directly: atomics go to FOUND, coupled models to AHEAD as the port to look at. */
static void look(const HyPassed *sink, GArray *ahead, GArray *found)
{
  const HyModel *m = sink->model;
  for (guint p = 0; m->parent != NULL && p < m->in->len; p++) {
    if (reaches(m, p, sink)) {
      HyPassed outside = {m->parent, m->index, p};
      g_array_append_val(ahead, outside);
    }
  }
  for (guint k = 0; k < m->components.len; k++) {
    const HyComponent *c = hy_component(m, k);
    for (guint p = 0; p < c->n_out; p++) {
      if (!reaches(m, hy_slot(m, k, p), sink)) {
        continue;
      }
      if (c->klass != NULL) {
        HySource source = {c->number, p};
        g_array_append_val(found, source);
      } else {
        HyPassed inside = {c->u.coupled, HY_SELF, p};
        g_array_append_val(ahead, inside);
      }
    }
  }
}

GArray *hy_sources_of(const HyModel *model, guint component, guint port, GArray *passed)
{
  GArray *found = g_array_new(FALSE, FALSE, sizeof(HySource));
  GArray *ahead = passed != NULL ? passed : g_array_new(FALSE, FALSE, sizeof(HyPassed));
  HyPassed first = {model, component, port};
  g_array_append_val(ahead, first);
  for (guint k = 0; k < ahead->len; k++) {
    HyPassed sink = g_array_index(ahead, HyPassed, k);
    look(&sink, ahead, found);
  }
  if (passed == NULL) {
    g_array_unref(ahead);
  }
  return found;
}
