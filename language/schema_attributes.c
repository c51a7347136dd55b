/* The attributes of an element: whether it may have them, whether a name, a choice or a decimal
 * looks like one, and which are missing. What formulas mean is not looked at here. */
#include "base/hint.h"
#include "coupled/model_internal.h"
#include "hydevs/text.h"
#include "language/schema_check.h"
#include <string.h>

const char *hy_check_text(const Check *c, const HyElement *e, guint16 word)
{
  const HyAttribute *a = hy_attribute_find(c->tree, e, word);
  return a != NULL ? a->value : NULL;
}

/* "g: " or nothing. */
const char *hy_check_prefix(const Check *c, const HyElement *e, char **keep)
{
  const char *name = hy_check_text(c, e, HY_W_NAME);
  *keep = name != NULL && hy_name_is_legal(name) ? g_strconcat(name, ": ", NULL) : g_strdup("");
  return *keep;
}

const char *hy_check_element(const Check *c, const HyElement *e)
{
  return hy_tree_name(c->tree, e->name);
}

typedef struct {
  const Check *check;
  const HyElement *element;
  const HyAttribute *attribute; /* looked for; NULL: only what is required */
  HyNearest nearest;
  GString *list;
  gboolean missing;
} Search;

const HyElementRule hy_block_rule = {
    .word = HY_W_BLOCK, .groups = 1U << HY_G_PLACED, .places = HY_IN_MODEL};

static guint rule_number(const HyElementRule *rule)
{
  return rule == &hy_block_rule ? hy_n_element_rules : (guint)(rule - hy_element_rules);
}

static void visit_fill(const HyAttributeRule *rule, gpointer user)
{
  ((guint8 *)user)[rule->word] = (guint8)(rule->type + 1);
}

HyKnown *hy_check_known(void)
{
  HyKnown *known = g_malloc0((hy_n_element_rules + 1) * sizeof *known);
  for (guint k = 0; k <= hy_n_element_rules; k++) {
    const HyElementRule *rule = k < hy_n_element_rules ? &hy_element_rules[k] : &hy_block_rule;
    hy_element_attributes(rule->groups, rule->attributes, rule->n, visit_fill, known[k]);
  }
  return known;
}

/* What the element has already is not what another attribute was meant to be. */
static void offer_attribute(const Check *c, const HyElement *e, const char *name,
                            HyNearest *nearest)
{
  for (guint32 k = 0; k < e->n_attributes; k++) {
    if (strcmp(hy_tree_name(c->tree, hy_attribute(c->tree, e, k)->name), name) == 0) {
      return;
    }
  }
  hy_nearest_offer(nearest, name);
}

static void visit_list(const HyAttributeRule *rule, gpointer user)
{
  Search *s = user;
  offer_attribute(s->check, s->element, hy_words[rule->word], &s->nearest);
  hy_list_word(s->list, hy_words[rule->word]);
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
  if (!rule->required || hy_check_text(c, s->element, rule->word) != NULL) {
    return;
  }
  const char *name = hy_check_element(c, s->element);
  g_autofree char *keep = NULL;
  const char *who = rule->word == HY_W_NAME ? "" : hy_check_prefix(c, s->element, &keep);
  hy_report_error(c->report, c->tree->file, s->element->line, "%s%s %s needs a%s %s=\"...\"", who,
                  has_article_an(name) ? "an" : "a", name,
                  has_article_an(hy_words[rule->word]) ? "n" : "", hy_words[rule->word]);
  s->missing = TRUE;
}

/* An attribute that a block of KLASS does not have, with all that it has and the nearest of it. */
static void unknown_of_class(const Check *c, const HyElement *e, const HyAttribute *a,
                             const HyAtomicClass *klass)
{
  const char *name = hy_tree_name(c->tree, a->name);
  HyNearest nearest = {.word = name};
  g_autoptr(GString) list = g_string_new(NULL);
  for (const HyPort *p = klass->in; p != NULL && p->name != NULL; p++) {
    hy_list_word(list, p->name);
    offer_attribute(c, e, p->name, &nearest);
  }
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    hy_list_word(list, p->name);
    offer_attribute(c, e, p->name, &nearest);
  }
  for (guint k = 0; k < HY_N_GROUPS; k++) {
    for (guint i = 0; k != HY_G_QUANTITY && i < hy_groups[k].n; i++) {
      offer_attribute(c, e, hy_words[hy_groups[k].attributes[i].word], &nearest);
    }
  }
  g_autofree char *keep = NULL;
  g_autofree char *hint = hy_did_you_mean_long(nearest.best);
  hy_report_error(
      c->report, c->tree->file, a->line, "%s%s has no input or parameter \"%s\"; it has: %s%s",
      hy_check_prefix(c, e, &keep), klass->name, name, list->len > 0 ? list->str : "none", hint);
}

static gboolean check_choice(const Check *c, const HyAttribute *a, const char *const *words)
{
  if (g_strv_contains(words, a->value)) {
    return TRUE;
  }
  g_autofree char *list = g_strjoinv(", ", hy_key(words));
  g_autofree char *hint = hy_did_you_mean(hy_nearest(a->value, words));
  hy_report_error(c->report, c->tree->file, a->line, "%s=\"%s\": choose one of %s%s",
                  hy_tree_name(c->tree, a->name), a->value, list, hint);
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

/* "name" or "library.name"; one with {...} is known only when it is expanded. */
static gboolean check_type_name(const Check *c, const HyAttribute *a)
{
  if (strchr(a->value, '{') != NULL) {
    return TRUE;
  }
  const char *dot = strchr(a->value, '.');
  g_autofree char *first =
      dot != NULL ? g_strndup(a->value, (gsize)(dot - a->value)) : g_strdup(a->value);
  if ((hy_name_is_legal(first) || hy_is_reserved(first)) &&
      (dot == NULL || hy_name_is_legal(dot + 1) || hy_is_reserved(dot + 1))) {
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
  const char *const *choices = hy_choices_of(type);
  if (choices != NULL) {
    return check_choice(c, a, choices);
  }
  switch (type) {
  case HY_X_NAME:
    return check_name(c, a, e->name == HY_W_TYPE);
  case HY_X_NAMES:
    return check_names(c, a);
  case HY_X_TYPE:
    return check_type_name(c, a);
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
  if (strchr(a->value, '{') != NULL || g_strv_contains(hy_method_words, a->value)) {
    return TRUE;
  }
  const char *near = hy_nearest(a->value, hy_method_words);
  g_autofree char *keep = NULL;
  const char *who = hy_check_prefix(c, e, &keep);
  g_autofree char *list = g_strjoinv(" ", hy_key(hy_method_words));
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
                  hy_check_prefix(c, e, &keep), hy_check_element(c, e), name,
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
  const char *name = hy_tree_name(c->tree, a->name);
  if (open || (klass != NULL && (hy_find_port(klass->in, name, NULL) != G_MAXUINT ||
                                 hy_class_param(klass, name) != NULL))) {
    return TRUE;
  }
  if (klass != NULL) {
    unknown_of_class(c, e, a, klass);
  } else {
    unknown_attribute(c, e, a, rule);
  }
  return FALSE;
}

gboolean hy_check_attributes(const Check *c, const HyElement *e, const HyElementRule *rule,
                             const HyAtomicClass *klass, gboolean open)
{
  gboolean ok = TRUE;
  for (guint32 k = 0; k < e->n_attributes; k++) {
    ok = check_attribute(c, e, hy_attribute(c->tree, e, k), rule, klass, open) && ok;
  }
  if (rule == &hy_block_rule && hy_check_text(c, e, HY_W_NAME) != NULL) {
    return ok; /* nothing else is required of all blocks */
  }
  Search s = {.check = c, .element = e};
  hy_element_attributes(rule->groups, rule->attributes, rule->n, visit_required, &s);
  return ok && !s.missing;
}
