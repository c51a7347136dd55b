/* An instance of a Define: values of its parameters, its HyModel, its components. Scopes are made
 * by their parent (place.c) and worked off one after the other, without recursion over the depth of
 * the model (expand.c, outputs.c, inputs.c, lines.c). */
#ifndef HY_LANGUAGE_SCOPE_H
#define HY_LANGUAGE_SCOPE_H

#include "language/define.h"

#define HY_LEFT_OUT (G_MAXUINT32 - 1) /* a copy whose `if` does not hold */

typedef struct Network Network;

typedef enum { V_NOT_YET, V_BUSY, V_DONE, V_BAD } ValueState;
typedef enum { V_NUMBER, V_NUMBERS, V_TEXT } ValueShape;
typedef struct {
  guint8 state, shape;
  guint n; /* of numbers */
  union {
    double number;
    double *numbers;
    const char *text;
  };
} Value;

/* Copies of a block in one scope. */
typedef struct {
  guint32 n; /* copies; 0: none */
  guint32 extent[HY_MAX_INDICES];
  guint32 *component; /* [n]; n == 1 without count: &one */
  guint32 one;
  Scope **child; /* [n], of a coupled one */
  Scope *one_child;
  guint8 bad;
} Copies;

typedef struct {
  guint first, n;
} PortRange;

/* Where something comes from, or goes to, before all components are there. */
typedef struct {
  Entry *entry;     /* a block or an in or out port of the model itself; NULL: component says it */
  const char *port; /* of the pool; NULL: the first one */
  guint32 copy;
  guint32 port_index; /* 1...; 0: none written */
  guint32 component;
  guint32 number; /* of the port, if entry is NULL */
} End;
#define COPY_BEFORE (G_MAXUINT32 - 1)
#define COPY_AFTER  (G_MAXUINT32 - 2)

/* One line to be drawn once all components are there; WIRE: a wire element to be expanded then. */
typedef struct {
  End from, to;
  const HyAttribute *attribute;
  const HyFile *file;
  Entry *wire;
  double number; /* a constant, if constant */
  gboolean constant;
} Line;

/* What before= or after= of a repeated block says. */
typedef enum {
  BOUNDARY_NOTHING,
  BOUNDARY_NUMBER,
  BOUNDARY_END,
  BOUNDARY_WRONG,
  BOUNDARY_FORMULA
} BoundaryState;
typedef struct {
  BoundaryState state;
  double number;
  End end;
  const HyFormula *formula; /* of the main pool */
} Boundary;

typedef struct {
  const struct SetGroup *set;
  guint part;
} ActiveSet;

/* Which copies an active set may meet, to find those of a copy (sets.c). */
typedef struct {
  const char *name; /* "": any */
  gint64 at;        /* the first index; 0: none is stated */
  guint place;      /* in the list of active sets */
} SetKey;

struct Scope {
  Define *define;
  HyModel *model;
  Scope *around;      /* lexically; NULL: sealed */
  Scope *parent;      /* the model around; NULL: the root */
  const Entry *entry; /* as what it was placed; NULL: the root */
  gint64 at[HY_MAX_INDICES];
  guint depth, number;
  guint32 numerics; /* row */
  Value *values;
  PortRange *in, *out;
  guint n_in, n_out;
  guint8 *in_state; /* [n_in] HyInputState */
  double *in_const; /* [n_in] */
  GArray *active;   /* ActiveSet, or NULL */
  SetKey *set_keys; /* of these, sorted: by hy_sets_sort() */
  GArray *rows;     /* guint32 per component: row of block information */
  GArray *parts;    /* HyLookPart, of a circuit, or NULL: for drawings (look.c) */

  /* While it is being worked on. */
  Copies *copies;
  Boundary *boundary; /* [2 * blocks], or NULL */
  GArray *lines;      /* Line */
  Scope **child_of;   /* [components], or NULL */
  guint32 *in_base;   /* [components + 1] */
  guint32 *source;    /* line + 1 of each input of each component */
  guint32 *out_source;
  Network *network;       /* of a circuit: its own, or that of the outermost around it */
  const char *in_network; /* its path there: "", "h[2]/"; of the network's pool */
  guint32 *first_element; /* [blocks of the define]: of the copies of an entry, in the network */
  guint32 clock;          /* the hidden block that `t` means here, + 1; 0: none yet */
};

/* The passes over a model, and over one scope. */
void hy_expand_all(Loader *l, Define *root);
void hy_scope_free(Scope *s);
/* Before any block is made. */
gboolean hy_least_is_too_much(Loader *l, Scope *root);
/* Places E if that has not been done, since somebody needs its copies. FALSE: reported. */
gboolean hy_scope_placed(Loader *l, Scope *s, Entry *e);
/* Of an input port or a parameter of a model, <in name="u" count="N"/> where N is a parameter
 * without a value: N, which is as long as the list of u where the model is placed, if nobody says
 * it. NULL: it is none. */
Entry *hy_length_of(const Entry *array);
/* The first port or parameter of D whose length that is; NULL: none. */
const Entry *hy_measures(const Define *d, const Entry *param);
void hy_copy_indices(const Entry *e, const Copies *c, guint32 number, gint64 *at);
/* The ports of the model of a scope that is prepared. */
void hy_scope_ports(Loader *l, Scope *child);
Scope *hy_scope_new(Loader *l, Define *d, Scope *parent, const Entry *entry, const gint64 *at);
void hy_scope_prepare(Loader *l, Scope *s); /* ports, once its parameters were given */
void hy_scope_place(Loader *l, Scope *s);
void hy_too_many_blocks(Loader *l, const Scope *s, const Entry *e); /* a limit was passed */
/* A line for when all components are there; too many are reported. */
void hy_keep_line(Loader *l, Scope *s, const Line *line);
void hy_scope_blocks(Loader *l, Scope *s);
void hy_scope_lines(Loader *l, Scope *s);
/* Whether a wire goes to this output port. */
gboolean hy_is_wired(const Define *d, const Entry *out);

#endif
