/* What has changed the model, and ways back: a state is a place before it, or the start, and the
 * deeds since then, each at its time. So it is the same to the last bit, whatever was done on the
 * way, and with every method. */
#include "session_internal.h"

#include "base/hint.h"
#include "coupled/model_internal.h"
#include "sim/engine.h"

#include <math.h>
#include <string.h>

void hy_deed_free(gpointer data)
{
  HyDeed *deed = data;
  g_free(deed->path);
  g_free(deed);
}

void hy_place_free(gpointer data)
{
  HyPlace *p = data;
  hy_snapshot_free(p->copy);
  g_free(p->name);
  g_free(p);
}

/* The lever that is meant, within its bounds. */
static gboolean find_lever(const HySession *s, const HyRequest *r, HyDeed *deed, GError **error)
{
  HyLever lever = {0};
  char v[HY_DOUBLE_SIZE], a[HY_DOUBLE_SIZE], b[HY_DOUBLE_SIZE];
  if (!hy_sim_lever(s->sim, deed->path, &deed->place, error) ||
      !hy_sim_lever_info(s->sim, deed->place, &lever)) {
    return FALSE;
  }
  if (strcmp(r->verb->name, "malfunction") == 0 && lever.kind != HY_LEVER_MALFUNCTION) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s is no malfunction: set moves it", deed->path);
    return FALSE;
  }
  if (!(deed->to >= lever.lower && deed->to <= lever.upper)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s = %s is not in %s .. %s", deed->path,
                hy_double_text(v, deed->to), hy_double_text(a, lever.lower),
                hy_double_text(b, lever.upper));
    return FALSE;
  }
  if (!(deed->slope >= 0.0)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: a ramp takes 0 seconds or more", deed->path);
    return FALSE;
  }
  return TRUE;
}

static gboolean find_port(const HySession *s, HyDeed *deed, GError **error)
{
  HyNearest nearest = {.word = deed->path};
  const HyModel *model = hy_loaded_model(s->loaded);
  for (deed->place = 0;; deed->place++) {
    g_autofree char *name =
        deed->place < model->in->len ? hy_model_in_name(model, HY_SELF, deed->place) : NULL;
    if (name == NULL) {
      break;
    }
    if (strcmp(name, deed->path) == 0) {
      return TRUE;
    }
    hy_nearest_offer(&nearest, name);
  }
  g_autofree char *meant = hy_did_you_mean(nearest.best);
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "the model has no input port \"%s\"%s", deed->path,
              meant);
  return FALSE;
}

HyDeed *hy_deed_new(HySession *s, const HyRequest *r, GError **error)
{
  gboolean says = strcmp(r->verb->name, "say") == 0;
  HyDeed *deed = g_new0(HyDeed, 1);
  deed->verb = r->verb;
  deed->path = g_strdup(hy_request_text(r, "path"));
  deed->to = hy_request_number(r, "to", 0.0);
  deed->slope = hy_request_number(r, says ? "slope" : "ramp", 0.0);
  gboolean ok = isfinite(deed->to) && isfinite(deed->slope);
  if (!ok) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: a number that is not finite", deed->path);
  }
  if (!ok || !(says ? find_port(s, deed, error) : find_lever(s, r, deed, error))) {
    hy_deed_free(deed);
    return NULL;
  }
  deed->t = s->t;
  deed->before = s->last;
  g_ptr_array_add(s->deeds, deed);
  return deed;
}

/* A word at an input port of the model. */
static gboolean say(HySession *s, const HyDeed *deed, GError **error)
{
  HyValue v = {.c = {deed->to, deed->slope}};
  return hy_sim_input(s->sim, s->t, deed->place, &v, error);
}

/* All events of its instant are over before it, and those that it makes at once after it, so what
 * it does hangs on its time alone. */
gboolean hy_deed_do(HySession *s, const HyDeed *deed, GError **error)
{
  gboolean ok = strcmp(deed->verb->name, "say") == 0
                    ? say(s, deed, error)
                    : hy_sim_set_lever(s->sim, s->t, deed->place, deed->to, deed->slope, error);
  s->last = deed;
  if (ok) {
    hy_session_complete(s);
  }
  return ok;
}

gboolean hy_place_leads_to(const HyPlace *p, const HyDeed *last)
{
  double next = INFINITY; /* of the deed that would be the first after the place */
  while (last != NULL && last != p->after) {
    next = last->t;
    last = last->before;
  }
  return last == p->after && p->t <= next;
}

/* The latest place on the way to LAST and T from which one may go on. */
static HyPlace *nearest_place(const HySession *s, const HyDeed *last, double t, guint64 instants)
{
  HyPlace *best = NULL;
  for (guint k = 0; k < s->places->len; k++) {
    HyPlace *p = g_ptr_array_index(s->places, k);
    gboolean fits = p->copy != NULL && p->t <= t && hy_place_leads_to(p, last) &&
                    (instants == 0 || p->instants <= instants);
    if (fits && (best == NULL || p->t >= best->t)) {
      best = p;
    }
  }
  return best;
}

/* Event by event up to T, or to the end of instant number INSTANTS (0: not counted). FALSE: that
 * one has come, or the session does not go on. */
static gboolean walk(HySession *s, double t, guint64 instants)
{
  g_autoptr(GError) error = NULL;
  gboolean done = TRUE;
  while (instants > 0 && done && s->sim->now.instants < instants) {
    if (!hy_sim_step(s->sim, t, &done, &error)) {
      return hy_session_goes_on(s, FALSE, t, error);
    }
  }
  gboolean counted = instants > 0 && s->sim->now.instants >= instants;
  return hy_session_reach(s, counted ? hy_sim_time(s->sim) : t) && !counted;
}

gboolean hy_session_repeat(HySession *s, const HyDeed *last, double t, guint64 instants,
                           GError **error)
{
  g_autoptr(GPtrArray) deeds = g_ptr_array_new();
  for (const HyDeed *d = last; d != s->last; d = d->before) {
    g_ptr_array_insert(deeds, 0, hy_key(d));
  }
  for (guint k = 0; k < deeds->len; k++) {
    const HyDeed *d = g_ptr_array_index(deeds, k);
    gboolean goes_on = walk(s, d->t, instants);
    if (s->state == HY_FAILED || s->state == HY_ENDED || (!goes_on && s->t < d->t)) {
      return TRUE;
    }
    if (!hy_deed_do(s, d, error)) {
      return FALSE;
    }
  }
  walk(s, t, instants);
  return TRUE;
}

gboolean hy_session_go_to(HySession *s, const HyDeed *last, double t, guint64 instants,
                          GError **error)
{
  const HyPlace *p = s->sim != NULL ? nearest_place(s, last, t, instants) : NULL;
  s->state = HY_FROZEN; /* what happens on the way is told nobody */
  if (p != NULL ? !hy_sim_load(s->sim, p->copy, error) : !hy_session_begin(s, error)) {
    return FALSE;
  }
  s->last = p != NULL ? p->after : NULL;
  s->t = p != NULL ? p->t : s->t0;
  gboolean ok = hy_session_repeat(s, last, t, instants, error);
  hy_session_rewind(s);
  return ok;
}

/* Copies in memory would leave a recording behind, so there are none beside one. */
HyPlace *hy_session_keep(HySession *s, const char *name, gboolean kept)
{
  HyPlace *p = g_new0(HyPlace, 1);
  p->name = g_strdup(name);
  p->t = s->t;
  p->instants = s->sim->now.instants;
  p->after = s->last;
  p->kept = kept;
  p->copy = s->record == NULL ? hy_sim_save(s->sim, NULL) : NULL;
  g_ptr_array_add(s->places, p);
  guint passing = 0;
  for (guint k = s->places->len; k-- > 0;) {
    const HyPlace *old = g_ptr_array_index(s->places, k);
    passing += !old->kept;
    if (!old->kept && passing > s->keep) {
      g_ptr_array_remove_index(s->places, k);
    }
  }
  return p;
}

HyPlace *hy_session_find_place(const HySession *s, const char *name, GError **error)
{
  HyNearest nearest = {.word = name};
  for (guint k = s->places->len; k-- > 0;) {
    HyPlace *p = g_ptr_array_index(s->places, k);
    if (strcmp(p->name, name) == 0) {
      return p;
    }
    hy_nearest_offer(&nearest, p->name);
  }
  g_autofree char *plain = hy_plain_text(name, FALSE);
  g_autofree char *meant = hy_did_you_mean(nearest.best);
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "there is no snapshot \"%s\"%s", plain, meant);
  return NULL;
}

const char *hy_session_keep_future(HySession *s, const char *name)
{
  if (s->state == HY_FAILED || !hy_session_complete(s)) {
    return NULL;
  }
  for (guint k = 2;; k++) {
    g_autofree char *free_name = g_strdup_printf("%s.%u", name, k);
    if (hy_session_find_place(s, free_name, NULL) == NULL) {
      return hy_session_keep(s, free_name, TRUE)->name;
    }
  }
}
