/* A message in words: what it means, and why it comes now. player.js says the same in pages. */
#include "hydevs/pages.h"

#include "base/hint.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

/* What the block or model of a done says of its next event. */
static void add_next(GString *out, const HyMessage *m)
{
  char t[HY_DOUBLE_SIZE], sigma[HY_DOUBLE_SIZE];
  gboolean moved = m->ran == HY_RAN_DEXT || m->ran == HY_RAN_DINT;
  if (isinf(m->tn)) {
    g_string_append(out, m->ran == HY_RAN_NOTHING ? "nothing in it has an event to come"
                                                  : "it has no event of its own to come");
  } else if (m->tn == m->t) {
    g_string_append(out, moved ? "it is due again now" : "it is due now");
  } else {
    g_string_append_printf(out, "it is due at t = %s, in %s", hy_double_text(t, m->tn),
                           hy_double_text(sigma, m->tn - m->t));
  }
}

/* Why it stands first. A block inside the one that has its turn may be the reason. */
static void add_why(GString *out, const HyMessage *m)
{
  static const char *const reasons[] = {
      [HY_WHY_ALONE] = "",
      [HY_WHY_AT_ONCE] = "answers at once",
      [HY_WHY_RANK] = "is first of those that answer at once, by rank and as listed",
      [HY_WHY_PRIORITY] = "has a priority",
      [HY_WHY_LISTED] = "is listed first",
  };
  gboolean inside =
      (m->why == HY_WHY_AT_ONCE || m->why == HY_WHY_RANK) && strcmp(m->leads, m->path) != 0;
  g_string_append_printf(out, " (%s %s).", inside ? m->leads : "it", reasons[m->why]);
}

static void words_of_star(GString *out, const HyMessage *m)
{
  char t[HY_DOUBLE_SIZE];
  hy_double_text(t, m->t);
  if (m->imminent == NULL) {
    g_string_append_printf(out, "The earliest event of all is at t = %s: %s is to execute it.", t,
                           m->to);
  } else if (m->imminent[0] == NULL || m->imminent[1] == NULL) {
    g_string_append_printf(out, "In %s only %s is due at t = %s, so it has its turn.", m->from,
                           m->to, t);
  } else {
    g_autofree char *all = g_strjoinv(", ", hy_key(m->imminent));
    g_string_append_printf(out,
                           "In %s several are due at t = %s: %s. %s has its turn, for it stands "
                           "first in the order of ties",
                           m->from, t, all, m->to);
    add_why(out, m);
  }
}

static void words_of_value(GString *out, const HyMessage *m)
{
  g_autoptr(GString) value = g_string_new(NULL);
  hy_value_text(value, m->value);
  if (m->kind == HY_MSG_X) {
    g_string_append_printf(out, "%s hands %s to %s at its input %s.", m->from, value->str, m->to,
                           m->port);
  } else if (m->ran == HY_RAN_LAMBDA) {
    g_string_append_printf(out, "%s says %s at its output %s (lambda, before it moves itself).",
                           m->from, value->str, m->port);
  } else {
    g_string_append_printf(out, "%s leaves %s at its output %s.", value->str, m->from, m->port);
  }
}

static void words_of_done(GString *out, const HyMessage *m)
{
  char e[HY_DOUBLE_SIZE];
  switch (m->ran) {
  case HY_RAN_NOTHING:
    g_string_append_printf(out, "%s tells %s that ", m->from, m->to);
    break;
  case HY_RAN_INIT:
    g_string_append_printf(out, "%s begins", m->from);
    break;
  case HY_RAN_DEXT:
    g_string_append_printf(out, "%s takes the input, %s after its last transition (dext)", m->from,
                           hy_double_text(e, m->e));
    break;
  default:
    g_string_append_printf(out, "%s moves on (dint)", m->from);
    break;
  }
  if (m->ran != HY_RAN_NOTHING) {
    g_string_append_printf(out, m->state != NULL ? ": its state is %s; " : "; %s",
                           m->state != NULL ? m->state : "");
  }
  add_next(out, m);
  g_string_append_c(out, '.');
}

void hy_message_words(GString *out, const HyMessage *m)
{
  g_return_if_fail(out != NULL && m != NULL);
  switch (m->kind) {
  case HY_MSG_I:
    g_string_append_printf(out, "%s tells %s to begin.", m->from, m->to);
    break;
  case HY_MSG_STAR:
    words_of_star(out, m);
    break;
  case HY_MSG_DONE:
    words_of_done(out, m);
    break;
  default:
    words_of_value(out, m);
  }
}
