/* For tests: a model in a file of its own, written by each test and gone after it. */
#ifndef MODEL_FILE_H
#define MODEL_FILE_H

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

#endif
