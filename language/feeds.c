/* Blocks behind the input ports of the root, where somebody will feed them (HyLoadOptions.fed).
 * The equations know what a block says, and not what comes in at a port of the root: whatever reads
 * a port itself is outside of them. So each port leads to a block that says the same, and all that
 * read the port read the block: a gain of 1, or for events a relay. It is called as the port, and
 * stands first where several are due. */
#include "coupled/model_internal.h"
#include "language/checks.h"
#include "language/loader.h"
#include "language/scope.h"

#include <string.h>

/* What the file says of component number COMPONENT of the root, which has just been added. */
static void feed_row(Loader *l, Scope *root, const Entry *e)
{
  Row row;
  memset(&row, 0, sizeof row); /* rows are compared as bytes */
  row.file = root->define->file->name;
  row.unit = e->unit;
  row.line = e->line;
  row.numerics = root->numerics;
  hy_scope_add_row(root, hy_row_add(l, &row));
}

/* Returns the block behind PORT. */
static guint feed_add(Loader *l, Scope *root, Entry *e, guint port)
{
  HyModel *model = root->model;
  gboolean events = hy_port_kind(l, root->define, e) == PORT_EVENT;
  guint block = hy_model_add(model, g_ptr_array_index(model->in, port),
                             hy_class_find(events ? "relay" : "gain"));
  hy_model_set_priority(model, block, G_MININT);
  feed_row(l, root, e);
  return block;
}

void hy_feeds_place(Loader *l, Scope *root)
{
  HyModel *model = root->model;
  guint lines = model->lines->len;
  g_autofree guint *block = g_new0(guint, (gsize)model->in->len + 1);
  for (guint k = 0; k < root->define->in->len; k++) {
    Entry *e = g_ptr_array_index(root->define->in, k);
    PortRange ports = root->in[e->slot];
    for (guint p = ports.first; p < ports.first + ports.n; p++) {
      block[p] = feed_add(l, root, e, p);
    }
  }
  for (guint k = 0; k < lines; k++) {
    HyLine *line = &g_array_index(model->lines, HyLine, k);
    if (line->from == HY_SELF) {
      line->from = block[line->from_port];
      line->from_port = 0;
    }
  }
  for (guint p = 0; p < model->in->len; p++) {
    HyLine line = {HY_SELF, p, block[p], 0};
    g_array_append_val(model->lines, line);
  }
}
