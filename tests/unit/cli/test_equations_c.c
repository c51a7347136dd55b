/* hydevs export --c: the file compiles, its right side and Jacobian have the bits of the program's
 * own CVODE group at random states and modes, and its run ends where the program's does. */
#include "equations/jacobian.h"
#include "folder.h"
#include "groups/classic_internal.h"
#include "hydevs/equations.h"
#include "hydevs/hydevs.h"
#include "sim/engine.h"

#include <math.h>
#include <stdio.h>

static guint64 seed = 1;

static double uniform(double from, double to)
{
  seed = seed * 6364136223846793005U + 1442695040888963407U;
  return from + (to - from) * ((double)(seed >> 11) * 0x1p-53);
}

/* Functions of all kinds, powers, two sines, a mean of many (a hub), a mode that reads a mode. */
static const char everything[] =
    "<hydevs xmlns=\"urn:hydevs:1\" name=\"all\">\n"
    "  <sine name=\"s\" frequency=\"3\" phase=\"0.2\" offset=\"1.5\"/>\n"
    "  <ramp name=\"r\" duration=\"10\"/>\n"
    "  <integrator name=\"z\" count=\"40\" x0=\"i/40\" in=\"m.out - z[i] + 0.1*s\"/>\n"
    "  <function name=\"m\" formula=\"mean(z[*])\"/>\n"
    "  <hysteresis name=\"h\" in=\"x - 0.5\" lower=\"-0.1\" upper=\"0.1\"/>\n"
    "  <integrator name=\"x\" x0=\"0.3\" in=\"if(y &gt; 0.2, 1 - x, -x^3) - m.out*y^-2 + h\"/>\n"
    "  <integrator name=\"y\" x0=\"0.7\" in=\"sin(x) + cos(y) + exp(-y^2) + sqrt(y) + log(y) + "
    "log10(y) + tan(x)/3 + asin(x/9) + acos(x/9) + atan(x) + atan2(x, y) + sinh(x) + cosh(y) + "
    "tanh(x) + wlog(x) + abs(x - y) + y^1.5 + y^x + min(x, y) - s*r\"/>\n"
    "</hydevs>\n";

typedef struct {
  HyLoaded *loaded;
  HyRun *run;
} Case;

#define FINE 1e-8

static Case open_text(const char *text, const char *const *set, double until, double tol)
{
  static const char *const library[] = {HY_SOURCE_DIR "/library", NULL};
  const HyLoadOptions options = {
      .library = library, .method = "cvode_bdf", .set = set, .dqrel = tol, .dqmin = tol};
  g_autoptr(HyReport) report = hy_report_new();
  Case c = {.loaded = hy_load_memory(text, strlen(text), "m.xml", &options, report)};
  g_autofree char *said = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(c.loaded, said);
  HyRunSettings settings = HY_RUN_SETTINGS;
  settings.engine = "flat";
  settings.stop = until;
  g_autoptr(GError) error = NULL;
  c.run = hy_run_new(c.loaded, &settings, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(c.run, error != NULL ? error->message : "");
  return c;
}

static void close_case(Case *c)
{
  hy_run_free(c->run);
  hy_loaded_free(c->loaded);
}

static char *read_model(const char *name)
{
  g_autofree char *path = repository(name);
  return contents(path);
}

static char *output(const char *command, const char *input)
{
  g_autofree char *in = g_build_filename(dir, "in", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(in, input, -1, NULL));
  g_autofree char *line = g_strdup_printf("cd '%s' && %s < in", dir, command);
  const char *argv[] = {"sh", "-c", line, NULL};
  char *out = NULL;
  g_autofree char *err = NULL;
  int wait = 0;
  TEST_ASSERT_TRUE(g_spawn_sync(NULL, (char **)(gpointer)argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
                                NULL, &out, &err, &wait, NULL));
  TEST_ASSERT_TRUE_MESSAGE(g_spawn_check_wait_status(wait, NULL), err);
  TEST_ASSERT_EQUAL_STRING("", err);
  return out;
}

/* f.c in the folder. */
static void export_c(const char *text, const char *const *set, double until, double tol)
{
  Case c = open_text(text, set, until, tol);
  g_autoptr(GString) out = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  gboolean ok = hy_equations_c(hy_run_sim(c.run), 0.0, until, out, &error);
  TEST_ASSERT_TRUE_MESSAGE(ok, error != NULL ? error->message : "");
  g_autofree char *file = g_build_filename(dir, "f.c", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(file, out->str, -1, NULL));
  close_case(&c);
}

#ifdef HY_CVODE_LINKS

#define CC HY_CC " -Wall -Wextra -Werror -std=c99 -O1 -ffp-contract=off "

/* Bits -------------------------------------------------------------------------------------------
 */

/* Reads states, sources and modes; prints x' and the Jacobian with all their digits. */
static const char driver[] = "#define WITHOUT_MAIN\n"
                             "#include \"f.c\"\n"
                             "int main(void)\n"
                             "{\n"
                             "  static double dx[N], entry[ENTRIES];\n"
                             "  printf(\"%d %d\\n\", SOURCES, MODES);\n"
                             "  for (int k = 0; k < N + SOURCES; k++) {\n"
                             "    if (scanf(\"%la\", &v[k]) != 1) return 1;\n"
                             "  }\n"
                             "  for (int k = 0, m; k < MODES; k++) {\n"
                             "    if (scanf(\"%d\", &m) != 1) return 1;\n"
                             "    mode[k] = (unsigned char)m;\n"
                             "  }\n"
                             "  set_hubs();\n"
                             "  derivatives(dx);\n"
                             "  jacobian(entry);\n"
                             "  for (int i = 0; i < N; i++) {\n"
                             "    printf(\"%a\\n\", dx[i]);\n"
                             "    for (int k = row_first[i]; k < row_first[i + 1]; k++) {\n"
                             "      printf(\"%d %a\\n\", row_column[k], entry[k]);\n"
                             "    }\n"
                             "    printf(\"-1 0\\n\");\n"
                             "  }\n"
                             "  (void)source_at, (void)set_values, (void)name, (void)start;\n"
                             "  (void)mode_row, (void)begin, (void)end;\n"
                             "  return 0;\n"
                             "}\n";

/* The flags of the rows of states, each once, as the file numbers them. */
static GArray *flags_of(const HyRoom *room)
{
  GArray *flags = g_array_new(FALSE, FALSE, sizeof(guint32));
  g_autofree guint8 *met = g_new0(guint8, room->first_flag[room->diagram.flat->n] + 1);
  for (guint i = 0; i < room->states->len; i++) {
    const HyRunRow *r = &room->run[hy_room_state(room, i)->row];
    for (guint k = 0; k < r->shape->n_flags; k++) {
      if (!met[r->flag[k]]) {
        g_array_append_val(flags, r->flag[k]);
        met[r->flag[k]] = 1;
      }
    }
  }
  return flags;
}

/* Random states, sources and modes: into the room and its group, and as the driver reads them. */
static char *draw(HyRoom *room, HyClassic *g, const GArray *flags, guint sources, double *y)
{
  GString *in = g_string_new(NULL);
  for (guint i = 0; i < g->n; i++) {
    y[i] = uniform(0.1, 2.0);
    room->signal[g->rows.slot[i]] = (HyPiece){.c = {y[i]}};
    g_string_append_printf(in, "%a\n", y[i]);
  }
  for (guint k = 0; k < sources; k++) {
    double u = uniform(-1.0, 1.0);
    if (k < g->rows.n_outer) {
      g->rows.assumed[k] = room->signal[g->rows.outer[k]] = (HyPiece){.c = {u}};
    }
    g_string_append_printf(in, "%a\n", u);
  }
  for (guint k = 0; k < flags->len; k++) {
    guint8 *flag = &room->flag[g_array_index(flags, guint32, k)];
    *flag = uniform(0.0, 1.0) < 0.5;
    g_string_append_printf(in, "%d\n", *flag);
  }
  for (guint k = 0; k < g->rows.n_flags; k++) {
    g->rows.was[k] = room->flag[g->rows.flag[k]];
  }
  for (guint r = 0; r < room->rows.rows->len; r++) {
    room->run[r].stale = TRUE;
  }
  g->rows.as_was = TRUE; /* nobody has told the batches of the flags */
  return g_string_free(in, FALSE);
}

static void same_bits(double ours, double theirs)
{
  guint64 a, b;
  memcpy(&a, &ours, sizeof a);
  memcpy(&b, &theirs, sizeof b);
  TEST_ASSERT_EQUAL_HEX64(a, b);
}

/* The rows of the driver's output against the group's right side and the room's Jacobian. */
static void compare(const char *out, guint n, const double *dy, const double *a)
{
  char *at = strchr(out, '\n') + 1;
  g_autofree double *row = g_new(double, n);
  for (guint i = 0; i < n; i++) {
    memset(row, 0, n * sizeof *row);
    same_bits(dy[i], g_ascii_strtod(at, &at));
    for (gint64 j = g_ascii_strtoll(at, &at, 10); j >= 0; j = g_ascii_strtoll(at, &at, 10)) {
      row[j] = g_ascii_strtod(at, &at);
    }
    g_ascii_strtod(at, &at);
    for (guint j = 0; j < n; j++) {
      same_bits(a[(gsize)i * n + j], row[j]);
    }
  }
}

static void has_the_bits_of(const char *text, const char *const *set, guint sources, guint modes)
{
  export_c(text, set, 1e-3, FINE);
  g_autofree char *file = g_build_filename(dir, "driver.c", NULL);
  TEST_ASSERT_TRUE(g_file_set_contents(file, driver, -1, NULL));
  g_free(output(CC "driver.c -o driver -lm", ""));
  Case c = open_text(text, set, 1.0, FINE);
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE(hy_sim_init_equations(hy_run_sim(c.run), 0.0, &error));
  HyRoom *room = hy_run_sim(c.run)->room;
  HyClassic *g = hy_room_group(room, 0)->classic;
  g_autoptr(GArray) flags = flags_of(room);
  g_autofree double *y = g_new(double, g->n), *dy = g_new(double, g->n);
  g_autofree double *a = g_new(double, (gsize)g->n * g->n);
  g_autofree char *sizes = g_strdup_printf("%u %u\n", sources, modes);
  TEST_ASSERT_EQUAL_UINT(room->states->len, g->n);
  for (guint k = 0; k < 10; k++) {
    g_autofree char *in = draw(room, g, flags, sources, y);
    g_autofree char *out = output("./driver", in);
    TEST_ASSERT_TRUE(g_str_has_prefix(out, sizes));
    TEST_ASSERT_EQUAL_UINT(modes, flags->len);
    TEST_ASSERT_TRUE(hy_classic_rhs(g, 0.0, y, dy));
    for (guint h = 0; h < room->rows.hub->len; h++) {
      guint slot = g_array_index(room->rows.hub, HyHub, h).slot;
      room->signal[slot] = (HyPiece){.c = {g->rows.at[slot]}};
    }
    TEST_ASSERT_EQUAL_UINT(g->n, hy_room_jacobian(room, 0.0, a));
    compare(out, g->n, dy, a);
  }
  close_case(&c);
}

static void test_bits_of_the_cuk_converter(void)
{
  g_autofree char *text = read_model("examples/thesis/cuk-interleaved/model.xml");
  has_the_bits_of(text, NULL, 4, 8);
}

static void test_bits_of_adr(void)
{
  static const char *const set[] = {"N=60", NULL};
  g_autofree char *text = read_model("examples/thesis/adr/model.xml");
  has_the_bits_of(text, set, 0, 0);
}

static void test_bits_of_all_functions(void)
{
  has_the_bits_of(everything, NULL, 2, 4);
}

/* Runs -------------------------------------------------------------------------------------------
 */

/* With tolerances of 1e-8 both end within WITHIN of each other. */
static void ends_alike(const char *text, const char *const *set, double until, double within)
{
  export_c(text, set, until, FINE);
  g_free(output(CC "f.c -o f " HY_CVODE_LINKS, ""));
  g_autofree char *command = g_strdup_printf("./f %.17g 1e-8 1e-8", until);
  g_autofree char *out = output(command, "");
  Case c = open_text(text, set, until, FINE);
  g_autoptr(GError) error = NULL;
  g_autoptr(HyEquations) e = hy_equations_new(hy_run_sim(c.run), 0.0, &error);
  TEST_ASSERT_TRUE(hy_sim_run(hy_run_sim(c.run), until, &error));
  g_auto(GStrv) lines = g_strsplit(out, "\n", -1);
  char *at = lines[1];
  TEST_ASSERT_EQUAL_DOUBLE(until, g_ascii_strtod(at, &at));
  for (guint k = 0; k < hy_equations_n(e); k++) {
    double x = hy_equations_value(e, k, until);
    TEST_ASSERT_EQUAL_CHAR(',', *at);
    TEST_ASSERT_DOUBLE_WITHIN(within * (1.0 + fabs(x)), x, g_ascii_strtod(at + 1, &at));
  }
  close_case(&c);
}

static void test_the_cuk_converter_runs(void)
{
  g_autofree char *text = read_model("examples/thesis/cuk-interleaved/model.xml");
  ends_alike(text, NULL, 2e-3, 1e-6);
}

static void test_adr_runs(void)
{
  static const char *const set[] = {"N=100", NULL};
  g_autofree char *text = read_model("examples/thesis/adr/model.xml");
  ends_alike(text, set, 0.5, 1e-6);
}

/* A source that jumps and one that bends, a latch that turns to and fro: x follows u = +-1. */
static void test_sources_and_a_latch(void)
{
  static const char text[] =
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n"
      "  <square name=\"q\" low=\"0\" high=\"0.5\" frequency=\"1\"/>\n"
      "  <triangle name=\"w\" frequency=\"0.7\"/>\n"
      "  <hysteresis name=\"h\" in=\"x\" lower=\"-0.2\" upper=\"0.2\" low=\"1\" high=\"-1\"/>\n"
      "  <integrator name=\"x\" in=\"h + 0.3*q\"/>\n"
      "  <integrator name=\"y\" in=\"w + q - y\"/>\n"
      "</hydevs>\n";
  ends_alike(text, NULL, 7.3, 1e-6);
}

/* Below 0 the coil goes on through the other diode and falls by (R + Ron)/L, however well they
 * block, at tolerances of 1e-3. */
static void test_a_freewheeling_diode_conducts(void)
{
  static const char *const off[] = {"1e4", "1e6", "1e9", "1e10", "1e11", "1e12"};
  for (guint k = 0; k < G_N_ELEMENTS(off); k++) {
    g_autofree char *text = g_strdup_printf(
        "<hydevs xmlns='urn:hydevs:1' name='m' needs='1.2'>"
        "<square name='u' low='-12' high='12' frequency='50'/><circuit name='c' u='u'><in "
        "name='u'/><voltage name='U' nodes='in 0' value='u'/>"
        "<inductor name='Ls' nodes='in a' L='20u' i0='8'/>"
        "<ideal_diode name='D1' nodes='a y' Ron='2m' Roff='%s'/>"
        "<ideal_diode name='D2' nodes='0 y' Ron='2m' Roff='%s'/>"
        "<inductor name='L' nodes='y o' L='15m' i0='8'/><resistor name='R' nodes='o 0' R='0.4'/>"
        "</circuit></hydevs>",
        off[k], off[k]);
    export_c(text, NULL, 20e-3, 1e-3);
    g_free(output(CC "f.c -o f " HY_CVODE_LINKS, ""));
    g_autofree char *out = output("timeout 60 ./f 19e-3 1e-3 1e-3 1e-3", "");
    g_auto(GStrv) lines = g_strsplit(out, "\n", -1);
    TEST_ASSERT_TRUE(g_str_has_suffix(lines[0], "c/L.i"));
    for (guint row = 11; row < 19; row++) {
      double i = g_ascii_strtod(strrchr(lines[row], ',') + 1, NULL);
      double next = g_ascii_strtod(strrchr(lines[row + 1], ',') + 1, NULL);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(30.0 * (1e-3 + 12.0 / g_ascii_strtod(off[k], NULL)),
                                        i * exp(-0.402 / 15.0), next, off[k]);
    }
  }
}

#endif

/* Refused ---------------------------------------------------------------------------------------
 */

static void refuses(const char *inside, const char *reason)
{
  g_autofree char *text =
      g_strdup_printf("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n%s</hydevs>\n", inside);
  Case c = open_text(text, NULL, 1.0, FINE);
  g_autoptr(GString) out = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_FALSE_MESSAGE(hy_equations_c(hy_run_sim(c.run), 0.0, 1.0, out, &error), text);
  TEST_ASSERT_TRUE_MESSAGE(g_str_has_prefix(error->message, reason), error->message);
  close_case(&c);
}

static void test_what_is_no_equation(void)
{
  refuses("<square name=\"k\" frequency=\"10\"/><sampler name=\"s\" in=\"x\" "
          "trigger=\"k\"/><integrator name=\"x\" in=\"1 - s\"/>",
          "s: the equations read it, and what it says follows states");
  refuses("<variable_delay name=\"d\" in=\"x\" time=\"0.1\" maximum=\"1\"/>"
          "<integrator name=\"x\" x0=\"1\" in=\"-d\"/>",
          "d: the equations read it, and what it says follows states");
  refuses("<in name=\"u\"/><integrator name=\"x\" in=\"2*u\"/>",
          "x:in: it reads an input of the model itself");
  refuses("<generator name=\"g\" period=\"0.3\" first=\"0.1\" values=\"1\"/><integrator name=\"x\" "
          "in=\"g\"/>",
          "g: the equations read it, and it says nothing at the start");
  refuses("<constant name=\"c\" value=\"1\"/>", "m: there are no equations");
}

int main(void)
{
  UNITY_BEGIN();
#ifdef HY_CVODE_LINKS
  RUN_TEST(test_bits_of_the_cuk_converter);
  RUN_TEST(test_bits_of_adr);
  RUN_TEST(test_bits_of_all_functions);
  RUN_TEST(test_the_cuk_converter_runs);
  RUN_TEST(test_adr_runs);
  RUN_TEST(test_sources_and_a_latch);
  RUN_TEST(test_a_freewheeling_diode_conducts);
#endif
  RUN_TEST(test_what_is_no_equation);
  return UNITY_END();
}
