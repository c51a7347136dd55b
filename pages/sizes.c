/* How large boxes are, and where their ports are: large enough for all that stands in them. */
#include "pages/diagram.h"

#include <math.h>
#include <string.h>

static double up8(double v)
{
  return 8 * ceil(v / 8);
}

static double widest_name(const GPtrArray *ports)
{
  double w = 0;
  for (guint k = 0; k < ports->len; k++) {
    w = MAX(w, hy_text_width(g_ptr_array_index(ports, k), 10));
  }
  return w;
}

/* N ports on a side of height H, in multiples of 4. */
static void spread(double *at, guint n, double h)
{
  double step = 16, top = 4 * floor((h - step * (n > 0 ? n - 1 : 0)) / 8);
  for (guint k = 0; k < n; k++) {
    at[k] = top + step * k;
  }
}

static void size_of_inside(const HyDrawn *d, double *w, double *h)
{
  *w = *h = 0;
  if (d->inside != NULL) {
    *w = d->inside->layout.w;
    *h = HY_INSIDE_TOP + d->inside->layout.h + 12;
  } else if (d->schematic != NULL) {
    *w = d->schematic->w + 16;
    *h = HY_INSIDE_TOP + d->schematic->h + 8;
  } else if (d->chart != NULL) {
    *w = d->chart->layout.w + 24;
    *h = HY_INSIDE_TOP + d->chart->layout.h + 12;
  } else if (d->text != NULL) {
    *w = hy_text_width(d->text, 12) + 16;
    *h = 16 * hy_text_lines(d->text) + 12;
  } else {
    hy_icon_size(d->klass->name, w, h);
    *w += 16;
    *h += 12;
  }
}

/* Ports at the edge of an open model are where the wires come to them inside. */
static void ports_inside(const HyDrawn *d, double *in, double *out)
{
  const HyDiagram *inside = d->inside;
  for (guint k = 0; k < inside->drawn->len; k++) {
    const HyDrawn *pin = hy_drawn(inside, k);
    const HyBox *box = hy_layout_box(&inside->layout, k);
    const GPtrArray *ports = pin->output ? d->out : d->in;
    for (guint j = 0; pin->component == HY_SELF && j < ports->len; j++) {
      g_autofree char *key = hy_without_indices(pin->name);
      const char *port = g_ptr_array_index(ports, j);
      if (strcmp(port, pin->name) == 0 || strcmp(port, key) == 0) {
        (pin->output ? out : in)[j] = HY_INSIDE_TOP + box->y + 8;
      }
    }
  }
}

static gboolean is_taken(const double *at, guint n, double y)
{
  for (guint k = 0; k < n; k++) {
    if (fabs(at[k] - y) < 8) { /* of one that has no place yet: no */
      return TRUE;
    }
  }
  return FALSE;
}

/* Ports that the copy which is drawn has not, but another: below each other, where room is. */
static void place_others(double *at, guint n, double *h)
{
  for (guint k = 0; k < n; k++) {
    if (isnan(at[k])) {
      double y = HY_INSIDE_TOP;
      while (is_taken(at, n, y)) {
        y += 4;
      }
      at[k] = y;
      *h = MAX(*h, up8(y + 8));
    }
  }
}

static void open_ports(const HyDrawn *d, double *h)
{
  double *in = d->at, *out = d->at + d->in->len;
  for (guint k = 0; k < d->in->len + d->out->len; k++) {
    d->at[k] = NAN;
  }
  ports_inside(d, in, out);
  place_others(in, d->in->len, h);
  place_others(out, d->out->len, h);
}

/* The box as the layout has it. */
static void give_ports(HyDrawn *d, HyBox *box)
{
  box->in = d->at;
  box->n_in = d->in->len;
  box->out = d->at + d->in->len;
  box->n_out = d->out->len;
}

static void spread_ports(HyDrawn *d, HyBox *box)
{
  d->at = g_new0(double, d->in->len + d->out->len + 1);
  spread(d->at, d->in->len, box->h);
  spread(d->at + d->in->len, d->out->len, box->h);
  give_ports(d, box);
}

double hy_inside_left(const HyDrawn *d)
{
  double left = d->chart != NULL ? 12 : 8;
  for (guint k = 0; k < d->in->len; k++) {
    left = MAX(left, ceil(hy_text_width(g_ptr_array_index(d->in, k), 10)) + 12);
  }
  return left;
}

void hy_size_item(HyDrawn *d, HyBox *box)
{
  gboolean start = d->form == HY_DRAWN_START, label = d->form == HY_DRAWN_LABEL;
  double lines = 14.4 * hy_text_lines(d->text);
  guint n = MAX(d->in->len, d->out->len);
  box->w = start ? 16 : up8(MAX(hy_text_width(d->text, 12) + (label ? 8 : 20), label ? 16 : 64));
  box->h = start ? 16 : up8(MAX(lines + (label ? 4 : 20), 16.0 * n + (label ? 0 : 16)));
  spread_ports(d, box);
}

void hy_size_box(HyDrawn *d, HyBox *box)
{
  guint n = MAX(d->in->len, d->out->len);
  gboolean frame = hy_is_frame(d);
  double w, h;
  size_of_inside(d, &w, &h);
  gboolean gain = d->klass != NULL && strcmp(d->klass->name, "gain") == 0;
  d->port_names = d->inside == NULL &&
                  (d->klass == NULL || d->chart != NULL || d->in->len > 1 || d->out->len > 1) &&
                  !(d->klass != NULL &&
                    (d->klass->formula != HY_NO_FORMULA || strcmp(d->klass->name, "sum") == 0 ||
                     strcmp(d->klass->name, "product") == 0));
  w += d->signs != NULL ? 2 * widest_name(d->signs) : 0;
  w += d->port_names ? widest_name(d->in) + widest_name(d->out) + 12 : 0;
  w = gain ? MAX(48, w * 1.6) : w;
  double name = d->name != NULL ? hy_text_width(d->name, 12) + 4 : 0;
  box->w = up8(MAX(MAX(w, name), 40));
  box->h = up8(MAX(MAX(h, 16.0 * n + 8), gain ? 40 : 32));
  box->below = frame || d->name == NULL ? (d->copies > 1 ? 8 : 0) : d->copies > 1 ? 24 : 16;
  if (d->inside == NULL) {
    spread_ports(d, box);
    return;
  }
  d->at = g_new0(double, d->in->len + d->out->len + 1);
  open_ports(d, &box->h);
  give_ports(d, box);
}

void hy_size_pin(HyDrawn *d, HyBox *box)
{
  box->w = up8(hy_text_width(d->name, 11) + 14);
  box->h = 16;
  spread_ports(d, box);
}
