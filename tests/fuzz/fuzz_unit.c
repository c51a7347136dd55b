/* Any bytes as a unit's archive, and what is in it as its description: never a crash or a leak;
 * either files or a reason. */
#include "units/unit.h"
#include "units/unzip.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static void read_file(const HyUnzip *z, guint k)
{
  g_autofree char *why = NULL;
  gsize n = 0;
  g_autofree guint8 *bytes = hy_unzip_file(z, k, &n, &why);
  if ((bytes == NULL) != (why != NULL)) {
    abort();
  }
  if (bytes != NULL && strcmp(hy_unzip_name(z, k), "modelDescription.xml") == 0) {
    g_autoptr(GError) error = NULL;
    HyUnitSays says;
    if (hy_unit_says_read(&says, (const char *)bytes, n, &error) != (error == NULL)) {
      abort();
    }
    hy_unit_says_clear(&says);
  }
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
  HyUnzip z;
  g_autofree char *why = NULL;
  gboolean ok = hy_unzip_open(&z, data, size, &why);
  if (ok != (why == NULL)) {
    abort();
  }
  for (guint k = 0; ok && k < MIN(hy_unzip_n(&z), 20); k++) {
    read_file(&z, k);
  }
  hy_unzip_clear(&z);
  g_autoptr(GError) error = NULL;
  HyUnitSays says;
  hy_unit_says_read(&says, (const char *)data, size, &error);
  hy_unit_says_clear(&says);
  return 0;
}
