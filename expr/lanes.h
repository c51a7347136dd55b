/* Code that is compiled once for each number of lanes, so that loops over coefficients are written
 * out: CALL takes the number, a constant then, as its last argument. */
#ifndef HYDEVS_EXPR_LANES_H
#define HYDEVS_EXPR_LANES_H

#define EACH_LANES static inline __attribute__((always_inline)) void

#define WITH_LANES(lanes, call, ...)                                                               \
  switch (lanes) {                                                                                 \
  case 1:                                                                                          \
    call(__VA_ARGS__, 1);                                                                          \
    break;                                                                                         \
  case 2:                                                                                          \
    call(__VA_ARGS__, 2);                                                                          \
    break;                                                                                         \
  case 3:                                                                                          \
    call(__VA_ARGS__, 3);                                                                          \
    break;                                                                                         \
  default:                                                                                         \
    call(__VA_ARGS__, 4);                                                                          \
    break;                                                                                         \
  }

#endif
