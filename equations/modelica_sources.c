/* Sources as Modelica. What a source says is known from the run: its words, each a polynomial in
 * the time since. One word for ever is a parameter or a polynomial, a sine is a formula. Words that
 * come again, each a period T after itself, at least twice, are events that come again:
 *
 *   when sample(2e-5, 1e-4) then s = 1; elsewhen sample(7e-5, 1e-4) then s = 0; end when;
 *
 * (MicroModelica: when time > s_next1 then s := 1; s_next1 := s_next1 + T; end when). Others are a
 * table, in MicroModelica an event for each. */
#include "modelica_internal.h"

#include <float.h>
#include <math.h>

#define PERIOD_MOST  4096U /* words of a period that is looked for */
#define EVENTS_MOST  1000U /* of one source in MicroModelica */
#define SAMPLES_MOST 8U    /* of one source; what has more is a table */

/* A source being written. */
typedef struct {
  HyModelica *w;
  const char *name, *path;
  const HyWord *word; /* what it says, each at another instant */
  guint n;
  guint again; /* words of a period; 0: they do not come again */
  double period;
  guint terms; /* coefficients that are not all 0, at least 1 */
} Source;

static char *with(const Source *s, const char *what)
{
  g_autofree char *path = g_strdup_printf("%s_%s", s->name, what);
  return g_strdup(hy_modelica_claim(s->w, path));
}

/* Words ---------------------------------------------------------------------------------------- */

static gboolean says_the_same(const HyWord *a, const HyWord *b)
{
  return a->c[0] == b->c[0] && a->c[1] == b->c[1] && a->c[2] == b->c[2] && a->c[3] == b->c[3];
}

/* Those of SLOT from the start on; of several at one instant the last. */
static GArray *words_of(const HyStandalone *with, guint32 slot)
{
  GArray *out = g_array_new(FALSE, FALSE, sizeof(HyWord));
  for (guint k = 0; k < with->words->len; k++) {
    const HyWord *word = &g_array_index(with->words, HyWord, k);
    const HyWord *last = out->len > 0 ? &g_array_index(out, HyWord, out->len - 1) : NULL;
    if (word->slot != slot) {
      continue;
    }
    if (last != NULL && (last->t == word->t || word->t <= with->t0)) {
      g_array_set_size(out, out->len - 1);
    } else if (last != NULL && word->c[1] == 0.0 && word->c[2] == 0.0 && word->c[3] == 0.0 &&
               says_the_same(last, word)) {
      continue; /* the same number again */
    }
    g_array_append_vals(out, word, 1);
  }
  return out;
}

/* Whether word k + P says what word k says, a constant time later, for all but the first. */
static gboolean comes_again(const Source *s, guint p, double *period)
{
  guint times = (s->n - 2) / p;
  double T = (s->word[1 + times * p].t - s->word[1].t) / times;
  for (guint k = 1; k + p < s->n; k++) {
    const HyWord *a = &s->word[k], *b = &s->word[k + p];
    if (!says_the_same(a, b) || fabs(b->t - a->t - T) > 8.0 * DBL_EPSILON * fabs(b->t)) {
      return FALSE;
    }
  }
  *period = T;
  return TRUE;
}

static void look_at(Source *s)
{
  for (guint k = 0; k < s->n; k++) {
    for (guint i = 1; i < 4; i++) {
      s->terms = s->word[k].c[i] != 0.0 ? MAX(s->terms, i + 1) : s->terms;
    }
  }
  for (guint p = 1; p <= PERIOD_MOST && s->again == 0 && 2 * p + 1 < s->n; p++) {
    s->again = comes_again(s, p, &s->period) ? p : 0;
  }
}

/* Text ----------------------------------------------------------------------------------------- */

/* An instant that is K T + a rounding error in the run is written without that error. */
static void put_time(GString *out, double t)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  double round = g_ascii_strtod(g_ascii_formatd(text, sizeof text, "%.14e", t), NULL);
  hy_modelica_number(out, fabs(round - t) <= 4.0 * DBL_EPSILON * fabs(t) ? round : t);
}

/* c0 + (time - t) * (c1 + (time - t) * c2), the coefficients as NAME says. */
static void put_polynomial(const Source *s, char *const *coefficient, const char *since,
                           GString *out)
{
  for (guint k = 0; k < s->terms; k++) {
    g_string_append(out, coefficient[k]);
    if (k + 1 < s->terms) {
      g_string_append_printf(out, " + (time - %s) * %s", since, k + 2 < s->terms ? "(" : "");
    }
  }
  for (guint k = 2; k < s->terms; k++) {
    g_string_append_c(out, ')');
  }
}

static char *number_text(double v)
{
  GString *text = g_string_new(v < 0.0 ? "(" : NULL);
  hy_modelica_number(text, v);
  return g_string_free(g_string_append(text, v < 0.0 ? ")" : ""), FALSE);
}

static void declare(const Source *s, const char *type, const char *start)
{
  g_autofree char *path = g_strescape(s->path, NULL);
  g_string_append_printf(s->w->declared, "  %s %s%s \"%s\";\n", type, s->name, start, path);
}

/* One word for ever. */
static void put_constant(const Source *s)
{
  g_autofree char *value = number_text(s->word[0].c[0]);
  g_autofree char *start = g_strdup_printf(" = %s", value);
  declare(s, "parameter Real", start);
}

static void put_one(const Source *s)
{
  char *coefficient[4] = {NULL};
  g_autofree char *since = number_text(s->word[0].t);
  declare(s, "Real", "");
  g_string_append_printf(s->w->equations, "  %s = ", s->name);
  for (guint k = 0; k < s->terms; k++) {
    coefficient[k] = number_text(s->word[0].c[k]);
  }
  put_polynomial(s, coefficient, since, s->w->equations);
  g_string_append(s->w->equations, ";\n");
  for (guint k = 0; k < s->terms; k++) {
    g_free(coefficient[k]);
  }
}

static void put_sine(const Source *s, const HySine *sine)
{
  GString *out = s->w->equations;
  g_autofree char *amplitude = number_text(sine->amplitude);
  g_autofree char *frequency = number_text(sine->frequency);
  g_autofree char *phase = number_text(sine->phase);
  g_autofree char *offset = number_text(sine->offset);
  declare(s, "Real", "");
  g_string_append_printf(out, "  %s = %s + %s * sin(6.283185307179586 * %s * time + %s);\n",
                         s->name, offset, amplitude, frequency, phase);
}

/* Variables that hold a word ------------------------------------------------------------------- */

/* What events set: the value itself, or coefficients and the time since which they hold. */
typedef struct {
  char *coefficient[4], *since;
} Held;

static void declare_held(const Source *s, const char *name, double start)
{
  HyModelica *w = s->w;
  g_string_append_printf(w->declared, "  discrete Real %s", name);
  if (w->micro) {
    g_string_append_printf(w->initial, "  %s := ", name);
    hy_modelica_number(w->initial, start);
    g_string_append(w->initial, ";\n");
  } else {
    g_string_append(w->declared, "(start = ");
    hy_modelica_number(w->declared, start);
    g_string_append(w->declared, ", fixed = true)");
  }
}

static void hold(const Source *s, Held *h)
{
  HyModelica *w = s->w;
  if (s->terms == 1) {
    g_autofree char *path = g_strescape(s->path, NULL);
    h->coefficient[0] = g_strdup(s->name);
    declare_held(s, s->name, s->word[0].c[0]);
    g_string_append_printf(w->declared, " \"%s\";\n", path);
    return;
  }
  declare(s, "Real", "");
  h->since = with(s, "since");
  declare_held(s, h->since, s->word[0].t);
  g_string_append(w->declared, ";\n");
  for (guint k = 0; k < s->terms; k++) {
    const char *const name[] = {"c0", "c1", "c2", "c3"};
    h->coefficient[k] = with(s, name[k]);
    declare_held(s, h->coefficient[k], s->word[0].c[k]);
    g_string_append(w->declared, ";\n");
  }
  g_string_append_printf(w->equations, "  %s = ", s->name);
  put_polynomial(s, h->coefficient, h->since, w->equations);
  g_string_append(w->equations, ";\n");
}

static void drop(Held *h)
{
  for (guint k = 0; k < G_N_ELEMENTS(h->coefficient); k++) {
    g_free(h->coefficient[k]);
  }
  g_free(h->since);
}

/* What happens when WORD is said. */
static void put_saying(const Source *s, const Held *h, const HyWord *word, GString *out)
{
  const char *sign = s->w->micro ? ":=" : "=";
  for (guint k = 0; k < s->terms; k++) {
    g_string_append_printf(out, "    %s %s ", h->coefficient[k], sign);
    hy_modelica_number(out, word->c[k]);
    g_string_append(out, ";\n");
  }
  if (h->since != NULL) {
    g_string_append_printf(out, "    %s %s time;\n", h->since, sign);
  }
}

/* Events --------------------------------------------------------------------------------------- */

static void put_samples(const Source *s)
{
  Held h = {{NULL}, NULL};
  GString *out = s->w->equations;
  hold(s, &h);
  for (guint k = 1; k <= s->again; k++) {
    g_string_append(out, k == 1 ? "  when sample(" : "  elsewhen sample(");
    put_time(out, s->word[k].t);
    g_string_append(out, ", ");
    put_time(out, s->period);
    g_string_append(out, ") then\n");
    put_saying(s, &h, &s->word[k], out);
  }
  g_string_append(out, "  end when;\n");
  drop(&h);
}

static void put_micro_events(const Source *s)
{
  Held h = {{NULL}, NULL};
  HyModelica *w = s->w;
  hold(s, &h);
  for (guint k = 1; k < (s->again > 0 ? s->again + 1 : s->n); k++) {
    g_autofree char *what = g_strdup_printf("next%u", k);
    g_autofree char *next = s->again > 0 ? with(s, what) : NULL;
    g_string_append(w->events, "  when time > ");
    if (next != NULL) {
      declare_held(s, next, s->word[k].t);
      g_string_append(w->declared, ";\n");
      g_string_append(w->events, next);
    } else {
      put_time(w->events, s->word[k].t);
    }
    g_string_append(w->events, " then\n");
    put_saying(s, &h, &s->word[k], w->events);
    if (next != NULL) {
      g_string_append_printf(w->events, "    %s := %s + ", next, next);
      put_time(w->events, s->period);
      g_string_append(w->events, ";\n");
    }
    g_string_append(w->events, "  end when;\n");
  }
  drop(&h);
}

/* "{1, 2, 3}": coefficient WHICH of words 1 .. N. */
static void put_list(const Source *s, guint n, guint which, const char *name)
{
  GString *out = s->w->declared;
  g_string_append_printf(out, "  parameter Real %s[%u] = {", name, n);
  for (guint k = 1; k <= n; k++) {
    g_string_append(out, k == 1 ? "" : k % 8 == 1 ? ",\n    " : ", ");
    hy_modelica_number(out, s->word[k].c[which]);
  }
  g_string_append(out, "};\n");
}

/* When words 1 .. N are said, and then: the first one again, or never. */
static void put_instants(const Source *s, guint n, const char *name)
{
  GString *out = s->w->declared;
  g_string_append_printf(out, "  parameter Real %s[%u] = {", name, n + 1);
  for (guint k = 1; k <= n; k++) {
    put_time(out, s->word[k].t);
    g_string_append(out, k % 8 == 0 ? ",\n    " : ", ");
  }
  if (s->again > 0) {
    put_time(out, s->word[1].t + s->period);
  } else {
    g_string_append(out, "1e300");
  }
  g_string_append(out, "};\n");
}

static void declare_count(const Source *s, const char *name)
{
  g_string_append_printf(s->w->declared, "  Integer %s(start = 0, fixed = true);\n", name);
}

/* An event at s_next; s_k is the word that is said then, s_turn how often all have been said. */
static void put_table(const Source *s)
{
  GString *out = s->w->equations;
  Held h = {{NULL}, NULL};
  guint n = s->again > 0 ? s->again : s->n - 1;
  g_autofree char *at = with(s, "at"), *k = with(s, "k"), *next = with(s, "next");
  g_autofree char *turn = s->again > 0 ? with(s, "turn") : NULL;
  hold(s, &h);
  put_instants(s, n, at);
  declare_count(s, k);
  declare_held(s, next, s->word[1].t);
  g_string_append(s->w->declared, ";\n");
  g_string_append_printf(out, "  when time >= pre(%s) then\n", next);
  if (turn == NULL) {
    g_string_append_printf(out, "    %s = pre(%s) + 1;\n    %s = %s[%s + 1];\n", k, k, next, at, k);
  } else {
    declare_count(s, turn);
    g_string_append_printf(out,
                           "    %s = if pre(%s) < %u then pre(%s) + 1 else 1;\n"
                           "    %s = if pre(%s) < %u then pre(%s) else pre(%s) + 1;\n"
                           "    %s = %s[%s + 1] + %s * ",
                           k, k, n, k, turn, k, n, turn, turn, next, at, k, turn);
    put_time(out, s->period);
    g_string_append(out, ";\n");
  }
  for (guint i = 0; i < s->terms; i++) {
    g_autofree char *what = g_strdup_printf("to%u", i);
    g_autofree char *to = with(s, what);
    put_list(s, n, i, to);
    g_string_append_printf(out, "    %s = %s[%s];\n", h.coefficient[i], to, k);
  }
  if (h.since != NULL) {
    g_string_append_printf(out, "    %s = time;\n", h.since);
  }
  g_string_append(out, "  end when;\n");
  drop(&h);
}

/* --------------------------------------------------------------------------------------------- */

static gboolean put_source(const Source *s, guint atomic, GError **error)
{
  const HyModelica *w = s->w;
  guint events = s->again > 0 ? s->again : s->n - 1;
  if (w->micro && events > EVENTS_MOST) {
    return hy_standalone_refuse(
        &w->m, atomic,
        "it says more than 1000 words that do not come again, and MicroModelica has no tables; "
        "say an earlier end with -t, or take --modelica",
        error);
  }
  if (s->n == 1 && s->terms == 1) {
    put_constant(s);
  } else if (s->n == 1) {
    put_one(s);
  } else if (w->micro) {
    put_micro_events(s);
  } else if (s->again > 0 && s->again <= SAMPLES_MOST) {
    put_samples(s);
  } else {
    put_table(s);
  }
  return TRUE;
}

/* The elements of an array are what their sources say. */
static void put_array(HyModelica *w, const HyModelicaName *name, const char *source)
{
  g_string_append(w->equations, "  ");
  hy_modelica_put_name(w->equations, *name);
  g_string_append_printf(w->equations, " = %s;\n", source);
}

static gboolean source_of(HyModelica *w, guint k, const char *path, GError **error)
{
  const HyModelicaName *name = &w->value[w->m.n + k];
  guint32 slot = hy_nth(w->m.source, k);
  HySine sine = {.frequency = 0.0};
  g_autoptr(GArray) words = words_of(w->m.with, slot);
  Source s = {.w = w,
              .name = name->index > 0 ? hy_modelica_claim(w, path) : name->base,
              .path = path,
              .word = (const HyWord *)(gconstpointer)words->data,
              .n = words->len,
              .terms = 1};
  guint atomic = w->m.room->diagram.flat->owner[slot];
  if (hy_standalone_sine(w->m.room, slot, &sine)) {
    put_sine(&s, &sine);
    w->at_start[w->m.n + k] =
        sine.offset +
        sine.amplitude * sin(2.0 * G_PI * sine.frequency * w->m.with->t0 + sine.phase);
  } else if (s.n == 0 || s.word[0].t > w->m.with->t0) {
    return hy_standalone_refuse(&w->m, atomic, HY_STANDALONE_SILENT, error);
  } else {
    look_at(&s);
    w->at_start[w->m.n + k] = s.word[0].c[0];
    if (!put_source(&s, atomic, error)) {
      return FALSE;
    }
  }
  if (name->index > 0) {
    put_array(w, name, s.name);
  }
  return TRUE;
}

gboolean hy_modelica_sources(HyModelica *w, char *const *path, GError **error)
{
  guint n = w->m.source->len;
  const HyModelicaName *name = &w->value[w->m.n];
  for (guint k = 0; k < n; k++) {
    if (!source_of(w, k, path[k], error)) {
      return FALSE;
    }
  }
  /* arrays alone: the others are declared by what they are */
  g_autofree HyModelicaName *array = g_new(HyModelicaName, n + 1);
  g_autofree char **of = g_new(char *, n + 1);
  guint arrays = 0;
  for (guint k = 0; k < n; k++) {
    if (name[k].index > 0) {
      array[arrays] = name[k];
      of[arrays++] = path[k];
    }
  }
  hy_modelica_declare(w, "Real", array, of, arrays, NULL);
  return TRUE;
}
