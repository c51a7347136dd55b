/* What smells in a run, in words and as JSON. */
#include "smells.h"

#include "equations/print.h"
#include "sim/waits.h"

#include <math.h>

static const char *short_number(char *text, double v)
{
  return g_ascii_formatd(text, HY_DOUBLE_SIZE, "%.3g", v);
}

static void stiff_text(const HySim *sim, const HySmell *i, GString *out)
{
  char rate[HY_DOUBLE_SIZE];
  const HyMember *m = hy_room_member(sim->room, i->atomic);
  short_number(rate, i->rate);
  if (hy_family_is_classic(m->family)) {
    g_string_append_printf(out,
                           "%" G_GUINT64_FORMAT
                           " steps of its group by %s, about as long as it takes "
                           "to decay: its rate of %s is stiff for an explicit method",
                           i->count, m->method->name, rate);
  } else {
    g_string_append_printf(out,
                           "%" G_GUINT64_FORMAT
                           " steps by %s that go to and fro within some quanta, "
                           "for a change of it is answered at a rate of %s: it is stiff",
                           i->count, m->method->name, rate);
    if (i->others > 0) {
      g_string_append_printf(out, ", as %u more state%s seem%s to be", i->others,
                             i->others == 1 ? "" : "s", i->others == 1 ? "s" : "");
    }
  }
  g_string_append_printf(out, "; try --method %sliqss2, mliqss2, block_liqss2 or cvode_bdf",
                         sim->set.chosen.why == NULL ? "auto, " : "");
}

static void knot_text(const HySim *sim, const HySmell *i, GString *out)
{
  g_autofree char *second = hy_sim_path(sim, i->with[0]), *third = hy_sim_path(sim, i->with[1]);
  g_string_append_printf(out,
                         "%" G_GUINT64_FORMAT
                         " steps by %s that lead nowhere: it, %s and %s answer each other, and two "
                         "at a time come to no rest",
                         i->count, hy_room_member(sim->room, i->atomic)->method->name, second,
                         third);
  if (i->others > 0) {
    g_string_append_printf(out, " (%u more state%s tied to them)", i->others,
                           i->others == 1 ? " is" : "s are");
  }
  g_string_append(out, "; try --method auto, block_liqss2 or cvode_bdf, which take them together");
}

/* Some state is decided by quanta, and so are the modes that it decides. */
static gboolean has_quanta(const HySim *sim)
{
  gboolean found = FALSE;
  for (guint a = 0; sim->room != NULL && a < sim->n && !found; a++) {
    const HyMember *m = hy_room_member(sim->room, a);
    found = m != NULL && !hy_family_is_classic(m->family);
  }
  return found;
}

static void chatter_text(const HySim *sim, const HySmell *i, GString *out)
{
  char rate[HY_DOUBLE_SIZE], since[HY_DOUBLE_SIZE];
  g_autofree char *mode = hy_print_condition(sim->room, i->atomic, i->mode);
  g_string_append_printf(
      out,
      "its mode (%s) chatters: %" G_GUINT64_FORMAT
      " toggles, %s in a unit of time (mean; seen first "
      "at t = %s), and what decides it moves by no more than some quanta between two; a hysteresis "
      "(two levels in place of one) or larger quanta make it slower",
      mode, i->count, short_number(rate, i->rate), short_number(since, i->since));
  if (has_quanta(sim)) {
    g_string_append(out, "; block_liqss2 and cvode_bdf decide it on their own solution");
  }
}

static void growth_text(const HySmell *i, GString *out)
{
  char was[HY_DOUBLE_SIZE], is[HY_DOUBLE_SIZE], since[HY_DOUBLE_SIZE];
  g_string_append_printf(
      out,
      "it blows up: |x| was %s or less at the start, a million times that before "
      "t = %s, and is %s at the end; is a sign wrong, or a feedback positive?",
      short_number(was, i->was), short_number(since, i->since), short_number(is, i->rate));
}

/* The step that would be good for half a percent, by the order of the method: one digit. */
static void shorter_text(const HyMember *m, double off, GString *out)
{
  char number[HY_DOUBLE_SIZE];
  double h = m->set->hstep * pow(0.005 / off, 1.0 / m->method->order);
  double digit = pow(10.0, floor(log10(h)));
  g_string_append_printf(out, "state hstep=%s or less, or",
                         short_number(number, floor(h / digit) * digit));
}

#define LOST 0.5 /* of a range: then nothing is known of the order */

static void coarse_text(const HySim *sim, const HySmell *i, GString *out)
{
  char off[HY_DOUBLE_SIZE], h[HY_DOUBLE_SIZE];
  const HyMember *m = hy_room_member(sim->room, i->atomic);
  g_ascii_formatd(off, sizeof off, "%.2g", 100.0 * i->rate);
  short_number(h, m->set->hstep);
  if (i->rate < LOST) {
    g_string_append_printf(out,
                           "steps of %s by %s are too long: by what steps half as long make of it, "
                           "it is off by %s %% of what it ranges over; ",
                           h, m->method->name, off);
    shorter_text(m, i->rate, out);
  } else {
    g_string_append_printf(out,
                           "steps of %s by %s are far too long: steps half as long make something "
                           "else of it; state a shorter hstep, or",
                           h, m->method->name);
  }
  g_string_append(out, " a method that chooses its steps, as cvode_bdf and auto do");
}

/* A tolerance that would do for a hundredth, by one digit. */
static void finer_text(const HyMember *m, double off, GString *out)
{
  char number[HY_DOUBLE_SIZE];
  double rel = hy_family_is_classic(m->family) ? m->set->reltol : m->v->rel;
  double needed = rel * 0.01 / off, digit = pow(10.0, floor(log10(needed)));
  g_string_append_printf(out, "dqrel=%s or less",
                         short_number(number, floor(needed / digit) * digit));
}

/* Of a group nobody knows more than its tolerance. */
static void gain_text(const HySim *sim, const HySmell *i, GString *out)
{
  char off[HY_DOUBLE_SIZE], size[HY_DOUBLE_SIZE], at[HY_DOUBLE_SIZE], told[HY_DOUBLE_SIZE];
  const HyMember *m = hy_room_member(sim->room, i->with[0]);
  g_autofree char *state = hy_sim_path(sim, i->with[0]);
  gboolean group = hy_family_is_classic(m->family);
  g_string_append_printf(out,
                         "at t = %s it %s wrong by %s, and is no more than %s: it follows %s, "
                         "which %s tells within %s",
                         short_number(at, i->since), group ? "may be" : "is",
                         short_number(off, i->was), short_number(size, i->was / i->rate), state,
                         m->method->name, short_number(told, i->told));
  if (i->others > 0) {
    g_string_append_printf(out, "; so %s %u more", i->others == 1 ? "is" : "are", i->others);
  }
  g_string_append(out, m->family == HY_FAMILY_BLOCK
                           ? "; take "
                           : "; take block_liqss2, which computes what it solves as it is, or ");
  finer_text(m, i->rate, out);
}

static void wait_text(const HySim *sim, const HySmell *i, GString *out)
{
  g_autoptr(GArray) rings = hy_sim_waits(sim);
  for (guint k = 0; k < rings->len; k += hy_loop_length(rings, k)) {
    const HyLoopStep *step = &g_array_index(rings, HyLoopStep, k);
    if (hy_wait_atomic(sim, step) == i->atomic) {
      g_autofree char *text = hy_wait_text(step, hy_loop_length(rings, k));
      g_string_append(out, text);
    }
  }
}

char *hy_smell_text(const HySim *sim, const HySmell *smell)
{
  g_autofree char *path = hy_sim_path(sim, smell->atomic);
  GString *out = g_string_new(path);
  g_string_append(out, ": ");
  switch (smell->kind) {
  case HY_SMELL_STIFF:
    stiff_text(sim, smell, out);
    break;
  case HY_SMELL_KNOT:
    knot_text(sim, smell, out);
    break;
  case HY_SMELL_CHATTER:
    chatter_text(sim, smell, out);
    break;
  case HY_SMELL_COARSE:
    coarse_text(sim, smell, out);
    break;
  case HY_SMELL_GAIN:
    gain_text(sim, smell, out);
    break;
  case HY_SMELL_WAIT:
    wait_text(sim, smell, out);
    break;
  default:
    growth_text(smell, out);
  }
  return g_string_free(out, FALSE);
}

/* JSON ---------------------------------------------------------------------------------------- */

static void smell_json(const HySim *sim, const HySmell *i, HyJsonOut *json)
{
  static const char *const kinds[] = {"stiff",  "knot", "chatter", "growth",
                                      "coarse", "gain", "wait"};
  g_autofree char *path = hy_sim_path(sim, i->atomic), *text = hy_smell_text(sim, i);
  hy_json_begin(json, NULL, '{');
  hy_json_text(json, "kind", kinds[i->kind]);
  hy_json_text(json, "path", path);
  if (i->kind < HY_SMELL_GROWTH) {
    hy_json_count(json, i->kind == HY_SMELL_CHATTER ? "toggles" : "steps", i->count);
  }
  if (i->kind != HY_SMELL_KNOT && i->kind != HY_SMELL_WAIT) {
    gboolean off = i->kind == HY_SMELL_COARSE || i->kind == HY_SMELL_GAIN;
    hy_json_real(json, i->kind == HY_SMELL_GROWTH ? "size" : off ? "off" : "rate", i->rate);
  }
  hy_json_real(json, "since", i->since);
  hy_json_text(json, "text", text);
  hy_json_end(json, '}');
}

void hy_smells_json(const HySim *sim, HyJsonOut *json)
{
  g_autoptr(GArray) smells = hy_sim_smells(sim);
  if (smells->len == 0) {
    return;
  }
  hy_json_begin_lines(json, "warnings", '[');
  for (guint k = 0; k < smells->len; k++) {
    smell_json(sim, &g_array_index(smells, HySmell, k), json);
  }
  hy_json_end(json, ']');
}
