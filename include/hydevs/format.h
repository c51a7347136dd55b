/* Model files in other languages than ours, known by the suffix of their names. A format reads such
 * a file as a tree of our language, from which on it is a model file like any other: it is checked,
 * run and plotted, and messages speak of the lines of the file itself. */
#ifndef HYDEVS_FORMAT_H
#define HYDEVS_FORMAT_H

#include "hydevs/load.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

struct _xmlDoc; /* NOLINT(clang-diagnostic-reserved-identifier): the name of libxml2's tree */

typedef struct HyFormat {
  const char *name;     /* "spice" */
  const char *doc;      /* one line */
  const char *suffixes; /* ".cir .net", lower case; a file's may have any case */
  /* The tree of TEXT, to be freed by the caller: UTF-8 (what is none is taken for ISO 8859-1),
   * lines end with \n, and tabs are the only other control characters. FILE is the name in
   * messages, and where the files that it names are looked for. The `_private` of each element of
   * the tree is its line, GUINT_TO_POINTER(line); 0: that of the element around it. The names of
   * other files that it reads go to FURTHER, newly allocated. NULL: the reasons are in REPORT. NULL
   * as a function: it is only written. */
  struct _xmlDoc *(*read)(const char *file, const char *text, GPtrArray *further, HyReport *report);
  /* LOADED as a file of this format. FALSE: the reasons are in REPORT. NULL: it is only read. */
  gboolean (*write)(const HyLoaded *loaded, GString *out, HyReport *report);
  /* TEXT of FILE, which is of this format, as TO, which has the same function: without a way
   * through our language, so with all that is in it. NULL: there is none. */
  gboolean (*rewrite)(const char *file, const char *text, const char *to, GString *out,
                      HyReport *report);
} HyFormat;

/* Those that hydevs brings along, for HyLoadOptions; ends with a NULL name. */
const HyFormat *hy_formats(void);

/* That of FORMATS (as above; NULL: none) which FILE has by its suffix; NULL: none, it is XML. */
const HyFormat *hy_format_find(const HyFormat *formats, const char *file);

/* That of FORMATS which is written as FILE, by its suffix; NULL: none, it is XML. */
const HyFormat *hy_format_target(const HyFormat *formats, const char *file);

/* FILE as a document in our own language, newly allocated. NULL: the reasons are in REPORT. The
 * names of all files that are read go to INPUTS, newly allocated; NULL: nobody asks. */
char *hy_format_convert(const HyFormat *format, const char *file, GPtrArray *inputs,
                        HyReport *report);
/* FILE, of the format FROM (NULL: XML), as a file TO of the format TARGET; OPTIONS are those of a
 * load, INPUTS as above. */
char *hy_format_write_sized(const HyFormat *from, const char *file, const HyFormat *target,
                            const char *to, const HyLoadOptions *options, gsize size,
                            GPtrArray *inputs, HyReport *report);
static inline char *hy_format_write(const HyFormat *from, const char *file, const HyFormat *target,
                                    const char *to, const HyLoadOptions *options, GPtrArray *inputs,
                                    HyReport *report)
{
  return hy_format_write_sized(from, file, target, to, options, sizeof(HyLoadOptions), inputs,
                               report);
}

/* The built-in blocks as a palette (.pdl) for the editor of PowerDEVS; newly allocated. */
char *hy_powerdevs_palette(void);
/* The blocks of PowerDEVS' palettes and what they are here, as a table of docs/powerdevs.md; newly
 * allocated. */
char *hy_powerdevs_table(void);

#pragma GCC visibility pop
G_END_DECLS
#endif
