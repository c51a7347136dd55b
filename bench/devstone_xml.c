/* Writes a DEVStone model as XML on stdout.
 *
 * usage: bench-devstone_xml LI|HI|HO|HOmod WIDTH DEPTH plain|repeat
 *   plain    every block and wire is a line of its own, every level a type of its own
 *   repeat   one type that contains itself, blocks and wires with count */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { LI, HI, HO, HOMOD } Kind;

static void head(Kind kind, unsigned w, unsigned d)
{
  static const char *const names[] = {"li", "hi", "ho", "homod"};
  printf(
      "<hydevs xmlns=\"urn:hydevs:1\" name=\"devstone_%s\" doc=\"DEVStone, %u wide, %u deep\">\n",
      names[kind], w, d);
}

static void tail(const char *type, const char *parameters, Kind kind)
{
  printf("  <generator name=\"seeder\" first=\"0\" period=\"1\" values=\"0\"/>\n"
         "  <block name=\"top\" type=\"%s\"%s in=\"seeder\"%s/>\n"
         "  <experiment stop=\"1\" events_at_instant=\"0\"/>\n</hydevs>\n",
         type, parameters, kind >= HO ? " in2=\"seeder\"" : "");
}

/* plain -----------------------------------------------------------------------------------------
 */

static void plain_ports(Kind kind)
{
  puts("    <in name=\"in\"/>");
  if (kind >= HO) {
    puts("    <in name=\"in2\"/>");
  }
}

static void plain_wire(const char *from, const char *to)
{
  printf("    <wire from=\"%s\" to=\"%s.in\"/>\n", from, to);
}

static void plain_chain(Kind kind, unsigned w)
{
  char from[32], to[32];
  for (unsigned k = 1; k < w; k++) {
    printf("    <relay name=\"a_%u\"/>\n", k);
  }
  for (unsigned k = 1; k < w; k++) {
    snprintf(to, sizeof to, "a_%u", k);
    plain_wire(kind == HO ? "in2" : "in", to);
  }
  for (unsigned k = 1; kind != LI && k + 1 < w; k++) {
    snprintf(from, sizeof from, "a_%u.out", k);
    snprintf(to, sizeof to, "a_%u", k + 1);
    plain_wire(from, to);
  }
}

/* Row 1 is r_1 .. r_(w-1); row m = 2 .. w is b_m_1 .. b_m_(w-m+1). */
static void plain_triangle(unsigned w)
{
  char from[32], to[32];
  for (unsigned k = 1; k < w; k++) {
    printf("    <relay name=\"r_%u\"/>\n", k);
  }
  for (unsigned m = 2; m <= w; m++) {
    for (unsigned k = 1; k <= w - m + 1; k++) {
      printf("    <relay name=\"b_%u_%u\"/>\n", m, k);
    }
  }
  for (unsigned k = 1; k < w; k++) {
    snprintf(to, sizeof to, "r_%u", k);
    plain_wire("in2", to);
    for (unsigned j = 1; j < w; j++) {
      snprintf(from, sizeof from, "b_2_%u.out", k);
      snprintf(to, sizeof to, "r_%u", j);
      plain_wire(from, to);
    }
  }
  for (unsigned m = 2; m <= w; m++) {
    snprintf(to, sizeof to, "b_%u_1", m);
    plain_wire("in2", to);
    for (unsigned k = 1; m > 2 && k <= w - m + 1; k++) {
      snprintf(from, sizeof from, "b_%u_%u.out", m, k);
      snprintf(to, sizeof to, "b_%u_%u", m - 1, k + 1);
      plain_wire(from, to);
    }
  }
}

static void plain_level(Kind kind, unsigned w, unsigned k)
{
  printf("  <type name=\"C_%u\">\n", k);
  plain_ports(kind);
  if (k == 1) {
    puts("    <relay name=\"A\" in=\"in\"/>\n    <out name=\"out\" from=\"A\"/>");
    puts(kind == HO ? "    <out name=\"out2\"/>\n"
                      "    <wire from=\"A\" to=\"out2\" if=\"0\"/>\n  </type>" /* stays open */
                    : "  </type>");
    return;
  }
  if (kind == HOMOD) {
    plain_triangle(w);
  } else {
    plain_chain(kind, w);
  }
  printf("    <block name=\"inner\" type=\"C_%u\" in=\"in\"%s/>\n", k - 1,
         kind == HO ? " in2=\"in2\"" : "");
  for (unsigned r = 1; kind == HOMOD && r < w; r++) {
    printf("    <wire from=\"r_%u.out\" to=\"inner.in2\"/>\n", r);
  }
  puts("    <out name=\"out\" from=\"inner\"/>");
  if (kind == HO) {
    puts("    <out name=\"out2\"/>\n    <wire from=\"inner\" to=\"out2\" if=\"0\"/>");
  }
  for (unsigned a = 1; kind == HO && a < w; a++) {
    printf("    <wire from=\"a_%u\" to=\"out2\"/>\n", a);
  }
  puts("  </type>");
}

static void plain(Kind kind, unsigned w, unsigned d)
{
  head(kind, w, d);
  for (unsigned k = 1; k <= d; k++) {
    plain_level(kind, w, k);
  }
  char type[32];
  snprintf(type, sizeof type, "C_%u", d);
  tail(type, "", kind);
}

/* repeat ----------------------------------------------------------------------------------------
 */

static const char chain[] =
    "    <relay name=\"a\" count=\"if(d > 1, w - 1, 0)\" in=\"%s\"/>\n"
    "%s"
    "    <relay name=\"A\" if=\"d == 1\" in=\"in\"/>\n"
    "    <block name=\"inner\" type=\"level\" if=\"d > 1\" w=\"w\" d=\"d - 1\" in=\"in\"%s/>\n";

static const char triangle[] =
    "    <relay name=\"r\" count=\"if(d > 1, w - 1, 0)\" in=\"in2\"/>\n"
    "    <relay name=\"b\" count=\"if(d > 1, w - 1, 0), if(d > 1, w - 1, 0)\""
    " if=\"i + j &lt;= w\"/>\n"
    "    <wire from=\"b[1,i]\" to=\"r[j].in\""
    " count=\"if(d > 1, w - 1, 0), if(d > 1, w - 1, 0)\"/>\n"
    "    <wire from=\"in2\" to=\"b[i,1].in\" count=\"if(d > 1, w - 1, 0)\"/>\n"
    "    <wire from=\"b[i+1,j]\" to=\"b[i,j+1].in\" if=\"i + j &lt; w\""
    " count=\"if(d > 1, max(w - 2, 0), 0), if(d > 1, max(w - 2, 0), 0)\"/>\n"
    "    <relay name=\"A\" if=\"d == 1\" in=\"in\"/>\n"
    "    <block name=\"inner\" type=\"level\" if=\"d > 1\" w=\"w\" d=\"d - 1\" in=\"in\"/>\n"
    "    <wire from=\"r[i]\" to=\"inner.in2\" count=\"if(d > 1, w - 1, 0)\"/>\n";

static const char links[] =
    "    <wire from=\"a[i]\" to=\"a[i+1].in\" count=\"if(d > 1, max(w - 2, 0), 0)\"/>\n";

static void repeat(Kind kind, unsigned w, unsigned d)
{
  head(kind, w, d);
  printf("  <type name=\"level\">\n"
         "    <param name=\"w\" kind=\"integer\" min=\"1\"/>\n"
         "    <param name=\"d\" kind=\"integer\" min=\"1\"/>\n");
  plain_ports(kind);
  if (kind == HOMOD) {
    fputs(triangle, stdout);
  } else {
    printf(chain, kind == HO ? "in2" : "in", kind == LI ? "" : links,
           kind == HO ? " in2=\"in2\"" : "");
  }
  puts("    <out name=\"out\" from=\"if(d > 1, inner, A)\"/>");
  if (kind == HO) {
    puts("    <out name=\"out2\"/>\n"
         "    <wire from=\"a[i]\" to=\"out2\" count=\"if(d > 1, w - 1, 0)\"/>");
  }
  puts("  </type>");
  char parameters[64];
  snprintf(parameters, sizeof parameters, " w=\"%u\" d=\"%u\"", w, d);
  tail("level", parameters, kind);
}

int main(int argc, char **argv)
{
  static const char *const names[] = {"LI", "HI", "HO", "HOmod"};
  if (argc == 5) {
    for (int kind = LI; kind <= HOMOD; kind++) {
      int w = atoi(argv[2]), d = atoi(argv[3]); /* NOLINT(cert-err34-c): checked below */
      if (strcmp(argv[1], names[kind]) == 0 && w > 0 && d > 0) {
        (strcmp(argv[4], "plain") == 0 ? plain : repeat)((Kind)kind, (unsigned)w, (unsigned)d);
        return ferror(stdout) ? 1 : 0;
      }
    }
  }
  fputs("usage: bench-devstone_xml LI|HI|HO|HOmod WIDTH DEPTH plain|repeat\n", stderr);
  return 2;
}
