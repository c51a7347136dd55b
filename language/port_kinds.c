/* Whether a port that does not say so carries a signal or events: what reads it decides, and for an
 * output what feeds it, through the models inside. Needs types and plans (types.c, plan.c). */
#include "language/env.h"
#include "language/network.h"
#include <string.h>

#define PORT_KIND_DEPTH 64 /* models inside each other that are looked into */

static PortKind port_kind(Loader *l, Define *d, Entry *port, guint depth);

static PortKind kind_of_class(const HyPort *ports, const char *name)
{
  guint k = hy_find_port(ports, name, NULL);
  return k == G_MAXUINT ? PORT_UNKNOWN : ports[k].kind == HY_EVENT ? PORT_EVENT : PORT_SIGNAL;
}

/* Whether NAME stands in F: as a line (1), or inside an expression (2). */
static guint occurs(const HyFormula *f, const char *name, guint depth)
{
  if (f->kind == HY_F_REF) {
    return f->ref.name == name ? 1 : 0;
  }
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_NOTHING || depth == 0) {
    return 0;
  }
  gboolean line = f->kind == HY_F_LIST || f->kind == HY_F_ITEMS || hy_formula_is_if(f);
  guint best = 0;
  for (guint32 k = 0; k < f->n; k++) {
    guint found = occurs(f->child[k], name, depth - 1);
    best = found == 0 ? best : line && found == 1 ? 1 : 2;
    if (best == 2) {
      break;
    }
  }
  return best;
}

/* What the input is that item I is for. */
static PortKind kind_of_target(Loader *l, const Entry *e, const Item *i, guint depth)
{
  if (i->role == R_NAMED) {
    return PORT_SIGNAL;
  }
  if (i->role == R_INPUT) {
    return e->klass->in[i->index].kind == HY_EVENT ? PORT_EVENT : PORT_SIGNAL;
  }
  return port_kind(l, e->inside, i->child, depth - 1);
}

/* What PORT must be because item I reads it; PORT_UNKNOWN: it does not, or that says nothing. */
static PortKind kind_from_item(Loader *l, const Entry *e, const Item *i, const Entry *port,
                               guint depth)
{
  if (i->direct != NULL ? i->direct != port : strstr(i->attribute->value, port->name) == NULL) {
    return PORT_UNKNOWN;
  }
  if (i->role == R_PARAM || i->role == R_CHILD_PARAM || i->role == R_CHILD_NODE) {
    gboolean formula = i->role == R_PARAM && e->klass != NULL && hy_takes_names(e->klass);
    return formula ? PORT_SIGNAL : PORT_UNKNOWN;
  }
  if (i->direct == NULL) {
    const HyFormula *f = hy_formula_parse(l->pool, HY_TEXT_SOURCE, i->attribute->value, NULL);
    guint found = f != NULL ? occurs(f, port->name, HY_FOLDED_DEPTH) : 0;
    if (found != 1) {
      return found == 2 ? PORT_SIGNAL : PORT_UNKNOWN;
    }
  }
  return kind_of_target(l, e, i, depth);
}

/* By the first of its attributes that reads the port. A node has none: those are of its element. */
static PortKind kind_from_block(Loader *l, Entry *e, const Entry *port, guint depth)
{
  if (e->bad || hy_is_node(e) || !hy_entry_type(l, e)) {
    return PORT_UNKNOWN;
  }
  const Plan *plan = hy_entry_plan(l, e);
  PortKind kind = PORT_UNKNOWN;
  for (guint k = 0; k < plan->n && kind == PORT_UNKNOWN; k++) {
    kind = kind_from_item(l, e, &plan->item[k], port, depth);
  }
  return kind;
}

/* What one end of a wire (as written) is. */
static PortKind kind_of_end(Loader *l, Define *d, const HyFormula *ref, gboolean outgoing,
                            guint depth)
{
  Entry *e = hy_define_find(d, ref->ref.name, ref->ref.port != NULL);
  if (e == NULL || e->kind != E_BLOCK) {
    return e != NULL && e->kind == E_IN ? port_kind(l, d, e, depth - 1) : PORT_UNKNOWN;
  }
  if (e->bad || !hy_entry_type(l, e)) {
    return PORT_UNKNOWN;
  }
  if (e->klass != NULL) {
    return kind_of_class(outgoing ? e->klass->out : e->klass->in, ref->ref.port);
  }
  GPtrArray *ports = outgoing ? e->inside->out : e->inside->in;
  Entry *p =
      ref->ref.port == NULL
          ? (ports->len > 0 ? g_ptr_array_index(ports, 0) : NULL)
          : g_hash_table_lookup(outgoing ? e->inside->outs : e->inside->inner, ref->ref.port);
  return p != NULL && p->kind == (outgoing ? E_OUT : E_IN) ? port_kind(l, e->inside, p, depth - 1)
                                                           : PORT_UNKNOWN;
}

/* By the first end that the wire leads to. */
static PortKind kind_from_wire(Loader *l, Define *d, const Entry *w, const Entry *port, guint depth)
{
  if (w->from == NULL || w->to == NULL || strstr(w->from->value, port->name) == NULL) {
    return PORT_UNKNOWN;
  }
  const HyFormula *f = hy_formula_parse(l->pool, HY_TEXT_ENDS, w->from->value, NULL);
  const HyFormula *g = hy_formula_parse(l->pool, HY_TEXT_ENDS, w->to->value, NULL);
  if (f == NULL || g == NULL || occurs(f, port->name, HY_FOLDED_DEPTH) != 1 || g->n == 0 ||
      g->child[0]->kind != HY_F_REF) {
    return PORT_UNKNOWN;
  }
  return kind_of_end(l, d, g->child[0], FALSE, depth);
}

/* By the first in the model that reads it. */
static PortKind kind_of_input(Loader *l, Define *d, const Entry *port, guint depth)
{
  for (guint k = 0; k < d->entries->len; k++) {
    Entry *e = g_ptr_array_index(d->entries, k);
    PortKind kind = e->kind == E_BLOCK  ? kind_from_block(l, e, port, depth)
                    : e->kind == E_WIRE ? kind_from_wire(l, d, e, port, depth)
                                        : PORT_UNKNOWN;
    if (kind != PORT_UNKNOWN) {
      return kind;
    }
  }
  return PORT_UNKNOWN;
}

/* The first reference of a list, or of the last branch of an if; NULL: it is a formula. */
static const HyFormula *first_line(const HyFormula *f)
{
  while (f != NULL && f->kind != HY_F_REF) {
    gboolean line = f->kind == HY_F_LIST || f->kind == HY_F_ITEMS;
    gboolean either = hy_formula_is_if(f) && f->n >= 2;
    f = line && f->n > 0 ? f->child[0] : either ? f->child[f->n - 1] : NULL;
  }
  return f;
}

/* Of an output port that does not say: that of what it leads outside, by from= or by the block of
 * its own name. */
static PortKind kind_of_output(Loader *l, Define *d, const Entry *port, guint depth)
{
  Entry *e = port->value == NULL ? g_hash_table_lookup(d->inner, port->name) : NULL;
  if (e != NULL && e->kind == E_BLOCK && hy_entry_type(l, e)) {
    return e->klass != NULL ? kind_of_class(e->klass->out, NULL)
           : e->inside->out->len > 0
               ? port_kind(l, e->inside, g_ptr_array_index(e->inside->out, 0), depth - 1)
               : PORT_UNKNOWN;
  }
  const HyFormula *f = port->value != NULL
                           ? hy_formula_parse(l->pool, HY_TEXT_SOURCE, port->value->value, NULL)
                           : NULL;
  const HyFormula *ref = first_line(f);
  return ref != NULL ? kind_of_end(l, d, ref, TRUE, depth) : f != NULL ? PORT_SIGNAL : PORT_UNKNOWN;
}

/* Ports may ask for each other in a circle, and are then of the kind that somebody else decides. */
static PortKind port_kind(Loader *l, Define *d, Entry *port, guint depth)
{
  if (port->port_kind == PORT_NOT_LOOKED && depth > 0) {
    port->port_kind = PORT_IN_WORK;
    port->port_kind =
        port->kind == E_IN ? kind_of_input(l, d, port, depth) : kind_of_output(l, d, port, depth);
  }
  return port->port_kind == PORT_IN_WORK || port->port_kind == PORT_NOT_LOOKED ? PORT_UNKNOWN
                                                                               : port->port_kind;
}

PortKind hy_port_kind(Loader *l, Define *d, Entry *port)
{
  return port_kind(l, d, port, PORT_KIND_DEPTH);
}
