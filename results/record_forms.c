/* Recordings for other programs: the table of them, and those that need few words: ngspice, NumPy,
 * viewers of waveforms, readers of lines of JSON. */
#include "record_forms.h"

#include "hydevs/error.h"
#include "hydevs/json.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

#define TITLE 400 /* bytes: ngspice reads lines of 511 */
#define NPY   64  /* the head of such a file is a multiple of it */
#define PAGE  4096

/* Names --------------------------------------------------------------------------------------- */

/* TEXT as one word. */
static char *word_of(const char *text)
{
  char *word = g_utf8_make_valid(text, -1);
  for (char *at = word; *at != '\0'; at++) {
    if ((guchar)*at <= 0x20) {
      *at = '_';
    }
  }
  return word;
}

char **hy_form_names(const HyRowHead *h, gboolean fold)
{
  g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  char **names = g_new0(char *, (gsize)h->n + 2);
  for (guint k = 0; k <= h->n; k++) {
    g_autofree char *name = word_of(k == 0 ? "time" : h->column[k - 1]->path);
    char *key = NULL;
    while (g_hash_table_contains(known, key = fold ? g_ascii_strdown(name, -1) : g_strdup(name))) {
      char *longer = g_strconcat(name, "_", NULL);
      g_free(key);
      g_free(name);
      name = longer;
    }
    g_hash_table_add(known, key);
    names[k] = g_steal_pointer(&name);
  }
  return names;
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

/* A number is in one page of the file, which changes at once. */
static void count_as_text(GString *out, HyRecordCounts *counts)
{
  while (out->len / PAGE != (out->len + HY_COUNT_SIZE - 1) / PAGE) {
    g_string_append_c(out, ' ');
  }
  counts->count[counts->n++] = (HyRecordCount){.at = out->len, .kind = HY_COUNT_TEXT, .each = 1};
  g_string_append_printf(out, "%*d", -HY_COUNT_SIZE, 0);
}

/* The head of what its command `write` makes, without the date. Its names have no capitals. */
static gboolean raw_head(GString *out, const HyRowHead *h, HyRecordCounts *counts, GError **error)
{
  (void)error;
  g_auto(GStrv) names = hy_form_names(h, TRUE);
  g_string_append(out, "Title: ");
  add_title(out, h->about);
  g_string_append_printf(out,
                         "\nPlotname: Transient Analysis\nFlags: real\nNo. Variables: %u\n"
                         "No. Points: ",
                         h->n + 1);
  count_as_text(out, counts);
  g_string_append(out, "\nVariables:\n\t0\ttime\ttime\n");
  for (guint k = 0; k < h->n; k++) {
    g_string_append_printf(out, "\t%u\t%s\t%s\n", k + 1, names[k + 1],
                           spice_type(h->column[k]->unit));
  }
  g_string_append(out, "Binary:\n");
  return TRUE;
}

/* NumPy --------------------------------------------------------------------------------------- */

/* TEXT as Python writes it: what is not ASCII by its number. */
static void add_python(GString *out, const char *text)
{
  g_string_append_c(out, '\'');
  for (const char *at = text; *at != '\0'; at += g_utf8_skip[(guchar)*at]) {
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
static gboolean npy_head(GString *out, const HyRowHead *h, HyRecordCounts *counts, GError **error)
{
  (void)error;
  const char *type = G_BYTE_ORDER == G_LITTLE_ENDIAN ? "<f8" : ">f8";
  g_auto(GStrv) names = hy_form_names(h, FALSE);
  g_string_append_len(out, "\223NUMPY\002\000????", 12);
  g_string_append(out, "{'descr': [");
  for (guint k = 0; k <= h->n; k++) {
    g_string_append(out, k > 0 ? ", (" : "(");
    add_python(out, names[k]);
    g_string_append_printf(out, ", '%s')", type);
  }
  g_string_append(out, "], 'fortran_order': False, 'shape': (");
  count_as_text(out, counts);
  g_string_append(out, ",), }");
  while ((out->len + 1) % NPY != 0) {
    g_string_append_c(out, ' ');
  }
  g_string_append_c(out, '\n');
  guint32 size = GUINT32_TO_LE((guint32)out->len - 12);
  memcpy(out->str + 8, &size, sizeof size);
  return TRUE;
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

static gboolean vcd_head(GString *out, const HyRowHead *h, HyRecordCounts *counts, GError **error)
{
  (void)counts;
  g_auto(GStrv) names = hy_form_names(h, FALSE);
  if (isfinite(h->until) && h->until >= TICKS) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "value changes count up to 2^53 s, and the run goes on to %g", h->until);
    return FALSE;
  }
  g_autoptr(GString) about = g_string_new(NULL);
  add_title(about, h->about);
  g_auto(GStrv) words = g_strsplit(about->str, "$", -1); /* a keyword would end the comment */
  g_autofree char *plain = g_strjoinv("", words);
  g_string_append_printf(out, "$comment %s $end\n$timescale %s $end\n$scope module hydevs $end\n",
                         plain, tick_of(h).name);
  for (guint k = 0; k < h->n; k++) {
    g_string_append(out, "$var real 64 ");
    add_code(out, k);
    g_string_append_printf(out, " %s $end\n", names[k + 1]);
  }
  g_string_append(out, "$upscope $end\n$enddefinitions $end\n");
  return TRUE;
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

static gboolean jsonl_head(GString *out, const HyRowHead *h, HyRecordCounts *counts, GError **error)
{
  (void)counts, (void)error;
  HyJsonOut json = {.out = out};
  hy_json_begin(&json, NULL, '{');
  hy_json_text(&json, "about", h->about);
  hy_json_begin(&json, "columns", '[');
  for (guint k = 0; k < h->n; k++) {
    hy_json_text(&json, NULL, key_of(h->column[k]));
  }
  hy_json_end(&json, ']');
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
  return TRUE;
}

/* The columns that have spoken; a payload in words. */
static void jsonl_row(GString *out, const HyRowHead *h, HyRow *row)
{
  HyJsonOut json = {.out = out};
  hy_json_begin(&json, NULL, '{');
  hy_json_real(&json, "time", row->t);
  for (guint k = 0; k < row->n; k++) {
    const char *key = key_of(h->column[k]);
    if (row->payload[k] != NULL) {
      g_autofree char *text = g_variant_print(row->payload[k], FALSE);
      hy_json_text(&json, key, text);
    } else if (!isnan(row->v[k])) {
      hy_json_real(&json, key, row->v[k]);
    }
  }
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
}

/* Sound --------------------------------------------------------------------------------------- */

/* RIFF WAVE with 16 bits of PCM. */
static gboolean wav_head(GString *out, const HyRowHead *h, HyRecordCounts *counts, GError **error)
{
  double rate = 1 / h->dt;
  if (!(h->dt > 0 && rate < 4e9 && fabs(rate - rint(rate)) < 1e-6 * rate) || h->n > 32767) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "a sound has a whole number of samples a second, say --grid 1/44100, and at most "
                "32767 channels");
    return FALSE;
  }
  guint32 frame = 2 * h->n;
  const struct {
    guint32 v;
    guint bytes;
  } format[] = {{16, 4},
                {1, 2},
                {h->n, 2},
                {(guint32)rint(rate), 4},
                {(guint32)MIN(rint(rate) * frame, 4e9), 4},
                {frame, 2},
                {16, 2}};
  g_string_append_len(out, "RIFF\x24\0\0\0WAVEfmt ", 16);
  for (guint k = 0; k < G_N_ELEMENTS(format); k++) {
    guint32 v = GUINT32_TO_LE(format[k].v);
    g_string_append_len(out, (const char *)&v, format[k].bytes);
  }
  g_string_append_len(out, "data\0\0\0\0", 8);
  counts->count[counts->n++] =
      (HyRecordCount){.at = 4, .kind = HY_COUNT_U32, .plus = 36, .each = frame};
  counts->count[counts->n++] = (HyRecordCount){.at = 40, .kind = HY_COUNT_U32, .each = frame};
  return TRUE;
}

/* -1 to 1 are -32768 to 32767; nothing yet is 0. */
static void wav_row(GString *out, const HyRowHead *h, HyRow *row)
{
  for (guint k = 0; k < h->n; k++) {
    double v = isnan(row->v[k]) ? 0 : row->v[k];
    row->cut += fabs(v) > 1 ? 1 : 0;
    gint16 sample = GINT16_TO_LE((gint16)CLAMP(rint(32768 * v), -32768.0, 32767.0));
    g_string_append_len(out, (const char *)&sample, sizeof sample);
  }
}

/* Which one ----------------------------------------------------------------------------------- */

/* The order is that of messages and help. */
static const HyRecordForm forms[] = {
    {".csv", NULL, .mark = '\n'},
    {".h5", "HDF5", .binary = TRUE, .head = hy_form_hdf5_head},
    {".jsonl", "lines of JSON", .mark = '\n', .head = jsonl_head, .row = jsonl_row},
    {".mat", "MATLAB, Octave", .binary = TRUE, .most = G_MAXINT32, .head = hy_form_mat_head},
    {".npy", "NumPy", .binary = TRUE, .head = npy_head},
    {".raw", "ngspice", .binary = TRUE, .exact = TRUE, .head = raw_head},
    {".vcd", "value changes", .mark = '#', .head = vcd_head, .row = vcd_row},
    {".wav", "sound", .binary = TRUE, .sample = 2, .most = (goffset)G_MAXUINT32, .head = wav_head,
     .row = wav_row},
};

char *hy_record_forms(void)
{
  GString *out = g_string_new(NULL);
  for (guint k = 0; k < G_N_ELEMENTS(forms); k++) {
    g_string_append_printf(out, "%s%s",
                           k == 0                        ? ""
                           : k + 1 < G_N_ELEMENTS(forms) ? ", "
                                                         : " or ",
                           forms[k].suffix);
    if (forms[k].words != NULL) {
      g_string_append_printf(out, " (%s)", forms[k].words);
    }
  }
  return g_string_free(out, FALSE);
}

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
  g_autofree char *all = hy_record_forms();
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: a recording is a %s", file, all);
  return NULL;
}
