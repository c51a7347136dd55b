/* The page of a run: drawing, plots, statistics, warnings, source, provenance. Plots are made of
 * what the run has recorded, thinned where it is more than a page can hold. */
#include "pages/report.h"

#include "base/sized.h"
#include "hydevs/measure.h"
#include "hydevs/stats.h"
#include "pages/assets.h"
#include "pages/diagram.h"
#include "pages/page.h"
#include "results/csv_read.h"
#include "results/plot_script.h"
#include "results/sidecar.h"

#include <math.h>
#include <string.h>

guint hy_page_points(guint n)
{
  return MIN(HY_PAGE_POINTS, HY_PAGE_ALL / MAX(n, 1));
}

char *hy_page_pack(const double *t, const double *v, gsize n, double from, double to)
{
  g_autofree guint32 *word = g_new(guint32, 2 * n + 1);
  double width = to > from ? to - from : 1;
  for (gsize k = 0; k < n; k++) {
    float value = (float)v[k];
    double step = CLAMP((t[k] - from) / width, 0, 1) * (double)G_MAXUINT32;
    guint32 bits;
    memcpy(&bits, &value, sizeof bits);
    word[k] = GUINT32_TO_LE((guint32)(step + 0.5));
    word[n + k] = GUINT32_TO_LE(bits);
  }
  return g_base64_encode((const guchar *)word, 2 * n * sizeof *word);
}

/* What is known of a recording while its page is made. */
typedef struct {
  const HyTable *table;
  const HySidecar *sidecar;
  guint points; /* that a signal may have */
  gboolean thinned;
} Recording;

static const char *unit_of(const Recording *r, guint column)
{
  const HySidecarColumn *c = hy_sidecar_find(r->sidecar, r->table->column[column].name);
  return c != NULL && c->unit != NULL ? c->unit : "";
}

/* As many points as may be: a stretch of time leaves one to four. */
static GArray *thin(const Recording *r, const double *v, double from, double to)
{
  GArray *kept = NULL;
  for (guint each = 2; each <= 4; each++) {
    g_clear_pointer(&kept, g_array_unref);
    kept = hy_plot_thin(r->table->column[0].v, v, r->table->n_rows, from, to, r->points / each);
    if (kept->len <= r->points) {
      break;
    }
  }
  return kept;
}

static void add_series(Recording *r, guint column, HyJsonOut *json)
{
  const HyTableColumn *c = &r->table->column[column];
  const HySidecarColumn *about = hy_sidecar_find(r->sidecar, c->name);
  gsize n = r->table->n_rows;
  const double *time = r->table->column[0].v;
  double from = n > 0 ? time[0] : 0, to = n > 0 ? time[n - 1] : 1;
  g_autoptr(GArray) kept = thin(r, c->v, from, to);
  g_autofree double *t = g_new(double, 2 * kept->len + 1);
  double *v = t + kept->len;
  for (guint k = 0; k < kept->len; k++) {
    const HyPoint *p = &g_array_index(kept, HyPoint, k);
    t[k] = p->x;
    v[k] = p->y;
  }
  r->thinned |= kept->len < n && n > r->points;
  g_autofree char *packed = hy_page_pack(t, v, kept->len, from, to);
  gboolean step = about == NULL || about->event || about->order == 0;
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "name", about != NULL && about->label != NULL ? about->label : c->name);
  hy_json_text(json, "unit", unit_of(r, column));
  hy_json_bool(json, "step", step);
  hy_json_count(json, "n", kept->len);
  hy_json_real(json, "from", from);
  hy_json_real(json, "to", to);
  hy_json_text(json, "points", packed);
  hy_json_end(json, '}');
}

/* Columns 1 .. N go to panels[k], the first that shows them well (results/plot_panel.h), of so many
 * signals at most. Returns how many panels there are. */
static guint choose_panels(const Recording *r, guint n, guint *panels)
{
  g_autofree HyShared *shared = g_new0(HyShared, n + 1);
  g_autofree guint *in = g_new0(guint, n + 1);
  guint many = 0;
  for (guint k = 1; k <= n; k++) {
    const HyTableColumn *c = &r->table->column[k];
    const HySidecarColumn *about = hy_sidecar_find(r->sidecar, c->name);
    HyPanelled is = hy_panelled(about != NULL ? about->unit : NULL, about != NULL && about->event,
                                c->v, r->table->n_rows);
    guint at = 0;
    while (at < many && (in[at] == HY_PANEL_MOST || !hy_panel_takes(&shared[at], &is, FALSE))) {
      at++;
    }
    if (at == many) {
      shared[many++] = hy_panel_of(&is);
    } else {
      hy_panel_add(&shared[at], &is);
    }
    in[at]++;
    panels[k] = at;
  }
  return many;
}

static void add_panels(Recording *r, guint n, HyJsonOut *json)
{
  g_autofree guint *panels = g_new0(guint, n + 1);
  guint many = choose_panels(r, n, panels);
  hy_json_begin(json, NULL, '[');
  for (guint p = 0; p < many; p++) {
    hy_json_begin(json, NULL, '[');
    for (guint k = 1; k <= n; k++) {
      if (panels[k] == p) {
        add_series(r, k, json);
      }
    }
    hy_json_end(json, ']');
  }
  hy_json_end(json, ']');
}

static void add_said(GString *out, const char *klass, const char *text)
{
  if (text != NULL && *text != '\0') {
    g_string_append_printf(out, "<p class=\"%s\" role=\"note\">", klass);
    hy_xml_text(out, text);
    g_string_append(out, "</p>\n");
  }
}

/* What a page does not have of a recording, told above the plots; FILE is NULL where none has it.
 */
static void tell_limits(GString *out, const Recording *r, guint n, const char *file)
{
  guint all = r->table->n - 1;
  if (r->thinned || n < all) {
    g_autoptr(GString) text = g_string_new(NULL);
    if (r->thinned) {
      g_string_append_printf(text,
                             "Each signal has %u points here at most: of each stretch of time the "
                             "first, the lowest, the highest and the last. ",
                             r->points);
    }
    if (n < all) {
      g_string_append_printf(text, "The first %u of %u signals are shown. ", n, all);
    }
    if (file != NULL) {
      g_string_append_printf(text, "All of it is in %s.", file);
    }
    add_said(out, "warning thinned", text->str);
  }
}

void hy_page_recording(GString *out, HyJsonOut *data, const HyTable *table,
                       const HySidecar *sidecar)
{
  guint n = MIN(table->n - 1, HY_PAGE_COLUMNS);
  Recording r = {table, sidecar, hy_page_points(n), FALSE};
  add_panels(&r, n, data);
  tell_limits(out, &r, n, NULL);
}

/* The plots of one table of the run, of so many TABLES; FILE has all of it, too. */
static void add_recording(GString *out, HyJsonOut *data, const HyRecorder *recorder,
                          const char *file, guint tables)
{
  g_autoptr(HyTable) table = hy_table_kept(recorder);
  g_autoptr(HySidecar) sidecar = hy_sidecar_kept(recorder);
  guint n = MIN(table->n - 1, HY_PAGE_COLUMNS / MAX(tables, 1));
  Recording r = {table, sidecar, hy_page_points(n * tables), FALSE};
  add_panels(&r, n, data);
  tell_limits(out, &r, n, file);
}

static gboolean add_recordings(GString *out, HyJsonOut *data, const HyRun *run, GError **error)
{
  guint n = 0;
  while (hy_run_kept(run, n) != NULL) {
    n++;
  }
  if (n == 0 && hy_run_n_tables(run) > 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "a page of a run is made of what it has in memory, and this one has recorded into "
                "files alone");
    return FALSE;
  }
  for (guint k = 0; k < n; k++) {
    add_recording(out, data, hy_run_kept(run, k), hy_run_file(run, k), MIN(n, HY_PAGE_COLUMNS));
  }
  return TRUE;
}

static void add_provenance(GString *out, const HyRun *run)
{
  if (hy_run_provenance(run) != NULL) {
    hy_page_text(out, "provenance", "Provenance", hy_run_provenance(run));
  }
}

static void add_head(GString *out, const HyLoaded *loaded, const HyRunTold *told)
{
  const HyExperiment *x = hy_loaded_experiment(loaded);
  const char *name = hy_model_name(hy_loaded_model(loaded));
  const char *title = x->label != NULL ? x->label : name;
  HyLook look;
  hy_loaded_look(loaded, hy_loaded_model(loaded), &look);
  hy_page_begin(out, title, "report");
  g_string_append(out, "<header><h1>");
  hy_xml_text(out, title);
  g_string_append(out, "</h1>\n");
  add_said(out, "doc", look.doc);
  add_said(out, "doc", told->outcome);
  add_said(out, "warning", told->warnings);
  g_string_append(out, "</header>\n<main>\n");
}

static gboolean run_page(const HyLoaded *loaded, const HyRun *run, const HyRunTold *told,
                         GString *out, GError **error)
{
  g_autoptr(GString) data = g_string_new(NULL), stats = g_string_new(NULL);
  HyJsonOut json = {.out = data, .tight = TRUE};
  hy_json_begin(&json, NULL, '[');
  add_head(out, loaded, told);
  hy_page_drawing(out, loaded, &(HyDrawing){0});
  g_string_append(out, "<h2>Recording</h2>\n");
  if (!add_recordings(out, &json, run, error)) {
    return FALSE;
  }
  g_string_append(out, "<div id=\"plots\"></div>\n");
  g_autofree char *measures = hy_run_measures_text(run);
  if (measures != NULL) {
    hy_page_text(out, "measures", "Measures", measures);
  }
  hy_stats_text(hy_run_sim(run), NULL, stats);
  hy_page_text(out, "statistics", "Statistics", stats->str);
  g_string_append(out, "</main>\n<footer>\n");
  add_provenance(out, run);
  hy_page_origin(out, loaded, told->command);
  g_string_append(out, "</footer>\n");
  hy_json_end(&json, ']');
  hy_page_data(out, "recording", data->str);
  hy_page_end(out, (const char *const[]){hy_page_js, hy_report_js, NULL});
  return TRUE;
}

gboolean hy_run_page_sized(const HyLoaded *loaded, const HyRun *run, const HyRunTold *told,
                           gsize size, GString *out, GError **error)
{
  g_return_val_if_fail(loaded != NULL && run != NULL && told != NULL && out != NULL, FALSE);
  HyRunTold taken = {0};
  return hy_sized_take(&taken, told, size, "HyRunTold", error) &&
         run_page(loaded, run, &taken, out, error);
}
