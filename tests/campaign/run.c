#include "run.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child: words go to file WORDS, and time is limited. */
static void become(char *const *argv, const char *words, int seconds)
{
  struct rlimit limit = {.rlim_cur = (rlim_t)seconds, .rlim_max = (rlim_t)seconds};
  int fd = open(words, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  setrlimit(RLIMIT_CPU, &limit);
  dup2(fd, STDOUT_FILENO);
  dup2(fd, STDERR_FILENO);
  execv(argv[0], argv);
  _exit(127);
}

#define BREACH 5 /* the status of a run that has ended, and whose audit has found something */

static int call(char *const *argv, const char *words, int seconds)
{
  int state = 0;
  pid_t child = fork();
  if (child == 0) {
    become(argv, words, seconds);
  }
  if (child < 0 || waitpid(child, &state, 0) < 0) {
    return 127;
  }
  return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

/* Rows "time,state,..." of a grid: the time says which sample a row is. */
static void read_rows(Recording *r, gsize n, double stop)
{
  for (gsize k = 0; k < SAMPLES * n; k++) {
    r->x[k] = NAN;
  }
  for (const char *at = strchr(r->bytes, '\n'); at != NULL && at[1] != '\0';
       at = strchr(at + 1, '\n')) {
    char *end = NULL;
    double time = g_ascii_strtod(at + 1, &end);
    int k = (int)lround(time / stop * SAMPLES) - 1;
    for (gsize i = 0; i < n && k >= 0 && k < SAMPLES && *end == ','; i++) {
      r->x[(gsize)k * n + i] = g_ascii_strtod(end + 1, &end);
    }
  }
}

static guint64 read_events(const char *words)
{
  const char *at = strstr(words, " events, ");
  while (at != NULL && at > words && g_ascii_isdigit(at[-1])) {
    at--;
  }
  return at != NULL ? g_ascii_strtoull(at, NULL, 10) : 0;
}

static double read_seconds(const char *words)
{
  static const char key[] = "\"run_cpu_s\": ";
  const char *at = strstr(words, key);
  return at != NULL ? g_ascii_strtod(at + strlen(key), NULL) : NAN;
}

/* The words of a call; NULL in front of what is left to the program. */
static void put_words(char **argv, const Setting *s, char *tolerance, const char *grid)
{
  int n = 0;
  while (argv[n] != NULL) {
    n++;
  }
  argv[n++] = "--grid";
  argv[n++] = (char *)grid;
  if (s->method != NULL) {
    argv[n++] = "-m";
    argv[n++] = (char *)s->method;
  }
  if (s->tolerance > 0) {
    argv[n++] = tolerance;
  }
  if (s->audited) {
    argv[n++] = (char *)"--audit=full";
  }
  argv[n++] = "-e";
  argv[n++] = (char *)(s->engine != NULL ? s->engine : "auto");
  argv[n] = s->counted ? "--stats=json" : NULL;
}

gboolean recording_of(Recording *r, const char *xml, int states, double stop, const Setting *s)
{
  g_autofree char *model = g_build_filename(s->scratch, "model.xml", NULL);
  g_autofree char *table = g_build_filename(s->scratch, "table.csv", NULL);
  g_autofree char *words = g_build_filename(s->scratch, "words", NULL);
  char tolerance[32], grid[G_ASCII_DTOSTR_BUF_SIZE];
  char *argv[16] = {(char *)s->program, "run", model, "-o", table};
  g_snprintf(tolerance, sizeof tolerance, "--tol=%g", s->tolerance);
  put_words(argv, s, tolerance, g_ascii_dtostr(grid, sizeof grid, stop / SAMPLES));
  *r = (Recording){.x = g_new0(double, SAMPLES *(gsize)states)};
  g_unlink(table);
  if (!g_file_set_contents(model, xml, -1, NULL)) {
    return FALSE;
  }
  r->status = call(argv, words, s->seconds);
  r->breach = s->audited && r->status == BREACH;
  r->status = r->breach ? 0 : r->status;
  if (!g_file_get_contents(words, &r->words, NULL, NULL)) {
    r->words = g_strdup("");
  }
  if (!g_file_get_contents(table, &r->bytes, &r->n_bytes, NULL)) {
    r->bytes = g_strdup("");
  }
  r->events = read_events(r->words);
  r->seconds = read_seconds(r->words);
  read_rows(r, (gsize)states, stop);
  return TRUE;
}

gboolean recording_make(Recording *r, const Circuit *c, const Setting *s)
{
  g_autofree char *xml = circuit_xml(c);
  return recording_of(r, xml, c->states, c->stop, s);
}

void recording_clear(Recording *r)
{
  g_free(r->x);
  g_free(r->bytes);
  g_free(r->words);
}

void scratch_remove(const char *folder)
{
  static const char *const files[] = {"model.xml", "table.csv", "table.csv.json", "words"};
  for (gsize k = 0; k < G_N_ELEMENTS(files); k++) {
    g_autofree char *path = g_build_filename(folder, files[k], NULL);
    g_unlink(path);
  }
  g_rmdir(folder);
}

double deviation(const Circuit *c, const double *x, const double *exact, double least_size,
                 int *worst)
{
  double most = -1;
  for (int i = 0; i < c->states; i++) {
    double off = 0, size = least_size;
    for (int k = 0; k < SAMPLES; k++) {
      double e = exact[k * c->states + i], v = x[k * c->states + i];
      size = fmax(size, fabs(e));
      off = isfinite(v) ? fmax(off, fabs(v - e)) : INFINITY;
    }
    if (100 * off / size > most) {
      most = 100 * off / size;
      *worst = i;
    }
  }
  return most;
}
