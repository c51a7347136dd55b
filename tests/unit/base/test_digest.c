/* SHA-256, against the examples of its standard and against GLib's. */
#include "base/digest.h"
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static char *digest(const void *bytes, gsize size, gsize piece)
{
  HyDigest d;
  hy_digest_init(&d);
  for (gsize at = 0; at < size; at += piece) {
    hy_digest_take(&d, (const guint8 *)bytes + at, MIN(piece, size - at));
  }
  return hy_digest_end(&d);
}

/* FIPS 180-4, its examples "abc" and the two-block message. */
static void test_the_examples_of_the_standard(void)
{
  static const char *const text[] = {"", "abc",
                                     "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"};
  static const char *const wanted[] = {
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"};
  for (guint k = 0; k < G_N_ELEMENTS(text); k++) {
    g_autofree char *got = digest(text[k], strlen(text[k]), 5);
    TEST_ASSERT_EQUAL_STRING(wanted[k], got);
  }
}

/* Every length up to some blocks, whole and in pieces. */
static void test_any_length_in_any_pieces(void)
{
  guint8 bytes[400];
  for (guint k = 0; k < sizeof bytes; k++) {
    bytes[k] = (guint8)(k * k + 7 * k);
  }
  for (gsize size = 0; size <= sizeof bytes; size++) {
    g_autofree char *wanted = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, size);
    for (gsize piece = 1; piece <= 400; piece = piece * 2 + 1) {
      g_autofree char *got = digest(bytes, size, piece);
      TEST_ASSERT_EQUAL_STRING(wanted, got);
    }
  }
}

/* Where the processor has no instructions for it. */
static void test_glib_gives_the_same(void)
{
  HyDigest d;
  hy_digest_init_plain(&d);
  hy_digest_take(&d, "ab", 2);
  hy_digest_take(&d, "c", 1);
  g_autofree char *got = hy_digest_end(&d), *wanted = digest("abc", 3, 3);
  TEST_ASSERT_EQUAL_STRING(wanted, got);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_examples_of_the_standard);
  RUN_TEST(test_any_length_in_any_pieces);
  RUN_TEST(test_glib_gives_the_same);
  return UNITY_END();
}
