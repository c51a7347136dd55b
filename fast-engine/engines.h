/* The engines of this folder. */
#ifndef HY_FAST_ENGINE_ENGINES_H
#define HY_FAST_ENGINE_ENGINES_H

#include "sim/engine.h"

extern const HyEngineOps hy_engine_flat, hy_engine_fused;

#endif
