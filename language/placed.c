/* A mistake inside a type of a library is one of how the type is used: it is told of the element
 * that has the type, in the file that was asked for. */
#include "language/loader.h"

#include <string.h>

const Row *hy_placed_row(HyRowOf row_of, gconstpointer of, const char *file, const HyModel *m,
                         guint component)
{
  const Row *own = row_of(of, m, component), *at = own;
  while (at != NULL && strcmp(at->file, file) != 0 && hy_model_parent(m) != NULL) {
    component = hy_model_index(m);
    m = hy_model_parent(m);
    at = row_of(of, m, component);
  }
  return at != NULL ? at : own;
}

void hy_say_placed(HySay say, HyReport *report, HyRowOf row_of, gconstpointer of, const char *file,
                   const HyModel *m, guint component, const char *text)
{
  const Row *own = row_of(of, m, component), *at = hy_placed_row(row_of, of, file, m, component);
  if (own == at) {
    say(report, own != NULL ? own->file : file, own != NULL ? own->line : 0, "%s", text);
    return;
  }
  g_autofree char *name = g_path_get_basename(own->file);
  say(report, at->file, at->line, "%s (in %s%s%s:%u)", text, at->type != NULL ? at->type : "",
      at->type != NULL ? ", " : "", name, own->line);
}
