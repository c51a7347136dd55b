/* How a machine runs: formulas, timeouts, guards that watch signals.
 *
 * A transition is taken in this order: what its state does at its exit; what it does itself; what
 * it says (Mealy); what the new state does at its entry; what that says (Moore); the timeouts of
 * the new state are computed. Each formula sees what those before it have done.
 *
 * In a formula that is evaluated at an instant comparisons are exact. The guard of a `when` is
 * looked at all the time: what it compares are polynomials of the time between two events, as its
 * formula is linear in all that moves (language/machine_block.c), and the instant at which a
 * comparison turns is a crossing as of any block (expr/modes.h). A comparison of variables is exact
 * there, too. */
#include "machine/running.h"
#include "base/digest.h"
#include "expr/tape_parts.h"
#include "hydevs/error.h"

#include <string.h>

/* Formulas ------------------------------------------------------------------------------------- */

/* Node by node whether it moves with time, for those that decide modes. */
static void find_moving(const HyRunning *s, HyMachineForm *f, const HyXBuilder *b, HyX out)
{
  g_autofree guint8 *need = g_new0(guint8, (gsize)b->n + 1),
                    *moves = g_new0(guint8, (gsize)b->n + 1);
  guint first = s->n_in, n = s->machine->n_vars, mode = 0;
  hy_x_reach(b, &out, 1, TRUE, need);
  for (guint k = 0; k < b->n; k++) {
    const HyNode *x = &b->node[k];
    guint operands = hy_x_operands(x->op);
    switch (x->op) {
    case HY_X_IN:
      moves[k] = x->a < first || x->a >= first + n;
      break;
    case HY_X_MODE:
      moves[k] = moves[x->a] || moves[x->c];
      if (need[k]) {
        f->moves[mode++] = moves[k];
      }
      break;
    case HY_X_SELECT:
      moves[k] = moves[x->a] || moves[x->b] || moves[x->c];
      break;
    default:
      moves[k] = (operands > 0 && moves[x->a]) || (operands > 1 && moves[x->b]);
    }
  }
}

static gboolean form_new(HyRunning *s, HyMachineForm *f, HyXBuilder *b, HyX out, guint lanes,
                         gboolean watched, GError **error)
{
  guint n = s->n_in + s->machine->n_vars + HY_N_MACHINE_UNKNOWNS;
  f->program = hy_program_new(b, &out, 1, n, lanes, error);
  if (f->program == NULL) {
    return FALSE;
  }
  guint modes = f->program->n_modes;
  f->reg = g_new(HyReg, (gsize)f->program->n_regs + 1);
  hy_program_prepare(f->program, f->reg);
  f->mode = g_new0(guint8, (gsize)modes + 1);
  f->moves = g_new0(guint8, (gsize)modes + 1);
  f->modes = watched && modes > 0 ? hy_modes_new(modes, lanes) : NULL;
  for (guint k = 0; k < f->program->n_load; k++) {
    f->draws |= f->program->load[k] == n - HY_N_MACHINE_UNKNOWNS + HY_MACHINE_RANDOM;
  }
  find_moving(s, f, b, out);
  return TRUE;
}

static gboolean is_watched(const HyMachine *m, guint part)
{
  for (guint k = 0; k < m->n_transitions; k++) {
    if (m->transition[k].cause == HY_WHEN && m->transition[k].guard == part) {
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean forms_new(HyRunning *s, guint order, GError **error)
{
  const HyMachine *m = s->machine;
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  guint n = s->n_in + m->n_vars + HY_N_MACHINE_UNKNOWNS;
  g_autofree HyX *in = g_new0(HyX, (gsize)n + 1), *out = g_new0(HyX, (gsize)m->n_parts + 1);
  for (guint k = 0; k < n; k++) {
    in[k] = hy_x_in(b, k);
  }
  if (!hy_expression_nodes(s->parts, b, in, s->n_in, n - s->n_in, out, m->n_parts, error)) {
    return FALSE;
  }
  for (guint k = 0; k < m->n_parts; k++) { /* the time has a slope in every model */
    if (!form_new(s, &s->form[k], b, out[k], MAX(order, 2), is_watched(m, k), error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* What programs load, as it is in M at T. */
static void spread(const HyRunning *s, const HyMoving *m, double t)
{
  HyPiece *at = s->piece;
  for (guint k = 0; k < s->n_in; k++, at++) {
    memcpy(at->c, s->in[k].c, sizeof at->c);
    at->t = s->in[k].t;
  }
  for (guint k = 0; k < s->machine->n_vars; k++, at++) {
    *at = (HyPiece){.c = {m->var[k]}, .t = t};
  }
  at[HY_MACHINE_TIME] = (HyPiece){.c = {t, 1.0}, .t = t};
  at[HY_MACHINE_ELAPSED] = (HyPiece){.c = {t - m->entered, 1.0}, .t = t};
}

static void fail(HyMoving *m, guint part, double value)
{
  if (m->bad == HY_NO_PART) {
    m->bad = part;
    m->worst = value;
  }
}

/* The value of a form that is loaded, where a comparison of what is no number is DOUBTFUL; *DOUBT
 * says whether there is one. */
static double decide(const HyMachineForm *f, guint8 doubtful, gboolean *doubt)
{
  const HyProgram *p = f->program;
  guint at = 0;
  for (guint k = 0; k < p->n_modes; k++) {
    hy_program_run_value(p, at, p->mode[k].until, f->reg, f->mode);
    at = p->mode[k].until;
    double z = f->reg[p->mode[k].rises][0];
    f->mode[k] = isnan(z) ? doubtful : z > 0.0;
    *doubt |= isnan(z);
  }
  hy_program_run_value(p, at, p->n_ins, f->reg, f->mode);
  return f->reg[p->out[0]][0];
}

/* NaN where the value depends on a comparison of what is no number, as n > 0 and m/n > 3 does not
 * while n is 0. */
static double decided(const HyMachineForm *f)
{
  gboolean doubt = FALSE;
  double v = decide(f, 0, &doubt);
  return doubt && decide(f, 1, &doubt) != v ? NAN : v;
}

/* The value of a part at T; what it loads has been spread. */
static double evaluate(const HyRunning *s, HyMoving *m, guint part, double t)
{
  const HyMachineForm *f = &s->form[part];
  if (f->draws) {
    s->piece[s->n_in + s->machine->n_vars + HY_MACHINE_RANDOM] =
        (HyPiece){.c = {hy_random_uniform(&m->random)}, .t = t};
  }
  hy_program_load(f->program, s->piece, t, f->reg);
  double v = decided(f);
  if (isnan(v)) {
    fail(m, part, v);
  }
  return v;
}

static gboolean is_open(const HyRunning *s, HyMoving *m, const HyMachineTransition *tr, double t)
{
  return tr->guard == HY_NO_PART || evaluate(s, m, tr->guard, t) != 0.0;
}

/* Guards of `when` ----------------------------------------------------------------------------- */

/* Whether it holds; *DOUBT: something that it compares is no number. */
static gboolean look_at(const HyRunning *s, const HyMachineForm *f, double t, gboolean anew,
                        gboolean fresh, gboolean *doubt)
{
  const HyProgram *p = f->program;
  guint at = 0;
  hy_program_load(p, s->piece, t, f->reg);
  if (f->modes != NULL) {
    hy_modes_begin(f->modes);
    if (anew) {
      hy_modes_commit(f->modes, FALSE);
      hy_modes_begin(f->modes);
    }
  }
  for (guint k = 0; f->modes != NULL && k < p->n_modes; k++) {
    const HyProgramMode *mode = &p->mode[k];
    const guint8 *values = hy_modes_values(f->modes);
    hy_program_run(p, at, mode->until, f->reg, values);
    at = mode->until;
    *doubt |= isnan(f->reg[mode->rises][0]);
    if (f->moves[k]) {
      gboolean turned = mode->reads_others && hy_modes_toggled(f->modes);
      hy_modes_settle(f->modes, k, t, f->reg[mode->rises], f->reg[mode->falls], fresh || turned,
                      FALSE);
    } else {
      hy_modes_follow(f->modes, k, f->reg[mode->rises][0] > 0.0);
    }
  }
  hy_program_run(p, at, p->n_ins, f->reg, f->modes != NULL ? hy_modes_values(f->modes) : NULL);
  return f->reg[p->out[0]][0] != 0.0;
}

void hy_running_look(const HyRunning *s, double t, gboolean anew, gboolean fresh)
{
  const HyMachineState *st = &s->machine->state[s->now.state];
  spread(s, &s->now, t);
  s->probe->bad = HY_NO_PART;
  for (guint k = st->first; k < st->first + st->n; k++) {
    const HyMachineTransition *tr = &s->machine->transition[k];
    gboolean doubt = FALSE;
    s->held[k] = tr->cause == HY_WHEN && look_at(s, &s->form[tr->guard], t, anew, fresh, &doubt);
    if (doubt) {
      evaluate(s, s->probe, tr->guard, t);
    }
  }
}

void hy_running_commit(HyRunning *s)
{
  const HyMachineState *st = &s->machine->state[s->now.state];
  s->again = INFINITY;
  s->holds = FALSE;
  if (s->probe->bad != HY_NO_PART) {
    fail(&s->now, s->probe->bad, s->probe->worst);
  }
  for (guint k = st->first; k < st->first + st->n; k++) {
    const HyMachineTransition *tr = &s->machine->transition[k];
    HyModes *modes = tr->cause == HY_WHEN ? s->form[tr->guard].modes : NULL;
    s->now.spent[k] = s->now.spent[k] && s->held[k];
    s->holds |= s->held[k] && !s->now.spent[k];
    if (modes != NULL) {
      hy_modes_commit(modes, TRUE);
      s->again = fmin(s->again, hy_modes_next(modes));
    }
  }
}

/* Transitions ---------------------------------------------------------------------------------- */

guint hy_running_choose(const HyRunning *s, HyMoving *m, double t)
{
  const HyMachineState *st = &s->machine->state[m->state];
  spread(s, m, t);
  for (guint k = st->first; k < st->first + st->n; k++) {
    const HyMachineTransition *tr = &s->machine->transition[k];
    gboolean due = tr->cause == HY_AFTER ? m->due[k] <= t && is_open(s, m, tr, t)
                                         : tr->cause == HY_WHEN && s->held[k] && !m->spent[k];
    if (due) {
      return k;
    }
  }
  return HY_STAYS;
}

guint hy_running_answer(const HyRunning *s, HyMoving *m, guint port, double t)
{
  const HyMachineState *st = &s->machine->state[m->state];
  spread(s, m, t);
  for (guint k = st->first; k < st->first + st->n; k++) {
    const HyMachineTransition *tr = &s->machine->transition[k];
    if (tr->cause == HY_ON && tr->port == port && is_open(s, m, tr, t)) {
      return k;
    }
  }
  return HY_STAYS;
}

static void add_word(HyMoving *m, guint port, double value)
{
  if (m->n_words == m->room) {
    m->room = MAX(4, 2 * m->room);
    m->word = g_renew(HyMachineWord, m->word, m->room);
  }
  m->word[m->n_words++] = (HyMachineWord){port, value};
}

static void act(const HyRunning *s, HyMoving *m, HyMachineActs acts, double t)
{
  for (guint k = acts.first; k < acts.first + acts.n; k++) {
    const HyMachineAct *a = &s->machine->act[k];
    double v = evaluate(s, m, a->part, t);
    if (!a->says) {
      m->var[a->target] = v;
      s->piece[s->n_in + a->target] = (HyPiece){.c = {v}, .t = t};
    } else if (isfinite(v)) {
      add_word(m, a->target, v);
    } else {
      fail(m, a->part, v);
    }
  }
}

static void enter(const HyRunning *s, HyMoving *m, guint state, double t)
{
  const HyMachineState *st = &s->machine->state[state];
  m->state = state;
  m->entered = t;
  spread(s, m, t);
  act(s, m, st->entry, t);
  for (guint k = st->first; k < st->first + st->n; k++) {
    const HyMachineTransition *tr = &s->machine->transition[k];
    m->spent[k] = 0;
    m->due[k] = INFINITY;
    if (tr->cause == HY_AFTER) {
      double time = evaluate(s, m, tr->time, t);
      m->due[k] = t + time;
      if (!(time >= 0.0)) {
        fail(m, tr->time, time);
      }
    }
  }
}

void hy_running_take(const HyRunning *s, HyMoving *m, guint k, double t)
{
  const HyMachineTransition *tr = &s->machine->transition[k];
  spread(s, m, t);
  if (tr->to != HY_STAYS) {
    act(s, m, s->machine->state[m->state].exit, t);
  }
  act(s, m, tr->acts, t);
  if (tr->to != HY_STAYS) {
    enter(s, m, tr->to, t);
    return;
  }
  m->due[k] = INFINITY;
  m->spent[k] = tr->cause == HY_WHEN;
}

void hy_moving_copy(const HyRunning *s, HyMoving *to, const HyMoving *from)
{
  HyMoving own = *to;
  *to = *from;
  to->var = own.var;
  to->due = own.due;
  to->spent = own.spent;
  to->word = own.word;
  to->room = own.room;
  to->n_words = 0;
  memcpy(to->var, from->var, s->machine->n_vars * sizeof *to->var);
  memcpy(to->due, from->due, s->machine->n_transitions * sizeof *to->due);
  memcpy(to->spent, from->spent, s->machine->n_transitions * sizeof *to->spent);
  for (guint k = 0; k < from->n_words; k++) {
    add_word(to, from->word[k].port, from->word[k].value);
  }
}

/* All of it ------------------------------------------------------------------------------------ */

static void moving_init(const HyMachine *m, HyMoving *x)
{
  x->var = g_new0(double, (gsize)m->n_vars + 1);
  x->due = g_new0(double, (gsize)m->n_transitions + 1);
  x->spent = g_new0(guint8, (gsize)m->n_transitions + 1);
  x->bad = HY_NO_PART;
}

static void moving_clear(HyMoving *x)
{
  g_free(x->var);
  g_free(x->due);
  g_free(x->spent);
  g_free(x->word);
}

gboolean hy_running_new(HyRunning *s, double t, const HySetup *setup, GError **error)
{
  const HyMachine *m = hy_machine_of(setup->klass);
  s->machine = m;
  s->n_in = setup->n_in;
  s->in = g_new0(HySignal, (gsize)s->n_in + 1);
  s->form = g_new0(HyMachineForm, (gsize)m->n_parts + 1);
  s->piece = g_new0(HyPiece, (gsize)s->n_in + m->n_vars + HY_N_MACHINE_UNKNOWNS);
  s->held = g_new0(guint8, (gsize)m->n_transitions + 1);
  s->probe = g_new0(HyMoving, 1);
  s->early = g_new(double, (gsize)m->n_out + 1);
  for (guint k = 0; k < m->n_out; k++) {
    s->early[k] = NAN;
  }
  s->again = INFINITY;
  moving_init(m, &s->now);
  moving_init(m, s->probe);
  hy_random_seed(&s->now.random, setup->seed);
  for (guint k = 0; k < s->n_in; k++) {
    if (k < m->n_in && m->in[k].kind == HY_EVENT) {
      s->in[k] = (HySignal){.t = t, .n = 1, .known = TRUE};
    } else if (!hy_signal_init(&s->in[k], t, setup, k, error)) {
      return FALSE;
    }
  }
  return forms_new(s, setup->order, error);
}

/* What PART is hangs on a signal that has not come yet, on a variable that does (HANGS), or on
 * chance, which is drawn once. */
static gboolean is_open_yet(const HyRunning *s, const guint8 *hangs, guint part)
{
  const HyProgram *p = s->form[part].program;
  gboolean open = s->form[part].draws;
  for (guint k = 0; k < p->n_load; k++) {
    guint i = p->load[k];
    open |= i < s->n_in ? !s->in[i].known : i < s->n_in + s->machine->n_vars && hangs[i - s->n_in];
  }
  return open;
}

/* On a copy, as the state is entered when all is known: a machine whose first word reads nothing
 * would else wait for one that waits for that word. */
void hy_running_announce(HyRunning *s, double t)
{
  const HyMachine *m = s->machine;
  const HyMachineActs acts = m->state[m->initial].entry;
  g_autofree guint8 *hangs = g_new0(guint8, (gsize)m->n_vars + 1);
  hy_moving_copy(s, s->probe, &s->now);
  s->probe->entered = t;
  spread(s, s->probe, t);
  for (guint k = 0; k < m->n_vars; k++) {
    hangs[k] = is_open_yet(s, hangs, m->var_part[k]);
    s->probe->var[k] = hangs[k] ? 0.0 : evaluate(s, s->probe, m->var_part[k], t);
    s->piece[s->n_in + k] = (HyPiece){.c = {s->probe->var[k]}, .t = t};
  }
  for (guint k = acts.first; k < acts.first + acts.n; k++) {
    const HyMachineAct *a = &m->act[k];
    guint8 open = is_open_yet(s, hangs, a->part);
    if (!open) {
      act(s, s->probe, (HyMachineActs){k, 1}, t);
    }
    if (!a->says) {
      hangs[a->target] = open;
    }
  }
  for (guint k = 0; k < s->probe->n_words && s->probe->bad == HY_NO_PART; k++) {
    add_word(&s->now, s->probe->word[k].port, s->probe->word[k].value);
  }
  s->t = t;
}

/* What has been said before the start, and is so still, is not said again. */
static void drop_early(HyRunning *s)
{
  HyMoving *m = &s->now;
  guint n = 0;
  for (guint k = 0; k < m->n_words; k++) {
    double *early = &s->early[m->word[k].port];
    if (m->word[k].value != *early) {
      m->word[n++] = m->word[k];
    }
    *early = NAN;
  }
  m->n_words = n;
}

void hy_running_start(HyRunning *s, double t)
{
  const HyMachine *m = s->machine;
  s->started = TRUE;
  s->t = t;
  s->now.n_words = 0;
  spread(s, &s->now, t);
  for (guint k = 0; k < m->n_vars; k++) {
    s->now.var[k] = evaluate(s, &s->now, m->var_part[k], t);
  }
  enter(s, &s->now, m->initial, t);
  drop_early(s);
  hy_running_look(s, t, TRUE, TRUE);
  hy_running_commit(s);
}

void hy_running_keep(HyRunning *s, guint port, double value, double t)
{
  if (s->kept_at != t) { /* those of an earlier instant are past */
    s->ignored += s->n_kept;
    s->n_kept = 0;
    s->kept_at = t;
  }
  if (s->n_kept == s->room_kept) {
    s->room_kept = MAX(4, 2 * s->room_kept);
    s->kept = g_renew(HyMachineWord, s->kept, s->room_kept);
  }
  s->kept[s->n_kept++] = (HyMachineWord){port, value};
}

void hy_running_clear(HyRunning *s)
{
  for (guint k = 0; s->form != NULL && k < s->machine->n_parts; k++) {
    hy_program_free(s->form[k].program);
    hy_modes_free(s->form[k].modes);
    g_free(s->form[k].reg);
    g_free(s->form[k].mode);
    g_free(s->form[k].moves);
  }
  if (s->probe != NULL) {
    moving_clear(s->probe);
  }
  moving_clear(&s->now);
  g_free(s->probe);
  g_free(s->form);
  g_free(s->in);
  g_free(s->piece);
  g_free(s->held);
  g_free(s->early);
  g_free(s->kept);
}

/* Their memory may have moved. They are said at, or came at, one of MOST ports. */
static void words_tape(HyTape *tape, const char *name, HyMachineWord **word, guint *n, guint *room,
                       guint most)
{
  guint count = (guint)hy_tape_count(tape, name, *n, G_MAXUINT);
  if (!hy_tape_files(tape)) {
    hy_tape_memory(tape, word, *room * sizeof **word);
    return;
  }
  if (hy_tape_loads(tape)) {
    *n = *room = count;
    *word = g_new0(HyMachineWord, MAX(count, 1));
  }
  for (guint k = 0; k < count; k++) {
    HyMachineWord *w = &(*word)[k];
    HY_TAPE(tape, w->port);
    HY_TAPE(tape, w->value);
    if (w->port >= most) {
      w->port = 0;
      hy_tape_reject(tape, "a word is of a port that it does not have");
    }
  }
}

static void moving_tape(HyRunning *s, HyTape *tape)
{
  const HyMachine *m = s->machine;
  HyMoving *x = &s->now;
  HY_TAPE(tape, x->state);
  HY_TAPE(tape, x->entered);
  HY_TAPE_ARRAY(tape, x->random.s, 4);
  HY_TAPE_ARRAY(tape, x->var, m->n_vars);
  HY_TAPE_ARRAY(tape, x->due, m->n_transitions);
  HY_TAPE_ARRAY(tape, x->spent, m->n_transitions);
  words_tape(tape, "words", &x->word, &x->n_words, &x->room, m->n_out);
  HY_TAPE(tape, x->bad);
  HY_TAPE(tape, x->worst);
}

static void digest_numbers(HyDigest *d, const guint *v, guint n)
{
  for (guint k = 0; k < n; k++) {
    guint32 little = GUINT32_TO_LE(v[k]);
    hy_digest_take(d, &little, sizeof little);
  }
}

static void digest_states(HyDigest *d, const HyMachine *m)
{
  for (guint k = 0; k < m->n_states; k++) {
    const HyMachineState *x = &m->state[k];
    const guint v[] = {x->final,   x->first,      x->n,     x->entry.first,
                       x->entry.n, x->exit.first, x->exit.n};
    hy_digest_take(d, x->name, strlen(x->name) + 1);
    digest_numbers(d, v, G_N_ELEMENTS(v));
  }
}

/* States, transitions and what they do, in their order; what formulas say is a parameter, and
 * drawings, comments and lines do not matter. */
static guint64 structure_of(const HyMachine *m)
{
  HyDigest d;
  const guint sizes[] = {m->n_states, m->n_transitions, m->n_acts,
                         m->n_vars,   m->n_parts,       m->initial};
  hy_digest_init(&d);
  digest_numbers(&d, sizes, G_N_ELEMENTS(sizes));
  digest_states(&d, m);
  for (guint k = 0; k < m->n_transitions; k++) {
    const HyMachineTransition *x = &m->transition[k];
    const guint v[] = {x->cause,
                       x->cause == HY_ON ? x->port : 0,
                       x->cause == HY_AFTER ? x->time : 0,
                       x->guard,
                       x->from,
                       x->to,
                       x->acts.first,
                       x->acts.n};
    digest_numbers(&d, v, G_N_ELEMENTS(v));
  }
  for (guint k = 0; k < m->n_acts; k++) {
    const guint v[] = {m->act[k].says, m->act[k].target, m->act[k].part};
    digest_numbers(&d, v, G_N_ELEMENTS(v));
  }
  for (guint k = 0; k < m->n_vars; k++) {
    hy_digest_take(&d, m->var[k], strlen(m->var[k]) + 1);
  }
  digest_numbers(&d, m->var_part, m->n_vars);
  g_autofree char *text = hy_digest_end(&d);
  text[16] = '\0';
  return g_ascii_strtoull(text, NULL, 16);
}

/* All machines are of one class with the same formulas; a file says whose states these are. */
static void structure_tape(const HyMachine *m, HyTape *tape)
{
  guint64 structure = hy_tape_files(tape) ? structure_of(m) : 0, there = structure;
  if (hy_tape_files(tape)) {
    hy_tape_item(tape, HY_ITEM_U64, "structure", &there, 1);
  }
  if (there != structure) {
    hy_tape_reject(tape, "it is another machine: its states, its transitions or their order");
  }
}

void hy_running_tape(HyRunning *s, HyTape *tape)
{
  const HyMachine *m = s->machine;
  structure_tape(m, tape);
  for (guint k = 0; k < s->n_in; k++) {
    hy_signal_tape(&s->in[k], tape);
  }
  moving_tape(s, tape);
  HY_TAPE_ARRAY(tape, s->held, m->n_transitions);
  HY_TAPE_ARRAY(tape, s->early, m->n_out);
  words_tape(tape, "kept", &s->kept, &s->n_kept, &s->room_kept, s->n_in);
  HY_TAPE(tape, s->started);
  HY_TAPE(tape, s->kept_at);
  HY_TAPE(tape, s->t);
  HY_TAPE(tape, s->holds);
  HY_TAPE(tape, s->again);
  hy_tape_fault(tape, &s->fault);
  HY_TAPE(tape, s->bad_in);
  HY_TAPE(tape, s->taken);
  HY_TAPE(tape, s->ignored);
  for (guint k = 0; k < m->n_parts; k++) {
    if (s->form[k].modes != NULL) {
      hy_modes_tape(s->form[k].modes, tape);
    }
  }
  if (s->now.state >= m->n_states || s->bad_in >= MAX(s->n_in, 1) ||
      (s->now.bad != HY_NO_PART && s->now.bad >= m->n_parts)) {
    s->now.state = s->bad_in = 0;
    s->now.bad = HY_NO_PART;
    hy_tape_reject(tape, "it is in a state that it does not have");
  }
}
