/* Straight pieces between corners, once or again and again: what step, pulse, ramp, square,
 * sawtooth, triangle, trapezoid and file_source have in common. Exact, except in models of first
 * order, where a slope becomes a staircase that stays within max(dqrel |rise|, dqmin) of it. */
#ifndef HYDEVS_ATOMICS_SOURCES_WAVE_H
#define HYDEVS_ATOMICS_SOURCES_WAVE_H

#include "hydevs/atomic.h"
#include "numerics/beats.h"

typedef struct {
  double at; /* once: the instant; periodic: the part of a period before it */
  double value, slope;
} HyCorner;
#define HY_CORNERS 4

/* The first member of a state. A class fills in the first part, calls hy_wave_init(), and takes its
 * other functions from here. */
typedef struct {
  double T, start; /* the period, 0: once; where the first one begins */
  double before;   /* the value until the first corner */
  double dqrel, dqmin;
  gsize n; /* corners */
  HyCorner few[HY_CORNERS];
  HyCorner *many; /* in place of FEW; freed by the class */

  HyBeats beats; /* of what is periodic, and the parts of a period where corners are */
  HyRatio part_of[HY_CORNERS];

  double k;    /* of the piece that is due: the period, */
  gssize i;    /* the corner where it begins, -1: before the first, */
  double part; /* and in a staircase the part, of parts */
  double parts;
  double due;
  guint order;
} HyWave;

gboolean hy_wave_init(HyWave *w, double t, const HySetup *setup, GError **error);

/* As callbacks of a class. */
double hy_wave_next(const void *state);
HyEvent hy_wave_lambda(const void *state, double t);
void hy_wave_dint(void *state, double t);
void hy_wave_tape(void *state, HyTape *tape);
void hy_wave_print(const void *state, GString *out);

/* FALSE: V is not finite, "NAME = inf must be finite". */
gboolean hy_wave_finite(const char *name, double v, GError **error);

extern const HyPort hy_wave_out[]; /* one signal "out" */

/* The part of a class table that all of them share. */
#define HY_WAVE_CLASS(TYPE)                                                                        \
  .out = hy_wave_out, .state_size = sizeof(TYPE), .next = hy_wave_next, .lambda = hy_wave_lambda,  \
  .dint = hy_wave_dint, .tape = hy_wave_tape, .print = hy_wave_print

/* Between two values, so and so often: square, sawtooth and triangle. The first member of their
 * states. */
typedef struct {
  HyWave wave; /* first */
  double low, high, frequency, start;
} HyPeriodic;
gboolean hy_periodic_init(HyPeriodic *s, GError **error); /* period, start, the value before */
extern const HyParam hy_periodic_params[];                /* of sawtooth and triangle */

#define HY_LOW_HIGH(Type, low_field, high_field)                                                   \
  HY_PARAM_AT("low", Type, low_field, .doc = "the smaller value"),                                 \
      HY_PARAM_AT("high", Type, high_field, .value = 1, .doc = "the larger value")
#define HY_FREQUENCY(Type, field)                                                                  \
  HY_PARAM_AT("frequency", Type, field, .value = 1, .range = HY_POSITIVE, .unit = "Hz",            \
              .doc = "periods per second")
#define HY_START(Type, field)                                                                      \
  HY_PARAM_AT("start", Type, field, .unit = "s", .doc = "of the first period; before it: low")

#define HY_DQREL(Type, field)                                                                      \
  HY_PARAM_AT("dqrel", Type, field, .value = 1e-3, .range = HY_NOT_NEGATIVE,                       \
              .doc = "inherited, as integrators do")
#define HY_DQMIN(Type, field)                                                                      \
  HY_PARAM_AT("dqmin", Type, field, .value = 1e-6, .range = HY_POSITIVE,                           \
              .doc = "inherited, as integrators do")

#endif
