/* Instances: how they begin and end, their log, their modes, the way of time. */
#include "unit.h"

#include <string.h>

void unit_log(const Unit *u, fmi3Status status, const char *category, const char *text)
{
  if (u->log != NULL) {
    u->log(u->environment, status, category, text);
  }
}

static const char *state_name(UnitState state)
{
  switch (state) {
  case UNIT_INSTANTIATED:
    return "before the initialization mode";
  case UNIT_INITIALIZATION:
    return "in the initialization mode";
  case UNIT_EVENT:
    return "in the event mode";
  case UNIT_STEP:
    return "in the step mode";
  case UNIT_TERMINATED:
    return "after fmi3Terminate";
  default:
    return "after an error";
  }
}

gboolean unit_may(Unit *u, guint states, const char *call)
{
  if (u == NULL) {
    return FALSE;
  }
  u->warned = FALSE;
  if (u->state & states) {
    return TRUE;
  }
  g_autofree char *text = g_strdup_printf("%s: not allowed %s", call, state_name(u->state));
  unit_log(u, fmi3Error, "logStatusError", text);
  return FALSE;
}

fmi3Status unit_end(Unit *u, gboolean ok, const char *call, GError *error)
{
  if (ok) {
    return u->warned ? fmi3Warning : fmi3OK;
  }
  g_autofree char *text =
      g_strdup_printf("%s: %s", call, error != NULL ? error->message : "it cannot be done");
  unit_log(u, fmi3Error, "logStatusError", text);
  g_clear_error(&error);
  u->state = UNIT_FAILED;
  return fmi3Error;
}

static void tell(gpointer user, gboolean warning, const char *text)
{
  Unit *u = user;
  if (warning) {
    u->warned = TRUE;
    unit_log(u, fmi3Warning, "logStatusWarning", text);
  } else if (u->talks) {
    unit_log(u, fmi3OK, "logEvents", text);
  }
}

const char *fmi3GetVersion(void)
{
  return "3.0";
}

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,
                               const fmi3String categories[])
{
  Unit *u = instance;
  gboolean events = nCategories == 0;
  for (size_t k = 0; u != NULL && k < nCategories; k++) {
    events |= strcmp(categories[k], "logEvents") == 0;
  }
  if (u == NULL) {
    return fmi3Error;
  }
  u->talks = events ? loggingOn : u->talks; /* errors and warnings are always told */
  return fmi3OK;
}

/* Beginning and end --------------------------------------------------------------------------- */

/* The token says which description the importer has read. */
static gboolean is_token(const Unit *u, const char *token, GError **error)
{
  g_autofree char *own = hy_fmu_plan_get(hy_fmu_plan(u->model), "token");
  if (own != NULL && token != NULL && strcmp(own, token) == 0) {
    return TRUE;
  }
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
              "instantiationToken %s is that of another unit; this one is %s",
              token != NULL ? token : "NULL", own != NULL ? own : "not made by an export");
  return FALSE;
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
    const fmi3ValueReference required[], size_t nRequired, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate)
{
  (void)instanceName, (void)visible, (void)required, (void)nRequired, (void)intermediateUpdate;
  g_autoptr(GError) error = NULL;
  Unit *u = g_new0(Unit, 1);
  *u = (Unit){.state = UNIT_INSTANTIATED,
              .events = eventModeUsed,
              .early = earlyReturnAllowed,
              .stop = INFINITY,
              .talks = loggingOn,
              .environment = environment,
              .log = logMessage};
  if (resourcePath == NULL) {
    g_set_error(&error, HY_ERROR, HY_ERROR_USAGE, "resourcePath is NULL");
  } else {
    u->model = hy_fmu_open(resourcePath, tell, u, &error);
  }
  if (u->model == NULL || !is_token(u, token, &error)) {
    unit_end(u, FALSE, "fmi3InstantiateCoSimulation", g_steal_pointer(&error));
    fmi3FreeInstance(u);
    return NULL;
  }
  return u;
}

/* Of an interface that a unit has not. */
static fmi3Instance no_interface(const char *call, fmi3InstanceEnvironment environment,
                                 fmi3LogMessageCallback logMessage)
{
  const Unit none = {.environment = environment, .log = logMessage};
  g_autofree char *text =
      g_strdup_printf("%s: a unit of hydevs is for co-simulation, and nothing else", call);
  unit_log(&none, fmi3Error, "logStatusError", text);
  return NULL;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String token,
                                          fmi3String resourcePath, fmi3Boolean visible,
                                          fmi3Boolean loggingOn,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback logMessage)
{
  (void)instanceName, (void)token, (void)resourcePath, (void)visible, (void)loggingOn;
  return no_interface(__func__, environment, logMessage);
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String instanceName, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage,
    fmi3ClockUpdateCallback clockUpdate, fmi3LockPreemptionCallback lockPreemption,
    fmi3UnlockPreemptionCallback unlockPreemption)
{
  (void)instanceName, (void)token, (void)resourcePath, (void)visible, (void)loggingOn;
  (void)clockUpdate, (void)lockPreemption, (void)unlockPreemption;
  return no_interface(__func__, environment, logMessage);
}

void fmi3FreeInstance(fmi3Instance instance)
{
  Unit *u = instance;
  if (u != NULL) {
    hy_fmu_free(u->model);
    g_free(u);
  }
}

fmi3Status fmi3Terminate(fmi3Instance instance)
{
  Unit *u = instance;
  if (!unit_may(u, UNIT_RUNS, __func__)) {
    return fmi3Error;
  }
  hy_fmu_end(u->model);
  u->state = UNIT_TERMINATED;
  return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance instance)
{
  Unit *u = instance;
  GError *error = NULL;
  if (u == NULL) {
    return fmi3Error;
  }
  u->warned = FALSE;
  u->stop = INFINITY;
  u->state = UNIT_INSTANTIATED;
  gboolean ok = hy_fmu_reset(u->model, &error);
  return unit_end(u, ok, __func__, error);
}

/* Modes --------------------------------------------------------------------------------------- */

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined,
                                       fmi3Float64 tolerance, fmi3Float64 startTime,
                                       fmi3Boolean stopTimeDefined, fmi3Float64 stopTime)
{
  Unit *u = instance;
  GError *error = NULL;
  if (!unit_may(u, UNIT_INSTANTIATED, __func__)) {
    return fmi3Error;
  }
  if (!isfinite(startTime) || (stopTimeDefined && !(stopTime > startTime))) {
    g_set_error(&error, HY_ERROR, HY_ERROR_USAGE, "there is no time from %g to %g", startTime,
                stopTime);
    return unit_end(u, FALSE, __func__, error);
  }
  if (toleranceDefined && u->talks) {
    g_autofree char *text = g_strdup_printf(
        "%s: tolerance %g is not taken: the model has those that it was exported with", __func__,
        tolerance);
    unit_log(u, fmi3OK, "logEvents", text);
  }
  u->stop = stopTimeDefined ? stopTime : INFINITY;
  gboolean ok = hy_fmu_begin(u->model, startTime, u->events, &error);
  u->state = UNIT_INITIALIZATION;
  return unit_end(u, ok, __func__, error);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
  Unit *u = instance;
  GError *error = NULL;
  if (!unit_may(u, UNIT_INITIALIZATION, __func__)) {
    return fmi3Error;
  }
  gboolean ok = hy_fmu_started(u->model, &error);
  u->state = u->events ? UNIT_EVENT : UNIT_STEP;
  if (ok && u->events) {
    hy_fmu_enter_event(u->model);
  }
  return unit_end(u, ok, __func__, error);
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
  Unit *u = instance;
  if (!unit_may(u, u != NULL && u->events ? UNIT_STEP : 0, __func__)) {
    return fmi3Error;
  }
  hy_fmu_enter_event(u->model);
  u->state = UNIT_EVENT;
  return fmi3OK;
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
  Unit *u = instance;
  GError *error = NULL;
  if (!unit_may(u, UNIT_EVENT, __func__)) {
    return fmi3Error;
  }
  gboolean ok = hy_fmu_leave_event(u->model, &error);
  u->state = UNIT_STEP;
  return unit_end(u, ok, __func__, error);
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *discreteStatesNeedUpdate,
                                    fmi3Boolean *terminateSimulation,
                                    fmi3Boolean *nominalsOfContinuousStatesChanged,
                                    fmi3Boolean *valuesOfContinuousStatesChanged,
                                    fmi3Boolean *nextEventTimeDefined, fmi3Float64 *nextEventTime)
{
  Unit *u = instance;
  GError *error = NULL;
  gboolean more = FALSE, finished = FALSE;
  if (!unit_may(u, UNIT_EVENT, __func__)) {
    return fmi3Error;
  }
  gboolean ok = hy_fmu_update(u->model, &more, &finished, &error);
  *discreteStatesNeedUpdate = more;
  *terminateSimulation = finished;
  *nominalsOfContinuousStatesChanged = *valuesOfContinuousStatesChanged = false;
  *nextEventTimeDefined = false;
  *nextEventTime = 0;
  return unit_end(u, ok, __func__, error);
}

/* Time ---------------------------------------------------------------------------------------- */

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                      fmi3Float64 communicationStepSize,
                      fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                      fmi3Boolean *eventHandlingNeeded, fmi3Boolean *terminateSimulation,
                      fmi3Boolean *earlyReturn, fmi3Float64 *lastSuccessfulTime)
{
  (void)noSetFMUStatePriorToCurrentPoint;
  Unit *u = instance;
  GError *error = NULL;
  HyFmuStep step = {0};
  if (!unit_may(u, UNIT_STEP, __func__)) {
    return fmi3Error;
  }
  double to = currentCommunicationPoint + communicationStepSize;
  gboolean ok = to <= u->stop + 1e-9 * communicationStepSize;
  if (ok) {
    ok = hy_fmu_step(u->model, currentCommunicationPoint, to, u->early, &step, &error);
    *lastSuccessfulTime = step.t;
  } else {
    g_set_error(&error, HY_ERROR, HY_ERROR_USAGE, "to t = %.17g, beyond stopTime %.17g", to,
                u->stop);
  }
  *eventHandlingNeeded = step.event;
  *terminateSimulation = step.finished;
  *earlyReturn = ok && step.t < to;
  return unit_end(u, ok, __func__, error);
}
