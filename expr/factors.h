/* The factors of a linear row in two doubles each. */
#ifndef HYDEVS_EXPR_FACTORS_H
#define HYDEVS_EXPR_FACTORS_H

#include "numerics/two.h"
#include "template.h"

/* Of T, by its slots, and behind them the rest: COEF is [n_slots + 1]. FALSE: some of them is no
 * number, or what a slot is put into is none of + - * / and choices. */
gboolean hy_template_factors(const HyTemplate *t, const double *number, const guint8 *flag,
                             Two *coef);

#endif
