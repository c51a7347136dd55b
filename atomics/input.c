#include "input.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "numerics/poly.h"

#include <string.h>

gboolean hy_signal_init(HySignal *s, double t, const HySetup *setup, guint port, GError **error)
{
  *s = (HySignal){.t = t, .n = setup->order, .known = setup->input[port] == HY_CONSTANT};
  if (setup->input[port] == HY_OPEN) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "input \"%s\" has no source",
                setup->klass->in[port].name);
    return FALSE;
  }
  if (s->known) {
    s->c[0] = setup->value[port]->c[0];
  }
  return TRUE;
}

void hy_signal_tape(HySignal *s, HyTape *tape)
{
  HY_TAPE_ARRAY(tape, s->c, 4);
  HY_TAPE(tape, s->t);
  HY_TAPE(tape, s->known);
}

void hy_signal_at(const HySignal *s, double t, double *c)
{
  memcpy(c, s->c, sizeof s->c);
  hy_poly_shift(c, (int)s->n, t - s->t);
}

double hy_signal_value(const HySignal *s, double t)
{
  return hy_poly_at(s->c, (int)s->n, t - s->t);
}

gboolean hy_signal_finite(const HySignal *s)
{
  return hy_poly_finite(s->c, (int)s->n);
}

char *hy_fault_text(const HyFault *f, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  char since[HY_DOUBLE_SIZE];
  return g_strdup_printf("%s at t = %s", what, hy_double_text(since, f->since));
}

char *hy_signal_fault(const HySignal *s, const char *port, const HyFault *f)
{
  static const char *const of[] = {"", "the slope of ", "the second coefficient of ",
                                   "the third coefficient of "};
  char text[HY_DOUBLE_SIZE];
  guint k = 0;
  while (k + 1 < s->n && isfinite(s->c[k])) {
    k++;
  }
  return hy_fault_text(f, "%s%s is %s", of[k], port, hy_double_text(text, s->c[k]));
}
