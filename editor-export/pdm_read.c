/* The text of a .pdm: one item a line, sections in braces that stand alone, keys in a fixed order.
 *
 *   Coupled { Type Name Ports Description Graphic Parameters System }
 *   Atomic  { Name Ports Path Description Graphic Parameters [Extra] }
 *   System  { Inport Outport Atomic Coupled Point Line ..., in any order, [Extra] }
 *
 * The file format is that of PowerDEVS (Bergero and Kofman), which has no description but its
 * program. The first mistake of structure ends the reading, since what follows has no meaning; it
 * is said in one message with its line. What PowerDEVS loses without a word is a warning. */
#include "editor-export/pdm.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  PdmFile *file;
  HyReport *report;
  char **lines;
  guint at;   /* lines taken so far: the number of the last one */
  char *text; /* that line, without comment and blanks; NULL: behind the end */
  gboolean failed, blank_told;
  guint depth;
} Reader;

static void fail(Reader *r, guint line, const char *format, ...) G_GNUC_PRINTF(3, 4);
static void fail(Reader *r, guint line, const char *format, ...)
{
  if (!r->failed) {
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    hy_report_error(r->report, r->file->file, line, "%s", text);
    r->failed = TRUE;
  }
}

/* Lines ------------------------------------------------------------------------------------------
 */

/* A comment behind a blank is meant; one inside a word, as in http://, is a loss. */
static void cut_comment(Reader *r, char *text)
{
  char *comment = strstr(text, "//");
  if (comment == NULL) {
    return;
  }
  if (comment > text && !g_ascii_isspace(comment[-1])) {
    hy_report_warning(r->report, r->file->file, r->at,
                      "\"%s\" is lost: // begins a comment in this format, also inside texts",
                      comment);
  }
  *comment = '\0';
}

/* The next line that is not blank. */
static char *next_line(Reader *r)
{
  for (;;) {
    if (r->lines[r->at] == NULL) {
      return r->text = NULL;
    }
    char *text = r->lines[r->at++];
    gboolean blank = *g_strstrip(text) == '\0';
    cut_comment(r, text);
    r->text = g_strstrip(text);
    if (*r->text != '\0') {
      return r->text;
    }
    if (blank && !r->blank_told && r->lines[r->at] != NULL) {
      hy_report_warning(r->report, r->file->file, r->at,
                        "a blank line: the editor of PowerDEVS refuses such a file");
      r->blank_told = TRUE;
    }
  }
}

static gboolean expect(Reader *r, const char *word)
{
  if (r->failed) {
    return FALSE;
  }
  if (next_line(r) == NULL) {
    fail(r, r->at, "the file ends where \"%s\" is expected", word);
  } else if (strcmp(r->text, word) != 0) {
    fail(r, r->at, "\"%s\" is expected here, and not \"%.60s\"", word, r->text);
  }
  return !r->failed;
}

/* The value of the line `KEY = value`, which must be the next one; "" after a mistake. */
static char *key(Reader *r, const char *name)
{
  static char nothing[] = "";
  if (r->failed) {
    return nothing;
  }
  if (next_line(r) == NULL) {
    fail(r, r->at, "the file ends where \"%s = ...\" is expected", name);
    return nothing;
  }
  gsize n = strlen(name);
  if (strncmp(r->text, name, n) != 0 || (r->text[n] != ' ' && r->text[n] != '=')) {
    fail(r, r->at, "\"%s = ...\" is expected here, and not \"%.60s\"", name, r->text);
  } else if (r->text[n] != ' ' || r->text[n + 1] != '=') {
    fail(r, r->at, "\"%.60s\": write \"%s = ...\" with one blank before \"=\"", r->text, name);
  }
  return r->failed ? nothing : g_strstrip(r->text + n + 2);
}

static const char *key_text(Reader *r, const char *name)
{
  return pdm_keep(r->file, key(r, name));
}

/* Exactly N whole numbers with ";" between. */
static gboolean whole(Reader *r, const char *name, const char *text, int *numbers, guint n)
{
  g_auto(GStrv) parts = g_strsplit(text, ";", -1);
  gboolean ok = g_strv_length(parts) == n;
  for (guint k = 0; ok && k < n; k++) {
    gint64 v;
    ok = g_ascii_string_to_signed(g_strstrip(parts[k]), 10, G_MININT, G_MAXINT, &v, NULL);
    numbers[k] = ok ? (int)v : 0;
  }
  if (!ok) {
    fail(r, r->at, "%s = %.60s: %u whole number%s expected%s", name, text, n,
         n == 1 ? " is" : "s are", n == 1 ? "" : ", with \";\" between");
  }
  return ok;
}

static gboolean key_whole(Reader *r, const char *name, int *numbers, guint n)
{
  const char *text = key(r, name);
  return !r->failed && whole(r, name, text, numbers, n);
}

static int key_number(Reader *r, const char *name)
{
  int number = 0;
  key_whole(r, name, &number, 1);
  return number;
}

/* Parameters ------------------------------------------------------------------------------------
 */

static void check_param(Reader *r, const PdmParam *p)
{
  if (strcmp(p->type, "Val") == 0) {
    char *end = NULL;
    g_ascii_strtod(p->value, &end);
    if (end == p->value || *end != '\0') {
      fail(r, p->line, "parameter %s: a Val must be a number, and not \"%.60s\"", p->name,
           p->value);
    }
  } else if (strcmp(p->type, "Lst") == 0) {
    g_autofree char *option = pdm_option(p->value);
    if (option == NULL) {
      fail(r, p->line, "parameter %s: the list \"%.60s\" has no such option; write k%%a%%b%%",
           p->name, p->value);
    }
  } else if (strcmp(p->type, "Str") != 0) {
    fail(r, p->line, "parameter %s: its type is Str, Val or Lst, and not \"%.60s\"", p->name,
         p->type);
  } else if (strchr(p->value, '"') != NULL) {
    hy_report_warning(r->report, r->file->file, p->line,
                      "parameter %s: PowerDEVS cannot compile a value with a quote", p->name);
  }
}

static void read_param(Reader *r, PdmBlock *b)
{
  char *equal = strchr(r->text, '=');
  if (equal == NULL) {
    fail(r, r->at, "a parameter is \"name = Str; value ; description\", and not \"%.60s\"",
         r->text);
    return;
  }
  *equal = '\0';
  PdmParam p = {.line = r->at, .name = pdm_keep(r->file, g_strstrip(r->text))};
  p.raw = pdm_keep(r->file, g_strstrip(equal + 1));
  guint n = pdm_param_parse(r->file, &p);
  if (n < 3) {
    fail(r, r->at,
         "parameter %s: two \";\" are needed (\"Str; value ; description\"); PowerDEVS would take "
         "an empty value",
         p.name);
    return;
  }
  if (n > 3 && strchr(p.raw, '[') == NULL) {
    hy_report_warning(r->report, r->file->file, r->at,
                      "parameter %s: of several \";\" only the last begins the description; in a "
                      "value write \\;",
                      p.name);
  }
  check_param(r, &p);
  if (pdm_param(b, p.name) != NULL) {
    hy_report_warning(r->report, r->file->file, r->at,
                      "parameter %s stands twice; the first counts", p.name);
  }
  g_array_append_val(b->params, p);
}

/* The lines up to "}"; each goes to READ. */
static void body(Reader *r, PdmBlock *b, const char *section, void (*read)(Reader *, PdmBlock *))
{
  guint begin = r->at;
  if (!expect(r, "{")) {
    return;
  }
  while (!r->failed && next_line(r) != NULL && strcmp(r->text, "}") != 0) {
    read(r, b);
  }
  if (!r->failed && r->text == NULL) {
    fail(r, begin, "%s is never closed with \"}\"", section);
  }
}

static void read_extra(Reader *r, PdmBlock *b)
{
  const char *text = pdm_keep(r->file, r->text);
  g_array_append_val(b->extra, text);
}

/* Graphics --------------------------------------------------------------------------------------
 */

static const char *read_direction(Reader *r)
{
  static const char *const known[] = {"Right", "Down", "Left", "Up", NULL};
  const char *text = key(r, "Direction");
  if (!r->failed && !g_strv_contains(known, text)) {
    fail(r, r->at, "Direction = %.60s: choose Right, Down, Left or Up", text);
  }
  return pdm_keep(r->file, text);
}

static void read_position(Reader *r, int *x, int *y)
{
  int xy[2] = {0, 0};
  key_whole(r, "Position", xy, 2);
  *x = xy[0];
  *y = xy[1];
}

static void read_graphic(Reader *r, PdmBlock *b)
{
  int size[2] = {0, 0};
  if (!expect(r, "Graphic") || !expect(r, "{")) {
    return;
  }
  b->drawn = TRUE;
  read_position(r, &b->x, &b->y);
  key_whole(r, "Dimension", size, 2);
  b->width = size[0];
  b->height = size[1];
  b->direction = read_direction(r);
  b->color = key_number(r, "Color");
  b->icon = key_text(r, "Icon");
  b->window = b->coupled ? key_text(r, "Window") : "";
  expect(r, "}");
}

/* Ports, points, lines --------------------------------------------------------------------------
 */

static void read_port(Reader *r, PdmBlock *b, gboolean out)
{
  PdmPort p = {.out = out, .line = r->at};
  expect(r, "{");
  p.name = key_text(r, "Name");
  p.number = key_number(r, "CoupledPort");
  p.doc = key_text(r, "Description");
  expect(r, "Graphic");
  expect(r, "{");
  read_position(r, &p.x, &p.y);
  p.size = key_number(r, "Dimension");
  p.direction = read_direction(r);
  expect(r, "}");
  expect(r, "}");
  g_array_append_val(b->ports, p);
}

static void read_numbers(Reader *r, const char *name, GArray *numbers)
{
  const char *text = key(r, name);
  if (r->failed) {
    return;
  }
  g_auto(GStrv) parts = g_strsplit(text, ";", -1);
  for (char **part = parts; *part != NULL && !r->failed; part++) {
    int number;
    if (whole(r, name, *part, &number, 1)) {
      g_array_append_val(numbers, number);
    }
  }
}

static void read_point(Reader *r, PdmBlock *b)
{
  PdmPoint p = {.line = r->at, .lines = g_array_new(FALSE, FALSE, sizeof(int))};
  expect(r, "{");
  read_numbers(r, "ConectedLines", p.lines);
  p.ends = key_text(r, "ConectedExtrems");
  read_position(r, &p.x, &p.y);
  expect(r, "}");
  g_array_append_val(b->points, p);
}

static void read_end(Reader *r, const char *name, PdmEnd *end)
{
  static const char *const kinds[] = {"Cmp", "Prt", "Pnt", "NoC"};
  char *text = key(r, name);
  int numbers[3] = {0, 0, 0};
  if (r->failed) {
    return;
  }
  char *rest = strchr(text, ';');
  g_autofree char *word = g_strndup(text, rest != NULL ? (gsize)(rest - text) : strlen(text));
  guint kind = 0;
  while (kind < G_N_ELEMENTS(kinds) && strcmp(g_strstrip(word), kinds[kind]) != 0) {
    kind++;
  }
  if (rest == NULL || kind == G_N_ELEMENTS(kinds)) {
    fail(r, r->at, "%s = %.60s: an end is Cmp, Prt, Pnt or NoC, and three numbers", name, text);
  } else if (whole(r, name, rest + 1, numbers, 3)) {
    *end = (PdmEnd){(PdmEndKind)kind, numbers[0], numbers[1], numbers[2]};
  }
}

static void read_line(Reader *r, PdmBlock *b)
{
  PdmLine l = {.line = r->at};
  expect(r, "{");
  read_end(r, "Source", &l.end[0]);
  read_end(r, "Sink", &l.end[1]);
  g_autoptr(GArray) x = g_array_new(FALSE, FALSE, sizeof(int));
  g_autoptr(GArray) y = g_array_new(FALSE, FALSE, sizeof(int));
  guint at = r->at;
  l.x = l.y = "";
  if (!r->failed) {
    read_numbers(r, "PointX", x);
    l.x = pdm_keep(r->file, r->failed ? "" : strchr(r->text, '=') + 1);
    read_numbers(r, "PointY", y);
    l.y = pdm_keep(r->file, r->failed ? "" : strchr(r->text, '=') + 1);
  }
  if (!r->failed && x->len != y->len) {
    fail(r, at + 1, "PointX has %u numbers, and PointY has %u", x->len, y->len);
  }
  expect(r, "}");
  g_array_append_val(b->lines, l);
}

/* Blocks ----------------------------------------------------------------------------------------
 */

static void read_item(Reader *r, PdmBlock *b);

static void read_ports(Reader *r, PdmBlock *b)
{
  int n[2] = {0, 0};
  if (key_whole(r, "Ports", n, 2) && (n[0] < 0 || n[1] < 0 || n[0] > 10000 || n[1] > 10000)) {
    fail(r, r->at, "Ports = %d; %d: numbers from 0 to 10000 are expected", n[0], n[1]);
  }
  b->n_in = n[0];
  b->n_out = n[1];
}

/* The parameters of a block, and what it ends with. */
static void read_parameters(Reader *r, PdmBlock *b)
{
  read_graphic(r, b);
  if (expect(r, "Parameters")) {
    body(r, b, "Parameters", read_param);
  }
}

static void read_atomic(Reader *r, PdmBlock *b)
{
  expect(r, "{");
  b->name = key_text(r, "Name");
  read_ports(r, b);
  b->path = key_text(r, "Path");
  b->doc = key_text(r, "Description");
  read_parameters(r, b);
  if (r->failed) {
    return;
  }
  if (next_line(r) != NULL && strcmp(r->text, "Extra") == 0) {
    body(r, b, "Extra", read_extra);
    next_line(r);
  }
  if (!r->failed && (r->text == NULL || strcmp(r->text, "}") != 0)) {
    fail(r, r->at, "\"}\" is expected here, and not \"%.60s\"", r->text != NULL ? r->text : "");
  }
}

static void read_coupled(Reader *r, PdmBlock *b)
{
  if (++r->depth > PDM_MAX_NESTED) {
    fail(r, r->at, "coupled models are nested more than %d deep", PDM_MAX_NESTED);
    return;
  }
  expect(r, "{");
  const char *type = key(r, "Type"), *wanted = b->parent == NULL ? "Root" : "Coordinator";
  if (!r->failed && strcmp(type, wanted) != 0) {
    fail(r, r->at, "Type = %.60s: %s is expected here", type, wanted);
  }
  b->name = key_text(r, "Name");
  read_ports(r, b);
  b->doc = key_text(r, "Description");
  read_parameters(r, b);
  if (expect(r, "System")) {
    body(r, b, "System", read_item);
  }
  expect(r, "}");
  r->depth--;
}

static void read_item(Reader *r, PdmBlock *b)
{
  if (strcmp(r->text, "Atomic") == 0) {
    read_atomic(r, pdm_block_new(b, FALSE, r->at));
  } else if (strcmp(r->text, "Coupled") == 0) {
    read_coupled(r, pdm_block_new(b, TRUE, r->at));
  } else if (strcmp(r->text, "Inport") == 0 || strcmp(r->text, "Outport") == 0) {
    read_port(r, b, r->text[0] == 'O');
  } else if (strcmp(r->text, "Point") == 0) {
    read_point(r, b);
  } else if (strcmp(r->text, "Line") == 0) {
    read_line(r, b);
  } else if (strcmp(r->text, "Extra") == 0) {
    body(r, b, "Extra", read_extra);
  } else {
    fail(r, r->at,
         "\"%.60s\": in a System stand Inport, Outport, Atomic, Coupled, Point, Line and Extra",
         r->text);
  }
}

PdmFile *pdm_read(const char *file, const char *text, HyReport *report)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  g_autoptr(PdmFile) f = pdm_file_new(file);
  Reader r = {.file = f, .report = report, .lines = lines};
  if (next_line(&r) == NULL) {
    fail(&r, 0, "the file is empty");
  } else if (strcmp(r.text, "Coupled") != 0) {
    fail(&r, r.at, "this is no PowerDEVS model: it begins with \"Coupled\", and not \"%.60s\"",
         r.text);
  } else {
    f->root = pdm_block_new(NULL, TRUE, r.at);
    read_coupled(&r, f->root);
  }
  if (!r.failed && next_line(&r) != NULL) {
    fail(&r, r.at, "\"%.60s\" stands behind the end of the model", r.text);
  }
  return !r.failed && pdm_couple(f, f->root, report) ? g_steal_pointer(&f) : NULL;
}
