/* An instance as the functions of the standard see it, for the files of this folder. */
#ifndef HYDEVS_FMI3_UNIT_H
#define HYDEVS_FMI3_UNIT_H

#include "fmi3.h"
#include "fmu/instance.h"

/* All functions of the standard, to be seen from outside; everything else of the object is not. */
#define FMI3_DECLARE(Result, name, parameters)                                                     \
  __attribute__((visibility("default"))) Result name parameters;
FMI3_FUNCTIONS(FMI3_DECLARE)

/* The states of the standard's state machine of a co-simulation, a bit each. */
typedef enum {
  UNIT_INSTANTIATED = 1,
  UNIT_INITIALIZATION = 2,
  UNIT_EVENT = 4,
  UNIT_STEP = 8,
  UNIT_TERMINATED = 16,
  UNIT_FAILED = 32, /* a call has ended in an error: Reset, SetFMUState or FreeInstance go on */
} UnitState;
#define UNIT_RUNS (UNIT_EVENT | UNIT_STEP)

typedef struct {
  HyFmu *model;
  UnitState state;
  gboolean events, early; /* the importer uses the event mode; steps may end early */
  double stop;            /* no step goes beyond; INFINITY: not stated */
  gboolean talks;         /* what is only of interest is told, too */
  gboolean warned;        /* since the call that goes on now began */
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
} Unit;

/* To the log of the importer. */
void unit_log(const Unit *u, fmi3Status status, const char *category, const char *text);
/* FALSE: there is no instance, or CALL is not allowed now; then it is told, and the call is an
 * error. */
gboolean unit_may(Unit *u, guint states, const char *call);
/* The status of a call that has gone well, or by ERROR (taken over) has not; then the instance has
 * failed. */
fmi3Status unit_end(Unit *u, gboolean ok, const char *call, GError *error);

#endif
