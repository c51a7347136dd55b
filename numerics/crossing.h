/* When a signal z crosses zero next (a level is subtracted by the owner). The sign of z that now
 * holds is kept, not computed: rounding leaves a crossing that has just happened at -1e-16 or at
 * +1e-16, and neither may make it happen again or be missed.
 *
 *   wrong side       the crossing is due now; except when z returns within a moment
 *   a touch          a root from which z goes back to where it was is passed by
 *   exactly 0        due when z starts to move to the wrong side. While it rests there a comparison
 *                    is that of numbers, not above; an end of a band keeps its side
 *   after a toggle   silent until z has been on its new side, unless an input jumps to the wrong
 *                    one, turns z back at 0 (twice at an instant), or finds it later on the wrong
 *                    side and not coming back. Where it crosses and is put back at that
 *                    instant to rest there, again and again, it may rest, each time twice as long
 *
 * Plain memory; the owner calls start once, input with each new piece of z, toggle at `tn`. */
#ifndef HYDEVS_NUMERICS_CROSSING_H
#define HYDEVS_NUMERICS_CROSSING_H

#include <stdbool.h>

typedef struct {
  double z[4], tz; /* z(t) = z[0] + z[1] (t - tz) + ... */
  double tn;       /* absolute time of the next crossing, or INFINITY */
  double toggled;  /* time of the last toggle, or of the start */
  double rest;     /* the longest time between two of them */
  double size;  /* the largest |z| seen since the toggle before that: what rounding is small to */
  double past;  /* its share from before the last toggle */
  double wait;  /* how long z, put back, may rest; 0 at first */
  double bears; /* how far z may be on the wrong side until that is looked at, as its owner has it;
                   0, as at the start: any */
  int tries;    /* toggles at the time of the last one */
  signed char sign; /* of z until the next toggle: 1 or -1 */
  unsigned char n;  /* coefficients */
  bool armed;       /* z has been on the side of `sign` since the last toggle */
  bool judged;      /* at tn z is on the wrong side, and does not come to it */
  bool found;       /* the last toggle was a crossing of z, and not a judgement */
  bool waits;       /* JUDGED, and tn is when z, put back, has rested for WAIT */
  bool band;        /* z is the distance to an end of a band, and no comparison */
} HyCrossing;

/* SIGN is 0 for a comparison, which begins at 1 where z is above 0, or at 0 and starts to rise,
 * else at -1. It is 1 or -1 for an end of a band on whose side z is known to be. */
void hy_crossing_start(HyCrossing *c, double t, const double *z, int n, int sign);
void hy_crossing_input(HyCrossing *c, double t, const double *z, int n);
/* Likewise, where nothing but the last toggle has made z change. If that was a crossing, and z is
 * on the wrong side at the same instant, the crossing is believed and not z: z is the difference of
 * large numbers there, or reads states that have not followed yet, and would turn to and fro for
 * ever. For a while: a toggle that its own answer contradicts is turned back then. */
void hy_crossing_answer(HyCrossing *c, double t, const double *z, int n);
/* It is due by the polynomial that it has, of a function that is none: the series of that at T is
 * Z, which is still on its side by more than rounding, or turns back where it is. The owner gives
 * it that, and it is due where Z crosses, which is Newton's step to the crossing of the function.
 * That a function touches 0 is seen by its curvature, so Z has three coefficients at least. */
bool hy_crossing_is_early(const HyCrossing *c, double t, const double *z, int n);
void hy_crossing_toggle(HyCrossing *c, double t);

#endif
