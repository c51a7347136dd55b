/* Ranks of static blocks over the flat graph. Every search is a loop with its own stack, and linear
 * in atomics and wires. */
#include "order.h"
#include "flatten.h"

#include <string.h>

typedef struct {
  guint to;       /* static */
  guint in, out;  /* ports */
  gboolean feeds; /* else the wire only decides modes of TO */
  gboolean cut;   /* does not count: into a mode, and part of a cycle */
} Wire;

typedef struct {
  const HyFlat *flat;
  guint n;       /* static atomics */
  guint *atomic; /* [n]: their numbers */
  guint *first;  /* [n + 1]: the wires of each */
  GArray *wires; /* Wire */
  guint *part;   /* [n]: strongly connected component */
  guint *rank;   /* [n] */
} Graph;

static const HyComponent *component_of(const HyFlat *flat, guint atomic)
{
  return hy_component(hy_flat_model(flat, atomic), hy_flat_component(flat, atomic));
}

static const Wire *wire(const Graph *g, guint k)
{
  return &g_array_index(g->wires, Wire, k);
}

/* The graph ----------------------------------------------------------------------------------- */

static void find_feeds(const HyFlat *flat, guint atomic, guint8 *feeds)
{
  const HyComponent *c = component_of(flat, atomic);
  gsize size;
  const guint8 *image =
      hy_component_image(hy_flat_model(flat, atomic), hy_flat_component(flat, atomic), &size);
  g_autofree guint8 *state = g_malloc0(MAX(c->klass->state_size, size) + 1);
  memcpy(state, image, size);
  hy_feed_through(c->klass, state, c->n_in, c->n_out, feeds);
}

/* STATICS[a]: place of atomic a among the static ones + 1, or 0. FEEDS of static i from START[i].
 */
static void find_wires(Graph *g, const guint *statics, const guint8 *feeds, const gsize *start)
{
  const HyFlat *flat = g->flat;
  for (guint i = 0; i < g->n; i++) {
    g->first[i] = g->wires->len;
    guint from = flat->first_out[g->atomic[i]], to = flat->first_out[g->atomic[i] + 1];
    for (guint slot = from; slot < to; slot++) {
      for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
        HyFlatTarget t = flat->targets[k];
        guint j = statics[t.atomic];
        if (j-- > 0) {
          Wire w = {
              .to = j, .in = t.port, .out = slot - from, .feeds = feeds[start[j] + t.port] != 0};
          g_array_append_val(g->wires, w);
        }
      }
    }
  }
  g->first[g->n] = g->wires->len;
}

static void graph_init(Graph *g, const HyFlat *flat, guint n)
{
  gsize size = (gsize)n + 1, n_in = 0;
  *g = (Graph){.flat = flat,
               .n = n,
               .atomic = g_new0(guint, size),
               .first = g_new(guint, size),
               .wires = g_array_new(FALSE, FALSE, sizeof(Wire)),
               .part = g_new0(guint, size),
               .rank = g_new0(guint, size)};
  g_autofree guint *statics = g_new0(guint, (gsize)flat->n + 1);
  g_autofree gsize *start = g_new0(gsize, size);
  for (guint a = 0, i = 0; a < flat->n; a++) {
    if (component_of(flat, a)->klass->describe != NULL) {
      g->atomic[i] = a;
      start[i] = n_in;
      n_in += component_of(flat, a)->n_in;
      statics[a] = ++i;
    }
  }
  g_autofree guint8 *feeds = g_malloc(n_in + 1);
  for (guint i = 0; i < n; i++) {
    find_feeds(flat, g->atomic[i], feeds + start[i]);
  }
  find_wires(g, statics, feeds, start);
}

static void graph_clear(Graph *g)
{
  g_free(g->atomic);
  g_free(g->first);
  g_array_unref(g->wires);
  g_free(g->part);
  g_free(g->rank);
}

/* Strongly connected components: Tarjan, with the path of the search in an array ----------------
 */

typedef struct {
  guint *index, *low; /* [n]; index 0: not seen yet */
  guint *path;        /* nodes whose wires are being followed */
  guint *next;        /* [n]: the wire to follow */
  guint *stack;       /* nodes without a component */
  guint n_path, n_stack, n_index, n_parts;
} Search;

static void search_enter(Search *s, const Graph *g, guint v)
{
  s->index[v] = s->low[v] = ++s->n_index;
  s->next[v] = g->first[v];
  s->path[s->n_path++] = v;
  s->stack[s->n_stack++] = v;
}

static void search_leave(Search *s, const Graph *g, guint v)
{
  s->n_path--;
  if (s->n_path > 0) {
    guint up = s->path[s->n_path - 1];
    s->low[up] = MIN(s->low[up], s->low[v]);
  }
  if (s->low[v] == s->index[v]) {
    s->n_parts++;
    guint w;
    do {
      w = s->stack[--s->n_stack];
      g->part[w] = s->n_parts;
    } while (w != v);
  }
}

static void search_from(Search *s, const Graph *g, guint root)
{
  search_enter(s, g, root);
  while (s->n_path > 0) {
    guint v = s->path[s->n_path - 1];
    if (s->next[v] == g->first[v + 1]) {
      search_leave(s, g, v);
      continue;
    }
    const Wire *w = wire(g, s->next[v]++);
    if (w->cut) {
      continue;
    }
    if (s->index[w->to] == 0) {
      search_enter(s, g, w->to);
    } else if (g->part[w->to] == 0) {
      s->low[v] = MIN(s->low[v], s->index[w->to]);
    }
  }
}

static void find_parts(Graph *g)
{
  gsize n = (gsize)g->n + 1;
  Search s = {.index = g_new0(guint, n),
              .low = g_new0(guint, n),
              .path = g_new(guint, n),
              .next = g_new(guint, n),
              .stack = g_new(guint, n)};
  memset(g->part, 0, g->n * sizeof *g->part);
  for (guint v = 0; v < g->n; v++) {
    if (s.index[v] == 0) {
      search_from(&s, g, v);
    }
  }
  g_free(s.index);
  g_free(s.low);
  g_free(s.path);
  g_free(s.next);
  g_free(s.stack);
}

/* Ranks --------------------------------------------------------------------------------------- */

static void cut_memories(Graph *g)
{
  for (guint v = 0; v < g->n; v++) {
    for (guint k = g->first[v]; k < g->first[v + 1]; k++) {
      Wire *w = &g_array_index(g->wires, Wire, k);
      w->cut = !w->feeds && g->part[w->to] == g->part[v];
    }
  }
}

/* FALSE: not all have one, because of a cycle. */
static gboolean find_ranks(Graph *g)
{
  g_autofree guint *waits = g_new0(guint, (gsize)g->n + 1); /* wires from nodes without a rank */
  g_autofree guint *queue = g_new(guint, (gsize)g->n + 1);
  guint n = 0;
  for (guint k = 0; k < g->wires->len; k++) {
    waits[wire(g, k)->to] += !wire(g, k)->cut;
  }
  for (guint v = 0; v < g->n; v++) {
    if (waits[v] == 0) {
      queue[n++] = v;
    }
  }
  for (guint at = 0; at < n; at++) {
    guint v = queue[at];
    for (guint k = g->first[v]; k < g->first[v + 1]; k++) {
      const Wire *w = wire(g, k);
      if (w->cut) {
        continue;
      }
      g->rank[w->to] = MAX(g->rank[w->to], g->rank[v] + 1);
      if (--waits[w->to] == 0) {
        queue[n++] = w->to;
      }
    }
  }
  return n == g->n;
}

static void renumber(const HyModel *root, const Graph *g)
{
  const HyRoot *owner = root->owner;
  guint n = owner->n_atomics, next = 0;
  g_autofree guint *place = g_new0(guint, (gsize)g->n + 2); /* by rank: where the next one goes */
  g_autofree guint8 *first = g_new0(guint8, (gsize)n + 1);
  g_autofree guint *number = g_new0(guint, (gsize)n + 1);
  for (guint i = 0; i < g->n; i++) {
    first[g->atomic[i]] = component_of(g->flat, g->atomic[i])->priority == HY_NO_PRIORITY;
    place[g->rank[i] + 1] += first[g->atomic[i]];
  }
  for (guint r = 0; r < g->n; r++) {
    place[r + 1] += place[r];
  }
  for (guint i = 0; i < g->n; i++) {
    if (first[g->atomic[i]]) {
      number[g->atomic[i]] = place[g->rank[i]]++;
      next++;
    }
  }
  for (guint a = 0; a < n; a++) {
    number[a] = first[a] ? number[a] : next++;
  }
  gsize size = (gsize)n * sizeof *owner->atomics;
  g_autofree guint8 *copy = g_malloc(size + 1);
  memcpy(copy, owner->atomics, size);
  for (guint a = 0; a < n; a++) {
    memcpy(&owner->atomics[number[a]], copy + a * sizeof *owner->atomics, sizeof *owner->atomics);
  }
  for (guint a = 0; a < n; a++) {
    const HyModel *m = owner->coupled[owner->atomics[a].coupled];
    hy_component(m, owner->atomics[a].component)->number = a;
  }
}

/* Loops --------------------------------------------------------------------------------------- */

static char *path_of(const Graph *g, guint v)
{
  return hy_model_path(hy_flat_model(g->flat, g->atomic[v]),
                       hy_flat_component(g->flat, g->atomic[v]));
}

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
static GArray *steps_from(const Graph *g, guint v)
{
  GArray *steps = g_array_new(FALSE, FALSE, sizeof(Step));
  for (guint k = g->first[v]; k < g->first[v + 1]; k++) {
    const Wire *w = wire(g, k);
    if (!w->cut && g->part[w->to] == g->part[v]) {
      Step s = {path_of(g, w->to), v, k};
      g_array_append_val(steps, s);
    }
  }
  g_array_sort(steps, compare_steps);
  return steps;
}

/* The block on a cycle whose path is the first in the alphabet. */
static guint first_on_a_cycle(const Graph *g)
{
  g_autofree guint *members = g_new0(guint, (gsize)g->n + 2);
  g_autofree char *best = NULL;
  guint found = 0;
  for (guint v = 0; v < g->n; v++) {
    members[g->part[v]]++;
    for (guint k = g->first[v]; k < g->first[v + 1]; k++) {
      members[g->part[v]] += wire(g, k)->to == v && !wire(g, k)->cut;
    }
  }
  for (guint v = 0; v < g->n; v++) {
    g_autofree char *path = members[g->part[v]] > 1 ? path_of(g, v) : NULL;
    if (path != NULL && (best == NULL || strcmp(path, best) < 0)) {
      g_free(best);
      best = g_steal_pointer(&path);
      found = v;
    }
  }
  return found;
}

static void append_step(const Graph *g, const Step *s, GString *text)
{
  const Wire *w = wire(g, s->wire);
  guint to = g->atomic[w->to], from = g->atomic[s->from];
  g_autofree char *to_path = path_of(g, w->to), *from_path = path_of(g, s->from);
  g_autofree char *in =
      hy_model_in_name(hy_flat_model(g->flat, to), hy_flat_component(g->flat, to), w->in);
  g_autofree char *out =
      hy_model_out_name(hy_flat_model(g->flat, from), hy_flat_component(g->flat, from), w->out);
  g_string_append_printf(text, "%s%s.%s <- %s.%s", text->len > 0 ? ", " : "", to_path, in,
                         from_path, out);
}

/* A shortest cycle through START, found in the order of the paths: nothing in it depends on the
 * order of the file. */
static void report_cycle(const Graph *g, guint start, GError **error)
{
  g_autofree Step *back = g_new0(Step, (gsize)g->n + 1); /* how a node was reached */
  g_autofree guint8 *seen = g_new0(guint8, (gsize)g->n + 1);
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(guint));
  g_array_append_val(queue, start);
  for (guint at = 0; at < queue->len && !seen[start]; at++) {
    g_autoptr(GArray) steps = steps_from(g, g_array_index(queue, guint, at));
    for (guint k = 0; k < steps->len; k++) {
      const Step *s = &g_array_index(steps, Step, k);
      guint to = wire(g, s->wire)->to;
      if (!seen[to]) {
        seen[to] = 1;
        back[to] = *s;
        g_array_append_val(queue, to);
      }
      g_free(s->path);
    }
  }
  g_autoptr(GString) text = g_string_new(NULL);
  guint v = start;
  do {
    append_step(g, &back[v], text);
    v = back[v].from;
  } while (v != start);
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
              "algebraic loop: %s; break it with an integrator, a delay or a loop_breaker",
              text->str);
}

/* --------------------------------------------------------------------------------------------- */

gboolean hy_order_statics(HyModel *root, gboolean *loop, GError **error)
{
  const HyRoot *owner = root->owner;
  guint n = 0;
  *loop = FALSE;
  for (guint a = 0; a < owner->n_atomics; a++) {
    const HyModel *m = owner->coupled[owner->atomics[a].coupled];
    n += hy_component(m, owner->atomics[a].component)->klass->describe != NULL;
  }
  if (n == 0) {
    return TRUE;
  }
  HyFlat *flat = hy_flat_new(root);
  Graph g;
  graph_init(&g, flat, n);
  find_parts(&g);
  cut_memories(&g);
  *loop = !find_ranks(&g);
  if (*loop) {
    find_parts(&g); /* of what counts */
    report_cycle(&g, first_on_a_cycle(&g), error);
  } else {
    renumber(root, &g);
  }
  graph_clear(&g);
  hy_flat_free(flat);
  return !*loop;
}
