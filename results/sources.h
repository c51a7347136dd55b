/* Who speaks at a port of a coupled model: events only pass there, atomics make them. */
#ifndef HY_SOURCES_H
#define HY_SOURCES_H

#include "coupled/model_internal.h"

typedef struct {
  guint atomic, port;
} HySource;

/* A port on the way to them: the input port PORT of COMPONENT in MODEL, or with HY_SELF the output
 * port PORT of MODEL. */
typedef struct {
  const HyModel *model;
  guint component, port;
} HyPassed;

/* The atomic output ports whose events reach the input port PORT of COMPONENT in MODEL; COMPONENT
 * HY_SELF: the output port PORT of MODEL. The model is checked. A GArray of HySource. PASSED (NULL:
 * nobody asks): an empty array of HyPassed for the ports on the way, that one first. */
GArray *hy_sources_of(const HyModel *model, guint component, guint port, GArray *passed);

#endif
