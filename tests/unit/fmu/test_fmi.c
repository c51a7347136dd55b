/* Units against the runs that they are made of, and against the standard's rules. */
#include "importer.h"

#include "hydevs/hydevs.h"

#define MODELS HY_SOURCE_DIR "/tests/models/fmi/"

void setUp(void)
{
}

void tearDown(void)
{
}

/* A run of hydevs on a grid: what the unit has to say at its communication points. */
typedef struct {
  HyLoaded *loaded;
  HyRun *run;
  const HyRecorder *table;
} Reference;

static Reference reference_new(const char *file, double grid, double stop, const char *method,
                               const char *const *set)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GError) error = NULL;
  Reference r = {.loaded =
                     hy_load_file(file, &(HyLoadOptions){.method = method, .set = set}, report)};
  g_autofree char *text = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(r.loaded, text);
  HyRunSettings s = HY_RUN_SETTINGS;
  s.grid = grid;
  s.stop = stop;
  r.run = hy_run_new(r.loaded, &s, &error);
  gboolean ok = r.run != NULL && hy_run_record(r.run, &error) && hy_run_go(r.run, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  r.table = hy_run_table(r.run, 0);
  return r;
}

static void reference_free(Reference *r)
{
  hy_run_free(r->run);
  hy_loaded_free(r->loaded);
}

static double reference_at(const Reference *r, guint64 row, const char *path)
{
  guint column;
  TEST_ASSERT_TRUE_MESSAGE(hy_recorder_find(r->table, path, &column), path);
  return hy_recorder_value(r->table, row, column);
}

/* To 1e-12, or both nothing. */
static void same_within(double bound, double wanted, double got, double t, const char *what)
{
  if (isnan(wanted) && isnan(got)) {
    return;
  }
  if (!(fabs(wanted - got) <= bound * fmax(1, fabs(wanted)))) {
    g_autofree char *text = g_strdup_printf("%s at t = %g: %.17g, not %.17g", what, t, got, wanted);
    TEST_FAIL_MESSAGE(text);
  }
}

static void same(double wanted, double got, double t, const char *what)
{
  same_within(1e-12, wanted, got, t, what);
}

/* a/b.c is a.b.c, .y is y. */
static char *name_of(const char *path)
{
  return g_strdelimit(g_strdup(path[0] == '.' ? path + 1 : path), "/", '.');
}

/* Without inputs ------------------------------------------------------------------------------ */

static const struct {
  const char *file;
  double grid;
  guint n;
} alone[] = {
    {"examples/circuit/model.xml", 7.3e-6, 200},
    {"examples/lotka-volterra/model.xml", 0.05, 200},
    {"examples/bouncing-ball/model.xml", 0.05, 100},
    {"examples/arrivals/model.xml", 1, 50},
    {"examples/machines/light.xml", 1, 60},
    {"examples/multirate/model.xml", 0.01, 50},
};

static void test_a_unit_is_the_run_it_is_made_of(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(alone); k++) {
    g_autofree char *file = g_build_filename(HY_SOURCE_DIR, alone[k].file, NULL);
    double h = alone[k].grid;
    Reference r = reference_new(file, h, alone[k].n * h, NULL, NULL);
    Importer *f = importer_export(file);
    Imported *u = imported_new(f, IMPORTER_PLAIN);
    imported_start(u, 0);
    for (guint row = 0; row <= alone[k].n; row++) {
      if (row > 0) {
        imported_step(u, row * h);
      }
      for (guint c = 0; c < hy_recorder_n(r.table); c++) {
        g_autofree char *name = name_of(hy_recorder_column(r.table, c)->path);
        same(hy_recorder_value(r.table, row, c), imported_get(u, name), row * h, name);
      }
    }
    imported_is(fmi3OK, f->fmi3Terminate(u->at), u);
    imported_free(u);
    importer_close(f);
    reference_free(&r);
  }
}

/* With inputs --------------------------------------------------------------------------------- */

/* What tests/models/fmi/around.xml says. */
static double driven(double t)
{
  return t < 1 ? 1 : t < 2 ? 3 : -0.5;
}

static void compare_fed(const Reference *r, const Imported *u, guint row, double t, double bound)
{
  same_within(bound, reference_at(r, row, "p/m/x.x"), imported_get(u, "m.x.x"), t, "m.x.x");
  same_within(bound, reference_at(r, row, "p/m/y.x"), imported_get(u, "m.y.x"), t, "m.y.x");
  same(reference_at(r, row, "p.high"), imported_get(u, "high"), t, "high");
}

/* Groups with steps foresee what a source will do and end a step there; what an importer will do
 * nobody can foresee, so they agree within the tolerance, 1e-3. */
static const struct {
  const char *method, *bend;
  double bound;
} fed[] = {
    {"auto", "0.1", 1e-12},     {"liqss1", "0.1", 1e-12},    {"liqss2", "0.1", 1e-12},
    {"mliqss2", "0.1", 1e-12},  {"qss2", "0.1", 1e-12},      {"qss3", "0.1", 1e-12},
    {"auto", "0", 1e-12},       {"block_liqss2", "0", 1e-4}, {"block_liqss2", "0.1", 1e-4},
    {"cvode_bdf", "0.1", 1e-4},
};

static void test_what_is_fed_is_as_if_a_source_stood_there(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(fed); k++) {
    g_autofree char *bend = g_strdup_printf("p.bend=%s", fed[k].bend);
    const char *const set[] = {bend, NULL};
    g_autofree char *arguments =
        g_strdup_printf(MODELS "plant.xml --method %s --set %s", fed[k].method, bend + 2);
    Reference r = reference_new(MODELS "around.xml", 0.25, 4, fed[k].method, set);
    Importer *f = importer_export(arguments);
    Imported *u = imported_new(f, IMPORTER_PLAIN);
    imported_set(u, "u", driven(0));
    imported_start(u, 0);
    for (guint row = 0; row <= 16; row++) {
      double t = row * 0.25;
      if (row > 0) {
        imported_step(u, t);
      }
      compare_fed(&r, u, row, t, fed[k].bound);
      imported_set(u, "u", driven(t));
      if (t == 1.5 || t == 2.5) {
        imported_set(u, "kick", t == 1.5 ? 7 : 8);
      }
    }
    TEST_ASSERT_EQUAL_DOUBLE(2, imported_get(u, "kicks"));
    TEST_ASSERT_EQUAL_INT(2, imported_count(u, "heard.count"));
    TEST_ASSERT_EQUAL_DOUBLE(8, imported_get(u, "heard"));
    imported_free(u);
    importer_close(f);
    reference_free(&r);
  }
}

/* Two units ----------------------------------------------------------------------------------- */

typedef struct {
  Imported *heater, *thermostat;
  double on;         /* of the thermostat, as it was last */
  guint turns, back; /* how often that has turned; steps that were taken back */
} Pair;

/* What each says to the other. TRUE: something is new. */
static gboolean pair_connect(const Pair *p)
{
  double on = imported_get(p->thermostat, "on");
  double hot = imported_get(p->heater, "hot"), cold = imported_get(p->heater, "cold");
  gboolean more = on != imported_get(p->heater, "on") ||
                  hot != imported_get(p->thermostat, "hot") ||
                  cold != imported_get(p->thermostat, "cold");
  imported_set(p->heater, "on", on);
  imported_set(p->thermostat, "hot", hot);
  imported_set(p->thermostat, "cold", cold);
  return more;
}

/* Both in the event mode until nothing happens any more at this instant. */
static void pair_events(Pair *p)
{
  for (gboolean more = TRUE; more;) {
    more = pair_connect(p);
    gboolean heater = imported_update(p->heater), thermostat = imported_update(p->thermostat);
    more |= heater || thermostat || pair_connect(p);
    double on = imported_get(p->thermostat, "on");
    p->turns += on != p->on ? 1 : 0;
    p->on = on;
  }
  imported_is(fmi3OK, p->heater->of->fmi3EnterStepMode(p->heater->at), p->heater);
  imported_is(fmi3OK, p->thermostat->of->fmi3EnterStepMode(p->thermostat->at), p->thermostat);
}

static void pair_enter(const Imported *u)
{
  imported_is(fmi3OK, u->of->fmi3EnterEventMode(u->at), u);
}

/* To T or to the first event of either: who has gone further goes back. TRUE: it was an event. */
static gboolean pair_step(Pair *p, double t)
{
  Imported *heater = p->heater, *thermostat = p->thermostat;
  fmi3FMUState before = NULL;
  imported_is(fmi3OK, heater->of->fmi3GetFMUState(heater->at, &before), heater);
  double from = heater->t;
  gboolean event = imported_step(heater, t);
  event |= imported_step(thermostat, heater->t);
  if (thermostat->t < heater->t) {
    imported_is(fmi3OK, heater->of->fmi3SetFMUState(heater->at, before), heater);
    heater->t = from;
    imported_step(heater, thermostat->t);
    p->back++;
  }
  TEST_ASSERT_EQUAL_DOUBLE(heater->t, thermostat->t);
  imported_is(fmi3OK, heater->of->fmi3FreeFMUState(heater->at, &before), heater);
  return event;
}

static void test_two_units_coupled_at_events_are_one_model(void)
{
  Reference r = reference_new(MODELS "heated.xml", 0.1, 10, NULL, NULL);
  Importer *heater = importer_export(MODELS "heater.xml");
  Importer *thermostat = importer_export(MODELS "thermostat.xml");
  Pair p = {.heater = imported_new(heater, IMPORTER_EVENTS | IMPORTER_EARLY),
            .thermostat = imported_new(thermostat, IMPORTER_EVENTS | IMPORTER_EARLY)};
  imported_begin(p.heater, 0);
  imported_begin(p.thermostat, 0);
  pair_connect(&p);
  pair_connect(&p);
  imported_is(fmi3OK, heater->fmi3ExitInitializationMode(p.heater->at), p.heater);
  imported_is(fmi3OK, thermostat->fmi3ExitInitializationMode(p.thermostat->at), p.thermostat);
  pair_events(&p);
  p.turns = 0;
  for (guint row = 0; row <= 100; row++) {
    while (row > 0 && p.heater->t < row * 0.1) {
      if (pair_step(&p, row * 0.1)) {
        pair_enter(p.heater);
        pair_enter(p.thermostat);
        pair_events(&p);
      }
    }
    same(reference_at(&r, row, "heater/T.x"), imported_get(p.heater, "T.x"), row * 0.1, "T.x");
    same(reference_at(&r, row, "thermostat.on"), imported_get(p.thermostat, "on"), row * 0.1, "on");
  }
  TEST_ASSERT_EQUAL_UINT(29, p.turns);
  TEST_ASSERT_GREATER_THAN_UINT(5, p.back);
  imported_free(p.heater);
  imported_free(p.thermostat);
  importer_close(heater);
  importer_close(thermostat);
  reference_free(&r);
}

/* Events -------------------------------------------------------------------------------------- */

static void kick(const Imported *u, double v, gint64 count)
{
  imported_set(u, "kick", v);
  imported_set_count(u, "kick.count", count);
}

/* One more of the same value is an event, too, and several may come at one instant. */
static void test_an_event_is_a_value_and_a_count(void)
{
  Importer *f = importer_export(MODELS "plant.xml");
  Imported *u = imported_new(f, IMPORTER_EVENTS | IMPORTER_EARLY);
  imported_start(u, 0);
  for (guint k = 1; k <= 3; k++) {
    kick(u, 5, k);
    while (imported_update(u)) {
    }
    TEST_ASSERT_EQUAL_INT(k, imported_count(u, "heard.count"));
    TEST_ASSERT_EQUAL_DOUBLE(5, imported_get(u, "heard"));
    TEST_ASSERT_EQUAL_DOUBLE(k, imported_get(u, "kicks"));
  }
  kick(u, 5, 3); /* the same again is nothing */
  while (imported_update(u)) {
  }
  TEST_ASSERT_EQUAL_INT(3, imported_count(u, "heard.count"));
  kick(u, 6, 4); /* what is left of it is done in the next step */
  imported_is(fmi3OK, f->fmi3EnterStepMode(u->at), u);
  while (u->t < 1) {
    imported_step(u, 1);
    imported_is(fmi3OK, f->fmi3EnterEventMode(u->at), u);
    imported_is(fmi3OK, f->fmi3EnterStepMode(u->at), u);
  }
  TEST_ASSERT_EQUAL_INT(4, imported_count(u, "heard.count"));
  fmi3ValueReference in = importer_reference(f, "kick");
  imported_is(fmi3Error, f->fmi3SetFloat64(u->at, &in, 1, &(double){7}, 1), u);
  TEST_ASSERT_NOT_NULL(strstr(u->log->str, "kick, a discrete input, is not to be set now"));
  imported_free(u);
  importer_close(f);
}

/* Who does not use the event mode may miss some, and is told. */
static void test_events_that_are_missed_are_told(void)
{
  Importer *f = importer_export(MODELS "plant.xml");
  Imported *u = imported_new(f, IMPORTER_PLAIN);
  bool event, over, early;
  double reached;
  imported_start(u, 0);
  kick(u, 5, 3);
  imported_is(fmi3Warning, f->fmi3DoStep(u->at, 0, 1, true, &event, &over, &early, &reached), u);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(u->log->str, "kick: 3 events came at t = 0 at once"),
                               u->log->str);
  TEST_ASSERT_EQUAL_INT(1, imported_count(u, "heard.count"));
  imported_free(u);
  importer_close(f);
}

/* Where steps may not end early, the step is whole and says that something has happened. */
static void test_without_early_return_a_step_is_whole(void)
{
  Importer *f = importer_export(MODELS "thermostat.xml");
  Imported *u = imported_new(f, IMPORTER_EVENTS);
  imported_start(u, 0);
  while (imported_update(u)) {
  }
  imported_is(fmi3OK, f->fmi3EnterStepMode(u->at), u);
  TEST_ASSERT_FALSE(imported_step(u, 0.3));
  TEST_ASSERT_EQUAL_DOUBLE(1, imported_get(u, "on"));
  TEST_ASSERT_TRUE(imported_step(u, 0.4)); /* it rests from 0.35 on */
  TEST_ASSERT_EQUAL_DOUBLE(0.4, u->t);
  TEST_ASSERT_EQUAL_DOUBLE(1, imported_get(u, "on"));
  imported_is(fmi3OK, f->fmi3EnterEventMode(u->at), u);
  TEST_ASSERT_EQUAL_DOUBLE(0, imported_get(u, "on"));
  imported_free(u);
  importer_close(f);
}

/* States -------------------------------------------------------------------------------------- */

static void run_fed(Imported *u, double until, GString *seen)
{
  for (double t = u->t + 0.25; t <= until; t += 0.25) {
    imported_set(u, "u", driven(t - 0.25));
    imported_step(u, t);
    g_string_append_printf(seen, "%.17g %.17g %.17g\n", imported_get(u, "m.x.x"),
                           imported_get(u, "high"), imported_get(u, "scaled"));
  }
}

static void test_a_state_that_is_put_back_goes_on_bit_for_bit(void)
{
  Importer *f = importer_export(MODELS "plant.xml");
  Imported *u = imported_new(f, IMPORTER_PLAIN);
  fmi3FMUState state = NULL;
  g_autoptr(GString) first = g_string_new(NULL), again = g_string_new(NULL);
  imported_start(u, 0);
  run_fed(u, 1, first);
  g_string_truncate(first, 0);
  imported_is(fmi3OK, f->fmi3GetFMUState(u->at, &state), u);
  run_fed(u, 4, first);
  imported_is(fmi3OK, f->fmi3SetFMUState(u->at, state), u);
  u->t = 1;
  run_fed(u, 4, again);
  TEST_ASSERT_EQUAL_STRING(first->str, again->str);
  imported_is(fmi3OK, f->fmi3FreeFMUState(u->at, &state), u);
  TEST_ASSERT_NULL(state);
  imported_free(u);
  importer_close(f);
}

/* Newly allocated. */
static GByteArray *state_bytes(const Imported *u)
{
  const Importer *f = u->of;
  fmi3FMUState state = NULL;
  size_t n = 0;
  imported_is(fmi3OK, f->fmi3GetFMUState(u->at, &state), u);
  imported_is(fmi3OK, f->fmi3SerializedFMUStateSize(u->at, state, &n), u);
  GByteArray *bytes = g_byte_array_sized_new((guint)n);
  g_byte_array_set_size(bytes, (guint)n);
  imported_is(fmi3Error, f->fmi3SerializeFMUState(u->at, state, bytes->data, n - 1), u);
  imported_is(fmi3OK, f->fmi3SerializeFMUState(u->at, state, bytes->data, n), u);
  imported_is(fmi3OK, f->fmi3FreeFMUState(u->at, &state), u);
  return bytes;
}

static void go_to_bytes(Imported *u, const GByteArray *bytes, double t)
{
  const Importer *f = u->of;
  fmi3FMUState state = NULL;
  imported_is(fmi3OK, f->fmi3DeserializeFMUState(u->at, bytes->data, bytes->len, &state), u);
  imported_is(fmi3OK, f->fmi3SetFMUState(u->at, state), u);
  imported_is(fmi3OK, f->fmi3FreeFMUState(u->at, &state), u);
  u->t = t;
}

/* Parameters and inputs at the start are others than the unit has them. */
static void test_bytes_of_a_state_go_on_in_another_instance_bit_for_bit(void)
{
  Importer *f = importer_export(MODELS "plant.xml");
  Imported *u = imported_new(f, IMPORTER_PLAIN);
  g_autoptr(GString) first = g_string_new(NULL), again = g_string_new(NULL);
  imported_set(u, "k", 0.3);
  imported_set(u, "u", 0.5);
  g_autoptr(GByteArray) open = state_bytes(u);
  imported_start(u, 0);
  run_fed(u, 1, first);
  g_autoptr(GByteArray) bytes = state_bytes(u);
  g_string_truncate(first, 0);
  double y = imported_get(u, "y");
  run_fed(u, 4, first);
  go_to_bytes(u, bytes, 1); /* where it has been itself */
  run_fed(u, 4, again);
  TEST_ASSERT_EQUAL_STRING(first->str, again->str);
  imported_free(u);
  u = imported_new(f, IMPORTER_PLAIN);
  go_to_bytes(u, bytes, 1);
  TEST_ASSERT_EQUAL_DOUBLE(0.3, imported_get(u, "k"));
  TEST_ASSERT_EQUAL_DOUBLE(y, imported_get(u, "y"));
  g_autoptr(GByteArray) same = state_bytes(u);
  TEST_ASSERT_EQUAL_UINT(bytes->len, same->len);
  g_string_truncate(again, 0);
  run_fed(u, 4, again);
  TEST_ASSERT_EQUAL_STRING(first->str, again->str);
  go_to_bytes(u, open, 0); /* from before the initialization it begins so, too */
  imported_start(u, 0);
  run_fed(u, 1, again);
  g_string_truncate(again, 0);
  run_fed(u, 4, again);
  TEST_ASSERT_EQUAL_STRING(first->str, again->str);
  imported_free(u);
  importer_close(f);
}

static void update_all(const Imported *u)
{
  while (imported_update(u)) {
  }
}

/* Counts of events go along; between two words of an instant there are no bytes. */
static void test_bytes_of_a_state_in_the_event_mode(void)
{
  Importer *f = importer_export(MODELS "plant.xml");
  Imported *u = imported_new(f, IMPORTER_EVENTS | IMPORTER_EARLY);
  Imported *v = imported_new(f, IMPORTER_EVENTS | IMPORTER_EARLY);
  fmi3FMUState state = NULL;
  size_t n = 0;
  imported_start(u, 0);
  kick(u, 5, 1);
  TEST_ASSERT_TRUE(imported_update(u));
  imported_is(fmi3OK, f->fmi3GetFMUState(u->at, &state), u);
  imported_is(fmi3Error, f->fmi3SerializedFMUStateSize(u->at, state, &n), u);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(u->log->str, "fmi3SerializedFMUStateSize: plant: not all is "
                                                   "done that happens at t = 0"),
                               u->log->str);
  update_all(u);
  g_autoptr(GByteArray) bytes = state_bytes(u);
  go_to_bytes(v, bytes, 0);
  kick(u, 5, 2);
  kick(v, 5, 2);
  update_all(u);
  update_all(v);
  TEST_ASSERT_EQUAL_INT(2, imported_count(v, "heard.count"));
  TEST_ASSERT_EQUAL_DOUBLE(2, imported_get(v, "kicks"));
  imported_is(fmi3OK, f->fmi3EnterStepMode(u->at), u);
  imported_is(fmi3OK, f->fmi3EnterStepMode(v->at), v);
  imported_step(u, 0.125);
  imported_step(v, 0.125);
  TEST_ASSERT_EQUAL_DOUBLE(imported_get(u, "m.x.x"), imported_get(v, "m.x.x"));
  imported_is(fmi3OK, f->fmi3SetFMUState(u->at, state), u); /* it is as good as it was */
  TEST_ASSERT_EQUAL_DOUBLE(1, imported_count(u, "kick.count"));
  imported_is(fmi3OK, f->fmi3FreeFMUState(u->at, &state), u);
  imported_free(u);
  imported_free(v);
  importer_close(f);
}

static void test_bytes_that_are_no_state_of_the_unit_are_refused(void)
{
  Importer *f = importer_export(MODELS "heater.xml"), *other = importer_export(MODELS "plant.xml");
  Imported *u = imported_new(f, IMPORTER_PLAIN), *v = imported_new(other, IMPORTER_PLAIN);
  fmi3FMUState state = NULL;
  imported_start(u, 0);
  imported_start(v, 0);
  g_autoptr(GByteArray) bytes = state_bytes(u), foreign = state_bytes(v);
  imported_is(fmi3Error, f->fmi3DeserializeFMUState(u->at, foreign->data, foreign->len, &state), u);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(u->log->str, "this is a state of another unit"), u->log->str);
  for (guint k = 0; k < bytes->len; k += 1 + bytes->len / 61) {
    g_string_truncate(u->log, 0);
    imported_is(fmi3Error, f->fmi3DeserializeFMUState(u->at, bytes->data, k, &state), u);
    bytes->data[k] ^= 4;
    imported_is(fmi3Error, f->fmi3DeserializeFMUState(u->at, bytes->data, bytes->len, &state), u);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(u->log->str, "these bytes are no state"), u->log->str);
    bytes->data[k] ^= 4;
  }
  TEST_ASSERT_NULL(state);
  go_to_bytes(u, bytes, 0); /* and nothing has changed */
  imported_step(u, 1);
  imported_free(u);
  imported_free(v);
  importer_close(f);
  importer_close(other);
}

/* CVODE does not say all that it remembers. */
static void test_a_unit_says_where_its_state_cannot_be_saved(void)
{
  Importer *f = importer_export(MODELS "plant.xml --method cvode_bdf");
  xmlNode *root = xmlDocGetRootElement(f->description);
  g_autofree char *can =
      importer_attribute(importer_child(root, "CoSimulation"), "canGetAndSetFMUState");
  g_autofree char *writes =
      importer_attribute(importer_child(root, "CoSimulation"), "canSerializeFMUState");
  TEST_ASSERT_EQUAL_STRING("false", can);
  TEST_ASSERT_EQUAL_STRING("false", writes);
  Imported *u = imported_new(f, IMPORTER_PLAIN);
  fmi3FMUState state = NULL;
  imported_start(u, 0);
  imported_is(fmi3Error, f->fmi3GetFMUState(u->at, &state), u);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(u->log->str, "fmi3GetFMUState: plant: "), u->log->str);
  imported_step(u, 1);
  imported_free(u);
  importer_close(f);
}

/* Parameters ---------------------------------------------------------------------------------- */

static void test_parameters_are_taken_at_the_start(void)
{
  Importer *f = importer_export(MODELS "plant.xml");
  Imported *u = imported_new(f, IMPORTER_PLAIN);
  fmi3ValueReference w = importer_reference(f, "w"), kind = importer_reference(f, "kind");
  double v[2] = {3, 4};
  const char *text = NULL, *twice = "twice";
  imported_is(fmi3OK, f->fmi3GetString(u->at, &kind, 1, &text, 1), u);
  TEST_ASSERT_EQUAL_STRING("a & b", text);
  imported_is(fmi3OK, f->fmi3SetString(u->at, &kind, 1, &twice, 1), u);
  imported_is(fmi3OK, f->fmi3SetFloat64(u->at, &w, 1, v, 2), u);
  imported_begin(u, 0);
  TEST_ASSERT_EQUAL_DOUBLE(3, imported_get(u, "m.x.x"));
  imported_set(u, "k", 0.1);
  TEST_ASSERT_EQUAL_DOUBLE(6, imported_get(u, "scaled"));
  imported_is(fmi3OK, f->fmi3ExitInitializationMode(u->at), u);
  imported_is(fmi3OK, f->fmi3GetFloat64(u->at, &w, 1, v, 2), u);
  TEST_ASSERT_EQUAL_DOUBLE(4, v[1]);
  TEST_ASSERT_EQUAL_DOUBLE(0.1, imported_get(u, "k"));
  imported_is(fmi3OK, f->fmi3Reset(u->at), u);
  imported_start(u, 0);
  TEST_ASSERT_EQUAL_DOUBLE(1, imported_get(u, "scaled"));
  imported_free(u);
  importer_close(f);
}

/* What is wrong ------------------------------------------------------------------------------- */

static void says(Imported *u, const char *what)
{
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(u->log->str, what), u->log->str);
  g_string_truncate(u->log, 0);
}

static void test_wrong_values_and_times_are_told_and_change_nothing(void)
{
  Importer *f = importer_export(MODELS "plant.xml");
  Imported *u = imported_new(f, IMPORTER_PLAIN);
  fmi3ValueReference in = importer_reference(f, "u"), out = importer_reference(f, "y"), none = 99;
  double v = NAN, reached;
  bool event, over, early;
  imported_is(fmi3Error, f->fmi3GetFloat64(u->at, &out, 1, &v, 1), u);
  says(u, "Error logStatusError: fmi3GetFloat64: y, an output, is not to be asked now\n");
  imported_is(fmi3Error, f->fmi3DoStep(u->at, 0, 1, true, &event, &over, &early, &reached), u);
  says(u, "fmi3DoStep: not allowed before the initialization mode");
  imported_start(u, 0);
  v = NAN;
  imported_is(fmi3Discard, f->fmi3SetFloat64(u->at, &in, 1, &v, 1), u);
  says(u, "fmi3SetFloat64: u: nan is no value of an input; it stays what it was");
  imported_is(fmi3Error, f->fmi3SetFloat64(u->at, &out, 1, &v, 1), u);
  imported_is(fmi3Error, f->fmi3GetFloat64(u->at, &none, 1, &v, 1), u);
  says(u, "there is no variable 99; they are 0 to 15");
  imported_is(fmi3Error, f->fmi3GetFloat64(u->at, &in, 1, &v, 2), u);
  says(u, "the variables have 1 values, not 2");
  imported_is(fmi3Error, f->fmi3SetFloat32(u->at, &in, 1, &(float){1}, 1), u);
  says(u, "fmi3SetFloat32: no variable of this unit has this type");
  imported_step(u, 1);
  imported_is(fmi3Error, f->fmi3EnterEventMode(u->at), u);
  imported_is(fmi3Error, f->fmi3GetClock(u->at, &in, 1, &event), u);
  imported_is(fmi3Error, f->fmi3DoStep(u->at, 0, 1, true, &event, &over, &early, &reached), u);
  says(u, "a step from t = 0: the model is at t = 1");
  imported_is(fmi3Error, f->fmi3DoStep(u->at, 1, 1, true, &event, &over, &early, &reached), u);
  says(u, "fmi3DoStep: not allowed after an error");
  imported_is(fmi3OK, f->fmi3Reset(u->at), u);
  imported_start(u, 0);
  imported_step(u, 1);
  imported_free(u);
  importer_close(f);
}

static void test_another_token_is_refused(void)
{
  Importer *f = importer_export(MODELS "heater.xml");
  Imported u = {.of = f, .log = g_string_new(NULL)};
  g_autofree char *resources = g_strdup_printf("%s/resources/", f->folder);
  TEST_ASSERT_NULL(f->fmi3InstantiateCoSimulation("it", "{0}", resources, false, false, false,
                                                  false, NULL, 0, &u, importer_log, NULL));
  says(&u, "instantiationToken {0} is that of another unit");
  TEST_ASSERT_NULL(f->fmi3InstantiateCoSimulation("it", f->token, "/nowhere", false, false, false,
                                                  false, NULL, 0, &u, importer_log, NULL));
  says(&u, "/nowhere/hydevs.ini");
  TEST_ASSERT_NULL(
      f->fmi3InstantiateModelExchange("it", f->token, resources, false, false, &u, importer_log));
  says(&u, "a unit of hydevs is for co-simulation");
  g_string_free(u.log, TRUE);
  importer_close(f);
}

/* A parameter may decide how many variables there are, and a value what cannot be. */
static void test_parameters_that_do_not_fit_end_the_initialization(void)
{
  Importer *f = importer_export(HY_SOURCE_DIR "/examples/lc-line/model.xml");
  Imported *u = imported_new(f, IMPORTER_PLAIN);
  imported_set(u, "N", -3);
  imported_is(fmi3Error, f->fmi3EnterInitializationMode(u->at, false, 0, 0, false, 0), u);
  says(u, "fmi3EnterInitializationMode: ");
  imported_free(u);
  importer_close(f);
}

/* An XML text as a unit, in a folder of its own for a while. */
static Importer *unit_of(const char *name, const char *body)
{
  g_autofree char *folder = g_dir_make_tmp("model-XXXXXX", NULL);
  g_autofree char *file = g_strdup_printf("%s/%s.xml", folder, name);
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='%s'>%s</hydevs>", name, body);
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
  Importer *f = importer_export(file);
  g_unlink(file);
  g_rmdir(folder);
  return f;
}

static void test_a_block_may_end_the_simulation(void)
{
  Importer *f = unit_of("ends", "<integrator name='x' in='1' x0='0'/><stop name='s' in='x' "
                                "level='0.55'/><experiment stop='1' record='x.x'/>");
  Imported *u = imported_new(f, IMPORTER_PLAIN);
  bool event, over, early;
  double reached;
  imported_start(u, 0);
  imported_step(u, 0.5);
  imported_is(fmi3OK, f->fmi3DoStep(u->at, 0.5, 0.1, true, &event, &over, &early, &reached), u);
  TEST_ASSERT_TRUE(over && early && !event);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.55, reached);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.55, imported_get(u, "x.x"));
  imported_is(fmi3Error, f->fmi3DoStep(u->at, reached, 0.1, true, &event, &over, &early, &reached),
              u);
  says(u, "fmi3DoStep: the run has ended: ");
  imported_free(u);
  importer_close(f);
}

/* What is wrong in the run ends it with the words of hydevs. */
static void test_a_run_that_cannot_go_on_says_why(void)
{
  Importer *f = unit_of("div", "<in name='u'/><function name='q' formula='1/u'/>"
                               "<out name='y' from='q'/><experiment stop='1'/>");
  Imported *u = imported_new(f, IMPORTER_PLAIN);
  bool event, over, early;
  double reached;
  imported_set(u, "u", 4);
  imported_start(u, 0);
  TEST_ASSERT_EQUAL_DOUBLE(0.25, imported_get(u, "y"));
  imported_set(u, "u", 0);
  imported_is(fmi3Error, f->fmi3DoStep(u->at, 0, 1, true, &event, &over, &early, &reached), u);
  says(u, "fmi3DoStep: q: division by zero: 1 / u = 1 / 0 at t = 0");
  imported_free(u);
  importer_close(f);
}

/* A port goes before what is recorded under its name; "time" is taken. */
static void test_names_that_are_taken_get_another(void)
{
  Importer *f = unit_of("taken", "<in name='time'/><integrator name='x' in='time' x0='1'/>"
                                 "<integrator name='y' in='-y' x0='5'/><out name='y' from='x'/>"
                                 "<experiment stop='1' record='y.x y'/>");
  Imported *u = imported_new(f, IMPORTER_PLAIN);
  imported_set(u, "time_", 2);
  imported_start(u, 0);
  imported_step(u, 0.5);
  TEST_ASSERT_EQUAL_DOUBLE(0.5, imported_get(u, "time"));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 2, imported_get(u, "y"));
  TEST_ASSERT_DOUBLE_WITHIN(1e-2, 5 * exp(-0.5), imported_get(u, "y_"));
  imported_free(u);
  importer_close(f);
}

/* The description ----------------------------------------------------------------------------- */

/* Value references of the elements NAME in the model structure, in their order. */
static GString *structure(const Importer *f, const char *name)
{
  xmlNode *root = xmlDocGetRootElement(f->description);
  GString *text = g_string_new(NULL);
  for (xmlNode *n = importer_child(root, "ModelStructure")->children; n != NULL; n = n->next) {
    if (n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, name) == 0) {
      g_autofree char *reference = importer_attribute(n, "valueReference");
      g_string_append_printf(text, "%s ", reference);
    }
  }
  return text;
}

static gboolean has_unit(const Importer *f, const char *unit)
{
  xmlNode *root = xmlDocGetRootElement(f->description);
  for (xmlNode *n = importer_child(root, "UnitDefinitions")->children; n != NULL; n = n->next) {
    g_autofree char *name = n->type == XML_ELEMENT_NODE ? importer_attribute(n, "name") : NULL;
    if (g_strcmp0(name, unit) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Rules of the standard, "Attributes of variables", table of causality, variability, initial. */
static void check_variable(const Importer *f, xmlNode *v, GString *outputs)
{
  g_autofree char *name = importer_attribute(v, "name"), *start = importer_attribute(v, "start");
  g_autofree char *causality = importer_attribute(v, "causality");
  g_autofree char *variability = importer_attribute(v, "variability");
  g_autofree char *initial = importer_attribute(v, "initial");
  g_autofree char *unit = importer_attribute(v, "unit");
  g_autofree char *reference = importer_attribute(v, "valueReference");
  TEST_ASSERT_TRUE_MESSAGE(unit == NULL || has_unit(f, unit), name);
  gboolean text = strcmp((const char *)v->name, "String") == 0;
  gboolean started = start != NULL || (text && importer_child(v, "Start") != NULL);
  if (strcmp(causality, "output") == 0) {
    g_string_append_printf(outputs, "%s ", reference);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("calculated", initial, name);
    TEST_ASSERT_FALSE_MESSAGE(started, name);
  } else if (strcmp(causality, "parameter") == 0) {
    TEST_ASSERT_EQUAL_STRING_MESSAGE("fixed", variability, name);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("exact", initial, name);
    TEST_ASSERT_TRUE_MESSAGE(started, name);
  } else {
    TEST_ASSERT_NULL_MESSAGE(initial, name);
    TEST_ASSERT_TRUE_MESSAGE(started == (strcmp(causality, "input") == 0), name);
  }
  gboolean real = strcmp((const char *)v->name, "Float64") == 0;
  TEST_ASSERT_TRUE_MESSAGE(real || strcmp(variability, "continuous") != 0, name);
}

static void test_the_description_obeys_the_standard(void)
{
  static const char *const names[][2] = {{"kicks", "discrete"}, {"high", "discrete"},
                                         {"heard", "discrete"}, {"heard.count", "discrete"},
                                         {"kick", "discrete"},  {"u", "continuous"},
                                         {"y", "continuous"},   {"scaled", "continuous"}};
  Importer *f = importer_export(MODELS "plant.xml");
  xmlNode *root = xmlDocGetRootElement(f->description);
  g_autoptr(GString) outputs = g_string_new(NULL);
  g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (xmlNode *v = importer_child(root, "ModelVariables")->children; v != NULL; v = v->next) {
    if (v->type == XML_ELEMENT_NODE) {
      check_variable(f, v, outputs);
      TEST_ASSERT_TRUE(g_hash_table_add(seen, importer_attribute(v, "valueReference")));
      TEST_ASSERT_TRUE(g_hash_table_add(seen, importer_attribute(v, "name")));
    }
  }
  g_autoptr(GString) first = structure(f, "Output"), unknown = structure(f, "InitialUnknown");
  TEST_ASSERT_EQUAL_STRING(outputs->str, first->str);
  TEST_ASSERT_EQUAL_STRING(outputs->str, unknown->str);
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autofree char *variability =
        importer_attribute(importer_variable(f, names[k][0]), "variability");
    TEST_ASSERT_EQUAL_STRING_MESSAGE(names[k][1], variability, names[k][0]);
  }
  importer_close(f);
}

/* Another reader of the standard, where it is installed. */
static void test_fmpy_finds_nothing_to_say(void)
{
  static const char check[] = "from fmpy.validation import validate_fmu; import sys; "
                              "p = validate_fmu(sys.argv[1]); print(*p); sys.exit(len(p) > 0)";
  if (system("python3 -c 'import fmpy' 2>/dev/null") != 0) { /* NOLINT: of this test */
    TEST_IGNORE_MESSAGE("FMPy is not installed: its validator was not asked");
  }
  g_autofree char *folder = g_dir_make_tmp("fmpy-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(folder, "plant.fmu", NULL);
  g_autofree char *command =
      g_strdup_printf("%s export --fmi " MODELS "plant.xml -o %s && python3 -c '%s' %s", HY_PROGRAM,
                      file, check, file);
  int status = system(command); /* NOLINT: of this test */
  g_unlink(file);
  g_rmdir(folder);
  TEST_ASSERT_EQUAL_INT(0, status);
}

/* Threads ------------------------------------------------------------------------------------- */

typedef struct {
  const Importer *of;
  GString *seen;
} Job;

static gpointer run_job(gpointer data)
{
  Job *job = data;
  for (guint k = 0; k < 5; k++) {
    Imported *u = imported_new(job->of, IMPORTER_PLAIN);
    imported_start(u, 0);
    run_fed(u, 4, job->seen);
    imported_free(u);
  }
  return NULL;
}

static void test_instances_in_several_threads_do_not_know_each_other(void)
{
  Importer *f = importer_export(MODELS "plant.xml");
  Job job[3];
  GThread *thread[3];
  for (guint k = 0; k < G_N_ELEMENTS(job); k++) {
    job[k] = (Job){f, g_string_new(NULL)};
    thread[k] = g_thread_new(NULL, run_job, &job[k]);
  }
  for (guint k = 0; k < G_N_ELEMENTS(job); k++) {
    g_thread_join(thread[k]);
    TEST_ASSERT_EQUAL_STRING(job[0].seen->str, job[k].seen->str);
  }
  for (guint k = 0; k < G_N_ELEMENTS(job); k++) {
    g_string_free(job[k].seen, TRUE);
  }
  importer_close(f);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_unit_is_the_run_it_is_made_of);
  RUN_TEST(test_what_is_fed_is_as_if_a_source_stood_there);
  RUN_TEST(test_two_units_coupled_at_events_are_one_model);
  RUN_TEST(test_an_event_is_a_value_and_a_count);
  RUN_TEST(test_events_that_are_missed_are_told);
  RUN_TEST(test_without_early_return_a_step_is_whole);
  RUN_TEST(test_a_state_that_is_put_back_goes_on_bit_for_bit);
  RUN_TEST(test_bytes_of_a_state_go_on_in_another_instance_bit_for_bit);
  RUN_TEST(test_bytes_of_a_state_in_the_event_mode);
  RUN_TEST(test_bytes_that_are_no_state_of_the_unit_are_refused);
  RUN_TEST(test_a_unit_says_where_its_state_cannot_be_saved);
  RUN_TEST(test_parameters_are_taken_at_the_start);
  RUN_TEST(test_wrong_values_and_times_are_told_and_change_nothing);
  RUN_TEST(test_another_token_is_refused);
  RUN_TEST(test_parameters_that_do_not_fit_end_the_initialization);
  RUN_TEST(test_a_block_may_end_the_simulation);
  RUN_TEST(test_a_run_that_cannot_go_on_says_why);
  RUN_TEST(test_names_that_are_taken_get_another);
  RUN_TEST(test_the_description_obeys_the_standard);
  RUN_TEST(test_fmpy_finds_nothing_to_say);
  RUN_TEST(test_instances_in_several_threads_do_not_know_each_other);
  return UNITY_END();
}
