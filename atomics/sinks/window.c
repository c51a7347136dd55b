/* Window: what in was in the last `width`, sent every `every`. Exact: the pieces of in are
 * polynomials, what is one sine for ever is taken whole, and what is made of an exact group is
 * asked for as an integral of its motion. The last width is n parts of `every`; a part that is over
 * stays in a ring, and each result is made of n parts anew, so nothing accumulates. Without an end
 * of width there is one part, since in was known first. */
#include "atomics.h"
#include "equations/meetings.h"
#include "expr/tape_parts.h"
#include "hydevs/error.h"
#include "hydevs/trace.h"
#include "input.h"
#include "numerics/beats.h"
#include "numerics/gauss.h"
#include "numerics/integral.h"
#include "numerics/poly.h"
#include "numerics/sine.h"
#include "sources/wave.h"

#include <string.h>

typedef enum { INTEGRAL, MEAN, RMS, MINIMUM, MAXIMUM, RIPPLE, PEAK, COSINE, SINE } What;
enum { IN, BY };

#define MOST_PARTS 1e4 /* each result is a sum of them */

typedef struct {
  double sum; /* the integral of what is summed */
  double least, most;
} Part;

typedef struct {
  HySignal said;   /* pieces, */
  HySine sine;     /* or this; of pieces the frequency is 0 */
  HyMeeting *asks; /* NULL: there is nobody who could say it */
} Heard;

typedef struct {
  double width, every;
  gint64 harmonic;
  const char *name;
  What what;
  Heard in, by;
  gboolean times; /* in is multiplied by BY */
  struct HyRoom *room;
  guint number; /* of the block */
  HyFault fault;
  guint n;        /* parts of a window */
  HyBeats beats;  /* of parts, */
  double k;       /* the part under way is number k, from 1, */
  double from;    /* as far as it has been added up, */
  Part part;      /* that far */
  gboolean whole; /* in has been known since it began */
  Part *over;     /* [n] the parts before: number k at k modulo n; freed by clear */
  guint known;    /* of these in one row, up to n - 1 */
  double since;   /* in has been known since then */
  gboolean said;  /* there has been a result */
  gboolean led;   /* a group gathers what is summed */
} Window;

static gboolean is_running(const Window *s)
{
  return isinf(s->width);
}

/* Where part K ends, and the next one begins. */
static double part_end(const Window *s, double k)
{
  return hy_beat(&s->beats, k, (HyRatio){0.0, 0.0});
}

static gboolean is_known(const Window *s)
{
  return s->in.said.known && (!s->times || s->by.said.known);
}

static void begin(Window *s, double t)
{
  s->part = (Part){.sum = 0, .least = INFINITY, .most = -INFINITY};
  s->from = t;
  s->whole = is_known(s);
}

/* How many parts a window has; 0: an error. */
static guint count_parts(Window *s, GError **error)
{
  char width[HY_DOUBLE_SIZE], every[HY_DOUBLE_SIZE];
  if (is_running(s) && (!isfinite(s->every) || s->every == 0 || s->what >= COSINE)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                s->what >= COSINE ? "width = inf has no harmonics"
                                  : "width = inf needs every=\"...\": how often it speaks");
    return 0;
  }
  s->every = s->every == 0 ? s->width : s->every;
  double n = is_running(s) ? 1 : round(s->width / s->every);
  if (!(n >= 1 && n <= MOST_PARTS) ||
      (!is_running(s) && fabs(n * s->every - s->width) > 1e-9 * s->width)) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                "width = %s is not 1, 2, ... %.0f times every = %s",
                hy_double_text(width, s->width), MOST_PARTS, hy_double_text(every, s->every));
    return 0;
  }
  return (guint)n;
}

/* What an exact group is asked for. */
static void ask(Window *s, const HySetup *setup)
{
  static const HySums sums[] = {[INTEGRAL] = HY_SUMS,
                                [MEAN] = HY_SUMS,
                                [RMS] = HY_SUMS_SQUARE,
                                [COSINE] = HY_SUMS_COSINE,
                                [SINE] = HY_SUMS_SINE};
  gboolean extreme = s->what >= MINIMUM && s->what < COSINE;
  s->in.asks = s->by.asks = NULL;
  s->led = FALSE;
  if (s->room == NULL || extreme || setup->input[IN] != HY_WIRED ||
      (s->times && setup->input[BY] != HY_WIRED)) {
    return;
  }
  s->in.asks = hy_room_add_meeting(s->room, s->number, IN);
  s->in.asks->probes = TRUE;
  s->in.asks->sums = s->times ? HY_SUMS_PRODUCT : sums[s->what];
  s->in.asks->turns = s->what >= COSINE ? (double)s->harmonic / s->width : 0.0;
  if (s->times) {
    s->by.asks = hy_room_add_meeting(s->room, s->number, BY);
    s->by.asks->probes = TRUE;
    s->by.asks->with = s->in.asks;
    s->in.asks->with = s->by.asks;
  }
}

static gboolean window_init(void *state, double t, const HySetup *setup, GError **error)
{
  static const char *const names[] = {"integral", "mean", "rms",    "minimum", "maximum",
                                      "ripple",   "peak", "cosine", "sine"};
  Window *s = state;
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    if (strcmp(names[k], s->name) == 0) {
      s->what = (What)k;
    }
  }
  s->over = NULL;
  s->said = FALSE;
  s->room = setup->room;
  s->number = setup->number;
  s->in.sine.frequency = s->by.sine.frequency = 0;
  s->since = t;
  s->k = 1;
  s->times = setup->input[BY] != HY_OPEN;
  if (s->times && s->what > MEAN) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "by is a factor of integral and mean, not of %s",
                s->name);
    return FALSE;
  }
  s->n = count_parts(s, error);
  if (s->n == 0 || !hy_signal_init(&s->in.said, t, setup, IN, error) ||
      (s->times && !hy_signal_init(&s->by.said, t, setup, BY, error))) {
    return FALSE;
  }
  s->beats = hy_beats(is_running(s) ? s->every : s->width, t);
  s->beats = hy_beats_split(&s->beats, s->n);
  ask(s, setup);
  s->over = g_new0(Part, s->n);
  begin(s, t);
  return TRUE;
}

/* A group begins to answer. */
static double news(const Window *s)
{
  double in = s->in.asks != NULL ? s->in.asks->at : INFINITY;
  return s->by.asks != NULL ? fmin(in, s->by.asks->at) : in;
}

static double window_next(const void *state)
{
  const Window *s = state;
  return hy_fault_next(&s->fault, fmin(news(s), part_end(s, s->k)));
}

static void see(Window *s, double v)
{
  s->part.least = fmin(s->part.least, v);
  s->part.most = fmax(s->part.most, v);
}

/* At both ends and wherever the slope is 0. */
static void see_piece(Window *s, const double *c, double h)
{
  double d[4];
  hy_poly_derivative(c, 4, d);
  see(s, c[0]);
  see(s, hy_poly_at(c, 4, h));
  double at = 0;
  for (guint k = 0; k < 2; k++) { /* no more than two */
    double s1 = hy_poly_root(d, 3);
    at += s1;
    if (!(at < h)) {
      return;
    }
    see(s, hy_poly_at(c, 4, at));
    hy_poly_shift(d, 3, s1);
    d[0] = 0;
  }
}

/* Of the wave whose k-th period in width begins at t = 0, and not of one that begins at FROM. */
static double wave_sum(const Window *s, const double *c, double h)
{
  double harmonic = (double)s->harmonic;
  double cosine, sine, turns = fmod(harmonic * fmod(s->from / s->width, 1), 1);
  double angle = 2 * G_PI * turns;
  hy_integral_of_waves(c, h, 2 * G_PI * harmonic / s->width, &cosine, &sine);
  return s->what == COSINE ? cos(angle) * cosine - sin(angle) * sine
                           : sin(angle) * cosine + cos(angle) * sine;
}

/* Sines -----------------------------------------------------------------------------------------
 */

static double angle_at(const HySine *s, double t)
{
  return hy_sine_angle(s->frequency, s->phase, t);
}

static double heard_at(const Heard *h, double t)
{
  return h->sine.frequency > 0 ? h->sine.amplitude * sin(angle_at(&h->sine, t)) + h->sine.offset
                               : hy_signal_value(&h->said, t);
}

/* What is summed, at T. */
static double summed_at(const Window *s, double t)
{
  double y = heard_at(&s->in, t);
  if (s->what >= COSINE) {
    double angle = HY_FULL_TURN * fmod((double)s->harmonic * fmod(t / s->width, 1), 1);
    return y * (s->what == COSINE ? cos(angle) : sin(angle));
  }
  return y * (s->times ? heard_at(&s->by, t) : s->what == RMS ? y : 1);
}

/* By how much that turns in a second, at most. */
static double fastest(const Window *s)
{
  double f = s->in.sine.frequency * (s->what == RMS ? 2 : 1) + s->by.sine.frequency;
  return HY_FULL_TURN * (f + (s->what >= COSINE ? (double)s->harmonic / s->width : 0));
}

/* From FROM on for H, of what sines are in. */
static double turning_sum(const Window *s, double h)
{
  guint64 panels = (guint64)ceil(h * fastest(s) / HY_GAUSS_TURN);
  double sum = 0, part = h / (double)panels;
  for (guint64 k = 0; k < panels; k++) {
    double panel = 0;
    for (int i = 0; i < HY_GAUSS_POINTS; i++) {
      panel += hy_gauss_weight[i] * summed_at(s, s->from + ((double)k + hy_gauss_point[i]) * part);
    }
    sum += panel * part;
  }
  return sum;
}

/* At both ends and at its crests, for H. */
static void see_sine(Window *s, double h)
{
  const HySine *x = &s->in.sine;
  double begin = angle_at(x, s->from) / HY_FULL_TURN, end = begin + x->frequency * h;
  see(s, heard_at(&s->in, s->from));
  see(s, heard_at(&s->in, s->from + h));
  for (int side = -1; side <= 1; side += 2) {
    if (floor(end - side * 0.25) > floor(begin - side * 0.25)) {
      see(s, x->offset + side * x->amplitude);
    }
  }
}

/* Sums ------------------------------------------------------------------------------------------
 */

/* The piece of in that has stood until T joins the part. */
static void add(Window *s, double t)
{
  double c[4], d[4], h = t - s->from;
  if (s->led) {
    s->part.sum += hy_room_gather(s->room, s->in.asks, t);
    s->from = t;
    return;
  }
  gboolean whole = s->in.sine.frequency > 0, extreme = s->what >= MINIMUM && s->what < COSINE;
  if (is_known(s) && h > 0 && whole && extreme) {
    see_sine(s, h);
  } else if (is_known(s) && h > 0 && (whole || s->by.sine.frequency > 0)) {
    s->part.sum += turning_sum(s, h);
  } else if (is_known(s) && h > 0) {
    hy_signal_at(&s->in.said, s->from, c);
    if (s->times) {
      hy_signal_at(&s->by.said, s->from, d);
      s->part.sum += hy_integral_of_product(c, d, h);
    } else if (s->what >= COSINE) {
      s->part.sum += wave_sum(s, c, h);
    } else if (s->what >= MINIMUM) {
      see_piece(s, c, h);
    } else {
      s->part.sum += s->what == RMS ? hy_integral_of_product(c, c, h) : hy_integral(c, h);
    }
  }
  s->from = t;
}

/* The part under way and the n - 1 before it. */
static Part all_parts(const Window *s)
{
  Part all = s->part;
  for (guint k = 1; k < s->n; k++) {
    const Part *p = &s->over[(guint64)(s->k - k) % s->n];
    all.sum += p->sum;
    all.least = fmin(all.least, p->least);
    all.most = fmax(all.most, p->most);
  }
  return all;
}

static double result(const Window *s, double t)
{
  Part p = all_parts(s);
  double width = is_running(s) ? t - s->since : s->width;
  switch (s->what) {
  case INTEGRAL:
    return p.sum;
  case MEAN:
    return p.sum / width;
  case RMS:
    return sqrt(fmax(p.sum, 0) / width);
  case MINIMUM:
    return p.least;
  case MAXIMUM:
    return p.most;
  case RIPPLE:
    return p.most - p.least;
  case PEAK:
    return fmax(p.most, -p.least);
  default:
    return 2 * p.sum / width;
  }
}

static gboolean speaks(const Window *s, double t)
{
  gboolean full = is_running(s) ? is_known(s) && t > s->since : s->whole && s->known >= s->n - 1;
  return full && !s->fault.wrong;
}

static HyEvent window_lambda(const void *state, double t)
{
  Window s = *(const Window *)state;
  if (!speaks(&s, t) || news(&s) <= t) {
    return HY_NO_EVENT;
  }
  add(&s, t);
  return (HyEvent){.port = 0, .value.c = {result(&s, t)}};
}

/* It is now; KNOWN: it has been before. */
static void become_known(Window *s, double t, gboolean known)
{
  if (!known && is_known(s)) {
    s->since = t;
    s->whole = t == part_end(s, s->k - 1);
  }
}

/* The part up to T: a sum is taken. */
static void advance(Window *s, double t)
{
  add(s, t);
  if (s->led) {
    s->in.asks->sum = 0;
    s->in.said.c[0] = isfinite(s->part.sum) ? s->in.said.c[0] : NAN;
    hy_fault_set(&s->fault, t, !isfinite(s->part.sum));
  }
}

static gboolean is_live(const Heard *h)
{
  return h->asks != NULL && h->asks->live;
}

/* From T on sums are of a group. */
static void hear(Window *s, double t)
{
  gboolean known = is_known(s);
  advance(s, t);
  s->in.asks->at = INFINITY;
  if (s->times) {
    s->by.asks->at = INFINITY;
  }
  if (!s->led && is_live(&s->in) && (!s->times || is_live(&s->by))) {
    s->led = TRUE;
    s->in.asks->sum = 0;
    s->in.said.known = TRUE;
    s->by.said.known = s->by.said.known || s->times;
    become_known(s, t, known);
  }
}

static void window_dint(void *state, double t)
{
  Window *s = state;
  if (hy_fault_stands(&s->fault, t)) {
    return;
  }
  if (news(s) <= t) {
    hear(s, t);
    return;
  }
  s->said = s->said || speaks(s, t);
  advance(s, t);
  if (!is_running(s)) {
    s->over[(guint64)s->k % s->n] = s->part;
    s->known = s->whole ? MIN(s->known + 1, s->n - 1) : 0;
    begin(s, t);
  }
  s->k++;
}

/* With the first word it is known, too, whether that is a sine. */
static void take(const Window *s, Heard *h, const HyEvent *x, double t)
{
  if (!h->said.known && s->room != NULL &&
      !hy_room_hears_sine(s->room, s->number, (guint)x->port, &h->sine)) {
    h->sine.frequency = 0;
  }
  hy_signal_take(&h->said, t, &x->value);
}

static void window_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Window *s = state;
  if (s->led || hy_fault_stands(&s->fault, t)) {
    return;
  }
  add(s, t);
  gboolean known = is_known(s);
  take(s, x->port == BY ? &s->by : &s->in, x, t);
  hy_fault_set(&s->fault, t,
               (s->in.said.known && !hy_signal_finite(&s->in.said)) ||
                   (s->by.said.known && !hy_signal_finite(&s->by.said)));
  become_known(s, t, known);
}

static gboolean window_silent(const void *state, guint port)
{
  (void)port;
  return !((const Window *)state)->said;
}

static void window_clear(void *state)
{
  Window *s = state;
  g_free(s->over);
}

static void part_tape(Part *p, HyTape *tape)
{
  HY_TAPE(tape, p->sum);
  HY_TAPE(tape, p->least);
  HY_TAPE(tape, p->most);
}

static void heard_tape(Heard *h, HyTape *tape)
{
  hy_signal_tape(&h->said, tape);
  HY_TAPE(tape, h->sine.amplitude);
  HY_TAPE(tape, h->sine.frequency);
  HY_TAPE(tape, h->sine.phase);
  HY_TAPE(tape, h->sine.offset);
}

static void window_tape(void *state, HyTape *tape)
{
  Window *s = state;
  heard_tape(&s->in, tape);
  heard_tape(&s->by, tape);
  hy_tape_fault(tape, &s->fault);
  HY_TAPE(tape, s->k);
  HY_TAPE(tape, s->from);
  part_tape(&s->part, tape);
  HY_TAPE(tape, s->whole);
  for (guint k = 0; k < s->n; k++) {
    part_tape(&s->over[k], tape);
  }
  HY_TAPE(tape, s->known);
  HY_TAPE(tape, s->since);
  HY_TAPE(tape, s->said);
  HY_TAPE(tape, s->led);
  if (!(s->k >= 1) || (s->led && s->in.asks == NULL)) {
    s->k = 1;
    s->led = FALSE;
    hy_tape_reject(tape, "its sums are of a group that does not gather them");
  }
}

static void window_print(const void *state, GString *out)
{
  const Window *s = state;
  char sum[HY_DOUBLE_SIZE];
  g_string_append_printf(out, "(k=%.0f,sum=%s)", s->k, hy_double_text(sum, s->part.sum));
}

static char *window_fault(const void *state)
{
  const Window *s = state;
  gboolean by = s->times && !hy_signal_finite(&s->by.said);
  return by ? hy_signal_fault(&s->by.said, "by", &s->fault)
            : hy_signal_fault(&s->in.said, "in", &s->fault);
}

static const HyPort window_in[] = {
    [IN] = {.name = "in", .kind = HY_SIGNAL, .doc = "what is measured"},
    [BY] = {.name = "by",
            .kind = HY_SIGNAL,
            .optional = TRUE,
            .doc = "of integral and mean: what in is multiplied by"},
    {.name = NULL},
};
static const HyParam window_params[] = {
    HY_PARAM_AT("what", Window, name, .text = "mean",
                .choices = "integral mean rms minimum maximum ripple peak cosine sine",
                .doc =
                    "of in, in each window; ripple: maximum less minimum; peak: the largest |in|; "
                    "cosine and sine: of a harmonic"),
    HY_PARAM(Window, width, .value = 1, .range = HY_POSITIVE, .unit = "s",
             .doc = "of a window; inf: all since the start"),
    HY_PARAM(Window, every, .value = 0, .range = HY_NOT_NEGATIVE, .unit = "s",
             .doc =
                 "from one result to the next, width divided by a whole number; 0: width. "
                 "Results come at k every since the start of the run, the first one behind width"),
    HY_PARAM(Window, harmonic, .value = 1, .range = HY_POSITIVE,
             .doc =
                 "of cosine and sine: in = mean + sum of cosine cos(2 pi harmonic t/width) + sine "
                 "sin(...)"),
    {.name = NULL},
};
const HyAtomicClass hy_window_class = {
    .name = "window",
    .doc = "what in was in a window: integral, mean, rms, extremes or harmonics, exact",
    .palette = "Sinks",
    .example = "<window name=\"rms\" in=\"u\" what=\"rms\" width=\"20m\"/>",
    .in = window_in,
    .out = hy_wave_out,
    .params = window_params,
    .state_size = sizeof(Window),
    .init = window_init,
    .next = window_next,
    .lambda = window_lambda,
    .dint = window_dint,
    .dext = window_dext,
    .clear = window_clear,
    .tape = window_tape,
    .print = window_print,
    .fault = window_fault,
    .silent = window_silent,
};
