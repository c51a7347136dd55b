/* A converter with what controls it: the random one of a seed, its model of hydevs, and, by itself,
 * what it does. Everything is a linear form of z' = A z while no switch, diode or limit turns: the
 * circuit by Kirchhoff's laws (loop_tableau.c), controllers by their definitions in
 * docs/control.md, sines by themselves; carriers read the time, which is a part of z. */
#ifndef CAMPAIGN_LOOP_H
#define CAMPAIGN_LOOP_H

#include <float.h>
#include <glib.h>

/* 34 digits: Ron 1 uOhm and Roff 1 GOhm with coils of 1 nH are 20 decades of rates. */
#if LDBL_MANT_DIG >= 113
typedef long double LoopReal;
#else
typedef __float128 LoopReal;
#endif

#define LOOP_NODES     48
#define LOOP_ELEMENTS  64
#define LOOP_COUPLINGS 8
#define LOOP_SIGNALS   16
#define LOOP_GATES     24
#define LOOP_WIDTH     40 /* of z */
#define LOOP_NAME      12
#define LOOP_SAMPLES   128

typedef enum {
  LOOP_RESISTOR,
  LOOP_CAPACITOR,
  LOOP_COIL,
  LOOP_VOLTAGE,
  LOOP_CURRENT,
  LOOP_SWITCH,
  LOOP_DIODE,
  LOOP_TRANSISTOR,
  LOOP_TRANSFORMER
} LoopKind;

typedef struct {
  LoopKind kind;
  char name[LOOP_NAME];
  int a, b, c, d;           /* nodes; c and d: of the second winding */
  double value, x0;         /* R, C, L, of a source, ratio; v0 or i0 */
  double ron, roff, rd, vf; /* of what switches */
  int gate, signal;         /* of a switch; of a source in place of its value; -1: none */
  int state, diode;         /* its number among them; -1: none */
} LoopElement;

typedef struct {
  int first, second;
  double k;
} LoopCoupling;

typedef enum {
  SIGNAL_CONSTANT, /* value */
  SIGNAL_STEP,     /* value, from `at` on `to` */
  SIGNAL_SINE,     /* value + amplitude sin(2 pi frequency t + phase) */
  SIGNAL_SHIFT,    /* signal `of` + value */
  SIGNAL_PI,       /* of signal `of` less measure `measured`; period 0: continuous */
  SIGNAL_HELD      /* signal `of` at k period, twice: at each half of it, too */
} SignalKind;

typedef struct {
  SignalKind kind;
  double value, to, at, amplitude, frequency, phase;
  double kp, ki, lower, upper, initial, period;
  int of, measured; /* a signal; an element: v of a capacitor or resistor, i of a coil */
  gboolean twice;
} LoopSignal;

typedef enum {
  GATE_PWM,        /* 1 while the carrier is below its signal */
  GATE_HYSTERESIS, /* of signal less measure, by band */
  GATE_PEAK,       /* peak current mode, see docs/control.md */
  GATE_NOT,
  GATE_DELAY /* rises after time */
} GateKind;

typedef enum { BY_BLOCK, BY_COMPARISON } GateWay;

typedef struct {
  GateKind kind;
  GateWay way; /* as the model has it */
  int of;      /* a gate */
  int signal, measured;
  double period, shift; /* a carrier begins at (k + shift) period */
  gboolean triangle;
  double band, slope, most, time;
} LoopGate;

typedef struct {
  guint64 seed;
  const char *family, *control;
  double stop;
  gboolean circuit_first; /* in the model: before what controls it */
  int nodes, elements, couplings, signals, gates, states, diodes;
  LoopElement element[LOOP_ELEMENTS];
  LoopCoupling coupling[LOOP_COUPLINGS];
  LoopSignal signal[LOOP_SIGNALS];
  LoopGate gate[LOOP_GATES];
} Loop;

/* The same for the same SEED, on every machine. */
void loop_random(Loop *l, guint64 seed);
/* As a model that records all states on a grid; WORDS stand in a comment. The caller frees it. */
char *loop_xml(const Loop *l, const char *words);
/* The element whose state is K. */
const LoopElement *loop_state(const Loop *l, int k);

/* z: states of the circuit, what signals need, the time, 1. */
typedef struct {
  int states, width, time, one;
  int at[LOOP_SIGNALS]; /* the first column of a signal */
} LoopColumns;

void loop_columns(const Loop *l, LoopColumns *c);

/* What decides a configuration of the network and of the integrals. */
typedef struct {
  guint32 gates, diodes, held; /* held: integrals that rest at a limit */
} LoopModes;

/* z' = rate z, and forms of what others read. */
typedef struct {
  LoopModes modes;
  LoopReal rate[LOOP_WIDTH][LOOP_WIDTH];
  LoopReal diode[LOOP_ELEMENTS][LOOP_WIDTH];   /* its current less that of the knee */
  LoopReal measure[LOOP_ELEMENTS][LOOP_WIDTH]; /* of elements that are measured */
} LoopField;

/* FALSE: Kirchhoff's laws leave something open. */
gboolean loop_field(LoopField *f, const Loop *l, const LoopColumns *c, const LoopModes *m);
/* SIGNAL as a form, limits left out. */
void loop_signal_form(const LoopField *f, const Loop *l, const LoopColumns *c, int signal,
                      LoopReal *form);

typedef enum {
  TRUTH_OK,
  TRUTH_SINGULAR, /* laws leave something open */
  TRUTH_NO_FIT,   /* no set of conducting diodes fits */
  TRUTH_SLIDES,   /* comparisons that turn without end at one instant */
  TRUTH_TOO_LONG, /* more steps than anybody has patience for */
  TRUTH_GROWS,    /* what differs in the 13th digit differs in the 7th after the run */
  TRUTH_KINDS
} TruthKind;

/* NAME of an element, or "limit", "integral", "gate" with the number of a signal or a gate. */
typedef struct {
  double t;
  const char *name;
  int index, now;
} Toggle;

typedef struct {
  TruthKind kind;
  int toggles, configurations;
  GArray *log;   /* of Toggle, if it is asked for; else NULL */
  double growth; /* of a deviation of the start, by the peaks of states */
  double x[LOOP_SAMPLES][LOOP_WIDTH];
  double peak[LOOP_WIDTH];
} Truth;

/* CAREFUL: 1, or more to look closer for crossings. LOG: with all toggles, or NULL; the caller's.
 * The caller frees the truth by g_free(). */
Truth *truth_new(const Loop *l, double careful, GArray *log);
const char *truth_words(TruthKind kind);

#endif
