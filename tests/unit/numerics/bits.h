/* All bits of the modes of 20 matrices as one number. */
#ifndef HYDEVS_TESTS_NUMERICS_BITS_H
#define HYDEVS_TESTS_NUMERICS_BITS_H

#include "matrices.h"
#include "numerics/modal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BITS_OF_MODES UINT64_C(0x28e8164c6a07ac72)

/* FNV-1a (G. Fowler, L. Noll, K.-P. Vo). */
static inline uint64_t bits_add(uint64_t hash, const void *from, size_t size)
{
  const unsigned char *byte = (const unsigned char *)from;
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
  }
  return hash;
}

static inline uint64_t bits_of_modes(uint64_t hash, const Matrix *m)
{
  double complex *room = (double complex *)calloc(hy_modal_room(m->n), sizeof *room);
  HyModal modal;
  bool ok = hy_modal_init(&modal, m->n, m->a, room);
  size_t numbers = ok ? (size_t)modal.wide * (size_t)modal.n : 0;
  for (int k = 0; ok && k < modal.modes; k++) {
    for (int i = modal.first[k]; i <= k; i++) {
      hash = bits_add(hash, modal.t + (size_t)i * (size_t)modal.n + k, sizeof *modal.t);
    }
  }
  hash = bits_add(hash, modal.from, numbers * sizeof *modal.from);
  hash = bits_add(hash, modal.to, numbers * sizeof *modal.to);
  free(room);
  return hash;
}

/* Coils, circuits, too few vectors; and some whose rates are so slow that doubles do. Elements are
 * rounded to 24 bits, so that it does not matter which pow() they have been made by. */
static inline uint64_t bits_of_all(void)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (int k = 0; k < 20; k++) {
    Matrix m;
    if (k < 5) {
      matrix_coils(&m, 7 * k);
    } else if (k < 14) {
      matrix_random(&m, 11 * k);
    } else {
      matrix_jordan(&m, k - 14);
    }
    for (int i = 0; i < m.n * m.n; i++) {
      m.a[i] = (double)(float)m.a[i] * (k >= 11 && k < 14 ? 0x1p-50 : 1.0);
    }
    hash = bits_of_modes(hash, &m);
  }
  return hash;
}

#endif
