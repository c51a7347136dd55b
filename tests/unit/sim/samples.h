/* A small model for each class of blocks, for the tests that go over all of them. */
#ifndef HY_TEST_SAMPLES_H
#define HY_TEST_SAMPLES_H

#include "hydevs/hydevs.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* A model for each class: block b, beside x' = y, y' = -4 x, events of G and payloads of P. */
typedef struct {
  const char *klass, *inside;
} Sample;

#define FOLLOWED     "<integrator name=\"z\" in=\"b - z\"/>"
#define SIGNAL(TEXT) "<" TEXT "/>" FOLLOWED
static const Sample samples[] = {
    {"generator", "<generator name=\"b\" first=\"0.2\" period=\"0.3\" values=\"1, 2, 3\"/>"},
    {"random_generator", "<random_generator name=\"b\" mean=\"0.1\"/><sink name=\"k\" in=\"b\"/>"},
    {"random", SIGNAL("random name=\"b\" distribution=\"normal\" mean=\"0\" deviation=\"0.1\" "
                      "period=\"50m\"")},
    {"server", "<server name=\"b\" time=\"0.4\" in=\"P\"/><sink name=\"k\" in=\"b\"/>"},
    {"drop_server", "<drop_server name=\"b\" time=\"0.4\" in=\"P\"/><sink name=\"k\" in=\"b\"/>"},
    {"delay", "<delay name=\"b\" time=\"0.7\" in=\"P\"/><sink name=\"k\" in=\"b\"/>"},
    {"place", "<place name=\"b\" tokens=\"2\" time=\"0.15\" in=\"P\" take=\"u\"/>"
              "<transition name=\"u\" time=\"0.2\" in=\"b\"/><sink name=\"k\" in=\"u\"/>"},
    {"transition", "<place name=\"p\" time=\"0.1\" in=\"P\" take=\"b\"/>"
                   "<transition name=\"b\" time=\"0.17\" in=\"p\"/><sink name=\"k\" in=\"b\"/>"},
    {"on_delay", SIGNAL("on_delay name=\"b\" in=\"if(x > 0.5, 1, 0)\" time=\"0.3\"")},
    {"relay", "<relay name=\"b\" in=\"P G\"/><sink name=\"k\" in=\"b\"/>"},
    {"counter", "<counter name=\"b\" in=\"P\" reset=\"G\"/>"},
    {"player", "<player name=\"b\" ball=\"true\" in=\"c\"/><player name=\"c\" in=\"b\"/>"},
    {"transducer", "<server name=\"s\" time=\"0.4\" in=\"P\"/>"
                   "<transducer name=\"b\" arr=\"P\" dep=\"s\"/>"},
    {"sink", "<sink name=\"b\" in=\"P\"/>"},
    {"function", SIGNAL("function name=\"b\" formula=\"sin(u*v) + exp(-u*u)\" u=\"x\" v=\"y\"")},
    {"implicit", SIGNAL("implicit name=\"b\" formula=\"b + 0.1*b^3 - if(u > 0.3, u, 2*u)\" "
                        "u=\"x\"")},
    {"sum", SIGNAL("sum name=\"b\" in=\"x, y\" k=\"1, -1\"")},
    {"gain", SIGNAL("gain name=\"b\" in=\"x\" k=\"-2\"")},
    {"product", SIGNAL("product name=\"b\" in=\"x, y\"")},
    {"division", SIGNAL("division name=\"b\" in=\"x\" by=\"2 + y*y\"")},
    {"power", SIGNAL("power name=\"b\" in=\"x\" n=\"2\"")},
    {"lookup", SIGNAL("lookup name=\"b\" in=\"x\" x=\"-1, 0, 1\" y=\"0, 0.8, 0.9\"")},
    {"switch", SIGNAL("switch name=\"b\" control=\"x\" on=\"y\" off=\"-0.5\" level=\"0.5\"")},
    {"diode", SIGNAL("diode name=\"b\" i=\"x\" ron=\"1\" roff=\"2\"")},
    {"comparator", SIGNAL("comparator name=\"b\" in=\"x\" level=\"0.5\"")},
    {"hysteresis", SIGNAL("hysteresis name=\"b\" in=\"x\" lower=\"-0.5\" upper=\"0.5\"")},
    {"saturation", SIGNAL("saturation name=\"b\" in=\"x\" lower=\"-0.5\" upper=\"0.5\"")},
    {"dead_band", SIGNAL("dead_band name=\"b\" in=\"x\" lower=\"-0.1\" upper=\"0.1\"")},
    {"and", SIGNAL("and name=\"b\" in=\"x, y\"")},
    {"or", SIGNAL("or name=\"b\" in=\"x, y\"")},
    {"not", SIGNAL("not name=\"b\" in=\"x\"")},
    {"integrator", SIGNAL("integrator name=\"b\" in=\"-2*b + x*y\" x0=\"1\"")},
    {"reset_integrator", SIGNAL("reset_integrator name=\"b\" in=\"x\" reset=\"G\" value=\"-y\"")},
    {"rate_limiter", SIGNAL("rate_limiter name=\"b\" in=\"3*x\" falling=\"-2\" rising=\"2\"")},
    {"variable_delay", SIGNAL("variable_delay name=\"b\" in=\"x\" time=\"0.3 + 0.1*y\"")},
    {"clock", SIGNAL("clock name=\"b\"")},
    {"constant", SIGNAL("constant name=\"b\" value=\"1\"")},
    {"step", SIGNAL("step name=\"b\" from=\"1\" to=\"2\" at=\"1.3\"")},
    {"pulse", SIGNAL("pulse name=\"b\" start=\"1\" end=\"2\"")},
    {"ramp", SIGNAL("ramp name=\"b\" start=\"1\" duration=\"1\" height=\"5\"")},
    {"square", SIGNAL("square name=\"b\" frequency=\"3\"")},
    {"sawtooth", SIGNAL("sawtooth name=\"b\" frequency=\"3\"")},
    {"triangle", SIGNAL("triangle name=\"b\" frequency=\"3\"")},
    {"trapezoid", SIGNAL("trapezoid name=\"b\" rise=\"0.1\" up=\"0.4\" fall=\"0.1\" "
                         "down=\"0.4\"")},
    {"sine", SIGNAL("sine name=\"b\" amplitude=\"3\" frequency=\"2\"")},
    {"three_phase", "<three_phase name=\"b\" amplitude=\"3\" frequency=\"2\"/>"
                    "<integrator name=\"z\" in=\"b.a*x - z\"/>"},
    {"pwm", SIGNAL("pwm name=\"b\" period=\"100m\" duty=\"0.5 + 0.2*x\"")},
    {"file_source", SIGNAL("file_source name=\"b\" path=\"%s\" column=\"v\"")},
    {"crossing", "<crossing name=\"b\" in=\"x\" level=\"0.2\" direction=\"down\"/>"
                 "<sink name=\"k\" in=\"b\"/>"},
    {"quantizer", SIGNAL("quantizer name=\"b\" in=\"x\" dq=\"100m\"")},
    {"sample_hold", SIGNAL("sample_hold name=\"b\" in=\"x\" period=\"70m\"")},
    {"sampler", SIGNAL("sampler name=\"b\" in=\"x\" trigger=\"G\"")},
    {"unit_delay", SIGNAL("unit_delay name=\"b\" in=\"x\" period=\"70m\"")},
    {"transfer_z", SIGNAL("transfer_z name=\"b\" in=\"x\" num=\"1, -0.9\" den=\"1, -0.5\" "
                          "period=\"70m\"")},
    {"loop_breaker", SIGNAL("loop_breaker name=\"b\" in=\"x - 0.5*tanh(b)\"")},
    {"stop", "<stop name=\"b\" in=\"x\" level=\"-0.2\"/>"},
    {"lever", SIGNAL("lever name=\"b\" value=\"0.5\" lower=\"0\" rate=\"2\"")},
    {"window", SIGNAL("window name=\"b\" in=\"x\" what=\"rms\" width=\"300m\"")},
};

static char *wind; /* a file with a column v */

static inline char *text_of(const Sample *s, const char *numerics)
{
  g_auto(GStrv) part = g_strsplit(s->inside, "%s", 2);
  g_autofree char *inside = g_strjoinv(wind, part);
  return g_strdup_printf(
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"m\">\n"
      "<integrator name=\"x\" in=\"y\" x0=\"1\"/><integrator name=\"y\" in=\"-4*x\"/>\n"
      "<generator name=\"G\" first=\"0.3\" period=\"0.5\" values=\"1, 2, 3\"/>\n"
      "<generator name=\"P\" first=\"0.1\" period=\"0.3\" values=\"('a', 1), 'job', 3\"/>\n"
      "%s\n<experiment stop=\"3\" %s/></hydevs>\n",
      inside, numerics);
}

static inline const Sample *sample_of(const char *klass)
{
  for (guint k = 0; k < G_N_ELEMENTS(samples); k++) {
    if (strcmp(samples[k].klass, klass) == 0) {
      return &samples[k];
    }
  }
  return NULL;
}

/* Before and after all of them. */
static inline void samples_begin(void)
{
  wind = g_strdup_printf("%s/hydevs-samples-XXXXXX", g_get_tmp_dir());
  g_close(g_mkstemp(wind), NULL);
  g_file_set_contents(wind, "t,v\n0,1\n0.7,2\n1.9,-1\n4,0\n", -1, NULL);
}

static inline void samples_end(void)
{
  remove(wind);
  g_free(wind);
}

#endif
