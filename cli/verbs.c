/* The verbs, as hydevs --help lists them. */
#include "cli.h"

const CliVerb cli_verbs[] = {
    {"run", "simulate a model and record what it does", cli_run},
    {"plot", "draw a recording, or run a model and draw what it recorded", cli_plot},
    {"check", "find what is wrong with a model, without running it", cli_check},
    {"trace", "show every message of a model, line by line", cli_trace},
    {"step", "show one event after the other", cli_step},
    {"explain", "the messages in words, or a page that plays them", cli_explain},
    {"diagram", "draw a model: blocks, wires, circuits", cli_diagram},
    {"equations", "the system of a diagram as one would write it", cli_equations},
    {"modes", "eigenvalues, and which states are fast", cli_modes},
    {"steady", "the periodic steady state, and whether it is stable", cli_steady},
    {"bode", "frequency response, loop gain and margins in the steady state", cli_bode},
    {"export", "a model as a file of another tool", cli_export},
    {"convert", "a file of another tool as a model", cli_convert},
    {"bench", "one model under several methods: cost and error", cli_bench},
    {"list-blocks", "the blocks, their ports and parameters", cli_list_blocks},
    {"devstone", "run the DEVStone benchmark and count", cli_devstone},
    {"ring", "run the RING benchmark and count", cli_ring},
    {0},
};
