/* The system of a block diagram, states and their derivatives, as one would write it on paper. */
#include "hydevs/equations.h"

#include "coupled/order.h"
#include "equations/jacobian.h"
#include "equations/print.h"
#include "hydevs/json.h"
#include "hydevs/text.h"
#include "results/stats_partition.h"
#include "sim/engine.h"

#define SMALL 30 /* up to so many states, every row is shown */

/* What a slot of the flat graph is to the rows. */
enum { UNREAD, STATE, SOURCE, SHARED };

struct HyEquations {
  HySim *sim;
  gpointer life; /* of SIM, held */
  HyRoom *room;  /* NULL: no block states what it computes */
  const HyRows *rows;
  double t0;
  guint n;      /* states */
  guint8 *role; /* [slots]: one of the above */
  guint8 *read; /* [flags]: by a row, or decided by a group */
};

static void find_roles(HyEquations *e)
{
  const HyFlat *flat = e->sim->graph;
  gsize slots = flat->first_out[flat->n], flags = 0;
  for (guint a = 0; a < flat->n; a++) {
    flags += hy_print_n_flags(e->room, a);
  }
  e->role = g_new0(guint8, slots + 1);
  e->read = g_new0(guint8, flags + 1);
  for (guint k = 0; k < e->rows->slot->len; k++) {
    e->role[g_array_index(e->rows->slot, guint32, k)] = SOURCE;
  }
  for (guint k = 0; k < e->rows->hub->len; k++) {
    e->role[g_array_index(e->rows->hub, HyHub, k).slot] = SHARED;
  }
  for (guint k = 0; k < e->n; k++) {
    e->role[flat->first_out[hy_print_state_atomic(e->room, k)]] = STATE;
  }
  for (guint k = 0; k < e->rows->flag->len; k++) {
    e->read[g_array_index(e->rows->flag, guint32, k)] = 1;
  }
  hy_print_mark_owned(e->room, e->read);
}

HyEquations *hy_equations_new(HySim *sim, double t0, GError **error)
{
  g_return_val_if_fail(sim != NULL, NULL);
  if (!hy_sim_init_equations(sim, t0, error)) {
    return NULL;
  }
  HyEquations *e = g_new0(HyEquations, 1);
  e->sim = sim;
  e->life = g_atomic_rc_box_acquire(sim->life);
  e->room = sim->room;
  e->t0 = t0;
  e->n = e->room != NULL ? hy_print_n_states(e->room) : 0;
  if (e->n > 0) {
    e->rows = hy_print_rows(e->room);
    find_roles(e);
  }
  return e;
}

void hy_equations_free(HyEquations *e)
{
  if (e != NULL) {
    g_atomic_rc_box_release(e->life);
    g_free(e->role);
    g_free(e->read);
    g_free(e);
  }
}

/* They are those of one init of the simulation. */
static gboolean is_current(const HyEquations *e)
{
  return e != NULL && e->life == e->sim->life;
}

/* Numbers ------------------------------------------------------------------------------------- */

const char *hy_equations_model(const HyEquations *e)
{
  g_return_val_if_fail(is_current(e), NULL);
  return hy_model_name(e->sim->model);
}

guint hy_equations_n(const HyEquations *e)
{
  g_return_val_if_fail(is_current(e), 0);
  return e->n;
}

char *hy_equations_state(const HyEquations *e, guint state)
{
  g_return_val_if_fail(is_current(e) && state < e->n, NULL);
  return hy_print_slot(e->room, e->sim->graph->first_out[hy_print_state_atomic(e->room, state)]);
}

double hy_equations_value(const HyEquations *e, guint state, double t)
{
  g_return_val_if_fail(is_current(e) && state < e->n, NAN);
  return hy_sim_value(e->sim, hy_print_state_atomic(e->room, state), t);
}

char *hy_equations_derivative(const HyEquations *e, guint state)
{
  g_return_val_if_fail(is_current(e) && state < e->n, NULL);
  guint32 row = hy_print_state_row(e->room, state);
  return row != HY_NO_ROW ? hy_print_row(e->room, row) : NULL;
}

static guint n_read(const HyEquations *e, guint32 row)
{
  return row != HY_NO_ROW ? hy_row_template(e->rows, row)->n_slots : 0;
}

char *hy_equations_reads(const HyEquations *e, guint state, guint k)
{
  g_return_val_if_fail(is_current(e) && state < e->n, NULL);
  guint32 row = hy_print_state_row(e->room, state);
  return k < n_read(e, row) ? hy_print_slot(e->room, hy_row_slots(e->rows, row)[k]) : NULL;
}

char *hy_equations_partial(const HyEquations *e, guint state, guint k)
{
  g_return_val_if_fail(is_current(e) && state < e->n, NULL);
  guint32 row = hy_print_state_row(e->room, state);
  return k < n_read(e, row) ? hy_print_partial(e->room, row, k) : NULL;
}

static const char *source_class(const HyEquations *e, guint slot)
{
  return hy_sim_class(e->sim, hy_print_slot_atomic(e->room, slot))->name;
}

/* A source that answers at once: the solution of a loop or of an equation. Rows end there, though
 * it follows states. */
static gboolean is_solved(const HyEquations *e, guint slot)
{
  return e->role[slot] == SOURCE &&
         hy_answers_at_once(hy_sim_class(e->sim, hy_print_slot_atomic(e->room, slot)));
}

char *hy_equations_solved(const HyEquations *e, guint k)
{
  g_return_val_if_fail(is_current(e), NULL);
  guint slots = e->n > 0 ? e->sim->graph->first_out[e->sim->n] : 0;
  for (guint slot = 0; slot < slots; slot++) {
    if (is_solved(e, slot) && k-- == 0) {
      g_autofree char *name = hy_print_slot(e->room, slot);
      return g_strdup_printf("%s (%s)", name, source_class(e, slot));
    }
  }
  return NULL;
}

static void not_finite(const HyEquations *e, guint state, const double *row, double t,
                       GError **error)
{
  g_autofree char *name = hy_equations_state(e, state);
  if (hy_print_state_row(e->room, state) == HY_NO_ROW) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "%s: its derivative comes from outside the diagram, or is too large, and has no "
                "partial derivatives",
                name);
    return;
  }
  guint by = 0;
  while (by + 1 < e->n && isfinite(row[by])) {
    by++;
  }
  g_autofree char *other = hy_equations_state(e, by);
  char text[HY_DOUBLE_SIZE];
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: d %s' / d %s is not finite at t = %s", name,
              name, other, hy_double_text(text, t));
}

gboolean hy_equations_jacobian(const HyEquations *e, double t, double *a, GError **error)
{
  g_return_val_if_fail(is_current(e) && a != NULL, FALSE);
  if (!(t >= hy_sim_time(e->sim)) || isinf(t)) {
    char at[HY_DOUBLE_SIZE], last[HY_DOUBLE_SIZE];
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "%s: t = %s is no time from the last event on, which was at %s",
                hy_equations_model(e), hy_double_text(at, t),
                hy_double_text(last, hy_sim_time(e->sim)));
    return FALSE;
  }
  guint bad = e->n > 0 ? hy_room_jacobian(e->room, t, a) : 0;
  if (bad < e->n) {
    not_finite(e, bad, a + (gsize)bad * e->n, t, error);
  }
  return bad == e->n;
}

/* What is shown of them, and where. */
typedef struct {
  const HyEquations *e;
  GString *out;
  gboolean every, partials;
} View;

/* Text ---------------------------------------------------------------------------------------- */

static void title(const View *v, const char *text, gboolean *open)
{
  if (!*open) {
    g_string_append_printf(v->out, "\n%s\n", text);
  }
  *open = TRUE;
}

static void and_more(const View *v, guint all, guint shown)
{
  if (all > shown) {
    g_string_append_printf(v->out, "  and %u more; --all shows them\n", all - shown);
  }
}

static void states_text(const View *v)
{
  guint shown = v->every ? v->e->n : MIN(v->e->n, SMALL);
  gboolean open = FALSE;
  for (guint k = 0; k < shown; k++) {
    g_autofree char *name = hy_equations_state(v->e, k);
    char number[HY_DOUBLE_SIZE];
    title(v, "States, and where they start", &open);
    g_string_append_printf(v->out, "  %s = %s\n", name,
                           hy_double_text(number, hy_equations_value(v->e, k, v->e->t0)));
  }
  and_more(v, v->e->n, shown);
}

static guint sources_text(const View *v)
{
  guint n = 0, shown = 0, slots = v->e->sim->graph->first_out[v->e->sim->n];
  gboolean open = FALSE;
  for (guint slot = 0; slot < slots; slot++) {
    if (v->e->role[slot] == SOURCE && ++n <= (v->every ? slots : SMALL)) {
      g_autofree char *name = hy_print_slot(v->e->room, slot);
      title(v, "Sources", &open);
      g_string_append_printf(v->out, "  %s: %s%s\n", name, source_class(v->e, slot),
                             is_solved(v->e, slot) ? ", a solution; what it follows is not shown"
                                                   : "");
      shown++;
    }
  }
  and_more(v, n, shown);
  return n;
}

static guint modes_text(const View *v)
{
  guint n = 0, shown = 0, flag = 0;
  gboolean open = FALSE;
  for (guint a = 0; a < v->e->sim->n; a++) {
    guint modes = hy_print_n_flags(v->e->room, a);
    for (guint k = 0; k < modes; k++) {
      if (v->e->read[flag++] && ++n <= (v->every ? G_MAXUINT : SMALL)) {
        g_autofree char *name = hy_print_flag(v->e->room, a, k);
        g_autofree char *when = hy_print_condition(v->e->room, a, k);
        title(v, "Modes, and when they are set", &open);
        g_autofree char *owner = hy_print_owner(v->e->room, a);
        g_string_append_printf(v->out, "  %s: %s%s%s\n", name, when,
                               owner != NULL ? ", found by the group of " : "",
                               owner != NULL ? owner : "");
        shown++;
      }
    }
  }
  and_more(v, n, shown);
  return n;
}

static void partials_text(const View *v, const char *name, guint32 row)
{
  const guint32 *slot = hy_row_slots(v->e->rows, row);
  for (guint k = 0; k < hy_row_template(v->e->rows, row)->n_slots; k++) {
    g_autofree char *q = hy_print_slot(v->e->room, slot[k]);
    g_autofree char *text = hy_print_partial(v->e->room, row, k);
    g_string_append_printf(v->out, "    d %s' / d %s = %s\n", name, q, text);
  }
}

static void row_text(const View *v, guint state)
{
  guint32 row = hy_print_state_row(v->e->room, state);
  g_autofree char *name = hy_equations_state(v->e, state);
  if (row == HY_NO_ROW) {
    g_string_append_printf(
        v->out, "  %s' comes from outside the diagram, or is too large to be shown\n", name);
    return;
  }
  g_autofree char *text = hy_print_row(v->e->room, row);
  g_string_append_printf(v->out, "  %s' = %s\n", name, text);
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
  g_autofree char *second = hy_equations_state(v->e, f->second),
                  *last = hy_equations_state(v->e, f->last);
  row_text(v, f->first);
  if (f->n == 2) {
    g_string_append_printf(v->out, "    and %s'\n", last);
  } else if (f->n > 2) {
    g_string_append_printf(v->out, "    and %u more of this form: %s' ... %s'\n", f->n - 1, second,
                           last);
  }
}

static void forms_text(const View *v)
{
  guint n = v->e->rows->templates->len; /* states without a row come last, as one form */
  g_autofree Form *form = g_new0(Form, (gsize)n + 1);
  for (guint k = 0; k < v->e->n; k++) {
    guint32 row = hy_print_state_row(v->e->room, k);
    Form *f = &form[row == HY_NO_ROW ? n : hy_row(v->e->rows, row)->template];
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
  title(v, "Equations", &open);
  if (!v->every && v->e->n > SMALL) {
    forms_text(v);
    return;
  }
  for (guint k = 0; k < v->e->n; k++) {
    row_text(v, k);
  }
}

/* What many rows are made of, and stands in them by its name. */
static void shared_text(const View *v)
{
  gboolean open = FALSE;
  for (guint k = 0; k < v->e->rows->hub->len; k++) {
    const HyHub *hub = &g_array_index(v->e->rows->hub, HyHub, k);
    g_autofree char *name = hy_print_slot(v->e->room, hub->slot);
    g_autofree char *text = hy_print_row(v->e->room, hub->row);
    title(v, "Shared by rows", &open);
    g_string_append_printf(v->out, "  %s = %s\n", name, text);
  }
}

/* What blocks say that groups compute for them, at their states as they are. */
static guint readings_text(const View *v)
{
  guint n = 0, shown = 0, all = hy_print_n_readings(v->e->room);
  gboolean open = FALSE;
  for (guint k = 0; k < all; k++) {
    if (!hy_print_reading_is_shown(v->e->room, k) || ++n > (v->every ? G_MAXUINT : SMALL)) {
      continue;
    }
    g_autofree char *name = hy_print_reading(v->e->room, k);
    g_autofree char *text = hy_print_row(v->e->room, hy_print_reading_row(v->e->room, k));
    g_autofree char *reader = hy_print_reader(v->e->room, k);
    title(v, "Readings", &open);
    g_string_append_printf(v->out, "  %s = %s, read by the group of %s\n", name, text, reader);
    shown++;
  }
  and_more(v, n, shown);
  return n;
}

static void number_text(const View *v, const char *what, guint64 n)
{
  g_string_append_printf(v->out, "  %-22s %" G_GUINT64_FORMAT "\n", what, n);
}

/* The states of one block after the other, and why they are solved together. */
static void block_text(const View *v, guint first, guint block, const char *why, gboolean *open)
{
  guint other;
  title(v, "Blocks", open);
  for (guint k = first; k < v->e->n; k++) {
    if (hy_print_block(v->e->room, k, &other) != NULL && other == block) {
      g_autofree char *name = hy_sim_path(v->e->sim, hy_print_state_atomic(v->e->room, k));
      g_string_append_printf(v->out, "%s%s", k == first ? "  " : ", ", name);
    }
  }
  g_string_append_printf(v->out, ": %s\n", why);
}

static void blocks_text(const View *v)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  gboolean open = FALSE;
  guint block;
  for (guint k = 0; k < v->e->n; k++) {
    const char *why = hy_print_block(v->e->room, k, &block);
    if (why != NULL && g_hash_table_add(seen, GUINT_TO_POINTER(block + 1))) {
      block_text(v, k, block, why, &open);
    }
  }
}

void hy_equations_text(const HyEquations *e, gboolean all, gboolean partials, GString *out)
{
  g_return_if_fail(is_current(e) && out != NULL);
  const View view = {e, out, all, partials}, *v = &view;
  HyRoomCounts counts;
  if (e->n == 0) { /* there is no room, or nothing in it */
    g_string_append_printf(out, "%s: 0 states\n", hy_equations_model(e));
    return;
  }
  hy_room_counts(v->e->room, &counts);
  g_string_append_printf(v->out, "%s: %u state%s\n", hy_equations_model(v->e), v->e->n,
                         v->e->n == 1 ? "" : "s");
  states_text(v);
  guint sources = sources_text(v), modes = modes_text(v);
  rows_text(v);
  shared_text(v);
  guint readings = readings_text(v);
  blocks_text(v);
  gboolean open = FALSE;
  title(v, "Summary", &open);
  number_text(v, "states", v->e->n);
  number_text(v, "sources", sources);
  number_text(v, "modes", modes);
  number_text(v, "readings", readings);
  number_text(v, "rows", counts.rows);
  number_text(v, "forms of rows", counts.templates);
  number_text(v, "linear rows", counts.linear);
  g_string_append_printf(v->out, "  %-22s %.3g\n", "bytes a state", (double)counts.bytes / v->e->n);
  g_string_append_printf(v->out, "  %-22s %.3g\n", "ms to derive them", counts.seconds * 1e3);
  g_autoptr(GString) partition = g_string_new("\n");
  hy_stats_partition_text(v->e->sim, partition);
  g_string_append(v->out, partition->len > 1 ? partition->str : "");
}

/* JSON ---------------------------------------------------------------------------------------- */

/* TEXT becomes the writer's. */
static void add_text(HyJsonOut *json, const char *key, char *text)
{
  hy_json_text(json, key, text);
  g_free(text);
}

static void slots_json(const View *v, HyJsonOut *json, guint32 row)
{
  const guint32 *slot = hy_row_slots(v->e->rows, row);
  guint n = hy_row_template(v->e->rows, row)->n_slots;
  hy_json_begin(json, "slots", '[');
  for (guint k = 0; k < n; k++) {
    add_text(json, NULL, hy_print_slot(v->e->room, slot[k]));
  }
  hy_json_end(json, ']');
  if (!v->partials || n == 0) {
    return;
  }
  hy_json_begin(json, "partials", '[');
  for (guint k = 0; k < n; k++) {
    add_text(json, NULL, hy_print_partial(v->e->room, row, k));
  }
  hy_json_end(json, ']');
}

static void state_json(const View *v, HyJsonOut *json, guint state)
{
  guint32 row = hy_print_state_row(v->e->room, state);
  hy_json_begin(json, NULL, '{');
  add_text(json, "path", hy_equations_state(v->e, state));
  hy_json_real(json, "start", hy_equations_value(v->e, state, v->e->t0));
  if (row != HY_NO_ROW) {
    hy_json_count(json, "template", hy_row(v->e->rows, row)->template);
    add_text(json, "derivative", hy_print_row(v->e->room, row));
    slots_json(v, json, row);
  } else {
    hy_json_null(json, "template");
    hy_json_null(json, "derivative");
  }
  hy_json_end(json, '}');
}

static void states_json(const View *v, HyJsonOut *json)
{
  hy_json_begin_lines(json, "states", '[');
  for (guint k = 0; k < v->e->n; k++) {
    state_json(v, json, k);
  }
  hy_json_end(json, ']');
}

static guint sources_json(const View *v, HyJsonOut *json)
{
  guint n = 0, slots = v->e->sim->graph->first_out[v->e->sim->n];
  hy_json_begin_lines(json, "sources", '[');
  for (guint slot = 0; slot < slots; slot++) {
    if (v->e->role[slot] == SOURCE) {
      hy_json_begin(json, NULL, '{');
      add_text(json, "path", hy_print_slot(v->e->room, slot));
      hy_json_text(json, "class", source_class(v->e, slot));
      hy_json_end(json, '}');
      n++;
    }
  }
  hy_json_end(json, ']');
  return n;
}

static guint flags_json(const View *v, HyJsonOut *json)
{
  guint n = 0, flag = 0;
  hy_json_begin_lines(json, "flags", '[');
  for (guint a = 0; a < v->e->sim->n; a++) {
    for (guint k = 0; k < hy_print_n_flags(v->e->room, a); k++) {
      if (v->e->read[flag++]) {
        hy_json_begin(json, NULL, '{');
        add_text(json, "flag", hy_print_flag(v->e->room, a, k));
        add_text(json, "when", hy_print_condition(v->e->room, a, k));
        add_text(json, "group", hy_print_owner(v->e->room, a));
        hy_json_end(json, '}');
        n++;
      }
    }
  }
  hy_json_end(json, ']');
  return n;
}

static void shared_json(const View *v, HyJsonOut *json)
{
  hy_json_begin_lines(json, "shared", '[');
  for (guint k = 0; k < v->e->rows->hub->len; k++) {
    const HyHub *hub = &g_array_index(v->e->rows->hub, HyHub, k);
    hy_json_begin(json, NULL, '{');
    add_text(json, "path", hy_print_slot(v->e->room, hub->slot));
    add_text(json, "value", hy_print_row(v->e->room, hub->row));
    slots_json(v, json, hub->row);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

static void readings_json(const View *v, HyJsonOut *json)
{
  hy_json_begin_lines(json, "readings", '[');
  for (guint k = 0; k < hy_print_n_readings(v->e->room); k++) {
    guint32 row = hy_print_reading_row(v->e->room, k);
    if (!hy_print_reading_is_shown(v->e->room, k)) {
      continue;
    }
    hy_json_begin(json, NULL, '{');
    add_text(json, "path", hy_print_reading(v->e->room, k));
    add_text(json, "value", hy_print_row(v->e->room, row));
    add_text(json, "group", hy_print_reader(v->e->room, k));
    slots_json(v, json, row);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

static void templates_json(const View *v, HyJsonOut *json)
{
  static const char *const degrees[] = {"number", "linear", "nonlinear"};
  hy_json_begin_lines(json, "templates", '[');
  for (guint k = 0; k < v->e->rows->templates->len; k++) {
    const HyTemplate *t = g_ptr_array_index(v->e->rows->templates, k);
    hy_json_begin(json, NULL, '{');
    hy_json_count(json, "n_rows", t->n_rows);
    hy_json_text(json, "degree", degrees[t->degree]);
    hy_json_count(json, "slots", t->n_slots);
    hy_json_count(json, "numbers", t->n_numbers);
    hy_json_count(json, "flags", t->n_flags);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

/* All but the states, of which there are some. */
static void system_json(const View *v, HyJsonOut *json)
{
  HyRoomCounts counts;
  hy_room_counts(v->e->room, &counts);
  shared_json(v, json);
  readings_json(v, json);
  guint sources = sources_json(v, json), flags = flags_json(v, json);
  templates_json(v, json);
  hy_stats_partition_json(v->e->sim, json);
  hy_json_begin(json, "summary", '{');
  hy_json_count(json, "states", v->e->n);
  hy_json_count(json, "sources", sources);
  hy_json_count(json, "flags", flags);
  hy_json_count(json, "rows", counts.rows);
  hy_json_count(json, "templates", counts.templates);
  hy_json_count(json, "linear", counts.linear);
  hy_json_count(json, "bytes", counts.bytes);
  hy_json_real(json, "seconds", counts.seconds);
  hy_json_end(json, '}');
}

void hy_equations_json(const HyEquations *e, gboolean partials, GString *out)
{
  g_return_if_fail(is_current(e) && out != NULL);
  const View view = {e, out, TRUE, partials};
  HyJsonOut json = {.out = out, .tight = TRUE};
  hy_json_begin_lines(&json, NULL, '{');
  hy_json_text(&json, "model", hy_equations_model(e));
  states_json(&view, &json);
  if (e->n > 0) {
    system_json(&view, &json);
  } else {
    hy_json_begin(&json, "summary", '{');
    hy_json_count(&json, "states", 0);
    hy_json_end(&json, '}');
  }
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
}
