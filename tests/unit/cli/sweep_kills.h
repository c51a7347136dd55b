/* For tests: a sweep that is ended from outside again and again, at instants by chance, and comes
 * to the table that it would have come to alone. */
#ifndef SWEEP_KILLS_H
#define SWEEP_KILLS_H

#include "command.h"
#include "folder.h"

#include <signal.h>
#include <sys/wait.h>

static const char queue[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"line\"><param name=\"rate\" value=\"0.8\" min=\"0\"/>"
    "<random_generator name=\"customers\" mean=\"1/rate\"/>"
    "<server name=\"desk\" time=\"1\" in=\"customers\"/><counter name=\"came\" in=\"customers\"/>"
    "<counter name=\"gone\" in=\"desk\"/><experiment stop=\"300\" seed=\"4\"/></hydevs>";

/* Begins CALL, and ends it by SIGNAL after so many microseconds; its exit status, or -1. */
static int ended_by(const char *call, int signal, guint us)
{
  g_autofree char *whole = g_strconcat(HY_PROGRAM " ", call, NULL);
  g_auto(GStrv) words = g_strsplit(whole, " ", -1);
  GPid child;
  int how;
  GSpawnFlags flags =
      G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL;
  TEST_ASSERT_TRUE(g_spawn_async(dir, words, NULL, flags, NULL, NULL, &child, NULL));
  g_usleep(us);
  kill(child, signal);
  TEST_ASSERT_EQUAL_INT(child, waitpid(child, &how, 0));
  return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

/* CALL makes the table x.csv; it is ended TIMES times, each in the first half of what it takes
 * whole, however long that is. */
static inline void killed_and_gone_on(const char *call, guint times)
{
  static const int signals[] = {SIGTERM, SIGKILL, SIGINT};
  g_autofree char *table = in_dir("x.csv"), *out = NULL, *err = NULL;
  put("line.xml", queue);
  gint64 began = g_get_monotonic_time();
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs_call(dir, call, &out, &err), err);
  gint64 half = MAX((g_get_monotonic_time() - began) / 2, 2);
  g_autofree char *wanted = contents(table);
  g_autoptr(GRand) dice = g_rand_new_with_seed(17);
  guint stopped = 0;
  g_unlink(table);
  for (guint k = 0; k < times; k++) {
    int signal = signals[k % G_N_ELEMENTS(signals)];
    int status = ended_by(call, signal, (guint)(g_rand_double(dice) * (double)half));
    stopped += status != 0;
    if (status == 0) { /* it was there: once more from the start */
      g_autofree char *text = contents(table);
      TEST_ASSERT_EQUAL_STRING(wanted, text);
      g_unlink(table);
    }
    TEST_ASSERT_TRUE(status == 0 || status == -1 || status == 128 + signal);
  }
  g_autofree char *told = NULL, *said = NULL;
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, hydevs_call(dir, call, &told, &said), said);
  g_autofree char *text = contents(table), *journal = in_dir("x.csv.journal");
  TEST_ASSERT_EQUAL_STRING(wanted, text);
  TEST_ASSERT_FALSE(g_file_test(journal, G_FILE_TEST_EXISTS));
  TEST_ASSERT_GREATER_THAN_UINT(times / 4, stopped);
}

#endif
