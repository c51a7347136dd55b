/* Rows as a C file. They are derived anew, and with them the rows that decide the modes which they
 * read, the modes which those read, and so on; so are the hubs on the way. What is said from
 * outside of them, by sources, follows no state: all of it up to the end of the run is a table of
 * pieces.
 *
 * The values that rows read stand in one array v: states, then sources, then hubs. A row is a form
 * (the program of its template) with the places of its slots in v, its numbers and its flags. A
 * linear row is a sum of factors, as it is when it is run (row_values.c):
 *
 *   x' = a_n + a_0 v_0 + a_1 v_1 + ...   in this order,
 *
 * where the a_k are numbers of the row, or a program where they follow from modes. */
#include "standalone_internal.h"

#include "./base/number.h"
#include "expr/program_c.h"
#include "hydevs/error.h"

#include <math.h>
#include <string.h>

#define FEW 30 /* states: the Jacobian is dense */

/* Forms -----------------------------------------------------------------------------------------
 */

typedef enum { OF_NUMBERS, OF_MODES, OF_VALUES } FormKind;

static FormKind kind_of(const HyTemplate *t)
{
  return t->degree == HY_NONLINEAR ? OF_VALUES : t->n_flags > 0 ? OF_MODES : OF_NUMBERS;
}

/* A linear template is compiled when its factors are first asked for. */
static const HyProgram *factors_of(HyTemplate *t, const double *number)
{
  g_autofree double *coef = g_new0(double, (gsize)t->n_slots + 1);
  g_autofree guint8 *flag = g_new0(guint8, (gsize)t->n_flags + 1);
  hy_template_coefficients(t, number, flag, coef);
  return t->linear;
}

static gboolean put_form(HyStandaloneMaker *m, HyTemplate *t, guint number, guint32 row)
{
  FormKind kind = kind_of(t);
  g_autofree char *value = g_strdup_printf("value_%u", number);
  g_autofree char *partial = g_strdup_printf("partials_%u", number);
  const HyProgram *p = kind == OF_NUMBERS ? NULL
                       : kind == OF_MODES ? factors_of(t, hy_row_numbers(&m->rows, row))
                                          : hy_template_partials(t);
  if (p == NULL) {
    return kind == OF_NUMBERS;
  }
  if (kind == OF_VALUES) {
    hy_program_c(hy_template_one(t), value, t->n_slots, TRUE, m->out);
  }
  hy_program_c(p, partial, t->n_slots, FALSE, m->out);
  return TRUE;
}

static gboolean put_forms(HyStandaloneMaker *m, GError **error)
{
  for (guint k = 0; k < m->row->len; k++) {
    HyTemplate *t = hy_row_template(&m->rows, hy_nth(m->row, k));
    if (g_hash_table_contains(m->form_of, t)) {
      continue;
    }
    g_hash_table_insert(m->form_of, t, GUINT_TO_POINTER(m->form->len));
    if (!put_form(m, t, m->form->len, hy_nth(m->row, k))) {
      guint atomic = hy_room_state(m->room, MIN(k, m->n - 1))->atomic;
      return hy_standalone_refuse(
          m, atomic,
          "an equation with modes or products that reads more than 32 signals is not "
          "exported",
          error);
    }
    g_ptr_array_add(m->form, t);
  }
  g_string_append(m->out, "static const Form form[] = {\n");
  for (guint k = 0; k < m->form->len; k++) {
    const HyTemplate *t = m->form->pdata[k];
    FormKind kind = kind_of(t);
    g_string_append_printf(m->out, "  {%u, %u, ", t->n_slots, t->n_flags);
    g_string_append_printf(m->out, kind == OF_VALUES ? "value_%u, " : "0, ", k);
    g_string_append_printf(m->out, kind != OF_NUMBERS ? "partials_%u},\n" : "0},\n", k);
  }
  g_string_append(m->out, "};\n");
  return TRUE;
}

/* Tables ----------------------------------------------------------------------------------------
 */

static void put_integers(HyStandaloneMaker *m, const char *type, const char *name, const GArray *a)
{
  g_string_append_printf(m->out, "static const %s %s[] = {", type, name);
  for (guint k = 0; k < a->len; k++) {
    g_string_append_printf(m->out, k % 16 == 0 ? "\n  %u," : " %u,", hy_nth(a, k));
  }
  g_string_append(m->out, a->len > 0 ? "\n};\n" : "0};\n");
}

static void put_doubles(HyStandaloneMaker *m, const char *name, const double *v, gsize n)
{
  g_string_append_printf(m->out, "static const double %s[] = {", name);
  for (gsize k = 0; k < n; k++) {
    g_string_append(m->out, k % 6 == 0 ? "\n  " : " ");
    hy_c_number(m->out, v[k]);
    g_string_append_c(m->out, ',');
  }
  g_string_append(m->out, n > 0 ? "\n};\n" : "0.0};\n");
}

/* Of a linear row without modes the factors, else its numbers. */
static void add_numbers(HyStandaloneMaker *m, guint32 row, GArray *number)
{
  HyTemplate *t = hy_row_template(&m->rows, row);
  const double *own = hy_row_numbers(&m->rows, row);
  if (kind_of(t) != OF_NUMBERS) {
    g_array_append_vals(number, own, t->n_numbers);
    return;
  }
  guint first = number->len;
  g_array_set_size(number, first + t->n_slots + 1);
  hy_template_coefficients(t, own, NULL, &g_array_index(number, double, first));
}

static void put_rows(HyStandaloneMaker *m)
{
  g_autoptr(GArray) slot = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autoptr(GArray) flag = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autoptr(GArray) number = g_array_new(FALSE, FALSE, sizeof(double));
  g_string_append(m->out, "static const Row row[] = {\n");
  for (guint k = 0; k < m->row->len; k++) {
    guint32 row = hy_nth(m->row, k);
    HyTemplate *t = hy_row_template(&m->rows, row);
    guint form = GPOINTER_TO_UINT(g_hash_table_lookup(m->form_of, t));
    g_string_append_printf(m->out, "  {%u, %u, %u, %u},\n", form, slot->len, number->len,
                           flag->len);
    for (guint i = 0; i < t->n_slots; i++) {
      guint32 place = m->place[hy_row_slots(&m->rows, row)[i]] - 1;
      g_array_append_val(slot, place);
    }
    for (guint i = 0; i < t->n_flags; i++) {
      guint32 place = m->flag_at[hy_row_flags(&m->rows, row)[i]] - 1;
      g_array_append_val(flag, place);
    }
    add_numbers(m, row, number);
  }
  g_string_append(m->out, "};\n");
  put_integers(m, "int", "row_slot", slot);
  put_integers(m, "int", "row_flag", flag);
  put_doubles(m, "row_number", (const double *)(gpointer)number->data, number->len);
}

static void put_names(HyStandaloneMaker *m)
{
  const HyFlat *flat = m->room->diagram.flat;
  g_string_append(m->out, "static const char *const name[] = {\n");
  for (guint k = 0; k < m->n; k++) {
    guint atomic = hy_room_state(m->room, k)->atomic;
    g_autofree char *path =
        hy_model_path(hy_flat_model(flat, atomic), hy_flat_component(flat, atomic));
    g_autofree char *text = g_strescape(path, NULL);
    g_string_append_printf(m->out, "  \"%s\",\n", text);
  }
  g_string_append(m->out, "};\n");
  put_doubles(m, "start", m->with->start, m->n);
}

static void put_modes(HyStandaloneMaker *m)
{
  g_string_append(m->out, "static const int hub_row[] = {");
  for (guint k = 0; k < m->hub->len; k++) {
    g_string_append_printf(m->out, "%u, ",
                           hy_standalone_place(m, hy_rows_hub(&m->rows, hy_nth(m->hub, k))->row));
  }
  g_string_append(m->out, "0};\n/* set where the first row is above 0, not set where the second "
                          "one is below it */\nstatic const int mode_row[][2] = {");
  for (guint k = 0; k < m->mode->len; k++) {
    const HyStandaloneMode *mode = &g_array_index(m->mode, HyStandaloneMode, k);
    g_string_append_printf(m->out, "{%u, %u}, ", hy_standalone_place(m, mode->rises),
                           hy_standalone_place(m, mode->falls));
  }
  g_string_append(m->out, "{0, 0}};\n");
}

/* The pieces of one source; how many, 0 where it is silent at the start. */
static guint put_words(HyStandaloneMaker *m, guint32 slot)
{
  guint n = 0;
  for (guint k = 0; k < m->with->words->len; k++) {
    const HyWord *w = &g_array_index(m->with->words, HyWord, k);
    if (w->slot == slot && (n > 0 || w->t <= m->with->t0)) {
      g_string_append(m->out, "  {");
      hy_c_number(m->out, w->t);
      for (guint i = 0; i < 4; i++) {
        g_string_append(m->out, i == 0 ? ", {" : ", ");
        hy_c_number(m->out, w->c[i]);
      }
      g_string_append(m->out, "}},\n");
      n++;
    }
  }
  return n;
}

static void put_sine(GString *out, const HySine *s)
{
  const double part[] = {s->frequency, s->amplitude, s->phase, s->offset};
  for (guint k = 0; k < G_N_ELEMENTS(part); k++) {
    g_string_append(out, ", ");
    hy_c_number(out, part[k]);
  }
}

static gboolean put_sources(HyStandaloneMaker *m, GError **error)
{
  g_autoptr(GString) table = g_string_new(NULL);
  guint first = 0;
  g_string_append(m->out, "static const Piece piece[] = {\n");
  for (guint k = 0; k < m->source->len; k++) {
    HySine sine = {.frequency = 0.0};
    guint32 slot = hy_nth(m->source, k);
    guint n = hy_standalone_sine(m->room, slot, &sine) ? 0 : put_words(m, slot);
    if (n == 0 && !(sine.frequency > 0.0)) {
      return hy_standalone_refuse(m, m->room->diagram.flat->owner[slot], HY_STANDALONE_SILENT,
                                  error);
    }
    g_string_append_printf(table, "  {%u, %u", first, n);
    put_sine(table, &sine);
    g_string_append(table, "},\n");
    first += n;
  }
  g_string_append_printf(m->out,
                         "  {0.0, {0.0}},\n};\nstatic const Source source[] = {\n%s  {0, 0, "
                         "0.0, 0.0, 0.0, 0.0},\n};\n",
                         table->str);
  return TRUE;
}

/* Pattern ---------------------------------------------------------------------------------------
 */

/* The states that ROW reads, through hubs, into READ [n]. */
static void mark_read(const HyStandaloneMaker *m, guint32 row, guint8 *read)
{
  const HyTemplate *t = hy_row_template(&m->rows, row);
  for (guint k = 0; k < t->n_slots; k++) {
    guint32 slot = hy_row_slots(&m->rows, row)[k], place = m->place[slot] - 1;
    if (place < m->n) {
      read[place] = 1;
    } else if (place >= m->n + m->source->len) {
      mark_read(m, hy_rows_hub(&m->rows, slot)->row, read);
    }
  }
}

/* Row after row the columns, the diagonal always, and where they stand in columns. */
static guint put_pattern(HyStandaloneMaker *m)
{
  g_autoptr(GArray) first = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autoptr(GArray) column = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autofree guint8 *read = g_new0(guint8, (gsize)m->n + 1);
  for (guint32 i = 0; i < m->n; i++) {
    memset(read, 0, m->n);
    read[i] = 1;
    mark_read(m, hy_nth(m->row, i), read);
    g_array_append_val(first, column->len);
    for (guint32 j = 0; j < m->n; j++) {
      if (read[j]) {
        g_array_append_val(column, j);
      }
    }
  }
  g_array_append_val(first, column->len);
  g_string_append(m->out, "/* the Jacobian: the columns of each row */\n");
  put_integers(m, "int", "row_first", first);
  put_integers(m, "int", "row_column", column);
  return column->len;
}

/* The file --------------------------------------------------------------------------------------
 */

static void put_head(HyStandaloneMaker *m)
{
  gboolean dense = m->n <= FEW;
  const char *libraries = dense ? "-lsundials_sunmatrixdense -lsundials_sunlinsoldense"
                                : "-lsundials_sunmatrixsparse -lsundials_sunlinsolklu -lklu";
  g_string_append_printf(
      m->out,
      "/* %s: its equations, by hydevs export --c.\n *\n"
      " *   cc -O2 -ffp-contract=off FILE.c -lsundials_cvode -lsundials_nvecserial %s -lm\n"
      " *   ./a.out [STOP [RTOL [ATOL [INTERVAL]]]]\n *\n"
      " * prints the states at the end, or every INTERVAL, as CSV. SUNDIALS 6 or later%s. */\n",
      m->with->model, libraries, dense ? "" : ", with KLU (-I its headers)");
  g_string_append_printf(m->out, "#define DENSE %d\n", dense);
  g_string_append(m->out, hy_standalone_types);
  g_string_append(m->out, hy_program_c_helpers());
}

static void put_sizes(HyStandaloneMaker *m, guint entries)
{
  guint slots = 0, flags = 0;
  for (guint k = 0; k < m->form->len; k++) {
    const HyTemplate *t = m->form->pdata[k];
    slots = MAX(slots, t->n_slots);
    flags = MAX(flags, t->n_flags);
  }
  g_string_append_printf(m->out,
                         "enum { N = %u, SOURCES = %u, HUBS = %u, MODES = %u, WIDEST = %u, "
                         "FLAGS = %u, ENTRIES = %u, LANES = %u };\n",
                         m->n, m->source->len, m->hub->len, m->mode->len, slots, flags, entries,
                         m->room->diagram.lanes);
  g_string_append(m->out, "static const double begin = ");
  hy_c_number(m->out, m->with->t0);
  g_string_append(m->out, ", end = ");
  hy_c_number(m->out, m->with->tf);
  g_string_append(m->out, ";\n\n");
}

static gboolean write_all(HyStandaloneMaker *m, GError **error)
{
  put_head(m);
  if (!put_forms(m, error)) {
    return FALSE;
  }
  put_rows(m);
  put_names(m);
  put_modes(m);
  if (!put_sources(m, error)) {
    return FALSE;
  }
  put_sizes(m, put_pattern(m));
  g_string_append(m->out, hy_standalone_functions);
  g_string_append(m->out, hy_standalone_main);
  return TRUE;
}

gboolean hy_standalone_c(const HyRoom *room, const HyStandalone *with, GString *out, GError **error)
{
  HyStandaloneMaker m = {.room = room, .with = with, .out = out};
  hy_standalone_init(&m);
  gboolean ok =
      hy_standalone_may(with, error) && hy_standalone_meet(&m, error) && write_all(&m, error);
  hy_standalone_clear(&m);
  return ok;
}
