/* What is plain memory in `numerics/` and here, named for files (hydevs/atomic.h): rooms that keep
 * such things have them on their tapes by these. */
#ifndef HYDEVS_EXPR_TAPE_PARTS_H
#define HYDEVS_EXPR_TAPE_PARTS_H

#include "base/fault.h"
#include "base/tape.h"
#include "numerics/crossing.h"
#include "numerics/quantizer.h"
#include "program.h"

/* Without its tolerances, which its owner sets. */
void hy_tape_qstate(HyTape *tape, HyQState *v);
void hy_tape_crossing(HyTape *tape, HyCrossing *c);
void hy_tape_piece(HyTape *tape, HyPiece *p);
void hy_tape_fault(HyTape *tape, HyFault *f);

#endif
