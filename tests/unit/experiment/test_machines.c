/* library/machines.xml: each machine against a closed form, or against other equations of it (in
 * another frame, with other states) that are integrated by small steps. */
#include "library_model.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define FINE "method='qss3' dqrel='1e-8' dqmin='1e-9'"

/* Shafts --------------------------------------------------------------------------------------- */

/* Driven against viscous friction: exponential; braked by a fan: 1/(1 + c w0 t/J); by dry friction:
 * straight down to wc, then exponential. */
static void test_a_shaft_by_its_closed_forms(void)
{
  double x[4];
  library_end(
      "<block type='machines.shaft' name='a' torque='3' load='1' J='0.5' b='0.2' angle0='1'/>"
      "<block type='machines.shaft' name='f' torque='0' load='0' J='0.5' c='0.01' w0='100'/>"
      "<block type='machines.shaft' name='d' torque='0' load='0' J='0.5' Tc='2' wc='1' w0='5'/>"
      "<experiment stop='2' " FINE " record='a.w a.angle f.w d.w'/>",
      4, x);
  double fall = exp(-0.4 * 2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 10 * (1 - fall), x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1 + 10 * (2 - (1 - fall) / 0.4), x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 100 / (1 + 0.01 * 100 * 2 / 0.5), x[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, exp(-4 * (2 - 1)), x[3]); /* w = wc = 1 at t = 1 */
}

/* Two masses with nothing else: the middle goes on at a constant speed, the twist swings and dies.
 */
static void test_two_masses_swing_against_each_other(void)
{
  double x[3];
  library_end("<block type='machines.shaft' name='a' torque='0' load='b.torque' J='2' w0='10'/>"
              "<block type='machines.second_mass' name='b' wm='a.w' load='0' J='3' k='60' d='0.6'/>"
              "<experiment stop='1.3' " FINE " record='a.w b.w b.twist'/>",
              3, x);
  double J = 2 * 3 / 5.0, decay = 0.6 / J / 2, f = sqrt(60 / J - decay * decay), t = 1.3;
  double twist = 10 / f * exp(-decay * t) * sin(f * t),
         speed = 10 * exp(-decay * t) * (cos(f * t) - decay / f * sin(f * t));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 4 + 3 / 5.0 * speed, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 4 - 2 / 5.0 * speed, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, twist, x[2]);
}

/* Machines that are linear -----------------------------------------------------------------------
 */

static void test_a_dc_machine_by_its_closed_form(void)
{
  double x[3], wanted[2];
  library_end(
      "<block type='machines.dc' name='m' u='24' load='0.3' R='0.5' L='2m' k='0.1' J='200u' b='1m'"
      " i0='1' w0='20'/>"
      "<experiment stop='15m' " FINE " record='m.i m.w m.torque'/>",
      3, x);
  const double a[2][2] = {{-0.5 / 2e-3, -0.1 / 2e-3}, {0.1 / 2e-4, -1e-3 / 2e-4}};
  plane(a, (double[]){24 / 2e-3, -0.3 / 2e-4}, (double[]){1, 20}, 15e-3, wanted);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, wanted[0], x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, wanted[1], x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.1 * wanted[0], x[2]);
}

/* A flywheel holds the speed; three sines that turn with the rotor are two constants in its frame.
 */
static void test_a_synchronous_machine_at_a_constant_speed(void)
{
  double x[8], wanted[2], we = 3 * 100, t = 12e-3;
  library_end("<block type='machines.pmsm_dq' name='d' ud='-20' uq='35' load='0' R='0.4' Ld='2m' "
              "Lq='5m' psi='0.1' p='3'"
              " J='1G' w0='100' id0='1' iq0='2'/>"
              "<function name='u' count='3' index='n' formula='-20*cos(300*t - (n - 1)*2*pi/3) - "
              "35*sin(300*t - (n - 1)*2*pi/3)'/>"
              "<block type='machines.pmsm' name='m' u='u[1] + 7, u[2] + 7, u[3] + 7' load='0' "
              "R='0.4' Ld='2m' Lq='5m' psi='0.1' p='3'"
              " J='1G' w0='100' id0='1' iq0='2'/>"
              "<experiment stop='12m' " FINE
              " record='d.id d.iq m.id m.iq m.i[1] m.i[2] m.i[3] m.torque'/>",
              8, x);
  const double a[2][2] = {{-0.4 / 2e-3, we * 5 / 2}, {-we * 2 / 5, -0.4 / 5e-3}};
  plane(a, (double[]){-20 / 2e-3, (35 - we * 0.1) / 5e-3}, (double[]){1, 2}, t, wanted);
  for (guint k = 0; k < 4; k++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, wanted[k % 2], x[k]);
  }
  for (guint k = 0; k < 3; k++) {
    double angle = we * t - k * 2 * G_PI / 3;
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, wanted[0] * cos(angle) - wanted[1] * sin(angle), x[4 + k]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 4.5 * (0.1 - 3e-3 * wanted[0]) * wanted[1], x[7]);
}

/* What the circuit of a phase in every textbook says of an induction machine at slip s. */
static void test_an_induction_machine_at_a_constant_slip(void)
{
  double x[2], f = 2 * G_PI * 50, s = 1 - 2 * 150 / f;
  library_end(
      "<three_phase name='g' amplitude='325'/>"
      "<block type='machines.induction' name='m' u='g.a, g.b, g.c' load='0' Rs='1.2' Rr='0.9' "
      "Lls='5m' Llr='4m' Lm='150m'"
      " p='2' J='1G' w0='150'/>"
      "<experiment stop='1.5' method='qss3' dqrel='1e-6' dqmin='1e-7' record='m.torque m.psi'/>",
      2, x);
  complex double m = I * f * 0.15, r = 0.9 / s + I * f * 4e-3,
                 z = 1.2 + I * f * 5e-3 + m * r / (m + r);
  complex double stator = 325 / z, rotor = stator * m / (m + r);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1.5 * creal(rotor * conj(rotor)) * 0.9 / s * 2 / f, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, cabs(0.15 * stator - 0.154 * rotor), x[1]);
}

/* Machines that turn as they like
 * -------------------------------------------------------------------- */

/* The flux of the stator in its own frame; x = psi_alpha, psi_beta, w, angle. */
static void synchronous_flux(double t, const double *x, double *dx)
{
  const double R = 0.4, Ld = 2e-3, Lq = 5e-3, psi = 0.1, p = 3, J = 2e-3, b = 1e-3;
  double c = cos(p * x[3]), s = sin(p * x[3]);
  double id = (c * x[0] + s * x[1] - psi) / Ld, iq = (c * x[1] - s * x[0]) / Lq;
  double ia = c * id - s * iq, ib = s * id + c * iq;
  dx[0] = 40 * cos(60 * t) - R * ia;
  dx[1] = 40 * sin(60 * t) - R * ib;
  dx[2] = (1.5 * p * (x[0] * ib - x[1] * ia) - 1 - b * x[2]) / J;
  dx[3] = x[2];
}

static void test_a_synchronous_machine_starts_by_itself(void)
{
  double x[4], y[] = {0.1, 0, 0, 0};
  library_end("<block type='machines.pmsm' name='m' u='40*cos(60*t), 40*cos(60*t - 2*pi/3), "
              "40*cos(60*t + 2*pi/3)' load='1'"
              " R='0.4' Ld='2m' Lq='5m' psi='0.1' p='3' J='2m' b='1m'/>"
              "<experiment stop='0.1' " FINE " record='m.id m.iq m.w m.angle'/>",
              4, x);
  rk4(synchronous_flux, 4, y, 1e-5, 10000);
  double c = cos(3 * y[3]), s = sin(3 * y[3]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, (c * y[0] + s * y[1] - 0.1) / 2e-3, x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, (c * y[1] - s * y[0]) / 5e-3, x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, y[2], x[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, y[3], x[3]);
}

/* Fluxes of stator and rotor in a frame that turns with the field; x = psi_sd, psi_sq, psi_rd,
 * psi_rq, w. */
static void induction_flux(double t, const double *x, double *dx)
{
  (void)t;
  const double Rs = 1.2, Rr = 0.9, Ls = 155e-3, Lr = 154e-3, Lm = 150e-3, D = Ls * Lr - Lm * Lm;
  double f = 2 * G_PI * 50, slip = f - 2 * x[4];
  double isd = (Lr * x[0] - Lm * x[2]) / D, isq = (Lr * x[1] - Lm * x[3]) / D;
  double ird = (Ls * x[2] - Lm * x[0]) / D, irq = (Ls * x[3] - Lm * x[1]) / D;
  dx[0] = 325 - Rs * isd + f * x[1];
  dx[1] = -Rs * isq - f * x[0];
  dx[2] = -Rr * ird + slip * x[3];
  dx[3] = -Rr * irq - slip * x[2];
  dx[4] = (3 * (x[0] * isq - x[1] * isd) - 5 - 1e-4 * x[4] * x[4]) / 20e-3;
}

static void test_an_induction_machine_runs_up(void)
{
  double x[3], y[5] = {0};
  library_end("<block type='machines.induction' name='m' u='325*cos(2*pi*50*t), 325*cos(2*pi*50*t "
              "- 2*pi/3), 325*cos(2*pi*50*t + 2*pi/3)'"
              " load='5' Rs='1.2' Rr='0.9' Lls='5m' Llr='4m' Lm='150m' p='2' J='20m' c='1e-4'/>"
              "<experiment stop='0.2' " FINE " record='m.w m.torque m.i[1]'/>",
              3, x);
  rk4(induction_flux, 5, y, 1e-5, 20000);
  double D = 155e-3 * 154e-3 - 150e-3 * 150e-3;
  double isd = (154e-3 * y[0] - 150e-3 * y[2]) / D, isq = (154e-3 * y[1] - 150e-3 * y[3]) / D;
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, y[4], x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 3 * (y[0] * isq - y[1] * isd), x[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, isd, x[2]); /* the frame has turned ten times */
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_shaft_by_its_closed_forms);
  RUN_TEST(test_two_masses_swing_against_each_other);
  RUN_TEST(test_a_dc_machine_by_its_closed_form);
  RUN_TEST(test_a_synchronous_machine_at_a_constant_speed);
  RUN_TEST(test_an_induction_machine_at_a_constant_slip);
  RUN_TEST(test_a_synchronous_machine_starts_by_itself);
  RUN_TEST(test_an_induction_machine_runs_up);
  return UNITY_END();
}
