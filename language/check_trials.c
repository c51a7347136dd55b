/* What stands in an algebraic loop that a block breaks sees trial values, and so does whatever
 * reads it. A value that lasts no time does no harm to a state or to a formula, but a relay has
 * toggled, a counter has counted. */
#include "coupled/order_graph.h"
#include "language/checks.h"

#include <string.h>

/* In the line of the reader. */
static void warn(const Loader *l, const HyFlat *flat, guint from, guint slot, guint reader)
{
  g_autofree char *path =
      hy_model_path(hy_flat_model(flat, reader), hy_flat_component(flat, reader));
  g_autofree char *source = hy_model_path(hy_flat_model(flat, from), hy_flat_component(flat, from));
  g_autofree char *out =
      hy_model_out_name(hy_flat_model(flat, from), hy_flat_component(flat, from), slot);
  g_autofree char *text = g_strdup_printf(
      "%s: %s.%s is in an algebraic loop, and trial values would reach %s; feed it from "
      "zc of the loop_breaker",
      path, source, out, path);
  hy_say_of(l, hy_report_warning, hy_flat_model(flat, reader), hy_flat_component(flat, reader),
            text);
}

/* A state takes what comes last; and blocks that answer at once have their turn when the loop is
 * solved, unless they are in it. */
static gboolean remembers(const HyOrderGraph *g, const guint8 *in_loop, guint node, const HyWire *w)
{
  return !w->feeds && in_loop[w->to] && g->part[w->to] == g->part[node];
}

/* Of a block in a loop: all who take a trial from it, do not answer at once, and are no states. */
static void check_readers(const Loader *l, const HyOrderGraph *g, guint node)
{
  const HyFlat *flat = g->flat;
  guint from = g->atomic[node];
  for (guint slot = flat->first_out[from]; slot < flat->first_out[from + 1]; slot++) {
    guint port = slot - flat->first_out[from];
    for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
      guint to = flat->targets[k].atomic;
      const HyAtomicClass *klass = hy_order_component(flat, to)->klass;
      gboolean trial = !g->breaks[node] || hy_is_trial(flat, from, port);
      if (trial && !hy_answers_at_once(klass) && klass->order == NULL) {
        warn(l, flat, from, port, to);
      }
    }
  }
}

/* Whether a file places a block that breaks loops; most do not. */
static gboolean has_breaker(const Loader *l)
{
  for (guint k = 0; k < l->defines->len; k++) {
    const Define *d = g_ptr_array_index(l->defines, k);
    for (guint i = 0; i < d->blocks->len; i++) {
      const Entry *e = g_ptr_array_index(d->blocks, i);
      if (e->klass != NULL && hy_breaks_loops(e->klass)) {
        return TRUE;
      }
    }
  }
  return FALSE;
}

static void check_loop_of(const Loader *l, const HyOrderGraph *g, const guint8 *in_loop, guint node)
{
  for (guint k = g->first[node]; k < g->first[node + 1]; k++) {
    const HyWire *w = hy_order_wire(g, k);
    if (remembers(g, in_loop, node, w)) {
      warn(l, g->flat, g->atomic[node], w->out, g->atomic[w->to]);
    }
  }
  check_readers(l, g, node);
}

/* For models that break a loop; most have none, and nothing is made for them. */
void hy_check_trials(Loader *l)
{
  if (!has_breaker(l)) {
    return;
  }
  HyFlat *flat = hy_flat_new(l->model);
  HyOrderGraph g;
  hy_order_graph_init(&g, flat);
  g_autofree guint8 *in_loop = hy_order_broken(&g);
  for (guint v = 0; v < g.n; v++) {
    if (in_loop[v]) {
      check_loop_of(l, &g, in_loop, v);
    }
  }
  hy_order_graph_clear(&g);
  hy_flat_free(flat);
}
