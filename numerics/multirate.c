#include "multirate.h"

#include <stddef.h>
#include <string.h>

/* A step under way, and the steps of slower parts that it belongs to. */
typedef struct Step {
  const struct Step *slower;
  int part;
  double t, h;
} Step;

/* The parts of the room. */
typedef struct {
  double *begin, *end; /* of the steps under way; begin is the present of all other states */
  double *view;        /* all states as one part sees them */
  double *dw;
} Room;

static Room room_of(const HyRates *r)
{
  size_t n = (size_t)r->n;
  return (Room){r->room, r->room + n, r->room + 2 * n, r->room + 3 * n};
}

size_t hy_rates_room(int n)
{
  return 4 * (size_t)n;
}

/* Of a slower part, at T within its step. */
static void inform(const HyRates *r, const Step *s, double t)
{
  Room w = room_of(r);
  const HyRatePart *p = &r->part[s->part];
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
static void evaluate(HyRates *r, const Step *s, double t, const double *own)
{
  Room w = room_of(r);
  HyRatePart *p = &r->part[s->part];
  size_t bytes = (size_t)p->n * sizeof *own;
  memcpy(w.view, w.begin, (size_t)r->n * sizeof *own);
  memcpy(w.view + p->first, own + p->first, bytes);
  for (const Step *slower = s->slower; slower != NULL; slower = slower->slower) {
    inform(r, slower, t);
  }
  p->f(r->user, t, w.view, w.dw);
  p->evaluations++;
  for (int i = 0; i < p->n; i++) {
    w.end[p->first + i] = w.begin[p->first + i] + s->h * w.dw[i];
  }
}

/* From T over H, this part and all faster ones. */
static void take(HyRates *r, const Step *s)
{
  Room w = room_of(r);
  const HyRatePart *p = &r->part[s->part];
  evaluate(r, s, s->t, w.begin);
  for (int m = 0; m < p->corrections; m++) {
    evaluate(r, s, s->t + s->h, w.end);
  }
  if (s->part + 1 < r->parts) {
    int ratio = r->part[s->part + 1].ratio;
    for (int i = 0; i < ratio; i++) {
      Step faster = {s, s->part + 1, s->t + s->h * i / ratio, s->h / ratio};
      take(r, &faster);
    }
  }
  memcpy(w.begin + p->first, w.end + p->first, (size_t)p->n * sizeof *w.end);
}

void hy_rates_cycle(HyRates *r, double t, double step, double *w)
{
  Room room = room_of(r);
  int ratio = r->part[0].ratio;
  memcpy(room.begin, w, (size_t)r->n * sizeof *w);
  for (int i = 0; i < ratio; i++) {
    Step slowest = {NULL, 0, t + step * i / ratio, step / ratio};
    take(r, &slowest);
  }
  memcpy(w, room.begin, (size_t)r->n * sizeof *w);
}

void hy_rates_matrix(HyRates *r, double step, double *m)
{
  Room w = room_of(r);
  for (int k = 0; k < r->n; k++) {
    for (int i = 0; i < r->n; i++) {
      w.view[i] = i == k ? 1.0 : 0.0;
    }
    hy_rates_cycle(r, 0.0, step, w.view);
    for (int i = 0; i < r->n; i++) {
      m[(ptrdiff_t)i * r->n + k] = w.view[i];
    }
  }
}
