#include "devstone.h"

/* The atomic: any input wakes it, then it speaks once. */
typedef struct {
  gboolean active;
} Stone;

static double stone_ta(const void *state)
{
  return ((const Stone *)state)->active ? 0 : INFINITY;
}

static HyEvent stone_lambda(const void *state, double t)
{
  (void)state;
  (void)t;
  return (HyEvent){.port = 0};
}

static void stone_dint(void *state, double t)
{
  (void)t;
  ((Stone *)state)->active = FALSE;
}

static void stone_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t;
  (void)e;
  (void)x;
  ((Stone *)state)->active = TRUE;
}

static const HyPort stone_in[] = {{.name = "in", .kind = HY_EVENT}, {0}};
static const HyPort stone_out[] = {{.name = "out", .kind = HY_EVENT}, {0}};
static const HyAtomicClass stone_class = {
    .name = "stone",
    .in = stone_in,
    .out = stone_out,
    .state_size = sizeof(Stone),
    .ta = stone_ta,
    .lambda = stone_lambda,
    .dint = stone_dint,
    .dext = stone_dext,
};

/* The seeder: active from the start, never again. */
static gboolean seeder_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t;
  (void)setup;
  (void)error;
  ((Stone *)state)->active = TRUE;
  return TRUE;
}

static const HyAtomicClass seeder_class = {
    .name = "seeder",
    .out = stone_out,
    .state_size = sizeof(Stone),
    .init = seeder_init,
    .ta = stone_ta,
    .lambda = stone_lambda,
    .dint = stone_dint,
};

enum { IN, IN2 };
enum { OUT, OUT2 };

/* Couplings of a model built here exist by construction. */
static void join(HyModel *m, guint from, guint from_port, guint to, guint to_port)
{
  if (!hy_model_connect(m, from, from_port, to, to_port, NULL)) {
    g_assert_not_reached();
  }
}

static guint add_stone(HyModel *m, char row, guint k)
{
  char name[24];
  g_snprintf(name, sizeof name, "%c_%u", row, k);
  return hy_model_add(m, name, &stone_class);
}

static HyModel *add_coupled(HyModel *parent, guint k, DevstoneKind kind)
{
  char name[24];
  g_snprintf(name, sizeof name, "C_%u", k);
  HyModel *m = hy_model_add_coupled(parent, name);
  hy_model_in(m, "in");
  hy_model_out(m, "out");
  if (kind >= DEVSTONE_HO) {
    hy_model_in(m, "in2");
  }
  if (kind == DEVSTONE_HO) {
    hy_model_out(m, "out2");
  }
  return m;
}

/* LI, HI, HO: a chain a_1 .. a_(w-1) beside the inner model. FIRST is the number of a_1. */
static void wire_chain(HyModel *m, DevstoneKind kind, guint w, guint first)
{
  for (guint k = 0; k + 1 < w; k++) {
    join(m, HY_SELF, kind == DEVSTONE_HO ? IN2 : IN, first + k, 0);
  }
  for (guint k = 0; kind != DEVSTONE_LI && k + 2 < w; k++) {
    join(m, first + k, 0, first + k + 1, 0);
  }
}

/* HOmod: w rows; row 1 and 2 have w - 1 atomics, each further row one fewer. FIRST is the number of
 * r_1. */
static void wire_triangle(HyModel *m, guint w, guint first, guint inner)
{
  guint n = w - 1;
  for (guint k = 0; k < n; k++) {
    join(m, HY_SELF, IN2, first + k, 0);
    join(m, first + k, 0, inner, IN2);
  }
  guint row = first + n;
  if (n > 0) {
    join(m, HY_SELF, IN2, row, 0);
  }
  for (guint k = 0; k < n; k++) {
    for (guint j = 0; j < n; j++) {
      join(m, row + k, 0, first + j, 0);
    }
  }
  for (guint above = row, size = n;
       size-- > 1;) { /* SIZE: atomics of this row, one fewer than above */
    guint here = above + size + 1;
    join(m, HY_SELF, IN2, here, 0);
    for (guint k = 0; k < size; k++) {
      join(m, here + k, 0, above + k + 1, 0);
    }
    above = here;
  }
}

static guint add_stones(HyModel *m, DevstoneKind kind, guint w)
{
  guint first = hy_model_n(m);
  if (kind != DEVSTONE_HOMOD) {
    for (guint k = 1; k < w; k++) {
      add_stone(m, 'a', k);
    }
    return first;
  }
  for (guint k = 1; k < w; k++) {
    add_stone(m, 'r', k);
  }
  guint next = 1;
  for (guint size = w - 1; size > 0; size--) {
    for (guint k = 0; k < size; k++) {
      add_stone(m, 'b', next++);
    }
  }
  return first;
}

/* Fills C_k and returns C_(k-1), still empty. */
static HyModel *fill_level(HyModel *m, DevstoneKind kind, guint w, guint k, gboolean inner_first)
{
  HyModel *inner = inner_first ? add_coupled(m, k - 1, kind) : NULL;
  guint first = add_stones(m, kind, w);
  if (inner == NULL) {
    inner = add_coupled(m, k - 1, kind);
  }
  guint c = hy_model_index(inner);
  join(m, HY_SELF, IN, c, IN);
  if (kind == DEVSTONE_HO) {
    join(m, HY_SELF, IN2, c, IN2);
  }
  if (kind == DEVSTONE_HOMOD) {
    wire_triangle(m, w, first, c);
  } else {
    wire_chain(m, kind, w, first);
  }
  join(m, c, OUT, HY_SELF, OUT);
  for (guint i = 0; kind == DEVSTONE_HO && i + 1 < w; i++) {
    join(m, first + i, 0, HY_SELF, OUT2);
  }
  return inner;
}

HyModel *devstone_new(DevstoneKind kind, guint width, guint depth, gboolean inner_first)
{
  HyModel *root = hy_model_new("devstone");
  guint seeder = hy_model_add(root, "seeder", &seeder_class);
  HyModel *m = add_coupled(root, depth, kind);
  join(root, seeder, 0, hy_model_index(m), IN);
  if (kind >= DEVSTONE_HO) {
    join(root, seeder, 0, hy_model_index(m), IN2);
  }
  for (guint k = depth; k > 1; k--) {
    m = fill_level(m, kind, width, k, inner_first);
  }
  guint a = add_stone(m, 'A', 1);
  join(m, HY_SELF, IN, a, 0);
  join(m, a, 0, HY_SELF, OUT);
  return root;
}

/* RING ---------------------------------------------------------------------------------------- */

typedef struct {
  double period, sigma;
} RingPlayer;

static gboolean ring_player_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t;
  (void)setup;
  (void)error;
  RingPlayer *s = state;
  s->sigma = s->period;
  return TRUE;
}

static double ring_player_ta(const void *state)
{
  return ((const RingPlayer *)state)->sigma;
}

static void ring_player_dint(void *state, double t)
{
  (void)t;
  RingPlayer *s = state;
  s->sigma = s->period;
}

static void ring_player_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)t;
  (void)x;
  RingPlayer *s = state;
  s->sigma = MAX(s->sigma - e, 0);
}

static const HyParam ring_player_params[] = {{.name = "period",
                                              .offset = G_STRUCT_OFFSET(RingPlayer, period),
                                              .required = TRUE,
                                              .range = HY_POSITIVE},
                                             {0}};
static const HyAtomicClass ring_player_class = {
    .name = "ring_player",
    .in = stone_in,
    .out = stone_out,
    .params = ring_player_params,
    .state_size = sizeof(RingPlayer),
    .init = ring_player_init,
    .ta = ring_player_ta,
    .lambda = stone_lambda,
    .dint = ring_player_dint,
    .dext = ring_player_dext,
};

HyModel *ring_new(guint n)
{
  HyModel *root = hy_model_new("ring");
  for (guint i = 0; i < n; i++) {
    char name[24];
    double whole;
    g_snprintf(name, sizeof name, "p_%u", i);
    guint p = hy_model_add(root, name, &ring_player_class);
    if (!hy_model_set_real(root, p, "period", 0.5 + modf(i * 0.6180339887498949, &whole), NULL)) {
      g_assert_not_reached();
    }
  }
  for (guint i = 0; i < n; i++) {
    join(root, i, 0, (i + 1) % n, 0);
  }
  return root;
}
