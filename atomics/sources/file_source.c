/* File source: a column of a CSV file over its first one, the time, or a channel of a sound file;
 * before the first row its value, after the last row the last one. */
#include "atomics.h"
#include "base/hint.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "sources/wav.h"
#include "sources/wave.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  HyWave wave; /* first */
  const char *path, *column, *interpolation;
} FileSource;

/* Where the reading is. */
typedef struct {
  const char *path;
  char *at; /* the rest of the text */
  guint line;
  guint column; /* the one that is asked for, from 0 */
  GError **error;
} Reader;

static gboolean wrong(const Reader *r, const char *format, ...) G_GNUC_PRINTF(2, 3);
static gboolean wrong(const Reader *r, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_set_error(r->error, HY_ERROR, HY_ERROR_MODEL, "%s:%u: %s", r->path, r->line, what);
  return FALSE;
}

/* The next line without its end, NULL: no more. */
static char *next_line(Reader *r)
{
  if (*r->at == '\0') {
    return NULL;
  }
  char *line = r->at;
  gsize n = strcspn(line, "\n");
  r->at += line[n] == '\n' ? n + 1 : n;
  line[n] = '\0';
  if (n > 0 && line[n - 1] == '\r') {
    line[n - 1] = '\0';
  }
  r->line++;
  return line;
}

/* Cuts the next field off, with its quotes ("" stands for one) and blanks taken away; NULL: none.
 */
static char *next_field(char **rest)
{
  char *field = *rest, *to = field, *from = field;
  if (field == NULL) {
    return NULL;
  }
  gboolean quoted = FALSE;
  for (; *from != '\0' && (quoted || *from != ','); from++) {
    if (*from != '"') {
      *to++ = *from;
    } else if (quoted && from[1] == '"') {
      *to++ = *from++;
    } else {
      quoted = !quoted;
    }
  }
  *rest = *from == ',' ? from + 1 : NULL;
  *to = '\0';
  return g_strstrip(field);
}

/* A file that begins with its rows would lose the first of them. */
static gboolean is_row(const char *line)
{
  char *end;
  g_ascii_strtod(line, &end);
  return end != line && (*end == '\0' || *end == ',');
}

static gboolean find_column(Reader *r, const char *name)
{
  char *rest = next_line(r);
  if (rest == NULL) {
    r->line = 1;
    return wrong(r, "the file is empty");
  }
  if (is_row(rest)) {
    return wrong(r,
                 "this is a row of numbers; a line with the names of the columns goes before it");
  }
  if (name == NULL || *name == '\0') {
    r->column = 1;
    return TRUE;
  }
  g_autoptr(GString) names = g_string_new(NULL);
  char *field = next_field(&rest);
  for (guint k = 0; field != NULL; k++, field = next_field(&rest)) {
    if (k > 0 && strcmp(field, name) == 0) {
      r->column = k;
      return TRUE;
    }
    hy_list_word(names, field);
  }
  return wrong(r, "no column \"%s\"; there are: %s", name, names->str);
}

static gboolean number(const Reader *r, const char *text, double *v)
{
  char *end;
  *v = g_ascii_strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(*v)) {
    return wrong(r, "\"%s\" is not a number", text);
  }
  return TRUE;
}

static gboolean read_row(const Reader *r, char *line, HyCorner *c)
{
  char *field = next_field(&line);
  if (!number(r, field, &c->at)) {
    return FALSE;
  }
  for (guint k = 0; k < r->column; k++) {
    field = next_field(&line);
    if (field == NULL) {
      return wrong(r, "%u columns, the one that is asked for is number %u", k + 1, r->column + 1);
    }
  }
  return number(r, field, &c->value);
}

/* A time may come twice: then the value jumps there. */
static gboolean read_rows(Reader *r, GArray *rows)
{
  for (char *line = next_line(r); line != NULL; line = next_line(r)) {
    HyCorner c = {0};
    if (*line == '\0') {
      continue;
    }
    if (!read_row(r, line, &c)) {
      return FALSE;
    }
    const HyCorner *last = rows->len > 0 ? &g_array_index(rows, HyCorner, rows->len - 1) : NULL;
    if (last != NULL && c.at < last->at) {
      char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
      return wrong(r, "time %s comes after %s; times must not fall", hy_double_text(a, c.at),
                   hy_double_text(b, last->at));
    }
    g_array_append_val(rows, c);
  }
  return rows->len > 0 || wrong(r, "there are no rows");
}

static void connect_rows(HyCorner *c, gsize n)
{
  for (gsize k = 0; k + 1 < n; k++) {
    double time = c[k + 1].at - c[k].at;
    c[k].slope = time > 0 ? (c[k + 1].value - c[k].value) / time : 0;
  }
}

#define MOST_BYTES ((gsize)1 << 30)

/* The whole file, as text if it is SOUND not; a device or a pipe may never end. NULL: ERROR is set.
 */
static GString *read_bytes(const char *path, gboolean sound, GError **error)
{
  FILE *file = fopen(path, "rbe");
  if (file == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: cannot be read: %s", path, g_strerror(errno));
    return NULL;
  }
  GString *text = g_string_new(NULL);
  char part[1 << 14];
  gsize n;
  const char *why = NULL;
  while (why == NULL && (n = fread(part, 1, sizeof part, file)) > 0) {
    why = !sound && memchr(part, '\0', n) != NULL ? "this is no text"
          : text->len + n > MOST_BYTES            ? "more than 1 GiB"
                                                  : NULL;
    g_string_append_len(text, part, (gssize)n);
  }
  why = why == NULL && ferror(file) ? g_strerror(errno) : why;
  fclose(file);
  if (why != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: %s", path, why);
    g_string_free(text, TRUE);
    return NULL;
  }
  return text;
}

static gboolean is_sound(const char *path)
{
  g_autofree char *small = g_ascii_strdown(path, -1);
  return g_str_has_suffix(small, ".wav");
}

/* "2", "left", "right"; nothing is the first. 0: none of them. */
static guint channel_of(const char *column)
{
  guint64 channel = 0;
  if (column == NULL || *column == '\0' || strcmp(column, "left") == 0) {
    return 1;
  }
  return strcmp(column, "right") == 0                                       ? 2
         : g_ascii_string_to_unsigned(column, 10, 1, 65535, &channel, NULL) ? (guint)channel
                                                                            : 0;
}

/* The samples of a channel, the first at 0. */
static gboolean read_sound(const FileSource *s, const GString *bytes, GArray *rows, GError **error)
{
  HyWav wav = {0};
  g_autofree char *why = NULL;
  guint channel = channel_of(s->column);
  if (channel == 0) {
    why = g_strdup_printf("no channel \"%s\"; its channels are 1, 2, ..., left, right", s->column);
  } else {
    hy_wav_read((const guint8 *)bytes->str, bytes->len, channel, &wav, &why);
  }
  if (why != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: %s", s->path, why);
    return FALSE;
  }
  for (gsize k = 0; k < wav.n; k++) {
    HyCorner c = {.at = (double)k / wav.rate, .value = wav.sample[k]};
    g_array_append_val(rows, c);
  }
  g_free(wav.sample);
  return TRUE;
}

static gboolean file_source_init(void *state, double t, const HySetup *setup, GError **error)
{
  FileSource *s = state;
  gboolean sound = is_sound(s->path);
  g_autoptr(GString) text = read_bytes(s->path, sound, error);
  if (text == NULL) {
    return FALSE;
  }
  Reader r = {.path = s->path, .at = text->str, .error = error};
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(HyCorner));
  if (sound ? !read_sound(s, text, rows, error)
            : !find_column(&r, s->column) || !read_rows(&r, rows)) {
    return FALSE;
  }
  s->wave.n = rows->len;
  s->wave.before = g_array_index(rows, HyCorner, 0).value;
  s->wave.many = (HyCorner *)(gpointer)g_array_free(g_steal_pointer(&rows), FALSE);
  if (strcmp(s->interpolation, "linear") == 0) {
    connect_rows(s->wave.many, s->wave.n);
  }
  return hy_wave_init(&s->wave, t, setup, error);
}

static void file_source_clear(void *state)
{
  FileSource *s = state;
  g_clear_pointer(&s->wave.many, g_free);
}

static const HyParam file_source_params[] = {
    HY_PARAM(FileSource, path, .required = TRUE,
             .doc = "the CSV file: a heading, then rows with the time in the first column; or a "
                    ".wav file, whose samples are from -1 to 1"),
    HY_PARAM(FileSource, column,
             .doc = "its heading; the second column if not given. Of a .wav file the number of the "
                    "channel, left or right; the first if not given"),
    HY_PARAM(FileSource, interpolation, .text = "linear", .choices = "linear hold",
             .doc = "between rows: a straight line, or the last value"),
    HY_DQREL(FileSource, wave.dqrel),
    HY_DQMIN(FileSource, wave.dqmin),
    {.name = NULL},
};
const HyAtomicClass hy_file_source_class = {
    .name = "file_source",
    .doc = "a column of a CSV file over its time column, or a channel of a sound file",
    .palette = "Sources",
    .example = "<file_source name=\"wind\" path=\"wind.csv\" column=\"speed\"/>",
    .params = file_source_params,
    .init = file_source_init,
    .clear = file_source_clear,
    HY_WAVE_CLASS(FileSource),
};
