/* For tests: a folder of their own, made for each test and gone after it. */
#ifndef FOLDER_H
#define FOLDER_H

#include "command.h"

static char *dir;

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
}

void tearDown(void)
{
  remove_folder(dir);
  g_clear_pointer(&dir, g_free);
}

/* The file NAME in it; newly allocated. */
static inline char *in_dir(const char *name)
{
  return g_build_filename(dir, name, NULL);
}

static inline void put(const char *name, const char *text)
{
  g_autofree char *file = in_dir(name);
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
}

#endif
