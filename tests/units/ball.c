/* A ball that bounces, with event mode and early return, after the text of FMI 3.0 alone: each
 * flight is its closed form. It does nothing for its importer that the standard does not ask for.
 * No states. */
#include "fmi3/fmi3.h"

#include <math.h>
#include <stdlib.h>

enum { H = 1, V, G, E, BOUNCES, LAST };

typedef struct {
  double t, h, v, g, e;
  int32_t bounces, last;
  bool down, stepping;
} Ball;

const char *fmi3GetVersion(void)
{
  return "3.0";
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String path,
                                         fmi3Boolean visible, fmi3Boolean on, fmi3Boolean events,
                                         fmi3Boolean early, const fmi3ValueReference required[],
                                         size_t n, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update)
{
  Ball *b = calloc(1, sizeof *b);
  *b = (Ball){.h = 1, .g = 9.81, .e = 0.7, .last = 1000};
  return events && early ? b : NULL;
}

void fmi3FreeInstance(fmi3Instance b)
{
  free(b);
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean defined,
                                       fmi3Float64 tolerance, fmi3Float64 t, fmi3Boolean stops,
                                       fmi3Float64 stop)
{
  ((Ball *)instance)->t = t;
  return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
  return fmi3OK;
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
  Ball *b = instance;
  b->stepping = false;
  return fmi3OK;
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
  Ball *b = instance;
  if (b->down) { /* an event that was not handled */
    return fmi3Error;
  }
  b->stepping = true;
  return fmi3OK;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *more, fmi3Boolean *over,
                                    fmi3Boolean *nominals, fmi3Boolean *states,
                                    fmi3Boolean *defined, fmi3Float64 *next)
{
  Ball *b = instance;
  if (b->stepping) {
    return fmi3Error;
  }
  if (b->down) {
    b->v *= -b->e;
    b->bounces++;
    b->down = false;
  }
  *more = *nominals = *states = *defined = false;
  *over = b->bounces >= b->last;
  return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 t, fmi3Float64 step, fmi3Boolean none,
                      fmi3Boolean *event, fmi3Boolean *over, fmi3Boolean *early, fmi3Float64 *last)
{
  Ball *b = instance;
  if (!b->stepping || t != b->t) {
    return fmi3Error;
  }
  double ground = (b->v + sqrt(b->v * b->v + 2 * b->g * b->h)) / b->g;
  b->down = ground <= step;
  double s = b->down ? ground : step;
  b->h = b->down ? 0 : b->h + s * (b->v - b->g * s / 2);
  b->v -= b->g * s;
  *event = b->down;
  *over = false;
  *early = s < step;
  *last = b->t = t + s;
  return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                          fmi3Float64 v[], size_t m)
{
  const Ball *b = instance;
  *v = *r == H ? b->h : b->v;
  return n == 1 && (*r == H || *r == V) ? fmi3OK : fmi3Error;
}

fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                        fmi3Int32 v[], size_t m)
{
  *v = ((Ball *)instance)->bounces;
  return n == 1 && *r == BOUNCES ? fmi3OK : fmi3Error;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                          const fmi3Float64 v[], size_t m)
{
  Ball *b = instance;
  *(*r == G ? &b->g : &b->e) = *v;
  return n == 1 && (*r == G || *r == E) ? fmi3OK : fmi3Error;
}

fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                        const fmi3Int32 v[], size_t m)
{
  ((Ball *)instance)->last = *v;
  return n == 1 && *r == LAST ? fmi3OK : fmi3Error;
}
