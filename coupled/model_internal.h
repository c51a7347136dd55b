/* The inside of HyModel, for coupled/ and the engines: public calls are in hydevs/model.h. */
#ifndef HY_MODEL_INTERNAL_H
#define HY_MODEL_INTERNAL_H

#include "hydevs/error.h"
#include "hydevs/model.h"

#define HY_MAX_DEPTH      10000U     /* coupled models inside each other */
#define HY_MAX_LINES      100000000  /* that events run along, after flattening */
#define HY_MAX_PORTS      50000000U  /* elements of one port array */
#define HY_MAX_STATE      (1U << 30) /* bytes of one atomic */
#define HY_MAX_COMPONENTS (G_MAXUINT32 - 2)
#define HY_MAX_PARAMS     64 /* of one class */
#define HY_NO_PRIORITY    G_MAXINT

typedef struct {
  const char *name;
  const HyAtomicClass *klass; /* NULL: coupled */
  union {
    HyModel *coupled;
    guint8 *image; /* HyImage header, then the parameter bytes of the state; NULL: the defaults */
  } u;
  guint n_in, n_out;
  gint priority;
  guint group;  /* components with the same number have their method from the same element; 0: none
                   states one */
  guint number; /* by hy_model_check: atomic: its place in the order of ties; coupled: in pre-order,
                   root 0 */
  gboolean reading; /* of a circuit: its name has a dot, "L1.i", as paths to ports have */
} HyComponent;

/* As long as it grows there is space for more. */
typedef struct {
  HyComponent *at;
  guint len, capacity;
} HyComponents;

/* Which parameters were set, in front of the bytes that start a state. */
typedef struct {
  guint64 set; /* bit k: parameter k */
  guint32 size;
  gboolean shared; /* by several components: it is the root's, and changes no more */
} HyImage;

typedef struct {
  guint from, from_port, to, to_port;
} HyLine;

typedef struct {
  guint to, to_port;
} HyTarget;

typedef struct {
  guint component, port;
  HyValue value;
} HyConstantInput;

struct HyModel {
  const char *name;
  HyModel *parent, *root; /* parent NULL: this is the root */
  guint index;            /* in parent */
  guint number;           /* in pre-order, by check */
  guint depth;            /* root: 1 */
  HyComponents components;
  GPtrArray *in, *out; /* port names */
  GArray *lines;       /* HyLine, in the order stated; NULL once checked */
  GArray *constants;   /* HyConstantInput, or NULL; sorted by check */
  GHashTable *by_name; /* name -> component; only while someone asks for names */

  /* Filled by hy_model_check. A slot is a source: first the model's own input ports, then every
   * output port of every component. Its targets: within the model in the order stated, then the
   * model's own output ports (to == HY_SELF). */
  guint *order;      /* components as D lists them; NULL: as they were added */
  guint *first_slot; /* [component] */
  guint *start;      /* [slot + 1] */
  HyTarget *targets;

  struct HyRoot *owner; /* of the root only */
};

/* What the root keeps for all models below it. */
typedef struct HyRoot {
  GStringChunk *names;
  GHashTable *by_name;               /* of NAMES, so that each is kept once; NULL once checked */
  GPtrArray *owned;                  /* blocks freed with g_free */
  GPtrArray *variants;               /* payloads */
  struct HyExpressions *expressions; /* formulas; NULL: none yet */
  struct HyWrittenAll *written; /* formulas as they stand in the file (written.h); NULL: not kept */
  GHashTable *defaults;         /* class -> image with the default parameters */
  GHashTable *images;           /* HyImage: those that are shared, a set; or NULL */
  gboolean partial; /* mistakes are known already, and only loops are looked for: parameters may
                       be missing of all but those that could be in one */
  gboolean checked; /* what its author stated is final */
  GError *fault;    /* found after that */
  GArray *loops;    /* HyLoopStep: the algebraic loops that it is about, or NULL */
  const HyModel *fault_model; /* of the component whose place belongs to it; NULL: none has */
  guint fault_component;
  gint users; /* simulations that are made of it, in any thread */
  guint n_atomics, n_coupled;
  HyModel **coupled; /* [n_coupled] by number */
  struct {
    guint coupled, component;
  } * atomics; /* [n_atomics] by number */
} HyRoot;

static inline HyComponent *hy_component(const HyModel *m, guint k)
{
  return &m->components.at[k];
}

static inline guint hy_component_at(const HyModel *m, guint place)
{
  return m->order != NULL ? m->order[place] : place;
}

static inline guint hy_slot(const HyModel *m, guint component, guint port)
{
  return component == HY_SELF ? port : m->first_slot[component] + port;
}

/* A port of a component with N ports on this side by its number: the entry of the class table and
 * the element, 0 where that is no array; and back, HY_SELF if there is no such element. */
const HyPort *hy_port_at(const HyPort *table, guint n, guint port, guint *index);
guint hy_port_number(const HyPort *table, guint n, guint entry, guint index);

/* The coupled model after AT in pre-order (order of addition) below ROOT, ROOT included; NULL at
 * the end. */
HyModel *hy_model_walk(const HyModel *root, const HyModel *at);

/* "C/D/Q: TEXT" as error; COMPONENT may be HY_SELF. Always FALSE. */
gboolean hy_model_error(const HyModel *m, guint component, GError **error, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* A simulation has been made of ROOT, or is gone; as long as there is one ROOT is not freed. */
void hy_model_use(HyModel *root, gint change);
gboolean hy_model_is_used(const HyModel *root);

/* FALSE: it has been checked (HY_ERROR_USAGE). */
gboolean hy_model_may_change(const HyModel *m, GError **error);

/* The image with CLASS's defaults, which is ROOT's. NULL: the table has a fault, or a default that
 * is not legal; *WHY says which (newly allocated). */
const guint8 *hy_image_default(HyModel *root, const HyAtomicClass *klass, char **why);
/* Equal parameters are kept once: COMPONENT has them, and none is set any more without a copy.
 * Returns them for components of the same class that are to have the same; NULL: the defaults. */
guint8 *hy_image_share(HyModel *m, guint component);
/* TEXT, kept as long as ROOT. */
const char *hy_root_text(HyRoot *root, const char *text);
gsize hy_class_params_size(
    const HyAtomicClass *klass); /* the front part of the state that parameters fill */
/* What its parameter NAME, a number, is now. */
double hy_component_real(const HyModel *m, guint component, const char *name);
/* The same of a list; NULL: nothing has been set of this component. */
const HyReals *hy_component_reals(const HyModel *m, guint component, const char *name);
/* What is wrong with a class table, "has no name"; NULL: nothing. */
const char *hy_class_fault(const HyAtomicClass *klass);
/* Its parameter of this name; NULL: none. */
const HyParam *hy_class_param(const HyAtomicClass *klass, const char *name);
/* FALSE: V is not in the range of P, or no number of its kind; WHY is newly allocated. */
gboolean hy_param_check_number(const HyParam *p, double v, char **why);
/* Its parameter `method`; NULL: it has none, and is no state. */
const HyParam *hy_class_method(const HyAtomicClass *klass);
/* SIZE bytes of the parameters, to start the state of a component with; valid once checked: NULL if
 * not, and none are stated. */
const guint8 *hy_component_image(const HyModel *m, guint component, gsize *size);

#endif
