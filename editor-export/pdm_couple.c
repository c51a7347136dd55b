/* From a drawing to couplings: the junctions of a net are taken away one by one, each time joining
 * what met there, until only lines between ports are left.
 *
 *   W = the lines. For point 1, 2, ...: for each pair i < j of its list, append to W the line
 *   between the far ends of i and j, and its number to the list of a later point at its end.
 *
 * What touches a point, an open end, or joins two outputs or two inputs is dropped; of equal ones
 * the last is kept. The order of what remains is the order in which an event reaches its receivers,
 * so it is that of PowerDEVS. Where an input port and an output of a block drive one net, PowerDEVS
 * makes a coupling that nobody drew; here those who say are joined with those who hear, and no
 * others. */
#include "editor-export/pdm.h"

#define MAX_WIRES 200000 /* of one coupled model while junctions are taken away */

typedef struct {
  PdmEnd end[2];
  guint line;
} Wire;

typedef struct {
  const PdmFile *file;
  HyReport *report;
  PdmBlock *block;
  GArray *wires;    /* Wire */
  GPtrArray *meets; /* of each point: GArray of guint, wires */
  gboolean failed;
} Net;

static gboolean wrong(Net *n, guint line, const char *format, ...) G_GNUC_PRINTF(3, 4);
static gboolean wrong(Net *n, guint line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  hy_report_error(n->report, n->file->file, line, "%s", text);
  n->failed = TRUE;
  return FALSE;
}

/* Whether the parts of a line exist --------------------------------------------------------------
 */

static gboolean check_number(Net *n, guint line, const char *what, int number, guint known)
{
  if (number < 1 || (guint)number > known) {
    return wrong(n, line, "the line ends at %s %d; there %s %u", what, number,
                 known == 1 ? "is" : "are", known);
  }
  return TRUE;
}

static gboolean check_end(Net *n, const PdmLine *l, const PdmEnd *end)
{
  const PdmBlock *b = n->block;
  if (end->kind == PDM_POINT) {
    return check_number(n, l->line, "point", end->n, b->points->len);
  }
  if (end->kind == PDM_PORT) {
    return check_number(n, l->line, "port drawing", end->n, b->ports->len);
  }
  if (end->kind == PDM_LOOSE) {
    return TRUE;
  }
  if (!check_number(n, l->line, "block", end->n, b->blocks->len)) {
    return FALSE;
  }
  const PdmBlock *child = g_ptr_array_index(b->blocks, (guint)end->n - 1);
  if (end->flag != 0 && end->flag != -1) {
    return wrong(n, l->line,
                 "an end at a block is \"Cmp ; n ; port ; f\" with f = 0 for an output "
                 "and -1 for an input, and not %d",
                 end->flag);
  }
  int known = end->flag == 0 ? child->n_out : child->n_in;
  if (end->port < 1 || end->port > known) {
    return wrong(n, l->line, "the line ends at %s %d of \"%s\", which has %d",
                 end->flag == 0 ? "output" : "input", end->port, child->name, known);
  }
  return TRUE;
}

/* The wires at each point, from the lines; the lists of the points must say the same. */
static gboolean check_points(Net *n)
{
  const PdmBlock *b = n->block;
  for (guint k = 0; k < b->points->len; k++) {
    const PdmPoint *p = &g_array_index(b->points, PdmPoint, k);
    GArray *list = g_ptr_array_index(n->meets, k);
    if (p->lines->len != 3) {
      hy_report_warning(
          n->report, n->file->file, p->line,
          "point %u joins %u lines; the editor of PowerDEVS saves none but those of 3", k + 1,
          p->lines->len);
    }
    for (guint i = 0; i < p->lines->len; i++) {
      int number = g_array_index(p->lines, int, i);
      if (number < 1 || (guint)number > b->lines->len) {
        return wrong(n, p->line, "point %u names line %d; there are %u", k + 1, number,
                     b->lines->len);
      }
      const PdmLine *l = &g_array_index(b->lines, PdmLine, (guint)number - 1);
      if (!(l->end[0].kind == PDM_POINT && l->end[0].n == (int)k + 1) &&
          !(l->end[1].kind == PDM_POINT && l->end[1].n == (int)k + 1)) {
        return wrong(n, p->line,
                     "point %u names line %d, which does not end there (line %u of the "
                     "file)",
                     k + 1, number, l->line);
      }
      guint wire = (guint)number - 1;
      g_array_append_val(list, wire);
    }
  }
  return TRUE;
}

static gboolean names_line(const PdmPoint *p, guint line)
{
  for (guint k = 0; k < p->lines->len; k++) {
    if (g_array_index(p->lines, int, k) == (int)line) {
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean check_lines(Net *n)
{
  const PdmBlock *b = n->block;
  for (guint k = 0; k < b->lines->len; k++) {
    const PdmLine *l = &g_array_index(b->lines, PdmLine, k);
    for (guint e = 0; e < 2; e++) {
      if (!check_end(n, l, &l->end[e])) {
        return FALSE;
      }
      if (l->end[e].kind == PDM_POINT &&
          !names_line(&g_array_index(b->points, PdmPoint, (guint)l->end[e].n - 1), k + 1)) {
        return wrong(n, l->line, "line %u ends at point %d, which does not name it", k + 1,
                     l->end[e].n);
      }
    }
    Wire w = {{l->end[0], l->end[1]}, l->line};
    g_array_append_val(n->wires, w);
  }
  return TRUE;
}

/* Junctions --------------------------------------------------------------------------------------
 */

static PdmEnd far_end(const Wire *w, int point)
{
  return w->end[0].kind == PDM_POINT && w->end[0].n == point ? w->end[1] : w->end[0];
}

static void join(Net *n, int point, const Wire *a, const Wire *b)
{
  Wire w = {{far_end(a, point), far_end(b, point)}, a->line};
  guint number = n->wires->len;
  g_array_append_val(n->wires, w);
  for (guint e = 0; e < 2; e++) {
    if (w.end[e].kind == PDM_POINT && w.end[e].n > point) {
      g_array_append_val((GArray *)g_ptr_array_index(n->meets, (guint)w.end[e].n - 1), number);
    }
  }
}

static gboolean take_points_away(Net *n)
{
  for (guint k = 0; k < n->meets->len; k++) {
    const GArray *list = g_ptr_array_index(n->meets, k);
    for (guint i = 0; i < list->len; i++) {
      for (guint j = i + 1; j < list->len; j++) {
        Wire a = g_array_index(n->wires, Wire, g_array_index(list, guint, i));
        Wire b = g_array_index(n->wires, Wire, g_array_index(list, guint, j));
        join(n, (int)k + 1, &a, &b);
        if (n->wires->len > MAX_WIRES) {
          return wrong(n, n->block->line, "the junctions of \"%s\" make more than %d connections",
                       n->block->name, MAX_WIRES);
        }
      }
    }
  }
  return TRUE;
}

/* Couplings --------------------------------------------------------------------------------------
 */

/* Whether END says something, seen from inside the model. */
static gboolean says(const Net *n, const PdmEnd *end)
{
  return end->kind == PDM_BLOCK ? end->flag == 0
                                : !g_array_index(n->block->ports, PdmPort, (guint)end->n - 1).out;
}

/* The block and port of END, from 0; of a port drawing the number that it states. */
static void place(const Net *n, const PdmEnd *end, int *block, int *port)
{
  gboolean child = end->kind == PDM_BLOCK;
  *block = child ? end->n - 1 : -1;
  *port =
      child ? end->port - 1 : g_array_index(n->block->ports, PdmPort, (guint)end->n - 1).number - 1;
}

static gboolean is_port(const PdmEnd *end)
{
  return end->kind == PDM_BLOCK || end->kind == PDM_PORT;
}

static void keep_wire(Net *n, const Wire *w)
{
  if (!is_port(&w->end[0]) || !is_port(&w->end[1]) || says(n, &w->end[0]) == says(n, &w->end[1])) {
    return;
  }
  const PdmEnd *from = says(n, &w->end[0]) ? &w->end[0] : &w->end[1];
  const PdmEnd *to = from == &w->end[0] ? &w->end[1] : &w->end[0];
  PdmCoupling c = {.line = w->line};
  place(n, from, &c.from, &c.from_port);
  place(n, to, &c.to, &c.to_port);
  if (c.from >= 0 && c.from == c.to) {
    const PdmBlock *child = g_ptr_array_index(n->block->blocks, (guint)c.from);
    wrong(n, w->line, "output %d of \"%s\" leads to its own input %d; no block may feed itself",
          c.from_port + 1, child->name, c.to_port + 1);
    return;
  }
  g_array_append_val(n->block->couplings, c);
}

static guint coupling_hash(gconstpointer p)
{
  const PdmCoupling *c = p;
  return (guint)c->from * 7919U + (guint)c->from_port * 104729U + (guint)c->to * 31U +
         (guint)c->to_port;
}

static gboolean coupling_equal(gconstpointer p, gconstpointer q)
{
  const PdmCoupling *a = p, *b = q;
  return a->from == b->from && a->from_port == b->from_port && a->to == b->to &&
         a->to_port == b->to_port;
}

/* Of equal couplings the last stays. */
static void keep_last(PdmBlock *b)
{
  GArray *kept = g_array_new(FALSE, TRUE, sizeof(PdmCoupling));
  g_autoptr(GHashTable) known = g_hash_table_new(coupling_hash, coupling_equal);
  for (guint k = b->couplings->len; k-- > 0;) {
    PdmCoupling *c = &g_array_index(b->couplings, PdmCoupling, k);
    if (g_hash_table_add(known, c)) {
      g_array_append_val(kept, *c);
    }
  }
  for (guint k = 0; k < kept->len / 2; k++) {
    PdmCoupling *a = &g_array_index(kept, PdmCoupling, k);
    PdmCoupling *z = &g_array_index(kept, PdmCoupling, kept->len - 1 - k);
    PdmCoupling swap = *a;
    *a = *z;
    *z = swap;
  }
  g_array_unref(b->couplings);
  b->couplings = kept;
}

/* Each port of a coupled model has one drawing; PowerDEVS takes the numbers that they state. */
static void check_ports(Net *n)
{
  const PdmBlock *b = n->block;
  for (guint out = 0; out < 2; out++) {
    int known = out ? b->n_out : b->n_in, rank = 0;
    for (guint k = 0; k < b->ports->len; k++) {
      const PdmPort *p = &g_array_index(b->ports, PdmPort, k);
      if (p->out != (gboolean)out) {
        continue;
      }
      if (p->number < 1 || p->number > known) {
        wrong(n, p->line, "%s \"%s\": CoupledPort = %d, but \"%s\" has %d",
              out ? "outport" : "inport", p->name, p->number, b->name, known);
      } else if (p->number != ++rank) {
        hy_report_warning(n->report, n->file->file, p->line,
                          "%s \"%s\": CoupledPort = %d is taken; the editor of PowerDEVS takes %d, "
                          "its place in the file",
                          out ? "outport" : "inport", p->name, p->number, rank);
      }
    }
  }
}

static void free_list(gpointer list)
{
  g_array_unref(list);
}

static gboolean couple_one(const PdmFile *file, PdmBlock *block, HyReport *report)
{
  Net n = {file,
           report,
           block,
           g_array_new(FALSE, FALSE, sizeof(Wire)),
           g_ptr_array_new_with_free_func(free_list),
           FALSE};
  for (guint k = 0; k < block->points->len; k++) {
    g_ptr_array_add(n.meets, g_array_new(FALSE, FALSE, sizeof(guint)));
  }
  check_ports(&n);
  if (check_points(&n) && check_lines(&n) && !n.failed && take_points_away(&n)) {
    for (guint k = 0; k < n.wires->len; k++) {
      keep_wire(&n, &g_array_index(n.wires, Wire, k));
    }
    keep_last(block);
  }
  g_array_unref(n.wires);
  g_ptr_array_unref(n.meets);
  return !n.failed;
}

gboolean pdm_couple(const PdmFile *file, PdmBlock *block, HyReport *report)
{
  gboolean ok = couple_one(file, block, report);
  for (guint k = 0; k < block->blocks->len; k++) {
    PdmBlock *child = g_ptr_array_index(block->blocks, k);
    ok = (!child->coupled || pdm_couple(file, child, report)) && ok;
  }
  return ok;
}
