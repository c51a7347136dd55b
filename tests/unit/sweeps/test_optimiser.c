/* The search for the best run, on functions whose minimum is known. */
#include "hydevs/error.h"
#include "sweeps/optimiser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#ifdef HY_NLOPT

void setUp(void)
{
}

void tearDown(void)
{
}

typedef struct {
  HySearched of;
  guint n, n_limits;
  guint64 runs, failed;
  double x[3];
  double value; /* the least within limits */
  guint64 best;
} Seen;

static HyTried seen(gpointer user, const double *x, double *value, double *beyond)
{
  Seen *s = (Seen *)user;
  HyTried tried = s->of(user, x, value, beyond);
  s->failed += tried == HY_TRIED_FAILED || (tried == HY_TRIED && isnan(*value)) ? 1 : 0;
  if (tried == HY_TRIED && (s->n_limits == 0 || beyond[0] <= 0.0) &&
      (s->best == G_MAXUINT64 || *value < s->value)) {
    s->best = s->runs;
    s->value = *value;
    memcpy(s->x, x, s->n * sizeof *x);
  }
  s->runs++;
  return tried;
}

/* What the search says is what has been seen. */
static Seen searched(HySearch search, HySearched of, HyFound *found)
{
  Seen s = {.of = of, .n = search.n, .n_limits = search.n_limits, .best = G_MAXUINT64};
  search.try = seen;
  search.user = &s;
  search.most = search.most > 0 ? search.most : 1000;
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE(hy_search(&search, found, &error));
  TEST_ASSERT_NULL(error);
  TEST_ASSERT_EQUAL_UINT64(s.runs, found->runs);
  TEST_ASSERT_EQUAL_UINT64(s.failed, found->failed);
  TEST_ASSERT_EQUAL_UINT64(s.best, found->best);
  TEST_ASSERT_TRUE(s.best == G_MAXUINT64 || s.value == found->value);
  return s;
}

/* (a - 3)^2 + (ln b + 2)^2 + (a - 3)(ln b + 2)/2: at a = 3, b = e^-2. */
static HyTried bowl(gpointer user, const double *x, double *value, double *beyond)
{
  (void)user;
  (void)beyond;
  double a = x[0] - 3.0, b = log(x[1]) + 2.0;
  *value = a * a + b * b + 0.5 * a * b;
  return HY_TRIED;
}

/* The same beside a cliff: no runs beyond. */
static HyTried cliff(gpointer user, const double *x, double *value, double *beyond)
{
  bowl(user, x, value, beyond);
  return x[0] > 3.2 || x[1] < 0.1 ? HY_TRIED_FAILED : HY_TRIED;
}

static HyTried hollow(gpointer user, const double *x, double *value, double *beyond)
{
  bowl(user, x, value, beyond);
  *value = x[0] > 3.2 || x[1] < 0.1 ? (double)NAN : *value;
  return HY_TRIED;
}

static const HySpan box[] = {{0, 10, 2, FALSE}, {1e-3, 10, 1, TRUE}};

static void test_a_minimum_is_found_also_beside_runs_that_fail(void)
{
  static const struct {
    const char *method;
    HySearched of;
    guint64 failed, most; /* at least; runs at most, as measured and a half more */
  } cases[] = {
      {NULL, bowl, 0, 60},      {"bobyqa", cliff, 1, 110}, {"bobyqa", hollow, 1, 110},
      {"cobyla", bowl, 0, 120}, {"cobyla", cliff, 1, 250},
  };
  for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
    HyFound found;
    Seen s = searched((HySearch){.method = cases[k].method, .n = 2, .range = box, .step = 1e-8},
                      cases[k].of, &found);
    char what[200];
    snprintf(what, sizeof what, "%u: %s, %u runs", k, found.why, (guint)found.runs);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-6, 3.0, s.x[0], what);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-7, exp(-2.0), s.x[1], what);
    TEST_ASSERT_TRUE_MESSAGE(found.failed >= cases[k].failed && found.runs <= cases[k].most, what);
    TEST_ASSERT_EQUAL_STRING("the steps are as small as asked", found.why);
  }
}

static HyTried parabola(gpointer user, const double *x, double *value, double *beyond)
{
  (void)user;
  (void)beyond;
  *value = (x[0] - 0.7) * (x[0] - 0.7) * (1 + x[0]);
  return HY_TRIED;
}

static void test_one_parameter_is_found_by_cobyla(void)
{
  HyFound found;
  Seen s = searched((HySearch){.n = 1, .range = (HySpan[]){{0, 2, 1, FALSE}}, .step = 1e-8},
                    parabola, &found);
  TEST_ASSERT_EQUAL_STRING("cobyla", found.method);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.7, s.x[0]);
}

/* The lowest point of the unit disk: -sqrt(2), on the limit. */
static HyTried disk(gpointer user, const double *x, double *value, double *beyond)
{
  (void)user;
  *value = x[0] + x[1];
  *beyond = x[0] * x[0] + x[1] * x[1] - 1.0;
  return HY_TRIED;
}

static void test_a_limit_is_kept(void)
{
  HyFound found;
  Seen s = searched((HySearch){.n = 2,
                               .n_limits = 1,
                               .range = (HySpan[]){{-2, 2, 0.5, FALSE}, {-2, 2, 0.1, FALSE}},
                               .step = 1e-8},
                    disk, &found);
  TEST_ASSERT_TRUE(s.x[0] * s.x[0] + s.x[1] * s.x[1] <= 1.0);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, -sqrt(2.0), found.value);
  TEST_ASSERT_TRUE(found.beyond > 0 && found.beyond < found.runs);
}

/* Beyond 3 the limit is flat, so that no model of it leads back; the best place is 2. */
static HyTried plateau(gpointer user, const double *x, double *value, double *beyond)
{
  (void)user;
  *value = (x[0] - 4.0) * (x[0] - 4.0);
  *beyond = fmin(x[0], 3.0) - 2.0;
  return HY_TRIED;
}

static void test_a_search_that_has_left_the_limits_comes_back(void)
{
  HyFound found;
  Seen s = searched(
      (HySearch){
          .n = 1, .n_limits = 1, .range = (HySpan[]){{0, 16, 1, FALSE}}, .step = 1e-8, .most = 200},
      plateau, &found);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2.0, s.x[0]);
}

/* L. Rastrigin's: some 100 hollows, the lowest at 1, 1. */
static HyTried hollows(gpointer user, const double *x, double *value, double *beyond)
{
  (void)user;
  (void)beyond;
  double sum = 0;
  for (guint k = 0; k < 2; k++) {
    double d = x[k] - 1.0;
    sum += d * d - 10.0 * cos(2.0 * G_PI * d) + 10.0;
  }
  *value = sum;
  return HY_TRIED;
}

static void test_the_lowest_of_many_hollows_is_found_in_the_whole_box(void)
{
  static const HySpan wide[] = {{-5, 6, -3, FALSE}, {-5, 6.5, 4, FALSE}};
  static const char *const global[] = {"direct", "crs2"};
  for (guint k = 0; k < 2; k++) {
    HyFound a, b;
    HySearch search = {
        .method = global[k], .n = 2, .range = wide, .step = 1e-6, .most = 3000, .seed = 7};
    Seen first = searched(search, hollows, &a), again = searched(search, hollows, &b);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1.0, first.x[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1.0, first.x[1]);
    TEST_ASSERT_EQUAL_MEMORY(first.x, again.x, sizeof first.x);
    TEST_ASSERT_EQUAL_UINT64(a.runs, b.runs);
  }
}

static HyTried fails(gpointer user, const double *x, double *value, double *beyond)
{
  (void)user;
  (void)x;
  (void)value;
  (void)beyond;
  return HY_TRIED_FAILED;
}

static HyTried stops(gpointer user, const double *x, double *value, double *beyond)
{
  return ((const Seen *)user)->runs == 5 ? HY_TRIED_STOP : bowl(user, x, value, beyond);
}

static void test_no_run_more_than_asked(void)
{
  HyFound found;
  searched((HySearch){.n = 2, .range = box, .step = 1e-8, .most = 7}, bowl, &found);
  TEST_ASSERT_EQUAL_UINT64(7, found.runs);
  TEST_ASSERT_EQUAL_STRING("all runs are used", found.why);
}

static void test_it_ends_when_it_is_told(void)
{
  Seen s = {.of = stops, .n = 2, .best = G_MAXUINT64};
  HyFound found;
  HySearch search = {.n = 2, .range = box, .step = 1e-8, .most = 99, .try = seen, .user = &s};
  TEST_ASSERT_TRUE(hy_search(&search, &found, NULL));
  TEST_ASSERT_EQUAL_UINT64(5, found.runs);
  TEST_ASSERT_EQUAL_UINT64(6, s.runs);
  TEST_ASSERT_EQUAL_STRING("stopped", found.why);
}

static void refused(HySearch search, const char *message)
{
  g_autoptr(GError) error = NULL;
  HyFound found;
  Seen s = {.of = fails, .best = G_MAXUINT64};
  search.range = box;
  search.most = 99;
  search.step = 1e-8;
  search.try = seen;
  search.user = &s;
  TEST_ASSERT_FALSE(hy_search(&search, &found, &error));
  TEST_ASSERT_EQUAL_STRING(message, error->message);
  TEST_ASSERT_TRUE(s.runs <= 1);
}

static void test_what_cannot_be_searched_is_refused(void)
{
  refused((HySearch){.n = 2, .method = "simplex"}, "simplex is none of " HY_OPTIMISERS);
  refused((HySearch){.n = 1, .method = "bobyqa"},
          "bobyqa is for 2 parameters or more; take cobyla");
  refused((HySearch){.n = 2, .n_limits = 1, .method = "direct"},
          "direct knows no limits; cobyla does");
  refused((HySearch){.n = 2}, "the run that the search begins with has failed");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_minimum_is_found_also_beside_runs_that_fail);
  RUN_TEST(test_one_parameter_is_found_by_cobyla);
  RUN_TEST(test_a_limit_is_kept);
  RUN_TEST(test_a_search_that_has_left_the_limits_comes_back);
  RUN_TEST(test_the_lowest_of_many_hollows_is_found_in_the_whole_box);
  RUN_TEST(test_no_run_more_than_asked);
  RUN_TEST(test_it_ends_when_it_is_told);
  RUN_TEST(test_what_cannot_be_searched_is_refused);
  return UNITY_END();
}

#else

int main(void)
{
  puts("skipped: hydevs was built without NLopt");
  return 77;
}

#endif
