/* Where memory, files or the output are at their end, every verb says so in one line and ends with
 * status 3: it neither dies nor leaves half a file under a name that was asked for. */
#include "cli.h"
#include "command.h"

#include <sys/wait.h>

static char *dir;

static void write_model(const char *name, const char *inside)
{
  g_autofree char *file = g_build_filename(dir, name, NULL);
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">%s</hydevs>\n", inside);
  TEST_ASSERT_TRUE(g_file_set_contents(file, text, -1, NULL));
}

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
  write_model("many.xml", "<sine name=\"s\" frequency=\"1\"/>"
                          "<integrator name=\"x\" count=\"100000\" in=\"s - x[i]\"/>"
                          "<experiment stop=\"1\" record=\"x[1]\"/>");
  write_model("small.xml",
              "<sine name=\"s\" frequency=\"50\"/><integrator name=\"x\" in=\"300*(s - x)\"/>"
              "<integrator name=\"y\" in=\"200*(x - y)\"/>"
              "<experiment stop=\"1\" record=\"x y\"/>");
}

void tearDown(void)
{
  remove_folder(dir);
  g_clear_pointer(&dir, g_free);
}

/* The status of `hydevs WORDS` in a shell that has obeyed BEFORE; -1: a signal ended it. */
static int under(const char *before, const char *words, char **err)
{
  g_autofree char *script =
      g_strdup_printf("ulimit -c 0; %s; exec \"$0\" %s </dev/null", before, words);
  const char *argv[] = {"/bin/sh", "-c", script, HY_PROGRAM, NULL};
  g_autoptr(GError) error = NULL;
  g_autofree char *out = NULL;
  int status;
  TEST_ASSERT_TRUE(g_spawn_sync(dir, hy_key(argv), NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, err,
                                &status, &error));
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Files of DIR, which are no more than before. */
static guint n_files(void)
{
  g_autoptr(GDir) files = g_dir_open(dir, 0, NULL);
  guint n = 0;
  while (g_dir_read_name(files) != NULL) {
    n++;
  }
  return n;
}

/* Memory -------------------------------------------------------------------------------------- */

static const char *const in_memory[] = {
    "run many.xml",
    "run many.xml -e tree -o - --stats",
    "check many.xml",
    "trace many.xml --json",
    "step many.xml -n 3",
    "explain many.xml --html o.html",
    "equations many.xml --all",
    "modes many.xml",
    "steady many.xml",
    "bode many.xml --from s --to 'x[1]'",
    "export --c many.xml -o o.c",
    "export --modelica many.xml -o o.mo",
    "export --json many.xml -o o.json",
    "convert many.xml o.pdm",
    "diagram many.xml -o o.svg",
    "plot many.xml -o o.png",
    "bench many.xml -m qss2 -k 1",
    "devstone --model HI -w 700 -d 700",
    "ring --n 1000000 --until 3",
};

/* How much the program and its libraries take, in KiB, and a little to begin with. */
static guint least_memory(void)
{
  for (guint kib = 16384; kib < 1048576; kib += 4096) {
    g_autofree char *limit = g_strdup_printf("ulimit -v %u", kib), *err = NULL;
    if (under(limit, "--version", &err) == 0) {
      return kib + 4096;
    }
  }
  return 0;
}

static void test_every_verb_tells_that_memory_is_used_up(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  TEST_IGNORE_MESSAGE("the sanitizer needs more address space than any limit");
#endif
  guint least = least_memory();
  TEST_ASSERT_GREATER_THAN_UINT(0, least);
  for (guint k = 0; k < G_N_ELEMENTS(in_memory); k++) {
    for (guint more = 0; more <= 12288; more += 6144) {
      g_autofree char *limit = g_strdup_printf("ulimit -v %u", least + more), *err = NULL;
      guint before = n_files();
      int status = under(limit, in_memory[k], &err);
      g_autofree char *told = g_strdup_printf("%s: %d: %s", in_memory[k], status, err);
      TEST_ASSERT_EQUAL_INT_MESSAGE(3, status, told);
      TEST_ASSERT_TRUE_MESSAGE(g_str_has_suffix(err, "hydevs: out of memory\n"), told);
      TEST_ASSERT_NULL_MESSAGE(strstr(err, "GLib"), told);
      TEST_ASSERT_EQUAL_UINT_MESSAGE(before, n_files(), told);
    }
  }
}

/* Before a block is made, so that no memory has to be there for them. */
static void test_blocks_without_memory_are_refused_at_once(void)
{
  TEST_ASSERT_EQUAL_UINT64(8500000, cli_blocks_within((guint64)8 << 30));
  TEST_ASSERT_EQUAL_UINT64(100000, cli_blocks_within(1 << 20));
  TEST_ASSERT_EQUAL_UINT64(HY_MAX_BLOCKS, cli_blocks_within((guint64)1 << 40));
  TEST_ASSERT_EQUAL_UINT64(7, cli_most_blocks(7));
  guint64 most = cli_most_blocks(0);
  g_autofree char *body = g_strdup_printf(
      "<integrator name=\"x\" count=\"%" G_GUINT64_FORMAT "\" in=\"-x[i]\"/>", most + 1);
  g_autofree char *why =
      g_strdup_printf("m.xml:1: x: count=\"%" G_GUINT64_FORMAT "\" would make %" G_GUINT64_FORMAT
                      " blocks; the limit is %" G_GUINT64_FORMAT " (--max-blocks)\n",
                      most + 1, most + 1, most);
  write_model("m.xml", body);
  static const char *const calls[] = {"check m.xml >&2", "run m.xml", "convert m.xml o.pdm"};
  for (guint k = 0; k < G_N_ELEMENTS(calls); k++) {
    g_autofree char *err = NULL;
    TEST_ASSERT_EQUAL_INT(1, under("true", calls[k], &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err, why), err);
  }
}

/* Output --------------------------------------------------------------------------------------- */

static const char *const on_stdout[] = {
    "check small.xml",
    "trace small.xml",
    "trace small.xml --json",
    "explain small.xml",
    "step small.xml -n 1000",
    "equations small.xml",
    "equations small.xml --json",
    "modes small.xml",
    "steady small.xml",
    "bode small.xml --from s --to x -o -",
    "export --c small.xml",
    "convert small.xml -",
    "diagram small.xml -o -",
    "bench small.xml -k 1 -m qss2 --json",
    "list-blocks",
    "list-blocks --markdown",
    "devstone --model HI -w 3 -d 3",
    "ring --n 9 --until 3",
    "help man",
    "help completion",
    "--help",
    "run --help",
    "--version",
};

static void test_every_verb_tells_that_its_output_is_full(void)
{
  if (g_access("/dev/full", W_OK) != 0) {
    TEST_IGNORE_MESSAGE("there is no /dev/full here");
  }
  for (guint k = 0; k < G_N_ELEMENTS(on_stdout); k++) {
    g_autofree char *err = NULL;
    int status = under("exec >/dev/full", on_stdout[k], &err);
    g_autofree char *told = g_strdup_printf("%s: %d: %s", on_stdout[k], status, err);
    TEST_ASSERT_EQUAL_INT_MESSAGE(3, status, told);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(err, "hydevs: cannot write the output: "), told);
    TEST_ASSERT_EQUAL_PTR_MESSAGE(err + strlen(err) - 1, strchr(err, '\n'), told);
  }
  g_autofree char *err = NULL;
  TEST_ASSERT_EQUAL_INT(3, under("exec >/dev/full", "run small.xml -m qss2 -o -", &err));
  TEST_ASSERT_EQUAL_STRING("hydevs: -: cannot write: No space left on device\n", err);
}

/* A file that is written whole is there whole or not at all. */
static const char *const to_files[] = {
    "explain small.xml --html o.html", "bode small.xml --from s --to x -o o.csv",
    "export --c small.xml -o o.c",     "export --json small.xml -o o.json",
    "convert small.xml o.pdm",         "diagram small.xml -o o.svg",
    "diagram small.xml -o o.html",
};

static void test_a_limit_of_file_sizes_leaves_no_half_file(void)
{
  for (guint k = 0; k < G_N_ELEMENTS(to_files); k++) {
    g_autofree char *err = NULL;
    guint before = n_files();
    int status = under("ulimit -f 1", to_files[k], &err);
    g_autofree char *told = g_strdup_printf("%s: %d: %s", to_files[k], status, err);
    TEST_ASSERT_EQUAL_INT_MESSAGE(3, status, told);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(err, "hydevs: o."), told);
    TEST_ASSERT_TRUE_MESSAGE(g_str_has_suffix(err, ": cannot be written: File too large\n"), told);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(before, n_files(), told);
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_blocks_without_memory_are_refused_at_once);
  RUN_TEST(test_every_verb_tells_that_memory_is_used_up);
  RUN_TEST(test_every_verb_tells_that_its_output_is_full);
  RUN_TEST(test_a_limit_of_file_sizes_leaves_no_half_file);
  return UNITY_END();
}
