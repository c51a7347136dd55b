/* The loaded model as a graph in the language DOT of Graphviz: a box for each block, a cluster for
 * each coupled model with its ports as dots, an edge for each line, from left to right. What is
 * repeated has become single blocks; constants of inputs are left out. */
#include "editor-export/dot.h"
#include "coupled/model_internal.h"
#include "hydevs/text.h"

/* "PATH" with PORT behind it, as DOT quotes names. */
static void put_name(GString *out, const char *path, const char *port)
{
  g_autofree char *name = g_strconcat(path, port != NULL ? "." : NULL, port, NULL);
  hy_dot_string(out, name);
}

/* What an end of a line is in the graph: a block, or a port of a coupled model. */
static void put_end(GString *out, const HyModel *m, guint component, guint port, gboolean says)
{
  gboolean self = component == HY_SELF;
  g_autofree char *path = self ? hy_model_path(m->parent, m->index) : hy_model_path(m, component);
  if (!self && hy_component(m, component)->klass != NULL) {
    put_name(out, path, NULL);
    return;
  }
  g_autofree char *name =
      says == self ? hy_model_in_name(m, component, port) : hy_model_out_name(m, component, port);
  put_name(out, path, name);
}

static void put_edges(GString *out, const HyModel *m, int gap)
{
  for (guint k = 0; k <= m->components.len; k++) {
    guint from = k == 0 ? HY_SELF : k - 1;
    guint n = from == HY_SELF ? m->in->len : hy_component(m, from)->n_out;
    for (guint port = 0; port < n && (from != HY_SELF || m->parent != NULL); port++) {
      guint slot = hy_slot(m, from, port);
      for (guint t = m->start[slot]; t < m->start[slot + 1]; t++) {
        if (m->targets[t].to == HY_SELF && m->parent == NULL) {
          continue;
        }
        g_string_append_printf(out, "%*s", gap, "");
        put_end(out, m, from, port, TRUE);
        g_string_append(out, " -> ");
        put_end(out, m, m->targets[t].to, m->targets[t].to_port, FALSE);
        g_string_append_c(out, '\n');
      }
    }
  }
}

static void put_ports(GString *out, const HyModel *m, int gap)
{
  guint n_in = m->in->len, n = m->parent != NULL ? n_in + m->out->len : 0;
  for (guint k = 0; k < n; k++) {
    g_autofree char *path = hy_model_path(m->parent, m->index);
    const char *name = k < n_in ? g_ptr_array_index(m->in, k) : g_ptr_array_index(m->out, k - n_in);
    g_string_append_printf(out, "%*s", gap, "");
    put_name(out, path, name);
    g_string_append_printf(out, " [shape=point, xlabel=\"%s\"]\n", name);
  }
}

/* As deep as models are nested, which the loader limits. */
static void put_model(const HyLoaded *loaded, const HyModel *m, GString *out, int gap)
{
  put_ports(out, m, gap);
  for (guint place = 0; place < m->components.len; place++) {
    guint k = hy_component_at(m, place);
    const HyComponent *c = hy_component(m, k);
    g_autofree char *path = hy_model_path(m, k);
    HyBlockInfo info;
    hy_loaded_block(loaded, m, k, &info);
    const char *label = info.label != NULL ? info.label : c->name;
    g_string_append_printf(out, "%*s", gap, "");
    if (c->klass != NULL) {
      put_name(out, path, NULL);
      g_autofree char *lines = g_strdup_printf("%s\n%s", label, c->klass->name);
      g_string_append(out, " [label=");
      hy_dot_string(out, lines);
      g_string_append(out, "]\n");
      continue;
    }
    g_string_append(out, "subgraph ");
    g_autofree char *cluster = g_strdup_printf("cluster %s", path);
    put_name(out, cluster, NULL);
    g_string_append_printf(out, " {\n%*slabel=", gap + 2, "");
    hy_dot_string(out, label);
    g_string_append_c(out, '\n');
    put_model(loaded, c->u.coupled, out, gap + 2);
    g_string_append_printf(out, "%*s}\n", gap, "");
  }
  put_edges(out, m, gap);
}

gboolean hy_dot_write(const HyLoaded *loaded, GString *out, HyReport *report)
{
  HyModel *m = hy_loaded_model(loaded);
  g_autoptr(GError) error = NULL;
  if (!hy_model_check(m, &error)) {
    hy_report_error(report, hy_loaded_file(loaded), 0, "%s", error->message);
    return FALSE;
  }
  g_string_append(out, "digraph ");
  put_name(out, hy_model_name(m), NULL);
  g_string_append(out, " {\n  rankdir=LR\n  node [shape=box]\n");
  put_model(loaded, m, out, 2);
  g_string_append(out, "}\n");
  return TRUE;
}
