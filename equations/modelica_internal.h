/* What the files that write Modelica share. */
#ifndef HYDEVS_EQUATIONS_MODELICA_INTERNAL_H
#define HYDEVS_EQUATIONS_MODELICA_INTERNAL_H

#include "modelica.h"
#include "standalone_internal.h"

/* A variable: BASE, or BASE[INDEX] of an array whose elements are all there, from 1 on. */
typedef struct {
  char *base;
  guint index; /* 0: no array */
} HyModelicaName;

typedef struct {
  HyStandaloneMaker m; /* which rows, sources, hubs and modes there are */
  gboolean micro;
  HyModelicaName *value; /* [states, sources, hubs] by their place in v */
  HyModelicaName *mode;  /* [modes] */
  double *at_start;      /* [states, sources, hubs] */
  guint8 *set;           /* [modes] at the start */
  GHashTable *taken;     /* identifiers */
  GHashTable *shared;    /* definition -> name of what is computed once */
  GStringChunk *text;    /* where names live */
  gboolean wlog;         /* it is called */
  GString *declared, *equations, *events, *initial;
} HyModelica;

/* modelica_names.c: an identifier that nobody has, from a path of ours. */
char *hy_modelica_claim(HyModelica *w, const char *path);
/* What PATH [n] are called. */
void hy_modelica_name(HyModelica *w, char *const *path, guint n, HyModelicaName *name);
/* "iL" or "u[3]" */
void hy_modelica_put_name(GString *out, HyModelicaName name);
/* Declarations of NAME [n] as TYPE ("Real"): arrays once, with what OF says they start at. NULL:
 * nothing is said of it. PATH: what they are here. */
void hy_modelica_declare(HyModelica *w, const char *type, const HyModelicaName *name,
                         char *const *path, guint n, const double *start);
/* The shortest that reads back as the same. */
void hy_modelica_number(GString *out, double v);
/* "true", or 1 in MicroModelica. */
void hy_modelica_boolean(const HyModelica *w, GString *out, gboolean set);

/* modelica_rows.c: equations of states and hubs, and what decides the modes. */
gboolean hy_modelica_rows(HyModelica *w, GError **error);

/* modelica_sources.c: declarations, equations and events of sources; their values at the start. */
gboolean hy_modelica_sources(HyModelica *w, char *const *path, GError **error);

#endif
