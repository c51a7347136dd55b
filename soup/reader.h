/* One page that has the server open: what waits for it, and when it gets it. */
#ifndef HYDEVS_SOUP_READER_H
#define HYDEVS_SOUP_READER_H

#include <libsoup/soup.h>

typedef struct {
  guint64 number;
  SoupWebsocketConnection *socket;
  GPollableOutputStream *out; /* below it: takes bytes while the reader takes them */
  GString *kept;              /* lines that must arrive, each with a line feed */
  GString *values;            /* lines that may be lost, likewise */
  guint64 lost;               /* of these, since he was last told */
  gint64 sent;                /* when values went last, as g_get_monotonic_time() has it */
  GSource *source;            /* what is waited for; NULL: nothing waits */
} Reader;

/* Takes a reference to SOCKET. */
Reader *reader_new(guint64 number, SoupWebsocketConnection *socket);
void reader_free(Reader *reader); /* closes what is open */
void reader_say(Reader *reader, const char *line, gboolean kept);

#endif
