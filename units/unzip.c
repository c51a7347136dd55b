#include "units/unzip.h"

#include "base/crc.h"
#include "units/inflate.h"

#include <string.h>

#define LISTED      0x02014b50U
#define LOCAL       0x04034b50U
#define END         0x06054b50U
#define END_SIZE    22U
#define LISTED_SIZE 46U
#define LOCAL_SIZE  30U
#define MOST        ((gsize)1 << 30) /* bytes of all files together */

typedef struct {
  char *name;
  guint method; /* 0: stored, 8: DEFLATE */
  guint32 crc;
  gsize packed, size, local;
} Entry;

static guint32 number(const guint8 *at, guint bytes)
{
  guint32 v = 0;
  for (guint k = 0; k < bytes; k++) {
    v |= (guint32)at[k] << 8 * k;
  }
  return v;
}

static void clear_entry(gpointer p)
{
  g_free(((Entry *)p)->name);
}

static gboolean fails(char **why, const char *what)
{
  *why = g_strdup(what);
  return FALSE;
}

/* Where the list ends: the last place that looks so, and whose comment ends with the file. */
static const guint8 *find_end(const HyUnzip *z)
{
  for (gsize back = END_SIZE; back <= z->size && back <= END_SIZE + 0xffff; back++) {
    const guint8 *at = z->bytes + z->size - back;
    if (number(at, 4) == END && number(at + 20, 2) == back - END_SIZE) {
      return at;
    }
  }
  return NULL;
}

static gboolean is_inside(const char *name)
{
  g_auto(GStrv) part = g_strsplit(name, "/", -1);
  gboolean ok = name[0] != '\0' && name[0] != '/' && strchr(name, '\\') == NULL;
  for (guint k = 0; part[k] != NULL; k++) {
    ok = ok && strcmp(part[k], "..") != 0 && strcmp(part[k], ".") != 0;
  }
  return ok;
}

/* One line of the list, LEFT bytes before its end. NULL: WHY. */
static const guint8 *read_entry(HyUnzip *z, const guint8 *at, gsize left, char **why)
{
  if (left < LISTED_SIZE || number(at, 4) != LISTED) {
    return fails(why, "its list of files is cut off"), NULL;
  }
  gsize name = number(at + 28, 2);
  gsize all = LISTED_SIZE + name + number(at + 30, 2) + number(at + 32, 2);
  if (all > left || memchr(at + LISTED_SIZE, 0, name) != NULL) {
    return fails(why, "its list of files is cut off"), NULL;
  }
  Entry e = {.name = g_strndup((const char *)at + LISTED_SIZE, name),
             .method = number(at + 10, 2),
             .crc = number(at + 16, 4),
             .packed = number(at + 20, 4),
             .size = number(at + 24, 4),
             .local = number(at + 42, 4)};
  g_array_append_val(z->entries, e);
  if (number(at + 8, 2) & 1) {
    return fails(why, "it is encrypted"), NULL;
  }
  if (!is_inside(e.name)) {
    return fails(why, "a file of it would be unpacked elsewhere"), NULL;
  }
  return at + all;
}

gboolean hy_unzip_open(HyUnzip *z, const guint8 *bytes, gsize size, char **why)
{
  *z = (HyUnzip){bytes, size, g_array_new(FALSE, FALSE, sizeof(Entry))};
  g_array_set_clear_func(z->entries, clear_entry);
  const guint8 *end = find_end(z);
  if (end == NULL) {
    return fails(why, "it is no ZIP archive");
  }
  guint n = number(end + 10, 2);
  gsize list = number(end + 16, 4), all = 0;
  if (n == 0xffff || list > (gsize)(end - bytes)) {
    return fails(why, "it is an archive in several parts, or larger than 4 GB");
  }
  const guint8 *at = bytes + list;
  for (guint k = 0; k < n; k++) {
    at = read_entry(z, at, (gsize)(end - at), why);
    if (at == NULL) {
      return FALSE;
    }
    all += g_array_index(z->entries, Entry, k).size;
    if (all > MOST) {
      return fails(why, "its files are larger than 1 GB");
    }
  }
  return TRUE;
}

void hy_unzip_clear(HyUnzip *z)
{
  g_clear_pointer(&z->entries, g_array_unref);
}

guint hy_unzip_n(const HyUnzip *z)
{
  return z->entries->len;
}

const char *hy_unzip_name(const HyUnzip *z, guint k)
{
  return g_array_index(z->entries, Entry, k).name;
}

/* The bytes of an entry as they stand; NULL: they are not there. */
static const guint8 *packed_bytes(const HyUnzip *z, const Entry *e)
{
  if (z->size < LOCAL_SIZE || e->local > z->size - LOCAL_SIZE ||
      number(z->bytes + e->local, 4) != LOCAL) {
    return NULL;
  }
  const guint8 *at = z->bytes + e->local;
  gsize begin = e->local + LOCAL_SIZE + number(at + 26, 2) + number(at + 28, 2);
  return begin <= z->size && e->packed <= z->size - begin ? z->bytes + begin : NULL;
}

guint8 *hy_unzip_file(const HyUnzip *z, guint k, gsize *size, char **why)
{
  const Entry *e = &g_array_index(z->entries, Entry, k);
  const guint8 *from = packed_bytes(z, e);
  const char *what = from == NULL ? "it is cut off" : NULL;
  if (what == NULL && e->method != 0 && e->method != 8) {
    what = "it is packed by another way than DEFLATE";
  }
  /* DEFLATE makes at most 1032 bytes of one. */
  if (what == NULL && e->size > (e->method == 0 ? e->packed : 1032 * (e->packed + 1))) {
    what = "its length is wrong";
  }
  guint8 *out = what == NULL ? g_malloc(e->size + 1) : NULL;
  if (what == NULL && e->method == 0) {
    memcpy(out, from, e->size);
  } else if (what == NULL && !hy_inflate(from, e->packed, out, e->size)) {
    what = "it cannot be unpacked";
  }
  if (what == NULL && hy_crc32(out, e->size) != e->crc) {
    what = "its checksum is wrong";
  }
  if (what != NULL) {
    *why = g_strdup_printf("%s: %s", e->name, what);
    g_free(out);
    return NULL;
  }
  out[e->size] = 0;
  *size = e->size;
  return out;
}
