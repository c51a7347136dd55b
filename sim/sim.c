/* A simulation: what both engines have in common, and the public calls. */
#include "engine.h"

#include "groups/groups.h"

#include <string.h>

void hy_sim_tell(const HySim *sim, guint atomic, double t, HyTransitionKind kind, double e,
                 const HyEvent *event)
{
  sim->trace.transition(sim->trace.user, &(HyTransition){t, atomic, kind, e, event});
}

/* Failures ------------------------------------------------------------------------------------ */

char *hy_sim_path(const HySim *sim, guint atomic)
{
  g_return_val_if_fail(sim != NULL && atomic < sim->n, NULL);
  const HyRoot *owner = sim->model->owner;
  return hy_model_path(owner->coupled[owner->atomics[atomic].coupled],
                       owner->atomics[atomic].component);
}

double hy_sim_fail(HySim *sim, guint atomic, double t, const char *format, ...)
{
  if (sim->error == NULL) {
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *path = hy_sim_path(sim, atomic);
    char time[HY_DOUBLE_SIZE];
    sim->error = g_error_new(HY_ERROR, HY_ERROR_RUN, "%s: %s at t = %s", path, what,
                             hy_double_text(time, t));
  }
  return NAN;
}

/* A fault may be older than the instant at which it ends the run; then its text says since when. */
static double fail_of_class(HySim *sim, guint atomic, double t, const char *why)
{
  if (sim->error == NULL && strstr(why, " at t = ") != NULL) {
    g_autofree char *path = hy_sim_path(sim, atomic);
    sim->error = g_error_new(HY_ERROR, HY_ERROR_RUN, "%s: %s", path, why);
  }
  return hy_sim_fail(sim, atomic, t, "%s", why);
}

/* A class that says -INFINITY has reached what it was waiting for. */
static double finish(HySim *sim, guint atomic, const HyAtom *a, double t)
{
  if (sim->finished == NULL) {
    g_autofree char *path = hy_sim_path(sim, atomic);
    g_autofree char *why = a->klass->fault != NULL ? a->klass->fault(a->state) : NULL;
    char time[HY_DOUBLE_SIZE];
    sim->finished = g_strdup_printf("%s: %s at t = %s", path, why != NULL ? why : "finished",
                                    hy_double_text(time, t));
  }
  return NAN;
}

double hy_sim_fail_schedule(HySim *sim, const HyAtom *a, double t, double got)
{
  guint atomic = (guint)(a - sim->atoms);
  char text[HY_DOUBLE_SIZE];
  if (got == -INFINITY && a->klass->next != NULL) {
    return finish(sim, atomic, a, t);
  }
  if (isnan(got) && a->klass->fault != NULL) {
    g_autofree char *why = a->klass->fault(a->state);
    return fail_of_class(sim, atomic, t, why);
  }
  if (a->klass->ta != NULL) {
    return hy_sim_fail(sim, atomic, t, "%s: time advance ta = %s is %s", a->klass->name,
                       hy_double_text(text, got), isnan(got) ? "not a number" : "negative");
  }
  return hy_sim_fail(sim, atomic, t, "%s: next event %s is %s", a->klass->name,
                     hy_double_text(text, got), isnan(got) ? "not a number" : "in the past");
}

void hy_sim_fail_port(HySim *sim, guint atomic, double t, gint port)
{
  const HyAtom *a = &sim->atoms[atomic];
  hy_sim_fail(sim, atomic, t, "%s: lambda sends to port %d; it has %u output port%s",
              a->klass->name, port, a->n_out, a->n_out == 1 ? "" : "s");
}

/* Signals that are not finite: what is checked when time passes. At the moment of the event another
 * may already be on its way that puts it right. */
typedef struct {
  guint atomic;
  gint port;
  double t, value;
} Wrong;

static Wrong *find_wrong(const HySim *sim, guint atomic, gint port)
{
  for (guint k = 0; sim->wrong != NULL && k < sim->wrong->len; k++) {
    Wrong *w = &g_array_index(sim->wrong, Wrong, k);
    if (w->atomic == atomic && w->port == port) {
      return w;
    }
  }
  return NULL;
}

void hy_sim_note_value(HySim *sim, guint atomic, double t, const HyEvent *y)
{
  const HyPort *port = sim->atoms[atomic].klass->out;
  for (gint k = 0; k < y->port && !port->array; k++) {
    port++;
  }
  Wrong *known = find_wrong(sim, atomic, y->port);
  double bad = 0; /* the first coefficient that is not finite */
  for (guint k = 4; k-- > 0;) {
    bad = isfinite(y->value.c[k]) ? bad : y->value.c[k];
  }
  if (bad == 0 || port->kind != HY_SIGNAL) {
    if (known != NULL) {
      g_array_remove_index(sim->wrong, (guint)(known - (Wrong *)(gpointer)sim->wrong->data));
      sim->n_wrong = sim->wrong->len;
    }
  } else if (known == NULL) {
    Wrong w = {atomic, y->port, t, bad};
    if (sim->wrong == NULL) {
      sim->wrong = g_array_new(FALSE, FALSE, sizeof(Wrong));
    }
    g_array_append_val(sim->wrong, w);
    sim->n_wrong = sim->wrong->len;
  }
}

void hy_sim_fail_values(HySim *sim)
{
  const Wrong *w = &g_array_index(sim->wrong, Wrong, 0);
  char text[HY_DOUBLE_SIZE];
  const HyRoot *owner = sim->model->owner;
  g_autofree char *port = hy_model_out_name(owner->coupled[owner->atomics[w->atomic].coupled],
                                            owner->atomics[w->atomic].component, (guint)w->port);
  hy_sim_fail(sim, w->atomic, w->t, "%s: output \"%s\" is %s", sim->atoms[w->atomic].klass->name,
              port, hy_double_text(text, w->value));
}

gboolean hy_sim_zero_time(HySim *sim, guint atomic, double t)
{
  if (sim->limit == 0 || sim->at_t <= sim->limit) {
    sim->last[sim->at_t % HY_LAST] = atomic;
    return TRUE;
  }
  g_autoptr(GString) names = g_string_new(NULL);
  guint n = (guint)MIN(sim->limit, HY_LAST);
  for (guint k = 0; k < n; k++) {
    guint who = sim->last[(sim->at_t - 1 - k) % HY_LAST];
    gboolean named = FALSE;
    for (guint j = 0; j < k; j++) {
      named |= sim->last[(sim->at_t - 1 - j) % HY_LAST] == who;
    }
    if (!named) {
      g_autofree char *path = hy_sim_path(sim, who);
      g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", path);
    }
  }
  if (names->len == 0) {
    g_autofree char *path = hy_sim_path(sim, atomic);
    g_string_append(names, path);
  }
  char time[HY_DOUBLE_SIZE];
  sim->error = g_error_new(HY_ERROR, HY_ERROR_ILLEGITIMATE,
                           "illegitimate at t = %s: more than %" G_GUINT64_FORMAT
                           " further events at one instant; the last were of %s",
                           hy_double_text(time, t), sim->limit, names->str);
  return FALSE;
}

/* Making one ---------------------------------------------------------------------------------- */

static gsize aligned(gsize size)
{
  return (size + 15) & ~(gsize)15;
}

static gboolean make_atoms(HySim *sim, GError **error)
{
  const HyRoot *owner = sim->model->owner;
  sim->n = owner->n_atomics;
  sim->atoms = g_new0(HyAtom, MAX(sim->n, 1));
  gsize size = 0;
  for (guint a = 0; a < sim->n; a++) {
    const HyModel *m = owner->coupled[owner->atomics[a].coupled];
    const HyComponent *c = hy_component(m, owner->atomics[a].component);
    if (c->klass->ta == NULL && c->klass->next == NULL) {
      return hy_model_error(m, owner->atomics[a].component, error,
                            "%s is known to the checks, but this version cannot run it",
                            c->klass->name);
    }
    sim->atoms[a] = (HyAtom){.klass = c->klass, .n_out = c->n_out};
    size += aligned(c->klass->state_size); /* check limits each, and their number is a guint */
  }
  sim->states = g_try_malloc(MAX(size, 1));
  if (sim->states == NULL) {
    return hy_model_error(sim->model, HY_SELF, error,
                          "no memory for the states (%" G_GSIZE_FORMAT " bytes)", size);
  }
  guint8 *state = sim->states;
  for (guint a = 0; a < sim->n; a++) {
    sim->atoms[a].state = state;
    state += aligned(sim->atoms[a].klass->state_size);
  }
  return TRUE;
}

HySim *hy_sim_new_on(HyModel *model, const HyEngineOps *ops, GError **error)
{
  g_return_val_if_fail(model != NULL && hy_model_parent(model) == NULL, NULL);
  if (!hy_model_check(model, error)) {
    return NULL;
  }
  HySim *sim = g_new0(HySim, 1);
  sim->model = model;
  sim->ops = ops;
  sim->graph = hy_flat_new(model);
  if (!make_atoms(sim, error) || !sim->ops->build(sim, error)) {
    hy_sim_free(sim);
    return NULL;
  }
  return sim;
}

static void clear_states(HySim *sim)
{
  for (guint a = 0; sim->ready && a < sim->n; a++) {
    if (sim->atoms[a].klass->clear != NULL) {
      sim->atoms[a].klass->clear(sim->atoms[a].state);
    }
  }
  sim->ready = FALSE;
}

void hy_sim_free(HySim *sim)
{
  if (sim == NULL) {
    return;
  }
  clear_states(sim);
  if (sim->engine != NULL) {
    sim->ops->clear(sim);
  }
  hy_room_free(sim->room);
  hy_flat_sources_clear(&sim->sources);
  hy_flat_free(sim->graph);
  g_clear_error(&sim->error);
  g_free(sim->finished);
  g_clear_pointer(&sim->wrong, g_array_unref);
  g_free(sim->choice);
  g_free(sim->atoms);
  g_free(sim->states);
  g_free(sim);
}

void hy_sim_set_seed(HySim *sim, guint64 seed)
{
  g_return_if_fail(sim != NULL);
  sim->seed = seed;
}

void hy_sim_set_limit(HySim *sim, guint64 limit)
{
  g_return_if_fail(sim != NULL);
  sim->limit = limit;
  sim->limit_set = TRUE;
}

void hy_sim_set_implicit(HySim *sim, gboolean exact, gboolean refresh)
{
  g_return_if_fail(sim != NULL);
  sim->learns = !exact;
  sim->stale = !refresh;
}

void hy_sim_set_rows(HySim *sim, gboolean rows)
{
  g_return_if_fail(sim != NULL);
  sim->by_rows = rows;
}

void hy_sim_choose_methods(HySim *sim, const HyMethodChoice *choice)
{
  g_free(sim->choice);
  sim->choice = g_memdup2(choice, sim->n * sizeof *choice);
}

void hy_sim_set_trace(HySim *sim, const HyTrace *trace)
{
  g_return_if_fail(sim != NULL);
  sim->trace = trace != NULL ? *trace : (HyTrace){0};
}

void hy_sim_set_progress(HySim *sim, HyProgress progress, gpointer user)
{
  g_return_if_fail(sim != NULL);
  sim->progress = progress;
  sim->progress_user = user;
}

/* init ---------------------------------------------------------------------------------------- */

/* What atomics are told about their inputs. */
typedef struct {
  GArray *input; /* HyInputState, of the atomic at hand */
  GArray *value; /* const HyValue *, likewise */
  guint64 *seed; /* [coupled] */
  guint order;   /* of the Taylor series in this model */
} Inputs;

/* Whether the equations room has anything to see: a block that states what it computes, or a state.
 */
static gboolean has_equations(const HySim *sim)
{
  for (guint a = 0; a < sim->n; a++) {
    if (sim->atoms[a].klass->describe != NULL || sim->atoms[a].klass->order != NULL) {
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
  in->seed[0] = mix(sim->seed);
  for (guint i = 1; i < owner->n_coupled; i++) {
    const HyModel *m = owner->coupled[i];
    in->seed[i] = mix_name(in->seed[m->parent->number], m->name);
  }
}

static void constants_of(const HyModel *m, guint component, GArray *input, GArray *value)
{
  if (m->constants == NULL) {
    return;
  }
  guint low = 0, high = m->constants->len; /* the first of the component, by halving */
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index(m->constants, HyConstantInput, middle).component < component) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (; low < m->constants->len; low++) {
    const HyConstantInput *c = &g_array_index(m->constants, HyConstantInput, low);
    if (c->component != component) {
      return;
    }
    g_array_index(input, HyInputState, c->port) = HY_CONSTANT;
    g_array_index(value, const HyValue *, c->port) = &c->value;
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
  guint n_in = hy_component(m, k)->n_in;
  g_array_set_size(in->input, n_in);
  g_array_set_size(in->value, n_in);
  for (guint p = 0; p < n_in; p++) {
    gboolean wired = sim->sources.slot[sim->sources.first[number] + p] != HY_NO_SOURCE;
    g_array_index(in->input, HyInputState, p) = wired ? HY_WIRED : HY_OPEN;
    g_array_index(in->value, const HyValue *, p) = NULL;
  }
  constants_of(m, k, in->input, in->value);
  HySetup setup = {.klass = a->klass,
                   .number = number,
                   .room = sim->room,
                   .n_in = n_in,
                   .order = in->order,
                   .n_out = a->n_out,
                   .input = (const HyInputState *)(gpointer)in->input->data,
                   .value = (const HyValue *const *)(gpointer)in->value->data,
                   .group = hy_component(m, k)->group,
                   .seed = mix_name(in->seed[m->number], hy_component(m, k)->name)};
  g_autoptr(GError) why = NULL;
  return a->klass->init(a->state, t, &setup, &why) ||
         hy_model_error(m, k, error, "%s", why != NULL ? why->message : "cannot start");
}

static void choose_method(HyAtom *a, const char *method)
{
  const HyParam *p = hy_class_method(a->klass);
  *(const char **)(gpointer)(a->state + p->offset) = method;
}

/* All states with their parameters; returns the order of the model's Taylor series. */
static guint fill_states(HySim *sim)
{
  const HyRoot *owner = sim->model->owner;
  guint order = 0;
  for (guint number = 0; number < sim->n; number++) {
    HyAtom *a = &sim->atoms[number];
    gsize size;
    const guint8 *image = hy_component_image(owner->coupled[owner->atomics[number].coupled],
                                             owner->atomics[number].component, &size);
    memcpy(a->state, image, size);
    memset(a->state + size, 0, a->klass->state_size - size);
    if (sim->choice != NULL && sim->choice[number].method != NULL) {
      choose_method(a, sim->choice[number].method);
    }
    a->n_int = a->n_ext = 0;
    if (a->klass->order != NULL) {
      order = MAX(order, a->klass->order(a->state));
    }
  }
  return order == 0 ? 4 : MIN(order, 4);
}

static void inputs_init(HySim *sim, Inputs *in)
{
  *in = (Inputs){.input = g_array_new(FALSE, TRUE, sizeof(HyInputState)),
                 .value = g_array_new(FALSE, TRUE, sizeof(const HyValue *))};
  in->order = fill_states(sim);
  hy_flat_sources_clear(&sim->sources);
  hy_flat_sources_init(&sim->sources, sim->graph);
  g_clear_pointer(&sim->room, hy_room_free);
  if (has_equations(sim)) {
    sim->room = hy_room_new(sim->graph, &sim->sources, in->order, &hy_group_ops);
    hy_room_set(sim->room, !sim->learns, !sim->stale, sim->by_rows);
  }
  make_seeds(sim, in);
}

static void inputs_clear(Inputs *in)
{
  g_array_unref(in->input);
  g_array_unref(in->value);
  g_free(in->seed);
}

static void clear_atom(HySim *sim, guint number)
{
  if (sim->atoms[number].klass->clear != NULL) {
    sim->atoms[number].klass->clear(sim->atoms[number].state);
  }
}

/* 1 for those that somebody watches; NULL: there are none. */
static guint8 *find_told(const HySim *sim)
{
  if (sim->trace.transition == NULL && sim->trace.message == NULL && !sim->shown) {
    return NULL;
  }
  guint8 *told = g_new(guint8, (gsize)sim->n + 1);
  for (guint a = 0; a < sim->n; a++) {
    told[a] = sim->shown || sim->trace.message != NULL || hy_sim_is_told(sim, a);
  }
  return told;
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
    g_autofree guint8 *told = find_told(sim);
    hy_room_start(sim->room, sim->shown, told);
  }
  static const guint none = 0;
  sim->told = sim->room != NULL && hy_room_listens(sim->room);
  sim->n_due = sim->told ? hy_room_n_due(sim->room) : &none;
  return done == sim->n;
}

/* What the simulation has come to: FALSE and a copy of its error, if there is one. */
static gboolean verdict(const HySim *sim, GError **error)
{
  if (sim->error != NULL) {
    g_propagate_error(error, g_error_copy(sim->error));
  }
  return sim->error == NULL;
}

void hy_sim_try(HySim *sim, double t0, HyTry wrong, gpointer user)
{
  g_return_if_fail(sim != NULL && wrong != NULL);
  const HyRoot *owner = sim->model->owner;
  Inputs in;
  clear_states(sim);
  inputs_init(sim, &in);
  for (guint a = 0; a < sim->n; a++) {
    g_autoptr(GError) why = NULL;
    if (!init_atom(sim, a, t0, &in, &why)) {
      wrong(user, owner->coupled[owner->atomics[a].coupled], owner->atomics[a].component,
            why->message);
    }
    clear_atom(sim, a);
  }
  inputs_clear(&in);
}

gboolean hy_sim_init(HySim *sim, double t0, GError **error)
{
  g_return_val_if_fail(sim != NULL, FALSE);
  if (!isfinite(t0)) {
    char text[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: start time %s is not finite",
                hy_model_name(sim->model), hy_double_text(text, t0));
    return FALSE;
  }
  clear_states(sim);
  g_clear_error(&sim->error);
  g_clear_pointer(&sim->finished, g_free);
  g_clear_pointer(&sim->wrong, g_array_unref);
  sim->n_wrong = 0;
  sim->totals = (HyTotals){0};
  sim->t = t0;
  sim->cycle_t = NAN;
  sim->instant_end = -INFINITY;
  if (!sim->limit_set) {
    sim->limit = MAX(G_GUINT64_CONSTANT(1000000), G_GUINT64_CONSTANT(10000) * sim->n);
  }
  sim->watch = sim->limit == 0 ? G_MAXUINT64 : sim->limit > HY_LAST ? sim->limit - HY_LAST : 0;
  if (!init_atoms(sim, t0, error)) {
    return FALSE;
  }
  sim->ready = TRUE;
  sim->ops->init(sim, t0);
  return verdict(sim, error);
}

gboolean hy_sim_init_equations(HySim *sim, double t0, GError **error)
{
  sim->shown = TRUE;
  return hy_sim_init(sim, t0, error);
}

/* Running ------------------------------------------------------------------------------------- */

static gboolean may_run(const HySim *sim, double t, const char *what, GError **error)
{
  if (!sim->ready) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: the simulation has not been initialised",
                hy_model_name(sim->model));
    return FALSE;
  }
  if (!verdict(sim, error)) {
    return FALSE;
  }
  if (isnan(t)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s nan is not a time",
                hy_model_name(sim->model), what);
    return FALSE;
  }
  return TRUE;
}

gboolean hy_sim_run(HySim *sim, double tf, GError **error)
{
  g_return_val_if_fail(sim != NULL, FALSE);
  if (!may_run(sim, tf, "end time", error)) {
    return FALSE;
  }
  guint64 chunk = sim->progress != NULL ? 1U << 16 : G_MAXUINT64;
  while (sim->finished == NULL && sim->ops->run(sim, tf, chunk) == chunk) {
    if (!sim->progress(sim->progress_user, sim->t, sim->totals.cycles)) {
      char text[HY_DOUBLE_SIZE];
      g_set_error(error, HY_ERROR, HY_ERROR_INTERRUPTED, "%s: interrupted at t = %s",
                  hy_model_name(sim->model), hy_double_text(text, sim->t));
      return FALSE;
    }
  }
  if (sim->n_wrong > 0 && tf > sim->t && sim->error == NULL) {
    hy_sim_fail_values(sim);
  }
  return verdict(sim, error);
}

gboolean hy_sim_step(HySim *sim, double tf, gboolean *done, GError **error)
{
  g_return_val_if_fail(sim != NULL && done != NULL, FALSE);
  *done = FALSE;
  if (!may_run(sim, tf, "end time", error)) {
    return FALSE;
  }
  *done = sim->finished == NULL && sim->ops->run(sim, tf, 1) == 1;
  return verdict(sim, error);
}

gboolean hy_sim_input(HySim *sim, double t, guint port, const HyValue *value, GError **error)
{
  g_return_val_if_fail(sim != NULL && value != NULL, FALSE);
  if (!may_run(sim, t, "input at", error)) {
    return FALSE;
  }
  const char *name = hy_model_name(sim->model);
  if (port >= sim->model->in->len) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: has no input port %u; it has %u", name, port,
                sim->model->in->len);
    return FALSE;
  }
  double next = hy_sim_next(sim);
  if (t < sim->t || t > next || isinf(t)) {
    char now[HY_DOUBLE_SIZE], a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
    g_set_error(
        error, HY_ERROR, HY_ERROR_USAGE,
        "%s: input at t = %s is outside the time from the last event, %s, to the next one, %s",
        name, hy_double_text(now, t), hy_double_text(a, sim->t), hy_double_text(b, next));
    return FALSE;
  }
  HyValue x = *value;
  if (x.payload != NULL) {
    g_variant_ref_sink(x.payload);
  } else if (!isfinite(x.c[0]) || !isfinite(x.c[1]) || !isfinite(x.c[2]) || !isfinite(x.c[3])) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: an input that is not finite", name);
    return FALSE;
  }
  sim->ops->input(sim, t, port, &x);
  sim->t = t;
  g_clear_pointer(&x.payload, g_variant_unref);
  return verdict(sim, error);
}

/* Looking ------------------------------------------------------------------------------------- */

double hy_sim_time(const HySim *sim)
{
  g_return_val_if_fail(sim != NULL, NAN);
  return sim->t;
}

double hy_sim_next(const HySim *sim)
{
  g_return_val_if_fail(sim != NULL, NAN);
  return sim->ready && sim->finished == NULL ? sim->ops->next(sim) : INFINITY;
}

const char *hy_sim_finished(const HySim *sim)
{
  return sim->finished;
}

void hy_sim_totals(const HySim *sim, HyTotals *totals)
{
  g_return_if_fail(sim != NULL && totals != NULL);
  *totals = sim->totals;
  if (sim->room != NULL) {
    HyRoomCounts counts;
    hy_room_counts(sim->room, &counts);
    totals->steps = counts.steps;
    totals->evaluations = counts.evaluations;
    totals->pairs = counts.pairs;
    totals->classic = counts.classic;
  }
  for (guint a = 0; a < sim->n; a++) {
    totals->n_int += sim->atoms[a].n_int;
    totals->n_ext += sim->atoms[a].n_ext;
  }
}

guint hy_sim_n_groups(const HySim *sim)
{
  g_return_val_if_fail(sim != NULL, 0);
  return sim->room != NULL ? hy_room_n_groups(sim->room) : 0;
}

void hy_sim_group(const HySim *sim, guint group, HyGroupTotals *totals)
{
  g_return_if_fail(totals != NULL && group < hy_sim_n_groups(sim));
  hy_room_group_totals(sim->room, group, totals);
}

guint hy_sim_n(const HySim *sim)
{
  g_return_val_if_fail(sim != NULL, 0);
  return sim->n;
}

gboolean hy_sim_find(const HySim *sim, const char *path, guint *atomic)
{
  g_return_val_if_fail(sim != NULL && path != NULL && atomic != NULL, FALSE);
  g_auto(GStrv) parts = g_strsplit(path, "/", -1);
  const HyModel *m = sim->model;
  for (guint k = 0; m != NULL && parts[k] != NULL; k++) {
    guint c = hy_model_find(m, parts[k]);
    if (c == HY_SELF) {
      return FALSE;
    }
    if (parts[k + 1] == NULL && hy_model_class(m, c) != NULL) {
      *atomic = hy_component(m, c)->number;
      return TRUE;
    }
    m = hy_model_coupled(m, c);
  }
  return FALSE;
}

const HyAtomicClass *hy_sim_class(const HySim *sim, guint atomic)
{
  g_return_val_if_fail(sim != NULL && atomic < sim->n, NULL);
  return sim->atoms[atomic].klass;
}

const void *hy_sim_state(const HySim *sim, guint atomic)
{
  g_return_val_if_fail(sim != NULL && atomic < sim->n, NULL);
  return sim->atoms[atomic].state;
}

char *hy_sim_print(const HySim *sim, guint atomic)
{
  g_return_val_if_fail(sim != NULL && sim->ready && atomic < sim->n, NULL);
  GString *text = g_string_new(NULL);
  if (sim->atoms[atomic].klass->print != NULL) {
    sim->atoms[atomic].klass->print(sim->atoms[atomic].state, text);
  }
  return g_string_free(text, FALSE);
}

double hy_sim_value(const HySim *sim, guint atomic, double t)
{
  g_return_val_if_fail(sim != NULL && sim->ready && atomic < sim->n, NAN);
  const HyAtom *a = &sim->atoms[atomic];
  return a->klass->value != NULL ? a->klass->value(a->state, t) : NAN;
}

char *hy_sim_report(const HySim *sim, guint atomic)
{
  g_return_val_if_fail(sim != NULL && sim->ready && atomic < sim->n, NULL);
  const HyAtom *a = &sim->atoms[atomic];
  if (a->klass->report == NULL) {
    return NULL;
  }
  GString *text = g_string_new(NULL);
  a->klass->report(a->state, text);
  return g_string_free(text, FALSE);
}

void hy_sim_counts(const HySim *sim, guint atomic, guint64 *n_int, guint64 *n_ext)
{
  g_return_if_fail(sim != NULL && atomic < sim->n);
  *n_int = sim->atoms[atomic].n_int;
  *n_ext = sim->atoms[atomic].n_ext;
}
