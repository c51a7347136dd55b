#include "draw.h"

#include <string.h>

static char *number(double v)
{
  char *text = g_strdup_printf("%.4g", v);
  return text;
}

char *draw_name(Draw *d)
{
  return g_strdup_printf("b%u", ++d->number);
}

/* Of the unit of time; mostly on a grid, so that much happens at one instant. */
double draw_time(Draw *d)
{
  static const double grid[] = {0.05, 0.1, 0.2, 0.25, 0.5, 1};
  double part = chance(&d->dice, 0.6) ? grid[below(&d->dice, G_N_ELEMENTS(grid))]
                                      : decades(&d->dice, -1.3, 0);
  return rounded(part * d->unit);
}

void draw_readable(GPtrArray *names, const char *format, ...)
{
  va_list words;
  va_start(words, format);
  g_ptr_array_add(names, g_strdup_vprintf(format, words));
  va_end(words);
}

static const char *any_of(Draw *d, const GPtrArray *names)
{
  return names->pdata[below(&d->dice, (int)names->len)];
}

static char *draw_signal(Scope *s)
{
  Draw *d = s->d;
  int n = (int)(s->signals->len + s->states->len);
  if (n == 0) {
    return g_strdup_printf("(t/%.4g)", d->unit);
  }
  int k = below(&d->dice, n);
  return g_strdup(k < (int)s->signals->len ? s->signals->pdata[k]
                                           : s->states->pdata[k - (int)s->signals->len]);
}

/* Formulas ------------------------------------------------------------------------------------- */

/* A, B, C and D are formulas. Each operation of two in brackets, as shrink.c wants it. */
#define ROOT "sqrt((0.01 + abs(A)))"
static const char *const operations[] = {"(A + B)",
                                         "(A - B)",
                                         "(A*B)",
                                         "(A/(1 + abs(B)))",
                                         "(-(A))",
                                         "abs(A)",
                                         "min(A, B)",
                                         "max(A, B)",
                                         "limit(A, -1, 1)",
                                         "limit(A, B, (B + 1))",
                                         "if(A > B, C, D)",
                                         "if(A >= B, C, D)",
                                         "if(A > B and C > D, A, C)",
                                         "if(A > B or not (C > D), D, B)",
                                         "if(if(A > B, 1, 0) == 1, C, D)",
                                         "sin(A)",
                                         "cos(A)",
                                         "tanh(A)",
                                         "exp(-(abs(A)))",
                                         ROOT,
                                         "atan(A)",
                                         "log((1 + abs(A)))",
                                         "(A^2)",
                                         "mean(A, B)",
                                         "atan2(A, (1 + abs(B)))",
                                         "wlog(A)",
                                         "min(A, B, C)",
                                         "(A + B)",
                                         "(A - B)",
                                         "(A*B)",
                                         "(0.5*A)",
                                         "(A - (2*B))",
                                         "max(min(A, B), min(C, D))"};

static char *draw_leaf(Scope *s)
{
  static const char *const numbers[] = {"0", "1", "0.5", "2", "(-1)", "(-0.5)"};
  Draw *d = s->d;
  double which = uniform(&d->dice, 0, 1);
  if (which < 0.12) {
    return g_strdup(numbers[below(&d->dice, G_N_ELEMENTS(numbers))]);
  }
  if (which < 0.2) {
    return g_strdup_printf("(%.4g)", rounded(uniform(&d->dice, -2, 2)));
  }
  if (which < 0.24) {
    return g_strdup_printf("(t/%.4g)", d->unit);
  }
  if (which < 0.28 && d->index) {
    return g_strdup("n");
  }
  return draw_signal(s);
}

char *draw_formula(Scope *s, guint depth)
{
  Draw *d = s->d;
  if (depth == 0 || chance(&d->dice, 0.15)) {
    return draw_leaf(s);
  }
  const char *form = operations[below(&d->dice, G_N_ELEMENTS(operations))];
  form = d->roots && strcmp(form, ROOT) == 0 ? "sqrt(abs(A))" : form;
  char *part[4] = {NULL};
  GString *text = g_string_new(NULL);
  for (const char *at = form; *at != '\0'; at++) {
    if (*at >= 'A' && *at <= 'D') {
      int k = *at - 'A';
      part[k] = part[k] != NULL ? part[k] : draw_formula(s, depth - 1);
      g_string_append(text, part[k]);
    } else {
      g_string_append_c(text, *at);
    }
  }
  for (guint k = 0; k < G_N_ELEMENTS(part); k++) {
    g_free(part[k]);
  }
  return g_string_free(text, FALSE);
}

char *draw_duty(Scope *s)
{
  Draw *d = s->d;
  if (chance(&d->dice, 0.4)) {
    return number(rounded(uniform(&d->dice, 0.1, 0.9)));
  }
  g_autofree char *f = draw_formula(s, 2);
  return g_strdup_printf("limit((0.5 + (0.3*%s)), 0.05, 0.95)", f);
}

static char *draw_bit(Scope *s)
{
  g_autofree char *a = draw_formula(s, 1), *b = draw_formula(s, 1);
  return g_strdup_printf("if(%s > %s, 1, 0)", a, b);
}

/* Templates ------------------------------------------------------------------------------------ */

static char *draw_choice(Draw *d, const char **at)
{
  const char *end = strchr(*at, ']');
  g_autofree char *all = g_strndup(*at + 1, (gsize)(end - *at - 1));
  g_auto(GStrv) each = g_strsplit(all, "|", -1);
  *at = end;
  return g_strdup(each[below(&d->dice, (int)g_strv_length(each))]);
}

/* What stands behind $ at AT. NULL: nothing says events here. */
static char *draw_letter(Scope *s, char letter)
{
  Draw *d = s->d;
  switch (letter) {
  case 's':
    return draw_formula(s, (guint)below(&d->dice, 4));
  case 'v':
    return draw_signal(s);
  case 'b':
    return draw_bit(s);
  case 'd':
    return draw_duty(s);
  case 'e':
    return s->events->len > 0 ? g_strdup(any_of(d, s->events)) : NULL;
  case 'n':
    return chance(&d->dice, 0.3) ? g_strdup(chance(&d->dice, 0.5) ? "1" : "-1")
                                 : number(rounded(uniform(&d->dice, -2, 2)));
  case 'p':
    return number(decades(&d->dice, -0.7, 0.3));
  case 't':
    return number(draw_time(d));
  case 'q': /* the period of a carrier */
    return number(rounded(d->unit / (1 + below(&d->dice, 5))));
  case 'T':
    return number(d->unit);
  case 'f':
    return number(rounded(decades(&d->dice, -0.7, 0.5) / d->unit));
  case 'k':
    return number(1 + below(&d->dice, 4));
  case 'R':
    return number(decades(&d->dice, 0, 1.3));
  default: /* L, C */
    return number(rounded(d->unit * pow(10, uniform(&d->dice, 0, 1.3))));
  }
}

/* FALSE: it needs events, and there are none. */
static gboolean fill(Scope *s, const char *text, const char *name, GString *out)
{
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '@') {
      g_string_append(out, name);
    } else if (*at != '$') {
      g_string_append_c(out, *at);
    } else {
      at++;
      g_autofree char *part = *at == '[' ? draw_choice(s->d, &at) : draw_letter(s, *at);
      if (part == NULL || (*at == ']' && !fill(s, part, name, out))) {
        return FALSE;
      }
      g_string_append(out, *at == ']' ? "" : part);
    }
  }
  return TRUE;
}

/* OUTPUTS of the block NAME: "." the block, ".x" its port x, "x" the block NAMEx; with ! events. */
static void add_outputs(Scope *s, const char *name, const char *outputs)
{
  g_auto(GStrv) each = g_strsplit(outputs, " ", -1);
  for (guint k = 0; each[k] != NULL && each[k][0] != '\0'; k++) {
    gboolean event = each[k][0] == '!';
    const char *port = event ? each[k] + 1 : each[k];
    port = strcmp(port, ".") == 0 ? "" : strncmp(port, ".[", 2) == 0 ? port + 1 : port;
    draw_readable(event ? s->events : s->signals, "%s%s", name, port);
  }
}

void draw_template(Scope *s, const Template *t)
{
  g_autofree char *name = draw_name(s->d);
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  if (!fill(s, t->text, name, text)) {
    return;
  }
  if (!element_read(s->at, text->str, &error)) {
    g_error("%s in %s", error->message, text->str);
  }
  add_outputs(s, name, t->outputs);
}

static void draw_any_template(Scope *s)
{
  static guint sum;
  if (sum == 0) {
    for (const Template *t = draw_templates; t->text != NULL; t++) {
      sum += t->weight;
    }
  }
  guint at = (guint)below(&s->d->dice, (int)sum);
  const Template *t = draw_templates;
  while (at >= t->weight) {
    at -= t++->weight;
  }
  draw_template(s, t);
}

/* Coupled models ------------------------------------------------------------------------------- */

static void scope_clear(Scope *s)
{
  g_ptr_array_unref(s->signals);
  g_ptr_array_unref(s->events);
  g_ptr_array_unref(s->states);
}

static Scope scope_new(Draw *d, Element *at, guint depth)
{
  return (Scope){.d = d,
                 .at = at,
                 .signals = g_ptr_array_new_with_free_func(g_free),
                 .events = g_ptr_array_new_with_free_func(g_free),
                 .states = g_ptr_array_new_with_free_func(g_free),
                 .depth = depth};
}

static void draw_params(Scope *s)
{
  Dice *dice = &s->d->dice;
  for (int n = below(dice, 3); n > 0; n--) {
    Element *p = element_add(s->at, element_new(chance(dice, 0.7) ? "param" : "let"));
    g_autofree char *name = draw_name(s->d);
    element_set(p, "name", "p%s", name + 1);
    element_set(p, "value", "%.4g", rounded(uniform(dice, -2, 2)));
    draw_readable(s->signals, "p%s", name + 1);
  }
}

/* x' of state K, all of which are declared: what is bounded less x, or an oscillation with another.
 */
static char *draw_derivative(Scope *s, guint k)
{
  Dice *dice = &s->d->dice;
  static const char *const bounds[] = {"(2*tanh(%s))", "limit(%s, -2, 2)",      "sin(%s)",
                                       "(2*tanh(%s))", "if(%s > 0.1, 1, (-1))", "%s"};
  const char *x = s->states->pdata[k];
  g_autofree char *f = draw_formula(s, 1 + (guint)below(dice, 3));
  g_auto(GStrv) bound = g_strsplit(bounds[below(dice, G_N_ELEMENTS(bounds))], "%s", 2);
  g_autofree char *g = g_strjoin("", bound[0], f, bound[1], NULL);
  double tau = rounded(
      s->d->unit * pow(10, chance(dice, 0.12) ? uniform(dice, -4, -1) : uniform(dice, -1, 0.5)));
  if (s->states->len > 1 && chance(dice, 0.3)) {
    const char *y = s->states->pdata[(k + 1) % s->states->len];
    return g_strdup_printf("((((%s%s) + %s) - (0.3*%s))/%.4g)", k % 2 == 0 ? "" : "-", y, g, x,
                           tau);
  }
  return g_strdup_printf("((%s - %s)/%.4g)", g, x, tau);
}

static void declare_states(Scope *s, guint n)
{
  for (guint k = 0; k < n; k++) {
    g_autofree char *name = draw_name(s->d);
    draw_readable(s->states, "x%s", name + 1);
  }
}

static void draw_states(Scope *s)
{
  gboolean equations = strcmp(s->at->tag, "equations") == 0;
  for (guint k = 0; k < s->states->len; k++) {
    g_autofree char *f = draw_derivative(s, k);
    Element *x = element_add(s->at, element_new(equations ? "state" : "integrator"));
    element_set(x, "name", "%s", (char *)s->states->pdata[k]);
    element_set(x, equations ? "derivative" : "in", "%s", f);
    element_set(x, "x0", "%.4g", rounded(uniform(&s->d->dice, -1, 1)));
  }
}

static void draw_blocks(Scope *s, guint n);

/* Its ports: IN that formulas in it read, OUT of what is in it. */
static void draw_ports(Scope *inner, int ins)
{
  for (int k = 0; k < ins; k++) {
    Element *in = element_add(inner->at, element_new("in"));
    element_set(in, "name", "u%d", k + 1);
    draw_readable(inner->signals, "u%d", k + 1);
  }
}

static int draw_outs(Scope *inner)
{
  int n = 1 + below(&inner->d->dice, 2);
  for (int k = 0; k < n; k++) {
    Element *out = element_add(inner->at, element_new("out"));
    g_autofree char *f = k == 0 && inner->states->len > 0 ? g_strdup(inner->states->pdata[0])
                                                          : draw_formula(inner, 2);
    element_set(out, "name", "y%d", k + 1);
    element_set(out, "from", "((1*%s) + 0)", f); /* a formula, whatever it is of */
  }
  return n;
}

/* E in scope S, with inputs, and its outputs to be read. */
static void place(Scope *s, Element *e, int ins, int outs)
{
  Draw *d = s->d;
  g_autofree char *name = draw_name(d);
  int copies = chance(&d->dice, 0.2) ? 2 : 1;
  element_set(e, "name", "%s", name);
  if (copies > 1) {
    element_set(e, "count", "%d", copies);
    element_set(e, "index", "n");
  }
  d->index = copies > 1;
  for (int k = 0; k < ins; k++) {
    g_autofree char *f = draw_formula(s, 2), *u = g_strdup_printf("u%d", k + 1);
    element_set(e, u, "%s", f);
  }
  d->index = FALSE;
  for (int c = 1; c <= copies; c++) {
    for (int k = 1; k <= outs; k++) {
      if (copies > 1) {
        draw_readable(s->signals, "%s[%d].y%d", name, c, k);
      } else {
        draw_readable(s->signals, "%s.y%d", name, k);
      }
    }
  }
}

static void draw_inside(Scope *inner, int ins, int *outs)
{
  Dice *dice = &inner->d->dice;
  draw_params(inner);
  draw_ports(inner, ins);
  declare_states(inner, (guint)below(dice, 4));
  if (strcmp(inner->at->tag, "equations") == 0) {
    for (int n = below(dice, 3); n > 0; n--) {
      g_autofree char *name = draw_name(inner->d), *f = draw_formula(inner, 2);
      Element *function = element_add(inner->at, element_new("function"));
      element_set(function, "name", "%s", name);
      element_set(function, "formula", "%s", f);
      draw_readable(inner->signals, "%s", name);
    }
  } else {
    draw_blocks(inner, 1 + (guint)below(dice, 5));
  }
  draw_states(inner);
  *outs = draw_outs(inner);
}

static void draw_coupled(Scope *s)
{
  Draw *d = s->d;
  static const char *const tags[] = {"coupled", "equations", "type"};
  const char *tag = tags[below(&d->dice, 3)];
  gboolean type = strcmp(tag, "type") == 0;
  Element *e = element_add(type ? d->root : s->at, element_new(tag));
  Scope inner = scope_new(d, e, s->depth + 1);
  int ins = below(&d->dice, 3), outs = 0;
  gboolean index = d->index;
  d->index = FALSE;
  if (type) {
    g_autofree char *name = draw_name(d);
    element_set(e, "name", "k%s", name + 1);
  }
  draw_inside(&inner, ins, &outs);
  d->index = index;
  for (int n = type ? 1 + below(&d->dice, 2) : 1; n > 0; n--) {
    Element *at = type ? element_add(s->at, element_new("block")) : e;
    if (type) {
      element_set(at, "type", "%s", element_get(e, "name"));
    }
    place(s, at, ins, outs);
  }
  scope_clear(&inner);
}

static void draw_blocks(Scope *s, guint n)
{
  Dice *dice = &s->d->dice;
  for (guint k = 0; k < n; k++) {
    double which = uniform(dice, 0, 1);
    if (which < 0.08 && s->depth < 2) {
      draw_coupled(s);
    } else if (which < 0.12) {
      draw_machine(s);
    } else if (which < 0.16) {
      draw_circuit(s);
    } else {
      draw_any_template(s);
    }
  }
}

/* The order of elements is free, but decides who is first at one instant. */
static void shuffle(Draw *d, GPtrArray *a)
{
  for (guint k = a->len; k > 1; k--) {
    guint j = (guint)below(&d->dice, (int)k);
    gpointer was = a->pdata[k - 1];
    a->pdata[k - 1] = a->pdata[j];
    a->pdata[j] = was;
  }
}

static void draw_experiment(Scope *s)
{
  Draw *d = s->d;
  static const double stops[] = {1, 2, 5, 8};
  Element *e = element_add(s->at, element_new("experiment"));
  g_autoptr(GString) record = g_string_new(NULL);
  for (guint k = 0; k < s->states->len; k++) {
    g_string_append_printf(record, " %s", (char *)s->states->pdata[k]);
  }
  for (guint k = 0; k < s->signals->len; k++) {
    const char *name = s->signals->pdata[k];
    if (name[0] != 'p') { /* no parameter */
      g_string_append_printf(record, " %s", name);
    }
  }
  element_set(e, "stop", "%.4g", rounded(d->unit * stops[below(&d->dice, 4)]));
  element_set(e, "record", "%s", record->str + 1);
}

Element *draw_model(guint64 seed, gboolean roots)
{
  static const double units[] = {1, 1, 1e-3, 1e-5};
  Draw d = {.dice = {seed * 7919 + 17}, .root = element_new("hydevs"), .roots = roots};
  d.unit = units[below(&d.dice, G_N_ELEMENTS(units))];
  element_set(d.root, "xmlns", "urn:hydevs:1");
  element_set(d.root, "name", "seed%" G_GUINT64_FORMAT, seed);
  element_set(d.root, "needs", "1.3");
  Scope s = scope_new(&d, d.root, 0);
  draw_params(&s);
  declare_states(&s, 1 + (guint)below(&d.dice, 4));
  if (chance(&d.dice, 0.6)) {
    g_autofree char *name = draw_name(&d);
    Element *g = element_add(d.root, element_new("generator"));
    element_set(g, "name", "%s", name);
    element_set(g, "period", "%.4g", draw_time(&d));
    element_set(g, "values", "1, 2, 3, 4, 5, 6");
    draw_readable(s.events, "%s", name);
  }
  draw_blocks(&s, 1 + (guint)below(&d.dice, 12));
  draw_states(&s);
  if (chance(&d.dice, 0.3)) {
    shuffle(&d, d.root->children);
  }
  draw_experiment(&s);
  scope_clear(&s);
  return d.root;
}
