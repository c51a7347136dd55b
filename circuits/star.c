/* Currents and potentials of resistances between supernodes: star and mesh.
 *
 * A supernode K of a cluster has known currents J into it and spokes to others. Eliminated, it
 * leaves conductances between these (A. Rosen: A new network theorem, of stars and meshes):
 *
 *   S = sum G_b, w_b = G_b/S        g_bc = w_b G_c between b and c,  J_b += w_b J
 *   i_b = sum_c i_bc - w_b J        back again: the currents of the mesh make those of the spokes
 *
 * Currents go back, never conductances times differences of potentials: all that is made of
 * conductances are sums, products and quotients of positive numbers, and differences are taken of
 * labels only, which are exact. With 1e-9 and 1e9 Ohm side by side potentials are wrong in the
 * seventh digit, currents in the fifteenth. */
#include "internal.h"

/* Parts ---------------------------------------------------------------------------------------- */

static Part *star_part(const HyCircuit *c, guint32 k)
{
  return &g_array_index(c->parts, Part, k);
}

static Super *star_super(const HyCircuit *c, guint32 node)
{
  return &c->supers[c->super[node]];
}

/* Formula F of the current of a part from x to y, as a name: of a branch that of its element. */
static const Label *star_current(HyCircuit *c, const Part *p, const HyFormula *f)
{
  const HyBranch *b = p->branch != NONE ? &circuit_branch(c, p->branch)->is : NULL;
  if (b != NULL && b->reading != NULL) {
    return name_define(c, b->reading, NULL, f);
  }
  g_autofree char *where = b != NULL ? g_strdup(b->name) : name_of_pair(c, p->x, p->y);
  return name_define(c, "i", where, f);
}

/* Both ends are of one supernode, so its voltage is known. */
static const Label *star_known(HyCircuit *c, const Part *p)
{
  const Label *v = label_plus(c, label_plus(c, c->off[p->x], -1, c->off[p->y]), 1, p->e);
  return v->n == 0 ? c->nothing : star_current(c, p, formula_conducted(c, p->g, p->r, v));
}

/* Between supernodes, it stands at both of them. */
static guint32 star_part_add(HyCircuit *c, Part p)
{
  guint32 k = c->parts->len;
  Super *x = star_super(c, p.x), *y = star_super(c, p.y);
  if (x == y) {
    p.gone = TRUE;
    p.current = star_known(c, &p);
  } else {
    g_array_append_val(x->parts, k);
    g_array_append_val(y->parts, k);
  }
  g_array_append_val(c->parts, p);
  return k;
}

static void star_resistor(HyCircuit *c, guint32 k)
{
  const HyBranch *b = &circuit_branch(c, k)->is;
  Part p = {.x = b->a, .y = b->b, .branch = k, .e = c->nothing};
  p.r =
      b->signal != NULL ? hy_formula_ref(c->pool, b->signal) : hy_formula_number(c->pool, b->value);
  if (b->conductance != NULL) {
    p.g = hy_formula_ref(c->pool, b->conductance);
  } else {
    const HyFormula *one = hy_formula_number(c->pool, 1.0);
    p.g = factor_define(c, "g", b->name, formula_join(c, one, '/', p.r));
  }
  if (b->drop != 0.0 || b->drop_signal != NULL) {
    const Label *e = name_define(c, "e", b->name, branch_drop(c, b));
    p.e = label_plus(c, c->nothing, -1, e);
  }
  star_part_add(c, p);
}

/* Coils and current sources: I from A into B. */
static void star_inject(HyCircuit *c, guint32 a, guint32 b, const Label *i)
{
  Super *x = star_super(c, a), *y = star_super(c, b);
  if (x != y) {
    tally_add(x->known, -1, i);
    tally_add(y->known, 1, i);
  }
}

/* Order ---------------------------------------------------------------------------------------- */

static guint32 star_other(const HyCircuit *c, const Part *p, guint32 super)
{
  return c->super[p->x] == super ? c->super[p->y] : c->super[p->x];
}

/* How many supernodes have a part in common with this one; parts that are gone are dropped. */
static guint32 star_degree(HyCircuit *c, guint32 super)
{
  Super *s = &c->supers[super];
  guint32 n = 0, kept = 0;
  c->round++;
  for (guint k = 0; k < s->parts->len; k++) {
    guint32 part = g_array_index(s->parts, guint32, k);
    const Part *p = star_part(c, part);
    if (p->gone) {
      continue;
    }
    g_array_index(s->parts, guint32, kept++) = part;
    guint32 other = star_other(c, p, super);
    n += c->seen[other] != c->round;
    c->seen[other] = c->round;
  }
  g_array_set_size(s->parts, kept);
  return n;
}

/* Waiting supernodes by degree, then by number, as a heap; one whose degree has changed stands in
 * it again, and its old entry is stale. */
typedef struct {
  guint32 degree, super;
} Waiting;

static gboolean waiting_before(const Waiting *a, const Waiting *b)
{
  return a->degree != b->degree ? a->degree < b->degree : a->super < b->super;
}

static void waiting_push(GArray *heap, Waiting w)
{
  g_array_append_val(heap, w);
  Waiting *h = (Waiting *)(gpointer)heap->data;
  guint k = heap->len - 1;
  for (; k > 0 && waiting_before(&w, &h[(k - 1) / 2]); k = (k - 1) / 2) {
    h[k] = h[(k - 1) / 2];
  }
  h[k] = w;
}

static Waiting waiting_pop(GArray *heap)
{
  Waiting *h = (Waiting *)(gpointer)heap->data, first = h[0], last = h[heap->len - 1];
  g_array_set_size(heap, heap->len - 1);
  guint n = heap->len, k = 0;
  while (n > 0 && 2 * k + 1 < n) {
    guint child = 2 * k + 1;
    child += child + 1 < n && waiting_before(&h[child + 1], &h[child]);
    if (!waiting_before(&h[child], &last)) {
      break;
    }
    h[k] = h[child];
    k = child;
  }
  if (n > 0) {
    h[k] = last;
  }
  return first;
}

/* Elimination ---------------------------------------------------------------------------------- */

/* What is between member `inner` of SUPER and `outer`. */
static Spoke *star_spoke(GArray *spokes, guint32 inner, guint32 outer)
{
  for (guint k = spokes->len; k-- > 0;) {
    Spoke *s = &g_array_index(spokes, Spoke, k);
    if (s->inner == inner && s->outer == outer) {
      return s;
    }
  }
  Spoke s = {.inner = inner, .outer = outer, .parts = g_array_new(FALSE, FALSE, sizeof(guint32))};
  g_array_append_val(spokes, s);
  return &g_array_index(spokes, Spoke, spokes->len - 1);
}

/* Of a part, seen from the outer node: +1 as it is, -1 turned round. */
static gint32 spoke_sign(const Spoke *s, const Part *p)
{
  return p->x == s->outer ? 1 : -1;
}

static const Label *spoke_e(HyCircuit *c, const Spoke *s, guint k)
{
  const Part *p = star_part(c, g_array_index(s->parts, guint32, k));
  return spoke_sign(s, p) > 0 ? p->e : label_plus(c, c->nothing, -1, p->e);
}

/* The share of part K in a spoke of several. */
static const HyFormula *spoke_share(HyCircuit *c, const Spoke *s, guint k)
{
  const Part *p = star_part(c, g_array_index(s->parts, guint32, k));
  return formula_join(c, p->g, '/', s->g);
}

/* E of several parts: that of the first, and what the others differ from it. */
static const Label *spoke_mean(HyCircuit *c, const Spoke *s, const char *where)
{
  const Label *first = spoke_e(c, s, 0);
  Sum sum = sum_begin(c);
  for (guint k = 1; k < s->parts->len; k++) {
    const Label *e = label_plus(c, spoke_e(c, s, k), -1, first);
    if (e->n > 0) {
      sum_scaled(&sum, 1, spoke_share(c, s, k), e);
    }
  }
  const HyFormula *f = sum_end(&sum);
  return formula_is(f, 0.0) ? first : label_plus(c, first, 1, name_define(c, "e", where, f));
}

/* Its parts as one. */
static void spoke_combine(HyCircuit *c, Spoke *s)
{
  const Part *first = star_part(c, g_array_index(s->parts, guint32, 0));
  const Label *e = spoke_e(c, s, 0);
  s->g = first->g;
  s->r = first->r;
  if (s->parts->len > 1) {
    g_autofree char *where = name_of_pair(c, s->inner, s->outer);
    Sum sum = sum_begin(c);
    for (guint k = 0; k < s->parts->len; k++) {
      sum_add(&sum, 1, star_part(c, g_array_index(s->parts, guint32, k))->g);
    }
    s->g = factor_define(c, "G", where, sum_end(&sum));
    s->r = NULL;
    e = spoke_mean(c, s, where);
  }
  s->eps = label_plus(c, e, -1, c->off[s->inner]);
}

static GArray *star_spokes(HyCircuit *c, guint32 super)
{
  GArray *spokes = g_array_new(FALSE, TRUE, sizeof(Spoke));
  const Super *s = &c->supers[super];
  g_assert(s->parts != NULL);
  for (guint k = 0; k < s->parts->len; k++) {
    guint32 number = g_array_index(s->parts, guint32, k);
    Part *p = star_part(c, number);
    if (p->gone) {
      continue;
    }
    gboolean turned = c->super[p->x] == super;
    Spoke *spoke = star_spoke(spokes, turned ? p->x : p->y, turned ? p->y : p->x);
    g_array_append_val(spoke->parts, number);
    p->gone = TRUE;
  }
  for (guint k = 0; k < spokes->len; k++) {
    spoke_combine(c, &g_array_index(spokes, Spoke, k));
  }
  return spokes;
}

/* All known currents into SUPER, as one name. */
static const Label *star_into(HyCircuit *c, guint32 super)
{
  Super *s = &c->supers[super];
  const char *where = circuit_node_name(c, super);
  const Label *known = tally_end(c, s->known);
  if (s->shares == NULL) {
    return name_single(c, "J", where, known);
  }
  Sum sum = sum_begin(c);
  sum_label(&sum, 1, known);
  for (guint k = 0; k < s->shares->len; k++) {
    const Share *share = &g_array_index(s->shares, Share, k);
    sum_scaled(&sum, 1, share->w, share->j);
  }
  return name_define(c, "J", where, sum_end(&sum));
}

/* The share W (NULL: all) of the currents into a supernode that is gone goes to that of NODE. */
static void star_pass(HyCircuit *c, guint32 node, const HyFormula *w, const Label *j)
{
  Super *s = star_super(c, node);
  if (w == NULL) {
    tally_add(s->known, 1, j);
  } else if (j->n > 0) {
    s->shares = s->shares != NULL ? s->shares : g_array_new(FALSE, FALSE, sizeof(Share));
    Share share = {w, j};
    g_array_append_val(s->shares, share);
  }
}

/* Conductances between all pairs of spokes. */
static void star_mesh(HyCircuit *c, Star *star)
{
  for (guint b = 0; b < star->spokes->len; b++) {
    for (guint k = b + 1; k < star->spokes->len; k++) {
      const Spoke *x = &g_array_index(star->spokes, Spoke, b);
      const Spoke *y = &g_array_index(star->spokes, Spoke, k);
      g_autofree char *where = name_of_pair(c, x->outer, y->outer);
      Part p = {.x = x->outer, .y = y->outer, .branch = NONE};
      p.g = factor_define(c, "g", where, formula_join(c, x->w, '*', y->g));
      p.e = label_plus(c, x->eps, -1, y->eps);
      guint32 part = star_part_add(c, p);
      g_array_append_val(star->mesh, part);
    }
  }
}

static void star_weights(HyCircuit *c, Star *star)
{
  Sum sum = sum_begin(c);
  for (guint k = 0; k < star->spokes->len; k++) {
    sum_add(&sum, 1, g_array_index(star->spokes, Spoke, k).g);
  }
  star->sum = factor_define(c, "S", circuit_node_name(c, star->super), sum_end(&sum));
  for (guint k = 0; k < star->spokes->len; k++) {
    Spoke *s = &g_array_index(star->spokes, Spoke, k);
    g_autofree char *where = name_of_pair(c, s->inner, s->outer);
    s->w = factor_define(c, "w", where, formula_join(c, s->g, '/', star->sum));
  }
}

static void star_eliminate(HyCircuit *c, guint32 super, GArray *heap)
{
  Star star = {.super = super, .mesh = g_array_new(FALSE, FALSE, sizeof(guint32))};
  star.spokes = star_spokes(c, super);
  star.into = star_into(c, super);
  c->supers[super].gone = TRUE;
  if (star.spokes->len > 1) {
    star_weights(c, &star);
    star_mesh(c, &star);
  }
  for (guint k = 0; k < star.spokes->len; k++) {
    const Spoke *s = &g_array_index(star.spokes, Spoke, k);
    star_pass(c, s->outer, s->w, star.into);
  }
  g_array_append_val(c->stars, star);
  for (guint k = 0; k < star.spokes->len; k++) {
    guint32 other = c->super[g_array_index(star.spokes, Spoke, k).outer];
    if (c->supers[other].degree == NONE) { /* it never has its turn, and may have most of them */
      continue;
    }
    guint32 degree = star_degree(c, other);
    if (degree != c->supers[other].degree) {
      c->supers[other].degree = degree;
      waiting_push(heap, (Waiting){degree, other});
    }
  }
}

/* Back ----------------------------------------------------------------------------------------- */

/* What the mesh between spokes B and K of N has its part at. */
static guint star_pair(guint n, guint b, guint k)
{
  guint low = MIN(b, k), high = MAX(b, k);
  return low * n - low * (low + 1) / 2 + high - low - 1;
}

/* Current of spoke B from its outer node inwards, times SIGN: what is exact, and the rest. */
static const Label *spoke_exact(HyCircuit *c, const Star *star, guint b, gint32 sign)
{
  guint n = star->spokes->len;
  if (n == 1) {
    return label_plus(c, c->nothing, -sign, star->into);
  }
  g_autoptr(GArray) tally = g_array_new(FALSE, FALSE, sizeof(Term));
  for (guint k = 0; k < n; k++) {
    if (k != b) {
      guint32 part = g_array_index(star->mesh, guint32, star_pair(n, b, k));
      tally_add(tally, b < k ? sign : -sign, star_part(c, part)->current);
    }
  }
  return tally_end(c, tally);
}

/* The same as a label that is a name: P the part whose current it is, NULL of several parts. */
static const Label *spoke_current(HyCircuit *c, const Star *star, guint b, gint32 sign,
                                  const Part *p)
{
  const Spoke *s = &g_array_index(star->spokes, Spoke, b);
  const Label *exact = spoke_exact(c, star, b, sign);
  gboolean rest = s->w != NULL && star->into->n > 0;
  if (!rest && (exact->n == 0 || (exact->n == 1 && ABS(exact->term[0].n) == 1))) {
    return exact;
  }
  Sum sum = sum_begin(c);
  sum_label(&sum, 1, exact);
  if (rest) {
    sum_scaled(&sum, -sign, s->w, star->into);
  }
  const HyFormula *f = sum_end(&sum);
  if (p != NULL) {
    return star_current(c, p, f);
  }
  g_autofree char *where = name_of_pair(c, s->outer, s->inner);
  return name_define(c, "ib", where, f);
}

/* The current of part K of a spoke of several, from x to y. */
static const Label *spoke_divided(HyCircuit *c, const Spoke *s, guint k)
{
  const Part *p = star_part(c, g_array_index(s->parts, guint32, k));
  gint32 sign = spoke_sign(s, p);
  Sum sum = sum_begin(c);
  if (s->current->n > 0) {
    sum_scaled(&sum, sign, spoke_share(c, s, k), s->current);
  }
  for (guint q = 0; q < s->parts->len; q++) {
    const Label *e = label_plus(c, spoke_e(c, s, k), -1, spoke_e(c, s, q));
    if (e->n > 0) {
      sum_scaled(&sum, sign, formula_join(c, p->g, '*', spoke_share(c, s, q)), e);
    }
  }
  const HyFormula *f = sum_end(&sum);
  return formula_is(f, 0.0) ? c->nothing : star_current(c, p, f);
}

static void star_back(HyCircuit *c, const Star *star)
{
  for (guint b = 0; b < star->spokes->len; b++) {
    Spoke *s = &g_array_index(star->spokes, Spoke, b);
    if (s->parts->len == 1) {
      Part *p = star_part(c, g_array_index(s->parts, guint32, 0));
      gint32 sign = spoke_sign(s, p);
      p->current = spoke_current(c, star, b, sign, p);
      s->current = label_plus(c, c->nothing, sign, p->current);
      continue;
    }
    s->current = spoke_current(c, star, b, 1, NULL);
    for (guint k = 0; k < s->parts->len; k++) {
      star_part(c, g_array_index(s->parts, guint32, k))->current = spoke_divided(c, s, k);
    }
  }
}

/* Potentials ----------------------------------------------------------------------------------- */

/* v(outer) + eps of a spoke. */
static const Label *spoke_potential(HyCircuit *c, const Spoke *s)
{
  const Label *v = label_plus(c, star_super(c, s->outer)->v, 1, c->off[s->outer]);
  return label_plus(c, v, 1, s->eps);
}

/* 1/g, of conductances alone, by a name: a potential that nobody reads must not look as if it could
 * fail, or it would be computed for that. */
static const HyFormula *star_inverse(HyCircuit *c, guint32 super, const HyFormula *g)
{
  const HyFormula *f = formula_join(c, hy_formula_number(c->pool, 1.0), '/', g);
  return factor_define(c, "z", circuit_node_name(c, super), f);
}

/* Of one spoke: v + eps - i/g. Of more: sum w (v + eps) + J/S. */
static void star_potential(HyCircuit *c, const Star *star)
{
  Super *super = &c->supers[star->super];
  Sum sum = sum_begin(c);
  const Spoke *first = &g_array_index(star->spokes, Spoke, 0);
  if (star->sum == NULL) {
    super->v = spoke_potential(c, first);
    if (first->current->n == 0) {
      sum_end(&sum);
      return;
    }
    sum_label(&sum, 1, super->v);
    gboolean negative = first->current->term[0].n < 0;
    const HyFormula *i =
        formula_of(c, negative ? label_plus(c, c->nothing, -1, first->current) : first->current);
    sum_add(&sum, negative ? 1 : -1,
            formula_join(c, first->r != NULL ? first->r : star_inverse(c, star->super, first->g),
                         '*', i));
  } else {
    for (guint k = 0; k < star->spokes->len; k++) {
      const Spoke *s = &g_array_index(star->spokes, Spoke, k);
      const Label *v = spoke_potential(c, s);
      if (v->n > 0) {
        sum_scaled(&sum, 1, s->w, v);
      }
    }
    if (star->into->n > 0) {
      sum_add(
          &sum, 1,
          formula_join(c, star_inverse(c, star->super, star->sum), '*', formula_of(c, star->into)));
    }
  }
  const HyFormula *f = sum_end(&sum);
  super->v =
      formula_is(f, 0.0) ? c->nothing : name_define(c, "v", circuit_node_name(c, star->super), f);
}

/* ---------------------------------------------------------------------------------------------- */

static void star_begin(HyCircuit *c)
{
  guint n = c->nodes->len;
  c->supers = g_new0(Super, n);
  c->seen = g_new0(guint32, n);
  c->parts = g_array_new(FALSE, FALSE, sizeof(Part));
  c->stars = g_array_new(FALSE, FALSE, sizeof(Star));
  for (guint32 k = 0; k < n; k++) {
    c->supers[k].known = g_array_new(FALSE, FALSE, sizeof(Term));
    c->supers[k].parts = g_array_new(FALSE, FALSE, sizeof(guint32));
    c->supers[k].v = c->nothing;
  }
  for (guint32 k = 0; k < c->branches->len; k++) {
    const Branch *b = circuit_branch(c, k);
    if (b->is.kind == HY_BRANCH_RESISTOR) {
      star_resistor(c, k);
    } else if (b->is.kind >= HY_BRANCH_COIL) {
      star_inject(c, b->is.a, b->is.b, b->current);
    }
  }
}

/* Which supernode of each cluster stays: that of 0, or the one with most neighbours. */
static guint32 *star_roots(HyCircuit *c)
{
  guint n = c->nodes->len;
  guint32 *root = g_new(guint32, n);
  memset(root, 0xff, n * sizeof *root);
  for (guint32 k = 0; k < n; k++) {
    if (c->super[k] != k) {
      continue;
    }
    c->supers[k].degree = star_degree(c, k);
    guint32 *at = &root[c->cluster[k]];
    if (*at == NONE || (*at != 0 && c->supers[k].degree > c->supers[*at].degree)) {
      *at = k;
    }
  }
  return root;
}

void star_solve(HyCircuit *c)
{
  star_begin(c);
  g_autofree guint32 *root = star_roots(c);
  g_autoptr(GArray) heap = g_array_new(FALSE, FALSE, sizeof(Waiting));
  for (guint32 k = 0; k < c->nodes->len; k++) {
    if (c->super[k] == k && root[c->cluster[k]] == k) {
      c->supers[k].degree = NONE; /* it never has its turn */
    } else if (c->super[k] == k) {
      waiting_push(heap, (Waiting){c->supers[k].degree, k});
    }
  }
  while (heap->len > 0 && !c->large) {
    Waiting w = waiting_pop(heap);
    if (!c->supers[w.super].gone && c->supers[w.super].degree == w.degree) {
      star_eliminate(c, w.super, heap);
      c->large |= c->parts->len > MOST_PARTS;
    }
  }
  if (c->large) {
    return;
  }
  for (guint k = c->stars->len; k-- > 0;) {
    star_back(c, &g_array_index(c->stars, Star, k));
  }
  for (guint k = c->stars->len; k-- > 0;) {
    star_potential(c, &g_array_index(c->stars, Star, k));
  }
  for (guint32 k = 0; k < c->parts->len; k++) {
    const Part *p = star_part(c, k);
    if (p->branch != NONE) {
      circuit_branch(c, p->branch)->current = p->current;
    }
  }
}
