/* The rows of a simulation as a model of Modelica, or of its subset for QSS Solver. */
#ifndef HYDEVS_EQUATIONS_MODELICA_H
#define HYDEVS_EQUATIONS_MODELICA_H

#include "standalone.h"

/* Appended to OUT. MICRO: MicroModelica. FALSE: something cannot be said so; *ERROR names it. */
gboolean hy_modelica(const HyRoom *room, const HyStandalone *with, gboolean micro, GString *out,
                     GError **error);

#endif
