/* What stands beside the files of a model in a unit, so that it is loaded and run as it was asked
 * for when the unit was made: resources/hydevs.ini. */
#ifndef HY_FMU_PLAN_H
#define HY_FMU_PLAN_H

#include "hydevs/experiment.h"

typedef struct {
  GKeyFile *file;
} HyFmuPlan;

/* MODEL: its path below the folder of resources. RECORD: all paths that become variables, ends with
 * NULL. */
void hy_fmu_plan_make(HyFmuPlan *plan, const char *model, const HyLoadOptions *options,
                      const HyRunSettings *settings, const char *const *record);
gboolean hy_fmu_plan_read(HyFmuPlan *plan, const char *resources, GError **error);
gboolean hy_fmu_plan_write(const HyFmuPlan *plan, const char *resources, GError **error);
void hy_fmu_plan_clear(HyFmuPlan *plan);

/* The model with the parameters SET ("R=10"; may be NULL) beside those of the plan. NULL: the
 * reasons are in REPORT. */
HyLoaded *hy_fmu_plan_load(const HyFmuPlan *plan, const char *resources, const GPtrArray *set,
                           HyReport *report);
/* The end that was asked for; NaN: none. */
double hy_fmu_plan_stop(const HyFmuPlan *plan, const HyLoaded *loaded);
/* Its run, which records nothing yet. */
HyRun *hy_fmu_plan_run(const HyFmuPlan *plan, const HyLoaded *loaded, GError **error);

/* What is stated of the unit itself: "token", "variables". Newly allocated; NULL: nothing. */
char *hy_fmu_plan_get(const HyFmuPlan *plan, const char *key);
void hy_fmu_plan_set(HyFmuPlan *plan, const char *key, const char *text);

#endif
