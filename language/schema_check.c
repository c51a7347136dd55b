/* The structure of a file: which element may stand where, which attributes it may have, what looks
 * like a name.
 *
 * Needs the tree and a vocabulary: what block elements there are (classes, types of the file, of
 * the standard library). Checks each element against its rule in the table of schema.c, or a
 * block's against its class, and each attribute's text as far as it has no formula: names,
 * numbers, choices, methods. Leaves BAD, a mark for each element that is of no use, so that later
 * passes leave it out and do not report what follows from it. */
#include "language/schema_check.h"
#include "base/hint.h"
#include "hydevs/blocks.h"
#include "hydevs/model.h"
#include "hydevs/text.h"
#include <string.h>

#define MODELS "into a model (<hydevs>, <type> or <coupled>)"

static gboolean is_element(const Check *c, const HyElement *e)
{
  return c->vocabulary->element[e->name] != NULL;
}

typedef struct {
  guint32 element;
  guint places;
} Inside;

/* Elements that nothing is called -------------------------------------------------------------- */

static gboolean is_type_here(const Check *c, const char *name)
{
  for (guint32 k = hy_element(c->tree, 0)->child; k != 0; k = hy_element(c->tree, k)->next) {
    const HyElement *e = hy_element(c->tree, k);
    const char *said = e->name == HY_W_TYPE ? hy_check_text(c, e, HY_W_NAME) : NULL;
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
  for (const HyAtomicClass *const *k = hy_circuit_elements(); places & HY_IN_CIRCUIT && *k != NULL;
       k++) {
    hy_nearest_offer(&nearest, (*k)->name);
  }
  for (guint k = 0; k < hy_n_element_rules; k++) {
    if (hy_element_rules[k].places & places) {
      hy_nearest_offer(&nearest, hy_words[hy_element_rules[k].word]);
    }
  }
  return nearest.best;
}

static const char *place_name(guint places)
{
  static const struct {
    guint places;
    const char *name;
  } names[] = {{HY_IN_ROOT, "<hydevs>"},           {HY_IN_TYPE, "<type>"},
               {HY_IN_COUPLED, "<coupled>"},       {HY_IN_VIEW, "<view>"},
               {HY_IN_EXPERIMENT, "<experiment>"}, {HY_IN_EQUATIONS, "<equations>"},
               {HY_IN_CIRCUIT, "<circuit>"},       {HY_IN_MACHINE, "<machine>"},
               {HY_IN_MACHINE_STATE, "<state>"},   {HY_IN_SWEEP, "<sweep>"}};
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    if (names[k].places == places) {
      return names[k].name;
    }
  }
  return "a block";
}

/* A type of the file needs <block type=...>; a class in capitals was probably meant; else the
 * nearest one. */
static void unknown_element(const Check *c, const HyElement *e, guint places)
{
  const char *name = hy_check_element(c, e), *file = c->tree->file;
  if (is_element(c, e)) {
    const char *hint = places & HY_IN_TYPE ? "; a type that has a <node> is a circuit, too" : "";
    hy_report_error(c->report, file, e->line, "<%s> belongs into <circuit>, not into %s%s", name,
                    place_name(places), hint);
    return;
  }
  gboolean read = hy_report_errors(c->report) <= HY_MAX_MESSAGES; /* what it says of others */
  if (places & HY_IN_MODEL && read && is_type_here(c, name)) {
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
  const char *who = hy_check_prefix(c, e, &keep);
  const char *what = places & HY_IN_MODEL ? "block type" : "element";
  g_autofree char *hint = hy_did_you_mean(near);
  hy_report_error(c->report, file, e->line, "%sthere is no %s \"%s\"%s", who, what, name, hint);
}

/* Where an element of the language belongs. */
static const char *home_of(const HyElementRule *rule)
{
  static const struct {
    guint places;
    const char *home;
  } homes[] = {{HY_IN_ROOT, "to the root <hydevs>"},
               {HY_IN_VIEW, "into <view>"},
               {HY_IN_EXPERIMENT, "into <experiment>"},
               {HY_IN_SWEEP, "into a <sweep> of an <experiment>"},
               {HY_IN_MACHINE, "into <machine>"},
               {HY_IN_MACHINE_STATE, "into a <state> of a <machine>"},
               {HY_IN_MACHINE | HY_IN_MACHINE_STATE, "into a <state> of a <machine>"}};
  for (guint k = 0; k < G_N_ELEMENTS(homes); k++) {
    if (homes[k].places == rule->places) {
      return homes[k].home;
    }
  }
  return rule->word == HY_W_STATE  ? "into <equations> or <machine>"
         : rule->word == HY_W_NODE ? "into <circuit> or <type>"
                                   : MODELS;
}

/* In the wrong place. */
static void misplaced(const Check *c, const HyElement *e, const HyElementRule *rule, guint places)
{
  hy_report_error(c->report, c->tree->file, e->line, "<%s> belongs %s, not into %s",
                  hy_words[rule->word], home_of(rule), place_name(places));
}

/* Always FALSE. */
static gboolean misplaced_block(const Check *c, const HyElement *e, guint places)
{
  if (places == HY_IN_CIRCUIT) {
    hy_report_error(c->report, c->tree->file, e->line,
                    "<%s> belongs " MODELS ", not into <circuit>: there are only elements, "
                    "formulas (<" HY_FORMULA_BLOCK ">) and <block type=\"...\">",
                    hy_check_element(c, e));
    return FALSE;
  }
  hy_report_error(c->report, c->tree->file, e->line,
                  "<%s> belongs " MODELS ", not into <equations>: there are only states, formulas "
                  "(<" HY_FORMULA_BLOCK ">) and further equations",
                  hy_check_element(c, e));
  return FALSE;
}

/* Elements ------------------------------------------------------------------------------------ */

static guint check_element(const Check *c, guint32 number, guint places)
{
  const HyElement *e = hy_element(c->tree, number);
  const HyElementRule *rule = hy_element_rule_in(e->name, places);
  const HyAtomicClass *klass = c->vocabulary->klass[e->name];
  gboolean library = c->vocabulary->library[e->name] != 0;
  if (e->foreign) {
    if (places != HY_IN_VIEW) {
      hy_report_error(c->report, c->tree->file, e->line,
                      "<%s> is of another namespace; such elements may stand in <view>",
                      hy_check_element(c, e));
    }
    c->bad[number] = 1;
    return HY_IN_NOTHING;
  }
  if (places == HY_IN_CIRCUIT && is_element(c, e)) {
    c->bad[number] =
        !hy_check_attributes(c, e, &hy_block_rule, c->vocabulary->element[e->name], FALSE);
    return HY_IN_NOTHING;
  }
  /* "stop" is a block; of words that are both, the place decides. */
  if ((klass != NULL || library) && (rule == NULL || !(rule->places & places)) &&
      places & (HY_IN_MODEL | HY_IN_EQUATIONS | HY_IN_CIRCUIT)) {
    gboolean open = library || hy_takes_names(klass);
    gboolean formula = klass != NULL && klass->formula == HY_FORMULA_OF_INPUTS;
    gboolean ok = places & HY_IN_MODEL || formula || misplaced_block(c, e, places);
    c->bad[number] = !ok || !hy_check_attributes(c, e, &hy_block_rule, klass, open);
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
  c->bad[number] = !hy_check_attributes(c, e, rule, NULL, rule->open);
  return hy_is_circuit(c->tree, e) ? HY_IN_CIRCUIT : rule->inside;
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
  const char *name = hy_check_text(c, e, HY_W_NAME);
  g_autofree char *who = name != NULL ? g_strdup_printf("%s %s", hy_check_element(c, e), name)
                                      : g_strdup(hy_check_element(c, e));
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
  Check c = {tree, vocabulary, bad, report, hy_check_known()};
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
                      hy_check_element(&c, e), hy_check_element(&c, hy_element(tree, at.element)));
      bad[child] = 1;
    } else if (at.places != HY_IN_NOTHING) {
      inside = check_element(&c, child, at.places);
    }
    if (e->child == 0 || inside == HY_IN_NOTHING) {
      if (e->child != 0 && !bad[child]) {
        const HyElement *in = hy_element(tree, e->child);
        hy_report_error(report, tree->file, in->line, "<%s> cannot stand inside <%s>",
                        hy_check_element(&c, in), hy_check_element(&c, e));
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
