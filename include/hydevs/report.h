/* What is wrong with a model: every error and warning of a load, or of several, collected, sorted
 * and printed as "file:line: block/path: what, expected what". */
#ifndef HYDEVS_REPORT_H
#define HYDEVS_REPORT_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define HY_MAX_MESSAGES 100 /* shown; the rest is counted */

typedef struct HyReport HyReport;

typedef struct {
  const char *file; /* as the user or the naming file wrote it */
  guint line;       /* 0: the file as a whole */
  gboolean warning;
  const char *text;
} HyMessageAt;

HyReport *hy_report_new(void);
void hy_report_free(HyReport *report); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyReport, hy_report_free)

/* Warnings count as errors from now on. */
void hy_report_set_strict(HyReport *report, gboolean strict);

/* Adds a message. FILE is copied. */
void hy_report_error(HyReport *report, const char *file, guint line, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
void hy_report_warning(HyReport *report, const char *file, guint line, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

guint hy_report_errors(const HyReport *report); /* how many, also those that are not kept */

/* Message K of those kept, in the order of files first met, lines, and arrival; NULL after the
 * last. The strings are the report's and live until its next change. */
const HyMessageAt *hy_report_get(HyReport *report, guint k);

/* All messages, a line each, at most HY_MAX_MESSAGES and then how many were left out. Newly
 * allocated. */
char *hy_report_text(HyReport *report);
/* Errors only, as one GError of the domain HY_ERROR with the code HY_ERROR_MODEL; always FALSE. */
gboolean hy_report_gerror(HyReport *report, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
