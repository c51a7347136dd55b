/* What a model file says for people who look at a model: texts, units of ports, positions and icons
 * in <view>, the components of a circuit with their nodes. A run reads nothing of it but the units
 * of ports that it records. */
#ifndef HYDEVS_LOOK_H
#define HYDEVS_LOOK_H

#include "hydevs/load.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* <at>: where a block stands; NaN and NULL: not stated. */
typedef struct {
  const char *block; /* its name, without indices */
  double x, y, width, height, turn;
  const char *icon, *color;
} HyAt;

/* <route>: the way of a wire; POINTS: "8,3 8,6". */
typedef struct {
  const char *from, *to, *points;
} HyRoute;

/* <note>: a text between the blocks. */
typedef struct {
  const char *text;
  double x, y;
} HyNote;

/* What is said of a port or block, by its name without indices. NULL: not stated. */
typedef struct {
  const char *name, *unit, *doc;
  const char *type; /* of a block: the word or type that it is placed by */
  guint line;
} HySaid;

/* A component of a circuit, or a circuit inside it: name "L1", "R[2]"; kind "inductor", "circuit".
 * NODE has the nodes at its N ends, as the circuit calls them; "0" is the reference. END: of a
 * circuit the names of its node ports, else NULL. */
typedef struct {
  const char *name, *kind, *value; /* value: "100u", as written; of a circuit its type and, in
                                    lines, what its inputs take; NULL: it has none */
  guint n;
  const char **node, **end;
} HyLookPart;

/* Of one coupled model; all that it points to lives as long as the loaded model. */
typedef struct {
  const char *doc; /* NULL: none */
  gboolean circuit;
  guint n_at, n_routes, n_notes, n_ports, n_blocks, n_parts;
  const HyAt *at;
  const HyRoute *route;
  const HyNote *note;
  const HySaid *port, *block;
  const HyLookPart *part;
} HyLook;
/* MODEL: of LOADED, or a coupled model inside it. */
void hy_loaded_look_sized(const HyLoaded *loaded, const HyModel *model, HyLook *look, gsize size);
static inline void hy_loaded_look(const HyLoaded *loaded, const HyModel *model, HyLook *look)
{
  hy_loaded_look_sized(loaded, model, look, sizeof(HyLook));
}
/* Of N said things the one that NAME is about, "in" for "in[2]"; NULL: none. */
const HySaid *hy_said_find(const HySaid *said, guint n, const char *name);

#pragma GCC visibility pop
G_END_DECLS
#endif
