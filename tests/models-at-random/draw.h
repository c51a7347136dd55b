/* Whole models from a seed: hierarchies, types, copies, parameters, formulas, states, machines,
 * events, circuits, and every class of block. Each is drawn so that the language allows it: what
 * answers at once reads only what stands before it or what is a state, and a circuit has a way for
 * every current and no loop of sources. */
#ifndef RANDOM_DRAW_H
#define RANDOM_DRAW_H

#include "dice.h"
#include "element.h"

/* A class, or several blocks that belong together, as text. In it stand:
 *   @  the name that is drawn for it     $s a formula     $v a signal     $b one that is 0 or 1
 *   $e what says events                  $d a duty        $n -2 .. 2      $p 0.2 .. 2
 *   $t a time, $q the period of a carrier, $T the unit of time, $f a frequency in it, $k 1 .. 4
 * $[a|b|c] one of them $R, $L, $C of circuits whose time constants are of the unit of time OUTPUTS:
 * what others may read of it, with blanks between; after ! events. */
typedef struct {
  guint weight;
  const char *text, *outputs;
} Template;

extern const Template draw_templates[];

typedef struct Draw {
  Dice dice;
  double unit;    /* of time */
  Element *root;  /* types go there */
  guint number;   /* of the last name */
  gboolean index; /* formulas may read n */
  gboolean roots; /* of what passes 0 */
} Draw;

/* A coupled model that is being drawn: what a formula in it may read. */
typedef struct {
  Draw *d;
  Element *at;
  GPtrArray *signals, *events, *states; /* names */
  guint depth;
} Scope;

/* The model of SEED. ROOTS: sqrt(abs()) of whatever there is, whose slope has no bound. The caller
 * frees it. */
Element *draw_model(guint64 seed, gboolean roots);

/* Parts of it; names are the caller's. */
char *draw_name(Draw *d);
char *draw_formula(Scope *s, guint depth);
char *draw_duty(Scope *s);
double draw_time(Draw *d);
void draw_readable(GPtrArray *names, const char *format, ...) G_GNUC_PRINTF(2, 3);
void draw_template(Scope *s, const Template *t);
void draw_machine(Scope *s);
void draw_circuit(Scope *s);

#endif
