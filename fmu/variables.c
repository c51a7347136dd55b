/* The variables of a unit, in the order of their value references: the time, parameters of the
 * root, its input ports, its output ports and recorded paths. Of events there are two: the value of
 * the last one, and how many there have been, so that one more of the same value is seen.
 *
 * Names are those of hydevs, in the grammar "structured" of the standard (a.b[1].c) where all of
 * them can be: what is between coupled models, a / here, is a dot there. */
#include "instance_internal.h"

#include "base/digest.h"
#include "hydevs/look.h"

#include <string.h>

static char *structured_name(const char *path)
{
  return g_strdelimit(g_strdup(path[0] == '.' ? path + 1 : path), "/", '.');
}

static gboolean is_letter(char c)
{
  return g_ascii_isalpha(c) || c == '_';
}

/* name = identifier {"." identifier}, identifier = letter {letter | digit} ["[" n {"," n} "]"] */
static gboolean is_structured(const char *c)
{
  while (TRUE) {
    if (!is_letter(*c)) {
      return FALSE;
    }
    while (is_letter(*c) || g_ascii_isdigit(*c)) {
      c++;
    }
    if (*c == '[') {
      gsize n = strspn(c + 1, "0123456789,");
      if (n == 0 || c[n + 1] != ']') {
        return FALSE;
      }
      c += n + 2;
    }
    if (*c != '.') {
      return *c == '\0';
    }
    c++;
  }
}

/* A name for PATH that nobody else has; newly allocated. */
static char *take_name(GHashTable *names, const char *path)
{
  g_autofree char *structured = structured_name(path);
  GString *name = g_string_new(structured);
  while (g_hash_table_contains(names, name->str)) {
    g_string_append_c(name, '_');
  }
  g_hash_table_add(names, g_strdup(name->str));
  return g_string_free(name, FALSE);
}

/* V as the next variable, by its name, or one that is made of its path. */
static void add(HyFmu *f, HyFmuVariable v, GHashTable *names)
{
  v.name = v.name != NULL ? v.name : take_name(names, v.path);
  f->structured &= is_structured(v.name);
  g_array_append_val(f->variables, v);
}

static void add_parameters(HyFmu *f, GHashTable *names)
{
  for (guint k = 0; k < hy_loaded_n_parameters(f->loaded); k++) {
    const HyParameter *p = hy_loaded_parameter(f->loaded, k);
    if (p->text == NULL && p->n == 0) {
      continue;
    }
    add(f,
        (HyFmuVariable){.path = g_strdup(p->name),
                        .unit = g_strdup(p->unit),
                        .doc = g_strdup(p->doc),
                        .kind = p->text != NULL ? HY_FMU_TEXT : HY_FMU_PARAMETER,
                        .index = k,
                        .array = p->array,
                        .n = p->text != NULL ? 1 : p->n},
        names);
  }
}

/* V, and how many of its events there have been. */
static void add_events(HyFmu *f, HyFmuVariable v, HyFmuKind count, GHashTable *names)
{
  HyFmuVariable n = {.path = g_strdup_printf("%s.count", v.path),
                     .doc = g_strdup("how many events there have been"),
                     .kind = count,
                     .index = v.index,
                     .discrete = TRUE,
                     .n = 1};
  add(f, v, names);
  add(f, n, names);
}

static void add_inputs(HyFmu *f, GHashTable *names)
{
  HyModel *root = hy_loaded_model(f->loaded);
  HyLook look = {0};
  hy_loaded_look(f->loaded, root, &look);
  f->n_inputs = hy_model_n_in(root, HY_SELF);
  f->input = g_new0(HyFmuInput, (gsize)f->n_inputs + 1);
  for (guint k = 0; k < f->n_inputs; k++) {
    g_autofree char *name = hy_model_in_name(root, HY_SELF, k);
    const HySaid *said = hy_said_find(look.port, look.n_ports, name);
    guint behind = hy_model_find(root, name);
    gboolean events = behind != HY_SELF && strcmp(hy_model_class(root, behind)->name, "relay") == 0;
    HyFmuVariable v = {.path = g_strdup(name),
                       .unit = g_strdup(said != NULL ? said->unit : NULL),
                       .doc = g_strdup(said != NULL ? said->doc : NULL),
                       .kind = HY_FMU_INPUT,
                       .index = k,
                       .discrete = events,
                       .n = 1};
    f->input[k].events = events;
    if (events) {
      add_events(f, v, HY_FMU_FED, names);
    } else {
      add(f, v, names);
    }
  }
}

/* Ports of the root have their names before what is recorded beside them. */
static void add_outputs(HyFmu *f, GHashTable *names)
{
  g_autofree char **port = g_new0(char *, (gsize)f->n_outputs + 1);
  for (guint k = 0; k < f->n_outputs; k++) {
    const char *path = hy_recorder_column(f->table, k)->path;
    port[k] = path[0] == '.' ? take_name(names, path) : NULL;
  }
  for (guint k = 0; k < f->n_outputs; k++) {
    const HyColumn *c = hy_recorder_column(f->table, k);
    HyFmuVariable v = {.name = port[k],
                       .path = g_strdup(c->path),
                       .unit = g_strdup(c->unit),
                       .doc = g_strdup(c->label),
                       .kind = HY_FMU_OUTPUT,
                       .index = k,
                       .discrete = f->output[k].discrete,
                       .n = 1};
    if (f->output[k].events) {
      add_events(f, v, HY_FMU_SAID, names);
    } else {
      add(f, v, names);
    }
  }
}

void hy_fmu_find_variables(HyFmu *f)
{
  g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  f->structured = TRUE;
  add(f,
      (HyFmuVariable){.path = g_strdup("time"), .unit = g_strdup("s"), .kind = HY_FMU_TIME, .n = 1},
      names);
  add_parameters(f, names);
  add_inputs(f, names);
  add_outputs(f, names);
}

char *hy_fmu_names_digest(const HyFmu *f)
{
  HyDigest d;
  hy_digest_init(&d);
  for (guint k = 0; k < f->variables->len; k++) {
    const HyFmuVariable *v = hy_fmu_variable(f, k);
    g_autofree char *line = g_strdup_printf("%s %u %u\n", v->name, v->kind, v->n);
    hy_digest_take(&d, line, strlen(line));
  }
  return hy_digest_end(&d);
}
