/* A simulation goes into a snapshot, and one goes into a simulation. */
#include "hydevs/snapshot.h"

#include "base/digest.h"
#include "hy_build.h"
#include "sim/digest.h"
#include "snapshot_file.h"

#include <string.h>

/* Writing -------------------------------------------------------------------------------------- */

static char *digest_of(const GByteArray *bytes)
{
  HyDigest d;
  hy_digest_init(&d);
  hy_digest_take(&d, bytes->data, bytes->len);
  return hy_digest_end(&d);
}

/* What SIM is made of. */
static HyTapeWriter *write_made(HySim *sim)
{
  HyTapeWriter *w = hy_tape_writer_new();
  HyTape tape;
  hy_tape_init(&tape);
  hy_tape_begin(&tape, HY_TAPE_SAVE);
  tape.file = hy_tape_writer_file(w);
  hy_sim_parameters_tape(sim, &tape);
  hy_tape_clear(&tape);
  return w;
}

/* Of all its parts, with their names. */
static char *digest_of_made(HyTapeWriter *made)
{
  const GArray *parts = hy_tape_writer_end(made);
  HyDigest d;
  hy_digest_init(&d);
  for (guint k = 0; k < parts->len; k++) {
    const HyTapePart *p = &g_array_index(parts, HyTapePart, k);
    hy_digest_take(&d, p->bytes->data, p->bytes->len);
  }
  return hy_digest_end(&d);
}

static HyTapeWriter *write_state(HySim *sim, const HySnapshotMore *more, gboolean *restarts,
                                 GError **error)
{
  g_autoptr(HyTapeWriter) w = hy_tape_writer_new();
  HyTape tape;
  hy_tape_init(&tape);
  hy_tape_begin(&tape, HY_TAPE_SAVE);
  tape.file = hy_tape_writer_file(w);
  gboolean ok = hy_sim_tape(sim, &tape, error);
  if (ok && more != NULL && more->tape != NULL) {
    more->tape(more->user, &tape);
    ok = tape.refused == NULL;
    if (!ok) {
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", hy_model_name(sim->model),
                  tape.refused);
    }
  }
  *restarts = tape.restarts;
  hy_tape_clear(&tape);
  return ok ? g_steal_pointer(&w) : NULL;
}

static void put_parts(HyTapeWriter *w, const char *tape, HyJsonOut *json, GByteArray *body)
{
  const GArray *parts = hy_tape_writer_end(w);
  for (guint k = 0; k < parts->len; k++) {
    const HyTapePart *p = &g_array_index(parts, HyTapePart, k);
    g_autofree char *digest = digest_of(p->bytes);
    hy_json_begin(json, NULL, '[');
    hy_json_text(json, NULL, tape);
    hy_json_text(json, NULL, p->name);
    hy_json_count(json, NULL, p->bytes->len);
    hy_json_text(json, NULL, digest);
    hy_json_end(json, ']');
    g_byte_array_append(body, p->bytes->data, p->bytes->len);
  }
}

static void put_head(const HySim *sim, HyTapeWriter *made, gboolean restarts, HyJsonOut *json)
{
  g_autofree char *digest = hy_sim_digest(sim), *parameters = digest_of_made(made);
  g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, sim->set.seed);
  hy_json_text(json, "hydevs", HY_BUILD);
  hy_json_real(json, "t", sim->now.t);
  hy_json_real(json, "t0", sim->now.t0);
  hy_json_text(json, "model", hy_model_name(sim->model));
  hy_json_text(json, "digest", digest);
  hy_json_text(json, "parameters", parameters);
  hy_json_text(json, "seed", seed);
  hy_json_count(json, "events", sim->now.totals.cycles);
  if (restarts) {
    hy_json_bool(json, "restarts", TRUE);
  }
}

gboolean hy_snapshot_write(HySim *sim, const HySnapshotMore *more, GByteArray *out, GError **error)
{
  gboolean restarts;
  g_autoptr(HyTapeWriter) state = write_state(sim, more, &restarts, error);
  if (state == NULL) {
    return FALSE;
  }
  g_autoptr(HyTapeWriter) made = write_made(sim);
  g_autoptr(GString) head = g_string_new(NULL);
  g_autoptr(GByteArray) body = g_byte_array_new();
  HyJsonOut json = {.out = head, .tight = TRUE};
  hy_json_begin(&json, NULL, '{');
  put_head(sim, made, restarts, &json);
  if (more != NULL && more->head != NULL) {
    more->head(more->user, &json);
  }
  hy_json_begin(&json, "parts", '[');
  put_parts(made, "made", &json, body);
  put_parts(state, "is", &json, body);
  hy_json_end(&json, ']');
  hy_json_end(&json, '}');
  g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, head->str, -1);
  g_autofree char *line = g_strdup_printf("hydevs snapshot %d %s\n", HY_SNAPSHOT_VERSION, digest);
  g_string_append_c(head, '\n');
  g_byte_array_append(out, (const guint8 *)line, (guint)strlen(line));
  g_byte_array_append(out, (const guint8 *)head->str, (guint)head->len);
  g_byte_array_append(out, body->data, body->len);
  return TRUE;
}

/* Reading -------------------------------------------------------------------------------------- */

#define MOST_TOLD 3

/* Which parameters are others. */
static char *differences(HySim *sim, HyTapeWriter *made, const HySnapshotFile *s)
{
  g_autoptr(HyTapeReader) ours = hy_tape_reader_new();
  g_autofree char *why = NULL;
  const GArray *parts = hy_tape_writer_end(made);
  for (guint k = 0; k < parts->len; k++) {
    const HyTapePart *p = &g_array_index(parts, HyTapePart, k);
    hy_tape_reader_take(ours, p->name, p->bytes->data, p->bytes->len, &why);
  }
  g_autoptr(GPtrArray) found = hy_sim_parameters_compare(sim, ours, s->made, MOST_TOLD);
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint k = 0; k < found->len; k++) {
    g_string_append_printf(text, "; %s", (const char *)g_ptr_array_index(found, k));
  }
  return g_strdup(text->str);
}

gboolean hy_snapshot_fits(HySim *sim, const HySnapshotFile *s, GError **error)
{
  const HySnapshotHead *h = &s->head;
  g_autofree char *digest = hy_sim_digest(sim);
  if (strcmp(digest, h->digest) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: it is of another model: %s, digest %.12s; here %s, digest %.12s", s->file,
                h->model, h->digest, hy_model_name(sim->model), digest);
    return FALSE;
  }
  g_autoptr(HyTapeWriter) made = write_made(sim);
  g_autofree char *parameters = digest_of_made(made);
  if (strcmp(parameters, h->parameters) != 0) {
    g_autofree char *which = differences(sim, made, s);
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: it was made with other parameters (digest %.12s; here %.12s)%s", s->file,
                h->parameters, parameters, which);
    return FALSE;
  }
  if (h->t0 != sim->now.t0) {
    char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: its run began at t = %s, this one at t = %s",
                s->file, hy_double_text(a, h->t0), hy_double_text(b, sim->now.t0));
    return FALSE;
  }
  return TRUE;
}

gboolean hy_snapshot_read(HySim *sim, const HySnapshotFile *s, gboolean restart,
                          const HySnapshotMore *more, GError **error)
{
  if (!hy_snapshot_fits(sim, s, error)) {
    return FALSE;
  }
  g_autoptr(HySnapshot) before = hy_sim_keep(sim, error);
  if (before == NULL) {
    return FALSE;
  }
  HyTape tape;
  g_autoptr(GError) why = NULL;
  hy_tape_init(&tape);
  hy_tape_begin(&tape, HY_TAPE_LOAD);
  tape.file = hy_tape_reader_file(s->is);
  tape.may_restart = restart;
  gboolean ok = hy_sim_tape(sim, &tape, &why);
  if (ok && more != NULL && more->tape != NULL) {
    more->tape(more->user, &tape);
  }
  if (ok) {
    ok = hy_tape_reader_end(s->is, &tape) &&
         (more == NULL || more->done == NULL || more->done(more->user, &why));
    if (!ok) {
      hy_sim_load(sim, before, NULL);
    }
  }
  if (!ok) {
    gboolean failed = g_error_matches(why, HY_ERROR, HY_ERROR_RUN);
    g_set_error(error, HY_ERROR, failed ? HY_ERROR_RUN : HY_ERROR_USAGE, "%s: %s", s->file,
                why != NULL ? why->message : tape.refused);
  }
  hy_tape_clear(&tape);
  return ok;
}

/* In memory ------------------------------------------------------------------------------------ */

gboolean hy_sim_write_state(HySim *sim, GByteArray *out, GError **error)
{
  g_return_val_if_fail(sim != NULL && out != NULL, FALSE);
  return hy_snapshot_write(sim, NULL, out, error);
}

gboolean hy_sim_read_state(HySim *sim, const guint8 *bytes, gsize n, GError **error)
{
  g_return_val_if_fail(sim != NULL && (bytes != NULL || n == 0), FALSE);
  g_autoptr(HySnapshotFile) s = hy_snapshot_file_parse("the state", bytes, n, error);
  return s != NULL && hy_snapshot_read(sim, s, FALSE, NULL, error);
}
