/* A value that is not finite now, and a fault if time passes: one record for all blocks. */
#ifndef HYDEVS_BASE_FAULT_H
#define HYDEVS_BASE_FAULT_H

#include <glib.h>
#include <math.h>

/* What is wrong at an instant may be put right at the same instant by the next event; it is a fault
 * when time advances over it. A block whose inputs are wrong schedules hy_fault_next() and, when
 * hy_fault_stands() in a transition, fails: its `next` is then NaN. */
typedef struct {
  double since;    /* when it was wrong first; of use only while `wrong` */
  gboolean wrong;  /* now */
  gboolean failed; /* time has advanced over it */
} HyFault;

static inline void hy_fault_set(HyFault *f, double t, gboolean wrong)
{
  f->since = wrong && !f->wrong ? t : f->since;
  f->wrong = wrong;
}

/* Time has advanced over it. */
static inline gboolean hy_fault_is_passed(const HyFault *f, double t)
{
  return f->wrong && t > f->since;
}

/* At the start of dint and dext. */
static inline gboolean hy_fault_stands(HyFault *f, double t)
{
  if (G_LIKELY(!(f->wrong | f->failed))) {
    return FALSE;
  }
  f->failed = f->failed || hy_fault_is_passed(f, t);
  return f->failed;
}

/* In place of NEXT, what is due otherwise. */
static inline double hy_fault_next(const HyFault *f, double next)
{
  if (G_UNLIKELY(f->wrong)) {
    return f->failed ? NAN : fmin(next, nextafter(f->since, INFINITY));
  }
  return next;
}

#endif
