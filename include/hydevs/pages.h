/* Seeing a model: its tree as data, its diagram, and pages to read in a browser. */
#ifndef HYDEVS_PAGES_H
#define HYDEVS_PAGES_H

#include "hydevs/experiment.h"
#include "hydevs/look.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The first line of `hydevs trace --json`, appended to OUT: the model tree with types, ports,
 * couplings, priorities, positions, units and texts, as library/trace.schema.json says. */
void hy_model_json(const HyLoaded *loaded, GString *out);

/* What of a model is drawn, and how. */
typedef struct {
  const char *block; /* "power/load": only what is inside this coupled model; NULL: all */
  gboolean all;      /* every copy by itself, where more than three are one box */
  gboolean blocks;   /* circuits by the blocks that stand for them, not by their elements */
  guint depth;       /* coupled models inside each other that are open; 0: as there is room */
} HyDrawing;
/* A drawing, appended to OUT. FALSE: there is no such block, or too much to draw. */
gboolean hy_draw_svg(const HyLoaded *loaded, const HyDrawing *drawing, GString *out,
                     GError **error);
gboolean hy_draw_dot(const HyLoaded *loaded, const HyDrawing *drawing, GString *out,
                     GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
