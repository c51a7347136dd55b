/* Inside the loader: what a <machine> says, once for all its copies. */
#ifndef HY_LANGUAGE_MACHINE_H
#define HY_LANGUAGE_MACHINE_H

#include "atomics/machine/machine.h"
#include "language/block.h"
#include "language/define.h"

/* A formula of a machine, by its number among all of them. */
typedef struct {
  const HyAttribute *attribute; /* where it stands; NULL: a number that nobody has written */
  const char *text;             /* of an assignment what is behind "=" */
  const HyFormula *formula;     /* when first needed */
  gboolean constant;            /* what a variable is at the start: known while loading */
  gboolean watched;             /* the guard of a `when` */
  gboolean guard;
  gboolean time; /* of a timeout */
} MachineSource;

typedef struct MachineSaid {
  HyMachine *machine; /* the model keeps it */
  GArray *source;     /* MachineSource, as its parts */
  GPtrArray *names;   /* of the pool: inputs, variables; what its formulas may name by themselves */
} MachineSaid;

/* Reads the element of E and leaves its class. FALSE: reported. */
gboolean hy_machine_read(Loader *l, Entry *e);
void hy_machine_said_free(MachineSaid *said);

/* About a line inside the machine E. */
void hy_machine_complain(Loader *l, Entry *e, guint line, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
void hy_machine_warn(Loader *l, const Entry *e, guint line, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* ---- machine_check.c: what its graph shows: what is never reached or left, or hidden ---- */
void hy_machine_check(Loader *l, Entry *e, const HyMachine *m);

/* ---- machine_block.c ---- */
/* The copy of E at AT, whose lines from FIRST on lead to its named inputs; HY_NO_COMPONENT:
 * reported. */
guint32 hy_machine_block(Loader *l, Scope *s, Entry *e, const gint64 *at, guint32 row, guint first);

#endif
