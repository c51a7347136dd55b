/* No global state: simulations in several threads, of one model and of several, do not disturb each
 * other. */
#include <string.h>

#include "random_model.h"

#include <unity.h>

#define THREADS 4

void setUp(void)
{
}

void tearDown(void)
{
}

typedef struct {
  HyModel *model;
  HyEngine engine;
  GArray *calls;
} Job;

static gpointer work(gpointer data)
{
  Job *job = data;
  job->calls = calls_of(job->model, job->engine, 4, 0, NULL);
  return NULL;
}

static gpointer work_alone(gpointer data)
{
  g_autoptr(HyModel) own = random_model(11, 4);
  Job *job = data;
  job->model = own;
  work(job);
  return hy_class_find("server") != NULL ? job : NULL;
}

/* Looking names up in a shared model. */
static gpointer look(gpointer data)
{
  Job *job = data;
  g_autoptr(HySim) sim = hy_sim_new(job->model, job->engine, NULL);
  guint found = 0;
  for (guint a = 0; a < hy_sim_n(sim); a++) {
    g_autofree char *path = hy_sim_path(sim, a);
    guint number;
    found += hy_sim_find(sim, path, &number) && number == a;
  }
  return found == hy_sim_n(sim) ? job : NULL;
}

static void run(GThreadFunc function, HyModel *shared, const GArray *wanted)
{
  Job jobs[THREADS] = {0};
  GThread *threads[THREADS];
  for (guint k = 0; k < THREADS; k++) {
    jobs[k] = (Job){.model = shared, .engine = k % 2 == 0 ? HY_TREE : HY_FLAT};
    threads[k] = g_thread_new("sim", function, &jobs[k]);
  }
  for (guint k = 0; k < THREADS; k++) {
    g_thread_join(threads[k]);
    TEST_ASSERT_EQUAL_UINT(wanted->len, jobs[k].calls->len);
    TEST_ASSERT_EQUAL_INT(0, memcmp(wanted->data, jobs[k].calls->data, wanted->len * sizeof(Call)));
    g_array_unref(jobs[k].calls);
  }
}

static void test_threads_do_not_disturb_each_other(void)
{
  g_autoptr(HyModel) shared = random_model(11, 4);
  TEST_ASSERT_TRUE(hy_model_check(shared, NULL));
  g_autoptr(GArray) wanted = calls_of(shared, HY_FLAT, 4, 0, NULL);
  TEST_ASSERT_GREATER_THAN_UINT(100, wanted->len);
  run(work, shared, wanted);
  run(work_alone, NULL, wanted);
}

static void test_threads_find_names(void)
{
  for (guint round = 0; round < 20; round++) {
    g_autoptr(HyModel) shared = random_model(round, 4);
    TEST_ASSERT_TRUE(hy_model_check(shared, NULL));
    Job jobs[THREADS] = {0};
    GThread *threads[THREADS];
    for (guint k = 0; k < THREADS; k++) {
      jobs[k] = (Job){.model = shared, .engine = HY_FLAT};
      threads[k] = g_thread_new("look", look, &jobs[k]);
    }
    for (guint k = 0; k < THREADS; k++) {
      TEST_ASSERT_TRUE(g_thread_join(threads[k]) == &jobs[k]);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_threads_do_not_disturb_each_other);
  RUN_TEST(test_threads_find_names);
  return UNITY_END();
}
