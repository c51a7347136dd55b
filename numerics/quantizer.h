/* Quantized integration of one state variable: pure arithmetic, a .c file for each method.
 *
 * x' = f(q): the state x is replaced in f by its quantized version q, a polynomial piece of one
 * degree less that stays within a quantum dq (twice that, for the linearly implicit methods) of x.
 * The owner of an HyQState calls
 *
 *   start        once, after it has filled in rel, min and learn; then tn = t
 *   step         when time has reached tn: q changes; the owner makes it known. Before it, for an
 *                implicit method that does not learn, the owner sets a
 *   piece        for the n coefficients that the q of a step at t will have; changes nothing
 *   derivative   whenever x' changes, from the n coefficients of the new x'
 *   reset        x jumps to x0; then tn = t, since q has to follow
 *
 * A variable sees itself and nothing else: no clock, no other variable, no engine. Plain memory
 * without pointers: a copy is a snapshot.
 *
 * Start: the first n steps at t0 announce q = x0, then with each answer one more slope of it; they
 * are not counted as steps of the run. Between them tn is INFINITY until the answer comes.
 *
 * Due stays due: a derivative that arrives at t == tn leaves tn as it is, whatever it says; except
 * the answers to an own step at that very instant, which replace what the step, still with the old
 * derivative, has foreseen.
 *
 * Not finite: while x, x' or q is NaN or infinite no event is foreseen (tn = INFINITY, never NaN);
 * whoever lets time advance then loses the variable, so the owner watches hy_qstate_finite(). */
#ifndef HYDEVS_NUMERICS_QUANTIZER_H
#define HYDEVS_NUMERICS_QUANTIZER_H

#include <math.h>
#include <stdbool.h>

typedef struct {
  double x[4], tx;  /* x(t) = x[0] + x[1] (t - tx) + ..., Taylor coefficients */
  double q[3], tq;  /* q(t), likewise */
  double rel, min;  /* the tolerance: dq = max(rel |x|, min), taken anew at own steps */
  double half_turn; /* of an angle: |x| counts up to here; 0: it is none. Set by the owner */
  double dq;        /* the quantum in force */
  double tn;        /* absolute time of the next change of q, or INFINITY */

  double a;             /* of x' = a q + u: set by the owner before step, or learned */
  double own;           /* time of the last own step, -INFINITY: none, or reset since */
  double q_was, dx_was; /* q and x' at that time, before the step */
  int pieces;           /* announced of the first n */
  bool learn;           /* a is estimated from the answers to own steps */
  bool asked;           /* an own step at `own` waits for its answer */

  bool wrong;          /* BQSS: q has to change before x reaches it */
  double lower, upper; /* BQSS: the two levels beside x */
} HyQState;

typedef struct {
  int order;     /* n: coefficients of q and of x' */
  bool implicit; /* uses a */
  double bound;  /* |q - x| <= bound * dq */
  void (*start)(HyQState *v, double t, double x0);
  void (*step)(HyQState *v, double t);
  void (*piece)(const HyQState *v, double t, double *q);
  void (*derivative)(HyQState *v, double t, const double *dx);
  void (*reset)(HyQState *v, double t, double x0);
} HyQuantizer;

/* What a state is whose group moves it (a classic method): it announces its start, and nothing more
 * of its own accord. A reset leaves `asked`: the group has to start again from here. */
extern const HyQuantizer hy_led;

/* Logarithmic quantization: max(rel |x|, min). min > 0, or a state that passes 0 stops the run. */
static inline double hy_quantum(double rel, double min, double x)
{
  double dq = rel * fabs(x);
  return dq > min ? dq : min; /* min where x is NaN */
}

/* Of V at X. What reads an angle comes round, so an angle has no more size than half a turn: else
 * its quantum would grow with each turn, and be several turns in the end. */
static inline double hy_qstate_quantum(const HyQState *v, double x)
{
  bool round = v->half_turn > 0.0 && fabs(x) > v->half_turn;
  return hy_quantum(v->rel, v->min, round ? v->half_turn : x);
}

double hy_qstate_x(const HyQState *v, double t); /* t >= tx */
double hy_qstate_q(const HyQState *v, double t); /* t >= tq */
bool hy_qstate_finite(const HyQState *v);

/* Puts x' as if it had always been DX, N coefficients; foresees nothing anew. Before an own step of
 * an implicit method on a nonlinear row: a stored x' is an extrapolation, and u = x' - a q mixes it
 * with a fresh a. */
void hy_qstate_refresh(HyQState *v, double t, int n, const double *dx);

#endif
