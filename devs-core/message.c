/* Telling a trace about messages: names, values, notes. Nothing here runs without one. */
#include "tree.h"

#include "base/hint.h"
#include "coupled/order.h"

#include <string.h>

/* The longest name of a component, or "root". */
static guint widest_name(const HySim *sim, const HyTree *tree)
{
  gsize most = strlen("root");
  for (guint i = 0; i < sim->model->owner->n_coupled; i++) {
    const HyCoordinator *c = &tree->node[i];
    most = MAX(most, strlen(c->model->name));
    for (guint k = 0; k < c->n; k++) {
      most = MAX(most, strlen(hy_component(c->model, k)->name));
    }
  }
  return (guint)most;
}

static void tell(HySim *sim, const HyModel *about, guint component, HyMessage *m)
{
  HyTree *tree = sim->engine;
  tree->widest = tree->widest > 0 ? tree->widest : widest_name(sim, tree);
  m->n = ++tree->n_messages;
  m->widest = tree->widest;
  g_autofree char *path = hy_model_path(about, component);
  m->path = path;
  sim->set.trace.message(sim->set.trace.user, m);
}

static const char *parent_name(const HyCoordinator *c)
{
  return c->parent == NULL ? "root" : c->parent->model->name;
}

/* The coordinator of an atomic and its number there. */
static const HyCoordinator *coordinator_of(const HySim *sim, guint atomic, guint *component)
{
  const HyTree *tree = sim->engine;
  const HyRoot *owner = sim->model->owner;
  *component = owner->atomics[atomic].component;
  return &tree->node[owner->atomics[atomic].coupled];
}

typedef struct {
  guint order, place;
} Due;

static gint by_order(gconstpointer a, gconstpointer b)
{
  const Due *x = a, *y = b;
  return (x->order > y->order) - (x->order < y->order);
}

/* The children of C that are imminent, Due, in the order of ties. */
static GArray *imminent_of(const HyTree *tree, const HyCoordinator *c, double t)
{
  GArray *due = g_array_new(FALSE, FALSE, sizeof(Due));
  for (guint k = 0; k < c->n; k++) {
    if (c->ladder.at[0][k] == t) {
      Due one = {hy_child_order(tree, c->child[k]), k};
      g_array_append_val(due, one);
    }
  }
  g_array_sort(due, by_order);
  return due;
}

static const HyComponent *child_at(const HyCoordinator *c, guint place)
{
  return hy_component(c->model, hy_component_at(c->model, place));
}

static gboolean is_at_once(const HySim *sim, guint atomic)
{
  guint number;
  const HyCoordinator *c = coordinator_of(sim, atomic, &number);
  const HyComponent *component = hy_component(c->model, number);
  return hy_answers_at_once(component->klass) && component->priority == HY_NO_PRIORITY;
}

/* Why the first of DUE stands before the second. */
static HyWhy why_of(const HySim *sim, const HyCoordinator *c, const GArray *due)
{
  if (due->len < 2) {
    return HY_WHY_ALONE;
  }
  const Due *first = &g_array_index(due, Due, 0), *second = first + 1;
  if (is_at_once(sim, first->order)) {
    return is_at_once(sim, second->order) ? HY_WHY_RANK : HY_WHY_AT_ONCE;
  }
  return child_at(c, first->place)->priority < child_at(c, second->place)->priority
             ? HY_WHY_PRIORITY
             : HY_WHY_LISTED;
}

/* "select from {A,B}" if there are several, else NULL. */
static char *select_note(const char *const *imminent)
{
  if (imminent == NULL || imminent[0] == NULL || imminent[1] == NULL) {
    return NULL;
  }
  g_autofree char *all = g_strjoinv(",", hy_key(imminent));
  return g_strdup_printf("select from {%s}", all);
}

/* (*, t) from C to the first of those that are due in it, COMPONENT (HY_SELF: of ABOUT). */
static void tell_star(HySim *sim, const HyCoordinator *c, const HyModel *about, guint component,
                      HyMessage *m)
{
  g_autoptr(GArray) due = imminent_of(sim->engine, c, m->t);
  g_autofree const char **names = g_new0(const char *, due->len + 1);
  for (guint k = 0; k < due->len; k++) {
    names[k] = child_at(c, g_array_index(due, Due, k).place)->name;
  }
  g_autofree char *note = select_note(names), *leads = hy_sim_path(sim, c->order);
  m->note = note;
  m->imminent = names;
  m->why = why_of(sim, c, due);
  m->leads = leads;
  tell(sim, about, component, m);
}

void hy_tell_down(HySim *sim, const HyCoordinator *c, HyMessageKind kind, double t)
{
  HyMessage m = {.t = t, .from = parent_name(c), .to = c->model->name, .kind = kind};
  if (kind == HY_MSG_STAR && c->parent != NULL) {
    tell_star(sim, c->parent, c->model, HY_SELF, &m);
  } else {
    tell(sim, c->model, HY_SELF, &m);
  }
}

void hy_tell_atomic(HySim *sim, guint atomic, HyMessageKind kind, double t)
{
  guint component;
  const HyCoordinator *c = coordinator_of(sim, atomic, &component);
  const char *to = hy_component(c->model, component)->name;
  HyMessage m = {.t = t, .from = c->model->name, .to = to, .kind = kind};
  if (kind == HY_MSG_STAR) {
    tell_star(sim, c, c->model, component, &m);
  } else {
    tell(sim, c->model, component, &m);
  }
}

void hy_tell_x(HySim *sim, const HyCoordinator *c, guint component, double t, guint port,
               const HyValue *value)
{
  gboolean outside = component == HY_SELF; /* from the root coordinator */
  g_autofree char *name = hy_model_in_name(c->model, component, port);
  HyMessage m = {.t = t, .kind = HY_MSG_X, .port = name, .value = value};
  m.from = outside ? "root" : c->model->name;
  m.to = outside ? c->model->name : hy_component(c->model, component)->name;
  tell(sim, c->model, component, &m);
}

void hy_tell_y(HySim *sim, const HyCoordinator *c, guint component, double t, guint port,
               const HyValue *value)
{
  gboolean outside = component == HY_SELF; /* to the root coordinator */
  g_autofree char *name = hy_model_out_name(c->model, component, port);
  HyMessage m = {.t = t, .kind = HY_MSG_Y, .port = name, .value = value};
  m.from = outside ? c->model->name : hy_component(c->model, component)->name;
  m.to = outside ? "root" : c->model->name;
  gboolean spoken = !outside && hy_component(c->model, component)->klass != NULL;
  m.note = spoken ? "lambda" : NULL;
  m.ran = spoken ? HY_RAN_LAMBDA : HY_RAN_NOTHING;
  tell(sim, c->model, component, &m);
}

void hy_tell_done(HySim *sim, const HyCoordinator *c, double t)
{
  HyMessage m = {
      .t = t, .from = c->model->name, .to = parent_name(c), .kind = HY_MSG_DONE, .tn = c->tn};
  tell(sim, c->model, HY_SELF, &m);
}

void hy_tell_done_atomic(HySim *sim, guint atomic, double t, double tn, HyRan ran, double e)
{
  guint component;
  const HyCoordinator *c = coordinator_of(sim, atomic, &component);
  const HyAtom *a = &sim->atoms[atomic];
  g_autoptr(GString) note = g_string_new(NULL);
  char text[HY_DOUBLE_SIZE];
  if (ran == HY_RAN_DEXT) {
    g_string_append_printf(note, "dext e=%s", hy_double_text(text, e));
  } else if (ran == HY_RAN_DINT) {
    g_string_append(note, "dint");
  }
  g_autoptr(GString) state = g_string_new(NULL);
  if (a->klass->print != NULL) {
    a->klass->print(a->state, state);
    g_string_append_printf(note, "%ss=%s", note->len > 0 ? "; " : "", state->str);
  }
  const char *from = hy_component(c->model, component)->name;
  HyMessage m = {.t = t, .from = from, .to = c->model->name, .kind = HY_MSG_DONE, .tn = tn};
  m.note = note->len > 0 ? note->str : NULL;
  m.ran = ran;
  m.e = e;
  m.state = a->klass->print != NULL ? state->str : NULL;
  tell(sim, c->model, component, &m);
}
