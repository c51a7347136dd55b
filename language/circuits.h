/* What the other passes ask of circuits: nodes.c, network.c, network_blocks.c. */
#ifndef HY_LANGUAGE_CIRCUITS_H
#define HY_LANGUAGE_CIRCUITS_H

#include "language/env.h"

/* It is an element of a circuit, or a node. */
gboolean hy_is_element(const Entry *e);
/* Adds the nodes that elements name to the entries of D, a circuit. */
void hy_nodes_define(Loader *l, Define *d);
/* The same of the blocks in it, whose types are looked at for that. */
void hy_nodes_of_blocks(Loader *l, Define *d);
/* E, a <node> of D. */
void hy_node_port_read(Loader *l, Define *d, Entry *e);
/* The first of its nodes that are joined to others from outside; NULL: there is none. */
const Entry *hy_node_port(const Define *d);
/* Node E with these indices, as a place in the list of the network; HY_NO_COMPONENT: an error. */
guint32 hy_node_copy(const Env *env, const Entry *e, const gint64 *at, GError **error);
/* Whether CHILD belongs to the network of the circuit that it stands in. */
gboolean hy_is_nested(const Scope *child);
/* The network that S is in has no equations, as S is wrong, which has been reported. */
void hy_network_fail(Scope *s);
/* The elements of S and of all circuits in it, once their copies are known: equations, or a
 * message. */
void hy_network_solve(Loader *l, Scope *s);
/* The blocks of element E in their place; after all blocks of all these circuits, what they read.
 */
void hy_network_blocks(Loader *l, Scope *s, const Entry *e);
void hy_network_finish(Loader *l, Scope *s);
/* The reading at END, of an element or a node, will be asked for. */
void hy_network_want(Scope *s, const End *end);
/* Where it is. FALSE: there are no equations, which has been reported. */
gboolean hy_network_place(Scope *s, const End *end, guint *component, guint *port);
/* What the user calls the element or node at END, in its circuit. */
const char *hy_network_element_name(const Scope *s, const End *end);
/* F, which becomes function NAME, where in a circuit what is compared is a function by itself. */
const HyFormula *hy_network_compare(Env *env, const HyFormula *f, const char *name,
                                    const char *text);
void hy_network_free(Network *n);

#endif
