/* Switched converters as block diagrams, for tests of analyses. */
#ifndef HY_TEST_PLANTS_H
#define HY_TEST_PLANTS_H

#include "hydevs/hydevs.h"
#include "hydevs/load.h"
#include "hydevs/steady.h"

#include <math.h>
#include <string.h>
#include <unity.h>

#define BUCK                                                                                       \
  "<param name='U' value='24'/><param name='duty' value='0.35'/><param name='iz' value='0'/>"      \
  "<pwm name='gate' period='100u' duty='duty'/>"                                                   \
  "<switch name='Rs' control='gate' on='10m' off='100k'/>"                                         \
  "<diode name='Rd' i='iD' ron='10m' roff='100k'/>"                                                \
  "<function name='iD' formula='(Rs*iL - U)/(Rs + Rd)'/>"                                          \
  "<integrator name='iL' in='(-Rd*iD - uC)/1m'/>"                                                  \
  "<integrator name='uC' in='(iL - uC/10 + iz)/100u'/>"

#define BUCK_LS                                                                                    \
  "<pwm name='gate' period='100u' duty='0.35'/>"                                                   \
  "<switch name='Rs' control='gate' on='10u' off='100k'/>"                                         \
  "<diode name='Rd' i='iD' ron='10u' roff='100k'/>"                                                \
  "<function name='iD' formula='iL - iS'/>"                                                        \
  "<integrator name='iS' in='(24 - Rs*iS + Rd*iD)/10n'/>"                                          \
  "<integrator name='iL' in='(-Rd*iD - uC)/10m'/>"                                                 \
  "<integrator name='uC' in='(iL - uC/10)/10m'/>"

/* design: 24 V, 1 mH, 100 uF, 50 Ohm, 20 kHz. The diode lies between the switch and the output. */
#define BOOST                                                                                      \
  "<param name='U' value='24'/><param name='duty' value='0.5'/><param name='iz' value='0'/>"       \
  "<pwm name='gate' period='50u' duty='duty'/>"                                                    \
  "<switch name='Rs' control='gate' on='10m' off='100k'/>"                                         \
  "<diode name='Rd' i='iD' ron='10m' roff='100k'/>"                                                \
  "<function name='vx' formula='(iL + uC/Rd)/(1/Rs + 1/Rd)'/>"                                     \
  "<function name='iD' formula='(Rs*iL - uC)/(Rs + Rd)'/>"                                         \
  "<integrator name='iL' in='(U - vx)/1m'/>"                                                       \
  "<integrator name='uC' in='(iD - uC/50 + iz)/100u'/>"

/* 400 V, 0.1 Ohm and 1 uH to the bus of 100 uF behind 0.01 Ohm; dead time 1 us; 1 mH, 5 Ohm. */
#define HALF_LEG(l, sign)                                                                          \
  "<switch name='Sp" l "' control='g" sign "' on='10m' off='100k'/>"                               \
  "<switch name='Sn" l "' control='g" sign "n' on='10m' off='100k'/>"                              \
  "<diode name='Dp" l "' i='ip" l "' ron='10m' roff='100k'/>"                                      \
  "<diode name='Dn" l "' i='in" l "' ron='10m' roff='100k'/>"                                      \
  "<function name='Gp" l "' formula='1/Sp" l " + 1/Dp" l "'/>"                                     \
  "<function name='Gn" l "' formula='1/Sn" l " + 1/Dn" l "'/>"                                     \
  "<function name='ip" l "' formula='(v" l " - vp)/Dp" l "'/>"                                     \
  "<function name='in" l "' formula='-v" l "/Dn" l "'/>"
#define FULL_BRIDGE                                                                                \
  "<pwm name='g' period='50u' duty='0.68' phase='1u'/>"                                            \
  "<pwm name='gn' period='50u' duty='0.28' phase='36u'/>"                                          \
  "<pwm name='hg' period='50u' duty='0.28' phase='36u'/>"                                          \
  "<pwm name='hgn' period='50u' duty='0.68' phase='1u'/>" HALF_LEG(                                \
      "a", "") "<switch name='Spb' control='hg' on='10m' off='100k'/>"                             \
               "<switch name='Snb' control='hgn' on='10m' off='100k'/>"                            \
               "<diode name='Dpb' i='ipb' ron='10m' roff='100k'/>"                                 \
               "<diode name='Dnb' i='inb' ron='10m' roff='100k'/>"                                 \
               "<function name='Gpb' formula='1/Spb + 1/Dpb'/>"                                    \
               "<function name='Gnb' formula='1/Snb + 1/Dnb'/>"                                    \
               "<function name='ipb' formula='(vb - vp)/Dpb'/>"                                    \
               "<function name='inb' formula='-vb/Dnb'/>"                                          \
               "<function name='G' formula='Gpa*Gna/(Gpa + Gna) + Gpb*Gnb/(Gpb + Gnb)'/>"          \
               "<function name='K' formula='Gpa/(Gpa + Gna) - Gpb/(Gpb + Gnb)'/>"                  \
               "<function name='vp' formula='(Cd + 0.01*(Li - Lo*K))/(1 + 0.01*G)'/>"              \
               "<function name='va' formula='(vp*Gpa - Lo)/(Gpa + Gna)'/>"                         \
               "<function name='vb' formula='(vp*Gpb + Lo)/(Gpb + Gnb)'/>"                         \
               "<integrator name='Li' in='(400 - 0.1*Li - vp)/1u'/>"                               \
               "<integrator name='Lo' in='(va - vb - 5*Lo)/1m'/>"                                  \
               "<integrator name='Cd' in='(Li - vp*G - Lo*K)/100u'/>"

/* In discontinuous conduction: a light load. */
#define FLYBACK                                                                                    \
  "<pwm name='gate' period='25u' duty='0.25'/>"                                                    \
  "<switch name='Rs' control='gate' on='10m' off='500k'/>"                                         \
  "<diode name='Rd' i='iD' ron='10m' roff='500k'/>"                                                \
  "<function name='v' formula='(36/Rs - 0.5*u/Rd - iM)/(1/Rs + 0.25/Rd)'/>"                        \
  "<function name='iD' formula='(-0.5*v - u)/Rd'/>"                                                \
  "<integrator name='iM' in='v/150u'/>"                                                            \
  "<integrator name='u' in='(iD - u/60)/100u'/>"

/* Half a bridge, a resonant tank, a rectifier with a tap in its middle; a little below resonance.
 */
#define LLC                                                                                        \
  "<square name='vin' low='0' high='400' frequency='90k' start='3u'/>"                             \
  "<diode name='R1' i='i1' ron='10m' roff='100k'/>"                                                \
  "<diode name='R2' i='i2' ron='10m' roff='100k'/>"                                                \
  "<function name='ip' formula='iR - iM'/>"                                                        \
  "<function name='vm' formula='8*(8*ip + u*(1/R1 - 1/R2))/(1/R1 + 1/R2)'/>"                       \
  "<function name='i1' formula='(vm/8 - u)/R1'/>"                                                  \
  "<function name='i2' formula='(-vm/8 - u)/R2'/>"                                                 \
  "<integrator name='iR' in='(vin - 0.1*iR - uR - vm)/60u'/>"                                      \
  "<integrator name='iM' in='vm/300u'/>"                                                           \
  "<integrator name='uR' in='iR/47n'/>"                                                            \
  "<integrator name='u' in='(i1 + i2 - u/2)/100u'/>"

static inline HyLoaded *plant_load(const char *body, const char *experiment, const char *const *set)
{
  g_autofree char *text = g_strdup_printf(
      "<hydevs xmlns='urn:hydevs:1' name='m'>%s<experiment stop='1' dqrel='1e-9' dqmin='1e-9' "
      "%s/></hydevs>",
      body, experiment);
  g_autoptr(HyReport) report = hy_report_new();
  HyLoaded *loaded =
      hy_load_memory(text, strlen(text), "m.xml", &(HyLoadOptions){.set = set}, report);
  g_autofree char *problems = hy_report_text(report);
  TEST_ASSERT_NOT_NULL_MESSAGE(loaded, problems);
  return loaded;
}

static inline HySteady *plant_steady(const HyLoaded *loaded, const HySteadySettings *set)
{
  g_autoptr(GError) error = NULL;
  HySteady *steady = hy_steady_new(loaded, set, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(steady, error != NULL ? error->message : "");
  return steady;
}

#endif
