/* What the columns of a recording are, from the class tables and the wires. */
#include "hydevs/record.h"

#include "coupled/flatten.h"
#include "sim/engine.h"

/* The entry of port number PORT; elements of an array share the last one. NULL: no such port. */
static const HyPort *port_of(const HyPort *ports, guint port)
{
  const HyPort *p = ports;
  for (guint k = 0; p != NULL && p->name != NULL && k < port && !p->array; k++) {
    p++;
  }
  return p != NULL && p->name != NULL ? p : NULL;
}

static void describe_by(HyColumn *c, const HyPort *port)
{
  if (port != NULL) {
    c->holds = port->kind;
    c->unit = c->unit != NULL ? c->unit : port->unit;
  }
}

char *hy_column_path(const HySim *sim, const HyColumn *c)
{
  g_return_val_if_fail(sim != NULL && c != NULL && c->atomic < hy_sim_n(sim), NULL);
  g_autofree char *block = hy_sim_path(sim, c->atomic);
  const HyAtomicClass *klass = hy_sim_class(sim, c->atomic);
  const HyPort *ports = c->kind == HY_COLUMN_OUTPUT ? klass->out : klass->in;
  const HyPort *port = port_of(ports, c->port);
  if (port == NULL) {
    return g_steal_pointer(&block);
  }
  return port->array
             ? g_strdup_printf("%s.%s[%u]", block, port->name, c->port - (guint)(port - ports) + 1)
             : g_strdup_printf("%s.%s", block, port->name);
}

static void describe_input(HyColumn *columns, guint n, HyFlatTarget to, const HyPort *source)
{
  for (guint k = 0; k < n; k++) {
    HyColumn *c = &columns[k];
    if (c->kind == HY_COLUMN_INPUT && c->atomic == to.atomic && c->port == to.port) {
      c->holds = source->kind == HY_SIGNAL ? HY_SIGNAL : c->holds;
      c->unit = c->unit != NULL ? c->unit : source->unit;
    }
  }
}

/* A sink takes everything as events: whether a signal arrives is known by what is wired to it. */
static void describe_inputs(const HySim *sim, HyColumn *columns, guint n)
{
  HyFlat *flat = hy_flat_new(sim->model);
  g_autofree guint8 *asked = g_new0(guint8, (gsize)flat->n + 1);
  for (guint k = 0; k < n; k++) {
    asked[columns[k].atomic] |= columns[k].kind == HY_COLUMN_INPUT;
  }
  for (guint a = 0; a < flat->n; a++) {
    for (guint slot = flat->first_out[a]; slot < flat->first_out[a + 1]; slot++) {
      const HyPort *source = port_of(hy_sim_class(sim, a)->out, slot - flat->first_out[a]);
      for (guint k = flat->start[slot]; source != NULL && k < flat->start[slot + 1]; k++) {
        if (asked[flat->targets[k].atomic]) {
          describe_input(columns, n, flat->targets[k], source);
        }
      }
    }
  }
  hy_flat_free(flat);
}

void hy_columns_describe(const HySim *sim, HyColumn *columns, guint n)
{
  g_return_if_fail(sim != NULL && (columns != NULL || n == 0));
  gboolean inputs = FALSE;
  for (guint k = 0; k < n; k++) {
    g_return_if_fail(columns[k].atomic < hy_sim_n(sim));
    const HyAtomicClass *klass = hy_sim_class(sim, columns[k].atomic);
    gboolean input = columns[k].kind == HY_COLUMN_INPUT;
    const HyPort *port = port_of(input ? klass->in : klass->out, columns[k].port);
    g_return_if_fail(port != NULL || columns[k].kind == HY_COLUMN_STATE);
    describe_by(&columns[k], port);
    inputs |= input;
  }
  if (inputs) {
    describe_inputs(sim, columns, n);
  }
}
