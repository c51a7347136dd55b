/* A netlist as a document of ours: parameters at the top, a <type> for each subcircuit that is
 * used, <circuit name="net"> for the netlist itself, an experiment from .tran and .print.
 *
 * Statements are sorted to their scopes, all names are declared (parameters, then elements, then
 * nodes: the earlier keeps its spelling where two are alike), then each scope is written, a
 * subcircuit when it is first placed. */
#include "base/hint.h"
#include "editor-export/spice.h"

#include <string.h>

#define MOST_DEEP 200

/* The first word of TEXT, in lower case. */
static char *first_word(const char *text)
{
  g_autofree char *word = g_strndup(text, strcspn(text, " \t(,="));
  return spice_lower(word);
}

static gboolean is_card(const SpiceLine *l, const char *const *names)
{
  g_autofree char *word = first_word(l->text);
  return g_strv_contains(names, word);
}

/* What follows the first word. */
static const char *rest_of(const SpiceLine *l)
{
  return l->text + strcspn(l->text, " \t(,=");
}

/* Scopes ----------------------------------------------------------------------------------------
 */

/* .subckt NAME a b [params: x=1]; the words up to the first parameter. */
static SpiceScope *open_subcircuit(Spice *s, const SpiceLine *at)
{
  g_autofree SpiceWord *w = spice_words(s, at, rest_of(at));
  if (w->kind != SPICE_WORD) {
    spice_error(s, at, ".subckt has no name");
  }
  const char *name = spice_unique(s, s->types, w->kind == SPICE_WORD ? w->text : "unnamed");
  SpiceScope *scope = spice_scope_new(s, s->top, at, name);
  char *key = spice_lower(w->text);
  if (g_hash_table_contains(s->subcircuits, key)) {
    spice_error(s, at, "there are two subcircuits %s", w->text);
  }
  g_hash_table_replace(s->subcircuits, key, scope);
  return scope;
}

static void sort_lines(Spice *s)
{
  static const char *const begin[] = {".subckt", ".sub", NULL}, *const end[] = {".ends", ".eom",
                                                                                NULL};
  g_autoptr(GPtrArray) open = g_ptr_array_new();
  g_ptr_array_add(open, s->top);
  for (guint k = 0; k < s->lines->len; k++) {
    SpiceLine *l = g_ptr_array_index(s->lines, k);
    if (is_card(l, begin)) {
      g_ptr_array_add(open, open_subcircuit(s, l));
    } else if (!is_card(l, end)) {
      g_ptr_array_add(((SpiceScope *)g_ptr_array_index(open, open->len - 1))->lines, l);
    } else if (open->len > 1) {
      g_ptr_array_set_size(open, (int)open->len - 1);
    } else {
      spice_error(s, l, ".ends without .subckt");
    }
  }
  if (open->len > 1) {
    const SpiceScope *scope = g_ptr_array_index(open, open->len - 1);
    spice_error(s, scope->at, ".subckt %s is never ended by .ends", scope->name);
  }
}

/* Names -----------------------------------------------------------------------------------------
 */

/* Where the parameters of .subckt begin in its text, and how many words stand before. */
static const char *parameters_of(const SpiceLine *at, const SpiceWord *w, guint *n)
{
  for (*n = 0; w[*n].kind == SPICE_WORD && w[*n + 1].kind != SPICE_EQUALS; ++*n) {
    if (spice_is(&w[*n], "params:")) {
      return w[*n].after;
    }
  }
  return w[*n].kind == SPICE_END ? "" : *n > 0 ? w[*n - 1].after : rest_of(at);
}

static const char *const param_cards[] = {".param", ".params", ".parameters", NULL};
static const char *const model_cards[] = {".model", NULL};

static void declare_params(Spice *s, SpiceScope *scope)
{
  if (scope->around != NULL) {
    guint n;
    g_autofree SpiceWord *w = spice_words(s, scope->at, rest_of(scope->at));
    spice_declare_params(s, scope, scope->at, parameters_of(scope->at, w, &n), TRUE);
  }
  for (guint k = 0; k < scope->lines->len; k++) {
    const SpiceLine *l = g_ptr_array_index(scope->lines, k);
    if (is_card(l, param_cards)) {
      spice_declare_params(s, scope, l, rest_of(l), FALSE);
    }
  }
}

static void declare_models(Spice *s, SpiceScope *scope)
{
  for (guint k = 0; k < scope->lines->len; k++) {
    const SpiceLine *l = g_ptr_array_index(scope->lines, k);
    if (is_card(l, model_cards)) {
      g_autofree SpiceWord *w = spice_words(s, l, rest_of(l));
      spice_read_model(s, scope, l, w);
    }
  }
}

static void declare_elements(Spice *s, SpiceScope *scope)
{
  for (guint k = 0; k < scope->lines->len; k++) {
    const SpiceLine *l = g_ptr_array_index(scope->lines, k);
    g_autofree char *word = first_word(l->text);
    if (g_ascii_isalpha(*word)) {
      g_autofree char *spelled = g_strndup(l->text, strlen(word));
      if (spice_add(s, scope, scope->elements, spelled, *word) == NULL) {
        spice_error(s, l, "there are two elements %s", spelled);
      }
    }
  }
}

/* The nodes that a statement puts something to. */
static void declare_nodes_of(Spice *s, SpiceScope *scope, const SpiceLine *l)
{
  g_autofree SpiceWord *w = spice_words(s, l, rest_of(l));
  guint n = 0;
  while (w[n].kind == SPICE_WORD && w[n + 1].kind != SPICE_EQUALS && !spice_is(&w[n], "params:")) {
    n++;
  }
  char letter = (char)g_ascii_tolower(l->text[0]);
  n = letter == 'x' ? (n > 0 ? n - 1 : 0) : strchr("rclvibefghswd", letter) != NULL ? MIN(n, 2) : 0;
  for (guint k = 0; k < n; k++) {
    spice_node(s, scope, w[k].text);
  }
}

static void declare_nodes(Spice *s, SpiceScope *scope)
{
  if (scope->around != NULL) {
    guint n;
    g_autofree SpiceWord *w = spice_words(s, scope->at, rest_of(scope->at));
    parameters_of(scope->at, w, &n);
    for (guint k = 1; k < n; k++) {
      const SpiceName *port = spice_add(s, scope, scope->nodes, w[k].text, 0);
      if (port == NULL) {
        spice_error(s, scope->at, "node %s of .subckt stands there twice", w[k].text);
        continue;
      }
      g_ptr_array_add(scope->ports, spice_is(&w[k], "0") ? NULL : hy_key(port->name));
    }
  }
  for (guint k = 0; k < scope->lines->len; k++) {
    const SpiceLine *l = g_ptr_array_index(scope->lines, k);
    if (g_ascii_isalpha(l->text[0])) {
      declare_nodes_of(s, scope, l);
    }
  }
}

/* A parameter of the top has its name in every subcircuit that uses it. */
static void reserve_globals(Spice *s, SpiceScope *scope)
{
  GHashTableIter at;
  gpointer name;
  g_hash_table_iter_init(&at, s->top->params);
  while (scope != s->top && g_hash_table_iter_next(&at, NULL, &name)) {
    g_hash_table_add(scope->taken, hy_key(((const SpiceName *)name)->name));
  }
}

/* What holds everywhere, wherever it stands. */
static void read_settings(Spice *s)
{
  for (guint k = 0; k < s->lines->len; k++) {
    const SpiceLine *l = g_ptr_array_index(s->lines, k);
    g_autofree char *card = first_word(l->text);
    spice_read_setting(s, l, card, rest_of(l));
  }
}

static gboolean is_winding(SpiceScope *scope, const SpiceLine *l)
{
  g_autofree char *word = first_word(l->text);
  const SpiceName *e = spice_element(scope, word);
  return e != NULL && e->core != NULL;
}

static void declare(Spice *s)
{
  read_settings(s);
  for (guint k = 0; k < s->scopes->len; k++) {
    SpiceScope *scope = g_ptr_array_index(s->scopes, k);
    reserve_globals(s, scope);
    declare_params(s, scope);
    declare_models(s, scope);
    declare_elements(s, scope);
    declare_nodes(s, scope);
    spice_find_cores(s, scope);
  }
}

/* Cards -----------------------------------------------------------------------------------------
 */

typedef enum { DONE, REFUSED, OTHER, LEFT, SETTING, TRAN, STARTS, OUTPUTS } Card;

static const struct {
  const char *name;
  Card card;
} cards[] = {
    {".param", DONE},     {".parameters", DONE}, {".params", DONE},     {".func", DONE},
    {".backanno", DONE},  {".model", DONE},      {".title", DONE},      {".tran", TRAN},
    {".ic", STARTS},      {".print", OUTPUTS},   {".plot", OUTPUTS},    {".save", OUTPUTS},
    {".probe", OUTPUTS},  {".options", SETTING}, {".option", SETTING},  {".opt", SETTING},
    {".temp", SETTING},   {".width", SETTING},   {".nodeset", SETTING}, {".ac", OTHER},
    {".dc", OTHER},       {".op", OTHER},        {".noise", OTHER},     {".tf", OTHER},
    {".sens", OTHER},     {".pz", OTHER},        {".disto", OTHER},     {".four", OTHER},
    {".fourier", OTHER},  {".meas", LEFT},       {".measure", LEFT},    {".step", LEFT},
    {".wave", LEFT},      {".savebias", LEFT},   {".loadbias", LEFT},   {".net", OTHER},
    {".text", SETTING},   {".machine", REFUSED}, {".ferret", LEFT},     {".pss", OTHER},
    {".sp", OTHER},       {".global", DONE},     {".if", REFUSED},      {".else", REFUSED},
    {".elseif", REFUSED}, {".endif", REFUSED},   {".csparam", SETTING},
};

static gboolean find_card(const SpiceLine *l, Card *card)
{
  g_autofree char *word = first_word(l->text);
  for (guint k = 0; k < G_N_ELEMENTS(cards); k++) {
    if (strcmp(word, cards[k].name) == 0) {
      *card = cards[k].card;
      return TRUE;
    }
  }
  return FALSE;
}

/* A card of KIND, read. */
static void read_card(Spice *s, SpiceScope *scope, const SpiceLine *l, Card kind)
{
  g_autofree SpiceWord *w = spice_words(s, l, rest_of(l));
  if (kind == TRAN) {
    spice_read_tran(s, l, w);
  } else if (kind == STARTS) {
    spice_read_starts(s, scope, l, w);
  } else if (kind == OUTPUTS) {
    spice_read_outputs(s, l, rest_of(l), FALSE);
  }
}

/* The cards of SCOPE that are of KIND. */
static void read_cards(Spice *s, SpiceScope *scope, Card kind)
{
  Card card;
  for (guint k = 0; k < scope->lines->len; k++) {
    const SpiceLine *l = g_ptr_array_index(scope->lines, k);
    if (l->text[0] == '.' && find_card(l, &card) && card == kind) {
      read_card(s, scope, l, kind);
    }
  }
}

/* Those that are not read: what they would change is told. */
static void check_cards(Spice *s, SpiceScope *scope)
{
  for (guint k = 0; k < scope->lines->len; k++) {
    const SpiceLine *l = g_ptr_array_index(scope->lines, k);
    g_autofree char *word = first_word(l->text);
    Card card;
    if (l->text[0] != '.') {
      continue;
    }
    if (!find_card(l, &card) || card == REFUSED) {
      spice_error(s, l, "%s is not read here", word);
    } else if (card == OTHER) {
      spice_warning(s, l, "%s asks for another analysis than a run over time; it is left out",
                    word);
    } else if (card == LEFT) {
      spice_warning(s, l, "%s is left out%s", word,
                    strcmp(word, ".step") == 0 ? "; --set gives a parameter another value" : "");
    }
  }
}

/* .control: what it runs and shows. */
static void read_commands(Spice *s, gboolean outputs)
{
  static const char *const shows[] = {"plot", "print", "save", "write", "wrdata", NULL};
  for (guint k = 0; k < s->commands->len; k++) {
    const SpiceLine *l = g_ptr_array_index(s->commands, k);
    g_autofree char *word = first_word(l->text);
    if (outputs && g_strv_contains(shows, word)) {
      spice_read_outputs(s, l, rest_of(l), TRUE);
    } else if (!outputs && strcmp(word, "tran") == 0 && s->stop == NULL) {
      g_autofree SpiceWord *w = spice_words(s, l, rest_of(l));
      spice_read_tran(s, l, w);
    }
  }
  if (!outputs && s->commands->len > 0) {
    spice_warning(s, g_ptr_array_index(s->commands, 0),
                  "commands of .control are not run; of them tran is read, and what is plotted, "
                  "printed or saved");
  }
}

/* Writing ---------------------------------------------------------------------------------------
 */

static void write_params(Spice *s, SpiceScope *scope)
{
  if (scope->around != NULL) {
    guint n;
    g_autofree SpiceWord *w = spice_words(s, scope->at, rest_of(scope->at));
    spice_write_params(s, scope, scope->at, parameters_of(scope->at, w, &n), TRUE);
  }
  for (guint k = 0; k < scope->lines->len; k++) {
    const SpiceLine *l = g_ptr_array_index(scope->lines, k);
    if (is_card(l, param_cards)) {
      spice_write_params(s, scope, l, rest_of(l), FALSE);
    }
  }
}

static void write_scope(Spice *s, SpiceScope *scope)
{
  for (guint k = 0; k < scope->ports->len; k++) {
    if (g_ptr_array_index(scope->ports, k) != NULL) {
      hy_format_set(hy_format_add(scope->node, "node", scope->at->main), "name",
                    g_ptr_array_index(scope->ports, k));
    }
  }
  write_params(s, scope);
  read_cards(s, scope, STARTS);
  for (guint windings = 0; windings < 2; windings++) { /* behind their cores */
    for (guint k = 0; k < scope->lines->len; k++) {
      const SpiceLine *l = g_ptr_array_index(scope->lines, k);
      if (l->text[0] != '.' && is_winding(scope, l) == (windings == 1)) {
        spice_write_element(s, scope, l);
      }
    }
  }
  spice_write_shared(s, scope);
  for (guint k = 0; k < scope->globals->len; k++) {
    hy_format_set(hy_format_add(scope->node, "param", scope->at->main), "name",
                  g_ptr_array_index(scope->globals, k));
  }
  check_cards(s, scope);
}

gboolean spice_write_scope(Spice *s, SpiceScope *scope)
{
  if (scope->state == 1 || s->deep >= MOST_DEEP) {
    return FALSE;
  }
  if (scope->state == 0) {
    scope->state = 1;
    s->deep++;
    scope->node = hy_format_add(s->root, "type", scope->at->main);
    hy_format_set(scope->node, "name", scope->name);
    write_scope(s, scope);
    s->deep--;
    scope->state = 2;
  }
  return TRUE;
}

static void write_all(Spice *s)
{
  s->top->node = hy_format_add(s->root, "circuit", 1);
  hy_format_set(s->top->node, "name", "net");
  s->experiment = hy_format_add(s->root, "experiment", 1);
  write_scope(s, s->top);
  read_cards(s, s->top, TRAN);
  read_commands(s, FALSE);
  read_cards(s, s->top, OUTPUTS);
  read_commands(s, TRUE);
  if (s->top->order->len == 0 && hy_report_errors(s->report) == 0) {
    hy_report_error(s->report, s->file, 0,
                    "there is no element in this netlist; its first line is its title");
  }
  xmlUnlinkNode(s->top->node); /* behind parameters and types */
  xmlAddChild(s->root, s->top->node);
  xmlUnlinkNode(s->experiment);
  xmlAddChild(s->root, s->experiment);
  spice_write_experiment(s);
}

/* All -------------------------------------------------------------------------------------------
 */

static void free_line(gpointer p)
{
  SpiceLine *l = p;
  g_free(l->text);
  g_free(l);
}

static void spice_init(Spice *s, const char *file, HyReport *report)
{
  *s = (Spice){.file = file, .report = report};
  s->strings = g_string_chunk_new(4096);
  s->lines = g_ptr_array_new_with_free_func(free_line);
  s->commands = g_ptr_array_new_with_free_func(free_line);
  s->scopes = g_ptr_array_new_with_free_func(spice_scope_free);
  s->subcircuits = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  s->probes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  s->everywhere = g_ptr_array_new();
  s->functions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, spice_function_free);
  s->noted = g_hash_table_new(NULL, NULL);
  s->recorded = g_hash_table_new(g_str_hash, g_str_equal);
  s->top = spice_scope_new(s, NULL, NULL, "net");
  s->types = spice_scope_new(s, NULL, NULL, "types");
}

static void spice_clear(Spice *s)
{
  g_ptr_array_unref(s->lines);
  g_ptr_array_unref(s->commands);
  g_ptr_array_unref(s->scopes);
  g_hash_table_unref(s->subcircuits);
  g_hash_table_unref(s->probes);
  g_ptr_array_unref(s->everywhere);
  g_hash_table_unref(s->functions);
  g_hash_table_unref(s->noted);
  g_hash_table_unref(s->recorded);
  g_string_chunk_free(s->strings);
  g_free(s->title);
}

/* The file's name without folder and suffix, as an identifier. */
static const char *model_name(Spice *s)
{
  g_autofree char *base = g_path_get_basename(s->file);
  char *dot = strrchr(base, '.');
  if (dot != NULL) {
    *dot = '\0';
  }
  return spice_unique(s, s->types, *base != '\0' ? base : "netlist");
}

xmlDoc *hy_spice_read(const char *file, const char *text, GPtrArray *further, HyReport *report)
{
  Spice s;
  guint before = hy_report_errors(report);
  spice_init(&s, file, report);
  s.further = further;
  spice_lines(&s, text);
  xmlDoc *doc = hy_format_doc(model_name(&s));
  s.root = xmlDocGetRootElement(doc);
  hy_format_set(s.root, "needs", "1.2");
  if (*s.title != '\0') {
    hy_format_set(s.root, "doc", s.title);
  }
  sort_lines(&s);
  declare(&s);
  write_all(&s);
  spice_clear(&s);
  if (hy_report_errors(report) > before) {
    g_clear_pointer(&doc, xmlFreeDoc);
  }
  return doc;
}
