#include "tape_parts.h"

void hy_tape_qstate(HyTape *tape, HyQState *v)
{
  HY_TAPE_ARRAY(tape, v->x, 4);
  HY_TAPE(tape, v->tx);
  HY_TAPE_ARRAY(tape, v->q, 3);
  HY_TAPE(tape, v->tq);
  HY_TAPE(tape, v->dq);
  HY_TAPE(tape, v->tn);
  HY_TAPE(tape, v->a);
  HY_TAPE(tape, v->own);
  HY_TAPE(tape, v->q_was);
  HY_TAPE(tape, v->dx_was);
  HY_TAPE(tape, v->pieces);
  HY_TAPE(tape, v->learn);
  HY_TAPE(tape, v->asked);
  HY_TAPE(tape, v->wrong);
  HY_TAPE(tape, v->lower);
  HY_TAPE(tape, v->upper);
}

void hy_tape_crossing(HyTape *tape, HyCrossing *c)
{
  HY_TAPE_ARRAY(tape, c->z, 4);
  HY_TAPE(tape, c->tz);
  HY_TAPE(tape, c->tn);
  HY_TAPE(tape, c->toggled);
  HY_TAPE(tape, c->rest);
  HY_TAPE(tape, c->size);
  HY_TAPE(tape, c->past);
  HY_TAPE(tape, c->wait);
  HY_TAPE(tape, c->bears);
  HY_TAPE(tape, c->tries);
  HY_TAPE(tape, c->sign);
  HY_TAPE(tape, c->n);
  HY_TAPE(tape, c->armed);
  HY_TAPE(tape, c->judged);
  HY_TAPE(tape, c->found);
  HY_TAPE(tape, c->waits);
  HY_TAPE(tape, c->band);
  if (c->n > 4) {
    c->n = 0;
    hy_tape_reject(tape, "a crossing has more coefficients than there are");
  }
}

void hy_tape_piece(HyTape *tape, HyPiece *p)
{
  HY_TAPE_ARRAY(tape, p->c, 4);
  HY_TAPE(tape, p->t);
}

void hy_tape_fault(HyTape *tape, HyFault *f)
{
  HY_TAPE(tape, f->since);
  HY_TAPE(tape, f->wrong);
  HY_TAPE(tape, f->failed);
}
