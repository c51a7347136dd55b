/* Newton's matrix of a group whose rows read hubs, inside. With h = g(y, h) for the hubs and
 * f = f(y, h), it is I - gamma (f_y + f_h (I - g_h)^-1 g_y), full in as many rows as read a hub. So
 * the sparse or small part A = I - gamma f_y is solved for, by another solver, and the hubs are
 * added to what it finds (Sherman, Morrison and Woodbury). For classic_cvode.c. */
#ifndef HYDEVS_GROUPS_CLASSIC_HUBS_H
#define HYDEVS_GROUPS_CLASSIC_HUBS_H

#include "classic_internal.h"

#include <sundials/sundials_linearsolver.h>

/* INNER solves for A and becomes its own; PARTIAL: what hy_classic_partials() has written. MEMORY
 * is CVODE's. INNER itself where no row reads a hub, or there are too many hubs: to leave them out
 * costs iterations and no accuracy. */
SUNLinearSolver hy_hubs_solver(const HyClassic *g, SUNLinearSolver inner, const double *partial,
                               void *memory, N_Vector like, SUNContext context);

#endif
