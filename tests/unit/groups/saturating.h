/* For tests: where a Cuk converter stands whose first coil saturates, from test_long_saturating.c.
 */
#ifndef SATURATING_H
#define SATURATING_H

typedef struct {
  const char *name;
  double value;
} End;

/* At 10 ms with Isat = 100 and 40, to 12 digits; without saturation it is what the eigenvectors of
 * test_exact.c say. */
static const End of_100[] = {{"iL1", 22.7144386072},
                             {"iL2", 0.837907460763},
                             {"iS", 7.54949268672e-5},
                             {"uC1", 7.54925716424},
                             {"uC2", 0.212390987903}};
static const End of_40[] = {{"iL1", 24.9192970292},
                            {"iL2", 0.863229782089},
                            {"iS", 7.92235153409e-5},
                            {"uC1", 7.92209370986},
                            {"uC2", 0.216692184155}};
static const End of_no_saturation[] = {{"iL1", 22.3443196122},
                                       {"iL2", 0.833379314121},
                                       {"iS", 7.48437554327e-5},
                                       {"uC1", 7.48414376725},
                                       {"uC2", 0.211610373525}};

#endif
