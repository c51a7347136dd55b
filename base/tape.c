#include "base/tape.h"

#include <string.h>

void hy_tape_init(HyTape *tape)
{
  *tape = (HyTape){.bytes = g_byte_array_new(),
                   .payloads = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref),
                   .dropped = g_ptr_array_new_with_free_func(g_free)};
}

void hy_tape_clear(HyTape *tape)
{
  g_byte_array_unref(tape->bytes);
  g_ptr_array_unref(tape->payloads);
  g_ptr_array_unref(tape->dropped);
  g_free(tape->section);
  g_free(tape->refused);
}

void hy_tape_begin(HyTape *tape, HyTapePass pass)
{
  tape->pass = pass;
  tape->at = 0;
  tape->copied = NULL;
  tape->copied_size = 0;
  g_ptr_array_set_size(tape->dropped, 0);
  g_clear_pointer(&tape->section, g_free);
}

gboolean hy_tape_files(const HyTape *tape)
{
  g_return_val_if_fail(tape != NULL, FALSE);
  return tape->file != NULL;
}

gboolean hy_tape_loads(const HyTape *tape)
{
  g_return_val_if_fail(tape != NULL, FALSE);
  return tape->pass == HY_TAPE_LOAD;
}

void hy_tape_refuse(HyTape *tape, const char *format, ...)
{
  if (tape->refused == NULL) {
    va_list args;
    va_start(args, format);
    g_autofree char *why = g_strdup_vprintf(format, args);
    va_end(args);
    tape->refused = tape->file != NULL && tape->section != NULL
                        ? g_strdup_printf("%s: %s", tape->section, why)
                        : g_steal_pointer(&why);
  }
}

void hy_tape_reject(HyTape *tape, const char *why)
{
  g_return_if_fail(tape != NULL && why != NULL);
  hy_tape_refuse(tape, "%s", why);
}

void hy_tape_section(HyTape *tape, const char *name)
{
  g_return_if_fail(tape != NULL && name != NULL);
  if (tape->file != NULL) {
    g_free(tape->section);
    tape->section = g_strdup(name);
    tape->file->section(tape->file, tape, name);
  }
}

/* In memory ------------------------------------------------------------------------------------ */

static void tape_raw(HyTape *tape, void *data, gsize size)
{
  if (tape->pass == HY_TAPE_SAVE) {
    g_byte_array_append(tape->bytes, data, (guint)size);
  } else if (tape->pass == HY_TAPE_LOAD && size > 0) {
    g_assert(tape->at + size <= tape->bytes->len);
    memcpy(data, tape->bytes->data + tape->at, size);
    tape->at += size;
  }
}

static void tape_payload(HyTape *tape, HyValue *value)
{
  if (value->payload == NULL) {
    return;
  }
  switch (tape->pass) {
  case HY_TAPE_SAVE:
    g_ptr_array_add(tape->payloads, g_variant_ref(value->payload));
    break;
  case HY_TAPE_DROP:
    g_clear_pointer(&value->payload, g_variant_unref);
    break;
  default:
    g_variant_ref(value->payload);
    break;
  }
}

static void tape_text(HyTape *tape, char **text)
{
  gsize size = tape->pass == HY_TAPE_SAVE && *text != NULL ? strlen(*text) + 1 : 0;
  tape_raw(tape, &size, sizeof size);
  if (tape->pass == HY_TAPE_DROP) {
    g_ptr_array_add(tape->dropped, g_steal_pointer(text));
    return;
  }
  if (tape->pass == HY_TAPE_LOAD) {
    *text = size > 0 ? g_malloc(size) : NULL;
  }
  tape_raw(tape, *text, size);
}

static gboolean tape_has(const HyTape *tape, const void *data)
{
  return (gsize)((const guint8 *)data - tape->copied) < tape->copied_size;
}

static gsize tape_size(HyItemKind kind)
{
  switch (kind) {
  case HY_ITEM_U8:
    return 1;
  case HY_ITEM_I32:
  case HY_ITEM_U32:
    return 4;
  case HY_ITEM_VALUE:
    return sizeof(HyValue);
  case HY_ITEM_TEXT:
    return sizeof(char *);
  default:
    return 8;
  }
}

static void tape_copy(HyTape *tape, HyItemKind kind, void *data, gsize n)
{
  if (!tape_has(tape, data) && kind != HY_ITEM_TEXT) {
    tape_raw(tape, data, n * tape_size(kind));
  }
  for (gsize k = 0; kind == HY_ITEM_VALUE && k < n; k++) {
    tape_payload(tape, (HyValue *)data + k);
  }
  for (gsize k = 0; kind == HY_ITEM_TEXT && k < n; k++) {
    tape_text(tape, (char **)data + k);
  }
}

/* Both ----------------------------------------------------------------------------------------- */

/* s->queue.n -> n, but v[0.5] stays as it is. */
static const char *tape_name(const char *text)
{
  const char *name = text;
  for (const char *c = text; *c != '\0' && *c != '['; c++) {
    if (*c == '.' || *c == '>' || *c == '*' || *c == '&' || *c == '(') {
      name = c + 1;
    }
  }
  return name;
}

void hy_tape_item(HyTape *tape, HyItemKind kind, const char *text, void *data, gsize n)
{
  g_return_if_fail(tape != NULL && text != NULL && (data != NULL || n == 0));
  if (tape->file == NULL) {
    tape_copy(tape, kind, data, n);
  } else if (tape->refused == NULL) {
    tape->file->item(tape->file, tape, tape_name(text), kind, data, n);
  }
}

void hy_tape_own(HyTape *tape, HyItemKind kind, const char *text, void *pointer, gsize n)
{
  g_return_if_fail(tape != NULL && text != NULL && pointer != NULL);
  gpointer *p = pointer;
  if (tape->pass == HY_TAPE_DROP) {
    g_ptr_array_add(tape->dropped, *p); /* values in it have their turn first */
  } else if (tape->pass == HY_TAPE_LOAD) {
    *p = n > 0 ? g_malloc0_n(n, tape_size(kind)) : NULL;
  }
  hy_tape_item(tape, kind, text, *p, n);
}

gsize hy_tape_count(HyTape *tape, const char *text, gsize n, gsize most)
{
  g_return_val_if_fail(tape != NULL && text != NULL, 0);
  guint64 count = n;
  hy_tape_item(tape, HY_ITEM_U64, text, &count, 1);
  if (tape->file == NULL || tape->pass != HY_TAPE_LOAD || tape->refused != NULL) {
    return count;
  }
  if (count > most || count > tape->file->left) {
    hy_tape_refuse(tape, "%s is %" G_GUINT64_FORMAT ", which is more than there can be",
                   tape_name(text), count);
    return n;
  }
  return count;
}

void hy_tape_whole(HyTape *tape, void *data, gsize size)
{
  if (tape->file == NULL) {
    tape_raw(tape, data, size);
    tape->copied = data;
    tape->copied_size = size;
  }
}

void hy_tape_array(HyTape *tape, const char *name, GArray *array)
{
  guint n = (guint)hy_tape_count(tape, name, array->len, G_MAXUINT);
  if (tape->pass == HY_TAPE_LOAD) {
    g_array_set_size(array, n);
    if (tape->file != NULL && n > 0) {
      memset(array->data, 0, (gsize)n * g_array_get_element_size(array));
    }
  }
  if (tape->file == NULL) {
    tape_raw(tape, array->data, (gsize)n * g_array_get_element_size(array));
  }
}

void hy_tape_numbers(HyTape *tape, HyItemKind kind, const char *name, GArray *array)
{
  hy_tape_array(tape, name, array);
  if (tape->file != NULL) {
    hy_tape_item(tape, kind, name, array->data, array->len);
  }
}

/* What is in memory alone ---------------------------------------------------------------------- */

static gboolean tape_is_raw(HyTape *tape)
{
  if (tape->file != NULL) {
    hy_tape_refuse(tape, "it does not name what it remembers, so no file can hold it");
  }
  return tape->file == NULL;
}

void hy_tape_bytes(HyTape *tape, void *data, gsize size)
{
  g_return_if_fail(tape != NULL && (data != NULL || size == 0));
  if (tape_is_raw(tape)) {
    tape_raw(tape, data, size);
  }
}

void hy_tape_memory(HyTape *tape, void *pointer, gsize size)
{
  g_return_if_fail(tape != NULL && pointer != NULL);
  gpointer *p = pointer;
  if (!tape_is_raw(tape)) {
    return;
  }
  if (tape->pass == HY_TAPE_DROP) {
    g_ptr_array_add(tape->dropped, *p); /* values in it have their turn yet */
    return;
  }
  if (tape->pass == HY_TAPE_LOAD) {
    *p = size > 0 ? g_malloc(size) : NULL;
  }
  tape_raw(tape, *p, size);
}

void hy_tape_value(HyTape *tape, HyValue *value)
{
  g_return_if_fail(tape != NULL && value != NULL);
  if (tape_is_raw(tape)) {
    tape_payload(tape, value);
  }
}
