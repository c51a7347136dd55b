/* Programs as C. A register is a variable; what stands in it at first is an input or a number. */
#include "program_c.h"

#include "hydevs/text.h"

#include <math.h>
#include <string.h>

typedef struct {
  const HyProgram *p;
  guint n_slots; /* inputs that are u */
  gboolean row_numbers;
  GString *out;
} Writer;

void hy_c_number(GString *out, double v)
{
  char text[HY_DOUBLE_SIZE];
  if (isfinite(v)) {
    g_string_append(out, hy_double_text(text, v));
    g_string_append(out, strpbrk(text, ".e") == NULL ? ".0" : "");
  } else {
    g_string_append(out, isnan(v) ? "NAN" : v > 0.0 ? "INFINITY" : "-INFINITY");
  }
}

static void put_input(const Writer *w, guint in)
{
  gboolean slot = in < w->n_slots;
  g_string_append_printf(w->out, slot ? "u[%u]" : "c[%u]", slot ? in : in - w->n_slots);
}

/* In brackets where it has a sign. */
static void put_number(const Writer *w, guint k)
{
  if (w->row_numbers) {
    g_string_append_printf(w->out, "c[%u]", k);
    return;
  }
  gboolean sign = signbit(w->p->number[k]);
  g_string_append(w->out, sign ? "(" : "");
  hy_c_number(w->out, w->p->number[k]);
  g_string_append(w->out, sign ? ")" : "");
}

/* Those that instructions and outputs name. */
static void mark_used(const HyProgram *p, guint8 *used)
{
  for (guint k = 0; k < p->n_ins; k++) {
    const HyIns *i = &p->ins[k];
    gboolean two = i->op == HY_I_SELECT || (i->op < HY_I_ADD_K && hy_ops[i->op].operands == 2);
    used[i->dst] = used[i->a] = 1;
    used[two ? i->b : i->a] = 1;
    k += i->op == HY_I_SELECT;
  }
  for (guint k = 0; k < p->n_out; k++) {
    used[p->out[k]] = 1;
  }
}

/* Which registers are inputs, 1 + k of LOAD, or numbers, n_load + 1 + k of FIXED. */
static void put_registers(const Writer *w)
{
  const HyProgram *p = w->p;
  g_autofree guint32 *begins = g_new0(guint32, (gsize)p->n_regs + 1);
  for (guint k = 0; k < p->n_load; k++) {
    begins[p->load[k]] = 1 + k;
  }
  for (guint k = 0; k < p->n_fixed; k++) {
    begins[p->fixed[k]] = p->n_load + 1 + k;
  }
  g_autofree guint8 *used = g_new0(guint8, (gsize)p->n_regs + 1);
  mark_used(p, used);
  for (guint r = 0; r < p->n_regs; r++) {
    if (!used[r]) {
      continue;
    }
    g_string_append_printf(w->out, "  double r%u = ", r);
    if (begins[r] > p->n_load) {
      put_number(w, p->fixed_number[begins[r] - p->n_load - 1]);
    } else if (begins[r] > 0) {
      put_input(w, p->load[begins[r] - 1]);
    } else {
      g_string_append(w->out, "0.0");
    }
    g_string_append(w->out, ";\n");
  }
}

static void put_call(const Writer *w, const HyIns *i)
{
  const HyOp *op = &hy_ops[i->op];
  g_string_append_printf(w->out, "%s(r%u", op->called[HY_IN_C], i->a);
  if (op->operands == 2) {
    g_string_append_printf(w->out, ", r%u", i->b);
  }
  g_string_append_c(w->out, ')');
}

/* A register and a number, or the other way round; SIGN as those instructions follow each other. */
static void put_with_number(const Writer *w, const HyIns *i)
{
  static const char *const sign[] = {" + ", " - ", " - ", " * ", " / ", " / ", ", "};
  gboolean first = i->op == HY_I_K_SUB || i->op == HY_I_K_DIV;
  if (first) {
    put_number(w, i->b);
  } else {
    g_string_append_printf(w->out, i->op == HY_I_POW_K ? "power(r%u" : "r%u", i->a);
  }
  g_string_append(w->out, sign[i->op - HY_I_ADD_K]);
  if (first) {
    g_string_append_printf(w->out, "r%u", i->a);
  } else {
    put_number(w, i->b);
  }
  g_string_append(w->out, i->op == HY_I_POW_K ? ")" : "");
}

/* The instruction at I; how many words it has. */
static guint put_instruction(const Writer *w, const HyIns *i)
{
  static const char sign[] = {
      [HY_X_ADD] = '+', [HY_X_SUB] = '-', [HY_X_MUL] = '*', [HY_X_DIV] = '/'};
  g_string_append_printf(w->out, "  r%u = ", i->dst);
  if (i->op == HY_I_SELECT) {
    g_string_append_printf(w->out, "m[%u] ? r%u : r%u", i[1].dst, i->a, i->b);
  } else if (i->op >= HY_I_ADD_K) {
    put_with_number(w, i);
  } else if (i->op <= HY_X_DIV) {
    g_string_append_printf(w->out, "r%u %c r%u", i->a, sign[i->op], i->b);
  } else if (i->op == HY_X_NEG) {
    g_string_append_printf(w->out, "-r%u", i->a);
  } else {
    put_call(w, i);
  }
  g_string_append(w->out, ";\n");
  return i->op == HY_I_SELECT ? 2 : 1;
}

void hy_program_c(const HyProgram *p, const char *name, guint n_slots, gboolean row_numbers,
                  GString *out)
{
  Writer w = {p, n_slots, row_numbers, out};
  g_string_append_printf(out,
                         "static void %s(const double *u, const double *c, const unsigned char *m, "
                         "double *y)\n{\n",
                         name);
  put_registers(&w);
  for (guint k = 0; k < p->n_ins;) {
    k += put_instruction(&w, &p->ins[k]);
  }
  for (guint k = 0; k < p->n_out; k++) {
    g_string_append_printf(out, "  y[%u] = r%u;\n", k, p->out[k]);
  }
  g_string_append(out, "  (void)u, (void)c, (void)m;\n}\n\n");
}

const char *hy_program_c_helpers(void)
{
  return "/* a^p: of a whole p by multiplications. */\n"
         "static inline double power(double a, double p)\n"
         "{\n"
         "  if (!(p == rint(p) && fabs(p) <= 1024.0)) {\n"
         "    return pow(a, p);\n"
         "  }\n"
         "  unsigned bits = (unsigned)fabs(p), top = 1;\n"
         "  double y = 1.0;\n"
         "  while (top <= bits / 2) {\n"
         "    top *= 2;\n"
         "  }\n"
         "  if (bits > 0) {\n"
         "    y = a;\n"
         "    for (top /= 2; top > 0; top /= 2) {\n"
         "      y *= y;\n"
         "      y = bits & top ? y * a : y;\n"
         "    }\n"
         "  }\n"
         "  return p < 0.0 ? 1.0 / y : y;\n"
         "}\n"
         "\n"
         "/* The y with y + exp(y) = a. */\n"
         "static inline double wlog(double a)\n"
         "{\n"
         "  double y = a > 1.0 ? log(a) : a;\n"
         "  for (int k = 0; k < 20 && isfinite(y); k++) {\n"
         "    double e = exp(y), step = (y - a + e) / (1.0 + e);\n"
         "    y -= step;\n"
         "    if (fabs(step) <= 1e-16 * fabs(y)) {\n"
         "      break;\n"
         "    }\n"
         "  }\n"
         "  return y;\n"
         "}\n"
         "\n"
         "\n"
         "/* What is never below 0 may be so by rounding, where a mode is late. */\n"
         "static inline double root(double a)\n"
         "{\n"
         "  return copysign(sqrt(fabs(a)), a);\n"
         "}\n"
         "\n"
         "static inline double root_power(double a, double p)\n"
         "{\n"
         "  return copysign(power(fabs(a), p), a);\n"
         "}\n";
}
