/* Places for the elements of a circuit. Each node is a column, in the order in which the file names
 * them; an element between two of them lies in a row, the lowest that is free from one column to
 * the other; one to the reference hangs below its node. What has more than two ends is a box in a
 * column of its own, with a row for each end. A node's column is a line down from its highest row.
 * Lines that cross are joined only where there is a dot. */
#include "pages/schematic.h"

#include "pages/diagram.h"

#include <math.h>
#include <string.h>

#define ROW     64.0 /* from row to row */
#define ELEMENT 48.0 /* an element from end to end */
#define LABEL   11.0

typedef struct {
  const char *node; /* NULL: of the box BOX */
  guint box;
  double x;
  guint shunts;     /* elements to the reference */
  gint top, bottom; /* rows at which something is joined to it; top < 0: none */
} Column;

typedef struct {
  guint part;
  gint from, to; /* columns; < 0: the reference */
  gint row;
  guint rows; /* of a box */
} Lie;

typedef struct {
  const HyLookPart *part;
  guint n;
  GArray *columns, *lies; /* Column, Lie */
  HySchematic *s;
} Plan;

static Column *column(const Plan *p, gint k)
{
  return &g_array_index(p->columns, Column, k);
}

static gboolean is_box(const HyLookPart *part)
{
  return part->end != NULL || part->n > 2;
}

static gint column_of(const Plan *p, const char *node)
{
  for (guint k = 0; k < p->columns->len; k++) {
    const Column *c = column(p, (gint)k);
    if (c->node != NULL && strcmp(c->node, node) == 0) {
      return (gint)k;
    }
  }
  return -1;
}

static void add_node(Plan *p, const char *node)
{
  Column c = {.node = node, .top = -1, .bottom = -1};
  if (strcmp(node, "0") != 0 && column_of(p, node) < 0) {
    g_array_append_val(p->columns, c);
  }
}

/* Ends at the left of a box: of a transformer its first winding, else all. */
static guint ends_left(const HyLookPart *part)
{
  return part->end != NULL ? part->n : part->n / 2;
}

static void find_columns(Plan *p)
{
  for (guint k = 0; k < p->n; k++) {
    const HyLookPart *part = &p->part[k];
    guint left = is_box(part) ? ends_left(part) : part->n;
    for (guint j = 0; j < left; j++) {
      add_node(p, part->node[j]);
    }
    if (is_box(part)) {
      Column c = {.box = k, .top = -1, .bottom = -1};
      g_array_append_val(p->columns, c);
    }
    for (guint j = left; j < part->n; j++) {
      add_node(p, part->node[j]);
    }
  }
}

static gint column_of_box(const Plan *p, guint part)
{
  gint k = 0;
  while (column(p, k)->node != NULL || column(p, k)->box != part) {
    k++;
  }
  return k;
}

/* Rows ----------------------------------------------------------------------------------------- */

static gboolean is_free(const Plan *p, gint row, gint from, gint to)
{
  for (guint k = 0; k < p->lies->len; k++) {
    const Lie *o = &g_array_index(p->lies, Lie, k);
    gboolean rows = row >= o->row && row < o->row + (gint)MAX(o->rows, 1);
    if (rows && o->from < to && from < o->to) {
      return FALSE;
    }
  }
  return TRUE;
}

static void join(Plan *p, gint at, gint row)
{
  Column *c = column(p, at);
  c->top = MAX(c->top, row);
  c->bottom = c->bottom < 0 ? row : MIN(c->bottom, row);
}

static void lie_down(Plan *p, guint part, gint a, gint b)
{
  Lie lie = {.part = part, .from = MIN(a, b), .to = MAX(a, b)};
  while (!is_free(p, lie.row, lie.from, lie.to)) {
    lie.row++;
  }
  g_array_append_val(p->lies, lie);
  join(p, a, lie.row);
  join(p, b, lie.row);
}

/* The columns that end J of a box reaches over, itself included. */
static void reach_of(const Plan *p, guint part, guint j, gint *from, gint *to)
{
  gint own = column_of_box(p, part), other = column_of(p, p->part[part].node[j]);
  *from = other < 0 ? own : MIN(own, other);
  *to = other < 0 ? own : MAX(own, other);
}

static guint rows_of(const HyLookPart *part)
{
  guint left = ends_left(part), right = part->n - left;
  return MAX(MAX(left, right), 1);
}

/* The row of end J of a box whose lowest row is ROW: the first end on top. */
static gint end_row(const HyLookPart *part, guint j, gint row)
{
  guint left = ends_left(part);
  return row + (gint)rows_of(part) - 1 - (gint)(j < left ? j : j - left);
}

static gboolean box_fits(const Plan *p, guint part, gint row)
{
  gint own = column_of_box(p, part), from, to;
  for (guint k = 0; k < rows_of(&p->part[part]); k++) {
    if (!is_free(p, row + (gint)k, own - 1, own + 1)) {
      return FALSE;
    }
  }
  for (guint j = 0; j < p->part[part].n; j++) {
    reach_of(p, part, j, &from, &to);
    if (from < to && !is_free(p, end_row(&p->part[part], j, row), from, to)) {
      return FALSE;
    }
  }
  return TRUE;
}

static void place_box(Plan *p, guint part)
{
  const HyLookPart *its = &p->part[part];
  gint row = 0, own = column_of_box(p, part), from, to;
  while (!box_fits(p, part, row)) {
    row++;
  }
  Lie lie = {part, own - 1, own + 1, row, rows_of(its)};
  g_array_append_val(p->lies, lie);
  for (guint j = 0; j < its->n; j++) {
    reach_of(p, part, j, &from, &to);
    Lie wire = {G_MAXUINT, from, to, end_row(its, j, row), 1};
    if (from < to) {
      g_array_append_val(p->lies, wire);
      join(p, from == own ? to : from, wire.row);
    }
  }
}

/* Whether PART hangs below node NODE; *PLUS: its plus is there. */
static gboolean hangs(const HyLookPart *part, const char *node, gboolean *plus)
{
  *plus = part->n == 2 && strcmp(part->node[0], node) == 0;
  return part->n == 2 && !is_box(part) && (*plus || strcmp(part->node[1], node) == 0) &&
         strcmp(part->node[*plus ? 1 : 0], "0") == 0;
}

/* Boxes first, as they need most; then elements from the shortest to the longest. */
static void find_rows(Plan *p)
{
  for (guint k = 0; k < p->n; k++) {
    if (is_box(&p->part[k])) {
      place_box(p, k);
    }
  }
  for (gint length = 1; length < (gint)p->columns->len; length++) {
    for (guint k = 0; k < p->n; k++) {
      const HyLookPart *part = &p->part[k];
      if (is_box(part) || part->n != 2) {
        continue;
      }
      gint a = column_of(p, part->node[0]), b = column_of(p, part->node[1]);
      if (a >= 0 && b >= 0 && ABS(a - b) == length) {
        lie_down(p, k, a, b);
      }
    }
  }
  for (gint c = 0; c < (gint)p->columns->len; c++) {
    gboolean plus;
    for (guint k = 0; column(p, c)->node != NULL && k < p->n; k++) {
      column(p, c)->shunts += hangs(&p->part[k], column(p, c)->node, &plus);
    }
  }
}

/* Places --------------------------------------------------------------------------------------- */

/* What stands beside an element: its name, and its value in a second line. */
static char *label_of(const HyLookPart *part)
{
  g_autofree char *value = part->value != NULL ? hy_text_fit(part->value, 16, 1) : NULL;
  return value != NULL ? g_strdup_printf("%s\n%s", part->name, value) : g_strdup(part->name);
}

static double label_width(const HyLookPart *part)
{
  g_autofree char *label = label_of(part);
  return hy_text_width(label, LABEL);
}

/* The widest label of what hangs below NODE, or lies above. */
static double widest(const Plan *p, const char *node, gboolean shunts)
{
  double w = 0;
  for (guint k = 0; k < p->n; k++) {
    const HyLookPart *part = &p->part[k];
    if (is_box(part) || part->n != 2) {
      continue;
    }
    gboolean at = strcmp(part->node[0], node) == 0 || strcmp(part->node[1], node) == 0;
    gboolean shunt = strcmp(part->node[0], "0") == 0 || strcmp(part->node[1], "0") == 0;
    w = at && shunt == shunts ? MAX(w, label_width(part)) : w;
  }
  return w;
}

static double box_width(const HyLookPart *part)
{
  double w = hy_text_width(part->name, 12) + 16;
  for (guint k = 0; part->end != NULL && k < part->n; k++) {
    w = MAX(w, hy_text_width(part->end[k], 10) + 40);
  }
  return 8 * ceil(MAX(w, 56) / 8);
}

static double pitch_of(const Plan *p, const Column *c)
{
  return 32 + widest(p, c->node, TRUE);
}

static void find_x(Plan *p)
{
  double x = 24;
  for (gint k = 0; k < (gint)p->columns->len; k++) {
    Column *c = column(p, k);
    if (c->node == NULL) {
      double w = box_width(&p->part[c->box]);
      c->x = x + w / 2;
      x += w + 24;
      continue;
    }
    double name = hy_text_width(c->node, 10);
    c->x = x;
    double hang = c->shunts > 0 ? pitch_of(p, c) * c->shunts : 0;
    double gap = MAX(ELEMENT + 24, MAX(widest(p, c->node, FALSE), 24) + name + 24);
    gboolean last = k + 1 == (gint)p->columns->len;
    x += ceil(MAX(last ? name / 2 + 8 : gap, hang));
  }
  p->s->w = x;
}

/* Drawing -------------------------------------------------------------------------------------- */

static void stroke(Plan *p, double x1, double y1, double x2, double y2)
{
  HyStroke s = {x1, y1, x2, y2};
  if (x1 != x2 || y1 != y2) {
    g_array_append_val(p->s->strokes, s);
  }
}

static void mark(Plan *p, double x, double y, const char *text)
{
  HyMark m = {x, y, text};
  g_array_append_val(p->s->marks, m);
}

static gint top_row(const Plan *p)
{
  gint top = 0;
  for (guint k = 0; k < p->lies->len; k++) {
    const Lie *o = &g_array_index(p->lies, Lie, k);
    top = MAX(top, o->row + (gint)MAX(o->rows, 1) - 1);
  }
  return top;
}

static double row_y(const Plan *p, gint row)
{
  return 40 + ROW * (top_row(p) - row);
}

/* From the heights of its rows to what hangs below it. */
static void draw_box(Plan *p, const Lie *lie)
{
  const HyLookPart *part = &p->part[lie->part];
  gint own = column_of_box(p, lie->part);
  HyPlacedPart at = {part, column(p, own)->x, 0, 0, box_width(part), 0};
  at.h = ROW * (rows_of(part) - 1) + 40;
  at.y = row_y(p, lie->row) - ROW * (rows_of(part) - 1) / 2;
  for (guint j = 0; j < part->n; j++) {
    gint other = column_of(p, part->node[j]);
    double y = row_y(p, end_row(part, j, lie->row));
    double edge = at.x + (j < ends_left(part) ? -at.w / 2 : at.w / 2);
    if (other < 0) {
      double out = edge + (j < ends_left(part) ? -8 : 8);
      stroke(p, edge, y, out, y);
      mark(p, out, y, "0");
    } else if ((other > own) == (j >= ends_left(part))) {
      stroke(p, edge, y, column(p, other)->x, y);
    } else { /* its node stands at the other side: round the box */
      double out = edge + (other > own ? -8 : 8), under = at.y + at.h / 2 + 6;
      stroke(p, edge, y, out, y);
      stroke(p, out, y, out, under);
      stroke(p, out, under, column(p, other)->x, under);
    }
  }
  g_array_append_val(p->s->parts, at);
}

static void draw_series(Plan *p, const Lie *lie)
{
  const HyLookPart *part = &p->part[lie->part];
  double y = row_y(p, lie->row), a = column(p, lie->from)->x, b = column(p, lie->to)->x;
  double next = column(p, lie->from + 1)->x;
  double middle = floor((a + (lie->to > lie->from + 1 ? next : b)) / 2);
  gint plus = column_of(p, part->node[0]);
  HyPlacedPart at = {part, middle, y, plus == lie->from ? 0 : 180, 0, 0};
  stroke(p, a, y, middle - ELEMENT / 2, y);
  stroke(p, middle + ELEMENT / 2, y, b, y);
  g_array_append_val(p->s->parts, at);
}

/* Whether element or wire LIE ends at column C. */
static gboolean ends_at(const Plan *p, const Lie *lie, const Column *c)
{
  gboolean box = lie->rows > 0 && lie->part != G_MAXUINT;
  return !box && (column(p, lie->from) == c || column(p, lie->to) == c);
}

/* A dot in each row of C where three ways meet: along the line from TOP to LOW, and aside. */
static void draw_dots(Plan *p, const Column *c, double top, double low)
{
  for (gint row = top_row(p); row >= 0; row--) {
    double y = row_y(p, row);
    guint aside = 0;
    for (guint k = 0; k < p->lies->len; k++) {
      const Lie *lie = &g_array_index(p->lies, Lie, k);
      aside += lie->row == row && ends_at(p, lie, c);
    }
    if (aside > 0 && aside + (y > top) + (y < low) > 2) {
      mark(p, c->x, y, NULL);
    }
  }
}

static void draw_hung(Plan *p, const Column *c, double bus, double pitch)
{
  guint n = 0;
  for (guint k = 0; k < p->n; k++) {
    gboolean plus;
    if (!hangs(&p->part[k], c->node, &plus)) {
      continue;
    }
    double x = c->x + pitch * n++;
    HyPlacedPart at = {&p->part[k], x, bus + 8 + ELEMENT / 2, plus ? 90 : 270, 0, 0};
    stroke(p, x, bus, x, bus + 8);
    stroke(p, x, bus + 8 + ELEMENT, x, bus + 16 + ELEMENT);
    mark(p, x, bus + 16 + ELEMENT, "0");
    g_array_append_val(p->s->parts, at);
    if (n < c->shunts && (n > 1 || c->top >= 0)) {
      mark(p, x, bus, NULL);
    }
  }
  stroke(p, c->x, bus, c->x + pitch * (n > 0 ? n - 1 : 0), bus);
}

/* What joins a node: a line down, dots, elements below. */
static void draw_column(Plan *p, const Column *c)
{
  double bus = row_y(p, 0) + (c->shunts > 0 ? 28 : 0);
  double top = c->top < 0 ? bus : row_y(p, c->top);
  double low = c->shunts > 0 ? bus : row_y(p, MAX(c->bottom, 0));
  stroke(p, c->x, top, c->x, low);
  mark(p, c->x, top - 5, c->node);
  draw_dots(p, c, top, low);
  draw_hung(p, c, bus, floor(pitch_of(p, c)));
}

HySchematic *hy_schematic_new(const HyLookPart *part, guint n)
{
  HySchematic *s = g_new0(HySchematic, 1);
  s->parts = g_array_new(FALSE, FALSE, sizeof(HyPlacedPart));
  s->strokes = g_array_new(FALSE, FALSE, sizeof(HyStroke));
  s->marks = g_array_new(FALSE, FALSE, sizeof(HyMark));
  Plan p = {part, n, g_array_new(FALSE, FALSE, sizeof(Column)),
            g_array_new(FALSE, FALSE, sizeof(Lie)), s};
  find_columns(&p);
  find_rows(&p);
  find_x(&p);
  gboolean shunts = FALSE;
  for (guint k = 0; k < p.lies->len; k++) {
    const Lie *lie = &g_array_index(p.lies, Lie, k);
    if (lie->rows > 0 && lie->part != G_MAXUINT) {
      draw_box(&p, lie);
    } else if (lie->part != G_MAXUINT) {
      draw_series(&p, lie);
    }
  }
  for (guint k = 0; k < p.columns->len; k++) {
    Column *c = column(&p, (gint)k);
    shunts |= c->shunts > 0;
    if (c->node != NULL) {
      draw_column(&p, c);
    }
  }
  s->h = row_y(&p, 0) + (shunts ? 28 + 16 + ELEMENT + 16 : 40);
  g_array_unref(p.columns);
  g_array_unref(p.lies);
  return s;
}

void hy_schematic_free(HySchematic *s)
{
  if (s != NULL) {
    g_array_unref(s->parts);
    g_array_unref(s->strokes);
    g_array_unref(s->marks);
  }
  g_free(s);
}
