/* Too many events at one instant: how many are allowed, and who is told to have had the last.
 *
 * A limit that somebody states is one of cycles, and exact. By default it is what those who take
 * part may come to, so that a loop of few blocks ends as early in a large model as in a small one:
 *
 *   cycles           1,000,000, or 10,000 for each atomic that takes part
 *   inputs reached   100,000,000, or 1,000 for each: an event that goes to very many is slow
 *
 * An atomic takes part if it has a cycle at the instant, after the first HY_SOON of them, which
 * nobody looks at. An event reaches as many inputs as the widest output of its atomic. All of this
 * follows from the order of cycles and the flat graph, which are the same on every engine. */
#include "engine.h"

#include "base/hint.h"

#define CYCLES      G_GUINT64_CONSTANT(1000000)
#define CYCLES_EACH 10000
#define INPUTS      G_GUINT64_CONSTANT(100000000)
#define INPUTS_EACH 1000

void hy_sim_watch_instants(HySim *sim)
{
  if (!sim->set.limit_set) {
    sim->set.limit = CYCLES; /* at least */
    sim->watch = HY_SOON;
    return;
  }
  guint64 limit = sim->set.limit;
  sim->watch = limit == 0 ? G_MAXUINT64 : limit > HY_LAST ? limit - HY_LAST : 0;
}

/* So many inputs does the widest output of ATOMIC reach. Looked up once: it may have very many. */
static guint widest(HySim *sim, guint atomic)
{
  const HyFlat *flat = sim->graph;
  if (sim->widest == NULL) {
    sim->widest = g_new0(guint, sim->n); /* + 1; 0: not looked up */
  }
  guint *known = &sim->widest[atomic];
  if (*known == 0) {
    guint most = 0;
    for (guint slot = flat->first_out[atomic]; slot < flat->first_out[atomic + 1]; slot++) {
      most = MAX(most, flat->start[slot + 1] - flat->start[slot]);
    }
    *known = most + 1;
  }
  return *known - 1;
}

static void take_part(HySim *sim, guint atomic)
{
  HySimNow *now = &sim->now;
  HyAtom *a = &sim->atoms[atomic];
  if (now->at_t == sim->watch) {
    now->parts = now->reached = 0;
  }
  guint instant = (guint)now->instants;
  now->parts += a->instant != instant;
  a->instant = instant;
  now->reached += widest(sim, atomic);
}

/* The last ones, or ATOMIC where there is none. Newly allocated. */
static char *last_names(const HySim *sim, guint atomic, guint64 limit)
{
  GString *names = g_string_new(NULL);
  guint n = (guint)MIN(limit, HY_LAST);
  for (guint k = 0; k < n; k++) {
    guint who = sim->now.last[(sim->now.at_t - 1 - k) % HY_LAST];
    gboolean named = FALSE;
    for (guint j = 0; j < k; j++) {
      named |= sim->now.last[(sim->now.at_t - 1 - j) % HY_LAST] == who;
    }
    if (!named) {
      g_autofree char *path = hy_sim_path(sim, who);
      hy_list_word(names, path);
    }
  }
  if (names->len == 0) {
    g_autofree char *path = hy_sim_path(sim, atomic);
    g_string_append(names, path);
  }
  return g_string_free(names, FALSE);
}

gboolean hy_sim_zero_time(HySim *sim, guint atomic, double t)
{
  guint64 cycles = sim->set.limit, inputs = G_MAXUINT64;
  if (!sim->set.limit_set) {
    take_part(sim, atomic);
    cycles = MAX(cycles, CYCLES_EACH * sim->now.parts);
    inputs = MAX(INPUTS, INPUTS_EACH * sim->now.parts);
  }
  if (cycles == 0 || (sim->now.at_t <= cycles && sim->now.reached <= inputs)) {
    sim->now.last[sim->now.at_t % HY_LAST] = atomic;
    return TRUE;
  }
  char time[HY_DOUBLE_SIZE];
  hy_double_text(time, t);
  g_autofree char *names = last_names(sim, atomic, cycles);
  if (sim->now.at_t > cycles) {
    sim->error = g_error_new(HY_ERROR, HY_ERROR_ILLEGITIMATE,
                             "illegitimate at t = %s: more than %" G_GUINT64_FORMAT
                             " further events at one instant; the last were of %s",
                             time, cycles, names);
  } else {
    sim->error = g_error_new(HY_ERROR, HY_ERROR_ILLEGITIMATE,
                             "illegitimate at t = %s: %" G_GUINT64_FORMAT
                             " events at one instant, to more than %" G_GUINT64_FORMAT
                             " inputs; the last were of %s",
                             time, sim->now.at_t, inputs, names);
  }
  return FALSE;
}
