/* Where something is said of a component: in the file that was asked for. */
#ifndef HYDEVS_LANGUAGE_PLACED_H
#define HYDEVS_LANGUAGE_PLACED_H

#include "hydevs/load.h"

/* hy_report_error() or hy_report_warning(). */
typedef void (*HySay)(HyReport *report, const char *file, guint line, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* SAYs TEXT of a component of LOADED. What stands inside a type of another file is told of the
 * element that has the type, and TEXT goes on with " (in pi, standard.xml:15)". */
void hy_loaded_say(const HyLoaded *loaded, HySay say, HyReport *report, const HyModel *model,
                   guint component, const char *text);

#endif
