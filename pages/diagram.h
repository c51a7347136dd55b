/* A model as a drawing: its blocks, in what they stand in each other, where all of it lies. */
#ifndef HY_DIAGRAM_H
#define HY_DIAGRAM_H

#include "hydevs/pages.h"
#include "pages/layout.h"
#include "pages/schematic.h"

typedef struct HyDiagram HyDiagram;

/* What a box is: a block or a port of the model; or of a chart (chart.c) a state, what causes a
 * transition, or the dot at which it begins. */
typedef enum {
  HY_DRAWN_BLOCK,
  HY_DRAWN_STATE,
  HY_DRAWN_FINAL,
  HY_DRAWN_LABEL,
  HY_DRAWN_START,
  HY_DRAWN_ANY
} HyDrawnForm;

/* What stands for one box of the layout: a block, several copies of one, or a port of the model. */
typedef struct {
  char *name;              /* "stage[1..4]", "in"; NULL: hidden, not shown */
  char *path;              /* of the first copy, as traces have it; of a port that of the model */
  guint component, copies; /* HY_SELF: a port */
  gboolean output;         /* of a port: its kind */
  const HyAtomicClass *klass;     /* NULL: coupled, or a port */
  char *text;                     /* in it, in lines; NULL: an icon */
  char *about;                    /* for those who point at it */
  GArray *in_number, *out_number; /* guint: of those ports, in the block */
  GPtrArray *signs;    /* what stands at the inputs of a sum; NULL: their names, as everywhere */
  GPtrArray *in, *out; /* names of its ports */
  guint8 *in_event, *out_event; /* [ports] whether they carry events */
  gboolean port_names;          /* are shown */
  double *at;                   /* heights of the ports, in then out */
  HyDiagram *inside;            /* NULL: it is closed */
  HyDiagram *chart;             /* of a machine that is open: its states */
  HyDrawnForm form;
  const char *state;      /* of a state: its name */
  HySchematic *schematic; /* of a circuit; NULL: it is none, or drawn by its blocks */
} HyDrawn;

struct HyDiagram {
  const HyModel *model;
  GArray *drawn; /* HyDrawn, as the boxes of the layout */
  HyLayout layout;
  char *notes;       /* what <view> says between the blocks, in lines; NULL: nothing */
  gboolean too_much; /* it has no places: it is not to be drawn */
};

typedef struct {
  const HyLoaded *loaded;
  gboolean all;    /* every copy by itself */
  gboolean blocks; /* circuits by the blocks that stand for them */
  guint depth;     /* how many coupled models inside each other are open */
} HyDiagramWay;

#define HY_DIAGRAM_MOST 2000 /* boxes */
#define HY_DIAGRAM_OPEN 300  /* boxes, above which coupled models are closed */

/* NULL: too much to draw. */
HyDiagram *hy_diagram_new(const HyDiagramWay *way, const HyModel *model, GError **error);
/* A component by itself: a circuit, or a machine. */
HyDiagram *hy_diagram_one(const HyDiagramWay *way, const HyModel *model, guint component);
void hy_diagram_free(HyDiagram *d);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyDiagram, hy_diagram_free)
HyDiagram *hy_diagram_empty(const HyModel *model);
/* Its number. */
guint hy_drawn_add(HyDiagram *d, HyDrawn drawn);
static inline HyDrawn *hy_drawn(const HyDiagram *d, guint k)
{
  return &g_array_index(d->drawn, HyDrawn, k);
}

/* ---- between diagram.c and sizes.c ---- */
void hy_size_box(HyDrawn *d, HyBox *box);  /* of a block, what is in it being known */
void hy_size_pin(HyDrawn *d, HyBox *box);  /* of a port of the model */
void hy_size_item(HyDrawn *d, HyBox *box); /* of a chart */
/* It is open: what is in it is drawn. */
static inline gboolean hy_is_frame(const HyDrawn *d)
{
  return d->inside != NULL || d->schematic != NULL || d->chart != NULL;
}

/* Where what is inside a box begins. */
#define HY_INSIDE_TOP 28.0

/* A part of a model as it is asked for. */
HyDiagram *hy_draw(const HyLoaded *loaded, const HyDrawing *drawing, GError **error);
void hy_diagram_svg(const HyDiagram *d, GString *out);
void hy_diagram_dot(const HyDiagram *d, GString *out);

void hy_svg_rect(GString *out, const char *klass, double x, double y, double w, double h, double r);
/* How far from the left edge of a frame its inside begins, behind the names of ports. */
double hy_inside_left(const HyDrawn *d);

/* ---- text.c ---- */
double hy_text_width(const char *text,
                     double size); /* in Helvetica; text of several lines: the widest */
/* A name without its indices: "stage[2]:x" is "stage:x". Newly allocated. */
char *hy_without_indices(const char *name);
guint hy_text_lines(const char *text);
char *hy_text_fit(const char *text, guint width,
                  guint lines);                   /* in lines of WIDTH letters; newly allocated */
void hy_xml_text(GString *out, const char *text); /* escaped */
/* A text at X, Y (its base line) that is as wide as was reckoned, whatever font is there. ANCHOR:
 * s, m, e for start, middle, end. */
void hy_svg_text(GString *out, double x, double y, double size, char anchor, const char *klass,
                 const char *text);

/* ---- icons.c ---- */
/* Width and height of the icon of a class, 0 where it has none. */
gboolean hy_icon_size(const char *klass, double *w, double *h);
/* Drawn around 0, 0. */
void hy_icon_svg(GString *out, const char *klass);

#endif
