/* Bit by bit from the lowest, four bits at a time. */
#include "base/crc.h"

guint32 hy_crc32(const guint8 *bytes, gsize size)
{
  static const guint32 of[16] = {0x00000000U, 0x1db71064U, 0x3b6e20c8U, 0x26d930acU,
                                 0x76dc4190U, 0x6b6b51f4U, 0x4db26158U, 0x5005713cU,
                                 0xedb88320U, 0xf00f9344U, 0xd6d6a3e8U, 0xcb61b38cU,
                                 0x9b64c2b0U, 0x86d3d2d4U, 0xa00ae278U, 0xbdbdf21cU};
  guint32 crc = 0xffffffffU;
  for (gsize k = 0; k < size; k++) {
    crc ^= bytes[k];
    crc = (crc >> 4) ^ of[crc & 15];
    crc = (crc >> 4) ^ of[crc & 15];
  }
  return ~crc;
}
