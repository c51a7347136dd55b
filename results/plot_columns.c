/* Which columns of a recording a picture is asked to show. */
#include "plot_internal.h"

#include <math.h>
#include <string.h>

const char *hy_plot_called(const HyPlotOptions *o)
{
  return o->name != NULL ? o->name : o->csv;
}

/* At the commas outside of brackets: "a,cell[1,2],mean(uC, 5m)". */
static GPtrArray *split_names(const char *text)
{
  GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
  int depth = 0;
  const char *from = text;
  for (const char *at = text;; at++) {
    depth += (*at == '[' || *at == '(') - (*at == ']' || *at == ')');
    if (*at == '\0' || (*at == ',' && depth <= 0)) {
      char *name = g_strstrip(g_strndup(from, (gsize)(at - from)));
      if (*name != '\0') {
        g_ptr_array_add(names, name);
      } else {
        g_free(name);
      }
      from = at + 1;
    }
    if (*at == '\0') {
      return names;
    }
  }
}

gboolean hy_plot_drawable(const HyTable *table, guint column)
{
  const double *v = table->column[column].v;
  for (gsize k = 0; k < table->n_rows; k++) {
    if (isfinite(v[k])) {
      return TRUE;
    }
  }
  return FALSE;
}

gboolean hy_plot_has_name(const HyTable *table, const HySidecar *sidecar, guint column,
                          const char *name)
{
  const char *head = table->column[column].name;
  const HySidecarColumn *c = hy_sidecar_find(sidecar, head);
  return strcmp(head, name) == 0 || (c != NULL && g_strcmp0(c->label, name) == 0) ||
         (strpbrk(name, "*?") != NULL && g_pattern_match_simple(name, head));
}

/* Sets CHOSEN[k] of the columns that NAME means. */
static guint choose(const HyTable *table, const HySidecar *sidecar, const char *name,
                    GArray *chosen)
{
  guint found = 0;
  for (guint k = 1; k < table->n; k++) {
    if (!hy_plot_has_name(table, sidecar, k, name)) {
      continue;
    }
    found++;
    gboolean known = FALSE;
    for (guint j = 0; j < chosen->len; j++) {
      known |= g_array_index(chosen, guint, j) == k;
    }
    if (!known) {
      g_array_append_val(chosen, k);
    }
  }
  return found;
}

char *hy_plot_list_names(const HyTable *table)
{
  GString *out = g_string_new(NULL);
  for (guint k = 1; k < table->n && k <= 12; k++) {
    g_string_append_printf(out, "%s%s", k > 1 ? ", " : "", table->column[k].name);
  }
  g_string_append(out, table->n > 13 ? ", ..." : "");
  return g_string_free(out, FALSE);
}

/* An array of guint; NULL: ERROR is set. */
GArray *hy_plot_chosen(const HyPlotOptions *o, const HyTable *table, const HySidecar *sidecar,
                       GError **error)
{
  g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(guint));
  g_autoptr(GPtrArray) names = o->columns != NULL ? split_names(o->columns) : NULL;
  for (guint k = 0; names != NULL && k < names->len; k++) {
    if (choose(table, sidecar, names->pdata[k], chosen) == 0) {
      g_autofree char *list = hy_plot_list_names(table);
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: no column \"%s\"; it has %s",
                  hy_plot_called(o), (const char *)names->pdata[k], list);
      return NULL;
    }
  }
  for (guint k = 1; names == NULL && k < table->n; k++) {
    g_array_append_val(chosen, k);
  }
  for (guint j = chosen->len; j-- > 0;) {
    if (!hy_plot_drawable(table, g_array_index(chosen, guint, j))) {
      g_array_remove_index(chosen, j);
    }
  }
  if (chosen->len == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: no column with numbers to draw",
                hy_plot_called(o));
    return NULL;
  }
  return g_steal_pointer(&chosen);
}

/* Which columns hold their value until the next row. */
gboolean *hy_plot_holding(const HyTable *table, const HySidecar *sidecar)
{
  gboolean *holds = g_new0(gboolean, table->n);
  for (guint k = 1; k < table->n; k++) {
    const HySidecarColumn *c = hy_sidecar_find(sidecar, table->column[k].name);
    holds[k] = c != NULL && (c->event || c->order == 0);
  }
  return holds;
}

/* Tables made of columns ------------------------------------------------------------------------
 */

HyTable *hy_plot_table(const HyPlotSource *s, const char *name, gsize rows, const char *unit,
                       gboolean db, HySidecar **sidecar)
{
  HyTable *out = g_new0(HyTable, 1);
  out->n = s->chosen->len + 1;
  out->n_rows = rows;
  out->column = g_new0(HyTableColumn, out->n);
  out->column[0] = (HyTableColumn){.name = g_strdup(name), .v = g_new0(double, rows)};
  *sidecar = hy_sidecar_new();
  if (s->sidecar != NULL) {
    (*sidecar)->model = g_strdup(s->sidecar->model);
    (*sidecar)->experiment = g_strdup(s->sidecar->experiment);
    (*sidecar)->title = g_strdup(s->sidecar->title);
  }
  for (guint k = 0; k < s->chosen->len; k++) {
    const char *head = s->table->column[g_array_index(s->chosen, guint, k)].name;
    const HySidecarColumn *known = hy_sidecar_find(s->sidecar, head);
    HySidecarColumn c = {.path = g_strdup(head), .order = 3};
    c.label = known != NULL ? g_strdup(known->label) : NULL;
    const char *own = unit != NULL ? unit : known != NULL ? known->unit : NULL;
    c.unit = db ? g_strdup_printf("dB%s%s", own != NULL ? " of 1 " : "", own != NULL ? own : "")
                : g_strdup(own);
    g_array_append_val((*sidecar)->columns, c);
    out->column[k + 1] = (HyTableColumn){.name = g_strdup(head), .v = g_new0(double, rows)};
  }
  return out;
}

gboolean hy_plot_is_whole(const HyPlotSource *s, guint column, GError **error)
{
  const HyTableColumn *c = &s->table->column[column];
  for (gsize k = 0; k < s->table->n_rows; k++) {
    if (!isfinite(c->v[k])) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                  "%s: \"%s\" has no number at %g: begin later with --from, or leave it out with "
                  "--columns",
                  hy_plot_called(s->o), c->name, s->table->column[0].v[k]);
      return FALSE;
    }
  }
  return TRUE;
}
