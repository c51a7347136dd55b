/* The files of this room that are no C, as texts: what units carry along. Made by CMake. */
#ifndef HY_FMU_TEXTS_H
#define HY_FMU_TEXTS_H

extern const char hy_license_txt[], hy_lgpl_txt[];

#endif
