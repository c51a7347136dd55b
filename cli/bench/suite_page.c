/* The page of a suite: headings, paragraphs, tables and pictures in HTML or in Markdown. */
#include "suite.h"

#include <string.h>

static const char style[] =
    "body { font: 15px/1.5 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em }\n"
    "table { border-collapse: collapse; font-size: 90% }\n"
    "th, td { border-bottom: 1px solid #ccc; padding: .2em .7em; text-align: right }\n"
    "th:first-child, td:first-child { text-align: left }\n"
    "svg { max-width: 100%; height: auto }\n";

/* What would mean something in a cell or a paragraph does not. */
static void add_text(SuitePage *page, const char *text)
{
  if (page->html) {
    g_autofree char *escaped = g_markup_escape_text(text, -1);
    g_string_append(page->text, escaped);
    return;
  }
  for (; *text != '\0'; text++) {
    g_string_append(page->text, strchr("|<*", *text) != NULL ? "\\" : "");
    g_string_append_c(page->text, *text);
  }
}

static void element(SuitePage *page, const char *name, const char *text)
{
  g_string_append_printf(page->text, "<%s>", name);
  add_text(page, text);
  g_string_append_printf(page->text, "</%s>", name);
}

void suite_page_begin(SuitePage *page, const char *title)
{
  if (page->html) {
    g_string_append(page->text, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
    element(page, "title", title);
    g_string_append_printf(page->text, "\n<style>\n%s</style>\n", style);
    element(page, "h1", title);
  } else {
    g_string_append(page->text, "# ");
    add_text(page, title);
  }
  g_string_append(page->text, page->html ? "\n" : "\n\n");
}

void suite_page_end(SuitePage *page)
{
  if (page->html) {
    g_string_append(page->text, "</html>\n");
  } else { /* one line end at the end of the file */
    while (g_str_has_suffix(page->text->str, "\n\n")) {
      g_string_truncate(page->text, page->text->len - 1);
    }
  }
}

void suite_page_heading(SuitePage *page, const char *text)
{
  if (page->html) {
    element(page, "h2", text);
    g_string_append_c(page->text, '\n');
  } else {
    g_string_append(page->text, "## ");
    add_text(page, text);
    g_string_append(page->text, "\n\n");
  }
}

void suite_page_say(SuitePage *page, const char *text)
{
  if (text == NULL) {
    return;
  }
  if (page->html) {
    element(page, "p", text);
    g_string_append_c(page->text, '\n');
  } else {
    add_text(page, text);
    g_string_append(page->text, "\n\n");
  }
}

void suite_page_table(SuitePage *page)
{
  page->head = TRUE;
  g_string_append(page->text, page->html ? "<table>\n" : "");
}

void suite_page_row(SuitePage *page, const GPtrArray *cells)
{
  g_string_append(page->text, page->html ? "<tr>" : "");
  for (guint k = 0; k < cells->len; k++) {
    if (page->html) {
      element(page, page->head ? "th" : "td", cells->pdata[k]);
    } else {
      g_string_append(page->text, "| ");
      add_text(page, cells->pdata[k]);
      g_string_append_c(page->text, ' ');
    }
  }
  g_string_append(page->text, page->html ? "</tr>\n" : "|\n");
  for (guint k = 0; k < cells->len && page->head && !page->html; k++) {
    g_string_append(page->text, k == 0 ? "| --- " : "| ---: ");
  }
  g_string_append(page->text, page->head && !page->html ? "|\n" : "");
  page->head = FALSE;
}

void suite_page_table_end(SuitePage *page)
{
  g_string_append(page->text, page->html ? "</table>\n" : "\n");
}

void suite_page_picture(SuitePage *page, const char *file, const char *href, const char *title)
{
  g_autofree char *svg = NULL;
  if (!page->html) {
    g_string_append_printf(page->text, "![%s](%s)\n\n", title, href);
  } else if (g_file_get_contents(file, &svg, NULL, NULL)) {
    const char *from = strstr(svg, "<svg"); /* past what a file of its own begins with */
    g_string_append_printf(page->text, "%s\n", from != NULL ? from : "");
  }
}
