/* J_ij = d x_i' / d x_j at an instant: the partials of each row by its slots, put where the states
 * stand that speak there. A hub h among the slots has a gradient of its own, found when somebody
 * asks for it first and kept: J_i += f_h grad h. */
#include "jacobian.h"
#include "room_internal.h"

#include <math.h>

typedef struct {
  HyRoom *room;
  double t;
  guint n, slots;
  guint32 *state_at; /* [slots]: the state that speaks there + 1, or 0 */
  double **hub;      /* by hub: its gradient, [n]; NULL: nobody has asked */
} Maker;

static void maker_init(Maker *m, HyRoom *room, double t)
{
  const HyFlat *flat = room->diagram.flat;
  *m = (Maker){room, t, room->states->len, flat->first_out[flat->n], NULL, NULL};
  m->state_at = g_new0(guint32, (gsize)m->slots + 1);
  m->hub = g_new0(double *, (gsize)room->rows.hub->len + 1);
  for (guint k = 0; k < m->n; k++) {
    m->state_at[flat->first_out[hy_room_state(room, k)->atomic]] = k + 1;
  }
}

static void maker_clear(Maker *m)
{
  for (guint k = 0; k < m->room->rows.hub->len; k++) {
    g_free(m->hub[k]);
  }
  g_free(m->hub);
  g_free(m->state_at);
}

static void add_row(Maker *m, guint32 row, double *a);

static const double *hub_gradient(Maker *m, const HyHub *hub)
{
  gsize k = (gsize)(hub - &g_array_index(m->room->rows.hub, HyHub, 0));
  if (m->hub[k] == NULL) {
    m->hub[k] = g_new0(double, m->n);
    add_row(m, hub->row, m->hub[k]);
  }
  return m->hub[k];
}

/* To A[n], by the chain rule; what a hub does not depend on stays out of it, for 0 times infinity
 * would be NaN. */
static void add_hub(Maker *m, const HyHub *hub, double partial, double *a)
{
  const double *by = hub_gradient(m, hub);
  for (guint j = 0; j < m->n; j++) {
    a[j] += by[j] != 0.0 ? partial * by[j] : 0.0;
  }
}

static void add_row(Maker *m, guint32 row, double *a)
{
  const HyRunRow *r = &m->room->run[row];
  for (guint k = 0; k < r->n_slots; k++) {
    guint32 slot = r->slot[k];
    const HyHub *hub = hy_rows_hub(&m->room->rows, slot);
    guint32 state = slot < m->slots ? m->state_at[slot] : 0;
    if (hub != NULL) {
      add_hub(m, hub, hy_room_row_partial(m->room, row, k, m->t), a);
    } else if (state > 0) {
      a[state - 1] += hy_room_row_partial(m->room, row, k, m->t);
    }
  }
}

static gboolean all_finite(const double *a, guint n)
{
  gboolean finite = TRUE;
  for (guint j = 0; j < n; j++) {
    finite &= isfinite(a[j]);
  }
  return finite;
}

/* Row by row: each entry is a partial derivative of the state's row, through hubs by the chain
 * rule. */
guint hy_room_jacobian(HyRoom *room, double t, double *a)
{
  Maker m;
  maker_init(&m, room, t);
  guint wrong = m.n;
  for (guint i = 0; i < m.n && wrong == m.n; i++) {
    double *row = a + (gsize)i * m.n;
    guint32 number = hy_room_state(room, i)->row;
    for (guint j = 0; j < m.n; j++) {
      row[j] = number == HY_NO_ROW ? NAN : 0.0;
    }
    if (number != HY_NO_ROW) {
      add_row(&m, number, row);
    }
    wrong = all_finite(row, m.n) ? wrong : i;
  }
  maker_clear(&m);
  return wrong;
}
