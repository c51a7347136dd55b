/* method="auto": one method for all states for which nobody states another, chosen from their
 * equations before a run (docs/theory.md, section 10).
 *
 * What is looked at: the rows, on a copy of the simulation that runs a few thousand cycles by
 * liqss2, on the flat engine, so the choice is the same for all engines; at every so many cycles,
 * with the modes as they are and with each of them turned alone. All of it grows like the number of
 * partial derivatives. R is how often a state decays during the run, rate T: an explicit method
 * takes about as many steps however smooth x is. */
#include "run.h"

#include "coupled/model_internal.h"
#include "equations/angles.h"
#include "equations/chain.h"
#include "equations/networks.h"
#include "equations/print.h"
#include "equations/state_blocks.h"
#include "equations/stiffness.h"
#include "groups/groups.h"
#include "sim/engine.h"
#include "sim/smells.h"

#include <string.h>

#define PILOT   "liqss2"
#define CYCLES  4096U    /* of the pilot, and four for each atomic */
#define SOLVED  1000000U /* scalar derivatives of solvers in it, about */
#define TRIED   256U     /* by blocks */
#define LOOKS   32U      /* cycles between two looks, at least */
#define STIFF   16.0 /* by sqrt(tolerance): R from which on a state of a switched system is stiff */
#define DECAYS  120.0 /* mean R from which on a smooth system is for a stiff solver; */
#define MANY    30U   /* from so many states on, where a step of it costs little for each, */
#define FEW     20.0  /* this mean R */
#define ONEWAY  0.15  /* what comes back to a state, by its rate: below it others answer little */
#define FINE    1e-5  /* below this tolerance order 2 takes too many steps for a stiff circuit */
#define BLOCK   40U   /* states of a block at most, whose modes are cheap to have */
#define STEPPED 20U   /* states at most of a block that is not linear */
#define NARROW  4U    /* states of a layer of a chain at most */
#define SWINGS  1.0   /* what comes back to a state, by its rate: beyond it swings */
#define QUANTA  1e-4  /* tolerance below which these take too many steps in several blocks */
#define COARSE  1e-3  /* from this tolerance on order 2 needs no more steps than order 3 */

/* What is known of the states that are to be decided. */
typedef struct {
  const HyRun *run;
  HySim *seen;
  gboolean *free; /* [atomics] */
  guint n_states;
  HyStateRate *now, *any; /* [states]: by the modes that were seen, and with each turned alone */
  HyPart *part;           /* [states] */
  guint8 *network;        /* [states]: of a network that is linear between toggles */
  gboolean whole;         /* the pilot has come to the end of the run */
  double jumps;           /* events of sources and discrete blocks in the whole run, about */
  guint64 steps, toggles, words; /* of the pilot; of sources and discrete blocks */
} Look;

/* Which of the states that are to be decided. */
typedef enum { ALL, NETWORKS, REST } Side;

/* The same as numbers. */
typedef struct {
  guint n, switched, smooth;   /* states; with a mode; neither that nor readers of such */
  guint stiff, held;           /* R above STIFF; of them what comes back, too */
  guint chained;               /* of these, those that two others or more hold */
  guint rest_stiff, rest_held; /* of those that are not smooth */
  double mean, smooth_mean;    /* of R */
  guint decaying;              /* more than once in the run */
  guint smooth_decaying;       /* of those that are smooth, */
  double smooth_back;          /* and what comes back to them */
  double back;                 /* mean part that comes back, of those that decay at all */
  double jumps, tol;
  gboolean exact;    /* all equations are linear while no mode turns, but for sines of the time */
  gboolean known;    /* all equations are */
  gboolean heard;    /* not by each other alone */
  gboolean driven;   /* sources say something more often than states step */
  gboolean chatters; /* modes turn more often than states step */
  gboolean chain;    /* each state reads those near to it alone */
  gboolean smooth_chain;   /* so do those that are smooth, of these */
  guint block, rest_block; /* states of the largest block that they make; without the smooth ones */
} Character;

typedef struct {
  const char *method, *smooth; /* SMOOTH: of the states that are; NULL: METHOD, too */
  char *why;
} Choice;

/* For all of them. */
typedef struct {
  const char *networks; /* of those that are linear between toggles; NULL: as the others */
  Choice others;
} Plan;

/* Which states ------------------------------------------------------------------------------- */

gboolean hy_method_is_auto(const HyBlockInfo *info)
{
  return info->method == NULL || strcmp(info->method, HY_METHOD_AUTO) == 0;
}

static guint find_free(const HyRun *run, gboolean *free)
{
  guint n = 0;
  for (guint a = 0; a < run->sim->n; a++) {
    HyBlockInfo info;
    if (hy_class_method(run->sim->atoms[a].klass) != NULL) {
      hy_run_block(run->loaded, run->sim, a, &info);
      free[a] = hy_method_is_auto(&info);
      n += free[a] != 0;
    }
  }
  return n;
}

/* Of state K. */
static const char *method_of(const Look *l, const Plan *p, guint k)
{
  if (p->networks != NULL && l->network[k]) {
    return p->networks;
  }
  return p->others.smooth != NULL && l->part[k].why == HY_PART_SMOOTH ? p->others.smooth
                                                                      : p->others.method;
}

/* For all that are FREE; by states of SEEN, if they differ. */
static void take(HySim *sim, const Look *l, const Plan *p)
{
  g_autofree HyMethodChoice *choice = g_new0(HyMethodChoice, MAX(sim->n, 1));
  for (guint a = 0; a < sim->n; a++) {
    choice[a].method = l->free[a] ? p->others.method : NULL;
  }
  for (guint k = 0; k < l->n_states && (p->others.smooth != NULL || p->networks != NULL); k++) {
    guint a = hy_print_state_atomic(l->seen->room, k);
    choice[a].method = l->free[a] ? method_of(l, p, k) : NULL;
  }
  hy_sim_choose_methods(sim, choice);
}

void hy_run_try_methods(const HyLoaded *loaded, HySim *sim)
{
  g_autofree HyMethodChoice *choice = g_new0(HyMethodChoice, MAX(sim->n, 1));
  for (guint a = 0; a < sim->n; a++) {
    HyBlockInfo info;
    if (hy_class_method(sim->atoms[a].klass) != NULL) {
      hy_run_block(loaded, sim, a, &info);
      choice[a].method = hy_method_is_auto(&info) ? PILOT : NULL;
    }
  }
  hy_sim_choose_methods(sim, choice);
}

/* Looking ------------------------------------------------------------------------------------- */

static guint64 look(Look *l)
{
  return hy_room_rates(l->seen->room, l->seen->now.t, l->now, l->any);
}

/* Scalar derivatives of groups that the model states itself; their steps are no short cycles. */
static guint64 count_solved(const HySim *sim)
{
  guint64 n = 0;
  for (guint k = 0; k < hy_sim_n_groups(sim); k++) {
    HyGroupTotals g;
    hy_sim_group(sim, k, &g);
    n += g.totals.evaluations * g.states;
  }
  return n;
}

/* What goes wrong on the way goes wrong in the run, too, and is told there. A look may cost as much
 * as the cycles up to the next one. */
static void pilot(Look *l, double t0, double tf)
{
  HySim *seen = l->seen;
  guint64 most = CYCLES + (guint64)4 * seen->n;
  gboolean on = hy_sim_run(seen, t0, NULL);
  guint64 start = hy_smells_outside(seen), every = MAX(LOOKS, look(l));
  for (guint64 cycles = 0; on && cycles < most && count_solved(seen) < SOLVED; cycles += every) {
    on = seen->finished == NULL && seen->ops->run(seen, tf, every) == every && seen->error == NULL;
    look(l);
  }
  HyRoomCounts counts;
  hy_room_counts(seen->room, &counts);
  l->steps = counts.steps;
  l->toggles = counts.toggles;
  l->words = hy_smells_outside(seen) - start;
  double t = seen->now.t - t0, jumps = (double)l->words;
  l->whole = !on && seen->error == NULL;
  l->jumps = l->whole ? jumps : t > 0.0 ? jumps * (tf - t0) / t : 0.0;
}

/* For how long rates are counted. Of a run without end: for a thousand times of what is slowest. */
static double horizon(const Look *l, double tf)
{
  double T = tf - l->run->t0, slowest = INFINITY;
  for (guint k = 0; k < l->n_states; k++) {
    slowest = l->any[k].rate > 0.0 ? fmin(slowest, l->any[k].rate) : slowest;
  }
  return T < 1e300 ? T : slowest < INFINITY ? 1e3 / slowest : 0.0;
}

/* Those of STATE that can come: of a run that was seen whole, what was seen. */
static const HyStateRate *rates_of(const Look *l, guint state)
{
  return l->whole ? &l->now[state] : &l->any[state];
}

static gboolean is_decided(const Look *l, guint k, Side side)
{
  return l->free[hy_print_state_atomic(l->seen->room, k)] &&
         (side == ALL || (l->network[k] != 0) == (side == NETWORKS));
}

/* The smallest tolerance of those that are to be decided. */
static double tolerance(const Look *l, Side side)
{
  double tol = INFINITY;
  for (guint k = 0; k < l->n_states; k++) {
    HyBlockInfo info;
    guint a = hy_print_state_atomic(l->seen->room, k);
    hy_run_block(l->run->loaded, l->seen, a, &info);
    tol = is_decided(l, k, side) ? fmin(tol, fmax(info.dqrel, info.dqmin)) : tol;
  }
  return tol;
}

/* Of those that are decided, unless SMOOTH or they are not, the states of the largest block. */
static guint largest_block(const Look *l, gboolean smooth, Side side)
{
  g_autofree guint32 *state = g_new(guint32, (gsize)l->n_states + 1);
  guint n = 0, largest = 0;
  for (guint32 k = 0; k < l->n_states; k++) {
    if (is_decided(l, k, side) && (smooth || l->part[k].why != HY_PART_SMOOTH)) {
      state[n++] = k;
    }
  }
  HyStateBlocks *blocks = hy_state_blocks_new(l->seen->room, state, n, HY_BLOCK_FEW_STATES);
  for (guint k = 0; k < blocks->block->len; k++) {
    largest = MAX(largest, g_array_index(blocks->block, HyStateBlock, k).n);
  }
  hy_state_blocks_free(blocks);
  return largest;
}

/* Those that are decided, and smooth or ANY. */
static gboolean is_chain(const Look *l, gboolean any, Side side)
{
  g_autofree guint32 *state = g_new(guint32, (gsize)l->n_states + 1);
  g_autofree guint32 *order = g_new(guint32, (gsize)l->n_states + 1);
  guint n = 0, width;
  for (guint32 k = 0; k < l->n_states; k++) {
    if (is_decided(l, k, side) && (any || l->part[k].why == HY_PART_SMOOTH)) {
      state[n++] = k;
    }
  }
  return hy_room_chain_order(l->seen->room, state, n, NARROW, order, &width);
}

static Character judge(const Look *l, double T, Side side)
{
  HyRoom *room = l->seen->room;
  Character c = {.jumps = l->jumps,
                 .tol = tolerance(l, side),
                 .exact = side == NETWORKS || (side == ALL && hy_groups_are_exact(room)),
                 .known = TRUE,
                 .heard = hy_groups_are_heard(room),
                 .driven = l->steps < l->words,
                 .chatters = l->steps < l->toggles,
                 .chain = side == ALL ? hy_room_is_chain(room, NARROW) : is_chain(l, TRUE, side)};
  double limit = STIFF / sqrt(c.tol);
  for (guint k = 0; k < l->n_states; k++) {
    const HyStateRate *r = rates_of(l, k);
    double R = r->rate * T;
    if (!is_decided(l, k, side)) {
      continue;
    }
    c.n++;
    c.mean += R;
    c.switched += l->part[k].why != HY_PART_SMOOTH && l->part[k].why != HY_PART_READER;
    c.known &= l->part[k].why != HY_PART_NO_ROW;
    gboolean smooth = l->part[k].why == HY_PART_SMOOTH;
    gboolean stiff = R > limit, held = stiff && r->back * T > limit;
    c.smooth += smooth;
    c.smooth_mean += smooth ? R : 0.0;
    c.stiff += stiff;
    c.held += held;
    c.rest_stiff += stiff && !smooth;
    c.rest_held += held && !smooth;
    c.chained += held && r->next * T > limit;
    if (R > 1.0) {
      c.decaying++;
      c.back += r->back / r->rate;
      c.smooth_decaying += smooth;
      c.smooth_back += smooth ? r->back / r->rate : 0.0;
    }
  }
  if (c.known && c.switched > 0) {
    c.block = largest_block(l, TRUE, side);
    c.rest_block = largest_block(l, FALSE, side);
    c.smooth_chain = is_chain(l, FALSE, side);
  }
  c.mean /= MAX(c.n, 1);
  c.smooth_mean /= MAX(c.smooth, 1);
  c.back /= MAX(c.decaying, 1);
  c.smooth_back /= MAX(c.smooth_decaying, 1);
  return c;
}

/* The simulation as P says, initialised; newly allocated. NULL: it cannot start. */
static HySim *copy_by(const Look *l, const Plan *p, GError **error)
{
  const HyRun *run = l->run;
  HySim *sim = hy_sim_new(hy_loaded_model(run->loaded), HY_FLAT, error);
  if (sim == NULL) {
    return NULL;
  }
  hy_sim_set_seed(sim, run->seed);
  hy_sim_set_limit(sim, 100000 + (guint64)100 * run->sim->n);
  take(sim, l, p);
  if (!hy_sim_init_equations(sim, run->t0, error)) {
    hy_sim_free(sim);
    return NULL;
  }
  return sim;
}

/* On another copy: a block cannot do it, as where slow rates are lost in the rounding of fast ones,
 * or something goes wrong. */
static gboolean blocks_give_way(const Look *l, const Plan *p, double tf)
{
  HySim *sim = copy_by(l, p, NULL);
  gboolean fails = sim == NULL || !hy_sim_run(sim, l->run->t0, NULL);
  if (!fails) {
    sim->ops->run(sim, tf, TRIED);
    fails = sim->error != NULL;
  }
  for (guint k = 0; !fails && k < hy_sim_n_groups(sim); k++) {
    HyGroupTotals g;
    hy_sim_group(sim, k, &g);
    fails = g.stated != NULL && strcmp(g.stated, "block_liqss2") == 0;
  }
  hy_sim_free(sim);
  return fails;
}

/* Choosing ------------------------------------------------------------------------------------ */

static gboolean has_cvode(void)
{
  g_autofree char *why =
      hy_group_refuses(hy_method_find("cvode_bdf"), &(HyGroupSettings){.abstol = 1.0});
  return why == NULL;
}

static const char *states_are(guint n)
{
  return n == 1 ? "state is" : "states are";
}

/* Worth the time that a solver takes for all of N states at each step and after each jump. */
static gboolean decays(guint n, double mean, double jumps)
{
  return mean > (n >= MANY ? FEW : DECAYS) * (1.0 + jumps);
}

static const char *explicit_method(const Character *c)
{
  return c->tol < COARSE ? "qss3" : "qss2";
}

/* Linear equations in small blocks are solved exactly, and no rate is too fast for that. What a
 * block costs is paid at each toggle, what other methods cost at each step; so where nothing is
 * stiff these are cheaper if a mode chatters, or others are to be told by short lines. */
static gboolean takes_blocks(const Character *c, guint stiff, guint largest)
{
  gboolean tells = c->heard && c->tol < COARSE;
  return c->exact && largest <= BLOCK && (stiff > 0 || (!c->chatters && !tells));
}

/* Heat, diffusion, fronts: what does not move costs nothing, what moves everywhere a step by its
 * error, with the matrix of a chain. Not where states answer others more than they decay: coils and
 * capacitors swing everywhere. */
static gboolean takes_moving_chain(const Character *c)
{
  return c->chain && 2 * c->decaying >= c->n && c->back < SWINGS && c->n > BLOCK && c->tol >= FINE;
}

/* Many linear equations that are solved at once for little: a step goes by its error, with the
 * matrix as it is, and neither a rate nor a jump of a source makes it more. */
static gboolean takes_chain(const Character *c)
{
  return c->chain && c->exact && c->n > BLOCK && c->tol >= QUANTA;
}

static Choice choose_smooth(const Character *c)
{
  gboolean often = decays(c->n, c->mean, c->jumps);
  char times[HY_DOUBLE_SIZE];
  g_ascii_formatd(times, sizeof times, "%.3g", c->mean);
  if (takes_blocks(c, 0, c->n) && c->n <= STEPPED && !c->driven) {
    return (Choice){"block_liqss2", NULL,
                    g_strdup_printf("all is smooth and linear, and %u %s solved together", c->n,
                                    states_are(c->n))};
  }
  if (!often && c->stiff == 0) {
    return (Choice){explicit_method(c), NULL, g_strdup("nothing is stiff")};
  }
  if (takes_moving_chain(c)) {
    return (Choice){"chain_liqss2", NULL,
                    g_strdup_printf("all is smooth, and %u states make a chain and decay %s times "
                                    "in the run (mean)",
                                    c->n, times)};
  }
  if (takes_chain(c)) {
    return (Choice){"block_liqss2_error", NULL,
                    g_strdup_printf("all is smooth and linear, and %u states make a chain", c->n)};
  }
  if (c->n >= MANY && c->back < ONEWAY) {
    return (Choice){"liqss2", NULL,
                    g_strdup_printf("a state decays %s times in the run (mean), and what others "
                                    "answer to it is little",
                                    times)};
  }
  if (often && c->known && c->n <= STEPPED && c->tol >= QUANTA) {
    return (Choice){
        "block_liqss2_error", NULL,
        g_strdup_printf("all is smooth, few, and a state decays %s times in the run (mean)",
                        times)};
  }
  if (often && has_cvode()) {
    return (Choice){
        "cvode_bdf", NULL,
        g_strdup_printf("all is smooth, and a state decays %s times in the run (mean)", times)};
  }
  return (Choice){
      c->held > 0 ? "mliqss2" : "liqss2", NULL,
      g_strdup_printf("all is smooth, and a state decays %s times in the run (mean)", times)};
}

/* "; 2 of them answer each other", newly allocated. */
static char *in_pairs(guint held)
{
  return held > 0 ? g_strdup_printf(", and %u of them answer each other", held) : g_strdup("");
}

/* Smooth ones that decay fast go to a solver of their own, if they are many. */
static gboolean go_apart(const Character *c)
{
  return c->smooth >= MANY && c->back >= ONEWAY && (has_cvode() || c->smooth_chain) &&
         decays(c->smooth, c->smooth_mean, 0.0);
}

static const char *smooth_method(const Character *c)
{
  return c->smooth_chain && c->smooth_back < SWINGS && c->tol >= FINE ? "chain_liqss2"
                                                                      : "cvode_bdf";
}

static Choice choose_blocks(const Character *c, guint stiff, const char *smooth, const char *others)
{
  return (Choice){"block_liqss2", smooth,
                  stiff > 0
                      ? g_strdup_printf("%u %s stiff, in a system that switches and is linear "
                                        "between%s",
                                        stiff, states_are(stiff), others)
                      : g_strdup_printf("%u %s switched, in a system that is linear between%s",
                                        c->switched, states_are(c->switched), others)};
}

/* What is not linear is stepped in one block, all states at once: few of them, fewer if pairs do.
 */
static gboolean takes_steps(const Character *c, guint stiff, guint n)
{
  guint most = c->chained > 0 ? STEPPED : STEPPED / 2;
  return stiff > 0 && c->known && !c->exact && n <= most && c->tol >= FINE;
}

/* Many of them in small blocks, some of which may be linear: each state within its quantum, which
 * is many steps if the tolerance is fine. */
static gboolean takes_stepped_blocks(const Character *c)
{
  return c->chained > 0 && c->known && !c->exact && c->block <= STEPPED && c->tol >= QUANTA;
}

static Choice choose_steps(const char *method, guint stiff, const char *smooth, const char *others)
{
  return (Choice){method, smooth,
                  g_strdup_printf("%u %s stiff, in a system that switches and is not linear%s",
                                  stiff, states_are(stiff), others)};
}

/* Where three or more hold each other pairs do not do, and a solver is worth its new start at each
 * jump. */
static Choice choose_switched(const Character *c)
{
  gboolean apart = go_apart(c);
  guint stiff = apart ? c->rest_stiff : c->stiff;
  const char *smooth = apart ? smooth_method(c) : NULL;
  g_autofree char *others =
      apart ? g_strdup_printf("; %s: %u are smooth and decay fast", smooth, c->smooth)
            : g_strdup("");
  g_autofree char *pairs = in_pairs(apart ? c->rest_held : c->held);
  if (takes_blocks(c, c->stiff, c->block)) {
    return choose_blocks(c, c->stiff, NULL, "");
  }
  if (apart && takes_blocks(c, stiff, c->rest_block)) {
    return choose_blocks(c, stiff, smooth, others);
  }
  if (takes_steps(c, stiff, c->n - (apart ? c->smooth : 0))) {
    return choose_steps("block_liqss2_error", stiff, smooth, others);
  }
  if (takes_stepped_blocks(c)) {
    return choose_steps("block_liqss2", c->stiff, NULL, "");
  }
  if (c->chained > 0 && has_cvode()) {
    return (Choice){"cvode_bdf", NULL,
                    g_strdup_printf("%u %s stiff, in a system that switches, and %u of them are "
                                    "each held by two others or more",
                                    c->stiff, states_are(c->stiff), c->chained)};
  }
  if (stiff > 0 && c->tol < FINE && has_cvode()) {
    return (Choice){"cvode_bdf", NULL,
                    g_strdup_printf("%u %s stiff, in a system that switches, and the tolerance is "
                                    "too fine for methods of order 2",
                                    stiff, states_are(stiff))};
  }
  if (stiff == 0) {
    return (Choice){explicit_method(c), smooth,
                    g_strdup_printf("%u %s switched, none is stiff%s", c->switched,
                                    states_are(c->switched), others)};
  }
  return (Choice){"mliqss2", smooth,
                  g_strdup_printf("%u %s stiff, in a system that switches%s%s", stiff,
                                  states_are(stiff), pairs, others)};
}

static Choice choose_by(const Character *c)
{
  return c->switched > 0 ? choose_switched(c) : choose_smooth(c);
}

/* Networks ------------------------------------------------------------------------------------ */

/* Blocks for networks that switch, or of which some state is stiff; of what is smooth, few. */
static gboolean networks_take_blocks(const Character *c)
{
  if (c->switched > 0) {
    return takes_blocks(c, c->stiff, c->block);
  }
  return c->stiff > 0 && takes_blocks(c, 0, c->n) && c->n <= STEPPED && !c->driven;
}

static char *networks_why(const Character *c)
{
  guint n = c->stiff > 0 ? c->stiff : c->switched;
  return g_strdup_printf("%u %s %s, in what is linear%s", n, states_are(n),
                         c->stiff > 0 ? "stiff" : "switched",
                         c->switched > 0 ? " between toggles" : "");
}

/* Those that are in none, and whose sines are taken. */
static gboolean rest_has_angles(const Look *l)
{
  g_autofree guint8 *rest = g_new0(guint8, (gsize)l->n_states + 1);
  for (guint k = 0; k < l->n_states; k++) {
    rest[k] = is_decided(l, k, REST);
  }
  return hy_room_has_angles(l->seen->room, rest);
}

/* Of what is in no network, C having been chosen for it alone. A network says parabolas, and new
 * ones at each toggle: a state of order 3 follows them in as many steps as one of order 2, and
 * closer. An angle lags by its quantum, which grows with each turn; what steps by its error, anew
 * wherever the network jumps, does not. Blocks that are not exact are what they would become, and
 * none of the networks. */
static void put_beside(const Look *l, const Character *r, Choice *c)
{
  gboolean explicit = strcmp(c->method, "qss2") == 0 || strcmp(c->method, "qss3") == 0;
  if (explicit && r->known && r->n <= STEPPED && r->tol >= FINE && rest_has_angles(l)) {
    g_autofree char *why = c->why;
    c->method = "block_liqss2_error";
    c->why = g_strdup_printf("%s, and there are sines of them", why);
  } else if (explicit) {
    c->method = "qss3";
  } else if (strcmp(c->method, "block_liqss2") == 0) {
    c->method = "block_liqss2_quantum";
  }
}

/* C of networks; the rest is decided as if it were alone, if there is any. */
static Plan plan_apart(const Look *l, double T, const Character *c)
{
  g_autofree char *why = networks_why(c);
  Character r = judge(l, T, REST);
  if (r.n == 0) {
    return (Plan){NULL, {"block_liqss2", NULL, g_steal_pointer(&why)}};
  }
  Choice rest = choose_by(&r);
  put_beside(l, &r, &rest);
  g_autofree char *of_rest = rest.why;
  rest.why = g_strdup_printf("%s; %s: %u more, %s", why, rest.method, r.n, of_rest);
  return (Plan){"block_liqss2", rest};
}

/* A network that is linear is a block by itself, whatever controls it. FALSE: there is none, or it
 * gives way. */
static gboolean choose_apart(const Look *l, double T, double tf, Plan *p)
{
  hy_groups_find_exact(l->seen->room, l->network);
  hy_room_networks(l->seen->room, l->network);
  Character c = judge(l, T, NETWORKS);
  if (c.n == 0 || !networks_take_blocks(&c)) {
    return FALSE;
  }
  *p = plan_apart(l, T, &c);
  gboolean stays = !blocks_give_way(l, p, tf);
  if (!stays) {
    g_free(p->others.why);
  }
  return stays;
}

/* Where nothing is stiff, blocks have to be exact: they are tried. */
static Plan choose(const Look *l, double tf)
{
  double T = horizon(l, tf);
  Character c = judge(l, T, ALL);
  Plan p;
  if (!c.exact && choose_apart(l, T, tf, &p)) {
    return p;
  }
  p = (Plan){NULL, choose_by(&c)};
  if (c.stiff > 0 || strcmp(p.others.method, "block_liqss2") != 0 || !blocks_give_way(l, &p, tf)) {
    return p;
  }
  g_free(p.others.why);
  c.exact = FALSE;
  return (Plan){NULL, choose_by(&c)};
}

static void look_init(Look *l)
{
  l->n_states = hy_print_n_states(l->seen->room); /* it has states */
  l->now = g_new0(HyStateRate, (gsize)l->n_states + 1);
  l->any = g_new0(HyStateRate, (gsize)l->n_states + 1);
  l->part = g_new0(HyPart, (gsize)l->n_states + 1);
  l->network = g_new0(guint8, (gsize)l->n_states + 1);
}

static void look_clear(Look *l)
{
  hy_sim_free(l->seen);
  g_free(l->free);
  g_free(l->now);
  g_free(l->any);
  g_free(l->part);
  g_free(l->network);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Look, look_clear)

/* Verbs that look at a model without running it have an end far away: then that of the experiment
 * counts, as in a run. */
static double end_of(const HyRun *run)
{
  const HyExperiment *x = hy_loaded_experiment(run->loaded);
  return run->tf - run->t0 >= 1e300 && isfinite(x->stop) ? x->stop : run->tf;
}

/* A file beside the model's that is none of a disk, as a pipe: a look at it would take what the run
 * is to read. NULL: there is none. */
static const char *read_once(const HyRun *run)
{
  for (const char *const *in = hy_loaded_inputs(run->loaded) + 1; *in != NULL; in++) {
    if (g_file_test(*in, G_FILE_TEST_EXISTS) && !g_file_test(*in, G_FILE_TEST_IS_REGULAR)) {
      return *in;
    }
  }
  return NULL;
}

/* Initialised and looked at. FALSE: it cannot start, and neither can the run. */
static gboolean see(Look *l, double tf, GError **error)
{
  l->seen = copy_by(l, &(Plan){.others.method = PILOT}, error);
  if (l->seen == NULL) {
    return FALSE;
  }
  look_init(l);
  hy_room_partition(l->seen->room, l->part);
  pilot(l, l->run->t0, tf);
  return TRUE;
}

/* What another run has chosen. Which states are smooth, or of a network, is as this one's equations
 * say: only they are looked at. FALSE: it cannot start. */
static gboolean take_like(HyRun *run, Look *l, GError **error)
{
  const HyChosen *c = &run->like->sim->set.chosen;
  Plan p = {c->networks, {c->method, c->smooth, g_strdup(c->why)}};
  if (c->networks != NULL || c->smooth != NULL) {
    l->seen = copy_by(l, &(Plan){.others.method = PILOT}, error);
    if (l->seen == NULL) {
      g_free(p.others.why);
      return FALSE;
    }
    look_init(l);
    hy_room_partition(l->seen->room, l->part);
    hy_groups_find_exact(l->seen->room, l->network);
    hy_room_networks(l->seen->room, l->network);
  }
  take(run->sim, l, &p);
  run->sim->set.chosen = (HyChosen){p.networks, p.others.method, p.others.smooth, p.others.why};
  return TRUE;
}

gboolean hy_run_auto(HyRun *run, GError **error)
{
  g_auto(Look) l = {.run = run, .free = g_new0(gboolean, (gsize)run->sim->n + 1)};
  const char *once = read_once(run);
  double tf = end_of(run);
  if (find_free(run, l.free) == 0) {
    return TRUE;
  }
  if (run->like != NULL && run->like->sim->set.chosen.why != NULL) {
    return take_like(run, &l, error);
  }
  if (once == NULL && !see(&l, tf, error)) {
    return FALSE;
  }
  Plan p = once == NULL ? choose(&l, tf)
                        : (Plan){NULL,
                                 {"qss2", NULL,
                                  g_strdup_printf("nothing was looked at, since %s can be read "
                                                  "only once",
                                                  once)}};
  take(run->sim, &l, &p);
  run->sim->set.chosen = (HyChosen){p.networks, p.others.method, p.others.smooth, p.others.why};
  return TRUE;
}
