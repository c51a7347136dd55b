/* Building a coupled model: components, ports, couplings. */
#include "expr/expression.h"
#include "model_internal.h"
#include "written.h"

#include "base/hint.h"
#include "hydevs/text.h"

#include <string.h>

const char *hy_root_text(HyRoot *root, const char *text)
{
  const char *known = root->by_name != NULL ? g_hash_table_lookup(root->by_name, text) : NULL;
  if (known == NULL) {
    known = g_string_chunk_insert(root->names, text);
    if (root->by_name != NULL) {
      g_hash_table_add(root->by_name, hy_key(known));
    }
  }
  return known;
}

static HyModel *model_new(const char *name, HyModel *parent)
{
  HyModel *m = g_new0(HyModel, 1);
  m->parent = parent;
  m->root = parent != NULL ? parent->root : m;
  if (parent == NULL) {
    m->owner = g_new0(HyRoot, 1);
    m->owner->names = g_string_chunk_new(4096);
    m->owner->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    m->owner->defaults = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    m->owner->owned = g_ptr_array_new_with_free_func(g_free);
    m->owner->variants = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref);
  }
  m->name = hy_root_text(m->root->owner, name);
  m->depth = parent != NULL ? parent->depth + 1 : 1;
  m->lines = g_array_new(FALSE, FALSE, sizeof(HyLine));
  m->in = g_ptr_array_new();
  m->out = g_ptr_array_new();
  return m;
}

HyModel *hy_model_new(const char *name)
{
  g_return_val_if_fail(name != NULL, NULL);
  return model_new(name, NULL);
}

HyModel *hy_model_walk(const HyModel *root, const HyModel *at)
{
  guint from = 0;
  for (;;) {
    for (guint k = from; k < at->components.len; k++) { /* the next coupled child */
      if (hy_component(at, k)->klass == NULL) {
        return hy_component(at, k)->u.coupled;
      }
    }
    if (at == root) {
      return NULL;
    }
    from = at->index + 1;
    at = at->parent;
  }
}

void hy_model_use(HyModel *root, gint change)
{
  g_atomic_int_add(&root->owner->users, change);
}

gboolean hy_model_is_used(const HyModel *root)
{
  return g_atomic_int_get(&root->owner->users) > 0;
}

static void model_clear(HyModel *m)
{
  for (guint k = 0; k < m->components.len; k++) {
    HyComponent *c = hy_component(m, k);
    if (c->klass != NULL && c->u.image != NULL && !((HyImage *)(gpointer)c->u.image)->shared) {
      g_free(c->u.image);
    }
  }
  g_free(m->components.at);
  g_ptr_array_unref(m->in);
  g_ptr_array_unref(m->out);
  g_clear_pointer(&m->lines, g_array_unref);
  g_clear_pointer(&m->constants, g_array_unref);
  g_clear_pointer(&m->by_name, g_hash_table_unref);
  g_free(m->order);
  g_free(m->first_slot);
  g_free(m->start);
  g_free(m->targets);
  g_free(m);
}

void hy_model_free(HyModel *root)
{
  if (root == NULL) {
    return;
  }
  g_return_if_fail(root->parent == NULL && !hy_model_is_used(root));
  HyRoot *owner = root->owner;
  GPtrArray *all = g_ptr_array_new();
  for (HyModel *m = root; m != NULL; m = hy_model_walk(root, m)) {
    g_ptr_array_add(all, m);
  }
  for (guint k = 0; k < all->len; k++) {
    model_clear(g_ptr_array_index(all, k));
  }
  g_ptr_array_unref(all);
  g_string_chunk_free(owner->names);
  g_clear_pointer(&owner->by_name, g_hash_table_unref);
  g_ptr_array_unref(owner->owned);
  g_ptr_array_unref(owner->variants);
  hy_expressions_free(owner->expressions);
  hy_written_free(owner->written);
  g_hash_table_unref(owner->defaults);
  g_clear_pointer(&owner->images, g_hash_table_unref);
  g_clear_error(&owner->fault);
  g_clear_pointer(&owner->loops, g_array_unref);
  g_free(owner->coupled);
  g_free(owner->atomics);
  g_free(owner);
}

/* Ports --------------------------------------------------------------------------------------- */

/* Ports of a table, arrays left out; *ARRAYS: how many of these there are behind them. */
static guint fixed_ports(const HyPort *ports, guint *arrays)
{
  guint n = 0;
  *arrays = 0;
  for (; ports != NULL && ports->name != NULL; ports++) {
    *(ports->array ? arrays : &n) += 1;
  }
  return n;
}

const HyPort *hy_port_at(const HyPort *table, guint n, guint port, guint *index)
{
  guint arrays, fixed = fixed_ports(table, &arrays);
  *index = 0;
  if (port >= n || port < fixed) {
    return port < n ? &table[port] : NULL;
  }
  g_assert(arrays > 0); /* what is not fixed stands in one */
  guint each = (n - fixed) / arrays;
  *index = (port - fixed) % each + 1;
  return &table[fixed + (port - fixed) / each];
}

guint hy_port_number(const HyPort *table, guint n, guint entry, guint index)
{
  guint arrays, fixed = fixed_ports(table, &arrays);
  if (entry < fixed) {
    return entry;
  }
  guint each = (n - fixed) / arrays;
  return index <= each ? fixed + (entry - fixed) * each + index - 1 : HY_SELF;
}

static gboolean exists(const HyModel *m, guint component)
{
  return m != NULL && (component == HY_SELF || component < m->components.len);
}

/* A checked model stays as it is. */
static gboolean is_checked(const HyModel *m)
{
  return m->root->owner->checked;
}

gboolean hy_model_may_change(const HyModel *m, GError **error)
{
  if (is_checked(m)) {
    g_autofree char *path = hy_model_path(m, HY_SELF);
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: the model has been checked, as every simulation of it does, and cannot be "
                "changed any more; build another one",
                path);
  }
  return !is_checked(m);
}

static guint add(HyModel *m, HyComponent component)
{
  guint k = m->components.len;
  if (k == m->components.capacity) {
    m->components.capacity = MAX(4, k + k / 2);
    m->components.at = g_renew(HyComponent, m->components.at, m->components.capacity);
  }
  m->components.at[m->components.len++] = component;
  if (m->by_name != NULL) {
    g_hash_table_insert(m->by_name, hy_key(component.name), GUINT_TO_POINTER(k));
  }
  return k;
}

guint hy_model_add(HyModel *model, const char *name, const HyAtomicClass *klass)
{
  g_return_val_if_fail(model != NULL && name != NULL && klass != NULL, HY_SELF);
  g_return_val_if_fail(!is_checked(model), HY_SELF);
  g_return_val_if_fail(model->components.len < HY_MAX_COMPONENTS, HY_SELF);
  guint arrays;
  return add(model, (HyComponent){.name = hy_root_text(model->root->owner, name),
                                  .klass = klass,
                                  .n_in = fixed_ports(klass->in, &arrays),
                                  .n_out = fixed_ports(klass->out, &arrays),
                                  .priority = HY_NO_PRIORITY});
}

HyModel *hy_model_add_coupled(HyModel *model, const char *name)
{
  g_return_val_if_fail(model != NULL && name != NULL, NULL);
  g_return_val_if_fail(!is_checked(model), NULL);
  g_return_val_if_fail(model->components.len < HY_MAX_COMPONENTS, NULL);
  HyModel *child = model_new(name, model);
  child->index = add(
      model, (HyComponent){.name = child->name, .u.coupled = child, .priority = HY_NO_PRIORITY});
  return child;
}

guint hy_model_number(const HyModel *model, guint component)
{
  g_return_val_if_fail(exists(model, component) && component != HY_SELF, 0);
  return hy_component(model, component)->number;
}

guint hy_model_index(const HyModel *coupled)
{
  g_return_val_if_fail(coupled != NULL && coupled->parent != NULL, HY_SELF);
  return coupled->index;
}

static guint add_port(HyModel *m, GPtrArray *ports, const char *name, gboolean input)
{
  g_ptr_array_add(ports, hy_key(hy_root_text(m->root->owner, name)));
  if (m->parent != NULL) {
    HyComponent *c = hy_component(m->parent, m->index);
    *(input ? &c->n_in : &c->n_out) = ports->len;
  }
  return ports->len - 1;
}

guint hy_model_in(HyModel *model, const char *port)
{
  g_return_val_if_fail(model != NULL && port != NULL && !is_checked(model), HY_SELF);
  return add_port(model, model->in, port, TRUE);
}

guint hy_model_out(HyModel *model, const char *port)
{
  g_return_val_if_fail(model != NULL && port != NULL && !is_checked(model), HY_SELF);
  return add_port(model, model->out, port, FALSE);
}

void hy_model_set_array(HyModel *model, guint component, guint inputs, guint outputs)
{
  g_return_if_fail(model != NULL && component < model->components.len && !is_checked(model));
  HyComponent *c = hy_component(model, component);
  g_return_if_fail(c->klass != NULL);
  g_return_if_fail(inputs <= HY_MAX_PORTS && outputs <= HY_MAX_PORTS);
  guint arrays, n = fixed_ports(c->klass->in, &arrays);
  c->n_in = n + arrays * inputs;
  n = fixed_ports(c->klass->out, &arrays);
  c->n_out = n + arrays * outputs;
}

void hy_model_set_priority(HyModel *model, guint component, gint priority)
{
  g_return_if_fail(model != NULL && component < model->components.len && !is_checked(model));
  hy_component(model, component)->priority = MIN(priority, HY_NO_PRIORITY - 1);
}

/* The ports of one side of a component, or of the model itself: those of a class table or the names
 * of a coupled model. */
typedef struct {
  const HyPort *table;
  const GPtrArray *names;
  guint n;
  gboolean input;
} Ports;

static Ports ports_of(const HyModel *m, guint component, gboolean input)
{
  const HyComponent *c = component != HY_SELF ? hy_component(m, component) : NULL;
  if (c != NULL && c->klass != NULL) {
    return (Ports){input ? c->klass->in : c->klass->out, NULL, input ? c->n_in : c->n_out, input};
  }
  const HyModel *coupled = c != NULL ? c->u.coupled : m;
  const GPtrArray *names = input ? coupled->in : coupled->out;
  return (Ports){NULL, names, names->len, input};
}

guint hy_model_n_in(const HyModel *model, guint component)
{
  g_return_val_if_fail(exists(model, component), 0);
  return ports_of(model, component, TRUE).n;
}

guint hy_model_n_out(const HyModel *model, guint component)
{
  g_return_val_if_fail(exists(model, component), 0);
  return ports_of(model, component, FALSE).n;
}

/* An array of one output is called like a port that is no array. */
static gboolean is_alone(Ports ports)
{
  guint arrays, fixed = fixed_ports(ports.table, &arrays);
  return !ports.input && ports.n == fixed + arrays;
}

static char *port_name(Ports ports, guint port)
{
  if (port >= ports.n) {
    return g_strdup("?");
  }
  if (ports.names != NULL) {
    return g_strdup(g_ptr_array_index(ports.names, port));
  }
  guint index;
  const HyPort *p = hy_port_at(ports.table, ports.n, port, &index);
  return index > 0 && !is_alone(ports) ? g_strdup_printf("%s[%u]", p->name, index)
                                       : g_strdup(p->name);
}

char *hy_model_in_name(const HyModel *model, guint component, guint port)
{
  g_return_val_if_fail(exists(model, component), NULL);
  return port_name(ports_of(model, component, TRUE), port);
}

char *hy_model_out_name(const HyModel *model, guint component, guint port)
{
  g_return_val_if_fail(exists(model, component), NULL);
  return port_name(ports_of(model, component, FALSE), port);
}

/* Errors -------------------------------------------------------------------------------------- */

char *hy_model_path(const HyModel *model, guint component)
{
  g_return_val_if_fail(exists(model, component), NULL);
  if (model->parent == NULL && component == HY_SELF) {
    return g_strdup(model->name);
  }
  GPtrArray *parts = g_ptr_array_new();
  if (component != HY_SELF) {
    g_ptr_array_add(parts, hy_key(hy_component(model, component)->name));
  }
  for (; model->parent != NULL; model = model->parent) {
    g_ptr_array_add(parts, hy_key(model->name));
  }
  GString *path = g_string_new(NULL);
  for (guint k = parts->len; k-- > 0;) {
    g_string_append(path, g_ptr_array_index(parts, k));
    if (k > 0) {
      g_string_append_c(path, '/');
    }
  }
  g_ptr_array_unref(parts);
  return g_string_free(path, FALSE);
}

gboolean hy_model_error(const HyModel *m, guint component, GError **error, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_autofree char *path = hy_model_path(m, component);
  g_autofree char *text = g_strdup_printf("%s: %s", path, what);
  g_autofree char *plain = hy_plain_text(text, TRUE); /* names are whatever a program has given */
  g_set_error_literal(error, HY_ERROR, HY_ERROR_MODEL, plain);
  return FALSE;
}

/* Couplings ----------------------------------------------------------------------------------- */

static const char *kind_name(const HyModel *m, guint component)
{
  if (component == HY_SELF || hy_component(m, component)->klass == NULL) {
    return "coupled model";
  }
  return hy_component(m, component)->klass->name;
}

gboolean hy_model_connect(HyModel *model, guint from, guint from_port, guint to, guint to_port,
                          GError **error)
{
  g_return_val_if_fail(model != NULL, FALSE);
  guint n = model->components.len;
  if (!hy_model_may_change(model, error)) {
    return FALSE;
  }
  if ((from != HY_SELF && from >= n) || (to != HY_SELF && to >= n)) {
    return hy_model_error(model, HY_SELF, error, "a coupling names component %u; there are %u",
                          MAX(from, to), n);
  }
  guint sources = from == HY_SELF ? model->in->len : hy_component(model, from)->n_out;
  if (from_port >= sources) {
    return hy_model_error(model, from, error, "%s has no %s port %u; it has %u",
                          kind_name(model, from), from == HY_SELF ? "input" : "output", from_port,
                          sources);
  }
  guint sinks = to == HY_SELF ? model->out->len : hy_component(model, to)->n_in;
  if (to_port >= sinks) {
    return hy_model_error(model, to, error, "%s has no %s port %u; it has %u", kind_name(model, to),
                          to == HY_SELF ? "output" : "input", to_port, sinks);
  }
  if (from == HY_SELF && to == HY_SELF) {
    return hy_model_error(model, HY_SELF, error,
                          "output \"%s\" is wired straight from input \"%s\"; put a block between",
                          (char *)g_ptr_array_index(model->out, to_port),
                          (char *)g_ptr_array_index(model->in, from_port));
  }
  if (from == to) {
    g_autofree char *out = hy_model_out_name(model, from, from_port);
    g_autofree char *in = hy_model_in_name(model, to, to_port);
    return hy_model_error(
        model, from, error,
        "wired to itself (%s -> %s); a block may not feed itself directly, put another between",
        out, in);
  }
  HyLine line = {from, from_port, to, to_port};
  g_array_append_val(model->lines, line);
  return TRUE;
}

guint hy_model_find(const HyModel *model, const char *component)
{
  g_return_val_if_fail(model != NULL && component != NULL, HY_SELF);
  HyModel *m = hy_key(model); /* the table is a cache */
  GHashTable *names = g_atomic_pointer_get(&m->by_name);
  if (names == NULL) { /* threads that share the model may come here at once */
    GHashTable *made = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint k = model->components.len; k-- > 0;) { /* the first of equal names wins */
      g_hash_table_insert(made, hy_key(hy_component(model, k)->name), GUINT_TO_POINTER(k));
    }
    if (!g_atomic_pointer_compare_and_exchange(&m->by_name, NULL, made)) {
      g_hash_table_unref(made);
    }
    names = g_atomic_pointer_get(&m->by_name);
  }
  gpointer k;
  return g_hash_table_lookup_extended(names, component, NULL, &k) ? GPOINTER_TO_UINT(k) : HY_SELF;
}

/* "in[2]" -> index 2 (0: no index), *BASE its length without the brackets. */
static guint port_index(const char *port, gsize *base)
{
  const char *bracket = strchr(port, '[');
  *base = bracket != NULL ? (gsize)(bracket - port) : strlen(port);
  if (bracket == NULL) {
    return 0;
  }
  char *end;
  guint64 i = g_ascii_strtoull(bracket + 1, &end, 10);
  return end != bracket + 1 && strcmp(end, "]") == 0 && i > 0 && i < G_MAXUINT ? (guint)i
                                                                               : G_MAXUINT;
}

/* The number of PORT; HY_SELF: there is none. */
static guint find_port(Ports ports, const char *port)
{
  for (guint p = 0; ports.names != NULL && p < ports.n; p++) {
    if (strcmp(g_ptr_array_index(ports.names, p), port) == 0) {
      return p;
    }
  }
  gsize base;
  guint index = port_index(port, &base);
  for (const HyPort *p = ports.table; p != NULL && p->name != NULL; p++) {
    gboolean whole = strcmp(p->name, port) == 0;
    if (whole && (!p->array || is_alone(ports))) {
      return hy_port_number(ports.table, ports.n, (guint)(p - ports.table), 1);
    }
    if (p->array && strlen(p->name) == base && strncmp(p->name, port, base) == 0 && index >= 1) {
      return hy_port_number(ports.table, ports.n, (guint)(p - ports.table), index);
    }
  }
  return HY_SELF;
}

/* One end of a wire by name. OUTGOING: the end where events come from. */
static gboolean find_end(const HyModel *m, const char *text, gboolean outgoing, guint *component,
                         guint *port, GError **error)
{
  const char *dot = strrchr(text, '.');
  g_autofree char *block = dot != NULL ? g_strndup(text, (gsize)(dot - text)) : g_strdup(text);
  const char *name = dot != NULL ? dot + 1 : NULL;
  *component = *block != '\0' ? hy_model_find(m, block) : HY_SELF;
  gboolean own = *component == HY_SELF;
  *port = HY_SELF;
  if (own && strchr(block, '/') != NULL) {
    return hy_model_error(
        m, HY_SELF, error,
        "\"%s\": a wire joins components of one coupled model; give the inner one a "
        "port, and wire that on both sides",
        text);
  }
  if (own && *block != '\0' && name != NULL) {
    return hy_model_error(m, HY_SELF, error, "nothing is called \"%s\" here (in \"%s\")", block,
                          text);
  }
  if (own && name == NULL) {
    name = block; /* a port of the model itself */
  }
  gboolean input = own == outgoing; /* what comes into the model goes out to its components */
  Ports ports = ports_of(m, *component, input);
  if (name == NULL && ports.n > 0) {
    *port = 0;
  } else if (name != NULL) {
    *port = find_port(ports, name);
  }
  return *port != HY_SELF ||
         hy_model_error(m, *component, error, "%s has no %s port \"%s\"", kind_name(m, *component),
                        input ? "input" : "output", name != NULL ? name : block);
}

gboolean hy_model_wire(HyModel *model, const char *from, const char *to, GError **error)
{
  g_return_val_if_fail(model != NULL && from != NULL && to != NULL, FALSE);
  guint a = 0, p = 0, b = 0, q = 0;
  return hy_model_may_change(model, error) && find_end(model, from, TRUE, &a, &p, error) &&
         find_end(model, to, FALSE, &b, &q, error) && hy_model_connect(model, a, p, b, q, error);
}

/* Looking ------------------------------------------------------------------------------------- */

const char *hy_model_name(const HyModel *model)
{
  g_return_val_if_fail(model != NULL, NULL);
  return model->name;
}

HyModel *hy_model_parent(const HyModel *model)
{
  g_return_val_if_fail(model != NULL, NULL);
  return model->parent;
}

guint hy_model_n(const HyModel *model)
{
  g_return_val_if_fail(model != NULL, 0);
  return model->components.len;
}

const char *hy_model_component_name(const HyModel *model, guint component)
{
  g_return_val_if_fail(exists(model, component) && component != HY_SELF, NULL);
  return hy_component(model, component)->name;
}

const HyAtomicClass *hy_model_class(const HyModel *model, guint component)
{
  g_return_val_if_fail(exists(model, component) && component != HY_SELF, NULL);
  return hy_component(model, component)->klass;
}

HyModel *hy_model_coupled(const HyModel *model, guint component)
{
  g_return_val_if_fail(exists(model, component) && component != HY_SELF, NULL);
  const HyComponent *c = hy_component(model, component);
  return c->klass == NULL ? c->u.coupled : NULL;
}
