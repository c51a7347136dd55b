/* hydevs list-blocks: what there is to build models from, out of the class tables. */
#include "list_blocks.h"
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const char teach[] =
    "Examples:\n"
    "  hydevs list-blocks              all blocks, a line each\n"
    "  hydevs list-blocks server       one, with ports and parameters\n"
    "  hydevs list-blocks control      the types of a library\n"
    "  hydevs list-blocks -L .         types of the libraries here, too\n"
    "  hydevs list-blocks --json       all, for programs\n"
    "  hydevs list-blocks --xml        all, as the palette of editors\n"
    "  hydevs list-blocks --markdown   all, as the page docs/library.md\n"
    "  hydevs list-blocks --pdl        all, as a palette of PowerDEVS' editor\n"
    "  hydevs list-blocks --powerdevs  PowerDEVS' blocks and what they are here\n";

/* Equations and circuits stand among the blocks, though they are elements of the language. */
static const char form_palette[] = "Equations";
static const HyPort state_in[] = {
    {.name = "derivative", .kind = HY_SIGNAL, .doc = "of states, inputs and parameters"},
    {.name = NULL}};
static const HyPort state_out[] = {{.name = "out", .kind = HY_SIGNAL, .doc = "the state"},
                                   {.name = NULL}};
static const HyParam state_params[] = {{.name = "x0", .kind = HY_REAL, .doc = "where it starts"},
                                       {.name = NULL}};
static const HyAtomicClass forms[] = {
    {.name = "equations",
     .doc = "a model written as its equations: param, let, in, out, state and function inside",
     .palette = form_palette,
     .example = "<equations name=\"rc\" u=\"gate\"><in name=\"u\"/><state name=\"v\" "
                "derivative=\"(u - v)/1m\"/><out name=\"v\"/></equations>"},
    {.name = "state",
     .doc = "in equations: out' = derivative, out(t0) = x0; methods as for an integrator",
     .palette = form_palette,
     .example = "<state name=\"v\" derivative=\"(u - v)/1m\" x0=\"0\"/>",
     .in = state_in,
     .out = state_out,
     .params = state_params},
    {.name = "circuit",
     .doc =
         "a model written as its circuit: param, let, in, out, function, block and elements inside",
     .palette = "Circuit",
     .example = "<circuit name=\"rc\" u=\"gate\"><in name=\"u\"/><voltage name=\"U\" nodes=\"a 0\" "
                "value=\"u\"/><resistor name=\"R\" nodes=\"a b\" R=\"1k\"/><capacitor name=\"C\" "
                "nodes=\"b 0\" C=\"1u\"/><out name=\"v\" from=\"C.v\"/></circuit>"}};

/* What models can be built from. */
typedef struct {
  HyBlocks *blocks;
  HyLibrary *library;
} Known;

static void known_clear(Known *known)
{
  hy_library_free(known->library);
  hy_blocks_free(known->blocks);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Known, known_clear)

/* What a class of one's own need not say. */
const char *list_palette(const HyAtomicClass *k)
{
  return k->palette != NULL ? k->palette : "Blocks of one's own";
}

gboolean list_is_first(const HyAtomicClass *const *all, guint k)
{
  guint j = 0;
  while (j < k && strcmp(list_palette(all[j]), list_palette(all[k])) != 0) {
    j++;
  }
  return j == k;
}

static const char *or_nothing(const char *text)
{
  return text != NULL ? text : "";
}

static int first_line(const char *text)
{
  return (int)strcspn(text, "\n");
}

/* Newly allocated, ends with NULL. */
static const HyAtomicClass **all_blocks(const Known *known)
{
  GPtrArray *all = g_ptr_array_new();
  const HyAtomicClass *const *const lists[] = {
      hy_blocks_all(known->blocks), hy_library_types(known->library), hy_circuit_elements()};
  for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
    for (const HyAtomicClass *const *k = lists[i]; *k != NULL; k++) {
      g_ptr_array_add(all, (gpointer)*k);
    }
  }
  for (guint k = 0; k < G_N_ELEMENTS(forms); k++) {
    g_ptr_array_add(all, (gpointer)&forms[k]);
  }
  g_ptr_array_add(all, NULL);
  return (const HyAtomicClass **)g_ptr_array_free(all, FALSE);
}

/* NULL: none. */
static const HyAtomicClass *find_block(const Known *known, const char *name)
{
  g_autofree const HyAtomicClass **all = all_blocks(known);
  const HyAtomicClass *const *k = all;
  while (*k != NULL && strcmp((*k)->name, name) != 0) {
    k++;
  }
  return *k;
}

char *list_values(const HyParam *p)
{
  static const char *const kinds[] = {"a number", "a whole number",    "true or false",
                                      "a text",   "a list of numbers", "a list of values",
                                      "a text"};
  static const char *const ranges[] = {"", " above 0", ", 0 or more", ", 0 to 1"};
  if (p->choices != NULL) {
    return g_strdup_printf("one of %s", p->choices);
  }
  return g_strconcat(kinds[p->kind], ranges[p->range], NULL);
}

char *list_default(const HyParam *p)
{
  char text[HY_DOUBLE_SIZE];
  if (p->required) {
    return NULL;
  }
  switch (p->kind) {
  case HY_BOOLEAN:
    return g_strdup(p->text != NULL ? p->text : p->value != 0 ? "true" : "false");
  case HY_REAL:
  case HY_INTEGER: /* of types of libraries as it is written */
    return g_strdup(p->text != NULL ? p->text : hy_double_text(text, p->value));
  default:
    return g_strdup(p->text != NULL ? p->text : "");
  }
}

/* Text ------------------------------------------------------------------------------------------
 */

static void ports_text(const char *title, const HyPort *p)
{
  if (p == NULL || p->name == NULL) {
    return;
  }
  printf("\n%s\n", title);
  for (; p->name != NULL; p++) {
    g_autofree char *name = g_strdup_printf("%s%s", p->name, p->array ? "[...]" : "");
    printf("  %-14s %s%s%s%s%s%s%s\n", name, p->kind == HY_EVENT ? "events" : "signal",
           p->optional ? ", optional" : "", p->unit != NULL ? ", in " : "",
           p->unit != NULL ? p->unit : "", p->doc != NULL ? ": " : "", p->doc != NULL ? p->doc : "",
           "");
  }
}

static void params_text(const HyParam *p)
{
  if (p == NULL || p->name == NULL) {
    return;
  }
  puts("\nParameters");
  for (; p->name != NULL; p++) {
    g_autofree char *values = list_values(p), *value = list_default(p);
    printf("  %-14s %s%s%s", p->name, values, p->unit != NULL ? ", in " : "",
           p->unit != NULL ? p->unit : "");
    if (p->required) {
      fputs("; must be set", stdout);
    } else if (*value != '\0') {
      printf("; %s if not set", value);
    }
    printf("%s%s\n", p->doc != NULL ? ": " : "", p->doc != NULL ? p->doc : "");
  }
}

static void block_text(const HyAtomicClass *k)
{
  const char *doc = or_nothing(k->doc), *rest = strchr(doc, '\n');
  printf("%s: %.*s\n%s%s", k->name, first_line(doc), doc, or_nothing(rest),
         rest != NULL ? "\n" : "");
  ports_text("Inputs", k->in);
  ports_text("Outputs", k->out);
  params_text(k->params);
  g_auto(GStrv) lines = g_strsplit(or_nothing(k->example), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    printf("%s  %s\n", i == 0 ? "\nExample\n" : "", lines[i]);
  }
}

static void line_text(const HyAtomicClass *k)
{
  const char *doc = or_nothing(k->doc);
  printf("  %-18s %.*s\n", k->name, first_line(doc), doc);
}

static void list_text(const HyAtomicClass *const *all)
{
  for (guint k = 0; all[k] != NULL; k++) {
    if (!list_is_first(all, k)) {
      continue;
    }
    const char *palette = list_palette(all[k]);
    printf("%s%s\n", k == 0 ? "" : "\n", palette);
    for (guint j = k; all[j] != NULL; j++) {
      if (strcmp(list_palette(all[j]), palette) == 0) {
        line_text(all[j]);
      }
    }
  }
}

/* Whether K is a type of LIBRARY. */
static gboolean is_of(const HyAtomicClass *k, const char *library)
{
  gsize n = strlen(library);
  return strncmp(k->name, library, n) == 0 && k->name[n] == '.';
}

/* A line for each type of LIBRARY; how many. */
static guint list_library(const Known *known, const char *library)
{
  guint n = 0;
  for (const HyAtomicClass *const *k = hy_library_types(known->library); *k != NULL; k++) {
    if (is_of(*k, library)) {
      line_text(*k);
      n++;
    }
  }
  return n;
}

/* JSON ------------------------------------------------------------------------------------------
 */

static void ports_json(HyJsonOut *json, const char *name, const HyPort *p)
{
  hy_json_begin(json, name, '[');
  for (; p != NULL && p->name != NULL; p++) {
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "name", p->name);
    hy_json_text(json, "kind", p->kind == HY_EVENT ? "event" : "signal");
    hy_json_bool(json, "array", p->array);
    hy_json_bool(json, "optional", p->optional);
    hy_json_text(json, "unit", p->unit);
    hy_json_text(json, "doc", p->doc);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

static void params_json(HyJsonOut *json, const HyParam *p)
{
  hy_json_begin(json, "params", '[');
  for (; p != NULL && p->name != NULL; p++) {
    g_autofree char *values = list_values(p), *value = list_default(p);
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "name", p->name);
    hy_json_text(json, "values", values);
    hy_json_bool(json, "required", p->required);
    hy_json_text(json, "default", value);
    hy_json_text(json, "unit", p->unit);
    hy_json_text(json, "doc", p->doc);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

static void block_json(HyJsonOut *json, const HyAtomicClass *k)
{
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "name", k->name);
  hy_json_text(json, "palette", list_palette(k));
  hy_json_text(json, "doc", k->doc);
  ports_json(json, "in", k->in);
  ports_json(json, "out", k->out);
  params_json(json, k->params);
  hy_json_text(json, "example", k->example);
  hy_json_end(json, '}');
}

static void show_json(const HyAtomicClass *const *all, const HyAtomicClass *only)
{
  g_autoptr(GString) out = g_string_new(NULL);
  HyJsonOut json = {.out = out, .tight = TRUE};
  if (only != NULL) {
    block_json(&json, only);
  } else {
    hy_json_begin_lines(&json, NULL, '[');
    for (guint k = 0; all[k] != NULL; k++) {
      block_json(&json, all[k]);
    }
    hy_json_end(&json, ']');
  }
  puts(out->str);
}

/* XML: the palette -------------------------------------------------------------------------------
 */

static void attribute(GString *out, const char *name, const char *text)
{
  if (text != NULL) {
    g_autofree char *escaped = g_markup_escape_text(text, -1);
    g_string_append_printf(out, " %s=\"%s\"", name, escaped);
  }
}

static void ports_xml(GString *out, const char *element, const HyPort *p)
{
  for (; p != NULL && p->name != NULL; p++) {
    g_string_append_printf(out, "      <%s", element);
    attribute(out, "name", p->name);
    attribute(out, "kind", p->kind == HY_EVENT ? "event" : "signal");
    attribute(out, "array", p->array ? "true" : NULL);
    attribute(out, "optional", p->optional ? "true" : NULL);
    attribute(out, "unit", p->unit);
    attribute(out, "doc", p->doc);
    g_string_append(out, "/>\n");
  }
}

static void block_xml(GString *out, const HyAtomicClass *k)
{
  g_string_append(out, "    <block");
  attribute(out, "name", k->name);
  attribute(out, "doc", k->doc);
  g_string_append(out, ">\n");
  ports_xml(out, "in", k->in);
  ports_xml(out, "out", k->out);
  for (const HyParam *p = k->params; p != NULL && p->name != NULL; p++) {
    g_autofree char *values = list_values(p), *value = list_default(p);
    g_string_append(out, "      <param");
    attribute(out, "name", p->name);
    attribute(out, "value", value);
    attribute(out, "values", values);
    attribute(out, "unit", p->unit);
    attribute(out, "doc", p->doc);
    g_string_append(out, "/>\n");
  }
  g_autofree char *example = g_markup_escape_text(or_nothing(k->example), -1);
  g_string_append_printf(out, "      <example>%s</example>\n    </block>\n", example);
}

static void show_xml(const HyAtomicClass *const *all)
{
  g_autoptr(GString) out = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                        "<!-- Made by: hydevs list-blocks --xml -->\n"
                                        "<palette xmlns=\"urn:hydevs:palette:1\">\n");
  for (guint k = 0; all[k] != NULL; k++) {
    if (!list_is_first(all, k)) {
      continue;
    }
    g_string_append(out, "  <group");
    attribute(out, "name", list_palette(all[k]));
    g_string_append(out, ">\n");
    for (guint j = k; all[j] != NULL; j++) {
      if (strcmp(list_palette(all[j]), list_palette(all[k])) == 0) {
        block_xml(out, all[j]);
      }
    }
    g_string_append(out, "  </group>\n");
  }
  g_string_append(out, "</palette>\n");
  fputs(out->str, stdout);
}

/* -----------------------------------------------------------------------------------------------
 */

/* "power.buck" of "buck", else a name like it; NULL: there is none. */
static const char *meant(const HyAtomicClass *const *all, const char *name)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  for (guint k = 0; all[k] != NULL; k++) {
    const char *dot = strrchr(all[k]->name, '.');
    if (dot != NULL && strcmp(dot + 1, name) == 0) {
      return all[k]->name;
    }
    g_ptr_array_add(names, (gpointer)all[k]->name);
  }
  g_ptr_array_add(names, NULL);
  return hy_nearest(name, (const char *const *)names->pdata);
}

static int unknown(const Known *known, const char *name)
{
  g_autofree const HyAtomicClass **all = all_blocks(known);
  const char *near = meant(all, name);
  static const char *const elements[] = {"machine", "equations", "circuit", "coupled", NULL};
  if (g_strv_contains(elements, name)) {
    return cli_usage("list-blocks", "<%s> is an element of the language (docs/language.md)%s", name,
                     "");
  }
  return cli_usage("list-blocks",
                   near != NULL ? "there is no block \"%s\"; did you mean \"%s\"?"
                                : "there is no block \"%s\"%s",
                   name, near != NULL ? near : "");
}

/* The first one that is asked for; LIST_TEXT if none is. */
typedef enum {
  LIST_XML,
  LIST_MARKDOWN,
  LIST_PDL,
  LIST_THEIRS,
  LIST_JSON,
  LIST_NAMES,
  LIST_TEXT,
  LIST_FORMS
} ListForm;

/* ONLY: NULL: all. */
static void show(const Known *known, const HyAtomicClass *only, ListForm form)
{
  g_autofree const HyAtomicClass **all = all_blocks(known);
  if (form == LIST_XML) {
    show_xml(all);
  } else if (form == LIST_MARKDOWN) {
    list_markdown(all);
  } else if (form == LIST_PDL) {
    g_autofree char *palette = hy_powerdevs_palette();
    fputs(palette, stdout);
  } else if (form == LIST_THEIRS) {
    g_autofree char *table = hy_powerdevs_table();
    fputs(table, stdout);
  } else if (form == LIST_JSON) {
    show_json(all, only);
  } else if (only != NULL) {
    block_text(only);
  } else if (form == LIST_NAMES) {
    for (guint k = 0; all[k] != NULL; k++) {
      puts(all[k]->name);
    }
  } else {
    list_text(all);
  }
}

int cli_list_blocks(int argc, char **argv)
{
  gboolean asked[LIST_FORMS] = {FALSE};
  g_auto(GStrv) files = NULL;
  g_auto(GStrv) folders = NULL;
  g_auto(Known) known = {0};
  const GOptionEntry entries[] = {
      {"json", 0, 0, G_OPTION_ARG_NONE, &asked[LIST_JSON], "As JSON", NULL},
      {"xml", 0, 0, G_OPTION_ARG_NONE, &asked[LIST_XML], "All, as the palette of editors", NULL},
      {"markdown", 0, 0, G_OPTION_ARG_NONE, &asked[LIST_MARKDOWN], "All, as a page", NULL},
      {"pdl", 0, 0, G_OPTION_ARG_NONE, &asked[LIST_PDL], "All, as a palette of PowerDEVS' editor",
       NULL},
      {"powerdevs", 0, 0, G_OPTION_ARG_NONE, &asked[LIST_THEIRS],
       "The blocks of PowerDEVS and what they are here, as a table", NULL},
      {"names", 0, 0, G_OPTION_ARG_NONE, &asked[LIST_NAMES], "Only the names", NULL},
      {"library", 'L', 0, G_OPTION_ARG_FILENAME_ARRAY, &folders,
       "A folder with libraries, to show their types, too; may be repeated", "DIR"},
      CLI_BLOCKS(&files),
      {0},
  };
  const CliPage page = {"list-blocks [NAME|LIBRARY] [OPTIONS]",
                        "Shows the blocks, their ports and parameters.",
                        teach,
                        entries,
                        NULL,
                        NULL};
  int status;
  if (!cli_options(&page, &argc, &argv, &status)) {
    return status;
  }
  if (argc > 2) {
    return cli_usage("list-blocks", "one block at a time");
  }
  if (!cli_blocks(files, &known.blocks, &status)) {
    return status;
  }
  known.library = hy_library_new((const char *const *)folders, known.blocks);
  const HyAtomicClass *only = argc == 2 ? find_block(&known, argv[1]) : NULL;
  ListForm form = LIST_XML;
  while (form < LIST_TEXT && !asked[form]) {
    form++;
  }
  if (argc == 2 && only == NULL && form == LIST_TEXT && list_library(&known, argv[1]) > 0) {
    return cli_finish(0);
  }
  if (argc == 2 && only == NULL) {
    return unknown(&known, argv[1]);
  }
  show(&known, only, form);
  return cli_finish(0);
}
