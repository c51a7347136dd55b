/* Rows, partial derivatives and modes as text. A node becomes text with a precedence, and brackets
 * come only where the text would be read as another order of operations: a - (b + c), and (a - b)
 * + c without them. Numbers are the shortest that read back as the same; a + (-b) is written a -
 * b, and a mode of x - 0.5 as x > 0.5, as a person would. A node that is used twice is written
 * twice. */
#include "print.h"
#include "base/number.h"
#include "expr/print.h"
#include "hydevs/trace.h"
#include "owned.h"
#include "readings.h"

#include <math.h>
#include <string.h>

#define TEXT_MAX  20000U /* characters of one expression */
#define DEPTH_MAX 1000U

/* An expression and what its leaves stand for. */
typedef struct {
  const HyRoom *room;
  HyXBuilder b;
  const guint32 *slot, *flag; /* of a row */
  const double *number;
  guint n_slots;
  guint atomic; /* without SLOT: inputs and modes are those of this block */
} Printer;

/* Names --------------------------------------------------------------------------------------- */

char *hy_print_block_path(const HyRoom *room, guint atomic)
{
  const HyFlat *flat = room->diagram.flat;
  return hy_model_path(hy_flat_model(flat, atomic), hy_flat_component(flat, atomic));
}

guint hy_print_slot_atomic(const HyRoom *room, guint slot)
{
  return room->diagram.flat->owner[slot];
}

/* By the path of the block, with the port where it has several. */
char *hy_print_slot(const HyRoom *room, guint slot)
{
  const HyFlat *flat = room->diagram.flat;
  if (slot >= flat->first_out[flat->n]) {
    return g_strdup_printf("input[%u]", slot - flat->first_out[flat->n] + 1);
  }
  guint atomic = hy_print_slot_atomic(room, slot);
  char *path = hy_print_block_path(room, atomic);
  if (flat->first_out[atomic + 1] - flat->first_out[atomic] == 1) {
    return path;
  }
  g_autofree char *block = path;
  g_autofree char *port = hy_model_out_name(
      hy_flat_model(flat, atomic), hy_flat_component(flat, atomic), slot - flat->first_out[atomic]);
  return g_strdup_printf("%s.%s", block, port);
}

char *hy_print_flag(const HyRoom *room, guint atomic, guint mode)
{
  g_autofree char *block = hy_print_block_path(room, atomic);
  return g_strdup_printf("%s:%u", block, mode + 1);
}

/* A flag by its number among those of all blocks. */
static char *flag_name(const HyRoom *room, guint32 flag)
{
  guint atomic = hy_part_of(room->first_flag, room->diagram.flat->n, flag);
  return hy_print_flag(room, atomic, flag - room->first_flag[atomic]);
}

/* What arrives at an input of a block. */
static char *input_name(const HyRoom *room, guint atomic, guint port)
{
  const HyFlat *flat = room->diagram.flat;
  const HyFlatSources *sources = room->diagram.sources;
  guint slot = sources->slot[sources->first[atomic] + port];
  if (slot != HY_NO_SOURCE && slot != HY_MANY_SOURCES) {
    return hy_print_slot(room, slot);
  }
  g_autofree char *block = hy_print_block_path(room, atomic);
  g_autofree char *name =
      hy_model_in_name(hy_flat_model(flat, atomic), hy_flat_component(flat, atomic), port);
  return g_strdup_printf("%s.%s", block, name);
}

/* Expressions --------------------------------------------------------------------------------- */

static void put_leaf(gpointer user, HyX x, GString *out)
{
  const Printer *p = user;
  const HyNode *n = &p->b.node[x];
  g_autofree char *name =
      n->op == HY_X_FLAG   ? flag_name(p->room, p->flag[n->a])
      : n->op == HY_X_MODE ? hy_print_flag(p->room, p->atomic, p->room->kind[p->atomic]->mode_of[x])
      : p->slot != NULL    ? hy_print_slot(p->room, p->slot[n->a])
                           : input_name(p->room, p->atomic, n->a);
  g_string_append(out, name);
}

static char *text_of(Printer *p, HyX root)
{
  GString *out = g_string_new(NULL);
  HyXPrinter printer = {.node = p->b.node,
                        .number = p->number,
                        .leaf = put_leaf,
                        .user = p,
                        .most = TEXT_MAX,
                        .deepest = DEPTH_MAX};
  hy_x_print(&printer, root, out);
  if (printer.cut) {
    g_string_truncate(out, (gsize)(strstr(out->str, "...") - out->str));
    g_string_append_printf(out, "... (%u operations)", p->b.n);
  }
  return g_string_free(out, FALSE);
}

static Printer printer_of_row(const HyRoom *room, guint32 row)
{
  const HyTemplate *t = hy_row_template(&room->rows, row);
  return (Printer){.room = room,
                   .b = {.node = t->node, .n = t->n_nodes},
                   .slot = hy_row_slots(&room->rows, row),
                   .flag = hy_row_flags(&room->rows, row),
                   .number = hy_row_numbers(&room->rows, row),
                   .n_slots = t->n_slots};
}

char *hy_print_row(const HyRoom *room, guint32 row)
{
  Printer p = printer_of_row(room, row);
  return text_of(&p, p.b.n - 1);
}

/* A derivative with the numbers of the row in place of their inputs. */
static HyX with_numbers(gpointer user, HyXBuilder *b, HyX x, const HyNode *n)
{
  const Printer *p = user;
  gboolean number = n->op == HY_X_IN && n->a >= p->n_slots;
  return number ? hy_x_const(b, p->number[n->a - p->n_slots]) : hy_x_same_leaf(NULL, b, x, n);
}

/* The derivative of the row's template, with the numbers of the row folded into it. */
char *hy_print_partial(const HyRoom *room, guint32 row, guint slot)
{
  Printer p = printer_of_row(room, row);
  const HyTemplate *t = hy_row_template(&room->rows, row);
  g_autoptr(HyXBuilder) general = hy_x_builder_new();
  g_autoptr(HyXBuilder) b = hy_x_builder_new();
  HyX d = hy_template_differentiate(t, slot, general);
  g_autofree guint8 *need = g_new0(guint8, general->n);
  g_autofree HyX *map = g_new0(HyX, general->n);
  hy_x_reach(general, &d, 1, TRUE, need);
  HyXMap m = {b, general->node, map, with_numbers, &p};
  hy_x_map(&m, d + 1, need);
  p.b = *b;
  return text_of(&p, map[d]);
}

/* Modes --------------------------------------------------------------------------------------- */

guint hy_print_n_flags(const HyRoom *room, guint atomic)
{
  return room->kind[atomic] != NULL ? room->kind[atomic]->n_modes : 0;
}

static char *side(const HyRoom *room, guint atomic, HyX x)
{
  const HyKind *kind = room->kind[atomic];
  Printer p = {.room = room, .b = {.node = kind->node, .n = kind->n_nodes}, .atomic = atomic};
  return text_of(&p, x);
}

/* x - 0.5 > 0 is written x > 0.5, with whatever is taken away on the right. */
static char *above(const HyRoom *room, guint atomic, HyX z, const char *sign)
{
  const HyNode *n = &room->kind[atomic]->node[z];
  g_autofree char *left = side(room, atomic, n->op == HY_X_SUB ? n->a : z);
  g_autofree char *right = n->op == HY_X_SUB ? side(room, atomic, n->b) : g_strdup("0");
  return g_strdup_printf("%s %s %s", left, sign, right);
}

char *hy_print_condition(const HyRoom *room, guint atomic, guint mode)
{
  const HyKind *kind = room->kind[atomic];
  const HyNode *n = &kind->node[hy_kind_mode(kind, mode)];
  char *rises = above(room, atomic, n->a, ">");
  if (n->a == n->c) {
    return rises;
  }
  g_autofree char *from = rises, *to = above(room, atomic, n->c, "<");
  return g_strdup_printf("from %s until %s", from, to);
}

static char *first_of_group(const HyRoom *room, guint group)
{
  return hy_print_block_path(room, hy_room_state(room, hy_room_group(room, group)->first)->atomic);
}

char *hy_print_owner(const HyRoom *room, guint atomic)
{
  for (guint k = 0; k < room->owned->len; k++) {
    if (hy_owned(room, k)->atomic == atomic) {
      return first_of_group(room, hy_owned(room, k)->group);
    }
  }
  return NULL;
}

void hy_print_mark_owned(const HyRoom *room, guint8 *mark)
{
  for (guint k = 0; k < room->owned->len; k++) {
    mark[hy_owned(room, k)->flag] = 1;
  }
}

guint hy_print_n_readings(const HyRoom *room)
{
  return room->readings->len;
}

gboolean hy_print_reading_is_shown(const HyRoom *room, guint reading)
{
  const HyFlat *flat = room->diagram.flat;
  const HyReading *r = hy_reading(room, reading);
  gboolean shown = r->heard || flat->start[r->slot] == flat->start[r->slot + 1];
  for (guint k = flat->start[r->slot]; k < flat->start[r->slot + 1]; k++) {
    shown |= room->kind[flat->targets[k].atomic] != NULL;
  }
  return shown;
}

char *hy_print_reading(const HyRoom *room, guint reading)
{
  return hy_print_slot(room, hy_reading(room, reading)->slot);
}

guint32 hy_print_reading_row(const HyRoom *room, guint reading)
{
  return hy_reading(room, reading)->row;
}

char *hy_print_reader(const HyRoom *room, guint reading)
{
  return hy_print_reader_of(room, hy_reading(room, reading));
}

char *hy_print_reader_of(const HyRoom *room, const HyReading *reading)
{
  return reading != NULL ? first_of_group(room, reading->group) : NULL;
}

/* --------------------------------------------------------------------------------------------- */

guint hy_print_n_states(const HyRoom *room)
{
  return room->states->len;
}

guint hy_print_state_atomic(const HyRoom *room, guint state)
{
  return hy_room_state(room, state)->atomic;
}

const char *hy_print_block(const HyRoom *room, guint state, guint *block)
{
  const HyMember *m = hy_room_state(room, state)->member;
  *block = m->group;
  return m->family == HY_FAMILY_BLOCK ? hy_room_group(room, m->group)->why : NULL;
}

guint32 hy_print_state_row(const HyRoom *room, guint state)
{
  return room->derived ? hy_room_state(room, state)->row : HY_NO_ROW;
}

const HyRows *hy_print_rows(const HyRoom *room)
{
  return room->derived ? &room->rows : NULL;
}
