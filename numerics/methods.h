/* The integration methods, one row each: what the method attribute of a model file may name. The
 * language, the blocks, the groups and the tests read this table, and nothing else knows a name.
 *
 * To add a method: a .c file with its arithmetic, and a row in methods.c. */
#ifndef HYDEVS_NUMERICS_METHODS_H
#define HYDEVS_NUMERICS_METHODS_H

#include "classic.h"
#include "quantizer.h"

/* Who decides when a state moves, and how; those after PAIRS are the classic methods. */
typedef enum {
  HY_FAMILY_QUANTIZED, /* each state for itself */
  HY_FAMILY_PAIRS,     /* likewise, and two of a group may step at once: mLIQSS */
  HY_FAMILY_CVODE,     /* a group moves all of its states: CVODE of SUNDIALS */
  HY_FAMILY_TEXTBOOK,  /* likewise: classic.h */
  HY_FAMILY_MULTIRATE, /* likewise, and informs groups with shorter steps:
                          groups/classic_multirate.c */
  HY_FAMILY_BLOCK,     /* likewise, exactly where equations are linear: modal.h */
  HY_FAMILY_IMPLICIT,  /* likewise, linearly implicit: implicit.h */
  HY_FAMILY_CHAIN,     /* likewise, of a chain those that move: groups/classic_chain.c */
} HyFamily;

typedef enum { HY_NEEDS_HSTEP = 1, HY_NEEDS_SUNDIALS = 2, HY_NEEDS_EQUATIONS = 4 } HyMethodNeeds;

/* What a group of a multirate method tells groups with shorter steps, during its step. */
typedef enum {
  HY_RATE_INTERPOLATED, /* the line from its beginning to its end */
  HY_RATE_ADVANCED,     /* its end, in all their steps */
  HY_RATE_DELAYED,      /* its beginning */
} HyRateInformation;

typedef struct {
  const char *name; /* method="..." */
  HyFamily family;
  int order;      /* of the error, as a power of the step; of CVODE: the highest */
  unsigned needs; /* HyMethodNeeds */
  const char *doc;
  const HyQuantizer *quantizer;  /* what one state is by itself */
  const HyOdeMethod *textbook;   /* else NULL */
  bool stiff;                    /* of CVODE: BDF with Newton's iteration, else Adams */
  HyRateInformation information; /* of multirate methods; and how often they correct: */
  int corrections;               /* m of P(EC)^m E, 0: Euler's method */
  bool by_error;                 /* of linearly implicit ones: what limits a step, else quanta do */
} HyMethod;

extern const HyMethod hy_methods[];         /* by families; ends with a row without name */
extern const char *const hy_method_names[]; /* the same, NULL after the last */
/* What the method attribute may say: these, and HY_METHOD_AUTO, no method: a run chooses one
 * (experiment/auto.c). */
#define HY_METHOD_AUTO "auto"
extern const char *const hy_method_words[];
const HyMethod *hy_method_find(const char *name); /* NULL: no such method */

static inline bool hy_family_is_classic(HyFamily family)
{
  return family > HY_FAMILY_PAIRS;
}

#endif
