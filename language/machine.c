/* What a <machine> says: inputs, outputs, variables, states and transitions become an HyMachine,
 * its formulas a list of texts. Once for all copies of it; machine_block.c makes those. */
#include "language/env.h"
#include "language/machine_read.h"
#include <string.h>

void hy_machine_complain(Loader *l, Entry *e, guint line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_autofree char *path = hy_define_path(e->define, e->name);
  hy_report_error(l->report, e->define->file->name, line, "%s: %s", path, what);
  e->bad = 1;
}

void hy_machine_warn(Loader *l, const Entry *e, guint line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *what = g_strdup_vprintf(format, args);
  va_end(args);
  g_autofree char *path = hy_define_path(e->define, e->name);
  hy_report_warning(l->report, e->define->file->name, line, "%s: %s", path, what);
}

static const char *text_of(const MachineReading *r, const HyElement *x, guint16 word)
{
  return hy_text_of(r->file, x, word);
}

const char *hy_machine_keep(const MachineReading *r, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const(r->l->strings, text) : NULL;
}

/* The first child of X that is called WORD, or the next one after K. */
guint32 hy_machine_child(const MachineReading *r, guint32 k, guint16 word)
{
  while (k != 0 && (hy_element(r->tree, k)->name != word || hy_element(r->tree, k)->foreign)) {
    k = hy_element(r->tree, k)->next;
  }
  return k;
}

static guint find_state(const MachineReading *r, const char *name)
{
  for (guint k = 0; k < r->state->len; k++) {
    if (strcmp(g_array_index(r->state, HyMachineState, k).name, name) == 0) {
      return k;
    }
  }
  return G_MAXUINT;
}

/* The number of the state NAME; G_MAXUINT: reported. */
static guint state_named(MachineReading *r, const HyAttribute *a)
{
  guint k = find_state(r, a->value);
  if (k != G_MAXUINT) {
    return k;
  }
  HyNearest nearest = {.word = a->value};
  g_autoptr(GString) list = g_string_new(NULL);
  for (guint i = 0; i < r->state->len; i++) {
    const char *name = g_array_index(r->state, HyMachineState, i).name;
    hy_nearest_offer(&nearest, name);
    hy_list_word(list, name);
  }
  g_autofree char *hint = hy_did_you_mean_long(nearest.best);
  hy_machine_complain(r->l, r->e, a->line, "there is no state \"%s\" (states: %s)%s", a->value,
                      list->str, hint);
  return G_MAXUINT;
}

/* States and transitions ----------------------------------------------------------------------- */

/* Their names first, since transitions name them. */
static void read_states(MachineReading *r, const HyElement *x)
{
  for (guint32 k = hy_machine_child(r, x->child, HY_W_STATE); k != 0; k = hy_machine_next(r, k)) {
    const HyElement *s = hy_element(r->tree, k);
    const char *final = text_of(r, s, HY_W_FINAL), *name = text_of(r, s, HY_W_NAME);
    HyMachineState state = {.name = hy_machine_keep(r, name),
                            .label = hy_machine_keep(r, text_of(r, s, HY_W_LABEL)),
                            .doc = hy_machine_keep(r, text_of(r, s, HY_W_DOC)),
                            .final = final != NULL && strcmp(final, "true") == 0,
                            .line = s->line};
    guint first = find_state(r, name);
    if (first != G_MAXUINT) {
      hy_machine_complain(r->l, r->e, s->line, "state \"%s\" is there already, in line %u", name,
                          g_array_index(r->state, HyMachineState, first).line);
    }
    g_array_append_val(r->state, state);
  }
  if (r->state->len == 0) {
    hy_machine_complain(r->l, r->e, x->line, "a machine needs a <state name=\"...\"/>");
  }
}

static void read_cause(MachineReading *r, const HyElement *x, HyMachineTransition *t)
{
  const HyAttribute *event = hy_attribute_find(r->tree, x, HY_W_EVENT),
                    *time = hy_attribute_find(r->tree, x, HY_W_TIME),
                    *guard = hy_attribute_find(r->tree, x, HY_W_GUARD);
  if (x->name == HY_W_ON) {
    t->cause = HY_ON;
    t->port = hy_machine_event(r, event);
    t->event = hy_machine_keep(r, event->value);
  } else if (x->name == HY_W_AFTER) {
    t->cause = HY_AFTER;
    t->time = hy_machine_part(r, time, "time", time->value, (MachineSource){.time = TRUE});
    t->after = hy_machine_keep(r, time->value);
  } else {
    t->cause = HY_WHEN;
  }
  t->guard = HY_NO_PART;
  if (guard != NULL) {
    MachineSource source = {.guard = TRUE, .watched = t->cause == HY_WHEN};
    t->guard = hy_machine_part(r, guard, "guard", guard->value, source);
    t->condition = hy_machine_keep(r, guard->value);
  }
}

/* COMMON: X stands in the machine itself. */
static HyMachineTransition read_transition(MachineReading *r, const HyElement *x, gboolean common)
{
  HyMachineTransition t = {.from = r->at, .to = HY_STAYS, .line = x->line, .common = common};
  const HyAttribute *to = hy_attribute_find(r->tree, x, HY_W_TO);
  g_autofree char *who = g_strdup_printf("<%s>", hy_tree_name(r->tree, x->name));
  read_cause(r, x, &t);
  t.to = to != NULL ? state_named(r, to) : HY_STAYS;
  t.acts.first = r->act->len;
  t.action = hy_machine_assignments(r, x, HY_W_DO, &t.acts);
  t.said = hy_machine_words(r, x, who, &t.acts);
  if (to == NULL && t.acts.n == 0 && t.cause != HY_ON && /* such an <on> ignores the event */
      hy_attribute_find(r->tree, x, HY_W_DO) == NULL) {
    hy_machine_complain(r->l, r->e, x->line,
                        "%s does nothing: it has no to=, no do=, and says nothing", who);
  }
  return t;
}

static gboolean is_transition(const HyElement *x)
{
  return !x->foreign && (x->name == HY_W_ON || x->name == HY_W_AFTER || x->name == HY_W_WHEN);
}

/* Transitions of all states, which each state that is not final has behind its own. */
static void read_common(MachineReading *r, const HyElement *x)
{
  for (guint32 k = x->child; k != 0; k = hy_element(r->tree, k)->next) {
    if (is_transition(hy_element(r->tree, k))) {
      HyMachineTransition t = read_transition(r, hy_element(r->tree, k), TRUE);
      g_array_append_val(r->common, t);
    }
  }
}

static void read_state(MachineReading *r, const HyElement *x, guint number)
{
  HyMachineState s = g_array_index(r->state, HyMachineState, number);
  g_autofree char *who = g_strdup_printf("state %s", s.name);
  r->at = number;
  s.entry.first = r->act->len;
  s.on_entry = hy_machine_assignments(r, x, HY_W_ENTRY, &s.entry);
  s.said = hy_machine_words(r, x, who, &s.entry);
  s.exit.first = r->act->len;
  s.on_exit = hy_machine_assignments(r, x, HY_W_EXIT, &s.exit);
  s.first = r->transition->len;
  for (guint32 k = x->child; k != 0; k = hy_element(r->tree, k)->next) {
    if (is_transition(hy_element(r->tree, k))) {
      HyMachineTransition t = read_transition(r, hy_element(r->tree, k), FALSE);
      g_array_append_val(r->transition, t);
    }
  }
  for (guint k = 0; !s.final && k < r->common->len; k++) {
    HyMachineTransition t = g_array_index(r->common, HyMachineTransition, k);
    t.from = number;
    g_array_append_val(r->transition, t);
  }
  s.n = r->transition->len - s.first;
  g_array_index(r->state, HyMachineState, number) = s;
  r->at = G_MAXUINT;
}

/* The whole ------------------------------------------------------------------------------------ */

static void reading_init(MachineReading *r, Loader *l, Entry *e)
{
  *r = (MachineReading){
      .l = l, .e = e, .file = e->define->file, .tree = e->define->file->tree, .at = G_MAXUINT};
  r->m = g_new0(HyMachine, 1);
  r->said = g_new0(MachineSaid, 1);
  r->said->machine = r->m;
  r->said->source = g_array_new(FALSE, TRUE, sizeof(MachineSource));
  r->said->names = g_ptr_array_new();
  r->in = g_array_new(TRUE, TRUE, sizeof(HyPort));
  r->out = g_array_new(TRUE, TRUE, sizeof(HyPort));
  r->state = g_array_new(FALSE, TRUE, sizeof(HyMachineState));
  r->transition = g_array_new(FALSE, TRUE, sizeof(HyMachineTransition));
  r->common = g_array_new(FALSE, TRUE, sizeof(HyMachineTransition));
  r->act = g_array_new(FALSE, TRUE, sizeof(HyMachineAct));
  r->part = g_array_new(FALSE, TRUE, sizeof(HyMachinePart));
  r->var = g_ptr_array_new();
  r->var_part = g_array_new(FALSE, TRUE, sizeof(guint));
}

static gpointer moved(GArray *array, guint *n)
{
  *n = array->len;
  return g_array_free(array, FALSE);
}

/* What was read becomes the machine. */
static void hand_over(MachineReading *r)
{
  HyMachine *m = r->m;
  HyPort reads = {.name = HY_MACHINE_READS,
                  .kind = HY_SIGNAL,
                  .array = TRUE,
                  .optional = TRUE,
                  .doc = "what its formulas read from the model"};
  guint n;
  m->n_in = r->in->len;
  g_array_append_val(r->in, reads);
  m->in = moved(r->in, &n);
  m->out = moved(r->out, &m->n_out);
  m->state = moved(r->state, &m->n_states);
  m->transition = moved(r->transition, &m->n_transitions);
  g_array_unref(r->common);
  m->act = moved(r->act, &m->n_acts);
  m->part = moved(r->part, &m->n_parts);
  m->var_part = moved(r->var_part, &m->n_vars);
  m->var = (const char **)(gpointer)g_ptr_array_free(r->var, FALSE);
}

/* What formulas may name: inputs, variables, and what every machine has where nothing else is
 * called so; in the order of their places. */
static void find_names(MachineReading *r)
{
  static const char *const own[] = {[HY_MACHINE_TIME] = HY_TIME,
                                    [HY_MACHINE_ELAPSED] = "elapsed",
                                    [HY_MACHINE_RANDOM] = "random"};
  GPtrArray *names = r->said->names;
  for (guint k = 0; k < r->in->len; k++) {
    const char *name = g_array_index(r->in, HyPort, k).name;
    g_ptr_array_add(names, hy_key(hy_formula_pool_name(r->l->pool, name)));
  }
  for (guint k = 0; k < r->var->len; k++) {
    g_ptr_array_add(names, hy_key(hy_formula_pool_name(r->l->pool, g_ptr_array_index(r->var, k))));
  }
  for (guint k = 0; k < HY_N_MACHINE_UNKNOWNS; k++) {
    const char *name = hy_formula_pool_name(r->l->pool, own[k]);
    gboolean taken = hy_machine_other(r, name) != NULL;
    g_ptr_array_add(names, taken ? hy_key("") : hy_key(name));
  }
  g_ptr_array_add(names, NULL);
}

/* An element inside is wrong, which the check of the structure has said. */
static gboolean is_bad_inside(const MachineReading *r, const HyElement *x)
{
  for (guint32 k = x->child; k != 0; k = hy_element(r->tree, k)->next) {
    if (r->file->bad[k] || is_bad_inside(r, hy_element(r->tree, k))) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Names are looked for in lists, and each formula knows of each variable, so time and memory grow
 * like squares; transitions of the machine itself stand behind those of each state. */
#define MOST_TRANSITIONS 1000000
static gboolean is_small(MachineReading *r, const HyElement *x)
{
  static const struct {
    guint16 word;
    guint most;
  } of[] = {{HY_W_STATE, 10000}, {HY_W_VAR, 2000}, {HY_W_IN, 2000}, {HY_W_OUT, 2000}};
  guint64 n[G_N_ELEMENTS(of)] = {0}, common = 0;
  for (guint32 k = x->child; k != 0; k = hy_element(r->tree, k)->next) {
    const HyElement *child = hy_element(r->tree, k);
    common += is_transition(child);
    for (guint w = 0; w < G_N_ELEMENTS(of); w++) {
      n[w] += !child->foreign && child->name == of[w].word;
    }
  }
  for (guint w = 0; w < G_N_ELEMENTS(of); w++) {
    if (n[w] > of[w].most) {
      hy_machine_complain(r->l, r->e, x->line,
                          "%" G_GUINT64_FORMAT " <%s>; a machine has at most %u", n[w],
                          hy_tree_name(r->tree, of[w].word), of[w].most);
      return FALSE;
    }
  }
  if (common * n[0] > MOST_TRANSITIONS) {
    hy_machine_complain(r->l, r->e, x->line,
                        "%" G_GUINT64_FORMAT
                        " transitions of the machine for each of %" G_GUINT64_FORMAT
                        " states; together there may be %d",
                        common, n[0], MOST_TRANSITIONS);
    return FALSE;
  }
  return TRUE;
}

/* All mistakes of a machine are told in one go. */
static void read_all(MachineReading *r, const HyElement *x)
{
  const HyAttribute *initial = hy_attribute_find(r->tree, x, HY_W_INITIAL);
  guint number = 0;
  hy_machine_inputs(r, x);
  hy_machine_outputs(r, x);
  hy_machine_variables(r, x);
  read_states(r, x);
  if (initial != NULL && r->state->len > 0) {
    r->m->initial = state_named(r, initial);
  }
  read_common(r, x);
  for (guint32 k = hy_machine_child(r, x->child, HY_W_STATE); k != 0; k = hy_machine_next(r, k)) {
    read_state(r, hy_element(r->tree, k), number++);
  }
  if (!r->e->bad) {
    hy_machine_judge_outputs(r, x);
  }
}

gboolean hy_machine_read(Loader *l, Entry *e)
{
  const HyElement *x = hy_element(e->define->file->tree, e->element);
  MachineReading r;
  reading_init(&r, l, e);
  e->machine = r.said;
  g_ptr_array_add(l->machines_said, r.said);
  g_ptr_array_add(l->machines, r.m);
  e->bad = e->bad || is_bad_inside(&r, x);
  if (!e->bad && is_small(&r, x)) {
    read_all(&r, x);
  }
  find_names(&r);
  const char *doc = hy_text_of(r.file, x, HY_W_DOC);
  hand_over(&r);
  if (!e->bad) {
    hy_machine_check(l, e, r.m);
    hy_machine_class(r.m, hy_machine_keep(&r, doc));
    e->klass = &r.m->klass;
  }
  return !e->bad;
}

void hy_machine_said_free(MachineSaid *said)
{
  g_array_unref(said->source);
  g_ptr_array_unref(said->names);
  g_free(said);
}
