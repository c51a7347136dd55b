/* What measures have heard, on a tape: of a snapshot, and in memory. Whom they may ask is found
 * again. */
#include "measures_internal.h"

#include "base/tape.h"

static void measured_tape(HyMeasured *s, HyTape *tape)
{
  HY_TAPE(tape, s->numeric);
  HY_TAPE(tape, s->tl);
  HY_TAPE_ARRAY(tape, s->c, 4);
  if (hy_tape_loads(tape)) {
    s->at = NAN;
  }
}

static void curve_tape(HyMeasuredCurve *c, HyTape *tape)
{
  HY_TAPE(tape, c->t);
  HY_TAPE(tape, c->size);
  HY_TAPE(tape, c->missed);
  HY_TAPE(tape, c->worst);
  HY_TAPE(tape, c->patience);
}

static void two_tape(Two *x, HyTape *tape)
{
  HY_TAPE(tape, x->h);
  HY_TAPE(tape, x->l);
}

static void taker_tape(HyTaker *k, HyTape *tape)
{
  two_tape(&k->sum, tape);
  two_tape(&k->square, tape);
  two_tape(&k->cosine, tape);
  two_tape(&k->sine, tape);
  if (k->settling != NULL) {
    hy_settling_tape(k->settling, tape);
  }
  HY_TAPE(tape, k->covered);
  HY_TAPE(tape, k->least);
  HY_TAPE(tape, k->most);
  HY_TAPE(tape, k->value);
  HY_TAPE(tape, k->first);
  HY_TAPE(tape, k->last);
  HY_TAPE(tape, k->count);
  HY_TAPE(tape, k->size);
  HY_TAPE(tape, k->holds);
  HY_TAPE(tape, k->hole);
  HY_TAPE(tape, k->known);
}

/* Equal texts make equal terms: of others nothing is known. */
static void names_tape(const HyMeasures *m, HyTape *tape)
{
  for (guint k = 0; k < m->curve->len; k++) {
    char *own = hy_measured_curve(m, k)->key, *key = hy_tape_loads(tape) ? NULL : own;
    hy_tape_item(tape, HY_ITEM_TEXT, "curve", &key, 1);
    if (hy_tape_loads(tape)) {
      gboolean same = g_strcmp0(key, own) == 0;
      g_free(key);
      if (!same) {
        hy_tape_reject(tape, "other measures are taken than in the run of the snapshot");
      }
    }
  }
}

void hy_measures_tape(HyMeasures *m, HyTape *tape)
{
  if (hy_tape_files(tape)) {
    names_tape(m, tape);
  }
  HY_TAPE(tape, m->asked);
  HY_TAPE(tape, m->heard);
  for (guint k = 0; k < m->signal->len; k++) {
    measured_tape(hy_measured(m, k), tape);
  }
  for (guint k = 0; k < m->curve->len; k++) {
    curve_tape(hy_measured_curve(m, k), tape);
  }
  for (guint k = 0; k < m->taker->len; k++) {
    taker_tape(hy_taker(m, k), tape);
  }
}
