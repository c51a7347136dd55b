/* Models are loaded in several threads from the first moment of a process on: libxml2 sets itself
 * up once, by one of them, and each gets what it would have got alone. */
#include "hydevs/hydevs.h"

#include <dlfcn.h>
#include <libxml/parser.h>
#include <string.h>
#include <unity.h>

#define THREADS 6
#define ROUNDS  20

void setUp(void)
{
}

void tearDown(void)
{
}

static gint calls, inside, together; /* of xmlInitParser() */

/* In place of libxml2's, which it calls; slowly, so that whoever else calls it meets it. */
void xmlInitParser(void)
{
  union {
    void *found;
    void (*call)(void);
  } real = {.found = dlsym(RTLD_NEXT, "xmlInitParser")};
  g_atomic_int_inc(&calls);
  if (g_atomic_int_add(&inside, 1) > 0) {
    g_atomic_int_inc(&together);
  }
  g_usleep(20000);
  real.call();
  g_atomic_int_add(&inside, -1);
}

typedef struct {
  const char *file, *text;
} Source;

static const Source sources[] = {
    {"a.xml",
     "<hydevs xmlns=\"urn:hydevs:1\" name=\"a\"><pi name=\"c\" kp=\"1\" ki=\"2\" in=\"1 - x\"/>"
     "<integrator name=\"x\" in=\"c\"/></hydevs>"},
    {"b.cir", "a low-pass\nV1 in 0 5\nR1 in out 1k\nC1 out 0 1u\n.tran 1u 1m\n.end\n"},
    {"c.xml", "<hydevs xmlns=\"urn:hydevs:1\" name=\"c\"><gain name=\"g\" in=\"1\"></hydevs>"},
};

/* Blocks of SOURCE, 0 if it has a mistake. */
static guint load(const Source *source)
{
  g_autoptr(HyReport) report = hy_report_new();
  HyLoadOptions options = {.formats = hy_formats()};
  g_autoptr(HyLoaded) loaded =
      hy_load_memory(source->text, strlen(source->text), source->file, &options, report);
  if (loaded == NULL) {
    return 0;
  }
  HyCounts n;
  hy_model_count(hy_loaded_model(loaded), &n);
  return (guint)n.atomics;
}

static gint gathered;

/* How many loads were as they are alone. */
static gpointer work(gpointer data)
{
  const guint *wanted = data;
  guint right = 0;
  g_atomic_int_inc(&gathered);
  while (g_atomic_int_get(&gathered) < THREADS) {
  }
  for (guint k = 0; k < ROUNDS; k++) {
    guint which = k % G_N_ELEMENTS(sources);
    right += load(&sources[which]) == wanted[which];
  }
  return GUINT_TO_POINTER(right);
}

/* The first of all loads, in all threads at once: there is nothing yet to compare with. */
static gpointer work_first(gpointer data)
{
  guint *found = data;
  g_atomic_int_inc(&gathered);
  while (g_atomic_int_get(&gathered) < THREADS) {
  }
  for (guint k = 0; k < G_N_ELEMENTS(sources); k++) {
    found[k] = load(&sources[k]);
  }
  return NULL;
}

static void test_the_first_loads_of_a_process_are_in_threads(void)
{
  guint found[THREADS][G_N_ELEMENTS(sources)] = {0};
  GThread *threads[THREADS];
  for (guint k = 0; k < THREADS; k++) {
    threads[k] = g_thread_new("load", work_first, found[k]);
  }
  for (guint k = 0; k < THREADS; k++) {
    g_thread_join(threads[k]);
  }
  TEST_ASSERT_GREATER_THAN_INT(0, calls);
  TEST_ASSERT_EQUAL_INT(0, together);
  for (guint k = 0; k < G_N_ELEMENTS(sources); k++) {
    guint alone = load(&sources[k]);
    TEST_ASSERT_EQUAL_INT(k == 2, alone == 0);
    for (guint i = 0; i < THREADS; i++) {
      TEST_ASSERT_EQUAL_UINT(alone, found[i][k]);
    }
  }
}

static void test_loads_in_threads_do_not_disturb_each_other(void)
{
  guint wanted[G_N_ELEMENTS(sources)];
  for (guint k = 0; k < G_N_ELEMENTS(sources); k++) {
    wanted[k] = load(&sources[k]);
  }
  GThread *threads[THREADS];
  g_atomic_int_set(&gathered, 0);
  for (guint k = 0; k < THREADS; k++) {
    threads[k] = g_thread_new("load", work, wanted);
  }
  for (guint k = 0; k < THREADS; k++) {
    TEST_ASSERT_EQUAL_UINT(ROUNDS, GPOINTER_TO_UINT(g_thread_join(threads[k])));
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_first_loads_of_a_process_are_in_threads);
  RUN_TEST(test_loads_in_threads_do_not_disturb_each_other);
  return UNITY_END();
}
