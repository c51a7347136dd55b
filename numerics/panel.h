/* A stretch of a signal as one polynomial in s, -1 <= s <= 1: a piece as such, or what can be asked
 * anywhere by its values at Chebyshev's points (panel.c). What a signal was is read off it: its
 * integral, that of its square, its extremes, where it crosses a level. */
#ifndef HYDEVS_NUMERICS_PANEL_H
#define HYDEVS_NUMERICS_PANEL_H

#include <stdbool.h>

#define HY_PANEL_NODES 17

typedef struct {
  double from, to;          /* t = from + (to - from)(1 + s)/2 */
  double begin, end;        /* what it is there */
  double p[HY_PANEL_NODES]; /* of s^k, */
  int n;                    /* 1 .. HY_PANEL_NODES */
} HyPanel;

/* From FROM to TO, later than that, of the piece c[0] + c[1](t - ORIGIN) + ... of four. */
void hy_panel_of_piece(HyPanel *x, const double *c, double origin, double from, double to);

/* When node K is, 0 .. HY_PANEL_NODES - 1; the first and the last one are FROM and TO. */
double hy_panel_node(double from, double to, int k);
/* Of values Y at N nodes, 5, 9 or 17: those whose number is a multiple of 16/(N - 1). Returns what
 * it misses, estimated by the last two of N Chebyshev coefficients. NaN: a value is no number. */
double hy_panel_fit(HyPanel *x, const double *y, int n);

double hy_panel_at(const HyPanel *x, double s);
double hy_panel_time(const HyPanel *x, double s);
double hy_panel_integral(const HyPanel *x);
double hy_panel_square(const HyPanel *x); /* the integral of p^2 */
/* Both become wider by what it is; where nothing is beyond them this is cheap. */
void hy_panel_extremes(const HyPanel *x, double *least, double *most);
/* AT, [HY_PANEL_NODES]: the s of -1 < s < 1 where it is LEVEL, ascending; their number. */
int hy_panel_meets(const HyPanel *x, double level, double *at);

#endif
