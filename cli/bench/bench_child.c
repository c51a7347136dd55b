/* A run in a process of its own: what hangs, faults or eats memory takes nothing along. */
#include "bench.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(clockid_t clock)
{
  struct timespec t = {0};
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_cpu(void)
{
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

void *bench_shared(gsize size)
{
  void *memory =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

void bench_unshare(void *memory, gsize size)
{
  if (memory != NULL) {
    munmap(memory, size);
  }
}

/* Pages that PID has in memory; 0: not known. */
static glong pages_of(pid_t pid)
{
  char path[64];
  glong all, resident = 0;
  g_snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
  g_autofree char *text = NULL;
  if (g_file_get_contents(path, &text, NULL, NULL)) {
    char *end;
    all = strtol(text, &end, 10);
    resident = all > 0 ? strtol(end, NULL, 10) : 0;
  }
  return resident;
}

/* Until PID is gone, which closes GONE, or has had enough. */
static BenchEnd watch(pid_t pid, int gone, const volatile BenchRun *run, double limit)
{
  struct pollfd end = {.fd = gone, .events = POLLIN};
  clockid_t clock;
  gboolean timed = clock_getcpuclockid(pid, &clock) == 0;
  while (poll(&end, 1, 20) <= 0) {
    if (timed && seconds_of(clock) - run->since > limit) { /* not while it is NaN */
      return BENCH_NO_END;
    }
    if (pages_of(pid) > sysconf(_SC_PHYS_PAGES) / 2) {
      return BENCH_NO_MEMORY;
    }
  }
  return BENCH_DONE;
}

static char *contents_of(int fd)
{
  GString *text = g_string_new(NULL);
  char buffer[4096];
  ssize_t n;
  lseek(fd, 0, SEEK_SET);
  while ((n = read(fd, buffer, sizeof buffer)) > 0) {
    g_string_append_len(text, buffer, n);
  }
  return g_string_free(text, FALSE);
}

static void fail(BenchRun *run, const char *why)
{
  run->end = BENCH_FAILED;
  g_strlcpy(run->why, why, sizeof run->why);
}

/* RUN of a process that has ended with STATUS by itself, having SAID something. */
static void judge(BenchRun *run, int status, const char *said)
{
  if (WIFSIGNALED(status)) {
    g_autofree char *why = g_strdup_printf("it died: %s", g_strsignal(WTERMSIG(status)));
    fail(run, why);
  } else if (WEXITSTATUS(status) != 0 && *run->why == '\0') {
    g_auto(GStrv) lines = g_strsplit(said, "\n", 2);
    fail(run, lines[0] != NULL && *lines[0] != '\0' ? lines[0] : "it failed without a word");
  } else {
    run->end = WEXITSTATUS(status) == 0 ? BENCH_DONE : BENCH_FAILED;
  }
}

G_NORETURN static void be_child(BenchBody body, gpointer user, int words, BenchRun *run)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (dup2(words, STDOUT_FILENO) >= 0 && dup2(words, STDERR_FILENO) >= 0) {
    body(user, run);
  }
  fflush(NULL);
  _exit(run->end == BENCH_DONE ? 0 : HY_ERROR_RUN);
}

static void run_child(BenchBody body, gpointer user, double limit, BenchRun *shared, FILE *words,
                      char **said)
{
  int gone[2], status = 0;
  fflush(NULL);
  pid_t pid = pipe(gone) == 0 ? fork() : -1;
  if (pid < 0) {
    fail(shared, "no process could be started");
    return;
  }
  if (pid == 0) {
    be_child(body, user, fileno(words), shared);
  }
  close(gone[1]);
  BenchEnd end = watch(pid, gone[0], shared, limit);
  if (end != BENCH_DONE) {
    kill(pid, SIGKILL);
  }
  waitpid(pid, &status, 0);
  close(gone[0]);
  *said = contents_of(fileno(words));
  if (end != BENCH_DONE) {
    shared->end = end;
  } else {
    judge(shared, status, *said);
  }
}

void bench_child(BenchBody body, gpointer user, double limit, BenchRun *run, char **said)
{
  *said = NULL;
  *run = (BenchRun){.t = NAN, .since = NAN, .instructions = NAN};
  BenchRun *shared = bench_shared(sizeof *shared);
  FILE *words = tmpfile();
  if (shared == NULL || words == NULL) {
    fail(run, "there is no room for its results");
  } else {
    *shared = *run;
    run_child(body, user, limit, shared, words, said);
    *run = *shared;
  }
  bench_unshare(shared, sizeof *shared);
  if (words != NULL) {
    fclose(words);
  }
  *said = *said != NULL ? *said : g_strdup("");
}
