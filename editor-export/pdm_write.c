/* The text of a .pdm, exactly as the editor of PowerDEVS writes it: keys in their order, four
 * blanks a level and braces one level further in. */
#include "editor-export/pdm.h"
#include "hydevs/text.h"

#include <stdarg.h>

typedef struct {
  GString *out;
  guint depth;
} Writer;

static void put(Writer *w, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void put(Writer *w, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  g_autofree char *line = hy_plain_text(text, FALSE);
  g_string_append_printf(w->out, "%*s%s\n", (int)(4 * w->depth), "", line);
}

static void open_section(Writer *w, const char *name)
{
  put(w, "%s", name);
  w->depth++;
  put(w, "{");
}

static void close_section(Writer *w)
{
  put(w, "}");
  w->depth--;
}

static void write_graphic(Writer *w, const PdmBlock *b)
{
  const char *gap = b->coupled ? "" : " ";
  open_section(w, "Graphic");
  put(w, "Position = %d%s; %d", b->x, gap, b->y);
  put(w, "Dimension = %d%s; %d", b->width, gap, b->height);
  put(w, "Direction = %s", *b->direction != '\0' ? b->direction : "Right");
  put(w, "Color = %d", b->color);
  put(w, "Icon = %s", b->icon);
  if (b->coupled) {
    put(w, "Window = %s", *b->window != '\0' ? b->window : "5000; 5000; 5000; 5000");
  }
  close_section(w);
}

static void write_parameters(Writer *w, const PdmBlock *b)
{
  open_section(w, "Parameters");
  for (guint k = 0; k < b->params->len; k++) {
    const PdmParam *p = &g_array_index(b->params, PdmParam, k);
    put(w, "%s = %s", p->name, p->raw);
  }
  close_section(w);
}

static void write_extra(Writer *w, const PdmBlock *b)
{
  if (b->extra->len > 0) {
    open_section(w, "Extra");
    for (guint k = 0; k < b->extra->len; k++) {
      put(w, "%s", g_array_index(b->extra, const char *, k));
    }
    close_section(w);
  }
}

static void write_port(Writer *w, const PdmPort *p)
{
  open_section(w, p->out ? "Outport" : "Inport");
  put(w, "Name = %s", p->name);
  put(w, "CoupledPort = %d", p->number);
  put(w, "Description = %s", p->doc);
  open_section(w, "Graphic");
  put(w, "Position = %d ; %d", p->x, p->y);
  put(w, "Dimension = %d", p->size);
  put(w, "Direction = %s", p->direction);
  close_section(w);
  close_section(w);
}

static void write_point(Writer *w, const PdmPoint *p)
{
  g_autoptr(GString) list = g_string_new(NULL);
  for (guint k = 0; k < p->lines->len; k++) {
    g_string_append_printf(list, "%s%d", k > 0 ? " ; " : "", g_array_index(p->lines, int, k));
  }
  open_section(w, "Point");
  put(w, "ConectedLines = %s", list->str);
  put(w, "ConectedExtrems = %s", p->ends);
  put(w, "Position = %d ; %d", p->x, p->y);
  close_section(w);
}

static void write_line(Writer *w, const PdmLine *l)
{
  static const char *const kinds[] = {"Cmp", "Prt", "Pnt", "NoC"};
  open_section(w, "Line");
  for (guint k = 0; k < 2; k++) {
    const PdmEnd *e = &l->end[k];
    put(w, "%s = %s ;  %d ;  %d ; %d", k == 0 ? "Source" : "Sink", kinds[e->kind], e->n, e->port,
        e->flag);
  }
  put(w, "PointX = %s", l->x);
  put(w, "PointY = %s", l->y);
  close_section(w);
}

static void write_block(Writer *w, const PdmBlock *b);

static void write_system(Writer *w, const PdmBlock *b)
{
  open_section(w, "System");
  for (guint k = 0; k < b->ports->len; k++) {
    write_port(w, &g_array_index(b->ports, PdmPort, k));
  }
  for (guint k = 0; k < b->blocks->len; k++) {
    write_block(w, g_ptr_array_index(b->blocks, k));
  }
  for (guint k = 0; k < b->points->len; k++) {
    write_point(w, &g_array_index(b->points, PdmPoint, k));
  }
  for (guint k = 0; k < b->lines->len; k++) {
    write_line(w, &g_array_index(b->lines, PdmLine, k));
  }
  write_extra(w, b);
  close_section(w);
}

static void write_block(Writer *w, const PdmBlock *b)
{
  open_section(w, b->coupled ? "Coupled" : "Atomic");
  if (b->coupled) {
    put(w, "Type = %s", b->parent == NULL ? "Root" : "Coordinator");
  }
  put(w, "Name = %s", b->name);
  put(w, b->coupled ? "Ports = %d; %d" : "Ports = %d ; %d", b->n_in, b->n_out);
  if (!b->coupled) {
    put(w, "Path = %s", b->path);
  }
  put(w, "Description = %s", b->doc);
  write_graphic(w, b);
  write_parameters(w, b);
  if (b->coupled) {
    write_system(w, b);
  } else {
    write_extra(w, b);
  }
  close_section(w);
}

void pdm_write(const PdmFile *file, GString *out)
{
  Writer w = {out, 0};
  write_block(&w, file->root);
}
