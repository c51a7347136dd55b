/* What comes out of a periodic motion when a small oscillation is put in: the transfer function of
 * what is periodic in time, exactly, at any frequency. Formulas in response.c and in
 * docs/theory.md, section 12. */
#ifndef HYDEVS_NUMERICS_RESPONSE_H
#define HYDEVS_NUMERICS_RESPONSE_H

#include "orbit.h"

/* What e^(jwt) does in a stretch, and what is read there. */
typedef struct {
  const double *force; /* [n]: to x' */
  double shift; /* at its end: an instant comes so much later; z of an event is so much more */
  const double *read; /* [n]: the output is read x + direct e^(jwt) */
  double direct;
  double falls; /* by so much the output jumps down at its end */
} HyStretchPorts;

/* All that does not depend on the frequency. STRETCH is a period; it and PORT are the caller's and
 * must outlive it. NULL: no memory. */
typedef struct HyResponse HyResponse;
HyResponse *hy_response_new(int n, const HyStretch *stretch, const HyStretchPorts *port, int count);
void hy_response_free(HyResponse *r); /* NULL is fine */
/* The output's part at e^(jwt), w = OMEGA. False: it has none, being at resonance. */
bool hy_response_at(HyResponse *r, double omega, double complex *y);

#endif
