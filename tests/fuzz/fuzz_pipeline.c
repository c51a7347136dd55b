/* Any bytes as a model file, and what loads is run for up to a second of its time, on every engine:
 * never a crash, a hang or a leak; a run ends well or with a message, and on tree and flat, which
 * do the same, at the same instant after as many cycles with the same words. */
#include "hydevs/hydevs.h"
#include "hydevs/load.h"
#include <stdlib.h>
#include <string.h>

#define CYCLES  3000U /* of a run, at most */
#define AT_ONCE 200U  /* further ones at one instant */

typedef struct {
  guint64 cycles;
  double t;
  char *message; /* NULL: none */
} Outcome;

static void check(gboolean holds)
{
  if (!holds) {
    abort();
  }
}

/* Blocks that read files would read those of this machine. */
static gboolean reads_files(const HyModel *model)
{
  for (guint k = 0; k < hy_model_n(model); k++) {
    const HyAtomicClass *klass = hy_model_class(model, k);
    const HyModel *inner = hy_model_coupled(model, k);
    if ((klass != NULL && strcmp(klass->name, "file_source") == 0) ||
        (inner != NULL && reads_files(inner))) {
      return TRUE;
    }
  }
  return FALSE;
}

static Outcome run(HyModel *model, HyEngine engine)
{
  Outcome o = {0};
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(model, engine, &error);
  if (sim != NULL) {
    hy_sim_set_limit(sim, AT_ONCE);
    gboolean going = hy_sim_init(sim, 0, &error);
    for (guint k = 0; going && k < CYCLES; k++) {
      gboolean done;
      going = hy_sim_step(sim, 1, &done, &error) && done;
    }
    HyTotals totals;
    hy_sim_totals(sim, &totals);
    o.cycles = totals.cycles;
    o.t = hy_sim_time(sim);
    check(error != NULL || o.t <= 1);
  }
  check(error == NULL || g_utf8_validate(error->message, -1, NULL));
  o.message = error != NULL ? g_strdup(error->message) : NULL;
  return o;
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
  static const HyLoadOptions options = {
      .max_blocks = 200,
      .max_recursion = 20,
      .max_files = 1,
      .read = {.max_bytes = 1 << 14, .max_nested = 30, .max_value = 1 << 10}};
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      hy_load_memory((const char *)data, size, "fuzz.xml", &options, report);
  if (loaded == NULL || reads_files(hy_loaded_model(loaded))) {
    return 0;
  }
  Outcome o[HY_FUSED + 1];
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    o[engine] = run(hy_loaded_model(loaded), engine);
  }
  check(o[HY_TREE].cycles == o[HY_FLAT].cycles);
  check(o[HY_TREE].t == o[HY_FLAT].t);
  check(g_strcmp0(o[HY_TREE].message, o[HY_FLAT].message) == 0);
  for (HyEngine engine = HY_TREE; engine <= HY_FUSED; engine++) {
    g_free(o[engine].message);
  }
  return 0;
}
