/* T: what remembers which of two it is has turned where its input says so. V cannot see that:
 * between its levels a hysteresis may be either, and so may a thyristor that has no gate.
 *
 *   hysteresis   to high where in >= upper, to low where in <= lower
 *   thyristor    to on where i >= knee and gate > 1/2, to off where i <= knee
 *
 * within the tolerance of what comes in, before the instant or behind it. Where that jumps at the
 * instant it may have been anything between, and nothing is judged. */
#include "look.h"

#include <string.h>

enum { CURRENT, GATE }; /* inputs of valves */

typedef struct {
  guint block;
  gboolean known, up;  /* which it was in the stretch before */
  HyBall in[2], value; /* its inputs at the end of that */
} Latch;

typedef struct {
  GArray *latch; /* Latch */
  HyAuditCone cone;
  HyBall *value; /* [slots] */
  guint64 next;  /* the number of the stretch that has to come */
} Turns;

static gboolean is_thyristor(const HyAudit *a, guint block)
{
  const HyAuditBlock *b = &a->plan->block[block];
  return strcmp(b->klass->name, "valve") == 0 && hy_audit_kind(a, block) == 't';
}

static gpointer begin(HyAudit *a)
{
  Turns *own = g_new0(Turns, 1);
  own->latch = g_array_new(FALSE, FALSE, sizeof(Latch));
  own->value = g_new0(HyBall, (gsize)a->plan->n_out + 1);
  hy_audit_cone_init(&own->cone, a->plan);
  for (guint k = 0; k < a->plan->n; k++) {
    Latch l = {.block = k};
    if (strcmp(a->plan->block[k].klass->name, "hysteresis") == 0 || is_thyristor(a, k)) {
      g_array_append_val(own->latch, l);
    }
  }
  return own;
}

static void clear(gpointer user)
{
  Turns *own = user;
  g_array_unref(own->latch);
  hy_audit_cone_clear(&own->cone);
  g_free(own->value);
  g_free(own);
}

/* What comes in at T. */
static void take_inputs(HyAudit *a, Turns *own, guint block, double t, HyBall in[2])
{
  hy_audit_cone_of(&own->cone, a->plan, block);
  hy_audit_view_cone(a, HY_AUDIT_TAKEN, t, &own->cone, own->value);
  for (guint k = 0; k < 2; k++) {
    in[k] = k < a->plan->block[block].n_in ? hy_audit_input(a, own->value, block, k) : hy_ball(NAN);
  }
}

static double allowed_of(HyAudit *a, guint block, HyBall in)
{
  guint slot = a->plan->input[a->plan->block[block].first_in].slot;
  double q = slot < a->plan->n_out ? hy_audit_tolerance(a, slot, in.v) : 0;
  return HY_AUDIT_BAR * q + in.e;
}

/* How far IN is from where BLOCK may turn to UP; negative: it may. */
static double missing(const HyAudit *a, guint block, gboolean up, const HyBall in[2])
{
  const double *number = a->plan->block[block].params.number;
  if (is_thyristor(a, block)) {
    return up && !(in[GATE].v > 0.5) ? INFINITY
           : up                      ? number[2] - in[CURRENT].v
                                     : in[CURRENT].v - number[2];
  }
  return up ? number[1] - in[0].v : in[0].v - number[0];
}

static gboolean jumps(const HyBall before[2], const HyBall behind[2], double allowed)
{
  return !(fabs(before[0].v - behind[0].v) <= allowed) ||
         (!isnan(before[1].v) && before[1].v != behind[1].v);
}

/* It has turned to UP at T. */
static void judge(HyAudit *a, const Latch *l, gboolean up, const HyBall behind[2],
                  const HyAuditStretch *s)
{
  double allowed = MAX(allowed_of(a, l->block, l->in[0]), allowed_of(a, l->block, behind[0]));
  double off = MIN(missing(a, l->block, up, l->in), missing(a, l->block, up, behind));
  gboolean known = isfinite(allowed) && !isnan(off) && !hy_audit_rests(a, l->block);
  known = known && (off <= allowed || !jumps(l->in, behind, allowed));
  hy_audit_judged(a, known);
  if (known && !(off <= allowed)) {
    gboolean gate = isinf(off);
    double in = behind[gate ? GATE : CURRENT].v;
    double level = gate ? 0.5 : up ? in + off : in - off;
    hy_audit_breach(a, l->block, s->t0, s->t1, in, level, allowed,
                    gate ? "turns on, with its gate at"
                    : up ? "turns up, with its input at"
                         : "turns down, with its input at");
  }
}

static void look(HyAudit *a, gpointer user, const HyAuditStretch *s)
{
  Turns *own = user;
  gboolean follows = own->next == s->number;
  own->next = s->number + 1;
  for (guint k = 0; k < own->latch->len; k++) {
    Latch *l = &g_array_index(own->latch, Latch, k);
    const HyAuditBlock *b = &a->plan->block[l->block];
    double said = hy_audit_word(&a->word[b->first_out], s->t1);
    gboolean up = is_thyristor(a, l->block) ? said > 0.5 : said == b->params.number[3];
    if (follows && l->known && !isnan(said) && up != l->up) {
      HyBall behind[2];
      take_inputs(a, own, l->block, s->t0, behind);
      judge(a, l, up, behind, s);
    }
    l->known = !isnan(said);
    l->up = up;
    take_inputs(a, own, l->block, s->t1, l->in);
  }
}

const HyAuditCheck hy_audit_turns = {.name = "T",
                                     .doc = "turns of what remembers, against where they may be",
                                     .full = TRUE,
                                     .begin = begin,
                                     .free = clear,
                                     .look = look};
