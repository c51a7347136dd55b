/* The atomic behind every block that describes itself: which event does what to its program.
 *
 * An input that changes makes the block due at once. Speaking and moving share one evaluation:
 * lambda runs the program in working memory (the registers of its kind, the copy of its modes),
 * which is no part of the state: it follows from the state and the time alone. dint, which always
 * comes next, makes the new modes, the last words, and those of the other outputs the state. */
#include "static_block.h"

#include "base/number.h"
#include "equations/print.h"
#include "equations/readings.h"
#include "equations/turns.h"
#include "expr/expression.h"
#include "expr/fault.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "numerics/confine.h"

#include <math.h>
#include <string.h>

typedef HyStaticState Own;

/* Evaluation ---------------------------------------------------------------------------------- */

static gboolean static_inputs_are_finite(const Own *own)
{
  for (guint k = 0; k < own->form.program->n_load; k++) {
    if (!hy_static_finite(own->form.reg[own->form.program->load[k]])) {
      return FALSE;
    }
  }
  return TRUE;
}

/* A piece with coefficients that are not finite: where only derivatives do not exist (the root of a
 * signal at 0), the piece ends before them. Of finite inputs nothing infinite may come. TRUE: it
 * can be used. */
static gboolean static_mended(const Own *own, double *c)
{
  gboolean finite = static_inputs_are_finite(own);
  guint n = own->form.program->lanes, k = 1;
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

static char *static_reason(const HyStatic *s);

/* The crossing expressions of mode M as they are looked at from now on. */
static void static_keep_sides(const Own *own, guint m, double t, double *const *side)
{
  for (guint i = 0; i < 2; i++) {
    HyPiece *z = &own->form.work->sides[2 * m + i];
    memcpy(z->c, side[i], sizeof z->c);
    z->t = t;
    if (own->form.order < 4) {
      z->c[own->form.order] = 0.0;
    }
  }
}

/* Nothing but the one mode of the block has made its inputs change since it was decided. */
static gboolean static_is_answer(const Own *own)
{
  guint64 causes;
  return own->form.program->n_modes == 1 && own->form.room != NULL &&
         hy_room_causes(own->form.room, &causes) && causes == own->causes;
}

/* A mode that is decided elsewhere: its expressions say nothing here. */
static void static_follow(const Own *own, guint m)
{
  for (guint i = 0; i < 2 && !own->form.exact; i++) {
    own->form.work->sides[2 * m + i].c[0] = NAN;
  }
  hy_modes_follow(own->modes, m, hy_room_modes(own->form.room, own->form.atomic)[m]);
}

/* The crossing expressions of mode M, in registers; mended in the same way, but NaN only counts
 * where the mode does. */
static void static_settle(const Own *own, guint m, double t, gboolean *suspect)
{
  const HyProgramMode *mode = &own->form.program->mode[m];
  double *side[] = {own->form.reg[mode->rises], own->form.reg[mode->falls]};
  for (guint i = 0; i < 2 && !own->form.exact && own->form.order < 4; i++) {
    own->form.work->beyond[own->form.program->n_out + 2 * m + i] = side[i][own->form.order];
  }
  for (guint i = 0; i < (side[0] == side[1] ? 1 : 2); i++) {
    if (G_UNLIKELY(!hy_static_finite(side[i]))) {
      for (guint k = 1; k < own->form.program->lanes; k++) {
        side[i][k] = isfinite(side[i][k]) && isfinite(side[i][k - 1]) ? side[i][k] : 0.0;
      }
      *suspect |= isnan(side[i][0]);
    }
  }
  if (!own->form.exact) {
    static_keep_sides(own, m, t, side);
  }
  hy_modes_settle(own->modes, m, t, side[0], side[1],
                  own->fresh || t >= own->until ||
                      (mode->reads_others && hy_modes_toggled(own->modes)),
                  static_is_answer(own));
}

/* A limited output is not said to be beyond its limits, at no instant until its next word: its
 * piece ends where it gets there, if no mode turns then (numerics/confine.h). */
static G_GNUC_NO_INLINE void static_confine(const Own *own, double t)
{
  double due = own->modes != NULL ? hy_modes_copy_next(own->modes) : INFINITY;
  own->form.work->meets = INFINITY;
  for (guint k = 0; k < own->form.program->n_out; k++) {
    const HyKindLimits *limits = &own->form.kind->limits[k];
    double meets = hy_confine(own->form.reg[own->form.program->out[k]], (int)own->form.order,
                              limits->lower, limits->upper, t, due);
    own->form.work->meets = fmin(own->form.work->meets, meets);
  }
}

/* What is found at T where a source behind it turns waits for that. A limited output does not
 * jump there, and has to be limited at once. */
static void static_wait(const Own *own, double t)
{
  if (own->form.room == NULL || own->led || own->fresh || own->form.kind->limits != NULL ||
      !hy_modes_find(own->modes, t)) {
    return;
  }
  double turn = hy_room_turn_at(own->form.room, own->form.atomic, t);
  if (turn >= t) {
    hy_modes_wait(own->modes, t, turn);
  }
}

/* The program with its modes, into the working memory. */
static G_GNUC_NO_INLINE void static_evaluate_modes(const HyStatic *s, double t)
{
  const Own *own = s->own;
  const HyProgram *p = own->form.program;
  gboolean suspect = FALSE;
  guint at = 0;
  hy_modes_begin(own->modes);
  static_wait(own, t);
  hy_program_load(p, own->in, t, own->form.reg);
  for (guint m = 0; m < p->n_modes; m++) {
    if (at < p->mode[m].until) {
      hy_program_run(p, at, p->mode[m].until, own->form.reg, hy_modes_values(own->modes));
      at = p->mode[m].until;
    }
    if (own->led) {
      static_follow(own, m);
    } else if (own->by_row && own->undecided == 0) {
      hy_row_modes_settle(own->form.room, own->form.atomic, m, t);
    } else {
      static_settle(own, m, t, &suspect);
    }
  }
  hy_program_run(p, at, p->n_ins, own->form.reg, hy_modes_values(own->modes));
  if (G_UNLIKELY(suspect)) {
    g_autofree char *why = static_reason(s);
    own->form.work->bad = why != NULL;
  }
}

static G_GNUC_NO_INLINE void static_check_outputs(const Own *own)
{
  for (guint k = 0; k < own->form.program->n_out; k++) {
    double *c = own->form.reg[own->form.program->out[k]];
    if (!own->form.exact && own->form.order < 4) {
      own->form.work->beyond[k] = c[own->form.order];
      c[own->form.order] = 0.0;
    }
    if (!hy_static_finite(c) && !static_mended(own, c)) {
      own->form.work->bad = TRUE;
    }
    if (c[0] < 0.0 && k < 64 && own->form.kind->roots >> k & 1) {
      c[0] = 0.0; /* a mode is a rounding late */
    }
  }
}

/* A reading: what its group has said of it, or at an instant of its own what it is. */
static G_GNUC_NO_INLINE void static_read(const Own *own, double t)
{
  for (guint m = 0; m < own->form.program->n_modes; m++) {
    if (m == 0) {
      hy_modes_begin(own->modes);
    }
    static_follow(own, m);
  }
  const HyReading *r = own->reading;
  if (r->told && r->word.t == t && !own->woken) {
    memcpy(own->form.first, r->word.c, sizeof r->word.c);
  } else {
    hy_room_read(own->form.room, own->reading, t, own->form.first);
  }
}

/* A reading that nobody hears says nothing but what wakes others. One that is only asked has no
 * pieces that would have to begin anew: the group goes on, whoever is asked. Until all has spoken
 * that it is made of, the last of them wakes it. */
static gboolean static_is_asleep(const Own *own)
{
  HyReading *r = own->reading;
  return own->reads == HY_READS && (r == NULL || !(r->spoken || (r->wakes && own->woken)) ||
                                    !hy_reading_is_known(own->form.room, r));
}

static G_GNUC_NO_INLINE void static_evaluate(const HyStatic *s, double t)
{
  const Own *own = s->own;
  own->form.work->bad = FALSE;
  if (own->reads == HY_READS) {
    static_read(own, t);
  } else if (own->modes == NULL) {
    hy_program_evaluate(own->form.program, own->in, t, own->form.reg, NULL);
  } else {
    static_evaluate_modes(s, t);
  }
  static_check_outputs(own);
  if (own->form.kind->limits != NULL) {
    static_confine(own, t);
  }
}

static void static_find_until(Own *own, double t)
{
  if (own->reads == HY_READS) {
    own->until = INFINITY;
  } else if (!own->form.exact) {
    if (own->form.simple) {
      own->form.work->foreseen = hy_static_foresee(own, t);
    } else {
      hy_static_renew(own, t);
      own->form.work->foreseen = hy_static_foresee_all(own);
    }
    own->until = hy_static_believes(own, t) ? hy_static_until(own, t) : hy_static_look(own, t);
  }
}

/* Groups -------------------------------------------------------------------------------------- */

/* What the group has decided or computed itself is no word from outside. */
void hy_static_wake(Own *own, guint k)
{
  if (hy_static_is_outer(own, k) && !hy_room_is_told_by(own->form.room, own->group)) {
    own->asks |= own->led;
    own->woken |= own->led || own->reads == HY_READS;
  }
}

void hy_static_take_deaf(Own *own)
{
  for (guint k = 0; k < own->form.kind->n_in; k++) {
    if (own->arrival[k] != HY_ARRIVED && hy_static_is_deaf(own, k)) {
      *(own->arrival[k] == HY_EXPECTED ? &own->missing : &own->undecided) -= 1;
      own->arrival[k] = HY_ARRIVED;
    }
  }
}

/* Events -------------------------------------------------------------------------------------- */

double hy_static_next(const void *state)
{
  const Own *own = ((const HyStatic *)state)->own;
  return own->tn;
}

/* What the output whose turn it is says. */
static inline const double *static_word(const Own *own)
{
  return own->port == 0 || own->next == NULL ? own->form.first : own->next[own->port];
}

/* It has modes, and was asked at this instant already, when it said the same: else a signal that
 * decides its own mode would go round for ever where it is no constant. */
static gboolean static_repeats(const Own *own, const double *c, double t)
{
  const HyPiece *said = &own->said[own->port];
  return own->modes != NULL && said->t == t && c[0] == said->c[0] && c[1] == said->c[1] &&
         c[2] == said->c[2] && c[3] == said->c[3];
}

static G_GNUC_NO_INLINE HyEvent static_say(const HyStatic *s, double t)
{
  const Own *own = s->own;
  own->form.work->bad = hy_fault_is_passed(&own->fault, t);
  if (own->form.work->bad || own->asks || static_is_asleep(own)) {
    return HY_NO_EVENT;
  }
  if ((own->led || own->reads == HY_READS) && !own->woken) {
    hy_room_begin_to_tell(own->form.room, own->group);
  }
  if (own->port == 0) {
    static_evaluate(s, t);
  }
  const double *c = static_word(own);
  if (own->form.work->bad || hy_static_is_mute(own, own->port) ||
      hy_static_is_said(c, &own->said[own->port]) || static_repeats(own, c, t)) {
    return HY_NO_EVENT;
  }
  return (HyEvent){.port = (gint)own->port, .value.c = {c[0], c[1], c[2], c[3]}};
}

HyEvent hy_static_lambda(const void *state, double t)
{
  const HyStatic *s = state;
  const Own *own = s->own;
  if (G_LIKELY(own->form.simple) && !hy_fault_is_passed(&own->fault, t) &&
      G_LIKELY(hy_static_evaluate(own, t))) {
    const double *c = own->form.first;
    if (G_LIKELY(c[1] != 0.0) || !hy_static_is_said(c, own->said)) {
      return (HyEvent){.port = 0, .value.c = {c[0], c[1], c[2], c[3]}};
    }
    return HY_NO_EVENT;
  }
  return static_say(s, t);
}

/* A result that is not finite is not said. It may be that of inputs that change one by one at an
 * instant; if it still stands at the next one, it is a fault. */
static G_GNUC_NO_INLINE void static_move_while_wrong(Own *own, double t)
{
  if (!hy_fault_stands(&own->fault, t)) {
    hy_fault_set(&own->fault, t, TRUE);
  }
  own->tn = hy_fault_next(&own->fault, INFINITY);
}

/* The first of several outputs has been evaluated, and so have those that have their turn later. */
static void static_keep_next(Own *own)
{
  for (guint k = 0; own->next != NULL && k < own->form.program->n_out; k++) {
    memcpy(own->next[k], own->form.reg[own->form.program->out[k]], sizeof own->next[k]);
  }
}

/* The modes of what was evaluated, or the next of several outputs. */
static G_GNUC_NO_INLINE void static_move_on(Own *own, double t)
{
  const HyProgram *p = own->form.program;
  if (own->port == 0) {
    own->fresh = FALSE;
    own->fault.wrong = FALSE;
    if (own->modes != NULL) {
      hy_modes_commit(own->modes, own->undecided == 0);
      if (own->form.room != NULL) {
        hy_room_decided(own->form.room, own->form.atomic, t, hy_modes_values(own->modes),
                        p->n_modes);
        hy_room_causes(own->form.room, &own->causes);
      }
    }
    static_find_until(own, t);
    if (own->form.kind->limits != NULL) {
      own->until = fmin(own->form.exact ? INFINITY : own->until, own->form.work->meets);
    }
    if (own->woken && own->reads == HY_READS) {
      hy_room_restart(own->form.room, own->group, t);
    }
    own->woken = FALSE;
    static_keep_next(own);
  }
  HyPiece *said = &own->said[own->port];
  const double *c = static_word(own);
  if (!hy_static_is_said(c, said)) {
    memcpy(said->c, c, sizeof said->c);
    said->t = t;
  }
  do {
    own->port++;
  } while (own->port < p->n_out && hy_static_is_mute(own, own->port));
  if (own->port < p->n_out) {
    return; /* still due now */
  }
  own->port = 0;
  own->tn = own->modes != NULL ? fmin(hy_modes_next(own->modes), own->until) : own->until;
}

void hy_static_move(Own *own, double t, gboolean speaks)
{
  hy_static_said(own, t, speaks);
  static_find_until(own, t);
  own->tn = own->until;
}

void hy_static_dint(void *state, double t)
{
  Own *own = ((HyStatic *)state)->own;
  if (G_UNLIKELY(own->led || own->reads == HY_READS)) {
    hy_room_end_telling(own->form.room);
  }
  if (G_UNLIKELY(own->form.work->bad)) {
    static_move_while_wrong(own, t);
  } else if (own->asks) { /* what it says follows from that, and comes next */
    own->asks = FALSE;
    hy_room_judge(own->form.room, own->form.atomic, t);
  } else if (static_is_asleep(own)) {
    own->fresh = own->woken = FALSE;
    own->tn = INFINITY;
  } else if (!own->form.simple) {
    static_move_on(own, t);
  } else {
    const double *c = own->form.first;
    hy_static_move(own, t, c[1] != 0.0 || !hy_static_is_said(c, own->said));
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

static G_GNUC_NO_INLINE void static_unpack(Own *own, guint k, GVariant *payload)
{
  if (!hy_static_number(payload, own->in[k].c)) {
    own->odd = k;
    own->tn = NAN;
  }
}

void hy_static_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Own *own = ((HyStatic *)state)->own;
  guint k = (guint)x->port;
  if (hy_static_is_deaf(own, k)) {
    return;
  }
  own->tn = hy_static_take(own, k, t, x->value.c) ? t : INFINITY;
  if (G_UNLIKELY(x->value.payload != NULL)) {
    static_unpack(own, k, x->value.payload);
  }
}

/* Words --------------------------------------------------------------------------------------- */

/* Input K as the user wrote it in a formula, else as its port is called. */
static char *static_written_name(const HyAtomicClass *klass, const void *state, guint k)
{
  char *name = NULL;
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    if (p->kind == HY_FORMULA) {
      name = hy_expression_input(hy_expression_at((const guint8 *)state + p->offset), k);
    }
  }
  return name != NULL ? name : hy_static_port_name(klass->in, k);
}

/* Why the evaluation that has just been made failed; NULL: it has not. */
static char *static_reason(const HyStatic *s)
{
  const Own *own = s->own;
  const HyProgram *p = own->form.program;
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  g_autofree HyX *out = g_new0(HyX, (gsize)p->n_out + 1);
  if (!hy_x_describe(b, own->form.kind->klass, s, p->n_in, p->n_out,
                     (const double *const *)own->form.kind->constant, out, NULL)) {
    return NULL; /* it could be described at init */
  }
  g_autofree double *in = g_new0(double, (gsize)p->n_in + 1);
  g_auto(GStrv) name = g_new0(char *, (gsize)p->n_in + 1);
  for (guint k = 0; k < p->n_in; k++) {
    in[k] = own->form.reg[k][0];
    name[k] = static_written_name(own->form.kind->klass, s, k);
  }
  return hy_x_fault(b, out, p->n_out, in, own->modes != NULL ? hy_modes_values(own->modes) : NULL,
                    (const char *const *)name);
}

/* The first input that only decides modes. */
static char *static_deciding_name(const HyStatic *s)
{
  const HyKind *kind = s->own->form.kind;
  guint k = 0;
  while (k + 1 < kind->n_in && kind->feeds[k]) {
    k++;
  }
  return static_written_name(kind->klass, s, k);
}

char *hy_static_fault(const void *state)
{
  const HyStatic *s = state;
  if (s->own->odd != G_MAXUINT) {
    g_autofree char *name = hy_static_port_name(s->own->form.kind->klass->in, s->own->odd);
    return g_strdup_printf("what came in at %s is not a number", name);
  }
  char since[HY_DOUBLE_SIZE];
  if (s->own->by_row &&
      hy_row_modes_fail(s->own->form.room, s->own->form.atomic, s->own->fault.since)) {
    g_autofree char *name = static_deciding_name(s);
    return g_strdup_printf("what comes in at %s is not finite at t = %s", name,
                           hy_double_text(since, s->own->fault.since));
  }
  static_evaluate(s,
                  s->own->fault.since); /* others of its kind have used the registers meanwhile */
  g_autofree char *why = static_reason(s);
  return g_strdup_printf("%s at t = %s", why != NULL ? why : "a derivative is not a number",
                         hy_double_text(since, s->own->fault.since));
}

/* The last word at each output. */
void hy_static_print(const void *state, GString *out)
{
  const Own *own = ((const HyStatic *)state)->own;
  g_string_append_c(out, '(');
  for (guint k = 0; k < own->form.program->n_out; k++) {
    char port[16];
    g_snprintf(port, sizeof port, "%s%u:", k > 0 ? " " : "", k + 1);
    g_string_append(out, own->form.program->n_out > 1 ? port : "");
    if (isnan(own->said[k].t)) {
      g_string_append(out, "silent");
    } else {
      HyValue v = {.payload = NULL};
      memcpy(v.c, own->said[k].c, sizeof v.c);
      hy_value_text(out, &v);
    }
  }
  g_string_append_c(out, ')');
  char *reader = own->reads == HY_READS ? hy_print_reader_of(own->form.room, own->reading) : NULL;
  if (reader != NULL) {
    g_string_append_printf(out, "; read by the group of %s", reader);
  }
  g_free(reader);
}
