/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn.h - feed-forward kernels with fixed sizes: the whole public API.
 *
 * A kernel computes one layer, for one set of sizes and formats and one instruction set:
 *
 *     linear    y = x W^T + b; or several such outputs of one x
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
 * The packed weights of all layers of a model lie best in one piece: see ffn_arena. */
/*@ end */

/* What every kernel promises
 * - A kernel allocates nothing, keeps no state, starts no thread, asks nothing of the CPU and
 *   cannot fail. Any number of threads may run one kernel at once on the same packed weights, each
 *   with its own work memory. Preconditions are asserts; under NDEBUG nothing is checked, and a
 *   call that breaks a precondition has undefined behaviour.
 * - Same bits: a row of y has the same bits alone and in any batch, for any number of threads, any
 *   alignment, compiler, optimisation level and instruction set. One exception belongs to the
 *   hardware: which NaN a NaN is.
 * - Known error: |y - exact| <= bound, where ffn_reference() computes exact and bound. This holds
 *@ bounds
 *   where the result and the bound are finite. FFN_ARITHMETIC_FMA_F32 and the arithmetics that
 *   multiply bytes have a bound; the bits of the latter are those of ffn_reference_s8() besides.
 *@ end
 * - Floating-point mode: both promises are for the usual mode, which rounds to nearest and keeps
 *   subnormals. In another mode of the caller (flush-to-zero, denormals-are-zero, another rounding)
 *   a row still has the same bits for any number of threads, any batch and any alignment, but other
 *   bits in another build or on another instruction set, and no bound. The host's threads compute
 *   in the caller's mode, and have their own mode again after the task. Which exceptions trap stays
 *   as each thread has set it. This needs gcc, clang or MSVC for x86, Arm or RISC-V; elsewhere the
 *   host's threads have to be in the caller's mode.
 * - No byte outside the declared extents is read or written. tokens may be 0.
 *
 * Layouts. Matrices are row-major. Weights are as torch.nn.Linear has them: [out][in], bias [out].
 * x is [tokens][inputs], y is [tokens][outputs]. Rows may be strided; they need the alignment of a
 * float only. Rows of x may overlap, for they are only read: a stride of 1 slides a window over a
 * signal, a stride of 0 gives every token the same row. Packed weights are the same for every
 * instruction set: pack anywhere, run anywhere with the same byte order.
 *
 * Versions. FFN_ABI changes with structs and descriptors, FFN_LAYOUT with packed bytes. New fields
 * and enumerators are appended. A field that is left 0 keeps its meaning. A new enumerator does not
 * change FFN_ABI. */
/*@ header_only */
/*@ end */
#ifndef FFN_H
#define FFN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the structs and descriptors of this header. A generated file does not compile with
 * a header of another version. */
#define FFN_ABI 12

/* The version of the layout of packed weights: which bytes lie where. Packed weights outlive
 * FFN_ABI: a kernel takes all that were packed with the same FFN_LAYOUT. */
#define FFN_LAYOUT 1

/* Packed weights and work memory begin at a multiple of so many bytes, as ffn_alloc() gives. */
#define FFN_ALIGNMENT 64

/* An activation has at most so many parameters. */
#define FFN_MAX_PARAMETERS 8

/* A layer has at most so many stages (matrix products). */
#define FFN_MAX_STAGES 16

/* Enumerations are as wide as int: objects that were compiled with -fshort-enums, which 32-bit Arm
 * without an operating system has by itself, and without have the same structs. */
#define FFN_WIDE_ENUM(name) , name = 0x7fffffff

/* The type of x and y. */
typedef enum ffn_dtype { FFN_F32 = 0, FFN_DTYPE_COUNT FFN_WIDE_ENUM(FFN_DTYPE_WIDE) } ffn_dtype;

/* How packed weights are stored: FFN_FORMAT_F32, which is 0, and so on. */
typedef enum ffn_format {
/*@ formats */
#define FFN_FORMAT(NAME, name) FFN_FORMAT_##NAME,
#include "formats.inc"
#undef FFN_FORMAT
  /*@ end */
  FFN_FORMAT_COUNT FFN_WIDE_ENUM(FFN_FORMAT_WIDE)
} ffn_format;

/* How products are made and summed: FFN_ARITHMETIC_FMA_F32 (0) is one fused multiply-add of f32 for
 * each product, and so on. */
typedef enum ffn_arithmetic {
/*@ arithmetics */
#define FFN_ARITHMETIC(NAME, name) FFN_ARITHMETIC_##NAME,
#include "formats.inc"
#undef FFN_ARITHMETIC
  /*@ end */
  FFN_ARITHMETIC_COUNT FFN_WIDE_ENUM(FFN_ARITHMETIC_WIDE)
} ffn_arithmetic;

/* What a matrix holds that pack() reads, or unpack() writes. FFN_SOURCE_F32 are rows of floats. A
 * format whose numbers a file can hold has a source of the same name and value:
 *
 *     bf16, f16                     uint16_t, the bits of a number
 *     q8_0, q4_K, mxfp4 and so on   the blocks of GGUF's types, at any address
 *     i8, i8z                       signed bytes; scales and zeros are arrays of their own
 *     f8_e4m3, f8_e4m3_row          floats of 8 bits; scales are an array of their own
 *     u4g128 and its like           nibbles, the low one first; scales and zeros are arrays
 *
 * A row is blocks of inputs, one after the other: see ffn_source_block(). ffn_arrange.h makes rows
 * of u4g128 and the like from what GPTQ, AWQ and others store.
 *
 * A kernel takes the source of its own format, and floats, which pack() rounds or quantises, unless
 * ffn_stage.source_alone is 1. unpack() writes as floats exactly what the kernel multiplies with,
 * and as its own source the same bytes that pack() read.
 *
 * Floats to bf16 and f16: rounded to nearest, ties to even. A large float becomes infinite (f16:
 * from 65520 on; bf16: from 0x1.ffp127 on), a small one subnormal, or 0 with its sign, a NaN a
 * quiet NaN.
 *
 * Scales: all weights of a block are NaN where the scale is not finite, or is an f32 or bf16 scale
 * of 2^121 or more (f8_e4m3: 2^120). The bytes 0x7f and 0xff of f8_e4m3 are NaN. A scale of 255 of
 * mxfp4 is NaN, as the format defines; ggml reads 2^128. An f32 scale other than 0 below 2^-100 is
 * refused: ffn_weights_problem(). pack() itself reports nothing: NaN show in the floats of
 * unpack(), and ffn-pack names such tensors. */
typedef enum ffn_source {
  FFN_SOURCE_F32 = FFN_FORMAT_F32,
/*@ source_list */
#define FFN_SOURCE(NAME, name, ...) FFN_SOURCE_##NAME = FFN_FORMAT_##NAME,
#include "formats.inc"
#undef FFN_SOURCE
  /*@ end */
  FFN_SOURCE_COUNT = FFN_FORMAT_COUNT FFN_WIDE_ENUM(FFN_SOURCE_WIDE)
} ffn_source;

/* Instruction sets: FFN_ISA_C and so on. Their order means nothing. */
typedef enum ffn_isa {
/*@ isas */
#define FFN_ISA(NAME, name, rank, allowed) FFN_ISA_##NAME,
#include "isas.inc"
#undef FFN_ISA
  /*@ end */
  FFN_ISA_COUNT FFN_WIDE_ENUM(FFN_ISA_WIDE)
} ffn_isa;

/* CPUs for which kernels of large layers have a descriptor of their own: the same code and bits,
 * with other constants. The descriptor of FFN_PROFILE_ANY serves every CPU. */
typedef enum ffn_profile {
  FFN_PROFILE_ANY = 0,
/*@ profiles */
#define FFN_PROFILE(NAME, name, recognised) FFN_PROFILE_##NAME,
#include "profiles.inc"
#undef FFN_PROFILE
  /*@ end */
  FFN_PROFILE_COUNT FFN_WIDE_ENUM(FFN_PROFILE_WIDE)
} ffn_profile;

/* The bit of ffn_cpu() for a profile (0 for FFN_PROFILE_ANY), and all bits of profiles. The bits
 * below these are instruction sets. */
#define FFN_CPU_BIT(profile) (1u << (profile) << 15 & FFN_CPU_PROFILES)
#define FFN_CPU_PROFILES 0xffff0000u

/* The kinds of layers at the top of this file: FFN_KIND_FFN, which is 0, and so on. */
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

/* What a stage computes from its sums: s, or the sums gate and up of two branches. */
typedef enum ffn_product {
  FFN_PRODUCT_NONE = 0, /* act(s) */
  FFN_PRODUCT_UP, /* act(gate) * up: the stage has two branches */
  FFN_PRODUCT_INPUT, /* x * act(s): inputs == outputs */
  FFN_PRODUCT_BOTH /* act(gate, up): the activation is a function of both branches */
      FFN_WIDE_ENUM(FFN_PRODUCT_WIDE)
} ffn_product;

/* The field of ffn_weights that holds a matrix. */
typedef enum ffn_matrix {
  FFN_MATRIX_GATE = 0,
  FFN_MATRIX_UP,
  FFN_MATRIX_DOWN,
  FFN_MATRIX_CHAIN /* chain[index of the stage] */
      FFN_WIDE_ENUM(FFN_MATRIX_WIDE)
} ffn_matrix;

/* A stage multiplies at most so many matrices with one input. */
#define FFN_MAX_BRANCHES 2

/* One stage: one matrix product and what follows. A layer is a chain of stages.
 *
 * The order of a sum is fixed. The inputs k are cut into blocks of k_block, in ascending order. In
 * a block there are `chains` chains of fused multiply-adds, each from +0: chain c takes the k with
 * k % chains == c, in ascending order. The chains are added in pairs: c and c + chains / 2, and so
 * on. The sums of the blocks are added in ascending order, then the bias. */
typedef struct ffn_stage {
  size_t inputs, outputs;
  size_t branches; /* how many matrices [outputs][inputs] share the input */
  ffn_matrix matrix[FFN_MAX_BRANCHES]; /* [branches], the one with the activation first */
  ffn_activation activation;
  ffn_product product;
  int bias; /* 1: each branch adds a bias */
  size_t parameter_count; /* of the activation: 1 for swish (beta), 0 for most */
  int parameters_fixed; /* 1: the spec fixed them, as follows; 0: ffn_weights has them */
  float parameters[FFN_MAX_PARAMETERS];
  size_t k_block, chains;
  size_t sum_length; /* a product is rounded at most so often until the sum ends, bias included */
  /* |act(x) - exact| <= (act_relative * |exact| + act_absolute * |x|) * 2^-24 + 2^-149 */
  float act_relative, act_absolute;
  ffn_format format; /* of the packed weights */
  ffn_arithmetic arithmetic;
  ffn_source source; /* what pack() takes beside floats; FFN_SOURCE_F32: only floats */
  int source_alone; /* 1: pack() takes only `source`, no floats */
  int operand_scale; /* 1: pack() takes the scale of the input: see ffn_linear.operand_scale */
} ffn_stage;

/* A matrix [out][in] and its bias [out]. bias is NULL where the kernel has none.
 *
 * Fields that are left 0 mean dense rows of f32. {w, b} is enough, in C and C++. -Wextra warns of
 * missing fields there: C may write {.weight = w, .bias = b}; C++ may set the fields of an
 * ffn_linear{}, or use ffn.hpp. */
typedef struct ffn_linear {
  const void *weight;
  const float *bias;
  ffn_source source; /* what weight holds */
  size_t row_bytes; /* from a row to the next; 0: rows are dense */
  const void *scales, *zeros; /* of sources that have such arrays: see ffn_block_size */
  /* So many neighbouring outputs share scales and zeros (the last outputs perhaps fewer). 128: one
   * scale for 128 x 128 weights; all outputs: one for the matrix; 0: each output has its own. */
  size_t scale_rows;
  /* What one step of the input's bytes is worth, where ffn_stage.operand_scale is 1: a kernel whose
   * spec says operand_scales = 'static' multiplies x / operand_scale, rounded and clipped to -127
   * and 127. It is at least 2^-100 and finite. Matrices that multiply one input say the same. 0:
   * there is none. */
  float operand_scale;
} ffn_linear;

/* The weights of a layer. Set the fields of the kernel's kind:
 *   linear, mlp   chain: one ffn_linear for each stage, first stage first
 *   ffn           up, down; gated variants also gate
 *   glu           gate, up
 *   selfgate      gate */
typedef struct ffn_weights {
  ffn_linear gate, up, down;
  const ffn_linear *chain;
  /* Parameters of the activation that the spec does not fix: beta of swish and swiglu_beta. */
  float parameters[FFN_MAX_PARAMETERS];
} ffn_weights;

/* The matrix and bias of a branch of a stage: &weights->gate, or another field. */
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

/* A block of a source has at most so many bytes. */
#define FFN_MOST_BLOCK 256

/* How the numbers of a source lie: a block has `inputs` numbers in `bytes` bytes, and begins at a
 * multiple of `align` bytes.
 *
 * Some sources have arrays beside the blocks, ffn_linear.scales and zeros, [outputs][groups]: one
 * element for a group of `every` inputs (the last group may have fewer), or one for all inputs of
 * an output where `every` is 0. `scale` and `zero` are the bytes of an element; 0: the source has
 * no such array. zeros may be NULL: each zero is then `none`. */
typedef struct ffn_block_size {
  size_t inputs, bytes, align;
  size_t every, scale, zero, none;
} ffn_block_size;

/* A structure that is begun whole is copied from memory, for which some compilers call memcpy(). */
static inline ffn_block_size ffn_block_of(size_t inputs, size_t bytes, size_t align, size_t every,
    size_t scale, size_t zero, size_t none) {
  ffn_block_size block;
  block.inputs = inputs;
  block.bytes = bytes;
  block.align = align;
  block.every = every;
  block.scale = scale;
  block.zero = zero;
  block.none = none;
  return block;
}

static inline ffn_block_size ffn_source_block(ffn_source source) {
  switch ((int)source) {
/*@ source_blocks */
#define FFN_SOURCE(NAME, name, ...) \
  case FFN_SOURCE_##NAME: \
    return ffn_block_of(__VA_ARGS__);
#include "formats.inc"
#undef FFN_SOURCE
  /*@ end */
  default:
    return ffn_block_of(1, sizeof(float), sizeof(float), 0, 0, 0, 0);
  }
}

/* How many scales one output has, and the whole matrix. */
static inline size_t ffn_block_scales(ffn_block_size block, size_t inputs) {
  return block.every ? (inputs + block.every - 1) / block.every : 1;
}
static inline size_t ffn_matrix_scales(
    ffn_block_size block, size_t scale_rows, size_t outputs, size_t inputs) {
  const size_t rows = scale_rows ? (outputs + scale_rows - 1) / scale_rows : outputs;
  return rows * ffn_block_scales(block, inputs);
}

/* The address of a weight's scale or zero in an array whose elements have `bytes` bytes; NULL where
 * array is NULL. */
static inline const char *ffn_source_beside(const void *array, size_t scale_rows, size_t bytes,
    ffn_block_size block, size_t inputs, size_t output, size_t input) {
  const size_t row = scale_rows ? output / scale_rows : output;
  const size_t at = row * ffn_block_scales(block, inputs) + (block.every ? input / block.every : 0);
  return array ? (const char *)array + at * bytes : (const char *)0;
}

/* The bytes of a row's blocks. */
static inline size_t ffn_block_row(ffn_block_size block, size_t inputs) {
  return (inputs + block.inputs - 1) / block.inputs * block.bytes;
}

/* The bytes of a dense row of a matrix. */
static inline size_t ffn_source_row(ffn_source source, size_t inputs) {
  return ffn_block_row(ffn_source_block(source), inputs);
}

/* The bytes from a row of a matrix to the next. */
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

/* Where unpack() writes a matrix and its bias. The fields mean what those of ffn_linear mean.
 * weight or bias may be NULL: unpack() then writes no such numbers. */
typedef struct ffn_unpacked_linear {
  void *weight;
  float *bias;
  ffn_source source; /* what weight shall hold */
  size_t row_bytes;
  void *scales, *zeros;
  size_t scale_rows; /* outputs that share a scale but differ: the last output's scale is written */
  float *operand_scale; /* may be NULL, as weight may */
} ffn_unpacked_linear;

/* Where unpack() writes the fields of ffn_weights. chain may be NULL. */
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

/* How a host lends its threads: run() must call task(context, i) once for each i in [0, tasks), in
 * any order, on any threads, and return when all calls have returned. Kernels call run() and keep
 * no pointer. Files that make an ffn_parallel: parallel_openmp.h, parallel_pthreadpool.h,
 * parallel_pthreads.h, and parallel_team.h for a host that forks and joins by itself. */
typedef struct ffn_parallel {
  void (*run)(void *pool, size_t tasks, void (*task)(void *context, size_t index), void *context);
  void *pool;
  size_t threads; /* a run() has at most so many tasks; 1 is the same as no ffn_parallel */
} ffn_parallel;

/* One call of a kernel: y = layer(x), or y += *scale * layer(x). A kernel reads the record until
 * run() returns; it never writes to the record or keeps it. The record may be constant and serve
 * many calls.
 *
 * Row t of x begins at x + t * x_stride, row t of y at y + t * y_stride, for t in [0, tokens);
 * strides are in floats. y_stride is at least outputs. x_stride may be any number, also less than
 * inputs, and 0. y may be x where ffn_kernel.in_place is 1. Apart from that, work and y
 * overlap nothing else that the call uses. */
struct ffn_destination;
typedef struct ffn_call {
  float *y;
  size_t y_stride;
  const float *x;
  size_t x_stride, tokens;
  const void *packed; /* packed_bytes bytes that pack() made, FFN_ALIGNMENT-aligned */
  /* work_bytes bytes, at least ffn_work_bytes(kernel, threads, tokens), FFN_ALIGNMENT-aligned; with
   * any content. */
  void *work;
  size_t work_bytes;
  const ffn_parallel *parallel; /* NULL: the calling thread alone */
  /* NULL: y = layer(x). Else y becomes fmaf(*scale, layer(x), y), rounded once; a kernel that was
   * compiled with FFN_NO_ADD cannot do so: see ffn_kernel.adds. */
  const float *scale;
  /* NULL; or, for a kernel with several outputs, a place for each output; y is not used then. */
  const struct ffn_destination *to;
} ffn_call;

/* A kernel. Constant data: nothing has to be freed. */
typedef struct ffn_kernel {
  /* Layer, instruction set and profile: "..._f32_avx2", "..._f32_avx2_zen4". Also the symbol. */
  const char *name;
  const char *layer; /* such as "linear_d10_o5_f32": kernels of one layer give the same bits */
  /* The layer without its arithmetic: kernels with this name take the same packed weights. */
  const char *packed;
  ffn_kind kind;
  ffn_variant variant; /* of ffn, glu and selfgate */
  ffn_dtype dtype;
  ffn_isa isa;
  ffn_profile profile; /* the CPUs that the kernel suits; every CPU with the isa may run it */
  size_t max_tokens; /* a call may have at most so many; 0: any number */
  size_t inputs, hidden, outputs; /* d_model, d_ff (0: no down projection), d_out */
  int bias;
  int dropout; /* 1: training drops (ffn_train.h); only ffn_find_layer() finds the kernel */
  size_t runtime_parameters; /* so many of ffn_weights.parameters are packed with the weights */
  size_t stage_count;
  const ffn_stage *stages;
  size_t packed_bytes; /* of packed weights */
  /* Work memory of a thread: at most work_rows rows at a time, work_row_bytes for each row, and
   * work_beside_bytes once. ffn_work_bytes() adds up. */
  size_t work_rows, work_row_bytes, work_beside_bytes;
  /* 1: y may be x, with the same stride, of at least inputs. */
  unsigned char in_place;
  unsigned char adds; /* 1: a call may have a scale; 0: compiled with FFN_NO_ADD */
  /* 1: each stage takes x, and gives an output of its own (ffn_outputs).
   * 0: each stage takes what the stage before it gives. */
  unsigned char stages_share_x;
  uint64_t flop_per_token; /* multiplications and additions of the matrix products */

  /* packed[packed_bytes] <- weights. packed is FFN_ALIGNMENT-aligned and must not overlap weights.
   * The weights are not needed afterwards. What ffn_weights_problem() reports is an assert here.
   * pack and unpack are NULL where the kernel was compiled with FFN_NO_PACK. */
  void (*pack)(void *packed, const ffn_weights *weights);

  /* The way back, for checkpoints and tests: writes the matrices and biases that `to` has memory
   * for, and to->parameters. A weight that pack() rounded comes back rounded. */
  void (*unpack)(ffn_unpacked *to, const void *packed);

  /* Runs a call: kernel->run(kernel, &call). ffn_run() and ffn_add() are shorter. */
  void (*run)(const struct ffn_kernel *kernel, const ffn_call *call);

  /* The constants of the profile, where the kernel's code reads some. */
  const struct ffn_choices *choices;

  /* What ffn_slice.h needs to run some columns of a stage. NULL: the kernel runs whole, or was
   * compiled with FFN_NO_STAGES. */
  const struct ffn_staged *staged;
} ffn_kernel;

/* y = layer(x). Fills an ffn_call and runs it. */
static inline void ffn_run(const ffn_kernel *kernel, float *y, size_t y_stride, const float *x,
    size_t x_stride, size_t tokens, const void *packed, void *work, size_t work_bytes,
    const ffn_parallel *parallel) {
  const ffn_call call = {
      y, y_stride, x, x_stride, tokens, packed, work, work_bytes, parallel, NULL, NULL};
  kernel->run(kernel, &call);
}

/* y += scale * layer(x). Fills an ffn_call and runs it. */
static inline void ffn_add(const ffn_kernel *kernel, float *y, size_t y_stride, float scale,
    const float *x, size_t x_stride, size_t tokens, const void *packed, void *work,
    size_t work_bytes, const ffn_parallel *parallel) {
  const ffn_call call = {
      y, y_stride, x, x_stride, tokens, packed, work, work_bytes, parallel, &scale, NULL};
  kernel->run(kernel, &call);
}

/*@ outputs */
/* A linear layer may give several outputs of one x, and reads x once: `d_out = { q = 512, k = 128,
 * v = 128 }` in a spec, for attention, where keys and values go to a cache. The kernel has a stage
 * and a matrix, weights.chain[i], for each output. Each output has the bits of a linear layer of
 * its own. ffn_run() and ffn_add() write all outputs side by side in rows of y, in order.
 * ffn_run_to() and ffn_add_to() write each output to a place of its own:
 *
 *     const ffn_outputs *o = ffn_outputs_of(kernel);
 *     const ffn_destination to[] = {{k, 128}, {q, 512}, {v, 128}};            in the order of o
 *     ffn_run_to(o, to, x, 512, tokens, packed, work, bytes, NULL); */
typedef struct ffn_output {
  const char *name; /* in the spec: "q" */
  size_t width;
} ffn_output;

/* Where an output goes: row t begins at y + t * stride, in floats; stride is at least the width. y
 * may be NULL: the output is then not computed. Rows of different outputs must not overlap, but may
 * alternate, as columns of one array do. Where kernel->in_place is 1, an output may lie in x, row
 * on row: between x and x + x_stride, with that stride. */
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

/* The outputs of a linked kernel. NULL: the kernel has a single output, which has no name, or
 * kernel is NULL. */
const ffn_outputs *ffn_outputs_of(const ffn_kernel *kernel);

/* The index of the output with this name: that of its destination, and of its matrix in chain.
 * outputs->count: there is no such output. */
size_t ffn_output_index(const ffn_outputs *outputs, const char *name);
/*@ end */

/*@ cpu */
/* Bit 1 << isa for each instruction set that this CPU and its operating system allow, and
 * FFN_CPU_BIT(profile) where the CPU is of a profile. Bit 1 << FFN_ISA_C is always set. Each call
 * asks the CPU; nothing is kept. */
unsigned ffn_cpu(void);

/*@ tiles */
/* Asks the system to let this process use the tiles of AMX. Returns 1 if it may, and the CPU has
 * what kernels of FFN_ISA_AVX512_AMX need; else 0. Linux lets no process that has not asked:
 * before this call ffn_cpu() lacks their bit. One call is enough, in any thread, before you look
 * for kernels. From then on the system saves 8 KiB more for each thread that is within such a
 * kernel; it refuses if a thread has too small a stack for signals (sigaltstack()). */
int ffn_amx(void);
/*@ end */
/*@ end */

/*@ dispatch */
/* What ffn_find() looks for. Fields that are left 0 mean: kind ffn, f32 throughout, no bias, d_out
 * = d_model. */
typedef struct ffn_query {
  ffn_kind kind; /* not FFN_KIND_MLP: see ffn_find_layer() */
  ffn_variant variant;
  size_t d_model, d_ff, d_out; /* linear: d_model inputs, d_out outputs; only ffn has d_ff */
  int bias;
  /* Of the activation: the values that the spec fixes, or zeros for run-time parameters. */
  float parameters[FFN_MAX_PARAMETERS];
  ffn_dtype dtype;
  size_t max_tokens; /* a call will have at most so many; 0: any number */
  unsigned cpu; /* bit 1 << isa for each allowed instruction set: ffn_cpu(), or fewer bits */
  /* Formats of packed weights, and arithmetics: of the first stage, and of the down projection,
   * where the kind has one. */
  ffn_format hidden_format, down_format;
  ffn_arithmetic hidden_arithmetic, down_arithmetic;
} ffn_query;

/* The best linked kernel for the query. NULL: no linked kernel fits, query is NULL, or cpu allows
 * no kernel that fits. A kernel fits only if it takes query->max_tokens tokens in a call. Of
 * several, the best instruction set wins; then the kernel for the fewest tokens; then one for this
 * CPU; then one that is optimised for speed. Layers with dropout are found by ffn_find_layer()
 * alone. */
const ffn_kernel *ffn_find(const ffn_query *query);

/*@ outputs */
/* The same for a linear layer with these outputs, in this order: the outputs with their kernel, or
 * NULL. ffn_find() never returns such a kernel. query->d_out is 0, or the sum of the widths.
 * hidden_format and hidden_arithmetic are those of all outputs; down_format and down_arithmetic are
 * not read. */
const ffn_outputs *ffn_find_outputs(
    const ffn_query *query, const ffn_output *outputs, size_t count);
/*@ end */

/* The best linked kernel of a layer with this name, such as
 * "mlp_10_relu64_relu32_sigmoid1_bias_f32", for any number of tokens. NULL: no linked kernel fits,
 * layer is NULL, or cpu allows no kernel. */
const ffn_kernel *ffn_find_layer(const char *layer, unsigned cpu);

/* The same for calls of at most max_tokens tokens (0: any number). */
const ffn_kernel *ffn_find_limited(const char *layer, size_t max_tokens, unsigned cpu);

/* The best linked kernel that takes packed weights of this name (ffn_kernel.packed), which a file
 * of packed weights tells, for calls of at most max_tokens tokens (0: any number). Of layers that
 * differ in arithmetic alone, those with the most products in FFN_ARITHMETIC_FMA_F32 come first.
 * NULL: no linked kernel fits, packed is NULL, or cpu allows no kernel. */
const ffn_kernel *ffn_find_packed(const char *packed, size_t max_tokens, unsigned cpu);
/*@ end */

/* All linked kernels, whatever the CPU; *count <- how many (count may be NULL). Never NULL. */
const ffn_kernel *const *ffn_all(size_t *count);

/* The bytes of work memory for a call with so many threads and at most so many tokens; 0 counts as
 * 1. The size grows with the tokens up to ffn_kernel.work_rows; tokens = SIZE_MAX is enough for any
 * number. Returns SIZE_MAX where the size overflows (ffn_alloc() refuses that), 0 where kernel is
 * NULL. */
size_t ffn_work_bytes(const ffn_kernel *kernel, size_t threads, size_t tokens);

/*@ alloc */
/* Memory aligned to FFN_ALIGNMENT. NULL: there is not enough, or bytes is 0 or absurdly large. Use
 * of ffn_alloc() is optional: kernels take any memory with this alignment.
 *
 * On Linux a block of 1 MiB or more is aligned to 2 MiB and lies in huge pages, where the system
 * has some (madvise()): one token is decoded up to 1.3 times as fast. Where more than a sixteenth
 * of the block would be left in small pages, the block takes up to 2 MiB more than was asked for.
 * For smaller blocks see ffn_arena. */
void *ffn_alloc(size_t bytes);
void ffn_free(void *memory); /* memory may be NULL */
/*@ end */

/* Memory for all layers of a model, in one piece. Small layers, such as q, k, v and o of attention,
 * then share huge pages, and no layer leaves a part of a huge page unused.
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
  void *memory; /* of ffn_alloc(), or of the host: static, or of a NUMA node */
  size_t bytes, used; /* used begins with 0, and may be set back */
} ffn_arena;

/* The next bytes of the arena, aligned to FFN_ALIGNMENT. (The sizes of packed weights and of work
 * memory are multiples of FFN_ALIGNMENT.) NULL: fewer bytes are left, bytes is 0, the arena or its
 * memory is NULL, or its memory is not aligned. One thread at a time. */
void *ffn_arena_alloc(ffn_arena *arena, size_t bytes);

/* NULL: kernel->pack() takes the weights. Else what is wrong, in English: something is missing, has
 * another source or alignment, or a bias is there that the kernel does not add. A kernel without
 * pack() takes no weights. */
const char *ffn_weights_problem(const ffn_kernel *kernel, const ffn_weights *weights);

/* 1: packed is aligned, and made by pack() of a kernel with the same ffn_kernel.packed. Else 0. */
int ffn_packed_fits(const ffn_kernel *kernel, const void *packed);

/* NULL: kernel->run() takes packed[bytes], which may come from anywhere, such as a file. Else what
 * is wrong, in English: another layer, layout or byte order than the kernel's, too few bytes, not
 * aligned. Only the first 64 bytes are read. The weights may be any numbers: no value makes run()
 * leave its memory. */
const char *ffn_packed_problem(const ffn_kernel *kernel, const void *packed, size_t bytes);

/* NULL: in the calling thread floats behave as the promises at the top need. Else what the flags of
 * the compiler or the mode of the CPU change, in English. Part of the self-check: left out with
 * -DFFN_NO_MAIN. */
const char *ffn_arithmetic_problem(void);

/* The names of enumerators: "avx2", "f32", "swiglu", "silu", "ffn". "?": out of range. */
const char *ffn_isa_name(ffn_isa isa);
const char *ffn_profile_name(ffn_profile profile);
const char *ffn_dtype_name(ffn_dtype dtype);
const char *ffn_format_name(ffn_format format);
const char *ffn_arithmetic_name(ffn_arithmetic arithmetic);
const char *ffn_kind_name(ffn_kind kind);
const char *ffn_variant_name(ffn_variant variant);
const char *ffn_activation_name(ffn_activation activation);

/*@ reference */
/* The reference: the same layer by plain loops in double, on the weights as the kernel's format
 * rounds them. y[tokens][outputs] <- the exact values, bound[tokens][outputs] <- the bound on
 * |y of the kernel - exact|. Both are dense; either may be NULL. scratch has
 * ffn_reference_bytes(kernel) bytes, aligned for double. Where a value or its bound is not finite,
 *@ unbounded
 * only the class of the value is promised; and where a stage is in FFN_ARITHMETIC_DOT_S8, an Inf in
 * its input makes a row of NaN, and in FFN_ARITHMETIC_DOT_S8_STATIC a finite one. Kernels of other
 * arithmetics than these and FFN_ARITHMETIC_FMA_F32 have no finite bound.
 *@ end
 *
 * Only this function and those below need libm. -DFFN_NO_MAIN leaves them out with the self-check;
 * -DFFN_REFERENCE keeps them. */
void ffn_reference(const ffn_kernel *kernel, double *y, double *bound, const float *x,
    size_t x_stride, size_t tokens, const ffn_weights *weights, void *scratch);
size_t ffn_reference_bytes(const ffn_kernel *kernel);

/* The value of a weight of any source, as a kernel multiplies it, computed without the kernel's
 * code. For a format without a source of its own: the caller's float, not rounded. */
double ffn_linear_value(
    const ffn_stage *stage, const ffn_linear *linear, size_t output, size_t input);

/* The values of one output's weights: of all inputs; of `count` inputs from `first` on. */
void ffn_linear_values(
    const ffn_stage *stage, const ffn_linear *linear, size_t output, float *values);
void ffn_linear_part(const ffn_stage *stage, const ffn_linear *linear, size_t output, size_t first,
    size_t count, float *values);

/*@ integers */
/* 1: a stage multiplies bytes, in FFN_ARITHMETIC_DOT_S8 or FFN_ARITHMETIC_DOT_S8_STATIC. */
static inline int ffn_stage_in_bytes(const ffn_stage *stage) {
  return stage->arithmetic == FFN_ARITHMETIC_DOT_S8 || stage->operand_scale;
}

/* The second reference, of layers all of whose stages multiply bytes: y[tokens][outputs], dense, <-
 * the bits that every kernel of the layer gives, on every instruction set, of any batch, by plain C
 * with exact integers. It shares nothing with kernels. A NaN is a NaN there and here, but its bits
 * may be others. x has rows of `inputs` floats, x_stride floats apart; weights are what pack()
 * takes. scratch has ffn_reference_s8_bytes(kernel) bytes, aligned for float.
 * ffn_reference_s8_bytes() gives 0 where a stage of the kernel has another arithmetic, or kernel is
 * NULL: ffn_reference_s8() may not be called then, which is an assert.
 *
 * How far these bits are from the exact values, ffn_reference() bounds. Behind one stage the bound
 * is some times the largest error that is met: all inputs could be rounded to one side at once.
 * Behind a second stage it is tens of times the values. */
void ffn_reference_s8(const ffn_kernel *kernel, float *y, const float *x, size_t x_stride,
    size_t tokens, const ffn_weights *weights, void *scratch);
size_t ffn_reference_s8_bytes(const ffn_kernel *kernel);

/* 32 neighbouring weights as integers: scale * factor[k / 16] * q[k] + least, where has_least is 1.
 * A scale or a least that is not finite is NaN. */
typedef struct ffn_integers {
  int q[32], factor[2];
  float scale, least;
  int has_least;
} ffn_integers;

/* Inputs that share a scale, of a stage that multiplies bytes: 32, or as many as weights
 * have a scale for in an array beside blocks, which may be all. */
size_t ffn_stage_group(const ffn_stage *stage);

/* A quantization block has at most so many of these. */
#define FFN_MOST_INTEGERS 8

/* to[] <- the weights of the block that holds an input of an output. Returns how many 32 these are.
 * Where a block is one weight, it gives the 32 from a multiple of 32 on, zeros behind the last one.
 * 0: FFN_ARITHMETIC_DOT_S8 does not take the stage's format. */
size_t ffn_linear_integers(const ffn_stage *stage, const ffn_linear *linear, size_t output,
    size_t input, ffn_integers *to);
/*@ end */

/* Turns the results of ffn_reference() into those for ffn_add(): y becomes before + scale * y, and
 * bound the bound of ffn_add(). before has rows of `outputs` floats, before_stride apart. */
void ffn_reference_add(const ffn_kernel *kernel, double *y, double *bound, const float *before,
    size_t before_stride, float scale, size_t tokens);

/* activation(x, up) in double; and a bound on how much it changes where x and up change by at most
 * dx and dup. Most activations ignore up. */
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
