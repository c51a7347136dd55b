/* A switched circuit as text: what a model of hydevs says of it, and what the exact reference
 * reads. Formulas know numbers, + - * /, parentheses and the names of everything below; they are
 * linear in the states once each switch, diode and relay has a value. */
#ifndef CAMPAIGN_CIRCUIT_H
#define CAMPAIGN_CIRCUIT_H

#include <glib.h>

#define MOST_STATES  20
#define MOST_PARTS   12 /* switches, and so on for each of the others */
#define NAME_SIZE    16
#define FORMULA_SIZE 1024

typedef struct {
  char name[NAME_SIZE];
  char formula[FORMULA_SIZE]; /* the derivative */
  double x0;
} State;

typedef struct {
  char name[NAME_SIZE];
  char formula[FORMULA_SIZE];
} Function;

typedef struct {
  char name[NAME_SIZE];
  double period, duty, phase; /* on from phase + k period for duty periods; phase in seconds */
} Pwm;

typedef struct {
  char name[NAME_SIZE], control[NAME_SIZE]; /* control: of a Pwm */
  double on, off;
} Switch;

typedef struct {
  char name[NAME_SIZE], current[FORMULA_SIZE];
  double on, off;
} Diode;

/* high from where its formula rises above `upper` until it falls below `lower`; both 0: the sign of
 * the formula, which may slide. */
typedef struct {
  char name[NAME_SIZE], formula[FORMULA_SIZE];
  double lower, upper, low, high;
} Relay;

static inline gboolean relay_slides(const Relay *r)
{
  return r->lower == r->upper;
}

typedef struct {
  char name[NAME_SIZE];
  double amplitude, frequency, phase; /* a sin(2 pi f t + phase) */
} Sine;

typedef struct {
  char name[32];
  State state[MOST_STATES];
  Function function[MOST_PARTS];
  Pwm pwm[MOST_PARTS];
  Switch gate[MOST_PARTS];
  Diode diode[MOST_PARTS];
  Relay relay[MOST_PARTS];
  Sine sine[MOST_PARTS];
  int states, functions, pwms, gates, diodes, relays, sines;
  double stop;
  const struct Netlist *net; /* what it is made of as elements between nodes; NULL: the above */
} Circuit;

/* The same circuit for the same SEED, on every machine. */
void circuit_random(Circuit *c, guint64 seed);
/* It has a relay that slides. */
gboolean circuit_slides(const Circuit *c);
/* As a model with an experiment that records all states. The caller frees it. */
char *circuit_xml(const Circuit *c);
void circuit_write_number(GString *out, const char *name, double v); /* NAME="V" */
void circuit_write_sources(GString *out, const Circuit *c);
/* Models as circuit_xml() writes them, by hand or not; numbers instead of names of parameters.
 * FALSE: something in it is not a circuit. */
gboolean circuit_read(Circuit *c, const char *xml);

#endif
