/* A model file as elements with attributes, to be drawn, written, cut down and read back. */
#ifndef RANDOM_ELEMENT_H
#define RANDOM_ELEMENT_H

#include <glib.h>

typedef struct Element {
  char *tag;
  GPtrArray *names, *values; /* of attributes, in their order */
  GPtrArray *children;       /* of Element */
} Element;

Element *element_new(const char *tag);
void element_free(Element *e);
Element *element_copy(const Element *e);
/* Takes CHILD, and returns it. */
Element *element_add(Element *e, Element *child);
/* In place of one of the same NAME. */
void element_set(Element *e, const char *name, const char *format, ...) G_GNUC_PRINTF(3, 4);
const char *element_get(const Element *e, const char *name); /* NULL: it has none */
void element_unset(Element *e, const char *name);
void element_unset_everywhere(Element *e, const char *name);
/* Elements that TEXT holds one behind the other become children of E. FALSE: it is no XML. */
gboolean element_read(Element *e, const char *text, GError **error);
char *element_text(const Element *e);
guint element_count(const Element *e); /* with all that is inside */

#endif
