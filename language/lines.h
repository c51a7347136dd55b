/* What the files that draw lines share: lines.c, wires.c and inputs.c. */
#ifndef HY_LINES_H
#define HY_LINES_H

#include "language/scope.h"

/* The entry of a class table for port NUMBER, arrays counted through; NULL: there is none. */
const HyPort *hy_class_port(const HyPort *ports, guint number);
/* The input that LINE leads to has a source, only a wrong one, which has been reported. */
void hy_mark_source(Loader *l, Scope *s, const Line *line, guint32 number);
/* What an input of a component takes, and its unit. */
PortKind hy_input_kind(Loader *l, const Scope *s, guint component, guint port, const char **unit);
/* N more than there are; FALSE: too many, which is reported. */
gboolean hy_may_have_lines(Loader *l, const Scope *s, const Line *line, guint64 n);
/* NUMBER: of the line among those of the scope, + 1. */
void hy_draw_line(Loader *l, Scope *s, const Line *line, guint32 number);

/* Draws all copies of wire W, which has place NUMBER among the lines. */
void hy_draw_wire(Loader *l, Scope *s, Entry *w, guint32 number);
/* Port arrays get the length that lines ask for: to="sum.in[3]", in="router.out[3]". */
void hy_lengthen_arrays(Loader *l, Scope *s);

#endif
