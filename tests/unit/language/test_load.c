/* The 21 models of the language's design load and expand to what their authors mean. */
#include "base/hint.h"
#include "coupled/model_internal.h"
#include "hydevs/hydevs.h"
#include "hydevs/load.h"
#include <math.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static const char *const library[] = {HY_SOURCE_DIR "/library", NULL};

static HyLoaded *load_with(const char *file, HyLoadOptions options)
{
  g_autoptr(HyReport) report = hy_report_new();
  options.library = library;
  HyLoaded *loaded = hy_load_file(file, &options, report);
  g_autofree char *text = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING_MESSAGE("", text, file);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, file);
  return loaded;
}

static HyLoaded *load(const char *file)
{
  return load_with(file, (HyLoadOptions){0});
}

static guint64 atomics(const HyLoaded *loaded)
{
  HyCounts counts;
  hy_model_count(hy_loaded_model(loaded), &counts);
  return counts.atomics;
}

/* xml.md, section 13. boost-pi: 12 with the library's pi as one block, which is four. */
static void test_examples_have_their_block_counts(void)
{
  static const struct {
    const char *file;
    guint64 atomics;
  } table[] = {
      {"oscillator.xml", 3},      {"oscillator-drawn.xml", 3}, {"bouncing-ball.xml", 3},
      {"queue.xml", 3},           {"queue-wired.xml", 3},      {"nested.xml", 4},
      {"simultaneous.xml", 4},    {"tandem.xml", 7},           {"buck.xml", 8},
      {"buck-ls.xml", 10},        {"cuk-interleaved.xml", 42}, {"heat-sink.xml", 200},
      {"adr.xml", 2000},          {"plate.xml", 1220},         {"voter.xml", 8},
      {"buck-heatsink.xml", 210}, {"boost-pi.xml", 11 + 4},    {"tyson.xml", 1300},
      {"converters.xml", 0},      {"charger.xml", 4},          {"devstone-hi.xml", 17 + 1}};
  TEST_ASSERT_EQUAL_UINT(21, G_N_ELEMENTS(table));
  for (guint k = 0; k < G_N_ELEMENTS(table); k++) {
    g_autoptr(HyLoaded) loaded = load(table[k].file);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(table[k].atomics, atomics(loaded), table[k].file);
  }
}

static void test_cuk_with_32_stages(void)
{
  const char *const set[] = {"N=32", NULL};
  g_autoptr(HyLoaded) loaded = load_with("cuk-interleaved.xml", (HyLoadOptions){.set = set});
  TEST_ASSERT_EQUAL_UINT64(322, atomics(loaded));
}

/* devstone.md, section 3: the seeder and its wire are not counted there. */
static void check_devstone(guint w, guint d)
{
  g_autofree char *width = g_strdup_printf("width=%u", w), *depth = g_strdup_printf("depth=%u", d);
  const char *const set[] = {width, depth, NULL};
  g_autoptr(HyLoaded) loaded = load_with("devstone-hi.xml", (HyLoadOptions){.set = set});
  HyCounts n;
  hy_model_count(hy_loaded_model(loaded), &n);
  TEST_ASSERT_EQUAL_UINT64((guint64)(w - 1) * (d - 1) + 1 + 1, n.atomics);
  TEST_ASSERT_EQUAL_UINT64(d + 1, n.coupled); /* and the root */
  TEST_ASSERT_EQUAL_UINT64((guint64)w * (d - 1) + 1, n.eic);
  TEST_ASSERT_EQUAL_UINT64((guint64)(w > 2 ? w - 2 : 0) * (d - 1) + 1, n.ic);
  TEST_ASSERT_EQUAL_UINT64(d, n.eoc);
}

static void test_devstone_has_the_closed_form(void)
{
  static const guint sizes[][2] = {{1, 1}, {2, 2},   {3, 3}, {4, 3}, {3, 4},
                                   {5, 5}, {50, 20}, {1, 7}, {7, 1}};
  for (guint k = 0; k < G_N_ELEMENTS(sizes); k++) {
    check_devstone(sizes[k][0], sizes[k][1]);
  }
}

/* Structure ------------------------------------------------------------------------------------ */

static char *names(const HyModel *m)
{
  GString *all = g_string_new(NULL);
  for (guint k = 0; k < hy_model_n(m); k++) {
    g_string_append_printf(all, "%s%s", k > 0 ? " " : "", hy_model_component_name(m, k));
  }
  return g_string_free(all, FALSE);
}

/* All couplings of a checked level, source after source. */
static char *wires(const HyModel *m)
{
  GString *all = g_string_new(NULL);
  for (guint c = 0; c <= hy_model_n(m); c++) {
    guint from = c == 0 ? HY_SELF : c - 1;
    guint n = c == 0 ? hy_model_n_in(m, HY_SELF) : hy_model_n_out(m, from);
    for (guint p = 0; p < n; p++) {
      guint slot = hy_slot(m, from, p);
      for (guint k = m->start[slot]; k < m->start[slot + 1]; k++) {
        const HyTarget *t = &m->targets[k];
        g_autofree char *out =
            c == 0 ? hy_model_in_name(m, HY_SELF, p) : hy_model_out_name(m, from, p);
        g_autofree char *in = t->to == HY_SELF ? hy_model_out_name(m, HY_SELF, t->to_port)
                                               : hy_model_in_name(m, t->to, t->to_port);
        g_string_append_printf(all, "%s.%s>%s.%s ", c == 0 ? "" : hy_model_component_name(m, from),
                               out, t->to == HY_SELF ? "" : hy_model_component_name(m, t->to), in);
      }
    }
  }
  return g_string_free(all, FALSE);
}

static void assert_level(const HyModel *m, const char *components, const char *couplings)
{
  g_autofree char *n = names(m), *w = wires(m);
  TEST_ASSERT_EQUAL_STRING(components, n);
  TEST_ASSERT_EQUAL_STRING(couplings, w);
}

static void test_sources_and_wires_mean_the_same(void)
{
  g_autoptr(HyLoaded) a = load("queue.xml"), b = load("queue-wired.xml");
  const char *lines = "G.out>Q.in G.out>T.arr Q.out>T.dep ";
  assert_level(hy_loaded_model(a), "G Q T", lines);
  assert_level(hy_loaded_model(b), "G Q T", lines);
}

static void test_nested_models_are_wired_through_their_ports(void)
{
  g_autoptr(HyLoaded) loaded = load("nested.xml");
  HyModel *root = hy_loaded_model(loaded), *c = hy_model_coupled(root, 1),
          *d = hy_model_coupled(c, 1);
  assert_level(root, "G C K", "G.out>C.in C.out>K.in ");
  assert_level(c, "P D", ".in>P.in P.out>D.in D.out>.out ");
  assert_level(d, "Q", ".in>Q.in Q.out>.out ");
}

static void test_hidden_functions_stand_before_their_block(void)
{
  g_autoptr(HyLoaded) loaded = load("buck.xml");
  HyModel *m = hy_loaded_model(loaded);
  assert_level(
      m, "gate Rs Rd iD iL:in iL uC:in uC",
      "gate.out>Rs.control Rs.out>iD.in[1] Rd.out>iD.in[3] Rd.out>iL:in.in[1] iD.out>Rd.i "
      "iD.out>iL:in.in[2] "
      "iL:in.out>iL.in iL.out>iD.in[2] iL.out>uC:in.in[1] uC:in.out>uC.in uC.out>iL:in.in[3] "
      "uC.out>uC:in.in[2] ");
  HyBlockInfo info;
  hy_loaded_block(loaded, m, 4, &info);
  TEST_ASSERT_EQUAL_STRING("(-Rd*iD - uC)/L", info.formula);
  TEST_ASSERT_EQUAL_UINT(16, info.line);
}

static void test_chains_end_at_before_and_after(void)
{
  g_autoptr(HyLoaded) loaded = load("tandem.xml");
  assert_level(hy_loaded_model(loaded), "gen q[1] q[2] q[3] q[4] q[5] done",
               "gen.out>q[1].in q[1].out>q[2].in q[2].out>q[3].in q[3].out>q[4].in "
               "q[4].out>q[5].in q[5].out>done.in ");
}

static void test_port_arrays(void)
{
  g_autoptr(HyLoaded) loaded = load("voter.xml");
  HyModel *m = hy_loaded_model(loaded);
  g_autofree char *n = names(m);
  TEST_ASSERT_EQUAL_STRING("sensor[1] sensor[2] sensor[3] average high[1] high[2] high[3] alarm",
                           n);
  TEST_ASSERT_EQUAL_UINT(3, hy_model_n_in(m, 3));
  TEST_ASSERT_EQUAL_UINT(3, hy_model_n_in(m, 7));
}

static void test_constants_reach_the_inputs_inside(void)
{
  g_autoptr(HyLoaded) loaded = load("boost-pi.xml");
  HyModel *m = hy_loaded_model(loaded), *boost = hy_model_coupled(m, hy_model_find(m, "boost"));
  guint function = hy_model_find(boost, "iL:in"), found = 0;
  for (guint k = 0; boost->constants != NULL && k < boost->constants->len; k++) {
    const HyConstantInput *c = &g_array_index(boost->constants, HyConstantInput, k);
    if (c->component == function) { /* u="12" */
      TEST_ASSERT_EQUAL_DOUBLE(12, c->value.c[0]);
      found++;
    }
  }
  TEST_ASSERT_EQUAL_UINT(1, found);
}

/* Experiments ---------------------------------------------------------------------------------- */

static void test_the_first_experiment_is_the_default(void)
{
  g_autoptr(HyLoaded) loaded = load("cuk-interleaved.xml");
  const HyExperiment *x = hy_loaded_experiment(loaded);
  TEST_ASSERT_EQUAL_DOUBLE(0.02, x->stop);
  TEST_ASSERT_EQUAL_UINT(2, x->n_records);
  TEST_ASSERT_EQUAL_STRING("uC2", x->records[0].path);
  TEST_ASSERT_EQUAL_STRING("stage[*]/iL1", x->records[1].path);
  const char *const *all = hy_loaded_experiments(loaded);
  TEST_ASSERT_EQUAL_UINT(3, g_strv_length(hy_key(all)));
  TEST_ASSERT_EQUAL_STRING("stage2_heavy", all[2]);
}

static void test_priority_of_an_experiment_changes_the_order(void)
{
  g_autoptr(HyLoaded) a = load_with("simultaneous.xml", (HyLoadOptions){.experiment = "E4a"});
  g_autoptr(HyLoaded) b = load_with("simultaneous.xml", (HyLoadOptions){.experiment = "E4b"});
  TEST_ASSERT_NULL(hy_loaded_model(a)->order);
  static const guint order[] = {2, 0, 1, 3}; /* C A B K */
  TEST_ASSERT_NOT_NULL(hy_loaded_model(b)->order);
  TEST_ASSERT_EQUAL_UINT_ARRAY(order, hy_loaded_model(b)->order, 4);
  TEST_ASSERT_EQUAL_DOUBLE(100, hy_loaded_experiment(b)->stop);
  TEST_ASSERT_EQUAL_STRING("tree", hy_loaded_experiment(b)->engine);
}

static void test_methods_are_inherited_and_make_groups(void)
{
  g_autoptr(HyLoaded) loaded = load("buck-heatsink.xml");
  HyModel *m = hy_loaded_model(loaded), *buck = hy_model_coupled(m, hy_model_find(m, "buck"));
  HyModel *sink = hy_model_coupled(m, hy_model_find(m, "sink"));
  HyBlockInfo a, b, c;
  hy_loaded_block(loaded, buck, hy_model_find(buck, "iL"), &a);
  hy_loaded_block(loaded, sink, hy_model_find(sink, "u[1]"), &b);
  hy_loaded_block(loaded, sink, hy_model_find(sink, "u[100]"), &c);
  TEST_ASSERT_EQUAL_STRING("liqss2", a.method);
  TEST_ASSERT_EQUAL_STRING("cvode_bdf", b.method);
  TEST_ASSERT_EQUAL_UINT(b.group, c.group);
  TEST_ASSERT_NOT_EQUAL(a.group, b.group);
  TEST_ASSERT_EQUAL_DOUBLE(1e-3, b.reltol);
  TEST_ASSERT_EQUAL_DOUBLE(1e-3, a.dqmin);
  TEST_ASSERT_TRUE(isnan(a.hstep));
}

static void test_a_set_meets_a_range_of_copies(void)
{
  g_autoptr(HyLoaded) loaded = load_with("adr.xml", (HyLoadOptions){.experiment = "mixed"});
  HyModel *m = hy_loaded_model(loaded);
  HyBlockInfo a, b, c;
  hy_loaded_block(loaded, m, hy_model_find(m, "u[499]"), &a);
  hy_loaded_block(loaded, m, hy_model_find(m, "u[500]"), &b);
  hy_loaded_block(loaded, m, hy_model_find(m, "u[1000]"), &c);
  TEST_ASSERT_EQUAL_STRING("liqss2", a.method);
  TEST_ASSERT_EQUAL_STRING("cvode_bdf", b.method);
  TEST_ASSERT_EQUAL_UINT(b.group, c.group);
}

/* What was wrong with one file is not wrong with the next. */
static void test_a_report_takes_several_loads(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  HyLoadOptions options = {.library = library};
  TEST_ASSERT_NULL(hy_load_file("nowhere.xml", &options, report));
  g_autoptr(HyLoaded) loaded = hy_load_file("oscillator.xml", &options, report);
  TEST_ASSERT_NOT_NULL(loaded);
  TEST_ASSERT_EQUAL_UINT(1, hy_report_errors(report));
}

static void test_tolerances_of_the_caller_are_looked_at(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  HyLoadOptions options = {
      .library = library, .tol = -1, .dqrel = INFINITY, .dqmin = NAN, .hstep = -0.5};
  TEST_ASSERT_NULL(hy_load_file("oscillator.xml", &options, report));
  g_autofree char *text = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING("--tol: -1 must be a number above 0 (0: as the file says)\n"
                           "--dqrel: inf must be a number above 0 (0: as the file says)\n"
                           "--dqmin: nan must be a number above 0 (0: as the file says)\n"
                           "--hstep: -0.5 must be a number above 0 (0: as the file says)\n",
                           text);
}

/* What the constant c, the only block of a model, is about to say. */
static double says(const char *inside, const char *const *set)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s</hydevs>", inside);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){.set = set}, report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, inside);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
  return hy_sim_class(sim, 0)->lambda(hy_sim_state(sim, 0), 0).value.c[0];
}

static void test_true_and_false_are_numbers(void)
{
  static const char model[] = "<param name=\"on\" kind=\"boolean\" value=\"%s\"/>"
                              "<constant name=\"c\" value=\"if(on, 5, 3)\"/>";
  static const struct {
    const char *word;
    double wanted;
  } cases[] = {{"true", 5}, {"false", 3}, {"1", 5}, {"0", 3}};
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    g_autofree char *text = g_strdup_printf(model, cases[k].word);
    TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(cases[k].wanted, says(text, NULL), cases[k].word);
  }
}

/* {...} in a text: a text parameter as it is, a formula as a number, the index of the copy. */
static void test_texts_have_values(void)
{
  static const char model[] =
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><param name=\"N\" value=\"3\"/>"
      "<param name=\"who\" kind=\"text\" value=\"pump\"/><integrator name=\"x\" in=\"1\"/>"
      "<stop name=\"s\" count=\"2\" in=\"x\" level=\"2 - i/N\" message=\"{who} {i} of {2 * N}\"/>"
      "</hydevs>";
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      hy_load_memory(model, strlen(model), "m.xml", &(HyLoadOptions){0}, report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_run(sim, 9, NULL));
  TEST_ASSERT_NOT_NULL(hy_sim_finished(sim));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(hy_sim_finished(sim), "s[2]: pump 2 of 6 at t = 1.33333"),
                               hy_sim_finished(sim));
}

/* Default < set of the experiment < --set, and of several options the last. */
static void test_the_last_set_of_a_parameter_wins(void)
{
  static const char model[] = "<param name=\"k\" value=\"1\"/><constant name=\"c\" value=\"k\"/>"
                              "<experiment><set k=\"2\"/></experiment>";
  TEST_ASSERT_EQUAL_DOUBLE(2, says(model, NULL));
  TEST_ASSERT_EQUAL_DOUBLE(3, says(model, (const char *const[]){"k=3", NULL}));
  TEST_ASSERT_EQUAL_DOUBLE(4, says(model, (const char *const[]){"k=3", "k=4", NULL}));
}

/* Options are read like sets of the experiment, and their mistakes name them. */
static void test_set_options(void)
{
  const char *const good[] = {"stage[2].L1=120u", "N=8", NULL};
  g_autoptr(HyLoaded) loaded = load_with("cuk-interleaved.xml", (HyLoadOptions){.set = good});
  TEST_ASSERT_EQUAL_UINT64(82, atomics(loaded));
  const char *const bad[] = {"stage[9].L1=120u", "M=8", "duty=3", NULL};
  g_autoptr(HyReport) report = hy_report_new();
  TEST_ASSERT_NULL(hy_load_file("cuk-interleaved.xml", &(HyLoadOptions){.set = bad}, report));
  g_autofree char *text = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING("--set duty=3: duty: duty = 3 is above its maximum 1 (line 6)\n"
                           "--set stage[9].L1=120u: no block matches \"stage[9]\"; stage has 1..4\n"
                           "--set M=8: the model has no parameter \"M\"; did you mean \"N\"?\n",
                           text);
}

static const char weights[] = "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n"
                              "  <param name=\"w\" value=\"1, 2, 3\" max=\"9\"/>\n"
                              "  <param name=\"k\" value=\"0\"/>\n"
                              "  <constant name=\"c\" count=\"3\" value=\"w[i] + k\"/>\n"
                              "</hydevs>\n";

/* NULL: REPORT has errors. */
static HyLoaded *load_weights(const char *const *set, HyReport *report)
{
  return hy_load_memory(weights, strlen(weights), "m.xml", &(HyLoadOptions){.set = set}, report);
}

static void test_set_options_reach_elements_of_an_array(void)
{
  static const char *const sets[][3] = {{"w[2]=5"}, {"w[2..3]=7", "w[3]=1"}, {"w[*]=k", "k=4"}};
  static const double wanted[][3] = {{1, 5, 3}, {1, 7, 1}, {8, 8, 8}};
  for (guint i = 0; i < G_N_ELEMENTS(sets); i++) {
    const char *const set[] = {sets[i][0], sets[i][1], NULL};
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded = load_weights(set, report);
    TEST_ASSERT_NOT_NULL_MESSAGE(loaded, sets[i][0]);
    g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL) && hy_sim_n(sim) == 3);
    for (guint k = 0; k < 3; k++) { /* what it is about to say */
      HyEvent y = hy_sim_class(sim, k)->lambda(hy_sim_state(sim, k), 0);
      TEST_ASSERT_EQUAL_DOUBLE_MESSAGE(wanted[i][k], y.value.c[0], sets[i][0]);
    }
  }
  static const char *const bad[][2] = {
      {"w[4]=5", "--set w[4]=5: w has 3 elements, from w[1] on\n"},
      {"k[1]=5", "--set k[1]=5: k is no array: --set k=VALUE\n"},
      {"c[1]=5", "--set c[1]=5: say which parameter: c[1].NAME=VALUE\n"},
      {"c[1].value[1]=5", "--set c[1].value[1]=5: value takes no index here\n"},
      {"w[1]=10", "--set w[1]=10: w = 10 is above its maximum 9 (line 2)\n"}};
  for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
    g_autoptr(HyReport) report = hy_report_new();
    TEST_ASSERT_NULL(load_weights((const char *const[]){bad[i][0], NULL}, report));
    g_autofree char *text = hy_report_text(report);
    TEST_ASSERT_EQUAL_STRING(bad[i][1], text);
  }
}

/* The inputs of a formula are called as its author wrote them, copies alike. */
static void test_a_fault_names_what_was_written(void)
{
  static const char *const cases[][2] = {
      {"<integrator name=\"u\" count=\"2\" before=\"x\" in=\"x/(u[i-1] - u[i-1])\"/>",
       "u[1]:in: division by zero: x / (u[i-1] - u[i-1]) = 1 / 0 at t = 0"},
      {"<integrator name=\"u\" count=\"2\" before=\"3*c\" in=\"log(-u[i]^2 - x)\"/>",
       "u[1]:in: log(-u[i]^2 - x) = log(-1) is not a number at t = 0"},
      {"<function name=\"p\" formula=\"w/(v - v)\" w=\"x\" v=\"c.out\"/>",
       "p: division by zero: w / (v - v) = 1 / 0 at t = 0"},
      {"<gain name=\"g\" k=\"1\" in=\"1/(c.out - 2)\"/>",
       "g:in: division by zero: 1 / (c.out - 2) = 1 / 0 at t = 0"}};
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *text =
        g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">"
                        "<integrator name=\"x\" in=\"-1\" x0=\"1\"/>"
                        "<step name=\"c\" from=\"2\" to=\"3\" at=\"1\"/>%s</hydevs>",
                        cases[i][0]);
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(HyLoaded) loaded =
        hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){.library = library}, report);
    TEST_ASSERT_NOT_NULL_MESSAGE(loaded, cases[i][0]);
    g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, NULL);
    gboolean ran = hy_sim_init(sim, 0, &error) && hy_sim_run(sim, 2, &error);
    TEST_ASSERT_FALSE_MESSAGE(ran, cases[i][0]);
    TEST_ASSERT_EQUAL_STRING(cases[i][1], error->message);
  }
}

static void test_every_experiment_of_the_examples_loads(void)
{
  static const char *const files[] = {"adr.xml", "buck-heatsink.xml", "cuk-interleaved.xml",
                                      "simultaneous.xml"};
  for (guint k = 0; k < G_N_ELEMENTS(files); k++) {
    g_autoptr(HyLoaded) first = load(files[k]);
    for (const char *const *e = hy_loaded_experiments(first); *e != NULL; e++) {
      if (**e != '\0') {
        hy_loaded_free(load_with(files[k], (HyLoadOptions){.experiment = *e}));
      }
    }
  }
}

static void test_paths_find_ports(void)
{
  static const struct {
    const char *file, *path, *first;
    guint n;
  } table[] = {{"cuk-interleaved.xml", "stage[*]/iL1", "stage[1]/iL1", 4},
               {"cuk-interleaved.xml", "stage[2..3]/iL*", "stage[2]/iL1", 4},
               {"cuk-interleaved.xml", "**/Rs", "stage[1]/Rs", 4},
               {"cuk-interleaved.xml", "stage[3].i", "stage[3].i", 1},
               {"queue.xml", "T.*", "T.arr", 2},
               {"buck.xml", "iL:in", "iL:in", 1},
               {"buck.xml", "iL.x", "iL.x", 1},
               {"plate.xml", "T[2,*]", "T[2,1]", 30}};
  for (guint k = 0; k < G_N_ELEMENTS(table); k++) {
    g_autoptr(HyLoaded) loaded = load(table[k].file);
    g_autoptr(GError) error = NULL;
    GArray *found = hy_loaded_match(loaded, table[k].path, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(found, table[k].path);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(table[k].n, found->len, table[k].path);
    TEST_ASSERT_EQUAL_STRING(table[k].first, g_array_index(found, HySignalAt, 0).path);
    g_array_unref(found);
  }
}

/* `tol` is reltol and abstol of whoever states none nearer, and no quantum; where it is the quantum
 * too, whoever states a quantum nearer keeps that as his tolerance. */
static void test_tol_is_the_tolerance_of_the_experiment(void)
{
  static const char model[] =
      "<hydevs xmlns='urn:hydevs:1' name='m'><integrator name='a' in='1' method='cvode_bdf'/>"
      "<integrator name='b' in='1' reltol='1e-4'/><integrator name='c' in='1' dqrel='1e-5'/>"
      "<experiment stop='1'/></hydevs>";
  static const struct {
    double tol, dqrel, reltol[3];
  } table[] = {{0, 0, {1e-3, 1e-4, 1e-5}},
               {1e-7, 0, {1e-7, 1e-4, 1e-7}},
               {1e-7, 1e-7, {1e-7, 1e-4, 1e-5}},
               {1e-7, 1e-6, {1e-7, 1e-4, 1e-7}}};
  for (guint k = 0; k < G_N_ELEMENTS(table); k++) {
    g_autoptr(HyReport) report = hy_report_new();
    const HyLoadOptions options = {.tol = table[k].tol, .dqrel = table[k].dqrel};
    g_autoptr(HyLoaded) loaded = hy_load_memory(model, strlen(model), "m.xml", &options, report);
    g_autofree char *said = hy_report_text(report);
    TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
    const HyModel *root = hy_loaded_model(loaded);
    for (guint n = 0; n < 3; n++) {
      HyBlockInfo info;
      hy_loaded_block(loaded, root, hy_model_find(root, (const char *[]){"a", "b", "c"}[n]), &info);
      TEST_ASSERT_EQUAL_DOUBLE(table[k].reltol[n], info.reltol);
    }
  }
}

int main(void)
{
  if (chdir(HY_SOURCE_DIR "/tests/models") != 0) {
    return 1;
  }
  UNITY_BEGIN();
  RUN_TEST(test_examples_have_their_block_counts);
  RUN_TEST(test_cuk_with_32_stages);
  RUN_TEST(test_devstone_has_the_closed_form);
  RUN_TEST(test_sources_and_wires_mean_the_same);
  RUN_TEST(test_nested_models_are_wired_through_their_ports);
  RUN_TEST(test_hidden_functions_stand_before_their_block);
  RUN_TEST(test_chains_end_at_before_and_after);
  RUN_TEST(test_port_arrays);
  RUN_TEST(test_constants_reach_the_inputs_inside);
  RUN_TEST(test_the_first_experiment_is_the_default);
  RUN_TEST(test_priority_of_an_experiment_changes_the_order);
  RUN_TEST(test_methods_are_inherited_and_make_groups);
  RUN_TEST(test_a_set_meets_a_range_of_copies);
  RUN_TEST(test_a_report_takes_several_loads);
  RUN_TEST(test_tolerances_of_the_caller_are_looked_at);
  RUN_TEST(test_tol_is_the_tolerance_of_the_experiment);
  RUN_TEST(test_true_and_false_are_numbers);
  RUN_TEST(test_texts_have_values);
  RUN_TEST(test_the_last_set_of_a_parameter_wins);
  RUN_TEST(test_set_options);
  RUN_TEST(test_set_options_reach_elements_of_an_array);
  RUN_TEST(test_a_fault_names_what_was_written);
  RUN_TEST(test_every_experiment_of_the_examples_loads);
  RUN_TEST(test_paths_find_ports);
  return UNITY_END();
}
