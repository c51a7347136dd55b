/* What can only be seen on the whole model, and the numbers that the engines work with: every
 * coupled model gets its place in pre-order, every atomic its place in the order of ties, every
 * source the list of its targets. */
#include "model_internal.h"

#include "base/hint.h"
#include "hydevs/text.h"
#include "order.h"

#include <stdlib.h>
#include <string.h>

/* Text in UTF-8 that can stand in a path and in a line. */
static gboolean is_name(const char *name, gboolean reading)
{
  gsize n = strlen(name);
  if (n == 0 || !g_utf8_validate(name, -1, NULL) || !hy_is_plain_text(name, n, FALSE)) {
    return FALSE;
  }
  for (; *name != '\0'; name++) {
    if (strchr(reading ? "/" : "/.", *name) != NULL || *name == ' ') {
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean check_port_names(const HyModel *m, const GPtrArray *ports, const char *kind,
                                 GError **error)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL); /* names are interned */
  for (guint p = 0; p < ports->len; p++) {
    const char *name = g_ptr_array_index(ports, p);
    if (!is_name(name, FALSE)) {
      return hy_model_error(m, HY_SELF, error, "\"%s\" cannot be the name of a port", name);
    }
    if (!g_hash_table_add(seen, hy_key(name))) {
      return hy_model_error(m, HY_SELF, error, "two %s ports are called \"%s\"", kind, name);
    }
  }
  return TRUE;
}

static gboolean check_names(const HyModel *m, GError **error)
{
  g_autoptr(GHashTable) seen =
      g_hash_table_new(NULL, NULL); /* names are interned: equal text, equal pointer */
  if (m->parent == NULL && !is_name(m->name, FALSE)) {
    return hy_model_error(m, HY_SELF, error, "\"%s\" cannot be the name of a model", m->name);
  }
  for (guint k = 0; k < m->components.len; k++) {
    const char *name = hy_component(m, k)->name;
    if (!is_name(name, hy_component(m, k)->reading)) {
      return hy_model_error(m, HY_SELF, error,
                            "\"%s\" cannot be the name of a component: it is empty, or has a "
                            "blank, a control character, / or .",
                            name);
    }
    if (!g_hash_table_add(seen, hy_key(name))) {
      return hy_model_error(m, HY_SELF, error, "two components are called \"%s\"", name);
    }
  }
  return TRUE;
}

/* Classes ------------------------------------------------------------------------------------- */

static const char *ports_fault(const HyPort *ports, gboolean inputs)
{
  for (const HyPort *p = ports; p != NULL && p->name != NULL; p++) {
    for (const HyPort *q = ports; q < p; q++) {
      if (strcmp(p->name, q->name) == 0) {
        return "has two ports of one name";
      }
      if (q->array && (inputs || !p->array)) {
        return "has a port behind an array of ports";
      }
    }
  }
  return NULL;
}

static const char *params_fault(const HyParam *params)
{
  guint n = 0;
  for (const HyParam *p = params; p != NULL && p->name != NULL; p++) {
    if (++n > HY_MAX_PARAMS) {
      return "has more than 64 parameters";
    }
    if ((guint)p->kind > HY_FORMULA || (guint)p->range > HY_UNIT_INTERVAL) {
      return "has a parameter of a kind or range that there is not";
    }
    for (const HyParam *q = params; q < p; q++) {
      if (strcmp(p->name, q->name) == 0) {
        return "has two parameters of one name";
      }
    }
  }
  return NULL;
}

const char *hy_class_fault(const HyAtomicClass *k)
{
  gboolean in = k->in != NULL && k->in->name != NULL, moves = k->ta != NULL || k->next != NULL;
  if (k->name == NULL) {
    return "has no name";
  }
  if (k->state_size > HY_MAX_STATE) {
    return "has a state of more than 1 GiB";
  }
  if (!moves && (k->lambda != NULL || k->dint != NULL || k->dext != NULL)) {
    return "has neither ta nor next; it must have one";
  }
  if (k->ta != NULL && k->next != NULL) {
    return "has both ta and next; it must have one";
  }
  if (moves && in && k->dext == NULL) {
    return "has input ports but no dext";
  }
  const char *fault = params_fault(k->params);
  fault = fault != NULL ? fault : ports_fault(k->in, TRUE);
  fault = fault != NULL ? fault : ports_fault(k->out, FALSE);
  if (fault != NULL) {
    return fault;
  }
  return hy_class_params_size(k) > k->state_size ? "has a parameter outside its state" : NULL;
}

static gboolean check_class(HyModel *m, guint component, GError **error)
{
  const HyAtomicClass *klass = hy_component(m, component)->klass;
  if (g_hash_table_contains(m->root->owner->defaults, klass)) {
    return TRUE;
  }
  const char *fault = hy_class_fault(klass);
  if (fault != NULL) {
    return hy_model_error(m, component, error, "class \"%s\" %s",
                          klass->name != NULL ? klass->name : "", fault);
  }
  char *why = NULL;
  if (hy_image_default(m->root, klass, &why) == NULL) {
    hy_model_error(m, component, error, "class \"%s\": default %s", klass->name, why);
    g_free(why);
    return FALSE;
  }
  return TRUE;
}

static gboolean check_required(HyModel *m, guint component, GError **error)
{
  const HyComponent *c = hy_component(m, component);
  if (m->root->owner->partial && c->klass->describe == NULL) {
    return TRUE;
  }
  guint64 set = c->u.image != NULL ? ((const HyImage *)c->u.image)->set : 0;
  for (const HyParam *p = c->klass->params; p != NULL && p->name != NULL; p++) {
    if (p->required && !(set >> (p - c->klass->params) & 1)) {
      return hy_model_error(m, component, error, "%s needs %s%s%s%s%s%s", c->klass->name, p->name,
                            p->unit != NULL ? " (" : "", p->unit != NULL ? p->unit : "",
                            p->unit != NULL ? ")" : "", p->doc != NULL ? ": " : "",
                            p->doc != NULL ? p->doc : "");
    }
  }
  return TRUE;
}

static gboolean check_atomics(HyModel *m, GError **error)
{
  for (guint k = 0; k < m->components.len; k++) {
    if (hy_component(m, k)->klass != NULL &&
        !(check_class(m, k, error) && check_required(m, k, error))) {
      return FALSE;
    }
  }
  return TRUE;
}

/* Order --------------------------------------------------------------------------------------- */

typedef struct {
  gint priority;
  guint component;
} Place;

static int compare_places(const void *a, const void *b)
{
  const Place *x = a, *y = b;
  if (x->priority != y->priority) {
    return x->priority < y->priority ? -1 : 1;
  }
  return x->component < y->component ? -1 : 1; /* as they were added */
}

/* No component will come. */
static void end_growth(HyModel *m)
{
  m->components.capacity = m->components.len;
  m->components.at = g_renew(HyComponent, m->components.at, m->components.capacity);
}

/* Components with a priority first, small numbers first; the others as they were added. */
static void order_components(HyModel *m)
{
  guint n = m->components.len, with = 0;
  for (guint k = 0; k < n; k++) {
    with += hy_component(m, k)->priority != HY_NO_PRIORITY;
  }
  if (with == 0) {
    return;
  }
  m->order = g_new(guint, n);
  g_autofree Place *first = g_new(Place, with);
  guint a = 0, b = with;
  for (guint k = 0; k < n; k++) {
    if (hy_component(m, k)->priority == HY_NO_PRIORITY) {
      m->order[b++] = k;
    } else {
      first[a++] = (Place){hy_component(m, k)->priority, k};
    }
  }
  qsort(first, with, sizeof *first, compare_places);
  for (guint i = 0; i < with; i++) {
    m->order[i] = first[i].component;
  }
}

/* Depth first through the component lists in the order D: the select of the textbook, flattened. */
static void number_atomics(HyModel *root)
{
  HyRoot *owner = root->owner;
  owner->atomics = g_malloc_n(MAX(owner->n_atomics, 1), sizeof *owner->atomics);
  g_autofree guint *place =
      g_new0(guint, owner->n_coupled); /* next component to visit in each coupled model */
  guint next = 0;
  for (HyModel *m = root; m != NULL;) {
    if (place[m->number] == m->components.len) {
      m = m->parent;
      continue;
    }
    guint k = hy_component_at(m, place[m->number]++);
    HyComponent *c = hy_component(m, k);
    if (c->klass == NULL) {
      m = c->u.coupled;
      continue;
    }
    owner->atomics[next].coupled = m->number;
    owner->atomics[next].component = k;
    c->number = next++;
  }
}

/* Targets ------------------------------------------------------------------------------------- */

/* Lines to lists of targets by source: stable, what stays inside the model before what leaves it.
 */
static void index_lines(HyModel *m)
{
  guint n = m->components.len, slots = m->in->len;
  m->first_slot = g_new(guint, n + 1);
  for (guint k = 0; k < n; k++) {
    m->first_slot[k] = slots;
    slots += hy_component(m, k)->n_out;
  }
  m->first_slot[n] = slots;
  m->start = g_new0(guint, (gsize)slots + 1);
  m->targets = g_new(HyTarget, m->lines->len);
  g_autofree guint *fill = g_new0(guint, (gsize)slots + 1);
  for (guint k = 0; k < m->lines->len; k++) {
    const HyLine *l = &g_array_index(m->lines, HyLine, k);
    m->start[hy_slot(m, l->from, l->from_port) + 1]++;
  }
  for (guint s = 0; s < slots; s++) {
    m->start[s + 1] += m->start[s];
    fill[s] = m->start[s];
  }
  for (int leaving = 0; leaving < 2; leaving++) {
    for (guint k = 0; k < m->lines->len; k++) {
      const HyLine *l = &g_array_index(m->lines, HyLine, k);
      if ((l->to == HY_SELF) == leaving) {
        m->targets[fill[hy_slot(m, l->from, l->from_port)]++] = (HyTarget){l->to, l->to_port};
      }
    }
  }
  g_clear_pointer(&m->lines, g_array_unref);
}

/* A port array may have been made smaller after it was wired. */
static gboolean check_lines(const HyModel *m, GError **error)
{
  for (guint k = 0; k < m->lines->len; k++) {
    const HyLine *l = &g_array_index(m->lines, HyLine, k);
    guint sources = l->from == HY_SELF ? m->in->len : hy_component(m, l->from)->n_out;
    guint sinks = l->to == HY_SELF ? m->out->len : hy_component(m, l->to)->n_in;
    if (l->from_port >= sources || l->to_port >= sinks) {
      return hy_model_error(m, l->from_port >= sources ? l->from : l->to, error,
                            "a port that is wired does not exist any more");
    }
  }
  return TRUE;
}

static int compare_constants(const void *a, const void *b)
{
  const HyConstantInput *x = a, *y = b;
  if (x->component != y->component) {
    return x->component < y->component ? -1 : 1;
  }
  return x->port < y->port ? -1 : x->port > y->port;
}

static gboolean is_constant(const HyModel *m, guint component, guint port)
{
  HyConstantInput key = {.component = component, .port = port};
  return bsearch(&key, m->constants->data, m->constants->len, sizeof key, compare_constants) !=
         NULL;
}

/* A constant input has no other source. */
static gboolean check_constants(HyModel *m, GError **error)
{
  if (m->constants == NULL) {
    return TRUE;
  }
  g_array_sort(m->constants, compare_constants);
  for (guint k = 1; k < m->constants->len; k++) {
    const HyConstantInput *c = &g_array_index(m->constants, HyConstantInput, k);
    if (compare_constants(c - 1, c) == 0) {
      g_autofree char *port = hy_model_in_name(m, c->component, c->port);
      return hy_model_error(m, c->component, error, "input \"%s\" has two constants", port);
    }
  }
  for (guint k = 0; k < m->lines->len; k++) {
    const HyLine *l = &g_array_index(m->lines, HyLine, k);
    if (l->to != HY_SELF && is_constant(m, l->to, l->to_port)) {
      g_autofree char *port = hy_model_in_name(m, l->to, l->to_port);
      return hy_model_error(m, l->to, error, "input \"%s\" has a constant and a wire", port);
    }
  }
  return TRUE;
}

/* How many coupling lines one event runs along: from each input port of a coupled model, inner
 * models first, then from each output port, outer models first. Counted before anything is laid
 * out, because fan-out multiplies from level to level. */
typedef struct {
  guint64 **in, **out; /* [coupled][port] */
} Load;

static guint64 add_capped(guint64 a, guint64 b)
{
  return MIN(a + b, (guint64)HY_MAX_LINES + 1); /* neither is far above that */
}

static guint64 slot_load(const HyModel *m, const Load *load, guint slot)
{
  guint64 sum = 0;
  for (guint k = m->start[slot]; k < m->start[slot + 1]; k++) {
    HyTarget t = m->targets[k];
    if (t.to == HY_SELF) {
      sum = add_capped(sum, 1 + (m->parent != NULL ? load->out[m->number][t.to_port] : 0));
    } else {
      const HyComponent *c = hy_component(m, t.to);
      sum = add_capped(sum, 1 + (c->klass != NULL ? 0 : load->in[c->u.coupled->number][t.to_port]));
    }
  }
  return sum;
}

static gboolean count_load(const HyModel *root, const Load *load, GError **error)
{
  const HyRoot *owner = root->owner;
  guint64 total = 0;
  for (guint i = owner->n_coupled; i-- > 0;) {
    const HyModel *m = owner->coupled[i];
    load->in[i] = g_new(guint64, m->in->len + 1);
    for (guint p = 0; p < m->in->len; p++) {
      load->in[i][p] = slot_load(m, load, p);
    }
  }
  for (guint i = 0; i < owner->n_coupled; i++) {
    const HyModel *m = owner->coupled[i];
    load->out[i] = g_new(guint64, m->out->len + 1);
    for (guint p = 0; m->parent != NULL && p < m->out->len; p++) {
      load->out[i][p] = slot_load(m->parent, load, hy_slot(m->parent, m->index, p));
    }
    for (guint k = 0; k < m->components.len; k++) {
      const HyComponent *c = hy_component(m, k);
      for (guint p = 0; c->klass != NULL && p < c->n_out; p++) {
        total = add_capped(total, slot_load(m, load, hy_slot(m, k, p)));
        if (total > HY_MAX_LINES) {
          return hy_model_error(
              m, k, error,
              "couplings multiply: with this block events run along more than %d lines",
              HY_MAX_LINES);
        }
      }
    }
  }
  for (guint p = 0; p < root->in->len; p++) {
    total = add_capped(total, load->in[0][p]);
  }
  return total <= HY_MAX_LINES ||
         hy_model_error(root, HY_SELF, error,
                        "couplings multiply: events run along more than %d lines", HY_MAX_LINES);
}

static gboolean check_load(const HyModel *root, GError **error)
{
  guint n = root->owner->n_coupled;
  Load load = {g_new0(guint64 *, n), g_new0(guint64 *, n)};
  gboolean ok = count_load(root, &load, error);
  for (guint i = 0; i < n; i++) {
    g_free(load.in[i]);
    g_free(load.out[i]);
  }
  g_free(load.in);
  g_free(load.out);
  return ok;
}

/* --------------------------------------------------------------------------------------------- */

static gboolean check_one(HyModel *m, GError **error)
{
  if (m->depth > HY_MAX_DEPTH) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: coupled models are nested more than %u deep",
                m->name, HY_MAX_DEPTH);
    return FALSE;
  }
  return check_names(m, error) && check_port_names(m, m->in, "input", error) &&
         check_port_names(m, m->out, "output", error) && check_atomics(m, error) &&
         check_lines(m, error) && check_constants(m, error);
}

static gboolean number_coupled(HyModel *root, GError **error)
{
  HyRoot *owner = root->owner;
  guint64 atomics = 0, coupled = 0;
  for (HyModel *m = root; m != NULL; m = hy_model_walk(root, m)) {
    m->number = (guint)coupled++;
    for (guint k = 0; k < m->components.len; k++) {
      atomics += hy_component(m, k)->klass != NULL;
    }
  }
  if (atomics > HY_MAX_COMPONENTS || coupled > HY_MAX_COMPONENTS) {
    return hy_model_error(root, HY_SELF, error, "too many components");
  }
  owner->n_atomics = (guint)atomics;
  owner->n_coupled = (guint)coupled;
  owner->coupled = g_renew(HyModel *, owner->coupled, coupled);
  for (HyModel *m = root; m != NULL; m = hy_model_walk(root, m)) {
    owner->coupled[m->number] = m;
    if (m->parent != NULL) {
      hy_component(m->parent, m->index)->number = m->number;
    }
  }
  return TRUE;
}

gboolean hy_model_check(HyModel *root, GError **error)
{
  g_return_val_if_fail(root != NULL && root->parent == NULL, FALSE);
  HyRoot *owner = root->owner;
  if (owner->fault != NULL) {
    g_propagate_error(error, g_error_copy(owner->fault));
    return FALSE;
  }
  if (owner->checked) {
    return TRUE;
  }
  if (!number_coupled(root, error)) {
    return FALSE;
  }
  for (guint i = 0; i < owner->n_coupled; i++) {
    if (!check_one(owner->coupled[i], error)) {
      return FALSE;
    }
  }
  owner->checked = TRUE; /* nothing below changes what its author stated */
  g_clear_pointer(&owner->by_name, g_hash_table_unref);
  for (guint i = 0; i < owner->n_coupled; i++) {
    end_growth(owner->coupled[i]);
    order_components(owner->coupled[i]);
    index_lines(owner->coupled[i]);
  }
  number_atomics(root);
  if (!check_load(root, &owner->fault) || !hy_order_statics(root, &owner->loops, &owner->fault)) {
    g_propagate_error(error, g_error_copy(owner->fault));
    return FALSE;
  }
  return TRUE;
}

void hy_model_count(const HyModel *model, HyCounts *counts)
{
  g_return_if_fail(model != NULL && counts != NULL);
  *counts = (HyCounts){0};
  for (const HyModel *m = model; m != NULL; m = hy_model_walk(model, m)) {
    counts->coupled++;
    for (guint k = 0; k < m->components.len; k++) {
      counts->atomics += hy_component(m, k)->klass != NULL;
    }
    for (guint k = 0; m->lines != NULL && k < m->lines->len; k++) {
      const HyLine *l = &g_array_index(m->lines, HyLine, k);
      *(l->from == HY_SELF ? &counts->eic : l->to == HY_SELF ? &counts->eoc : &counts->ic) += 1;
    }
    if (m->lines == NULL) {
      guint inputs = m->in->len, slots = m->first_slot[m->components.len];
      counts->eic += m->start[inputs];
      for (guint k = m->start[inputs]; k < m->start[slots]; k++) {
        *(m->targets[k].to == HY_SELF ? &counts->eoc : &counts->ic) += 1;
      }
    }
  }
}
