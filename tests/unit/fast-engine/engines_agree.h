/* For tests: one random diagram, run in all ways that must say the same. */
#ifndef ENGINES_AGREE_H
#define ENGINES_AGREE_H

#include "agree.h"
#include "random_diagram.h"

/* Who is watched, of the blocks that are not static, and how: an engine may treat a watched block
 * otherwise, and one of which words are wanted in another way again. */
typedef enum { NOBODY, STATES, OTHERS, ALL, SOME } Who;

static inline guint8 *watched_by(const HySim *sim, Who who, guint32 seed)
{
  guint8 *watched = g_new0(guint8, hy_sim_n(sim) + 1);
  for (guint a = 0; a < hy_sim_n(sim); a++) {
    const HyAtomicClass *klass = hy_sim_class(sim, a);
    gboolean state = klass->order != NULL;
    gboolean words = ((who == SOME ? seed + a : seed) & 1) != 0;
    gboolean wanted =
        klass->describe == NULL &&
        (who == SOME ? ((seed >> a % 31) & 1) != 0 : who == ALL || (who == STATES) == state);
    watched[a] = !wanted ? HY_WATCH_NOTHING : words ? HY_WATCH_WORDS : HY_WATCH_ALL;
  }
  return watched;
}

static inline char *way_text(guint32 seed, const Way *way, Who who)
{
  static const char *const names[] = {"nobody", "states", "others", "all", "some"};
  return g_strdup_printf("seed %u, %s%s%s%s%s%s, pieces of %g, %s watched, to %.17g", seed,
                         hy_engine_name(way->engine), way->rows ? ", rows" : "",
                         way->learns ? ", learns" : "", way->stale ? ", no refresh" : "",
                         way->steps ? ", steps" : "", way->twice ? ", twice" : "", way->piece,
                         names[who], way->tf);
}

static guint disagreements;

/* The run of all engines in WAY with WHO watched; returns the number of words. Without anybody
 * watched the end is compared. */
static inline guint engines_agree(HyModel *model, guint32 seed, const Way *way, Who who)
{
  g_autoptr(HySim) sim = hy_sim_new(model, HY_FLAT, NULL);
  g_autofree guint8 *watched = watched_by(sim, who, seed);
  Way mine = *way;
  mine.watched = who != NOBODY ? watched : NULL;
  mine.n_watched = hy_sim_n(sim);
  mine.engine = HY_FLAT;
  g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(double));
  mine.inputs = inputs;
  mine.steps = mine.twice = FALSE;
  g_auto(Said) flat = say_all(model, &mine);
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    mine = (Way){.engine = engine,
                 .tf = way->tf,
                 .rows = way->rows,
                 .learns = way->learns,
                 .stale = way->stale,
                 .watched = mine.watched,
                 .n_watched = mine.n_watched,
                 .piece = way->piece,
                 .inputs = inputs,
                 .steps = way->steps,
                 .twice = way->twice};
    if (engine == HY_FLAT && !way->steps && !way->twice) {
      continue;
    }
    g_auto(Said) said = say_all(model, &mine);
    g_autofree char *what = difference(model, &flat, &said);
    if (what != NULL) {
      g_autofree char *text = way_text(seed, &mine, who);
      g_print("%s: %s\n", text, what);
      disagreements++;
    }
  }
  return flat.words->len;
}

/* All ways of one seed; returns the words of one of them. */
static inline guint seed_agrees(guint32 seed)
{
  g_autoptr(HyModel) model = random_diagram(seed);
  g_autoptr(GError) error = NULL;
  if (!hy_model_check(model, &error)) {
    g_print("seed %u: %s\n", seed, error->message);
    return 0;
  }
  Way way = {.tf = DIAGRAM_END,
             .rows = seed % 4 == 1,
             .learns = seed % 5 == 2,
             .stale = seed % 3 == 2,
             .piece = seed % 2 * 0.7};
  way.tf = find_end(model, &way);
  guint n = engines_agree(model, seed, &way, ALL);
  engines_agree(model, seed, &way, NOBODY);
  engines_agree(model, seed, &way, STATES);
  engines_agree(model, seed, &way, OTHERS);
  way.steps = TRUE;
  engines_agree(model, seed, &way, SOME);
  way.steps = FALSE;
  way.twice = TRUE;
  engines_agree(model, seed, &way, SOME);
  return n;
}

/* Of the first MODELS seeds. Something must happen in them: an engine that refuses all agrees, too.
 */
static inline void all_seeds_agree(guint32 models)
{
  guint total = 0;
  for (guint32 seed = 0; seed < models; seed++) {
    total += seed_agrees(seed);
  }
  TEST_ASSERT_EQUAL_UINT(0, disagreements);
  TEST_ASSERT_GREATER_THAN_UINT(100 * models, total);
}

#endif
