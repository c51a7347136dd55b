/* Algebraic loops: those that nothing breaks, as a message; and what is in those that are broken.
 */
#include "order_graph.h"

#include <string.h>

/* Loops --------------------------------------------------------------------------------------- */

typedef struct {
  char *path;
  guint from, wire;
} Step;

static gint compare_steps(gconstpointer a, gconstpointer b)
{
  const Step *x = a, *y = b;
  gint c = strcmp(x->path, y->path);
  return c != 0 ? c : x->wire < y->wire ? -1 : x->wire > y->wire;
}

/* The wires of V that stay in its component, in the order of the paths they lead to. */
static GArray *steps_from(const HyOrderGraph *g, guint v)
{
  GArray *steps = g_array_new(FALSE, FALSE, sizeof(Step));
  for (guint k = g->first[v]; k < g->first[v + 1]; k++) {
    const HyWire *w = hy_order_wire(g, k);
    if (!w->cut && g->part[w->to] == g->part[v]) {
      Step s = {hy_order_path(g, w->to), v, k};
      g_array_append_val(steps, s);
    }
  }
  g_array_sort(steps, compare_steps);
  return steps;
}

/* The block on a cycle whose path is the first in the alphabet; FALSE: there is no cycle. */
static gboolean first_on_a_cycle(const HyOrderGraph *g, guint *found)
{
  g_autofree guint *members = hy_order_part_sizes(g);
  g_autofree char *best = NULL;
  for (guint v = 0; v < g->n; v++) {
    for (guint k = g->first[v]; k < g->first[v + 1]; k++) {
      members[g->part[v]] += hy_order_wire(g, k)->to == v && !hy_order_wire(g, k)->cut;
    }
  }
  for (guint v = 0; v < g->n; v++) {
    g_autofree char *path = members[g->part[v]] > 1 ? hy_order_path(g, v) : NULL;
    if (path != NULL && (best == NULL || strcmp(path, best) < 0)) {
      g_free(best);
      best = g_steal_pointer(&path);
      *found = v;
    }
  }
  return best != NULL;
}

/* How each node on a shortest way from START back to it was reached. The paths decide between ways:
 * nothing in it depends on the order of the file. Newly allocated. */
static Step *shortest_cycle(const HyOrderGraph *g, guint start)
{
  Step *back = g_new0(Step, (gsize)g->n + 1);
  g_autofree guint8 *seen = g_new0(guint8, (gsize)g->n + 1);
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(guint));
  g_array_append_val(queue, start);
  for (guint at = 0; at < queue->len && !seen[start]; at++) {
    g_autoptr(GArray) steps = steps_from(g, g_array_index(queue, guint, at));
    for (guint k = 0; k < steps->len; k++) {
      const Step *s = &g_array_index(steps, Step, k);
      guint to = hy_order_wire(g, s->wire)->to;
      if (!seen[to]) {
        seen[to] = 1;
        back[to] = *s;
        g_array_append_val(queue, to);
      }
      g_free(s->path);
    }
  }
  return back;
}

/* Adds the cycle through START, and cuts what leads away from it. */
static void take_cycle(HyOrderGraph *g, guint start, GArray *loops)
{
  g_autofree Step *back = shortest_cycle(g, start);
  guint v = start;
  do {
    guint to = g->atomic[v], from = g->atomic[back[v].from];
    const HyWire *w = hy_order_wire(g, back[v].wire);
    HyLoopStep step = {.to_model = hy_flat_model(g->flat, to),
                       .to = hy_flat_component(g->flat, to),
                       .in = w->in,
                       .from_model = hy_flat_model(g->flat, from),
                       .from = hy_flat_component(g->flat, from),
                       .out = w->out,
                       .first = v == start};
    g_array_append_val(loops, step);
    for (guint k = g->first[v]; k < g->first[v + 1]; k++) {
      hy_order_wire(g, k)->cut = TRUE;
    }
    v = back[v].from;
  } while (v != start);
}

GArray *hy_order_cycles(HyOrderGraph *g)
{
  GArray *loops = g_array_new(FALSE, FALSE, sizeof(HyLoopStep));
  for (guint shown = 0; shown < HY_LOOPS_SHOWN; shown++) {
    guint start;
    hy_order_parts(g);
    if (!first_on_a_cycle(g, &start)) {
      break;
    }
    take_cycle(g, start, loops);
  }
  return loops;
}

guint hy_loop_length(const GArray *loops, guint k)
{
  guint n = 1;
  while (k + n < loops->len && !g_array_index(loops, HyLoopStep, k + n).first) {
    n++;
  }
  return n;
}

char *hy_loop_text(const HyLoopStep *step, guint n, const char *where)
{
  g_autoptr(GString) text = g_string_new("algebraic loop: ");
  gboolean circuit = FALSE;
  for (guint k = 0; k < n; k++, step++) {
    circuit |= hy_component(step->to_model, step->to)->reading;
    g_autofree char *to = hy_model_path(step->to_model, step->to),
                    *in = hy_model_in_name(step->to_model, step->to, step->in),
                    *from = hy_model_path(step->from_model, step->from),
                    *out = hy_model_out_name(step->from_model, step->from, step->out);
    g_string_append_printf(text, "%s%s.%s <- %s.%s", k > 0 ? ", " : "", to, in, from, out);
  }
  return g_strdup_printf("%s%s; break it with %s, a delay or a loop_breaker", text->str, where,
                         circuit ? "a capacitor, an inductor" : "an integrator");
}

/* Those that are broken ----------------------------------------------------------------------- */

/* The part of each block that breaks loops is told by BREAKER[part] = node + 1. */
static guint *breakers_by_part(const HyOrderGraph *g, guint *other)
{
  guint *breaker = g_new0(guint, (gsize)g->n + 2);
  *other = G_MAXUINT;
  for (guint v = 0; v < g->n; v++) {
    if (g->breaks[v] && breaker[g->part[v]] > 0 && *other == G_MAXUINT) {
      *other = v;
    } else if (g->breaks[v]) {
      breaker[g->part[v]] = v + 1;
    }
  }
  return breaker;
}

/* Two that read each other's trials: neither would see an answer to its own. One whose solution the
 * other reads is solved anew within each round of that one, and is fine. */
static gboolean check_alone(HyOrderGraph *g, GError **error)
{
  for (guint k = 0; k < g->wires->len; k++) {
    HyWire *w = hy_order_wire(g, k);
    w->cut = w->settled || !w->feeds;
  }
  hy_order_parts(g);
  guint other;
  g_autofree guint *breaker = breakers_by_part(g, &other);
  if (other == G_MAXUINT) {
    return TRUE;
  }
  g_autofree char *a = hy_order_path(g, breaker[g->part[other]] - 1), *b = hy_order_path(g, other);
  gboolean turned = strcmp(a, b) > 0;
  HyRoot *owner = g->flat->root->owner;
  owner->fault_model = hy_flat_model(g->flat, g->atomic[other]);
  owner->fault_component = hy_flat_component(g->flat, g->atomic[other]);
  g_set_error(
      error, HY_ERROR, HY_ERROR_MODEL,
      "%s and %s are in one algebraic loop; solve it with one loop_breaker of two unknowns: "
      "in=\"g1, g2\", out[1], out[2]",
      turned ? b : a, turned ? a : b);
  return FALSE;
}

guint8 *hy_order_broken(HyOrderGraph *g)
{
  for (guint k = 0; k < g->wires->len; k++) {
    hy_order_wire(g, k)->cut = FALSE;
  }
  hy_order_parts(g);
  guint other;
  g_autofree guint *breaker = breakers_by_part(g, &other), *size = hy_order_part_sizes(g);
  guint8 *in_loop = g_new0(guint8, (gsize)g->n + 1);
  for (guint v = 0; v < g->n; v++) {
    in_loop[v] = breaker[g->part[v]] > 0 && size[g->part[v]] > 1;
  }
  return in_loop;
}

/* The nodes outside that are read from each part, in the order of the wires. */
static GArray **readers_by_part(const HyOrderGraph *g, const guint8 *in_loop)
{
  GArray **readers = g_new0(GArray *, (gsize)g->n + 2);
  for (guint v = 0; v < g->n; v++) {
    for (guint k = g->first[v]; in_loop[v] && k < g->first[v + 1]; k++) {
      guint to = hy_order_wire(g, k)->to;
      GArray **r = &readers[g->part[v]];
      if (g->part[to] != g->part[v]) {
        *r = *r != NULL ? *r : g_array_new(FALSE, FALSE, sizeof(guint));
        g_array_append_val(*r, to);
      }
    }
  }
  return readers;
}

static void let_wait(HyOrderGraph *g, GArray *const *readers)
{
  GArray *all = g_array_sized_new(FALSE, FALSE, sizeof(HyWire), g->wires->len);
  for (guint v = 0; v < g->n; v++) {
    guint first = all->len;
    g_array_append_vals(all, hy_order_wire(g, g->first[v]), g->first[v + 1] - g->first[v]);
    const GArray *r = g->breaks[v] ? readers[g->part[v]] : NULL;
    for (guint k = 0; r != NULL && k < r->len; k++) {
      HyWire w = {.to = g_array_index(r, guint, k), .feeds = TRUE, .after = TRUE};
      g_array_append_val(all, w);
    }
    g->first[v] = first;
  }
  g->first[g->n] = all->len;
  g_array_unref(g->wires);
  g->wires = all;
}

gboolean hy_order_breakers(HyOrderGraph *g, GError **error)
{
  if (memchr(g->breaks, 1, g->n) == NULL) {
    return TRUE;
  }
  if (!check_alone(g, error)) {
    return FALSE;
  }
  g_autofree guint8 *in_loop = hy_order_broken(g);
  GArray **readers = readers_by_part(g, in_loop);
  let_wait(g, readers);
  for (guint p = 0; p <= g->n; p++) {
    g_clear_pointer(&readers[p], g_array_unref);
  }
  g_free(readers);
  return TRUE;
}
