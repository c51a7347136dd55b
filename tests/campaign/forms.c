#include "forms.h"

#include <string.h>

typedef struct {
  Real v[MOST_WIDTH];
} Form;

typedef struct {
  const Circuit *c;
  const Modes *m;
  const char *at;
  int width, depth; /* depth: of functions inside each other */
  gboolean wrong;
} Reader;

int form_width(const Circuit *c)
{
  return c->states + 2 * c->sines + 1;
}

int form_sine(const Circuit *c, int k)
{
  return c->states + 2 * k;
}

int form_one(const Circuit *c)
{
  return form_width(c) - 1;
}

static Form sum(Reader *r);

static Form constant(const Reader *r, Real v)
{
  Form f = {{0}};
  f.v[r->width - 1] = v;
  return f;
}

static Form column(int k)
{
  Form f = {{0}};
  f.v[k] = 1;
  return f;
}

static gboolean is_constant(const Reader *r, const Form *f)
{
  for (int k = 0; k < r->width - 1; k++) {
    if (f->v[k] != 0) {
      return FALSE;
    }
  }
  return TRUE;
}

static Form scaled(const Reader *r, Form f, Real by)
{
  for (int k = 0; k < r->width; k++) {
    f.v[k] *= by;
  }
  return f;
}

static void skip_blanks(Reader *r)
{
  r->at += strspn(r->at, " ");
}

static gboolean next_is(Reader *r, char c)
{
  skip_blanks(r);
  if (*r->at != c) {
    return FALSE;
  }
  r->at++;
  return TRUE;
}

/* The value of a formula that a name stands for. */
static Form inside(Reader *r, const char *text)
{
  Reader inner = *r;
  inner.at = text;
  inner.depth++;
  Form f = inner.depth < MOST_PARTS ? sum(&inner) : constant(r, 0);
  skip_blanks(&inner);
  r->wrong |= inner.wrong || *inner.at != '\0' || inner.depth == MOST_PARTS;
  return f;
}

/* Modes: resistances, and the values of relays. FALSE: no such name. */
static gboolean named_mode(const Reader *r, const char *name, Form *f)
{
  const Circuit *c = r->c;
  for (int k = 0; k < MAX(c->gates, MAX(c->diodes, c->relays)); k++) {
    if (k < c->gates && strcmp(c->gate[k].name, name) == 0) {
      *f = constant(r, r->m->gate[k] ? c->gate[k].on : c->gate[k].off);
      return TRUE;
    }
    if (k < c->diodes && strcmp(c->diode[k].name, name) == 0) {
      *f = constant(r, r->m->diode[k] ? c->diode[k].on : c->diode[k].off);
      return TRUE;
    }
    if (k < c->relays && strcmp(c->relay[k].name, name) == 0) {
      *f = constant(r, r->m->relay[k] == RELAY_HIGH ? c->relay[k].high : c->relay[k].low);
      return TRUE;
    }
  }
  return FALSE;
}

static Form named(Reader *r, const char *name)
{
  const Circuit *c = r->c;
  Form f = {{0}};
  for (int k = 0; k < c->states; k++) {
    if (strcmp(c->state[k].name, name) == 0) {
      return column(k);
    }
  }
  for (int k = 0; k < c->sines; k++) {
    if (strcmp(c->sine[k].name, name) == 0) {
      return column(form_sine(c, k));
    }
  }
  for (int k = 0; k < c->functions; k++) {
    if (strcmp(c->function[k].name, name) == 0) {
      return inside(r, c->function[k].formula);
    }
  }
  r->wrong |= !named_mode(r, name, &f);
  return f;
}

static Form factor(Reader *r)
{
  if (next_is(r, '-')) {
    return scaled(r, factor(r), -1);
  }
  if (next_is(r, '+')) {
    return factor(r);
  }
  if (next_is(r, '(')) {
    Form f = sum(r);
    r->wrong |= !next_is(r, ')');
    return f;
  }
  if (g_ascii_isdigit(*r->at) || *r->at == '.') {
    char *end = NULL;
    double v = g_ascii_strtod(r->at, &end);
    r->at = end;
    return constant(r, v);
  }
  char name[NAME_SIZE] = "";
  for (gsize n = 0; g_ascii_isalnum(*r->at) || *r->at == '_'; r->at++) {
    if (n < sizeof name - 1) {
      name[n++] = *r->at;
    }
  }
  return named(r, name);
}

static Form product(Reader *r)
{
  Form f = factor(r);
  for (;;) {
    gboolean divides = next_is(r, '/');
    if (!divides && !next_is(r, '*')) {
      return f;
    }
    Form g = factor(r);
    if (!divides && is_constant(r, &f)) {
      Form h = f;
      f = g;
      g = h;
    }
    r->wrong |= !is_constant(r, &g);
    Real by = g.v[r->width - 1];
    for (int k = 0; k < r->width; k++) {
      f.v[k] = divides ? f.v[k] / by : f.v[k] * by;
    }
  }
}

static Form sum(Reader *r)
{
  Form f = product(r);
  for (;;) {
    gboolean minus = next_is(r, '-');
    if (!minus && !next_is(r, '+')) {
      return f;
    }
    Form g = product(r);
    for (int k = 0; k < r->width; k++) {
      f.v[k] += minus ? -g.v[k] : g.v[k];
    }
  }
}

gboolean form_read(const Circuit *c, const Modes *m, const char *text, Real *form)
{
  Reader r = {.c = c, .m = m, .width = form_width(c), .depth = -1};
  if (r.width > MOST_WIDTH) {
    return FALSE;
  }
  Form f = inside(&r, text);
  memcpy(form, f.v, (gsize)r.width * sizeof *form);
  return !r.wrong;
}
