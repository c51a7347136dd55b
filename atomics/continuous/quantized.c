#include "continuous/quantized.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "poly.h"

static gboolean unknown_method(const char *method, GError **error)
{
  g_autoptr(GString) names = g_string_new(NULL);
  for (const HyQuantizer *const *m = hy_quantizers; *m != NULL; m++) {
    g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", (*m)->name);
  }
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
              "method \"%s\" is not in this version; choose one of %s", method, names->str);
  return FALSE;
}

static gboolean check_numbers(const HyQuantized *s, GError **error)
{
  const struct {
    const char *name;
    double v;
  } numbers[] = {{"x0", s->x0}, {"dqrel", s->dqrel}, {"dqmin", s->dqmin}};
  for (guint k = 0; k < G_N_ELEMENTS(numbers); k++) {
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
  if (s->in.known) {
    hy_signal_at(&s->in, t, dx);
    s->quantizer->derivative(&s->v, t, dx);
  }
}

/* A state that is not finite foresees nothing. */
static inline void watch(HyQuantized *s, double t)
{
  if (G_UNLIKELY(s->v.tn == INFINITY || s->fault.wrong)) {
    hy_fault_set(&s->fault, t, !hy_qstate_finite(&s->v));
  }
}

gboolean hy_quantized_init(HyQuantized *s, double t, const HySetup *setup, GError **error)
{
  s->quantizer = hy_quantizer_find(s->method);
  if (s->quantizer == NULL) {
    return unknown_method(s->method, error);
  }
  if (!check_numbers(s, error) || !hy_signal_init(&s->in, t, setup, 0, error)) {
    return FALSE;
  }
  s->room = s->quantizer->implicit ? setup->room : NULL;
  if (setup->room != NULL) {
    s->number = hy_room_add_state(setup->room, setup, s->quantizer->implicit);
  }
  s->v = (HyQState){.rel = s->dqrel, .min = s->dqmin, .learn = s->quantizer->implicit};
  s->quantizer->start(&s->v, t, s->x0);
  answer(s, t);
  watch(s, t);
  return TRUE;
}

void hy_quantized_input(HyQuantized *s, double t, const HyValue *dx)
{
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  hy_signal_take(&s->in, t, dx);
  s->quantizer->derivative(&s->v, t, s->in.c);
  watch(s, t);
}

void hy_quantized_reset(HyQuantized *s, double t, double x0)
{
  s->quantizer->reset(&s->v, t, x0);
  watch(s, t);
}

double hy_quantized_next(const void *state)
{
  const HyQuantized *s = state;
  return hy_fault_next(&s->fault, s->v.tn);
}

/* Before an own step of an implicit method: the local model x' = a q + u from the equations. On a
 * nonlinear row x' is taken from there, too: the stored one is an extrapolation, and u = x' - a q
 * would mix it with a fresh a. */
static void take_local_model(const HyQuantized *s, HyQState *v, double t)
{
  if (s->room == NULL || v->pieces < s->quantizer->order || !hy_room_has_row(s->room, s->number)) {
    return;
  }
  const HyLocalRow *l = hy_room_local(s->room, s->number, t);
  v->learn = !isfinite(l->a);
  v->a = isfinite(l->a) ? l->a : v->a;
  if (!l->linear && hy_poly_finite(l->dx, s->quantizer->order)) {
    hy_qstate_refresh(v, t, s->quantizer->order, l->dx);
  }
}

/* DEVS sends before it moves: step a copy. */
HyEvent hy_quantized_lambda(const void *state, double t)
{
  const HyQuantized *s = state;
  if (t < s->v.tn) {
    return HY_NO_EVENT; /* here only to say that something is wrong */
  }
  HyQState v = s->v;
  take_local_model(s, &v, t);
  s->quantizer->step(&v, t);
  return (HyEvent){.port = 0, .value.c = {v.q[0], v.q[1], v.q[2]}};
}

void hy_quantized_dint(void *state, double t)
{
  HyQuantized *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  gboolean starting = s->v.pieces < s->quantizer->order;
  take_local_model(s, &s->v, t);
  s->quantizer->step(&s->v, t);
  if (starting) {
    answer(s, t);
  }
  watch(s, t);
}

double hy_quantized_value(const void *state, double t)
{
  return hy_qstate_x(&((const HyQuantized *)state)->v, t);
}

void hy_quantized_print(const void *state, GString *out)
{
  const HyQuantized *s = state;
  char x[HY_DOUBLE_SIZE], q[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(x=%s,q=%s)", hy_double_text(x, s->v.x[0]),
                         hy_double_text(q, s->v.q[0]));
}

guint hy_quantized_order(const void *state)
{
  const HyQuantized *s = state;
  const HyQuantizer *quantizer = hy_quantizer_find(s->method);
  return quantizer != NULL ? (guint)quantizer->order : 1; /* init refuses it */
}

char *hy_quantized_fault(const void *state)
{
  const HyQuantized *s = state;
  char text[HY_DOUBLE_SIZE];
  if (!hy_signal_finite(&s->in)) {
    return hy_signal_fault(&s->in, "in", &s->fault);
  }
  return hy_fault_text(&s->fault, "the state is %s", hy_double_text(text, s->v.x[0]));
}

const HyParam hy_quantized_params[] = {
    {.name = "x0",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(HyQuantized, x0),
     .doc = "the state at the start"},
    {.name = "method",
     .kind = HY_TEXT,
     .offset = G_STRUCT_OFFSET(HyQuantized, method),
     .text = "qss2",
     .doc = "inherited: of the block, else of the nearest element around it that states one"},
    {.name = "dqrel",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(HyQuantized, dqrel),
     .value = 1e-3,
     .range = HY_NOT_NEGATIVE,
     .doc = "inherited; the quantum is max(dqrel |x|, dqmin)"},
    {.name = "dqmin",
     .kind = HY_REAL,
     .offset = G_STRUCT_OFFSET(HyQuantized, dqmin),
     .value = 1e-6,
     .range = HY_POSITIVE,
     .doc = "inherited; the smallest quantum"},
    {.name = NULL},
};
