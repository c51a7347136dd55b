/* Rows: how many forms a repeated diagram has, and that a row says what the blocks say. */
#include "equations/jacobian.h"
#include "equations/partition.h"
#include "equations/room_internal.h"
#include "hydevs/load.h"
#include "sim/engine.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static guint64 seed = 1;

static double uniform(double from, double to)
{
  seed = seed * 6364136223846793005U + 1442695040888963407U;
  return from + (to - from) * ((double)(seed >> 11) * 0x1p-53);
}

/* A model and a simulation of it with all rows. */
typedef struct {
  HyLoaded *loaded;
  HySim *sim;
  HyRoom *room;
} Case;

static Case open_text(const char *text, const char *experiment, const char *const *set)
{
  const HyLoadOptions options = {
      .experiment = experiment, .set = set, .method = "liqss2", .dqrel = 1e-3, .dqmin = 1e-3};
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *file = g_build_filename(HY_SOURCE_DIR, "tests/models/model.xml", NULL);
  Case c = {.loaded = hy_load_memory(text, strlen(text), file, &options, report)};
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(c.loaded, messages);
  g_autoptr(GError) error = NULL;
  c.sim = hy_sim_new(hy_loaded_model(c.loaded), HY_FLAT, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
  hy_sim_init_equations(c.sim, 0, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
  c.room = c.sim->room;
  return c;
}

static char *model_text(const char *name)
{
  g_autofree char *path = g_strdup_printf("%s/tests/models/%s.xml", HY_SOURCE_DIR, name);
  char *text = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(path, &text, NULL, NULL), path);
  return text;
}

static void case_close(Case *c)
{
  hy_sim_free(c->sim);
  hy_loaded_free(c->loaded);
}

/* Forms --------------------------------------------------------------------------------------- */

static void expect_forms(guint expected, guint linear, const char *name, const char *experiment,
                         const char *const *set)
{
  g_autofree char *text = model_text(name);
  Case c = open_text(text, experiment, set);
  HyRoomCounts counts;
  hy_room_counts(c.room, &counts);
  TEST_ASSERT_EQUAL_MESSAGE(expected, counts.templates, name);
  TEST_ASSERT_EQUAL_MESSAGE(linear, counts.linear, name);
  TEST_ASSERT_EQUAL_MESSAGE(c.room->states->len, counts.rows, name);
  case_close(&c);
}

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The first section, all inner ones, the last; of Tyson each state of the cell. The design counts
 * crossings as rows, too: a fifth form of the converter, whose diode watches its current. */
static void test_a_repeated_diagram_has_as_many_forms_as_sections(void)
{
  expect_forms(3, 0, "adr", NULL, NULL);
  expect_forms(3, 0, "adr", NULL, SET("N=10"));
  expect_forms(6, 200, "tyson", NULL, NULL);
  expect_forms(3, 100, "heat-sink", NULL, NULL);
  expect_forms(5, 102, "buck-heatsink", "all_liqss2", NULL);
  expect_forms(4, 13, "cuk-interleaved", NULL, NULL);
  expect_forms(4, 31, "cuk-interleaved", NULL, SET("N=10"));
}

/* Also where two numbers of different blocks become equal, or stop to be. */
static void test_other_parameters_are_no_other_forms(void)
{
  expect_forms(3, 0, "adr", NULL, SET("a=3", "r=7", "left=0.5"));
  expect_forms(3, 100, "heat-sink", NULL, SET("lambda=5", "hot=17"));
  expect_forms(6, 200, "tyson", NULL, SET("k3=180", "k8=1k"));
  expect_forms(4, 13, "cuk-interleaved", NULL,
               SET("stage[2].L1=150u", "stage[3].Ron=1m", "stage[4].Roff=10k", "stage[1].C1=7u"));
  expect_forms(4, 13, "cuk-interleaved", NULL, SET("stage[2]/Rs.on=20u", "stage[3]/Rd.ron=3m"));
}

static guint forms_of(const char *inside)
{
  g_autofree char *text = g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s"
                                          "<experiment stop=\"1\"/></hydevs>",
                                          inside);
  Case c = open_text(text, NULL, NULL);
  HyRoomCounts counts;
  hy_room_counts(c.room, &counts);
  case_close(&c);
  return (guint)counts.templates;
}

/* Two cells whose blocks stand in another order and have other names and numbers. */
static void test_order_and_names_are_no_part_of_a_form(void)
{
  guint n = forms_of("<coupled name=\"one\">"
                     "<gain name=\"g\" in=\"x\" k=\"2\"/><sum name=\"s\" in=\"g, y\" k=\"1, -3\"/>"
                     "<product name=\"p\" in=\"s, x\"/>"
                     "<integrator name=\"x\" in=\"p\"/><integrator name=\"y\" in=\"s\"/>"
                     "</coupled>"
                     "<coupled name=\"other\">"
                     "<integrator name=\"d\" in=\"b\" x0=\"3\"/>"
                     "<product name=\"a\" in=\"b, c\"/><sum name=\"b\" in=\"e, d\" k=\"1, 7\"/>"
                     "<integrator name=\"c\" in=\"a\"/><gain name=\"e\" in=\"c\" k=\"7\"/>"
                     "</coupled>");
  TEST_ASSERT_EQUAL(2, n);
}

/* Rows and blocks ------------------------------------------------------------------------------ */

static gboolean put_start(const GMatchInfo *match, GString *out, gpointer user)
{
  g_autofree char *tag = g_match_info_fetch(match, 1);
  gboolean many = strstr(tag, "count=") != NULL || user != NULL;
  double v = uniform(0.1, 0.9);
  g_string_append(out, "<integrator ");
  if (many) {
    g_string_append_printf(out, "x0=\"0.1 + 0.8*mod(i*0.618 + %.3f, 1)\" ", v);
  } else {
    g_string_append_printf(out, "x0=\"%.17g\" ", v);
  }
  g_string_append(out, tag);
  g_string_append_c(out, '>');
  return FALSE;
}

/* The model with other start values; INDEXED: the index i is there in every integrator. */
static char *with_random_starts(const char *name, gboolean indexed)
{
  g_autofree char *text = model_text(name);
  g_autoptr(GRegex) start = g_regex_new(" x0=\"[^\"]*\"", 0, 0, NULL);
  g_autoptr(GRegex) tag = g_regex_new("<integrator ([^>]*/)>", G_REGEX_DOTALL, 0, NULL);
  g_autofree char *bare = g_regex_replace_literal(start, text, -1, 0, "", 0, NULL);
  return g_regex_replace_eval(tag, bare, -1, 0, 0, put_start, indexed ? &seed : NULL, NULL);
}

/* What a row is made of, all added without sign: rounding is relative to that. */
static double size_of(HyRoom *room, guint32 row, double v)
{
  const HyTemplate *t = hy_row_template(&room->rows, row);
  double size = fabs(v);
  for (guint k = 0; k < t->n_slots; k++) {
    size += fabs(hy_room_row_partial(room, row, k, 0) *
                 room->signal[hy_row_slots(&room->rows, row)[k]].c[0]);
  }
  return size;
}

/* The last value that has arrived at each atomic. */
static void keep(gpointer user, const HyTransition *transition)
{
  if (transition->kind == HY_DEXT && transition->event->port == 0) {
    ((double *)user)[transition->atomic] = transition->event->value.c[0];
  }
}

static void compare_with_blocks(const char *name, gboolean indexed)
{
  g_autofree char *text = with_random_starts(name, indexed);
  Case c = open_text(text, strcmp(name, "buck-heatsink") == 0 ? "all_liqss2" : NULL, NULL);
  g_autofree double *arrived = g_new0(double, c.sim->n);
  for (guint a = 0; a < c.sim->n; a++) {
    arrived[a] = NAN;
  }
  hy_sim_set_trace(c.sim, &(HyTrace){.user = arrived, .transition = keep});
  TEST_ASSERT_TRUE(hy_sim_run(c.sim, 0, NULL));
  for (guint k = 0; k < c.room->states->len; k++) {
    const HyRoomState *s = hy_room_state(c.room, k);
    double v[4];
    hy_room_row_value(c.room, s->row, 0, v);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-14 * size_of(c.room, s->row, v[0]), arrived[s->atomic],
                                      v[0], name);
  }
  case_close(&c);
}

static void test_a_row_is_what_arrives_at_the_integrator(void)
{
  for (guint repeat = 0; repeat < 5; repeat++) {
    compare_with_blocks("adr", FALSE);
    compare_with_blocks("heat-sink", FALSE);
    compare_with_blocks("tyson", TRUE);
    compare_with_blocks("cuk-interleaved", FALSE);
    compare_with_blocks("buck-heatsink", FALSE);
    compare_with_blocks("bouncing-ball", FALSE);
  }
}

/* Modes --------------------------------------------------------------------------------------- */

/* Every factor of every row, bit for bit. */
static void compare_rooms(HyRoom *a, HyRoom *b)
{
  for (guint32 row = 0; row < a->rows.rows->len; row++) {
    for (guint k = 0; k < hy_row_template(&a->rows, row)->n_slots; k++) {
      double x = hy_room_row_partial(a, row, k, 0), y = hy_room_row_partial(b, row, k, 0);
      TEST_ASSERT_EQUAL_MEMORY(&x, &y, sizeof x);
    }
    double x[4], y[4];
    hy_room_row_value(a, row, 0, x);
    hy_room_row_value(b, row, 0, y);
    TEST_ASSERT_EQUAL_MEMORY(x, y, sizeof x);
  }
}

static void start_signals(HyRoom *room)
{
  const HyFlat *flat = room->diagram.flat;
  for (guint slot = 0; slot < flat->first_out[flat->n]; slot++) {
    hy_room_said(room, slot, 0, &(HyValue){.c = {slot + 1.5}});
  }
}

static void turn_at_random(const char *model, guint steps)
{
  g_autofree char *text = model_text(model);
  Case c = open_text(text, NULL, NULL);
  start_signals(c.room);
  guint n = c.sim->n;
  for (guint step = 0; step < steps; step++) {
    guint atomic = (guint)uniform(0, n);
    if (c.room->kind[atomic] == NULL || c.room->kind[atomic]->n_modes == 0) {
      continue;
    }
    hy_room_decided(c.room, atomic, 0, (const guint8[]){uniform(0, 1) < 0.5}, 1);
    for (guint32 row = 0; step % 3 == 0 && row < c.room->rows.rows->len; row++) {
      hy_room_row_partial(c.room, row, 0, 0); /* some are up to date, some are not */
    }
    Case fresh = open_text(text, NULL, NULL);
    start_signals(fresh.room);
    for (guint a = 0; a < n; a++) {
      guint modes = c.room->kind[a] != NULL ? c.room->kind[a]->n_modes : 0;
      hy_room_decided(fresh.room, a, 0, &c.room->flag[c.room->first_flag[a]], modes);
    }
    compare_rooms(c.room, fresh.room);
    case_close(&fresh);
  }
  case_close(&c);
}

/* Rows of the bridge read eight modes: they meet more sets of them than are kept. */
static void test_coefficients_do_not_depend_on_the_way_to_a_configuration(void)
{
  turn_at_random("cuk-interleaved", 60);
  turn_at_random("circuits/full-bridge", 1500);
}

/* Long and wide ------------------------------------------------------------------------------- */

static void test_a_chain_of_a_hundred_thousand_gains(void)
{
  Case c = open_text("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
                     "<gain name=\"g\" count=\"100000\" before=\"x\" in=\"g[i-1]\" k=\"0.99999\"/>"
                     "<integrator name=\"x\" in=\"1\" x0=\"1\"/>"
                     "<integrator name=\"y\" in=\"g[100000]\"/><experiment stop=\"1\"/></hydevs>",
                     NULL, NULL);
  guint32 row = hy_room_state(c.room, 1)->row;
  TEST_ASSERT_NOT_EQUAL(HY_NO_ROW, row);
  TEST_ASSERT_TRUE(hy_sim_run(c.sim, 0, NULL));
  TEST_ASSERT_EQUAL(1, hy_row_template(&c.room->rows, row)->n_slots);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, pow(0.99999, 1e5), hy_room_row_partial(c.room, row, 0, 0));
  case_close(&c);
}

static void test_a_wide_row_has_all_its_partials(void)
{
  Case c = open_text("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
                     "<integrator name=\"x\" count=\"5000\" in=\"1\" x0=\"i/100\"/>"
                     "<integrator name=\"y\" in=\"sum(x[*])/5000 - 3*y\"/>"
                     "<integrator name=\"z\" in=\"(sum(x[*]) + z)^2\" x0=\"1\"/>"
                     "<experiment stop=\"1\"/></hydevs>",
                     NULL, NULL);
  TEST_ASSERT_TRUE(hy_sim_run(c.sim, 0, NULL));
  guint32 y = hy_room_state(c.room, 5000)->row, z = hy_room_state(c.room, 5001)->row;
  TEST_ASSERT_EQUAL(5001, hy_row_template(&c.room->rows, y)->n_slots);
  TEST_ASSERT_EQUAL_DOUBLE(1.0 / 5000, hy_room_row_partial(c.room, y, 4321, 0));
  TEST_ASSERT_EQUAL_DOUBLE(-3, hy_room_local(c.room, 5000, 0)->a);
  double sum = 1;
  for (guint k = 1; k <= 5000; k++) {
    sum += k / 100.0;
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2 * sum, hy_room_row_partial(c.room, z, 17, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2 * sum, hy_room_local(c.room, 5001, 0)->a);
  case_close(&c);
}

#define MANY 2000

/* x' = m - x^3, m = the mean of all x^2 through two blocks; and y' made of the mean alone. */
static void test_partials_go_through_what_many_rows_read(void)
{
  Case c = open_text("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
                     "<function name=\"s\" count=\"2000\" formula=\"x[i]^2\"/>"
                     "<sum name=\"t\" in=\"s[*], y\"/><gain name=\"m\" in=\"t\" k=\"5e-4\"/>"
                     "<integrator name=\"x\" count=\"2000\" in=\"3*m - x[i]^3\" x0=\"i/100\"/>"
                     "<integrator name=\"y\" in=\"m\"/><experiment stop=\"1\"/></hydevs>",
                     NULL, NULL);
  TEST_ASSERT_TRUE(hy_sim_run(c.sim, 0, NULL));
  HyRoomCounts counts;
  hy_room_counts(c.room, &counts);
  TEST_ASSERT_EQUAL(MANY + 2, counts.rows);
  TEST_ASSERT_EQUAL(3, counts.templates);
  TEST_ASSERT_LESS_THAN(70 * MANY, counts.bytes);
  double sum = 0;
  for (guint k = 0; k < MANY; k++) {
    sum += (k + 1) / 100.0 * ((k + 1) / 100.0);
  }
  for (guint k = 0; k < MANY; k += 97) {
    double x = (k + 1) / 100.0;
    const HyLocalRow *l = hy_room_local(c.room, k, 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * (1 + 3 * x * x), 3 * 5e-4 * 2 * x - 3 * x * x, l->a);
    TEST_ASSERT_TRUE(l->fresh);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9 * sum, 3 * 5e-4 * sum - x * x * x, l->dx[0]);
  }
  TEST_ASSERT_EQUAL_DOUBLE(5e-4, hy_room_local(c.room, MANY, 0)->a);
  case_close(&c);
}

/* A hub of a hub of a hub: partials are exact; more than a few: there is no row, so they are
 * estimated. */
static void test_hubs_of_hubs(void)
{
  static const char text[] =
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
      "<integrator name=\"x\" count=\"%u\" in=\"h[%u] - c[1]\" x0=\"i\"/>"
      "<sum name=\"h\" count=\"%u\" before=\"x[1]\" in=\"h[i-1], x[40*(i-1)+1..40*i]\"/>"
      "<gain name=\"c\" count=\"%u\" in=\"h[i]\" k=\"2\"/>"
      "<integrator name=\"z\" count=\"%u\" in=\"c[i]\"/><experiment stop=\"1\"/></hydevs>";
  g_autofree char *few = g_strdup_printf(text, 120, 3, 3, 3, 3);
  Case c = open_text(few, NULL, NULL);
  TEST_ASSERT_TRUE(hy_sim_run(c.sim, 0, NULL));
  TEST_ASSERT_EQUAL_DOUBLE(2 - 2 * 2, hy_room_local(c.room, 0, 0)->a); /* x[1] comes twice */
  TEST_ASSERT_EQUAL_DOUBLE(1 - 2, hy_room_local(c.room, 1, 0)->a);
  TEST_ASSERT_EQUAL_DOUBLE(1, hy_room_local(c.room, 100, 0)->a);
  case_close(&c);
  g_autofree char *many = g_strdup_printf(text, 800, 20, 20, 20, 20);
  c = open_text(many, NULL, NULL);
  TEST_ASSERT_EQUAL(HY_NO_ROW, hy_room_state(c.room, 0)->row);
  TEST_ASSERT_NOT_EQUAL(HY_NO_ROW, hy_room_state(c.room, 800)->row);
  TEST_ASSERT_EQUAL(HY_NO_ROW, hy_room_state(c.room, 819)->row);
  case_close(&c);
}

/* x[i]' = 3 m - i x[i], m the mean of N states, so that J has 3/N everywhere and -i on the
 * diagonal; y' = m x[1] - y with x[1] = 1 and m = (N + 1) / 2: a partial by the product rule. */
static void test_the_jacobian_has_what_passes_a_hub(void)
{
  enum { N = 40, ALL = N + 1 };
  Case c = open_text("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
                     "<sum name=\"t\" in=\"x[*]\"/><gain name=\"m\" in=\"t\" k=\"1/40\"/>"
                     "<integrator name=\"x\" count=\"40\" in=\"3*m - i*x[i]\" x0=\"i\"/>"
                     "<integrator name=\"y\" in=\"m*x[1] - y\"/><experiment stop=\"1\"/></hydevs>",
                     NULL, NULL);
  TEST_ASSERT_TRUE(hy_sim_run(c.sim, 0, NULL));
  double a[ALL * ALL];
  TEST_ASSERT_EQUAL_UINT(ALL, hy_room_jacobian(c.room, 0, a));
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3.0 / N - (i == j ? i + 1 : 0), a[i * ALL + j]);
    }
    TEST_ASSERT_EQUAL_DOUBLE(0, a[i * ALL + N]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0 / N + (i == 0 ? (N + 1) / 2.0 : 0), a[N * ALL + i]);
  }
  TEST_ASSERT_EQUAL_DOUBLE(-1, a[N * ALL + N]);
  case_close(&c);
}

/* What comes from outside the system is in no row, so that nobody knows whether it jumps: neither
 * that state nor one that reads it is smooth; one that reads only itself is. */
static void test_a_state_without_a_row_is_not_smooth(void)
{
  Case c = open_text("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><in name=\"u\" kind=\"signal\"/>"
                     "<integrator name=\"fed\" in=\"u\"/><integrator name=\"reader\" in=\"fed\"/>"
                     "<integrator name=\"own\" in=\"-own\"/><experiment stop=\"1\"/></hydevs>",
                     NULL, NULL);
  HyPart part[3];
  TEST_ASSERT_EQUAL_UINT(3, c.room->states->len);
  hy_room_partition(c.room, part);
  TEST_ASSERT_EQUAL(HY_PART_NO_ROW, part[0].why);
  TEST_ASSERT_EQUAL(HY_PART_READER, part[1].why);
  TEST_ASSERT_EQUAL_UINT(hy_room_state(c.room, 0)->atomic, part[1].by);
  TEST_ASSERT_EQUAL(HY_PART_SMOOTH, part[2].why);
  case_close(&c);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_repeated_diagram_has_as_many_forms_as_sections);
  RUN_TEST(test_other_parameters_are_no_other_forms);
  RUN_TEST(test_order_and_names_are_no_part_of_a_form);
  RUN_TEST(test_a_row_is_what_arrives_at_the_integrator);
  RUN_TEST(test_coefficients_do_not_depend_on_the_way_to_a_configuration);
  RUN_TEST(test_a_chain_of_a_hundred_thousand_gains);
  RUN_TEST(test_a_wide_row_has_all_its_partials);
  RUN_TEST(test_partials_go_through_what_many_rows_read);
  RUN_TEST(test_hubs_of_hubs);
  RUN_TEST(test_the_jacobian_has_what_passes_a_hub);
  RUN_TEST(test_a_state_without_a_row_is_not_smooth);
  return UNITY_END();
}
