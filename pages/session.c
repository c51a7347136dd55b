/* The page of a session: drawing, plots, levers. What it shows comes later, as lines
 * (hydevs/serve.h); it is made with what those do not tell: the drawing, and what to plot. */
#include "experiment/run.h"
#include "pages/assets.h"
#include "pages/diagram.h"
#include "pages/page.h"
#include "results/sources.h"

#include <string.h>

enum { MOST = 24 }; /* signals that are shown by themselves */

static void add_signal(const HyRun *run, const HySignalAt *at, const char *label, HyJsonOut *json)
{
  HyColumn column = {0};
  g_autoptr(GArray) more = g_array_new(FALSE, FALSE, sizeof(HySource));
  if (!hy_run_column(run, at, FALSE, &column, more, NULL)) {
    return;
  }
  hy_columns_describe(hy_run_sim(run), &column, 1);
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "path", at->path);
  hy_json_text(json, "label", label != NULL ? label : at->path);
  hy_json_text(json, "unit", column.unit != NULL ? column.unit : "");
  hy_json_bool(json, "event", column.holds == HY_EVENT);
  hy_json_end(json, '}');
}

/* What the experiment records, each once. */
static void add_signals(const HyLoaded *loaded, const HyRun *run, HyJsonOut *json)
{
  const HyExperiment *x = hy_loaded_experiment(loaded);
  g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  hy_json_begin(json, "signals", '[');
  for (guint k = 0; k < x->n_records; k++) {
    g_autoptr(GArray) found = hy_loaded_match(loaded, x->records[k].path, NULL);
    for (guint j = 0; found != NULL && j < found->len; j++) {
      const HySignalAt *at = &g_array_index(found, HySignalAt, j);
      if (g_hash_table_size(known) < MOST && g_hash_table_add(known, g_strdup(at->path))) {
        add_signal(run, at, x->records[k].label, json);
      }
    }
  }
  hy_json_end(json, ']');
}

static void add_head(GString *out, const HyLoaded *loaded)
{
  const HyExperiment *x = hy_loaded_experiment(loaded);
  const char *name = hy_model_name(hy_loaded_model(loaded));
  const char *title = x->label != NULL ? x->label : name;
  hy_page_begin_live(out, title, "session");
  g_string_append(out, "<header class=\"bar\"><h1>");
  hy_xml_text(out, title);
  g_string_append(out, "</h1><span id=\"state\" role=\"status\">loaded</span><output id=\"clock\">"
                       "</output>\n");
}

static void add_doc(GString *out, const HyLoaded *loaded)
{
  HyLook look;
  hy_loaded_look(loaded, hy_loaded_model(loaded), &look);
  if (look.doc != NULL) {
    g_string_append(out, "<p class=\"doc about\">");
    hy_xml_text(out, look.doc);
    g_string_append(out, "</p>\n");
  }
}

static void add_drawing(GString *out, const HyLoaded *loaded)
{
  hy_page_drawing(out, loaded, &(HyDrawing){0});
}

/* What stands in session.html, and in its places what is of the model. */
static void add_body(GString *out, const HyLoaded *loaded)
{
  static const struct {
    const char *place;
    void (*add)(GString *out, const HyLoaded *loaded);
  } places[] = {{"<!-- what the model says of itself -->\n", add_doc},
                {"<!-- the drawing -->\n", add_drawing}};
  const char *at = hy_session_html;
  for (guint k = 0; k < G_N_ELEMENTS(places); k++) {
    const char *place = strstr(at, places[k].place);
    g_string_append_len(out, at, place - at);
    places[k].add(out, loaded);
    at = place + strlen(places[k].place);
  }
  g_string_append(out, at);
}

void hy_session_page(const HyLoaded *loaded, const HyRun *run, GString *out)
{
  g_return_if_fail(loaded != NULL && run != NULL && out != NULL);
  g_autoptr(GString) data = g_string_new(NULL);
  HyJsonOut json = {.out = data, .tight = TRUE};
  hy_json_begin(&json, NULL, '{');
  hy_json_real(&json, "stop", hy_loaded_experiment(loaded)->stop);
  add_signals(loaded, run, &json);
  hy_json_end(&json, '}');
  add_head(out, loaded);
  add_body(out, loaded);
  hy_page_data(out, "session", data->str);
  hy_page_end(out, (const char *const[]){hy_page_js, hy_session_js, NULL});
}
