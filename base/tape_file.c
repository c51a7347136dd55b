#include "tape_file.h"

#include "hydevs/text.h"

#include <math.h>
#include <string.h>

/* Numbers -------------------------------------------------------------------------------------- */

/* What the first byte of an F64 says. Where v has been before it may stand in one of two tables, at
 * a place that follows from its bits: NEAR is the byte itself. */
enum {
  F64_ZERO,     /* +0 */
  F64_INFINITE, /* and the other one */
  F64_MINUS_INFINITE,
  F64_NAN, /* the usual one */
  F64_ALL, /* 8 bytes follow, the lowest first */
  F64_FAR, /* its place follows, of two bytes */
  F64_TOP, /* F64_TOP + k: the k highest bytes follow, 1 .. 7, the lowest first; the rest are 0 */
  F64_NEAR = 16
};
#define N_NEAR    (256 - F64_NEAR)
#define N_FAR     65536
#define BITS_INF  G_GUINT64_CONSTANT(0x7ff0000000000000)
#define BITS_MINF G_GUINT64_CONSTANT(0xfff0000000000000)
#define BITS_NAN  G_GUINT64_CONSTANT(0x7ff8000000000000)

typedef struct {
  guint64 near[N_NEAR], far[N_FAR];
} Seen;

static guint64 mixed(guint64 bits)
{
  bits ^= bits >> 29;
  return bits * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
}

static guint near_place(guint64 bits)
{
  return (guint)(((mixed(bits) >> 40) * N_NEAR) >> 24);
}

static guint far_place(guint64 bits)
{
  return (guint)(mixed(bits) >> 48);
}

/* How many of the highest bytes are not 0, up to the last one. */
static guint top_bytes(guint64 bits)
{
  guint n = 8;
  while (n > 0 && (bits & 0xff) == 0) {
    bits >>= 8;
    n--;
  }
  return n;
}

static void see(Seen *s, guint64 bits, gboolean far)
{
  s->near[near_place(bits)] = bits;
  if (far) {
    s->far[far_place(bits)] = bits;
  }
}

static void put_bytes(GByteArray *out, guint64 bits, guint from, guint n)
{
  guint8 b[8];
  for (guint k = 0; k < n; k++) {
    b[k] = (guint8)(bits >> (8 * (from + k)));
  }
  g_byte_array_append(out, b, n);
}

static void put_byte(GByteArray *out, guint code)
{
  guint8 b = (guint8)code;
  g_byte_array_append(out, &b, 1);
}

static void put_number(GByteArray *out, guint64 v)
{
  guint8 b[10];
  guint n = 0;
  do {
    b[n++] = (guint8)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
    v >>= 7;
  } while (v > 0);
  g_byte_array_append(out, b, n);
}

static guint64 folded(gint64 v)
{
  return v < 0 ? ~((guint64)v << 1) : (guint64)v << 1;
}

static gint64 unfolded(guint64 v)
{
  return (v & 1) != 0 ? (gint64) ~(v >> 1) : (gint64)(v >> 1);
}

static guint plain_code(guint64 bits)
{
  return bits == 0           ? F64_ZERO
         : bits == BITS_INF  ? F64_INFINITE
         : bits == BITS_MINF ? F64_MINUS_INFINITE
         : bits == BITS_NAN  ? F64_NAN
                             : F64_ALL;
}

static void put_f64(GByteArray *out, Seen *s, guint64 bits)
{
  guint code = plain_code(bits);
  if (code != F64_ALL) {
    put_byte(out, code);
    return;
  }
  guint near = near_place(bits), far = far_place(bits), top = top_bytes(bits);
  if (s->near[near] == bits) {
    put_byte(out, F64_NEAR + near);
  } else if (top <= 2) {
    put_byte(out, F64_TOP + top);
    put_bytes(out, bits, 8 - top, top);
    see(s, bits, FALSE);
  } else if (s->far[far] == bits) {
    put_byte(out, F64_FAR);
    put_bytes(out, far, 0, 2);
    see(s, bits, FALSE);
  } else {
    put_byte(out, top < 8 ? F64_TOP + top : F64_ALL);
    put_bytes(out, bits, 8 - top, top);
    see(s, bits, TRUE);
  }
}

/* What is read. After the first mistake all is 0. */
typedef struct {
  const guint8 *at, *end;
  gboolean bad;
} In;

static gsize left_in(const In *in)
{
  return (gsize)(in->end - in->at);
}

static guint64 take_bytes(In *in, guint n)
{
  guint64 v = 0;
  if (in->bad || left_in(in) < n) {
    in->bad = TRUE;
    return 0;
  }
  for (guint k = 0; k < n; k++) {
    v |= (guint64)in->at[k] << (8 * k);
  }
  in->at += n;
  return v;
}

/* In as few bytes as it can be. */
static guint64 take_number(In *in)
{
  guint64 v = 0;
  for (guint k = 0; k < 10; k++) {
    guint64 b = take_bytes(in, 1);
    v |= (b & 0x7f) << (7 * k);
    if ((b & 0x80) == 0) {
      in->bad |= (k > 0 && b == 0) || (k == 9 && b > 1);
      return in->bad ? 0 : v;
    }
  }
  in->bad = TRUE;
  return 0;
}

static guint64 take_f64(In *in, Seen *s)
{
  static const guint64 plain[] = {0, BITS_INF, BITS_MINF, BITS_NAN};
  guint code = (guint)take_bytes(in, 1);
  if (code < F64_ALL) {
    return plain[code];
  }
  if (code >= F64_NEAR) {
    return s->near[code - F64_NEAR];
  }
  guint64 bits;
  guint top = code == F64_ALL ? 8 : code - F64_TOP;
  if (code == F64_FAR) {
    bits = s->far[take_bytes(in, 2)];
  } else {
    in->bad |= top == 0 || top > 8;
    bits = in->bad ? 0 : take_bytes(in, top) << (8 * (8 - top));
    in->bad |= top_bytes(bits) != top;
  }
  see(s, bits, code != F64_FAR && top > 2);
  return bits;
}

/* Texts and payloads --------------------------------------------------------------------------- */

static void put_text(GByteArray *out, const char *text)
{
  gsize n = text != NULL ? strlen(text) : 0;
  put_number(out, text != NULL ? n + 1 : 0);
  g_byte_array_append(out, (const guint8 *)text, (guint)n);
}

/* Newly allocated; NULL: none, or a mistake. */
static char *take_text(In *in)
{
  guint64 n = take_number(in);
  if (in->bad || n == 0 || n - 1 > left_in(in) || memchr(in->at, '\0', n - 1) != NULL) {
    in->bad |= n != 0;
    return NULL;
  }
  char *text = g_strndup((const char *)in->at, n - 1);
  in->at += n - 1;
  return text;
}

static GVariant *little_endian(GVariant *v)
{
  g_autoptr(GVariant) normal = g_variant_get_normal_form(v);
  return G_BYTE_ORDER == G_LITTLE_ENDIAN ? g_steal_pointer(&normal) : g_variant_byteswap(normal);
}

static void put_payload(GByteArray *out, GVariant *payload)
{
  put_text(out, payload != NULL ? g_variant_get_type_string(payload) : NULL);
  if (payload != NULL) {
    g_autoptr(GVariant) v = little_endian(payload);
    gsize size = g_variant_get_size(v);
    put_number(out, size);
    g_byte_array_append(out, size > 0 ? g_variant_get_data(v) : (gconstpointer) "", (guint)size);
  }
}

/* A reference; NULL: none, or a mistake. */
static GVariant *take_payload(In *in)
{
  g_autofree char *type = take_text(in);
  if (type == NULL) {
    return NULL;
  }
  guint64 size = take_number(in);
  if (in->bad || size > left_in(in) || !g_variant_type_string_is_valid(type) ||
      !g_variant_type_is_definite(G_VARIANT_TYPE(type))) {
    in->bad = TRUE;
    return NULL;
  }
  g_autoptr(GBytes) bytes = g_bytes_new(in->at, size);
  g_autoptr(GVariant) v =
      g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(type), bytes, FALSE));
  in->at += size;
  in->bad |= !g_variant_is_normal_form(v);
  return in->bad ? NULL : little_endian(v);
}

/* Shapes --------------------------------------------------------------------------------------- */

typedef struct {
  HyItemKind kind;
  guint name;
  gsize n;
} Item;

/* The word before the first blank. */
static gsize part_length(const char *section)
{
  return strcspn(section, " ");
}

/* The rest of it. */
static const char *own_name(const char *section)
{
  const char *rest = section + part_length(section);
  return *rest == ' ' ? rest + 1 : rest;
}

/* Writing -------------------------------------------------------------------------------------- */

#define N_CALLERS 512

struct HyTapeWriter {
  HyTapeFile file; /* the first */
  GArray *parts;   /* HyTapePart */
  GPtrArray *names;
  GHashTable *number; /* of a name, from 1 on */
  struct {
    const char *name;
    guint number;
  } caller[N_CALLERS]; /* names are mostly where they were */
  GHashTable *shape;   /* GBytes -> number, from 1 on */
  GByteArray *shapes;  /* all of them, */
  guint n_shapes;
  GByteArray *items, *values; /* those of the record at hand, */
  guint n_items;
  GString *name, *last; /* and its section; the own name of the one before, in its part */
  gboolean any;         /* there is one */
  Seen seen;
};

static void part_clear(gpointer data)
{
  HyTapePart *p = data;
  g_free(p->name);
  g_byte_array_unref(p->bytes);
}

static GByteArray *part_new(GArray *parts, const char *name, gsize n)
{
  HyTapePart p = {g_strndup(name, n), g_byte_array_new()};
  g_array_append_val(parts, p);
  return p.bytes;
}

static guint shape_of_record(HyTapeWriter *w)
{
  g_autoptr(GBytes) key = g_bytes_new(w->items->data, w->items->len);
  guint known = GPOINTER_TO_UINT(g_hash_table_lookup(w->shape, key));
  if (known == 0) {
    known = ++w->n_shapes;
    g_hash_table_insert(w->shape, g_steal_pointer(&key), GUINT_TO_POINTER(known));
    put_number(w->shapes, w->n_items);
    g_byte_array_append(w->shapes, w->items->data, w->items->len);
  }
  return known - 1;
}

static void end_record(HyTapeWriter *w)
{
  if (!w->any) {
    return;
  }
  const HyTapePart *last = &g_array_index(w->parts, HyTapePart, w->parts->len - 1);
  gsize n = part_length(w->name->str), shared = 0;
  GByteArray *out = last->bytes;
  if (strlen(last->name) != n || strncmp(last->name, w->name->str, n) != 0) {
    out = part_new(w->parts, w->name->str, n);
    g_string_truncate(w->last, 0);
  }
  const char *own = own_name(w->name->str);
  while (own[shared] != '\0' && own[shared] == w->last->str[shared]) {
    shared++;
  }
  put_number(out, shape_of_record(w));
  put_number(out, shared);
  put_text(out, own + shared);
  g_byte_array_append(out, w->values->data, w->values->len);
  g_string_assign(w->last, own);
  w->any = FALSE;
}

static void write_section(HyTapeFile *f, HyTape *tape, const char *name)
{
  HyTapeWriter *w = (HyTapeWriter *)(gpointer)f;
  (void)tape;
  end_record(w);
  g_string_assign(w->name, name);
  g_byte_array_set_size(w->items, 0);
  g_byte_array_set_size(w->values, 0);
  w->n_items = 0;
  w->any = TRUE;
}

static guint name_number(HyTapeWriter *w, const char *name)
{
  gsize place = (GPOINTER_TO_SIZE(name) >> 2) % N_CALLERS;
  guint known = w->caller[place].name == name ? w->caller[place].number : 0;
  if (known > 0 && strcmp(g_ptr_array_index(w->names, known - 1), name) == 0) {
    return known - 1;
  }
  known = GPOINTER_TO_UINT(g_hash_table_lookup(w->number, name));
  if (known == 0) {
    char *own = g_strdup(name);
    g_ptr_array_add(w->names, own);
    known = w->names->len;
    g_hash_table_insert(w->number, own, GUINT_TO_POINTER(known));
  }
  w->caller[place].name = name;
  w->caller[place].number = known;
  return known - 1;
}

static guint64 bits_of(double v)
{
  guint64 bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static void put_values(HyTapeWriter *w, HyItemKind kind, gconstpointer data, gsize n)
{
  GByteArray *out = w->values;
  for (gsize k = 0; kind != HY_ITEM_U8 && k < n; k++) {
    switch (kind) {
    case HY_ITEM_F64:
      put_f64(out, &w->seen, bits_of(((const double *)data)[k]));
      break;
    case HY_ITEM_I32:
      put_number(out, folded(((const gint32 *)data)[k]));
      break;
    case HY_ITEM_U32:
      put_number(out, ((const guint32 *)data)[k]);
      break;
    case HY_ITEM_I64:
      put_number(out, folded(((const gint64 *)data)[k]));
      break;
    case HY_ITEM_U64:
      put_number(out, ((const guint64 *)data)[k]);
      break;
    case HY_ITEM_TEXT:
      put_text(out, ((char *const *)data)[k]);
      break;
    default: {
      const HyValue *v = (const HyValue *)data + k;
      for (guint c = 0; c < 4; c++) {
        put_f64(out, &w->seen, bits_of(v->c[c]));
      }
      put_payload(out, v->payload);
    }
    }
  }
  if (kind == HY_ITEM_U8) {
    g_byte_array_append(out, data, (guint)n);
  }
}

static void write_item(HyTapeFile *f, HyTape *tape, const char *name, HyItemKind kind,
                       gpointer data, gsize n)
{
  HyTapeWriter *w = (HyTapeWriter *)(gpointer)f;
  if (!w->any || n > G_MAXUINT32) {
    hy_tape_refuse(tape, "%s has no place in a file", name);
    return;
  }
  put_byte(w->items, kind);
  put_number(w->items, name_number(w, name));
  put_number(w->items, n);
  put_values(w, kind, data, n);
  w->n_items++;
}

HyTapeWriter *hy_tape_writer_new(void)
{
  HyTapeWriter *w = g_new0(HyTapeWriter, 1);
  w->file = (HyTapeFile){.section = write_section, .item = write_item};
  w->parts = g_array_new(FALSE, FALSE, sizeof(HyTapePart));
  g_array_set_clear_func(w->parts, part_clear);
  part_new(w->parts, "names", strlen("names"));
  w->names = g_ptr_array_new_with_free_func(g_free);
  w->number = g_hash_table_new(g_str_hash, g_str_equal);
  w->shape =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  w->shapes = g_byte_array_new();
  w->items = g_byte_array_new();
  w->values = g_byte_array_new();
  w->name = g_string_new(NULL);
  w->last = g_string_new(NULL);
  return w;
}

void hy_tape_writer_free(HyTapeWriter *w)
{
  if (w != NULL) {
    g_array_unref(w->parts);
    g_hash_table_unref(w->number);
    g_ptr_array_unref(w->names);
    g_hash_table_unref(w->shape);
    g_byte_array_unref(w->shapes);
    g_byte_array_unref(w->items);
    g_byte_array_unref(w->values);
    g_string_free(w->name, TRUE);
    g_string_free(w->last, TRUE);
    g_free(w);
  }
}

HyTapeFile *hy_tape_writer_file(HyTapeWriter *w)
{
  return &w->file;
}

const GArray *hy_tape_writer_end(HyTapeWriter *w)
{
  end_record(w);
  GByteArray *out = g_array_index(w->parts, HyTapePart, 0).bytes;
  g_byte_array_set_size(out, 0);
  put_number(out, w->names->len);
  for (guint k = 0; k < w->names->len; k++) {
    put_text(out, g_ptr_array_index(w->names, k));
  }
  put_number(out, w->n_shapes);
  g_byte_array_append(out, w->shapes->data, w->shapes->len);
  return w->parts;
}

/* Reading -------------------------------------------------------------------------------------- */

typedef struct {
  guint first, n;  /* of its items */
  guint64 numbers; /* in all of them */
} Shape;

typedef struct {
  char *name; /* of its section */
  guint shape;
  gsize at; /* the first of its words */
} Record;

struct HyTapeReader {
  HyTapeFile file; /* the first */
  GPtrArray *names;
  GArray *items, *shapes, *records;
  GArray *words;       /* guint64: a number each; of U8 eight; of texts and payloads the place: */
  GPtrArray *texts;    /* from 1 on */
  GPtrArray *payloads; /* likewise */
  guint next;          /* the record that is asked for next */
  const Record *now;   /* the one at hand, its item and its word; NULL: none */
  guint item;
  gsize at;
  Seen seen;
};

static const Shape *shape_at(const HyTapeReader *r, guint k)
{
  return &g_array_index(r->shapes, Shape, k);
}

static const Record *record_at(const HyTapeReader *r, guint k)
{
  return &g_array_index(r->records, Record, k);
}

static const Item *item_at(const HyTapeReader *r, const Record *record, guint k)
{
  return &g_array_index(r->items, Item, shape_at(r, record->shape)->first + k);
}

static gsize item_words(const Item *i)
{
  return i->kind == HY_ITEM_U8 ? (i->n + 7) / 8 : i->kind == HY_ITEM_VALUE ? 5 * i->n : i->n;
}

static void record_clear(gpointer data)
{
  g_free(((Record *)data)->name);
}

static void variant_unref(gpointer data)
{
  if (data != NULL) {
    g_variant_unref(data);
  }
}

static GPtrArray *list_from_1(GDestroyNotify destroy)
{
  GPtrArray *list = g_ptr_array_new_with_free_func(destroy);
  g_ptr_array_add(list, NULL);
  return list;
}

HyTapeReader *hy_tape_reader_new(void)
{
  HyTapeReader *r = g_new0(HyTapeReader, 1);
  r->names = g_ptr_array_new_with_free_func(g_free);
  r->items = g_array_new(FALSE, FALSE, sizeof(Item));
  r->shapes = g_array_new(FALSE, FALSE, sizeof(Shape));
  r->records = g_array_new(FALSE, FALSE, sizeof(Record));
  g_array_set_clear_func(r->records, record_clear);
  r->words = g_array_new(FALSE, FALSE, sizeof(guint64));
  r->texts = list_from_1(g_free);
  r->payloads = list_from_1(variant_unref);
  return r;
}

void hy_tape_reader_free(HyTapeReader *r)
{
  if (r != NULL) {
    g_ptr_array_unref(r->names);
    g_array_unref(r->items);
    g_array_unref(r->shapes);
    g_array_unref(r->records);
    g_array_unref(r->words);
    g_ptr_array_unref(r->texts);
    g_ptr_array_unref(r->payloads);
    g_free(r);
  }
}

static void take_shape(HyTapeReader *r, In *in)
{
  guint64 n = take_number(in);
  Shape s = {.first = r->items->len, .n = (guint)n};
  for (guint64 k = 0; k < n && !in->bad; k++) {
    Item i = {.kind = (HyItemKind)take_bytes(in, 1)};
    guint64 name = take_number(in), count = take_number(in);
    in->bad |= i.kind > HY_ITEM_VALUE || name >= r->names->len || count > G_MAXUINT32 ||
               s.numbers + count > G_MAXUINT32;
    i.name = (guint)name;
    i.n = count;
    s.numbers += count;
    g_array_append_val(r->items, i);
  }
  g_array_append_val(r->shapes, s);
}

static void take_names(HyTapeReader *r, In *in)
{
  guint64 n = take_number(in);
  for (guint64 k = 0; k < n && !in->bad; k++) {
    char *name = take_text(in);
    in->bad |= name == NULL;
    g_ptr_array_add(r->names, name);
  }
  n = take_number(in);
  for (guint64 k = 0; k < n && !in->bad; k++) {
    take_shape(r, in);
  }
}

static void add_word(HyTapeReader *r, guint64 word)
{
  g_array_append_val(r->words, word);
}

static void add_text(HyTapeReader *r, In *in)
{
  char *text = take_text(in);
  add_word(r, text != NULL ? r->texts->len : 0);
  if (text != NULL) {
    g_ptr_array_add(r->texts, text);
  }
}

static void add_value(HyTapeReader *r, In *in)
{
  for (guint c = 0; c < 4; c++) {
    add_word(r, take_f64(in, &r->seen));
  }
  GVariant *payload = take_payload(in);
  add_word(r, payload != NULL ? r->payloads->len : 0);
  if (payload != NULL) {
    g_ptr_array_add(r->payloads, payload);
  }
}

/* An integer that its kind can hold. */
static void add_integer(HyTapeReader *r, In *in, HyItemKind kind)
{
  guint64 v = take_number(in);
  if (kind == HY_ITEM_I32 || kind == HY_ITEM_I64) {
    gint64 is = unfolded(v);
    in->bad |= kind == HY_ITEM_I32 && (is < G_MININT32 || is > G_MAXINT32);
    v = (guint64)is;
  } else {
    in->bad |= kind == HY_ITEM_U32 && v > G_MAXUINT32;
  }
  add_word(r, v);
}

static void take_values(HyTapeReader *r, In *in, const Item *i)
{
  if (i->n > left_in(in)) {
    in->bad = TRUE;
    return;
  }
  for (gsize k = 0; i->kind == HY_ITEM_U8 && k < i->n; k += 8) {
    add_word(r, take_bytes(in, (guint)MIN(i->n - k, 8)));
  }
  for (gsize k = 0; i->kind != HY_ITEM_U8 && k < i->n && !in->bad; k++) {
    switch (i->kind) {
    case HY_ITEM_F64:
      add_word(r, take_f64(in, &r->seen));
      break;
    case HY_ITEM_TEXT:
      add_text(r, in);
      break;
    case HY_ITEM_VALUE:
      add_value(r, in);
      break;
    default:
      add_integer(r, in, i->kind);
    }
  }
}

static void take_record(HyTapeReader *r, In *in, const char *part, GString *last)
{
  guint64 shape = take_number(in), shared = take_number(in);
  g_autofree char *rest = take_text(in);
  if (in->bad || rest == NULL || shape >= r->shapes->len || shared > last->len) {
    in->bad = TRUE;
    return;
  }
  g_string_truncate(last, shared);
  g_string_append(last, rest);
  Record record = {.name = last->len > 0 ? g_strconcat(part, " ", last->str, NULL) : g_strdup(part),
                   .shape = (guint)shape,
                   .at = r->words->len};
  g_array_append_val(r->records, record);
  const Shape *s = shape_at(r, record.shape);
  for (guint k = 0; k < s->n && !in->bad; k++) {
    take_values(r, in, item_at(r, &record, k));
  }
}

gboolean hy_tape_reader_take(HyTapeReader *r, const char *part, const guint8 *bytes, gsize size,
                             char **why)
{
  In in = {.at = bytes, .end = bytes + size};
  g_autoptr(GString) last = g_string_new(NULL);
  if (strcmp(part, "names") == 0) {
    in.bad = r->shapes->len > 0;
    take_names(r, &in);
  } else {
    while (!in.bad && in.at < in.end) {
      take_record(r, &in, part, last);
    }
  }
  if (!in.bad && in.at == in.end) {
    return TRUE;
  }
  *why = g_strdup_printf("its part \"%s\" makes no sense at byte %" G_GSIZE_FORMAT, part,
                         (gsize)(in.at - bytes));
  return FALSE;
}

/* What is asked for ------------------------------------------------------------------------------
 */

static gboolean record_is_over(const HyTapeReader *r, HyTape *tape)
{
  if (r->now != NULL && r->item < shape_at(r, r->now->shape)->n && tape->refused == NULL) {
    const Item *i = item_at(r, r->now, r->item);
    hy_tape_refuse(tape, "the file has \"%s\", which is not known here",
                   (const char *)g_ptr_array_index(r->names, i->name));
  }
  return tape->refused == NULL;
}

static void read_section(HyTapeFile *f, HyTape *tape, const char *name)
{
  HyTapeReader *r = (HyTapeReader *)(gpointer)f;
  gboolean over = record_is_over(r, tape);
  r->now = NULL;
  r->file.left = 0;
  if (!over) {
    return;
  }
  const Record *next = r->next < r->records->len ? record_at(r, r->next) : NULL;
  if (next == NULL || strcmp(next->name, name) != 0) {
    hy_tape_refuse(tape, "the file has %s in its place", next != NULL ? next->name : "nothing");
    return;
  }
  r->next++;
  r->now = next;
  r->item = 0;
  r->at = next->at;
  r->file.left = shape_at(r, next->shape)->numbers;
}

static gboolean item_fits(const HyTapeReader *r, HyTape *tape, const char *name, HyItemKind kind,
                          gsize n)
{
  if (r->now == NULL || r->item == shape_at(r, r->now->shape)->n) {
    hy_tape_refuse(tape, "the file does not have its \"%s\"", name);
    return FALSE;
  }
  const Item *i = item_at(r, r->now, r->item);
  const char *has = g_ptr_array_index(r->names, i->name);
  if (strcmp(has, name) != 0) {
    hy_tape_refuse(tape, "the file has \"%s\" in place of its \"%s\"", has, name);
  } else if (i->kind != kind || i->n != n) {
    hy_tape_refuse(tape, "\"%s\" is of another kind or length in the file", name);
  }
  return tape->refused == NULL;
}

static void get_value(const HyTapeReader *r, const guint64 *word, HyValue *v)
{
  memcpy(v->c, word, sizeof v->c);
  GVariant *payload = g_ptr_array_index(r->payloads, word[4]);
  v->payload = payload != NULL ? g_variant_ref(payload) : NULL;
}

static void get_values(const HyTapeReader *r, const guint64 *word, HyItemKind kind, gpointer data,
                       gsize n)
{
  for (gsize k = 0; k < n; k++) {
    switch (kind) {
    case HY_ITEM_F64:
      memcpy((double *)data + k, &word[k], sizeof(double));
      break;
    case HY_ITEM_I32:
    case HY_ITEM_U32:
      ((guint32 *)data)[k] = (guint32)word[k];
      break;
    case HY_ITEM_I64:
    case HY_ITEM_U64:
      ((guint64 *)data)[k] = word[k];
      break;
    case HY_ITEM_U8:
      ((guint8 *)data)[k] = (guint8)(word[k / 8] >> (8 * (k % 8)));
      break;
    case HY_ITEM_TEXT:
      ((char **)data)[k] = g_strdup(g_ptr_array_index(r->texts, word[k]));
      break;
    default:
      get_value(r, word + 5 * k, (HyValue *)data + k);
    }
  }
}

static void read_item(HyTapeFile *f, HyTape *tape, const char *name, HyItemKind kind, gpointer data,
                      gsize n)
{
  HyTapeReader *r = (HyTapeReader *)(gpointer)f;
  if (!item_fits(r, tape, name, kind, n)) {
    return;
  }
  const Item *i = item_at(r, r->now, r->item);
  get_values(r, (const guint64 *)(gpointer)r->words->data + r->at, kind, data, n);
  r->at += item_words(i);
  r->item++;
  r->file.left -= i->n;
}

HyTapeFile *hy_tape_reader_file(HyTapeReader *r)
{
  r->file = (HyTapeFile){.section = read_section, .item = read_item};
  r->next = 0;
  r->now = NULL;
  return &r->file;
}

gboolean hy_tape_reader_end(HyTapeReader *r, HyTape *tape)
{
  if (record_is_over(r, tape) && r->next < r->records->len) {
    hy_tape_refuse(tape, "the file also has %s", record_at(r, r->next)->name);
  }
  return tape->refused == NULL;
}

/* Looking -------------------------------------------------------------------------------------- */

guint hy_tape_reader_n(const HyTapeReader *r)
{
  return r->records->len;
}

const char *hy_tape_reader_name(const HyTapeReader *r, guint record)
{
  return record_at(r, record)->name;
}

guint hy_tape_reader_n_items(const HyTapeReader *r, guint record)
{
  return shape_at(r, record_at(r, record)->shape)->n;
}

const char *hy_tape_reader_item(const HyTapeReader *r, guint record, guint item)
{
  return g_ptr_array_index(r->names, item_at(r, record_at(r, record), item)->name);
}

static const guint64 *item_word(const HyTapeReader *r, guint record, guint item)
{
  const Record *of = record_at(r, record);
  gsize at = of->at;
  for (guint k = 0; k < item; k++) {
    at += item_words(item_at(r, of, k));
  }
  return (const guint64 *)(gpointer)r->words->data + at;
}

static void print_one(const HyTapeReader *r, HyItemKind kind, const guint64 *word, gsize k,
                      GString *out)
{
  char text[HY_DOUBLE_SIZE];
  double v;
  HyValue value;
  switch (kind) {
  case HY_ITEM_F64:
    memcpy(&v, &word[k], sizeof v);
    g_string_append(out, hy_double_text(text, v));
    break;
  case HY_ITEM_I32:
  case HY_ITEM_I64:
    g_string_append_printf(out, "%" G_GINT64_FORMAT, (gint64)word[k]);
    break;
  case HY_ITEM_U32:
  case HY_ITEM_U64:
    g_string_append_printf(out, "%" G_GUINT64_FORMAT, word[k]);
    break;
  case HY_ITEM_U8:
    g_string_append_printf(out, "%u", (guint)(guint8)(word[k / 8] >> (8 * (k % 8))));
    break;
  case HY_ITEM_TEXT: {
    const char *is = g_ptr_array_index(r->texts, word[k]);
    g_autofree char *plain = is != NULL ? hy_plain_text(is, FALSE) : NULL;
    g_string_append_printf(out, plain != NULL ? "\"%s\"" : "none", plain);
    break;
  }
  default:
    get_value(r, word + 5 * k, &value);
    hy_value_text(out, &value);
    g_clear_pointer(&value.payload, g_variant_unref);
  }
}

#define MOST_PRINTED 16

void hy_tape_reader_print(const HyTapeReader *r, guint record, guint item, GString *out)
{
  const Item *i = item_at(r, record_at(r, record), item);
  const guint64 *word = item_word(r, record, item);
  for (gsize k = 0; k < MIN(i->n, MOST_PRINTED); k++) {
    g_string_append(out, k > 0 ? " " : "");
    print_one(r, i->kind, word, k, out);
  }
  if (i->n > MOST_PRINTED) {
    g_string_append_printf(out, " ... %" G_GSIZE_FORMAT " in all", i->n);
  }
}

static gboolean same_text(const HyTapeReader *r, guint64 a, const HyTapeReader *other, guint64 b)
{
  return g_strcmp0(g_ptr_array_index(r->texts, a), g_ptr_array_index(other->texts, b)) == 0;
}

static gboolean same_value(const HyTapeReader *r, const guint64 *a, const HyTapeReader *other,
                           const guint64 *b)
{
  GVariant *p = g_ptr_array_index(r->payloads, a[4]), *q = g_ptr_array_index(other->payloads, b[4]);
  gboolean same = p == NULL || q == NULL ? p == q : g_variant_equal(p, q);
  return memcmp(a, b, 4 * sizeof *a) == 0 && same;
}

gboolean hy_tape_reader_equal(const HyTapeReader *r, guint record, guint item,
                              const HyTapeReader *other, guint other_record, guint other_item)
{
  const Item *i = item_at(r, record_at(r, record), item),
             *j = item_at(other, record_at(other, other_record), other_item);
  const guint64 *a = item_word(r, record, item), *b = item_word(other, other_record, other_item);
  if (i->kind != j->kind || i->n != j->n) {
    return FALSE;
  }
  if (i->kind != HY_ITEM_TEXT && i->kind != HY_ITEM_VALUE) {
    return memcmp(a, b, item_words(i) * sizeof *a) == 0;
  }
  for (gsize k = 0; k < i->n; k++) {
    if (!(i->kind == HY_ITEM_TEXT ? same_text(r, a[k], other, b[k])
                                  : same_value(r, a + 5 * k, other, b + 5 * k))) {
      return FALSE;
    }
  }
  return TRUE;
}
