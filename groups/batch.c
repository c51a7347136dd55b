/* Batches of rows. Rows of one template, of which there are enough, are divided into batches of at
 * most HY_COLUMN; the inputs of all of them are gathered into columns from one array of values by
 * slot, the program of the template is run on columns (columns.c), and results are scattered.
 * Numbers stand in columns, too, since rows of one template differ in them; flags choose entry by
 * entry.
 *
 * Partial derivatives are another program of the template, all of them at once, on the same
 * columns. Of a linear row they are its factors, and nothing is run. */
#include "batch.h"

#include <string.h>

#define LEAST_ROWS     4U   /* fewer of a shape are as quick one by one */
#define MOST_REGISTERS 256U /* of their programs: a column each */
#define SCATTERED      G_MAXUINT32

/* Rows of one shape. */
typedef struct {
  HyTemplate *shape;
  const HyProgram *value, *partials; /* of a shape that is not linear */
  double **constant;                 /* the columns of the numbers of PARTIALS; of the shape */
  guint n;
  guint32 *number;   /* [n]: of the rows, among all */
  guint32 *slot;     /* [n_slots][n] */
  guint32 *straight; /* [n_slots]: that of the first row, where the others follow; or SCATTERED */
  guint32 *flag;     /* [n_flags][n] */
  double **known;    /* [n_numbers] columns, or [n_slots + 1] of the factors of linear rows */
  guint64 flips;     /* of the room, when the factors were computed */
  gboolean linear, in_order; /* NUMBER: one after the other */
  guint first_partial;       /* of those of all batches */
} Batch;

/* Some rows of a batch, one after the other. */
typedef struct {
  guint from, n; /* FROM: a multiple of HY_PAD; so that */
  guint skip;    /* of them, at the beginning, are not asked for */
} Part;

struct HyBatches {
  HyRoom *room;
  guint32 *row;                    /* [n] */
  GArray *batch, *alone, *partial; /* Batch, guint32, HyPartial */
  GArray *shape;                   /* guint: the first batch of each shape, and how many are all */
  GPtrArray *column;               /* those that batches keep */
  double **reg;                    /* [most registers] of the batch at hand */
  double **known;                  /* likewise, of its numbers from where its part begins */
  double *work;                    /* [most registers][HY_COLUMN] */
  guint8 **flag;                   /* [most flags of a shape] */
  guint8 *choice;                  /* [most flags][HY_COLUMN] */
};

/* Making -------------------------------------------------------------------------------------- */

static const HyRunRow *run_row(const HyBatches *b, guint32 number)
{
  return &b->room->run[b->row[number]];
}

/* A column with the N entries VALUE; that of the batch before, if it has the same. */
static double *keep_column(HyBatches *b, const double *value, guint n, double *before)
{
  if (before != NULL && memcmp(before, value, n * sizeof *value) == 0) {
    return before;
  }
  double *column = g_new0(double, HY_COLUMN);
  memcpy(column, value, n * sizeof *value);
  g_ptr_array_add(b->column, column);
  return column;
}

static void find_slots(const HyBatches *b, Batch *x)
{
  guint slots = x->shape->n_slots;
  x->slot = g_new0(guint32, (gsize)slots * x->n + 1);
  x->straight = g_new(guint32, (gsize)slots + 1);
  for (guint k = 0; k < slots; k++) {
    guint32 *slot = x->slot + (gsize)k * x->n;
    gboolean straight = TRUE;
    for (guint j = 0; j < x->n; j++) {
      slot[j] = run_row(b, x->number[j])->slot[k];
      straight &= slot[j] == slot[0] + j;
    }
    x->straight[k] = straight ? slot[0] : SCATTERED;
  }
}

static void find_flags(const HyBatches *b, Batch *x)
{
  guint flags = x->shape->n_flags;
  x->flag = g_new(guint32, (gsize)flags * x->n + 1);
  for (guint k = 0; k < flags; k++) {
    for (guint j = 0; j < x->n; j++) {
      x->flag[(gsize)k * x->n + j] = run_row(b, x->number[j])->flag[k];
    }
  }
}

/* BEFORE: the batch before, of the same shape; or NULL. */
static void find_numbers(HyBatches *b, Batch *x, const Batch *before)
{
  double value[HY_COLUMN];
  x->known = g_new(double *, (gsize)x->shape->n_numbers + 1);
  for (guint k = 0; k < x->shape->n_numbers; k++) {
    for (guint j = 0; j < x->n; j++) {
      value[j] = run_row(b, x->number[j])->number[k];
    }
    x->known[k] = keep_column(b, value, x->n, before != NULL ? before->known[k] : NULL);
  }
}

/* P keeps its numbers itself. */
static guint count_numbers(const HyProgram *p)
{
  guint n = 0;
  for (const HyIns *i = p->ins; i < p->ins + p->n_ins; i++) {
    n = i->op >= HY_I_ADD_K && i->op <= HY_I_POW_K ? MAX(n, i->b + 1U) : n;
    i += i->op == HY_I_SELECT;
  }
  for (guint k = 0; k < p->n_fixed; k++) {
    n = MAX(n, p->fixed_number[k] + 1U);
  }
  return n;
}

static double **constant_columns(HyBatches *b, const HyProgram *p)
{
  guint n = count_numbers(p);
  double **column = g_new(double *, (gsize)n + 1);
  for (guint k = 0; k < n; k++) {
    column[k] = g_new(double, HY_COLUMN);
    for (guint j = 0; j < HY_COLUMN; j++) {
      column[k][j] = p->number[k];
    }
    g_ptr_array_add(b->column, column[k]);
  }
  g_ptr_array_add(b->column, column);
  return column;
}

/* The factors are another column as soon as a flag changes, so only those without are shared. */
static void find_factors(HyBatches *b, Batch *x, const Batch *before)
{
  double value[HY_COLUMN];
  guint n = x->shape->n_slots + 1;
  gboolean shared = before != NULL && x->shape->n_flags == 0;
  x->known = g_new(double *, n);
  for (guint k = 0; k < n; k++) {
    for (guint j = 0; j < x->n; j++) {
      HyRunRow *r = &b->room->run[b->row[x->number[j]]];
      value[j] = hy_room_row_factors(b->room, r)[k];
    }
    x->known[k] = keep_column(b, value, x->n, shared ? before->known[k] : NULL);
  }
  x->flips = b->room->flips;
}

static void add_partials(HyBatches *b, const Batch *x)
{
  for (guint k = 0; k < x->shape->n_slots; k++) {
    for (guint j = 0; j < x->n; j++) {
      HyPartial partial = {x->number[j], k};
      g_array_append_val(b->partial, partial);
    }
  }
}

/* The rows NUMBER[N], all of one shape. */
static void add_batch(HyBatches *b, const guint32 *number, guint n, gboolean first)
{
  const Batch *before = first ? NULL : &g_array_index(b->batch, Batch, b->batch->len - 1);
  HyTemplate *shape = run_row(b, number[0])->shape;
  Batch x = {.shape = shape,
             .n = n,
             .number = g_memdup2(number, n * sizeof *number),
             .linear = run_row(b, number[0])->linear,
             .in_order = number[n - 1] - number[0] == n - 1,
             .first_partial = b->partial->len};
  if (first) {
    g_array_append_val(b->shape, b->batch->len);
  }
  find_slots(b, &x);
  find_flags(b, &x);
  if (x.linear) {
    find_factors(b, &x, before);
  } else {
    x.value = hy_template_one(shape);
    x.partials = hy_template_partials(shape);
    x.constant = before != NULL ? before->constant : constant_columns(b, x.partials);
    find_numbers(b, &x, before);
  }
  add_partials(b, &x);
  g_array_append_val(b->batch, x);
}

static gboolean batch_fits(const HyProgram *p)
{
  return p != NULL && p->n_regs <= MOST_REGISTERS;
}

static gboolean goes_together(const HyRunRow *r, guint n)
{
  return n >= LEAST_ROWS && r->n_slots <= HY_WIDE &&
         (r->linear ||
          (batch_fits(hy_template_one(r->shape)) && batch_fits(hy_template_partials(r->shape))));
}

/* The rows of one shape. */
static void add_shape(HyBatches *b, const guint32 *number, guint n)
{
  if (!goes_together(run_row(b, number[0]), n)) {
    g_array_append_vals(b->alone, number, n);
    return;
  }
  for (guint from = 0; from < n; from += HY_COLUMN) {
    add_batch(b, number + from, MIN(n - from, HY_COLUMN), from == 0);
  }
}

static int by_number(gconstpointer a, gconstpointer b)
{
  guint32 i = *(const guint32 *)a, j = *(const guint32 *)b;
  return (i > j) - (i < j);
}

static int by_shape(gconstpointer a, gconstpointer b, gpointer user)
{
  const HyBatches *all = user;
  guint32 i = hy_row(&all->room->rows, all->row[*(const guint32 *)a])->template;
  guint32 j = hy_row(&all->room->rows, all->row[*(const guint32 *)b])->template;
  return i != j ? (i > j) - (i < j) : by_number(a, b);
}

static guint count_registers(const Batch *x)
{
  return x->linear ? x->shape->n_slots + 1 : MAX(x->value->n_regs, x->partials->n_regs);
}

/* Columns of registers and flags, for the largest program; all batches use the same ones. */
static void make_work(HyBatches *b)
{
  guint flags = 0, registers = 0, numbers = 0;
  for (guint k = 0; k < b->batch->len; k++) {
    const Batch *x = &g_array_index(b->batch, Batch, k);
    flags = MAX(flags, x->shape->n_flags);
    registers = MAX(registers, count_registers(x));
    numbers = MAX(numbers, MAX(x->shape->n_numbers, x->shape->n_slots + 1));
  }
  g_array_append_val(b->shape, b->batch->len);
  b->reg = g_new0(double *, (gsize)registers + 1);
  b->known = g_new0(double *, (gsize)numbers + 1);
  b->work = g_new0(double, (gsize)registers *HY_COLUMN + 1);
  b->flag = g_new0(guint8 *, (gsize)flags + 1);
  b->choice = g_new0(guint8, (gsize)flags * HY_COLUMN + 1);
  for (guint k = 0; k < flags; k++) {
    b->flag[k] = b->choice + (gsize)k * HY_COLUMN;
  }
}

/* Rows sorted by template; of each template as many batches as it takes, or none, if there are too
 * few of them. */
HyBatches *hy_batches_new(HyRoom *room, const guint32 *row, guint n)
{
  HyBatches *b = g_new0(HyBatches, 1);
  *b = (HyBatches){.room = room,
                   .row = g_memdup2(row, n * sizeof *row),
                   .batch = g_array_new(FALSE, FALSE, sizeof(Batch)),
                   .alone = g_array_new(FALSE, FALSE, sizeof(guint32)),
                   .partial = g_array_new(FALSE, FALSE, sizeof(HyPartial)),
                   .shape = g_array_new(FALSE, FALSE, sizeof(guint)),
                   .column = g_ptr_array_new_with_free_func(g_free)};
  g_autofree guint32 *number = g_new0(guint32, (gsize)n + 1);
  for (guint32 k = 0; k < n; k++) {
    number[k] = k;
  }
  g_qsort_with_data(number, (gint)n, sizeof *number, by_shape, b);
  for (guint from = 0, to; from < n; from = to) {
    const HyTemplate *shape = run_row(b, number[from])->shape;
    for (to = from + 1; to < n && run_row(b, number[to])->shape == shape;) {
      to++;
    }
    add_shape(b, number + from, to - from);
  }
  g_array_sort(b->alone, by_number);
  make_work(b);
  return b;
}

void hy_batches_free(HyBatches *b)
{
  if (b == NULL) {
    return;
  }
  for (guint k = 0; k < b->batch->len; k++) {
    Batch *x = &g_array_index(b->batch, Batch, k);
    g_free(x->number);
    g_free(x->slot);
    g_free(x->straight);
    g_free(x->flag);
    g_free(x->known);
  }
  g_array_unref(b->batch);
  g_array_unref(b->alone);
  g_array_unref(b->partial);
  g_array_unref(b->shape);
  g_ptr_array_unref(b->column);
  g_free(b->row);
  g_free(b->reg);
  g_free(b->known);
  g_free(b->work);
  g_free(b->flag);
  g_free(b->choice);
  g_free(b);
}

const guint32 *hy_batches_alone(const HyBatches *b, guint *n)
{
  *n = b->alone->len;
  return (const guint32 *)(gpointer)b->alone->data;
}

const HyPartial *hy_batches_entries(const HyBatches *b, guint *n)
{
  *n = b->partial->len;
  return (const HyPartial *)(gpointer)b->partial->data;
}

/* Evaluating ---------------------------------------------------------------------------------- */

/* The values of slot K, in place or brought together in column K of the working memory. */
static double *slot_column(const HyBatches *b, const Batch *x, Part part, guint k, double *at)
{
  if (x->straight[k] != SCATTERED) {
    return at + x->straight[k] + part.from;
  }
  const guint32 *slot = x->slot + (gsize)k * x->n + part.from;
  double *column = b->work + (gsize)k * HY_COLUMN;
  for (guint j = 0; j < part.n; j++) {
    column[j] = at[slot[j]];
  }
  return column;
}

static void find_choices(const HyBatches *b, const Batch *x, Part part)
{
  for (guint k = 0; k < x->shape->n_flags; k++) {
    const guint32 *flag = x->flag + (gsize)k * x->n + part.from;
    for (guint j = 0; j < part.n; j++) {
      b->flag[k][j] = b->room->flag[flag[j]];
    }
  }
}

/* P, of which inputs behind the slots are numbers; NUMBER are those inside. */
static void run_program(const HyBatches *b, const Batch *x, Part part, const HyProgram *p,
                        double *const *number, double *at)
{
  guint slots = x->shape->n_slots;
  for (guint k = p->n_in; k < p->n_regs; k++) {
    b->reg[k] = b->work + (gsize)k * HY_COLUMN;
  }
  for (guint k = 0; k < p->n_in; k++) {
    b->reg[k] = k < slots ? slot_column(b, x, part, k, at) : x->known[k - slots] + part.from;
  }
  for (guint k = 0; k < p->n_fixed; k++) {
    b->reg[p->fixed[k]] = number[p->fixed_number[k]];
  }
  find_choices(b, x, part);
  hy_program_run_columns(p, part.n, number, b->reg, (const guint8 *const *)b->flag);
}

/* Of a linear shape, as they are with the flags of the room. */
static void refresh_factors(const HyBatches *b, Batch *x)
{
  if (x->shape->n_flags == 0 || x->flips == b->room->flips) {
    return;
  }
  for (guint j = 0; j < x->n; j++) {
    HyRunRow *r = &b->room->run[b->row[x->number[j]]];
    const double *factor = hy_room_row_factors(b->room, r);
    for (guint k = 0; k <= r->n_slots; k++) {
      x->known[k][j] = factor[k];
    }
  }
  x->flips = b->room->flips;
}

/* The rest, then the slots in their order. */
static const double *sum_slots(const HyBatches *b, const Batch *x, Part part, double *at)
{
  guint slots = x->shape->n_slots;
  double *sum = b->work + (gsize)slots * HY_COLUMN;
  memcpy(sum, x->known[slots] + part.from, (HY_COLUMN - part.from) * sizeof *sum);
  for (guint k = 0; k < slots; k++) {
    hy_columns_add_product(part.n, x->known[k] + part.from, slot_column(b, x, part, k, at), sum);
  }
  return sum;
}

static void put_values(const Batch *x, Part part, const double *value, double *out)
{
  const guint32 *number = x->number + part.from;
  if (x->in_order) {
    memcpy(out + number[part.skip], value + part.skip, (part.n - part.skip) * sizeof *value);
    return;
  }
  for (guint j = part.skip; j < part.n; j++) {
    out[number[j]] = value[j];
  }
}

/* The numbers inside of the program of values, from where PART begins. */
static double *const *part_known(const HyBatches *b, const Batch *x, Part part)
{
  for (guint k = 0; k < x->shape->n_numbers && part.from > 0; k++) {
    b->known[k] = x->known[k] + part.from;
  }
  return part.from > 0 ? b->known : x->known;
}

static void batch_values(const HyBatches *b, Batch *x, Part part, double *at, double *out)
{
  if (x->linear) {
    refresh_factors(b, x);
    put_values(x, part, sum_slots(b, x, part, at), out);
  } else {
    run_program(b, x, part, x->value, part_known(b, x, part), at);
    put_values(x, part, b->reg[x->value->out[0]], out);
  }
}

/* Slot by slot, a column each. */
static void batch_partials(const HyBatches *b, Batch *x, Part part, double *at, double *out)
{
  if (x->linear) {
    refresh_factors(b, x);
  } else {
    run_program(b, x, part, x->partials, x->constant, at);
  }
  out += x->first_partial + part.from + part.skip;
  for (guint slot = 0; slot < x->shape->n_slots; slot++, out += x->n) {
    const double *column = x->linear ? x->known[slot] + part.from : b->reg[x->partials->out[slot]];
    memcpy(out, column + part.skip, (part.n - part.skip) * sizeof *out);
  }
}

typedef void BatchRun(const HyBatches *b, Batch *x, Part part, double *at, double *out);

/* The first place in NUMBER[N], which ascends, that is not below LEAST. */
static guint first_not_below(const guint32 *number, guint n, guint least)
{
  guint low = 0, high = n;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    *(number[middle] < least ? &low : &high) = number[middle] < least ? middle + 1 : middle;
  }
  return low;
}

/* Of the batches FROM up to TO, all of one shape, the first that has a number of FIRST or more. */
static guint first_batch(const HyBatches *b, guint from, guint to, guint first)
{
  while (from < to) {
    guint middle = from + (to - from) / 2;
    const Batch *x = &g_array_index(b->batch, Batch, middle);
    gboolean below = x->number[x->n - 1] < first;
    *(below ? &from : &to) = below ? middle + 1 : middle;
  }
  return from;
}

static void run_between(HyBatches *b, guint first, guint end, BatchRun *run, double *at,
                        double *out)
{
  for (guint s = 0; s + 1 < b->shape->len; s++) {
    guint to = g_array_index(b->shape, guint, s + 1);
    for (guint k = first_batch(b, g_array_index(b->shape, guint, s), to, first); k < to; k++) {
      Batch *x = &g_array_index(b->batch, Batch, k);
      guint at_first = first_not_below(x->number, x->n, first), skip = at_first % HY_PAD;
      guint at_end = first_not_below(x->number, x->n, end);
      if (at_end <= at_first) {
        break;
      }
      run(b, x, (Part){at_first - skip, at_end - at_first + skip, skip}, at, out);
    }
  }
}

void hy_batches_values_of(HyBatches *b, guint first, guint end, double *at, double *out)
{
  run_between(b, first, end, batch_values, at, out);
}

void hy_batches_partials_of(HyBatches *b, guint first, guint end, double *at, double *out)
{
  run_between(b, first, end, batch_partials, at, out);
}

void hy_batches_values(HyBatches *b, double *at, double *out)
{
  for (guint k = 0; k < b->batch->len; k++) {
    Batch *x = &g_array_index(b->batch, Batch, k);
    batch_values(b, x, (Part){0, x->n, 0}, at, out);
  }
}

void hy_batches_partials(HyBatches *b, double *at, double *out)
{
  for (guint k = 0; k < b->batch->len; k++) {
    Batch *x = &g_array_index(b->batch, Batch, k);
    batch_partials(b, x, (Part){0, x->n, 0}, at, out);
  }
}
