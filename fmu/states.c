/* The state of an instance: kept in memory, made bytes, put back.
 *
 * Bytes are the SHA-256 of what follows in hexadecimal digits, and that: a GVariant of STATE_TYPE.
 * Its last member is a snapshot (results/snapshot_file.h) of the simulation and of the columns,
 * which is put into a run of the same parameters that has begun with the same inputs. */
#include "instance_internal.h"

#include "results/snapshot_file.h"

#include <string.h>

#define STATE_NAME  "hydevs unit state 1"
#define STATE_TYPE  "(ssvuasdd(bbb)a(bdddxx)a(bbbddxx)ay)"
#define DIGEST_SIZE 64 /* hexadecimal digits of a SHA-256 */

struct HyFmuState {
  HyFmuPhase phase;
  HySnapshot *sim;  /* NULL: it had not begun, or SNAPSHOT is all there is; with it */
  HyTape table;     /* the columns */
  GBytes *snapshot; /* of both; NULL: not made, or it had not begun */
  GPtrArray *sets;
  HyFmuInput *input;
  HyFmuOutput *output; /* [n_outputs] */
  guint n_outputs;
  double t0, t;
  gboolean in_events, events, finished;
};

void hy_fmu_state_free(HyFmuState *s)
{
  if (s != NULL) {
    hy_snapshot_free(s->sim);
    hy_tape_clear(&s->table);
    g_clear_pointer(&s->snapshot, g_bytes_unref);
    g_ptr_array_unref(s->sets);
    g_free(s->input);
    g_free(s->output);
    g_free(s);
  }
}

static gpointer copy_text(gconstpointer text, gpointer user)
{
  (void)user;
  return g_strdup(text);
}

static GPtrArray *copy_texts(GPtrArray *texts)
{
  GPtrArray *copy = g_ptr_array_copy(texts, copy_text, NULL);
  g_ptr_array_set_free_func(copy, g_free);
  return copy;
}

/* In memory ----------------------------------------------------------------------------------- */

static void save_table(const HyFmu *f, HyTape *table)
{
  hy_tape_init(table);
  if (f->table != NULL) {
    hy_tape_begin(table, HY_TAPE_SAVE);
    hy_recorder_tape(f->table, table);
  }
}

HyFmuState *hy_fmu_save(HyFmu *f, GError **error)
{
  HySnapshot *sim = NULL;
  if (f->phase != HY_FMU_OPEN) {
    if (!hy_fmu_settle(f, error)) {
      return NULL;
    }
    sim = hy_sim_save(hy_run_sim(f->run), error);
    if (sim == NULL) {
      return NULL;
    }
  }
  HyFmuState *s = g_new0(HyFmuState, 1);
  *s = (HyFmuState){.phase = f->phase,
                    .sim = sim,
                    .sets = copy_texts(f->sets),
                    .input = g_memdup2(f->input, (f->n_inputs + 1) * sizeof *f->input),
                    .output = g_memdup2(f->output, (f->n_outputs + 1) * sizeof *f->output),
                    .n_outputs = f->n_outputs,
                    .t0 = f->t0,
                    .t = f->t,
                    .in_events = f->in_events,
                    .events = f->events,
                    .finished = f->finished};
  save_table(f, &s->table);
  return s;
}

/* Parameters that do not fit leave no model. */
static gboolean is_there(const HyFmu *f, GError **error)
{
  if (f->run == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "the instance has no model now: reset it first");
  }
  return f->run != NULL;
}

static gboolean load_memory(HyFmu *f, HySnapshot *sim, HyTape *table, GError **error)
{
  if (!is_there(f, error) || !hy_sim_load(hy_run_sim(f->run), sim, error)) {
    return FALSE;
  }
  if (f->table != NULL) {
    hy_fmu_load_table(f, table);
  }
  return TRUE;
}

/* Snapshots ----------------------------------------------------------------------------------- */

static void table_tape(gpointer user, HyTape *tape)
{
  HyFmu *f = user;
  if (f->table == NULL) {
    return;
  }
  hy_tape_section(tape, "outputs");
  if (hy_tape_loads(tape)) {
    HyTape drop;
    hy_tape_init(&drop);
    hy_tape_begin(&drop, HY_TAPE_DROP);
    hy_recorder_tape(f->table, &drop);
    hy_tape_clear(&drop);
  }
  hy_recorder_tape(f->table, tape);
}

/* The simulation goes to S for a moment. */
static gboolean make_snapshot(HyFmu *f, HyFmuState *s, GError **error)
{
  if (s->sim == NULL || s->snapshot != NULL) {
    return TRUE;
  }
  if (!is_there(f, error)) {
    return FALSE;
  }
  HySim *sim = hy_run_sim(f->run);
  g_autoptr(HySnapshot) now = hy_sim_save(sim, error);
  if (now == NULL) {
    return FALSE;
  }
  HyTape table;
  save_table(f, &table);
  g_autoptr(GByteArray) out = g_byte_array_new();
  const HySnapshotMore more = {.user = f, .tape = table_tape};
  gboolean ok =
      load_memory(f, s->sim, &s->table, error) && hy_snapshot_write(sim, &more, out, error);
  load_memory(f, now, &table, NULL);
  hy_tape_clear(&table);
  if (ok) {
    s->snapshot = g_byte_array_free_to_bytes(g_steal_pointer(&out));
  }
  return ok;
}

gboolean hy_fmu_writes_states(HyFmu *f)
{
  g_autoptr(HyFmuState) s = hy_fmu_save(f, NULL);
  return s != NULL && make_snapshot(f, s, NULL);
}

static gboolean same_texts(const GPtrArray *a, const GPtrArray *b)
{
  gboolean same = a->len == b->len;
  for (guint k = 0; k < a->len && same; k++) {
    same = strcmp(g_ptr_array_index(a, k), g_ptr_array_index(b, k)) == 0;
  }
  return same;
}

static gboolean read_snapshot(HyFmu *f, const HyFmuState *s, GError **error)
{
  gsize n;
  const guint8 *bytes = g_bytes_get_data(s->snapshot, &n);
  const HySnapshotMore more = {.user = f, .tape = table_tape};
  g_autoptr(HySnapshotFile) file = hy_snapshot_file_parse("the state", bytes, n, error);
  return file != NULL && hy_snapshot_read(hy_run_sim(f->run), file, FALSE, &more, error);
}

/* The first instant of the run that S is of. */
static gboolean begin_as(HyFmu *f, const HyFmuState *s, GError **error)
{
  f->sets_changed |= !same_texts(f->sets, s->sets);
  g_ptr_array_unref(f->sets);
  f->sets = copy_texts(s->sets);
  for (guint k = 0; k < f->n_inputs; k++) {
    f->input[k].value = s->input[k].first;
  }
  return hy_fmu_begin(f, s->t0, s->events, error);
}

/* A run that has begun so goes on from there, if it can. */
static gboolean load_snapshot(HyFmu *f, const HyFmuState *s, GError **error)
{
  gboolean begun =
      f->phase != HY_FMU_OPEN && !f->sets_changed && f->t0 == s->t0 && same_texts(f->sets, s->sets);
  return (begun && read_snapshot(f, s, NULL)) ||
         (begin_as(f, s, error) && read_snapshot(f, s, error));
}

gboolean hy_fmu_load(HyFmu *f, HyFmuState *s, GError **error)
{
  gboolean ok = s->sim != NULL ? load_memory(f, s->sim, &s->table, error)
                               : s->snapshot == NULL || load_snapshot(f, s, error);
  if (!ok) {
    return FALSE;
  }
  gboolean begun = s->phase != HY_FMU_OPEN;
  if (begun) {
    memcpy(f->output, s->output, MIN(f->n_outputs, s->n_outputs) * sizeof *f->output);
  }
  g_ptr_array_unref(f->sets);
  f->sets = copy_texts(s->sets);
  f->sets_changed = !begun;
  memcpy(f->input, s->input, f->n_inputs * sizeof *f->input);
  f->phase = s->phase;
  f->t0 = s->t0;
  f->t = s->t;
  f->in_events = s->in_events;
  f->events = s->events;
  f->finished = s->finished;
  f->stale = FALSE;
  return TRUE;
}

/* Bytes --------------------------------------------------------------------------------------- */

static void put_sets(const HyFmuState *s, GVariantBuilder *to)
{
  g_variant_builder_open(to, G_VARIANT_TYPE("as"));
  for (guint k = 0; k < s->sets->len; k++) {
    g_variant_builder_add(to, "s", g_ptr_array_index(s->sets, k));
  }
  g_variant_builder_close(to);
}

static void put_inputs(const HyFmu *f, const HyFmuState *s, GVariantBuilder *to)
{
  g_variant_builder_open(to, G_VARIANT_TYPE("a(bdddxx)"));
  for (guint k = 0; k < f->n_inputs; k++) {
    const HyFmuInput *in = &s->input[k];
    g_variant_builder_add(to, "(bdddxx)", in->set, in->first, in->value, in->fed, in->count,
                          in->told);
  }
  g_variant_builder_close(to);
}

static void put_outputs(const HyFmuState *s, GVariantBuilder *to)
{
  g_variant_builder_open(to, G_VARIANT_TYPE("a(bbbddxx)"));
  for (guint k = 0; k < s->n_outputs; k++) {
    const HyFmuOutput *out = &s->output[k];
    g_variant_builder_add(to, "(bbbddxx)", out->events, out->discrete, out->moves, out->last,
                          out->shown, out->said, out->told);
  }
  g_variant_builder_close(to);
}

static void put_snapshot(const HyFmuState *s, GVariantBuilder *to)
{
  gsize n = 0;
  const guint8 *bytes = s->snapshot != NULL ? g_bytes_get_data(s->snapshot, &n) : NULL;
  g_variant_builder_add_value(to, g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, bytes, n, 1));
}

GBytes *hy_fmu_state_write(HyFmu *f, HyFmuState *s, GVariant *more, GError **error)
{
  g_autoptr(GVariant) own = g_variant_ref_sink(more);
  if (!make_snapshot(f, s, error)) {
    return NULL;
  }
  g_autofree char *token = hy_fmu_plan_get(&f->plan, "token");
  GVariantBuilder to;
  g_variant_builder_init(&to, G_VARIANT_TYPE(STATE_TYPE));
  g_variant_builder_add(&to, "s", STATE_NAME);
  g_variant_builder_add(&to, "s", token != NULL ? token : "");
  g_variant_builder_add(&to, "v", own);
  g_variant_builder_add(&to, "u", (guint32)s->phase);
  put_sets(s, &to);
  g_variant_builder_add(&to, "d", s->t0);
  g_variant_builder_add(&to, "d", s->t);
  g_variant_builder_add(&to, "(bbb)", s->in_events, s->events, s->finished);
  put_inputs(f, s, &to);
  put_outputs(s, &to);
  put_snapshot(s, &to);
  g_autoptr(GVariant) all = g_variant_ref_sink(g_variant_builder_end(&to));
  g_autoptr(GBytes) bytes = g_variant_get_data_as_bytes(all);
  g_autofree char *digest = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
  GByteArray *out = g_byte_array_new();
  g_byte_array_append(out, (const guint8 *)digest, DIGEST_SIZE);
  g_byte_array_append(out, g_bytes_get_data(bytes, NULL), (guint)g_bytes_get_size(bytes));
  return g_byte_array_free_to_bytes(out);
}

static void take_inputs(GVariant *list, HyFmuInput *to)
{
  for (gsize k = 0; k < g_variant_n_children(list); k++) {
    HyFmuInput *in = &to[k];
    g_variant_get_child(list, k, "(bdddxx)", &in->set, &in->first, &in->value, &in->fed, &in->count,
                        &in->told);
  }
}

static void take_outputs(GVariant *list, HyFmuOutput *to)
{
  for (gsize k = 0; k < g_variant_n_children(list); k++) {
    HyFmuOutput *out = &to[k];
    g_variant_get_child(list, k, "(bbbddxx)", &out->events, &out->discrete, &out->moves, &out->last,
                        &out->shown, &out->said, &out->told);
  }
}

/* NULL: these are not the bytes of a state, all of them. */
static GVariant *open_bytes(const guint8 *bytes, gsize n)
{
  if (n <= DIGEST_SIZE) {
    return NULL;
  }
  g_autofree char *digest =
      g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes + DIGEST_SIZE, n - DIGEST_SIZE);
  if (memcmp(digest, bytes, DIGEST_SIZE) != 0) {
    return NULL;
  }
  g_autoptr(GBytes) rest = g_bytes_new(bytes + DIGEST_SIZE, n - DIGEST_SIZE);
  GVariant *all =
      g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(STATE_TYPE), rest, FALSE));
  g_autofree char *name = NULL;
  g_variant_get_child(all, 0, "s", &name);
  if (!g_variant_is_normal_form(all) || strcmp(name, STATE_NAME) != 0) {
    g_clear_pointer(&all, g_variant_unref);
  }
  return all;
}

static gboolean is_of_this_unit(const HyFmu *f, GVariant *all)
{
  g_autofree char *token = hy_fmu_plan_get(&f->plan, "token"), *of = NULL;
  g_autoptr(GVariant) inputs = g_variant_get_child_value(all, 8);
  g_variant_get_child(all, 1, "s", &of);
  return g_strcmp0(token, of) == 0 && g_variant_n_children(inputs) == f->n_inputs;
}

static HyFmuState *state_of(const HyFmu *f, GVariant *all)
{
  g_autoptr(GVariant) inputs = g_variant_get_child_value(all, 8);
  g_autoptr(GVariant) outputs = g_variant_get_child_value(all, 9);
  g_autoptr(GVariant) snapshot = g_variant_get_child_value(all, 10);
  g_auto(GStrv) sets = NULL;
  guint32 phase = 0;
  HyFmuState *s = g_new0(HyFmuState, 1);
  hy_tape_init(&s->table);
  s->input = g_memdup2(f->input, (f->n_inputs + 1) * sizeof *f->input);
  s->n_outputs = (guint)g_variant_n_children(outputs);
  s->output = g_new0(HyFmuOutput, (gsize)s->n_outputs + 1);
  s->sets = g_ptr_array_new_with_free_func(g_free);
  g_variant_get_child(all, 3, "u", &phase);
  g_variant_get_child(all, 4, "^as", &sets);
  g_variant_get_child(all, 5, "d", &s->t0);
  g_variant_get_child(all, 6, "d", &s->t);
  g_variant_get_child(all, 7, "(bbb)", &s->in_events, &s->events, &s->finished);
  s->phase = (HyFmuPhase)phase;
  for (char **set = sets; *set != NULL; set++) {
    g_ptr_array_add(s->sets, g_strdup(*set));
  }
  take_inputs(inputs, s->input);
  take_outputs(outputs, s->output);
  if (s->phase != HY_FMU_OPEN) {
    s->snapshot = g_variant_get_data_as_bytes(snapshot);
  }
  return s;
}

HyFmuState *hy_fmu_state_read(const HyFmu *f, const guint8 *bytes, gsize n, GVariant **more,
                              GError **error)
{
  g_autoptr(GVariant) all = open_bytes(bytes, n);
  if (all == NULL || !is_of_this_unit(f, all)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                all == NULL ? "these bytes are no state, or not all of one"
                            : "this is a state of another unit");
    return NULL;
  }
  g_variant_get_child(all, 2, "v", more);
  return state_of(f, all);
}
