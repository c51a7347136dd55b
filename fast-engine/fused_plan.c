/* The plan of the fused engine: which block is run how, who is left out, and who reads what.
 *
 * A static block is left out if nothing leads from it to anybody who looks. One without modes
 * becomes plain when all of its inputs are known, that is at the first instant after the start: it
 * then waits in a set of marks, and fetches its inputs from where they are kept. */
#include "fused_rows.h"

#include "coupled/order.h"
#include "equations/effect.h"
#include "sim/dead.h"

/* Kinds --------------------------------------------------------------------------------------- */

/* What answers at once, without a priority of its own, has the first numbers. */
static void plan_kinds(HySim *sim, HyFused *f)
{
  gboolean first = TRUE;
  for (guint a = 0; a < sim->n; a++) {
    const HyAtom *atom = &sim->atoms[a];
    HyMember *member = sim->room != NULL ? hy_room_member(sim->room, a) : NULL;
    first = first && hy_answers_at_once(atom->klass);
    f->n_joined = first ? a + 1 : f->n_joined;
    f->watched[a] = (guint8)hy_sim_watch(sim, a);
    if (first && atom->klass->describe != NULL) {
      f->kind[a] = HY_JOINED;
      f->own[a] = ((HyStatic *)(gpointer)atom->state)->own;
    } else if (member != NULL && member->plain) {
      f->kind[a] = HY_OF_STATE;
      f->own[a] = member;
    }
  }
}

/* A state that takes what comes along its wire. */
static gboolean plan_is_wired(const HyFused *f, guint atomic)
{
  return f->kind[atomic] == HY_OF_STATE && !((const HyMember *)f->own[atomic])->by_row;
}

/* Of what answers at once: whether it looks at what comes in at PORT. */
static gboolean plan_takes(const HyFused *f, guint atomic, guint port)
{
  return f->watched[atomic] == HY_WATCH_ALL || f->kind[atomic] == HY_OUTSIDE ||
         !hy_static_is_deaf(f->own[atomic], port);
}

/* Joined blocks that lead to nobody who looks. */
static void plan_deaths(const HySim *sim, HyFused *f)
{
  g_autofree guint8 *dead = hy_sim_find_dead(sim);
  for (guint a = 0; a < f->n_joined; a++) {
    f->kind[a] = dead[a] ? HY_DEAD : f->kind[a];
  }
}

/* The agenda is searched at every event: it has no places for whoever is never due. */
static void plan_places(const HySim *sim, HyFused *f)
{
  f->place = g_new0(guint, (gsize)sim->n + 1);
  f->atomic = g_new0(guint, (gsize)sim->n + 1);
  f->n_places = 0;
  for (guint a = 0; a < sim->n; a++) {
    if (f->kind[a] != HY_DEAD) {
      f->atomic[f->n_places] = a;
      f->place[a] = f->n_places++;
    }
  }
}

/* States that are stepped with all that follows from it. */
static void plan_rows(const HySim *sim, HyFused *f)
{
  HyRowState *rows = sim->room != NULL ? hy_row_states(sim->room) : NULL;
  for (guint a = 0; rows != NULL && a < sim->n; a++) {
    const HyMember *m = hy_room_member(sim->room, a);
    if (m == NULL) {
      continue;
    }
    HyRowState *s = &rows[m->state];
    s->place = f->place[a];
    if (s->alone && f->kind[a] == HY_OF_STATE && f->watched[a] != HY_WATCH_ALL) {
      HyFusedStep *step = hy_fused_step_of(m->quantizer);
      gboolean silent = f->watched[a] == HY_WATCH_NOTHING;
      f->row[a] = (HyFusedRow){.state = s, .step = step, .next = silent ? step : NULL};
    }
  }
}

static gboolean plan_can_be_plain(const HySim *sim, const HyFused *f, guint atomic)
{
  const HyStaticState *own = f->own[atomic];
  if (f->kind[atomic] != HY_JOINED || f->watched[atomic] == HY_WATCH_ALL || !own->form.simple ||
      own->missing > 0 || own->undecided > 0 || own->odd != G_MAXUINT || own->fault.wrong) {
    return FALSE;
  }
  for (guint k = sim->sources.first[atomic]; k < sim->sources.first[atomic + 1]; k++) {
    if (sim->sources.slot[k] == HY_MANY_SOURCES) {
      return FALSE;
    }
  }
  return TRUE;
}

/* Links --------------------------------------------------------------------------------------- */

/* Whether what is said somewhere is brought to TO, which is not plain. */
static gboolean links_lead_to(const HyFused *f, HyFlatTarget to)
{
  HyFusedKind kind = (HyFusedKind)f->kind[to.atomic];
  return kind == HY_JOINED ? plan_takes(f, to.atomic, to.port)
         : kind == HY_OF_STATE
             ? f->watched[to.atomic] == HY_WATCH_ALL || plan_is_wired(f, to.atomic)
             : kind != HY_DEAD;
}

const HyPiece *hy_fused_record(const HySim *sim, const HyFused *f, guint slot)
{
  guint a = slot < sim->graph->first_out[sim->n] ? sim->graph->owner[slot] : sim->n;
  if (a < sim->n && f->row[a].step != NULL) {
    return f->row[a].state->said;
  }
  if (a >= f->n_joined || f->kind[a] == HY_OUTSIDE) {
    return &f->record[slot];
  }
  return &((const HyStaticState *)f->own[a])->said[slot - sim->graph->first_out[a]];
}

static void links_clear(HyFusedLinks *to)
{
  g_free(to->start);
  g_free(to->target);
  g_free(to->first_mark);
  g_free(to->mark);
  g_free(to->plain);
  g_free(to->in);
  g_free(to->cone);
  g_free(to->cones);
  g_free(to->nodes);
  *to = (HyFusedLinks){.start = NULL};
}

gboolean hy_fused_leads_to_states(const HyFused *f, guint slot)
{
  for (guint k = f->to.start[slot]; k < f->to.start[slot + 1]; k++) {
    if (f->to.target[k].v == NULL) {
      return FALSE;
    }
  }
  return TRUE;
}

static HyFusedPlain links_plain(const HySim *sim, HyFused *f, guint atomic)
{
  HyStaticState *own = f->own[atomic];
  guint slot = sim->graph->first_out[atomic];
  HyFusedPlain p = {.own = own,
                    .in = f->to.in + sim->sources.first[atomic],
                    .number = own->form.program->number,
                    .n_int = &sim->atoms[atomic].n_int,
                    .to = f->to.target + f->to.start[slot],
                    .end = f->to.target + f->to.start[slot + 1],
                    .atomic = atomic,
                    .slot = slot,
                    .place = f->place[atomic],
                    .exact = own->form.exact,
                    .heard = hy_room_hears(sim->room, slot),
                    .watched = f->watched[atomic] != HY_WATCH_NOTHING};
  p.quiet = !p.heard && !p.watched && hy_fused_leads_to_states(f, slot);
  return p;
}

static void links_of_plain(const HySim *sim, HyFused *f)
{
  guint n = sim->sources.first[f->n_joined];
  f->to.plain = g_new0(HyFusedPlain, (gsize)f->n_joined + 1);
  f->to.in = g_new(const HyPiece *, (gsize)n + 1);
  for (guint a = 0; a < f->n_joined; a++) {
    gboolean plain = f->kind[a] == HY_PLAIN;
    if (sim->room != NULL) {
      hy_effect_read_at(sim->room, a, plain ? f->to.in + sim->sources.first[a] : NULL);
    }
    if (!plain) {
      continue;
    }
    HyStaticState *own = f->own[a];
    guint first = sim->sources.first[a];
    for (guint k = first; k < sim->sources.first[a + 1]; k++) {
      guint source = sim->sources.slot[k];
      f->to.in[k] = source == HY_NO_SOURCE ? &own->in[k - first] : hy_fused_record(sim, f, source);
    }
    f->to.plain[a] = links_plain(sim, f, a);
  }
}

static void links_of_rows(const HySim *sim, HyFused *f)
{
  HyRowState *rows = sim->room != NULL ? hy_row_states(sim->room) : NULL;
  for (guint a = 0; rows != NULL && a < sim->n; a++) {
    guint slot = sim->graph->first_out[a];
    gboolean quiet = f->kind[a] == HY_OF_STATE && !f->watched[a] &&
                     f->to.start[slot] == f->to.start[slot + 1] &&
                     f->to.first_mark[slot] == f->to.first_mark[slot + 1];
    f->row[a].quiet = quiet && f->row[a].step != NULL;
    if (f->kind[a] == HY_OF_STATE) {
      rows[((const HyMember *)f->own[a])->state].quiet = quiet ? &sim->atoms[a].n_int : NULL;
    }
  }
}

static HyFusedTarget links_target(const HySim *sim, const HyFused *f, HyFlatTarget at)
{
  HyFusedTarget to = {.own = f->own[at.atomic],
                      .atomic = at.atomic,
                      .port = at.port,
                      .place = f->place[at.atomic],
                      .kind = (HyFusedKind)f->kind[at.atomic],
                      .n_ext = &sim->atoms[at.atomic].n_ext};
  if (to.kind == HY_OF_STATE && f->watched[at.atomic] != HY_WATCH_ALL) {
    const HyMember *m = to.own;
    to.v = m->v;
    to.quantizer = m->quantizer;
  }
  return to;
}

void hy_fused_link(const HySim *sim, HyFused *f)
{
  const HyFlat *g = sim->graph;
  HyFusedLinks *to = &f->to;
  guint n = 0, marks = 0;
  links_clear(to);
  to->start = g_new(guint, f->slots + 1);
  to->first_mark = g_new(guint, f->slots + 1);
  to->target = g_new0(HyFusedTarget, (gsize)g->start[f->slots] + 1);
  to->mark = g_new(guint, (gsize)g->start[f->slots] + 1);
  for (gsize slot = 0; slot < f->slots; slot++) {
    to->start[slot] = n;
    to->first_mark[slot] = marks;
    for (guint k = g->start[slot]; k < g->start[slot + 1]; k++) {
      guint a = g->targets[k].atomic;
      HyFusedKind kind = (HyFusedKind)f->kind[a];
      if (kind == HY_PLAIN) {
        to->mark[marks++] = a;
      } else if (links_lead_to(f, g->targets[k])) {
        to->target[n++] = links_target(sim, f, g->targets[k]);
      }
    }
  }
  to->start[f->slots] = n;
  to->first_mark[f->slots] = marks;
  links_of_plain(sim, f);
  links_of_rows(sim, f);
  hy_fused_find_cones(sim, f);
}

void hy_fused_settle(const HySim *sim, HyFused *f)
{
  for (guint a = 0; a < f->n_joined; a++) {
    f->kind[a] = plan_can_be_plain(sim, f, a) ? HY_PLAIN : f->kind[a];
  }
  f->settled = TRUE;
  hy_fused_link(sim, f);
}

void hy_fused_plan(HySim *sim, HyFused *f)
{
  f->slots = sim->graph->first_out[sim->n] + (gsize)sim->model->in->len;
  f->kind = g_new0(guint8, (gsize)sim->n + 1);
  f->watched = g_new0(guint8, (gsize)sim->n + 1);
  f->own = g_new0(gpointer, (gsize)sim->n + 1);
  f->row = g_new0(HyFusedRow, (gsize)sim->n + 1);
  f->record = g_new0(HyPiece, f->slots + 1);
  for (gsize slot = 0; slot < f->slots; slot++) {
    f->record[slot].t = NAN;
  }
  plan_kinds(sim, f);
  plan_deaths(sim, f);
  plan_places(sim, f);
  plan_rows(sim, f);
  hy_fused_link(sim, f);
}

void hy_fused_clear(HyFused *f)
{
  hy_agenda_clear(&f->tn);
  hy_pending_clear(&f->due);
  links_clear(&f->to);
  g_free(f->kind);
  g_free(f->watched);
  g_free(f->own);
  g_free(f->row);
  g_free(f->place);
  g_free(f->atomic);
  g_free(f->record);
}
