/* The inside of a group of a classic method, for classic*.c. */
#ifndef HYDEVS_GROUPS_CLASSIC_INTERNAL_H
#define HYDEVS_GROUPS_CLASSIC_INTERNAL_H

#include "batch.h"
#include "classic.h"
#include "equations/meetings.h"
#include "equations/owned.h"
#include "equations/readings.h"
#include "expr/factors.h"
#include "joint.h"

#include <math.h>

#define HY_NO_PLACE G_MAXUINT32

typedef struct HyClassic HyClassic;

/* A method, for the frame of classic.c. What may fail returns why, or NULL. */
typedef struct {
  const char *(*start)(HyClassic *g, double t); /* at g->z; also where f has jumped */
  const char *(*step)(HyClassic *g);            /* from t1; sets t0, t1 and z. NULL: not built in */
  const char *(*finish)(HyClassic *g, double t); /* z at T in [t0, t1], before a start there */
  /* The derivative of z of that order, 0 or 1, at T in [t0, t1]. */
  void (*dense)(HyClassic *g, double t, int order, double *z);
  /* Likewise z itself, as it is where a step ends: what is stiff is in equilibrium, and not where
   * an interpolation within its tolerance has it. Readings are computed there. NULL: there is no
   * difference. */
  void (*balance)(HyClassic *g, double t, double *z);
  /* In a step each state is a parabola: the coefficients [3] of member I, from t0 on. NULL: it is
   * none. */
  void (*parabola)(const HyClassic *g, guint i, double *c);
  /* The end of the piece that is published from FROM on, y and y' at FROM being known; those at the
   * end are left in OUT. NULL: the pieces of a step are equal. Given by methods whose solution is
   * exact whatever the length of the step, which then may be INFINITY. They take sines whole, and
   * their z stays that of t0 until finish(). */
  double (*reach)(HyClassic *g, double from);
  /* With it: inputs have changed at T. How long the step stands though, because they make little
   * difference; T: it does not. */
  double (*bears)(HyClassic *g, double t);
  /* With it: what members miss at T because of such inputs is added to Y; FALSE: nothing. The next
   * step begins without it. */
  gboolean (*late)(HyClassic *g, double t, double *y);
  /* With it: when crossing K that the group owns falls below its level in the step that stands, as
   * a time since t0, within *UNTIL; or INFINITY, and *UNTIL becomes how far that is sure. */
  double (*falls)(HyClassic *g, guint k, double *until);
  /* With it: when M comes to be beyond its level, likewise, from T on. */
  double (*meets)(HyClassic *g, HyMeeting *m, double t, double *until);
  /* With it: a time since t0 within which that is cheap; INFINITY: it makes no difference. */
  double (*near)(const HyClassic *g);
  /* With it: what members are at T, with what inputs have made of them, for whoever looks; [n],
   * until the next look. */
  const double *(*look)(HyClassic *g, double t);
  /* With it: what R is at T; FALSE: its row says. */
  gboolean (*ask)(HyClassic *g, const HyReading *r, double t, double *y);
  /* With it: as hy_classic_read(), where readings are known; FALSE: their rows say. */
  gboolean (*read)(HyClassic *g, double t, double *y, double *dy);
  void (*totals)(const HyClassic *g, HyClassicTotals *totals); /* adds what it knows */
  void (*clear)(HyClassic *g);
  /* What it remembers, in memory that stays from the first start on. */
  void (*tape)(HyClassic *g, HyTape *tape);
  /* The members that have a new piece in the step that stands, where the others keep theirs: pieces
   * are made in each step, whoever sees them, and OFFSET is not used. NULL: all have. Given with
   * parabola(). */
  const guint32 *(*pieces)(const HyClassic *g, guint *n);
  /* With it: the row of member I or what it reads has changed, by which so much is missing in it at
   * the end of the step. */
  void (*changed)(HyClassic *g, guint i, double missing);
  /* With it: the members at T, where the step has ended, into z; between starts z is not kept. */
  void (*states)(HyClassic *g, double t);
  /* Its steps lean on f of the steps before, and their control refuses what does not go on so: what
   * jumps late in a step makes it start anew (hy_classic_jumped_late). */
  gboolean leans;
  /* Its steps take inputs as lines: what those of row I make of f rises so fast. NULL: inputs are
   * taken as they were assumed. */
  double (*slope)(const HyClassic *g, guint i);
  /* With reach(): how long from T on no mode turns by more than ANGLE radians or decays by as many
   * e, as far as it is still there; INFINITY: for ever. */
  double (*quiet)(HyClassic *g, double t, double angle);
  /* With it: how long from T on no mode that goes round turns by more than ANGLE; what only decays
   * or grows is left out. */
  double (*turning)(HyClassic *g, double t, double angle);
  /* Of methods with fixed steps: X, [n] at t0, becomes what two steps half as long lead to at T, in
   * (t0, t1], with the inputs as assumed; FALSE: they lead nowhere. Nothing else changes. */
  gboolean (*halves)(HyClassic *g, double t, double *x);
} HyStepper;

extern const HyStepper hy_classic_cvode, hy_classic_textbook, hy_classic_multirate,
    hy_classic_exact, hy_classic_implicit, hy_classic_chain;
const HyStepper *hy_classic_stepper(HyFamily family); /* groups.c */

/* What the row of a member would do otherwise, as its inputs have changed since t0. */
#define HY_BENDS 5
typedef struct {
  double defect;      /* what is missing in its state at TIME */
  double time;        /* t0, or when it was touched last */
  double span, until; /* from TIME on, to t1 at most: in parts of that */
  double r[HY_BENDS]; /* f of the inputs as they are - f as the step took it is a polynomial */
  double end;         /* at t1 */
  double a;           /* d f / d of itself at TIME: what is missing decays with it */
  gboolean touched;
} HyClassicEffect;

/* The right side of a group: what its rows read, and how they are evaluated together. Written by
 * classic_rows.c alone; AS_WAS by classic.c. */
typedef struct {
  guint32 *slot;  /* [n]: of the members */
  guint32 *row;   /* [n]: likewise */
  guint32 *outer; /* [n_outer], ascending: slots that rows read and no member speaks at, hubs left
                     out */
  guint n_outer;
  HyPiece *assumed; /* [n_outer]: as they were at t0 */
  HySine *sine;     /* [n_outer]: those that are one; of others the frequency is 0 */
  guint32 *flag;    /* [n_flags], ascending: those that rows read */
  guint n_flags;
  guint8 *was;     /* [n_flags]: as they were at t0 */
  gboolean as_was; /* the flags do as they were at t0 */
  GArray *hub;     /* const HyHub *, none before those it is made of */
  HyBatches *batches;
  HyJoint *joint;          /* rows whose shape is rare; NULL: none */
  GArray *joined, *single; /* guint32: members with such rows; those evaluated one by one */
  GArray
      *source; /* guint32: slots of what is neither static nor a state, behind inputs and flags */
  /* Working memory. */
  double *at;         /* [slots]: values of members, outer slots, hubs; of the room */
  double *derivative; /* of JOINED */
  double *value;      /* of the slots of one row; room for twice as many */
  double *factors;    /* of one row */
  guint8 *choice;     /* of one row */
} HyClassicRows;

/* What the world sees of the step that stands: pieces. Written by classic.c; who looks, by
 * listeners.c. */
typedef struct {
  gboolean seen; /* from outside: by blocks, rows, watchers; else pieces are made when asked for */
  GArray *speaker,
      *reader;     /* guint32: members with listeners; states outside whose rows read one */
  guint8 *open;    /* [n + m]: somebody outside sees it; 2: it has listeners */
  gboolean drawn;  /* there are pieces of the step: */
  double from, to; /* the one that stands */
  guint pieces, piece;
  /* [n + m]: of the members, and behind them of the readings */
  double *y, *dy;           /* at the end of the piece */
  double *y_from, *dy_from; /* at its start */
  double *half, *rate;      /* working memory */
  double *balanced;         /* [n]: likewise */
  double *shown, *still;    /* [n]: as they are told, and in balance, at an instant that is asked */
} HyClassicPieces;

/* Inputs that have changed on the way. Written by classic_effects.c; what is heard, by classic.c.
 */
typedef struct {
  HyClassicEffect *effect; /* [n] */
  GArray *touched;         /* guint32: members with an effect */
  GArray *reader;          /* guint32: members that read any; NULL: not known yet */
  gboolean jumped;         /* at t1, before the group has had its turn */
  gboolean heard;          /* an input has changed since t0 */
  gboolean late;           /* END is where what inputs have changed makes too much difference */
  guint64 word;            /* the change that was counted last */
} HyClassicInputs;

/* A mode that the group decides. */
typedef struct {
  const HyOwned *owned;
  double noise;    /* what rounding may make of z, when it was small last */
  double width;    /* what the tolerances of states may make of it; only where it has been tried */
  double band;     /* how far beyond it may be until it has been right: grows from noise to width */
  double z;        /* when it was looked at last */
  double was;      /* likewise, before that */
  double level;    /* z is wrong below: 0, or less until it has been right, */
  double right;    /* which it is by then, of methods that do not know; INFINITY: not in the step */
  guint tries;     /* toggles by a crossing, one after the other, that did not make it right */
  gboolean hubs;   /* its rows read any */
  gboolean driven; /* a source that moves bends it; when it was looked for last */
  gboolean hit;    /* it crosses at HyClassicOwn.next; then, it has done so at this instant */
  double at;       /* when, as a time since t0; of methods that know */
} HyClassicCrossing;

/* A mode has been turned: because its crossing was found, or because it was wrong. */
typedef struct {
  guint32 crossing; /* by its place */
  guint8 mode, found;
} HyClassicTurn;

/* Written by classic_crossings.c. */
typedef struct {
  GArray *crossing; /* HyClassicCrossing, in the order of ties */
  gboolean hubs;    /* some of them reads any */
  double *y;        /* [n] working memory */
  double next;      /* the first crossing in the step that stands; INFINITY: none */
  double after;     /* the same as a time since t0, which tells apart what NEXT does not */
  double turned;    /* when the group has decided last */
  GArray *turn;     /* HyClassicTurn: what it has turned then */
  guint turns;      /* how often at that instant */
  gboolean deciding;
  double close;   /* to what a crossing is found in the step that was searched last */
  double drifted; /* when one was found last */
  double dt;      /* how exactly, and */
  double *drift;  /* [n]: what members have moved in that */
  double *look;   /* [2 crossings]: working memory, what is driven was at the last two looks */
  double fastest; /* rate of the sines that drive them, in radians; NaN: not known yet */
} HyClassicOwn;

/* The same states by steps half as long. Written by classic_halves.c; by classic.c where z jumps.
 */
typedef struct {
  double *x;          /* [n] when the step that stands began; NULL: steps are not fixed */
  double *low, *high; /* [n] what z has been */
  double *most;       /* [n] the largest |x - z| */
} HyClassicHalves;

/* Rows that are not known yet, and stand as 0. Written by classic_rests.c. */
typedef struct {
  guint8 *row; /* [n + hubs + 2 crossings] */
  guint n;     /* so many do */
} HyClassicRests;

/* A group, and the frame of its steps. Written by classic.c; t0, t1 and z by the stepper, too. */
struct HyClassic {
  HyRoom *room;
  guint number; /* of the group in the room */
  const HyMethod *method;
  const HyStepper *stepper;
  const HyMethod *stated; /* METHOD has come in the place of this one, */
  const char *because;    /* for that reason, */
  gboolean unsure;        /* which any method would have, */
  double since;           /* at that instant. NULL: it has not */
  gpointer method_state;  /* of the stepper */
  guint n;
  guint32 *state;          /* [n], ascending; the first one leads: its tn is the group's */
  double *reltol, *abstol; /* [n] */
  double *size_most;       /* [n]: a size counts up to here, half a turn of an angle */

  guint known; /* so many of the first members know all of their row */
  gboolean begun;
  double began;  /* at that instant; INFINITY: not yet */
  double t0, t1; /* of the step that stands */
  double end;    /* the step is used up to here: t1, or where an input ends it */
  guint m;
  HyReading **reading; /* [m]: those that are spoken come first */
  guint spoken;
  guint heard;          /* all that the first ones of them read has spoken */
  GPtrArray *meeting;   /* HyMeeting, */
  GPtrArray *probe;     /* and those without a line */
  GPtrArray *sum;       /* of these those that are sums, */
  double *sum_value;    /* what probes hear at an instant */
  double gathered;      /* up to this instant, */
  double sum_fastest;   /* and the rate of the fastest sine in one; NaN: not known yet */
  guint sum_degree;     /* of what is integrated, by states; HY_X_MOST: it is no polynomial */
  double *sum_part;     /* [sums]: working memory */
  gboolean looks_still; /* in this step they are looked at where what is stiff is in balance */
  double *z;            /* [n] what the method integrates, at t1; of one that has reach() at t0 */
  double *offset;       /* [n] y = z + offset, so that y may be corrected and z stays smooth */
  HyClassicRows rows;
  HyClassicPieces out;
  HyClassicInputs in;
  HyClassicOwn own;
  HyClassicHalves halves;
  HyClassicRests rests;

  const char *why;    /* it cannot go on */
  guint blamed;       /* for WHY: the member that is named */
  char *text;         /* of WHY, where it is made for the occasion */
  double least, most; /* steps so far */
  HyClassicTotals
      totals; /* of the frame; and what a method counted before it began to count anew */
};

static inline HyMember *hy_classic_member(const HyClassic *g, guint i)
{
  return hy_room_state(g->room, g->state[i])->member;
}

static inline guint32 hy_classic_row(const HyClassic *g, guint i)
{
  return g->rows.row[i];
}

static inline double hy_classic_size(const HyClassic *g, guint i, double y)
{
  double size = fabs(y), most = g->size_most[i];
  return size > most ? most : size;
}

/* E of a member at Y. */
static inline double hy_classic_tolerance(const HyClassic *g, guint i, double y)
{
  return g->reltol[i] * hy_classic_size(g, i, y) + g->abstol[i];
}

/* The quantum of a member at Y, of methods of groups that have quanta. */
static inline double hy_classic_quantum(const HyClassic *g, guint i, double y)
{
  return hy_quantum(g->reltol[i], g->abstol[i], hy_classic_size(g, i, y));
}

static inline gboolean hy_classic_has(const HyClassic *g, guint state)
{
  const HyMember *m = hy_room_state(g->room, state)->member;
  return hy_family_is_classic(m->family) && m->group == g->number;
}

/* The sine that outer slot K is, for a method that takes it whole; NULL: pieces. */
static inline const HySine *hy_classic_sine(const HyClassic *g, guint k)
{
  return g->stepper->reach != NULL && g->rows.sine[k].frequency > 0.0 ? &g->rows.sine[k] : NULL;
}

/* The member that speaks at SLOT, or HY_NO_PLACE. */
static inline guint32 hy_classic_place(const HyClassic *g, guint slot)
{
  guint32 state = g->room->members.state_of[slot];
  return state > 0 && hy_classic_has(g, state - 1) ? hy_room_state(g->room, state - 1)->place
                                                   : HY_NO_PLACE;
}

/* Unless the group is seen, when its pieces are made as time advances: those of T, for whoever
 * looks at members there. */
void hy_classic_settle(HyClassic *g, double t);

/* What is said of I from OUT.from on for H: Y and DY of OUT are those at its ends. */
void hy_classic_parabola(const HyClassic *g, guint i, double h, double *q);
/* The cubic between the same ends is y_from + s (dy_from + s (a - c h + s c)). */
typedef struct {
  double a, c;
} HyBend;
HyBend hy_classic_bend(const HyClassic *g, guint i, double h);
/* How far the parabola is from it. */
double hy_classic_parabola_misses(const HyClassic *g, guint i, double h, HyBend bend);

/* It at S. */
static inline double hy_classic_cubic(const HyClassic *g, guint i, double h, double s, HyBend b)
{
  return g->out.y_from[i] + s * (g->out.dy_from[i] + s * (b.a - b.c * h + s * b.c));
}

/* The group has its turn at T. */
void hy_classic_wake(HyClassic *g, double t);

/* Why the group cannot go on: because of member I. Of the group. */
const char *hy_classic_why(HyClassic *g, guint i, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The method INSTEAD goes on from t1, for a reason that stays where it is; said in HyGroupTotals.
 */
const char *hy_classic_give_way(HyClassic *g, const char *instead, const char *because);

/* classic_implicit.c: the method that fits the equations of the group. */
const char *hy_classic_implicit_name(const HyClassic *g);

/* What rounding may make of instants near T that lie on grids of H. */
double hy_classic_near(double h, double t);
/* The first instant after T on the grid ORIGIN + k H; one that is next to T counts as T. */
double hy_classic_grid(double origin, double h, double t);

/* classic_multirate.c: groups that inform each other. */
static inline gboolean hy_multirate_is(const HyClassic *g)
{
  return g->method->family == HY_FAMILY_MULTIRATE;
}

gboolean hy_multirate_is_slower(const HyClassic *g, const HyClassic *than);
/* The multirate group, and the place in it, that speaks at SLOT, which a row of the multirate group
 * G reads. NULL: it is none, or G is none. */
HyClassic *hy_multirate_source(const HyClassic *g, guint slot, guint32 *place);
/* What G, whose step begins at T, is told of a state of SOURCE. */
HyPiece hy_multirate_information(const HyClassic *g, const HyClassic *source, guint32 i, double t);
gboolean hy_multirate_reads_faster(const HyClassic *g);
/* A slower group that G reads has not begun. */
gboolean hy_multirate_waits(const HyClassic *g);
/* The step of G would have begun with other information from the group BY, as that is now. */
gboolean hy_multirate_is_misled(const HyClassic *g, const HyClassic *by);

/* classic_effects.c. Something that the row of I reads has changed; TRUE: so the step ends before.
 */
gboolean hy_classic_affect(HyClassic *g, guint32 i, double t);
/* At T, where the step is left: what members miss whose inputs bend and have not changed. */
void hy_classic_count_bends(HyClassic *g, double t);
/* What is missing in I at T because of it. */
double hy_classic_missing(const HyClassic *g, guint32 i, double t);
void hy_classic_clear_effects(HyClassic *g);
/* At t1, before the group has had its turn: f has jumped by what counts in a step like the last. */
gboolean hy_classic_has_jumped(HyClassic *g, guint32 i);
/* At the end of a step: it has done so on the way, too late to make the step end there. */
gboolean hy_classic_jumped_late(const HyClassic *g);

/* classic_foresee.c. After the rows are known. */
void hy_classic_find_sources(HyClassic *g);
/* When f may jump after T, as far as that is known; INFINITY: it is not. */
double hy_classic_next_jump(const HyClassic *g, double t);
/* When a source that is no sine says anything after T, likewise. */
double hy_classic_next_word(const HyClassic *g, double t);

/* classic_sines.c. Which outer slots are one sine for ever: rows.sine. */
void hy_classic_find_sines(HyClassic *g);

/* SINE sin w t + COSINE cos w t, w > 0, t the time of the run. */
typedef struct {
  double w, sine, cosine;
} HyWave;
/* A row that is linear but for sin and cos of the time. */
typedef struct {
  HyTemplate *shape;
  HyShape
      as; /* the slots of SHAPE: below n_slots of the row they are its own, from there on WAVE */
  GArray *wave;
  double *factor; /* working memory */
  guint8 *choice; /* likewise */
} HyWavyRow;
/* When all that ROW reads has spoken; NULL: it is not such a row. */
HyWavyRow *hy_wavy_row_new(const HyRoom *room, const HyRunRow *row);
void hy_wavy_row_free(gpointer data); /* NULL is fine */
/* By the slots of SHAPE, and the rest; of the row, until the next call. CHOICE: its flags. */
const double *hy_wavy_row_factors(HyWavyRow *y, const guint8 *choice);
/* Likewise in two doubles each, to FACTOR, [n_slots + 1]; FALSE: they cannot be had so. */
gboolean hy_wavy_row_exactly(HyWavyRow *y, const guint8 *choice, Two *factor);

/* classic_halves.c. At z, where the group begins. */
void hy_classic_halves_start(HyClassic *g);
/* The step that stands has been used up to T, its inputs still being as they were assumed. */
void hy_classic_halves_follow(HyClassic *g, double t);
/* How far states have been off at most, by that, as a part of what they range over; and who. 0: it
 * is not known. */
double hy_classic_off(const HyClassic *g, guint *worst);
void hy_classic_halves_tape(HyClassic *g, HyTape *tape);
void hy_classic_halves_clear(HyClassic *g);

/* classic_rests.c. After the rows are known. */
void hy_classic_rests_init(HyClassic *g);
/* Before the group begins: which rows are not known. */
void hy_classic_rests_begin(HyClassic *g);
/* Something has been said or decided: one of them may be. */
gboolean hy_classic_rests_may_end(const HyClassic *g);
/* Before the group starts anew: those that are known rest no more. TRUE: there are such, and the
 * method has forgotten all. */
gboolean hy_classic_rests_end(HyClassic *g, double t);
/* Member I rests. */
gboolean hy_classic_rests_at(const HyClassic *g, guint32 i);
/* A file is about to be read into the group, of which nothing rests there. */
void hy_classic_rests_clear(HyClassic *g);
/* After the states of a copy have been put back into the group, of whose rows BEFORE rested. */
void hy_classic_rests_load(HyClassic *g, guint before);

#define HY_ROUNDING 1e-11 /* of its terms: what counts as rounding of a row */
#define HY_GROWTH   100.0 /* of the level at which z is beyond, from try to try */
#define HY_FAR      16.0  /* times what is cheap: so far ahead crossings are looked for */

/* classic_crossings.c. Before the rows: which modes the group decides. */
void hy_classic_find_crossings(HyClassic *g);
void hy_classic_clear_crossings(HyClassic *g);
/* Z of OF is above 0 at FROM and not so at TO: the first instant at which it is not, as exactly as
 * crossings are found. */
typedef double HyClassicValue(HyClassic *g, gconstpointer of, double t);
double hy_classic_locate(HyClassic *g, HyClassicValue *z, gconstpointer of, double from, double to);
/* The step that stands, from FROM on, with the inputs as they are: own.next. */
void hy_classic_seek(HyClassic *g, double from);
/* The rate of the fastest sine in ROW, in radians, as far as it has any. */
double hy_classic_row_fastest(const HyClassic *g, guint32 row);
/* With the inputs as they are at T, within the step or at its end: a comparison that counts as
 * above rests exactly at its level, so that own.next is now. */
gboolean hy_classic_comes_to_rest(HyClassic *g, double t);
/* z has been Z: whether it is right by that. */
void hy_classic_passes(HyClassicCrossing *c, double z);
/* What the terms of ROW may be wrong by, together, at what hy_classic_set_now() has set: members by
 * their TOLERANCE, or all by rounding. */
double hy_classic_measure(HyClassic *g, guint32 row, gboolean tolerance);

/* classic_noise.c. At what hy_classic_set_now() has set: what rounding makes of ROW by its
 * evaluation, and by that and the digits of the instant T, if crossings have been found there: to
 * DT, which is told before they turn. */
double hy_classic_rounding(HyClassic *g, guint32 row);
double hy_classic_noise(HyClassic *g, guint32 row, double t);
void hy_classic_drift(HyClassic *g, double t, double dt);

/* The row that decides crossing K in its mode as it was assumed, and that mode. */
guint32 hy_classic_crossing_row(const HyClassic *g, guint k, gboolean *on);
/* At T, the states being z and the method about to start: the modes are made right. */
const char *hy_classic_decide(HyClassic *g, double t);

/* classic_readings.c. Before the rows: what the group computes for others. */
void hy_classic_find_readings(HyClassic *g);
/* The states at T in the step that stands, with what inputs have made of them since it began. */
void hy_classic_states_now(HyClassic *g, double t, double *y);
/* What the spoken readings are at T, and how they change, where states are Y and change by DY
 * (NULL: it is not asked for): behind them, from place n on. Inputs as assumed. */
void hy_classic_read(HyClassic *g, double t, double *y, double *dy);
/* With balance(): the slopes of spoken readings at both ends of the piece, by their value between.
 */
void hy_classic_bend_readings(HyClassic *g);
/* In how many pieces readings of the step are said, those at its ends and between being known. */
#define HY_READING_PIECES 4096U
double hy_classic_reading_pieces(HyClassic *g);
/* Reading K of those at T: partials by members, [n], and by outer slots behind them. */
void hy_classic_reading_line(HyClassic *g, guint k, double *line);

/* classic_meetings.c. After the readings: what blocks ask of the group. */
void hy_classic_find_meetings(HyClassic *g);
/* In the step that stands, from T on; BEGINS: it has just begun there. */
void hy_classic_seek_meetings(HyClassic *g, double t, gboolean begins);
/* How far the input is above the line, or below where it is to rise: of an input that is VALUE. */
double hy_classic_meeting_side(const HyMeeting *m, double t, double value);
/* Where it is Z it has left the level that it turned at. */
gboolean hy_classic_meeting_leaves(const HyMeeting *m, double z);
/* At T, where it begins to be looked for, it is Z: its level. */
void hy_classic_meeting_level(HyMeeting *m, double t, double z);

/* classic_sums.c: integrals that blocks ask for. With their meetings. */
void hy_classic_find_sums(HyClassic *g);
/* Up to T, with the step and the inputs as they are: before either is another one. */
void hy_classic_gather(HyClassic *g, double t);

/* classic_looks.c: meetings of methods without meets(). A step has been made. */
void hy_classic_find_looks(HyClassic *g);
/* When M is met from FROM to END; INFINITY:
 * it is not. */
double hy_classic_look(HyClassic *g, HyMeeting *m, double from, double end, gboolean begins);
void hy_classic_begin_look(HyClassic *g, HyMeeting *m, double t);
/* What they hear at T. */
double hy_classic_look_value(HyClassic *g, const HyReading *r, double t);
/* States are about to be corrected at T. */
void hy_classic_keep_meetings(HyClassic *g, double t);
/* They have been, in the step that stands. */
void hy_classic_shift_meetings(HyClassic *g, double t);
/* They have been, and are z; or JUMPS: modes have turned at T since. */
void hy_classic_restart_meetings(HyClassic *g, double t, gboolean jumps);

/* classic_rows.c: the equations. */
void hy_classic_rows_init(HyClassic *g);
void hy_classic_rows_clear(HyClassic *g);
/* Anew how they are evaluated together, as some stand as 0, or do so no more. */
void hy_classic_shape_rows(HyClassic *g);
/* Row of a member, or of a hub behind them. */
guint32 hy_classic_number_of_row(const HyClassic *g, guint32 i);
/* The place of SLOT among the outer ones, or HY_NO_PLACE; and of a hub among those of the group. */
guint32 hy_classic_outer(const HyClassic *g, guint slot);
guint hy_classic_hub(const HyClassic *g, guint slot);
/* FLAG, which the rows read, as it was assumed. */
gboolean hy_classic_was(const HyClassic *g, guint32 flag);
/* Inputs and flags are assumed to go on as they are. */
void hy_classic_assume(HyClassic *g);
/* Some input is not any more what was assumed. */
gboolean hy_classic_is_misled(const HyClassic *g);
/* dy = f(t, y) with the inputs as assumed; FALSE: not finite. Y without the offset. */
gboolean hy_classic_rhs(HyClassic *g, double t, const double *y, double *dy);
/* The partials of rows by their slots, in the order of hy_classic_partials(): of members, and
 * behind them of hubs, in the order of HUB. */
HyPartial *hy_classic_entries(const HyClassic *g, guint *n);             /* newly allocated */
guint hy_classic_entry_slot(const HyClassic *g, const HyPartial *entry); /* of the flat graph */
void hy_classic_partials(HyClassic *g, double t, const double *y, double *partial);
/* Y is above X (SIDE 1) or below it (-1) by so little that nothing is to be told there. At
 * sqrt(1e-40) partials say 1e20, which holds for no other x: Newton's iteration makes a step of
 * nothing by it, and what ends by its step takes x for the solution. A hundredth of a tolerance
 * beside it, what it leaves at most is a part of the tolerance. At sqrt(0) they are not finite. */
void hy_classic_beside(const HyClassic *g, const double *x, int side, double *y);
/* d f_i / d of itself at T, likewise. */
double hy_classic_self_partial(HyClassic *g, guint i, double t);
/* What hy_classic_row_gradient() is taken at. */
void hy_classic_set(HyClassic *g, double t, const double *y);
/* Outer slots alone. */
void hy_classic_set_outer(HyClassic *g, double t);
/* Likewise, with the inputs as they are and not as assumed. */
void hy_classic_set_now(HyClassic *g, double t, const double *y);
/* That in two halves: all but hubs; hubs of that. */
void hy_classic_set_slots_now(HyClassic *g, double t, const double *y);
void hy_classic_set_hubs(HyClassic *g);
gboolean hy_classic_reads_hubs(const HyClassic *g, guint32 row);
/* Any row of the group at that. */
double hy_classic_row_value(HyClassic *g, guint32 row);
/* The flags of a row, as they are or were assumed; of the group, until the next call. */
const guint8 *hy_classic_choices(HyClassic *g, guint32 row);
/* The partials of a row by its slots, [n_slots], and behind them the rest of a linear one; of the
 * group, until the next call. */
const double *hy_classic_row_gradient(HyClassic *g, guint32 row);
const HyPiece *hy_classic_assumed(const HyClassic *g, guint slot);      /* of an outer slot */
double hy_classic_input_slope(const HyClassic *g, guint32 k, double t); /* of the K-th, likewise */
/* Of the K-th, whose piece is P: a sine's is its own. */
double hy_classic_outer_value(const HyClassic *g, guint k, const HyPiece *p, double t);
double hy_classic_outer_slope(const HyClassic *g, guint k, const HyPiece *p, double t);
typedef enum {
  HY_INPUTS_NOW,
  HY_INPUTS_ASSUMED, /* and flags; */
  HY_INPUTS_HELD     /* likewise, but inputs stay at what they were at t0 */
} HyTaking;
/* f_i at T, which is in the piece that is published or t1. */
double hy_classic_row_at(HyClassic *g, guint i, double t, HyTaking inputs);

#endif
