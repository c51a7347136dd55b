#include "snapshot_file.h"

#include "base/digest.h"
#include "json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MAGIC     "hydevs snapshot "
#define DIGEST    64
#define MOST_HEAD (1 << 24)

static gboolean wrong(const char *file, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
static gboolean wrong(const char *file, GError **error, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", file, what);
  return FALSE;
}

static char *digest_of(const void *bytes, gsize size)
{
  HyDigest d;
  hy_digest_init(&d);
  hy_digest_take(&d, bytes, size);
  return hy_digest_end(&d);
}

/* The head ------------------------------------------------------------------------------------- */

typedef struct {
  char *tape, *name, *digest;
  gsize size;
} Part;

static void part_clear(gpointer data)
{
  Part *p = data;
  g_free(p->tape);
  g_free(p->name);
  g_free(p->digest);
}

static void recording_clear(gpointer data)
{
  g_free(((HySnapshotRecording *)data)->file);
}

static guint64 number_in(HyJson *json)
{
  double v = hy_json_read_number(json);
  return v >= 0.0 && v <= 9e15 ? (guint64)v : 0;
}

static void read_recordings(HyJson *json, GArray *recordings)
{
  hy_json_open(json, '[');
  while (hy_json_more(json, ']')) {
    HySnapshotRecording r = {NULL, 0, 0};
    hy_json_open(json, '{');
    while (hy_json_more(json, '}')) {
      g_autofree char *key = hy_json_key(json);
      if (g_strcmp0(key, "file") == 0 && r.file == NULL) {
        r.file = hy_json_read_string(json);
      } else if (g_strcmp0(key, "bytes") == 0) {
        r.bytes = number_in(json);
      } else if (g_strcmp0(key, "rows") == 0) {
        r.rows = number_in(json);
      } else {
        hy_json_skip(json);
      }
    }
    g_array_append_val(recordings, r);
  }
}

static void read_parts(HyJson *json, GArray *parts)
{
  hy_json_open(json, '[');
  while (hy_json_more(json, ']')) {
    Part p = {NULL, NULL, NULL, 0};
    double size = NAN;
    hy_json_open(json, '[');
    for (guint k = 0; hy_json_more(json, ']'); k++) {
      if (k == 2) {
        size = hy_json_read_number(json);
      } else if (k < 4) {
        char *text = hy_json_read_string(json);
        *(k == 0 ? &p.tape : k == 1 ? &p.name : &p.digest) = text;
      } else {
        hy_json_skip(json);
      }
    }
    p.size = size >= 0 && size <= 9e15 ? (gsize)size : G_MAXSIZE;
    g_array_append_val(parts, p);
  }
}

static guint64 count_in(HyJson *json)
{
  g_autofree char *text = hy_json_read_string(json); /* a seed has 64 bits, a number of JSON 53 */
  return text != NULL ? g_ascii_strtoull(text, NULL, 10) : 0;
}

/* The text between the braces of an object, newly allocated. */
static char *inside_of(HyJson *json)
{
  const char *from = json->at != NULL ? json->at + strspn(json->at, " \t\r\n:") : NULL;
  hy_json_skip(json);
  return json->at != NULL && from != NULL && json->at - from >= 2
             ? g_strndup(from + 1, (gsize)(json->at - from - 2))
             : NULL;
}

static void read_member(HyJson *json, const char *key, HySnapshotHead *h, GArray *parts)
{
  const struct {
    const char *name;
    char **text;
  } texts[] = {{"hydevs", &h->build},          {"model", &h->model},
               {"digest", &h->digest},         {"parameters", &h->parameters},
               {"experiment", &h->experiment}, {"method", &h->method}};
  for (guint k = 0; k < G_N_ELEMENTS(texts); k++) {
    if (strcmp(key, texts[k].name) == 0) {
      g_free(*texts[k].text);
      *texts[k].text = hy_json_read_string(json);
      return;
    }
  }
  if (strcmp(key, "t") == 0) {
    h->t = hy_json_read_number(json);
  } else if (strcmp(key, "t0") == 0) {
    h->t0 = hy_json_read_number(json);
  } else if (strcmp(key, "seed") == 0) {
    h->seed = count_in(json);
  } else if (strcmp(key, "events") == 0) {
    h->events = number_in(json);
  } else if (strcmp(key, "restarts") == 0) {
    h->restarts = TRUE;
    hy_json_skip(json);
  } else if (strcmp(key, "extra") == 0) {
    g_free(h->extra);
    h->extra = inside_of(json);
  } else if (strcmp(key, "recordings") == 0) {
    read_recordings(json, h->recordings);
  } else if (strcmp(key, "parts") == 0) {
    read_parts(json, parts);
  } else {
    hy_json_skip(json);
  }
}

static gboolean read_head(HySnapshotFile *s, GArray *parts)
{
  HyJson json = {.at = s->text};
  hy_json_open(&json, '{');
  while (hy_json_more(&json, '}')) {
    g_autofree char *key = hy_json_key(&json);
    if (key != NULL) {
      read_member(&json, key, &s->head, parts);
    }
  }
  const HySnapshotHead *h = &s->head;
  return json.at != NULL && h->build != NULL && h->model != NULL && h->digest != NULL &&
         h->parameters != NULL && isfinite(h->t) && isfinite(h->t0);
}

/* The file ------------------------------------------------------------------------------------- */

/* The first line, and the head behind it. */
static gboolean find_head(HySnapshotFile *s, const guint8 *bytes, gsize *at, GError **error)
{
  const char *text = (const char *)bytes;
  gsize size = s->size, magic = strlen(MAGIC);
  if (size < magic || memcmp(text, MAGIC, magic) != 0) {
    return wrong(s->file, error, "this is no snapshot: it does not begin with \"%s\"", MAGIC);
  }
  guint version = 0;
  gsize k = magic;
  for (; k < size && g_ascii_isdigit(text[k]) && version < 10000; k++) {
    version = 10 * version + (guint)(text[k] - '0');
  }
  if (version != HY_SNAPSHOT_VERSION) {
    return wrong(s->file, error,
                 "it is a snapshot of version %u, and this program reads version %d", version,
                 HY_SNAPSHOT_VERSION);
  }
  gsize begin = k + 1 + DIGEST + 1;
  const char *end = begin < size ? memchr(text + begin, '\n', MIN(size - begin, MOST_HEAD)) : NULL;
  if (end == NULL || text[k] != ' ' || text[begin - 1] != '\n') {
    return wrong(s->file, error, "its head is torn");
  }
  s->text = g_strndup(text + begin, (gsize)(end - text) - begin);
  g_autofree char *digest = digest_of(s->text, (gsize)(end - text) - begin);
  *at = (gsize)(end - text) + 1;
  return strncmp(digest, text + k + 1, DIGEST) == 0 ||
         wrong(s->file, error, "its head is damaged: it has another digest than it says");
}

static gboolean take_part(HySnapshotFile *s, const Part *p, const guint8 *bytes, GError **error)
{
  g_autofree char *digest = digest_of(bytes, p->size), *why = NULL;
  HyTapeReader *tape = g_strcmp0(p->tape, "made") == 0 ? s->made : s->is;
  if (g_strcmp0(digest, p->digest) != 0) {
    return wrong(s->file, error, "its part \"%s\" is damaged: digest %s, and %s is written",
                 p->name, digest, p->digest);
  }
  return hy_tape_reader_take(tape, p->name, bytes, p->size, &why) ||
         wrong(s->file, error, "%s", why);
}

static gboolean take_parts(HySnapshotFile *s, const GArray *parts, const guint8 *bytes, gsize at,
                           GError **error)
{
  gsize end = at;
  for (guint k = 0; k < parts->len; k++) {
    const Part *p = &g_array_index(parts, Part, k);
    if (p->name == NULL || p->tape == NULL || p->digest == NULL || p->size > s->size - end) {
      return wrong(s->file, error,
                   "it is torn: it has %" G_GSIZE_FORMAT " bytes, and its head says more", s->size);
    }
    end += p->size;
  }
  if (end != s->size) {
    return wrong(s->file, error,
                 "it has %" G_GSIZE_FORMAT " bytes, and its head says %" G_GSIZE_FORMAT, s->size,
                 end);
  }
  for (guint k = 0; k < parts->len; k++) {
    const Part *p = &g_array_index(parts, Part, k);
    if (!take_part(s, p, bytes + at, error)) {
      return FALSE;
    }
    at += p->size;
    g_ptr_array_add(s->part_name, g_strconcat(p->tape, "/", p->name, NULL));
    g_array_append_val(s->part_size, p->size);
  }
  return TRUE;
}

HySnapshotFile *hy_snapshot_file_parse(const char *file, const guint8 *bytes, gsize size,
                                       GError **error)
{
  g_autoptr(HySnapshotFile) s = g_new0(HySnapshotFile, 1);
  g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(Part));
  g_array_set_clear_func(parts, part_clear);
  s->file = g_strdup(file);
  s->size = size;
  s->made = hy_tape_reader_new();
  s->is = hy_tape_reader_new();
  s->head.t = s->head.t0 = NAN;
  s->head.recordings = g_array_new(FALSE, FALSE, sizeof(HySnapshotRecording));
  g_array_set_clear_func(s->head.recordings, recording_clear);
  s->part_name = g_ptr_array_new_with_free_func(g_free);
  s->part_size = g_array_new(FALSE, FALSE, sizeof(gsize));
  gsize at = 0;
  if (!find_head(s, bytes, &at, error)) {
    return NULL;
  }
  if (!read_head(s, parts)) {
    wrong(file, error, "its head makes no sense");
    return NULL;
  }
  return take_parts(s, parts, bytes, at, error) ? g_steal_pointer(&s) : NULL;
}

HySnapshotFile *hy_snapshot_file_open(const char *file, GError **error)
{
  g_autofree char *bytes = NULL;
  gsize size;
  g_autoptr(GError) why = NULL;
  if (!g_file_get_contents(file, &bytes, &size, &why)) {
    const char *last = strrchr(why->message, ':');
    wrong(file, error, "cannot be read: %s", last != NULL ? last + 2 : why->message);
    return NULL;
  }
  return hy_snapshot_file_parse(file, (const guint8 *)bytes, size, error);
}

void hy_snapshot_file_free(HySnapshotFile *s)
{
  if (s == NULL) {
    return;
  }
  HySnapshotHead *h = &s->head;
  char *const text[] = {s->file,       s->text,       h->build,  h->model, h->digest,
                        h->parameters, h->experiment, h->method, h->extra};
  for (guint k = 0; k < G_N_ELEMENTS(text); k++) {
    g_free(text[k]);
  }
  g_array_unref(h->recordings);
  hy_tape_reader_free(s->made);
  hy_tape_reader_free(s->is);
  g_ptr_array_unref(s->part_name);
  g_array_unref(s->part_size);
  g_free(s);
}
