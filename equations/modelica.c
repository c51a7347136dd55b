/* The rows of a simulation as one flat Modelica model: declarations, equations, events. What is
 * read and what is refused is as in a standalone C file (standalone_read.c). */
#include "modelica_internal.h"

#include "base/number.h"
#include "expr/template.h"
#include "print.h"

#include <math.h>

#define TURNS_MOST 10000U /* of modes at the start */

/* Modes at the start ----------------------------------------------------------------------------
 */

static double evaluate(const HyModelica *w, guint32 row)
{
  const HyRows *rows = &w->m.rows;
  HyTemplate *t = hy_row_template(rows, row);
  g_autofree double *u = g_new(double, (gsize)t->n_slots + 1);
  g_autofree guint8 *set = g_new(guint8, (gsize)t->n_flags + 1);
  for (guint k = 0; k < t->n_slots; k++) {
    u[k] = w->at_start[w->m.place[hy_row_slots(rows, row)[k]] - 1];
  }
  for (guint k = 0; k < t->n_flags; k++) {
    set[k] = w->set[w->m.flag_at[hy_row_flags(rows, row)[k]] - 1];
  }
  return hy_template_at(t, u, hy_row_numbers(rows, row), set);
}

static void set_hubs(HyModelica *w)
{
  guint first = w->m.n + w->m.source->len;
  for (guint k = 0; k < w->m.hub->len; k++) {
    guint32 row = hy_rows_hub(&w->m.rows, hy_nth(w->m.hub, k))->row;
    w->at_start[first + k] = evaluate(w, row);
  }
}

/* The first mode that is wrong turns, until none is. */
static void decide(HyModelica *w)
{
  guint turns = 0;
  set_hubs(w);
  for (guint k = 0; k < w->m.mode->len;) {
    const HyStandaloneMode *mode = &g_array_index(w->m.mode, HyStandaloneMode, k);
    double z = evaluate(w, w->set[k] ? mode->falls : mode->rises);
    gboolean wrong = w->set[k] ? z < 0.0 : z > 0.0;
    if (wrong && turns++ < TURNS_MOST) {
      w->set[k] = !w->set[k];
      set_hubs(w);
      k = 0;
    } else {
      k++;
    }
  }
}

/* Paths ---------------------------------------------------------------------------------------- */

/* Of states, sources and hubs, as their places are; ends with NULL. */
static char **value_paths(const HyStandaloneMaker *m)
{
  const HyFlat *flat = m->room->diagram.flat;
  GPtrArray *path = g_ptr_array_new();
  for (guint k = 0; k < m->n; k++) {
    guint32 slot = flat->first_out[hy_room_state(m->room, k)->atomic];
    g_ptr_array_add(path, hy_print_slot(m->room, slot));
  }
  const GArray *const lists[] = {m->source, m->hub};
  for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
    for (guint k = 0; k < lists[i]->len; k++) {
      g_ptr_array_add(path, hy_print_slot(m->room, hy_nth(lists[i], k)));
    }
  }
  g_ptr_array_add(path, NULL);
  return (char **)g_ptr_array_free(path, FALSE);
}

static char **mode_paths(const HyStandaloneMaker *m)
{
  const HyRoom *room = m->room;
  GPtrArray *path = g_ptr_array_new();
  for (guint k = 0; k < m->mode->len; k++) {
    guint32 flag = g_array_index(m->mode, HyStandaloneMode, k).flag;
    guint atomic = hy_part_of(room->first_flag, room->diagram.flat->n, flag);
    guint mode = flag - room->first_flag[atomic];
    gboolean only = hy_print_n_flags(room, atomic) == 1;
    g_autofree char *block = hy_print_block_path(room, atomic);
    g_ptr_array_add(path, only && g_str_has_suffix(block, ".on") ? g_strdup(block)
                          : only                                 ? g_strdup_printf("%s.on", block)
                                 : g_strdup_printf("%s.on%u", block, mode + 1));
  }
  g_ptr_array_add(path, NULL);
  return (char **)g_ptr_array_free(path, FALSE);
}

/* The file --------------------------------------------------------------------------------------
 */

static const char wlog_function[] =
    "  function wlog \"y + exp(y) = a\"\n"
    "    input Real a;\n"
    "    output Real y;\n"
    "  protected\n"
    "    Real w;\n"
    "  algorithm\n"
    "    y := if a > 1 then log(a) else a - (if a > -30 then exp(a) / (1 + exp(a)) else 0);\n"
    "    for k in 1:8 loop\n"
    "      w := exp(y);\n"
    "      y := y - (y + w - a) / (1 + w);\n"
    "    end for;\n"
    "    annotation(derivative = wlog_slope);\n"
    "  end wlog;\n"
    "  function wlog_slope\n"
    "    input Real a;\n"
    "    input Real da;\n"
    "    output Real dy;\n"
    "  algorithm\n"
    "    dy := da / (1 + exp(wlog(a)));\n"
    "  end wlog_slope;\n";

/* Members of one or other kind of the first state: the name that QSS Solver has for it. */
static const char *solver_of(const HyRoom *room)
{
  static const struct {
    const char *ours, *theirs;
  } known[] = {{"qss1", "QSS"},           {"qss2", "QSS2"},     {"qss3", "QSS3"},
               {"liqss1", "LIQSS"},       {"liqss2", "LIQSS2"}, {"liqss3", "LIQSS3"},
               {"cvode_bdf", "CVODE_BDF"}};
  const HyMethod *method = hy_room_state(room, 0)->member->method;
  for (guint k = 0; method != NULL && k < G_N_ELEMENTS(known); k++) {
    if (g_strcmp0(method->name, known[k].ours) == 0) {
      return known[k].theirs;
    }
  }
  return "LIQSS2";
}

static void put_experiment(const HyModelica *w, GString *out)
{
  const HyStandalone *with = w->m.with;
  g_string_append(out, "  annotation(experiment(StartTime = ");
  hy_modelica_number(out, with->t0);
  g_string_append(out, ", StopTime = ");
  hy_modelica_number(out, with->tf);
  if (w->micro) {
    g_string_append_printf(out, ", MMO_Description = \"\", MMO_Solver = %s, MMO_Output = {",
                           solver_of(w->m.room));
    for (guint k = 0, n = 0; k < w->m.n; k++) {
      if (w->value[k].index <= 1) {
        g_string_append_printf(out, "%s%s", n++ > 0 ? ", " : "", w->value[k].base);
      }
    }
    g_string_append(out, "}, Jacobian = Sparse, Tolerance = {1e-3}, AbsTolerance = {1e-6}));\n");
  } else {
    g_string_append(out, ", Tolerance = 1e-6));\n");
  }
}

static void put_file(HyModelica *w, const char *name, GString *out)
{
  g_string_append_printf(out, "model %s\n", name);
  g_string_append_printf(
      out, "  // equations by hydevs export --%s; names of the model are behind declarations\n",
      w->micro ? "micromodelica" : "modelica");
  if (w->wlog) {
    g_string_append(out, wlog_function);
  }
  g_string_append(out, w->declared->str);
  if (w->micro && w->initial->len > 0) {
    g_string_append_printf(out, "initial algorithm\n%s", w->initial->str);
  }
  g_string_append_printf(out, "equation\n%s", w->equations->str);
  if (w->events->len > 0) {
    g_string_append_printf(out, "algorithm\n%s", w->events->str);
  }
  put_experiment(w, out);
  g_string_append_printf(out, "end %s;\n", name);
}

static gboolean write_all(HyModelica *w, GString *out, GError **error)
{
  HyStandaloneMaker *m = &w->m;
  guint n = m->n + m->source->len + m->hub->len, modes = m->mode->len;
  g_auto(GStrv) value = value_paths(m);
  g_auto(GStrv) mode = mode_paths(m);
  const char *name = hy_modelica_claim(w, m->with->model);
  w->value = g_new0(HyModelicaName, (gsize)n + 1);
  w->mode = g_new0(HyModelicaName, (gsize)modes + 1);
  w->at_start = g_new0(double, (gsize)n + 1);
  w->set = g_new0(guint8, (gsize)modes + 1);
  hy_modelica_name(w, value, n, w->value);
  hy_modelica_name(w, mode, modes, w->mode);
  for (guint k = 0; k < m->n; k++) {
    w->at_start[k] = m->with->start[k];
  }
  hy_modelica_declare(w, "Real", w->value, value, m->n, m->with->start);
  if (!hy_modelica_sources(w, &value[m->n], error)) {
    return FALSE;
  }
  decide(w);
  g_autofree double *set = g_new(double, (gsize)modes + 1);
  for (guint k = 0; k < modes; k++) {
    set[k] = w->set[k];
  }
  guint first = m->n + m->source->len;
  hy_modelica_declare(w, "Real", &w->value[first], &value[first], m->hub->len, NULL);
  hy_modelica_declare(w, "Boolean", w->mode, mode, modes, set);
  if (!hy_modelica_rows(w, error)) {
    return FALSE;
  }
  put_file(w, name, out);
  return TRUE;
}

gboolean hy_modelica(const HyRoom *room, const HyStandalone *with, gboolean micro, GString *out,
                     GError **error)
{
  HyModelica w = {.m = {.room = room, .with = with, .out = out},
                  .micro = micro,
                  .taken = g_hash_table_new(g_str_hash, g_str_equal),
                  .shared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                  .text = g_string_chunk_new(4096)};
  GString **const part[] = {&w.declared, &w.equations, &w.events, &w.initial};
  for (guint k = 0; k < G_N_ELEMENTS(part); k++) {
    *part[k] = g_string_new(NULL);
  }
  hy_standalone_init(&w.m);
  gboolean ok = hy_standalone_may(with, error) && hy_standalone_meet(&w.m, error) &&
                write_all(&w, out, error);
  hy_standalone_clear(&w.m);
  for (guint k = 0; k < G_N_ELEMENTS(part); k++) {
    g_string_free(*part[k], TRUE);
  }
  g_hash_table_unref(w.taken);
  g_hash_table_unref(w.shared);
  g_string_chunk_free(w.text);
  g_free(w.value);
  g_free(w.mode);
  g_free(w.at_start);
  g_free(w.set);
  return ok;
}
