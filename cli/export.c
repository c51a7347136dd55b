/* hydevs export: a model as a file of another tool. */
#include "model.h"

#include <hydevs/equations.h>
#include <hydevs/fmu.h>
#include <hydevs/pages.h>
#include <stdio.h>
#include <string.h>

static const char teach[] =
    "The circuits of a model, flattened, as a netlist that ngspice runs:\n"
    "\n"
    "  hydevs export --spice buck.xml -o buck.cir\n"
    "  hydevs export --spice buck.xml --set duty=0.4        to stdout\n"
    "  ngspice -b -r buck.raw buck.cir\n"
    "\n"
    "Diodes are switches that their own voltage turns; --exponential makes them diodes of "
    "Shockley's\n"
    "equation with nearly the same drop. What gates and sources read must be sources, formulas or\n"
    "readings of the circuit; anything else is an error that names it. docs/netlists.md says "
    "more.\n"
    "\n"
    "  hydevs export --c cuk.xml -o cuk.c -t 20m\n"
    "\n"
    "The equations x' = f(x, u) with their modes and Jacobian as one C file that integrates them "
    "by\n"
    "CVODE of SUNDIALS; its head says how it is compiled. The model is run once: what its sources\n"
    "say until the end is part of the file. docs/equations_c.md says more.\n"
    "\n"
    "  hydevs export --modelica cuk.xml -o cuk.mo -t 20m\n"
    "  hydevs export --micromodelica cuk.xml -o cuk.mo -t 20m      for QSS Solver\n"
    "\n"
    "The same equations as one flat Modelica model; rows that are alike are loops.\n"
    "docs/modelica.md says more.\n"
    "\n"
    "  hydevs export --json buck.xml -o buck.json\n"
    "\n"
    "The tree of the model as one line of JSON, the first of `hydevs trace --json`:\n"
    "library/trace.schema.json says what is in it.\n"
    "\n"
    "  hydevs export --fmi buck.xml -o buck.fmu\n"
    "  hydevs export --fmi plant.xml -o plant.fmu --record 'tank[*].h' --set N=3\n"
    "\n"
    "A unit (FMU) of the Functional Mock-up Interface 3.0 for co-simulation: input and output "
    "ports\n"
    "of the model, and what is recorded, are its variables, parameters stay parameters. Simulink,\n"
    "OpenModelica, Dymola, FMPy and others run it, without hydevs. docs/howto/fmi.md says more.\n";

static int write_text(const HyLoaded *loaded, const GString *text, const char *file)
{
  int status;
  return cli_write(file != NULL ? file : "-", text, hy_loaded_inputs(loaded), &status)
             ? cli_finish(0)
             : status;
}

static int export_tree(const CliModel *m, const char *file, const char *to)
{
  int status;
  g_autoptr(HyLoaded) loaded = cli_model_load("export", m, file, &status);
  if (loaded == NULL) {
    return status;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  hy_model_json(loaded, text);
  return write_text(loaded, text, to);
}

typedef enum { TO_NOTHING, TO_SPICE, TO_C, TO_JSON, TO_MODELICA, TO_MICROMODELICA, TO_FMI } Target;

static gboolean put_equations(Target target, HyRun *run, GString *text, GError **error)
{
  HySim *sim = hy_run_sim(run);
  double from = hy_run_start(run), until = hy_run_stop(run);
  return target == TO_C
             ? hy_equations_c(sim, from, until, text, error)
             : hy_equations_modelica(sim, from, until, target == TO_MICROMODELICA, text, error);
}

static int export_equations(Target target, const CliModel *m, const char *file, const char *to)
{
  int status;
  CliProgress progress = {0};
  if (!cli_model_progress("export", m, &progress.kind, &status)) {
    return status;
  }
  g_autoptr(HyLoaded) loaded = cli_model_load("export", m, file, &status);
  g_autoptr(HyRun) run = cli_model_run("export", m, loaded, "flat", &status);
  if (run == NULL) {
    return status;
  }
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) text = g_string_new(NULL);
  progress.t0 = hy_run_start(run);
  progress.tf = hy_run_stop(run);
  cli_progress_start(&progress, hy_run_sim(run));
  gboolean ok = put_equations(target, run, text, &error);
  cli_progress_end(&progress);
  return ok ? write_text(loaded, text, to) : cli_progress_status(cli_failed_blocks(loaded, error));
}

static int export_model(CliModel *m, const char *file, const char *name, const char *to)
{
  int status;
  const HyFormat *format = hy_formats();
  while (strcmp(format->name, name) != 0) {
    format++;
  }
  m->elements = TRUE;
  g_autoptr(HyLoaded) loaded = cli_model_load("export", m, file, &status);
  if (loaded == NULL) {
    return status;
  }
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GString) text = g_string_new(NULL);
  gboolean ok = format->write(loaded, text, report);
  g_autofree char *messages = hy_report_text(report);
  fputs(messages, stderr);
  return ok ? write_text(loaded, text, to) : HY_ERROR_MODEL;
}

static int export_unit(const CliModel *m, const char *file, const char *to)
{
  int status;
  HyRunSettings s = HY_RUN_SETTINGS;
  g_autoptr(HyLoaded) loaded = cli_model_load("export", m, file, &status);
  if (loaded == NULL) {
    return status;
  }
  if (m->until != NULL) {
    cli_number(m->until, &s.stop); /* load has read it, too */
  }
  s.seed = m->seed;
  s.limit = m->limit;
  g_autoptr(GError) error = NULL;
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(GString) bytes = g_string_new(NULL);
  const char *const *library = (const char *const *)m->library;
  gboolean ok = hy_fmu_write(loaded, library, &s, NULL, bytes, report, &error);
  g_autofree char *messages = hy_report_text(report);
  fputs(messages, stderr);
  return ok ? write_text(loaded, bytes, to) : cli_failed(error);
}

/* What is of no use where nothing runs. */
static gboolean says_how_to_run(const CliModel *m)
{
  return m->until != NULL || m->method != NULL || m->tol != NULL || m->dqrel != NULL ||
         m->dqmin != NULL || m->hstep != NULL || m->seed >= 0 || m->limit >= 0 ||
         m->progress != NULL;
}

int cli_export(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  g_autofree char *to = NULL;
  gboolean as[TO_FMI + 1] = {FALSE}, exponential = FALSE;
  const GOptionEntry entries[] = {
      {"spice", 0, 0, G_OPTION_ARG_NONE, &as[TO_SPICE], "As a SPICE netlist", NULL},
      {"c", 0, 0, G_OPTION_ARG_NONE, &as[TO_C], "As a C file with CVODE", NULL},
      {"modelica", 0, 0, G_OPTION_ARG_NONE, &as[TO_MODELICA], "As a Modelica model", NULL},
      {"micromodelica", 0, 0, G_OPTION_ARG_NONE, &as[TO_MICROMODELICA], "As one for QSS Solver",
       NULL},
      {"json", 0, 0, G_OPTION_ARG_NONE, &as[TO_JSON], "As the JSON of its tree", NULL},
      {"fmi", 0, 0, G_OPTION_ARG_NONE, &as[TO_FMI], "As a unit (FMU) of FMI 3.0", NULL},
      {"exponential", 0, 0, G_OPTION_ARG_NONE, &exponential, "Diodes by Shockley's equation", NULL},
      {"out", 'o', 0, G_OPTION_ARG_FILENAME, &to, "The file; - is stdout (stdout)", "FILE"},
      {0}};
  static const char *const without[] = {"grid",     "engine",  "partition", "evaluate",
                                        "jacobian", "refresh", NULL};
  const CliPage page = {
      .usage = "export --spice|--c|--modelica|--micromodelica|--json|--fmi MODEL.xml [OPTIONS]",
      .summary = "A model as a file of another tool.",
      .teach = teach,
      .own = entries,
      .without = without};
  int status;
  if (!cli_model_options(&page, &m, &argc, &argv, "which model?", &status)) {
    return status;
  }
  Target target = TO_NOTHING;
  guint said = 0;
  for (Target k = TO_SPICE; k <= TO_FMI; k++) {
    target = as[k] ? k : target;
    said += as[k] ? 1 : 0;
  }
  if (said != 1) {
    return cli_usage(
        "export", "say as what, one of: --spice, --c, --modelica, --micromodelica, --json, --fmi");
  }
  if (m.record != NULL && target != TO_FMI) {
    return cli_usage("export", "--record is for --fmi: what is recorded is a variable of the unit");
  }
  if (target == TO_FMI) {
    return export_unit(&m, argv[1], to);
  }
  gboolean runs = target != TO_SPICE && target != TO_JSON;
  if (!runs && says_how_to_run(&m)) {
    return cli_usage("export", "nothing is run: what says how to run is for --c and Modelica");
  }
  if (runs) {
    return export_equations(target, &m, argv[1], to);
  }
  if (target == TO_JSON) {
    return export_tree(&m, argv[1], to);
  }
  return export_model(&m, argv[1], exponential ? "spice-exponential" : "spice", to);
}
