/* Which of the two kinds of group a state belongs to: mLIQSS, whose members step one or two at a
 * time, or a classic method, which integrates all of them ahead. */
#include "groups.h"

#include "classic_internal.h"
#include "liqss.h"

#define LEAST_STEP 1e-100 /* its cube, by which pieces are divided, is a number */

/* [family] */
static const HyStepper *const steppers[] = {
    [HY_FAMILY_CVODE] = &hy_classic_cvode,         [HY_FAMILY_TEXTBOOK] = &hy_classic_textbook,
    [HY_FAMILY_MULTIRATE] = &hy_classic_multirate, [HY_FAMILY_BLOCK] = &hy_classic_exact,
    [HY_FAMILY_IMPLICIT] = &hy_classic_implicit,   [HY_FAMILY_CHAIN] = &hy_classic_chain};

const HyStepper *hy_classic_stepper(HyFamily family)
{
  g_assert(hy_family_is_classic(family));
  return steppers[family];
}

char *hy_group_refuses(const HyMethod *method, const HyGroupSettings *set)
{
  if (!hy_family_is_classic(method->family)) {
    return NULL;
  }
  if (hy_classic_stepper(method->family)->step == NULL) {
    return g_strdup("needs SUNDIALS, without which this hydevs was built");
  }
  if ((method->needs & HY_NEEDS_HSTEP) != 0 && set->hstep == 0.0) {
    return g_strdup("needs a step; state hstep beside it, or --hstep");
  }
  if ((method->needs & HY_NEEDS_HSTEP) != 0 && set->hstep < LEAST_STEP) {
    return g_strdup_printf("needs a step of %g at least, hstep = %g is none", LEAST_STEP,
                           set->hstep);
  }
  return set->abstol > 0.0 ? NULL : g_strdup("needs abstol above 0");
}

static gboolean groups_has_sine(const HyRunRow *row)
{
  guint x = 0;
  while (x < row->shape->n_nodes && row->shape->node[x].op != HY_X_SIN &&
         row->shape->node[x].op != HY_X_COS) {
    x++;
  }
  return x < row->shape->n_nodes;
}

static gboolean groups_row_is_exact(const HyRoom *room, const HyRunRow *row)
{
  HyWavyRow *wavy = row->linear || !groups_has_sine(row) ? NULL : hy_wavy_row_new(room, row);
  gboolean exact = row->linear || wavy != NULL;
  hy_wavy_row_free(wavy);
  return exact;
}

gboolean hy_groups_are_exact(const HyRoom *room)
{
  for (guint k = 0; k < room->states->len; k++) {
    if (hy_room_state(room, k)->row == HY_NO_ROW) {
      return FALSE;
    }
  }
  for (guint k = 0; k < room->rows.rows->len; k++) {
    if (!groups_row_is_exact(room, &room->run[k])) {
      return FALSE;
    }
  }
  return TRUE;
}

/* EXACT[rows]: whether all hubs are that ROW reads. */
static gboolean groups_hubs_are_exact(const HyRoom *room, guint32 row, const guint8 *exact)
{
  const HyRunRow *r = &room->run[row];
  gboolean all = TRUE;
  for (guint k = 0; room->rows.hub->len > 0 && k < r->n_slots && all; k++) {
    const HyHub *hub = hy_rows_hub(&room->rows, r->slot[k]);
    all = hub == NULL || exact[hub->row];
  }
  return all;
}

/* EXACT[rows]: hubs have the hubs that they are made of put into them, those of less depth first.
 */
static void groups_find_exact_hubs(const HyRoom *room, guint8 *exact)
{
  const GArray *hubs = room->rows.hub;
  guint deepest = 0;
  for (guint k = 0; k < hubs->len; k++) {
    deepest = MAX(deepest, g_array_index(hubs, HyHub, k).depth);
  }
  for (guint depth = 1; depth <= deepest; depth++) {
    for (guint k = 0; k < hubs->len; k++) {
      const HyHub *hub = &g_array_index(hubs, HyHub, k);
      if (hub->depth == depth) {
        exact[hub->row] = groups_row_is_exact(room, &room->run[hub->row]) &&
                          groups_hubs_are_exact(room, hub->row, exact);
      }
    }
  }
}

void hy_groups_find_exact(const HyRoom *room, guint8 *exact)
{
  g_autofree guint8 *by_row = g_new0(guint8, (gsize)room->rows.rows->len + 1);
  groups_find_exact_hubs(room, by_row);
  for (guint k = 0; k < room->states->len; k++) {
    guint32 row = hy_room_state(room, k)->row;
    exact[k] = row != HY_NO_ROW && groups_row_is_exact(room, &room->run[row]) &&
               groups_hubs_are_exact(room, row, by_row);
  }
}

static void groups_start(HyRoom *room)
{
  hy_liqss_start(room);
  hy_classic_make_groups(room);
}

/* A mode in the row of STATE has changed. */
static void groups_follow(HyRoom *room, guint32 state, double t)
{
  if (hy_family_is_classic(hy_room_state(room, state)->member->family)) {
    hy_classic_follow(room, state, t);
  } else {
    hy_liqss_follow(room, state, t);
  }
}

const HyGroupOps hy_group_ops = {
    .start = groups_start,
    .listen = hy_classic_listen,
    .clear = hy_classic_free_groups,
    .touch = hy_classic_touch,
    .follow = groups_follow,
    .judge = hy_classic_judge,
    .ask = hy_classic_ask,
    .read = hy_classic_read_now,
    .held = hy_classic_held,
    .meet = hy_classic_meet,
    .open = hy_classic_open,
    .look = hy_classic_look_again,
    .gather = hy_classic_gather_group,
    .count = hy_classic_counts,
    .tape = hy_classic_tape,
};

void hy_group_step(HyRoom *room, guint state, double t)
{
  if (hy_family_is_classic(hy_room_state(room, state)->member->family)) {
    hy_classic_step(room, state, t);
  } else {
    hy_liqss_step(room, state, t);
  }
}
