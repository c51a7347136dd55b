/* A path that somebody asks for, to be recorded or measured, as who says it. */
#include "run.h"

#include "hydevs/look.h"
#include "results/sources.h"
#include "sim/engine.h"

/* What <in> or <out> of a port says; NULL: nothing. */
static const char *stated_unit(const HyLoaded *loaded, const HyPassed *p)
{
  gboolean in = p->component != HY_SELF;
  const HyModel *of = in ? hy_model_coupled(p->model, p->component) : p->model;
  HyLook look = {0};
  if (of == NULL) {
    return NULL;
  }
  hy_loaded_look(loaded, of, &look);
  g_autofree char *name = in ? hy_model_in_name(p->model, p->component, p->port)
                             : hy_model_out_name(of, HY_SELF, p->port);
  const HySaid *said = hy_said_find(look.port, look.n_ports, name);
  return said != NULL ? said->unit : NULL;
}

/* Those that speak at a port of a coupled model: the first is the column's, the others are MORE.
 * UNIT: that of the first port on the way that states one; NULL: none does. */
static gboolean find_speakers(const HySignalAt *s, const HyLoaded *loaded, HyColumn *column,
                              GArray *more, const char **unit, GError **error)
{
  const HyModel *inside =
      s->component == HY_SELF ? s->model : hy_model_coupled(s->model, s->component);
  g_autoptr(GArray) passed = g_array_new(FALSE, FALSE, sizeof(HyPassed));
  g_autoptr(GArray) sources = s->input ? hy_sources_of(s->model, s->component, s->port, passed)
                                       : hy_sources_of(inside, HY_SELF, s->port, passed);
  if (sources->len == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s: nothing is connected there to record",
                s->path);
    return FALSE;
  }
  *unit = NULL;
  for (guint k = 0; k < passed->len && *unit == NULL; k++) {
    *unit = stated_unit(loaded, &g_array_index(passed, HyPassed, k));
  }
  column->kind = HY_COLUMN_OUTPUT;
  column->atomic = g_array_index(sources, HySource, 0).atomic;
  column->port = g_array_index(sources, HySource, 0).port;
  g_array_append_vals(more, &g_array_index(sources, HySource, 1), sources->len - 1);
  return TRUE;
}

/* A state of a block is asked for its value by who does not hear each event. That is more than what
 * it would say, and it need say nothing. */
static gboolean is_asked(const HyColumn *c, const GArray *more, const HyRun *run)
{
  const HyMethod *method = hy_run_method(run, c->atomic);
  return c->kind == HY_COLUMN_OUTPUT && c->port == 0 && method != NULL &&
         (method->family == HY_FAMILY_BLOCK || method->family == HY_FAMILY_IMPLICIT) &&
         more->len == 0;
}

gboolean hy_run_column(const HyRun *run, const HySignalAt *s, gboolean asked, HyColumn *column,
                       GArray *more, GError **error)
{
  gboolean state = s->port == HY_STATE;
  *column = (HyColumn){.kind = s->input ? HY_COLUMN_INPUT
                               : state  ? HY_COLUMN_STATE
                                        : HY_COLUMN_OUTPUT,
                       .port = s->port,
                       .sim = run->sim,
                       .path = s->path};
  HyBlockInfo info = {0};
  const char *stated = NULL;
  if (s->component != HY_SELF && hy_model_class(s->model, s->component) != NULL) {
    column->atomic = hy_component(s->model, s->component)->number;
    hy_loaded_block(run->loaded, s->model, s->component, &info);
  } else if (!find_speakers(s, run->loaded, column, more, &stated, error)) {
    return FALSE;
  } else { /* a port says what the block behind it does, in its unit if it states none itself */
    hy_run_block(run->loaded, run->sim, column->atomic, &info);
    info.label = NULL;
  }
  column->kind = asked && is_asked(column, more, run) ? HY_COLUMN_STATE : column->kind;
  column->unit = stated != NULL                              ? stated
                 : !s->input && (column->port == 0 || state) ? info.unit
                                                             : NULL;
  column->label = info.label;
  return TRUE;
}
