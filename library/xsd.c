/* hydevs-xsd: writes the schema of the language, made from its own table, the class tables and the
 * standard library. For editors; neither a run nor libhydevs needs it. `cmake --build BUILD
 * --target xsd` writes library/hydevs.xsd anew. */
#include "hydevs/blocks.h"
#include "hydevs/model.h"
#include "language/define.h"
#include "language/schema.h"
#include <stdio.h>
#include <string.h>

static const char head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!-- The hydevs model language, version 1: structure and attribute names. What names mean, "
    "formulas, units and\n"
    "     wiring are checked by hydevs itself, in words a user can act on.\n"
    "     Made by hydevs from its own tables; do not edit.\n"
    "     hydevs, type and coupled take any declared element (a strict wildcard): with a choice of "
    "all of them libxml2\n"
    "     needs 12 times longer to compile this schema and is silent about everything after the "
    "first unknown element.\n"
    "     That <experiment> stands in a <coupled> is therefore for hydevs to find. -->\n"
    "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns:h=\"urn:hydevs:1\" "
    "targetNamespace=\"urn:hydevs:1\"\n"
    "           elementFormDefault=\"qualified\" version=\"1.0\">\n\n";

static const struct {
  const char *name, *doc, *rest;
} simple[] = {
    {"name", "A letter or _, then letters, digits and _. Case counts.",
     "<xs:restriction base=\"xs:token\"><xs:pattern "
     "value=\"[A-Za-z_][A-Za-z0-9_]*\"/></xs:restriction>"},
    {"names", NULL, "<xs:list itemType=\"h:name\"/>"},
    {"typeName",
     "pi, cuk_stage, or library.type (library.xml beside this file or in the library path); {name} "
     "stands for a parameter.",
     "<xs:restriction base=\"xs:token\"><xs:pattern "
     "value=\"[A-Za-z_{][A-Za-z0-9_{}]*(\\.[A-Za-z_{][A-Za-z0-9_{}]*)?\"/></xs:restriction>"},
    {"value",
     "A number with optional SI suffix (4.7k, 10n), an expression over the parameters in scope, or "
     "a list of them "
     "with commas. Text parameters are taken as they stand.",
     "<xs:restriction base=\"xs:string\"/>"},
    {"source",
     "Where an input comes from: an output (block, block.port, block[i].port, own input port), "
     "several outputs with "
     "blanks between, a list with commas for a port array, or a formula.",
     "<xs:restriction base=\"xs:string\"/>"},
    {"ends", "One or more ports with blanks between: b.in c.in",
     "<xs:restriction base=\"xs:string\"><xs:minLength value=\"1\"/></xs:restriction>"},
    {"path", "stage[3]/uC.out; * and [*] stand for anything.",
     "<xs:restriction base=\"xs:token\"/>"},
};

/* Words to choose from. */
static const struct {
  const char *name, *doc;
  HyXsdType type;
} chosen[] = {
    {"kind", NULL, HY_X_KIND},
    {"portKind",
     "signal: a piecewise polynomial; event: a message with payload. Not stated: taken from what "
     "is connected.",
     HY_X_PORT_KIND},
    {"engine", NULL, HY_X_ENGINE},
    {"boolean", NULL, HY_X_BOOLEAN},
    {"sampling", NULL, HY_X_SAMPLING},
    {"partition",
     "stated: the methods are those that the model states. auto: discontinuous states and their "
     "readers are quantized, the others go to cvode_bdf.",
     HY_X_PARTITION},
    {"audit",
     "Whether a run is checked against the text of its model. off: it is not. warn: now and then, "
     "and what does not hold is a "
     "warning. strict: then the run ends with status 5. full: at every instant, also so.",
     HY_X_AUDIT},
};

static const char *const type_names[] = {
    [HY_X_TEXT] = "xs:string",     [HY_X_TOKEN] = "xs:token",
    [HY_X_NAME] = "h:name",        [HY_X_NAMES] = "h:names",
    [HY_X_TYPE] = "h:typeName",    [HY_X_VALUE] = "h:value",
    [HY_X_SOURCE] = "h:source",    [HY_X_ENDS] = "h:ends",
    [HY_X_PATH] = "h:path",        [HY_X_URI] = "xs:anyURI",
    [HY_X_DECIMAL] = "xs:decimal", [HY_X_INTEGER] = "xs:integer",
    [HY_X_KIND] = "h:kind",        [HY_X_PORT_KIND] = "h:portKind",
    [HY_X_ENGINE] = "h:engine",    [HY_X_PARTITION] = "h:partition",
    [HY_X_AUDIT] = "h:audit",      [HY_X_BOOLEAN] = "h:boolean",
    [HY_X_SAMPLING] = "h:sampling"};

static void append_doc(GString *out, const char *doc)
{
  g_autofree char *text = g_markup_escape_text(doc, -1);
  g_string_append_printf(
      out, "<xs:annotation><xs:documentation>%s</xs:documentation></xs:annotation>", text);
}

static void append_words(GString *out, const char *const *words)
{
  g_string_append(out, "<xs:restriction base=\"xs:token\">");
  for (; *words != NULL; words++) {
    g_string_append_printf(out, "<xs:enumeration value=\"%s\"/>", *words);
  }
  g_string_append(out, "</xs:restriction>");
}

static void begin_type(GString *out, const char *name, const char *doc)
{
  g_string_append_printf(out, "  <xs:simpleType name=\"%s\">", name);
  if (doc != NULL) {
    append_doc(out, doc);
  }
}

static void append_attribute(GString *out, const char *indent, const char *name, const char *type,
                             gboolean required, const char *doc)
{
  g_string_append_printf(out, "%s<xs:attribute name=\"%s\" type=\"%s\"%s", indent, name, type,
                         required ? " use=\"required\"" : "");
  if (doc == NULL || *doc == '\0') {
    g_string_append(out, "/>\n");
    return;
  }
  g_string_append_c(out, '>');
  append_doc(out, doc);
  g_string_append(out, "</xs:attribute>\n");
}

static void append_rules(GString *out, const char *indent, const HyAttributeRule *rules, guint n)
{
  for (guint k = 0; k < n; k++) {
    append_attribute(out, indent, hy_words[rules[k].word], type_names[rules[k].type],
                     rules[k].required, rules[k].doc);
  }
}

/* Attributes that elements share stand in the schema once, as groups. */
static void append_groups(GString *out, const char *indent, guint groups)
{
  for (guint g = 0; g < HY_N_GROUPS; g++) {
    if (groups & (1U << g)) {
      g_string_append_printf(out, "%s<xs:attributeGroup ref=\"h:%s\"/>\n", indent,
                             hy_groups[g].name);
    }
  }
}

#define FOREIGN "<xs:anyAttribute namespace=\"##other\" processContents=\"lax\"/>\n"
#define ANY     "<xs:anyAttribute namespace=\"##any\" processContents=\"skip\"/>\n"

/* Said brings the wildcard for attributes of other namespaces; open elements bring their own, so
 * they get label and doc one by one. */
static void append_shared(GString *out)
{
  for (guint k = 0; k < G_N_ELEMENTS(simple); k++) {
    begin_type(out, simple[k].name, simple[k].doc);
    g_string_append_printf(out, "%s</xs:simpleType>\n", simple[k].rest);
  }
  for (guint k = 0; k < G_N_ELEMENTS(chosen); k++) {
    begin_type(out, chosen[k].name, chosen[k].doc);
    append_words(out, hy_choices_of(chosen[k].type));
    g_string_append(out, "</xs:simpleType>\n");
  }
  g_string_append_c(out, '\n');
  for (guint g = 0; g < HY_N_GROUPS; g++) {
    g_string_append_printf(out, "  <xs:attributeGroup name=\"%s\">\n", hy_groups[g].name);
    append_rules(out, "    ", hy_groups[g].attributes, hy_groups[g].n);
    append_groups(out, "    ", hy_groups[g].groups & ~(1U << HY_G_SAID));
    if (g == HY_G_QUANTITY) {
      append_groups(out, "    ", 1U << HY_G_SAID);
    }
    g_string_append_printf(out, "%s  </xs:attributeGroup>\n", g == HY_G_SAID ? "    " FOREIGN : "");
  }
  g_string_append(
      out,
      "  <xs:complexType name=\"Block\"><xs:attributeGroup ref=\"h:Placed\"/><xs:attributeGroup "
      "ref=\"h:Said\"/></xs:complexType>\n\n");
}

static void append_rule(GString *out, const HyElementRule *rule, const char *indent);

/* A word that is two elements is declared once, by its first rule; where it is the other one,
 * inside its parent. */
static gboolean is_local(const HyElementRule *rule)
{
  return hy_element_rule(rule->word) != rule;
}

/* What may stand in an element: anything that is declared in a model, listed elements elsewhere. */
static void append_children(GString *out, const HyElementRule *rule)
{
  if (rule->inside & HY_IN_MODEL) {
    g_string_append(
        out,
        "      <xs:sequence><xs:any namespace=\"##any\" processContents=\"strict\" minOccurs=\"0\" "
        "maxOccurs=\"unbounded\"/></xs:sequence>\n");
  } else if (rule->inside != 0) {
    g_string_append(out, "      <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n");
    for (guint k = 0; k < hy_n_element_rules; k++) {
      if (!(hy_element_rules[k].places & rule->inside)) {
        continue;
      }
      if (is_local(&hy_element_rules[k])) {
        append_rule(out, &hy_element_rules[k], "        ");
      } else {
        g_string_append_printf(out, "        <xs:element ref=\"h:%s\"/>\n",
                               hy_words[hy_element_rules[k].word]);
      }
    }
    for (const HyAtomicClass *const *k = hy_circuit_elements();
         rule->inside & HY_IN_CIRCUIT && *k != NULL; k++) {
      g_string_append_printf(out, "        <xs:element ref=\"h:%s\"/>\n", (*k)->name);
    }
    if (rule->inside & (HY_IN_EQUATIONS | HY_IN_CIRCUIT)) {
      g_string_append(out, "        <xs:element ref=\"h:" HY_FORMULA_BLOCK "\"/>\n");
    }
    if (rule->inside & HY_IN_VIEW) {
      g_string_append(out, "        <xs:any namespace=\"##other\" processContents=\"lax\"/>\n");
    }
    g_string_append(out, "      </xs:choice>\n");
  }
}

/* One element of the language. */
static void append_rule(GString *out, const HyElementRule *rule, const char *indent)
{
  g_string_append_printf(out, "%s<xs:element name=\"%s\">", indent, hy_words[rule->word]);
  if (rule->doc != NULL) {
    append_doc(out, rule->doc);
  }
  g_string_append_printf(out, "\n%s  <xs:complexType%s>\n", indent,
                         rule->text ? " mixed=\"true\"" : "");
  append_children(out, rule);
  append_rules(out, "      ", rule->attributes, rule->n);
  append_groups(out, "      ", rule->open ? rule->groups & ~(1U << HY_G_SAID) : rule->groups);
  if (rule->open && rule->groups & ((1U << HY_G_PLACED) | (1U << HY_G_SAID))) {
    append_rules(out, "      ", hy_groups[HY_G_SAID].attributes, hy_groups[HY_G_SAID].n);
  }
  gboolean said = (rule->groups & ((1U << HY_G_SAID) | (1U << HY_G_QUANTITY))) != 0;
  g_string_append_printf(out, "%s%s  </xs:complexType>\n%s</xs:element>\n",
                         rule->open ? "      " ANY
                         : said     ? ""
                                    : "      " FOREIGN,
                         indent, indent);
}

static void begin_block(GString *out, const char *name, const char *doc)
{
  g_string_append_printf(out, "  <xs:element name=\"%s\">", name);
  if (doc != NULL) {
    append_doc(out, doc);
  }
  g_string_append(out,
                  "\n    <xs:complexType><xs:complexContent><xs:extension base=\"h:Block\">\n");
}

static void end_block(GString *out, gboolean open)
{
  g_string_append_printf(
      out, "%s    </xs:extension></xs:complexContent></xs:complexType>\n  </xs:element>\n",
      open ? "      " ANY : "");
}

/* What may stand at every block is no attribute of its class alone. */
static gboolean is_of_all(const char *name)
{
  guint16 word = 0;
  while (word < HY_N_WORDS && strcmp(hy_words[word], name) != 0) {
    word++;
  }
  return hy_is_fixed(word, FALSE);
}

/* Any name may be an input of a formula. */
static void append_class(GString *out, const HyAtomicClass *klass)
{
  gboolean function = hy_takes_names(klass);
  begin_block(out, klass->name, klass->doc);
  for (const HyPort *p = klass->in; !function && p != NULL && p->name != NULL; p++) {
    append_attribute(out, "      ", p->name, "h:source", FALSE, p->doc);
  }
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    if (!is_of_all(p->name)) {
      append_attribute(out, "      ", p->name, "h:value", p->required, p->doc);
    }
  }
  end_block(out, function);
}

static const char *value_of(const HyTree *tree, const HyElement *e, guint16 word)
{
  const HyAttribute *a = hy_attribute_find(tree, e, word);
  return a != NULL ? a->value : NULL;
}

/* One type of the standard library: its inputs first, then its parameters. */
static void append_type(GString *out, const HyTree *tree, const HyElement *type)
{
  begin_block(out, value_of(tree, type, HY_W_NAME), value_of(tree, type, HY_W_DOC));
  for (guint pass = 0; pass < 2; pass++) {
    for (guint32 k = type->child; k != 0; k = hy_element(tree, k)->next) {
      const HyElement *e = hy_element(tree, k);
      const char *name = value_of(tree, e, HY_W_NAME), *doc = value_of(tree, e, HY_W_DOC);
      if (name != NULL && e->name == (pass == 0 ? HY_W_IN : HY_W_PARAM)) {
        gboolean required = pass == 1 && value_of(tree, e, HY_W_VALUE) == NULL;
        append_attribute(out, "      ", name, pass == 0 ? "h:source" : "h:value", required, doc);
      }
    }
  }
  end_block(out, FALSE);
}

/* The whole schema, newly allocated. */
static char *schema_text(const HyTree *standard)
{
  GString *out = g_string_new(head);
  append_shared(out);
  for (guint k = 0; k < hy_n_element_rules; k++) {
    if (!is_local(&hy_element_rules[k])) {
      append_rule(out, &hy_element_rules[k], "  ");
    }
  }
  g_string_append(out, "\n  <!-- blocks, from the class tables -->\n");
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    append_class(out, *k);
  }
  g_string_append(out, "\n  <!-- elements of circuits -->\n");
  for (const HyAtomicClass *const *k = hy_circuit_elements(); *k != NULL; k++) {
    append_class(out, *k);
  }
  g_string_append(
      out, "\n  <!-- library: coupled models shipped with hydevs (library/standard.xml) -->\n");
  for (guint32 k = hy_element(standard, 0)->child; k != 0; k = hy_element(standard, k)->next) {
    const HyElement *e = hy_element(standard, k);
    if (e->name == HY_W_TYPE && value_of(standard, e, HY_W_NAME) != NULL) {
      append_type(out, standard, e);
    }
  }
  g_string_append(out, "</xs:schema>\n");
  return g_string_free(out, FALSE);
}

int main(int argc, char **argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: hydevs-xsd STANDARD.xml >hydevs.xsd\n");
    return 2;
  }
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyTree) standard = hy_tree_read(argv[1], hy_words, &HY_READ_LIMITS, report);
  g_autofree char *text = standard != NULL ? schema_text(standard) : hy_report_text(report);
  fputs(text, standard != NULL ? stdout : stderr);
  return standard != NULL ? 0 : 1;
}
