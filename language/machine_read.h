/* Inside the loader: a <machine> while it is read, for the two files that read it. */
#ifndef HY_LANGUAGE_MACHINE_READ_H
#define HY_LANGUAGE_MACHINE_READ_H

#include "language/define.h"
#include "language/machine.h"

typedef struct {
  Loader *l;
  Entry *e;
  const HyFile *file;
  const HyTree *tree;
  MachineSaid *said;
  HyMachine *m;
  GArray *in, *out;                 /* HyPort */
  GArray *state, *transition, *act; /* of the machine */
  GArray *common;                   /* HyMachineTransition of all states */
  GArray *part;                     /* HyMachinePart */
  GPtrArray *var;
  GArray *var_part;
  guint at; /* the state that is read; G_MAXUINT: none */
} MachineReading;

/* The first child from K on that is called WORD; 0: none. */
guint32 hy_machine_child(const MachineReading *r, guint32 k, guint16 word);
/* The next one behind CHILD. */
static inline guint32 hy_machine_next(const MachineReading *r, guint32 child)
{
  const HyElement *x = hy_element(r->tree, child);
  return hy_machine_child(r, x->next, x->name);
}
/* TEXT for as long as the model; NULL stays NULL. */
const char *hy_machine_keep(const MachineReading *r, const char *text);

/* ---- machine_ports.c ---- */
void hy_machine_inputs(MachineReading *r, const HyElement *x);
void hy_machine_outputs(MachineReading *r, const HyElement *x);
void hy_machine_variables(MachineReading *r, const HyElement *x);
/* Once all states are known. */
void hy_machine_judge_outputs(MachineReading *r, const HyElement *x);
/* The input that A names, which takes events then; G_MAXUINT: reported. */
guint hy_machine_event(MachineReading *r, const HyAttribute *a);
/* Something else that is seen where the machine stands; NULL: nothing. */
const Entry *hy_machine_other(const MachineReading *r, const char *name);

/* ---- machine_acts.c ---- */
/* TEXT, of ATTRIBUTE, which messages call WHAT, as a formula; its number. */
guint hy_machine_part(MachineReading *r, const HyAttribute *attribute, const char *what,
                      const char *text, MachineSource source);
/* "n = n + 1; m = 0" of attribute WORD, behind what there is; the text, NULL: none. */
const char *hy_machine_assignments(MachineReading *r, const HyElement *x, guint16 word,
                                   HyMachineActs *acts);
/* Attributes that are outputs, in the order of those; all others must be in the rule of X. Returns
 * what a drawing writes, NULL: nothing is said. */
const char *hy_machine_words(MachineReading *r, const HyElement *x, const char *who,
                             HyMachineActs *acts);
/* Of ports, by name; G_MAXUINT: none. */
guint hy_machine_find_port(const GArray *ports, const char *name);
guint hy_machine_find_var(const MachineReading *r, const char *name);
/* Adds them to a list, and offers them as the nearest. */
void hy_machine_offer(const GArray *ports, HyNearest *nearest, GString *list);

#endif
