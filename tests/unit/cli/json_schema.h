/* For tests: JSON, read strictly, against a JSON schema: type, properties, additionalProperties,
 * items, required, enum and $ref into $defs. What a schema does not name is wrong. */
#ifndef JSON_SCHEMA_H
#define JSON_SCHEMA_H

#include <ctype.h>
#include <glib.h>
#include <string.h>
#include <unity.h>

static inline const char *json_blank(const char *at)
{
  return at + strspn(at, " \n");
}

static inline const char *json_skip_text(const char *at)
{
  TEST_ASSERT_EQUAL_INT_MESSAGE('"', *at, at);
  for (at++; *at != '"'; at++) {
    TEST_ASSERT_TRUE_MESSAGE((guchar)*at >= 0x20, at);
    if (*at == '\\') {
      TEST_ASSERT_NOT_NULL_MESSAGE(strchr("\"\\/bfnrtu", *++at), at);
    }
  }
  return at + 1;
}

static inline const char *json_skip_number(const char *at)
{
  at += *at == '-';
  TEST_ASSERT_TRUE_MESSAGE(isdigit((guchar)*at) && !(at[0] == '0' && isdigit((guchar)at[1])), at);
  at += strspn(at, "0123456789");
  if (*at == '.') {
    TEST_ASSERT_TRUE_MESSAGE(isdigit((guchar) * ++at), at);
    at += strspn(at, "0123456789");
  }
  if (*at == 'e') {
    at += 1 + (at[1] == '-' || at[1] == '+');
    TEST_ASSERT_TRUE_MESSAGE(isdigit((guchar)*at), at);
    at += strspn(at, "0123456789");
  }
  return at;
}

/* Where the value that begins AT ends. SCHEMA: what it must be, NULL: anything; WHOLE: the schema
 * that it is a part of. */
static const char *json_check(const char *at, const char *schema, const char *whole);

/* Likewise, by its brackets and texts alone: what stands in it json_check() looks at, once. */
static inline const char *json_pass(const char *at)
{
  gint depth = 0;
  do {
    if (*at == '"') {
      at = json_skip_text(at);
    } else {
      TEST_ASSERT_NOT_EQUAL('\0', *at);
      depth += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
      at++;
    }
  } while (depth > 0 || strchr(",}] \n", *at) == NULL);
  return at;
}

/* The member KEY of an object; NULL: it has none. */
static inline const char *json_member(const char *object, const char *key)
{
  for (const char *at = json_blank(object + 1); *object == '{' && *at == '"';) {
    const char *end = json_skip_text(at), *value = json_blank(end + 1);
    if (strlen(key) == (gsize)(end - at - 2) && strncmp(at + 1, key, strlen(key)) == 0) {
      return value;
    }
    at = json_blank(json_pass(value));
    at = *at == ',' ? json_blank(at + 1) : at;
  }
  return NULL;
}

/* {"$ref": "#/$defs/NAME"} followed. */
static inline const char *json_followed(const char *schema, const char *whole)
{
  static const char before[] = "\"#/$defs/";
  const char *ref = schema != NULL ? json_member(schema, "$ref") : NULL;
  if (ref == NULL) {
    return schema;
  }
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(ref, before), ref);
  ref += strlen(before);
  g_autofree char *name = g_strndup(ref, strcspn(ref, "\""));
  const char *defs = json_member(whole, "$defs"), *found = json_member(defs, name);
  TEST_ASSERT_NOT_NULL_MESSAGE(found, name);
  return found;
}

static inline gboolean json_may_be(const char *schema, const char *type)
{
  const char *types = schema != NULL ? json_member(schema, "type") : NULL;
  if (types == NULL) {
    return TRUE;
  }
  g_autofree char *quoted = g_strdup_printf("\"%s\"", type);
  gsize size = *types == '[' ? strcspn(types, "]") : strcspn(types, ",}");
  return g_strstr_len(types, (gssize)size, quoted) != NULL;
}

static inline void json_has_required(const char *object, const char *schema)
{
  const char *needed = schema != NULL ? json_member(schema, "required") : NULL;
  for (const char *at = needed != NULL ? needed + 1 : "]"; *at != ']';
       at = json_blank(*at == ',' ? at + 1 : at)) {
    const char *end = json_skip_text(at);
    g_autofree char *key = g_strndup(at + 1, (gsize)(end - at - 2));
    TEST_ASSERT_NOT_NULL_MESSAGE(json_member(object, key), key);
    at = end;
  }
}

static inline const char *json_check_object(const char *at, const char *schema, const char *whole)
{
  TEST_ASSERT_TRUE_MESSAGE(json_may_be(schema, "object"), at);
  json_has_required(at, schema);
  const char *known = schema != NULL ? json_member(schema, "properties") : NULL;
  const char *others = schema != NULL ? json_member(schema, "additionalProperties") : NULL;
  for (at = json_blank(at + 1); *at != '}';) {
    const char *end = json_skip_text(at);
    g_autofree char *key = g_strndup(at + 1, (gsize)(end - at - 2));
    const char *its = known != NULL ? json_member(known, key) : NULL;
    its = its == NULL && others != NULL && *others == '{' ? others : its;
    TEST_ASSERT_TRUE_MESSAGE(schema == NULL || its != NULL, key); /* the schema knows it */
    TEST_ASSERT_EQUAL_INT_MESSAGE(':', *end, end);
    at = json_blank(json_check(json_blank(end + 1), its, whole));
    TEST_ASSERT_TRUE_MESSAGE(*at == '}' || (*at == ',' && *json_blank(at + 1) == '"'), at);
    at = *at == ',' ? json_blank(at + 1) : at;
  }
  return at + 1;
}

static inline const char *json_check_array(const char *at, const char *schema, const char *whole)
{
  TEST_ASSERT_TRUE_MESSAGE(json_may_be(schema, "array"), at);
  const char *items = schema != NULL ? json_member(schema, "items") : NULL;
  for (at = json_blank(at + 1); *at != ']';) {
    at = json_blank(json_check(at, items, whole));
    TEST_ASSERT_TRUE_MESSAGE(*at == ']' || (*at == ',' && *json_blank(at + 1) != ']'), at);
    at = *at == ',' ? json_blank(at + 1) : at;
  }
  return at + 1;
}

static inline const char *json_check_text(const char *at, const char *schema)
{
  TEST_ASSERT_TRUE_MESSAGE(json_may_be(schema, "string"), at);
  const char *end = json_skip_text(at), *all = schema != NULL ? json_member(schema, "enum") : NULL;
  g_autofree char *text = g_strndup(at, (gsize)(end - at));
  TEST_ASSERT_TRUE_MESSAGE(
      all == NULL || g_strstr_len(all, (gssize)strcspn(all, "]"), text) != NULL, text);
  return end;
}

static inline const char *json_check(const char *at, const char *schema, const char *whole)
{
  schema = json_followed(schema, whole);
  if (*at == '{') {
    return json_check_object(at, schema, whole);
  }
  if (*at == '[') {
    return json_check_array(at, schema, whole);
  }
  if (*at == '"') {
    return json_check_text(at, schema);
  }
  for (const char *const *word = (const char *const[]){"null", "true", "false", NULL};
       *word != NULL; word++) {
    if (g_str_has_prefix(at, *word)) {
      TEST_ASSERT_TRUE_MESSAGE(json_may_be(schema, **word == 'n' ? "null" : "boolean"), at);
      return at + strlen(*word);
    }
  }
  const char *end = json_skip_number(at);
  gboolean integer = strcspn(at, ".e") >= (gsize)(end - at);
  TEST_ASSERT_TRUE_MESSAGE(
      json_may_be(schema, "number") || (integer && json_may_be(schema, "integer")), at);
  return end;
}

#endif
