/* What a standalone C file has to know: rows of states, what they read, the rows that decide the
 * modes which they read, and so on until nothing is new. */
#include "standalone_internal.h"

#include "base/number.h"
#include "hydevs/error.h"

#define WORDS_MOST 1000000 /* of all sources */

/* What is read ----------------------------------------------------------------------------------
 */

gboolean hy_standalone_refuse(const HyStandaloneMaker *m, guint atomic, const char *why,
                              GError **error)
{
  const HyFlat *flat = m->room->diagram.flat;
  g_autofree char *path =
      hy_model_path(hy_flat_model(flat, atomic), hy_flat_component(flat, atomic));
  g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: %s", path, why);
  return FALSE;
}

gboolean hy_standalone_may(const HyStandalone *with, GError **error)
{
  if (with->words->len > WORDS_MOST) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "sources say more than %u words until the end; say an earlier one with -t",
                (guint)WORDS_MOST);
    return FALSE;
  }
  return TRUE;
}

gboolean hy_standalone_sine(const HyRoom *room, guint slot, HySine *sine)
{
  const HyFlat *flat = room->diagram.flat;
  guint owner = flat->owner[slot];
  return room->sources.sine != NULL &&
         room->sources.sine(room->sources.user, owner, slot - flat->first_out[owner], sine) &&
         sine->frequency > 0.0;
}

gboolean hy_standalone_reads(const HyRoom *room, guint slot)
{
  guint atomic = room->diagram.flat->owner[slot];
  return room->kind[atomic] == NULL && room->members.state_at[atomic] == 0;
}

/* Forwards along all wires: who hears a state, or the ports of the root. */
static void find_followers(HyStandaloneMaker *m)
{
  const HyFlat *flat = m->room->diagram.flat;
  guint slots = flat->first_out[flat->n];
  GArray *todo = g_array_new(FALSE, FALSE, sizeof(guint32));
  m->follows = g_new0(guint8, (gsize)flat->n + 1);
  for (guint32 slot = 0; slot < slots + hy_model_n_in(flat->root, HY_SELF); slot++) {
    gboolean from = slot >= slots || m->room->members.state_at[flat->owner[slot]] != 0;
    if (from) {
      g_array_append_val(todo, slot);
    }
  }
  while (todo->len > 0) {
    guint32 slot = hy_nth(todo, todo->len - 1);
    g_array_set_size(todo, todo->len - 1);
    for (guint k = flat->start[slot]; k < flat->start[slot + 1]; k++) {
      guint a = flat->targets[k].atomic;
      for (guint32 s = flat->first_out[a]; !m->follows[a] && s < flat->first_out[a + 1]; s++) {
        g_array_append_val(todo, s);
      }
      m->follows[a] = 1;
    }
  }
  g_array_unref(todo);
}

static void meet_row(HyStandaloneMaker *m, guint32 row)
{
  if (!g_hash_table_contains(m->row_met, GUINT_TO_POINTER(row))) {
    g_array_append_val(m->row, row);
    g_hash_table_insert(m->row_met, GUINT_TO_POINTER(row), GUINT_TO_POINTER(m->row->len));
  }
}

guint hy_standalone_place(const HyStandaloneMaker *m, guint32 row)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(m->row_met, GUINT_TO_POINTER(row))) - 1;
}

static gboolean meet_flag(HyStandaloneMaker *m, guint32 flag, GError **error)
{
  const HyRoom *room = m->room;
  if (m->flag_at[flag] > 0) {
    return TRUE;
  }
  guint atomic = hy_part_of(room->first_flag, room->diagram.flat->n, flag);
  const HyKind *kind = room->kind[atomic];
  const HyNode *n = &kind->node[hy_kind_mode(kind, flag - room->first_flag[atomic])];
  HyStandaloneMode mode = {.flag = flag, .rises = hy_derive_node(m->d, atomic, n->a)};
  mode.falls = n->a == n->c ? mode.rises : hy_derive_node(m->d, atomic, n->c);
  if (mode.rises == HY_NO_ROW || mode.falls == HY_NO_ROW) {
    return hy_standalone_refuse(
        m, atomic, "what decides its mode is no equation of states and sources", error);
  }
  g_array_append_val(m->mode, mode);
  m->flag_at[flag] = m->mode->len;
  meet_row(m, mode.rises);
  meet_row(m, mode.falls);
  return TRUE;
}

static gboolean meet_slot(HyStandaloneMaker *m, guint32 slot, GError **error)
{
  const HyFlat *flat = m->room->diagram.flat;
  if (slot >= flat->first_out[flat->n]) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "the equations read an input port of the model itself; give it a source");
    return FALSE;
  }
  guint atomic = flat->owner[slot];
  const HyHub *hub = hy_rows_hub(&m->rows, slot);
  if (m->place[slot] > 0) {
    return TRUE;
  }
  m->place[slot] = 1;
  if (hub != NULL) {
    g_array_append_val(m->hub, slot);
    meet_row(m, hub->row);
    return TRUE;
  }
  if (m->room->kind[atomic] != NULL) {
    return hy_standalone_refuse(
        m, atomic, "it reads an input of the model itself, or is too large an equation", error);
  }
  if (m->follows[atomic] || m->room->members.state_at[atomic] != 0) {
    return hy_standalone_refuse(m, atomic,
                                "the equations read it, and what it says follows states but "
                                "is no function of them now, as of a delay, a sampler, a discrete "
                                "block or a solved loop: a system of equations cannot say that",
                                error);
  }
  g_array_append_val(m->source, slot);
  return TRUE;
}

static gboolean meet_all(HyStandaloneMaker *m, GError **error)
{
  for (guint k = 0; k < m->row->len; k++) {
    guint32 row = hy_nth(m->row, k);
    const HyTemplate *t = hy_row_template(&m->rows, row);
    for (guint i = 0; i < t->n_slots; i++) {
      if (!meet_slot(m, hy_row_slots(&m->rows, row)[i], error)) {
        return FALSE;
      }
    }
    for (guint i = 0; i < t->n_flags; i++) {
      if (!meet_flag(m, hy_row_flags(&m->rows, row)[i], error)) {
        return FALSE;
      }
    }
  }
  return TRUE;
}

static gboolean meet_states(HyStandaloneMaker *m, GError **error)
{
  const HyRoom *room = m->room;
  const HyFlat *flat = room->diagram.flat;
  for (guint k = 0; k < m->n; k++) {
    const HyRoomState *s = hy_room_state(room, k);
    guint source = room->diagram.sources->slot[room->diagram.sources->first[s->atomic]];
    guint32 slot = flat->first_out[s->atomic], row = HY_NO_ROW;
    if (!s->member->plain) {
      return hy_standalone_refuse(
          m, s->atomic,
          "it does more than follow its derivative (it is set anew, or has limits): a "
          "system of equations cannot say that",
          error);
    }
    if (!s->wired) {
      row = hy_derive_number(m->d, s->number);
    } else if (source < flat->first_out[flat->n]) {
      row = hy_derive_signal(m->d, source, slot);
    }
    if (row == HY_NO_ROW) {
      return hy_standalone_refuse(
          m, s->atomic, "its derivative comes from outside, or is too large an equation", error);
    }
    meet_row(m, row);
    m->place[slot] = k + 1;
  }
  return TRUE;
}

static gint by_number(gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
  return (x > y) - (x < y);
}

/* A hub stands after those that it is made of, which stand before it in the order of ties. */
static void place_slots(HyStandaloneMaker *m)
{
  g_array_sort(m->source, by_number);
  g_array_sort(m->hub, by_number);
  for (guint k = 0; k < m->source->len; k++) {
    m->place[hy_nth(m->source, k)] = m->n + k + 1;
  }
  for (guint k = 0; k < m->hub->len; k++) {
    m->place[hy_nth(m->hub, k)] = m->n + m->source->len + k + 1;
  }
}

gboolean hy_standalone_meet(HyStandaloneMaker *m, GError **error)
{
  gboolean ok = meet_states(m, error) && meet_all(m, error);
  if (ok) {
    place_slots(m);
  }
  return ok;
}

/* Life ------------------------------------------------------------------------------------------
 */

void hy_standalone_init(HyStandaloneMaker *m)
{
  const HyDiagram *g = &m->room->diagram;
  m->n = m->room->states->len;
  hy_rows_init(&m->rows);
  m->d = hy_deriver_new(g, &m->rows);
  m->row = g_array_new(FALSE, FALSE, sizeof(guint32));
  m->row_met = g_hash_table_new(NULL, NULL);
  m->place = g_new0(guint32, (gsize)g->flat->first_out[g->flat->n] + 1);
  m->flag_at = g_new0(guint32, (gsize)m->room->first_flag[g->flat->n] + 1);
  m->source = g_array_new(FALSE, FALSE, sizeof(guint32));
  m->hub = g_array_new(FALSE, FALSE, sizeof(guint32));
  m->mode = g_array_new(FALSE, FALSE, sizeof(HyStandaloneMode));
  m->form = g_ptr_array_new();
  m->form_of = g_hash_table_new(NULL, NULL);
  find_followers(m);
}

void hy_standalone_clear(HyStandaloneMaker *m)
{
  hy_deriver_free(m->d);
  hy_rows_clear(&m->rows);
  GArray *const lists[] = {m->row, m->source, m->hub, m->mode};
  for (guint k = 0; k < G_N_ELEMENTS(lists); k++) {
    g_array_unref(lists[k]);
  }
  g_hash_table_unref(m->row_met);
  g_hash_table_unref(m->form_of);
  g_ptr_array_unref(m->form);
  g_free(m->place);
  g_free(m->flag_at);
  g_free(m->follows);
}
