/* A circuit as elements between nodes: the random one of a seed, its model of hydevs, and, by
 * itself, what it does: all of Kirchhoff's laws and of the elements' in one matrix with their first
 * derivatives (tableau.c), so nothing of a normal tree or of star and mesh is in here. */
#ifndef CAMPAIGN_NETLIST_H
#define CAMPAIGN_NETLIST_H

#include "exact.h"

#define MOST_NODES    20
#define MOST_ELEMENTS 28

typedef enum {
  NET_RESISTOR,
  NET_CAPACITOR,
  NET_COIL,
  NET_VOLTAGE,
  NET_CURRENT,
  NET_SWITCH,
  NET_DIODE,
  NET_THYRISTOR,
  NET_WINDING /* two behind one another are a transformer */
} NetKind;

typedef struct {
  NetKind kind;
  char name[NAME_SIZE];
  int a, b;
  double value;    /* R, C, L, of a source; of a transformer the ratio, at its first winding */
  double ron, vf;  /* of switches and diodes; their Roff is `value` */
  double k;        /* of a coil: its coupling with `with` */
  int with, sine;  /* a coil; the sine of a source in place of its value; -1: none */
  int gate, diode; /* among those of the circuit; -1: none */
  int state;       /* of a coil or capacitor */
  int of;          /* a source reads this element, too, times `factor`; -1: none */
  gboolean of_current;
  double factor;
  gboolean inside; /* it stands in a circuit inside the circuit */
} NetElement;

typedef struct Netlist {
  Circuit c; /* its sources, gates and diodes by number, and where its states start */
  int nodes, n;
  NetElement e[MOST_ELEMENTS];
} Netlist;

void netlist_random(Netlist *net, guint64 seed);
char *netlist_xml(const Netlist *net);

/* Why it has no equations, as the words that must stand in the message; 0 of them: it has. */
#define MOST_REASONS 4
int netlist_refused(const Netlist *net, const char **reason);
/* Where all coils and capacitors start: at 0, but for those that follow from sources and others. */
void netlist_start(Netlist *net);
/* As field_init(). FALSE: its laws leave a derivative or a diode open. */
gboolean netlist_field(Field *f, const Netlist *net, const Modes *m);

#endif
