/* A program as somebody has compiled it with the headers of another hydevs: all structs whose sizes
 * go along, between guards. It prints what must not depend on those headers. With NEWER it says
 * something that this libhydevs cannot know. */
#include <hydevs/hydevs.h>
#include <stdio.h>

#ifdef NEWER
#define SAY(s) ((s).newer = 1)
#else
#define SAY(s) ((void)0)
#endif
#define GUARD 0x5a
/* FILLED is filled by CALL, and nothing beside it. */
#define FILLS(type, call)                                                                          \
  do {                                                                                             \
    struct {                                                                                       \
      guint8 before[64];                                                                           \
      type is;                                                                                     \
      guint8 after[4096];                                                                          \
    } s;                                                                                           \
    memset(&s, GUARD, sizeof s);                                                                   \
    __typeof__(&s.is) filled = &s.is;                                                              \
    call;                                                                                          \
    for (gsize k = 0; k < sizeof s.after; k++) {                                                   \
      if (s.after[k] != GUARD || s.before[k % sizeof s.before] != GUARD) {                         \
        printf(#type ": written beyond its %zu bytes\n", sizeof(type));                            \
        return 1;                                                                                  \
      }                                                                                            \
    }                                                                                              \
  } while (0)

static int refused(const GError *error)
{
  puts(error->message);
  return 3;
}

static void stated(HyBlockInfo *info, const HyLoaded *loaded)
{
  hy_loaded_block(loaded, hy_loaded_model(loaded), 0, info);
  printf("line %u\n", info->line);
}

static void counted(HyTotals *totals, const HySim *sim)
{
  hy_sim_totals(sim, totals);
  printf("%" G_GUINT64_FORMAT " cycles, %" G_GUINT64_FORMAT " internal\n", totals->cycles,
         totals->n_int);
}

int main(int argc G_GNUC_UNUSED, char **argv)
{
  const char *set[] = {"x0=3", NULL}, *vary[] = {"x0=1:3:3", NULL};
  GError *error = NULL;
  HyReport *report = hy_report_new();
  HyLoadOptions options = {.set = set};
  HyRunSettings settings = HY_RUN_SETTINGS;
  SAY(settings);
  HyLoaded *loaded = hy_load_file(argv[1], &options, report);
  if (loaded == NULL) {
    fputs(hy_report_text(report), stdout);
    return 2;
  }
  FILLS(HyBlockInfo, stated(filled, loaded));
  FILLS(HyLook, hy_loaded_look(loaded, hy_loaded_model(loaded), filled));
  HyRun *run = hy_run_new(loaded, &settings, &error);
  if (run == NULL) {
    return refused(error);
  }
  if (!hy_run_record(run, &error) || !hy_run_go(run, &error)) {
    return refused(error);
  }
  const HyRecorder *table = hy_run_table(run, 0);
  printf("x %g\n", hy_recorder_value(table, hy_recorder_rows(table) - 1, 0));
  FILLS(HyTotals, counted(filled, hy_run_sim(run)));
  FILLS(HyGroupTotals, hy_sim_group(hy_run_sim(run), 0, filled));
  FILLS(HyAudited, hy_run_audit(run, filled));

  HyPlanOptions planned = HY_PLAN_OPTIONS;
  planned.vary = vary;
  planned.run = &settings;
  HyPlan *plan = hy_plan_new(argv[1], &planned, report);
  if (plan == NULL) {
    fputs(hy_report_text(report), stdout);
    return 2;
  }
  HySweep *sweep = hy_sweep_new(plan, NULL, &error);
  if (sweep == NULL || !hy_sweep_go(sweep, &error)) {
    return refused(error);
  }
  FILLS(HySweepTotals, hy_sweep_totals(sweep, filled));
  for (guint k = 0; k < 3; k++) {
    printf("run %u: %g\n", k, hy_sweep_value(sweep, k, 0));
  }
  GString *out = g_string_new(NULL);
  HyDrawing drawing = {.all = TRUE};
  gboolean drawn = hy_draw_svg(loaded, &drawing, out, &error);
  printf("drawn: %d, %zu bytes\n", drawn, out->len);
  printf("%s, %u\n", hy_version(), hy_abi());
  return 0;
}
