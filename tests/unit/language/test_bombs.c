/* Small files that would become very large models, texts or lists end with a message, before they
 * have filled the machine; and what only looks like one of these is fine. */
#include "hydevs/load.h"
#include "hydevs/report.h"
#include "hydevs/text.h"
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define REST "<integrator name='x' in='-x'/>"

/* All messages of a load of BODY, in which arrays may become MOST elements (0: as usual); newly
 * allocated. */
static char *messages_within(guint64 most, const char *body)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m'>%s</hydevs>", body);
  g_autoptr(HyReport) report = hy_report_new();
  const HyLoadOptions options = {.read.max_elements = most};
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", &options, report);
  char *all = hy_report_text(report);
  TEST_ASSERT_EQUAL(loaded == NULL, hy_report_errors(report) > 0);
  return all;
}

static char *messages(const char *body)
{
  return messages_within(0, body);
}

/* FORMAT N times, then LAST: # is the number of each, from 1 on, @ that of the one before. */
static char *lines(guint n, const char *format, const char *last)
{
  GString *out = g_string_new(NULL);
  for (guint k = 1; k <= n; k++) {
    g_autofree char *now = g_strdup_printf("%u", k), *before = g_strdup_printf("%u", k - 1);
    for (const char *c = format; *c != '\0'; c++) {
      if (*c == '#' || *c == '@') {
        g_string_append(out, *c == '#' ? now : before);
      } else {
        g_string_append_c(out, *c);
      }
    }
  }
  g_string_append(out, last);
  return g_string_free(out, FALSE);
}

static void refused(const char *head, guint n, const char *format, const char *why)
{
  g_autofree char *rest = lines(n, format, REST);
  g_autofree char *body = g_strconcat(head, rest, NULL);
  g_autofree char *text = messages(body);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, why), text);
}

static void test_a_text_that_doubles_is_refused(void)
{
  refused("<param name='p0' kind='text' value='0123456789'/>", 60,
          "<param name='p#' kind='text' value='{p@}{p@}'/>",
          "p17: with what stands for its {...} the text is longer than 1000000 bytes");
}

/* 10 * 2^16 bytes with a letter more each. */
static void test_many_long_texts_are_refused(void)
{
  g_autofree char *longs = lines(16, "<param name='p#' kind='text' value='{p@}{p@}'/>", "");
  g_autofree char *head =
      g_strconcat("<param name='p0' kind='text' value='0123456789'/>", longs, NULL);
  refused(head, 200, "<param name='q#' kind='text' value='{p16}#'/>",
          "texts with {...} are longer than 100000000 bytes together");
}

static void test_a_list_that_doubles_is_refused(void)
{
  refused("<let name='a0' value='1,2,3,4,5,6,7,8,9,10'/>", 60, "<let name='a#' value='a@,a@'/>",
          "a18: a list of more than 2000000 numbers");
}

static void test_arrays_have_a_limit_together(void)
{
  refused("", 9, "<param name='p#' count='5e6' value='1'/>",
          "p9: arrays have more than 40000000 numbers together");
}

#define EACH(n, sum)                                                                               \
  "<param name='k' count='" n "' value='i'/><param name='q' count='" n "' value='k[i] + " sum "'/" \
  ">"
#define MANY(n) "arrays have become more than " n " elements in all formulas together"

static void many(guint64 most, const char *body, const char *why)
{
  g_autofree char *text = messages_within(most, body);
  if (why != NULL) {
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, why), text);
  } else {
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "arrays have become"), text);
  }
}

/* N copies of N elements; in one parameter, in two, and in blocks. A tenth of the usual number of
 * copies has a hundredth of the elements; the usual limit is reached once. */
static void test_sums_that_each_copy_makes_anew_have_a_limit(void)
{
  many(0, EACH("10001", "sum(k)"), "in \"k\": " MANY("100000000"));
  many(1000000, EACH("1001", "sum(k)"), "in \"k\": " MANY("1000000"));
  many(1000000, EACH("999", "sum(k)") REST, NULL);
  many(1000000, EACH("1001", "sum(k[1..1001])"), MANY("1000000"));
  many(1000000,
       EACH("800", "sum(k)") "<let name='r' value='sum(q)'/><param name='p' count='800' "
                             "value='q[i] + sum(q)'/>",
       MANY("1000000"));
  many(1000000,
       "<param name='k' count='1001' value='i'/>"
       "<integrator name='y' count='1001' in='sum(k) - y[i]'/>",
       MANY("1000000"));
}

/* 2^60 blocks are known to be too many before the first is made; with an if they are not known. */
static void test_types_that_double_are_refused_at_once(void)
{
  g_autofree char *types = lines(
      60, "<type name='T#'><block type='T@' name='a'/><block type='T@' name='b' count='2'/></type>",
      "<block type='T60' name='all'/>");
  g_autofree char *body =
      g_strconcat("<type name='T0'><integrator name='x' in='-x'/></type>", types, NULL);
  g_autofree char *text = messages(body);
  TEST_ASSERT_EQUAL_STRING("m.xml:1: all: more than 20000000 blocks, a coupled model counted as "
                           "20; this is the limit (--max-blocks)\n",
                           text);
}

static void test_what_an_if_leaves_out_is_not_counted(void)
{
  g_autofree char *types =
      lines(60,
            "<type name='T#'><block type='T@' name='a' if='0'/><block type='T@' name='b' count='n'>"
            "</block><param name='n' kind='integer' value='0'/></type>",
            "<block type='T60' name='all'/>" REST);
  g_autofree char *body =
      g_strconcat("<type name='T0'><integrator name='x' in='-x'/></type>", types, NULL);
  g_autofree char *text = messages(body);
  TEST_ASSERT_NULL_MESSAGE(strstr(text, "more than"), text);
}

/* Longer than any limit that a walk through them may have had; the last one is in force. */
static void test_experiments_may_be_like_each_other_in_a_long_chain(void)
{
  g_autofree char *chain =
      lines(5000, "<experiment name='e#' like='e@'/>", "<experiment name='e0' stop='7'/>" REST);
  g_autofree char *body =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m'>%s</hydevs>", chain);
  g_autoptr(HyReport) report = hy_report_new();
  const HyLoadOptions options = {.experiment = "e5000"};
  g_autoptr(HyLoaded) loaded = hy_load_memory(body, strlen(body), "m.xml", &options, report);
  g_autofree char *text = hy_report_text(report);
  TEST_ASSERT_EQUAL_STRING("", text);
  TEST_ASSERT_EQUAL_DOUBLE(7.0, hy_loaded_experiment(loaded)->stop);
}

/* a leads into the circle of b and c, which is told once. */
static void test_a_circle_of_experiments_is_told_where_it_is(void)
{
  g_autofree char *text =
      messages("<experiment name='a' like='b'/>\n<experiment name='b' like='c'/>\n"
               "<experiment name='c' like='b'/>" REST);
  TEST_ASSERT_EQUAL_STRING("m.xml:2: experiment b: like=\"c\" leads back to itself\n", text);
}

/* The first hundred say what was probably meant; nobody sees the others. */
static void test_thousands_of_mistakes_are_told_shortly(void)
{
  g_autofree char *body =
      lines(3000, "<integrator name='level#' in='-levels#'/>\n<integratr name='y#'/>\n", REST);
  g_autofree char *text = messages(body);
  TEST_ASSERT_NOT_NULL(strstr(text, "did you mean \"integrator\"?"));
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "did you mean \"level11\"?"), text);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\nand 5900 more\n"), text);
}

/* How many messages of BODY have a hint, of all that are kept. */
static guint hints(const char *body)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m'>%s</hydevs>", body);
  g_autoptr(HyReport) report = hy_report_new();
  TEST_ASSERT_NULL(hy_load_memory(text, strlen(text), "m.xml", NULL, report));
  guint n = 0;
  const HyMessageAt *m;
  for (guint k = 0; (m = hy_report_get(report, k)) != NULL; k++) {
    n += strstr(m->text, "did you mean") != NULL ? 1 : 0;
  }
  return n;
}

/* Names are compared for as many mistakes as are shown, and 5,000 for each of them: that is all the
 * work there is, however many are wrong. */
static void test_work_for_hints_has_a_limit(void)
{
  g_autofree char *wrong = lines(300, "<experiment name='run#' like='ruin#'/>", REST);
  TEST_ASSERT_EQUAL_UINT(HY_MAX_MESSAGES, hints(wrong));
  HyNearest nearest = {.word = "speed"};
  for (guint k = 0; k < 4999; k++) {
    hy_nearest_offer(&nearest, k == 17 ? "sped" : "something else");
  }
  TEST_ASSERT_EQUAL_STRING("sped", nearest.best);
  hy_nearest_offer(&nearest, "Sped");
  hy_nearest_offer(&nearest, "Speed"); /* nearer, but one too many */
  TEST_ASSERT_EQUAL_STRING("sped", nearest.best);
}

static void test_20000_wrong_likes_are_told_shortly(void)
{
  g_autofree char *body = lines(20000, "<experiment name='e#' like='what_is_not_there'/>\n", REST);
  g_autofree char *text = messages(body);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "m.xml:100: experiment e100: there is no experiment "
                                            "\"what_is_not_there\"\nand 19900 more\n"),
                               text);
}

#define TOO_MANY_WIRES                                                                             \
  "more than 5000000 wires; the limit is a quarter of that of blocks, or four for each block "     \
  "(--max-blocks)\n"

/* 2,500 to 2,500: as the list of an input, as a wire, which is known before it is drawn, and in a
 * type. */
static void test_each_to_each_of_many_is_refused(void)
{
  g_autofree char *list = messages("<integrator name='a' in='-1' count='2500'/>\n"
                                   "<sum name='b' count='2500' in='a[*]'/>");
  TEST_ASSERT_EQUAL_STRING("m.xml:2: " TOO_MANY_WIRES, list);
  g_autofree char *wire =
      messages("<generator name='a' values='1' period='1' count='2500'/>\n"
               "<server name='b' time='1' count='2500'/>\n<wire from='a[*]' to='b[*].in'/>");
  TEST_ASSERT_EQUAL_STRING("m.xml:3: " TOO_MANY_WIRES, wire);
  g_autofree char *type =
      messages("<type name='T'>\n<integrator name='x' in='-1' count='2500'/>\n"
               "<sum name='s' in='x[*]' count='2500'/></type><block type='T' name='all'/>");
  TEST_ASSERT_EQUAL_STRING("m.xml:3: all: " TOO_MANY_WIRES, type);
}

/* More than four wires for each block, and yet few. */
static void test_each_to_each_of_some_is_fine(void)
{
  g_autofree char *text =
      messages("<integrator name='x' in='-1' count='100'/><sum name='s' in='x[*]' count='100'/>");
  TEST_ASSERT_EQUAL_STRING("", text);
}

static void machine(guint n, const char *format, const char *why)
{
  g_autofree char *rest = lines(n, format, "<state name='on'/></machine>" REST);
  g_autofree char *body = g_strconcat("<machine name='c' initial='on'>", rest, NULL);
  g_autofree char *text = messages(body);
  TEST_ASSERT_EQUAL_STRING(why, text);
}

static void test_machines_have_limits(void)
{
  machine(10000, "<state name='s#'/>", "m.xml:1: c: 10001 <state>; a machine has at most 10000\n");
  machine(2001, "<var name='v#'/>", "m.xml:1: c: 2001 <var>; a machine has at most 2000\n");
  machine(2001, "<in name='u#'/>", "m.xml:1: c: 2001 <in>; a machine has at most 2000\n");
  machine(2001, "<out name='y#'/>", "m.xml:1: c: 2001 <out>; a machine has at most 2000\n");
  machine(1001, "<state name='s#'/><when guard='t > #' to='on'/>",
          "m.xml:1: c: 1001 transitions of the machine for each of 1002 states; together there may "
          "be 1000000\n");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_text_that_doubles_is_refused);
  RUN_TEST(test_many_long_texts_are_refused);
  RUN_TEST(test_a_list_that_doubles_is_refused);
  RUN_TEST(test_arrays_have_a_limit_together);
  RUN_TEST(test_sums_that_each_copy_makes_anew_have_a_limit);
  RUN_TEST(test_types_that_double_are_refused_at_once);
  RUN_TEST(test_what_an_if_leaves_out_is_not_counted);
  RUN_TEST(test_experiments_may_be_like_each_other_in_a_long_chain);
  RUN_TEST(test_a_circle_of_experiments_is_told_where_it_is);
  RUN_TEST(test_thousands_of_mistakes_are_told_shortly);
  RUN_TEST(test_work_for_hints_has_a_limit);
  RUN_TEST(test_20000_wrong_likes_are_told_shortly);
  RUN_TEST(test_each_to_each_of_many_is_refused);
  RUN_TEST(test_each_to_each_of_some_is_fine);
  RUN_TEST(test_machines_have_limits);
  return UNITY_END();
}
