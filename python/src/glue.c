#include "glue.h"

/* Who holds whom ------------------------------------------------------------------------------ */

struct Owned {
  gint refs;
  OwnedKind kind;
  gpointer what;
  Owned *parent;
};

static gint alive[OWNED_KINDS];

static void free_what(OwnedKind kind, gpointer what)
{
  switch (kind) {
  case OWNED_DOCUMENTS:
    hy_documents_free(what);
    break;
  case OWNED_BLOCKS:
    hy_blocks_free(what);
    break;
  case OWNED_LOADED:
    hy_loaded_free(what);
    break;
  case OWNED_RUN:
    hy_run_free(what);
    break;
  case OWNED_SNAPSHOT:
    hy_snapshot_free(what);
    break;
  case OWNED_PLAN:
    hy_plan_free(what);
    break;
  case OWNED_SWEEP:
    hy_sweep_free(what);
    break;
  case OWNED_STEADY:
    hy_steady_free(what);
    break;
  case OWNED_BODE:
    hy_bode_free(what);
    break;
  case OWNED_KINDS:
    break;
  }
}

Owned *owned_new(OwnedKind kind, gpointer what, Owned *parent)
{
  Owned *o = g_new(Owned, 1);
  *o = (Owned){.refs = 1, .kind = kind, .what = what};
  o->parent = parent != NULL ? owned_hold(parent) : NULL;
  g_atomic_int_inc(&alive[kind]);
  return o;
}

Owned *owned_hold(Owned *o)
{
  g_atomic_int_inc(&o->refs);
  return o;
}

void owned_release(Owned *o)
{
  while (o != NULL && g_atomic_int_dec_and_test(&o->refs)) {
    Owned *parent = o->parent;
    free_what(o->kind, o->what);
    g_atomic_int_add(&alive[o->kind], -1);
    g_free(o);
    o = parent;
  }
}

int owned_alive(OwnedKind kind)
{
  return g_atomic_int_get(&alive[kind]);
}

/* Signals ------------------------------------------------------------------------------------- */

#define LOOK_EVERY 4000 /* microseconds */

void watch_start(Watch *w, gboolean (*look)(gpointer user, double t, guint64 cycles), gpointer user)
{
  *w = (Watch){.look = look, .user = user, .last = g_get_monotonic_time()};
}

gboolean watch_progress(gpointer user, double t, guint64 cycles)
{
  Watch *w = user;
  gint64 now = g_get_monotonic_time();
  if (now - w->last < LOOK_EVERY) {
    return TRUE;
  }
  w->last = now;
  return w->look(w->user, t, cycles);
}

/* What nobody says --------------------------------------------------------------------------- */

void settings_init(HyRunSettings *settings)
{
  *settings = HY_RUN_SETTINGS;
}

void plan_options_init(HyPlanOptions *options)
{
  *options = HY_PLAN_OPTIONS;
}

void sweep_options_init(HySweepOptions *options)
{
  *options = HY_SWEEP_OPTIONS;
}

void steady_settings_init(HySteadySettings *settings)
{
  *settings = HY_STEADY_SETTINGS;
}

void bode_settings_init(HyBodeSettings *settings)
{
  *settings = HY_BODE_SETTINGS;
}

void trace_messages(HySim *sim, gpointer user)
{
  hy_sim_set_trace(sim, &(HyTrace){.user = user, .message = hydevs_message});
}

/* Blocks in Python ---------------------------------------------------------------------------- */

static HyEvent python_lambda(const void *state, double t)
{
  HyEvent event = HY_NO_EVENT;
  hydevs_atomic_lambda(state, t, &event);
  return event;
}

/* What does not start has been cleared by itself. */
static void python_clear(void *state)
{
  PythonState *s = state;
  hydevs_atomic_clear(state);
  g_clear_pointer(&s->bytes, g_free);
}

/* It is in Python that it remembers; what is on the tape are the bytes of pickle. These are a
 * program that unpickling runs, so none is taken from a file, nor put into one. */
static void python_tape(void *state, HyTape *tape)
{
  PythonState *s = state;
  if (hy_tape_files(tape)) {
    hy_tape_reject(tape,
                   "what a block in Python remembers is pickled, and to read that from a file "
                   "would run what stands in the file, so no file can hold it");
    return;
  }
  if (!hy_tape_loads(tape)) {
    hydevs_atomic_freeze(state);
    if (s->bytes == NULL) {
      hy_tape_reject(tape, "what a block in Python remembers cannot be pickled");
      return;
    }
  }
  s->n = hy_tape_count(tape, "n", s->n, G_MAXUINT);
  HY_TAPE_MEMORY(tape, s->bytes, s->n);
  if (hy_tape_loads(tape)) {
    hydevs_atomic_thaw(state);
  }
}

HyAtomicClass *python_class_new(void)
{
  HyAtomicClass *c = g_new0(HyAtomicClass, 1);
  c->init = hydevs_atomic_init;
  c->ta = hydevs_atomic_ta;
  c->lambda = python_lambda;
  c->dint = hydevs_atomic_dint;
  c->dext = hydevs_atomic_dext;
  c->clear = python_clear;
  c->print = hydevs_atomic_print;
  c->fault = hydevs_atomic_fault;
  c->tape = python_tape;
  return c;
}

void python_refuse(GError **error, const char *why)
{
  g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s", why);
}
