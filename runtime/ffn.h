/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn.h - feed-forward kernels with fixed sizes: the whole public API.
 *
 * A kernel computes one layer, for one set of sizes and formats and one instruction set:
 *
 *     linear    y = x W^T + b; or several of these of one x
 *     mlp       a chain of linear layers, each with an activation of its own
 *     ffn       y = act(x Wup^T + bup) Wdown^T + bdown
 *     ffn       y = (act(x Wgate^T + bgate) * (x Wup^T + bup)) Wdown^T + bdown       (gated)
 *     glu       y = act(x Wgate^T + bgate) * (x Wup^T + bup)
 *     selfgate  y = x * act(x Wgate^T + bgate) */

/*@ usage */
/* Six steps run one:
 *
 *     const ffn_kernel *k = ffn_find(&(ffn_query){.variant = FFN_SWIGLU, .d_model = 512,
 *                                                 .d_ff = 1365, .cpu = ffn_cpu()});
 *     const size_t bytes = ffn_work_bytes(k, 1, tokens);
 *     void *packed = ffn_alloc(k->packed_bytes), *work = ffn_alloc(bytes);
 *     k->pack(packed, &(ffn_weights){.gate = {wg}, .up = {wu}, .down = {wd}});
 *     ffn_run(k, y, 512, x, 512, tokens, packed, work, bytes, NULL);
 *     ffn_free(packed), ffn_free(work);
 *
 * The layers of a model lie best in one piece: see ffn_arena. */
/*@ end */

/* What every kernel promises
 * - It allocates nothing, keeps no state, starts no thread, asks nothing of the CPU and cannot
 *   fail. Any number of threads may run it at once on the same packed weights, each with its own
 *   work memory. Preconditions are asserts: they vanish under NDEBUG.
 * - Same bits: a row of y has the same bits for any number of threads, any batch the row rides in,
 *   any alignment, any compiler and optimisation level, and any instruction set. One exception
 *   belongs to the hardware: which NaN a NaN is.
 * - Known error: |y - exact| <= the bound that ffn_reference() computes, for finite results and
 *   where it is finite. For other arithmetics than FFN_ARITHMETIC_FMA_F32 none is stated yet.
 * - The caller's floating-point mode: both promises are for the usual one, which rounds to the
 *   nearest and keeps subnormals. Whoever calls run() in another (flush-to-zero, denormals are
 *   zero, another rounding) gets what it computes, on the host's threads as on its own, whatever
 *   their mode is: a row has the same bits for any number of threads, any batch and any alignment,
 *   but others in another build or on another instruction set, and no bound. Every thread has its
 *   own mode again behind its task; which exceptions trap stays the thread's. So do gcc, clang and
 *   MSVC for x86, Arm and RISC-V; elsewhere a host's threads have to be in the caller's mode.
 * - No byte outside the declared extents is read or written; tokens may be 0.
 *
 * Layouts. Matrices are row-major. Weights are torch.nn.Linear's: [out][in], bias [out].
 * x is [tokens][inputs], y is [tokens][outputs]; rows may be strided and need the alignment of
 * float only. Rows of x may lie over each other, for they are only read: a stride of 1 slides a
 * window over a signal, a stride of 0 gives every token the same row. Packed weights are the same
 * for every instruction set: pack anywhere, run anywhere of the same byte order.
 *
 * Versions. FFN_ABI changes with structs and descriptors, FFN_LAYOUT with packed bytes. Fields and
 * enumerators are added behind those that are there, and what is left 0 means what it meant; an
 * enumerator more leaves FFN_ABI as it is. */
/*@ header_only */
/*@ end */
#ifndef FFN_H
#define FFN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header: its structs and descriptors. Generated files refuse any other. */
#define FFN_ABI 11

/* Of packed weights: which bytes lie where. What was packed under one ABI is taken under another
 * as long as this is the same. */
#define FFN_LAYOUT 1

/* Alignment in bytes of packed weights and work memory. ffn_alloc() gives it. */
#define FFN_ALIGNMENT 64

/* Most parameters of an activation. */
#define FFN_MAX_PARAMETERS 8

/* Most stages (matrix passes) in one layer. */
#define FFN_MAX_STAGES 16

/* Enumerations are as wide as int: a compiler with -fshort-enums and one without agree on what lies
 * where. Where short ones are the rule, on 32-bit Arm without an operating system, they stay so:
 * files say which they have, and the linker tells of those that differ. */
#if defined(__arm__) && !defined(__linux__) && __ARM_SIZEOF_MINIMAL_ENUM < 4
#define FFN_WIDE_ENUM(name)
#else
#define FFN_WIDE_ENUM(name) , name = 0x7fffffff
#endif

/* The type of x and y. */
typedef enum ffn_dtype { FFN_F32 = 0, FFN_DTYPE_COUNT FFN_WIDE_ENUM(FFN_DTYPE_WIDE) } ffn_dtype;

/* What a weight is stored as where it is packed: FFN_FORMAT_F32, which is 0, and so on. */
typedef enum ffn_format {
/*@ formats */
#define FFN_FORMAT(NAME, name) FFN_FORMAT_##NAME,
#include "formats.inc"
#undef FFN_FORMAT
  /*@ end */
  FFN_FORMAT_COUNT FFN_WIDE_ENUM(FFN_FORMAT_WIDE)
} ffn_format;

/* What is multiplied, and how it is summed: FFN_ARITHMETIC_FMA_F32, fused multiply-adds of f32,
 * which is 0, and so on. */
typedef enum ffn_arithmetic {
/*@ arithmetics */
#define FFN_ARITHMETIC(NAME, name) FFN_ARITHMETIC_##NAME,
#include "formats.inc"
#undef FFN_ARITHMETIC
  /*@ end */
  FFN_ARITHMETIC_COUNT FFN_WIDE_ENUM(FFN_ARITHMETIC_WIDE)
} ffn_arithmetic;

/* What a matrix holds that pack() is given, and unpack() gives: FFN_SOURCE_F32 are rows of floats,
 * FFN_SOURCE_BF16 the numbers of FFN_FORMAT_BF16 as files have them, and so on: a format that has
 * numbers of its own has a source of its name and value. A row is blocks of so many inputs, one
 * after the other, ffn_source_block(): of bf16 and f16 uint16_t, the bits of a number; of others
 * bytes, at any address: of GGUF's types (q8_0, q4_K and so on) its blocks; of i8 signed bytes, of
 * f8_e4m3 floats of 8 bits, and of u4g128 and its like nibbles, the low one first, whose scales and
 * zeros are arrays of their own. ffn_arrange.h makes these of what GPTQ, AWQ and others have.
 *
 * A kernel takes what is its own, and floats, which are rounded or quantised, unless
 * ffn_stage.source_alone says that they are not taken. To bf16 and f16 floats are rounded to the
 * nearest, ties to even. What is too large becomes infinite, of f16 from 65520 on, of bf16 from
 * 0x1.ffp127 on; what is small becomes subnormal, or 0 with its sign; a NaN of floats becomes a
 * quiet one. unpack() gives in floats exactly what the kernel multiplies with, and its own numbers
 * as they were, byte for byte. Of a block whose scale is not finite all weights are NaN,
 * as they are of a scale of f32 or bf16 from 2^121 on, of f8_e4m3 from 2^120 on, whose 0x7f and
 * 0xff are NaN by themselves; f32 scales below 2^-100 other than 0 are refused. A scale of mxfp4 of
 * 255 is NaN, as the format defines it; ggml takes it for 2^128. pack() has nothing to say that
 * with: the floats that unpack() gives show it, and ffn-pack names such tensors. */
typedef enum ffn_source {
  FFN_SOURCE_F32 = FFN_FORMAT_F32,
/*@ source_list */
#define FFN_SOURCE(NAME, name, ...) FFN_SOURCE_##NAME = FFN_FORMAT_##NAME,
#include "formats.inc"
#undef FFN_SOURCE
  /*@ end */
  FFN_SOURCE_COUNT = FFN_FORMAT_COUNT FFN_WIDE_ENUM(FFN_SOURCE_WIDE)
} ffn_source;

/* Instruction sets, FFN_ISA_C and so on. Their order means nothing. */
typedef enum ffn_isa {
/*@ isas */
#define FFN_ISA(NAME, name, rank, allowed) FFN_ISA_##NAME,
#include "isas.inc"
#undef FFN_ISA
  /*@ end */
  FFN_ISA_COUNT FFN_WIDE_ENUM(FFN_ISA_WIDE)
} ffn_isa;

/* CPUs that kernels of large layers have a descriptor of their own for: the same code, with other
 * constants. FFN_PROFILE_ANY serves every CPU. */
typedef enum ffn_profile {
  FFN_PROFILE_ANY = 0,
/*@ profiles */
#define FFN_PROFILE(NAME, name, recognised) FFN_PROFILE_##NAME,
#include "profiles.inc"
#undef FFN_PROFILE
  /*@ end */
  FFN_PROFILE_COUNT FFN_WIDE_ENUM(FFN_PROFILE_WIDE)
} ffn_profile;

/* The bit of ffn_cpu() that says it is a CPU of a profile (none for FFN_PROFILE_ANY), and all such
 * bits; those below are instruction sets. */
#define FFN_CPU_BIT(profile) (1u << (profile) << 15 & FFN_CPU_PROFILES)
#define FFN_CPU_PROFILES 0xffff0000u

/* The forms of layer listed at the top, FFN_KIND_FFN, which is 0, and so on. */
typedef enum ffn_kind {
/*@ kinds */
#define FFN_KIND(NAME, name, square, varies, queried) FFN_KIND_##NAME,
#include "kinds.inc"
#undef FFN_KIND
  /*@ end */
  FFN_KIND_COUNT FFN_WIDE_ENUM(FFN_KIND_WIDE)
} ffn_kind;

/* Activations: FFN_ACT_SILU and so on. */
typedef enum ffn_activation {
/*@ activations */
#define FFN_ACTIVATION(NAME, GATED, name, gated, value, slope) FFN_ACT_##NAME,
#include "activations.inc"
#undef FFN_ACTIVATION
  /*@ end */
  FFN_ACTIVATION_COUNT FFN_WIDE_ENUM(FFN_ACTIVATION_WIDE)
} ffn_activation;

/* A variant is an activation, plain or gated: FFN_SILU and FFN_SWIGLU, FFN_GELU and FFN_GEGLU. */
typedef enum ffn_variant {
/*@ variants */
#define FFN_ACTIVATION(NAME, GATED, name, gated, value, slope) FFN_##NAME, FFN_##GATED,
#include "activations.inc"
#undef FFN_ACTIVATION
  /*@ end */
  FFN_VARIANT_COUNT FFN_WIDE_ENUM(FFN_VARIANT_WIDE)
} ffn_variant;

/* What the epilogue of a stage multiplies the activation with. */
typedef enum ffn_product {
  FFN_PRODUCT_NONE = 0, /* act(s) */
  FFN_PRODUCT_UP, /* act(gate) * up: the stage has two branches */
  FFN_PRODUCT_INPUT, /* x * act(s): inputs == outputs */
  FFN_PRODUCT_BOTH /* act(gate, up), an activation of both branches */
      FFN_WIDE_ENUM(FFN_PRODUCT_WIDE)
} ffn_product;

/* Which field of ffn_weights a matrix is. */
typedef enum ffn_matrix {
  FFN_MATRIX_GATE = 0,
  FFN_MATRIX_UP,
  FFN_MATRIX_DOWN,
  FFN_MATRIX_CHAIN /* chain[index of the stage] */
      FFN_WIDE_ENUM(FFN_MATRIX_WIDE)
} ffn_matrix;

/* Most matrices side by side in one stage. */
#define FFN_MAX_BRANCHES 2

/* One stage: one pass over one stream of weights. A layer is a chain of stages.
 *
 * The order of a sum is fixed: k ascends in blocks of k_block; in a block, `chains` chains of
 * fused multiply-adds, chain c taking k = c modulo chains from +0, are folded pairwise
 * (c with c + chains/2, and so on); block sums are added in ascending order; then the bias. */
typedef struct ffn_stage {
  size_t inputs, outputs;
  size_t branches; /* matrices [outputs][inputs] that it multiplies x with */
  ffn_matrix matrix[FFN_MAX_BRANCHES]; /* [branches], the one with the activation first */
  ffn_activation activation;
  ffn_product product;
  int bias; /* 1: each branch adds a bias */
  size_t parameter_count; /* of the activation: 1 of swish, its beta; 0 of most */
  int parameters_fixed; /* 1: by the spec, as follows; 0: those of ffn_weights are used */
  float parameters[FFN_MAX_PARAMETERS];
  size_t k_block, chains;
  size_t sum_length; /* most roundings between a product and its place in the sum, bias included */
  /* |act(x) - exact| <= (act_relative * |exact| + act_absolute * |x|) * 2^-24 + 2^-149 */
  float act_relative, act_absolute;
  ffn_format format; /* of its weights where they are packed */
  ffn_arithmetic arithmetic;
  ffn_source source; /* that pack() takes beside floats: its format's own; F32: floats alone */
  int source_alone; /* 1: and no floats */
} ffn_stage;

/* A matrix [out][in] and its bias [out]. bias is NULL where the kernel has none.
 *
 * What is left 0 says dense rows of f32: {w, b} does, in C as in C++. Where -Wextra would count the
 * fields that are left out, C writes {.weight = w, .bias = b}; C++ makes an ffn_linear{} and sets
 * its fields, or has ffn.hpp. */
typedef struct ffn_linear {
  const void *weight;
  const float *bias;
  ffn_source source; /* what weight holds */
  size_t row_bytes; /* from a row to the next; 0: rows are dense */
  const void *scales, *zeros; /* of sources that have them */
  /* So many neighbouring outputs share these, the last ones perhaps fewer: 128 of scales for 128 x
   * 128 weights, all outputs of one for a matrix; 0: each output has its own. */
  size_t scale_rows;
} ffn_linear;

/* The weights of a layer. Set what the kernel's kind has:
 *   linear, mlp   chain: one ffn_linear per stage, first stage first
 *   ffn           up, down; gated variants also gate
 *   glu           gate, up
 *   selfgate      gate */
typedef struct ffn_weights {
  ffn_linear gate, up, down;
  const ffn_linear *chain;
  /* Of the activation, where the kernel takes them from here: beta of swish and swiglu_beta. */
  float parameters[FFN_MAX_PARAMETERS];
} ffn_weights;

/* The matrix and bias of a branch of a stage: weights->gate, or another. */
static inline const ffn_linear *ffn_stage_linear(
    const ffn_stage *stages, const ffn_weights *weights, size_t stage, size_t branch) {
  switch (stages[stage].matrix[branch]) {
  case FFN_MATRIX_GATE:
    return &weights->gate;
  case FFN_MATRIX_UP:
    return &weights->up;
  case FFN_MATRIX_DOWN:
    return &weights->down;
  case FFN_MATRIX_CHAIN:
  default:
    break;
  }
  return &weights->chain[stage];
}

/* Bytes that a kernel takes of a source at a time, at most. */
#define FFN_MOST_BLOCK 256

/* How the numbers of a source lie: so many inputs in a block of so many bytes, which begins at a
 * multiple of `align` bytes.
 *
 * Of some, scales and zeros lie in arrays of their own, ffn_linear.scales and zeros: of each output
 * one for `every` inputs, the last one perhaps for fewer, or where that is 0 one for all,
 * [outputs][inputs / every]. `scale` and `zero` are their bytes, 0 where there are none; zeros may
 * be NULL, and are `none` then. */
typedef struct ffn_block_size {
  size_t inputs, bytes, align;
  size_t every, scale, zero, none;
} ffn_block_size;

static inline ffn_block_size ffn_source_block(ffn_source source) {
  const ffn_block_size floats = {1, sizeof(float), sizeof(float), 0, 0, 0, 0};
  switch ((int)source) {
/*@ source_blocks */
#define FFN_SOURCE(NAME, name, ...) \
  case FFN_SOURCE_##NAME: { \
    const ffn_block_size own = {__VA_ARGS__}; \
    return own; \
  }
#include "formats.inc"
#undef FFN_SOURCE
  /*@ end */
  default:
    return floats;
  }
}

/* How many scales the inputs of an output have, and a matrix. */
static inline size_t ffn_block_scales(ffn_block_size block, size_t inputs) {
  return block.every ? (inputs + block.every - 1) / block.every : 1;
}
static inline size_t ffn_matrix_scales(
    ffn_block_size block, size_t scale_rows, size_t outputs, size_t inputs) {
  const size_t rows = scale_rows ? (outputs + scale_rows - 1) / scale_rows : outputs;
  return rows * ffn_block_scales(block, inputs);
}

/* Where the scale or the zero of a weight stands, of `bytes` each; NULL where array is. */
static inline const char *ffn_source_beside(const void *array, size_t scale_rows, size_t bytes,
    ffn_block_size block, size_t inputs, size_t output, size_t input) {
  const size_t row = scale_rows ? output / scale_rows : output;
  const size_t at = row * ffn_block_scales(block, inputs) + (block.every ? input / block.every : 0);
  return array ? (const char *)array + at * bytes : (const char *)0;
}

/* Bytes of the blocks of so many inputs. */
static inline size_t ffn_block_row(ffn_block_size block, size_t inputs) {
  return (inputs + block.inputs - 1) / block.inputs * block.bytes;
}

/* Bytes of a dense row of a matrix. */
static inline size_t ffn_source_row(ffn_source source, size_t inputs) {
  return ffn_block_row(ffn_source_block(source), inputs);
}

/* Bytes from a row of a matrix to the next. */
static inline size_t ffn_row_step(const ffn_stage *stage, ffn_source source, size_t row_bytes) {
  return row_bytes ? row_bytes : ffn_source_row(source, stage->inputs);
}

/* The row of an output in a matrix, whatever its source. */
static inline const char *ffn_linear_place(
    const ffn_stage *stage, const ffn_linear *linear, size_t output) {
  const size_t bytes = ffn_row_step(stage, linear->source, linear->row_bytes);
  return (const char *)linear->weight + output * bytes;
}

/* The row of an output in a matrix of f32. */
static inline const float *ffn_linear_row(
    const ffn_stage *stage, const ffn_linear *linear, size_t output) {
  return (const float *)(const void *)ffn_linear_place(stage, linear, output);
}

/* Where unpack() writes a matrix and its bias: the fields of ffn_linear. Both may be NULL, and are
 * passed over then. */
typedef struct ffn_unpacked_linear {
  void *weight;
  float *bias;
  ffn_source source; /* what weight is to hold */
  size_t row_bytes;
  void *scales, *zeros;
  size_t scale_rows; /* of those that share a place and differ the last one stays */
} ffn_unpacked_linear;

/* The fields of ffn_weights, to be written. chain may be NULL. */
typedef struct ffn_unpacked {
  ffn_unpacked_linear gate, up, down;
  const ffn_unpacked_linear *chain;
  float parameters[FFN_MAX_PARAMETERS];
} ffn_unpacked;

/* The parameters that a stage's activation takes. */
static inline const float *ffn_stage_parameters(
    const ffn_stage *stage, const ffn_weights *weights) {
  return stage->parameters_fixed ? stage->parameters : weights->parameters;
}

/* How a host lends its threads: run() must call task(context, i) once for each i in [0, tasks),
 * in any order, on any threads, and return when all have returned. It is called, never kept.
 * Ready made, in files of their own: parallel_openmp.h, parallel_pthreadpool.h,
 * parallel_pthreads.h, and parallel_team.h for a host that forks and joins by itself. */
typedef struct ffn_parallel {
  void (*run)(void *pool, size_t tasks, void (*task)(void *context, size_t index), void *context);
  void *pool;
  size_t threads; /* the most tasks of one run(); 1 is as good as no ffn_parallel */
} ffn_parallel;

/* What is asked of a kernel: y = layer(x), or y += *scale * layer(x). What is left 0 is not wanted.
 * It is read until run() returns, never written or kept, so that it may be constant, and serve many
 * calls.
 *
 * y[t][o] for t in [0, tokens): row t of x begins at x + t * x_stride, of y at y + t * y_stride;
 * strides are in floats. y_stride is at least outputs; x_stride may be any, less than inputs and 0,
 * too. Rows of y must not overlap rows of x, but for in_place; both overlap neither packed nor
 * work. */
struct ffn_destination;
typedef struct ffn_call {
  float *y;
  size_t y_stride;
  const float *x;
  size_t x_stride, tokens;
  const void *packed; /* packed_bytes bytes that pack() made */
  /* FFN_ALIGNMENT-aligned, any content, work_bytes bytes: at least ffn_work_bytes(kernel, threads,
   * tokens). */
  void *work;
  size_t work_bytes;
  const ffn_parallel *parallel; /* NULL: the calling thread alone */
  /* y += *scale * layer(x): each y becomes fmaf(*scale, what it would be without, y), which rounds
   * once. Not with FFN_NO_ADD: see ffn_kernel.adds. */
  const float *scale;
  const struct ffn_destination *to; /* of kernels with several outputs, in place of y */
} ffn_call;

/* A kernel. Constant data; nothing in it needs to be freed. */
typedef struct ffn_kernel {
  /* Layer, instruction set and profile, "..._f32_avx2", "..._f32_avx2_zen4": also its symbol. */
  const char *name;
  const char *layer; /* "linear_d10_o5_f32", say: kernels of one layer agree in bits */
  /* The layer without its arithmetic: kernels of one such name take the same packed weights. */
  const char *packed;
  ffn_kind kind;
  ffn_variant variant; /* of ffn, glu and selfgate */
  ffn_dtype dtype;
  ffn_isa isa;
  ffn_profile profile; /* the CPUs that it suits. All that have its instruction set may run it */
  size_t max_tokens; /* of a call of run(); 0: any number. Packed weights are the same */
  size_t inputs, hidden, outputs; /* d_model, d_ff (0: no down projection), d_out */
  int bias;
  int dropout; /* 1: training drops (ffn_train.h); ffn_find_layer() alone finds it */
  size_t runtime_parameters; /* that many of ffn_weights.parameters are packed with the weights */
  size_t stage_count;
  const ffn_stage *stages;
  size_t packed_bytes; /* of packed weights */
  /* Work memory of a thread: so many rows at a time, at most; bytes for each of them, and for all
   * of them together. ffn_work_bytes() adds up. */
  size_t work_rows, work_row_bytes, work_beside_bytes;
  /* 1: y may be x, with the same stride, which is at least inputs then. */
  unsigned char in_place;
  unsigned char adds; /* 1: a call may have a scale; 0: compiled with FFN_NO_ADD */
  /* 1: stages stand side by side: each takes x, and gives an output of its own (ffn_outputs).
   * 0: each takes what the one before it gives. */
  unsigned char stages_share_x;
  uint64_t flop_per_token; /* multiplications and additions of the matrix products */

  /* packed[packed_bytes] <- weights. packed is FFN_ALIGNMENT-aligned and must not overlap them.
   * The weights are not needed afterwards. ffn_weights_problem() tells what is missing, which is
   * an assert here. Compiled with FFN_NO_PACK, for weights that are packed already, pack and
   * unpack are NULL. */
  void (*pack)(void *packed, const ffn_weights *weights);

  /* The way back, for checkpoints and tests: writes what `to` has memory for, and its parameters.
   * What a format rounded comes back as it is stored. */
  void (*unpack)(ffn_unpacked *to, const void *packed);

  /* What a call asks for: kernel->run(kernel, &call). ffn_run() and ffn_add() are shorter. */
  void (*run)(const struct ffn_kernel *kernel, const ffn_call *call);

  /* What suits the CPU, where the kernel's code asks. */
  const struct ffn_choices *choices;

  /* What runs some of a stage's columns goes by: ffn_slice.h, on one of several processes. NULL:
   * the kernel runs whole. Compiled with FFN_NO_STAGES, it is NULL. */
  const struct ffn_staged *staged;
} ffn_kernel;

/* y = layer(x): a call whose record is made here. */
static inline void ffn_run(const ffn_kernel *kernel, float *y, size_t y_stride, const float *x,
    size_t x_stride, size_t tokens, const void *packed, void *work, size_t work_bytes,
    const ffn_parallel *parallel) {
  const ffn_call call = {
      y, y_stride, x, x_stride, tokens, packed, work, work_bytes, parallel, NULL, NULL};
  kernel->run(kernel, &call);
}

/* y += scale * layer(x), likewise. */
static inline void ffn_add(const ffn_kernel *kernel, float *y, size_t y_stride, float scale,
    const float *x, size_t x_stride, size_t tokens, const void *packed, void *work,
    size_t work_bytes, const ffn_parallel *parallel) {
  const ffn_call call = {
      y, y_stride, x, x_stride, tokens, packed, work, work_bytes, parallel, &scale, NULL};
  kernel->run(kernel, &call);
}

/*@ outputs */
/* A linear layer may give several outputs of one x, which it reads once: those of attention, say,
 * of which keys and values go to a cache (`d_out = { q = 512, k = 128, v = 128 }` in a spec). Its
 * kernel has a stage and a matrix for each output, weights.chain[i], whose bits are those of a
 * linear of its own. ffn_run() and ffn_add() give them side by side in rows of y, in order; where
 * a call has `to`, each goes where it belongs. ffn_outputs_of() tells of the kernel which they are:
 *
 *     const ffn_outputs *o = ffn_outputs_of(kernel);
 *     const ffn_destination to[] = {{k, 128}, {q, 512}, {v, 128}};            in the order of o
 *     ffn_run_to(o, to, x, 512, tokens, packed, work, bytes, NULL); */
typedef struct ffn_output {
  const char *name; /* in the spec: "q" */
  size_t width;
} ffn_output;

/* Where an output goes: row t begins at y + t * stride, in floats; stride is at least its width.
 * Where y is NULL, the output is not wanted, and costs nothing. Rows of different outputs must not
 * overlap, but may take turns, as columns of one array do. Where kernel->in_place, an output may
 * lie in x, row on row: between x and x + x_stride, with that stride. */
typedef struct ffn_destination {
  float *y;
  size_t stride;
} ffn_destination;

typedef struct ffn_outputs {
  const ffn_kernel *kernel;
  size_t count;
  /* [count], in the order of a list in the spec, or else of their names, byte by byte. */
  const ffn_output *outputs;
} ffn_outputs;

/* to[i] = output i of the layer. */
static inline void ffn_run_to(const ffn_outputs *outputs, const ffn_destination *to, const float *x,
    size_t x_stride, size_t tokens, const void *packed, void *work, size_t work_bytes,
    const ffn_parallel *parallel) {
  const ffn_call call = {
      NULL, 0, x, x_stride, tokens, packed, work, work_bytes, parallel, NULL, to};
  outputs->kernel->run(outputs->kernel, &call);
}

/* to[i] += scale * output i. */
static inline void ffn_add_to(const ffn_outputs *outputs, const ffn_destination *to, float scale,
    const float *x, size_t x_stride, size_t tokens, const void *packed, void *work,
    size_t work_bytes, const ffn_parallel *parallel) {
  const ffn_call call = {
      NULL, 0, x, x_stride, tokens, packed, work, work_bytes, parallel, &scale, to};
  outputs->kernel->run(outputs->kernel, &call);
}

/* The outputs of a linked kernel; NULL of one that has a single output without a name, and where
 * kernel is NULL. */
const ffn_outputs *ffn_outputs_of(const ffn_kernel *kernel);

/* The place of the output of a name among them: of its destination and its matrix in a chain; or
 * their count where there is none. */
size_t ffn_output_index(const ffn_outputs *outputs, const char *name);
/*@ end */

/*@ cpu */
/* Bit 1 << isa for each instruction set that this CPU and its operating system allow, and
 * FFN_CPU_BIT(profile) where the CPU is known. Bit FFN_ISA_C is always set. Reads the CPU anew at
 * each call; keeps nothing. */
unsigned ffn_cpu(void);
/*@ end */

/*@ dispatch */
/* What to look for. Fields left 0 mean: kind ffn, f32 throughout, no bias, d_out = d_model. */
typedef struct ffn_query {
  ffn_kind kind; /* any but FFN_KIND_MLP: see ffn_find_layer() */
  ffn_variant variant;
  size_t d_model, d_ff, d_out; /* linear: d_model inputs, d_out outputs; only ffn has d_ff */
  int bias;
  /* Of the activation: the fixed values, or zeros for a kernel with run-time parameters. */
  float parameters[FFN_MAX_PARAMETERS];
  ffn_dtype dtype;
  size_t max_tokens; /* that a call will have at most; 0: any number */
  unsigned cpu; /* allowed instruction sets, bit 1 << ffn_isa: ffn_cpu(), or fewer */
  /* Of weights where they are packed, and of sums: those of the first stage, and those of the down
   * projection, which kinds of one stage do not have. */
  ffn_format hidden_format, down_format;
  ffn_arithmetic hidden_arithmetic, down_arithmetic;
} ffn_query;

/* The best linked kernel for the query, or NULL: none fits, query is NULL, or cpu allows none. A
 * layer whose spec says dropout is another layer, which has a name alone. A kernel that takes fewer
 * tokens than the query says fits none; of several on one instruction set, the one for the fewest
 * is the best, then one for this CPU, then one that is optimised for speed. */
const ffn_kernel *ffn_find(const ffn_query *query);

/*@ outputs */
/* The same for a linear of these outputs, in this order: with its kernel, or NULL. ffn_find() gives
 * none such. The query's d_out is 0, or their widths together; down_format and down_arithmetic mean
 * nothing, and the hidden ones are those of all outputs. */
const ffn_outputs *ffn_find_outputs(
    const ffn_query *query, const ffn_output *outputs, size_t count);
/*@ end */

/* The best linked kernel of a layer name such as "mlp_10_relu64_relu32_sigmoid1_bias_f32", for any
 * number of tokens, or NULL: none fits, layer is NULL, or cpu allows none. */
const ffn_kernel *ffn_find_layer(const char *layer, unsigned cpu);

/* The same for calls of at most max_tokens, as ffn_query has them. */
const ffn_kernel *ffn_find_limited(const char *layer, size_t max_tokens, unsigned cpu);
/*@ end */

/* All linked kernels, whatever the CPU: *count of them (count may be NULL). Never NULL. */
const ffn_kernel *const *ffn_all(size_t *count);

/* Work memory for that many threads and at most so many tokens in a call of run() (0 counts as 1).
 * Grows with the tokens up to work_rows of them, where a thread walks in several steps; SIZE_MAX
 * asks for any number. SIZE_MAX where the size overflows, which ffn_alloc() refuses; 0 where kernel
 * is NULL. */
size_t ffn_work_bytes(const ffn_kernel *kernel, size_t threads, size_t tokens);

/*@ alloc */
/* Memory aligned to FFN_ALIGNMENT, or NULL: none left, or bytes is 0 or absurd. On Linux, from 1
 * MiB on, it lies in huge pages where the system has them (aligned to 2 MiB, by madvise()), from
 * which one token is decoded up to 1.3 times as fast. These take up to 2 MiB more than was asked
 * for, where else more than a sixteenth were left in small pages. Smaller blocks keep their size:
 * see ffn_arena. Optional: kernels take any memory aligned to FFN_ALIGNMENT. */
void *ffn_alloc(size_t bytes);
void ffn_free(void *memory); /* NULL is fine */
/*@ end */

/* Memory for all layers of a model, in one piece: small ones (q, k, v and o of attention, say)
 * share huge pages then, and none leaves a part of one unused.
 *
 *     size_t bytes = 0;
 *     for (size_t i = 0; i < count; i++)
 *       bytes += kernels[i]->packed_bytes;
 *     ffn_arena arena = {ffn_alloc(bytes), bytes, 0};
 *     for (size_t i = 0; i < count; i++)
 *       packed[i] = ffn_arena_alloc(&arena, kernels[i]->packed_bytes);
 *     ...
 *     ffn_free(arena.memory); */
typedef struct ffn_arena {
  void *memory; /* ffn_alloc()'s or the host's: static, say, or of a NUMA node */
  size_t bytes, used; /* used begins with 0, and may be set back */
} ffn_arena;

/* The next bytes of the arena, aligned to FFN_ALIGNMENT, of which the sizes of packed weights and
 * of work memory are multiples. NULL: fewer are left, bytes is 0, or the arena or its memory is
 * NULL or not so aligned. One thread at a time. */
void *ffn_arena_alloc(ffn_arena *arena, size_t bytes);

/* NULL where `weights` holds all that kernel->pack() reads, in a form that it takes, and no bias
 * that it would not, else what is wrong, in English. A kernel without pack() takes none. */
const char *ffn_weights_problem(const ffn_kernel *kernel, const ffn_weights *weights);

/* 1 where packed was made by pack() of a kernel of the same `packed`, else 0. */
int ffn_packed_fits(const ffn_kernel *kernel, const void *packed);

/* NULL where packed[bytes], which anyone may hand in (a file, say), is what kernel->run() takes: of
 * the layer, layout and byte order of the kernel, whole and aligned; else what is wrong, in
 * English. The weights themselves may be any floats: no value of theirs makes run() leave its
 * memory. */
const char *ffn_packed_problem(const ffn_kernel *kernel, const void *packed, size_t bytes);

/* NULL where floats are those that bits are promised for, in the calling thread; else what flags of
 * the compiler or a mode of the CPU make of them, in English. The self-check asks: -DFFN_NO_MAIN
 * leaves it out, too. */
const char *ffn_arithmetic_problem(void);

/* The words for the enumerators: "avx2", "f32", "swiglu", "silu", "ffn". "?" out of range. */
const char *ffn_isa_name(ffn_isa isa);
const char *ffn_profile_name(ffn_profile profile);
const char *ffn_dtype_name(ffn_dtype dtype);
const char *ffn_format_name(ffn_format format);
const char *ffn_arithmetic_name(ffn_arithmetic arithmetic);
const char *ffn_kind_name(ffn_kind kind);
const char *ffn_variant_name(ffn_variant variant);
const char *ffn_activation_name(ffn_activation activation);

/*@ reference */
/* The reference: the same layer by plain loops in double on the same weights, which are rounded as
 * the kernel's format rounds them, and for each output the bound B on |kernel's y - exact|. y and
 * bound are [tokens][outputs], dense; either may be NULL. scratch holds ffn_reference_bytes(kernel)
 * bytes, aligned for double. Where a value or its bound is not finite, nothing is promised but the
 * class of the value; kernels with another arithmetic than FFN_ARITHMETIC_FMA_F32 have no finite
 * bound. It and its like below are all that takes libm: -DFFN_NO_MAIN leaves them out
 * with the self-check, unless -DFFN_REFERENCE asks for them. */
void ffn_reference(const ffn_kernel *kernel, double *y, double *bound, const float *x,
    size_t x_stride, size_t tokens, const ffn_weights *weights, void *scratch);
size_t ffn_reference_bytes(const ffn_kernel *kernel);

/* The value of a weight, of any source: what a kernel multiplies with, found without its code. Of a
 * format that has no source of its own it is what the caller has, not rounded. */
double ffn_linear_value(
    const ffn_stage *stage, const ffn_linear *linear, size_t output, size_t input);

/* The values of a row: of all inputs of an output; and of so many from one on. */
void ffn_linear_values(
    const ffn_stage *stage, const ffn_linear *linear, size_t output, float *values);
void ffn_linear_part(const ffn_stage *stage, const ffn_linear *linear, size_t output, size_t first,
    size_t count, float *values);

/* What ffn_reference() gave, into the reference of add(): y becomes before + scale * y, and bound
 * what add() may be off. before has rows of `outputs` floats at before_stride. */
void ffn_reference_add(const ffn_kernel *kernel, double *y, double *bound, const float *before,
    size_t before_stride, float scale, size_t tokens);

/* activation(x, up) in double, and a bound on how far it moves where x and up do by at most dx and
 * dup. Most activations ignore up. */
double ffn_activation_value(
    ffn_activation activation, double x, double up, const float *parameters);
double ffn_activation_slope(
    ffn_activation activation, double x, double dx, double up, double dup, const float *parameters);
/*@ end */

/*@ layers */
/*@ end */

#ifdef __cplusplus
}
#endif
#endif
/*@ implementation */
/*@ end */
