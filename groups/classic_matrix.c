/* A is a sum of partial derivatives of rows, which stand in the order of hy_classic_partials():
 * those of members by members go to their places, those of hubs and by hubs follow the chain rule.
 * It is kept as a band, or sparse where that would be too wide. */
#include "classic_matrix.h"

#include "numerics/implicit.h"
#include "sparse.h"

#include <string.h>

/* Products of an elimination: 64 states full, or 1000 in a band of 17; more, if those of each state
 * are few. */
#define MOST_WORK 600000
#define MOST_EACH 300

/* A partial derivative of a row of a member by another member. */
typedef struct {
  guint32 partial; /* of those that hy_classic_partials() computes */
  gsize place;     /* in A */
} Inner;

/* Any other one: by an input, through a hub, or of a hub. */
typedef enum { TERM_MEMBER, TERM_INPUT, TERM_HUB } TermKind;

typedef struct {
  guint32 partial, row, of; /* ROW, HUB: members and hubs behind them */
  TermKind kind;
} Term;

/* The first and the last member that a row reads, also through hubs. */
typedef struct {
  guint32 first, last;
} Span;

struct HyMatrix {
  guint n;
  HyBanded banded;
  HySparse *sparse; /* in its place, if that would be too wide */
  double *a;        /* of either */
  Inner *inner;
  guint n_inner;
  GArray *term;         /* Term: those of hubs first, none before those it is made of */
  double *partial;      /* as hy_classic_partials() has them */
  Span *span;           /* [hubs] */
  double **hub;         /* [hubs]: by the members of its span; all in HUB[0] */
  gsize n_hub;          /* so many numbers */
  double *slope;        /* [n + hubs]: u', what inputs make of f */
  HyImplicit factors;   /* I - alpha h A, of BANDED */
  double complex *room; /* likewise */
};

static void span_add(Span *s, guint32 first, guint32 last)
{
  s->first = MIN(s->first, first);
  s->last = MAX(s->last, last);
}

static gsize span_size(const Span *s)
{
  return s->first <= s->last ? (gsize)s->last - s->first + 1 : 0;
}

static Span span_of(const HyClassic *g, const Span *hub, guint32 row)
{
  const HyRunRow *r = &g->room->run[hy_classic_number_of_row(g, row)];
  Span s = {row < g->n ? row : G_MAXUINT32, row < g->n ? row : 0};
  for (guint k = 0; k < r->n_slots; k++) {
    guint32 i = hy_classic_place(g, r->slot[k]);
    guint h = i == HY_NO_PLACE ? hy_classic_hub(g, r->slot[k]) : g->rows.hub->len;
    if (i != HY_NO_PLACE) {
      span_add(&s, i, i);
    } else if (h < g->rows.hub->len && hub[h].first <= hub[h].last) {
      span_add(&s, hub[h].first, hub[h].last);
    }
  }
  return s;
}

/* Those of the hubs, newly allocated. */
static Span *matrix_spans(const HyClassic *g)
{
  Span *hub = g_new0(Span, (gsize)g->rows.hub->len + 1);
  for (guint k = 0; k < g->rows.hub->len; k++) {
    hub[k] = span_of(g, hub, g->n + k);
  }
  return hub;
}

/* How wide A is. */
static HyBanded matrix_band(const HyClassic *g)
{
  g_autofree Span *hub = matrix_spans(g);
  HyBanded band = {.n = (int)g->n};
  for (guint32 i = 0; i < g->n; i++) {
    Span s = span_of(g, hub, i);
    band.low = MAX(band.low, (int)(i - s.first));
    band.up = MAX(band.up, (int)(s.last - i));
  }
  return band;
}

static void matrix_put_term(const HyClassic *g, HyMatrix *b, guint32 k, const HyPartial *entry)
{
  guint slot = hy_classic_entry_slot(g, entry);
  guint32 i = hy_classic_place(g, slot), outer = hy_classic_outer(g, slot);
  Term t = {k, entry->row, 0, TERM_MEMBER};
  if (i != HY_NO_PLACE && entry->row < g->n) {
    gsize place = hy_banded_place(&b->banded, (int)entry->row, (int)i);
    b->inner[b->n_inner++] = (Inner){k, place};
    return;
  }
  if (i != HY_NO_PLACE) {
    t.of = i;
  } else if (outer != HY_NO_PLACE) {
    t.kind = TERM_INPUT;
    t.of = outer;
  } else {
    t.kind = TERM_HUB;
    t.of = hy_classic_hub(g, slot);
  }
  g_array_append_val(b->term, t);
}

/* Of a matrix that is no band. */
static void matrix_find_pattern(const HyClassic *g, HyMatrix *b, const HyPartial *entry)
{
  g_autofree HySparseEntry *e = g_new0(HySparseEntry, (gsize)b->n_inner + 1);
  g_autofree gsize *place = g_new0(gsize, (gsize)b->n_inner + 1);
  for (guint k = 0; k < b->n_inner; k++) {
    const HyPartial *p = &entry[b->inner[k].partial];
    e[k] = (HySparseEntry){p->row, hy_classic_place(g, hy_classic_entry_slot(g, p))};
  }
  b->sparse = hy_sparse_new(g->n, e, b->n_inner, place);
  for (guint k = 0; k < b->n_inner; k++) {
    b->inner[k].place = place[k];
  }
}

static void matrix_find_terms(const HyClassic *g, HyMatrix *b, gboolean large)
{
  guint n;
  g_autofree HyPartial *entry = hy_classic_entries(g, &n);
  b->partial = g_new0(double, (gsize)n + 1);
  b->inner = g_new0(Inner, (gsize)n + 1);
  b->term = g_array_new(FALSE, FALSE, sizeof(Term));
  for (int hubs = 1; hubs >= 0; hubs--) {
    for (guint32 k = 0; k < n; k++) {
      if ((entry[k].row >= g->n) == hubs) {
        matrix_put_term(g, b, k, &entry[k]);
      }
    }
  }
  if (large) {
    matrix_find_pattern(g, b, entry);
  }
}

/* Adds P times the derivatives of hub H to those of ROW. */
static void matrix_add_hub(const HyClassic *g, HyMatrix *b, guint32 row, guint32 h, double p)
{
  const Span *span = &b->span[h];
  for (guint32 j = span->first; j <= span->last && j < g->n; j++) {
    double by = b->hub[h][j - span->first];
    if (by != 0.0 && row < g->n) {
      b->a[hy_banded_place(&b->banded, (int)row, (int)j)] += p * by;
    } else if (by != 0.0) {
      b->hub[row - g->n][j - b->span[row - g->n].first] += p * by;
    }
  }
}

/* In the array of A. */
static gsize matrix_numbers(const HyMatrix *b)
{
  return b->sparse != NULL ? hy_sparse_size(b->sparse)
                           : (gsize)b->banded.n * ((gsize)b->banded.low + 1 + (gsize)b->banded.up);
}

void hy_matrix_put(HyClassic *g, HyMatrix *b, double t, const double *x)
{
  hy_classic_partials(g, t, x, b->partial);
  memset(b->a, 0, matrix_numbers(b) * sizeof *b->a);
  memset(b->hub[0], 0, b->n_hub * sizeof *b->hub[0]);
  for (const Inner *i = b->inner; i < b->inner + b->n_inner; i++) {
    b->a[i->place] += b->partial[i->partial];
  }
  for (guint k = 0; k < b->term->len; k++) {
    const Term *t = &g_array_index(b->term, Term, k);
    double p = b->partial[t->partial];
    if (t->kind == TERM_MEMBER) {
      b->hub[t->row - g->n][t->of - b->span[t->row - g->n].first] += p;
    } else if (t->kind == TERM_HUB) {
      matrix_add_hub(g, b, t->row, t->of, p);
    }
  }
}

void hy_matrix_tape(const HyMatrix *b, HyTape *tape)
{
  HY_TAPE_ARRAY(tape, b->a, matrix_numbers(b));
}

const double *hy_matrix_slopes(const HyClassic *g, HyMatrix *b, double t)
{
  memset(b->slope, 0, (g->n + g->rows.hub->len) * sizeof *b->slope);
  for (guint k = 0; k < b->term->len; k++) {
    const Term *m = &g_array_index(b->term, Term, k);
    double p = b->partial[m->partial];
    if (m->kind == TERM_INPUT) {
      b->slope[m->row] += p * hy_classic_input_slope(g, m->of, t);
    } else if (m->kind == TERM_HUB) {
      b->slope[m->row] += p * b->slope[g->n + m->of];
    }
  }
  return b->slope;
}

/* Derivatives of hubs, each by what is in its span. */
static void matrix_make_hubs(const HyClassic *g, HyMatrix *b)
{
  guint hubs = g->rows.hub->len;
  b->span = matrix_spans(g);
  for (guint k = 0; k < hubs; k++) {
    b->n_hub += span_size(&b->span[k]);
  }
  b->hub = g_new0(double *, (gsize)hubs + 1);
  double *next = b->hub[0] = g_new0(double, b->n_hub + 1);
  for (guint k = 0; k < hubs; k++) {
    b->hub[k] = next;
    next += span_size(&b->span[k]);
  }
}

static gboolean matrix_is_large(const HyBanded *b)
{
  double each = (double)b->low * (b->low + b->up);
  return each > MOST_EACH && each * b->n > MOST_WORK;
}

guint hy_matrix_width(const HyClassic *g)
{
  HyBanded band = matrix_band(g);
  return (guint)MAX(band.low, band.up);
}

/* Hubs would fill a sparse one. */
HyMatrix *hy_matrix_new(const HyClassic *g, gboolean sparse)
{
  HyBanded band = matrix_band(g);
  gboolean large = matrix_is_large(&band);
  if (large && (!sparse || g->rows.hub->len > 0)) {
    return NULL;
  }
  HyMatrix *b = g_new0(HyMatrix, 1);
  b->n = g->n;
  b->banded = band;
  matrix_make_hubs(g, b);
  b->slope = g_new0(double, (gsize)g->n + g->rows.hub->len);
  matrix_find_terms(g, b, large);
  if (large && b->sparse == NULL) {
    g_clear_pointer(&b, hy_matrix_free);
    return NULL;
  }
  b->room = large ? NULL : g_new0(double complex, hy_implicit_room(band.n, band.low, band.up));
  b->banded.a = b->a = g_new0(double, matrix_numbers(b));
  return b;
}

void hy_matrix_free(HyMatrix *b)
{
  if (b != NULL) {
    hy_sparse_free(b->sparse);
    g_free(b->a);
    g_free(b->hub[0]);
    g_free(b->hub);
    g_free(b->span);
    g_free(b->slope);
    g_free(b->room);
    g_free(b->inner);
    g_free(b->partial);
    g_array_unref(b->term);
    g_free(b);
  }
}

void hy_matrix_apply(const HyMatrix *b, const double *v, gboolean sizes, double *out)
{
  memset(out, 0, b->n * sizeof *out);
  if (b->sparse != NULL) {
    hy_sparse_apply(b->sparse, b->a, v, sizes, out);
    return;
  }
  for (int i = 0; i < b->banded.n; i++) {
    int last = MIN(b->banded.n - 1, i + b->banded.up);
    for (int j = MAX(0, i - b->banded.low); j <= last; j++) {
      double a = b->a[hy_banded_place(&b->banded, i, j)];
      out[i] += (sizes ? fabs(a) : a) * v[j];
    }
  }
}

gboolean hy_matrix_factor(HyMatrix *b, double h)
{
  return b->sparse != NULL ? hy_sparse_factor(b->sparse, b->a, h)
                           : hy_implicit_factor(&b->factors, &b->banded, h, b->room);
}

gboolean hy_matrix_solve(HyMatrix *b, const double *f, const double *slope, double complex *w)
{
  return b->sparse != NULL ? hy_sparse_solve(b->sparse, f, slope, w)
                           : hy_implicit_solve(&b->factors, f, slope, w);
}
