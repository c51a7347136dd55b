/* Arithmetic on truncated Taylor series: what the first n coefficients of f(u(s), v(s), ...) are
 * when those of u, v, ... are known. Exact but for rounding, in a fixed order of operations.
 *
 * n is 1 to 4; the result R may be an operand. The value r[0] is always the one that plain
 * arithmetic or libm gives for the operands' values. Nothing fails: outside the domain the results
 * are NaN or infinite, as IEEE 754 says; where only the derivatives do not exist (the square root
 * of a signal that passes 0), only those are. abs, min, max, sign and the like choose one of their
 * operands' pieces, which is the caller's affair. */
#ifndef HYDEVS_NUMERICS_TAYLOR_H
#define HYDEVS_NUMERICS_TAYLOR_H

void hy_taylor_add(int n, const double *a, const double *b, double *r);
void hy_taylor_sub(int n, const double *a, const double *b, double *r);
void hy_taylor_neg(int n, const double *a, double *r);
void hy_taylor_scale(int n, double k, const double *a, double *r); /* k a */
void hy_taylor_mul(int n, const double *a, const double *b, double *r);
void hy_taylor_div(int n, const double *a, const double *b, double *r);
void hy_taylor_over(int n, double k, const double *b, double *r); /* k / b */

void hy_taylor_sqrt(int n, const double *a, double *r);
/* -f(-a) below 0: the root, the power b of |a| with its sign. */
void hy_taylor_root(int n, const double *a, double *r);
void hy_taylor_root_pow(int n, const double *a, const double *b, double *r);
void hy_taylor_exp(int n, const double *a, double *r);
void hy_taylor_log(int n, const double *a, double *r);
void hy_taylor_log10(int n, const double *a, double *r);

void hy_taylor_sin_cos(int n, const double *a, double *s, double *c);
void hy_taylor_sin(int n, const double *a, double *r);
void hy_taylor_cos(int n, const double *a, double *r);
void hy_taylor_tan(int n, const double *a, double *r);
void hy_taylor_asin(int n, const double *a, double *r);
void hy_taylor_acos(int n, const double *a, double *r);
void hy_taylor_atan(int n, const double *a, double *r);
void hy_taylor_atan2(int n, const double *y, const double *x, double *r);
void hy_taylor_sinh(int n, const double *a, double *r);
void hy_taylor_cosh(int n, const double *a, double *r);
void hy_taylor_tanh(int n, const double *a, double *r);
/* The y with y + e^y = a: the logarithm of Wright's omega, W(e^a) = e^y of Lambert's W. */
double hy_wlog(double a);
void hy_taylor_wlog(int n, const double *a, double *r);

/* a^m by repeated squaring and multiplication from the highest bit of |m|; 1/a^|m| if m < 0. */
void hy_taylor_pow_int(int n, const double *a, int m, double *r);
void hy_taylor_pow_real(int n, const double *a, double p, double *r); /* whole p: as pow_int */
void hy_taylor_pow(int n, const double *a, const double *b, double *r);

#endif
