/* The circuits of a model as one SPICE netlist, flattened, which ngspice runs.
 *
 * A switch is an S with Ron, Roff and no band. A diode is a switch that its own voltage turns,
 * behind a source of its drop: on v = Vf (1 - Ron/Roff) + Ron i, off v = Roff i to Vf/Roff. A
 * transistor is a switch with a diode, which a second one takes away while it is on. A thyristor is
 * a diode in series with a switch, which is on while the gate is, or the current, kept for a
 * thousandth of a period by an RC. A transformer is an E and an F. Currents that somebody reads
 * flow through a source of 0 V. */
#include "editor-export/spice_write.h"
#include "atomics/atomics.h"
#include "base/hint.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

const char *spice_out_keep(SpiceOut *o, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_autofree char *text = g_strdup_vprintf(format, args);
  va_end(args);
  return g_string_chunk_insert_const(o->strings, text);
}

/* Names ---------------------------------------------------------------------------------------- */

/* Without the name of the outermost circuit, which all of one circuit have. */
static const char *short_name(const char *name)
{
  const char *slash = strchr(name, '/');
  return slash != NULL ? slash + 1 : name;
}

const char *spice_out_name(SpiceOut *o, const char *name, char letter)
{
  g_autofree char *key = g_strdup_printf("%c%s", letter != 0 ? letter : '.', name);
  const char *known = g_hash_table_lookup(o->names, key);
  if (strcmp(name, "0") == 0 || known != NULL) {
    return known != NULL ? known : "0";
  }
  g_autoptr(GString) text = g_string_new(NULL);
  name = short_name(name);
  if (letter != 0 && g_ascii_toupper(*name) != letter) {
    g_string_append_printf(text, "%c_", letter);
  }
  for (; *name != '\0' && *name != '#'; name++) {
    g_string_append_c(text, g_ascii_isalnum(*name) ? *name : '_');
  }
  while (TRUE) { /* SPICE takes no notice of case */
    g_autofree char *lower = g_ascii_strdown(text->str, -1);
    if (g_hash_table_add(o->taken, g_strdup_printf("%c%s", letter != 0 ? 'e' : 'n', lower))) {
      break;
    }
    g_string_append_c(text, '_');
  }
  known = spice_out_keep(o, "%s", text->str);
  g_hash_table_insert(o->names, g_steal_pointer(&key), hy_key(known));
  return known;
}

static const char *node(SpiceOut *o, const char *name)
{
  return spice_out_name(o, name, 0);
}

const char *spice_out_voltage(SpiceOut *o, const char *plus, const char *minus)
{
  if (strcmp(minus, "0") == 0) {
    return strcmp(plus, "0") == 0 ? "0" : spice_out_keep(o, "v(%s)", node(o, plus));
  }
  return strcmp(plus, "0") == 0 ? spice_out_keep(o, "(-v(%s))", node(o, minus))
                                : spice_out_keep(o, "(v(%s)-v(%s))", node(o, plus), node(o, minus));
}

const char *spice_out_current(SpiceOut *o, const char *name)
{
  g_hash_table_add(o->sensed, hy_key(name));
  return spice_out_keep(o, "i(%s)", spice_out_name(o, spice_out_keep(o, "%s sense", name), 'V'));
}

/* Elements ------------------------------------------------------------------------------------- */

G_GNUC_PRINTF(2, 3) static void line(SpiceOut *o, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  g_string_append_vprintf(o->elements, format, args);
  va_end(args);
  g_string_append_c(o->elements, '\n');
}

static const char *name_of(SpiceOut *o, const HyNetPart *p, char letter)
{
  return spice_out_name(o, p->name, letter);
}

/* Node K behind the source that measures the current into it, if somebody reads that. */
static const char *end_of(SpiceOut *o, const HyNetPart *p)
{
  const char *plus = node(o, p->node[0]);
  if (!g_hash_table_contains(o->sensed, p->name)) {
    return plus;
  }
  const char *inner = node(o, spice_out_keep(o, "%s sensed", p->name));
  line(o, "%s %s %s 0", spice_out_name(o, spice_out_keep(o, "%s sense", p->name), 'V'), plus,
       inner);
  return inner;
}

static void write_passive(SpiceOut *o, const HyNetPart *p, char letter, const char *plus)
{
  const char *name = name_of(o, p, letter), *minus = node(o, p->node[1]);
  if (p->signal.model != NULL) {
    const char *text = spice_out_signal(o, &p->signal);
    line(o, "%s %s %s R={%s}", name, plus, minus, text != NULL ? text : "1");
  } else if (letter == 'R') {
    line(o, "%s %s %s %.15g", name, plus, minus, p->size);
  } else {
    line(o, "%s %s %s %.15g IC=%.15g", name, plus, minus, p->size, p->start);
  }
}

/* A controlled source: what it is by itself, and each reading times its factor. */
static const char *controlled(SpiceOut *o, const HyNetPart *p)
{
  const char *rest = spice_out_signal(o, &p->signal);
  g_autoptr(GString) text = g_string_new(rest);
  for (guint k = 0; k < p->control->len && rest != NULL; k++) {
    const HyNetControl *c = &g_array_index(p->control, HyNetControl, k);
    const char *factor = spice_out_signal(o, &c->factor);
    if (c->diode && c->current) {
      hy_report_error(o->report, p->file, p->line, "%s: it reads %s.i, which is not written",
                      p->name, c->element);
      o->failed = TRUE;
    }
    g_string_append_printf(text, " + (%s)*%s", factor != NULL ? factor : "0",
                           c->current ? spice_out_current(o, c->element)
                                      : spice_out_voltage(o, c->plus, c->minus));
  }
  return spice_out_keep(o, "%s", text->str);
}

static void write_source(SpiceOut *o, const HyNetPart *p, const char *plus)
{
  gboolean voltage = p->kind == HY_VOLTAGE;
  const char *minus = node(o, p->node[1]);
  const char *wave = p->control == NULL ? spice_out_wave(o, &p->signal) : NULL;
  if (wave != NULL) {
    line(o, "%s %s %s %s%s", name_of(o, p, voltage ? 'V' : 'I'), plus, minus,
         g_ascii_isalpha(*wave) ? "" : "DC ", wave);
    return;
  }
  const char *text = p->control != NULL ? controlled(o, p) : spice_out_signal(o, &p->signal);
  line(o, "%s %s %s %c=%s", name_of(o, p, 'B'), plus, minus, voltage ? 'V' : 'I',
       text != NULL ? text : "0");
}

/* A switch between two nodes that CONTROL turns, at its level. */
static void put_switch(SpiceOut *o, const char *name, const char *nodes, const char *control,
                       double ron, double roff, double level)
{
  const char *model = spice_out_keep(o, "M%s", name);
  line(o, "%s %s %s %s", name, nodes, control, model);
  g_string_append_printf(o->models, ".model %s SW(Ron=%.15g Roff=%.15g Vt=%.15g Vh=0)\n", model,
                         ron, roff, level);
}

/* A node that carries the gate of P. */
static const char *gate(SpiceOut *o, const HyNetPart *p)
{
  const char *text = spice_out_input(o, &p->signal, HY_VALVE_GATE);
  if (text == NULL) {
    return "0";
  }
  gsize n = strlen(text);
  if (g_str_has_prefix(text, "v(") && strcspn(text, ")") == n - 1) { /* it is one already */
    return spice_out_keep(o, "%.*s", (int)n - 3, text + 2);
  }
  const char *at = node(o, spice_out_keep(o, "%s gate", p->name));
  g_string_append_printf(o->signals, "B%s %s 0 V=%s\n", at, at, text);
  return at;
}

/* What the channel or the body of a transistor has, that conducts with R beside 2 Roff. */
static double beside(const HyNetPart *p, double r)
{
  return r / (1.0 - r / (2.0 * p->roff));
}

/* Of a switch or diode, and of each of both in a transistor. */
static double roff_of(const HyNetPart *p)
{
  return p->kind == HY_TRANSISTOR ? 2.0 * p->roff : p->roff;
}

/* A diode from PLUS to MINUS. */
static void put_diode(SpiceOut *o, const HyNetPart *p, const char *plus, const char *minus,
                      double ron)
{
  const char *name = spice_out_name(o, spice_out_keep(o, "%s diode", p->name), 'S');
  double roff = roff_of(p);
  double drop = p->vf * (1.0 - ron / p->roff);
  if (p->kind == HY_TRANSISTOR) { /* the whole drops Vf (1 - Rd/Roff) */
    drop = p->vf * (1.0 - p->rd / p->roff) / (1.0 - p->rd / roff);
  }
  if (o->exponential) {
    double n = p->vf > 0.0 ? 1.0 : 0.05, vt = 0.025864186 * n;
    line(o, "D%s %s %s M%s", name, plus, minus, name);
    g_string_append_printf(o->models, ".model M%s D(Is=%.6g N=%g Rs=%.15g)\n", name,
                           p->vf > 0.0 ? exp(-p->vf / vt) : 1e-9, n, ron);
    line(o, "R%s %s %s %.15g", name, plus, minus, roff);
    return;
  }
  if (drop > 0.0) {
    const char *inner = node(o, spice_out_keep(o, "%s drop", p->name));
    line(o, "V%s %s %s %.15g", inner, inner, minus, drop);
    minus = inner;
  }
  const char *nodes = spice_out_keep(o, "%s %s", plus, minus);
  put_switch(o, name, nodes, nodes, ron, roff, 0.0);
}

/* A diode behind a switch that is on while the gate is, or a current flows; little by little, as
 * ngspice finds no step beyond a jump that depends on itself. */
static void write_thyristor(SpiceOut *o, const HyNetPart *p)
{
  const char *control = gate(o, p), *inner = node(o, spice_out_keep(o, "%s inner", p->name)),
             *on = node(o, spice_out_keep(o, "%s on", p->name)),
             *latch = node(o, spice_out_keep(o, "%s latch", p->name)),
             *current = spice_out_current(o, p->name);
  const char *plus = end_of(o, p);
  double tau = isfinite(o->period) ? 1e-3 * o->period : 1e-6;
  line(o, "B%s %s 0 V=v(%s)+0.5*(1+tanh(20*(%s-0.1)))", on, on, control, current);
  line(o, "R%s %s %s 1k", latch, on, latch);
  line(o, "C%s %s 0 %.6g IC=0", latch, latch, tau / 1e3);
  put_switch(o, spice_out_name(o, spice_out_keep(o, "%s switch", p->name), 'S'),
             spice_out_keep(o, "%s %s", plus, inner), spice_out_keep(o, "%s 0", latch),
             0.1 * p->ron, p->roff, 0.5);
  put_diode(o, p, inner, node(o, p->node[1]), 0.9 * p->ron);
}

static void write_transformer(SpiceOut *o, const HyNetPart *p)
{
  const char *inner = node(o, spice_out_keep(o, "%s primary", p->name)),
             *sense = spice_out_name(o, spice_out_keep(o, "%s sense", p->name), 'V'), *n[4];
  for (guint k = 0; k < 4; k++) {
    n[k] = node(o, p->node[k]);
  }
  line(o, "%s %s %s 0", sense, n[0], inner);
  line(o, "%s %s %s %s %s %.15g", name_of(o, p, 'E'), inner, n[1], n[2], n[3], p->size);
  line(o, "%s %s %s %s %.15g", name_of(o, p, 'F'), n[2], n[3], sense, -p->size);
}

static void write_exponential(SpiceOut *o, const HyNetPart *p, const char *plus)
{
  const char *name = name_of(o, p, 'D'), *minus = node(o, p->node[1]);
  line(o, "%s %s %s M%s", name, plus, minus, name);
  g_string_append_printf(o->models, ".model M%s D(Is=%.15g N=%.15g Rs=%.15g Cjo=%.15g M=0)\n", name,
                         p->size, p->vf / 0.025864186, p->ron, p->start);
  line(o, "R%s %s %s %.15g", name, plus, minus, p->roff);
}

/* A channel, and beside it a diode behind a switch that is off while the channel is on. */
static void write_transistor(SpiceOut *o, const HyNetPart *p, const char *plus, const char *minus)
{
  const char *control = gate(o, p), *inner = node(o, spice_out_keep(o, "%s inner", p->name));
  double rd = beside(p, p->rd), roff = roff_of(p);
  put_switch(o, name_of(o, p, 'S'), spice_out_keep(o, "%s %s", plus, minus),
             spice_out_keep(o, "%s 0", control), beside(p, p->ron), roff, 0.5);
  put_switch(o, spice_out_name(o, spice_out_keep(o, "%s body", p->name), 'S'),
             spice_out_keep(o, "%s %s", minus, inner), spice_out_keep(o, "0 %s", control), rd / 2,
             roff, -0.5);
  put_diode(o, p, inner, plus, rd / 2);
}

static void write_coupling(SpiceOut *o, const HyNetPart *p)
{
  const char *name = name_of(o, p, 'K'), *first = spice_out_name(o, p->first, 'L');
  line(o, "%s %s %s %.15g", name, first, spice_out_name(o, p->second, 'L'), p->size);
}

static void write_switch(SpiceOut *o, const HyNetPart *p, const char *plus)
{
  const char *minus = node(o, p->node[1]), *name = name_of(o, p, 'S');
  put_switch(o, name, spice_out_keep(o, "%s %s", plus, minus),
             spice_out_keep(o, "%s 0", gate(o, p)), p->ron, p->roff, 0.5);
}

/* No default: a new kind does not compile before it is written here, or refused. Names are given
 * in the order of the calls, so each is a statement of its own. */
static void write_kind(SpiceOut *o, const HyNetPart *p)
{
  const char *plus;
  switch (p->kind) {
  case HY_RESISTOR:
    write_passive(o, p, 'R', end_of(o, p));
    break;
  case HY_CAPACITOR:
    write_passive(o, p, 'C', end_of(o, p));
    break;
  case HY_INDUCTOR:
    write_passive(o, p, 'L', end_of(o, p));
    break;
  case HY_COUPLING:
    write_coupling(o, p);
    break;
  case HY_VOLTAGE:
  case HY_CURRENT:
    write_source(o, p, end_of(o, p));
    break;
  case HY_SWITCH:
    write_switch(o, p, end_of(o, p));
    break;
  case HY_DIODE:
    plus = end_of(o, p);
    put_diode(o, p, plus, node(o, p->node[1]), p->ron);
    break;
  case HY_TRANSISTOR:
    plus = end_of(o, p);
    write_transistor(o, p, plus, node(o, p->node[1]));
    break;
  case HY_THYRISTOR:
    write_thyristor(o, p);
    break;
  case HY_PROBE: /* it is two nodes that somebody reads */
    break;
  case HY_TRANSFORMER:
    write_transformer(o, p);
    break;
  case HY_EXPONENTIAL:
    write_exponential(o, p, end_of(o, p));
    break;
  }
}

static void write_part(SpiceOut *o, const HyNetPart *p)
{
  o->part = p;
  if (p->fault == NULL) {
    write_kind(o, p);
    return;
  }
  hy_report_error(o->report, p->file, p->line, "%s: %s, which is not written", p->name, p->fault);
  o->failed = TRUE;
}

/* All --------------------------------------------------------------------------------------------
 */

/* A node with the voltage of R, which may be between two. */
static const char *probe(SpiceOut *o, const HyNetReading *r)
{
  if (strcmp(r->minus, "0") == 0) {
    return node(o, r->plus);
  }
  const char *at = node(o, spice_out_keep(o, "probe/%s %s", r->plus, r->minus));
  g_string_append_printf(o->probes, "E%s %s 0 %s %s 1\n", at, at, node(o, r->plus),
                         node(o, r->minus));
  return at;
}

/* What is recorded, as far as SPICE has it: "v(out) i(L1)". */
static void write_records(SpiceOut *o, GString *saves)
{
  const HyExperiment *x = hy_loaded_experiment(o->loaded);
  for (guint k = 0; k < x->n_records; k++) {
    g_autoptr(GArray) found = hy_loaded_match(o->loaded, x->records[k].path, NULL);
    for (guint i = 0; found != NULL && i < found->len; i++) {
      const HySignalAt *s = &g_array_index(found, HySignalAt, i);
      if (s->input || s->component == HY_SELF ||
          hy_component(s->model, s->component)->klass == NULL) {
        continue;
      }
      HyNetSignal signal = {s->model, s->component, s->port == HY_STATE ? 0 : s->port, 0.0};
      const HyNetReading *r =
          g_hash_table_lookup(o->readings, GUINT_TO_POINTER(spice_out_slot(o, &signal) + 1));
      if (r != NULL && r->element != NULL) {
        g_string_append_printf(saves, " %s", spice_out_current(o, r->element));
      } else if (r != NULL) {
        g_string_append_printf(saves, " v(%s)", probe(o, r));
      }
    }
  }
}

static void read_list(SpiceOut *o)
{
  for (guint k = 0; k < o->list->readings->len; k++) {
    HyNetReading *r = &g_array_index(o->list->readings, HyNetReading, k);
    g_hash_table_insert(o->readings, GUINT_TO_POINTER(spice_out_slot(o, &r->signal) + 1), r);
  }
  for (guint k = 0; k < o->list->parts->len; k++) { /* what a source is does not read itself */
    const HyNetPart *p = &g_array_index(o->list->parts, HyNetPart, k);
    if ((p->kind == HY_VOLTAGE || p->kind == HY_CURRENT) && p->signal.model != NULL) {
      g_hash_table_remove(o->readings, GUINT_TO_POINTER(spice_out_slot(o, &p->signal) + 1));
    }
  }
}

static void out_init(SpiceOut *o)
{
  o->strings = g_string_chunk_new(4096);
  o->signals = g_string_new(NULL);
  o->elements = g_string_new(NULL);
  o->models = g_string_new(NULL);
  o->probes = g_string_new(NULL);
  o->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  o->taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  o->said = g_hash_table_new(NULL, NULL);
  o->sensed = g_hash_table_new(g_str_hash, g_str_equal);
  o->readings = g_hash_table_new(NULL, NULL);
  o->period = INFINITY;
  o->flat = hy_flat_new(hy_loaded_model(o->loaded));
  hy_flat_sources_init(&o->sources, o->flat);
  read_list(o);
}

static void out_clear(SpiceOut *o)
{
  hy_flat_sources_clear(&o->sources);
  hy_flat_free(o->flat);
  g_string_chunk_free(o->strings);
  g_string_free(o->signals, TRUE);
  g_string_free(o->elements, TRUE);
  g_string_free(o->models, TRUE);
  g_string_free(o->probes, TRUE);
  g_hash_table_unref(o->names);
  g_hash_table_unref(o->taken);
  g_hash_table_unref(o->said);
  g_hash_table_unref(o->sensed);
  g_hash_table_unref(o->readings);
}

/* Twice: which currents are read is known once all has been written. */
static void write_parts(SpiceOut *o)
{
  for (guint round = 0; round < 2 && !o->failed; round++) {
    g_string_truncate(o->signals, 0);
    g_string_truncate(o->elements, 0);
    g_string_truncate(o->models, 0);
    g_hash_table_remove_all(o->said);
    for (guint k = 0; k < o->list->parts->len; k++) {
      write_part(o, &g_array_index(o->list->parts, HyNetPart, k));
    }
  }
}

static gboolean write_netlist(const HyLoaded *loaded, GString *out, HyReport *report,
                              gboolean exponential)
{
  SpiceOut o = {.loaded = loaded, .report = report, .exponential = exponential};
  o.list = hy_loaded_netlist(loaded);
  if (o.list == NULL) {
    hy_report_error(report, hy_loaded_file(loaded), 0,
                    "there is no <circuit> in it, and of a model only circuits are netlists");
    return FALSE;
  }
  out_init(&o);
  g_autoptr(GString) saves = g_string_new(NULL);
  write_records(&o, saves);
  write_parts(&o);
  double stop = hy_loaded_experiment(loaded)->stop;
  g_autofree char *from = hy_plain_text(hy_loaded_file(loaded), FALSE); /* a head is one line */
  g_string_append_printf(out, "* %s, by hydevs export --spice\n%s%s%s%s", from, o.elements->str,
                         o.signals->str, o.probes->str, o.models->str);
  if (isfinite(stop)) {
    double step = fmin(o.period / 100, stop / 1000);
    g_string_append_printf(out, ".tran %.6g %.15g 0 %.6g uic\n", step, stop, step);
  }
  if (saves->len > 0) {
    g_string_append_printf(out, ".save%s\n", saves->str);
  }
  g_string_append(out, ".end\n");
  gboolean ok = !o.failed;
  out_clear(&o);
  return ok;
}

gboolean hy_spice_write(const HyLoaded *loaded, GString *out, HyReport *report)
{
  return write_netlist(loaded, out, report, FALSE);
}

gboolean hy_spice_write_exponential(const HyLoaded *loaded, GString *out, HyReport *report)
{
  return write_netlist(loaded, out, report, TRUE);
}
