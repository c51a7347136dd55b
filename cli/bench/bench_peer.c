/* The program with CVODE that was written by hand, as hydevs bench calls it. */
#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "bench-cvode"

char *bench_peer_find(void)
{
  g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
  g_autofree char *folder = self != NULL ? g_path_get_dirname(self) : g_strdup(".");
  char *beside = g_build_filename(folder, PROGRAM, NULL);
  if (g_file_test(beside, G_FILE_TEST_IS_EXECUTABLE)) {
    return beside;
  }
  g_free(beside);
  char *below = g_build_filename(folder, "bin", PROGRAM, NULL);
  if (g_file_test(below, G_FILE_TEST_IS_EXECUTABLE)) {
    return below;
  }
  g_free(below);
  return NULL;
}

GPtrArray *bench_peer_words(const BenchPeer *p)
{
  char number[HY_DOUBLE_SIZE];
  GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(words, g_strdup(p->program));
  g_ptr_array_add(words, g_strdup(p->name));
  g_ptr_array_add(words, g_strdup(p->experiment));
  g_ptr_array_add(words, g_strdup(p->n != NULL ? p->n : "0"));
  g_ptr_array_add(words, g_strdup(hy_double_text(number, p->tf)));
  g_ptr_array_add(words, g_strdup(hy_double_text(number, p->rtol)));
  g_ptr_array_add(words, g_strdup(hy_double_text(number, p->atol)));
  g_ptr_array_add(words, g_strdup_printf("%d", p->samples != NULL ? BENCH_SAMPLES : 0));
  if (p->samples != NULL) {
    g_ptr_array_add(words, g_strdup(p->samples));
  }
  return words;
}

void bench_peer(gpointer peer, BenchRun *run)
{
  const BenchPeer *p = peer;
  GPtrArray *words = bench_peer_words(p); /* until this process is another program */
  g_ptr_array_add(words, NULL);
  run->since = bench_cpu();
  execv(p->program, (char **)words->pdata);
  g_strlcpy(run->why, PROGRAM " cannot be started", sizeof run->why);
}

/* What follows KEY and a blank at the beginning of a line; NULL: no line has it. */
static const char *after(const char *said, const char *key)
{
  gsize length = strlen(key);
  while (said != NULL && (strncmp(said, key, length) != 0 || said[length] != ' ')) {
    said = strchr(said, '\n');
    said = said != NULL ? said + 1 : NULL;
  }
  return said != NULL ? said + length + 1 : NULL;
}

static double number(const char *said, const char *key)
{
  const char *text = after(said, key);
  return text != NULL ? g_ascii_strtod(text, NULL) : NAN;
}

static guint64 count(const char *said, const char *key)
{
  const char *text = after(said, key);
  return text != NULL ? g_ascii_strtoull(text, NULL, 10) : 0;
}

static gboolean same_states(const char *names, const GArray *states)
{
  for (guint k = 0; names != NULL && k < states->len; k++) {
    const char *path = g_array_index(states, BenchState, k).path;
    gsize length = strcspn(names, " \n");
    if (strlen(path) != length || strncmp(names, path, length) != 0) {
      return FALSE;
    }
    names += length + (names[length] == ' ');
  }
  return names != NULL && *names == '\n';
}

gboolean bench_peer_read(const char *said, const GArray *states, BenchRun *run)
{
  run->seconds = number(said, "seconds");
  run->start = number(said, "start");
  run->instructions = number(said, "instructions");
  run->steps = count(said, "steps");
  run->f_evals = count(said, "f_evals");
  run->events = count(said, "events");
  run->toggles = count(said, "toggles");
  return same_states(after(said, "states"), states);
}
