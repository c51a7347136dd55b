/* The members of a chain in their order, as classic_chain.c and chain_rest.c see them: those that
 * move, which a step takes on, and those that rest. The formulas are in classic_chain.c. */
#ifndef HYDEVS_GROUPS_CHAIN_CELLS_H
#define HYDEVS_GROUPS_CHAIN_CELLS_H

#include "chain_rows.h"

#include <complex.h>

typedef struct {
  double t, y, rate, bend; /* what others read: y + rate s + bend s^2, s the time since t */
  double quantum;
  double x;   /* of one that moves: now */
  double end; /* likewise: its slope now */
  /* Of one that rests, at SINCE: x - y, and its first two derivatives by time. */
  double since, e, d, dd;
  double away;                  /* |x - y| when it came to rest */
  double hold;                  /* for so long that is believed, where f is not linear */
  double patience;              /* steps: a rest that does not promise so many is none */
  double was;                   /* when it was due last */
  double missed;                /* by inputs that have changed */
  guint32 reach;                /* so many to both sides were made to rest with it then */
  guint8 moves, fresh;          /* FRESH: BEND is none of a step before, */
  guint8 woken;                 /* because it rested: its x is off that of others by x - y */
  guint8 looks;                 /* due because of HOLD alone */
  guint8 known;                 /* f is, of one that moves */
  guint8 changed, edge, listed; /* in the lists of these names, and of pieces */
} HyCell;

/* Cells that move, one beside the other. */
typedef struct {
  guint first, end;
} HyWindow;

/* One that rests beside those that move, and its x - y at the end of the step. */
typedef struct {
  guint32 cell;
  double e;
} HyEdge;

typedef struct {
  double t, h;              /* now, and the step to be tried next */
  double before;            /* the last one; 0: there is none */
  double idle;              /* how long the last one was in which nothing moves */
  double margin;            /* so many rest no longer before a front comes to them */
  guint64 evaluated, moved; /* cells: f of them; of all steps */
  guint pieces;             /* in PIECE */
  gboolean dirty;           /* WINDOW is to be found anew */
} HyChainMemory;

typedef struct {
  HyClassic *g;
  HyChainRows *rows;
  guint n, width;
  HyCell *cell; /* [n] by order, as all below */
  double *due;  /* a tree: the least of each two stands above them, those of cells from SIZE on */
  guint size;
  double *value; /* [n] for hy_chain_f() */
  double *f, *slope, *f_end;
  double complex *w;
  /* Of cells that are to come to rest. */
  double *f_rest, *slope_rest, *differs_rest, *y_rest, *rate_rest;
  double complex *w_rest;
  double complex *room; /* of an elimination */
  GArray *window;       /* HyWindow, ascending */
  GArray *woken;        /* guint32: since WINDOW was found */
  GArray *edge;         /* HyEdge */
  GArray *changed;      /* guint32: cells whose inputs or rows have changed */
  guint32 *piece;       /* [n]: members with a new piece */
  HyChainMemory now;
} HyChain;

static inline double hy_cell_y(const HyCell *c, double t)
{
  double s = t - c->t;
  return c->y + s * (c->rate + s * c->bend);
}

/* x - y of one that rests. */
static inline double hy_cell_e(const HyCell *c, double t)
{
  double s = t - c->since;
  return c->e + s * (c->d + 0.5 * s * c->dd);
}

/* What others read of it now. */
static inline double hy_cell_now(const HyCell *c, double t)
{
  return c->moves ? c->x : hy_cell_y(c, t);
}

static inline double hy_cell_slope(const HyCell *c, double t)
{
  return c->moves ? c->end : c->rate + 2.0 * (t - c->t) * c->bend;
}

static inline guint hy_chain_before(const HyChain *c, guint first)
{
  return first > c->width ? first - c->width : 0;
}

static inline guint hy_chain_after(const HyChain *c, guint end)
{
  return MIN(c->n, end + c->width);
}

/* What others read of K is no longer what it was. */
static inline void hy_chain_forget(HyChain *c, guint k)
{
  guint last = hy_chain_after(c, k + 1);
  for (guint j = hy_chain_before(c, k); j < last; j++) {
    c->cell[j].known = FALSE;
  }
}

/* K has a new piece. */
static inline void hy_chain_add_piece(HyChain *c, guint k)
{
  if (!c->cell[k].listed) {
    c->cell[k].listed = TRUE;
    c->piece[c->now.pieces++] = hy_chain_order(c->rows)[k];
  }
}

/* What slopes of inputs and of cells outside of FIRST .. END make of f of K, which is inside. */
double hy_chain_drift(const HyChain *c, guint k, guint first, guint end);

/* When K is due. */
void hy_chain_set_due(HyChain *c, guint k, double t);
static inline double hy_chain_next_due(const HyChain *c)
{
  return c->due[1];
}

/* K moves from now on. */
void hy_chain_wake(HyChain *c, guint k);

static inline const HyWindow *hy_chain_windows(const HyChain *c)
{
  return (const HyWindow *)(gpointer)c->window->data;
}

/* chain_step.c: the length of a step to LIMIT at most of all that move, whose W and F_END are known
 * then; 0: none is short enough, nothing moves, or *WHY. */
double hy_chain_find(HyChain *c, double limit, const char **why);

/* chain_windows.c */
/* WINDOW, as cells move now. */
void hy_chain_find_windows(HyChain *c);
/* VALUE of FIRST .. END and beside them, PART of the step of H from now on. */
void hy_chain_set_values(HyChain *c, guint first, guint end, double h, double part);
/* What the step of H makes of those beside what moves. FALSE: too much; BY more of them move now.
 */
gboolean hy_chain_bear(HyChain *c, double h, guint by);
/* x - y of them at T in the step that stands. */
void hy_chain_take_edges(HyChain *c, double t);
/* Then. */
void hy_chain_widen_edges(HyChain *c);

/* chain_rest.c */
/* Those of the last step that hardly moved come to rest. */
void hy_chain_quieten(HyChain *c);
/* f of K, which rests, is to be looked at anew. */
void hy_chain_relook(HyChain *c, guint k);
/* Those that are due within H rest anew, or move. */
void hy_chain_serve(HyChain *c, double h);
/* How far x of one that rests may be from y, in an instant. */
double hy_chain_bound(const HyCell *c);

#endif
