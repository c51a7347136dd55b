/* The bits of test_bits.c by other compilers, with and without optimization and fused products;
 * those that are installed. */
#include "bits.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <stdio.h>
#include <unity.h>

#define FLAGS                                                                                      \
  "-std=gnu17 -w -ffp-contract=off -I " HY_SOURCE_DIR " -I " HY_SOURCE_DIR "/tests/unit/numerics"
#define FILES                                                                                      \
  HY_SOURCE_DIR "/numerics/modal*.c " HY_SOURCE_DIR "/numerics/spectrum*.c " HY_SOURCE_DIR         \
                "/numerics/enclosure.c " HY_SOURCE_DIR "/numerics/taylor.c"

#ifdef __x86_64__
#define HAS_FMA __builtin_cpu_supports("fma")
#else
#define HAS_FMA 0
#endif

void setUp(void)
{
}

void tearDown(void)
{
}

static const char program[] = "#include \"bits.h\"\n"
                              "#include <stdio.h>\n"
                              "int main(void)\n"
                              "{\n"
                              "  printf(\"%016llx\", (unsigned long long)bits_of_all());\n"
                              "}\n";

/* What it says that COMPILER makes in FOLDER; NULL: that is not installed. */
static char *bits_by(const char *folder, const char *compiler, const char *optimized)
{
  g_autofree char *found = g_find_program_in_path(compiler);
  if (found == NULL) {
    return NULL;
  }
  g_autofree char *line = g_strdup_printf("cd '%s' && %s %s %s -o bits bits.c %s -lm && ./bits",
                                          folder, found, optimized, FLAGS, FILES);
  const char *argv[] = {"sh", "-c", line, NULL};
  char *out = NULL;
  g_autofree char *err = NULL;
  int wait = 0;
  TEST_ASSERT_TRUE(g_spawn_sync(NULL, (char **)(gpointer)argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
                                NULL, &out, &err, &wait, NULL));
  TEST_ASSERT_TRUE_MESSAGE(g_spawn_check_wait_status(wait, NULL), err);
  return out;
}

static void test_all_compilers_make_the_same_bits(void)
{
  static const char *const compilers[] = {"gcc", "clang"};
  static const char *const optimized[] = {"-O0", "-O2", "-O3 -march=native", "-O2 -mfma"};
  g_autofree char *folder = g_dir_make_tmp("hydevs-bits-XXXXXX", NULL);
  g_autofree char *source = g_build_filename(folder, "bits.c", NULL);
  g_autofree char *made = g_build_filename(folder, "bits", NULL);
  g_autofree char *kept = g_strdup_printf("%016" PRIx64, BITS_OF_MODES);
  TEST_ASSERT_TRUE(g_file_set_contents(source, program, -1, NULL));
  guint tried = 0;
  for (guint c = 0; c < G_N_ELEMENTS(compilers); c++) {
    for (guint o = 0; o < G_N_ELEMENTS(optimized); o++) {
      if (strstr(optimized[o], "fma") != NULL && !HAS_FMA) {
        continue;
      }
      g_autofree char *bits = bits_by(folder, compilers[c], optimized[o]);
      if (bits != NULL) {
        TEST_ASSERT_EQUAL_STRING_MESSAGE(kept, bits, optimized[o]);
        tried++;
      }
    }
  }
  TEST_ASSERT_TRUE(tried > 0);
  g_remove(made);
  g_remove(source);
  g_rmdir(folder);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_all_compilers_make_the_same_bits);
  return UNITY_END();
}
