/* MAT files of level 5, as MATLAB, Octave and SciPy load them ("MAT-File Format", The MathWorks):
 * about   a text: what was run
 * names   a cell of texts: time, and the columns
 * units   likewise; empty: not stated
 * data    a matrix with a row for each of them and a column for each row of the recording, so that
 *         what comes in time stands behind what was there.
 * A file has a head of 128 bytes and elements: type and size in 4 bytes each, then the data, filled
 * up to a multiple of 8. An element of a variable has elements inside. */
#include "record_forms.h"

#include <string.h>

/* Types of elements, */
enum { MI_INT8 = 1, MI_UINT16 = 4, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9, MI_MATRIX = 14 };
/* and classes of variables. */
enum { MX_CELL = 1, MX_CHAR = 4, MX_DOUBLE = 6 };

static void add_u32(GString *out, guint32 v)
{
  g_string_append_len(out, (const char *)&v, sizeof v);
}

static void pad(GString *out)
{
  while (out->len % 8 != 0) {
    g_string_append_c(out, '\0');
  }
}

static void add_element(GString *out, guint32 type, gconstpointer data, gsize size)
{
  add_u32(out, type);
  add_u32(out, (guint32)size);
  g_string_append_len(out, data, (gssize)size);
  pad(out);
}

/* Type, size, class, dimensions and name of a variable; what it holds follows, and then
 * end_variable() with what this returns. */
static gsize begin_variable(GString *out, guint32 class, guint32 n, guint32 m, const char *name)
{
  gsize at = out->len;
  const guint32 flags[] = {class, 0}, size[] = {n, m};
  add_u32(out, MI_MATRIX);
  add_u32(out, 0);
  add_element(out, MI_UINT32, flags, sizeof flags);
  add_element(out, MI_INT32, size, sizeof size);
  add_element(out, MI_INT8, name, strlen(name));
  return at;
}

static void end_variable(GString *out, gsize at)
{
  guint32 size = (guint32)(out->len - at - 8);
  memcpy(out->str + at + 4, &size, sizeof size);
}

static void add_text(GString *out, const char *name, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  glong n = 0;
  g_autofree gunichar2 *letters = g_utf8_to_utf16(valid, -1, NULL, &n, NULL);
  gsize at = begin_variable(out, MX_CHAR, n > 0 ? 1 : 0, (guint32)n, name);
  add_element(out, MI_UINT16, letters, (gsize)n * sizeof *letters);
  end_variable(out, at);
}

static void add_texts(GString *out, const char *name, const char *const *texts, guint n)
{
  gsize at = begin_variable(out, MX_CELL, 1, n, name);
  for (guint k = 0; k < n; k++) {
    add_text(out, "", texts[k] != NULL ? texts[k] : "");
  }
  end_variable(out, at);
}

/* How many rows there are is told in two places, which change at once if they lie in one page; the
 * size of the variable around them is told before, and may lead beyond the end of the file. */
enum {
  PAGE = 4096,
  HEAD = 128,
  TAG = 8,
  COLUMNS = TAG + 16 + 12,
  NUMBERS = 60,
  DATA_HEAD = NUMBERS + 4
};

/* BLANKS: after the text of what was run. */
static void add_words(GString *out, const HyRowHead *h, char *const *names,
                      const char *const *units, const char *blanks)
{
  g_autofree char *about = g_strconcat(h->about, blanks, NULL);
  add_text(out, "about", about);
  add_texts(out, "names", (const char *const *)names, h->n + 1);
  add_texts(out, "units", units, h->n + 1);
}

gboolean hy_form_mat_head(GString *out, const HyRowHead *h, HyRecordCounts *counts, GError **error)
{
  (void)error;
  g_auto(GStrv) names = hy_form_names(h, FALSE);
  g_autofree const char **units = g_new0(const char *, (gsize)h->n + 1);
  const guint16 version[] = {0x0100, 'M' << 8 | 'I'};
  units[0] = "s";
  for (guint k = 0; k < h->n; k++) {
    units[k + 1] = h->column[k]->unit;
  }
  g_string_append_printf(out, "%-116.116s%8s", "MATLAB 5.0 MAT-file, by hydevs", "");
  g_string_append_len(out, (const char *)version, sizeof version);
  add_words(out, h, names, units, "");
  if ((out->len + COLUMNS) / PAGE != (out->len + DATA_HEAD - 1) / PAGE) {
    g_string_truncate(out, HEAD);
    add_words(out, h, names, units, "                ");
  }
  gsize at = begin_variable(out, MX_DOUBLE, h->n + 1, 0, "data");
  add_element(out, MI_DOUBLE, NULL, 0);
  end_variable(out, at);
  g_assert(out->len == at + DATA_HEAD);
  guint64 row = ((guint64)h->n + 1) * sizeof(double);
  *counts = (HyRecordCounts){3,
                             {{at + 4, HY_COUNT_U32, DATA_HEAD - TAG, row, TRUE},
                              {at + COLUMNS, HY_COUNT_U32, 0, 1, FALSE},
                              {at + NUMBERS, HY_COUNT_U32, 0, row, FALSE}}};
  return TRUE;
}
