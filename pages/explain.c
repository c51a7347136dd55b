/* The message player: a page that plays the messages of a run. */
#include "pages/assets.h"
#include "pages/diagram.h"
#include "pages/page.h"
#include "pages/told.h"

/* Where the page ends, if that is before the run does. */
static void add_cut(GString *out, const HyTold *told)
{
  if (hy_told_full(told)) {
    g_string_append_printf(out,
                           "<p class=\"warning\" role=\"status\" id=\"cut\">The page is full: it "
                           "holds the first %" G_GUINT64_FORMAT
                           " messages. <code>--from T</code> begins later.</p>\n",
                           hy_told_n(told));
  }
}

void hy_explain_page(const HyLoaded *loaded, const HyTold *told, const char *command, GString *out)
{
  g_return_if_fail(loaded != NULL && told != NULL && out != NULL);
  const HyModel *model = hy_loaded_model(loaded);
  g_autofree char *title = g_strdup_printf("%s: message by message", hy_model_name(model));
  g_autoptr(GString) messages = g_string_new(NULL);
  hy_page_begin(out, title, "player");
  g_string_append(out, "<header><h1>");
  hy_xml_text(out, title);
  g_string_append(out, "</h1>\n");
  add_cut(out, told);
  g_string_append(out, "</header>\n<main>\n<div id=\"controls\"></div>\n<div class=\"columns\">\n"
                       "<div class=\"left\">\n");
  hy_page_drawing(out, loaded, &(HyDrawing){.blocks = TRUE});
  g_string_append(out, "<div id=\"below\"></div>\n</div>\n<div class=\"right\" "
                       "id=\"panel\"></div>\n</div>\n</main>\n<footer>\n");
  hy_page_origin(out, loaded, command);
  g_string_append(out, "</footer>\n");
  hy_told_json(told, messages);
  hy_page_data(out, "messages", messages->str);
  hy_page_lines(out, "lines", hy_told_lines(told));
  hy_page_end(out, (const char *const[]){hy_page_js, hy_player_js, NULL});
}
