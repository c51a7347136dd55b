/* Sums of names with whole numbers before them: exact, whatever they cancel. */
#include "internal.h"

/* Beyond the limit labels of several names are empty: the circuit is refused in the end
 * (HyCircuit.large). */
static Label *label_new(HyCircuit *c, guint n)
{
  c->n_terms += n;
  c->large |= c->n_terms > MOST_TERMS;
  n = c->large && n > 1 ? 0 : n;
  Label *label = g_malloc(sizeof *label + n * sizeof *label->term);
  label->n = n;
  g_ptr_array_add(c->labels, label);
  return label;
}

const Label *label_of(HyCircuit *c, guint32 name, gint32 n)
{
  if (n == 0) {
    return c->nothing;
  }
  Label *label = label_new(c, 1);
  label->term[0] = (Term){name, n};
  return label;
}

void tally_add(GArray *tally, gint32 n, const Label *label)
{
  for (guint k = 0; k < label->n; k++) {
    Term term = {label->term[k].name, n * label->term[k].n};
    g_array_append_val(tally, term);
  }
}

static gint term_compare(gconstpointer a, gconstpointer b)
{
  const Term *x = a, *y = b;
  return (x->name > y->name) - (x->name < y->name);
}

const Label *tally_end(HyCircuit *c, GArray *tally)
{
  guint n = 0;
  g_array_sort(tally, term_compare);
  Term *term = (Term *)(gpointer)tally->data;
  for (guint k = 0; k < tally->len; k++) {
    if (n > 0 && term[n - 1].name == term[k].name) {
      term[n - 1].n += term[k].n;
    } else {
      term[n++] = term[k];
    }
    n -= term[n - 1].n == 0 && (k + 1 == tally->len || term[k + 1].name != term[n - 1].name);
  }
  g_array_set_size(tally, n);
  if (n == 0) {
    return c->nothing;
  }
  Label *label = label_new(c, n);
  memcpy(label->term, tally->data, label->n * sizeof(Term));
  return label;
}

const Label *label_plus(HyCircuit *c, const Label *a, gint32 n, const Label *b)
{
  if (b->n == 0) {
    return a;
  }
  g_autofree Term *sum = g_new(Term, (gsize)a->n + b->n);
  guint length = 0;
  for (guint i = 0, k = 0; i < a->n || k < b->n;) {
    guint32 x = i < a->n ? a->term[i].name : NONE, y = k < b->n ? b->term[k].name : NONE;
    Term t = {MIN(x, y), 0};
    t.n += x == t.name ? a->term[i++].n : 0;
    t.n += y == t.name ? n * b->term[k++].n : 0;
    sum[length] = t;
    length += t.n != 0;
  }
  if (length == 0) {
    return c->nothing;
  }
  Label *label = label_new(c, length);
  memcpy(label->term, sum, label->n * sizeof(Term));
  return label;
}

gint32 label_factor(const Label *label, guint32 name)
{
  guint from = 0, to = label->n;
  while (from < to) {
    guint at = (from + to) / 2;
    if (label->term[at].name == name) {
      return label->term[at].n;
    }
    if (label->term[at].name < name) {
      from = at + 1;
    } else {
      to = at;
    }
  }
  return 0;
}
