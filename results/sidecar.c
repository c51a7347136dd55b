/* The JSON beside a recording. */
#include "sidecar.h"
#include "hydevs/text.h"

#include "json.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define SHOWN 100 /* numbers of an array */

char *hy_sidecar_path(const char *csv)
{
  return g_strconcat(csv, ".json", NULL);
}

/* Writing ------------------------------------------------------------------------------------- */

void hy_sidecar_number(HyJsonOut *json, const char *key, double v)
{
  if (!isnan(v)) {
    hy_json_real(json, key, v);
  }
}

void hy_sidecar_value(HyJsonOut *json, const char *key, double v)
{
  char text[HY_DOUBLE_SIZE];
  if (isfinite(v)) {
    hy_json_real(json, key, v);
  } else {
    hy_json_text(json, key, hy_double_text(text, v));
  }
}

static void add_numbers(HyJsonOut *json, const char *key, const double *v, guint n)
{
  hy_json_begin(json, key, '[');
  for (guint k = 0; k < n; k++) {
    hy_sidecar_value(json, NULL, v[k]);
  }
  hy_json_end(json, ']');
}

void hy_sidecar_numbers(HyJsonOut *json, const char *key, const double *v, guint n)
{
  if (n <= SHOWN) {
    add_numbers(json, key, v, n);
    return;
  }
  g_autoptr(GString) all = g_string_new(NULL);
  add_numbers(&(HyJsonOut){.out = all}, NULL, v, n);
  g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, all->str, -1);
  hy_json_begin(json, key, '{');
  hy_json_count(json, "n", n);
  hy_json_text(json, "sha256", digest);
  hy_json_end(json, '}');
}

static void add_grid(HyJsonOut *json, const HyRecorder *r)
{
  guint n;
  const double *times = hy_recorder_times(r, &n);
  if (times != NULL) {
    hy_sidecar_numbers(json, "grid", times, n);
  } else if (hy_recorder_grid(r) > 0) {
    hy_json_real(json, "grid", hy_recorder_grid(r));
  }
}

/* The order of a signal is known at the end. */
static void add_columns(HyJsonOut *json, const HyRecorder *r, gboolean ended)
{
  hy_json_begin_lines(json, "columns", '[');
  for (guint k = 0; k < hy_recorder_n(r); k++) {
    const HyColumn *c = hy_recorder_column(r, k);
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "path", c->path);
    hy_json_text(json, "kind", c->holds == HY_EVENT ? "event" : "signal");
    if (ended && c->holds == HY_SIGNAL) {
      hy_json_count(json, "order", hy_recorder_order(r, k));
    }
    hy_json_text(json, "unit", c->unit);
    hy_json_text(json, "label", c->label);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

char *hy_sidecar_print(const HyRecorder *r, const char *told)
{
  g_return_val_if_fail(r != NULL && told != NULL, NULL);
  gboolean ended = !isnan(hy_recorder_end(r));
  GString *out = g_string_new(told);
  HyJsonOut json = HY_SIDECAR_GOES_ON(out);
  hy_sidecar_number(&json, "end", hy_recorder_end(r));
  add_grid(&json, r);
  if (ended) {
    hy_json_count(&json, "rows", hy_recorder_rows(r));
  }
  add_columns(&json, r, ended);
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
  return g_string_free(out, FALSE);
}

/* Reading ------------------------------------------------------------------------------------- */

static void column_clear(gpointer data)
{
  HySidecarColumn *c = data;
  g_free(c->path);
  g_free(c->unit);
  g_free(c->label);
}

void hy_sidecar_free(HySidecar *s)
{
  if (s == NULL) {
    return;
  }
  g_free(s->model);
  g_free(s->experiment);
  g_free(s->title);
  g_array_unref(s->columns);
  g_free(s);
}

static void set_string(char **field, HyJson *j)
{
  g_free(*field);
  *field = hy_json_read_string(j);
}

static void read_kind(HySidecarColumn *c, HyJson *j)
{
  g_autofree char *kind = hy_json_read_string(j);
  c->event = g_strcmp0(kind, "event") == 0;
}

static void read_column(HySidecar *s, HyJson *j)
{
  HySidecarColumn c = {.order = 3};
  for (hy_json_open(j, '{'); hy_json_more(j, '}');) {
    g_autofree char *key = hy_json_key(j);
    if (g_strcmp0(key, "path") == 0) {
      set_string(&c.path, j);
    } else if (g_strcmp0(key, "unit") == 0) {
      set_string(&c.unit, j);
    } else if (g_strcmp0(key, "label") == 0) {
      set_string(&c.label, j);
    } else if (g_strcmp0(key, "kind") == 0) {
      read_kind(&c, j);
    } else if (g_strcmp0(key, "order") == 0) {
      c.order = hy_json_read_number(j) == 0 ? 0 : 3;
    } else {
      hy_json_skip(j);
    }
  }
  g_array_append_val(s->columns, c);
}

static void read_member(HySidecar *s, HyJson *j)
{
  g_autofree char *key = hy_json_key(j);
  if (g_strcmp0(key, "model") == 0) {
    set_string(&s->model, j);
  } else if (g_strcmp0(key, "experiment") == 0) {
    set_string(&s->experiment, j);
  } else if (g_strcmp0(key, "title") == 0) {
    set_string(&s->title, j);
  } else if (g_strcmp0(key, "t0") == 0) {
    s->t0 = hy_json_read_number(j);
  } else if (g_strcmp0(key, "tf") == 0) {
    s->tf = hy_json_read_number(j);
  } else if (g_strcmp0(key, "end") == 0) {
    s->end = hy_json_read_number(j);
  } else if (g_strcmp0(key, "grid") == 0) {
    s->grid = hy_json_read_number(j);
  } else if (g_strcmp0(key, "columns") == 0) {
    for (hy_json_open(j, '['); hy_json_more(j, ']');) {
      read_column(s, j);
    }
  } else {
    hy_json_skip(j);
  }
}

HySidecar *hy_sidecar_new(void)
{
  HySidecar *s = g_new0(HySidecar, 1);
  s->t0 = s->tf = s->end = s->grid = NAN;
  s->columns = g_array_new(FALSE, TRUE, sizeof(HySidecarColumn));
  g_array_set_clear_func(s->columns, column_clear);
  return s;
}

HySidecar *hy_sidecar_kept(const HyRecorder *r)
{
  HySidecar *s = hy_sidecar_new();
  for (guint k = 0; k < hy_recorder_n(r); k++) {
    const HyColumn *is = hy_recorder_column(r, k);
    HySidecarColumn c = {.path = g_strdup(is->path),
                         .unit = g_strdup(is->unit),
                         .label = g_strdup(is->label),
                         .event = is->holds == HY_EVENT,
                         .order = hy_recorder_order(r, k) == 0 ? 0 : 3};
    g_array_append_val(s->columns, c);
  }
  return s;
}

HySidecar *hy_sidecar_read(const char *csv, GError **error)
{
  g_autofree char *path = hy_sidecar_path(csv);
  g_autofree char *text = NULL;
  g_autoptr(GError) why = NULL;
  if (!g_file_get_contents(path, &text, NULL, &why)) {
    if (!g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
      g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: cannot read: %s", path, why->message);
    }
    return NULL;
  }
  if (*text == '\0') { /* of a run that was killed as it began */
    return NULL;
  }
  HySidecar *s = hy_sidecar_new();
  HyJson j = {.at = text};
  for (hy_json_open(&j, '{'); hy_json_more(&j, '}');) {
    read_member(s, &j);
  }
  if (j.at == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: not what hydevs writes beside a recording",
                path);
    g_clear_pointer(&s, hy_sidecar_free);
  }
  return s;
}

const HySidecarColumn *hy_sidecar_find(const HySidecar *s, const char *path)
{
  for (guint k = 0; s != NULL && k < s->columns->len; k++) {
    const HySidecarColumn *c = &g_array_index(s->columns, HySidecarColumn, k);
    if (g_strcmp0(c->path, path) == 0) {
      return c;
    }
  }
  return NULL;
}
