/* Lines from other threads. Those who send wait for each other; who takes only looks into the ring.
 */
#include "mail.h"

#include "driver.h"
#include "ring.h"
#include "session_internal.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef struct {
  gconstpointer who;
  const char *line;
  GString *answer;
  gboolean ok;
} Letter;

struct HyMail {
  GMutex senders;     /* one at a time; the owner never takes it */
  HyRing ring;        /* of Letter * */
  int come, answered; /* eventfd */
  _Atomic(GThread *) owner;
};

HyMail *hy_mail_new(void)
{
  HyMail *m = g_new0(HyMail, 1);
  g_mutex_init(&m->senders);
  hy_ring_init(&m->ring, 64);
  m->come = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  m->answered = eventfd(0, EFD_CLOEXEC);
  atomic_init(&m->owner, g_thread_self());
  return m;
}

void hy_mail_free(HyMail *m)
{
  hy_ring_clear(&m->ring);
  g_mutex_clear(&m->senders);
  close(m->come);
  close(m->answered);
  g_free(m);
}

int hy_mail_fd(const HyMail *m)
{
  return m->come;
}

int hy_session_fd(const HySession *s)
{
  g_return_val_if_fail(s != NULL, -1);
  return s->driver != NULL ? hy_driver_fd(s->driver) : s->mail->come;
}

void hy_mail_set_owner(HyMail *m, GThread *owner)
{
  atomic_store(&m->owner, owner);
}

gboolean hy_mail_is_owner(const HySession *s)
{
  return atomic_load(&s->mail->owner) == g_thread_self();
}

void hy_bell_ring(int fd)
{
  const guint64 one = 1;
  while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

void hy_bell_hear(int fd)
{
  guint64 rung;
  while (read(fd, &rung, sizeof rung) < 0 && errno == EINTR) {
  }
}

gboolean hy_mail_send(HySession *s, gconstpointer who, const char *line, GString *answer)
{
  HyMail *m = s->mail;
  Letter letter = {who, line, answer, FALSE}, *p = &letter;
  g_mutex_lock(&m->senders);
  gboolean sent = hy_ring_put(&m->ring, &p, sizeof(gpointer), NULL, 0);
  if (sent) {
    hy_bell_ring(m->come);
    hy_bell_hear(m->answered);
  } else {
    g_string_append(answer, "{\"ok\":false,\"why\":\"the session is not taking lines\"}");
  }
  g_mutex_unlock(&m->senders);
  return sent && letter.ok;
}

void hy_mail_take(HySession *s)
{
  HyMail *m = s->mail;
  atomic_store(&m->owner, g_thread_self());
  hy_bell_hear(m->come); /* before looking, so that no bell is left without a letter */
  Letter *letter;
  while (hy_ring_take(&m->ring, &letter, sizeof(gpointer)) == sizeof(gpointer)) {
    letter->ok = hy_session_here(s, letter->who, letter->line, letter->answer);
    hy_bell_ring(m->answered);
  }
}
