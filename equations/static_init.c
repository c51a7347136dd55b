/* How a static block begins: which inputs it has to wait for, and the kind that computes for it.
 * Its state lies in one piece with its arrays, so a copy of that piece is a copy of the state. */
#include "hydevs/error.h"
#include "static_block.h"

#include <math.h>
#include <string.h>

typedef HyStaticState Own;

/* Names --------------------------------------------------------------------------------------- */

char *hy_static_port_name(const HyPort *ports, guint port)
{
  guint k = 0;
  while (k < port && !ports[k].array && ports[k + 1].name != NULL) {
    k++;
  }
  return ports[k].array ? g_strdup_printf("%s[%u]", ports[k].name, port - k + 1)
                        : g_strdup(ports[k].name);
}

static gboolean static_is_optional(const HyPort *ports, guint port)
{
  guint k = 0;
  while (k < port && !ports[k].array && ports[k + 1].name != NULL) {
    k++;
  }
  return ports[k].optional;
}

/* init ---------------------------------------------------------------------------------------- */

/* What a number stands for has its value in CONSTANT, [n_in], of NUMBER. */
static gboolean static_take_inputs(Own *own, double t, const HySetup *setup,
                                   const double **constant, GError **error)
{
  for (guint k = 0; k < setup->n_in; k++) {
    const HyValue *v = setup->value[k];
    double *c = own->in[k].c;
    own->in[k].t = t;
    constant[k] = NULL;
    if (setup->input[k] == HY_WIRED) {
      own->arrival[k] = HY_EXPECTED;
      own->missing++;
    } else if (setup->input[k] == HY_CONSTANT && v != NULL) {
      memcpy(c, v->c, sizeof v->c);
      constant[k] = c[1] == 0.0 && c[2] == 0.0 && c[3] == 0.0 ? c : NULL;
    } else if (static_is_optional(setup->klass->in, k)) {
      constant[k] = c;
    } else {
      g_autofree char *name = hy_static_port_name(setup->klass->in, k);
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                  "input \"%s\" has no source; give it a number if one is meant", name);
      return FALSE;
    }
  }
  return TRUE;
}

/* Inputs that only decide modes are not waited for. */
static void static_find_undecided(Own *own)
{
  for (guint k = 0; k < own->form.kind->n_in; k++) {
    if (own->arrival[k] == HY_EXPECTED && !own->form.kind->feeds[k]) {
      own->arrival[k] = HY_UNDECIDED;
      own->missing--;
      own->undecided++;
    }
  }
}

static gboolean static_find_kind(const HyStatic *s, const HySetup *setup,
                                 const double *const *constant, GError **error)
{
  HyStaticForm *form = &s->own->form;
  if (setup->n_out == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s describes itself and has no output",
                setup->klass->name);
    return FALSE;
  }
  form->room = setup->room;
  form->atomic = setup->number;
  form->kinds = setup->room == NULL ? hy_kinds_new() : NULL;
  HyKinds *kinds = setup->room != NULL ? hy_room_kinds(setup->room) : form->kinds;
  form->kind = hy_kinds_find(kinds, setup, s, constant, error);
  if (form->kind == NULL) {
    return FALSE;
  }
  form->program = form->kind->program;
  form->exact = form->kind->exact;
  form->work = form->kind->work;
  form->reg = form->work->reg;
  form->first = form->work->first;
  form->simple = form->program->n_modes == 0 && setup->n_out == 1;
  form->order = setup->order;
  form->rel = s->dqmin > 0.0 ? s->dqrel : 1e-3;
  form->min = s->dqmin > 0.0 ? s->dqmin : 1e-6;
  return TRUE;
}

static void static_make_bounds(Own *own)
{
  gsize n = own->form.program->n_out + 2 * (gsize)own->form.program->n_modes;
  own->bound = own->form.exact ? NULL : g_new0(HyStaticBound, n);
  for (gsize k = 0; own->bound != NULL && k < n; k++) {
    double part = HY_VALIDITY_QUANTA * own->form.rel;
    own->bound[k] = (HyStaticBound){.effect = HY_EFFECT_UNKNOWN, .full = part, .part = part};
  }
}

/* With its arrays behind it. */
static Own *static_new(gsize n_in, gsize n_out)
{
  gsize in = n_in * sizeof(HyPiece), out = n_out * sizeof(HyPiece);
  gsize next = n_out > 1 ? n_out * sizeof(double[4]) : 0;
  gsize size = sizeof(Own) + in + out + next + n_in;
  guint8 *at = g_malloc0(size);
  Own *own = (Own *)(gpointer)at;
  *own = (Own){.form.size = size, .fresh = TRUE, .odd = G_MAXUINT, .until = INFINITY};
  own->validity.foreseen = NAN;
  own->in = (HyPiece *)(gpointer)(at += sizeof(Own));
  own->said = (HyPiece *)(gpointer)(at += in);
  own->next = n_out > 1 ? (gpointer)(at + out) : NULL;
  own->arrival = at + out + next;
  for (gsize k = 0; k < n_out; k++) {
    own->said[k].t = NAN;
  }
  return own;
}

gboolean hy_static_init(void *state, double t, const HySetup *setup, GError **error)
{
  HyStatic *s = state;
  Own *own = s->own = static_new(setup->n_in, setup->n_out);
  g_autofree const double **constant = g_new(const double *, (gsize)setup->n_in + 1);
  if (!static_take_inputs(own, t, setup, constant, error) ||
      !static_find_kind(s, setup, constant, error)) {
    return FALSE;
  }
  static_find_undecided(own);
  static_make_bounds(own);
  if (own->form.program->n_modes > 0) {
    own->modes = hy_modes_new(own->form.program->n_modes, setup->order);
  }
  if (own->form.room != NULL) {
    hy_room_add_static(own->form.room, own->form.atomic, own->form.kind, own);
  }
  own->tn = own->missing == 0 ? t : INFINITY;
  return TRUE;
}

void hy_static_clear(void *state)
{
  HyStatic *s = state;
  if (s->own != NULL) {
    hy_modes_free(s->own->modes);
    hy_kinds_free(s->own->form.kinds);
    g_free(s->own->bound);
    g_clear_pointer(&s->own, g_free);
  }
}

void hy_static_tape(void *state, HyTape *tape)
{
  Own *own = ((HyStatic *)state)->own;
  hy_tape_bytes(tape, own, own->form.size);
  if (own->modes != NULL) {
    hy_modes_tape(own->modes, tape);
  }
  if (own->bound != NULL) {
    gsize n = own->form.program->n_out + 2 * (gsize)own->form.program->n_modes;
    hy_tape_bytes(tape, own->bound, n * sizeof *own->bound);
  }
}
