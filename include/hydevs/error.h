/* Every failure of hydevs is a GError of the domain HY_ERROR. The code is also the exit status of
 * the command.
 *
 * A mistake that only a program can make is none: NULL where the header does not say that it may
 * be, a number beyond what there is, something freed that is still needed. That is a critical
 * message of GLib which begins with the name of the function (NAME_sized, where NAME is inline and
 * calls that); the call does nothing, sets no error and returns NULL, FALSE, 0 or NaN.
 * (G_DEBUG=fatal-criticals stops a program there.) What comes at the wrong time or is called from
 * inside a simulation is an error, HY_ERROR_USAGE. */
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
  HY_ERROR_AUDIT = 5,         /* the run has ended, and its audit, asked to be strict, has found
                                 what the text of the model does not say */
  HY_ERROR_INTERRUPTED = 130, /* someone asked the run to end */
} HyErrorCode;

#pragma GCC visibility pop
G_END_DECLS
#endif
