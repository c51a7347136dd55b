/* For tests of sessions: a model with levers as text, a clock that goes when it is told to, and
 * what the session says unasked. */
#ifndef HY_TESTS_SESSION_TEST_H
#define HY_TESTS_SESSION_TEST_H

#include "session/session_internal.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unity.h>

#define TANK                                                                                       \
  "<experiment stop='10' method='qss3' dqrel='1e-4' dqmin='1e-6'><record path='h'/>"               \
  "<record path='n'/></experiment>"                                                                \
  "<lever name='valve' value='0.5' lower='0' upper='1' doc='outlet'/>"                             \
  "<lever name='leak' kind='malfunction'/>"                                                        \
  "<integrator name='h' x0='1' in='0.2 - valve*h - 0.3*leak*h'/>"                                  \
  "<crossing name='low' in='h' level='0.5'/><counter name='n' in='low'/>"

static HyReport *report;
static GError *error;
static GPtrArray *heard; /* lines that came unasked */
static double wall;      /* what the clock says */

static inline double fake_now(gpointer user)
{
  (void)user;
  return wall;
}

static inline void fake_sleep(gpointer user, double t)
{
  (void)user;
  wall = MAX(wall, t);
}

void setUp(void)
{
  report = hy_report_new();
  heard = g_ptr_array_new_with_free_func(g_free);
  wall = 1000.0;
}

void tearDown(void)
{
  g_clear_pointer(&report, hy_report_free);
  g_clear_pointer(&heard, g_ptr_array_unref);
  g_clear_error(&error);
}

static inline HyLoaded *load_text(const char *body)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m' needs='1.2'>%s</hydevs>", body);
  HyLoaded *loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

static inline void hear(gpointer user, const char *line)
{
  (void)user;
  g_ptr_array_add(heard, g_strdup(line));
}

static inline HySession *session_with(const HyLoaded *loaded, const char *engine,
                                      HySessionSettings how)
{
  HyRunSettings set = HY_RUN_SETTINGS;
  set.engine = engine;
  how.clock = (HyClock){fake_now, fake_sleep, NULL};
  HySession *s = hy_session_new(loaded, &set, &how, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(s, error != NULL ? error->message : "");
  hy_session_hear(s, hear, NULL);
  return s;
}

/* The answer is to hold PART. */
static inline void ask(HySession *s, const char *line, const char *part)
{
  g_autoptr(GString) answer = g_string_new(NULL);
  hy_session_do(s, line, answer);
  g_autofree char *message = g_strdup_printf("%s: %s, not %s", line, answer->str, part);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer->str, part), message);
}

static inline void go(HySession *s, const char *line)
{
  g_autoptr(GString) answer = g_string_new(NULL);
  TEST_ASSERT_TRUE_MESSAGE(hy_session_do(s, line, answer), answer->str);
}

/* Until it stops by itself; the clock goes as far as the session asks. */
static inline void turn_on(HySession *s)
{
  for (double due = 0; due < INFINITY;) {
    due = hy_session_turn(s);
    wall = due < INFINITY ? MAX(wall, due) : wall;
  }
}

static inline double value_of(HySession *s, const char *path)
{
  g_autoptr(GString) answer = g_string_new(NULL);
  g_autofree char *line = g_strdup_printf("{\"do\":\"get\",\"paths\":[\"%s\"]}", path);
  TEST_ASSERT_TRUE_MESSAGE(hy_session_do(s, line, answer), answer->str);
  g_autofree char *key = g_strdup_printf("\"%s\":", path);
  const char *at = strstr(answer->str, key);
  TEST_ASSERT_NOT_NULL_MESSAGE(at, answer->str);
  at += strlen(key);
  return *at == '"' ? NAN : g_ascii_strtod(at, NULL);
}

static inline gboolean was_heard(const char *part)
{
  for (guint k = 0; k < heard->len; k++) {
    if (strstr(g_ptr_array_index(heard, k), part) != NULL) {
      return TRUE;
    }
  }
  return FALSE;
}

#endif
