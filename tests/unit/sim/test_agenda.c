/* The agenda against a plain scan: the earliest event, and of equal ones the first, while time goes
 * on from event to event and many become due at the instant of another. */
#include "sim/agenda.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static guint scan(const double *tn, guint n)
{
  guint best = 0;
  for (guint k = 1; k < n; k++) {
    best = tn[k] < tn[best] ? k : best;
  }
  return best;
}

typedef struct {
  guint n;
  double *tn;
  HyAgenda agenda;
  GRand *rand;
} Check;

static void change(Check *c, guint i, double t)
{
  c->tn[i] = t;
  hy_agenda_set(&c->agenda, i, t);
  TEST_ASSERT_TRUE(c->agenda.tn[i] == t);
}

/* Now with DUE of ten, else later (often at the same instant as others), sometimes never. */
static double instant(Check *c, double now, gint due)
{
  gint kind = g_rand_int_range(c->rand, 0, 10);
  return kind < due ? now : kind == 9 ? INFINITY : now + g_rand_int_range(c->rand, 0, 4);
}

static void look(Check *c)
{
  guint wanted = scan(c->tn, c->n), first;
  double t = hy_agenda_first(&c->agenda, &first);
  TEST_ASSERT_TRUE(t == c->tn[wanted] && hy_agenda_min(&c->agenda) == t);
  if (t < INFINITY) {
    TEST_ASSERT_EQUAL_UINT(wanted, first);
  }
}

/* Root cycles, and between them inputs that come before the next event. */
static void check_size(guint n, guint fan, GRand *rand)
{
  Check c = {.n = n, .tn = g_new(double, n), .rand = rand};
  hy_agenda_init(&c.agenda, n);
  for (guint i = 0; i < n; i++) {
    c.tn[i] = INFINITY;
    change(&c, i, g_rand_int_range(rand, 0, 3));
  }
  for (guint step = 0; step < 4000; step++) {
    look(&c);
    guint first = scan(c.tn, n);
    double t = c.tn[first];
    if (step % 7 == 0) { /* an input; T may be the instant of the next event */
      t = t < INFINITY ? t - g_rand_int_range(rand, 0, 2) * 0.5 : 1000.0 + step;
      t = fmax(t, isnan(c.agenda.now) ? 0.0 : c.agenda.now);
      change(&c, (guint)g_rand_int_range(rand, 0, (gint32)n), instant(&c, t, 8));
      continue;
    }
    if (t < INFINITY) {
      hy_agenda_advance(&c.agenda, t);
      for (guint k = 0; k < fan; k++) {
        change(&c, (guint)g_rand_int_range(rand, 0, (gint32)n),
               instant(&c, t, step % 50 < 25 ? 6 : 1));
      }
      change(&c, first, instant(&c, t, 1));
    }
  }
  g_free(c.tn);
  hy_agenda_clear(&c.agenda);
}

static void test_the_first_of_the_earliest(void)
{
  static const guint sizes[] = {1, 2, 8, 16, 17, 40, 130, 1025};
  GRand *rand = g_rand_new_with_seed(1);
  for (gsize k = 0; k < G_N_ELEMENTS(sizes); k++) {
    check_size(sizes[k], 1, rand);
    check_size(sizes[k], 4, rand);
  }
  g_rand_free(rand);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_first_of_the_earliest);
  return UNITY_END();
}
