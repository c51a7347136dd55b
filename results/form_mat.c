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

gboolean hy_form_mat_head(GString *out, const HyRowHead *h, HyRecordCounts *counts, GError **error)
{
  (void)error;
  g_auto(GStrv) names = hy_form_names(h, FALSE);
  const guint16 version[] = {0x0100, 'M' << 8 | 'I'};
  g_string_append_printf(out, "%-116.116s%8s", "MATLAB 5.0 MAT-file, by hydevs", "");
  g_string_append_len(out, (const char *)version, sizeof version);
  add_text(out, "about", h->about);
  gsize at = begin_variable(out, MX_CELL, 1, h->n + 1, "names");
  for (guint k = 0; k <= h->n; k++) {
    add_text(out, "", names[k]);
  }
  end_variable(out, at);
  at = begin_variable(out, MX_CELL, 1, h->n + 1, "units");
  for (guint k = 0; k <= h->n; k++) {
    const char *unit = k > 0 ? h->column[k - 1]->unit : "s";
    add_text(out, "", unit != NULL ? unit : "");
  }
  end_variable(out, at);
  at = begin_variable(out, MX_DOUBLE, h->n + 1, 0, "data");
  add_element(out, MI_DOUBLE, NULL, 0);
  end_variable(out, at);
  guint64 row = ((guint64)h->n + 1) * sizeof(double);
  *counts = (HyRecordCounts){
      3,
      {{at + 4, HY_COUNT_U32, out->len - at - 8, row}, /* the size of the variable, */
       {at + 8 + 16 + 12, HY_COUNT_U32, 0, 1},         /* its second dimension, */
       {out->len - 4, HY_COUNT_U32, 0, row}}};         /* the size of its numbers */
  return TRUE;
}
