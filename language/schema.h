/* The elements and attributes of the language that are not blocks, in one table: the structure of
 * every file is checked from it and the schema is made from it. Blocks come from the class tables.
 */
#ifndef HY_SCHEMA_H
#define HY_SCHEMA_H

#include "hydevs/atomic.h"
#include "hydevs/text.h"
#include "language/xml_read.h"
#include "numerics/methods.h"

G_BEGIN_DECLS

/* The version of the language that this program reads, 1.MINOR; needs="..." asks for one. */
#define HY_LANGUAGE_MINOR 4

/* Every word of the language gets the same number in every tree: pass hy_words to the reader. */
#define HY_WORDS(X)                                                                                \
  X(HYDEVS, "hydevs")                                                                              \
  X(INFO, "info")                                                                                  \
  X(DOC, "doc")                                                                                    \
  X(PARAM, "param")                                                                                \
  X(LET, "let")                                                                                    \
  X(IN, "in")                                                                                      \
  X(OUT, "out")                                                                                    \
  X(TYPE, "type")                                                                                  \
  X(COUPLED, "coupled")                                                                            \
  X(EQUATIONS, "equations")                                                                        \
  X(STATE, "state")                                                                                \
  X(CIRCUIT, "circuit")                                                                            \
  X(NODE, "node")                                                                                  \
  X(BLOCK, "block")                                                                                \
  X(WIRE, "wire")                                                                                  \
  X(IMPORT, "import")                                                                              \
  X(EXPERIMENT, "experiment")                                                                      \
  X(SET, "set")                                                                                    \
  X(RECORD, "record")                                                                              \
  X(MEASURE, "measure")                                                                            \
  X(SWEEP, "sweep")                                                                                \
  X(VARY, "vary")                                                                                  \
  X(VIEW, "view")                                                                                  \
  X(AT, "at")                                                                                      \
  X(ROUTE, "route")                                                                                \
  X(NOTE, "note")                                                                                  \
  X(NAME, "name")                                                                                  \
  X(LABEL, "label")                                                                                \
  X(UNIT, "unit")                                                                                  \
  X(COUNT, "count")                                                                                \
  X(INDEX, "index")                                                                                \
  X(BEFORE, "before")                                                                              \
  X(AFTER, "after")                                                                                \
  X(IF, "if")                                                                                      \
  X(PRIORITY, "priority")                                                                          \
  X(METHOD, "method")                                                                              \
  X(DQREL, "dqrel")                                                                                \
  X(DQMIN, "dqmin")                                                                                \
  X(RELTOL, "reltol")                                                                              \
  X(ABSTOL, "abstol")                                                                              \
  X(HSTEP, "hstep")                                                                                \
  X(FILE, "file")                                                                                  \
  X(KIND, "kind")                                                                                  \
  X(VALUE, "value")                                                                                \
  X(MIN, "min")                                                                                    \
  X(MAX, "max")                                                                                    \
  X(CHANGE, "change")                                                                              \
  X(CHOICES, "choices")                                                                            \
  X(DERIVATIVE, "derivative")                                                                      \
  X(X0, "x0")                                                                                      \
  X(FROM, "from")                                                                                  \
  X(TO, "to")                                                                                      \
  X(NEEDS, "needs")                                                                                \
  X(AUTHOR, "author")                                                                              \
  X(VERSION, "version")                                                                            \
  X(DATE, "date")                                                                                  \
  X(LICENCE, "licence")                                                                            \
  X(REFERENCE, "reference")                                                                        \
  X(PATH, "path")                                                                                  \
  X(GRID, "grid")                                                                                  \
  X(LIKE, "like")                                                                                  \
  X(START, "start")                                                                                \
  X(STOP, "stop")                                                                                  \
  X(ENGINE, "engine")                                                                              \
  X(PARTITION, "partition")                                                                        \
  X(AUDIT, "audit")                                                                                \
  X(SEED, "seed")                                                                                  \
  X(EVENTS_AT_INSTANT, "events_at_instant")                                                        \
  X(VALUES, "values")                                                                              \
  X(RANDOM, "random")                                                                              \
  X(RUNS, "runs")                                                                                  \
  X(SAMPLING, "sampling")                                                                          \
  X(TOGETHER, "together")                                                                          \
  X(POS_X, "x")                                                                                    \
  X(POS_Y, "y")                                                                                    \
  X(WIDTH, "width")                                                                                \
  X(HEIGHT, "height")                                                                              \
  X(TURN, "turn")                                                                                  \
  X(ICON, "icon")                                                                                  \
  X(COLOR, "color")                                                                                \
  X(PALETTE, "palette")                                                                            \
  X(POINTS, "points")                                                                              \
  X(MACHINE, "machine")                                                                            \
  X(VAR, "var")                                                                                    \
  X(ON, "on")                                                                                      \
  X(WHEN, "when")                                                                                  \
  X(INITIAL, "initial")                                                                            \
  X(FINAL, "final")                                                                                \
  X(ENTRY, "entry")                                                                                \
  X(EXIT, "exit")                                                                                  \
  X(EVENT, "event")                                                                                \
  X(TIME, "time")                                                                                  \
  X(GUARD, "guard")                                                                                \
  X(DO, "do")

typedef enum {
#define HY_WORD(id, text) HY_W_##id,
  HY_WORDS(HY_WORD)
#undef HY_WORD
      HY_N_WORDS
} HyWord;
extern const char *const hy_words[HY_N_WORDS + 1]; /* ends with NULL */

/* How an attribute is typed in the schema. Also what the structure check looks at: names, choices,
 * decimals. */
typedef enum {
  HY_X_TEXT, /* any text */
  HY_X_TOKEN,
  HY_X_NAME,
  HY_X_NAMES, /* with blanks between */
  HY_X_TYPE,  /* name or library.name */
  HY_X_VALUE,
  HY_X_SOURCE,
  HY_X_ENDS,
  HY_X_PATH,
  HY_X_URI,
  HY_X_DECIMAL,
  HY_X_INTEGER,
  HY_X_KIND,
  HY_X_PORT_KIND,
  HY_X_ENGINE,
  HY_X_PARTITION,
  HY_X_AUDIT,
  HY_X_BOOLEAN,
  HY_X_SAMPLING,
} HyXsdType;

/* The words that a text of this type may be, which end with NULL; NULL: it is no choice. */
const char *const *hy_choices_of(HyXsdType type);

typedef struct {
  guint8 word; /* HyWord */
  guint8 type; /* HyXsdType */
  gboolean required;
  const char *doc;
} HyAttributeRule;

/* Attributes that several elements share; one bit each in HyElementRule.groups, in this order. */
typedef enum {
  HY_G_SAID,
  HY_G_REPEAT,
  HY_G_NUMERICS,
  HY_G_PLACED,
  HY_G_QUANTITY,
  HY_N_GROUPS
} HyGroup;

typedef struct {
  const char *name;                  /* in the schema */
  guint groups;                      /* groups inside this one */
  const HyAttributeRule *attributes; /* [n] */
  guint n;
} HyGroupRule;
extern const HyGroupRule hy_groups[HY_N_GROUPS];

typedef enum {
  HY_IN_NOTHING = 0,
  HY_IN_ROOT = 1,
  HY_IN_TYPE = 2,
  HY_IN_COUPLED = 4,
  HY_IN_EXPERIMENT = 8,
  HY_IN_VIEW = 16,
  HY_IN_EQUATIONS = 32,
  HY_IN_CIRCUIT = 64,
  HY_IN_MACHINE = 128,
  HY_IN_MACHINE_STATE = 256,
  HY_IN_SWEEP = 512,
  HY_IN_MODEL = HY_IN_ROOT | HY_IN_TYPE | HY_IN_COUPLED,
} HyPlaces;

typedef struct {
  guint8 word;
  guint groups;
  guint places;  /* HyPlaces where it may stand */
  guint inside;  /* HyPlaces that it is for its children; 0: it has none */
  gboolean open; /* any attribute: judged with what is placed */
  gboolean text; /* has text */
  const HyAttributeRule *attributes;
  guint n;
  const char *doc;
} HyElementRule;
extern const HyElementRule hy_element_rules[];
extern const guint hy_n_element_rules;

/* NULL: not an element of the language (it may be a block). The first of the rules of a word. */
const HyElementRule *hy_element_rule(guint16 word);
/* That of a word in PLACES: a word may be two elements, as <state> is in equations and machines.
 * The first, where none may stand there. */
const HyElementRule *hy_element_rule_in(guint16 word, guint places);
/* Calls VISIT for each attribute of the rule, groups first. */
typedef void (*HyVisitAttribute)(const HyAttributeRule *attribute, gpointer user);
void hy_element_attributes(guint groups, const HyAttributeRule *own, guint n,
                           HyVisitAttribute visit, gpointer user);

/* Of PORTS the one of this NAME, the first where that is NULL; G_MAXUINT: none. FIXED: how many
 * there are (NULL: nobody asks). */
guint hy_find_port(const HyPort *ports, const char *name, guint *fixed);
gboolean hy_has_array(const HyPort *ports);
/* No input is an array, and an output is: how many there are, lines say. */
gboolean hy_only_outputs_vary(const HyAtomicClass *klass);
/* Adds what a class calls its inputs and parameters to a list, and offers it as the nearest. */
void hy_class_offer(const HyAtomicClass *klass, HyNearest *nearest, GString *list);

/* <circuit>, or a <type> that has a <node>: elements stand in it. */
gboolean hy_is_circuit(const HyTree *tree, const HyElement *e);

/* Blocks whose formula may name further attributes, their inputs. */
gboolean hy_takes_names(const HyAtomicClass *klass);

gboolean
hy_name_is_legal(const char *text); /* [A-Za-z_][A-Za-z0-9_]*, and none of the words of formulas */
gboolean hy_is_reserved(const char *text); /* if and or not pi inf */

/* The one block that may stand in <equations>, beside states: what is computed there is a formula.
 */
#define HY_FORMULA_BLOCK "function"

/* What stands for the name of an element in a tree. */
typedef struct {
  guint n;                       /* of names */
  const HyAtomicClass **klass;   /* [n]; NULL: no class of this name */
  guint8 *library;               /* [n]; 1: a type of the standard library */
  const HyAtomicClass **element; /* [n]: what stands in <circuit>; NULL: no element of this name */
  const HyBlocks *blocks;
} HyVocabulary;
/* LIBRARY_TYPES (ends with NULL): block elements that are coupled models. */
/* Of the shared objects whose classes BLOCKS has; ends with NULL. BLOCKS NULL: none. */
const char *const *hy_blocks_files(const HyBlocks *blocks);
HyVocabulary *hy_vocabulary_new(const HyTree *tree, const HyBlocks *blocks,
                                const char *const *library_types);
void hy_vocabulary_free(HyVocabulary *vocabulary);

/* Checks the structure: elements where they may stand, attributes they may have, names, text. What
 * an open element's attributes mean is not looked at. Elements with an error are marked in BAD (a
 * byte each, [elements]). */
void hy_language_check(const HyTree *tree, const HyVocabulary *vocabulary, guint8 *bad,
                       HyReport *report);

G_END_DECLS
#endif
