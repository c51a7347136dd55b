/* hydevs help: the page of a verb, the manual and the completion of the shell, all from the pages
 * of --help. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static void page_of(const CliVerb *verb, const char *word)
{
  char *argv[] = {(char *)verb->name, (char *)word, NULL};
  verb->run(2, argv);
}

static void manual(void)
{
  puts(".TH HYDEVS 1 \"\" \"hydevs " HY_VERSION "\" \"User Commands\"\n"
       ".SH NAME\nhydevs \\- hybrid systems simulated by discrete events\n"
       ".SH SYNOPSIS\n.B hydevs\n.I VERB\n[\\fIOPTIONS\\fR]\n"
       ".SH VERBS");
  for (const CliVerb *v = cli_verbs; v->name != NULL; v++) {
    page_of(v, "--help-man");
  }
  puts(".SH EXIT STATUS\n"
       ".TP\n.B 0\nall went well\n.TP\n.B 1\nthe model is wrong\n"
       ".TP\n.B 2\nthe command line makes no sense\n"
       ".TP\n.B 3\nthe run could not go on; what was recorded until then is kept\n"
       ".TP\n.B 4\nendless events at one instant, or so near to one another that the end never "
       "comes\n.TP\n.B 5\nthe run has ended, and a bound of a measure does not hold, or the audit "
       "has found\nwhat the model does not say\n.TP\n.B 130\ninterrupted\n"
       ".SH ENVIRONMENT\n.TP\n.B HYDEVS_LIBRARY\n"
       "folders with libraries of models, separated by colons");
}

static void completion(void)
{
  puts("# bash completion for hydevs; made by: hydevs help completion\n"
       "_hydevs()\n{\n"
       "  local word=${COMP_WORDS[COMP_CWORD]} words=\n"
       "  COMPREPLY=()\n"
       "  if [ \"$COMP_CWORD\" -eq 1 ]; then");
  fputs("    words='--help --version help", stdout);
  for (const CliVerb *v = cli_verbs; v->name != NULL; v++) {
    printf(" %s", v->name);
  }
  puts("'\n  else\n    case ${COMP_WORDS[1]} in");
  for (const CliVerb *v = cli_verbs; v->name != NULL; v++) {
    printf("    %s) words='", v->name);
    page_of(v, "--help-words");
    puts("' ;;");
  }
  puts("    esac\n  fi\n"
       "  case $word in\n"
       "  -*) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\") ;;\n"
       "  *)\n"
       "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
       "      mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
       "    elif [ \"${COMP_WORDS[1]}\" = list-blocks ]; then\n"
       "      mapfile -t COMPREPLY < <(compgen -W \"$(hydevs list-blocks --names 2>/dev/null)\" -- "
       "\"$word\")\n"
       "    else\n"
       "      mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
       "    fi ;;\n"
       "  esac\n"
       "  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
       "}\ncomplete -o filenames -F _hydevs hydevs");
}

/* What hydevs VERB --help says. */
static int verb_page(const char *what)
{
  HyNearest nearest = {.word = what};
  for (const CliVerb *v = cli_verbs; v->name != NULL; v++) {
    if (strcmp(what, v->name) == 0) {
      page_of(v, "--help");
      return cli_finish(0);
    }
    hy_nearest_offer(&nearest, v->name);
  }
  g_autofree char *hint = cli_did_you_mean("", nearest.best);
  fprintf(stderr, "hydevs help: there is no \"%s\"%s; choose a verb, man or completion\n", what,
          hint);
  return HY_ERROR_USAGE;
}

int cli_help(int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "man") == 0) {
    manual();
  } else if (strcmp(what, "completion") == 0) {
    completion();
  } else {
    return verb_page(what);
  }
  return cli_finish(0);
}
