/* hydevs list-blocks --markdown: the reference of all blocks and types, docs/library.md. */
#include "list_blocks.h"

#include <string.h>

/* As text of a page, in a cell of a table: nothing in it is a sign of Markdown but backticks. */
static void cell(GString *out, const char *text)
{
  gboolean code = FALSE;
  g_string_append(out, "| ");
  for (; text != NULL && *text != '\0'; text++) {
    code ^= *text == '`';
    if (*text == '|' || (!code && strchr("*[]", *text) != NULL)) {
      g_string_append_c(out, '\\');
    }
    if (*text == '<' && !code) {
      g_string_append(out, "&lt;");
    } else {
      g_string_append_c(out, *text == '\n' ? ' ' : *text);
    }
  }
  g_string_append_c(out, ' ');
}

static void ports(GString *out, const char *direction, const HyPort *p)
{
  for (; p != NULL && p->name != NULL; p++) {
    g_autofree char *name = g_strdup_printf("`%s%s`", p->name, p->array ? "[...]" : "");
    g_autofree char *what =
        g_strdup_printf("%s, %s%s", direction, p->kind == HY_EVENT ? "events" : "signal",
                        p->optional ? ", may stay open" : "");
    cell(out, name);
    cell(out, what);
    cell(out, p->unit);
    cell(out, "");
    cell(out, p->doc);
    g_string_append(out, "|\n");
  }
}

static void params(GString *out, const HyParam *p)
{
  for (; p != NULL && p->name != NULL; p++) {
    g_autofree char *name = g_strdup_printf("`%s`", p->name), *values = list_values(p),
                    *value = list_default(p);
    g_autofree char *given =
        value != NULL && *value != '\0' ? g_strdup_printf("`%s`", value) : g_strdup("");
    cell(out, name);
    cell(out, values);
    cell(out, p->unit);
    cell(out, value == NULL ? "must" : given);
    cell(out, p->doc);
    g_string_append(out, "|\n");
  }
}

static gboolean has_rows(const HyAtomicClass *k)
{
  return (k->in != NULL && k->in->name != NULL) || (k->out != NULL && k->out->name != NULL) ||
         (k->params != NULL && k->params->name != NULL);
}

static void fence(GString *out, const char *language, const char *text)
{
  g_autofree char *inside = g_strchomp(g_strdup(text));
  g_string_append_printf(out, "\n```%s\n%s\n```\n", language,
                         inside + strspn(inside, "\n")); /* lines keep their indent */
}

static void block(GString *out, const HyAtomicClass *k)
{
  const char *doc = k->doc != NULL ? k->doc : "", *rest = strchr(doc, '\n');
  g_autofree char *line = g_strndup(doc, strcspn(doc, "\n"));
  g_autoptr(GString) text = g_string_new(NULL);
  cell(text, line);
  g_string_append_printf(out, "\n### %s\n\n%s\n", k->name, g_strchomp(text->str + strlen("| ")));
  if (rest != NULL) {
    fence(out, "text", rest);
  }
  if (has_rows(k)) {
    g_string_append(out,
                    "\n| name | is | unit | if not given | |\n| --- | --- | --- | --- | --- |\n");
    ports(out, "input", k->in);
    ports(out, "output", k->out);
    params(out, k->params);
  }
  if (k->example != NULL) {
    fence(out, "xml", k->example);
  }
}

/* All of the palette of block K: their names, or each of them. */
static void group(GString *out, const HyAtomicClass *const *all, guint k, gboolean names)
{
  const char *palette = list_palette(all[k]);
  g_string_append_printf(out, names ? "| %s |" : "\n## %s\n", palette);
  for (; all[k] != NULL; k++) {
    if (strcmp(list_palette(all[k]), palette) != 0) {
      continue;
    }
    if (names) {
      g_string_append_printf(out, " `%s`", all[k]->name);
    } else {
      block(out, all[k]);
    }
  }
  g_string_append(out, names ? " |\n" : "");
}

void list_markdown(const HyAtomicClass *const *all)
{
  g_autoptr(GString) out = g_string_new(
      "<!-- Made by: hydevs list-blocks --markdown -->\n# Blocks and types of the library\n\n"
      "Names without a dot are elements, `<gain .../>`; those with one are types of a library, "
      "`<block type=\"control.pi\" .../>`.\nWhat holds for all of them is in "
      "[language.md](language.md).\n\n| palette | |\n| --- | --- |\n");
  for (gboolean names = TRUE; names >= FALSE; names--) {
    for (guint k = 0; all[k] != NULL; k++) {
      if (list_is_first(all, k)) {
        group(out, all, k, names);
      }
    }
  }
  g_print("%s", out->str);
}
