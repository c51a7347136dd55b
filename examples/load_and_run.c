/* Loads a model file, sets a parameter, runs it, and has what it recorded in memory.
 *   cc load_and_run.c $(pkg-config --cflags --libs hydevs) -o load_and_run
 *   ./load_and_run arrivals/model.xml rate=0.5 */
#include <hydevs/hydevs.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  const char *file = argc > 1 ? argv[1] : "arrivals/model.xml";
  const char *set[] = {argc > 2 ? argv[2] : "rate=0.5", NULL};
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_file(file, &(HyLoadOptions){.set = set}, report);
  if (loaded == NULL) {
    g_autofree char *text = hy_report_text(report);
    fputs(text, stderr);
    return HY_ERROR_MODEL;
  }
  g_autoptr(GError) error = NULL;
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.stop = 20;
  g_autoptr(HyRun) run = hy_run_new(loaded, &settings, &error);
  if (run == NULL || !hy_run_record(run, &error) || !hy_run_go(run, &error)) {
    fprintf(stderr, "%s\n", error->message);
    return error->code;
  }
  const HyRecorder *table = hy_run_table(run, 0);
  for (guint64 row = 0; row < hy_recorder_rows(table); row++) {
    printf("t = %-10g", hy_recorder_time(table, row));
    for (guint k = 0; k < hy_recorder_n(table); k++) {
      printf("  %s = %g", hy_recorder_column(table, k)->path, hy_recorder_value(table, row, k));
    }
    putchar('\n');
  }
  return 0;
}
