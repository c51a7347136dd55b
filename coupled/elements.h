/* The elements of circuits as their authors placed them, folded: between which nodes, with which
 * numbers, and where the signals stand that decide the rest. Kept beside the equations that are
 * made of them for whoever checks a run against the text of its model (room audit); nobody else
 * reads them. */
#ifndef HYDEVS_COUPLED_ELEMENTS_H
#define HYDEVS_COUPLED_ELEMENTS_H

#include "hydevs/model.h"

typedef enum {
  HY_PLACED_RESISTOR,
  HY_PLACED_CAPACITOR,
  HY_PLACED_COIL,
  HY_PLACED_COUPLING,
  HY_PLACED_VOLTAGE,
  HY_PLACED_CURRENT,
  HY_PLACED_SWITCH, /* of any kind that has no drop */
  HY_PLACED_DIODE,  /* and thyristors */
  HY_PLACED_TRANSISTOR,
  HY_PLACED_TRANSFORMER,
  HY_PLACED_PROBE,
  HY_PLACED_OTHER, /* its law is none of these */
} HyPlacedKind;

/* A block that says something of an element. */
typedef struct {
  const HyModel *model; /* NULL: there is none */
  guint component, port;
} HyPlacedSignal;

typedef struct {
  HyPlacedKind kind;
  guint node[4]; /* plus, minus; of a transformer those of the second winding, too */
  double value;  /* R, C, L, of a source, Ron, ratio, k; where it is no number: of `signal` */
  double roff, rd, vf;
  guint with[2];                                 /* of a coupling: the coils, by their places */
  HyPlacedSignal signal, on, body, valve, state; /* body: of a transistor; valve: who decides by the
                                                    current */
  HyPlacedSignal i, v;                           /* readings */
} HyPlaced;

typedef struct {
  guint nodes;      /* 0 is the reference */
  GArray *elements; /* HyPlaced */
} HyPlacedNetwork;

/* Of the model, a root, which keeps what is written (written.h); it takes ELEMENTS. */
void hy_model_place_network(HyModel *model, guint nodes, GArray *elements);
/* The K-th of a MODEL; NULL: there are not so many. */
const HyPlacedNetwork *hy_model_placed(const HyModel *model, guint k);
/* The number of the atomic that says S, in a checked model. */
guint hy_placed_number(const HyPlacedSignal *s);

#endif
