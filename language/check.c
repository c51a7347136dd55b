/* What can only be seen on the whole: algebraic loops, and names that nobody uses. */
#include "coupled/flatten.h"
#include "coupled/order.h"
#include "language/expand.h"
#include <string.h>

#define LOOPS_SHOWN 10

/* Algebraic loops
 * -------------------------------------------------------------------------------------------------------
 */

/* Classes whose output follows an input at once; FROM: the first input that does (those before only
 * switch). */
static gboolean feeds_through(const HyAtomicClass *klass, guint port)
{
  static const struct {
    const char *name;
    guint from;
  } table[] = {{"function", 0},  {"sum", 0},    {"gain", 0},     {"product", 0},
               {"division", 0},  {"power", 0},  {"lookup", 0},   {"saturation", 0},
               {"dead_band", 0}, {"switch", 1}, {"implicit", 0}, {"loop_breaker", 0}};
  for (guint k = 0; k < G_N_ELEMENTS(table); k++) {
    if (strcmp(klass->name, table[k].name) == 0) {
      return port >= table[k].from;
    }
  }
  return FALSE;
}

typedef struct {
  Loader *loader;
  HyFlat *flat;
  guint8 *alive;    /* [n] */
  guint *degree;    /* [n] */
  gboolean refined; /* functions: only inputs outside conditions count */
} Loops;

static const HyAtomicClass *class_of(const Loops *x, guint atomic)
{
  return hy_model_class(hy_flat_model(x->flat, atomic), hy_flat_component(x->flat, atomic));
}

/* Whether in[K] stands in F where it is more than a side of a comparison. */
static gboolean outside_conditions(const HyFormula *f, gint64 k)
{
  if (f->kind == HY_F_REF) {
    return f->n_index == 1 && f->ref.at != NULL && f->ref.at[0] == k;
  }
  if (f->kind == HY_F_NUMBER || f->kind == HY_F_NOTHING || f->kind == HY_F_COMPARE) {
    return FALSE;
  }
  for (guint32 c = 0; c < f->n; c++) {
    if (outside_conditions(f->child[c], k)) {
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean passes(const Loops *x, guint atomic, guint port)
{
  const HyAtomicClass *klass = class_of(x, atomic);
  if (!feeds_through(klass, port)) {
    return FALSE;
  }
  if (!x->refined || strcmp(klass->name, "function") != 0) {
    return TRUE;
  }
  gsize size;
  const guint8 *image =
      hy_component_image(hy_flat_model(x->flat, atomic), hy_flat_component(x->flat, atomic), &size);
  const char *text = *(const char *const *)(gconstpointer)(image + klass->params[0].offset);
  const HyFormula *f =
      text != NULL ? hy_formula_parse(x->loader->pool, HY_TEXT_EXPRESSION, text, NULL) : NULL;
  return f == NULL || outside_conditions(f, (gint64)port + 1);
}

typedef void (*VisitEdge)(Loops *x, guint from, guint to, guint port, gpointer user);

static void edges(Loops *x, guint from, VisitEdge visit, gpointer user)
{
  const HyFlat *flat = x->flat;
  for (guint slot = flat->first_out[from]; slot < flat->first_out[from + 1]; slot++) {
    if (hy_is_trial(flat, from, slot - flat->first_out[from])) {
      continue;
    }
    for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
      const HyFlatTarget *t = &flat->targets[k];
      if (t->atomic < flat->n && x->alive[t->atomic] && passes(x, t->atomic, t->port)) {
        visit(x, from, t->atomic, t->port, user);
      }
    }
  }
}

static void count_edge(Loops *x, guint from, guint to, guint port, gpointer user)
{
  (void)from, (void)port, (void)user;
  x->degree[to]++;
}

static void drop_edge(Loops *x, guint from, guint to, guint port, gpointer user)
{
  (void)from, (void)port;
  if (--x->degree[to] == 0) {
    guint v = to;
    g_array_append_val((GArray *)user, v);
  }
}

/* Takes away all that no loop leads to. TRUE: something is left. */
static gboolean peel(Loops *x)
{
  guint n = x->flat->n, left = 0;
  memset(x->degree, 0, n * sizeof *x->degree);
  for (guint k = 0; k < n; k++) {
    if (x->alive[k]) {
      edges(x, k, count_edge, NULL);
    }
  }
  g_autoptr(GArray) free_ones = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint k = 0; k < n; k++) {
    left += x->alive[k];
    if (x->alive[k] && x->degree[k] == 0) {
      g_array_append_val(free_ones, k);
    }
  }
  for (guint k = 0; k < free_ones->len; k++) {
    guint v = g_array_index(free_ones, guint, k);
    edges(x, v, drop_edge, free_ones);
    x->alive[v] = 0;
    left--;
  }
  return left > 0;
}

static char *path_of(const Loops *x, guint atomic)
{
  return hy_model_path(hy_flat_model(x->flat, atomic), hy_flat_component(x->flat, atomic));
}

typedef struct {
  guint to, port;
  char *path;
} Step;

static void collect_edge(Loops *x, guint from, guint to, guint port, gpointer user)
{
  (void)from;
  Step s = {to, port, path_of(x, to)};
  g_array_append_val((GArray *)user, s);
}

static gint compare_steps(gconstpointer a, gconstpointer b)
{
  const Step *x = a, *y = b;
  gint c = strcmp(x->path, y->path);
  return c != 0 ? c : (gint)x->port - (gint)y->port;
}

static void clear_step(gpointer p)
{
  g_free(((Step *)p)->path);
}

/* A shortest way from START back to it, neighbours in the order of their names: BACK[v] is where v
 * was reached from, PORT[v] by which input. */
static gboolean shortest(Loops *x, guint start, guint *back, guint *port)
{
  guint n = x->flat->n;
  for (guint k = 0; k < n; k++) {
    back[k] = G_MAXUINT;
  }
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(guint));
  g_array_append_val(queue, start);
  for (guint k = 0; k < queue->len; k++) {
    guint v = g_array_index(queue, guint, k);
    g_autoptr(GArray) next = g_array_new(FALSE, FALSE, sizeof(Step));
    g_array_set_clear_func(next, clear_step);
    edges(x, v, collect_edge, next);
    g_array_sort(next, compare_steps);
    for (guint i = 0; i < next->len; i++) {
      const Step *s = &g_array_index(next, Step, i);
      if (back[s->to] != G_MAXUINT) {
        continue;
      }
      back[s->to] = v;
      port[s->to] = s->port;
      if (s->to == start) {
        return TRUE;
      }
      g_array_append_val(queue, s->to);
    }
  }
  return FALSE;
}

const Row *hy_row_of(const Loader *l, const HyModel *m, guint component)
{
  for (guint k = 0; k < l->scopes->len; k++) {
    const Scope *s = g_ptr_array_index(l->scopes, k);
    if (s->model == m) {
      return &g_array_index(l->rows, Row, g_array_index(s->rows, guint32, component));
    }
  }
  return NULL;
}

static const Row *row_of(const Loops *x, guint atomic)
{
  return hy_row_of(x->loader, hy_flat_model(x->flat, atomic), hy_flat_component(x->flat, atomic));
}

/* The output of FROM that leads to input PORT of TO. */
static char *out_name(const HyFlat *flat, guint from, guint to, guint port)
{
  for (guint slot = flat->first_out[from]; slot < flat->first_out[from + 1]; slot++) {
    for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
      if (flat->targets[k].atomic == to && flat->targets[k].port == port) {
        return hy_model_out_name(hy_flat_model(flat, from), hy_flat_component(flat, from),
                                 slot - flat->first_out[from]);
      }
    }
  }
  return NULL;
}

static void report_loop(Loops *x, guint start, const guint *back, const guint *port)
{
  g_autoptr(GString) text = g_string_new("algebraic loop: "), lines = g_string_new(NULL);
  const Row *first = row_of(x, start);
  guint n = 0;
  for (guint v = start; v != start || n == 0; v = back[v]) {
    const Row *row = row_of(x, v);
    g_autofree char *to = path_of(x, v), *from = path_of(x, back[v]);
    g_autofree char *out = out_name(x->flat, back[v], v, port[v]);
    g_autofree char *in =
        hy_model_in_name(hy_flat_model(x->flat, v), hy_flat_component(x->flat, v), port[v]);
    g_string_append_printf(text, "%s%s.%s <- %s.%s", n > 0 ? ", " : "", to, in, from, out);
    g_string_append_printf(lines, "%s%u", n > 0 ? ", " : "", row != NULL ? row->line : 0);
    n++;
  }
  hy_report_error(x->loader->report, first != NULL ? first->file : "",
                  first != NULL ? first->line : 0,
                  "%s (line%s %s); break it with an integrator, a delay or a loop_breaker",
                  text->str, n > 1 ? "s" : "", lines->str);
  guint v = start;
  do {
    x->alive[v] = 0;
    v = back[v];
  } while (v != start);
}

typedef struct {
  guint atomic;
  char *path;
} Named;

static gint compare_named(gconstpointer a, gconstpointer b)
{
  return strcmp(((const Named *)a)->path, ((const Named *)b)->path);
}

static void report_loops(Loops *x)
{
  guint n = x->flat->n, shown = 0;
  g_autoptr(GArray) rest = g_array_new(FALSE, FALSE, sizeof(Named));
  for (guint k = 0; k < n; k++) {
    Named v = {k, x->alive[k] ? path_of(x, k) : NULL};
    if (v.path != NULL) {
      g_array_append_val(rest, v);
    }
  }
  g_array_sort(rest, compare_named);
  g_autofree guint *back = g_new(guint, n), *port = g_new0(guint, n);
  for (guint k = 0; k < rest->len; k++) {
    Named *v = &g_array_index(rest, Named, k);
    if (x->alive[v->atomic] && shown < LOOPS_SHOWN && shortest(x, v->atomic, back, port)) {
      report_loop(x, v->atomic, back, port);
      shown++;
      peel(x);
    }
  }
  for (guint k = 0; k < rest->len; k++) {
    g_free(g_array_index(rest, Named, k).path);
  }
}

static gboolean has_static(const Loader *l)
{
  for (guint k = 0; k < l->defines->len; k++) {
    const Define *d = g_ptr_array_index(l->defines, k);
    for (guint i = 0; i < d->blocks->len; i++) {
      const Entry *e = g_ptr_array_index(d->blocks, i);
      if (e->klass == NULL || feeds_through(e->klass, 1) ||
          strcmp(e->klass->name, "integrator") == 0) {
        if (e->klass != NULL) {
          return TRUE;
        }
      }
    }
  }
  return FALSE;
}

void hy_check_loops(Loader *l)
{
  if (!has_static(l)) {
    return;
  }
  HyFlat *flat = hy_flat_new(l->model);
  Loops x = {.loader = l,
             .flat = flat,
             .alive = g_new0(guint8, flat->n + 1),
             .degree = g_new0(guint, flat->n + 1)};
  for (guint k = 0; k < flat->n; k++) {
    x.alive[k] = feeds_through(class_of(&x, k), 1);
  }
  if (peel(&x)) {
    x.refined = TRUE;
    if (peel(&x)) {
      report_loops(&x);
    }
  }
  g_free(x.alive);
  g_free(x.degree);
  hy_flat_free(flat);
}

/* Names that nobody uses
 * ----------------------------------------------------------------------------------------------------
 */

static gboolean has_word(const char *text, const char *word)
{
  gsize n = strlen(word);
  for (const char *at = text; (at = strstr(at, word)) != NULL; at += n) {
    gboolean begins = at == text || !(g_ascii_isalnum(at[-1]) || at[-1] == '_');
    gboolean ends = !(g_ascii_isalnum(at[n]) || at[n] == '_');
    if (begins && ends) {
      return TRUE;
    }
  }
  return FALSE;
}

/* In an attribute of the element or one below it that can hold a formula; of ELEMENT itself not its
 * name. */
static gboolean is_named_in(const HyFile *f, guint32 element, guint32 except, const char *word,
                            guint depth)
{
  const HyElement *e = hy_element(f->tree, element);
  for (guint32 k = 0; k < e->n_attributes && element != except; k++) {
    const HyAttribute *a = hy_attribute(f->tree, e, k);
    if (a->name != HY_W_NAME && a->name != HY_W_DOC && a->name != HY_W_LABEL &&
        a->name != HY_W_UNIT && has_word(a->value, word)) {
      return TRUE;
    }
  }
  for (guint32 k = e->child; k != 0 && depth > 0; k = hy_element(f->tree, k)->next) {
    const HyElement *c = hy_element(f->tree, k);
    if (c->name != HY_W_TYPE && c->name != HY_W_VIEW &&
        is_named_in(f, k, except, word, depth - 1)) {
      return TRUE;
    }
  }
  return FALSE;
}

static void unused_values(Loader *l, const Define *d)
{
  for (guint k = 0; k < d->values->len; k++) {
    const Entry *e = g_ptr_array_index(d->values, k);
    if (!e->used && !e->bad && !is_named_in(d->file, d->element, e->element, e->name, 260)) {
      hy_report_warning(l->report, d->file->name, e->line, "%s \"%s\" is never used",
                        e->kind == E_LET ? "let" : "parameter", e->name);
    }
  }
}

void hy_check_unused(Loader *l, const HyFile *file, const Define *root)
{
  for (guint k = 0; k < l->defines->len; k++) {
    const Define *d = g_ptr_array_index(l->defines, k);
    if (d->file != file) {
      continue;
    }
    unused_values(l, d);
    if (d->is_type && !d->used && root->blocks->len > 0) {
      gboolean named = FALSE; /* behind an `if` that did not hold, say */
      for (guint32 i = 0; i < file->tree->elements->len && !named; i++) {
        const HyAttribute *a = hy_attribute_find(file->tree, hy_element(file->tree, i), HY_W_TYPE);
        named = a != NULL && strcmp(a->value, d->name) == 0;
      }
      if (!named) {
        hy_report_warning(l->report, file->name, hy_element(file->tree, d->element)->line,
                          "type \"%s\" is never used", d->name);
      }
    }
  }
}
