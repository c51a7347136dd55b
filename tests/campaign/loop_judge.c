#include "loop_judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

char *loop_right_values(const Loop *l, const Truth *t)
{
  GString *out = g_string_new(NULL);
  if (t->kind != TRUTH_OK) {
    g_string_append_printf(out, "NO TRUTH: %s", truth_words(t->kind));
    return g_string_free(out, FALSE);
  }
  g_string_append(out, "RIGHT at the stop:");
  for (int k = 0; k < l->states; k++) {
    g_string_append_printf(out, "%s %s = %.12g (peak %.4g)", k > 0 ? "," : "",
                           loop_state(l, k)->name, t->x[LOOP_SAMPLES - 1][k], t->peak[k]);
  }
  return g_string_free(out, FALSE);
}

static double error_of(const Loop *l, const Truth *t, const double *x, int *worst)
{
  double most = -1;
  for (int i = 0; i < l->states; i++) {
    double off = 0;
    for (int k = 0; k < LOOP_SAMPLES; k++) {
      double v = x[k * l->states + i];
      off = isfinite(v) ? fmax(off, fabs(v - t->x[k][i])) : INFINITY;
    }
    off = t->peak[i] > 0 ? off / t->peak[i] : off;
    if (off > most) {
      most = off;
      *worst = i;
    }
  }
  return most;
}

static char *last_line(char *words)
{
  g_strstrip(words);
  const char *last = strrchr(words, '\n');
  return g_strdup(last != NULL ? last + 1 : words);
}

static gboolean same_on(const char *engine, const Recording *r, const char *xml, const Loop *l,
                        const Setting *s)
{
  Setting other = *s;
  Recording o;
  other.engine = engine;
  if (!recording_of(&o, xml, l->states, l->stop, &other)) {
    return FALSE;
  }
  gboolean same = o.status == r->status && o.n_bytes == r->n_bytes &&
                  memcmp(o.bytes, r->bytes, r->n_bytes) == 0;
  recording_clear(&o);
  return same;
}

gboolean loop_judge(LoopVerdict *v, const Loop *l, const Truth *t, const Setting *s,
                    guint64 engines)
{
  G_STATIC_ASSERT(LOOP_SAMPLES == SAMPLES);
  g_autofree char *xml = loop_xml(l, NULL);
  Recording r;
  *v = (LoopVerdict){.seed = l->seed, .control = l->control};
  if (!recording_of(&r, xml, l->states, l->stop, s)) {
    return FALSE;
  }
  v->status = r.status;
  v->breach = r.breach;
  v->events = r.events;
  v->seconds = r.seconds;
  v->toggles = t->toggles;
  v->growth = t->growth;
  v->error = r.status == 0 ? error_of(l, t, r.x, &v->worst) : INFINITY;
  v->same = r.status < 0 || r.events >= engines ||
            (same_on("tree", &r, xml, l, s) && same_on("flat", &r, xml, l, s));
  v->words = last_line(r.words);
  v->right = loop_right_values(l, t);
  g_autofree char *off = g_strdup_printf(". By %s status %d, off by %.3g of the peak of %s",
                                         s->method != NULL ? s->method : "default", v->status,
                                         v->error, loop_state(l, v->worst)->name);
  v->right = g_strconcat(g_steal_pointer(&v->right), off, NULL);
  recording_clear(&r);
  return TRUE;
}

void loop_verdict_clear(LoopVerdict *v)
{
  g_free(v->words);
  g_free(v->right);
}

static int by_number(gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void loop_errors(GArray *verdicts, const char *control, int *n, double *median, double *worst)
{
  GArray *errors = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint k = 0; k < verdicts->len; k++) {
    const LoopVerdict *v = &g_array_index(verdicts, LoopVerdict, k);
    if (control == NULL || v->control == control) {
      g_array_append_val(errors, v->error);
    }
  }
  g_array_sort(errors, by_number);
  *n = (int)errors->len;
  *median = *n > 0 ? g_array_index(errors, double, errors->len / 2) : 0;
  *worst = *n > 0 ? g_array_index(errors, double, errors->len - 1) : 0;
  g_array_free(errors, TRUE);
}

static void print_row(GArray *verdicts, const char *control)
{
  int n = 0, off = 0, fails = 0, breaches = 0;
  double median = 0, worst = 0, seconds = 0, right = 0;
  guint64 events = 0;
  loop_errors(verdicts, control, &n, &median, &worst);
  for (guint k = 0; k < verdicts->len; k++) {
    const LoopVerdict *v = &g_array_index(verdicts, LoopVerdict, k);
    if (control == NULL || v->control == control) {
      events += v->events;
      off += v->status == 0 && v->error > 0.01;
      fails += v->status != 0;
      breaches += v->breach;
      seconds += isfinite(v->seconds) ? v->seconds : 0;
      right = v->status == 0 ? fmax(right, v->error) : right;
    }
  }
  printf("%-26s %4d %10.2g %5d %7d %7d %10.2g %12" G_GUINT64_FORMAT " %8.2f\n",
         control != NULL ? control : "all", n, median, off, breaches, fails, right, events,
         seconds);
}

void loop_table(GArray *verdicts, const int *left_out)
{
  GPtrArray *seen = g_ptr_array_new();
  printf("\n%-26s %4s %10s %5s %7s %7s %10s %12s %8s\n", "control", "n", "median", "> 1 %",
         "breach", "not end", "worst", "events", "CPU s");
  for (guint k = 0; k < verdicts->len; k++) {
    const char *control = g_array_index(verdicts, LoopVerdict, k).control;
    if (!g_ptr_array_find(seen, control, NULL)) {
      g_ptr_array_add(seen, (gpointer)control);
      print_row(verdicts, control);
    }
  }
  print_row(verdicts, NULL);
  for (int k = TRUTH_OK + 1; k < TRUTH_KINDS; k++) {
    if (left_out[k] > 0) {
      printf("left out: %d, %s\n", left_out[k], truth_words((TruthKind)k));
    }
  }
  g_ptr_array_free(seen, TRUE);
}
