/* A unit (FMU) of the Functional Mock-up Interface 3.0 for co-simulation that somebody else has
 * made, opened: what it says of itself, its functions, and the class of blocks that it is. */
#ifndef HY_UNITS_UNIT_H
#define HY_UNITS_UNIT_H

#include "fmi3/fmi3.h"
#include "units/units.h"

typedef enum {
  HY_UNIT_FLOAT64,
  HY_UNIT_FLOAT32,
  HY_UNIT_INT64,
  HY_UNIT_INT32,
  HY_UNIT_INT16,
  HY_UNIT_INT8,
  HY_UNIT_UINT64,
  HY_UNIT_UINT32,
  HY_UNIT_UINT16,
  HY_UNIT_UINT8,
  HY_UNIT_BOOLEAN,
  HY_UNIT_STRING,
} HyUnitType;

/* A scalar variable. */
typedef struct {
  char *name, *called;     /* of the unit, and as a port or parameter: der(x) is der_x_ */
  char *unit, *doc, *text; /* NULL: not stated; text: the start of a string */
  HyUnitType type;
  fmi3ValueReference reference;
  gboolean discrete;
  double start; /* NaN: not stated */
} HyUnitVariable;

typedef struct {
  char *identifier, *token, *doc;
  double step; /* that it suggests; NaN: none */
  gboolean events, early,
      states;              /* it has an event mode, may return early, its states can be put back */
  gboolean any_step, once; /* steps may have any length; one instance in a process at most */
  GArray *inputs, *outputs, *params; /* HyUnitVariable */
} HyUnitSays;

/* Of modelDescription.xml. FALSE: it is none of FMI 3 for co-simulation. */
gboolean hy_unit_says_read(HyUnitSays *says, const char *xml, gsize size, GError **error);
void hy_unit_says_clear(HyUnitSays *says);

struct HyUnit {
  HyAtomicClass klass; /* the first */
  char *file, *name, *folder;
  HyUnitSays says;
  void *object;
#define HY_UNIT_FIELD(Result, function, parameters)                                                \
  Result(*function) parameters; /* NOLINT(bugprone-macro-parentheses): a declaration */
  FMI3_FUNCTIONS(HY_UNIT_FIELD)
#undef HY_UNIT_FIELD
  HyPort *in, *out;
  HyParam *params;
  char *example;
  gint instances; /* atomically */
};

/* Its class of blocks, from what it says. */
void hy_unit_make_class(HyUnit *unit);

#endif
