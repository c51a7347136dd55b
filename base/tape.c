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
  g_free(tape->refused);
}

void hy_tape_begin(HyTape *tape, HyTapePass pass)
{
  tape->pass = pass;
  tape->at = 0;
  g_ptr_array_set_size(tape->dropped, 0);
}

void hy_tape_refuse(HyTape *tape, const char *format, ...)
{
  if (tape->refused == NULL) {
    va_list args;
    va_start(args, format);
    tape->refused = g_strdup_vprintf(format, args);
    va_end(args);
  }
}

void hy_tape_bytes(HyTape *tape, void *data, gsize size)
{
  g_return_if_fail(tape != NULL && (data != NULL || size == 0));
  if (tape->pass == HY_TAPE_SAVE) {
    g_byte_array_append(tape->bytes, data, (guint)size);
  } else if (tape->pass == HY_TAPE_LOAD && size > 0) {
    g_assert(tape->at + size <= tape->bytes->len);
    memcpy(data, tape->bytes->data + tape->at, size);
    tape->at += size;
  }
}

void hy_tape_memory(HyTape *tape, void *pointer, gsize size)
{
  g_return_if_fail(tape != NULL && pointer != NULL);
  gpointer *p = pointer;
  if (tape->pass == HY_TAPE_DROP) {
    g_ptr_array_add(tape->dropped, *p); /* values in it have their turn yet */
    return;
  }
  if (tape->pass == HY_TAPE_LOAD) {
    *p = size > 0 ? g_malloc(size) : NULL;
  }
  hy_tape_bytes(tape, *p, size);
}

void hy_tape_value(HyTape *tape, HyValue *value)
{
  g_return_if_fail(tape != NULL && value != NULL);
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

void hy_tape_array(HyTape *tape, GArray *array)
{
  guint n = array->len;
  hy_tape_bytes(tape, &n, sizeof n);
  if (tape->pass == HY_TAPE_LOAD) {
    g_array_set_size(array, n);
  }
  hy_tape_bytes(tape, array->data, (gsize)n * g_array_get_element_size(array));
}

void hy_tape_text(HyTape *tape, char **text)
{
  gsize size = tape->pass == HY_TAPE_SAVE && *text != NULL ? strlen(*text) + 1 : 0;
  hy_tape_bytes(tape, &size, sizeof size);
  hy_tape_memory(tape, text, size);
}
