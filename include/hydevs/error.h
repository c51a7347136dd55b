/* Every failure of hydevs is a GError of the domain HY_ERROR. The code is also the exit status of
 * the command. */
#ifndef HYDEVS_ERROR_H
#define HYDEVS_ERROR_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define HY_ERROR (hy_error_quark())
GQuark hy_error_quark(void);

typedef enum {
  HY_ERROR_MODEL = 1,         /* the model is wrong: names, parameters, couplings */
  HY_ERROR_USAGE = 2,         /* a call or command line that makes no sense */
  HY_ERROR_RUN = 3,           /* the run cannot go on: a block's time or value is impossible, I/O */
  HY_ERROR_ILLEGITIMATE = 4,  /* endless events at one instant, or too near to one another */
  HY_ERROR_INTERRUPTED = 130, /* someone asked the run to end */
} HyErrorCode;

#pragma GCC visibility pop
G_END_DECLS
#endif
