/* A unit as a block: an instance of it, which goes ahead of the model by one step.
 *
 * The unit is at `reached`, the model at t <= reached. It has been sent there by one call with its
 * inputs as they were when that began; where it returns early it has reached an event of its own.
 * A word at an input before that sends it back: its state as the step began is put in again, it
 * goes to t, and takes what has come. A unit whose states cannot be put back, or whose steps have
 * one length, takes it where it is, up to a step late. So all decisions stand in transitions that
 * say nothing (`decide`), and the words that come of them follow at the same instant, one after the
 * other. */
#include "units/unit.h"

#include "base/tape.h"
#include "hydevs/text.h"
#include "numerics/beats.h"

#include <string.h>

#define PARAMS  64   /* that a class may have */
#define UPDATES 1000 /* of discrete states at one instant */

typedef struct {
  guint port;
  double value;
} Word;

typedef struct {
  HyUnit *unit;
  const guint8 *params; /* the state that they stand in */
  fmi3Instance at;
  fmi3FMUState saved; /* at the begin of the step that it has taken; NULL: none */
  HyBeats beats;      /* of the steps */
  double step, t0, begun, reached, limit; /* limit: when it wants to be asked at the latest */
  gboolean started, wired, back;          /* back: it can be sent back */
  gboolean touched;                       /* an input has come since */
  gboolean event, over;                   /* at `reached`: events to be handled; it has ended */
  HyValue *input;                         /* what came last at each, */
  double *came;                           /* and when; NaN: nothing */
  double *said;                           /* of each output; NaN: nothing */
  GArray *words;                          /* to be said now, from `next` on */
  guint next;
  double due;
  GString *log; /* why it has failed, as it says */
  char *fault;
} Instance;

typedef struct {
  Instance *own;
  double step;
  /* then a place of 8 bytes for each parameter */
} State;

#define PLACE(k) (sizeof(State) + 8 * (gsize)(k))

static const HyUnitVariable *variable(const GArray *of, guint k)
{
  return &g_array_index(of, HyUnitVariable, k);
}

/* Faults --------------------------------------------------------------------------------------- */

static void hear(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                 fmi3String message)
{
  (void)category;
  Instance *own = environment;
  if (status > fmi3Warning && message != NULL && own->log->len < 2000) {
    g_autofree char *plain = hy_plain_text(message, FALSE);
    g_string_append_printf(own->log, "%s%s", own->log->len > 0 ? "; " : "", plain);
  }
}

static gboolean fail(Instance *own, const char *what, const char *why)
{
  if (own->fault == NULL) {
    own->fault = g_strdup_printf("%s: %s: %s", own->unit->file, what, why);
  }
  return FALSE;
}

/* What CALL has returned. */
static gboolean is_ok(Instance *own, fmi3Status status, const char *call)
{
  static const char *const names[] = {"OK", "Warning", "Discard", "Error", "Fatal"};
  if (status <= fmi3Warning) {
    g_string_truncate(own->log, 0);
    return TRUE;
  }
  return fail(own, call,
              own->log->len > 0                     ? own->log->str
              : (guint)status < G_N_ELEMENTS(names) ? names[status]
                                                    : "a status that there is not");
}

#define CALL(own, function, ...)                                                                   \
  is_ok((own), (own)->unit->function((own)->at, __VA_ARGS__), #function)
#define CALL0(own, function) is_ok((own), (own)->unit->function((own)->at), #function)

/* Values --------------------------------------------------------------------------------------- */

#define FOR_NUMBERS(CASE)                                                                          \
  CASE(FLOAT64, Float64)                                                                           \
  CASE(FLOAT32, Float32)                                                                           \
  CASE(INT64, Int64)                                                                               \
  CASE(INT32, Int32)                                                                               \
  CASE(INT16, Int16)                                                                               \
  CASE(INT8, Int8)                                                                                 \
  CASE(UINT64, UInt64)                                                                             \
  CASE(UINT32, UInt32)                                                                             \
  CASE(UINT16, UInt16)                                                                             \
  CASE(UINT8, UInt8)

/* Whether X is a number of this type: whole, and not beyond its range. */
static gboolean holds(HyUnitType type, double x)
{
  static const double low[] = {[HY_UNIT_INT64] = -0x1p63,
                               [HY_UNIT_INT32] = -0x1p31,
                               [HY_UNIT_INT16] = -0x1p15,
                               [HY_UNIT_INT8] = -0x1p7};
  static const double high[] = {
      [HY_UNIT_INT64] = 0x1p63,  [HY_UNIT_INT32] = 0x1p31,  [HY_UNIT_INT16] = 0x1p15,
      [HY_UNIT_INT8] = 0x1p7,    [HY_UNIT_UINT64] = 0x1p64, [HY_UNIT_UINT32] = 0x1p32,
      [HY_UNIT_UINT16] = 0x1p16, [HY_UNIT_UINT8] = 0x1p8};
  if (type <= HY_UNIT_FLOAT32 || type == HY_UNIT_BOOLEAN) {
    return isfinite(x);
  }
  double least = type < G_N_ELEMENTS(low) ? low[type] : 0.0;
  return x == floor(x) && x >= least && x < high[type];
}

static gboolean set_number(Instance *own, const HyUnitVariable *v, double x)
{
  if (!holds(v->type, x)) {
    char text[HY_DOUBLE_SIZE];
    g_autofree char *why = g_strdup_printf("%s is no value of its type", hy_double_text(text, x));
    return fail(own, v->name, why);
  }
#define SET(TYPE, Type)                                                                            \
  case HY_UNIT_##TYPE: {                                                                           \
    fmi3##Type is = (fmi3##Type)x;                                                                 \
    return CALL(own, fmi3Set##Type, &v->reference, 1, &is, 1);                                     \
  }
  switch (v->type) {
    FOR_NUMBERS(SET)
  default: {
    fmi3Boolean is = x > 0.5;
    return CALL(own, fmi3SetBoolean, &v->reference, 1, &is, 1);
  }
  }
}

static gboolean get_number(Instance *own, const HyUnitVariable *v, double *x)
{
#define GET(TYPE, Type)                                                                            \
  case HY_UNIT_##TYPE: {                                                                           \
    fmi3##Type is = 0;                                                                             \
    gboolean ok = CALL(own, fmi3Get##Type, &v->reference, 1, &is, 1);                              \
    *x = (double)is;                                                                               \
    return ok;                                                                                     \
  }
  switch (v->type) {
    FOR_NUMBERS(GET)
  default: {
    fmi3Boolean is = false;
    gboolean ok = CALL(own, fmi3GetBoolean, &v->reference, 1, &is, 1);
    *x = is ? 1.0 : 0.0;
    return ok;
  }
  }
}

static gboolean set_parameters(Instance *own)
{
  const GArray *all = own->unit->says.params;
  for (guint k = 0; own->unit->params[k].name != NULL && k < all->len; k++) {
    const HyUnitVariable *v = variable(all, k);
    const guint8 *place = own->params + PLACE(k);
    const HyParam *p = &own->unit->params[k];
    if (p->kind == HY_TEXT) {
      const char *text;
      memcpy(&text, place, sizeof text);
      if (text != NULL && !CALL(own, fmi3SetString, &v->reference, 1, &text, 1)) {
        return FALSE;
      }
      continue;
    }
    double x;
    memcpy(&x, place, sizeof x);
    if (x != v->start && !isnan(x) && !set_number(own, v, x)) { /* NaN: nobody states it */
      return FALSE;
    }
  }
  return TRUE;
}

static double input_value(const Instance *own, guint k, double t)
{
  const double *c = own->input[k].c;
  double s = t - own->came[k];
  return own->input[k].payload != NULL ? c[0] : c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

/* What is known of the inputs at T; of discrete ones where that may be. */
static gboolean set_inputs(Instance *own, double t, gboolean discrete)
{
  const GArray *all = own->unit->says.inputs;
  for (guint k = 0; k < all->len; k++) {
    const HyUnitVariable *v = variable(all, k);
    if (!isnan(own->came[k]) && (discrete || !v->discrete) &&
        !set_number(own, v, input_value(own, k, t))) {
      return FALSE;
    }
  }
  return TRUE;
}

/* What has changed at the outputs is to be said. A discrete one may say nothing for a while. */
static gboolean collect(Instance *own)
{
  const GArray *all = own->unit->says.outputs;
  for (guint k = 0; k < all->len; k++) {
    const HyUnitVariable *v = variable(all, k);
    double x;
    if (!get_number(own, v, &x)) {
      return FALSE;
    }
    if (!isfinite(x) && !(isnan(x) && v->discrete && isnan(own->said[k]))) {
      char text[HY_DOUBLE_SIZE];
      g_autofree char *why = g_strdup_printf("the unit says %s", hy_double_text(text, x));
      return fail(own, v->name, why);
    }
    if (isfinite(x) && x != own->said[k]) {
      own->said[k] = x;
      g_array_append_val(own->words, ((Word){k, x}));
    }
  }
  return TRUE;
}

/* The way of time ------------------------------------------------------------------------------ */

/* In the event mode, until the unit has settled; then on in the step mode. */
static gboolean settle(Instance *own, double t)
{
  bool more = true, over = false, nominals, states, defined = false;
  double next = INFINITY;
  for (guint k = 0; more; k++) {
    if (k == UPDATES) {
      return fail(own, "fmi3UpdateDiscreteStates", "its events at one instant do not end");
    }
    if (!CALL(own, fmi3UpdateDiscreteStates, &more, &over, &nominals, &states, &defined, &next) ||
        !collect(own)) {
      return FALSE;
    }
    own->over = own->over || over;
    more = more && !over;
  }
  own->limit = defined && next > t ? next : INFINITY;
  own->event = FALSE;
  return own->over || CALL0(own, fmi3EnterStepMode);
}

/* The instance stands at T with all that has come to its inputs. */
static gboolean take(Instance *own, double t)
{
  gboolean events = own->unit->says.events;
  own->touched = FALSE;
  if (!events) {
    return set_inputs(own, t, TRUE) && collect(own);
  }
  return CALL0(own, fmi3EnterEventMode) && set_inputs(own, t, TRUE) && settle(own, t);
}

/* The length of a step with which FROM + it is TO, as near as doubles have it. */
static double length(double from, double to)
{
  double h = to - from;
  return from + h < to ? nextafter(h, INFINITY) : h;
}

/* FROM the place where it is, to TO or an event before. */
static gboolean go(Instance *own, double from, double to)
{
  bool event = false, over = false, early = false;
  double h = length(from, to), last = from + h;
  if (!CALL(own, fmi3DoStep, from, h, !own->back, &event, &over, &early, &last)) {
    return FALSE;
  }
  own->reached = early ? last : from + h;
  if (!(own->reached >= from && own->reached <= from + h)) {
    return fail(own, "fmi3DoStep", "it says that it has gone elsewhere");
  }
  own->event = own->unit->says.events && event;
  own->over = own->over || over;
  return TRUE;
}

static gboolean keep(Instance *own, double t)
{
  own->begun = t;
  return !own->back || CALL(own, fmi3GetFMUState, &own->saved);
}

/* The next step, to the next multiple of the step at most. */
static gboolean go_ahead(Instance *own, double t)
{
  static const HyRatio zero = {0.0, 0.0};
  double k = hy_beat_before(&own->beats, zero, t) + 1, to = hy_beat(&own->beats, k, zero);
  if (!hy_beats_countable(own->step, t) || !(to > t)) {
    return fail(own, "step", "it is too short to be counted at this time");
  }
  to = MIN(to, own->limit);
  return set_inputs(own, t, FALSE) && keep(own, t) && go(own, t, to);
}

static gboolean go_back(Instance *own, double t)
{
  if (!CALL(own, fmi3SetFMUState, own->saved)) {
    return FALSE;
  }
  own->reached = own->begun;
  own->event = own->over = FALSE;
  return t <= own->begun || go(own, own->begun, t);
}

/* Beginning and end ---------------------------------------------------------------------------- */

static void end_instance(Instance *own)
{
  if (own->at != NULL) {
    if (own->saved != NULL) {
      own->unit->fmi3FreeFMUState(own->at, &own->saved);
      own->saved = NULL;
    }
    own->unit->fmi3FreeInstance(own->at);
    own->at = NULL;
    g_atomic_int_add(&own->unit->instances, -1);
  }
}

/* In its initialization mode, with what is known by now. */
static gboolean begin(Instance *own)
{
  HyUnit *u = own->unit;
  g_autofree char *resources = g_build_filename(u->folder, "resources", G_DIR_SEPARATOR_S, NULL);
  end_instance(own);
  if (g_atomic_int_add(&u->instances, 1) > 0 && u->says.once) {
    g_atomic_int_add(&u->instances, -1);
    return fail(own, "fmi3InstantiateCoSimulation",
                "it may stand once in a process, and does so already");
  }
  own->at = u->fmi3InstantiateCoSimulation(u->name, u->says.token, resources, false, false,
                                           u->says.events, u->says.early, NULL, 0, own, hear, NULL);
  if (own->at == NULL) {
    g_atomic_int_add(&u->instances, -1);
    return is_ok(own, fmi3Error, "fmi3InstantiateCoSimulation");
  }
  own->reached = own->t0;
  own->limit = INFINITY;
  return set_parameters(own) &&
         CALL(own, fmi3EnterInitializationMode, false, 0, own->t0, false, 0) &&
         set_inputs(own, own->t0, TRUE);
}

/* All that comes at the first instant belongs to the start. */
static gboolean start(Instance *own)
{
  gboolean ok = own->started ? begin(own) : set_inputs(own, own->t0, TRUE);
  own->touched = FALSE;
  own->started = TRUE;
  return ok && CALL0(own, fmi3ExitInitializationMode) &&
         (own->unit->says.events ? settle(own, own->t0) : collect(own));
}

/* An instant has come at which something is to be decided. */
static gboolean decide(Instance *own, double t)
{
  if (t <= own->t0 && (!own->started || own->touched)) {
    return start(own);
  }
  if (own->touched && t < own->reached) {
    return go_back(own, t) && take(own, t);
  }
  if (own->touched || own->event || own->limit <= t) {
    return take(own, t);
  }
  return collect(own);
}

/* The functions of the class ------------------------------------------------------------------- */

static gboolean unit_init(void *state, double t, const HySetup *setup, GError **error)
{
  State *s = state;
  gpointer klass;
  memcpy(&klass, &setup->klass, sizeof klass);
  HyUnit *u = klass; /* its class is its first member */
  Instance *own = s->own = g_new0(Instance, 1);
  *own = (Instance){.unit = u,
                    .params = state,
                    .step = s->step,
                    .beats = hy_beats(s->step, t),
                    .t0 = t,
                    .due = t,
                    .input = g_new0(HyValue, setup->n_in + 1),
                    .came = g_new(double, setup->n_in + 1),
                    .said = g_new(double, setup->n_out + 1),
                    .words = g_array_new(FALSE, FALSE, sizeof(Word)),
                    .log = g_string_new(NULL)};
  for (guint k = 0; k < setup->n_in; k++) {
    own->came[k] = setup->input[k] == HY_CONSTANT ? t : NAN;
    own->input[k] = setup->input[k] == HY_CONSTANT ? *setup->value[k] : (HyValue){{0}, NULL};
    own->wired = own->wired || setup->input[k] == HY_WIRED;
  }
  for (guint k = 0; k < setup->n_out; k++) {
    own->said[k] = NAN;
  }
  own->back = own->wired && u->says.states && u->says.any_step;
  if (!begin(own)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s", own->fault);
    return FALSE;
  }
  return TRUE;
}

static void unit_clear(void *state)
{
  State *s = state;
  Instance *own = s->own;
  if (own != NULL) {
    end_instance(own);
    g_array_unref(own->words);
    g_string_free(own->log, TRUE);
    g_free(own->input);
    g_free(own->came);
    g_free(own->said);
    g_free(own->fault);
    g_free(own);
    s->own = NULL;
  }
}

static double unit_next(const void *state)
{
  const Instance *own = ((const State *)state)->own;
  return own->fault != NULL ? NAN : own->due;
}

static HyEvent unit_lambda(const void *state, double t)
{
  (void)t;
  const Instance *own = ((const State *)state)->own;
  if (own->next >= own->words->len) {
    return HY_NO_EVENT;
  }
  const Word *w = &g_array_index(own->words, Word, own->next);
  return (HyEvent){.port = (gint)w->port, .value.c = {w->value}};
}

static void unit_dint(void *state, double t)
{
  Instance *own = ((State *)state)->own;
  if (own->next < own->words->len) {
    own->next++;
  } else if (!decide(own, t)) {
    return;
  }
  if (own->next < own->words->len) {
    own->due = t;
    return;
  }
  g_array_set_size(own->words, 0);
  own->next = 0;
  if (own->touched) { /* by one of its own words */
    own->due = t;
  } else if (own->over) {
    own->due = -INFINITY;
  } else if (go_ahead(own, t)) {
    own->due = own->reached;
  }
}

static void unit_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Instance *own = ((State *)state)->own;
  HyValue *input = &own->input[x->port];
  *input = x->value;
  input->payload = NULL;
  own->came[x->port] = t;
  own->touched = TRUE;
  if (own->back || t >= own->reached || t <= own->t0) {
    own->due = t;
  }
}

static void unit_tape(void *state, HyTape *tape)
{
  hy_tape_refuse(tape, "the state of a unit (%s) cannot be saved",
                 ((const State *)state)->own->unit->file);
}

static char *unit_fault(const void *state)
{
  const Instance *own = ((const State *)state)->own;
  return own->fault != NULL
             ? g_strdup(own->fault)
             : g_strdup_printf("the unit %s has ended the simulation", own->unit->file);
}

/* The class ------------------------------------------------------------------------------------ */

static HyPort *ports(const GArray *of, gboolean inputs)
{
  HyPort *all = g_new0(HyPort, of->len + 1);
  for (guint k = 0; k < of->len; k++) {
    const HyUnitVariable *v = variable(of, k);
    all[k] = (HyPort){.name = v->called,
                      .kind = HY_SIGNAL,
                      .optional = inputs,
                      .unit = v->unit,
                      .doc = v->doc != NULL ? v->doc : v->name};
  }
  return all;
}

/* Of numbers all are real here: a whole one is looked at when it is set. */
static HyParam param(const HyUnitVariable *v, guint k)
{
  gboolean text = v->type == HY_UNIT_STRING;
  return (HyParam){.name = v->called,
                   .kind = text ? HY_TEXT : HY_REAL,
                   .offset = PLACE(k),
                   .value = v->start,
                   .text = text ? v->text : NULL,
                   .unit = v->unit,
                   .doc = v->doc != NULL ? v->doc : v->name};
}

void hy_unit_make_class(HyUnit *u)
{
  const HyUnitSays *s = &u->says;
  guint n = MIN(s->params->len, PARAMS - 1);
  u->in = ports(s->inputs, TRUE);
  u->out = ports(s->outputs, FALSE);
  u->params = g_new0(HyParam, n + 2);
  for (guint k = 0; k < n; k++) {
    u->params[k] = param(variable(s->params, k), k);
  }
  u->params[n] = (HyParam){.name = "step",
                           .kind = HY_REAL,
                           .offset = G_STRUCT_OFFSET(State, step),
                           .value = s->step,
                           .required = isnan(s->step),
                           .range = HY_POSITIVE,
                           .unit = "s",
                           .doc = "between two communication points, at most"};
  u->example = g_strdup_printf("<%s name=\"u\" step=\"1m\"/>", u->name);
  u->klass = (HyAtomicClass){.name = u->name,
                             .doc = s->doc != NULL ? s->doc : "a unit (FMU)",
                             .palette = "Units (FMI)",
                             .example = u->example,
                             .in = u->in,
                             .out = u->out,
                             .params = u->params,
                             .state_size = PLACE(n),
                             .init = unit_init,
                             .next = unit_next,
                             .lambda = unit_lambda,
                             .dint = unit_dint,
                             .dext = unit_dext,
                             .clear = unit_clear,
                             .tape = unit_tape,
                             .fault = unit_fault};
}

const HyAtomicClass *hy_unit_class(const HyUnit *unit)
{
  return &unit->klass;
}
