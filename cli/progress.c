/* How far a run has come, for people who wait. */
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted; /* the only thing a signal handler may write */

static void on_interrupt(int signal)
{
  (void)signal;
  interrupted = 1;
}

static void show(CliProgress *p, double t, guint64 cycles, gint64 now)
{
  double seconds = (double)(now - p->start) / 1e6;
  char time[HY_DOUBLE_SIZE];
  fprintf(stderr, "\r\033[Kt = %s  %.3g events/s", g_ascii_formatd(time, sizeof time, "%.6g", t),
          (double)cycles / seconds);
  double part = (t - p->t0) / (p->tf - p->t0);
  if (isfinite(part) && part > 0 && part <= 1) {
    fprintf(stderr, "  %.0f %%  %.0f s to go", 100 * part, seconds * (1 - part) / part);
  }
  fflush(stderr);
}

static gboolean progress(gpointer user, double t, guint64 cycles)
{
  CliProgress *p = user;
  gint64 now = g_get_monotonic_time();
  if (p->terminal && now - p->start > G_USEC_PER_SEC && now - p->shown > G_USEC_PER_SEC / 5) {
    p->shown = now;
    show(p, t, cycles, now);
  }
  return !interrupted;
}

void cli_progress_start(CliProgress *p, HySim *sim, double t0, double tf)
{
  *p = (CliProgress){
      .t0 = t0, .tf = tf, .start = g_get_monotonic_time(), .terminal = isatty(STDERR_FILENO) == 1};
  struct sigaction action = {.sa_handler = on_interrupt,
                             .sa_flags = (int)SA_RESETHAND}; /* a second one kills */
  sigaction(SIGINT, &action, NULL);
  hy_sim_set_progress(sim, progress, p);
}

void cli_progress_end(const CliProgress *p)
{
  if (p->shown != 0) {
    fputs("\r\033[K", stderr);
  }
}
