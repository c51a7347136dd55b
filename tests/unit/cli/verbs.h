/* For tests: every verb on a model, short. It ends with a documented status, says something where
 * that is not 0, and no library complains on stderr. */
#ifndef VERBS_H
#define VERBS_H

#include "command.h"

static char *dir; /* outputs; gone after the test */

void setUp(void)
{
  dir = g_dir_make_tmp("hydevs-XXXXXX", NULL);
}

void tearDown(void)
{
  remove_folder(dir);
  g_clear_pointer(&dir, g_free);
}

/* FILE is the model; in the folder of the outputs. */
static const char *const every_verb[] = {
    "run FILE -t 1e-6 -o run.csv -o run.raw -o run.vcd --html run.html",
    "run FILE -t 1e-6 --stats=json --engine tree -o tree.csv",
    "run FILE -t 1e-6 --stats=text --engine flat -o flat.csv",
    "run FILE -t 1e-6 --from-steady --max-events 2000 -o steady.csv",
    "run FILE -t 1e-6 --from-steady --period 1m --max-events 2000 -o steady.csv",
    "plot FILE -t 1e-6 -o plot.svg",
    "check FILE",
    "check FILE --strict",
    "trace FILE -t 1e-9",
    "trace FILE -t 1e-9 --json",
    "explain FILE -t 1e-9 -n 40",
    "explain FILE -t 1e-9 -n 40 --html explain.html",
    "step FILE -n 5",
    "equations FILE",
    "equations FILE --partials --json",
    "modes FILE",
    "modes FILE --json",
    "steady FILE --max-events 2000",
    "steady FILE --period 1m --max-events 2000 --json --harmonics 2",
    "bode FILE --from x --to x --period 1m --max-events 2000",
    "export FILE --spice",
    "export FILE --c",
    "export FILE --modelica",
    "export FILE --micromodelica",
    "export FILE --json",
    "diagram FILE -o diagram.svg",
    "diagram FILE -o diagram.html",
    "diagram FILE -o diagram.dot",
    "convert FILE convert.pdm",
    "convert FILE convert.xml",
    "bench FILE -t 1e-6 -k 1 -l 1 -m qss2",
    "list-blocks FILE"};

/* Whether VERB looks for a steady state: a run for each state, and the eigenvalues of all of them.
 */
static inline gboolean searches(const char *verb)
{
  return strstr(verb, "steady") != NULL || g_str_has_prefix(verb, "bode");
}

static inline void verb_ends_well(const char *verb, const char *file, const char *blocks,
                                  const char *set)
{
  g_auto(GStrv) part = g_strsplit(verb, " ", -1);
  const char *words[WORDS] = {NULL};
  guint n = 0;
  g_autofree char *out = NULL, *err = NULL, *call = g_strdup_printf("%s: %s", verb, file);
  for (; part[n] != NULL; n++) {
    words[n] = strcmp(part[n], "FILE") == 0 ? file : part[n];
  }
  g_assert(n > 0);
  gboolean takes = strcmp(part[0], "convert") != 0 && strcmp(part[0], "list-blocks") != 0;
  if (blocks != NULL && takes) {
    words[n++] = "--blocks";
    words[n++] = blocks;
  }
  if (set != NULL && searches(verb)) {
    words[n++] = "--set";
    words[n++] = set;
  }
  int status = hydevs(dir, words, &out, &err);
  g_autofree char *said = g_strdup_printf("%s: status %d: %s", call, status, err);
  TEST_ASSERT_TRUE_MESSAGE(status >= 0 && status <= 4, said);
  TEST_ASSERT_TRUE_MESSAGE(status == 0 || err[0] != '\0' || strcmp(part[0], "bench") == 0, said);
  TEST_ASSERT_TRUE_MESSAGE(status == 0 || err[0] != '\0' || out[0] != '\0', said);
  TEST_ASSERT_NULL_MESSAGE(strstr(err, "CRITICAL"), said);
  TEST_ASSERT_NULL_MESSAGE(strstr(err, "WARNING **"), said);
  TEST_ASSERT_NULL_MESSAGE(strstr(err, "hydevs: :"), said);
  TEST_ASSERT_NULL_MESSAGE(strstr(err, "hydevs:  "), said); /* a name that is missing */
}

#ifdef __SANITIZE_ADDRESS__ /* one model every second verb, the next one the others */
#define VERBS_STRIDE 2
#else
#define VERBS_STRIDE 1
#endif

/* A line of 1,000 sections is searched with 60: the search takes a time that grows like their
 * square at least, and minutes. */
static inline void all_verbs(const char *model)
{
  static guint met;
  const char *blocks = strstr(model, "own-block") != NULL ? HY_TALLY : NULL;
  const char *set = strstr(model, "thesis/adr") != NULL ? "N=60" : NULL;
  g_autofree char *file = repository(model);
  for (guint k = met++ % VERBS_STRIDE; k < G_N_ELEMENTS(every_verb); k += VERBS_STRIDE) {
    verb_ends_well(every_verb[k], file, blocks, set);
  }
}

#endif
