/* What would end a run at once, without a word: broken pipes, limits of files, no memory. */
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* GLib says with this that it could not allocate, and ends the program. */
static void on_message(const char *domain, GLogLevelFlags level, const char *message, gpointer user)
{
  const HyRun *run = user;
  if ((level & G_LOG_LEVEL_ERROR) == 0 || strstr(message, "failed to allocate") == NULL) {
    g_log_default_handler(domain, level, message, NULL);
    return;
  }
  static const char said[] = "hydevs: out of memory; what was recorded until then is kept\n";
  if (write(STDERR_FILENO, said, sizeof said - 1) < 0) {
    _exit(HY_ERROR_RUN);
  }
  if (run != NULL) {
    hy_run_flush(run);
  }
  _exit(HY_ERROR_RUN);
}

void cli_guard(const HyRun *run)
{
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  union {
    const HyRun *given;
    gpointer kept; /* GLib hands it back and looks at nothing */
  } user = {.given = run};
  g_log_set_default_handler(on_message, user.kept);
}
