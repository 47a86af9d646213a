/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn.c - memory for kernels, checks of what they are given, and words for what they are. */
/*@ end */
/*@ alloc_system */
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* for madvise() */
#endif
/*@ end */
/*@ kernel_h */
#include "kernel.h"
/*@ end */

/*@ alloc_includes */
#include <stdlib.h>
/*@ end */
/*@ alloc_linux */
#if defined(__linux__)
#include <sys/mman.h>
#endif
/*@ end */

size_t ffn_work_bytes(const ffn_kernel *kernel, size_t threads, size_t tokens) {
  if (!kernel)
    return 0;
  if (threads == 0)
    threads = 1;
  const size_t rows = tokens < 1 ? 1 : tokens < kernel->work_rows ? tokens : kernel->work_rows;
  const size_t each = rows * kernel->work_row_bytes + kernel->work_beside_bytes;
  return threads > SIZE_MAX / each ? SIZE_MAX : threads * each;
}

/*@ alloc */
#define FFN_HUGE_PAGE ((size_t)2 << 20)

/* Asks for huge pages: fewer translations of addresses on the way through the weights. */
static void ffn_prefer_huge_pages(void *memory, size_t bytes) {
#if defined(MADV_HUGEPAGE)
  /* A wish: may be refused. */
  (void)madvise(memory, bytes / FFN_HUGE_PAGE * FFN_HUGE_PAGE, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}

/* The block that malloc() gave is remembered in front of what is handed out. */
void *ffn_alloc(size_t bytes) {
  const size_t alignment = bytes < 2 * FFN_HUGE_PAGE ? FFN_ALIGNMENT : FFN_HUGE_PAGE;
  const size_t extra = alignment + sizeof(void *);
  if (bytes == 0 || bytes > SIZE_MAX / 2 - extra)
    return NULL;
  char *block = (char *)malloc(bytes + extra);
  if (!block)
    return NULL;
  const uintptr_t first = (uintptr_t)block + sizeof(void *);
  char *memory = block + sizeof(void *) + (alignment - first % alignment) % alignment;
  memcpy(memory - sizeof(void *), &block, sizeof block);
  if (alignment == FFN_HUGE_PAGE)
    ffn_prefer_huge_pages(memory, bytes);
  return memory;
}

void ffn_free(void *memory) {
  void *block;
  if (!memory)
    return;
  memcpy(&block, (char *)memory - sizeof(void *), sizeof block);
  free(block);
}
/*@ end */

const char *ffn_weights_problem(const ffn_kernel *kernel, const ffn_weights *weights) {
  static const char *const no_weight[] = {"weights.gate.weight is NULL",
      "weights.up.weight is NULL", "weights.down.weight is NULL",
      "a weight of weights.chain is NULL"};
  static const char *const no_bias[] = {"weights.gate.bias is NULL", "weights.up.bias is NULL",
      "weights.down.bias is NULL", "a bias of weights.chain is NULL"};
  static const char *const unused_bias[] = {"weights.gate.bias: the kernel has no biases",
      "weights.up.bias: the kernel has no biases", "weights.down.bias: the kernel has no biases",
      "a bias of weights.chain: the kernel has none"};
  if (!kernel)
    return "kernel is NULL";
  if (!weights)
    return "weights is NULL";
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const ffn_stage *stage = &kernel->stages[s];
    for (size_t b = 0; b < stage->branches; ++b) {
      if (stage->matrix[b] == FFN_MATRIX_CHAIN && !weights->chain)
        return "weights.chain is NULL";
      const ffn_linear *linear = ffn_stage_linear(kernel->stages, weights, s, b);
      if (!linear->weight)
        return no_weight[stage->matrix[b]];
      if (stage->bias && !linear->bias)
        return no_bias[stage->matrix[b]];
      if (!stage->bias && linear->bias)
        return unused_bias[stage->matrix[b]];
    }
  }
  return NULL;
}

int ffn_packed_fits(const ffn_kernel *kernel, const void *packed) {
  return kernel && packed && ffn_packed_is(packed, ffn_layer_hash(kernel->layer));
}

const char *ffn_packed_problem(const ffn_kernel *kernel, const void *packed, size_t bytes) {
  const uint32_t abi = FFN_ABI;
  const uint32_t swapped = abi >> 24 | (abi >> 8 & 0xff00) | (abi & 0xff00) << 8 | abi << 24;
  ffn_packed_header header;
  if (!kernel)
    return "kernel is NULL";
  if (!packed)
    return "packed is NULL";
  if (bytes < kernel->packed_bytes)
    return "packed has fewer bytes than the kernel's packed_bytes";
  if ((uintptr_t)packed % FFN_ALIGNMENT != 0)
    return "packed is not aligned to FFN_ALIGNMENT";
  FFN_MEMCPY(&header, packed, sizeof header);
  if (header.magic[0] != 'F' || header.magic[1] != 'F' || header.magic[2] != 'N' ||
      header.magic[3] != 'P')
    return "packed does not begin as packed weights do";
  if (header.abi == swapped)
    return "packed was written in the other byte order";
  if (header.abi != abi)
    return "packed was made for another ABI: pack anew";
  if (header.layer != ffn_layer_hash(kernel->layer))
    return "packed holds the weights of another layer";
  return NULL;
}

const char *ffn_dtype_name(ffn_dtype dtype) {
  static const char *const names[] = {
/*@ dtype_names */
#define FFN_DTYPE(NAME, name) #name,
#include "dtypes.inc"
#undef FFN_DTYPE
      /*@ end */
  };
  return (unsigned)dtype < FFN_DTYPE_COUNT ? names[dtype] : "?";
}

const char *ffn_isa_name(ffn_isa isa) {
  static const char *const names[] = {
/*@ isa_names */
#define FFN_ISA(NAME, name, rank, allowed) #name,
#include "isas.inc"
#undef FFN_ISA
      /*@ end */
  };
  return (unsigned)isa < FFN_ISA_COUNT ? names[isa] : "?";
}

const char *ffn_profile_name(ffn_profile profile) {
  static const char *const names[] = {
      "any",
/*@ profile_names */
#define FFN_PROFILE(NAME, name, recognised) #name,
#include "profiles.inc"
#undef FFN_PROFILE
      /*@ end */
  };
  return (unsigned)profile < FFN_PROFILE_COUNT ? names[profile] : "?";
}

const char *ffn_kind_name(ffn_kind kind) {
  static const char *const names[] = {"ffn", "linear", "mlp", "glu", "selfgate"};
  return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

const char *ffn_variant_name(ffn_variant variant) {
  static const char *const names[] = {
/*@ variant_names */
#define FFN_ACTIVATION(NAME, GATED, name, gated, value, slope) #name, #gated,
#include "activations.inc"
#undef FFN_ACTIVATION
      /*@ end */
  };
  return (unsigned)variant < FFN_VARIANT_COUNT ? names[variant] : "?";
}

const char *ffn_activation_name(ffn_activation activation) {
  static const char *const names[] = {
/*@ activation_names */
#define FFN_ACTIVATION(NAME, GATED, name, gated, value, slope) #name,
#include "activations.inc"
#undef FFN_ACTIVATION
      /*@ end */
  };
  return (unsigned)activation < FFN_ACTIVATION_COUNT ? names[activation] : "?";
}
