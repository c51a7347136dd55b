/* A drawing for couplings: blocks in columns by how far they are from a source, an output's line
 * with a junction for each receiver.
 *
 * A chain of junctions, source - pn, pn - first receiver, pn - pn-1, pn-1 - second, ..., is
 * resolved by PowerDEVS from p1 on, and the source meets the receivers only at the last, pn, whose
 * list has them in this order by then (pdm_couple.c): so they get their events in it. */
#include "editor-export/pdm_classes.h"
#include "editor-export/pdm_export.h"

#include <string.h>

#define COLUMN 1500 /* twips from one block to the next */
#define ROW    1200
#define SIZE   675
#define PORT   480

/* Columns ---------------------------------------------------------------------------------------
 */

/* The longest way to each block, as far as there are no circles: a line back to a column that is
 * already further left moves nothing after as many rounds as there are blocks. */
static guint *columns_of(const PdmBlock *b)
{
  guint *column = g_new0(guint, b->blocks->len + 1);
  gboolean moved = TRUE;
  for (guint round = 0; moved && round < MIN(b->blocks->len, 12); round++) {
    moved = FALSE;
    for (guint k = 0; k < b->couplings->len; k++) {
      const PdmCoupling *c = &g_array_index(b->couplings, PdmCoupling, k);
      if (c->from >= 0 && c->to >= 0 && c->from < c->to && column[c->to] <= column[c->from]) {
        column[c->to] = column[c->from] + 1;
        moved = TRUE;
      }
    }
  }
  return column;
}

/* Below all blocks and ports that have a place. */
static int bottom_of(const PdmBlock *block)
{
  int bottom = 0;
  for (guint k = 0; k < block->blocks->len; k++) {
    const PdmBlock *b = g_ptr_array_index(block->blocks, k);
    bottom = b->width > 0 ? MAX(bottom, b->y + b->height + ROW - SIZE) : bottom;
  }
  for (guint k = 0; k < block->ports->len; k++) {
    const PdmPort *p = &g_array_index(block->ports, PdmPort, k);
    bottom = p->size > 0 ? MAX(bottom, p->y + p->size + ROW - SIZE) : bottom;
  }
  return bottom;
}

/* Blocks without a place stand below those that have one. */
static void draw_blocks(PdmBlock *block)
{
  g_autofree guint *column = columns_of(block), *row = g_new0(guint, block->blocks->len + 2);
  guint most = 0;
  int top = bottom_of(block);
  for (guint k = 0; k < block->blocks->len; k++) {
    PdmBlock *b = g_ptr_array_index(block->blocks, k);
    most = MAX(most, column[k]);
    if (b->width > 0) {
      continue; /* it has a place */
    }
    b->x = (int)(COLUMN * (column[k] + 1));
    b->y = top + (int)(ROW * row[column[k]]++);
    b->width = SIZE;
    b->height = SIZE;
  }
  int in = 0, out = 0;
  for (guint k = 0; k < block->ports->len; k++) {
    PdmPort *p = &g_array_index(block->ports, PdmPort, k);
    if (p->size > 0) {
      continue;
    }
    p->x = p->out ? (int)(COLUMN * (most + 2)) : 0;
    p->y = top + ROW * (p->out ? out++ : in++);
    p->size = PORT;
  }
}

/* Lines -----------------------------------------------------------------------------------------
 */

/* The drawing of port NUMBER of the model itself, from 1. */
static int drawing_of(const PdmBlock *b, gboolean out, int number)
{
  for (guint k = 0; k < b->ports->len; k++) {
    const PdmPort *p = &g_array_index(b->ports, PdmPort, k);
    if (p->out == out && p->number == number + 1) {
      return (int)k + 1;
    }
  }
  return 1;
}

static PdmEnd end_at(const PdmBlock *b, int k, int port, gboolean says)
{
  if (k < 0) {
    return (PdmEnd){PDM_PORT, drawing_of(b, !says, port), 1, 0};
  }
  return (PdmEnd){PDM_BLOCK, k + 1, port + 1, says ? 0 : -1};
}

/* Where an end is drawn. */
static void place_of(const PdmBlock *b, const PdmEnd *e, int *x, int *y)
{
  if (e->kind == PDM_POINT) {
    const PdmPoint *p = &g_array_index(b->points, PdmPoint, (guint)e->n - 1);
    *x = p->x;
    *y = p->y;
  } else if (e->kind == PDM_PORT) {
    const PdmPort *p = &g_array_index(b->ports, PdmPort, (guint)e->n - 1);
    *x = p->x + (p->out ? 0 : p->size);
    *y = p->y + p->size / 2;
  } else {
    const PdmBlock *c = g_ptr_array_index(b->blocks, (guint)e->n - 1);
    int n = MAX(1, e->flag == 0 ? c->n_out : c->n_in);
    *x = c->x + (e->flag == 0 ? c->width : 0);
    *y = c->y + c->height * (2 * e->port - 1) / (2 * n);
  }
}

/* From one to the other, square: straight on, or around below all blocks if it leads back or past
 * other columns. NET keeps lines of different outputs apart. */
static void add_line(PdmFile *file, PdmBlock *b, PdmEnd from, PdmEnd to, guint net)
{
  int x0, y0, x1, y1, aside = 30 * (int)(net % 9);
  place_of(b, &from, &x0, &y0);
  place_of(b, &to, &x1, &y1);
  int middle = from.kind == PDM_POINT ? x0 : (x0 + x1) / 2 - 120 + aside;
  int below = bottom_of(b) - 90 + 45 * (int)(net % 32), before = x1 - 120 - aside;
  g_autofree char *x = NULL, *y = NULL;
  if (x1 > x0 && x1 - x0 <= COLUMN && y0 == y1) {
    x = g_strdup_printf("%d ; %d", x0, x1);
    y = g_strdup_printf("%d ; %d", y0, y1);
  } else if (x1 > x0 && x1 - x0 <= COLUMN) {
    x = g_strdup_printf("%d ; %d ; %d ; %d", x0, middle, middle, x1);
    y = g_strdup_printf("%d ; %d ; %d ; %d", y0, y0, y1, y1);
  } else {
    int after = from.kind == PDM_POINT ? x0 : x0 + 120 + aside;
    x = g_strdup_printf("%d ; %d ; %d ; %d ; %d ; %d", x0, after, after, before, before, x1);
    y = g_strdup_printf("%d ; %d ; %d ; %d ; %d ; %d", y0, y0, below, below, y1, y1);
  }
  PdmLine l = {.end = {from, to}, .x = pdm_keep(file, x), .y = pdm_keep(file, y), .line = b->line};
  g_array_append_val(b->lines, l);
  for (guint k = 0; k < 2; k++) {
    int number = (int)b->lines->len;
    if (l.end[k].kind == PDM_POINT) {
      g_array_append_val(g_array_index(b->points, PdmPoint, (guint)l.end[k].n - 1).lines, number);
    }
  }
}

/* The junctions of a net with N receivers: that of the first receiver, which is next to the source,
 * has the last number. */
static void add_points(PdmFile *file, PdmBlock *b, const PdmEnd *source, guint n)
{
  int x, y;
  place_of(b, source, &x, &y);
  for (guint k = 0; k < n; k++) {
    PdmPoint p = {.lines = g_array_new(FALSE, FALSE, sizeof(int)),
                  .ends = pdm_keep(file, "Org ; Org ; Org"),
                  .x = x + 150 + 60 * (int)(n - 1 - k),
                  .y = y,
                  .line = b->line};
    g_array_append_val(b->points, p);
  }
}

/* All that one output feeds, in the order of the couplings. */
static void draw_net(PdmFile *file, PdmBlock *b, guint first, guint net)
{
  PdmCoupling c = g_array_index(b->couplings, PdmCoupling, first);
  PdmEnd from = end_at(b, c.from, c.from_port, TRUE);
  guint left = 0;
  for (guint k = first; k < b->couplings->len; k++) {
    const PdmCoupling *o = &g_array_index(b->couplings, PdmCoupling, k);
    left += o->from == c.from && o->from_port == c.from_port;
  }
  add_points(file, b, &from, left - 1);
  int point = (int)b->points->len;
  for (guint k = first; k < b->couplings->len; k++) {
    const PdmCoupling *o = &g_array_index(b->couplings, PdmCoupling, k);
    if (o->from != c.from || o->from_port != c.from_port) {
      continue;
    }
    PdmEnd to = end_at(b, o->to, o->to_port, FALSE);
    if (--left > 0) {
      PdmEnd junction = {PDM_POINT, point--, -1, 0};
      add_line(file, b, from, junction, net);
      add_line(file, b, junction, to, net);
      from = junction;
    } else {
      add_line(file, b, from, to, net);
    }
  }
}

static void draw_lines(PdmFile *file, PdmBlock *block)
{
  guint net = 0;
  for (guint k = 0; k < block->couplings->len; k++) {
    const PdmCoupling *c = &g_array_index(block->couplings, PdmCoupling, k);
    gboolean first = TRUE;
    for (guint j = 0; j < k && first; j++) {
      const PdmCoupling *o = &g_array_index(block->couplings, PdmCoupling, j);
      first = o->from != c->from || o->from_port != c->from_port;
    }
    if (first) {
      draw_net(file, block, k, net++);
    }
  }
}

/* What a .pds has not ----------------------------------------------------------------------------
 */

static void name_block(PdmFile *file, PdmBlock *b, guint k)
{
  const PdmClass *klass = b->coupled ? NULL : pdm_class(b->path);
  g_autofree char *name = g_strdup_printf("%s %u",
                                          b->coupled      ? "Coupled"
                                          : klass != NULL ? klass->block
                                                          : "Block",
                                          k);
  b->drawn = TRUE;
  b->name = pdm_keep(file, name);
  b->icon = "None";
  b->color = 15;
  for (guint p = 0; p < b->params->len; p++) {
    PdmParam *param = &g_array_index(b->params, PdmParam, p);
    const PdmRow *row = klass != NULL ? pdm_class_row(klass, p) : NULL;
    g_autofree char *other = g_strdup_printf("p%u", p + 1);
    gboolean inputs = row != NULL && strcmp(row->usual, "%Inputs") == 0;
    b->n_in = inputs ? MAX(b->n_in, (int)g_ascii_strtod(param->value, NULL)) : b->n_in;
    g_auto(GStrv) parts = g_strsplit(inputs ? "%Inputs" : param->value, ";", -1);
    g_autofree char *escaped = g_strjoinv("\\;", parts);
    g_autofree char *raw = g_strdup_printf("%s; %s ; ", inputs ? "Str" : param->type, escaped);
    param->name = row != NULL ? row->theirs : pdm_keep(file, other);
    param->value = inputs ? "%Inputs" : param->value;
    param->type = inputs ? "Str" : param->type;
    param->raw = pdm_keep(file, raw);
  }
}

static void name_ports(PdmFile *file, PdmBlock *b)
{
  for (guint side = 0; side < 2 && b->ports->len < (guint)(b->n_in + b->n_out); side++) {
    for (int k = 0; k < (side == 0 ? b->n_in : b->n_out); k++) {
      g_autofree char *name = g_strdup_printf("%s%d", side == 0 ? "Inport" : "Outport", k);
      PdmPort p = {.out = side == 1,
                   .name = pdm_keep(file, name),
                   .doc = "",
                   .direction = "Right",
                   .number = k + 1,
                   .line = b->line};
      g_array_append_val(b->ports, p);
    }
  }
}

static void draw(PdmFile *file, PdmBlock *b)
{
  name_ports(file, b);
  for (guint k = 0; k < b->blocks->len; k++) {
    PdmBlock *child = g_ptr_array_index(b->blocks, k);
    if (!child->drawn) {
      name_block(file, child, k);
    }
    if (child->coupled) {
      draw(file, child);
    }
  }
  draw_blocks(b);
  draw_lines(file, b);
}

void pdm_draw_all(PdmFile *file)
{
  file->root->drawn = TRUE;
  draw(file, file->root);
}
