/* For tests: what the formulas of DEVStone say. */
#ifndef CLOSED_FORM_H
#define CLOSED_FORM_H

#include "devstone.h"

/* What the formulas say; messages are those of the tree. */
typedef struct {
  HyCounts structure;
  HyTotals run;
} Expected;

static inline Expected expected(DevstoneKind kind, guint64 w, guint64 d)
{
  Expected e = {0};
  guint64 chain = (w - 1) * (d - 1), links = (w > 2 ? w - 2 : 0) * (d - 1);
  guint64 s = 3 * w * (w - 1) / 2, p = (d - 1) * (d + 4) / 2;
  gboolean homod = kind == DEVSTONE_HOMOD, ho = kind == DEVSTONE_HO;
  e.structure.atomics = homod ? (w - 1) * (w + 2) / 2 * (d - 1) + 1 : chain + 1;
  e.structure.coupled = d;
  e.structure.eic = (homod ? 2 * w - 1 : ho ? w + 1 : w) * (d - 1) + 1;
  e.structure.ic = homod                 ? ((w - 1) * (w - 1) + w * (w - 1) / 2) * (d - 1)
                   : kind == DEVSTONE_LI ? 0
                                         : links;
  e.structure.eoc = ho ? w * (d - 1) + 1 : d;
  e.run.n_int = homod ? s * (d - 1) + 1 : chain + 1;
  e.run.n_ext = kind == DEVSTONE_LI ? chain + 1 : chain + 1 + links;
  if (homod) {
    guint64 level =
        2 * w * (w - 1) * (w - 1) + (w - 1) * (w > 2 ? w - 2 : 0) / 2 + (w - 1) * (w - 1);
    e.run.n_ext = d == 1 || w == 1 ? 1 : 1 + s + (d - 2) * level;
  }
  e.run.i = e.structure.atomics + d + 2;
  e.run.star = d + 4 + (homod ? s : w - 1) * p;
  e.run.x = e.run.n_ext + (homod ? d + 1 + (d - 1) * w * (w - 1) : ho ? 2 * d : d);
  e.run.y = (homod ? s * (d - 1) : ho ? 2 * chain : chain) + d + 2;
  e.run.done = e.run.i + e.run.star + e.run.x;
  return e;
}

#endif
