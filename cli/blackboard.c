#include "blackboard.h"

/* "NAME CLASS [PARAM VALUE]..." for one block, ended by NULL. */
typedef struct {
  const char *name, *klass;
  const char *set[6]; /* parameter, value, ... */
} Block;

static gboolean add(HyModel *m, const Block *b, GError **error)
{
  guint k = hy_model_add(m, b->name, hy_class_find(b->klass));
  for (guint i = 0; i < G_N_ELEMENTS(b->set) && b->set[i] != NULL; i += 2) {
    if (!hy_model_set(m, k, b->set[i], b->set[i + 1], error)) {
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean wire(HyModel *m, const char *const (*ends)[2], GError **error)
{
  for (; (*ends)[0] != NULL; ends++) {
    if (!hy_model_wire(m, (*ends)[0], (*ends)[1], error)) {
      return FALSE;
    }
  }
  return TRUE;
}

typedef const char *const Wires[][2];

static gboolean build_queue(HyModel *root, GError **error)
{
  static Wires wires = {{"G.out", "Q.in"}, {"G.out", "T.arr"}, {"Q.out", "T.dep"}, {0}};
  return add(root, &(Block){"G", "generator", {"first", "2", "period", "2", "values", "1, 2, 3"}},
             error) &&
         add(root, &(Block){"Q", "server", {"time", "3"}}, error) &&
         add(root, &(Block){"T", "transducer", {0}}, error) && wire(root, wires, error);
}

static gboolean build_players(HyModel *root, const char *delay, GError **error)
{
  static Wires wires = {{"A.out", "B.in"}, {"B.out", "A.in"}, {0}};
  return add(root, &(Block){"A", "player", {"ball", "1", "delay", delay}}, error) &&
         add(root, &(Block){"B", "player", {"delay", delay}}, error) && wire(root, wires, error);
}

static gboolean build_ping_pong(HyModel *root, GError **error)
{
  return build_players(root, "1", error);
}

static gboolean build_endless(HyModel *root, GError **error)
{
  return build_players(root, "0", error);
}

static gboolean build_nested(HyModel *root, GError **error)
{
  static Wires outer = {{"G.out", "C.in"}, {"C.out", "K.in"}, {0}};
  static Wires middle = {{"in", "P.in"}, {"P.out", "D.in"}, {"D.out", "out"}, {0}};
  static Wires inner = {{"in", "Q.in"}, {"Q.out", "out"}, {0}};
  if (!add(root, &(Block){"G", "generator", {"first", "1", "period", "2", "values", "7"}}, error)) {
    return FALSE;
  }
  HyModel *c = hy_model_add_coupled(root, "C");
  hy_model_in(c, "in");
  hy_model_out(c, "out");
  if (!add(c, &(Block){"P", "server", {"time", "1"}}, error)) {
    return FALSE;
  }
  HyModel *d = hy_model_add_coupled(c, "D");
  hy_model_in(d, "in");
  hy_model_out(d, "out");
  return add(d, &(Block){"Q", "server", {"time", "0.5"}}, error) && wire(d, inner, error) &&
         wire(c, middle, error) && add(root, &(Block){"K", "sink", {0}}, error) &&
         wire(root, outer, error);
}

static gboolean build_simultaneous(HyModel *root, gboolean relay_first, GError **error)
{
  static Wires wires = {{"A.out", "C.in"}, {"B.out", "C.in"}, {"C.out", "K.in"}, {0}};
  gboolean ok =
      add(root, &(Block){"A", "generator", {"first", "1", "period", "1", "values", "1"}}, error) &&
      add(root, &(Block){"B", "generator", {"first", "1", "period", "1", "values", "2"}}, error) &&
      add(root, &(Block){"C", "relay", {0}}, error) && add(root, &(Block){"K", "sink", {0}}, error);
  if (relay_first) {
    hy_model_set_priority(root, 2, 1);
  }
  return ok && wire(root, wires, error);
}

static gboolean build_order_abc(HyModel *root, GError **error)
{
  return build_simultaneous(root, FALSE, error);
}

static gboolean build_order_cab(HyModel *root, GError **error)
{
  return build_simultaneous(root, TRUE, error);
}

static gboolean build_drop(HyModel *root, gboolean server_first, GError **error)
{
  static Wires wires = {{"G.out", "P.in"}, {"P.out", "K.in"}, {0}};
  gboolean ok =
      add(root, &(Block){"G", "generator", {"first", "2", "period", "2", "values", "2"}}, error) &&
      add(root, &(Block){"P", "drop_server", {"time", "2", "job", "1"}}, error) &&
      add(root, &(Block){"K", "sink", {0}}, error);
  if (server_first) {
    hy_model_set_priority(root, 1, 1);
  }
  return ok && wire(root, wires, error);
}

static gboolean build_lost(HyModel *root, GError **error)
{
  return build_drop(root, FALSE, error);
}

static gboolean build_served(HyModel *root, GError **error)
{
  return build_drop(root, TRUE, error);
}

static gboolean build_tie(HyModel *root, GError **error)
{
  static Wires wires = {{"G.out", "Q.in"}, {"Q.out", "K.in"}, {0}};
  return add(root, &(Block){"G", "generator", {"first", "0.1", "period", "0.2", "values", "1, 2"}},
             error) &&
         add(root, &(Block){"Q", "server", {"time", "0.2"}}, error) &&
         add(root, &(Block){"K", "sink", {0}}, error) && wire(root, wires, error);
}

const Blackboard blackboard[] = {
    {"E1", "generator, queue, transducer", 100, 0, build_queue},
    {"E2", "ping-pong", 3, 0, build_ping_pong},
    {"E3", "a coupled model in a coupled model in a coupled model", 100, 0, build_nested},
    {"E4a", "simultaneous events: the relay is listed last", 100, 0, build_order_abc},
    {"E4b", "simultaneous events: the relay is listed first", 100, 0, build_order_cab},
    {"E5a", "input at the instant of an internal event: the job is lost", 100, 0, build_lost},
    {"E5b", "the same, the server listed first: the job is served", 100, 0, build_served},
    {"E6", "a loop that takes no time: ends with an error", 100, 4, build_endless},
    {"E7", "a tie at 0.1 + 0.2", 100, 0, build_tie},
    {0},
};
