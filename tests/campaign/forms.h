/* The formulas of a circuit as linear forms of its states, once every switch, diode and relay has a
 * value: x' = A x + b, row by row. */
#ifndef CAMPAIGN_FORMS_H
#define CAMPAIGN_FORMS_H

#include "circuit.h"
#include <float.h>

/* 34 digits: rates lie up to fifteen decades apart, and squaring a step loses as many. */
#if LDBL_MANT_DIG >= 113
typedef long double Real;
#else
typedef __float128 Real;
#endif

#define MOST_WIDTH (MOST_STATES + 2 * 4 + 1)

typedef enum { RELAY_LOW, RELAY_HIGH, RELAY_SLIDES } RelayMode;

typedef struct {
  guint8 gate[MOST_PARTS], diode[MOST_PARTS]; /* 1: on */
  guint8 relay[MOST_PARTS];                   /* RelayMode; one that slides counts as low here */
} Modes;

/* Columns: the states, sine and cosine of each source (amplitude included), and 1. */
int form_width(const Circuit *c);
int form_sine(const Circuit *c, int k); /* the column of source K; its cosine is the next one */
int form_one(const Circuit *c);
/* TEXT as form_width() coefficients. FALSE: it is no formula, or not linear. */
gboolean form_read(const Circuit *c, const Modes *m, const char *text, Real *form);

#endif
