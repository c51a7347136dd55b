/* What all pages share: one file that needs no other one and no network. */
#ifndef HY_PAGE_H
#define HY_PAGE_H

#include "hydevs/pages.h"

/* From <!DOCTYPE> into <body>; SCRIPTS come at the end. */
void hy_page_begin(GString *out, const char *title, const char *klass);
/* The same of a page that speaks to its server. */
void hy_page_begin_live(GString *out, const char *title, const char *klass);
void hy_page_end(GString *out, const char *const *scripts); /* ends with NULL */
/* JSON that scripts find by its ID; nothing in it can end the element. */
void hy_page_data(GString *out, const char *id, const char *json);
/* The same for TEXT, which scripts read with \2 where it had a <: that ends no element. */
void hy_page_lines(GString *out, const char *id, const char *text);
/* A section that is closed at first, its TEXT as it is. */
void hy_page_text(GString *out, const char *id, const char *heading, const char *text);
/* The drawing as a part of the page; where there is too much to draw a line says so. */
void hy_page_svg(GString *out, const char *svg); /* a drawing that is there */
void hy_page_drawing(GString *out, const HyLoaded *loaded, const HyDrawing *drawing);
/* Where it all comes from: the model file, the command. */
void hy_page_origin(GString *out, const HyLoaded *loaded, const char *command);

#endif
