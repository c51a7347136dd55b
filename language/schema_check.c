/* The structure of a file: which element may stand where, which attributes it may have, what looks
 * like a name.
 *
 * Needs the tree and a vocabulary: what block elements there are (classes, types of the file, of
 * the standard library). Checks each element against its rule in the table of schema.c, or a
 * block's against its class, and each attribute's text as far as it has no formula: names,
 * numbers, choices, methods. Leaves BAD, a mark for each element that is of no use, so that later
 * passes leave it out and do not report what follows from it. */
#include "base/hint.h"
#include "hydevs/model.h"
#include "hydevs/text.h"
#include "language/schema.h"
#include <string.h>

#define MODELS "into a model (<hydevs>, <type> or <coupled>)"

typedef struct {
  const HyTree *tree;
  const HyVocabulary *vocabulary;
  guint8 *bad;
  HyReport *report;
  guint8 (*known)[HY_N_WORDS]; /* per rule (the last: blocks): 1 + type of an attribute, 0: it has
                                  none */
} Check;

typedef struct {
  guint32 element;
  guint places;
} Inside;

static const char *value_of(const Check *c, const HyElement *e, guint16 word)
{
  const HyAttribute *a = hy_attribute_find(c->tree, e, word);
  return a != NULL ? a->value : NULL;
}

/* "g: " or nothing. */
static const char *prefix(const Check *c, const HyElement *e, char **keep)
{
  const char *name = value_of(c, e, HY_W_NAME);
  *keep = name != NULL && hy_name_is_legal(name) ? g_strconcat(name, ": ", NULL) : g_strdup("");
  return *keep;
}

static const char *element_name(const Check *c, const HyElement *e)
{
  return hy_tree_name(c->tree, e->name);
}

/* Elements that nothing is called -------------------------------------------------------------- */

static gboolean is_type_here(const Check *c, const char *name)
{
  for (guint32 k = hy_element(c->tree, 0)->child; k != 0; k = hy_element(c->tree, k)->next) {
    const HyElement *e = hy_element(c->tree, k);
    const char *said = e->name == HY_W_TYPE ? value_of(c, e, HY_W_NAME) : NULL;
    if (said != NULL && strcmp(said, name) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

/* Of the elements that may stand in PLACES, the one that was probably meant. */
static const char *nearest_element(const Check *c, const char *name, guint places)
{
  HyNearest nearest = {.word = name};
  if (places & HY_IN_MODEL) {
    for (const HyAtomicClass *const *k = hy_blocks_all(c->vocabulary->blocks); *k != NULL; k++) {
      hy_nearest_offer(&nearest, (*k)->name);
    }
  }
  for (guint k = 0; k < hy_n_element_rules; k++) {
    if (hy_element_rules[k].places & places) {
      hy_nearest_offer(&nearest, hy_words[hy_element_rules[k].word]);
    }
  }
  return nearest.best;
}

/* A type of the file needs <block type=...>; a class in capitals was probably meant; else the
 * nearest one. */
static void unknown_element(const Check *c, const HyElement *e, guint places)
{
  const char *name = element_name(c, e), *file = c->tree->file;
  if (places & HY_IN_MODEL && is_type_here(c, name)) {
    hy_report_error(
        c->report, file, e->line,
        "there is no element \"%s\"; for a type of this file write <block type=\"%s\" ...>", name,
        name);
    return;
  }
  const char *near = nearest_element(c, name, places);
  if (near != NULL && g_ascii_strcasecmp(near, name) == 0) {
    hy_report_error(c->report, file, e->line,
                    "there is no block type \"%s\"; names are case-sensitive: \"%s\"", name, near);
    return;
  }
  g_autofree char *keep = NULL;
  const char *who = prefix(c, e, &keep);
  const char *what = places & HY_IN_MODEL ? "block type" : "element";
  g_autofree char *hint = hy_did_you_mean(near);
  hy_report_error(c->report, file, e->line, "%sthere is no %s \"%s\"%s", who, what, name, hint);
}

static const char *place_name(guint places)
{
  return places == HY_IN_ROOT         ? "<hydevs>"
         : places == HY_IN_TYPE       ? "<type>"
         : places == HY_IN_COUPLED    ? "<coupled>"
         : places == HY_IN_VIEW       ? "<view>"
         : places == HY_IN_EXPERIMENT ? "<experiment>"
         : places == HY_IN_EQUATIONS  ? "<equations>"
                                      : "a block";
}

/* An element of the language in the wrong place: says where it belongs. */
static void misplaced(const Check *c, const HyElement *e, const HyElementRule *rule, guint places)
{
  const char *name = hy_words[rule->word];
  const char *home = rule->places == HY_IN_ROOT         ? "to the root <hydevs>"
                     : rule->places == HY_IN_VIEW       ? "into <view>"
                     : rule->places == HY_IN_EQUATIONS  ? "into <equations>"
                     : rule->places == HY_IN_EXPERIMENT ? "into <experiment>"
                                                        : MODELS;
  hy_report_error(c->report, c->tree->file, e->line, "<%s> belongs %s, not into %s", name, home,
                  place_name(places));
}

/* Always FALSE. */
static gboolean misplaced_block(const Check *c, const HyElement *e)
{
  hy_report_error(c->report, c->tree->file, e->line,
                  "<%s> belongs " MODELS ", not into <equations>: there are only states, formulas "
                  "(<" HY_FORMULA_BLOCK ">) and further equations",
                  element_name(c, e));
  return FALSE;
}

/* Attributes ---------------------------------------------------------------------------------- */

typedef struct {
  const Check *check;
  const HyElement *element;
  const HyAttribute *attribute; /* looked for; NULL: only what is required */
  HyNearest nearest;
  GString *list;
  gboolean missing;
} Search;

/* A block element: the shared attributes of all blocks and those of its class. */
static const HyElementRule block_rule = {
    .word = HY_W_BLOCK, .groups = 1U << HY_G_PLACED, .places = HY_IN_MODEL};

static guint rule_number(const HyElementRule *rule)
{
  return rule == &block_rule ? hy_n_element_rules : (guint)(rule - hy_element_rules);
}

typedef struct {
  guint8 *known;
} Fill;

static void visit_fill(const HyAttributeRule *rule, gpointer user)
{
  ((Fill *)user)->known[rule->word] = (guint8)(rule->type + 1);
}

static void visit_list(const HyAttributeRule *rule, gpointer user)
{
  Search *s = user;
  hy_nearest_offer(&s->nearest, hy_words[rule->word]);
  g_string_append_printf(s->list, "%s%s", s->list->len > 0 ? ", " : "", hy_words[rule->word]);
}

static gboolean has_article_an(const char *word)
{
  return strchr("aeiou", word[0]) != NULL;
}

/* An attribute that must be there, and is not. */
static void visit_required(const HyAttributeRule *rule, gpointer user)
{
  Search *s = user;
  const Check *c = s->check;
  if (!rule->required || value_of(c, s->element, rule->word) != NULL) {
    return;
  }
  const char *name = element_name(c, s->element);
  g_autofree char *keep = NULL;
  const char *who = rule->word == HY_W_NAME ? "" : prefix(c, s->element, &keep);
  hy_report_error(c->report, c->tree->file, s->element->line, "%s%s %s needs a%s %s=\"...\"", who,
                  has_article_an(name) ? "an" : "a", name,
                  has_article_an(hy_words[rule->word]) ? "n" : "", hy_words[rule->word]);
  s->missing = TRUE;
}

static gboolean has_port_or_param(const HyAtomicClass *klass, const char *name)
{
  for (const HyPort *p = klass->in; p != NULL && p->name != NULL; p++) {
    if (strcmp(p->name, name) == 0) {
      return TRUE;
    }
  }
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    if (strcmp(p->name, name) == 0) {
      return TRUE;
    }
  }
  return FALSE;
}

/* An attribute that a block of KLASS does not have, with all that it has and the nearest of it. */
static void unknown_of_class(const Check *c, const HyElement *e, const HyAttribute *a,
                             const HyAtomicClass *klass)
{
  const char *name = hy_tree_name(c->tree, a->name);
  HyNearest nearest = {.word = name};
  g_autoptr(GString) list = g_string_new(NULL);
  for (const HyPort *p = klass->in; p != NULL && p->name != NULL; p++) {
    g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", p->name);
    hy_nearest_offer(&nearest, p->name);
  }
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", p->name);
    hy_nearest_offer(&nearest, p->name);
  }
  for (guint k = 0; k < HY_N_GROUPS; k++) {
    for (guint i = 0; k != HY_G_QUANTITY && i < hy_groups[k].n; i++) {
      hy_nearest_offer(&nearest, hy_words[hy_groups[k].attributes[i].word]);
    }
  }
  g_autofree char *keep = NULL;
  g_autofree char *hint = hy_did_you_mean_long(nearest.best);
  hy_report_error(c->report, c->tree->file, a->line,
                  "%s%s has no input or parameter \"%s\"; it has: %s%s", prefix(c, e, &keep),
                  klass->name, name, list->len > 0 ? list->str : "none", hint);
}

static gboolean check_choice(const Check *c, const HyAttribute *a, const char *const *words)
{
  if (g_strv_contains(words, a->value)) {
    return TRUE;
  }
  g_autofree char *list = g_strjoinv(", ", hy_key(words));
  hy_report_error(c->report, c->tree->file, a->line, "%s=\"%s\": choose one of %s",
                  hy_tree_name(c->tree, a->name), a->value, list);
  return FALSE;
}

/* The name of a type stands in no formula: "pi" may be one. */
static gboolean check_name(const Check *c, const HyAttribute *a, gboolean type)
{
  if (hy_name_is_legal(a->value) || (type && hy_is_reserved(a->value))) {
    return TRUE;
  }
  if (hy_is_reserved(a->value)) {
    hy_report_error(c->report, c->tree->file, a->line,
                    "\"%s\" is a word of formulas and cannot be a name", a->value);
  } else if (*a->value == '\0') {
    hy_report_error(c->report, c->tree->file, a->line, "%s=\"\" is empty",
                    hy_tree_name(c->tree, a->name));
  } else {
    hy_report_error(
        c->report, c->tree->file, a->line,
        "\"%s\": a name has letters a-z, digits and _ only; use label=\"%s\" for the text shown",
        a->value, a->value);
  }
  return FALSE;
}

static gboolean check_names(const Check *c, const HyAttribute *a)
{
  g_auto(GStrv) words = g_strsplit_set(a->value, " \t\n\r", -1);
  guint n = 0;
  for (char **w = words; *w != NULL; w++) {
    if (**w != '\0' && !hy_name_is_legal(*w)) {
      n = 0;
      break;
    }
    n += **w != '\0';
  }
  if (n == 0) {
    hy_report_error(c->report, c->tree->file, a->line,
                    "%s=\"%s\": names with blanks between are expected",
                    hy_tree_name(c->tree, a->name), a->value);
  }
  return n > 0;
}

/* xs:decimal: digits with a point, no exponent. */
static gboolean check_decimal(const Check *c, const HyAttribute *a)
{
  g_autofree char *word = g_strstrip(g_strdup(a->value));
  const char *s = word + (*word == '+' || *word == '-');
  gsize whole = strspn(s, "0123456789"), part = 0;
  s += whole;
  if (*s == '.') {
    part = strspn(++s, "0123456789");
    s += part;
  }
  if (whole + part > 0 && *s == '\0') {
    return TRUE;
  }
  hy_report_error(c->report, c->tree->file, a->line, "%s=\"%s\" is not a decimal number",
                  hy_tree_name(c->tree, a->name), a->value);
  return FALSE;
}

/* "name" or "library.name". */
static gboolean check_type_name(const Check *c, const HyAttribute *a)
{
  const char *dot = strchr(a->value, '.');
  g_autofree char *first =
      dot != NULL ? g_strndup(a->value, (gsize)(dot - a->value)) : g_strdup(a->value);
  if ((hy_name_is_legal(first) || hy_is_reserved(first)) &&
      (dot == NULL || hy_name_is_legal(dot + 1))) {
    return TRUE;
  }
  hy_report_error(c->report, c->tree->file, a->line, "type=\"%s\": write name or library.name",
                  a->value);
  return FALSE;
}

/* As far as the text of an attribute is checked without knowing the model. */
static gboolean check_value(const Check *c, const HyElement *e, const HyAttribute *a,
                            HyXsdType type)
{
  static const char *const kinds[] = {"real", "integer", "boolean", "text", "payload", NULL};
  static const char *const port_kinds[] = {"signal", "event", NULL};
  static const char *const engines[] = {"auto", "tree", "flat", "fused", NULL};
  static const char *const partitions[] = {"stated", "auto", NULL};
  switch (type) {
  case HY_X_NAME:
    return check_name(c, a, e->name == HY_W_TYPE);
  case HY_X_NAMES:
    return check_names(c, a);
  case HY_X_TYPE:
    return check_type_name(c, a);
  case HY_X_KIND:
    return check_choice(c, a, kinds);
  case HY_X_PORT_KIND:
    return check_choice(c, a, port_kinds);
  case HY_X_ENGINE:
    return check_choice(c, a, engines);
  case HY_X_PARTITION:
    return check_choice(c, a, partitions);
  case HY_X_DECIMAL:
    return check_decimal(c, a);
  case HY_X_ENDS:
    if (*a->value == '\0') {
      hy_report_error(c->report, c->tree->file, a->line, "%s=\"\" is empty",
                      hy_tree_name(c->tree, a->name));
      return FALSE;
    }
    return TRUE;
  default:
    return TRUE;
  }
}

/* Texts with {...} are known only when they are expanded. */
static gboolean check_method(const Check *c, const HyElement *e, const HyAttribute *a)
{
  if (strchr(a->value, '{') != NULL || g_strv_contains(hy_method_names, a->value)) {
    return TRUE;
  }
  const char *near = hy_nearest(a->value, hy_method_names);
  g_autofree char *keep = NULL;
  const char *who = prefix(c, e, &keep);
  g_autofree char *list = g_strjoinv(" ", hy_key(hy_method_names));
  g_autofree char *rest =
      near != NULL ? hy_did_you_mean(near) : g_strconcat("; there are: ", list, NULL);
  hy_report_error(c->report, c->tree->file, a->line, "%sno method \"%s\"%s", who, a->value, rest);
  return FALSE;
}

static void unknown_attribute(const Check *c, const HyElement *e, const HyAttribute *a,
                              const HyElementRule *rule)
{
  const char *name = hy_tree_name(c->tree, a->name);
  Search s = {.check = c, .element = e, .nearest = {.word = name}, .list = g_string_new(NULL)};
  hy_element_attributes(rule->groups, rule->attributes, rule->n, visit_list, &s);
  g_autofree char *keep = NULL;
  g_autofree char *hint = hy_did_you_mean(s.nearest.best);
  hy_report_error(c->report, c->tree->file, a->line, "%s<%s> has no attribute \"%s\"; it has: %s%s",
                  prefix(c, e, &keep), element_name(c, e), name,
                  s.list->len > 0 ? s.list->str : "none", hint);
  g_string_free(s.list, TRUE);
}

/* An attribute of the language, else a port or parameter of the class. OPEN: of any name, such as
 * parameters of a type. */
static gboolean check_attribute(const Check *c, const HyElement *e, const HyAttribute *a,
                                const HyElementRule *rule, const HyAtomicClass *klass,
                                gboolean open)
{
  guint8 known = a->name < HY_N_WORDS ? c->known[rule_number(rule)][a->name] : 0;
  if (known != 0) {
    return a->name == HY_W_METHOD ? check_method(c, e, a)
                                  : check_value(c, e, a, (HyXsdType)(known - 1));
  }
  if (open || (klass != NULL && has_port_or_param(klass, hy_tree_name(c->tree, a->name)))) {
    return TRUE;
  }
  if (klass != NULL) {
    unknown_of_class(c, e, a, klass);
  } else {
    unknown_attribute(c, e, a, rule);
  }
  return FALSE;
}

static gboolean check_attributes(const Check *c, const HyElement *e, const HyElementRule *rule,
                                 const HyAtomicClass *klass, gboolean open)
{
  gboolean ok = TRUE;
  for (guint32 k = 0; k < e->n_attributes; k++) {
    ok = check_attribute(c, e, hy_attribute(c->tree, e, k), rule, klass, open) && ok;
  }
  if (rule == &block_rule && value_of(c, e, HY_W_NAME) != NULL) {
    return ok; /* nothing else is required of all blocks */
  }
  Search s = {.check = c, .element = e};
  hy_element_attributes(rule->groups, rule->attributes, rule->n, visit_required, &s);
  return ok && !s.missing;
}

/* Elements ------------------------------------------------------------------------------------ */

static guint check_element(const Check *c, guint32 number, guint places)
{
  const HyElement *e = hy_element(c->tree, number);
  const HyElementRule *rule = hy_element_rule(e->name);
  const HyAtomicClass *klass = c->vocabulary->klass[e->name];
  gboolean library = c->vocabulary->library[e->name] != 0;
  if (e->foreign) {
    if (places != HY_IN_VIEW) {
      hy_report_error(c->report, c->tree->file, e->line,
                      "<%s> is of another namespace; such elements may stand in <view>",
                      element_name(c, e));
    }
    c->bad[number] = 1;
    return HY_IN_NOTHING;
  }
  /* "stop" is a block; of words that are both, the place decides. */
  if ((klass != NULL || library) && (rule == NULL || !(rule->places & places)) &&
      places & (HY_IN_MODEL | HY_IN_EQUATIONS)) {
    gboolean open = library || hy_takes_names(klass);
    gboolean formula = strcmp(element_name(c, e), HY_FORMULA_BLOCK) == 0;
    gboolean ok = places & HY_IN_MODEL || formula || misplaced_block(c, e);
    c->bad[number] = !ok || !check_attributes(c, e, &block_rule, klass, open);
    return HY_IN_NOTHING;
  }
  if (rule == NULL || (number == 0) != (rule->word == HY_W_HYDEVS)) {
    unknown_element(c, e, places);
    c->bad[number] = 1;
    return HY_IN_NOTHING;
  }
  if (number != 0 && !(rule->places & places)) {
    misplaced(c, e, rule, places);
    c->bad[number] = 1;
    return HY_IN_NOTHING;
  }
  c->bad[number] = !check_attributes(c, e, rule, NULL, rule->open);
  return rule->inside;
}

/* Text between tags is allowed in few elements: elsewhere somebody has written a value there. */
static void check_text(const Check *c, const HyText *t)
{
  const HyElement *e = hy_element(c->tree, t->element);
  const HyElementRule *rule = hy_element_rule(e->name);
  const HyAtomicClass *klass = c->vocabulary->klass[e->name];
  if (rule != NULL && rule->text) {
    return;
  }
  const char *value =
      klass != NULL && klass->params != NULL && klass->params->name != NULL  ? klass->params->name
      : rule != NULL && (rule->word == HY_W_PARAM || rule->word == HY_W_LET) ? "value"
                                                                             : NULL;
  const char *name = value_of(c, e, HY_W_NAME);
  g_autofree char *who = name != NULL ? g_strdup_printf("%s %s", element_name(c, e), name)
                                      : g_strdup(element_name(c, e));
  g_autofree char *hint =
      value != NULL ? g_strdup_printf(": %s=\"%s\"", value, t->text) : g_strdup("");
  hy_report_error(c->report, c->tree->file, t->line, "%s: \"%s\" is text; values are attributes%s",
                  who, t->text, hint);
}

/* Children of an element that is itself wrong are still checked, as children of a model if it might
 * be one. */
void hy_language_check(const HyTree *tree, const HyVocabulary *vocabulary, guint8 *bad,
                       HyReport *report)
{
  Check c = {tree, vocabulary, bad, report, g_malloc0((hy_n_element_rules + 1) * sizeof *c.known)};
  for (guint k = 0; k <= hy_n_element_rules; k++) {
    const HyElementRule *rule = k < hy_n_element_rules ? &hy_element_rules[k] : &block_rule;
    Fill fill = {c.known[k]};
    hy_element_attributes(rule->groups, rule->attributes, rule->n, visit_fill, &fill);
  }
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Inside));
  Inside at = {0, check_element(&c, 0, HY_IN_NOTHING)};
  guint32 child = hy_element(tree, 0)->child;
  for (;;) {
    if (child == 0) {
      if (open->len == 0) {
        break;
      }
      child = hy_element(tree, at.element)->next;
      at = g_array_index(open, Inside, open->len - 1);
      g_array_set_size(open, open->len - 1);
      continue;
    }
    const HyElement *e = hy_element(tree, child);
    guint inside = HY_IN_NOTHING;
    if (at.places == HY_IN_NOTHING && !bad[at.element] && !e->foreign) {
      hy_report_error(report, tree->file, e->line, "<%s> cannot stand inside <%s>",
                      element_name(&c, e), element_name(&c, hy_element(tree, at.element)));
      bad[child] = 1;
    } else if (at.places != HY_IN_NOTHING) {
      inside = check_element(&c, child, at.places);
    }
    if (e->child == 0 || inside == HY_IN_NOTHING) {
      if (e->child != 0 && !bad[child]) {
        const HyElement *in = hy_element(tree, e->child);
        hy_report_error(report, tree->file, in->line, "<%s> cannot stand inside <%s>",
                        element_name(&c, in), element_name(&c, e));
      }
      child = e->next;
      continue;
    }
    g_array_append_val(open, at);
    at = (Inside){child, inside};
    child = e->child;
  }
  for (guint k = 0; k < tree->texts->len; k++) {
    check_text(&c, &g_array_index(tree->texts, HyText, k));
  }
  g_free(c.known);
}
