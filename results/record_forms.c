/* Recordings for other programs: ngspice, NumPy, viewers of waveforms, readers of lines of JSON. */
#include "record_forms.h"

#include "hydevs/error.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

#define TITLE 400 /* bytes: ngspice reads lines of 511 */
#define NPY   64  /* the head of such a file is a multiple of it */

/* Names --------------------------------------------------------------------------------------- */

/* The path of a column as one word, and none that is "time", which is the first column's. */
static void add_name(GString *out, const HyColumn *c)
{
  for (const char *at = c->path; *at != '\0'; at++) {
    g_string_append_c(out, (guchar)*at <= 0x20 ? '_' : *at);
  }
  g_string_append(out, g_ascii_strcasecmp(c->path, "time") == 0 ? "_" : "");
}

/* ABOUT on one line of at most TITLE bytes. */
static void add_title(GString *out, const char *about)
{
  g_autofree char *cut = g_strndup(about, TITLE);
  g_autofree char *valid = g_utf8_make_valid(cut, -1);
  for (const char *at = valid; *at != '\0'; at++) {
    g_string_append_c(out, (guchar)*at < 0x20 ? ' ' : *at);
  }
}

/* ngspice ------------------------------------------------------------------------------------- */

/* What ngspice calls a quantity of this unit. */
static const char *spice_type(const char *unit)
{
  static const char *const types[][2] = {
      {"V", "voltage"}, {"A", "current"},     {"s", "time"},       {"Hz", "frequency"},
      {"W", "power"},   {"Ohm", "impedance"}, {"S", "admittance"}, {"K", "temp-sweep"}};
  for (guint k = 0; unit != NULL && k < G_N_ELEMENTS(types); k++) {
    if (strcmp(unit, types[k][0]) == 0) {
      return types[k][1];
    }
  }
  return "notype";
}

/* The head of what its command `write` makes, without the date. */
static gsize raw_head(GString *out, const HyRowHead *h)
{
  g_string_append(out, "Title: ");
  add_title(out, h->about);
  g_string_append_printf(out,
                         "\nPlotname: Transient Analysis\nFlags: real\nNo. Variables: %u\n"
                         "No. Points: ",
                         h->n + 1);
  gsize count = out->len;
  g_string_append_printf(out, "%*d\nVariables:\n\t0\ttime\ttime\n", -HY_COUNT_SIZE, 0);
  for (guint k = 0; k < h->n; k++) {
    g_string_append_printf(out, "\t%u\t", k + 1);
    add_name(out, h->column[k]);
    g_string_append_printf(out, "\t%s\n", spice_type(h->column[k]->unit));
  }
  g_string_append(out, "Binary:\n");
  return count;
}

/* NumPy --------------------------------------------------------------------------------------- */

/* TEXT as Python writes it: what is not ASCII by its number. */
static void add_python(GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  g_string_append_c(out, '\'');
  for (const char *at = valid; *at != '\0'; at += g_utf8_skip[(guchar)*at]) {
    gunichar c = g_utf8_get_char(at);
    if (c >= 0x7f) {
      g_string_append_printf(out, "\\U%08x", c);
    } else {
      g_string_append(out, c == '\'' || c == '\\' ? "\\" : "");
      g_string_append_c(out, (char)c);
    }
  }
  g_string_append_c(out, '\'');
}

/* Version 2 of NEP 1: magic, size of a dictionary, the dictionary: one array of records with a
 * field for each column. */
static gsize npy_head(GString *out, const HyRowHead *h)
{
  const char *type = G_BYTE_ORDER == G_LITTLE_ENDIAN ? "<f8" : ">f8";
  g_autoptr(GString) dict = g_string_new(NULL);
  g_string_append_printf(dict, "{'descr': [('time', '%s')", type);
  for (guint k = 0; k < h->n; k++) {
    g_autoptr(GString) name = g_string_new(NULL);
    add_name(name, h->column[k]);
    g_string_append(dict, ", (");
    add_python(dict, name->str);
    g_string_append_printf(dict, ", '%s')", type);
  }
  g_string_append(dict, "], 'fortran_order': False, 'shape': (");
  gsize before = out->len + 12, count = before + dict->len;
  g_string_append_printf(dict, "%*d,), }", -HY_COUNT_SIZE, 0);
  while ((before + dict->len + 1) % NPY != 0) {
    g_string_append_c(dict, ' ');
  }
  g_string_append_c(dict, '\n');
  guint32 size = GUINT32_TO_LE((guint32)dict->len);
  g_string_append_len(out, "\223NUMPY\002\000", 8);
  g_string_append_len(out, (const char *)&size, sizeof size);
  g_string_append_len(out, dict->str, (gssize)dict->len);
  return count;
}

/* Value change dumps (IEEE 1364) -------------------------------------------------------------- */

#define TICKS 9007199254740992.0 /* 2^53: so many are whole numbers of a double */

typedef struct {
  const char *name;
  double size; /* s */
} Tick;

/* The smallest in which the run can be told. */
static Tick tick_of(const HyRowHead *h)
{
  static const Tick ticks[] = {{"1 fs", 1e-15}, {"1 ps", 1e-12}, {"1 ns", 1e-9},
                               {"1 us", 1e-6},  {"1 ms", 1e-3},  {"1 s", 1}};
  guint k = 0;
  while (k + 1 < G_N_ELEMENTS(ticks) && !(h->until / ticks[k].size < TICKS)) {
    k++;
  }
  return ticks[k];
}

/* Letters, the lower ones first. */
static void add_code(GString *out, guint k)
{
  do {
    g_string_append_c(out, (char)('a' + k % 26));
    k /= 26;
  } while (k > 0);
}

static gsize vcd_head(GString *out, const HyRowHead *h)
{
  g_autoptr(GString) about = g_string_new(NULL);
  add_title(about, h->about);
  g_auto(GStrv) words = g_strsplit(about->str, "$", -1); /* a keyword would end the comment */
  g_autofree char *plain = g_strjoinv("", words);
  g_string_append_printf(out, "$comment %s $end\n$timescale %s $end\n$scope module hydevs $end\n",
                         plain, tick_of(h).name);
  for (guint k = 0; k < h->n; k++) {
    g_string_append(out, "$var real 64 ");
    add_code(out, k);
    g_string_append_c(out, ' ');
    add_name(out, h->column[k]);
    g_string_append(out, " $end\n");
  }
  g_string_append(out, "$upscope $end\n$enddefinitions $end\n");
  return 0;
}

/* What has changed. There are no times before 0. */
static void vcd_row(GString *out, const HyRowHead *h, HyRow *row)
{
  double tick = CLAMP(rint(row->t / tick_of(h).size), 0.0, TICKS);
  g_string_append_printf(out, "#%" G_GUINT64_FORMAT "\n", (guint64)tick);
  for (guint k = 0; k < row->n; k++) {
    if (!isnan(row->v[k]) && row->v[k] != row->shown[k]) {
      char text[HY_DOUBLE_SIZE];
      g_string_append_printf(out, "r%s ", hy_double_text(text, row->v[k]));
      add_code(out, k);
      g_string_append_c(out, '\n');
      row->shown[k] = row->v[k];
    }
  }
}

/* Lines of JSON ------------------------------------------------------------------------------- */

/* A member has a name of its own. */
static const char *key_of(const HyColumn *c)
{
  return strcmp(c->path, "time") == 0 ? "time_" : c->path;
}

static gsize jsonl_head(GString *out, const HyRowHead *h)
{
  g_string_append(out, "{\"about\": ");
  hy_json_string(out, h->about);
  g_string_append(out, ", \"columns\": [");
  for (guint k = 0; k < h->n; k++) {
    g_string_append(out, k > 0 ? ", " : "");
    hy_json_string(out, key_of(h->column[k]));
  }
  g_string_append(out, "]}\n");
  return 0;
}

/* The columns that have spoken; a payload in words. */
static void jsonl_row(GString *out, const HyRowHead *h, HyRow *row)
{
  g_string_append(out, "{\"time\": ");
  hy_json_number(out, row->t);
  for (guint k = 0; k < row->n; k++) {
    if (row->payload[k] == NULL && isnan(row->v[k])) {
      continue;
    }
    g_string_append(out, ", ");
    hy_json_string(out, key_of(h->column[k]));
    g_string_append(out, ": ");
    if (row->payload[k] != NULL) {
      g_autofree char *text = g_variant_print(row->payload[k], FALSE);
      hy_json_string(out, text);
    } else {
      hy_json_number(out, row->v[k]);
    }
  }
  g_string_append(out, "}\n");
}

/* Which one ----------------------------------------------------------------------------------- */

static const HyRecordForm forms[] = {
    {.suffix = ".csv", .mark = '\n'},
    {.suffix = ".jsonl", .mark = '\n', .head = jsonl_head, .row = jsonl_row},
    {.suffix = ".npy", .binary = TRUE, .head = npy_head},
    {.suffix = ".raw", .binary = TRUE, .head = raw_head},
    {.suffix = ".vcd", .mark = '#', .head = vcd_head, .row = vcd_row},
};

const char *hy_record_suffix(const char *file)
{
  const char *slash = strrchr(file, G_DIR_SEPARATOR), *name = slash != NULL ? slash + 1 : file;
  const char *dot = strrchr(name, '.');
  return dot != NULL && dot != name ? dot : "";
}

const HyRecordForm *hy_record_form(const char *file, GError **error)
{
  const char *suffix = hy_record_suffix(file);
  for (guint k = 0; k < G_N_ELEMENTS(forms); k++) {
    if (*suffix == '\0' || strcmp(suffix, forms[k].suffix) == 0) {
      return &forms[k];
    }
  }
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
              "%s: a recording is a .csv, .jsonl (lines of JSON), .npy (NumPy), .raw (ngspice) or "
              ".vcd (value changes)",
              file);
  return NULL;
}
