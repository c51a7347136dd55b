/* What outputs are between two events, for whoever looks on.
 *
 * The last words of what is neither static nor a state are kept where they are said; a state has
 * its piece itself; and a static block is a function of what comes in, with the modes that it is
 * in. So it is computed from its inputs as they are, on every engine the same, whether the block is
 * run, read by a group, mute, idle or left out, and nothing has to be switched on before. Blocks
 * behind one output are computed once for each question, those that feed others before them. */
#include "engine.h"

#include "equations/static_block.h"
#include "expr/tape_parts.h"
#include "groups/groups.h"
#include "numerics/poly.h"

typedef enum { SIGNAL_NEW, SIGNAL_ASKED, SIGNAL_KNOWN, SIGNAL_UNKNOWN } SignalLook;

struct HySignals {
  guint8 *look;     /* [n]: SignalLook, of static blocks */
  double (*at)[4];  /* [slots]: of those that are known */
  GArray *seen;     /* guint: those that are not NEW */
  GArray *stack;    /* guint: those that are to be computed */
  GArray *in;       /* HyPiece, of the block at hand */
  GByteArray *mode; /* likewise */
};

/* Words --------------------------------------------------------------------------------------- */

static gboolean signals_speaks_itself(const HySim *sim, guint atomic)
{
  return sim->atoms[atomic].klass->describe == NULL &&
         (sim->room == NULL || hy_room_member(sim->room, atomic) == NULL);
}

void hy_sim_start_signals(HySim *sim)
{
  hy_sim_clear_signals(sim);
  gsize n = sim->model->in->len;
  for (guint a = 0; a < sim->n; a++) {
    n += signals_speaks_itself(sim, a) ? sim->atoms[a].n_out : 0;
  }
  sim->words = g_new(HyPiece, n + 1);
  sim->n_words = n;
  HyPiece *word = sim->words;
  for (guint a = 0; a < sim->n; a++) {
    gboolean speaks = signals_speaks_itself(sim, a) && sim->atoms[a].n_out > 0;
    sim->atoms[a].word = speaks ? word : NULL;
    word += speaks ? sim->atoms[a].n_out : 0;
  }
  for (gsize k = 0; k < n; k++) {
    sim->words[k] = (HyPiece){.t = NAN};
  }
}

void hy_sim_clear_signals(HySim *sim)
{
  HySignals *s = sim->signals;
  g_clear_pointer(&sim->words, g_free);
  sim->n_words = 0;
  if (s != NULL) {
    g_free(s->look);
    g_free(s->at);
    g_array_unref(s->seen);
    g_array_unref(s->stack);
    g_array_unref(s->in);
    g_byte_array_unref(s->mode);
    g_clear_pointer(&sim->signals, g_free);
  }
}

void hy_sim_tape_signals(HySim *sim, HyTape *tape)
{
  hy_tape_whole(tape, sim->words, sim->n_words * sizeof *sim->words);
  for (gsize k = 0; k < (hy_tape_files(tape) ? sim->n_words : 0); k++) {
    hy_tape_piece(tape, &sim->words[k]);
  }
}

void hy_sim_keep_word(HyPiece *word, double t, const HyValue *y)
{
  memcpy(word->c, y->c, sizeof word->c);
  word->t = y->payload == NULL || hy_static_number(y->payload, word->c) ? t : NAN;
}

/* Slots --------------------------------------------------------------------------------------- */

/* At T, from where its coefficients count. FALSE: it has said nothing, or no number. */
static gboolean signals_carry(const double *c, int n, double since, double t, double *to)
{
  memset(to, 0, sizeof(double[4]));
  memcpy(to, c, (gsize)n * sizeof *c);
  if (isnan(since)) {
    return FALSE;
  }
  hy_poly_shift(to, n, t - since);
  return isfinite(to[0]);
}

static gboolean signals_state(const HySim *sim, const HyMember *m, double t, double *c)
{
  const HyQState *v = m->v;
  if (v->pieces == 0) {
    return FALSE;
  }
  if (!hy_family_is_classic(m->family)) {
    return signals_carry(v->q, 3, v->tq, t, c);
  }
  double x = hy_group_value(sim->room, m->state, t), dx = 0.0;
  if (hy_group_motion(sim->room, m->state, t, &x, &dx)) {
    memcpy(c, (double[4]){x, dx}, sizeof(double[4]));
    return isfinite(x);
  }
  return signals_carry(v->x, 4, v->tx, t, c);
}

/* Of what is said at SLOT, a port of the root's or an atomic's; of a static block that is known. */
static gboolean signals_slot(const HySim *sim, guint slot, double t, double *c)
{
  guint slots = sim->graph->first_out[sim->n];
  if (slot >= slots) {
    const HyPiece *word = &sim->words[sim->n_words - sim->model->in->len + (slot - slots)];
    return signals_carry(word->c, 4, word->t, t, c);
  }
  guint a = sim->graph->owner[slot];
  const HyAtom *atom = &sim->atoms[a];
  if (atom->word != NULL) {
    const HyPiece *word = &atom->word[slot - sim->graph->first_out[a]];
    return signals_carry(word->c, 4, word->t, t, c);
  }
  if (atom->klass->describe == NULL) {
    return signals_state(sim, hy_room_member(sim->room, a), t, c);
  }
  memcpy(c, sim->signals->at[slot], sizeof(double[4]));
  return sim->signals->look[a] == SIGNAL_KNOWN && isfinite(c[0]);
}

/* Blocks -------------------------------------------------------------------------------------- */

static const HyStaticState *signals_own(const HySim *sim, guint atomic)
{
  return ((const HyStatic *)(gconstpointer)sim->atoms[atomic].state)->own;
}

/* What comes in at port K at T: of what nobody is wired to, or several are, as the block has it. */
static gboolean signals_input(const HySim *sim, guint atomic, guint k, double t, HyPiece *in)
{
  const HyStaticState *own = signals_own(sim, atomic);
  guint slot = sim->sources.slot[sim->sources.first[atomic] + k];
  if (slot == HY_NO_SOURCE || slot == HY_MANY_SOURCES) {
    *in = own->in[k];
    return slot == HY_NO_SOURCE || own->arrival[k] == HY_ARRIVED;
  }
  in->t = t;
  return signals_slot(sim, slot, t, in->c);
}

/* As the block itself puts its results right (static_block.c). */
static void signals_mend(const HyStaticState *own, guint k, double *c)
{
  guint n = own->form.order;
  for (guint i = 1; i < 4; i++) {
    n = i < n && !isfinite(c[i]) ? i : n;
    c[i] = i < n ? c[i] : 0.0;
  }
  if (c[0] < 0.0 && k < 64 && (own->form.kind->roots >> k & 1) != 0) {
    c[0] = 0.0;
  }
}

/* All that it is made of has been looked at. */
static gboolean signals_compute(HySim *sim, guint atomic, double t)
{
  HySignals *s = sim->signals;
  const HyStaticState *own = signals_own(sim, atomic);
  const HyKind *kind = own->form.kind;
  gboolean known = TRUE;
  g_array_set_size(s->in, kind->n_in + 1);
  g_byte_array_set_size(s->mode, kind->program->n_modes + 1);
  for (guint k = 0; k < kind->n_in; k++) {
    HyPiece *in = &g_array_index(s->in, HyPiece, k);
    gboolean there = signals_input(sim, atomic, k, t, in);
    known = known && (there || !kind->feeds[k]);
    *in = there ? *in : (HyPiece){.t = t};
  }
  for (guint m = 0; m < kind->program->n_modes; m++) {
    gboolean up = FALSE;
    known = known && hy_room_mode(sim->room, atomic, m, &up);
    s->mode->data[m] = up != FALSE;
  }
  HyReg *reg = hy_kind_ahead(kind);
  hy_program_evaluate(kind->program, (const HyPiece *)(gpointer)s->in->data, t, reg, s->mode->data);
  for (guint k = 0; k < kind->n_out; k++) {
    double *c = s->at[sim->graph->first_out[atomic] + k];
    memcpy(c, reg[kind->program->out[k]], sizeof(double[4]));
    signals_mend(own, k, c);
  }
  return known;
}

/* A block behind an input that its outputs follow is to be computed first. TRUE: there is none. */
static gboolean signals_look_behind(HySim *sim, guint atomic)
{
  HySignals *s = sim->signals;
  const HyKind *kind = signals_own(sim, atomic)->form.kind;
  guint before = s->stack->len;
  for (guint k = 0; k < kind->n_in; k++) {
    guint slot = sim->sources.slot[sim->sources.first[atomic] + k];
    guint source = slot < sim->graph->first_out[sim->n] ? sim->graph->owner[slot] : atomic;
    if (kind->feeds[k] && sim->atoms[source].klass->describe != NULL &&
        s->look[source] == SIGNAL_NEW) {
      g_array_append_val(s->stack, source);
    }
  }
  return s->stack->len == before;
}

static void signals_find(HySim *sim, guint atomic, double t)
{
  HySignals *s = sim->signals;
  g_array_append_val(s->stack, atomic);
  while (s->stack->len > 0) {
    guint a = g_array_index(s->stack, guint, s->stack->len - 1);
    gboolean done = s->look[a] == SIGNAL_KNOWN || s->look[a] == SIGNAL_UNKNOWN;
    if (s->look[a] == SIGNAL_NEW) {
      s->look[a] = SIGNAL_ASKED;
      g_array_append_val(s->seen, a);
      if (!signals_look_behind(sim, a)) {
        continue;
      }
    }
    if (!done) {
      s->look[a] = signals_compute(sim, a, t) ? SIGNAL_KNOWN : SIGNAL_UNKNOWN;
    }
    g_array_set_size(s->stack, s->stack->len - 1);
  }
}

static void signals_begin(HySim *sim)
{
  if (sim->signals != NULL) {
    return;
  }
  HySignals *s = sim->signals = g_new0(HySignals, 1);
  s->look = g_new0(guint8, (gsize)sim->n + 1);
  s->at = g_malloc_n((gsize)sim->graph->first_out[sim->n] + 1, sizeof *s->at);
  s->seen = g_array_new(FALSE, FALSE, sizeof(guint));
  s->stack = g_array_new(FALSE, FALSE, sizeof(guint));
  s->in = g_array_new(FALSE, TRUE, sizeof(HyPiece));
  s->mode = g_byte_array_new();
}

static void signals_end(HySignals *s)
{
  for (guint k = 0; k < s->seen->len; k++) {
    s->look[g_array_index(s->seen, guint, k)] = SIGNAL_NEW;
  }
  g_array_set_size(s->seen, 0);
}

gboolean hy_sim_signal(const HySim *sim, guint atomic, guint port, double t, double c[4])
{
  g_return_val_if_fail(sim != NULL && atomic < sim->n && port < sim->atoms[atomic].n_out, FALSE);
  g_return_val_if_fail(c != NULL, FALSE);
  const HyAtom *a = &sim->atoms[atomic];
  guint element;
  if (!sim->ready || sim->inside == HY_IN_EVENT || isnan(t) ||
      hy_port_at(a->klass->out, a->n_out, port, &element)->kind == HY_EVENT) {
    return FALSE;
  }
  HySim *self = sim->self;
  signals_begin(self);
  if (a->klass->describe != NULL) {
    signals_find(self, atomic, t);
  }
  gboolean known = signals_slot(sim, sim->graph->first_out[atomic] + port, t, c);
  signals_end(self->signals);
  return known;
}
