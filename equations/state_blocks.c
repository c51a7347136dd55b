/* Which states are solved together.
 *
 * Two blocks tell each other polynomials that are right within a tolerance, each as long as it
 * holds. So whatever comes back to a state within the time that such a piece lasts has to stay
 * in its block. How fast anything comes back is seen in the partial derivatives a_ij, of each row
 * the largest of all modes that it reads. In units d_i in which what each state tells the others is
 * as large as what it hears of them (E. E. Osborne: On pre-conditioning of matrices) |a_ij| d_j/d_i
 * is such a rate: of a coil and a capacitor 1/sqrt(L C), of two coils at a resistance R/sqrt(L L').
 *
 * Rates of circuits lie decades apart. First all strongly connected parts are blocks (R. E. Tarjan:
 * Depth-first search and linear graph algorithms), since what never comes back may come late. Of
 * a part that is not small the slowest rates are given up as far as the first gap of a factor GAP,
 * where one side at least is as much faster in itself; what is left of it is looked at by
 * itself likewise. Then small neighbours go together again, but not through a hub, such as the
 * capacitor at which many stages work: it would make one block of all.
 *
 * Together from the beginning are the states that decide one mode or have it in their equations,
 * what is not linear with all that it reads, and a state with one that it reads so strongly that
 * the tolerance of that is too coarse for it. */
#include "state_blocks.h"

#include "base/number.h"
#include "members.h"
#include "owned.h"

#include <math.h>
#include <string.h>

#define GAP        30.0    /* between the rates of two blocks and those within */
#define AMPLIFIED  1e3     /* an error of what is read: beyond it the reader goes with it */
#define MOST_EDGES 2000000 /* partial derivatives: more are looked at as one block */
#define ALL_SETS   6U      /* modes of a row, all sets of which are tried */
#define SWEEPS     60      /* of balancing */
#define EVEN       1.2     /* what is told and what is heard, when a state is balanced */
#define HUB        3U      /* neighbours at least */
#define SMALL      10U     /* states of several parts that go together again, or decide one mode */

typedef struct {
  guint32 from, to; /* the row of TO reads FROM */
  double w;
} Edge;

typedef struct {
  HyRoom *room;
  const guint32 *state;
  guint n, few;
  guint32 *local; /* [states of the room]: its place + 1, or 0 */
  GArray *edge;   /* Edge */
  double **hub;   /* by hub: the largest factors of its row; NULL: nobody has asked */
  double *own;    /* [n]: the largest |a_ii| */
  guint32 *whole; /* [n]: which strongly connected part it is in */
  guint32 *with;  /* [n]: goes together with this one, and so on to one that goes with itself */
  guint8 *bent;   /* [n]: the row is not linear */
} Find;

/* Together ------------------------------------------------------------------------------------ */

static guint32 root_in(guint32 *with, guint32 i)
{
  while (with[i] != i) {
    i = with[i] = with[with[i]];
  }
  return i;
}

static void unite_in(guint32 *with, guint32 i, guint32 j)
{
  guint32 a = root_in(with, i), b = root_in(with, j);
  with[MAX(a, b)] = MIN(a, b);
}

static guint32 *each_alone(guint n)
{
  guint32 *with = g_new(guint32, (gsize)n + 1);
  for (guint32 i = 0; i < n; i++) {
    with[i] = i;
  }
  return with;
}

/* Partial derivatives ------------------------------------------------------------------------- */

/* Modes of the row: bits of SET, the last one for all that are more. */
static void take_largest(const HyRunRow *r, guint64 set, double *factors, double *most)
{
  guint n = r->shape->n_flags;
  g_autofree guint8 *choice = g_new(guint8, (gsize)n + 1);
  for (guint k = 0; k < n; k++) {
    choice[k] = set >> MIN(k, 63U) & 1U;
  }
  hy_template_coefficients(r->shape, r->number, choice, factors);
  for (guint k = 0; k < r->n_slots; k++) {
    most[k] = isfinite(factors[k]) ? fmax(most[k], fabs(factors[k])) : most[k];
  }
}

/* |factor| of each slot of a row, the largest of all its modes; where these are many, of each
 * alone, of none and of all. Of one that is not linear some number. Newly allocated. */
static double *largest_factors(HyRoom *room, guint32 row)
{
  const HyRunRow *r = &room->run[row];
  double *most = g_new0(double, (gsize)r->n_slots + 1);
  g_autofree double *factors = g_new0(double, (gsize)r->n_slots + 1);
  guint n = MIN(r->shape->n_flags, 64U);
  guint sets = !r->linear ? 0 : n <= ALL_SETS ? 1U << n : n + 2;
  for (guint k = 0; k < r->n_slots && !r->linear; k++) {
    most[k] = 1.0;
  }
  for (guint k = 0; k < sets; k++) {
    guint64 each = k < n ? G_GUINT64_CONSTANT(1) << k : k == n ? 0 : G_MAXUINT64;
    take_largest(r, n <= ALL_SETS ? k : each, factors, most);
  }
  return most;
}

static Edge *edge_at(const Find *f, guint k)
{
  return &g_array_index(f->edge, Edge, k);
}

static void add_edge(Find *f, guint32 from, guint32 to, double w)
{
  Edge e = {from, to, w};
  if (from == to) {
    f->own[to] += w;
  } else if (w > 0.0) {
    g_array_append_val(f->edge, e);
  }
}

static void add_slots(Find *f, guint32 to, guint32 row, const double *most, double by);

/* Of what a hub is made: by the chain rule. */
static void add_hub(Find *f, guint32 to, const HyHub *hub, double by)
{
  gsize k = (gsize)(hub - &g_array_index(f->room->rows.hub, HyHub, 0));
  if (f->hub[k] == NULL) {
    f->hub[k] = largest_factors(f->room, hub->row);
  }
  f->bent[to] |= !f->room->run[hub->row].linear;
  add_slots(f, to, hub->row, f->hub[k], by);
}

/* The state that speaks at SLOT, + 1; 0: none of these does. */
static guint32 local_at(const Find *f, guint slot)
{
  const HyRoom *room = f->room;
  const HyFlat *flat = room->diagram.flat;
  guint32 state = slot < flat->first_out[flat->n] ? room->members.state_at[flat->owner[slot]] : 0;
  return state > 0 && hy_member_slot(room, state - 1) == slot ? f->local[state - 1] : 0;
}

static void add_slots(Find *f, guint32 to, guint32 row, const double *most, double by)
{
  const HyRunRow *r = &f->room->run[row];
  for (guint k = 0; k < r->n_slots && f->edge->len < MOST_EDGES; k++) {
    const HyHub *hub = hy_rows_hub(&f->room->rows, r->slot[k]);
    guint32 from = local_at(f, r->slot[k]);
    if (hub != NULL) {
      add_hub(f, to, hub, by * most[k]);
    } else if (from > 0) {
      add_edge(f, from - 1, to, by * most[k]);
    }
  }
}

static void find_edges(Find *f)
{
  for (guint32 i = 0; i < f->n; i++) {
    guint32 row = hy_room_state(f->room, f->state[i])->row;
    f->bent[i] = !f->room->run[row].linear;
    g_autofree double *most = largest_factors(f->room, row);
    add_slots(f, i, row, most, 1.0);
  }
  for (guint k = 0; k < f->edge->len; k++) {
    const Edge *e = edge_at(f, k);
    if (f->bent[e->to]) {
      unite_in(f->with, e->from, e->to);
    }
  }
}

/* Modes --------------------------------------------------------------------------------------- */

/* States behind the inputs of a block, through others that answer at once. */
typedef struct {
  const Find *f;
  guint32 *seen; /* [atomics]: the block for which this one has been looked at last, + 1 */
  GArray *stack; /* guint32 */
  GArray *found; /* guint32: places */
} Behind;

static void look_behind(Behind *b, guint atomic, guint32 mark, gboolean modes)
{
  const HyRoom *room = b->f->room;
  const HyFlatSources *sources = room->diagram.sources;
  const HyFlat *flat = room->diagram.flat;
  for (guint k = 0; k < room->kind[atomic]->n_in; k++) {
    guint source = sources->slot[sources->first[atomic] + k];
    if (source >= flat->first_out[flat->n] || !(modes || room->kind[atomic]->feeds[k])) {
      continue;
    }
    guint32 owner = flat->owner[source];
    if (b->seen[owner] != mark) {
      b->seen[owner] = mark;
      guint32 here = local_at(b->f, source);
      if (here > 0) {
        here--;
        g_array_append_val(b->found, here);
      } else if (room->kind[owner] != NULL) {
        g_array_append_val(b->stack, owner);
      }
    }
  }
}

static void find_deciders(Behind *b, guint32 atomic)
{
  g_array_set_size(b->found, 0);
  look_behind(b, atomic, atomic + 1, TRUE);
  while (b->stack->len > 0 && b->found->len <= SMALL) {
    guint32 next = g_array_index(b->stack, guint32, b->stack->len - 1);
    g_array_set_size(b->stack, b->stack->len - 1);
    look_behind(b, next, atomic + 1, FALSE);
  }
  g_array_set_size(b->stack, 0);
}

/* What decides one mode, unless that would be many: these are decided by what is said. */
static void unite_deciders(const Find *f, guint32 *decider)
{
  const HyRoom *room = f->room;
  guint n = room->diagram.flat->n;
  g_autofree guint32 *seen = g_new0(guint32, (gsize)n + 1);
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(guint32));
  Behind b = {f, seen, stack, found};
  for (guint32 a = 0; a < n; a++) {
    if (room->kind[a] == NULL || room->kind[a]->n_modes == 0) {
      continue;
    }
    find_deciders(&b, a);
    for (guint k = 1; k < found->len && found->len <= SMALL; k++) {
      unite_in(f->with, g_array_index(found, guint32, 0), g_array_index(found, guint32, k));
    }
    decider[a] = found->len > 0 && found->len <= SMALL ? g_array_index(found, guint32, 0) + 1 : 0;
  }
}

/* The blocks whose modes the row of a state reads, one after the other, to USER. */
static void each_mode(const Find *f, guint32 i, void (*see)(guint32 i, guint atomic, gpointer user),
                      gpointer user)
{
  const HyRoom *room = f->room;
  const HyRunRow *r = &room->run[hy_room_state(room, f->state[i])->row];
  for (guint k = 0; k < r->shape->n_flags; k++) {
    see(i, hy_part_of(room->first_flag, room->diagram.flat->n, r->flag[k]), user);
  }
}

typedef struct {
  const Find *f;
  guint32 *decider; /* [atomics]: a state that decides its modes, + 1; 0: none does, or many */
  guint *readers;   /* [atomics] */
} Modes;

static void count_reader(guint32 i, guint atomic, gpointer user)
{
  const Modes *m = user;
  (void)i;
  m->readers[atomic]++;
}

static void unite_reader(guint32 i, guint atomic, gpointer user)
{
  const Modes *m = user;
  if (m->decider[atomic] > 0 && m->readers[atomic] <= SMALL) {
    unite_in(m->f->with, i, m->decider[atomic] - 1);
  }
}

/* A mode goes with the states whose equations have it, unless they are many. */
static void unite_by_modes(const Find *f)
{
  gsize n = (gsize)f->room->diagram.flat->n + 1;
  g_autofree guint32 *decider = g_new0(guint32, n);
  g_autofree guint *readers = g_new0(guint, n);
  Modes m = {f, decider, readers};
  unite_deciders(f, decider);
  for (guint32 i = 0; i < f->n; i++) {
    each_mode(f, i, count_reader, &m);
  }
  for (guint32 i = 0; i < f->n; i++) {
    each_mode(f, i, unite_reader, &m);
  }
}

/* Strongly connected parts -------------------------------------------------------------------- */

typedef struct {
  guint32 *first, *to; /* whom each state tells: to[first[i] .. first[i + 1]) */
  guint32 *number, *low, *next;
  guint8 *open;
  GArray *path, *stack; /* guint32 */
  guint32 count;
} Tarjan;

static void tarjan_init(Tarjan *s, const Find *f)
{
  gsize n = (gsize)f->n + 2;
  *s = (Tarjan){.first = g_new0(guint32, n),
                .to = g_new(guint32, (gsize)f->edge->len + 1),
                .number = g_new0(guint32, n),
                .low = g_new0(guint32, n),
                .next = g_new0(guint32, n),
                .open = g_new0(guint8, n),
                .path = g_array_new(FALSE, FALSE, sizeof(guint32)),
                .stack = g_array_new(FALSE, FALSE, sizeof(guint32))};
  for (guint k = 0; k < f->edge->len; k++) {
    s->first[edge_at(f, k)->from + 1]++;
  }
  for (guint32 i = 0; i < f->n; i++) {
    s->first[i + 1] += s->first[i];
    s->next[i] = s->first[i];
  }
  for (guint k = 0; k < f->edge->len; k++) {
    s->to[s->next[edge_at(f, k)->from]++] = edge_at(f, k)->to;
  }
  memcpy(s->next, s->first, n * sizeof *s->next);
}

static void tarjan_clear(Tarjan *s)
{
  g_free(s->first);
  g_free(s->to);
  g_free(s->number);
  g_free(s->low);
  g_free(s->next);
  g_free(s->open);
  g_array_unref(s->path);
  g_array_unref(s->stack);
}

static void tarjan_enter(Tarjan *s, guint32 i)
{
  s->number[i] = s->low[i] = ++s->count;
  s->open[i] = 1;
  g_array_append_val(s->path, i);
  g_array_append_val(s->stack, i);
}

/* All that I tells has been looked at: what was entered since is one part, if nothing of it leads
 * further back. */
static void tarjan_leave(Tarjan *s, guint32 i, guint32 *whole)
{
  g_array_set_size(s->path, s->path->len - 1);
  if (s->path->len > 0) {
    guint32 before = g_array_index(s->path, guint32, s->path->len - 1);
    s->low[before] = MIN(s->low[before], s->low[i]);
  }
  for (guint32 j = i + 1; s->low[i] == s->number[i] && j != i;) {
    j = g_array_index(s->stack, guint32, s->stack->len - 1);
    g_array_set_size(s->stack, s->stack->len - 1);
    s->open[j] = 0;
    whole[j] = i;
  }
}

static void find_wholes(Find *f)
{
  Tarjan s;
  tarjan_init(&s, f);
  for (guint32 k = 0; k < f->n; k++) {
    if (s.number[k] == 0) {
      tarjan_enter(&s, k);
    }
    while (s.path->len > 0) {
      guint32 i = g_array_index(s.path, guint32, s.path->len - 1);
      guint32 j = s.next[i] < s.first[i + 1] ? s.to[s.next[i]++] : i;
      if (j == i) {
        tarjan_leave(&s, i, f->whole);
      } else if (s.number[j] == 0) {
        tarjan_enter(&s, j);
      } else if (s.open[j]) {
        s.low[i] = MIN(s.low[i], s.number[j]);
      }
    }
  }
  tarjan_clear(&s);
}

/* Rates --------------------------------------------------------------------------------------- */

static gboolean comes_back(const Find *f, const Edge *e)
{
  return f->whole[e->from] == f->whole[e->to];
}

/* One sweep; how uneven a state still was. Half of the way, since neighbours move, too. */
static double balance(const Find *f, double *unit, double *told, double *heard)
{
  double worst = 1.0;
  memset(told, 0, f->n * sizeof *told);
  memset(heard, 0, f->n * sizeof *heard);
  for (guint k = 0; k < f->edge->len; k++) {
    const Edge *e = edge_at(f, k);
    if (comes_back(f, e)) {
      double w = e->w * unit[e->from] / unit[e->to];
      told[e->from] += w;
      heard[e->to] += w;
    }
  }
  for (guint32 i = 0; i < f->n; i++) {
    if (told[i] > 0.0 && heard[i] > 0.0) {
      double by = heard[i] / told[i];
      worst = fmax(worst, fmax(by, 1.0 / by));
      unit[i] *= sqrt(sqrt(by));
    }
  }
  return worst;
}

/* w becomes a rate, where it comes back. */
static void find_rates(const Find *f)
{
  g_autofree double *unit = g_new(double, (gsize)f->n + 1);
  g_autofree double *told = g_new(double, (gsize)f->n + 1);
  g_autofree double *heard = g_new(double, (gsize)f->n + 1);
  for (guint32 i = 0; i < f->n; i++) {
    unit[i] = 1.0;
  }
  for (guint k = 0; k < SWEEPS && balance(f, unit, told, heard) > EVEN; k++) {
  }
  for (guint k = 0; k < f->edge->len; k++) {
    Edge *e = edge_at(f, k);
    e->w *= comes_back(f, e) ? unit[e->from] / unit[e->to] : 1.0;
  }
}

/* What is read from another part so strongly that its tolerance is too coarse. */
static void unite_amplified(const Find *f)
{
  double slowest = INFINITY;
  for (guint k = 0; k < f->edge->len; k++) {
    slowest = comes_back(f, edge_at(f, k)) ? fmin(slowest, edge_at(f, k)->w) : slowest;
  }
  for (guint k = 0; k < f->edge->len; k++) {
    const Edge *e = edge_at(f, k);
    if (!comes_back(f, e) && e->w > AMPLIFIED * slowest) {
      unite_in(f->with, e->from, e->to);
    }
  }
}

/* Dividing ------------------------------------------------------------------------------------ */

/* States that are looked at as one, and how they would be divided. */
typedef struct {
  const Find *f;
  guint32 *with; /* [n]: of all states, those in the part begin as in Find.with */
  GArray *edge;  /* guint32: those in the part, between two that are not together */
  GArray *level; /* double, ascending: their rates, and those of states alone */
  double *rate;  /* [n]: the fastest in what goes with this one */
} Trial;

static int levels_ascending(gconstpointer a, gconstpointer b)
{
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* STATE is ascending. */
static void trial_take(Trial *t, const GArray *state, guint8 *in)
{
  const Find *f = t->f;
  g_array_set_size(t->edge, 0);
  g_array_set_size(t->level, 0);
  for (guint k = 0; k < state->len; k++) {
    guint32 i = g_array_index(state, guint32, k);
    in[i] = 1;
    if (f->own[i] > 0.0) {
      g_array_append_val(t->level, f->own[i]);
    }
  }
  for (guint32 k = 0; k < f->edge->len; k++) {
    const Edge *e = edge_at(f, k);
    if (in[e->from] && in[e->to] && root_in(f->with, e->from) != root_in(f->with, e->to)) {
      g_array_append_val(t->edge, k);
      g_array_append_val(t->level, e->w);
    }
  }
  for (guint k = 0; k < state->len; k++) {
    in[g_array_index(state, guint32, k)] = 0;
  }
  g_array_sort(t->level, levels_ascending);
}

static void trial_unite(Trial *t, guint32 i, guint32 j, double rate)
{
  guint32 a = root_in(t->with, i), b = root_in(t->with, j);
  double most = fmax(rate, fmax(t->rate[a], t->rate[b]));
  unite_in(t->with, a, b);
  t->rate[MIN(a, b)] = most;
}

/* What is faster than LEVEL goes together; then those of which neither is much faster in itself
 * than what it tells the other. */
static void trial_cut(Trial *t, const GArray *state, double level)
{
  const Find *f = t->f;
  for (guint k = 0; k < state->len; k++) {
    guint32 i = g_array_index(state, guint32, k);
    t->with[i] = i;
    t->rate[i] = f->own[i];
  }
  for (guint k = 0; k < state->len; k++) {
    guint32 i = g_array_index(state, guint32, k);
    trial_unite(t, i, root_in(f->with, i), 0.0);
  }
  for (guint k = 0; k < t->edge->len; k++) {
    const Edge *e = edge_at(f, g_array_index(t->edge, guint32, k));
    if (e->w > level && comes_back(f, e)) {
      trial_unite(t, e->from, e->to, e->w);
    }
  }
  for (gboolean again = TRUE; again;) {
    again = FALSE;
    for (guint k = 0; k < t->edge->len; k++) {
      const Edge *e = edge_at(f, g_array_index(t->edge, guint32, k));
      guint32 a = root_in(t->with, e->from), b = root_in(t->with, e->to);
      if (a != b && comes_back(f, e) && fmax(t->rate[a], t->rate[b]) < GAP * e->w) {
        trial_unite(t, a, b, e->w);
        again = TRUE;
      }
    }
  }
}

/* More than one part. */
static gboolean trial_divides(Trial *t, const GArray *state)
{
  guint32 first = root_in(t->with, g_array_index(state, guint32, 0));
  gboolean divides = FALSE;
  for (guint k = 1; k < state->len; k++) {
    divides |= root_in(t->with, g_array_index(state, guint32, k)) != first;
  }
  return divides;
}

/* At nothing, and then at the first gap that divides. */
static gboolean find_cut(Trial *t, const GArray *state)
{
  double before = 0.0;
  for (guint k = 0; k <= t->level->len; k++) {
    double level = k < t->level->len ? g_array_index(t->level, double, k) : INFINITY;
    if (k == 0 || (level < INFINITY && level >= GAP * before)) {
      trial_cut(t, state, k == 0 ? 0.0 : before);
      if (trial_divides(t, state)) {
        return TRUE;
      }
    }
    before = level;
  }
  return FALSE;
}

/* The states that T puts together with each, as lists. */
static GPtrArray *parts_of(Trial *t, const GArray *state)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  g_autoptr(GHashTable) by_root = g_hash_table_new(NULL, NULL);
  for (guint k = 0; k < state->len; k++) {
    guint32 i = g_array_index(state, guint32, k);
    gpointer root = GUINT_TO_POINTER(root_in(t->with, i) + 1);
    GArray *part = g_hash_table_lookup(by_root, root);
    if (part == NULL) {
      part = g_array_new(FALSE, FALSE, sizeof(guint32));
      g_ptr_array_add(parts, part);
      g_hash_table_insert(by_root, root, part);
    }
    g_array_append_val(part, i);
  }
  return parts;
}

/* Divides all, and what that leaves, until nothing is to be divided. */
static void divide(Find *f)
{
  g_autofree guint8 *in = g_new0(guint8, (gsize)f->n + 1);
  g_autofree guint32 *with = each_alone(f->n);
  g_autofree double *rate = g_new0(double, (gsize)f->n + 1);
  g_autoptr(GArray) edge = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autoptr(GArray) level = g_array_new(FALSE, FALSE, sizeof(double));
  g_autoptr(GPtrArray) left = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  Trial t = {f, with, edge, level, rate};
  GArray *all = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_array_append_vals(all, with, f->n);
  g_ptr_array_add(left, all);
  while (left->len > 0) {
    g_autoptr(GArray) state = g_ptr_array_steal_index(left, left->len - 1);
    gboolean large = state->len > (state->len == f->n ? f->few : SMALL);
    if (large) {
      trial_take(&t, state, in);
    }
    if (large && find_cut(&t, state)) {
      g_autoptr(GPtrArray) parts = parts_of(&t, state);
      g_ptr_array_extend_and_steal(left, g_steal_pointer(&parts));
      continue;
    }
    for (guint k = 1; k < state->len; k++) {
      unite_in(f->with, g_array_index(state, guint32, 0), g_array_index(state, guint32, k));
    }
  }
}

/* Neighbours ---------------------------------------------------------------------------------- */

static int edges_fastest_first(gconstpointer a, gconstpointer b)
{
  const Edge *x = a, *y = b;
  return x->w != y->w     ? (x->w < y->w) - (x->w > y->w)
         : x->to != y->to ? (x->to > y->to) - (x->to < y->to)
                          : (x->from > y->from) - (x->from < y->from);
}

/* Each pair of parts of which one reads the other, once. */
static GHashTable *find_pairs(const Find *f)
{
  GHashTable *pairs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint k = 0; k < f->edge->len; k++) {
    guint32 a = root_in(f->with, edge_at(f, k)->from), b = root_in(f->with, edge_at(f, k)->to);
    if (a != b) {
      gint64 key = (gint64)MIN(a, b) << 32 | MAX(a, b);
      if (!g_hash_table_contains(pairs, &key)) {
        g_hash_table_add(pairs, g_memdup2(&key, sizeof key));
      }
    }
  }
  return pairs;
}

static guint *find_sizes(const Find *f)
{
  guint *size = g_new0(guint, (gsize)f->n + 1);
  for (guint32 i = 0; i < f->n; i++) {
    size[root_in(f->with, i)]++;
  }
  return size;
}

/* [n]: of each part how many others it reads or is read by, and how many states these have. */
static void find_neighbours(const Find *f, const guint *size, guint *neighbours, guint *around)
{
  g_autoptr(GHashTable) pairs = find_pairs(f);
  GHashTableIter at;
  gpointer key;
  g_hash_table_iter_init(&at, pairs);
  while (g_hash_table_iter_next(&at, &key, NULL)) {
    guint32 a = (guint32)(*(const gint64 *)key >> 32), b = (guint32) * (const gint64 *)key;
    neighbours[a]++;
    neighbours[b]++;
    if (around != NULL) {
      around[a] += size[b];
      around[b] += size[a];
    }
  }
}

/* Small neighbours together, those first that answer each other fastest. HUB: [n], by part. */
static void unite_small(Find *f, guint8 *hub)
{
  g_autofree guint *size = find_sizes(f);
  g_autofree guint *neighbours = g_new0(guint, (gsize)f->n + 1);
  g_autofree guint *around = g_new0(guint, (gsize)f->n + 1);
  find_neighbours(f, size, neighbours, around);
  for (guint32 i = 0; i < f->n; i++) {
    hub[i] = neighbours[i] >= HUB && size[i] + around[i] > f->few;
  }
  g_array_sort(f->edge, edges_fastest_first);
  for (guint k = 0; k < f->edge->len; k++) {
    guint32 a = root_in(f->with, edge_at(f, k)->from), b = root_in(f->with, edge_at(f, k)->to);
    if (a != b && !hub[a] && !hub[b] && size[a] + size[b] <= MIN(SMALL, f->few)) {
      unite_in(f->with, a, b);
      size[MIN(a, b)] = size[a] + size[b];
    }
  }
}

/* Result -------------------------------------------------------------------------------------- */

static void find_block_rates(const Find *f, const guint32 *block_of, GArray *blocks)
{
  for (guint32 i = 0; i < f->n; i++) {
    HyStateBlock *b = &g_array_index(blocks, HyStateBlock, block_of[i]);
    b->rate = fmax(b->rate, f->own[i]);
    b->linear &= !f->bent[i];
  }
  for (guint k = 0; k < f->edge->len; k++) {
    const Edge *e = edge_at(f, k);
    HyStateBlock *from = &g_array_index(blocks, HyStateBlock, block_of[e->from]);
    HyStateBlock *to = &g_array_index(blocks, HyStateBlock, block_of[e->to]);
    if (from == to) {
      to->rate = fmax(to->rate, e->w);
    } else if (comes_back(f, e)) {
      from->outside = fmax(from->outside, e->w);
      to->outside = fmax(to->outside, e->w);
    }
  }
}

/* Blocks in the order of their first states; of each its states. */
static HyStateBlocks *blocks_of(const Find *f, const guint8 *hub)
{
  HyStateBlocks *all = g_new0(HyStateBlocks, 1);
  g_autofree guint32 *block_of = g_new0(guint32, (gsize)f->n + 1);
  g_autofree guint *size = find_sizes(f);
  g_autofree guint *neighbours = g_new0(guint, (gsize)f->n + 1);
  find_neighbours(f, size, neighbours, NULL);
  all->state = g_new(guint32, (gsize)f->n + 1);
  all->n_states = f->n;
  all->block = g_array_new(FALSE, TRUE, sizeof(HyStateBlock));
  guint first = 0;
  for (guint32 i = 0; i < f->n; i++) {
    guint32 root = root_in(f->with, i);
    if (root == i) {
      HyStateBlock b = {.first = first, .linear = TRUE, .neighbours = neighbours[i]};
      b.why = size[i] < f->n   ? (hub[i] ? HY_BLOCK_HUB : HY_BLOCK_PART)
              : f->n <= f->few ? HY_BLOCK_FEW
                               : HY_BLOCK_WHOLE;
      first += size[i];
      block_of[i] = all->block->len;
      g_array_append_val(all->block, b);
    }
    block_of[i] = block_of[root];
    HyStateBlock *b = &g_array_index(all->block, HyStateBlock, block_of[i]);
    all->state[b->first + b->n++] = f->state[i];
  }
  find_block_rates(f, block_of, all->block);
  return all;
}

static void find_init(Find *f, HyRoom *room, const guint32 *state, guint n, guint few)
{
  *f = (Find){.room = room,
              .state = state,
              .n = n,
              .few = few,
              .local = g_new0(guint32, (gsize)room->states->len + 1),
              .edge = g_array_new(FALSE, FALSE, sizeof(Edge)),
              .hub = g_new0(double *, (gsize)room->rows.hub->len + 1),
              .own = g_new0(double, (gsize)n + 1),
              .whole = each_alone(n),
              .with = each_alone(n),
              .bent = g_new0(guint8, (gsize)n + 1)};
  for (guint32 i = 0; i < n; i++) {
    f->local[state[i]] = i + 1;
  }
}

static void find_clear(Find *f)
{
  for (guint k = 0; k < f->room->rows.hub->len; k++) {
    g_free(f->hub[k]);
  }
  g_free(f->hub);
  g_free(f->local);
  g_array_unref(f->edge);
  g_free(f->own);
  g_free(f->whole);
  g_free(f->with);
  g_free(f->bent);
}

/* What answers each other fast goes together. */
static void find_parts(Find *f, guint8 *hub)
{
  unite_by_modes(f);
  unite_amplified(f);
  divide(f);
  unite_small(f, hub);
}

HyStateBlocks *hy_state_blocks_new(HyRoom *room, const guint32 *state, guint n, guint few)
{
  Find f;
  find_init(&f, room, state, n, few);
  g_autofree guint8 *hub = g_new0(guint8, (gsize)n + 1);
  if (n > few) { /* else nothing depends on them */
    find_edges(&f);
    find_wholes(&f);
    find_rates(&f);
  }
  if (n > few && f.edge->len < MOST_EDGES) {
    find_parts(&f, hub);
  } else {
    for (guint32 i = 1; i < n; i++) {
      unite_in(f.with, 0, i);
    }
  }
  HyStateBlocks *all = blocks_of(&f, hub);
  find_clear(&f);
  return all;
}

static void join(guint *group, guint n, guint a, guint b)
{
  for (guint i = 0; i < n; i++) {
    group[i] = group[i] == MAX(a, b) ? MIN(a, b) : group[i];
  }
}

double hy_state_blocks_join(HyRoom *room, const guint32 *state, guint n, double rate, guint *group)
{
  Find f;
  double fastest = 0.0;
  find_init(&f, room, state, n, n);
  find_edges(&f);
  find_wholes(&f);
  find_rates(&f);
  for (guint k = 0; k < f.edge->len; k++) {
    const Edge *e = edge_at(&f, k);
    if (comes_back(&f, e) && e->w > rate && group[e->from] != group[e->to]) {
      fastest = fmax(fastest, e->w);
      join(group, n, group[e->from], group[e->to]);
    }
  }
  find_clear(&f);
  return fastest;
}

void hy_state_blocks_free(HyStateBlocks *blocks)
{
  if (blocks != NULL) {
    g_array_unref(blocks->block);
    g_free(blocks->state);
    g_free(blocks);
  }
}

static char *hub_why(const HyStateBlock *block)
{
  char outside[HY_DOUBLE_SIZE];
  g_ascii_formatd(outside, sizeof outside, "%.2g", block->outside);
  return g_strdup_printf("by itself, since %u blocks work on it, none faster than %s/s",
                         block->neighbours, outside);
}

static char *part_why(const HyStateBlock *block)
{
  char rate[HY_DOUBLE_SIZE], outside[HY_DOUBLE_SIZE];
  g_ascii_formatd(rate, sizeof rate, "%.2g", block->rate);
  g_ascii_formatd(outside, sizeof outside, "%.2g", block->outside);
  return block->outside > 0.0
             ? g_strdup_printf("a block of its own: rates up to %s/s in it, with others up to %s/s",
                               rate, outside)
             : g_strdup("a block of its own: what it tells the others does not come back");
}

char *hy_state_block_why(const HyStateBlock *block)
{
  switch (block->why) {
  case HY_BLOCK_FEW:
    return g_strdup_printf("solved together, since they are no more than %u", HY_BLOCK_FEW_STATES);
  case HY_BLOCK_WHOLE:
    return g_strdup("solved together, since no part is much faster in itself than with the others");
  case HY_BLOCK_HUB:
    return hub_why(block);
  default:
    return part_why(block);
  }
}
