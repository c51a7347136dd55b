/* For tests: a source of given pieces, a model of one block fed by such sources, and what the block
 * says, on both engines. */
#ifndef HYDEVS_TESTS_PIECES_H
#define HYDEVS_TESTS_PIECES_H

#include "hydevs/hydevs.h"

#include <string.h>
#include <unity.h>

#define NOT_A_NUMBER 1e300 /* in data, where NaN is not legal */

/* data: t, c0, c1, c2, c3 of each piece. */
typedef struct {
  HyReals data;
  double order;
  guint k;
} Pieces;

static double pieces_next(const void *state)
{
  const Pieces *s = state;
  return 5 * s->k < s->data.n ? s->data.v[(gsize)5 * s->k] : INFINITY;
}

static HyEvent pieces_lambda(const void *state, double t)
{
  (void)t;
  const Pieces *s = state;
  const double *p = s->data.v + (gsize)5 * s->k;
  HyEvent y = {.port = 0};
  for (guint k = 0; k < (guint)s->order; k++) {
    y.value.c[k] = p[k + 1] == NOT_A_NUMBER ? NAN : p[k + 1];
  }
  return y;
}

static void pieces_dint(void *state, double t)
{
  (void)t;
  ((Pieces *)state)->k++;
}

static guint pieces_order(const void *state)
{
  return (guint)((const Pieces *)state)->order;
}

static const HyPort pieces_out[] = {{.name = "out", .kind = HY_SIGNAL}, {.name = NULL}};
static const HyParam pieces_params[] = {
    {.name = "data", .kind = HY_REALS, .offset = G_STRUCT_OFFSET(Pieces, data)},
    {.name = "order", .kind = HY_REAL, .offset = G_STRUCT_OFFSET(Pieces, order), .value = 4},
    {.name = NULL}};
static const HyAtomicClass pieces_class = {.name = "pieces",
                                           .out = pieces_out,
                                           .params = pieces_params,
                                           .state_size = sizeof(Pieces),
                                           .next = pieces_next,
                                           .lambda = pieces_lambda,
                                           .dint = pieces_dint,
                                           .order = pieces_order};

/* What a block says. */
typedef struct {
  double t;
  gint port;
  double c[4];
} Word;

typedef struct {
  guint atomic;
  GArray *words;
} Ear;

static inline void ear_hear(gpointer user, const HyTransition *x)
{
  Ear *ear = user;
  if (x->atomic == ear->atomic && x->kind == HY_LAMBDA && x->event->port >= 0) {
    Word w;
    memset(&w, 0, sizeof w); /* words are compared as bytes */
    w.t = x->t;
    w.port = x->event->port;
    memcpy(w.c, x->event->value.c, sizeof w.c);
    g_array_append_val(ear->words, w);
  }
}

/* The block "B" of CLASS with parameters (name, text, ..., NULL) and one source for each of its N
 * inputs; PIECES[k] has N_PIECES[k] of five numbers. A NULL leaves input k to the caller. */
typedef struct {
  const char *klass;
  guint n, order;
  const double *pieces[8];
  guint n_pieces[8];
  const char *params[8];
} Bench;

static inline HyModel *bench_model(const Bench *bench)
{
  HyModel *m = hy_model_new("M");
  const HyAtomicClass *klass = hy_class_find(bench->klass);
  TEST_ASSERT_NOT_NULL_MESSAGE(klass, bench->klass);
  guint block = hy_model_add(m, "B", klass);
  g_autoptr(GError) error = NULL;
  gboolean ok = TRUE;
  gboolean array = klass->in[0].array;
  if (array) {
    hy_model_set_array(m, block, bench->n, 0);
  }
  for (guint k = 0; bench->params[k] != NULL; k += 2) {
    ok = ok && hy_model_set(m, block, bench->params[k], bench->params[k + 1], &error);
  }
  for (guint k = 0; k < bench->n; k++) {
    if (bench->pieces[k] == NULL) {
      continue;
    }
    char name[8];
    g_snprintf(name, sizeof name, "u%u", k + 1);
    guint source = hy_model_add(m, name, &pieces_class);
    ok = ok &&
         hy_model_set_reals(m, source, "data", bench->pieces[k], 5 * bench->n_pieces[k], &error);
    ok = ok && hy_model_set_real(m, source, "order", bench->order != 0 ? bench->order : 4, &error);
    ok = ok && hy_model_connect(m, source, 0, block, k, &error);
  }
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  return m;
}

/* The words of "B" up to TF, the same on both engines. The model is freed. NULL: ERROR is set. */
static inline GArray *words_of(HyModel *m, double tf, GError **error)
{
  static const HyEngine engines[] = {HY_TREE, HY_FLAT};
  GArray *words[2] = {NULL, NULL};
  gboolean ok = TRUE;
  for (guint i = 0; i < 2; i++) {
    g_autoptr(GError) why = NULL;
    g_autoptr(HySim) sim = hy_sim_new(m, engines[i], &why);
    Ear ear = {.words = g_array_new(FALSE, FALSE, sizeof(Word))};
    words[i] = ear.words;
    ok = sim != NULL && hy_sim_find(sim, "B", &ear.atomic);
    if (ok) {
      hy_sim_set_trace(sim, &(HyTrace){.user = &ear, .transition = ear_hear});
      hy_sim_set_limit(sim, 10000);
      ok = hy_sim_init(sim, -1.0, &why) && hy_sim_run(sim, tf, &why);
    }
    if (!ok && i == 1) {
      g_propagate_error(error, g_steal_pointer(&why));
    }
  }
  TEST_ASSERT_EQUAL(words[0]->len, words[1]->len);
  if (words[0]->len > 0) {
    TEST_ASSERT_EQUAL_MEMORY(words[0]->data, words[1]->data, words[0]->len * sizeof(Word));
  }
  g_array_unref(words[0]);
  hy_model_free(m);
  if (!ok) {
    g_clear_pointer(&words[1], g_array_unref);
  }
  return words[1];
}

/* The same where it cannot fail. */
static inline GArray *bench_words(const Bench *bench, double tf)
{
  g_autoptr(GError) error = NULL;
  GArray *words = words_of(bench_model(bench), tf, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(words, error != NULL ? error->message : "");
  return words;
}

static inline void bench_fails(const Bench *bench, double tf, const char *message)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) words = words_of(bench_model(bench), tf, &error);
  TEST_ASSERT_NULL_MESSAGE(words, message);
  TEST_ASSERT_EQUAL_STRING(message, error->message);
}

/* Word K is the polynomial C at T, to 1e-9. */
static inline void check_word(const GArray *words, guint k, double t, double c0, double c1,
                              double c2, double c3)
{
  TEST_ASSERT_LESS_THAN(words->len, k);
  const Word *w = &g_array_index(words, Word, k);
  const double c[] = {c0, c1, c2, c3};
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, t, w->t);
  for (guint i = 0; i < 4; i++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, c[i], w->c[i]);
  }
}

#endif
