/* The table of the language's own elements and attributes.
 *
 * An element has a rule: where it may stand, which groups of attributes it shares with others,
 * which are its own. An attribute has one, too: how its text is typed (HyXsdType), whether it must
 * be there, what it is for. schema_check.c reads the table for every file, library/xsd.c makes
 * the schema for editors from it, so neither can say what the other does not. Words have fixed
 * numbers (HY_W_...), which the reader of XML gives to names. */
#include "language/schema.h"
#include "base/hint.h"
#include "hydevs/blocks.h"
#include "hydevs/model.h"
#include <string.h>

const char *const hy_words[HY_N_WORDS + 1] = {
#define HY_WORD(id, text) text,
    HY_WORDS(HY_WORD)
#undef HY_WORD
        NULL};

const char *const *hy_choices_of(HyXsdType type)
{
  static const char *const choices[][6] = {
      [HY_X_KIND] = {"real", "integer", "boolean", "text", "payload"},
      [HY_X_PORT_KIND] = {"signal", "event"},
      [HY_X_ENGINE] = {"auto", "tree", "flat", "fused"},
      [HY_X_PARTITION] = {"stated", "auto"},
      [HY_X_AUDIT] = {"off", "warn", "strict", "full"},
      [HY_X_BOOLEAN] = {"true", "false"},
      [HY_X_SAMPLING] = {"latin", "plain", "sobol"}};
  return type < G_N_ELEMENTS(choices) && choices[type][0] != NULL ? choices[type] : NULL;
}

#define RULES(table) .attributes = (table), .n = G_N_ELEMENTS(table)

static const HyAttributeRule said[] = {{HY_W_LABEL, HY_X_TEXT, FALSE, NULL},
                                       {HY_W_DOC, HY_X_TEXT, FALSE, NULL}};
static const HyAttributeRule repeat[] = {
    {HY_W_COUNT, HY_X_VALUE, FALSE, "Copies 1..count; \"M, N\" makes a grid."},
    {HY_W_INDEX, HY_X_NAMES, FALSE, "Name of the index; i (i j k) if not given."},
    {HY_W_IF, HY_X_VALUE, FALSE, "Exists only if not 0, decided while loading."}};
static const HyAttributeRule numerics[] = {
    {HY_W_METHOD, HY_X_TOKEN, FALSE, NULL}, {HY_W_DQREL, HY_X_VALUE, FALSE, NULL},
    {HY_W_DQMIN, HY_X_VALUE, FALSE, NULL},  {HY_W_RELTOL, HY_X_VALUE, FALSE, NULL},
    {HY_W_ABSTOL, HY_X_VALUE, FALSE, NULL}, {HY_W_HSTEP, HY_X_VALUE, FALSE, NULL}};
static const HyAttributeRule placed[] = {
    {HY_W_NAME, HY_X_NAME, TRUE, NULL},
    {HY_W_UNIT, HY_X_TOKEN, FALSE, "Of the first output."},
    {HY_W_PRIORITY, HY_X_VALUE, FALSE, "Stands before blocks without one; small numbers first."},
    {HY_W_BEFORE, HY_X_SOURCE, FALSE, "With count=\"N\": what name[0] stands for."},
    {HY_W_AFTER, HY_X_SOURCE, FALSE, "With count=\"N\": what name[N+1] stands for."}};
static const HyAttributeRule quantity[] = {{HY_W_NAME, HY_X_NAME, TRUE, NULL},
                                           {HY_W_UNIT, HY_X_TOKEN, FALSE, NULL},
                                           {HY_W_COUNT, HY_X_VALUE, FALSE, NULL},
                                           {HY_W_INDEX, HY_X_NAMES, FALSE, NULL}};

#define SAID     (1U << HY_G_SAID)
#define REPEAT   (1U << HY_G_REPEAT)
#define NUMERICS (1U << HY_G_NUMERICS)
#define PLACED   (1U << HY_G_PLACED)
#define QUANTITY (1U << HY_G_QUANTITY)
#define ANYWHERE (HY_IN_MODEL | HY_IN_EQUATIONS | HY_IN_CIRCUIT)

const HyGroupRule hy_groups[HY_N_GROUPS] = {
    [HY_G_SAID] = {"Said", 0, RULES(said)},
    [HY_G_REPEAT] = {"Repeat", 0, RULES(repeat)},
    [HY_G_NUMERICS] = {"Numerics", 0, RULES(numerics)},
    [HY_G_PLACED] = {"Placed", REPEAT | NUMERICS | SAID, RULES(placed)},
    [HY_G_QUANTITY] = {"Quantity", SAID, RULES(quantity)},
};

static const HyAttributeRule hydevs_own[] = {
    {HY_W_NAME, HY_X_NAME, TRUE, NULL},
    {HY_W_NEEDS, HY_X_TOKEN, FALSE, "The oldest language that reads this."}};
static const HyAttributeRule info_own[] = {{HY_W_AUTHOR, HY_X_TEXT, FALSE, NULL},
                                           {HY_W_VERSION, HY_X_TOKEN, FALSE, NULL},
                                           {HY_W_DATE, HY_X_TOKEN, FALSE, NULL},
                                           {HY_W_LICENCE, HY_X_TEXT, FALSE, NULL},
                                           {HY_W_REFERENCE, HY_X_TEXT, FALSE, NULL}};
static const HyAttributeRule import_own[] = {{HY_W_NAME, HY_X_NAME, TRUE, NULL},
                                             {HY_W_FILE, HY_X_URI, TRUE, NULL}};
static const HyAttributeRule type_own[] = {{HY_W_NAME, HY_X_NAME, TRUE, NULL}};
static const HyAttributeRule block_own[] = {{HY_W_TYPE, HY_X_TYPE, FALSE, NULL},
                                            {HY_W_FILE, HY_X_URI, FALSE, NULL}};
static const HyAttributeRule state_own[] = {
    {HY_W_DERIVATIVE, HY_X_SOURCE, TRUE, "Its derivative, of states, inputs and parameters."},
    {HY_W_X0, HY_X_VALUE, FALSE, "Where it starts; 0 if not given."}};
#define DOES(word, when)                                                                           \
  {                                                                                                \
    (word), HY_X_VALUE, FALSE, "Assignments \"n = n + 1; m = 0\", done " when                      \
  }
static const HyAttributeRule machine_own[] = {
    {HY_W_INITIAL, HY_X_NAME, FALSE, "The state in which it begins; the first if not given."}};
static const HyAttributeRule var_own[] = {
    {HY_W_NAME, HY_X_NAME, TRUE, NULL},
    {HY_W_VALUE, HY_X_VALUE, FALSE, "At the start; 0 if not given."},
    {HY_W_UNIT, HY_X_TOKEN, FALSE, NULL}};
static const HyAttributeRule machine_state_own[] = {
    {HY_W_NAME, HY_X_NAME, TRUE, NULL},
    {HY_W_FINAL, HY_X_BOOLEAN, FALSE, "It is never left."},
    DOES(HY_W_ENTRY, "when it is entered."),
    DOES(HY_W_EXIT, "when it is left.")};
#define GOES                                                                                       \
  {HY_W_TO, HY_X_NAME, FALSE, "The next state; none: it stays, and its timeouts go on."},          \
      DOES(HY_W_DO, "when it is taken.")
#define GUARDED                                                                                    \
  {                                                                                                \
    HY_W_GUARD, HY_X_VALUE, FALSE, "It is taken only if this holds."                               \
  }
static const HyAttributeRule on_own[] = {
    {HY_W_EVENT, HY_X_NAME, TRUE, "The input whose events cause it."}, GUARDED, GOES};
static const HyAttributeRule after_own[] = {
    {HY_W_TIME, HY_X_VALUE, TRUE, "So long after the state was entered; computed then."},
    GUARDED,
    GOES};
static const HyAttributeRule when_own[] = {
    {HY_W_GUARD, HY_X_VALUE, TRUE, "It is taken as soon as this holds."}, GOES};
static const HyAttributeRule param_own[] = {
    {HY_W_VALUE, HY_X_VALUE, FALSE, NULL},
    {HY_W_KIND, HY_X_KIND, FALSE, NULL},
    {HY_W_MIN, HY_X_VALUE, FALSE, NULL},
    {HY_W_MAX, HY_X_VALUE, FALSE, NULL},
    {HY_W_CHOICES, HY_X_TEXT, FALSE, NULL},
    {HY_W_CHANGE, HY_X_BOOLEAN, FALSE, "It is a lever, moved while the model runs."}};
static const HyAttributeRule let_own[] = {{HY_W_VALUE, HY_X_VALUE, TRUE, NULL}};
#define PORT_IF                                                                                    \
  {                                                                                                \
    HY_W_IF, HY_X_VALUE, FALSE, "Exists only if not 0, decided while loading."                     \
  }
static const HyAttributeRule in_own[] = {{HY_W_KIND, HY_X_PORT_KIND, FALSE, NULL}, PORT_IF};
static const HyAttributeRule out_own[] = {
    {HY_W_KIND, HY_X_PORT_KIND, FALSE, NULL}, {HY_W_FROM, HY_X_SOURCE, FALSE, NULL}, PORT_IF};
static const HyAttributeRule node_own[] = {
    {HY_W_NAME, HY_X_NAME, TRUE, NULL},
    {HY_W_COUNT, HY_X_VALUE, FALSE, "An array of nodes: name[1] ... name[count]."}};
static const HyAttributeRule wire_own[] = {{HY_W_FROM, HY_X_ENDS, TRUE, NULL},
                                           {HY_W_TO, HY_X_ENDS, TRUE, NULL}};
static const HyAttributeRule experiment_own[] = {{HY_W_NAME, HY_X_NAME, FALSE, NULL},
                                                 {HY_W_LIKE, HY_X_NAME, FALSE, NULL},
                                                 {HY_W_START, HY_X_VALUE, FALSE, NULL},
                                                 {HY_W_STOP, HY_X_VALUE, FALSE, NULL},
                                                 {HY_W_ENGINE, HY_X_ENGINE, FALSE, NULL},
                                                 {HY_W_PARTITION, HY_X_PARTITION, FALSE, NULL},
                                                 {HY_W_AUDIT, HY_X_AUDIT, FALSE, NULL},
                                                 {HY_W_RECORD, HY_X_TEXT, FALSE, NULL},
                                                 {HY_W_GRID, HY_X_VALUE, FALSE, NULL},
                                                 {HY_W_SEED, HY_X_VALUE, FALSE, NULL},
                                                 {HY_W_EVENTS_AT_INSTANT, HY_X_VALUE, FALSE, NULL}};
static const HyAttributeRule set_own[] = {{HY_W_BLOCK, HY_X_PATH, FALSE, NULL}};
static const HyAttributeRule record_own[] = {{HY_W_PATH, HY_X_PATH, TRUE, NULL},
                                             {HY_W_GRID, HY_X_VALUE, FALSE, NULL},
                                             {HY_W_LABEL, HY_X_TEXT, FALSE, NULL}};
static const HyAttributeRule measure_own[] = {
    {HY_W_NAME, HY_X_TOKEN, FALSE, NULL},
    {HY_W_VALUE, HY_X_TEXT, TRUE, "max(x), mean(u*i, 5m): what signals were, as a number."},
    {HY_W_MIN, HY_X_VALUE, FALSE, "What is less fails the run."},
    {HY_W_MAX, HY_X_VALUE, FALSE, "What is more fails the run."},
    {HY_W_UNIT, HY_X_TEXT, FALSE, NULL},
    {HY_W_LABEL, HY_X_TEXT, FALSE, NULL}};
static const HyAttributeRule sweep_own[] = {
    {HY_W_NAME, HY_X_NAME, FALSE, NULL},
    {HY_W_RUNS, HY_X_INTEGER, FALSE, "So many draws; 1 if not given."},
    {HY_W_SAMPLING, HY_X_SAMPLING, FALSE, "How draws fill the space; latin if not given."},
    {HY_W_TOGETHER, HY_X_BOOLEAN, FALSE, "Values go along with each other, and not combined."}};
static const HyAttributeRule vary_own[] = {
    {HY_W_PARAM, HY_X_TOKEN, TRUE, "A parameter: R, stage[2].L1."},
    {HY_W_VALUES, HY_X_TEXT, FALSE, "5:20:4, log 1:1k:7, or a list 5, 10, 20."},
    {HY_W_RANDOM, HY_X_TEXT, FALSE, "Drawn by lot: normal 10m 5%, uniform 1 2."}};
static const HyAttributeRule view_own[] = {{HY_W_PALETTE, HY_X_TEXT, FALSE, NULL},
                                           {HY_W_ICON, HY_X_URI, FALSE, NULL},
                                           {HY_W_WIDTH, HY_X_DECIMAL, FALSE, NULL},
                                           {HY_W_HEIGHT, HY_X_DECIMAL, FALSE, NULL},
                                           {HY_W_COLOR, HY_X_TOKEN, FALSE, NULL}};
static const HyAttributeRule at_own[] = {
    {HY_W_BLOCK, HY_X_NAME, TRUE, NULL},      {HY_W_POS_X, HY_X_DECIMAL, TRUE, NULL},
    {HY_W_POS_Y, HY_X_DECIMAL, TRUE, NULL},   {HY_W_WIDTH, HY_X_DECIMAL, FALSE, NULL},
    {HY_W_HEIGHT, HY_X_DECIMAL, FALSE, NULL}, {HY_W_TURN, HY_X_DECIMAL, FALSE, NULL},
    {HY_W_ICON, HY_X_URI, FALSE, NULL},       {HY_W_COLOR, HY_X_TOKEN, FALSE, NULL}};
static const HyAttributeRule route_own[] = {{HY_W_FROM, HY_X_ENDS, TRUE, NULL},
                                            {HY_W_TO, HY_X_ENDS, TRUE, NULL},
                                            {HY_W_POINTS, HY_X_TEXT, TRUE, NULL}};
static const HyAttributeRule note_own[] = {{HY_W_POS_X, HY_X_DECIMAL, TRUE, NULL},
                                           {HY_W_POS_Y, HY_X_DECIMAL, TRUE, NULL}};

const HyElementRule hy_element_rules[] = {
    {.word = HY_W_HYDEVS,
     .groups = NUMERICS | SAID,
     .inside = HY_IN_ROOT,
     RULES(hydevs_own),
     .doc = "A model, a library, or both: the same document."},
    {.word = HY_W_INFO, .places = HY_IN_ROOT, RULES(info_own)},
    {.word = HY_W_DOC, .places = ANYWHERE | HY_IN_MACHINE | HY_IN_MACHINE_STATE, .text = TRUE},
    {.word = HY_W_IMPORT, .places = HY_IN_ROOT, RULES(import_own)},
    {.word = HY_W_TYPE,
     .groups = NUMERICS | SAID,
     .places = HY_IN_ROOT,
     .inside = HY_IN_TYPE,
     RULES(type_own),
     .doc = "A coupled model to be placed by block type=\"name\"; sees its own parameters only. "
            "With a node in it: a circuit, to be placed in circuits."},
    {.word = HY_W_COUPLED,
     .groups = PLACED,
     .places = HY_IN_MODEL,
     .inside = HY_IN_COUPLED,
     .open = TRUE,
     .doc = "A coupled model written where it stands; sees the parameters around it."},
    {.word = HY_W_CIRCUIT,
     .groups = PLACED,
     .places = HY_IN_MODEL | HY_IN_CIRCUIT,
     .inside = HY_IN_CIRCUIT,
     .open = TRUE,
     .doc = "A coupled model written as its circuit: components between nodes."},
    {.word = HY_W_EQUATIONS,
     .groups = PLACED,
     .places = HY_IN_MODEL | HY_IN_EQUATIONS,
     .inside = HY_IN_EQUATIONS,
     .open = TRUE,
     .doc =
         "A coupled model written as its equations: states and formulas, no blocks and no wires."},
    {.word = HY_W_STATE,
     .groups = PLACED | SAID,
     .places = HY_IN_EQUATIONS,
     RULES(state_own),
     .doc = "An integrator in equations."},
    {.word = HY_W_MACHINE,
     .groups = PLACED,
     .places = HY_IN_MODEL,
     .inside = HY_IN_MACHINE,
     .open = TRUE,
     RULES(machine_own),
     .doc =
         "A state machine, one atomic block: states and transitions. Its inputs are attributes."},
    {.word = HY_W_VAR,
     .groups = SAID,
     .places = HY_IN_MACHINE,
     RULES(var_own),
     .doc = "A number that a machine keeps and its transitions change."},
    {.word = HY_W_STATE,
     .groups = SAID,
     .places = HY_IN_MACHINE,
     .inside = HY_IN_MACHINE_STATE,
     .open = TRUE,
     RULES(machine_state_own),
     .doc =
         "A state of a machine. An attribute with the name of an output is said on entering it."},
    {.word = HY_W_ON,
     .groups = SAID,
     .places = HY_IN_MACHINE | HY_IN_MACHINE_STATE,
     .open = TRUE,
     RULES(on_own),
     .doc =
         "A transition caused by an event. An attribute with the name of an output is said by it."},
    {.word = HY_W_AFTER,
     .groups = SAID,
     .places = HY_IN_MACHINE_STATE,
     .open = TRUE,
     RULES(after_own),
     .doc = "A transition caused by time in the state."},
    {.word = HY_W_WHEN,
     .groups = SAID,
     .places = HY_IN_MACHINE | HY_IN_MACHINE_STATE,
     .open = TRUE,
     RULES(when_own),
     .doc = "A transition as soon as a condition on signals and variables holds."},
    {.word = HY_W_BLOCK,
     .groups = PLACED,
     .places = HY_IN_MODEL | HY_IN_CIRCUIT,
     .open = TRUE,
     RULES(block_own),
     .doc = "A block of a type of this file, of a library, of another file, or (long form) of a "
            "built-in type."},
    {.word = HY_W_PARAM,
     .groups = QUANTITY,
     .places = ANYWHERE,
     RULES(param_own),
     .doc = "Set from outside; without value it must be set."},
    {.word = HY_W_LET,
     .groups = QUANTITY,
     .places = ANYWHERE,
     RULES(let_own),
     .doc = "Computed from parameters; cannot be set from outside."},
    {.word = HY_W_IN, .groups = QUANTITY, .places = ANYWHERE | HY_IN_MACHINE, RULES(in_own)},
    {.word = HY_W_OUT, .groups = QUANTITY, .places = ANYWHERE | HY_IN_MACHINE, RULES(out_own)},
    {.word = HY_W_NODE,
     .groups = SAID,
     .places = HY_IN_TYPE | HY_IN_CIRCUIT,
     RULES(node_own),
     .doc = "A node of a circuit inside another one that is joined to a node there: p=\"dc\"."},
    {.word = HY_W_WIRE, .groups = REPEAT | SAID, .places = HY_IN_MODEL, RULES(wire_own)},
    {.word = HY_W_EXPERIMENT,
     .groups = NUMERICS | SAID,
     .places = HY_IN_ROOT,
     .inside = HY_IN_EXPERIMENT,
     RULES(experiment_own)},
    {.word = HY_W_SET, .places = HY_IN_EXPERIMENT, .open = TRUE, RULES(set_own)},
    {.word = HY_W_RECORD, .places = HY_IN_EXPERIMENT, RULES(record_own)},
    {.word = HY_W_MEASURE,
     .places = HY_IN_EXPERIMENT,
     RULES(measure_own),
     .doc = "A number that the run gives, and with bounds a test of it."},
    {.word = HY_W_SWEEP,
     .groups = SAID,
     .places = HY_IN_EXPERIMENT,
     .inside = HY_IN_SWEEP,
     RULES(sweep_own),
     .doc = "Many runs of the experiment: hydevs sweep --sweep NAME."},
    {.word = HY_W_VARY,
     .places = HY_IN_SWEEP,
     RULES(vary_own),
     .doc = "What the runs of a sweep are set to."},
    {.word = HY_W_VIEW, .places = ANYWHERE, .inside = HY_IN_VIEW, RULES(view_own)},
    {.word = HY_W_AT, .places = HY_IN_VIEW, RULES(at_own)},
    {.word = HY_W_ROUTE, .places = HY_IN_VIEW, RULES(route_own)},
    {.word = HY_W_NOTE, .places = HY_IN_VIEW, .text = TRUE, RULES(note_own)},
};
const guint hy_n_element_rules = G_N_ELEMENTS(hy_element_rules);

const HyElementRule *hy_element_rule(guint16 word)
{
  for (guint k = 0; word < HY_N_WORDS && k < G_N_ELEMENTS(hy_element_rules); k++) {
    if (hy_element_rules[k].word == word) {
      return &hy_element_rules[k];
    }
  }
  return NULL;
}

const HyElementRule *hy_element_rule_in(guint16 word, guint places)
{
  for (guint k = 0; k < G_N_ELEMENTS(hy_element_rules); k++) {
    if (hy_element_rules[k].word == word && hy_element_rules[k].places & places) {
      return &hy_element_rules[k];
    }
  }
  return hy_element_rule(word);
}

/* Groups nest at most once: those inside Placed and Quantity. */
void hy_element_attributes(guint groups, const HyAttributeRule *own, guint n,
                           HyVisitAttribute visit, gpointer user)
{
  guint all = groups;
  for (guint g = 0; g < HY_N_GROUPS; g++) {
    all |= groups & (1U << g) ? hy_groups[g].groups : 0;
  }
  for (guint k = 0; k < n; k++) {
    visit(&own[k], user);
  }
  for (guint g = HY_N_GROUPS; g-- > 0;) {
    for (guint k = 0; all & (1U << g) && k < hy_groups[g].n; k++) {
      visit(&hy_groups[g].attributes[k], user);
    }
  }
}

/* Classes ------------------------------------------------------------------------------------- */

guint hy_find_port(const HyPort *ports, const char *name, guint *fixed)
{
  guint k = 0, found = G_MAXUINT;
  for (; ports != NULL && ports[k].name != NULL; k++) {
    if (found == G_MAXUINT && (name == NULL || strcmp(ports[k].name, name) == 0)) {
      found = k;
    }
  }
  if (fixed != NULL) {
    *fixed = k;
  }
  return found;
}

gboolean hy_has_array(const HyPort *p)
{
  while (p != NULL && p->name != NULL && !p->array) {
    p++;
  }
  return p != NULL && p->name != NULL;
}

gboolean hy_only_outputs_vary(const HyAtomicClass *klass)
{
  return hy_has_array(klass->out) && !hy_has_array(klass->in);
}

void hy_class_offer(const HyAtomicClass *klass, HyNearest *nearest, GString *list)
{
  for (const HyPort *p = klass->in; p != NULL && p->name != NULL; p++) {
    hy_nearest_offer(nearest, p->name);
    hy_list_word(list, p->name);
  }
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    hy_nearest_offer(nearest, p->name);
    hy_list_word(list, p->name);
  }
}

gboolean hy_is_circuit(const HyTree *tree, const HyElement *e)
{
  if (e->name != HY_W_TYPE) {
    return e->name == HY_W_CIRCUIT;
  }
  guint32 k = e->child;
  while (k != 0 && hy_element(tree, k)->name != HY_W_NODE) {
    k = hy_element(tree, k)->next;
  }
  return k != 0;
}

gboolean hy_takes_names(const HyAtomicClass *klass)
{
  return klass->formula != HY_NO_FORMULA;
}

/* Names --------------------------------------------------------------------------------------- */

gboolean hy_is_method(const char *name)
{
  g_return_val_if_fail(name != NULL, FALSE);
  return g_strv_contains(hy_method_words, name);
}

gboolean hy_is_reserved(const char *text)
{
  static const char *const words[] = {"if", "and", "or", "not", "pi", "inf", NULL};
  return g_strv_contains(words, text);
}

/* A letter or _, then letters, digits and _. */
static gboolean looks_like_a_name(const char *text)
{
  if (!g_ascii_isalpha(*text) && *text != '_') {
    return FALSE;
  }
  while (g_ascii_isalnum(*text) || *text == '_') {
    text++;
  }
  return *text == '\0';
}

gboolean hy_name_is_legal(const char *text)
{
  return looks_like_a_name(text) && !hy_is_reserved(text);
}

/* Blocks -------------------------------------------------------------------------------------- */

/* Which of the names in a tree are blocks: by number, so that checking an element is a look into a
 * table. */
HyVocabulary *hy_vocabulary_new(const HyTree *tree, const HyBlocks *blocks,
                                const char *const *library_types)
{
  HyVocabulary *v = g_new0(HyVocabulary, 1);
  v->n = tree->names->len;
  v->blocks = blocks;
  v->klass = g_new0(const HyAtomicClass *, v->n + 1);
  v->element = g_new0(const HyAtomicClass *, v->n + 1);
  v->library = g_new0(guint8, v->n + 1);

  for (const HyAtomicClass *const *k = hy_blocks_all(blocks); *k != NULL; k++) {
    guint16 name = hy_tree_find_name(tree, (*k)->name);
    if (name != HY_NO_NAME) {
      v->klass[name] = *k;
    }
  }
  for (const HyAtomicClass *const *k = hy_circuit_elements(); *k != NULL; k++) {
    guint16 name = hy_tree_find_name(tree, (*k)->name);
    if (name != HY_NO_NAME) {
      v->element[name] = *k;
    }
  }
  for (; library_types != NULL && *library_types != NULL; library_types++) {
    guint16 name = hy_tree_find_name(tree, *library_types);
    if (name != HY_NO_NAME && v->klass[name] == NULL) {
      v->library[name] = 1;
    }
  }
  return v;
}

void hy_vocabulary_free(HyVocabulary *vocabulary)
{
  if (vocabulary != NULL) {
    g_free(vocabulary->klass);
    g_free(vocabulary->element);
    g_free(vocabulary->library);
    g_free(vocabulary);
  }
}
