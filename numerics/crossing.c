#include "crossing.h"
#include "poly.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double noise = 1e-9;    /* what counts as rounding: this part of the size of z */
static const double moment = 1e-7;   /* what counts as no time: this part of the longest rest */
static const double patience = 1e-2; /* how long a crossing is believed against z: likewise */
static const double touch = 4e-14;   /* of the size of z: how deep a touch may look, four times */

#define MOST_TRIES 3 /* toggles at one instant that a model may turn back */

/* The side to which z is about to go: the sign of its first coefficient that is not zero. */
static int crossing_heading(const double *z, int n)
{
  for (int k = 0; k < n; k++) {
    if (z[k] != 0.0) {
      return z[k] > 0.0 ? 1 : -1;
    }
  }
  return 0;
}

static bool rests(const HyCrossing *c)
{
  return crossing_heading(c->z + 1, c->n - 1) == 0;
}

/* z, at a root at T that it has come to from SIDE, goes back there. A slope that would lift it by
 * no more than rounding, or for no longer than the time between two numbers at T, is none: a touch
 * computed as two roots, or as one with a slope. (Else it would turn to and fro at T for ever.) */
static bool only_touches(double *z, int n, int side, double size, double t)
{
  if (n > 2 && (z[1] * z[1] <= touch * fabs(z[2]) * size ||
                fabs(z[1]) <= DBL_EPSILON * fabs(t) * fabs(z[2]))) {
    z[1] = 0.0;
  }
  z[0] = 0.0;
  return crossing_heading(z, n) == side;
}

/* The time from T until z, which is on SIDE or at 0, has come to the other side; z is moved there.
 */
static double crossing_pass(double *z, int n, int side, double size, double t)
{
  double s = 0.0;
  for (int i = 0; i < n; i++) { /* no more roots than that */
    double root = hy_poly_root(z, n);
    if (!(root < INFINITY)) {
      return INFINITY;
    }
    s += root;
    hy_poly_shift(z, n, root);
    if (!only_touches(z, n, side, size, t + s)) {
      return s;
    }
  }
  return INFINITY;
}

static double crossing_leave(const HyCrossing *c)
{
  double z[4];
  memcpy(z, c->z, sizeof z);
  return crossing_pass(z, c->n, c->sign, c->size, c->tz);
}

/* z is on the wrong side: the time until it comes to the right one and leaves that again. */
static double leave_after_return(const HyCrossing *c)
{
  double z[4];
  memcpy(z, c->z, sizeof z);
  double s = crossing_pass(z, c->n, -c->sign, c->size, c->tz);
  return s < INFINITY ? s + crossing_pass(z, c->n, c->sign, c->size, c->tz + s) : INFINITY;
}

/* z is on the wrong side, and judged there after WAIT; but not if it comes back by then: until it
 * leaves again. */
static double leave_or_judge(HyCrossing *c, double wait)
{
  double z[4];
  memcpy(z, c->z, sizeof z);
  c->judged = !(crossing_pass(z, c->n, -c->sign, c->size, c->tz) < wait);
  return c->judged ? wait : leave_after_return(c);
}

/* z is on the wrong side, but on its way back, and there almost at once: within a small part of the
 * longest time it has ever rested on a side. Rounding does that; and a step of two stiff states at
 * once, which puts q a quantum beside x for the time that x needs to follow. */
static bool crossing_recovers(const HyCrossing *c, double t)
{
  double rest = fmax(c->rest, t - c->toggled);
  return c->n > 1 && c->z[1] * c->sign > 0.0 && fabs(c->z[0]) < moment * rest * fabs(c->z[1]);
}

/* z, just toggled, has been turned back before it was on its new side. A source that turns at the
 * level does that, and the toggle was wrong; a model may do it in answer to any toggle, and then
 * the second one of this kind is the last. */
static bool turned_back(const HyCrossing *c, double t)
{
  return fabs(c->z[0]) <= noise * c->size && crossing_heading(c->z + 1, c->n - 1) == -c->sign &&
         (t != c->toggled || c->tries < MOST_TRIES);
}

/* z is on the wrong side by more than rounding, at a later instant than that of the toggle, and
 * does not come back: the toggle has been answered by what it should have ended (a sliding mode).
 */
static bool stays_wrong(const HyCrossing *c, double t)
{
  return t > c->toggled && c->z[0] * c->sign < -noise * c->size &&
         crossing_heading(c->z + 1, c->n - 1) != c->sign;
}

/* z was found to cross, and at this very instant it has been put back to the side that it came
 * from, where it rests: by what a state really is, say, beside the polynomial that told of it. */
static bool put_back(const HyCrossing *c, double t)
{
  return c->found && t == c->toggled && rests(c);
}

/* What has made z what it is: an input that moved on or jumped, or a crossing of its own that was
 * found at this very instant. */
typedef enum { MOVED, JUMPED, ANSWERED } Cause;

/* A comparison that counts as above, and z has come to rest at 0: by whatever, but by its own
 * toggle alone. That one keeps its side, since to take it back would make z move again, and so it
 * does where the model has turned it back MOST_TRIES times at this instant. */
static bool rests_below(const HyCrossing *c, double t, Cause cause)
{
  return !c->band && c->sign > 0 && c->z[0] == 0.0 && rests(c) &&
         (cause == JUMPED || (cause == MOVED && (t != c->toggled || c->tries < MOST_TRIES)));
}

/* How long z, going on on the wrong side, is not looked at: WHOLE, or until it is as far there as
 * it may be; not at once, for then no time would pass. One that is farther has jumped there. */
static double crossing_patience(const HyCrossing *c, double whole)
{
  double z[4];
  memcpy(z, c->z, sizeof z);
  z[0] += c->bears * c->sign;
  if (!(c->bears > 0.0) || z[0] * c->sign <= 0.0) {
    return whole;
  }
  return fmin(whole, fmax(moment * c->rest, hy_poly_root(z, c->n)));
}

static double time_to_crossing(HyCrossing *c, double t, Cause cause, bool turned)
{
  double z = c->z[0] * c->sign;
  bool below = rests_below(c, t, cause);
  c->judged = c->waits = false;
  if (z > 0.0) {
    return crossing_leave(c);
  }
  if (z == 0.0 && !below && crossing_heading(c->z, c->n) != -c->sign) {
    return crossing_leave(c);
  }
  if (z < 0.0 && crossing_recovers(c, t)) {
    return leave_after_return(c);
  }
  c->judged = true;
  if (cause == ANSWERED) {
    return leave_or_judge(c, crossing_patience(c, patience * c->rest));
  }
  if (below || c->armed || turned || (cause == JUMPED && z < 0.0) || stays_wrong(c, t)) {
    c->waits = put_back(c, t);
    return c->waits ? c->wait : 0.0;
  }
  /* turned back again and again at this instant: not for as long as nothing else happens */
  bool again = t == c->toggled && c->tries >= MOST_TRIES;
  return leave_or_judge(c, crossing_patience(c, again ? patience * c->rest : INFINITY));
}

static void crossing_schedule(HyCrossing *c, double t, Cause cause, bool turned)
{
  double s = hy_poly_finite(c->z, c->n) ? time_to_crossing(c, t, cause, turned) : INFINITY;
  c->tn = s < INFINITY ? t + s : INFINITY;
}

static void crossing_take(HyCrossing *c, double t, const double *z, int n)
{
  memset(c->z, 0, sizeof c->z);
  memcpy(c->z, z, (size_t)n * sizeof *z);
  c->n = (unsigned char)n;
  c->tz = t;
  c->size = fmax(c->size, fabs(z[0]));
}

static void crossing_advance(HyCrossing *c, double t)
{
  hy_poly_shift(c->z, c->n, t - c->tz);
  c->tz = t;
}

void hy_crossing_start(HyCrossing *c, double t, const double *z, int n, int sign)
{
  int side = crossing_heading(z, n);
  *c = (HyCrossing){.armed = true, .toggled = t, .band = sign != 0};
  crossing_take(c, t, z, n);
  c->sign = (signed char)(sign != 0 ? sign : side > 0 ? 1 : -1);
  crossing_schedule(c, t, MOVED, false);
}

static void crossing_input(HyCrossing *c, double t, const double *z, int n, bool answer)
{
  crossing_advance(c, t);
  double was = c->z[0];
  bool rested = rests(c);
  /* at 0 or on its side at any later instant, the toggle is over */
  c->armed = c->armed || (t > c->toggled && was * c->sign >= 0.0) || z[0] * c->sign > 0.0;
  crossing_take(c, t, z, n);
  /* what rested and rests elsewhere has jumped, by however little */
  bool jumped = fabs(z[0] - was) > (rested && rests(c) ? 0.0 : noise * c->size);
  Cause cause = jumped ? JUMPED : MOVED;
  cause = answer && c->found && t == c->toggled ? ANSWERED : cause;
  crossing_schedule(c, t, cause, turned_back(c, t));
}

void hy_crossing_input(HyCrossing *c, double t, const double *z, int n)
{
  crossing_input(c, t, z, n, false);
}

void hy_crossing_answer(HyCrossing *c, double t, const double *z, int n)
{
  crossing_input(c, t, z, n, true);
}

/* Z is at 0 but for rounding, and not about to cross: it turns back there, or is more than that on
 * its side in between. */
static bool is_passed_by(const HyCrossing *c, double t, const double *z, int n)
{
  double p[4] = {0.0};
  memcpy(p, z, (size_t)n * sizeof *z);
  if (p[0] * c->sign <= 0.0) {
    return only_touches(p, n, c->sign, c->size, t);
  }
  double s = crossing_pass(p, n, c->sign, c->size, t);
  return !(s < INFINITY) || fabs(hy_poly_at(z, n, 0.5 * s)) > noise * c->size;
}

bool hy_crossing_is_early(const HyCrossing *c, double t, const double *z, int n)
{
  double side = z[0] * c->sign, rounding = noise * c->size;
  if (c->tn > t || c->judged || side < -rounding) {
    return false;
  }
  return side > rounding || is_passed_by(c, t, z, n);
}

/* How long z may rest where it is put back to, next time: not at all, unless it has crossed again
 * soon after that; then twice as long each time, since it would go to and fro for ever, and what
 * rests does no harm. */
static double crossing_wait(const HyCrossing *c, double t)
{
  if (c->judged) {
    return c->waits ? c->wait : 0.0;
  }
  bool soon = t - c->toggled < patience * c->rest;
  return soon ? fmax(2.0 * c->wait, moment * c->rest) : 0.0;
}

void hy_crossing_toggle(HyCrossing *c, double t)
{
  crossing_advance(c, t);
  c->wait = crossing_wait(c, t);
  c->sign = (signed char)-c->sign;
  c->found = !c->judged;
  c->armed = c->z[0] * c->sign > 0.0;
  c->tries = t == c->toggled ? c->tries + 1 : 1;
  c->rest = fmax(c->rest, t - c->toggled);
  c->toggled = t;
  double seen = c->size;
  c->size = fmax(fabs(c->z[0]), seen > c->past ? seen : 0.0);
  c->past = c->size;
  crossing_schedule(c, t, MOVED, false);
}
