/* How a static block begins: which inputs it has to wait for, and the kind that computes for it.
 * Its state lies in one piece with its arrays, in the memory of the room, so a copy of that piece
 * is a copy of the state. */
#include "hydevs/error.h"
#include "static_block.h"

#include "base/tape.h"
#include "expr/tape_parts.h"

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

static gboolean static_check_inputs(const HySetup *setup, GError **error)
{
  if (setup->n_out == 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_MODEL, "%s describes itself and has no output",
                setup->klass->name);
    return FALSE;
  }
  for (guint k = 0; k < setup->n_in; k++) {
    gboolean open =
        setup->input[k] == HY_OPEN || (setup->input[k] == HY_CONSTANT && setup->value[k] == NULL);
    if (G_UNLIKELY(open) && !static_is_optional(setup->klass->in, k)) {
      g_autofree char *name = hy_static_port_name(setup->klass->in, k);
      g_set_error(error, HY_ERROR, HY_ERROR_MODEL,
                  "input \"%s\" has no source; give it a number if one is meant", name);
      return FALSE;
    }
  }
  return TRUE;
}

/* The number of what is known of how wrong it may be. */
static gsize static_n_bounds(const HyKind *kind)
{
  return kind->exact ? 0 : kind->n_out + 2 * (gsize)kind->program->n_modes;
}

/* The bytes of the arrays behind a block of KIND, in this order. */
typedef struct {
  gsize in, said, next, inexact, modes, arrival;
} Layout;

static Layout static_layout(const HyKind *kind)
{
  gsize bounds = static_n_bounds(kind) * sizeof(HyStaticBound);
  guint n_modes = kind->program->n_modes;
  return (Layout){.in = kind->n_in * sizeof(HyPiece),
                  .said = kind->n_out * sizeof(HyPiece),
                  .next = kind->n_out > 1 ? kind->n_out * sizeof(double[4]) : 0,
                  .inexact = kind->exact ? 0 : sizeof(HyStaticInexact) + bounds,
                  .modes = n_modes > 0 ? hy_modes_size(n_modes) : 0,
                  .arrival = kind->n_in};
}

static gsize static_size(const Layout *n)
{
  return sizeof(Own) + n->in + n->said + n->next + n->inexact + n->modes + n->arrival;
}

static Own *static_new(const HySetup *setup, const HyKind *kind)
{
  Layout n = static_layout(kind);
  gsize size = static_size(&n);
  guint8 *at = setup->room != NULL ? hy_room_memory(setup->room, size) : g_malloc0(size);
  Own *own = (Own *)(gpointer)at;
  own->form = (HyStaticForm){.kind = kind,
                             .program = kind->program,
                             .work = kind->work,
                             .reg = kind->work->reg,
                             .first = kind->work->first,
                             .room = setup->room,
                             .atomic = setup->number,
                             .order = (guint8)setup->order,
                             .simple = kind->program->n_modes == 0 && kind->n_out == 1,
                             .exact = kind->exact != FALSE};
  own->said = (HyPiece *)(gpointer)(at += sizeof *own + n.in);
  at += n.said;
  own->next = n.next > 0 ? (gpointer)at : NULL;
  at += n.next;
  own->inexact = n.inexact > 0 ? (gpointer)at : NULL;
  at += n.inexact;
  if (n.modes > 0) {
    own->modes = hy_modes_init(at, kind->program->n_modes, setup->order, kind->work->modes);
    hy_modes_foretell(own->modes, own->form.exact ? 0 : kind->program->lanes);
  }
  own->arrival = at + n.modes;
  own->fresh = TRUE;
  own->odd = G_MAXUINT;
  own->until = INFINITY;
  for (guint k = 0; k < kind->n_out; k++) {
    own->said[k].t = NAN;
  }
  return own;
}

/* Inputs that only decide modes are not waited for. */
static void static_take_inputs(Own *own, double t, const HySetup *setup)
{
  for (guint k = 0; k < setup->n_in; k++) {
    own->in[k].t = t;
    if (setup->input[k] == HY_WIRED) {
      gboolean feeds = own->form.kind->feeds[k];
      own->arrival[k] = feeds ? HY_EXPECTED : HY_UNDECIDED;
      *(feeds ? &own->missing : &own->undecided) += 1;
    } else if (setup->input[k] == HY_CONSTANT && setup->value[k] != NULL) {
      memcpy(own->in[k].c, setup->value[k]->c, sizeof own->in[k].c);
    }
  }
}

static void static_make_bounds(const HyStatic *s)
{
  HyStaticInexact *inexact = s->own->inexact;
  double rel = s->dqmin > 0.0 ? s->dqrel : 1e-3, least = s->dqmin > 0.0 ? s->dqmin : 1e-6;
  if (s->own->modes != NULL) {
    hy_modes_bear(s->own->modes, rel, least);
  }
  if (inexact == NULL) {
    return;
  }
  inexact->rel = rel;
  inexact->min = least;
  inexact->validity.foreseen = NAN;
  double part = HY_VALIDITY_QUANTA * inexact->rel;
  for (gsize k = 0; k < static_n_bounds(s->own->form.kind); k++) {
    inexact->bound[k] = (HyStaticBound){.effect = HY_EFFECT_UNKNOWN, .full = part, .part = part};
  }
}

gboolean hy_static_init(void *state, double t, const HySetup *setup, GError **error)
{
  HyStatic *s = state;
  if (!static_check_inputs(setup, error)) {
    return FALSE;
  }
  HyKinds *kinds = setup->room != NULL ? hy_room_kinds(setup->room) : hy_kinds_new();
  const HyKind *kind = hy_kinds_find(kinds, setup, s, error);
  if (kind == NULL) {
    hy_kinds_free(setup->room == NULL ? kinds : NULL);
    return FALSE;
  }
  Own *own = s->own = static_new(setup, kind);
  static_take_inputs(own, t, setup);
  static_make_bounds(s);
  if (setup->room != NULL) {
    hy_room_add_static(setup->room, setup->number, kind, own);
  }
  own->tn = own->missing == 0 ? t : INFINITY;
  return TRUE;
}

void hy_static_clear(void *state)
{
  HyStatic *s = state;
  if (s->own != NULL && s->own->form.room == NULL) {
    hy_kinds_free(s->own->form.kind->kinds);
    g_free(s->own);
  }
  s->own = NULL;
}

/* Copies ----------------------------------------------------------------------------------------
 */

static void tape_bounds(Own *own, HyTape *tape)
{
  HY_TAPE(tape, own->inexact->validity.foreseen);
  HY_TAPE(tape, own->inexact->validity.far);
  for (gsize k = 0; k < static_n_bounds(own->form.kind); k++) {
    HyStaticBound *b = &own->inexact->bound[k];
    HY_TAPE(tape, b->effect.move);
    HY_TAPE(tape, b->effect.rest);
    HY_TAPE(tape, b->effect.part);
    HY_TAPE(tape, b->effect.open);
    HY_TAPE(tape, b->effect.waits);
    HY_TAPE(tape, b->effect.direct);
    HY_TAPE(tape, b->size);
    HY_TAPE(tape, b->rounding);
    HY_TAPE(tape, b->full);
    HY_TAPE(tape, b->part);
    HY_TAPE(tape, b->least);
    HY_TAPE(tape, b->left);
    HY_TAPE(tape, b->from);
    HY_TAPE(tape, b->to);
  }
}

/* What it waits for, and who decides and computes what it does. */
static void tape_arrivals(Own *own, HyTape *tape)
{
  guint8 reads = own->reads;
  HY_TAPE_ARRAY(tape, own->arrival, own->form.kind->n_in);
  HY_TAPE(tape, own->missing);
  HY_TAPE(tape, own->undecided);
  HY_TAPE(tape, own->odd);
  HY_TAPE(tape, own->held);
  HY_TAPE(tape, own->asks);
  HY_TAPE(tape, own->reads);
  HY_TAPE(tape, own->woken);
  HY_TAPE(tape, own->mute);
  HY_TAPE(tape, own->causes);
  if (own->odd != G_MAXUINT && own->odd >= own->form.kind->n_in) {
    own->odd = G_MAXUINT;
    hy_tape_reject(tape, "there is no such input");
  }
  if (own->reads > HY_READS || (own->reads != HY_READS_NOT) != (reads != HY_READS_NOT)) {
    own->reads = reads;
    hy_tape_reject(tape, "it is computed by others");
  }
}

/* Between two instants none of several outputs has its turn. Not all engines bring what nobody
 * listens to, and who has no modes does not ask whether anything has come since. */
static void tape_in_file(Own *own, HyTape *tape)
{
  for (guint k = 0; k < own->form.kind->n_in; k++) {
    if (!hy_static_only_decides(own, k)) {
      hy_tape_piece(tape, &own->in[k]);
    }
  }
  for (guint k = 0; k < own->form.kind->n_out; k++) {
    hy_tape_piece(tape, &own->said[k]);
  }
  HY_TAPE(tape, own->tn);
  HY_TAPE(tape, own->until);
  hy_tape_fault(tape, &own->fault);
  tape_arrivals(own, tape);
  if (own->inexact != NULL) {
    tape_bounds(own, tape);
  }
  if (own->modes != NULL) {
    HY_TAPE(tape, own->fresh);
    hy_modes_tape(own->modes, tape);
  }
  own->port = hy_tape_loads(tape) ? 0 : own->port;
}

void hy_static_tape(void *state, HyTape *tape)
{
  Own *own = ((HyStatic *)state)->own;
  Layout n = static_layout(own->form.kind);
  hy_tape_whole(tape, own, static_size(&n));
  if (hy_tape_files(tape)) {
    tape_in_file(own, tape);
  }
}
