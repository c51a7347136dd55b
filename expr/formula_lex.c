/* Text -> tokens, and how messages quote the text.
 *
 * A number is digits with a decimal point (.5, too) and an exponent, or with a suffix: 4.7k is read
 * as 4.7e3, so it is the same double. Up to 2^53 and 10^22 both parts are exact in double
 * precision, and one multiplication or division rounds once; what is longer goes to strtod
 * (Clinger, "How to read floating point numbers accurately", 1990, says why that is right). Signs
 * of other languages are known, to say what is written here in their place. */
#include "formula_internal.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define QUOTED  60   /* bytes of a text that a message shows */
#define NUMERAL 1000 /* bytes of a number */

static gboolean is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static gboolean is_digit(char c)
{
  return c >= '0' && c <= '9';
}

gboolean hy_is_name_start(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

gboolean hy_is_name(char c)
{
  return hy_is_name_start(c) || is_digit(c);
}

/* Not in the middle of a character. */
static gsize character_start(const char *text, gsize at)
{
  gsize back = at;
  while (back > 0 && at - back < 3 && ((guchar)text[back] & 0xC0) == 0x80) {
    back--;
  }
  return back;
}

char *hy_excerpt(const char *text, gsize length, gsize at)
{
  gsize from = 0, to = length;
  if (length > QUOTED) {
    at = MIN(at, length);
    from = at > QUOTED / 2 ? character_start(text, at - QUOTED / 2) : 0;
    to = length - from > QUOTED ? character_start(text, from + QUOTED) : length;
  }
  GString *out = g_string_new(from > 0 ? "…" : "");
  g_autofree char *valid = g_utf8_make_valid(text + from, (gssize)(to - from));
  g_string_append(out, valid);
  if (to < length) {
    g_string_append(out, "…");
  }
  for (gsize i = 0; i < out->len; i++) {
    out->str[i] = g_ascii_iscntrl(out->str[i]) ? ' ' : out->str[i];
  }
  return g_string_free(out, FALSE);
}

static void fail_va(HyParser *p, gboolean quote, const char *format, va_list args)
{
  p->token.type = HY_T_ERROR;
  if (p->failed) {
    return;
  }
  p->failed = TRUE;
  g_autofree char *said = g_strdup_vprintf(format, args);
  g_autofree char *what = g_utf8_make_valid(said, -1); /* it may quote bytes that are no letters */
  if (!quote) {
    g_set_error_literal(p->error, HY_ERROR, HY_ERROR_MODEL, what);
    return;
  }
  g_autofree char *where = hy_excerpt(p->text, p->length, p->token.start);
  g_set_error(p->error, HY_ERROR, HY_ERROR_MODEL, "in \"%s\": %s", where, what);
}

gpointer hy_parser_fail(HyParser *p, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fail_va(p, TRUE, format, args);
  va_end(args);
  return NULL;
}

gpointer hy_parser_fail_bare(HyParser *p, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fail_va(p, FALSE, format, args);
  va_end(args);
  return NULL;
}

/* ---- Numbers ---- */

typedef struct {
  const char *text;
  int exponent;
} Suffix;

static const Suffix suffixes[] = {{"f", -15}, {"p", -12}, {"n", -9}, {"u", -6},
                                  {"µ", -6},  {"μ", -6},  {"m", -3}, {"k", 3},
                                  {"M", 6},   {"G", 9},   {"T", 12}, {NULL, 0}};

/* Suffix, exactly the LENGTH bytes at WORD or (PREFIX) their beginning. */
static const Suffix *find_suffix(const char *word, gsize length, gboolean prefix)
{
  for (const Suffix *s = suffixes; s->text != NULL; s++) {
    gsize n = strlen(s->text);
    if ((n == length || (prefix && n < length)) && memcmp(s->text, word, n) == 0) {
      return s;
    }
  }
  return NULL;
}

/* Letters, digits and whatever is not ASCII. */
static gsize word_length(const char *word)
{
  gsize n = 0;
  while (hy_is_name(word[n]) || ((guchar)word[n] & 0x80) != 0) {
    n++;
  }
  return n;
}

/* Units that people glue to a number. Those of the first row are also taken for one without a
 * suffix (5V). */
static gboolean is_unit(const char *word, gsize length, gboolean bare)
{
  static const char *const always[] = {"V", "A", "W",  "H", "F",   "Hz",  "s", "Ohm", "ohm",
                                       "Ω", "Ω", "kg", "h", "min", "deg", "°", NULL};
  static const char *const with_suffix[] = {"m",  "J", "N",   "C",   "K",  "Pa", "S",
                                            "Wb", "g", "bar", "rad", "VA", NULL};
  for (guint row = 0; row < (bare ? 1 : 2); row++) {
    for (const char *const *unit = row == 0 ? always : with_suffix; *unit != NULL; unit++) {
      if (strlen(*unit) == length && memcmp(*unit, word, length) == 0) {
        return TRUE;
      }
    }
  }
  return FALSE;
}

gboolean hy_is_unit(const char *word, gsize length)
{
  const Suffix *suffix = find_suffix(word, length, TRUE);
  gsize skip = suffix == NULL ? 0 : strlen(suffix->text);
  return is_unit(word, length, FALSE) || (skip > 0 && is_unit(word + skip, length - skip, FALSE));
}

/* "10mH" is not a number; write value="10m" unit="H", where the value of a parameter stands.
 * Returns FALSE if WORD is no unit. */
static gboolean fail_unit(HyParser *p, guint32 start, const char *word, gsize length)
{
  const Suffix *suffix = find_suffix(word, length, TRUE);
  gsize skip = suffix == NULL ? 0 : strlen(suffix->text);
  if (suffix == NULL || !is_unit(word + skip, length - skip, FALSE)) {
    skip = 0;
    if (!is_unit(word, length, TRUE)) {
      return FALSE;
    }
  }
  const char *number = p->text + start;
  int all = (int)(word + length - number), good = (int)(word + skip - number);
  gsize before = strspn(p->text, " \t\r\n");
  gsize after = strspn(word + length, " \t\r\n");
  p->token.start = start;
  gboolean whole = start == before && word[length + after] == '\0';
  if (whole && p->kind == HY_TEXT_LIST) {
    hy_parser_fail_bare(p, "\"%.*s\" is not a number; write value=\"%.*s\" unit=\"%.*s\"", all,
                        number, good, number, all - good, number + good);
  } else if (whole) {
    hy_parser_fail_bare(p, "\"%.*s\" is not a number; write %.*s, without a unit", all, number,
                        good, number);
  } else {
    hy_parser_fail(p, "\"%.*s\" is not a number; write %.*s, units are not part of a formula", all,
                   number, good, number);
  }
  return TRUE;
}

typedef struct {
  const char *start, *end;
  guint64 digits;  /* as a whole number */
  guint n;         /* significant digits */
  gint64 exponent; /* of ten */
  gboolean exponent_written;
} Numeral;

static const char *numeral_digits(Numeral *x, const char *s, int scale)
{
  for (; is_digit(*s); s++) {
    if (x->n < 19) {
      x->digits = x->digits * 10 + (guint64)(*s - '0');
      x->n += x->digits != 0;
    } else {
      x->n = 20; /* too many for the quick way */
    }
    x->exponent += scale;
  }
  return s;
}

static void numeral_scan(Numeral *x)
{
  const char *s = numeral_digits(x, x->start, 0);
  if (*s == '.' && is_digit(s[1])) {
    s = numeral_digits(x, s + 1, -1);
  }
  if ((*s == 'e' || *s == 'E') &&
      (is_digit(s[1]) || ((s[1] == '-' || s[1] == '+') && is_digit(s[2])))) {
    gboolean minus = s[1] == '-';
    gint64 e = 0;
    for (s += 1 + !is_digit(s[1]); is_digit(*s); s++) {
      e = MIN(e * 10 + (*s - '0'), 1000000);
    }
    x->exponent += minus ? -e : e;
    x->exponent_written = TRUE;
  }
  x->end = s;
}

/* Correctly rounded: one exact operation where that is possible, else strtod. */
static double numeral_value(const Numeral *x, const Suffix *suffix)
{
  static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  gint64 e = x->exponent + (suffix == NULL ? 0 : suffix->exponent);
  if (x->n <= 19 && x->digits <= ((guint64)1 << 53) && e >= -22 && e <= 22) {
    return e < 0 ? (double)x->digits / ten[-e] : (double)x->digits * ten[e];
  }
  char buffer[NUMERAL + 16];
  gsize length = (gsize)(x->end - x->start);
  memcpy(buffer, x->start, length);
  buffer[length] = '\0';
  if (suffix != NULL) {
    g_snprintf(buffer + length, 16, "e%d", suffix->exponent);
  }
  return g_ascii_strtod(buffer, NULL);
}

static void lex_number(HyParser *p, guint32 start)
{
  Numeral x = {.start = p->text + start};
  numeral_scan(&x);
  gsize length = (gsize)(x.end - x.start);
  if (length > NUMERAL) {
    hy_parser_fail(p, "a number of %" G_GSIZE_FORMAT " characters; the limit is %d", length,
                   NUMERAL);
    return;
  }
  if (*x.end == '.' && x.end[1] != '.') {
    int n = (int)length;
    if (is_digit(x.end[1])) {
      hy_parser_fail(p, "%.*s has two decimal points", n + 2, x.start);
    } else {
      hy_parser_fail(p, "digits must follow the decimal point of \"%.*s.\"; write %.*s or %.*s.0",
                     n, x.start, n, x.start, n, x.start);
    }
    return;
  }
  gsize word = word_length(x.end);
  gboolean plain = word == 0 || x.exponent_written;
  const Suffix *suffix = plain ? NULL : find_suffix(x.end, word, FALSE);
  if (word > 0 && suffix == NULL && fail_unit(p, start, x.end, word)) {
    return;
  }
  p->token.type = HY_T_NUMBER;
  p->token.end = start + (guint32)(length + (suffix == NULL ? 0 : word));
  p->token.number = numeral_value(&x, suffix);
  int all = (int)(p->token.end - start);
  if (isinf(p->token.number)) {
    hy_parser_fail(p, "%.*s is too large; numbers end at 1.797e308 (infinity is written inf)", all,
                   x.start);
  } else if (p->token.number == 0 && x.digits != 0) {
    hy_parser_fail(p, "%.*s is too small; numbers begin at 4.9e-324", all, x.start);
  }
}

/* ---- Names ---- */

static void lex_name(HyParser *p, guint32 start)
{
  static const struct {
    const char *word;
    HyTokenType type;
  } words[] = {{"and", HY_T_AND}, {"or", HY_T_OR}, {"not", HY_T_NOT}, {"if", HY_T_IF}};
  guint32 end = start;
  while (hy_is_name(p->text[end])) {
    end++;
  }
  p->token.type = HY_T_NAME;
  p->token.end = end;
  gsize length = end - start;
  const char *name = p->text + start;
  for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
    if (strlen(words[i].word) == length && memcmp(words[i].word, name, length) == 0) {
      p->token.type = words[i].type;
    }
  }
  if (length == 2 && memcmp(name, "pi", 2) == 0) {
    p->token.type = HY_T_NUMBER;
    p->token.number = G_PI;
  } else if (length == 3 && memcmp(name, "inf", 3) == 0) {
    p->token.type = HY_T_NUMBER;
    p->token.number = INFINITY;
  }
}

/* ---- Texts: 'edge' ---- */

static void lex_text(HyParser *p, guint32 start)
{
  const char *end = strchr(p->text + start + 1, '\'');
  if (end == NULL) {
    hy_parser_fail(p, "the ' at column %u is not closed; a text is written 'like this'", start + 1);
    return;
  }
  p->token.type = HY_T_TEXT;
  p->token.end = (guint32)(end + 1 - p->text);
}

/* ---- Signs ---- */

typedef struct {
  const char *text;
  const char *instead; /* what to write; the message says: write ... */
} Mistake;

/* Longer ones first. */
static const Mistake mistakes[] = {
    {"&&", "and instead of &&"},
    {"||", "or instead of ||"},
    {"**", "^ for a power"},
    {"<>", "!= instead of <>"},
    {"=<", "<= instead of =<"},
    {"=>", ">= instead of =>"},
    {":=", "== to compare"},
    {"&", "and for a logical and"},
    {"|", "or for a logical or"},
    {"!", "not instead of !"},
    {"%", "mod(a, b) for a remainder (only while loading)"},
    {"?", "if(condition, a, b)"},
    {"=", "== to compare"},
    {"×", "* instead of ×"},
    {"·", "* instead of ·"},
    {"÷", "/ instead of ÷"},
    {"−", "the minus sign of the keyboard, -"},
    {"–", "the minus sign of the keyboard, -"},
    {"²", "^2 instead of ²"},
    {"³", "^3 instead of ³"},
    {"≤", "<= instead of ≤"},
    {"≥", ">= instead of ≥"},
    {"≠", "!= instead of ≠"},
    {"√", "sqrt(...) instead of √"},
    {"∞", "inf instead of ∞"},
    {"π", "pi instead of π"},
    {"{", "( ) instead of { }"},
    {"}", "( ) instead of { }"},
    {NULL, NULL},
};

static void fail_sign(HyParser *p, const char *at)
{
  for (const Mistake *m = mistakes; m->text != NULL; m++) {
    if (strncmp(at, m->text, strlen(m->text)) == 0) {
      hy_parser_fail(p, "write %s", m->instead);
      return;
    }
  }
  if (*at == '.') {
    hy_parser_fail(p, "a port name must follow \".\"");
  } else if (*at == ':') {
    hy_parser_fail(p,
                   "\":\" can only stand in a path; a formula cannot refer to a hidden function");
  } else {
    gunichar c = g_utf8_get_char_validated(at, -1);
    if (c >= (gunichar)-2) {
      hy_parser_fail(p, "the byte 0x%02X does not belong in a formula", (guint)(guchar)*at);
    } else if (c < 32 || c == 127) {
      hy_parser_fail(p, "the control character 0x%02X does not belong in a formula", (guint)c);
    } else {
      hy_parser_fail(p, "\"%.*s\" does not belong in a formula", (int)g_utf8_skip[(guchar)*at], at);
    }
  }
}

static void lex_sign(HyParser *p, guint32 start)
{
  static const struct {
    const char text[3];
    HyTokenType type;
  } pairs[] = {
      {"<=", HY_T_LE}, {">=", HY_T_GE}, {"==", HY_T_EQ}, {"!=", HY_T_NE}, {"..", HY_T_DOTS}};
  const char *at = p->text + start;
  for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
    if (at[0] == pairs[i].text[0] && at[1] == pairs[i].text[1]) {
      p->token.type = pairs[i].type;
      p->token.end = start + 2;
      return;
    }
  }
  gboolean wrong = (at[0] == '*' && at[1] == '*') || (at[0] == '<' && at[1] == '>') ||
                   (at[0] == '.' && is_digit(at[1]));
  if (wrong || strchr("()[],.+-*/^<>", at[0]) == NULL) {
    fail_sign(p, at);
    return;
  }
  p->token.type = (guint)at[0];
  p->token.end = start + 1;
}

/* A point there belongs to a name: what follows is a port, not the digits of .5. */
static gboolean ends_name(const char *text, guint32 at)
{
  return at > 0 && (hy_is_name(text[at - 1]) || text[at - 1] == ']');
}

void hy_token_at(HyParser *p, guint32 at)
{
  guint32 start = at;
  while (is_blank(p->text[start])) {
    start++;
  }
  p->token = (HyToken){.type = HY_T_END, .start = start, .end = start, .glued = start == at};
  char c = p->text[start];
  if (is_digit(c) || (c == '.' && is_digit(p->text[start + 1]) && !ends_name(p->text, start))) {
    lex_number(p, start);
  } else if (hy_is_name_start(c)) {
    lex_name(p, start);
  } else if (c == '\'') {
    lex_text(p, start);
  } else if (c != '\0') {
    lex_sign(p, start);
  }
}

void hy_token_next(HyParser *p)
{
  if (p->failed) {
    p->token.type = HY_T_ERROR;
    return;
  }
  p->last = p->token;
  hy_token_at(p, p->token.end);
}

gboolean hy_parser_init(HyParser *p, HyFormulaPool *pool, HyTextKind kind, const char *text,
                        const char *expected, GError **error)
{
  gsize length = strnlen(text, HY_FORMULA_BYTES + 1);
  *p = (HyParser){
      .pool = pool, .kind = kind, .text = text, .length = (guint32)length, .error = error};
  if (length > HY_FORMULA_BYTES) {
    p->length = HY_FORMULA_BYTES;
    hy_parser_fail(p, "the text is longer than %d bytes, which is the limit", HY_FORMULA_BYTES);
    return FALSE;
  }
  hy_token_at(p, 0);
  if (p->token.type == HY_T_END) {
    g_autofree char *blanks = hy_excerpt(text, length, 0);
    hy_parser_fail_bare(p, "\"%s\" is empty; %s is expected", blanks, expected);
  }
  return !p->failed;
}
