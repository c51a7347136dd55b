#include "hydevs/report.h"
#include "hydevs/error.h"
#include "hydevs/text.h"

#include <string.h>

#define LONGEST_TEXT 2000  /* bytes of a message */
#define MAX_KEPT     10000 /* messages; more are only counted */

typedef struct {
  HyMessageAt at;
  guint file, arrival;
} Message;

struct HyReport {
  GStringChunk *text;
  GPtrArray *files; /* const char *, in the order first met */
  GArray *messages; /* Message */
  guint n_errors, n_warnings;
  gboolean strict, sorted;
};

HyReport *hy_report_new(void)
{
  HyReport *r = g_new0(HyReport, 1);
  r->text = g_string_chunk_new(1024);
  r->files = g_ptr_array_new();
  r->messages = g_array_new(FALSE, FALSE, sizeof(Message));
  r->sorted = TRUE;
  return r;
}

void hy_report_free(HyReport *report)
{
  if (report == NULL) {
    return;
  }
  g_string_chunk_free(report->text);
  g_ptr_array_unref(report->files);
  g_array_unref(report->messages);
  g_free(report);
}

void hy_report_set_strict(HyReport *report, gboolean strict)
{
  g_return_if_fail(report != NULL);
  report->strict = strict;
}

static guint file_number(HyReport *r, const char *file)
{
  for (guint i = 0; i < r->files->len; i++) {
    if (strcmp(g_ptr_array_index(r->files, i), file) == 0) {
      return i;
    }
  }
  g_ptr_array_add(r->files, g_string_chunk_insert(r->text, file));
  return r->files->len - 1;
}

/* TEXT, or of a very long one its beginning and its end: what somebody has written may be a
 * megabyte without a blank. Newly allocated. */
static char *shorten(const char *text)
{
  gsize n = strlen(text);
  if (n <= LONGEST_TEXT) {
    return g_strdup(text);
  }
  const char *end = text + n - LONGEST_TEXT / 4, *begin = text + LONGEST_TEXT / 2;
  while (begin > text && (guchar)*begin >> 6 == 2) { /* not inside a letter */
    begin--;
  }
  while ((guchar)*end >> 6 == 2) {
    end++;
  }
  return g_strdup_printf("%.*s ... %s", (int)(begin - text), text, end);
}

static void add(HyReport *r, gboolean warning, const char *file, guint line, const char *long_text)
{
  /* It quotes what somebody has written, and "%.20s" may end within a letter. */
  g_autofree char *plain = hy_plain_text(long_text, FALSE);
  g_autofree char *text = shorten(plain);
  guint *count = warning ? &r->n_warnings : &r->n_errors;
  (*count)++;
  if (*count > MAX_KEPT) {
    return;
  }
  guint number = file_number(r, file);
  Message m = {.file = number, .arrival = r->messages->len};
  m.at = (HyMessageAt){.file = g_ptr_array_index(r->files, number),
                       .line = line,
                       .warning = warning,
                       .text = g_string_chunk_insert(r->text, text)};
  g_array_append_val(r->messages, m);
  r->sorted = FALSE;
}

void hy_report_error(HyReport *report, const char *file, guint line, const char *format, ...)
{
  g_return_if_fail(report != NULL && format != NULL);
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  add(report, FALSE, file, line, what);
}

void hy_report_warning(HyReport *report, const char *file, guint line, const char *format, ...)
{
  g_return_if_fail(report != NULL && format != NULL);
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  add(report, !report->strict, file, line, what);
}

guint hy_report_errors(const HyReport *report)
{
  g_return_val_if_fail(report != NULL, 0);
  return report->n_errors;
}

static gint compare(gconstpointer a, gconstpointer b)
{
  const Message *x = a, *y = b;
  if (x->file != y->file) {
    return x->file < y->file ? -1 : 1;
  }
  if (x->at.line != y->at.line) {
    return x->at.line < y->at.line ? -1 : 1;
  }
  return x->arrival < y->arrival ? -1 : x->arrival > y->arrival;
}

const HyMessageAt *hy_report_get(HyReport *report, guint k)
{
  g_return_val_if_fail(report != NULL, NULL);
  if (!report->sorted) {
    g_array_sort(report->messages, compare);
    report->sorted = TRUE;
  }
  return k < report->messages->len ? &g_array_index(report->messages, Message, k).at : NULL;
}

static void append(GString *out, const HyMessageAt *m)
{
  g_autofree char *file = hy_plain_text(m->file, FALSE);
  g_string_append(out, file);
  if (m->line != 0) {
    g_string_append_printf(out, ":%u", m->line);
  }
  g_string_append_printf(out, ": %s%s\n", m->warning ? "warning: " : "", m->text);
}

/* Errors are never crowded out by warnings. */
static char *text_of(HyReport *r, gboolean warnings)
{
  GString *out = g_string_new(NULL);
  guint total = r->n_errors + (warnings ? r->n_warnings : 0), shown = 0;
  guint errors_left = MIN(r->n_errors, HY_MAX_MESSAGES);
  guint warnings_left = warnings ? HY_MAX_MESSAGES - errors_left : 0;
  const HyMessageAt *m;
  for (guint k = 0; (m = hy_report_get(r, k)) != NULL; k++) {
    guint *left = m->warning ? &warnings_left : &errors_left;
    if (*left > 0) {
      (*left)--;
      shown++;
      append(out, m);
    }
  }
  if (shown < total) {
    g_string_append_printf(out, "and %u more\n", total - shown);
  }
  return g_string_free(out, FALSE);
}

char *hy_report_text(HyReport *report)
{
  g_return_val_if_fail(report != NULL, NULL);
  return text_of(report, TRUE);
}

gboolean hy_report_gerror(HyReport *report, GError **error)
{
  g_return_val_if_fail(report != NULL, FALSE);
  g_autofree char *text = text_of(report, FALSE);
  g_strchomp(text);
  g_set_error_literal(error, HY_ERROR, HY_ERROR_MODEL, text);
  return FALSE;
}
