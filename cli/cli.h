/* The hydevs command: each verb is a function of this form in a file of its own. It gets its own
 * words as argv (argv[0] is the verb) and returns the exit status: that of HyErrorCode, 0 if all
 * went well. */
#ifndef HY_CLI_H
#define HY_CLI_H

#include <hydevs/hydevs.h>

/* The verbs, as hydevs --help lists them: a function cli_NAME(), its word, what it
 * is for. */
#define CLI_VERBS(VERB)                                                                            \
  VERB(run, "run", "simulate a model and record what it does")                                     \
  VERB(plot, "plot", "draw a recording, or run a model and draw what it recorded")                 \
  VERB(session, "session", "steer a run: stop, change, go back, replay, keep the time of a clock") \
  VERB(check, "check", "find what is wrong with a model, without running it")                      \
  VERB(trace, "trace", "show every message of a model, line by line")                              \
  VERB(step, "step", "show one event after the other")                                             \
  VERB(explain, "explain", "the messages in words, or a page that plays them")                     \
  VERB(diagram, "diagram", "draw a model: blocks, wires, circuits")                                \
  VERB(equations, "equations", "the system of a diagram as one would write it")                    \
  VERB(modes, "modes", "eigenvalues, and which states are fast")                                   \
  VERB(sweep, "sweep", "many runs of one model: a table of measures over parameters")              \
  VERB(steady, "steady", "the periodic steady state, and whether it is stable")                    \
  VERB(bode, "bode", "frequency response, loop gain and margins in the steady state")              \
  VERB(optimise, "optimise", "the parameters for which a run is best, or like a measurement")      \
  VERB(snapshot, "snapshot", "what stands in a snapshot, and where two are different")             \
  VERB(export, "export", "a model as a file of another tool")                                      \
  VERB(convert, "convert", "a file of another tool as a model")                                    \
  VERB(bench, "bench", "one model under several methods: cost and error")                          \
  VERB(list_blocks, "list-blocks", "the blocks, their ports and parameters")                       \
  VERB(devstone, "devstone", "run the DEVStone benchmark and count")                               \
  VERB(ring, "ring", "run the RING benchmark and count")

#define VERB(function, name, what) int cli_##function(int argc, char **argv);
CLI_VERBS(VERB)
#undef VERB

typedef struct {
  const char *name, *what;
  int (*run)(int argc, char **argv);
} CliVerb;
extern const CliVerb cli_verbs[]; /* ends with a NULL name */

/* The page of one verb: its help, its part of the manual and of the completion are made from it. */
typedef struct {
  const char *usage;          /* after "hydevs " */
  const char *summary;        /* one sentence */
  const char *teach;          /* how it is used, by example */
  const GOptionEntry *own;    /* ends with a NULL name */
  const GOptionEntry *shared; /* likewise; NULL: none */
  const char *const *without; /* of what verbs share, what this one does not obey; ends with NULL */
} CliPage;

/* Parses ARGV; leftover words stay in it. FALSE: an error has been printed and *STATUS is the exit
 * status; likewise after --help, with status 0. */
gboolean cli_options(const CliPage *page, int *argc, char ***argv, int *status);
/* "hydevs run model.xml --html page.html" of the WORDS of a verb before it is parsed, as a shell
 * would read it; newly allocated. */
char *cli_command(char *const *words);
/* "10u": a number as a model file may have it. FALSE: it is none; NaN is none. */
gboolean cli_number(const char *text, double *v);
/* *T: the time that the option is given as TEXT; as it was if that is NULL. FALSE: *STATUS is the
 * exit status. */
gboolean cli_time(const char *verb, const char *option, const char *text, double *t, int *status);
/* Seconds since *SINCE, which becomes now. */
double cli_lap(gint64 *since);
/* The classes of the shared objects FILES (ends with NULL; NULL: none). FALSE: *STATUS is the exit
 * status. */
#define CLI_BLOCKS(files)                                                                          \
  {                                                                                                \
    "blocks", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, files,                                            \
        "A shared object with blocks of one's own, or a unit (FMU); may be repeated", "FILE"       \
  }
gboolean cli_blocks(char **files, HyBlocks **blocks, int *status);
/* "; did you mean \"PREFIXbest\"?", or nothing if BEST is NULL; newly allocated. */
char *cli_did_you_mean(const char *prefix, const char *best);
/* The limit of blocks that --max-blocks states (0: it does not): what would not fit into the memory
 * of the machine is refused before the first block is made. And that of so many bytes. */
guint64 cli_most_blocks(gint64 asked);
guint64 cli_blocks_within(guint64 bytes);
/* "hydevs VERB: MESSAGE" on stderr; returns HY_ERROR_USAGE. */
int cli_usage(const char *verb, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* "hydevs: MESSAGE" on stderr; returns the error's exit status. */
int cli_failed(const GError *error);
/* TEXT to FILE, stdout if that is "-", unless it is one of the files INPUTS that were read (ends
 * with NULL). FALSE: *STATUS is the exit status. */
gboolean cli_write(const char *file, const GString *text, const char *const *inputs, int *status);
/* STATUS, unless stdout could not be written. The last call of a verb that prints there. */
int cli_finish(int status);

/* hydevs help VERB, and hydevs help man and completion, made from the pages of all verbs. */
int cli_help(int argc, char **argv);

/* Progress on stderr, for runs over a second; ends the run after an interrupt (Ctrl-C). */
typedef enum { CLI_PROGRESS_AUTO, CLI_PROGRESS_NONE, CLI_PROGRESS_JSON } CliProgressKind;
typedef struct {
  const HyRun *run;     /* ends with its recording, if that cannot be written; NULL: none is made */
  CliProgressKind kind; /* auto: only on a terminal */
  double t0, tf;        /* all events at one instant: tf = t0 */
  gint64 start, shown, flushed;
  struct { /* of a search (hydevs/steady.h): the stage at hand, since when */
    const char *what;
    guint number;
    gint64 start;
  } stage;
} CliProgress;
void cli_progress_start(CliProgress *p, HySim *sim);
/* The same for a search for a steady state, and what follows from it. */
void cli_progress_search(CliProgress *p, HySteadySettings *set);
/* The same for a sweep, whose line says how many runs there are. */
void cli_progress_sweep(CliProgress *p, HySweepOptions *sweep);
/* And for many runs: what to ask during each, with P as USER, and what to tell after
 * each. */
HyProgress cli_progress_runs(CliProgress *p);
void cli_progress_ran(gpointer user, guint64 runs, guint64 most, guint64 failed, double best);
void cli_progress_end(const CliProgress *p); /* wipes the line */
/* STATUS, or after a signal ended a run 128 and its number. */
int cli_progress_status(int status);
/* For every verb: writes beyond a limit fail instead of killing. For one that records, from before
 * it begins: those to a closed pipe, too; RUN is what it records (NULL: nothing yet, or no longer).
 */
void cli_guard(void);
void cli_guard_run(const HyRun *run);
/* Ends the program with a message; what the run that is guarded has recorded is in its files. */
G_NORETURN void cli_out_of_memory(void);

#endif
