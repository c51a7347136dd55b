/* What would end a verb at once, without a word: limits of files, broken pipes, no memory. */
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const HyRun *recording; /* that of this process, whose rows are not to be lost */

/* There is no memory to say or to do much: what has been printed and recorded goes to its files. */
void cli_out_of_memory(void)
{
  const char *said = recording != NULL
                         ? "hydevs: out of memory; what was recorded until then is kept\n"
                         : "hydevs: out of memory\n";
  const HyRun *run = recording;
  recording = NULL; /* who fails here, too, is not asked twice */
  fflush(stdout);
  if (write(STDERR_FILENO, said, strlen(said)) >= 0 && run != NULL) {
    hy_run_flush(run);
  }
  _exit(HY_ERROR_RUN);
}

void cli_guard(void)
{
  signal(SIGXFSZ, SIG_IGN);
}

void cli_guard_run(const HyRun *run)
{
  signal(SIGPIPE, SIG_IGN);
  recording = run;
}
