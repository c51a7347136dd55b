#include "hybrid/grid.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"

void hy_grid_skip(HyGrid *g, double t)
{
  g->k = hy_beat_before(&g->beats, (HyRatio){0.0, 0.0}, t);
  if (hy_grid_due(g) < t) {
    g->k++;
  }
  g->k = fmax(g->k, 0);
}

gboolean hy_grid_init(HyGrid *g, double t, GError **error)
{
  if (!hy_beats_countable(g->period, t) || !hy_beats_countable(g->period, g->start)) {
    char text[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "a period of %s s cannot be counted here",
                hy_double_text(text, g->period));
    return FALSE;
  }
  g->beats = hy_beats(g->period, g->start);
  hy_grid_skip(g, t);
  return TRUE;
}

gboolean hy_sampled_init(HySampled *s, double t, const HySetup *setup, gboolean settles,
                         GError **error)
{
  return hy_grid_init(&s->grid, t, error) && hy_probe_init(&s->probe, t, setup, 0, settles, error);
}

void hy_sampled_tape(HySampled *s, HyTape *tape)
{
  HY_TAPE(tape, s->grid.k);
  hy_probe_tape(&s->probe, tape);
}

void hy_sampled_print(const void *state, GString *out)
{
  const HySampled *s = state;
  char due[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(next=%s)", hy_double_text(due, hy_grid_due(&s->grid)));
}

char *hy_sampled_fault(const void *state)
{
  const HySampled *s = state;
  return hy_signal_fault(&s->probe.in, "in", &s->probe.fault);
}

const HyPort hy_sampled_in[] = {
    {.name = "in", .kind = HY_SIGNAL, .doc = "what is sampled"},
    {.name = NULL},
};
