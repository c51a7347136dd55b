#include "description.h"

#include "base/hint.h"
#include "hy_build.h"
#include "hydevs/look.h"
#include "hydevs/text.h"

#include <string.h>

void hy_xml_attribute(GString *out, const char *name, const char *text)
{
  g_autofree char *plain = hy_plain_text(text, FALSE);
  g_autofree char *escaped = g_markup_escape_text(plain, -1);
  g_string_append_printf(out, " %s=\"%s\"", name, escaped);
}

/* As XML Schema writes doubles. */
static void put_number(GString *out, double v)
{
  char text[HY_DOUBLE_SIZE];
  g_string_append(out, isnan(v)   ? "NaN"
                       : isinf(v) ? (v > 0 ? "INF" : "-INF")
                                  : hy_double_text(text, v));
}

static void put_boolean(GString *out, const char *name, gboolean yes)
{
  hy_xml_attribute(out, name, yes ? "true" : "false");
}

/* Units --------------------------------------------------------------------------------------- */

static void put_unit(GString *out, const char *unit)
{
  HyBaseUnit base;
  g_string_append(out, "    <Unit");
  hy_xml_attribute(out, "name", unit);
  if (!hy_base_unit(unit, &base)) {
    g_string_append(out, "/>\n");
    return;
  }
  g_string_append(out, "><BaseUnit");
  for (guint k = 0; k < G_N_ELEMENTS(base.exponent); k++) {
    if (base.exponent[k] != 0) {
      g_string_append_printf(out, " %s=\"%d\"", hy_base_names[k], base.exponent[k]);
    }
  }
  if (base.factor != 1) {
    g_string_append(out, " factor=\"");
    put_number(out, base.factor);
    g_string_append_c(out, '"');
  }
  if (base.offset != 0) {
    g_string_append(out, " offset=\"");
    put_number(out, base.offset);
    g_string_append_c(out, '"');
  }
  g_string_append(out, "/></Unit>\n");
}

static void put_units(const HyFmu *f, GString *out)
{
  g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
  g_string_append(out, "  <UnitDefinitions>\n"); /* the time has one */
  for (guint k = 0; k < hy_fmu_n(f); k++) {
    const char *unit = hy_fmu_variable(f, k)->unit;
    if (unit != NULL && *unit != '\0' && g_hash_table_add(known, hy_key(unit))) {
      put_unit(out, unit);
    }
  }
  g_string_append(out, "  </UnitDefinitions>\n");
}

/* Variables ----------------------------------------------------------------------------------- */

static gboolean is_output(const HyFmuVariable *v)
{
  return v->kind == HY_FMU_OUTPUT || v->kind == HY_FMU_SAID;
}

static void put_start(const HyFmu *f, const HyFmuVariable *v, GString *out)
{
  g_string_append(out, " start=\"");
  if (v->kind == HY_FMU_PARAMETER) {
    const HyParameter *p = hy_loaded_parameter(hy_fmu_loaded(f), v->index);
    for (guint k = 0; k < v->n; k++) {
      g_string_append(out, k > 0 ? " " : "");
      put_number(out, p->numbers[k]);
    }
  } else {
    g_string_append_c(out, '0');
  }
  g_string_append_c(out, '"');
}

/* What stands inside of the element. */
static void put_inside(const HyFmu *f, const HyFmuVariable *v, const char *type, GString *out)
{
  if (v->kind == HY_FMU_TEXT) {
    const HyParameter *p = hy_loaded_parameter(hy_fmu_loaded(f), v->index);
    g_string_append(out, "><Start");
    hy_xml_attribute(out, "value", p->text);
    g_string_append_printf(out, "/></%s>\n", type);
  } else if (v->array) {
    g_string_append_printf(out, "><Dimension start=\"%u\"/></%s>\n", v->n, type);
  } else {
    g_string_append(out, "/>\n");
  }
}

static void put_variable(const HyFmu *f, guint reference, GString *out)
{
  static const char *const causality[] = {
      [HY_FMU_TIME] = "independent", [HY_FMU_PARAMETER] = "parameter", [HY_FMU_TEXT] = "parameter",
      [HY_FMU_INPUT] = "input",      [HY_FMU_FED] = "input",           [HY_FMU_OUTPUT] = "output",
      [HY_FMU_SAID] = "output"};
  const HyFmuVariable *v = hy_fmu_variable(f, reference);
  gboolean parameter = v->kind == HY_FMU_PARAMETER || v->kind == HY_FMU_TEXT;
  gboolean count = v->kind == HY_FMU_FED || v->kind == HY_FMU_SAID;
  const char *type = v->kind == HY_FMU_TEXT ? "String" : count ? "Int64" : "Float64";
  g_string_append_printf(out, "    <%s", type);
  hy_xml_attribute(out, "name", v->name);
  g_string_append_printf(out, " valueReference=\"%u\"", reference);
  if (v->doc != NULL && *v->doc != '\0') {
    hy_xml_attribute(out, "description", v->doc);
  }
  hy_xml_attribute(out, "causality", causality[v->kind]);
  hy_xml_attribute(out, "variability",
                   parameter     ? "fixed"
                   : v->discrete ? "discrete"
                                 : "continuous");
  if (!count && v->unit != NULL && *v->unit != '\0' && v->kind != HY_FMU_TEXT) {
    hy_xml_attribute(out, "unit", v->unit);
  }
  if (parameter || is_output(v)) {
    hy_xml_attribute(out, "initial", parameter ? "exact" : "calculated");
  }
  if (v->kind == HY_FMU_PARAMETER || v->kind == HY_FMU_INPUT || v->kind == HY_FMU_FED) {
    put_start(f, v, out);
  }
  put_inside(f, v, type, out);
}

/* Each output may depend on all inputs: so it is where no dependencies are stated. */
static void put_structure(const HyFmu *f, GString *out)
{
  static const char *const what[] = {"Output", "InitialUnknown"};
  g_string_append(out, "  <ModelStructure>\n");
  for (guint i = 0; i < G_N_ELEMENTS(what); i++) {
    for (guint k = 0; k < hy_fmu_n(f); k++) {
      if (is_output(hy_fmu_variable(f, k))) {
        g_string_append_printf(out, "    <%s valueReference=\"%u\"/>\n", what[i], k);
      }
    }
  }
  g_string_append(out, "  </ModelStructure>\n");
}

/* The whole ----------------------------------------------------------------------------------- */

static void put_experiment(const HyFmu *f, GString *out)
{
  const HyExperiment *x = hy_loaded_experiment(hy_fmu_loaded(f));
  double stop = hy_fmu_plan_stop(hy_fmu_plan(f), hy_fmu_loaded(f));
  g_string_append(out, "  <DefaultExperiment startTime=\"");
  put_number(out, x->start);
  if (isfinite(stop) && stop > x->start) {
    g_string_append(out, "\" stopTime=\"");
    put_number(out, stop);
    double step = isfinite(x->grid) && x->grid > 0 ? x->grid : (stop - x->start) / 1000;
    g_string_append(out, "\" stepSize=\"");
    put_number(out, step);
  }
  g_string_append(out, "\"/>\n");
}

static void put_interface(const HyFmuAbout *about, GString *out)
{
  g_string_append(out, "  <CoSimulation");
  hy_xml_attribute(out, "modelIdentifier", about->identifier);
  put_boolean(out, "canGetAndSetFMUState", about->saves);
  put_boolean(out, "canSerializeFMUState", about->writes);
  put_boolean(out, "canHandleVariableCommunicationStepSize", TRUE);
  put_boolean(out, "mightReturnEarlyFromDoStep", TRUE);
  put_boolean(out, "hasEventMode", TRUE);
  g_string_append(out, "/>\n");
}

static void put_categories(GString *out)
{
  g_string_append(
      out, "  <LogCategories>\n"
           "    <Category name=\"logStatusError\" description=\"why a call has failed\"/>\n"
           "    <Category name=\"logStatusWarning\" description=\"what hydevs run warns of\"/>\n"
           "    <Category name=\"logEvents\" description=\"a block has ended the run\"/>\n"
           "  </LogCategories>\n");
}

void hy_fmu_describe(const HyFmu *f, const HyFmuAbout *about, GString *out)
{
  HyModel *root = hy_loaded_model(hy_fmu_loaded(f));
  HyLook look = {0};
  hy_loaded_look(hy_fmu_loaded(f), root, &look);
  g_string_append(
      out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\"");
  hy_xml_attribute(out, "modelName", hy_model_name(root));
  hy_xml_attribute(out, "instantiationToken", about->token);
  if (look.doc != NULL && *look.doc != '\0') {
    hy_xml_attribute(out, "description", look.doc);
  }
  hy_xml_attribute(out, "generationTool", "hydevs " HY_BUILD);
  hy_xml_attribute(out, "variableNamingConvention",
                   hy_fmu_is_structured(f) ? "structured" : "flat");
  g_string_append(out, ">\n");
  put_interface(about, out);
  put_units(f, out);
  put_categories(out);
  put_experiment(f, out);
  g_string_append(out, "  <ModelVariables>\n");
  for (guint k = 0; k < hy_fmu_n(f); k++) {
    put_variable(f, k, out);
  }
  g_string_append(out, "  </ModelVariables>\n");
  put_structure(f, out);
  g_string_append(out, "</fmiModelDescription>\n");
}
