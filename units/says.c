/* What a unit says of itself in modelDescription.xml. */
#include "units/unit.h"

#include <libxml/parser.h>
#include <string.h>

static const struct {
  const char *element;
  HyUnitType type;
} types[] = {
    {"Float64", HY_UNIT_FLOAT64}, {"Float32", HY_UNIT_FLOAT32}, {"Int64", HY_UNIT_INT64},
    {"Int32", HY_UNIT_INT32},     {"Int16", HY_UNIT_INT16},     {"Int8", HY_UNIT_INT8},
    {"UInt64", HY_UNIT_UINT64},   {"UInt32", HY_UNIT_UINT32},   {"UInt16", HY_UNIT_UINT16},
    {"UInt8", HY_UNIT_UINT8},     {"Boolean", HY_UNIT_BOOLEAN}, {"Enumeration", HY_UNIT_INT64},
    {"String", HY_UNIT_STRING}};

static char *attribute(xmlNode *of, const char *name)
{
  xmlChar *value = xmlGetNoNsProp(of, (const xmlChar *)name);
  char *copy = g_strdup((const char *)value);
  xmlFree(value);
  return copy;
}

static gboolean is_so(xmlNode *of, const char *name, gboolean otherwise)
{
  g_autofree char *value = attribute(of, name);
  return value == NULL ? otherwise : strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
}

/* NaN: not stated, or no number. */
static double number(xmlNode *of, const char *name)
{
  g_autofree char *value = attribute(of, name);
  char *end = NULL;
  double v = value != NULL ? g_ascii_strtod(value, &end) : NAN;
  return end != value && (end == NULL || *end == '\0') ? v : NAN;
}

static gboolean is_called(const xmlNode *n, const char *name)
{
  return n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, name) == 0;
}

static xmlNode *child(xmlNode *of, const char *name)
{
  xmlNode *n = of != NULL ? of->children : NULL;
  while (n != NULL && !is_called(n, name)) {
    n = n->next;
  }
  return n;
}

/* NAME with letters, digits and _ alone, as no other of the unit is called. */
static char *call(const HyUnitSays *s, const char *name)
{
  g_autoptr(GString) called = g_string_new(g_ascii_isalpha(name[0]) ? NULL : "v");
  for (const char *c = name; *c != '\0'; c++) {
    g_string_append_c(called, g_ascii_isalnum(*c) ? *c : '_');
  }
  GArray *const all[] = {s->inputs, s->outputs, s->params};
  gboolean taken = strcmp(called->str, "step") == 0 || strcmp(called->str, "name") == 0;
  for (guint k = 0; k < G_N_ELEMENTS(all); k++) {
    for (guint i = 0; i < all[k]->len; i++) {
      taken = taken || strcmp(g_array_index(all[k], HyUnitVariable, i).called, called->str) == 0;
    }
  }
  if (taken) {
    g_string_append_c(called, '_');
    return call(s, called->str);
  }
  return g_string_free(g_steal_pointer(&called), FALSE);
}

static void read_variable(HyUnitSays *s, xmlNode *n, HyUnitType type)
{
  g_autofree char *name = attribute(n, "name"), *causality = attribute(n, "causality");
  g_autofree char *variability = attribute(n, "variability");
  g_autofree char *reference = attribute(n, "valueReference");
  gboolean in = g_strcmp0(causality, "input") == 0, out = g_strcmp0(causality, "output") == 0;
  gboolean set = g_strcmp0(causality, "parameter") == 0;
  if (name == NULL || name[0] == '\0' || reference == NULL || !(in || out || set) ||
      child(n, "Dimension") != NULL || (type == HY_UNIT_STRING && !set)) {
    return; /* arrays, texts and what is inside are no ports */
  }
  gboolean real = type <= HY_UNIT_FLOAT32;
  HyUnitVariable v = {
      .name = g_strdup(name),
      .called = call(s, name),
      .unit = attribute(n, "unit"),
      .doc = attribute(n, "description"),
      .type = type,
      .reference = (fmi3ValueReference)g_ascii_strtoull(reference, NULL, 10),
      .discrete = variability != NULL ? strcmp(variability, "continuous") != 0 : !real,
      .start = type == HY_UNIT_BOOLEAN ? is_so(n, "start", FALSE) : number(n, "start")};
  if (type == HY_UNIT_STRING) {
    xmlNode *start = child(n, "Start");
    v.text = start != NULL ? attribute(start, "value") : attribute(n, "start");
  }
  g_array_append_val(in ? s->inputs : out ? s->outputs : s->params, v);
}

static void read_variables(HyUnitSays *s, xmlNode *root)
{
  xmlNode *list = child(root, "ModelVariables");
  for (xmlNode *n = list != NULL ? list->children : NULL; n != NULL; n = n->next) {
    for (guint k = 0; k < G_N_ELEMENTS(types); k++) {
      if (is_called(n, types[k].element)) {
        read_variable(s, n, types[k].type);
      }
    }
  }
}

static gboolean fails(GError **error, const char *what)
{
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s", what);
  return FALSE;
}

static gboolean read_root(HyUnitSays *s, xmlNode *root, GError **error)
{
  if (root == NULL || !is_called(root, "fmiModelDescription")) {
    return fails(error, "its modelDescription.xml is none of a unit");
  }
  g_autofree char *version = attribute(root, "fmiVersion");
  if (version == NULL || !g_str_has_prefix(version, "3.")) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "it is a unit of FMI %s; those of FMI 3.0 can be run here",
                version != NULL ? version : "without a version");
    return FALSE;
  }
  xmlNode *way = child(root, "CoSimulation"), *usual = child(root, "DefaultExperiment");
  if (way == NULL) {
    return fails(error, "it is no unit for co-simulation: its importer would have to integrate it");
  }
  s->identifier = attribute(way, "modelIdentifier");
  s->token = attribute(root, "instantiationToken");
  s->doc = attribute(root, "description");
  if (s->identifier == NULL || s->token == NULL || strchr(s->identifier, '/') != NULL) {
    return fails(error, "its modelDescription.xml has no modelIdentifier or no instantiationToken");
  }
  s->events = is_so(way, "hasEventMode", FALSE);
  s->early = s->events && is_so(way, "mightReturnEarlyFromDoStep", FALSE);
  s->states = is_so(way, "canGetAndSetFMUState", FALSE);
  s->any_step = is_so(way, "canHandleVariableCommunicationStepSize", FALSE);
  s->once = is_so(way, "canBeInstantiatedOnlyOncePerProcess", FALSE);
  s->step = usual != NULL ? number(usual, "stepSize") : NAN;
  double fixed = number(way, "fixedInternalStepSize");
  s->step = s->step > 0 && isfinite(s->step) ? s->step : fixed > 0 && isfinite(fixed) ? fixed : NAN;
  read_variables(s, root);
  return TRUE;
}

static void clear_variable(gpointer p)
{
  HyUnitVariable *v = p;
  g_free(v->name);
  g_free(v->called);
  g_free(v->unit);
  g_free(v->doc);
  g_free(v->text);
}

gboolean hy_unit_says_read(HyUnitSays *s, const char *xml, gsize size, GError **error)
{
  *s = (HyUnitSays){.step = NAN};
  GArray **const all[] = {&s->inputs, &s->outputs, &s->params};
  for (guint k = 0; k < G_N_ELEMENTS(all); k++) {
    *all[k] = g_array_new(FALSE, FALSE, sizeof(HyUnitVariable));
    g_array_set_clear_func(*all[k], clear_variable);
  }
  const int quiet = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
  xmlDoc *doc = size <= G_MAXINT32 ? xmlReadMemory(xml, (int)size, NULL, NULL, quiet) : NULL;
  gboolean ok = doc != NULL ? read_root(s, xmlDocGetRootElement(doc), error)
                            : fails(error, "its modelDescription.xml is no XML");
  xmlFreeDoc(doc);
  return ok;
}

void hy_unit_says_clear(HyUnitSays *s)
{
  g_clear_pointer(&s->inputs, g_array_unref);
  g_clear_pointer(&s->outputs, g_array_unref);
  g_clear_pointer(&s->params, g_array_unref);
  g_clear_pointer(&s->identifier, g_free);
  g_clear_pointer(&s->token, g_free);
  g_clear_pointer(&s->doc, g_free);
}
