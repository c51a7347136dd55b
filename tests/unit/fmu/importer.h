/* An importer for tests that knows the standard (fmi3/fmi3.h), a zip and an XML reader, and nothing
 * of hydevs but the command that exports. */
#ifndef IMPORTER_H
#define IMPORTER_H

#include "fmi3/fmi3.h"
#include "unity.h"

#include <dlfcn.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <libxml/parser.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
#define IMPORTER_FIELD(Result, name, parameters)                                                   \
  Result(*name) parameters; /* NOLINT(bugprone-macro-parentheses): a declaration */
  FMI3_FUNCTIONS(IMPORTER_FIELD)
  char *folder, *token;
  xmlDoc *description;
  void *object;
} Importer;

typedef struct {
  const Importer *of;
  fmi3Instance at;
  GString *log; /* "Status category: message" lines */
  double t;
} Imported;

static inline guint32 importer_number(const guint8 *at, guint bytes)
{
  guint32 v = 0;
  for (guint k = 0; k < bytes; k++) {
    v |= (guint32)at[k] << 8 * k;
  }
  return v;
}

/* Stored files one after the other, as APPNOTE has them. */
static inline void importer_unpack(const char *file, const char *folder)
{
  g_autofree char *bytes = NULL;
  gsize size = 0;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(file, &bytes, &size, NULL), file);
  const guint8 *at = (const guint8 *)bytes, *end = at + size;
  for (; end - at > 30 && importer_number(at, 4) == 0x04034b50U;) {
    guint32 n = importer_number(at + 18, 4), name = importer_number(at + 26, 2);
    TEST_ASSERT_EQUAL_UINT(0, importer_number(at + 8, 2));
    g_autofree char *path = g_strndup((const char *)at + 30, name);
    g_autofree char *to = g_build_filename(folder, path, NULL), *in = g_path_get_dirname(to);
    TEST_ASSERT_EQUAL_INT(0, g_mkdir_with_parents(in, 0700));
    at += 30 + name + importer_number(at + 28, 2);
    TEST_ASSERT_TRUE(g_file_set_contents(to, (const char *)at, n, NULL));
    at += n;
  }
  TEST_ASSERT_EQUAL_HEX32(0x02014b50U, importer_number(at, 4));
}

static inline xmlNode *importer_child(xmlNode *of, const char *name)
{
  for (xmlNode *n = of->children; n != NULL; n = n->next) {
    if (n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, name) == 0) {
      return n;
    }
  }
  return NULL;
}

/* Newly allocated; NULL: it is not stated. */
static inline char *importer_attribute(xmlNode *of, const char *name)
{
  xmlChar *value = xmlGetProp(of, (const xmlChar *)name);
  char *copy = g_strdup((const char *)value);
  xmlFree(value);
  return copy;
}

static inline void importer_function(const Importer *f, const char *name, void *pointer)
{
  void *at = dlsym(f->object, name);
  TEST_ASSERT_NOT_NULL_MESSAGE(at, name);
  memcpy(pointer, &at, sizeof at);
}

/* FILE, an archive, in a folder of its own. */
static inline Importer *importer_open(const char *file)
{
  Importer *f = g_new0(Importer, 1);
  f->folder = g_dir_make_tmp("importer-XXXXXX", NULL);
  importer_unpack(file, f->folder);
  g_autofree char *path = g_build_filename(f->folder, "modelDescription.xml", NULL);
  f->description = xmlReadFile(path, NULL, XML_PARSE_NOENT);
  TEST_ASSERT_NOT_NULL(f->description);
  xmlNode *root = xmlDocGetRootElement(f->description);
  f->token = importer_attribute(root, "instantiationToken");
  g_autofree char *id = importer_attribute(importer_child(root, "CoSimulation"), "modelIdentifier");
  g_autofree char *name = g_strdup_printf("%s.so", id);
  g_autofree char *object = g_build_filename(f->folder, "binaries", HY_FMU_PLATFORM, name, NULL);
  f->object = dlopen(object, RTLD_NOW | RTLD_LOCAL);
  TEST_ASSERT_NOT_NULL_MESSAGE(f->object, dlerror());
#define IMPORTER_LOOK(Result, name, parameters) importer_function(f, #name, &f->name);
  FMI3_FUNCTIONS(IMPORTER_LOOK)
  TEST_ASSERT_EQUAL_STRING("3.0", f->fmi3GetVersion());
  return f;
}

static inline void importer_close(Importer *f)
{
  g_autofree char *command = g_strdup_printf("rm -rf '%s'", f->folder);
  dlclose(f->object);
  xmlFreeDoc(f->description);
  TEST_ASSERT_EQUAL_INT(0, system(command)); /* NOLINT: of this test */
  g_free(f->folder);
  g_free(f->token);
  g_free(f);
}

/* `hydevs export --fmi`, and the unit that comes of it. */
static inline Importer *importer_export(const char *arguments)
{
  g_autofree char *folder = g_dir_make_tmp("exported-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(folder, "unit.fmu", NULL);
  g_autofree char *command =
      g_strdup_printf("%s export --fmi %s -o %s", HY_PROGRAM, arguments, file);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, system(command), command); /* NOLINT: of this test */
  Importer *f = importer_open(file);
  g_unlink(file);
  g_rmdir(folder);
  return f;
}

/* Variables ----------------------------------------------------------------------------------- */

/* The element of the variable; NULL: there is none. */
static inline xmlNode *importer_variable(const Importer *f, const char *name)
{
  xmlNode *root = xmlDocGetRootElement(f->description);
  xmlNode *list = importer_child(root, "ModelVariables");
  for (xmlNode *n = list->children; n != NULL; n = n->next) {
    g_autofree char *own = n->type == XML_ELEMENT_NODE ? importer_attribute(n, "name") : NULL;
    if (own != NULL && strcmp(own, name) == 0) {
      return n;
    }
  }
  return NULL;
}

static inline fmi3ValueReference importer_reference(const Importer *f, const char *name)
{
  xmlNode *n = importer_variable(f, name);
  TEST_ASSERT_NOT_NULL_MESSAGE(n, name);
  g_autofree char *reference = importer_attribute(n, "valueReference");
  return (fmi3ValueReference)g_ascii_strtoull(reference, NULL, 10);
}

static inline void importer_log(fmi3InstanceEnvironment environment, fmi3Status status,
                                fmi3String category, fmi3String message)
{
  static const char *const names[] = {"OK", "Warning", "Discard", "Error", "Fatal"};
  Imported *u = environment;
  g_string_append_printf(u->log, "%s %s: %s\n", names[status], category, message);
}

typedef enum { IMPORTER_PLAIN = 0, IMPORTER_EVENTS = 1, IMPORTER_EARLY = 2 } ImporterUse;

/* Instantiated; `at` is NULL if that has failed. */
static inline Imported *imported_new(const Importer *f, ImporterUse use)
{
  Imported *u = g_new0(Imported, 1);
  u->of = f;
  u->log = g_string_new(NULL);
  g_autofree char *resources = g_strdup_printf("%s/resources/", f->folder);
  u->at = f->fmi3InstantiateCoSimulation("it", f->token, resources, false, false,
                                         (use & IMPORTER_EVENTS) != 0, (use & IMPORTER_EARLY) != 0,
                                         NULL, 0, u, importer_log, NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(u->at, u->log->str);
  return u;
}

static inline void imported_free(Imported *u)
{
  u->of->fmi3FreeInstance(u->at);
  g_string_free(u->log, TRUE);
  g_free(u);
}

static inline void imported_is(fmi3Status wanted, fmi3Status status, const Imported *u)
{
  TEST_ASSERT_EQUAL_INT_MESSAGE(wanted, status, u->log->str);
}

static inline double imported_get(const Imported *u, const char *name)
{
  fmi3ValueReference reference = importer_reference(u->of, name);
  double v = NAN;
  imported_is(fmi3OK, u->of->fmi3GetFloat64(u->at, &reference, 1, &v, 1), u);
  return v;
}

static inline void imported_set(const Imported *u, const char *name, double v)
{
  fmi3ValueReference reference = importer_reference(u->of, name);
  imported_is(fmi3OK, u->of->fmi3SetFloat64(u->at, &reference, 1, &v, 1), u);
}

static inline gint64 imported_count(const Imported *u, const char *name)
{
  fmi3ValueReference reference = importer_reference(u->of, name);
  gint64 v = -1;
  imported_is(fmi3OK, u->of->fmi3GetInt64(u->at, &reference, 1, &v, 1), u);
  return v;
}

static inline void imported_set_count(const Imported *u, const char *name, gint64 v)
{
  fmi3ValueReference reference = importer_reference(u->of, name);
  imported_is(fmi3OK, u->of->fmi3SetInt64(u->at, &reference, 1, &v, 1), u);
}

static inline void imported_begin(Imported *u, double t)
{
  u->t = t;
  imported_is(fmi3OK, u->of->fmi3EnterInitializationMode(u->at, false, 0, t, false, 0), u);
}

static inline void imported_start(Imported *u, double t)
{
  imported_begin(u, t);
  imported_is(fmi3OK, u->of->fmi3ExitInitializationMode(u->at), u);
}

/* TO, or as far as it went. TRUE: events are to be handled. */
static inline gboolean imported_step(Imported *u, double to)
{
  bool event, over, early;
  double reached, from = u->t;
  imported_is(fmi3OK,
              u->of->fmi3DoStep(u->at, from, to - from, true, &event, &over, &early, &reached), u);
  TEST_ASSERT_FALSE(over);
  TEST_ASSERT_TRUE(early == (reached < from + (to - from)));
  u->t = early ? reached : to;
  return event;
}

/* One iteration of the event mode. */
static inline gboolean imported_update(const Imported *u)
{
  bool more, over, nominals, states, defined;
  double next;
  imported_is(
      fmi3OK,
      u->of->fmi3UpdateDiscreteStates(u->at, &more, &over, &nominals, &states, &defined, &next), u);
  return more;
}

#endif
