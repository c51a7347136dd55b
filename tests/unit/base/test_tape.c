/* One walk for copies in memory and for files: what is named comes back, in files by name and type;
 * what is not is refused there; and whatever cannot be read leaves lengths and memory as they fit
 * each other. */
#include "base/tape.h"

#include <string.h>
#include <unity.h>

/* A state as classes have it: in one piece, with memory of its own. */
typedef struct {
  double x, c[3];
  gint on;
  guint32 n;
  guint8 flag[2];
  gint64 back;
  guint64 far;
  char *text;
  HyValue value;
  HyValue *queue; /* [length] */
  gsize length;
  double *fixed; /* [2], made by init */
} State;

static double room[2];

static void state_tape(State *s, HyTape *tape)
{
  HY_TAPE(tape, s->x);
  HY_TAPE_ARRAY(tape, s->c, 3);
  HY_TAPE(tape, s->on);
  HY_TAPE(tape, s->n);
  HY_TAPE_ARRAY(tape, s->flag, 2);
  HY_TAPE(tape, s->back);
  HY_TAPE(tape, s->far);
  HY_TAPE(tape, s->text);
  HY_TAPE(tape, s->value);
  HY_TAPE_ARRAY(tape, s->fixed, 2);
  s->length = hy_tape_count(tape, "s->queue", s->length, 8);
  HY_TAPE_MEMORY(tape, s->queue, s->length);
}

static HyValue text_value(const char *text)
{
  return (HyValue){.c = {1, 2, 3, 4}, .payload = g_variant_ref_sink(g_variant_new_string(text))};
}

static State state_new(guint length)
{
  State s = {.x = 1.5,
             .c = {-0.0, INFINITY, 3},
             .on = -7,
             .n = 4000000000U,
             .flag = {1, 255},
             .back = G_MININT64,
             .far = G_MAXUINT64,
             .text = g_strdup("why"),
             .value = text_value("payload"),
             .queue = g_new0(HyValue, length),
             .length = length,
             .fixed = room};
  room[0] = 10;
  room[1] = 11;
  for (guint k = 0; k < length; k++) {
    s.queue[k] = text_value(k == 0 ? "first" : "other");
  }
  return s;
}

static void state_clear(State *s)
{
  g_free(s->text);
  g_clear_pointer(&s->value.payload, g_variant_unref);
  for (gsize k = 0; k < s->length; k++) {
    g_clear_pointer(&s->queue[k].payload, g_variant_unref);
  }
  g_free(s->queue);
}

static void state_spoil(State *s)
{
  state_clear(s);
  *s = (State){.queue = g_new0(HyValue, 3), .length = 3, .fixed = room, .text = g_strdup("else")};
  s->queue[1] = text_value("foreign");
  room[0] = room[1] = 0;
}

static void check_state(const State *s)
{
  TEST_ASSERT_EQUAL_DOUBLE(1.5, s->x);
  TEST_ASSERT_TRUE(signbit(s->c[0]) && s->c[1] == INFINITY && s->c[2] == 3);
  TEST_ASSERT_EQUAL_INT(-7, s->on);
  TEST_ASSERT_EQUAL_UINT(4000000000U, s->n);
  TEST_ASSERT_TRUE(s->flag[0] == 1 && s->flag[1] == 255);
  TEST_ASSERT_TRUE(s->back == G_MININT64 && s->far == G_MAXUINT64);
  TEST_ASSERT_EQUAL_STRING("why", s->text);
  TEST_ASSERT_EQUAL_STRING("payload", g_variant_get_string(s->value.payload, NULL));
  TEST_ASSERT_TRUE(room[0] == 10 && room[1] == 11);
  TEST_ASSERT_EQUAL_UINT(2, s->length);
  TEST_ASSERT_EQUAL_STRING("first", g_variant_get_string(s->queue[0].payload, NULL));
  TEST_ASSERT_EQUAL_STRING("other", g_variant_get_string(s->queue[1].payload, NULL));
}

/* In memory, as the simulation has it: the struct as it lies, then what it points to. */
static void memory_pass(State *s, HyTape *tape, HyTapePass pass)
{
  hy_tape_begin(tape, pass);
  hy_tape_whole(tape, s, sizeof *s);
  state_tape(s, tape);
}

static void test_a_copy_in_memory_comes_back(void)
{
  HyTape tape;
  State s = state_new(2);
  hy_tape_init(&tape);
  memory_pass(&s, &tape, HY_TAPE_SAVE);
  gsize fields = sizeof room + 3 * sizeof(gsize) + 2 * sizeof(HyValue);
  TEST_ASSERT_LESS_OR_EQUAL_UINT(sizeof s + fields, tape.bytes->len); /* nothing twice */
  for (guint lap = 0; lap < 2; lap++) {
    state_spoil(&s);
    memory_pass(&s, &tape, HY_TAPE_DROP);
    memory_pass(&s, &tape, HY_TAPE_LOAD);
    check_state(&s);
  }
  TEST_ASSERT_EQUAL_UINT(tape.bytes->len, tape.at);
  hy_tape_clear(&tape);
  state_clear(&s);
}

/* A file of items as text and bytes, for this test. */
typedef struct {
  HyTapeFile file;
  GString *names; /* as they came, with kinds and numbers */
  GPtrArray *items;
  guint at;
  gint fails; /* the item that cannot be read; -1: all can */
} File;

static gsize size_of(HyItemKind kind)
{
  static const gsize size[] = {8, 4, 4, 8, 8, 1, sizeof(char *), sizeof(HyValue)};
  return size[kind];
}

static void file_section(HyTapeFile *f, HyTape *tape, const char *name)
{
  (void)tape;
  g_string_append_printf(((File *)f)->names, "[%s]", name);
}

static void file_item(HyTapeFile *f, HyTape *tape, const char *name, HyItemKind kind, gpointer data,
                      gsize n)
{
  File *file = (File *)f;
  g_string_append_printf(file->names, "%s:%d*%d ", name, (int)kind, (int)n);
  if (tape->pass == HY_TAPE_SAVE) {
    GByteArray *bytes = g_byte_array_new();
    g_byte_array_append(bytes, n > 0 ? data : (gpointer) "", (guint)(n * size_of(kind)));
    g_ptr_array_add(file->items, bytes);
    return;
  }
  const GByteArray *bytes = g_ptr_array_index(file->items, file->at);
  if ((gint)file->at++ == file->fails || bytes->len != n * size_of(kind)) {
    hy_tape_refuse(tape, "%s does not fit", name);
    return;
  }
  if (n > 0) {
    memcpy(data, bytes->data, bytes->len);
  }
  for (gsize k = 0; k < n && kind == HY_ITEM_TEXT; k++) {
    ((char **)data)[k] = g_strdup(((char **)data)[k]);
  }
  for (gsize k = 0; k < n && kind == HY_ITEM_VALUE; k++) {
    HyValue *v = (HyValue *)data + k;
    v->payload = v->payload != NULL ? g_variant_ref(v->payload) : NULL;
  }
}

static void file_init(File *f, HyTape *tape)
{
  *f = (File){.file = {.section = file_section, .item = file_item, .left = 1000},
              .names = g_string_new(""),
              .items = g_ptr_array_new_with_free_func((GDestroyNotify)g_byte_array_unref),
              .fails = -1};
  hy_tape_init(tape);
  tape->file = &f->file;
}

static void file_clear(File *f, HyTape *tape)
{
  g_string_free(f->names, TRUE);
  g_ptr_array_unref(f->items);
  hy_tape_clear(tape);
}

static void file_pass(State *s, HyTape *tape, HyTapePass pass)
{
  hy_tape_begin(tape, pass);
  hy_tape_section(tape, "block a.b");
  hy_tape_whole(tape, s, sizeof *s);
  state_tape(s, tape);
}

static void drop(State *s, HyTape *memory)
{
  memory_pass(s, memory, HY_TAPE_SAVE);
  memory_pass(s, memory, HY_TAPE_DROP);
}

static void test_a_file_has_items_by_name_and_type(void)
{
  File f;
  HyTape tape, memory;
  State s = state_new(2), as_it_was;
  file_init(&f, &tape);
  file_pass(&s, &tape, HY_TAPE_SAVE);
  TEST_ASSERT_EQUAL_STRING("[block a.b]x:0*1 c:0*3 on:1*1 n:2*1 flag:5*2 back:3*1 far:4*1 text:6*1 "
                           "value:7*1 fixed:0*2 queue:4*1 queue:7*2 ",
                           f.names->str);
  TEST_ASSERT_EQUAL_UINT(0, tape.bytes->len);
  as_it_was = s;
  s = state_new(1);
  hy_tape_init(&memory);
  drop(&s, &memory);
  s.x = 0;
  s.back = 0;
  file_pass(&s, &tape, HY_TAPE_LOAD);
  TEST_ASSERT_NULL(tape.refused);
  check_state(&s);
  hy_tape_clear(&memory);
  file_clear(&f, &tape);
  state_clear(&s);
  state_clear(&as_it_was);
}

/* Whichever item fails: the first failure is told, with its section, and the state can be put back
 * from memory. */
static void test_what_cannot_be_read_leaves_all_as_it_was(void)
{
  for (gint k = 0; k < 12; k++) {
    File f;
    HyTape tape, memory;
    State s = state_new(5);
    file_init(&f, &tape);
    file_pass(&s, &tape, HY_TAPE_SAVE);
    State other = s;
    s = state_new(2);
    hy_tape_init(&memory);
    drop(&s, &memory);
    f.fails = k;
    file_pass(&s, &tape, HY_TAPE_LOAD);
    TEST_ASSERT_NOT_NULL(tape.refused);
    TEST_ASSERT_TRUE(g_str_has_prefix(tape.refused, "block a.b: "));
    TEST_ASSERT_TRUE(g_str_has_suffix(tape.refused, " does not fit"));
    TEST_ASSERT_EQUAL_INT(k + 1, f.at);
    memory_pass(&s, &memory, HY_TAPE_DROP);
    memory_pass(&s, &memory, HY_TAPE_LOAD);
    check_state(&s);
    hy_tape_clear(&memory);
    file_clear(&f, &tape);
    state_clear(&s);
    state_clear(&other);
  }
}

static void test_a_length_is_no_more_than_there_can_be(void)
{
  File f;
  HyTape tape;
  file_init(&f, &tape);
  hy_tape_begin(&tape, HY_TAPE_SAVE);
  TEST_ASSERT_EQUAL_UINT(9, hy_tape_count(&tape, "n", 9, 9));
  hy_tape_begin(&tape, HY_TAPE_LOAD);
  TEST_ASSERT_EQUAL_UINT(2, hy_tape_count(&tape, "n", 2, 8));
  TEST_ASSERT_EQUAL_STRING("n is 9, which is more than there can be", tape.refused);
  g_clear_pointer(&tape.refused, g_free);
  f.at = 0;
  f.file.left = 8;
  TEST_ASSERT_EQUAL_UINT(2, hy_tape_count(&tape, "n", 2, 100));
  g_clear_pointer(&tape.refused, g_free);
  f.at = 0;
  f.file.left = 9;
  TEST_ASSERT_EQUAL_UINT(9, hy_tape_count(&tape, "n", 2, 100));
  file_clear(&f, &tape);
}

static void test_bytes_without_names_are_for_memory_alone(void)
{
  File f;
  HyTape tape;
  State s = state_new(0);
  for (guint k = 0; k < 3; k++) {
    file_init(&f, &tape);
    hy_tape_begin(&tape, HY_TAPE_SAVE);
    hy_tape_section(&tape, "block pump (mine)");
    if (k == 0) {
      hy_tape_bytes(&tape, &s.x, sizeof s.x);
    } else if (k == 1) {
      hy_tape_memory(&tape, &s.text, 4);
    } else {
      hy_tape_value(&tape, &s.value);
    }
    TEST_ASSERT_EQUAL_STRING(
        "block pump (mine): it does not name what it remembers, so no file can "
        "hold it",
        tape.refused);
    TEST_ASSERT_EQUAL_UINT(0, tape.payloads->len);
    file_clear(&f, &tape);
  }
  state_clear(&s);
}

static void test_lists_in_memory_and_in_files(void)
{
  guint32 number[] = {3, 1, 4};
  GArray *list = g_array_new(FALSE, FALSE, sizeof(guint32));
  for (guint in_file = 0; in_file < 2; in_file++) {
    File f;
    HyTape tape;
    file_init(&f, &tape);
    tape.file = in_file ? &f.file : NULL;
    g_array_set_size(list, 0);
    g_array_append_vals(list, number, 3);
    hy_tape_begin(&tape, HY_TAPE_SAVE);
    hy_tape_numbers(&tape, HY_ITEM_U32, "list", list);
    g_array_set_size(list, 1);
    hy_tape_begin(&tape, HY_TAPE_LOAD);
    hy_tape_numbers(&tape, HY_ITEM_U32, "list", list);
    TEST_ASSERT_EQUAL_UINT(3, list->len);
    TEST_ASSERT_EQUAL_MEMORY(number, list->data, sizeof number);
    file_clear(&f, &tape);
  }
  g_array_unref(list);
}

void setUp(void)
{
}

void tearDown(void)
{
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_copy_in_memory_comes_back);
  RUN_TEST(test_a_file_has_items_by_name_and_type);
  RUN_TEST(test_what_cannot_be_read_leaves_all_as_it_was);
  RUN_TEST(test_a_length_is_no_more_than_there_can_be);
  RUN_TEST(test_bytes_without_names_are_for_memory_alone);
  RUN_TEST(test_lists_in_memory_and_in_files);
  return UNITY_END();
}
