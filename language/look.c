/* What a file says for people who look at a model: <view>, texts, units of ports, and of a circuit
 * its components with their nodes. Nothing here changes what the model is. */
#include "language/look.h"
#include "base/sized.h"
#include "language/env.h"

#include "hydevs/look.h"
#include <math.h>
#include <string.h>

static const char *keep(Loader *l, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const(l->strings, text) : NULL;
}

/* <view> -------------------------------------------------------------------------------------- */

/* A decimal, as the schema has checked it; NaN: not said, or too large for a number. */
static double decimal(const HyFile *f, const HyElement *e, guint16 word)
{
  const char *text = hy_text_of(f, e, word);
  double v = text != NULL ? g_ascii_strtod(text, NULL) : NAN;
  return isfinite(v) ? v : NAN;
}

static const char *text_inside(Loader *l, const HyTree *tree, guint32 element)
{
  const char *said = hy_tree_doc(tree, element);
  g_autofree char *text = g_strstrip(g_strdup(said != NULL ? said : ""));
  return keep(l, text);
}

static void read_view(Loader *l, const HyFile *f, guint32 view, DefineLook *look)
{
  for (guint32 k = hy_element(f->tree, view)->child; k != 0; k = hy_element(f->tree, k)->next) {
    const HyElement *e = hy_element(f->tree, k);
    if (e->foreign) {
      continue;
    }
    if (e->name == HY_W_AT) {
      HyAt at = {.block = keep(l, hy_text_of(f, e, HY_W_BLOCK)),
                 .x = decimal(f, e, HY_W_POS_X),
                 .y = decimal(f, e, HY_W_POS_Y),
                 .width = decimal(f, e, HY_W_WIDTH),
                 .height = decimal(f, e, HY_W_HEIGHT),
                 .turn = decimal(f, e, HY_W_TURN),
                 .icon = keep(l, hy_text_of(f, e, HY_W_ICON)),
                 .color = keep(l, hy_text_of(f, e, HY_W_COLOR))};
      g_array_append_val(look->at, at);
    } else if (e->name == HY_W_ROUTE) {
      HyRoute route = {keep(l, hy_text_of(f, e, HY_W_FROM)), keep(l, hy_text_of(f, e, HY_W_TO)),
                       keep(l, hy_text_of(f, e, HY_W_POINTS))};
      g_array_append_val(look->routes, route);
    } else if (e->name == HY_W_NOTE) {
      HyNote note = {text_inside(l, f->tree, k), decimal(f, e, HY_W_POS_X),
                     decimal(f, e, HY_W_POS_Y)};
      g_array_append_val(look->notes, note);
    }
  }
}

/* What a define says ----------------------------------------------------------------------------
 */

/* The attribute doc, or the element of that name; NULL: neither. */
static const char *doc_of(Loader *l, const HyFile *f, guint32 element)
{
  const HyElement *e = hy_element(f->tree, element);
  const char *text = hy_text_of(f, e, HY_W_DOC);
  for (guint32 k = e->child; k != 0 && text == NULL; k = hy_element(f->tree, k)->next) {
    const HyElement *x = hy_element(f->tree, k);
    text = !x->foreign && x->name == HY_W_DOC ? hy_tree_doc(f->tree, k) : NULL;
  }
  g_autofree char *line = text != NULL ? g_strstrip(g_strdup(text)) : NULL;
  return keep(l, line);
}

const char *hy_placed_by(const HyFile *f, const Entry *e)
{
  const HyElement *x = hy_element(f->tree, e->element);
  const char *type = hy_text_of(f, x, HY_W_TYPE), *file = hy_text_of(f, x, HY_W_FILE);
  return e->type != NULL ? e->type
         : type != NULL  ? type
         : file != NULL  ? file
                         : hy_tree_name(f->tree, x->name);
}

static void read_entry(Loader *l, const HyFile *f, const Entry *e, DefineLook *look)
{
  if (e->name == NULL || hy_is_node(e)) {
    return;
  }
  HySaid said = {.name = keep(l, e->name),
                 .unit = keep(l, e->unit),
                 .doc = doc_of(l, f, e->element),
                 .line = hy_element(f->tree, e->element)->line};
  if (e->kind == E_BLOCK) {
    said.type = keep(l, hy_placed_by(f, e));
    g_array_append_val(look->blocks, said);
  } else if (e->kind == E_IN || e->kind == E_OUT) {
    g_array_append_val(look->ports, said);
  }
}

static DefineLook *look_new(Loader *l, const Define *d)
{
  DefineLook *look = g_new0(DefineLook, 1);
  look->doc = doc_of(l, d->file, d->element);
  look->circuit = d->is_circuit;
  look->at = g_array_new(FALSE, FALSE, sizeof(HyAt));
  look->routes = g_array_new(FALSE, FALSE, sizeof(HyRoute));
  look->notes = g_array_new(FALSE, FALSE, sizeof(HyNote));
  look->ports = g_array_new(FALSE, FALSE, sizeof(HySaid));
  look->blocks = g_array_new(FALSE, FALSE, sizeof(HySaid));
  for (guint k = 0; k < d->entries->len; k++) {
    read_entry(l, d->file, g_ptr_array_index(d->entries, k), look);
  }
  const HyTree *tree = d->file->tree;
  for (guint32 k = hy_element(tree, d->element)->child; k != 0; k = hy_element(tree, k)->next) {
    if (hy_element(tree, k)->name == HY_W_VIEW && !hy_element(tree, k)->foreign) {
      read_view(l, d->file, k, look);
    }
  }
  return look;
}

static void look_free(gpointer p)
{
  DefineLook *look = p;
  g_array_unref(look->at);
  g_array_unref(look->routes);
  g_array_unref(look->notes);
  g_array_unref(look->ports);
  g_array_unref(look->blocks);
  g_free(look);
}

/* Circuits ------------------------------------------------------------------------------------- */

/* The names of each node, one behind the other, as places + 1 in the list of the network: [node]
 * the first, [nodes + place] the next. */
static guint *names_by_node(const Network *n)
{
  guint nodes = n->node_uses->len;
  guint *at = g_new0(guint, (gsize)nodes + n->nodes->len);
  for (guint k = n->nodes->len; k-- > 0;) {
    guint number = hy_network_node(n, k)->number;
    at[nodes + k] = at[number];
    at[number] = k + 1;
  }
  return at;
}

/* A node as S calls it: the first name of it there, else the first at all. */
static const char *node_name(const Network *n, const Scope *s, guint number)
{
  const char *found = "0";
  gsize inside = strlen(s->in_network);
  guint nodes = n->node_uses->len;
  for (guint k = number != 0 ? n->names_at[number] : 0; k != 0; k = n->names_at[nodes + k - 1]) {
    const NodeAt *at = hy_network_node(n, k - 1);
    if (g_str_has_prefix(at->key, s->in_network) && strchr(at->key + inside, '/') == NULL) {
      return at->key + inside;
    }
    found = found[0] == '0' ? at->key : found;
  }
  return found;
}

/* Its one number as it is written: what a drawing shows beside it. */
static const char *element_value(const Element *e)
{
  static const char *const words[] = {"R", "C", "L", "value", "ratio", "control", "gate", NULL};
  const HyFile *f = e->entry->define->file;
  for (const char *const *word = words; *word != NULL; word++) {
    guint16 name = hy_tree_find_name(f->tree, *word);
    const char *text =
        name != HY_NO_NAME ? hy_text_of(f, hy_element(f->tree, e->entry->element), name) : NULL;
    if (text != NULL) {
      return text;
    }
  }
  return NULL;
}

static const char *copy_name(Loader *l, const Entry *entry, const gint64 *at)
{
  g_autoptr(GString) name = g_string_new(NULL);
  hy_copy_name(entry, at, name);
  return keep(l, name->str);
}

static void add_element(Network *n, const Scope *s, const Element *e, GArray *parts)
{
  HyLookPart part = {.name = copy_name(n->loader, e->entry, e->at),
                     .kind = e->entry->klass->name,
                     .value = keep(n->loader, element_value(e)),
                     .n = hy_element_ends(e->kind)};
  part.node = g_new0(const char *, part.n + 1);
  for (guint k = 0; k < part.n; k++) {
    part.node[k] = keep(n->loader, node_name(n, s, e->node[k]));
  }
  g_array_append_val(parts, part);
}

/* The copies of node port PORT of INNER. */
static void add_ends(Network *n, const Scope *s, const Scope *inner, const Entry *port,
                     GPtrArray *node, GPtrArray *end)
{
  gsize inside = strlen(inner->in_network), length = strlen(port->name);
  for (guint k = 0; k < n->nodes->len; k++) {
    const NodeAt *at = hy_network_node(n, k);
    const char *name = at->key + inside;
    if (g_str_has_prefix(at->key, inner->in_network) && strncmp(name, port->name, length) == 0 &&
        (name[length] == '\0' || name[length] == '[')) {
      g_ptr_array_add(node, hy_key(keep(n->loader, node_name(n, s, at->number))));
      g_ptr_array_add(end, hy_key(keep(n->loader, name)));
    }
  }
}

/* What stands in the box of a circuit inside another: its type, and below it what its inputs take,
 * as written. NULL: nothing. */
static char *circuit_value(const Scope *inner)
{
  const Define *d = inner->define;
  const HyFile *f = inner->entry->define->file;
  g_autoptr(GString) text = g_string_new(d->is_type ? d->name : NULL);
  for (guint k = 0; k < d->in->len; k++) {
    const Entry *in = g_ptr_array_index(d->in, k);
    guint16 name = hy_tree_find_name(f->tree, in->name);
    const char *takes =
        name != HY_NO_NAME ? hy_text_of(f, hy_element(f->tree, inner->entry->element), name) : NULL;
    if (takes != NULL) {
      g_string_append_printf(text, "%s%s", text->len > 0 ? "\n" : "", takes);
    }
  }
  return text->len > 0 ? g_strdup(text->str) : NULL;
}

/* A circuit inside S, by its node ports in the order of the file. */
static void add_inner(Network *n, const Scope *s, const Scope *inner, GArray *parts)
{
  HyLookPart part = {.name = copy_name(n->loader, inner->entry, inner->at), .kind = "circuit"};
  g_autofree char *value = circuit_value(inner);
  part.value = value != NULL ? keep(n->loader, value) : NULL;
  g_autoptr(GPtrArray) node = g_ptr_array_new(), end = g_ptr_array_new();
  for (guint k = 0; k < inner->define->blocks->len; k++) {
    const Entry *port = g_ptr_array_index(inner->define->blocks, k);
    if (port->node_port) {
      add_ends(n, s, inner, port, node, end);
    }
  }
  part.n = node->len;
  part.node = g_memdup2(node->pdata, node->len * sizeof(char *));
  part.end = g_memdup2(end->pdata, end->len * sizeof(char *));
  g_array_append_val(parts, part);
}

GArray *hy_look_parts(Network *n, const Scope *s)
{
  GArray *parts = g_array_new(FALSE, FALSE, sizeof(HyLookPart));
  n->names_at = n->names_at != NULL ? n->names_at : names_by_node(n);
  for (guint k = 0; k < n->elements->len; k++) {
    const Element *e = hy_network_element(n, k);
    if (e->scope == s && !e->left_out && e->kind != HY_COUPLING) {
      add_element(n, s, e, parts);
    }
  }
  for (guint k = 0; k < n->circuits->len; k++) {
    const Scope *inner = g_ptr_array_index(n->circuits, k);
    if (inner->parent == s && inner != s) {
      add_inner(n, s, inner, parts);
    }
  }
  return parts;
}

void hy_parts_free(GArray *parts)
{
  for (guint k = 0; parts != NULL && k < parts->len; k++) {
    g_free(g_array_index(parts, HyLookPart, k).node);
    g_free(g_array_index(parts, HyLookPart, k).end);
  }
  g_clear_pointer(&parts, g_array_unref);
}

/* Kept, and asked for ---------------------------------------------------------------------------
 */

static void scope_look_free(gpointer p)
{
  ScopeLook *look = p;
  hy_parts_free(look->parts);
  g_free(look);
}

GHashTable *hy_looks_keep(Loader *l, GPtrArray **defines)
{
  GHashTable *looks = g_hash_table_new_full(NULL, NULL, NULL, scope_look_free);
  g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
  *defines = g_ptr_array_new_with_free_func(look_free);
  for (guint k = 0; k < l->scopes->len; k++) {
    Scope *s = g_ptr_array_index(l->scopes, k);
    DefineLook *define = g_hash_table_lookup(known, s->define);
    if (s->model == NULL) {
      continue;
    }
    if (define == NULL) {
      define = look_new(l, s->define);
      g_hash_table_insert(known, s->define, define);
      g_ptr_array_add(*defines, define);
    }
    ScopeLook *look = g_new0(ScopeLook, 1);
    look->define = define;
    look->parts = g_steal_pointer(&s->parts);
    g_hash_table_insert(looks, s->model, look);
  }
  return looks;
}

static HyLook look_of(const ScopeLook *s)
{
  const DefineLook *d = s->define;
  return (HyLook){.doc = d->doc,
                  .circuit = d->circuit,
                  .n_at = d->at->len,
                  .at = (const HyAt *)(gpointer)d->at->data,
                  .n_routes = d->routes->len,
                  .route = (const HyRoute *)(gpointer)d->routes->data,
                  .n_notes = d->notes->len,
                  .note = (const HyNote *)(gpointer)d->notes->data,
                  .n_ports = d->ports->len,
                  .port = (const HySaid *)(gpointer)d->ports->data,
                  .n_blocks = d->blocks->len,
                  .block = (const HySaid *)(gpointer)d->blocks->data,
                  .n_parts = s->parts != NULL ? s->parts->len : 0,
                  .part = s->parts != NULL ? (const HyLookPart *)(gpointer)s->parts->data : NULL};
}

void hy_loaded_look_sized(const HyLoaded *loaded, const HyModel *model, HyLook *look, gsize size)
{
  g_return_if_fail(loaded != NULL && model != NULL && look != NULL);
  const ScopeLook *s = g_hash_table_lookup(loaded->looks, model);
  HyLook found = s != NULL ? look_of(s) : (HyLook){0};
  hy_sized_give(look, size, &found);
}

const HySaid *hy_said_find(const HySaid *said, guint n, const char *name)
{
  g_return_val_if_fail(name != NULL && (said != NULL || n == 0), NULL);
  gsize length = strcspn(name, "[");
  for (guint k = 0; k < n; k++) {
    if (strncmp(said[k].name, name, length) == 0 && said[k].name[length] == '\0') {
      return &said[k];
    }
  }
  return NULL;
}
