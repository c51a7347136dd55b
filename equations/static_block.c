/* The atomic behind every block that describes itself: which event does what to its program.
 *
 * An input that changes makes the block due at once. Speaking and moving share one evaluation:
 * lambda runs the program in the block's working memory (registers, a copy of the modes), which is
 * no part of the state: it follows from the state and the time alone. dint, which always comes
 * next, makes the new modes and the last words the state. */
#include "static_block.h"

#include "base/number.h"
#include "expr/expression.h"
#include "expr/fault.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"

#include <math.h>
#include <string.h>

typedef struct HyStaticState Own;

/* Names --------------------------------------------------------------------------------------- */

static char *port_name(const HyPort *ports, guint port)
{
  guint k = 0;
  while (k < port && !ports[k].array && ports[k + 1].name != NULL) {
    k++;
  }
  return ports[k].array ? g_strdup_printf("%s[%u]", ports[k].name, port - k + 1)
                        : g_strdup(ports[k].name);
}

static gboolean is_optional(const HyPort *ports, guint port)
{
  guint k = 0;
  while (k < port && !ports[k].array && ports[k + 1].name != NULL) {
    k++;
  }
  return ports[k].optional;
}

/* init ---------------------------------------------------------------------------------------- */

static gboolean take_inputs(Own *own, double t, const HySetup *setup, GError **error)
{
  for (guint k = 0; k < setup->n_in; k++) {
    const HyValue *v = setup->value[k];
    own->in[k].t = t;
    if (setup->input[k] == HY_WIRED) {
      own->arrival[k] = HY_EXPECTED;
      own->missing++;
    } else if (setup->input[k] == HY_CONSTANT && v != NULL) {
      memcpy(own->in[k].c, v->c, sizeof v->c);
      own->number[k] = v->c[0];
      own->constant[k] =
          v->c[1] == 0.0 && v->c[2] == 0.0 && v->c[3] == 0.0 ? &own->number[k] : NULL;
    } else if (is_optional(setup->klass->in, k)) {
      own->constant[k] = &own->number[k];
    } else {
      g_autofree char *name = port_name(setup->klass->in, k);
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                  "input \"%s\" has no source; give it a number if one is meant", name);
      return FALSE;
    }
  }
  return TRUE;
}

/* Inputs that only decide modes are not waited for. */
static void find_undecided(Own *own)
{
  for (guint k = 0; k < own->kind->n_in; k++) {
    if (own->arrival[k] == HY_EXPECTED && !own->kind->feeds[k]) {
      own->arrival[k] = HY_UNDECIDED;
      own->missing--;
      own->undecided++;
    }
  }
}

static gboolean find_kind(Own *own, const HyStatic *s, const HySetup *setup, GError **error)
{
  if (setup->n_out == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s describes itself and has no output",
                setup->klass->name);
    return FALSE;
  }
  own->room = setup->room;
  own->atomic = setup->number;
  own->kinds = setup->room == NULL ? hy_kinds_new() : NULL;
  HyKinds *kinds = setup->room != NULL ? hy_room_kinds(setup->room) : own->kinds;
  own->kind = hy_kinds_find(kinds, setup, s, own->constant, error);
  return own->kind != NULL;
}

static gboolean take_kind(const HyStatic *s, const HySetup *setup, GError **error)
{
  Own *own = s->own;
  if (!find_kind(own, s, setup, error)) {
    return FALSE;
  }
  find_undecided(own);
  own->program = own->kind->program;
  own->exact = own->kind->exact;
  own->reg = g_new(HyReg, (gsize)own->program->n_regs + 1);
  hy_program_prepare(own->program, own->reg);
  own->first = own->reg[own->program->out[0]];
  own->simple = own->program->n_modes == 0 && setup->n_out == 1;
  if (own->program->n_modes > 0) {
    own->modes = hy_modes_new(own->program->n_modes, setup->order);
    own->sides = own->exact ? NULL : g_new0(HyPiece, 2 * (gsize)own->program->n_modes);
  }
  if (own->room != NULL) {
    hy_room_add_static(own->room, own->atomic, own->kind, own);
  }
  return TRUE;
}

gboolean hy_static_init(void *state, double t, const HySetup *setup, GError **error)
{
  HyStatic *s = state;
  Own *own = s->own = g_new0(Own, 1);
  gsize n_in = setup->n_in;
  own->klass = setup->klass;
  own->in = g_new0(HyPiece, n_in + 1);
  own->arrival = g_new0(guint8, n_in + 1);
  own->constant = g_new0(const double *, n_in + 1);
  own->number = g_new0(double, n_in + 1);
  own->said = g_new0(HyPiece, (gsize)setup->n_out + 1);
  for (guint k = 0; k < setup->n_out; k++) {
    own->said[k].t = NAN;
  }
  own->fresh = TRUE;
  own->wrong = NAN;
  own->until = INFINITY;
  own->validity.foreseen = NAN;
  own->order = setup->order;
  own->rel = s->dqmin > 0.0 ? s->dqrel : 1e-3;
  own->min = s->dqmin > 0.0 ? s->dqmin : 1e-6;
  if (!take_inputs(own, t, setup, error) || !take_kind(s, setup, error)) {
    return FALSE;
  }
  own->tn = own->missing == 0 ? t : INFINITY;
  return TRUE;
}

void hy_static_clear(void *state)
{
  HyStatic *s = state;
  if (s->own != NULL) {
    g_free(s->own->in);
    g_free(s->own->arrival);
    g_free(s->own->constant);
    g_free(s->own->number);
    g_free(s->own->said);
    g_free(s->own->reg);
    g_free(s->own->sides);
    hy_modes_free(s->own->modes);
    hy_kinds_free(s->own->kinds);
    g_clear_pointer(&s->own, g_free);
  }
}

/* Evaluation ---------------------------------------------------------------------------------- */

static gboolean inputs_are_finite(const Own *own)
{
  for (guint k = 0; k < own->program->n_load; k++) {
    if (!hy_static_finite(own->reg[own->program->load[k]])) {
      return FALSE;
    }
  }
  return TRUE;
}

/* A piece with coefficients that are not finite: where only derivatives do not exist (the root of a
 * signal at 0), the piece ends before them. Of finite inputs nothing infinite may come. TRUE: it
 * can be used. */
static gboolean mended(const Own *own, double *c)
{
  gboolean finite = inputs_are_finite(own);
  guint n = own->program->lanes, k = 1;
  if (isnan(c[0]) || (isinf(c[0]) && finite)) {
    return FALSE;
  }
  while (k < n && isfinite(c[k])) {
    k++;
  }
  for (guint i = k; i < n; i++) {
    if (isnan(c[i]) && !finite) {
      return FALSE;
    }
  }
  for (; k < n; k++) {
    c[k] = 0.0;
  }
  return TRUE;
}

static char *reason(const HyStatic *s);

/* NaN stays: then nothing is foreseen. */
static void foresee(Own *own, const double *c)
{
  double s = hy_static_foresee(own, c);
  own->foreseen = s < own->foreseen || isnan(s) ? s : own->foreseen;
}

/* The crossing expressions of mode M as they are looked at from now on. */
static void keep_sides(Own *own, guint m, double t, double *const *side)
{
  for (guint i = 0; i < 2; i++) {
    HyPiece *z = &own->sides[2 * m + i];
    memcpy(z->c, side[i], sizeof z->c);
    z->t = t;
    if (own->order < 4) {
      z->c[own->order] = 0.0;
    }
  }
}

/* The crossing expressions of mode M, in registers; mended in the same way, but NaN only counts
 * where the mode does. */
static void settle(Own *own, guint m, double t, gboolean *suspect)
{
  const HyProgramMode *mode = &own->program->mode[m];
  double *side[] = {own->reg[mode->rises], own->reg[mode->falls]};
  for (guint i = 0; i < 2 && !own->exact; i++) {
    foresee(own, side[i]);
  }
  for (guint i = 0; i < (side[0] == side[1] ? 1 : 2); i++) {
    if (G_UNLIKELY(!hy_static_finite(side[i]))) {
      for (guint k = 1; k < own->program->lanes; k++) {
        side[i][k] = isfinite(side[i][k]) && isfinite(side[i][k - 1]) ? side[i][k] : 0.0;
      }
      *suspect |= isnan(side[i][0]);
    }
  }
  if (!own->exact) {
    keep_sides(own, m, t, side);
  }
  hy_modes_settle(own->modes, m, t, side[0], side[1],
                  own->fresh || t >= own->until ||
                      (mode->reads_others && hy_modes_toggled(own->modes)));
}

/* The program with its modes, into the working memory. */
static G_GNUC_NO_INLINE void evaluate_modes(const HyStatic *s, double t)
{
  Own *own = s->own;
  const HyProgram *p = own->program;
  gboolean suspect = FALSE;
  guint at = 0;
  hy_modes_begin(own->modes);
  hy_program_load(p, own->in, t, own->reg);
  for (guint m = 0; m < p->n_modes; m++) {
    if (at < p->mode[m].until) {
      hy_program_run(p, at, p->mode[m].until, own->reg, hy_modes_values(own->modes));
      at = p->mode[m].until;
    }
    settle(own, m, t, &suspect);
  }
  hy_program_run(p, at, p->n_ins, own->reg, hy_modes_values(own->modes));
  if (G_UNLIKELY(suspect)) {
    g_autofree char *why = reason(s);
    own->bad = why != NULL;
  }
}

static G_GNUC_NO_INLINE void check_outputs(Own *own)
{
  for (guint k = 0; k < own->program->n_out; k++) {
    double *c = own->reg[own->program->out[k]];
    if (!own->exact) {
      foresee(own, c);
    }
    if (!own->exact && own->order < 4) {
      c[own->order] = 0.0;
    }
    if (!hy_static_finite(c) && !mended(own, c)) {
      own->bad = TRUE;
    }
  }
}

static G_GNUC_NO_INLINE void evaluate(const HyStatic *s, double t)
{
  Own *own = s->own;
  own->bad = FALSE;
  own->foreseen = INFINITY;
  if (own->modes == NULL) {
    hy_program_evaluate(own->program, own->in, t, own->reg, NULL);
  } else {
    evaluate_modes(s, t);
  }
  check_outputs(own);
}

static void find_until(Own *own, double t)
{
  if (!own->exact) {
    own->until = hy_static_believes(own, t) ? hy_static_until(own, t) : hy_static_look(own, t);
  }
}

/* Events -------------------------------------------------------------------------------------- */

double hy_static_next(const void *state)
{
  const Own *own = ((const HyStatic *)state)->own;
  return own->tn;
}

static G_GNUC_NO_INLINE HyEvent say(const HyStatic *s, double t)
{
  const Own *own = s->own;
  if (t > own->wrong) {
    return HY_NO_EVENT;
  }
  if (own->port == 0) {
    evaluate(s, t);
  }
  const double *c = own->reg[own->program->out[own->port]];
  if (own->bad || hy_static_is_said(c, &own->said[own->port])) {
    return HY_NO_EVENT;
  }
  return (HyEvent){.port = (gint)own->port, .value.c = {c[0], c[1], c[2], c[3]}};
}

HyEvent hy_static_lambda(const void *state, double t)
{
  const HyStatic *s = state;
  Own *own = s->own;
  if (G_LIKELY(own->simple) && !(t > own->wrong) && G_LIKELY(hy_static_evaluate(own, t))) {
    const double *c = own->first;
    if (G_LIKELY(c[1] != 0.0) || !hy_static_is_said(c, own->said)) {
      return (HyEvent){.port = 0, .value.c = {c[0], c[1], c[2], c[3]}};
    }
    return HY_NO_EVENT;
  }
  return say(s, t);
}

/* A result that is not finite is not said. It may be that of inputs that change one by one at an
 * instant; if it still stands at the next one, it is a fault. */
static G_GNUC_NO_INLINE void move_while_wrong(Own *own, double t)
{
  if (t > own->wrong) {
    own->fault = HY_NOT_FINITE;
    own->tn = NAN;
    return;
  }
  own->wrong = t;
  own->tn = nextafter(t, INFINITY);
}

/* The modes of what was evaluated, or the next of several outputs. */
static G_GNUC_NO_INLINE void move_on(Own *own, double t)
{
  const HyProgram *p = own->program;
  if (own->port == 0) {
    own->fresh = FALSE;
    own->wrong = NAN;
    if (own->modes != NULL) {
      hy_modes_commit(own->modes, own->undecided == 0);
      if (own->room != NULL) {
        hy_room_decided(own->room, own->atomic, t, hy_modes_values(own->modes), p->n_modes);
      }
    }
    find_until(own, t);
  }
  HyPiece *said = &own->said[own->port];
  const double *c = own->reg[p->out[own->port]];
  if (!hy_static_is_said(c, said)) {
    memcpy(said->c, c, sizeof said->c);
    said->t = t;
  }
  if (++own->port < p->n_out) {
    return; /* still due now */
  }
  own->port = 0;
  own->tn = own->modes != NULL ? fmin(hy_modes_next(own->modes), own->until) : own->until;
}

void hy_static_dint(void *state, double t)
{
  Own *own = ((HyStatic *)state)->own;
  if (G_UNLIKELY(own->bad)) {
    move_while_wrong(own, t);
  } else if (!own->simple) {
    move_on(own, t);
  } else {
    const double *c = own->first;
    hy_static_said(own, t, c[1] != 0.0 || !hy_static_is_said(c, own->said));
    find_until(own, t);
    own->tn = own->until;
  }
}

/* Numbers of every kind, and true and false as 1 and 0. */
gboolean hy_static_number(GVariant *payload, double *c)
{
  gboolean truth = g_variant_is_of_type(payload, G_VARIANT_TYPE_BOOLEAN);
  double number = truth ? g_variant_get_boolean(payload) : 0;
  if (!truth && !hy_variant_number(payload, &number)) {
    return FALSE;
  }
  memset(c, 0, sizeof(double[4]));
  c[0] = number;
  return TRUE;
}

static G_GNUC_NO_INLINE void unpack(Own *own, guint k, GVariant *payload)
{
  if (!hy_static_number(payload, own->in[k].c)) {
    own->fault = HY_NOT_A_SIGNAL;
    own->fault_port = k;
    own->tn = NAN;
  }
}

void hy_static_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Own *own = ((HyStatic *)state)->own;
  guint k = (guint)x->port;
  own->tn = hy_static_take(own, k, t, x->value.c) ? t : INFINITY;
  if (G_UNLIKELY(x->value.payload != NULL)) {
    unpack(own, k, x->value.payload);
  }
}

/* Words --------------------------------------------------------------------------------------- */

/* Input K as the user wrote it in a formula, else as its port is called. */
static char *written_name(const HyAtomicClass *klass, const void *state, guint k)
{
  char *name = NULL;
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    if (p->kind == HY_FORMULA) {
      name = hy_expression_input(hy_expression_at((const guint8 *)state + p->offset), k);
    }
  }
  return name != NULL ? name : port_name(klass->in, k);
}

/* Why the last evaluation failed; NULL: it has not. */
static char *reason(const HyStatic *s)
{
  const Own *own = s->own;
  const HyProgram *p = own->program;
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  g_autofree HyX *out = g_new0(HyX, (gsize)p->n_out + 1);
  if (!hy_x_describe(b, own->klass, s, p->n_in, p->n_out, own->constant, out, NULL)) {
    return NULL; /* it could be described at init */
  }
  g_autofree double *in = g_new0(double, (gsize)p->n_in + 1);
  g_auto(GStrv) name = g_new0(char *, (gsize)p->n_in + 1);
  for (guint k = 0; k < p->n_in; k++) {
    in[k] = own->reg[k][0];
    name[k] = written_name(own->klass, s, k);
  }
  return hy_x_fault(b, out, p->n_out, in, own->modes != NULL ? hy_modes_values(own->modes) : NULL,
                    (const char *const *)name);
}

char *hy_static_fault(const void *state)
{
  const HyStatic *s = state;
  if (s->own->fault == HY_NOT_A_SIGNAL) {
    g_autofree char *name = port_name(s->own->klass->in, s->own->fault_port);
    return g_strdup_printf("what came in at %s is not a number", name);
  }
  g_autofree char *why = reason(s);
  char since[HY_DOUBLE_SIZE];
  return g_strdup_printf("%s at t = %s", why != NULL ? why : "a derivative is not a number",
                         hy_double_text(since, s->own->wrong));
}

/* The last word at each output. */
void hy_static_print(const void *state, GString *out)
{
  const Own *own = ((const HyStatic *)state)->own;
  g_string_append_c(out, '(');
  for (guint k = 0; k < own->program->n_out; k++) {
    char port[16];
    g_snprintf(port, sizeof port, "%s%u:", k > 0 ? " " : "", k + 1);
    g_string_append(out, own->program->n_out > 1 ? port : "");
    if (isnan(own->said[k].t)) {
      g_string_append(out, "silent");
    } else {
      HyValue v = {.payload = NULL};
      memcpy(v.c, own->said[k].c, sizeof v.c);
      hy_value_text(out, &v);
    }
  }
  g_string_append_c(out, ')');
}
