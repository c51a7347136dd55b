/* State machines as drawings: states, and what leads from one to the next. */
#ifndef HY_CHART_H
#define HY_CHART_H

#include "atomics/machine/machine.h"
#include "pages/diagram.h"

/* A machine as large as that is open where it stands. */
#define HY_CHART_STATES      12
#define HY_CHART_TRANSITIONS 24

/* PATH: of its block. Its boxes are states, transitions and the dot at which it begins. */
HyDiagram *hy_chart_new(const HyMachine *m, const char *path);
gboolean hy_chart_is_small(const HyMachine *m);
char *hy_transition_text(const HyMachineTransition *t); /* newly allocated */

/* ---- for svg.c ---- */
void hy_chart_item_svg(GString *out, const HyDrawn *d, const HyBox *box);
void hy_chart_arc_svg(GString *out, const HyDiagram *d, const HyWire *w);

#endif
