/* One program for rows that share no template with enough others. Their nodes are put into one
 * builder, where equal nodes are one: the current of a diode that three rows read is computed
 * once. Numbers are constants of the program, and equal ones one; slots and flags are its inputs,
 * by their place in two lists. */
#include "joint.h"

#include <string.h>

struct HyJoint {
  const HyRoom *room;
  HyProgram *program;
  GArray *slot, *flag; /* guint32: of its inputs and its modes */
  HyReg *reg;
  guint8 *choice; /* by mode */
};

/* Making -------------------------------------------------------------------------------------- */

typedef struct {
  HyXBuilder *b;
  GArray *slot, *flag;
  GHashTable *slot_at, *flag_at; /* their places in the lists + 1 */
} Maker;

static guint32 place_of(GArray *list, GHashTable *at, guint32 item)
{
  guint place = GPOINTER_TO_UINT(g_hash_table_lookup(at, GUINT_TO_POINTER(item)));
  if (place == 0) {
    g_array_append_val(list, item);
    place = list->len;
    g_hash_table_insert(at, GUINT_TO_POINTER(item), GUINT_TO_POINTER(place));
  }
  return place - 1;
}

typedef struct {
  Maker *m;
  const HyRunRow *row;
} Leaves;

static HyX joint_leaf(gpointer user, HyXBuilder *b, HyX x, const HyNode *n)
{
  (void)x;
  const Leaves *l = user;
  Maker *m = l->m;
  switch (n->op) {
  case HY_X_IN:
    return hy_x_in(b, place_of(m->slot, m->slot_at, l->row->slot[n->a]));
  case HY_X_CONST:
    return hy_x_const(b, l->row->number[n->a]);
  default:
    return hy_x_flag(b, place_of(m->flag, m->flag_at, l->row->flag[n->a]));
  }
}

/* The builder gives a node that it has already: so equal parts of rows meet. */
static HyX add_row(Maker *m, const HyRunRow *r)
{
  const HyTemplate *t = r->shape;
  g_autofree HyX *map = g_new0(HyX, (gsize)t->n_nodes + 1);
  Leaves leaves = {m, r};
  HyXMap to = {m->b, t->node, map, joint_leaf, &leaves};
  hy_x_map(&to, t->n_nodes, NULL);
  return map[t->n_nodes - 1];
}

static HyProgram *make_program(const HyRoom *room, const guint32 *row, guint n, GArray *slot,
                               GArray *flag)
{
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  g_autofree HyX *out = g_new0(HyX, (gsize)n + 1);
  Maker m = {b, slot, flag, g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL)};
  for (guint k = 0; k < n; k++) {
    out[k] = add_row(&m, &room->run[row[k]]);
  }
  g_hash_table_unref(m.slot_at);
  g_hash_table_unref(m.flag_at);
  return hy_program_new(b, out, n, slot->len, 1, NULL);
}

/* NULL: there are no rows, or the program would be too large. */
HyJoint *hy_joint_new(const HyRoom *room, const guint32 *row, guint n)
{
  if (n == 0) {
    return NULL;
  }
  HyJoint *j = g_new0(HyJoint, 1);
  j->room = room;
  j->slot = g_array_new(FALSE, FALSE, sizeof(guint32));
  j->flag = g_array_new(FALSE, FALSE, sizeof(guint32));
  j->program = make_program(room, row, n, j->slot, j->flag);
  if (j->program == NULL) {
    hy_joint_free(j);
    return NULL;
  }
  j->reg = g_new0(HyReg, (gsize)j->program->n_regs + 1);
  j->choice = g_new0(guint8, (gsize)j->flag->len + 1);
  hy_program_prepare(j->program, j->reg);
  return j;
}

void hy_joint_free(HyJoint *j)
{
  if (j != NULL) {
    hy_program_free(j->program);
    g_array_unref(j->slot);
    g_array_unref(j->flag);
    g_free(j->reg);
    g_free(j->choice);
    g_free(j);
  }
}

/* Evaluating ---------------------------------------------------------------------------------- */

void hy_joint_values(HyJoint *j, const double *at, double *out)
{
  const HyProgram *p = j->program;
  const guint32 *slot = (const guint32 *)(gpointer)j->slot->data;
  for (guint k = 0; k < p->n_load; k++) {
    j->reg[p->load[k]][0] = at[slot[p->load[k]]];
  }
  for (guint k = 0; k < j->flag->len; k++) {
    j->choice[k] = j->room->flag[g_array_index(j->flag, guint32, k)];
  }
  hy_program_run(p, 0, p->n_ins, j->reg, j->choice);
  for (guint k = 0; k < p->n_out; k++) {
    out[k] = j->reg[p->out[k]][0];
  }
}
