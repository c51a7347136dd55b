/* What a module that serves offers (soup/). hydevs links none: it is opened when somebody wants a
 * server. */
#ifndef HYDEVS_SERVE_MODULE_H
#define HYDEVS_SERVE_MODULE_H

#include "hydevs/serve.h"

typedef struct {
  guint version; /* HY_SERVE_VERSION, else it is of another hydevs */
  /* NULL: *WHY says why, newly allocated. */
  HyServer *(*start)(const HyServing *serving, char **why);
  void (*stop)(HyServer *server);
  const char *(*address)(const HyServer *server);
  void (*say)(HyServer *server, guint64 reader, const char *line, gboolean kept);
} HyServe;
#define HY_SERVE_VERSION 1U

/* What a server begins with, whatever the module keeps behind it. */
struct HyServer {
  const HyServe *serve;
};

#pragma GCC visibility push(default)
extern const HyServe hydevs_soup; /* what the module defines */
#pragma GCC visibility pop

#endif
