/* partition="auto", as a run has taken it. */
#include "stats_partition.h"

#include "sim/engine.h"

#define SHOWN 30

/* Of the states whose method was chosen. */
typedef struct {
  guint discontinuous, readers, smooth;
  guint stated; /* and of those it was not */
  const char *quantized, *classic;
} Sides;

static Sides count_sides(const HySim *sim)
{
  Sides s = {0};
  for (guint a = 0; a < sim->n; a++) {
    const HyMethodChoice *c = &sim->set.choice[a];
    if (c->method == NULL) {
      s.stated += hy_class_method(sim->atoms[a].klass) != NULL;
    } else if (c->part.why == HY_PART_SMOOTH) {
      s.smooth++;
      s.classic = c->method;
    } else {
      *(c->part.why == HY_PART_READER ? &s.readers : &s.discontinuous) += 1;
      s.quantized = c->method;
    }
  }
  return s;
}

static void sides_text(const Sides *s, GString *out)
{
  g_string_append(out, "partition: ");
  if (s->discontinuous + s->readers + s->smooth == 0) {
    g_string_append(out, "no state whose method is to be chosen");
  } else if (s->quantized == NULL) {
    g_string_append_printf(out, "no discontinuous state; all %u by %s", s->smooth, s->classic);
  } else {
    gboolean one = s->discontinuous == 1;
    g_string_append_printf(out, "%u discontinuous state%s and %u reading %s by %s",
                           s->discontinuous, one ? "" : "s", s->readers, one ? "it" : "them",
                           s->quantized);
    if (s->smooth > 0) {
      g_string_append_printf(out, ", %u by %s", s->smooth, s->classic);
    }
  }
  if (s->stated > 0) {
    g_string_append_printf(out, "; %u as stated", s->stated);
  }
  g_string_append_c(out, '\n');
}

static void why_text(const HySim *sim, const HyPart *part, GString *out)
{
  g_autofree char *by = hy_sim_path(sim, part->by);
  switch (part->why) {
  case HY_PART_JUMPS:
    g_string_append(out, "may jump");
    break;
  case HY_PART_NO_ROW:
    g_string_append(out, "has an equation that is not known");
    break;
  case HY_PART_MODE:
    g_string_append_printf(out, "switches with %s", by);
    break;
  default:
    g_string_append_printf(out, "reads %s", by);
  }
}

/* method="auto" -------------------------------------------------------------------------------- */

char *hy_stats_chosen(const HySim *sim)
{
  const HyChosen *c = &sim->set.chosen;
  const char *first = c->networks != NULL ? c->networks : "";
  const char *between = c->networks == NULL ? "" : c->smooth != NULL ? ", " : " and ";
  return c->why != NULL ? g_strdup_printf("%s%s%s%s%s, chosen for you: %s", first, between,
                                          c->method, c->smooth != NULL ? " and " : "",
                                          c->smooth != NULL ? c->smooth : "", c->why)
                        : NULL;
}

void hy_stats_chosen_json(const HySim *sim, HyJsonOut *json)
{
  const HyChosen *c = &sim->set.chosen;
  if (c->why != NULL) {
    hy_json_begin(json, "chosen", '{');
    hy_json_text(json, "method", c->method);
    hy_json_text(json, "networks", c->networks);
    hy_json_text(json, "smooth", c->smooth);
    hy_json_text(json, "why", c->why);
    hy_json_end(json, '}');
  }
}

void hy_stats_partition_text(const HySim *sim, GString *out)
{
  if (sim->set.chosen.why != NULL) {
    g_autofree char *chosen = hy_stats_chosen(sim);
    g_string_append_printf(out, "method: %s\n", chosen);
    return;
  }
  if (sim->set.choice == NULL) {
    return;
  }
  Sides s = count_sides(sim);
  sides_text(&s, out);
  guint shown = 0, all = s.discontinuous + s.readers;
  for (guint a = 0; a < sim->n && shown < SHOWN; a++) {
    const HyMethodChoice *c = &sim->set.choice[a];
    if (c->method != NULL && c->part.why != HY_PART_SMOOTH) {
      g_autofree char *path = hy_sim_path(sim, a);
      g_string_append_printf(out, "  %s ", path);
      why_text(sim, &c->part, out);
      g_string_append_c(out, '\n');
      shown++;
    }
  }
  if (all > shown) {
    g_string_append_printf(out, "  ... and %u more\n", all - shown);
  }
}

void hy_stats_partition_json(const HySim *sim, HyJsonOut *json)
{
  if (sim->set.chosen.why != NULL) {
    hy_stats_chosen_json(sim, json);
    return;
  }
  static const char *const words[] = {"smooth", "jumps", "no equation", "mode", "reader"};
  if (sim->set.choice == NULL) {
    return;
  }
  hy_json_begin_lines(json, "partition", '[');
  for (guint a = 0; a < sim->n; a++) {
    const HyMethodChoice *c = &sim->set.choice[a];
    if (c->method == NULL) {
      continue;
    }
    g_autofree char *path = hy_sim_path(sim, a), *by = hy_sim_path(sim, c->part.by);
    hy_json_begin(json, NULL, '{');
    hy_json_text(json, "path", path);
    hy_json_text(json, "method", c->method);
    hy_json_text(json, "why", words[c->part.why]);
    hy_json_text(json, "by", c->part.why >= HY_PART_MODE ? by : NULL);
    hy_json_end(json, '}');
  }
  hy_json_end(json, ']');
}
