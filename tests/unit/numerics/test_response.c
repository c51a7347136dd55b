/* Transfer functions and monodromy of one stretch against closed forms: what does not switch has b
 * (jw - A)^-1 c, and e^(A T). Chains of equal rates, which have one vector. */
#include "numerics/orbit.h"
#include "numerics/response.h"

#include <math.h>
#include <stdlib.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define MOST 6

typedef struct {
  HyModal modal;
  double complex *room;
  double a[MOST * MOST], x0[MOST], u[MOST * HY_MODAL_LANES], drive[2 * MOST];
  double force[MOST], read[MOST];
  HyStretch stretch;
  HyStretchPorts port;
} Chain;

/* N states of rate -R, each fed by the next one with GAIN; the first is read, the last one driven.
 * SWING: pairs that swing, of which the first states are that. */
static void chain_init(Chain *c, int n, double r, double swing, double gain, double tau)
{
  *c = (Chain){.room = calloc(hy_modal_room(n), sizeof *c->room)};
  int step = swing > 0.0 ? 2 : 1;
  for (int i = 0; i < n; i++) {
    c->a[i * n + i] = -r;
    if (swing > 0.0) {
      c->a[i * n + (i ^ 1)] = i % 2 == 0 ? swing : -swing;
    }
    if (i + step < n) {
      c->a[i * n + i + step] = gain;
    }
  }
  c->force[n - step] = 1.0;
  c->read[0] = 1.0;
  TEST_ASSERT_TRUE(hy_modal_init(&c->modal, n, c->a, c->room));
  TEST_ASSERT_EQUAL_INT(1, c->modal.clusters);
  hy_motion_init(&c->stretch.motion, &c->modal, 1, c->x0, c->u, c->drive);
  c->stretch.tau = tau;
  c->port.force = c->force;
  c->port.read = c->read;
}

static void check_response(Chain *c, int n, double complex (*wanted)(double))
{
  HyResponse *r = hy_response_new(n, &c->stretch, &c->port, 1);
  TEST_ASSERT_NOT_NULL(r);
  for (double w = 0.37; w < 1e4; w *= 2.9) {
    double complex y, h = wanted(w);
    TEST_ASSERT_TRUE(hy_response_at(r, w, &y));
    TEST_ASSERT_TRUE(cabs(y - h) <= 1e-9 * cabs(h));
  }
  hy_response_free(r);
  free(c->room);
}

static double complex four_lags(double w)
{
  return cpow(20.0 / hy_complex(30.0, w), 4.0) / 20.0;
}

static double complex two_integrators(double w)
{
  return 20.0 / (hy_complex(0.0, w) * hy_complex(0.0, w));
}

/* Two equal oscillators, (x, y) each: x' = -r x + s y, y' = -r y - s x; (p = jw + r, x/u = p/(p^2 +
 * s^2), y/u = -s/...). */
static double complex two_swings(double w)
{
  double complex p = hy_complex(3.0, w);
  double complex under = p * p + 2500.0, x = p / under, y = 50.0 / under;
  return 20.0 * (x * x - y * y);
}

static void test_chains_answer_by_their_transfer_function(void)
{
  Chain c;
  chain_init(&c, 4, 30.0, 0.0, 20.0, 0.01);
  check_response(&c, 4, four_lags);
  chain_init(&c, 2, 0.0, 0.0, 20.0, 0.01);
  check_response(&c, 2, two_integrators);
  chain_init(&c, 4, 3.0, 50.0, 20.0, 0.01);
  check_response(&c, 4, two_swings);
}

/* e^(A T) of a chain: gain^k T^k/k! e^(-r T). */
static void test_what_becomes_of_a_small_difference(void)
{
  Chain c;
  int n = 5;
  double phi[MOST * MOST], tau = 0.07;
  chain_init(&c, n, 30.0, 0.0, 20.0, tau);
  double complex *work = calloc(hy_orbit_room(n), sizeof *work);
  hy_orbit_monodromy(n, &c.stretch, 1, phi, work);
  for (int i = 0; i < n; i++) {
    double wanted = exp(-30.0 * tau);
    for (int k = 0; k < n; k++) {
      if (k < i) {
        TEST_ASSERT_TRUE(phi[i * n + k] == 0.0);
        continue;
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, wanted, phi[i * n + k]);
      wanted *= 20.0 * tau / (k - i + 1);
    }
  }
  free(work);
  free(c.room);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_chains_answer_by_their_transfer_function);
  RUN_TEST(test_what_becomes_of_a_small_difference);
  return UNITY_END();
}
