/* Which version the library that runs has; the number stands in the CMakeLists.txt of the tree. */
#include "hydevs/version.h"

const char *hy_version(void)
{
  return HY_VERSION;
}

guint hy_abi(void)
{
  return HY_ABI;
}
