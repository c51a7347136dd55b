/* Which partial derivatives of a template move, and the program of these. */
#include "slopes.h"

#include "builder.h"

/* Whether OUT is made of a slot or of a flag. */
static gboolean slope_moves(const HyTemplate *t, const HyXBuilder *b, HyX out)
{
  g_autofree guint8 *need = g_new0(guint8, b->n);
  hy_x_reach(b, &out, 1, TRUE, need);
  for (HyX x = 0; x < b->n; x++) {
    const HyNode *n = &b->node[x];
    if (need[x] && (n->op == HY_X_FLAG || (n->op == HY_X_IN && n->a < t->n_slots))) {
      return TRUE;
    }
  }
  return FALSE;
}

static void find_loads(HySlopes *s, guint n_slots)
{
  for (guint k = 0; k < s->program->n_load; k++) {
    if (s->program->load[k] < n_slots) {
      s->load[s->n_load++] = (guint8)s->program->load[k];
    }
  }
}

HySlopes *hy_slopes_new(const HyTemplate *t, guint32 wanted)
{
  g_return_val_if_fail(t->n_slots <= HY_WIDE, NULL);
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  g_autofree HyX *all = g_new0(HyX, (gsize)t->n_slots + 1);
  HyX out[HY_WIDE + 1];
  HySlopes *s = g_new0(HySlopes, 1);
  s->n_numbers = t->n_numbers;
  hy_template_differentiate_all(t, b, all);
  for (guint k = 0; k < t->n_slots; k++) {
    if ((wanted >> k & 1) != 0 && slope_moves(t, b, all[k])) {
      s->moving |= 1U << k;
      s->slot[s->n] = (guint8)k;
      out[s->n++] = all[k];
    }
  }
  s->program = hy_program_new(b, out, s->n, t->n_slots + t->n_numbers, 1, NULL);
  if (s->program == NULL) {
    hy_slopes_free(s);
    return NULL;
  }
  s->reg = g_new0(HyReg, (gsize)s->program->n_regs + 1);
  hy_program_prepare(s->program, s->reg);
  s->linked = s->program->plain ? hy_linked_new(s->program, s->reg) : NULL;
  find_loads(s, t->n_slots);
  return s;
}

void hy_slopes_free(HySlopes *s)
{
  if (s != NULL) {
    hy_linked_free(s->linked);
    hy_program_free(s->program);
    g_free(s->reg);
    g_free(s);
  }
}

/* Inputs keep their registers, so numbers are put there only where the row before had others. */
static void slopes_take_numbers(HySlopes *s, const double *number)
{
  guint n_slots = s->program->n_in - s->n_numbers;
  for (guint k = 0; k < s->n_numbers; k++) {
    s->reg[n_slots + k][0] = number[k];
  }
  s->numbers = number;
}

void hy_slopes_run(HySlopes *s, const double *number, const guint8 *flag, double *partial)
{
  if (s->numbers != number) {
    slopes_take_numbers(s, number);
  }
  if (s->linked != NULL) {
    hy_linked_run(s->linked, s->program->number);
  } else {
    hy_program_run_with(s->program, s->program->number, s->reg, flag);
  }
  for (guint k = 0; k < s->n; k++) {
    partial[s->slot[k]] = s->reg[s->program->out[k]][0];
  }
}
