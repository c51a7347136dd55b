/* The page of `hydevs sweep`. */
#ifndef HY_CLI_SWEEP_PAGE_H
#define HY_CLI_SWEEP_PAGE_H

#include "model.h"

typedef struct {
  const HyPlan *plan;
  const HySweep *sweep;     /* has ended */
  const char *table, *html; /* files: that which is there, that which is to be made */
  const char *command, *asked, *outcome;
} CliSweepPage;

gboolean cli_sweep_page(const CliSweepPage *page, GError **error);

#endif
