/* SPICE netlists, in: what its files share. spice_lines.c (statements), spice_words.c (words,
 * numbers), spice_names.c (scopes), spice_formula.c (expressions), spice_models.c (.model, .func),
 * spice_source.c (PULSE, SIN ...), spice_element.c (R, C, L ...), spice_coils.c (K),
 * spice_control.c (E, F, G, H, B), spice_switch.c (S, W, D), spice_cards.c (.tran, .print ...),
 * spice_read.c (all of it). */
#ifndef HY_SPICE_H
#define HY_SPICE_H

#include "editor-export/format.h"

/* ---- spice_lines.c ---- */
/* A statement: its text without comments, continued lines joined by a blank. */
typedef struct {
  const char *file; /* that it stands in */
  guint line;       /* where it begins there */
  guint main;       /* in the netlist itself: of an included file, that of .include */
  char *text;
} SpiceLine;

typedef struct SpiceScope SpiceScope;

typedef struct {
  const char *file;
  HyReport *report;
  GPtrArray *further; /* names of other files that are read; NULL: nobody asks */
  GStringChunk *strings;
  char *title;
  GPtrArray *lines;    /* SpiceLine */
  GPtrArray *commands; /* SpiceLine, of .control sections */
  SpiceScope *top;
  GPtrArray *scopes;       /* SpiceScope: the top, and those of .subckt */
  GHashTable *subcircuits; /* name in lower case -> SpiceScope */
  GPtrArray *everywhere;   /* nodes of .global, as written: of the strings */
  GHashTable *functions;   /* of .func: name in lower case -> SpiceFunction */
  GHashTable *noted;       /* models and statements of which something has been told */
  xmlNode *root;
  SpiceScope *types;       /* names of types, and of the model */
  const char *step, *stop; /* of .tran, as formulas; NULL: none */
  const SpiceLine *tran;   /* where they stand */
  gboolean uic;
  gboolean live;        /* not all is 0 in an operating point, as far as seen */
  gboolean exponential; /* .options exponential: diodes with Is have their curve */
  guint deep;           /* subcircuits that are being written */
  guint outputs;        /* the line that asks for outputs */
  GHashTable *probes;   /* "v(a,b)" -> name of its probe */
  GHashTable *recorded; /* paths that are recorded already */
  xmlNode *experiment;
} Spice;

void spice_error(Spice *s, const SpiceLine *at, const char *format, ...) G_GNUC_PRINTF(3, 4);
void spice_warning(Spice *s, const SpiceLine *at, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Fills title, lines and commands. */
void spice_lines(Spice *s, const char *text);

/* ---- spice_words.c ---- */
typedef struct {
  enum {
    SPICE_END,
    SPICE_WORD,
    SPICE_EQUALS,
    SPICE_FORMULA, /* {..}, '..' or ".."; the text is what is inside */
  } kind;
  const char *text;  /* of the strings */
  const char *after; /* what follows it in the statement */
} SpiceWord;
/* The words of TEXT, ended by one of kind SPICE_END. Commas and brackets are blanks. Newly
 * allocated. */
SpiceWord *spice_words(Spice *s, const SpiceLine *at, const char *text);
gboolean spice_is(const SpiceWord *w, const char *word); /* without regard to case */
/* "2.2kOhm" -> "2.2k", what our formulas read; *END behind it. NULL: it is no number. Of the
 * strings. */
const char *spice_number(Spice *s, const char *text, const char **end);
char *spice_lower(const char *text); /* newly allocated */
/* A value of a formula as a number, if it is one. */
gboolean spice_plain(const char *value, double *number);

/* ---- spice_names.c ---- */
typedef struct SpiceName SpiceName;
struct SpiceName {
  const char *name;    /* ours */
  char letter;         /* of an element; 'p' in place of it: a parameter */
  SpiceScope *inside;  /* of a subcircuit that is placed */
  const char *current; /* of an element: what its current is called; NULL: name.i */
  /* A coil that is coupled by 1 to others is a winding of an ideal transformer of one of them. */
  SpiceName *core;          /* the one, or one on the way to it; NULL: it is that itself */
  gboolean turned;          /* against the core, by a coupling of -1 */
  gboolean has_windings;    /* a core with windings */
  const char *sensor;       /* of a core */
  const char *nodes, *size; /* of a core, once it is written */
};

typedef struct {
  const SpiceLine *at;
  const char *name, *type; /* as written; in lower case */
  GHashTable *values;      /* parameter in lower case -> SpiceWord */
} SpiceModel;

/* The netlist itself, or a subcircuit. */
struct SpiceScope {
  SpiceScope *around; /* the top; NULL of it */
  const SpiceLine *at;
  const char *name;     /* ours */
  GPtrArray *lines;     /* SpiceLine */
  GHashTable *nodes;    /* in lower case -> SpiceName */
  GHashTable *elements; /* likewise */
  GHashTable *params;   /* likewise */
  GHashTable *models;   /* name in lower case -> SpiceModel */
  GPtrArray *order;     /* SpiceName: nodes as they come */
  GHashTable *taken;    /* names of ours */
  GPtrArray *ports;     /* names of ours; NULL: the reference */
  GPtrArray *shared;    /* nodes of .global that it uses, as written */
  GPtrArray *globals;   /* parameters of the top that it uses: names of ours */
  GHashTable *starts;   /* .ic: node in lower case -> formula */
  xmlNode *node;
  int state; /* 0: not yet written, 1: being written, 2: written */
};
SpiceScope *spice_scope_new(Spice *s, SpiceScope *around, const SpiceLine *at, const char *name);
void spice_scope_free(gpointer p);
/* A name that nobody has in SCOPE, like TEXT. */
const char *spice_unique(Spice *s, SpiceScope *scope, const char *text);
const char *spice_node(Spice *s, SpiceScope *scope, const char *text);
/* The same, where nothing is put to it; NULL: there is no such node. */
const char *spice_known_node(SpiceScope *scope, const char *text);
SpiceName *spice_element(SpiceScope *scope, const char *text); /* NULL: there is none */
const SpiceName *spice_add(Spice *s, SpiceScope *scope, GHashTable *names, const char *text,
                           char letter); /* NULL: it is there already */
/* The path of an element's current. */
const char *spice_current(Spice *s, const SpiceName *element);
/* What parameter TEXT is called in SCOPE; one of the top becomes one of SCOPE's, too. NULL: none.
 */
const char *spice_param(SpiceScope *scope, const char *text);
const SpiceModel *spice_model(SpiceScope *scope, const char *text);

/* ---- spice_formula.c ---- */
/* TEXT in our language; of the strings. NULL: reported. */
const char *spice_formula(Spice *s, SpiceScope *scope, const SpiceLine *at, const char *text);
/* A word that is a value: a number, a formula, or the name of a parameter. */
const char *spice_value(Spice *s, SpiceScope *scope, const SpiceLine *at, const SpiceWord *w);
gboolean spice_is_value(SpiceScope *scope, const SpiceWord *w);

/* ---- spice_models.c ---- */
/* .func name(a, b) {formula} */
typedef struct {
  const char *name;
  char **arguments; /* in lower case */
  const char *formula;
} SpiceFunction;
void spice_read_function(Spice *s, const SpiceLine *at, const char *text); /* behind .func */
void spice_function_free(gpointer p);
void spice_read_model(Spice *s, SpiceScope *scope, const SpiceLine *at, const SpiceWord *w);
/* That of parameter NAME, else OTHER. */
const char *spice_model_value(Spice *s, SpiceScope *scope, const SpiceModel *m, const char *name,
                              const char *other);
/* The model of a switch or diode, of one of TYPES ("sw csw"). NULL: reported. */
const SpiceModel *spice_model_of(Spice *s, SpiceScope *scope, const SpiceLine *at,
                                 const SpiceWord *w, const char *types);

/* ---- spice_source.c, spice_control.c, spice_switch.c, spice_element.c ---- */
/* An element as its line is read: W are the words behind its name. */
typedef struct {
  SpiceScope *scope;
  const SpiceLine *at;
  const char *name, *spelled; /* ours, as written */
  char letter;
  const SpiceWord *w;
} SpicePart;
/* Two nodes from *W on, "a b", which is moved behind them; of the strings. NULL: reported. */
const char *spice_two_nodes(Spice *s, const SpicePart *p, const SpiceWord **w);
/* <NAME name="p" nodes="NODES"/> in its scope. */
xmlNode *spice_place(const SpicePart *p, const char *name, const char *nodes);
const char *spice_text(Spice *s, const char *format, ...) G_GNUC_PRINTF(2, 3); /* of the strings */
/* Places what Rser=, Lser=, Rpar=, Cpar= among W say of an element at NODES; its own nodes then. */
const char *spice_stray(Spice *s, const SpicePart *p, const SpiceWord *w, const char *nodes);
void spice_coupling(Spice *s, const SpicePart *p);
/* Coils that the couplings of SCOPE make one. */
void spice_find_cores(Spice *s, SpiceScope *scope);
/* A coil at NODES: TRUE: it is a winding, and placed as soon as its core is; else NODES of a core
 * become what is left behind the sensor of its current. */
gboolean spice_coil(Spice *s, const SpicePart *p, const char **nodes, const char *size,
                    gboolean starts);
void spice_source(Spice *s, const SpicePart *p);
void spice_controlled(Spice *s, const SpicePart *p);
void spice_switch(Spice *s, const SpicePart *p);
void spice_diode(Spice *s, const SpicePart *p);
/* The nodes of .global that SCOPE uses become ports of it. */
void spice_write_shared(Spice *s, SpiceScope *scope);
/* Writes what one statement of a scope says. */
void spice_write_element(Spice *s, SpiceScope *scope, const SpiceLine *at);
/* Writes SCOPE unless it is written; FALSE: it is inside itself. */
gboolean spice_write_scope(Spice *s, SpiceScope *scope);

/* ---- spice_cards.c ---- */
/* Reads .param into names; what else begins with a dot, once all elements are there. */
void spice_declare_params(Spice *s, SpiceScope *scope, const SpiceLine *at, const char *text,
                          gboolean is_port);
void spice_write_params(Spice *s, SpiceScope *scope, const SpiceLine *at, const char *text,
                        gboolean is_port);
/* The next "name = value" of a list of parameters; FALSE: there is none. */
typedef struct {
  const char *name, *value; /* of the strings */
} SpicePair;
gboolean spice_next_pair(Spice *s, const char **text, SpicePair *pair);
/* .func, .global, .options: CARD is the word, REST what follows. */
void spice_read_setting(Spice *s, const SpiceLine *at, const char *card, const char *rest);
void spice_read_tran(Spice *s, const SpiceLine *at, const SpiceWord *w);
void spice_read_starts(Spice *s, SpiceScope *scope, const SpiceLine *at, const SpiceWord *w);
void spice_read_outputs(Spice *s, const SpiceLine *at, const char *text, gboolean command);
void spice_write_experiment(Spice *s);

/* ---- spice_read.c ---- */
xmlDoc *hy_spice_read(const char *file, const char *text, GPtrArray *further, HyReport *report);

#endif
