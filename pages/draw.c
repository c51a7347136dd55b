/* Drawings as they are asked for from outside: of a whole model, or of a part of it. */
#include "pages/diagram.h"

#include <string.h>

/* The coupled model at PATH; NULL: there is none. */
static const HyModel *model_at(const HyModel *root, const char *path, GError **error)
{
  g_auto(GStrv) names = g_strsplit(path, "/", -1);
  const HyModel *m = root;
  for (char **name = names; *name != NULL; name++) {
    guint k = hy_model_find(m, *name);
    const HyModel *inner = k != HY_SELF ? hy_model_coupled(m, k) : NULL;
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

HyDiagram *hy_draw(const HyLoaded *loaded, const HyDrawing *drawing, GError **error)
{
  HyDiagramWay way = {loaded, drawing->all, drawing->blocks,
                      drawing->depth > 0 ? drawing->depth : 8};
  const HyModel *m = hy_loaded_model(loaded);
  m = drawing->block != NULL ? model_at(m, drawing->block, error) : m;
  return m != NULL ? hy_diagram_new(&way, m, error) : NULL;
}

gboolean hy_draw_svg(const HyLoaded *loaded, const HyDrawing *drawing, GString *out, GError **error)
{
  g_return_val_if_fail(loaded != NULL && drawing != NULL && out != NULL, FALSE);
  g_autoptr(HyDiagram) d = hy_draw(loaded, drawing, error);
  if (d != NULL) {
    hy_diagram_svg(d, out);
  }
  return d != NULL;
}

gboolean hy_draw_dot(const HyLoaded *loaded, const HyDrawing *drawing, GString *out, GError **error)
{
  g_return_val_if_fail(loaded != NULL && drawing != NULL && out != NULL, FALSE);
  g_autoptr(HyDiagram) d = hy_draw(loaded, drawing, error);
  if (d != NULL) {
    hy_diagram_dot(d, out);
  }
  return d != NULL;
}
