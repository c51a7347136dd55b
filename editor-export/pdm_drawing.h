/* The <view> elements of a model file: the places in them, and the drawing of PowerDEVS that they
 * keep. */
#ifndef HY_PDM_DRAWING_H
#define HY_PDM_DRAWING_H

#include "editor-export/pdm.h"
#include "editor-export/scilab.h"

#include <libxml/tree.h>

G_BEGIN_DECLS

#define PDM_TWIPS 15.0 /* of a pixel */

gboolean pdm_is_element(const xmlNode *node, const char *name);
/* Newly allocated; "" without one. */
char *pdm_attribute(const xmlNode *node, const char *name);
/* The attribute doc, or the text of the element doc. Newly allocated; "" without one. */
char *pdm_doc_of(const xmlNode *node);
/* The element of our language in SCOPE that is called NAME; NULL: none. */
xmlNode *pdm_child(const xmlNode *scope, const char *name);
/* Twips of a number of pixels; FALLBACK: there is none. */
int pdm_twips(const xmlNode *node, const char *name, int fallback);
/* TEXT as a line of a .pdm can have it. */
const char *pdm_keep_line(PdmFile *file, const char *text);

void pdm_place_block(PdmFile *file, PdmBlock *b, const xmlNode *at);
void pdm_place_port(PdmPort *p, const xmlNode *at);
/* A <note>, as a line of the Extra of B. */
void pdm_keep_note(PdmFile *file, PdmBlock *b, const xmlNode *note);
/* What has a place in the <view> elements of DOC has it in FILE, too; notes come along. */
void pdm_place(PdmFile *file, const xmlDoc *doc);

/* The drawing that the views of DOC keep, with names and descriptions as DOC has them. NULL: they
 * keep none, or one that does not fit its elements. */
PdmFile *pdm_drawing(const xmlDoc *doc, const char *file);
/* The same if it draws the model of DOC: where values have been changed it has the new ones. NULL:
 * there is none, or the model is another one by now, which is warned of. */
PdmFile *pdm_drawing_of(const xmlDoc *doc, const char *file, HyReport *report);

/* FORMULA, of a block in SCOPE, in the language of Scilab: over variables of S, or a reference
 * %name to a parameter of SCOPE or of what is around it. Newly allocated; NULL: it has no words for
 * it. */
char *pdm_expression(const char *formula, const PdmBlock *scope, const Scilab *s);

/* TEXT is a number as our formulas have it, also 4.7k, or as Scilab has it. */
gboolean pdm_is_number(const char *text, double *value);

/* Comments of DOC go to the blocks of FILE beside which they stand, as lines of their Extra. */
void pdm_take_comments(PdmFile *file, const xmlDoc *doc);
/* And back: those of BLOCK stand before NODE; NULL: it became nothing, they are the last children
 * of PARENT. */
void pdm_put_comments(const PdmBlock *block, xmlNode *parent, xmlNode *node);
/* Those that are at none of its blocks become children of NODE. */
void pdm_put_inside(const PdmBlock *block, xmlNode *node);
/* LINE of an Extra is one. */
gboolean pdm_is_comment(const char *line);

G_END_DECLS
#endif
