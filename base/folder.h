/* The folder in which hydevs lies. */
#ifndef HYDEVS_BASE_FOLDER_H
#define HYDEVS_BASE_FOLDER_H

#include <glib.h>

/* The folder of the file that this code was loaded from, a program or a shared library, as the
 * system knows it: what a program is called, what the loader was told and the folder that one is
 * in may all be others by now. NULL: the system does not tell. Newly allocated. */
char *hy_own_folder(void);

#endif
