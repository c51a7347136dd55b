/* Sink: the end of the line; remembers what came and when. */
#include "atomics.h"
#include "discrete/fifo.h"
#include "hydevs/trace.h"

typedef struct {
  guint64 n;     /* events */
  GString *text; /* of the first HY_PRINT_MAX: "in:1@0.5 in:2@1" */
} Sink;

static gboolean sink_init(void *state, double t, const HySetup *setup, GError **error)
{
  (void)t, (void)setup, (void)error;
  Sink *s = state;
  s->n = 0;
  s->text = g_string_new(NULL);
  return TRUE;
}

static double sink_ta(const void *state)
{
  (void)state;
  return INFINITY;
}

static void sink_dext(void *state, double t, double e, const HyEvent *x)
{
  (void)e;
  Sink *s = state;
  if (++s->n > HY_PRINT_MAX) {
    return;
  }
  char at[HY_DOUBLE_SIZE];
  g_string_append(s->text, s->n == 1 ? "in:" : " in:");
  hy_value_text(s->text, &x->value);
  g_string_append_printf(s->text, "@%s", hy_double_text(at, t));
}

static void sink_clear(void *state)
{
  Sink *s = state;
  if (s->text != NULL) {
    g_string_free(s->text, TRUE);
    s->text = NULL;
  }
}

static void sink_tape(void *state, HyTape *tape)
{
  Sink *s = state;
  HY_TAPE(tape, s->n);
  gsize n = hy_tape_count(tape, "length", s->text->len, G_MAXUINT);
  if (hy_tape_loads(tape)) {
    g_string_set_size(s->text, n);
  }
  hy_tape_item(tape, HY_ITEM_U8, "text", s->text->str, n);
}

static void sink_print(const void *state, GString *out)
{
  const Sink *s = state;
  g_string_append_printf(out, "{%s", s->text->str);
  if (s->n > HY_PRINT_MAX) {
    g_string_append_printf(out, " ... %" G_GUINT64_FORMAT " in all", s->n);
  }
  g_string_append_c(out, '}');
}

static const HyPort sink_in[] = {
    {.name = "in", .kind = HY_EVENT, .doc = "anything"},
    {.name = NULL},
};
const HyAtomicClass hy_sink_class = {
    .name = "sink",
    .doc = "remembers what arrives and when: each of the first 1000 events, then their number",
    .palette = "Discrete events",
    .example = "<sink name=\"K\" in=\"Q\"/>",
    .in = sink_in,
    .state_size = sizeof(Sink),
    .init = sink_init,
    .ta = sink_ta,
    .dext = sink_dext,
    .clear = sink_clear,
    .tape = sink_tape,
    .print = sink_print,
};
