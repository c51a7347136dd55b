/* What stands in the tree of a file: the names of its parameters. */
#include "said.h"

#include "language/schema.h"

static const char *text_of(const HyTree *tree, const HyElement *e, guint16 word)
{
  const HyAttribute *a = hy_attribute_find(tree, e, word);
  return a != NULL ? a->value : NULL;
}

char **hy_said_parameters(const HyTree *tree)
{
  GPtrArray *names = g_ptr_array_new();
  for (guint32 k = hy_element(tree, 0)->child; k != 0; k = hy_element(tree, k)->next) {
    const HyElement *e = hy_element(tree, k);
    const char *name = !e->foreign && e->name == HY_W_PARAM ? text_of(tree, e, HY_W_NAME) : NULL;
    if (name != NULL) {
      g_ptr_array_add(names, g_strdup(name));
    }
  }
  g_ptr_array_add(names, NULL);
  return (char **)g_ptr_array_free(names, FALSE);
}
