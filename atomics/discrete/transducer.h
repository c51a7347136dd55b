/* What a transducer has measured, for programs: hy_sim_state() of a block of class transducer is
 * one. */
#ifndef HYDEVS_ATOMICS_DISCRETE_TRANSDUCER_H
#define HYDEVS_ATOMICS_DISCRETE_TRANSDUCER_H

#include <glib.h>

typedef struct {
  guint64 arr, dep;   /* arrivals and departures */
  double start, last; /* of the run, and of the last event */
  double area;        /* integral of the number in the system, arr - dep, from start to last */
} HyTransducer;

/* Mean time in the system per departure, by Little's law: exact whenever the system is empty, in
 * whatever order the jobs leave, if none is lost inside. NaN before the first departure. */
double hy_transducer_mean_time(const HyTransducer *s);
/* Departures per second. NaN while no time has passed. */
double hy_transducer_throughput(const HyTransducer *s);

#endif
