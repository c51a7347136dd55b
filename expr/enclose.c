/* A function of numerics/enclosure.c for each operation of a node. One that has none is unknown:
 * who wants bounds of it is told so. */
#include "enclose.h"

typedef HyEnclosure One(const HyEnclosure *a, double h);
typedef HyEnclosure Two(const HyEnclosure *a, const HyEnclosure *c, double h);

static One *const ones[HY_X_NAMED] = {
    [HY_X_NEG] = hy_enclose_neg,   [HY_X_SQRT] = hy_enclose_sqrt,   [HY_X_EXP] = hy_enclose_exp,
    [HY_X_LOG] = hy_enclose_log,   [HY_X_LOG10] = hy_enclose_log10, [HY_X_SIN] = hy_enclose_sin,
    [HY_X_COS] = hy_enclose_cos,   [HY_X_TAN] = hy_enclose_tan,     [HY_X_ASIN] = hy_enclose_asin,
    [HY_X_ACOS] = hy_enclose_acos, [HY_X_ATAN] = hy_enclose_atan,   [HY_X_SINH] = hy_enclose_sinh,
    [HY_X_COSH] = hy_enclose_cosh, [HY_X_TANH] = hy_enclose_tanh,   [HY_X_WLOG] = hy_enclose_wlog,
    [HY_X_ROOT] = hy_enclose_root,
};

static Two *const twos[HY_X_NAMED] = {
    [HY_X_ADD] = hy_enclose_add,           [HY_X_SUB] = hy_enclose_sub,
    [HY_X_MUL] = hy_enclose_mul,           [HY_X_DIV] = hy_enclose_div,
    [HY_X_POW] = hy_enclose_pow,           [HY_X_ATAN2] = hy_enclose_atan2,
    [HY_X_ROOT_POW] = hy_enclose_root_pow,
};

gboolean hy_op_encloses(guint32 op)
{
  return op < HY_X_NAMED && (ones[op] != NULL || twos[op] != NULL);
}

HyEnclosure hy_op_enclose(guint32 op, const HyEnclosure *a, const HyEnclosure *c, double h)
{
  return ones[op] != NULL ? ones[op](a, h) : twos[op](a, c, h);
}
