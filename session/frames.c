/* Frames, and what is counted of them. */
#include "frames.h"

#include "driver.h"
#include "session_internal.h"
#include "sim/engine.h"

#include <math.h>
#include <string.h>

/* A frame that begins later than that, by the clock, freezes the session: a machine that was asleep
 * does not run after the time. */
#define TOO_LATE 1.0
/* Cycles between two looks at the clock. */
#define LOOK 256
/* Missed frames that the log names; further ones are only counted. */
#define TOLD 1000

struct HyFrames {
  HyFrameCounts counts;
  guint64 *moved; /* [n]: internal events of each block when the last frame ended */
  guint n;
};

/* Counting ------------------------------------------------------------------------------------ */

static guint bucket(double seconds)
{
  double us = seconds * 1e6;
  return us < 1.0 ? 0 : (guint)CLAMP(ilogb(us) + 1, 1, HY_FRAME_BUCKETS - 1);
}

static gboolean add_worst(HyFrameCounts *c, HyFrame frame)
{
  guint k = c->n_worst;
  if (k == HY_FRAME_WORST && frame.work <= c->worst[k - 1].work) {
    return FALSE;
  }
  k = MIN(k, HY_FRAME_WORST - 1);
  for (; k > 0 && c->worst[k - 1].work < frame.work; k--) {
    c->worst[k] = c->worst[k - 1];
  }
  c->worst[k] = frame;
  c->n_worst = MIN(c->n_worst + 1, HY_FRAME_WORST);
  return TRUE;
}

gboolean hy_frames_count(HyFrameCounts *c, double d, double next, double start, double end,
                         HyFrame frame, gboolean too_much)
{
  double late = MAX(start - d, 0.0);
  frame.work = end - start;
  frame.over = end - next;
  c->least = c->n == 0 ? frame.events : MIN(c->least, frame.events);
  c->most = MAX(c->most, frame.events);
  c->n++;
  c->missed += too_much || frame.over > 0.0;
  c->carried = MAX(frame.over, 0.0);
  c->late[bucket(late)]++;
  c->work[bucket(frame.work)]++;
  c->late_most = MAX(c->late_most, late);
  c->work_most = MAX(c->work_most, frame.work);
  return add_worst(c, frame);
}

double hy_frames_part(const guint64 *histogram, double p, double most)
{
  guint64 all = 0, so_far = 0;
  for (guint k = 0; k < HY_FRAME_BUCKETS; k++) {
    all += histogram[k];
  }
  for (guint k = 0; k < HY_FRAME_BUCKETS; k++) {
    so_far += histogram[k];
    if (all > 0 && (double)so_far >= p * (double)all) {
      return MIN(ldexp(1e-6, (int)k), most);
    }
  }
  return 0.0;
}

/* Methods ------------------------------------------------------------------------------------- */

typedef enum { COST_FIXED, COST_VARIES, COST_UNKNOWN } Cost;

/* How much work a method has in a stretch of time. */
static Cost cost_of(const HyMethod *m)
{
  switch (m->family) {
  case HY_FAMILY_TEXTBOOK:
    return m->textbook->adaptive ? COST_UNKNOWN : m->textbook->implicit ? COST_VARIES : COST_FIXED;
  case HY_FAMILY_MULTIRATE:
    return COST_FIXED;
  case HY_FAMILY_QUANTIZED:
  case HY_FAMILY_PAIRS:
  case HY_FAMILY_CHAIN:
  case HY_FAMILY_BLOCK:
    return COST_VARIES;
  case HY_FAMILY_IMPLICIT:
    return m->by_error ? COST_UNKNOWN : COST_VARIES;
  default:
    return COST_UNKNOWN;
  }
}

gboolean hy_frames_check(const HySession *s, const HyRun *run, GError **error)
{
  const HySim *sim = hy_run_sim(run);
  for (guint a = 0; s->how.frame > 0 && !s->how.any_method && a < hy_sim_n(sim); a++) {
    const HyMethod *m = hy_run_method(run, a);
    Cost cost = m != NULL ? cost_of(m) : COST_FIXED;
    if (cost == COST_UNKNOWN || (cost == COST_VARIES && s->how.events_per_frame == 0)) {
      g_autofree char *path = hy_sim_path(sim, a);
      g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                  "%s: the work of %s is not the same in each frame; %s", path, m->name,
                  cost == COST_VARIES ? "--events-per-frame N says how much there may be"
                                      : "take a method with fixed steps, or --any-method");
      return FALSE;
    }
  }
  return TRUE;
}

/* Running ------------------------------------------------------------------------------------- */

static double grid(const HySession *s, double k)
{
  return s->t0 + k * s->how.frame;
}

double hy_frames_next(const HySession *s)
{
  double k = floor((s->t - s->t0) / s->how.frame);
  while (grid(s, k) <= s->t) {
    k++;
  }
  while (grid(s, k - 1) > s->t) {
    k--;
  }
  return grid(s, k);
}

static HyFrames *frames_of(HySession *s)
{
  if (s->frames == NULL) {
    s->frames = g_new0(HyFrames, 1);
    s->frames->n = hy_sim_n(s->sim);
    s->frames->moved = g_new0(guint64, MAX(s->frames->n, 1));
  }
  return s->frames;
}

void hy_frames_free(HyFrames *f)
{
  if (f != NULL) {
    g_free(f->moved);
    g_free(f);
  }
}

/* Who has moved most since the last frame; of equals the last, as formulas stand before the states
 * that they are of. */
static guint look_who_moved(const HySession *s, HyFrames *f)
{
  guint best = G_MAXUINT;
  guint64 most = 0;
  for (guint a = 0; a < f->n; a++) {
    guint64 n = s->sim->atoms[a].n_int, by = n >= f->moved[a] ? n - f->moved[a] : 0;
    f->moved[a] = n;
    best = by > 0 && by >= most ? a : best;
    most = MAX(most, by);
  }
  return best;
}

/* Up to the end of the frame, with all that is to be done on the way. END: when that should be over
 * by the clock; the policy may say that it stops there. */
static void run_frame(HySession *s, double t, double end)
{
  gboolean stops = s->how.policy == HY_FRAMES_STOP;
  while (hy_session_is_running(s) && s->t < t) {
    g_autoptr(GError) error = NULL;
    double stop = MIN(hy_session_stop(s), t);
    gboolean done = FALSE;
    gboolean ok = hy_sim_run_some(s->sim, stop, LOOK, &done, &error);
    if (!hy_session_goes_on(s, ok, done ? stop : hy_sim_time(s->sim), error)) {
      return;
    }
    if (!done && stops && hy_session_now(s) > end) {
      hy_session_complete(s);
      hy_session_enter(s, HY_FROZEN);
    } else if (done) {
      hy_session_arrived(s);
    }
  }
}

static void tell_missed(HySession *s, HyFrames *f, HyFrame frame)
{
  g_autofree char *path = frame.block != G_MAXUINT ? hy_sim_path(s->sim, frame.block) : NULL;
  if (f->counts.missed <= TOLD) {
    hy_log_missed(s, frame.over, frame.events, path);
  }
  HyJsonOut json = hy_session_say_begin(s, "missed");
  hy_json_count(&json, "missed", f->counts.missed);
  hy_json_value(&json, "over", frame.over);
  hy_json_count(&json, "events", frame.events);
  hy_json_text(&json, "block", path);
  hy_session_say_end(s, &json);
}

static void account(HySession *s, double d, double next, double start, HyFrame frame)
{
  HyFrames *f = frames_of(s);
  double end = hy_session_now(s);
  guint64 limit = s->how.events_per_frame;
  gboolean too_much = limit > 0 && frame.events > limit;
  frame.over = end - next;
  frame.block = s->sim != NULL ? look_who_moved(s, f) : G_MAXUINT;
  guint64 missed = f->counts.missed;
  hy_frames_count(&f->counts, d, next, start, end, frame, too_much);
  if (f->counts.missed > missed && s->sim != NULL) {
    tell_missed(s, f, frame);
    if (s->how.policy == HY_FRAMES_STOP && hy_session_is_running(s)) {
      hy_session_enter(s, HY_FROZEN);
    }
  }
}

double hy_frames_turn(HySession *s)
{
  double d = s->w0 + (s->t - s->t_w0) / s->scale, t = hy_frames_next(s), start = hy_session_now(s);
  double next = s->w0 + (t - s->t_w0) / s->scale;
  hy_session_monitor_wall(s);
  if (start < d) {
    return d;
  }
  if (start - d > TOO_LATE && isfinite(s->scale)) {
    HyJsonOut json = hy_session_say_begin(s, "late");
    hy_json_value(&json, "by", start - d);
    hy_session_say_end(s, &json);
    hy_session_enter(s, HY_FROZEN);
    return INFINITY;
  }
  HyFrame frame = {.t = s->t};
  guint64 before = s->sim->now.totals.cycles;
  run_frame(s, t, isfinite(s->scale) ? next : INFINITY);
  frame.events = s->sim != NULL ? s->sim->now.totals.cycles - before : 0;
  if (isfinite(s->scale) && (s->t >= t || s->state == HY_FROZEN)) {
    account(s, d, next, start, frame);
  }
  return hy_session_is_running(s) ? -INFINITY : INFINITY;
}

const HyFrameCounts *hy_frames_counts(const HySession *s)
{
  static const HyFrameCounts none;
  return s->frames != NULL ? &s->frames->counts : &none;
}

/* Telling ------------------------------------------------------------------------------------- */

static void add_parts(HyJsonOut *json, const char *key, const guint64 *histogram, double most)
{
  hy_json_begin(json, key, '{');
  hy_json_value(json, "p50", hy_frames_part(histogram, 0.5, most));
  hy_json_value(json, "p99", hy_frames_part(histogram, 0.99, most));
  hy_json_value(json, "p99.9", hy_frames_part(histogram, 0.999, most));
  hy_json_value(json, "worst", most);
  hy_json_end(json, '}');
}

static void add_worst_frames(const HySession *s, const HyFrameCounts *c, HyJsonOut *json)
{
  hy_json_begin(json, "worst", '[');
  for (guint k = 0; k < c->n_worst; k++) {
    const HyFrame *f = &c->worst[k];
    g_autofree char *path =
        f->block != G_MAXUINT && s->sim != NULL ? hy_sim_path(s->sim, f->block) : NULL;
    hy_json_begin(json, NULL, '{');
    hy_json_value(json, "t", f->t);
    hy_json_value(json, "work", f->work);
    hy_json_value(json, "over", MAX(f->over, 0.0));
    hy_json_count(json, "events", f->events);
    hy_json_text(json, "block", path);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}

void hy_frames_json(const HySession *s, HyJsonOut *json)
{
  if (s->how.frame == 0) {
    hy_json_null(json, "frames");
    return;
  }
  const HyFrameCounts *c = hy_frames_counts(s);
  hy_json_begin(json, "frames", '{');
  hy_json_value(json, "h", s->how.frame);
  hy_json_count(json, "n", c->n);
  hy_json_count(json, "missed", c->missed);
  hy_json_value(json, "carried", c->carried);
  hy_json_text(json, "policy", s->how.policy == HY_FRAMES_STOP ? "stop" : "warn");
  hy_json_bool(json, "any_method", s->how.any_method);
  hy_json_count(json, "events_least", c->least);
  hy_json_count(json, "events_most", c->most);
  add_parts(json, "late", c->late, c->late_most);
  add_parts(json, "work", c->work, c->work_most);
  add_worst_frames(s, c, json);
  hy_driver_json(s->driver, json);
  hy_json_end(json, '}');
}

void hy_frames_text(const HySession *s, GString *out)
{
  if (s->how.frame > 0) {
    g_autoptr(GString) line = g_string_new(NULL);
    HyJsonOut json = {.out = line, .tight = TRUE};
    hy_json_begin(&json, NULL, '{');
    hy_frames_json(s, &json);
    hy_json_end(&json, '}');
    hy_session_words(line->str, out);
    g_string_append_c(out, '\n');
  }
}
