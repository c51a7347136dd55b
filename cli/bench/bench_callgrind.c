/* Instructions of a run by callgrind, where the kernel does not let them be counted: the program is
 * run again under valgrind, and what it executes within one function is collected. */
#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SLOWER 200.0 /* times the limit: so much slower a program may be there */

typedef struct {
  char **words;
} Exec;

static void execute(gpointer user, BenchRun *run)
{
  const Exec *e = user;
  run->since = bench_cpu();
  execvp(e->words[0], e->words);
  g_strlcpy(run->why, "valgrind cannot be started", sizeof run->why);
}

/* Of "==17== Collected : 4711". NaN: it is not there. */
static double collected(const char *said)
{
  static const char key[] = "Collected : ";
  const char *at = g_strrstr(said, key);
  return at != NULL ? g_ascii_strtod(at + strlen(key), NULL) : NAN;
}

/* WORDS: a program with its arguments. Of what it does within FUNCTION. */
static double count(const GPtrArray *words, const char *function, double limit)
{
  BenchRun run;
  g_autofree char *said = NULL;
  g_autofree char *toggle = g_strconcat("--toggle-collect=", function, NULL);
  g_autoptr(GPtrArray) all = g_ptr_array_new();
  g_ptr_array_add(all, (gpointer) "valgrind");
  g_ptr_array_add(all, (gpointer) "--tool=callgrind");
  g_ptr_array_add(all, (gpointer) "--callgrind-out-file=/dev/null");
  g_ptr_array_add(all, toggle);
  for (guint k = 0; k < words->len; k++) {
    g_ptr_array_add(all, words->pdata[k]);
  }
  g_ptr_array_add(all, NULL);
  Exec e = {.words = (char **)all->pdata};
  bench_child(execute, &e, SLOWER * limit, &run, &said);
  return run.end == BENCH_DONE ? collected(said) : NAN;
}

double bench_count_row(const BenchTask *task, const BenchRow *row)
{
  g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
  g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(words, g_strdup(self));
  g_ptr_array_add(words, g_strdup("bench"));
  g_ptr_array_add(words, g_strdup(task->file));
  g_ptr_array_add(words, g_strdup("--alone"));
  g_ptr_array_add(words, g_strconcat("--method=", row->method, NULL));
  g_ptr_array_add(words, g_strconcat("--engine=", row->engine, NULL));
  if (row->tol != NULL) {
    g_ptr_array_add(words, g_strconcat("--tol=", row->tol, NULL));
  }
  cli_model_words(task->m, words);
  return self != NULL ? count(words, "hy_sim_run", task->limit) : NAN;
}

double bench_count_peer(const BenchPeer *peer, double limit)
{
  g_autoptr(GPtrArray) words = bench_peer_words(peer);
  return count(words, "run_through", limit);
}
