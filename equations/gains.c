/* What is heard, computed of what states say and once more of what they are. Of a group nobody
 * knows more than the tolerance within which it tells them. Values alone are computed, and
 * differences of them; modes stay as they are. */
#include "gains.h"

#include "hydevs/trace.h"
#include "made_of.h"
#include "members.h"
#include "numerics/poly.h"
#include "static_block.h"

#include <math.h>

/* Programs that a look at one output may take; one that needs more is not looked at. */
#define MOST_RUNS 4096U

/* An output, and what it is made of. */
typedef struct {
  HyGain gain;
  guint32 *block; /* [n_blocks]: static blocks, in the order of ties; the last one says it */
  guint32 *state; /* [n_states] */
  guint n_blocks, n_states;
} Heard;

struct HyGains {
  HyRoom *room;
  GArray *heard;  /* Heard */
  double *value;  /* [slots]: working memory, as are */
  guint32 *of;    /* [slots]: 1 + the output for which VALUE is one; */
  guint8 *choice; /* and modes of one block */
};

/* Who is heard ------------------------------------------------------------------------------- */

static gboolean is_heard(const HyRoom *room, guint slot, const guint8 *watched, guint n)
{
  const HyFlat *flat = room->diagram.flat;
  guint atomic = flat->owner[slot];
  gboolean heard = watched != NULL && atomic < n && watched[atomic] != HY_WATCH_NOTHING;
  for (guint k = flat->start[slot]; k < flat->start[slot + 1] && !heard; k++) {
    guint to = flat->targets[k].atomic;
    heard = room->kind[to] == NULL && hy_room_member(room, to) == NULL;
  }
  return heard;
}

static gint by_number(gconstpointer a, gconstpointer b)
{
  const guint32 *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* What the output of ATOMIC is made of, at once: what only decides modes is left out, since they
 * stay as they are, and nobody may have needed it. FALSE: of no states, or of too many things. */
static gboolean find_cone(const HyRoom *room, guint32 atomic, GArray *block, GArray *state)
{
  const HyFlatSources *sources = room->diagram.sources;
  guint slots = room->diagram.flat->first_out[room->diagram.flat->n];
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  g_array_append_val(block, atomic);
  for (guint i = 0; i < block->len && block->len <= MOST_RUNS; i++) {
    guint32 a = g_array_index(block, guint32, i);
    for (guint k = sources->first[a]; k < sources->first[a + 1]; k++) {
      guint slot = sources->slot[k];
      gboolean follows = room->kind[a]->feeds[k - sources->first[a]] != 0;
      guint32 from = slot < slots && follows ? room->diagram.flat->owner[slot] : a;
      if (from == a || !g_hash_table_add(seen, GUINT_TO_POINTER(from + 1))) {
        continue;
      }
      if (room->kind[from] != NULL) {
        g_array_append_val(block, from);
      } else if (hy_room_member(room, from) != NULL) {
        g_array_append_val(state, from);
      }
    }
  }
  g_array_sort(block, by_number);
  g_array_sort(state, by_number);
  return state->len > 0 && (2 * state->len + 1) * block->len <= MOST_RUNS;
}

static void add_heard(HyGains *g, guint atomic, guint port)
{
  GArray *block = g_array_new(FALSE, FALSE, sizeof(guint32));
  GArray *state = g_array_new(FALSE, FALSE, sizeof(guint32));
  if (find_cone(g->room, atomic, block, state)) {
    Heard h = {.gain = {.atomic = atomic, .port = port, .at = NAN},
               .n_blocks = block->len,
               .n_states = state->len};
    h.block = (guint32 *)(gpointer)g_array_free(block, FALSE);
    h.state = (guint32 *)(gpointer)g_array_free(state, FALSE);
    g_array_append_val(g->heard, h);
  } else {
    g_array_unref(block);
    g_array_unref(state);
  }
}

HyGains *hy_gains_new(HyRoom *room, const guint8 *watched, guint n)
{
  const HyFlat *flat = room->diagram.flat;
  guint slots = flat->first_out[flat->n], most = 0;
  HyGains *g = g_new0(HyGains, 1);
  g->room = room;
  g->heard = g_array_new(FALSE, FALSE, sizeof(Heard));
  for (guint a = 0; a < flat->n; a++) {
    most = room->kind[a] != NULL ? MAX(most, room->kind[a]->n_modes) : most;
    for (guint s = flat->first_out[a]; room->kind[a] != NULL && s < flat->first_out[a + 1]; s++) {
      if (is_heard(room, s, watched, n)) {
        add_heard(g, a, s - flat->first_out[a]);
      }
    }
  }
  if (g->heard->len > 0) {
    g->value = g_new0(double, (gsize)slots + 1);
    g->of = g_new0(guint32, (gsize)slots + 1);
    g->choice = g_new0(guint8, (gsize)most + 1);
  }
  return g;
}

void hy_gains_free(HyGains *g)
{
  if (g == NULL) {
    return;
  }
  for (guint k = 0; k < g->heard->len; k++) {
    g_free(g_array_index(g->heard, Heard, k).block);
    g_free(g_array_index(g->heard, Heard, k).state);
  }
  g_array_unref(g->heard);
  g_free(g->value);
  g_free(g->of);
  g_free(g->choice);
  g_free(g);
}

/* Values ------------------------------------------------------------------------------------- */

static double at(const HyPiece *p, int order, double t)
{
  return hy_poly_at(p->c, order, t - p->t);
}

/* The value of input K of OWN at T; what has been computed for output NUMBER is taken from there.
 */
static double input_of(const HyGains *g, const HyStaticState *own, guint k, guint number, double t)
{
  const HyDiagram *d = &g->room->diagram;
  guint atomic = own->form.atomic, slot = d->sources->slot[d->sources->first[atomic] + k];
  if (slot < d->flat->first_out[d->flat->n] && g->of[slot] == number) {
    return g->value[slot];
  }
  const HyPiece *const *in_place = g->room->in_place != NULL ? g->room->in_place[atomic] : NULL;
  return at(in_place != NULL ? in_place[k] : &own->in[k], (int)own->form.order, t);
}

static const guint8 *modes_of(const HyGains *g, const HyStaticState *own)
{
  if (own->led) {
    return hy_room_modes(g->room, own->form.atomic);
  }
  for (guint m = 0; m < own->form.program->n_modes; m++) {
    g->choice[m] = hy_modes_is_up(own->modes, m);
  }
  return g->choice;
}

/* It is a reading of a group that integrates: right as far as its states are stiff. */
static gboolean is_balanced(const HyGains *g, const HyStaticState *own)
{
  return own->reads == HY_READS && g->room->made != NULL && g->room->made->balanced[own->group];
}

/* What OWN says; a reading of an exact group says what that computes. */
static void run_block(const HyGains *g, const HyStaticState *own, guint number, double t)
{
  const HyProgram *p = own->form.program;
  const HyKindLimits *limits = own->form.kind->limits;
  guint slot = g->room->diagram.flat->first_out[own->form.atomic];
  HyReg *reg = hy_kind_ahead(own->form.kind);
  gboolean runs = own->reads != HY_READS || is_balanced(g, own);
  for (guint k = 0; k < p->n_load && runs; k++) {
    reg[p->load[k]][0] = input_of(g, own, p->load[k], number, t);
  }
  if (runs) {
    hy_program_run_value(p, 0, p->n_ins, reg, modes_of(g, own));
  }
  for (guint k = 0; k < p->n_out; k++) {
    double y = runs ? reg[p->out[k]][0] : at(&own->said[k], (int)own->form.order, t);
    y = limits != NULL && y < limits[k].lower ? limits[k].lower : y;
    g->value[slot + k] = limits != NULL && y > limits[k].upper ? limits[k].upper : y;
    g->of[slot + k] = number;
  }
}

static double run_cone(const HyGains *g, const Heard *h, guint number, double t)
{
  for (guint k = 0; k < h->n_blocks; k++) {
    run_block(g, g->room->block[h->block[k]], number, t);
  }
  return g->value[g->room->diagram.flat->first_out[h->gain.atomic] + h->gain.port];
}

/* Looking ------------------------------------------------------------------------------------ */

static double *value_of(const HyGains *g, guint state)
{
  return &g->value[g->room->diagram.flat->first_out[state]];
}

/* Of a group only that is known within which M is told. */
static double told_within(const HyMember *m, double x)
{
  double most = m->v->half_turn > 0.0 ? m->v->half_turn : INFINITY;
  return m->set->reltol * fmin(fabs(x), most) + m->set->abstol;
}

/* How far what state K of H says is from what it is, at T, as far as that is left in H. */
static double told_off(const HyGains *g, const Heard *h, guint k, double t)
{
  const HyMember *m = hy_room_member(g->room, h->state[k]);
  double q = hy_qstate_q(m->v, t);
  if (!hy_family_is_classic(m->family)) {
    return fabs(q - hy_qstate_x(m->v, t));
  }
  gboolean holds = is_balanced(g, g->room->block[h->gain.atomic]);
  guint32 state = g->room->members.state_at[h->state[k]] - 1;
  return told_within(m, q) * (holds ? g->room->ops->held(g->room, state) : 1.0);
}

/* States are what they say, or what they are; of a group what they say. */
static void set_states(const HyGains *g, const Heard *h, guint number, gboolean said, double t)
{
  for (guint k = 0; k < h->n_states; k++) {
    const HyMember *m = hy_room_member(g->room, h->state[k]);
    gboolean q = said || hy_family_is_classic(m->family);
    *value_of(g, h->state[k]) = q ? hy_qstate_q(m->v, t) : hy_qstate_x(m->v, t);
    g->of[g->room->diagram.flat->first_out[h->state[k]]] = number;
  }
}

/* Y is made of what states are. How far it is off when one of them is by TOLD, to either side. */
static double part_of(const HyGains *g, const Heard *h, guint number, guint state, double told,
                      double y, double t)
{
  double *x = value_of(g, state), was = *x;
  *x = was + told;
  double above = fabs(run_cone(g, h, number, t) - y);
  *x = was - told;
  double below = fabs(run_cone(g, h, number, t) - y);
  *x = was;
  return above > below ? above : below;
}

/* All that it is made of has spoken, and it is the block itself that computes it. What a group
 * decides of a block need not have come to it. */
static gboolean is_ready(const HyGains *g, const Heard *h)
{
  gboolean ready = TRUE;
  for (guint k = 0; k < h->n_blocks && ready; k++) {
    const HyStaticState *own = g->room->block[h->block[k]];
    ready = own->missing == 0 && (own->undecided == 0 || own->led);
  }
  const HyStaticState *own = g->room->block[h->gain.atomic];
  return ready && (own->reads != HY_READS || is_balanced(g, own));
}

/* The state that has the largest part of what NOW is off, and what tolerances of groups add. States
 * are what they are. */
static void divide(const HyGains *g, const Heard *h, guint number, double y, HyGain *now)
{
  for (guint k = 0; k < h->n_states; k++) {
    const HyMember *m = hy_room_member(g->room, h->state[k]);
    double told = told_off(g, h, k, now->at),
           part = part_of(g, h, number, h->state[k], told, y, now->at);
    now->off += hy_family_is_classic(m->family) ? part : 0.0;
    if (part > now->part) {
      now->part = part;
      now->told = told;
      now->state = h->state[k];
    }
  }
}

static gboolean has_groups(const HyGains *g, const Heard *h)
{
  gboolean has = FALSE;
  for (guint k = 0; k < h->n_states; k++) {
    has |= hy_family_is_classic(hy_room_member(g->room, h->state[k])->family);
  }
  return has;
}

/* As all is at T. How many blocks were run. */
static guint look_at(const HyGains *g, Heard *h, guint number, double t)
{
  HyGain now = {.atomic = h->gain.atomic, .port = h->gain.port, .at = t};
  guint runs = 2;
  set_states(g, h, number, TRUE, t);
  double said = run_cone(g, h, number, t);
  set_states(g, h, number, FALSE, t);
  double y = run_cone(g, h, number, t);
  now.off = fabs(said - y);
  if (now.off > h->gain.off || has_groups(g, h)) {
    divide(g, h, number, y, &now);
    runs += 2 * h->n_states;
  }
  if (isfinite(y) && isfinite(now.off)) {
    now.size = fmax(h->gain.size, fabs(y));
    if (now.off > h->gain.off) {
      h->gain = now;
    }
    h->gain.size = now.size;
  }
  return runs * h->n_blocks;
}

guint hy_gains_look(HyGains *g, double t, double next)
{
  guint runs = 0;
  for (guint k = 0; k < g->heard->len; k++) {
    Heard *h = &g_array_index(g->heard, Heard, k);
    runs++;
    if (is_ready(g, h)) {
      runs += look_at(g, h, k + 1, t);
      runs += next < INFINITY ? look_at(g, h, k + 1, next) : 0;
    }
  }
  return runs;
}

guint hy_gains_n(const HyGains *g)
{
  return g->heard->len;
}

const HyGain *hy_gains_get(const HyGains *g, guint k)
{
  return &g_array_index(g->heard, Heard, k).gain;
}
