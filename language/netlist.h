/* The elements of all circuits of a model with their numbers, kept where whoever loads asks for
 * them (HyLoadOptions.elements): for formats that write circuits. */
#ifndef HY_NETLIST_H
#define HY_NETLIST_H

#include "hydevs/load.h"
#include "language/loader.h"
#include "language/network.h"

G_BEGIN_DECLS

/* A signal: output PORT of COMPONENT of MODEL; MODEL NULL: the number. */
typedef struct {
  const HyModel *model;
  guint component, port;
  double number;
} HyNetSignal;

/* What a controlled source reads, times FACTOR: the current of element A or the voltage across it,
 * else the voltage of node PLUS against MINUS. */
typedef struct {
  const char *element, *plus, *minus;
  gboolean current, diode; /* diode: of a transistor that of its diode, which points the other way;
                              of a transformer its second winding */
  HyNetSignal factor;
} HyNetControl;

typedef struct {
  HyElementKind kind;
  const char *name; /* "net/h[2]/L1" */
  const char *file;
  guint line;
  const char *node[4];        /* "net/h[2]/x", "0" */
  double size, start;         /* R, C, L, ratio, coupling, Is; v0, i0 */
  double ron, roff, rd, vf;   /* of valves; of an exponential diode vf is n vT, ron Rs */
  const char *first, *second; /* of a coupling: inductors */
  const char *fault;          /* what cannot be stated by numbers; NULL: nothing */
  HyNetSignal signal;         /* value of a source, R where it is no number, control, gate */
  GArray *control;            /* HyNetControl: a controlled source is SIGNAL and these; NULL */
} HyNetPart;

/* A reading: what the block says is the voltage of node PLUS against MINUS, or the current of
 * ELEMENT. */
typedef struct {
  HyNetSignal signal;
  const char *element, *plus, *minus;
} HyNetReading;

typedef struct HyNetlist {
  GArray *parts;    /* HyNetPart */
  GArray *readings; /* HyNetReading */
} HyNetlist;
void hy_netlist_free(HyNetlist *list); /* NULL is fine */
/* Adds what network N is made of, once its blocks are there. */
void hy_netlist_keep(Network *n);
/* NULL: nobody asked for it, or there is no circuit. */
const HyNetlist *hy_loaded_netlist(const HyLoaded *loaded);

G_END_DECLS
#endif
