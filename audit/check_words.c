/* S and X: what a block has said is what its formula makes of what its sources have said; and where
 * a group computes it at its states as they are (X), of these. */
#include "look.h"

#include <string.h>

typedef struct {
  HyBall *said;  /* [slots]: states that are not held with how far their words may be off */
  HyBall *sharp; /* likewise, without */
  HyBall *near;  /* computed from states and sources as they are; of states that are integrated from
                    any within their tolerances, for where what is stiff is in balance is as good */
  GArray *part;  /* guint: slots of sines, or blocks that are read; where not all is looked at */
  HyAuditCone cone;
} Words;

static gpointer begin(HyAudit *a)
{
  Words *w = g_new0(Words, 1);
  w->part = g_array_new(FALSE, FALSE, sizeof(guint));
  hy_audit_cone_init(&w->cone, a->plan);
  w->said = g_new0(HyBall, (gsize)a->plan->n_out + 1);
  w->sharp = g_new0(HyBall, (gsize)a->plan->n_out + 1);
  w->near = g_new0(HyBall, (gsize)a->plan->n_out + 1);
  return w;
}

static void clear(gpointer own)
{
  Words *w = own;
  g_free(w->said);
  g_free(w->sharp);
  g_free(w->near);
  g_array_unref(w->part);
  hy_audit_cone_clear(&w->cone);
  g_free(w);
}

/* Somewhere in the stretch, elsewhere in each. */
static double place_in(const HyAuditStretch *s)
{
  double part = fmod((double)s->number * 0.61803398874989485, 1.0);
  return s->t0 + (0.05 + 0.9 * part) * (s->t1 - s->t0);
}

/* How far Y may be from what BLOCK makes of VALUE, F. */
static double allowed_of(HyAudit *a, guint block, const HyBall *value, HyBall *f)
{
  const HyAuditBlock *b = &a->plan->block[block];
  double most = hy_audit_evaluate(a, value, block, f);
  double allowed = HY_AUDIT_BAR * hy_audit_tolerance(a, b->first_out, f->v) + f->e;
  if (b->beyond && most > 0) { /* what is compared is known as well as its own size has it */
    allowed = MAX(allowed, HY_AUDIT_BAR * a->about[block].rel * most + f->e);
  }
  return isfinite(f->v) ? allowed : NAN;
}

/* OTHER: values of which it may be made as well; NULL: none. A group takes a source as it speaks,
 * or a sine whole. */
static void judge(HyAudit *a, guint block, double t, const HyAuditStretch *s, double y,
                  const HyBall *value, const HyBall *other)
{
  HyBall f, g;
  double allowed = allowed_of(a, block, value, &f);
  gboolean known = isfinite(allowed) && !hy_audit_rests(a, block), holds = fabs(y - f.v) <= allowed;
  if (known && !holds && other != NULL) {
    double also = allowed_of(a, block, other, &g);
    known = isfinite(also);
    holds = fabs(y - g.v) <= also;
  }
  hy_audit_judged(a, known);
  if (known && !holds) {
    hy_audit_breach(a, block, t, s->t1, y, f.v, allowed, NULL);
  }
}

static gboolean sine_of(const HyAudit *a, guint slot, HySine *sine)
{
  guint block = a->plan->owner[slot];
  const HyAtomicClass *klass = a->plan->block[block].klass;
  return klass->sine != NULL &&
         klass->sine(hy_sim_state(a->sim, block), slot - a->plan->block[block].first_out, sine);
}

/* What a source has said of its sine. */
static void judge_sine(HyAudit *a, guint slot, double t, const HyAuditStretch *s)
{
  guint block = a->plan->owner[slot];
  HySine sine;
  double y = hy_audit_word(&a->word[slot], t);
  if (isnan(y) || !sine_of(a, slot, &sine)) {
    return;
  }
  double angle = 2 * G_PI * sine.frequency * t + sine.phase;
  double v = sine.amplitude * sin(angle) + sine.offset;
  double most = fabs(sine.amplitude) + fabs(sine.offset); /* pieces are made within that */
  double allowed = HY_AUDIT_BAR * hy_audit_tolerance(a, slot, most) +
                   4 * HY_BALL_ROUND * fabs(sine.amplitude) * (1 + fabs(angle));
  hy_audit_judged(a, TRUE);
  if (!(fabs(y - v) <= allowed)) {
    hy_audit_breach(a, block, t, s->t1, y, v, allowed, NULL);
  }
}

/* Inner blocks that are no readings say what is right by its effect, which D judges. */
static void look(HyAudit *a, gpointer own, const HyAuditStretch *s, gboolean readings)
{
  Words *w = own;
  const HyAuditPlan *p = a->plan;
  double t = place_in(s), y;
  if (!(t > s->t0 && t < s->t1)) {
    return;
  }
  hy_audit_view(a, HY_AUDIT_SAID, t, w->said);
  memcpy(w->sharp, w->said, p->n_out * sizeof *w->sharp);
  if (readings) {
    hy_audit_view(a, HY_AUDIT_NEAR, t, w->near);
  }
  for (guint k = 0; k < p->n_states; k++) {
    w->sharp[p->block[p->state[k]].first_out].e = 0;
  }
  for (guint slot = 0; slot < p->n_out && !readings; slot++) {
    judge_sine(a, slot, t, s);
  }
  for (guint k = 0; k < p->n_order; k++) {
    guint block = p->order[k];
    gboolean reading;
    if (hy_audit_said(a, block, t, &y, &reading) && reading == readings &&
        (reading || !p->block[block].inner)) {
      judge(a, block, t, s, y, reading ? w->sharp : w->said, reading ? w->near : NULL);
    }
  }
}

static void look_at_words(HyAudit *a, gpointer own, const HyAuditStretch *s)
{
  look(a, own, s, FALSE);
}

static void look_at_readings(HyAudit *a, gpointer own, const HyAuditStretch *s)
{
  look(a, own, s, TRUE);
}

/* Parts ---------------------------------------------------------------------------------------- */

static gpointer begin_sines(HyAudit *a)
{
  Words *w = begin(a);
  HySine sine;
  for (guint slot = 0; slot < a->plan->n_out && a->mode != HY_AUDIT_FULL; slot++) {
    if (sine_of(a, slot, &sine)) {
      g_array_append_val(w->part, slot);
    }
  }
  return w;
}

static gpointer begin_readings(HyAudit *a)
{
  Words *w = begin(a);
  double y;
  for (guint k = 0; k < a->plan->n_order && a->mode != HY_AUDIT_FULL; k++) {
    guint block = a->plan->order[k];
    if (a->ask.reading(a->ask.user, block, a->last, &y)) {
      g_array_append_val(w->part, block);
    }
  }
  return w;
}

static guint parts(HyAudit *a, gpointer own)
{
  (void)a;
  return ((Words *)own)->part->len;
}

#define SINE_COST 200.0

static double ready_for_sine(HyAudit *a, gpointer own, guint k)
{
  (void)a, (void)own, (void)k;
  return SINE_COST;
}

static void look_at_sine(HyAudit *a, gpointer own, guint k, const HyAuditStretch *s)
{
  a->work += SINE_COST;
  judge_sine(a, g_array_index(((Words *)own)->part, guint, k), place_in(s), s);
}

static double ready_for_reading(HyAudit *a, gpointer own, guint k)
{
  Words *w = own;
  guint block = g_array_index(w->part, guint, k);
  hy_audit_cone_of(&w->cone, a->plan, block);
  return 2 * hy_audit_cost(a, &w->cone) + 3 * hy_audit_block_cost(a, block);
}

static void look_at_reading(HyAudit *a, gpointer own, guint k, const HyAuditStretch *s)
{
  Words *w = own;
  guint block = g_array_index(w->part, guint, k);
  double t = place_in(s), y;
  if (!(t > s->t0 && t < s->t1) || !a->ask.reading(a->ask.user, block, t, &y)) {
    return;
  }
  hy_audit_view_cone(a, HY_AUDIT_SAID, t, &w->cone, w->sharp);
  hy_audit_view_cone(a, HY_AUDIT_NEAR, t, &w->cone, w->near);
  for (guint i = 0; i < w->cone.state->len; i++) {
    w->sharp[a->plan->block[a->plan->state[g_array_index(w->cone.state, guint, i)]].first_out].e =
        0;
  }
  a->work += 3 * hy_audit_block_cost(a, block);
  judge(a, block, t, s, y, w->sharp, w->near);
}

const HyAuditCheck hy_audit_words = {.name = "S",
                                     .doc = "what blocks say, against their formulas",
                                     .begin = begin_sines,
                                     .free = clear,
                                     .look = look_at_words,
                                     .parts = parts,
                                     .ready = ready_for_sine,
                                     .part = look_at_sine};
const HyAuditCheck hy_audit_readings = {.name = "X",
                                        .doc = "readings, against the exact states",
                                        .begin = begin_readings,
                                        .free = clear,
                                        .look = look_at_readings,
                                        .parts = parts,
                                        .ready = ready_for_reading,
                                        .part = look_at_reading};
