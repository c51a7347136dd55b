/* The inside of a frequency response, for the files of this room. */
#ifndef HYDEVS_ANALYSES_BODE_INTERNAL_H
#define HYDEVS_ANALYSES_BODE_INTERNAL_H

#include "hydevs/bode.h"

#include "numerics/response.h"
#include "steady_internal.h"

struct HyBode {
  HySteady *steady;
  char *from, *to;
  gboolean loop;
  HyStretch *stretch;   /* [pieces]: of the steady state's lap */
  HyStretchPorts *port; /* [pieces] */
  double *numbers;      /* what these point to: [pieces][2 n] */
  HyResponse *response;
  guint n;
  double *frequency;      /* [n]: Hz */
  double complex *answer; /* [n] */
  double *phase;          /* [n]: degrees, going on */
  double limit;           /* Hz: half the frequency of the period */
  HyMargins margins;
};

/* What oscillates, into PORT: FORCE and SHIFT of all stretches, DIRECT and FALLS by output number
 * OUTPUT. FALSE: ERROR is set. */
gboolean hy_bode_drive(HyBode *b, const HyBodeSettings *set, guint output, GError **error);
/* Row of output K in a piece, [n + n_inputs + 1], as hy_exact_watched(); FALSE: it is not linear.
 */
gboolean hy_bode_row(const HySteady *s, const HySim *sim, const HyLapPiece *p, guint k,
                     double *line);

#endif
