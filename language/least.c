/* How many blocks a model has at least, before any of them is made: types that hold each other may
 * double in every line, and to make all up to the limit would take long. What a count="N" or an if
 * says is not known yet and counts as nothing, so what is refused here would be refused later. */
#include "language/loader.h"

#define DEEPEST 1000U /* types inside types, as each is a call; those within count as nothing */

typedef struct {
  Loader *loader;
  GHashTable *known; /* Define -> double *: its blocks; while they are counted 0 */
  guint depth;
} Least;

static double least_define(Least *c, Define *d);

/* Copies that are there whatever parameters are. */
static double least_copies(const Least *c, const Entry *e)
{
  char *end = NULL;
  if (e->bad || e->cond != NULL || e->open_type) {
    return 0.0;
  }
  double n = e->count != NULL ? g_ascii_strtod(e->count->value, &end) : 1.0;
  gboolean told = n > (double)c->loader->options.max_blocks; /* such a count has its own message */
  return !told && n >= 1.0 && (end == NULL || *end == '\0') ? n : 0.0;
}

static double least_entry(Least *c, Entry *e)
{
  double n = least_copies(c, e);
  if (n == 0.0 || e->type_looked == 0) {
    return 0.0;
  }
  return n * (e->inside != NULL ? HY_COUPLED_WEIGHT + least_define(c, e->inside) : 1.0);
}

static double least_define(Least *c, Define *d)
{
  double *known = g_hash_table_lookup(c->known, d);
  if (known != NULL || c->depth == DEEPEST) {
    return known != NULL ? *known : 0.0;
  }
  known = g_new0(double, 1);
  g_hash_table_insert(c->known, d, known);
  c->depth++;
  double sum = 0.0;
  for (guint k = 0; k < d->blocks->len; k++) {
    Entry *e = g_ptr_array_index(d->blocks, k);
    if (least_copies(c, e) > 0.0 && e->klass == NULL) {
      hy_entry_type(c->loader, e);
    }
    sum += least_entry(c, e);
  }
  c->depth--;
  *known = sum;
  return sum;
}

gboolean hy_least_is_too_much(Loader *l, Scope *root)
{
  g_autoptr(GHashTable) known = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  Least c = {l, known, 0};
  double sum = 0.0;
  for (guint k = 0; k < root->define->blocks->len; k++) {
    Entry *e = g_ptr_array_index(root->define->blocks, k);
    least_define(&c, root->define);
    sum += least_entry(&c, e);
    if (sum > (double)l->options.max_blocks) {
      hy_too_many_blocks(l, root, e);
      return TRUE;
    }
  }
  return FALSE;
}
