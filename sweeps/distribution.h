/* The distributions from which a sweep draws, as text: "normal 10m 5%". */
#ifndef HYDEVS_SWEEPS_DISTRIBUTION_H
#define HYDEVS_SWEEPS_DISTRIBUTION_H

#include <glib.h>

/* What there are, for help and messages. */
#define HY_DRAWS "uniform a b, normal m s, normal m p%, truncated m s a b, choice a b c"

typedef struct HyDraw HyDraw;

/* Words between blanks; numbers are formulas without names and blanks: 10m, 2*pi, sqrt(2). NULL:
 * the error, HY_ERROR_USAGE, says what is wrong. */
HyDraw *hy_draw_parse(const char *text, GError **error);
void hy_draw_free(HyDraw *draw); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyDraw, hy_draw_free)

/* Its quantile, 0 < u < 1. NaN: a choice between words that are no numbers. */
double hy_draw_value(const HyDraw *draw, double u);
/* The same as text, newly allocated: of a choice the word as it was given. */
char *hy_draw_text(const HyDraw *draw, double u);
/* Its ends: of a normal one three deviations from the mean; of a choice all words. g_strfreev(). */
char **hy_draw_corners(const HyDraw *draw);

#endif
