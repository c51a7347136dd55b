/* What GLib says during a call: of a mistake of the calling programmer one critical message that
 * begins with the name of the public function. */
#ifndef TESTS_CRITICALS_H
#define TESTS_CRITICALS_H

#include <glib.h>
#include <string.h>
#include <unity.h>

static GString *criticals_said; /* in lines, since the last look */
static GLogFunc criticals_before;

static void criticals_hear(const char *domain, GLogLevelFlags level, const char *words,
                           gpointer user)
{
  (void)domain, (void)user;
  g_string_append_printf(criticals_said, "%s%s\n",
                         level & G_LOG_LEVEL_CRITICAL ? "" : "no critical: ", words);
}

static void criticals_begin(void)
{
  criticals_said = g_string_new(NULL);
  criticals_before = g_log_set_default_handler(criticals_hear, NULL);
}

/* Nothing more has been said. */
static void criticals_end(void)
{
  g_log_set_default_handler(criticals_before, NULL);
  TEST_ASSERT_EQUAL_STRING("", criticals_said->str);
  g_string_free(criticals_said, TRUE);
}

/* FUNCTION alone has complained, once; WHAT: for people. */
static void criticals_expect(const char *function, const char *what)
{
  g_autofree char *begins = g_strdup_printf("%s: assertion '", function);
  g_autofree char *sized = g_strdup_printf("%s_sized: assertion '", function);
  gboolean begun =
      g_str_has_prefix(criticals_said->str, begins) || g_str_has_prefix(criticals_said->str, sized);
  g_autofree char *told = g_strdup_printf("%s (%s) says: %s", function, what, criticals_said->str);
  const char *end = strchr(criticals_said->str, '\n');
  TEST_ASSERT_TRUE_MESSAGE(begun && end[1] == '\0', told);
  g_string_truncate(criticals_said, 0);
}

#endif
