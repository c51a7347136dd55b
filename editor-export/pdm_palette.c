/* Our blocks as a palette of PowerDEVS' editor: what is drawn with them is read by hydevs as the
 * blocks that they are (class hydevs/NAME.h). */
#include "editor-export/pdm_export.h"
#include "hydevs/format.h"
#include "hydevs/model.h"
#include "hydevs/text.h"

#include <math.h>
#include <string.h>

#define ACROSS 10   /* blocks in a row of the palette */
#define STEP   1200 /* twips from one to the next */

static char *default_text(const HyParam *p)
{
  char text[HY_DOUBLE_SIZE];
  switch (p->kind) {
  case HY_REAL:
  case HY_INTEGER:
    return g_strdup(p->required || isnan(p->value) ? "" : hy_double_text(text, p->value));
  case HY_BOOLEAN:
    return g_strdup(p->value != 0 ? "true" : "false");
  default:
    return g_strdup(p->text != NULL ? p->text : "");
  }
}

static void add_param(PdmFile *file, PdmBlock *b, const HyParam *p)
{
  g_autofree char *value = default_text(p), *doc = g_strdup(p->doc != NULL ? p->doc : "");
  g_strdelimit(doc, ";\"\n", ',');
  g_autofree char *raw = g_strdup_printf("Str; %s ; %s", value, doc);
  PdmParam param = {.name = p->name,
                    .type = "Str",
                    .value = pdm_keep(file, value),
                    .doc = pdm_keep(file, doc),
                    .raw = pdm_keep(file, raw)};
  g_array_append_val(b->params, param);
}

static int count_ports(const HyPort *ports)
{
  int n = 0;
  while (ports != NULL && ports[n].name != NULL) {
    n++;
  }
  return n;
}

static void add_class(PdmFile *file, const HyAtomicClass *klass, int k)
{
  PdmBlock *b = pdm_block_new(file->root, FALSE, 0);
  g_autofree char *path = g_strdup_printf("hydevs/%s.h", klass->name);
  g_autofree char *doc = g_strdup(klass->doc);
  b->drawn = TRUE;
  b->name = klass->name;
  b->path = pdm_keep(file, path);
  b->doc = pdm_keep(file, g_strdelimit(doc, ";\"\n", ','));
  b->icon = "None";
  b->color = 15;
  b->n_in = count_ports(klass->in);
  b->n_out = count_ports(klass->out);
  b->x = k % ACROSS * STEP;
  b->y = k / ACROSS * STEP;
  b->width = b->height = 675;
  for (const HyParam *p = klass->params; p != NULL && p->name != NULL; p++) {
    add_param(file, b, p);
  }
}

char *hy_powerdevs_palette(void)
{
  g_autoptr(PdmFile) file = pdm_file_new("hydevs.pdl");
  PdmBlock *root = file->root = pdm_block_new(NULL, TRUE, 0);
  int k = 0;
  root->drawn = TRUE;
  root->name = "hydevs";
  root->doc = "blocks that hydevs runs";
  root->icon = "None";
  root->color = 15;
  root->width = root->height = 600;
  for (const HyAtomicClass *const *klass = hy_classes(); *klass != NULL; klass++) {
    add_class(file, *klass, k++);
  }
  GString *out = g_string_new(NULL);
  pdm_write(file, out);
  return g_string_free(out, FALSE);
}
