/* The formats that hydevs knows, one line each, and the trees that they make. */
#include "editor-export/dot.h"
#include "editor-export/pdm_format.h"
#include "editor-export/spice.h"
#include "editor-export/spice_write.h"

const HyFormat *hy_formats(void)
{
  static const HyFormat formats[] = {
      {.name = "spice",
       .doc = "SPICE netlists",
       .suffixes = ".cir .net .sp .spice .ckt",
       .read = hy_spice_read,
       .write = hy_spice_write},
      {.name = "spice-exponential",
       .doc = "SPICE netlists with diodes of Shockley's equation",
       .suffixes = "",
       .write = hy_spice_write_exponential},
      {.name = "powerdevs",
       .doc = "models of PowerDEVS",
       .suffixes = ".pdm",
       .read = pdm_to_tree,
       .write = pdm_write_loaded,
       .rewrite = pdm_rewrite},
      {.name = "pds",
       .doc = "structures of PowerDEVS",
       .suffixes = ".pds",
       .read = pds_to_tree,
       .write = pds_write_loaded,
       .rewrite = pdm_rewrite},
      {.name = "dot", .doc = "graphs for Graphviz", .suffixes = ".dot .gv", .write = hy_dot_write},
      {0},
  };
  return formats;
}

void hy_format_set(xmlNode *node, const char *name, const char *value)
{
  xmlSetProp(node, (const xmlChar *)name, (const xmlChar *)value);
}

xmlDoc *hy_format_doc(const char *name)
{
  xmlDoc *doc = xmlNewDoc((const xmlChar *)"1.0");
  xmlNode *root = xmlNewNode(NULL, (const xmlChar *)"hydevs");
  xmlSetNs(root, xmlNewNs(root, (const xmlChar *)"urn:hydevs:1", NULL));
  xmlDocSetRootElement(doc, root);
  hy_format_set(root, "name", name);
  return doc;
}

xmlNode *hy_format_add(xmlNode *parent, const char *name, guint line)
{
  xmlNode *node = xmlNewChild(parent, parent->ns, (const xmlChar *)name, NULL);
  node->_private = GUINT_TO_POINTER(line);
  return node;
}
