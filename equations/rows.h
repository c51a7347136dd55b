/* Rows: for every state of a model what its derivative is made of, and for others who ask. Derived
 * from the flat graph by composing the static blocks between states and sources; linear in blocks
 * and wires but for blocks that many rows read. */
#ifndef HYDEVS_EQUATIONS_ROWS_H
#define HYDEVS_EQUATIONS_ROWS_H

#include "coupled/flatten.h"
#include "expr/template.h"
#include "kind.h"

typedef struct {
  guint32 template; /* by number */
  guint32 slots;    /* where its slots begin, and so on: places in the pools below */
  guint32 numbers, flags;
  guint32 coef; /* of what is linear in the row: the factor of each slot, then the rest */
} HyRow;

#define HY_NO_ROW G_MAXUINT32

/* What rows are derived from. */
typedef struct {
  const HyFlat *flat;
  const HyFlatSources *sources;
  const HyKind *const *kind; /* [atomics]; NULL: not static */
  const guint32 *first_flag; /* [atomics]: number of the first mode of each */
  guint lanes;
} HyDiagram;

/* A block that is made of many signals and read by several blocks, as the mean of all states is. It
 * has a row of its own and is a slot of the others, or rows would be as many signals as there are
 * states, times the states. */
typedef struct {
  guint32 slot, row;
  guint32
      sequence; /* the places of the row's slots, sorted by slot, begin here in SEQUENCE below */
  guint depth;  /* hubs of hubs: 1 for one that is made of none */
} HyHub;

typedef struct {
  GPtrArray *templates; /* HyTemplate */
  GArray *rows;         /* HyRow */
  GArray *slot;         /* guint32: output slots of the flat graph */
  GArray *number;       /* double */
  GArray *flag;         /* guint32 */
  GArray *coef;         /* double */
  GArray *hub;          /* HyHub, by slot */
  GArray *sequence;     /* guint32 */
} HyRows;

typedef struct HyDeriver HyDeriver;
HyDeriver *hy_deriver_new(const HyDiagram *diagram, HyRows *rows);
void hy_deriver_free(HyDeriver *d);
/* The row of what is said at output SLOT, or of a number. SELF: the slot of the state whose
 * derivative it is, or HY_NO_SOURCE. HY_NO_ROW: it cannot be had (too large). */
guint32 hy_derive_signal(HyDeriver *d, guint slot, guint self);
guint32 hy_derive_number(HyDeriver *d, double v);
/* Of the node X of a static block, all of whose inputs have one source each or are numbers. */
guint32 hy_derive_node(HyDeriver *d, guint atomic, HyX x);
/* The same, if it is linear; else HY_NO_ROW. */
guint32 hy_derive_linear(HyDeriver *d, guint atomic, HyX x);

void hy_rows_init(HyRows *rows);
void hy_rows_clear(HyRows *rows);

/* NULL: what is said at SLOT is none. */
const HyHub *hy_rows_hub(const HyRows *rows, guint slot);
/* Which slot of the hub's row SLOT is, or HY_NO_SLOT. */
guint hy_rows_hub_place(const HyRows *rows, const HyHub *hub, guint slot);

static inline const HyRow *hy_row(const HyRows *rows, guint32 row)
{
  return &g_array_index(rows->rows, HyRow, row);
}

static inline HyTemplate *hy_row_template(const HyRows *rows, guint32 row)
{
  return g_ptr_array_index(rows->templates, hy_row(rows, row)->template);
}

/* What is linear in a row: all of it, or its straight part; NULL: nothing. */
static inline HyTemplate *hy_row_linear(const HyRows *rows, guint32 row)
{
  HyTemplate *t = hy_row_template(rows, row);
  return t->degree != HY_NONLINEAR ? t : t->straight;
}

static inline const guint32 *hy_row_slots(const HyRows *rows, guint32 row)
{
  return &g_array_index(rows->slot, guint32, hy_row(rows, row)->slots);
}

static inline const guint32 *hy_row_flags(const HyRows *rows, guint32 row)
{
  return &g_array_index(rows->flag, guint32, hy_row(rows, row)->flags);
}

static inline const double *hy_row_numbers(const HyRows *rows, guint32 row)
{
  return &g_array_index(rows->number, double, hy_row(rows, row)->numbers);
}

#endif
