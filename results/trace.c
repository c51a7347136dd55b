/* Messages as lines: for the blackboard, or one JSON object each. */
#include "hydevs/trace.h"

#include "json.h"

static void message_text(GString *out, const HyMessage *m)
{
  char t[HY_DOUBLE_SIZE];
  switch (m->kind) {
  case HY_MSG_DONE:
    g_string_append_printf(out, "(done,%s)", hy_double_text(t, m->tn));
    break;
  case HY_MSG_X:
  case HY_MSG_Y:
    g_string_append_printf(out, "(%c,%s) %s:", m->kind == HY_MSG_X ? 'x' : 'y',
                           hy_double_text(t, m->t), m->port);
    hy_value_text(out, m->value);
    break;
  default:
    g_string_append_printf(out, "(%c,%s)", m->kind == HY_MSG_I ? 'i' : '*',
                           hy_double_text(t, m->t));
  }
}

void hy_trace_text(gpointer user, const HyMessage *m)
{
  g_return_if_fail(user != NULL && m != NULL);
  char t[HY_DOUBLE_SIZE];
  g_autoptr(GString) message = g_string_new(NULL);
  message_text(message, m);
  FILE *out = user;
  const int name = (int)m->widest;
  fprintf(out, "%3" G_GUINT64_FORMAT " t=%-4s %-*s -> %-*s ", m->n, hy_double_text(t, m->t), name,
          m->from, name, m->to);
  if (m->note != NULL) {
    fprintf(out, "%-18s ; %s\n", message->str, m->note);
  } else {
    fprintf(out, "%s\n", message->str);
  }
}

/* A number; a polynomial as an array of its coefficients; a payload as text. */
static void json_value(GString *out, const HyValue *value)
{
  if (value->payload != NULL) {
    g_autofree char *text = g_variant_print(value->payload, FALSE);
    hy_json_string(out, text);
    return;
  }
  int last = 3;
  while (last > 0 && value->c[last] == 0) {
    last--;
  }
  for (int k = 0; k <= last; k++) {
    g_string_append(out, last == 0 ? "" : k == 0 ? "[" : ",");
    hy_json_number(out, value->c[k]);
  }
  g_string_append(out, last > 0 ? "]" : "");
}

/* What has happened there: the function, e, the new state, who was due. */
static void json_more(GString *out, const HyMessage *m)
{
  static const char *const ran[] = {NULL, "init", "lambda", "dext", "dint"};
  if (m->ran != HY_RAN_NOTHING) {
    g_string_append_printf(out, ",\"ran\":\"%s\"", ran[m->ran]);
  }
  if (m->ran == HY_RAN_DEXT) {
    g_string_append(out, ",\"e\":");
    hy_json_number(out, m->e);
  }
  if (m->state != NULL) {
    g_string_append(out, ",\"state\":");
    hy_json_string(out, m->state);
  }
  for (guint k = 0; m->imminent != NULL && m->imminent[k] != NULL; k++) {
    g_string_append(out, k == 0 ? ",\"imminent\":[" : ",");
    hy_json_string(out, m->imminent[k]);
  }
  g_string_append(out, m->imminent != NULL ? "]" : "");
}

void hy_trace_json(gpointer user, const HyMessage *m)
{
  g_return_if_fail(user != NULL && m != NULL);
  static const char *const kinds[] = {"i", "*", "x", "y", "done"};
  g_autoptr(GString) out = g_string_new(NULL);
  g_string_append_printf(out, "{\"n\":%" G_GUINT64_FORMAT ",\"t\":", m->n);
  hy_json_number(out, m->t);
  g_string_append(out, ",\"from\":");
  hy_json_string(out, m->from);
  g_string_append(out, ",\"to\":");
  hy_json_string(out, m->to);
  g_string_append(out, ",\"path\":");
  hy_json_string(out, m->path);
  g_string_append_printf(out, ",\"msg\":\"%s\"", kinds[m->kind]);
  if (m->port != NULL) {
    g_string_append(out, ",\"port\":");
    hy_json_string(out, m->port);
    g_string_append(out, ",\"value\":");
    json_value(out, m->value);
  }
  if (m->kind == HY_MSG_DONE) {
    g_string_append(out, ",\"tn\":");
    hy_json_number(out, m->tn);
    g_string_append(out, ",\"sigma\":");
    hy_json_number(out, m->tn - m->t);
  }
  json_more(out, m);
  g_string_append(out, "}\n");
  fputs(out->str, user);
}
