/* What env.c, names.c and ends.c share. */
#ifndef HY_NAMES_H
#define HY_NAMES_H

#include "language/env.h"

/* Set the error and return HY_NAME_ERROR: what was reported already, and what was not. */
HyNameKind hy_name_silent(GError **error);
HyNameKind hy_name_wrong(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

gboolean hy_is_value(const Entry *e); /* a parameter or a let */
gboolean hy_index_value(const char *const *names, const gint64 *at, guint n, const char *name,
                        HyNameValue *out);
/* ERROR is silent, because of something else: it is about names in the formula of ENV that nobody
 * has, if there are any. */
void hy_name_nowhere(const Env *env, GError **error);
/* Parameters, lets and indices of the models around, where they may be seen; then `t`, the time,
 * which is a signal. */
HyNameKind hy_value_outside(const Env *env, const HyFormula *ref, const gint64 *at,
                            HyNameValue *out, GError **error);

/* The number of the copy of block E that AT means; COPY_BEFORE, COPY_AFTER; HY_NO_COMPONENT: an
 * error. */
guint32 hy_which_copy(const Env *env, const Entry *e, const HyFormula *ref, const gint64 *at,
                      GError **error);
/* Whether the block has the port that REF names. */
gboolean hy_check_port(const Entry *e, const HyFormula *ref, gboolean outgoing, GError **error);
/* Whether a reference to what stands beyond copies means the port of that name of block E. */
gboolean hy_asks_port(const Entry *e, const HyFormula *ref);
HyNameKind hy_signal_of_block(const Env *env, Entry *e, const HyFormula *ref, const gint64 *at,
                              HyNameValue *out, GError **error);
HyNameKind hy_signal_of_port(const Env *env, const Entry *e, const HyFormula *ref, const gint64 *at,
                             GError **error);

#endif
