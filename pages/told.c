/* Messages as a page keeps them, small: a line for each, fields between tabs. The first is what it
 * is (i * x y d, s: how a block stood before the first message), the second its component by
 * number, the third its time, empty where that is the one before. Then
 *   x y  the port by number, the value
 *   *    who was due, by names with commas; if there were several, why the first of them is that (a
 * r p l, HyWhy), and the number of the atomic that it leads to d s  tN, what ran (i e n), e, the
 * state, and of an integrator what it holds (HyHeld): t0 from here on, x and q by their
 * coefficients with commas, within h    the same, of an integrator that holds something else from
 * here on without a message */
#include "pages/told.h"

#include "hydevs/text.h"

#include <math.h>
#include <string.h>

/* An integrator, and what it held when that was last written. */
typedef struct {
  guint path, atomic;
  HyHeld held;
} Holder;

struct HyTold {
  const HyModel *model;
  const HySim *sim; /* NULL: what integrators hold is not told */
  double from;
  guint64 most, n;
  const char *root;
  GHashTable *number_of[2]; /* paths, ports: name -> number + 1 */
  GPtrArray *names[2];
  GArray *holders;   /* Holder: the integrators, in the order of their first messages */
  GArray *holder_of; /* guint, by path: 1 + its number there, or 0 */
  GPtrArray *before; /* by path: its last line before FROM, or NULL */
  GString *lines;
  double t, start, last; /* of the line before; of the first and of the last message */
  gboolean full;
};

enum { PATHS, PORTS };

HyTold *hy_told_new(const HyModel *root, double from, guint64 most)
{
  g_return_val_if_fail(root != NULL, NULL);
  HyTold *told = g_new0(HyTold, 1);
  told->model = root;
  told->from = from;
  told->most = MIN(most, HY_TOLD_MOST);
  told->root = hy_model_name(root);
  for (guint k = 0; k < 2; k++) {
    told->number_of[k] = g_hash_table_new(g_str_hash, g_str_equal);
    told->names[k] = g_ptr_array_new_with_free_func(g_free);
  }
  told->holders = g_array_new(FALSE, FALSE, sizeof(Holder));
  told->holder_of = g_array_new(FALSE, TRUE, sizeof(guint));
  told->before = g_ptr_array_new_with_free_func(g_free);
  told->lines = g_string_new(NULL);
  told->t = told->start = told->last = NAN;
  g_ptr_array_add(told->names[PATHS], g_strdup(told->root)); /* 0 is the root */
  g_ptr_array_add(told->before, NULL);
  return told;
}

void hy_told_watch(HyTold *told, const HySim *sim)
{
  g_return_if_fail(told != NULL && sim != NULL);
  told->sim = sim;
}

void hy_told_free(HyTold *told)
{
  if (told == NULL) {
    return;
  }
  for (guint k = 0; k < 2; k++) {
    g_hash_table_unref(told->number_of[k]);
    g_ptr_array_unref(told->names[k]);
  }
  g_array_unref(told->holders);
  g_array_unref(told->holder_of);
  g_ptr_array_unref(told->before);
  g_string_free(told->lines, TRUE);
  g_free(told);
}

static guint number_of(HyTold *told, guint kind, const char *name)
{
  guint number = GPOINTER_TO_UINT(g_hash_table_lookup(told->number_of[kind], name));
  if (number == 0) {
    char *own = g_strdup(name);
    g_ptr_array_add(told->names[kind], own);
    number = told->names[kind]->len;
    g_hash_table_insert(told->number_of[kind], own, GUINT_TO_POINTER(number));
    if (kind == PATHS) {
      g_ptr_array_add(told->before, NULL);
    }
  }
  return number - 1;
}

/* The root model has its name as path, as a component of it may have. */
static guint path_of(HyTold *told, const HyMessage *m)
{
  gboolean root = strcmp(m->path, told->root) == 0 &&
                  (strcmp(m->from, "root") == 0 || strcmp(m->to, "root") == 0);
  return root ? 0 : number_of(told, PATHS, m->path);
}

static void add_number(GString *out, double v)
{
  char text[HY_DOUBLE_SIZE];
  g_string_append_c(out, '\t');
  g_string_append(out, hy_double_text(text, v));
}

/* Without tabs and ends of lines. */
static void add_text(GString *out, const char *text)
{
  gsize start = out->len + 1;
  g_string_append_c(out, '\t');
  g_string_append(out, text);
  g_strdelimit(out->str + start, "\t\n\r", ' ');
}

/* N numbers with commas, without zeros at the end, from the first one on. */
static void add_coefficients(GString *out, const double *c, guint n)
{
  char text[HY_DOUBLE_SIZE];
  while (n > 1 && c[n - 1] == 0) {
    n--;
  }
  for (guint k = 0; k < n; k++) {
    g_string_append(out, k > 0 ? "," : "\t");
    g_string_append(out, g_ascii_formatd(text, sizeof text, k == 0 ? "%.12g" : "%.9g", c[k]));
  }
}

static void add_held(GString *out, const HyHeld *held, double t)
{
  add_number(out, held->t0 - t);
  add_coefficients(out, held->x, 4);
  add_coefficients(out, held->q, 3);
  add_coefficients(out, &held->within, 1);
}

/* Of a message of an integrator: what it holds. */
static void add_holder(HyTold *told, GString *out, guint path, const HyMessage *m)
{
  Holder new = {.path = path};
  if (told->sim == NULL || m->ran == HY_RAN_NOTHING ||
      !hy_sim_find(told->sim, m->path, &new.atomic) ||
      !hy_sim_held(told->sim, new.atomic, &new.held)) {
    return;
  }
  g_array_set_size(told->holder_of, MAX(told->holder_of->len, path + 1));
  guint *number = &g_array_index(told->holder_of, guint, path);
  if (*number == 0) {
    g_array_append_val(told->holders, new);
    *number = told->holders->len;
  }
  g_array_index(told->holders, Holder, *number - 1) = new;
  add_held(out, &new.held, m->t);
}

static gboolean is_same(const HyHeld *a, const HyHeld *b)
{
  gboolean same = a->t0 == b->t0 && a->within == b->within;
  for (guint k = 0; k < G_N_ELEMENTS(a->x); k++) {
    same &= a->x[k] == b->x[k];
  }
  for (guint k = 0; k < G_N_ELEMENTS(a->q); k++) {
    same &= a->q[k] == b->q[k];
  }
  return same;
}

/* Where the derivative of a state is known as a row, it changes without a message to the state. */
static void add_silent(HyTold *told, double t, const char *time)
{
  for (guint k = 0; k < told->holders->len; k++) {
    Holder *h = &g_array_index(told->holders, Holder, k);
    HyHeld held;
    if (hy_sim_held(told->sim, h->atomic, &held) && !is_same(&held, &h->held)) {
      h->held = held;
      g_string_append_printf(told->lines, "h\t%u\t%s", h->path, time);
      add_held(told->lines, &held, t);
      g_string_append_c(told->lines, '\n');
    }
  }
}

static void add_rest(HyTold *told, GString *out, guint path, const HyMessage *m)
{
  static const char *const ran[] = {"", "i", "l", "e", "n"};
  static const char whys[] = " arpl"; /* by HyWhy */
  g_autoptr(GString) value = g_string_new(NULL);
  switch (m->kind) {
  case HY_MSG_X:
  case HY_MSG_Y:
    hy_value_text(value, m->value);
    g_string_append_printf(out, "\t%u", number_of(told, PORTS, m->port));
    add_text(out, value->str);
    break;
  case HY_MSG_STAR:
    for (guint k = 0; m->imminent != NULL && m->imminent[k] != NULL; k++) {
      g_string_append_printf(value, "%s%s", k > 0 ? "," : "", m->imminent[k]);
    }
    add_text(out, value->str);
    if (m->why != HY_WHY_ALONE) {
      g_string_append_printf(out, "\t%c\t%u", whys[m->why], number_of(told, PATHS, m->leads));
    }
    break;
  case HY_MSG_DONE:
    add_number(out, m->tn);
    g_string_append_printf(out, "\t%s", ran[m->ran]);
    if (m->ran == HY_RAN_DEXT || m->state != NULL) {
      add_number(out, m->e);
    }
    if (m->state != NULL) {
      add_text(out, m->state);
      add_holder(told, out, path, m);
    }
    break;
  default:
    break;
  }
}

static void add_line(HyTold *told, GString *out, char kind, guint path, const HyMessage *m)
{
  gboolean same = m->t == told->t && kind != 's';
  g_string_append_printf(out, "%c\t%u", kind, path);
  if (same) {
    g_string_append_c(out, '\t');
  } else {
    add_number(out, m->t);
  }
  add_rest(told, out, path, m);
  g_string_append_c(out, '\n');
}

/* How all blocks stand when the first message comes. */
static void add_before(HyTold *told, double t)
{
  for (guint k = 0; k < told->before->len; k++) {
    const char *line = g_ptr_array_index(told->before, k);
    g_string_append(told->lines, line != NULL ? line : "");
  }
  char text[HY_DOUBLE_SIZE];
  add_silent(told, t, hy_double_text(text, t));
}

void hy_told_message(gpointer user, const HyMessage *m)
{
  g_return_if_fail(user != NULL && m != NULL);
  static const char kinds[] = "i*xyd";
  HyTold *told = user;
  guint path = path_of(told, m);
  if (m->t < told->from) {
    if (m->kind == HY_MSG_DONE) {
      g_autoptr(GString) line = g_string_new(NULL);
      add_line(told, line, 's', path, m);
      g_free(g_ptr_array_index(told->before, path));
      g_ptr_array_index(told->before, path) = g_string_free(g_steal_pointer(&line), FALSE);
    }
    return;
  }
  if (told->n == 0) {
    add_before(told, m->t);
    told->start = m->t;
  }
  if (told->n >= told->most || told->lines->len > HY_TOLD_BYTES) {
    told->full = TRUE;
    return;
  }
  add_line(told, told->lines, kinds[m->kind], path, m);
  told->t = told->last = m->t;
  told->n++;
  if (path == 0 && m->kind == HY_MSG_DONE) {
    add_silent(told, m->t, "");
  }
}

gboolean hy_told_full(const HyTold *told)
{
  g_return_val_if_fail(told != NULL, FALSE);
  return told->full;
}

guint64 hy_told_n(const HyTold *told)
{
  g_return_val_if_fail(told != NULL, 0);
  return told->n;
}

static void add_names(HyJsonOut *json, const char *key, const GPtrArray *names)
{
  hy_json_begin(json, key, '[');
  for (guint k = 0; k < names->len; k++) {
    hy_json_text(json, NULL, g_ptr_array_index(names, k));
  }
  hy_json_end(json, ']');
}

/* Whether the block at PATH is a static one, which fused computes in place. */
static gboolean is_static(const HyModel *m, const char *path)
{
  g_auto(GStrv) names = g_strsplit(path, "/", -1);
  const HyAtomicClass *klass = NULL;
  for (char **name = names; m != NULL && *name != NULL; name++) {
    guint k = hy_model_find(m, *name);
    klass = k != HY_SELF ? hy_model_class(m, k) : NULL;
    m = k != HY_SELF ? hy_model_coupled(m, k) : NULL;
  }
  return klass != NULL && klass->describe != NULL;
}

/* The numbers of those paths. */
static void add_static(HyJsonOut *json, const HyTold *told)
{
  hy_json_begin(json, "fused", '[');
  for (guint k = 1; k < told->names[PATHS]->len; k++) {
    if (is_static(told->model, g_ptr_array_index(told->names[PATHS], k))) {
      hy_json_count(json, NULL, k);
    }
  }
  hy_json_end(json, ']');
}

void hy_told_json(const HyTold *told, GString *out)
{
  HyJsonOut json = {.out = out, .tight = TRUE};
  hy_json_begin(&json, NULL, '{');
  hy_json_count(&json, "n", told->n);
  hy_json_bool(&json, "full", told->full);
  hy_json_real(&json, "start", told->start);
  hy_json_real(&json, "last", told->last);
  add_names(&json, "paths", told->names[PATHS]);
  add_names(&json, "ports", told->names[PORTS]);
  add_static(&json, told);
  hy_json_end(&json, '}');
}

const char *hy_told_lines(const HyTold *told)
{
  return told->lines->str;
}
