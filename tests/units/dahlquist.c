/* x' = u - k x by Euler's steps of 0.1, after the text of FMI 3.0 alone: no event mode, no states.
 * `bad` asks it to misbehave: 1: a step is an error, 2: x is no number, 3: a step goes too far, 4:
 * it cannot be made. */
#include "fmi3/fmi3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { X = 1, U, K, BAD, ON, LABEL };
#define STEP 0.1

typedef struct {
  double x, u, k, t, inside;
  int64_t bad;
  bool on;
  char label[64];
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
} Dahlquist;

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
  if (events || early || strcmp(token, "{dahlquist}") != 0) {
    return NULL;
  }
  Dahlquist *d = calloc(1, sizeof *d);
  *d = (Dahlquist){.x = 1, .k = 1, .on = true, .environment = environment, .log = log};
  return d;
}

void fmi3FreeInstance(fmi3Instance d)
{
  free(d);
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean defined,
                                       fmi3Float64 tolerance, fmi3Float64 t, fmi3Boolean stops,
                                       fmi3Float64 stop)
{
  Dahlquist *d = instance;
  if (d->bad == 4) {
    d->log(d->environment, fmi3Error, "logStatusError", "there is no \x1b[31mlicence for this");
    return fmi3Error;
  }
  d->t = d->inside = t;
  return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
  return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 t, fmi3Float64 step, fmi3Boolean none,
                      fmi3Boolean *event, fmi3Boolean *over, fmi3Boolean *early, fmi3Float64 *last)
{
  Dahlquist *d = instance;
  if (d->bad == 1 && t >= 0.5) {
    d->log(d->environment, fmi3Error, "logStatusError", "the tank is on fire");
    return fmi3Error;
  }
  for (; d->inside + STEP <= t + step + 1e-9; d->inside += STEP) {
    d->x += d->on ? STEP * (d->u - d->k * d->x) : 0;
  }
  *event = *over = false;
  *early = d->bad == 3;
  *last = d->bad == 3 ? t + 2 * step : t + step;
  return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                          fmi3Float64 v[], size_t m)
{
  const Dahlquist *d = instance;
  *v = d->bad == 2 ? NAN : d->x;
  return n == 1 && *r == X ? fmi3OK : fmi3Error;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                          const fmi3Float64 v[], size_t m)
{
  Dahlquist *d = instance;
  *(*r == U ? &d->u : &d->k) = *v;
  return n == 1 && (*r == U || *r == K) ? fmi3OK : fmi3Error;
}

fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                        const fmi3Int64 v[], size_t m)
{
  ((Dahlquist *)instance)->bad = *v;
  return *r == BAD ? fmi3OK : fmi3Error;
}

fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                          const fmi3Boolean v[], size_t m)
{
  ((Dahlquist *)instance)->on = *v;
  return *r == ON ? fmi3OK : fmi3Error;
}

fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference r[], size_t n,
                         const fmi3String v[], size_t m)
{
  strncpy(((Dahlquist *)instance)->label, v[0], 63);
  return *r == LABEL && strcmp(v[0], "a text") == 0 ? fmi3OK : fmi3Error;
}
