/* For tests: a model in a file of its own, written by each test and gone after it. TOLERANCE is
 * defined by whoever includes this. */
#ifndef SMALL_MODEL_H
#define SMALL_MODEL_H

#include "command.h"

static char *dir, *file;

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  file = g_build_filename(dir, "model.xml", NULL);
}

void tearDown(void)
{
  g_unlink(file);
  g_rmdir(dir);
  g_clear_pointer(&file, g_free);
  g_clear_pointer(&dir, g_free);
}

static void model(const char *text)
{
  g_autofree char *whole = g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s"
                                           "<experiment method=\"qss2\" dqrel=\"" TOLERANCE
                                           "\" dqmin=\"" TOLERANCE "\"/></hydevs>\n",
                                           text);
  TEST_ASSERT_TRUE(g_file_set_contents(file, whole, -1, NULL));
}

#endif
