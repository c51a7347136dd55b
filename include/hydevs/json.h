/* JSON, written: commas, lines and indentation are found here, and nowhere else. */
#ifndef HYDEVS_JSON_H
#define HYDEVS_JSON_H

#include "hydevs/text.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Begins as {.out = text}; what is appended to OUT beside it is its writer's affair. KEY of what
 * follows is NULL in an array, and for the outermost value. */
typedef struct {
  GString *out;
  gboolean tight; /* no blanks behind commas and colons */
  guint depth;    /* brackets that are open */
  guint lines;    /* of these, the outer ones whose items have a line each */
} HyJsonOut;

/* BRACKET is '{' or '['; that which ends what has been begun '}' or ']'. Of what begins with lines
 * each item has a line of its own; all around it must have begun so, too. */
void hy_json_begin(HyJsonOut *json, const char *key, char bracket);
void hy_json_begin_lines(HyJsonOut *json, const char *key, char bracket);
void hy_json_end(HyJsonOut *json, char bracket);

void hy_json_text(HyJsonOut *json, const char *key, const char *text); /* NULL: nothing at all */
void hy_json_real(HyJsonOut *json, const char *key, double v); /* null if it is not finite */
void hy_json_count(HyJsonOut *json, const char *key, guint64 n);
void hy_json_bool(HyJsonOut *json, const char *key, gboolean v);
void hy_json_null(HyJsonOut *json, const char *key);

#pragma GCC visibility pop
G_END_DECLS
#endif
