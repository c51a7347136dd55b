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

void hy_sidecar_text(GString *out, const char *key, const char *text)
{
  if (text != NULL) {
    g_string_append_printf(out, "  \"%s\": ", key);
    hy_json_string(out, text);
    g_string_append(out, ",\n");
  }
}

void hy_sidecar_number(GString *out, const char *key, double v)
{
  if (!isnan(v)) {
    g_string_append_printf(out, "  \"%s\": ", key);
    hy_json_number(out, v);
    g_string_append(out, ",\n");
  }
}

void hy_sidecar_value(GString *out, double v)
{
  char text[HY_DOUBLE_SIZE];
  const char *quote = isfinite(v) ? "" : "\"";
  g_string_append_printf(out, "%s%s%s", quote, hy_double_text(text, v), quote);
}

void hy_sidecar_numbers(GString *out, const double *v, guint n)
{
  g_autoptr(GString) all = g_string_new("[");
  for (guint k = 0; k < n; k++) {
    g_string_append(all, k > 0 ? ", " : "");
    hy_sidecar_value(all, v[k]);
  }
  g_string_append_c(all, ']');
  if (n <= SHOWN) {
    g_string_append(out, all->str);
    return;
  }
  g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, all->str, -1);
  g_string_append_printf(out, "{\"n\": %u, \"sha256\": \"%s\"}", n, digest);
}

static void add_grid(GString *out, const HyRecorder *r)
{
  guint n;
  const double *times = hy_recorder_times(r, &n);
  if (times == NULL) {
    hy_sidecar_number(out, "grid", hy_recorder_grid(r) > 0 ? hy_recorder_grid(r) : NAN);
    return;
  }
  g_string_append(out, "  \"grid\": ");
  hy_sidecar_numbers(out, times, n);
  g_string_append(out, ",\n");
}

static void add_member(GString *out, const char *key, const char *text)
{
  if (text != NULL) {
    g_string_append_printf(out, ", \"%s\": ", key);
    hy_json_string(out, text);
  }
}

/* The order of a signal is known at the end. */
static void add_columns(GString *out, const HyRecorder *r, gboolean ended)
{
  g_string_append(out, "  \"columns\": [");
  for (guint k = 0; k < hy_recorder_n(r); k++) {
    const HyColumn *c = hy_recorder_column(r, k);
    g_string_append(out, k > 0 ? ",\n    {\"path\": " : "\n    {\"path\": ");
    hy_json_string(out, c->path);
    add_member(out, "kind", c->holds == HY_EVENT ? "event" : "signal");
    if (ended && c->holds == HY_SIGNAL) {
      g_string_append_printf(out, ", \"order\": %u", hy_recorder_order(r, k));
    }
    add_member(out, "unit", c->unit);
    add_member(out, "label", c->label);
    g_string_append_c(out, '}');
  }
  g_string_append(out, "\n  ]\n");
}

char *hy_sidecar_print(const HyRecorder *r, const char *told)
{
  g_return_val_if_fail(r != NULL && told != NULL, NULL);
  gboolean ended = !isnan(hy_recorder_end(r));
  GString *out = g_string_new("{\n");
  g_string_append(out, told);
  hy_sidecar_number(out, "end", hy_recorder_end(r));
  add_grid(out, r);
  if (ended) {
    g_string_append_printf(out, "  \"rows\": %" G_GUINT64_FORMAT ",\n", hy_recorder_rows(r));
  }
  add_columns(out, r, ended);
  g_string_append(out, "}\n");
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
