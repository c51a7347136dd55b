/* A state machine as a drawing: its states as rounded boxes, and between them what causes each
 * transition, as a text that the arc runs through. Both are boxes of the layout, so that no text
 * lies on another one and no arc on a text. */
#include "pages/chart.h"

#include <math.h>
#include <string.h>

#define STATE_LETTERS 30 /* in a line */
#define LABEL_LETTERS 26
#define LABEL_LINES   5

/* Texts ---------------------------------------------------------------------------------------- */

/* "entry / n = 0", in lines; nothing where TEXT is NULL. */
static void add_line(GString *out, const char *what, const char *text)
{
  if (text != NULL) {
    g_autofree char *line = g_strconcat(what, text, NULL);
    g_autofree char *fit = hy_text_fit(line, STATE_LETTERS, 3);
    g_string_append_printf(out, "%s%s", out->len > 0 ? "\n" : "", fit);
  }
}

/* "coin [credit > 2] / credit = 0, out!1", as statecharts are written. */
char *hy_transition_text(const HyMachineTransition *t)
{
  GString *out = g_string_new(t->cause == HY_ON      ? t->event
                              : t->cause == HY_AFTER ? "after "
                                                     : "when ");
  g_string_append(out, t->cause == HY_AFTER ? t->after : t->cause == HY_WHEN ? t->condition : "");
  if (t->condition != NULL && t->cause != HY_WHEN) {
    g_string_append_printf(out, " [%s]", t->condition);
  }
  if (t->action != NULL || t->said != NULL) {
    g_string_append_printf(out, " / %s%s%s", t->action != NULL ? t->action : "",
                           t->action != NULL && t->said != NULL ? ", " : "",
                           t->said != NULL ? t->said : "");
  }
  return g_string_free(out, FALSE);
}

/* Transitions that do not leave it are told in its box, as statecharts do. */
static void add_inner(GString *out, const HyMachine *m, const HyMachineState *s, gboolean common)
{
  for (guint k = s->first; k < s->first + s->n; k++) {
    const HyMachineTransition *t = &m->transition[k];
    g_autofree char *text = hy_transition_text(t);
    add_line(out, "", t->to == HY_STAYS && t->common == common ? text : NULL);
  }
}

static char *state_text(const HyMachine *m, const HyMachineState *s)
{
  GString *out = g_string_new(NULL);
  add_line(out, "", s->label != NULL ? s->label : s->name);
  add_line(out, "", s->said);
  add_line(out, "entry / ", s->on_entry);
  add_line(out, "exit / ", s->on_exit);
  add_inner(out, m, s, FALSE);
  return g_string_free(out, FALSE);
}

/* Boxes ---------------------------------------------------------------------------------------- */

static guint add_item(HyDiagram *d, HyDrawnForm form, const char *path, char *text)
{
  guint k =
      hy_drawn_add(d, (HyDrawn){.component = HY_SELF, .copies = 1, .form = form, .text = text});
  hy_drawn(d, k)->path = g_strdup(path);
  hy_drawn(d, k)->about = g_strdup(text);
  return k;
}

static guint add_end(HyDiagram *d, guint item, gboolean output)
{
  HyDrawn *x = hy_drawn(d, item);
  GPtrArray *ports = output ? x->out : x->in;
  g_ptr_array_add(ports, g_strdup(""));
  return ports->len - 1;
}

static void add_arc(HyDiagram *d, guint from, guint to)
{
  HyWire w = {.from = from,
              .to = to,
              .from_port = add_end(d, from, TRUE),
              .to_port = add_end(d, to, FALSE)};
  g_array_append_val(d->layout.wire, w);
}

/* FROM: its state, or the box of all. */
static void add_transition(HyDiagram *d, const HyMachineTransition *t, guint from)
{
  char *text = hy_transition_text(t);
  guint label = add_item(d, HY_DRAWN_LABEL, "", hy_text_fit(text, LABEL_LETTERS, LABEL_LINES));
  g_free(hy_drawn(d, label)->about);
  hy_drawn(d, label)->about = text;
  add_arc(d, from, label);
  add_arc(d, label, 1 + t->to);
}

/* Those of all states are drawn once, at a box that stands for them. */
static void add_common(HyDiagram *d, const HyMachine *m)
{
  guint k = 0;
  while (k < m->n_states && m->state[k].final) {
    k++;
  }
  const HyMachineState *s = k < m->n_states ? &m->state[k] : NULL;
  if (s == NULL || s->n == 0 || !m->transition[s->first + s->n - 1].common) {
    return;
  }
  GString *text = g_string_new("any state");
  add_inner(text, m, s, TRUE);
  guint any = add_item(d, HY_DRAWN_ANY, "", g_string_free(text, FALSE));
  for (guint i = s->first; i < s->first + s->n; i++) {
    if (m->transition[i].common && m->transition[i].to != HY_STAYS) {
      add_transition(d, &m->transition[i], any);
    }
  }
}

HyDiagram *hy_chart_new(const HyMachine *m, const char *path)
{
  HyDiagram *d = hy_diagram_empty(NULL);
  add_item(d, HY_DRAWN_START, path, g_strdup(""));
  for (guint k = 0; k < m->n_states; k++) {
    HyDrawnForm form = m->state[k].final ? HY_DRAWN_FINAL : HY_DRAWN_STATE;
    guint item = add_item(d, form, path, state_text(m, &m->state[k]));
    hy_drawn(d, item)->state = m->state[k].name;
  }
  add_arc(d, 0, 1 + m->initial);
  for (guint k = 0; k < m->n_transitions; k++) {
    if (!m->transition[k].common && m->transition[k].to != HY_STAYS) {
      add_transition(d, &m->transition[k], 1 + m->transition[k].from);
    }
  }
  add_common(d, m);
  for (guint k = 0; k < d->drawn->len; k++) {
    hy_size_item(hy_drawn(d, k), hy_layout_box(&d->layout, k));
  }
  d->too_much = !hy_layout_find(&d->layout);
  return d;
}

gboolean hy_chart_is_small(const HyMachine *m)
{
  guint own = 0;
  for (guint k = 0; k < m->n_transitions; k++) {
    own += !m->transition[k].common;
  }
  return m->n_states <= HY_CHART_STATES && own <= HY_CHART_TRANSITIONS;
}

/* SVG ------------------------------------------------------------------------------------------ */

void hy_chart_item_svg(GString *out, const HyDrawn *d, const HyBox *box)
{
  const char *klass = d->form == HY_DRAWN_LABEL   ? "transition"
                      : d->form == HY_DRAWN_START ? "start"
                                                  : "state";
  g_string_append_printf(out, "<g class=\"%s\"%s", klass,
                         d->form == HY_DRAWN_ANY ? " stroke-dasharray=\"4 3\"" : "");
  if (d->state != NULL) {
    g_string_append(out, " data-machine=\"");
    hy_xml_text(out, d->path);
    g_string_append(out, "\" data-state=\"");
    hy_xml_text(out, d->state);
    g_string_append_c(out, '"');
  }
  g_string_append_printf(out, " transform=\"translate(%g,%g)\"><title>", box->x, box->y);
  hy_xml_text(out, d->form == HY_DRAWN_START ? "begins here" : d->about);
  g_string_append(out, "</title>");
  if (d->form == HY_DRAWN_START) {
    g_string_append_printf(out, "<circle class=\"dot\" cx=\"%g\" cy=\"%g\" r=\"6\"/>", box->w - 6,
                           box->h / 2);
  } else if (d->form != HY_DRAWN_LABEL) {
    hy_svg_rect(out, "box", 0, 0, box->w, box->h, 12);
  }
  if (d->form == HY_DRAWN_FINAL) {
    hy_svg_rect(out, "icon", 3, 3, box->w - 6, box->h - 6, 9);
  }
  if (d->text[0] != '\0') {
    guint lines = hy_text_lines(d->text);
    hy_svg_text(out, box->w / 2, box->h / 2 + 4.2 - 7.2 * (lines - 1), 12, 'm',
                d->form == HY_DRAWN_LABEL ? "value" : "name", d->text);
  }
  g_string_append(out, "</g>\n");
}

void hy_chart_arc_svg(GString *out, const HyDiagram *d, const HyWire *w)
{
  g_string_append(out, "<path class=\"wire arc\" d=\"");
  for (guint k = 0; k < w->n; k++) {
    g_string_append_printf(out, "%c%g,%g", k == 0 ? 'M' : 'L', w->point[k].x, w->point[k].y);
  }
  g_string_append(out, "\"/>");
  HyCorner end = w->point[w->n - 1];
  if (hy_drawn(d, w->to)->form != HY_DRAWN_LABEL) {
    g_string_append_printf(out, "<path class=\"head\" d=\"M%g,%gl-7,-3.5v7z\"/>", end.x, end.y);
  }
}
