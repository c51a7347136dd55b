/* Units as a model states them, "kg*m/s^2", "kV", "Ohm", in base units (the SI Brochure, 9th
 * edition, tables 2 to 8). Units are texts to hydevs; what is not known here stays one. */
#include "description.h"

#include <string.h>

const char *const hy_base_names[8] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

typedef struct {
  const char *name;
  double factor;
  int exponent[8];
} Unit;

static const Unit units[] = {
    {"m", 1, {0, 1}},
    {"s", 1, {0, 0, 1}},
    {"A", 1, {0, 0, 0, 1}},
    {"K", 1, {0, 0, 0, 0, 1}},
    {"mol", 1, {0, 0, 0, 0, 0, 1}},
    {"cd", 1, {0, 0, 0, 0, 0, 0, 1}},
    {"rad", 1, {0, 0, 0, 0, 0, 0, 0, 1}},
    {"g", 1e-3, {1}},
    {"1", 1, {0}},
    {"%", 1e-2, {0}},
    {"V", 1, {1, 2, -3, -1}},
    {"W", 1, {1, 2, -3}},
    {"J", 1, {1, 2, -2}},
    {"N", 1, {1, 1, -2}},
    {"Pa", 1, {1, -1, -2}},
    {"bar", 1e5, {1, -1, -2}},
    {"C", 1, {0, 0, 1, 1}},
    {"F", 1, {-1, -2, 4, 2}},
    {"Ohm", 1, {1, 2, -3, -2}},
    {"ohm", 1, {1, 2, -3, -2}},
    {"S", 1, {-1, -2, 3, 2}},
    {"Wb", 1, {1, 2, -2, -1}},
    {"Vs", 1, {1, 2, -2, -1}},
    {"As", 1, {0, 0, 1, 1}},
    {"Nm", 1, {1, 2, -2}},
    {"T", 1, {1, 0, -2, -1}},
    {"H", 1, {1, 2, -2, -2}},
    {"Hz", 1, {0, 0, -1}},
    {"min", 60, {0, 0, 1}},
    {"h", 3600, {0, 0, 1}},
    {"l", 1e-3, {0, 3}},
};

static const struct {
  char letter;
  double factor;
} prefixes[] = {{'p', 1e-12}, {'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3},
                {'c', 1e-2},  {'k', 1e3},  {'M', 1e6},  {'G', 1e9}};

static const Unit *find_unit(const char *name, gsize n)
{
  for (guint k = 0; k < G_N_ELEMENTS(units); k++) {
    if (strlen(units[k].name) == n && strncmp(units[k].name, name, n) == 0) {
      return &units[k];
    }
  }
  return NULL;
}

/* As such, or with a prefix. */
static const Unit *find_with_prefix(const char *name, gsize n, double *factor)
{
  const Unit *u = find_unit(name, n);
  *factor = u != NULL ? u->factor : 1;
  for (guint k = 0; u == NULL && n > 1 && k < G_N_ELEMENTS(prefixes); k++) {
    if (prefixes[k].letter == name[0] && g_ascii_isalpha(name[1])) {
      u = find_unit(name + 1, n - 1);
      *factor = u != NULL ? prefixes[k].factor * u->factor : 1;
    }
  }
  return u;
}

/* One factor at *C, to the power SIGN; *C moves behind it. */
static gboolean take_factor(const char **c, int sign, HyBaseUnit *base)
{
  gsize n = strcspn(*c, "*/^. ");
  double factor;
  const Unit *u = find_with_prefix(*c, n, &factor);
  if (u == NULL) {
    return FALSE;
  }
  *c += n;
  if (**c == '^') {
    char *end;
    gint64 power = g_ascii_strtoll(*c + 1, &end, 10);
    if (end == *c + 1 || power < -9 || power > 9) {
      return FALSE;
    }
    sign *= (int)power;
    *c = end;
  }
  for (guint k = 0; k < G_N_ELEMENTS(base->exponent); k++) {
    base->exponent[k] += sign * u->exponent[k];
  }
  for (int k = 0; k < ABS(sign); k++) {
    base->factor = sign > 0 ? base->factor * factor : base->factor / factor;
  }
  return TRUE;
}

gboolean hy_base_unit(const char *unit, HyBaseUnit *base)
{
  *base = (HyBaseUnit){.factor = 1};
  if (strcmp(unit, "degC") == 0) {
    *base = (HyBaseUnit){.exponent[4] = 1, .factor = 1, .offset = 273.15};
    return TRUE;
  }
  const char *c = unit;
  int sign = 1;
  while (take_factor(&c, sign, base)) {
    if (*c == '\0') {
      return TRUE;
    }
    sign = *c == '/' ? -1 : 1; /* a/b*c is (a/b) c, as everywhere */
    c++;
  }
  return FALSE;
}
