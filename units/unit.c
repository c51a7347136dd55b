/* A unit is unpacked and its shared object opened. */
#include "units/unit.h"

#include "hydevs/text.h"
#include "units/unzip.h"

#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/utsname.h>

static gboolean fails(const HyUnit *u, GError **error, const char *what)
{
  g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: %s", u->file, what);
  return FALSE;
}

/* "binaries/x86_64-linux" */
static char *platform(void)
{
  struct utsname name;
  return g_strdup_printf("binaries/%s-linux", uname(&name) == 0 ? name.machine : "unknown");
}

static gboolean unpack_file(const HyUnit *u, const HyUnzip *z, guint k, GError **error)
{
  g_autofree char *why = NULL;
  gsize size;
  g_autofree guint8 *bytes = hy_unzip_file(z, k, &size, &why);
  if (bytes == NULL) {
    return fails(u, error, why);
  }
  g_autofree char *to = g_build_filename(u->folder, hy_unzip_name(z, k), NULL);
  g_autofree char *in = g_path_get_dirname(to);
  if (g_mkdir_with_parents(in, 0700) != 0) {
    g_set_error(error, HY_ERROR, HY_ERROR_RUN, "%s: %s", in, g_strerror(errno));
    return FALSE;
  }
  return hy_write_file(to, (const char *)bytes, (gssize)size, error);
}

/* What it says of itself, and what it needs where it runs. */
static gboolean unpack(HyUnit *u, const HyUnzip *z, GError **error)
{
  g_autofree char *object = platform(), *folder = g_strconcat(object, "/", NULL);
  gboolean described = FALSE, runs = FALSE;
  for (guint k = 0; k < hy_unzip_n(z); k++) {
    const char *name = hy_unzip_name(z, k);
    if (strcmp(name, "modelDescription.xml") == 0) {
      g_autofree char *why = NULL;
      gsize size;
      g_autofree guint8 *xml = hy_unzip_file(z, k, &size, &why);
      if (xml == NULL) {
        return fails(u, error, why);
      }
      hy_unit_says_clear(&u->says);
      if (!hy_unit_says_read(&u->says, (const char *)xml, size, error)) {
        g_prefix_error(error, "%s: ", u->file);
        return FALSE;
      }
      described = TRUE;
    }
    runs = runs || g_str_has_prefix(name, folder);
    if ((g_str_has_prefix(name, folder) || g_str_has_prefix(name, "resources/")) &&
        !g_str_has_suffix(name, "/") && !unpack_file(u, z, k, error)) {
      return FALSE;
    }
  }
  if (!described) {
    return fails(u, error, "it is no unit (FMU): it has no modelDescription.xml");
  }
  if (!runs) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: it cannot be run here: it has no %s", u->file,
                object);
    return FALSE;
  }
  return TRUE;
}

static gboolean find(const HyUnit *u, const char *name, void *pointer, GError **error)
{
  void *at = dlsym(u->object, name);
  if (at == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s: its shared object has no %s", u->file, name);
    return FALSE;
  }
  memcpy(pointer, &at, sizeof at);
  return TRUE;
}

static gboolean open_object(HyUnit *u, GError **error)
{
  g_autofree char *folder = platform(), *name = g_strconcat(u->says.identifier, ".so", NULL);
  g_autofree char *path = g_build_filename(u->folder, folder, name, NULL);
  u->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (u->object == NULL) {
    g_autofree char *why = g_strdup_printf("it cannot be loaded: %s", dlerror());
    return fails(u, error, why);
  }
#define FIND(Result, function, parameters) &&find(u, #function, &u->function, error)
  return TRUE FMI3_FUNCTIONS(FIND);
}

HyUnit *hy_unit_open(const char *file, GError **error)
{
  g_autofree char *bytes = NULL, *why = NULL, *base = g_path_get_basename(file);
  gsize size;
  GError *read = NULL;
  if (!g_file_get_contents(file, &bytes, &size, &read)) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "%s", read->message);
    g_error_free(read);
    return NULL;
  }
  HyUnit *u = g_new0(HyUnit, 1);
  u->file = g_strdup(file);
  u->name = g_strndup(base, strlen(base) - strlen(".fmu"));
  u->folder = g_dir_make_tmp("hydevs-unit-XXXXXX", error);
  HyUnzip z;
  gboolean ok = hy_unzip_open(&z, (const guint8 *)bytes, size, &why) || fails(u, error, why);
  ok = ok && u->folder != NULL && unpack(u, &z, error) && open_object(u, error);
  hy_unzip_clear(&z);
  if (!ok) {
    hy_unit_close(u);
    return NULL;
  }
  hy_unit_make_class(u);
  return u;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
  (void)st, (void)kind, (void)at;
  return g_remove(path);
}

void hy_unit_close(HyUnit *u)
{
  if (u == NULL) {
    return;
  }
  if (u->object != NULL) {
    dlclose(u->object);
  }
  if (u->folder != NULL) {
    nftw(u->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  }
  hy_unit_says_clear(&u->says);
  g_free(u->in);
  g_free(u->out);
  g_free(u->params);
  g_free(u->example);
  g_free(u->file);
  g_free(u->name);
  g_free(u->folder);
  g_free(u);
}
