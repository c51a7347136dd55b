/* What a file holds of a simulation is all of it: another simulation of the same model, on any
 * engine, goes on from there bit for bit as the first; what it writes then is what was read; and
 * the same state is the same bytes whatever engine it comes from. What does not fit is refused, and
 * the simulation is as it was. */
#include "base/tape.h"
#include "hydevs/hydevs.h"
#include "samples.h"
#include "sim/engine.h"

#include <string.h>
#include <unity.h>

#define END 1.7

void setUp(void)
{
}

void tearDown(void)
{
}

/* Items as they come, in memory. Payloads are kept as they are. */
typedef struct {
  HyTapeFile file;
  GPtrArray *name;  /* of sections and items */
  GPtrArray *bytes; /* GBytes; of a section NULL */
  GPtrArray *payload;
  guint at;
} File;

static void bytes_free(gpointer bytes)
{
  if (bytes != NULL) {
    g_bytes_unref(bytes);
  }
}

static gsize size_of(HyItemKind kind)
{
  static const gsize size[] = {8, 4, 4, 8, 8, 1, sizeof(char *), sizeof(HyValue)};
  return size[kind];
}

static void file_put(File *f, char *name, GBytes *bytes)
{
  g_ptr_array_add(f->name, name);
  g_ptr_array_add(f->bytes, bytes);
}

/* The next of a file that is read; NULL: it is another one, and refused. */
static GBytes *file_get(File *f, HyTape *tape, const char *name, gboolean item)
{
  const char *there = f->at < f->name->len ? g_ptr_array_index(f->name, f->at) : "the end";
  GBytes *bytes = f->at < f->name->len ? g_ptr_array_index(f->bytes, f->at) : NULL;
  f->at++;
  if (strcmp(there, name) != 0 || (bytes != NULL) != item) {
    hy_tape_refuse(tape, "%s is wanted, and %s is there", name, there);
    return NULL;
  }
  return bytes;
}

static void file_section(HyTapeFile *file, HyTape *tape, const char *name)
{
  File *f = (File *)file;
  if (tape->pass == HY_TAPE_SAVE) {
    file_put(f, g_strdup(name), NULL);
  } else if (tape->refused == NULL) {
    file_get(f, tape, name, FALSE);
  }
}

/* Texts as their letters, values without addresses. */
static GBytes *file_bytes(File *f, HyItemKind kind, gconstpointer data, gsize n)
{
  GByteArray *bytes = g_byte_array_new();
  for (gsize k = 0; k < n; k++) {
    const guint8 *one = (const guint8 *)data + k * size_of(kind);
    if (kind == HY_ITEM_TEXT) {
      const char *text = *(char *const *)(gconstpointer)one;
      const char *letters = text != NULL ? text : "\1";
      g_byte_array_append(bytes, (const guint8 *)letters, (guint)strlen(letters) + 1);
    } else if (kind == HY_ITEM_VALUE) {
      const HyValue *v = (gconstpointer)one;
      guint number = v->payload != NULL ? f->payload->len + 1 : 0;
      g_byte_array_append(bytes, (const guint8 *)v->c, sizeof v->c);
      g_byte_array_append(bytes, (const guint8 *)&number, sizeof number);
      if (v->payload != NULL) {
        g_ptr_array_add(f->payload, g_variant_ref(v->payload));
      }
    } else {
      g_byte_array_append(bytes, one, (guint)size_of(kind));
    }
  }
  return g_byte_array_free_to_bytes(bytes);
}

static void file_read(const File *f, HyItemKind kind, gpointer data, gsize n, const guint8 *from)
{
  for (gsize k = 0; k < n; k++) {
    gpointer one = (guint8 *)data + k * size_of(kind);
    if (kind == HY_ITEM_TEXT) {
      *(char **)one = from[0] == 1 ? NULL : g_strdup((const char *)from);
      from += strlen((const char *)from) + 1;
    } else if (kind == HY_ITEM_VALUE) {
      HyValue *v = one;
      guint number;
      memcpy(v->c, from, sizeof v->c);
      memcpy(&number, from + sizeof v->c, sizeof number);
      v->payload = number > 0 ? g_variant_ref(g_ptr_array_index(f->payload, number - 1)) : NULL;
      from += sizeof v->c + sizeof number;
    } else {
      memcpy(one, from, size_of(kind));
      from += size_of(kind);
    }
  }
}

static void file_item(HyTapeFile *file, HyTape *tape, const char *name, HyItemKind kind,
                      gpointer data, gsize n)
{
  File *f = (File *)file;
  g_autofree char *full = g_strdup_printf("%s:%d*%u", name, (int)kind, (guint)n);
  if (tape->pass == HY_TAPE_SAVE) {
    file_put(f, g_steal_pointer(&full), file_bytes(f, kind, data, n));
    return;
  }
  GBytes *bytes = file_get(f, tape, full, TRUE);
  if (bytes != NULL) {
    file_read(f, kind, data, n, g_bytes_get_data(bytes, NULL));
  }
}

static File *file_new(void)
{
  File *f = g_new0(File, 1);
  *f = (File){.file = {.section = file_section, .item = file_item, .left = 1U << 20},
              .name = g_ptr_array_new_with_free_func(g_free),
              .bytes = g_ptr_array_new_with_free_func(bytes_free),
              .payload = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref)};
  return f;
}

static void file_free(File *f)
{
  g_ptr_array_unref(f->name);
  g_ptr_array_unref(f->bytes);
  g_ptr_array_unref(f->payload);
  g_free(f);
}

static gboolean file_walk(File *f, HySim *sim, HyTapePass pass, GError **error)
{
  HyTape tape;
  f->at = 0;
  hy_tape_init(&tape);
  tape.file = &f->file;
  hy_tape_begin(&tape, pass);
  gboolean ok = hy_sim_tape(sim, &tape, error);
  hy_tape_clear(&tape);
  return ok;
}

/* The first item that differs, newly allocated; NULL: none. Of the work that has been done, which
 * comes last, engines say different numbers. */
static char *file_differs(const File *a, const File *b, gboolean work)
{
  const char *section = "";
  for (guint k = 0; k < a->name->len; k++) {
    const char *name = g_ptr_array_index(a->name, k);
    GBytes *one = g_ptr_array_index(a->bytes, k);
    section = one == NULL ? name : section;
    if (!work && strcmp(section, "work") == 0) {
      return NULL;
    }
    GBytes *other = k < b->bytes->len ? g_ptr_array_index(b->bytes, k) : NULL;
    if (k >= b->name->len || strcmp(name, g_ptr_array_index(b->name, k)) != 0 ||
        (one != NULL && !g_bytes_equal(one, other))) {
      const double *x = one != NULL ? g_bytes_get_data(one, NULL) : NULL;
      const double *y = other != NULL ? g_bytes_get_data(other, NULL) : NULL;
      gboolean number = strstr(name, ":0*") != NULL && x != NULL && y != NULL;
      return g_strdup_printf("%s: %s (%.17g, %.17g)", section, name, number ? *x : NAN,
                             number ? *y : NAN);
    }
  }
  return NULL;
}

/* All transitions that are watched, or the states at some instants, as bytes. */
typedef struct {
  GString *seen;
} Watch;

static void see(GString *seen, gconstpointer what, gsize size)
{
  g_string_append_len(seen, what, (gssize)size);
}

/* Words of what is no static block: these are the same on all engines. */
static void see_word(gpointer user, const HyTransition *x)
{
  const Watch *w = user;
  if (x->kind == HY_LAMBDA && x->event->port >= 0) {
    see(w->seen, &x->atomic, sizeof x->atomic);
    see(w->seen, &x->t, sizeof x->t);
    see(w->seen, &x->event->port, sizeof x->event->port);
    see(w->seen, x->event->value.c, sizeof x->event->value.c);
    if (x->event->value.payload != NULL) {
      hy_value_text(w->seen, &x->event->value);
    }
  }
}

typedef struct {
  HySim *sim;
  Watch watch;
} Run;

static guint8 *watched; /* of the model at hand */

static void run_begin(Run *r, HyModel *model, HyEngine engine, gboolean rows, gboolean hears)
{
  r->sim = hy_sim_new(model, engine, NULL);
  r->watch.seen = g_string_new(NULL);
  hy_sim_set_rows(r->sim, rows);
  g_free(watched);
  watched = g_new0(guint8, r->sim->n + 1);
  for (guint a = 0; a < r->sim->n; a++) {
    watched[a] = r->sim->atoms[a].klass->describe == NULL ? HY_WATCH_WORDS : HY_WATCH_NOTHING;
  }
  if (hears) {
    hy_sim_set_trace(r->sim, &(HyTrace){.user = &r->watch,
                                        .transition = see_word,
                                        .watched = watched,
                                        .n_watched = r->sim->n});
  }
  TEST_ASSERT_TRUE(hy_sim_init(r->sim, 0, NULL));
}

static void run_end(Run *r)
{
  hy_sim_free(r->sim);
  g_string_free(r->watch.seen, TRUE);
}

/* From T on to the end; what was seen. */
static GBytes *run_on(Run *r, double t)
{
  g_string_truncate(r->watch.seen, 0);
  for (guint k = 0; k <= 5; k++) {
    g_autoptr(GError) error = NULL;
    double to = k < 5 ? t + (END - t) * k / 5 : END;
    if (!hy_sim_run(r->sim, to, &error)) {
      g_string_append(r->watch.seen, error->message);
    }
    for (guint a = 0; a < hy_sim_n(r->sim); a++) {
      if (r->sim->atoms[a].klass->describe == NULL) {
        g_autofree char *print = hy_sim_print(r->sim, a);
        double value = hy_sim_value(r->sim, a, MAX(to, hy_sim_time(r->sim)));
        g_string_append(r->watch.seen, print);
        see(r->watch.seen, &value, sizeof value);
      }
    }
    for (guint j = 0; j < hy_sim_n_groups(r->sim); j++) {
      HyGroupTotals g;
      hy_sim_group(r->sim, j, &g);
      see(r->watch.seen, &g.off, sizeof g.off);
    }
  }
  return g_bytes_new(r->watch.seen->str, r->watch.seen->len);
}

static char *fault; /* of the last try; NULL: none */

static void found(const char *format, ...) G_GNUC_PRINTF(1, 2);
static void found(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault = fault == NULL ? g_strdup_vprintf(format, args) : fault;
  va_end(args);
}

typedef struct {
  HyModel *model;
  gboolean rows, hears;
} Case;

/* What another simulation makes of F, from FROM, on ENGINE, having come to LATER before. */
static void try_reading(const Case *c, File *f, HyEngine from, HyEngine engine, double t,
                        double later, GBytes *goes)
{
  g_autoptr(GError) error = NULL;
  Run r;
  run_begin(&r, c->model, engine, c->rows, c->hears);
  TEST_ASSERT_TRUE(hy_sim_run(r.sim, later, NULL));
  if (!file_walk(f, r.sim, HY_TAPE_LOAD, &error)) {
    found("%s cannot read it: %s", hy_engine_name(engine), error->message);
  } else {
    File *again = file_new();
    TEST_ASSERT_TRUE(file_walk(again, r.sim, HY_TAPE_SAVE, NULL));
    gboolean work = (from == HY_FUSED) == (engine == HY_FUSED);
    g_autofree char *differs = file_differs(f, again, work);
    if (differs != NULL) {
      found("%s writes otherwise what it has read: %s", hy_engine_name(engine), differs);
    }
    file_free(again);
    g_autoptr(GBytes) on = run_on(&r, t);
    if (!g_bytes_equal(goes, on)) {
      found("%s goes on otherwise", hy_engine_name(engine));
    }
  }
  run_end(&r);
}

/* Written on ENGINE at T, read on the others; FIRST: what was written there, NULL: nothing yet. */
static File *try_writing(const Case *c, HyEngine engine, double t, const File *first)
{
  g_autoptr(GError) error = NULL;
  File *f = file_new();
  Run never, r;
  run_begin(&never, c->model, engine, c->rows, c->hears);
  if (!hy_sim_run(never.sim, t, NULL) || hy_sim_finished(never.sim) != NULL) {
    run_end(&never);
    return f;
  }
  g_autoptr(GBytes) goes = run_on(&never, t);
  run_end(&never);
  run_begin(&r, c->model, engine, c->rows, c->hears);
  hy_sim_run(r.sim, t, NULL);
  if (!file_walk(f, r.sim, HY_TAPE_SAVE, &error)) {
    found("it cannot be written: %s", error->message);
    run_end(&r);
    return f;
  }
  g_autofree char *differs = first != NULL ? file_differs(first, f, FALSE) : NULL;
  if (differs != NULL) {
    found("it is another state: %s", differs);
  }
  g_autoptr(GBytes) on = run_on(&r, t);
  run_end(&r);
  if (!g_bytes_equal(goes, on)) {
    found("a run that was written is another one");
  }
  try_reading(c, f, engine, HY_TREE, t, 0.0, goes);
  try_reading(c, f, engine, HY_FLAT, t, 0.3, goes);
  try_reading(c, f, engine, HY_FUSED, t, 0.0, goes);
  return f;
}

static guint n_faults;

static void try_model(HyModel *model, const char *what, gboolean rows)
{
  static const double instants[] = {0.0, 0.377, 0.9251};
  for (guint k = 0; k < G_N_ELEMENTS(instants); k++) {
    Case c = {model, rows, k % 2 == 1};
    File *first = NULL;
    for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
      File *f = try_writing(&c, engine, instants[k], first);
      if (fault != NULL) {
        printf("%s, %s, at %g: %s\n", what, hy_engine_name(engine), instants[k], fault);
        g_clear_pointer(&fault, g_free);
        n_faults++;
      }
      if (first == NULL) {
        first = f;
      } else {
        file_free(f);
      }
    }
    file_free(first);
  }
  g_clear_pointer(&watched, g_free);
}

static void try_all(const char *text, const char *what, gboolean rows)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, problems);
  try_model(hy_loaded_model(loaded), what, rows);
}

static void test_every_class(void)
{
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    const Sample *s = sample_of((*k)->name);
    g_autofree char *text = text_of(s, "dqrel=\"1e-2\" dqmin=\"1e-2\"");
    try_all(text, s->klass, FALSE);
  }
  TEST_ASSERT_EQUAL_UINT(0, n_faults);
}

/* A group with a switch, a nonlinear row, and blocks that read it. */
static const Sample plant = {
    NULL, "<comparator name=\"c\" in=\"x\" level=\"0.3\"/>"
          "<integrator name=\"b\" in=\"c*5 - 40*b - b*b*y\"/><sampler name=\"s\" in=\"b\" "
          "trigger=\"G\"/>" FOLLOWED};

static void test_every_method(void)
{
  static const char *const methods[] = {"qss1",
                                        "qss2",
                                        "qss3",
                                        "bqss",
                                        "liqss1",
                                        "liqss2",
                                        "liqss3",
                                        "mliqss1",
                                        "mliqss2",
                                        "mliqss3",
                                        "euler",
                                        "rk45_doubling",
                                        "rk4",
                                        "bdf2",
                                        "ab3",
                                        "backward_euler",
                                        "pec2e_delayed",
                                        "block_liqss2",
                                        "taylor2",
                                        "block_liqss2_quantum",
                                        "block_liqss2_error",
                                        "chain_liqss2"};
  n_faults = 0;
  for (guint k = 0; k < G_N_ELEMENTS(methods); k++) {
    if (hy_method_find(methods[k]) == NULL) {
      continue;
    }
    g_autofree char *numerics =
        g_strdup_printf("method=\"%s\" dqrel=\"1e-2\" dqmin=\"1e-2\" hstep=\"10m\"", methods[k]);
    g_autofree char *text = text_of(&plant, numerics);
    try_all(text, methods[k], FALSE);
    if (hy_method_find(methods[k])->family == HY_FAMILY_QUANTIZED) {
      try_all(text, methods[k], TRUE);
    }
  }
  TEST_ASSERT_EQUAL_UINT(0, n_faults);
}

/* A block that decides a switch itself, and is asked by a pwm; a chain; rates; an input that moves.
 */
static void test_a_block(void)
{
  static const Sample block = {
      NULL, "<comparator name=\"c\" in=\"z\" level=\"0.3\"/>"
            "<integrator name=\"b\" in=\"c*5 - 40*b + 0*x\"/><pwm name=\"p\" period=\"70m\" "
            "duty=\"0.3 + 2*b\" carrier=\"triangle\"/><sampler name=\"s\" in=\"b\" "
            "trigger=\"G\"/>" FOLLOWED};
  n_faults = 0;
  g_autofree char *text = text_of(&block, "method=\"block_liqss2\" dqrel=\"1e-2\" dqmin=\"1e-2\"");
  try_all(text, "a block", FALSE);
  TEST_ASSERT_EQUAL_UINT(0, n_faults);
}

/* Cells that move and rest, with a front that goes through them. */
static void test_a_chain(void)
{
  GString *text = g_string_new("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
                               "<step name=\"x0\" at=\"0.1\" to=\"1\"/>");
  for (guint k = 1; k <= 24; k++) {
    g_string_append_printf(text, "<integrator name=\"x%u\" in=\"60*(x%u - 2*x%u + %s%u)\"/>", k,
                           k - 1, k, k < 24 ? "x" : "0*x", k < 24 ? k + 1 : k);
  }
  g_string_append(text, "<experiment stop=\"2\" method=\"chain_liqss2\" dqrel=\"1e-4\" "
                        "dqmin=\"1e-5\" record=\"x3\"/></hydevs>");
  n_faults = 0;
  try_all(text->str, "a chain", FALSE);
  g_string_free(text, TRUE);
  TEST_ASSERT_EQUAL_UINT(0, n_faults);
}

/* Every item of a file is one that is missed: without it, or with another name, the rest is not
 * read, and the simulation goes on as if nothing had been. */
static void test_what_does_not_fit_is_refused(void)
{
  g_autofree char *text = text_of(&plant, "method=\"mliqss2\" dqrel=\"1e-2\" dqmin=\"1e-2\"");
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  Run never, r;
  File *f = file_new();
  run_begin(&never, hy_loaded_model(loaded), HY_FUSED, FALSE, FALSE);
  TEST_ASSERT_TRUE(hy_sim_run(never.sim, 0.4, NULL));
  g_autoptr(GBytes) goes = run_on(&never, 0.4);
  run_begin(&r, hy_loaded_model(loaded), HY_FUSED, FALSE, FALSE);
  TEST_ASSERT_TRUE(hy_sim_run(r.sim, 0.9, NULL) && file_walk(f, r.sim, HY_TAPE_SAVE, NULL));
  run_end(&r);
  run_begin(&r, hy_loaded_model(loaded), HY_FUSED, FALSE, FALSE);
  TEST_ASSERT_TRUE(hy_sim_run(r.sim, 0.4, NULL));
  for (guint k = 0; k < f->name->len; k += 7) {
    g_autoptr(GError) error = NULL;
    char *name = g_ptr_array_index(f->name, k);
    g_ptr_array_index(f->name, k) = (gpointer) "another:0*1";
    TEST_ASSERT_FALSE_MESSAGE(file_walk(f, r.sim, HY_TAPE_LOAD, &error), name);
    g_autofree char *why = g_strdup_printf("%s is wanted, and another:0*1 is there", name);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, why), error->message);
    g_ptr_array_index(f->name, k) = name;
  }
  g_autoptr(GBytes) on = run_on(&r, 0.4);
  TEST_ASSERT_TRUE(g_bytes_equal(goes, on));
  run_end(&r);
  run_end(&never);
  file_free(f);
  g_clear_pointer(&watched, g_free);
}

int main(void)
{
  samples_begin();
  UNITY_BEGIN();
  RUN_TEST(test_every_method);
  RUN_TEST(test_a_block);
  RUN_TEST(test_a_chain);
  RUN_TEST(test_what_does_not_fit_is_refused);
  RUN_TEST(test_every_class);
  samples_end();
  return UNITY_END();
}
