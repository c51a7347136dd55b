/* A model as a unit (FMU) of the Functional Mock-up Interface 3.0 for co-simulation: an archive
 * with the model, the library's files that it uses, a description of its variables, and the shared
 * object that runs it, which needs the C library and libxml2 alone. */
#ifndef HYDEVS_FMU_H
#define HYDEVS_FMU_H

#include "hydevs/experiment.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* OUT gets the bytes of a unit of LOADED, with the parameters and options of its load; LIBRARY are
 * the folders of that (HyLoadOptions.library), SETTINGS of its runs (NULL: as the experiment says).
 * OBJECT: the shared object, NULL: the one that is installed with hydevs. The unit is opened and
 * started once before it is written. Equal files make equal bytes. What there is to know is in
 * REPORT; FALSE: why there is no unit is in ERROR. */
gboolean hy_fmu_write_sized(const HyLoaded *loaded, const char *const *library,
                            const HyRunSettings *settings, gsize size, const char *object,
                            GString *out, HyReport *report, GError **error);
static inline gboolean hy_fmu_write(const HyLoaded *loaded, const char *const *library,
                                    const HyRunSettings *settings, const char *object, GString *out,
                                    HyReport *report, GError **error)
{
  return hy_fmu_write_sized(loaded, library, settings, sizeof(HyRunSettings), object, out, report,
                            error);
}

#pragma GCC visibility pop
G_END_DECLS
#endif
