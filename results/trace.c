/* Messages as lines: for the blackboard, or one JSON object each. */
#include "hydevs/trace.h"

#include "hydevs/json.h"

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
static void json_value(HyJsonOut *json, const HyValue *value)
{
  if (value->payload != NULL) {
    g_autofree char *text = g_variant_print(value->payload, FALSE);
    hy_json_text(json, "value", text);
    return;
  }
  int last = 3;
  while (last > 0 && value->c[last] == 0) {
    last--;
  }
  if (last == 0) {
    hy_json_real(json, "value", value->c[0]);
    return;
  }
  hy_json_begin(json, "value", '[');
  for (int k = 0; k <= last; k++) {
    hy_json_real(json, NULL, value->c[k]);
  }
  hy_json_end(json, ']');
}

/* What has happened there: the function, e, the new state, who was due. */
static void json_more(HyJsonOut *json, const HyMessage *m)
{
  static const char *const ran[] = {NULL, "init", "lambda", "dext", "dint"};
  hy_json_text(json, "ran", ran[m->ran]);
  if (m->ran == HY_RAN_DEXT) {
    hy_json_real(json, "e", m->e);
  }
  hy_json_text(json, "state", m->state);
  if (m->imminent == NULL) {
    return;
  }
  hy_json_begin(json, "imminent", '[');
  for (guint k = 0; m->imminent[k] != NULL; k++) {
    hy_json_text(json, NULL, m->imminent[k]);
  }
  hy_json_end(json, ']');
}

void hy_trace_json(gpointer user, const HyMessage *m)
{
  g_return_if_fail(user != NULL && m != NULL);
  static const char *const kinds[] = {"i", "*", "x", "y", "done"};
  g_autoptr(GString) out = g_string_new(NULL);
  HyJsonOut json = {.out = out, .tight = TRUE};
  hy_json_begin(&json, NULL, '{');
  hy_json_count(&json, "n", m->n);
  hy_json_real(&json, "t", m->t);
  hy_json_text(&json, "from", m->from);
  hy_json_text(&json, "to", m->to);
  hy_json_text(&json, "path", m->path);
  hy_json_text(&json, "msg", kinds[m->kind]);
  if (m->port != NULL) {
    hy_json_text(&json, "port", m->port);
    json_value(&json, m->value);
  }
  if (m->kind == HY_MSG_DONE) {
    hy_json_real(&json, "tn", m->tn);
    hy_json_real(&json, "sigma", m->tn - m->t);
  }
  json_more(&json, m);
  hy_json_end(&json, '}');
  g_string_append_c(out, '\n');
  fputs(out->str, user);
}
