/* A sample_hold whose input follows, at the same instant, from a block that says its own sample at
 * the instants of the same grid: who has its turn first decides whether the old or the new value is
 * taken. The blocks stand in an order that nobody means by it, so the file is told. What comes
 * before the hold has been said when it samples, as in signal flow; a hold that comes first is one
 * period late. Other blocks that sample take what stands after all events of the instant. */
#include "atomics/atomics.h"
#include "atomics/hybrid/grid.h"
#include "coupled/order_graph.h"
#include "language/expand.h"

#include <string.h>

typedef struct {
  const Loader *l;
  const HyFlat *flat;
  HyFlatSources sources;
  guint8 *seen; /* [n], and who was seen from a hold, to be undone */
  GArray *stack;
} Samples;

static const HyAtomicClass *class_of(const HyFlat *flat, guint a)
{
  return hy_order_component(flat, a)->klass;
}

/* Says something new at the instants of a grid: first in its state, with their parameters. */
static gboolean samples(const HyAtomicClass *klass)
{
  return klass == &hy_sample_hold_class || klass == &hy_unit_delay_class ||
         klass == &hy_transfer_z_class;
}

static HyGrid grid_of(const HyFlat *flat, guint a)
{
  gsize size;
  HyGrid grid = {0};
  const guint8 *image =
      hy_component_image(hy_flat_model(flat, a), hy_flat_component(flat, a), &size);
  memcpy(&grid, image, MIN(size, sizeof grid)); /* parameters alone */
  return grid;
}

static void warn_of(const Samples *s, guint hold, guint from)
{
  const HyModel *m = hy_flat_model(s->flat, hold), *n = hy_flat_model(s->flat, from);
  const Row *row = hy_row_of(s->l, m, hy_flat_component(s->flat, hold));
  g_autofree char *path = hy_model_path(m, hy_flat_component(s->flat, hold)),
                  *source = hy_model_path(n, hy_flat_component(s->flat, from));
  hy_report_warning(s->l->report, row != NULL ? row->file : "", row != NULL ? row->line : 0,
                    "%s: it samples at the instants at which %s says something new, and has its "
                    "turn first: it takes what %s has said a period before; put it behind %s in "
                    "the file, or let it start later",
                    path, source, source, source);
}

/* Back from HOLD through what answers at once. */
static void look_back(Samples *s, guint hold)
{
  HyGrid own = grid_of(s->flat, hold);
  gboolean warned = FALSE;
  g_array_set_size(s->stack, 0);
  g_array_append_val(s->stack, hold);
  for (guint i = 0; i < s->stack->len; i++) {
    guint a = g_array_index(s->stack, guint, i);
    for (guint p = s->sources.first[a]; p < s->sources.first[a + 1]; p++) {
      guint slot = s->sources.slot[p];
      if (slot >= s->flat->first_out[s->flat->n] || s->seen[s->flat->owner[slot]]) {
        continue;
      }
      guint from = s->flat->owner[slot];
      if (class_of(s->flat, from)->describe != NULL) {
        s->seen[from] = 1;
        g_array_append_val(s->stack, from);
      } else if (samples(class_of(s->flat, from)) && from > hold && !warned) {
        HyGrid other = grid_of(s->flat, from);
        warned = other.period == own.period && other.start == own.start;
        if (warned) {
          warn_of(s, hold, from);
        }
      }
    }
  }
  for (guint i = 1; i < s->stack->len; i++) {
    s->seen[g_array_index(s->stack, guint, i)] = 0;
  }
}

/* Nothing is made for a file that places no such block. */
static gboolean has_hold(const Loader *l)
{
  for (guint k = 0; k < l->defines->len; k++) {
    const Define *d = g_ptr_array_index(l->defines, k);
    for (guint i = 0; i < d->blocks->len; i++) {
      if (((const Entry *)g_ptr_array_index(d->blocks, i))->klass == &hy_sample_hold_class) {
        return TRUE;
      }
    }
  }
  return FALSE;
}

void hy_check_samples(Loader *l)
{
  if (!has_hold(l)) {
    return;
  }
  HyFlat *flat = hy_flat_new(l->model);
  Samples s = {.l = l,
               .flat = flat,
               .seen = g_new0(guint8, (gsize)flat->n + 1),
               .stack = g_array_new(FALSE, FALSE, sizeof(guint))};
  hy_flat_sources_init(&s.sources, flat);
  for (guint a = 0; a < flat->n; a++) {
    if (class_of(flat, a) == &hy_sample_hold_class) {
      look_back(&s, a);
    }
  }
  hy_flat_sources_clear(&s.sources);
  g_free(s.seen);
  g_array_unref(s.stack);
  hy_flat_free(flat);
}
