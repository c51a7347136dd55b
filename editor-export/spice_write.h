/* A circuit as a SPICE netlist, out: what spice_write.c (elements) and spice_signal.c (what they
 * read) share. */
#ifndef HY_SPICE_WRITE_H
#define HY_SPICE_WRITE_H

#include "coupled/flatten.h"
#include "editor-export/format.h"
#include "language/netlist.h"

typedef struct {
  const HyLoaded *loaded;
  HyReport *report;
  const HyNetlist *list;
  HyFlat *flat;
  HyFlatSources sources;
  GStringChunk *strings;
  GString *signals, *elements, *models, *probes;
  GHashTable *names;     /* names of ours -> theirs */
  GHashTable *taken;     /* theirs */
  GHashTable *said;      /* slot + 1 -> what it is as an expression, of the strings */
  GHashTable *sensed;    /* elements whose current somebody reads */
  GHashTable *readings;  /* slot + 1 -> HyNetReading */
  const HyNetPart *part; /* whose signals are being written: in messages */
  double period;         /* the shortest of the waves; inf */
  guint deep;
  gboolean exponential; /* diodes */
  gboolean failed;
} SpiceOut;

/* ---- spice_write.c ---- */
/* "net/h[2]/L1#3" -> "h_2_L1", with LETTER before it unless it begins so; 0: a node. */
const char *spice_out_name(SpiceOut *o, const char *name, char letter);
const char *spice_out_keep(SpiceOut *o, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The current of element NAME, which gets a source to measure it. */
const char *spice_out_current(SpiceOut *o, const char *name);
const char *spice_out_voltage(SpiceOut *o, const char *plus, const char *minus);
/* Diodes are switches, or exponential. */
gboolean hy_spice_write_exponential(const HyLoaded *loaded, GString *out, HyReport *report);
gboolean hy_spice_write(const HyLoaded *loaded, GString *out, HyReport *report);

/* ---- spice_signal.c ---- */
/* The signal as an expression for B sources. NULL: reported. */
const char *spice_out_signal(SpiceOut *o, const HyNetSignal *s);
/* What arrives at INPUT of the block that says the signal. */
const char *spice_out_input(SpiceOut *o, const HyNetSignal *s, guint input);
guint spice_out_slot(const SpiceOut *o, const HyNetSignal *s);
/* As "PULSE(...)", "SIN(...)" or a number, if it is one of these. */
const char *spice_out_wave(SpiceOut *o, const HyNetSignal *s);

#endif
