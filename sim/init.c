/* (i, t0): every atomic gets its parameters, is told about its inputs, and starts; then the room of
 * the equations is derived from all of them. */
#include "smells.h"

#include "equations/owned.h"
#include "groups/groups.h"

#include <string.h>

/* What atomics are told about their inputs. */
typedef struct {
  HyInputState
      *input; /* [inputs] of the atomic at hand, of which there may be as many as any has */
  const HyValue **value; /* likewise */
  guint64 *seed;         /* [coupled] */
  guint order;           /* of the Taylor series in this model */
} Inputs;

/* Whether the equations room has anything to see: a block that states what it computes, a state, or
 * a sine that is wanted whole. */
static gboolean has_equations(const HySim *sim)
{
  for (guint a = 0; a < sim->n; a++) {
    const HyAtomicClass *k = sim->atoms[a].klass;
    if (k->describe != NULL || k->order != NULL || k->sine != NULL) {
      return TRUE;
    }
  }
  return FALSE;
}

static guint64 mix(guint64 x) /* the finalizer of splitmix64 */
{
  x += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static guint64 mix_name(guint64 seed, const char *name)
{
  for (; *name != '\0'; name++) {
    seed = (seed ^ (guint8)*name) * G_GUINT64_CONSTANT(0x100000001b3);
  }
  return mix(seed);
}

/* A seed for each coupled model, from that of the run and the names on the way down. */
static void make_seeds(const HySim *sim, Inputs *in)
{
  const HyRoot *owner = sim->model->owner;
  in->seed = g_new(guint64, owner->n_coupled);
  in->seed[0] = mix(sim->set.seed);
  for (guint i = 1; i < owner->n_coupled; i++) {
    const HyModel *m = owner->coupled[i];
    in->seed[i] = mix_name(in->seed[m->parent->number], m->name);
  }
}

guint hy_constants_from(const HyModel *m, guint component)
{
  guint low = 0, high = m->constants != NULL ? m->constants->len : 0; /* by halving */
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index(m->constants, HyConstantInput, middle).component < component) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static void constants_of(const HyModel *m, guint component, const Inputs *in)
{
  guint n = m->constants != NULL ? m->constants->len : 0;
  for (guint k = hy_constants_from(m, component); k < n; k++) {
    const HyConstantInput *c = &g_array_index(m->constants, HyConstantInput, k);
    if (c->component != component) {
      return;
    }
    in->input[c->port] = HY_CONSTANT;
    in->value[c->port] = &c->value;
  }
}

static gboolean init_atom(HySim *sim, guint number, double t, Inputs *in, GError **error)
{
  HyAtom *a = &sim->atoms[number];
  const HyRoot *owner = sim->model->owner;
  const HyModel *m = owner->coupled[owner->atomics[number].coupled];
  guint k = owner->atomics[number].component;
  if (a->klass->init == NULL) {
    return TRUE;
  }
  const HyComponent *c = hy_component(m, k);
  const guint *source = sim->sources.slot + sim->sources.first[number];
  for (guint p = 0; p < c->n_in; p++) {
    in->input[p] = source[p] != HY_NO_SOURCE ? HY_WIRED : HY_OPEN;
    in->value[p] = NULL;
  }
  constants_of(m, k, in);
  gboolean random =
      a->klass->describe == NULL; /* what a static block says is no matter of chance */
  HySetup setup = {.klass = a->klass,
                   .number = number,
                   .room = sim->room,
                   .n_in = c->n_in,
                   .order = in->order,
                   .n_out = a->n_out,
                   .input = in->input,
                   .value = in->value,
                   .group = sim->set.together ? 0 : c->group,
                   .seed = random ? mix_name(in->seed[m->number], c->name) : 0};
  g_autoptr(GError) why = NULL;
  return a->klass->init(a->state, t, &setup, &why) ||
         hy_model_error(m, k, error, "%s", why != NULL ? why->message : "cannot start");
}

static void choose_method(HyAtom *a, const char *method)
{
  const HyParam *p = hy_class_method(a->klass);
  *(const char **)(gpointer)(a->state + p->offset) = method;
}

/* Of a state. */
static void choose_start(HyAtom *a, double x0)
{
  for (const HyParam *p = a->klass->params; p != NULL && p->name != NULL; p++) {
    if (strcmp(p->name, "x0") == 0) {
      *(double *)(gpointer)(a->state + p->offset) = x0;
    }
  }
}

/* All states with their parameters; returns the order of the model's Taylor series. */
static guint fill_states(HySim *sim)
{
  const HyRoot *owner = sim->model->owner;
  guint order = 0;
  const guint8 *image = NULL;
  gsize size = 0;
  const HyComponent *last = NULL; /* mostly the next has the same parameters: the same order, too */
  for (guint number = 0; number < sim->n; number++) {
    HyAtom *a = &sim->atoms[number];
    const HyModel *m = owner->coupled[owner->atomics[number].coupled];
    guint k = owner->atomics[number].component;
    const HyComponent *c = hy_component(m, k);
    gboolean same = last != NULL && c->klass == last->klass && c->u.image == last->u.image;
    if (!same) {
      image = hy_component_image(m, k, &size);
    }
    memcpy(a->state, image, size);
    memset(a->state + size, 0, a->klass->state_size - size);
    if (sim->set.choice != NULL && sim->set.choice[number].method != NULL) {
      choose_method(a, sim->set.choice[number].method);
    }
    if (sim->set.start.x0 != NULL && !isnan(sim->set.start.x0[number])) {
      choose_start(a, sim->set.start.x0[number]);
    }
    a->n_int = a->n_ext = 0;
    a->instant = 0;
    if (a->klass->order != NULL && (!same || sim->set.choice != NULL)) {
      order = MAX(order, a->klass->order(a->state));
    }
    last = c;
  }
  return order == 0 ? 4 : MIN(order, 4);
}

static double next_of(gpointer user, guint atomic)
{
  return hy_atom_next(&((const HySim *)user)->atoms[atomic]);
}

static gboolean sine_of(gpointer user, guint atomic, guint port, HySine *sine)
{
  const HyAtom *a = &((const HySim *)user)->atoms[atomic];
  return a->klass->sine != NULL && a->klass->sine(a->state, port, sine);
}

static void inputs_init(HySim *sim, Inputs *in)
{
  hy_flat_sources_clear(&sim->sources);
  hy_flat_sources_init(&sim->sources, sim->graph);
  guint most = 0;
  for (guint a = 0; a < sim->n; a++) {
    most = MAX(most, sim->sources.first[a + 1] - sim->sources.first[a]);
  }
  *in = (Inputs){.input = g_new(HyInputState, (gsize)most + 1),
                 .value = g_new(const HyValue *, (gsize)most + 1),
                 .order = fill_states(sim)};
  g_clear_pointer(&sim->room, hy_room_free);
  if (has_equations(sim)) {
    sim->room = hy_room_new(sim->graph, &sim->sources, in->order, &hy_group_ops);
    hy_room_set_sources(sim->room, next_of, sine_of, sim);
    hy_room_set(sim->room, !sim->set.learns, !sim->set.stale, sim->set.by_rows);
    for (guint k = 0; sim->set.watched != NULL && k < sim->set.watched->len; k++) {
      hy_room_watch(sim->room, g_array_index(sim->set.watched, guint, k));
    }
  }
  make_seeds(sim, in);
}

static void inputs_clear(Inputs *in)
{
  g_free(in->input);
  g_free(in->value);
  g_free(in->seed);
}

static void clear_atom(HySim *sim, guint number)
{
  if (sim->atoms[number].klass->clear != NULL) {
    sim->atoms[number].klass->clear(sim->atoms[number].state);
  }
}

/* HyWatched of all; NULL: nobody watches any. */
static guint8 *find_watched(const HySim *sim)
{
  if (sim->set.trace.transition == NULL && sim->set.trace.message == NULL && !sim->set.shown) {
    return NULL;
  }
  guint8 *watched = g_new(guint8, (gsize)sim->n + 1);
  for (guint a = 0; a < sim->n; a++) {
    gboolean all = sim->set.shown || sim->set.trace.message != NULL;
    watched[a] = (guint8)(all ? HY_WATCH_ALL : hy_sim_watch(sim, a));
  }
  return watched;
}

typedef struct {
  const HySim *sim;
  double t;
} First;

/* A state says where it starts, a source its first value; both at all outputs. */
static gboolean speaks_at_start(gpointer user, guint atomic)
{
  const First *first = user;
  const HySim *sim = first->sim;
  const HyAtom *a = &sim->atoms[atomic];
  const HyPort *p = a->klass->out;
  gboolean alone = p != NULL;
  for (guint k = sim->sources.first[atomic]; k < sim->sources.first[atomic + 1] && alone; k++) {
    alone = sim->sources.slot[k] == HY_NO_SOURCE;
  }
  for (; p != NULL && p->name != NULL && alone; p++) {
    alone = p->kind == HY_SIGNAL;
  }
  if (!alone && hy_class_method(a->klass) == NULL) {
    return FALSE;
  }
  return a->klass->ta != NULL ? a->klass->ta(a->state) == 0.0
                              : a->klass->next(a->state) <= first->t;
}

static gboolean init_atoms(HySim *sim, double t, GError **error)
{
  Inputs in;
  inputs_init(sim, &in);
  guint done = 0;
  while (done < sim->n && init_atom(sim, done, t, &in, error)) {
    done++;
  }
  for (guint a = 0; done < sim->n && a <= done; a++) { /* the one that failed has begun, too */
    clear_atom(sim, a);
  }
  inputs_clear(&in);
  if (done == sim->n && sim->room != NULL) {
    g_autofree guint8 *watched = find_watched(sim);
    if (sim->set.together) {
      hy_room_keep_together(sim->room);
    }
    hy_room_start(sim->room, sim->set.shown, watched);
    First first = {sim, t};
    hy_room_wait(sim->room, speaks_at_start, &first);
  }
  if (done == sim->n && sim->room != NULL && sim->set.start.mode != NULL) {
    hy_owned_start(sim->room, sim->set.start.mode, sim->set.start.n_modes);
  }
  static const guint none = 0;
  sim->listens = sim->room != NULL && hy_room_listens(sim->room);
  sim->n_due = sim->listens ? hy_room_n_due(sim->room) : &none;
  return done == sim->n;
}

void hy_sim_try(HySim *sim, double t0, HyTry wrong, gpointer user)
{
  g_return_if_fail(sim != NULL && wrong != NULL);
  g_return_if_fail(sim->inside == HY_NOT_INSIDE);
  const HyRoot *owner = sim->model->owner;
  Inputs in;
  hy_sim_clear_states(sim);
  inputs_init(sim, &in);
  sim->inside = HY_IN_EVENT;
  for (guint a = 0; a < sim->n; a++) {
    g_autoptr(GError) why = NULL;
    if (!init_atom(sim, a, t0, &in, &why)) {
      wrong(user, owner->coupled[owner->atomics[a].coupled], owner->atomics[a].component,
            why->message);
    }
    clear_atom(sim, a);
  }
  sim->inside = HY_NOT_INSIDE;
  inputs_clear(&in);
}

static gboolean start(HySim *sim, double t0, GError **error)
{
  if (!init_atoms(sim, t0, error)) {
    return FALSE;
  }
  sim->ready = TRUE;
  hy_sim_start_signals(sim);
  sim->ops->init(sim, t0);
  return hy_sim_verdict(sim, error);
}

gboolean hy_sim_init(HySim *sim, double t0, GError **error)
{
  g_return_val_if_fail(sim != NULL, FALSE);
  if (!hy_sim_may_call(sim, G_STRFUNC, error)) {
    return FALSE;
  }
  if (!isfinite(t0)) {
    char text[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: start time %s is not finite",
                hy_model_name(sim->model), hy_double_text(text, t0));
    return FALSE;
  }
  hy_sim_clear_states(sim);
  hy_smells_free(sim);
  sim->some = (HyPace){0};
  g_clear_error(&sim->error);
  g_clear_pointer(&sim->finished, g_free);
  g_array_set_size(sim->wrong, 0);
  sim->now = (HySimNow){.t0 = t0, .t = t0, .cycle_t = NAN, .passed = NAN};
  hy_sim_wake(sim, -INFINITY);
  g_clear_pointer(&sim->life, g_atomic_rc_box_release);
  sim->life = g_atomic_rc_box_alloc(1);
  hy_sim_watch_instants(sim);
  sim->inside = HY_IN_EVENT;
  gboolean ok = start(sim, t0, error);
  sim->inside = HY_NOT_INSIDE;
  return ok;
}

gboolean hy_sim_init_equations(HySim *sim, double t0, GError **error)
{
  sim->set.shown = TRUE;
  return hy_sim_init(sim, t0, error);
}
