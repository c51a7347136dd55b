/* The verbs, as hydevs --help lists them. */
#include "cli.h"

#define VERB(function, name, what) {name, what, cli_##function},
const CliVerb cli_verbs[] = {CLI_VERBS(VERB){0}};
