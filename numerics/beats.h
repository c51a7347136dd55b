/* Instants of everything that comes again: start + (k + part) T, in one form, so that what is one
 * instant in a model is one number in all blocks, whatever they count it by.
 *
 * 0.1 and 0.02 are numbers beside the decimals that the model states: 3 times the first is
 * 0.30000000000000004, 15 times the second 0.3, and the sampler with the shorter period would have
 * its turn before the other one at one instant of ten. So a period is taken for the simplest
 * fraction that it is, p/q with p q < 2^44: of those there is one at most within the rounding of a
 * number, and it is a convergent of its continued fraction (Legendre: |x - p/q| < 1/(2 q^2)).
 * Multiples are computed in 106 bits and rounded once. A number that is no such fraction is itself.
 * Never a running sum. */
#ifndef HYDEVS_NUMERICS_BEATS_H
#define HYDEVS_NUMERICS_BEATS_H

#include <stdbool.h>

typedef struct {
  double h, l; /* h + l, h the number itself */
} HyRatio;

typedef struct {
  HyRatio T, start;
} HyBeats;

HyRatio hy_ratio(double v); /* what V means */

HyBeats hy_beats(double T, double start);
HyBeats hy_beats_split(const HyBeats *b, double n); /* with T/n */
/* The instant at which the part 0 .. 1 of period K has passed. */
double hy_beat(const HyBeats *b, double k, HyRatio part);
/* The last k with that instant at or before T. */
double hy_beat_before(const HyBeats *b, HyRatio part, double t);
/* Whether k can still be counted at T. */
bool hy_beats_countable(double T, double t);

#endif
