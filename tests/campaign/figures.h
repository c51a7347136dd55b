/* What must hold of all circuits of a campaign, in one place. */
#ifndef CAMPAIGN_FIGURES_H
#define CAMPAIGN_FIGURES_H

#define CI_CIRCUITS   40
#define CI_LOOKED_AT  10 /* of these at the reference itself */
#define LONG_CIRCUITS 240
#define LONGEST       34 /* by mliqss2, 20 million events: of the long ones alone */

/* Random circuits between nodes: how many, how far off in percent, and what is too large to be held
 * against anything. */
#define CI_NETLISTS     60
#define LONG_NETLISTS   300
#define OFF_OF_NETLISTS 0.001
#define NETLIST_MOST    1e6

/* Of runs with more, one engine is enough. */
#define ENGINE_EVENTS 500000

/* Percent. At the coarse tolerance a circuit may be off by more than these only where CVODE by hand
 * comes to half of that at least: an error that grows by itself is not the same twice. */
#define COARSE      1e-3
#define FAR_OFF     100
#define OFF         10
#define HAND_FACTOR 2

/* At the fine tolerance none is off by more. */
#define FINE        1e-6
#define OFF_AT_FINE 1

/* Of blocks that are solved exactly, at the coarse tolerance. */
#define OFF_OF_BLOCKS 1

/* The reference against a closer look, and against CVODE by hand at nine digits. */
#define REFERENCE_OFF 0.01
#define REFERENCE_TOL 1e-9

/* Converters with what controls them: how many, how many of them may be off by more than `part` of
 * the peak of a state, or not end, and the middle error: of all, of those in open loop, and of
 * those under hysteresis and under peak current. These say what holds today, not what must. */
typedef struct {
  double part;
  int off, not_ended;
  double median, median_open, median_led;
} LoopFigures;

#define CI_LOOPS          24
#define CI_LOOP_DEFAULT   ((LoopFigures){0.01, 0, 0, 1e-10, 1e-11, 1e-10})
#define CI_LOOP_AT_FINE   ((LoopFigures){0.01, 0, 0, 1e-10, 1e-11, 1e-10})
#define LONG_LOOPS        400
#define LONG_LOOP_DEFAULT ((LoopFigures){0.01, 1, 0, 1e-11, 1e-11, 1e-10})
#define LONG_LOOP_AT_FINE ((LoopFigures){0.01, 1, 0, 1e-11, 1e-11, 1e-9})
#define LOOP_FINE         1e-7
#define LOOP_SECONDS      20

/* Processor time of one run, in seconds, that no circuit needs. */
#define SECONDS 60

#endif
