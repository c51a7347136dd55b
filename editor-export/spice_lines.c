/* The statements of a netlist: the first line is its title, "*" begins a comment, "+" goes on with
 * the line before; what .include names stands in its place, and what .lib does, or the section
 * .lib ... .endl there that it names; sections .control ... .endc are commands, kept aside. */
#include "editor-export/spice.h"

#include <string.h>

#define MOST_DEEP  20
#define MOST_LINES 1000000

void spice_error(Spice *s, const SpiceLine *at, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  hy_report_error(s->report, at->file, at->line, "%s", text);
}

void spice_warning(Spice *s, const SpiceLine *at, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  hy_report_warning(s->report, at->file, at->line, "%s", text);
}

static gboolean is_blank(char c)
{
  return c == ' ' || c == '\t';
}

/* Cuts what stands behind ";", "$ " or "//". */
static void cut_comment(char *text)
{
  for (char *at = text; *at != '\0'; at++) {
    gboolean first = at == text || is_blank(at[-1]) || at[-1] == ',';
    if (*at == ';' || (first && *at == '$' && (is_blank(at[1]) || at[1] == '\0')) ||
        (at[0] == '/' && at[1] == '/')) {
      *at = '\0';
      break;
    }
  }
  g_strchomp(text);
}

/* Both letters that look like a micro, as "u". */
static void spell_micro(char *text)
{
  char *to = text;
  for (; *text != '\0'; text++) {
    gboolean micro = strncmp(text, "\xC2\xB5", 2) == 0 || strncmp(text, "\xCE\xBC", 2) == 0;
    *to++ = (char)(micro ? 'u' : *text);
    text += micro;
  }
  *to = '\0';
}

static void add_line(Spice *s, GPtrArray *to, SpiceLine line, const char *text)
{
  SpiceLine *l = g_new(SpiceLine, 1);
  *l = line;
  l->text = g_strdup(text);
  g_ptr_array_add(to, l);
  (void)s;
}

static gboolean begins(const char *text, const char *word)
{
  gsize n = strlen(word);
  return g_ascii_strncasecmp(text, word, n) == 0 && !g_ascii_isalnum(text[n]);
}

/* Where the reader of one file stands. */
typedef struct Place {
  SpiceLine at;
  const struct Place *around; /* of the file that includes this one; NULL: it is the netlist */
  guint deep;
  const char *section; /* the only one that is wanted; NULL: all of the file is */
  gboolean wanted;     /* the section has begun */
  gboolean commands, ended;
} Place;

static void read_text(Spice *s, const char *text, Place *p);

/* PATH is the file of P, or one around it. */
static gboolean is_open(const Place *p, const char *path)
{
  g_autofree char *wanted = g_canonicalize_filename(path, NULL);
  for (; p != NULL; p = p->around) {
    g_autofree char *open = g_canonicalize_filename(p->at.file, NULL);
    if (strcmp(open, wanted) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

/* NAME as the file of P means it; newly allocated. */
static char *path_of(const Place *p, const char *name)
{
  g_autofree char *folder = g_path_get_dirname(p->at.file);
  return g_path_is_absolute(name) ? g_strdup(name) : g_build_filename(folder, name, NULL);
}

/* What stands in PATH, or in its SECTION. */
static void read_file(Spice *s, const Place *p, const char *path, const char *section)
{
  const SpiceLine *at = &p->at;
  g_autofree char *text = NULL;
  if (p->deep >= MOST_DEEP) {
    spice_error(s, at, "files that include one another, more than 20 deep");
    return;
  }
  if (is_open(p, path) && section == NULL) {
    spice_error(s, at, "\"%s\" includes itself", path);
    return;
  }
  if (!g_file_test(path, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents(path, &text, NULL, NULL)) {
    spice_error(s, at, "there is no file \"%s\"", path);
    return;
  }
  if (s->further != NULL) {
    g_ptr_array_add(s->further, g_strdup(path));
  }
  if (!g_utf8_validate(text, -1, NULL)) {
    spice_error(s, at, "%s is not UTF-8", path);
    return;
  }
  Place inside = {.at = {.file = g_string_chunk_insert_const(s->strings, path), .main = at->main},
                  .around = p,
                  .deep = p->deep + 1,
                  .section = section};
  read_text(s, text, &inside);
}

/* .include "name" */
static void include(Spice *s, const Place *p, const char *rest)
{
  g_autofree char *name = g_strstrip(g_strdelimit(g_strdup(rest), "\"'", ' '));
  g_autofree char *path = path_of(p, name);
  if (*name == '\0') {
    spice_error(s, &p->at, ".include names no file");
  } else {
    read_file(s, p, path, NULL);
  }
}

/* .lib "name" [section]: LTspice ends each netlist with the libraries of its own installation, so
 * a whole file may be missing; what uses a model of it will say so. */
static void include_library(Spice *s, const Place *p, const char *rest)
{
  g_autofree char *name = g_strstrip(g_strdelimit(g_strdup(rest), "\"'", ' '));
  g_autofree char *path = path_of(p, name);
  char *blank = strrchr(name, ' ');
  if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
    read_file(s, p, path, NULL);
  } else if (blank == NULL || strchr(blank, '.') != NULL || strchr(blank, '\\') != NULL) {
    spice_warning(s, &p->at, "there is no file \"%s\"; .lib is left out", path);
  } else {
    *blank = '\0';
    g_autofree char *file = path_of(p, g_strchomp(name));
    read_file(s, p, file, blank + 1);
  }
}

/* In a file of which one section is wanted: whether TEXT is outside of it, or one of its ends. */
static gboolean is_skipped(Place *p, const char *text)
{
  if (p->section == NULL) {
    return begins(text, ".endl");
  }
  if (begins(text, ".lib")) {
    g_autofree char *name = g_strstrip(g_strdelimit(g_strdup(text + 4), "\"'", ' '));
    if (g_ascii_strcasecmp(name, p->section) == 0) {
      p->wanted = TRUE;
      return TRUE;
    }
  }
  if (begins(text, ".endl")) {
    p->wanted = FALSE;
    return TRUE;
  }
  return !p->wanted;
}

/* One line that is no comment. */
static void take(Spice *s, Place *p, char *text, gboolean goes_on)
{
  GPtrArray *to = p->commands ? s->commands : s->lines;
  if (p->section != NULL && goes_on && !p->wanted) {
    return;
  }
  if (goes_on) {
    if (to->len == 0) {
      spice_error(s, &p->at,
                  "a line that begins with + goes on with the one before; there is none");
      return;
    }
    SpiceLine *last = g_ptr_array_index(to, to->len - 1);
    char *both = g_strconcat(last->text, " ", text, NULL);
    g_free(last->text);
    last->text = both;
  } else if (is_skipped(p, text)) {
    return;
  } else if (begins(text, ".control")) {
    p->commands = TRUE;
  } else if (begins(text, ".endc")) {
    p->commands = FALSE;
  } else if (begins(text, ".end")) {
    p->ended = TRUE;
  } else if (begins(text, ".include") || begins(text, ".inc")) {
    include(s, p, text + (begins(text, ".inc") ? 4 : 8));
  } else if (begins(text, ".lib")) {
    include_library(s, p, text + 4);
  } else {
    add_line(s, to, p->at, text);
  }
}

static void read_text(Spice *s, const char *text, Place *p)
{
  while (*text != '\0' && !p->ended) {
    gsize n = strcspn(text, "\n");
    g_autofree char *line = g_strndup(text, n);
    text += n + (text[n] == '\n');
    p->at.line++;
    p->at.main = p->deep == 0 ? p->at.line : p->at.main;
    if (p->deep == 0 && p->at.line == 1) {
      s->title = g_strstrip(g_steal_pointer(&line));
      continue;
    }
    g_strstrip(line);
    if (*line == '*' || *line == '\0') {
      continue;
    }
    cut_comment(line);
    spell_micro(line);
    gboolean goes_on = *line == '+';
    g_strstrip(goes_on ? memmove(line, line + 1, strlen(line)) : line);
    if (*line != '\0') {
      take(s, p, line, goes_on);
    }
    if (s->lines->len + s->commands->len > MOST_LINES) {
      spice_error(s, &p->at, "more than %d statements", MOST_LINES);
      p->ended = TRUE;
    }
  }
}

void spice_lines(Spice *s, const char *text)
{
  Place p = {.at = {.file = s->file}};
  read_text(s, text, &p);
  if (s->title == NULL) {
    s->title = g_strdup("");
  }
}
