/* Lines from other threads: they wait in a ring until the session's own thread takes them, which
 * waits for nobody. */
#ifndef HY_SESSION_MAIL_H
#define HY_SESSION_MAIL_H

#include "hydevs/session.h"

typedef struct HyMail HyMail;
HyMail *hy_mail_new(void);
void hy_mail_free(HyMail *mail);
/* Whether the caller is the thread that calls hy_session_turn(); before that, the
 * one that has made the session. */
gboolean hy_mail_is_owner(const HySession *s);
void hy_mail_set_owner(HyMail *mail, GThread *owner);
/* Puts LINE into the ring and waits for its answer. */
gboolean hy_mail_send(HySession *s, gconstpointer who, const char *line, GString *answer);
/* Answers what has come. From now on the caller is the owner. */
void hy_mail_take(HySession *s);
int hy_mail_fd(const HyMail *mail); /* readable: something has come */
void hy_bell_ring(int fd);
void hy_bell_hear(int fd); /* it is silent then */
/* A line answered in the session's own thread. */
gboolean hy_session_here(HySession *s, gconstpointer who, const char *line, GString *answer);

#endif
