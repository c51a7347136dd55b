/* Atomic classes of one's own, placed by model files under their names: <tally .../>. A program
 * adds its classes to a collection and gives that to the loader (HyLoadOptions); the command takes
 * them from shared objects, hydevs run --blocks tally.so. A model file never names one. */
#ifndef HYDEVS_BLOCKS_H
#define HYDEVS_BLOCKS_H

#include "hydevs/atomic.h"
#include "hydevs/error.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct HyBlocks HyBlocks;

/* The built-in classes, and what is added. It must outlive all that is loaded with it, and is not
 * added to while somebody loads. */
HyBlocks *hy_blocks_new(void);
void hy_blocks_free(HyBlocks *blocks); /* NULL is fine; closes what was opened */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyBlocks, hy_blocks_free)

/* FALSE: its name is taken, or none; or it cannot say when its next event is. */
gboolean hy_blocks_add(HyBlocks *blocks, const HyAtomicClass *klass, GError **error);
/* Adds all classes of a shared object. FALSE: there is none, it was made for another hydevs, or as
 * above. */
gboolean hy_blocks_open(HyBlocks *blocks, const char *path, GError **error);

/* BLOCKS NULL: the built-in ones. */
const HyAtomicClass *hy_blocks_find(const HyBlocks *blocks, const char *name); /* NULL: none */
const HyAtomicClass *const *hy_blocks_all(const HyBlocks *blocks); /* ends with NULL; lives until
                                                                      the next is added */

/* What may stand in <circuit>, as if they were classes: elements with attributes and readings. They
 * only describe. Ends with NULL. */
const HyAtomicClass *const *hy_circuit_elements(void);

/* The types of libraries, as if they were classes: their names as type="..." has them (those of the
 * standard library are elements, too), ports and parameters. They only describe. FOLDERS: where
 * libraries are looked for first, ends with NULL; NULL: none. BLOCKS: what may stand in them. */
typedef struct HyLibrary HyLibrary;
HyLibrary *hy_library_new(const char *const *folders, const HyBlocks *blocks);
void hy_library_free(HyLibrary *library); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HyLibrary, hy_library_free)
const HyAtomicClass *const *hy_library_types(const HyLibrary *library); /* ends with NULL */

/* What a shared object of blocks defines, by this name:
 *   const HyBlockTable hydevs_blocks = HY_BLOCK_TABLE(classes);
 * with CLASSES an array of pointers that ends with NULL. */
#define HY_BLOCKS_ABI 1U /* grows when a block has to be compiled anew */
typedef struct {
  guint abi;
  gsize class_size; /* of HyAtomicClass */
  const HyAtomicClass *const *classes;
} HyBlockTable;
#define HY_BLOCK_TABLE(classes)                                                                    \
  {                                                                                                \
    HY_BLOCKS_ABI, sizeof(HyAtomicClass), (classes)                                                \
  }
extern const HyBlockTable hydevs_blocks;

#pragma GCC visibility pop
G_END_DECLS
#endif
