/* Words of a statement, and numbers as SPICE writes them: 4.7k, 4K7, 1meg, 10uF, 3mil. */
#include "base/hint.h"
#include "editor-export/spice.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

char *spice_lower(const char *text)
{
  return g_ascii_strdown(text, -1);
}

gboolean spice_is(const SpiceWord *w, const char *word)
{
  return w->kind == SPICE_WORD && g_ascii_strcasecmp(w->text, word) == 0;
}

/* Behind the bracket or quote that ends what begins at TEXT; NULL: nothing does. */
static const char *closing(const char *text)
{
  if (*text != '{') {
    const char *end = strchr(text + 1, *text);
    return end != NULL ? end + 1 : NULL;
  }
  guint deep = 0;
  for (const char *at = text; *at != '\0'; at++) {
    deep += *at == '{';
    deep -= *at == '}';
    if (deep == 0) {
      return at + 1;
    }
  }
  return NULL;
}

static SpiceWord word(Spice *s, int kind, const char *from, const char *to, const char *after)
{
  return (SpiceWord){
      .kind = kind, .text = g_string_chunk_insert_len(s->strings, from, to - from), .after = after};
}

SpiceWord *spice_words(Spice *s, const SpiceLine *at, const char *text)
{
  GArray *words = g_array_new(FALSE, FALSE, sizeof(SpiceWord));
  while (*text != '\0') {
    const char *end = text + 1;
    SpiceWord w = {.kind = SPICE_END};
    if (*text == '=') {
      w = word(s, SPICE_EQUALS, text, end, end);
    } else if (strchr("{'\"", *text) != NULL) {
      end = closing(text);
      if (end == NULL) {
        if (g_hash_table_add(s->noted, hy_key(at))) {
          spice_error(s, at, "a %c is never closed", *text);
        }
        break;
      }
      w = word(s, SPICE_FORMULA, text + 1, end - 1, end);
    } else if (strchr(" \t\n,()", *text) == NULL) {
      end = text + strcspn(text, " \t\n,()={'\"");
      w = word(s, SPICE_WORD, text, end, end);
    }
    if (w.kind != SPICE_END) {
      g_array_append_val(words, w);
    }
    text = end;
  }
  SpiceWord end = {.kind = SPICE_END, .text = "", .after = ""};
  g_array_append_val(words, end);
  return (SpiceWord *)(gpointer)g_array_free(words, FALSE);
}

/* What stands behind a number, or in place of its point. Longer ones first. */
typedef struct {
  const char *suffix, *ours;
  double factor;
} Suffix;
static const Suffix suffixes[] = {{"meg", "M", 1e6}, {"mil", NULL, 25.4e-6}, {"t", "T", 1e12},
                                  {"g", "G", 1e9},   {"k", "k", 1e3},        {"m", "m", 1e-3},
                                  {"u", "u", 1e-6},  {"n", "n", 1e-9},       {"p", "p", 1e-12},
                                  {"f", "f", 1e-15}, {"a", NULL, 1e-18},     {"r", NULL, 1}};

/* Of a sign, digits, a point, an exponent. */
static const char *mantissa(const char *text, gboolean *exponent)
{
  const char *at = text + (*text == '-' || *text == '+'), *from = at;
  gsize digits = strspn(at, "0123456789");
  at += digits;
  if (*at == '.') {
    gsize more = strspn(at + 1, "0123456789");
    digits += more;
    at += more + 1;
  }
  *exponent = FALSE;
  if (digits == 0) {
    return NULL;
  }
  if (*at == 'e' || *at == 'E') {
    const char *e = at + 1 + (at[1] == '-' || at[1] == '+');
    gsize n = strspn(e, "0123456789");
    *exponent = n > 0;
    at = n > 0 ? e + n : at;
  }
  return at > from ? at : NULL;
}

/* The suffix that TEXT begins with; NULL: none. */
static const Suffix *suffix_of(const char *text)
{
  for (guint k = 0; k < G_N_ELEMENTS(suffixes); k++) {
    if (g_ascii_strncasecmp(text, suffixes[k].suffix, strlen(suffixes[k].suffix)) == 0) {
      return &suffixes[k];
    }
  }
  return NULL;
}

/* NUMBER with its suffix, as our formulas read it; newly allocated. */
static char *with_suffix(const char *number, const Suffix *suffix, gboolean exponent)
{
  char buffer[HY_DOUBLE_SIZE];
  if (suffix == NULL || suffix->factor == 1.0) {
    return g_strdup(number);
  }
  gboolean direct = suffix->ours != NULL && !exponent && number[strlen(number) - 1] != '.';
  return direct ? g_strconcat(number, suffix->ours, NULL)
                : g_strdup(hy_double_text(buffer, g_ascii_strtod(number, NULL) * suffix->factor));
}

const char *spice_number(Spice *s, const char *text, const char **end)
{
  gboolean exponent;
  const char *at = mantissa(text, &exponent);
  if (at == NULL) {
    return NULL;
  }
  text += *text == '+';
  g_autofree char *number = g_strndup(text, (gsize)(at - text));
  const Suffix *suffix = suffix_of(at);
  const char *behind = at + (suffix != NULL ? strlen(suffix->suffix) : 0);
  gsize digits =
      suffix != NULL && !exponent && strchr(number, '.') == NULL ? strspn(behind, "0123456789") : 0;
  if (digits > 0) { /* 4K7 */
    char *both = g_strdup_printf("%s.%.*s", number, (int)digits, behind);
    g_free(number);
    number = both;
    at = behind + digits;
  }
  g_autofree char *result = with_suffix(number, suffix, exponent);
  while (g_ascii_isalpha(*at)) {
    at++;
  }
  if (end != NULL) {
    *end = at;
  }
  return g_string_chunk_insert_const(s->strings, result);
}

gboolean spice_plain(const char *value, double *number)
{
  static const char letters[] = "fpnumkMGT";
  static const double factors[] = {1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12};
  char *end;
  if (value == NULL) {
    return FALSE; /* reported */
  }
  *number = g_ascii_strtod(value, &end);
  const char *letter = end != value && *end != '\0' ? strchr(letters, *end) : NULL;
  if (letter != NULL) {
    *number *= factors[letter - letters];
    end++;
  }
  return end != value && *end == '\0' && isfinite(*number);
}
