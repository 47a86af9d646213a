/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * binding.c - what Python calls: the layers of a folder that `ffngen vendor` wrote, as functions of
 * plain arguments, so that no record of ffn.h is repeated in Python. building.py compiles it with
 * the folder: in the folder's prefix, and with the layers as PYFFN_LAYERS(X): each one's name, and
 * the function of the weights that the folder has for it, or NULL. binding.py repeats the three
 * records below and checks PYFFN_VERSION. */
#ifndef PYFFN_LAYERS
#define PYFFN_LAYERS(X)
#endif
#include "ffn.h"
#if PYFFN_TRAIN_HEADER
#include "ffn_train.h"
#endif
#if !PYFFN_NO_THREADS
#include "parallel_pthreads.h"
#endif
#if PYFFN_FILE_HEADER
#include "ffn_file.h"
#endif

#include <stdlib.h>
#include <string.h>

#define PYFFN_VERSION 11
#define PYFFN_API __attribute__((visibility("default")))

/* A layer, and its kernel for this CPU; kernel is NULL where the CPU allows none. */
typedef struct pyffn_layer {
  const char *name; /* in the spec */
  const ffn_kernel *kernel;
  const char *layer; /* what is computed, in the grammar of ffn_kernel */
  const char *isa;
  const void *packed; /* the folder's own weights, or NULL */
  size_t inputs, outputs, packed_bytes;
  size_t max_tokens; /* of a call; 0: any number */
  int parameters;    /* that come with the weights */
  int packs, adds;   /* 1, or 0 where it was compiled without pack(), add() */
} pyffn_layer;

/* A matrix of a layer, [rows][columns]. */
typedef struct pyffn_matrix {
  const char *role; /* "gate", "up" or "down"; NULL in a chain */
  size_t stage, rows, columns;
  int bias;
  int source;                       /* what pack() takes beside floats: FFN_SOURCE_F32: nothing */
  int alone;                        /* 1: and no floats */
  const char *format;               /* what weights are stored as */
  const char *arithmetic;           /* how their products are summed */
  size_t block_inputs, block_bytes; /* of the source */
  /* Of a source whose scales and zeros lie in arrays of their own: the bytes of one, 0 where there
   * are none, and how many an output has. */
  size_t scale_bytes, zero_bytes, scales;
  int operand_scale; /* 1: pack() takes a scale of what the matrix multiplies */
} pyffn_matrix;

/* The weights of a matrix, rows dense, as ffn_linear and ffn_unpacked_linear have them: pack()
 * reads, unpack() writes. A layer's are an array of these, in the order of pyffn_matrix_at(). */
typedef struct pyffn_linear {
  void *weight, *bias; /* NULL: none */
  void *scales, *zeros;
  size_t scale_rows;
  int source;
  float *operand_scale; /* NULL: none */
} pyffn_linear;

static const struct {
  const char *name;
  const ffn_kernel *(*kernel)(void);
  const void *(*packed)(void);
} pyffn_layers[] = {
#define PYFFN_LAYER(name, packed) {#name, ffn_##name, packed},
    PYFFN_LAYERS(PYFFN_LAYER){NULL, NULL, NULL}};

PYFFN_API int pyffn_version(void) { return PYFFN_VERSION; }

/* 1, or 0 where there are fewer layers. */
PYFFN_API int pyffn_layer_at(size_t index, pyffn_layer *layer) {
  if (index + 1 >= sizeof pyffn_layers / sizeof *pyffn_layers)
    return 0;
  const ffn_kernel *k = pyffn_layers[index].kernel();
  memset(layer, 0, sizeof *layer);
  layer->name = pyffn_layers[index].name;
  layer->kernel = k;
  if (!k)
    return 1;
  layer->layer = k->layer;
  layer->isa = ffn_isa_name(k->isa);
  if (pyffn_layers[index].packed)
    layer->packed = pyffn_layers[index].packed();
  layer->inputs = k->inputs;
  layer->outputs = k->outputs;
  layer->packed_bytes = k->packed_bytes;
  layer->max_tokens = k->max_tokens;
  layer->parameters = (int)k->runtime_parameters;
  layer->packs = k->pack != NULL;
  layer->adds = k->adds;
  return 1;
}

/* 1, or 0 where there are fewer matrices. */
PYFFN_API int pyffn_matrix_at(const ffn_kernel *kernel, size_t index, pyffn_matrix *matrix) {
  static const char *const roles[] = {"gate", "up", "down", NULL};
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const ffn_stage *stage = &kernel->stages[s];
    if (index < stage->branches) {
      const ffn_block_size block = ffn_source_block(stage->source);
      *matrix = (pyffn_matrix){.role = roles[stage->matrix[index]],
                               .stage = s,
                               .rows = stage->outputs,
                               .columns = stage->inputs,
                               .bias = stage->bias,
                               .source = (int)stage->source,
                               .alone = stage->source_alone,
                               .format = ffn_format_name(stage->format),
                               .arithmetic = ffn_arithmetic_name(stage->arithmetic),
                               .block_inputs = block.inputs,
                               .block_bytes = block.bytes,
                               .scale_bytes = block.scale,
                               .zero_bytes = block.zero,
                               .scales = ffn_block_scales(block, stage->inputs),
                               .operand_scale = stage->operand_scale};
      return 1;
    }
    index -= stage->branches;
  }
  return 0;
}

/* The weights that these matrices are; chain has room for all stages. */
static ffn_weights weights_of(const ffn_kernel *kernel, const pyffn_linear *given,
                              const float *parameters, ffn_linear *chain) {
  ffn_weights weights = {.chain = chain};
  memcpy(weights.parameters, parameters, kernel->runtime_parameters * sizeof *parameters);
  for (size_t s = 0; s < kernel->stage_count; ++s)
    for (size_t b = 0; b < kernel->stages[s].branches; ++b, ++given)
      *(ffn_linear *)ffn_stage_linear(kernel->stages, &weights, s, b) =
          (ffn_linear){.weight = given->weight,
                       .bias = (const float *)given->bias,
                       .source = (ffn_source)given->source,
                       .scales = given->scales,
                       .zeros = given->zeros,
                       .scale_rows = given->scale_rows,
                       .operand_scale = given->operand_scale ? *given->operand_scale : 0.0f};
  return weights;
}

PYFFN_API void pyffn_pack(const ffn_kernel *kernel, void *packed, const pyffn_linear *linears,
                          const float *parameters) {
  ffn_linear chain[FFN_MAX_STAGES] = {{0}};
  const ffn_weights weights = weights_of(kernel, linears, parameters, chain);
  kernel->pack(packed, &weights);
}

/* Writes what the matrices have memory for, and the parameters. */
PYFFN_API void pyffn_unpack(const ffn_kernel *kernel, const void *packed,
                            const pyffn_linear *linears, float *parameters) {
  ffn_unpacked_linear chain[FFN_MAX_STAGES] = {{0}};
  ffn_unpacked to = {.chain = chain};
  ffn_unpacked_linear *const fields[] = {&to.gate, &to.up, &to.down};
  for (size_t s = 0; s < kernel->stage_count; ++s)
    for (size_t b = 0; b < kernel->stages[s].branches; ++b, ++linears) {
      const ffn_matrix matrix = kernel->stages[s].matrix[b];
      *(matrix == FFN_MATRIX_CHAIN ? &chain[s] : fields[matrix]) =
          (ffn_unpacked_linear){.weight = linears->weight,
                                .bias = (float *)linears->bias,
                                .source = (ffn_source)linears->source,
                                .scales = linears->scales,
                                .zeros = linears->zeros,
                                .scale_rows = linears->scale_rows,
                                .operand_scale = linears->operand_scale};
    }
  kernel->unpack(&to, packed);
  memcpy(parameters, to.parameters, kernel->runtime_parameters * sizeof *parameters);
}

PYFFN_API int pyffn_packed_fits(const ffn_kernel *kernel, const void *packed) {
  return ffn_packed_fits(kernel, packed);
}

/* 1, or 0 where memory is not to be had. */
PYFFN_API int pyffn_reference(const ffn_kernel *kernel, double *y, double *bound, const float *x,
                              size_t x_stride, size_t tokens, const pyffn_linear *linears,
                              const float *parameters) {
  ffn_linear chain[FFN_MAX_STAGES] = {{0}};
  const ffn_weights weights = weights_of(kernel, linears, parameters, chain);
  void *scratch = malloc(ffn_reference_bytes(kernel));
  if (!scratch)
    return 0;
  ffn_reference(kernel, y, bound, x, x_stride, tokens, &weights, scratch);
  free(scratch);
  return 1;
}

PYFFN_API size_t pyffn_work_bytes(const ffn_kernel *kernel, size_t threads, size_t tokens) {
  return ffn_work_bytes(kernel, threads, tokens);
}

/* scale is NULL for y = layer(x), and what y += scale * layer(x) takes. */
static void run_or_add(const ffn_kernel *kernel, float *y, size_t y_stride, const float *scale,
                       const float *x, size_t x_stride, size_t tokens, const void *packed,
                       void *work, size_t work_bytes, const ffn_parallel *parallel) {
  if (scale)
    ffn_add(kernel, y, y_stride, *scale, x, x_stride, tokens, packed, work, work_bytes, parallel);
  else
    ffn_run(kernel, y, y_stride, x, x_stride, tokens, packed, work, work_bytes, parallel);
}

/* pool is NULL for the calling thread alone, and where there are no threads. */
static const ffn_parallel *parallel_of(ffn_parallel *to, void *pool) {
  if (!pool)
    return NULL;
#if !PYFFN_NO_THREADS
  *to = ffn_pool_parallel((ffn_pool *)pool);
#endif
  return to;
}

#if PYFFN_NO_THREADS

PYFFN_API int pyffn_has_threads(void) { return 0; }
PYFFN_API void *pyffn_pool_create(size_t threads) { return (void)threads, NULL; }
PYFFN_API void pyffn_pool_destroy(void *pool) { (void)pool; }

#else

PYFFN_API int pyffn_has_threads(void) { return 1; }
PYFFN_API void *pyffn_pool_create(size_t threads) { return ffn_pool_create(threads); }
PYFFN_API void pyffn_pool_destroy(void *pool) { ffn_pool_destroy((ffn_pool *)pool); }

#endif

PYFFN_API void pyffn_run(const ffn_kernel *kernel, float *y, size_t y_stride, const float *scale,
                         const float *x, size_t x_stride, size_t tokens, const void *packed,
                         void *work, size_t work_bytes, void *pool) {
  ffn_parallel threads = {NULL, NULL, 1};
  run_or_add(kernel, y, y_stride, scale, x, x_stride, tokens, packed, work, work_bytes,
             parallel_of(&threads, pool));
}

#if PYFFN_OUTPUTS

/* The name of one of several outputs, and how wide it is; NULL where there are fewer. */
PYFFN_API const char *pyffn_output_at(const ffn_kernel *kernel, size_t index, size_t *width) {
  const ffn_outputs *outputs = ffn_outputs_of(kernel);
  if (!outputs || index >= outputs->count)
    return NULL;
  *width = outputs->outputs[index].width;
  return outputs->outputs[index].name;
}

/* As pyffn_run(), each output to rows of its own; NULL where it is not wanted. */
PYFFN_API void pyffn_run_to(const ffn_kernel *kernel, float *const *y, const size_t *y_strides,
                            const float *scale, const float *x, size_t x_stride, size_t tokens,
                            const void *packed, void *work, size_t work_bytes, void *pool) {
  const ffn_outputs *outputs = ffn_outputs_of(kernel);
  ffn_destination to[FFN_MAX_STAGES];
  ffn_parallel threads;
  const ffn_parallel *parallel = parallel_of(&threads, pool);
  for (size_t i = 0; i < outputs->count; ++i)
    to[i] = (ffn_destination){y[i], y_strides[i]};
  if (scale)
    ffn_add_to(outputs, to, *scale, x, x_stride, tokens, packed, work, work_bytes, parallel);
  else
    ffn_run_to(outputs, to, x, x_stride, tokens, packed, work, work_bytes, parallel);
}

#else

PYFFN_API const char *pyffn_output_at(const ffn_kernel *kernel, size_t index, size_t *width) {
  return (void)kernel, (void)index, (void)width, NULL;
}

#endif

#if PYFFN_TRAINS

/* NULL where the layer is not trained. */
PYFFN_API const ffn_training *pyffn_training_of(const ffn_kernel *kernel) {
  return ffn_training_of(kernel);
}

/* Bytes of packed weights, of what is saved of some tokens, of work memory. */
PYFFN_API void pyffn_train_bytes(const ffn_training *training, size_t tokens, size_t threads,
                                 size_t bytes[3]) {
  bytes[0] = training->packed_bytes;
  bytes[1] = ffn_saved_bytes(training, tokens);
  bytes[2] = ffn_train_work_bytes(training, threads);
}

PYFFN_API void pyffn_pack_train(const ffn_kernel *kernel, const ffn_training *training,
                                void *packed, const pyffn_linear *linears,
                                const float *parameters) {
  ffn_linear chain[FFN_MAX_STAGES] = {{0}};
  const ffn_weights weights = weights_of(kernel, linears, parameters, chain);
  training->pack_train(packed, &weights);
}

/* What is dropped: seed, step and the first token's number; NULL: nothing. */
static const ffn_dropout *dropout_of(ffn_dropout *to, const uint64_t *numbers) {
  if (!numbers)
    return NULL;
  memset(to, 0, sizeof *to);
  to->seed = numbers[0];
  to->step = (uint32_t)numbers[1];
  to->first_token = numbers[2];
  return to;
}

PYFFN_API void pyffn_run_train(const ffn_training *training, float *y, size_t y_stride,
                               const float *x, size_t x_stride, size_t tokens, void *saved,
                               const void *packed, void *work, const uint64_t *dropout,
                               void *pool) {
  ffn_dropout drops;
  ffn_parallel threads;
  ffn_run_train(training, y, y_stride, x, x_stride, tokens, saved, packed, work,
                dropout_of(&drops, dropout), parallel_of(&threads, pool));
}

/* tensors: where gradients go, of the weight and the bias of each matrix, NULL for those that are
 * not wanted; parameters and dx likewise. */
PYFFN_API void pyffn_grad(const ffn_training *training, float *dx, size_t dx_stride,
                          float *const *tensors, float *parameters, int accumulate, const float *dy,
                          size_t dy_stride, const float *x, size_t x_stride, size_t tokens,
                          const void *saved, const void *packed, void *work,
                          const uint64_t *dropout, void *pool) {
  ffn_linear_gradient chain[FFN_MAX_STAGES] = {{NULL, NULL}};
  ffn_gradients to = {.dx = dx,
                      .dx_stride = dx_stride,
                      .chain = chain,
                      .parameters = parameters,
                      .accumulate = accumulate};
  ffn_linear_gradient *const fields[] = {&to.gate, &to.up, &to.down};
  ffn_dropout drops;
  ffn_parallel threads;
  for (size_t s = 0; s < training->stage_count; ++s)
    for (size_t b = 0; b < training->stages[s].branches; ++b, tensors += 2) {
      const ffn_matrix matrix = training->stages[s].matrix[b];
      ffn_linear_gradient *linear = matrix == FFN_MATRIX_CHAIN ? &chain[s] : fields[matrix];
      linear->weight = tensors[0];
      linear->bias = tensors[1];
    }
  ffn_grad(training, &to, dy, dy_stride, x, x_stride, tokens, saved, packed, work,
           dropout_of(&drops, dropout), parallel_of(&threads, pool));
}

#else

PYFFN_API const void *pyffn_training_of(const ffn_kernel *kernel) { return (void)kernel, NULL; }

#endif

#if PYFFN_FILE

/* Bytes of an open file, which Python holds the memory of. */
PYFFN_API size_t pyffn_file_bytes(void) { return sizeof(ffn_file); }

PYFFN_API int pyffn_file_open(ffn_file *file, const char *path) {
  return (int)ffn_file_open(file, path);
}

PYFFN_API void pyffn_file_close(ffn_file *file) { ffn_file_close(file); }

PYFFN_API const char *pyffn_file_plan(const ffn_file *file) { return ffn_file_plan(file); }

PYFFN_API size_t pyffn_file_layers(const ffn_file *file) { return file->layers; }

/* The words of an entry; layer and part of the model. */
PYFFN_API void pyffn_file_entry(const ffn_file *file, size_t entry, const char **words,
                                uint32_t *numbers) {
  words[0] = ffn_file_name(file, entry);
  words[1] = ffn_file_kernel(file, entry);
  words[2] = ffn_file_formats(file, entry);
  numbers[0] = ffn_file_entry_of(file, entry)->layer;
  numbers[1] = ffn_file_entry_of(file, entry)->part;
}

/* -1: of another kernel; else a status. */
PYFFN_API int pyffn_file_packed(const ffn_file *file, size_t entry, const ffn_kernel *kernel,
                                const void **packed) {
  const ffn_file_status status = ffn_file_packed(file, entry, kernel, packed);
  return status == FFN_FILE_OTHER_KERNEL ? -1 : (int)status;
}

PYFFN_API int pyffn_file_check(const ffn_file *file, size_t entry) {
  return (int)ffn_file_check(file, entry);
}

PYFFN_API size_t pyffn_file_tables(const ffn_file *file) { return file->rows; }

/* The words of a table; how many rows it has, and of how many numbers. */
PYFFN_API void pyffn_file_table(const ffn_file *file, size_t table, const char **words,
                                uint64_t *numbers) {
  words[0] = ffn_file_rows_name(file, table);
  words[1] = ffn_file_rows_encoding(file, table);
  numbers[0] = ffn_file_rows_of(file, table)->count;
  numbers[1] = ffn_file_rows_of(file, table)->width;
}

/* out[i] <- row which[i] of a table; they are there. */
PYFFN_API void pyffn_file_rows(const ffn_file *file, size_t table, const uint64_t *which,
                               size_t count, float *out) {
  const size_t width = (size_t)ffn_file_rows_of(file, table)->width;
  for (size_t i = 0; i < count; i++)
    ffn_file_row(file, table, which[i], out + i * width);
}

PYFFN_API int pyffn_file_check_rows(const ffn_file *file, size_t table) {
  return (int)ffn_file_check_rows(file, table);
}

PYFFN_API const char *pyffn_file_text(int status) {
  return ffn_file_status_text((ffn_file_status)status);
}

#endif
