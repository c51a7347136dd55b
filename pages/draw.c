/* Drawings as they are asked for from outside: of a whole model, or of a part of it. */
#include "atomics/machine/machine.h"
#include "base/sized.h"
#include "pages/assets.h"
#include "pages/diagram.h"
#include "pages/page.h"

#include <string.h>

/* The coupled model at PATH, or the one around a machine, whose number is then MACHINE; NULL: there
 * is none. */
static const HyModel *model_at(const HyModel *root, const char *path, guint *machine,
                               GError **error)
{
  g_auto(GStrv) names = g_strsplit(path, "/", -1);
  const HyModel *m = root;
  for (char **name = names; *name != NULL; name++) {
    guint k = hy_model_find(m, *name);
    const HyModel *inner = k != HY_SELF ? hy_model_coupled(m, k) : NULL;
    if (k != HY_SELF && name[1] == NULL && hy_machine_of(hy_model_class(m, k)) != NULL) {
      *machine = k;
      return m;
    }
    if (inner == NULL) {
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: %s %s in %s", path, *name,
                  k == HY_SELF ? "is no block" : "has nothing inside: it is an atomic",
                  hy_model_name(m));
      return NULL;
    }
    m = inner;
  }
  return m;
}

static HyDiagram *one_machine(const HyDiagramWay *way, const HyModel *m, guint component,
                              GError **error)
{
  HyDiagram *d = hy_diagram_one(way, m, component);
  if (d->too_much) {
    hy_diagram_free(d);
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: too many transitions for a drawing",
                hy_model_component_name(m, component));
    return NULL;
  }
  return d;
}

HyDiagram *hy_draw(const HyLoaded *loaded, const HyDrawing *drawing, GError **error)
{
  HyDiagramWay way = {loaded, drawing->all, drawing->blocks,
                      drawing->depth > 0 ? drawing->depth : 8};
  const HyModel *m = hy_loaded_model(loaded);
  guint machine = HY_SELF;
  m = drawing->block != NULL ? model_at(m, drawing->block, &machine, error) : m;
  return m == NULL            ? NULL
         : machine != HY_SELF ? one_machine(&way, m, machine, error)
                              : hy_diagram_new(&way, m, error);
}

gboolean hy_draw_svg_sized(const HyLoaded *loaded, const HyDrawing *drawing, gsize size,
                           GString *out, GError **error)
{
  g_return_val_if_fail(loaded != NULL && drawing != NULL && out != NULL, FALSE);
  HyDrawing taken = {0};
  g_autoptr(HyDiagram) d = hy_sized_take(&taken, drawing, size, "HyDrawing", error)
                               ? hy_draw(loaded, &taken, error)
                               : NULL;
  if (d != NULL) {
    hy_diagram_svg(d, out);
  }
  return d != NULL;
}

gboolean hy_draw_dot_sized(const HyLoaded *loaded, const HyDrawing *drawing, gsize size,
                           GString *out, GError **error)
{
  g_return_val_if_fail(loaded != NULL && drawing != NULL && out != NULL, FALSE);
  HyDrawing taken = {0};
  g_autoptr(HyDiagram) d = hy_sized_take(&taken, drawing, size, "HyDrawing", error)
                               ? hy_draw(loaded, &taken, error)
                               : NULL;
  if (d != NULL) {
    hy_diagram_dot(d, out);
  }
  return d != NULL;
}

gboolean hy_draw_page_sized(const HyLoaded *loaded, const HyDrawing *drawing, gsize size,
                            const char *command, GString *out, GError **error)
{
  g_return_val_if_fail(loaded != NULL && drawing != NULL && out != NULL, FALSE);
  g_autoptr(GString) svg = g_string_new(NULL);
  const HyModel *model = hy_loaded_model(loaded);
  if (!hy_draw_svg_sized(loaded, drawing, size, svg, error)) {
    return FALSE;
  }
  HyLook look;
  hy_loaded_look(loaded, model, &look);
  hy_page_begin(out, hy_model_name(model), "diagram");
  g_string_append(out, "<header><h1>");
  hy_xml_text(out, drawing->block != NULL ? drawing->block : hy_model_name(model));
  g_string_append(out, "</h1>\n");
  if (look.doc != NULL && drawing->block == NULL) {
    g_string_append(out, "<p class=\"doc\">");
    hy_xml_text(out, look.doc);
    g_string_append(out, "</p>\n");
  }
  g_string_append(out, "</header>\n<main>\n<div class=\"bar\" id=\"tools\" role=\"toolbar\" "
                       "aria-label=\"Drawing\"></div>\n");
  hy_page_svg(out, svg->str);
  g_string_append(out, "</main>\n<footer>\n");
  hy_page_origin(out, loaded, command);
  g_string_append(out, "</footer>\n");
  hy_page_end(out, (const char *const[]){hy_page_js, hy_drawing_js, NULL});
  return TRUE;
}
