/* Blocks that are in no palette of PowerDEVS: those of ours that a drawing names, and classes that
 * nobody knows. */
#include "editor-export/pdm_job.h"

#include <string.h>

static void set_own_inputs(const Job *j, const HyAtomicClass *klass)
{
  const HyPort *p = klass->in;
  int port = 0;
  for (; p != NULL && p->name != NULL && !p->array; p++, port++) {
    guint n;
    g_autofree char *text = pdm_sources(j->im, j->scope, j->k, port, "[i]", &n);
    if (n > 0) {
      hy_format_set(j->node, p->name, text);
    }
  }
  if (p != NULL && p->name != NULL && j->b->n_in > port) {
    g_autofree char *list = pdm_job_list(j, port, j->b->n_in);
    hy_format_set(j->node, p->name, list);
  }
}

static gboolean find_param(const HyAtomicClass *klass, const char *name)
{
  const HyParam *p = klass->params;
  while (p != NULL && p->name != NULL && strcmp(p->name, name) != 0) {
    p++;
  }
  return p != NULL && p->name != NULL;
}

/* Blocks of ours that a drawing has by the class hydevs/NAME.h: ports in the order of the class
 * itself, parameters by its names, formulas over u0, u1, ... */
static void add_own_block(Job *j, const HyAtomicClass *klass)
{
  gboolean formula = klass->formula == HY_FORMULA_OF_INPUTS;
  j->node = pdm_job_add(j, klass->name);
  if (!formula) {
    set_own_inputs(j, klass);
  }
  for (guint k = 0; k < j->b->params->len; k++) {
    const PdmParam *p = &g_array_index(j->b->params, PdmParam, k);
    if (formula && strcmp(p->name, "formula") == 0) {
      pdm_job_formula(j, p->value, NULL);
    } else if (find_param(klass, p->name)) {
      hy_format_set(j->node, p->name, p->value);
    } else {
      pdm_error(j->im, j->b, p->line, "%s has no parameter \"%s\"", klass->name, p->name);
    }
  }
}

/* A class that nobody knows may be a type of the user's library. */
void pdm_job_unknown(Job *j)
{
  g_autofree char *path = pdm_class_path(j->b->path);
  const char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  const HyAtomicClass *own = pdm_own_class(j->b->path);
  if (own != NULL) {
    add_own_block(j, own);
    return;
  }
  if (*name == '\0') {
    pdm_error(j->im, j->b, j->b->line, "it has no Path: it was drawn and not programmed");
    return;
  }
  pdm_warn(j->im, j->b, j->b->line,
           "class %s is not known; write a type %s with ports in1 ..., out1 ... in a library "
           "powerdevs.xml beside the model",
           j->b->path, name);
  j->node = pdm_job_add(j, "block");
  pdm_job_set(j->node, "type", "powerdevs.%s", name);
  for (int port = 0; port < j->b->n_in; port++) {
    g_autofree char *attribute = g_strdup_printf("in%d", port + 1);
    g_autofree char *text = pdm_signal(j->im, j->scope, j->k, port, "[*]");
    hy_format_set(j->node, attribute, text);
  }
}
