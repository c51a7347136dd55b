/* modelDescription.xml of a unit: FMI 3.0, "Definition of the XML Schema". */
#ifndef HY_FMU_DESCRIPTION_H
#define HY_FMU_DESCRIPTION_H

#include "instance.h"

/* What a unit can do depends on its model: whether its state can be saved, and made
 * bytes. */
typedef struct {
  const char *identifier; /* a name of C, of the shared object */
  const char *token;
  gboolean saves, writes;
} HyFmuAbout;

void hy_fmu_describe(const HyFmu *fmu, const HyFmuAbout *about, GString *out);
/* TEXT as a value of an attribute; appended to OUT. */
void hy_xml_attribute(GString *out, const char *name, const char *text);

/* units.c: the exponents of kg m s A K mol cd rad in UNIT, its factor and offset; FALSE: it is none
 * that is known here. */
typedef struct {
  int exponent[8];
  double factor, offset;
} HyBaseUnit;
gboolean hy_base_unit(const char *unit, HyBaseUnit *base);
extern const char *const hy_base_names[8];

#endif
