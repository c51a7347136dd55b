/* What every verb does with its words and its failures. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

gboolean cli_options(const char *usage, const char *summary, const char *teach,
                     const GOptionEntry *entries, int *argc, char ***argv, int *status)
{
  g_autoptr(GOptionContext) context = g_option_context_new(NULL);
  g_autofree char *verb = g_strdup((*argv)[0]);
  g_autofree char *program = g_strdup_printf("hydevs %s", usage);
  gboolean wants_help = FALSE;
  GOptionEntry own[] = {{"help", 'h', 0, G_OPTION_ARG_NONE, &wants_help, "Show this", NULL}, {0}};
  g_option_context_set_help_enabled(context, FALSE);
  g_option_context_add_main_entries(context, entries, NULL);
  g_option_context_add_main_entries(context, own, NULL);
  g_option_context_set_summary(context, summary);
  g_option_context_set_description(context, teach);
  g_autoptr(GError) error = NULL;
  if (!g_option_context_parse(context, argc, argv, &error)) {
    *status = cli_usage(verb, "%s", error->message);
    return FALSE;
  }
  if (wants_help) {
    g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
    const char *rest = strchr(text, '\n'); /* the first lines name the program in GLib's way */
    const char *body = rest != NULL ? strstr(rest, summary) : NULL;
    printf("Usage: %s\n\n%s", program, body != NULL ? body : text);
    *status = 0;
    return FALSE;
  }
  return TRUE;
}

int cli_usage(const char *verb, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  fprintf(stderr, "hydevs %s: %s; see hydevs %s --help\n", verb, what, verb);
  return HY_ERROR_USAGE;
}

int cli_failed(const GError *error)
{
  fprintf(stderr, "hydevs: %s\n", error->message);
  return error->domain == HY_ERROR ? error->code : HY_ERROR_RUN;
}

gboolean cli_engine(const char *name, HyEngine *engine)
{
  gboolean tree = strcmp(name, "tree") == 0;
  *engine = tree ? HY_TREE : HY_FLAT;
  return tree || strcmp(name, "flat") == 0;
}
