/* Which hydevs this is, and what a program that was compiled with one may expect of another
 * (docs/c.md). */
#ifndef HYDEVS_VERSION_H
#define HYDEVS_VERSION_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The number of the binary interface, and of the shared library: libhydevs.so.HY_ABI. It grows by 1
 * with a release that programs have to be compiled anew for; include/abi.txt has what they rely on.
 */
#define HY_ABI 0U

/* Of the library that runs: "0.2.0", and the HY_ABI that it was built with. */
const char *hy_version(void);
guint hy_abi(void);

#pragma GCC visibility pop
G_END_DECLS
#endif
