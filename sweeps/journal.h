/* What is known of a sweep that has not come to its end: OUT.journal, beside the table that it will
 * be. It has the rows that have ended, and which runs were open when the process last began one. */
#ifndef HY_SWEEPS_JOURNAL_H
#define HY_SWEEPS_JOURNAL_H

#include "hydevs/sweep.h"

typedef struct HyJournal HyJournal;

#define HY_JOURNAL_SLOTS 256U /* threads at most */

/* That of SWEEP, which gets the rows that are in it. NULL: it cannot be written, is in use, or is
 * of another plan. */
HyJournal *hy_journal_open(HySweep *sweep, GError **error);
/* REMOVE: the table is there. NULL is fine. */
void hy_journal_close(HyJournal *journal, gboolean remove);
/* Places of rows that had been begun when the last process ended, and had not ended. */
const GArray *hy_journal_open_runs(const HyJournal *journal);

/* Thread number SLOT begins this row; from any thread. */
void hy_journal_begin(const HyJournal *journal, guint slot, guint64 place);
/* No row is under way any more. */
void hy_journal_stand(HyJournal *journal);
/* One at a time: a row that has ended; to the file with all that has been added. FALSE: it cannot
 * be written. */
gboolean hy_journal_add(HyJournal *journal, guint64 place, const HySweepRow *row, GError **error);
gboolean hy_journal_flush(HyJournal *journal, GError **error);

#endif
