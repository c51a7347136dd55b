/* The command: what it answers to wrong words, where its output goes, what is left after a failure.
 */
#include "command.h"

#include <math.h>

static char *dir; /* a folder of its own for each test */

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
}

void tearDown(void)
{
  remove_folder(dir);
  g_clear_pointer(&dir, g_free);
}

static char *in_dir(const char *name)
{
  return g_build_filename(dir, name, NULL);
}

/* A model of this text in the folder; newly allocated path. */
static char *model(const char *text)
{
  char *file = in_dir("model.xml");
  g_autofree char *whole =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s</hydevs>\n", text);
  TEST_ASSERT_TRUE(g_file_set_contents(file, whole, -1, NULL));
  return file;
}

static void expect(int status, const char *message, const char *const *words)
{
  g_autofree char *out = NULL, *err = NULL;
  int got = hydevs(dir, words, &out, &err);
  TEST_ASSERT_EQUAL_STRING_LEN(message, err, strlen(message));
  TEST_ASSERT_EQUAL_INT_MESSAGE(status, got, message);
  TEST_ASSERT_EQUAL_STRING("", out);
}

#define EXPECT(status, message, ...) expect(status, message, (const char *[WORDS]){__VA_ARGS__})

static void test_wrong_words_are_answered_with_status_2(void)
{
  g_autofree char *queue = repository("examples/queue/model.xml"),
                  *tanks = repository("examples/tanks/model.xml");
  EXPECT(2, "hydevs: there is no verb \"trase\"; did you mean \"trace\"?; see hydevs --help\n",
         "trase");
  EXPECT(2,
         "hydevs help: there is no \"chek\"; did you mean \"check\"?; choose a verb, man or "
         "completion\n",
         "help", "chek");
  EXPECT(2, "hydevs run: Unknown option --engin=flat; did you mean \"--engine\"?; see", "run",
         queue, "--engin=flat");
  EXPECT(2, "hydevs list-blocks: there is no block \"buck\"; did you mean \"power.buck\"?; see",
         "list-blocks", "buck");
  EXPECT(2, "hydevs run: which model?; see hydevs run --help\n", "run");
  EXPECT(2, "hydevs run: one model at a time", "run", queue, queue);
  EXPECT(2, "hydevs run: Unknown option --speed", "run", queue, "--speed");
  EXPECT(2, "hydevs run: engine \"fast\": choose auto, tree, flat or fused", "run", queue, "-e",
         "fast");
  EXPECT(2, "hydevs run: --tol = 0 must be above 0", "run", queue, "--tol", "0");
  EXPECT(2, "hydevs run: --dqrel = -1 must be above 0", "run", queue, "--dqrel=-1");
  EXPECT(2, "hydevs run: --seed and --max-events-at-t take whole numbers, 0 or more", "run", queue,
         "--seed=-5");
  EXPECT(2, "hydevs run: --seed=010 is not a whole number", "run", queue, "--seed=010");
  EXPECT(2, "hydevs run: --seed=0x10 is not a whole number", "run", queue, "--seed", "0x10");
  EXPECT(2, "hydevs step: --events=3.5 is not a whole number", "step", queue, "-n3.5");
  EXPECT(2, "hydevs run: --tol = nan must be above 0", "run", queue, "--tol", "nan");
  EXPECT(2, "hydevs run: --dqmin = inf must be finite and above 0", "run", queue, "--dqmin=inf");
  EXPECT(2, "hydevs run: --tol = 1e-300 is below the rounding of numbers, 2.2e-16", "run", queue,
         "--tol", "1e-300");
  EXPECT(2, "hydevs run: --dqrel = 1e-16 is below the rounding of numbers, 2.2e-16", "run", queue,
         "--dqrel", "1e-16");
  EXPECT(
      2,
      "hydevs run: the end, t = inf, never comes, and no block \"stop\" ends the run before; give "
      "a time",
      "run", queue, "-t", "inf");
  EXPECT(2, "hydevs run: --until=nan is not a time", "run", queue, "--until", "nan");
  EXPECT(2, "hydevs run: --until=2 h is not a time", "run", queue, "--until", "2 h");
  EXPECT(2, "hydevs run: --until=-1m is before the start, t = 0", "run", queue, "--until=-1m");
  EXPECT(2, "hydevs: --record nope: nothing matches \"nope\"", "run", queue, "-r", "nope");
  EXPECT(1, "--grid: in \"1x\": an operator is missing between 1 and x\n", "run", queue, "--grid",
         "1x");
  EXPECT(1, "--grid: \"-1\" must be a finite number, 0 or more\n", "run", queue, "--grid=-1");
  EXPECT(2, "hydevs run: --stats=xml: choose text or json", "run", queue, "--stats=xml");
  EXPECT(2, "hydevs run: --progress=much: choose auto, none or json", "run", queue,
         "--progress=much");
  EXPECT(2, "hydevs list-blocks: there is no block \"sever\"; did you mean \"server\"?",
         "list-blocks", "sever");
  EXPECT(2, "hydevs devstone: --model \"XX\": choose one of LI, HI, HO, HOmod", "devstone",
         "--model", "XX");
  EXPECT(2, "hydevs devstone: --width and --depth must be 1 or more", "devstone", "--model", "HI",
         "-w", "0", "-d", "3");
  EXPECT(2, "hydevs devstone: this would be 1.8e+10 atomics or couplings; the limit is 2e+07",
         "devstone", "--model", "HI", "-w", "2000000", "-d", "9000");
  EXPECT(2, "hydevs ring: --n must be between 2 and 20000000", "ring", "--n", "1", "--until", "3");
  EXPECT(2, "hydevs ring: --until takes a time, 0 or more", "ring", "--n", "9", "--until=-1");
  EXPECT(2, "hydevs ring: --until=soon is not a time", "ring", "--n", "9", "--until", "soon");
  EXPECT(2, "hydevs trace: --to=4 s is not a time", "trace", queue, "--to", "4 s");
  EXPECT(2, "hydevs step: --engine is an option of other verbs; here it would do nothing", "step",
         queue, "--engine=flat");
  EXPECT(2, "hydevs bench: --method=,qss2: names with commas between", "bench", tanks, "-m",
         ",qss2");
  EXPECT(2, "hydevs plot: --grid is for a run of a model; queue.csv is a recording", "plot",
         "queue.csv", "-g", "3");
  g_autofree char *level = repository("tests/powerdevs/level.pdm"); /* a model, and no recording */
  g_autofree char *nowhere = g_strdup_printf("%s: there is no experiment \"nosuch\"\n", level);
  EXPECT(1, nowhere, "plot", level, "-x", "nosuch");
  EXPECT(2, "hydevs plot: --from=3 is not before --until=2", "plot", "queue.csv", "-t", "2",
         "--from", "3");
  EXPECT(2, "hydevs ring: engine \"fast\": choose tree or flat", "ring", "--n", "9", "--until", "1",
         "--engine=fast");
}

static void test_a_wrong_model_is_answered_with_status_1(void)
{
  g_autofree char *file = model("  <gian name=\"g\"/>\n  <server name=\"q\" in=\"g\"/>\n");
  g_autofree char *wanted =
      g_strdup_printf("%s:2: g: there is no block type \"gian\"; did you mean \"gain\"?\n", file);
  EXPECT(1, wanted, "run", file);
  EXPECT(1, wanted, "trace", file);
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(1, hydevs(dir, (const char *[WORDS]){"check", file}, &out, &err));
  TEST_ASSERT_TRUE(g_str_has_prefix(out, wanted));
  TEST_ASSERT_EQUAL_STRING("", err);
}

/* What only the blocks themselves can say, and what an experiment asks for in vain. */
static void test_blocks_that_cannot_start_are_told_with_their_lines(void)
{
  g_autofree char *file = model("  <lookup name=\"l\" in=\"x[1]\" x=\"0, 0\" y=\"1, 2\"/>\n"
                                "  <integrator name=\"x\" count=\"3\" in=\"1\" dqmin=\"inf\"/>\n"
                                "  <integrator name=\"z\" in=\"1\" method=\"rk4\"/>\n"
                                "  <experiment stop=\"1\" record=\"x[1] y\"/>\n");
  g_autofree char *blocks = g_strdup_printf("%s:2: l: x[2] = 0 is not above x[1] = 0\n"
                                            "%s:3: x[1]: dqmin = inf must be finite\n"
                                            "%s:4: z: method \"rk4\" needs a step; state hstep "
                                            "beside it, or --hstep\n",
                                            file, file, file);
  g_autofree char *record = g_strdup_printf("%s:5: record: nothing matches \"y\"\n", file);
  g_autofree char *wanted = g_strconcat(blocks, record, NULL), *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(1, hydevs(dir, (const char *[WORDS]){"check", file}, &out, &err));
  TEST_ASSERT_EQUAL_STRING(wanted, out);
  TEST_ASSERT_EQUAL_STRING("", err);
  g_autofree char *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(file, &text, NULL, NULL));
  strstr(text, " y\"/>")[1] = ' '; /* x[1] alone */
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
  EXPECT(1, blocks, "trace", file);
  g_autofree char *again = NULL;
  TEST_ASSERT_EQUAL_INT(1, hydevs(dir, (const char *[WORDS]){"run", file}, NULL, &again));
  TEST_ASSERT_TRUE(g_str_has_suffix(again, blocks));
}

static void test_times_and_tolerances_may_have_suffixes(void)
{
  g_autofree char *queue = repository("examples/queue/model.xml"), *err = NULL;
  const char *const words[WORDS] = {"run", queue, "-t", "4000m", "--dqrel=10u", "--tol", "1m"};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, NULL, &err));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, "to t = 4 on flat"), err);
  g_autofree char *plain = NULL, *suffixed = NULL, *plain_step = NULL, *suffixed_step = NULL;
  hydevs(dir, (const char *[WORDS]){"trace", queue, "--from=4", "--to=5"}, &plain, NULL);
  hydevs(dir, (const char *[WORDS]){"trace", queue, "--from=4000m", "--to=5000m"}, &suffixed, NULL);
  TEST_ASSERT_NOT_NULL(strstr(plain, "t=5"));
  TEST_ASSERT_EQUAL_STRING(plain, suffixed);
  hydevs(dir, (const char *[WORDS]){"step", queue, "--from=4"}, &plain_step, NULL);
  hydevs(dir, (const char *[WORDS]){"step", queue, "--from=4000m"}, &suffixed_step, NULL);
  TEST_ASSERT_NOT_NULL(strstr(plain_step, "1  t=4"));
  TEST_ASSERT_EQUAL_STRING(plain_step, suffixed_step);
  g_autofree char *ring = NULL;
  hydevs(dir, (const char *[WORDS]){"ring", "--n=10", "-t", "2.0000371k", "--json"}, &ring, NULL);
  TEST_ASSERT_NOT_NULL(strstr(ring, "\"n_int\":22768"));
}

/* Nothing is computed that is not asked for: behind --to this run fails. */
static void test_a_trace_ends_where_it_is_to_end(void)
{
  g_autofree char *file = model("<step name=\"g\" from=\"1\" to=\"0\" at=\"0.5\"/>\n"
                                "<function name=\"f\" formula=\"1/g\"/>\n"
                                "<experiment stop=\"1\"/>\n"),
                  *early = NULL, *all = NULL;
  const char *const words[WORDS] = {"trace", file, "--to=0.1"};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &early, NULL));
  TEST_ASSERT_EQUAL_INT(3, hydevs(dir, (const char *[WORDS]){"trace", file}, &all, NULL));
  TEST_ASSERT_GREATER_THAN_UINT(strlen(early), strlen(all));
  TEST_ASSERT_EQUAL_STRING_LEN(early, all, strlen(early));
}

/* A verb offers what it obeys: a page of help with --grid is one of a verb that records. */
static void test_help_names_only_what_the_verb_obeys(void)
{
  static const struct {
    const char *verb, *option;
    gboolean has;
  } pages[] = {{"run", "--grid", TRUE},       {"plot", "--grid", TRUE},
               {"trace", "--grid", FALSE},    {"trace", "--engine", FALSE},
               {"step", "--engine", FALSE},   {"step", "--progress", FALSE},
               {"step", "--until", TRUE},     {"equations", "--until", FALSE},
               {"equations", "--tol", FALSE}, {"equations", "--method", TRUE},
               {"modes", "--until", FALSE},   {"modes", "--record", FALSE},
               {"modes", "--jacobian", TRUE}, {"bench", "--record", FALSE}};
  for (guint k = 0; k < G_N_ELEMENTS(pages); k++) {
    g_autofree char *out = NULL;
    hydevs(dir, (const char *[WORDS]){pages[k].verb, "--help"}, &out, NULL);
    g_autofree char *line = g_strdup_printf(" %s=", pages[k].option);
    TEST_ASSERT_EQUAL_MESSAGE(pages[k].has, strstr(out, line) != NULL, line);
  }
}

/* Each step multiplies by the first terms of e^-h. */
static void test_the_step_of_textbook_methods(void)
{
  g_autofree char *file = model("<integrator name=\"x\" x0=\"1\" in=\"-1*x\"/>"
                                "<experiment stop=\"0.4\" record=\"x\" grid=\"0.4\"/>");
  EXPECT(2, "hydevs run: --hstep = 0 must be above 0", "run", file, "--hstep", "0");
  const char *words[WORDS] = {"run", file, "-m", "rk4", "--hstep", "100m", "-o", "-"};
  g_autofree char *out = NULL;
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &out, NULL));
  const char *last = strstr(out, "\n0.4,");
  TEST_ASSERT_NOT_NULL_MESSAGE(last, out);
  double h = 0.1, factor = 1 - h + h * h / 2 - h * h * h / 6 + h * h * h * h / 24;
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, pow(factor, 4), g_ascii_strtod(last + 5, NULL));
}

static void test_json_messages_of_check(void)
{
  g_autofree char *file = model("  <gian name=\"g\"/>\n"), *out = NULL, *err = NULL;
  g_autofree char *wanted = g_strdup_printf(
      "{\"file\":\"%s\",\"line\":2,\"kind\":\"error\",\"text\":\"g: there is no block type "
      "\\\"gian\\\"; did you mean \\\"gain\\\"?\"}\n",
      file);
  TEST_ASSERT_EQUAL_INT(1, hydevs(dir, (const char *[WORDS]){"check", "--json", file}, &out, &err));
  TEST_ASSERT_EQUAL_STRING(wanted, out);
}

static void test_what_is_recorded_stands_in_a_file_or_on_stdout(void)
{
  static const char wanted[] =
      "time,T.arr,T.dep\n2,1,\n4,2,\n5,2,1\n6,3,1\n8,3,2\n11,3,3\n100,3,3\n";
  g_autofree char *queue = repository("examples/queue/model.xml"), *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){"run", queue, "-o", "-"}, &out, &err));
  TEST_ASSERT_EQUAL_STRING(wanted, out);
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){"run", queue}, NULL, NULL));
  g_autofree char *csv = in_dir("R.csv"), *json = in_dir("R.csv.json");
  g_autofree char *table = contents(csv), *beside = contents(json);
  TEST_ASSERT_EQUAL_STRING(wanted, table);
  TEST_ASSERT_NOT_NULL(strstr(beside, "\"seed\": 0"));
}

static void test_options_come_before_the_experiment(void)
{
  g_autofree char *queue = repository("examples/queue/model.xml"), *out = NULL, *err = NULL;
  const char *words[WORDS] = {"run", queue, "-t",       "7",    "-r",    "Q",
                              "-o",  "-",   "--engine", "tree", "--set", "Q.time=1"};
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, words, &out, &err), err);
  TEST_ASSERT_EQUAL_STRING(
      "time,T.arr,T.dep,Q\n2,1,,\n3,1,1,1\n4,2,1,1\n5,2,2,2\n6,3,2,2\n7,3,3,3\n", out);
  words[2] = "--grid";
  words[3] = "4";
  words[4] = "-t";
  words[5] = "8";
  g_autofree char *grid = NULL, *log = NULL;
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, words, &grid, &log), log);
  TEST_ASSERT_EQUAL_STRING("time,T.arr,T.dep\n0,,\n4,2,1\n8,3,3\n", grid);
}

/* A model with ports of its own runs as it is, and its output is recorded. */
static void test_a_port_of_the_model_itself(void)
{
  g_autofree char *file =
      model("  <in name=\"u\"/>\n  <relay name=\"r\" in=\"u\"/>\n"
            "  <generator name=\"g\" first=\"1\" period=\"1\" values=\"5, 6\"/>\n"
            "  <out name=\"y\" from=\"g\"/>\n  <experiment stop=\"9\" record=\".y\"/>\n");
  g_autofree char *out = NULL, *err = NULL;
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){"run", file, "-o", "-"}, &out, &err));
  TEST_ASSERT_EQUAL_STRING("time,.y\n1,5\n2,6\n9,6\n", out);
}

/* x' = 1 from 0: the state is t at every instant, also where the quantized output stands still. */
static void test_the_state_itself_can_be_recorded(void)
{
  g_autofree char *file = model("  <integrator name=\"x\" in=\"1\"/>\n"
                                "  <experiment stop=\"2\" method=\"qss1\" dqrel=\"1\" dqmin=\"1\""
                                " record=\"x x.x\" grid=\"0.25\"/>\n");
  static const char wanted[] = "time,x,x.x\n0,0,0\n0.25,0,0.25\n0.5,0,0.5\n0.75,0,0.75\n1,1,1\n"
                               "1.25,1,1.25\n1.5,1,1.5\n1.75,1,1.75\n2,2,2\n";
  for (guint k = 0; k < 2; k++) {
    g_autofree char *out = NULL, *err = NULL;
    const char *words[WORDS] = {"run", file, "-o", "-", "--engine", k == 0 ? "tree" : "flat"};
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs(dir, words, &out, &err), err);
    TEST_ASSERT_EQUAL_STRING(wanted, out);
  }
}

static void test_a_run_that_fails_keeps_what_it_recorded(void)
{
  g_autofree char *file =
      model("  <generator name=\"g\" first=\"1\" period=\"1\" values=\"1, 2\"/>\n"
            "  <player name=\"a\" in=\"b g\" delay=\"0\"/>\n"
            "  <player name=\"b\" in=\"a\" delay=\"0\"/>\n"
            "  <experiment stop=\"9\" record=\"g b\" events_at_instant=\"10\"/>\n");
  g_autofree char *out = NULL, *err = NULL, *csv = in_dir("m.csv");
  TEST_ASSERT_EQUAL_INT(4, hydevs(dir, (const char *[WORDS]){"run", file}, &out, &err));
  TEST_ASSERT_NOT_NULL(strstr(err, "illegitimate at t = 1: more than 10 further events at one "
                                   "instant; the last were of b, a"));
  g_autofree char *table = contents(csv);
  TEST_ASSERT_EQUAL_STRING("time,g,b\n1,1,3\n1,1,5\n1,1,7\n1,1,9\n1,1,11\n", table);
}

static void test_a_full_disk_is_said(void)
{
  if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
    TEST_IGNORE_MESSAGE("no /dev/full here");
  }
  g_autofree char *queue = repository("examples/queue/model.xml"), *out = NULL, *err = NULL;
  const char *words[WORDS] = {"run", queue, "-o", "/dev/full"};
  TEST_ASSERT_EQUAL_INT(3, hydevs(dir, words, &out, &err));
  TEST_ASSERT_NOT_NULL(strstr(err, "/dev/full"));
  TEST_ASSERT_NOT_NULL(strstr(err, "No space left on device"));
}

static void test_every_verb_teaches_by_example(void)
{
  static const char *const verbs[] = {
      "run",         "plot",     "check", "trace",  "equations", "step", "bench",   "modes",
      "list-blocks", "devstone", "ring",  "steady", "sweep",     "bode", "diagram", "explain"};
  g_autofree char *manual = NULL, *completion = NULL, *all = NULL;
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){"help", "man"}, &manual, NULL));
  TEST_ASSERT_EQUAL_INT(
      0, hydevs(dir, (const char *[WORDS]){"help", "completion"}, &completion, NULL));
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){"--help"}, &all, NULL));
  for (guint k = 0; k < G_N_ELEMENTS(verbs); k++) {
    g_autofree char *out = NULL, *heading = g_strdup_printf("hydevs %s", verbs[k]);
    g_autofree char *example = g_strdup_printf("Examples:\n  hydevs %s", verbs[k]);
    g_autofree char *words = g_strdup_printf("    %s) words=' --", verbs[k]);
    TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){verbs[k], "--help"}, &out, NULL));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out, example), verbs[k]);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(all, verbs[k]), verbs[k]);
    g_auto(GStrv) parts = g_strsplit(heading, "-", -1); /* roff: a minus is \\- */
    g_autofree char *section = g_strjoinv("\\-", parts);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(manual, section), verbs[k]);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(completion, words), verbs[k]);
  }
}

/* Times, states and next events are those of the hand-made trace of this model. */
static void test_a_step_shows_what_is_said_and_whom_it_reaches(void)
{
  g_autofree char *queue = repository("examples/queue/model.xml"), *out = NULL;
  const char *words[WORDS] = {"step", queue, "--from", "4", "-n", "2"};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, words, &out, NULL));
  TEST_ASSERT_EQUAL_STRING("1  t=4  G\n"
                           "     says  out = 2\n"
                           "     to    Q in = 2  dext e=2; s=[1,2]  ta=1\n"
                           "     to    T arr = 2  dext e=2; s=(arr=2,dep=0)  ta=inf\n"
                           "     then  G  dint; s=(k=2)  ta=2\n"
                           "2  t=5  Q\n"
                           "     says  out = 1\n"
                           "     to    T dep = 1  dext e=1; s=(arr=2,dep=1)  ta=inf\n"
                           "     then  Q  dint; s=[2]  ta=3\n",
                           out);
  g_autofree char *end = NULL;
  const char *all[WORDS] = {"step", queue, "-n", "1000"};
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, all, &end, NULL));
  TEST_ASSERT_NOT_NULL(strstr(end, "\nno further event up to t="));
  EXPECT(2, "hydevs step: --events=-1: 1 or more", "step", queue, "-n", "-1");
}

static void test_a_tolerance_below_what_a_group_reads_is_warned_of(void)
{
  g_autofree char *out = NULL, *err = NULL;
  g_autofree char *file = model("<integrator name=\"q\" in=\"-q\" x0=\"1\" method=\"qss2\"/>\n"
                                "<coupled name=\"c\" method=\"rkf45\" reltol=\"1e-6\">"
                                "<in name=\"u\"/>\n<integrator name=\"x\" in=\"u - x\"/>"
                                "</coupled>\n<wire from=\"q\" to=\"c.u\"/>"
                                "<experiment stop=\"1\"/>");
  const char *warning = ":4: warning: c/x: the tolerance of its rkf45 is 2e-06 where a state is 1, "
                        "far below the quantum 0.001 of q, which it reads: more steps, no smaller "
                        "error\n";
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){"run", file}, &out, &err));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, warning), err);
  g_clear_pointer(&err, g_free);
  g_clear_pointer(&out, g_free);
  TEST_ASSERT_EQUAL_INT(1, hydevs(dir, (const char *[WORDS]){"run", file, "--strict"}, &out, &err));
  g_clear_pointer(&err, g_free);
  g_clear_pointer(&out, g_free);
  TEST_ASSERT_EQUAL_INT(
      0, hydevs(dir, (const char *[WORDS]){"run", file, "-s", "c/x.reltol=1e-3"}, &out, &err));
  TEST_ASSERT_NULL_MESSAGE(strstr(err, "warning"), err);
}

/* Numbers are drawn; the title says what is not. */
static void test_a_picture_says_that_payloads_are_left_out(void)
{
  g_autofree char *program = g_find_program_in_path("gnuplot");
  if (program == NULL) {
    TEST_IGNORE_MESSAGE("gnuplot is not installed: no picture drawn");
  }
  g_autofree char *csv = in_dir("jobs.csv"), *out = NULL, *other = NULL;
  TEST_ASSERT_TRUE(
      g_file_set_contents(csv, "time,g,h\n0,1,0\n1,\"('a', 2)\",1\n2,3,\"'job'\"\n", -1, NULL));
  hydevs(dir, (const char *[WORDS]){"plot", csv, "--term"}, &out, NULL);
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(out, "jobs.csv (without 2 payloads)\n"), out);
  hydevs(dir, (const char *[WORDS]){"plot", csv, "--term", "-c", "g"}, &other, NULL);
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(other, "jobs.csv (without 1 payload)\n"), other);
}

/* Those of the standard library, by their names, and those of a folder, by library and name. */
static void test_types_of_libraries_are_listed(void)
{
  g_autofree char *models = repository("tests/models"), *all = NULL, *pi = NULL, *boost = NULL,
                  *usual = NULL;
  hydevs(dir, (const char *[WORDS]){"list-blocks"}, &usual, NULL);
  TEST_ASSERT_NOT_NULL(strstr(usual, "\n  pi                 kp in + x, x' = ki in"));
  TEST_ASSERT_NULL(strstr(usual, "converters"));
  hydevs(dir, (const char *[WORDS]){"list-blocks", "--names", "-L", models}, &all, NULL);
  TEST_ASSERT_NOT_NULL(strstr(all, "\npid\n"));
  TEST_ASSERT_NOT_NULL(strstr(all, "\nconverters.boost\n"));
  TEST_ASSERT_NULL(strstr(all, "devstone-hi")); /* no name */
  hydevs(dir, (const char *[WORDS]){"list-blocks", "pi"}, &pi, NULL);
  TEST_ASSERT_NOT_NULL(strstr(pi, "  kp             a number; must be set: proportional gain\n"));
  TEST_ASSERT_NOT_NULL(strstr(pi, "\n  <pi name=\"...\" kp=\"...\" ki=\"...\" in=\"...\"/>\n"));
  hydevs(dir, (const char *[WORDS]){"list-blocks", "converters.boost", "-L", models}, &boost, NULL);
  TEST_ASSERT_NOT_NULL(strstr(boost, "  gate           signal: 1: switch on\n"));
  TEST_ASSERT_NOT_NULL(
      strstr(boost, "  C              a number, 0 or more, in F; 470u if not set\n"));
  EXPECT(2,
         "hydevs list-blocks: there is no block \"converters.bost\"; did you mean "
         "\"converters.boost\"?",
         "list-blocks", "converters.bost", "-L", models);
}

/* A circuit is joined by nodes, which are no ports. */
static void test_nodes_of_a_circuit_type_are_shown(void)
{
  g_autofree char *library = repository("library"), *buck = NULL, *coil = NULL;
  hydevs(dir, (const char *[WORDS]){"list-blocks", "power.buck", "-L", library}, &buck, NULL);
  TEST_ASSERT_NOT_NULL(strstr(buck, "\n\nNodes\n  p              input, plus\n"
                                    "  n              minus of input and output\n"
                                    "  out            output, plus\n\nInputs\n"));
  hydevs(dir, (const char *[WORDS]){"list-blocks", "power.coil", "-L", library}, &coil, NULL);
  TEST_ASSERT_TRUE(g_str_has_prefix(coil, "power.coil: a coil with its resistance: L i' = v - R i\n"
                                          "\nNodes\n  a              plus\n"));
  TEST_ASSERT_NOT_NULL(
      strstr(coil, "<block name=\"...\" type=\"power.coil\" a=\"...\" b=\"...\" L=\"...\"/>"));
}

/* One block, and all of them as an array with a line each. */
static void test_blocks_as_json(void)
{
  g_autofree char *one = NULL, *all = NULL;
  TEST_ASSERT_EQUAL_INT(
      0, hydevs(NULL, (const char *[WORDS]){"list-blocks", "gain", "--json"}, &one, NULL));
  TEST_ASSERT_EQUAL_STRING(
      "{\"name\":\"gain\",\"palette\":\"Functions\",\"doc\":\"k in\","
      "\"in\":[{\"name\":\"in\",\"kind\":\"signal\",\"array\":false,\"optional\":false}],"
      "\"out\":[{\"name\":\"out\",\"kind\":\"signal\",\"array\":false,\"optional\":false}],"
      "\"params\":[{\"name\":\"k\",\"values\":\"a number\",\"required\":false,"
      "\"default\":\"1\",\"doc\":\"the factor\"}],"
      "\"example\":\"<gain name=\\\"g\\\" in=\\\"x\\\" k=\\\"-2\\\"/>\"}\n",
      one);
  TEST_ASSERT_EQUAL_INT(0,
                        hydevs(NULL, (const char *[WORDS]){"list-blocks", "--json"}, &all, NULL));
  g_autofree char *line = g_strndup(one, strlen(one) - 1);
  TEST_ASSERT_TRUE(g_str_has_prefix(all, "[\n  {") && g_str_has_suffix(all, "}\n]\n"));
  TEST_ASSERT_NOT_NULL(strstr(all, line));
}

/* The palette of the repository is the one that the class tables make. */
static void test_the_palette_is_up_to_date(void)
{
  g_autofree char *file = repository("library/palette.xml"), *kept = contents(file), *made = NULL;
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){"list-blocks", "--xml"}, &made, NULL));
  TEST_ASSERT_EQUAL_STRING_MESSAGE(made, kept, "hydevs list-blocks --xml > library/palette.xml");
}

/* And so is the page. */
static void test_the_reference_is_up_to_date(void)
{
  g_autofree char *file = repository("docs/library.md"), *kept = contents(file), *made = NULL;
  TEST_ASSERT_EQUAL_INT(
      0, hydevs(dir, (const char *[WORDS]){"list-blocks", "--markdown"}, &made, NULL));
  TEST_ASSERT_EQUAL_STRING_MESSAGE(made, kept, "hydevs list-blocks --markdown > docs/library.md");
}

/* convert writes the file that is named or says why not; a model of ours stays the same text. */
static void test_convert_writes_what_is_named(void)
{
  g_autofree char *model = repository("examples/tanks/model.xml"), *kept = contents(model);
  g_autofree char *level = repository("tests/powerdevs/level.pdm"), *made = NULL, *said = NULL;
  TEST_ASSERT_EQUAL_INT(0, hydevs(dir, (const char *[WORDS]){"convert", model, "-"}, &made, NULL));
  TEST_ASSERT_EQUAL_STRING(kept, made);
  TEST_ASSERT_EQUAL_INT(
      3, hydevs(dir, (const char *[WORDS]){"convert", level, "no/such.xml"}, NULL, &said));
  TEST_ASSERT_EQUAL_STRING("hydevs: no/such.xml: cannot be written: No such file or directory\n",
                           said);
}

/* And the table in the page about PowerDEVS. */
static void test_the_table_of_powerdevs_is_up_to_date(void)
{
  g_autofree char *file = repository("docs/powerdevs.md"), *kept = contents(file), *made = NULL;
  TEST_ASSERT_EQUAL_INT(
      0, hydevs(dir, (const char *[WORDS]){"list-blocks", "--powerdevs"}, &made, NULL));
  TEST_ASSERT_TRUE_MESSAGE(strlen(made) > 1000 && strstr(kept, made) != NULL,
                           "hydevs list-blocks --powerdevs is the table of docs/powerdevs.md");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_wrong_words_are_answered_with_status_2);
  RUN_TEST(test_a_wrong_model_is_answered_with_status_1);
  RUN_TEST(test_blocks_that_cannot_start_are_told_with_their_lines);
  RUN_TEST(test_times_and_tolerances_may_have_suffixes);
  RUN_TEST(test_a_trace_ends_where_it_is_to_end);
  RUN_TEST(test_help_names_only_what_the_verb_obeys);
  RUN_TEST(test_the_step_of_textbook_methods);
  RUN_TEST(test_json_messages_of_check);
  RUN_TEST(test_what_is_recorded_stands_in_a_file_or_on_stdout);
  RUN_TEST(test_options_come_before_the_experiment);
  RUN_TEST(test_a_port_of_the_model_itself);
  RUN_TEST(test_the_state_itself_can_be_recorded);
  RUN_TEST(test_a_run_that_fails_keeps_what_it_recorded);
  RUN_TEST(test_a_full_disk_is_said);
  RUN_TEST(test_every_verb_teaches_by_example);
  RUN_TEST(test_a_step_shows_what_is_said_and_whom_it_reaches);
  RUN_TEST(test_a_tolerance_below_what_a_group_reads_is_warned_of);
  RUN_TEST(test_a_picture_says_that_payloads_are_left_out);
  RUN_TEST(test_types_of_libraries_are_listed);
  RUN_TEST(test_nodes_of_a_circuit_type_are_shown);
  RUN_TEST(test_blocks_as_json);
  RUN_TEST(test_the_palette_is_up_to_date);
  RUN_TEST(test_the_reference_is_up_to_date);
  RUN_TEST(test_convert_writes_what_is_named);
  RUN_TEST(test_the_table_of_powerdevs_is_up_to_date);
  return UNITY_END();
}
