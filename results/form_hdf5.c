/* HDF5, as h5py, h5dump, MATLAB and Julia read it ("HDF5 File Format Specification", version 3.0,
 * The HDF Group): the root group has the attribute "about", which says what was run, and one data
 * set, "table", a row for each row of the recording, with a field of 8 bytes for each column, named
 * as in the CSV, and the attribute "units", a text for each. The fields of a row stand one after
 * the other and the rows at the end of the file, so that it grows as rows come.
 *
 * A file is a superblock (version 0) and objects; an object is a list of messages: here a group
 * with a link, and the data set. All numbers are little-endian; nothing is known by address but
 * three things: where the objects are and where the rows begin. */
#include "record_forms.h"

#include "hydevs/error.h"

#include <string.h>

#define NOWHERE      G_MAXUINT64
#define MESSAGE_MOST 65535 /* bytes of a message */
#define ABOUT_MOST   8192

enum {
  DATASPACE = 1,
  LINK_INFO = 2,
  DATATYPE = 3,
  FILL = 5,
  LINK = 6,
  LAYOUT = 8,
  GROUP = 10,
  ATTRIBUTE = 12
};

/* The SIZE low bytes of V. */
static void add_number(GString *out, guint64 v, guint size)
{
  for (guint k = 0; k < size; k++) {
    g_string_append_c(out, (char)(k < 8 ? v >> 8 * k & 0xff : 0));
  }
}

static void pad(GString *out, gsize from)
{
  while ((out->len - from) % 8 != 0) {
    g_string_append_c(out, '\0');
  }
}

/* Doubles of this machine. */
static void add_double_type(GString *out)
{
  add_number(out, 0x31, 1); /* version 3, class 1: floating point */
  add_number(out, G_BYTE_ORDER == G_LITTLE_ENDIAN ? 0x20 : 0x21, 1); /* the leading 1 is implied */
  add_number(out, 63, 2);                                            /* where the sign is */
  add_number(out, sizeof(double), 4);
  add_number(out, 0, 2);  /* first bit, */
  add_number(out, 64, 2); /* number of bits */
  add_number(out, 52, 1); /* where the exponent is, */
  add_number(out, 11, 1); /* its bits; the same of the mantissa */
  add_number(out, 0, 1);
  add_number(out, 52, 1);
  add_number(out, 1023, 4); /* of the exponent 0 */
}

/* UTF-8, filled up with zeros to SIZE bytes. */
static void add_text_type(GString *out, gsize size)
{
  add_number(out, 0x13, 1);
  add_number(out, 0x11, 3);
  add_number(out, size, 4);
}

static void add_table_type(GString *out, char *const *names, guint n)
{
  guint64 size = (guint64)n * sizeof(double);
  guint width = 1;
  while (size >> 8 * width != 0) {
    width++;
  }
  add_number(out, 0x36, 1); /* version 3, class 6: fields */
  add_number(out, n, 3);
  add_number(out, size, 4);
  for (guint k = 0; k < n; k++) {
    g_string_append_len(out, names[k], (gssize)strlen(names[k]) + 1);
    add_number(out, k * sizeof(double), width);
    add_double_type(out);
  }
}

/* One dimension of N, or NONE: a single value. */
static void add_space(GString *out, gboolean array, guint64 n)
{
  add_number(out, 1, 1);
  add_number(out, array ? 1 : 0, 1);
  add_number(out, 0, 6);
  if (array) {
    add_number(out, n, 8);
  }
}

static void add_message(GString *out, guint type, const GString *data)
{
  gsize from = out->len;
  add_number(out, type, 2);
  add_number(out, (data->len + 7) / 8 * 8, 2);
  add_number(out, 0, 4);
  g_string_append_len(out, data->str, (gssize)data->len);
  pad(out, from);
}

/* TEXTS, each in SIZE bytes. */
static void add_attribute(GString *out, const char *name, gboolean array, char *const *texts)
{
  g_autoptr(GString) type = g_string_new(NULL), space = g_string_new(NULL);
  g_autoptr(GString) data = g_string_new(NULL);
  gsize size = 1, n = 0;
  for (; texts[n] != NULL; n++) {
    size = MAX(size, strlen(texts[n]));
  }
  add_text_type(type, size);
  add_space(space, array, n);
  add_number(data, 1, 2); /* version */
  add_number(data, strlen(name) + 1, 2);
  add_number(data, type->len, 2);
  add_number(data, space->len, 2);
  g_string_append_len(data, name, (gssize)strlen(name) + 1);
  pad(data, 0);
  g_string_append_len(data, type->str, (gssize)type->len);
  pad(data, 0);
  g_string_append_len(data, space->str, (gssize)space->len);
  pad(data, 0);
  for (gsize k = 0; k < n; k++) {
    g_string_append(data, texts[k]);
    for (gsize rest = size - strlen(texts[k]); rest > 0; rest--) {
      g_string_append_c(data, '\0');
    }
  }
  add_message(out, ATTRIBUTE, data);
}

/* An object of the messages in MESSAGES, N of them. */
static void add_object(GString *out, const GString *messages, guint n)
{
  add_number(out, 1, 2);
  add_number(out, n, 2);
  add_number(out, 1, 4); /* one link leads to it */
  add_number(out, messages->len, 4);
  add_number(out, 0, 4);
  g_string_append_len(out, messages->str, (gssize)messages->len);
}

/* The root group, with a link to the table at ADDRESS. */
static void add_group(GString *out, const char *about, guint64 address)
{
  g_autoptr(GString) all = g_string_new(NULL), data = g_string_new(NULL);
  g_autofree char *valid = g_utf8_make_valid(about, (gssize)strnlen(about, ABOUT_MOST));
  char *const texts[] = {valid, NULL};
  add_number(data, 0, 2);
  add_number(data, NOWHERE, 8); /* links stand here and nowhere else */
  add_number(data, NOWHERE, 8);
  add_message(all, LINK_INFO, data);
  g_string_truncate(data, 0);
  add_number(data, 0, 2);
  add_message(all, GROUP, data);
  g_string_truncate(data, 0);
  add_number(data, 1, 2); /* version; a link to an object of this file */
  add_number(data, strlen("table"), 1);
  g_string_append(data, "table");
  add_number(data, address, 8);
  add_message(all, LINK, data);
  add_attribute(all, "about", FALSE, texts);
  add_object(out, all, 4);
}

/* The data set, with its rows at ADDRESS; where their number and their bytes stand, from its
 * beginning on. */
static void add_table(GString *out, const HyRowHead *h, char *const *names, guint64 address,
                      gsize *rows, gsize *bytes)
{
  enum { PREFIX = 16 + 8 }; /* of an object with its first message */
  g_autoptr(GString) all = g_string_new(NULL), data = g_string_new(NULL);
  add_space(data, TRUE, 0);
  *rows = PREFIX + 8;
  add_message(all, DATASPACE, data);
  g_string_truncate(data, 0);
  add_table_type(data, names, h->n + 1);
  add_message(all, DATATYPE, data);
  g_string_truncate(data, 0);
  add_number(data, 0x00000202, 4); /* version 2: written when rows come, none is stated */
  add_message(all, FILL, data);
  g_string_truncate(data, 0);
  add_number(data, 0x0103, 2); /* version 3: all rows in one piece */
  add_number(data, address, 8);
  *bytes = PREFIX - 8 + all->len + 8 + data->len;
  add_number(data, 0, 8);
  add_message(all, LAYOUT, data);
  g_autoptr(GPtrArray) units = g_ptr_array_new_with_free_func(g_free);
  for (guint k = 0; k <= h->n; k++) {
    const char *unit = k > 0 ? h->column[k - 1]->unit : "s";
    g_ptr_array_add(units, g_utf8_make_valid(unit != NULL ? unit : "", -1));
  }
  g_ptr_array_add(units, NULL);
  add_attribute(all, "units", TRUE, (char *const *)units->pdata);
  add_object(out, all, 5);
}

static void add_superblock(GString *out, guint64 group)
{
  g_string_append_len(out, "\211HDF\r\n\032\n", 8);
  add_number(out, 0, 5);      /* versions */
  add_number(out, 0x0808, 2); /* bytes of an address, of a size */
  add_number(out, 0, 1);
  add_number(out, 4, 2); /* of groups of another kind */
  add_number(out, 16, 2);
  add_number(out, 0, 4);
  add_number(out, 0, 8); /* where addresses begin */
  add_number(out, NOWHERE, 8);
  add_number(out, 0, 8); /* the end of the file */
  add_number(out, NOWHERE, 8);
  add_number(out, 0, 8); /* the root group: its name, */
  add_number(out, group, 8);
  add_number(out, 0, 24);
}

/* A message has at most 64 KiB; those of the fields and of their units are the longest. */
static gboolean has_room(const HyRowHead *h, char *const *names, GError **error)
{
  g_autoptr(GString) type = g_string_new(NULL);
  gsize unit = 1;
  add_table_type(type, names, h->n + 1);
  for (guint k = 0; k < h->n; k++) {
    unit = MAX(unit, h->column[k]->unit != NULL ? 2 * strlen(h->column[k]->unit) : 0);
  }
  if (MAX(type->len, (h->n + 1) * unit) > MESSAGE_MOST - 256) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%u columns are too many for HDF5, whose heads have 64 KiB: record into .npy or "
                ".mat",
                h->n);
    return FALSE;
  }
  return TRUE;
}

gboolean hy_form_hdf5_head(GString *out, const HyRowHead *h, HyRecordCounts *counts, GError **error)
{
  enum { END_OF_FILE = 40 };
  g_auto(GStrv) names = hy_form_names(h, FALSE);
  gsize rows = 0, bytes = 0;
  if (!has_room(h, names, error)) {
    return FALSE;
  }
  g_autoptr(GString) table = g_string_new(NULL), group = g_string_new(NULL);
  add_superblock(out, out->len);
  gsize at = out->len;
  add_group(group, h->about, 0);
  gsize place = at + group->len;
  add_table(table, h, names, 0, &rows, &bytes);
  gsize first = place + table->len;
  g_string_truncate(group, 0);
  g_string_truncate(table, 0);
  g_string_truncate(out, 0);
  add_superblock(out, at);
  add_group(group, h->about, place);
  add_table(table, h, names, first, &rows, &bytes);
  g_string_append_len(out, group->str, (gssize)group->len);
  g_string_append_len(out, table->str, (gssize)table->len);
  guint64 row = ((guint64)h->n + 1) * sizeof(double);
  /* One after the other: what is told first may be more than what follows says. */
  *counts = (HyRecordCounts){3,
                             {{END_OF_FILE, HY_COUNT_U64, first, row, FALSE},
                              {place + bytes, HY_COUNT_U64, 0, row, FALSE},
                              {place + rows, HY_COUNT_U64, 0, 1, FALSE}}};
  return TRUE;
}
