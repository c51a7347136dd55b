/* The turn of a plain block, without what follows from it. */
#ifndef HY_FAST_ENGINE_FUSED_PLAIN_H
#define HY_FAST_ENGINE_FUSED_PLAIN_H

#include "cycle.h"
#include "fused.h"

/* As if they had come to it, for the functions of flat. */
void hy_fused_copy_inputs(const HyFusedPlain *p);
/* What a nonlinear block has been evaluated to at T holds until then, when it is due again. */
void hy_fused_end_piece(HyFused *f, const HyFusedPlain *p, double t);

/* ODD: nothing has been done; it goes the way of flat. */
typedef enum { HY_PLAIN_ODD, HY_PLAIN_SILENT, HY_PLAIN_SPEAKS } HyPlainTurn;

HY_AGENDA_INLINE HyPlainTurn hy_fused_plain_turn(const HySim *sim, HyFused *f,
                                                 const HyFusedPlain *p, double t)
{
  HyStaticState *own = p->own;
  if (G_UNLIKELY(hy_fault_is_passed(&own->fault, t) || sim->now.n_wrong > 0)) {
    return HY_PLAIN_ODD;
  }
  const HyLinked *linked = own->form.work->linked[HY_INPUTS_APART];
  if (G_LIKELY(linked != NULL)) {
    hy_linked_evaluate_from(linked, p->number, p->in, t);
  } else {
    hy_program_evaluate_from(own->form.program, p->in, t, own->form.reg);
    hy_kind_ran(own->form.kind, HY_INPUTS_APART);
  }
  if (!p->exact) {
    hy_static_cut(own);
  }
  const double *c = own->form.first;
  if (G_UNLIKELY(!hy_cycle_is_finite(c))) {
    return HY_PLAIN_ODD;
  }
  ++*p->n_int;
  gboolean speaks = c[1] != 0.0 || !hy_static_is_said(c, own->said);
  hy_static_said(own, t, speaks);
  if (!p->exact) {
    hy_fused_end_piece(f, p, t);
  } else if (G_UNLIKELY(f->tn.tn[p->place] != INFINITY)) {
    hy_fused_set(f, p->atomic, INFINITY); /* it was to be due before it was plain */
  }
  return speaks ? HY_PLAIN_SPEAKS : HY_PLAIN_SILENT;
}

#endif
