/* Who waits for whom: machines, samplers and formulas in rings. What a machine says at first it
 * says at once, if it reads no signal; those who wait for each other for ever are named, by a run
 * at its end and by a check, and nobody else. */
#include "library_model.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static HyLoaded *load_waiting(const char *body)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m' needs='1.3'>%s</hydevs>", body);
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml",
                                    &(HyLoadOptions){.library = library_folders}, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

/* What a check says of LOADED, and a run on ENGINE at its end. */
static char *checked(const HyLoaded *loaded)
{
  g_autoptr(HyReport) report = hy_report_new();
  hy_report_blocks(report, loaded);
  return hy_report_text(report);
}

static char *said_of_run(const HyRun *run)
{
  g_autoptr(HyReport) report = hy_report_new();
  hy_report_run(report, run);
  return hy_report_text(report);
}

/* First words ---------------------------------------------------------------------------------- */

#define LAMP(NAME, OTHER)                                                                          \
  "<machine name='" NAME "' e='G'><state name='off' out='0'><on event='e' guard='" OTHER           \
  ".out == 0' to='on'/></state><state name='on' out='1'><after time='1' to='off'/></state>"        \
  "</machine>"

/* Each reads the other; the events of G reach a before b, and b a little later. */
static void test_machines_that_read_each_other_begin(void)
{
  g_autoptr(HyLoaded) loaded =
      load_waiting("<generator name='G' first='1' period='3' values='1, 1'/>" LAMP(
          "a",
          "b") "<generator name='H' first='1.5' period='3' values='1, 1'/>"
               "<machine name='b' e='H'><state name='off' out='0'><on event='e' guard='a.out == 0' "
               "to='on'/></state><state name='on' out='1'><after time='1' "
               "to='off'/></state></machine>"
               "<experiment stop='6' record='a b' grid='0.25'/>");
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  const HyRecorder *table = hy_run_table(run, 0);
  TEST_ASSERT_EQUAL_UINT64(25, hy_recorder_rows(table));
  for (guint64 row = 0; row < 25; row++) {
    double t = hy_recorder_time(table, row);
    double on = (t >= 1 && t < 2) || (t >= 4 && t < 5);
    TEST_ASSERT_EQUAL_DOUBLE(on, hy_recorder_value(table, row, 0));
    TEST_ASSERT_EQUAL_DOUBLE(0, hy_recorder_value(table, row, 1));
  }
  g_autofree char *check = checked(loaded), *end = said_of_run(run);
  TEST_ASSERT_EQUAL_STRING("", check);
  TEST_ASSERT_EQUAL_STRING("", end);
}

/* The instants at which the machine m says something, and what. */
static char *words_of(const char *machine)
{
  g_autofree char *body =
      g_strdup_printf("%s<sample_hold name='s' in='clock0' period='1' start='2'/>"
                      "<function name='clock0' formula='5 + 0*t'/>"
                      "<experiment stop='4' record='m.o m.p'/>",
                      machine);
  g_autoptr(HyLoaded) loaded = load_waiting(body);
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  return library_text(run);
}

#define SAYS(VARS, O, P)                                                                           \
  "<machine name='m'><out name='o'/><out name='p'/>" VARS "<state name='x' o='" O "' p='" P        \
  "'><when guard='s > 9' to='x'/></state></machine>"

/* s comes at t = 2. */
static void test_what_reads_no_signal_is_said_before_the_start(void)
{
  g_autofree char *one = words_of(SAYS("", "7", "s"));
  TEST_ASSERT_EQUAL_STRING("0,7,nan\n2,7,5\n4,7,5\n", one);
  g_autofree char *both = words_of(SAYS("<var name='v' value='3'/>", "v", "v + 1"));
  TEST_ASSERT_EQUAL_STRING("0,3,4\n4,3,4\n", both);
  g_autofree char *by_var = words_of(SAYS("<var name='v'/>", "1", "v' entry='v = s"));
  TEST_ASSERT_EQUAL_STRING("0,1,nan\n2,1,5\n4,1,5\n", by_var);
  g_autofree char *again = words_of(SAYS("", "t", "s")); /* it is entered at t = 2 */
  TEST_ASSERT_EQUAL_STRING("0,0,nan\n2,0,nan\n2,2,5\n4,2,5\n", again);
}

/* Rings ---------------------------------------------------------------------------------------- */

static void test_samplers_in_a_ring_are_named(void)
{
  g_autoptr(HyLoaded) loaded =
      load_waiting("<sample_hold name='a' in='b + 1' period='0.1'/>\n"
                   "<sample_hold name='b' in='a' period='0.1'/>\n"
                   "<function name='c' formula='2*b'/><experiment stop='2' record='a c'/>");
  const char *text = "m.xml:1: warning: a: it waits for a:in, that for b, that for a: none of them "
                     "has said that since the start; one has to say an initial value (a "
                     "unit_delay or an integrator between them does, and a machine whose first "
                     "output reads no signal)\n";
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  g_autofree char *check = checked(loaded), *end = said_of_run(run);
  TEST_ASSERT_EQUAL_STRING(text, check);
  TEST_ASSERT_EQUAL_STRING(text, end);
}

/* All have said 1 at y; the z of a and b wait for each other. c and d wait for b: d, which reads
 * c.y as well, does not wait for c. */
static void test_what_has_spoken_elsewhere_may_be_in_a_ring(void)
{
  g_autoptr(HyLoaded) loaded = load_waiting(
      "<machine name='a' u='b.z' e='G'><out name='y'/><out name='z'/><state name='s' y='1' z='u'>"
      "<on event='e'/></state></machine>\n"
      "<machine name='b' u='a.z' e='G'><out name='y'/><out name='z'/><state name='s' y='1' z='u'>"
      "<on event='e'/></state></machine>\n"
      "<machine name='c' u='b.z + d.y' e='G'><out name='y'/><out name='z'/>"
      "<state name='s' y='1' z='u'><on event='e'/></state></machine>\n"
      "<machine name='d' u='c.y + b.z' e='G'><out name='y'/><state name='s' y='u'><on "
      "event='e'/></state>"
      "</machine><generator name='G' first='1' period='1' values='1'/>"
      "<experiment stop='2' record='a.y b.y c.y d.y'/>");
  const char *text = "m.xml:1: warning: a: it waits for b, that for a: ";
  g_autoptr(HyRun) run = library_same_on_all_engines(loaded);
  g_autofree char *check = checked(loaded), *end = said_of_run(run);
  TEST_ASSERT_EQUAL_STRING_LEN(text, check, strlen(text));
  TEST_ASSERT_NULL(strchr(strchr(check, '\n') + 1, '\n'));
  TEST_ASSERT_EQUAL_STRING(check, end);
}

static void test_events_that_have_not_come_are_no_ring(void)
{
  g_autoptr(HyLoaded) loaded = load_waiting("<generator name='G' first='9' period='1' values='1'/>"
                                            "<relay name='r' in='G d'/><server name='d' in='r' "
                                            "time='1'/><experiment stop='2' record='r'/>");
  g_autoptr(HyRun) run = library_go(loaded, "flat");
  g_autofree char *check = checked(loaded), *end = said_of_run(run);
  TEST_ASSERT_EQUAL_STRING("", check);
  TEST_ASSERT_EQUAL_STRING("", end);
}

/* Random nets of N blocks, each with one or two sources. */
typedef enum { HOLD, DELAY, FORMULA, MACHINE, SPEAKER, STATE, N_SORTS } Sort;
#define N 12

typedef struct {
  Sort sort[N];
  guint source[N][2];
  gboolean reach[N][N]; /* who waits for whom, by way of those who wait */
  gboolean waits[N];
} Net;

static char *net_text(const Net *net)
{
  GString *out = g_string_new(NULL);
  for (guint k = 0; k < N; k++) {
    guint a = net->source[k][0], b = net->source[k][1];
    static const char *const text[N_SORTS] = {
        [HOLD] = "<sample_hold name='n%u' in='n%u' period='0.5'/>",
        [DELAY] = "<unit_delay name='n%u' in='n%u' period='0.5'/>",
        [FORMULA] = "<quantizer name='n%u' in='0.1*n%u + 0.1*n%u' dq='1'/>",
        [MACHINE] = "<machine name='n%u'><state name='x' out='n%u'><when guard='n%u > 99' "
                    "to='x'/></state></machine>",
        [SPEAKER] = "<machine name='n%u'><state name='x' out='1'><when guard='n%u + n%u > 99' "
                    "to='x'/></state></machine>",
        [STATE] = "<integrator name='n%u' in='0.1*n%u - n%u'/>"};
    const char *t = text[net->sort[k]];
    char number[3][8];
    g_snprintf(number[0], 8, "%u", k);
    g_snprintf(number[1], 8, "%u", a);
    g_snprintf(number[2], 8, "%u", b);
    for (guint i = 0; *t != '\0'; t++) {
      if (t[0] == '%' && t[1] == 'u') {
        g_string_append(out, number[i++]);
        t++;
      } else {
        g_string_append_c(out, *t);
      }
    }
    g_string_append_c(out, '\n');
  }
  g_string_append(out, "<experiment stop='1' record='n0' method='qss2'/>");
  return g_string_free(out, FALSE);
}

/* Those wait who need somebody that waits; speakers, delays and states need nobody. */
static void find_waiting(Net *net)
{
  for (guint k = 0; k < N; k++) {
    net->waits[k] = net->sort[k] <= MACHINE && net->sort[k] != DELAY;
  }
  for (guint round = 0; round < N; round++) {
    for (guint k = 0; k < N; k++) {
      gboolean two = net->sort[k] != HOLD;
      net->waits[k] = net->waits[k] &&
                      (net->waits[net->source[k][0]] || (two && net->waits[net->source[k][1]]));
    }
  }
  for (guint i = 0; i < N; i++) {
    for (guint j = 0; j < N; j++) {
      gboolean reads = net->source[i][0] == j || (net->sort[i] != HOLD && net->source[i][1] == j);
      net->reach[i][j] = net->waits[i] && net->waits[j] && reads;
    }
  }
  for (guint k = 0; k < N; k++) {
    for (guint i = 0; i < N; i++) {
      for (guint j = 0; j < N; j++) {
        net->reach[i][j] |= net->reach[i][k] && net->reach[k][j];
      }
    }
  }
}

/* TEXT names block K. */
static gboolean names(const char *text, guint k)
{
  g_autofree char *name = g_strdup_printf("n%u", k);
  for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
    if (!g_ascii_isdigit(at[strlen(name)]) && (at == text || !g_ascii_isalnum(at[-1]))) {
      return TRUE;
    }
  }
  return FALSE;
}

/* All that is named is in a ring, and each ring has somebody named. */
static void check_net(const Net *net, const char *said, const char *text)
{
  for (guint k = 0; k < N; k++) {
    gboolean somebody = FALSE;
    for (guint i = 0; i < N; i++) {
      somebody |= net->reach[k][i] && net->reach[i][k] && names(said, i);
    }
    TEST_ASSERT_TRUE_MESSAGE(!names(said, k) || net->reach[k][k], text);
    TEST_ASSERT_TRUE_MESSAGE(!net->reach[k][k] || somebody, text);
  }
}

/* Lines of rings alone; a run may also tell of states that rest beside those who wait. */
static char *rings_of(const char *text)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  GString *out = g_string_new(NULL);
  for (guint k = 0; lines[k] != NULL; k++) {
    if (strstr(lines[k], ": it waits for ") != NULL) {
      g_string_append_printf(out, "%s\n", lines[k]);
    }
  }
  return g_string_free(out, FALSE);
}

static void test_random_rings_are_found_and_nothing_else(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  guint rings = 0;
  for (guint n = 0; n < 400; n++) {
    Net net;
    for (guint k = 0; k < N; k++) {
      net.sort[k] = (Sort)g_rand_int_range(random, 0, n % 2 == 0 ? N_SORTS : MACHINE + 1);
      for (guint i = 0; i < 2; i++) { /* of another block */
        net.source[k][i] = (k + (guint)g_rand_int_range(random, 1, N)) % N;
      }
    }
    find_waiting(&net);
    g_autofree char *text = net_text(&net);
    g_autoptr(HyLoaded) loaded = load_waiting(text);
    g_autofree char *check = checked(loaded);
    check_net(&net, check, text);
    rings += *check != '\0';
    for (guint e = 0; e < 3; e++) {
      g_autoptr(HyRun) run = library_go(loaded, (const char *[]){"tree", "flat", "fused"}[e]);
      g_autofree char *said = said_of_run(run), *end = rings_of(said);
      TEST_ASSERT_EQUAL_STRING_MESSAGE(check, end, text);
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(50, rings);
  TEST_ASSERT_LESS_THAN_UINT(380, rings);
}

/* Order ---------------------------------------------------------------------------------------- */

/* What loading says of x = d + 1, sampled, and d = x a period ago, in this order or the other. */
static char *said_of_counter(gboolean hold_first, const char *start)
{
  g_autofree char *hold =
      g_strdup_printf("<sample_hold name='x' in='d + 1' period='0.1' start='%s'/>\n", start);
  static const char delay[] = "<unit_delay name='d' in='x' period='0.1'/>\n";
  g_autofree char *text = g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m'>%s%s</hydevs>",
                                          hold_first ? hold : delay, hold_first ? delay : hold);
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  TEST_ASSERT_NOT_NULL(loaded);
  return hy_report_text(report);
}

static void test_a_hold_before_what_it_samples_is_told(void)
{
  g_autofree char *first = said_of_counter(TRUE, "0"), *last = said_of_counter(FALSE, "0"),
                  *later = said_of_counter(TRUE, "0.05");
  TEST_ASSERT_EQUAL_STRING(
      "m.xml:1: warning: x: it samples at the instants at which d says something new, and has its "
      "turn first: it takes what d has said a period before; put it behind d in the file, or let "
      "it "
      "start later\n",
      first);
  TEST_ASSERT_EQUAL_STRING("", last);
  TEST_ASSERT_EQUAL_STRING("", later);
}

/* Blocks 0 .. N - 1 of one of two grids each: formulas read two blocks before them, holds and
 * delays any other one. */
static char *sampled_net(GRand *random, Net *net, gboolean late[N])
{
  GString *out = g_string_new("<hydevs xmlns='urn:hydevs:1' name='m'>");
  for (guint k = 0; k < N; k++) {
    net->sort[k] = k < 2 ? DELAY : (Sort)g_rand_int_range(random, HOLD, FORMULA + 1);
    late[k] = g_rand_boolean(random);
    gboolean formula = net->sort[k] == FORMULA;
    for (guint i = 0; i < 2; i++) {
      net->source[k][i] = formula ? (guint)g_rand_int_range(random, 0, (gint32)k)
                                  : (k + (guint)g_rand_int_range(random, 1, N)) % N;
    }
    guint a = net->source[k][0], b = net->source[k][1];
    if (formula) {
      g_string_append_printf(out, "<function name='n%u' formula='n%u + 2*n%u'/>\n", k, a, b);
    } else {
      g_string_append_printf(out, "<%s name='n%u' in='n%u' period='0.5' start='%s'/>\n",
                             net->sort[k] == HOLD ? "sample_hold" : "unit_delay", k, a,
                             late[k] ? "0.2" : "0");
    }
  }
  g_string_append(out, "</hydevs>");
  return g_string_free(out, FALSE);
}

/* The last block of the file that samples on the grid of LATE and is read by K, by way of formulas;
 * 0: none. */
static guint last_before(const Net *net, const gboolean late[N], guint k, gboolean grid)
{
  guint last = 0;
  for (guint i = 0; i < (net->sort[k] == FORMULA ? 2U : 1U); i++) {
    guint from = net->source[k][i];
    guint found = net->sort[from] == FORMULA ? last_before(net, late, from, grid)
                  : late[from] == grid       ? from
                                             : 0;
    last = MAX(last, found);
  }
  return last;
}

static void test_holds_that_come_too_early_are_told_and_no_others(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(11);
  guint told = 0;
  for (guint n = 0; n < 300; n++) {
    Net net;
    gboolean late[N];
    g_autofree char *text = sampled_net(random, &net, late);
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
    g_autofree char *said = hy_report_text(report);
    TEST_ASSERT_NOT_NULL_MESSAGE(loaded, said);
    g_autoptr(GString) wanted = g_string_new(NULL);
    for (guint k = 0; k < N; k++) {
      guint from = net.sort[k] == HOLD ? last_before(&net, late, k, late[k]) : 0;
      if (from > k) {
        g_string_append_printf(wanted, "n%u: it samples at the instants at which n%u says\n", k,
                               from);
        told++;
      }
    }
    g_auto(GStrv) lines = g_strsplit(said, "\n", -1);
    g_autoptr(GString) got = g_string_new(NULL);
    for (guint k = 0; lines[k] != NULL && *lines[k] != '\0'; k++) {
      const char *at = strstr(lines[k], "warning: ") + strlen("warning: ");
      g_string_append_len(got, at, strstr(at, " says") + strlen(" says") - at);
      g_string_append_c(got, '\n');
    }
    TEST_ASSERT_EQUAL_STRING_MESSAGE(wanted->str, got->str, text);
  }
  TEST_ASSERT_GREATER_THAN_UINT(100, told);
}

static void test_an_input_of_the_model_that_nobody_feeds_is_told(void)
{
  g_autoptr(HyLoaded) loaded = load_waiting(
      "\n<in name='u' kind='signal'/><in name='e' kind='event'/><in name='v' kind='signal'/>"
      "<relay name='r' in='e'/><integrator name='x' in='u'/><experiment stop='1' record='x'/>");
  g_autoptr(HyRun) run = library_go(loaded, "flat");
  g_autoptr(HyReport) report = hy_report_new();
  hy_report_inputs(report, run);
  g_autofree char *text = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING(
      "m.xml:2: warning: input u of the model: nobody feeds it when the model is run by itself, "
      "and "
      "x "
      "waits for it; place the model in another one, or put a source in place of the input\n",
      text);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_machines_that_read_each_other_begin);
  RUN_TEST(test_what_reads_no_signal_is_said_before_the_start);
  RUN_TEST(test_samplers_in_a_ring_are_named);
  RUN_TEST(test_what_has_spoken_elsewhere_may_be_in_a_ring);
  RUN_TEST(test_events_that_have_not_come_are_no_ring);
  RUN_TEST(test_a_hold_before_what_it_samples_is_told);
  RUN_TEST(test_holds_that_come_too_early_are_told_and_no_others);
  RUN_TEST(test_an_input_of_the_model_that_nobody_feeds_is_told);
  RUN_TEST(test_random_rings_are_found_and_nothing_else);
  return UNITY_END();
}
