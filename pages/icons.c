/* Icons of the built-in classes: strokes around 0, 0, within 32 x 24 unless they say otherwise. A
 * class without one shows its name. */
#include "pages/diagram.h"

#include <string.h>

typedef struct {
  const char *klass;
  double w, h;
  const char *path; /* of SVG; NULL: only text */
  const char *text; /* its formula sign, in the middle; NULL: none */
} Icon;

#define CHARACTERISTIC "M-16,0H16M0,-12V12" /* axes */

static const Icon icons[] = {
    {"integrator", 20, 28, "M-8,0H8", "1\ns"},
    {"sum", 20, 20, "M6,-8H-6L1,0L-6,8H6", NULL},
    {"product", 20, 20, "M-6,-6L6,6M-6,6L6,-6", NULL},
    {"division", 20, 20, "M-7,0H7M0,-6v.1M0,6v.1", NULL},
    {"pwm", 32, 20, "M-16,8H-12V-8H-4V8H4V-8H8V8H16", NULL},
    {"square", 32, 20, "M-16,8H-12V-8H-4V8H4V-8H12V8H16", NULL},
    {"pulse", 32, 20, "M-16,8H-6V-8H6V8H16", NULL},
    {"step", 32, 20, "M-16,8H0V-8H16", NULL},
    {"ramp", 32, 20, "M-16,8H-8L8,-8H16", NULL},
    {"sawtooth", 32, 20, "M-16,8L-4,-8V8L8,-8V8L16,-2", NULL},
    {"triangle", 32, 20, "M-16,8L-8,-8L0,8L8,-8L16,8", NULL},
    {"trapezoid", 32, 20, "M-16,8H-12L-6,-8H4L10,8H16", NULL},
    {"sine", 32, 20, "M-16,0C-11,-14 -5,-14 0,0S11,14 16,0", NULL},
    {"three_phase", 32, 20,
     "M-16,0C-11,-14 -5,-14 0,0S11,14 16,0M-16,-6C-9,12 -3,12 4,-2S12,-10 16,-4M-16,6C-12,-2 "
     "-8,-14 "
     "-2,-2S10,8 16,6",
     NULL},
    {"clock", 24, 24, "M-10,0a10,10 0 1,0 20,0a10,10 0 1,0 -20,0M0,-7V0L5,3", NULL},
    {"random", 32, 20, "M-16,2L-13,-6L-10,6L-7,-2L-4,8L-1,-8L2,4L5,-4L8,7L11,-6L16,1", NULL},
    {"comparator", 32, 24, CHARACTERISTIC "M-14,9H0V-9H14", NULL},
    {"hysteresis", 32, 24, CHARACTERISTIC "M-14,9H6V-9H14M-6,9V-9H6", NULL},
    {"saturation", 32, 24, CHARACTERISTIC "M-14,8H-8L8,-8H14", NULL},
    {"dead_band", 32, 24, CHARACTERISTIC "M-14,9L-5,0H5L14,-9", NULL},
    {"quantizer", 32, 24, CHARACTERISTIC "M-14,10H-9V5H-4V0H4V-5H9V-10H14", NULL},
    {"lookup", 32, 24, CHARACTERISTIC "M-14,9L-6,6L2,-6L14,-9", NULL},
    {"sample_hold", 32, 20, "M-16,8H-12V2H-6V-5H0V-8H6V-3H12V4H16", NULL},
    {"sampler", 32, 20, "M-16,4H-6L6,-6M6,4H16", NULL},
    {"switch", 32, 20, "M-16,4H-6L7,-5M6,4H16", NULL},
    {"diode", 32, 20, "M-16,0H16M-6,-8V8L7,0ZM7,-8V8", NULL},
    {"valve", 32, 20, "M-16,4H-6L7,-5M6,4H16", NULL},
    {"crossing", 32, 24, CHARACTERISTIC "M-12,10C-4,6 4,-6 12,-10", NULL},
    {"rate_limiter", 32, 24, CHARACTERISTIC "M-14,10L14,-10", NULL},
    {"generator", 32, 20,
     "M-16,8H16M-10,8V-6M0,8V-6M10,8V-6M-13,-3L-10,-8L-7,-3M-3,-3L0,-8L3,-3M7,-3L10,-8L13,-3",
     NULL},
    {"random_generator", 32, 20,
     "M-16,8H16M-11,8V-6M-6,8V-6M9,8V-6M-14,-3L-11,-8L-8,-3M-9,-3L-6,-8L-3,-3M6,-3L9,-8L12,-3",
     NULL},
    {"server", 40, 20, "M-20,-7H4V7H-20M-12,-7V7M-4,-7V7M4,0a7,7 0 1,0 14,0a7,7 0 1,0 -14,0", NULL},
    {"drop_server", 24, 20, "M-8,0a8,8 0 1,0 16,0a8,8 0 1,0 -16,0", NULL},
    {"counter", 20, 20, "M-4,-8L-7,8M7,-8L4,8M-9,-3H9M-10,3H8", NULL},
    {"place", 24, 24, "M-12,0a12,12 0 1,0 24,0a12,12 0 1,0 -24,0", NULL},
    {"transition", 16, 28, "M-3,-14H3V14H-3Z", NULL},
    {"and", 20, 20, NULL, "&"},
    {"or", 20, 20, NULL, "≥1"},
    {"not", 20, 20, NULL, "1"},
    {"unit_delay", 20, 28, "M-8,0H8", "1\nz"},
};

static const Icon *icon_of(const char *klass)
{
  for (guint k = 0; k < G_N_ELEMENTS(icons); k++) {
    if (strcmp(icons[k].klass, klass) == 0) {
      return &icons[k];
    }
  }
  return NULL;
}

gboolean hy_icon_size(const char *klass, double *w, double *h)
{
  const Icon *i = icon_of(klass);
  *w = i != NULL ? i->w : 0;
  *h = i != NULL ? i->h : 0;
  return i != NULL;
}

void hy_icon_svg(GString *out, const char *klass)
{
  const Icon *i = icon_of(klass);
  if (i != NULL && i->path != NULL) {
    g_string_append_printf(out, "<path class=\"icon\" d=\"%s\"/>", i->path);
  }
  if (i != NULL && i->text != NULL) {
    guint lines = hy_text_lines(i->text);
    hy_svg_text(out, 0, lines > 1 ? -4 : 5, lines > 1 ? 11.5 : 14, 'm', "sign", i->text);
  }
}
