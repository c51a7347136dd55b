/* The server is a module (soup/), as linking what it needs would cost every start of the command
 * more than its own start. */
#include "base/module.h"
#include "base/sized.h"
#include "hydevs/error.h"
#include "serve/module.h"

static const HyServe *find(GError **error)
{
  GError *wrong = NULL;
  const HyServe *serve = hy_module_find("libhydevs-soup.so", "hydevs_soup", &wrong);
  if (wrong != NULL) {
    g_propagate_error(error, wrong);
  } else if (serve == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE,
                "hydevs was built without libsoup, which serves pages: install libsoup-3.0-dev, "
                "configure and build again");
  } else if (serve->version != HY_SERVE_VERSION) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "libhydevs-soup.so is of another hydevs");
    serve = NULL;
  }
  return serve;
}

HyServer *hy_server_new_sized(const HyServing *serving, gsize size, GError **error)
{
  g_return_val_if_fail(serving != NULL && serving->page != NULL && serving->line != NULL, NULL);
  HyServing taken = {0};
  const HyServe *serve =
      hy_sized_take(&taken, serving, size, "HyServing", error) ? find(error) : NULL;
  if (serve == NULL) {
    return NULL;
  }
  g_autofree char *why = NULL;
  HyServer *server = serve->start(&taken, &why);
  if (server == NULL) {
    g_set_error(error, HY_ERROR, HY_ERROR_USAGE, "no page can be served: %s", why);
  }
  return server;
}

void hy_server_free(HyServer *server)
{
  if (server != NULL) {
    server->serve->stop(server);
  }
}

const char *hy_server_address(const HyServer *server)
{
  g_return_val_if_fail(server != NULL, NULL);
  return server->serve->address(server);
}

void hy_server_say(HyServer *server, guint64 reader, const char *line, gboolean kept)
{
  g_return_if_fail(server != NULL && line != NULL);
  server->serve->say(server, reader, line, kept);
}
