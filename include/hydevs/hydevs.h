/* All of hydevs: #include <hydevs/hydevs.h>, pkg-config name hydevs. */
#ifndef HYDEVS_HYDEVS_H
#define HYDEVS_HYDEVS_H

#include "hydevs/atomic.h"
#include "hydevs/audited.h"
#include "hydevs/blocks.h"
#include "hydevs/bode.h"
#include "hydevs/equations.h"
#include "hydevs/error.h"
#include "hydevs/experiment.h"
#include "hydevs/expression.h"
#include "hydevs/fmu.h"
#include "hydevs/format.h"
#include "hydevs/json.h"
#include "hydevs/load.h"
#include "hydevs/look.h"
#include "hydevs/measure.h"
#include "hydevs/model.h"
#include "hydevs/optimise.h"
#include "hydevs/pages.h"
#include "hydevs/plot.h"
#include "hydevs/record.h"
#include "hydevs/report.h"
#include "hydevs/serve.h"
#include "hydevs/sim.h"
#include "hydevs/stats.h"
#include "hydevs/steady.h"
#include "hydevs/sweep.h"
#include "hydevs/text.h"
#include "hydevs/trace.h"
#include "hydevs/version.h"

#endif
