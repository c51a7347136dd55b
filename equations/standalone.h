/* The rows of a simulation as one C file: right side, Jacobian, modes by root finding, and a main
 * that integrates them by CVODE of SUNDIALS. */
#ifndef HYDEVS_EQUATIONS_STANDALONE_H
#define HYDEVS_EQUATIONS_STANDALONE_H

#include "room.h"

/* What was said at SLOT at T, a polynomial in the time since. */
typedef struct {
  guint32 slot;
  double t, c[4];
} HyWord;

typedef struct {
  const char *model; /* its name */
  double t0, tf;
  const double *start; /* [states] at T0 */
  const GArray *words; /* HyWord: all that blocks have said that are neither static nor states, from
                          T0 to TF, in the order of time */
} HyStandalone;

/* Whether what is said at SLOT may be read by rows and comes from outside of them. */
gboolean hy_standalone_reads(const HyRoom *room, guint slot);
/* Appended to OUT. FALSE: something cannot be written so, and *ERROR names it. */
gboolean hy_standalone_c(const HyRoom *room, const HyStandalone *with, GString *out,
                         GError **error);

/* standalone_*.c.in: what is the same in all such files, before and behind the tables: how rows are
 * evaluated, and the main with CVODE. */
extern const char hy_standalone_types[], hy_standalone_functions[], hy_standalone_main[];

#endif
