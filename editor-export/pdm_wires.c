/* What leads where, as text of our language, and how long vectors are. A vector of PowerDEVS is one
 * wire of indexed events; here it is as many blocks or ports as its Size says. */
#include "coupled/model_internal.h"
#include "editor-export/pdm_import.h"

#include <string.h>

#define DEEPEST 1000 /* through coupled models, one after the other */

static guint size_through(Import *im, const PdmBlock *scope, int k, int port, guint depth);

/* Of a block whose palette had no Size: as long as what comes, else what the start script calls N.
 */
static double size_unsaid(Import *im, const PdmBlock *scope, int k, const PdmClass *klass,
                          guint depth)
{
  const PdmBlock *b = g_ptr_array_index(scope->blocks, (guint)k);
  const ScilabVariable *n = scilab_find(im->scilab, "N");
  guint comes = klass->in > 0 ? size_through(im, scope, k, 0, depth) : 0;
  if (comes > 0) {
    return comes;
  }
  return n != NULL && n->value.rows * n->value.columns == 1
             ? n->value.number[0]
             : pdm_number(im, b, klass, pdm_row(klass, "Size"), 10);
}

static guint size_of_atomic(Import *im, const PdmBlock *scope, int k, guint depth)
{
  const PdmBlock *b = g_ptr_array_index(scope->blocks, (guint)k);
  const PdmClass *klass = pdm_class(b->path);
  if (klass == NULL || !klass->vector) {
    return 0;
  }
  double n = 0;
  if (klass->kind == PDM_SELECT) {
    n = pdm_number(im, b, klass, 1, 9) - pdm_number(im, b, klass, 0, 0) + 1;
  } else if (klass->kind == PDM_MAPPED) {
    n = pdm_number(im, b, klass, 1, 2);
  } else if (klass->kind == PDM_MATRIX) {
    const PdmParam *p = pdm_find(b, klass, 0);
    ScilabValue value;
    n = 2;
    if (p != NULL && pdm_matrix(im, b, p, &value)) {
      n = value.rows;
      scilab_clear(&value);
    }
  } else if (pdm_find(b, klass, pdm_row(klass, "Size")) == NULL) {
    n = size_unsaid(im, scope, k, klass, depth);
  } else {
    n = pdm_number(im, b, klass, pdm_row(klass, "Size"), 10);
  }
  if (!(n >= 1 && n <= 1000000)) {
    pdm_error(im, b, b->line, "a vector of %g elements; 1 to 1000000 are possible", n);
    n = 1;
  }
  return (guint)n;
}

static const PdmCoupling *find_source(const PdmBlock *scope, int k, int port)
{
  for (guint c = 0; c < scope->couplings->len; c++) {
    const PdmCoupling *coupling = &g_array_index(scope->couplings, PdmCoupling, c);
    if (coupling->to == k && coupling->to_port == port) {
      return coupling;
    }
  }
  return NULL;
}

guint pdm_size(Import *im, const PdmBlock *scope, int k, int port, guint depth)
{
  const PdmCoupling *c = NULL;
  const PdmBlock *inside = scope;
  if (depth > DEEPEST) {
    return 0;
  }
  if (k >= 0) {
    const PdmBlock *b = g_ptr_array_index(scope->blocks, (guint)k);
    if (!b->coupled) {
      return size_of_atomic(im, scope, k, depth);
    }
    inside = b;
    c = find_source(b, -1, port);
  } else if (scope->parent != NULL) {
    guint at = 0;
    inside = scope->parent;
    g_ptr_array_find(inside->blocks, scope, &at);
    c = find_source(inside, (int)at, port);
  }
  return c != NULL ? pdm_size(im, inside, c->from, c->from_port, depth + 1) : 0;
}

static guint size_through(Import *im, const PdmBlock *scope, int k, int port, guint depth)
{
  const PdmCoupling *c = find_source(scope, k, port);
  return c != NULL ? pdm_size(im, scope, c->from, c->from_port, depth + 1) : 0;
}

guint pdm_size_at(Import *im, const PdmBlock *scope, int k, int port)
{
  return size_through(im, scope, k, port, 0);
}

/* What says something, as our language calls it. */
static char *speaker(Import *im, const PdmBlock *scope, int k, int port)
{
  if (k < 0) {
    return pdm_port_name(im, scope, FALSE, port);
  }
  const PdmBlock *b = g_ptr_array_index(scope->blocks, (guint)k);
  if (b->coupled) {
    g_autofree char *name = pdm_port_name(im, b, TRUE, port);
    return g_strdup_printf("%s.%s", pdm_name(im, b), name);
  }
  const PdmClass *klass = pdm_class(b->path);
  const HyAtomicClass *own = klass == NULL ? pdm_own_class(b->path) : NULL;
  if (own != NULL && b->n_out > 1) {
    guint index;
    const HyPort *p = hy_port_at(own->out, (guint)b->n_out, (guint)port, &index);
    guint entries = 0;
    while (own->out[entries].name != NULL) {
      entries++;
    }
    if (p == NULL) {
      return g_strdup_printf("%s.out%d", pdm_name(im, b), port + 1); /* there is no such port */
    }
    return index > 0 && (guint)b->n_out > entries
               ? g_strdup_printf("%s.%s[%u]", pdm_name(im, b), p->name, index)
               : g_strdup_printf("%s.%s", pdm_name(im, b), p->name);
  }
  if (klass == NULL && b->n_out > 1) {
    return g_strdup_printf("%s.out%d", pdm_name(im, b), port + 1);
  }
  return g_strdup(pdm_name(im, b));
}

/* x.y with an index is x[i].y for a repeated block, and x.y[i] for a port. */
char *pdm_sources(Import *im, const PdmBlock *scope, int k, int port, const char *suffix, guint *n)
{
  g_autoptr(GString) list = g_string_new(NULL);
  *n = 0;
  for (guint c = 0; c < scope->couplings->len; c++) {
    const PdmCoupling *coupling = &g_array_index(scope->couplings, PdmCoupling, c);
    if (coupling->to == k && coupling->to_port == port) {
      g_autofree char *name = speaker(im, scope, coupling->from, coupling->from_port);
      guint size = pdm_size(im, scope, coupling->from, coupling->from_port, 0);
      g_string_append_printf(list, "%s%s%s", *n > 0 ? " " : "", name, size > 0 ? suffix : "");
      (*n)++;
    }
  }
  return g_string_free(g_steal_pointer(&list), FALSE);
}

char *pdm_signal(Import *im, const PdmBlock *scope, int k, int port, const char *suffix)
{
  guint n;
  char *text = pdm_sources(im, scope, k, port, suffix, &n);
  const PdmBlock *b = k >= 0 ? g_ptr_array_index(scope->blocks, (guint)k) : scope;
  if (n > 1) {
    pdm_error(im, b, b->line, "%s %d has %u sources (%s); a signal has one",
              k >= 0 ? "input" : "output", port + 1, n, text);
  } else if (n == 0) {
    pdm_warn(im, b, b->line, "%s %d is not connected; it is 0", k >= 0 ? "input" : "output",
             port + 1);
    g_free(text);
    text = g_strdup("0");
  }
  return text;
}
