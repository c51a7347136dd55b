/* Functions of the standard that a unit has and cannot do: each says so in the importer's log. */
#include "unit.h"

static fmi3Status cannot(fmi3Instance instance, const char *call, const char *why)
{
  const Unit *u = instance;
  if (u != NULL) {
    g_autofree char *text = g_strdup_printf("%s: %s", call, why);
    unit_log(u, fmi3Error, "logStatusError", text);
  }
  return fmi3Error;
}

#define NO_SUCH_TYPE "no variable of this unit has this type"
#define NO_CLOCKS    "this unit has no clocks: its events are discrete variables"
#define NO_EXCHANGE  "this unit is for co-simulation, not for model exchange"
#define NO_SLOPES    "this unit does not tell derivatives"

#define NONE_OF(Type)                                                                              \
  fmi3Status fmi3Get##Type(fmi3Instance instance, FMI3_REFERENCES, fmi3##Type values[],            \
                           size_t nValues)                                                         \
  {                                                                                                \
    (void)references, (void)values;                                                                \
    return nReferences + nValues == 0 ? fmi3OK : cannot(instance, __func__, NO_SUCH_TYPE);         \
  }                                                                                                \
  fmi3Status fmi3Set##Type(fmi3Instance instance, FMI3_REFERENCES, const fmi3##Type values[],      \
                           size_t nValues)                                                         \
  {                                                                                                \
    (void)references, (void)values;                                                                \
    return nReferences + nValues == 0 ? fmi3OK : cannot(instance, __func__, NO_SUCH_TYPE);         \
  }
NONE_OF(Float32)
NONE_OF(Int8)
NONE_OF(UInt8)
NONE_OF(Int16)
NONE_OF(UInt16)
NONE_OF(Int32)
NONE_OF(UInt32)
NONE_OF(UInt64)
NONE_OF(Boolean)

/* Those whose parameters tell nothing: GCC and Clang do not warn of what a function is declared
 * with and does not name. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define CANNOT(name, parameters, why)                                                              \
  fmi3Status name parameters                                                                       \
  {                                                                                                \
    return cannot(instance, __func__, why);                                                        \
  }

CANNOT(fmi3GetBinary,
       (fmi3Instance instance, FMI3_REFERENCES, size_t sizes[], fmi3Binary values[],
        size_t nValues),
       NO_SUCH_TYPE)
CANNOT(fmi3SetBinary,
       (fmi3Instance instance, FMI3_REFERENCES, const size_t sizes[], const fmi3Binary values[],
        size_t nValues),
       NO_SUCH_TYPE)
CANNOT(fmi3GetClock, (fmi3Instance instance, FMI3_REFERENCES, fmi3Clock values[]), NO_CLOCKS)
CANNOT(fmi3SetClock, (fmi3Instance instance, FMI3_REFERENCES, const fmi3Clock values[]), NO_CLOCKS)
CANNOT(fmi3GetIntervalDecimal,
       (fmi3Instance instance, FMI3_REFERENCES, fmi3Float64 intervals[],
        fmi3IntervalQualifier qualifiers[]),
       NO_CLOCKS)
CANNOT(fmi3GetIntervalFraction,
       (fmi3Instance instance, FMI3_REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[],
        fmi3IntervalQualifier qualifiers[]),
       NO_CLOCKS)
CANNOT(fmi3GetShiftDecimal, (fmi3Instance instance, FMI3_REFERENCES, fmi3Float64 shifts[]),
       NO_CLOCKS)
CANNOT(fmi3GetShiftFraction,
       (fmi3Instance instance, FMI3_REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[]),
       NO_CLOCKS)
CANNOT(fmi3SetIntervalDecimal,
       (fmi3Instance instance, FMI3_REFERENCES, const fmi3Float64 intervals[]), NO_CLOCKS)
CANNOT(fmi3SetIntervalFraction,
       (fmi3Instance instance, FMI3_REFERENCES, const fmi3UInt64 counters[],
        const fmi3UInt64 resolutions[]),
       NO_CLOCKS)
CANNOT(fmi3SetShiftDecimal, (fmi3Instance instance, FMI3_REFERENCES, const fmi3Float64 shifts[]),
       NO_CLOCKS)
CANNOT(fmi3SetShiftFraction,
       (fmi3Instance instance, FMI3_REFERENCES, const fmi3UInt64 counters[],
        const fmi3UInt64 resolutions[]),
       NO_CLOCKS)
CANNOT(fmi3ActivateModelPartition,
       (fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time), NO_CLOCKS)
CANNOT(fmi3EnterConfigurationMode, (fmi3Instance instance),
       "this unit has no structural parameters")
CANNOT(fmi3ExitConfigurationMode, (fmi3Instance instance), "this unit has no structural parameters")
CANNOT(fmi3GetNumberOfVariableDependencies,
       (fmi3Instance instance, fmi3ValueReference reference, size_t *nDependencies),
       "this unit does not tell what each element depends on")
CANNOT(fmi3GetVariableDependencies,
       (fmi3Instance instance, fmi3ValueReference dependent, size_t elementIndicesOfDependent[],
        fmi3ValueReference independents[], size_t elementIndicesOfIndependents[],
        fmi3DependencyKind dependencyKinds[], size_t nDependencies),
       "this unit does not tell what each element depends on")
CANNOT(fmi3GetDirectionalDerivative,
       (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
        const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
        fmi3Float64 sensitivity[], size_t nSensitivity),
       NO_SLOPES)
CANNOT(fmi3GetAdjointDerivative,
       (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
        const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
        fmi3Float64 sensitivity[], size_t nSensitivity),
       NO_SLOPES)
CANNOT(fmi3GetOutputDerivatives,
       (fmi3Instance instance, FMI3_REFERENCES, const fmi3Int32 orders[], fmi3Float64 values[],
        size_t nValues),
       NO_SLOPES)
CANNOT(fmi3EvaluateDiscreteStates, (fmi3Instance instance),
       "this unit has fmi3UpdateDiscreteStates alone")
CANNOT(fmi3EnterContinuousTimeMode, (fmi3Instance instance), NO_EXCHANGE)
CANNOT(fmi3CompletedIntegratorStep,
       (fmi3Instance instance, fmi3Boolean noSetFMUStatePriorToCurrentPoint,
        fmi3Boolean *enterEventMode, fmi3Boolean *terminateSimulation),
       NO_EXCHANGE)
CANNOT(fmi3SetTime, (fmi3Instance instance, fmi3Float64 time), NO_EXCHANGE)
CANNOT(fmi3SetContinuousStates, (fmi3Instance instance, const fmi3Float64 states[], size_t nStates),
       NO_EXCHANGE)
CANNOT(fmi3GetContinuousStateDerivatives,
       (fmi3Instance instance, fmi3Float64 derivatives[], size_t nStates), NO_EXCHANGE)
CANNOT(fmi3GetEventIndicators,
       (fmi3Instance instance, fmi3Float64 indicators[], size_t nIndicators), NO_EXCHANGE)
CANNOT(fmi3GetContinuousStates, (fmi3Instance instance, fmi3Float64 states[], size_t nStates),
       NO_EXCHANGE)
CANNOT(fmi3GetNominalsOfContinuousStates,
       (fmi3Instance instance, fmi3Float64 nominals[], size_t nStates), NO_EXCHANGE)
CANNOT(fmi3GetNumberOfEventIndicators, (fmi3Instance instance, size_t *nIndicators), NO_EXCHANGE)
CANNOT(fmi3GetNumberOfContinuousStates, (fmi3Instance instance, size_t *nStates), NO_EXCHANGE)
