/* For tests: machines of random shape as text of a model file, and what they do, by an interpreter
 * of its own that was written from docs/language.md and shares nothing with the block. All times
 * are multiples of 1/4, so that instants are exact and ties are frequent.
 *
 * The model: two generators a and b, a counter of the events of a, and the machine m, in any order.
 */
#ifndef MACHINE_MODEL_H
#define MACHINE_MODEL_H

#include <hydevs/hydevs.h>

#define MM_STATES      5
#define MM_TRANSITIONS 4 /* of a state */
#define MM_VARS        2
#define MM_ACTS        2

typedef struct {
  guint kind, var;
  gint number;
} MmTerm; /* of a formula or a condition: what it means is in mm_term_text() and mm_term_value() */

typedef struct {
  guint n;
  guint var[MM_ACTS];
  MmTerm term[MM_ACTS];
} MmDo;

typedef struct {
  guint cause; /* 0 on, 1 after, 2 when */
  guint port;
  guint n_guards;
  MmTerm guard[2]; /* joined by and */
  gint quarters;   /* the time of after; with `var`, plus that variable / 4 */
  gboolean adds_var;
  gint to; /* -1: stays */
  MmDo does;
  gboolean says;
  MmTerm said;
} MmTransition;

typedef struct {
  MmDo entry, exit;
  MmTerm out;
  guint n;
  MmTransition tr[MM_TRANSITIONS];
} MmState;

typedef struct {
  guint64 random;
  guint n_states, order[4]; /* 0 a, 1 b, 2 counter, 3 machine */
  gint first[2], period[2], n_values[2], value[2][4];
  MmState state[MM_STATES];
  gboolean reads_count;
} MmModel;

static guint mm_draw(MmModel *m, guint n)
{
  m->random ^= m->random << 13;
  m->random ^= m->random >> 7;
  m->random ^= m->random << 17;
  return (guint)((m->random >> 20) % n);
}

/* Formulas and conditions ---------------------------------------------------------------------- */

enum { MM_NUMBER, MM_VAR, MM_MORE, MM_LESS, MM_A, MM_SUM, MM_ELAPSED, MM_MIN, MM_IF, MM_N_VALUES };
enum {
  MM_ABOVE,
  MM_NOT_ABOVE,
  MM_B_IS_NOT,
  MM_LATER,
  MM_COUNT,
  MM_AT_LEAST,
  MM_CLOCK,
  MM_LATER_BY_VAR
};

/* V is the variable, N the number. */
static void mm_fill(const char *text, const MmTerm *x, GString *out)
{
  for (; *text != '\0'; text++) {
    if (*text == 'V') {
      g_string_append_printf(out, "v%u", x->var);
    } else if (*text == 'N') {
      g_string_append_printf(out, "%d", x->number);
    } else {
      g_string_append_c(out, *text);
    }
  }
}

static void mm_value_text(const MmTerm *x, GString *out)
{
  static const char *const text[] = {"N",
                                     "V",
                                     "V + N",
                                     "V - N",
                                     "a",
                                     "v0 + v1 - b",
                                     "elapsed",
                                     "min(V + a, 9)",
                                     "if(V > N, 0, V + 1)"};
  mm_fill(text[x->kind], x, out);
}

static void mm_guard_text(const MmTerm *x, GString *out)
{
  static const char *const text[] = {
      "V > N",   "V &lt;= N",      "b != N",   "elapsed >= N/4",
      "n_a > N", "not (V &lt; N)", "t >= N/2", "elapsed > N/4 + V/4"};
  mm_fill(text[x->kind], x, out);
}

/* Making one ----------------------------------------------------------------------------------- */

static MmTerm mm_random_value(MmModel *m)
{
  return (MmTerm){mm_draw(m, MM_N_VALUES), mm_draw(m, MM_VARS), (gint)mm_draw(m, 4)};
}

static void mm_random_do(MmModel *m, MmDo *d)
{
  d->n = mm_draw(m, MM_ACTS + 1);
  for (guint k = 0; k < d->n; k++) {
    d->var[k] = mm_draw(m, MM_VARS);
    d->term[k] = mm_random_value(m);
  }
}

static void mm_random_transition(MmModel *m, MmTransition *t)
{
  static const guint on[] = {MM_ABOVE, MM_NOT_ABOVE, MM_B_IS_NOT, MM_LATER, MM_COUNT},
                     when[] = {MM_AT_LEAST, MM_LATER, MM_CLOCK, MM_COUNT, MM_LATER_BY_VAR};
  *t = (MmTransition){
      .cause = mm_draw(m, 3), .port = mm_draw(m, 2), .quarters = (gint)mm_draw(m, 9)};
  t->n_guards = t->cause == 2 ? 1 + mm_draw(m, 2) : mm_draw(m, 3);
  for (guint k = 0; k < t->n_guards; k++) {
    guint kind = t->cause == 2 ? when[mm_draw(m, 5)] : on[mm_draw(m, 5)];
    t->guard[k] = (MmTerm){kind, mm_draw(m, MM_VARS), (gint)mm_draw(m, kind == MM_CLOCK ? 20 : 5)};
    m->reads_count = m->reads_count || kind == MM_COUNT;
  }
  t->adds_var = t->cause == 1 && mm_draw(m, 3) == 0;
  t->to = (gint)mm_draw(m, m->n_states + 1) - 1;
  mm_random_do(m, &t->does);
  t->says = t->to < 0 || mm_draw(m, 2) == 0;
  t->said = mm_random_value(m);
}

static void mm_random(MmModel *m, guint64 seed)
{
  *m = (MmModel){.random = seed * 0x9E3779B97F4A7C15U + 1, .order = {0, 1, 2, 3}};
  for (guint k = 0; k < 20; k++) {
    mm_draw(m, 2);
  }
  m->n_states = 1 + mm_draw(m, MM_STATES);
  for (guint k = 4; k > 1; k--) {
    guint other = mm_draw(m, k), was = m->order[other];
    m->order[other] = m->order[k - 1];
    m->order[k - 1] = was;
  }
  for (guint g = 0; g < 2; g++) {
    m->first[g] = (gint)mm_draw(m, 6);
    m->period[g] = 1 + (gint)mm_draw(m, 6);
    m->n_values[g] = 1 + (gint)mm_draw(m, 4);
    for (guint k = 0; k < 4; k++) {
      m->value[g][k] = (gint)mm_draw(m, 4);
    }
  }
  for (guint s = 0; s < m->n_states; s++) {
    MmState *st = &m->state[s];
    mm_random_do(m, &st->entry);
    mm_random_do(m, &st->exit);
    st->out = mm_random_value(m);
    st->n = mm_draw(m, MM_TRANSITIONS + 1);
    for (guint k = 0; k < st->n; k++) {
      mm_random_transition(m, &st->tr[k]);
    }
  }
}

/* As a model file ------------------------------------------------------------------------------ */

static void mm_do_text(const char *what, const MmDo *d, GString *out)
{
  for (guint k = 0; k < d->n; k++) {
    g_string_append_printf(out, "%s%s%sv%u = ", k == 0 ? " " : "", k == 0 ? what : "; ",
                           k == 0 ? "=\"" : "", d->var[k]);
    mm_value_text(&d->term[k], out);
  }
  g_string_append(out, d->n > 0 ? "\"" : "");
}

static void mm_transition_text(const MmTransition *t, GString *out)
{
  static const char *const words[] = {"on", "after", "when"};
  g_string_append_printf(out, "      <%s", words[t->cause]);
  if (t->cause == 0) {
    g_string_append_printf(out, " event=\"%s\"", t->port == 0 ? "a" : "b");
  } else if (t->cause == 1) {
    g_string_append_printf(out, " time=\"%d/4%s\"", t->quarters,
                           t->adds_var ? " + max(v0, 0)/4" : "");
  }
  for (guint k = 0; k < t->n_guards; k++) {
    g_string_append(out, k == 0 ? " guard=\"" : " and ");
    mm_guard_text(&t->guard[k], out);
  }
  g_string_append(out, t->n_guards > 0 ? "\"" : "");
  if (t->to >= 0) {
    g_string_append_printf(out, " to=\"s%d\"", t->to);
  }
  mm_do_text("do", &t->does, out);
  if (t->says) {
    g_string_append(out, " p=\"");
    mm_value_text(&t->said, out);
    g_string_append_c(out, '"');
  }
  g_string_append(out, "/>\n");
}

static void mm_machine_text(const MmModel *m, GString *out)
{
  g_string_append_printf(out,
                         "  <machine name=\"m\"%s>\n    <in name=\"a\" kind=\"event\"/><in "
                         "name=\"b\" kind=\"event\"/>\n",
                         m->reads_count ? " n_a=\"c\"" : "");
  g_string_append(out, "    <out name=\"o\"/><out name=\"p\" kind=\"event\"/><var "
                       "name=\"v0\"/><var name=\"v1\" value=\"1\"/>\n");
  for (guint s = 0; s < m->n_states; s++) {
    const MmState *st = &m->state[s];
    g_string_append_printf(out, "    <state name=\"s%u\" o=\"", s);
    mm_value_text(&st->out, out);
    g_string_append_c(out, '"');
    mm_do_text("entry", &st->entry, out);
    mm_do_text("exit", &st->exit, out);
    g_string_append(out, ">\n");
    for (guint k = 0; k < st->n; k++) {
      mm_transition_text(&st->tr[k], out);
    }
    g_string_append(out, "    </state>\n");
  }
  g_string_append(out, "  </machine>\n");
}

/* What it does --------------------------------------------------------------------------------- */

typedef struct {
  const MmModel *m;
  double t, entered, v[MM_VARS], last[2], count;
  guint state;
  gboolean started, spent[MM_TRANSITIONS];
  double early; /* said before it has started; NAN: nothing */
  double due[MM_TRANSITIONS];
  struct {
    char port;
    double value;
  } word[400];
  guint n_words;
  struct {
    guint port;
    double value;
  } kept[64]; /* events before it has started, all of them at the instant of the start */
  guint n_kept;
  gint sent[2];   /* by generators */
  double counted; /* by the counter */
  gboolean counter_due;
  guint moves; /* at this instant */
  gboolean too_many;
  GString *out;
} MmRun;

static double mm_value(const MmRun *r, const MmTerm *x)
{
  double v = r->v[x->var], n = x->number;
  switch (x->kind) {
  case MM_NUMBER:
    return n;
  case MM_VAR:
    return v;
  case MM_MORE:
    return v + n;
  case MM_LESS:
    return v - n;
  case MM_A:
    return r->last[0];
  case MM_SUM:
    return r->v[0] + r->v[1] - r->last[1];
  case MM_ELAPSED:
    return r->t - r->entered;
  case MM_MIN:
    return v + r->last[0] < 9 ? v + r->last[0] : 9;
  default:
    return v > n ? 0 : v + 1;
  }
}

/* From when on a guard holds if no variable and no count changes: -INFINITY, an instant, INFINITY.
 */
static double mm_holds_from(const MmRun *r, const MmTerm *g)
{
  double v = r->v[g->var], n = g->number;
  gboolean now = FALSE;
  switch (g->kind) {
  case MM_ABOVE:
    now = v > n;
    break;
  case MM_NOT_ABOVE:
    now = v <= n;
    break;
  case MM_B_IS_NOT:
    now = r->last[1] != n;
    break;
  case MM_COUNT:
    now = r->count > n;
    break;
  case MM_AT_LEAST:
    now = v >= n;
    break;
  case MM_LATER:
    return r->entered + n / 4;
  case MM_CLOCK:
    return n / 2;
  default:
    return r->entered + n / 4 + v / 4;
  }
  return now ? -INFINITY : INFINITY;
}

static double mm_open_from(const MmRun *r, const MmTransition *t)
{
  double from = -INFINITY;
  for (guint k = 0; k < t->n_guards; k++) {
    double g = mm_holds_from(r, &t->guard[k]);
    from = g > from ? g : from;
  }
  return from;
}

static void mm_note(MmRun *r, const char *what)
{
  char a[HY_DOUBLE_SIZE];
  g_string_append_printf(r->out, "%s %s ", hy_double_text(a, r->t), what);
  if (!r->started) {
    g_string_append(r->out, "(waits");
    if (r->n_words > 0) {
      g_string_append_printf(r->out, "; to say o=%s", hy_double_text(a, r->word[0].value));
    }
    g_string_append(r->out, ")\n");
    return;
  }
  g_string_append_printf(r->out, "(s%u,v0=%s", r->state, hy_double_text(a, r->v[0]));
  g_string_append_printf(r->out, ",v1=%s", hy_double_text(a, r->v[1]));
  for (guint k = 0; k < r->n_words; k++) {
    g_string_append_printf(r->out, "%s%c=%s", k == 0 ? "; to say " : " ", r->word[k].port,
                           hy_double_text(a, r->word[k].value));
  }
  g_string_append(r->out, ")\n");
}

static void mm_do(MmRun *r, const MmDo *d)
{
  for (guint k = 0; k < d->n; k++) {
    r->v[d->var[k]] = mm_value(r, &d->term[k]);
  }
}

static void mm_push(MmRun *r, char port, double value)
{
  if (r->n_words == G_N_ELEMENTS(r->word)) {
    r->too_many = TRUE;
    return;
  }
  r->word[r->n_words].port = port;
  r->word[r->n_words++].value = value;
}

static void mm_enter(MmRun *r, guint state)
{
  const MmState *st = &r->m->state[state];
  r->state = state;
  r->entered = r->t;
  mm_do(r, &st->entry);
  mm_push(r, 'o', mm_value(r, &st->out));
  for (guint k = 0; k < st->n; k++) {
    double more = st->tr[k].adds_var && r->v[0] > 0 ? r->v[0] / 4 : 0;
    r->spent[k] = FALSE;
    r->due[k] = st->tr[k].cause == 1 ? r->t + st->tr[k].quarters / 4.0 + more : INFINITY;
  }
}

/* A `when` that stays waits until its guard has not held. */
static void mm_look(MmRun *r)
{
  const MmState *st = &r->m->state[r->state];
  for (guint k = 0; k < st->n; k++) {
    r->spent[k] = r->spent[k] && mm_open_from(r, &st->tr[k]) <= r->t;
  }
}

static void mm_take(MmRun *r, guint k)
{
  const MmState *st = &r->m->state[r->state];
  const MmTransition *t = &st->tr[k];
  r->too_many = r->too_many || ++r->moves > 60;
  if (t->to >= 0) {
    mm_do(r, &st->exit);
  }
  mm_do(r, &t->does);
  if (t->says) {
    mm_push(r, 'p', mm_value(r, &t->said));
  }
  if (t->to >= 0) {
    mm_enter(r, (guint)t->to);
  } else {
    r->due[k] = INFINITY;
    r->spent[k] = t->cause == 2;
  }
  mm_look(r);
}

static double mm_next(const MmRun *r)
{
  double next = INFINITY;
  const MmState *st = &r->m->state[r->state];
  if (r->n_words > 0) {
    return r->t;
  }
  for (guint k = 0; r->started && k < st->n; k++) {
    double from = mm_open_from(r, &st->tr[k]);
    double own = st->tr[k].cause == 1                   ? r->due[k]
                 : st->tr[k].cause == 2 && !r->spent[k] ? (from > r->t ? from : r->t)
                                                        : INFINITY;
    next = own < next ? own : next;
  }
  return next;
}

/* Its turn. */
static void mm_turn(MmRun *r)
{
  const MmState *st = &r->m->state[r->state];
  if (r->n_words == 0) {
    guint k;
    for (k = 0; k < st->n; k++) {
      gboolean open = mm_open_from(r, &st->tr[k]) <= r->t;
      if (open &&
          ((st->tr[k].cause == 1 && r->due[k] <= r->t) || (st->tr[k].cause == 2 && !r->spent[k]))) {
        break;
      }
    }
    if (k < st->n) {
      mm_take(r, k);
    } else {
      for (guint i = 0; i < st->n; i++) {
        r->due[i] = r->due[i] <= r->t ? INFINITY : r->due[i];
      }
    }
  }
  if (r->n_words > 0) {
    char a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
    g_string_append_printf(r->out, "%s y %c=%s\n", hy_double_text(a, r->t), r->word[0].port,
                           hy_double_text(b, r->word[0].value));
    r->early = r->started ? NAN : r->word[0].value;
    r->n_words--;
    for (guint i = 0; i < r->n_words; i++) {
      r->word[i] = r->word[i + 1];
    }
  }
  mm_note(r, "dint");
}

static void mm_start(MmRun *r)
{
  r->started = TRUE;
  r->n_words = 0;
  r->v[0] = 0;
  r->v[1] = 1;
  mm_enter(r, 0);
  r->n_words -= r->word[0].value == r->early; /* it has been said already */
  mm_look(r);
}

/* What the first state says reads no count, and does not wait for it. */
static void mm_announce(MmRun *r)
{
  r->v[1] = 1;
  mm_enter(r, 0);
  r->v[0] = r->v[1] = 0;
}

static void mm_answer(MmRun *r, guint port, double value)
{
  const MmState *st = &r->m->state[r->state];
  r->last[port] = value;
  for (guint k = 0; k < st->n; k++) {
    if (st->tr[k].cause == 0 && st->tr[k].port == port && mm_open_from(r, &st->tr[k]) <= r->t) {
      mm_take(r, k);
      break;
    }
  }
}

static void mm_event(MmRun *r, guint port, double value)
{
  if (r->started) {
    mm_answer(r, port, value);
  } else {
    r->last[port] = value;
    r->kept[r->n_kept].port = port;
    r->kept[r->n_kept++].value = value;
  }
  mm_note(r, "dext");
}

static double mm_next_of(const MmRun *r, guint who)
{
  const MmModel *m = r->m;
  if (who < 2) {
    return r->sent[who] < m->n_values[who] ? (m->first[who] + r->sent[who] * m->period[who]) / 4.0
                                           : INFINITY;
  }
  return who == 3 ? mm_next(r) : r->counter_due ? r->t : INFINITY;
}

static void mm_turn_of(MmRun *r, guint who)
{
  const MmModel *m = r->m;
  if (who == 3) {
    mm_turn(r);
  } else if (who == 2) {
    r->counter_due = FALSE;
    if (m->reads_count) {
      r->count = r->counted;
      if (!r->started) {
        mm_start(r);
        for (guint j = 0; j < r->n_kept; j++) {
          mm_answer(r, r->kept[j].port, r->kept[j].value);
        }
      } else {
        mm_look(r);
      }
      mm_note(r, "dext");
    }
  } else {
    for (guint k = 0; k < 4; k++) { /* who hears it, in the order of the model */
      if (m->order[k] == 2 && who == 0) {
        r->counted++;
        r->counter_due = TRUE;
      } else if (m->order[k] == 3) {
        mm_event(r, who, m->value[who][r->sent[who]]);
      }
    }
    r->sent[who]++;
  }
}

/* All that the machine does until TF, a line each; NULL: it does too much at one instant. */
static char *mm_run(const MmModel *m, double tf)
{
  MmRun r = {.m = m, .counter_due = TRUE, .out = g_string_new(NULL)};
  r.early = NAN;
  if (m->reads_count) {
    mm_announce(&r);
  } else {
    mm_start(&r);
  }
  mm_note(&r, "init");
  while (!r.too_many) {
    guint who = 4;
    double t = INFINITY;
    for (guint k = 0; k < 4; k++) {
      double next = mm_next_of(&r, m->order[k]);
      if (next < t) {
        t = next;
        who = m->order[k];
      }
    }
    if (who == 4 || t > tf) {
      break;
    }
    r.moves = t > r.t ? 0 : r.moves;
    r.t = t;
    mm_turn_of(&r, who);
  }
  return g_string_free(r.out, r.too_many);
}

#endif
