/* Nodes as text, with brackets only where another expression would be read without them. */
#ifndef HYDEVS_EXPR_PRINT_H
#define HYDEVS_EXPR_PRINT_H

#include "builder.h"

typedef struct {
  const HyNode *node;
  const double *number; /* those of a shared shape: where b = 1 of a CONST; else NULL */
  /* Writes an input, a flag or a mode. */
  void (*leaf)(gpointer user, HyX x, GString *out);
  /* Writes what stands before, between and behind the two sides of a choice (part 0, 1, 2) by FLAG;
   * NULL: if(flag, a, b). */
  void (*choice)(gpointer user, HyX flag, guint part, GString *out);
  /* What the language of the text calls a function; NULL: as formulas do. */
  const char *(*called)(gpointer user, guint op);
  gpointer user;
  gboolean signs_apart; /* a sign behind an operation has brackets: 2 * (-x) */
  gsize most;           /* characters, about: "..." stands for what comes later */
  guint deepest;        /* levels of brackets and calls: likewise */
  gboolean cut;         /* there is such a place */
} HyXPrinter;

void hy_x_print(HyXPrinter *p, HyX x, GString *out);

#endif
