/* The inside of a recorder, for the files that share its work: record.c (life, settings, looking),
 * record_watch.c (what it hears), record_instants.c (what holds at an instant), record_rows.c
 * (rows) and record_file.c (bytes). */
#ifndef HY_RECORD_INTERNAL_H
#define HY_RECORD_INTERNAL_H

#include "column_watch.h"
#include "hydevs/record.h"
#include "hydevs/text.h"
#include "numerics/beats.h"
#include "record_forms.h"

#define HY_RECORD_ATOMICS (1U << 28) /* more of them than any memory holds */
#define HY_RECORD_BUFFER  262144     /* so many bytes are handed on together */

typedef struct {
  HyColumn is;
  gboolean spoken;
  gboolean answered;   /* its group has, in its place, for the row at hand */
  gboolean jumps;      /* no events: both sides of a jump are rows */
  gboolean still;      /* the value does not move until the next event */
  gboolean straight;   /* its piece has order 1 */
  gboolean numeric;    /* it has said a number */
  gboolean was;        /* a number, before the instant at hand */
  gboolean touched;    /* it has spoken at the instant at hand */
  guint sources;       /* that speak here; */
  gboolean alone;      /* there is one */
  guint order;         /* highest power seen so far */
  double tl;           /* the last event: when, and its value */
  HyValue value;       /* with a reference to the payload */
  double low, high;    /* of its values so far, once it was */
  double after, slope; /* of a state: what it was after the last instant, the chord since */
  GArray *said;        /* HyValue, of a column of events: those of the instant at hand */
  /* Its text in CSV: */
  double shown; /* the number that was written last, and its text: */
  guint size;   /* 0: none yet */
  char number[HY_DOUBLE_SIZE];
  gboolean written; /* the text of the payload is known: */
  GString *payload; /* quoted */
} HyRecordColumn;

/* Which side of the instant at hand a row shows, or that it lies between two. */
typedef enum { HY_BEFORE, HY_AFTER, HY_BETWEEN } HyRecordSide;

struct HyRecorder {
  FILE *out; /* NULL: in memory */
  const HyRecordForm *form;
  char *about; /* for its head */
  double until;
  goffset head;          /* bytes before the first row */
  HyRecordCounts counts; /* where in the head the number of rows stands */
  const HyColumn **is;   /* [n], for forms other than CSV: */
  HyRow row;
  GString *line;        /* of these */
  GString *heading;     /* of forms other than CSV, as it stands in OUT */
  GArray *kept;         /* double: the time and the values of each row */
  GHashTable *payloads; /* place in KEPT (guint64) -> GVariant */
  char *file;
  HyTrace next;
  guint n;
  HyRecordColumn *column;
  /* [n], numbers of the columns; NaN: nothing yet, or a payload. */
  double *now;     /* what holds at the instant at hand, as far as it has come */
  double *before;  /* of what jumps: what held just before */
  double *between; /* of a row elsewhere */
  guint *touched;  /* [n]: columns that jump and have spoken at this instant */
  guint *signal;   /* [n_signals]: columns that jump and are no states */
  guint n_signals;
  guint n_touched, n_states;
  gboolean bent;     /* a signal has been a piece of order 2 or 3 */
  gboolean has_text; /* a payload has come */
  GArray *watch;     /* HyColumnWatch, by atomic */
  guint n_atomics;   /* watched atomics have numbers below */
  guint n_watched;   /* likewise with those that the next watcher wants */
  guint8 *watched;   /* [n_watched]: HyWatched */
  guint *first;      /* [n_atomics + 1]: where those of an atomic begin; NULL: not sorted yet */
  double t;          /* of the row that waits, if one waits */
  gboolean waiting;  /* for time to pass */
  gboolean written;  /* the rows of t; nothing has been noted since */
  gboolean said;     /* some column of events has some of the instant at hand */
  double dt, t0, tf; /* of a grid with equal steps; dt is NaN for a list, 0: no grid */
  HyBeats beats;     /* its instants, */
  double due;        /* the next one */
  double *times;     /* [n_grid] of a list */
  guint64 k, n_grid; /* the next grid instant, their number */
  guint64 rows;
  double end;
  double heard;           /* the last instant; -INFINITY: nothing yet */
  gboolean back;          /* the time has gone back: this is another run */
  int failure;            /* errno of the first failed write */
  gboolean fresh, headed; /* OUT is to be emptied; the head has been written */
  gboolean has_begun;     /* rows have been handed on */
  gboolean own;           /* OUT has only what this recorder has written */
  goffset sent;           /* bytes in OUT: whole rows */
  guint64 told;           /* rows in its head */
  void (*begun)(gpointer user);
  gpointer begun_user;
  void (*stepped)(gpointer user); /* after each call that changes OUT; NULL: for no test */
  gpointer stepped_user;
  gint64 flushed, looked;      /* when all was handed on for the last time (0: the first row is */
                               /* due), and when the clock */
  guint64 look_at, look_every; /* was looked at; the row that looks next, after so many */
  gsize used, ready, capacity; /* bytes in the buffer, those up to the last whole row */
  char *buffer;
};

/* record_file.c: bytes on their way into OUT. */
void hy_record_put(HyRecorder *r, const char *text, gsize size);
void hy_record_grow(HyRecorder *r, gsize size);
/* At least so many bytes are free after it. */
static inline char *hy_record_room(HyRecorder *r, gsize size)
{
  if (r->capacity - r->used < size) {
    hy_record_grow(r, size);
  }
  return r->buffer + r->used;
}
/* The heading tells that there are no rows. */
void hy_record_count_none(HyRecorder *r);
/* What stands in the buffer is whole: rows, or the head. */
void hy_record_whole(HyRecorder *r);
/* OUT, which is empty, gets the head of a recording without rows. */
void hy_record_lay(HyRecorder *r);

/* record_rows.c: a row with what the columns have at T. */
void hy_record_row(HyRecorder *r, double t, HyRecordSide side);
/* Number k of the grid; of one with equal steps the last is TF itself where rounding would carry it
 * beyond. */
double hy_record_grid_instant(const HyRecorder *r);
void hy_record_head(HyRecorder *r);

/* record_instants.c */
/* An event at T is about to be noted. */
void hy_record_advance(HyRecorder *r, double t);
/* C, that of column K, has said VALUE at T. */
void hy_record_take(HyRecorder *r, guint k, double t, const HyValue *value);
/* A new instant T has come at which nothing has happened yet. */
void hy_record_reach(HyRecorder *r, double t);
/* The rows that are left at the end of the run, T. */
void hy_record_close(HyRecorder *r, double t);
/* What the columns have heard last, on a grid: so that one that goes on from a copy of its run can
 * say what is now. Its rows stay. */
void hy_recorder_tape(HyRecorder *r, HyTape *tape);
/* record_tape.c */
/* All of it, at SAVE with its rows handed on to the file. What is read of another recording is
 * refused. */
void hy_recorder_all_tape(HyRecorder *r, HyTape *tape);
/* Of a file: what its last rows are. DIGEST gets what is read, newly allocated. */
void hy_recorder_tail_tape(HyRecorder *r, HyTape *tape, char **digest);
guint64 hy_recorder_bytes(const HyRecorder *r); /* in the file */
/* After it has been read: whether the file has these rows, and may have more. */
gboolean hy_recorder_may_go_on(const HyRecorder *r, const char *digest, GError **error);
/* Then: what was written later is cut off; FALSE: R is as it was. */
gboolean hy_recorder_cut_off(HyRecorder *r, GError **error);
/* Then, of all of them: its rows go on there. */
void hy_recorder_go_on(HyRecorder *r);
/* In place of that: its file, or its rows in memory, begin here. */
void hy_recorder_begin_anew(HyRecorder *r);
/* record_file.c: OUT has as many bytes and rows as R says, and its head tells so. FALSE: errno. */
gboolean hy_record_cut(HyRecorder *r);
/* What column K has at T, after its last word; NaN: nothing yet, or a payload. */
double hy_record_value(HyRecorder *r, guint k, double t);

#endif
