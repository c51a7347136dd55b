/* For tests: what a run of a model says, and whether all engines say the same. */
#ifndef AGREE_H
#define AGREE_H

#include <hydevs/hydevs.h>
#include <string.h>

#include <unity.h>

#define AGREE_LIMIT 3000U  /* cycles at one instant, if a way states none */
#define AGREE_STOP  20000U /* cycles of a run, at most */

/* How a model is run. */
typedef struct {
  HyEngine engine;
  double tf;
  gboolean rows, learns, stale;
  guint8 *watched; /* [n]: HyWatched; NULL: nobody's */
  guint n_watched;
  guint limit;  /* of cycles at one instant; 0: AGREE_LIMIT */
  double piece; /* of time, with an input between them; 0: one */
  GArray
      *inputs; /* double: when they come; NULL, or not that many: the run chooses, and notes it */
  gboolean steps; /* by hy_sim_step() */
  gboolean twice; /* from the start again */
} Way;

typedef union {
  double v;
  guint64 bits;
} Exact;

typedef struct {
  Exact t, c[4];
  guint atomic;
  gint port;
} Word;

typedef struct {
  GArray *words;    /* Word */
  GString *state;   /* of all blocks that are not static, and the totals */
  char *error;      /* NULL: none */
  gboolean endless; /* the error: too many cycles at an instant */
} Said;

static inline void said_clear(Said *s)
{
  g_array_unref(s->words);
  g_string_free(s->state, TRUE);
  g_free(s->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Said, said_clear)

typedef struct {
  const Way *way;
  GArray *words;
} Hearing;

/* An engine may tell more than what is watched. */
static inline void hear(gpointer user, const HyTransition *c)
{
  const Hearing *h = user;
  if (c->kind == HY_LAMBDA && c->event->port >= 0 && h->way->watched[c->atomic]) {
    Word w = {.t.v = c->t, .atomic = c->atomic, .port = c->event->port};
    for (guint k = 0; k < 4; k++) {
      w.c[k].v = c->event->value.c[k];
    }
    g_array_append_val(h->words, w);
  }
}

/* At TF: the last event may be that of a block that not all engines run. */
static inline void put_states(GString *out, const HySim *sim, double tf)
{
  for (guint a = 0; a < hy_sim_n(sim); a++) {
    guint64 n_int, n_ext;
    if (hy_sim_class(sim, a)->describe != NULL) {
      continue; /* what nobody reads is not run by all engines */
    }
    g_autofree char *path = hy_sim_path(sim, a), *print = hy_sim_print(sim, a);
    char value[HY_DOUBLE_SIZE];
    hy_sim_counts(sim, a, &n_int, &n_ext);
    g_string_append_printf(out, "%s %s %s %" G_GUINT64_FORMAT "\n", path, print,
                           hy_double_text(value, hy_sim_value(sim, a, tf)), n_int);
  }
  HyTotals totals;
  hy_sim_totals(sim, &totals);
  g_string_append_printf(out,
                         "steps %" G_GUINT64_FORMAT " pairs %" G_GUINT64_FORMAT
                         " evaluations %" G_GUINT64_FORMAT " finished %s\n",
                         totals.steps, totals.pairs, totals.evaluations, hy_sim_finished(sim));
}

static inline gboolean run_to(HySim *sim, const Way *way, double tf, GError **error)
{
  gboolean done = way->steps;
  while (done) {
    if (!hy_sim_step(sim, tf, &done, error)) {
      return FALSE;
    }
  }
  return way->steps || hy_sim_run(sim, tf, error);
}

/* Piece K has been run; then something comes from outside, every second time at the instant of an
 * event. */
static inline gboolean say_from_outside(HySim *sim, const Way *way, guint k, GError **error)
{
  double t = way->piece * k, next = hy_sim_next(sim);
  HyValue u = {.c = {k % 3 * 0.5}};
  t = k % 2 == 0 && next < way->tf ? next : MIN(MAX(t, hy_sim_time(sim)), next);
  if (way->inputs != NULL && way->inputs->len >= k) {
    t = g_array_index(way->inputs, double, k - 1);
  } else if (way->inputs != NULL) {
    g_array_append_val(way->inputs, t);
  }
  return hy_sim_finished(sim) != NULL || hy_sim_input(sim, t, 0, &u, error);
}

static inline gboolean run_pieces(HySim *sim, const Way *way, GError **error)
{
  for (guint k = 1; way->piece > 0 && way->piece * k < way->tf; k++) {
    if (!run_to(sim, way, way->piece * k, error) || !say_from_outside(sim, way, k, error)) {
      return FALSE;
    }
  }
  return run_to(sim, way, way->tf, error);
}

static inline void set_way(HySim *sim, const Way *way, Hearing *hearing)
{
  hy_sim_set_limit(sim, way->limit > 0 ? way->limit : AGREE_LIMIT);
  hy_sim_set_rows(sim, way->rows);
  hy_sim_set_implicit(sim, !way->learns, !way->stale);
  if (way->watched != NULL) {
    hy_sim_set_trace(sim, &(HyTrace){.user = hearing,
                                     .transition = hear,
                                     .watched = way->watched,
                                     .n_watched = way->n_watched});
  }
}

static inline Said say_all(HyModel *model, const Way *way)
{
  g_autoptr(GError) error = NULL;
  Said said = {.words = g_array_new(FALSE, FALSE, sizeof(Word)), .state = g_string_new(NULL)};
  g_autoptr(HySim) sim = hy_sim_new(model, way->engine, &error);
  if (sim == NULL) {
    said.error = g_strdup(error->message);
    return said;
  }
  Hearing hearing = {way, said.words};
  set_way(sim, way, &hearing);
  gboolean ok = hy_sim_init(sim, 0, &error);
  if (ok && way->twice) {
    hy_sim_run(sim, way->tf / 2, NULL);
    g_array_set_size(said.words, 0);
    ok = hy_sim_init(sim, 0, &error);
  }
  ok = ok && run_pieces(sim, way, &error);
  said.error = ok ? NULL : g_strdup(error->message);
  said.endless = !ok && error->code == HY_ERROR_ILLEGITIMATE;
  if (ok) {
    put_states(said.state, sim, way->tf);
  }
  return said;
}

static inline char *word_text(const HySim *sim, const Said *s, guint k)
{
  if (k >= s->words->len) {
    return g_strdup("nothing");
  }
  const Word *w = &g_array_index(s->words, Word, k);
  g_autofree char *path = hy_sim_path(sim, w->atomic);
  return g_strdup_printf("%s.%d at %.17g: %.17g, %.17g, %.17g, %.17g", path, w->port, w->t.v,
                         w->c[0].v, w->c[1].v, w->c[2].v, w->c[3].v);
}

/* To the last bit: -0 is not 0. */
static inline gboolean is_same_word(const Word *a, const Word *b)
{
  gboolean same = a->atomic == b->atomic && a->port == b->port && a->t.bits == b->t.bits;
  for (guint k = 0; k < 4; k++) {
    same = same && a->c[k].bits == b->c[k].bits;
  }
  return same;
}

static inline double since_when(const char *fault)
{
  static const char since[] = " at t = ";
  const char *at = g_strrstr(fault, since);
  return at != NULL ? g_ascii_strtod(at + strlen(since), NULL) : NAN;
}

/* The fault of a block that was left out because only rows read it is told by a state; where a
 * nonlinear one ends on the way, each finds that by itself. */
static inline gboolean same_fault(const char *block, const char *state)
{
  return block != NULL && state != NULL && strstr(state, ": the state is ") != NULL &&
         fabs(since_when(block) - since_when(state)) <= 1e-9;
}

/* NULL: A and B are the same; else where they part. Where rows are evaluated the fused engine
 * leaves out blocks that only states read, so it comes a little further before cycles at an instant
 * are too many. */
static inline char *difference(HyModel *model, const Said *a, const Said *b)
{
  guint n = MIN(a->words->len, b->words->len), k = 0;
  while (k < n &&
         is_same_word(&g_array_index(a->words, Word, k), &g_array_index(b->words, Word, k))) {
    k++;
  }
  if (a->endless && b->endless && (k == a->words->len || k == b->words->len)) {
    return NULL;
  }
  if (k < a->words->len || k < b->words->len) {
    g_autoptr(HySim) sim = hy_sim_new(model, HY_FLAT, NULL);
    g_autofree char *x = word_text(sim, a, k), *y = word_text(sim, b, k);
    return g_strdup_printf("word %u is\n  %s\n  %s\n(%s; %s)", k, x, y, a->error, b->error);
  }
  if (g_strcmp0(a->error, b->error) != 0 && !same_fault(a->error, b->error)) {
    return g_strdup_printf("the end is\n  %s\n  %s", a->error, b->error);
  }
  g_auto(GStrv) x = g_strsplit(a->state->str, "\n", -1), y = g_strsplit(b->state->str, "\n", -1);
  for (k = 0; x[k] != NULL && y[k] != NULL; k++) {
    if (strcmp(x[k], y[k]) != 0) {
      return g_strdup_printf("states are\n  %s\n  %s", x[k], y[k]);
    }
  }
  return NULL;
}

/* WAY->tf, or an instant before it to which a run takes at most AGREE_STOP cycles. */
static inline double find_end(HyModel *model, const Way *way)
{
  g_autoptr(HySim) sim = hy_sim_new(model, HY_FLAT, NULL);
  Way silent = *way;
  silent.watched = NULL;
  set_way(sim, &silent, NULL);
  gboolean ok = hy_sim_init(sim, 0, NULL), done = TRUE;
  double last = 0;
  guint cycles = 0, k = 1;
  while (ok) {
    gboolean piece = way->piece > 0 && way->piece * k < way->tf;
    double t = hy_sim_time(sim);
    ok = hy_sim_step(sim, piece ? way->piece * k : way->tf, &done, NULL);
    last = hy_sim_time(sim) > t ? t : last;
    if (!done && !piece) {
      return way->tf;
    }
    if (!done) {
      ok = ok && say_from_outside(sim, way, k++, NULL);
    } else if (++cycles == AGREE_STOP) {
      return last;
    }
  }
  return way->tf; /* all fail there */
}

#endif
