/* Multirate integration as a recurrence, without blocks, events and grids: what groups of multirate
 * methods (groups/classic_multirate.c) have to come to. Each part has a fixed step, a whole number
 * of which makes one step of the next slower part. */
#ifndef HY_TEST_RATES_H
#define HY_TEST_RATES_H

#include "numerics/methods.h"

#include <string.h>

typedef struct {
  int first, n; /* its states are w[first] ... */
  int ratio;    /* its steps in one of the part before; of the slowest: in a cycle, mostly 1 */
  int corrections;
  /* dw: the derivatives of its n states; w: all states, as the part sees them */
  void (*f)(void *user, double t, const double *w, double *dw);
  long evaluations; /* counted here */
} RatesPart;

typedef struct {
  int n;           /* states */
  int parts;       /* slowest first; together they own every state once */
  RatesPart *part; /* the owner's */
  HyRateInformation information;
  void *user;
  double *room; /* 4 n doubles */
} Rates;

/* A step under way, and the steps of slower parts that it belongs to. */
typedef struct RatesStep {
  const struct RatesStep *slower;
  int part;
  double t, h;
} RatesStep;

/* The parts of the room. */
typedef struct {
  double *begin, *end; /* of the steps under way; begin is the present of all other states */
  double *view;        /* all states as one part sees them */
  double *dw;
} RatesRoom;

static inline RatesRoom rates_room_of(const Rates *r)
{
  size_t n = (size_t)r->n;
  return (RatesRoom){r->room, r->room + n, r->room + 2 * n, r->room + 3 * n};
}

/* Of a slower part, at T within its step. */
static inline void rates_inform(const Rates *r, const RatesStep *s, double t)
{
  RatesRoom w = rates_room_of(r);
  const RatesPart *p = &r->part[s->part];
  double share = r->information == HY_RATE_INTERPOLATED ? (t - s->t) / s->h : 1.0;
  for (int i = p->first; i < p->first + p->n; i++) {
    if (r->information == HY_RATE_DELAYED) {
      w.view[i] = w.begin[i];
    } else {
      w.view[i] = share == 1.0 ? w.end[i] : w.begin[i] + share * (w.end[i] - w.begin[i]);
    }
  }
}

/* end = begin + h f at T, with the own states OWN. */
static inline void rates_evaluate(Rates *r, const RatesStep *s, double t, const double *own)
{
  RatesRoom w = rates_room_of(r);
  RatesPart *p = &r->part[s->part];
  size_t bytes = (size_t)p->n * sizeof *own;
  memcpy(w.view, w.begin, (size_t)r->n * sizeof *own);
  memcpy(w.view + p->first, own + p->first, bytes);
  for (const RatesStep *slower = s->slower; slower != NULL; slower = slower->slower) {
    rates_inform(r, slower, t);
  }
  p->f(r->user, t, w.view, w.dw);
  p->evaluations++;
  for (int i = 0; i < p->n; i++) {
    w.end[p->first + i] = w.begin[p->first + i] + s->h * w.dw[i];
  }
}

/* From T over H, this part and all faster ones. */
static inline void rates_take(Rates *r, const RatesStep *s)
{
  RatesRoom w = rates_room_of(r);
  const RatesPart *p = &r->part[s->part];
  rates_evaluate(r, s, s->t, w.begin);
  for (int m = 0; m < p->corrections; m++) {
    rates_evaluate(r, s, s->t + s->h, w.end);
  }
  if (s->part + 1 < r->parts) {
    int ratio = r->part[s->part + 1].ratio;
    for (int i = 0; i < ratio; i++) {
      RatesStep faster = {s, s->part + 1, s->t + s->h * i / ratio, s->h / ratio};
      rates_take(r, &faster);
    }
  }
  memcpy(w.begin + p->first, w.end + p->first, (size_t)p->n * sizeof *w.end);
}

/* W at T becomes W at T + STEP. */
static inline void rates_cycle(Rates *r, double t, double step, double *w)
{
  RatesRoom room = rates_room_of(r);
  int ratio = r->part[0].ratio;
  memcpy(room.begin, w, (size_t)r->n * sizeof *w);
  for (int i = 0; i < ratio; i++) {
    RatesStep slowest = {NULL, 0, t + step * i / ratio, step / ratio};
    rates_take(r, &slowest);
  }
  memcpy(w, room.begin, (size_t)r->n * sizeof *w);
}

#endif
