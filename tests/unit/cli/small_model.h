/* For tests: a model by QSS2. TOLERANCE is defined by whoever includes this. */
#ifndef SMALL_MODEL_H
#define SMALL_MODEL_H

#include "model_file.h"

static void model(const char *text)
{
  g_autofree char *whole = g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s"
                                           "<experiment method=\"qss2\" dqrel=\"" TOLERANCE
                                           "\" dqmin=\"" TOLERANCE "\"/></hydevs>\n",
                                           text);
  TEST_ASSERT_TRUE(g_file_set_contents(file, whole, -1, NULL));
}

#endif
