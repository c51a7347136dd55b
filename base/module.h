/* Modules: parts of hydevs that are built where what they need is found, and opened when they are
 * asked for, so that nobody else pays for what they link. */
#ifndef HYDEVS_BASE_MODULE_H
#define HYDEVS_BASE_MODULE_H

#include <glib.h>

/* What the module FILE ("libhydevs-mpi.so") defines as NAME. NULL with an error: the module cannot
 * be opened, or is none; NULL without: it is not there. It stays open. */
gconstpointer hy_module_find(const char *file, const char *name, GError **error);

#endif
