#include "sources/sinus.h"
#include "hydevs/error.h"
#include "numerics/beats.h"
#include "numerics/sine.h"
#include "sources/wave.h"

static double instant(const HySinus *s, double m)
{
  return 1 / s->f * (m / s->pieces);
}

/* After the first n coefficients at most |a| (w h)^n / n! is missing at the end of a piece of
 * length h (Lagrange). */
static double pieces_in_period(const HySinus *s)
{
  static const double factorial[] = {1, 1, 2, 6, 24};
  double dq = fmax(s->dqrel * fabs(s->a), s->dqmin);
  double angle = pow(factorial[s->order] * dq / fabs(s->a), 1.0 / s->order);
  return fmax(4, ceil(2 * G_PI / angle));
}

gboolean hy_sinus_init(HySinus *s, double t, const HySetup *setup, GError **error)
{
  if (!hy_wave_finite("amplitude", s->a, error) || !hy_wave_finite("frequency", s->f, error)) {
    return FALSE;
  }
  s->order = setup->order;
  s->due = t;
  s->m = INFINITY;
  if (s->a == 0 || s->f == 0) {
    return TRUE;
  }
  s->pieces = pieces_in_period(s);
  if (!hy_beats_countable(1 / s->f / s->pieces, t)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "frequency is too high to be counted here");
    return FALSE;
  }
  s->m = floor(t * s->f * s->pieces) - 1;
  while (instant(s, s->m) <= t) {
    s->m++;
  }
  return TRUE;
}

void hy_sinus_piece(const HySinus *s, double phase, double t, double *c)
{
  double turns = hy_sine_turns(s->f, t);
  if (s->m < INFINITY && t == instant(s, s->m - 1)) {
    turns = fmod(s->m - 1, s->pieces) / s->pieces; /* a piece looks the same in every period */
  }
  double w = 2 * G_PI * s->f, angle = 2 * G_PI * turns + phase;
  double sine = s->a * sin(angle), cosine = s->a * cos(angle);
  const double all[] = {sine, cosine * w, -sine * w * w / 2, -cosine * w * w * w / 6};
  for (guint k = 0; k < 4; k++) {
    c[k] = k < s->order ? all[k] : 0;
  }
}

void hy_sinus_advance(HySinus *s)
{
  s->due = s->m < INFINITY ? instant(s, s->m) : INFINITY;
  s->m++;
}

void hy_sinus_tape(HySinus *s, HyTape *tape)
{
  HY_TAPE(tape, s->m);
  HY_TAPE(tape, s->due);
}

gboolean hy_sinus_whole(const HySinus *s, double phase, double offset, HySine *sine)
{
  *sine = (HySine){.amplitude = s->a, .frequency = s->f, .phase = phase, .offset = offset};
  return s->a != 0 && s->f != 0;
}
