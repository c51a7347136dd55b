/* XML text -> a compact tree of elements and attributes, with the line of each. Nothing here knows
 * what the names mean, except that those of the language have fixed numbers (schema.h). */
#ifndef HY_XML_READ_H
#define HY_XML_READ_H

#include "hydevs/load.h"

G_BEGIN_DECLS

#define HY_NAMESPACE "urn:hydevs:1"

/* An attribute. LINE is its own: a start tag may go over several lines. */
typedef struct {
  const char *value;
  guint32 line;
  guint16 name; /* index for hy_tree_name() */
} HyAttribute;

/* Elements are numbered in document order; 0 is the root. */
typedef struct {
  guint32 attribute, n_attributes;
  guint32 child, next; /* first child and next sibling; 0: none */
  guint32 line;        /* of the "<" */
  guint16 name;        /* index for hy_tree_name() */
  guint16 foreign;     /* 1: of another namespace */
} HyElement;

typedef struct {
  const char *text;
  guint32 element, line;
} HyText;

typedef struct HyTree {
  const char *file;      /* as messages call it */
  GArray *elements;      /* HyElement */
  GArray *attributes;    /* HyAttribute */
  GArray *texts;         /* HyText: text that is not blank, its start */
  GArray *docs;          /* HyText: of elements called doc or note, all of it */
  GPtrArray *names;      /* of elements and attributes */
  GHashTable *by_name;   /* name -> its number + 1 */
  GStringChunk *strings; /* every string of the tree */
  const char *sha256;    /* of the bytes, as far as they were read */
  GPtrArray *further;    /* names of other files that went into it (char *, owned); NULL: none */
} HyTree;

/* libxml2 sets itself up when it is first used, which two threads must not do at once: before
 * anything else of it is called this is, as often as one likes. */
void hy_xml_begin(void);

/* Reads PATH. NULL: errors in REPORT. NAMES (NULL-terminated, may be NULL) get the numbers 0, 1, 2,
 * ... */
HyTree *hy_tree_read(const char *path, const char *const *names, const HyReadLimits *limits,
                     HyReport *report);
/* The same from memory; FILE is for messages. */
HyTree *hy_tree_parse(const char *bytes, gsize size, const char *file, const char *const *names,
                      const HyReadLimits *limits, HyReport *report);
void hy_tree_free(HyTree *tree); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyTree, hy_tree_free)

static inline HyElement *hy_element(const HyTree *tree, guint32 number)
{
  return &g_array_index(tree->elements, HyElement, number);
}

static inline HyAttribute *hy_attribute(const HyTree *tree, const HyElement *e, guint32 k)
{
  return &g_array_index(tree->attributes, HyAttribute, e->attribute + k);
}

static inline const char *hy_tree_name(const HyTree *tree, guint16 name)
{
  return g_ptr_array_index(tree->names, name);
}

/* The attribute called NAME (a number); NULL: there is none. */
HyAttribute *hy_attribute_find(const HyTree *tree, const HyElement *e, guint16 name);
/* The text of element NUMBER, a doc or note; NULL: it has none. */
const char *hy_tree_doc(const HyTree *tree, guint32 number);
/* The number of a name; HY_NO_NAME: it does not occur. */
#define HY_NO_NAME G_MAXUINT16
guint16 hy_tree_find_name(const HyTree *tree, const char *name);

G_END_DECLS
#endif
