/* What the check of the structure of a file shares between elements and attributes. */
#ifndef HY_SCHEMA_CHECK_H
#define HY_SCHEMA_CHECK_H

#include "language/schema.h"

/* By word of the language: 1 + HyXsdType of the attribute, 0: the element has none of this name. */
typedef guint8 HyKnown[HY_N_WORDS];

typedef struct {
  const HyTree *tree;
  const HyVocabulary *vocabulary;
  guint8 *bad;
  HyReport *report;
  HyKnown *known; /* [rules + 1], the last: of blocks */
} Check;

extern const HyElementRule hy_block_rule; /* of all blocks; the rest is in their class */

HyKnown *hy_check_known(void); /* newly allocated */
gboolean hy_check_attributes(const Check *c, const HyElement *e, const HyElementRule *rule,
                             const HyAtomicClass *klass, gboolean open);

/* For messages: an attribute as written (NULL: none), "g: " or nothing, the name of the element. */
const char *hy_check_text(const Check *c, const HyElement *e, guint16 word);
const char *hy_check_prefix(const Check *c, const HyElement *e, char **keep);
const char *hy_check_element(const Check *c, const HyElement *e);

#endif
