/* Converters of the thesis: what the table of systems is made of. */
#ifndef BENCH_CONVERTERS_H
#define BENCH_CONVERTERS_H

#include "system.h"

/* Gates: one; of a heat sink, whose second is on while the switch moves; one for each stage. */
void one_gate(System *s);
void heatsink_gates(System *s);
void stage_gates(System *s);
void buck_stage_gates(System *s);

void at_rest(const System *s, double *x);
void warm(const System *s, double *x);

/* The current of a diode, right-hand sides, Jacobians. */
double buck_current(const System *s, const double *x, int diode);
void buck(const System *s, const double *x, double *dx);
void buck_jacobian(const System *s, const double *x, Entries *e);
void buck_heatsink(const System *s, const double *x, double *dx);
void buck_heatsink_jacobian(const System *s, const double *x, Entries *e);

double buck_ls_current(const System *s, const double *x, int diode);
void buck_ls(const System *s, const double *x, double *dx);
void buck_ls_jacobian(const System *s, const double *x, Entries *e);

double buck_ld_current(const System *s, const double *x, int diode);
void buck_ld(const System *s, const double *x, double *dx);
void buck_ld_jacobian(const System *s, const double *x, Entries *e);

double cuk_current(const System *s, const double *x, int diode);
void cuk(const System *s, const double *x, double *dx);
void cuk_jacobian(const System *s, const double *x, Entries *e);
void cuk_interleaved(const System *s, const double *x, double *dx);
void cuk_interleaved_jacobian(const System *s, const double *x, Entries *e);

double cuk_ls_current(const System *s, const double *x, int diode);
void cuk_ls(const System *s, const double *x, double *dx);
void cuk_ls_jacobian(const System *s, const double *x, Entries *e);
void cuk_ls_interleaved(const System *s, const double *x, double *dx);
void cuk_ls_interleaved_jacobian(const System *s, const double *x, Entries *e);

#endif
