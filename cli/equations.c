/* hydevs equations: the system of a block diagram, states and their derivatives, as one would write
 * it on paper; nothing is run. */
#include "cli.h"
#include "equations/print.h"
#include "hydevs/stats.h"
#include "model.h"
#include "results/json.h"
#include "sim/engine.h"
#include "try.h"

#include <stdio.h>

#define SMALL 30 /* up to so many states, every row is shown */

static const char teach[] =
    "Every x' is shown as it follows from states, sources and modes, all blocks between them put\n"
    "into one another. Rows that differ only in numbers and names share a form; a large system\n"
    "shows the first row of each. if(D:1, a, b) is a while mode 1 of block D is set, else b.\n\n"
    "Examples:\n"
    "  hydevs equations buck.xml\n"
    "  hydevs equations adr.xml --set N=1000        the first row of each form\n"
    "  hydevs equations adr.xml --set N=8 --all     every row\n"
    "  hydevs equations buck.xml --partials         d x'/d q, too\n"
    "  hydevs equations buck.xml --partition=auto   who would go to CVODE, too\n"
    "  hydevs equations buck.xml --json             as data\n";

typedef struct {
  HySim *sim;
  const HyRoom *room;
  const HyRows *rows;
  double t0;
  guint n; /* states */
  gboolean every, partials;
  guint8 *role; /* [slots]: one of the below */
  guint8 *read; /* [flags]: by a row */
} View;

enum { UNREAD, STATE, SOURCE, SHARED };

static void view_init(View *v)
{
  const HyFlat *flat = v->sim->graph;
  gsize slots = flat->first_out[flat->n], flags = 0;
  for (guint a = 0; a < flat->n; a++) {
    flags += hy_print_n_flags(v->room, a);
  }
  v->role = g_new0(guint8, slots + 1);
  v->read = g_new0(guint8, flags + 1);
  for (guint k = 0; k < v->rows->slot->len; k++) {
    v->role[g_array_index(v->rows->slot, guint32, k)] = SOURCE;
  }
  for (guint k = 0; k < v->rows->hub->len; k++) {
    v->role[g_array_index(v->rows->hub, HyHub, k).slot] = SHARED;
  }
  for (guint k = 0; k < v->n; k++) {
    v->role[flat->first_out[hy_print_state_atomic(v->room, k)]] = STATE;
  }
  for (guint k = 0; k < v->rows->flag->len; k++) {
    v->read[g_array_index(v->rows->flag, guint32, k)] = 1;
  }
}

static char *state_name(const View *v, guint state)
{
  return hy_print_slot(v->room, v->sim->graph->first_out[hy_print_state_atomic(v->room, state)]);
}

static double start_value(const View *v, guint state)
{
  return hy_sim_value(v->sim, hy_print_state_atomic(v->room, state), v->t0);
}

static const char *source_class(const View *v, guint slot)
{
  return hy_sim_class(v->sim, hy_print_slot_atomic(v->room, slot))->name;
}

/* Text ------------------------------------------------------------------------------------------
 */

static void title(const char *text, gboolean *open)
{
  if (!*open) {
    printf("\n%s\n", text);
  }
  *open = TRUE;
}

static void and_more(guint all, guint shown)
{
  if (all > shown) {
    printf("  and %u more; --all shows them\n", all - shown);
  }
}

static void states_text(const View *v)
{
  guint shown = v->every ? v->n : MIN(v->n, SMALL);
  gboolean open = FALSE;
  for (guint k = 0; k < shown; k++) {
    g_autofree char *name = state_name(v, k);
    char number[HY_DOUBLE_SIZE];
    title("States, and where they start", &open);
    printf("  %s = %s\n", name, hy_double_text(number, start_value(v, k)));
  }
  and_more(v->n, shown);
}

static guint sources_text(const View *v)
{
  guint n = 0, shown = 0, slots = v->sim->graph->first_out[v->sim->n];
  gboolean open = FALSE;
  for (guint slot = 0; slot < slots; slot++) {
    if (v->role[slot] == SOURCE && ++n <= (v->every ? slots : SMALL)) {
      g_autofree char *name = hy_print_slot(v->room, slot);
      title("Sources", &open);
      printf("  %s: %s\n", name, source_class(v, slot));
      shown++;
    }
  }
  and_more(n, shown);
  return n;
}

static guint modes_text(const View *v)
{
  guint n = 0, shown = 0, flag = 0;
  gboolean open = FALSE;
  for (guint a = 0; a < v->sim->n; a++) {
    guint modes = hy_print_n_flags(v->room, a);
    for (guint k = 0; k < modes; k++) {
      if (v->read[flag++] && ++n <= (v->every ? G_MAXUINT : SMALL)) {
        g_autofree char *name = hy_print_flag(v->room, a, k);
        g_autofree char *when = hy_print_condition(v->room, a, k);
        title("Modes, and when they are set", &open);
        printf("  %s: %s\n", name, when);
        shown++;
      }
    }
  }
  and_more(n, shown);
  return n;
}

static void partials_text(const View *v, const char *name, guint32 row)
{
  const guint32 *slot = hy_row_slots(v->rows, row);
  for (guint k = 0; k < hy_row_template(v->rows, row)->n_slots; k++) {
    g_autofree char *q = hy_print_slot(v->room, slot[k]);
    g_autofree char *text = hy_print_partial(v->room, row, k);
    printf("    d %s' / d %s = %s\n", name, q, text);
  }
}

static void row_text(const View *v, guint state)
{
  guint32 row = hy_print_state_row(v->room, state);
  g_autofree char *name = state_name(v, state);
  if (row == HY_NO_ROW) {
    printf("  %s' comes from outside the diagram, or is too large to be shown\n", name);
    return;
  }
  g_autofree char *text = hy_print_row(v->room, row);
  printf("  %s' = %s\n", name, text);
  if (v->partials) {
    partials_text(v, name, row);
  }
}

/* The states of one template. */
typedef struct {
  guint n, first, second, last;
} Form;

static void form_text(const View *v, const Form *f)
{
  g_autofree char *second = state_name(v, f->second), *last = state_name(v, f->last);
  row_text(v, f->first);
  if (f->n == 2) {
    printf("    and %s'\n", last);
  } else if (f->n > 2) {
    printf("    and %u more of this form: %s' ... %s'\n", f->n - 1, second, last);
  }
}

static void forms_text(const View *v)
{
  guint n = v->rows->templates->len; /* states without a row come last, as one form */
  g_autofree Form *form = g_new0(Form, (gsize)n + 1);
  for (guint k = 0; k < v->n; k++) {
    guint32 row = hy_print_state_row(v->room, k);
    Form *f = &form[row == HY_NO_ROW ? n : hy_row(v->rows, row)->template];
    f->first = f->n == 0 ? k : f->first;
    f->second = f->n == 1 ? k : f->second;
    f->last = k;
    f->n++;
  }
  for (guint k = 0; k <= n; k++) {
    if (form[k].n > 0) {
      form_text(v, &form[k]);
    }
  }
}

static void rows_text(const View *v)
{
  gboolean open = FALSE;
  title("Equations", &open);
  if (!v->every && v->n > SMALL) {
    forms_text(v);
    return;
  }
  for (guint k = 0; k < v->n; k++) {
    row_text(v, k);
  }
}

/* What many rows are made of, and stands in them by its name. */
static void shared_text(const View *v)
{
  gboolean open = FALSE;
  for (guint k = 0; k < v->rows->hub->len; k++) {
    const HyHub *hub = &g_array_index(v->rows->hub, HyHub, k);
    g_autofree char *name = hy_print_slot(v->room, hub->slot);
    g_autofree char *text = hy_print_row(v->room, hub->row);
    title("Shared by rows", &open);
    printf("  %s = %s\n", name, text);
  }
}

static void number_text(const char *what, guint64 n)
{
  printf("  %-22s %" G_GUINT64_FORMAT "\n", what, n);
}

static void show_text(const View *v)
{
  HyRoomCounts counts;
  hy_room_counts(v->room, &counts);
  printf("%s: %u state%s\n", hy_model_name(v->sim->model), v->n, v->n == 1 ? "" : "s");
  states_text(v);
  guint sources = sources_text(v), modes = modes_text(v);
  rows_text(v);
  shared_text(v);
  gboolean open = FALSE;
  title("Summary", &open);
  number_text("states", v->n);
  number_text("sources", sources);
  number_text("modes", modes);
  number_text("rows", counts.rows);
  number_text("forms of rows", counts.templates);
  number_text("linear rows", counts.linear);
  printf("  %-22s %.3g\n", "bytes a state", (double)counts.bytes / v->n);
  printf("  %-22s %.3g\n", "ms to derive them", counts.seconds * 1e3);
  g_autoptr(GString) partition = g_string_new("\n");
  hy_stats_partition_text(v->sim, partition);
  fputs(partition->len > 1 ? partition->str : "", stdout);
}

/* JSON ------------------------------------------------------------------------------------------
 */

static const char *comma(gboolean *open)
{
  const char *text = *open ? ",\n  " : "\n  ";
  *open = TRUE;
  return text;
}

static void string_member(GString *out, const char *name, char *text)
{
  g_string_append_printf(out, "\"%s\":", name);
  hy_json_string(out, text);
  g_free(text);
}

static void slots_json(const View *v, GString *out, guint32 row)
{
  const guint32 *slot = hy_row_slots(v->rows, row);
  for (guint k = 0; k < hy_row_template(v->rows, row)->n_slots; k++) {
    g_autofree char *name = hy_print_slot(v->room, slot[k]);
    g_string_append(out, k == 0 ? ",\"slots\":[" : ",");
    hy_json_string(out, name);
  }
  g_string_append(out, hy_row_template(v->rows, row)->n_slots > 0 ? "]" : ",\"slots\":[]");
  for (guint k = 0; v->partials && k < hy_row_template(v->rows, row)->n_slots; k++) {
    g_autofree char *text = hy_print_partial(v->room, row, k);
    g_string_append(out, k == 0 ? ",\"partials\":[" : ",");
    hy_json_string(out, text);
  }
  g_string_append(out, v->partials && hy_row_template(v->rows, row)->n_slots > 0 ? "]" : "");
}

static void state_json(const View *v, GString *out, guint state)
{
  guint32 row = hy_print_state_row(v->room, state);
  g_string_append_c(out, '{');
  string_member(out, "path", state_name(v, state));
  g_string_append(out, ",\"start\":");
  hy_json_number(out, start_value(v, state));
  if (row != HY_NO_ROW) {
    g_string_append_printf(out, ",\"template\":%u,", hy_row(v->rows, row)->template);
    string_member(out, "derivative", hy_print_row(v->room, row));
    slots_json(v, out, row);
  } else {
    g_string_append(out, ",\"template\":null,\"derivative\":null");
  }
  g_string_append_c(out, '}');
}

static guint sources_json(const View *v, GString *out)
{
  guint n = 0, slots = v->sim->graph->first_out[v->sim->n];
  gboolean open = FALSE;
  for (guint slot = 0; slot < slots; slot++) {
    if (v->role[slot] == SOURCE) {
      g_string_append_printf(out, "%s{", comma(&open));
      string_member(out, "path", hy_print_slot(v->room, slot));
      g_string_append_printf(out, ",\"class\":\"%s\"}", source_class(v, slot));
      n++;
    }
  }
  return n;
}

static guint flags_json(const View *v, GString *out)
{
  guint n = 0, flag = 0;
  gboolean open = FALSE;
  for (guint a = 0; a < v->sim->n; a++) {
    for (guint k = 0; k < hy_print_n_flags(v->room, a); k++) {
      if (v->read[flag++]) {
        g_string_append_printf(out, "%s{", comma(&open));
        string_member(out, "flag", hy_print_flag(v->room, a, k));
        g_string_append_c(out, ',');
        string_member(out, "when", hy_print_condition(v->room, a, k));
        g_string_append_c(out, '}');
        n++;
      }
    }
  }
  return n;
}

static void shared_json(const View *v, GString *out)
{
  gboolean open = FALSE;
  for (guint k = 0; k < v->rows->hub->len; k++) {
    const HyHub *hub = &g_array_index(v->rows->hub, HyHub, k);
    g_string_append_printf(out, "%s{", comma(&open));
    string_member(out, "path", hy_print_slot(v->room, hub->slot));
    g_string_append_c(out, ',');
    string_member(out, "value", hy_print_row(v->room, hub->row));
    slots_json(v, out, hub->row);
    g_string_append_c(out, '}');
  }
}

static void templates_json(const View *v, GString *out)
{
  static const char *const degrees[] = {"number", "linear", "nonlinear"};
  gboolean open = FALSE;
  for (guint k = 0; k < v->rows->templates->len; k++) {
    const HyTemplate *t = g_ptr_array_index(v->rows->templates, k);
    g_string_append_printf(
        out, "%s{\"n_rows\":%u,\"degree\":\"%s\",\"slots\":%u,\"numbers\":%u,\"flags\":%u}",
        comma(&open), t->n_rows, degrees[t->degree], t->n_slots, t->n_numbers, t->n_flags);
  }
}

static void show_json(const View *v)
{
  g_autoptr(GString) out = g_string_new("{");
  HyRoomCounts counts;
  gboolean open = FALSE;
  hy_room_counts(v->room, &counts);
  string_member(out, "model", g_strdup(hy_model_name(v->sim->model)));
  g_string_append(out, ",\n\"states\":[");
  for (guint k = 0; k < v->n; k++) {
    g_string_append(out, comma(&open));
    state_json(v, out, k);
  }
  g_string_append(out, "],\n\"shared\":[");
  shared_json(v, out);
  g_string_append(out, "],\n\"sources\":[");
  guint sources = sources_json(v, out);
  g_string_append(out, "],\n\"flags\":[");
  guint flags = flags_json(v, out);
  g_string_append(out, "],\n\"templates\":[");
  templates_json(v, out);
  g_string_append(out, "],\n");
  hy_stats_partition_json(v->sim, out);
  g_string_append_printf(
      out,
      "\"summary\":{\"states\":%u,\"sources\":%u,\"flags\":%u,"
      "\"rows\":%" G_GUINT64_FORMAT ",\"templates\":%" G_GUINT64_FORMAT
      ",\"linear\":%" G_GUINT64_FORMAT ",\"bytes\":%" G_GSIZE_FORMAT ",\"seconds\":",
      v->n, sources, flags, counts.rows, counts.templates, counts.linear, counts.bytes);
  hy_json_number(out, counts.seconds);
  g_string_append(out, "}}");
  puts(out->str);
}

/* -----------------------------------------------------------------------------------------------
 */

static gboolean show(View *v, gboolean json, GError **error)
{
  if (!hy_sim_init_equations(v->sim, v->t0, error)) {
    return FALSE;
  }
  v->room = v->sim->room;
  v->n = v->room != NULL ? hy_print_n_states(v->room) : 0;
  if (v->n == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: there are no equations: no block of this model has a continuous state, as an "
                "integrator has",
                hy_model_name(v->sim->model));
    return FALSE;
  }
  v->rows = hy_print_rows(v->room);
  view_init(v);
  if (json) {
    show_json(v);
  } else {
    show_text(v);
  }
  g_free(v->role);
  g_free(v->read);
  return TRUE;
}

int cli_equations(int argc, char **argv)
{
  g_auto(CliModel) m = CLI_MODEL_NONE;
  gboolean json = FALSE;
  View view = {0};
  const GOptionEntry entries[] = {
      {"all", 'a', 0, G_OPTION_ARG_NONE, &view.every, "Every row of a large system", NULL},
      {"partials", 'p', 0, G_OPTION_ARG_NONE, &view.partials,
       "The partial derivatives of each row, too", NULL},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "As JSON, all of it", NULL},
      {0},
  };
  g_autofree GOptionEntry *shared = cli_model_entries(&m);
  const CliPage page = {"equations MODEL.xml [OPTIONS]",
                        "Shows the system of a block diagram, x' = f(x, u), without running it.",
                        teach, entries, shared};
  int status;
  if (!cli_options(&page, &argc, &argv, &status)) {
    return status;
  }
  if (argc != 2) {
    return cli_usage("equations", argc < 2 ? "which model?" : "one model at a time");
  }
  m.until = m.until != NULL ? m.until : g_strdup("inf"); /* nothing is run */
  g_autoptr(HyLoaded) loaded = cli_model_load("equations", &m, argv[1], &status);
  CliRun run = {0};
  if (loaded == NULL || !cli_model_sim("equations", &m, loaded, "flat", &run, &status)) {
    return status;
  }
  view.sim = run.sim;
  view.t0 = run.t0;
  g_autoptr(GError) error = NULL;
  status = show(&view, json, &error) ? 0 : cli_failed_blocks(loaded, error);
  hy_sim_free(run.sim);
  return cli_finish(status);
}
