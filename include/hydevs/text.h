/* Numbers, values and words as hydevs writes them, the same in traces, tables and messages. */
#ifndef HYDEVS_TEXT_H
#define HYDEVS_TEXT_H

#include "hydevs/atomic.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The shortest decimal that reads back as the same double; "inf", "-inf", "nan". BUFFER has
 * HY_DOUBLE_SIZE bytes. */
#define HY_DOUBLE_SIZE 32
char *hy_double_text(char *buffer, double v);
/* *V: the number that TEXT is, all of it, as a model file may have it: "10u". FALSE: it is none;
 * NaN is none. */
gboolean hy_text_number(const char *text, double *v);
/* "1", "0.5,2" (Taylor coefficients without trailing zeros), "('job', 1)"; appended to OUT. */
void hy_value_text(GString *out, const HyValue *value);

/* TEXT with nothing in it that a terminal or the reader of a file would obey: what is not UTF-8 is
 * replaced; ends of lines and tabs are blanks, unless they may stay (LINES); other control
 * characters, and those that turn the direction of letters round, are shown: \x1b, \u009b. Newly
 * allocated. Whatever comes from outside goes through this before it is kept or printed. */
char *hy_plain_text(const char *text, gboolean lines);
/* Whether the N bytes of TEXT, which are UTF-8, are so already; LINES as above. */
gboolean hy_is_plain_text(const char *text, gsize n, gboolean lines);

/* JSON, appended to OUT: a string in its quotes (what is not UTF-8 is replaced); a number, null if
 * it is not finite. */
void hy_json_string(GString *out, const char *text);
void hy_json_number(GString *out, double v);

/* A string of DOT in its quotes, appended to OUT; the end of a line in TEXT is one in the drawing.
 */
void hy_dot_string(GString *out, const char *text);

/* Writes TEXT, N bytes (-1: up to its 0), to the file PATH: a new file in place of the old one once
 * all is written. A symbolic link stays one: the file that it leads to is replaced. What is no
 * ordinary file, a device or a pipe, is written to as it stands. */
gboolean hy_write_file(const char *path, const char *text, gssize n, GError **error);
/* Both names are of one ordinary file, however they are spelled or linked; also of one that is not
 * there yet. */
gboolean hy_same_file(const char *a, const char *b);
/* What every program asks before it writes PATH: it is none of the files INPUTS that are read, nor
 * of OUTPUTS that are written (each ends with NULL; NULL: none). */
gboolean hy_output_is_free(const char *path, const char *const *inputs, const char *const *outputs,
                           GError **error);

/* "Did you mean ...?": the one of WORDS (ends with NULL) that WORD was probably meant to be, or
 * NULL: equal but for case; else at most two letters (one in words up to three letters, a third of
 * the letters in long ones) wrong, missing, too many or swapped; else one that begins with WORD, of
 * three letters or more, or that WORD begins with, and at most three letters more. Of equally near
 * words the first. */
const char *hy_nearest(const char *word, const char *const *words);

/* The same where the words do not stand in an array: set word, offer all, read best. */
typedef struct {
  const char *word;
  const char *best; /* NULL: none so far */
  guint distance;
  guint offered; /* so many have been; only the first 5000 are looked at */
} HyNearest;
void hy_nearest_offer(HyNearest *nearest, const char *candidate);

#pragma GCC visibility pop
G_END_DECLS
#endif
