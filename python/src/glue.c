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

void settings_init(HyRunSettings *settings)
{
  *settings = HY_RUN_SETTINGS;
}
