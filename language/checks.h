/* What is said of a model once all of it is there, and of units on the way. */
#ifndef HY_LANGUAGE_CHECKS_H
#define HY_LANGUAGE_CHECKS_H

#include "language/env.h"

/* Warns if ATTRIBUTE is just one parameter and states another unit than the one it is given to. */
void hy_unit_of_param(Env *env, const HyAttribute *attribute, const char *unit, const char *name);
gboolean hy_units_differ(const char *a, const char *b);

/* unit_check.c: warns where a formula adds or compares what states different units. */
void hy_check_units(Loader *l);

void hy_check_loops(Loader *l, const GArray *loops);
/* check_trials.c: warns where something with a memory reads trial values. */
void hy_check_trials(Loader *l);
void hy_check_samples(Loader *l);
void hy_check_method(const Loader *l); /* --method */
/* feeds.c: before the whole is checked. */
void hy_feeds_place(Loader *l, Scope *root);
void hy_check_unused(Loader *l, const HyFile *file, const Define *root);

#endif
