/* The table of plain classes: whoever states what it computes has a plain function, too. */
#include "audit/plain.h"
#include "hydevs/model.h"

#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_every_class_that_describes_itself_is_known(void)
{
  guint n = 0;
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    if ((*k)->describe != NULL) {
      TEST_ASSERT_NOT_NULL_MESSAGE(hy_plain_class((*k)->name), (*k)->name);
      n++;
    }
  }
  TEST_ASSERT_GREATER_THAN_UINT(15, n);
}

/* A parameter that a plain function reads is one of its class. */
static void test_their_parameters_are_there(void)
{
  for (const HyAtomicClass *const *k = hy_classes(); *k != NULL; k++) {
    const HyPlainClass *c = (*k)->describe != NULL ? hy_plain_class((*k)->name) : NULL;
    HyPlainParams p = {.tree = NULL};
    g_autofree char *state = g_malloc0((*k)->state_size + 1);
    if (c == NULL) {
      continue;
    }
    hy_plain_params(c, *k, state, &p);
    for (guint i = 0; i < G_N_ELEMENTS(p.number); i++) {
      TEST_ASSERT_FALSE_MESSAGE(isnan(p.number[i]), (*k)->name);
    }
  }
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_class_that_describes_itself_is_known);
  RUN_TEST(test_their_parameters_are_there);
  return UNITY_END();
}
