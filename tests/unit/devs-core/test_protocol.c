/* The laws of the message protocol, checked on every message of models of random shape. */
#include <string.h>

#include "random_model.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* What is known of a component by listening alone. */
typedef struct {
  char *name, *parent;
  gboolean atomic;
  double tl, tn;    /* as its last done said */
  guint owes;       /* requests it has not answered */
  gboolean in_star; /* an atomic between (*) and done */
  guint spoke;      /* (y) since that (*) */
} Party;

typedef struct {
  GHashTable *parties; /* name -> Party */
  guint64 requests, done, n;
  double t;
} Listener;

static void party_free(gpointer data)
{
  Party *p = data;
  g_free(p->name);
  g_free(p->parent);
  g_free(p);
}

static Party *party(const Listener *l, const char *name)
{
  return g_hash_table_lookup(l->parties, name);
}

static double earliest_child(const Listener *l, const char *parent)
{
  GHashTableIter iter;
  gpointer value;
  double min = INFINITY;
  for (g_hash_table_iter_init(&iter, l->parties); g_hash_table_iter_next(&iter, NULL, &value);) {
    const Party *p = value;
    if (strcmp(p->parent, parent) == 0) {
      min = fmin(min, p->tn);
    }
  }
  return min;
}

static void hear_request(Listener *l, const HyMessage *m)
{
  l->requests++;
  Party *to = party(l, m->to);
  if (m->kind == HY_MSG_I) {
    TEST_ASSERT_NULL(to);
    to = g_new0(Party, 1);
    to->name = g_strdup(m->to);
    to->parent = g_strdup(m->from);
    to->tn = INFINITY;
    to->atomic = TRUE;
    Party *parent = party(l, m->from);
    if (parent != NULL) {
      parent->atomic = FALSE;
    }
    g_hash_table_insert(l->parties, to->name, to);
  } else {
    TEST_ASSERT_TRUE(to->tl <= m->t && m->t <= to->tn);
    TEST_ASSERT_TRUE(m->kind != HY_MSG_STAR || m->t == to->tn);
  }
  TEST_ASSERT_EQUAL_UINT(0, to->owes); /* no request to one that owes an answer */
  to->owes++;
  to->in_star = m->kind == HY_MSG_STAR;
  to->spoke = 0;
}

static void hear_done(Listener *l, const HyMessage *m)
{
  l->done++;
  Party *from = party(l, m->from);
  TEST_ASSERT_EQUAL_UINT(1, from->owes);
  from->owes = 0;
  from->in_star = FALSE;
  from->tl = m->t;
  from->tn = m->tn;
  TEST_ASSERT_EQUAL_STRING(from->parent, m->to);
  TEST_ASSERT_TRUE(m->tn >= m->t);
  if (!from->atomic) {
    TEST_ASSERT_TRUE(m->tn == earliest_child(l, m->from));
  }
}

static void hear(gpointer user, const HyMessage *m)
{
  Listener *l = user;
  TEST_ASSERT_EQUAL_UINT64(++l->n, m->n);
  TEST_ASSERT_TRUE(m->t >= l->t);
  l->t = m->t;
  switch (m->kind) {
  case HY_MSG_DONE:
    hear_done(l, m);
    break;
  case HY_MSG_Y:
    if (party(l, m->from)->atomic) {
      TEST_ASSERT_TRUE(party(l, m->from)->in_star);
      TEST_ASSERT_EQUAL_UINT(0, party(l, m->from)->spoke++);
    }
    break;
  default:
    hear_request(l, m);
  }
}

static void test_every_trace_obeys_the_protocol(void)
{
  for (guint32 seed = 0; seed < 60; seed++) {
    g_autoptr(HyModel) root = random_model(seed, seed % 5);
    g_autoptr(HySim) sim = hy_sim_new(root, HY_TREE, NULL);
    Listener l = {.parties = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, party_free)};
    hy_sim_set_trace(sim, &(HyTrace){.user = &l, .message = hear});
    TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
    TEST_ASSERT_TRUE(hy_sim_run(sim, 3, NULL));
    TEST_ASSERT_EQUAL_UINT64(l.requests, l.done);
    HyTotals n;
    hy_sim_totals(sim, &n);
    TEST_ASSERT_EQUAL_UINT64(n.cycles, n.n_int);
    TEST_ASSERT_EQUAL_UINT64(l.requests, n.i + n.star + n.x);
    TEST_ASSERT_EQUAL_UINT64(l.done, n.done);
    TEST_ASSERT_EQUAL_UINT64(l.n, n.i + n.star + n.x + n.y + n.done);
    g_hash_table_unref(l.parties);
  }
}

/* Elapsed time at a tie is ta itself, although tN - tL differs from it by rounding in more than
 * half of all cases. */
typedef struct {
  double wait, e;
} Timer;

static double timer_ta(const void *state)
{
  return ((const Timer *)state)->wait;
}

static void timer_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t;
  (void)x;
  ((Timer *)state)->e = e;
  ((Timer *)state)->wait = ((Timer *)state)->wait - e;
}

static void timer_dint(void *state, double t)
{
  (void)t;
  ((Timer *)state)->wait = INFINITY;
}

static void test_elapsed_time_at_a_tie_is_ta(void)
{
  static const HyPort in[] = {{.name = "in", .kind = HY_EVENT}, {0}};
  static const HyParam params[] = {
      {.name = "wait", .offset = G_STRUCT_OFFSET(Timer, wait), .value = 1}, {0}};
  static const HyAtomicClass timer = {.name = "timer",
                                      .in = in,
                                      .params = params,
                                      .state_size = sizeof(Timer),
                                      .ta = timer_ta,
                                      .dint = timer_dint,
                                      .dext = timer_dext};
  GRand *rand = g_rand_new_with_seed(5);
  guint off = 0;
  for (guint k = 0; k < 2000; k++) {
    double t0 = g_rand_double(rand), wait = g_rand_double(rand), tn = t0 + wait;
    off += tn - t0 != wait;
    for (HyEngine engine = HY_TREE; engine <= HY_FLAT; engine++) {
      g_autoptr(HyModel) root = hy_model_new("R");
      hy_model_in(root, "in");
      guint a = hy_model_add(root, "A", &timer);
      TEST_ASSERT_TRUE(hy_model_set_real(root, a, "wait", wait, NULL));
      TEST_ASSERT_TRUE(hy_model_wire(root, "in", "A.in", NULL));
      g_autoptr(HySim) sim = hy_sim_new(root, engine, NULL);
      TEST_ASSERT_TRUE(hy_sim_init(sim, t0, NULL));
      TEST_ASSERT_TRUE(hy_sim_input(sim, tn, 0, &(HyValue){{0}, NULL}, NULL));
      TEST_ASSERT_TRUE(((const Timer *)hy_sim_state(sim, 0))->e == wait);
      TEST_ASSERT_TRUE(hy_sim_next(sim) == tn);
    }
  }
  g_rand_free(rand);
  TEST_ASSERT_GREATER_THAN_UINT(500, off);
}

/* A clock in C in the system R: each of its ticks is said by the clock, by C and, as it leaves the
 * system, by R to the root. */
static double clock_ta(const void *state)
{
  (void)state;
  return 1;
}

static HyEvent clock_lambda(const void *state, double t)
{
  (void)state;
  return (HyEvent){.port = 0, .value.c = {10 * t}};
}

static void clock_dint(void *state, double t)
{
  (void)state;
  (void)t;
}

static void hear_outputs(gpointer user, const HyMessage *m)
{
  if (m->kind == HY_MSG_Y) {
    g_string_append_printf(user, "%s>%s %s=%g; ", m->from, m->to, m->port, m->value->c[0]);
  }
}

static void test_what_leaves_the_system_is_said_by_the_system(void)
{
  static const HyPort out[] = {{.name = "tick", .kind = HY_EVENT}, {0}};
  static const HyAtomicClass klass = {.name = "clock",
                                      .out = out,
                                      .state_size = 1,
                                      .ta = clock_ta,
                                      .lambda = clock_lambda,
                                      .dint = clock_dint};
  g_autoptr(HyModel) root = hy_model_new("R");
  hy_model_out(root, "end");
  HyModel *inner = hy_model_add_coupled(root, "C");
  hy_model_out(inner, "out");
  hy_model_add(inner, "A", &klass);
  TEST_ASSERT_TRUE(hy_model_wire(inner, "A.tick", "out", NULL));
  TEST_ASSERT_TRUE(hy_model_wire(root, "C.out", "end", NULL));
  g_autoptr(HySim) sim = hy_sim_new(root, HY_TREE, NULL);
  g_autoptr(GString) heard = g_string_new(NULL);
  hy_sim_set_trace(sim, &(HyTrace){.user = heard, .message = hear_outputs});
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, NULL));
  TEST_ASSERT_TRUE(hy_sim_run(sim, 2.5, NULL));
  TEST_ASSERT_EQUAL_STRING("A>C tick=10; C>R out=10; R>root end=10; "
                           "A>C tick=20; C>R out=20; R>root end=20; ",
                           heard->str);
  HyTotals n;
  hy_sim_totals(sim, &n);
  TEST_ASSERT_EQUAL_UINT64(6, n.y);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_trace_obeys_the_protocol);
  RUN_TEST(test_elapsed_time_at_a_tie_is_ta);
  RUN_TEST(test_what_leaves_the_system_is_said_by_the_system);
  return UNITY_END();
}
