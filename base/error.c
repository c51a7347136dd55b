/* The error domain. */
#include "hydevs/error.h"

G_DEFINE_QUARK(hy - error - quark, hy_error)
