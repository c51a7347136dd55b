/* What a session tells of itself: info, report, help. */
#include "frames.h"
#include "session_internal.h"

#include "base/hint.h"
#include "results/json.h"

#include <math.h>
#include <string.h>

/* Info ---------------------------------------------------------------------------------------- */

static void add_levers(const HySession *s, HyJsonOut *json)
{
  static const char *const kinds[] = {"setting", "outside", "malfunction"};
  hy_json_begin(json, "levers", '[');
  for (guint k = 0; s->sim != NULL && k < hy_sim_n_levers(s->sim); k++) {
    HyLever lever = {0};
    double c[4];
    if (!hy_sim_lever_info(s->sim, k, &lever)) {
      break; /* before init there are no values */
    }
    gboolean said = hy_sim_signal(s->sim, lever.atomic, 0, s->t, c);
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "path", lever.path);
    hy_json_text(json, "kind", kinds[lever.kind]);
    hy_json_value(json, "value", said ? c[0] : lever.value);
    hy_json_value(json, "target", lever.target);
    hy_json_bound(json, "lower", lever.lower);
    hy_json_bound(json, "upper", lever.upper);
    hy_json_bound(json, "rate", lever.rate);
    hy_json_text(json, "unit", lever.unit != NULL ? lever.unit : "");
    hy_json_text(json, "doc", lever.doc != NULL ? lever.doc : "");
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

static void add_monitors(const HySession *s, HyJsonOut *json)
{
  hy_json_begin(json, "monitors", '[');
  for (guint k = 0; k < s->monitors->len; k++) {
    const HyMonitor *m = g_ptr_array_index(s->monitors, k);
    for (guint i = 0; i < m->seen->len; i++) {
      const HySeen *seen = &g_array_index(m->seen, HySeen, i);
      hy_json_begin(json, NULL, '{');
      hy_json_text(json, "path", seen->path);
      hy_json_value(json, "every", m->every);
      hy_json_bool(json, "wall", m->wall);
      hy_json_text(json, "unit", seen->column.unit != NULL ? seen->column.unit : "");
      hy_json_end(json, '}');
    }
  }
  hy_json_end(json, ']');
}

static void add_overrides(const HySession *s, HyJsonOut *json)
{
  static const char *const words[] = {"none", "value", "freeze", "off"};
  hy_json_begin(json, "overrides", '[');
  for (guint k = 0; k < s->overrides->len; k++) {
    const HyOverride *o = g_ptr_array_index(s->overrides, k);
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "path", o->path);
    hy_json_text(json, "how", words[o->how]);
    if (o->how != HY_SHOWN_OFF) {
      hy_json_value(json, "value", o->value);
    }
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

static void add_places(const HySession *s, HyJsonOut *json)
{
  hy_json_begin(json, "snapshots", '[');
  for (guint k = 0; k < s->places->len; k++) {
    const HyPlace *p = g_ptr_array_index(s->places, k);
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "name", p->name);
    hy_json_value(json, "t", p->t);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

gboolean hy_do_info(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  HyJsonOut *json = &a->json;
  (void)r;
  (void)error;
  hy_session_catch_up(s);
  hy_json_text(json, "model", hy_model_name(hy_loaded_model(s->loaded)));
  hy_json_value(json, "t0", s->t0);
  hy_json_bound(json, "tf", s->tf);
  hy_json_value(json, "scale", s->scale);
  hy_json_count(json, "seed", s->seed);
  hy_json_text(json, "why", s->why);
  hy_json_value(json, "snapshot_every", s->every);
  hy_json_count(json, "waiting", s->waiting->len);
  add_levers(s, json);
  add_monitors(s, json);
  add_overrides(s, json);
  add_places(s, json);
  hy_frames_json(s, json);
  return TRUE;
}

/* Report -------------------------------------------------------------------------------------- */

typedef struct {
  double t;
  char *time, *wall, *verb, *by, *values;
  GString *what; /* arguments */
} Row;

static void row_clear(gpointer data)
{
  Row *row = data;
  g_free(row->time);
  g_free(row->wall);
  g_free(row->verb);
  g_free(row->by);
  g_free(row->values);
  g_string_free(row->what, TRUE);
}

/* The next value as text: a string without quotes, anything else as it stands. */
static char *read_text(HyJson *json)
{
  const char *from = json->at != NULL ? json->at + strspn(json->at, " ") : "";
  if (*from == '"') {
    return hy_json_read_string(json);
  }
  hy_json_skip(json);
  return json->at != NULL ? g_strndup(from, (gsize)(json->at - from)) : NULL;
}

static Row read_row(const char *line)
{
  Row row = {.what = g_string_new(NULL)};
  struct {
    const char *key;
    char **to;
  } const aside[] = {{"t", &row.time},
                     {"wall", &row.wall},
                     {"do", &row.verb},
                     {"by", &row.by},
                     {"values", &row.values}};
  HyJson json = {.at = line};
  hy_json_open(&json, '{');
  while (hy_json_more(&json, '}')) {
    g_autofree char *key = hy_json_key(&json), *text = read_text(&json);
    gboolean taken = g_strcmp0(key, "n") == 0 || g_strcmp0(key, "after") == 0;
    for (guint k = 0; key != NULL && k < G_N_ELEMENTS(aside) && !taken; k++) {
      taken = strcmp(key, aside[k].key) == 0 &&
              *aside[k].to == NULL; /* what comes again is a word of the command */
      if (taken) {
        *aside[k].to = g_steal_pointer(&text);
      }
    }
    if (!taken && key != NULL && text != NULL) {
      g_string_append_printf(row.what, "%s%s=%s", row.what->len > 0 ? " " : "", key, text);
    }
  }
  if (row.time == NULL || !hy_text_number(row.time, &row.t)) {
    row.t = 0.0;
  }
  return row;
}

static gint by_time(gconstpointer a, gconstpointer b)
{
  double x = ((const Row *)a)->t, y = ((const Row *)b)->t;
  return x < y ? -1 : x > y;
}

static GArray *read_rows(const HySession *s)
{
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
  g_array_set_clear_func(rows, row_clear);
  for (guint k = 0; k < s->told->len; k++) {
    Row row = read_row(g_ptr_array_index(s->told, k));
    guint at = rows->len;
    while (at > 0 && by_time(&g_array_index(rows, Row, at - 1), &row) > 0) {
      at--;
    }
    g_array_insert_val(rows, at, row);
  }
  return rows;
}

static void add_field(GString *out, const char *text)
{
  g_autoptr(GString) field = g_string_new(text != NULL ? text : "");
  if (strpbrk(field->str, ",\"\n\r") != NULL) {
    g_string_replace(field, "\"", "\"\"", 0);
    g_string_append_printf(out, "\"%s\"", field->str);
  } else {
    g_string_append(out, field->str);
  }
}

static char *report_csv(const HySession *s)
{
  g_autoptr(GArray) rows = read_rows(s);
  GString *out = g_string_new("time,wall,verb,what,by,values\r\n");
  for (guint k = 0; k < rows->len; k++) {
    const Row *row = &g_array_index(rows, Row, k);
    const char *const fields[] = {row->time,      row->wall, row->verb,
                                  row->what->str, row->by,   row->values};
    for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
      g_string_append(out, i > 0 ? "," : "");
      add_field(out, fields[i]);
    }
    g_string_append(out, "\r\n");
  }
  return g_string_free(out, FALSE);
}

static char *report_text(HySession *s)
{
  g_autoptr(GArray) rows = read_rows(s);
  GString *out = g_string_new(NULL);
  for (guint k = 0; k < rows->len; k++) {
    const Row *row = &g_array_index(rows, Row, k);
    g_string_append_printf(out, "t = %s  (%s s)  %s %s%s%s%s%s\n", row->time, row->wall, row->verb,
                           row->what->str, row->by != NULL ? "  by " : "",
                           row->by != NULL ? row->by : "", row->values != NULL ? "  " : "",
                           row->values != NULL ? row->values : "");
  }
  hy_frames_text(s, out);
  return g_string_free(out, FALSE);
}

gboolean hy_do_report(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  const char *form = hy_request_text(r, "form"), *file = hy_request_text(r, "file");
  gboolean csv = g_strcmp0(form, "csv") == 0;
  if (form != NULL && !csv && strcmp(form, "text") != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "report: \"%s\" is neither text nor csv", form);
    return FALSE;
  }
  g_autofree char *text = csv ? report_csv(s) : report_text(s);
  if (file != NULL) {
    return hy_output_is_free(file, hy_loaded_inputs(s->loaded), NULL, error) &&
           hy_write_file(file, text, -1, error);
  }
  hy_json_text(&a->json, "report", text);
  return TRUE;
}

/* Help ---------------------------------------------------------------------------------------- */

gboolean hy_do_help(HySession *s, const HyRequest *r, HyAnswer *a, GError **error)
{
  const char *one = hy_request_text(r, "verb");
  (void)s;
  if (one != NULL && strcmp(one, "at") != 0 && hy_verb_find(one, error) == NULL) {
    return FALSE;
  }
  hy_json_begin(&a->json, "verbs", '[');
  for (const HyVerb *v = hy_verbs; v->name != NULL; v++) {
    if (one == NULL || strcmp(v->name, one) == 0) {
      hy_json_begin(&a->json, NULL, '{');
      hy_json_text(&a->json, "usage", v->usage);
      hy_json_text(&a->json, "does", v->doc);
      hy_json_end(&a->json, '}');
    }
  }
  if (one == NULL || strcmp(one, "at") == 0) {
    hy_json_begin(&a->json, NULL, '{');
    hy_json_text(&a->json, "usage", "at T VERB ...");
    hy_json_text(&a->json, "does", "the same at simulated time T");
    hy_json_end(&a->json, '}');
  }
  hy_json_end(&a->json, ']');
  return TRUE;
}
