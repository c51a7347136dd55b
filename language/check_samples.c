/* A sample_hold whose input follows, at the same instant, from a block that says its own sample at
 * the instants of the same grid: who has its turn first decides whether the old or the new value is
 * taken. The blocks stand in an order that nobody means by it, so the file is told. What comes
 * before the hold has been said when it samples, as in signal flow; a hold that comes first is one
 * period late. Other blocks that sample take what stands after all events of the instant. */
#include "atomics/atomics.h"
#include "atomics/hybrid/grid.h"
#include "coupled/order_graph.h"
#include "language/checks.h"

#include <string.h>

typedef struct {
  HyGrid grid;
  guint atomic;
} Sampler;

typedef struct {
  const Loader *l;
  const HyFlat *flat;
  GArray *samplers; /* all of a grid together, the last of the file first */
  guint *grid;      /* [n], of what answers at once: the last grid, from 1, that was seen there */
  guint *from;      /* [n], of holds: what comes too late for them + 1 */
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
  g_autofree char *path = hy_model_path(m, hy_flat_component(s->flat, hold)),
                  *source = hy_model_path(n, hy_flat_component(s->flat, from));
  g_autofree char *text =
      g_strdup_printf("%s: it samples at the instants at which %s says something new, and has its "
                      "turn first: it takes what %s has said a period before; put it behind %s in "
                      "the file, or let it start later",
                      path, source, source, source);
  hy_say_of(s->l, hy_report_warning, m, hy_flat_component(s->flat, hold), text);
}

static int by_grid(gconstpointer a, gconstpointer b)
{
  const Sampler *x = a, *y = b;
  if (x->grid.period != y->grid.period) {
    return x->grid.period < y->grid.period ? -1 : 1;
  }
  if (x->grid.start != y->grid.start) {
    return x->grid.start < y->grid.start ? -1 : 1;
  }
  return x->atomic > y->atomic ? -1 : x->atomic < y->atomic;
}

static gboolean is_one_grid(const HyGrid *a, const HyGrid *b)
{
  return a->period == b->period && a->start == b->start;
}

/* What SAMPLER says reaches A, which is a hold or answers at once. */
static void reach(Samples *s, const Sampler *sampler, guint a, guint grid)
{
  const HyAtomicClass *klass = class_of(s->flat, a);
  if (klass->describe != NULL && s->grid[a] != grid) {
    s->grid[a] = grid;
    g_array_append_val(s->stack, a);
  } else if (klass == &hy_sample_hold_class && a < sampler->atomic && s->from[a] == 0) {
    HyGrid own = grid_of(s->flat, a);
    s->from[a] = is_one_grid(&own, &sampler->grid) ? sampler->atomic + 1 : 0;
  }
}

/* Forward from SAMPLER through what answers at once. Where another one of its grid has been, all
 * that lies ahead has been reached by one that is later in the file, so each wire is looked at once
 * for each grid. */
static void look_ahead(Samples *s, const Sampler *sampler, guint grid)
{
  const HyFlat *flat = s->flat;
  g_array_set_size(s->stack, 0);
  g_array_append_val(s->stack, sampler->atomic);
  for (guint i = 0; i < s->stack->len; i++) {
    guint a = g_array_index(s->stack, guint, i);
    for (guint k = flat->start[flat->first_out[a]]; k < flat->start[flat->first_out[a + 1]]; k++) {
      reach(s, sampler, flat->targets[k].atomic, grid);
    }
  }
}

static void look(Samples *s)
{
  for (guint a = 0; a < s->flat->n; a++) {
    if (samples(class_of(s->flat, a))) {
      Sampler sampler = {grid_of(s->flat, a), a};
      g_array_append_val(s->samplers, sampler);
    }
  }
  g_array_sort(s->samplers, by_grid);
  guint grid = 0;
  for (guint k = 0; k < s->samplers->len; k++) {
    const Sampler *sampler = &g_array_index(s->samplers, Sampler, k);
    grid += k == 0 || !is_one_grid(&sampler[-1].grid, &sampler->grid);
    look_ahead(s, sampler, grid);
  }
  for (guint a = 0; a < s->flat->n; a++) {
    if (s->from[a] > 0) {
      warn_of(s, a, s->from[a] - 1);
    }
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
               .samplers = g_array_new(FALSE, FALSE, sizeof(Sampler)),
               .grid = g_new0(guint, (gsize)flat->n + 1),
               .from = g_new0(guint, (gsize)flat->n + 1),
               .stack = g_array_new(FALSE, FALSE, sizeof(guint))};
  look(&s);
  g_array_unref(s.samplers);
  g_free(s.grid);
  g_free(s.from);
  g_array_unref(s.stack);
  hy_flat_free(flat);
}
