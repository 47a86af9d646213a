/* The C++ wrapper: the bits of the C API for every form of layer, and every size that it refuses.
 */
#include "ffn.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace {

/* A view as others have it: its own const does not make its elements so. */
struct view {
  float *first;
  std::size_t count;
  float *data() const { return first; }
  std::size_t size() const { return count; }
};

static_assert(std::is_nothrow_move_constructible_v<ffn::layer>);
static_assert(std::is_nothrow_move_assignable_v<ffn::layer>);
static_assert(!std::is_copy_constructible_v<ffn::layer>);
static_assert(!std::is_copy_constructible_v<ffn::workspace>);
static_assert(std::is_constructible_v<ffn::span<const float>, ffn::span<float>>);
static_assert(std::is_constructible_v<ffn::span<float>, float (&)[4]>);
static_assert(std::is_constructible_v<ffn::span<const float>, std::vector<float>>);
static_assert(!std::is_constructible_v<ffn::span<float>, std::vector<float>>, "a temporary");
static_assert(!std::is_constructible_v<ffn::span<float>, const std::vector<float>>, "both");
static_assert(!std::is_constructible_v<ffn::span<float>, std::array<float, 4>>, "a temporary");
static_assert(std::is_constructible_v<ffn::span<float>, ffn::span<float>>, "a temporary view");
static_assert(std::is_constructible_v<ffn::span<float>, view>, "a temporary view of another's");
static_assert(!std::is_constructible_v<ffn::span<float>, const std::vector<float> &>, "const");
static_assert(!std::is_constructible_v<ffn::span<const float>, std::vector<double> &>, "type");
static_assert(noexcept(std::declval<const ffn::layer &>().run(ffn::span<float>{},
                                                              ffn::span<const float>{},
                                                              std::declval<ffn::workspace &>())));
#if __cplusplus >= 202002L
static_assert(std::is_constructible_v<ffn::span<const float>, std::span<float>>);
static_assert(std::is_constructible_v<ffn::span<float>, std::span<float>>, "a temporary view");
static_assert(std::is_constructible_v<ffn::span<float>, const std::span<float> &>);
static_assert(!std::is_constructible_v<ffn::span<float>, std::span<const float>>, "const");
#endif

int passed, failed;

void expect(bool fine, const char *what, const char *detail) {
  (fine ? passed : failed)++;
  if (!fine)
    std::printf("FAILED: %s: %s\n", what, detail);
}

/* NULL: no problem is expected. */
void expect_problem(const char *problem, const char *part, const char *what) {
  const bool fine = part ? problem && std::strstr(problem, part) : !problem;
  expect(fine, what, problem ? problem : "no problem");
}

std::vector<float> numbers(std::size_t count, unsigned seed) {
  std::vector<float> list(count);
  for (float &number : list) {
    seed = seed * 1664525u + 1013904223u;
    number = static_cast<float>(seed >> 16) / 65536.0f - 0.5f;
  }
  return list;
}

/* The weights of a kernel, for both APIs. */
struct model {
  std::vector<std::vector<float>> floats;
  std::vector<ffn::linear> chain;
  std::vector<ffn_linear> c_chain;
  ffn::weights weights;
  ffn_weights c{};

  ffn::linear add(const ffn_stage &stage) {
    const auto seed = static_cast<unsigned>(floats.size());
    floats.push_back(numbers(stage.outputs * stage.inputs, seed));
    floats.push_back(numbers(stage.bias ? stage.outputs : 0, seed + 1));
    ffn::linear added{floats[seed], floats[seed + 1]};
    added.operand_scale = stage.operand_scale ? 0.5f : 0.0f;
    return added;
  }

  static ffn_linear to_c(const ffn::linear &linear) {
    ffn_linear dense{};
    dense.weight = linear.weight.data();
    dense.bias = linear.bias.data();
    dense.operand_scale = linear.operand_scale;
    return dense;
  }

  explicit model(const ffn_kernel &kernel) {
    const ffn_stage &first = kernel.stages[0];
    if (kernel.kind == FFN_KIND_LINEAR || kernel.kind == FFN_KIND_MLP) {
      for (std::size_t s = 0; s < kernel.stage_count; ++s)
        chain.push_back(add(kernel.stages[s]));
      for (const ffn::linear &linear : chain)
        c_chain.push_back(to_c(linear));
      weights.chain = chain;
    } else {
      if (kernel.kind == FFN_KIND_SELFGATE || first.product == FFN_PRODUCT_UP)
        weights.gate = add(first);
      if (kernel.kind != FFN_KIND_SELFGATE)
        weights.up = add(first);
      if (kernel.kind == FFN_KIND_FFN)
        weights.down = add(kernel.stages[1]);
    }
    weights.parameters[0] = 1.25f;
    c.gate = to_c(weights.gate), c.up = to_c(weights.up), c.down = to_c(weights.down);
    c.chain = c_chain.data(), c.parameters[0] = weights.parameters[0];
  }
};

/* As many threads as its pool says, one after the other. */
void serial(void *, std::size_t tasks, void (*task)(void *, std::size_t), void *context) {
  for (std::size_t i = 0; i < tasks; ++i)
    task(context, i);
}

constexpr std::size_t tokens = 7, threads = 3, gap = 5;

void expect_bits(const ffn_kernel &kernel) {
  const model given(kernel);
  const std::vector<float> x = numbers(tokens * kernel.inputs, 9);
  std::vector<float> expected(tokens * kernel.outputs), y(expected.size());
  const std::size_t bytes = ffn_work_bytes(&kernel, 1, tokens);
  void *packed = ffn_alloc(kernel.packed_bytes), *memory = ffn_alloc(bytes);
  kernel.pack(packed, &given.c);
  ffn_run(&kernel, expected.data(), kernel.outputs, x.data(), kernel.inputs, tokens, packed, memory,
          bytes, nullptr);
  ffn_free(packed), ffn_free(memory);

  auto made = ffn::layer::make(&kernel, given.weights);
  expect_problem(made.problem(), nullptr, kernel.name);
  if (!made)
    return;
  const ffn::layer layer = *std::move(made);
  auto work = ffn::workspace::make(layer.work_bytes(threads, tokens));
  const ffn_parallel parallel = {serial, nullptr, threads};
  expect_problem(layer.run(y, x, *work, &parallel), nullptr, kernel.name);
  expect(y == expected, kernel.name, "other bits than by the C API");

  const std::size_t stride = kernel.outputs + gap;
  std::vector<float> apart(tokens * stride - gap);
  expect_problem(layer.run(ffn::rows<float>{apart, tokens, stride},
                           ffn::rows<const float>{x, tokens, kernel.inputs}, *work),
                 nullptr, kernel.name);
  bool same = true;
  for (std::size_t t = 0; t < tokens; ++t)
    same = same && std::memcmp(&apart[t * stride], &expected[t * kernel.outputs],
                               kernel.outputs * sizeof(float)) == 0;
  expect(same, kernel.name, "other bits in rows apart");

  /* From zeros: 2 y is exact. */
  std::vector<float> sums(y.size(), 0.0F);
  const ffn::rows<const float> given_rows = {x, tokens, kernel.inputs};
  expect_problem(layer.add({sums, tokens, kernel.outputs}, 2.0F, given_rows, *work, &parallel),
                 nullptr, kernel.name);
  std::vector<float> dense_sums(y.size(), 0.0F);
  expect_problem(layer.add(view{dense_sums.data(), y.size()}, 2.0F, x, *work, &parallel), nullptr,
                 kernel.name);
  same = true;
  for (std::size_t i = 0; i < y.size(); ++i)
    same = same && sums[i] == 2 * expected[i] && dense_sums[i] == 2 * expected[i];
  expect(same, kernel.name, "other sums than y + scale * layer(x)");
  expect_problem(layer.add({sums, tokens - 1, kernel.outputs}, 2.0F, given_rows, *work),
                 "y has not one row", "a row less to add to");
}

/* Windows of a signal: the bits of copies; and one row for all. */
void expect_windows(const ffn_kernel &kernel) {
  const model given(kernel);
  const std::size_t in = kernel.inputs, out = kernel.outputs;
  const std::vector<float> signal = numbers(in + tokens - 1, 9);
  auto layer = ffn::layer::make(&kernel, given.weights);
  auto work = ffn::workspace::make(layer->work_bytes(1, tokens));
  std::vector<float> copies, y(tokens * out), z(tokens * out), ends(tokens * out);
  for (std::size_t t = 0; t < tokens; ++t)
    copies.insert(copies.end(), &signal[t], &signal[t] + in);
  expect_problem(layer->run(z, copies, *work), nullptr, kernel.name);
  expect_problem(layer->run({view{y.data(), y.size()}, tokens, out}, {signal, tokens, 1}, *work),
                 nullptr, kernel.name);
  expect(y == z, kernel.name, "other bits of windows");
  expect_problem(layer->run({ends, tokens, out}, {signal, tokens, 0}, *work), nullptr, kernel.name);
  expect(std::memcmp(&ends[(tokens - 1) * out], z.data(), out * sizeof(float)) == 0, kernel.name,
         "other bits of one row for all");
  expect_problem(layer->run({y, tokens, out}, {signal, tokens, 2}, *work), "x is too small",
                 "windows beyond the signal");
}

ffn::span<const float> shorter(const ffn::span<const float> &view) {
  return {view.data(), view.size() - 1};
}

void expect_problem_of_weights(const ffn_kernel &kernel, const ffn::weights &weights,
                               const char *part) {
  expect_problem(ffn::layer::make(&kernel, weights).problem(), part, kernel.name);
}

/* Each matrix one number short, and each that the kernel does not have. */
void expect_sizes_of_weights(const ffn_kernel &kernel) {
  static const float one[1] = {1.0f};
  const model given(kernel);
  const auto expect_linear = [&](ffn::linear ffn::weights::*which, const char *weight,
                                 const char *bias) {
    ffn::weights wrong = given.weights;
    ffn::linear &linear = wrong.*which;
    linear.weight = linear.weight.size() ? shorter(linear.weight) : one;
    expect_problem_of_weights(kernel, wrong, weight);
    wrong = given.weights;
    linear.bias = linear.bias.size() ? shorter(linear.bias) : one;
    expect_problem_of_weights(kernel, wrong, bias);
  };
  expect_linear(&ffn::weights::gate, "weights.gate.weight", "weights.gate.bias");
  expect_linear(&ffn::weights::up, "weights.up.weight", "weights.up.bias");
  expect_linear(&ffn::weights::down, "weights.down.weight", "weights.down.bias");

  ffn::weights wrong = given.weights;
  if (given.chain.empty()) {
    const ffn::linear linears[1];
    wrong.chain = linears;
    expect_problem_of_weights(kernel, wrong, "weights.chain has not one");
    return;
  }
  wrong.chain = {given.chain.data(), given.chain.size() - 1};
  expect_problem_of_weights(kernel, wrong, "weights.chain has not one");
  std::vector<ffn::linear> chain = given.chain;
  wrong.chain = chain;
  chain.back().weight = shorter(chain.back().weight);
  expect_problem_of_weights(kernel, wrong, "a weight of weights.chain");
  chain = given.chain;
  chain.back().bias = {};
  expect_problem_of_weights(kernel, wrong, "a bias of weights.chain");
}

void expect_sizes_of_rows(const ffn_kernel &kernel) {
  const model given(kernel);
  const std::size_t in = kernel.inputs, out = kernel.outputs;
  auto layer = ffn::layer::make(&kernel, given.weights);
  auto work = ffn::workspace::make(layer->work_bytes(1, 2));
  const std::vector<float> x = numbers(2 * in, 9);
  std::vector<float> y(2 * out + 1, -7.0f);
  const std::vector<float> before = y;
  const ffn::span<float> two_rows(y.data(), 2 * out);

  const auto told = [](const char *what, std::size_t given_size, const char *between,
                       std::size_t wanted) {
    return what + std::to_string(given_size) + between + std::to_string(wanted);
  };
  if (in > 1)
    expect_problem(
        layer->run(two_rows, shorter(x), *work),
        told("x is no whole number of rows: ", 2 * in - 1, " floats, not a multiple of ", in)
            .c_str(),
        "x one short");
  expect_problem(
      layer->run(y, x, *work),
      told("y has not one row for each row of x: ", 2 * out + 1, " floats, not ", 2 * out).c_str(),
      "y one more");
  expect_problem(layer->add(y, 1.0f, x, *work), "y has not one row", "y one more to add to");
  ffn_kernel limited = kernel;
  limited.max_tokens = 1;
  auto one_row = ffn::layer::make(&limited, given.weights);
  expect_problem(one_row->run(two_rows, x, *work), "x has more rows", "more than max_tokens");
  ffn_kernel bare = kernel;
  bare.pack = nullptr, bare.adds = 0;
  expect_problem(ffn::layer::make(&bare, given.weights).problem(), "without pack()", "no pack()");
  auto without_add = ffn::layer::wrap(&bare, layer->packed(), kernel.packed_bytes);
  expect_problem(without_add->add({two_rows, 2, out}, 1.0f, {x, 2, in}, *work), "without add()",
                 "no add()");
  const auto run = [&](std::size_t y_count, std::size_t y_stride, std::size_t x_count,
                       std::size_t x_stride) {
    return layer->run(ffn::rows<float>{two_rows, y_count, y_stride},
                      ffn::rows<const float>{x, x_count, x_stride}, *work);
  };
  expect_problem(run(2, out, 1, in), "y has not one row", "other numbers of rows");
  expect_problem(run(2, out, 2, in + 1), "x is too small", "a stride beyond x");
  expect_problem(run(2, out + 1, 2, in), "y is too small", "a stride beyond y");
  expect_problem(run(2, out - 1, 2, in), told("stride: ", out - 1, ", not ", out).c_str(),
                 "rows of y that overlap");
  expect_problem(run(SIZE_MAX, out, SIZE_MAX, in), "x is too small", "rows without end");
  expect_problem(run(2, out, 2, SIZE_MAX / 2 + 1), "x is too small", "a stride without end");

  const ffn_parallel parallel = {serial, nullptr, threads};
  expect_problem(layer->run(two_rows, x, *work, &parallel), "work memory", "work for one thread");
  auto little = ffn::workspace::make(layer->work_bytes(1, 2) - 1);
  expect_problem(layer->run(two_rows, x, *little),
                 told("tokens: ", little->bytes(), " bytes, not ", little->bytes() + 1).c_str(),
                 "little work memory");
  const ffn::workspace moved_work = *std::move(little);
  expect_problem(layer->run(two_rows, x, *little), "work memory", "work memory moved away");
  expect(y == before, kernel.name, "y was written in spite of a problem");

  expect_problem(run(0, 0, 0, 0), nullptr, "no rows");
  const ffn::layer moved = *std::move(layer);
  expect_problem(layer->run(two_rows, x, *work), "moved away", "a layer moved away");
  expect_problem(moved.run(two_rows, x, *work), nullptr, "a layer that was moved");
  expect(ffn_packed_fits(&moved.kernel(), moved.packed()) == 1, kernel.name, "packed weights");
}

/* Packed weights of someone else: the same bits, no copy; and what may be wrong with them. */
void expect_wrapped(const ffn_kernel &kernel) {
  const model given(kernel);
  const std::vector<float> x = numbers(kernel.inputs, 9);
  std::vector<float> expected(kernel.outputs), y(kernel.outputs);
  auto made = ffn::layer::make(&kernel, given.weights);
  auto work = ffn::workspace::make(made->work_bytes());
  expect_problem(made->run(expected, x, *work), nullptr, kernel.name);
  const std::size_t bytes = kernel.packed_bytes;
  {
    auto wrapped = ffn::layer::wrap(&kernel, made->packed(), bytes);
    expect_problem(wrapped.problem(), nullptr, kernel.name);
    expect(wrapped->packed() == made->packed(), kernel.name, "packed weights were copied");
    expect_problem(wrapped->run(y, x, *work), nullptr, kernel.name);
    const ffn::layer moved = *std::move(wrapped);
    expect_problem(wrapped->run(y, x, *work), "moved away", "a wrapped layer moved away");
  }
  expect(y == expected, kernel.name, "other bits over wrapped weights");
  expect_problem(made->run(y, x, *work), nullptr, "the weights' owner after the wrapped layer");
  expect_problem(ffn::layer::wrap(nullptr, made->packed(), bytes).problem(), "no linked kernel",
                 "no kernel to wrap");
  expect_problem(ffn::layer::wrap(&kernel, nullptr, bytes).problem(), "NULL", "nothing to wrap");
  expect_problem(ffn::layer::wrap(&kernel, made->packed(), bytes - 1).problem(), "fewer bytes",
                 "a byte less");
}

/* Several outputs, each in rows apart; one that is not wanted; and what may be wrong. */
void expect_outputs(const ffn_kernel &kernel) {
  const ffn_outputs *outputs = ffn_outputs_of(&kernel);
  const model given(kernel);
  const std::vector<float> x = numbers(tokens * kernel.inputs, 9);
  const ffn::rows<const float> in = {x, tokens, kernel.inputs};
  auto layer = ffn::layer::make(&kernel, given.weights);
  auto work = ffn::workspace::make(layer->work_bytes(threads, tokens));
  const ffn_parallel parallel = {serial, nullptr, threads};
  if (!outputs) {
    expect_problem(layer->run_to({}, in, *work), "has one output", kernel.name);
    return;
  }
  std::vector<float> expected(tokens * kernel.outputs);
  expect_problem(layer->run(expected, x, *work), nullptr, kernel.name);
  std::vector<std::vector<float>> floats(outputs->count);
  std::vector<ffn::rows<float>> to;
  for (std::size_t i = 0; i < outputs->count; ++i) {
    floats[i].assign(tokens * (outputs->outputs[i].width + i + 1), -7.0f);
    to.push_back({floats[i], tokens, outputs->outputs[i].width + i + 1});
  }
  ffn::rows<float> last = to.back();
  to.back() = {{}, 0, 0};
  expect_problem(layer->run_to(to, in, *work, &parallel), nullptr, kernel.name);
  expect(floats.back() == std::vector<float>(floats.back().size(), -7.0f), kernel.name,
         "an output that is not wanted");
  to.back() = last;
  expect_problem(layer->run_to(to, in, *work), nullptr, kernel.name);
  expect_problem(layer->add_to(to, -0.5f, in, *work, &parallel), nullptr, kernel.name);
  bool same = true;
  for (std::size_t i = 0, at = 0; i < outputs->count; at += outputs->outputs[i++].width)
    for (std::size_t t = 0; t < tokens; ++t)
      for (std::size_t c = 0; c < to[i].stride; ++c)
        same = same &&
               floats[i][t * to[i].stride + c] ==
                   (c < outputs->outputs[i].width ? expected[t * kernel.outputs + at + c] * 0.5f
                                                  : -7.0f);
  expect(same, kernel.name, "other bits in rows of each output");
  to[0].stride = outputs->outputs[0].width - 1;
  expect_problem(layer->run_to(to, in, *work), "an output is too small", "rows that overlap");
  to[0].stride = outputs->outputs[0].width + 1, to[0].count = tokens - 1;
  expect_problem(layer->run_to(to, in, *work), "an output has not one row", "a row less");
  to.pop_back();
  expect_problem(layer->run_to(to, in, *work), "one destination for each", "an output less");
  expect_problem(layer->run_to(to, {x, tokens, kernel.inputs + 1}, *work), "x is too small",
                 "a stride beyond x");
}

/* Layers in an arena: the bits of those with memory of their own, side by side, no more than fit.
 */
void expect_in_arena(const ffn_kernel &kernel) {
  const model given(kernel);
  const std::vector<float> x = numbers(kernel.inputs, 9);
  std::vector<float> expected(kernel.outputs), y(kernel.outputs);
  const std::size_t bytes = kernel.packed_bytes;
  auto memory = ffn::arena::make(2 * bytes);
  auto own = ffn::layer::make(&kernel, given.weights);
  auto first = ffn::layer::make(&kernel, given.weights, *memory);
  auto second = ffn::layer::make(&kernel, given.weights, *memory);
  expect(static_cast<const char *>(second->packed()) - bytes == first->packed(), kernel.name,
         "layers of an arena that are not side by side");
  expect_problem(ffn::layer::make(&kernel, given.weights, *memory).problem(), "too few bytes left",
                 "a full arena");
  auto work = ffn::workspace::make(own->work_bytes());
  expect_problem(own->run(expected, x, *work), nullptr, kernel.name);
  expect_problem(second->run(y, x, *work), nullptr, kernel.name);
  expect(y == expected, kernel.name, "other bits in an arena");
  const ffn::arena moved = *std::move(memory);
  expect(memory->alloc(1) == nullptr, kernel.name, "memory of an arena moved away");
  expect_problem(first->run(y, x, *work), nullptr, "a layer of an arena that was moved");
}

} // namespace

/* Bits in place of floats, of linear layers whose weights are stored so. */
void expect_bits_of_formats(const ffn_kernel &kernel) {
  const ffn_stage &stage = kernel.stages[0];
  if (kernel.kind != FFN_KIND_LINEAR || ffn_source_block(stage.source).align != 2)
    return;
  model given(kernel);
  std::vector<std::uint16_t> bits(stage.outputs * stage.inputs);
  ffn_unpacked_linear matrix{};
  matrix.weight = bits.data(), matrix.source = stage.source;
  ffn_unpacked to{};
  to.chain = &matrix;
  auto rounded = ffn::layer::make(&kernel, given.weights);
  if (!rounded)
    return expect(false, kernel.name, rounded.problem());
  kernel.unpack(&to, rounded->packed());
  ffn::linear &linear = given.chain[0];
  linear.bits = bits;
  expect_problem(ffn::layer::make(&kernel, given.weights).problem(), "has not the size",
                 "floats and bits");
  linear.weight = {}, linear.source = stage.source;
  auto taken = ffn::layer::make(&kernel, given.weights);
  expect(taken && std::memcmp(taken->packed(), rounded->packed(), kernel.packed_bytes) == 0,
         kernel.name, "bits");
  linear.source = stage.source == FFN_SOURCE_F16 ? FFN_SOURCE_BF16 : FFN_SOURCE_F16;
  expect_problem(ffn::layer::make(&kernel, given.weights).problem(), ": the kernel takes ",
                 "bits of another format");
}

/* Blocks are taken as unpack() gives them, with the arrays beside; sizes are checked with words. */
void expect_blocks_of_formats(const ffn_kernel &kernel) {
  const ffn_stage &stage = kernel.stages[0];
  const ffn_block_size block = ffn_source_block(stage.source);
  if (kernel.kind != FFN_KIND_LINEAR || kernel.stage_count > 1 || block.align > 1)
    return;
  const std::size_t rows = block.scale && !block.zero ? 3 : 0; /* outputs that share a scale */
  const std::size_t shared = ffn_matrix_scales(block, rows, stage.outputs, stage.inputs);
  std::vector<std::uint8_t> blocks(stage.outputs * ffn_source_row(stage.source, stage.inputs));
  std::vector<std::uint8_t> scales(shared * block.scale), zeros(shared * block.zero);
  const std::vector<float> bias(stage.bias ? stage.outputs : 0, 0.5f);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    blocks[i] = static_cast<std::uint8_t>(i * 37 % 61); /* small scales */
  for (std::size_t i = 0; i < scales.size(); ++i)
    scales[i] = 0x3c; /* of an f32, f16 or bf16 that is ordinary */
  ffn::linear linear{};
  linear.blocks = blocks, linear.scales = scales, linear.zeros = zeros, linear.bias = bias;
  linear.source = stage.source, linear.scale_rows = rows;
  linear.operand_scale = stage.operand_scale ? 0.5f : 0.0f;
  ffn::weights weights{};
  weights.chain = {&linear, 1};
  auto taken = ffn::layer::make(&kernel, weights);
  if (!taken)
    return expect(false, kernel.name, taken.problem());
  ffn_unpacked_linear matrix{};
  std::vector<std::uint8_t> back(blocks.size()), back_scales(scales.size() + 1);
  std::vector<std::uint8_t> back_zeros(zeros.size() + 1);
  matrix.weight = back.data(), matrix.source = stage.source;
  matrix.scales = block.scale ? back_scales.data() : nullptr;
  matrix.zeros = block.zero ? back_zeros.data() : nullptr;
  matrix.scale_rows = rows;
  ffn_unpacked to{};
  to.chain = &matrix;
  kernel.unpack(&to, taken->packed());
  expect(back == blocks, kernel.name, "blocks");
  back_scales.pop_back();
  expect(back_scales == scales, kernel.name, "scales");
  linear.blocks = {blocks.data(), blocks.size() - 1};
  expect_problem(ffn::layer::make(&kernel, weights).problem(), " bytes of blocks, not ",
                 "a byte less");
  linear.blocks = blocks, linear.weight = bias;
  if (stage.bias)
    expect_problem(ffn::layer::make(&kernel, weights).problem(), " floats beside what source says",
                   "floats and blocks");
  linear.weight = {}, linear.scales = {blocks.data(), scales.size() + 1};
  expect_problem(ffn::layer::make(&kernel, weights).problem(), " bytes of scales, not ",
                 "a byte of scales more");
}

bool takes_no_floats(const ffn_kernel &kernel) {
  bool any = false;
  for (std::size_t s = 0; s < kernel.stage_count; ++s)
    any |= kernel.stages[s].source_alone != 0;
  return any;
}

int main() {
  std::size_t count;
  const ffn_kernel *const *all = ffn_all(&count);
  int skipped = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (!(ffn_cpu() >> all[k]->isa & 1)) {
      ++skipped; /* this CPU cannot run it */
      continue;
    }
    expect_blocks_of_formats(*all[k]);
    if (takes_no_floats(*all[k]))
      continue;
    expect_bits(*all[k]);
    expect_sizes_of_weights(*all[k]);
    expect_sizes_of_rows(*all[k]);
    expect_windows(*all[k]);
    expect_wrapped(*all[k]);
    expect_in_arena(*all[k]);
    expect_bits_of_formats(*all[k]);
    expect_outputs(*all[k]);
  }
  expect_problem(ffn::layer::make(nullptr, {}).problem(), "no linked kernel", "no kernel");
  expect_problem(ffn::arena::make(0).problem(), "no memory", "an arena of no bytes");
  expect_problem(ffn::workspace::make(0).problem(), "no work memory", "no bytes");
  expect_problem(ffn::workspace::make(SIZE_MAX).problem(), "bytes", "too many bytes");
  std::printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed || count == 0;
}
