/* JSON as it is read beside recordings: a reader that walks through a text once. json-glib would be
 * another library to install in place of a hundred lines, and has no shortest numbers to write;
 * what writes stands in hydevs/json.h. */
#ifndef HY_JSON_H
#define HY_JSON_H

#include "hydevs/text.h"

G_BEGIN_DECLS

/* A place in a text. After the first mistake every call fails. */
typedef struct {
  const char *at; /* NULL: there was a mistake */
  guint depth;
} HyJson;

/* Objects and arrays: after hy_json_open(json, '{') call hy_json_more(json, '}') before each
 * member; FALSE: the end has been passed, or there was a mistake. Of a member of an object read the
 * key, then the value. */
gboolean hy_json_open(HyJson *json, char bracket);
gboolean hy_json_more(HyJson *json, char bracket);
char *hy_json_key(HyJson *json); /* newly allocated; NULL: a mistake */
char *hy_json_read_string(
    HyJson *json); /* newly allocated; NULL: another value, which has been passed, or a mistake */
double hy_json_read_number(HyJson *json); /* NaN: likewise */
void hy_json_skip(HyJson *json);          /* passes any value */

G_END_DECLS
#endif
