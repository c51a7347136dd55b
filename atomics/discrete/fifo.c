#include "discrete/fifo.h"
#include "hydevs/trace.h"
#include "value.h"

#include <string.h>

static HyFifoItem *fifo_item(const HyFifo *f, gsize i)
{
  return &f->item[(f->head + i) & (f->room - 1)];
}

/* The part that had wrapped around moves behind the old end. */
static void fifo_grow(HyFifo *f)
{
  gsize room = f->room > 0 ? 2 * f->room : 4;
  f->item = g_renew(HyFifoItem, f->item, room);
  for (gsize i = 0; i < f->head; i++) {
    f->item[f->room + i] = f->item[i];
  }
  f->room = room;
}

void hy_fifo_push(HyFifo *f, double at, const HyValue *value)
{
  if (f->n == f->room) {
    fifo_grow(f);
  }
  f->n++;
  *fifo_item(f, f->n - 1) = (HyFifoItem){.at = at, .value = hy_value_keep(value)};
}

const HyFifoItem *hy_fifo_head(const HyFifo *f)
{
  return f->n > 0 ? fifo_item(f, 0) : NULL;
}

void hy_fifo_pop(HyFifo *f)
{
  g_return_if_fail(f->n > 0);
  hy_value_drop(&fifo_item(f, 0)->value);
  f->head = (f->head + 1) & (f->room - 1);
  f->n--;
}

void hy_fifo_clear(HyFifo *f)
{
  while (f->n > 0) {
    hy_fifo_pop(f);
  }
  g_clear_pointer(&f->item, g_free);
  f->head = f->room = 0;
}

/* N empty ones, in an empty ring. */
static void fifo_make(HyFifo *f, gsize n)
{
  while (f->room < n) {
    fifo_grow(f);
  }
  if (n > 0) {
    memset(f->item, 0, f->room * sizeof *f->item);
  }
  f->n = n;
}

/* In a file where the ring begins, and how much room it has, is nobody's matter. */
void hy_fifo_tape(HyFifo *f, HyTape *tape)
{
  gsize n = hy_tape_count(tape, "n", f->n, G_MAXUINT);
  if (!hy_tape_files(tape)) {
    hy_tape_memory(tape, &f->item, f->room * sizeof *f->item);
    for (gsize i = 0; i < n; i++) {
      hy_tape_value(tape, &fifo_item(f, i)->value);
    }
    return;
  }
  if (hy_tape_loads(tape)) {
    *f = (HyFifo){.item = NULL};
    fifo_make(f, n);
  }
  for (gsize i = 0; i < n; i++) {
    HY_TAPE(tape, fifo_item(f, i)->at);
    HY_TAPE(tape, fifo_item(f, i)->value);
  }
}

void hy_fifo_print(const HyFifo *f, gboolean instants, GString *out)
{
  g_string_append_c(out, '[');
  for (gsize i = 0; i < MIN(f->n, HY_PRINT_MAX); i++) {
    if (i > 0) {
      g_string_append_c(out, instants ? ' ' : ',');
    }
    hy_value_text(out, &fifo_item(f, i)->value);
    if (instants) {
      char at[HY_DOUBLE_SIZE];
      g_string_append_printf(out, "@%s", hy_double_text(at, fifo_item(f, i)->at));
    }
  }
  if (f->n > HY_PRINT_MAX) {
    g_string_append_printf(out, " ... %" G_GSIZE_FORMAT " in all", f->n);
  }
  g_string_append_c(out, ']');
}
