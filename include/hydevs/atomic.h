/* How an atomic model is written: one .c file with a state struct, a few functions and this table
 * entry. examples/turnstile.c is a complete one. The letters are those of the textbooks: s = (X, S,
 * Y, dint, dext, lambda, ta). */
#ifndef HYDEVS_ATOMIC_H
#define HYDEVS_ATOMIC_H

#include <glib.h>
#include <math.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What travels along a wire: a piece of a signal, c0 + c1 s + c2 s^2 + c3 s^3 with s the time since
 * the event (Taylor coefficients, not derivatives), and for discrete models optionally a boxed,
 * immutable payload of any type. */
typedef struct {
  double c[4];
  GVariant *payload; /* NULL: the value is c */
} HyValue;

/* An event at a port. The index counts the ports in the order of the class (or coupled model). */
typedef struct {
  gint port; /* -1: no event */
  HyValue value;
} HyEvent;

/* A struct of this type where it stands, its fields by name; in C++ from C++20 on, with GCC and
 * Clang from C++17 on, unless -pedantic forbids it. */
#ifdef __cplusplus
#define HY_LITERAL(type) type
#else
#define HY_LITERAL(type) (type)
#endif
#define HY_NO_EVENT (HY_LITERAL(HyEvent){.port = -1, .value = {{0}, NULL}})

/* A sine as such: amplitude sin(2 pi frequency t + phase) + offset, t the time of the run. */
typedef struct {
  double amplitude, frequency, phase, offset;
} HySine;

typedef struct HyExpression HyExpression; /* opaque; the model's own, shared by equal formulas */

/* Parameters: the core fills them into the state before init, checked. */
typedef enum {
  HY_REAL,    /* double */
  HY_INTEGER, /* gint64 */
  HY_BOOLEAN, /* gboolean */
  HY_TEXT,    /* const char * */
  HY_REALS,   /* HyReals: a list of numbers */
  HY_VALUES,  /* HyValues: a list of event values, numbers or payloads */
  HY_FORMULA, /* const HyExpression *: a formula over the inputs in[1], in[2], ..., set as text */
} HyParamKind;

typedef enum {
  HY_ANY,           /* everything but NaN */
  HY_POSITIVE,      /* > 0 */
  HY_NOT_NEGATIVE,  /* >= 0 */
  HY_UNIT_INTERVAL, /* 0 .. 1 */
} HyRange;

typedef struct {
  guint n;
  const double *v; /* the model's own */
} HyReals;

typedef struct {
  guint n;
  const HyValue *v; /* the model's own */
} HyValues;

typedef struct {
  const char *name; /* NULL ends the table */
  HyParamKind kind;
  gsize offset;        /* G_STRUCT_OFFSET(YourState, field) */
  double value;        /* default of a real, integer or boolean */
  const char *text;    /* default of a text or list, as a model file would say it; NULL: empty */
  gboolean required;   /* no default: whoever uses the block must set it */
  HyRange range;       /* of a number, or of each number of a list */
  const char *choices; /* a text must be one of these words (blanks between); NULL: any */
  const char *unit;    /* NULL: not stated */
  const char *doc;
} HyParam;

/* A row of the table for FIELD of the struct TYPE, whose name and kind are those of the field. What
 * else there is to say follows: HY_PARAM(Ramp, height, .value = 1, .doc = "of the rise").
 * HY_PARAM_AT states another name than the field's. In C++ in the order of HyParam. */
#define HY_PARAM(type, field, ...) HY_PARAM_AT(#field, type, field, __VA_ARGS__)
#define HY_PARAM_AT(text, type, field, ...)                                                        \
  {                                                                                                \
    .name = (text), .kind = HY_KIND_OF(((type *)0)->field),                                        \
    .offset = G_STRUCT_OFFSET(type, field), __VA_ARGS__                                            \
  }
#ifdef __cplusplus
extern "C++" {
/* What a field of this type holds; of others a parameter cannot be. */
template <typename T> struct HyKindOf;
template <> struct HyKindOf<double> {
  static constexpr HyParamKind kind = HY_REAL;
};
template <> struct HyKindOf<gint64> {
  static constexpr HyParamKind kind = HY_INTEGER;
};
template <> struct HyKindOf<gboolean> {
  static constexpr HyParamKind kind = HY_BOOLEAN;
};
template <> struct HyKindOf<const char *> {
  static constexpr HyParamKind kind = HY_TEXT;
};
template <> struct HyKindOf<HyReals> {
  static constexpr HyParamKind kind = HY_REALS;
};
template <> struct HyKindOf<HyValues> {
  static constexpr HyParamKind kind = HY_VALUES;
};
template <> struct HyKindOf<const HyExpression *> {
  static constexpr HyParamKind kind = HY_FORMULA;
};
}
#define HY_KIND_OF(field) (HyKindOf<decltype(field)>::kind)
#else
/* clang-format off */
#define HY_KIND_OF(field)                  \
  _Generic((field),                        \
           double: HY_REAL,                \
           gint64: HY_INTEGER,             \
           gboolean: HY_BOOLEAN,           \
           const char *: HY_TEXT,          \
           HyReals: HY_REALS,              \
           HyValues: HY_VALUES,            \
           const HyExpression *: HY_FORMULA)
/* clang-format on */
#endif

/* Ports. A wire between ports of the two kinds is legal; a checker may warn. */
typedef enum {
  HY_SIGNAL, /* piecewise polynomial: the last event holds until the next one */
  HY_EVENT,  /* isolated events */
} HyPortKind;

typedef struct {
  const char *name; /* NULL ends the table */
  HyPortKind kind;
  gboolean array; /* name[1], name[2], ...: as many as the block is given. Only the last port may be
                     one; of outputs several, of equal length. In a model file outputs are as many
                     as inputs; where no input is an array, as the highest index that is named */
  gboolean optional; /* an input that may stay without a source */
  gboolean at_once;  /* an output that follows the inputs at the same instant, of a class that does
                        not describe itself (below): it has its turn like one that does, but ports
                        without this mark may lead back to its inputs (loop_breaker) */
  gboolean moves;    /* an output, of such a class too, that answers an input that moves with pieces
                        that move, and does not only jump */
  const char *unit;  /* NULL: not stated */
  const char *doc;
} HyPort;

typedef struct HyAtomicClass HyAtomicClass;

/* How an integrator is drawn from its last transition until its next one, s counted from T0:
 * x(s) = x[0] + x[1] s + ..., what it has said q(s) = q[0] + q[1] s + ..., and x stays within
 * q - within .. q + within. */
typedef struct {
  double t0, x[4], q[3], within;
} HyHeld;

struct HyRoom; /* of the room equations */

/* A lever: a source that is moved by hand while a simulation runs. SETTING: by who operates the
 * plant; OUTSIDE: what surrounds it; MALFUNCTION: what breaks, from 0 (whole) to 1. */
typedef enum { HY_LEVER_SETTING, HY_LEVER_OUTSIDE, HY_LEVER_MALFUNCTION } HyLeverKind;
typedef struct {
  const char *path, *doc, *unit; /* DOC, UNIT: NULL: not stated */
  HyLeverKind kind;
  double value;        /* at the last event of the simulation */
  double lower, upper; /* what it may be set to; infinite: anything */
  double rate;         /* so much in a second at most; INFINITY: at once */
  guint atomic;        /* its number in the simulation */
  double target;       /* where it is going; where it rests that is its value */
} HyLever;

/* What a block is told once, at init. */
typedef enum {
  HY_OPEN,     /* nothing is connected */
  HY_WIRED,    /* events may arrive */
  HY_CONSTANT, /* a number was given instead of a wire: no message will ever come */
} HyInputState;

typedef struct {
  const HyAtomicClass *klass;
  guint n_in, n_out;           /* ports, the elements of port arrays counted one by one */
  const HyInputState *input;   /* [n_in] */
  const HyValue *const *value; /* [n_in]: of a HY_CONSTANT input, else NULL */
  guint order;  /* Taylor coefficients that count in this model, 1 .. 4: the most of any class with
                   `order`; 4 if there is none */
  guint number; /* of the block in the simulation */
  struct HyRoom *room; /* what blocks compute; NULL: nobody asks */
  guint group;         /* blocks with the same number have their method from the same element of the
                          file; 0: from none */
  guint64 seed; /* made from the seed of the run and the block's path, so equal in all engines */
} HySetup;

/* Called with the parameters in STATE and a node for each input; sets a node for each output. */
typedef guint32 HyX;
typedef struct HyXBuilder HyXBuilder;
typedef gboolean (*HyDescribe)(const void *state, HyXBuilder *b, const HyX *in, guint n_in,
                               HyX *out, GError **error);

/* What a class computes by a text parameter `formula`. In a model file its inputs are the names in
 * the formula: each is an attribute of the block, or an output that stands there by itself. */
typedef enum {
  HY_NO_FORMULA,
  HY_FORMULA_OF_INPUTS,   /* function */
  HY_FORMULA_OF_UNKNOWNS, /* implicit: it also names what is to be found */
} HyFormulaUse;

/* A walk over all that is state in a simulation, to copy it out and to put it back: in memory
 * (hy_sim_save()), where states are copied as they lie and a walk is about what they point to; and
 * in files, which hold items, each with its name and type, of all that changes. A class with `tape`
 * names all of it, in the state and beside, always in the same order; parameters, wires and what
 * else init finds again are not named. */
typedef struct HyTape HyTape;

/* What an item is made of. */
typedef enum {
  HY_ITEM_F64,   /* double */
  HY_ITEM_I32,   /* gint, gboolean */
  HY_ITEM_U32,   /* guint, enums */
  HY_ITEM_I64,   /* gint64 */
  HY_ITEM_U64,   /* guint64, gsize */
  HY_ITEM_U8,    /* guint8, gint8, bool */
  HY_ITEM_TEXT,  /* char *, the state's own; NULL is fine */
  HY_ITEM_VALUE, /* HyValue; the state has a reference on the payload */
} HyItemKind;

/* HY_TAPE(tape, s->count): the field of such a type, by the name "count".
 * HY_TAPE_ARRAY(tape, s->x, n): N of them, at a place that stays the same from init to clear.
 * HY_TAPE_MEMORY(tape, s->queue, n): likewise in memory from g_malloc(), perhaps reallocated since,
 * of which the state has the pointer; it is there anew when it is put back. Where N changes,
 * hy_tape_count() says it before. */
#define HY_TAPE(tape, field) hy_tape_item((tape), HY_ITEM_OF(field), #field, &(field), 1)
#define HY_TAPE_ARRAY(tape, pointer, n)                                                            \
  hy_tape_item((tape), HY_ITEM_OF(*(pointer)), #pointer, (pointer), (n))
#define HY_TAPE_MEMORY(tape, pointer, n)                                                           \
  hy_tape_own((tape), HY_ITEM_OF(*(pointer)), #pointer, &(pointer), (n))

/* N items at DATA. Of TEXT what stands behind its last point or arrow is the name. */
void hy_tape_item(HyTape *tape, HyItemKind kind, const char *text, void *data, gsize n);
/* POINTER is the address of a pointer in the state. */
void hy_tape_own(HyTape *tape, HyItemKind kind, const char *text, void *pointer, gsize n);
/* How many there are, at most MOST: N, or as many as are put back now. */
gsize hy_tape_count(HyTape *tape, const char *text, gsize n, gsize most);
/* What follows is of NAME: in files alone, for messages and to find it by. */
void hy_tape_section(HyTape *tape, const char *name);
/* Whether this is a walk for a file; and whether state is being put back. */
gboolean hy_tape_files(const HyTape *tape);
gboolean hy_tape_loads(const HyTape *tape);
/* What has been put back cannot be: the simulation is made what it was before, and WHY told. */
void hy_tape_reject(HyTape *tape, const char *why);

/* In memory alone, a file refuses: SIZE bytes at DATA, a place that stays the same from init to
 * clear. */
void hy_tape_bytes(HyTape *tape, void *data, gsize size);
/* Likewise. POINTER is the address of a pointer in the state to SIZE bytes from g_malloc(), perhaps
 * reallocated since. */
void hy_tape_memory(HyTape *tape, void *pointer, gsize size);
/* Likewise. The payload of a value, in the state or in memory named before: the state has a
 * reference. */
void hy_tape_value(HyTape *tape, HyValue *value);

#ifdef __cplusplus
extern "C++" {
template <typename T> struct HyItemOf;
template <> struct HyItemOf<double> {
  static constexpr HyItemKind kind = HY_ITEM_F64;
};
template <> struct HyItemOf<gint> {
  static constexpr HyItemKind kind = HY_ITEM_I32;
};
template <> struct HyItemOf<guint> {
  static constexpr HyItemKind kind = HY_ITEM_U32;
};
template <> struct HyItemOf<gint64> {
  static constexpr HyItemKind kind = HY_ITEM_I64;
};
template <> struct HyItemOf<guint64> {
  static constexpr HyItemKind kind = HY_ITEM_U64;
};
template <> struct HyItemOf<guint8> {
  static constexpr HyItemKind kind = HY_ITEM_U8;
};
template <> struct HyItemOf<bool> {
  static constexpr HyItemKind kind = HY_ITEM_U8;
};
template <> struct HyItemOf<gint8> {
  static constexpr HyItemKind kind = HY_ITEM_U8;
};
template <> struct HyItemOf<char *> {
  static constexpr HyItemKind kind = HY_ITEM_TEXT;
};
template <> struct HyItemOf<HyValue> {
  static constexpr HyItemKind kind = HY_ITEM_VALUE;
};
template <typename T> struct HyPlain {
  typedef T type;
};
template <typename T> struct HyPlain<T &> {
  typedef T type;
};
}
#define HY_ITEM_OF(field) (HyItemOf<HyPlain<decltype(field)>::type>::kind)
#else
/* clang-format off */
#define HY_ITEM_OF(field)           \
  _Generic((field),                 \
           double: HY_ITEM_F64,     \
           gint: HY_ITEM_I32,       \
           guint: HY_ITEM_U32,      \
           gint64: HY_ITEM_I64,     \
           guint64: HY_ITEM_U64,    \
           guint8: HY_ITEM_U8,      \
           _Bool: HY_ITEM_U8,       \
           gint8: HY_ITEM_U8,       \
           char *: HY_ITEM_TEXT,    \
           HyValue: HY_ITEM_VALUE)
/* clang-format on */
#endif

/* An atomic class. The state is plain memory of fixed size: allocated, zeroed and filled with the
 * parameters by the core, and copied by it where a simulation is saved. It may point to parameters,
 * into itself, and to what init has found or made and nobody changes; what else it points to is
 * named by `tape`, and what it allocates, `clear` frees. It never points into another block.
 *
 * Exactly one of ta and next: `next` for a class that knows the absolute instant of its next event
 * (it then travels unchanged, so equal instants stay equal), `ta` for a class that knows how long
 * it stays. Both may say INFINITY; a negative ta, an instant before t, or NaN ends the run with an
 * error that names the block. A `next` of -INFINITY ends it as a success: the block has seen what
 * it was waiting for. */
struct HyAtomicClass {
  const char *name;
  const char *doc;
  const char *palette; /* the heading under which it is listed */
  const char *example; /* its use in a model file */
  const HyPort *in, *out;
  const HyParam *params;
  gsize state_size;
  gboolean (*init)(void *state, double t, const HySetup *setup,
                   GError **error); /* NULL: nothing to do */
  double (*ta)(const void *state);
  double (*next)(const void *state);
  /* Just before dint, never otherwise. A payload that it creates (floating) goes over to the core;
   * one that the state keeps must live until dint. NULL: never speaks. */
  HyEvent (*lambda)(const void *state, double t);
  void (*dint)(void *state, double t); /* NULL: the state stays as it is */
  /* e: time since the last transition; exactly ta when the input meets the block's own event. NULL:
   * no inputs. */
  void (*dext)(void *state, double t, double e, const HyEvent *x);
  void (*clear)(void *state);
  /* NULL: all that changes lies in the state itself, without references on payloads; files refuse
   * such a class, unless nothing can change: it has no transitions. */
  void (*tape)(void *state, HyTape *tape);
  void (*print)(const void *state,
                GString *out); /* the state for a trace, short; NULL: not shown */
  /* What it is at T, not before its last transition, if that is more than what it has sent: the
   * state x of an integrator, which `block.x` records; NULL: it has no such thing. */
  double (*value)(const void *state, double t);
  /* What it holds; FALSE: it has no quantum. NULL: as FALSE. */
  gboolean (*held)(const void *state, HyHeld *held);
  /* What it has found out, for people at the end of a run: "3 arrived, 3 left"; NULL: nothing. */
  void (*report)(const void *state, GString *out);
  /* A block without dynamics of its own states what it computes as an expression (expression.h) and
   * takes all of its other functions from hy_static_*. It then has its turn before everything else
   * that is due at the same instant, after the blocks that feed it. */
  HyDescribe describe;
  HyFormulaUse formula;
  /* How many Taylor coefficients it sends. Only of classes that decide it, such as integrators. */
  guint (*order)(const void *state);
  /* A source, without inputs, whose pieces at PORT are those of one sine for ever says which one,
   * asked after init: who can take it whole need not listen to pieces. FALSE: they are not. NULL:
   * no port's are. */
  gboolean (*sine)(const void *state, guint port, HySine *sine);
  /* A block that cannot go on returns NaN from ta or next; this says why (newly allocated). The
   * time is put behind it, unless it has " at t = " already. Also asked when next is -INFINITY. */
  char *(*fault)(const void *state);
  /* What has spoken at one output may still wait for signals before it speaks at another: whether
   * PORT is silent for that reason. NULL: silent is what has had no internal event. */
  gboolean (*silent)(const void *state, guint port);
  /* Both, of a source that is moved from outside (hy_sim_set_lever()), with one output `out` and
   * `next`: what it is at T, all but path and atomic; and that from T on it goes to VALUE, on a
   * line of RAMP seconds. What it has to say about that it says when `next` is due. */
  void (*lever)(const void *state, double t, HyLever *lever);
  void (*set)(void *state, double t, double value, double ramp);
};

#pragma GCC visibility pop
G_END_DECLS
#endif
