/* Frames: a run that keeps the time of a clock, H simulated seconds at a time, and what is counted
 * of it. Frame k begins at d(k) = w0 + k H / s by the clock. */
#ifndef HY_SESSION_FRAMES_H
#define HY_SESSION_FRAMES_H

#include "hydevs/json.h"
#include "hydevs/session.h"

#define HY_FRAME_BUCKETS 40 /* bucket b: below 2^b us, and not below 2^(b-1) */
#define HY_FRAME_WORST   10

typedef struct {
  double t, work, over; /* over: behind its end; below 0: before it */
  guint64 events;
  guint block; /* has moved most; G_MAXUINT: nothing has */
} HyFrame;

typedef struct {
  guint64 n, missed;
  double carried; /* behind, when the last frame was over */
  guint64 late[HY_FRAME_BUCKETS], work[HY_FRAME_BUCKETS];
  double late_most, work_most;
  guint n_worst;
  HyFrame worst[HY_FRAME_WORST]; /* by work, the most first */
  guint64 least, most;           /* events of a frame */
} HyFrameCounts;

/* A frame that was to begin at D and to end at NEXT has begun at START and ended at END. TOO_MUCH:
 * it counts as missed whatever the clock says. Whether it is among the worst. */
gboolean hy_frames_count(HyFrameCounts *c, double d, double next, double start, double end,
                         HyFrame frame, gboolean too_much);
/* Seconds below which the part P of a histogram lies: the upper end of a bucket, at most MOST. */
double hy_frames_part(const guint64 *histogram, double p, double most);

/* Whether the methods of RUN may be held to frames. */
gboolean hy_frames_check(const HySession *s, const HyRun *run, GError **error);
double hy_frames_next(const HySession *s);                 /* the next t0 + k H behind S->t */
double hy_frames_turn(HySession *s);                       /* as hy_session_turn() */
const HyFrameCounts *hy_frames_counts(const HySession *s); /* all 0 before the first */
void hy_frames_json(const HySession *s, HyJsonOut *json);
void hy_frames_text(const HySession *s, GString *out);
typedef struct HyFrames HyFrames;
void hy_frames_free(HyFrames *frames);

#endif
