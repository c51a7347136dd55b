/* What all pages share: head, style, scripts, data. */
#include "pages/page.h"

#include "pages/assets.h"
#include "pages/diagram.h"

#include <string.h>

/* CONNECT: to whom scripts may speak, as a directive of the policy. */
static void begin(GString *out, const char *title, const char *klass, const char *connect)
{
  g_string_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:");
  g_string_append_printf(out, "%s\">\n<link rel=\"icon\" href=\"data:,\">\n<title>", connect);
  hy_xml_text(out, title);
  g_string_append_printf(out, "</title>\n<style>\n%s</style>\n</head>\n<body class=\"%s\">\n",
                         hy_page_css, klass);
}

void hy_page_begin(GString *out, const char *title, const char *klass)
{
  begin(out, title, klass, "");
}

void hy_page_begin_live(GString *out, const char *title, const char *klass)
{
  begin(out, title, klass, "; connect-src 'self' ws://127.0.0.1:* ws://localhost:*");
}

void hy_page_end(GString *out, const char *const *scripts)
{
  for (; *scripts != NULL; scripts++) {
    g_string_append_printf(out, "<script>\n%s</script>\n", *scripts);
  }
  g_string_append(out, "</body>\n</html>\n");
}

void hy_page_data(GString *out, const char *id, const char *json)
{
  g_string_append_printf(out, "<script type=\"application/json\" id=\"%s\">", id);
  for (const char *s = json; *s != '\0'; s++) {
    if (*s == '<') {
      g_string_append(out, "\\u003c");
    } else {
      g_string_append_c(out, *s);
    }
  }
  g_string_append(out, "</script>\n");
}

void hy_page_lines(GString *out, const char *id, const char *text)
{
  g_string_append_printf(out, "<script type=\"text/plain\" id=\"%s\">", id);
  gsize start = out->len;
  g_string_append(out, text);
  g_strdelimit(out->str + start, "<", '\2');
  g_string_append(out, "</script>\n");
}

void hy_page_text(GString *out, const char *id, const char *heading, const char *text)
{
  g_string_append_printf(out, "<details id=\"%s\"><summary>%s</summary><pre tabindex=\"0\">", id,
                         heading);
  hy_xml_text(out, text);
  g_string_append(out, "</pre></details>\n");
}

void hy_page_svg(GString *out, const char *svg)
{
  g_string_append_printf(out,
                         "<div class=\"drawing\" id=\"drawing\" tabindex=\"0\" role=\"region\" "
                         "aria-label=\"Drawing of the model\">\n%s</div>\n",
                         svg);
}

void hy_page_drawing(GString *out, const HyLoaded *loaded, const HyDrawing *drawing)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) svg = g_string_new(NULL);
  if (!hy_draw_svg(loaded, drawing, svg, &error)) {
    g_string_assign(svg, "<p>");
    hy_xml_text(svg, error->message);
    g_string_append(svg, "</p>");
  }
  hy_page_svg(out, svg->str);
}

void hy_page_origin(GString *out, const HyLoaded *loaded, const char *command)
{
  g_autofree char *source = NULL;
  if (command != NULL) {
    g_string_append(out, "<p class=\"origin\">Made by <code>");
    hy_xml_text(out, command);
    g_string_append(out, "</code></p>\n");
  }
  if (g_file_get_contents(hy_loaded_file(loaded), &source, NULL, NULL)) {
    hy_page_text(out, "source", "Source", source);
  }
}
