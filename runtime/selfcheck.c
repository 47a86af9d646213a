/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * The self-check that travels with generated kernels: plain C11 that is C++17 too, no library but
 * libc and libm.
 *
 *     cc -O2 -I. *.c -lm -o selfcheck && ./selfcheck
 *
 * For every linked kernel that this CPU can run: y lies within the bound of ffn_reference(), which
 * at these ordinary inputs is a finite one, where its arithmetic has a bound; all instruction sets
 * of a layer, a row alone and all batches give the same bits, whose sizes are such that all code of
 * the kernel's tiles runs, on one thread; pack and unpack give the weights back; nothing is written
 * between rows or behind the work memory; the content of y and work before the call is of no
 * consequence. And floats are what kernels were made for: neither flags that no macro tells of nor
 * a mode of the CPU change bits. Exit 0 when all passed, 1 when not.
 *@ integers
 *
 * Where all stages of a layer multiply bytes, y has the bits of ffn_reference_s8(). Of rows whose
 * scale comes with the weights, half reach beyond what bytes hold, and are clipped.
 * The bound holds there as well; where a stage takes what such a stage gives, it is told beside the
 * error, and not checked.
 *@ end
 *
 * Its memory is the weights, packed and as they are, and a few rows more. A program that links
 * these files with a main() of its own defines FFN_NO_MAIN; FFN_EXAMPLE chooses the main() of
 * example_main.c, where there is one. */
#include "ffn.h"

#include "exact.h"
/*@ end */

#if !defined(FFN_NO_MAIN) && !defined(FFN_EXAMPLE)
#ifdef FFN_NO_PACK
#error "the self-check packs weights: compile it without FFN_NO_PACK, or with FFN_NO_MAIN"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FFN_EXACT_BEGIN

enum { MOST_TOKENS = 37, X_GAP = 3, Y_GAP = 5, GUARD = 64 };

/* Calls of how many rows run all code of a kernel's tiles, "0-12 32-34", say: each number of rows
 * that has code of its own, one less and one more, but where that takes long. */
typedef struct batches {
  const char *name, *rows;
} batches;

static const batches all_batches[] = {
/*@ batches */
#define FFN_KERNEL(kernel)
#define FFN_BATCHES(name, rows) {#name, rows},
#include "kernels.inc"
#undef FFN_BATCHES
#undef FFN_KERNEL
    /*@ end */
    {NULL, NULL}};

/* Those of a name; NULL where there are none. */
static const char *batches_of(const char *name) {
  const batches *b = all_batches;
  while (b->name && strcmp(b->name, name) != 0)
    b++;
  return b->rows;
}

/* Reads a range, and returns what stands behind it. */
static const char *next_range(const char *text, size_t *first, size_t *last) {
  char *end;
  *first = (size_t)strtoul(text, &end, 10);
  *last = (size_t)strtoul(end + 1, &end, 10);
  return end;
}

/* The most rows of some batches. */
static size_t most_of(const char *text) {
  size_t first, last = 0;
  while (*text)
    text = next_range(text, &first, &last);
  return last;
}

/* Whether some batches have one of so many rows. */
static int has_batch(const char *text, size_t rows) {
  size_t first, last;
  while (*text) {
    text = next_range(text, &first, &last);
    if (first <= rows && rows <= last)
      return 1;
  }
  return 0;
}

/* A matrix of the layer: where it hangs in ffn_weights, its sizes, and what was put there. */
typedef struct slot {
  ffn_linear *linear;
  const ffn_stage *stage;
  size_t outputs, inputs;
  int bias;
  float *weight, *bias_values;
  float *held; /* what a kernel multiplies with: `weight`, or as its format stores that */
  unsigned char *own; /* the blocks that mean `weight`, of a format that takes no floats, or NULL */
  float most; /* no weight of these is larger */
} slot;

typedef struct layer {
  const ffn_kernel *kernel; /* any of the layer's */
  /* Rows of x: those that are compared with the reference, which is slow, and all that some batch
   * has, each of which is compared with the row alone. */
  size_t tokens, rows;
  size_t x_stride, y_stride, slot_count;
  slot slots[FFN_MAX_STAGES * FFN_MAX_BRANCHES];
  ffn_linear chain[FFN_MAX_STAGES];
  ffn_weights weights;
  float *x, *y, *first_y; /* first_y: the bits that all kernels of the layer must give */
  double *reference, *bound;
  int have_first;
  const char *rounding; /* what is wrong with how pack() rounds, or NULL */
} layer;

static void *given(void *memory, size_t bytes) {
  if (!memory) {
    fflush(stdout);
    fprintf(stderr,
        "selfcheck: out of memory: %.0f bytes more are needed. The check needs about twice the "
        "bytes of the largest layer's weights.\n",
        (double)bytes);
    exit(1);
  }
  return memory;
}

static void *need(size_t bytes) { return given(malloc(bytes ? bytes : 1), bytes); }

/* FFN_ALIGNMENT-aligned memory, in a block to be freed: the check needs no ffn_alloc(). */
static unsigned char *need_aligned(size_t bytes, void **block) {
  *block = need(bytes + FFN_ALIGNMENT);
  return (unsigned char *)*block + (FFN_ALIGNMENT - (uintptr_t)*block % FFN_ALIGNMENT);
}

/* Random bits number i of a stream: the same on every machine. */
static uint64_t random_bits(uint64_t stream, uint64_t i) {
  uint64_t z = (stream << 40) + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Number i of a stream in (-1, 1). */
static float number(uint64_t stream, uint64_t i) {
  return ((float)(random_bits(stream, i) >> 40) + 0.5f) * 0x1p-23f - 1;
}

static float *numbers(uint64_t stream, size_t count, float scale) {
  float *values = (float *)need(count * sizeof(float));
  for (size_t i = 0; i < count; i++)
    values[i] = scale * number(stream, i);
  return values;
}

static void find_slots(layer *l) {
  const ffn_kernel *k = l->kernel;
  l->weights.chain = l->chain;
  for (size_t s = 0; s < k->stage_count; s++)
    for (size_t b = 0; b < k->stages[s].branches; b++) {
      const ffn_stage *stage = &k->stages[s];
      /* It lies in l, which is no constant. */
      ffn_linear *linear = (ffn_linear *)(uintptr_t)ffn_stage_linear(k->stages, &l->weights, s, b);
      const slot added = {
          linear, stage, stage->outputs, stage->inputs, stage->bias, NULL, NULL, NULL, NULL, 0};
      l->slots[l->slot_count++] = added;
    }
}

/*@ blocks */
/* Random blocks of a format that takes no floats, about which nothing is known here but what its
 * weights mean: some bytes are scales, which are huge, tiny or NaN as often as not. A block is
 * taken where its largest weight is of an ordinary size. Most bytes of one that was taken make
 * another one, so each is a step from the last: every byte stays as it was or is drawn anew. */
typedef struct blocks {
  ffn_stage stage; /* of one block */
  ffn_source source;
  size_t bytes;
  float least, most; /* of the largest weight */
  uint64_t stream, drawn;
  unsigned char last[FFN_MOST_BLOCK];
} blocks;

static int is_ordinary(const blocks *b, const unsigned char *block) {
  float values[4 * FFN_MOST_BLOCK], largest = 0;
  ffn_linear linear = {block, NULL, b->source, 0, NULL, NULL, 0, 0};
  if (b->stage.inputs > sizeof values / sizeof *values)
    return 0;
  ffn_linear_values(&b->stage, &linear, 0, values);
  for (size_t k = 0; k < b->stage.inputs; k++) {
    if (!(fabsf(values[k]) <= b->most))
      return 0;
    largest = fabsf(values[k]) > largest ? fabsf(values[k]) : largest;
  }
  return largest >= b->least;
}

/* The next block, 1; or 0 where none of so many draws is ordinary. `anew`: every byte is drawn. */
static int next_block(blocks *b, int anew, size_t draws) {
  unsigned char block[FFN_MOST_BLOCK];
  for (size_t i = 0; i < draws; i++) {
    for (size_t at = 0; at < b->bytes; at++) {
      const uint64_t bits = random_bits(b->stream, b->drawn++);
      block[at] = (unsigned char)(anew || bits & 256 ? bits & 255 : b->last[at]);
    }
    if (is_ordinary(b, block)) {
      memcpy(b->last, block, b->bytes);
      return 1;
    }
  }
  return 0;
}

/* Sizes that a format has nothing for, or hardly anything, are doubled. */
static void first_block(blocks *b) {
  for (int i = 0; i < 200; i++) {
    if (next_block(b, 1, 256))
      return;
    b->most *= 2, b->least *= 2;
  }
  fflush(stdout);
  fprintf(stderr, "selfcheck: no blocks of ordinary weights are found\n");
  exit(1);
}

/* The blocks of a matrix, no weight of which is larger than `most`, or than the format's least. */
static void draw_blocks(slot *s, uint64_t stream, float most) {
  const ffn_block_size block = ffn_source_block(s->stage->source);
  const size_t count = s->outputs * (ffn_source_row(s->stage->source, s->inputs) / block.bytes);
  blocks b;
  memset(&b, 0, sizeof b);
  b.stage = *s->stage;
  b.stage.inputs = block.inputs, b.stage.outputs = 1;
  b.source = s->stage->source, b.bytes = block.bytes;
  b.most = most, b.least = most / 64;
  b.stream = stream;
  first_block(&b);
  for (size_t i = 0; i < count; i++) {
    next_block(&b, 0, 16); /* else the last one, once more */
    memcpy(s->own + i * b.bytes, b.last, b.bytes);
  }
  s->most = b.most;
  s->linear->weight = s->own;
  s->linear->source = s->stage->source;
}
/*@ end */

/* Where weights come back to: nowhere, before places are set. */
typedef struct places {
  ffn_unpacked to;
  ffn_unpacked_linear chain[FFN_MAX_STAGES];
} places;

static void open_places(places *p) {
  memset(p, 0, sizeof *p);
  p->to.chain = p->chain;
}

static ffn_unpacked_linear *place_of(places *p, const layer *l, const slot *s) {
  const ffn_weights *w = &l->weights;
  return s->linear == &w->gate   ? &p->to.gate
         : s->linear == &w->up   ? &p->to.up
         : s->linear == &w->down ? &p->to.down
                                 : &p->chain[s->linear - l->chain];
}

static const char *check_unpack(layer *l, const ffn_kernel *k, const void *packed);

/* What the kernel should give, and within which bound, of the weights that it multiplies: rounded
 * as the reference rounds them, which pack() has to do as well; of a format that the reference
 * does not know, as they come back. */
static void find_reference(layer *l, void *packed) {
  const ffn_kernel *kernel = l->kernel;
  void *scratch = need(ffn_reference_bytes(kernel));
  int rounds = 0;
  places stored;
  open_places(&stored);
  kernel->pack(packed, &l->weights);
  for (size_t i = 0; i < l->slot_count; i++) {
    const slot *s = &l->slots[i];
    if (s->stage->source == FFN_SOURCE_F32) {
      place_of(&stored, l, s)->weight = s->held;
      continue;
    }
    rounds = 1;
    for (size_t o = 0; o < s->outputs; o++)
      ffn_linear_values(s->stage, s->linear, o, s->held + o * s->inputs);
  }
  kernel->unpack(&stored.to, packed);
  if (rounds && !l->rounding && check_unpack(l, kernel, packed))
    l->rounding = "pack() rounds weights otherwise than the reference";
  ffn_reference(kernel, l->reference, l->bound, l->x, l->x_stride, l->tokens, &l->weights, scratch);
  free(scratch);
}

/*@ integers */
/* Whether a stage sums integers, and ffn_reference() knows the arithmetic of all. */
static int is_of_integers(const ffn_kernel *k) {
  int known = 1, found = 0;
  for (size_t s = 0; s < k->stage_count; s++) {
    const int sums = ffn_stage_in_bytes(&k->stages[s]);
    found |= sums;
    known &= sums || k->stages[s].arithmetic == FFN_ARITHMETIC_FMA_F32;
  }
  return found && known;
}

/* Whether no stage takes what such a one gives: its bound is tens of times the values that it
 * bounds, and may be infinite, where the error is small. That is told, and not checked. */
static int ends_in_integers(const ffn_kernel *k) {
  for (size_t s = 0; !k->stages_share_x && s + 1 < k->stage_count; s++)
    if (ffn_stage_in_bytes(&k->stages[s]))
      return 0;
  return 1;
}

/* The bits of all rows, which every kernel of the layer has to give. */
static void find_integers(layer *l) {
  const size_t bytes = ffn_reference_s8_bytes(l->kernel);
  void *scratch = need(bytes);
  if (bytes > 0)
    ffn_reference_s8(l->kernel, l->first_y, l->x, l->x_stride, l->rows, &l->weights, scratch);
  l->have_first = bytes > 0;
  free(scratch);
}

/* Root mean squares, of what is compared with the reference in double, over that of its values. */
static void tell_integers(const layer *l, const ffn_kernel *k, double worst) {
  double size = 0, error = 0, bound = 0;
  for (size_t i = 0; i < l->tokens * k->outputs; i++) {
    const double off = (double)l->first_y[i] - l->reference[i];
    size += l->reference[i] * l->reference[i];
    error += off * off, bound += l->bound[i] * l->bound[i];
  }
  printf("%-60s equal bits%s; ", k->name, ffn_reference_s8_bytes(k) > 0 ? " to the reference" : "");
  if (ends_in_integers(k))
    printf("error %-7.2g of y, at most %-7.2g of its bound: ", sqrt(error / size), worst);
  else
    printf("error %-7.2g of y, bound %-7.2g of y: ", sqrt(error / size), sqrt(bound / size));
}
/*@ end */

/* Whether ffn_reference() bounds a kernel's error: it knows of fused multiply-adds of f32. Of other
 * arithmetics bits are compared alone. */
static int has_bound(const ffn_kernel *k) {
  /*@ integers */
  if (is_of_integers(k))
    return ends_in_integers(k);
  /*@ end */
  for (size_t s = 0; s < k->stage_count; s++)
    if (k->stages[s].arithmetic != FFN_ARITHMETIC_FMA_F32)
      return 0;
  return 1;
}

/* How many bounds are not finite: NaN is not. */
static size_t unbounded(const double *bound, size_t count) {
  size_t none = 0;
  for (size_t i = 0; i < count; i++)
    none += !(bound[i] < (double)INFINITY);
  return none;
}

/* Whether smaller numbers are worth another try: near a pole they are no help. */
static int may_help(size_t none, size_t before, size_t count) {
  return none > 0 && (none < before || none == count);
}

/* These inputs are ordinary. */
static const char *no_bound(size_t none, size_t count, const char *what) {
  static char text[160];
  snprintf(text, sizeof text,
      "no bound for %lu of %lu %s: within the error of what they are made of f32 may overflow, or "
      "there may be no value",
      (unsigned long)none, (unsigned long)count, what);
  return text;
}

/*@ zeros */
/* Kernels have code for few rows in all of which most inputs of a stage are 0, as relu and its like
 * make them. So the first rows of x are multiples of one, and seven of eight outputs of a stage
 * with such an activation have sums below 0 for these rows: where they are not, the signs of an
 * output's weights change; of blocks, which take no signs, it has those of one before. */
enum { ZERO_ROWS = 4, ZEROS_OF = 8 };

/* Rows of a stage's input, dense. */
typedef struct zero_rows {
  size_t count;
  double *in, *out;
  float *weights; /* of an output */
} zero_rows;

/* An output's sum for one of the rows, without its bias, of what is in `weights`. */
static double plain_sum(const slot *s, const zero_rows *rows, size_t row) {
  double sum = 0;
  for (size_t k = 0; k < s->inputs; k++)
    sum += (double)rows->weights[k] * rows->in[row * s->inputs + k];
  return sum;
}

static void take_weights(const slot *s, const zero_rows *rows, size_t output) {
  ffn_linear_values(s->stage, s->linear, output, rows->weights);
}

/* Whether an output's sums are below 0 for all rows. */
static int is_below(const slot *s, const zero_rows *rows, size_t output) {
  size_t below = 0;
  take_weights(s, rows, output);
  while (below < rows->count && plain_sum(s, rows, below) < 0)
    below++;
  return below == rows->count;
}

/* An output's become so; `before` is one whose are. */
static void put_below(slot *s, const zero_rows *rows, size_t output, size_t before) {
  if (s->bias)
    s->bias_values[output] = -fabsf(s->bias_values[output]);
  if (is_below(s, rows, output))
    return;
  for (size_t k = 0; !s->own && k < s->inputs; k++)
    s->weight[output * s->inputs + k] *= -1;
  /*@ blocks */
  const size_t bytes = s->own ? ffn_source_row(s->stage->source, s->inputs) : 0;
  if (s->own && before < output)
    memcpy(s->own + output * bytes, s->own + before * bytes, bytes);
  /*@ end */
  (void)before;
}

/* What a stage with these matrices gives for the rows, in place of its input. */
static void pass_on(zero_rows *rows, const slot *slots, const float *parameters) {
  const ffn_stage *stage = slots->stage;
  for (size_t o = 0; o < stage->outputs; o++)
    for (size_t t = 0; t < rows->count; t++) {
      double sums[FFN_MAX_BRANCHES] = {0};
      for (size_t b = 0; b < stage->branches; b++) {
        take_weights(&slots[b], rows, o);
        sums[b] = plain_sum(&slots[b], rows, t);
        sums[b] += slots[b].bias ? (double)slots[b].bias_values[o] : 0;
      }
      const double up = stage->product == FFN_PRODUCT_UP ? sums[1] : 1;
      rows->out[t * stage->outputs + o] =
          up * ffn_activation_value(stage->activation, sums[0], sums[1], parameters);
    }
  double *swap = rows->in;
  rows->in = rows->out, rows->out = swap;
}

static void meet_zeros(layer *l) {
  static const float times[ZERO_ROWS] = {1, 0.5f, 2, 0.75f};
  const ffn_kernel *k = l->kernel;
  slot *slots = l->slots;
  size_t widest = k->inputs;
  for (size_t i = 0; i < l->slot_count; i++)
    widest = slots[i].outputs > widest ? slots[i].outputs : widest;
  zero_rows rows = {l->rows < ZERO_ROWS ? l->rows : (size_t)ZERO_ROWS, NULL, NULL, NULL};
  rows.in = (double *)need(rows.count * widest * sizeof(double));
  rows.out = (double *)need(rows.count * widest * sizeof(double));
  rows.weights = (float *)need(widest * sizeof(float));
  for (size_t t = rows.count; t-- > 0;)
    for (size_t i = 0; i < k->inputs; i++) {
      l->x[t * l->x_stride + i] = times[t] * l->x[i];
      rows.in[t * k->inputs + i] = (double)l->x[t * l->x_stride + i];
    }
  for (size_t s = 0; !k->stages_share_x && s + 1 < k->stage_count; s++) {
    const ffn_stage *stage = &k->stages[s];
    const float *parameters = ffn_stage_parameters(stage, &l->weights);
    const double far = ffn_activation_value(stage->activation, -8, 1, parameters);
    const double near = ffn_activation_value(stage->activation, -0x1p-8, 1, parameters);
    size_t before = stage->outputs;
    for (size_t o = 0; near == 0 && far == 0 && o < stage->outputs; o++) {
      if (o % ZEROS_OF < ZEROS_OF - 1)
        put_below(slots, &rows, o, before);
      before = is_below(slots, &rows, o) ? o : before;
    }
    if (s + 2 < k->stage_count)
      pass_on(&rows, slots, parameters);
    slots += stage->branches;
  }
  free(rows.in);
  free(rows.out);
  free(rows.weights);
}
/*@ end */

static void shrink_weights(layer *l, float times) {
  for (size_t i = 0; i < l->slot_count; i++) {
    slot *s = &l->slots[i];
    /*@ blocks */
    if (s->own)
      draw_blocks(s, 2 * i + 1, s->most * times);
    /*@ end */
    for (size_t w = 0; !s->own && w < s->outputs * s->inputs; w++)
      s->weight[w] *= times;
    for (size_t o = 0; s->bias && o < s->outputs; o++)
      s->bias_values[o] *= times;
  }
  /*@ zeros */
  meet_zeros(l);
  /*@ end */
}

/* The most rows of a batch of any kernel of a layer that this CPU runs. */
static size_t rows_of(const char *name, unsigned cpu) {
  size_t most = 0;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    const char *own =
        strcmp((*k)->layer, name) == 0 && (cpu & 1u << (*k)->isa) ? batches_of((*k)->name) : NULL;
    if (own && most_of(own) > most)
      most = most_of(own);
  }
  return most;
}

/*@ integers */
/* Scales of what is multiplied, where they come with the weights: some numbers of x and of hidden
 * values are clipped, and none of every second row of x. */
static void give_scales(layer *l) {
  const ffn_kernel *k = l->kernel;
  for (size_t i = 0; i < l->slot_count; i++) {
    const slot *s = &l->slots[i];
    const float most = k->stages_share_x || s->stage == k->stages ? 1.8f : 7.2f;
    s->linear->operand_scale = s->stage->operand_scale ? most / 127 : 0;
  }
  for (size_t t = 0; k->stages[0].operand_scale && t < l->rows; t += 2)
    for (size_t i = 0; i < k->inputs; i++)
      l->x[t * l->x_stride + i] *= 0.5f;
}
/*@ end */

static void open_layer(layer *l, const ffn_kernel *kernel, unsigned cpu, void *packed) {
  memset(l, 0, sizeof *l);
  l->kernel = kernel;
  for (size_t i = 0; i < FFN_MAX_PARAMETERS; i++)
    l->weights.parameters[i] = 1.25f - 0.125f * (float)i;
  find_slots(l);
  /* Fewer rows of a large layer: about 2e8 flop, the reference being slow. */
  const uint64_t affordable = 200000000 / (kernel->flop_per_token + 1);
  const size_t most = MOST_TOKENS, of_batches = rows_of(kernel->layer, cpu);
  l->tokens = affordable > most ? most : affordable < 3 ? 3 : (size_t)affordable;
  l->rows = of_batches > l->tokens ? of_batches : l->tokens;
  l->x_stride = kernel->inputs + X_GAP;
  l->y_stride = kernel->outputs + Y_GAP;
  l->x = numbers(0, l->rows * l->x_stride, 2);
  for (size_t t = 0; t < l->rows; t++)
    for (size_t g = 0; g < X_GAP; g++)
      l->x[t * l->x_stride + kernel->inputs + g] = NAN;
  /*@ integers */
  give_scales(l);
  /*@ end */
  for (size_t i = 0; i < l->slot_count; i++) {
    slot *s = &l->slots[i];
    s->weight = numbers(2 * i + 1, s->outputs * s->inputs, sqrtf(4 / (float)s->inputs));
    s->bias_values = s->bias ? numbers(2 * i + 2, s->outputs, 1) : NULL;
    s->linear->weight = s->weight;
    s->linear->bias = s->bias_values;
    /*@ blocks */
    if (s->stage->source_alone) {
      s->own = (unsigned char *)need(s->outputs * ffn_source_row(s->stage->source, s->inputs));
      draw_blocks(s, 2 * i + 1, sqrtf(4 / (float)s->inputs));
    }
    /*@ end */
    /* Floats stay as they are: what is made of those that a format holds may be others again. */
    const int rounds = s->stage->source != FFN_SOURCE_F32 && !s->stage->source_alone;
    s->held = rounds ? (float *)need(s->outputs * s->inputs * sizeof(float)) : s->weight;
  }
  /*@ zeros */
  meet_zeros(l);
  /*@ end */
  l->y = (float *)need((l->rows + 1) * l->y_stride * sizeof(float));
  l->first_y = (float *)need(l->rows * kernel->outputs * sizeof(float));
  memset(l->first_y, 0xff, l->rows * kernel->outputs * sizeof(float));
  l->reference = (double *)need(l->tokens * kernel->outputs * sizeof(double));
  l->bound = (double *)need(l->tokens * kernel->outputs * sizeof(double));
  find_reference(l, packed);
  /* A chain of squares leaves f32 behind unless its weights are small. */
  const size_t count = l->tokens * kernel->outputs;
  size_t none = unbounded(l->bound, count), before = SIZE_MAX;
  for (int i = 0; i < 6 && has_bound(kernel) && may_help(none, before, count); i++) {
    shrink_weights(l, 0.5f);
    find_reference(l, packed);
    before = none;
    none = unbounded(l->bound, count);
  }
  /*@ integers */
  find_integers(l);
  /*@ end */
}

static void close_layer(layer *l) {
  for (size_t i = 0; i < l->slot_count; i++) {
    if (l->slots[i].held != l->slots[i].weight)
      free(l->slots[i].held);
    free(l->slots[i].weight);
    free(l->slots[i].bias_values);
    free(l->slots[i].own);
  }
  free(l->x);
  free(l->y);
  free(l->first_y);
  free(l->reference);
  free(l->bound);
}

/* Each check returns NULL, or what went wrong. */

/*@ blocks */
/* Blocks come back as they were, byte for byte. */
static const char *check_blocks(
    const layer *l, const slot *s, const ffn_kernel *k, const void *packed) {
  const size_t bytes = s->outputs * ffn_source_row(s->stage->source, s->inputs);
  unsigned char *own = (unsigned char *)need(bytes);
  places back;
  open_places(&back);
  ffn_unpacked_linear *to = place_of(&back, l, s);
  to->weight = own, to->source = s->stage->source;
  memset(own, 0x7f, bytes);
  k->unpack(&back.to, packed);
  const int same = memcmp(own, s->own, bytes) == 0;
  free(own);
  return same ? NULL : "unpack gives other blocks than pack took";
}
/*@ end */

static const char *check_unpack(layer *l, const ffn_kernel *k, const void *packed) {
  const char *wrong = NULL;
  for (size_t i = 0; i < l->slot_count && !wrong; i++) {
    const slot *s = &l->slots[i];
    const size_t weight_bytes = s->outputs * s->inputs * sizeof(float);
    const size_t bias_bytes = s->bias ? s->outputs * sizeof(float) : 0;
    float *weight = (float *)need(weight_bytes), *bias = (float *)need(bias_bytes);
    /* One matrix at a time, to be modest: the others are NULL. */
    places back;
    open_places(&back);
    place_of(&back, l, s)->weight = weight;
    place_of(&back, l, s)->bias = s->bias ? bias : NULL;
    float operand_scale = 0;
    place_of(&back, l, s)->operand_scale = s->stage->operand_scale ? &operand_scale : NULL;
    memset(weight, 0x7f, weight_bytes);
    memset(bias, 0x7f, bias_bytes);
    k->unpack(&back.to, packed);
    if (memcmp(weight, s->held, weight_bytes) != 0)
      wrong = "unpack gives other weights than pack took";
    if (s->bias && memcmp(bias, s->bias_values, bias_bytes) != 0)
      wrong = "unpack gives other biases than pack took";
    if (!(operand_scale >= s->linear->operand_scale && operand_scale <= s->linear->operand_scale))
      wrong = "unpack gives another scale of x than pack took";
    if (memcmp(back.to.parameters, l->weights.parameters,
            k->runtime_parameters * sizeof *back.to.parameters) != 0)
      wrong = "unpack gives other parameters than pack took";
    free(weight);
    free(bias);
    /*@ blocks */
    if (s->own && !wrong)
      wrong = check_blocks(l, s, k, packed);
    /*@ end */
  }
  return wrong;
}

/* So many tokens, or as many as a call may have. */
static size_t at_once(const ffn_kernel *k, size_t tokens) {
  return k->max_tokens > 0 && k->max_tokens < tokens ? k->max_tokens : tokens;
}

/* Runs rows [first, first + tokens) into poisoned memory and checks what may not change. */
static const char *run(layer *l, const ffn_kernel *k, size_t first, size_t tokens,
    const void *packed, unsigned char *work, int poison) {
  const size_t most = at_once(k, tokens), work_bytes = ffn_work_bytes(k, 1, most);
  const size_t floats = (l->rows + 1) * l->y_stride;
  memset(l->y, poison, floats * sizeof(float));
  memset(work, poison, work_bytes + GUARD);
  size_t t = 0;
  do {
    const size_t part = tokens - t < most ? tokens - t : most;
    ffn_run(k, l->y + t * l->y_stride, l->y_stride, l->x + (first + t) * l->x_stride, l->x_stride,
        part, packed, work, work_bytes, NULL);
    t += part;
  } while (t < tokens);
  for (size_t i = 0; i < GUARD; i++)
    if (work[work_bytes + i] != (unsigned char)poison)
      return "writes behind its work memory";
  const unsigned char *bytes = (const unsigned char *)l->y;
  for (size_t i = 0; i < floats; i++)
    if (i / l->y_stride >= tokens || i % l->y_stride >= k->outputs)
      for (size_t b = 0; b < sizeof(float); b++)
        if (bytes[i * sizeof(float) + b] != (unsigned char)poison)
          return "writes outside the rows of y";
  return NULL;
}

static const char *check_bits(layer *l, const ffn_kernel *k, size_t first, size_t tokens) {
  for (size_t t = 0; t < tokens; t++)
    if (memcmp(l->y + t * l->y_stride, l->first_y + (first + t) * k->outputs,
            k->outputs * sizeof(float)) != 0)
      return "other bits than another batch or instruction set gives";
  return NULL;
}

/* A power of two as scale: the product is exact, so the sum rounds once on any machine. */
static const char *check_add(layer *l, const ffn_kernel *k, const void *packed, void *work) {
  const size_t tokens = at_once(k, l->tokens < 5 ? l->tokens : 5);
  for (size_t i = 0; i < tokens * l->y_stride; i++)
    l->y[i] = (float)(i % 7) - 3;
  ffn_add(k, l->y, l->y_stride, -2.0f, l->x, l->x_stride, tokens, packed, work,
      ffn_work_bytes(k, 1, tokens), NULL);
  for (size_t i = 0; i < tokens * l->y_stride; i++) {
    const size_t o = i % l->y_stride;
    const float old = (float)(i % 7) - 3;
    const float sum = o < k->outputs ? old - 2 * l->first_y[i / l->y_stride * k->outputs + o] : old;
    if (memcmp(&l->y[i], &sum, sizeof sum) != 0)
      return "add() is not y + scale * layer(x)";
  }
  return NULL;
}

static const char *check_bound(layer *l, const ffn_kernel *k, double *worst) {
  for (size_t t = 0; t < l->tokens; t++)
    for (size_t o = 0; o < k->outputs; o++) {
      const size_t i = t * k->outputs + o;
      const double error = fabs((double)l->y[t * l->y_stride + o] - l->reference[i]);
      if (!(l->bound[i] < (double)INFINITY))
        continue;
      if (error > *worst * l->bound[i])
        *worst = error / l->bound[i];
      if (!(error <= l->bound[i]))
        return "error beyond the bound";
    }
  const size_t count = l->tokens * k->outputs, none = unbounded(l->bound, count);
  return none > 0 ? no_bound(none, count, "outputs") : NULL;
}

/* The bits of each row alone, which all others are compared with. */
static const char *find_bits(
    layer *l, const ffn_kernel *k, const void *packed, unsigned char *work) {
  const char *wrong = NULL;
  for (size_t t = 0; t < l->rows && !wrong; t++) {
    wrong = run(l, k, t, 1, packed, work, 0xff);
    memcpy(l->first_y + t * k->outputs, l->y, k->outputs * sizeof(float));
  }
  l->have_first = 1;
  return wrong;
}

/*@ integers */
/* Each row alone, whose bits were there before the kernel ran. */
static const char *check_rows(
    layer *l, const ffn_kernel *k, const void *packed, unsigned char *work) {
  const char *wrong = NULL;
  for (size_t t = 0; t < l->rows && !wrong; t++) {
    wrong = run(l, k, t, 1, packed, work, 0xff);
    if (!wrong && check_bits(l, k, t, 1))
      wrong = "other bits than ffn_reference_s8() gives";
  }
  return wrong;
}
/*@ end */

/* Batches of so many rows: the last ones, and of few the first ones, which meet many zeros. */
static const char *check_batch(
    layer *l, const ffn_kernel *k, size_t rows, const void *packed, unsigned char *work) {
  const char *wrong = NULL;
  for (size_t first = l->rows - rows, next = 0; !wrong; first = 0, next++) {
    if (next > 0 && (next > 1 || rows > 4))
      break;
    wrong = run(l, k, first, rows, packed, work, rows % 2 ? 0x7f : 0xff);
    if (!wrong)
      wrong = check_bits(l, k, first, rows);
  }
  return wrong;
}

/* Those that run all code of a kernel; of a small layer any number. */
static const char *check_batches(
    layer *l, const ffn_kernel *k, const void *packed, unsigned char *work) {
  const char *own = batches_of(k->name), *wrong = NULL;
  const uint64_t all = MOST_TOKENS * (MOST_TOKENS + 1) / 2;
  const size_t any = k->flop_per_token <= 20000000 / all ? MOST_TOKENS : 0;
  if (!own)
    return "the self-check was made for other kernels: it knows no batches of this one";
  for (size_t rows = 0; rows <= l->rows && !wrong; rows++)
    if (rows <= any || has_batch(own, rows))
      wrong = check_batch(l, k, rows, packed, work);
  return wrong;
}

static const char *check(
    layer *l, const ffn_kernel *k, const void *packed, unsigned char *work, double *worst) {
  const char *wrong = ffn_packed_fits(k, packed) ? NULL : "ffn_packed_fits() refuses pack()'s work";
  if (!wrong)
    wrong = l->rounding;
  if (!wrong)
    wrong = check_unpack(l, k, packed);
  if (!wrong && !l->have_first)
    wrong = find_bits(l, k, packed, work);
  /*@ integers */
  if (!wrong && ffn_reference_s8_bytes(k) > 0)
    wrong = check_rows(l, k, packed, work);
  /*@ end */
  if (!wrong)
    wrong = run(l, k, 0, l->tokens, packed, work, 0xff);
  if (!wrong && has_bound(k))
    wrong = check_bound(l, k, worst);
  if (!wrong)
    wrong = check_bits(l, k, 0, l->tokens);
  if (!wrong)
    wrong = check_batches(l, k, packed, work);
  if (!wrong && k->adds)
    wrong = check_add(l, k, packed, work);
  return wrong;
}

/* What is held to what, and how near it is. */
static void tell(const layer *l, const ffn_kernel *k, double worst) {
  (void)l;
  /*@ integers */
  if (is_of_integers(k)) {
    tell_integers(l, k, worst);
    return;
  }
  /*@ end */
  if (has_bound(k))
    printf("%-60s largest error %-7.2g of its bound: ", k->name, worst);
  else
    printf("%-60s equal bits; no bound is stated for its arithmetic: ", k->name);
}

/*@ training */
/* Where layers are trained, selfcheck_train.h stands here. */
/*@ end */

/*@ mixtures */
/* Where there are mixtures of experts, selfcheck_moe.h stands here. */
/*@ end */

int main(void) {
  size_t count;
  unsigned long passed = 0, failed = 0, skipped = 0; /* %zu is not known to every libc */
  const ffn_kernel *const *kernels = ffn_all(&count);
  /*@ tiles */
  (void)ffn_amx(); /* or their kernels are skipped */
  /*@ end */
  const unsigned cpu = ffn_cpu();
  const char *problem = ffn_arithmetic_problem();
  if (problem) {
    printf("floats: %s\n", problem);
    failed++;
  }
  for (size_t i = 0; i < count; i++) {
    size_t j = 0;
    while (strcmp(kernels[j]->layer, kernels[i]->layer) != 0)
      j++;
    if (j < i)
      continue; /* the layer has had its turn */
    layer l;
    unsigned char *packed = NULL;
    void *packed_block = NULL, *work_block;
    for (; j < count; j++) {
      const ffn_kernel *k = kernels[j];
      if (strcmp(k->layer, kernels[i]->layer) != 0)
        continue;
      if (!(cpu & 1u << k->isa)) {
        printf("%-60s skipped: this CPU has no %s\n", k->name, ffn_isa_name(k->isa));
        skipped++;
        continue;
      }
      if (!packed) {
        packed = (unsigned char *)need_aligned(k->packed_bytes, &packed_block);
        open_layer(&l, k, cpu, packed);
      }
      unsigned char *work =
          (unsigned char *)need_aligned(ffn_work_bytes(k, 1, SIZE_MAX) + GUARD, &work_block);
      double worst = 0;
      memset(packed, 0x7f, k->packed_bytes);
      k->pack(packed, &l.weights);
      const char *wrong = check(&l, k, packed, work, &worst);
      tell(&l, k, worst);
      printf("%s\n", wrong ? wrong : "ok");
      fflush(stdout);
      wrong ? failed++ : passed++;
      free(work_block);
    }
    if (packed) {
      /*@ training_call */
      /*@ end */
      close_layer(&l);
      free(packed_block);
    }
  }
  /*@ mixtures_call */
  /*@ end */
  printf("%lu passed, %lu failed, %lu skipped\n", passed, failed, skipped);
  return failed ? 1 : 0;
}

FFN_EXACT_END
#endif
