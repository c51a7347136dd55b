/* Root coordinator: starts the tree, then asks for one cycle after the other. (i) and (*) go down
 * level by level and done comes back up; they are loops here, so depth costs no stack. */
#include "tree.h"

/* Building ------------------------------------------------------------------------------------ */

/* Whether leftmost among simultaneous children is first in the order of ties. SPAN: of each
 * coordinator's atomics. */
typedef struct {
  guint min, max; /* min > max: none */
} Span;

static Span span_of(const HyChild *child, const Span *span)
{
  return child->atomic ? (Span){child->number, child->number} : span[child->number];
}

static void find_spans(HyTree *tree, guint n_coupled)
{
  g_autofree Span *span = g_new0(Span, n_coupled); /* inner models have higher numbers */
  for (guint i = n_coupled; i-- > 0;) {
    HyCoordinator *c = &tree->node[i];
    span[i] = (Span){G_MAXUINT, 0};
    c->sorted = TRUE;
    for (guint k = 0; k < c->n; k++) {
      Span s = span_of(&c->child[k], span);
      if (s.min > s.max) {
        continue;
      }
      c->sorted &= span[i].min > span[i].max || s.min > span[i].max;
      span[i].min = MIN(span[i].min, s.min);
      span[i].max = MAX(span[i].max, s.max);
    }
  }
}

static void build_node(HyCoordinator *c, const HyModel *m)
{
  c->model = m;
  c->n = m->components.len;
  c->child = g_new(HyChild, MAX(c->n, 1));
  c->place_of = m->order != NULL ? g_new(guint, c->n) : NULL;
  for (guint place = 0; place < c->n; place++) {
    guint k = hy_component_at(m, place);
    const HyComponent *component = hy_component(m, k);
    c->child[place] = (HyChild){component->number, component->klass != NULL};
    if (c->place_of != NULL) {
      c->place_of[k] = place;
    }
  }
  hy_ladder_init(&c->ladder, c->n);
}

static gboolean tree_build(HySim *sim, GError **error)
{
  (void)error;
  const HyRoot *owner = sim->model->owner;
  HyTree *tree = g_new0(HyTree, 1);
  tree->node = g_new0(HyCoordinator, owner->n_coupled);
  for (guint i = 0; i < owner->n_coupled; i++) {
    build_node(&tree->node[i], owner->coupled[i]);
  }
  for (guint i = 0; i < owner->n_coupled; i++) {
    for (guint place = 0; place < tree->node[i].n; place++) {
      HyChild child = tree->node[i].child[place];
      if (!child.atomic) {
        tree->node[child.number].parent = &tree->node[i];
        tree->node[child.number].place = place;
      }
    }
  }
  find_spans(tree, owner->n_coupled);
  sim->engine = tree;
  return TRUE;
}

static void tree_clear(HySim *sim)
{
  HyTree *tree = sim->engine;
  for (guint i = 0; i < sim->model->owner->n_coupled; i++) {
    g_free(tree->node[i].child);
    g_free(tree->node[i].place_of);
    hy_ladder_clear(&tree->node[i].ladder);
  }
  g_free(tree->node);
  g_free(tree);
}

/* (i, t) -------------------------------------------------------------------------------------- */

static gboolean init_atomic(HySim *sim, HyCoordinator *c, guint place, double t)
{
  guint number = c->child[place].number;
  sim->now.totals.i++;
  if (hy_traced(sim)) {
    hy_tell_atomic(sim, number, HY_MSG_I, t);
  }
  double tn = hy_atom_schedule(sim, &sim->atoms[number], t);
  if (isnan(tn)) {
    return FALSE;
  }
  hy_ladder_set(&c->ladder, place, tn);
  sim->now.totals.done++;
  if (hy_traced(sim)) {
    hy_tell_done_atomic(sim, number, t, tn, HY_RAN_INIT, 0);
  }
  return TRUE;
}

static void init_message(HySim *sim, const HyCoordinator *c, double t)
{
  sim->now.totals.i++;
  if (hy_traced(sim)) {
    hy_tell_down(sim, c, HY_MSG_I, t);
  }
}

static void tree_init(HySim *sim, double t)
{
  HyTree *tree = sim->engine;
  g_autofree guint *next = g_new0(guint, sim->model->owner->n_coupled); /* the child to be asked */
  tree->n_messages = 0;
  HyCoordinator *c = tree->node;
  for (init_message(sim, c, t); c != NULL;) {
    guint *place = &next[c->model->number];
    if (*place < c->n) {
      guint k = (*place)++;
      if (!c->child[k].atomic) {
        c = &tree->node[c->child[k].number];
        init_message(sim, c, t);
      } else if (!init_atomic(sim, c, k, t)) {
        return;
      }
      continue;
    }
    hy_coordinator_select(tree, c);
    sim->now.totals.done++;
    if (hy_traced(sim)) {
      hy_tell_done(sim, c, t);
    }
    if (c->parent != NULL) {
      hy_ladder_set(&c->parent->ladder, c->place, c->tn);
    }
    c = c->parent;
  }
}

/* (*, t) -------------------------------------------------------------------------------------- */

/* Down to the coordinator of the atomic that select picks. */
static HyCoordinator *descend(HySim *sim, HyCoordinator *c, double t)
{
  gboolean traced = hy_traced(sim);
  guint64 levels = 1;
  for (;; levels++) {
    if (traced) {
      hy_tell_down(sim, c, HY_MSG_STAR, t);
    }
    if (c->down == NULL) {
      break;
    }
    c = c->down;
  }
  sim->now.totals.star += levels;
  return c;
}

/* done climbs. Where the earliest child has stayed at its instant and no other has changed, it is
 * still the first. */
static void climb(HySim *sim, const HyTree *tree, HyCoordinator *c, guint place, double tn,
                  guint order)
{
  gboolean traced = hy_traced(sim);
  double t = sim->now.t;
  guint64 levels = 0;
  for (; c != NULL; levels++) {
    if (c->changed || c->ladder.at[0][place] != tn) {
      hy_ladder_set(&c->ladder, place, tn);
      hy_coordinator_select(tree, c);
      order = c->order;
    } else {
      c->order = order;
    }
    if (traced) {
      hy_tell_done(sim, c, t);
    }
    place = c->place;
    tn = c->tn;
    c = c->parent;
  }
  sim->now.totals.done += levels;
}

/* The simulator's part: lambda, its delivery, dint. Returns its new tN; NaN: sim->error is set. */
static double execute(HySim *sim, HyCoordinator *c, guint atomic, double t)
{
  sim->now.totals.star++;
  if (hy_traced(sim)) {
    hy_tell_atomic(sim, atomic, HY_MSG_STAR, t);
  }
  HyEvent y = hy_atom_lambda(sim, atomic, t);
  gint port = -1;
  if (hy_atom_output(sim, atomic, t, &y)) {
    port = y.port;
    guint component = sim->model->owner->atomics[atomic].component;
    gboolean ok = hy_coordinator_output(sim, c, component, t, (guint)y.port, &y);
    hy_atom_delivered(&y);
    if (!ok) {
      return NAN;
    }
  } else if (G_UNLIKELY(sim->error != NULL)) {
    return NAN;
  }
  double tn = hy_atom_internal(sim, atomic, t);
  if (G_LIKELY(!isnan(tn))) {
    sim->now.totals.done++;
    if (hy_traced(sim)) {
      hy_tell_done_atomic(sim, atomic, t, tn, HY_RAN_DINT, 0);
    }
    hy_atom_said(sim, atomic, port, t, &y);
  }
  return tn;
}

/* A member of a group is due though no message has come to it: its group is one atomic whose parts
 * stand in several places, and what they know of each other is no message. */
static void reschedule(HySim *sim, const HyTree *tree, guint atomic, double tn)
{
  const HyRoot *owner = sim->model->owner;
  HyCoordinator *c = &tree->node[owner->atomics[atomic].coupled];
  guint component = owner->atomics[atomic].component;
  guint place = c->place_of != NULL ? c->place_of[component] : component;
  for (; c != NULL; c = c->parent) {
    hy_ladder_set(&c->ladder, place, tn);
    hy_coordinator_select(tree, c);
    place = c->place;
    tn = c->tn;
  }
}

static gboolean follow_room(HySim *sim, const HyTree *tree, double t)
{
  guint atomic;
  double tn;
  while (hy_atom_due(sim, t, &atomic, &tn)) {
    if (G_UNLIKELY(isnan(tn))) {
      return FALSE;
    }
    reschedule(sim, tree, atomic, tn);
  }
  return TRUE;
}

static gboolean tree_cycle(HySim *sim, HyTree *tree, double t)
{
  HyCoordinator *c = descend(sim, tree->node, t);
  guint place = c->first, atomic = c->child[place].number;
  double tn = execute(sim, c, atomic, t);
  if (G_UNLIKELY(isnan(tn))) {
    return FALSE;
  }
  climb(sim, tree, c, place, tn, atomic);
  return follow_room(sim, tree, t);
}

static guint64 tree_run(HySim *sim, double tf, guint64 max)
{
  HyTree *tree = sim->engine;
  const HyCoordinator *root = &tree->node[0];
  guint64 done = 0;
  for (; done < max; done++) {
    double t = root->tn;
    if (!(t <= tf) || isinf(t) || !hy_sim_may_cycle(sim, root->order, t)) {
      break;
    }
    sim->now.t = t;
    sim->now.totals.cycles++;
    if (!tree_cycle(sim, tree, t)) {
      break;
    }
  }
  return done;
}

static void tree_input(HySim *sim, double t, guint port, const HyValue *value)
{
  const HyTree *tree = sim->engine;
  HyEvent x = {.value = *value};
  sim->now.totals.x++;
  if (hy_traced(sim)) {
    hy_tell_x(sim, tree->node, HY_SELF, t, port, value);
  }
  hy_coordinator_input(sim, tree->node, t, port, &x);
}

static double tree_next(const HySim *sim)
{
  const HyTree *tree = sim->engine;
  return tree->node[0].tn;
}

static void tree_follow(HySim *sim, double t)
{
  follow_room(sim, sim->engine, t);
}

static void tree_place(HySim *sim, guint atomic, double t)
{
  reschedule(sim, sim->engine, atomic, t);
}

/* Each coordinator keeps its keys in place; what it points to stays. */
static void tree_tape(HySim *sim, HyTape *tape)
{
  HyTree *tree = sim->engine;
  hy_tape_bytes(tape, &tree->n_messages, sizeof tree->n_messages);
  for (guint i = 0; i < sim->model->owner->n_coupled; i++) {
    hy_tape_bytes(tape, &tree->node[i], sizeof tree->node[i]);
    hy_ladder_tape(&tree->node[i].ladder, tree->node[i].n, tape);
  }
}

/* Inner models have higher numbers: each knows its children before its parent asks it. */
static void tree_resume(HySim *sim)
{
  HyTree *tree = sim->engine;
  for (guint i = sim->model->owner->n_coupled; i-- > 0;) {
    HyCoordinator *c = &tree->node[i];
    for (guint place = 0; place < c->n; place++) {
      HyChild child = c->child[place];
      hy_ladder_set(&c->ladder, place,
                    child.atomic ? hy_atom_next(&sim->atoms[child.number])
                                 : tree->node[child.number].tn);
    }
    hy_coordinator_select(tree, c);
  }
}

const HyEngineOps hy_engine_tree = {
    .build = tree_build,
    .clear = tree_clear,
    .init = tree_init,
    .run = tree_run,
    .input = tree_input,
    .next = tree_next,
    .follow = tree_follow,
    .place = tree_place,
    .tape = tree_tape,
    .runs_all = TRUE,
    .resume = tree_resume,
};
