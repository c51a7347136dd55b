/* No pointer argument of a public function may be NULL, but those for which the header says so:
 * each is refused by a critical message of GLib that begins with the name of the function, and
 * nothing else happens. The headers are read for what there is, so that a new argument needs a line
 * here.
 *
 * Left out: hy_static_*(), which stand in the table of a class and are called by engines alone. */
#include "base/tape.h"
#include "criticals.h"
#include "expr/builder.h"
#include "hydevs/hydevs.h"

#include <string.h>
#include <unity.h>

/* What may be NULL beside `GError **` and what a function frees: "FUNCTION PARAMETER". */
static const char *const may_be_null[] = {
    "hy_blocks_find blocks",
    "hy_blocks_all blocks",
    "hy_library_new blocks",
    "hy_library_new folders",
    "hy_run_new settings",
    "hy_session_new settings",
    "hy_session_new session",
    "hy_session_do_as who",
    "hy_session_leave who",
    "hy_session_hear user",
    "hy_session_status message",
    "hy_session_usage doc",
    "hy_run_record_files files",
    "hy_run_record_csv file",
    "hy_run_record_both files",
    "hy_run_ended message",
    "hy_run_add_measure name",
    "hy_run_measure_steady settings",
    "hy_formula_value user",
    "hy_format_find formats",
    "hy_format_target formats",
    "hy_format_convert inputs",
    "hy_format_write inputs",
    "hy_format_write options",
    "hy_format_write from",
    "hy_load_file options",
    "hy_documents_add formats",
    "hy_load_memory options",
    "hy_library_folders first",
    "hy_fmu_write library",
    "hy_fmu_write settings",
    "hy_fmu_write object",
    "hy_said_find said",
    "hy_draw_page command",
    "hy_explain_page command",
    "hy_recorder_new out",
    "hy_recorder_set_fresh user",
    "hy_recorder_set_fresh begun",
    "hy_report_error file",
    "hy_report_warning file",
    "hy_sim_set_trace trace",
    "hy_sim_set_progress user",
    "hy_sim_set_progress progress",
    "hy_run_set_progress user",
    "hy_run_set_progress progress",
    "hy_recorder_payload_rows rows",
    "hy_sim_try user",
    "hy_stats_text cost",
    "hy_stats_json cost",
    "hy_steady_new settings",
    "hy_run_stats_json cost",
    "hy_json_begin key",
    "hy_json_begin_lines key",
    "hy_json_text key",
    "hy_json_text text",
    "hy_json_real key",
    "hy_json_count key",
    "hy_json_bool key",
    "hy_json_null key",
    "hy_output_is_free outputs",
    "hy_output_is_free inputs",
    "hy_plan_new options",
    "hy_sweep_run stop",
    "hy_sweep_new options",
    "hy_sweep_page loaded",
    "hy_run_write_snapshot extra",
    "hy_run_read_snapshot extra",
    NULL,
};

/* x follows a sine: a state, a period, equations. */
static const char text_of_model[] = "<hydevs xmlns='urn:hydevs:1' name='m'>"
                                    "<sine name='s' amplitude='1' frequency='1'/>"
                                    "<integrator name='x' in='s - x' x0='0'/>"
                                    "<experiment stop='2' record='x'/>"
                                    "</hydevs>";

/* One of everything, to be called rightly but for one argument. */
static HyReport *report;
static HyLoaded *loaded;
static HyModel *model; /* of two relays, not checked */
static HyRun *run;
static HySim *sim;
static HySnapshot *snapshot;
static HyRecorder *recorder;
static HyEquations *equations;
static HySpectrum *spectrum;
static HySteady *steady;
static HyBode *bode;
static HyBlocks *blocks;
static HyLibrary *library;
static HyTold *told;
static HyPlan *plan; /* of one run */
static HySweep *sweep;
static HyXBuilder *builder;
static HyTape the_tape, *tape = &the_tape;
static const HyFormat *formats;
static GString *text;
static HyJsonOut json_out;
static GHashTable *refused; /* "FUNCTION PARAMETER" */

static HyDrawing drawing;
static HyRunTold run_told;
static HyMessage message = {.from = "a", .to = "b", .path = "b", .kind = HY_MSG_DONE};
static HyBodeSettings settings;
static HyColumn column;
static HyTrace trace;
static HyValue value;
static HyTotals totals;
static HyGroupTotals group;
static HyCounts counts;
static HyBlockInfo info;
static HyLook look;
static HyHeld held;
static HyLever lever;
static double point[4];
static HyNearest nearest = {.word = "a"};
static guint64 count;
static HyDocuments *documents;
static guint n;
static gboolean done;
static double real;
static HyAudited audited;
static HySweepRow row;
static HySweepTotals swept;

static gboolean named(gpointer user, const char *name, const char *port, double *v, GError **error)
{
  (void)user, (void)name, (void)port, (void)error;
  *v = 0;
  return TRUE;
}

static void wrong(gpointer user, const HyModel *m, guint component, const char *what)
{
  (void)user, (void)m, (void)component, (void)what;
}

void setUp(void)
{
  g_autoptr(GError) error = NULL;
  report = hy_report_new();
  loaded = hy_load_memory(text_of_model, strlen(text_of_model), "m.xml", NULL, report);
  g_autofree char *why = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, why);
  model = hy_model_new("m");
  hy_model_add(model, "a", hy_class_find("relay"));
  hy_model_add(model, "b", hy_class_find("relay"));
  run = hy_run_new(loaded, NULL, &error);
  TEST_ASSERT_TRUE(hy_run_record(run, &error) && hy_sim_init(hy_run_sim(run), 0, &error));
  sim = hy_sim_new(hy_loaded_model(loaded), HY_TREE, &error);
  equations = hy_equations_new(sim, 0, &error);
  spectrum = hy_spectrum_new(equations, 0, &error);
  snapshot = hy_sim_save(sim, &error);
  recorder = hy_recorder_new(NULL, NULL, NULL, 0);
  steady = hy_steady_new(loaded, NULL, &error);
  settings = HY_BODE_SETTINGS;
  settings.from = "s", settings.to = "x";
  bode = hy_bode_new(steady, &settings, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
  blocks = hy_blocks_new();
  library = hy_library_new(NULL, NULL);
  told = hy_told_new(hy_loaded_model(loaded), 0, 1);
  documents = hy_documents_new();
  plan = hy_plan_new(HY_SOURCE_DIR "/examples/bouncing-ball/model.xml", NULL, report);
  sweep = plan != NULL ? hy_sweep_new(plan, NULL, &error) : NULL;
  TEST_ASSERT_NOT_NULL(sweep);
  builder = hy_x_builder_new();
  hy_x_const(builder, 1);
  hy_tape_init(tape);
  formats = hy_formats();
  text = g_string_new(NULL);
  refused = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void tearDown(void)
{
  g_hash_table_unref(refused);
  g_string_free(text, TRUE);
  hy_tape_clear(tape);
  hy_x_builder_free(builder);
  hy_sweep_free(sweep);
  hy_plan_free(plan);
  hy_documents_free(documents);
  hy_told_free(told);
  hy_library_free(library);
  hy_blocks_free(blocks);
  hy_bode_free(bode);
  hy_steady_free(steady);
  hy_recorder_free(recorder);
  hy_snapshot_free(snapshot);
  hy_spectrum_free(spectrum);
  hy_equations_free(equations);
  hy_sim_free(sim);
  hy_run_free(run);
  hy_model_free(model);
  hy_loaded_free(loaded);
  hy_report_free(report);
}

/* Refusals ------------------------------------------------------------------------------------ */

static void note_refusal(const char *function, const char *parameter)
{
  criticals_expect(function, parameter);
  g_hash_table_add(refused, g_strdup_printf("%s %s", function, parameter));
}

#define REFUSES(function, parameter, arguments)                                                    \
  do {                                                                                             \
    (void)function arguments;                                                                      \
    note_refusal(#function, #parameter);                                                           \
  } while (0)

static void null_of_atomic(void)
{
  REFUSES(hy_tape_bytes, tape, (NULL, &real, 0));
  REFUSES(hy_tape_bytes, data, (tape, NULL, 1));
  REFUSES(hy_tape_memory, tape, (NULL, &real, 0));
  REFUSES(hy_tape_memory, pointer, (tape, NULL, 0));
  REFUSES(hy_tape_item, tape, (NULL, HY_ITEM_F64, "x", &real, 1));
  REFUSES(hy_tape_item, data, (tape, HY_ITEM_F64, "x", NULL, 1));
  REFUSES(hy_tape_item, text, (tape, HY_ITEM_F64, NULL, &real, 1));
  REFUSES(hy_tape_own, text, (tape, HY_ITEM_F64, NULL, &real, 1));
  REFUSES(hy_tape_own, tape, (NULL, HY_ITEM_F64, "x", &real, 1));
  REFUSES(hy_tape_own, pointer, (tape, HY_ITEM_F64, "x", NULL, 1));
  REFUSES(hy_tape_count, tape, (NULL, "n", 1, 2));
  REFUSES(hy_tape_count, text, (tape, NULL, 1, 2));
  REFUSES(hy_tape_section, tape, (NULL, "n"));
  REFUSES(hy_tape_section, name, (tape, NULL));
  REFUSES(hy_tape_files, tape, (NULL));
  REFUSES(hy_tape_loads, tape, (NULL));
  REFUSES(hy_tape_reject, tape, (NULL, "why"));
  REFUSES(hy_tape_reject, why, (tape, NULL));
  REFUSES(hy_tape_value, tape, (NULL, &value));
  REFUSES(hy_tape_value, value, (tape, NULL));
}

static void null_of_blocks(void)
{
  REFUSES(hy_blocks_add, blocks, (NULL, hy_class_find("relay"), NULL));
  REFUSES(hy_blocks_add, klass, (blocks, NULL, NULL));
  REFUSES(hy_blocks_open, blocks, (NULL, "a", NULL));
  REFUSES(hy_blocks_open, path, (blocks, NULL, NULL));
  REFUSES(hy_blocks_find, name, (blocks, NULL));
  REFUSES(hy_library_types, library, (NULL));
}

static void null_of_bode(void)
{
  REFUSES(hy_bode_new, steady, (NULL, &settings, NULL));
  REFUSES(hy_bode_new, settings, (steady, NULL, NULL));
  REFUSES(hy_bode_at, bode, (NULL, 0, &real, &real));
  REFUSES(hy_bode_at, real, (bode, 0, NULL, &real));
  REFUSES(hy_bode_at, imaginary, (bode, 0, &real, NULL));
  REFUSES(hy_bode_n, bode, (NULL));
  REFUSES(hy_bode_point, bode, (NULL, 0, &real, &real, &real));
  REFUSES(hy_bode_point, frequency, (bode, 0, NULL, &real, &real));
  REFUSES(hy_bode_point, gain, (bode, 0, &real, NULL, &real));
  REFUSES(hy_bode_point, phase, (bode, 0, &real, &real, NULL));
  REFUSES(hy_bode_margins, bode, (NULL));
  REFUSES(hy_bode_text, bode, (NULL, text));
  REFUSES(hy_bode_text, out, (bode, NULL));
  REFUSES(hy_bode_csv, bode, (NULL, text));
  REFUSES(hy_bode_csv, out, (bode, NULL));
  REFUSES(hy_bode_json, bode, (NULL, text));
  REFUSES(hy_bode_json, out, (bode, NULL));
}

static void null_of_equations(void)
{
  REFUSES(hy_equations_new, sim, (NULL, 0, NULL));
  REFUSES(hy_equations_model, equations, (NULL));
  REFUSES(hy_equations_n, equations, (NULL));
  REFUSES(hy_equations_state, equations, (NULL, 0));
  REFUSES(hy_equations_value, equations, (NULL, 0, 0));
  REFUSES(hy_equations_derivative, equations, (NULL, 0));
  REFUSES(hy_equations_reads, equations, (NULL, 0, 0));
  REFUSES(hy_equations_partial, equations, (NULL, 0, 0));
  REFUSES(hy_equations_solved, equations, (NULL, 0));
  REFUSES(hy_equations_jacobian, equations, (NULL, 0, &real, NULL));
  REFUSES(hy_equations_jacobian, a, (equations, 0, NULL, NULL));
  REFUSES(hy_equations_text, equations, (NULL, FALSE, FALSE, text));
  REFUSES(hy_equations_text, out, (equations, FALSE, FALSE, NULL));
  REFUSES(hy_equations_json, equations, (NULL, FALSE, text));
  REFUSES(hy_equations_json, out, (equations, FALSE, NULL));
  REFUSES(hy_equations_c, sim, (NULL, 0, 0, text, NULL));
  REFUSES(hy_equations_c, out, (sim, 0, 0, NULL, NULL));
  REFUSES(hy_equations_modelica, sim, (NULL, 0, 0, FALSE, text, NULL));
  REFUSES(hy_equations_modelica, out, (sim, 0, 0, FALSE, NULL, NULL));
  REFUSES(hy_spectrum_can, equations, (NULL, NULL));
  REFUSES(hy_spectrum_new, equations, (NULL, 0, NULL));
  REFUSES(hy_spectrum_get, spectrum, (NULL, 0));
  REFUSES(hy_spectrum_participation, spectrum, (NULL, 0, 0));
  REFUSES(hy_spectrum_is_fast, spectrum, (NULL, 0));
  REFUSES(hy_spectrum_n_fast, spectrum, (NULL));
  REFUSES(hy_spectrum_text, spectrum, (NULL, text));
  REFUSES(hy_spectrum_text, out, (spectrum, NULL));
  REFUSES(hy_spectrum_json, spectrum, (NULL, text));
  REFUSES(hy_spectrum_json, out, (spectrum, NULL));
}

static void null_of_snapshot(void)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  REFUSES(hy_run_write_snapshot, run, (NULL, "f", NULL, NULL));
  REFUSES(hy_run_write_snapshot, file, (run, NULL, NULL, NULL));
  REFUSES(hy_run_read_snapshot, run, (NULL, "f", HY_READ_EXACT, NULL, NULL));
  REFUSES(hy_run_read_snapshot, file, (run, NULL, HY_READ_EXACT, NULL, NULL));
  REFUSES(hy_run_record_anew, run, (NULL));
  REFUSES(hy_sim_write_state, sim, (NULL, bytes, NULL));
  REFUSES(hy_sim_write_state, out, (sim, NULL, NULL));
  REFUSES(hy_sim_read_state, sim, (NULL, bytes->data, 0, NULL));
  REFUSES(hy_sim_read_state, bytes, (sim, NULL, 1, NULL));
  REFUSES(hy_snapshot_print, file, (NULL, FALSE, text, NULL));
  REFUSES(hy_snapshot_print, out, ("f", FALSE, NULL, NULL));
  REFUSES(hy_snapshot_compare, file, (NULL, "f", text, NULL));
  REFUSES(hy_snapshot_compare, other, ("f", NULL, text, NULL));
  REFUSES(hy_snapshot_compare, out, ("f", "f", NULL, NULL));
}

static void null_of_experiment(void)
{
  REFUSES(hy_run_new, loaded, (NULL, NULL, NULL));
  REFUSES(hy_run_sim, run, (NULL));
  REFUSES(hy_run_loaded, run, (NULL));
  REFUSES(hy_run_engine, run, (NULL));
  REFUSES(hy_run_chosen, run, (NULL));
  REFUSES(hy_run_start, run, (NULL));
  REFUSES(hy_run_stop, run, (NULL));
  REFUSES(hy_run_record, run, (NULL, NULL));
  REFUSES(hy_run_record_files, run, (NULL, NULL, NULL));
  REFUSES(hy_run_record_csv, run, (NULL, "a", NULL));
  REFUSES(hy_run_record_both, run, (NULL, NULL, NULL));
  REFUSES(hy_run_kept, run, (NULL, 0));
  REFUSES(hy_run_provenance, run, (NULL));
  REFUSES(hy_run_go, run, (NULL, NULL));
  REFUSES(hy_run_set_progress, run, (NULL, NULL, NULL));
  REFUSES(hy_run_finish, run, (NULL, 0, NULL));
  REFUSES(hy_run_ended, run, (NULL, 0, "a"));
  REFUSES(hy_run_flush, run, (NULL));
  REFUSES(hy_run_broken, run, (NULL));
  REFUSES(hy_run_n_tables, run, (NULL));
  REFUSES(hy_run_table, run, (NULL, 0));
  REFUSES(hy_run_file, run, (NULL, 0));
  REFUSES(hy_run_add_measure, run, (NULL, NULL, "max(x)", NULL));
  REFUSES(hy_run_add_measure, text, (run, NULL, NULL, NULL));
  REFUSES(hy_run_measure_steady, run, (NULL, NULL, NULL));
  REFUSES(hy_run_n_measures, run, (NULL));
  REFUSES(hy_run_measure_name, run, (NULL, 0));
  REFUSES(hy_run_measure_text, run, (NULL, 0));
  REFUSES(hy_run_measure_unit, run, (NULL, 0));
  REFUSES(hy_run_measure_label, run, (NULL, 0));
  REFUSES(hy_run_measure_value, run, (NULL, 0));
  REFUSES(hy_run_measure_why, run, (NULL, 0));
  REFUSES(hy_run_measure_bounds, run, (NULL, 0, &real, &real));
  REFUSES(hy_run_measure_bounds, min, (run, 0, NULL, &real));
  REFUSES(hy_run_measure_bounds, max, (run, 0, &real, NULL));
  REFUSES(hy_run_measure_passed, run, (NULL, 0));
  REFUSES(hy_run_measures_pass, run, (NULL, NULL));
  REFUSES(hy_run_measures_text, run, (NULL));
  REFUSES(hy_run_measures_json, run, (NULL, &json_out));
  REFUSES(hy_run_measures_json, json, (run, NULL));
  REFUSES(hy_report_measures, report, (NULL, loaded));
  REFUSES(hy_report_measures, loaded, (report, NULL));
  REFUSES(hy_report_blocks, report, (NULL, loaded));
  REFUSES(hy_report_blocks, loaded, (report, NULL));
  REFUSES(hy_report_records, report, (NULL, loaded));
  REFUSES(hy_report_records, loaded, (report, NULL));
  REFUSES(hy_report_groups, report, (NULL, run));
  REFUSES(hy_report_groups, run, (report, NULL));
  REFUSES(hy_report_options, report, (NULL, run));
  REFUSES(hy_report_options, run, (report, NULL));
  REFUSES(hy_report_inputs, report, (NULL, run));
  REFUSES(hy_report_inputs, run, (report, NULL));
  REFUSES(hy_report_run, report, (NULL, run));
  REFUSES(hy_report_run, run, (report, NULL));
  REFUSES(hy_run_audit, run, (NULL, &audited));
  REFUSES(hy_run_audit, result, (run, NULL));
  REFUSES(hy_report_audit, report, (NULL, run));
  REFUSES(hy_report_audit, run, (report, NULL));
  REFUSES(hy_run_audit_text, run, (NULL));
  REFUSES(hy_run_audit_json, run, (NULL, &json_out));
  REFUSES(hy_run_audit_json, json, (run, NULL));
  REFUSES(hy_run_stats_json, run, (NULL, NULL, text));
  REFUSES(hy_run_stats_json, out, (run, NULL, NULL));
}

static void null_of_expression(void)
{
  REFUSES(hy_x_const, b, (NULL, 0));
  REFUSES(hy_x_op, b, (NULL, HY_X_ADD, 0, 0));
  REFUSES(hy_x_crossing, b, (NULL, 0, HY_CROSS_BOTH));
  REFUSES(hy_x_select, b, (NULL, 0, 0, 0));
  REFUSES(hy_formula_value, text, (NULL, named, NULL, &real, NULL));
  REFUSES(hy_formula_value, named, ("a", NULL, NULL, &real, NULL));
  REFUSES(hy_formula_value, value, ("a", named, NULL, NULL, NULL));
}

static void null_of_format(void)
{
  REFUSES(hy_format_find, file, (formats, NULL));
  REFUSES(hy_format_target, file, (formats, NULL));
  REFUSES(hy_format_convert, format, (NULL, "a", NULL, report));
  REFUSES(hy_format_convert, file, (formats, NULL, NULL, report));
  REFUSES(hy_format_convert, report, (formats, "a", NULL, NULL));
  REFUSES(hy_format_write, file, (formats, NULL, formats, "a", NULL, NULL, report));
  REFUSES(hy_format_write, target, (formats, "a", NULL, "a", NULL, NULL, report));
  REFUSES(hy_format_write, to, (formats, "a", formats, NULL, NULL, NULL, report));
  REFUSES(hy_format_write, report, (formats, "a", formats, "a", NULL, NULL, NULL));
}

static void null_of_load(void)
{
  REFUSES(hy_load_file, path, (NULL, NULL, report));
  REFUSES(hy_load_file, report, ("a", NULL, NULL));
  REFUSES(hy_documents_add, documents, (NULL, "a", "a", 1, NULL, report));
  REFUSES(hy_documents_add, path, (documents, NULL, "a", 1, NULL, report));
  REFUSES(hy_documents_add, bytes, (documents, "a", NULL, 1, NULL, report));
  REFUSES(hy_documents_add, report, (documents, "a", "a", 1, NULL, NULL));
  REFUSES(hy_load_memory, bytes, (NULL, 1, "a", NULL, report));
  REFUSES(hy_load_memory, file, ("a", 0, NULL, NULL, report));
  REFUSES(hy_load_memory, report, ("a", 0, "a", NULL, NULL));
  REFUSES(hy_loaded_model, loaded, (NULL));
  REFUSES(hy_loaded_file, loaded, (NULL));
  REFUSES(hy_loaded_method, loaded, (NULL));
  REFUSES(hy_loaded_options, loaded, (NULL));
  REFUSES(hy_loaded_inputs, loaded, (NULL));
  REFUSES(hy_loaded_digest, loaded, (NULL, 0));
  REFUSES(hy_loaded_n_parameters, loaded, (NULL));
  REFUSES(hy_loaded_parameter, loaded, (NULL, 0));
  REFUSES(hy_loaded_experiment, loaded, (NULL));
  REFUSES(hy_loaded_experiments, loaded, (NULL));
  REFUSES(hy_loaded_block, loaded, (NULL, model, 0, &info));
  REFUSES(hy_loaded_block, model, (loaded, NULL, 0, &info));
  REFUSES(hy_loaded_block, info, (loaded, model, 0, NULL));
  REFUSES(hy_loaded_meant, loaded, (NULL, "a"));
  REFUSES(hy_loaded_meant, path, (loaded, NULL));
  REFUSES(hy_loaded_match, loaded, (NULL, "a", NULL));
  REFUSES(hy_loaded_match, path, (loaded, NULL, NULL));
  REFUSES(hy_is_method, name, (NULL));
}

static void null_of_look(void)
{
  REFUSES(hy_loaded_look, loaded, (NULL, model, &look));
  REFUSES(hy_loaded_look, model, (loaded, NULL, &look));
  REFUSES(hy_loaded_look, look, (loaded, model, NULL));
  REFUSES(hy_said_find, name, (NULL, 1, NULL));
}

static void null_of_model(void)
{
  REFUSES(hy_model_new, name, (NULL));
  REFUSES(hy_model_add, model, (NULL, "a", hy_class_find("relay")));
  REFUSES(hy_model_add, name, (model, NULL, hy_class_find("relay")));
  REFUSES(hy_model_add, klass, (model, "a", NULL));
  REFUSES(hy_model_add_coupled, model, (NULL, "a"));
  REFUSES(hy_model_add_coupled, name, (model, NULL));
  REFUSES(hy_model_index, coupled, (NULL));
  REFUSES(hy_model_in, model, (NULL, "a"));
  REFUSES(hy_model_in, port, (model, NULL));
  REFUSES(hy_model_out, model, (NULL, "a"));
  REFUSES(hy_model_out, port, (model, NULL));
  REFUSES(hy_model_set_array, model, (NULL, 0, 0, 0));
  REFUSES(hy_model_set_priority, model, (NULL, 0, 0));
  REFUSES(hy_model_set, model, (NULL, 0, "a", "a", NULL));
  REFUSES(hy_model_set, param, (model, 0, NULL, "a", NULL));
  REFUSES(hy_model_set, text, (model, 0, "a", NULL, NULL));
  REFUSES(hy_model_set_real, model, (NULL, 0, "a", 0, NULL));
  REFUSES(hy_model_set_real, param, (model, 0, NULL, 0, NULL));
  REFUSES(hy_model_set_reals, model, (NULL, 0, "a", &real, 1, NULL));
  REFUSES(hy_model_set_reals, param, (model, 0, NULL, &real, 1, NULL));
  REFUSES(hy_model_set_reals, v, (model, 0, "a", NULL, 1, NULL));
  REFUSES(hy_model_set_values, model, (NULL, 0, "a", &value, 1, NULL));
  REFUSES(hy_model_set_values, param, (model, 0, NULL, &value, 1, NULL));
  REFUSES(hy_model_set_values, v, (model, 0, "a", NULL, 1, NULL));
  REFUSES(hy_model_set_input, model, (NULL, 0, 0, 0, NULL));
  REFUSES(hy_model_connect, model, (NULL, 0, 0, 0, 0, NULL));
  REFUSES(hy_model_wire, model, (NULL, "a", "a", NULL));
  REFUSES(hy_model_wire, from, (model, NULL, "a", NULL));
  REFUSES(hy_model_wire, to, (model, "a", NULL, NULL));
  REFUSES(hy_model_check, root, (NULL, NULL));
  REFUSES(hy_model_name, model, (NULL));
  REFUSES(hy_model_parent, model, (NULL));
  REFUSES(hy_model_n, model, (NULL));
  REFUSES(hy_model_component_name, model, (NULL, 0));
  REFUSES(hy_model_class, model, (NULL, 0));
  REFUSES(hy_model_coupled, model, (NULL, 0));
  REFUSES(hy_model_find, model, (NULL, "a"));
  REFUSES(hy_model_find, component, (model, NULL));
  REFUSES(hy_model_n_in, model, (NULL, 0));
  REFUSES(hy_model_n_out, model, (NULL, 0));
  REFUSES(hy_model_in_name, model, (NULL, 0, 0));
  REFUSES(hy_model_out_name, model, (NULL, 0, 0));
  REFUSES(hy_model_path, model, (NULL, 0));
  REFUSES(hy_model_number, model, (NULL, 0));
  REFUSES(hy_model_count, model, (NULL, &counts));
  REFUSES(hy_model_count, counts, (model, NULL));
  REFUSES(hy_class_find, name, (NULL));
  REFUSES(hy_values_parse, text, (NULL, &n, NULL));
  REFUSES(hy_values_parse, n, ("a", NULL, NULL));
}

static void null_of_pages(void)
{
  REFUSES(hy_model_json, loaded, (NULL, text));
  REFUSES(hy_model_json, out, (loaded, NULL));
  REFUSES(hy_draw_svg, loaded, (NULL, &drawing, text, NULL));
  REFUSES(hy_draw_svg, drawing, (loaded, NULL, text, NULL));
  REFUSES(hy_draw_svg, out, (loaded, &drawing, NULL, NULL));
  REFUSES(hy_draw_dot, loaded, (NULL, &drawing, text, NULL));
  REFUSES(hy_draw_dot, drawing, (loaded, NULL, text, NULL));
  REFUSES(hy_draw_dot, out, (loaded, &drawing, NULL, NULL));
  REFUSES(hy_draw_page, loaded, (NULL, &drawing, "a", text, NULL));
  REFUSES(hy_draw_page, drawing, (loaded, NULL, "a", text, NULL));
  REFUSES(hy_draw_page, out, (loaded, &drawing, "a", NULL, NULL));
  REFUSES(hy_message_words, out, (NULL, &message));
  REFUSES(hy_message_words, message, (text, NULL));
  REFUSES(hy_told_new, root, (NULL, 0, 0));
  REFUSES(hy_told_watch, told, (NULL, sim));
  REFUSES(hy_told_watch, sim, (told, NULL));
  REFUSES(hy_told_message, user, (NULL, &message));
  REFUSES(hy_told_message, m, (NULL, NULL));
  REFUSES(hy_told_full, told, (NULL));
  REFUSES(hy_told_n, told, (NULL));
  REFUSES(hy_explain_page, loaded, (NULL, told, "a", text));
  REFUSES(hy_explain_page, told, (loaded, NULL, "a", text));
  REFUSES(hy_explain_page, out, (loaded, told, "a", NULL));
  REFUSES(hy_session_page, loaded, (NULL, run, text));
  REFUSES(hy_session_page, run, (loaded, NULL, text));
  REFUSES(hy_session_page, out, (loaded, run, NULL));
  REFUSES(hy_run_page, loaded, (NULL, run, &run_told, text, NULL));
  REFUSES(hy_run_page, run, (loaded, NULL, &run_told, text, NULL));
  REFUSES(hy_run_page, told, (loaded, run, NULL, text, NULL));
  REFUSES(hy_run_page, out, (loaded, run, &run_told, NULL, NULL));
}

static void null_of_plot(void)
{
  REFUSES(hy_plot_csv, options, (NULL, NULL));
  REFUSES(hy_plot_out, options, (NULL));
}

static void null_of_fmu(void)
{
  REFUSES(hy_fmu_write, loaded, (NULL, NULL, NULL, NULL, text, report, NULL));
  REFUSES(hy_fmu_write, out, (loaded, NULL, NULL, NULL, NULL, report, NULL));
  REFUSES(hy_fmu_write, report, (loaded, NULL, NULL, NULL, text, NULL, NULL));
}

static void null_of_record(void)
{
  REFUSES(hy_recorder_now, recorder, (NULL, 0, 0));
  REFUSES(hy_columns_describe, sim, (NULL, &column, 1));
  REFUSES(hy_columns_describe, columns, (sim, NULL, 1));
  REFUSES(hy_column_path, sim, (NULL, &column));
  REFUSES(hy_column_path, column, (sim, NULL));
  REFUSES(hy_recorder_new, file, (stdout, NULL, &column, 1));
  REFUSES(hy_recorder_new, columns, (NULL, "a", NULL, 1));
  REFUSES(hy_recorder_set_form, recorder, (NULL, "a", "a", 0, NULL));
  REFUSES(hy_recorder_set_form, file, (recorder, NULL, "a", 0, NULL));
  REFUSES(hy_recorder_set_form, about, (recorder, "a", NULL, 0, NULL));
  REFUSES(hy_recorder_form, recorder, (NULL));
  REFUSES(hy_recorder_cut, recorder, (NULL));
  REFUSES(hy_recorder_add_source, recorder, (NULL, 0, 0, 0));
  REFUSES(hy_recorder_set_grid, recorder, (NULL, 0, 0, 0, NULL));
  REFUSES(hy_recorder_set_times, recorder, (NULL, &real, 1, 0, 0, NULL));
  REFUSES(hy_recorder_set_times, times, (recorder, NULL, 1, 0, 0, NULL));
  REFUSES(hy_recorder_set_fresh, recorder, (NULL, NULL, NULL));
  REFUSES(hy_recorder_set_next, recorder, (NULL, &trace));
  REFUSES(hy_recorder_set_next, next, (recorder, NULL));
  REFUSES(hy_recorder_trace, recorder, (NULL));
  REFUSES(hy_recorder_finish, recorder, (NULL, 0, NULL));
  REFUSES(hy_recorder_flush, recorder, (NULL));
  REFUSES(hy_recorder_failed, recorder, (NULL));
  REFUSES(hy_recorder_n, recorder, (NULL));
  REFUSES(hy_recorder_column, recorder, (NULL, 0));
  REFUSES(hy_recorder_order, recorder, (NULL, 0));
  REFUSES(hy_recorder_rows, recorder, (NULL));
  REFUSES(hy_recorder_find, recorder, (NULL, "a", &n));
  REFUSES(hy_recorder_find, path, (recorder, NULL, &n));
  REFUSES(hy_recorder_find, column, (recorder, "a", NULL));
  REFUSES(hy_recorder_grid, recorder, (NULL));
  REFUSES(hy_recorder_times, recorder, (NULL, &n));
  REFUSES(hy_recorder_times, n, (recorder, NULL));
  REFUSES(hy_recorder_end, recorder, (NULL));
  REFUSES(hy_recorder_time, recorder, (NULL, 0));
  REFUSES(hy_recorder_value, recorder, (NULL, 0, 0));
  REFUSES(hy_recorder_payload, recorder, (NULL, 0, 0));
  REFUSES(hy_recorder_payload_rows, recorder, (NULL, 0, NULL));
  REFUSES(hy_recorder_data, recorder, (NULL, &count, &n));
  REFUSES(hy_recorder_data, rows, (recorder, NULL, &n));
  REFUSES(hy_recorder_data, stride, (recorder, &count, NULL));
}

static void null_of_report(void)
{
  REFUSES(hy_report_set_strict, report, (NULL, FALSE));
  REFUSES(hy_report_error, report, (NULL, "a", 0, "a"));
  REFUSES(hy_report_error, format, (report, "a", 0, NULL));
  REFUSES(hy_report_warning, report, (NULL, "a", 0, "a"));
  REFUSES(hy_report_warning, format, (report, "a", 0, NULL));
  REFUSES(hy_report_errors, report, (NULL));
  REFUSES(hy_report_get, report, (NULL, 0));
  REFUSES(hy_report_text, report, (NULL));
  REFUSES(hy_report_gerror, report, (NULL, NULL));
}

static void null_of_sim(void)
{
  REFUSES(hy_sim_best_engine, model, (NULL));
  REFUSES(hy_sim_new, model, (NULL, HY_FLAT, NULL));
  REFUSES(hy_sim_set_seed, sim, (NULL, 0));
  REFUSES(hy_sim_set_limit, sim, (NULL, 0));
  REFUSES(hy_sim_set_implicit, sim, (NULL, FALSE, FALSE));
  REFUSES(hy_sim_set_rows, sim, (NULL, FALSE));
  REFUSES(hy_sim_set_trace, sim, (NULL, &trace));
  REFUSES(hy_sim_set_progress, sim, (NULL, NULL, NULL));
  REFUSES(hy_sim_try, sim, (NULL, 0, wrong, NULL));
  REFUSES(hy_sim_try, wrong, (sim, 0, NULL, NULL));
  REFUSES(hy_sim_init, sim, (NULL, 0, NULL));
  REFUSES(hy_sim_run, sim, (NULL, 0, NULL));
  REFUSES(hy_sim_step, sim, (NULL, 0, &done, NULL));
  REFUSES(hy_sim_step, done, (sim, 0, NULL, NULL));
  REFUSES(hy_sim_input, sim, (NULL, 0, 0, &value, NULL));
  REFUSES(hy_sim_input, value, (sim, 0, 0, NULL, NULL));
  REFUSES(hy_sim_save, sim, (NULL, NULL));
  REFUSES(hy_sim_load, sim, (NULL, snapshot, NULL));
  REFUSES(hy_sim_load, snapshot, (sim, NULL, NULL));
  REFUSES(hy_sim_tape, sim, (NULL, tape, NULL));
  REFUSES(hy_sim_tape, tape, (sim, NULL, NULL));
  REFUSES(hy_sim_finished, sim, (NULL));
  REFUSES(hy_sim_time, sim, (NULL));
  REFUSES(hy_sim_next, sim, (NULL));
  REFUSES(hy_sim_totals, sim, (NULL, &totals));
  REFUSES(hy_sim_totals, totals, (sim, NULL));
  REFUSES(hy_sim_n_groups, sim, (NULL));
  REFUSES(hy_sim_group, sim, (NULL, 0, &group));
  REFUSES(hy_sim_group, totals, (sim, 0, NULL));
  REFUSES(hy_sim_n, sim, (NULL));
  REFUSES(hy_sim_path, sim, (NULL, 0));
  REFUSES(hy_sim_find, sim, (NULL, "a", &n));
  REFUSES(hy_sim_find, path, (sim, NULL, &n));
  REFUSES(hy_sim_find, atomic, (sim, "a", NULL));
  REFUSES(hy_sim_class, sim, (NULL, 0));
  REFUSES(hy_sim_state, sim, (NULL, 0));
  REFUSES(hy_sim_print, sim, (NULL, 0));
  REFUSES(hy_sim_value, sim, (NULL, 0, 0));
  REFUSES(hy_sim_signal, sim, (NULL, 0, 0, 0, point));
  REFUSES(hy_sim_signal, c, (sim, 0, 0, 0, NULL));
  REFUSES(hy_sim_run_some, sim, (NULL, 1, 1, &done, NULL));
  REFUSES(hy_sim_run_some, done, (sim, 1, 1, NULL, NULL));
  REFUSES(hy_sim_n_levers, sim, (NULL));
  REFUSES(hy_sim_lever, sim, (NULL, "a", &n, NULL));
  REFUSES(hy_sim_lever, path, (sim, NULL, &n, NULL));
  REFUSES(hy_sim_lever, k, (sim, "a", NULL, NULL));
  REFUSES(hy_sim_lever_info, sim, (NULL, 0, &lever));
  REFUSES(hy_sim_lever_info, lever, (sim, 0, NULL));
  REFUSES(hy_sim_set_lever, sim, (NULL, 0, 0, 0, 0, NULL));
  REFUSES(hy_sim_held, sim, (NULL, 0, &held));
  REFUSES(hy_sim_held, held, (sim, 0, NULL));
  REFUSES(hy_sim_report, sim, (NULL, 0));
  REFUSES(hy_sim_counts, sim, (NULL, 0, &count, &count));
  REFUSES(hy_sim_counts, n_int, (sim, 0, NULL, &count));
  REFUSES(hy_sim_counts, n_ext, (sim, 0, &count, NULL));
}

static void null_of_stats(void)
{
  REFUSES(hy_stats_text, sim, (NULL, NULL, text));
  REFUSES(hy_stats_text, out, (sim, NULL, NULL));
  REFUSES(hy_stats_json, sim, (NULL, NULL, text));
  REFUSES(hy_stats_json, out, (sim, NULL, NULL));
  REFUSES(hy_stats_derivatives, sim, (NULL));
}

static void null_of_steady(void)
{
  REFUSES(hy_steady_new, loaded, (NULL, NULL, NULL));
  REFUSES(hy_steady_period, steady, (NULL));
  REFUSES(hy_steady_periods, steady, (NULL));
  REFUSES(hy_steady_residual, steady, (NULL));
  REFUSES(hy_steady_is_exact, steady, (NULL));
  REFUSES(hy_steady_n, steady, (NULL));
  REFUSES(hy_steady_state, steady, (NULL, 0));
  REFUSES(hy_steady_value, steady, (NULL, 0));
  REFUSES(hy_steady_monodromy, steady, (NULL));
  REFUSES(hy_steady_multiplier, steady, (NULL, 0, &real, &real));
  REFUSES(hy_steady_multiplier, real, (steady, 0, NULL, &real));
  REFUSES(hy_steady_multiplier, imaginary, (steady, 0, &real, NULL));
  REFUSES(hy_steady_verdict, steady, (NULL));
  REFUSES(hy_steady_n_outputs, steady, (NULL));
  REFUSES(hy_steady_output, steady, (NULL, 0));
  REFUSES(hy_steady_mean, steady, (NULL, 0));
  REFUSES(hy_steady_rms, steady, (NULL, 0));
  REFUSES(hy_steady_harmonic, steady, (NULL, 0, 0, &real, &real));
  REFUSES(hy_steady_harmonic, amplitude, (steady, 0, 0, NULL, &real));
  REFUSES(hy_steady_harmonic, phase, (steady, 0, 0, &real, NULL));
  REFUSES(hy_steady_text, steady, (NULL, text));
  REFUSES(hy_steady_text, out, (steady, NULL));
  REFUSES(hy_steady_json, steady, (NULL, text));
  REFUSES(hy_steady_json, out, (steady, NULL));
  REFUSES(hy_run_from_steady, run, (NULL, steady));
  REFUSES(hy_run_from_steady, steady, (run, NULL));
}

static void null_of_optimise(void)
{
  gpointer some = text; /* nothing looks into it */
  HyOptimiseOptions options = HY_OPTIMISE_OPTIONS;
  REFUSES(hy_optimise, file, (NULL, &options, NULL));
  REFUSES(hy_optimise, options, ("a.xml", NULL, NULL));
  REFUSES(hy_optimum_runs, optimum, (NULL));
  REFUSES(hy_optimum_failed, optimum, (NULL));
  REFUSES(hy_optimum_best, optimum, (NULL));
  REFUSES(hy_optimum_value, optimum, (NULL));
  REFUSES(hy_optimum_parameter, optimum, (NULL, 0));
  REFUSES(hy_optimum_ended, optimum, (NULL));
  REFUSES(hy_optimum_text, optimum, (NULL, text));
  REFUSES(hy_optimum_text, out, ((HyOptimum *)some, NULL));
  REFUSES(hy_optimum_csv, optimum, (NULL, text));
  REFUSES(hy_optimum_csv, out, ((HyOptimum *)some, NULL));
}

static void null_of_sweep(void)
{
  static const char *const paths[] = {"a.csv", NULL};
  HyLoaded *again = NULL;
  gpointer some = text;
  gboolean same;
  REFUSES(hy_sweep_team_n, team, (NULL));
  REFUSES(hy_sweep_team_rank, team, (NULL));
  REFUSES(hy_sweep_team_agrees, team, (NULL, TRUE, &same));
  REFUSES(hy_sweep_team_agrees, same, ((HySweepTeam *)some, TRUE, NULL));
  REFUSES(hy_sweep_indices, sweep, (NULL, 0, NULL));
  REFUSES(hy_plan_new, file, (NULL, NULL, report));
  REFUSES(hy_plan_new, report, ("a.xml", NULL, NULL));
  REFUSES(hy_plan_n, plan, (NULL));
  REFUSES(hy_plan_name, plan, (NULL));
  REFUSES(hy_plan_column, plan, (NULL, 0));
  REFUSES(hy_plan_n_columns, plan, (NULL));
  REFUSES(hy_plan_n_set, plan, (NULL));
  REFUSES(hy_plan_row, plan, (NULL, 0));
  REFUSES(hy_plan_words, plan, (NULL, 0));
  REFUSES(hy_plan_n_measures, plan, (NULL));
  REFUSES(hy_plan_measure, plan, (NULL, 0));
  REFUSES(hy_plan_digest, plan, (NULL));
  REFUSES(hy_plan_method, plan, (NULL));
  REFUSES(hy_sweep_status_text, buffer, (NULL, 0));
  REFUSES(hy_sweep_row_clear, row, (NULL));
  REFUSES(hy_sweep_run, plan, (NULL, 0, NULL, &row));
  REFUSES(hy_sweep_run, row, (plan, 0, NULL, NULL));
  REFUSES(hy_sweep_again, plan, (NULL, 0, &again, NULL));
  REFUSES(hy_sweep_again, loaded, (plan, 0, NULL, NULL));
  REFUSES(hy_sweep_page, told, (NULL, NULL, text, NULL));
  REFUSES(hy_sweep_page, out, (NULL, &(HySweepTold){.csv = "a.csv"}, NULL, NULL));
  REFUSES(hy_sweep_new, plan, (NULL, NULL, NULL));
  REFUSES(hy_sweep_go, sweep, (NULL, NULL));
  REFUSES(hy_sweep_totals, sweep, (NULL, &swept));
  REFUSES(hy_sweep_totals, totals, (sweep, NULL));
  REFUSES(hy_sweep_k, sweep, (NULL, 0));
  REFUSES(hy_sweep_status, sweep, (NULL, 0));
  REFUSES(hy_sweep_value, sweep, (NULL, 0, 0));
  REFUSES(hy_sweep_events, sweep, (NULL, 0));
  REFUSES(hy_sweep_why, sweep, (NULL, 0));
  REFUSES(hy_sweep_merge, paths, (NULL, "-", &count, NULL));
  REFUSES(hy_sweep_merge, out, (paths, NULL, &count, NULL));
  REFUSES(hy_sweep_merge, rows, (paths, "-", NULL, NULL));
}

static void null_of_text(void)
{
  REFUSES(hy_double_text, buffer, (NULL, 0));
  REFUSES(hy_value_text, out, (NULL, &value));
  REFUSES(hy_value_text, value, (text, NULL));
  REFUSES(hy_plain_text, text, (NULL, FALSE));
  REFUSES(hy_is_plain_text, text, (NULL, 1, FALSE));
  REFUSES(hy_json_string, out, (NULL, "a"));
  REFUSES(hy_json_string, text, (text, NULL));
  REFUSES(hy_json_number, out, (NULL, 0));
  REFUSES(hy_json_begin, json, (NULL, "k", '{'));
  REFUSES(hy_json_begin_lines, json, (NULL, "k", '{'));
  REFUSES(hy_json_end, json, (NULL, '}'));
  REFUSES(hy_json_text, json, (NULL, "k", "v"));
  REFUSES(hy_json_real, json, (NULL, "k", 0));
  REFUSES(hy_json_count, json, (NULL, "k", 0));
  REFUSES(hy_json_bool, json, (NULL, "k", TRUE));
  REFUSES(hy_json_null, json, (NULL, "k"));
  REFUSES(hy_dot_string, out, (NULL, "a"));
  REFUSES(hy_dot_string, text, (text, NULL));
  REFUSES(hy_write_file, path, (NULL, "a", 1, NULL));
  REFUSES(hy_write_file, text, ("a", NULL, 1, NULL));
  REFUSES(hy_same_file, a, (NULL, "a"));
  REFUSES(hy_same_file, b, ("a", NULL));
  REFUSES(hy_nearest, word, (NULL, NULL));
  REFUSES(hy_nearest, words, ("a", NULL));
  REFUSES(hy_nearest_offer, nearest, (NULL, "a"));
  REFUSES(hy_nearest_offer, candidate, (&nearest, NULL));
  REFUSES(hy_text_number, text, (NULL, &real));
  REFUSES(hy_text_number, v, ("1", NULL));
}

static void null_of_servers(void)
{
  gpointer any = &count; /* not looked into: the line is */
  REFUSES(hy_server_new, serving, (NULL, NULL));
  REFUSES(hy_server_address, server, (NULL));
  REFUSES(hy_server_say, server, (NULL, 0, "a", TRUE));
  REFUSES(hy_server_say, line, (any, 0, NULL, TRUE));
}

static void hear_nothing(gpointer user, const char *line)
{
  (void)user;
  (void)line;
}

static void null_of_sessions(void)
{
  gpointer any = &count; /* not looked into */
  g_autoptr(GString) out = g_string_new(NULL);
  REFUSES(hy_session_new, loaded, (NULL, NULL, NULL, NULL));
  REFUSES(hy_session_do, session, (NULL, "info", out));
  REFUSES(hy_session_do, line, (any, NULL, out));
  REFUSES(hy_session_do, answer, (any, "info", NULL));
  REFUSES(hy_session_do_as, session, (NULL, any, "info", out));
  REFUSES(hy_session_do_as, line, (any, any, NULL, out));
  REFUSES(hy_session_do_as, answer, (any, any, "info", NULL));
  REFUSES(hy_session_leave, session, (NULL, any));
  REFUSES(hy_session_hear, session, (NULL, hear_nothing, NULL));
  REFUSES(hy_session_hear, hear, (any, NULL, NULL));
  REFUSES(hy_session_turn, session, (NULL));
  REFUSES(hy_session_fd, session, (NULL));
  REFUSES(hy_session_now, session, (NULL));
  REFUSES(hy_session_state, session, (NULL));
  REFUSES(hy_session_status, session, (NULL, NULL));
  REFUSES(hy_session_words, line, (NULL, out));
  REFUSES(hy_session_words, out, ("{}", NULL));
  REFUSES(hy_session_run, session, (NULL));
  REFUSES(hy_session_usage, verb, (NULL, NULL));
  REFUSES(hy_session_table, out, (NULL));
}

static void null_of_trace(void)
{
  REFUSES(hy_trace_text, user, (NULL, &message));
  REFUSES(hy_trace_text, message, (NULL, NULL));
  REFUSES(hy_trace_json, user, (NULL, &message));
  REFUSES(hy_trace_json, message, (NULL, NULL));
}

/* The headers --------------------------------------------------------------------------------- */

static char *without(const char *pattern, const char *source)
{
  g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_DOTALL | G_REGEX_MULTILINE, 0, NULL);
  return g_regex_replace_literal(regex, source, -1, 0, " ", 0, NULL);
}

/* PARAMETER, "const char *name": whether it points to something. *NAME is its name. */
static gboolean is_pointer(const char *parameter, char **name)
{
  static const char *const words[] = {"*", "gpointer ", "HyNamed ", "HyProgress ", "HyTry "};
  g_autoptr(GRegex) regex = g_regex_new("\\(\\*(\\w+)\\)|(\\w+)\\s*$", 0, 0, NULL);
  g_autoptr(GMatchInfo) match = NULL;
  gboolean pointer = FALSE;
  for (guint k = 0; k < G_N_ELEMENTS(words); k++) {
    pointer = pointer || strstr(parameter, words[k]) != NULL;
  }
  pointer = pointer && strstr(parameter, "GError **") == NULL &&
            g_regex_match(regex, parameter, 0, &match);
  if (pointer) {
    g_autofree char *function = g_match_info_fetch(match, 1);
    *name = *function != '\0' ? g_steal_pointer(&function) : g_match_info_fetch(match, 2);
  }
  return pointer;
}

static guint expect_all_refused(const char *function, const char *parameters)
{
  g_auto(GStrv) part = g_regex_split_simple(",(?![^(]*\\))", parameters, 0, 0);
  guint pointers = 0;
  for (guint k = 0; part[k] != NULL; k++) {
    g_autofree char *name = NULL;
    if (!is_pointer(part[k], &name)) {
      continue;
    }
    pointers++;
    g_autofree char *what = g_strdup_printf("%s %s", function, name);
    gboolean tried = g_hash_table_contains(refused, what);
    gboolean may = g_strv_contains(may_be_null, what);
    TEST_ASSERT_TRUE_MESSAGE(tried != may, what);
  }
  return pointers;
}

/* Returns how many pointers its functions take. */
static guint expect_header_refused(const char *header)
{
  g_autofree char *path = g_build_filename(HY_SOURCE_DIR "/include/hydevs", header, NULL);
  g_autofree char *source = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(path, &source, NULL, NULL));
  g_autofree char *code = without("/\\*.*?\\*/", source);
  g_autofree char *declared = without("static inline [^{]*\\{[^}]*\\}", code);
  g_autofree char *plain = without("^\\s*#(\\\\\\n|[^\\n])*$", declared);
  g_autoptr(GRegex) regex = g_regex_new("\\b(hy_\\w+)\\s*\\(([^;{}]*?)\\)[^;{}()]*(\\([^;]*\\))?;",
                                        G_REGEX_DOTALL, 0, NULL);
  g_autoptr(GMatchInfo) match = NULL;
  guint pointers = 0;
  for (g_regex_match(regex, plain, 0, &match); g_match_info_matches(match);
       g_match_info_next(match, NULL)) {
    g_autofree char *function = g_match_info_fetch(match, 1);
    g_autofree char *parameters = g_match_info_fetch(match, 2);
    if (g_str_has_suffix(function, "_sized")) { /* what the inline function of the name calls */
      function[strlen(function) - strlen("_sized")] = '\0';
    }
    if (!g_str_has_suffix(function, "_free") && !g_str_has_prefix(function, "hy_static_")) {
      pointers += expect_all_refused(function, parameters);
    }
  }
  return pointers;
}

static void test_no_argument_may_be_null_unless_the_header_says_so(void)
{
  static void (*const of[])(void) = {
      null_of_atomic,     null_of_blocks, null_of_bode,    null_of_equations, null_of_experiment,
      null_of_expression, null_of_format, null_of_load,    null_of_look,      null_of_model,
      null_of_optimise,   null_of_pages,  null_of_plot,    null_of_fmu,       null_of_record,
      null_of_report,     null_of_sim,    null_of_stats,   null_of_steady,    null_of_sweep,
      null_of_text,       null_of_trace,  null_of_servers, null_of_snapshot,  null_of_sessions,
  };
  criticals_begin();
  for (guint k = 0; k < G_N_ELEMENTS(of); k++) {
    of[k]();
  }
  criticals_end();
  guint pointers = 0;
  g_autoptr(GDir) headers = g_dir_open(HY_SOURCE_DIR "/include/hydevs", 0, NULL);
  for (const char *name = g_dir_read_name(headers); name != NULL; name = g_dir_read_name(headers)) {
    pointers += expect_header_refused(name);
  }
  TEST_ASSERT_GREATER_THAN_UINT(370, pointers);
  g_autoptr(GError) error = NULL; /* and all of it works as before */
  TEST_ASSERT_TRUE(hy_sim_run(sim, 2, &error) && hy_run_go(run, &error));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_no_argument_may_be_null_unless_the_header_says_so);
  return UNITY_END();
}
