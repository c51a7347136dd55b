/* Answers: JSON with no number in it that JSON cannot hold, and the same in words. */
#ifndef HY_SESSION_ANSWER_H
#define HY_SESSION_ANSWER_H

#include "hydevs/json.h"

typedef struct HyAnswer {
  HyJsonOut json;
} HyAnswer;

/* A number, or the text "nan", "inf" or "-inf". */
void hy_json_value(HyJsonOut *json, const char *key, double v);
/* The same, and nothing of what is not there. */
void hy_json_bound(HyJsonOut *json, const char *key, double v); /* null if it is infinite */

#endif
