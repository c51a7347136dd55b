/* Sources: exact instants and values on both engines, the stated bound where there is one. */
#include "blocks.h"

#include <glib/gstdio.h>
#include <math.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* An integrator makes the order of the model N; it is not connected to anything else. */
static void set_order(HyModel *m, const char *method)
{
  fix(m, add(m, "integrator", "order", "method", method, NULL), 0, 0);
}

static void check_piece(const GArray *a, guint k, double t, double c0, double c1)
{
  const Said *s = said(a, k);
  TEST_ASSERT_TRUE(t == s->t);
  TEST_ASSERT_TRUE(c0 == s->c[0]);
  TEST_ASSERT_TRUE(c1 == s->c[1]);
  TEST_ASSERT_TRUE(s->c[2] == 0 && s->c[3] == 0);
}

static void test_step_pulse_ramp_and_constant_are_exact(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "step", "S", "from", "1", "to", "-2", "at", "0.3", NULL);
  add(m, "pulse", "P", "start", "0.1", "end", "0.7", NULL);
  add(m, "ramp", "A", "start", "0.1", "duration", "0.5", "height", "2", "offset", "1", NULL);
  add(m, "constant", "C", "value", "7", NULL);
  add(m, "step", "never", "at", "inf", NULL);
  g_autoptr(GArray) s = listen(m, "S", 0, 9, NULL), p = listen(m, "P", 0, 9, NULL),
                    a = listen(m, "A", 0, 9, NULL), c = listen(m, "C", 0, 9, NULL),
                    never = listen(m, "never", 0, 9, NULL);
  TEST_ASSERT_EQUAL_UINT(2, s->len);
  check_piece(s, 0, 0, 1, 0);
  check_piece(s, 1, 0.3, -2, 0);
  TEST_ASSERT_EQUAL_UINT(3, p->len);
  check_piece(p, 1, 0.1, 1, 0);
  check_piece(p, 2, 0.7, 0, 0);
  TEST_ASSERT_EQUAL_UINT(3, a->len);
  check_piece(a, 0, 0, 1, 0);
  check_piece(a, 1, 0.1, 1, 4);
  check_piece(a, 2, 0.1 + 0.5, 3, 0);
  TEST_ASSERT_EQUAL_UINT(1, c->len);
  TEST_ASSERT_EQUAL_UINT(1, never->len);
}

/* One piece for ever; where slopes do not count, steps of a quantum, max(1e-2 |t|, 1e-3). */
static void test_a_clock_says_the_time(void)
{
  g_autoptr(HyModel) m = hy_model_new("R"), stairs = hy_model_new("R");
  add(m, "clock", "C", NULL);
  g_autoptr(GArray) c = listen(m, "C", -0.3, 9, NULL);
  TEST_ASSERT_EQUAL_UINT(1, c->len);
  check_piece(c, 0, -0.3, -0.3, 1);
  set_order(stairs, "qss1");
  add(stairs, "clock", "C", "dqrel", "1e-2", "dqmin", "1e-3", NULL);
  g_autoptr(GArray) s = listen(stairs, "C", 0, 2, NULL);
  for (guint k = 0; k <= 2000; k++) {
    double t = k * 1e-3;
    TEST_ASSERT_DOUBLE_WITHIN(fmax(1e-2 * t, 1e-3) * (1 + 1e-9), t, heard(s, 0, t));
  }
  TEST_ASSERT_TRUE(s->len < 100 + 310); /* 0.1 / 1e-3, then log 20 / log 1.01 */
}

/* A run that starts in the middle of a piece begins with the rest of it. */
static void test_a_run_may_start_anywhere(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "ramp", "A", "start", "1", "duration", "2", "height", "4", NULL);
  add(m, "triangle", "T", "frequency", "0.5", NULL);
  add(m, "step", "S", "at", "2", NULL);
  g_autoptr(GArray) a = listen(m, "A", 2, 9, NULL), t = listen(m, "T", 5.5, 6.5, NULL),
                    s = listen(m, "S", 2, 9, NULL);
  check_piece(a, 0, 2, 2, 2);
  check_piece(a, 1, 3, 4, 0);
  check_piece(t, 0, 5.5, 0.5, -1);
  check_piece(t, 1, 6, 0, 1);
  TEST_ASSERT_EQUAL_UINT(1, s->len);
  check_piece(s, 0, 2, 1, 0);
}

/* T (k + (phase + part)) in this form, and the same instants in every block with these numbers. */
static void test_edges_are_exact_and_equal_in_all_blocks(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "square", "Q", "frequency", "10e3", "duty", "0.35", NULL);
  add(m, "sawtooth", "W", "frequency", "10e3", NULL);
  fix(m, add(m, "pwm", "P", "period", "1e-4", NULL), 0, 0.35);
  fix(m, add(m, "sample_hold", "H", "period", "1e-4", NULL), 0, 1);
  g_autoptr(GArray) q = listen(m, "Q", 0, 1, NULL), w = listen(m, "W", 0, 1, NULL),
                    p = listen(m, "P", 0, 1, NULL), h = listen(m, "H", 0, 1, NULL);
  TEST_ASSERT_EQUAL_UINT(20001, q->len);
  TEST_ASSERT_EQUAL_UINT(20001, p->len);
  for (guint k = 0; k < 10000; k++) {
    check_piece(q, 2 * k, k / 10e3, 1, 0);
    check_piece(q, 2 * k + 1, (20 * k + 7) / 200e3, 0, 0);
    TEST_ASSERT_TRUE(said(q, 2 * k)->t == said(p, 2 * k)->t);
    TEST_ASSERT_TRUE(said(q, 2 * k + 1)->t == said(p, 2 * k + 1)->t);
    TEST_ASSERT_TRUE(said(p, 2 * k)->c[0] == 1 && said(p, 2 * k + 1)->c[0] == 0);
    TEST_ASSERT_TRUE(said(q, 2 * k)->t == said(w, k)->t);
    TEST_ASSERT_TRUE(said(q, 2 * k)->t == said(h, k)->t);
  }
}

static void test_a_square_of_duty_0_or_1_is_a_constant(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "square", "no", "duty", "0", "high", "5", NULL);
  add(m, "square", "yes", "duty", "1", "high", "5", NULL);
  g_autoptr(GArray) no = listen(m, "no", 0, 9, NULL), yes = listen(m, "yes", 0, 9, NULL);
  TEST_ASSERT_EQUAL_UINT(1, no->len);
  check_piece(no, 0, 0, 0, 0);
  TEST_ASSERT_EQUAL_UINT(1, yes->len);
  check_piece(yes, 0, 0, 5, 0);
}

static void test_before_start_periodic_sources_are_low(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "trapezoid", "Z", "low", "-1", "high", "1", "rise", "0.5", "up", "1", "fall", "0.25",
      "down", "0.25", "start", "4", NULL);
  g_autoptr(GArray) z = listen(m, "Z", 0, 7, NULL);
  check_piece(z, 0, 0, -1, 0);
  check_piece(z, 1, 4, -1, 4);
  check_piece(z, 2, 4.5, 1, 0);
  check_piece(z, 3, 5.5, 1, -8);
  check_piece(z, 4, 5.75, -1, 0);
  check_piece(z, 5, 6, -1, 4);
}

/* Where slopes do not count, a slope becomes steps no higher than the quantum. */
static void test_in_models_of_first_order_slopes_are_staircases_within_the_bound(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  set_order(m, "qss1");
  add(m, "ramp", "A", "height", "2", "dqrel", "1e-2", NULL);
  g_autoptr(GArray) a = listen(m, "A", 0, 2, NULL);
  TEST_ASSERT_EQUAL_UINT(101, a->len); /* t = 0 begins the rise */
  for (guint k = 0; k <= 1000; k++) {
    double t = k * 1e-3;
    TEST_ASSERT_DOUBLE_WITHIN(2e-2 * (1 + 1e-9), 2 * t, heard(a, 0, t));
  }
  TEST_ASSERT_EQUAL_DOUBLE(2, heard(a, 0, 2));
}

static void check_sine(const char *method, double dq, guint least, guint most)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  set_order(m, method);
  char text[HY_DOUBLE_SIZE];
  add(m, "sine", "S", "amplitude", "3", "frequency", "2", "phase", "0.4", "offset", "1", "dqrel",
      hy_double_text(text, dq), NULL);
  g_autoptr(GArray) a = listen(m, "S", 0.1, 1.1, NULL);
  TEST_ASSERT_TRUE_MESSAGE(a->len >= least && a->len <= most, method);
  for (guint k = 0; k < 5000; k++) {
    double t = 0.1 + k * 2e-4;
    TEST_ASSERT_DOUBLE_WITHIN(3 * dq * (1 + 1e-6) + 1e-12, 3 * sin(4 * G_PI * t + 0.4) + 1,
                              heard(a, 0, t));
  }
}

/* |sent - sine| <= dq, with (w h)^n / n! = dq / amplitude: 2 pi / (n! dqrel)^(1/n) pieces a period.
 */
static void test_sine_keeps_its_bound_in_every_order(void)
{
  check_sine("qss1", 1e-2, 1257, 1262);
  check_sine("qss2", 1e-3, 281, 286);
  check_sine("qss3", 1e-3, 69, 74);
  check_sine("qss3", 1e-6, 690, 698);
}

static void test_three_phase_is_three_sines(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  set_order(m, "qss3");
  add(m, "three_phase", "G", "amplitude", "325", "dqrel", "1e-4", NULL);
  g_autoptr(GArray) a = listen(m, "G", 0, 0.1, NULL);
  for (guint k = 0; k < 500; k++) {
    double t = k * 2e-4, sum = 0;
    for (gint port = 0; port < 3; port++) {
      double wanted = 325 * sin(2 * G_PI * (50 * t - port / 3.0));
      TEST_ASSERT_DOUBLE_WITHIN(325e-4 * (1 + 1e-6), wanted, heard(a, port, t));
      sum += heard(a, port, t);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, sum);
  }
  /* the same instants in every period: no sum has run */
  guint n = (a->len - 3) / 5;
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, said(a, 3)->t + 0.08, said(a, 3 + 4 * n)->t);
}

/* PWM ------------------------------------------------------------------------------------------ */

static void test_pwm_of_a_triangle_is_centred(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  fix(m, add(m, "pwm", "P", "period", "2", "carrier", "triangle", NULL), 0, 0.25);
  g_autoptr(GArray) p = listen(m, "P", 0, 4, NULL);
  const double wanted[] = {0, 0.25, 1.75, 2.25, 3.75};
  TEST_ASSERT_EQUAL_UINT(5, p->len);
  for (guint k = 0; k < 5; k++) {
    check_piece(p, k, wanted[k], k % 2 == 0, 0);
  }
}

/* duty = 0.2 + 0.1 t meets the carrier t - k where t = (k + 0.2) / 0.9. */
static void test_pwm_of_a_moving_duty_crosses_the_carrier(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "ramp", "A", "duration", "8", "height", "0.8", "offset", "0.2", NULL);
  add(m, "pwm", "P", "period", "1", NULL);
  wire(m, "A", "P");
  g_autoptr(GArray) p = listen(m, "P", 0, 6.5, NULL);
  for (guint k = 0; k < 6; k++) {
    check_piece(p, 2 * k, k, 1, 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, (k + 0.2) / 0.9, said(p, 2 * k + 1)->t);
    TEST_ASSERT_TRUE(said(p, 2 * k + 1)->c[0] == 0);
  }
}

static void test_pwm_follows_steps_of_duty_and_is_silent_at_0_and_1(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "step", "S", "from", "0", "to", "1", "at", "2.5", NULL);
  add(m, "pwm", "P", "period", "1", NULL);
  wire(m, "S", "P");
  g_autoptr(GArray) p = listen(m, "P", 0, 6, NULL);
  TEST_ASSERT_EQUAL_UINT(2, p->len);
  check_piece(p, 0, 0, 0, 0);
  check_piece(p, 1, 2.5, 1, 0);
}

static void test_pwm_refuses_a_duty_outside_0_to_1(void)
{
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "step", "S", "from", "0.5", "to", "1.2", "at", "2.5", NULL);
  add(m, "pwm", "P", "period", "1", NULL);
  wire(m, "S", "P");
  check_fails(m, "P", 9, "P: duty = 1.2 is outside 0 .. 1 at t = 2.5");
}

/* 1 + 4e-16 is on for good, -1e-12 is off, both without an edge. */
static void test_pwm_forgives_rounding(void)
{
  static const char *const carriers[] = {"sawtooth", "triangle"};
  for (guint k = 0; k < 2; k++) {
    g_autoptr(HyModel) m = hy_model_new("R");
    add(m, "step", "S", "from", "-1e-12", "to", "1.0000000000000004", "at", "2.5", NULL);
    add(m, "pwm", "P", "period", "1", "carrier", carriers[k], NULL);
    wire(m, "S", "P");
    g_autoptr(GArray) p = listen(m, "P", 0, 6, NULL);
    TEST_ASSERT_EQUAL_UINT(2, p->len);
    check_piece(p, 0, 0, 0, 0);
    check_piece(p, 1, 2.5, 1, 0);
  }
}

/* Files ---------------------------------------------------------------------------------------- */

static char *file_of(const char *text)
{
  char *name = NULL;
  gint fd = g_file_open_tmp("hydevs-XXXXXX.csv", &name, NULL);
  TEST_ASSERT_TRUE(fd >= 0 && g_close(fd, NULL));
  TEST_ASSERT_TRUE(g_file_set_contents(name, text, -1, NULL));
  return name;
}

static void test_a_file_is_a_signal(void)
{
  g_autofree char *name =
      file_of("time,\"a \"\"b\"\"\",speed\r\n1,5,10\r\n2,6,20\n2,7,30\n\n4,8,50\n");
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "file_source", "F", "path", name, "column", "speed", NULL);
  add(m, "file_source", "H", "path", name, "column", "a \"b\"", "interpolation", "hold", NULL);
  g_autoptr(GArray) f = listen(m, "F", 0, 9, NULL), h = listen(m, "H", 0, 9, NULL);
  TEST_ASSERT_EQUAL_UINT(4, f->len);
  check_piece(f, 0, 0, 10, 0);
  check_piece(f, 1, 1, 10, 10);
  check_piece(f, 2, 2, 30, 10);
  check_piece(f, 3, 4, 50, 0);
  TEST_ASSERT_EQUAL_UINT(4, h->len);
  check_piece(h, 2, 2, 7, 0);
  g_unlink(name);
}

static void check_bad_file(const char *text, const char *column, const char *message)
{
  g_autofree char *name = file_of(text), *wanted = g_strdup_printf(message, name);
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "file_source", "F", "path", name, "column", column, NULL);
  check_fails(m, "F", 9, wanted);
  g_unlink(name);
}

static void test_what_is_wrong_with_a_file_is_said_with_its_line(void)
{
  check_bad_file("t,x\n0,1\n2,1\n1,1\n", "x", "F: %s:4: time 1 comes after 2; times must not fall");
  check_bad_file("t,x,y\n0,1,2\n", "z", "F: %s:1: no column \"z\"; there are: t, x, y");
  check_bad_file("t,x,y\n0,1\n", "y", "F: %s:2: 2 columns, the one that is asked for is number 3");
  check_bad_file("t,x\n0,1;5\n", "x", "F: %s:2: \"1;5\" is not a number");
  check_bad_file("t,x\n0,nan\n", "x", "F: %s:2: \"nan\" is not a number");
  check_bad_file("t,x\n", "x", "F: %s:1: there are no rows");
  check_bad_file("", "x", "F: %s:1: the file is empty");
  check_bad_file("0,1\n2,3\n", "",
                 "F: %s:1: this is a row of numbers; a line with the names of the columns goes "
                 "before it");
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "file_source", "F", "path", "/dev/zero", NULL); /* never ends */
  check_fails(m, "F", 9, "F: /dev/zero: this is no text");
}

/* Sound ------------------------------------------------------------------------------------------
 */

static void put_number(GString *out, guint64 v, guint bytes)
{
  for (guint k = 0; k < bytes; k++) {
    g_string_append_c(out, (char)(v >> (8 * k)));
  }
}

/* A file of samples that are so many bytes long; odd chunks before and between. Its path. */
static char *sound_of(guint code, guint bits, guint channels, const guint64 *samples, guint n)
{
  g_autoptr(GString) out = g_string_new("RIFF....WAVEodd \003");
  g_string_append_len(out, "\0\0\0abc\0fmt ", 11);
  put_number(out, 16, 4);
  put_number(out, code, 2);
  put_number(out, channels, 2);
  put_number(out, 8000, 4);
  put_number(out, (guint64)8000 * channels * (bits / 8), 4);
  put_number(out, (guint64)channels * (bits / 8), 2);
  put_number(out, bits, 2);
  g_string_append(out, "data");
  put_number(out, (guint64)n * (bits / 8), 4);
  for (guint k = 0; k < n; k++) {
    put_number(out, samples[k], bits / 8);
  }
  char *name = NULL;
  gint fd = g_file_open_tmp("hydevs-XXXXXX.wav", &name, NULL);
  TEST_ASSERT_TRUE(fd >= 0 && g_close(fd, NULL));
  TEST_ASSERT_TRUE(g_file_set_contents(name, out->str, (gssize)out->len, NULL));
  return name;
}

static void check_sound(guint code, guint bits, const guint64 *samples, const double *values)
{
  g_autofree char *name = sound_of(code, bits, 1, samples, 3);
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "file_source", "F", "path", name, "interpolation", "hold", NULL);
  g_autoptr(GArray) f = listen(m, "F", 0, 9, NULL);
  TEST_ASSERT_EQUAL_UINT(3, f->len);
  for (guint k = 0; k < 3; k++) {
    check_piece(f, k, k / 8000.0, values[k], 0);
  }
  g_unlink(name);
}

/* The lowest number is -1, a half of the highest 0.5. */
static void test_a_sound_file_is_a_signal(void)
{
  check_sound(1, 8, (const guint64[]){0, 128, 192}, (const double[]){-1, 0, 0.5});
  check_sound(1, 16, (const guint64[]){0x8000, 0, 0x4000}, (const double[]){-1, 0, 0.5});
  check_sound(1, 24, (const guint64[]){0x800000, 0, 0x400000}, (const double[]){-1, 0, 0.5});
  check_sound(1, 32, (const guint64[]){0x80000000, 0, 0x40000000}, (const double[]){-1, 0, 0.5});
  check_sound(3, 32, (const guint64[]){0xc0200000, 0, 0x3f000000}, (const double[]){-2.5, 0, 0.5});
  check_sound(3, 64, (const guint64[]){0xc004000000000000, 0, 0x3fe0000000000000},
              (const double[]){-2.5, 0, 0.5});
}

static void test_a_channel_may_be_chosen(void)
{
  static const char *const names[] = {NULL, "1", "left", "2", "right"};
  g_autofree char *name = sound_of(1, 16, 2, (const guint64[]){0x4000, 0x2000, 0, 0xc000}, 4);
  for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
    g_autoptr(HyModel) m = hy_model_new("R");
    add(m, "file_source", "F", "path", name, "interpolation", "linear", "column",
        names[k] != NULL ? names[k] : "", NULL);
    g_autoptr(GArray) f = listen(m, "F", 0, 9, NULL);
    check_piece(f, 0, 0, k < 3 ? 0.5 : 0.25, k < 3 ? -0.5 * 8000 : -0.75 * 8000);
    check_piece(f, 1, 1 / 8000.0, k < 3 ? 0 : -0.5, 0);
  }
  g_unlink(name);
}

static void check_bad_sound(char *name, const char *column, const char *message)
{
  g_autofree char *wanted = g_strdup_printf(message, name);
  g_autoptr(HyModel) m = hy_model_new("R");
  add(m, "file_source", "F", "path", name, "column", column, NULL);
  check_fails(m, "F", 9, wanted);
  g_unlink(name);
  g_free(name);
}

/* SAMPLES of a good file without its last byte, or with another one at AT. */
static char *spoiled(gssize at, char byte)
{
  char *name = sound_of(1, 16, 1, (const guint64[]){1, 2}, 2), *bytes = NULL;
  gsize n;
  TEST_ASSERT_TRUE(g_file_get_contents(name, &bytes, &n, NULL));
  if (at >= 0) {
    bytes[at] = byte;
  }
  TEST_ASSERT_TRUE(g_file_set_contents(name, bytes, (gssize)n - (at < 0 ? 1 : 0), NULL));
  g_free(bytes);
  return name;
}

static void test_what_is_wrong_with_a_sound_file_is_said(void)
{
  check_bad_sound(spoiled(0, 'X'), "",
                  "F: %s: this is no sound file: it does not begin with RIFF and WAVE");
  check_bad_sound(spoiled(-1, 0), "",
                  "F: %s: it is cut off: a chunk of 4 bytes, of which 3 are there");
  check_bad_sound(spoiled(24, 'F'), "", "F: %s: no chunk \"fmt \" says how its samples are coded");
  check_bad_sound(spoiled(48, 'D'), "", "F: %s: it has no chunk \"data\"");
  check_bad_sound(spoiled(32, 6), "",
                  "F: %s: its samples have code 6 and 16 bits; PCM (1) of 8, 16, 24 or 32 bits and "
                  "floats (3) of 32 or 64 are read");
  check_bad_sound(spoiled(44, 4), "",
                  "F: %s: 1 channels at 8000 Hz with frames of 4 bytes: this cannot be");
  check_bad_sound(spoiled(20, 0), "3", "F: %s: there is no channel 3; it has 1");
  check_bad_sound(spoiled(20, 0), "middle",
                  "F: %s: no channel \"middle\"; its channels are 1, 2, ..., left, right");
  check_bad_sound(sound_of(1, 16, 1, NULL, 0), "",
                  "F: %s: it has 0 samples; 1 to 20000000 are read");
  check_bad_sound(sound_of(3, 32, 1, (const guint64[]){0, 0x7fc00000}, 2), "",
                  "F: %s: sample 2 is not a finite number");
}

static void test_bad_parameters_are_named(void)
{
  check_bad_block("pulse", "B: end = -1 is before start = 0", "end", "-1");
  check_bad_block("sine", "B: frequency = inf must be finite", "frequency", "inf");
  check_bad_block("sine", "B: dqmin = 0 must be above 0", "dqmin", "0");
  check_bad_block("square", "B: duty = 1.5 must be between 0 and 1", "duty", "1.5");
  check_bad_block("square", "B: frequency = inf must be finite", "frequency", "inf");
  check_bad_block("constant", "B: value = inf must be finite", "value", "inf");
  check_bad_block("step", "B: its values and times must be finite", "to", "inf");
  check_bad_block("pwm", "B: period = 0 must be above 0", "period", "0");
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_step_pulse_ramp_and_constant_are_exact);
  RUN_TEST(test_a_clock_says_the_time);
  RUN_TEST(test_a_run_may_start_anywhere);
  RUN_TEST(test_edges_are_exact_and_equal_in_all_blocks);
  RUN_TEST(test_a_square_of_duty_0_or_1_is_a_constant);
  RUN_TEST(test_before_start_periodic_sources_are_low);
  RUN_TEST(test_in_models_of_first_order_slopes_are_staircases_within_the_bound);
  RUN_TEST(test_sine_keeps_its_bound_in_every_order);
  RUN_TEST(test_three_phase_is_three_sines);
  RUN_TEST(test_pwm_of_a_triangle_is_centred);
  RUN_TEST(test_pwm_of_a_moving_duty_crosses_the_carrier);
  RUN_TEST(test_pwm_follows_steps_of_duty_and_is_silent_at_0_and_1);
  RUN_TEST(test_pwm_refuses_a_duty_outside_0_to_1);
  RUN_TEST(test_pwm_forgives_rounding);
  RUN_TEST(test_a_file_is_a_signal);
  RUN_TEST(test_what_is_wrong_with_a_file_is_said_with_its_line);
  RUN_TEST(test_a_sound_file_is_a_signal);
  RUN_TEST(test_a_channel_may_be_chosen);
  RUN_TEST(test_what_is_wrong_with_a_sound_file_is_said);
  RUN_TEST(test_bad_parameters_are_named);
  return UNITY_END();
}
