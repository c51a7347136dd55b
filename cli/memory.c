/* Memory that is used up ends the program in one way, whoever asked for it: GLib would abort,
 * libxml2 call the file wrong, a solver say that it has failed. So the program has these functions
 * of C for itself and for all libraries that it loads; they are those of the C library, which tell
 * when there is nothing left. Not in libhydevs, since what becomes of another program is not ours
 * to say, and not where a sanitizer has functions of its own. */
#include "cli.h"

#include <errno.h>

#ifdef __GLIBC__
#pragma GCC visibility push(default)

/* The names under which the C library has its own. */
/* NOLINTBEGIN(clang-diagnostic-reserved-identifier,readability-identifier-naming) */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
/* NOLINTEND(clang-diagnostic-reserved-identifier,readability-identifier-naming) */

static void *got(void *memory, gboolean wanted)
{
  if (G_UNLIKELY(memory == NULL && wanted)) {
    cli_out_of_memory();
  }
  return memory;
}

void *malloc(size_t size)
{
  return got(__libc_malloc(size), TRUE);
}

void *calloc(size_t nmemb, size_t size)
{
  return got(__libc_calloc(nmemb, size), TRUE);
}

void *realloc(void *ptr, size_t size)
{
  return got(__libc_realloc(ptr, size), size > 0);
}

void *memalign(size_t alignment, size_t size)
{
  return got(__libc_memalign(alignment, size), TRUE);
}

void *aligned_alloc(size_t alignment, size_t size)
{
  return memalign(alignment, size);
}

int posix_memalign(void **memptr, size_t alignment, size_t size)
{
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
    return EINVAL;
  }
  *memptr = memalign(alignment, size);
  return 0;
}

#pragma GCC visibility pop
#endif
