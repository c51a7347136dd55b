/* A quantized state as an atomic: which event calls which function of its quantizer, what its group
 * or the room decides for it, and when it has failed. */
#include "continuous/quantized.h"
#include "base/hint.h"
#include "expr/tape_parts.h"
#include "groups/groups.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "numerics/poly.h"

#include <string.h>

static gboolean unknown_method(const char *method, GError **error)
{
  if (strcmp(method, HY_METHOD_AUTO) == 0) {
    g_set_error(
        error, HY_ERROR, HY_ERROR_MODEL,
        "method \"auto\" is chosen by a run (hydevs/experiment.h), not by a simulation alone");
    return FALSE;
  }
  g_autofree char *names = g_strjoinv(", ", hy_key(hy_method_names));
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
              "method \"%s\" is not in this version; choose one of %s", method, names);
  return FALSE;
}

static gboolean check_numbers(const HyQuantized *s, GError **error)
{
  const struct {
    const char *name;
    double v;
  } numbers[] = {{"x0", s->x0},
                 {"dqrel", s->dqrel},
                 {"dqmin", s->dqmin},
                 {"reltol", s->set.reltol},
                 {"abstol", s->set.abstol},
                 {"hstep", s->set.hstep}};
  gboolean finite =
      isfinite(s->x0 + s->dqrel + s->dqmin + s->set.reltol + s->set.abstol + s->set.hstep);
  for (guint k = 0; !finite && k < G_N_ELEMENTS(numbers); k++) { /* or the sum is too large */
    char text[HY_DOUBLE_SIZE];
    if (!isfinite(numbers[k].v)) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s = %s must be finite", numbers[k].name,
                  hy_double_text(text, numbers[k].v));
      return FALSE;
    }
  }
  return TRUE;
}

/* The derivative that stands is an answer, too: none will come from what does not depend on q. */
static void answer(HyQuantized *s, double t)
{
  double dx[4];
  if (s->in.known && !s->member.by_row) {
    hy_signal_at(&s->in, t, dx);
    s->member.quantizer->derivative(&s->v, t, dx);
  }
}

/* A state that is not finite foresees nothing. */
static inline void watch(HyQuantized *s, double t)
{
  if (G_UNLIKELY(s->v.tn == INFINITY || s->fault.wrong)) {
    hy_fault_set(&s->fault, t, !hy_qstate_finite(&s->v));
  }
}

static void watch_member(gpointer owner, double t)
{
  watch(owner, t);
}

/* What a classic group needs to know, as it is in force. */
static gboolean settle(HyQuantized *s, const HyMethod *method, GError **error)
{
  s->set.reltol = s->set.reltol < 0.0 ? s->dqrel : s->set.reltol;
  s->set.abstol = s->set.abstol < 0.0 ? s->dqmin : s->set.abstol;
  g_autofree char *why = hy_group_refuses(method, &s->set);
  if (why != NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "method \"%s\" %s", s->method, why);
  }
  return why == NULL;
}

/* The equations of the model know every state; methods of the group kind live on them. */
static gboolean join_room(HyQuantized *s, const HySetup *setup, const HyMethod *method,
                          GError **error)
{
  s->room = setup->room;
  s->member = (HyMember){.quantizer = method->quantizer,
                         .v = &s->v,
                         .owner = s,
                         .watch = watch_member,
                         .plain = setup->n_in == 1,
                         .asks = s->room != NULL && method->quantizer->implicit,
                         .method = method,
                         .family = method->family,
                         .set = &s->set,
                         .says = INFINITY,
                         .look = INFINITY};
  if (s->room != NULL) {
    s->steps = hy_room_steps(s->room);
    return hy_room_add_state(s->room, setup, &s->member, error);
  }
  if ((method->needs & HY_NEEDS_EQUATIONS) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "method \"%s\" needs the equations of a model",
                s->method);
    return FALSE;
  }
  return TRUE;
}

gboolean hy_quantized_init(HyQuantized *s, double t, const HySetup *setup, GError **error)
{
  const HyMethod *method = hy_method_find(s->method);
  if (method == NULL) {
    return unknown_method(s->method, error);
  }
  if (!check_numbers(s, error) || !settle(s, method, error) ||
      !hy_signal_init(&s->in, t, setup, 0, error) || !join_room(s, setup, method, error)) {
    return FALSE;
  }
  s->v = (HyQState){.rel = s->dqrel, .min = s->dqmin, .learn = s->member.quantizer->implicit};
  s->member.quantizer->start(&s->v, t, s->x0);
  answer(s, t);
  watch(s, t);
  return TRUE;
}

void hy_quantized_input(HyQuantized *s, double t, const HyValue *dx)
{
  if (hy_fault_stands(&s->fault, t) || s->member.by_row) {
    return; /* the room evaluates its derivative itself */
  }
  hy_signal_take(&s->in, t, dx);
  s->member.quantizer->derivative(&s->v, t, s->in.c);
  watch(s, t);
}

void hy_quantized_reset(HyQuantized *s, double t, double x0)
{
  s->member.quantizer->reset(&s->v, t, x0);
  watch(s, t);
}

double hy_quantized_next(const void *state)
{
  const HyQuantized *s = state;
  if (G_UNLIKELY(s->member.why != NULL)) {
    return NAN;
  }
  return hy_fault_next(&s->fault, hy_member_next(&s->member));
}

/* DEVS sends before it moves: piece foretells what step will set. */
HyEvent hy_quantized_lambda(const void *state, double t)
{
  const HyQuantized *s = state;
  if (s->member.says <= t) {
    return (HyEvent){.port = 0, .value.c = {s->v.q[0], s->v.q[1], s->v.q[2]}};
  }
  if (t < s->v.tn ||
      (s->member.family != HY_FAMILY_QUANTIZED && s->v.pieces >= s->member.quantizer->order)) {
    return HY_NO_EVENT; /* something is wrong; or the group decides now, and then it is said */
  }
  HyEvent y = {.port = 0};
  if (!s->member.asks) {
    s->member.quantizer->piece(&s->v, t, y.value.c);
    return y;
  }
  HyQState v = s->v;
  hy_room_localize(s->room, s->member.state, t, &v);
  s->member.quantizer->piece(&v, t, y.value.c);
  return y;
}

static void member_dint(HyQuantized *s, double t)
{
  if (s->member.says <= t) {
    s->member.says = INFINITY;
  } else if (s->v.pieces < s->member.quantizer->order) {
    s->member.quantizer->step(&s->v, t);
    hy_member_touch(s->room, s->member.state, t);
  } else {
    hy_group_step(s->room, s->member.state, t);
  }
}

void hy_quantized_dint(void *state, double t)
{
  HyQuantized *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  if (s->member.by_row && t < s->v.tn && s->member.look <= t && t < s->member.says) {
    hy_member_touch(s->room, s->member.state,
                    t); /* the piece of a nonlinear row has come to its end */
    watch(s, t);
    return;
  }
  if (s->member.family != HY_FAMILY_QUANTIZED) {
    member_dint(s, t);
    watch(s, t);
    return;
  }
  gboolean starting = s->v.pieces < s->member.quantizer->order;
  if (s->member.asks) {
    hy_room_localize(s->room, s->member.state, t, &s->v);
  }
  s->member.quantizer->step(&s->v, t);
  if (starting && s->member.by_row) {
    hy_member_touch(s->room, s->member.state, t);
  } else if (starting) {
    answer(s, t);
  } else if (s->steps != NULL) {
    ++*s->steps;
  }
  watch(s, t);
}

double hy_quantized_value(const void *state, double t)
{
  const HyQuantized *s = state;
  if (hy_family_is_classic(s->member.family)) {
    return hy_group_value(s->room, s->member.state, t);
  }
  return t < s->v.tx ? NAN : hy_qstate_x(&s->v, t); /* what it has been is not kept */
}

gboolean hy_quantized_held(const void *state, HyHeld *held)
{
  const HyQuantized *s = state;
  const HyQuantizer *quantizer = s->member.quantizer;
  if (hy_family_is_classic(s->member.family) || s->v.pieces < quantizer->order) {
    return FALSE;
  }
  *held = (HyHeld){.t0 = MAX(s->v.tx, s->v.tq), .within = quantizer->bound * s->v.dq};
  memcpy(held->x, s->v.x, sizeof held->x);
  memcpy(held->q, s->v.q, sizeof held->q);
  hy_poly_shift(held->x, 4, held->t0 - s->v.tx);
  hy_poly_shift(held->q, 3, held->t0 - s->v.tq);
  return TRUE;
}

/* What has come is looked at again by the answers of the start alone, and engines pass it on to the
 * quantizer themselves later. */
void hy_quantized_tape(void *state, HyTape *tape)
{
  if (!hy_tape_files(tape)) {
    return; /* in memory the state is copied as it lies, and there are very many of them */
  }
  HyQuantized *s = state;
  hy_tape_qstate(tape, &s->v);
  HY_TAPE(tape, s->member.told);
  HY_TAPE(tape, s->member.begun);
  HY_TAPE(tape, s->member.missing);
  HY_TAPE(tape, s->member.says);
  HY_TAPE(tape, s->member.look);
  if (s->v.pieces < s->member.quantizer->order) {
    hy_signal_tape(&s->in, tape);
  } else if (hy_tape_loads(tape)) {
    s->in.known = TRUE;
  }
  hy_tape_fault(tape, &s->fault);
}

void hy_quantized_print(const void *state, GString *out)
{
  const HyQuantized *s = state;
  char x[HY_DOUBLE_SIZE], q[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(x=%s,q=%s", hy_double_text(x, s->v.x[0]),
                         hy_double_text(q, s->v.q[0]));
  if (s->room != NULL && hy_family_is_classic(s->member.family)) {
    hy_group_print(s->room, s->member.state, s->v.tx, out);
  }
  g_string_append_c(out, ')');
}

guint hy_quantized_order(const void *state)
{
  const HyQuantized *s = state;
  const HyMethod *method = hy_method_find(s->method);
  return method != NULL ? (guint)method->quantizer->order : 1; /* init refuses it */
}

char *hy_quantized_fault(const void *state)
{
  const HyQuantized *s = state;
  char text[HY_DOUBLE_SIZE];
  if (s->member.why != NULL) {
    return g_strdup_printf("%s: %s", s->method, s->member.why);
  }
  if (!hy_signal_finite(&s->in)) {
    return hy_signal_fault(&s->in, "in", &s->fault);
  }
  return hy_fault_text(&s->fault, "the state is %s", hy_double_text(text, s->v.x[0]));
}

const HyParam hy_quantized_params[] = {
    HY_PARAM(HyQuantized, x0, .doc = "the state at the start"),
    HY_PARAM(HyQuantized, method, .text = "qss2",
             .doc =
                 "inherited: of the block, else of the nearest element around it that states one; "
                 "a run chooses where that is auto or nobody states one"),
    HY_PARAM(HyQuantized, dqrel, .value = 1e-3, .range = HY_NOT_NEGATIVE,
             .doc = "inherited; the quantum is max(dqrel |x|, dqmin)"),
    HY_PARAM(HyQuantized, dqmin, .value = 1e-6, .range = HY_POSITIVE,
             .doc = "inherited; the smallest quantum"),
    HY_PARAM_AT("reltol", HyQuantized, set.reltol, .value = -1.0,
                .doc = "inherited; error of classic methods: reltol |x| + abstol. -1: dqrel"),
    HY_PARAM_AT("abstol", HyQuantized, set.abstol, .value = -1.0,
                .doc = "inherited; see reltol. -1: dqmin"),
    HY_PARAM_AT(
        "hstep", HyQuantized, set.hstep, .value = 0.0, .range = HY_NOT_NEGATIVE,
        .doc =
            "inherited; step of classic methods, the longest one of those that choose it. 0: none"),
    {.name = NULL},
};
