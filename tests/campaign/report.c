#include "report.h"

#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RUNS 3 /* of each circuit: the least time counts */

struct Report {
  Setting setting;
  GArray *ratio; /* double: the time of a run by that of CVODE by hand, where both have come to
                    their end */
  int runs, ended, off[2], hand_off[2], gave_way;
  GString *lines; /* of circuits that are off */
};

static const double limits[] = {0.1, 1}; /* percent */

Report *report_new(const Setting *setting)
{
  Report *r = g_new0(Report, 1);
  r->setting = *setting;
  r->setting.counted = TRUE;
  r->ratio = g_array_new(FALSE, FALSE, sizeof(double));
  r->lines = g_string_new(NULL);
  return r;
}

void report_free(Report *r)
{
  if (r == NULL) {
    return;
  }
  g_array_free(r->ratio, TRUE);
  g_string_free(r->lines, TRUE);
  g_free(r);
}

gboolean report_ended(const Report *r)
{
  return r->ended == r->runs;
}

/* The line of WORDS in which KEY stands, from START on (NULL: the whole line); newly allocated.
 * NULL: none has it. */
static char *line_with(const char *words, const char *key, const char *start)
{
  const char *at = strstr(words, key);
  if (at == NULL) {
    return NULL;
  }
  const char *from = start != NULL ? strstr(at, start) : NULL;
  while (from == NULL && at > words && at[-1] != '\n') {
    at--;
  }
  from = from != NULL ? from + strlen(start) : at;
  return g_strndup(from, strcspn(from, "\n"));
}

/* Why the method that was asked for is not the one that has run, as the program says it; or what
 * ended it. */
static char *reason_of(const Verdict *v)
{
  char *place = line_with(v->record.words, " in place of ", "which ");
  if (place != NULL) {
    return place;
  }
  if (v->record.status != 0) {
    char *line = g_strstrip(v->record.words);
    const char *last = strrchr(line, '\n');
    return g_strdup(v->record.status < 0 ? "no end" : last != NULL ? last + 1 : line);
  }
  char *chosen = line_with(v->record.words, "method: ", "method: ");
  if (chosen != NULL) {
    *strchrnul(chosen, ';') = '\0';
    return chosen;
  }
  return g_strdup("");
}

/* What no method solves as it does all else. */
static const char *what_is_special(const Circuit *c)
{
  return circuit_slides(c) ? (c->sines > 0 ? "slides, sines" : "slides")
         : c->sines > 0    ? "sines"
                           : "";
}

static void add_line(Report *r, const Circuit *c, const Verdict *v, const Exact *exact)
{
  g_autofree char *why = reason_of(v);
  g_string_append_printf(r->lines, "| %s | %s | %g | %.3g%% of %s | %.3g%% | %d | %s | %s |\n",
                         c->name, r->setting.method, r->setting.tolerance, v->percent,
                         c->state[v->worst].name, v->by_hand, exact->toggles, what_is_special(c),
                         why);
}

static void count(Report *r, const Verdict *v)
{
  r->runs++;
  r->ended += v->record.status == 0;
  r->gave_way += strstr(v->record.words, " in place of ") != NULL;
  for (guint k = 0; k < G_N_ELEMENTS(limits); k++) {
    r->off[k] += v->percent > limits[k];
    r->hand_off[k] += v->by_hand > limits[k];
  }
}

void report_add(Report *r, const Circuit *c, const Exact *exact)
{
  double mine = INFINITY, its = INFINITY;
  for (int k = 0; k < RUNS; k++) {
    Verdict v;
    if (!judge(&v, c, exact, &r->setting, (Asked){.by_hand = TRUE})) {
      fputs("campaign: no model could be written\n", stderr);
      return;
    }
    mine = fmin(mine, v.record.seconds);
    its = isfinite(v.by_hand) ? fmin(its, v.hand_seconds) : its;
    if (k == 0) {
      count(r, &v);
      if (v.percent > limits[0]) {
        add_line(r, c, &v, exact);
      }
    }
    gboolean ended = v.record.status == 0;
    recording_clear(&v.record);
    if (!ended || !(its < 1)) { /* once is enough */
      break;
    }
  }
  double ratio = mine / its;
  if (isfinite(ratio)) {
    g_array_append_val(r->ratio, ratio);
  }
}

static gint by_size(gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void report_head(void)
{
  printf("| method | tolerance | circuits | ended | in the place of another | off > 0.1 %% | > 1 "
         "%% | by hand > 0.1 %% | > 1 %% | "
         "median time / by hand | quarter below | quarter above |\n"
         "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
}

void report_row(const Report *r)
{
  const double *ratio = (const double *)(gconstpointer)r->ratio->data;
  guint n = r->ratio->len;
  g_array_sort(r->ratio, by_size);
  printf("| %s | %g | %d | %d | %d | %d | %d | %d | %d |", r->setting.method, r->setting.tolerance,
         r->runs, r->ended, r->gave_way, r->off[0], r->off[1], r->hand_off[0], r->hand_off[1]);
  for (guint k = 0; k < 3; k++) {
    static const double parts[] = {0.5, 0.25, 0.75};
    if (n > 0) {
      printf(" 1/%.3g |", 1 / ratio[(guint)(parts[k] * (n - 1))]);
    } else {
      printf(" - |");
    }
  }
  printf("\n");
}

void report_off(const Report *r)
{
  fputs(r->lines->str, stdout);
}
