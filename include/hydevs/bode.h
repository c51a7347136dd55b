/* How a model in its periodic steady state answers to a small oscillation: control to output, line
 * to output, output impedance, loop gain. Exact at any frequency, from one period (docs/theory.md,
 * section 12). */
#ifndef HYDEVS_BODE_H
#define HYDEVS_BODE_H

#include "hydevs/steady.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
  const char *from; /* what oscillates: a parameter, a source, or a state, whose x' it adds to */
  const char *to;   /* what is read: a state, or what follows from states and sources at once */
  /* FROM is a parameter: the model with it STEP larger and STEP smaller. NULL: it is none. */
  const HyLoaded *more, *less;
  double step;
  gboolean loop; /* FROM is added to TO within a loop that it closes: the gain of that loop */
  double low,
      high; /* Hz; NaN: from a ten-thousandth of the frequency of the period to half of it */
  guint points;
} HyBodeSettings;
#define HY_BODE_POINTS   1000000 /* at most */
#define HY_BODE_SETTINGS (HY_LITERAL(HyBodeSettings){.low = NAN, .high = NAN, .points = 400})

typedef struct HyBode HyBode;

/* NULL: FROM or TO are not there, or how they act is not known exactly. STEADY, whose model and
 * outputs it uses, must outlive it; TO is one of its outputs (hy_steady_output()). */
HyBode *hy_bode_new_sized(HySteady *steady, const HyBodeSettings *settings, gsize size,
                          GError **error);
static inline HyBode *hy_bode_new(HySteady *steady, const HyBodeSettings *settings, GError **error)
{
  return hy_bode_new_sized(steady, settings, sizeof(HyBodeSettings), error);
}
void hy_bode_free(HyBode *bode); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyBode, hy_bode_free)

/* The answer at one frequency in Hz. FALSE: there is none, being at resonance. */
gboolean hy_bode_at(HyBode *bode, double frequency, double *real, double *imaginary);
guint hy_bode_n(const HyBode *bode); /* points, evenly spaced by their logarithms */
/* Decibels and degrees, which go on from point to point. */
void hy_bode_point(const HyBode *bode, guint point, double *frequency, double *gain, double *phase);

/* Of a loop, at the frequencies where the gain is 1, and where the phase is -180 degrees: what is
 * left until it is unstable, the worst of several. NaN: there is no such frequency up to half of
 * that of the period. */
typedef struct {
  double crossover, phase; /* Hz; degrees */
  double reversal, gain;   /* Hz; dB */
} HyMargins;
HyMargins hy_bode_margins(const HyBode *bode);

/* What `hydevs bode` prints, appended to OUT: in words, as a table, as data. */
void hy_bode_text(const HyBode *bode, GString *out);
void hy_bode_csv(const HyBode *bode, GString *out);
void hy_bode_json(const HyBode *bode, GString *out);

#pragma GCC visibility pop
G_END_DECLS
#endif
