/* The table: a row a run in the order of the plan, as CSV (RFC 4180). Numbers are the shortest that
 * read back as the same double; what is not there is empty. */
#include "sweep_internal.h"

#include "base/out_file.h"
#include "hydevs/text.h"
#include "results/csv_fields.h"

#include <math.h>
#include <string.h>

static void add_field(GString *line, const char *text)
{
  if (line->len > 0) {
    g_string_append_c(line, ',');
  }
  hy_csv_append(line, text);
}

static void add_count(GString *line, guint64 n)
{
  g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, n);
  add_field(line, text);
}

/* "10u" is a number of the language, and of no other reader: it stands as the number that it is.
 * What another reads as a number stands as it was written. */
static void add_set(GString *line, const char *text)
{
  double v;
  char plain[HY_DOUBLE_SIZE];
  gboolean other = strspn(text, "0123456789+-.eE") != strlen(text) && hy_plan_number(text, &v);
  add_field(line, other ? hy_double_text(plain, v) : text);
}

static void add_head(const HyPlan *p, GString *line)
{
  add_field(line, "run");
  for (guint c = 0; c < p->columns->len; c++) {
    add_field(line, hy_plan_at(p, c)->head);
  }
  add_field(line, "status");
  for (guint m = 0; m < p->n_measures; m++) {
    add_field(line, hy_plan_measure(p, m));
  }
  add_field(line, "events");
  add_field(line, "why");
}

static void add_results(const HySweep *s, guint64 place, GString *line)
{
  char text[HY_DOUBLE_SIZE];
  guint n = s->plan->n_measures;
  const double *v = s->measures + place * n;
  gboolean ended = s->status[place] == 0 || s->events[place] > 0; /* else it has not begun */
  add_field(line, hy_sweep_status_text(text, s->status[place]));
  for (guint m = 0; m < n; m++) {
    add_field(line, isnan(v[m]) ? "" : hy_double_text(text, v[m]));
  }
  if (ended) {
    add_count(line, s->events[place]);
  } else {
    add_field(line, "");
  }
  add_field(line, hy_sweep_why(s, place));
}

static void add_row(const HySweep *s, guint64 place, GString *line)
{
  guint64 k = hy_sweep_k(s, place);
  g_auto(GStrv) row = hy_plan_row(s->plan, k);
  add_count(line, k);
  for (guint c = 0; row[c] != NULL; c++) {
    if (c < s->plan->n_set) {
      add_set(line, row[c]);
    } else {
      add_field(line, row[c]);
    }
  }
  add_results(s, place, line);
}

gboolean hy_sweep_write(const HySweep *s, GError **error)
{
  HyOutFile *out = hy_out_open(s->options.out, error);
  g_autoptr(GString) line = g_string_new(NULL);
  if (out == NULL) {
    return FALSE;
  }
  FILE *to = hy_out_stream(out);
  add_head(s->plan, line);
  for (guint64 place = 0; !ferror(to); place++) {
    g_string_append_c(line, '\n');
    fwrite(line->str, 1, line->len, to);
    g_string_truncate(line, 0);
    if (place == s->n) {
      break;
    }
    add_row(s, place, line);
  }
  return hy_out_commit(out, error);
}
