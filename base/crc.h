/* CRC-32 of ISO 3309, as archives have it. */
#ifndef HYDEVS_BASE_CRC_H
#define HYDEVS_BASE_CRC_H

#include <glib.h>

guint32 hy_crc32(const guint8 *bytes, gsize size);

#endif
