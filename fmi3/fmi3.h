/* The types and functions of the Functional Mock-up Interface 3.0 (fmi-standard.org, "FMI Common
 * Concepts", "FMI for Co-Simulation"), written down from its text: what a unit offers, and what an
 * importer calls. */
#ifndef HYDEVS_FMI3_H
#define HYDEVS_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
} fmi3DependencyKind;
typedef enum {
  fmi3IntervalNotYetKnown,
  fmi3IntervalUnchanged,
  fmi3IntervalChanged
} fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status,
                                       fmi3String category, fmi3String message);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment environment,
                                               fmi3Float64 time, fmi3Boolean setRequested,
                                               fmi3Boolean getAllowed, fmi3Boolean stepFinished,
                                               fmi3Boolean canReturnEarly,
                                               fmi3Boolean *returnRequested,
                                               fmi3Float64 *returnTime);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

/* Every function of the standard: its result, its name, its parameters. */
#define FMI3_REFERENCES const fmi3ValueReference references[], size_t nReferences
#define FMI3_FUNCTIONS(F)                                                                          \
  F(const char *, fmi3GetVersion, (void))                                                          \
  F(fmi3Status, fmi3SetDebugLogging,                                                               \
    (fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,                             \
     const fmi3String categories[]))                                                               \
  F(fmi3Instance, fmi3InstantiateModelExchange,                                                    \
    (fmi3String instanceName, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,      \
     fmi3Boolean loggingOn, fmi3InstanceEnvironment environment,                                   \
     fmi3LogMessageCallback logMessage))                                                           \
  F(fmi3Instance, fmi3InstantiateCoSimulation,                                                     \
    (fmi3String instanceName, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,      \
     fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,             \
     const fmi3ValueReference required[], size_t nRequired, fmi3InstanceEnvironment environment,   \
     fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate))        \
  F(fmi3Instance, fmi3InstantiateScheduledExecution,                                               \
    (fmi3String instanceName, fmi3String token, fmi3String resourcePath, fmi3Boolean visible,      \
     fmi3Boolean loggingOn, fmi3InstanceEnvironment environment,                                   \
     fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,                       \
     fmi3LockPreemptionCallback lockPreemption, fmi3UnlockPreemptionCallback unlockPreemption))    \
  F(void, fmi3FreeInstance, (fmi3Instance instance))                                               \
  F(fmi3Status, fmi3EnterInitializationMode,                                                       \
    (fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,                   \
     fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime))                    \
  F(fmi3Status, fmi3ExitInitializationMode, (fmi3Instance instance))                               \
  F(fmi3Status, fmi3EnterEventMode, (fmi3Instance instance))                                       \
  F(fmi3Status, fmi3Terminate, (fmi3Instance instance))                                            \
  F(fmi3Status, fmi3Reset, (fmi3Instance instance))                                                \
  FMI3_NUMBERS(F, Float32)                                                                         \
  FMI3_NUMBERS(F, Float64)                                                                         \
  FMI3_NUMBERS(F, Int8)                                                                            \
  FMI3_NUMBERS(F, UInt8)                                                                           \
  FMI3_NUMBERS(F, Int16)                                                                           \
  FMI3_NUMBERS(F, UInt16)                                                                          \
  FMI3_NUMBERS(F, Int32)                                                                           \
  FMI3_NUMBERS(F, UInt32)                                                                          \
  FMI3_NUMBERS(F, Int64)                                                                           \
  FMI3_NUMBERS(F, UInt64)                                                                          \
  FMI3_NUMBERS(F, Boolean)                                                                         \
  FMI3_NUMBERS(F, String)                                                                          \
  F(fmi3Status, fmi3GetBinary,                                                                     \
    (fmi3Instance instance, FMI3_REFERENCES, size_t sizes[], fmi3Binary values[], size_t nValues)) \
  F(fmi3Status, fmi3SetBinary,                                                                     \
    (fmi3Instance instance, FMI3_REFERENCES, const size_t sizes[], const fmi3Binary values[],      \
     size_t nValues))                                                                              \
  F(fmi3Status, fmi3GetClock, (fmi3Instance instance, FMI3_REFERENCES, fmi3Clock values[]))        \
  F(fmi3Status, fmi3SetClock, (fmi3Instance instance, FMI3_REFERENCES, const fmi3Clock values[]))  \
  F(fmi3Status, fmi3GetNumberOfVariableDependencies,                                               \
    (fmi3Instance instance, fmi3ValueReference reference, size_t * nDependencies))                 \
  F(fmi3Status, fmi3GetVariableDependencies,                                                       \
    (fmi3Instance instance, fmi3ValueReference dependent, size_t elementIndicesOfDependent[],      \
     fmi3ValueReference independents[], size_t elementIndicesOfIndependents[],                     \
     fmi3DependencyKind dependencyKinds[], size_t nDependencies))                                  \
  F(fmi3Status, fmi3GetFMUState, (fmi3Instance instance, fmi3FMUState * state))                    \
  F(fmi3Status, fmi3SetFMUState, (fmi3Instance instance, fmi3FMUState state))                      \
  F(fmi3Status, fmi3FreeFMUState, (fmi3Instance instance, fmi3FMUState * state))                   \
  F(fmi3Status, fmi3SerializedFMUStateSize,                                                        \
    (fmi3Instance instance, fmi3FMUState state, size_t * size))                                    \
  F(fmi3Status, fmi3SerializeFMUState,                                                             \
    (fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size))                    \
  F(fmi3Status, fmi3DeserializeFMUState,                                                           \
    (fmi3Instance instance, const fmi3Byte bytes[], size_t size, fmi3FMUState *state))             \
  F(fmi3Status, fmi3GetDirectionalDerivative,                                                      \
    (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,                 \
     const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,    \
     fmi3Float64 sensitivity[], size_t nSensitivity))                                              \
  F(fmi3Status, fmi3GetAdjointDerivative,                                                          \
    (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,                 \
     const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,    \
     fmi3Float64 sensitivity[], size_t nSensitivity))                                              \
  F(fmi3Status, fmi3EnterConfigurationMode, (fmi3Instance instance))                               \
  F(fmi3Status, fmi3ExitConfigurationMode, (fmi3Instance instance))                                \
  F(fmi3Status, fmi3GetIntervalDecimal,                                                            \
    (fmi3Instance instance, FMI3_REFERENCES, fmi3Float64 intervals[],                              \
     fmi3IntervalQualifier qualifiers[]))                                                          \
  F(fmi3Status, fmi3GetIntervalFraction,                                                           \
    (fmi3Instance instance, FMI3_REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[],      \
     fmi3IntervalQualifier qualifiers[]))                                                          \
  F(fmi3Status, fmi3GetShiftDecimal,                                                               \
    (fmi3Instance instance, FMI3_REFERENCES, fmi3Float64 shifts[]))                                \
  F(fmi3Status, fmi3GetShiftFraction,                                                              \
    (fmi3Instance instance, FMI3_REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[]))     \
  F(fmi3Status, fmi3SetIntervalDecimal,                                                            \
    (fmi3Instance instance, FMI3_REFERENCES, const fmi3Float64 intervals[]))                       \
  F(fmi3Status, fmi3SetIntervalFraction,                                                           \
    (fmi3Instance instance, FMI3_REFERENCES, const fmi3UInt64 counters[],                          \
     const fmi3UInt64 resolutions[]))                                                              \
  F(fmi3Status, fmi3SetShiftDecimal,                                                               \
    (fmi3Instance instance, FMI3_REFERENCES, const fmi3Float64 shifts[]))                          \
  F(fmi3Status, fmi3SetShiftFraction,                                                              \
    (fmi3Instance instance, FMI3_REFERENCES, const fmi3UInt64 counters[],                          \
     const fmi3UInt64 resolutions[]))                                                              \
  F(fmi3Status, fmi3EvaluateDiscreteStates, (fmi3Instance instance))                               \
  F(fmi3Status, fmi3UpdateDiscreteStates,                                                          \
    (fmi3Instance instance, fmi3Boolean * discreteStatesNeedUpdate,                                \
     fmi3Boolean * terminateSimulation, fmi3Boolean * nominalsOfContinuousStatesChanged,           \
     fmi3Boolean * valuesOfContinuousStatesChanged, fmi3Boolean * nextEventTimeDefined,            \
     fmi3Float64 * nextEventTime))                                                                 \
  F(fmi3Status, fmi3EnterContinuousTimeMode, (fmi3Instance instance))                              \
  F(fmi3Status, fmi3CompletedIntegratorStep,                                                       \
    (fmi3Instance instance, fmi3Boolean noSetFMUStatePriorToCurrentPoint,                          \
     fmi3Boolean * enterEventMode, fmi3Boolean * terminateSimulation))                             \
  F(fmi3Status, fmi3SetTime, (fmi3Instance instance, fmi3Float64 time))                            \
  F(fmi3Status, fmi3SetContinuousStates,                                                           \
    (fmi3Instance instance, const fmi3Float64 states[], size_t nStates))                           \
  F(fmi3Status, fmi3GetContinuousStateDerivatives,                                                 \
    (fmi3Instance instance, fmi3Float64 derivatives[], size_t nStates))                            \
  F(fmi3Status, fmi3GetEventIndicators,                                                            \
    (fmi3Instance instance, fmi3Float64 indicators[], size_t nIndicators))                         \
  F(fmi3Status, fmi3GetContinuousStates,                                                           \
    (fmi3Instance instance, fmi3Float64 states[], size_t nStates))                                 \
  F(fmi3Status, fmi3GetNominalsOfContinuousStates,                                                 \
    (fmi3Instance instance, fmi3Float64 nominals[], size_t nStates))                               \
  F(fmi3Status, fmi3GetNumberOfEventIndicators, (fmi3Instance instance, size_t * nIndicators))     \
  F(fmi3Status, fmi3GetNumberOfContinuousStates, (fmi3Instance instance, size_t * nStates))        \
  F(fmi3Status, fmi3EnterStepMode, (fmi3Instance instance))                                        \
  F(fmi3Status, fmi3GetOutputDerivatives,                                                          \
    (fmi3Instance instance, FMI3_REFERENCES, const fmi3Int32 orders[], fmi3Float64 values[],       \
     size_t nValues))                                                                              \
  F(fmi3Status, fmi3DoStep,                                                                        \
    (fmi3Instance instance, fmi3Float64 currentCommunicationPoint,                                 \
     fmi3Float64 communicationStepSize, fmi3Boolean noSetFMUStatePriorToCurrentPoint,              \
     fmi3Boolean * eventHandlingNeeded, fmi3Boolean * terminateSimulation,                         \
     fmi3Boolean * earlyReturn, fmi3Float64 * lastSuccessfulTime))                                 \
  F(fmi3Status, fmi3ActivateModelPartition,                                                        \
    (fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time))

#define FMI3_NUMBERS(F, Type)                                                                      \
  F(fmi3Status, fmi3Get##Type,                                                                     \
    (fmi3Instance instance, FMI3_REFERENCES, fmi3##Type values[], size_t nValues))                 \
  F(fmi3Status, fmi3Set##Type,                                                                     \
    (fmi3Instance instance, FMI3_REFERENCES, const fmi3##Type values[], size_t nValues))

#endif
