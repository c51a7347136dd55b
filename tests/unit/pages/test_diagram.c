/* Drawings: on every example and on graphs drawn by lot no box touches another one, no wire runs
 * through a box or along a wire of another output, and every text has the room that it needs. */
#include "base/hint.h"
#include "pages/chart.h"
#include "pages/diagram.h"

#include <math.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* What must hold of a layout ------------------------------------------------------------------- */

static void fail(const char *where, const char *what, guint a, guint b)
{
  g_autofree char *text = g_strdup_printf("%s: %s (%u, %u)", where, what, a, b);
  TEST_FAIL_MESSAGE(text);
}

static void boxes_are_apart(const HyLayout *l, const char *where)
{
  for (guint i = 0; i < l->box->len; i++) {
    const HyBox *a = hy_layout_box(l, i);
    if (!(a->x >= 0 && a->y >= 0 && a->x + a->w <= l->w && a->y + a->h + a->below <= l->h)) {
      fail(where, "a box is not on the paper", i, i);
    }
    for (guint j = i + 1; j < l->box->len; j++) {
      const HyBox *b = hy_layout_box(l, j);
      gboolean x = a->x < b->x + b->w && b->x < a->x + a->w;
      gboolean y = a->y < b->y + b->h + b->below && b->y < a->y + a->h + a->below;
      if (x && y) {
        fail(where, "boxes touch", i, j);
      }
    }
  }
}

/* A wire goes right or down or back, never slanting, and never through a box or its name. */
static void wires_are_free(const HyLayout *l, const char *where)
{
  for (guint i = 0; i < l->wire->len; i++) {
    const HyWire *w = hy_layout_wire(l, i);
    const HyBox *from = hy_layout_box(l, w->from), *to = hy_layout_box(l, w->to);
    TEST_ASSERT_TRUE(w->n >= 2);
    HyCorner first = w->point[0], last = w->point[w->n - 1];
    if (first.x != from->x + from->w || first.y != from->y + from->out[w->from_port] ||
        last.x != to->x || last.y != to->y + to->in[w->to_port]) {
      fail(where, "a wire does not end at its ports", i, i);
    }
    for (guint k = 0; k + 1 < w->n; k++) {
      HyCorner p = w->point[k], q = w->point[k + 1];
      if (p.x != q.x && p.y != q.y) {
        fail(where, "a wire slants", i, k);
      }
      for (guint j = 0; j < l->box->len; j++) {
        const HyBox *b = hy_layout_box(l, j);
        if (MAX(p.x, q.x) > b->x && MIN(p.x, q.x) < b->x + b->w && MAX(p.y, q.y) > b->y &&
            MIN(p.y, q.y) < b->y + b->h + b->below) {
          fail(where, "a wire runs through a box", i, j);
        }
      }
    }
  }
}

static gboolean along(HyCorner a, HyCorner b, HyCorner c, HyCorner d)
{
  if (a.x == b.x && c.x == d.x && a.x == c.x) {
    return MIN(MAX(a.y, b.y), MAX(c.y, d.y)) > MAX(MIN(a.y, b.y), MIN(c.y, d.y));
  }
  if (a.y == b.y && c.y == d.y && a.y == c.y) {
    return MIN(MAX(a.x, b.x), MAX(c.x, d.x)) > MAX(MIN(a.x, b.x), MIN(c.x, d.x));
  }
  return FALSE;
}

/* The rectangle of a wire. */
typedef struct {
  double left, right, top, bottom;
} Extent;

static Extent extent_of(const HyWire *w)
{
  Extent e = {w->point[0].x, w->point[0].x, w->point[0].y, w->point[0].y};
  for (guint k = 1; k < w->n; k++) {
    e.left = fmin(e.left, w->point[k].x);
    e.right = fmax(e.right, w->point[k].x);
    e.top = fmin(e.top, w->point[k].y);
    e.bottom = fmax(e.bottom, w->point[k].y);
  }
  return e;
}

static gboolean are_apart(const Extent *a, const Extent *b)
{
  return a->right < b->left || b->right < a->left || a->bottom < b->top || b->bottom < a->top;
}

/* How many wires of different outputs lie on one another, but for those to one port. */
static guint wires_along(const HyLayout *l)
{
  guint n = 0;
  g_autofree Extent *extent = g_new(Extent, l->wire->len + 1);
  for (guint i = 0; i < l->wire->len; i++) {
    extent[i] = extent_of(hy_layout_wire(l, i));
  }
  for (guint i = 0; i < l->wire->len; i++) {
    const HyWire *a = hy_layout_wire(l, i);
    for (guint j = i + 1; j < l->wire->len; j++) {
      const HyWire *b = hy_layout_wire(l, j);
      if (are_apart(&extent[i], &extent[j])) {
        continue;
      }
      gboolean one = a->from == b->from && a->from_port == b->from_port;
      one = one || (a->to == b->to && a->to_port == b->to_port);
      for (guint k = 0; !one && k + 1 < a->n; k++) {
        for (guint m = 0; m + 1 < b->n; m++) {
          n += along(a->point[k], a->point[k + 1], b->point[m], b->point[m + 1]);
        }
      }
    }
  }
  return n;
}

/* Of models ------------------------------------------------------------------------------------ */

static void texts_have_room(const HyDiagram *d, const char *where)
{
  for (guint k = 0; k < d->drawn->len; k++) {
    const HyDrawn *b = hy_drawn(d, k);
    const HyBox *box = hy_layout_box(&d->layout, k);
    double w = b->name != NULL ? hy_text_width(b->name, b->component == HY_SELF ? 11 : 12) : 0;
    double text = b->text != NULL ? hy_text_width(b->text, 12) : 0;
    if (w > box->w || text > box->w || (b->text != NULL && 14 * hy_text_lines(b->text) > box->h)) {
      fail(where, "a text is larger than its box", k, 0);
    }
  }
}

static void check_diagram(const HyDiagram *d, const char *where)
{
  boxes_are_apart(&d->layout, where);
  wires_are_free(&d->layout, where);
  if (wires_along(&d->layout) > 0) {
    fail(where, "wires lie on one another", wires_along(&d->layout), 0);
  }
  texts_have_room(d, where);
  for (guint k = 0; k < d->drawn->len; k++) {
    if (hy_drawn(d, k)->inside != NULL) {
      check_diagram(hy_drawn(d, k)->inside, where);
    }
    if (hy_drawn(d, k)->chart != NULL) {
      check_diagram(hy_drawn(d, k)->chart, where);
    }
  }
}

static void check_file(const char *file)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_file(file, NULL, report);
  g_autofree char *text = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, text);
#ifdef __SANITIZE_ADDRESS__ /* plainly, and all with blocks */
  static const guint step = 3;
#else
  static const guint step = 1;
#endif
  for (guint k = 0; k < 4; k += step) {
    HyDrawing way = {.all = (k & 1) != 0, .blocks = (k & 2) != 0};
    g_autoptr(GError) error = NULL;
    g_autoptr(HyDiagram) d = hy_draw(loaded, &way, &error);
    if (d != NULL) {
      check_diagram(d, file);
    } else {
      TEST_ASSERT_NOT_NULL_MESSAGE(strstr(error->message, "draw a part of it"), error->message);
    }
  }
}

/* Every model below FOLDER; returns their number. */
static guint check_folder(const char *folder)
{
  guint n = 0;
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
      n += check_folder(path);
    } else if (g_str_has_suffix(name, ".xml") && strcmp(name, "street.xml") != 0 &&
               strcmp(name, "suite.xml") != 0) {
      check_file(path); /* street.xml needs a block of its own, suite.xml is no model */
      n++;
    }
  }
  return n;
}

static void test_every_example_is_drawn_without_touching(void)
{
  TEST_ASSERT_TRUE(check_folder(HY_SOURCE_DIR "/examples") > 30);
}

/* By lot --------------------------------------------------------------------------------------- */

static void random_layout(GRand *rand, HyLayout *l, double *at)
{
  guint n = (guint)g_rand_int_range(rand, 1, 14);
  gboolean hints = g_rand_boolean(rand);
  for (guint k = 0; k < n; k++) {
    guint in = (guint)g_rand_int_range(rand, 0, 5), out = (guint)g_rand_int_range(rand, 0, 4);
    HyBox b = {.w = 8 * g_rand_int_range(rand, 5, 20),
               .h = 16 * MAX(in, out) + 8 * g_rand_int_range(rand, 2, 6),
               .below = 16 * g_rand_int_range(rand, 0, 2),
               .in = at,
               .out = at,
               .n_in = in,
               .n_out = out,
               .hint_x = hints ? (double)g_rand_int_range(rand, 0, 6) : NAN,
               .hint_y = hints ? (double)g_rand_int_range(rand, 0, 6) : NAN};
    b.side = in == 0 && out > 0 && g_rand_int_range(rand, 0, 4) == 0   ? -1
             : out == 0 && in > 0 && g_rand_int_range(rand, 0, 4) == 0 ? 1
                                                                       : 0;
    g_array_append_val(l->box, b);
  }
  for (guint k = 0; k < 3 * n; k++) {
    HyWire w = {.from = (guint)g_rand_int_range(rand, 0, (gint)n),
                .to = (guint)g_rand_int_range(rand, 0, (gint)n)};
    const HyBox *from = hy_layout_box(l, w.from), *to = hy_layout_box(l, w.to);
    if (from->n_out > 0 && to->n_in > 0) {
      w.from_port = (guint)g_rand_int_range(rand, 0, (gint)from->n_out);
      w.to_port = (guint)g_rand_int_range(rand, 0, (gint)to->n_in);
      g_array_append_val(l->wire, w);
    }
  }
}

static void test_drawings_by_lot_hold(void)
{
  double at[8];
  for (guint k = 0; k < G_N_ELEMENTS(at); k++) {
    at[k] = 8 + 16 * k;
  }
  g_autoptr(GRand) rand = g_rand_new_with_seed(17);
  guint crowded = 0;
  for (guint k = 0; k < 300; k++) {
    HyLayout l;
    hy_layout_init(&l);
    random_layout(rand, &l, at);
    TEST_ASSERT_TRUE(hy_layout_find(&l));
    g_autofree char *where = g_strdup_printf("lot %u", k);
    boxes_are_apart(&l, where);
    wires_are_free(&l, where);
    crowded += wires_along(&l) > 0;
    hy_layout_clear(&l);
  }
  g_autofree char *text = g_strdup_printf("%u of 300 drawings have wires on one another", crowded);
  TEST_ASSERT_TRUE_MESSAGE(crowded <= 15, text);
}

/* A machine with STATES states and three times as many transitions, some of all states. */
static char *random_machine(GRand *rand, guint states)
{
  GString *out = g_string_new(
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><generator name=\"g\" first=\"1\" period=\"1\" "
      "values=\"1, 2\"/><machine name=\"a\" e=\"g\" f=\"g\"><var name=\"n\"/>");
  for (guint k = 0; k < states; k++) {
    g_string_append_printf(out, "<state name=\"s%u\" out=\"n\"%s>", k,
                           k % 3 == 0 ? " entry=\"n = n + 1; n = n*n - 2*n + 3\"" : "");
    for (guint i = 0; i < 3; i++) {
      gint to = g_rand_int_range(rand, 0, (gint)states);
      static const char *const cause[] = {"on event=\"e\"",
                                          "on event=\"f\" guard=\"n > 3 and elapsed > 2\"",
                                          "after time=\"2*n + 1\"", "when guard=\"n > 5\""};
      g_string_append_printf(out, "<%s to=\"s%d\"%s/>", cause[g_rand_int_range(rand, 0, 4)], to,
                             g_rand_boolean(rand) ? " do=\"n = n + 1\"" : "");
    }
    g_string_append(out, "</state>");
  }
  g_string_append(
      out,
      "<on event=\"f\" to=\"s0\"/><when guard=\"n > 100\" do=\"n = e + f\"/></machine></hydevs>");
  return g_string_free(out, FALSE);
}

static void test_machines_by_lot_hold(void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed(5);
  guint crowded = 0;
  for (guint k = 0; k < 60; k++) {
    g_autofree char *text = random_machine(rand, 1 + k % 9),
                    *where = g_strdup_printf("machine %u", k);
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded = hy_load_memory(text, strlen(text), "m.xml", NULL, report);
    g_autofree char *what = hy_report_text(report);
    TEST_ASSERT_NOT_NULL_MESSAGE(loaded, what);
    HyModel *m = hy_loaded_model(loaded);
    const HyMachine *machine = hy_machine_of(hy_model_class(m, hy_model_find(m, "a")));
    g_autoptr(HyDiagram) d = hy_chart_new(machine, "a");
    TEST_ASSERT_FALSE(d->too_much);
    boxes_are_apart(&d->layout, where);
    wires_are_free(&d->layout, where);
    texts_have_room(d, where);
    crowded += wires_along(&d->layout) > 0;
    /* a box for each state, a dot, a box of all states, and a text for each transition that leaves
     */
    TEST_ASSERT_EQUAL_UINT(1 + machine->n_states + 3 * machine->n_states + 2, d->drawn->len);
  }
  g_autofree char *text = g_strdup_printf("%u of 60 machines have arcs on one another", crowded);
  TEST_ASSERT_TRUE_MESSAGE(crowded <= 3, text);
}

/* A machine is drawn by its states where it is asked for, or small; its arcs say what causes them.
 */
static void test_a_machine_by_itself(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      hy_load_file(HY_SOURCE_DIR "/examples/machines/injector.xml", NULL, report);
  g_autoptr(GString) one = g_string_new(NULL), all = g_string_new(NULL),
                     closed = g_string_new(NULL), dot = g_string_new(NULL);
  TEST_ASSERT_TRUE(hy_draw_svg(loaded, &(HyDrawing){.block = "driver"}, one, NULL));
  TEST_ASSERT_TRUE(hy_draw_svg(loaded, &(HyDrawing){0}, all, NULL));
  TEST_ASSERT_TRUE(hy_draw_svg(loaded, &(HyDrawing){.depth = 1}, closed, NULL));
  TEST_ASSERT_TRUE(hy_draw_dot(loaded, &(HyDrawing){.block = "driver"}, dot, NULL));
  TEST_ASSERT_NOT_NULL(strstr(one->str, "data-machine=\"driver\" data-state=\"hold\""));
  TEST_ASSERT_NOT_NULL(strstr(one->str, ">after 5m / alarm!1<"));
  TEST_ASSERT_NOT_NULL(strstr(one->str, ">any state<"));
  TEST_ASSERT_NULL(strstr(one->str, "data-path=\"i\""));
  TEST_ASSERT_NOT_NULL(strstr(all->str, "data-machine=\"driver\" data-state=\"hold\""));
  TEST_ASSERT_NOT_NULL(strstr(all->str, "data-path=\"i\""));
  TEST_ASSERT_NULL(strstr(closed->str, "data-state"));
  TEST_ASSERT_NOT_NULL(
      strstr(dot->str, "\"driver:drop\" -> \"driver:hold\" [label=\"when 0.5 > i\"];"));
  TEST_ASSERT_NOT_NULL(strstr(dot->str, "\"driver:\" -> \"driver:off\" [label=\"\"];"));
}

/* Pictures of the docs, each by the command that stands under it. */
static void test_pictures_of_the_docs_are_of_today(void)
{
  static const struct {
    const char *picture, *model, *block;
  } all[] = {{"docs/diagram-cuk.svg", "examples/thesis/cuk-interleaved/model.xml", NULL},
             {"docs/diagram-llc.svg", "examples/power/llc/model.xml", NULL},
             {"examples/machines/light.svg", "examples/machines/light.xml", "light"},
             {"examples/machines/lift.svg", "examples/machines/lift.xml", "lift"},
             {"examples/machines/vending.svg", "examples/machines/vending.xml", "drinks"},
             {"examples/machines/injector.svg", "examples/machines/injector.xml", "driver"}};
  for (guint k = 0; k < G_N_ELEMENTS(all); k++) {
    g_autofree char *file = g_build_filename(HY_SOURCE_DIR, all[k].model, NULL);
    g_autofree char *picture = g_build_filename(HY_SOURCE_DIR, all[k].picture, NULL);
    g_autofree char *wanted = NULL;
    g_autoptr(HyReport) report = hy_report_new();
    g_autoptr(HyLoaded) loaded = hy_load_file(file, NULL, report);
    g_autoptr(GString) text = g_string_new(NULL);
    TEST_ASSERT_TRUE(hy_draw_svg(loaded, &(HyDrawing){.block = all[k].block}, text, NULL));
    TEST_ASSERT_TRUE(g_file_get_contents(picture, &wanted, NULL, NULL));
    TEST_ASSERT_TRUE_MESSAGE(strcmp(wanted, text->str) == 0, all[k].picture);
  }
}

/* A model without a place, a name or a port: it is drawn, and closed where it would be too much. */
static void test_what_is_asked_for_is_drawn_or_refused(void)
{
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded =
      hy_load_file(HY_SOURCE_DIR "/examples/nested/model.xml", NULL, report);
  static const struct {
    const char *block, *says;
  } wrong[] = {{"X", "X: X is no block in R"},
               {"G", "G: G has nothing inside: it is an atomic in R"},
               {"C/D/Q/Z", "C/D/Q/Z: Q has nothing inside: it is an atomic in D"}};
  for (guint k = 0; k < G_N_ELEMENTS(wrong); k++) {
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_FALSE(hy_draw_svg(loaded, &(HyDrawing){.block = wrong[k].block}, text, &error));
    TEST_ASSERT_EQUAL_STRING(wrong[k].says, error->message);
  }
  g_autoptr(HyLoaded) inverter =
      hy_load_file(HY_SOURCE_DIR "/examples/circuit/inverter.xml", NULL, report);
  g_autoptr(GString) load = g_string_new(NULL); /* a circuit inside a circuit, by its elements */
  TEST_ASSERT_TRUE(hy_draw_svg(inverter, &(HyDrawing){.block = "power/load"}, load, NULL));
  TEST_ASSERT_NOT_NULL(strstr(load->str, "data-path=\"power/load/R[3]\"><title>R[3]: resistor 5"));
  g_autoptr(GString) part = g_string_new(NULL), closed = g_string_new(NULL);
  TEST_ASSERT_TRUE(hy_draw_svg(loaded, &(HyDrawing){.block = "C/D"}, part, NULL));
  TEST_ASSERT_NOT_NULL(strstr(part->str, "data-path=\"C/D/Q\""));
  TEST_ASSERT_NULL(strstr(part->str, "data-path=\"C/P\""));
  TEST_ASSERT_TRUE(hy_draw_svg(loaded, &(HyDrawing){.depth = 1}, closed, NULL));
  TEST_ASSERT_NULL(strstr(closed->str, "data-path=\"C/P\""));
  g_autoptr(GString) dot = g_string_new(NULL);
  TEST_ASSERT_TRUE(hy_draw_dot(loaded, &(HyDrawing){0}, dot, NULL));
  TEST_ASSERT_NOT_NULL(strstr(dot->str, "subgraph \"cluster C/D\" {\nlabel=\"D\";"));
  TEST_ASSERT_NOT_NULL(strstr(dot->str, "\"G\" -> \"C.in\";"));
}

static HyDiagram *drawing_of(const char *model, HyLoaded **loaded)
{
  g_autoptr(HyReport) report = hy_report_new();
  *loaded = hy_load_memory(model, strlen(model), "m.xml", NULL, report);
  g_autofree char *text = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(*loaded, text);
  return hy_draw(*loaded, &(HyDrawing){0}, NULL);
}

static guint box_of(const HyDiagram *d, const char *name)
{
  guint k = 0;
  while (g_strcmp0(hy_drawn(d, k)->name, name) != 0) {
    k++;
  }
  return k;
}

/* From right to left, two above each other: as <view> has it, not as the wires go. */
static void test_blocks_stand_where_their_author_has_put_them(void)
{
  g_autoptr(HyLoaded) loaded = NULL;
  g_autoptr(HyDiagram) d = drawing_of(
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><sine name=\"s\"/><gain name=\"g\" k=\"2\" "
      "in=\"s\"/>"
      "<gain name=\"h\" k=\"1e-5\" in=\"s\"/><sum name=\"z\" k=\"1, -1, 2.5\" in=\"h, g, s\"/>"
      "<view><at block=\"s\" x=\"90\" y=\"0\"/><at block=\"g\" x=\"50\" y=\"40\"/>"
      "<at block=\"h\" x=\"51\" y=\"0\"/><at block=\"z\" x=\"0\" y=\"0\"/>"
      "<note x=\"0\" y=\"9\">first</note><note x=\"0\" y=\"99\">second "
      "&lt;b></note></view></hydevs>",
      &loaded);
  const HyBox *s = hy_layout_box(&d->layout, box_of(d, "s"));
  const HyBox *g = hy_layout_box(&d->layout, box_of(d, "g"));
  const HyBox *h = hy_layout_box(&d->layout, box_of(d, "h"));
  const HyBox *z = hy_layout_box(&d->layout, box_of(d, "z"));
  TEST_ASSERT_EQUAL_UINT(g->layer, h->layer);
  TEST_ASSERT_TRUE(z->x + z->w < g->x && g->x + g->w < s->x);
  TEST_ASSERT_TRUE(h->y + h->h <= g->y);
  check_diagram(d, "view");
  TEST_ASSERT_EQUAL_STRING("first\nsecond <b>", d->notes);
  const HyDrawn *sum = hy_drawn(d, box_of(d, "z"));
  static const char *const signs[] = {"+", "−", "2.5"}, *const in[] = {"in[1]", "in[2]", "in[3]"};
  for (guint k = 0; k < 3; k++) { /* in the order of its inputs, though g comes first in the file */
    TEST_ASSERT_EQUAL_STRING(signs[k], g_ptr_array_index(sum->signs, k));
    TEST_ASSERT_EQUAL_STRING(in[k], g_ptr_array_index(sum->in, k));
  }
  TEST_ASSERT_EQUAL_STRING("1e-5", hy_drawn(d, box_of(d, "h"))->text);
}

/* 1500 sums, each of the one before and of one far away: too long wires, told at once. */
static void test_what_is_too_much_is_refused(void)
{
  g_autoptr(GString) model =
      g_string_new("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><sine name=\"s\"/>");
  for (guint k = 0; k < 1500; k++) {
    g_string_append_printf(model, "<sum name=\"b%u_\" in=\"s, ", k);
    g_string_append_printf(model, k == 0 ? "s, s\"/>" : "b%u_, b%u_\"/>", k - 1, k / 2);
  }
  g_string_append(model, "</hydevs>");
  g_autoptr(HyReport) report = hy_report_new();
  g_autoptr(HyLoaded) loaded = hy_load_memory(model->str, model->len, "m.xml", NULL, report);
  TEST_ASSERT_NOT_NULL(loaded);
  g_autoptr(GError) error = NULL;
  g_autoptr(HyDiagram) d = hy_draw(loaded, &(HyDrawing){0}, &error);
  TEST_ASSERT_NULL(d);
  TEST_ASSERT_EQUAL_STRING("m: 1501 boxes and their wires are too much for a drawing (the limit is "
                           "2000 boxes, fewer where wires are long); draw a part of it with "
                           "--block PATH",
                           error->message);
}

/* Copies are one box as soon as there are more than three. */
static void test_copies_are_one_box(void)
{
  g_autoptr(HyLoaded) loaded = NULL;
  g_autoptr(HyDiagram) d =
      drawing_of("<hydevs xmlns=\"urn:hydevs:1\" name=\"m\"><sine name=\"s\" count=\"3\"/>"
                 "<integrator name=\"u\" count=\"2, 4\" in=\"-u[i,j] + s[1]\"/></hydevs>",
                 &loaded);
  TEST_ASSERT_EQUAL_UINT(8, hy_drawn(d, box_of(d, "u[1,1..2,4]"))->copies);
  TEST_ASSERT_EQUAL_UINT(1, hy_drawn(d, box_of(d, "s[3]"))->copies);
  TEST_ASSERT_EQUAL_UINT(5, d->drawn->len); /* three sines, the integrators, their formulas */
}

/* What turns the direction of letters round, or a terminal obeys, is shown. */
static void test_texts_are_plain(void)
{
  g_autoptr(GString) out = g_string_new(NULL);
  hy_xml_text(out, "a<b\342\200\256c\033[1m\nd\377");
  TEST_ASSERT_EQUAL_STRING("a&lt;b\\u202ec\\x1b[1m\nd\357\277\275", out->str);
  g_autofree char *fit = hy_text_fit("\342\200\256abc", 7, 1);
  TEST_ASSERT_EQUAL_STRING("\\u202e…", fit); /* as wide as what is shown */
}

int main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_example_is_drawn_without_touching);
  RUN_TEST(test_drawings_by_lot_hold);
  RUN_TEST(test_machines_by_lot_hold);
  RUN_TEST(test_a_machine_by_itself);
  RUN_TEST(test_pictures_of_the_docs_are_of_today);
  RUN_TEST(test_what_is_asked_for_is_drawn_or_refused);
  RUN_TEST(test_blocks_stand_where_their_author_has_put_them);
  RUN_TEST(test_copies_are_one_box);
  RUN_TEST(test_what_is_too_much_is_refused);
  RUN_TEST(test_texts_are_plain);
  return UNITY_END();
}
