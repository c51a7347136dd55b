/* Signals of a network and where they stand. A block of an element or a node is in the model of the
 * circuit that its element is in, so that its path is the user's; formulas of the whole network
 * read blocks of any of them. A signal that is read in another circuit goes there through ports of
 * the models between, which nobody has written: out of the circuits around it up to the one that
 * both are in, and down from there. Each is made once. */
#include "coupled/model_internal.h"
#include "language/network.h"
#include "language/scope.h"
#include <string.h>

Scope *hy_network_home(const Network *n, const char *name, const char **local)
{
  const char *slash = strrchr(name, '/');
  *local = slash != NULL ? slash + 1 : name;
  g_autofree char *path = g_strndup(name, (gsize)(*local - name));
  Scope *home = g_hash_table_lookup(n->scopes, path);
  g_assert(home != NULL);
  return home;
}

void hy_made_add(Network *n, const char *name, const Made *made)
{
  hy_component(made->scope->model, made->component)->reading = TRUE;
  g_array_append_val(n->made, *made);
  g_hash_table_insert(n->signal, hy_key(name), GUINT_TO_POINTER(n->made->len));
}

const Made *hy_made_find(const Network *n, const char *name)
{
  guint place = GPOINTER_TO_UINT(g_hash_table_lookup(n->signal, name));
  return place > 0 ? &g_array_index(n->made, Made, place - 1) : NULL;
}

/* The port of SCOPE's model through which signal PLACE goes out or comes in; a new one is called as
 * the signal, in what a port may be called, and FRESH. */
static guint port_of(Network *n, guint place, const Scope *scope, const char *name, gboolean out,
                     gboolean *fresh)
{
  /* GLib hashes the low half alone: the signals, as many of them go through one circuit. */
  gint64 key = ((gint64)scope->number << 32) | place;
  guint known = GPOINTER_TO_UINT(g_hash_table_lookup(n->carried, &key));
  *fresh = known == 0;
  if (known == 0) {
    g_autofree char *port = g_strdup_printf(":%s_%u", name, place);
    g_strcanon(port + 1, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
    known = (out ? hy_model_out(scope->model, port) : hy_model_in(scope->model, port)) + 1;
    g_hash_table_insert(n->carried, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(known));
  }
  return known - 1;
}

static void connect(const Scope *s, guint from, guint from_port, guint to, guint to_port)
{
  gboolean ok = hy_model_connect(s->model, from, from_port, to, to_port, NULL);
  g_assert(ok);
}

/* Out of AT, into the circuit around it. */
static Made go_up(Network *n, guint place, const char *name, Made at)
{
  gboolean fresh;
  guint port = port_of(n, place, at.scope, name, TRUE, &fresh);
  if (fresh) {
    connect(at.scope, at.component, at.port, HY_SELF, port);
  }
  return (Made){at.scope->parent, hy_model_index(at.scope->model), port};
}

/* From AT into CHILD, which stands there. */
static Made go_down(Network *n, guint place, const char *name, Made at, Scope *child)
{
  gboolean fresh;
  guint port = port_of(n, place, child, name, FALSE, &fresh);
  if (fresh) {
    connect(at.scope, at.component, at.port, hy_model_index(child->model), port);
  }
  return (Made){child, HY_SELF, port};
}

static gboolean is_inside(const Scope *s, const Scope *around)
{
  while (s != NULL && s->depth > around->depth) {
    s = s->parent;
  }
  return s == around;
}

Made hy_network_carry(Network *n, const char *name, Scope *scope)
{
  guint place = GPOINTER_TO_UINT(g_hash_table_lookup(n->signal, name));
  g_assert(place > 0);
  Made at = g_array_index(n->made, Made, place - 1);
  while (!is_inside(scope, at.scope)) {
    at = go_up(n, place, name, at);
    g_assert(at.scope != NULL); /* the outermost circuit is around all */
  }
  while (at.scope != scope) {
    Scope *child = scope;
    while (child->parent != at.scope) {
      child = child->parent;
    }
    at = go_down(n, place, name, at, child);
  }
  return at;
}
