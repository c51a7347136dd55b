/* How far a run has come, for people who wait and programs that watch. */
#include "cli.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted; /* by which signal; all that a handler may write */

static void on_interrupt(int signal)
{
  interrupted = signal;
}

/* Seconds to go at the pace so far; NaN: not known. */
static double time_to_go(const CliProgress *p, double t, double seconds)
{
  double part = (t - p->t0) / (p->tf - p->t0);
  return isfinite(part) && part > 0 && part <= 1 ? seconds * (1 - part) / part : NAN;
}

static void show(const CliProgress *p, double t, guint64 cycles, double seconds)
{
  char time[HY_DOUBLE_SIZE], rate[HY_DOUBLE_SIZE], eta[HY_DOUBLE_SIZE];
  double left = time_to_go(p, t, seconds);
  g_ascii_formatd(time, sizeof time, "%.6g", t);
  g_ascii_formatd(rate, sizeof rate, "%.3g", (double)cycles / seconds);
  g_ascii_formatd(eta, sizeof eta, "%.0f", left);
  if (p->kind == CLI_PROGRESS_JSON) {
    fprintf(stderr,
            "{\"t\":%s,\"cycles\":%" G_GUINT64_FORMAT ",\"events_per_s\":%s,\"eta_s\":%s}\n",
            hy_double_text(time, t), cycles, rate, isnan(left) ? "null" : eta);
  } else if (isnan(left)) {
    fprintf(stderr, "\r\033[Kt = %s  %s events/s", time, rate);
  } else {
    fprintf(stderr, "\r\033[Kt = %s  %s events/s  %.0f %%  %s s to go", time, rate,
            100 * (t - p->t0) / (p->tf - p->t0), eta);
  }
  fflush(stderr);
}

static gboolean progress(gpointer user, double t, guint64 cycles)
{
  CliProgress *p = user;
  gint64 now = g_get_monotonic_time();
  if (p->run != NULL && now - p->flushed > G_USEC_PER_SEC / 2) {
    p->flushed = now;
    hy_run_flush(p->run);
  }
  if (p->kind != CLI_PROGRESS_NONE && now - p->start > G_USEC_PER_SEC &&
      now - p->shown > G_USEC_PER_SEC / 5) {
    p->shown = now;
    show(p, t, cycles, (double)(now - p->start) / G_USEC_PER_SEC);
  }
  return !interrupted && !ferror(stdout) && (p->run == NULL || !hy_run_broken(p->run));
}

/* A search knows how far its stage is, not how many stages there will be. */
static void show_stage(const CliProgress *p, const HySteadyStage *at, double seconds)
{
  gboolean known = at->part > 0.0 && at->part <= 1.0;
  double left = seconds * (1.0 - at->part) / at->part;
  char number[16], eta[HY_DOUBLE_SIZE], residual[HY_DOUBLE_SIZE], part[HY_DOUBLE_SIZE];
  g_snprintf(number, sizeof number, " %u", at->number);
  number[0] = at->number > 0 ? ' ' : '\0';
  g_ascii_formatd(eta, sizeof eta, "%.0f", left);
  g_ascii_formatd(part, sizeof part, "%.4g", at->part);
  g_ascii_formatd(residual, sizeof residual, "%.2g", at->residual);
  if (p->kind == CLI_PROGRESS_JSON) {
    fprintf(stderr,
            "{\"stage\":\"%s\",\"number\":%u,\"part\":%s,\"events\":%" G_GUINT64_FORMAT
            ",\"residual\":%s,\"eta_s\":%s}\n",
            at->what, at->number, part, at->events, isnan(at->residual) ? "null" : residual,
            known ? eta : "null");
  } else {
    fprintf(stderr, "\r\033[K%s%s  %.0f %%%s%s%s%s%s", at->what, number, 100 * at->part,
            known ? "  " : "", known ? eta : "", known ? " s to go" : "",
            isnan(at->residual) ? "" : "  last change ", isnan(at->residual) ? "" : residual);
  }
  fflush(stderr);
}

static gboolean on_stage(gpointer user, const HySteadyStage *at)
{
  CliProgress *p = user;
  gint64 now = g_get_monotonic_time();
  if (at->what != p->stage.what || at->number != p->stage.number) {
    p->stage.what = at->what;
    p->stage.number = at->number;
    p->stage.start = now;
  }
  if (p->kind != CLI_PROGRESS_NONE && now - p->start > G_USEC_PER_SEC &&
      now - p->shown > G_USEC_PER_SEC / 5) {
    p->shown = now;
    show_stage(p, at, (double)(now - p->stage.start) / G_USEC_PER_SEC);
  }
  return !interrupted;
}

static void show_sweep(const CliProgress *p, const HySweepTotals *t, double seconds)
{
  char rate[HY_DOUBLE_SIZE], eta[HY_DOUBLE_SIZE];
  double pace = (double)(t->done - t->restored) / seconds;
  gboolean known = pace > 0.0;
  g_ascii_formatd(rate, sizeof rate, "%.3g", pace);
  g_ascii_formatd(eta, sizeof eta, "%.0f", (double)(t->n - t->done) / pace);
  if (p->kind == CLI_PROGRESS_JSON) {
    fprintf(stderr,
            "{\"runs\":%" G_GUINT64_FORMAT ",\"of\":%" G_GUINT64_FORMAT
            ",\"failed\":%" G_GUINT64_FORMAT ",\"runs_per_s\":%s,\"eta_s\":%s}\n",
            t->done, t->n, t->failed, rate, known ? eta : "null");
  } else {
    fprintf(stderr,
            "\r\033[K%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " runs  %" G_GUINT64_FORMAT
            " failed  %s runs/s%s%s%s",
            t->done, t->n, t->failed, rate, known ? "  " : "", known ? eta : "",
            known ? " s to go" : "");
  }
  fflush(stderr);
}

static gboolean on_runs(gpointer user, const HySweepTotals *t)
{
  CliProgress *p = user;
  gint64 now = g_get_monotonic_time();
  if (p->kind != CLI_PROGRESS_NONE && now - p->start > G_USEC_PER_SEC &&
      now - p->shown > G_USEC_PER_SEC / 5) {
    p->shown = now;
    show_sweep(p, t, (double)(now - p->start) / G_USEC_PER_SEC);
  }
  return !interrupted;
}

static void begin(CliProgress *p)
{
  p->start = g_get_monotonic_time();
  p->shown = 0;
  if (p->kind == CLI_PROGRESS_AUTO && isatty(STDERR_FILENO) != 1) {
    p->kind = CLI_PROGRESS_NONE;
  }
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}, old;
  for (gsize k = 0; k < G_N_ELEMENTS(ends); k++) {
    if (sigaction(ends[k], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
      sigaction(ends[k], &action, NULL); /* a second one kills */
    }
  }
}

void cli_progress_start(CliProgress *p, HySim *sim)
{
  begin(p);
  hy_sim_set_progress(sim, progress, p);
}

void cli_progress_search(CliProgress *p, HySteadySettings *set)
{
  begin(p);
  set->progress = on_stage;
  set->user = p;
}

void cli_progress_sweep(CliProgress *p, HySweepOptions *sweep)
{
  begin(p);
  sweep->progress = on_runs;
  sweep->user = p;
}

static gboolean go_on(gpointer user, double t, guint64 cycles)
{
  (void)user;
  (void)t;
  (void)cycles;
  return !interrupted;
}

HyProgress cli_progress_runs(CliProgress *p)
{
  begin(p);
  return go_on;
}

void cli_progress_ran(gpointer user, guint64 runs, guint64 most, guint64 failed, double best)
{
  CliProgress *p = user;
  gint64 now = g_get_monotonic_time();
  char text[HY_DOUBLE_SIZE];
  if (p->kind == CLI_PROGRESS_NONE || now - p->start < G_USEC_PER_SEC ||
      now - p->shown < G_USEC_PER_SEC / 5) {
    return;
  }
  p->shown = now;
  g_ascii_formatd(text, sizeof text, "%.6g", best);
  fprintf(stderr,
          p->kind == CLI_PROGRESS_JSON ? "{\"runs\":%" G_GUINT64_FORMAT
                                         ",\"most\":%" G_GUINT64_FORMAT
                                         ",\"failed\":%" G_GUINT64_FORMAT ",\"best\":%s}\n"
                                       : "\r\033[Krun %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                                         " at most, %" G_GUINT64_FORMAT " failed; best %s",
          runs, most, failed, isnan(best) ? "null" : text);
  fflush(stderr);
}

int cli_progress_status(int status)
{
  return status == HY_ERROR_INTERRUPTED && interrupted != 0 ? 128 + interrupted : status;
}

void cli_progress_end(const CliProgress *p)
{
  if (p->shown != 0 && p->kind == CLI_PROGRESS_AUTO) {
    fputs("\r\033[K", stderr);
  }
}
