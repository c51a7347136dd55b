/* The .pds, what the preprocessor of PowerDEVS makes of a drawing: blocks with the values of their
 * parameters by position, and couplings by numbers from 0. Names, ports and positions are gone.
 *
 *   Root-Coordinator body;  body = { (Simulator { Path Parameters } | Coordinator body)*
 *                                    EIC { c* } EOC { c* } IC { c* } };  c =
 * (block,port);(block,port)
 */
#include "editor-export/pdm.h"

#include <stdlib.h>
#include <string.h>

/* Writing ---------------------------------------------------------------------------------------
 */

/* Text in quotes, what counts as a number (Val, %Inputs) with seven digits. */
static void write_value(GString *out, const PdmBlock *b, const PdmParam *p)
{
  const PdmBlock *where = b;
  g_autofree char *value = pdm_value(b, p);
  gboolean ports =
      p->value[0] == '%' && (strcmp(p->value, "%Inputs") == 0 || strcmp(p->value, "%Outputs") == 0);
  const PdmParam *source = ports ? NULL : pdm_resolve(b, p, &where);
  if (ports || (source != NULL && strcmp(source->type, "Val") == 0)) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(out, g_ascii_formatd(number, sizeof number, "%e", g_ascii_strtod(value, NULL)));
  } else {
    g_string_append_printf(out, "\"%s\"", value != NULL ? value : "");
  }
}

/* Folders that older models begin with a capital are small ones today. */
static void write_path(GString *out, const char *path)
{
  static const char *const old[] = {"Continuous", "Discrete", "Hybrid", "Qss",  "Realtime",
                                    "Sources",    "Source",   "Sinks",  "Sink", NULL};
  g_autofree char *folder = g_strndup(path, strcspn(path, "/\\"));
  gboolean lower = g_strv_contains(old, folder);
  g_autofree char *small = g_ascii_strdown(folder, -1);
  g_string_append_printf(out, "%s%s", lower ? small : folder, path + strlen(folder));
}

static void write_couplings(GString *out, const PdmBlock *b, const char *name, gboolean from_self,
                            gboolean to_self, int gap)
{
  g_string_append_printf(out, "%*s%s\n%*s {\n", gap, "", name, gap, "");
  for (guint k = 0; k < b->couplings->len; k++) {
    const PdmCoupling *c = &g_array_index(b->couplings, PdmCoupling, k);
    if ((c->from < 0) == from_self && (c->to < 0) == to_self) {
      g_string_append_printf(out, "%*s  (%d,%d);(%d,%d)\n", gap, "", MAX(c->from, 0), c->from_port,
                             MAX(c->to, 0), c->to_port);
    }
  }
  g_string_append_printf(out, "%*s }\n", gap, "");
}

static void write_body(GString *out, const PdmBlock *b, int gap)
{
  g_string_append_printf(out, "%*s{\n", gap, "");
  for (guint k = 0; k < b->blocks->len; k++) {
    const PdmBlock *child = g_ptr_array_index(b->blocks, k);
    if (child->coupled) {
      g_string_append_printf(out, "%*sCoordinator\n", gap + 3, "");
      write_body(out, child, gap + 4);
      continue;
    }
    g_string_append_printf(out, "%*sSimulator\n%*s{\n", gap + 1, "", gap + 2, "");
    g_string_append_printf(out, "%*sPath = ", gap + 3, "");
    write_path(out, child->path);
    g_string_append_printf(out, "\n%*sParameters = ", gap + 3, "");
    for (guint p = 0; p < child->params->len; p++) {
      g_string_append(out, p > 0 ? "," : "");
      write_value(out, child, &g_array_index(child->params, PdmParam, p));
    }
    g_string_append_printf(out, "\n%*s}\n", gap + 2, "");
  }
  write_couplings(out, b, "EIC", TRUE, FALSE, gap + 1);
  write_couplings(out, b, "EOC", FALSE, TRUE, gap + 1);
  write_couplings(out, b, "IC", FALSE, FALSE, gap + 1);
  g_string_append_printf(out, "%*s}\n", gap, "");
}

void pds_write(const PdmFile *file, GString *out)
{
  g_string_append(out, "Root-Coordinator\n");
  write_body(out, file->root, 1);
}

/* Reading ---------------------------------------------------------------------------------------
 */

typedef struct {
  PdmFile *file;
  HyReport *report;
  char **lines;
  guint at, depth;
  char *text; /* NULL: behind the end */
  gboolean failed;
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

static const char *next_line(Reader *r)
{
  do {
    r->text = r->lines[r->at] != NULL ? g_strstrip(r->lines[r->at++]) : NULL;
  } while (r->text != NULL && *r->text == '\0');
  return r->text;
}

static gboolean expect(Reader *r, const char *word)
{
  if (!r->failed && (next_line(r) == NULL || strcmp(r->text, word) != 0)) {
    fail(r, r->at, "\"%s\" is expected here, and not \"%.60s\"", word,
         r->text != NULL ? r->text : "the end of the file");
  }
  return !r->failed;
}

/* What stands behind KEY, "Path =" or "Parameters ="; it may be nothing. */
static const char *key(Reader *r, const char *name)
{
  if (r->failed) {
    return "";
  }
  if (next_line(r) == NULL || !g_str_has_prefix(r->text, name)) {
    fail(r, r->at, "\"%s ...\" is expected here, and not \"%.60s\"", name,
         r->text != NULL ? r->text : "the end of the file");
    return "";
  }
  return pdm_keep(r->file, g_strstrip(r->text + strlen(name)));
}

/* Values with "," between; a text ends at a quote that "," or the end follows. */
static void read_values(Reader *r, PdmBlock *b, const char *text)
{
  while (*text != '\0' && !r->failed) {
    PdmParam p = {.line = r->at, .name = "", .type = "Str", .doc = "", .raw = ""};
    gboolean quoted = *text == '"';
    const char *end = quoted ? strchr(++text, '"') : text + strcspn(text, ",");
    while (quoted && end != NULL && end[1] != ',' && end[1] != '\0') {
      end = strchr(end + 1, '"');
    }
    if (end == NULL) {
      fail(r, r->at, "a text in Parameters has no quote at its end: \"%.40s", text);
      return;
    }
    g_autofree char *value = g_strndup(text, (gsize)(end - text));
    p.type = quoted ? "Str" : "Val";
    p.value = pdm_keep(r->file, value);
    g_array_append_val(b->params, p);
    text = end + (quoted ? 1 : 0);
    text += *text == ',' ? 1 : 0;
  }
}

static void read_simulator(Reader *r, PdmBlock *b)
{
  expect(r, "{");
  b->path = key(r, "Path =");
  b->name = b->path;
  read_values(r, b, key(r, "Parameters ="));
  expect(r, "}");
}

/* A port that is coupled exists; nothing else says how many there are. */
static void widen(int *ports, int port)
{
  *ports = MAX(*ports, port + 1);
}

static void keep_coupling(Reader *r, PdmBlock *b, const char *section, PdmCoupling c)
{
  gboolean from_self = strcmp(section, "EIC") == 0, to_self = strcmp(section, "EOC") == 0;
  int known = (int)b->blocks->len;
  if ((!from_self && c.from >= known) || (!to_self && c.to >= known)) {
    fail(r, r->at, "%s: the blocks here have the numbers 0 to %d", section, known - 1);
    return;
  }
  c.from = from_self ? -1 : c.from;
  c.to = to_self ? -1 : c.to;
  PdmBlock *from = from_self ? b : g_ptr_array_index(b->blocks, (guint)c.from);
  PdmBlock *to = to_self ? b : g_ptr_array_index(b->blocks, (guint)c.to);
  if (from == to) {
    fail(r, r->at, "block %d leads to itself; no block may feed itself", c.from);
    return;
  }
  widen(from_self ? &b->n_in : &from->n_out, c.from_port);
  widen(to_self ? &b->n_out : &to->n_in, c.to_port);
  g_array_append_val(b->couplings, c);
}

/* Whether TEXT is FORM with whole numbers below 100000 for "#". */
static gboolean match_numbers(const char *text, const char *form, int *const numbers[])
{
  for (guint k = 0; *form != '\0'; form++) {
    char *end = NULL;
    if (*form != '#') {
      if (*text++ != *form) {
        return FALSE;
      }
      continue;
    }
    long v = g_ascii_isdigit(*text) ? strtol(text, &end, 10) : -1;
    if (v < 0 || v > 99999) {
      return FALSE;
    }
    *numbers[k++] = (int)v;
    text = end;
  }
  return *text == '\0';
}

static void read_couplings(Reader *r, PdmBlock *b, const char *section)
{
  expect(r, section);
  expect(r, "{");
  while (!r->failed && next_line(r) != NULL && strcmp(r->text, "}") != 0) {
    PdmCoupling c = {.line = r->at};
    int *const numbers[] = {&c.from, &c.from_port, &c.to, &c.to_port};
    if (!match_numbers(r->text, "(#,#);(#,#)", numbers)) {
      fail(r, r->at, "%s: \"(block,port);(block,port)\" is expected, and not \"%.60s\"", section,
           r->text);
      return;
    }
    keep_coupling(r, b, section, c);
  }
  if (!r->failed && r->text == NULL) {
    fail(r, r->at, "%s is never closed with \"}\"", section);
  }
}

static void read_body(Reader *r, PdmBlock *b)
{
  if (++r->depth > PDM_MAX_NESTED) {
    fail(r, r->at, "coordinators are nested more than %d deep", PDM_MAX_NESTED);
  }
  expect(r, "{");
  while (!r->failed && next_line(r) != NULL && strcmp(r->text, "EIC") != 0) {
    if (strcmp(r->text, "Simulator") == 0) {
      read_simulator(r, pdm_block_new(b, FALSE, r->at));
    } else if (strcmp(r->text, "Coordinator") == 0) {
      PdmBlock *child = pdm_block_new(b, TRUE, r->at);
      child->name = "coordinator";
      read_body(r, child);
    } else {
      fail(r, r->at, "Simulator, Coordinator or EIC is expected here, and not \"%.60s\"", r->text);
    }
  }
  if (!r->failed && r->text == NULL) {
    fail(r, r->at, "the file ends where \"EIC\" is expected");
  }
  r->at -= r->failed ? 0 : 1; /* EIC is read again */
  read_couplings(r, b, "EIC");
  read_couplings(r, b, "EOC");
  read_couplings(r, b, "IC");
  expect(r, "}");
  r->depth--;
}

/* Ports that only parameters tell of: a sum has as many inputs as its last parameter but one says.
 * Nobody needs them: what is not coupled is 0. */
PdmFile *pds_read(const char *file, const char *text, HyReport *report)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  g_autoptr(PdmFile) f = pdm_file_new(file);
  Reader r = {.file = f, .report = report, .lines = lines};
  expect(&r, "Root-Coordinator");
  f->root = pdm_block_new(NULL, TRUE, r.at);
  g_autofree char *base = g_path_get_basename(file);
  char *dot = strrchr(base, '.');
  if (dot != NULL) {
    *dot = '\0';
  }
  f->root->name = pdm_keep(f, base);
  if (!r.failed) {
    read_body(&r, f->root);
  }
  if (!r.failed && next_line(&r) != NULL) {
    fail(&r, r.at, "\"%.60s\" stands behind the end of the model", r.text);
  }
  return r.failed ? NULL : g_steal_pointer(&f);
}
