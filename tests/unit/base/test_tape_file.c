/* The items of a tape as bytes: what is written is read, bit for bit; the same items are the same
 * bytes; what has come before is short; what makes no sense is refused, and nothing is read of it.
 */
#include "base/tape_file.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* One of each kind. */
typedef struct {
  double x[5];
  gint whole;
  guint count;
  gint64 large;
  guint64 larger;
  guint8 flag[11];
  char *text[3];
  HyValue value[2];
} Sample;

static void sample_make(Sample *s, guint seed)
{
  static const double odd[] = {0.0,  -0.0, INFINITY, -INFINITY, 5e-324, 0.1,
                               0.25, -1.0, 1e300,    M_PI,      1e-3,   123456789.0};
  g_autoptr(GRand) r = g_rand_new_with_seed(seed);
  *s = (Sample){.whole = g_rand_int_range(r, G_MININT, G_MAXINT),
                .count = g_rand_int(r),
                .large = seed % 2 == 0 ? G_MININT64 : G_MAXINT64,
                .larger = seed % 3 == 0 ? G_MAXUINT64 : seed};
  for (guint k = 0; k < 5; k++) {
    s->x[k] = g_rand_boolean(r) ? odd[g_rand_int_range(r, 0, G_N_ELEMENTS(odd))]
                                : g_rand_double_range(r, -1e9, 1e9);
  }
  for (guint k = 0; k < 11; k++) {
    s->flag[k] = (guint8)g_rand_int(r);
  }
  s->text[0] = g_strdup("");
  s->text[1] = seed % 2 == 0 ? NULL : g_strdup("gr\xc3\xbc\xc3\x9f");
  s->text[2] = g_strdup_printf("%u", seed);
  s->value[0] = (HyValue){.c = {s->x[0], 1, s->x[1], 0}};
  s->value[1].payload =
      g_variant_ref_sink(g_variant_new("(sau)", "job", NULL)); /* alignment, an empty array */
}

static void sample_clear(Sample *s)
{
  for (guint k = 0; k < 3; k++) {
    g_free(s->text[k]);
  }
  for (guint k = 0; k < 2; k++) {
    g_clear_pointer(&s->value[k].payload, g_variant_unref);
  }
  memset(s, 0, sizeof *s);
}

static void sample_tape(Sample *s, HyTape *tape)
{
  HY_TAPE_ARRAY(tape, s->x, 5);
  HY_TAPE(tape, s->whole);
  HY_TAPE(tape, s->count);
  HY_TAPE(tape, s->large);
  HY_TAPE(tape, s->larger);
  HY_TAPE_ARRAY(tape, s->flag, 11);
  HY_TAPE_ARRAY(tape, s->text, 3);
  HY_TAPE_ARRAY(tape, s->value, 2);
}

#define N 40

/* All of them, as blocks of two folders and one room. */
static void walk(Sample *all, HyTape *tape)
{
  for (guint k = 0; k < N; k++) {
    g_autofree char *name = g_strdup_printf("block %s/b%u", k % 7 == 0 ? "a" : "a longer one", k);
    hy_tape_section(tape, name);
    sample_tape(&all[k], tape);
  }
  hy_tape_section(tape, "room");
  HY_TAPE(tape, all[0].count);
}

static HyTapeWriter *write_all(Sample *all)
{
  HyTapeWriter *w = hy_tape_writer_new();
  HyTape tape;
  hy_tape_init(&tape);
  hy_tape_begin(&tape, HY_TAPE_SAVE);
  tape.file = hy_tape_writer_file(w);
  walk(all, &tape);
  TEST_ASSERT_NULL(tape.refused);
  hy_tape_clear(&tape);
  return w;
}

static HyTapeReader *read_parts(const GArray *parts, char **why)
{
  g_autoptr(HyTapeReader) r = hy_tape_reader_new();
  for (guint k = 0; k < parts->len; k++) {
    const HyTapePart *p = &g_array_index(parts, HyTapePart, k);
    if (!hy_tape_reader_take(r, p->name, p->bytes->data, p->bytes->len, why)) {
      return NULL;
    }
  }
  return g_steal_pointer(&r);
}

/* Newly allocated: why not; NULL: it could be. */
static char *load_all(HyTapeReader *r, Sample *all)
{
  HyTape tape;
  hy_tape_init(&tape);
  hy_tape_begin(&tape, HY_TAPE_LOAD);
  tape.file = hy_tape_reader_file(r);
  walk(all, &tape);
  hy_tape_reader_end(r, &tape);
  char *why = g_strdup(tape.refused);
  hy_tape_clear(&tape);
  return why;
}

static void check_same_bytes(const GArray *a, const GArray *b)
{
  TEST_ASSERT_EQUAL_UINT(a->len, b->len);
  for (guint k = 0; k < a->len; k++) {
    const HyTapePart *p = &g_array_index(a, HyTapePart, k), *q = &g_array_index(b, HyTapePart, k);
    TEST_ASSERT_EQUAL_STRING(p->name, q->name);
    TEST_ASSERT_EQUAL_UINT(p->bytes->len, q->bytes->len);
    TEST_ASSERT_EQUAL_MEMORY(p->bytes->data, q->bytes->data, p->bytes->len);
  }
}

static void samples_make(Sample *all, guint seed)
{
  for (guint k = 0; k < N; k++) {
    sample_make(&all[k], seed + k);
  }
}

static void samples_clear(Sample *all)
{
  for (guint k = 0; k < N; k++) {
    sample_clear(&all[k]);
  }
}

static void test_what_is_written_is_read(void)
{
  Sample all[N], back[N] = {0};
  char *why = NULL;
  samples_make(all, 1);
  g_autoptr(HyTapeWriter) w = write_all(all);
  const GArray *parts = hy_tape_writer_end(w);
  TEST_ASSERT_EQUAL_UINT(3, parts->len); /* names, blocks, the room */
  g_autoptr(HyTapeReader) r = read_parts(parts, &why);
  TEST_ASSERT_NULL(why);
  TEST_ASSERT_NULL(load_all(r, back));
  for (guint k = 0; k < N; k++) {
    TEST_ASSERT_EQUAL_MEMORY(all[k].x, back[k].x, sizeof all[k].x);
    TEST_ASSERT_EQUAL_INT(all[k].whole, back[k].whole);
    TEST_ASSERT_EQUAL_UINT(all[k].count, back[k].count);
    TEST_ASSERT_EQUAL_INT64(all[k].large, back[k].large);
    TEST_ASSERT_EQUAL_UINT64(all[k].larger, back[k].larger);
    TEST_ASSERT_EQUAL_MEMORY(all[k].flag, back[k].flag, sizeof all[k].flag);
    TEST_ASSERT_EQUAL_STRING("", back[k].text[0]);
    TEST_ASSERT_TRUE(g_strcmp0(all[k].text[1], back[k].text[1]) == 0);
    TEST_ASSERT_EQUAL_STRING(all[k].text[2], back[k].text[2]);
    TEST_ASSERT_NULL(back[k].value[0].payload);
    TEST_ASSERT_TRUE(g_variant_equal(all[k].value[1].payload, back[k].value[1].payload));
  }
  g_autoptr(HyTapeWriter) again = write_all(back);
  check_same_bytes(parts, hy_tape_writer_end(again));
  samples_clear(all);
  samples_clear(back);
}

/* A thousand equal states have their names once, and their numbers are a byte each. */
static void test_what_has_come_before_is_short(void)
{
  Sample s;
  sample_make(&s, 7);
  gsize size[2];
  for (guint k = 0; k < 2; k++) {
    g_autoptr(HyTapeWriter) w = hy_tape_writer_new();
    HyTape tape;
    hy_tape_init(&tape);
    hy_tape_begin(&tape, HY_TAPE_SAVE);
    tape.file = hy_tape_writer_file(w);
    for (guint i = 0; i < (k == 0 ? 1 : 1001); i++) {
      hy_tape_section(&tape, "block b");
      HY_TAPE_ARRAY(&tape, s.x, 5);
      HY_TAPE(&tape, s.value[0]);
    }
    const GArray *parts = hy_tape_writer_end(w);
    size[k] = g_array_index(parts, HyTapePart, 1).bytes->len;
    hy_tape_clear(&tape);
  }
  TEST_ASSERT_EQUAL_UINT(1000 * (3 + 5 + 4 + 1), size[1] - size[0]); /* shape, name; no payload */
  sample_clear(&s);
}

/* Whatever stands in the bytes: refused, or read to the end; under the sanitizers. */
static void test_bytes_that_make_no_sense_are_refused(void)
{
  Sample all[N], back[N] = {0};
  samples_make(all, 3);
  g_autoptr(HyTapeWriter) w = write_all(all);
  const GArray *parts = hy_tape_writer_end(w);
  g_autoptr(GRand) rand = g_rand_new_with_seed(5);
  guint refused = 0, misfits = 0;
  for (guint k = 0; k < 2000; k++) {
    GByteArray *bytes = g_array_index(parts, HyTapePart, k % 3).bytes;
    guint at = (guint)g_rand_int_range(rand, 0, (gint)bytes->len);
    guint8 was = bytes->data[at];
    guint length = bytes->len;
    bytes->data[at] = (guint8)g_rand_int(rand);
    bytes->len = k % 5 == 0 ? at : length;
    g_autofree char *why = NULL;
    g_autoptr(HyTapeReader) r = read_parts(parts, &why);
    g_autofree char *misfit = r != NULL ? load_all(r, back) : NULL;
    refused += r == NULL;
    misfits += misfit != NULL;
    TEST_ASSERT_TRUE(r != NULL || g_str_has_prefix(why, "its part \""));
    samples_clear(back);
    bytes->data[at] = was;
    bytes->len = length;
  }
  TEST_ASSERT_GREATER_THAN_UINT(400, refused);
  TEST_ASSERT_GREATER_THAN_UINT(10, misfits);
  samples_clear(all);
}

/* What asks for something else than was written is told what there is. */
static void test_who_asks_for_something_else_is_told(void)
{
  Sample all[N], back[N] = {0};
  char *none = NULL;
  samples_make(all, 9);
  g_autoptr(HyTapeWriter) w = write_all(all);
  g_autoptr(HyTapeReader) r = read_parts(hy_tape_writer_end(w), &none);
  static const char *const expected[] = {
      "block b: the file has block a/b0 in its place",
      "block a/b0: the file has \"x\" in place of its \"whole\"",
      "block a/b0: \"x\" is of another kind or length in the file",
      "room: the file has block a longer one/b1 in its place",
      "block a/b0: the file has \"whole\", which is not known here",
      "block a/b0: the file also has block a longer one/b1"};
  Sample *b = &back[0];
  for (guint k = 0; k < G_N_ELEMENTS(expected); k++) {
    HyTape tape;
    hy_tape_init(&tape);
    hy_tape_begin(&tape, HY_TAPE_LOAD);
    tape.file = hy_tape_reader_file(r);
    hy_tape_section(&tape, k == 0 ? "block b" : "block a/b0");
    if (k == 1) {
      HY_TAPE(&tape, b->whole);
    } else if (k == 2) {
      HY_TAPE_ARRAY(&tape, b->x, 4);
    } else if (k == 4) {
      HY_TAPE_ARRAY(&tape, b->x, 5);
    } else {
      sample_tape(b, &tape);
    }
    if (k == 3) {
      hy_tape_section(&tape, "room");
    }
    hy_tape_reader_end(r, &tape);
    TEST_ASSERT_EQUAL_STRING(expected[k], tape.refused);
    hy_tape_clear(&tape);
    samples_clear(back);
  }
  samples_clear(all);
}

static void test_two_of_them_are_compared(void)
{
  Sample all[N];
  char *none = NULL;
  samples_make(all, 11);
  g_autoptr(HyTapeWriter) w = write_all(all);
  g_autoptr(HyTapeReader) r = read_parts(hy_tape_writer_end(w), &none);
  all[3].x[2] = 17.5;
  g_autoptr(HyTapeWriter) changed = write_all(all);
  g_autoptr(HyTapeReader) other = read_parts(hy_tape_writer_end(changed), &none);
  guint differing = 0;
  for (guint k = 0; k < hy_tape_reader_n(r); k++) {
    for (guint i = 0; i < hy_tape_reader_n_items(r, k); i++) {
      gboolean same = hy_tape_reader_equal(r, k, i, other, k, i);
      differing += !same;
      if (!same) {
        g_autoptr(GString) text = g_string_new(NULL);
        hy_tape_reader_print(other, k, i, text);
        TEST_ASSERT_EQUAL_STRING("block a longer one/b3", hy_tape_reader_name(r, k));
        TEST_ASSERT_EQUAL_STRING("x", hy_tape_reader_item(r, k, i));
        TEST_ASSERT_NOT_NULL(strstr(text->str, " 17.5 "));
      }
    }
  }
  TEST_ASSERT_EQUAL_UINT(1, differing);
  samples_clear(all);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_is_written_is_read);
  RUN_TEST(test_what_has_come_before_is_short);
  RUN_TEST(test_bytes_that_make_no_sense_are_refused);
  RUN_TEST(test_who_asks_for_something_else_is_told);
  RUN_TEST(test_two_of_them_are_compared);
  return UNITY_END();
}
