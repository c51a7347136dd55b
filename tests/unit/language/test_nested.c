/* Circuits inside circuits. A nested circuit is its elements written where it stands, so random
 * ones are made in both forms at once, and run to the same bits; the flat form is compared with
 * other truths elsewhere (unit/circuits/random: the whole tableau; unit/experiment/circuits: end
 * values).
 */
#include "hydevs/hydevs.h"

#include <string.h>
#include <unity.h>

static HyReport *report;
static GError *error;

void setUp(void)
{
  report = hy_report_new();
}

void tearDown(void)
{
  g_clear_pointer(&report, hy_report_free);
  g_clear_error(&error);
}

static HyLoaded *load(const char *body)
{
  static const char *const library[] = {HY_SOURCE_DIR "/library", NULL};
  HyLoadOptions options = {.library = library};
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m' needs='1.2'>%s</hydevs>", body);
  return hy_load_memory(text, strlen(text), "m.xml", &options, report);
}

static HyLoaded *load_well(const char *body)
{
  HyLoaded *loaded = load(body);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  return loaded;
}

static HyRun *go(const HyLoaded *loaded, const char *engine)
{
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = engine;
  HyRun *run = hy_run_new(loaded, &settings, &error);
  TEST_ASSERT_NOT_NULL(run);
  gboolean ok = hy_run_record(run, &error) && hy_run_go(run, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  return run;
}

static double last(const HyRun *run, guint column)
{
  const HyRecorder *table = hy_run_table(run, 0);
  return hy_recorder_value(table, hy_recorder_rows(table) - 1, column);
}

/* The same numbers in every row. */
static void expect_same(const HyRun *a, const HyRun *b, const char *what)
{
  const HyRecorder *x = hy_run_table(a, 0), *y = hy_run_table(b, 0);
  guint columns = hy_recorder_n(x);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(hy_recorder_rows(x), hy_recorder_rows(y), what);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(columns, hy_recorder_n(y), what);
  for (guint64 row = 0; row < hy_recorder_rows(x); row++) {
    for (guint c = 0; c < columns; c++) {
      if (!(hy_recorder_value(x, row, c) == hy_recorder_value(y, row, c))) {
        g_autofree char *text =
            g_strdup_printf("column %u, row %u: %.17g and %.17g of %s", c, (guint)row,
                            hy_recorder_value(x, row, c), hy_recorder_value(y, row, c), what);
        TEST_FAIL_MESSAGE(text);
      }
    }
  }
}

/* Random circuits ------------------------------------------------------------------------------ */

static guint32 seed;

static guint below(guint n)
{
  seed = seed * 1664525U + 1013904223U;
  return (guint)(((guint64)(seed >> 8) * n) >> 24);
}

static double between(double low, double high)
{
  return low + (high - low) * below(1U << 20) / (1U << 20);
}

enum { MOST_NODES = 5 };

/* Where elements are written: in the nested form, and in the flat one with names in front. */
typedef struct {
  GString *nested, *flat;
  GString *types;                       /* of the nested form */
  GString *nested_record, *flat_record; /* states */
  guint n_types;
} Forms;

typedef struct {
  char *path, *before;     /* of names: "m/h[2]/", "h_2_" */
  char *node[MOST_NODES];  /* in the nested form */
  char *plain[MOST_NODES]; /* in the flat one */
  guint n;
} Level;

static void element(Forms *f, const Level *at, const char *kind, const char *name, guint a, guint b,
                    const char *rest)
{
  g_string_append_printf(f->nested, "<%s name='%s' nodes='%s %s' %s/>\n", kind, name, at->node[a],
                         at->node[b], rest);
  g_string_append_printf(f->flat, "<%s name='%s%s' nodes='%s %s' %s/>\n", kind, at->before, name,
                         at->plain[a], at->plain[b], rest);
}

static void state(Forms *f, const Level *at, const char *kind, const char *name, guint a, guint b,
                  const char *size)
{
  g_autofree char *rest = g_strdup_printf("%s='%.3gm'", size, between(0.1, 3));
  element(f, at, kind, name, a, b, rest);
  g_string_append_printf(f->nested_record, " %s%s", at->path, name);
  g_string_append_printf(f->flat_record, " m/%s%s", at->before, name);
}

/* Elements between random nodes of the level; each node of its own leaks to 0. */
static void elements(Forms *f, const Level *at)
{
  static const char *const kinds[] = {"resistor",    "resistor",     "inductor",  "capacitor",
                                      "ideal_diode", "ideal_switch", "transistor"};
  for (guint k = *at->before != '\0' ? at->n - 1 : 1; k < at->n; k++) {
    g_autofree char *name = g_strdup_printf("leak%u", k);
    element(f, at, "resistor", name, k, 0, "R='100'");
  }
  guint many = 2 + below(5);
  for (guint k = 0; k < many; k++) {
    guint kind = below(G_N_ELEMENTS(kinds)), a = below(at->n);
    guint b = (a + 1 + below(at->n - 1)) % at->n;
    g_autofree char *name = g_strdup_printf("e%u", k);
    g_autofree char *R = g_strdup_printf("R='%.3g'", between(0.5, 9));
    if (kind < 2) {
      element(f, at, kinds[kind], name, a, b, R);
    } else if (kind < 4) {
      state(f, at, kinds[kind], name, a, b, kind == 2 ? "L" : "C");
    } else {
      const char *rest = kind == 4   ? "Ron='0.1' Roff='10k'"
                         : kind == 5 ? "Ron='0.1' Roff='10k' control='g'"
                                     : "Ron='0.1' Roff='10k' gate='1 - g'";
      element(f, at, kinds[kind], name, a, b, rest);
    }
  }
}

static void level_clear(Level *l)
{
  for (guint k = 0; k < l->n; k++) {
    g_free(l->node[k]);
    g_free(l->plain[k]);
  }
  g_free(l->path);
  g_free(l->before);
}

static void inside(Forms *f, const Level *at, guint depth);

/* The level of a circuit with N_PORTS node ports in AT, called NAME, its copy COPY (0: no copies);
 * port k is node[k] of it, and joined to node JOINED[k] there. */
static Level below_level(const Level *at, const char *name, guint copy, guint n_ports,
                         const guint *joined)
{
  g_autofree char *of = copy > 0 ? g_strdup_printf("%s[%u]", name, copy) : g_strdup(name);
  g_autofree char *plain = copy > 0 ? g_strdup_printf("%s_%u", name, copy) : g_strdup(name);
  Level l = {.path = g_strconcat(at->path, of, "/", NULL),
             .before = g_strconcat(at->before, plain, "_", NULL),
             .n = n_ports + 2};
  l.node[0] = g_strdup("0");
  l.plain[0] = g_strdup("0");
  for (guint k = 1; k <= n_ports; k++) {
    l.node[k] = g_strdup_printf("p%u", k);
    l.plain[k] = g_strdup(at->plain[joined[k]]);
  }
  l.node[n_ports + 1] = g_strdup("own");
  l.plain[n_ports + 1] = g_strdup_printf("%sown", l.before);
  return l;
}

/* A circuit in AT: in place, or a type with COPIES (0: no count). The flat form has all copies. */
static void circuit(Forms *f, const Level *at, const char *name, gboolean type, guint copies,
                    guint depth)
{
  guint n_ports = 1 + below(2), joined[3];
  GString *around = f->nested, *attributes = g_string_new("g='g'"), *ports = g_string_new("");
  for (guint k = 1; k <= n_ports; k++) {
    joined[k] = k == 1 ? 1 + below(at->n - 1) : 1 + joined[1] % (at->n - 1); /* not two the same */
    g_string_append_printf(attributes, " p%u='%s'", k, at->node[joined[k]]);
    g_string_append_printf(ports, "<node name='p%u'/>", k);
  }
  guint32 start = seed;
  GString *body = NULL;
  for (guint c = 1; c <= MAX(copies, 1); c++) { /* the same for all */
    Level l = below_level(at, name, copies > 0 ? c : 0, n_ports, joined);
    guint n_types = f->n_types;
    gsize types = f->types->len;
    seed = start;
    f->nested = g_string_new("<in name='g'/>");
    g_string_append(f->nested, ports->str);
    inside(f, &l, depth);
    if (c > 1) { /* its types are there already */
      g_string_truncate(f->types, types);
      f->n_types = n_types;
      g_string_free(f->nested, TRUE);
    } else {
      body = f->nested;
    }
    level_clear(&l);
  }
  f->nested = around;
  if (type) {
    guint number = ++f->n_types;
    g_string_append_printf(f->types, "<type name='t%u'>%s</type>\n", number, body->str);
    g_string_append_printf(around, "<block type='t%u' name='%s' %s", number, name, attributes->str);
    g_string_append_printf(around, copies > 0 ? " count='%u'/>\n" : "/>\n", copies);
  } else {
    g_string_append_printf(around, "<circuit name='%s' %s>%s</circuit>\n", name, attributes->str,
                           body->str);
  }
  g_string_free(body, TRUE);
  g_string_free(attributes, TRUE);
  g_string_free(ports, TRUE);
}

/* All of a circuit: elements, circuits, elements. NOLINTNEXTLINE(misc-no-recursion): as deep as the
 * circuits. */
static void inside(Forms *f, const Level *at, guint depth)
{
  if (depth > 0) {
    gboolean type = below(2) == 0;
    circuit(f, at, "h", type, type ? below(3) : 0, depth - 1);
  }
  elements(f, at);
  if (depth > 1) {
    circuit(f, at, "q", TRUE, 0, depth - 2);
  }
}

/* A source behind a resistance at node a, a gate of 10 kHz, and what is inside. */
static char *whole(const GString *types, const GString *circuit_text, const GString *record)
{
  return g_strdup_printf("%s<pwm name='gate' period='100u' duty='0.4'/>"
                         "<circuit name='m' g='gate'><in name='g'/>"
                         "<voltage name='U' nodes='u 0' value='24'/>"
                         "<resistor name='Ru' nodes='u a' R='0.3'/>"
                         "<capacitor name='C0' nodes='a 0' C='1m'/>%s</circuit>"
                         "<experiment stop='0.5m' method='block_liqss2' record='m/C0%s'/>",
                         types->str, circuit_text->str, record->str);
}

static void random_forms(guint32 number, char **nested, char **flat)
{
  seed = number * 2654435761U + 1;
  Forms f = {.nested = g_string_new(""),
             .flat = g_string_new(""),
             .types = g_string_new(""),
             .nested_record = g_string_new(""),
             .flat_record = g_string_new("")};
  Level top = {.path = g_strdup("m/"), .before = g_strdup(""), .n = 4};
  static const char *const names[] = {"0", "a", "b", "c"};
  for (guint k = 0; k < top.n; k++) {
    top.node[k] = g_strdup(names[k]);
    top.plain[k] = g_strdup(names[k]);
  }
  inside(&f, &top, 1 + below(3));
  GString *none = g_string_new("");
  *nested = whole(f.types, f.nested, f.nested_record);
  *flat = whole(none, f.flat, f.flat_record);
  level_clear(&top);
  g_string_free(none, TRUE);
  g_string_free(f.nested, TRUE);
  g_string_free(f.flat, TRUE);
  g_string_free(f.types, TRUE);
  g_string_free(f.nested_record, TRUE);
  g_string_free(f.flat_record, TRUE);
}

enum { MANY = 40 };

static void test_a_nested_circuit_is_its_elements(void)
{
  static const char *const engines[] = {"tree", "flat"};
  guint ran = 0;
  for (guint32 k = 1; k <= MANY; k++) {
    g_autofree char *nested = NULL, *flat = NULL, *which = g_strdup_printf("seed %u", k);
    random_forms(k, &nested, &flat);
    g_autoptr(HyLoaded) a = load(nested);
    g_autofree char *said = hy_report_text(report);
    hy_report_free(report);
    report = hy_report_new();
    g_autoptr(HyLoaded) b = load(flat);
    TEST_ASSERT_EQUAL_MESSAGE(b == NULL, a == NULL, said);
    if (a == NULL) {
      continue;
    }
    g_autoptr(HyRun) x = go(a, "fused");
    g_autoptr(HyRun) y = go(b, "fused");
    expect_same(x, y, which);
    for (guint e = 0; e < G_N_ELEMENTS(engines); e++) {
      g_autoptr(HyRun) other = go(a, engines[e]);
      expect_same(x, other, engines[e]);
    }
    ran++;
  }
  TEST_ASSERT_GREATER_THAN_UINT(MANY * 3 / 4, ran);
}

/* Ports ---------------------------------------------------------------------------------------- */

/* A source that reads its own network by way of ports is solved for, and a ramp that comes by ports
 * has a slope: as where all stands in one circuit. */
static void test_ports_do_not_hide_readings_and_slopes(void)
{
  g_autoptr(HyLoaded) nested = load_well(
      "<type name='amp'><node name='a'/><node name='o'/><in name='u'/><param name='k' value='2'/>"
      "<voltage name='E' nodes='o 0' value='k*u'/><resistor name='R' nodes='a o' R='3'/>"
      "<out name='i' from='R.i'/><out name='twice' from='2*R.i'/></type>"
      "<type name='cap'><node name='a'/><in name='u'/><voltage name='E' nodes='a 0' value='u'/>"
      "<capacitor name='C' nodes='a 0' C='1u'/><out name='i' from='C.i'/></type>"
      "<sine name='s' frequency='50' amplitude='10'/>"
      "<circuit name='m' s='s'><in name='s'/><voltage name='U' nodes='in 0' value='24'/>"
      "<resistor name='R1' nodes='in x' R='1'/>"
      "<block name='h' type='amp' a='x' o='y' u='0.1*g.i + h.twice/10'/>"
      "<block name='g' type='amp' a='y' o='z' u='R1.v/4' k='3'/>"
      "<resistor name='R2' nodes='x 0' R='7'/><capacitor name='C' nodes='x 0' C='1m' v0='3'/>"
      "<block name='c' type='cap' a='q' u='2*s + 1'/></circuit>"
      "<experiment stop='1m' method='block_liqss2' record='m/h/E.v m/g/E.v m/R2.v m/c.i'/>");
  g_autoptr(HyLoaded) flat = load_well(
      "<sine name='s' frequency='50' amplitude='10'/>"
      "<circuit name='m' s='s'><in name='s'/><voltage name='U' nodes='in 0' value='24'/>"
      "<resistor name='R1' nodes='in x' R='1'/>"
      "<voltage name='hE' nodes='y 0' value='2*(0.1*gR.i + 2*hR.i/10)'/>"
      "<resistor name='hR' nodes='x y' R='3'/>"
      "<voltage name='gE' nodes='z 0' value='3*(R1.v/4)'/><resistor name='gR' nodes='y z' R='3'/>"
      "<resistor name='R2' nodes='x 0' R='7'/><capacitor name='C' nodes='x 0' C='1m' v0='3'/>"
      "<voltage name='cE' nodes='q 0' value='2*s + 1'/><capacitor name='cC' nodes='q 0' C='1u'/>"
      "</circuit>"
      "<experiment stop='1m' method='block_liqss2' record='m/hE.v m/gE.v m/R2.v m/cC.i'/>");
  g_autoptr(HyRun) a = go(nested, "auto");
  g_autoptr(HyRun) b = go(flat, "auto");
  expect_same(a, b, "ports");
}

/* 24 V by 1 Ohm and three of 2 Ohm in parallel, each through an array of nodes and two walls. */
static void test_arrays_of_nodes_lead_through_walls(void)
{
  g_autoptr(HyLoaded) loaded = load_well(
      "<type name='star'><node name='ac' count='N'/><param name='N' value='2'/>"
      "<resistor name='R' count='N' nodes='ac[i] n' R='2'/><resistor name='Rn' nodes='n 0' R='1m'/>"
      "<out name='i' count='N' from='R[i].i'/></type>"
      "<type name='wrap'><node name='p' count='3'/>"
      "<block name='s' type='star' ac='p[*]' N='3'/><block name='t' type='star' ac='p[2..3]'/>"
      "<out name='i' from='sum(s.i[*]) + sum(t.i[*])'/></type>"
      "<circuit name='m'><voltage name='U' nodes='in 0' value='24'/>"
      "<resistor name='R' count='2' nodes='in x[i]' R='1'/>"
      "<block name='w' type='wrap' p='x[1..2], 0'/>"
      "<inductor name='L' nodes='in q' L='1'/><resistor name='Rq' nodes='q 0' R='1'/>"
      "<out name='i' from='w.i'/><out name='v' from='x[2].v'/></circuit>"
      "<experiment stop='1' record='m.i m.v m/w/s/R[1].i m/w/p[2].v m/w/s/ac[2].v'/>");
  g_autoptr(HyRun) run = go(loaded, "auto");
  /* Kirchhoff, with n and m the star points: 24 = x1 + i1, x1 = n + 2 i1; ... */
  double n = last(run, 0), v = last(run, 1), i1 = last(run, 2);
  TEST_ASSERT_EQUAL_DOUBLE(v, last(run, 3));
  TEST_ASSERT_EQUAL_DOUBLE(v, last(run, 4));
  double star = 24 - 3 * i1;                      /* of s: by the way of x[1] */
  double s_n = star / 1e-3, s_2 = (v - star) / 2; /* its currents to 0 and from x[2] */
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, s_n, i1 + s_2 - star / 2);
  double t_2 = 24 - v - s_2, t_n = v - 2 * t_2; /* of t */
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, t_n / 1e-3, t_2 - t_n / 2);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, n, s_n + t_n / 1e-3);
}

/* Nodes and readings of one name inside and outside, whose values are known in another circuit: an
 * output stands inside all the same, and what goes up there comes back down. All are 6 V (a source
 * behind 3 Ohm, 3 Ohm in two parts); C is in the outermost. */
static void test_a_reading_of_another_circuit_goes_through_ports(void)
{
  static const char *const engines[] = {"tree", "flat", "fused"};
  g_autoptr(HyLoaded) loaded = load_well(
      "<type name='in'><node name='a'/><node name='b'/><in name='g'/><probe name='u' nodes='a b'/>"
      "<resistor name='R' nodes='a b' R='6'/><ideal_switch name='S' nodes='a b' control='g > 99'/>"
      "<out name='v' from='u.v' unit='V'/><out name='p' from='a.v'/><out name='g' from='2*g'/>"
      "</type>"
      "<type name='on'><node name='a'/><node name='b'/><probe name='u' nodes='a b'/>"
      "<block name='x' type='in' a='a' b='b' g='x.v'/><out name='v' from='u.v'/>"
      "<out name='w' from='x.v + u.v'/></type>"
      "<circuit name='m'><voltage name='U' nodes='in 0' value='12'/>"
      "<resistor name='R' nodes='in a' R='3'/><capacitor name='C' nodes='a 0' C='1m' v0='6'/>"
      "<probe name='u' nodes='a 0'/><block name='x' type='in' a='a' b='0' g='u.v'/>"
      "<block name='y' type='on' a='a' b='0'/>"
      "<out name='v' from='u.v'/><out name='x' from='x.v'/><out name='y' from='y.v'/>"
      "<out name='w' from='y.w'/><out name='p' from='x.p'/><out name='g' from='x.g'/></circuit>"
      "<experiment stop='1m' method='block_liqss2' record='m.v m.x m.y m.w m.p m.g m/y/x/u.v'/>");
  for (guint k = 0; k < G_N_ELEMENTS(engines); k++) {
    g_autoptr(HyRun) run = go(loaded, engines[k]);
    for (guint c = 0; c < 7; c++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-3, c == 3 || c == 5 ? 12 : 6, last(run, c));
    }
  }
}

/* A library has circuit types as it has others. */
static void test_sets_and_records_reach_inside(void)
{
  static const char *const set[] = {"m/h[2]/R.R=3", "m/h[1].k=4", NULL};
  static const char *const record[] = {"m/h[*]/R.i", "m/h[2]/x.v", "**/C.v", NULL};
  const char *body =
      "<type name='rc'><node name='a'/><param name='k' value='1'/>"
      "<resistor name='R' nodes='a x' R='k'/><capacitor name='C' nodes='x 0' C='1m'/></type>"
      "<circuit name='m'><voltage name='U' nodes='in 0' value='6'/>"
      "<block name='h' count='2' type='rc' a='in' if='i &lt; 3'/></circuit>"
      "<experiment stop='0' method='block_liqss2'/>";
  HyLoadOptions options = {.set = set, .record = record};
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns='urn:hydevs:1' name='m' needs='1.2'>%s</hydevs>", body);
  g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", &options, report);
  g_autofree char *messages = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, messages);
  g_autoptr(HyRun) run = go(loaded, "tree");
  TEST_ASSERT_EQUAL_UINT(5, hy_recorder_n(hy_run_table(run, 0)));
  TEST_ASSERT_EQUAL_DOUBLE(1.5, last(run, 0));
  TEST_ASSERT_EQUAL_DOUBLE(2, last(run, 1));
  TEST_ASSERT_EQUAL_DOUBLE(0, last(run, 2));
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_ports_do_not_hide_readings_and_slopes);
  RUN_TEST(test_arrays_of_nodes_lead_through_walls);
  RUN_TEST(test_a_reading_of_another_circuit_goes_through_ports);
  RUN_TEST(test_sets_and_records_reach_inside);
  RUN_TEST(test_a_nested_circuit_is_its_elements);
  return UNITY_END();
}
