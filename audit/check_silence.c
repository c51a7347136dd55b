/* N: what remembers has said something by the end: words said, 0 for 1. Blocks of which each waits
 * for a signal of the next, in a ring, never do; the ring is found along the inputs of those that
 * are silent. One that is silent by itself has had no reason yet, and is not judged. */
#include "look.h"

#include "coupled/model_internal.h"

typedef struct {
  HyAudit *a;
  HyBall *value; /* [slots] at the end */
  guint8 *seen;  /* [blocks]: ON_WAY, DONE */
  GArray *way;   /* Step */
  double t;
} Walk;

typedef struct {
  guint block, input; /* the next that is looked at */
} Step;

enum { ON_WAY = 1, DONE };

static gboolean is_signal(const HyPort *ports, guint n, guint k)
{
  guint index;
  return hy_port_at(ports, n, k, &index)->kind == HY_SIGNAL;
}

/* Nothing has been said there, nor could anybody compute it. */
static gboolean is_silent(const Walk *w, guint slot)
{
  const HyAuditPlan *p = w->a->plan;
  HyAuditRole role = p->block[p->owner[slot]].role;
  return role != HY_AUDIT_STATE && isnan(w->value[slot].v) && !w->a->word[slot].known;
}

static gboolean says_nothing(const Walk *w, guint block)
{
  const HyAuditBlock *b = &w->a->plan->block[block];
  for (guint k = 0; k < b->n_out; k++) {
    if (is_signal(b->klass->out, b->n_out, k) && is_silent(w, b->first_out + k)) {
      return TRUE;
    }
  }
  return FALSE;
}

/* From the place of BLOCK on the way to its end. Static blocks alone decide modes, which begin
 * without. */
static void take_ring(Walk *w, guint block)
{
  guint k = w->way->len;
  gboolean remembers = FALSE;
  do {
    guint at = g_array_index(w->way, Step, --k).block;
    remembers = remembers || w->a->plan->block[at].klass->describe == NULL;
  } while (g_array_index(w->way, Step, k).block != block);
  if (remembers) {
    hy_audit_judged(w->a, TRUE);
    hy_audit_breach(w->a, block, w->a->t0, w->t, 0, 1, 0.5, NULL);
  }
}

/* Along one more wire. FALSE: that was the last. */
static gboolean step(Walk *w)
{
  const HyAuditPlan *p = w->a->plan;
  Step *at = &g_array_index(w->way, Step, w->way->len - 1);
  const HyAuditBlock *b = &p->block[at->block];
  while (at->input < b->n_in) {
    guint k = at->input++, slot = p->input[b->first_in + k].slot;
    if (!is_signal(b->klass->in, b->n_in, k) || slot >= p->n_out || !is_silent(w, slot)) {
      continue;
    }
    Step next = {p->owner[slot], 0};
    if (w->seen[next.block] == ON_WAY) {
      take_ring(w, next.block);
    } else if (w->seen[next.block] == 0) {
      w->seen[next.block] = ON_WAY;
      g_array_append_val(w->way, next);
      return TRUE;
    }
  }
  w->seen[at->block] = DONE;
  g_array_set_size(w->way, w->way->len - 1);
  return w->way->len > 0;
}

static void end(HyAudit *a, gpointer own, double t)
{
  const HyAuditPlan *p = a->plan;
  g_autofree HyBall *value = g_new0(HyBall, (gsize)p->n_out + 1);
  g_autofree guint8 *seen = g_new0(guint8, (gsize)p->n + 1);
  g_autoptr(GArray) way = g_array_new(FALSE, FALSE, sizeof(Step));
  Walk w = {a, value, seen, way, t};
  (void)own;
  hy_audit_view(a, HY_AUDIT_EXACT, t, value);
  for (guint k = 0; k < p->n; k++) {
    if (p->block[k].role != HY_AUDIT_WORD && p->block[k].role != HY_AUDIT_MODE) {
      continue;
    }
    gboolean silent = says_nothing(&w, k);
    hy_audit_judged(a, !silent);
    if (silent && seen[k] == 0) {
      Step first = {k, 0};
      seen[k] = ON_WAY;
      g_array_append_val(way, first);
      while (step(&w)) {
      }
    }
  }
}

const HyAuditCheck hy_audit_silence = {
    .name = "N", .doc = "what never says anything, by who waits for whom", .end = end};
