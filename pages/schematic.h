/* A circuit as engineers draw it: elements between two nodes in rows, those to the reference below
 * them. */
#ifndef HY_SCHEMATIC_H
#define HY_SCHEMATIC_H

#include "hydevs/look.h"

typedef struct {
  const HyLookPart *part;
  double x, y; /* of its middle */
  gint turn;   /* 0: plus at the left, 90: plus on top, 180, 270 */
  double w, h; /* of a box with several ends, else 0 */
} HyPlacedPart;

typedef struct {
  double x1, y1, x2, y2;
} HyStroke;

typedef struct {
  double x, y;
  const char *text; /* NULL: a dot; "0": the sign of the reference */
} HyMark;

typedef struct {
  GArray *parts, *strokes, *marks; /* HyPlacedPart, HyStroke, HyMark */
  double w, h;
} HySchematic;

HySchematic *hy_schematic_new(const HyLookPart *part, guint n);
void hy_schematic_free(HySchematic *s); /* NULL is fine */
/* Appended to OUT, with its upper left corner at 0, 0. PATH: of the circuit, "buck/". */
void hy_schematic_svg(const HySchematic *s, const char *path, GString *out);

#endif
