/* The machines of examples/machines beside programs of a few lines that do the same without states:
 * what comes in is taken from the run, what has to come out is reckoned. */
#include "hydevs/hydevs.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* Words at one port, in their order. */
typedef struct {
  double t, value;
} Word;
#define MOST 2000

typedef struct {
  guint atomic, port;
  Word word[MOST];
  guint n;
} Port;

static Port port_a, port_b, port_c, port_d, port_e;

static void note(gpointer user, const HyTransition *x)
{
  Port *const *ports = user;
  for (guint k = 0; x->kind == HY_LAMBDA && ports[k] != NULL; k++) {
    if (x->atomic == ports[k]->atomic && x->event->port == (gint)ports[k]->port) {
      TEST_ASSERT_TRUE(ports[k]->n < MOST);
      ports[k]->word[ports[k]->n++] = (Word){x->t, x->event->value.c[0]};
    }
  }
}

static Port *port(Port *p, HyModel *m, const char *block, guint number)
{
  *p = (Port){.atomic = hy_model_number(m, hy_model_find(m, block)), .port = number};
  return p;
}

static HyLoaded *load(const char *name)
{
  g_autofree char *file = g_strdup_printf("%s/examples/machines/%s.xml", HY_SOURCE_DIR, name);
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded = hy_load_file(file, NULL, report);
  g_autofree char *what = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, what);
  TEST_ASSERT_EQUAL_STRING("", what);
  return loaded;
}

static void run(HyLoaded *loaded, Port **ports, double tf, guint64 seed)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(HySim) sim = hy_sim_new(hy_loaded_model(loaded), HY_FLAT, &error);
  HyTrace trace = {.user = ports, .transition = note};
  hy_sim_set_trace(sim, &trace);
  hy_sim_set_seed(sim, seed);
  TEST_ASSERT_TRUE(hy_sim_init(sim, 0, &error) && hy_sim_run(sim, tf, &error));
}

/* That what P has said at time T on is VALUE; *K is its next word. */
static void said(const Port *p, guint *k, double t, double value)
{
  TEST_ASSERT_TRUE(*k < p->n);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, t, p->word[*k].t);
  TEST_ASSERT_EQUAL_DOUBLE(value, p->word[*k].value);
  (*k)++;
}

/* Somebody who presses while cars go gets amber 20 s after they began to go, or at once if that has
 * been; then 3 s amber, 1 s, 8 s to walk, 4 s. */
static void test_light(void)
{
  g_autoptr(HyLoaded) loaded = load("light");
  HyModel *m = hy_loaded_model(loaded);
  Port *ports[] = {port(&port_a, m, "people", 0), port(&port_b, m, "light", 0),
                   port(&port_c, m, "light", 1), port(&port_d, m, "light", 2), NULL};
  const double tf = 6000;
  run(loaded, ports, tf, 1);
  guint cars = 0, walk = 0, wait = 0, rounds = 0;
  double go = 0;
  said(&port_b, &cars, 0, 2);
  said(&port_c, &walk, 0, 0);
  said(&port_d, &wait, 0, 0);
  for (guint k = 0; k < port_a.n; k++) {
    double pressed = port_a.word[k].t, slow = fmax(pressed, go + 20);
    if (pressed < go || slow + 16 > tf) {
      continue;
    }
    said(&port_d, &wait, pressed, 1);
    said(&port_b, &cars, slow, 1);
    said(&port_b, &cars, slow + 3, 0);
    said(&port_c, &walk, slow + 4, 1);
    said(&port_d, &wait, slow + 4, 0);
    said(&port_c, &walk, slow + 12, 0);
    go = slow + 16;
    said(&port_b, &cars, go, 2);
    said(&port_c, &walk, go, 0);
    said(&port_d, &wait, go, 0);
    rounds++;
  }
  TEST_ASSERT_GREATER_THAN(100, rounds);
}

/* Until when nothing but calls happens: they are marked, those before T. */
static void calls_until(guint *next, double t, gboolean *waits)
{
  for (; *next < port_a.n && port_a.word[*next].t < t; (*next)++) {
    waits[(gint)port_a.word[*next].value] = TRUE;
  }
}

/* Where a lift at FLOOR that went WAY goes next: on, if somebody waits there, else back; 0: nobody.
 */
static gint next_way(const gboolean *waits, gint floor, gint way)
{
  gboolean above = FALSE, below = FALSE;
  for (gint k = 0; k < 3; k++) {
    above |= k > floor && waits[k];
    below |= k < floor && waits[k];
  }
  return way >= 0 ? (above ? 1 : below ? -1 : 0) : (below ? -1 : above ? 1 : 0);
}

static void test_lift(void)
{
  g_autoptr(HyLoaded) loaded = load("lift");
  HyModel *m = hy_loaded_model(loaded);
  Port *ports[] = {port(&port_a, m, "people", 0), port(&port_b, m, "lift", 1),
                   port(&port_c, m, "lift", 2), NULL};
  const double tf = 6000;
  run(loaded, ports, tf, 3);
  gboolean waits[3] = {FALSE};
  gint floor = 0, way = 0, stops = 0;
  guint next = 0, door = 0, at = 0;
  double t = 0;
  said(&port_b, &door, 0, 0);
  said(&port_c, &at, 0, 0);
  for (;;) {
    if (!waits[floor] && next_way(waits, floor, way) == 0) { /* nobody: until the next call */
      if (next == port_a.n) {
        break;
      }
      t = port_a.word[next].t;
      waits[(gint)port_a.word[next++].value] = TRUE;
      continue;
    }
    if (!waits[floor]) {
      way = next_way(waits, floor, way);
      do {
        t += 3;
        floor += way;
        calls_until(&next, t, waits);
      } while (!waits[floor]);
    }
    double close = t + 5;
    if (close > tf - 30) {
      break;
    }
    said(&port_b, &door, t, 1);
    said(&port_c, &at, t, floor);
    for (; next < port_a.n && port_a.word[next].t < close; next++) {
      waits[(gint)port_a.word[next].value] = TRUE;
      if ((gint)port_a.word[next].value == floor) { /* the door opens anew */
        said(&port_b, &door, port_a.word[next].t, 1);
        said(&port_c, &at, port_a.word[next].t, floor);
        close = port_a.word[next].t + 5;
      }
    }
    waits[floor] = FALSE;
    t = close;
    said(&port_b, &door, t, 0);
    said(&port_c, &at, t, floor);
    stops++;
  }
  TEST_ASSERT_GREATER_THAN(200, stops);
}

static void test_vending(void)
{
  g_autoptr(HyLoaded) loaded = load("vending");
  HyModel *m = hy_loaded_model(loaded);
  Port *ports[] = {port(&port_a, m, "purse", 0),  port(&port_b, m, "finger", 0),
                   port(&port_c, m, "drinks", 0), port(&port_d, m, "drinks", 1),
                   port(&port_e, m, "drinks", 2), NULL};
  run(loaded, ports, 5000, 2);
  guint coin = 0, push = 0, drink = 0, change = 0;
  double credit = 0, ready = 0, paid = 0, back = 0;
  gboolean brews = FALSE;
  while (coin < port_a.n && push < port_b.n) {
    gboolean is_coin = port_a.word[coin].t < port_b.word[push].t;
    Word w = is_coin ? port_a.word[coin++] : port_b.word[push++];
    if (brews && w.t > ready) {
      said(&port_d, &drink, ready, 1);
      if (credit > 0) {
        said(&port_e, &change, ready, credit);
        back += credit;
      }
      credit = 0;
      brews = FALSE;
    }
    paid += is_coin ? w.value : 0;
    if (is_coin && (brews || credit + w.value > 500)) {
      said(&port_e, &change, w.t, w.value);
      back += w.value;
    } else if (is_coin) {
      credit += w.value;
    } else if (!brews && w.value == 1 && credit >= 250) {
      credit -= 250;
      brews = TRUE;
      ready = w.t + 4;
    } else if (!brews && w.value == 2 && credit > 0) {
      said(&port_e, &change, w.t, credit);
      back += credit;
      credit = 0;
    }
  }
  TEST_ASSERT_GREATER_THAN(50, drink);
  TEST_ASSERT_GREATER_THAN(50, change);
  TEST_ASSERT_EQUAL_DOUBLE(paid, back + 250 * (drink + brews) + credit);
}

/* A coil with tau = L/R goes to U/R = 3 A or to 0 by an exponential: so long from FROM to TO. */
static double takes(double from, double to, gboolean on)
{
  return 2.5e-3 * (on ? log((3 - from) / (3 - to)) : log(from / to));
}

static void test_injector(void)
{
  g_autoptr(HyLoaded) loaded = load("injector");
  HyModel *m = hy_loaded_model(loaded);
  Port *ports[] = {port(&port_a, m, "driver", 0), port(&port_b, m, "driver", 1), NULL};
  run(loaded, ports, 80e-3, 1);
  double rest = 0; /* what is left of the current when the valve is pulled */
  guint k = 1;     /* behind "off" at the start */
  for (guint pulse = 0; pulse < 2; pulse++) {
    double t = 5e-3 + 40e-3 * pulse, end = t + 20e-3, i = rest;
    gboolean on = TRUE;
    double to = 2;
    while (t < end) {
      TEST_ASSERT_DOUBLE_WITHIN(2e-7, t, port_a.word[k].t);
      TEST_ASSERT_EQUAL_DOUBLE(on, port_a.word[k++].value);
      rest = end - t < takes(i, to, on)
                 ? on ? 3 - (3 - i) * exp(-(end - t) / 2.5e-3) : i * exp(-(end - t) / 2.5e-3)
                 : 0;
      t += takes(i, to, on);
      i = to;
      on = !on;
      to = on ? 0.7 : 0.5;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, end, port_a.word[k].t); /* off, by the command */
    TEST_ASSERT_EQUAL_DOUBLE(0, port_a.word[k++].value);
    rest *= exp(-20.0 / 2.5);
  }
  TEST_ASSERT_EQUAL_UINT(k, port_a.n);
  TEST_ASSERT_GREATER_THAN(30, port_a.n);
  TEST_ASSERT_EQUAL_UINT(0, port_b.n);
}

/* A coil with four times its resistance cannot draw 2 A: the driver gives up after 5 ms. */
static void test_injector_that_is_broken(void)
{
  g_autofree char *file = g_strdup_printf("%s/examples/machines/injector.xml", HY_SOURCE_DIR);
  g_autoptr(HyReport) report = hy_report_new();
  const char *const set[] = {"R=16", NULL};
  g_autoptr(HyLoaded) loaded = hy_load_file(file, &(HyLoadOptions){.set = set}, report);
  HyModel *m = hy_loaded_model(loaded);
  Port *ports[] = {port(&port_a, m, "driver", 0), port(&port_b, m, "driver", 1), NULL};
  run(loaded, ports, 80e-3, 1);
  guint k = 0;
  said(&port_a, &k, 0, 0);
  said(&port_a, &k, 5e-3, 1);
  said(&port_a, &k, 10e-3, 0);
  TEST_ASSERT_EQUAL_UINT(3, port_a.n);
  TEST_ASSERT_EQUAL_UINT(1, port_b.n);
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_light);
  RUN_TEST(test_lift);
  RUN_TEST(test_vending);
  RUN_TEST(test_injector);
  RUN_TEST(test_injector_that_is_broken);
  return UNITY_END();
}
