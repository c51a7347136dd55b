/* The blocks for discrete events in the smallest models that show what they do, on both engines. */
#include "atomics/atomics.h"
#include "atomics/discrete/fifo.h"
#include "atomics/discrete/transducer.h"
#include "hydevs/hydevs.h"

#include <string.h>
#include <unity.h>

static const HyEngine engines[] = {HY_TREE, HY_FLAT};

void setUp(void)
{
}

void tearDown(void)
{
}

/* Adds a component with parameters: name, text, name, text, ..., NULL. */
static void add(HyModel *m, const char *klass, const char *name, ...)
{
  guint component = hy_model_add(m, name, hy_class_find(klass));
  va_list args;
  va_start(args, name);
  for (const char *param = va_arg(args, const char *); param != NULL;
       param = va_arg(args, const char *)) {
    g_autoptr(GError) error = NULL;
    hy_model_set(m, component, param, va_arg(args, const char *), &error);
    TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
  }
  va_end(args);
}

static void wire(HyModel *m, const char *from, const char *to)
{
  g_autoptr(GError) error = NULL;
  hy_model_wire(m, from, to, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
}

static HySim *start(HyModel *m, HyEngine engine, double t0)
{
  g_autoptr(GError) error = NULL;
  HySim *sim = hy_sim_new(m, engine, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(sim, error != NULL ? error->message : "");
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_init(sim, t0, &error), error != NULL ? error->message : "");
  return sim;
}

static guint find(const HySim *sim, const char *path)
{
  guint atomic = 0;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_find(sim, path, &atomic), path);
  return atomic;
}

static void run(HySim *sim, double tf)
{
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE_MESSAGE(hy_sim_run(sim, tf, &error), error != NULL ? error->message : "");
}

/* What a component's state prints at the start of both engines and when TF has come. */
static void check_prints(HyModel *m, const char *path, double tf, const char *first,
                         const char *last)
{
  for (guint i = 0; i < G_N_ELEMENTS(engines); i++) {
    g_autoptr(HySim) sim = start(m, engines[i], 0);
    g_autofree char *before = hy_sim_print(sim, find(sim, path));
    TEST_ASSERT_EQUAL_STRING(first, before);
    run(sim, tf);
    g_autofree char *after = hy_sim_print(sim, find(sim, path));
    TEST_ASSERT_EQUAL_STRING(last, after);
  }
}

/* Generator G -> the block B with parameter PARAM -> sink K: what K remembers at t = 100. */
static void check_chain(const char *period, const char *values, const char *klass,
                        const char *param, const char *text, const char *expected)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "generator", "G", "first", "1", "period", period, "values", values, NULL);
  add(m, klass, "B", param, text, NULL);
  add(m, "sink", "K", NULL);
  wire(m, "G.out", "B.in");
  wire(m, "B.out", "K.in");
  check_prints(m, "K", 100, "{}", expected);
}

/* The list of classes ------------------------------------------------------------------------- */

static const HyAtomicClass *const here[] = {
    &hy_counter_class, &hy_delay_class,  &hy_drop_server_class,      &hy_generator_class,
    &hy_player_class,  &hy_random_class, &hy_random_generator_class, &hy_relay_class,
    &hy_server_class,  &hy_sink_class,   &hy_transducer_class,
};

static void check_ports_are_documented(const HyPort *ports, const char *klass)
{
  for (const HyPort *p = ports; p != NULL && p->name != NULL; p++) {
    TEST_ASSERT_NOT_NULL_MESSAGE(p->doc, klass);
  }
}

static void test_every_class_is_complete_and_found_by_its_name(void)
{
  for (guint i = 0; i < G_N_ELEMENTS(here); i++) {
    const HyAtomicClass *k = here[i];
    g_autofree char *element = g_strdup_printf("<%s name=\"", k->name);
    TEST_ASSERT_EQUAL_PTR_MESSAGE(k, hy_class_find(k->name), k->name);
    TEST_ASSERT_TRUE_MESSAGE((k->ta != NULL) != (k->next != NULL), k->name);
    TEST_ASSERT_TRUE_MESSAGE((k->in != NULL) == (k->dext != NULL), k->name);
    TEST_ASSERT_TRUE_MESSAGE((k->out != NULL) == (k->lambda != NULL), k->name);
    TEST_ASSERT_TRUE_MESSAGE(k->doc != NULL && k->palette != NULL && k->print != NULL, k->name);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(k->example, element), k->name);
    check_ports_are_documented(k->in, k->name);
    check_ports_are_documented(k->out, k->name);
    for (const HyParam *p = k->params; p != NULL && p->name != NULL; p++) {
      TEST_ASSERT_NOT_NULL_MESSAGE(p->doc, k->name);
    }
  }
}

static void test_the_list_has_every_name_once(void)
{
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    TEST_ASSERT_EQUAL_PTR_MESSAGE(*k, hy_class_find((*k)->name), (*k)->name);
  }
  TEST_ASSERT_NULL(hy_class_find("no_such_block"));
  TEST_ASSERT_NULL(hy_class_find(""));
}

/* Sources ------------------------------------------------------------------------------------- */

/* The numbers that are written 7.3, 7.4, 7.5, ...: sums and products of 0.1 are others. */
static void test_generator_is_due_at_first_plus_k_periods(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  GString *values = g_string_new("0");
  for (guint k = 1; k < 1000; k++) {
    g_string_append(values, ",0");
  }
  add(m, "generator", "G", "first", "0.3", "period", "0.1", "values", values->str, NULL);
  g_string_free(values, TRUE);
  g_autoptr(HySim) sim = start(m, HY_FLAT, 7);
  for (guint k = 0; k < 1000; k++) {
    gboolean done;
    TEST_ASSERT_TRUE((73 + k) / 10.0 == hy_sim_next(sim));
    TEST_ASSERT_TRUE(hy_sim_step(sim, INFINITY, &done, NULL));
  }
  TEST_ASSERT_TRUE(isinf(hy_sim_next(sim)));
}

static void test_generator_needs_no_finite_period_for_one_value(void)
{
  check_chain("inf", "5", "relay", NULL, NULL, "{in:5@1}");
  check_chain("inf", "", "relay", NULL, NULL, "{}");
  check_chain("0", "5, 6", "server", "time", "0", "{in:5@1 in:6@1}");
}

/* A clock: the list again and again, at the same instants as such. */
static void test_generator_may_begin_its_list_anew(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "generator", "G", "first", "0.3", "period", "0.1", "values", "1, ('job', 2)", "repeat",
      "true", NULL);
  add(m, "sink", "K", NULL);
  wire(m, "G.out", "K.in");
  check_prints(m, "G", 1000, "(k=0)", "(k=9998)");
  check_prints(m, "K", 0.65, "{}", "{in:1@0.3 in:('job', 2)@0.4 in:1@0.5 in:('job', 2)@0.6}");
  g_autoptr(HyModel) never = hy_model_new("R");
  add(never, "generator", "G", "period", "0", "values", "1", "repeat", "true", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(never, HY_FLAT, &error);
  TEST_ASSERT_FALSE(hy_sim_init(sim, 0, &error));
  TEST_ASSERT_EQUAL_STRING("G: period = 0 with repeat never lets time go on; it must be above 0",
                           error->message);
}

static void test_random_generator_numbers_its_jobs(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "random_generator", "G", "distribution", "uniform", "minimum", "0.5", "maximum", "0.5",
      "first", "2", "limit", "3", NULL);
  add(m, "sink", "K", NULL);
  wire(m, "G.out", "K.in");
  check_prints(m, "K", 100, "{}", "{in:1@2 in:2@2.5 in:3@3}");
  check_prints(m, "G", 100, "(k=0)", "(k=3)");
}

/* The values of random block B until t = 3, with the seed of the run. */
static char *random_values(HyModel *m, HyEngine engine, guint64 seed)
{
  g_autoptr(HySim) sim = hy_sim_new(m, engine, NULL);
  hy_sim_set_seed(sim, seed);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
  run(sim, 3);
  return hy_sim_print(sim, find(sim, "K"));
}

static HyModel *random_model(const char *seed)
{
  HyModel *m = hy_model_new("R");
  add(m, "random", "B", "distribution", "normal", "seed", seed, NULL);
  add(m, "sink", "K", NULL);
  wire(m, "B.out", "K.in");
  return m;
}

static void test_random_follows_the_seed_of_the_run_unless_it_has_one(void)
{
  g_autoptr(HyModel) of_run = random_model("-1");
  g_autofree char *one = random_values(of_run, HY_TREE, 1);
  g_autofree char *again = random_values(of_run, HY_FLAT, 1);
  g_autofree char *two = random_values(of_run, HY_FLAT, 2);
  TEST_ASSERT_EQUAL_STRING(one, again);
  TEST_ASSERT_TRUE(strcmp(one, two) != 0);

  g_autoptr(HyModel) own = random_model("5");
  g_autofree char *first = random_values(own, HY_TREE, 1);
  g_autofree char *second = random_values(own, HY_FLAT, 2);
  TEST_ASSERT_EQUAL_STRING(first, second);
}

/* Queues and delays --------------------------------------------------------------------------- */

static void test_server_remembers_the_rest_of_the_service(void)
{
  check_chain("2", "1, 2, 3", "server", "time", "3", "{in:1@4 in:2@7 in:3@10}");
  check_chain("0", "1, 2", "server", "time", "0", "{in:1@1 in:2@1}");
}

static void test_server_prints_its_queue(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "generator", "G", "period", "1", "values", "1, ('job', 2), 3", NULL);
  add(m, "server", "Q", "time", "inf", NULL);
  wire(m, "G.out", "Q.in");
  check_prints(m, "Q", 5, "[]", "[1,('job', 2),3]");
}

static void test_drop_server_loses_what_comes_while_busy(void)
{
  check_chain("1", "1, 2, 3, 4", "drop_server", "time", "1.5", "{in:1@2.5 in:3@4.5}");
}

static void test_drop_server_may_start_busy(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "generator", "G", "first", "1", "period", "inf", "values", "2", NULL);
  add(m, "drop_server", "P", "time", "2", "job", "('job', 1)", NULL);
  add(m, "sink", "K", NULL);
  wire(m, "G.out", "P.in");
  wire(m, "P.out", "K.in");
  check_prints(m, "P", 1, "[('job', 1)]", "[('job', 1)]");
  check_prints(m, "K", 9, "{}", "{in:('job', 1)@2}");
}

static void test_delay_keeps_order_and_distance(void)
{
  check_chain("1", "1, 2, 3", "delay", "time", "2.5", "{in:1@3.5 in:2@4.5 in:3@5.5}");
  check_chain("0", "1, 2", "delay", "time", "0", "{in:1@1 in:2@1}");
}

static void test_delay_may_say_an_initial_value(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "generator", "G", "period", "1", "values", "1, 2", NULL);
  add(m, "delay", "D", "time", "3", "initial", "-1", NULL);
  add(m, "sink", "K", NULL);
  wire(m, "G.out", "D.in");
  wire(m, "D.out", "K.in");
  check_prints(m, "D", 1, "[-1@0]", "[1@3 2@4]");
  check_prints(m, "K", 4, "{}", "{in:-1@0 in:1@3 in:2@4}");
}

static void test_delay_of_a_constant_input(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "delay", "D", "time", "3", NULL);
  add(m, "sink", "K", NULL);
  TEST_ASSERT_TRUE(hy_model_set_input(m, 0, 0, 8, NULL));
  wire(m, "D.out", "K.in");
  check_prints(m, "K", 9, "{}", "{in:8@3}");
}

/* One payload through each block that keeps values, more of them than the first size of a ring. */
static void test_payloads_pass_unharmed(void)
{
  static const char *const values = "('a', 1), {'k': <2>}, 'c', [4, 5], true, ('f', 'g'), 'h'";
  static const struct {
    const char *klass, *param, *text, *expected;
  } cases[] = {
      {"server", "time", "2",
       "{in:('a', 1)@3 in:{'k': <2>}@5 in:'c'@7 in:[4, 5]@9 in:true@11 in:('f', 'g')@13 "
       "in:'h'@15}"},
      {"drop_server", "time", "2.5", "{in:('a', 1)@3.5 in:[4, 5]@6.5 in:'h'@9.5}"},
      {"delay", "time", "20",
       "{in:('a', 1)@21 in:{'k': <2>}@22 in:'c'@23 in:[4, 5]@24 in:true@25 in:('f', 'g')@26 "
       "in:'h'@27}"},
      {"relay", NULL, NULL,
       "{in:('a', 1)@1 in:{'k': <2>}@2 in:'c'@3 in:[4, 5]@4 in:true@5 in:('f', 'g')@6 in:'h'@7}"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    check_chain("1", values, cases[k].klass, cases[k].param, cases[k].text, cases[k].expected);
  }
}

/* A run that ends with full queues: what is left is freed with the simulation (the sanitizer sees
 * to it). */
static void test_payloads_may_be_left_at_the_end(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "generator", "G", "period", "0.1", "values", "'a', 'b', 'c', 'd', 'e', 'f'", NULL);
  for (guint k = 0; k < 4; k++) {
    static const char *const klass[] = {"server", "drop_server", "delay", "relay"};
    add(m, klass[k], klass[k], k < 3 ? "time" : NULL, "10", NULL);
    wire(m, "G.out", klass[k]);
  }
  check_prints(m, "server", 1, "[]", "['a','b','c','d','e','f']");
  check_prints(m, "relay", 1, "(v=None)", "(v='f')");
}

/* A ring that grows while its content goes over the end. */
static void test_fifo_keeps_order_while_it_grows(void)
{
  HyFifo f = {0};
  guint in = 0, out = 0;
  for (guint round = 0; round < 50; round++) {
    for (guint k = 0; k < 3; k++) {
      hy_fifo_push(&f, in, &(HyValue){.c = {in}});
      in++;
    }
    TEST_ASSERT_EQUAL_DOUBLE(out, hy_fifo_head(&f)->at);
    hy_fifo_pop(&f);
    out++;
  }
  for (; out < in; out++) {
    TEST_ASSERT_EQUAL_DOUBLE(out, hy_fifo_head(&f)->value.c[0]);
    hy_fifo_pop(&f);
  }
  TEST_ASSERT_NULL(hy_fifo_head(&f));
  hy_fifo_clear(&f);
}

/* The rest ------------------------------------------------------------------------------------ */

static void test_sink_keeps_the_first_thousand(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "random_generator", "G", "distribution", "uniform", "minimum", "1", "limit", "1234", NULL);
  add(m, "sink", "K", NULL);
  wire(m, "G.out", "K.in");
  g_autoptr(HySim) sim = start(m, HY_FLAT, 0);
  run(sim, 1e4);
  g_autofree char *text = hy_sim_print(sim, find(sim, "K"));
  TEST_ASSERT_TRUE(g_str_has_prefix(text, "{in:1@0 in:2@1 "));
  TEST_ASSERT_TRUE(g_str_has_suffix(text, " in:1000@999 ... 1234 in all}"));
}

static void test_relay_sends_only_the_latest_of_an_instant(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "generator", "A", "first", "1", "period", "1", "values", "'lost'", NULL);
  add(m, "generator", "B", "first", "1", "period", "1", "values", "'kept'", NULL);
  add(m, "relay", "C", NULL);
  add(m, "sink", "K", NULL);
  wire(m, "A.out", "C.in");
  wire(m, "B.out", "C.in");
  wire(m, "C.out", "K.in");
  check_prints(m, "K", 2, "{}", "{in:'kept'@1}");
  check_prints(m, "C", 2, "(v=None)", "(v='kept')");
}

static void test_counter_counts_and_starts_over(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "generator", "G", "first", "1", "period", "1", "values", "7, 'x', 9, 9", NULL);
  add(m, "generator", "Z", "first", "2.5", "period", "1", "values", "0", NULL);
  add(m, "counter", "N", "initial", "10", NULL);
  add(m, "sink", "K", NULL);
  wire(m, "G.out", "N.in");
  wire(m, "Z.out", "N.reset");
  wire(m, "N.out", "K.in");
  check_prints(m, "K", 9, "{}", "{in:10@0 in:11@1 in:12@2 in:10@2.5 in:11@3 in:12@4}");
  check_prints(m, "N", 9, "(n=10)", "(n=12)");
}

static void test_players_pass_the_ball(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "player", "A", "ball", "true", "first", "2", NULL);
  add(m, "player", "B", "delay", "0.5", NULL);
  add(m, "sink", "K", NULL);
  wire(m, "A.out", "B.in");
  wire(m, "B.out", "A.in");
  wire(m, "B.out", "K.in");
  wire(m, "A.out", "K.in");
  check_prints(m, "K", 5, "{}", "{in:1@2 in:2@2.5 in:3@3.5 in:4@4 in:5@5}");
  check_prints(m, "A", 5, "(n=1)", "(n=5)");
}

/* Two who need one token at the same instant: who stands first has it, and the second not, though
 * both were due. The token comes back 2 later and waits for 1. */
static void test_the_first_of_two_transitions_has_the_token(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "place", "P", "tokens", "1", "time", "1", NULL);
  add(m, "transition", "A", NULL);
  add(m, "transition", "B", NULL);
  add(m, "place", "Q", "time", "2", NULL);
  add(m, "transition", "C", NULL);
  add(m, "sink", "K", NULL);
  add(m, "sink", "N", NULL);
  for (guint k = 1; k < 5; k += k == 1 ? 1 : 2) {
    hy_model_set_array(m, k, 1, 0);
  }
  wire(m, "P", "A.in[1]");
  wire(m, "P", "B.in[1]");
  wire(m, "A", "P.take");
  wire(m, "B", "P.take");
  wire(m, "A", "Q.in");
  wire(m, "Q", "C.in[1]");
  wire(m, "C", "Q.take");
  wire(m, "C", "P.in");
  wire(m, "A", "K.in");
  wire(m, "B", "K.in");
  wire(m, "P", "N.in");
  check_prints(m, "K", 9, "{}", "{in:1@1 in:1@4 in:1@7}");
  check_prints(m, "N", 5, "{}", "{in:0@0 in:1@1 in:0@1 in:1@4 in:0@4}");
  check_prints(m, "B", 9, "(fired=0,empty=1)", "(fired=0,empty=1)");
  check_prints(m, "Q", 8, "(there=0,waiting=0)", "(there=0,waiting=1)");
}

/* All tokens of a place go at one instant where the transition takes no time, and one after the
 * other where it takes some. */
static void test_a_transition_takes_token_after_token(void)
{
  static const struct {
    const char *time, *fired;
  } wanted[] = {{"0", "{in:1@0 in:1@0 in:1@0}"}, {"0.5", "{in:1@0.5 in:1@1 in:1@1.5}"}};
  for (guint k = 0; k < G_N_ELEMENTS(wanted); k++) {
    g_autoptr(HyModel) m = hy_model_new("R");
    add(m, "place", "P", "tokens", "3", NULL);
    add(m, "transition", "T", "time", wanted[k].time, NULL);
    add(m, "sink", "K", NULL);
    hy_model_set_array(m, 1, 1, 0);
    wire(m, "P", "T.in[1]");
    wire(m, "T", "P.take");
    wire(m, "T", "K.in");
    check_prints(m, "K", 9, "{}", wanted[k].fired);
  }
}

/* An arc that only reads: the token stays, so the transition fires again and again. */
static void test_a_transition_that_takes_nothing_fires_again(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "place", "P", "tokens", "1", NULL);
  add(m, "transition", "T", "time", "0.5", NULL);
  add(m, "sink", "K", NULL);
  hy_model_set_array(m, 1, 1, 0);
  wire(m, "P", "T.in[1]");
  wire(m, "T", "K.in");
  check_prints(m, "K", 2.2, "{}", "{in:1@0.5 in:1@1 in:1@1.5 in:1@2}");
}

static void test_events_may_have_a_value_of_their_own(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "random_generator", "G", "distribution", "uniform", "minimum", "1", "maximum", "1",
      "value", "2.5", "limit", "2", NULL);
  add(m, "sink", "K", NULL);
  wire(m, "G", "K.in");
  check_prints(m, "K", 9, "{}", "{in:2.5@0 in:2.5@1}");
}

/* E1: times in the system 3, 4 and 5. */
static void test_transducer_measures(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "generator", "G", "first", "2", "period", "2", "values", "1, 2, 3", NULL);
  add(m, "server", "Q", "time", "3", NULL);
  add(m, "transducer", "T", NULL);
  wire(m, "G.out", "Q.in");
  wire(m, "G.out", "T.arr");
  wire(m, "Q.out", "T.dep");
  check_prints(m, "T", 100, "(arr=0,dep=0)", "(arr=3,dep=3)");
  g_autoptr(HySim) sim = start(m, HY_TREE, 0);
  const HyTransducer *s = hy_sim_state(sim, find(sim, "T"));
  TEST_ASSERT_TRUE(isnan(hy_transducer_mean_time(s)));
  TEST_ASSERT_TRUE(isnan(hy_transducer_throughput(s)));
  run(sim, 100);
  TEST_ASSERT_EQUAL_DOUBLE(4, hy_transducer_mean_time(s));
  TEST_ASSERT_EQUAL_DOUBLE(3.0 / 11, hy_transducer_throughput(s));
}

/* Pollaczek and Khinchine: with Poisson arrivals of rate l and service time s, r = l s, the mean
 * time in the system is s + l s^2 / (2 (1 - r)): here l = 0.5, s = 1, 1.5. The mean of 200000 jobs
 * spreads by DEVIATION around it, measured over 400 seeds; four times that holds for all but one
 * seed in 16000. */
#define JOBS      "200000"
#define DEVIATION 0.0041
static void test_a_queue_obeys_pollaczek_and_khinchine(void)
{
  g_autoptr(HyModel) m = hy_model_new("MD1");
  add(m, "random_generator", "G", "distribution", "exponential", "mean", "2", "limit", JOBS, NULL);
  add(m, "server", "Q", "time", "1", NULL);
  add(m, "transducer", "T", NULL);
  wire(m, "G.out", "Q.in");
  wire(m, "G.out", "T.arr");
  wire(m, "Q.out", "T.dep");
  double mean[G_N_ELEMENTS(engines)];
  for (guint i = 0; i < G_N_ELEMENTS(engines); i++) {
    g_autoptr(HySim) sim = start(m, engines[i], 0);
    run(sim, INFINITY);
    const HyTransducer *s = hy_sim_state(sim, find(sim, "T"));
    TEST_ASSERT_EQUAL_UINT64(s->arr, s->dep);
    mean[i] = hy_transducer_mean_time(s);
    TEST_ASSERT_DOUBLE_WITHIN(4 * DEVIATION, 1.5, mean[i]);
  }
  TEST_ASSERT_TRUE(mean[0] == mean[1]);
}

static void test_wrong_parameters_say_what_is_wrong(void)
{
  static const struct {
    const char *klass, *params[8], *message;
  } bad[] = {
      {"random", {"minimum", "3"}, "minimum = 3 is above maximum = 1"},
      {"random",
       {"distribution", "exponential"},
       "mean = 0: distribution = exponential needs a positive, finite mean"},
      {"random_generator",
       {"distribution", "uniform", "maximum", "0"},
       "maximum = 0: all jobs would come at one instant"},
      {"delay", {"time", "inf"}, "time must be finite: nothing would ever come out"},
      {"delay", {"time", "1", "initial", "1, 2"}, "initial lists 2 values: one at most"},
      {"random_generator", {"value", "1, 2"}, "value lists 2 numbers: one at most"},
      {"place", {"time", "inf"}, "time must be finite, and tokens at most 1000000"},
      {"transition", {NULL}, "it reads no place"},
      {"drop_server",
       {"time", "1", "job", "1, 2"},
       "job lists 2 values: only one can be in service"},
  };
  for (guint k = 0; k < G_N_ELEMENTS(bad); k++) {
    g_autoptr(HyModel) m = hy_model_new("R");
    const char *const *p = bad[k].params;
    add(m, bad[k].klass, "B", p[0], p[1], p[2], p[3], NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(HySim) sim = hy_sim_new(m, HY_TREE, &error);
    TEST_ASSERT_FALSE(sim != NULL && hy_sim_init(sim, 0, &error));
    TEST_ASSERT_TRUE(g_error_matches(error, HY_ERROR, HY_ERROR_MODEL));
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_suffix(error->message, bad[k].message), error->message);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_class_is_complete_and_found_by_its_name);
  RUN_TEST(test_the_list_has_every_name_once);
  RUN_TEST(test_generator_is_due_at_first_plus_k_periods);
  RUN_TEST(test_generator_needs_no_finite_period_for_one_value);
  RUN_TEST(test_generator_may_begin_its_list_anew);
  RUN_TEST(test_random_generator_numbers_its_jobs);
  RUN_TEST(test_random_follows_the_seed_of_the_run_unless_it_has_one);
  RUN_TEST(test_server_remembers_the_rest_of_the_service);
  RUN_TEST(test_server_prints_its_queue);
  RUN_TEST(test_drop_server_loses_what_comes_while_busy);
  RUN_TEST(test_drop_server_may_start_busy);
  RUN_TEST(test_delay_keeps_order_and_distance);
  RUN_TEST(test_delay_may_say_an_initial_value);
  RUN_TEST(test_delay_of_a_constant_input);
  RUN_TEST(test_payloads_pass_unharmed);
  RUN_TEST(test_payloads_may_be_left_at_the_end);
  RUN_TEST(test_fifo_keeps_order_while_it_grows);
  RUN_TEST(test_sink_keeps_the_first_thousand);
  RUN_TEST(test_relay_sends_only_the_latest_of_an_instant);
  RUN_TEST(test_counter_counts_and_starts_over);
  RUN_TEST(test_players_pass_the_ball);
  RUN_TEST(test_the_first_of_two_transitions_has_the_token);
  RUN_TEST(test_a_transition_takes_token_after_token);
  RUN_TEST(test_a_transition_that_takes_nothing_fires_again);
  RUN_TEST(test_events_may_have_a_value_of_their_own);
  RUN_TEST(test_transducer_measures);
  RUN_TEST(test_a_queue_obeys_pollaczek_and_khinchine);
  RUN_TEST(test_wrong_parameters_say_what_is_wrong);
  return UNITY_END();
}
