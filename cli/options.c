/* What every verb does with its words and its failures. */
#include "cli.h"

#include <hydevs/text.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Options ---------------------------------------------------------------------------------------
 */

typedef void (*Show)(const GOptionEntry *entry);

static void for_each(const CliPage *page, Show show)
{
  static const GOptionEntry help = {"help", 'h', 0, G_OPTION_ARG_NONE, NULL, "Show this", NULL};
  const GOptionEntry *const lists[] = {page->own, page->shared};
  for (guint k = 0; k < G_N_ELEMENTS(lists); k++) {
    for (const GOptionEntry *e = lists[k]; e != NULL && e->long_name != NULL; e++) {
      show(e);
    }
  }
  show(&help);
}

/* "-t, --until=T" */
static char *option_text(const GOptionEntry *e)
{
  char letter[8] = "    ";
  if (e->short_name != 0) {
    g_snprintf(letter, sizeof letter, "-%c, ", e->short_name);
  }
  gboolean optional = (e->flags & G_OPTION_FLAG_OPTIONAL_ARG) != 0;
  if (e->arg_description == NULL) {
    return g_strdup_printf("%s--%s", letter, e->long_name);
  }
  return g_strdup_printf(optional ? "%s--%s[=%s]" : "%s--%s=%s", letter, e->long_name,
                         e->arg_description);
}

static void show_help(const GOptionEntry *e)
{
  g_autofree char *text = option_text(e);
  printf("  %-26s %s\n", text, e->description);
}

/* The dots and backslashes that mean something to roff, escaped. */
static void roff(const char *text)
{
  for (gboolean fresh = TRUE; *text != '\0'; text++) {
    if (fresh && (*text == '.' || *text == '\'')) {
      fputs("\\&", stdout);
    }
    fputs(*text == '\\' ? "\\e" : *text == '-' ? "\\-" : (char[]){*text, '\0'}, stdout);
    fresh = *text == '\n';
  }
}

static void show_man(const GOptionEntry *e)
{
  g_autofree char *text = option_text(e);
  fputs(".TP\n.B ", stdout);
  roff(g_strstrip(text));
  putchar('\n');
  roff(e->description);
  putchar('\n');
}

static void show_word(const GOptionEntry *e)
{
  printf(" --%s%s", e->long_name, e->arg_description != NULL ? "=" : "");
}

/* What the page says for --help, or for the manual and the completion that `hydevs help` makes. */
static gboolean show_page(const CliPage *page, const char *word)
{
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    printf("Usage: hydevs %s\n\n%s\n\n", page->usage, page->summary);
    for_each(page, show_help);
    printf("\n%s", page->teach);
  } else if (strcmp(word, "--help-man") == 0) {
    fputs(".SS hydevs ", stdout);
    roff(page->usage);
    putchar('\n');
    roff(page->summary);
    putchar('\n');
    for_each(page, show_man);
    fputs(".PP\n.nf\n", stdout);
    roff(page->teach);
    fputs(".fi\n", stdout);
  } else if (strcmp(word, "--help-words") == 0) {
    for_each(page, show_word);
  } else {
    return FALSE;
  }
  return TRUE;
}

/* What GLib says of an option that the page does not have: one of other verbs would do nothing
 * here, of others the nearest may be meant. */
static char *option_problem(const CliPage *page, const GError *error)
{
  const char *word = strstr(error->message, "--");
  if (!g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) || word == NULL) {
    return g_strdup(error->message);
  }
  g_autofree char *name = g_strndup(word + 2, strcspn(word + 2, "="));
  if (page->without != NULL && g_strv_contains(page->without, name)) {
    return g_strdup_printf("--%s is an option of other verbs; here it would do nothing", name);
  }
  HyNearest nearest = {.word = name};
  const GOptionEntry *const lists[] = {page->own, page->shared};
  for (guint k = 0; k < G_N_ELEMENTS(lists); k++) {
    for (const GOptionEntry *e = lists[k]; e != NULL && e->long_name != NULL; e++) {
      hy_nearest_offer(&nearest, e->long_name);
    }
  }
  g_autofree char *hint = cli_did_you_mean("--", nearest.best);
  return g_strconcat(error->message, hint, NULL);
}

/* The value that WORDS give option E at K: "--n=3", "--n 3", "-n 3", "-n3"; NULL: it is another
 * one. */
static const char *value_of(const GOptionEntry *e, char **words, int k)
{
  const char *word = words[k];
  gsize n = strlen(e->long_name);
  if (g_str_has_prefix(word, "--") && strncmp(word + 2, e->long_name, n) == 0) {
    return word[n + 2] == '=' ? word + n + 3 : word[n + 2] == '\0' ? words[k + 1] : NULL;
  }
  if (e->short_name != 0 && word[0] == '-' && word[1] == e->short_name) {
    return word[2] != '\0' ? word + 2 : words[k + 1];
  }
  return NULL;
}

static gboolean is_whole(const char *text)
{
  const char *digits = text + (*text == '-');
  gsize n = strspn(digits, "0123456789");
  return n > 0 && digits[n] == '\0' && (n == 1 || digits[0] != '0');
}

/* GLib would take 010 for 8. FALSE: an option that takes a whole number has been given another. */
static gboolean whole_numbers(const CliPage *page, int argc, char **argv, int *status)
{
  const GOptionEntry *const lists[] = {page->own, page->shared};
  for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
    for (const GOptionEntry *e = lists[i]; e != NULL && e->long_name != NULL; e++) {
      for (int k = 1; k < argc && argv[k] != NULL && strcmp(argv[k], "--") != 0; k++) {
        const char *value = e->arg == G_OPTION_ARG_INT64 ? value_of(e, argv, k) : NULL;
        if (value != NULL && !is_whole(value)) {
          *status = cli_usage(argv[0], "--%s=%s is not a whole number", e->long_name, value);
          return FALSE;
        }
      }
    }
  }
  return TRUE;
}

gboolean cli_options(const CliPage *page, int *argc, char ***argv, int *status)
{
  *status = 0;
  for (int k = 1; k < *argc && strcmp((*argv)[k], "--") != 0; k++) {
    if (show_page(page, (*argv)[k])) {
      *status = cli_finish(0);
      return FALSE;
    }
  }
  if (!whole_numbers(page, *argc, *argv, status)) {
    return FALSE;
  }
  const char *verb = (*argv)[0];
  g_autoptr(GOptionContext) context = g_option_context_new(NULL);
  g_option_context_set_help_enabled(context, FALSE);
  g_option_context_add_main_entries(context, page->own, NULL);
  if (page->shared != NULL) {
    g_option_context_add_main_entries(context, page->shared, NULL);
  }
  g_autoptr(GError) error = NULL;
  if (!g_option_context_parse(context, argc, argv, &error)) {
    g_autofree char *problem = option_problem(page, error);
    *status = cli_usage(verb, "%s", problem);
    return FALSE;
  }
  int left = 1; /* "--" has done its work */
  for (int k = 1; k < *argc; k++) {
    if (k > 1 || strcmp((*argv)[k], "--") != 0) {
      (*argv)[left++] = (*argv)[k];
    }
  }
  *argc = left;
  return TRUE;
}

double cli_lap(gint64 *since)
{
  gint64 now = g_get_monotonic_time();
  double seconds = (double)(now - *since) / G_USEC_PER_SEC;
  *since = now;
  return seconds;
}

gboolean cli_blocks(char **files, HyBlocks **blocks, int *status)
{
  g_autoptr(GError) error = NULL;
  *blocks = hy_blocks_new();
  for (; files != NULL && *files != NULL; files++) {
    if (!hy_blocks_open(*blocks, *files, &error)) {
      g_clear_pointer(blocks, hy_blocks_free);
      *status = cli_failed(error);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean cli_number(const char *text, double *v)
{
  return hy_text_number(text, v);
}

gboolean cli_time(const char *verb, const char *option, const char *text, double *t, int *status)
{
  if (text == NULL || cli_number(text, t)) {
    return TRUE;
  }
  *status = cli_usage(verb, "%s=%s is not a time", option, text);
  return FALSE;
}

/* Failures --------------------------------------------------------------------------------------
 */

char *cli_did_you_mean(const char *prefix, const char *best)
{
  return best != NULL ? g_strdup_printf("; did you mean \"%s%s\"?", prefix, best) : g_strdup("");
}

int cli_usage(const char *verb, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_autofree char *plain = hy_plain_text(what, FALSE);
  fprintf(stderr, "hydevs %s: %s; see hydevs %s --help\n", verb, plain, verb);
  return HY_ERROR_USAGE;
}

int cli_failed(const GError *error)
{
  fflush(stdout);
  g_autofree char *plain = hy_plain_text(error->message, TRUE);
  fprintf(stderr, "hydevs: %s\n", plain);
  return error->domain == HY_ERROR ? cli_progress_status(error->code) : HY_ERROR_RUN;
}

int cli_finish(int status)
{
  static gboolean told; /* pages of help come one after the other */
  errno = 0;
  if (fflush(stdout) != 0 || ferror(stdout)) {
    if (told) {
      return HY_ERROR_RUN;
    }
    told = TRUE;
    fprintf(stderr, "hydevs: cannot write the output: %s\n",
            errno != 0 ? g_strerror(errno) : "an earlier write failed");
    return status != 0 ? status : HY_ERROR_RUN;
  }
  return status;
}

gboolean cli_write(const char *file, const GString *text, const char *const *inputs, int *status)
{
  g_autoptr(GError) error = NULL;
  if (strcmp(file, "-") == 0) {
    fwrite(text->str, 1, text->len, stdout);
  } else if (!hy_output_is_free(file, inputs, NULL, &error) ||
             !hy_write_file(file, text->str, (gssize)text->len, &error)) {
    *status = cli_failed(error);
    return FALSE;
  }
  *status = 0;
  return TRUE;
}

char *cli_command(char *const *words)
{
  GString *line = g_string_new("hydevs");
  for (; *words != NULL; words++) {
    gsize plain = strspn(*words, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_./=:,+[]");
    g_autofree char *quoted = (*words)[plain] != '\0' ? g_shell_quote(*words) : g_strdup(*words);
    g_string_append_printf(line, " %s", quoted);
  }
  return g_string_free(line, FALSE);
}
