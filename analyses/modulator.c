/* z = duty - carrier is 0 at an edge, and its gradient is that of the duty. What a sawtooth does at
 * the beginning of its periods is no edge of that kind: no state moves it. */
#include "modulator.h"

#include <string.h>

#define NEAR 1e-9 /* of a period: the beginning of one */

/* Of a parameter of the atomic, as the model has it. */
static gconstpointer param_of(const HySim *sim, guint atomic, const char *name)
{
  const HyRoot *owner = sim->model->owner;
  gsize size;
  const guint8 *image = hy_component_image(owner->coupled[owner->atomics[atomic].coupled],
                                           owner->atomics[atomic].component, &size);
  const HyParam *p = sim->atoms[atomic].klass->params;
  while (strcmp(p->name, name) != 0) {
    p++;
  }
  return image + p->offset;
}

GArray *hy_modulators_find(const HySim *sim)
{
  GArray *found = g_array_new(FALSE, FALSE, sizeof(HyModulator));
  HyFlatSources sources;
  hy_flat_sources_init(&sources, sim->graph);
  for (guint a = 0; a < sim->n; a++) {
    guint duty = sources.first[a + 1] > sources.first[a] ? sources.slot[sources.first[a]] : 0;
    if (strcmp(sim->atoms[a].klass->name, "pwm") == 0 && duty < sim->graph->first_out[sim->n]) {
      const char *carrier = *(const char *const *)param_of(sim, a, "carrier");
      HyModulator m = {.atomic = a,
                       .slot = sim->graph->first_out[a],
                       .duty = duty,
                       .period = *(const double *)param_of(sim, a, "period"),
                       .start = *(const double *)param_of(sim, a, "phase"),
                       .triangle = carrier[0] == 't'};
      g_array_append_val(found, m);
    }
  }
  hy_flat_sources_clear(&sources);
  return found;
}

gboolean hy_modulator_is_known(const HyModulator *m, const HyRoom *room)
{
  guint32 row = g_array_index(room->watched, HyRoomWatched, m->watch).row;
  return row != HY_NO_ROW && room->run[row].linear;
}

gboolean hy_modulator_turned(const HyModulator *m, const HyRoom *room, double t, double *slope)
{
  double part = (t - m->start) / m->period;
  part -= floor(part);
  *slope = !m->triangle ? 1.0 / m->period : part < 0.5 ? 2.0 / m->period : -2.0 / m->period;
  gboolean begins = !m->triangle && fmin(part, 1.0 - part) < NEAR;
  return room->signal[m->slot].t == t && !begins;
}
